//! Decompresses RTF ([MS-OXRTFCP]).
//!
//! The crate `compressed-rtf` (1.0.1) cannot replace this. It slices and allocates by sizes given in the input, so
//! that 12 bytes make it panic and 16 bytes make it allocate 4 GiB, and it rejects truncated input and wrong
//! checksums.

use crate::crc::crc;

/// The size of the header: two sizes, the type of compression, the checksum.
const HEADER: usize = 16;

/// The size of the dictionary, a ring buffer.
const RING: usize = 4096;

/// The initial dictionary (§2.1.2.1).
const INITIAL: &[u8; 207] = b"{\\rtf1\\ansi\\mac\\deff0\\deftab720{\\fonttbl;}\
{\\f0\\fnil \\froman \\fswiss \\fmodern \\fscript \\fdecor MS Sans SerifSymbolArialTimes New Roman\
Courier{\\colortbl\\red0\\green0\\blue0\r\n\\par \\pard\\plain\\f0\\fs20\\b\\i\\u\\tab\\tx";

/// Decompressed RTF.
#[derive(Debug, PartialEq, Eq)]
pub struct Decompressed {
    pub bytes: Vec<u8>,
    /// Whether the checksum is right.
    pub is_sound: bool,
    /// Whether the end was reached.
    pub is_whole: bool,
}

/// Decompresses the property `PidTagRtfCompressed`; `None` if it has another form. A reference of two bytes
/// stands for at most 17, so the result is at most 9 times as large.
pub fn decompress(stored: &[u8]) -> Option<Decompressed> {
    let (header, rest) = stored.split_at_checked(HEADER)?;
    let number = |at: usize| {
        let bytes = [header[at], header[at + 1], header[at + 2], header[at + 3]];
        u32::from_le_bytes(bytes)
    };
    // The first size excludes itself, but includes the rest of the header.
    let size = usize::try_from(number(0)).ok()?.saturating_sub(HEADER - 4);
    let contents = &rest[..rest.len().min(size)];
    let raw_size = usize::try_from(number(4)).ok()?;
    match &header[8..12] {
        b"MELA" => Some(Decompressed {
            bytes: rest[..rest.len().min(raw_size)].to_vec(),
            is_sound: true,
            // Some writers include the header in both sizes.
            is_whole: rest.len() >= raw_size.min(size),
        }),
        b"LZFu" => {
            let (mut bytes, is_whole) = expand(contents);
            if !is_whole {
                bytes.truncate(raw_size);
            }
            Some(Decompressed {
                is_sound: crc(contents) == number(12),
                is_whole: is_whole || bytes.len() >= raw_size,
                bytes,
            })
        }
        _ => None,
    }
}

/// Expands runs of eight tokens, each after a byte that distinguishes literals from references (§2.1.3.1.1);
/// also returns whether the end mark was reached.
fn expand(contents: &[u8]) -> (Vec<u8>, bool) {
    let mut ring = [b' '; RING];
    ring[..INITIAL.len()].copy_from_slice(INITIAL);
    let mut write = INITIAL.len();
    let mut text = Vec::with_capacity(contents.len().saturating_mul(2));
    let mut put = |byte: u8, write: &mut usize, ring: &mut [u8; RING]| {
        text.push(byte);
        ring[*write] = byte;
        *write = (*write + 1) % RING;
    };
    let mut input = contents.iter().copied();
    while let Some(control) = input.next() {
        for bit in 0..8 {
            let Some(first) = input.next() else {
                return (text, false);
            };
            if control & (1 << bit) == 0 {
                put(first, &mut write, &mut ring);
                continue;
            }
            let Some(second) = input.next() else {
                return (text, false);
            };
            let reference = usize::from(first) << 8 | usize::from(second);
            let (offset, length) = (reference >> 4, (reference & 0xF) + 2);
            if offset == write {
                return (text, true);
            }
            for step in 0..length {
                put(ring[(offset + step) % RING], &mut write, &mut ring);
            }
        }
    }
    (text, false)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The examples of [MS-OXRTFCP] §4: a simple one, and a reference to text that is being written.
    const SIMPLE: &[u8] = b"\x2d\x00\x00\x00\x2b\x00\x00\x00LZFu\xf1\xc5\xc7\xa7\
        \x03\x00\x0a\x00rcpg125\x42\x32\x0a\xf3 hel\x09\x00 bw\x05\xb0ld}\x0a\x80\x0f\xa0";
    const CROSSING: &[u8] =
        b"\x1a\x00\x00\x00\x1c\x00\x00\x00LZFu\xe2\xd4\x4b\x51A\x00\x04 WXYZ\x0dn}\x01\x0e\xb0";

    #[test]
    fn examples_of_the_specification() {
        for (stored, text) in [
            (
                SIMPLE,
                &b"{\\rtf1\\ansi\\ansicpg1252\\pard hello world}\r\n"[..],
            ),
            (CROSSING, b"{\\rtf1 WXYZWXYZWXYZWXYZWXYZ}"),
        ] {
            let found = decompress(stored).unwrap();
            assert_eq!(
                String::from_utf8_lossy(&found.bytes),
                String::from_utf8_lossy(text)
            );
            assert!(found.is_sound && found.is_whole);
        }
    }

    #[test]
    fn uncompressed_text() {
        let stored = b"\x0f\x00\x00\x00\x03\x00\x00\x00MELA\x00\x00\x00\x00abcdef";
        let found = decompress(stored).unwrap();
        assert_eq!((&found.bytes[..], found.is_whole), (&b"abc"[..], true));
        let stored = b"\x0f\x00\x00\x00\x0f\x00\x00\x00MELA\x00\x00\x00\x00abc";
        let found = decompress(stored).unwrap();
        assert_eq!((&found.bytes[..], found.is_whole), (&b"abc"[..], true));
        assert!(!decompress(&stored[..17]).unwrap().is_whole);
    }

    #[test]
    fn truncated_input() {
        for end in 0..SIMPLE.len() {
            let found = decompress(&SIMPLE[..end]);
            assert_eq!(found.is_none(), end < HEADER, "{end}");
            let text = found.map(|found| found.bytes).unwrap_or_default();
            assert!(b"{\\rtf1\\ansi\\ansicpg1252\\pard hello world}\r\n".starts_with(&text));
        }
    }

    #[test]
    fn wrong_checksum_and_size() {
        let mut stored = SIMPLE.to_vec();
        stored[12] ^= 1;
        stored[4..8].copy_from_slice(&u32::MAX.to_le_bytes());
        let found = decompress(&stored).unwrap();
        assert!(!found.is_sound && found.is_whole && found.bytes.len() == 43);
    }

    #[test]
    fn expansion_is_at_most_ninefold() {
        let bomb = [
            &b"\xff\xff\xff\xff\xff\xff\xff\x7fLZFu\0\0\0\0"[..],
            &vec![0xFF; 100_000],
        ]
        .concat();
        assert!(decompress(&bomb).unwrap().bytes.len() <= 9 * bomb.len());
    }
}
