//! The signals of one document.

use baseref_document::slots::Namespace;
use baseref_document::{DocumentKind, Reference};
use baseref_html::tags::Tags;
use baseref_reader::extract::Resolving;
use memchr::{memchr, memmem, memrchr};

use super::{Mark, Signals};
use crate::page::Page;
use crate::target;

/// How many bytes of a page are examined for a request not to be indexed: no head is longer.
const HEAD: usize = 256 * 1024;

/// The signals of a document, if it is a file of a tree and has any.
pub(crate) fn collect(page: &Page<'_>) -> Option<Box<Signals>> {
    let document = page.document();
    page.own?;
    let source = page.source?;
    match document.kind {
        DocumentKind::Sitemap => Some(Box::new(Signals {
            entries: Some(entries(page)),
            canonical: None,
            alternates: Vec::new(),
            is_hidden: false,
        })),
        DocumentKind::Page if document.reading.is_some() => of_page(page, source).map(Box::new),
        _ => None,
    }
}

/// The addresses that a sitemap, or an index of sitemaps, lists.
fn entries(page: &Page<'_>) -> Vec<Mark> {
    let mut resolving = page.extraction.resolving();
    let references = page.document().references.iter();
    let is_entry =
        |one: &Reference<'_>| one.slot.namespace == Namespace::Sitemap && one.slot.element == "loc";
    let entries = references.filter(is_entry);
    entries
        .map(|reference| mark(page, &mut resolving, &reference))
        .collect()
}

fn of_page(page: &Page<'_>, source: &[u8]) -> Option<Signals> {
    let mut signals = Signals {
        entries: None,
        canonical: None,
        alternates: Vec::new(),
        is_hidden: is_hidden(source),
    };
    let mut resolving = None;
    for reference in page.document().references.iter() {
        if !reference.slot.of_document || reference.slot.element != "link" {
            continue;
        }
        let Some(kind) = kind(source, &reference) else {
            continue;
        };
        let resolving = resolving.get_or_insert_with(|| page.extraction.resolving());
        match kind {
            Kind::Canonical if signals.canonical.is_none() => {
                signals.canonical = Some(mark(page, resolving, &reference));
            }
            Kind::Canonical => {}
            Kind::Alternate => signals.alternates.push(mark(page, resolving, &reference)),
        }
    }
    let is_any = signals.is_hidden || signals.canonical.is_some() || !signals.alternates.is_empty();
    is_any.then_some(signals)
}

enum Kind {
    Canonical,
    /// In another language.
    Alternate,
}

/// What the `link` element of a reference is.
fn kind(source: &[u8], reference: &Reference<'_>) -> Option<Kind> {
    let at = usize::try_from(reference.at?.byte.start).ok()?;
    let start = memrchr(b'<', source.get(..at)?)?;
    let end = at + memchr(b'>', &source[at..])?;
    let text = String::from_utf8_lossy(source.get(start..=end)?);
    let tag = Tags::new(&text, &["link"]).next()?;
    if tag.has_word("rel", "canonical") {
        return Some(Kind::Canonical);
    }
    let language = tag.value("hreflang").unwrap_or_default();
    let is_alternate = tag.has_word("rel", "alternate") && !language.trim_ascii().is_empty();
    is_alternate.then_some(Kind::Alternate)
}

/// Whether a page asks all search engines not to index it.
fn is_hidden(source: &[u8]) -> bool {
    let head = source.get(..HEAD).unwrap_or(source);
    let has = |word: &[u8]| memmem::find(head, word).is_some();
    if !(has(b"obots") || has(b"OBOTS")) {
        return false;
    }
    let text = String::from_utf8_lossy(head);
    let mut tags = Tags::new(&text, &["meta", "body"]).take_while(|tag| !tag.is("body"));
    tags.any(|tag| !tag.in_noscript && tag.hides_page())
}

fn mark(page: &Page<'_>, resolving: &mut Resolving<'_>, reference: &Reference<'_>) -> Mark {
    let url = resolving.url(reference).unwrap_or_default();
    let known = page.known;
    let target = target::resolved(&known.map, &known.hosting, url, page.encoding);
    Mark {
        raw: reference.value.into(),
        url: url.into(),
        at: reference.at.cloned(),
        class: target.class,
        file: target.file,
        how: target.how,
    }
}
