//! Reads `web.config`.

use super::model::{
    Action, Condition, ConditionTest, HttpRedirect, Iis, Location, Map, Rewrite, Test,
};
use crate::engine::index::PrefixIndex;
use crate::line_error::LineError;
use crate::rule::{ProblemKind, Rule, RuleParser};
use crate::syntax::xml::{self, Element};

/// The default documents of a server without a setting.
const DOCUMENTS: [&str; 5] = [
    "Default.htm",
    "Default.asp",
    "index.htm",
    "index.html",
    "iisstart.htm",
];

pub(crate) fn read(text: &str, parser: &mut RuleParser) -> Iis {
    let root = xml::parse(text, parser);
    let configuration = root.child("configuration").unwrap_or(&root);
    let mut out = Iis {
        documents: DOCUMENTS.map(str::to_owned).to_vec(),
        ..Iis::default()
    };
    for element in configuration.children() {
        if element.name.eq_ignore_ascii_case("location") {
            let path = element.attribute("path").unwrap_or_default();
            if !matches!(path, "" | ".") {
                out.add_location(path, element, parser);
                continue;
            }
            if let Some(server) = element.child("system.webServer") {
                out.read_server(server, parser);
            }
        } else if element.name.eq_ignore_ascii_case("system.webServer") {
            out.read_server(element, parser);
        }
    }
    out
}

fn is_true(element: &Element, name: &str) -> bool {
    let value = element.attribute(name).unwrap_or_default();
    value.eq_ignore_ascii_case("true")
}

fn is_false(element: &Element, name: &str) -> bool {
    let value = element.attribute(name).unwrap_or_default();
    value.eq_ignore_ascii_case("false")
}

impl Iis {
    /// Reads the settings of a folder or a file, if they affect where addresses lead.
    fn add_location(&mut self, path: &str, location: &Element, parser: &mut RuleParser) {
        let Some(server) = location.child("system.webServer") else {
            return;
        };
        let names = ["rewrite", "defaultDocument", "httpRedirect"];
        let settings: Vec<&Element> = names.iter().filter_map(|one| server.child(one)).collect();
        let path = path.trim_matches('/').to_ascii_lowercase();
        let redirect = match settings[..] {
            [] => return,
            [redirect] if redirect.name.eq_ignore_ascii_case("httpRedirect") => {
                if !is_true(redirect, "enabled") {
                    return;
                }
                let from = format!("/{path}");
                http_redirect(redirect, &from, parser).filter(|redirect| !redirect.is_unread)
            }
            _ => None,
        };
        if redirect.is_none() {
            let message = format!("settings for {path:?} alone are not read");
            parser.problem(location.line, ProblemKind::NotRead, message);
        }
        self.locations.push(Location {
            path,
            line: location.line,
            redirect,
        });
    }

    fn read_server(&mut self, server: &Element, parser: &mut RuleParser) {
        if let Some(rewrite) = server.child("rewrite") {
            for map in rewrite
                .child("rewriteMaps")
                .map(Element::children)
                .unwrap_or_default()
            {
                self.add_map(map);
            }
            for part in rewrite.children() {
                if part.name.eq_ignore_ascii_case("globalRules") {
                    let message = "global rules are of the whole server: not read";
                    parser.problem(part.line, ProblemKind::NotRead, message);
                }
                if part.attribute("configSource").is_some() {
                    let message = "what another file configures is not read";
                    if part.name.eq_ignore_ascii_case("rules") {
                        self.add_unread(part.line, None, message.to_owned(), parser);
                    } else {
                        parser.problem(part.line, ProblemKind::NotRead, message);
                    }
                }
            }
            let rules = rewrite.child("rules").map(Element::children);
            self.add_rules(rules.unwrap_or_default(), parser);
        }
        if let Some(redirect) = server.child("httpRedirect")
            && is_true(redirect, "enabled")
        {
            self.everything = http_redirect(redirect, "httpRedirect", parser);
        }
        if let Some(listing) = server.child("directoryBrowse") {
            self.lists = is_true(listing, "enabled");
        }
        let filtering = server.child("security");
        if let Some(filtering) = filtering.and_then(|one| one.child("requestFiltering")) {
            self.allows_double_escapes = is_true(filtering, "allowDoubleEscaping");
        }
        let documents = server.child("defaultDocument");
        if documents.is_some_and(|documents| is_false(documents, "enabled")) {
            self.documents.clear();
            return;
        }
        if let Some(files) = documents.and_then(|documents| documents.child("files")) {
            let names = files.children().iter();
            let names = names.filter(|name| name.name.eq_ignore_ascii_case("add"));
            let names: Vec<_> = names.filter_map(|name| name.attribute("value")).collect();
            if files.child("clear").is_some() {
                self.documents.clear();
            }
            let own = names.into_iter().map(str::to_owned);
            self.documents.splice(..0, own);
        }
    }

