//! What to read from an input, and within which limits.

use encoding_rs::Encoding;

use crate::ledger::Allowance;
use crate::link_places::Classes;

/// For each setting, a method that sets it and one that returns it.
macro_rules! settings {
    ($type:ident: $($(#[$doc:meta])+ $set:ident, $get:ident: $value:ty;)+) => {
        impl $type {
            $(
                $(#[$doc])+
                #[must_use]
                pub fn $set(self, $get: $value) -> Self {
                    Self { $get, ..self }
                }

                #[doc = concat!("What [`Self::", stringify!($set), "`] sets.")]
                #[must_use]
                pub fn $get(&self) -> $value {
                    self.$get
                }
            )+
        }
    };
}

/// Limits on what a reader does with one input. Hitting one produces a note or an error.
///
/// ```
/// use baseref_document::{Limits, ReadOptions};
///
/// // Skip messages of more than 1 MiB.
/// let options = ReadOptions::default().with_limits(Limits::default().with_message(1024 * 1024));
/// # drop(options);
/// ```
///
/// It is set by its methods. Its fields are for the readers, and no part of the promise.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// Open elements of an HTML tree.
    #[doc(hidden)]
    pub tree_depth: usize,
    /// Work of the tree builder per byte of a document: elements it looks at, and bytes of tags
    /// that it reads again for clones of their elements.
    #[doc(hidden)]
    pub tree_work: u64,
    /// Nested MIME parts, `message/rfc822` included.
    #[doc(hidden)]
    pub mime_depth: usize,
    /// MIME parts of one message.
    #[doc(hidden)]
    pub parts: usize,
    /// Bytes of one message of a mailbox, of one record or member of an archive, or of one
    /// compressed input; a larger one is skipped.
    #[doc(hidden)]
    pub message: usize,
    /// Nested containers: a mailbox in a zip file is two.
    #[doc(hidden)]
    pub nesting: usize,
    /// Bytes of one header (all header fields of a message, part, record or response).
    #[doc(hidden)]
    pub heading: usize,
    /// Bytes of one attribute value that holds URLs.
    #[doc(hidden)]
    pub attribute: usize,
    /// Bytes of the text of one link, before white space is collapsed.
    #[doc(hidden)]
    pub text: usize,
    /// Nested `iframe srcdoc` documents.
    #[doc(hidden)]
    pub srcdoc_depth: usize,
    /// Bytes that the entities of one XML document expand to.
    #[doc(hidden)]
    pub entities: usize,
    /// Bytes of a document per link beyond the first 65,536: every clone that a browser makes of an
    /// element has its links again.
    #[doc(hidden)]
    pub bytes_per_link: usize,
    /// `base` elements of one document that are listed.
    #[doc(hidden)]
    pub declarations: usize,
    /// Bytes that one entity of any size may inflate to, all its codings together.
    #[doc(hidden)]
    pub inflated: usize,
    /// Bytes that it may inflate to beyond that, per byte of its own.
    #[doc(hidden)]
    pub inflation: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            tree_depth: 2_048,
            tree_work: 128,
            mime_depth: 50,
            parts: 10_000,
            message: 512 * 1024 * 1024,
            nesting: 4,
            heading: 256 * 1024,
            attribute: 8 * 1024 * 1024,
            text: 64 * 1024,
            srcdoc_depth: 8,
            entities: 1024 * 1024,
            bytes_per_link: 4,
            declarations: 1_000,
            inflated: 16 * 1024 * 1024,
            inflation: 128,
        }
    }
}

impl Limits {
    /// How many links a document of `size` bytes may have.
    #[doc(hidden)]
    #[must_use]
    pub fn links_of(&self, size: usize) -> usize {
        const FREE: usize = 65_536;
        FREE + size / self.bytes_per_link.max(1)
    }

    /// How many bytes an entity of `stored` bytes may inflate to.
    #[doc(hidden)]
    #[must_use]
    pub fn inflated_from(&self, stored: u64) -> usize {
        let most = usize::try_from(self.inflated_in_layers(stored)).unwrap_or(usize::MAX);
        most.min(self.message)
    }

    /// How many bytes the layers of a file that is compressed more than once may inflate to, each,
    /// when `stored` of its bytes have been read.
    #[doc(hidden)]
    #[must_use]
    pub fn inflated_in_layers(&self, stored: u64) -> u64 {
        let more = stored.saturating_mul(self.inflation as u64);
        more.saturating_add(self.inflated as u64)
    }

