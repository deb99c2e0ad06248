//! Compares the URLs that the three rule sets give for a reference, and explains differences.
//!
//! Almost all references are plain (see `plain.rs`) and need not be resolved at all.

mod plain;

use std::cell::OnceCell;

use self::plain::{
    is_literal, is_literal_base, is_literal_url, is_plain, is_plain_url, plain_depth,
};

use encoding_rs::Encoding;

use baseref_resolve::normal::{NormalOptions, normal};
use baseref_resolve::parts::{self, is_opaque, without_fragment, without_query};
use baseref_resolve::{ResolveError, Resolver, Rules, clean, rfc1808, rfc3986};

/// How much the URLs of the rule sets differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Distance {
    /// Only in dot segments or the fragment.
    Minor,
    /// Some rule sets give no URL.
    Fail,
    /// In path or query.
    Path,
    /// In scheme or host.
    Host,
}

/// Why the rule sets differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Cause {
    /// They choose different bases.
    BaseSelection,
    /// RFC 1808 treats parameters (`;x`) as a component of their own.
    Params,
    /// RFC 1808 does not distinguish an empty query (`?`) from none.
    EmptyQuery,
    /// `..` climbs above the root, or is in an absolute path, which RFC 1808 leaves alone.
    DotOverflow,
    /// Browsers treat `%2e` as a dot.
    PctDots,
    /// In RFC 1808 only a slash ends the host.
    NetLoc,
    /// The host is preceded by too many slashes, or too few.
    Slashes,
    /// Browsers treat `http:x` as relative.
    SchemeLoophole,
    /// RFC 1808 lets a scheme start with a digit.
    SchemeDigit,
    /// Browsers treat a backslash as a slash.
    Backslash,
    /// White space in the host.
    Whitespace,
    /// Browsers treat drive letters in file URLs specially.
    Drive,
    /// Browsers treat a number as an IPv4 address.
    Ipv4,
    /// Browsers decode escapes in the host.
    HostEscape,
    /// Not all of them can resolve relative references against the base.
    UnsupportedBase,
    /// Browsers refuse the host or port.
    HostRefused,
    /// In RFC 1808 an empty reference inherits the base's fragment.
    Fragment,
}

impl Cause {
    /// The name in reports, kebab-case.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::BaseSelection => "base-selection",
            Self::Params => "params",
            Self::EmptyQuery => "empty-query",
            Self::DotOverflow => "dot-overflow",
            Self::PctDots => "pct-dots",
            Self::NetLoc => "net-loc",
            Self::Slashes => "slashes",
            Self::SchemeLoophole => "scheme-loophole",
            Self::SchemeDigit => "scheme-digit",
            Self::Backslash => "backslash",
            Self::Whitespace => "whitespace",
            Self::Drive => "drive",
            Self::Ipv4 => "ipv4",
            Self::HostEscape => "host-escape",
            Self::UnsupportedBase => "unsupported-base",
            Self::HostRefused => "host-refused",
            Self::Fragment => "fragment",
        }
    }

    /// The explanation for people.
    #[must_use]
    pub const fn explanation(self) -> &'static str {
        match self {
            Self::BaseSelection => "the rule sets choose different bases",
            Self::Params => "RFC 1808 treats `;` parameters as a component of their own",
            Self::EmptyQuery => "RFC 1808 inherits the base's query if the reference's is empty",
            Self::DotOverflow => "RFC 1808 keeps dot segments that the others remove",
            Self::PctDots => "browsers treat %2e as a dot",
            Self::NetLoc => "in RFC 1808 only a slash ends the host",
            Self::Slashes => "browsers take any number of slashes before the host",
            Self::SchemeLoophole => "browsers treat a scheme without slashes as relative",
            Self::SchemeDigit => "RFC 1808 lets a scheme start with a digit",
            Self::Backslash => "browsers treat a backslash as a slash",
            Self::Whitespace => "white space in the host",
            Self::Drive => "browsers treat drive letters in file URLs specially",
            Self::Ipv4 => "browsers treat a number as an IPv4 address",
            Self::HostEscape => "browsers decode escapes in the host",
            Self::UnsupportedBase => "not every rule set can resolve against this base",
            Self::HostRefused => "browsers refuse the host or port",
            Self::Fragment => {
                "only in RFC 1808 does an empty reference inherit the base's fragment"
            }
        }
    }
}