    fn add_rules(&mut self, rules: &[Element], parser: &mut RuleParser) {
        // The rule before, if none after it is tried where it applies.
        let mut last: Option<&Element> = None;
        for rule in rules {
            if rule.name.eq_ignore_ascii_case("clear") {
                self.rules.clear();
                self.by_path = PrefixIndex::default();
                last = None;
            } else if rule.name.eq_ignore_ascii_case("rule") && !is_false(rule, "enabled") {
                if let Some(last) = last.filter(|last| is_repeated(last, rule)) {
                    parser.repeated(last.line, rule.line, 1);
                    continue;
                }
                let number = self.rules.len();
                self.add_rule(rule, parser);
                let is_last = self.rules.get(number).is_some_and(Rewrite::is_last);
                last = Some(rule).filter(|_| is_last);
            }
        }
    }

    fn add_map(&mut self, map: &Element) {
        let name = map
            .attribute("name")
            .unwrap_or_default()
            .to_ascii_lowercase();
        let values = map.children().iter().filter_map(|add| {
            let key = add.attribute("key")?.to_ascii_lowercase();
            Some((key, add.attribute("value")?.to_owned()))
        });
        let map = Map {
            values: values.collect(),
            default: map.attribute("defaultValue").unwrap_or_default().to_owned(),
        };
        self.maps.insert(name, map);
    }

    fn add_rule(&mut self, rule: &Element, parser: &mut RuleParser) {
        let line = rule.line;
        let syntax = rule.attribute("patternSyntax").unwrap_or("ECMAScript");
        let (Some(found), Some(action)) = (rule.child("match"), rule.child("action")) else {
            let message = "a rule must have <match> and <action>";
            return parser.problem(line, ProblemKind::Refused, message);
        };
        let from = found.attribute("url").unwrap_or_default();
        let test = match test(found, from, syntax, parser) {
            Ok(test) => test,
            Err(error) => return self.add_unread(line, None, error.to_string(), parser),
        };
        let list = rule.child("conditions");
        let mut conditions = Vec::new();
        for condition in list.map(Element::children).unwrap_or_default() {
            if !condition.name.eq_ignore_ascii_case("add") {
                continue;
            }
            match condition_of(condition, syntax, parser) {
                Ok(condition) => conditions.push(condition),
                Err(error) => {
                    let message = error.to_string();
                    return self.add_unread(condition.line, Some(test), message, parser);
                }
            }
        }
        let to = action.attribute("url").unwrap_or_default().to_owned();
        let action = action_of(action, parser);
        let status = match &action {
            Action::Redirect { status, .. } | Action::Refuse(status) => *status,
            Action::Rewrite { .. } | Action::Nothing | Action::Unknown => 200,
        };
        let literal = crate::engine::pattern::literal(from).filter(|_| syntax == "ECMAScript");
        let is_plain = conditions.is_empty() && !test.is_negated;
        let number = (!matches!(action, Action::Nothing)).then(|| {
            parser.rule(Rule {
                line,
                from: from.to_owned(),
                to: (!to.is_empty()).then_some(to),
                status,
                status_is_default: false,
                is_exact: literal.is_some() && is_plain,
                samples: literal
                    .filter(|_| is_plain)
                    .map(|path| format!("/{path}"))
                    .into_iter()
                    .collect(),
            })
        });
        self.index(&test);
        let any = list.and_then(|list| list.attribute("logicalGrouping"));
        self.rules.push(Rewrite {
            rule: number,
            line,
            test,
            conditions,
            needs_all: !any.is_some_and(|any| any.eq_ignore_ascii_case("MatchAny")),
            tracks_all: list.is_some_and(|list| is_true(list, "trackAllCaptures")),
            action,
            stops: is_true(rule, "stopProcessing"),
        });
    }

    /// Adds an unsupported rule for the paths that it may affect: all of them if it has no test.
    fn add_unread(
        &mut self,
        line: usize,
        test: Option<Test>,
        message: String,
        parser: &mut RuleParser,
    ) {
        parser.problem(line, ProblemKind::NotRead, message);
        let everything = || {
            let pattern = parser.pattern("", false).ok()?;
            Some(Test {
                pattern,
                is_negated: false,
            })
        };
        if let Some(test) = test.or_else(everything) {
            self.index(&test);
            self.rules.push(Rewrite {
                rule: None,
                line,
                test,
                conditions: Vec::new(),
                needs_all: true,
                tracks_all: false,
                action: Action::Unknown,
                stops: true,
            });
        }
    }

