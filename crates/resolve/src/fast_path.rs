//! References of common form, which browsers and the RFC rule sets resolve alike.
//!
//! Nearly all references are of this form. They are recognised by their characters, sixteen at a time,
//! and never resolved, so that only the few others cost a comparison with browsers.

use baseref_simd::Bytes16;
use encoding_rs::{Encoding, UTF_8};

use super::{ResolveError, parts, scheme, whatwg};

/// Recognises references of common form against one base.
#[derive(Clone, Debug)]
pub struct CommonForm {
    base: BaseForm,
    /// Whether non-ASCII characters of a query are written in UTF-8.
    is_utf8: bool,
    /// The last scheme and host of common form, with the slash after them.
    origin: String,
    /// The scheme and host of the base, if browsers serialize them unchanged.
    root: Option<Box<str>>,
}

/// Whether the rule sets agree on a reference, as far as its form shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Agreement<'r> {
    /// Every rule set gives the same URL, apart from the notation of characters ([`is_elsewhere`]), or
    /// none gives a URL.
    Same,
    /// It climbs above the root. RFC 1808 leaves `..` in its URL; the other rule sets append this text
    /// to the [root](CommonForm::root) of the base.
    AboveRoot(&'r str),
    /// The form does not show it: the reference has to be resolved.
    Unknown,
}

impl Agreement<'_> {
    fn same_if(is_same: bool) -> Self {
        if is_same { Self::Same } else { Self::Unknown }
    }
}

/// The form of the base that a reference without a scheme is relative to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum BaseForm {
    /// Without a base, no rule set gives a URL.
    None,
    /// A base of common form; the number of levels that `..` can climb in its path.
    Levels(usize),
    /// A base of another form.
    Other,
}

impl CommonForm {
    /// The common form of references that a [`super::Resolver`] with this base and encoding resolves.
    #[must_use]
    pub fn new(base: Option<&str>, encoding: &'static Encoding) -> Self {
        let base = base.map(super::clean).filter(|base| !base.is_empty());
        let path = base.as_deref().and_then(common_path);
        Self {
            base: match (&base, path) {
                (None, _) => BaseForm::None,
                (_, None) => BaseForm::Other,
                (_, Some(path)) => {
                    BaseForm::Levels(path.bytes().filter(|byte| *byte == b'/').count() - 1)
                }
            },
            is_utf8: encoding.output_encoding() == UTF_8,
            origin: String::new(),
            root: path.and(base.as_deref()).and_then(root),
        }
    }

    /// Scheme and host of the base, with the slash after them; empty if
    /// [`Self::agreement`] never gives [`Agreement::AboveRoot`] for this base.
    #[must_use]
    pub fn root(&self) -> &str {
        self.root.as_deref().unwrap_or_default()
    }

    /// The common form of references to a base of common form that is too long to be examined for
    /// each document: `..` is assumed never to climb above its root.
    #[must_use]
    pub fn with_long_base(encoding: &'static Encoding) -> Self {
        Self {
            base: BaseForm::Levels(usize::MAX),
            ..Self::new(None, encoding)
        }
    }

    /// The common form of references whose base differs between rule sets: only references with a
    /// scheme can have it.
    #[must_use]
    pub fn absolute_only(encoding: &'static Encoding) -> Self {
        Self {
            base: BaseForm::Other,
            ..Self::new(None, encoding)
        }
    }

    /// Whether `reference` has the common form: [`Agreement::Same`].
    #[inline]
    pub fn covers(&mut self, reference: &str) -> bool {
        self.agreement(reference) == Agreement::Same
    }

