//! Physical lines: LF, CR and CRLF each end one.

use memchr::{memchr_iter, memchr2};

/// The number of line ends in `bytes`.
#[must_use]
pub fn count(bytes: &[u8]) -> u64 {
    let fed = memchr_iter(b'\n', bytes).count();
    let returned = memchr_iter(b'\r', bytes)
        .filter(|&at| bytes.get(at + 1) != Some(&b'\n'))
        .count();
    (fed + returned) as u64
}

/// Where the line containing `at` ends, and where the next one begins; for the last line both are
/// the length of `bytes`.
#[must_use]
pub fn end(bytes: &[u8], at: usize) -> (usize, usize) {
    let Some(length) = bytes.get(at..).and_then(|rest| memchr2(b'\r', b'\n', rest)) else {
        return (bytes.len(), bytes.len());
    };
    let end = at + length;
    (end, end + end_length(&bytes[end..]))
}

/// `bytes` without one line end at their end.
#[must_use]
pub fn without_end(bytes: &[u8]) -> &[u8] {
    bytes
        .strip_suffix(b"\r\n")
        .or_else(|| bytes.strip_suffix(b"\n"))
        .or_else(|| bytes.strip_suffix(b"\r"))
        .unwrap_or(bytes)
}

/// The length of the line end that `bytes` begin with, 0 if there is none.
#[must_use]
pub fn end_length(bytes: &[u8]) -> usize {
    match bytes {
        [b'\r', b'\n', ..] => 2,
        [b'\r' | b'\n', ..] => 1,
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn line_ends() {
        assert_eq!(count(b"a\nb\rc\r\nd\n\r\r\n"), 6);
        assert_eq!(count(b""), 0);
        let bytes = b"a\nb\rc\r\nd";
        assert_eq!(end(bytes, 0), (1, 2));
        assert_eq!(end(bytes, 2), (3, 4));
        assert_eq!(end(bytes, 4), (5, 7));
        assert_eq!(end(bytes, 7), (8, 8));
        assert_eq!(end(bytes, 99), (8, 8));
    }

    #[test]
    fn one_line_end_stripped() {
        assert_eq!(without_end(b"a\r\n"), b"a");
        assert_eq!(without_end(b"a\n\n"), b"a\n");
        assert_eq!(without_end(b"a\r"), b"a");
        assert_eq!(without_end(b"a"), b"a");
    }
}
