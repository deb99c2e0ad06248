//! The parts of a message, with the names by which links can refer to them.

use super::heading::{Field, Heading};
use super::part::{Composite, OpenPart};
use super::walk_state::{Entity, Walk};
use baseref_document::link_places::Classes;
use baseref_document::{Part, PartKind, Section};

impl Walk<'_> {
    /// Adds a part whose header has been read, and makes it the current one; `around` is the number
    /// of declarations around its header.
    pub fn add_part(&mut self, entity: &Entity<'_, '_>, around: usize, parent: usize) {
        if self.parts_wanted() {
            let essence = entity.media.essence.as_str();
            let (kind, section) = match essence {
                "multipart/related" => (PartKind::Related, &entity.section),
                "multipart/alternative" => (PartKind::Alternative, &entity.section),
                _ if essence.starts_with("multipart/") || entity.holds_message => {
                    (PartKind::Other, &entity.section)
                }
                _ => (PartKind::Other, &entity.body_section),
            };
            self.current = self.tree.len();
            let mut part = Part::new(kind, section.clone(), Some(parent));
            part.declarations = self.declarations[around..].to_vec();
            part.content_id = entity.heading.first("Content-ID").and_then(Field::id);
            self.tree.push(part);
        }
    }

    /// Adds the message in the current part, and makes it the current one.
    pub fn add_message(&mut self, section: &Section) {
        if self.parts_wanted() {
            let parent = Some(self.current);
            self.current = self.tree.len();
            let kind = PartKind::Message { message_id: None };
            self.tree.push(Part::new(kind, section.clone(), parent));
        }
    }

    /// If `open` is a message, completes it with the data in its header.
    pub fn complete_message(
        &mut self,
        open: Option<&OpenPart>,
        heading: &Heading<'_>,
        around: usize,
    ) {
        let Some(open) = open.filter(|open| matches!(open.composite, Composite::Message)) else {
            return;
        };
        let message_id = heading.first("Message-ID").and_then(Field::id);
        if let Some(message) = self.tree.get_mut(open.part) {
            message.kind = PartKind::Message { message_id };
            if message.parent.is_none() {
                message.declarations = self.declarations[..around].to_vec();
            }
        }
    }

    fn parts_wanted(&self) -> bool {
        self.options.classes != Classes::default()
    }
}
