//! Hashes in place of strings, where the strings themselves would take too much memory.

use std::fmt;
use std::hash::{BuildHasher, Hasher, RandomState};

use siphasher::sip128::{Hasher128, SipHasher13};

/// Hashes strings to 128 bits under a secret random key: collisions do not happen by chance and
/// cannot be constructed. The hashes differ from run to run and serve only to tell strings apart.
pub struct KeyedHash(SipHasher13);

impl KeyedHash {
    /// A hasher with a new random key.
    #[must_use]
    pub fn with_random_key() -> Self {
        let random = || RandomState::new().build_hasher().finish();
        Self(SipHasher13::new_with_keys(random(), random()))
    }

    /// The hash of a string.
    #[must_use]
    pub fn hash(&self, text: &str) -> u128 {
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
    fn hash_depends_on_text_and_key() {
        let numbers = KeyedHash::with_random_key();
        assert_eq!(numbers.hash("http://a/"), numbers.hash("http://a/"));
        assert_ne!(numbers.hash("http://a/"), numbers.hash("http://a/b"));
        assert_ne!(
            numbers.hash("http://a/"),
            KeyedHash::with_random_key().hash("http://a/")
        );
    }
}
