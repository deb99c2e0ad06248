//! The routing rules of a website in an S3 bucket, in JSON or XML, by the guide of AWS ("Configuring a
//! webpage redirect").
//!
//! A rule without an error code applies before the object is looked up, one with a code afterwards. A
//! missing object counts as 404; a bucket without permission to list it answers 403 instead, which
//! cannot be seen here. Redirects in an object's metadata are not in these files.

use serde_json::value::RawValue;
use serde_json::{Map, Value};

use crate::engine::index::PrefixIndex;
use crate::form::{Form, NewRule};
use crate::request::Request;
use crate::responder::{Responder, Visit};
use crate::rule::{Answer, ProblemKind, Rule, RuleParser};
use crate::syntax::config::{Config, Item, Members, value};
use crate::syntax::xml::{self, Element};
use serde_json::json;

#[derive(Debug)]
pub(crate) struct S3 {
    rules: Vec<Route>,
    /// The number of rules in the file.
    listed: usize,
    by_key: PrefixIndex,
    /// The host, and the protocol if given, that everything is redirected to.
    all: Option<(String, Option<String>, usize)>,
    /// The name of a folder's index.
    index: String,
}

#[derive(Debug)]
struct Route {
    rule: usize,
    line: usize,
    when: Condition,
    to: Target,
}

/// The objects that a rule applies to.
#[derive(Debug, PartialEq, Eq)]
struct Condition {
    prefix: String,
    error: Option<u16>,
}

/// Where a rule redirects to.
#[derive(Debug, PartialEq, Eq)]
struct Target {
    protocol: Option<String>,
    host: Option<String>,
    key: Key,
    status: u16,
}

/// The replacement of an object's key.
#[derive(Debug, PartialEq, Eq)]
enum Key {
    Same,
    Prefix(String),
    Whole(String),
}

pub(crate) fn read(text: &str, parser: &mut RuleParser) -> S3 {
    let mut out = S3 {
        rules: Vec::new(),
        listed: 0,
        by_key: PrefixIndex::default(),
        all: None,
        index: "index.html".to_owned(),
    };
    if text.trim_start().starts_with('<') {
        out.read_xml(text, parser);
    } else {
        out.read_json(text, parser);
    }
    out
}

