//! Checks values by the URL grammar of RFC 1808 §2.2, in one pass over the bytes.

use crate::rules::syntax::{
    backslash, bad_escape, bnf, control, extra_hash, national, non_ascii, whitespace,
};
use baseref_findings::Rule;
use baseref_resolve::rfc1808;

const NON_ASCII: u8 = 1;
const SPACE: u8 = 2;
const CONTROL: u8 = 4;
const BACKSLASH: u8 = 8;
const PERCENT: u8 = 16;
const HASH: u8 = 32;
const NATIONAL: u8 = 64;
const NEVER: u8 = 128;

/// The faults that the presence of a byte indicates.
static TABLE: [u8; 256] = {
    let mut table = [0; 256];
    let mut byte = 0_u8;
    loop {
        table[byte as usize] = match byte {
            0x80.. => NON_ASCII,
            b' ' => SPACE,
            0..0x20 | 0x7f => CONTROL,
            b'\\' => BACKSLASH,
            b'%' => PERCENT,
            b'#' => HASH,
            b'{' | b'}' | b'|' | b'^' | b'[' | b']' | b'`' => NATIONAL,
            // "punctuation", and the delimiters of URLs in text.
            b'<' | b'>' | b'"' => NEVER,
            _ => 0,
        };
        if byte == u8::MAX {
            break table;
        }
        byte += 1;
    }
};

