//! The patterns of hosts and paths in the table.
//!
//! | pattern | matches |
//! |---|---|
//! | `*` | one or more characters other than the separator: `.` in hosts, `/` in paths |
//! | `**` | any characters, at the beginning of a host or the end of a path |
//! | `#`, `@`, `%` | one or more digits, letters, hexadecimal digits |
//! | `(a\|b)` | one of these texts |
//! | `{}` | the same as `*`, and is what is taken |
//! | `{x}` | the same, if it begins with `x` |
//! | `{*}` | one or more of any characters up to the end, and is what is taken |
//! | `~` | the end of a host of Google: `com`, a country code, `com` or `co` with one |
//!
//! Any other character, which is of ASCII, is matched literally. Runs are as long as possible and never shortened, except `*`
//! and `**` before a literal, so that a match takes linear time for the patterns of paths.

use aho_corasick::AhoCorasick;

/// What separates the labels of a host, or the segments of a path.
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

/// Matches a whole text. Gives what `{}` or `{*}` stands for, or an empty text without one.
pub fn matches<'t>(pattern: &str, text: &'t str, separator: Separator) -> Option<&'t str> {
    let matcher = Matcher { text, separator };
    let taken = matcher.rest(pattern, 0, (0, 0))?;
    text.get(taken.0..taken.1)
}

/// A text being matched.
struct Matcher<'t> {
    text: &'t str,
    separator: Separator,
}

/// A range of the text, as offsets.
type Taken = (usize, usize);

impl Matcher<'_> {
    /// Matches the pattern with the text from `at`.
    fn rest(&self, pattern: &str, at: usize, taken: Taken) -> Option<Taken> {
        // Nearly every text differs from a pattern in its first literal characters.
        let literal = pattern.bytes().take_while(|byte| !is_meta(*byte)).count();
        let (literal, pattern) = pattern.split_at(literal);
        let text = self.text.as_bytes().get(at..)?;
        if !text.starts_with(literal.as_bytes()) {
            return None;
        }
        let at = at + literal.len();
        let Some(first) = pattern.bytes().next() else {
            return (at == self.text.len()).then_some(taken);
        };
        let class: fn(&u8) -> bool = match first {
            b'#' => u8::is_ascii_digit,
            b'@' => u8::is_ascii_alphabetic,
            b'%' => u8::is_ascii_hexdigit,
            b'*' => return self.any(pattern, at, taken),
            b'{' => return self.taking(pattern, at),
            b'(' => return self.one_of(pattern, at, taken),
            // The only one that is left, `~`.
            _ => return is_end_of_google(self.text.get(at..)?).then_some(taken),
        };
        let end = self.run(at, class);
        (end > at).then(|| self.rest(&pattern[1..], end, taken))?
    }

    /// `*` and `**`.
    fn any(&self, pattern: &str, at: usize, taken: Taken) -> Option<Taken> {
        if let Some(rest) = pattern.strip_prefix("**") {
            if !rest.bytes().any(is_meta) {
                let rest_of_text = &self.text.as_bytes()[at..];
                return rest_of_text.ends_with(rest.as_bytes()).then_some(taken);
            }
            return (at..=self.text.len())
                .filter(|&from| self.text.is_char_boundary(from))
                .find_map(|from| self.rest(rest, from, taken));
        }
        let rest = &pattern[1..];
        let end = self.segment_end(at);
        let is_whole = rest.is_empty() || rest.as_bytes()[0] == self.separator.byte();
        if is_whole {
            return (end > at).then(|| self.rest(rest, end, taken))?;
        }
        (at + 1..=end)
            .rev()
            .filter(|&from| self.text.is_char_boundary(from))
            .find_map(|from| self.rest(rest, from, taken))
    }

    /// `{}`, `{x}` and `{*}`.
    fn taking(&self, pattern: &str, at: usize) -> Option<Taken> {
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
    fn one_of(&self, pattern: &str, at: usize, taken: Taken) -> Option<Taken> {
        let (texts, rest) = pattern[1..].split_once(')')?;
        texts.split('|').find_map(|text| {
            let is_next = self.text[at..].starts_with(text);
            is_next.then(|| self.rest(rest, at + text.len(), taken))?
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

/// Whether a character of a pattern stands for others; `|` and `)` end texts that do.
const fn is_meta(byte: u8) -> bool {
    matches!(byte, b'*' | b'#' | b'@' | b'%' | b'(' | b'{' | b'~')
}

/// A search for any of these texts in hosts, which are too short for a search to be prepared.
pub fn any_of<T: AsRef<[u8]>>(texts: impl IntoIterator<Item = T>) -> AhoCorasick {
    let search = AhoCorasick::builder().prefilter(false).build(texts);
    search.expect("the names of the table are few and short")
}

/// The first segments that a path may have to fit a pattern; `None` if that is not known.
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

/// The last segment that a path has if it fits a pattern; `None` if that is not known.
pub fn last_segment(pattern: &'static str) -> Option<&'static str> {
    let (_, segment) = pattern.rsplit_once('/')?;
    let is_literal = !segment.is_empty() && !segment.bytes().any(is_meta) && !segment.contains(')');
    is_literal.then_some(segment)
}

/// Whether a host of Google can end so, after `google.`: Google has no other domains of its name.
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
    fn hosts_match_whole_labels() {
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
    fn paths_give_what_is_taken() {
        for (pattern, path, taken) in [
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
                taken,
                "{pattern} {path}"
            );
        }
    }

    #[test]
    fn the_first_segments_of_a_path_are_known_if_they_are_literal() {
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
    fn the_literal_end_of_a_pattern_begins_with_a_label() {
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
