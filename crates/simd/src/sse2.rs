//! Sixteen bytes in a register of x86-64.

use std::ops::{BitAnd, BitOr, BitXor, Sub};

use safe_arch::{
    add_i64_m128i, bitand_m128i, bitor_m128i, bitxor_m128i, cmp_eq_mask_i8_m128i, m128i,
    min_u8_m128i, move_mask_i8_m128i, set_splat_i8_m128i, sub_i8_m128i, sum_of_u8_abs_diff_m128i,
};

#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Lanes(m128i);

impl Lanes {
    #[inline]
    pub(super) fn new(bytes: [u8; 16]) -> Self {
        Self(bytes.into())
    }

    #[inline]
    pub(super) fn splat(byte: u8) -> Self {
        Self(set_splat_i8_m128i(byte.cast_signed()))
    }

    #[inline]
    pub(super) fn eq(self, other: Self) -> Self {
        Self(cmp_eq_mask_i8_m128i(self.0, other.0))
    }

    #[inline]
    pub(super) fn min(self, other: Self) -> Self {
        Self(min_u8_m128i(self.0, other.0))
    }

    #[inline]
    pub(super) fn bits(self) -> u32 {
        move_mask_i8_m128i(self.0).cast_unsigned()
    }

    /// The sum of the bytes of both.
    #[inline]
    pub(super) fn sum(both: [Self; 2]) -> u32 {
        // The sums of the first eight bytes and of the last, as numbers of 64 bits.
        let sums = both.map(|half| sum_of_u8_abs_diff_m128i(half.0, m128i::default()));
        let [first, _, last, _]: [u32; 4] = add_i64_m128i(sums[0], sums[1]).into();
        first + last
    }

    #[inline]
    pub(super) fn to_array(self) -> [u8; 16] {
        self.0.into()
    }
}

impl BitAnd for Lanes {
    type Output = Self;

    #[inline]
    fn bitand(self, other: Self) -> Self {
        Self(bitand_m128i(self.0, other.0))
    }
}

impl BitOr for Lanes {
    type Output = Self;

    #[inline]
    fn bitor(self, other: Self) -> Self {
        Self(bitor_m128i(self.0, other.0))
    }
}

impl BitXor for Lanes {
    type Output = Self;

    #[inline]
    fn bitxor(self, other: Self) -> Self {
        Self(bitxor_m128i(self.0, other.0))
    }
}

impl Sub for Lanes {
    type Output = Self;

    #[inline]
    fn sub(self, other: Self) -> Self {
        Self(sub_i8_m128i(self.0, other.0))
    }
}
