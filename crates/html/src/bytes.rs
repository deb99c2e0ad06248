//! Finds the next byte of some kind in markup, sixteen bytes or more at a time. Most targets are
//! near and are found without a loop, which avoids mispredicting the loop's end.

use baseref_simd::{Bytes16, Bytes32};
use memchr::memchr;

/// The position of a byte at or after `from`.
#[inline]
pub(super) fn find(needle: u8, bytes: &[u8], from: usize) -> Option<usize> {
    let rest = bytes.get(from..)?;
    let Some(window) = rest.first_chunk::<16>() else {
        return find_far(needle, bytes, from);
    };
    let found = Bytes16::new(*window).eq(Bytes16::splat(needle)).bits();
    if found != 0 {
        return Some(from + found.trailing_zeros() as usize);
    }
    let Some(window) = rest[16..].first_chunk::<32>() else {
        return find_far(needle, bytes, from + 16);
    };
    let found = Bytes32::new(*window).eq(Bytes32::splat(needle)).bits();
    if found == 0 {
        return find_far(needle, bytes, from + 48);
    }
    Some(from + 16 + found.trailing_zeros() as usize)
}

#[inline(never)]
fn find_far(needle: u8, bytes: &[u8], from: usize) -> Option<usize> {
    let rest = bytes.get(from..)?;
    memchr(needle, rest).map(|found| from + found)
}

/// The length of the name of a tag (or of an attribute, which also ends at `=`) that begins a text
/// and ends within sixteen bytes. `None` also if the name may contain a control character.
#[inline]
pub(super) fn near_name(rest: &[u8], ends: u8) -> Option<usize> {
    let window = Bytes16::new(*rest.first_chunk::<16>()?);
    let is = |byte| window.eq(Bytes16::splat(byte));
    // White space, and the rare characters below U+0020.
    let blank = window.min(Bytes16::splat(b' ')).eq(window);
    let mut found = blank | is(b'>') | is(b'/');
    if ends & EQUALS != 0 {
        found |= is(b'=');
    }
    let length = found.bits().trailing_zeros() as usize;
    let end = rest.get(length).filter(|_| length < 16)?;
    is_any(*end, ends).then_some(length)
}

/// The first bytes, up to seven, lowest first, with the case bit set.
#[inline]
pub(super) fn letters(rest: &[u8], length: usize) -> u64 {
    let word = rest
        .first_chunk::<8>()
        .map_or(0, |word| u64::from_le_bytes(*word));
    (word | CASES) & FIRST[length & 7]
}

/// Masks of the first bytes, by their number: a load is cheaper than a shift by a variable.
static FIRST: [u64; 8] = {
    let mut masks = [0; 8];
    let mut length = 1;
    while length < 8 {
        masks[length] = masks[length - 1] << 8 | 0xFF;
        length += 1;
    }
    masks
};

/// The case bit of ASCII letters, in eight bytes.
pub(super) const CASES: u64 = u64::from_ne_bytes([0x20; 8]);

/// The position of the first byte at or after `at` of these kinds.
#[inline]
pub(super) fn skip_until(bytes: &[u8], mut at: usize, kinds: u8) -> usize {
    while let Some(byte) = bytes.get(at)
        && !is_any(*byte, kinds)
    {
        at += 1;
    }
    at
}

/// The position of the first byte at or after `at` that is not white space.
#[inline]
pub(super) fn skip_white_space(bytes: &[u8], mut at: usize) -> usize {
    while bytes.get(at).is_some_and(|byte| is_any(*byte, WHITE_SPACE)) {
        at += 1;
    }
    at
}

/// Includes CR: newlines are normalized before tokenization.
pub(super) const WHITE_SPACE: u8 = 1;
/// `/`
pub(super) const SLASH: u8 = 2;
/// `>`
pub(super) const GREATER_THAN: u8 = 4;
/// `=`
pub(super) const EQUALS: u8 = 8;
/// An ASCII letter.
pub(super) const LETTER: u8 = 16;
/// What begins markup after `<`: a letter, `/`, `!` or `?`.
pub(super) const MARKUP: u8 = 32;

/// The kinds of each byte.
static BYTES: [u8; 256] = {
    let mut bytes = [0; 256];
    let mut letter = b'a';
    while letter <= b'z' {
        bytes[letter as usize] = LETTER | MARKUP;
        bytes[letter.to_ascii_uppercase() as usize] = LETTER | MARKUP;
        letter += 1;
    }
    bytes[b'!' as usize] = MARKUP;
    bytes[b'?' as usize] = MARKUP;
    bytes[b'\t' as usize] = WHITE_SPACE;
    bytes[b'\n' as usize] = WHITE_SPACE;
    bytes[b'\x0c' as usize] = WHITE_SPACE;
    bytes[b'\r' as usize] = WHITE_SPACE;
    bytes[b' ' as usize] = WHITE_SPACE;
    bytes[b'/' as usize] = SLASH | MARKUP;
    bytes[b'>' as usize] = GREATER_THAN;
    bytes[b'=' as usize] = EQUALS;
    bytes
};

/// Whether a byte is of any of these kinds.
#[inline]
pub(super) fn is_any(byte: u8, kinds: u8) -> bool {
    BYTES[usize::from(byte)] & kinds != 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn byte_found_at_any_offset() {
        for length in 0..100 {
            let text = "x".repeat(length);
            for from in 0..=length + 1 {
                assert_eq!(find(b'<', text.as_bytes(), from), None);
                let found = (from <= length).then_some(length);
                let text = format!("<{}<", &text[..length.saturating_sub(1)]);
                let expected = if from == 0 {
                    Some(0)
                } else {
                    found.filter(|_| length > 0)
                };
                if length > 0 {
                    assert_eq!(find(b'<', text.as_bytes(), from), expected, "{text} {from}");
                }
            }
        }
    }

    #[test]
    fn tag_name_end() {
        let of_tag = WHITE_SPACE | SLASH | GREATER_THAN;
        for (text, ends, expected) in [
            ("a>", of_tag, Some(1)),
            ("a-b c>", of_tag, Some(3)),
            ("a=b/", of_tag, Some(3)),
            ("a=b/", of_tag | EQUALS, Some(1)),
            ("fifteen-letters>", of_tag, Some(15)),
            ("sixteen--letters>", of_tag, None),
            // U+0000 is part of the name.
            ("a\0b>", of_tag, None),
            ("\u{e9}\t", of_tag, Some(2)),
        ] {
            let text = format!("{text}{}", "x".repeat(16));
            assert_eq!(near_name(text.as_bytes(), ends), expected, "{text:?}");
        }
        assert_eq!(near_name(b"a>", of_tag), None);
    }

    #[test]
    fn names_compared_in_lower_case() {
        assert_eq!(
            letters(b"HREF=\"x\"", 4),
            u64::from_le_bytes(*b"href\0\0\0\0")
        );
        assert_eq!(letters(b"a b c d e", 7), u64::from_le_bytes(*b"a b c d\0"));
    }
}
