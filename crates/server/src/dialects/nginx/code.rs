//! The compiled directives of one block in order, with an index that skips those without an effect on
//! most requests.

use std::borrow::Cow;
use std::ops::Range;

use super::template::{Piece, Template};
use crate::engine::index::PrefixIndex;
use crate::engine::pattern::Pattern;
use crate::engine::work::{NoAnswer, Work};

/// A directive. The body of an `if` is a block of its own.
#[derive(Debug)]
pub(super) enum Op {
    Rewrite {
        rule: usize,
        line: usize,
        pattern: Pattern,
        to: Template,
        /// The query of the target, without its question mark.
        args: Option<Template>,
        adds_args: bool,
        flag: Flag,
    },
    Return {
        rule: usize,
        line: usize,
        status: u16,
        to: Option<Template>,
        /// Whether it has no text, so that an error is handled like a missing file.
        is_bare: bool,
    },
    Set {
        line: usize,
        name: String,
        value: Template,
    },
    If {
        line: usize,
        test: Test,
        then: Code,
        /// The line of a directive inside that hands the request to something else.
        handed_on: Option<usize>,
    },
    Break,
    /// An unsupported directive that may answer.
    Unread {
        line: usize,
    },
}

impl Op {
    pub(super) fn line(&self) -> Option<usize> {
        match self {
            Self::Rewrite { line, .. }
            | Self::Return { line, .. }
            | Self::Set { line, .. }
            | Self::If { line, .. }
            | Self::Unread { line } => Some(*line),
            Self::Break => None,
        }
    }
}

/// The flag of a `rewrite`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Flag {
    None,
    Last,
    Break,
    Redirect(u16),
}

/// The condition of an `if`.
#[derive(Debug)]
pub(super) enum Test {
    Filled(Template),
    Equal(Template, Template, bool),
    Match(Template, Pattern, bool),
    File(Template, bool),
    Directory(Template, bool),
    Exists(Template, bool),
}

/// The directives of a block. Those that only test a variable against a pattern or a text are indexed
/// by the value of that variable.
#[derive(Debug, Default)]
pub(super) struct Code {
    ops: Vec<Op>,
    /// The directives that always run.
    always: Vec<usize>,
    /// The directives that match a pattern. One that fails to match clears the captures.
    patterns: Vec<usize>,
    tests: Vec<Tests>,
}

/// The directives that test one variable.
#[derive(Debug)]
struct Tests {
    variable: String,
    index: PrefixIndex,
}

/// The variables that can be read without a side effect.
const VARIABLES: [&str; 5] = ["uri", "request_uri", "host", "args", "scheme"];

impl Code {
    pub(super) fn push(&mut self, op: Op) {
        let number = self.ops.len();
        let test = match &op {
            Op::If { test, .. } => Some(test),
            _ => None,
        };
        if matches!(op, Op::Rewrite { .. }) || matches!(test, Some(Test::Match(..))) {
            self.patterns.push(number);
        }
        match &op {
            Op::Rewrite { pattern, .. } => self.index("uri").add_pattern(pattern, number),
            Op::If { test, .. } => match looked_up(test) {
                Some((variable, IndexKey::By(pattern))) => {
                    self.index(variable).add_pattern(pattern, number);
                }
                Some((variable, IndexKey::At(start))) => {
                    self.index(variable).add(start.as_bytes(), number);
                }
                None => self.always.push(number),
            },
            _ => self.always.push(number),
        }
        self.ops.push(op);
    }

    /// Frees spare capacity, since many blocks have one directive.
    pub(super) fn shrunk(mut self) -> Self {
        self.ops.shrink_to_fit();
        self.always.shrink_to_fit();
        self.patterns.shrink_to_fit();
        self.tests.shrink_to_fit();
        self
    }

    fn index(&mut self, variable: &str) -> &mut PrefixIndex {
        let at = self.tests.iter().position(|test| test.variable == variable);
        let at = at.unwrap_or_else(|| {
            self.tests.push(Tests {
                variable: variable.to_owned(),
                index: PrefixIndex::default(),
            });
            self.tests.len() - 1
        });
        &mut self.tests[at].index
    }

    pub(super) fn ops(&self) -> &[Op] {
        &self.ops
    }

    /// Whether one of these directives matches a pattern.
    pub(super) fn has_pattern(&self, numbers: Range<usize>) -> bool {
        let first = self.patterns.partition_point(|at| *at < numbers.start);
        self.patterns.get(first).is_some_and(|at| *at < numbers.end)
    }

    /// The line of the first directive that has one.
    pub(super) fn line(&self) -> usize {
        self.ops.iter().find_map(Op::line).unwrap_or(1)
    }

    /// The indexed directives that may have an effect with these values of variables, in order.
    ///
    /// # Errors
    ///
    /// If a limit is reached.
    pub(super) fn candidates<'v>(
        &self,
        value: impl Fn(&str) -> Cow<'v, [u8]>,
        work: &Work,
    ) -> Result<Vec<usize>, NoAnswer> {
        let mut found = Vec::new();
        for tests in &self.tests {
            let value = value(&tests.variable);
            found.extend(tests.index.candidates(&value, work)?);
        }
        found.sort_unstable();
        Ok(found)
    }

    /// The first directive from `next` on among the candidates and those that always run.
    pub(super) fn next(&self, candidates: &[usize], next: usize) -> Option<(usize, &Op)> {
        let first = |numbers: &[usize]| {
            let at = numbers.partition_point(|number| *number < next);
            numbers.get(at).copied()
        };
        let at = match (first(candidates), first(&self.always)) {
            (Some(one), Some(other)) => one.min(other),
            (one, other) => one.or(other)?,
        };
        Some((at, self.ops.get(at)?))
    }
}

impl FromIterator<Op> for Code {
    fn from_iter<I: IntoIterator<Item = Op>>(ops: I) -> Self {
        let mut code = Self::default();
        for op in ops {
            code.push(op);
        }
        code.shrunk()
    }
}

/// The index key of a condition.
enum IndexKey<'t> {
    By(&'t Pattern),
    At(&'t str),
}

/// The variable that a condition tests, if the index finds every value for which it holds.
fn looked_up(test: &Test) -> Option<(&'static str, IndexKey<'_>)> {
    match test {
        Test::Match(left, pattern, false) => Some((variable(left)?, IndexKey::By(pattern))),
        Test::Equal(left, right, false) => Some((variable(left)?, IndexKey::At(right.text()?))),
        _ => None,
    }
}

fn variable(template: &Template) -> Option<&'static str> {
    let [Piece::Variable(name)] = &template.pieces[..] else {
        return None;
    };
    VARIABLES.into_iter().find(|known| known == name)
}