    /// How many bytes everything in one input file may inflate to.
    #[doc(hidden)]
    #[must_use]
    pub fn inflation_allowance(&self) -> Allowance {
        Allowance {
            base: self.inflated as u64,
            per_byte: self.inflation as u64,
        }
    }
}

settings! { Limits:
    /// Sets how many elements of an HTML tree may be open at once: 2,048 unless set.
    with_tree_depth, tree_depth: usize;

    /// Sets the work of the tree builder per byte of a document, 128 unless set: elements it looks
    /// at, and bytes of tags that it reads again for clones of their elements.
    with_tree_work, tree_work: u64;

    /// Sets how deeply MIME parts may be nested, `message/rfc822` included: 50 unless set.
    with_mime_depth, mime_depth: usize;

    /// Sets how many MIME parts one message may have: 10,000 unless set.
    with_parts, parts: usize;

    /// Sets the size in bytes of one message of a mailbox, one record or member of an archive, or
    /// one compressed input, above which it is skipped: 512 MiB unless set.
    with_message, message: usize;

    /// Sets how deeply containers may be nested, 4 unless set: a mailbox in a zip file is two.
    with_nesting, nesting: usize;

    /// Sets the size in bytes of one header (all header fields of a message, part, record or
    /// response): 256 KiB unless set.
    with_heading, heading: usize;

    /// Sets the size in bytes of one attribute value that holds URLs: 8 MiB unless set.
    with_attribute, attribute: usize;

    /// Sets the size in bytes of the text of one link, before white space is collapsed: 64 KiB
    /// unless set.
    with_text, text: usize;

    /// Sets how many bytes a document must have per link beyond the first 65,536, 4 unless set:
    /// every clone that a browser makes of an element has its links again.
    with_bytes_per_link, bytes_per_link: usize;

    /// Sets how many `base` elements of one document are listed: 1,000 unless set.
    with_declarations, declarations: usize;

    /// Sets how many bytes one entity of any size may inflate to, all its codings together: 16 MiB
    /// unless set.
    with_inflated, inflated: usize;

    /// Sets how many bytes it may inflate to beyond that, per byte of its own: 128 unless set.
    with_inflation, inflation: usize;

    /// Sets how many bytes the entities of one XML document may expand to: 1 MiB unless set.
    with_entities, entities: usize;

    /// Sets how deeply documents in attributes (`iframe srcdoc`, `data:` URLs) may be nested: 8
    /// unless set.
    with_srcdoc_depth, srcdoc_depth: usize;
}

/// What to read from an input.
///
/// By default the links that people follow, with their texts and positions. What is off costs
/// nothing.
///
/// ```
/// use baseref_document::ReadOptions;
/// use baseref_document::link_places::{Class, Classes};
///
/// let images = Classes::default().with(Class::Resource);
/// let options = ReadOptions::default().with_classes(images).with_text(false).with_positions(false);
/// # drop(options);
/// ```
///
/// It is set by its methods. Its fields are for the readers, and no part of the promise.
#[derive(Clone, Debug)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is wanted or not, whatever the others are"
)]
#[non_exhaustive]
pub struct ReadOptions {
    /// The links to report.
    #[doc(hidden)]
    pub classes: Classes,
    /// Whether the links in the plain text of messages without HTML are wanted even without
    /// [`crate::link_places::Class::Text`]: such messages would otherwise seem empty.
    #[doc(hidden)]
    pub text_alone: bool,
    /// Whether link texts are wanted.
    #[doc(hidden)]
    pub text: bool,
    /// Whether positions (line, column, bytes) of references are wanted.
    #[doc(hidden)]
    pub positions: bool,
    /// Whether marks that record where a page was saved from are wanted
    /// ([`crate::Mark`]), along with the `base` elements that browsers move into
    /// comments.
    #[doc(hidden)]
    pub marks: bool,
    /// Whether links in conditional comments are wanted, too.
    #[doc(hidden)]
    pub comments: bool,
    /// Whether the names that fragments can point to are wanted
    /// ([`crate::Identifiers`]).
    #[doc(hidden)]
    pub identifiers: bool,
    /// Whether the references are wanted that the source has and the document has not
    /// ([`crate::Document::inert`]).
    #[doc(hidden)]
    pub inert: bool,
    /// Whether descriptive data is wanted: dates, titles, fields of the message
    /// ([`crate::Metadata`]).
    #[doc(hidden)]
    pub metadata: bool,
    /// Whether the `link` and `meta` elements of pages are wanted
    /// ([`crate::Document::metadata_elements`]), and their titles.
    #[doc(hidden)]
    pub metadata_elements: bool,
    /// Whether companion attributes of links are wanted: what else the element says about its target
    /// ([`crate::Companions`]).
    #[doc(hidden)]
    pub companion_attributes: bool,
    /// Whether the outlines of pages are wanted ([`crate::Document::outline`]).
    #[doc(hidden)]
    pub outline: bool,
    /// Whether it is wanted when browsers ask for the targets of links ([`crate::Choice`]).
    #[doc(hidden)]
    pub choices: bool,
    /// The encoding of the documents according to the user.
    #[doc(hidden)]
    pub encoding: Option<&'static Encoding>,
    /// Limits on reading.
    #[doc(hidden)]
    pub limits: Limits,
}

