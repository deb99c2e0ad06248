//! Format detection: the columns of the table of formats, and their evaluation.

use std::path::{Path, is_separator};
#[cfg(feature = "archives")]
use std::sync::LazyLock;

use crate::contents::Contents;
use crate::format::Format;
#[cfg(feature = "archives")]
use crate::input::Input;
use crate::input::buffered::BufferedInput;
use crate::nesting::Nesting;
use baseref_document::{Limits, ReadError};
use baseref_text::decode::encoding::utf_8_of_utf_16;
use baseref_text::decode::sniff::{
    self, is_binary, is_heading, is_html, is_page, is_utf16, skip_white_space,
};
use baseref_text::decode::source::Markup;
use baseref_text::decode::xml_root::{self, RootTag};
use memchr::memrchr;

/// How many bytes of an input detection looks at; more do not help.
pub const HEAD: usize = sniff::HEAD;

/// A row of the table of formats.
#[derive(Debug)]
pub struct FormatRow {
    /// The format.
    pub format: Format,
    /// Its name, as a value of `--input`.
    pub name: &'static str,
    /// What a file in the format is.
    pub what: &'static str,
    /// How such a file is recognised, apart from its extension; completes "it ...".
    pub recognised_when: Option<&'static str>,
    /// The extensions of such files, in lower case.
    pub extensions: &'static [&'static str],
    /// How the first bytes of such a file are recognised.
    pub(crate) magic: Magic,
    /// What such a file holds.
    pub(crate) holds: Holds,
    /// Reads such a file.
    pub(crate) read: Read,
}

/// A function that reads an input in a known format.
pub(crate) type Read = fn(BufferedInput, &OpenContext<'_>) -> Result<Contents, ReadError>;

/// How the first bytes of a file in a format are recognised. The variants are tried in this order.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Magic {
    /// The file begins with one of these.
    Bytes(&'static [&'static [u8]]),
    /// By the bytes as stored.
    Stored(fn(&[u8]) -> bool),
    /// By the text after a byte order mark and white space.
    Text(fn(&[u8]) -> bool),
    /// By JSON, in UTF-8 or UTF-16.
    Json(fn(&[u8]) -> bool),
    /// By the root element of XML, in any encoding.
    Root(fn(&RootTag<'_>) -> bool),
    /// As an HTML page, in any encoding.
    Page,
    /// As the header of a message for which this holds, in any encoding.
    MessageHeader(fn(&[u8]) -> bool),
    /// Not at all: only by the name or by the user.
    None,
}

impl Magic {
    /// Whether these bytes are the first of those that a file begins with, but not all.
    pub(crate) fn is_longer_than(self, bytes: &[u8]) -> bool {
        let is_start = |magic: &&[u8]| bytes.len() < magic.len() && magic.starts_with(bytes);
        let begins = |all: &[&[u8]]| !bytes.is_empty() && all.iter().any(is_start);
        matches!(self, Self::Bytes(all) if begins(all))
    }
}

/// What a file in a format holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Holds {
    /// One document in this markup.
    Document(Markup),
    /// One style sheet.
    StyleSheet,
    /// One message or response.
    Message,
    /// A collection of documents or messages, or of further files.
    Collection,
}

/// What readers of containers need to open the files in them.
pub(crate) struct OpenContext<'o> {
    pub limits: &'o Limits,
    pub nesting: &'o Nesting,
    pub formats: &'static Formats,
}

/// The table of formats, and the function that opens a file in any of them. Readers of containers
/// get it passed in, since it names them all.
pub(crate) struct Formats {
    pub rows: &'static [FormatRow],
    #[cfg(feature = "archives")]
    pub extensions: &'static LazyLock<Extensions>,
    #[cfg(feature = "archives")]
    pub open: fn(Input, &Limits, &Nesting) -> Result<Contents, ReadError>,
}

impl FormatRow {
    /// Whether a file in the format is one document or message rather than a collection. Its
    /// retrieval URL then applies to the document.
    #[must_use]
    pub fn is_one_document(&self) -> bool {
        self.holds != Holds::Collection
    }

    /// The markup of a document in the format; `None` if the format has none.
    #[must_use]
    pub fn markup(&self) -> Option<Markup> {
        match self.holds {
            Holds::Document(markup) => Some(markup),
            Holds::StyleSheet | Holds::Message | Holds::Collection => None,
        }
    }
}

