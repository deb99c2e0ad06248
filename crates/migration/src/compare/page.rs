//! The compared parts of a page of either site.

use std::cell::Cell;
use std::num::{NonZeroU32, NonZeroUsize};
use std::sync::Arc;

use super::interner::{Interner, StringId};
use super::page_metadata::PageMetadata;
use super::successors::{Features, SiteTitle, Sketch};
use crate::page::PageAddress;
use baseref_document::link_places::{Class, Fetched, Grammar};
use baseref_document::{Document, Heading, Outline, Position, ReadOptions};
use baseref_findings::{Finding, PageName, Shown};
use baseref_reader::base::Policy;
use baseref_resolve::normal::{NormalOptions, normal};
use baseref_resolve::parts::{self, origin, without_fragment as bare};
use baseref_server::follow::stubs;
use baseref_site::meta_refresh::forwards_fragment;
use baseref_site::names::Names;
use baseref_text::decode::encoding;

/// A page of the old or the new site.
pub struct ComparedPage {
    pub(super) name: Arc<PageName>,
    pub(super) url: String,
    /// Whether it is a whole file, so that positions are those in the file.
    pub(super) is_file: bool,
    /// Whether it is a page rather than a style sheet or an image.
    pub(super) is_text: bool,
    /// The outline of an archived page, which cannot be opened again by its name.
    pub(super) sketch: Option<Box<Sketch>>,
    pub(super) encoding: &'static str,
    /// The links, which an old page loses once it has been compared.
    pub(super) links: Cell<Vec<ComparedLink>>,
    /// The start of the first link with a position.
    pub(super) first_link: Option<u64>,
    pub(super) names: Names,
    /// The names in lower case; `None` if they are written so.
    pub(super) lowercase_names: Option<Names>,
    /// The target of an immediate refresh that keeps the fragment of the request. It has no fragment
    /// itself.
    pub(super) refresh_target: Option<Box<str>>,
    /// The target of its refresh, if it refreshes at once.
    pub(super) stub_target: Option<Box<str>>,
    pub(super) metadata: PageMetadata,
    /// Whether it refreshes at once, so that its text is not what readers came for.
    pub(super) is_stub: bool,
}

/// A link. Links are small because there can be millions; details that only findings show are read
/// again.
pub(super) struct ComparedLink {
    pub(super) element: StringId,
    pub(super) attr: StringId,
    pub(super) raw: StringId,
    pub(super) text: StringId,
    /// The target, in normal form.
    pub(super) url: StringId,
    pub(super) at: Option<LinkPosition>,
}

/// A compact [`Position`], with bytes relative to the first link of the page.
pub(super) struct LinkPosition {
    pub(super) line: NonZeroU32,
    pub(super) column: NonZeroU32,
    pub(super) start: i32,
    pub(super) length: u32,
}

impl LinkPosition {
    /// `None` if an offset does not fit, which only happens in pages that are too large to be read.
    fn new(position: &Position, first: u64) -> Option<Self> {
        let Position {
            line, column, byte, ..
        } = position;
        Some(Self {
            line: *line,
            column: *column,
            start: i32::try_from(i128::from(byte.start) - i128::from(first)).ok()?,
            length: u32::try_from(byte.end.checked_sub(byte.start)?).ok()?,
        })
    }

    pub(super) fn position(&self, first: u64) -> Position {
        let start = first.saturating_add_signed(self.start.into());
        Position::new(
            self.line,
            self.column,
            start..start + u64::from(self.length),
        )
    }
}

/// Reads the bytes of a page again by its name in reports; `None` if that fails.
pub type PageReader<'s> = dyn Fn(&str) -> Option<Vec<u8>> + Sync + 's;

/// Reads pages again.
#[derive(Clone, Copy)]
pub struct Reopen<'s> {
    /// Returns the bytes of a page.
    pub source: &'s PageReader<'s>,
    /// The number of threads to read on.
    pub jobs: NonZeroUsize,
}

pub(super) fn fragment(url: &str) -> &str {
    parts::fragment(url).unwrap_or_default()
}

pub(super) fn form(url: &str) -> String {
    normal(url, &NormalOptions::default())
}

impl ComparedPage {
    /// A page at `address.old` whose document has not been read. `is_file` says whether it is a whole
    /// file.
    #[must_use]
    pub fn new(address: &PageAddress, is_file: bool) -> Self {
        Self {
            is_file,
            is_text: is_text_by_name(&address.name.key),
            sketch: None,
            name: Arc::clone(&address.name),
            url: address.old.clone(),
            encoding: "UTF-8",
            links: Cell::default(),
            first_link: None,
            names: Names::default(),
            lowercase_names: None,
            refresh_target: None,
            stub_target: None,
            metadata: PageMetadata::default(),
            is_stub: false,
        }
    }

    /// A page of an archive at `address.old` whose document has not been read.
    #[must_use]
    pub fn archived(address: &PageAddress, is_text: bool) -> Self {
        Self {
            is_text,
            sketch: is_text.then(Box::default),
            ..Self::new(address, false)
        }
    }

    /// Takes the compared parts from its document.
    pub fn read(&mut self, document: &Document, bytes: &[u8], interner: &Interner) {
        self.encoding = document.encoding;
        self.metadata = PageMetadata::new(document);
        self.is_stub = stubs::is_stub(document);
        if let Some(sketch) = &mut self.sketch {
            **sketch = document
                .outline
                .as_deref()
                .map(Sketch::new)
                .unwrap_or_default();
        }
        self.names = Names::new(&document.identifiers);
        self.lowercase_names = Names::folded(&document.identifiers);
        self.read_links(document, forwards_fragment(bytes), interner);
    }

