//! Finds the public suffix of a host: the end of its name under which anybody can register one.
//!
//! ```
//! use baseref_suffixes::{Kind, find};
//!
//! let found = find("www.shop.co.uk").unwrap();
//! assert_eq!((found.length, found.kind), ("co.uk".len(), Some(Kind::Registry)));
//! assert_eq!(find("me.github.io").unwrap().kind, Some(Kind::Private));
//! // Not on the list: the last label.
//! assert_eq!(find("printer.local").unwrap().kind, None);
//! ```
//!
//! The list is a crate of generated code, some 1,400 functions, which a compiler takes seven seconds
//! to optimize and less than two not to. So it is compiled here, apart from everything else and without
//! optimization: a lookup takes 3,600 instructions instead of 500, and whoever looks up many names
//! remembers them.
//!
//! Outside baseref it serves whatever needs the list and cares more for how long a build takes.
//!
//! # What it does not do
//!
//! It tells no IP addresses from names, and folds no case: `baseref-hosts` answers questions about
//! hosts.

/// The suffix of a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Found {
    /// Bytes of the suffix, with the final dot of the name if there is one.
    pub length: usize,
    /// `None` if the list does not have the suffix, which then is the last label.
    pub kind: Option<Kind>,
}

/// Who lets others register names under a suffix.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A registry: `co.uk`.
    Registry,
    /// A company, under a name of its own: `github.io`.
    Private,
}

/// The suffix of a name in lower case; `None` for a name without labels.
#[must_use]
pub fn find(name: &str) -> Option<Found> {
    let suffix = psl::suffix(name.as_bytes())?;
    Some(Found {
        length: suffix.as_bytes().len(),
        kind: suffix.typ().map(|kind| match kind {
            psl::Type::Icann => Kind::Registry,
            psl::Type::Private => Kind::Private,
        }),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_suffix_is_the_longest_on_the_list() {
        for (name, length, kind) in [
            ("a.b.co.uk", 5, Some(Kind::Registry)),
            ("a.b.co.uk.", 6, Some(Kind::Registry)),
            ("me.github.io", 9, Some(Kind::Private)),
            ("www.ck", 2, Some(Kind::Registry)),
            ("x.nosuchend", 9, None),
        ] {
            assert_eq!(find(name), Some(Found { length, kind }), "{name}");
        }
        assert_eq!(find(""), None);
    }
}