    /// Indexes the next rule by the paths that it may match.
    fn index(&mut self, test: &Test) {
        if test.is_negated {
            self.by_path.add(b"", self.rules.len());
        } else {
            self.by_path.add_pattern(&test.pattern, self.rules.len());
        }
    }
}

/// Whether the next rule does what this one does, whatever their names are.
fn is_repeated(rule: &Element, next: &Element) -> bool {
    let settings = ["patternSyntax", "stopProcessing"];
    settings
        .iter()
        .all(|name| rule.attribute(name) == next.attribute(name))
        && rule.has_content_of(next)
}

/// The redirect of everything in a folder; `from` is how reports call its source.
fn http_redirect(redirect: &Element, from: &str, parser: &mut RuleParser) -> Option<HttpRedirect> {
    let line = redirect.line;
    let to = redirect.attribute("destination")?;
    let status = match redirect.attribute("httpResponseStatus").unwrap_or_default() {
        "Permanent" => 301,
        "Temporary" => 307,
        "PermRedirect" => 308,
        _ => 302,
    };
    let is_for_children = is_true(redirect, "childOnly");
    let is_unread = !redirect.children().is_empty();
    if is_for_children {
        let message = "what childOnly does in folders below is documented in two ways: not known";
        parser.problem(line, ProblemKind::NotRead, message);
    }
    if is_unread {
        let message = "which addresses are redirected depends on wildcards: not read";
        parser.problem(line, ProblemKind::NotRead, message);
    }
    let rule = parser.rule(Rule {
        line,
        from: from.to_owned(),
        to: Some(to.to_owned()),
        status,
        status_is_default: redirect.attribute("httpResponseStatus").is_none(),
        is_exact: false,
        samples: Vec::new(),
    });
    Some(HttpRedirect {
        rule,
        line,
        to: to.to_owned(),
        status,
        is_exact: is_true(redirect, "exactDestination"),
        is_for_children,
        is_unread,
    })
}

/// The test of an element with `pattern` as its text.
fn test(
    element: &Element,
    pattern: &str,
    syntax: &str,
    parser: &mut RuleParser,
) -> Result<Test, LineError> {
    let expression = match syntax {
        "ExactMatch" => format!("^{}$", regex::escape(pattern)),
        "Wildcard" => format!("^{}$", regex::escape(pattern).replace(r"\*", "(.*)")),
        _ => pattern.to_owned(),
    };
    let is_sensitive = is_false(element, "ignoreCase");
    Ok(Test {
        pattern: parser.pattern(&expression, !is_sensitive)?,
        is_negated: is_true(element, "negate"),
    })
}

fn condition_of(
    element: &Element,
    syntax: &str,
    parser: &mut RuleParser,
) -> Result<Condition, LineError> {
    let input = element.attribute("input").unwrap_or_default().to_owned();
    let is_negated = is_true(element, "negate");
    let kind = element.attribute("matchType").unwrap_or_default();
    let test = match &*kind.to_ascii_lowercase() {
        "isfile" => ConditionTest::File { is_negated },
        "isdirectory" => ConditionTest::Directory { is_negated },
        _ => {
            let pattern = element.attribute("pattern").unwrap_or_default();
            ConditionTest::Text(test(element, pattern, syntax, parser)?)
        }
    };
    Ok(Condition { input, test })
}

/// What a rule does where it applies.
fn action_of(element: &Element, parser: &mut RuleParser) -> Action {
    let to = element.attribute("url").unwrap_or_default().to_owned();
    let keeps_query = !is_false(element, "appendQueryString");
    let status = element
        .attribute("statusCode")
        .and_then(|code| code.parse().ok());
    let redirect_type = element.attribute("redirectType").unwrap_or_default();
    let kind = element.attribute("type").unwrap_or_default();
    match &*kind.to_ascii_lowercase() {
        "redirect" => Action::Redirect {
            to,
            status: match &*redirect_type.to_ascii_lowercase() {
                "found" | "302" => 302,
                "seeother" | "303" => 303,
                "temporary" | "307" => 307,
                _ => 301,
            },
            keeps_query,
        },
        "rewrite" => Action::Rewrite { to, keeps_query },
        "customresponse" => Action::Refuse(status.unwrap_or(404)),
        "abortrequest" => Action::Refuse(400),
        "" | "none" => Action::Nothing,
        _ => {
            let message = format!("no action has the type {kind:?}");
            parser.problem(element.line, ProblemKind::Refused, message);
            Action::Nothing
        }
    }
}