/// What a reference gives under each of [`Rules::ALL`].
pub type Urls = [Result<String, ResolveError>; 3];

/// A reference on which the rule sets disagree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Disagreement {
    /// How much the URLs differ.
    pub distance: Distance,
    /// Why.
    pub cause: Cause,
    /// What each rule set gives.
    pub urls: Urls,
}

/// The bases of a document under each of [`Rules::ALL`], for comparing its references.
#[derive(Clone, Debug)]
pub struct Comparison<'b> {
    bases: [Option<&'b str>; 3],
    encoding: &'static Encoding,
    /// Built on first use. Most documents need none.
    resolvers: [OnceCell<Resolver<'b>>; 3],
    /// How many levels `..` can climb; `None` if the base itself is not plain.
    depth: Option<usize>,
    /// Whether the base is plain and no rule set rewrites it.
    is_literal: bool,
}

impl<'b> Comparison<'b> {
    /// Compares references in a document with these bases and this `encoding`.
    #[must_use]
    pub fn new(bases: [Option<&'b str>; 3], encoding: &'static Encoding) -> Self {
        let [first, second, third] = bases;
        let all_equal = first == second && second == third;
        let depth = first.filter(|_| all_equal).and_then(plain_depth);
        Self {
            bases,
            encoding,
            resolvers: [const { OnceCell::new() }; 3],
            depth,
            is_literal: depth.is_some() && first.is_some_and(is_literal_base),
        }
    }

    /// The base that browsers choose.
    #[must_use]
    pub fn base_of_browsers(&self) -> Option<&'b str> {
        self.bases[2]
    }

    /// The base up to the last slash of its path, if all rule sets have the same base and it is
    /// plain.
    #[must_use]
    pub fn plain_folder(&self) -> Option<&'b str> {
        let base = self.bases[0].filter(|_| self.depth.is_some())?;
        let before = without_query(base);
        let end = before.rfind('/')? + 1;
        Some(&before[..end])
    }

    /// Whether the rule sets cannot differ on `reference`, judged in one pass.
    #[must_use]
    pub fn is_plain(&self, reference: &str) -> bool {
        match self.depth {
            Some(depth) => is_plain(reference, depth),
            None => is_plain_url(reference),
        }
    }

    /// What `reference` gives under each of [`Rules::ALL`].
    pub fn urls(&self, reference: &str) -> Urls {
        if self.are_one(reference) {
            let url = self.resolver(0).resolve(reference);
            return [url.clone(), url.clone(), url];
        }
        [0, 1, 2].map(|number| self.resolver(number).resolve(reference))
    }

    /// Whether the rule sets must give the same URL for `reference`, character for character,
    /// judging by its form.
    #[must_use]
    pub fn are_one(&self, reference: &str) -> bool {
        let is_literal = self.is_literal && is_literal(reference) || is_literal_url(reference);
        is_literal && self.is_plain(reference)
    }

    fn resolver(&self, number: usize) -> &Resolver<'b> {
        let (rules, base) = (Rules::ALL[number], self.bases[number]);
        self.resolvers[number].get_or_init(|| Resolver::new(rules, base, self.encoding))
    }

    /// The disagreement of the three rule sets on `reference`; `None` if they agree, or if none of
    /// them gives a URL.
    ///
    /// URLs that no server can tell apart are equal: [`normal`]. A query that browsers write in the
    /// encoding of the document is not compared.
    #[must_use]
    pub fn compare(&self, reference: &str) -> Option<Box<Disagreement>> {
        if self.is_plain(reference) {
            return None;
        }
        let reference = clean(reference);
        if is_opaque(&reference) {
            return None;
        }
        self.differ(&reference).map(Box::new)
    }

    fn differ(&self, reference: &str) -> Option<Disagreement> {
        let urls = self.urls(reference);
        let found: Vec<&str> = urls.iter().flatten().map(String::as_str).collect();
        if found.is_empty() {
            return None;
        }
        let (path, query) = (without_query(reference), parts::query(reference));
        let distance = if found.len() < urls.len() {
            Distance::Fail
        } else {
            // Browsers write such a query in the encoding of the document.
            distance(&found, query.is_some_and(|query| !query.is_ascii()))?
        };
        let cause = self.cause(reference, path, distance, &urls);
        Some(Disagreement {
            distance,
            cause,
            urls,
        })
    }

    fn cause(&self, reference: &str, path: &str, distance: Distance, urls: &Urls) -> Cause {
        let [first, second, third] = self.bases;
        if (first != second || second != third) && self.is_one_with_one_base(reference) {
            return Cause::BaseSelection;
        }
        let scheme = rfc1808::Parts::parse(path).scheme;
        if scheme.starts_with(|c: char| c.is_ascii_digit()) {
            return Cause::SchemeDigit;
        }
        if path.contains('\\') {
            return Cause::Backslash;
        }
        let after_scheme = &path[if scheme.is_empty() {
            0
        } else {
            scheme.len() + 1
        }..];
        let has_host = after_scheme.starts_with("//");
        let no_host = matches!(rfc3986::Parts::parse(path).authority, Some("") | None);
        if has_host && no_host || after_scheme.starts_with("///") {
            return Cause::Slashes;
        }
        if !scheme.is_empty() && !has_host {
            return if after_scheme.starts_with('/') && distance == Distance::Host {
                Cause::Slashes
            } else {
                Cause::SchemeLoophole
            };
        }
        if distance == Distance::Host || distance == Distance::Fail && has_host {
            return host_cause(reference, urls);
        }
        if distance == Distance::Fail {
            return Cause::UnsupportedBase;
        }
        self.path_cause(reference, path, distance)
    }

    fn path_cause(&self, reference: &str, path: &str, distance: Distance) -> Cause {
        let base = self.bases[0].unwrap_or_default();
        let has_dot_escape = |text: &str| text.to_ascii_lowercase().contains("%2e");
        let is_file = base.len() >= 5 && base[..5].eq_ignore_ascii_case("file:");
        if reference.is_empty() && base.contains('#') {
            Cause::Fragment
        } else if path.is_empty() {
            Cause::EmptyQuery
        } else if has_dot_escape(path) || has_dot_escape(without_query(base)) {
            Cause::PctDots
        } else if distance == Distance::Minor {
            Cause::DotOverflow
        } else if path.contains(';') || without_query(base).contains(';') {
            Cause::Params
        } else if is_file && has_drive(path, base) {
            Cause::Drive
        } else {
            Cause::NetLoc
        }
    }

    /// Whether the rule sets would agree given the same base.
    fn is_one_with_one_base(&self, reference: &str) -> bool {
        let given = self.bases.iter().flatten().copied();
        let mut same = given.map(|base| {
            let resolve = |rules| Resolver::new(rules, Some(base), encoding_rs::UTF_8);
            let urls = Rules::ALL.map(|rules| resolve(rules).resolve(reference));
            let found: Vec<&str> = urls.iter().flatten().map(String::as_str).collect();
            found.len() == urls.len() && distance(&found, true).is_none()
        });
        same.any(|agree| agree)
    }
}

