//! The target of a URL.

use std::sync::Arc;

use crate::model::class::LinkClass;
use crate::model::site_file::SiteFile;
use baseref_findings::{Related, Violation};

/// The target of a URL, regardless of the link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Resolved {
    pub(crate) class: LinkClass,
    pub(crate) file: Option<SiteFile>,
    /// In place of a file, the number of the entry of a ZIM file.
    pub(crate) entry: Option<u32>,
    /// How the URL led to that file, in one word.
    pub(crate) how: &'static str,
    /// Whether there are remarks on the target.
    pub(crate) notable: bool,
}

impl Resolved {
    /// The target of a URL that leads to no file.
    pub(crate) fn nothing(class: LinkClass, notable: bool) -> Self {
        Self {
            class,
            file: None,
            entry: None,
            how: "",
            notable,
        }
    }
}

/// A notable fact about the target of a URL, for a finding about each link to it.
#[derive(Clone, Debug)]
pub(crate) struct Remark {
    pub(crate) violation: Violation,
    /// The URL or file that the link leads to.
    pub(crate) target: Arc<str>,
    /// The outermost missing folder above it, by which findings are then grouped.
    pub(crate) folder: Option<Arc<str>>,
    /// The file that the server answers with.
    pub(crate) file: Option<SiteFile>,
    /// That file, as findings refer to it.
    pub(crate) related: Arc<[Related]>,
    pub(crate) suggestions: Arc<[String]>,
}
