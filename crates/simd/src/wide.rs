//! 16 bytes, on `wide`.

use std::ops::{BitAnd, BitOr, BitXor, Sub};

use wide::u8x16;

#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Lanes(u8x16);

impl Lanes {
    #[inline]
    pub(super) fn new(bytes: [u8; 16]) -> Self {
        Self(u8x16::new(bytes))
    }

    #[inline]
    pub(super) fn splat(byte: u8) -> Self {
        Self(u8x16::splat(byte))
    }

    #[inline]
    pub(super) fn eq(self, other: Self) -> Self {
        Self(self.0.simd_eq(other.0))
    }

    #[inline]
    pub(super) fn min(self, other: Self) -> Self {
        Self(self.0.min(other.0))
    }

    #[inline]
    pub(super) fn bits(self) -> u32 {
        self.0.to_bitmask()
    }

    /// The sum of the bytes of both.
    #[inline]
    pub(super) fn sum(both: [Self; 2]) -> u32 {
        let bytes = both.into_iter().flat_map(Self::to_array);
        bytes.map(u32::from).sum()
    }

    #[inline]
    pub(super) fn to_array(self) -> [u8; 16] {
        self.0.to_array()
    }
}

impl BitAnd for Lanes {
    type Output = Self;

    #[inline]
    fn bitand(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }
}

impl BitOr for Lanes {
    type Output = Self;

    #[inline]
    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl BitXor for Lanes {
    type Output = Self;

    #[inline]
    fn bitxor(self, other: Self) -> Self {
        Self(self.0 ^ other.0)
    }
}

impl Sub for Lanes {
    type Output = Self;

    #[inline]
    fn sub(self, other: Self) -> Self {
        Self(self.0 - other.0)
    }
}
