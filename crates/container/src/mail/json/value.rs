//! Values of JSON, and what is made of them.

use std::borrow::Cow;

use memchr::memchr_iter;
use serde_json::Value;

use super::super::mime::Part;
use baseref_text::decode::transfer::{Encoding, decode};

/// What an object is.
pub(super) enum Found {
    /// A message, and a clause for each attached file that the JSON leaves out.
    Message {
        message: Message,
        absent: Vec<String>,
    },
    /// Something else: a message of which only the identifier is given, for example.
    Nothing,
}

/// A message, in parts or as it was sent.
pub(super) enum Message {
    Parts(Part),
    Sent(Vec<u8>),
}

/// The member of an object, whose name may have other capitals: PowerShell writes `BodyPreview`.
pub(super) fn member<'v>(object: &'v Value, name: &str) -> &'v Value {
    let found = object.get(name).or_else(|| {
        let mut members = object.as_object()?.iter();
        let found = members.find(|(own, _)| own.eq_ignore_ascii_case(name));
        found.map(|(_, value)| value)
    });
    found.unwrap_or(&Value::Null)
}

/// The text of a member; empty if there is none.
pub(super) fn text<'v>(object: &'v Value, name: &str) -> &'v str {
    member(object, name).as_str().unwrap_or_default()
}

/// The elements of a member that is a list.
pub(super) fn list<'v>(object: &'v Value, name: &str) -> &'v [Value] {
    member(object, name).as_array().map_or(&[], Vec::as_slice)
}

/// The clause for an attached file that the JSON leaves out.
pub(super) fn not_in_json(name: &str) -> String {
    format!("the attached file {name:?} is not in the JSON")
}

/// What follows the first member of this name, in any case, in the head of JSON.
pub(super) fn value_of<'h>(head: &'h [u8], name: &str) -> Option<&'h [u8]> {
    let mut strings = memchr_iter(b'"', head).map(|quote| &head[quote + 1..]);
    let rest = strings
        .find_map(|string| after_name(string, name))?
        .trim_ascii_start();
    Some(rest.strip_prefix(b":")?.trim_ascii_start())
}

/// Whether the head of JSON has one of these names of a member, in any case.
pub(super) fn names_one_of(head: &[u8], names: &[&str]) -> bool {
    memchr_iter(b'"', head).any(|quote| {
        let string = &head[quote + 1..];
        let first = string.first().map(u8::to_ascii_lowercase);
        let begins = |name: &&&str| name.bytes().next() == first;
        let mut names = names.iter().filter(begins);
        names.any(|name| after_name(string, name).is_some())
    })
}

/// What follows this name, in any case, and its quotation mark.
fn after_name<'h>(string: &'h [u8], name: &str) -> Option<&'h [u8]> {
    let (own, rest) = string.split_at_checked(name.len())?;
    // Nearly every string has another length.
    let rest = rest.strip_prefix(b"\"")?;
    own.eq_ignore_ascii_case(name.as_bytes()).then_some(rest)
}

pub(super) fn is_json(head: &[u8]) -> bool {
    let mut text = head.trim_ascii_start();
    if let Some(rest) = text.strip_prefix(b"[") {
        text = rest.trim_ascii_start();
    }
    let inside = text.strip_prefix(b"{").map(<[u8]>::trim_ascii_start);
    inside.is_some_and(|inside| inside.starts_with(b"\""))
}

/// Decodes base64 in either alphabet, as far as it is that.
pub(super) fn base64(text: &str) -> Vec<u8> {
    let standard: Cow<'_, str> = if text.contains(['-', '_']) {
        text.replace('-', "+").replace('_', "/").into()
    } else {
        text.into()
    };
    decode(Encoding::Base64, standard.as_bytes()).bytes
}
