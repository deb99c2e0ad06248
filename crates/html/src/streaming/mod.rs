//! Reads links in the order of their tags, as long as that is tree order.
//!
//! Applies the rules of tree construction to names alone: a stack of open elements, a list of
//! active formatting elements and an insertion mode, as in html5ever, but no tree. As long as every
//! element is appended at the end of the document, the order of the tags is tree order, and it is
//! known what the tree builder ignores, moves into a template or reopens. As soon as an element or
//! text would come before something already collected, the reader gives up, and the document is
//! read again by building its tree.
//!
//! Steps and modes are named as in HTML "tree construction".

mod body;
mod foreign;
mod formatting;
mod head;
mod open_elements;
mod plain;
mod stack;
mod table;
mod template;
mod text;

use self::open_elements::{ActiveFormatting, OpenElements};
use super::collect::{Collector, TrailingComment};
use super::link_place_index::Rows;
use super::names::Name;
use super::token_order;
use super::tokenizer::{Span, TagEnd, TagName, Token, Tokenizer};
use baseref_document::Fallback;

/// Passes the elements and texts of a document to the collector as its tree would; `srcdoc` says
/// whether it is "an iframe srcdoc document".
///
/// # Errors
/// Why the order of the tags may differ from tree order; the collector's partial content must then
/// be discarded.
pub(super) fn read<'s>(
    source: &'s str,
    srcdoc: bool,
    collector: &mut Collector<'s, '_>,
) -> Result<(), Fallback> {
    if u32::try_from(source.len()).is_err() {
        return Err(Fallback::Length);
    }
    Reader {
        source,
        srcdoc,
        tokenizer: Tokenizer::new(source),
        collector,
        mode: Mode::Initial,
        open: OpenElements::new(),
        formatting: ActiveFormatting::new(),
        template_modes: Vec::new(),
        templates: 0,
        inert: 0,
        form: None,
        has_head: false,
        quirks: Quirks::Known(false),
        frameset_ok: true,
        fostering: false,
        ignore_lf: false,
        raw: None,
        raw_content: false,
    }
    .read()
}

/// Deeper documents are left to the tree, which has its own limit.
const DEPTH: usize = 256;
/// More active formatting elements are left to the tree.
const FORMATTING_LENGTH: usize = 64;
/// The longest tags that "Noah's Ark clause" compares here; longer ones are left to the tree.
const TAG_LENGTH: usize = 4096;

/// "Insertion mode"; the text modes are the tokenizer's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mode {
    // These process most tokens alike, as "in body".
    InBody,
    InCell,
    InCaption,
    Initial,
    BeforeHtml,
    BeforeHead,
    InHead,
    InHeadNoscript,
    AfterHead,
    InTable,
    InColumnGroup,
    InTableBody,
    InRow,
    InTemplate,
    AfterBody,
    InFrameset,
    AfterFrameset,
    AfterAfterBody,
    AfterAfterFrameset,
}

impl Mode {
    /// Whether it processes everything but parts of tables as "in body" does.
    #[inline]
    fn is_body(self) -> bool {
        matches!(self, Self::InBody | Self::InCell | Self::InCaption)
    }
}

/// The result of processing a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ModeResult {
    /// The token is processed.
    Done,
    /// "Reprocess the token".
    Again,
}

type Step = Result<ModeResult, Fallback>;

const DONE: Step = Ok(ModeResult::Done);

/// Whether the document is in quirks mode.
#[derive(Clone, Copy, Debug)]
enum Quirks {
    Known(bool),
    /// As determined by this doctype.
    Declared(Span),
}

/// A tag that is being processed.
#[derive(Clone, Copy, Debug)]
struct Tag {
    name: Name,
    /// Whether it is a start tag with the self-closing flag.
    self_closing: bool,
    /// The offset of its `<`.
    start: u32,
    /// Its name as written.
    span: Span,
}

