//! The Public Suffix List (publicsuffix.org): what a single owner controls.
//!
//! The list is code, and larger than all the rest of baseref: whichever crate calls it directly has
//! a copy of its own. So all of them ask here.

use psl::Type;

/// The part of the list that a suffix is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// A suffix of ICANN's: `com`, `co.uk`.
    Icann,
    /// A suffix of a company that lets others have names under it: `github.io`.
    Private,
}

/// The public suffix of a host.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Suffix {
    /// Its length in bytes.
    pub len: usize,
    /// The part of the list that has it; `None` if it is only assumed, for a last label that is not
    /// in the list.
    pub part: Option<Part>,
}

/// The public suffix of a host in lower case; `None` for one that is no name.
#[must_use]
pub fn suffix(host: &str) -> Option<Suffix> {
    let suffix = psl::suffix(host.as_bytes())?;
    Some(Suffix {
        len: suffix.as_bytes().len(),
        part: suffix.typ().map(|part| match part {
            Type::Icann => Part::Icann,
            Type::Private => Part::Private,
        }),
    })
}

/// The registrable domain of a host in lower case, private suffixes included: `None` for a public
/// suffix itself.
#[must_use]
pub fn domain(host: &str) -> Option<&str> {
    psl::domain_str(host)
}

/// Whether a host is a name under a suffix of the list.
#[must_use]
pub fn is_under_known(host: &str) -> bool {
    suffix(host).is_some_and(|suffix| suffix.part.is_some()) && domain(host).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_suffix_is_known_by_its_part_of_the_list() {
        for (host, len, part, domain) in [
            ("www.a.co.uk", 5, Some(Part::Icann), Some("a.co.uk")),
            ("a.github.io", 9, Some(Part::Private), Some("a.github.io")),
            ("co.uk", 5, Some(Part::Icann), None),
            ("a.nowhere", 7, None, Some("a.nowhere")),
        ] {
            assert_eq!(suffix(host), Some(Suffix { len, part }), "{host}");
            assert_eq!(super::domain(host), domain, "{host}");
            assert_eq!(
                is_under_known(host),
                part.is_some() && domain.is_some(),
                "{host}"
            );
        }
    }
}
