//! The part of a fragment that is an id.

use percent_encoding::percent_decode_str;

/// The part of a fragment that is the id of an element; `None` if there is none, or it cannot be
/// checked.
///
/// Not checked are the empty fragment and `top`, even if escaped (HTML "select the indicated part"
/// decodes it first), text directives (URL Fragment Text Directives §3.1), and routes of single-page
/// applications: `#/…` and `#!…`.
#[must_use]
pub fn name_in(fragment: &str) -> Option<&str> {
    // Tildes are rare.
    let name = match memchr::memchr(b'~', fragment.as_bytes()) {
        Some(_) => fragment.split(":~:").next().unwrap_or_default(),
        None => fragment,
    };
    let is_judged = !name.is_empty() && !is_top(name) && !name.starts_with(['/', '!']);
    is_judged.then_some(name)
}

/// Whether a fragment is `top`, with or without escapes.
fn is_top(fragment: &str) -> bool {
    const TOP: &[u8] = b"top";
    const ESCAPED: usize = 3 * TOP.len();
    (TOP.len()..=ESCAPED).contains(&fragment.len())
        && percent_decode_str(fragment)
            .map(|byte| byte.to_ascii_lowercase())
            .eq(TOP.iter().copied())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_directives_routes_and_top_are_not_checked() {
        for (fragment, expected) in [
            ("a", Some("a")),
            ("a:~:text=b", Some("a")),
            (":~:text=b", None),
            ("", None),
            ("TOP", None),
            ("%74op", None),
            ("%54%4f%50", None),
            ("t%6Fp:~:text=b", None),
            ("%2574op", Some("%2574op")),
            ("%74opic", Some("%74opic")),
            ("/route", None),
            ("!route", None),
            ("t=10", Some("t=10")),
        ] {
            assert_eq!(name_in(fragment), expected, "{fragment}");
        }
    }
}
