//! `web.config` of IIS: the rules of its URL Rewrite module, `httpRedirect` and the names of default
//! documents, by the configuration reference of Microsoft. No server was measured.
//!
//! A redirect ends the rules whether it says `stopProcessing` or not. Names of files are compared byte by
//! byte, which is narrower than the server does.

use std::collections::HashMap;

use super::index::PrefixIndex;
use super::pattern::{Groups, Pattern};
use super::request::{Files, Request, escaped_beyond_ascii, has_escape};
use super::rule::{Answer, Read, Rule, Trouble};
use super::work::{COMPARED_PER_STEP, NoAnswer, Work};
use super::xml::{self, Element};

#[derive(Debug, Default)]
pub(super) struct Iis {
    rules: Vec<Rewrite>,
    by_path: PrefixIndex,
    maps: HashMap<String, Map>,
    everything: Option<HttpRedirect>,
    documents: Vec<String>,
    /// Paths without their first slash, in lower case, that have settings of their own which are not
    /// read, and the lines of these.
    unread: Vec<(String, usize)>,
}

#[derive(Debug)]
struct Rewrite {
    rule: Option<usize>,
    line: usize,
    test: Test,
    conditions: Vec<Condition>,
    needs_all: bool,
    action: Action,
    stops: bool,
}

/// A pattern, and whether it must not match.
#[derive(Debug)]
struct Test {
    pattern: Pattern,
    is_negated: bool,
}

#[derive(Debug)]
struct Condition {
    input: String,
    asks: Asks,
}

#[derive(Debug)]
enum Asks {
    Text(Test),
    File { is_negated: bool },
    Directory { is_negated: bool },
}

#[derive(Debug)]
enum Action {
    Redirect {
        to: String,
        status: u16,
        keeps_query: bool,
    },
    Rewrite {
        to: String,
        keeps_query: bool,
    },
    Refuse(u16),
    Nothing,
    /// It is not read.
    Unknown,
}

#[derive(Debug)]
struct Map {
    values: HashMap<String, String>,
    default: String,
}

#[derive(Debug)]
struct HttpRedirect {
    rule: usize,
    line: usize,
    to: String,
    status: u16,
    is_exact: bool,
    /// Whether it is for files of the folder alone, which is not read.
    is_unread: bool,
}

/// The names that a server has without a setting.
const DOCUMENTS: [&str; 5] = [
    "Default.htm",
    "Default.asp",
    "index.htm",
    "index.html",
    "iisstart.htm",
];

pub(super) fn read(text: &str, read: &mut Read) -> Iis {
    let root = xml::parse(text, read);
    let configuration = root.child("configuration").unwrap_or(&root);
    let mut out = Iis {
        documents: DOCUMENTS.map(str::to_owned).to_vec(),
        ..Iis::default()
    };
    for element in configuration.children() {
        if element.name.eq_ignore_ascii_case("location") {
            let path = element.attribute("path").unwrap_or_default();
            if !matches!(path, "" | ".") {
                if decides(element) {
                    let message = format!("settings for {path:?} alone are not read");
                    read.problem(element.line, Trouble::NotRead, message);
                    let path = path.trim_matches('/').to_ascii_lowercase();
                    out.unread.push((path, element.line));
                }
                continue;
            }
            if let Some(server) = element.child("system.webServer") {
                out.read_server(server, read);
            }
        } else if element.name.eq_ignore_ascii_case("system.webServer") {
            out.read_server(element, read);
        }
    }
    out
}

