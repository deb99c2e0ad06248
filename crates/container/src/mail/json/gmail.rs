//! Messages of the Gmail API, in the formats `raw` and `full` (Gmail API v1, REST resource
//! `users.messages`).

use serde_json::Value;

use super::super::mime::{Content, Header, Part};
use super::value::{
    Found, Message, base64, is_json, list, member, names_one_of, not_in_json, text,
};
use baseref_text::header::field::quoted;

/// Whether JSON begins like messages of the Gmail API.
pub(crate) fn is_gmail(head: &[u8]) -> bool {
    const OWN: [&str; 4] = ["threadId", "labelIds", "historyId", "internalDate"];
    const CONTENT: [&str; 4] = ["payload", "raw", "snippet", "sizeEstimate"];
    is_json(head) && names_one_of(head, &OWN) && names_one_of(head, &CONTENT)
}

/// Makes a message of an object.
pub(super) fn message(object: &Value) -> Found {
    let raw = text(object, "raw");
    if !raw.is_empty() {
        return Found::Message {
            message: Message::Sent(base64(raw)),
            absent: Vec::new(),
        };
    }
    let payload = member(object, "payload");
    let is_part = ["mimeType", "headers", "parts", "body"]
        .iter()
        .any(|name| !member(payload, name).is_null());
    if !is_part {
        return Found::Nothing;
    }
    let mut absent = Vec::new();
    let message = Message::Parts(part(payload, &mut absent));
    Found::Message { message, absent }
}

/// Makes a part of an object `MessagePart`; the recursion is as deep as the JSON, which its parser
/// bounds. Adds a clause for each file that is stored elsewhere.
fn part(object: &Value, absent: &mut Vec<String>) -> Part {
    let mut header = Header::default();
    let mut own_type = None;
    for field in list(object, "headers") {
        let (name, value) = (text(field, "name"), text(field, "value"));
        if name.eq_ignore_ascii_case("Content-Type") {
            own_type = own_type.or(Some(value));
        }
        header.push_stored(name, value);
    }
    let media_type = text(object, "mimeType").to_ascii_lowercase();
    let parts = list(object, "parts");
    if media_type == "message/rfc822" && !parts.is_empty() {
        let inner = Part {
            header: Header::default(),
            content: Content::Parts("mixed", Vec::new()),
        };
        let inner = parts.first().map_or(inner, |first| part(first, absent));
        let content = Content::Message(Box::new(inner));
        return Part { header, content };
    }
    if let Some(kind) = media_type.strip_prefix("multipart/") {
        const KINDS: [&str; 6] = [
            "alternative",
            "related",
            "signed",
            "report",
            "digest",
            "encrypted",
        ];
        let kind = KINDS.into_iter().find(|known| *known == kind);
        let parts = parts.iter().map(|inner| part(inner, absent)).collect();
        let content = Content::Parts(kind.unwrap_or("mixed"), parts);
        return Part { header, content };
    }
    let body = member(object, "body");
    let data = base64(text(body, "data"));
    let name = text(object, "filename");
    if data.is_empty() && !text(body, "attachmentId").is_empty() {
        absent.push(not_in_json(name));
    }
    let mut media_type = own_type.unwrap_or(&media_type).to_owned();
    if media_type.is_empty() {
        "text/plain".clone_into(&mut media_type);
    }
    // The API decodes the name, whose parameter may be encoded in a way that is not known here.
    if !name.is_empty() && !media_type.contains("name") {
        media_type = format!("{media_type}; name={}", quoted(name));
    }
    header.push("Content-Type", &media_type);
    let content = Content::Body(data);
    Part { header, content }
}
