//! The directives of a server, of a virtual host, of an `.htaccess` or of a section in it.

use std::ops::Range;

use super::access::Access;
use super::alias::Redirects;
use super::errors::ErrorUrls;
use super::rewrite::Engine;

/// The directives of the server, or of a part of its configuration.
#[derive(Debug, Default)]
pub(super) struct Section {
    pub(super) names: Vec<String>,
    /// The ports of a virtual host; empty if it listens on every port.
    pub(super) ports: Vec<u16>,
    /// The indices of the rules of a virtual host.
    pub(super) rules: Range<usize>,
    pub(super) redirects: Redirects,
    pub(super) engine: Engine,
    /// The line of the first `DirectoryIndex`, and all names; `None` without that directive.
    pub(super) index: Option<(usize, Vec<String>)>,
    /// `Options Indexes`: folders without an index are listed.
    pub(super) lists: bool,
    /// The line of `Options MultiViews`.
    pub(super) negotiates: Option<usize>,
    pub(super) errors: ErrorUrls,
    /// `AcceptPathInfo On`: a file is served for every path below its own.
    pub(super) ignores_rest: bool,
    /// `DirectorySlash Off`
    pub(super) adds_no_slash: bool,
    pub(super) fallback: Option<Fallback>,
    pub(super) access: Access,
}

/// `FallbackResource`
#[derive(Debug)]
pub(super) struct Fallback {
    pub(super) line: usize,
    pub(super) rule: usize,
    pub(super) path: String,
}
