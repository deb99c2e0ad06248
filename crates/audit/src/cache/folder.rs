//! Caches the targets of links by reference, for the pages of one folder.
//!
//! The pages of a folder use the same references for the same targets. Apart from its fragment, the
//! target of a relative reference depends only on the folder of its base, and a reference without
//! findings on one page has none on the next, unless one of the [`checks`] looks at more than that.
//! Most links are therefore neither resolved nor looked up. A captured page belongs to the folder
//! of its URL, and its cached targets are URLs to look up among the captures.

use std::collections::HashMap;

use encoding_rs::Encoding;
use foldhash::fast::RandomState;
use memchr::memchr;

use crate::cache::target::CachedTarget;
use crate::checks;
use crate::checks::syntax;
use crate::model::provenance::Provenance;
use crate::view::link::SimilarLink;
use crate::view::page::Page;
use baseref_document::{Context, Reference};

/// The targets of the references in one folder.
#[derive(Debug, Default)]
pub(crate) struct Folder {
    scope: Option<Scope>,
    /// The target of a fragment-only reference: the current page, if known.
    own: Option<CachedTarget>,
    targets: HashMap<Box<str>, CachedTarget, RandomState>,
}

/// The key that the target of a reference and its findings depend on.
#[derive(Debug, PartialEq, Eq)]
struct Scope {
    /// The base up to the last slash of its path.
    base: String,
    encoding: &'static Encoding,
    /// Whether the page is served over `https`, so that mixed content matters.
    is_secure: bool,
    /// Whether the page is on a private host, so that links to private hosts are expected.
    is_private: bool,
    /// Whether it is a captured page.
    is_captured: bool,
}

impl Folder {
    /// The maximum number of references; then the cache is cleared.
    const MOST: usize = 1 << 16;
    /// Longer references are not cached.
    const LONGEST: usize = 256;

    /// Starts a page. Returns whether its references can be cached.
    pub(crate) fn enter(&mut self, page: &Page<'_>) -> bool {
        let Some(base) = folder_of(page) else {
            return false;
        };
        self.own = None;
        let is_secure = page.is_secure();
        let is_private = page.is_private;
        let is_captured = page.own.is_none();
        let is_same = self.scope.as_ref().is_some_and(|scope| {
            scope.base == base
                && scope.encoding == page.encoding
                && scope.is_secure == is_secure
                && scope.is_private == is_private
                && scope.is_captured == is_captured
        });
        if !is_same {
            self.targets.clear();
            self.scope = Some(Scope {
                base: base.to_owned(),
                encoding: page.encoding,
                is_secure,
                is_private,
                is_captured,
            });
        }
        true
    }

    /// Clears the cache.
    pub(crate) fn forget(&mut self) {
        *self = Self::default();
    }

    /// The cached target and the fragment of a reference on the current page; `None` if a check
    /// must look at the reference itself.
    pub(crate) fn target<'r>(
        &self,
        page: &Page<'_>,
        reference: &Reference<'r>,
    ) -> Option<(CachedTarget, Option<&'r str>)> {
        if !is_of_page(reference) {
            return None;
        }
        // Only references without findings are cached.
        let (bare, fragment) = match memchr(b'#', reference.value.as_bytes()) {
            Some(hash) => (&reference.value[..hash], Some(&reference.value[hash + 1..])),
            None => (reference.value, None),
        };
        let target = if bare.is_empty() && fragment.is_some() {
            self.own?
        } else {
            *self.targets.get(bare)?
        };
        let similar = SimilarLink {
            page,
            reference,
            target,
            fragment,
        };
        (!checks::look_at_link(&similar)).then_some((target, fragment))
    }

    /// Caches the target of a reference without findings, unless a check must look at every
    /// reference like it.
    pub(crate) fn remember(
        &mut self,
        page: &Page<'_>,
        reference: &Reference<'_>,
        target: CachedTarget,
    ) {
        let value = syntax::unremarkable(reference.value).filter(|_| is_of_page(reference));
        let Some((bare, fragment)) = value else {
            return;
        };
        let similar = SimilarLink {
            page,
            reference,
            target,
            fragment,
        };
        if checks::look_at_link(&similar) {
            return;
        }
        let is_plain = page.comparison.is_plain(reference.value);
        match bare.as_bytes().first() {
            // If the base leads to another page, every fragment-only link has a finding.
            None if fragment.is_some() && is_own(&target, page) => self.own = Some(target),
            // These depend on the whole base.
            None | Some(b'?' | b';') => {}
            _ if bare.len() > Self::LONGEST || !is_plain && bare.contains([':', ';']) => {}
            _ => {
                if self.targets.len() >= Self::MOST {
                    self.targets.clear();
                }
                self.targets.insert(bare.into(), target);
            }
        }
    }
}

/// The folder of the base of a page; `None` if targets and findings depend on more than that.
fn folder_of<'p>(page: &Page<'p>) -> Option<&'p str> {
    // The links of other documents without a file depend on more.
    let is_captured = page.provenance == Provenance::Archive && page.url.is_some();
    let is_known = page.own.is_some() || page.entry.is_some();
    if !is_known && !is_captured || checks::look_at_page(page) {
        return None;
    }
    page.comparison.plain_folder()
}

/// Whether a target is the current page.
fn is_own(target: &CachedTarget, page: &Page<'_>) -> bool {
    target.file == page.own && target.entry == page.entry
}

fn is_of_page(reference: &Reference<'_>) -> bool {
    reference.context == Context::Document && !reference.cut && reference.slot.attr != "usemap"
}
