//! The settings of a site.

use std::collections::HashMap;

use crate::engine::index::PrefixIndex;
use crate::engine::pattern::Pattern;

#[derive(Debug, Default)]
pub(crate) struct Iis {
    pub(super) rules: Vec<Rewrite>,
    pub(super) by_path: PrefixIndex,
    pub(super) maps: HashMap<String, Map>,
    pub(super) everything: Option<HttpRedirect>,
    pub(super) documents: Vec<String>,
    /// Whether folders without a default document are listed.
    pub(super) lists: bool,
    /// Whether paths may have a plus sign or an escaped percent sign.
    pub(super) allows_double_escapes: bool,
    /// The settings of folders and files.
    pub(super) locations: Vec<Location>,
}

/// A `<location>`: settings for one folder or file.
#[derive(Debug)]
pub(super) struct Location {
    /// In lower case, without its first slash.
    pub(super) path: String,
    pub(super) line: usize,
    /// Its redirect; `None` if its settings are not read.
    pub(super) redirect: Option<HttpRedirect>,
}

#[derive(Debug)]
pub(super) struct Rewrite {
    pub(super) rule: Option<usize>,
    pub(super) line: usize,
    pub(super) test: Test,
    pub(super) conditions: Vec<Condition>,
    pub(super) needs_all: bool,
    /// Whether `{C:n}` counts the groups of all conditions in a row, instead of those of the last one.
    pub(super) tracks_all: bool,
    pub(super) action: Action,
    pub(super) stops: bool,
}

impl Rewrite {
    /// Whether no rule after it is tried where it applies.
    pub(super) fn is_last(&self) -> bool {
        let is_answer = match self.action {
            Action::Redirect { .. } | Action::Refuse(_) | Action::Unknown => true,
            Action::Rewrite { .. } | Action::Nothing => false,
        };
        is_answer || self.stops
    }
}

/// A pattern, and whether it must not match.
#[derive(Debug)]
pub(super) struct Test {
    pub(super) pattern: Pattern,
    pub(super) is_negated: bool,
}

#[derive(Debug)]
pub(super) struct Condition {
    pub(super) input: String,
    pub(super) test: ConditionTest,
}

#[derive(Debug)]
pub(super) enum ConditionTest {
    Text(Test),
    File { is_negated: bool },
    Directory { is_negated: bool },
}

#[derive(Debug)]
pub(super) enum Action {
    Redirect {
        to: String,
        status: u16,
        keeps_query: bool,
    },
    Rewrite {
        to: String,
        keeps_query: bool,
    },
    Refuse(u16),
    Nothing,
    /// An unsupported condition.
    Unknown,
}

#[derive(Debug)]
pub(super) struct Map {
    pub(super) values: HashMap<String, String>,
    pub(super) default: String,
}

#[derive(Debug)]
pub(super) struct HttpRedirect {
    pub(super) rule: usize,
    pub(super) line: usize,
    pub(super) to: String,
    pub(super) status: u16,
    pub(super) is_exact: bool,
    /// Whether it is for the content of the folder, but not of those in it.
    pub(super) is_for_children: bool,
    /// Whether it has wildcards, which are not supported.
    pub(super) is_unread: bool,
}
