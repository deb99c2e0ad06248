//! The tables in `fixtures/resolve/`, with each row resolved by its rule set.

use std::fmt::Write as _;

use baseref_resolve::{ResolveError, Resolver, Rules};
use encoding_rs::{Encoding, UTF_8};

fn rows(file: &str) -> Vec<Vec<String>> {
    crate::table::rows(env!("CARGO_MANIFEST_DIR").as_ref(), file)
}

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
    check(Rules::Rfc1808, "rfc1808-readings.tsv", 82);
}

#[test]
fn rfc3986_section_5_4_examples() {
    check(Rules::Rfc3986, "rfc3986-5.4.tsv", 42);
}

#[test]
fn rfc3986_readings() {
    check(Rules::Rfc3986, "rfc3986-readings.tsv", 42);
}

#[test]
fn whatwg_cases() {
    check(Rules::Whatwg, "whatwg.tsv", 148);
}

#[test]
fn whatwg_queries_in_the_encoding_of_the_document() {
    let rows = rows("whatwg-encodings.tsv");
    for row in &rows {
        let [label, base, reference, url, claim] = &row[..] else {
            panic!("not five fields: {row:?}");
        };
        let encoding = Encoding::for_label(label.as_bytes()).expect("the label names an encoding");
        assert_eq!(
            outcome(Rules::Whatwg, base, encoding, reference),
            *url,
            "{label} {reference:?}: {claim}"
        );
    }
    assert_eq!(rows.len(), 30);
}

/// Known differences from the oracle in `tests/oracle/`. Rows that no longer differ must be removed
/// from the file.
#[test]
fn whatwg_known_differences_still_differ() {
    let rows = rows("whatwg-known-differences.tsv");
    for row in &rows {
        let [reference, base, ours, oracle, reason] = &row[..] else {
            panic!("not five fields: {row:?}");
        };
        assert_eq!(
            outcome(Rules::Whatwg, base, UTF_8, reference),
            *ours,
            "{reference:?}: {reason}"
        );
        assert_ne!(ours, oracle, "{reference:?} is no difference");
    }
    assert_eq!(rows.len(), 6);
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