impl S3 {
    fn read_json(&mut self, text: &str, parser: &mut RuleParser) {
        let config = Config::new(text);
        if text.trim_start().starts_with('[') {
            match serde_json::from_str::<&RawValue>(text) {
                Ok(list) => self.add_list(&config, list, parser),
                Err(error) => {
                    parser.problem(error.line().max(1), ProblemKind::Refused, error.to_string());
                }
            }
            return;
        }
        let members = config.members(parser);
        // CloudFormation nests it this way.
        let inner: Members<'_> = match members.get("WebsiteConfiguration") {
            Some(inner) => serde_json::from_str(inner.get()).unwrap_or_default(),
            None => members,
        };
        if let Some(all) = inner.get("RedirectAllRequestsTo") {
            let line = config.line(all);
            let members = serde_json::from_str(all.get()).unwrap_or_default();
            self.add_all(&Item { line, members }, parser);
        }
        let index = value::<Map<String, Value>>(&inner, "IndexDocument");
        let suffix = index
            .as_ref()
            .and_then(|index| index.get("Suffix")?.as_str());
        if let Some(suffix) = suffix {
            suffix.clone_into(&mut self.index);
        }
        if let Some(rules) = inner.get("RoutingRules") {
            self.add_list(&config, rules, parser);
        } else if self.all.is_none() {
            parser.problem(1, ProblemKind::NotRead, "there are no \"RoutingRules\"");
        }
    }

    fn add_list(&mut self, config: &Config, list: &RawValue, parser: &mut RuleParser) {
        for value in config.list("RoutingRules", Some(&list), parser) {
            let Some(item) = config.item("RoutingRules", value, parser) else {
                continue;
            };
            let part = |names: [&str; 2]| {
                let part = names
                    .iter()
                    .find_map(|name| item.members.get(*name)?.as_object());
                part.cloned().unwrap_or_default()
            };
            let condition = part(["Condition", "RoutingRuleCondition"]);
            let redirect = part(["Redirect", "RedirectRule"]);
            self.add(item.line, condition, redirect, parser);
        }
    }

    /// Reads `<RoutingRules>`, alone or in a `<WebsiteConfiguration>`.
    fn read_xml(&mut self, text: &str, parser: &mut RuleParser) {
        let root = xml::parse(text, parser);
        let site = root.child("WebsiteConfiguration").unwrap_or(&root);
        if let Some(all) = site.child("RedirectAllRequestsTo") {
            let members = members_of(all);
            let line = all.line;
            self.add_all(&Item { line, members }, parser);
        }
        let suffix = site
            .child("IndexDocument")
            .and_then(|index| index.child("Suffix"));
        if let Some(suffix) = suffix {
            suffix.text().clone_into(&mut self.index);
        }
        let rules = site.child("RoutingRules");
        if rules.is_none() && self.all.is_none() {
            parser.problem(1, ProblemKind::NotRead, "there are no <RoutingRules>");
        }
        for rule in rules.map(Element::children).unwrap_or_default() {
            let part = |name: &str| rule.child(name).map(members_of).unwrap_or_default();
            self.add(rule.line, part("Condition"), part("Redirect"), parser);
        }
    }

    fn add_all(&mut self, item: &Item, parser: &mut RuleParser) {
        let Some(host) = item.text("HostName") else {
            return;
        };
        let protocol = item.text("Protocol").map(str::to_owned);
        let rule = parser.rule(Rule {
            line: item.line,
            from: "RedirectAllRequestsTo".to_owned(),
            to: Some(host.to_owned()),
            status: 301,
            status_is_default: true,
            is_exact: false,
            samples: vec!["/".to_owned(), "/a-name-of-no-rule".to_owned()],
        });
        self.all = Some((host.to_owned(), protocol, rule));
    }

    fn add(
        &mut self,
        line: usize,
        condition: Map<String, Value>,
        redirect: Map<String, Value>,
        parser: &mut RuleParser,
    ) {
        let condition = Item {
            line,
            members: condition,
        };
        let redirect = Item {
            line,
            members: redirect,
        };
        if redirect.members.is_empty() {
            return parser.problem(line, ProblemKind::Refused, "a rule without \"Redirect\"");
        }
        let text = |name: &str| redirect.text(name).map(str::to_owned);
        let key = match (text("ReplaceKeyPrefixWith"), text("ReplaceKeyWith")) {
            (Some(_), Some(_)) => {
                let message = "a rule has both \"ReplaceKeyPrefixWith\" and \"ReplaceKeyWith\"";
                return parser.problem(line, ProblemKind::Refused, message);
            }
            (Some(prefix), None) => Key::Prefix(prefix),
            (None, Some(whole)) => Key::Whole(whole),
            (None, None) => Key::Same,
        };
        let code = redirect.number("HttpRedirectCode");
        let status = u16::try_from(code.unwrap_or(301)).unwrap_or(0);
        if !(300..400).contains(&status) {
            let message = "\"HttpRedirectCode\" must be one of 301 to 399";
            return parser.problem(line, ProblemKind::Refused, message);
        }
        self.listed += 1;
        if self.listed > MAX_RULES {
            let message = format!("more than {MAX_RULES} rules: the service refuses them");
            return parser.problem(line, ProblemKind::OverLimit, message);
        }
        let error = condition.number("HttpErrorCodeReturnedEquals");
        let error = error.and_then(|code| u16::try_from(code).ok());
        let prefix = condition.text("KeyPrefixEquals").unwrap_or_default();
        let when = Condition {
            prefix: prefix.to_owned(),
            error,
        };
        let target = Target {
            protocol: text("Protocol"),
            host: text("HostName"),
            key,
            status,
        };
        let repeated = self.rules.last();
        if let Some(before) = repeated.filter(|one| one.when == when && one.to == target) {
            return parser.repeated(before.line, line, 1);
        }
        let to = match &target.key {
            Key::Same => "the same key",
            Key::Prefix(key) | Key::Whole(key) => key,
        };
        let rule = parser.rule(Rule {
            line,
            from: match error {
                Some(code) => format!("{prefix} ({code})"),
                None => prefix.to_owned(),
            },
            to: Some(match &target.host {
                Some(host) => format!("{host}/{to}"),
                None => to.to_owned(),
            }),
            status,
            status_is_default: code.is_none(),
            is_exact: false,
            samples: vec![format!("/{prefix}"), format!("/{prefix}a-name-of-no-rule")],
        });
        self.by_key.add(prefix.as_bytes(), self.rules.len());
        self.rules.push(Route {
            rule,
            line,
            when,
            to: target,
        });
    }
}

