//! Parsed rules, their problems, and the answers of servers.

use std::collections::BTreeMap;

use crate::engine::pattern::Pattern;

/// One rule, as shown in reports.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rule {
    /// The line it starts on, 1-based.
    pub line: usize,
    /// What it matches, as written.
    pub from: String,
    /// Where it leads, as written; `None` for a rule that only refuses.
    pub to: Option<String>,
    /// Its status; 200 for a rule that serves another file in place.
    pub status: u16,
    /// Whether the file omits the status.
    pub status_is_default: bool,
    /// Whether it matches only one path.
    pub is_exact: bool,
    /// Paths, as sent by a client, that it would match if no other rule came first. Empty if none
    /// can be constructed from the rule.
    pub samples: Vec<String>,
}

/// What is wrong with a line of rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ProblemKind {
    /// The server understands it, but this program does not.
    NotRead,
    /// A directive that is not known to affect where a URL leads.
    Irrelevant,
    /// The server ignores the line.
    Dropped,
    /// The server ignores it because there are too many, or the line is too long.
    OverLimit,
    /// The server refuses the whole file.
    Refused,
    /// The source has a fragment, which no client sends.
    FragmentSource,
    /// An address has no answer because a limit was met.
    Limit,
}

/// A line of a rule file that may not do what its author thinks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// 1-based.
    pub line: usize,
    /// The kind.
    pub kind: ProblemKind,
    /// A description, without the place.
    pub message: String,
}

/// The answer of a server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// A redirect to `location`, which is relative to the requested URL.
    Redirect {
        /// 3xx.
        status: u16,
        /// The value of the `Location` field.
        location: String,
        /// The rule; `None` if the server does it by itself.
        rule: Option<usize>,
    },
    /// A file of the site: its path below the root, decoded, from the first slash on.
    File {
        /// The path of the file.
        path: Vec<u8>,
        /// 200, or the status of a rule.
        status: u16,
        /// The rule that substituted this file for the requested one.
        rule: Option<usize>,
    },
    /// No file: a status without a target (404, 410, 403 and the like).
    Refused {
        /// 4xx or 5xx, or 200 where a server answers with nothing.
        status: u16,
        /// The rule; `None` if there is simply no file.
        rule: Option<usize>,
    },
    /// An unsupported rule decides.
    Unknown {
        /// The line of that rule.
        line: usize,
    },
}

/// The maximum size of the compiled patterns that a file keeps, in states; others are compiled for each
/// use. Two bytes of the file give one more.
const MAX_KEPT: u64 = 1 << 20;
/// The maximum length in bytes of the places of all rules together that are written out in full, ...
const MAX_PLACES: usize = 16 << 20;
/// ... and of how many characters each is beyond.
const SHORT_PLACE: usize = 64;
/// The maximum number of problems of one kind that are listed each for itself.
const MAX_PROBLEMS: usize = 10_000;

/// What a dialect's parser collects, in file order.
#[derive(Debug, Default)]
pub(crate) struct RuleParser {
    pub(crate) rules: Vec<Rule>,
    pub(crate) problems: Vec<Problem>,
    /// The path of the folder that an `.htaccess` file is in.
    pub(crate) mount: String,
    /// The size of the patterns that are kept compiled, and the maximum.
    kept: u64,
    keeps: u64,
    /// The length of the places of rules.
    places: usize,
    /// How many problems there are of each kind, and the line of the first that is not listed.
    counts: BTreeMap<ProblemKind, (usize, usize)>,
}

impl RuleParser {
    /// A parser of a file of so many bytes.
    pub(crate) fn new(length: usize, mount: &str) -> Self {
        Self {
            mount: mount.to_owned(),
            keeps: MAX_KEPT + length as u64 / 2,
            ..Self::default()
        }
    }

    /// Parses a pattern of a rule.
    ///
    /// # Errors
    ///
    /// Like [`Pattern::new`].
    pub(crate) fn pattern(&mut self, source: &str, ignores_case: bool) -> Result<Pattern, String> {
        let mut pattern = Pattern::new(source, ignores_case)?;
        let kept = self.kept.saturating_add(pattern.size());
        if kept <= self.keeps {
            self.kept = kept;
            pattern.keep();
        }
        Ok(pattern)
    }

    /// The place of a rule in words, which every rule in a block repeats.
    pub(crate) fn place(&mut self, words: &str) -> String {
        self.places = self.places.saturating_add(words.len());
        if self.places <= MAX_PLACES {
            return words.to_owned();
        }
        words.chars().take(SHORT_PLACE).collect()
    }

    pub(crate) fn problem(&mut self, line: usize, kind: ProblemKind, message: impl Into<String>) {
        let (count, first) = self.counts.entry(kind).or_default();
        *count += 1;
        if *count > MAX_PROBLEMS {
            if *count == MAX_PROBLEMS + 1 {
                *first = line;
            }
            return;
        }
        self.problems.push(Problem {
            line,
            kind,
            message: message.into(),
        });
    }

    /// The problems, by line; of very many the number.
    pub(crate) fn into_problems(self) -> (Vec<Rule>, Vec<Problem>) {
        let mut problems = self.problems;
        if self.places > MAX_PLACES {
            problems.push(Problem {
                line: 1,
                kind: ProblemKind::Irrelevant,
                message: format!(
                    "the places of rules take more than {} MiB: those of later rules are cut short \
                     (rule-places)",
                    MAX_PLACES >> 20
                ),
            });
        }
        for (kind, (count, line)) in self.counts {
            if count > MAX_PROBLEMS {
                let message = format!(
                    "{} more problems like those listed (rule-problems)",
                    count - MAX_PROBLEMS
                );
                problems.push(Problem {
                    line,
                    kind,
                    message,
                });
            }
        }
        problems.sort_by_key(|problem| problem.line);
        (self.rules, problems)
    }

    /// Adds a rule and returns its number.
    pub(crate) fn rule(&mut self, rule: Rule) -> usize {
        self.rules.push(rule);
        self.rules.len() - 1
    }
}
