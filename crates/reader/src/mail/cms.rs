//! Signed content in Cryptographic Message Syntax (RFC 5652), as S/MIME sends it (RFC 8551 §3.5.2): it is in
//! the signature as it is, and needs no key.
//!
//! Our own reader, since the crates for CMS read DER alone, and mail programs write BER: indefinite lengths, and
//! octet strings in pieces. It reads the few fields on the way to the content, and no signature.

/// What a CMS structure holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Cms {
    /// Signed content: a MIME entity. `is_whole` is false if its end is missing.
    Signed { content: Vec<u8>, is_whole: bool },
    /// Content that only the recipient's key opens.
    Encrypted,
    /// Compressed content (RFC 3274).
    Compressed,
}

/// The object identifiers of the content types, 1.2.840.113549.1.7.2 and on, without their tags.
const SIGNED: &[u8] = b"\x2A\x86\x48\x86\xF7\x0D\x01\x07\x02";
const ENVELOPED: &[u8] = b"\x2A\x86\x48\x86\xF7\x0D\x01\x07\x03";
const AUTH_ENVELOPED: &[u8] = b"\x2A\x86\x48\x86\xF7\x0D\x01\x09\x10\x01\x17";
const COMPRESSED: &[u8] = b"\x2A\x86\x48\x86\xF7\x0D\x01\x09\x10\x01\x09";

/// The tags of BER (X.690 §8.1.2) on the way to the content.
const OBJECT_IDENTIFIER: u8 = 0x06;
const OCTET_STRING: u8 = 0x04;
const CONSTRUCTED_OCTET_STRING: u8 = 0x24;
const SEQUENCE: u8 = 0x30;
const EXPLICIT: u8 = 0xA0;

/// How deep the pieces of an octet string may nest; writers nest them once.
const DEPTH: usize = 16;

/// Reads a structure; `None` if it is none of CMS, or has no content.
pub(super) fn read(bytes: &[u8]) -> Option<Cms> {
    let mut reader = Reader { bytes, at: 0 };
    reader.enter(SEQUENCE)?;
    match reader.object_identifier()? {
        SIGNED => {}
        ENVELOPED | AUTH_ENVELOPED => return Some(Cms::Encrypted),
        COMPRESSED => return Some(Cms::Compressed),
        _ => return None,
    }
    // RFC 5652 §5.1: version and digest algorithms precede the content; §5.2: so does its type.
    reader.enter(EXPLICIT)?;
    reader.enter(SEQUENCE)?;
    reader.skip()?;
    reader.skip()?;
    reader.enter(SEQUENCE)?;
    reader.object_identifier()?;
    reader.enter(EXPLICIT)?;
    reader.octets()
}

struct Reader<'b> {
    bytes: &'b [u8],
    at: usize,
}

/// The identifier and length of a value; no length if it is indefinite (X.690 §8.1.3.6).
struct Header {
    tag: u8,
    length: Option<usize>,
}

impl<'b> Reader<'b> {
    fn byte(&mut self) -> Option<u8> {
        let byte = *self.bytes.get(self.at)?;
        self.at += 1;
        Some(byte)
    }

    fn header(&mut self) -> Option<Header> {
        let tag = self.byte()?;
        // No structure on the way has a tag of several bytes.
        if tag & 0x1F == 0x1F {
            return None;
        }
        let length = match self.byte()? {
            0x80 => None,
            short @ ..0x80 => Some(usize::from(short)),
            long => {
                let mut length = 0_usize;
                for _ in 0..long & 0x7F {
                    length = length.checked_mul(256)? | usize::from(self.byte()?);
                }
                Some(length)
            }
        };
        Some(Header { tag, length })
    }

    /// Goes to the first value in one with this tag.
    fn enter(&mut self, tag: u8) -> Option<()> {
        (self.header()?.tag == tag).then_some(())
    }

