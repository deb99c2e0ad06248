//! What a reader hands over: plain data, made once and never changed after.
//!
//! A [`Document`] says what stands in a file and where. It decides nothing: which
//! declaration gives the base, and what a reference resolves to, is the work of
//! [`crate::base`] and [`crate::resolve`].

use std::fmt;
use std::num::{NonZeroU32, NonZeroU64};
use std::ops::Range;
use std::sync::Arc;

use crate::slots::Slot;

/// Where a document stands; prints as `box.mbox#3/1.2` or `pages.zip!dir/index.html`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Origin {
    /// The input as the user named it: a path, or `-` for standard input.
    pub input: Arc<str>,
    /// The number of the message in a mailbox or of the record in a web archive, 1-based in
    /// file order, all of them counted.
    pub message: Option<NonZeroU64>,
    /// The name of the member of a zip, as it stands there. Behind one word: few origins have
    /// one, and every error has an origin.
    pub member: Option<Arc<String>>,
    /// The MIME section (RFC 3501 §6.4.5), outermost number first; empty outside mail.
    pub section: Vec<u32>,
    /// The way through `iframe srcdoc` documents, 1-based in document order, outermost
    /// first; empty for a document that is not in another one's `srcdoc`.
    pub srcdoc: Vec<u32>,
}

impl Origin {
    /// The origin of a whole input.
    #[must_use]
    pub fn of_input(input: impl Into<Arc<str>>) -> Self {
        Self {
            input: input.into(),
            message: None,
            member: None,
            section: Vec::new(),
            srcdoc: Vec::new(),
        }
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.input)?;
        if let Some(message) = self.message {
            write!(f, "#{message}")?;
        }
        if let Some(member) = &self.member {
            write!(f, "!{member}")?;
        }
        for (depth, number) in self.section.iter().enumerate() {
            write!(f, "{}{number}", if depth == 0 { '/' } else { '.' })?;
        }
        for number in &self.srcdoc {
            write!(f, "!srcdoc{number}")?;
        }
        Ok(())
    }
}

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

/// Who says that a document was retrieved from a URL (RFC 1808 §3.3).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Retrieval {
    /// The user, for every input: `--url`.
    Url,
    /// The user, for every file below a directory: `--url-map`. Holds that directory.
    UrlMap(Arc<str>),
    /// The container's own record of it. Holds its name, `Snapshot-Content-Location` say.
    Record(&'static str),
    /// The program that saved it, by a mark in it or beside it: a claim.
    Mark {
        /// Which mark.
        mark: Mark,
        /// The line of a mark in the document, 1-based, in the decoded document.
        line: Option<NonZeroU32>,
    },
}

/// A mark that a program leaves of where a document came from. The value declared is the URL
/// as the mark has it, character references decoded in an attribute alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// The extended attribute `user.xdg.origin.url` of the file, as wget and curl set it.
    OriginUrl,
    /// The extended attribute `com.apple.metadata:kMDItemWhereFroms` of the file, the first URL.
    WhereFroms,
    /// `HostUrl` in the stream or file `Zone.Identifier` beside the file.
    ZoneIdentifier,
    /// `SingleFile`'s comment at the beginning of the `html` element.
    SingleFile,
    /// monolith's comment at the beginning of the file.
    Monolith,
    /// `WebScrapBook`'s attribute of the `html` element.
    ScrapBook,
    /// `HTTrack`'s comment before the head.
    HtTrack,
    /// The "mark of the web" of Internet Explorer and Chrome: a comment before the `html`
    /// element.
    SavedFrom {
        /// The number of characters that it says the URL has.
        length: u64,
    },
}

impl Mark {
    /// The name in reports: the attribute's, or the program's.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::OriginUrl => "user.xdg.origin.url",
            Self::WhereFroms => "com.apple.metadata:kMDItemWhereFroms",
            Self::ZoneIdentifier => "Zone.Identifier",
            Self::SingleFile => "SingleFile",
            Self::Monolith => "monolith",
            Self::ScrapBook => "data-scrapbook-source",
            Self::HtTrack => "HTTrack",
            Self::SavedFrom { .. } => "saved from url",
        }
    }
}

