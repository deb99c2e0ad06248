//! Attributes and streams in which the file system records where a file was downloaded from.

use std::borrow::Cow;
use std::ffi::OsString;
use std::io;
#[cfg(feature = "archives")]
use std::io::Cursor;
use std::io::Read;
use std::path::Path;

use encoding_rs::{Encoding, UTF_8};
#[cfg(feature = "archives")]
use plist::stream::{OwnedEvent, Reader};

use baseref_document::{Declaration, Mark, MarkPlace, Place, Retrieval};
use baseref_files::OpenFile;
use baseref_text::decode::encoding::utf_16_by_zeros;

/// How much of a mark is read, in bytes.
const LONGEST: u64 = 64 * 1024;

/// The sources that the file system records for a file; empty if there are none or they cannot be read,
/// since they are not part of the document. `open` opens another file of the same folder.
#[must_use]
pub fn declarations(file: &Path, open: &dyn Fn(&Path) -> io::Result<OpenFile>) -> Vec<Declaration> {
    let marks = [
        (Mark::OriginUrl, origin_url(file)),
        (Mark::WhereFroms, where_froms(file)),
        (Mark::ZoneIdentifier, zone_identifier(file, open)),
    ];
    let declaration = |(mark, url): (Mark, Option<String>)| {
        Some(Declaration::new(
            url?,
            Place::Retrieval(Retrieval::Mark {
                mark,
                at: MarkPlace::Beside,
            }),
        ))
    };
    marks.into_iter().filter_map(declaration).collect()
}

/// freedesktop.org, "Common Extended Attributes"; `wget --xattr`, `curl --xattr`.
fn origin_url(file: &Path) -> Option<String> {
    let value = attribute(file, "user.xdg.origin.url")?;
    // A C program may have included the string's terminator.
    let url = String::from_utf8(value).ok()?;
    Some(url.trim_end_matches('\0').to_owned())
}

/// macOS: where the file was downloaded from, then the page that led there. The value is a property
/// list, so it needs the feature that reads those.
#[cfg(feature = "archives")]
fn where_froms(file: &Path) -> Option<String> {
    first_of_list(&attribute(file, "com.apple.metadata:kMDItemWhereFroms")?)
}

#[cfg(not(feature = "archives"))]
fn where_froms(_: &Path) -> Option<String> {
    None
}

/// The first string of a property list that is an array. Nothing else is read, so even deeply nested
/// values are never built.
#[cfg(feature = "archives")]
fn first_of_list(value: &[u8]) -> Option<String> {
    let mut events = Reader::new(Cursor::new(value));
    let OwnedEvent::StartArray(_) = events.next()?.ok()? else {
        return None;
    };
    match events.next()?.ok()? {
        OwnedEvent::String(first) => Some(first.into_owned()),
        _ => None,
    }
}

/// Windows: a stream of the file, which other systems store as a file in the same folder. Both are opened
/// by the same name.
fn zone_identifier(file: &Path, open: &dyn Fn(&Path) -> io::Result<OpenFile>) -> Option<String> {
    let mut name = OsString::from(file);
    name.push(":Zone.Identifier");
    let name = Path::new(&name);
    // Opening a pipe would block until something writes to it.
    if !name.is_file() {
        return None;
    }
    let mut bytes = Vec::new();
    let stream = open(name).ok()?;
    stream.take(LONGEST).read_to_end(&mut bytes).ok()?;
    host_url(&text(&bytes))
}

/// A Windows INI file, which may be in UTF-16.
fn text(bytes: &[u8]) -> Cow<'_, str> {
    let by_mark = Encoding::for_bom(bytes).map(|(encoding, _)| encoding);
    let encoding = by_mark.or_else(|| utf_16_by_zeros(bytes));
    encoding.unwrap_or(UTF_8).decode(bytes).0
}

/// `HostUrl` in the section `ZoneTransfer`.
fn host_url(text: &str) -> Option<String> {
    let is_section = |line: &&str| line.starts_with('[');
    let mut lines = text.lines().map(str::trim_ascii);
    lines.find(|line| line.eq_ignore_ascii_case("[ZoneTransfer]"))?;
    lines
        .take_while(|line| !is_section(line))
        .filter_map(|line| line.split_once('='))
        .find(|(name, _)| name.trim_ascii_end().eq_ignore_ascii_case("HostUrl"))
        .map(|(_, url)| url.trim_ascii_start().to_owned())
}

#[cfg(unix)]
fn attribute(file: &Path, name: &str) -> Option<Vec<u8>> {
    let value = xattr::get_deref(file, name).ok()??;
    (value.len() as u64 <= LONGEST).then_some(value)
}

#[cfg(not(unix))]
fn attribute(_: &Path, _: &str) -> Option<Vec<u8>> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn host_url_of_zone_transfer() {
        for (text, expected) in [
            (
                "[ZoneTransfer]\r\nZoneId=3\r\nReferrerUrl=http://r/\r\nHostUrl=http://h/?a=b\r\n",
                Some("http://h/?a=b"),
            ),
            (
                "[x]\nHostUrl=x\n[zonetransfer]\nhosturl = http://h/",
                Some("http://h/"),
            ),
            ("[ZoneTransfer]\nZoneId=3\n[x]\nHostUrl=http://h/", None),
            ("HostUrl=http://h/", None),
            ("", None),
        ] {
            assert_eq!(host_url(text).as_deref(), expected, "{text:?}");
        }
    }

    #[test]
    fn zone_identifier_in_utf_16() {
        let profile = "[ZoneTransfer]\r\nHostUrl=http://h/\u{e9}\r\n";
        let units = || profile.encode_utf16();
        let little: Vec<u8> = units().flat_map(u16::to_le_bytes).collect();
        let big: Vec<u8> = units().flat_map(u16::to_be_bytes).collect();
        for bytes in [
            profile.as_bytes(),
            &[b"\xEF\xBB\xBF", profile.as_bytes()].concat(),
            &[b"\xFF\xFE", &little[..]].concat(),
            &[b"\xFE\xFF", &big[..]].concat(),
            &little,
            &big,
        ] {
            assert_eq!(host_url(&text(bytes)).as_deref(), Some("http://h/\u{e9}"));
        }
    }

    #[cfg(feature = "archives")]
    #[test]
    fn first_string_of_where_froms() {
        let strings = |strings: &[&str]| {
            let list = strings.iter().map(|&string| string.into()).collect();
            plist::Value::Array(list)
        };
        for (list, expected) in [
            (strings(&["http://a/b", "http://a/"]), Some("http://a/b")),
            (strings(&[]), None),
            (plist::Value::Boolean(true), None),
            (plist::Value::Array(vec![plist::Value::Boolean(true)]), None),
        ] {
            let mut binary = Vec::new();
            list.to_writer_binary(&mut binary).unwrap();
            assert_eq!(first_of_list(&binary).as_deref(), expected, "{list:?}");
        }
        assert_eq!(first_of_list(b"http://a/b"), None);
    }
}
