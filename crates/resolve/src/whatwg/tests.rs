//! Tests of the rule set of browsers.

use proptest::prelude::*;

use super::*;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(20_000))]

    #[test]
    fn plain_path_equals_its_parsed_segments(path in "[a-c/.]{0,6}[!-~]{0,6}[a-c/.]{0,6}") {
        if is_plain_path(&path) {
            let mut out = String::from("http://h");
            let mut parser = Parser::new(encoding_rs::UTF_8, &mut out);
            parser.scheme = Scheme::Http;
            parser.segments(&path);
            prop_assert_eq!(out.strip_prefix("http://h/"), Some(&*path));
        }
    }

    #[test]
    fn ascii_domain_agrees_with_full_host_parser(
        domain in "[a-cxX0-9.]{0,6}(%[0-9a-f]{2})?[!-~]?[a-zA-Z0-9._-]{1,6}",
    ) {
        let mut out = String::new();
        let mut parser = Parser::new(encoding_rs::UTF_8, &mut out);
        parser.scheme = Scheme::Http;
        let is_punycode = |label: &str| label.to_ascii_lowercase().starts_with("xn--");
        match parser.ascii_domain(&domain) {
            // Departs: `Host::parse` refuses Punycode that the standard allows.
            Ok(true) if out.split('.').any(is_punycode) => {}
            // Not ASCII after decoding: left to `Host::parse`.
            Ok(false) if !percent_decode_str(&domain).decode_utf8_lossy().is_ascii() => {}
            Ok(true) => prop_assert_eq!(Host::parse(&domain), Ok(Host::Domain(out))),
            Ok(false) => prop_assert!(!matches!(Host::parse(&domain), Ok(Host::Domain(_)))),
            Err(_) => prop_assert!(Host::parse(&domain).is_err()),
        }
    }
}

#[test]
fn encoded_dot_segments() {
    for segment in [".", "%2e", "%2E"] {
        assert!(matches!(dots(segment), Some(Dots::Single)), "{segment}");
    }
    for segment in ["..", ".%2e", "%2E.", "%2e%2E"] {
        assert!(matches!(dots(segment), Some(Dots::Double)), "{segment}");
    }
    for segment in ["", "a", "...", ".a", "%2", "%2e%2e%2e", "%252e"] {
        assert!(dots(segment).is_none(), "{segment}");
    }
}

#[test]
fn query_longer_than_encoding_buffer() {
    let query = "\u{e9}\u{2603}".repeat(1_000);
    let mut out = String::new();
    push_encoded(&query, encoding_rs::WINDOWS_1252, SPECIAL_QUERY, &mut out);
    assert_eq!(out, "%E9%26%239731%3B".repeat(1_000));
}
