//! URLs in values: one function for each grammar of the table.
//!
//! URLs are found, not judged: an image candidate that a browser would drop for its descriptors, or
//! a directive that it would ignore, still has a URL in it.

pub mod css;
mod json;
pub mod running_text;
pub mod srcset;
pub mod supported;

use std::ops::Range;

use memchr::{memchr, memchr2};

use self::json::Vocabulary;
use baseref_document::link_places::Grammar;

/// Calls `each` with every URL in a value, in order: the URL decoded, and its byte range as
/// written. They differ where the grammar has escapes of its own, as CSS and JSON do.
///
/// # Errors
/// Why the value cannot be read: it should be JSON but is not. Then it has no URLs.
pub fn each_url(
    grammar: Grammar,
    value: &str,
    mut each: impl FnMut(&str, Range<usize>),
) -> Result<(), serde_json::Error> {
    match grammar {
        Grammar::Css => css::urls(value, each),
        Grammar::CssOrUrl => {
            let mut any = false;
            css::urls(value, |url, range| {
                any = true;
                each(url, range);
            });
            if !any {
                each(value, 0..value.len());
            }
        }
        Grammar::ImportMap => return json::urls(Vocabulary::ImportMap, value, each),
        Grammar::SpeculationRules => {
            return json::urls(Vocabulary::SpeculationRules, value, each);
        }
        Grammar::JsonLd => return json::urls(Vocabulary::JsonLd, value, each),
        _ => urls(grammar, value).for_each(|range| each(&value[range.clone()], range)),
    }
    Ok(())
}

/// The byte range of each URL in a value whose character references are decoded, in order; nothing
/// for a grammar that only [`each_url`] reads.
///
/// A range can be empty (`href=""` is a reference), is not stripped of white space, and lies on
/// character boundaries.
pub fn urls(grammar: Grammar, value: &str) -> Urls<'_> {
    let many = |next| {
        Urls::Many(
            Input {
                bytes: value.as_bytes(),
                position: 0,
                directive_end: 0,
            },
            next,
        )
    };
    match grammar {
        Grammar::Url => Urls::One(Some(0..value.len())),
        Grammar::Refresh => Urls::One(refresh_url(value)),
        Grammar::PinnedSite => many(next_uri_parameter),
        Grammar::SpaceList => many(next_of_space_list),
        Grammar::CommaList => many(next_of_comma_list),
        Grammar::Srcset => many(next_image_candidate),
        Grammar::Csp => many(next_report_uri),
        Grammar::LinkHeader => many(next_link_target),
        // Whole documents, grammars not used in attributes, and those with readers of their own.
        _ => Urls::One(None),
    }
}

/// The iterator that [`urls`] returns.
pub enum Urls<'v> {
    /// At most one URL.
    One(Option<Range<usize>>),
    /// A list, and the function that finds its next URL.
    Many(Input<'v>, fn(&mut Input<'v>) -> Option<Range<usize>>),
}

impl Iterator for Urls<'_> {
    type Item = Range<usize>;

    fn next(&mut self) -> Option<Self::Item> {
        match self {
            Self::One(url) => url.take(),
            Self::Many(input, next) => next(input),
        }
    }
}

/// A value and how far it has been read: the standard's "input" and "position".
pub struct Input<'v> {
    bytes: &'v [u8],
    position: usize,
    /// The end of the directive whose URLs are being read; for policies only.
    directive_end: usize,
}

impl Input<'_> {
    fn current(&self) -> Option<u8> {
        self.bytes.get(self.position).copied()
    }

    /// Passes the current byte if it is wanted; returns whether it was.
    fn pass(&mut self, wanted: impl FnOnce(u8) -> bool) -> bool {
        let found = self.current().is_some_and(wanted);
        self.position += usize::from(found);
        found
    }

    /// "Collect a sequence of code points"; its range.
    fn collect(&mut self, wanted: impl Fn(u8) -> bool) -> Range<usize> {
        let start = self.position;
        let rest = &self.bytes[start..];
        let length = rest.iter().position(|&byte| !wanted(byte));
        self.position = start + length.unwrap_or(rest.len());
        start..self.position
    }

    fn skip_white_space(&mut self) {
        self.collect(is_white_space);
    }

    fn end(&mut self) -> Option<Range<usize>> {
        self.position = self.bytes.len();
        None
    }
}

/// ASCII white space.
fn is_white_space(byte: u8) -> bool {
    byte.is_ascii_whitespace()
}