    /// Whether the rule sets agree on `reference`, as far as its form shows.
    #[inline]
    pub fn agreement<'r>(&mut self, reference: &'r str) -> Agreement<'r> {
        match reference.as_bytes() {
            // All that follows the number sign is the fragment.
            [] | [b'#', ..] => Agreement::same_if(self.base != BaseForm::Other),
            [b'h' | b'f', ..] if self.covers_absolute(reference) => Agreement::Same,
            bytes @ [b'0'..=b'9' | b'A'..=b'Z' | b'a'..=b'z', .., b'!'..=u8::MAX]
                if self.base != BaseForm::Other && is_plain(bytes) =>
            {
                Agreement::Same
            }
            _ => self.relative_agreement(reference),
        }
    }

    /// Whether every rule set gives the same URL for a reference that is not relative to the base;
    /// `false` for one that may be.
    pub fn covers_absolute(&mut self, reference: &str) -> bool {
        if is_trimmed(reference) {
            return false;
        }
        if !self.origin.is_empty() && reference.starts_with(&self.origin) {
            return self.is_common_path(&reference[self.origin.len() - 1..]);
        }
        if let Some(path) = reference.strip_prefix("file://") {
            // A drive may be written with a bar.
            return path.starts_with('/') && !path.contains('|') && self.is_common_path(path);
        }
        let Some(path) = without_scheme(reference).and_then(after_common_host) else {
            return false;
        };
        if path.starts_with('/') {
            self.origin.clear();
            let end = reference.len() - path.len() + 1;
            self.origin.push_str(&reference[..end]);
        }
        self.is_common_path(path)
    }

    fn relative_agreement<'r>(&self, reference: &'r str) -> Agreement<'r> {
        if is_trimmed(reference) {
            return Agreement::Unknown;
        }
        let mut rest = reference;
        let mut climbed = 0;
        loop {
            if let Some(after) = rest.strip_prefix("../") {
                rest = after;
                climbed += 1;
            } else if let Some(after) = rest.strip_prefix("./") {
                rest = after;
            } else {
                break;
            }
        }
        let is_whole = rest.len() == reference.len();
        let is_reachable = match self.base {
            BaseForm::None => true,
            BaseForm::Levels(levels) => climbed <= levels,
            BaseForm::Other => false,
        };
        let is_common = match rest.as_bytes() {
            [] | [b'#', ..] => true,
            // An empty query, a segment that may be special, or what may be removed before one.
            [b'?'] | [b'?', b'#', ..] | [b'.' | b'%' | b';' | b'\\' | ..=b' ', ..] => false,
            [b'/', b'/', ..] if is_whole => {
                let path = after_common_host(&rest[2..]);
                path.is_some_and(|path| self.is_common_path(path))
            }
            [b'/', ..] if !is_whole => false,
            bytes if is_plain(bytes) => true,
            bytes => {
                let found = CharacterKinds::new(bytes);
                if found.has_colon && has_scheme(reference) {
                    return Agreement::same_if(is_opaque(reference));
                }
                self.is_common(&found, rest)
            }
        };
        match &self.root {
            _ if is_common && is_reachable => Agreement::Same,
            Some(_) if is_common && rest.bytes().all(is_verbatim) => Agreement::AboveRoot(rest),
            _ => Agreement::Unknown,
        }
    }

    /// Whether every rule set takes a path, which is empty or begins with a slash, and the rest of the
    /// reference after it unchanged.
    fn is_common_path(&self, path: &str) -> bool {
        let bytes = path.as_bytes();
        is_plain(bytes) || self.is_common(&CharacterKinds::new(bytes), path)
    }

    fn is_common(&self, found: &CharacterKinds, text: &str) -> bool {
        (self.is_utf8 || found.is_ascii)
            && !found.is_rewritten
            && !(found.may_have_dots && has_dot_segment(text))
    }
}

/// The path of a base of common form; `None` if the base has another form.
fn common_path(base: &str) -> Option<&str> {
    let path = after_common_host(without_scheme(base)?)?;
    let end = path.bytes().position(|byte| matches!(byte, b'?' | b'#'));
    let (path, rest) = path.split_at(end.unwrap_or(path.len()));
    let bytes = path.as_bytes();
    let is_common = path.starts_with('/')
        && !bytes.windows(2).any(|pair| pair == b"//")
        && !bytes
            .iter()
            .any(|byte| matches!(byte, b'\\' | b';' | 0..=b' '))
        && (is_plain(bytes) || !has_dot_segment(path))
        && !rest.bytes().any(|byte| byte == b'#');
    is_common.then_some(path)
}

