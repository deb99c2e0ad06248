//! The tests of matchers, and the expressions in them.

use std::collections::BTreeMap;

use super::files::{Candidates, Found};
use super::functions;
use super::host::Host;
use super::path::PathPattern;
use super::placeholder::{self, Purpose};
use super::state::RequestState;
use super::value::Value;
use super::variables::Variable;
use crate::engine::pattern::{Groups, Pattern};
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
    File(Box<Candidates>),
    /// A variable, or a placeholder in braces, with any of these values, ...
    Variable(String, Vec<String>),
    /// ... or like a pattern, whose captures have the first name.
    VariableLike(String, String, Pattern),
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
    Matches(Box<Node>, Pattern),
    /// A function or a method with its arguments.
    Call(String, Vec<Node>),
    /// A list, and the index of an element, 0-based.
    Element(Box<[Node; 2]>),
    /// The variable of an enclosing macro.
    Bound(String),
    Each(Box<Each>),
    /// A variable, and its value and the expression that it is for.
    Bind(String, Box<[Node; 2]>),
    Unknown,
}

/// A macro on a list.
#[derive(Debug)]
pub(super) struct Each {
    pub(super) quantifier: Quantifier,
    pub(super) list: Node,
    /// The variable for an element.
    pub(super) name: String,
    pub(super) condition: Node,
}

#[derive(Clone, Copy, Debug)]
pub(super) enum Quantifier {
    All,
    Exists,
    ExistsOne,
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

/// What an expression depends on.
pub(super) struct Inputs<'i, 'r> {
    pub(super) state: &'i mut RequestState<'r>,
    /// The path without repeated slashes.
    pub(super) tidied: &'i str,
    pub(super) files: &'i dyn Files,
    pub(super) work: &'i Work,
    /// The variables of the enclosing macros.
    pub(super) bound: Vec<(String, Value)>,
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
                name => match inputs.state.placeholder(name, inputs.work) {
                    placeholder::Value::Text(text) => {
                        inputs.work.take_text(text.len()).ok()?;
                        Value::Text(text.into_owned())
                    }
                    placeholder::Value::Undefined => Value::Null,
                    placeholder::Value::Hidden => return None,
                },
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
                    ..
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
                let sum = sum(values.collect::<Option<Vec<_>>>()?)?;
                inputs.work.take_text(sum.length()).ok()?;
                sum
            }
            Self::Choice(nodes) => {
                let [condition, yes, no] = &**nodes;
                let chosen = if condition.is_true(inputs)? { yes } else { no };
                return chosen.value(inputs);
            }
            Self::Matches(text, pattern) => {
                let text = text.text(inputs)?;
                let found = pattern.find(text.as_bytes(), inputs.work).ok()?;
                Value::Truth(found.is_some())
            }
            Self::Call(name, nodes) => {
                let arguments = nodes.iter().map(|node| node.value(inputs));
                let arguments = arguments.collect::<Option<Vec<_>>>()?;
                functions::value(name, &arguments, inputs.work)?
            }
            Self::Element(operands) => {
                let [list, index] = &**operands;
                match (list.value(inputs)?, index.value(inputs)?) {
                    (Value::List(values), Value::Integer(index)) => {
                        values.into_iter().nth(index.try_into().ok()?)?
                    }
                    _ => return None,
                }
            }
            Self::Bound(name) => {
                let mut bound = inputs.bound.iter().rev();
                let (_, value) = bound.find(|(known, _)| known == name)?;
                inputs.work.take_text(value.length()).ok()?;
                value.clone()
            }
            Self::Each(each) => return each.value(inputs),
            Self::Bind(name, nodes) => {
                let [value, result] = &**nodes;
                let value = value.value(inputs)?;
                inputs.bound.push((name.clone(), value));
                let result = result.value(inputs);
                inputs.bound.pop();
                return result;
            }
        })
    }
}

