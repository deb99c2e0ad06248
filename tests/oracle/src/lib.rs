//! Compares the WHATWG rule set of baseref with `ada-url`, which passes all web-platform tests for
//! URLs.

#![cfg(test)]

use std::collections::HashSet;
use std::path::PathBuf;

use baseref_resolve::{Rules, resolve};

#[path = "../../reading/table/mod.rs"]
mod table;

/// How many generated references are compared.
const GENERATED: usize = 1_000_000;

/// The bases that generated references are resolved against, and grown from.
const BASES: &[&str] = &[
    "",
    "http://a/b/c/d;p?q#f",
    "https://u:p@host.example:81/x/y?z",
    "http://h",
    "http://h//",
    "ws://h/?q",
    "ftp://h/a/",
    "file:///",
    "file:///x/y?q#f",
    "file:///C:/a/b",
    "file:///C:",
    "file://h/a/b",
    "file://h/C:/a/b",
    "file:////x",
    "x://h",
    "x://h/a/b?q",
    "x:///a",
    "x:/a/b",
    "x:/.//a/b",
    "x:/C:/x",
    "x:a/b?q#f",
    "x:a b  ?q",
    "x:",
    "mailto:a@b",
    "about:blank",
    "a/b",
    "http://h:x/",
];

/// Characters that the states of the parser look for, and unexpected ones.
#[rustfmt::skip]
const PIECES: &[&str] = &[
    "http:", "https:", "HTTP:", "file:", "ws:", "wss:", "ftp:", "x:", "mailto:", "1x:",
    "//", "/", "\\", "///", ":", "@", "?", "#", ".", "..", "...", "..a", "a..",
    "%2e", "%2E%2e", "%2e.", "%", "%41", "%zz", "%00", "%C3%A9", "%7C", "%5C", "%2F",
    "a", "b", "d", "q", "x=1", "e/f", "C|", "c:", "C:", "localhost", "h", "host.example", "EXAMPLE.com",
    "1.2.3.4", "0x7f.1", "256", "0", "1", "80", "443", "21", "65535", "65536", "00080",
    "[::1]", "[1::8]", "[::1.2.3.4]", "[", "]", "^", "|", "`", "{", "}", " ", "  ", "\"", "'", "<", ">",
    "&", "~", "-", "_", "!", "$", "*", "+", ",", ";", "=", "(", ")",
    "\0", "\u{1f}", "\u{7f}", "\u{80}", "\t", "\n", "\r",
    "é", "ß", "☃", "😀", "ｅｘ", "。", "\u{ad}", "\u{200d}", "\u{fffd}", "\u{fdd0}", "xn--a", "xn--nxa", "XN--9CA",
];

/// More ranges of characters for hosts: scripts on which the IDNA tables of all Unicode versions
/// agree, without combining marks and right-to-left letters, since the oracle's normalization and
/// Bidi rule are known differences.
const SCRIPTS: &[(char, char)] = &[
    (' ', '~'),
    ('\u{a0}', '\u{17f}'),
    ('\u{391}', '\u{3c9}'),
    ('\u{410}', '\u{44f}'),
    ('\u{905}', '\u{94d}'),
    ('\u{e01}', '\u{e30}'),
    ('\u{1e00}', '\u{1eff}'),
    ('\u{2000}', '\u{206f}'),
    ('\u{2150}', '\u{218b}'),
    ('\u{3041}', '\u{30ff}'),
    ('\u{4e00}', '\u{9fa5}'),
    ('\u{ac00}', '\u{d7a3}'),
    ('\u{e000}', '\u{e0ff}'),
    ('\u{ff01}', '\u{ff5e}'),
    ('\u{1f300}', '\u{1f64f}'),
];

#[test]
fn cases_match_oracle() {
    let rows = table::rows(&package(), "whatwg.tsv");
    assert!(!rows.is_empty());
    for row in rows {
        let [base, reference, url, claim] = &row[..] else {
            panic!("not four fields: {row:?}");
        };
        let url = Some(url).filter(|url| !url.starts_with('!'));
        let oracle = by_oracle(base, reference);
        assert_eq!(oracle.as_ref(), url, "{base:?} + {reference:?}: {claim}");
    }
}