/// Whether the settings of a `<location>` say where addresses lead.
fn decides(location: &Element) -> bool {
    let server = location.child("system.webServer");
    let names = ["rewrite", "httpRedirect", "defaultDocument"];
    names
        .iter()
        .any(|name| server.is_some_and(|server| server.child(name).is_some()))
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
    fn read_server(&mut self, server: &Element, read: &mut Read) {
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
                    read.problem(part.line, Trouble::NotRead, message);
                }
                if part.attribute("configSource").is_some() {
                    let message = "what another file configures is not read";
                    if part.name.eq_ignore_ascii_case("rules") {
                        self.add_unread(part.line, None, message.to_owned(), read);
                    } else {
                        read.problem(part.line, Trouble::NotRead, message);
                    }
                }
            }
            for rule in rewrite
                .child("rules")
                .map(Element::children)
                .unwrap_or_default()
            {
                if rule.name.eq_ignore_ascii_case("clear") {
                    self.rules.clear();
                    self.by_path = PrefixIndex::default();
                } else if rule.name.eq_ignore_ascii_case("rule") && !is_false(rule, "enabled") {
                    self.add_rule(rule, read);
                }
            }
        }
        if let Some(redirect) = server.child("httpRedirect")
            && is_true(redirect, "enabled")
        {
            self.add_redirect(redirect, read);
        }
        let documents = server.child("defaultDocument");
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

    fn add_redirect(&mut self, redirect: &Element, read: &mut Read) {
        let line = redirect.line;
        let Some(to) = redirect.attribute("destination") else {
            return;
        };
        let status = match redirect.attribute("httpResponseStatus").unwrap_or_default() {
            "Permanent" => 301,
            "Temporary" => 307,
            "PermRedirect" => 308,
            _ => 302,
        };
        let is_unread = is_true(redirect, "childOnly") || !redirect.children().is_empty();
        if is_unread {
            let message =
                "which addresses are redirected depends on folders or wildcards: not read";
            read.problem(line, Trouble::NotRead, message);
        }
        let rule = read.rule(Rule {
            line,
            from: "httpRedirect".to_owned(),
            to: Some(to.to_owned()),
            status,
            status_is_default: redirect.attribute("httpResponseStatus").is_none(),
            is_exact: false,
            samples: Vec::new(),
        });
        self.everything = Some(HttpRedirect {
            rule,
            line,
            to: to.to_owned(),
            status,
            is_exact: is_true(redirect, "exactDestination"),
            is_unread,
        });
    }

    fn add_rule(&mut self, rule: &Element, read: &mut Read) {
        let line = rule.line;
        let syntax = rule.attribute("patternSyntax").unwrap_or("ECMAScript");
        let (Some(found), Some(action)) = (rule.child("match"), rule.child("action")) else {
            let message = "a rule must have <match> and <action>";
            return read.problem(line, Trouble::Refused, message);
        };
        let from = found.attribute("url").unwrap_or_default();
        let test = match test(found, from, syntax, read) {
            Ok(test) => test,
            Err(message) => return self.add_unread(line, None, message, read),
        };
        let list = rule.child("conditions");
        if list.is_some_and(|list| is_true(list, "trackAllCaptures")) {
            let message = "the captures of all conditions together are not read".to_owned();
            return self.add_unread(line, Some(test), message, read);
        }
        let mut conditions = Vec::new();
        for condition in list.map(Element::children).unwrap_or_default() {
            if !condition.name.eq_ignore_ascii_case("add") {
                continue;
            }
            match condition_of(condition, syntax, read) {
                Ok(condition) => conditions.push(condition),
                Err(message) => return self.add_unread(condition.line, Some(test), message, read),
            }
        }
        let to = action.attribute("url").unwrap_or_default().to_owned();
        let action = action_of(action, read);
        let status = match &action {
            Action::Redirect { status, .. } | Action::Refuse(status) => *status,
            Action::Rewrite { .. } | Action::Nothing | Action::Unknown => 200,
        };
        let literal = super::pattern::literal(from).filter(|_| syntax == "ECMAScript");
        let is_plain = conditions.is_empty() && !test.is_negated;
        let number = (!matches!(action, Action::Nothing)).then(|| {
            read.rule(Rule {
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
            needs_all: any != Some("MatchAny"),
            action,
            stops: is_true(rule, "stopProcessing"),
        });
    }

    /// Adds a rule that is not read, for the paths that it may be about: all without a test.
    fn add_unread(&mut self, line: usize, test: Option<Test>, message: String, read: &mut Read) {
        read.problem(line, Trouble::NotRead, message);
        let everything = || {
            let pattern = read.pattern("", false).ok()?;
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
                action: Action::Unknown,
                stops: true,
            });
        }
    }

    /// Says which paths the next rule may be about.
    fn index(&mut self, test: &Test) {
        if test.is_negated {
            self.by_path.add(b"", self.rules.len());
        } else {
            self.by_path.add_pattern(&test.pattern, self.rules.len());
        }
    }

    /// The line of the settings of a folder that are not read, for a path in it.
    fn unread_below(&self, path: &str, work: &Work) -> Result<Option<usize>, NoAnswer> {
        work.take(self.unread.len() / COMPARED_PER_STEP)?;
        let path = path.to_ascii_lowercase();
        let mut unread = self.unread.iter();
        let found = unread.find(|(folder, _)| {
            let rest = path.strip_prefix(folder.as_str());
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        });
        Ok(found.map(|(_, line)| *line))
    }

    pub(super) fn answer(&self, request: &Request<'_>, files: &dyn Files, work: &Work) -> Answer {
        if has_escape(request.path, "25") {
            // Double escapes are refused (404.11).
            return Answer::Refused {
                status: 404,
                rule: None,
            };
        }
        let path = request.decoded_path();
        let Ok(path) = std::str::from_utf8(&path) else {
            return Answer::Refused {
                status: 400,
                rule: None,
            };
        };
        let mut state = State {
            request: *request,
            path: path.strip_prefix('/').unwrap_or(path).to_owned(),
            query: request.query.unwrap_or_default().to_owned(),
            rule: None,
        };
        match self.unread_below(&state.path, work) {
            // Where none is looked at, the first line stands for the file.
            Err(NoAnswer) => return Answer::Unknown { line: 1 },
            Ok(Some(line)) => return Answer::Unknown { line },
            Ok(None) => {}
        }
        match self.run(&mut state, files, work) {
            Err(line) => return Answer::Unknown { line },
            Ok(Some(answer)) => return answer,
            Ok(None) => {}
        }
        if let Some(redirect) = &self.everything {
            return redirect.answer(&state);
        }
        match work.take(self.documents.len()) {
            Err(NoAnswer) => Answer::Unknown { line: 1 },
            Ok(()) => self.file(&state, files),
        }
    }

    /// Runs the rules; an error is the line of one that may apply.
    fn run(
        &self,
        state: &mut State<'_>,
        files: &dyn Files,
        work: &Work,
    ) -> Result<Option<Answer>, usize> {
        let unknown = |NoAnswer| 1_usize;
        let numbers = self.by_path.cursor(state.path.as_bytes(), work);
        let mut numbers = numbers.map_err(unknown)?;
        while let Some(number) = numbers.next() {
            let Some(rule) = self.rules.get(number) else {
                break;
            };
            let Some(captures) = self.matched(rule, state, files, work)? else {
                continue;
            };
            let fill = |text: &str| self.filled(text, state, &captures, work, rule.line, 0);
            match &rule.action {
                Action::Redirect {
                    to,
                    status,
                    keeps_query,
                } => {
                    let to = with_query(&rooted(fill(to)?), state, *keeps_query);
                    return Ok(Some(Answer::Redirect {
                        status: *status,
                        location: escaped_beyond_ascii(&to),
                        rule: rule.rule,
                    }));
                }
                Action::Refuse(status) => {
                    return Ok(Some(Answer::Refused {
                        status: *status,
                        rule: rule.rule,
                    }));
                }
                Action::Rewrite { to, keeps_query } => {
                    let to = with_query(&rooted(fill(to)?), state, *keeps_query);
                    if to.contains("://") {
                        // Another server's answer is proxied.
                        return Err(rule.line);
                    }
                    let (path, query) = to.split_once('?').unwrap_or((&to, ""));
                    query.clone_into(&mut state.query);
                    let path = path.strip_prefix('/').unwrap_or(path);
                    path.clone_into(&mut state.path);
                    state.rule = rule.rule;
                    let renewed = numbers.renew(state.path.as_bytes(), work);
                    renewed.map_err(unknown)?;
                }
                Action::Nothing => {}
                Action::Unknown => return Err(rule.line),
            }
            if rule.stops {
                break;
            }
        }
        Ok(None)
    }

    /// What a rule captured; `None` if it does not match.
    fn matched(
        &self,
        rule: &Rewrite,
        state: &State<'_>,
        files: &dyn Files,
        work: &Work,
    ) -> Result<Option<Captures>, usize> {
        let mut captures = Captures::default();
        match rule
            .test
            .check(&state.path, work)
            .map_err(|NoAnswer| rule.line)?
        {
            None => return Ok(None),
            Some(found) => captures.of_rule = found,
        }
        let mut any = rule.conditions.is_empty();
        for condition in &rule.conditions {
            let holds = match &condition.asks {
                Asks::Text(test) => {
                    let input =
                        self.filled(&condition.input, state, &captures, work, rule.line, 0)?;
                    let found = test.check(&input, work).map_err(|NoAnswer| rule.line)?;
                    let holds = found.is_some();
                    captures.of_condition = found.unwrap_or(captures.of_condition);
                    holds
                }
                Asks::File { is_negated } | Asks::Directory { is_negated } => {
                    if !condition.input.eq_ignore_ascii_case("{REQUEST_FILENAME}") {
                        return Err(rule.line);
                    }
                    let path = format!("/{}", state.path);
                    let exists = match condition.asks {
                        Asks::File { .. } => files.is_file(path.as_bytes()),
                        _ => files.is_directory(path.as_bytes()),
                    };
                    exists != *is_negated
                }
            };
            any |= holds;
            if !holds && rule.needs_all {
                return Ok(None);
            }
        }
        Ok(any.then_some(captures))
    }

    /// A text with its braces filled in; an error is `line`, if a value is not known.
    fn filled(
        &self,
        text: &str,
        state: &State<'_>,
        captures: &Captures,
        work: &Work,
        line: usize,
        depth: usize,
    ) -> Result<String, usize> {
        if depth > MAX_DEPTH {
            return Err(line);
        }
        let mut out = String::new();
        let mut rest = text;
        while let Some(open) = rest.find('{') {
            let Some(close) = closing(rest, open) else {
                break;
            };
            out.push_str(&rest[..open]);
            work.take(1).map_err(|NoAnswer| line)?;
            let name = &rest[open + 1..close];
            let value = match name.split_once(':') {
                None => state.variable(name).ok_or(line)?,
                Some(("R", number)) => captured(&captures.of_rule, number),
                Some(("C", number)) => captured(&captures.of_condition, number),
                Some((function, inner)) => {
                    let inner = self.filled(inner, state, captures, work, line, depth + 1)?;
                    self.call(function, &inner).ok_or(line)?
                }
            };
            out.push_str(&value);
            work.take_text(out.len()).map_err(|NoAnswer| line)?;
            rest = &rest[close + 1..];
        }
        out.push_str(rest);
        Ok(out)
    }

    /// `{ToLower:..}` and the like, or a map.
    fn call(&self, function: &str, text: &str) -> Option<String> {
        match function {
            "ToLower" => return Some(text.to_lowercase()),
            "UrlEncode" => return Some(escaped_beyond_ascii(text)),
            "UrlDecode" => {
                let decoded = percent_encoding::percent_decode_str(text)
                    .decode_utf8()
                    .ok()?;
                return Some(decoded.into_owned());
            }
            _ => {}
        }
        let map = self.maps.get(&function.to_ascii_lowercase())?;
        let value = map.values.get(&text.to_ascii_lowercase());
        Some(value.unwrap_or(&map.default).clone())
    }

    fn file(&self, state: &State<'_>, files: &dyn Files) -> Answer {
        let path = format!("/{}", state.path);
        let found = |path: String| Answer::File {
            path: path.into_bytes(),
            status: 200,
            rule: state.rule,
        };
        if !path.ends_with('/') {
            if files.is_file(path.as_bytes()) {
                return found(path);
            }
            if files.is_directory(path.as_bytes()) && state.rule.is_none() {
                return Answer::Redirect {
                    status: 301,
                    location: format!("{}/{}", state.request.path, state.request.search()),
                    rule: None,
                };
            }
        }
        let folder = path.strip_suffix('/').unwrap_or(&path);
        let mut names = self.documents.iter().map(|name| format!("{folder}/{name}"));
        match names.find(|name| files.is_file(name.as_bytes())) {
            Some(path) => found(path),
            None => Answer::Refused {
                status: 404,
                rule: state.rule,
            },
        }
    }
}