/// Calls `found` with each rule that a value breaks, in the order of the documentation. Surrounding
/// white space is ignored.
pub(crate) fn check(value: &str, mut found: impl FnMut(&'static Rule)) {
    let value = value.trim_matches([' ', '\t', '\n', '\r', '\u{c}']);
    let bytes = value.bytes();
    let kinds = bytes.fold(0, |kinds, byte| kinds | TABLE[usize::from(byte)]);
    if kinds & !HASH != 0 || kinds & HASH != 0 && is_hash_doubled(value) {
        tell(value, kinds, &mut found);
    }
}

/// Splits a value that breaks none of the rules at its fragment; `None` if it may break one, or has
/// surrounding white space.
#[inline]
pub(crate) fn unremarkable(value: &str) -> Option<(&str, Option<&str>)> {
    let mut hash = None;
    let mut has_percent = false;
    for (at, byte) in value.bytes().enumerate() {
        match TABLE[usize::from(byte)] {
            0 => {}
            HASH if hash.is_none() => hash = Some(at),
            PERCENT => has_percent = true,
            _ => return None,
        }
    }
    if has_percent && has_bad_escape(value) {
        return None;
    }
    Some(match hash {
        Some(at) => (&value[..at], Some(&value[at + 1..])),
        None => (value, None),
    })
}

/// Whether a fragment breaks none of the rules and does not end in white space.
#[inline]
pub(crate) fn is_unremarkable_fragment(fragment: &str) -> bool {
    let bytes = fragment.bytes();
    let kinds = bytes.fold(0, |kinds, byte| kinds | TABLE[usize::from(byte)]);
    kinds == 0 || kinds == PERCENT && !has_bad_escape(fragment)
}

fn tell(value: &str, kinds: u8, found: &mut impl FnMut(&'static Rule)) {
    // Other schemes have their own grammars.
    let scheme = rfc1808::Parts::parse(value).scheme.to_ascii_lowercase();
    if !matches!(&*scheme, "" | "http" | "https" | "ftp" | "file") {
        return;
    }
    let broken = [
        (kinds & NON_ASCII != 0, &non_ascii::RULE),
        (kinds & SPACE != 0, &whitespace::RULE),
        (kinds & CONTROL != 0, &control::RULE),
        (kinds & BACKSLASH != 0, &backslash::RULE),
        (
            kinds & PERCENT != 0 && has_bad_escape(value),
            &bad_escape::RULE,
        ),
        (
            kinds & HASH != 0 && is_hash_doubled(value),
            &extra_hash::RULE,
        ),
        (
            kinds & NATIONAL != 0 && has_national(value),
            &national::RULE,
        ),
        (kinds & NEVER != 0, &bnf::RULE),
    ];
    for (_, rule) in broken.into_iter().filter(|(is_broken, _)| *is_broken) {
        found(rule);
    }
}

fn is_hash_doubled(value: &str) -> bool {
    value.bytes().filter(|byte| *byte == b'#').count() > 1
}

fn has_bad_escape(value: &str) -> bool {
    let mut parts = value.split('%').skip(1);
    parts.any(|after| {
        let digits = after.as_bytes().get(..2);
        !digits.is_some_and(|digits| digits.iter().all(u8::is_ascii_hexdigit))
    })
}

/// Whether a value contains a national character, apart from the brackets of an IPv6 host, which
/// RFC 3986 §3.2.2 allows.
fn has_national(value: &str) -> bool {
    let authority = value.find("//").map_or("", |slashes| {
        let after = &value[slashes + 2..];
        &after[..after.find(['/', '?', '#']).unwrap_or(after.len())]
    });
    let is_national = |text: &str| text.bytes().any(|b| TABLE[usize::from(b)] == NATIONAL);
    let (before, after) = value.split_once(authority).unwrap_or((value, ""));
    is_national(before) || is_national(after) || is_national(&authority.replace(['[', ']'], ""))
}

/// Whether a value as written in the source has a character reference without a semicolon that was
/// decoded, given the decoded value.
pub(crate) fn has_ambiguous_reference(source: &[u8], value: &str) -> bool {
    let mut parts = source.split(|byte| *byte == b'&').skip(1);
    parts.any(|after| {
        let name = after
            .iter()
            .take_while(|b| b.is_ascii_alphanumeric())
            .count();
        let is_open = name > 0 && after.get(name) != Some(&b';');
        // A reference that was not decoded still occurs in the value.
        is_open
            && std::str::from_utf8(&after[..name])
                .is_ok_and(|name| !value.contains(&format!("&{name}")))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn broken(value: &str) -> Vec<&'static str> {
        let mut ids = Vec::new();
        check(value, |rule| {
            ids.push(rule.id.trim_start_matches("syntax/"));
        });
        ids
    }

    #[test]
    fn each_rule_has_its_bytes() {
        for (value, expected) in [
            ("../a.html?b=c&d=e#f", &[][..]),
            ("  a.html\n", &[]),
            ("~user/(a);v=1,2'*!$_@:", &[]),
            ("caf\u{e9}.html", &["non-ascii"]),
            ("sp ace.html", &["whitespace"]),
            ("a\nb", &["control"]),
            ("..\\a.html", &["backslash"]),
            ("g%zz", &["bad-escape"]),
            ("g%2", &["bad-escape"]),
            ("g%2f", &[]),
            ("a#b#c", &["extra-hash"]),
            ("a{b}", &["national"]),
            ("http://[::1]/", &[]),
            ("http://[::1]/[a]", &["national"]),
            // "fsegment" may begin with a colon.
            (":a", &[]),
            ("a<b>\"{", &["national", "bnf"]),
            ("a b\\%", &["whitespace", "backslash", "bad-escape"]),
            ("javascript:a('b c')", &[]),
            ("mailto:A <a@b>", &[]),
            ("http://a/ b", &["whitespace"]),
            ("", &[]),
        ] {
            assert_eq!(broken(value), expected, "{value:?}");
        }
    }

    #[test]
    fn unremarkable_values_break_no_rule() {
        for value in [
            "",
            "a",
            "a?b#c%20d",
            "#",
            "a#b#c",
            "a#b%",
            " a",
            "a ",
            "a b",
            "\u{e9}",
            "a\\b",
            "a[",
            "a>",
        ] {
            let found = unremarkable(value);
            let breaks_none = broken(value).is_empty() && value == value.trim();
            assert_eq!(found.is_some(), breaks_none, "{value:?}");
            if !value.contains('#') {
                assert_eq!(is_unremarkable_fragment(value), breaks_none, "{value:?}");
            }
        }
        assert!(!is_unremarkable_fragment("#"));
        assert_eq!(unremarkable("a?b#c"), Some(("a?b", Some("c"))));
        assert_eq!(unremarkable("#"), Some(("", Some(""))));
        assert_eq!(unremarkable("a"), Some(("a", None)));
    }

    #[test]
    fn decoded_reference_without_semicolon_is_ambiguous() {
        assert!(has_ambiguous_reference(b"?a=1&copy", "?a=1\u{a9}"));
        assert!(!has_ambiguous_reference(b"?a=1&copy=2", "?a=1&copy=2"));
        assert!(!has_ambiguous_reference(b"?a=1&amp;b=2", "?a=1&b=2"));
    }
}
