//! The links in the order of their tags, for as long as that is the order of the tree.
//!
//! The rules of tree construction on names alone: a stack of open elements, a list of active
//! formatting elements and an insertion mode, as html5ever has them, but no tree. As long as
//! every element is put last in the document, the order of the tags is tree order, and what
//! the tree builder ignores, moves into a template or opens again is known. As soon as an
//! element or text would come before something that has been collected, the reader gives up,
//! and the document is read again by way of its tree.
//!
//! Steps and modes are named as in HTML "tree construction"; where html5ever is not to the
//! letter of it, this is to html5ever's.

use std::borrow::Cow;

use super::character_reference::{Null, Value, decode_text};
use super::collect::{Collected, Collector, Last, is_anchor};
use super::names::{Kind, Name};
use super::open_elements::{
    ANCHOR, ActiveFormatting, CONTENT, Entry, FORMATTING, FOSTERED, HTML_ANNOTATION, Open,
    OpenElements, TEMPLATE,
};
use super::tokenizer::{Content, TagEnd, TagName, Text, TextKind, Token, Tokenizer};
use super::tree;
use crate::document::GiveUp;
use crate::slots::Namespace;

/// Hands over the elements and texts of a document to the collector as its tree would, `srcdoc`
/// telling that it is "an iframe srcdoc document".
///
/// # Errors
/// Why the order of the tags may not be that of the tree; then the collector holds a part of
/// what there is, and nothing of it counts.
pub(super) fn read<'s>(
    source: &'s str,
    srcdoc: bool,
    collector: &mut Collector<'s, '_>,
) -> Result<(), GiveUp> {
    if u32::try_from(source.len()).is_err() {
        return Err(GiveUp::Length);
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

/// More open elements are left to the tree, which has its own limit.
const DEPTH: usize = 256;
/// More active formatting elements are left to the tree.
const FORMATTING_LENGTH: usize = 64;
/// "Noah's Ark clause" compares no longer tags than this; they are left to the tree.
const TAG_LENGTH: usize = 4096;

/// "Insertion mode"; the text modes are the tokenizer's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mode {
    Initial,
    BeforeHtml,
    BeforeHead,
    InHead,
    InHeadNoscript,
    AfterHead,
    InBody,
    InTable,
    InCaption,
    InColumnGroup,
    InTableBody,
    InRow,
    InCell,
    InTemplate,
    AfterBody,
    InFrameset,
    AfterFrameset,
    AfterAfterBody,
    AfterAfterFrameset,
}

/// What a mode did with a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Did {
    /// All there is to do.
    Done,
    /// "Reprocess the token".
    Again,
}

type Step = Result<Did, GiveUp>;

const DONE: Step = Ok(Did::Done);

/// Whether the document is in quirks mode.
#[derive(Clone, Copy, Debug)]
enum Quirks<'s> {
    Known(bool),
    /// As this doctype says.
    Declared(&'s str),
}

/// A tag that is being processed.
#[derive(Clone, Copy, Debug)]
struct Tag<'s> {
    name: Name,
    raw: &'s str,
    start: u32,
    self_closing: bool,
}

#[expect(
    clippy::struct_excessive_bools,
    reason = "the flags of the standard, which are not each other's alternatives"
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
    /// Open templates: nothing in them is in the document.
    templates: u32,
    /// "Form element pointer": the offset of its tag.
    form: Option<u32>,
    /// Whether there is a "head element pointer".
    has_head: bool,
    quirks: Quirks<'s>,
    /// "Frameset-ok flag", of which texts are not asked: true means it may be.
    frameset_ok: bool,
    /// "Foster parenting".
    fostering: bool,
    /// Whether a line feed that comes next is dropped.
    ignore_lf: bool,
    /// The element whose raw text the tokenizer is in.
    raw: Option<Name>,
    /// Whether that text is wanted for what stands in it.
    raw_content: bool,
}

