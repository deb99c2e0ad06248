//! What the collector does for feeds and sitemaps only: URLs and documents that are the text of an
//! element, and `xml:base`.

use std::ops::Range;
use std::sync::Arc;

use super::{Collected, Collector, EmbeddedSource, Name, Occurrence, OpenContent, Value};
use baseref_document::link_places::{Grammar, Namespace};
use baseref_document::{self as document, Context, Declaration, DocumentKind, NoteCode, XmlBase};

/// The number of links and of inert references of a document.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Count {
    own: usize,
    inert: usize,
}

/// How deeply `xml:base` attributes may nest that are relative to each other.
const MOST_BASES: usize = 16;

impl Collector<'_, '_> {
    /// Says what the document is.
    pub(crate) fn set_kind(&mut self, kind: DocumentKind) {
        self.document.kind = kind;
    }

    /// Collects the current element, of a feed or sitemap. Its URLs are relative to the second base, and
    /// its `xml:base` to the first, if it is not the root.
    pub(crate) fn feed_element(
        &mut self,
        namespace: Namespace,
        local_name: &str,
        outer: Option<Context>,
        base: Context,
    ) -> Collected {
        let rows = self.tables.rows(namespace, local_name);
        let first = self.links();
        let collected = self.collect(namespace, Name::Other, local_name, rows);
        self.relate(first, base);
        if let Some(outer) = outer {
            let references = &mut self.document.references;
            references.set_context(first.own, Context::Outside, outer);
        }
        collected
    }

    /// The number of links so far.
    pub(crate) fn links(&self) -> Count {
        Count {
            own: self.document.references.len(),
            inert: self.document.inert.len(),
        }
    }

    /// Makes the links from `first` on relative to a base.
    pub(crate) fn relate(&mut self, first: Count, base: Context) {
        if base == Context::Document {
            return;
        }
        let document = &mut self.document;
        for (references, first) in [
            (&mut document.references, first.own),
            (&mut document.inert, first.inert),
        ] {
            if first < references.len() {
                references.set_context(first, Context::Document, base);
            }
        }
    }

    /// The base of what is in the current element, inside one whose base is `outer`.
    pub(crate) fn xml_base(&mut self, outer: Context, is_root: bool) -> Context {
        let Some(value) = self.attribute("xml:base") else {
            return outer;
        };
        let (raw, _) = self.cut(value);
        let text = self.decoded(raw).text;
        let at = self.positions.locate(value.start..value.end);
        if is_root {
            self.document
                .declarations
                .push(Declaration::new(text, document::Place::XmlBase(at)));
            return outer;
        }
        let outer_index = match outer {
            Context::XmlBase(index) => Some(index).filter(|_| !has_scheme(&text)),
            _ => None,
        };
        if self.bases_around(outer_index).count() >= MOST_BASES {
            let detail =
                "the `xml:base` attributes are nested too deeply: the inner ones are ignored";
            self.note_once(NoteCode::BaseCount, detail.to_owned(), value.start);
            return outer;
        }
        let Ok(index) = u32::try_from(self.document.xml_bases.len()) else {
            return outer;
        };
        self.document.xml_bases.push(XmlBase {
            value: text.into(),
            at,
            outer: outer_index,
        });
        Context::XmlBase(index)
    }

    /// An `xml:base` and those that it is relative to, innermost first.
    fn bases_around(&self, index: Option<u32>) -> impl Iterator<Item = &XmlBase> {
        let of = |index: u32| self.document.xml_bases.get(index as usize);
        std::iter::successors(index.and_then(of), move |base| base.outer.and_then(of))
    }

    /// Ends the last element of a feed or sitemap collected as [`Collected::content`].
    pub(crate) fn end_feed_content(&mut self, base: Context) {
        let Some(OpenContent { slot, texts, .. }) = self.contents.pop() else {
            return;
        };
        let Some(first) = texts.first() else {
            return;
        };
        let start = first.span.start;
        let value = Value::from_content(self.source, &texts);
        if slot.grammar == Grammar::Html {
            if value.text.contains('<') {
                let bases = self.declared_by(base);
                self.embed(
                    EmbeddedSource::Content(value.text.into_owned(), bases),
                    start,
                );
            }
            return;
        }
        let trimmed = trimmed(&value.text);
        if trimmed.is_empty() {
            return;
        }
        let first = self.links();
        let occurrence = Occurrence {
            slot,
            element: slot.element,
            context: Context::Document,
            start,
            cut: false,
        };
        let bytes = value.source_range(trimmed.clone());
        self.push(&occurrence, &value.text[trimmed], bytes);
        self.relate(first, base);
    }

    /// A base as declarations of a document inside this one, outermost first.
    fn declared_by(&self, base: Context) -> Vec<Declaration> {
        let Context::XmlBase(index) = base else {
            return Vec::new();
        };
        let declared = self.bases_around(Some(index)).map(|base| {
            Declaration::new(
                Arc::clone(&base.value),
                document::Place::XmlBase(base.at.clone()),
            )
        });
        let mut declared: Vec<_> = declared.collect();
        declared.reverse();
        declared
    }
}

/// The range of a text without the white space around it.
fn trimmed(text: &str) -> Range<usize> {
    let start = text.len() - text.trim_ascii_start().len();
    let end = text.trim_ascii_end().len();
    start.min(end)..end
}

/// Whether a URL is absolute: it begins with a scheme (RFC 3986 §3.1).
fn has_scheme(url: &str) -> bool {
    let (scheme, _) = url.trim_ascii_start().split_once(':').unwrap_or_default();
    let mut bytes = scheme.bytes();
    bytes
        .next()
        .is_some_and(|first| first.is_ascii_alphabetic())
        && bytes.all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.'))
}
