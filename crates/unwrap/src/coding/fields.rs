//! Binary records with tagged fields.
//!
//! The records of `SparkPost`'s click tracking are undocumented and known from public mail. Each field has a
//! tag, a length of one byte (two, little-endian, if the highest bit of the tag is set) and a value; the tag
//! `?` has neither. `D` is the URL.

const URL: u8 = b'D';
const MARK: u8 = b'?';
const LONG: u8 = 0x80;

/// The URL in a record; `None` if the fields do not add up to the whole record.
pub fn url(mut fields: &[u8]) -> Option<&[u8]> {
    let mut url = None;
    while let Some((&tag, rest)) = fields.split_first() {
        if tag == MARK {
            fields = rest;
            continue;
        }
        let (length, rest) = length(tag, rest)?;
        let (value, rest) = rest.split_at_checked(length)?;
        if tag & !LONG == URL {
            url = Some(value);
        }
        fields = rest;
    }
    url
}

/// The first field of a Protocol Buffers message with this number that holds bytes.
pub fn field(mut message: &[u8], number: u64) -> Option<&[u8]> {
    loop {
        let (tag, rest) = varint(message)?;
        let skipped = match tag & 7 {
            0 => {
                message = varint(rest)?.1;
                continue;
            }
            1 => 8,
            5 => 4,
            2 => {
                let (length, rest) = varint(rest)?;
                let (value, rest) = rest.split_at_checked(usize::try_from(length).ok()?)?;
                if tag >> 3 == number {
                    return Some(value);
                }
                message = rest;
                continue;
            }
            _ => return None,
        };
        message = rest.get(skipped..)?;
    }
}

/// A number of Protocol Buffers, and what follows it.
fn varint(bytes: &[u8]) -> Option<(u64, &[u8])> {
    let length = bytes.iter().position(|byte| byte & LONG == 0)? + 1;
    let (number, rest) = bytes.split_at(length);
    let bits = number.iter().rev();
    let number = bits.fold(0_u64, |number, byte| number << 7 | u64::from(byte & !LONG));
    (length <= 10).then_some((number, rest))
}

/// The URL of a Google News article: field 4 of a Protocol Buffers message.
pub fn article(record: &[u8]) -> Option<&[u8]> {
    let rest = record.strip_prefix(&[0x08, 0x13, 0x22])?;
    let (&low, rest) = rest.split_first()?;
    let (length, rest) = match rest.split_first() {
        Some((&high, rest)) if low & LONG != 0 => {
            (usize::from(low & !LONG) | usize::from(high) << 7, rest)
        }
        _ => (usize::from(low), rest),
    };
    rest.get(..length)
}

fn length(tag: u8, rest: &[u8]) -> Option<(usize, &[u8])> {
    let (&low, rest) = rest.split_first()?;
    if tag & LONG == 0 {
        return Some((usize::from(low), rest));
    }
    let (&high, rest) = rest.split_first()?;
    Some((usize::from(u16::from_le_bytes([low, high])), rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn field_of_a_message_by_number() {
        let message = b"\x08\x96\x01\x11abcdefgh\x0a\x01x\x1a\x09https://a";
        assert_eq!(field(message, 3).unwrap(), b"https://a");
        assert_eq!(field(message, 1).unwrap(), b"x");
        assert_eq!(field(message, 2), None);
        for damaged in [&b"\x1a\x09http"[..], b"\x1a", b"\x0b", b"\xff\xff", b""] {
            assert_eq!(field(damaged, 3), None);
        }
    }

    #[test]
    fn url_is_field_4_of_an_article() {
        assert_eq!(
            article(b"\x08\x13\x22\x09https://a\xd2\x01").unwrap(),
            b"https://a"
        );
        let long = [&b"\x08\x13\x22\x81\x01"[..], &[b'a'; 129], b"b"].concat();
        assert_eq!(article(&long).unwrap(), [b'a'; 129]);
        for record in [
            &b"\x08\x13\x22\x09http"[..],
            b"\x08\x13\x22",
            b"\x08\x13\x22\x81",
            b"",
        ] {
            assert_eq!(article(record), None);
        }
    }

    #[test]
    fn url_is_field_d() {
        let fields = b"F\x04\x65\x07\xc4\x22?D\x09https://aW\x03abcB\x01x";
        assert_eq!(url(fields).unwrap(), b"https://a");
        let long = b"F\x01x?\xc4\x09\x00https://aW\x03abc";
        assert_eq!(url(long).unwrap(), b"https://a");
        assert_eq!(url(&fields[..12]), None);
        assert_eq!(url(b"W\x03abc"), None);
        assert_eq!(url(b"\xff\x8b\x01"), None);
    }
}
