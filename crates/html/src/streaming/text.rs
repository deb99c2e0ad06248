//! Character tokens.

use std::borrow::Cow;

use super::open_elements::CONTENT;
use super::{Mode, ModeResult, Reader};
use crate::character_reference::{Null, decode_text};
use crate::names::Name;
use crate::tokenizer::{Text, TextKind};
use baseref_document::Fallback;

impl<'s> Reader<'s, '_, '_> {
    #[inline]
    pub(super) fn text(&mut self, text: Text) -> Result<(), Fallback> {
        let ignore_lf = std::mem::take(&mut self.ignore_lf);
        // The common case: it reconstructs nothing and is not wanted.
        if self.mode.is_body() && !self.formatting.is_pending() && !self.collector.takes_text() {
            return Ok(());
        }
        self.text_in_full(text, ignore_lf)
    }

    fn text_in_full(&mut self, text: Text, ignore_lf: bool) -> Result<(), Fallback> {
        if let Some(name) = self.raw {
            if self.raw_content {
                self.collector.content(text);
            } else if !matches!(name, Name::Script | Name::Style) {
                self.collect_text(text, ignore_lf);
            }
            return Ok(());
        }
        if self.is_foreign_text() {
            match self.open.current() {
                Some(open) if open.flags & CONTENT != 0 => self.collector.content(text),
                Some(open) if matches!(open.name, Name::Script | Name::Style) => {}
                _ => self.collect_text(text, ignore_lf),
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
                    if !self.is_blank(text, Null::Keep) {
                        self.mode = Mode::InBody;
                    }
                    return self.body_text(text, ignore_lf);
                }
                _ if self.is_blank(text, Null::Keep) => return Ok(()),
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
                    if self.leave_column_group()? == ModeResult::Done {
                        return Ok(());
                    }
                }
            }
        }
    }

    /// "In body": a character token.
    #[inline]
    pub(super) fn body_text(&mut self, text: Text, ignore_lf: bool) -> Result<(), Fallback> {
        if !self.formatting.is_pending() && !self.collector.in_anchor() {
            return Ok(());
        }
        let characters = self.characters(text, ignore_lf);
        if characters.is_empty() {
            return Ok(());
        }
        self.reconstruct()?;
        if self.inert == 0 {
            self.collector.text(&characters);
        }
        Ok(())
    }

    /// "In table text".
    pub(super) fn table_text(&mut self, text: Text, ignore_lf: bool) -> Result<(), Fallback> {
        let in_part = self
            .current_html()
            .is_some_and(|name| name.kind().is_table_part());
        if in_part && self.is_blank(text, Null::Replace) {
            if self.inert == 0 {
                self.collector.text(" ");
            }
            return Ok(());
        }
        if in_part && self.collector.in_anchor() {
            return Err(Fallback::TextInTable);
        }
        self.fostering = true;
        let done = self.body_text(text, ignore_lf);
        self.fostering = false;
        done
    }

    /// Text that reconstructs nothing: raw or foreign.
    pub(super) fn collect_text(&mut self, text: Text, ignore_lf: bool) {
        if self.inert == 0 && self.collector.in_anchor() {
            let references = matches!(text.kind, TextKind::Data | TextKind::Rcdata);
            let decoded = decode_text(text.span.slice(self.source), references, Null::Replace);
            let decoded = match decoded.strip_prefix('\n') {
                Some(rest) if ignore_lf => rest,
                _ => &decoded,
            };
            self.collector.text(decoded);
        }
    }

    /// A text as processed "in body": decoded, without U+0000, and without its first line feed if
    /// that is ignored.
    fn characters(&self, text: Text, ignore_lf: bool) -> Cow<'s, str> {
        let references = text.kind == TextKind::Data;
        let null = match text.kind {
            TextKind::Raw => Null::Replace,
            _ => Null::Keep,
        };
        let mut decoded = decode_text(text.span.slice(self.source), references, null);
        if ignore_lf && decoded.starts_with('\n') {
            decoded = Cow::Owned(decoded[1..].to_owned());
        }
        // Text that needed no decoding has no U+0000.
        if let Cow::Owned(text) = &mut decoded {
            text.retain(|character| character != '\0');
        }
        decoded
    }

    /// Whether a text is only ASCII white space; U+0000 either makes it not blank or is dropped, by
    /// `null`.
    fn is_blank(&self, text: Text, null: Null) -> bool {
        let is_white =
            |byte: u8| byte.is_ascii_whitespace() || (null == Null::Replace && byte == 0);
        match text
            .span
            .slice(self.source)
            .bytes()
            .find(|byte| !is_white(*byte))
        {
            None => true,
            Some(b'&') if text.kind == TextKind::Data => {
                decode_text(text.span.slice(self.source), true, Null::Keep)
                    .bytes()
                    .all(is_white)
            }
            Some(_) => false,
        }
    }
}