/// Infra "split on ASCII whitespace".
fn next_of_space_list(input: &mut Input<'_>) -> Option<Range<usize>> {
    input.skip_white_space();
    let token = input.collect(|byte| !is_white_space(byte));
    (!token.is_empty()).then_some(token)
}

/// HTML 4.01 §13.4, `archive` of `applet`: empty items are skipped, and white space around an item
/// is stripped.
fn next_of_comma_list(input: &mut Input<'_>) -> Option<Range<usize>> {
    input.collect(|byte| byte == b',' || is_white_space(byte));
    let item = input.collect(|byte| byte != b',');
    let trimmed = input.bytes[item.clone()].trim_ascii_end().len();
    (trimmed > 0).then(|| item.start..item.start + trimmed)
}

/// HTML "parse a srcset attribute", one iteration of its splitting loop.
///
/// Departs: a candidate whose descriptors are in error (step 13 of the descriptor parser) is
/// included, too.
fn next_image_candidate(input: &mut Input<'_>) -> Option<Range<usize>> {
    // Step 4, splitting loop.
    input.collect(|byte| byte == b',' || is_white_space(byte));
    // Step 5.
    input.current()?;
    // Step 6.
    let url = input.collect(|byte| !is_white_space(byte));
    // Step 8: a URL with trailing commas, which are removed, has no descriptors.
    let commas = input.bytes[url.clone()]
        .iter()
        .rev()
        .take_while(|&&byte| byte == b',')
        .count();
    if commas > 0 {
        return Some(url.start..url.end - commas);
    }
    // Step 8, otherwise: the descriptor tokenizer, needed only to find its end.
    let mut in_parens = false;
    while let Some(byte) = input.current() {
        input.position += 1;
        match byte {
            b',' if !in_parens => break,
            b'(' => in_parens = true,
            b')' => in_parens = false,
            _ => {}
        }
    }
    Some(url)
}

/// HTML "shared declarative refresh steps"; steps 1 and 9 are about the document.
fn refresh_url(value: &str) -> Option<Range<usize>> {
    // Step 2.
    let mut input = Input {
        bytes: value.as_bytes(),
        position: 0,
        directive_end: 0,
    };
    // Step 3.
    input.skip_white_space();
    // Steps 4 to 7.
    let time = input.collect(|byte| byte.is_ascii_digit());
    if time.is_empty() && input.current() != Some(b'.') {
        return None;
    }
    // Step 8.
    input.collect(|byte| byte.is_ascii_digit() || byte == b'.');
    // Steps 10 and 10.1; at the end, the refresh is to the document's own URL.
    let is_separator = |byte| matches!(byte, b';' | b',') || is_white_space(byte);
    if !input.current().is_some_and(is_separator) {
        return None;
    }
    // Steps 10.2 to 10.4.
    input.skip_white_space();
    input.pass(|byte| matches!(byte, b';' | b','));
    input.skip_white_space();
    // Step 11.
    input.current()?;
    // Step 11.1.
    let start = input.position;
    let end = value.len();
    // Steps 11.2 to 11.7. Only a first letter other than U leads to "skip quotes"; any later
    // mismatch leads to "parse", with everything from the U on.
    if input.pass(|byte| byte.eq_ignore_ascii_case(&b'u')) {
        let is_url = input.pass(|byte| byte.eq_ignore_ascii_case(&b'r'))
            && input.pass(|byte| byte.eq_ignore_ascii_case(&b'l'));
        if !is_url {
            return Some(start..end);
        }
        input.skip_white_space();
        if !input.pass(|byte| byte == b'=') {
            return Some(start..end);
        }
        input.skip_white_space();
    }
    // Step 11.8, skip quotes.
    let quote = input.current().filter(|byte| matches!(byte, b'\'' | b'"'));
    input.position += usize::from(quote.is_some());
    // Steps 11.9 to 11.11.
    let rest = &input.bytes[input.position..];
    let length = quote.and_then(|quote| memchr(quote, rest));
    Some(input.position..length.map_or(end, |length| input.position + length))
}

