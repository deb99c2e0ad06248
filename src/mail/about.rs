//! What the parts of a message say of themselves.

use std::sync::Arc;

use super::heading::FIELD_SIZE;
use super::part::Open;
use super::walk::{Entity, Walk};
use crate::document::About;
use crate::header::media_type::MediaType;

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
