//! Where a base is declared.

use std::fmt;
use std::num::NonZeroU64;

use super::position::Position;
use super::retrieval::Retrieval;
use super::section::Section;

/// Where a base is declared, by the layers of RFC 1808 §3.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Place {
    /// §3.1: the `href` of a `base` element.
    Element(Position),
    /// The `codebase` of an element (HTML 4.01 §13.3): the base only of its other URLs.
    Codebase {
        /// The element's name.
        element: &'static str,
        /// Where the value is.
        at: Position,
    },
    /// The `xml:base` of an element of a feed (RFC 4287 §2): the base of what is in the element, relative
    /// to the next one around it.
    XmlBase(Position),
    /// In none of the layers: a `base` element that the browser which saved the page moved into a
    /// comment. The position is the comment's.
    FormerElement(Position),
    /// §3.2: a field of an enclosing header.
    Field {
        /// Which field.
        field: BaseField,
        /// How many headers enclose this one, 0 for the outermost.
        level: u32,
        /// The MIME section whose header it is; empty for the message's own header.
        section: Section,
        /// The line of the field's name in the file, 1-based; `None` in a transfer-decoded part.
        line: Option<NonZeroU64>,
    },
    /// §3.3: the retrieval URL.
    Retrieval(Retrieval),
}

/// A header field that can declare a base.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum BaseField {
    /// `Base` (RFC 1808 §3.1).
    Base,
    /// `Content-Base` (RFC 2110 §4.2).
    ContentBase,
    /// `Content-Location` (RFC 2557 §4.2).
    ContentLocation,
}

impl BaseField {
    /// The field's name as its specification writes it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Base => "Base",
            Self::ContentBase => "Content-Base",
            Self::ContentLocation => "Content-Location",
        }
    }
}

/// `<base> line 4`, `Content-Base line 7 (part 1.2)`, `--url`.
impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Element(at) => write!(f, "<base> line {}", at.line),
            Self::Codebase { element, at } => write!(f, "<{element} codebase> line {}", at.line),
            Self::XmlBase(at) => write!(f, "xml:base line {}", at.line),
            Self::FormerElement(at) => write!(f, "commented <base> line {}", at.line),
            Self::Field {
                field,
                section,
                line,
                ..
            } => {
                f.write_str(field.name())?;
                if let Some(line) = line {
                    write!(f, " line {line}")?;
                }
                if !section.is_empty() {
                    write!(f, " (part {section})")?;
                }
                Ok(())
            }
            Self::Retrieval(retrieval) => retrieval.fmt(f),
        }
    }
}
