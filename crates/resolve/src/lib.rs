//! Resolves URL references against a base by three rule sets: RFC 1808 to the letter, strict RFC 3986,
//! and the URL Standard as browsers implement it.
//!
//! ```
//! use baseref_resolve::{Rules, resolve};
//!
//! let urls = Rules::ALL.map(|rules| resolve(rules, Some("http://a/b/c/d;p?q"), "../../../g"));
//! let urls = urls.map(|url| url.expect("every rule set gives a URL"));
//! assert_eq!(urls, ["http://a/../g", "http://a/g", "http://a/g"]);
//! ```
//!
//! A [`Resolver`] parses its base once and then resolves any number of references; [`resolve`] does
//! both for one reference. The RFC rule sets accept strings that are not valid URLs and keep their
//! characters as written: nothing is re-encoded, lower-cased or given a slash.
//!
//! Outside baseref it serves programs that read old documents: [`rfc1808`] and [`rfc3986`] split URLs,
//! [`parts`], [`normal`] and [`fast_path`] compare them, and [`csp`] checks a base against a Content
//! Security Policy.
//!
//! # What it does not do
//!
//! It reads no documents and does no I/O. It chooses no base: that is the crate `baseref-reader`'s.

pub mod authority;
#[cfg(feature = "whatwg")]
mod browser_host;
#[cfg(feature = "whatwg")]
pub mod csp;
mod delimiter;
mod error;
#[cfg(feature = "whatwg")]
pub mod fast_path;
#[cfg(feature = "whatwg")]
pub mod normal;
pub mod parts;
pub mod rfc1808;
pub mod rfc3986;
pub mod scheme;
pub mod segment;
#[cfg(feature = "serde")]
mod serialized;
#[cfg(feature = "whatwg")]
pub mod spelling;
#[cfg(feature = "whatwg")]
mod whatwg;

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

use encoding_rs::Encoding;
use memchr::memchr3;

#[cfg(feature = "whatwg")]
pub use self::browser_host::host_in_browsers;
pub use self::error::ResolveError;

/// The rules by which a reference is resolved against its base.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Rules {
    /// RFC 1808 §2.4 and §4, to the letter.
    #[default]
    Rfc1808,
    /// RFC 3986 §5.2, strict.
    Rfc3986,
    /// The WHATWG URL Standard, as browsers implement it. Without the feature `whatwg`, every reference
    /// is a [`ResolveError::NotBuiltIn`].
    Whatwg,
}

impl Rules {
    /// Every rule set, the default one first.
    pub const ALL: [Self; 3] = [Self::Rfc1808, Self::Rfc3986, Self::Whatwg];

    /// The name of the rule set: `rfc1808`, `rfc3986` or `whatwg`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Rfc1808 => "rfc1808",
            Self::Rfc3986 => "rfc3986",
            Self::Whatwg => "whatwg",
        }
    }
}

impl fmt::Display for Rules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// By the names of [`Rules::as_str`].
impl FromStr for Rules {
    type Err = UnknownRules;

    fn from_str(name: &str) -> Result<Self, UnknownRules> {
        let mut all = Self::ALL.into_iter();
        all.find(|rules| rules.as_str() == name)
            .ok_or_else(|| UnknownRules { name: name.into() })
    }
}

/// No rule set has the name.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct UnknownRules {
    /// The name.
    pub name: Box<str>,
}

impl fmt::Display for UnknownRules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [first, second, third] = Rules::ALL;
        let name = &self.name;
        write!(
            f,
            "no rule set is called {name:?}: there are {first}, {second} and {third}"
        )
    }
}

impl std::error::Error for UnknownRules {}