#[expect(
    clippy::struct_excessive_bools,
    reason = "independent flags of the standard"
)]
struct Reader<'s, 'c, 'o> {
    source: &'s str,
    srcdoc: bool,
    tokenizer: Tokenizer<'s>,
    collector: &'c mut Collector<'s, 'o>,
    mode: Mode,
    open: OpenElements,
    formatting: ActiveFormatting,
    /// "Stack of template insertion modes".
    template_modes: Vec<Mode>,
    /// The number of open templates.
    templates: u32,
    /// The number of open templates whose content is not in the document: all but those of shadow
    /// roots of the document.
    inert: u32,
    /// "Form element pointer": the offset of its tag.
    form: Option<u32>,
    /// Whether there is a "head element pointer".
    has_head: bool,
    quirks: Quirks,
    /// "Frameset-ok flag", ignoring texts: true means it may be set.
    frameset_ok: bool,
    /// "Foster parenting".
    fostering: bool,
    /// Whether a line feed that comes next is ignored.
    ignore_lf: bool,
    /// The element whose raw text the tokenizer is reading.
    raw: Option<Name>,
    /// Whether that text is wanted.
    raw_content: bool,
}

impl Reader<'_, '_, '_> {
    fn read(mut self) -> Result<(), Fallback> {
        loop {
            let open = &self.open;
            let start = self.tokenizer.offset();
            match self.tokenizer.next(|| open.is_foreign()) {
                Token::StartTag(name) => self.start_tag(name)?,
                Token::Text(text) => self.text(text)?,
                Token::EndTag(name) => self.end_tag(name)?,
                Token::Comment => self.comment(start),
                Token::MissingEndTagName => self.ignore_lf = false,
                Token::Doctype(declaration) => self.doctype(declaration),
                Token::Eof => return Ok(()),
            }
        }
    }

    /// "Insert a comment": the comment from an offset to the tokenizer's position.
    fn comment(&mut self, start: usize) {
        self.ignore_lf = false;
        if self.inert > 0 {
            return;
        }
        let comment = start..self.tokenizer.offset();
        match self.mode {
            _ if self.open.is_foreign() => token_order::comment(comment, self.collector),
            Mode::AfterBody => self
                .collector
                .trailing_comment(comment, TrailingComment::InHtml),
            Mode::AfterAfterBody | Mode::AfterAfterFrameset => {
                self.collector
                    .trailing_comment(comment, TrailingComment::AfterHtml);
            }
            _ => token_order::comment(comment, self.collector),
        }
    }

    fn doctype(&mut self, declaration: Span) {
        self.ignore_lf = false;
        if self.mode == Mode::Initial {
            self.quirks = Quirks::Declared(declaration);
            self.mode = Mode::BeforeHtml;
        }
    }

    #[inline]
    fn start_tag(&mut self, tag: TagName) -> Result<(), Fallback> {
        self.ignore_lf = false;
        let rows = match tag.name {
            // Their attributes decide how they are treated.
            Name::Svg | Name::Math | Name::Template => None,
            _ if self.open.is_foreign() => None,
            name => Some(self.collector.rows_of(name)),
        };
        let wants_names = self.collector.wants_names();
        let (attributes, named) = self.collector.begin_named();
        let end = if wants_names {
            self.tokenizer.attributes(|attribute| {
                named.take(attribute);
                if rows.is_none_or(|rows| rows.look_at(attribute)) {
                    attributes.push(attribute);
                }
            })
        } else if rows.is_some_and(Rows::look_at_none) {
            self.tokenizer.attributes(|_| {})
        } else {
            self.tokenizer.attributes(|attribute| {
                if rows.is_none_or(|rows| rows.look_at(attribute)) {
                    attributes.push(attribute);
                }
            })
        };
        if end == TagEnd::Eof {
            return Ok(());
        }
        let tag = self.tag(tag, end)?;
        if tag.name == Name::Noscript && self.inert == 0 && !self.open.is_foreign() {
            self.collector.begin_noscript(tag.start as usize);
        }
        if self.plain_start(tag)? {
            return Ok(());
        }
        loop {
            let did = if self.open.is_foreign() && self.is_foreign_start(tag.name) {
                self.in_foreign_start(tag)?
            } else {
                self.start(tag)?
            };
            if did == ModeResult::Done {
                return Ok(());
            }
        }
    }

    #[inline]
    fn end_tag(&mut self, tag: TagName) -> Result<(), Fallback> {
        self.ignore_lf = false;
        let end = self.tokenizer.attributes(|_| {});
        if end == TagEnd::Eof {
            return Ok(());
        }
        if self.plain_end(tag.name) {
            return Ok(());
        }
        if self.raw.take().is_some() {
            // "Text": its element was never pushed on the stack.
            if std::mem::take(&mut self.raw_content) {
                self.collector.end_content();
            }
            return Ok(());
        }
        let tag = self.tag(tag, end)?;
        loop {
            let did = if self.open.is_foreign() {
                self.in_foreign_end(tag)?
            } else {
                self.end(tag)?
            };
            if did == ModeResult::Done {
                return Ok(());
            }
        }
    }

    #[inline]
    fn tag(&self, tag: TagName, end: TagEnd) -> Result<Tag, Fallback> {
        if tag.name == Name::Other && tag.span.bytes(self.source).contains(&0) {
            return Err(Fallback::NullInName);
        }
        Ok(Tag {
            name: tag.name,
            self_closing: end == TagEnd::SelfClosing,
            start: offset(tag.start),
            span: tag.span,
        })
    }

    /// A start tag by the rules of the insertion mode.
    #[inline]
    fn start(&mut self, tag: Tag) -> Step {
        match self.mode {
            Mode::InBody => self.in_body_start(tag),
            Mode::InCell => self.in_cell_start(tag),
            Mode::InRow => self.in_row_start(tag),
            Mode::InTableBody => self.in_table_body_start(tag),
            Mode::InTable => self.in_table_start(tag),
            Mode::InCaption => self.in_caption_start(tag),
            Mode::InColumnGroup => self.in_column_group_start(tag),
            Mode::Initial => {
                self.leave_initial();
                Ok(ModeResult::Again)
            }
            Mode::BeforeHtml => self.before_html_start(tag),
            Mode::BeforeHead => self.before_head_start(tag),
            Mode::InHead => self.in_head_start(tag),
            Mode::InHeadNoscript => self.in_head_noscript_start(tag),
            Mode::AfterHead => self.after_head_start(tag),
            Mode::InTemplate => self.in_template_start(tag),
            Mode::AfterBody | Mode::AfterAfterBody => {
                if tag.name == Name::Html {
                    return self.in_body_start(tag);
                }
                self.again(Mode::InBody)
            }
            Mode::InFrameset | Mode::AfterFrameset | Mode::AfterAfterFrameset => {
                self.in_frameset_start(tag)
            }
        }
    }

    /// An end tag by the rules of the insertion mode.
    #[inline]
    fn end(&mut self, tag: Tag) -> Step {
        match self.mode {
            Mode::InBody => self.in_body_end(tag),
            Mode::InCell => self.in_cell_end(tag),
            Mode::InRow => self.in_row_end(tag),
            Mode::InTableBody => self.in_table_body_end(tag),
            Mode::InTable => self.in_table_end(tag),
            Mode::InCaption => self.in_caption_end(tag),
            Mode::InColumnGroup => self.in_column_group_end(tag),
            Mode::Initial => {
                self.leave_initial();
                Ok(ModeResult::Again)
            }
            Mode::BeforeHtml
            | Mode::BeforeHead
            | Mode::InHead
            | Mode::InHeadNoscript
            | Mode::AfterHead => self.before_body_end(tag),
            Mode::InTemplate => match tag.name {
                Name::Template => self.template_end(),
                _ => DONE,
            },
            Mode::AfterBody if tag.name == Name::Html => {
                self.mode = Mode::AfterAfterBody;
                DONE
            }
            Mode::AfterBody | Mode::AfterAfterBody => self.again(Mode::InBody),
            Mode::InFrameset => {
                if tag.name == Name::Frameset && self.open.len() > 1 {
                    self.pop();
                    if !self.open.current_is(Name::Frameset) {
                        self.mode = Mode::AfterFrameset;
                    }
                }
                DONE
            }
            Mode::AfterFrameset => {
                if tag.name == Name::Html {
                    self.mode = Mode::AfterAfterFrameset;
                }
                DONE
            }
            Mode::AfterAfterFrameset => DONE,
        }
    }

    #[expect(clippy::unnecessary_wraps, reason = "modes return it")]
    fn again(&mut self, mode: Mode) -> Step {
        self.mode = mode;
        Ok(ModeResult::Again)
    }
}

/// An offset in a document that is short enough.
#[expect(
    clippy::cast_possible_truncation,
    reason = "longer documents are refused at the start"
)]
fn offset(offset: usize) -> u32 {
    offset as u32
}
