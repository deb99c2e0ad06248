//! A page of either tree, as far as it is compared.

use std::cell::Cell;
use std::num::{NonZeroU32, NonZeroUsize};
use std::sync::Arc;

use super::interner::{Interner, StringId};
use super::page_metadata::PageMetadata;
use super::successors::{Features, SiteTitle, Sketch};
use crate::page::PageAddress;
use baseref_document::link_places::{Class, Grammar};
use baseref_document::{Document, Heading, Outline, Position, ReadOptions};
use baseref_findings::{Finding, PageName, Shown};
use baseref_reader::base::Policy;
use baseref_reader::extract::extract;
use baseref_resolve::normal::{NormalOptions, normal};
use baseref_resolve::parts::{self, origin, without_fragment as bare};
use baseref_site::meta_refresh::forwards_fragment;
use baseref_site::names::Names;
use baseref_text::decode::encoding;

/// What the comparison needs to know about a page of either tree.
pub struct Page {
    pub(super) name: Arc<PageName>,
    pub(super) url: String,
    /// Whether positions in it are positions in its file.
    pub(super) is_file: bool,
    /// Whether it is a page with text.
    pub(super) is_text: bool,
    /// What it is about, if its bytes cannot be read again by its name.
    pub(super) kept: Option<Box<Sketch>>,
    pub(super) encoding: &'static str,
    /// Its links; an old page's are given back once it is compared.
    pub(super) links: Cell<Vec<Link>>,
    /// The first byte of the first link with a position.
    pub(super) first: Option<u64>,
    pub(super) names: Names,
    /// The names in lower case; `None` if that is how they are written.
    pub(super) folded: Option<Names>,
    /// The page that this one leads to at once, with the fragment by which it is asked for, without
    /// one itself.
    pub(super) leads_on: Option<Box<str>>,
    pub(super) metadata: PageMetadata,
}

/// A link, kept small: there can be millions. What only findings show is read again for them.
pub(super) struct Link {
    pub(super) element: StringId,
    pub(super) attr: StringId,
    pub(super) raw: StringId,
    pub(super) text: StringId,
    /// Where it leads, in normal form.
    pub(super) url: StringId,
    pub(super) at: Option<At>,
}

/// Where a link is: a [`Position`], its bytes counted from those of the first link of its page.
pub(super) struct At {
    pub(super) line: NonZeroU32,
    pub(super) column: NonZeroU32,
    pub(super) start: i32,
    pub(super) length: u32,
}

impl At {
    /// `None` where pages are too large to be read.
    fn new(position: &Position, first: u64) -> Option<Self> {
        let Position { line, column, byte } = position;
        Some(Self {
            line: *line,
            column: *column,
            start: i32::try_from(i128::from(byte.start) - i128::from(first)).ok()?,
            length: u32::try_from(byte.end.checked_sub(byte.start)?).ok()?,
        })
    }

    pub(super) fn position(&self, first: u64) -> Position {
        let start = first.saturating_add_signed(self.start.into());
        Position {
            line: self.line,
            column: self.column,
            byte: start..start + u64::from(self.length),
        }
    }
}

/// Reads the bytes of a page again, by its name in reports; `None` if that is no longer possible.
pub type Source<'s> = dyn Fn(&str) -> Option<Vec<u8>> + Sync + 's;

/// How pages are read again.
#[derive(Clone, Copy)]
pub struct Reopen<'s> {
    /// Gives their bytes.
    pub source: &'s Source<'s>,
    /// The threads to read many on.
    pub jobs: NonZeroUsize,
}

pub(super) fn fragment(url: &str) -> &str {
    parts::fragment(url).unwrap_or_default()
}

pub(super) fn form(url: &str) -> String {
    normal(url, &NormalOptions::default())
}

impl Page {
    /// The page at `address.old`, before its document is read, and whether it is a whole file.
    #[must_use]
    pub fn new(address: &PageAddress, is_file: bool) -> Self {
        Self {
            is_file,
            is_text: is_text_by_name(&address.name.key),
            kept: None,
            name: Arc::clone(&address.name),
            url: address.old.clone(),
            encoding: "UTF-8",
            links: Cell::default(),
            first: None,
            names: Names::default(),
            folded: None,
            leads_on: None,
            metadata: PageMetadata::default(),
        }
    }

    /// The page at `address.old`, part of an archive, before its document is read.
    #[must_use]
    pub fn archived(address: &PageAddress, is_text: bool) -> Self {
        Self {
            is_text,
            kept: is_text.then(Box::default),
            ..Self::new(address, false)
        }
    }

