//! What a message and its parts say of themselves.

use std::sync::Arc;

use super::heading::{Field, Heading};
use super::part::Open;
use super::tree::id;
use super::walk::{Entity, Walk};
use crate::document::{About, MessageFields};
use crate::header::date;
use crate::header::encoded_word;
use crate::header::media_type::MediaType;

/// A field that is longer is not told.
const FIELD_SIZE: usize = 64 * 1024;

/// What the heading of a message says of it.
#[derive(Debug)]
pub(super) struct OfMessage {
    fields: Arc<MessageFields>,
    date: Option<Box<str>>,
}

impl OfMessage {
    /// Reads the heading of a message.
    pub fn new(heading: &Heading<'_>) -> Self {
        let text = |name| heading.first(name).and_then(text);
        let message_id = heading.first("Message-ID").and_then(id);
        Self {
            fields: Arc::new(MessageFields {
                message_id: message_id.map(String::into_boxed_str),
                from: text("From"),
                to: text("To"),
                subject: text("Subject"),
                list_id: text("List-Id"),
            }),
            date: heading.first("Date").and_then(sent),
        }
    }
}

impl Walk<'_> {
    /// What is known of a part, in the message that is open around it.
    pub fn about(&self, entity: &Entity<'_, '_>, open: &[Open]) -> About {
        let mut about = About::default();
        if !self.options.about {
            return about;
        }
        if let Some(message) = open.last().and_then(|part| part.message.as_deref()) {
            about.message = Some(Arc::clone(&message.fields));
            about.date.clone_from(&message.date);
        }
        let disposition = entity
            .heading
            .first("Content-Disposition")
            .filter(|field| field.value().len() <= FIELD_SIZE)
            .and_then(|field| MediaType::parse_disposition(field.value()));
        about.filename = filename(disposition.as_ref(), &entity.media).map(String::into_boxed_str);
        about.content_type = Some(entity.media.essence.as_str().into());
        about.disposition = disposition.map(|disposition| disposition.essence.into());
        about
    }
}

/// The file name that a heading gives its part: by its disposition (RFC 2183 §2.3), or as its
/// media type's `name`, which is older.
pub(super) fn filename(disposition: Option<&MediaType>, media: &MediaType) -> Option<String> {
    disposition
        .and_then(|disposition| disposition.text_parameter("filename"))
        .or_else(|| media.text_parameter("name"))
        .filter(|name| !name.is_empty() && name.len() <= FIELD_SIZE)
}

/// What an unstructured field or a list of addresses says.
fn text(field: &Field<'_>) -> Option<Box<str>> {
    if field.value().len() > FIELD_SIZE {
        return None;
    }
    let text = encoded_word::text(&field.unfolded());
    (!text.is_empty()).then(|| text.into())
}

/// The date in a `Date` field.
fn sent(field: &Field<'_>) -> Option<Box<str>> {
    /// A date with a comment behind it is not longer.
    const LONGEST: usize = 256;
    if field.value().len() > LONGEST {
        return None;
    }
    date::of_timestamp(mailparse::dateparse(&field.unfolded()).ok()?)
}
