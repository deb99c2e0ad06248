//! What a server does beside running its directives: the content of a location, and maps.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use super::root::Root;
use super::template::Template;
use crate::engine::index::PrefixIndex;
use crate::engine::pattern::Pattern;

/// What a location does once its address is final. What it does not say is that of what is around it.
#[derive(Clone, Debug, Default)]
pub(super) struct Content {
    pub(super) index: Arc<[String]>,
    pub(super) try_files: Arc<[Template]>,
    /// The line of `try_files`.
    pub(super) line: usize,
    /// The line of a directive that passes the request to something else.
    pub(super) handed_on: Option<usize>,
    /// Whether a request for its path without the final slash is redirected to it, since it is handed on.
    pub(super) adds_slash: bool,
    pub(super) root: Root,
    /// The pages of errors, by their status.
    pub(super) errors: Arc<BTreeMap<u16, ErrorPage>>,
    pub(super) access: Access,
    /// `internal`: clients get nothing from it.
    pub(super) is_internal: bool,
    /// `autoindex`: folders without an index are listed.
    pub(super) lists: bool,
    pub(super) origin: Origin,
}

/// Whom the content is for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Access {
    #[default]
    All,
    None,
    /// That depends on the client, as this line says.
    Some(usize),
}

/// `error_page` for one status.
#[derive(Clone, Debug)]
pub(super) struct ErrorPage {
    pub(super) line: usize,
    pub(super) rule: Option<usize>,
    /// The status of the answer in its place; 0 for that of the page.
    pub(super) answers: Option<u16>,
    /// A path, a URL or the name of a location.
    pub(super) to: Arc<Template>,
}

/// How redirects to a path name the server.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Origin {
    /// As the client did, ...
    #[default]
    Full,
    /// ... but without the port.
    WithoutPort,
    /// Not at all.
    Relative,
}

#[derive(Debug, Default)]
pub(super) struct Map {
    pub(super) line: usize,
    /// Whether it is looked up each time.
    pub(super) is_volatile: bool,
    pub(super) source: Template,
    /// Keys in lower case, as nginx compares them.
    pub(super) exact: HashMap<Vec<u8>, (usize, Template)>,
    pub(super) patterns: Vec<(Pattern, usize, Template)>,
    pub(super) index: PrefixIndex,
    pub(super) default: Option<Template>,
}