    fn object_identifier(&mut self) -> Option<&'b [u8]> {
        let header = self
            .header()
            .filter(|header| header.tag == OBJECT_IDENTIFIER)?;
        let end = self.at.checked_add(header.length?)?;
        let value = self.bytes.get(self.at..end)?;
        self.at = end;
        Some(value)
    }

    /// Skips a value with all that is in it.
    fn skip(&mut self) -> Option<()> {
        let mut open = 0_usize;
        loop {
            let header = self.header()?;
            match header.length {
                None => open += 1,
                Some(0) if header.tag == 0 => open = open.checked_sub(1)?,
                Some(length) => self.at = self.at.checked_add(length)?,
            }
            if open == 0 {
                return (self.at <= self.bytes.len()).then_some(());
            }
        }
    }

    /// The bytes of an octet string, joined from its pieces (X.690 §8.7.3).
    fn octets(&mut self) -> Option<Cms> {
        let mut content = Vec::new();
        // Where the open strings end; `None` for an indefinite length.
        let mut ends: Vec<Option<usize>> = Vec::new();
        let mut is_whole = true;
        loop {
            while ends
                .last()
                .is_some_and(|end| end.is_some_and(|end| end <= self.at))
            {
                ends.pop();
            }
            let is_first = content.is_empty() && ends.is_empty();
            if ends.is_empty() && !is_first {
                break;
            }
            let Some(header) = self.header() else {
                is_whole = false;
                break;
            };
            match (header.tag, header.length) {
                (OCTET_STRING, Some(length)) => {
                    let rest = self.bytes.get(self.at..).unwrap_or_default();
                    let piece = &rest[..rest.len().min(length)];
                    content.extend_from_slice(piece);
                    is_whole = piece.len() == length;
                    self.at += piece.len();
                    if !is_whole || ends.is_empty() {
                        break;
                    }
                }
                (CONSTRUCTED_OCTET_STRING, length) if ends.len() < DEPTH => {
                    let end = length.map(|length| self.at.saturating_add(length));
                    ends.push(end);
                }
                (0, Some(0)) if !ends.is_empty() => {
                    ends.pop();
                    if ends.is_empty() {
                        break;
                    }
                }
                _ => {
                    is_whole = false;
                    break;
                }
            }
        }
        (!content.is_empty()).then_some(Cms::Signed { content, is_whole })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A value with a length of one byte.
    fn value(tag: u8, content: &[u8]) -> Vec<u8> {
        let length = u8::try_from(content.len()).unwrap();
        assert!(length < 0x80);
        [&[tag, length], content].concat()
    }

    /// The same with an indefinite length.
    fn open(tag: u8, content: &[u8]) -> Vec<u8> {
        [&[tag, 0x80], content, &[0, 0]].concat()
    }

    fn signed(octets: &[u8], value: fn(u8, &[u8]) -> Vec<u8>) -> Vec<u8> {
        let oid = super::tests::value(OBJECT_IDENTIFIER, SIGNED);
        let data = super::tests::value(OBJECT_IDENTIFIER, b"\x2A\x86\x48\x86\xF7\x0D\x01\x07\x01");
        let inner = value(SEQUENCE, &[data, value(EXPLICIT, octets)].concat());
        let digests = value(0x31, &value(SEQUENCE, b""));
        let body = [b"\x02\x01\x01".to_vec(), digests, inner].concat();
        value(
            SEQUENCE,
            &[oid, value(EXPLICIT, &value(SEQUENCE, &body))].concat(),
        )
    }

    fn content(bytes: &[u8]) -> Option<Cms> {
        read(bytes)
    }

    #[test]
    fn signed_content_in_der_and_ber() {
        let whole = Some(Cms::Signed {
            content: b"A: b\n\nc".to_vec(),
            is_whole: true,
        });
        let one = value(OCTET_STRING, b"A: b\n\nc");
        let pieces = [value(OCTET_STRING, b"A: b"), value(OCTET_STRING, b"\n\nc")].concat();
        assert_eq!(content(&signed(&one, value)), whole);
        assert_eq!(content(&signed(&one, open)), whole);
        let definite = value(CONSTRUCTED_OCTET_STRING, &pieces);
        assert_eq!(content(&signed(&definite, value)), whole);
        let indefinite = open(CONSTRUCTED_OCTET_STRING, &pieces);
        assert_eq!(content(&signed(&indefinite, open)), whole);
        let nested = open(
            CONSTRUCTED_OCTET_STRING,
            &open(CONSTRUCTED_OCTET_STRING, &pieces),
        );
        assert_eq!(content(&signed(&nested, open)), whole);
    }

    #[test]
    fn every_cut_gives_a_part_or_nothing() {
        let pieces = [value(OCTET_STRING, b"A: b"), value(OCTET_STRING, b"\n\nc")].concat();
        let bytes = signed(&open(CONSTRUCTED_OCTET_STRING, &pieces), open);
        for end in 0..bytes.len() {
            if let Some(Cms::Signed { content, .. }) = read(&bytes[..end]) {
                assert!(b"A: b\n\nc".starts_with(&content[..]));
            }
        }
        let mut changed = bytes;
        for at in 0..changed.len() {
            for byte in [0, 0x24, 0x80, 0xFF] {
                let kept = std::mem::replace(&mut changed[at], byte);
                let _ = read(&changed);
                changed[at] = kept;
            }
        }
    }

    #[test]
    fn encrypted_and_other_content() {
        let of = |oid| value(SEQUENCE, &value(OBJECT_IDENTIFIER, oid));
        assert_eq!(read(&of(ENVELOPED)), Some(Cms::Encrypted));
        assert_eq!(read(&of(AUTH_ENVELOPED)), Some(Cms::Encrypted));
        assert_eq!(read(&of(COMPRESSED)), Some(Cms::Compressed));
        assert_eq!(read(&of(b"\x2A")), None);
        assert_eq!(read(b"From: a\n"), None);
        assert_eq!(read(b""), None);
    }
}