impl<'s> Reader<'s, '_, '_> {
    fn read(mut self) -> Result<(), GiveUp> {
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

    /// "Insert a comment": the comment from an offset to where the tokenizer is.
    fn comment(&mut self, start: usize) {
        self.ignore_lf = false;
        if self.templates > 0 || !self.collector.asks_for_comments() {
            return;
        }
        let comment = start..self.tokenizer.offset();
        match self.mode {
            _ if self.open.is_foreign() => self.collector.comment(comment),
            Mode::AfterBody => self.collector.last_comment(comment, Last::InHtml),
            Mode::AfterAfterBody | Mode::AfterAfterFrameset => {
                self.collector.last_comment(comment, Last::AfterHtml);
            }
            _ => self.collector.comment(comment),
        }
    }

    fn doctype(&mut self, declaration: &'s str) {
        self.ignore_lf = false;
        if self.mode == Mode::Initial {
            self.quirks = Quirks::Declared(declaration);
            self.mode = Mode::BeforeHtml;
        }
    }

    fn start_tag(&mut self, tag: TagName<'s>) -> Result<(), GiveUp> {
        self.ignore_lf = false;
        let name = Name::of(tag.raw.as_bytes());
        let foreign = self.open.is_foreign();
        let asked_for = foreign
            || self.collector.asks_for(name, tag.raw)
            || matches!(
                name,
                Name::Input | Name::AnnotationXml | Name::Svg | Name::Math
            );
        let end = if asked_for {
            let attributes = self.collector.begin();
            self.tokenizer
                .attributes(|attribute| attributes.push(attribute))
        } else {
            self.collector.skip();
            self.tokenizer.attributes(|_| {})
        };
        if name == Name::Other && tag.raw.contains('\0') {
            return Err(GiveUp::NullInName);
        }
        let tag = Tag {
            name,
            raw: tag.raw,
            start: offset(tag.start),
            self_closing: match end {
                TagEnd::Open => false,
                TagEnd::SelfClosing => true,
                TagEnd::Eof => return Ok(()),
            },
        };
        loop {
            let did = if self.open.is_foreign() && self.is_foreign_start(tag.name) {
                self.in_foreign_start(tag)?
            } else {
                self.start(tag)?
            };
            if did == Did::Done {
                return Ok(());
            }
        }
    }

    fn end_tag(&mut self, tag: TagName<'s>) -> Result<(), GiveUp> {
        self.ignore_lf = false;
        if self.tokenizer.attributes(|_| {}) == TagEnd::Eof {
            return Ok(());
        }
        if self.raw.take().is_some() {
            // "Text": its element was not put on the stack.
            if std::mem::take(&mut self.raw_content) {
                self.collector.end_content();
            }
            return Ok(());
        }
        let tag = Tag {
            name: Name::of(tag.raw.as_bytes()),
            raw: tag.raw,
            start: 0,
            self_closing: false,
        };
        loop {
            let did = if self.open.is_foreign() {
                self.in_foreign_end(tag)?
            } else {
                self.end(tag)?
            };
            if did == Did::Done {
                return Ok(());
            }
        }
    }

    /// A start tag by the rules of the insertion mode.
    fn start(&mut self, tag: Tag<'s>) -> Step {
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
                Ok(Did::Again)
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
    fn end(&mut self, tag: Tag<'s>) -> Step {
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
                Ok(Did::Again)
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

    #[expect(clippy::unnecessary_wraps, reason = "it is what modes end with")]
    fn again(&mut self, mode: Mode) -> Step {
        self.mode = mode;
        Ok(Did::Again)
    }

    // The "initial" insertion mode, and all up to "after head".

    /// "Initial": anything else.
    fn leave_initial(&mut self) {
        self.quirks = Quirks::Known(!self.srcdoc);
        self.mode = Mode::BeforeHtml;
    }

    fn before_html_start(&mut self, tag: Tag<'s>) -> Step {
        if tag.name == Name::Html {
            self.insert(tag)?;
            self.mode = Mode::BeforeHead;
            return DONE;
        }
        self.insert_phantom(Name::Html)?;
        self.again(Mode::BeforeHead)
    }

    fn before_head_start(&mut self, tag: Tag<'s>) -> Step {
        match tag.name {
            Name::Html => self.in_body_start(tag),
            Name::Head => {
                self.insert(tag)?;
                self.has_head = true;
                self.mode = Mode::InHead;
                DONE
            }
            _ => self.leave_before_head(),
        }
    }

    fn leave_before_head(&mut self) -> Step {
        self.insert_phantom(Name::Head)?;
        self.has_head = true;
        self.again(Mode::InHead)
    }

    fn in_head_start(&mut self, tag: Tag<'s>) -> Step {
        match tag.name {
            Name::Html => self.in_body_start(tag),
            Name::Base
            | Name::Basefont
            | Name::Bgsound
            | Name::Link
            | Name::Meta
            | Name::Title
            | Name::Noframes
            | Name::Style
            | Name::Script
            | Name::Template => self.metadata_start(tag),
            Name::Noscript => {
                self.insert(tag)?;
                self.mode = Mode::InHeadNoscript;
                DONE
            }
            Name::Head => DONE,
            _ => {
                self.pop();
                self.again(Mode::AfterHead)
            }
        }
    }

    /// "In head" for the elements that other modes hand over to it.
    fn metadata_start(&mut self, tag: Tag<'s>) -> Step {
        match tag.name {
            Name::Title => self.insert_raw(tag, Content::Rcdata),
            Name::Noframes | Name::Style => self.insert_raw(tag, Content::Rawtext),
            Name::Script => self.insert_raw(tag, Content::ScriptData),
            Name::Template => {
                self.formatting.push_marker();
                self.frameset_ok = false;
                self.mode = Mode::InTemplate;
                self.template_modes.push(Mode::InTemplate);
                self.insert(tag)?;
                DONE
            }
            _ => self.insert_void(tag),
        }
    }

    fn template_end(&mut self) -> Step {
        if self.templates > 0 {
            self.generate_implied(Kind::has_thoroughly_implied_end, None);
            self.pop_until(Name::Template);
            self.formatting.clear_to_marker();
            self.template_modes.pop();
            self.mode = self.reset_insertion_mode();
        }
        DONE
    }

    fn in_head_noscript_start(&mut self, tag: Tag<'s>) -> Step {
        match tag.name {
            Name::Html => self.in_body_start(tag),
            Name::Basefont
            | Name::Bgsound
            | Name::Link
            | Name::Meta
            | Name::Noframes
            | Name::Style => self.metadata_start(tag),
            Name::Head | Name::Noscript => DONE,
            _ => {
                self.pop();
                self.again(Mode::InHead)
            }
        }
    }

    fn after_head_start(&mut self, tag: Tag<'s>) -> Step {
        match tag.name {
            Name::Html => self.in_body_start(tag),
            Name::Body => {
                self.insert(tag)?;
                self.frameset_ok = false;
                self.mode = Mode::InBody;
                DONE
            }
            Name::Frameset => {
                self.insert(tag)?;
                self.mode = Mode::InFrameset;
                DONE
            }
            Name::Base
            | Name::Basefont
            | Name::Bgsound
            | Name::Link
            | Name::Meta
            | Name::Noframes
            | Name::Script
            | Name::Style
            | Name::Template
            | Name::Title => self.metadata_start(tag),
            Name::Head => DONE,
            _ => self.leave_after_head(),
        }
    }

    fn leave_after_head(&mut self) -> Step {
        self.insert_phantom(Name::Body)?;
        self.again(Mode::InBody)
    }

    /// End tags in the modes before "in body".
    fn before_body_end(&mut self, tag: Tag<'s>) -> Step {
        let goes_on = matches!(tag.name, Name::Body | Name::Html | Name::Br);
        match (self.mode, tag.name) {
            (Mode::BeforeHtml, Name::Head) => self.leave_before_html(),
            (Mode::BeforeHtml, _) if goes_on => self.leave_before_html(),
            (Mode::BeforeHead, Name::Head) => self.leave_before_head(),
            (Mode::BeforeHead, _) if goes_on => self.leave_before_head(),
            (Mode::InHead, Name::Head) => {
                self.pop();
                self.mode = Mode::AfterHead;
                DONE
            }
            (Mode::InHead, _) if goes_on => {
                self.pop();
                self.again(Mode::AfterHead)
            }
            (Mode::InHeadNoscript, Name::Noscript) => {
                self.pop();
                self.mode = Mode::InHead;
                DONE
            }
            (Mode::InHeadNoscript, Name::Br) => {
                self.pop();
                self.again(Mode::InHead)
            }
            (Mode::AfterHead, _) if goes_on => self.leave_after_head(),
            (Mode::InHead | Mode::AfterHead, Name::Template) => self.template_end(),
            _ => DONE,
        }
    }

    fn leave_before_html(&mut self) -> Step {
        self.insert_phantom(Name::Html)?;
        self.again(Mode::BeforeHead)
    }

    // The "in body" insertion mode.

    #[expect(clippy::too_many_lines, reason = "an arm for each of the standard's")]
    #[inline]
    fn in_body_start(&mut self, tag: Tag<'s>) -> Step {
        use Name as N;
        match tag.name {
            N::Html => {
                if self.templates == 0 && self.collector.found_wanted(N::Html) {
                    return Err(GiveUp::SecondHtml);
                }
            }
            N::Base
            | N::Basefont
            | N::Bgsound
            | N::Link
            | N::Meta
            | N::Noframes
            | N::Script
            | N::Style
            | N::Template
            | N::Title => return self.metadata_start(tag),
            N::Body => {
                let is_second = self.open.get(1).is_some_and(|open| open.is(N::Body));
                if is_second && self.templates == 0 {
                    self.frameset_ok = false;
                    if self.collector.found_wanted(N::Body) {
                        return Err(GiveUp::SecondBody);
                    }
                }
            }
            N::Frameset => {
                // It may take the place of the body and all that is in it.
                if self.frameset_ok && self.open.get(1).is_some_and(|open| open.is(N::Body)) {
                    return Err(GiveUp::Frameset);
                }
            }
            N::Address
            | N::Article
            | N::Aside
            | N::Blockquote
            | N::Center
            | N::Details
            | N::Dialog
            | N::Dir
            | N::Div
            | N::Dl
            | N::Fieldset
            | N::Figcaption
            | N::Figure
            | N::Footer
            | N::Header
            | N::Hgroup
            | N::Main
            | N::Menu
            | N::Nav
            | N::Ol
            | N::P
            | N::Search
            | N::Section
            | N::Summary
            | N::Ul => {
                self.close_p();
                self.insert(tag)?;
            }
            N::H1 | N::H2 | N::H3 | N::H4 | N::H5 | N::H6 => {
                self.close_p();
                if self
                    .current_html()
                    .is_some_and(|name| name.kind().is_heading())
                {
                    self.pop();
                }
                self.insert(tag)?;
            }
            N::Pre | N::Listing => {
                self.close_p();
                self.insert(tag)?;
                self.ignore_lf = true;
                self.frameset_ok = false;
            }
            N::Form => {
                if self.form.is_none() || self.templates > 0 {
                    self.close_p();
                    self.insert(tag)?;
                    if self.templates == 0 {
                        self.form = Some(tag.start);
                    }
                }
            }
            N::Li | N::Dd | N::Dt => {
                self.frameset_ok = false;
                self.close_item(tag.name);
                self.close_p();
                self.insert(tag)?;
            }
            N::Plaintext => {
                self.close_p();
                self.insert(tag)?;
                self.tokenizer.set_content(Content::Plaintext);
            }
            N::Button => {
                if self.open.has_in_scope(N::Button) {
                    self.generate_implied(Kind::has_implied_end, None);
                    self.pop_until(N::Button);
                }
                self.reconstruct()?;
                self.insert(tag)?;
                self.frameset_ok = false;
            }
            N::A => {
                self.close_a()?;
                self.reconstruct()?;
                self.insert_formatting(tag)?;
            }
            N::B
            | N::Big
            | N::Code
            | N::Em
            | N::Font
            | N::I
            | N::S
            | N::Small
            | N::Strike
            | N::Strong
            | N::Tt
            | N::U => {
                self.reconstruct()?;
                self.insert_formatting(tag)?;
            }
            N::Nobr => {
                self.reconstruct()?;
                if self.open.has_in_scope(N::Nobr) {
                    self.adoption_agency(tag)?;
                    self.reconstruct()?;
                }
                self.insert_formatting(tag)?;
            }
            N::Applet | N::Marquee | N::Object => {
                self.reconstruct()?;
                self.insert(tag)?;
                self.formatting.push_marker();
                self.frameset_ok = false;
            }
            N::Table => {
                if self.open.has_in_scope(N::P) && !self.is_quirky() {
                    self.close_p();
                }
                self.insert(tag)?;
                self.frameset_ok = false;
                self.mode = Mode::InTable;
            }
            N::Area | N::Br | N::Embed | N::Img | N::Image | N::Keygen | N::Wbr => {
                self.reconstruct()?;
                self.frameset_ok = false;
                return self.insert_void(tag);
            }
            N::Input => {
                if self.open.has_in_scope(N::Select) {
                    self.pop_until(N::Select);
                }
                self.reconstruct()?;
                if !self.is_type_hidden() {
                    self.frameset_ok = false;
                }
                return self.insert_void(tag);
            }
            N::Param | N::Source | N::Track => return self.insert_void(tag),
            N::Hr => {
                self.close_p();
                if self.open.has_in_scope(N::Select) {
                    self.generate_implied(Kind::has_implied_end, None);
                }
                self.frameset_ok = false;
                return self.insert_void(tag);
            }
            N::Textarea => {
                self.frameset_ok = false;
                self.insert_raw(tag, Content::Rcdata)?;
                self.ignore_lf = true;
            }
            N::Xmp => {
                self.close_p();
                self.reconstruct()?;
                self.frameset_ok = false;
                return self.insert_raw(tag, Content::Rawtext);
            }
            N::Iframe => {
                self.frameset_ok = false;
                return self.insert_raw(tag, Content::Rawtext);
            }
            N::Noembed => return self.insert_raw(tag, Content::Rawtext),
            N::Select => {
                if self.open.has_in_scope(N::Select) {
                    self.pop_until(N::Select);
                } else {
                    self.reconstruct()?;
                    self.insert(tag)?;
                    self.frameset_ok = false;
                }
            }
            N::Option | N::Optgroup => {
                if self.open.has_in_scope(N::Select) {
                    let except = (tag.name == N::Option).then_some(N::Optgroup);
                    self.generate_implied(Kind::has_implied_end, except);
                } else if self.open.current_is(N::Option) {
                    self.pop();
                }
                self.reconstruct()?;
                self.insert(tag)?;
            }
            N::Rb | N::Rtc | N::Rp | N::Rt => {
                if self.open.has_in_scope(N::Ruby) {
                    let except = matches!(tag.name, N::Rp | N::Rt).then_some(N::Rtc);
                    self.generate_implied(Kind::has_implied_end, except);
                }
                self.insert(tag)?;
            }
            N::Math | N::Svg => {
                self.reconstruct()?;
                let namespace = match tag.name {
                    N::Math => Namespace::MathMl,
                    _ => Namespace::Svg,
                };
                return self.insert_foreign(tag, namespace);
            }
            N::Caption
            | N::Col
            | N::Colgroup
            | N::Frame
            | N::Head
            | N::Tbody
            | N::Td
            | N::Tfoot
            | N::Th
            | N::Thead
            | N::Tr => {}
            _ => return self.ordinary_start(tag),
        }
        DONE
    }

    /// "In body": any other start tag.
    fn ordinary_start(&mut self, tag: Tag<'s>) -> Step {
        self.reconstruct()?;
        self.insert(tag)?;
        DONE
    }

    #[expect(clippy::too_many_lines, reason = "an arm for each of the standard's")]
    #[inline]
    fn in_body_end(&mut self, tag: Tag<'s>) -> Step {
        use Name as N;
        match tag.name {
            N::Template => return self.template_end(),
            N::Body => {
                if self.open.has_in_scope(N::Body) {
                    self.mode = Mode::AfterBody;
                }
            }
            N::Html => {
                if self.open.has_in_scope(N::Body) {
                    return self.again(Mode::AfterBody);
                }
            }
            N::Address
            | N::Article
            | N::Aside
            | N::Blockquote
            | N::Button
            | N::Center
            | N::Details
            | N::Dialog
            | N::Dir
            | N::Div
            | N::Dl
            | N::Fieldset
            | N::Figcaption
            | N::Figure
            | N::Footer
            | N::Header
            | N::Hgroup
            | N::Listing
            | N::Main
            | N::Menu
            | N::Nav
            | N::Ol
            | N::Pre
            | N::Search
            | N::Section
            | N::Select
            | N::Summary
            | N::Ul => {
                if self.open.current_is(tag.name) {
                    self.pop();
                } else if self.open.has_in_scope(tag.name) {
                    self.generate_implied(Kind::has_implied_end, None);
                    self.pop_until(tag.name);
                }
            }
            N::Form => return self.form_end(),
            N::P => {
                if !self.open.has_in_scope(N::P) {
                    self.insert_phantom(N::P)?;
                }
                self.close_p();
            }
            N::Li | N::Dd | N::Dt => {
                if self.open.has_in_scope(tag.name) {
                    self.generate_implied(Kind::has_implied_end, Some(tag.name));
                    self.pop_until(tag.name);
                }
            }
            N::H1 | N::H2 | N::H3 | N::H4 | N::H5 | N::H6 => {
                if self.open.has_in_scope(N::H1) {
                    self.generate_implied(Kind::has_implied_end, None);
                    while let Some(open) = self.pop() {
                        if open.namespace == Namespace::Html && open.name.kind().is_heading() {
                            break;
                        }
                    }
                }
            }
            N::A
            | N::B
            | N::Big
            | N::Code
            | N::Em
            | N::Font
            | N::I
            | N::Nobr
            | N::S
            | N::Small
            | N::Strike
            | N::Strong
            | N::Tt
            | N::U => return self.adoption_agency(tag),
            N::Applet | N::Marquee | N::Object => {
                if self.open.has_in_scope(tag.name) {
                    self.generate_implied(Kind::has_implied_end, None);
                    self.pop_until(tag.name);
                    self.formatting.clear_to_marker();
                }
            }
            N::Br => {
                self.reconstruct()?;
                self.frameset_ok = false;
                self.collector.skip();
                return self.insert_void(tag);
            }
            _ => self.any_other_end(tag),
        }
        DONE
    }

    /// "In body": any other end tag.
    fn any_other_end(&mut self, tag: Tag<'s>) {
        let mut found = None;
        for (index, open) in self.open.iter().enumerate().rev() {
            if open.namespace == Namespace::Html {
                if self.is_named(open, tag) {
                    found = Some(index);
                    break;
                }
                if open.name.kind().is_special() {
                    return;
                }
            }
        }
        if let Some(index) = found {
            self.generate_implied(Kind::has_implied_end, Some(tag.name));
            self.truncate(index);
        }
    }

    fn form_end(&mut self) -> Step {
        if self.templates > 0 {
            if self.open.has_in_scope(Name::Form) {
                self.generate_implied(Kind::has_implied_end, None);
                self.pop_until(Name::Form);
            }
            return DONE;
        }
        let Some(form) = self.form.take() else {
            return DONE;
        };
        let is_form = |open: &Open| open.is(Name::Form) && open.tag == form;
        if !self.open.has_in_scope(Name::Form) {
            return DONE;
        }
        // The one in scope may be another than the one that the pointer points at.
        let Some(index) = self.open.last(is_form) else {
            return DONE;
        };
        let bounds = |open: &Open| open.is_math_text() || open.is_svg_html() || bounds_scope(open);
        if self.open.iter().skip(index + 1).any(bounds) {
            return DONE;
        }
        self.generate_implied(Kind::has_implied_end, None);
        if let Some(index) = self.open.last(is_form) {
            self.remove(index)?;
        }
        DONE
    }

    /// "Close a p element", if there is one in button scope.
    #[inline]
    fn close_p(&mut self) {
        if self.open.has_in_scope(Name::P) {
            self.generate_implied(Kind::has_implied_end, Some(Name::P));
            self.pop_until(Name::P);
        }
    }

    /// The loop for `li`, `dd` and `dt`.
    fn close_item(&mut self, name: Name) {
        let closes: &[Name] = match name {
            Name::Li => &[Name::Li],
            _ => &[Name::Dd, Name::Dt],
        };
        let mut found = None;
        for open in self.open.iter().rev() {
            if open.is_any(closes) {
                found = Some(open.name);
                break;
            }
            let stops = open.namespace == Namespace::Html
                && open.name.kind().is_special()
                && !matches!(open.name, Name::Address | Name::Div | Name::P);
            if stops {
                break;
            }
        }
        if let Some(name) = found {
            self.generate_implied(Kind::has_implied_end, Some(name));
            self.pop_until(name);
        }
    }

    /// A start tag `a` while another is in the list.
    fn close_a(&mut self) -> Result<(), GiveUp> {
        let Some(index) = self.formatting.last_named(Name::A) else {
            return Ok(());
        };
        let Some(id) = self.formatting.get(index).map(|entry| entry.id) else {
            return Ok(());
        };
        self.adoption_agency(Tag {
            name: Name::A,
            raw: "a",
            start: 0,
            self_closing: false,
        })?;
        if let Some(index) = self.formatting.position(id) {
            self.formatting.remove(index);
        }
        if let Some(index) = self.open.last(|open| open.entry == id) {
            self.remove(index)?;
        }
        Ok(())
    }

    /// "Adoption agency algorithm".
    fn adoption_agency(&mut self, tag: Tag<'s>) -> Step {
        // 2.
        if let Some(current) = self.open.current()
            && current.is(tag.name)
            && self.formatting.position(current.entry).is_none()
        {
            self.pop();
            return DONE;
        }
        // 3., 4.
        for _ in 0..8 {
            // 5.
            let Some(entry_index) = self.formatting.last_named(tag.name) else {
                self.any_other_end(tag);
                return DONE;
            };
            let Some(entry) = self.formatting.get(entry_index).copied() else {
                return DONE;
            };
            // 6.
            let Some(index) = self.open.last(|open| open.entry == entry.id) else {
                self.formatting.remove(entry_index);
                return DONE;
            };
            // 7. In scope: nothing above it bounds the scope. 9. The first special element
            // above it is the furthest block.
            let mut furthest_block = None;
            for (above, open) in self.open.iter().enumerate().skip(index + 1) {
                if open.is_math_text() || open.is_svg_html() || bounds_scope(open) {
                    return DONE;
                }
                let special = open.namespace == Namespace::Html && open.name.kind().is_special();
                if special && furthest_block.is_none() {
                    furthest_block = Some(above);
                }
            }
            let Some(furthest_block) = furthest_block else {
                // 10.
                self.truncate(index);
                self.formatting.remove(entry_index);
                return DONE;
            };
            self.adopt(entry, index, furthest_block)?;
        }
        DONE
    }

    /// "Adoption agency algorithm", steps 11 to 19: the element of `entry`, at `index` of the
    /// open elements, has a furthest block.
    fn adopt(&mut self, entry: Entry, index: usize, furthest_block: usize) -> Result<(), GiveUp> {
        if entry.collected && self.templates == 0 {
            return Err(GiveUp::AnchorAroundBlock);
        }
        // 12.
        let mut bookmark = None;
        // 13. Clones take the places of their originals.
        let mut block = furthest_block;
        for (count, node) in (index + 1..furthest_block).rev().enumerate() {
            let Some(open) = self.open.get(node).copied() else {
                continue;
            };
            match self.formatting.position(open.entry) {
                Some(position) if open.entry != 0 && count < 3 => {
                    let cloned = self.formatting.get(position);
                    if cloned.is_some_and(|entry| entry.collected) && self.templates == 0 {
                        return Err(GiveUp::AnchorAroundBlock);
                    }
                    // 13.8.
                    bookmark.get_or_insert(open.entry);
                }
                position => {
                    if let Some(position) = position.filter(|_| open.entry != 0) {
                        self.formatting.remove(position);
                    }
                    self.remove(node)?;
                    block -= 1;
                }
            }
        }
        // 15., 18.
        let id = self.formatting.next_id();
        if let Some(position) = self.formatting.position(entry.id) {
            self.formatting.remove(position);
            let position = match bookmark.and_then(|id| self.formatting.position(id)) {
                Some(after) => after + 1,
                None => position,
            };
            self.formatting.insert(position, Entry { id, ..entry });
        }
        // 19. The clone goes below the furthest block.
        let Some(mut clone) = self.open.get(index).copied() else {
            return Ok(());
        };
        clone.entry = id;
        clone.flags &= FORMATTING;
        clone.count = self.collector.count();
        self.open.remove(index);
        self.open.insert(block, clone);
        Ok(())
    }

    /// "Reconstruct the active formatting elements".
    #[inline]
    fn reconstruct(&mut self) -> Result<(), GiveUp> {
        if self.formatting.is_pending() {
            self.reopen()?;
        }
        Ok(())
    }

    fn reopen(&mut self) -> Result<(), GiveUp> {
        for index in self.formatting.first_pending()..self.formatting.len() {
            let Some(entry) = self.formatting.get(index).copied() else {
                continue;
            };
            let mut open = Open::new(entry.name, Namespace::Html);
            open.tag = entry.tag;
            open.entry = entry.id;
            open.flags = FORMATTING;
            let table = self.foster_parent()?;
            if entry.collected && self.templates == 0 {
                let collected = self.collector.clone_of(entry.tag as usize, entry.name);
                open.flags |= if collected.anchor { ANCHOR } else { 0 };
            }
            open.flags |= if table.is_some() { FOSTERED } else { 0 };
            self.push(open)?;
            if let Some(entry) = self.formatting.get_mut(index) {
                entry.open = true;
            }
        }
        Ok(())
    }

    fn is_type_hidden(&self) -> bool {
        let value = self.collector.value_of("type");
        value.is_some_and(|value| value.eq_ignore_ascii_case("hidden"))
    }

    fn is_quirky(&mut self) -> bool {
        match self.quirks {
            Quirks::Known(quirky) => quirky,
            Quirks::Declared(declaration) => {
                let quirky = tree::is_quirky(declaration, self.srcdoc);
                self.quirks = Quirks::Known(quirky);
                quirky
            }
        }
    }

    // The insertion modes of tables.

    fn in_table_start(&mut self, tag: Tag<'s>) -> Step {
        match tag.name {
            Name::Caption => {
                self.clear_to_table();
                self.formatting.push_marker();
                self.insert(tag)?;
                self.mode = Mode::InCaption;
            }
            Name::Colgroup => {
                self.clear_to_table();
                self.insert(tag)?;
                self.mode = Mode::InColumnGroup;
            }
            Name::Col => {
                self.clear_to_table();
                self.insert_phantom(Name::Colgroup)?;
                return self.again(Mode::InColumnGroup);
            }
            Name::Tbody | Name::Tfoot | Name::Thead => {
                self.clear_to_table();
                self.insert(tag)?;
                self.mode = Mode::InTableBody;
            }
            Name::Td | Name::Th | Name::Tr => {
                self.clear_to_table();
                self.insert_phantom(Name::Tbody)?;
                return self.again(Mode::InTableBody);
            }
            Name::Table => {
                if self.open.has_in_scope(Name::Table) {
                    self.pop_until(Name::Table);
                    let mode = self.reset_insertion_mode();
                    return self.again(mode);
                }
            }
            Name::Style | Name::Script | Name::Template => return self.metadata_start(tag),
            Name::Input if self.is_type_hidden() => return self.insert_void(tag),
            Name::Form => {
                if self.templates == 0 && self.form.is_none() {
                    self.form = Some(tag.start);
                    return self.insert_void(tag);
                }
            }
            _ => return self.foster(|reader| reader.in_body_start(tag)),
        }
        DONE
    }

    fn in_table_end(&mut self, tag: Tag<'s>) -> Step {
        match tag.name {
            Name::Table => {
                if self.open.has_in_scope(Name::Table) {
                    self.pop_until(Name::Table);
                    self.mode = self.reset_insertion_mode();
                }
            }
            Name::Body
            | Name::Caption
            | Name::Col
            | Name::Colgroup
            | Name::Html
            | Name::Tbody
            | Name::Td
            | Name::Tfoot
            | Name::Th
            | Name::Thead
            | Name::Tr => {}
            Name::Template => return self.template_end(),
            _ => return self.foster(|reader| reader.in_body_end(tag)),
        }
        DONE
    }

    /// "In table": anything else.
    fn foster(&mut self, step: impl FnOnce(&mut Self) -> Step) -> Step {
        self.fostering = true;
        let did = step(self);
        self.fostering = false;
        did
    }

    fn in_caption_start(&mut self, tag: Tag<'s>) -> Step {
        match tag.name {
            Name::Caption
            | Name::Col
            | Name::Colgroup
            | Name::Tbody
            | Name::Td
            | Name::Tfoot
            | Name::Th
            | Name::Thead
            | Name::Tr => {
                if self.close_caption() {
                    return self.again(Mode::InTable);
                }
                DONE
            }
            _ => self.in_body_start(tag),
        }
    }

    fn in_caption_end(&mut self, tag: Tag<'s>) -> Step {
        match tag.name {
            Name::Caption => {
                if self.close_caption() {
                    self.mode = Mode::InTable;
                }
                DONE
            }
            Name::Table => {
                if self.close_caption() {
                    return self.again(Mode::InTable);
                }
                DONE
            }
            Name::Body
            | Name::Col
            | Name::Colgroup
            | Name::Html
            | Name::Tbody
            | Name::Td
            | Name::Tfoot
            | Name::Th
            | Name::Thead
            | Name::Tr => DONE,
            _ => self.in_body_end(tag),
        }
    }

    fn close_caption(&mut self) -> bool {
        let in_scope = self.open.has_in_scope(Name::Caption);
        if in_scope {
            self.generate_implied(Kind::has_implied_end, None);
            self.pop_until(Name::Caption);
            self.formatting.clear_to_marker();
        }
        in_scope
    }

    fn in_column_group_start(&mut self, tag: Tag<'s>) -> Step {
        match tag.name {
            Name::Html => self.in_body_start(tag),
            Name::Col => self.insert_void(tag),
            Name::Template => self.metadata_start(tag),
            _ => self.leave_column_group(),
        }
    }

    fn in_column_group_end(&mut self, tag: Tag<'s>) -> Step {
        match tag.name {
            Name::Colgroup => {
                if self.open.current_is(Name::Colgroup) {
                    self.pop();
                    self.mode = Mode::InTable;
                }
                DONE
            }
            Name::Col => DONE,
            Name::Template => self.template_end(),
            _ => self.leave_column_group(),
        }
    }

    fn leave_column_group(&mut self) -> Step {
        if self.open.current_is(Name::Colgroup) {
            self.pop();
            return self.again(Mode::InTable);
        }
        DONE
    }

    fn in_table_body_start(&mut self, tag: Tag<'s>) -> Step {
        match tag.name {
            Name::Tr => {
                self.clear_to_table_body();
                self.insert(tag)?;
                self.mode = Mode::InRow;
                DONE
            }
            Name::Th | Name::Td => {
                self.clear_to_table_body();
                self.insert_phantom(Name::Tr)?;
                self.again(Mode::InRow)
            }
            Name::Caption
            | Name::Col
            | Name::Colgroup
            | Name::Tbody
            | Name::Tfoot
            | Name::Thead => self.leave_table_body(),
            _ => self.in_table_start(tag),
        }
    }

    fn in_table_body_end(&mut self, tag: Tag<'s>) -> Step {
        match tag.name {
            Name::Tbody | Name::Tfoot | Name::Thead => {
                if self.open.has_in_scope(tag.name) {
                    self.clear_to_table_body();
                    self.pop();
                    self.mode = Mode::InTable;
                }
                DONE
            }
            Name::Table => self.leave_table_body(),
            Name::Body
            | Name::Caption
            | Name::Col
            | Name::Colgroup
            | Name::Html
            | Name::Td
            | Name::Th
            | Name::Tr => DONE,
            _ => self.in_table_end(tag),
        }
    }

    fn leave_table_body(&mut self) -> Step {
        let bodies = [Name::Table, Name::Tbody, Name::Tfoot];
        if bodies.into_iter().any(|name| self.open.has_in_scope(name)) {
            self.clear_to_table_body();
            self.pop();
            return self.again(Mode::InTable);
        }
        DONE
    }

    fn in_row_start(&mut self, tag: Tag<'s>) -> Step {
        match tag.name {
            Name::Th | Name::Td => {
                self.clear_to_table_row();
                self.insert(tag)?;
                self.mode = Mode::InCell;
                self.formatting.push_marker();
                DONE
            }
            Name::Caption
            | Name::Col
            | Name::Colgroup
            | Name::Tbody
            | Name::Tfoot
            | Name::Thead
            | Name::Tr => self.leave_row(),
            _ => self.in_table_start(tag),
        }
    }

    fn in_row_end(&mut self, tag: Tag<'s>) -> Step {
        match tag.name {
            Name::Tr => {
                if self.leave_row()? == Did::Again {
                    return DONE;
                }
                DONE
            }
            Name::Table => self.leave_row(),
            Name::Tbody | Name::Tfoot | Name::Thead => {
                if self.open.has_in_scope(tag.name) {
                    return self.leave_row();
                }
                DONE
            }
            Name::Body
            | Name::Caption
            | Name::Col
            | Name::Colgroup
            | Name::Html
            | Name::Td
            | Name::Th => DONE,
            _ => self.in_table_end(tag),
        }
    }

    fn leave_row(&mut self) -> Step {
        if self.open.has_in_scope(Name::Tr) {
            self.clear_to_table_row();
            self.pop();
            return self.again(Mode::InTableBody);
        }
        DONE
    }

    fn in_cell_start(&mut self, tag: Tag<'s>) -> Step {
        match tag.name {
            Name::Caption
            | Name::Col
            | Name::Colgroup
            | Name::Tbody
            | Name::Td
            | Name::Tfoot
            | Name::Th
            | Name::Thead
            | Name::Tr => {
                if self.open.has_in_scope(Name::Td) || self.open.has_in_scope(Name::Th) {
                    self.close_the_cell();
                    return self.again(Mode::InRow);
                }
                DONE
            }
            _ => self.in_body_start(tag),
        }
    }

    fn in_cell_end(&mut self, tag: Tag<'s>) -> Step {
        match tag.name {
            Name::Td | Name::Th => {
                if self.open.has_in_scope(tag.name) {
                    self.generate_implied(Kind::has_implied_end, None);
                    self.pop_until(tag.name);
                    self.formatting.clear_to_marker();
                    self.mode = Mode::InRow;
                }
                DONE
            }
            Name::Body | Name::Caption | Name::Col | Name::Colgroup | Name::Html => DONE,
            Name::Table | Name::Tbody | Name::Tfoot | Name::Thead | Name::Tr => {
                if self.open.has_in_scope(tag.name) {
                    self.close_the_cell();
                    return self.again(Mode::InRow);
                }
                DONE
            }
            _ => self.in_body_end(tag),
        }
    }

    fn close_the_cell(&mut self) {
        self.generate_implied(Kind::has_implied_end, None);
        while let Some(open) = self.pop() {
            if open.is_any(&[Name::Td, Name::Th]) {
                break;
            }
        }
        self.formatting.clear_to_marker();
    }

    /// "Clear the stack back to a table context".
    fn clear_to_table(&mut self) {
        self.clear_to(&[Name::Table, Name::Template, Name::Html]);
    }

    /// "Clear the stack back to a table body context".
    fn clear_to_table_body(&mut self) {
        use Name::{Html, Tbody, Template, Tfoot, Thead};
        self.clear_to(&[Tbody, Tfoot, Thead, Template, Html]);
    }

    /// "Clear the stack back to a table row context".
    fn clear_to_table_row(&mut self) {
        self.clear_to(&[Name::Tr, Name::Template, Name::Html]);
    }

    fn clear_to(&mut self, names: &[Name]) {
        while self.open.current().is_some_and(|open| !open.is_any(names)) {
            self.pop();
        }
    }

    // The insertion modes of templates and framesets.

    fn in_template_start(&mut self, tag: Tag<'s>) -> Step {
        let mode = match tag.name {
            Name::Base
            | Name::Basefont
            | Name::Bgsound
            | Name::Link
            | Name::Meta
            | Name::Noframes
            | Name::Script
            | Name::Style
            | Name::Template
            | Name::Title => return self.metadata_start(tag),
            Name::Caption | Name::Colgroup | Name::Tbody | Name::Tfoot | Name::Thead => {
                Mode::InTable
            }
            Name::Col => Mode::InColumnGroup,
            Name::Tr => Mode::InTableBody,
            Name::Td | Name::Th => Mode::InRow,
            _ => Mode::InBody,
        };
        self.template_modes.pop();
        self.template_modes.push(mode);
        self.again(mode)
    }

    fn in_frameset_start(&mut self, tag: Tag<'s>) -> Step {
        match (self.mode, tag.name) {
            (_, Name::Html) => self.in_body_start(tag),
            (_, Name::Noframes) => self.metadata_start(tag),
            (Mode::InFrameset, Name::Frameset) => {
                self.insert(tag)?;
                DONE
            }
            (Mode::InFrameset, Name::Frame) => self.insert_void(tag),
            _ => DONE,
        }
    }

    /// "Reset the insertion mode appropriately".
    fn reset_insertion_mode(&self) -> Mode {
        for (index, open) in self.open.iter().enumerate().rev() {
            if open.namespace != Namespace::Html {
                continue;
            }
            match open.name {
                Name::Td | Name::Th if index > 0 => return Mode::InCell,
                Name::Tr => return Mode::InRow,
                Name::Tbody | Name::Thead | Name::Tfoot => return Mode::InTableBody,
                Name::Caption => return Mode::InCaption,
                Name::Colgroup => return Mode::InColumnGroup,
                Name::Table => return Mode::InTable,
                Name::Template => {
                    return self.template_modes.last().copied().unwrap_or(Mode::InBody);
                }
                Name::Head if index > 0 => return Mode::InHead,
                Name::Body => return Mode::InBody,
                Name::Frameset => return Mode::InFrameset,
                Name::Html if self.has_head => return Mode::AfterHead,
                Name::Html => return Mode::BeforeHead,
                _ => {}
            }
        }
        Mode::InBody
    }

    // "Rules for parsing tokens in foreign content".

    /// Whether a start tag is for those rules, the current node being foreign.
    fn is_foreign_start(&self, name: Name) -> bool {
        let Some(current) = self.open.current() else {
            return false;
        };
        if current.is_math_text() {
            return matches!(name, Name::Mglyph | Name::Malignmark);
        }
        if current.is_svg_html() {
            return false;
        }
        if current.name == Name::AnnotationXml && current.namespace == Namespace::MathMl {
            return name != Name::Svg && current.flags & HTML_ANNOTATION == 0;
        }
        true
    }

    /// Whether text is for those rules.
    fn is_foreign_text(&self) -> bool {
        match self.open.current() {
            None => false,
            Some(current) => match current.namespace {
                Namespace::Html | Namespace::Message | Namespace::Response => false,
                Namespace::Svg => !current.is_svg_html(),
                Namespace::MathMl => {
                    !current.is_math_text() && current.flags & HTML_ANNOTATION == 0
                }
            },
        }
    }

    fn in_foreign_start(&mut self, tag: Tag<'s>) -> Step {
        let leaves = tag.name.kind().leaves_foreign()
            || (tag.name == Name::Font
                && ["color", "face", "size"]
                    .iter()
                    .any(|name| self.collector.value_of(name).is_some()));
        if leaves {
            while let Some(open) = self.open.current() {
                if open.namespace == Namespace::Html || open.is_math_text() || open.is_svg_html() {
                    break;
                }
                self.pop();
            }
            return self.start(tag);
        }
        let namespace = self
            .open
            .current()
            .map_or(Namespace::Html, |open| open.namespace);
        self.insert_foreign(tag, namespace)
    }

    fn in_foreign_end(&mut self, tag: Tag<'s>) -> Step {
        if matches!(tag.name, Name::Br | Name::P) {
            while let Some(open) = self.open.current() {
                if open.namespace == Namespace::Html || open.is_math_text() || open.is_svg_html() {
                    break;
                }
                self.pop();
            }
            return self.end(tag);
        }
        let last = self.open.len().saturating_sub(1);
        for index in (1..=last).rev() {
            let Some(open) = self.open.get(index) else {
                break;
            };
            if index != last && open.namespace == Namespace::Html {
                return self.end(tag);
            }
            if self.is_named(open, tag) {
                self.truncate(index);
                break;
            }
        }
        DONE
    }

    // Texts.

    fn text(&mut self, text: Text<'s>) -> Result<(), GiveUp> {
        let ignore_lf = std::mem::take(&mut self.ignore_lf);
        if let Some(name) = self.raw {
            if self.raw_content {
                self.collector.content(text);
            } else if !matches!(name, Name::Script | Name::Style) {
                self.collect_text(text, ignore_lf);
            }
            return Ok(());
        }
        if self.is_foreign_text() {
            let current = self.open.current();
            if current.is_some_and(|open| open.flags & CONTENT != 0) {
                self.collector.content(text);
            } else if !current.is_some_and(|open| matches!(open.name, Name::Script | Name::Style)) {
                self.collect_text(text, ignore_lf);
            }
            return Ok(());
        }
        loop {
            match self.mode {
                Mode::InBody | Mode::InCell | Mode::InCaption | Mode::InTemplate => {
                    return self.body_text(text, ignore_lf);
                }
                Mode::InTable | Mode::InTableBody | Mode::InRow => {
                    return self.table_text(text, ignore_lf);
                }
                Mode::InFrameset | Mode::AfterFrameset | Mode::AfterAfterFrameset => return Ok(()),
                Mode::AfterBody | Mode::AfterAfterBody => {
                    if !is_blank(text, Null::Keep) {
                        self.mode = Mode::InBody;
                    }
                    return self.body_text(text, ignore_lf);
                }
                _ if is_blank(text, Null::Keep) => return Ok(()),
                Mode::Initial => self.leave_initial(),
                Mode::BeforeHtml => {
                    self.leave_before_html()?;
                }
                Mode::BeforeHead => {
                    self.leave_before_head()?;
                }
                Mode::InHead => {
                    self.pop();
                    self.mode = Mode::AfterHead;
                }
                Mode::InHeadNoscript => {
                    self.pop();
                    self.mode = Mode::InHead;
                }
                Mode::AfterHead => {
                    self.leave_after_head()?;
                }
                Mode::InColumnGroup => {
                    if self.leave_column_group()? == Did::Done {
                        return Ok(());
                    }
                }
            }
        }
    }

    /// "In body": a character token.
    #[inline]
    fn body_text(&mut self, text: Text<'s>, ignore_lf: bool) -> Result<(), GiveUp> {
        if !self.formatting.is_pending() && !self.collector.in_anchor() {
            return Ok(());
        }
        let characters = characters(text, ignore_lf);
        if characters.is_empty() {
            return Ok(());
        }
        self.reconstruct()?;
        if self.templates == 0 {
            self.collector.text(&characters);
        }
        Ok(())
    }

    /// "In table text".
    fn table_text(&mut self, text: Text<'s>, ignore_lf: bool) -> Result<(), GiveUp> {
        let in_part = self
            .current_html()
            .is_some_and(|name| name.kind().is_table_part());
        if in_part && is_blank(text, Null::Replace) {
            if self.templates == 0 {
                self.collector.text(" ");
            }
            return Ok(());
        }
        if in_part && self.collector.in_anchor() {
            return Err(GiveUp::TextInTable);
        }
        self.fostering = true;
        let done = self.body_text(text, ignore_lf);
        self.fostering = false;
        done
    }

    /// Text that opens nothing again: raw or foreign.
    fn collect_text(&mut self, text: Text<'s>, ignore_lf: bool) {
        if self.templates == 0 && self.collector.in_anchor() {
            let references = matches!(text.kind, TextKind::Data | TextKind::Rcdata);
            let decoded = decode_text(text.raw, references, Null::Replace);
            let decoded = match decoded.strip_prefix('\n') {
                Some(rest) if ignore_lf => rest,
                _ => &decoded,
            };
            self.collector.text(decoded);
        }
    }

    // Putting elements in and taking them off the stack.

    /// "Insert an HTML element".
    #[inline]
    fn insert(&mut self, tag: Tag<'s>) -> Result<Collected, GiveUp> {
        let mut open = Open::new(tag.name, Namespace::Html);
        let (collected, table) = self.place(&mut open, tag)?;
        open.flags |= if tag.name == Name::Template {
            TEMPLATE
        } else {
            0
        };
        open.flags |= if table.is_some() { FOSTERED } else { 0 };
        self.push(open)?;
        Ok(collected)
    }

    /// "Insert an HTML element", and "immediately pop the current node".
    fn insert_void(&mut self, tag: Tag<'s>) -> Step {
        self.insert_and_pop(tag)?;
        DONE
    }

    fn insert_and_pop(&mut self, tag: Tag<'s>) -> Result<Collected, GiveUp> {
        let mut open = Open::new(tag.name, Namespace::Html);
        let (collected, table) = self.place(&mut open, tag)?;
        self.fostered(table);
        Ok(collected)
    }

    /// "Generic raw text element parsing algorithm", "generic RCDATA element parsing algorithm".
    fn insert_raw(&mut self, tag: Tag<'s>, content: Content) -> Step {
        self.raw_content = self.insert_and_pop(tag)?.content;
        self.raw = Some(tag.name);
        self.tokenizer.set_content(content);
        DONE
    }

    /// An element that no tag stands for.
    fn insert_phantom(&mut self, name: Name) -> Result<(), GiveUp> {
        let table = self.foster_parent()?;
        let mut open = Open::new(name, Namespace::Html);
        open.count = self.collector.count();
        open.flags |= if table.is_some() { FOSTERED } else { 0 };
        self.push(open)
    }

    /// "Insert a foreign element".
    fn insert_foreign(&mut self, tag: Tag<'s>, namespace: Namespace) -> Step {
        let mut open = Open::new(tag.name, namespace);
        if tag.name == Name::AnnotationXml && namespace == Namespace::MathMl {
            let html = ["text/html", "application/xhtml+xml"];
            let is_html =
                |value: &Cow<'_, str>| html.iter().any(|html| value.eq_ignore_ascii_case(html));
            let encoding = self.collector.value_of("encoding");
            open.flags |= if encoding.as_ref().is_some_and(is_html) {
                HTML_ANNOTATION
            } else {
                0
            };
        }
        let (_, table) = self.place(&mut open, tag)?;
        if tag.self_closing {
            if open.flags & CONTENT != 0 {
                self.collector.end_content();
            }
            if open.flags & ANCHOR != 0 {
                self.collector.end_anchor();
            }
            self.fostered(table);
            return DONE;
        }
        open.flags |= if table.is_some() { FOSTERED } else { 0 };
        self.push(open)?;
        DONE
    }

    /// Inserts an HTML element that goes into the list of active formatting elements.
    fn insert_formatting(&mut self, tag: Tag<'s>) -> Result<(), GiveUp> {
        self.noahs_ark(tag)?;
        let mut open = Open::new(tag.name, Namespace::Html);
        open.entry = self.formatting.next_id();
        open.flags = FORMATTING;
        let (collected, table) = self.place(&mut open, tag)?;
        open.flags |= if table.is_some() { FOSTERED } else { 0 };
        self.push(open)?;
        if self.formatting.len() >= FORMATTING_LENGTH {
            return Err(GiveUp::FormattingLength);
        }
        self.formatting.push(Entry {
            id: open.entry,
            name: tag.name,
            tag: tag.start,
            open: true,
            // In a template nothing is, but its clones may come to be outside.
            collected: collected.any || (self.templates > 0 && self.collector.has_begun()),
        });
        Ok(())
    }

    /// "Noah's Ark clause": of three elements alike, the first goes before a fourth comes.
    fn noahs_ark(&mut self, tag: Tag<'s>) -> Result<(), GiveUp> {
        let named = self.formatting.named(tag.name);
        if named.count() < 3 {
            return Ok(());
        }
        let mut alike = 0;
        let mut first = 0;
        for (index, entry) in self.formatting.named(tag.name) {
            if self.are_alike(tag.start as usize, entry.tag as usize)? {
                alike += 1;
                first = index;
            }
        }
        if alike >= 3 {
            self.formatting.remove(first);
        }
        Ok(())
    }

    /// Whether two tags of one name have the same attributes.
    fn are_alike(&self, one: usize, other: usize) -> Result<bool, GiveUp> {
        let attributes = |tag| {
            let mut tokenizer = Tokenizer::at(self.source, tag);
            let mut attributes: Vec<(String, Cow<'s, str>)> = Vec::new();
            if let Token::StartTag(_) = tokenizer.next(|| false) {
                tokenizer.attributes(|attribute| {
                    let name = tree::local_name(attribute.name).to_string();
                    attributes.push((name, Value::of_attribute(attribute.value).text));
                });
            }
            if tokenizer.offset() - tag > TAG_LENGTH {
                return Err(GiveUp::FormattingLength);
            }
            // A stable sort: of one name the first counts.
            attributes.sort_by(|one, other| one.0.cmp(&other.0));
            attributes.dedup_by(|later, first| later.0 == first.0);
            Ok(attributes)
        };
        Ok(attributes(one)? == attributes(other)?)
    }

    /// Collects an element where it is inserted; tells the table it is put before, if it is.
    #[inline]
    fn place(
        &mut self,
        open: &mut Open,
        tag: Tag<'s>,
    ) -> Result<(Collected, Option<usize>), GiveUp> {
        let table = self.foster_parent()?;
        open.tag = tag.start;
        open.name_length = offset(tag.raw.len());
        open.count = self.collector.count();
        let mut collected = Collected::default();
        if self.templates == 0 && self.collector.has_begun() {
            let name = match tag.name {
                Name::Image if open.namespace == Namespace::Html => "img",
                Name::Other => tag.raw,
                name => name.text(),
            };
            collected = self.collector.element(open.namespace, name);
            if collected.anchor && is_anchor(open.namespace, name) {
                open.flags |= ANCHOR;
            }
            open.flags |= if collected.content { CONTENT } else { 0 };
        }
        Ok((collected, table))
    }

    /// "Appropriate place for inserting a node": the table that it is before, if it is.
    #[inline]
    fn foster_parent(&self) -> Result<Option<usize>, GiveUp> {
        if !self.fostering {
            return Ok(None);
        }
        if !self
            .current_html()
            .is_some_and(|name| name.kind().is_table_part())
        {
            return Ok(None);
        }
        let bounds = [Name::Table, Name::Template];
        let index = self.open.last(|open| open.is_any(&bounds));
        match index.and_then(|index| self.open.get(index)) {
            Some(open) if open.is(Name::Template) => Ok(None),
            // In a template nothing counts.
            Some(_) if self.templates > 0 => Ok(None),
            Some(table) if table.count == self.collector.count() && !self.collector.in_anchor() => {
                Ok(index)
            }
            _ => Err(GiveUp::FosterParenting),
        }
    }

    /// What was collected since came before that table.
    fn fostered(&mut self, table: Option<usize>) {
        let count = self.collector.count();
        if let Some(table) = table.and_then(|table| self.open.get_mut(table)) {
            table.count = count;
        }
    }

    #[inline]
    fn push(&mut self, open: Open) -> Result<(), GiveUp> {
        if self.open.len() >= DEPTH {
            return Err(GiveUp::Depth);
        }
        self.templates += u32::from(open.flags & TEMPLATE != 0);
        self.open.push(open);
        Ok(())
    }

    /// Takes the current node off the stack.
    #[inline]
    fn pop(&mut self) -> Option<Open> {
        let open = self.open.pop()?;
        if open.flags != 0 {
            self.popped(&open);
        }
        Some(open)
    }

    fn popped(&mut self, open: &Open) {
        if open.flags & FORMATTING != 0 {
            self.formatting.closed(open.entry);
        }
        if open.flags & CONTENT != 0 {
            self.collector.end_content();
        }
        if open.flags & ANCHOR != 0 {
            self.collector.end_anchor();
        }
        if open.flags & TEMPLATE != 0 {
            self.templates -= 1;
        }
        if open.flags & FOSTERED != 0 {
            let table = self.open.last(|open| open.is(Name::Table));
            self.fostered(table);
        }
    }

    /// Takes an element off the stack from below others, which stay in it.
    fn remove(&mut self, index: usize) -> Result<(), GiveUp> {
        if index + 1 == self.open.len() {
            self.pop();
            return Ok(());
        }
        let open = self.open.remove(index);
        if open.flags & (ANCHOR | CONTENT) != 0 {
            return Err(GiveUp::AnchorRemoved);
        }
        if open.flags & FORMATTING != 0 {
            self.formatting.closed(open.entry);
        }
        Ok(())
    }

    fn truncate(&mut self, length: usize) {
        while self.open.len() > length {
            self.pop();
        }
    }

    /// Pops elements until an HTML one of that name has been popped.
    #[inline]
    fn pop_until(&mut self, name: Name) {
        while let Some(open) = self.pop() {
            if open.is(name) {
                return;
            }
        }
    }

    /// "Generate implied end tags", "except for" one.
    #[inline]
    fn generate_implied(&mut self, implied: fn(Kind) -> bool, except: Option<Name>) {
        while let Some(name) = self.current_html() {
            if !implied(name.kind()) || Some(name) == except {
                return;
            }
            self.pop();
        }
    }

    /// The name of the current node, if it is an HTML element.
    #[inline]
    fn current_html(&self) -> Option<Name> {
        let current = self.open.current()?;
        (current.namespace == Namespace::Html).then_some(current.name)
    }

    /// Whether a tag is named as an open element, the case of ASCII letters apart.
    fn is_named(&self, open: &Open, tag: Tag<'s>) -> bool {
        if open.name != Name::Other || tag.name != Name::Other {
            return open.name == tag.name;
        }
        let start = open.tag as usize + 1;
        let name = self
            .source
            .as_bytes()
            .get(start..start + open.name_length as usize);
        name.is_some_and(|name| name.eq_ignore_ascii_case(tag.raw.as_bytes()))
    }
}

/// Whether an HTML element bounds "scope".
fn bounds_scope(open: &Open) -> bool {
    open.is_any(&[
        Name::Applet,
        Name::Caption,
        Name::Html,
        Name::Table,
        Name::Td,
        Name::Th,
        Name::Marquee,
        Name::Object,
        Name::Select,
        Name::Template,
    ])
}

/// An offset in a document that is short enough.
#[expect(
    clippy::cast_possible_truncation,
    reason = "longer documents are not begun"
)]
fn offset(offset: usize) -> u32 {
    offset as u32
}

/// A text as "in body" takes it: decoded, without U+0000, and without its first line feed
/// where that is ignored.
fn characters(text: Text<'_>, ignore_lf: bool) -> Cow<'_, str> {
    let references = text.kind == TextKind::Data;
    let null = match text.kind {
        TextKind::Raw => Null::Replace,
        _ => Null::Keep,
    };
    let mut decoded = decode_text(text.raw, references, null);
    if ignore_lf && decoded.starts_with('\n') {
        decoded = Cow::Owned(decoded[1..].to_owned());
    }
    if decoded.contains('\0') {
        decoded = Cow::Owned(decoded.replace('\0', ""));
    }
    decoded
}

/// Whether a text is ASCII white space alone; U+0000 is none, or none of the text.
fn is_blank(text: Text<'_>, null: Null) -> bool {
    let is_white = |byte: u8| byte.is_ascii_whitespace() || (null == Null::Replace && byte == 0);
    match text.raw.bytes().find(|byte| !is_white(*byte)) {
        None => true,
        Some(b'&') if text.kind == TextKind::Data => decode_text(text.raw, true, Null::Keep)
            .bytes()
            .all(is_white),
        Some(_) => false,
    }
}
