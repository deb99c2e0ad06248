//! The outcome of checking a link.

use std::ops::Range;

use crate::model::class::LinkClass;
use crate::model::site_file::SiteFile;
use baseref_document::Position;
use baseref_document::link_places::LinkPlace;
use baseref_evidence::captures::Need;

/// A link that is listed in the output, with or without findings.
#[derive(Debug)]
pub(crate) struct ListedLink {
    pub(crate) slot: &'static LinkPlace,
    /// The name of its element, if it differs from that in the link place.
    pub(crate) element: Option<Box<str>>,
    pub(crate) at: Option<Position>,
    /// The range of its value in the texts of its scan.
    pub(crate) raw: Range<u32>,
    /// The range of its URL in those texts, if it has one.
    pub(crate) url: Option<Range<u32>>,
    /// Whether it needs its target as a page or as a resource.
    pub(crate) need: Need,
    pub(crate) outcome: LinkOutcome,
}

/// The outcome of checking a link.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LinkOutcome {
    pub(crate) class: LinkClass,
    pub(crate) file: Option<SiteFile>,
    pub(crate) how: &'static str,
    pub(crate) fragment: Fragment,
    /// The class of the end of a captured redirect; empty for other links.
    pub(crate) end: &'static str,
}

/// Whether the fragment of a link was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fragment {
    /// The link has no fragment, or one that is not checked.
    None,
    /// The fragment is looked up once all pages are scanned.
    Pending,
    Found,
    Missing,
}

impl LinkOutcome {
    /// The outcome for a link that leads to no file.
    pub(crate) fn new(class: LinkClass) -> Self {
        Self {
            class,
            file: None,
            how: "",
            fragment: Fragment::None,
            end: "",
        }
    }
}
