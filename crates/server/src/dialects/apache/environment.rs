//! `SetEnvIf` and its kin, which set variables for requests.

use super::assignments::{Assignment, Names, Variables};
use super::expression::{Expression, NoExpression};
use super::lines::Line;
use super::variables::Values;
use crate::engine::pattern::{Groups, Pattern};
use crate::engine::work::{NoAnswer, Work};
use crate::line_error::LineError;
use crate::rule::RuleParser;

/// The `SetEnvIf` lines of a section.
#[derive(Debug, Default)]
pub(super) struct Environment(Vec<Setter>);

#[derive(Debug)]
struct Setter {
    test: Test,
    sets: Vec<Assignment>,
}

#[derive(Debug)]
enum Test {
    Matches(Attribute, Pattern),
    Expression(Expression),
    /// What decides it is not known.
    NotKnown,
}

/// What a pattern is matched with.
#[derive(Debug)]
enum Attribute {
    /// Known for every request.
    Variable(&'static str),
    Protocol,
    /// Set by an earlier line.
    Environment(String),
}

impl Environment {
    /// Adds a line, given the name of its directive in lower case.
    ///
    /// # Errors
    ///
    /// The reason why the server refuses the line.
    pub(super) fn add(
        &mut self,
        name: &str,
        line: &Line,
        names: &Names,
        parser: &mut RuleParser,
    ) -> Result<(), LineError> {
        let words = line.words();
        let ignores_case = name.ends_with("nocase");
        let (test, assigned) = match (name, &words[..]) {
            ("setenvifexpr", [text, assigned @ ..]) => {
                (Test::from_expression(text, names, parser)?, assigned)
            }
            ("browsermatch" | "browsermatchnocase", [source, assigned @ ..]) => {
                parser.pattern(source, ignores_case)?;
                (Test::NotKnown, assigned)
            }
            (_, [attribute, source, assigned @ ..]) => {
                let pattern = parser.pattern(source, ignores_case)?;
                match self.attribute(attribute) {
                    Some(attribute) => (Test::Matches(attribute, pattern), assigned),
                    None => (Test::NotKnown, assigned),
                }
            }
            _ => return Err(LineError::Form("an attribute and a pattern are required")),
        };
        if assigned.is_empty() {
            return Err(LineError::Form("a variable is required"));
        }
        self.0.push(Setter {
            test,
            sets: assigned
                .iter()
                .map(|word| Assignment::from_word(word))
                .collect(),
        });
        Ok(())
    }

    /// What an attribute stands for; `None` if it is not known.
    fn attribute(&self, name: &str) -> Option<Attribute> {
        Some(match &*name.to_ascii_lowercase() {
            "request_uri" => Attribute::Variable("REQUEST_URI"),
            "request_method" => Attribute::Variable("REQUEST_METHOD"),
            "request_protocol" => Attribute::Protocol,
            "host" => Attribute::Variable("HTTP_HOST"),
            _ => {
                let mut earlier = self.0.iter().flat_map(|setter| &setter.sets);
                let is_set = earlier.any(|assignment| assignment.name == name);
                return is_set.then(|| Attribute::Environment(name.to_owned()));
            }
        })
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Sets the variables for a request.
    pub(super) fn apply(
        &self,
        values: &Values<'_>,
        variables: &mut Variables,
        work: &Work,
    ) -> Result<(), NoAnswer> {
        for setter in &self.0 {
            work.take(8)?;
            let found = setter.test.find(values, variables, work)?;
            let Some((text, groups)) = found.known() else {
                if matches!(found, Match::NotKnown) {
                    for assignment in &setter.sets {
                        variables.forget(&assignment.name);
                    }
                }
                continue;
            };
            for assignment in &setter.sets {
                let value = assignment.value.as_deref();
                let value = value.map(|value| with_groups(value, text, groups));
                work.take_text(value.as_ref().map_or(0, Vec::len))?;
                variables.set(&assignment.name, value);
            }
        }
        Ok(())
    }
}

/// Whether a test holds.
enum Match {
    Found(Vec<u8>, Groups),
    Missing,
    NotKnown,
}

impl Match {
    fn known(&self) -> Option<(&[u8], &Groups)> {
        match self {
            Self::Found(text, groups) => Some((text, groups)),
            Self::Missing | Self::NotKnown => None,
        }
    }
}

impl Test {
    fn from_expression(
        text: &str,
        names: &Names,
        parser: &mut RuleParser,
    ) -> Result<Self, LineError> {
        match Expression::parse(text, names, parser) {
            Ok(expression) => Ok(Self::Expression(expression)),
            Err(NoExpression::NotKnown) => Ok(Self::NotKnown),
            Err(NoExpression::Refused) => Err(LineError::BrokenExpression(text.to_owned())),
        }
    }

    fn find(
        &self,
        values: &Values<'_>,
        variables: &Variables,
        work: &Work,
    ) -> Result<Match, NoAnswer> {
        let (attribute, pattern) = match self {
            Self::Matches(attribute, pattern) => (attribute, pattern),
            Self::Expression(expression) => {
                let mut captured = None;
                let holds = expression.holds(values, &mut captured, work)?;
                let (text, groups) = captured.unwrap_or_default();
                return Ok(if holds {
                    Match::Found(text, groups)
                } else {
                    Match::Missing
                });
            }
            Self::NotKnown => return Ok(Match::NotKnown),
        };
        let text = match attribute {
            Attribute::Variable(name) => values.get(name).unwrap_or_default(),
            Attribute::Protocol => b"HTTP/1.1".to_vec(),
            Attribute::Environment(name) => match variables.get(name) {
                Some(value) => value.to_vec(),
                None => return Ok(Match::NotKnown),
            },
        };
        Ok(match pattern.find(&text, work)? {
            Some(groups) => Match::Found(text, groups),
            None => Match::Missing,
        })
    }
}

/// A value with the groups `$0` to `$9` put in.
fn with_groups(value: &str, text: &[u8], groups: &Groups) -> Vec<u8> {
    let mut out = Vec::with_capacity(value.len());
    let mut bytes = value.bytes().peekable();
    while let Some(byte) = bytes.next() {
        match bytes.peek() {
            Some(digit @ b'0'..=b'9') if byte == b'$' => {
                out.extend_from_slice(groups.get(usize::from(digit - b'0'), text));
                bytes.next();
            }
            _ => out.push(byte),
        }
    }
    out
}
