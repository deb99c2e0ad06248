//! The patterns of hosts and paths in the table.
//!
//! | pattern | matches |
//! |---|---|
//! | `*` | one or more characters other than the separator: `.` in hosts, `/` in paths |
//! | `**` | any characters, at the beginning of a host or the end of a path |
//! | `#`, `@`, `%` | one or more digits, letters, hexadecimal digits |
//! | `(a\|b)` | one of these texts |
//! | `{}` | the same as `*`, captured |
//! | `{x}` | the same, beginning with `x` |
//! | `{*}` | one or more of any characters up to the end, captured |
//! | `~` | the end of a host of Google: `com`, a country code, `com` or `co` with one |
//!
//! Any other character is ASCII and matches itself. Runs are as long as possible and never shortened, except
//! `*` and `**` before a literal, so that path patterns match in linear time.

use aho_corasick::AhoCorasick;

/// The separator of labels in a host, or of segments in a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Separator {
    /// `.`
    Dot,
    /// `/`
    Slash,
}

impl Separator {
    const fn byte(self) -> u8 {
        match self {
            Self::Dot => b'.',
            Self::Slash => b'/',
        }
    }
}

/// Matches a whole text. Returns what `{}` or `{*}` captured, which is empty without one.
pub fn matches<'t>(pattern: &str, text: &'t str, separator: Separator) -> Option<&'t str> {
    let matcher = Matcher { text, separator };
    let captured = matcher.rest(pattern, 0, (0, 0))?;
    text.get(captured.0..captured.1)
}

/// A text being matched.
struct Matcher<'t> {
    text: &'t str,
    separator: Separator,
}

/// The range of the text that is captured, as offsets.
type CaptureRange = (usize, usize);

impl Matcher<'_> {
    /// Matches the pattern with the text from `at`.
    fn rest(&self, pattern: &str, at: usize, captured: CaptureRange) -> Option<CaptureRange> {
        // Nearly all texts differ from a pattern in its first literal characters.
        let literal = pattern.bytes().take_while(|byte| !is_meta(*byte)).count();
        let (literal, pattern) = pattern.split_at(literal);
        let text = self.text.as_bytes().get(at..)?;
        if !text.starts_with(literal.as_bytes()) {
            return None;
        }
        let at = at + literal.len();
        let Some(first) = pattern.bytes().next() else {
            return (at == self.text.len()).then_some(captured);
        };
        let class: fn(&u8) -> bool = match first {
            b'#' => u8::is_ascii_digit,
            b'@' => u8::is_ascii_alphabetic,
            b'%' => u8::is_ascii_hexdigit,
            b'*' => return self.any(pattern, at, captured),
            b'{' => return self.capture(pattern, at),
            b'(' => return self.one_of(pattern, at, captured),
            // `~`, the only one left.
            _ => return is_end_of_google(self.text.get(at..)?).then_some(captured),
        };
        let end = self.run(at, class);
        (end > at).then(|| self.rest(&pattern[1..], end, captured))?
    }

    /// `*` and `**`.
    fn any(&self, pattern: &str, at: usize, captured: CaptureRange) -> Option<CaptureRange> {
        if let Some(rest) = pattern.strip_prefix("**") {
            if !rest.bytes().any(is_meta) {
                let rest_of_text = &self.text.as_bytes()[at..];
                return rest_of_text.ends_with(rest.as_bytes()).then_some(captured);
            }
            return (at..=self.text.len())
                .filter(|&from| self.text.is_char_boundary(from))
                .find_map(|from| self.rest(rest, from, captured));
        }
        let rest = &pattern[1..];
        let end = self.segment_end(at);
        let is_whole = rest.is_empty() || rest.as_bytes()[0] == self.separator.byte();
        if is_whole {
            return (end > at).then(|| self.rest(rest, end, captured))?;
        }
        (at + 1..=end)
            .rev()
            .filter(|&from| self.text.is_char_boundary(from))
            .find_map(|from| self.rest(rest, from, captured))
    }

    /// `{}`, `{x}` and `{*}`.
    fn capture(&self, pattern: &str, at: usize) -> Option<CaptureRange> {
        let (beginning, rest) = pattern[1..].split_once('}')?;
        if beginning == "*" {
            let end = self.text.len();
            return (end > at).then(|| self.rest(rest, end, (at, end)))?;
        }
        let end = self.segment_end(at);
        let segment = self.text.get(at..end)?;
        let is_it = segment.starts_with(beginning) && segment.len() > beginning.len();
        is_it.then(|| self.rest(rest, end, (at, end)))?
    }

    /// `(a|b)`.
    fn one_of(&self, pattern: &str, at: usize, captured: CaptureRange) -> Option<CaptureRange> {
        let (texts, rest) = pattern[1..].split_once(')')?;
        texts.split('|').find_map(|text| {
            let is_next = self.text[at..].starts_with(text);
            is_next.then(|| self.rest(rest, at + text.len(), captured))?
        })
    }

    fn run(&self, at: usize, class: fn(&u8) -> bool) -> usize {
        let bytes = &self.text.as_bytes()[at..];
        at + bytes.iter().take_while(|byte| class(byte)).count()
    }

    fn segment_end(&self, at: usize) -> usize {
        let rest = &self.text.as_bytes()[at..];
        memchr::memchr(self.separator.byte(), rest).map_or(self.text.len(), |length| at + length)
    }
}

