//! The signals of one document.

use baseref_document::link_places::Namespace;
use baseref_document::{Document, DocumentKind, Reference};
use baseref_html::tags::{Tag, Tags};
use baseref_reader::extract::Resolving;
use memchr::{memchr, memmem, memrchr_iter};

use super::{Mark, Signals};
use crate::target;
use crate::view::page::Page;

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
        is_hidden: is_hidden(head(page.document(), source)),
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
    let at = usize::try_from(reference.at.as_ref()?.byte.start).ok()?;
    with_tag(source, at, |tag| {
        if tag.has_word("rel", "canonical") {
            return Some(Kind::Canonical);
        }
        let language = tag.value("hreflang").unwrap_or_default();
        let is_alternate = tag.has_word("rel", "alternate") && !language.trim_ascii().is_empty();
        is_alternate.then_some(Kind::Alternate)
    })
}

/// How many starts of `link` tags before a value are tried: all but one are in values of its own tag.
const MOST_STARTS: usize = 8;
/// How much of a `link` tag is read before the value in question, and after it.
const NEARBY: usize = 4 * 1024;

/// What the `link` tag says that has a value at this byte of the source. There may be a `<` or a `>` in
/// its other values.
fn with_tag<T>(source: &[u8], at: usize, says: impl Fn(&Tag<'_>) -> Option<T>) -> Option<T> {
    let before = source.get(at.saturating_sub(NEARBY)..at)?;
    let after = &source[at..source.len().min(at + NEARBY)];
    let starts = memrchr_iter(b'<', before).filter(|start| {
        let name = before.get(start + 1..start + 5);
        name.is_some_and(|name| name.eq_ignore_ascii_case(b"link"))
    });
    // Most tags end at the next `>`.
    let ends = [memchr(b'>', after).map_or(0, |end| end + 1), after.len()];
    for start in starts.take(MOST_STARTS) {
        let head = &before[start..];
        for end in ends {
            let text = head.iter().chain(&after[..end]).copied().map(ascii);
            let text: String = text.collect();
            let tag = Tags::new(&text, &["link"]).next();
            if let Some(tag) = tag.filter(|tag| tag.has_value_at(head.len())) {
                return says(&tag);
            }
        }
    }
    None
}

/// A byte as a character of one byte: what a `link` is, ASCII alone says.
fn ascii(byte: u8) -> char {
    if byte.is_ascii() {
        char::from(byte)
    } else {
        '?'
    }
}

/// What of a page may be its head: an `a` is in its body.
fn head<'s>(document: &Document, source: &'s [u8]) -> &'s [u8] {
    let mut references = document.references.iter();
    let anchor = references.find(|one| one.slot.element == "a");
    let start = anchor.and_then(|anchor| usize::try_from(anchor.at?.byte.start).ok());
    let end = start.map_or(HEAD, |start| start.min(HEAD));
    source.get(..end).unwrap_or(source)
}

/// Whether a page asks in its head all search engines not to index it.
fn is_hidden(head: &[u8]) -> bool {
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
    let known = page.ctx;
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