impl Default for ReadOptions {
    fn default() -> Self {
        Self {
            classes: Classes::ANCHORS,
            text_alone: false,
            text: true,
            positions: true,
            marks: false,
            comments: false,
            identifiers: false,
            inert: false,
            metadata: false,
            metadata_elements: false,
            companion_attributes: false,
            outline: false,
            choices: false,
            encoding: None,
            limits: Limits::default(),
        }
    }
}

impl ReadOptions {
    /// Sets whether the `link` and `meta` elements of pages are wanted
    /// ([`crate::Document::metadata_elements`]), and their titles ([`crate::Metadata::title`]): no
    /// unless set.
    #[doc(hidden)]
    #[must_use]
    pub fn with_metadata_elements(self, metadata_elements: bool) -> Self {
        Self {
            metadata_elements,
            ..self
        }
    }

    /// Sets whether companion attributes of links are wanted: what else the element says about its
    /// target ([`crate::Companions`]): no unless set.
    #[doc(hidden)]
    #[must_use]
    pub fn with_companion_attributes(self, companion_attributes: bool) -> Self {
        Self {
            companion_attributes,
            ..self
        }
    }

    /// Sets whether the outlines of pages are wanted ([`crate::Document::outline`]): no unless set.
    #[doc(hidden)]
    #[must_use]
    pub fn with_outline(self, outline: bool) -> Self {
        Self { outline, ..self }
    }

    /// Sets whether it is wanted when browsers ask for the targets of links ([`crate::Choice`]): no
    /// unless set.
    #[doc(hidden)]
    #[must_use]
    pub fn with_choices(self, choices: bool) -> Self {
        Self { choices, ..self }
    }
}

settings! { ReadOptions:
    /// Sets which links are wanted: [`Classes::ANCHORS`] unless set.
    with_classes, classes: Classes;

    /// Sets whether the links in the plain text of messages without HTML are wanted even without
    /// [`crate::link_places::Class::Text`], no unless set: such messages would otherwise seem empty.
    with_text_alone, text_alone: bool;

    /// Sets whether link texts are wanted: yes unless set.
    with_text, text: bool;

    /// Sets whether positions (line, column, bytes) of references are wanted: yes unless set.
    with_positions, positions: bool;

    /// Sets whether marks that record where a page was saved from are wanted ([`crate::Mark`]),
    /// along with the `base` elements that browsers move into comments: no unless set.
    with_marks, marks: bool;

    /// Sets whether links in conditional comments are wanted, too: no unless set.
    with_comments, comments: bool;

    /// Sets whether the names that fragments can point to are wanted ([`crate::Identifiers`]): no
    /// unless set.
    with_identifiers, identifiers: bool;

    /// Sets whether the references are wanted that the source has and the document has not, those in
    /// templates for example ([`crate::Document::inert`]): no unless set.
    with_inert, inert: bool;

    /// Sets whether descriptive data is wanted: dates, titles, fields of the message
    /// ([`crate::Metadata`]): no unless set.
    with_metadata, metadata: bool;

    /// Sets the encoding of the documents, for a user who knows it better than they say; `None`
    /// unless set.
    with_encoding, encoding: Option<&'static Encoding>;

    /// Sets the limits on reading.
    with_limits, limits: Limits;
}
