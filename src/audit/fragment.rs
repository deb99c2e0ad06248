//! Whether the fragment of a URL points to something.

use percent_encoding::percent_decode_str;

use crate::document::hash_of;

/// The part of a fragment that names an element; `None` if it is not judged.
///
/// Not judged are the empty fragment and `top` (HTML "select the indicated part"), text directives
/// (URL Fragment Text Directives §3.1), and the internal routes of single-page applications: `#/…`
/// and `#!…`.
pub(super) fn judged(fragment: &str) -> Option<&str> {
    // Tildes are rare.
    let name = match memchr::memchr(b'~', fragment.as_bytes()) {
        Some(_) => fragment.split(":~:").next().unwrap_or_default(),
        None => fragment,
    };
    let is_judged =
        !name.is_empty() && !name.eq_ignore_ascii_case("top") && !name.starts_with(['/', '!']);
    is_judged.then_some(name)
}

/// Whether `fragment`, as written or else percent-decoded, is among the names with these sorted
/// hashes.
pub(super) fn is_among(fragment: &str, hashes: &[u64]) -> bool {
    let has = |name: &str| hashes.binary_search(&hash_of(name)).is_ok();
    has(fragment)
        || fragment.contains('%') && has(&percent_decode_str(fragment).decode_utf8_lossy())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_directives_applications_and_the_top_are_not_judged() {
        for (fragment, expected) in [
            ("a", Some("a")),
            ("a:~:text=b", Some("a")),
            (":~:text=b", None),
            ("", None),
            ("TOP", None),
            ("/route", None),
            ("!route", None),
            ("t=10", Some("t=10")),
        ] {
            assert_eq!(judged(fragment), expected, "{fragment}");
        }
    }

    #[test]
    fn the_name_as_written_comes_before_the_decoded_one() {
        let mut hashes = ["a%20b", "\u{e9}", "c d"].map(hash_of);
        hashes.sort_unstable();
        assert!(is_among("a%20b", &hashes));
        assert!(is_among("%C3%A9", &hashes));
        assert!(is_among("c%20d", &hashes));
        assert!(!is_among("a b", &hashes));
        assert!(!is_among("C%20d", &hashes));
    }
}
