//! Where a value stands in its document, and where a base is declared.

use std::num::{NonZeroU32, NonZeroU64};
use std::ops::Range;
use std::sync::Arc;

use super::declaration::{BaseField, Mark};
use super::section::Section;

/// Where a value stands in its document; in a header field, where it stands in the file.
///
/// Where white space is no part of the value (in angle brackets, in a folded header field), the
/// bytes are all from its first to its last.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Position {
    /// The line on which the value begins, 1-based; LF, CR and CRLF end a line.
    pub line: NonZeroU32,
    /// The column at which the value begins, 1-based, in Unicode scalar values.
    pub column: NonZeroU32,
    /// The bytes of the value in the document as it is stored (for mail, in the
    /// decoded part): before charset and character references are decoded. In a header field,
    /// its bytes in the file.
    pub byte: Range<u64>,
}

impl Default for Position {
    /// Before the first character.
    fn default() -> Self {
        Self {
            line: NonZeroU32::MIN,
            column: NonZeroU32::MIN,
            byte: 0..0,
        }
    }
}

/// Where a base is declared, by the layers of RFC 1808 §3.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Place {
    /// §3.1: the `href` of a `base` element.
    Element(Position),
    /// The `codebase` of an element (HTML 4.01 §13.3): the base of its other URLs alone.
    Codebase {
        /// The element's name.
        element: &'static str,
        /// Where the value stands.
        at: Position,
    },
    /// None of the layers: a `base` element in a comment, where the browser which saved the page
    /// put it. The position is that of the comment.
    FormerElement(Position),
    /// §3.2: a header field of a heading around the document.
    Field {
        /// Which field.
        field: BaseField,
        /// How many headings lie between this one and the outermost one, 0 for the outermost.
        level: u32,
        /// The MIME section whose heading it is; empty for the message's own.
        section: Section,
        /// The line of the field's name in the file, 1-based; `None` in a part that was decoded.
        line: Option<NonZeroU64>,
    },
    /// §3.3: the retrieval URL.
    Retrieval(Retrieval),
}

/// Who says that a document was retrieved from a URL (RFC 1808 §3.3).
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Retrieval {
    /// The user, for every input: `--url`.
    Url,
    /// The user, for every file below a directory: `--url-map`. Holds that directory.
    UrlMap(Arc<str>),
    /// The container's own record of it. Holds its name, `Snapshot-Content-Location` say.
    Record(&'static str),
    /// The `data:` URL that it stands in. Its value is the URL up to the document.
    Data,
    /// The program that saved it, by a mark in it or beside it: a claim.
    Mark {
        /// Which mark.
        mark: Mark,
        /// Where it stands.
        at: MarkPlace,
    },
}

/// Where a mark stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MarkPlace {
    /// In the document: its comment or the value of its attribute.
    Inside(Position),
    /// Beside the file that is the document.
    Beside,
    /// Beside the file that is one of many documents: it is about the collection.
    BesideCollection,
}
