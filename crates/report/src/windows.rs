//! Looks at all bytes of a short text, sixteen at a time.

use baseref_simd::Bytes16;

/// The number of bytes that are looked at at once.
const WINDOW: usize = 16;

/// Calls `look` with windows that together cover a text. The last window overlaps the one before it; the window
/// of a short text is filled up with spaces, or with bytes of the text again.
#[inline]
pub(crate) fn each_window(bytes: &[u8], mut look: impl FnMut(Bytes16)) {
    if let Some(last) = bytes.last_chunk() {
        for window in bytes.as_chunks().0 {
            look(Bytes16::new(*window));
        }
        look(Bytes16::new(*last));
    } else if let (Some(first), Some(last)) = (bytes.first_chunk(), bytes.last_chunk()) {
        look(Bytes16::new(both(*first, *last)));
    } else {
        let mut window = [b' '; WINDOW];
        for (at, byte) in window.iter_mut().zip(bytes) {
            *at = *byte;
        }
        look(Bytes16::new(window));
    }
}

/// Two halves of a window.
#[inline]
fn both(first: [u8; 8], last: [u8; 8]) -> [u8; WINDOW] {
    let both = u128::from(u64::from_le_bytes(first)) | u128::from(u64::from_le_bytes(last)) << 64;
    both.to_le_bytes()
}
