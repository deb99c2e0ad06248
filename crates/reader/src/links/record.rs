//! Links as plain data for serde, with the field names of JSON Lines.

use std::num::NonZeroU32;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::{PartReference, ResolvedLink};
use crate::base::BaseSource;
use baseref_document::link_places::Class;
use baseref_resolve::ResolveError;

/// A link that owns everything, with the fields of the program's JSON Lines. A [`ResolvedLink`] is
/// serialised in this form.
///
/// ```
/// use baseref_document::ReadOptions;
/// use baseref_reader::links::LinkRecord;
/// use baseref_reader::{Policy, read_html};
///
/// let page = read_html(b"<base href=http://a/><a href=b>c</a>", None, &ReadOptions::default());
/// let resolved = Policy::default().resolve(&page);
/// let link = resolved.links().next().expect("the page has a link");
/// let json = serde_json::to_string(&link)?;
/// let record: LinkRecord = serde_json::from_str(&json)?;
/// assert_eq!(record, LinkRecord::from(&link));
/// assert_eq!(record.url.as_deref(), Some("http://a/b"));
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct LinkRecord {
    /// The document, as its `Origin` prints.
    pub doc: String,
    /// Its number in the document, 1-based, in document order.
    pub seq: u64,
    /// The element it is in.
    pub element: String,
    /// The attribute it is in.
    pub attr: String,
    /// What it is for.
    pub class: Class,
    /// The link text, white space collapsed; `None` where the place has none or it was not read.
    pub text: Option<String>,
    /// The value as written, character references decoded.
    pub raw: String,
    /// The resolved URL; `None` exactly when `error` is not.
    pub url: Option<String>,
    /// Why there is no URL.
    pub error: Option<ResolveError>,
    /// The base it was resolved against.
    pub base: Option<String>,
    /// The layer of that base.
    pub base_source: BaseSource,
    /// Where that base is declared, in words.
    pub base_at: Option<String>,
    /// The line on which the value begins, 1-based; `None` if positions were not read.
    pub line: Option<NonZeroU32>,
    /// The column at which the value begins, 1-based, in Unicode scalar values.
    pub column: Option<NonZeroU32>,
    /// The first byte of the value in the stored document, and that behind its last.
    pub byte: Option<[u64; 2]>,
    /// The first byte of its part of a message in the file, and that behind its last; absent outside
    /// mail.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub part_byte: Option<[u64; 2]>,
    /// The MIME section of the part of its message that it refers to; `Some(None)` for a `cid:` that
    /// matches no part, and absent if it refers to none.
    #[serde(
        default,
        skip_serializing_if = "Option::is_none",
        deserialize_with = "present"
    )]
    pub part: Option<Option<String>>,
}

/// Tells a null from what is absent.
#[expect(clippy::option_option, reason = "it is absent, null or a value")]
fn present<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Option<String>>, D::Error> {
    Option::deserialize(deserializer).map(Some)
}

impl From<&ResolvedLink<'_>> for LinkRecord {
    fn from(link: &ResolvedLink<'_>) -> Self {
        let reference = &link.reference;
        let at = reference.at;
        let is_header = reference.slot.class == Class::Header;
        let part_byte = link.document.part_byte.as_ref().filter(|_| !is_header);
        Self {
            doc: link.document.origin.to_string(),
            seq: link.seq,
            element: reference.element.to_owned(),
            attr: reference.attr.to_owned(),
            class: reference.slot.class,
            text: reference.text.map(str::to_owned),
            raw: reference.value.to_owned(),
            url: link.url.as_ref().ok().cloned(),
            error: link.url.as_ref().err().copied(),
            base: link.base.url.as_deref().map(str::to_owned),
            base_source: link.base.source,
            base_at: link.base.at.as_ref().map(ToString::to_string),
            line: at.map(|at| at.line),
            column: at.map(|at| at.column),
            byte: at.map(|at| [at.byte.start, at.byte.end]),
            part_byte: part_byte.map(|byte| [byte.start, byte.end]),
            part: match link.part {
                PartReference::Nothing => None,
                PartReference::Missing => Some(None),
                PartReference::Part(section) => Some(Some(section.to_string())),
            },
        }
    }
}

impl Serialize for ResolvedLink<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        LinkRecord::from(self).serialize(serializer)
    }
}
