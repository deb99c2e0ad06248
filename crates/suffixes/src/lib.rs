//! Finds the public suffix of a host name: the part under which anyone can register a domain.
//!
//! ```
//! use baseref_suffixes::{SuffixKind, find};
//!
//! let found = find("www.shop.co.uk").unwrap();
//! assert_eq!((found.length, found.kind), ("co.uk".len(), Some(SuffixKind::Registry)));
//! assert_eq!(find("me.github.io").unwrap().kind, Some(SuffixKind::Private));
//! // Not on the list: the last label.
//! assert_eq!(find("printer.local").unwrap().kind, None);
//! ```
//!
//! The list is a crate of generated code, some 1,400 functions, which takes seven seconds to compile with
//! optimization and less than two without. It is a crate of its own so that it can be compiled without:
//! a lookup then takes 3,600 instructions instead of 500, and callers with many names cache the results.
//!
//! Internal to baseref, and versioned with it.
//!
//! # What it does not do
//!
//! It does not recognise IP addresses and does not fold case; `baseref-hosts` does both.

/// The public suffix of a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PublicSuffix {
    /// Its length in bytes, including the final dot of the name, if any.
    pub length: usize,
    /// Who runs it; `None` if no rule of the list matches, and the suffix is the last label.
    pub kind: Option<SuffixKind>,
}

/// Who runs a public suffix.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SuffixKind {
    /// A domain registry: `co.uk`.
    Registry,
    /// The owner of the domain, such as a hosting company: `github.io`.
    Private,
}

/// Finds the suffix of a name in lower case; `None` for a name without labels.
#[must_use]
pub fn find(name: &str) -> Option<PublicSuffix> {
    let suffix = psl::suffix(name.as_bytes())?;
    Some(PublicSuffix {
        length: suffix.as_bytes().len(),
        kind: suffix.typ().map(|kind| match kind {
            psl::Type::Icann => SuffixKind::Registry,
            psl::Type::Private => SuffixKind::Private,
        }),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn longest_matching_suffix() {
        for (name, length, kind) in [
            ("a.b.co.uk", 5, Some(SuffixKind::Registry)),
            ("a.b.co.uk.", 6, Some(SuffixKind::Registry)),
            ("me.github.io", 9, Some(SuffixKind::Private)),
            ("www.ck", 2, Some(SuffixKind::Registry)),
            ("x.nosuchend", 9, None),
        ] {
            assert_eq!(find(name), Some(PublicSuffix { length, kind }), "{name}");
        }
        assert_eq!(find(""), None);
    }
}