/// The maximum depth of braces.
const MAX_DEPTH: usize = 16;

/// Where the brace at `open` is closed.
fn closing(text: &str, open: usize) -> Option<usize> {
    let mut depth = 0_usize;
    for (at, byte) in text.bytes().enumerate().skip(open) {
        match byte {
            b'{' => depth += 1,
            b'}' => {
                depth -= 1;
                if depth == 0 {
                    return Some(at);
                }
            }
            _ => {}
        }
    }
    None
}

fn captured(captures: &[String], number: &str) -> String {
    let number: Option<usize> = number.parse().ok();
    let found = number.and_then(|number| captures.get(number));
    found.cloned().unwrap_or_default()
}

/// What a rule and the last of its conditions that matched captured.
#[derive(Debug, Default)]
struct Captures {
    of_rule: Vec<String>,
    of_condition: Vec<String>,
}

/// A request as rules have changed it.
struct State<'r> {
    request: Request<'r>,
    /// Decoded, without the first slash.
    path: String,
    query: String,
    /// The rule that changed it last.
    rule: Option<usize>,
}

impl State<'_> {
    /// A server variable; `None` if it is not known.
    fn variable(&self, name: &str) -> Option<String> {
        let request = &self.request;
        let is_secure = request.scheme == "https";
        Some(match &*name.to_ascii_uppercase() {
            "QUERY_STRING" => self.query.clone(),
            "REQUEST_URI" | "UNENCODED_URL" => format!("{}{}", request.path, request.search()),
            "URL" | "PATH_INFO" | "SCRIPT_NAME" => format!("/{}", self.path),
            "HTTP_HOST" => request.host.to_owned(),
            "SERVER_NAME" => request.host_name().to_owned(),
            "HTTPS" => if is_secure { "on" } else { "off" }.to_owned(),
            "SERVER_PORT_SECURE" => if is_secure { "1" } else { "0" }.to_owned(),
            "REQUEST_METHOD" => "GET".to_owned(),
            _ => return None,
        })
    }
}

