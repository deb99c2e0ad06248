//! Numbers that stand for texts, where the texts themselves would take too much memory.

use std::fmt;
use std::hash::{BuildHasher, Hasher, RandomState};

use siphasher::sip128::{Hasher128, SipHasher13};

/// Gives texts numbers of 128 bits under a key that nobody knows: two texts with one number are
/// not met by chance, and cannot be made. The numbers differ from run to run and are for telling
/// texts apart alone.
pub(crate) struct KeyedHash(SipHasher13);

impl KeyedHash {
    /// With a new key.
    pub(crate) fn new() -> Self {
        let random = || RandomState::new().build_hasher().finish();
        Self(SipHasher13::new_with_keys(random(), random()))
    }

    /// The number of a text.
    pub(crate) fn of(&self, text: &str) -> u128 {
        let mut hasher = self.0;
        hasher.write(text.as_bytes());
        hasher.finish128().as_u128()
    }
}

impl fmt::Debug for KeyedHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("KeyedHash").finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_is_that_of_its_text_and_of_its_key() {
        let numbers = KeyedHash::new();
        assert_eq!(numbers.of("http://a/"), numbers.of("http://a/"));
        assert_ne!(numbers.of("http://a/"), numbers.of("http://a/b"));
        assert_ne!(numbers.of("http://a/"), KeyedHash::new().of("http://a/"));
    }
}