/// How much URLs differ, each parsed by its own rule set; `None` if they are equal. Queries are not
/// compared if browsers write them in another encoding.
fn distance(urls: &[&str], ignore_query: bool) -> Option<Distance> {
    let dots = NormalOptions::default().keep_dots();
    let all_equal = |form: &dyn Fn(&str) -> String| {
        let mut forms = urls.iter().map(|url| form(url));
        let first = forms.next();
        forms.all(|form| Some(form) == first)
    };
    let compared = |url: &str, options: &NormalOptions| {
        let normal = normal(url, options);
        if ignore_query {
            without_query(&normal).to_owned()
        } else {
            normal
        }
    };
    let plain = NormalOptions::default();
    if all_equal(&|url| compared(url, &dots)) {
        return None;
    }
    if all_equal(&|url| compared(url, &plain)) {
        return Some(Distance::Minor);
    }
    let own: Vec<(String, String)> = Rules::ALL
        .iter()
        .zip(urls)
        .map(|(rules, url)| scheme_and_host(*rules, url))
        .collect();
    if own.windows(2).any(|pair| pair[0] != pair[1]) {
        return Some(Distance::Host);
    }
    // Browsers percent-encode the user name.
    let bare = |url: &str| {
        let normal = compared(url, &plain);
        without_user(without_fragment(&normal))
    };
    if all_equal(&bare) {
        Some(Distance::Minor)
    } else {
        Some(Distance::Path)
    }
}

