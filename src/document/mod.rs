//! What a reader hands over: plain data, made once and never changed after.
//!
//! A [`Document`] says what stands in a file and where. It decides nothing: which
//! declaration gives the base, and what a reference resolves to, is the work of
//! [`crate::base`] and [`mod@crate::resolve`].

mod about;
mod declaration;
mod identifier;
mod note;
mod origin;
mod part;
mod place;
mod position;
mod reference;
mod retrieval;
mod section;
mod skipped;

use std::ops::Range;

pub use self::about::{About, MessageFields};
pub use self::declaration::Declaration;
pub use self::identifier::{Identifiers, Naming, Repeated, hash_of};
pub use self::note::{Fallback, Note, NoteCode, Reading};
pub use self::origin::{Embedded, Origin};
pub use self::part::{Part, PartKind, PartOf};
pub use self::place::{BaseField, Place};
pub use self::position::Position;
pub use self::reference::{Context, Reference, References};
pub use self::retrieval::{Mark, MarkPlace, Retrieval};
pub use self::section::Section;
pub use self::skipped::Skipped;

/// One document with its links and all that declares its base.
#[derive(Clone, Debug)]
pub struct Document {
    /// Where it stands.
    pub origin: Origin,
    /// The offset in the file at which the part that holds the document begins and ends,
    /// before its transfer encoding is decoded; `None` where the document is the file.
    pub part_byte: Option<Range<u64>>,
    /// What is said of it, if it was asked for.
    pub about: About,
    /// The character encoding it was read in: the Encoding Standard's name of it.
    pub encoding: &'static str,
    /// What declares a base, outermost first; inside one heading or document in its order.
    pub declarations: Vec<Declaration>,
    /// How many of the `base` elements among them stand before the body: RFC 1808 §10 provides for
    /// no others.
    pub bases_before_body: usize,
    /// The Content Security Policies that it was under when its first `base` element came: those of
    /// the response it came in, and of `meta` elements before it in the head.
    pub policies: Vec<Box<str>>,
    /// The `codebase` values that [`Context::Codebase`] names, as written.
    pub codebases: Vec<Codebase>,
    /// Its links, in document order; before them those of its heading, if it has one.
    pub references: References,
    /// The names that fragments can point to, if they were asked for.
    pub identifiers: Identifiers,
    /// The documents in its `iframe srcdoc` attributes, in document order. Their
    /// declarations are their own: the base of this document lies around them.
    pub embedded: Vec<Document>,
    /// What else is to be known of it.
    pub notes: Vec<Note>,
    /// How it was read, where that is a matter of choice: for HTML.
    pub reading: Option<Reading>,
    /// The message that it stands in, as far as links can name its parts; `None` outside mail,
    /// or if no links are wanted.
    pub message: Option<PartOf>,
}

/// A `codebase` attribute: the base of its element's `data`, `classid` and `archive`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Codebase {
    /// The value as written, character references decoded; relative to the document's base.
    pub value: String,
    /// The element it stands on.
    pub element: &'static str,
    /// Where the value stands.
    pub at: Position,
}

impl Document {
    /// A document of which nothing has been read yet.
    #[must_use]
    pub fn empty(origin: Origin, encoding: &'static str) -> Self {
        Self {
            origin,
            part_byte: None,
            about: About::default(),
            encoding,
            declarations: Vec::new(),
            bases_before_body: 0,
            policies: Vec::new(),
            codebases: Vec::new(),
            references: References::default(),
            identifiers: Identifiers::default(),
            embedded: Vec::new(),
            notes: Vec::new(),
            reading: None,
            message: None,
        }
    }
}
