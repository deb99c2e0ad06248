//! A link as rules see it.

use crate::cache::target::CachedTarget;
use crate::model::target::Resolved;
use crate::view::page::Page;
use baseref_document::Reference;
use baseref_reader::extract::Link;

/// A link and its target.
pub(crate) struct LinkView<'s, 'p> {
    pub(crate) page: &'s Page<'p>,
    pub(crate) link: &'s Link<'s>,
    pub(crate) resolved: Resolved,
}

/// A link that is similar to an earlier one without findings: on a page with the same encoding and
/// scheme, whose base is in the same folder, and with the same value up to the fragment.
pub(crate) struct SimilarLink<'l, 'p, 'r> {
    pub(crate) page: &'l Page<'p>,
    pub(crate) reference: &'l Reference<'r>,
    pub(crate) target: CachedTarget,
    pub(crate) fragment: Option<&'r str>,
}
