//! Properties of every base and every reference.

use baseref_resolve::{Resolver, Rules, clean, resolve};
use encoding_rs::{ISO_2022_JP, UTF_8, UTF_16LE, WINDOWS_1252};
use proptest::prelude::*;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4_000))]

    #[test]
    fn any_input_and_errors_write_nothing(
        base in any_text(),
        reference in any_text(),
        rules in any_rules(),
        encoding in prop::sample::select(vec![UTF_8, UTF_16LE, WINDOWS_1252, ISO_2022_JP]),
    ) {
        let resolver = Resolver::new(rules, Some(&base), encoding);
        let mut out = String::from("é/..");
        match resolver.resolve_into(&reference, &mut out) {
            Ok(()) => {
                let url = resolver.resolve(&reference).map(|url| String::from("é/..") + &url);
                prop_assert_eq!(url, Ok(out));
            }
            Err(error) => {
                prop_assert_eq!(out, "é/..");
                prop_assert_eq!(resolver.resolve(&reference), Err(error));
            }
        }
    }

    #[test]
    fn absolute_reference_by_rfc(
        base in any_text(),
        scheme in "[a-z][a-z0-9+.-]{0,4}",
        rest in any_text(),
        rules in prop::sample::select(vec![Rules::Rfc1808, Rules::Rfc3986]),
    ) {
        let reference = format!("{scheme}:{rest}");
        prop_assert_eq!(resolve(rules, Some(&base), &reference), resolve(rules, None, &reference));
    }

    /// `http:g` is relative for the WHATWG rule set when the base is an `http` URL too,
    /// and `file:g` when it is a `file` URL; no scheme is so with two slashes after it.
    #[test]
    fn absolute_reference_by_whatwg(
        base in any_text(),
        scheme in prop::sample::select(vec!["http", "https", "ws", "wss", "ftp", "file", "x"]),
        rest in any_text(),
    ) {
        let reference = format!("{scheme}://{rest}");
        prop_assert_eq!(
            resolve(Rules::Whatwg, Some(&base), &reference),
            resolve(Rules::Whatwg, None, &reference)
        );
    }

    /// An absolute URL is unchanged, except that the base may end with white space, which is
    /// removed when the result is read as a reference.
    #[test]
    fn idempotent_by_rfc1808(base in any_base(), reference in any_text()) {
        if let Ok(url) = resolve(Rules::Rfc1808, Some(&base), &reference) {
            let twice = resolve(Rules::Rfc1808, Some(&base), &url);
            prop_assert_eq!(twice.as_deref(), Ok(&*clean(&url)));
        }
    }

    /// An absolute URI loses its dot segments, but an inherited path keeps those of the base: the
    /// base must itself have been resolved.
    #[test]
    fn idempotent_by_rfc3986(base in any_base(), reference in any_text()) {
        if let Ok(base) = resolve(Rules::Rfc3986, None, &base)
            && let Ok(url) = resolve(Rules::Rfc3986, Some(&base), &reference)
            && clean(&url) == url
        {
            prop_assert_eq!(resolve(Rules::Rfc3986, Some(&base), &url), Ok(url));
        }
    }

    #[test]
    fn idempotent_by_whatwg(base in any_base(), reference in any_text()) {
        if let Ok(url) = resolve(Rules::Whatwg, Some(&base), &reference) {
            prop_assert_eq!(resolve(Rules::Whatwg, None, &url), Ok(url));
        }
    }

    #[test]
    fn rfc1808_linear_matches_literal(
        base in any_base(),
        reference in prop_oneof![url_like(), "[a/.;?#:]{0,16}"],
    ) {
        let ours = resolve(Rules::Rfc1808, Some(&base), &reference);
        prop_assert_eq!(ours, Ok(to_the_letter::resolve(&clean(&base), &clean(&reference))));
    }
}