    /// Reads its document, which has these bytes.
    pub fn read(&mut self, document: &Document, bytes: &[u8], interner: &Interner) {
        self.encoding = document.encoding;
        self.metadata = PageMetadata::new(document);
        if let Some(kept) = &mut self.kept {
            **kept = sketch(bytes, document.encoding);
        }
        self.names = Names::new(&document.identifiers);
        self.folded = Names::folded(&document.identifiers);
        self.read_links(document, forwards_fragment(bytes), interner);
    }

    fn read_links(&mut self, document: &Document, forwards_fragment: bool, interner: &Interner) {
        let mut links = self.links.take();
        extract(document, Policy::default(), &mut |extraction| {
            extraction.links(|link| {
                let class = link.reference.slot.class;
                let is_link = matches!(
                    class,
                    Class::Anchor | Class::Resource | Class::Document | Class::Form
                );
                let Ok(url) = link.url else {
                    return;
                };
                if forwards_fragment && link.reference.slot.grammar == Grammar::Refresh {
                    self.leads_on.get_or_insert_with(|| bare(url).into());
                }
                if !is_link || !link.reference.slot.standard || origin(url).is_empty() {
                    return;
                }
                let at = link.reference.at;
                let at = at.and_then(|at| At::new(at, *self.first.get_or_insert(at.byte.start)));
                links.push(Link {
                    element: interner.keep(link.reference.element),
                    attr: interner.keep(link.reference.attr),
                    raw: interner.keep(link.reference.value),
                    text: interner.keep(link.reference.text.unwrap_or_default()),
                    url: interner.keep(&form(url)),
                    at,
                });
            });
        });
        links.shrink_to_fit();
        self.links.set(links);
    }

    /// What must be known to find out what it is about.
    pub(super) fn read_again(&self) -> ReadAgain<'_> {
        ReadAgain {
            name: &self.name,
            kept: self.kept.as_deref(),
            encoding: self.encoding,
        }
    }

    /// Its headings; none if it can no longer be read.
    pub(super) fn headings(&self, source: &Source<'_>) -> Vec<Heading> {
        if let Some(kept) = &self.kept {
            return kept.headings.clone();
        }
        let bytes = source(&self.name.doc).unwrap_or_default();
        outline(&bytes, self.encoding).headings
    }

    /// Whether a name differs from a fragment only by case.
    pub(super) fn has_folded(&self, fragment: &str) -> bool {
        let decoded = percent_encoding::percent_decode_str(fragment).decode_utf8_lossy();
        let names = self.folded.as_ref().unwrap_or(&self.names);
        names.has(&decoded.to_lowercase())
    }

    /// Adds the source lines to those findings about links of this page that are shown with them.
    pub(super) fn add_lines(&self, findings: &mut [Finding], shown: &Shown, source: &Source<'_>) {
        if !self.is_file || !findings.iter().any(|finding| shown.has_line_of(finding)) {
            return;
        }
        if let Some(bytes) = source(&self.name.doc) {
            shown.add_lines(findings, &bytes, encoding::named(self.encoding));
        }
    }
}

/// A page to be read for what it is about, by any thread.
#[derive(Clone, Copy)]
pub(super) struct ReadAgain<'p> {
    pub(super) name: &'p PageName,
    pub(super) kept: Option<&'p Sketch>,
    pub(super) encoding: &'static str,
}

impl ReadAgain<'_> {
    /// What is compared of it; little if it can no longer be read.
    pub(super) fn features(&self, site: &SiteTitle, source: &Source<'_>) -> Features {
        let page = match self.kept {
            Some(kept) => Sketch::clone(kept),
            None => source(&self.name.doc)
                .map_or_else(Sketch::default, |bytes| sketch(&bytes, self.encoding)),
        };
        Features::new(page, &self.name.key, site)
    }
}

/// What is compared of some pages, in their order, read on some threads.
pub(super) fn features_of(
    pages: &[ReadAgain<'_>],
    site: &SiteTitle,
    Reopen { source, jobs }: Reopen<'_>,
) -> Vec<Features> {
    baseref_run::map(pages, jobs, |page| page.features(site, source))
}

/// What a page with these bytes is about.
fn sketch(bytes: &[u8], encoding: &str) -> Sketch {
    Sketch::new(outline(bytes, encoding))
}

/// The outline of a page with these bytes.
pub(super) fn outline(bytes: &[u8], encoding: &str) -> Outline {
    let options = ReadOptions::default().encoding(Some(encoding::named(encoding)));
    baseref_reader::read_outline(bytes, &options)
}

/// Whether a file is a page with text, by its name.
pub(super) fn is_text_by_name(key: &str) -> bool {
    let name = key.rsplit('/').next().unwrap_or_default();
    let end = name
        .rsplit_once('.')
        .map(|(_, end)| end.to_ascii_lowercase());
    end.is_none_or(|end| matches!(&*end, "html" | "htm" | "xhtml" | "php" | "asp" | "aspx"))
}