/// Scheme and host of a base of common form, with the slash after them, if browsers serialize them
/// unchanged.
fn root(base: &str) -> Option<Box<str>> {
    // Two of its slashes follow the scheme.
    let mut slashes = base.bytes().enumerate().filter(|(_, byte)| *byte == b'/');
    let root = &base[..=slashes.nth(2)?.0];
    (!root.bytes().any(|byte| byte.is_ascii_uppercase())).then(|| root.into())
}

/// Whether browsers leave an ASCII character unencoded in paths, queries and fragments.
fn is_verbatim(byte: u8) -> bool {
    byte.is_ascii_graphic()
        && !matches!(
            byte,
            b'"' | b'\'' | b'<' | b'>' | b'^' | b'`' | b'{' | b'}' | b'\\'
        )
}

/// The URL after `http://` or `https://`.
fn without_scheme(url: &str) -> Option<&str> {
    url.strip_prefix("http://")
        .or_else(|| url.strip_prefix("https://"))
}

/// The text after a host of common form, which is a name of letters, digits, dots and hyphens whose
/// last label starts with a letter. The text is empty or starts with a slash or a number sign.
fn after_common_host(text: &str) -> Option<&str> {
    let is_of_name = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-');
    let end = text.bytes().take_while(is_of_name).count();
    let (host, rest) = text.split_at(end);
    let host = host.as_bytes();
    let last = host.iter().rposition(|byte| *byte == b'.');
    let start = host.get(last.map_or(0, |dot| dot + 1));
    let is_common = start.is_some_and(u8::is_ascii_alphabetic)
        && matches!(rest.bytes().next(), None | Some(b'/' | b'#'));
    is_common.then_some(rest)
}

/// Whether [`super::clean`] trims the reference, after which its form would have to be examined again.
#[inline]
fn is_trimmed(reference: &str) -> bool {
    let bytes = reference.as_bytes();
    [bytes.first(), bytes.last()]
        .into_iter()
        .flatten()
        .any(|byte| *byte <= b' ')
}

/// Whether any rule set finds a scheme in the reference.
fn has_scheme(reference: &str) -> bool {
    scheme::end_of_rfc_1808(reference).is_some()
}

/// Whether no rule set changes a reference with a scheme, since the scheme is not special.
fn is_opaque(reference: &str) -> bool {
    scheme::end(reference).is_some() && !parts::is_special(reference)
}

/// Whether a segment after a slash is `.` or `..`, with or without escapes. Queries are searched, too.
fn has_dot_segment(text: &str) -> bool {
    let mut segments = text.split(['/', '?', '#']);
    // Callers have examined the text before the first slash.
    segments.next();
    segments.any(whatwg::is_dot_segment)
}

/// Whether the text after its first byte, which callers have examined, contains only ASCII characters
/// that browsers neither remove nor replace, no colon, and no segment that starts like a dot segment.
/// If not, [`CharacterKinds`] says what it contains.
#[inline]
fn is_plain(text: &[u8]) -> bool {
    let pairs = text.len().saturating_sub(1);
    let (before, bytes) = (&text[..pairs], &text[text.len() - pairs..]);
    let odd = match pairs {
        16.. => {
            let (chunks_before, rest) = before.as_chunks();
            let chunks = chunks_before.iter().zip(bytes.as_chunks().0);
            let odd = chunks.fold(Bytes16::splat(0), |odd, (before, bytes)| {
                odd | is_odd(*before, *bytes)
            });
            match (before.last_chunk(), bytes.last_chunk()) {
                // The last chunk overlaps the one before.
                (Some(before), Some(bytes)) if !rest.is_empty() => odd | is_odd(*before, *bytes),
                _ => odd,
            }
        }
        8.. => is_odd(ends::<8>(before), ends::<8>(bytes)),
        4.. => is_odd(ends::<4>(before), ends::<4>(bytes)),
        _ => {
            let mut padded = [[b'a'; 16]; 2];
            padded[0][..pairs].copy_from_slice(before);
            padded[1][..pairs].copy_from_slice(bytes);
            is_odd(padded[0], padded[1])
        }
    };
    odd.bits() == 0
}

