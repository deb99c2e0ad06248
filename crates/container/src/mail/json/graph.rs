//! Messages of Microsoft Graph (v1.0, resource types `message` and `attachment`).

use serde_json::Value;

use super::super::mime::{Content, Header, Part, date};
use super::value::{
    Found, Message, base64, is_json, list, member, names_one_of, not_in_json, text, value_of,
};
use baseref_text::header::field::quoted;

/// Whether JSON begins like messages of Microsoft Graph.
pub(crate) fn is_graph(head: &[u8]) -> bool {
    const OWN: [&str; 3] = ["bodyPreview", "internetMessageId", "internetMessageHeaders"];
    let has_own = || names_one_of(head, &OWN);
    let has_body = || {
        let body = value_of(head, "body").and_then(|body| body.strip_prefix(b"{"));
        let first = body.map(<[u8]>::trim_ascii_start).unwrap_or_default();
        ["\"contentType\"", "\"content\""].iter().any(|name| {
            let own = first.get(..name.len()).unwrap_or_default();
            own.eq_ignore_ascii_case(name.as_bytes())
        })
    };
    let is_list = || {
        let messages = memchr::memmem::find(head, b"messages").is_some();
        names_one_of(head, &["@odata.context"]) && messages
    };
    is_json(head) && (has_own() || has_body() || is_list())
}

/// Makes a message of an object.
pub(super) fn message(object: &Value) -> Found {
    let has_content = ["body", "internetMessageHeaders", "attachments"]
        .iter()
        .any(|name| !member(object, name).is_null());
    if !has_content {
        return Found::Nothing;
    }
    let mut absent = Vec::new();
    let message = Message::Parts(part(object, &mut absent));
    Found::Message { message, absent }
}

/// Makes a part of an object `message`; the recursion is as deep as the JSON, which its parser bounds.
/// Adds a clause for each attachment that the JSON leaves out.
fn part(object: &Value, absent: &mut Vec<String>) -> Part {
    let body = member(object, "body");
    let content = text(body, "content");
    let media_type = if text(body, "contentType").eq_ignore_ascii_case("html") {
        "text/html"
    } else {
        "text/plain"
    };
    let bodies = if content.is_empty() {
        Vec::new()
    } else {
        vec![Part::text(media_type, content)]
    };
    let attachments = list(object, "attachments").iter();
    let files: Vec<Part> = attachments.map(|file| attachment(file, absent)).collect();
    let has_attachments = member(object, "hasAttachments").as_bool() == Some(true);
    if has_attachments && files.is_empty() {
        absent.push("the attached files are not in the JSON".to_owned());
    }
    Part::with_bodies(header(object), bodies, files)
}

/// The header as it was sent or, in part, as the members of the message say.
fn header(object: &Value) -> Header {
    let mut header = Header::default();
    let mut sent: Vec<&str> = Vec::new();
    for field in list(object, "internetMessageHeaders") {
        let name = text(field, "name");
        sent.push(name);
        header.push_stored(name, text(field, "value"));
    }
    let mut push_missing = |name: &str, value: String| {
        if !value.is_empty() && !sent.iter().any(|own| own.eq_ignore_ascii_case(name)) {
            header.push(name, &value);
        }
    };
    let addresses = |name: &str| {
        let all = list(object, name).iter().map(address);
        all.collect::<Vec<_>>().join(", ")
    };
    push_missing("From", address(member(object, "from")));
    push_missing("To", addresses("toRecipients"));
    push_missing("Cc", addresses("ccRecipients"));
    push_missing("Subject", text(object, "subject").to_owned());
    push_missing("Message-ID", text(object, "internetMessageId").to_owned());
    let times = ["sentDateTime", "receivedDateTime"].iter();
    let mut times = times.map(|name| text(object, name));
    push_missing("Date", times.find_map(date).unwrap_or_default());
    header
}

/// An object `recipient` as an address (RFC 5322 §3.4).
fn address(recipient: &Value) -> String {
    let address = member(recipient, "emailAddress");
    let (name, address) = (text(address, "name"), text(address, "address"));
    if name.is_empty() || name == address {
        return address.to_owned();
    }
    format!("{} <{address}>", quoted(name))
}

/// A file, a message or the address of a file.
fn attachment(object: &Value, absent: &mut Vec<String>) -> Part {
    let url = text(object, "sourceUrl");
    if !url.is_empty() {
        return Part::reference(url);
    }
    let name = text(object, "name");
    let item = member(object, "item");
    let mut header = Header::default();
    if item.is_object() {
        let content = Content::Message(Box::new(part(item, absent)));
        return Part { header, content };
    }
    let bytes = text(object, "contentBytes");
    if bytes.is_empty() && member(object, "size").as_u64() != Some(0) {
        absent.push(not_in_json(name));
    }
    header.push_file(text(object, "contentType"), name);
    let id = text(object, "contentId");
    if !id.is_empty() {
        header.push("Content-ID", &format!("<{}>", id.trim_matches(['<', '>'])));
    }
    let location = text(object, "contentLocation");
    if !location.is_empty() {
        header.push("Content-Location", location);
    }
    let content = Content::Body(base64(bytes));
    Part { header, content }
}