/// A URL without the user name and password in it.
fn without_user(url: &str) -> String {
    match parts::authority(url).and_then(|authority| authority.rsplit_once('@')) {
        Some((user, _)) => url.replacen(&format!("//{user}@"), "//", 1),
        None => url.to_owned(),
    }
}

/// Scheme, host and port of a URL, parsed by its rule set, in normal form.
fn scheme_and_host(rules: Rules, url: &str) -> (String, String) {
    let (scheme, host) = if rules == Rules::Rfc1808 {
        let parts = rfc1808::Parts::parse(url);
        (parts.scheme, parts.net_loc)
    } else {
        let parts = rfc3986::Parts::parse(url);
        let host = parts.authority.unwrap_or_default();
        (parts.scheme.unwrap_or_default(), host)
    };
    let scheme = scheme.to_ascii_lowercase();
    // RFC 3986 §3.2.1: what precedes the last at sign is not part of the host.
    let host = host.rsplit_once('@').map_or(host, |(_, host)| host);
    let host = normal(&format!("{scheme}://{host}/"), &NormalOptions::default());
    (scheme, host)
}

fn host_cause(reference: &str, urls: &Urls) -> Cause {
    let authority = rfc3986::Parts::parse(reference)
        .authority
        .unwrap_or_default();
    let of_browser = match &urls[2] {
        Ok(url) => scheme_and_host(Rules::Whatwg, url).1,
        Err(_) if authority.contains(char::is_whitespace) => return Cause::Whitespace,
        Err(_) => return Cause::HostRefused,
    };
    let is_address = of_browser
        .trim_end_matches('/')
        .ends_with(|c: char| c.is_ascii_digit());
    if authority.contains('%') {
        Cause::HostEscape
    } else if authority.contains(char::is_whitespace) {
        Cause::Whitespace
    } else if is_address && !authority.is_empty() {
        Cause::Ipv4
    } else {
        Cause::NetLoc
    }
}

