//! Rules as they are read, what is wrong with them, and what a server answers by them.

/// One rule, as a report shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rule {
    /// The line it starts on, 1-based.
    pub line: usize,
    /// What it matches, as written.
    pub from: String,
    /// Where it leads, as written; none for a rule that only refuses.
    pub to: Option<String>,
    /// The status it answers with; 200 for one that serves another file in place.
    pub status: u16,
    /// Whether the file leaves the status out.
    pub status_is_default: bool,
    /// Whether it matches one path alone.
    pub is_exact: bool,
    /// Paths, as a client sends them, that it would match if no other rule came first. Empty
    /// where none can be made up from the rule.
    pub samples: Vec<String>,
}

/// What is wrong with a line of rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Trouble {
    /// The server reads it and this program does not.
    NotRead,
    /// A directive that has nothing to do with where a URL leads.
    Irrelevant,
    /// The server leaves the line out.
    Dropped,
    /// The server leaves it out because there are too many, or the line is too long.
    OverLimit,
    /// The server refuses the whole file.
    Refused,
    /// The source has a fragment, which no client sends.
    FragmentSource,
}

/// A line of a rule file that does not work as one may think.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// 1-based.
    pub line: usize,
    /// The kind.
    pub trouble: Trouble,
    /// A sentence about it, without the place.
    pub message: String,
}

/// What a server answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// A redirect to `location`, which is relative to the URL asked for.
    Redirect {
        /// 3xx.
        status: u16,
        /// The value of the `Location` field.
        location: String,
        /// The rule, or none where the server does it by itself.
        rule: Option<usize>,
    },
    /// A file of the site: its path below the root, decoded, from the first slash on.
    File {
        /// Where the file stands.
        path: Vec<u8>,
        /// 200, or what a rule says.
        status: u16,
        /// The rule that put this file in the place of the one asked for.
        rule: Option<usize>,
    },
    /// No file: a status without a target (404, 410, 403 and the like).
    Refused {
        /// 4xx or 5xx.
        status: u16,
        /// The rule, or none where there is simply nothing.
        rule: Option<usize>,
    },
    /// A rule decides that cannot be read.
    Unknown {
        /// The line of that rule.
        line: usize,
    },
}

/// What a dialect's reader collects, in the order of the file.
#[derive(Debug, Default)]
pub(super) struct Read {
    pub(super) rules: Vec<Rule>,
    pub(super) problems: Vec<Problem>,
}

impl Read {
    pub(super) fn problem(&mut self, line: usize, trouble: Trouble, message: impl Into<String>) {
        self.problems.push(Problem {
            line,
            trouble,
            message: message.into(),
        });
    }

    /// Adds a rule and returns its number.
    pub(super) fn rule(&mut self, rule: Rule) -> usize {
        self.rules.push(rule);
        self.rules.len() - 1
    }
}