/// Every base and every reference of few letters, so that no combination of short segments is left
/// to chance.
#[test]
fn rfc1808_linear_matches_literal_on_short_paths() {
    let references = short_paths(5);
    for path in short_paths(6) {
        for prefix in ["x:", "x://h"] {
            let base = format!("{prefix}{path}");
            for reference in &references {
                assert_eq!(
                    resolve(Rules::Rfc1808, Some(&base), reference),
                    Ok(to_the_letter::resolve(&base, reference)),
                    "{reference} at {base}"
                );
            }
        }
    }
}

/// All strings of up to `length` of the characters of which dot segments are made, and another.
fn short_paths(length: usize) -> Vec<String> {
    let mut paths = vec![String::new()];
    let mut first = 0;
    for _ in 0..length {
        let last = paths.len();
        for index in first..last {
            let longer = ["a", ".", "/"].map(|next| format!("{}{next}", paths[index]));
            paths.extend(longer);
        }
        first = last;
    }
    paths
}

/// Tens of thousands of segments that each remove one, or cannot: at non-linear cost this test
/// would not finish.
#[test]
fn deep_paths_resolve() {
    const SEGMENTS: usize = 200_000;
    for rules in Rules::ALL {
        let down = "a/".repeat(SEGMENTS);
        let up = "../".repeat(SEGMENTS);
        let base = format!("http://h/{down}");
        assert_eq!(
            resolve(rules, Some(&base), &format!("{up}g")).as_deref(),
            Ok("http://h/g"),
            "{rules}"
        );
        let climbed = resolve(rules, Some("http://h/"), &format!("{up}g")).unwrap();
        let kept = if rules == Rules::Rfc1808 { SEGMENTS } else { 0 };
        assert_eq!(climbed.matches("../").count(), kept, "{rules}");
    }
}

fn any_rules() -> impl Strategy<Value = Rules> {
    prop::sample::select(Rules::ALL.to_vec())
}

/// Strings rich in the characters that matter to the algorithms, and arbitrary ones.
fn any_text() -> impl Strategy<Value = String> {
    prop_oneof![
        url_like(),
        "[a/.;?#:%2eE\\\\ @\\[\\]^|\t\u{0}é-]{0,16}",
        ".{0,12}"
    ]
}

/// Strings that have a scheme, most of them with a location.
fn any_base() -> impl Strategy<Value = String> {
    let start = prop::sample::select(vec![
        "http://a",
        "http://a/",
        "http://",
        "file:///",
        "file:///C:/",
        "x:",
        "x:/",
        "x://h",
        "1x:/",
    ]);
    (start, url_like()).prop_map(|(start, rest)| start.to_owned() + &rest)
}

fn url_like() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        ".", "..", "/", "/", "//", "./", "../", "a", "b", "a/", ";", "?", "#", ":", "...", ".a",
        "%2e", "C:", " ", "é",
    ]);
    prop::collection::vec(piece, 0..10).prop_map(|pieces| pieces.concat())
}

/// RFC 1808 again, §4 step 6 as the string patterns that its text names.
mod to_the_letter {
    struct Components {
        scheme: String,
        /// With the slashes before it; empty if absent.
        net_loc: String,
        slash: String,
        path: String,
        params: String,
        query: String,
        fragment: String,
    }

    fn parse(url: &str) -> Components {
        let mut parse_string = url.to_owned();
        // §2.4.1
        let fragment = cut_from(&mut parse_string, "#");
        // §2.4.2
        let not_scheme = |c: char| !(c.is_ascii_alphanumeric() || "+.-".contains(c));
        let scheme = match parse_string.find(not_scheme) {
            Some(at) if at > 0 && parse_string[at..].starts_with(':') => {
                let rest = parse_string.split_off(at + 1);
                std::mem::replace(&mut parse_string, rest).replace(':', "")
            }
            _ => String::new(),
        };
        // §2.4.3
        let mut net_loc = String::new();
        if parse_string.starts_with("//") {
            let end = parse_string[2..]
                .find('/')
                .map_or(parse_string.len(), |at| at + 2);
            let rest = parse_string.split_off(end);
            net_loc = std::mem::replace(&mut parse_string, rest);
        }
        // §2.4.4
        let query = cut_from(&mut parse_string, "?");
        // §2.4.5
        let params = cut_from(&mut parse_string, ";");
        // §2.4.6
        let path = parse_string.trim_start_matches('/').len();
        let slash = if path < parse_string.len() { "/" } else { "" };
        Components {
            scheme,
            net_loc,
            slash: slash.to_owned(),
            path: parse_string[slash.len()..].to_owned(),
            params,
            query,
            fragment,
        }
    }

