//! Limits the total length of the URLs of a file's links.
//!
//! A base is written once and each of many links repeats it, so the output can grow with the product of
//! the base's length and the number of links. Only pages made to fill a disk reach the limit.

use baseref_document::{Document, Note, NoteCode, Reference, XmlBase};
use baseref_resolve::parts;

/// The bytes of URLs and bases that a file's links may have in total beyond their guaranteed lengths.
const FREE: usize = 4 << 20;

/// The guaranteed length of a URL, in bytes.
const PER_LINK: usize = 256;

/// Additional guaranteed bytes per byte of the value, since escapes make a URL longer.
const PER_BYTE: usize = 16;

/// The bytes of `codebase` and `xml:base` values, each with the base around it, that are worked out for
/// a document whose URLs need more room than is left.
const OWN_BASES: usize = 4 << 20;

/// The bytes left for the links of a file, which is a message or a page with the documents in it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Room(usize);

impl Default for Room {
    fn default() -> Self {
        Self(FREE)
    }
}

impl Room {
    /// The room of a document if those before it have used up all of it.
    pub(super) const USED_UP: Self = Self(0);

    /// Takes room for the base of a document that shares it with others, given the length of the base
    /// around the document; returns whether there was enough.
    pub(super) fn take_base(&mut self, document: &Document, around: usize) -> bool {
        let declared = document.declarations.iter();
        let declared = declared.map(|declaration| declaration.value.len());
        let length = declared.fold(around, usize::saturating_add);
        let left = self.0.checked_sub(length.saturating_sub(PER_LINK));
        self.0 = left.unwrap_or(0);
        left.is_some()
    }

    /// Whether URLs and bases of at most `longest` bytes, not counting their values, need no room.
    pub(super) fn is_unneeded(longest: usize) -> bool {
        longest <= PER_LINK
    }

    /// Whether there is certainly room for this number of links, if their URLs and bases have at most
    /// `longest` bytes, not counting their values.
    pub(super) fn suffices(self, links: usize, longest: usize) -> bool {
        let beyond = 2 * longest.saturating_sub(PER_LINK);
        links.saturating_mul(beyond) <= self.0
    }

    /// Takes room for a URL and its base, given their lengths; returns whether there was enough.
    pub(super) fn take(&mut self, reference: &Reference<'_>, url: usize, base: usize) -> bool {
        let always = always(reference);
        let beyond = url.saturating_sub(always) + base.saturating_sub(always);
        let left = self.0.checked_sub(beyond);
        self.0 = left.unwrap_or(0);
        left.is_some()
    }
}

/// The guaranteed length of the URL of a link, in bytes.
pub(super) fn always(reference: &Reference<'_>) -> usize {
    PER_LINK + PER_BYTE * reference.value.len()
}

/// Whether the `codebase` and `xml:base` values of a document are too long with the base around them,
/// given its length.
pub(super) fn are_own_bases_too_long(document: &Document, around: usize) -> bool {
    let codebases = document.codebases.iter();
    let codebases = codebases.map(|own| own.value.len().saturating_add(around));
    // Each is relative to the one around it, which comes before it.
    let mut xml_bases: Vec<usize> = Vec::with_capacity(document.xml_bases.len());
    for XmlBase { value, outer, .. } in &document.xml_bases {
        let outer = outer.and_then(|outer| xml_bases.get(outer as usize));
        let length = value.len().saturating_add(*outer.unwrap_or(&around));
        xml_bases.push(length);
    }
    codebases.chain(xml_bases).fold(0, usize::saturating_add) > OWN_BASES
}

/// Whether a reference takes over the path of its base, so that its URL is about as long as the base.
pub(super) fn inherits_path(value: &str, base: &str) -> bool {
    let value = value.trim_start_matches(|c: char| c <= ' ');
    match parts::scheme(value) {
        Some(scheme) => {
            let rest = value.split_once(':').map_or("", |(_, rest)| rest);
            // `http:x` is relative to a base with that scheme under most rule sets.
            parts::has_scheme(base, &scheme) && !rest.starts_with('/')
        }
        None => !value.starts_with('/'),
    }
}

/// The note on a document whose links need more room than is left.
pub(super) fn note() -> Note {
    Note::new(
        NoteCode::UrlSize,
        format!(
            "the URLs of the links and their bases have more than {} MiB: those longer than \
             {PER_LINK} bytes and {PER_BYTE} times the value are left out",
            FREE >> 20
        ),
    )
}
