//! SIMD over bytes, thirty-two at a time.

use wide::u8x32;

/// Bytes per vector.
pub const WINDOW: usize = 32;

/// The bytes from `at` on, padded with zeros after the last.
#[inline]
#[must_use]
pub fn window(bytes: &[u8], at: usize) -> u8x32 {
    let rest = bytes.get(at..).unwrap_or_default();
    let window = rest.first_chunk().copied().unwrap_or_else(|| {
        let mut window = [0; WINDOW];
        window[..rest.len()].copy_from_slice(rest);
        window
    });
    u8x32::new(window)
}
