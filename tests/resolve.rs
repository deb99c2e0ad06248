//! The tables in `fixtures/resolve/`, each row through the rule set that it is about.

use std::fmt::Write as _;

use baseref::resolve::{ResolveError, Resolver, Rules};
use encoding_rs::{Encoding, UTF_8};

#[test]
fn rfc1808_section_5_1_normal_examples() {
    check(Rules::Rfc1808, "rfc1808-5.1-normal.tsv", 24);
}

#[test]
fn rfc1808_section_5_2_abnormal_examples() {
    check(Rules::Rfc1808, "rfc1808-5.2-abnormal.tsv", 15);
}

#[test]
fn rfc1808_readings() {
    check(Rules::Rfc1808, "rfc1808-readings.tsv", 80);
}

#[test]
fn rfc3986_section_5_4_examples() {
    check(Rules::Rfc3986, "rfc3986-5.4.tsv", 42);
}

#[test]
fn rfc3986_readings() {
    check(Rules::Rfc3986, "rfc3986-readings.tsv", 42);
}

/// Runs the rows of `file`: base, reference, URL and perhaps a claim.
fn check(rules: Rules, file: &str, expected_rows: usize) {
    let mut failures = String::new();
    let rows = rows(file);
    for row in &rows {
        let [base, reference, url, claim @ ..] = &row[..] else {
            panic!("{file}: too few fields: {row:?}");
        };
        let outcome = outcome(rules, base, UTF_8, reference);
        if outcome != *url {
            let _ = writeln!(
                failures,
                "{base:?} + {reference:?}\n  {outcome:?}, not\n  {url:?} {claim:?}"
            );
        }
    }
    assert!(failures.is_empty(), "{file}\n{failures}");
    assert_eq!(rows.len(), expected_rows, "{file}: rows");
}

/// The URL, or `!` and the reason why there is none.
fn outcome(rules: Rules, base: &str, encoding: &'static Encoding, reference: &str) -> String {
    Resolver::new(rules, Some(base), encoding)
        .resolve(reference)
        .unwrap_or_else(|error: ResolveError| format!("!{}", error.as_str()))
}

/// The rows of a table, comments left out, escapes replaced.
fn rows(file: &str) -> Vec<Vec<String>> {
    let path = format!("{}/fixtures/resolve/{file}", env!("CARGO_MANIFEST_DIR"));
    let table = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{path}: {e}"));
    table
        .lines()
        .filter(|line| !line.starts_with("# "))
        .map(|line| line.split('\t').map(unescape).collect())
        .collect()
}

fn unescape(field: &str) -> String {
    let mut text = String::new();
    let mut rest = field;
    while let Some((before, escape)) = rest.split_once('\\') {
        text.push_str(before);
        let (c, after) = match escape.split_at(1) {
            ("t", after) => ('\t', after),
            ("n", after) => ('\n', after),
            ("\\", after) => ('\\', after),
            ("u", after) => {
                let (digits, after) = after[1..].split_once('}').unwrap();
                let code_point = u32::from_str_radix(digits, 16).unwrap();
                (char::from_u32(code_point).unwrap(), after)
            }
            _ => panic!("unknown escape in {field:?}"),
        };
        text.push(c);
        rest = after;
    }
    text + rest
}
