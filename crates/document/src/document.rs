//! One document, as readers produce it.

use std::ops::Range;
use std::sync::Arc;

use super::declaration::Declaration;
use super::identifier::Identifiers;
use super::metadata::Metadata;
use super::metadata_element::MetadataElement;
use super::note::{Note, Reading};
use super::origin::Origin;
use super::outline::Outline;
use super::part::PartOf;
use super::position::Position;
use super::reference::{Reference, References};

/// One document with its links and every declaration of a base.
///
/// ```
/// use baseref_document::{Document, Origin};
///
/// // What a reader begins with.
/// let document = Document::empty(Origin::new("page.html"), "UTF-8");
/// assert_eq!(document.origin.to_string(), "page.html");
/// assert!(document.references.is_empty() && document.declarations.is_empty());
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Document {
    /// What it is.
    pub kind: DocumentKind,
    /// Where it is.
    pub origin: Origin,
    /// The byte range in the file of the part that holds the document, as stored, before its
    /// transfer encoding is decoded; `None` where the document is the whole file.
    pub part_byte: Option<Range<u64>>,
    /// Descriptive data about it, if asked for.
    pub metadata: Metadata,
    /// Its `link` and `meta` elements in document order, if asked for.
    #[doc(hidden)]
    pub metadata_elements: Vec<MetadataElement>,
    /// Its title, headings and text, if it is a page and they are asked for.
    #[doc(hidden)]
    pub outline: Option<Box<Outline>>,
    /// The character encoding it was read in, or that it declares if its container has it as text, by its
    /// name in the Encoding Standard.
    pub encoding: &'static str,
    /// Every declaration of a base, outermost first; within one header or document in order of
    /// occurrence.
    pub declarations: Vec<Declaration>,
    /// How many of the `base` elements among them precede the body: RFC 1808 §10 provides for no
    /// others.
    pub bases_before_body: usize,
    /// The elements named `base` that declare nothing, in document order: no browser uses them.
    pub inert_bases: Vec<InertBase>,
    /// The Content Security Policies in force at its first `base` element, from its HTTP response and
    /// from `meta` elements before it in the head.
    pub policies: Vec<Box<str>>,
    /// The `codebase` values that [`Context::Codebase`](crate::Context::Codebase) names, as written.
    pub codebases: Vec<Codebase>,
    /// The `xml:base` values that [`Context::XmlBase`](crate::Context::XmlBase) names, outermost first.
    pub xml_bases: Vec<XmlBase>,
    /// Its links in order; the links of its header, if it has one, come first.
    pub references: References,
    /// References in its source that are not in the document, if asked for: in templates, from which
    /// scripts make elements elsewhere (not in declarative shadow roots, which are part of the page at
    /// once, except for their `base` and `meta` elements); and in the content of a `selectedcontent`,
    /// which browsers replace by a copy of the chosen option. They are not links of the document and
    /// have no texts, but a move has to edit their addresses, too.
    pub inert: References,
    /// The names that fragments can point to, if asked for.
    pub identifiers: Identifiers,
    /// The documents in its attributes (`iframe srcdoc`, `data:` URLs of frames) or, in a feed, in the
    /// texts of its elements, in document order, and after them those in what is [inert](Self::inert).
    /// Each has its own declarations; this document's base is outside them.
    pub embedded: Vec<Document>,
    /// Whether bytes of it are missing or damaged, as a [`crate::ReadError`] before it or one of its
    /// notes says: what is not in it may have been lost.
    pub is_damaged: bool,
    /// Notes about it.
    pub notes: Vec<Note>,
    /// How it was read, where there is a choice: for HTML.
    pub reading: Option<Reading>,
    /// The message around it, as far as links can name its parts; `None` outside mail, or if no
    /// links are wanted.
    pub message: Option<PartOf>,
}

/// An element named `base` with an `href`, whose place keeps it from declaring a base.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InertBase {
    /// The value of its `href`, character references decoded.
    pub value: String,
    /// Where the value is.
    pub at: Position,
    /// Whether it is in a `template`; otherwise it is in SVG or `MathML`, whose element it is.
    pub in_template: bool,
}

/// An `xml:base` attribute inside a feed, below its root: the base of what is in its element.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct XmlBase {
    /// The value as written, character references decoded.
    pub value: Arc<str>,
    /// Where the value is.
    pub at: Position,
    /// What it is relative to: the index of the next one around it, which is less than its own; `None`
    /// for the base of the document.
    pub outer: Option<u32>,
}

/// What a document of markup is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum DocumentKind {
    /// A page, a style sheet, a text: what a person looks at, or a part of it.
    #[default]
    Page,
    /// An image: SVG.
    Image,
    /// A feed: Atom, RSS.
    Feed,
    /// A sitemap, or an index of sitemaps.
    Sitemap,
}

impl DocumentKind {
    /// Every kind.
    pub const ALL: &'static [Self] = &[Self::Page, Self::Image, Self::Feed, Self::Sitemap];

    /// Its name, kebab-case.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Page => "page",
            Self::Image => "image",
            Self::Feed => "feed",
            Self::Sitemap => "sitemap",
        }
    }
}

/// A `codebase` attribute: the base of its element's `data`, `classid` and `archive`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Codebase {
    /// The value as written, character references decoded; relative to the document's base.
    pub value: String,
    /// The element that carries it.
    pub element: &'static str,
    /// Where the value is.
    pub at: Position,
}

impl Document {
    /// A document with nothing read into it yet.
    #[doc(hidden)]
    #[must_use]
    pub fn empty(origin: Origin, encoding: &'static str) -> Self {
        Self {
            kind: DocumentKind::Page,
            origin,
            part_byte: None,
            metadata: Metadata::default(),
            metadata_elements: Vec::new(),
            outline: None,
            encoding,
            declarations: Vec::new(),
            bases_before_body: 0,
            inert_bases: Vec::new(),
            policies: Vec::new(),
            codebases: Vec::new(),
            xml_bases: Vec::new(),
            references: References::default(),
            inert: References::default(),
            identifiers: Identifiers::default(),
            embedded: Vec::new(),
            is_damaged: false,
            notes: Vec::new(),
            reading: None,
            message: None,
        }
    }

    /// All references in its source: its links, and after them those that it has [in
    /// addition](Self::inert).
    pub fn written(&self) -> impl Iterator<Item = Reference<'_>> {
        self.references.iter().chain(self.inert.iter())
    }
}