#[test]
fn known_differences_match_oracle() {
    let rows = table::rows(&package(), "whatwg-known-differences.tsv");
    assert!(!rows.is_empty());
    for row in rows {
        let [reference, base, _, url, reason] = &row[..] else {
            panic!("not five fields: {row:?}");
        };
        let oracle = by_oracle(base, reference).unwrap_or("!invalid".to_owned());
        assert_eq!(oracle, *url, "{reference:?}: {reason}");
    }
}

#[test]
fn generated_references_match_oracle() {
    let known: HashSet<(String, String)> = first_two_fields("whatwg-known-differences.tsv")
        .map(|(reference, base)| (base, reference))
        .collect();
    let seeds: Vec<(String, String)> = first_two_fields("whatwg.tsv").collect();
    let mut random = fastrand::Rng::with_seed(1808);
    let (mut urls, mut failures, mut differences) = (0, 0, Vec::new());
    for _ in 0..GENERATED {
        let case = generate(&mut random, &seeds);
        let (base, reference) = &case;
        let oracle = by_oracle(base, reference);
        match oracle {
            Some(_) => urls += 1,
            None => failures += 1,
        }
        let ours = resolve(Rules::Whatwg, Some(base), reference).ok();
        if ours != oracle && !known.contains(&case) {
            differences.push(format!(
                "{base:?} + {reference:?}\n  {ours:?}, not\n  {oracle:?}"
            ));
        }
    }
    let count = differences.len();
    differences.truncate(20);
    assert!(
        count == 0,
        "{count} differences\n{}",
        differences.join("\n")
    );
    assert!(
        urls > GENERATED / 3 && failures > GENERATED / 10,
        "{urls} URLs, {failures} failures"
    );
}

fn package() -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

fn first_two_fields(file: &str) -> impl Iterator<Item = (String, String)> {
    table::rows(&package(), file)
        .into_iter()
        .map(|row| (row[0].clone(), row[1].clone()))
}

/// The oracle's URL. An invalid base does not matter to an absolute reference here, nor in HTML,
/// where no document has such a base.
fn by_oracle(base: &str, reference: &str) -> Option<String> {
    let base = Some(base).filter(|base| ada_url::Url::can_parse(*base, None));
    let url = ada_url::Url::parse(reference, base).ok()?;
    Some(url.href().to_owned())
}

/// A base and a reference: assembled pieces, a host of many scripts, or one of our bases or cases
/// with pieces inserted, removed or replaced.
fn generate(random: &mut fastrand::Rng, seeds: &[(String, String)]) -> (String, String) {
    let base = pick(random, BASES).to_string();
    match random.u8(..5) {
        0 => (base, pieces(random, 10)),
        1 => {
            let start = pick(random, &["http://", "https://", "file://", "x://", "//"]);
            let host = host(random);
            (base, format!("{start}{host}"))
        }
        2 => {
            let start = pick(random, BASES);
            (base, mutate(random, start))
        }
        3 => {
            let (base, reference) = pick(random, seeds);
            (mutate(random, base), reference.clone())
        }
        _ => {
            let (base, reference) = pick(random, seeds);
            (base.clone(), mutate(random, reference))
        }
    }
}

fn pick<'t, T>(random: &mut fastrand::Rng, from: &'t [T]) -> &'t T {
    &from[random.usize(..from.len())]
}

fn pieces(random: &mut fastrand::Rng, most: usize) -> String {
    (0..random.usize(1..most))
        .map(|_| *pick(random, PIECES))
        .collect()
}

fn host(random: &mut fastrand::Rng) -> String {
    let mut host = String::new();
    for _ in 0..random.usize(1..6) {
        if random.bool() {
            let (first, last) = *pick(random, SCRIPTS);
            host.push(random.char(first..=last));
        } else {
            host.push_str(pick::<&str>(random, PIECES));
        }
    }
    host
}

fn mutate(random: &mut fastrand::Rng, text: &str) -> String {
    let mut characters: Vec<char> = text.chars().collect();
    for _ in 0..random.usize(1..4) {
        let start = random.usize(..=characters.len());
        let end = (start + random.usize(..3)).min(characters.len());
        let piece = pieces(random, 3);
        characters.splice(start..end, piece.chars());
    }
    characters.into_iter().collect()
}
