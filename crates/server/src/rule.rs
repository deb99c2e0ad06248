//! Parsed rules, their problems, and the answers of servers.

use std::collections::hash_map::DefaultHasher;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use crate::engine::pattern::{Pattern, PatternError};
use crate::engine::work::ReadingBudget;
use crate::included::Included;

/// One rule, as shown in reports.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rule {
    /// The line it starts on, 1-based.
    pub line: usize,
    /// What it matches, as written.
    pub from: String,
    /// Its target, as written; `None` for a rule that only refuses.
    pub to: Option<String>,
    /// Its status; 200 for a rule that serves another file instead.
    pub status: u16,
    /// Whether the file omits the status.
    pub status_is_default: bool,
    /// Whether it matches only one path.
    pub is_exact: bool,
    /// Paths, as sent by a client, that it matches unless another rule comes first. Empty if none can
    /// be derived from the rule.
    pub samples: Vec<String>,
}

/// The kind of problem with a line of rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ProblemKind {
    /// The server understands the line, but this crate does not.
    NotRead,
    /// A directive that is not known to affect where a URL leads.
    Irrelevant,
    /// The server ignores the line.
    Dropped,
    /// The server ignores the line because there are too many or it is too long.
    OverLimit,
    /// The server refuses the whole file.
    Refused,
    /// The source has a fragment, which no client sends.
    FragmentSource,
    /// An address has no answer because a limit was reached.
    Limit,
}

/// A line of a rule file that may not do what its author intended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// 1-based.
    pub line: usize,
    /// The kind.
    pub kind: ProblemKind,
    /// A description, without the file and line.
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
        /// The rule; `None` for a redirect that the server makes without one.
        rule: Option<usize>,
    },
    /// A file of the site.
    File {
        /// The decoded path of the file below the root, with its leading slash.
        path: Vec<u8>,
        /// 200, or the status of a rule.
        status: u16,
        /// The rule that substituted this file for the requested one.
        rule: Option<usize>,
    },
    /// No file: a status without a target (404, 410, 403 and the like).
    Refused {
        /// 4xx or 5xx, or 200 for an empty response.
        status: u16,
        /// The rule; `None` if the file is simply missing.
        rule: Option<usize>,
    },
    /// The answer depends on an unsupported rule.
    Unknown {
        /// The line of that rule.
        line: usize,
    },
}

impl Answer {
    /// A refusal without a rule.
    pub(crate) const fn refused(status: u16) -> Self {
        Self::Refused { status, rule: None }
    }
}

/// The maximum size of the compiled patterns that a file keeps, in states, plus one for every two bytes
/// of the file. Other patterns are compiled for each use.
const MAX_KEPT: u64 = 1 << 20;
/// The total length in bytes of rule contexts that are kept in full; ...
const MAX_PLACES: usize = 16 << 20;
/// ... beyond it, each is cut to this number of characters.
const SHORT_PLACE: usize = 64;
/// The maximum number of problems of one kind that are listed individually.
const MAX_PROBLEMS: usize = 10_000;

/// The problems of one kind.
#[derive(Debug, Default)]
struct ProblemCount {
    count: usize,
    /// The line of the first one that is not listed.
    first_unlisted: usize,
}

/// Whether a source has a `#`, other than in a class of characters (`[^?#]`).
fn has_fragment(source: &str) -> bool {
    let mut in_class = false;
    let mut chars = source.chars();
    while let Some(c) = chars.next() {
        match c {
            '\\' if in_class => drop(chars.next()),
            '[' => in_class = true,
            ']' => in_class = false,
            '#' if !in_class => return true,
            _ => {}
        }
    }
    false
}

/// Collects the rules and problems of a file, in file order.
#[derive(Debug, Default)]
pub(crate) struct RuleParser {
    pub(crate) rules: Vec<Rule>,
    pub(crate) problems: Vec<Problem>,
    /// The path of the folder that an `.htaccess` file is in.
    pub(crate) mount: String,
    /// The files that the configuration includes.
    pub(crate) included: Arc<Included>,
    /// What reading the file may still cost.
    pub(crate) budget: ReadingBudget,
    /// The total size of the patterns that are kept compiled, and its maximum.
    kept: u64,
    keeps: u64,
    /// The total length of the contexts of rules.
    places: usize,
    counts: BTreeMap<ProblemKind, ProblemCount>,
    /// The last rule with each hash of [`Rule::content`], of the rules that others may repeat.
    by_hash: HashMap<u64, usize>,
    /// The repetitions of rules, by the lines of the rules that they repeat.
    repeated: BTreeMap<usize, Repetitions>,
}

/// Rules that equal an earlier one.
#[derive(Debug)]
struct Repetitions {
    /// The line of the first of them.
    line: usize,
    count: usize,
}

impl Rule {
    /// All but the line.
    fn content(&self) -> impl Hash + PartialEq + '_ {
        let Self {
            line: _,
            from,
            to,
            status,
            status_is_default,
            is_exact,
            samples,
        } = self;
        (from, to, status, status_is_default, is_exact, samples)
    }

    fn content_hash(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.content().hash(&mut hasher);
        hasher.finish()
    }
}

