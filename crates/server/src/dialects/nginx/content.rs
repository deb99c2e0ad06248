//! The content of a location, and maps.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use super::root::Root;
use super::template::Template;
use crate::engine::index::PrefixIndex;
use crate::engine::pattern::Pattern;

/// How a location answers once the address is final. Missing settings are inherited from the enclosing
/// block.
#[derive(Clone, Debug, Default)]
pub(super) struct Content {
    pub(super) index: Arc<[String]>,
    pub(super) try_files: Arc<[Template]>,
    /// The line of `try_files`.
    pub(super) line: usize,
    /// The line of a directive that hands the request to something else.
    pub(super) handed_on: Option<usize>,
    /// Whether a request without its final slash is redirected, which is so for locations that hand
    /// requests on.
    pub(super) adds_slash: bool,
    pub(super) root: Root,
    /// Error pages by status.
    pub(super) errors: Arc<BTreeMap<u16, ErrorPage>>,
    pub(super) access: Access,
    /// `internal`: clients cannot request it.
    pub(super) is_internal: bool,
    /// `autoindex`: folders without an index are listed.
    pub(super) lists: bool,
    pub(super) origin: Origin,
}

/// Which clients may see the content.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Access {
    #[default]
    All,
    None,
    /// Some of them, according to this line.
    Some(usize),
}

/// `error_page` for one status.
#[derive(Clone, Debug)]
pub(super) struct ErrorPage {
    pub(super) line: usize,
    pub(super) rule: Option<usize>,
    /// The status of the response; 0 for the status of the page.
    pub(super) answers: Option<u16>,
    /// A path, a URL or a named location.
    pub(super) to: Arc<Template>,
}

/// How redirects to a path become absolute.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Origin {
    /// With the host and port of the request, ...
    #[default]
    Full,
    /// ... or without the port.
    WithoutPort,
    /// They stay relative.
    Relative,
}

#[derive(Debug, Default)]
pub(super) struct Map {
    pub(super) line: usize,
    /// Whether it is evaluated at each use.
    pub(super) is_volatile: bool,
    pub(super) source: Template,
    /// Keys in lower case, as nginx compares them.
    pub(super) exact: HashMap<Vec<u8>, (usize, Template)>,
    pub(super) patterns: Vec<(Pattern, usize, Template)>,
    pub(super) index: PrefixIndex,
    pub(super) default: Option<Template>,
    /// The line of an unsupported directive that may add keys.
    pub(super) unread: Option<usize>,
}
