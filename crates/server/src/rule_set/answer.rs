use std::fmt;
use std::sync::Arc;

use baseref_findings::Finding;
use baseref_site::map::SiteMap;

/// Redirect rules that answer for addresses.
pub trait Redirects: fmt::Debug + Send + Sync {
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

/// The kind of the end of redirects.
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
