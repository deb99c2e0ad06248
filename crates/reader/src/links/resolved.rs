//! A document and those embedded in it, with every link resolved.

use super::document_links::{
    DocumentLinks, DocumentResolver, EmbeddedDocuments, Link, OuterBase, ResolvedLink,
};
use crate::base::{Base, Policy};
use baseref_document::Document;

/// A document and the documents in its attributes, each with its base.
///
/// ```
/// use baseref_document::ReadOptions;
/// use baseref_reader::{BaseSource, Policy, read_html};
///
/// let page = read_html(b"<base href=http://a/b/><a href=../c>", None, &ReadOptions::default());
/// let resolved = Policy::default().resolve(&page);
/// assert_eq!(resolved.base().source, BaseSource::Element);
/// let links: Vec<_> = resolved.links().collect();
/// assert_eq!(links[0].url.as_deref(), Ok("http://a/c"));
/// assert_eq!(links[0].reference.value, "../c");
/// ```
#[derive(Debug)]
pub struct Resolved<'d> {
    document: DocumentLinks<'d>,
    /// The documents in its attributes, in document order.
    embedded: Vec<DocumentLinks<'d>>,
}

impl Policy {
    /// Establishes the base of a document (RFC 1808 §3), and of the documents in its attributes.
    #[must_use]
    pub fn resolve<'d>(&self, document: &'d Document) -> Resolved<'d> {
        let mut resolver = DocumentResolver::new(*self);
        resolver.begin(document);
        let links = resolver.document_links(document, &OuterBase::default());
        let embedded = EmbeddedDocuments::new(&mut resolver, &links).collect();
        Resolved {
            document: links,
            embedded,
        }
    }
}

impl<'d> Resolved<'d> {
    /// The base of the document.
    #[must_use]
    pub fn base(&self) -> &Base {
        self.document.base()
    }

    /// The document with its base and links, then those in its attributes, in document order.
    pub fn documents(&self) -> impl Iterator<Item = &DocumentLinks<'d>> {
        std::iter::once(&self.document).chain(&self.embedded)
    }

    /// Every link, resolved, in document order; links of the documents in its attributes come after
    /// its own.
    pub fn links(&self) -> impl Iterator<Item = ResolvedLink<'_>> {
        self.documents().flat_map(DocumentLinks::links)
    }

    /// Calls `each` with the links of [`Self::links`], lending each URL until the next link instead
    /// of allocating it.
    pub fn for_each_link(&self, mut each: impl FnMut(&Document, Link<'_>)) {
        for links in self.documents() {
            links.for_each_link(|link| each(links.document(), link));
        }
    }
}
