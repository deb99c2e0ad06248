//! Caches the targets of links by reference, for the pages of one host and of one folder.
//!
//! The pages of a site use the same references for the same targets. Apart from its fragment, the
//! target of a reference that begins with a slash or with `http:` depends only on the host of its base,
//! and the target of any other relative reference only on the folder of its base. A reference without
//! findings on one page has none on the next, unless one of the [`checks`] looks at more than that.
//! Most links are therefore neither resolved nor looked up. A captured page belongs to the folder
//! of its URL, and its cached targets are URLs to look up among the captures.

use std::collections::HashMap;
use std::sync::Arc;

use encoding_rs::Encoding;
use foldhash::fast::RandomState;
use memchr::memchr;

use crate::cache::target::{CachedTarget, OwnLinksId};
use crate::cache::url_cache::MOST_BYTES;
use crate::checks;
use crate::checks::syntax;
use crate::compare::Disagreement;
use crate::model::provenance::Provenance;
use crate::serving::own_links::OwnLink;
use crate::view::link::SimilarLink;
use crate::view::page::Page;
use baseref_document::{Context, Reference};
use baseref_resolve::parts;

/// The targets of references on the pages of one host.
#[derive(Debug, Default)]
pub(crate) struct ReferenceCache {
    scope: Option<Scope>,
    /// The base of the latest page up to the last slash of its path.
    folder: String,
    /// The target of a fragment-only reference: the current page, if known.
    own: Option<CachedTarget>,
    /// The targets of references that depend on the folder.
    in_folder: PerReference<CachedTarget>,
    /// The targets of references that do not.
    on_host: PerReference<CachedTarget>,
    /// Whether the rule sets disagree on references of the folder that are not plain.
    compared: PerReference<Option<Arc<Disagreement>>>,
    /// The hints in cached links to the addresses that sites give themselves.
    own_links: Vec<Box<[OwnLink]>>,
}

/// A value for each reference.
#[derive(Debug)]
struct PerReference<T> {
    known: HashMap<Box<str>, T, RandomState>,
    /// The total length of the references in bytes.
    bytes: usize,
}

impl<T> Default for PerReference<T> {
    fn default() -> Self {
        Self {
            known: HashMap::default(),
            bytes: 0,
        }
    }
}

/// The maximum number of cached references of a kind, which are then cleared, and of hints.
const MOST: usize = 1 << 16;

impl<T> PerReference<T> {
    fn is_full(&self) -> bool {
        self.known.len() >= MOST || self.bytes >= MOST_BYTES
    }

    /// Adds the value of a reference; if there are too many, it becomes the only one.
    fn insert(&mut self, reference: &str, value: T) {
        if self.is_full() {
            self.clear();
        }
        if self.known.insert(reference.into(), value).is_none() {
            self.bytes += reference.len();
        }
    }

    fn clear(&mut self) {
        self.known.clear();
        self.bytes = 0;
    }
}

/// What the target of every reference and its findings depend on.
#[derive(Debug, PartialEq, Eq)]
struct Scope {
    /// The scheme and host of the base.
    origin: String,
    encoding: &'static Encoding,
    /// Whether the page is served over `https`, so that mixed content matters.
    is_secure: bool,
    /// Whether the page is on a private host, so that links to private hosts are expected.
    is_private: bool,
    /// Whether it is a captured page.
    is_captured: bool,
    /// The site that it is a page of.
    site: Option<u32>,
}

impl ReferenceCache {
    /// Longer references are not cached.
    const LONGEST: usize = 256;

