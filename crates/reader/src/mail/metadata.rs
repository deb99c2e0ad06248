//! Descriptive data about the parts of a message.

use std::sync::Arc;

use super::heading::FIELD_SIZE;
use super::part::OpenPart;
use super::walk_state::{Entity, Walk};
use baseref_document::Metadata;
use baseref_text::header::media_type::MediaType;

impl Walk<'_> {
    /// The data about a part, in the open message around it.
    pub fn metadata(&self, entity: &Entity<'_, '_>, open: &[OpenPart]) -> Metadata {
        let mut metadata = Metadata::default();
        if !self.options.metadata {
            return metadata;
        }
        if let Some(message) = open.last().and_then(|part| part.message.as_deref()) {
            metadata.message = Some(Arc::clone(&message.fields));
            metadata.date.clone_from(&message.date);
        }
        let disposition = entity
            .heading
            .first("Content-Disposition")
            .filter(|field| field.value().len() <= FIELD_SIZE)
            .and_then(|field| MediaType::parse_disposition(field.value()));
        metadata.filename =
            filename(disposition.as_ref(), &entity.media).map(String::into_boxed_str);
        metadata.content_type = Some(entity.media.essence.as_str().into());
        metadata.disposition = disposition.map(|disposition| disposition.essence.into());
        metadata
    }
}

/// The file name of a part, from its disposition (RFC 2183 §2.3) or the older `name` parameter of its
/// media type.
pub(super) fn filename(disposition: Option<&MediaType>, media: &MediaType) -> Option<String> {
    disposition
        .and_then(|disposition| disposition.text_parameter("filename"))
        .or_else(|| media.text_parameter("name"))
        .filter(|name| !name.is_empty() && name.len() <= FIELD_SIZE)
}
