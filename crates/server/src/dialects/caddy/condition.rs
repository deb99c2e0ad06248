//! The tests of matchers, and the expressions in them.

use std::collections::BTreeMap;

use super::files::first_of;
use super::host::Host;
use super::path::PathPattern;
use super::state::RequestState;
use crate::engine::pattern::Pattern;
use crate::engine::work::{COMPARED_PER_STEP, NoAnswer, Work};
use crate::request::Files;

#[derive(Debug)]
pub(super) enum Test {
    /// Any of these paths.
    Path(Vec<PathPattern>),
    Regexp(String, Pattern),
    /// The accepted values of each parameter; `*` accepts any value. Without parameters, the request
    /// must have no query.
    Query(BTreeMap<String, Vec<String>>),
    Host(Vec<Host>),
    Method(bool),
    /// Any of these files.
    File(Vec<String>),
    /// `http` or `https`.
    Scheme(String),
    Expression(Box<Node>),
    Not(Vec<Test>),
    Unknown,
}

/// A part of an expression.
#[derive(Debug)]
pub(super) enum Node {
    Literal(Value),
    Placeholder(String),
    List(Vec<Node>),
    /// A matcher.
    Test(Box<Test>),
    Any(Vec<Node>),
    All(Vec<Node>),
    Not(Box<Node>),
    Compare(Comparison, Box<[Node; 2]>),
    /// Texts in a row, or numbers to add.
    Sum(Vec<Node>),
    /// A condition, and the values if it is true and if it is false.
    Choice(Box<[Node; 3]>),
    Text(TextTest, Box<[Node; 2]>),
    Matches(Box<Node>, Pattern),
    Size(Box<Node>),
    Lower(Box<Node>),
    Unknown,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Comparison {
    Equal,
    Unequal,
    Less,
    AtMost,
    More,
    AtLeast,
    In,
}

#[derive(Clone, Copy, Debug)]
pub(super) enum TextTest {
    Starts,
    Ends,
    Contains,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Value {
    Truth(bool),
    Integer(i64),
    Text(String),
    List(Vec<Value>),
}

/// What an expression depends on.
pub(super) struct Inputs<'i, 'r> {
    pub(super) state: &'i mut RequestState<'r>,
    /// The path without repeated slashes.
    pub(super) tidied: &'i str,
    pub(super) files: &'i dyn Files,
    pub(super) work: &'i Work,
}

impl Node {
    /// Whether the expression is true; `None` if that cannot be known.
    pub(super) fn is_true(&self, inputs: &mut Inputs<'_, '_>) -> Option<bool> {
        match self.value(inputs)? {
            Value::Truth(is_true) => Some(is_true),
            _ => None,
        }
    }

    /// Its text; `None` if it is not known, or not a text.
    fn text(&self, inputs: &mut Inputs<'_, '_>) -> Option<String> {
        match self.value(inputs)? {
            Value::Text(text) => Some(text),
            _ => None,
        }
    }

    /// Whether one of these is `wanted`, or else all are the opposite.
    fn find(nodes: &[Node], wanted: bool, inputs: &mut Inputs<'_, '_>) -> Option<Value> {
        let mut found = Some(!wanted);
        for node in nodes {
            match node.is_true(inputs) {
                Some(is_true) if is_true == wanted => return Some(Value::Truth(wanted)),
                Some(_) => {}
                // A later one may decide.
                None => found = None,
            }
        }
        found.map(Value::Truth)
    }

