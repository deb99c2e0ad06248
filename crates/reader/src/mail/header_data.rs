//! Descriptive data from the header of a message.

use std::sync::Arc;

use super::heading::{FIELD_SIZE, Field, Heading};
use baseref_document::MessageFields;
use baseref_text::header::date;
use baseref_text::header::encoded_word;

/// Descriptive data from the header of a message.
#[derive(Debug)]
pub(super) struct HeaderData {
    pub fields: Arc<MessageFields>,
    pub date: Option<Box<str>>,
}

impl HeaderData {
    /// Reads the data from a header.
    pub fn new(heading: &Heading<'_>) -> Self {
        let text = |name| heading.first(name).and_then(text);
        let message_id = heading.first("Message-ID").and_then(Field::id);
        let mut fields = MessageFields::default();
        fields.message_id = message_id.map(String::into_boxed_str);
        fields.from = text("From");
        fields.to = text("To");
        fields.cc = text("Cc");
        fields.reply_to = text("Reply-To");
        fields.delivered_to = text("Delivered-To");
        fields.list_unsubscribe_post = text("List-Unsubscribe-Post");
        fields.subject = text("Subject");
        fields.list_id = text("List-Id");
        Self {
            fields: Arc::new(fields),
            date: heading.first("Date").and_then(sent),
        }
    }
}

/// The text of an unstructured field or a list of addresses.
fn text(field: &Field<'_>) -> Option<Box<str>> {
    if field.value().len() > FIELD_SIZE {
        return None;
    }
    let text = encoded_word::text(&field.unfolded());
    (!text.is_empty()).then(|| text.into())
}

/// The date in a `Date` field.
fn sent(field: &Field<'_>) -> Option<Box<str>> {
    /// Enough for a date followed by a comment.
    const LONGEST: usize = 256;
    if field.value().len() > LONGEST {
        return None;
    }
    let text = field.unfolded();
    let seconds = mailparse::dateparse(&text).ok()?;
    // For a date without a year, mailparse gives the first second of 1970.
    let has_year = seconds != 0 || text.split(' ').any(|word| matches!(word, "70" | "1970"));
    date::from_timestamp(seconds).filter(|_| has_year)
}