/// Content Security Policy 3 "parse a serialized CSP", one token of a `report-uri` directive.
///
/// Departs: a policy ends at a comma, too. The standard allows several policies only in a header
/// field, but browsers parse a `meta` element's value the same way.
fn next_report_uri(input: &mut Input<'_>) -> Option<Range<usize>> {
    loop {
        input.skip_white_space();
        if input.position < input.directive_end {
            let directive_end = input.directive_end;
            let length = input.bytes[input.position..directive_end]
                .iter()
                .position(|&byte| is_white_space(byte));
            let start = input.position;
            input.position = length.map_or(directive_end, |length| start + length);
            return Some(start..input.position);
        }
        // "Strictly split serialized on the U+003B SEMICOLON character (;)."
        input.collect(|byte| matches!(byte, b';' | b',') || is_white_space(byte));
        let rest = &input.bytes[input.position..];
        if rest.is_empty() {
            return None;
        }
        let directive_end = input.position + memchr2(b';', b',', rest).unwrap_or(rest.len());
        // "Collecting a sequence of code points from token which are not ASCII whitespace."
        let name = input.collect(|byte| !matches!(byte, b';' | b',') && !is_white_space(byte));
        if input.bytes[name].eq_ignore_ascii_case(b"report-uri") {
            input.directive_end = directive_end;
        } else {
            input.position = directive_end;
        }
    }
}

/// Microsoft's pinned sites: `name=...; action-uri=...; icon-uri=...`. A name can be numbered,
/// `polling-uri2`.
fn next_uri_parameter(input: &mut Input<'_>) -> Option<Range<usize>> {
    while input.current().is_some() {
        input.collect(|byte| byte == b';' || is_white_space(byte));
        let name = input.collect(|byte| !matches!(byte, b'=' | b';'));
        let name = input.bytes[name].trim_ascii_end();
        let digits = name.iter().rev().take_while(|byte| byte.is_ascii_digit());
        let name = &name[..name.len() - digits.count()];
        let last = &name[name.len().saturating_sub(b"-uri".len())..];
        let is_uri = last.eq_ignore_ascii_case(b"-uri");
        if !input.pass(|byte| byte == b'=') {
            continue;
        }
        input.skip_white_space();
        let value = input.collect(|byte| byte != b';');
        let length = input.bytes[value.clone()].trim_ascii_end().len();
        if is_uri && length > 0 {
            return Some(value.start..value.start + length);
        }
    }
    None
}

/// RFC 8288 appendix B.2 "Parsing a Link Field Value", one iteration of step 2.
fn next_link_target(input: &mut Input<'_>) -> Option<Range<usize>> {
    // Step 2.1; the commas between links, including empty list elements (RFC 9110 §5.6.1.2).
    input.collect(|byte| byte == b',' || is_white_space(byte));
    // Steps 2.2 and 2.3.
    if !input.pass(|byte| byte == b'<') {
        return input.end();
    }
    // Step 2.4.
    let target = input.collect(|byte| byte != b'>');
    // Steps 2.5 and 2.6.
    if !input.pass(|byte| byte == b'>') {
        return input.end();
    }
    // Step 2.7.
    while pass_link_parameter(input).is_some() {}
    Some(target)
}

/// The `rel` parameter of the link in a `Link` field whose target has this range, as written: the first
/// one counts (RFC 8288 §3.3).
#[must_use]
pub fn link_rel<'v>(value: &'v str, target: &Range<usize>) -> Option<&'v str> {
    let mut input = Input {
        bytes: value.as_bytes(),
        // After the `>`.
        position: target.end + 1,
        directive_end: 0,
    };
    while let Some(parameter) = pass_link_parameter(&mut input) {
        if value.get(parameter.name)?.eq_ignore_ascii_case("rel") {
            return Some(value.get(parameter.value)?.trim_matches('"').trim());
        }
    }
    None
}

/// A parameter of a link; a quoted value is with its quotes.
struct LinkParameter {
    name: Range<usize>,
    value: Range<usize>,
}

/// RFC 8288 appendix B.3 "Parsing Parameters", one iteration of step 2; `None` at the end.
fn pass_link_parameter(input: &mut Input<'_>) -> Option<LinkParameter> {
    // Steps 2.1 to 2.4.
    input.skip_white_space();
    if !input.pass(|byte| byte == b';') {
        return None;
    }
    input.skip_white_space();
    // Steps 2.5 and 2.6.
    let name = input.collect(|byte| !matches!(byte, b'=' | b';' | b',') && !is_white_space(byte));
    input.skip_white_space();
    // Step 2.7.
    let mut value = input.position..input.position;
    if input.pass(|byte| byte == b'=') {
        input.skip_white_space();
        value.start = input.position;
        if input.pass(|byte| byte == b'"') {
            pass_quoted_string(input);
        } else {
            input.collect(|byte| !matches!(byte, b';' | b','));
        }
        value.end = input.position;
    }
    Some(LinkParameter { name, value })
}