/// What declares a base, by the layers of RFC 1808 §3.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Declarer {
    /// §3.1: a `base` element with an `href`.
    Element {
        /// The line of the value, 1-based, in the decoded document.
        line: Option<NonZeroU32>,
    },
    /// §3.2: a header field of a heading around the document.
    Header {
        /// Which field.
        field: BaseField,
        /// How many headings lie between this one and the outermost one, 0 for the outermost.
        level: u32,
        /// The MIME section whose heading it is; empty for the message's own.
        section: Vec<u32>,
        /// The line of the field's name in the file, 1-based.
        line: Option<NonZeroU64>,
    },
    /// None of them: a `base` element that the browser which saved the page put into a comment.
    FormerElement {
        /// The line of the comment, 1-based, in the decoded document.
        line: Option<NonZeroU32>,
    },
    /// §3.3: the retrieval URL.
    Retrieval(Retrieval),
}

/// A URL offered as base, as it stands in the input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Declaration {
    /// Attribute value with character references decoded; or header value as it stands,
    /// unfolded only in that the line ends before white space are gone; or URL.
    pub value: String,
    /// Who declares it.
    pub by: Declarer,
}

/// What a reference is relative to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Context {
    /// The base URL of the document.
    Document,
    /// The base of the layers outside the document: for the `href` of a `base` element.
    Outside,
    /// The `codebase` of its own element (HTML 4.01 §13.3): an index into [`Document::codebases`].
    Codebase(u32),
    /// The base that so many of [`Document::declarations`] give, counted from the outermost: for
    /// a header field, those up to its own heading (RFC 1808 §3.1), or those around it.
    Outermost(u32),
}

/// A place in a document where a URL stands.
#[derive(Clone, Copy, Debug)]
pub struct Reference<'d> {
    /// The kind of place: element, attribute, class.
    pub slot: &'static Slot,
    /// The name of the element or header field as it stands, in lower case for HTML.
    pub element: &'d str,
    /// The name of the attribute.
    pub attr: &'d str,
    /// The URL as written, character references decoded, not stripped; in a header field and in
    /// plain text without the white space that does not count there.
    pub value: &'d str,
    /// The anchor's text, white space collapsed; `None` where the place has no text or
    /// it was not asked for.
    pub text: Option<&'d str>,
    /// What the URL is relative to.
    pub context: Context,
    /// Where it stands, if asked for.
    pub at: Option<&'d Position>,
    /// The value exceeded [`crate::read::Limits::attribute`] and is cut there.
    pub cut: bool,
}

/// The references of one document in document order, in few blocks of memory.
#[derive(Clone, Debug, Default)]
pub struct References {
    text: String,
    /// The names in the text of elements that their slots do not name.
    names: Vec<Range<usize>>,
    entries: Vec<Entry>,
}

/// A reference. There can be millions of them: it is as small as it can be.
#[derive(Clone, Debug)]
struct Entry {
    slot: &'static Slot,
    /// Where its value begins in [`References::text`].
    value: usize,
    /// Where its own text begins there.
    text: usize,
    value_length: u32,
    /// [`NONE`] if it has no text.
    text_length: u32,
    /// The number of its element's name in [`References::names`]; [`NONE`] if its slot has it.
    name: u32,
    context: Context,
    at: Option<Position>,
    cut: bool,
}

/// No index and no length.
const NONE: u32 = u32::MAX;

impl References {
    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Adds one at the end. A value or text of 4 GiB or more is cut.
    #[inline]
    pub fn push(&mut self, reference: Reference<'_>) {
        // Most often it is the very one: then the letters need not be compared.
        let of_slot = reference.slot.element;
        let name = if std::ptr::eq(reference.element, of_slot) || reference.element == of_slot {
            NONE
        } else {
            self.name(reference.element)
        };
        let (value, value_length) = self.keep(reference.value);
        let (text, text_length) = reference.text.map_or((0, NONE), |text| self.keep(text));
        self.entries.push(Entry {
            slot: reference.slot,
            value,
            text,
            value_length,
            text_length,
            name,
            context: reference.context,
            at: reference.at.cloned(),
            cut: reference.cut || value_length as usize != reference.value.len(),
        });
    }

    /// Sets the text of the reference at `index` (0-based): an anchor's text is known only
    /// at its end.
    ///
    /// # Panics
    /// If there is no reference at `index`.
    pub fn set_text(&mut self, index: usize, text: &str) {
        let (start, length) = self.keep(text);
        let entry = &mut self.entries[index];
        (entry.text, entry.text_length) = (start, length);
    }

