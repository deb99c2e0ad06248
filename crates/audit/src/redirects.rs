//! What the redirect rules of the servers do to addresses. Whoever reads the rules, which is above this
//! crate, says so.

use std::fmt;
use std::sync::Arc;

use baseref_findings::Finding;
use baseref_site::map::SiteMap;

/// Redirect rules, asked address by address.
pub trait Redirects: Send + Sync {
    /// What a server with these rules answers to a URL of a site of `map`.
    fn answer(&self, map: &SiteMap, url: &str) -> RedirectAnswer;

    /// What is wrong with the rules themselves, and which limits their answers have met so far.
    fn findings(&self) -> Vec<Finding>;
}

/// What a server with redirect rules answers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum RedirectAnswer {
    /// What it would without them.
    #[default]
    Nothing,
    /// A redirect.
    Redirect {
        /// The URL at the end of all redirects.
        to: String,
        /// The status of the first one.
        status: u16,
        /// What redirects: a file of rules and the line, or the server.
        by: Arc<str>,
        /// What is there.
        end: RedirectEnd,
    },
    /// The file that another URL stands for.
    Served(String),
    /// An error other than 404.
    Refused(u16),
    /// Redirects without end.
    Loop(Arc<str>),
    /// What these lines say, which cannot be told here.
    NotKnown(Arc<str>),
}

/// What is at the end of redirects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RedirectEnd {
    /// A file.
    File,
    /// Nothing.
    Nothing,
    /// Another site, of which nothing is known.
    Elsewhere,
    /// What cannot be told here.
    NotKnown,
}

/// The rules of an audit.
#[derive(Clone)]
pub(crate) struct Asked(pub(crate) Arc<dyn Redirects>);

impl fmt::Debug for Asked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Asked")
    }
}
