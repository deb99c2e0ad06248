//! The verdict on a link, as far as it is known.

use std::ops::Range;

use crate::model::class::LinkClass;
use crate::model::site_file::SiteFile;
use baseref_document::Position;
use baseref_document::link_places::LinkPlace;
use baseref_evidence::captures::Need;

/// A link that is listed whatever its verdict.
#[derive(Debug)]
pub(crate) struct ListedLink {
    pub(crate) slot: &'static LinkPlace,
    /// The name of its element, if it differs from its slot's.
    pub(crate) element: Option<Box<str>>,
    pub(crate) at: Option<Position>,
    /// Its value in the texts of its scan.
    pub(crate) raw: Range<u32>,
    /// Its URL there, if it has one.
    pub(crate) url: Option<Range<u32>>,
    /// What it needs its target for.
    pub(crate) need: Need,
    pub(crate) outcome: LinkOutcome,
}

/// The verdict on a link.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LinkOutcome {
    pub(crate) class: LinkClass,
    pub(crate) file: Option<SiteFile>,
    pub(crate) how: &'static str,
    pub(crate) fragment: Fragment,
    /// The class of what is at the end of a redirect.
    pub(crate) end: &'static str,
}

/// Whether the fragment of a link was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fragment {
    /// It has none, or none that is judged.
    None,
    /// It will be looked up once all pages are known.
    Pending,
    Found,
    Missing,
}

impl LinkOutcome {
    /// The verdict on a link that leads to no file.
    pub(crate) fn of(class: LinkClass) -> Self {
        Self {
            class,
            file: None,
            how: "",
            fragment: Fragment::None,
            end: "",
        }
    }
}
