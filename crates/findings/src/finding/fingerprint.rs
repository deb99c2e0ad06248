//! Fingerprints recognise findings in later runs. They contain no line numbers, so that an edit above a
//! link does not change them.

use std::fmt;
use std::str::FromStr;

use sha2::{Digest, Sha256};

use crate::Rule;
use crate::error::SettingsError;

/// The identity of a finding: the first 16 bytes of SHA-256 over the rule's id, the name of the
/// document ([`crate::PageName::key`]), the value as written and the ordinal, separated by NULs.
/// The ordinal is the 0-based index, in decimal, among the findings of one document that agree in
/// all the other fields.
///
/// Prints as 32 lower-case hexadecimal digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Fingerprint([u8; 16]);

impl Fingerprint {
    pub(crate) fn new(rule: &Rule, page: &str, raw: &str, ordinal: u64) -> Self {
        let mut hasher = Sha256::new();
        for field in [rule.id, page, raw] {
            hasher.update(field);
            hasher.update([0]);
        }
        hasher.update(ordinal.to_string());
        let mut bytes = [0; 16];
        for (byte, digest) in bytes.iter_mut().zip(hasher.finalize()) {
            *byte = digest;
        }
        Self(bytes)
    }
}

impl fmt::Display for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl FromStr for Fingerprint {
    type Err = SettingsError;

    /// Parses 32 hexadecimal digits.
    ///
    /// # Errors
    /// If it is anything else.
    fn from_str(text: &str) -> Result<Self, SettingsError> {
        let refused = || SettingsError::Fingerprint(text.to_owned());
        let mut bytes = [0; 16];
        let digits = text.as_bytes();
        if digits.len() != 32 {
            return Err(refused());
        }
        for (byte, pair) in bytes.iter_mut().zip(digits.chunks_exact(2)) {
            let digit = |at: usize| char::from(pair[at]).to_digit(16);
            let (high, low) = digit(0).zip(digit(1)).ok_or_else(refused)?;
            *byte = u8::try_from(high * 16 + low).map_err(|_| refused())?;
        }
        Ok(Self(bytes))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rule::tests::MISSING;

    #[test]
    fn it_is_the_hash_of_rule_document_value_and_ordinal() {
        let of = |raw, ordinal| Fingerprint::new(&MISSING, "dir/a.html", raw, ordinal).to_string();
        // printf 'target/missing-file\0dir/a.html\0../gone.html\0''0' | sha256sum
        assert_eq!(of("../gone.html", 0), "7b3dcc3ea50769c36d6773b401d087af");
        // The same with an ordinal of 1.
        assert_eq!(of("../gone.html", 1), "545cd6fa3a9ec5ba7dbb2ec6a5c7596a");
        assert_ne!(of("other", 0), of("../gone.html", 0));
    }

    #[test]
    fn fingerprint_roundtrips_as_text() {
        let fingerprint = Fingerprint::new(&MISSING, "dir/a.html", "x", 0);
        assert_eq!(
            fingerprint.to_string().parse::<Fingerprint>().unwrap(),
            fingerprint
        );
        for text in [
            "",
            "abc",
            "g0000000000000000000000000000000",
            "é000000000000000000000000000000",
        ] {
            assert!(text.parse::<Fingerprint>().is_err(), "{text}");
        }
    }
}
