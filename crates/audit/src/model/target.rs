//! What a URL leads to.

use std::sync::Arc;

use crate::model::class::LinkClass;
use crate::model::site_file::SiteFile;
use baseref_findings::{Related, Violation};

/// What a URL leads to, as far as that is independent of the link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Resolved {
    pub(crate) class: LinkClass,
    pub(crate) file: Option<SiteFile>,
    /// How the URL led to that file, in a word.
    pub(crate) how: &'static str,
    /// Whether there are remarks on it.
    pub(crate) notable: bool,
}

impl Resolved {
    /// A URL that leads to no file.
    pub(crate) fn nothing(class: LinkClass, notable: bool) -> Self {
        Self {
            class,
            file: None,
            how: "",
            notable,
        }
    }
}

/// A remark on the file that a URL leads to, or on its absence.
#[derive(Clone, Debug)]
pub(crate) struct Remark {
    pub(crate) violation: Violation,
    /// The URL or file that findings with the same cause share.
    pub(crate) target: Arc<str>,
    /// The file that answers nevertheless.
    pub(crate) file: Option<SiteFile>,
    /// That file, as findings refer to it.
    pub(crate) related: Arc<[Related]>,
    pub(crate) suggestions: Arc<[String]>,
}