/// A base, parsed once, and the rules for resolving references against it.
///
/// An unusable base is not an error here: absolute references still resolve, and each relative one
/// says why it does not.
///
/// ```
/// use baseref_resolve::{ResolveError, Resolver, Rules};
/// use encoding_rs::UTF_8;
///
/// let resolver = Resolver::new(Rules::Rfc3986, Some("mailto:a@b"), UTF_8);
/// assert_eq!(resolver.resolve("http://a/").as_deref(), Ok("http://a/"));
/// let resolver = Resolver::new(Rules::Rfc3986, None, UTF_8);
/// assert_eq!(resolver.resolve("x"), Err(ResolveError::NoBase));
/// ```
#[derive(Clone, Debug)]
pub struct Resolver<'b> {
    base: Base<'b>,
    /// The length of the base in bytes.
    length: usize,
}

/// The base as each rule set keeps it, or the reason why relative references fail.
#[derive(Clone, Debug)]
enum Base<'b> {
    Rfc1808(Result<rfc1808::Base<'b>, ResolveError>),
    Rfc3986(Result<rfc3986::Base<'b>, ResolveError>),
    #[cfg(feature = "whatwg")]
    Whatwg(Result<whatwg::Url, ResolveError>, &'static Encoding),
    #[cfg(not(feature = "whatwg"))]
    NotBuiltIn,
}

#[cfg(not(feature = "whatwg"))]
impl Base<'_> {
    /// The other rule sets need no encoding.
    const fn not_built_in(_: &'static Encoding) -> Self {
        Self::NotBuiltIn
    }
}

impl<'b> Resolver<'b> {
    /// A resolver for the references of one document.
    ///
    /// `base` goes through [`clean`]; an empty base counts as none (RFC 1808 §3.4). `encoding` is the
    /// document's encoding, in which [`Rules::Whatwg`] writes queries (HTML "encoding-parse a URL");
    /// the RFC rule sets never encode.
    #[must_use]
    pub fn new(rules: Rules, base: Option<&'b str>, encoding: &'static Encoding) -> Self {
        let length = base.map_or(0, str::len);
        let text = base
            .map(clean)
            .filter(|text| !text.is_empty())
            .ok_or(ResolveError::NoBase);
        let base = match rules {
            Rules::Rfc1808 => Base::Rfc1808(text.and_then(rfc1808::Base::new)),
            Rules::Rfc3986 => Base::Rfc3986(text.and_then(rfc3986::Base::new)),
            // A base was already encoded when it was established: it is UTF-8.
            #[cfg(feature = "whatwg")]
            Rules::Whatwg => Base::Whatwg(text.and_then(|text| whatwg::Url::new(&text)), encoding),
            #[cfg(not(feature = "whatwg"))]
            Rules::Whatwg => Base::not_built_in(encoding),
        };
        Self { base, length }
    }

    /// A resolver whose base cannot be used: every relative reference is a
    /// [`ResolveError::BadBase`].
    #[must_use]
    pub fn without_base(rules: Rules, encoding: &'static Encoding) -> Self {
        let no_base = ResolveError::BadBase;
        Self {
            base: match rules {
                Rules::Rfc1808 => Base::Rfc1808(Err(no_base)),
                Rules::Rfc3986 => Base::Rfc3986(Err(no_base)),
                #[cfg(feature = "whatwg")]
                Rules::Whatwg => Base::Whatwg(Err(no_base), encoding),
                #[cfg(not(feature = "whatwg"))]
                Rules::Whatwg => Base::not_built_in(encoding),
            },
            length: 0,
        }
    }

    /// Resolves `reference` to an absolute URL.
    ///
    /// `reference` goes through [`clean`] first.
    ///
    /// # Errors
    ///
    /// If the reference resolves to no URL.
    pub fn resolve(&self, reference: &str) -> Result<String, ResolveError> {
        /// Longer URLs are rare, and may be shorter than the base.
        const RESERVED: usize = 4096;
        let most = self.length + reference.len();
        let mut url = String::with_capacity(most.min(RESERVED));
        self.resolve_into(reference, &mut url)?;
        Ok(url)
    }

    /// Appends the URL that `reference` resolves to to `out`.
    ///
    /// `reference` goes through [`clean`] first. It allocates only to grow `out`, and to copy a
    /// reference with a TAB, CR or LF in it.
    ///
    /// # Errors
    ///
    /// If the reference resolves to no URL; `out` is then unchanged.
    pub fn resolve_into(&self, reference: &str, out: &mut String) -> Result<(), ResolveError> {
        let reference = clean(reference);
        match &self.base {
            Base::Rfc1808(base) => rfc1808::resolve_into(base.as_ref(), &reference, out),
            Base::Rfc3986(base) => rfc3986::resolve_into(base.as_ref(), &reference, out),
            #[cfg(feature = "whatwg")]
            Base::Whatwg(base, encoding) => {
                whatwg::resolve_into(base.as_ref(), encoding, &reference, out)
            }
            #[cfg(not(feature = "whatwg"))]
            Base::NotBuiltIn => Err(ResolveError::NotBuiltIn),
        }
    }
}

/// Resolves `reference` against `base`.
///
/// Both go through [`clean`] first, and the document is assumed to be UTF-8. To resolve many
/// references, or in another encoding, make a [`Resolver`].
///
/// ```
/// use baseref_resolve::{Rules, resolve};
///
/// let url = resolve(Rules::Rfc1808, Some("http://a/b/c/d;p?q#f"), "../g");
/// assert_eq!(url.as_deref(), Ok("http://a/b/g"));
/// ```
///
/// # Errors
///
/// If the reference resolves to no URL.
pub fn resolve(rules: Rules, base: Option<&str>, reference: &str) -> Result<String, ResolveError> {
    Resolver::new(rules, base, encoding_rs::UTF_8).resolve(reference)
}

/// The URL string in an attribute value: without C0 controls and spaces (U+0000 to U+0020) at
/// either end, and without any TAB, CR or LF.
///
/// Source: the WHATWG URL Standard, "basic URL parser", steps 1 to 3; for the RFC rule sets this is
/// separating the URL "from any surrounding text" (RFC 1808 §2.4).
#[must_use]
pub fn clean(value: &str) -> Cow<'_, str> {
    let trimmed = value.trim_matches(|c: char| c <= ' ');
    if memchr3(b'\t', b'\r', b'\n', trimmed.as_bytes()).is_some() {
        Cow::Owned(trimmed.replace(['\t', '\r', '\n'], ""))
    } else {
        Cow::Borrowed(trimmed)
    }
}

