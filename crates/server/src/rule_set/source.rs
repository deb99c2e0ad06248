//! The findings about files of rules.

use std::num::NonZeroU32;
use std::sync::Arc;

use baseref_document::Position;
use baseref_findings::{Finding, PageName, Rule};

use crate::findings as rules;
use crate::rule::{Problem, ProblemKind};

/// A file of rules as a source of findings: its name, and where its lines are.
#[derive(Debug)]
pub struct RuleSource {
    /// Its name as given by the user.
    pub name: Arc<PageName>,
    /// The start of each line, in bytes.
    starts: Vec<usize>,
    length: usize,
}

impl RuleSource {
    /// A file as read.
    #[must_use]
    pub fn new(name: &str, bytes: &[u8]) -> Self {
        Self {
            name: Arc::new(PageName {
                doc: name.to_owned(),
                url: None,
                key: name.to_owned(),
            }),
            starts: std::iter::once(0)
                .chain(memchr::memchr_iter(b'\n', bytes).map(|at| at + 1))
                .collect(),
            length: bytes.len(),
        }
    }

    /// A finding about a line, 1-based.
    #[must_use]
    pub fn finding(
        &self,
        rule: &'static Rule,
        line: usize,
        cause: impl Into<Arc<str>>,
        message: impl Into<Arc<str>>,
    ) -> Finding {
        let mut finding = Finding::new(rule, &self.name, cause, message);
        let start = self.starts.get(line.saturating_sub(1)).copied();
        let end = self.starts.get(line).map(|next| next.saturating_sub(1));
        let start = start.unwrap_or(self.length);
        finding.at = Some(Position::new(
            u32::try_from(line)
                .ok()
                .and_then(NonZeroU32::new)
                .unwrap_or(NonZeroU32::MIN),
            NonZeroU32::MIN,
            start as u64..end.unwrap_or(self.length).max(start) as u64,
        ));
        finding
    }
}

/// The findings about faulty lines of a file.
#[must_use]
pub fn problems(problems: &[Problem], source: &RuleSource) -> Vec<Finding> {
    problems
        .iter()
        .map(|problem| {
            let rule = match problem.kind {
                ProblemKind::NotRead => &rules::R_NOT_READ,
                ProblemKind::Irrelevant => &rules::R_IRRELEVANT,
                ProblemKind::Dropped => &rules::R_DROPPED,
                ProblemKind::OverLimit => &rules::R_OVER_LIMIT,
                ProblemKind::Refused => &rules::R_REFUSED,
                ProblemKind::FragmentSource => &rules::R_FRAGMENT,
                ProblemKind::Limit => &rules::R_LIMIT,
            };
            source.finding(
                rule,
                problem.line,
                problem.message.clone(),
                &*problem.message,
            )
        })
        .collect()
}

/// The finding that a file of rules took more steps than allowed for all addresses together.
#[must_use]
pub fn exhausted(source: &RuleSource) -> Finding {
    let message = "the answers for all addresses together took too many steps (rule-steps-of-file): \
                   what was not answered is not known";
    source.finding(&rules::R_LIMIT, 1, message, message)
}
