//! Vectors of 16 and 32 bytes for searching text: compare all bytes with one value, and get one bit for
//! each byte.
//!
//! ```
//! use baseref_simd::Bytes16;
//!
//! let text = Bytes16::new(*b"<a href=x title>");
//! let found = text.eq(Bytes16::splat(b'=')) | text.eq(Bytes16::splat(b'>'));
//! assert_eq!(found.bits().trailing_zeros(), 7);
//! ```
//!
//! They use what every processor of the architecture supports: SSE2 on x86-64, through `safe_arch`;
//! elsewhere NEON, simd128 or plain code, through `wide`. `wide` has vectors of every width and
//! type and takes six seconds to compile, so x86-64 does without it.
//!
//! Internal to baseref, and versioned with it.
//!
//! # What it does not do
//!
//! It detects no processor features at run time, so it never uses AVX2. It has only the operations that
//! baseref needs.

#[cfg(not(target_arch = "x86_64"))]
#[path = "wide.rs"]
mod lanes;
#[cfg(target_arch = "x86_64")]
#[path = "sse2.rs"]
mod lanes;

use std::ops::{BitAnd, BitOr, BitOrAssign, BitXor, Sub, SubAssign};

use self::lanes::Lanes;

/// A vector of 16 bytes.
#[derive(Clone, Copy, Debug, Default)]
pub struct Bytes16(Lanes);

/// A vector of 32 bytes.
#[derive(Clone, Copy, Debug, Default)]
pub struct Bytes32([Bytes16; 2]);

impl Bytes16 {
    /// A vector of these bytes.
    #[inline]
    #[must_use]
    pub fn new(bytes: [u8; 16]) -> Self {
        Self(Lanes::new(bytes))
    }

    /// A vector with every byte equal to `byte`.
    #[inline]
    #[must_use]
    pub fn splat(byte: u8) -> Self {
        Self(Lanes::splat(byte))
    }

    /// Compares byte by byte: 0xFF where they are equal, 0 elsewhere.
    #[inline]
    #[must_use]
    pub fn eq(self, other: Self) -> Self {
        Self(self.0.eq(other.0))
    }

    /// The minimum, byte by byte.
    #[inline]
    #[must_use]
    pub fn min(self, other: Self) -> Self {
        Self(self.0.min(other.0))
    }

    /// The highest bit of each byte, as a mask; bit 0 is from the first byte.
    #[inline]
    #[must_use]
    pub fn bits(self) -> u32 {
        self.0.bits()
    }

    /// The bytes.
    #[inline]
    #[must_use]
    pub fn to_array(self) -> [u8; 16] {
        self.0.to_array()
    }
}

impl Bytes32 {
    /// The number of bytes.
    pub const LEN: usize = 32;

    /// A vector of these bytes.
    #[inline]
    #[must_use]
    pub fn new(bytes: [u8; 32]) -> Self {
        let (halves, _) = bytes.as_chunks();
        Self([Bytes16::new(halves[0]), Bytes16::new(halves[1])])
    }

    /// The bytes from `at` on, padded with zeros at the end.
    #[inline]
    #[must_use]
    pub fn at(bytes: &[u8], at: usize) -> Self {
        let rest = bytes.get(at..).unwrap_or_default();
        let window = rest.first_chunk().copied().unwrap_or_else(|| {
            let mut window = [0; Self::LEN];
            window[..rest.len()].copy_from_slice(rest);
            window
        });
        Self::new(window)
    }

    /// A vector with every byte equal to `byte`.
    #[inline]
    #[must_use]
    pub fn splat(byte: u8) -> Self {
        Self([Bytes16::splat(byte); 2])
    }

    /// Compares byte by byte: 0xFF where they are equal, 0 elsewhere.
    #[inline]
    #[must_use]
    pub fn eq(self, other: Self) -> Self {
        self.both(other, Bytes16::eq)
    }

    /// The minimum, byte by byte.
    #[inline]
    #[must_use]
    pub fn min(self, other: Self) -> Self {
        self.both(other, Bytes16::min)
    }

    /// The highest bit of each byte, as a mask; bit 0 is from the first byte.
    #[inline]
    #[must_use]
    pub fn bits(self) -> u32 {
        self.0[0].bits() | self.0[1].bits() << 16
    }

    /// The sum of the bytes.
    #[inline]
    #[must_use]
    pub fn sum(self) -> u32 {
        Lanes::sum([self.0[0].0, self.0[1].0])
    }

