//! Tests of patterns.

use super::*;

#[test]
fn broken_patterns() {
    for source in [
        "(a", "a)", "[a", "*a", "a|+", "(?:*)", "a**", "a\\", "[^]", "((a)",
    ] {
        assert!(is_broken(source), "{source}");
    }
    for source in [
        "a*+",
        "a+?b",
        "[]a]",
        "[[:alpha:]]*",
        "(?i)a",
        "(?<n>a)*",
        "(?=a)b",
        "()*",
        r"\(",
        "a{2}{3}",
        "^*",
        "a|",
        "(?R)",
        "[\\]]",
    ] {
        assert!(!is_broken(source), "{source}");
    }
}

fn first(pattern: &str, text: &str) -> Option<String> {
    let pattern = Pattern::new(pattern, false).unwrap();
    let groups = pattern.find(text.as_bytes(), &Work::new());
    let groups = groups.unwrap()?;
    Some(String::from_utf8_lossy(groups.get(0, text.as_bytes())).into_owned())
}

#[test]
fn pcre_syntax_is_translated() {
    for (pattern, text) in [
        (r"^/a{b$", "/a{b"),
        (r"^[[a]+$", "[a["),
        (r"^[a&&b~~--]+$", "a&b~-"),
        (r"^/\<x\>$", "/<x>"),
        (r"^[]x]+$", "x]"),
        (r"^/x(?!y)", "/x"),
        (r"^/(a)\1$", "/aa"),
        (r"^[[:alpha:]]{2}$", "ab"),
    ] {
        assert_eq!(first(pattern, text).as_deref(), Some(text), "{pattern}");
    }
}

#[test]
fn possessive_repetition_does_not_backtrack() {
    for (pattern, text, expected) in [
        ("^/a++a$", "/aaa", None),
        ("^/a*+b$", "/aab", Some("/aab")),
        ("^/a{2}+a$", "/aaa", Some("/aaa")),
        ("^/a?+a$", "/a", None),
        (r"^/a\++$", "/a++", Some("/a++")),
        (r"^/a{1}\x{61}+a$", "/aaaa", Some("/aaaa")),
        ("^/[*+]+$", "/++", Some("/++")),
        ("^/(a+)+$", "/aa", Some("/aa")),
    ] {
        assert_eq!(first(pattern, text).as_deref(), expected, "{pattern}");
    }
    assert!(
        !Pattern::new(r"^/a\++[*+]+(a+)+\x{61}+$", false)
            .unwrap()
            .steps_back()
    );
}

#[test]
fn literal_prefix_of_all_matches() {
    for (pattern, prefix) in [
        ("^/a/b", "/a/b"),
        (r"^/a\.html$", "/a.html"),
        ("^/ab*", "/a"),
        ("^/a|b", ""),
        ("^/a(b|c)", "/a"),
        ("/a", ""),
        (r"^/a\d", "/a"),
        ("^/a[|]b", "/a"),
    ] {
        assert_eq!(literal_prefix(pattern), prefix.as_bytes(), "{pattern}");
    }
}

#[test]
fn unsupported_pattern_is_an_error() {
    assert!(Pattern::new("(", false).is_err());
    assert!(Pattern::new("[z-a]", false).is_err());
}

#[test]
fn backtracking_ends_at_the_limit() {
    let pattern = Pattern::new(r"^(a|aa)+(?=b)\1$", false).unwrap();
    let work = Work::new();
    let found = pattern.find("a".repeat(60).as_bytes(), &work);
    assert_eq!(found, Err(NoAnswer));
    assert_eq!(work.met(), Some(Limit::Backtracking));
}

#[test]
fn pattern_with_much_backtracking() {
    let mut pattern = Pattern::new(r"^(a|aa)+(?=b)\1$", false).unwrap();
    pattern.keep(true);
    let Engine::Backtracking(backtracking) = &pattern.engine else {
        panic!("it looks ahead");
    };
    let none = pattern.find(b"a", &Work::new());
    assert_eq!(
        (none, backtracking.patient.get().is_some()),
        (Ok(None), false)
    );
    let none = pattern.find("a".repeat(18).as_bytes(), &Work::new());
    assert_eq!(
        (none, backtracking.patient.get().is_some()),
        (Ok(None), true)
    );
}

#[test]
fn cost_by_text_length_and_pattern_size() {
    let steps = |pattern: &str, length: usize| {
        let mut pattern = Pattern::new(pattern, false).unwrap();
        pattern.keep(true);
        let work = Work::new();
        assert_eq!(pattern.find("x".repeat(length).as_bytes(), &work), Ok(None));
        work.taken()
    };
    let (short, long) = (steps("[a-c]+d", 100), steps("[a-c]{1,100}d", 100));
    assert!(long > 10 * short, "{short}, {long}");
    assert!(steps("[a-c]+d", 10_000) > 10 * short);
    // It examines five bytes of any text.
    assert_eq!(steps("^[a-c]{4}d", 100), steps("^[a-c]{4}d", 10_000));
}

#[test]
fn pattern_with_nested_repetitions_is_too_large() {
    for pattern in [
        "^(?:a{1000}){1000}$",
        "^((a{200}){200}){200}$",
        r"^(?:(?=x)\w{1000}){1000}$",
    ] {
        assert!(Pattern::new(pattern, false).is_err(), "{pattern}");
    }
    for pattern in [
        r"^/(?!x)[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$",
        r"^/\w{1,200}/(\d{4})-(\d{2})-(\d{2})/$",
    ] {
        assert!(Pattern::new(pattern, false).is_ok(), "{pattern}");
    }
}
