//! The fast path for the vast majority of tags, "in body" and where its rules are used: an element
//! is pushed on the stack of open elements or popped off it, and nothing else happens. The full
//! rules give the same result.

use super::open_elements::{ANCHOR, FORMATTING, OpenElement};
use super::{Reader, Tag};
use crate::names::Name;
use baseref_document::Fallback;
use baseref_document::link_places::Namespace;

impl Reader<'_, '_, '_> {
    /// Processes a start tag if it is plain; returns whether it was.
    #[inline]
    pub(super) fn plain_start(&mut self, tag: Tag) -> Result<bool, Fallback> {
        if !self.mode.is_body() || self.open.is_foreign() {
            return Ok(false);
        }
        if self.collector.has_attributes() {
            if tag.name != Name::A || !self.formatting.is_empty() {
                return Ok(false);
            }
            // Nothing needs closing or reopening before it.
            self.insert_formatting(tag)?;
            return Ok(true);
        }
        let kind = tag.name.kind();
        if kind.is_ordinary() && !self.formatting.is_pending()
            || kind.is_block() && !self.open.has_in_scope(Name::P)
        {
            self.identify(tag.name);
            let mut open = OpenElement::new(tag.name, Namespace::Html);
            open.tag = tag.start;
            self.push(open)?;
            return Ok(true);
        }
        if kind.is_formatting()
            && !matches!(tag.name, Name::A | Name::Nobr)
            && !self.formatting.is_pending()
        {
            self.insert_formatting(tag)?;
            return Ok(true);
        }
        if matches!(tag.name, Name::Li | Name::Dd | Name::Dt)
            && self
                .current_html()
                .is_some_and(|name| name.kind().is_list())
            && !self.open.has_in_scope(Name::P)
        {
            self.frameset_ok = false;
            self.identify(tag.name);
            self.push(OpenElement::new(tag.name, Namespace::Html))?;
            return Ok(true);
        }
        Ok(false)
    }

    /// Processes an end tag if it is plain; returns whether it was.
    #[inline]
    pub(super) fn plain_end(&mut self, name: Name) -> bool {
        if !self.mode.is_body() || self.raw.is_some() {
            return false;
        }
        let Some(current) = self.open.current().filter(|current| current.is(name)) else {
            return false;
        };
        if name.kind().closes_itself() {
            self.pop();
            return true;
        }
        // "Adoption agency algorithm": it is also the last in the list.
        let is_last = current.entry != 0
            && current.entry == self.formatting.last_id()
            && current.flags & !ANCHOR == FORMATTING;
        if is_last {
            let is_anchor = current.flags & ANCHOR != 0;
            self.open.pop();
            self.formatting.pop();
            if is_anchor {
                self.collector.end_anchor();
            }
        }
        is_last
    }
}