    /// The bytes.
    #[inline]
    #[must_use]
    pub fn to_array(self) -> [u8; 32] {
        let mut bytes = [0; 32];
        let (halves, _) = bytes.as_chunks_mut();
        halves[0] = self.0[0].to_array();
        halves[1] = self.0[1].to_array();
        bytes
    }

    #[inline]
    fn both(self, other: Self, of: impl Fn(Bytes16, Bytes16) -> Bytes16) -> Self {
        Self([of(self.0[0], other.0[0]), of(self.0[1], other.0[1])])
    }
}

/// The operators of both widths; subtraction wraps.
macro_rules! operators {
    ($($operator:ident $name:ident)*) => {$(
        impl $operator for Bytes16 {
            type Output = Self;

            #[inline]
            fn $name(self, other: Self) -> Self {
                Self(self.0.$name(other.0))
            }
        }

        impl $operator for Bytes32 {
            type Output = Self;

            #[inline]
            fn $name(self, other: Self) -> Self {
                self.both(other, $operator::$name)
            }
        }
    )*};
}

operators! {
    BitAnd bitand
    BitOr bitor
    BitXor bitxor
    Sub sub
}

impl BitOrAssign for Bytes16 {
    #[inline]
    fn bitor_assign(&mut self, other: Self) {
        *self = *self | other;
    }
}

impl SubAssign for Bytes32 {
    #[inline]
    fn sub_assign(&mut self, other: Self) {
        *self = *self - other;
    }
}

#[cfg(test)]
mod tests {
    use std::array;

    use super::*;

    /// Bytes of every kind, at every place.
    fn samples() -> Vec<[u8; 32]> {
        let mut state = 1_u32;
        let mut byte = move || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let [.., high] = state.to_le_bytes();
            // Small numbers, so that there are equal ones.
            if high < 128 { high % 4 } else { high }
        };
        (0..200).map(|_| array::from_fn(|_| byte())).collect()
    }

    fn bits(bytes: &[u8]) -> u32 {
        let bytes = bytes.iter().enumerate();
        bytes.fold(0, |bits, (at, byte)| bits | u32::from(byte >> 7) << at)
    }

    #[test]
    fn each_lane_is_what_the_operation_makes_of_two_bytes() {
        type OfVectors = fn(Bytes32, Bytes32) -> Bytes32;
        type OfBytes = fn(u8, u8) -> u8;
        let operations: [(OfVectors, OfBytes); 6] = [
            (Bytes32::eq, |a, b| if a == b { 0xFF } else { 0 }),
            (Bytes32::min, u8::min),
            (|a, b| a & b, |a, b| a & b),
            (|a, b| a | b, |a, b| a | b),
            (|a, b| a ^ b, |a, b| a ^ b),
            (|a, b| a - b, u8::wrapping_sub),
        ];
        for pair in samples().windows(2) {
            for (of_vectors, of_bytes) in operations {
                let found = of_vectors(Bytes32::new(pair[0]), Bytes32::new(pair[1]));
                let expected: [u8; 32] = array::from_fn(|at| of_bytes(pair[0][at], pair[1][at]));
                assert_eq!(found.to_array(), expected);
                assert_eq!(found.bits(), bits(&expected));
                let sum = expected.iter().copied().map(u32::from).sum();
                assert_eq!(found.sum(), sum);
            }
        }
    }

    #[test]
    fn halves_are_what_the_whole_is() {
        for bytes in samples() {
            let (first, _) = bytes.split_first_chunk().expect("sixteen of them");
            let half = Bytes16::new(*first);
            assert_eq!(half.to_array(), *first);
            assert_eq!(half.bits(), bits(first));
            assert_eq!(Bytes16::splat(bytes[0]).to_array(), [bytes[0]; 16]);
            assert_eq!(Bytes32::splat(bytes[0]).to_array(), [bytes[0]; 32]);
            let mut both = half;
            both |= Bytes16::splat(0x80);
            assert_eq!(both.bits(), 0xFFFF);
            for at in [0, 1, 31, 32, 33] {
                let mut expected = [0; Bytes32::LEN];
                let rest = bytes.get(at..).unwrap_or_default();
                expected[..rest.len()].copy_from_slice(rest);
                assert_eq!(Bytes32::at(&bytes, at).to_array(), expected);
            }
            let mut less = Bytes32::new(bytes);
            less -= Bytes32::new(bytes);
            assert_eq!(less.to_array(), [0; 32]);
        }
    }
}
