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
    } else if let (Some(first), Some(last)) = (bytes.first_chunk::<8>(), bytes.last_chunk()) {
        look(Bytes16::new(both(*first, *last)));
    } else if let (Some(first), Some(last)) = (bytes.first_chunk::<4>(), bytes.last_chunk()) {
        let [first, last] = [first, last].map(|half| u32::from_le_bytes(*half));
        let half = u64::from(first) | u64::from(last) << 32;
        look(Bytes16::new(both(half.to_le_bytes(), [b' '; 8])));
    } else {
        let byte = |at| bytes.get(at).copied().unwrap_or(b' ');
        let mut window = [b' '; WINDOW];
        [window[0], window[1], window[2]] = [byte(0), byte(1), byte(2)];
        look(Bytes16::new(window));
    }
}

/// Two halves of a window.
#[inline]
fn both(first: [u8; 8], last: [u8; 8]) -> [u8; WINDOW] {
    let both = u128::from(u64::from_le_bytes(first)) | u128::from(u64::from_le_bytes(last)) << 64;
    both.to_le_bytes()
}