fn has_drive(path: &str, base: &str) -> bool {
    let is_drive = |name: &str| {
        let name = name.as_bytes();
        name.len() == 2 && name[0].is_ascii_alphabetic() && matches!(name[1], b':' | b'|')
    };
    path.split('/').any(is_drive) || without_query(base).split('/').any(is_drive)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const B: &str = "http://a/b/c/d;p?q";

    fn compared(base: &str, reference: &str) -> Option<(Distance, Cause)> {
        let comparison = Comparison::new([Some(base); 3], encoding_rs::UTF_8);
        let found = comparison.compare(reference)?;
        Some((found.distance, found.cause))
    }

    #[test]
    fn each_cause_is_named() {
        use Distance::{Fail, Host, Minor, Path};
        for (base, reference, expected) in [
            (
                "http://a/dir/d.html",
                "..\\a.html",
                (Path, Cause::Backslash),
            ),
            ("http://a/b/c/d;p?q#f", "", (Minor, Cause::Fragment)),
            (B, "?", (Path, Cause::EmptyQuery)),
            (B, ";x", (Path, Cause::Params)),
            ("http://a/b/c;v=1/d.html", "g", (Path, Cause::Params)),
            (B, "../../../g", (Minor, Cause::DotOverflow)),
            ("http://a/b", "/c/../g", (Minor, Cause::DotOverflow)),
            (B, "http:g", (Host, Cause::SchemeLoophole)),
            (B, "10:30.html", (Host, Cause::SchemeDigit)),
            (B, "///g", (Host, Cause::Slashes)),
            (B, "http:/x/y", (Host, Cause::Slashes)),
            (B, "\\\\h\\g", (Host, Cause::Backslash)),
            (B, "/\\h/g", (Host, Cause::Backslash)),
            (B, "%2e%2e/g", (Minor, Cause::PctDots)),
            (B, "http://0x7f.1/", (Host, Cause::Ipv4)),
            (B, "http://h%2ex/", (Host, Cause::HostEscape)),
            (B, "http://h h/", (Fail, Cause::Whitespace)),
            (B, "http://h:x/", (Fail, Cause::HostRefused)),
            ("mailto:x@y", "g", (Fail, Cause::UnsupportedBase)),
            ("file:///C:/w/a.html", "/x", (Path, Cause::Drive)),
        ] {
            assert_eq!(
                compared(base, reference),
                Some(expected),
                "{reference} {base}"
            );
        }
    }

    #[test]
    fn urls_that_servers_treat_alike_agree() {
        for (base, reference) in [
            ("http://a/dir/d.html", "../sp ace.html"),
            ("http://a/dir/d.html", " ../a.html "),
            ("http://a/dir/d.html", "\u{e9}?it's=\u{e9}#\u{e9} \\"),
            ("http://a", "g"),
            (B, "g%zz"),
            (B, "g?y"),
            (B, "http://H:80"),
            (B, "mailto:a@b"),
            (B, "javascript:a\\b"),
            (B, "//h/g"),
            ("file:///srv/www/a.html", "../b.html"),
        ] {
            assert_eq!(compared(base, reference), None, "{reference:?} {base}");
        }
    }

    #[test]
    fn query_in_another_encoding_is_ignored() {
        let bases = [Some("http://a/b"); 3];
        let comparison = Comparison::new(bases, encoding_rs::WINDOWS_1252);
        assert_eq!(comparison.compare("?q=\u{e9}"), None);
    }

    #[test]
    fn another_choice_of_base_is_the_cause_where_the_same_would_give_one_url() {
        let bases = [Some("http://h/"), Some("http://h/"), Some("http://own/x")];
        let comparison = Comparison::new(bases, encoding_rs::UTF_8);
        let found = comparison.compare("g").expect("the hosts differ");
        assert_eq!(
            (found.distance, found.cause),
            (Distance::Host, Cause::BaseSelection)
        );
        assert_eq!(found.urls[2].as_deref(), Ok("http://own/g"));
        assert_eq!(comparison.compare("http://x/"), None);
    }

    #[test]
    fn no_url_at_all_is_no_disagreement() {
        let comparison = Comparison::new([None; 3], encoding_rs::UTF_8);
        assert_eq!(comparison.compare("g"), None);
        assert_eq!(comparison.compare("http://a/"), None);
    }

    #[test]
    fn absolute_url_is_plain_without_a_base() {
        let comparison = Comparison::new([None; 3], encoding_rs::UTF_8);
        for (reference, is_plain, is_one) in [
            ("https://a.example/x%20y?z=1&u=%3D#f", true, true),
            ("https://a.example", true, false),
            ("https://A.example/", true, false),
            ("https://a.example/it's", true, false),
            ("https://a.example/../x", false, false),
            ("https://a.example:443/", false, false),
            ("https://1.2/", false, false),
            ("https:/a.example/", false, false),
            ("/x", false, false),
            ("mailto:a@b.example", false, false),
        ] {
            assert_eq!(comparison.is_plain(reference), is_plain, "{reference}");
            assert_eq!(comparison.are_one(reference), is_one, "{reference}");
        }
    }

    proptest! {
        /// References classified as plain agree when resolved.
        #[test]
        fn plain_references_agree(
            base in "((http|https|file)://(a\\.b|x|127\\.0\\.0\\.1)(:8?[01]{1,3})?/([a-c.%2e;]{0,3}/){0,3}[a-c.;]{0,2}(\\?q)?)?",
            reference in "(http://|https://|http://10\\.0\\.0\\.1:8|//|/|\\.\\./|\\./)?[a-cA-C0-9./%2e;:?#'| \\\\\u{e9}-]{0,12}",
        ) {
            let base = Some(&*base).filter(|base| !base.is_empty());
            let comparison = Comparison::new([base; 3], encoding_rs::UTF_8);
            if comparison.is_plain(&reference) {
                prop_assert_eq!(comparison.differ(&clean(&reference)), None);
                let urls = [0, 1, 2].map(|rules| comparison.resolver(rules).resolve(&reference));
                prop_assert_eq!(comparison.urls(&reference), urls);
            }
        }
    }
}
