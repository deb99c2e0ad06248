//! Tagged fields in binary.
//!
//! Those of `SparkPost`'s click tracking were seen in public mail and are not documented: each field is a tag, a length of one byte (of two, the lower
//! first, if the tag has its highest bit set) and a value; `?` has neither. `D` is the URL.

const URL: u8 = b'D';
const MARK: u8 = b'?';
const LONG: u8 = 0x80;

/// The URL among the fields. `None` if the fields do not add up to the whole text.
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

/// The URL in the name of an article of Google News: a record of protocol buffers whose field 4 it is.
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
    fn the_url_is_the_fourth_field_of_a_record() {
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
    fn the_url_is_the_field_d() {
        let fields = b"F\x04\x65\x07\xc4\x22?D\x09https://aW\x03abcB\x01x";
        assert_eq!(url(fields).unwrap(), b"https://a");
        let long = b"F\x01x?\xc4\x09\x00https://aW\x03abc";
        assert_eq!(url(long).unwrap(), b"https://a");
        assert_eq!(url(&fields[..12]), None);
        assert_eq!(url(b"W\x03abc"), None);
        assert_eq!(url(b"\xff\x8b\x01"), None);
    }
}