impl Each {
    fn value(&self, inputs: &mut Inputs<'_, '_>) -> Option<Value> {
        let Value::List(values) = self.list.value(inputs)? else {
            return None;
        };
        let (mut is_known, mut count, all) = (true, 0_usize, values.len());
        for value in values {
            inputs.bound.push((self.name.clone(), value));
            let holds = self.condition.is_true(inputs);
            inputs.bound.pop();
            match holds {
                Some(holds) => count += usize::from(holds),
                None => is_known = false,
            }
        }
        let is_true = match self.quantifier {
            Quantifier::Exists if count > 0 => true,
            _ if !is_known => return None,
            Quantifier::Exists => false,
            Quantifier::All => count == all,
            Quantifier::ExistsOne => count == 1,
        };
        Some(Value::Truth(is_true))
    }
}

/// Texts in a row, or the sum of numbers; `None` for other values.
fn sum(values: Vec<Value>) -> Option<Value> {
    let mut values = values.into_iter();
    let first = values.next()?;
    values.try_fold(first, |sum, value| {
        Some(match (sum, value) {
            (Value::Text(sum), Value::Text(value)) => Value::Text(sum + &value),
            (Value::Integer(sum), Value::Integer(value)) => Value::Integer(sum.checked_add(value)?),
            _ => return None,
        })
    })
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
                capture(name, &groups, tidied, state, work)?;
                true
            }
            Self::Variable(key, values) => {
                let value = variable(key, state, work)?;
                for wanted in values {
                    if state.filled(wanted, Purpose::Other, work)? == value {
                        return Some(true);
                    }
                }
                false
            }
            Self::VariableLike(name, key, pattern) => {
                let value = variable(key, state, work)?;
                let Some(groups) = pattern.find(value.as_bytes(), work).ok()? else {
                    return Some(false);
                };
                capture(name, &groups, &value, state, work)?;
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
                    bound: Vec::new(),
                };
                return node.is_true(&mut inputs);
            }
            Self::File(candidates) => match candidates.first(state, files, work)?.ok()? {
                Found::File(path) => {
                    state.file_match = Some(path);
                    true
                }
                Found::Nothing => false,
                // The error ends the request.
                Found::Error(_) => return None,
            },
            Self::Not(tests) => !all_hold(tests, state, tidied, files, work)?,
        })
    }
}

/// The value of a variable, or of a placeholder if the name is in braces; `None` if it is hidden.
fn variable(key: &str, state: &RequestState<'_>, work: &Work) -> Option<String> {
    let inner = key.strip_prefix('{').and_then(|key| key.strip_suffix('}'));
    if let Some(inner) = inner {
        return match state.placeholder(inner, work) {
            placeholder::Value::Text(text) => Some(text.into_owned()),
            placeholder::Value::Undefined => Some(String::new()),
            placeholder::Value::Hidden => None,
        };
    }
    match state.variables.get(key) {
        Variable::Text(text) => Some(text.to_owned()),
        Variable::Unset => Some(String::new()),
        Variable::Hidden => None,
    }
}

/// Keeps the groups of a match under the name of its matcher; `None` beyond a limit. The last match of a
/// name wins.
fn capture(
    name: &str,
    groups: &Groups,
    text: &str,
    state: &mut RequestState<'_>,
    work: &Work,
) -> Option<()> {
    let group = |number| {
        let value = groups.get(number, text.as_bytes());
        String::from_utf8_lossy(value).into_owned()
    };
    let mut captures = Vec::new();
    for number in 0..groups.len() {
        let length = groups.get(number, text.as_bytes()).len();
        work.take_text(length).ok()?;
        captures.push((format!("{name}.{number}"), group(number)));
        captures.push((number.to_string(), group(number)));
    }
    for (known, number) in groups.names() {
        captures.push((format!("{name}.{known}"), group(*number)));
        captures.push((known.clone(), group(*number)));
    }
    state.captures.splice(..0, captures);
    Some(())
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