/// A host in Unicode (UTS #46, "ToUnicode"): `xn--bcher-kva.example` is `bücher.example`. Labels that
/// are not valid stay as they are.
///
/// ```
/// use baseref_resolve::host_in_unicode;
///
/// assert_eq!(host_in_unicode("xn--bcher-kva.example"), "b\u{fc}cher.example");
/// assert_eq!(host_in_unicode("xn--a.xn--bcher-kva.example"), "xn--a.b\u{fc}cher.example");
/// ```
#[cfg(feature = "whatwg")]
#[must_use]
pub fn host_in_unicode(host: &str) -> String {
    if let (unicode, Ok(())) = idna::domain_to_unicode(host) {
        return unicode;
    }
    let labels = host
        .split('.')
        .map(|label| match idna::domain_to_unicode(label) {
            (unicode, Ok(())) => unicode,
            _ => label.to_owned(),
        });
    labels.collect::<Vec<_>>().join(".")
}

/// Whether references can be relative to a URL: it has a scheme, then `//` and a location, or a
/// path that starts with a slash (RFC 1808 §2.2 `generic-RL`, RFC 3986 §3 `hier-part`).
///
/// `mailto:`, `cid:`, `data:`, `javascript:`, `urn:` and `about:` URLs are not hierarchical; nor is
/// `C:\x` or `c:/x`, a Windows file name that only looks like a URL. `url` is expected to have gone
/// through [`clean`].
#[must_use]
pub fn is_hierarchical(url: &str) -> bool {
    let parts = rfc1808::Parts::parse(url);
    let has_location = !parts.net_loc.is_empty() || parts.abs_path;
    let is_drive = parts.scheme.len() == 1 && (parts.net_path || parts.abs_path);
    !parts.scheme.is_empty() && has_location && !is_drive
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clean_trims_ends_and_removes_line_breaks() {
        for (value, cleaned) in [
            ("", ""),
            (" \t\r\n\u{c}\0\u{1f} ", ""),
            ("  a b  ", "a b"),
            ("\u{1}a\u{1}b\u{1}", "a\u{1}b"),
            ("a\tb\r\nc", "abc"),
            ("\u{a0}a\u{7f}", "\u{a0}a\u{7f}"),
        ] {
            assert_eq!(clean(value), cleaned, "{value:?}");
        }
    }

    #[test]
    fn clean_copies_only_values_with_line_breaks() {
        assert!(matches!(clean("  a b  "), Cow::Borrowed("a b")));
        assert!(matches!(clean("a\nb"), Cow::Owned(_)));
    }

    #[test]
    fn hierarchical_url_has_location_or_absolute_path() {
        for url in [
            "http://a",
            "http://a?q",
            "http:/a",
            "file:///a",
            "x-y:/",
            "1a:/b",
        ] {
            assert!(is_hierarchical(url), "{url}");
        }
        for url in [
            "",
            "a/b",
            "//a/b",
            "http:",
            "http:a",
            "http://",
            "http://#f",
            "mailto:a@b/c",
            "cid:a",
            "data:,/",
            "javascript:a//b",
            "urn:a:b",
            "about:blank",
            "mid:a/b",
            "tag:a,2026:b",
            "C:\\x",
            "c:/x",
            "c://x/y",
        ] {
            assert!(!is_hierarchical(url), "{url}");
        }
    }

    #[test]
    fn only_absolute_references_resolve_without_base() {
        for rules in Rules::ALL {
            for base in [None, Some(""), Some(" \n")] {
                assert_eq!(
                    resolve(rules, base, "http://a/b").as_deref(),
                    Ok("http://a/b")
                );
                for relative in ["", "g", "/g", "//g", "?y", "#s"] {
                    assert_eq!(resolve(rules, base, relative), Err(ResolveError::NoBase));
                }
            }
        }
    }

    #[test]
    fn base_without_scheme_affects_only_relative_references() {
        for rules in Rules::ALL {
            for base in ["a/b", "//a/b", ":a", "a b:c"] {
                assert_eq!(
                    resolve(rules, Some(base), "http://a/b").as_deref(),
                    Ok("http://a/b")
                );
                for relative in ["", "g", "#s"] {
                    assert_eq!(
                        resolve(rules, Some(base), relative),
                        Err(ResolveError::BadBase)
                    );
                }
            }
        }
    }

    #[test]
    fn base_and_reference_are_cleaned() {
        for rules in Rules::ALL {
            assert_eq!(
                resolve(rules, Some(" http://a\n/b/\tc\r"), "\n ..\t/g ").as_deref(),
                Ok("http://a/g")
            );
        }
    }

    #[test]
    fn resolve_into_appends_and_leaves_output_unchanged_on_error() {
        for rules in Rules::ALL {
            let mut out = String::from("x/..");
            let resolver = Resolver::new(rules, Some("http://a/b"), encoding_rs::UTF_8);
            assert_eq!(resolver.resolve_into("../../g", &mut out), Ok(()));
            assert!(out.starts_with("x/..http://a/"), "{out}");
            out.truncate(4);
            let resolver = Resolver::new(rules, None, encoding_rs::UTF_8);
            assert_eq!(
                resolver.resolve_into("g", &mut out),
                Err(ResolveError::NoBase)
            );
            assert_eq!(out, "x/..");
        }
    }

    #[test]
    fn rule_set_and_error_names() {
        assert_eq!(
            Rules::ALL.map(Rules::as_str),
            ["rfc1808", "rfc3986", "whatwg"]
        );
        assert_eq!(ResolveError::NoBase.as_str(), "no-base");
        assert_eq!(ResolveError::BadBase.as_str(), "bad-base");
        assert_eq!(ResolveError::Invalid.as_str(), "invalid");
    }
}
