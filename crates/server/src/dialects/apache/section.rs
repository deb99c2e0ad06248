//! The directives of a server, of a virtual host, of an `.htaccess` or of a section in one of them.

use std::ops::Range;

use super::access::Access;
use super::alias::{Aliases, Redirects, Target};
use super::environment::Environment;
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
    /// `DocumentRoot`, without a final slash.
    pub(super) root: Option<String>,
    pub(super) redirects: Redirects,
    /// A `Redirect` of everything in a section.
    pub(super) target: Option<Target>,
    pub(super) aliases: Aliases,
    pub(super) engine: Engine,
    pub(super) errors: ErrorUrls,
    pub(super) access: Access,
    pub(super) environment: Environment,
    pub(super) settings: Settings,
    /// The line of the first directive for which others may stand that are not known.
    pub(super) unread: Option<usize>,
}

/// How files are served. `None` leaves it to the section outside.
#[derive(Debug, Default)]
pub(super) struct Settings {
    /// The line of the first `DirectoryIndex`, and all names.
    pub(super) index: Option<(usize, Vec<String>)>,
    /// `DirectoryIndexRedirect`: the status with which a folder redirects to its index.
    pub(super) index_status: Option<Switch<u16>>,
    /// `Options Indexes`: folders without an index are listed.
    pub(super) lists: Option<bool>,
    /// `Options FollowSymLinks` or `SymLinksIfOwnerMatch`, which rewriting in a folder needs.
    pub(super) follows_links: Option<bool>,
    /// The line of `Options MultiViews`, if it is on.
    pub(super) negotiates: Option<Switch<usize>>,
    /// `AcceptPathInfo On`: a file is served for every path below its own.
    pub(super) ignores_rest: Option<bool>,
    /// `DirectorySlash Off`
    pub(super) adds_no_slash: Option<bool>,
    pub(super) fallback: Option<Switch<Fallback>>,
    /// `CheckSpelling`
    pub(super) checks_spelling: Option<bool>,
    /// `CheckCaseOnly`
    pub(super) checks_case_only: Option<bool>,
    /// `AllowEncodedSlashes`
    pub(super) encoded_slashes: Option<EncodedSlashes>,
    /// `MergeSlashes Off`
    pub(super) keeps_slashes: Option<bool>,
}

/// A setting that is off, or on with a value.
#[derive(Clone, Copy, Debug)]
pub(super) enum Switch<T> {
    Off,
    On(T),
}

impl<T> Switch<T> {
    /// On with a value, or off.
    pub(super) fn new(value: Option<T>) -> Self {
        value.map_or(Self::Off, Self::On)
    }

    /// The value, if it is on.
    pub(super) fn value(&self) -> Option<&T> {
        match self {
            Self::On(value) => Some(value),
            Self::Off => None,
        }
    }
}

/// What the server makes of `%2F` in a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum EncodedSlashes {
    /// The request is answered with 404.
    Refused,
    Decoded,
    /// It stays `%2F`.
    Kept,
}

/// `FallbackResource`
#[derive(Debug)]
pub(super) struct Fallback {
    pub(super) line: usize,
    pub(super) rule: usize,
    pub(super) path: String,
}

/// The directives that apply to a request, outer sections first: an inner one takes precedence.
#[derive(Clone, Debug, Default)]
pub(super) struct Applied<'a> {
    /// The server and the virtual host, or the folder of an `.htaccess`.
    pub(super) outer: Vec<&'a Section>,
    pub(super) inner: Vec<Inner<'a>>,
}

/// A section within the server or the folder.
#[derive(Clone, Copy, Debug)]
pub(super) struct Inner<'a> {
    pub(super) section: &'a Section,
    /// The path of the folder that a `<Directory>` names, with a slash at both ends.
    pub(super) mount: Option<&'a str>,
}

impl<'a> Applied<'a> {
    /// All sections, outer ones first.
    pub(super) fn all(&self) -> impl DoubleEndedIterator<Item = &'a Section> + '_ {
        let inner = self.inner.iter().map(|inner| inner.section);
        self.outer.iter().copied().chain(inner)
    }

    /// The line of a section that includes what is not known.
    pub(super) fn unread(&self) -> Option<usize> {
        self.inner.iter().find_map(|inner| inner.section.unread)
    }

    /// What the innermost section that has such a setting says.
    pub(super) fn setting<T>(&self, get: impl Fn(&'a Settings) -> Option<T>) -> Option<T> {
        self.all().rev().find_map(|section| get(&section.settings))
    }
}