impl Test {
    /// The groups if it holds; none of them if it must not match.
    fn check(&self, text: &str, work: &Work) -> Result<Option<Vec<String>>, NoAnswer> {
        work.take(1)?;
        let found: Option<Groups> = self.pattern.find(text.as_bytes(), work)?;
        Ok(match (found, self.is_negated) {
            (Some(groups), false) => {
                let group = |number| {
                    let value = groups.get(number, text.as_bytes());
                    String::from_utf8_lossy(value).into_owned()
                };
                Some((0..groups.len()).map(group).collect())
            }
            (None, true) => Some(Vec::new()),
            _ => None,
        })
    }
}

impl HttpRedirect {
    fn answer(&self, state: &State<'_>) -> Answer {
        if self.is_unread {
            return Answer::Unknown { line: self.line };
        }
        let location = if self.is_exact {
            self.to.clone()
        } else {
            let to = self.to.strip_suffix('/').unwrap_or(&self.to);
            format!("{to}{}{}", state.request.path, state.request.search())
        };
        Answer::Redirect {
            status: self.status,
            location,
            rule: Some(self.rule),
        }
    }
}

/// The test of an element with `pattern` as its text.
fn test(element: &Element, pattern: &str, syntax: &str, read: &mut Read) -> Result<Test, String> {
    let expression = match syntax {
        "ExactMatch" => format!("^{}$", regex::escape(pattern)),
        "Wildcard" => format!("^{}$", regex::escape(pattern).replace(r"\*", "(.*)")),
        _ => pattern.to_owned(),
    };
    let is_sensitive = is_false(element, "ignoreCase");
    Ok(Test {
        pattern: read.pattern(&expression, !is_sensitive)?,
        is_negated: is_true(element, "negate"),
    })
}

