//! A link as rules see it.
//!
//! Most links of a site's pages are similar to an earlier one without findings, and the cache of
//! [`crate::cache::references`] answers for them. A check that may still have a finding about such a link
//! must be asked again. Which links these are follows from the type of the view that the check takes:
//! a [`SharedView`] gives only what similar links have in common, and the other two name a condition.

use std::marker::PhantomData;
use std::ops::Deref;
use std::sync::Arc;

use memchr::memchr;

use crate::cache::target::CachedTarget;
use crate::model::class::LinkClass;
use crate::model::target::Resolved;
use crate::view::page::Page;
use baseref_document::Reference;
use baseref_findings::{Finding, Violation};
use baseref_reader::links::Link;
use baseref_resolve::ResolveError;

/// A link and its target.
#[derive(Clone, Copy)]
pub(crate) struct LinkView<'s, 'p> {
    pub(crate) page: &'s Page<'p>,
    pub(crate) link: &'s Link<'s>,
    pub(crate) resolved: Resolved,
}

impl LinkView<'_, '_> {
    /// A finding about the link.
    pub(crate) fn finding(
        &self,
        cause: impl Into<Arc<str>>,
        violation: impl Into<Violation>,
    ) -> Finding {
        self.page.finding(self.link, cause, violation)
    }
}

/// A link that is similar to an earlier one without findings: on a page with the same encoding and
/// scheme, with the same value up to the fragment, and a base in the same folder, or on the same host if
/// the value begins at its root or with a host.
pub(crate) struct SimilarLink<'l, 'p, 'r> {
    pub(crate) page: &'l Page<'p>,
    pub(crate) reference: &'l Reference<'r>,
    pub(crate) target: CachedTarget,
    pub(crate) fragment: Option<&'r str>,
}

/// The links that a check must see although a similar one had no findings.
pub(crate) enum LooksAt {
    /// None.
    Nothing,
    /// Every link of a page for which this holds.
    Page(fn(&Page<'_>) -> bool),
    /// Links for which this holds.
    Link(fn(&SimilarLink<'_, '_, '_>) -> bool),
}

mod sealed {
    pub(crate) trait Sealed {}
}

/// The view that a check takes of a link.
pub(crate) trait View<'s, 'p>: sealed::Sealed + Sized {
    const LOOKS_AT: LooksAt;

    /// `None` for links in which the check can have no findings.
    fn new(link: LinkView<'s, 'p>) -> Option<Self>;
}

/// What similar links have in common, and links that are similar to no other.
pub(crate) struct SharedView<'s, 'p>(LinkView<'s, 'p>);

impl sealed::Sealed for SharedView<'_, '_> {}

impl<'s, 'p> View<'s, 'p> for SharedView<'s, 'p> {
    const LOOKS_AT: LooksAt = LooksAt::Nothing;

    fn new(link: LinkView<'s, 'p>) -> Option<Self> {
        Some(Self(link))
    }
}

impl<'s, 'p> SharedView<'s, 'p> {
    /// The encoding of the page.
    pub(crate) fn encoding(&self) -> &'static encoding_rs::Encoding {
        self.0.page.encoding
    }

    /// The value up to its fragment.
    pub(crate) fn bare(&self) -> &'s str {
        let value = self.0.link.reference.value;
        &value[..memchr(b'#', value.as_bytes()).unwrap_or(value.len())]
    }

    pub(crate) fn has_url(&self) -> bool {
        self.0.link.url.is_ok()
    }

    /// The link, if its value is empty. The cache holds no such link.
    pub(crate) fn empty(&self) -> Option<&LinkView<'s, 'p>> {
        let value = self.0.link.reference.value;
        value.trim_ascii().is_empty().then_some(&self.0)
    }

    /// The link, if its value is only a fragment or empty. The cache holds such links for one page,
    /// and only if they lead to that page.
    pub(crate) fn only_fragment(&self) -> Option<&LinkView<'s, 'p>> {
        let value = self.0.link.reference.value.trim_ascii();
        matches!(value.as_bytes().first(), None | Some(b'#')).then_some(&self.0)
    }

    /// The link and why it has no URL, if so. The cache holds no such link.
    pub(crate) fn without_url(&self) -> Option<(&LinkView<'s, 'p>, ResolveError)> {
        Some((&self.0, self.0.link.url.err()?))
    }

    /// The link and its URL, if the target is notable. The cache holds no such link, except links to
    /// private hosts on a page that is on one.
    pub(crate) fn notable(&self) -> Option<(&LinkView<'s, 'p>, &'s str)> {
        let url = self.0.link.url.ok()?;
        self.0.resolved.notable.then_some((&self.0, url))
    }

    /// The link and its URL, if it leads to another site, whose server is never sent the fragment.
    pub(crate) fn external(&self) -> Option<(&LinkView<'s, 'p>, &'s str)> {
        let url = self.0.link.url.ok()?;
        (self.0.resolved.class == LinkClass::External).then_some((&self.0, url))
    }

    /// A finding about the link.
    pub(crate) fn finding(
        &self,
        cause: impl Into<Arc<str>>,
        violation: impl Into<Violation>,
    ) -> Finding {
        self.0.finding(cause, violation)
    }
}

/// A condition on a page.
pub(crate) trait PageCondition {
    fn holds(page: &Page<'_>) -> bool;
}

/// A link of a page for which `C` holds. No link of such a page is cached.
pub(crate) struct PageView<'s, 'p, C>(LinkView<'s, 'p>, PhantomData<C>);

impl<C> sealed::Sealed for PageView<'_, '_, C> {}

impl<'s, 'p, C: PageCondition> View<'s, 'p> for PageView<'s, 'p, C> {
    const LOOKS_AT: LooksAt = LooksAt::Page(C::holds);

    fn new(link: LinkView<'s, 'p>) -> Option<Self> {
        C::holds(link.page).then_some(Self(link, PhantomData))
    }
}

impl<'s, 'p, C> Deref for PageView<'s, 'p, C> {
    type Target = LinkView<'s, 'p>;

    fn deref(&self) -> &Self::Target {
        &self.0
    }
}

/// A condition on a link that is similar to one without findings.
pub(crate) trait LinkCondition {
    /// Whether there may be a finding about it all the same.
    fn may_differ(link: &SimilarLink<'_, '_, '_>) -> bool;
}

/// A link, which the check must see whenever `C` says that it may differ from similar ones.
pub(crate) struct WholeView<'s, 'p, C>(LinkView<'s, 'p>, PhantomData<C>);

impl<C> sealed::Sealed for WholeView<'_, '_, C> {}

impl<'s, 'p, C: LinkCondition> View<'s, 'p> for WholeView<'s, 'p, C> {
    const LOOKS_AT: LooksAt = LooksAt::Link(C::may_differ);

    fn new(link: LinkView<'s, 'p>) -> Option<Self> {
        Some(Self(link, PhantomData))
    }
}

impl<'s, 'p, C> Deref for WholeView<'s, 'p, C> {
    type Target = LinkView<'s, 'p>;

    fn deref(&self) -> &Self::Target {
        &self.0
    }
}
