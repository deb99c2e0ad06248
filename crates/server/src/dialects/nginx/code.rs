//! The compiled directives of one block in order, and an index of those that do nothing for most requests.

use std::borrow::Cow;
use std::ops::Range;

use super::template::{Piece, Template};
use crate::engine::index::PrefixIndex;
use crate::engine::pattern::Pattern;
use crate::engine::work::{NoAnswer, Work};

/// A directive. Those of an `if` are a block of their own.
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
        /// Whether it has no text, so that an error is one like that of a missing file.
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
        /// The line of a directive inside that passes the request to something else.
        handed_on: Option<usize>,
    },
    Break,
}

impl Op {
    pub(super) fn line(&self) -> Option<usize> {
        match self {
            Self::Rewrite { line, .. }
            | Self::Return { line, .. }
            | Self::Set { line, .. }
            | Self::If { line, .. } => Some(*line),
            Self::Break => None,
        }
    }
}

/// What happens after a `rewrite`.
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

/// The directives of a block. One that only tests a variable against a pattern or a text is looked up
/// by the value of that variable.
#[derive(Debug, Default)]
pub(super) struct Code {
    ops: Vec<Op>,
    /// The directives that are always looked at.
    always: Vec<usize>,
    /// Those that match a pattern: one that does not match forgets what was captured before.
    patterns: Vec<usize>,
    tests: Vec<Tests>,
}

/// The directives that test one variable.
#[derive(Debug)]
struct Tests {
    variable: String,
    index: PrefixIndex,
}

/// The variables whose value is known without a side effect.
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
                Some((variable, Found::By(pattern))) => {
                    self.index(variable).add_pattern(pattern, number);
                }
                Some((variable, Found::At(start))) => {
                    self.index(variable).add(start.as_bytes(), number);
                }
                None => self.always.push(number),
            },
            _ => self.always.push(number),
        }
        self.ops.push(op);
    }

    /// Drops spare capacity: there are many blocks with one directive.
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

    /// The line of the first directive with one.
    pub(super) fn line(&self) -> usize {
        self.ops.iter().find_map(Op::line).unwrap_or(1)
    }

    /// The directives that may do something, given the values of variables: indexed ones, lowest first.
    ///
    /// # Errors
    ///
    /// If a limit is met.
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

    /// The first directive from `next` on, of the candidates and of those that are always looked at.
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

/// How the index finds a condition by the value of its variable.
enum Found<'t> {
    By(&'t Pattern),
    At(&'t str),
}

/// The variable that a condition looks at, if it holds only for what the index finds.
fn looked_up(test: &Test) -> Option<(&'static str, Found<'_>)> {
    match test {
        Test::Match(left, pattern, false) => Some((variable(left)?, Found::By(pattern))),
        Test::Equal(left, right, false) => Some((variable(left)?, Found::At(right.text()?))),
        _ => None,
    }
}

fn variable(template: &Template) -> Option<&'static str> {
    let [Piece::Variable(name)] = &template.pieces[..] else {
        return None;
    };
    VARIABLES.into_iter().find(|known| known == name)
}