/// RFC 8288 appendix B.4 "Parsing a Quoted String", after its opening quote.
fn pass_quoted_string(input: &mut Input<'_>) {
    while let Some(byte) = input.current() {
        input.position += 1;
        match byte {
            b'"' => return,
            b'\\' => {
                input.pass(|_| true);
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const ALL: [Grammar; 9] = [
        Grammar::PinnedSite,
        Grammar::Url,
        Grammar::SpaceList,
        Grammar::CommaList,
        Grammar::Srcset,
        Grammar::Refresh,
        Grammar::Csp,
        Grammar::LinkHeader,
        Grammar::Html,
    ];

    fn check(grammar: Grammar, cases: &[(&str, &[&str])]) {
        for (value, expected) in cases {
            let found: Vec<_> = urls(grammar, value).map(|range| &value[range]).collect();
            assert_eq!(found, *expected, "{grammar:?} of {value:?}");
        }
    }

    #[test]
    fn url_is_whole_value() {
        check(
            Grammar::Url,
            &[("a b", &["a b"]), ("", &[""]), (" x\n", &[" x\n"])],
        );
    }

    #[test]
    fn srcdoc_is_no_url() {
        check(Grammar::Html, &[("<a href=x>", &[]), ("", &[])]);
    }

    #[test]
    fn space_separated_list() {
        check(
            Grammar::SpaceList,
            &[
                ("", &[]),
                (" \t\n\u{c}\r", &[]),
                ("a", &["a"]),
                (" a\tb\nc\u{c}d\re ", &["a", "b", "c", "d", "e"]),
                ("a,b", &["a,b"]),
                ("a\u{b}b\u{a0}c", &["a\u{b}b\u{a0}c"]),
                ("é ü", &["é", "ü"]),
            ],
        );
    }

    #[test]
    fn comma_separated_list() {
        check(
            Grammar::CommaList,
            &[
                ("", &[]),
                (" , ,", &[]),
                ("a.jar", &["a.jar"]),
                ("a.jar,b.jar", &["a.jar", "b.jar"]),
                (" a.jar , b c.jar\n,", &["a.jar", "b c.jar"]),
            ],
        );
    }

    #[test]
    fn srcset_splitting_loop() {
        check(
            Grammar::Srcset,
            &[
                ("", &[]),
                (" ,, ", &[]),
                ("a", &["a"]),
                ("a, b", &["a", "b"]),
                // Without white space after it, a comma is part of the URL.
                ("a,b", &["a,b"]),
                ("a 1x,b 2x", &["a", "b"]),
                ("a 1x, b 2x, c 3x", &["a", "b", "c"]),
                (",a", &["a"]),
                (" \n,\t, a 1x", &["a"]),
                ("a,,, b", &["a", "b"]),
                ("a,, ,b", &["a", "b"]),
                (
                    "data:,a ( , data:,b 1x, ), data:,c",
                    &["data:,a", "data:,c"],
                ),
                ("data:,a ( (, b 1x), c", &["data:,a", "c"]),
                ("a (, b", &["a"]),
                ("a )x, b", &["a", "b"]),
                ("a 1x(,), b", &["a", "b"]),
                (
                    "data:image/png;base64,AA== 2x, b",
                    &["data:image/png;base64,AA==", "b"],
                ),
                // A browser drops these for their descriptors.
                ("a 1x 2x, b 0w, c foo", &["a", "b", "c"]),
                ("a\u{a0}1x, b", &["a\u{a0}1x", "b"]),
                ("é 1x, ü", &["é", "ü"]),
            ],
        );
    }

    #[test]
    fn declarative_refresh_steps() {
        check(
            Grammar::Refresh,
            &[
                ("", &[]),
                ("x", &[]),
                ("5", &[]),
                ("5;", &[]),
                ("5; ", &[]),
                ("-5; url=x", &[]),
                ("url=x", &[]),
                ("; url=x", &[]),
                ("5x; url=x", &[]),
                ("5; url=x", &["x"]),
                ("\t 5; url=x", &["x"]),
                ("5, url=x", &["x"]),
                ("5 url=x", &["x"]),
                ("5;;url=x", &[";url=x"]),
                ("5 ; url=x", &["x"]),
                (".;url=x", &["x"]),
                (".5;url=x", &["x"]),
                ("5.;url=x", &["x"]),
                ("5.5.5;url=x", &["x"]),
                ("0;URL = 'x'", &["x"]),
                ("0; url='x\"y' z", &["x\"y"]),
                ("0; url=\"x", &["x"]),
                ("0; url=''", &[""]),
                ("0; url=", &[""]),
                ("0; x", &["x"]),
                ("0;'x'y", &["x"]),
                ("0; url x", &["url x"]),
                ("0; ur=x", &["ur=x"]),
                ("0; u", &["u"]),
                ("0; url", &["url"]),
                // "Skip quotes" comes after `url=` or where no U stands, never after `u`.
                ("0; u'x'", &["u'x'"]),
                ("0; url=url=x", &["url=x"]),
                ("0; url=x ", &["x "]),
                ("0;\u{a0}x", &["\u{a0}x"]),
            ],
        );
    }

    #[test]
    fn report_uri_tokens() {
        check(
            Grammar::Csp,
            &[
                ("", &[]),
                ("default-src 'self' https://a", &[]),
                ("report-uri", &[]),
                ("report-uri ;", &[]),
                ("report-uri /r", &["/r"]),
                (
                    "img-src *; report-uri /r https://a/b ; x",
                    &["/r", "https://a/b"],
                ),
                ("default-src *;report-uri /r;", &["/r"]),
                (";; Report-URI\t/r", &["/r"]),
                ("report-uri /r, default-src *; report-uri /s", &["/r", "/s"]),
                ("report-urix /r; xreport-uri /s; report-to g", &[]),
                ("img-src report-uri /r", &[]),
                ("report-uri /a; report-uri /b", &["/a", "/b"]),
                ("report-uri /é", &["/é"]),
            ],
        );
    }

    #[test]
    fn pinned_site_uris() {
        check(
            Grammar::PinnedSite,
            &[
                ("", &[]),
                (
                    "name=Home; action-uri=/home ;icon-uri=http://a/i.ico",
                    &["/home", "http://a/i.ico"],
                ),
                (
                    "frequency=30; polling-uri=/a?b=c;Polling-URI2 = /d; cycle=1",
                    &["/a?b=c", "/d"],
                ),
                ("action-uri; uri=a; action-uri=; x-uri", &[]),
            ],
        );
    }

    #[test]
    fn background_css_or_url() {
        for (value, expected) in [
            ("a b.png", "a b.png"),
            ("url(a.png)", "a.png"),
            ("linear-gradient(red, blue), url('a')", "a"),
        ] {
            let mut found = Vec::new();
            let read = each_url(Grammar::CssOrUrl, value, |url, _| {
                found.push(url.to_owned());
            });
            assert_eq!(
                (read.is_ok(), found),
                (true, vec![expected.to_owned()]),
                "{value}"
            );
        }
    }

    #[test]
    fn link_header_targets() {
        check(
            Grammar::LinkHeader,
            &[
                ("", &[]),
                ("<a>", &["a"]),
                ("<>", &[""]),
                ("a", &[]),
                ("<a", &[]),
                ("<a>; rel=next", &["a"]),
                ("<a>;rel=\"next, <x>\";title=t , <b>", &["a", "b"]),
                ("<a>; rel=\"a\\\",<x>\", <b>", &["a", "b"]),
                ("<a>; rel=\"x, <b>", &["a"]),
                ("<a>; rel = next ;crossorigin; x, <b>", &["a", "b"]),
                ("<a,b;c>; rel=x,, ,<d>", &["a,b;c", "d"]),
                ("<a> x, <b>", &["a"]),
                ("<a>;, <b>", &["a", "b"]),
                ("<é>\r\n ; rel=x", &["é"]),
            ],
        );
    }

    proptest! {
        #[test]
        fn ranges_ordered_on_character_boundaries(
            value in "[ \\t,;()<>\"'\\\\=.0-9a-cuUrRlLé日\u{10348}-]{0,40}|report-uri[ ;,a/é]{0,12}|\\PC*",
        ) {
            for grammar in ALL {
                let mut last = 0;
                for range in urls(grammar, &value) {
                    prop_assert!(range.start >= last && range.end >= range.start);
                    prop_assert!(value.get(range.clone()).is_some());
                    last = range.end;
                }
            }
        }
    }
}
