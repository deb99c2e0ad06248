//! A file that is one message signed or encrypted by S/MIME (RFC 8551 §3.2.1): `smime.p7m`.

use crate::contents::Contents;
use crate::detect::OpenContext;
use crate::entity::{Entity, EntityKind};
use crate::input::buffered::BufferedInput;
use baseref_document::ReadError;
use baseref_text::decode::source::Markup;

/// The identifiers of the contents that are messages: those of RFC 5652, and authenticated-enveloped and
/// compressed data, with their tag and length.
const CONTENTS: [&[u8]; 4] = [
    b"\x06\x09\x2A\x86\x48\x86\xF7\x0D\x01\x07\x02",
    b"\x06\x09\x2A\x86\x48\x86\xF7\x0D\x01\x07\x03",
    b"\x06\x0B\x2A\x86\x48\x86\xF7\x0D\x01\x09\x10\x01\x17",
    b"\x06\x0B\x2A\x86\x48\x86\xF7\x0D\x01\x09\x10\x01\x09",
];

/// The lines before content in base64 (RFC 7468 §8 and §9).
const LINES: [&[u8]; 2] = [b"-----BEGIN PKCS7-----", b"-----BEGIN CMS-----"];

/// Whether a file begins like a structure of CMS.
pub(crate) fn is_cms(head: &[u8]) -> bool {
    /// A tag, and the longest length: eight bytes and their number.
    const BEFORE: usize = 10;
    if LINES.iter().any(|line| head.starts_with(line)) {
        return true;
    }
    let [0x30, ..] = head else { return false };
    let starts = |at: usize| {
        let rest = head.get(at..).unwrap_or_default();
        CONTENTS.iter().any(|content| rest.starts_with(content))
    };
    (2..=BEFORE).any(starts)
}

/// Reads a structure as the body of a message, which then has its content.
pub(crate) fn read(input: BufferedInput, ctx: &OpenContext<'_>) -> Result<Contents, ReadError> {
    let kind = EntityKind::Message { unquote: false };
    let contents = input.into_entity(kind, Markup::Html, ctx.nesting)?;
    let Contents::Single(entity) = contents else {
        return Ok(contents);
    };
    let body = match LINES
        .iter()
        .find_map(|line| entity.bytes.strip_prefix(*line))
    {
        Some(rest) => {
            let end = memchr::memmem::find(rest, b"-----END").unwrap_or(rest.len());
            [
                &b"Content-Transfer-Encoding: base64\r\n\r\n"[..],
                &rest[..end],
            ]
            .concat()
        }
        None => [b"\r\n", &entity.bytes[..]].concat(),
    };
    let header = b"Content-Type: application/pkcs7-mime\r\n";
    Ok(Contents::Single(Entity {
        bytes: [&header[..], &body].concat(),
        // The positions are those in a message that is nowhere in the file.
        offset: None,
        ..entity
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn structures_with_any_length() {
        let signed = CONTENTS[0];
        for (length, is) in [
            (&b"\x80"[..], true),
            (b"\x20", true),
            (b"\x82\x01\x00", true),
            (b"\x82\x01\x00\x30", true),
            (b"", false),
        ] {
            let head = [b"\x30", length, signed].concat();
            assert_eq!(is_cms(&head), is, "{length:?}");
        }
        assert!(is_cms(b"-----BEGIN PKCS7-----\nMII"));
        assert!(!is_cms(b"0 is a digit"));
        // A certificate has another identifier.
        assert!(!is_cms(
            b"\x30\x0D\x06\x09\x2A\x86\x48\x86\xF7\x0D\x01\x01\x0B"
        ));
    }
}