fn condition_of(element: &Element, syntax: &str, read: &mut Read) -> Result<Condition, String> {
    let input = element.attribute("input").unwrap_or_default().to_owned();
    let is_negated = is_true(element, "negate");
    let asks = match element.attribute("matchType").unwrap_or_default() {
        "IsFile" => Asks::File { is_negated },
        "IsDirectory" => Asks::Directory { is_negated },
        _ => {
            let pattern = element.attribute("pattern").unwrap_or_default();
            Asks::Text(test(element, pattern, syntax, read)?)
        }
    };
    Ok(Condition { input, asks })
}

/// What a rule does where it applies.
fn action_of(element: &Element, read: &mut Read) -> Action {
    let to = element.attribute("url").unwrap_or_default().to_owned();
    let keeps_query = !is_false(element, "appendQueryString");
    let status = element
        .attribute("statusCode")
        .and_then(|code| code.parse().ok());
    let kind = element.attribute("type").unwrap_or_default();
    match &*kind.to_ascii_lowercase() {
        "redirect" => Action::Redirect {
            to,
            status: match element.attribute("redirectType").unwrap_or_default() {
                "Found" => 302,
                "SeeOther" => 303,
                "Temporary" => 307,
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
            read.problem(element.line, Trouble::Refused, message);
            Action::Nothing
        }
    }
}

/// A target with a slash first, if it has no host.
fn rooted(to: String) -> String {
    if to.starts_with('/') || to.contains("://") {
        to
    } else {
        format!("/{to}")
    }
}

/// A target with the query of the request.
fn with_query(to: &str, state: &State<'_>, keeps: bool) -> String {
    if !keeps || state.query.is_empty() {
        return to.to_owned();
    }
    let (rest, fragment) = match to.find('#') {
        Some(at) => to.split_at(at),
        None => (to, ""),
    };
    let mark = if rest.contains('?') { '&' } else { '?' };
    format!("{rest}{mark}{}{fragment}", state.query)
}
