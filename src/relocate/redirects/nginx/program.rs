//! The compiled directives of a server or location.

use std::collections::HashMap;

use super::code::Code;
use super::template::Template;
use crate::relocate::redirects::index::PrefixIndex;
use crate::relocate::redirects::pattern::Pattern;

/// What a location does once its address is final.
#[derive(Clone, Debug, Default)]
pub(super) struct Content {
    pub(super) index: Vec<String>,
    pub(super) try_files: Vec<Template>,
    /// The line of `try_files`.
    pub(super) line: usize,
    /// The line of a directive that passes the request to something else.
    pub(super) handed_on: Option<usize>,
}

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

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Flag {
    None,
    Last,
    Break,
    Redirect(u16),
}

#[derive(Debug)]
pub(super) enum Test {
    Filled(Template),
    Equal(Template, Template, bool),
    Match(Template, Pattern, bool),
    File(Template, bool),
    Directory(Template, bool),
    Exists(Template, bool),
}

#[derive(Debug, Default)]
pub(super) struct Map {
    pub(super) line: usize,
    pub(super) source: Template,
    /// Keys in lower case, as nginx compares them.
    pub(super) exact: HashMap<Vec<u8>, (usize, Template)>,
    pub(super) patterns: Vec<(Pattern, usize, Template)>,
    pub(super) index: PrefixIndex,
    pub(super) default: Option<Template>,
}
