//! The redirect rules of servers, as far as an audit needs them.

use std::fmt;
use std::sync::Arc;

use baseref_findings::Finding;
use baseref_site::map::SiteMap;

/// The redirect rules of an audit.
pub trait Redirects: Send + Sync {
    /// What a server with these rules answers to a URL of a site of `map`.
    fn answer(&self, map: &SiteMap, url: &str) -> RedirectAnswer;

    /// The findings about the rules themselves, and about limits that their answers have hit so far.
    fn findings(&self) -> Vec<Finding>;
}

/// What a server answers by its redirect rules.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum RedirectAnswer {
    /// No rule applies.
    #[default]
    Nothing,
    /// A redirect.
    Redirect {
        /// The URL at the end of all redirects.
        to: String,
        /// The status of the first one.
        status: u16,
        /// The source of the redirect: a rule file and line, or the server.
        by: Arc<str>,
        /// What is at that URL.
        end: RedirectEnd,
    },
    /// A rewrite to this URL.
    Served(String),
    /// An error other than 404.
    Refused(u16),
    /// A redirect loop, by this source.
    Loop(Arc<str>),
    /// These lines decide, by request data that baseref cannot see.
    NotKnown(Arc<str>),
}

/// What is at the end of redirects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RedirectEnd {
    /// A file.
    File,
    /// Nothing.
    Nothing,
    /// Another site, which is not checked.
    Elsewhere,
    /// It depends on request data that baseref cannot see.
    NotKnown,
}

/// The rules of an audit, with [`fmt::Debug`].
#[derive(Clone)]
pub(crate) struct Asked(pub(crate) Arc<dyn Redirects>);

impl fmt::Debug for Asked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Asked")
    }
}
