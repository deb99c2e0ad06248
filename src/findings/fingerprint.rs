//! Fingerprints, by which findings are recognised in later runs. They contain no line numbers, so
//! an edit above a link does not change them.

use std::collections::HashMap;
use std::fmt;
use std::str::FromStr;

use foldhash::fast::RandomState;
use sha2::{Digest, Sha256};

use super::Finding;

/// The identity of a finding: the first 16 bytes of SHA-256 over the rule's id, the name of the
/// document ([`super::PageName::key`]), the value as written and the ordinal, separated by NULs.
/// The ordinal is the 0-based index, in decimal, among the findings of one document that agree in
/// all the other fields.
///
/// Prints as 32 lower-case hexadecimal digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Fingerprint([u8; 16]);

impl Fingerprint {
    /// The fingerprint of a finding that has its ordinal.
    pub(super) fn of(finding: &Finding) -> Self {
        let mut hasher = Sha256::new();
        for field in [finding.rule.id, &finding.page.key, &finding.raw] {
            hasher.update(field);
            hasher.update([0]);
        }
        hasher.update(finding.ordinal.to_string());
        let mut bytes = [0; 16];
        for (byte, digest) in bytes.iter_mut().zip(hasher.finalize()) {
            *byte = digest;
        }
        Self(bytes)
    }
}

/// Sets the ordinals of the findings of one document, which are in the order of their places.
pub(super) fn number(findings: &mut [Finding]) {
    let mut seen = HashMap::<(&str, &str), u64, RandomState>::default();
    let ordinals = findings.iter().map(|finding| {
        let next = seen.entry((finding.rule.id, &finding.raw)).or_default();
        *next += 1;
        *next - 1
    });
    let ordinals: Vec<u64> = ordinals.collect();
    for (finding, ordinal) in findings.iter_mut().zip(ordinals) {
        finding.ordinal = ordinal;
    }
}

impl fmt::Display for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl FromStr for Fingerprint {
    type Err = String;

    /// Parses 32 hexadecimal digits.
    ///
    /// # Errors
    /// A message if it is anything else.
    fn from_str(text: &str) -> Result<Self, String> {
        let refused = || format!("`{text}` is not a fingerprint of 32 hexadecimal digits");
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
    use std::sync::Arc;

    use super::*;
    use crate::findings::PageName;
    use crate::findings::rule::tests::MISSING;

    fn finding(raw: &str) -> Finding {
        let page = PageName {
            key: "dir/a.html".to_owned(),
            ..PageName::default()
        };
        let mut finding = Finding::new(&MISSING, &Arc::new(page), "", "");
        raw.clone_into(&mut finding.raw);
        finding
    }

    #[test]
    fn it_is_the_hash_of_rule_document_value_and_ordinal() {
        let mut findings = ["../gone.html", "other", "../gone.html"].map(finding);
        number(&mut findings);
        let [first, other, second] = findings.map(|finding| finding.fingerprint().to_string());
        // printf 'target/missing-file\0dir/a.html\0../gone.html\0''0' | sha256sum
        assert_eq!(first, "7b3dcc3ea50769c36d6773b401d087af");
        // The same with an ordinal of 1.
        assert_eq!(second, "545cd6fa3a9ec5ba7dbb2ec6a5c7596a");
        assert_ne!(other, first);
    }

    #[test]
    fn it_reads_back_what_it_prints_and_nothing_else() {
        let fingerprint = finding("x").fingerprint();
        assert_eq!(fingerprint.to_string().parse(), Ok(fingerprint));
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