impl RuleParser {
    /// A parser of a file of this length in bytes.
    pub(crate) fn new(length: usize, mount: &str) -> Self {
        Self {
            mount: mount.to_owned(),
            budget: ReadingBudget::new(length),
            keeps: MAX_KEPT + length as u64 / 2,
            ..Self::default()
        }
    }

    /// Parses a pattern of a rule.
    ///
    /// # Errors
    ///
    /// Like [`Pattern::with_budget`].
    pub(crate) fn pattern(
        &mut self,
        source: &str,
        ignores_case: bool,
    ) -> Result<Pattern, PatternError> {
        let mut pattern = Pattern::with_budget(source, ignores_case, &self.budget)?;
        let kept = self.kept.saturating_add(pattern.size());
        let is_kept = kept <= self.keeps;
        if is_kept {
            self.kept = kept;
        }
        pattern.keep(is_kept);
        Ok(pattern)
    }

    /// A description of the block that contains a rule, which is stored with every rule in the block.
    pub(crate) fn place(&mut self, words: &str) -> String {
        self.places = self.places.saturating_add(words.len());
        if self.places <= MAX_PLACES {
            return words.to_owned();
        }
        words.chars().take(SHORT_PLACE).collect()
    }

    pub(crate) fn problem(&mut self, line: usize, kind: ProblemKind, message: impl Into<String>) {
        let counted = self.counts.entry(kind).or_default();
        counted.count += 1;
        if counted.count > MAX_PROBLEMS {
            if counted.count == MAX_PROBLEMS + 1 {
                counted.first_unlisted = line;
            }
            return;
        }
        self.problems.push(Problem {
            line,
            kind,
            message: message.into(),
        });
    }

    /// Reports the rules whose source has a fragment, unless the dialect has done so.
    pub(crate) fn report_fragments(&mut self) {
        let is_fragment = |problem: &&Problem| problem.kind == ProblemKind::FragmentSource;
        let told: BTreeSet<usize> = self
            .problems
            .iter()
            .filter(is_fragment)
            .map(|problem| problem.line)
            .collect();
        let rules = self.rules.iter();
        let rules = rules.filter(|rule| has_fragment(&rule.from) && !told.contains(&rule.line));
        let found: Vec<(usize, String)> = rules
            .map(|rule| {
                let from = &rule.from;
                let message = format!("the source {from:?} has a fragment, which no client sends");
                (rule.line, message)
            })
            .collect();
        for (line, message) in found {
            self.problem(line, ProblemKind::FragmentSource, message);
        }
    }

    /// The rules, and the problems by line; problems beyond the maximum are only counted.
    pub(crate) fn into_problems(mut self) -> (Vec<Rule>, Vec<Problem>) {
        for (first, Repetitions { line, count }) in std::mem::take(&mut self.repeated) {
            let times = match count {
                1 => "here".to_owned(),
                _ => format!("{count} times from here on"),
            };
            let first = self.included.place(first);
            let message = format!("the rule of {first}, which applies first, is repeated {times}");
            self.problem(line, ProblemKind::Irrelevant, message);
        }
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
        for (kind, counted) in self.counts {
            let ProblemCount {
                count,
                first_unlisted: line,
            } = counted;
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

    /// Whether a rule is that of an earlier line again, in a list in which the first match wins. The
    /// repetition is counted. `is_listed` says whether the rule with a number is in the same list.
    pub(crate) fn repeats(&mut self, rule: &Rule, is_listed: impl Fn(usize) -> bool) -> bool {
        let first = self.by_hash.get(&rule.content_hash()).copied();
        let earlier = first.filter(|first| is_listed(*first));
        let Some(earlier) = earlier.and_then(|first| self.rules.get(first)) else {
            return false;
        };
        let is_repeated = earlier.content() == rule.content();
        if is_repeated {
            self.repeated(earlier.line, rule.line, 1);
        }
        is_repeated
    }

    /// Adds a rule that later ones may repeat, and returns its number.
    pub(crate) fn rule_of_list(&mut self, rule: Rule) -> usize {
        self.by_hash.insert(rule.content_hash(), self.rules.len());
        self.rule(rule)
    }

    /// Counts rules that repeat the one of line `first`, where that one always applies instead.
    pub(crate) fn repeated(&mut self, first: usize, line: usize, count: usize) {
        let found = self.repeated.entry(first);
        let found = found.or_insert(Repetitions { line, count: 0 });
        found.count += count;
    }

    /// Adds a rule and returns its number.
    pub(crate) fn rule(&mut self, rule: Rule) -> usize {
        self.rules.push(rule);
        self.rules.len() - 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn class_of_characters_is_no_fragment() {
        for (source, expected) in [
            ("/a#b", true),
            ("^/a\\#b$", true),
            ("^/([^?#]+)$", false),
            ("^/[^\\]#]+$", false),
            ("^/[a-z]+#x$", true),
            ("/a", false),
        ] {
            assert_eq!(has_fragment(source), expected, "{source}");
        }
    }
}
