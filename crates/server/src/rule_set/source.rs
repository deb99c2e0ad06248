//! The findings about files of rules.

use std::num::NonZeroU32;
use std::sync::Arc;

use baseref_document::Position;
use baseref_findings::{Finding, PageName, Rule};

use crate::findings as rules;
use crate::included::Included;
use crate::rule::{Problem, ProblemKind};

/// A file of rules as a source of findings, with the files that it includes: their names, and where
/// their lines are.
#[derive(Debug)]
pub struct RuleSource {
    /// Its name as given by the user.
    pub name: Arc<PageName>,
    /// The file and those that it includes, in the order of their lines.
    parts: Vec<Part>,
}

/// A file.
#[derive(Debug)]
struct Part {
    name: Arc<PageName>,
    /// The number that stands for its first line.
    first_line: usize,
    /// The start of each line, in bytes.
    starts: Vec<usize>,
    length: usize,
}

impl Part {
    fn new(name: &str, bytes: &[u8], first_line: usize) -> Self {
        Self {
            name: Arc::new(PageName {
                doc: name.to_owned(),
                url: None,
                key: name.to_owned(),
            }),
            first_line,
            starts: std::iter::once(0)
                .chain(memchr::memchr_iter(b'\n', bytes).map(|at| at + 1))
                .collect(),
            length: bytes.len(),
        }
    }
}

impl RuleSource {
    /// A file as read.
    #[must_use]
    pub fn new(name: &str, bytes: &[u8]) -> Self {
        let part = Part::new(name, bytes, 1);
        Self {
            name: Arc::clone(&part.name),
            parts: vec![part],
        }
    }

    /// The same file, with those that it includes.
    #[must_use]
    pub(super) fn with_included(mut self, included: &Included) -> Self {
        let folder = self.name.doc.rfind(['/', '\\']).map_or(0, |at| at + 1);
        let parts = included.files.iter().map(|file| {
            let name = format!("{}{}", &self.name.doc[..folder], file.name);
            Part::new(&name, file.text.as_bytes(), file.first_line)
        });
        self.parts.extend(parts);
        self
    }

    /// The part that the number of a line is in, and the line in it.
    fn part(&self, line: usize) -> Option<(&Part, usize)> {
        let after = self.parts.partition_point(|part| part.first_line <= line);
        let part = self.parts.get(after.saturating_sub(1))?;
        Some((part, (line + 1).saturating_sub(part.first_line)))
    }

    /// The name of the file and the line, 1-based, that the number of a line stands for.
    #[must_use]
    pub fn place(&self, line: usize) -> (&PageName, usize) {
        self.part(line)
            .map_or((&self.name, line), |(part, line)| (&part.name, line))
    }

    /// A finding about a line, by its number.
    #[must_use]
    pub fn finding(
        &self,
        rule: &'static Rule,
        line: usize,
        cause: impl Into<Arc<str>>,
        message: impl Into<Arc<str>>,
    ) -> Finding {
        let Some((part, line)) = self.part(line) else {
            return Finding::new(rule, &self.name, cause, message);
        };
        let mut finding = Finding::new(rule, &part.name, cause, message);
        let start = part.starts.get(line.saturating_sub(1)).copied();
        let end = part.starts.get(line).map(|next| next.saturating_sub(1));
        let start = start.unwrap_or(part.length);
        finding.at = Some(Position::new(
            u32::try_from(line)
                .ok()
                .and_then(NonZeroU32::new)
                .unwrap_or(NonZeroU32::MIN),
            NonZeroU32::MIN,
            start as u64..end.unwrap_or(part.length).max(start) as u64,
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