    /// Adds others at the end.
    pub fn extend(&mut self, others: &Self) {
        for reference in others.iter() {
            self.push(reference);
        }
    }

    /// All of them, in document order.
    #[must_use]
    pub fn iter(&self) -> impl ExactSizeIterator<Item = Reference<'_>> {
        self.entries.iter().map(|entry| Reference {
            slot: entry.slot,
            element: match self.names.get(entry.name as usize) {
                Some(name) => &self.text[name.clone()],
                None => entry.slot.element,
            },
            attr: entry.slot.attr,
            value: self.kept(entry.value, entry.value_length),
            text: (entry.text_length != NONE).then(|| self.kept(entry.text, entry.text_length)),
            context: entry.context,
            at: entry.at.as_ref(),
            cut: entry.cut,
        })
    }

    /// The number of a name.
    #[inline(never)]
    fn name(&mut self, name: &str) -> u32 {
        let last = self.names.last().map(|last| &self.text[last.clone()]);
        if last != Some(name) {
            let (start, length) = self.keep(name);
            self.names.push(start..start + length as usize);
        }
        u32::try_from(self.names.len() - 1).unwrap_or(NONE)
    }

    /// Where a text is kept: its start and its length.
    #[inline]
    fn keep(&mut self, text: &str) -> (usize, u32) {
        let start = self.text.len();
        let length = u32::try_from(text.len()).ok();
        let Some(length) = length.filter(|length| *length != NONE) else {
            return self.keep(&text[..text.floor_char_boundary(NONE as usize - 1)]);
        };
        self.text.push_str(text);
        (start, length)
    }

    #[inline]
    fn kept(&self, start: usize, length: u32) -> &str {
        &self.text[start..start + length as usize]
    }
}

/// A fact about a document that its user may want to know; its code never changes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// Which fact.
    pub code: NoteCode,
    /// The particulars, in words.
    pub detail: String,
    /// The line it is about, 1-based, in the decoded document.
    pub line: Option<NonZeroU32>,
}