/// Whether a character of a pattern is special; `|` and `)` only occur after `(`.
const fn is_meta(byte: u8) -> bool {
    matches!(byte, b'*' | b'#' | b'@' | b'%' | b'(' | b'{' | b'~')
}

/// A search for any of these texts in hosts, which are too short for a prefilter.
pub fn any_of<T: AsRef<[u8]>>(texts: impl IntoIterator<Item = T>) -> AhoCorasick {
    let search = AhoCorasick::builder().prefilter(false).build(texts);
    search.expect("the names of the table are few and short")
}

/// The first segments of the paths that a pattern matches; `None` if they vary.
pub fn first_segments(pattern: &'static str) -> Option<Vec<&'static str>> {
    let after = pattern.strip_prefix('/')?;
    let segment = after.split('/').next()?;
    if !segment.bytes().any(is_meta) {
        return Some(vec![segment]);
    }
    let texts = segment.strip_prefix('(')?.strip_suffix(')')?;
    let texts: Vec<_> = texts.split('|').collect();
    let is_literal = |text: &&str| !text.bytes().any(is_meta);
    texts.iter().all(is_literal).then_some(texts)
}

/// The last segment of the paths that a pattern matches; `None` if it varies.
pub fn last_segment(pattern: &'static str) -> Option<&'static str> {
    let (_, segment) = pattern.rsplit_once('/')?;
    let is_literal = !segment.is_empty() && !segment.bytes().any(is_meta) && !segment.contains(')');
    is_literal.then_some(segment)
}

/// Whether a host of Google can end with this after `google.`; no one else owns such domains.
fn is_end_of_google(text: &str) -> bool {
    let is_country = |text: &str| text.len() == 2 && text.bytes().all(|b| b.is_ascii_lowercase());
    match text.split_once('.') {
        Some((second, country)) => matches!(second, "com" | "co") && is_country(country),
        None => matches!(text, "com" | "cat") || is_country(text),
    }
}

/// The literal end of a host pattern, from the beginning of a label.
pub fn literal_end(pattern: &str) -> &str {
    let meta = |c: char| "*#@%(){}|~".contains(c);
    match pattern.rfind(meta) {
        None => pattern,
        Some(last) => {
            let end = &pattern[last + 1..];
            end.find('.').map_or("", |dot| &end[dot + 1..])
        }
    }
}

/// The longest literal text in a pattern.
pub fn longest_literal(pattern: &str) -> &str {
    let meta = |c: char| "*#@%(){}|~".contains(c);
    let mut longest = "";
    let mut depth = false;
    let mut start = 0;
    for (at, c) in pattern.char_indices() {
        if meta(c) {
            if !depth && at - start > longest.len() {
                longest = &pattern[start..at];
            }
            depth = match c {
                '(' => true,
                ')' => false,
                _ => depth,
            };
            start = at + 1;
        }
    }
    if pattern.len() - start > longest.len() {
        longest = &pattern[start..];
    }
    longest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn host_patterns() {
        for (pattern, host, is_match) in [
            ("a.example", "a.example", true),
            ("a.example", "b.a.example", false),
            ("a.example", "a.example.test", false),
            ("**.a.example", "x.a.example", true),
            ("**.a.example", "x.y.a.example", true),
            ("**.a.example", "xa.example", false),
            ("**.a.example", "a.example", false),
            ("*.a.example", "x.y.a.example", false),
            ("@-@-#.a.example", "eu-west-1.a.example", true),
            ("@-@-#.a.example", "mail.eu-west-1.a.example", false),
            ("@-@-#.a.example", "eu-west-1x.a.example", false),
            ("*-ctp.a.example", "x-y-ctp.a.example", true),
            ("*-ctp.a.example", "-ctp.a.example", false),
            ("(|www.)a.(de|com)", "a.de", true),
            ("(|www.)a.(de|com)", "www.a.com", true),
            ("(|www.)a.(de|com)", "wwwa.com", false),
            ("**google.~", "google.com", true),
            ("google.~", "google.co.uk", true),
            ("google.~", "google.vg", true),
            ("google.~", "google.com.br", true),
            ("google.~", "google.com.evil", false),
            ("google.~", "google.evil.co", false),
        ] {
            let found = matches(pattern, host, Separator::Dot).is_some();
            assert_eq!(found, is_match, "{pattern} {host}");
        }
    }

    #[test]
    fn path_patterns_capture() {
        for (pattern, path, captured) in [
            ("/L0/{}/**", "/L0/http:%2F%2Fa/1/2", Some("http:%2F%2Fa")),
            ("/L0/{}/**", "/L0//1/2", None),
            ("/L0/{}/**", "/L0/x", None),
            ("/amp/s/{*}", "/amp/s/a.example/b", Some("a.example/b")),
            ("/amp/s/{*}", "/amp/s/", None),
            ("/c/{eJ}", "/c/eJx", Some("eJx")),
            ("/c/{eJ}", "/c/eJ", None),
            ("/c/{eJ}", "/c/xeJx", None),
            ("/v#/(a|b)", "/v12/b", Some("")),
            ("/v#/(a|b)", "/v12/bc", None),
            ("/ap/@-%/", "/ap/w-59523e83/", Some("")),
            ("**", "", Some("")),
            ("/*/x", "/\u{e4}\u{f6}/x", Some("")),
        ] {
            assert_eq!(
                matches(pattern, path, Separator::Slash),
                captured,
                "{pattern} {path}"
            );
        }
    }

    #[test]
    fn literal_first_segments() {
        for (pattern, segments) in [
            ("/ls/click", Some(vec!["ls"])),
            ("/Ctc/**", Some(vec!["Ctc"])),
            ("/tn.jsp", Some(vec!["tn.jsp"])),
            ("/(c|o|u)/{eJ}", Some(vec!["c", "o", "u"])),
            ("/", Some(vec![""])),
            ("/*/go.php", None),
            ("/v#/x", None),
            ("/{}", None),
            ("**", None),
        ] {
            assert_eq!(first_segments(pattern), segments, "{pattern}");
        }
    }

    #[test]
    fn literal_end_begins_at_a_label() {
        for (pattern, end) in [
            ("a.example", "a.example"),
            ("**.a.example", "a.example"),
            ("*-ctp.a.example", "a.example"),
            ("a#.b.example", "b.example"),
            ("google.~", ""),
            ("a.(de|com)", ""),
        ] {
            assert_eq!(literal_end(pattern), end, "{pattern}");
        }
        assert_eq!(longest_literal("**.google.~"), ".google.");
        assert_eq!(
            longest_literal("(|www.)deref-(gmx|web)(|-#).(de|com)"),
            "deref-"
        );
    }
}