    fn read_links(&mut self, document: &Document, forwards_fragment: bool, interner: &Interner) {
        let mut links = self.links.take();
        let resolved = Policy::default().resolve(document);
        resolved.for_each_link(|_, link| {
            let slot = link.reference.slot;
            let is_link = match slot.class {
                Class::Anchor | Class::Resource | Class::Document | Class::Form => true,
                // Style sheets, and what is loaded like them.
                Class::Metadata => slot.fetched == Fetched::Applied,
                _ => false,
            };
            let Ok(url) = link.url else {
                return;
            };
            if self.is_stub && link.reference.slot.grammar == Grammar::Refresh {
                self.stub_target.get_or_insert_with(|| bare(url).into());
            }
            if forwards_fragment && link.reference.slot.grammar == Grammar::Refresh {
                self.refresh_target.get_or_insert_with(|| bare(url).into());
            }
            if !is_link || !link.reference.slot.standard || origin(url).is_empty() {
                return;
            }
            let at = link.reference.at;
            let at = at.and_then(|at| {
                LinkPosition::new(at, *self.first_link.get_or_insert(at.byte.start))
            });
            links.push(ComparedLink {
                element: interner.intern(link.reference.element),
                attr: interner.intern(link.reference.attr),
                raw: interner.intern(link.reference.value),
                text: interner.intern(link.reference.text.unwrap_or_default()),
                url: interner.intern(&form(url)),
                at,
            });
        });
        links.shrink_to_fit();
        self.links.set(links);
    }

    /// The parts of it that a thread needs to read its text.
    pub(super) fn text_source(&self) -> TextSource<'_> {
        TextSource {
            name: &self.name,
            sketch: self.sketch.as_deref(),
            encoding: self.encoding,
        }
    }

    /// The headings of the page; empty if reading fails.
    pub(super) fn headings(&self, source: &PageReader<'_>) -> Vec<Heading> {
        if let Some(sketch) = &self.sketch {
            return sketch.headings.clone();
        }
        let bytes = source(&self.name.doc).unwrap_or_default();
        outline(&bytes, self.encoding).headings
    }

    /// The sketch of its text; empty if reading fails.
    pub(super) fn read_sketch(&self, source: &PageReader<'_>) -> Sketch {
        match &self.sketch {
            Some(sketch) => Sketch::clone(sketch),
            None => source(&self.name.doc)
                .map_or_else(Sketch::default, |bytes| read_sketch(&bytes, self.encoding)),
        }
    }

    /// Whether the page has a name that differs from the fragment only by case.
    pub(super) fn has_in_other_case(&self, fragment: &str) -> bool {
        let decoded = percent_encoding::percent_decode_str(fragment).decode_utf8_lossy();
        let names = self.lowercase_names.as_ref().unwrap_or(&self.names);
        names.has(&decoded.to_lowercase())
    }

    /// Adds source lines to the findings about links of this page that are shown with them.
    pub(super) fn add_lines(
        &self,
        findings: &mut [Finding],
        shown: &Shown,
        source: &PageReader<'_>,
    ) {
        if !self.is_file || !findings.iter().any(|finding| shown.has_line_of(finding)) {
            return;
        }
        if let Some(bytes) = source(&self.name.doc) {
            shown.add_lines(findings, &bytes, encoding::named(self.encoding));
        }
    }
}

/// A page whose text any thread can read.
#[derive(Clone, Copy)]
pub(super) struct TextSource<'p> {
    pub(super) name: &'p PageName,
    pub(super) sketch: Option<&'p Sketch>,
    pub(super) encoding: &'static str,
}

impl TextSource<'_> {
    /// The features of the page, or of its address alone if reading fails.
    pub(super) fn features(&self, site: &SiteTitle, source: &PageReader<'_>) -> Features {
        let page = match self.sketch {
            Some(sketch) => Sketch::clone(sketch),
            None => source(&self.name.doc)
                .map_or_else(Sketch::default, |bytes| read_sketch(&bytes, self.encoding)),
        };
        Features::new(page, &self.name.key, site)
    }
}

/// The features of pages, in their order, read on several threads.
pub(super) fn features_of(
    pages: &[TextSource<'_>],
    site: &SiteTitle,
    Reopen { source, jobs }: Reopen<'_>,
) -> Vec<Features> {
    baseref_run::map(pages, jobs, |page| page.features(site, source))
}

/// The sketch of a page with these bytes.
fn read_sketch(bytes: &[u8], encoding: &str) -> Sketch {
    Sketch::new(&outline(bytes, encoding))
}

/// The outline of a page with these bytes.
///
/// Departs: a file is opened again for this, only if it is lost, may replace a lost page, or lacks a
/// name that links lead to. The outlines of all pages would take longer than the comparison itself.
pub(super) fn outline(bytes: &[u8], encoding: &str) -> Outline {
    let options = ReadOptions::default().with_encoding(Some(encoding::named(encoding)));
    baseref_reader::read_outline(bytes, &options)
}

/// Whether a file is a page rather than a style sheet or an image, by its name.
pub(super) fn is_text_by_name(key: &str) -> bool {
    let name = key.rsplit('/').next().unwrap_or_default();
    let end = name
        .rsplit_once('.')
        .map(|(_, end)| end.to_ascii_lowercase());
    end.is_none_or(|end| matches!(&*end, "html" | "htm" | "xhtml" | "php" | "asp" | "aspx"))
}