/// The first and the last `N` bytes of a text of `N` to `2 * N`, for `N` up to 8.
#[inline]
fn ends<const N: usize>(text: &[u8]) -> [u8; 16] {
    let mut both = [b'a'; 16];
    if let (Some(first), Some(last)) = (text.first_chunk::<N>(), text.last_chunk::<N>()) {
        both[..N].copy_from_slice(first);
        both[N..2 * N].copy_from_slice(last);
    }
    both
}

/// Where bytes, each given with the one before it, are not [plain](is_plain), in the highest bits.
#[inline]
fn is_odd(before: [u8; 16], bytes: [u8; 16]) -> Bytes16 {
    let (before, bytes) = (Bytes16::new(before), Bytes16::new(bytes));
    let is = |byte| bytes.eq(Bytes16::splat(byte));
    let is_control = bytes.min(Bytes16::splat(0x1f)).eq(bytes);
    let is_dot = before.eq(Bytes16::splat(b'/')) & (is(b'.') | is(b'%'));
    bytes | is_control | is(b'\\') | is(b':') | is_dot
}

/// Kinds of characters found in a text.
#[expect(clippy::struct_excessive_bools, reason = "independent findings")]
struct CharacterKinds {
    is_ascii: bool,
    /// A character that browsers replace or remove.
    is_rewritten: bool,
    /// A segment that starts like a dot segment.
    may_have_dots: bool,
    has_colon: bool,
}

/// The bytes of one step: sixteen, each with the one before it.
const STEP: usize = 17;

impl CharacterKinds {
    /// Examines all bytes after the first, which callers have examined.
    #[inline]
    fn new(text: &[u8]) -> Self {
        let mut all = Masks::default();
        if let Some(last) = text.len().checked_sub(STEP) {
            let mut at = 0;
            while at < last {
                all.add(text, at);
                at += STEP - 1;
            }
            // The last step may overlap the one before, which changes nothing.
            all.add(text, last);
        } else {
            let mut padded = [b'a'; STEP];
            padded[..text.len()].copy_from_slice(text);
            all.add(&padded, 0);
        }
        Self {
            is_ascii: all.high.bits() == 0,
            is_rewritten: all.rewritten.bits() != 0,
            may_have_dots: all.dots.bits() != 0,
            has_colon: all.colons.bits() != 0,
        }
    }
}

/// The bytes of interest at each offset of a step, over all steps.
#[derive(Default)]
struct Masks {
    high: Bytes16,
    rewritten: Bytes16,
    dots: Bytes16,
    colons: Bytes16,
}

impl Masks {
    #[inline]
    fn add(&mut self, text: &[u8], at: usize) {
        let window = |at: usize| text.get(at..).and_then(<[u8]>::first_chunk).copied();
        let (Some(before), Some(bytes)) = (window(at), window(at + 1)) else {
            return;
        };
        let (before, bytes) = (Bytes16::new(before), Bytes16::new(bytes));
        let is = |byte| bytes.eq(Bytes16::splat(byte));
        let is_control = bytes.min(Bytes16::splat(0x1f)).eq(bytes);
        self.high |= bytes;
        self.rewritten |= is(b'\\') | is_control;
        self.dots |= before.eq(Bytes16::splat(b'/')) & (is(b'.') | is(b'%'));
        self.colons |= is(b':');
    }
}

