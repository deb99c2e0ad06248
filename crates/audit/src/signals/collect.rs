//! Collects the signals of a document.

use baseref_document::link_places::Namespace;
use baseref_document::{DocumentKind, MetadataElement, Reference};
use baseref_reader::links::LinkResolver;

use super::{Mark, Signals};
use crate::target;
use crate::view::page::Page;

/// The signals of a document, if it is a file of a site and has any.
pub(crate) fn collect(page: &Page<'_>) -> Option<Box<Signals>> {
    let document = page.document();
    page.own?;
    page.source?;
    match document.kind {
        DocumentKind::Sitemap => Some(Box::new(Signals {
            entries: Some(entries(page)),
            canonical: None,
            alternates: Vec::new(),
            is_hidden: false,
        })),
        DocumentKind::Page if document.reading.is_some() => page_signals(page).map(Box::new),
        _ => None,
    }
}

/// The addresses listed in a sitemap, or in an index of sitemaps.
fn entries(page: &Page<'_>) -> Vec<Mark> {
    let mut resolver = page.document_links.link_resolver();
    let references = page.document().references.iter();
    let is_entry =
        |one: &Reference<'_>| one.slot.namespace == Namespace::Sitemap && one.slot.element == "loc";
    let entries = references.filter(is_entry);
    entries
        .map(|reference| mark(page, &mut resolver, &reference))
        .collect()
}

fn page_signals(page: &Page<'_>) -> Option<Signals> {
    let elements = &page.document().metadata_elements;
    let mut signals = Signals {
        entries: None,
        canonical: None,
        alternates: Vec::new(),
        is_hidden: elements.iter().any(MetadataElement::forbids_indexing),
    };
    let mut resolver = None;
    for element in elements {
        let is_canonical = element.is_canonical();
        if !is_canonical && element.alternate_language().is_none() {
            continue;
        }
        let mut references = page.document().references.range(element.references.clone());
        let Some(reference) = references.find(|reference| reference.slot.is_own_address) else {
            continue;
        };
        let resolver = resolver.get_or_insert_with(|| page.document_links.link_resolver());
        if !is_canonical {
            signals.alternates.push(mark(page, resolver, &reference));
        } else if signals.canonical.is_none() {
            signals.canonical = Some(mark(page, resolver, &reference));
        }
    }
    let is_any = signals.is_hidden || signals.canonical.is_some() || !signals.alternates.is_empty();
    is_any.then_some(signals)
}

fn mark(page: &Page<'_>, resolver: &mut LinkResolver<'_>, reference: &Reference<'_>) -> Mark {
    let url = resolver.url(reference).unwrap_or_default();
    let ctx = page.ctx;
    let target = target::resolved(&ctx.map, &ctx.hosting, url, page.encoding);
    Mark {
        raw: reference.value.into(),
        url: url.into(),
        at: reference.at.cloned(),
        class: target.class,
        file: target.file,
        how: target.how,
    }
}
