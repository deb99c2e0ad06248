//! `has` and `missing`: the conditions of a rule of Vercel or Next.js. Those on hosts and queries can
//! be decided; those on headers and cookies depend on the visitor.

use serde_json::{Map, Value};

use crate::engine::pattern::Pattern;
use crate::engine::work::{NoAnswer, Work};
use crate::request::Request;
use crate::rule::{ProblemKind, RuleParser};

/// The conditions of a rule.
#[derive(Debug, Default)]
pub(crate) struct Conditions(Vec<Condition>);

#[derive(Debug)]
struct Condition {
    is_missing: bool,
    subject: Subject,
    /// The pattern for the whole value; without one, any value that is not empty matches.
    value: Option<Pattern>,
}

#[derive(Debug)]
enum Subject {
    Host,
    Query(String),
    /// A header, a cookie or anything else that is not in the URL.
    Visitor,
}

/// Whether a rule applies.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// It applies, with these values for names in its target.
    Applies(Vec<(String, String)>),
    DoesNot,
    Unknown,
}

impl Conditions {
    /// Reads the members `has` and `missing` of a rule. Unsupported conditions are reported.
    pub(crate) fn read(rule: &Map<String, Value>, line: usize, parser: &mut RuleParser) -> Self {
        let mut out = Vec::new();
        for (name, is_missing) in [("has", false), ("missing", true)] {
            let list = rule.get(name).and_then(Value::as_array);
            for condition in list.into_iter().flatten() {
                out.push(Condition::read(condition, is_missing, parser));
            }
        }
        if out
            .iter()
            .any(|one| matches!(one.subject, Subject::Visitor))
        {
            let message = "whether the rule applies depends on the visitor (\"has\" or \"missing\"): \
                           not read";
            parser.problem(line, ProblemKind::NotRead, message);
        }
        Self(out)
    }

    /// Whether the list is empty.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether the rule applies to a request.
    pub(crate) fn check(&self, request: &Request<'_>, work: &Work) -> Result<Verdict, NoAnswer> {
        let mut values = Vec::new();
        let mut is_known = true;
        for condition in &self.0 {
            match condition.check(request, work)? {
                // A name has the value of the last condition.
                Verdict::Applies(more) => drop(values.splice(..0, more)),
                Verdict::DoesNot => return Ok(Verdict::DoesNot),
                Verdict::Unknown => is_known = false,
            }
        }
        Ok(if is_known {
            Verdict::Applies(values)
        } else {
            Verdict::Unknown
        })
    }

    /// The names that the conditions define.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.0
            .iter()
            .filter_map(|condition| match &condition.subject {
                Subject::Host => Some("host"),
                Subject::Query(key) => Some(key),
                Subject::Visitor => None,
            })
    }
}

impl Condition {
    fn read(condition: &Value, is_missing: bool, parser: &mut RuleParser) -> Self {
        let text = |name: &str| condition.get(name).and_then(Value::as_str);
        let subject = match (text("type"), text("key")) {
            (Some("host"), _) => Subject::Host,
            (Some("query"), Some(key)) => Subject::Query(key.to_owned()),
            _ => Subject::Visitor,
        };
        let value = match condition.get("value") {
            None | Some(Value::Null) => Some(None),
            Some(Value::String(value)) if value.is_empty() => Some(None),
            Some(Value::String(value)) => {
                let pattern = parser.pattern(&format!("^(?:{value})$"), false);
                pattern.ok().map(Some)
            }
            Some(_) => None,
        };
        match value {
            Some(value) => Self {
                is_missing,
                subject,
                value,
            },
            None => Self {
                is_missing,
                subject: Subject::Visitor,
                value: None,
            },
        }
    }

    fn check(&self, request: &Request<'_>, work: &Work) -> Result<Verdict, NoAnswer> {
        // Each condition parses the whole query.
        work.take(1)?;
        work.take_text(request.query.map_or(0, str::len))?;
        let (name, found) = match &self.subject {
            Subject::Visitor => return Ok(Verdict::Unknown),
            Subject::Host => ("host", vec![request.host_name().to_ascii_lowercase()]),
            Subject::Query(key) => (key.as_str(), values_of(request, key)),
        };
        // A parameter that is there once without a value counts as missing, ...
        let found = match &found[..] {
            [only] if only.is_empty() => None,
            // ... and a list of values is not one that a target can have.
            [_, _, ..] if self.value.is_none() && !self.is_missing => return Ok(Verdict::Unknown),
            all => all.last(),
        };
        let mut values = Vec::new();
        let holds = match (found, &self.value) {
            (None, _) => false,
            (Some(found), None) => {
                values.push((name.to_owned(), found.clone()));
                true
            }
            (Some(found), Some(value)) => match value.find(found.as_bytes(), work)? {
                None => false,
                Some(groups) => {
                    values.push((name.to_owned(), found.clone()));
                    for (name, number) in groups.names() {
                        let value = groups.get(*number, found.as_bytes());
                        values.push((name.clone(), String::from_utf8_lossy(value).into_owned()));
                    }
                    true
                }
            },
        };
        Ok(match (holds, self.is_missing) {
            (true, false) => Verdict::Applies(values),
            (false, true) => Verdict::Applies(Vec::new()),
            _ => Verdict::DoesNot,
        })
    }
}

/// The values of a parameter.
fn values_of(request: &Request<'_>, key: &str) -> Vec<String> {
    let pairs = url::form_urlencoded::parse(request.query.unwrap_or_default().as_bytes());
    let found = pairs.filter(|(name, _)| name == key);
    found.map(|(_, value)| value.into_owned()).collect()
}

/// A target whose query starts with the parameters of the request, except those that the target sets
/// itself, as in Next.js.
pub(crate) fn with_query(to: &str, request: &Request<'_>) -> String {
    let query = request.query.unwrap_or_default();
    if query.is_empty() {
        return to.to_owned();
    }
    let (rest, fragment) = match to.find('#') {
        Some(at) => to.split_at(at),
        None => (to, ""),
    };
    let (path, own) = rest.split_once('?').unwrap_or((rest, ""));
    let name = |pair: &str| {
        let parsed = url::form_urlencoded::parse(pair.as_bytes()).next();
        parsed.map(|(name, _)| name.into_owned())
    };
    let names: std::collections::HashSet<_> = own.split('&').filter_map(name).collect();
    let passed = query
        .split('&')
        .filter(|pair| !pair.is_empty() && name(pair).is_none_or(|name| !names.contains(&name)));
    let own = own.split('&').filter(|pair| !pair.is_empty());
    let pairs: Vec<&str> = passed.chain(own).collect();
    if pairs.is_empty() {
        return format!("{path}{fragment}");
    }
    format!("{path}?{}{fragment}", pairs.join("&"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn target_parameters_win_over_request_parameters() {
        let request = Request::from_url("http://h/a?y=1&x=3").unwrap();
        for (to, expected) in [
            ("/t", "/t?y=1&x=3"),
            ("/t?x=1", "/t?y=1&x=1"),
            ("/t#f", "/t?y=1&x=3#f"),
        ] {
            assert_eq!(with_query(to, &request), expected);
        }
    }
}
