//! Files compressed with gzip, up to a limit.

use std::io::Read as _;

use flate2::read::MultiGzDecoder;

use super::error::ListError;

/// The maximum size of an unpacked list in bytes.
const MAX_UNPACKED: u64 = 1 << 30;
/// The size in bytes up to which the ratio is not checked.
pub(super) const MIN_UNPACKED: u64 = 16 << 20;
/// The maximum ratio of unpacked to packed size. Logs that repeat one address reach 50.
const MAX_RATIO: u64 = 128;

/// Decompresses gzip; other bytes are returned as they are.
pub(super) fn unpacked(bytes: &[u8]) -> Result<Vec<u8>, ListError> {
    if !bytes.starts_with(&[0x1f, 0x8b]) {
        return Ok(bytes.to_vec());
    }
    let mut out = Vec::new();
    let by_ratio = MIN_UNPACKED.saturating_add((bytes.len() as u64).saturating_mul(MAX_RATIO));
    let limit = by_ratio.min(MAX_UNPACKED);
    let mut reader = MultiGzDecoder::new(bytes).take(limit + 1);
    reader.read_to_end(&mut out).map_err(ListError::Gzip)?;
    if out.len() as u64 > limit {
        return Err(ListError::TooLarge(limit));
    }
    Ok(out)
}
