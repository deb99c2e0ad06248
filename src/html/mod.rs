//! An HTML document's bytes to a [`Document`]: the only place that names html5ever.

mod certificate;
mod character_reference;
mod collect;
mod doctype;
pub(crate) mod encoding;
mod formatting;
mod json;
#[doc(hidden)]
pub mod layers;
mod marks;
mod names;
mod open_elements;
mod position;
mod prescan;
mod rows;
mod scan;
mod token_order;
mod tokenizer;
mod tree;
mod values;

use std::ops::Range;

use self::collect::{Asked, Collector, Srcdoc, has_content};
use self::encoding::Decoded;
use self::position::Positions;
use self::tree::{ElementRef, Step, Wants};
pub(crate) use self::values::urls;
use crate::document::{Declaration, Document, GiveUp, NoteCode, Origin, Reading};
use crate::read::{Found, ReadError, ReadOptions};

/// What is known of an HTML document before it is read.
#[derive(Clone, Debug)]
pub struct Source<'s> {
    /// The document as stored; for mail the part with its transfer encoding decoded.
    pub bytes: &'s [u8],
    /// Where it stands.
    pub origin: Origin,
    /// See [`crate::document::Document::part_byte`].
    pub part_byte: Option<Range<u64>>,
    /// The charset parameter of its media type, as written.
    pub charset: Option<&'s str>,
    /// What declares a base around it, outermost first.
    pub declarations: Vec<Declaration>,
}

impl Source<'_> {
    /// Its document, with nothing read of it yet. Hands over what is wrong with its encoding, if
    /// anything is.
    pub(crate) fn begin(self, decoded: &Decoded<'_>, found: &mut dyn FnMut(Found)) -> Document {
        if let Some(reason) = &decoded.problem {
            found(Err(ReadError {
                origin: self.origin.clone(),
                line: None,
                reason: reason.clone(),
            }));
        }
        let mut document = Document::empty(self.origin, decoded.encoding.name());
        document.part_byte = self.part_byte;
        document.declarations = self.declarations;
        document
    }
}

/// Reads one HTML document. Hands over at most one error (an unknown or wrong charset, say),
/// then the document.
pub fn read(source: Source<'_>, options: &ReadOptions, found: &mut dyn FnMut(Found)) {
    let decoded = encoding::decode(source.bytes, source.charset, options.encoding);
    let mut document = source.begin(&decoded, found);
    if options.marks {
        document.declarations.extend(marks::read(&decoded.text));
    }
    let positions = decoded.positions();
    found(Ok(read_text(
        &decoded.text,
        positions,
        document,
        Asked::by(options),
    )));
}

/// Reads a document's decoded text into a document that knows where it stands.
///
/// Comes back for the documents in `srcdoc` attributes, as deep as
/// [`crate::read::Limits::srcdoc_depth`].
fn read_text<'d>(
    text: &'d str,
    positions: Positions<'d>,
    document: Document,
    asked: Asked<'_>,
) -> Document {
    let read = by_tags(text, positions.clone(), document.clone(), asked)
        .unwrap_or_else(|reason| by_tree(text, positions, document, asked, reason));
    with_embedded(read, asked)
}

/// Reads the documents in a document.
fn with_embedded((mut document, srcdocs): Read<'_>, asked: Asked<'_>) -> Document {
    for (number, srcdoc) in (1..).zip(srcdocs) {
        let mut inner = Document::empty(document.origin.clone(), document.encoding);
        inner.origin.srcdoc.push(number);
        inner.part_byte.clone_from(&document.part_byte);
        let positions = Positions::of_text(&srcdoc.text);
        document
            .embedded
            .push(read_text(&srcdoc.text, positions, inner, asked));
    }
    document
}

/// A document, and those in its `srcdoc` attributes that are still to be read.
type Read<'d> = (Document, Vec<Srcdoc<'d>>);

/// Reads a document by the order of its tags, if that is the order of its tree.
fn by_tags<'d>(
    text: &'d str,
    positions: Positions<'d>,
    document: Document,
    asked: Asked<'_>,
) -> Result<Read<'d>, GiveUp> {
    let srcdoc = !document.origin.srcdoc.is_empty();
    let mut collector = Collector::new(text, positions, document, asked);
    certificate::read(text, srcdoc, &mut collector)?;
    let (mut document, srcdocs) = collector.finish();
    document.reading = Some(Reading::Tags);
    Ok((document, srcdocs))
}

/// Reads a document by its tree, as far as the limits go.
fn by_tree<'d>(
    text: &'d str,
    positions: Positions<'d>,
    document: Document,
    asked: Asked<'_>,
    reason: GiveUp,
) -> Read<'d> {
    let wants = Wants {
        text: asked.options.text,
        content: asked.tables.ask_for_contents(),
        comments: asked.options.comments,
        srcdoc: !document.origin.srcdoc.is_empty(),
    };
    let (tree, rest) = tree::parse(text, wants, &asked.options.limits);
    let mut collector = Collector::new(text, positions, document, asked);
    // Whether the collector wants to be told the end of the `a` elements that are open.
    let mut anchors = Vec::new();
    // The same for the texts in scripts and style sheets.
    let mut contents = Vec::new();
    let is_a = |element: ElementRef<'_>| element.local_name() == "a";
    tree.walk(|step| match step {
        Step::Start(element) => {
            collector.read_attributes(element.tags());
            let collected = collector.element_named(element.namespace(), element.local_name());
            if is_a(element) {
                anchors.push(collected.anchor);
            }
            if has_content(element.local_name()) {
                contents.push(collected.content);
            }
        }
        Step::End(element) => {
            if has_content(element.local_name()) && contents.pop() == Some(true) {
                for text in element.contents() {
                    collector.content(text);
                }
                collector.end_content();
            }
            if is_a(element) && anchors.pop() == Some(true) {
                collector.end_anchor();
            }
        }
        Step::Text(text) => collector.text(text),
        Step::Comment(comment) => collector.comment(comment),
    });
    if let Some(rest) = rest {
        let detail = match rest.limit {
            NoteCode::TreeDepth => {
                "the tree is too deep: from here on tags are read in their order"
            }
            _ => "the tree takes too much work: from here on tags are read in their order",
        };
        collector.note(rest.limit, detail.to_owned(), rest.tokenizer.offset());
        token_order::read(rest.tokenizer, &mut collector);
    }
    let (mut document, srcdocs) = collector.finish();
    document.reading = Some(Reading::Tree(reason));
    (document, srcdocs)
}