    fn cut_from(parse_string: &mut String, delimiter: &str) -> String {
        match parse_string.find(delimiter) {
            Some(at) => parse_string.split_off(at)[1..].to_owned(),
            None => String::new(),
        }
    }

    pub fn resolve(base: &str, embedded: &str) -> String {
        // Step 2a
        if embedded.is_empty() {
            return base.to_owned();
        }
        let text = embedded;
        let base = parse(base);
        let mut embedded = parse(embedded);
        // Step 2b
        if !embedded.scheme.is_empty() {
            return text.to_owned();
        }
        // Step 2c
        embedded.scheme = base.scheme;
        'skip_to_step_7: {
            // Step 3
            if !embedded.net_loc.trim_start_matches("//").is_empty() {
                break 'skip_to_step_7;
            }
            embedded.net_loc = base.net_loc;
            // Step 4
            if !embedded.slash.is_empty() {
                break 'skip_to_step_7;
            }
            // Step 5
            if embedded.path.is_empty() {
                embedded.slash = base.slash;
                embedded.path = base.path;
                if !embedded.params.is_empty() {
                    break 'skip_to_step_7;
                }
                embedded.params = base.params;
                if !embedded.query.is_empty() {
                    break 'skip_to_step_7;
                }
                embedded.query = base.query;
                break 'skip_to_step_7;
            }
            // Step 6, with the reading that a net_loc and a path are joined by a slash
            embedded.slash = base.slash;
            if !embedded.net_loc.is_empty() {
                "/".clone_into(&mut embedded.slash);
            }
            let end = base.path.rfind('/').map_or(0, |slash| slash + 1);
            embedded.path = step_6(base.path[..end].to_owned() + &embedded.path);
        }
        // Step 7
        let mut url = embedded.scheme + ":" + &embedded.net_loc + &embedded.slash + &embedded.path;
        for (delimiter, component) in [
            (";", embedded.params),
            ("?", embedded.query),
            ("#", embedded.fragment),
        ] {
            if !component.is_empty() {
                url = url + delimiter + &component;
            }
        }
        url
    }

    fn step_6(mut path: String) -> String {
        // a) "All occurrences of "./", where "." is a complete path segment, are removed."
        while let Some(at) = segments(&path).find(|&at| path[at..].starts_with("./")) {
            path.replace_range(at..at + 2, "");
        }
        // b) "If the path ends with "." as a complete path segment, that "." is removed."
        if let Some(at) = segments(&path).find(|&at| &path[at..] == ".") {
            path.truncate(at);
        }
        // c) "All occurrences of "<segment>/../", where <segment> is a complete path segment
        // not equal to "..", are removed", "the leftmost matching pattern on each iteration"
        while let Some((at, end)) = segments(&path).find_map(|at| {
            let (segment, rest) = path[at..].split_once('/')?;
            (segment != ".." && rest.starts_with("../"))
                .then_some((at, at + segment.len() + "/../".len()))
        }) {
            path.replace_range(at..end, "");
        }
        // d) "If the path ends with "<segment>/..", where <segment> is a complete path segment
        // not equal to "..", that "<segment>/.." is removed."
        if let Some(at) = segments(&path).find(|&at| {
            path[at..]
                .split_once('/')
                .is_some_and(|(segment, rest)| segment != ".." && rest == "..")
        }) {
            path.truncate(at);
        }
        path
    }

    /// Where the segments of a path start.
    fn segments(path: &str) -> std::vec::IntoIter<usize> {
        let after_slashes = path.match_indices('/').map(|(slash, _)| slash + 1);
        let starts: Vec<usize> = std::iter::once(0).chain(after_slashes).collect();
        starts.into_iter()
    }
}
