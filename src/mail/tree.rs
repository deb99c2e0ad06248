//! The parts of a message as links in it can name them.

use super::heading::{Field, Heading};
use super::part::{Composite, Open};
use super::walk::{Entity, Walk};
use crate::document::{Part, PartKind, Section};
use crate::header::comment::skip_cfws;
use crate::slots::Classes;

/// A message-id or content-id that is longer names nothing in use.
const ID_SIZE: usize = 4 * 1024;

impl Walk<'_> {
    /// Adds a part of which the heading has been read, and makes it the current one; `around` is
    /// how many declarations stand around its heading.
    pub fn add_part(&mut self, entity: &Entity<'_, '_>, around: usize, parent: usize) {
        if self.parts_wanted() {
            let essence = entity.media.essence.as_str();
            let (kind, section) = match essence {
                "multipart/related" => (PartKind::Related, &entity.section),
                _ if essence.starts_with("multipart/") || entity.holds_message => {
                    (PartKind::Other, &entity.section)
                }
                _ => (PartKind::Other, &entity.body_section),
            };
            self.current = self.tree.len();
            self.tree.push(Part {
                kind,
                section: section.clone(),
                parent: Some(parent),
                declarations: self.declarations[around..].to_vec(),
                content_id: entity.heading.first("Content-ID").and_then(id),
            });
        }
    }

    /// Adds the message in the current part, and makes it the current one.
    pub fn add_message(&mut self, section: &Section) {
        if self.parts_wanted() {
            let parent = Some(self.current);
            self.current = self.tree.len();
            self.tree.push(Part::message(section.clone(), parent));
        }
    }

    /// Completes the message that `open` is with what its heading says, if it is one.
    pub fn complete_message(&mut self, open: Option<&Open>, heading: &Heading<'_>, around: usize) {
        let Some(open) = open.filter(|open| matches!(open.composite, Composite::Message)) else {
            return;
        };
        let message_id = heading.first("Message-ID").and_then(id);
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

/// The id in a `Message-ID` or `Content-ID` field (RFC 5322 §3.6.4, RFC 2045 §7), without its
/// angle brackets, which programs leave out now and then.
pub(super) fn id(field: &Field<'_>) -> Option<String> {
    if field.value().len() > ID_SIZE {
        return None;
    }
    let value = field.unfolded();
    let start = value.len() - skip_cfws(value.as_bytes()).len();
    let value = &value[start..];
    let id = match value.strip_prefix('<') {
        Some(inner) => inner.split('>').next().unwrap_or(inner),
        None => value,
    };
    let id = id.trim_ascii();
    (!id.is_empty()).then(|| id.to_owned())
}
