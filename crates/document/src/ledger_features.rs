//! The counts of a [`Ledger`](crate::Ledger) as features of the coverage that guides a fuzzer.
//!
//! A fuzzer keeps an input that reaches new code. Here each power of two that a count reaches is code of
//! its own, so that inputs that cause more work are kept as well. Compiled only with `--cfg fuzzing`,
//! which `cargo fuzz` sets.

use std::hint::black_box;

/// The functions of a kind of work, by number of digits.
macro_rules! functions {
    ($kind:literal) => {
        functions!($kind: 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29
            30 31 32 33 34 35 36 37 38 39)
    };
    ($kind:literal: $($digits:literal)*) => {
        [$(reached::<$kind, $digits>),*]
    };
}

/// Runs the function of a kind of work, by its number, and of the number of binary digits of its count.
pub(crate) fn observe(kind: usize, spent: u64) {
    let digits = (u64::BITS - spent.leading_zeros()) as usize;
    let functions = FUNCTIONS.get(kind);
    if let Some(function) = functions.and_then(|functions| functions.get(digits)) {
        function();
    }
}

static FUNCTIONS: [[fn(); 40]; 4] = [functions!(0), functions!(1), functions!(2), functions!(3)];

/// One function of its own for each kind of work and number of digits.
#[inline(never)]
fn reached<const KIND: usize, const DIGITS: usize>() {
    black_box((KIND, DIGITS));
}
