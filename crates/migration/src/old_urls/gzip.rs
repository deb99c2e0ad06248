//! Files compressed with gzip, up to a limit.

use std::io::Read as _;

use flate2::read::MultiGzDecoder;

/// The maximum size of an unpacked list in bytes.
const MAX_UNPACKED: u64 = 1 << 30;
/// A smaller list may unpack to so many bytes, and so many times its size: logs that repeat one address
/// pack to a fiftieth.
pub(super) const MIN_UNPACKED: u64 = 16 << 20;
const MAX_RATIO: u64 = 128;

/// The bytes without gzip.
pub(super) fn unpacked(bytes: &[u8]) -> Result<Vec<u8>, String> {
    if !bytes.starts_with(&[0x1f, 0x8b]) {
        return Ok(bytes.to_vec());
    }
    let mut out = Vec::new();
    let by_size = MIN_UNPACKED.saturating_add((bytes.len() as u64).saturating_mul(MAX_RATIO));
    let most = by_size.min(MAX_UNPACKED);
    let mut reader = MultiGzDecoder::new(bytes).take(most + 1);
    reader
        .read_to_end(&mut out)
        .map_err(|error| error.to_string())?;
    if out.len() as u64 > most {
        return Err(format!("unpacks to more than {most} bytes"));
    }
    Ok(out)
}