    fn value(&self, inputs: &mut Inputs<'_, '_>) -> Option<Value> {
        inputs.work.take(1).ok()?;
        Some(match self {
            Self::Unknown => return None,
            Self::Literal(value) => {
                if let Value::Text(text) = value {
                    inputs.work.take_text(text.len()).ok()?;
                }
                value.clone()
            }
            Self::Placeholder(name) => match name.as_str() {
                "err.status_code" | "http.error.status_code" => {
                    Value::Integer(inputs.state.error?.into())
                }
                name => {
                    let value = inputs.state.placeholder(name)?;
                    inputs.work.take_text(value.len()).ok()?;
                    Value::Text(value.into_owned())
                }
            },
            Self::List(nodes) => {
                let values = nodes.iter().map(|node| node.value(inputs));
                Value::List(values.collect::<Option<_>>()?)
            }
            Self::Test(test) => {
                let Inputs {
                    state,
                    tidied,
                    files,
                    work,
                } = inputs;
                Value::Truth(test.holds(state, tidied, *files, work)?)
            }
            Self::Any(nodes) => return Self::find(nodes, true, inputs),
            Self::All(nodes) => return Self::find(nodes, false, inputs),
            Self::Not(node) => Value::Truth(!node.is_true(inputs)?),
            Self::Compare(comparison, sides) => {
                let [left, right] = &**sides;
                let left = left.value(inputs)?;
                if let (Comparison::In, Self::List(nodes)) = (comparison, right) {
                    return is_among(&left, nodes, inputs).map(Value::Truth);
                }
                Value::Truth(comparison.holds(&left, &right.value(inputs)?)?)
            }
            Self::Sum(nodes) => {
                let values = nodes.iter().map(|node| node.value(inputs));
                let values = values.collect::<Option<Vec<_>>>()?;
                let sum = values.into_iter().map(Some).reduce(|sum, value| {
                    Some(match (sum?, value?) {
                        (Value::Text(sum), Value::Text(value)) => Value::Text(sum + &value),
                        (Value::Integer(sum), Value::Integer(value)) => {
                            Value::Integer(sum.checked_add(value)?)
                        }
                        _ => return None,
                    })
                });
                let sum = sum.flatten()?;
                if let Value::Text(text) = &sum {
                    inputs.work.take_text(text.len()).ok()?;
                }
                sum
            }
            Self::Choice(nodes) => {
                let [condition, yes, no] = &**nodes;
                let chosen = if condition.is_true(inputs)? { yes } else { no };
                return chosen.value(inputs);
            }
            Self::Text(test, operands) => {
                let [whole, part] = &**operands;
                let (whole, part) = (whole.text(inputs)?, part.text(inputs)?);
                Value::Truth(match test {
                    TextTest::Starts => whole.starts_with(&part),
                    TextTest::Ends => whole.ends_with(&part),
                    TextTest::Contains => whole.contains(&part),
                })
            }
            Self::Matches(text, pattern) => {
                let text = text.text(inputs)?;
                let found = pattern.find(text.as_bytes(), inputs.work).ok()?;
                Value::Truth(found.is_some())
            }
            Self::Size(node) => {
                let size = match node.value(inputs)? {
                    Value::Text(text) => text.chars().count(),
                    Value::List(values) => values.len(),
                    _ => return None,
                };
                Value::Integer(size.try_into().ok()?)
            }
            Self::Lower(node) => Value::Text(node.text(inputs)?.to_ascii_lowercase()),
        })
    }
}

/// Whether a value is one of a list; `None` if that depends on an element that is not known.
fn is_among(value: &Value, nodes: &[Node], inputs: &mut Inputs<'_, '_>) -> Option<bool> {
    let mut found = Some(false);
    for node in nodes {
        match node.value(inputs) {
            Some(element) if element == *value => return Some(true),
            Some(_) => {}
            None => found = None,
        }
    }
    found
}

impl Comparison {
    /// Whether it holds; `None` for values that have no order.
    fn holds(self, left: &Value, right: &Value) -> Option<bool> {
        let order = match (left, right) {
            (Value::Integer(left), Value::Integer(right)) => Some(left.cmp(right)),
            (Value::Text(left), Value::Text(right)) => Some(left.cmp(right)),
            _ => None,
        };
        Some(match self {
            Self::Equal => left == right,
            Self::Unequal => left != right,
            Self::Less => order?.is_lt(),
            Self::AtMost => order?.is_le(),
            Self::More => order?.is_gt(),
            Self::AtLeast => order?.is_ge(),
            Self::In => match right {
                Value::List(values) => values.contains(left),
                _ => return None,
            },
        })
    }
}

impl Test {
    /// Whether the test holds; `None` if that cannot be known.
    pub(super) fn holds(
        &self,
        state: &mut RequestState<'_>,
        tidied: &str,
        files: &dyn Files,
        work: &Work,
    ) -> Option<bool> {
        Some(match self {
            Self::Unknown => return None,
            Self::Path(paths) => {
                work.take(paths.len() / COMPARED_PER_STEP).ok()?;
                let lower = tidied.to_ascii_lowercase();
                for path in paths {
                    if path.matches(&lower, state, work).ok()? {
                        return Some(true);
                    }
                }
                false
            }
            Self::Regexp(name, pattern) => {
                let Some(groups) = pattern.find(tidied.as_bytes(), work).ok()? else {
                    return Some(false);
                };
                let text = |number| {
                    let value = groups.get(number, tidied.as_bytes());
                    String::from_utf8_lossy(value).into_owned()
                };
                let mut captures = Vec::new();
                for number in 0..groups.len() {
                    work.take_text(groups.get(number, tidied.as_bytes()).len())
                        .ok()?;
                    captures.push((format!("{name}.{number}"), text(number)));
                    captures.push((number.to_string(), text(number)));
                }
                for (known, number) in groups.names() {
                    captures.push((format!("{name}.{known}"), text(*number)));
                }
                // The last match of a name wins.
                state.captures.splice(..0, captures);
                true
            }
            Self::Query(parameters) => {
                let query = state.query.as_deref().unwrap_or_default();
                has_query(parameters, query, work).ok()?
            }
            Self::Host(hosts) => {
                work.take(hosts.len() / COMPARED_PER_STEP).ok()?;
                let is_secure = state.request.scheme == "https";
                let own = state.request.host_name().to_ascii_lowercase();
                hosts.iter().any(|host| host.is(is_secure, &own))
            }
            Self::Method(is_get) => *is_get,
            Self::Scheme(scheme) => state.request.scheme == scheme,
            Self::Expression(node) => {
                let mut inputs = Inputs {
                    state,
                    tidied,
                    files,
                    work,
                };
                return node.is_true(&mut inputs);
            }
            Self::File(names) => first_of(names, state, files, work)?.ok()?.is_some(),
            Self::Not(tests) => !all_hold(tests, state, tidied, files, work)?,
        })
    }
}

/// Whether all tests hold; `None` if that depends on one that is not known.
pub(super) fn all_hold(
    tests: &[Test],
    state: &mut RequestState<'_>,
    tidied: &str,
    files: &dyn Files,
    work: &Work,
) -> Option<bool> {
    let mut hold = Some(true);
    for test in tests {
        match test.holds(state, tidied, files, work) {
            Some(true) => {}
            Some(false) => return Some(false),
            // A later one may decide.
            None => hold = None,
        }
    }
    hold
}

/// Whether a query has one of the values of each parameter.
fn has_query(
    parameters: &BTreeMap<String, Vec<String>>,
    query: &str,
    work: &Work,
) -> Result<bool, NoAnswer> {
    let given: Vec<_> = url::form_urlencoded::parse(query.as_bytes()).collect();
    if parameters.is_empty() {
        return Ok(given.is_empty());
    }
    for (key, values) in parameters {
        let compared = given.len().saturating_mul(values.len());
        work.take(1 + compared / COMPARED_PER_STEP)?;
        let mut of_key = given.iter().filter(|(name, _)| name == key);
        if !of_key.any(|(_, value)| values.iter().any(|one| one == "*" || one == value)) {
            return Ok(false);
        }
    }
    Ok(true)
}