impl Responder for S3 {
    fn answer(&self, visit: &Visit<'_>) -> Answer {
        let (request, files, work) = (visit.request, visit.files, visit.work);
        if let Some((host, protocol, rule)) = &self.all {
            let protocol = protocol.as_deref().unwrap_or(request.scheme);
            return Answer::Redirect {
                status: 301,
                location: format!("{protocol}://{host}{}{}", request.path, request.search()),
                rule: Some(*rule),
            };
        }
        let decoded = request.decoded_path();
        let key = decoded.strip_prefix(b"/").unwrap_or(&decoded);
        let numbers = self.by_key.candidates(key, work);
        let Ok(numbers) = numbers else {
            return Answer::Unknown { line: 1 };
        };
        let find = |error: Option<u16>| {
            let rules = numbers.iter().filter_map(|number| self.rules.get(*number));
            rules.into_iter().find(|rule| rule.when.error == error)
        };
        if let Some(route) = find(None) {
            return route.answer(request, key);
        }
        let with = |end: &str| [&decoded, end.as_bytes()].concat();
        let path = if decoded.ends_with(b"/") {
            with(&self.index)
        } else {
            decoded.to_vec()
        };
        if files.is_file(&path) {
            return Answer::File {
                path,
                status: 200,
                rule: None,
            };
        }
        if !decoded.ends_with(b"/") && files.is_file(&with(&format!("/{}", self.index))) {
            return Answer::Redirect {
                status: 302,
                location: format!("{}/", request.path),
                rule: None,
            };
        }
        if let Some(route) = find(Some(404)) {
            return route.answer(request, key);
        }
        // A bucket without permission to list it answers 403 for missing objects.
        match find(Some(403)) {
            Some(route) => Answer::Unknown { line: route.line },
            None => Answer::refused(404),
        }
    }
}

/// The child elements as members.
fn members_of(element: &Element) -> Map<String, Value> {
    let children = element.children().iter();
    children
        .map(|child| (child.name.clone(), Value::from(child.text())))
        .collect()
}

/// The maximum number of rules of a website.
const MAX_RULES: usize = 50;

impl Route {
    fn answer(&self, request: &Request<'_>, key: &[u8]) -> Answer {
        let Target {
            protocol,
            host,
            key: new,
            status,
        } = &self.to;
        let rest = key.get(self.when.prefix.len()..).unwrap_or_default();
        let key = match new {
            Key::Same => String::from_utf8_lossy(key).into_owned(),
            Key::Whole(whole) => whole.clone(),
            Key::Prefix(prefix) => format!("{prefix}{}", String::from_utf8_lossy(rest)),
        };
        let protocol = protocol.as_deref().unwrap_or(request.scheme);
        let host = host.as_deref().unwrap_or(request.host);
        Answer::Redirect {
            status: *status,
            location: format!("{protocol}://{host}/{key}"),
            rule: Some(self.rule),
        }
    }
}

/// Writes routing rules. Each also redirects every address that starts with its key.
pub(crate) static FORM: Form = Form {
    by_prefix: true,
    ..Form::json("[\n", form_rule, "\n]\n")
};

fn form_rule(new: &NewRule<'_>) -> Option<String> {
    let (protocol, rest) = new.to.split_once("://")?;
    let (host, key) = rest.split_once('/')?;
    let rule = json!({
        "Condition": {"KeyPrefixEquals": new.path()?.strip_prefix('/')?},
        "Redirect": {"Protocol": protocol, "HostName": host, "ReplaceKeyWith": key, "HttpRedirectCode": "301"}
    });
    (!key.contains('?')).then(|| rule.to_string())
}