/// The row that the first bytes of a file show, up to [`HEAD`] of them.
pub(crate) fn by_content(rows: &'static [FormatRow], head: &[u8]) -> Option<&'static FormatRow> {
    let head = &head[..head.len().min(HEAD)];
    let find = |recognises: &dyn Fn(Magic) -> bool| rows.iter().find(|row| recognises(row.magic));
    let by_root = |text: &[u8]| {
        let root = xml_root::find(text)?;
        find(&|magic| matches!(magic, Magic::Root(holds) if holds(&root)))
    };
    let by_header = |text: &[u8]| {
        let holds = |magic| matches!(magic, Magic::MessageHeader(holds) if holds(text));
        is_heading(text).then(|| find(&holds)).flatten()
    };
    let by_json = |text: &[u8]| find(&|magic| matches!(magic, Magic::Json(holds) if holds(text)));
    let page = || find(&|magic| matches!(magic, Magic::Page));
    let by_bytes = || {
        let begins = |all: &[&[u8]]| all.iter().any(|one| head.starts_with(one));
        find(&|magic| matches!(magic, Magic::Bytes(all) if begins(all)))
            .or_else(|| find(&|magic| matches!(magic, Magic::Stored(holds) if holds(head))))
    };
    // These bytes are not text in any encoding.
    if is_binary(head) {
        return by_bytes();
    }
    if is_utf16(head) {
        if is_page(head) {
            return page();
        }
        let text = utf_8_of_utf_16(head)?;
        let text = text.as_bytes();
        return by_root(text)
            .or_else(|| by_json(text))
            .or_else(|| by_header(text));
    }
    let text = head.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(head);
    let text = skip_white_space(text);
    by_bytes()
        .or_else(|| find(&|magic| matches!(magic, Magic::Text(holds) if holds(text))))
        .or_else(|| by_json(text))
        // Before HTML, which a feed may contain.
        .or_else(|| by_root(text))
        .or_else(|| is_html(text).then(page).flatten())
        .or_else(|| by_header(text))
}

/// The rows of the table by extension, sorted. Each file of a tree is looked up, and most have no extension
/// of these.
#[derive(Debug)]
pub(crate) struct Extensions(Vec<(&'static str, &'static FormatRow)>);

impl Extensions {
    pub fn new(rows: &'static [FormatRow]) -> Self {
        let extensions =
            |row: &'static FormatRow| row.extensions.iter().map(move |one| (*one, row));
        let mut all: Vec<_> = rows.iter().flat_map(extensions).collect();
        // The sort is stable, so the first row of each extension is kept.
        all.sort_by_key(|(extension, _)| *extension);
        all.dedup_by_key(|(extension, _)| *extension);
        Self(all)
    }

    /// The row that the extension of a file name shows, in any case. In the name of a compressed file
    /// that is the extension before every `.gz`, `.zst`, `.bz2` and `.xz`.
    pub fn of_name(&self, name: &Path) -> Option<&'static FormatRow> {
        // Taking a path apart is slow.
        let mut name = name.as_os_str().as_encoded_bytes();
        while let Some((last, before)) = name.split_last()
            && is_separator(char::from(*last))
        {
            name = before;
        }
        let codings = [&b"gz"[..], b"zst", b"bz2", b"xz"];
        let is_coding = |extension: &[u8]| {
            let mut codings = codings.iter();
            codings.any(|own| own.eq_ignore_ascii_case(extension))
        };
        loop {
            let dot = memrchr(b'.', name)?;
            let (stem, extension) = (&name[..dot], &name[dot + 1..]);
            // A name that begins with its only dot has no extension.
            if stem
                .last()
                .is_none_or(|last| is_separator(char::from(*last)))
            {
                return None;
            }
            if !is_coding(extension) {
                return self.row(extension);
            }
            name = stem;
        }
    }

    /// The row that an extension shows, in any case.
    fn row(&self, extension: &[u8]) -> Option<&'static FormatRow> {
        let mut lower = [0; LONGEST_EXTENSION];
        let lower = lower.get_mut(..extension.len())?;
        lower.copy_from_slice(extension);
        lower.make_ascii_lowercase();
        let found = self
            .0
            .binary_search_by(|(own, _)| own.as_bytes().cmp(lower));
        found.ok().map(|place| self.0[place].1)
    }
}

/// No extension in the table is longer, in bytes.
const LONGEST_EXTENSION: usize = 16;

impl Formats {
    /// The format that the first bytes of a file show.
    pub fn by_content(&self, head: &[u8]) -> Option<Format> {
        by_content(self.rows, head).map(|row| row.format)
    }

    /// The format that the name of a file shows.
    #[cfg(feature = "archives")]
    pub fn by_name(&self, name: &str) -> Option<Format> {
        let row = self.extensions.of_name(Path::new(name));
        row.map(|row| row.format)
    }

    /// The row of a format.
    pub fn row(&self, format: Format) -> Option<&'static FormatRow> {
        self.rows.iter().find(|row| row.format == format)
    }

    /// The markup of documents in a format; `None` if the format has none.
    pub fn markup(&self, format: Format) -> Option<Markup> {
        self.row(format).and_then(FormatRow::markup)
    }

    /// Chooses between the formats that the content and the name of a file show. The content takes
    /// precedence, except that XHTML and SVG are known by their names, as in browsers, since HTML
    /// may begin the same way.
    pub fn choose(&self, content: Option<Format>, name: Option<Format>) -> Option<Format> {
        let is_xml = |format| self.markup(format) == Some(Markup::Xml);
        match content {
            None | Some(Format::Html) => name.filter(|&name| is_xml(name)).or(content).or(name),
            content => content,
        }
    }
}

/// Corrects the format that a name shows, for a file that begins with `head`: mail programs other
/// than Outlook also give the extension `.msg` to messages in text.
pub(crate) fn corrected(by_name: Option<Format>, head: &[u8]) -> Option<Format> {
    match by_name {
        Some(Format::Msg) if !head.is_empty() && sniff::is_text(head) => Some(Format::Eml),
        _ => by_name,
    }
}
