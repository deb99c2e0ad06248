//! "The list of active formatting elements": reconstructing its elements, and the "adoption agency
//! algorithm".

use std::borrow::Cow;

use super::open_elements::{ANCHOR, Entry, FORMATTING, FOSTERED, OpenElement};
use super::{DONE, FORMATTING_LENGTH, Reader, Step, TAG_LENGTH, Tag};
use crate::character_reference::Value;
use crate::names::Name;
use crate::tokenizer::{Token, Tokenizer};
use crate::tree;
use baseref_document::Fallback;
use baseref_document::link_places::Namespace;

impl Reader<'_, '_, '_> {
    /// Inserts an HTML element that goes into the list of active formatting elements.
    #[inline]
    pub(super) fn insert_formatting(&mut self, tag: Tag) -> Result<(), Fallback> {
        self.noahs_ark(tag)?;
        if self.formatting.len() >= FORMATTING_LENGTH {
            return Err(Fallback::FormattingLength);
        }
        let mut open = OpenElement::new(tag.name, Namespace::Html);
        open.tag = tag.start;
        open.entry = self.formatting.next_id();
        open.flags = FORMATTING;
        let mut collected = false;
        self.identify(tag.name);
        if self.fostering || self.collector.may_collect(tag.name) {
            // Nothing is collected in a template, but clones of it may end up outside.
            collected = self.place(&mut open, tag)?.any || self.inert > 0;
        }
        self.formatting.push(Entry {
            id: open.entry,
            name: tag.name,
            tag: tag.start,
            open: true,
            collected,
        });
        self.push(open)
    }

    /// "Noah's Ark clause": of three alike, the earliest is removed before a fourth is added.
    pub(super) fn noahs_ark(&mut self, tag: Tag) -> Result<(), Fallback> {
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

    /// Whether two tags of the same name have the same attributes.
    pub(super) fn are_alike(&self, one: usize, other: usize) -> Result<bool, Fallback> {
        let attributes = |tag| {
            let mut tokenizer = Tokenizer::at(self.source, tag);
            let mut attributes: Vec<(String, Cow<'_, str>)> = Vec::new();
            if let Token::StartTag(_) = tokenizer.next(|| false) {
                tokenizer.attributes(|attribute| {
                    let name = tree::local_name(attribute.name.slice(self.source)).to_string();
                    attributes.push((
                        name,
                        Value::from_attribute(attribute.value.slice(self.source)).text,
                    ));
                });
            }
            if tokenizer.offset() - tag > TAG_LENGTH {
                return Err(Fallback::FormattingLength);
            }
            // A stable sort: the first of each name wins.
            attributes.sort_by(|one, other| one.0.cmp(&other.0));
            attributes.dedup_by(|later, first| later.0 == first.0);
            Ok(attributes)
        };
        Ok(attributes(one)? == attributes(other)?)
    }

    /// A start tag `a` while another `a` is in the list.
    pub(super) fn close_a(&mut self, tag: Tag) -> Result<(), Fallback> {
        let Some(index) = self.formatting.last_named(Name::A) else {
            return Ok(());
        };
        let Some(id) = self.formatting.get(index).map(|entry| entry.id) else {
            return Ok(());
        };
        self.adoption_agency(Tag {
            name: Name::A,
            ..tag
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
    #[inline]
    pub(super) fn adoption_agency(&mut self, tag: Tag) -> Step {
        // Fast path: it is the current node and the last in the list, so steps 9 and 10 follow.
        if let Some(current) = self.open.current()
            && current.name == tag.name
            && current.entry != 0
            && current.entry == self.formatting.last_id()
        {
            self.pop();
            self.formatting.pop();
            return DONE;
        }
        self.adoption_agency_in_full(tag)
    }

    fn adoption_agency_in_full(&mut self, tag: Tag) -> Step {
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
            // 7. In scope: nothing after it in the stack bounds the scope. 9. The first special
            //    element after it is the furthest block.
            let mut furthest_block = None;
            for (above, open) in self.open.iter().enumerate().skip(index + 1) {
                if open.bounds_scope() {
                    return DONE;
                }
                if open.is_special() && furthest_block.is_none() {
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

    /// "Adoption agency algorithm", steps 11 to 19: the element of `entry`, at `index` in the open
    /// elements, has a furthest block.
    pub(super) fn adopt(
        &mut self,
        entry: Entry,
        index: usize,
        furthest_block: usize,
    ) -> Result<(), Fallback> {
        if entry.collected && self.inert == 0 {
            return Err(Fallback::AnchorAroundBlock);
        }
        // 12.
        let mut bookmark = None;
        // 13. Clones replace their originals.
        let mut block = furthest_block;
        for (count, node) in (index + 1..furthest_block).rev().enumerate() {
            let Some(open) = self.open.get(node).copied() else {
                continue;
            };
            match self.formatting.position(open.entry) {
                Some(position) if open.entry != 0 && count < 3 => {
                    let cloned = self.formatting.get(position);
                    if cloned.is_some_and(|entry| entry.collected) && self.inert == 0 {
                        return Err(Fallback::AnchorAroundBlock);
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
    pub(super) fn reconstruct(&mut self) -> Result<(), Fallback> {
        if self.formatting.is_pending() {
            self.reopen()?;
        }
        Ok(())
    }

    pub(super) fn reopen(&mut self) -> Result<(), Fallback> {
        for index in self.formatting.first_pending()..self.formatting.len() {
            let Some(entry) = self.formatting.get(index).copied() else {
                continue;
            };
            let mut open = OpenElement::new(entry.name, Namespace::Html);
            open.tag = entry.tag;
            open.entry = entry.id;
            open.flags = FORMATTING;
            if self.foster_parent()?.is_some() {
                open.flags |= FOSTERED;
            }
            if entry.collected && self.inert == 0 {
                let collected = self.collector.clone_of(entry.tag as usize, entry.name);
                if collected.anchor {
                    open.flags |= ANCHOR;
                }
            }
            self.push(open)?;
            if let Some(entry) = self.formatting.get_mut(index) {
                entry.open = true;
            }
        }
        Ok(())
    }
}