/// Whether a browser goes to another resource than the RFC rule sets say: `url` is their result for a
/// reference, `browser` the result of the URL Standard.
///
/// Differences that the URL Standard always makes do not count: characters that it encodes, capitals
/// of scheme and host, an internationalised host in Punycode, a default port, an empty path, query or
/// fragment. The host has to be readable in `url`: only browsers take `https:/host/` to that host.
/// Schemes that are not special never lead elsewhere, as the URL Standard leaves them alone.
#[must_use]
pub fn is_elsewhere(url: Result<&str, ResolveError>, browser: Result<&str, ResolveError>) -> bool {
    match (url, browser) {
        (Ok(url), _) if is_opaque(url) => false,
        (Ok(url), Ok(browser)) => url != browser && !whatwg::is_notation_of(url, browser),
        (Err(_), Err(_)) => false,
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::{Resolver, Rules};
    use super::*;

    const BASE: &str = "http://a.example/b/c/d.html?q";

    /// Whether a browser goes elsewhere than the rule set says.
    fn differs(
        base: Option<&str>,
        encoding: &'static Encoding,
        rules: Rules,
        reference: &str,
    ) -> bool {
        let resolve = |rules| Resolver::new(rules, base, encoding).resolve(reference);
        let (url, browser) = (resolve(rules), resolve(Rules::Whatwg));
        is_elsewhere(
            url.as_deref().map_err(|e| *e),
            browser.as_deref().map_err(|e| *e),
        )
    }

    #[test]
    fn reference_read_differently_by_browsers_has_no_common_form() {
        for reference in [
            "https:/evil.example/x",
            "https:evil.example/x",
            "http:x",
            "http:///evil.example/",
            "HTTPS:\\\\evil.example",
            "\\\\evil.example\\x",
            "/\\evil.example/",
            "\\/evil.example/",
            "///evil.example/",
            "ht\ntp:/evil.example/",
            "http://0x7f.1/",
            "http://2130706433/",
            "http://017700000001/",
            "http://evil%2eexample/",
            "http://good.example\\@evil.example/",
            "http://ｅｖｉｌ.example/",
            "http://evil\u{3002}example/",
            "http://a b/",
            "http://h:99999/",
            "http://h:x/",
            "/x/../y",
            "/x/%2e%2E/y",
            "x/.%2e",
            "../../../y",
            "..\\y",
            "x\\y",
            "?",
            ";x",
            "10:30.html",
            "http://h/a\\b",
            "http://h/a/./b",
        ] {
            let mut common = CommonForm::new(Some(BASE), UTF_8);
            assert!(!common.covers(reference), "{reference}");
            assert!(
                differs(Some(BASE), UTF_8, Rules::Rfc1808, reference),
                "{reference}"
            );
        }
    }

    #[test]
    fn another_notation_is_not_elsewhere() {
        for reference in [
            "http://www.Example.org",
            "HTTP://h/",
            "http://h:80/x",
            "https://h:0443",
            "http://user:pass@h/",
            "http://b\u{fc}cher.example/\u{e9}?\u{e9}#\u{e9}",
            "a b\"<>`{|}^.html?a'b#",
            "g?",
            "#",
            "#\\../..",
            " ../g ",
            "\n/g\t",
            "//H.example",
            "mailto:a@b.example",
            "javascript:f('\\n')",
            "tel:+1 2",
            "foo://H/../x",
            "%zz",
            "a//b",
        ] {
            assert!(
                !differs(Some(BASE), UTF_8, Rules::Rfc1808, reference),
                "{reference}"
            );
        }
    }

    #[test]
    fn common_form_of_frequent_references() {
        let mut common = CommonForm::new(Some(BASE), UTF_8);
        for reference in [
            "",
            "#top",
            "x.html",
            "../x.html#a.b",
            "./x.html",
            "../../x/y/z.html?a=b&c=/d",
            "/",
            "/x;y",
            "//cdn.example/x.js",
            "?page=2",
            "https://www.example.org",
            "https://www.example.org/a/%E3%83%9A/b.html",
            "https://www.example.org/a/.well-known/b",
            "https://www.example.org#a",
            "file:///usr/share/doc/x.html",
            "mailto:a@b.example?subject=x",
            "javascript:void(0)",
            "data:text/plain,a\\b",
            "/wiki/Talk:x",
            "\u{e9}.html",
        ] {
            assert!(common.covers(reference), "{reference}");
        }
    }

    #[test]
    fn climb_above_root_is_recognised_unresolved() {
        let mut common = CommonForm::new(Some(BASE), UTF_8);
        assert_eq!(common.root(), "http://a.example/");
        for (reference, rest) in [
            ("../../../y", "y"),
            ("../.././../../y/z.html?q#f", "y/z.html?q#f"),
            ("../../../#f", "#f"),
            ("../../../", ""),
        ] {
            assert_eq!(common.agreement(reference), Agreement::AboveRoot(rest));
        }
        for reference in ["../../../a b", "../../../?", "../../..", "../../../x/../y"] {
            assert_eq!(
                common.agreement(reference),
                Agreement::Unknown,
                "{reference}"
            );
        }
        let mut common = CommonForm::new(Some("http://A.example/"), UTF_8);
        assert_eq!(common.agreement("../y"), Agreement::Unknown);
    }

    #[test]
    fn byte_of_interest_at_every_offset_and_length() {
        for length in 0..70 {
            let plain = "a/b".repeat(24)[..length].to_owned();
            assert!(is_plain(plain.as_bytes()), "{plain}");
            for at in 1..length {
                for odd in ["\\", ":", "\n", "\x1f"] {
                    let mut text = plain.clone();
                    text.replace_range(at..=at, odd);
                    assert!(!is_plain(text.as_bytes()), "{text}");
                }
                for odd in ["/.", "/%"] {
                    let mut text = plain.clone();
                    text.replace_range(at - 1..=at, odd);
                    assert!(!is_plain(text.as_bytes()), "{text}");
                }
            }
            assert!(!is_plain((plain + "a\u{e9}").as_bytes()));
        }
    }

    #[test]
    fn query_in_legacy_encoding_is_elsewhere() {
        let latin = encoding_rs::WINDOWS_1252;
        assert!(!CommonForm::new(Some(BASE), latin).covers("?\u{e9}"));
        assert!(differs(Some(BASE), latin, Rules::Rfc1808, "?\u{e9}"));
        assert!(CommonForm::new(Some(BASE), UTF_8).covers("?\u{e9}"));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(5_000))]

        #[test]
        fn common_form_resolves_alike_by_all_rule_sets(
            base in "(http://|https://|file:///|mailto:|)([a-c.]{1,3}|a\\.b)?\
                     (/[a-c.%2e;:\\\\#]{0,3}){0,3}(/[a-c.;]{0,2})?(\\?q)?(#f)?",
            before in "http://a\\.b/x",
            reference in "( |\t)?(http:|https:|HTTP:|file:|mailto:|9:|javascript:|ftp://|)(//|/|///|\\\\|)\
                          (a\\.b|1\\.2|0x7|a@b|a%2eb|\u{e9}|x:80|)\
                          (\\.\\./|\\./|/){0,3}[a-cA-C0-9./%2eE;:?#'| \\\\\u{e9}\t-]{0,24}",
            latin in any::<bool>(),
        ) {
            let encoding = if latin { encoding_rs::WINDOWS_1252 } else { UTF_8 };
            let base = Some(&*base).filter(|base| !base.is_empty());
            let mut common = CommonForm::new(base, encoding);
            // Remembering a host must not change the result.
            common.covers(&before);
            let is_elsewhere = |rules| differs(base, encoding, rules, &reference);
            match common.agreement(&reference) {
                Agreement::Same => {
                    let is_other = is_elsewhere(Rules::Rfc1808) || is_elsewhere(Rules::Rfc3986);
                    prop_assert!(!is_other, "{:?} {:?}", base, reference);
                }
                Agreement::AboveRoot(rest) => {
                    prop_assert!(is_elsewhere(Rules::Rfc1808) && !is_elsewhere(Rules::Rfc3986));
                    let url = common.root().to_owned() + rest;
                    let browser = Resolver::new(Rules::Whatwg, base, encoding).resolve(&reference);
                    prop_assert_eq!(browser, Ok(url), "{:?} {:?}", base, reference);
                }
                Agreement::Unknown => {}
            }
        }
    }

    #[test]
    fn relative_reference_without_base_has_no_url() {
        let mut common = CommonForm::new(None, UTF_8);
        assert!(common.covers("../x") && common.covers(""));
        let resolver = Resolver::new(Rules::Whatwg, None, UTF_8);
        assert_eq!(resolver.resolve("../x"), Err(ResolveError::NoBase));
    }
}