macro_rules! note_codes {
    ($($(#[$doc:meta])* $name:ident = $code:literal,)*) => {
        /// The kinds of [`Note`].
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum NoteCode {
            $($(#[$doc])* $name,)*
        }

        impl NoteCode {
            /// The name in reports, kebab-case.
            #[must_use]
            pub fn as_str(self) -> &'static str {
                match self {
                    $(Self::$name => $code,)*
                }
            }
        }
    };
}

note_codes! {
    /// A limit of [`crate::read::Limits`] was met: the depth of the tree.
    TreeDepth = "tree-depth",
    /// A limit was met: the work that misnested formatting elements make.
    TreeWork = "tree-work",
    /// A limit was met: the depth of `srcdoc` documents.
    SrcdocDepth = "srcdoc-depth",
    /// A limit was met: the length of an attribute value.
    AttributeSize = "attribute-size",
    /// A limit was met: the length of a link's text.
    TextSize = "text-size",
    /// The text of a script is to be JSON and is none: it has no links.
    JsonInvalid = "json-invalid",
    /// A limit was met: the depth of MIME parts.
    MimeDepth = "mime-depth",
    /// A limit was met: the number of MIME parts.
    MimeParts = "mime-parts",
    /// A limit was met: the size of a heading.
    HeadingSize = "heading-size",
    /// A declaration of a base was not taken.
    BaseIgnored = "base-ignored",
    /// A relative base was resolved against the layers outside it.
    BaseRelative = "base-relative",
    /// A header value was read in a form that its specification does not have.
    BaseForm = "base-form",
    /// More than one declaration in one place; the first usable one counts.
    BaseRepeated = "base-repeated",
    /// A multipart does not end with its closing boundary.
    BoundaryUnclosed = "boundary-unclosed",
    /// A multipart or a message in a message is transfer-encoded, or says so wrongly; RFC 2045
    /// §6.4 allows neither.
    CompositeEncoded = "composite-encoded",
    /// A link names a part of its message by a `cid:` that no part has.
    CidUnresolved = "cid-unresolved",
}

macro_rules! reasons {
    ($($(#[$doc:meta])* $name:ident = $code:literal,)*) => {
        /// Why the order of a document's tags was not taken for the order of its tree.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum GiveUp {
            $($(#[$doc])* $name,)*
        }

        impl GiveUp {
            /// The name in reports, kebab-case.
            #[must_use]
            pub fn as_str(self) -> &'static str {
                match self {
                    $(Self::$name => $code,)*
                }
            }
        }
    };
}

reasons! {
    /// A link or what is wanted of its text goes before a table that has links in it or that
    /// stands in a link.
    FosterParenting = "foster-parenting",
    /// Text in a table that stands in a link goes before the table.
    TextInTable = "text-in-table",
    /// A link that a block is open in is closed, and is cloned inside the block.
    AnchorAroundBlock = "anchor-around-block",
    /// A link is closed while an element in it stays open.
    AnchorRemoved = "anchor-removed",
    /// A frameset may take the place of the body.
    Frameset = "frameset",
    /// A second `html` tag adds its attributes to the first.
    SecondHtml = "second-html",
    /// A second `body` tag adds its attributes to the first.
    SecondBody = "second-body",
    /// A name holds U+0000.
    NullInName = "null-in-name",
    /// Many elements are open.
    Depth = "depth",
    /// Many formatting elements, or long ones, are to be compared.
    FormattingLength = "formatting-length",
    /// The document has 4 GiB or more.
    Length = "length",
}

/// The way a document's links were found; all give the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reading {
    /// In the order of the tags, which was seen to be the order of the tree.
    Tags,
    /// By building the tree, for that reason.
    Tree(GiveUp),
}

/// One document with its links and all that declares its base.
#[derive(Clone, Debug)]
pub struct Document {
    /// Where it stands.
    pub origin: Origin,
    /// The offset in the file at which the part that holds the document begins and ends,
    /// before its transfer encoding is decoded; `None` where the document is the file.
    pub part_byte: Option<Range<u64>>,
    /// The character encoding it was read in: the Encoding Standard's name of it.
    pub encoding: &'static str,
    /// What declares a base, outermost first; inside one heading or document in its order.
    pub declarations: Vec<Declaration>,
    /// The `codebase` values that [`Context::Codebase`] names, as written.
    pub codebases: Vec<Codebase>,
    /// Its links, in document order; before them those of its heading, if it has one.
    pub references: References,
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

/// Which part of a message a document is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PartOf {
    /// The parts of the message, each behind those it stands in, in their order.
    pub parts: Arc<[Part]>,
    /// Which of them the document is, 0-based.
    pub own: usize,
}

/// A part of a message, or a message itself, with the names that links can give it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// What holds other parts together.
    pub kind: PartKind,
    /// Its MIME section; empty for the outermost message.
    pub section: Vec<u32>,
    /// The part it stands in, 0-based; `None` for the outermost message.
    pub parent: Option<usize>,
    /// What its heading declares; for the outermost message, what is declared around it.
    pub declarations: Vec<Declaration>,
    /// Its Content-ID without angle brackets, if it has one.
    pub content_id: Option<String>,
}

/// What a part is, as far as names of parts go by it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PartKind {
    /// A message; its heading is that of the part in it.
    Message {
        /// Its Message-ID without angle brackets, if it has one.
        message_id: Option<String>,
    },
    /// multipart/related (RFC 2387).
    Related,
    /// Any other part.
    Other,
}

impl Part {
    /// A message of which nothing is known yet.
    #[must_use]
    pub fn message(section: Vec<u32>, parent: Option<usize>) -> Self {
        Self {
            kind: PartKind::Message { message_id: None },
            section,
            parent,
            declarations: Vec::new(),
            content_id: None,
        }
    }
}

/// A `codebase` attribute: the base of its element's `data`, `classid` and `archive`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Codebase {
    /// The value as written, character references decoded; relative to the document's base.
    pub value: String,
    /// The element it stands on.
    pub element: &'static str,
    /// The line of the value, 1-based, in the decoded document.
    pub line: Option<NonZeroU32>,
}

impl Document {
    /// A document of which nothing has been read yet.
    #[must_use]
    pub fn empty(origin: Origin, encoding: &'static str) -> Self {
        Self {
            origin,
            part_byte: None,
            encoding,
            declarations: Vec::new(),
            codebases: Vec::new(),
            references: References::default(),
            embedded: Vec::new(),
            notes: Vec::new(),
            reading: None,
            message: None,
        }
    }
}
