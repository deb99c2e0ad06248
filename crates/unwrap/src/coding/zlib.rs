//! Compressed targets (RFC 1950).

use std::io::Read;

use flate2::read::ZlibDecoder;

use crate::MAX_INFLATED;

/// Inflates a whole stream; `None` if it is damaged or larger than [`MAX_INFLATED`].
pub fn inflate(compressed: &[u8]) -> Option<Vec<u8>> {
    let mut inflated = Vec::new();
    let limit = u64::try_from(MAX_INFLATED).ok()? + 1;
    ZlibDecoder::new(compressed)
        .take(limit)
        .read_to_end(&mut inflated)
        .ok()?;
    (inflated.len() <= MAX_INFLATED).then_some(inflated)
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use flate2::Compression;
    use flate2::write::ZlibEncoder;

    use super::*;

    fn deflate(bytes: &[u8]) -> Vec<u8> {
        let mut encoder = ZlibEncoder::new(Vec::new(), Compression::best());
        encoder.write_all(bytes).unwrap();
        encoder.finish().unwrap()
    }

    #[test]
    fn bomb_is_refused() {
        assert_eq!(
            inflate(&deflate(b"https://a.example/")).unwrap(),
            b"https://a.example/"
        );
        assert!(inflate(&deflate(&vec![b'a'; MAX_INFLATED])).is_some());
        assert!(inflate(&deflate(&vec![b'a'; MAX_INFLATED + 1])).is_none());
        assert!(inflate(&deflate(&vec![b'a'; 50_000_000])).is_none());
    }

    #[test]
    fn damaged_stream_is_refused() {
        let whole = deflate(b"https://a.example/");
        assert_eq!(inflate(&whole[..whole.len() - 3]), None);
        let mut changed = whole;
        changed[5] ^= 1;
        assert_eq!(inflate(&changed), None);
    }
}