    /// Starts a page. Returns whether its references can be cached.
    pub(crate) fn enter(&mut self, page: &Page<'_>) -> bool {
        let Some(folder) = folder_of(page) else {
            return false;
        };
        self.own = None;
        let origin = parts::origin(folder);
        let is_secure = page.is_secure();
        let is_private = page.is_private;
        let is_captured = page.own.is_none();
        let site = page.own.map(|own| own.site);
        let is_same = self.scope.as_ref().is_some_and(|scope| {
            scope.origin == origin
                && scope.encoding == page.encoding
                && scope.is_secure == is_secure
                && scope.is_private == is_private
                && scope.is_captured == is_captured
                && scope.site == site
        });
        if !is_same || self.own_links.len() >= MOST {
            self.forget();
            self.scope = Some(Scope {
                origin: origin.to_owned(),
                encoding: page.encoding,
                is_secure,
                is_private,
                is_captured,
                site,
            });
        }
        if self.folder != folder {
            self.in_folder.clear();
            self.compared.clear();
            folder.clone_into(&mut self.folder);
        }
        true
    }

    /// Clears the cache.
    pub(crate) fn forget(&mut self) {
        *self = Self::default();
    }

    /// The hints in a link to an address that its site gives itself.
    pub(crate) fn own_links(&self, id: OwnLinksId) -> &[OwnLink] {
        &self.own_links[id.0 as usize]
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
        } else if depends_on_host(bare) {
            *self.on_host.known.get(bare)?
        } else {
            *self.in_folder.known.get(bare)?
        };
        let similar = SimilarLink {
            page,
            reference,
            target,
            fragment,
        };
        (!checks::look_at_link(&similar)).then_some((target, fragment))
    }

    /// The disagreement of the rule sets on a reference of the current page, relative to its base.
    pub(crate) fn compare(
        &mut self,
        page: &Page<'_>,
        reference: &str,
    ) -> Option<Arc<Disagreement>> {
        if page.comparison.is_plain(reference) {
            return None;
        }
        if reference.len() > Self::LONGEST || !depends_at_most_on_folder(reference) {
            return page.comparison.compare(reference).map(Arc::from);
        }
        if let Some(known) = self.compared.known.get(reference) {
            return known.clone();
        }
        let found = page.comparison.compare(reference).map(Arc::from);
        self.compared.insert(reference, found.clone());
        found
    }

    /// Caches the target of a reference without findings and its hints, unless a check must look at every
    /// reference like it.
    pub(crate) fn remember(
        &mut self,
        page: &Page<'_>,
        reference: &Reference<'_>,
        mut target: CachedTarget,
        own_links: Vec<OwnLink>,
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
            // Dot segments may climb above the root.
            _ if !is_plain && depends_on_host(bare) => {}
            _ => {
                // They are cleared only between pages.
                if !own_links.is_empty() && self.own_links.len() >= MOST {
                    return;
                }
                if !own_links.is_empty() {
                    target.own_links = u32::try_from(self.own_links.len()).ok().map(OwnLinksId);
                    self.own_links.push(own_links.into());
                }
                let targets = if depends_on_host(bare) {
                    &mut self.on_host
                } else {
                    &mut self.in_folder
                };
                targets.insert(bare, target);
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

/// Whether the target of a plain reference depends only on the host of the base.
fn depends_on_host(bare: &str) -> bool {
    match bare.as_bytes() {
        [b'/', b'/', ..] => false,
        [b'/', ..] => true,
        _ => bare.starts_with("http:") || bare.starts_with("https:"),
    }
}

/// Whether what follows the last slash in the path of the base makes no difference to a reference in any
/// rule set: it is not only a query, parameters or a fragment, even after the scheme of the base.
fn depends_at_most_on_folder(reference: &str) -> bool {
    let is_path = |first: u8| first.is_ascii_alphanumeric() || matches!(first, b'.' | b'/');
    let begins = reference.bytes().next().is_some_and(is_path);
    let special = reference.find([':', '/', '?', '#', ';']);
    let is_scheme = |at: &usize| reference[*at..].starts_with(':');
    begins
        && special
            .filter(is_scheme)
            .is_none_or(|colon| reference[colon + 1..].starts_with("//"))
}

/// Whether a target is the current page.
fn is_own(target: &CachedTarget, page: &Page<'_>) -> bool {
    target.file == page.own && target.entry == page.entry
}

fn is_of_page(reference: &Reference<'_>) -> bool {
    reference.context == Context::Document && !reference.cut && reference.slot.attr != "usemap"
}
