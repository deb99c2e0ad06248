//! A document with every link resolved, as iterators.

use super::extraction::{Extraction, Extractor, Link, ResolvedLink};
use crate::base::Base;
use crate::document::Document;
use crate::options::Policy;

/// A document, and the documents in its `iframe srcdoc` attributes, each with its base.
#[derive(Debug)]
pub struct Resolved<'d> {
    document: Extraction<'d>,
    /// Those in it, in document order.
    embedded: Vec<Extraction<'d>>,
}

impl Document {
    /// Establishes the base of the document (RFC 1808 §3), and of the documents in its `srcdoc`
    /// attributes.
    #[must_use]
    pub fn resolve(&self, policy: &Policy) -> Resolved<'_> {
        let mut extractor = Extractor::new(*policy);
        let document = extractor.extraction(self, &Base::default());
        let mut embedded = Vec::new();
        extractor.embedded(self, document.base(), &mut embedded);
        Resolved { document, embedded }
    }
}

impl<'d> Resolved<'d> {
    /// The base of the document.
    #[must_use]
    pub fn base(&self) -> &Base {
        self.document.base()
    }

    /// The document with the account of how its base was found, then those in its `srcdoc`
    /// attributes, in document order.
    pub fn extractions(&self) -> impl Iterator<Item = &Extraction<'d>> {
        std::iter::once(&self.document).chain(&self.embedded)
    }

    /// Every link, resolved, in document order; those of the documents in `srcdoc` attributes come
    /// after those of the document they stand in.
    pub fn links(&self) -> impl Iterator<Item = ResolvedLink<'_>> {
        self.extractions().flat_map(Extraction::iter)
    }

    /// Hands over what [`Self::links`] gives, each URL lent until the next link: nothing is
    /// allocated for one.
    pub fn for_each_link(&self, mut each: impl FnMut(&Document, Link<'_>)) {
        for extraction in self.extractions() {
            extraction.links(|link| each(extraction.document(), link));
        }
    }
}
