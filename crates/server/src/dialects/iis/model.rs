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
    /// Paths in lower case and without their first slash that have unsupported settings of their own,
    /// and the lines of these settings.
    pub(super) unread: Vec<(String, usize)>,
}

#[derive(Debug)]
pub(super) struct Rewrite {
    pub(super) rule: Option<usize>,
    pub(super) line: usize,
    pub(super) test: Test,
    pub(super) conditions: Vec<Condition>,
    pub(super) needs_all: bool,
    pub(super) action: Action,
    pub(super) stops: bool,
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
    /// Whether it applies only to files of the folder, which is not supported.
    pub(super) is_unread: bool,
}
