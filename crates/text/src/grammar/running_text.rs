//! URLs in running text (RFC 3986 appendix C).
//!
//! In angle brackets a URL may span lines, and white space in it is ignored. Elsewhere it ends at
//! the first character that cannot occur in a URL, and trailing punctuation belongs to the
//! sentence.
//!
//! Departs: appendix C treats double quotes like angle brackets. In mail they also enclose titles
//! and speech, so they only end a URL.

use std::borrow::Cow;
use std::ops::Range;

use memchr::{memchr2, memrchr2};

use crate::decode::line;
use baseref_resolve::scheme;

/// The longest URL in angle brackets, in bytes and in lines.
const BRACKETED_BYTES: usize = 2048;
const BRACKETED_LINES: usize = 10;

/// The longest scheme looked for; the longest registered one has 36 characters.
const SCHEME_LENGTH: usize = 40;

/// The beginning of a host that counts as a URL without a scheme.
const WWW: &str = "www.";

/// Schemes that are separated from a word before them: the scheme of `see.http://` is not
/// `see.http`.
const USUAL: [&str; 12] = [
    "http", "https", "ftp", "ftps", "sftp", "file", "gopher", "nntp", "telnet", "irc", "ws", "wss",
];

/// A URL in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextUrl<'t> {
    /// The URL, without white space, and without quote marks at the beginnings of its lines.
    pub value: Cow<'t, str>,
    /// It begins with `www.` and has no scheme: mail programs assume `http://`.
    pub without_scheme: bool,
    /// Its byte range in the text.
    pub range: Range<usize>,
}

/// The URLs of a text, in order, in time linear in its length.
pub fn urls(text: &str) -> impl Iterator<Item = TextUrl<'_>> {
    let mut scanner = Scanner {
        text,
        at: 0,
        seen: 0,
        depth: quote_depth(text.as_bytes()),
        fruitless: [0; AfterColon::KINDS],
        www_from: 0,
    };
    std::iter::from_fn(move || scanner.next())
}

struct Scanner<'t> {
    text: &'t str,
    /// How far the text has been read.
    at: usize,
    /// How far lines have been examined.
    seen: usize,
    /// The quote depth of the line that contains `seen`.
    depth: usize,
    /// For each kind of [`AfterColon`], how far it has been searched for without success, so that the
    /// same text is not searched again for each of many schemes.
    fruitless: [usize; AfterColon::KINDS],
    /// How far `www.` has been searched for.
    www_from: usize,
}

impl<'t> Scanner<'t> {
    fn next(&mut self) -> Option<TextUrl<'t>> {
        loop {
            let rest = self.text.as_bytes().get(self.at..)?;
            let found = memchr2(b':', b'<', rest);
            let before = &rest[..found.unwrap_or(rest.len())];
            if let Some(url) = self.host(before.len()) {
                self.at = url.range.end;
                return Some(url);
            }
            let hit = self.at + found?;
            let found = if self.text.as_bytes()[hit] == b'<' {
                self.bracketed(hit)
            } else {
                self.bare(hit)
            };
            self.at = hit + 1;
            if let Some(url) = found {
                self.at = self.at.max(url.range.end);
                return Some(url);
            }
        }
    }

    /// The URL in the angle brackets that open at `open`.
    fn bracketed(&mut self, open: usize) -> Option<TextUrl<'t>> {
        let bytes = self.text.as_bytes();
        let window = &bytes[..bytes.len().min(open + 1 + BRACKETED_BYTES)];
        let first = window[open + 1..].trim_ascii_start().first()?;
        if !first.is_ascii_alphabetic() {
            return None;
        }
        self.seek_line(open);
        let mut pieces: Vec<Range<usize>> = Vec::new();
        let mut lines = 1;
        let mut at = open + 1;
        loop {
            match *window.get(at)? {
                b'>' => break,
                b'<' => return None,
                b'\r' | b'\n' => {
                    lines += 1;
                    at = self.continued(line::end(window, at).1)?;
                    if lines > BRACKETED_LINES {
                        return None;
                    }
                }
                b' ' | b'\t' => at += 1,
                byte if byte.is_ascii_control() => return None,
                _ => {
                    let start = at;
                    let is_over =
                        |byte: &u8| byte.is_ascii_control() || matches!(byte, b' ' | b'<' | b'>');
                    at += window[start..].iter().position(is_over)?;
                    pieces.push(start..at);
                }
            }
        }
        self.joined(&pieces)
    }

    /// Where the content of a line that begins at `start` begins, after as many quote marks as are
    /// on the line where the bracket opens; `None` if it has fewer, or is blank.
    fn continued(&self, start: usize) -> Option<usize> {
        let bytes = self.text.as_bytes();
        let mut at = start;
        for _ in 0..self.depth {
            at += usize::from(bytes.get(at) == Some(&b' '));
            if bytes.get(at) != Some(&b'>') {
                return None;
            }
            at += 1;
        }
        let (end, _) = line::end(bytes, at);
        let is_blank = bytes[at..end].iter().all(u8::is_ascii_whitespace);
        (!is_blank).then_some(at)
    }

    /// The URL that the words in angle brackets make up.
    fn joined(&self, words: &[Range<usize>]) -> Option<TextUrl<'t>> {
        let mut words = words.to_vec();
        let marked = self.take_prefix(&mut words);
        let range = words.first()?.start..words.last()?.end;
        let value = match words.as_slice() {
            [word] => Cow::Borrowed(&self.text[word.clone()]),
            words => Cow::Owned(words.iter().map(|word| &self.text[word.clone()]).collect()),
        };
        let (scheme, rest) = value.split_once(':')?;
        let is_url = scheme::is_scheme(scheme)
            && if marked {
                !rest.is_empty()
            } else {
                stands_for_itself(scheme, rest)
            };
        is_url.then_some(TextUrl {
            value,
            without_scheme: false,
            range,
        })
    }

    /// Strips `URL:` from the first word, or removes the word if there is nothing else in it.
    fn take_prefix(&self, words: &mut Vec<Range<usize>>) -> bool {
        let Some(first) = words.first_mut() else {
            return false;
        };
        let prefix = self.text[first.clone()].get(..4);
        let marked = prefix.is_some_and(|prefix| prefix.eq_ignore_ascii_case("URL:"));
        if marked {
            first.start += 4;
            if first.start == first.end {
                words.remove(0);
            }
        }
        marked
    }

    /// The URL whose scheme ends at `colon`.
    fn bare(&mut self, colon: usize) -> Option<TextUrl<'t>> {
        let start = self.scheme_start(colon)?;
        let scheme = &self.text[start..colon];
        let rest = &self.text[colon + 1..];
        let needed = if rest.starts_with("//") {
            // A drive letter.
            if scheme.len() == 1 {
                return None;
            }
            None
        } else {
            let needed = AfterColon::from_scheme(scheme)?;
            if colon < self.fruitless[needed as usize] || !needed.may_begin(rest) {
                return None;
            }
            Some(needed)
        };
        let before = self.text[self.at.min(start)..start].chars().next_back();
        let end = colon + 1 + bare_length(rest, before);
        let value = &self.text[start..end];
        if stands_for_itself(scheme, &value[scheme.len() + 1..]) {
            let value = Cow::Borrowed(value);
            let range = start..end;
            return Some(TextUrl {
                value,
                without_scheme: false,
                range,
            });
        }
        if let Some(needed) = needed {
            self.fruitless[needed as usize] = end;
        }
        None
    }

    /// The first URL without a scheme in the next `length` bytes: `www.` at the start of a word,
    /// followed by a host with a dot and no empty label.
    fn host(&mut self, length: usize) -> Option<TextUrl<'t>> {
        let end = self.at + length;
        while let Some(www) = self.next_www(end) {
            let host = www_host(&self.text[www..]);
            self.www_from = www + host.len().max(WWW.len());
            let before = self.text[..www].chars().next_back();
            let after = self.text[self.www_from..].chars().next();
            let is_within = |c: char| c.is_alphanumeric() || "./@_=-".contains(c);
            if before.is_some_and(is_within) || after == Some('@') || !is_www_host(host) {
                continue;
            }
            let end = www + bare_length(&self.text[www..], before);
            return Some(TextUrl {
                value: Cow::Borrowed(&self.text[www..end]),
                without_scheme: true,
                range: www..end,
            });
        }
        None
    }

    /// Where the next `www.` begins before `end`, in any case.
    fn next_www(&mut self, end: usize) -> Option<usize> {
        let bytes = self.text.as_bytes();
        let mut from = self.www_from.max(self.at);
        while let Some(distance) = memchr2(b'w', b'W', bytes.get(from..end)?) {
            let at = from + distance;
            let word = bytes.get(at..at + WWW.len())?;
            if word.eq_ignore_ascii_case(WWW.as_bytes()) {
                return Some(at);
            }
            from = at + 1;
        }
        self.www_from = from.max(end);
        None
    }

    /// Where the scheme that ends at `colon` begins, if there is one.
    fn scheme_start(&self, colon: usize) -> Option<usize> {
        let bytes = self.text.as_bytes();
        let from = self.at.max(colon.saturating_sub(SCHEME_LENGTH));
        let before = bytes.get(from..colon)?;
        let parts = before
            .iter()
            .rev()
            .take_while(|byte| scheme::is_part(**byte));
        let run = before.len() - parts.count();
        let letter = before[run..].iter().position(u8::is_ascii_alphabetic)?;
        let scheme = &self.text[from + run + letter..colon];
        let word = scheme.rfind(['.', '-']).map_or(0, |at| at + 1);
        let is_usual = |scheme: &str| {
            let mut usual = USUAL.iter();
            usual.any(|usual| usual.eq_ignore_ascii_case(scheme))
                || AfterColon::from_scheme(scheme).is_some()
        };
        let skipped = if is_usual(&scheme[word..]) { word } else { 0 };
        Some(from + run + letter + skipped)
    }

    /// Advances to the line that contains `at`.
    fn seek_line(&mut self, at: usize) {
        let bytes = self.text.as_bytes();
        if let Some(end) = memrchr2(b'\r', b'\n', &bytes[self.seen..at]) {
            self.depth = quote_depth(&bytes[self.seen + end + 1..at]);
        }
        self.seen = at;
    }
}

/// The number of quote marks at the beginning of a line.
fn quote_depth(line: &[u8]) -> usize {
    let marks = line.iter().take_while(|&&byte| matches!(byte, b'>' | b' '));
    marks.filter(|&&byte| byte == b'>').count()
}

/// Schemes whose URLs have no slashes after the colon. They are also words, so what follows must
/// look like the rest of such a URL.
const WITHOUT_SLASHES: [(&str, AfterColon); 11] = [
    ("mailto", AfterColon::Address),
    ("news", AfterColon::Newsgroup),
    ("cid", AfterColon::Address),
    ("mid", AfterColon::Address),
    ("sip", AfterColon::Address),
    ("sips", AfterColon::Address),
    ("xmpp", AfterColon::Address),
    ("im", AfterColon::Address),
    ("tel", AfterColon::Number),
    ("urn", AfterColon::Namespace),
    ("magnet", AfterColon::Query),
];

/// What must follow the colon in a URL without slashes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum AfterColon {
    /// An `@` that is not the first character.
    Address,
    /// A dot or an `@` that is not the first character.
    Newsgroup,
    /// A digit or plus sign as its first character.
    Number,
    /// A colon that is not the first character.
    Namespace,
    /// A question mark as its first character.
    Query,
}

impl AfterColon {
    const KINDS: usize = 5;

    fn from_scheme(scheme: &str) -> Option<Self> {
        let mut rows = WITHOUT_SLASHES.iter();
        rows.find(|(name, _)| name.eq_ignore_ascii_case(scheme))
            .map(|&(_, rest)| rest)
    }

    fn may_begin(self, rest: &str) -> bool {
        match self {
            Self::Address => !rest.starts_with('@'),
            Self::Newsgroup => !rest.starts_with(['.', '@']),
            Self::Number => rest.starts_with(|c: char| c == '+' || c.is_ascii_digit()),
            Self::Namespace => !rest.starts_with(':'),
            Self::Query => rest.starts_with('?'),
        }
    }

    fn is_met(self, rest: &str) -> bool {
        self.may_begin(rest)
            && match self {
                Self::Address => rest.contains('@'),
                Self::Newsgroup => rest.contains(['.', '@']),
                Self::Namespace => rest.contains(':'),
                Self::Number | Self::Query => true,
            }
    }
}

/// Whether a scheme and the text after its colon are recognisably a URL by themselves.
fn stands_for_itself(scheme: &str, rest: &str) -> bool {
    let says_something = |rest: &str| rest.contains(|c: char| c.is_alphanumeric());
    match rest.strip_prefix("//") {
        Some(rest) => scheme.len() > 1 && says_something(rest),
        None => {
            AfterColon::from_scheme(scheme).is_some_and(|needed| needed.is_met(rest))
                && says_something(rest)
        }
    }
}

/// The host that text begins with, including a full stop that may end the sentence.
fn www_host(text: &str) -> &str {
    let is_over = |c: char| !(c.is_alphanumeric() || matches!(c, '.' | '-' | '_'));
    &text[..text.find(is_over).unwrap_or(text.len())]
}

/// Whether a host that begins with `www.` is plausible: three labels or more, none of them empty,
/// the last not all digits.
fn is_www_host(host: &str) -> bool {
    let host = host.trim_end_matches('.');
    let last = host.rsplit('.').next().unwrap_or_default();
    host.split('.').count() > 2
        && host.split('.').all(|label| !label.is_empty())
        && !last.bytes().all(|byte| byte.is_ascii_digit())
}

/// How much of `rest` belongs to a URL that begins before it; `before` is the character before the
/// URL.
fn bare_length(rest: &str, before: Option<char>) -> usize {
    let mut open = [0_usize; 3];
    let mut end = rest.len();
    for (at, character) in rest.char_indices() {
        // A closing counterpart of what precedes the URL ends it.
        let is_over = match (bracket(character), before) {
            (Some((kind, true)), _) => {
                open[kind] += 1;
                false
            }
            (Some((kind, false)), _) => match open[kind].checked_sub(1) {
                Some(left) => {
                    open[kind] = left;
                    false
                }
                None => true,
            },
            (None, Some(before)) => before == character && matches!(before, '\'' | '|'),
            (None, None) => false,
        };
        if is_over || !is_of_url(character) {
            end = at;
            break;
        }
    }
    without_punctuation(&rest[..end], before)
}

/// Which pair of brackets it belongs to, and whether it opens one.
fn bracket(character: char) -> Option<(usize, bool)> {
    Some(match character {
        '(' => (0, true),
        ')' => (0, false),
        '[' => (1, true),
        ']' => (1, false),
        '{' => (2, true),
        '}' => (2, false),
        _ => return None,
    })
}

/// The length of a URL without trailing characters that belong to the surrounding text.
fn without_punctuation(url: &str, before: Option<char>) -> usize {
    let mut kept = url;
    loop {
        let mut shorter =
            kept.trim_end_matches(['.', ',', ';', ':', '!', '?', '\'', '|', '(', '[', '{', '*']);
        // A character reference left over from HTML.
        for reference in ["&gt", "&lt", "&quot"] {
            shorter = shorter.strip_suffix(reference).unwrap_or(shorter);
        }
        // Emphasis.
        if let Some(mark @ ('_' | '~')) = before {
            shorter = shorter.trim_end_matches(mark);
        }
        if shorter.len() == kept.len() {
            return kept.len();
        }
        kept = shorter;
    }
}

/// Whether a character can occur in a URL in running text: the characters of RFC 3986, some that are in
/// use but not allowed (`|`, `^`, brackets), and those of RFC 3987 except punctuation.
fn is_of_url(character: char) -> bool {
    if character.is_ascii() {
        return character.is_ascii_graphic() && !matches!(character, '<' | '>' | '"' | '`' | '\\');
    }
    let is_punctuation = matches!(
        character,
        '\u{A0}'..='\u{A9}'
            | '\u{AB}'..='\u{AD}'
            | '\u{BB}'
            | '\u{200B}'
            | '\u{2013}'..='\u{205E}'
            | '\u{3000}'..='\u{3003}'
            | '\u{3008}'..='\u{301F}'
            | '\u{FEFF}'
            | '\u{FF01}'..='\u{FF0C}'
            | '\u{FF1A}'..='\u{FF20}'
            | '\u{FF3B}'..='\u{FF40}'
            | '\u{FF5B}'..='\u{FF65}'
            | '\u{FFFC}'
    );
    !(is_punctuation || character.is_whitespace() || character.is_control())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn check(cases: &[(&str, &[&str])]) {
        for (text, expected) in cases {
            let found: Vec<_> = urls(text).map(|url| url.value).collect();
            assert_eq!(found, *expected, "{text:?}");
        }
    }

    #[test]
    fn bracketed_url_across_lines() {
        check(&[
            ("<URL:http://a.example/b>", &["http://a.example/b"]),
            ("<url: http://a/\r\n  b/\n\tc >.", &["http://a/b/c"]),
            ("<http://a/\nb>", &["http://a/b"]),
            ("<http://a/b c>", &["http://a/bc"]),
            ("< URL:\n http://a/ >", &["http://a/"]),
            ("<URL:foo:bar>", &["foo:bar"]),
            ("<URL:mailto:x>", &["mailto:x"]),
            ("<mailto:a@b.example>", &["mailto:a@b.example"]),
            ("<http://a/,>", &["http://a/,"]),
            ("<http://a/é\né>", &["http://a/éé"]),
        ]);
    }

    #[test]
    fn quote_marks_removed_from_joined_url() {
        check(&[
            ("> <http://a/\n> b>", &["http://a/b"]),
            (">> <http://a/\n> > b\n>> c>", &["http://a/bc"]),
            // Without quote marks before the bracket, one closes it.
            ("<http://a/\n> b", &["http://a/"]),
            // Fewer quote marks: the line is another text.
            (">> <http://a/\n> b>", &["http://a/"]),
            (
                "x\n> y <http://a/\n> b>\n> <http://c/\n> d>",
                &["http://a/b", "http://c/d"],
            ),
        ]);
    }

    #[test]
    fn angle_brackets_without_url() {
        let long = format!("<http://a/\n{}>", "b".repeat(BRACKETED_BYTES));
        let lines = format!("<http://a/{}>", "\nb".repeat(BRACKETED_LINES));
        check(&[
            ("<Re: hello>", &[]),
            ("<a@b.example>", &[]),
            ("<dc:title>", &[]),
            ("<URL:relative>", &[]),
            ("<URL:>", &[]),
            ("<>", &[]),
            ("<a href=\"http://a/\">", &["http://a/"]),
            ("<http://a/\n\nb>", &["http://a/"]),
            ("> <http://a/\n>\n> b>", &["http://a/"]),
            ("<http://a/ <http://b/>", &["http://a/", "http://b/"]),
            ("<http://a/", &["http://a/"]),
            ("<http://a/\u{1}b>", &["http://a/"]),
            (&long, &["http://a/"]),
            (&lines, &["http://a/"]),
        ]);
    }

    #[test]
    fn bare_url_before_punctuation() {
        check(&[
            ("See http://a.example/b.", &["http://a.example/b"]),
            (
                "(http://a/b_(c)), http://d/e!?",
                &["http://a/b_(c)", "http://d/e"],
            ),
            ("[http://a/] {http://b/}", &["http://a/", "http://b/"]),
            (
                "'http://a/'s http://b/it's",
                &["http://a/", "http://b/it's"],
            ),
            ("\"http://a/\", `http://b/`", &["http://a/", "http://b/"]),
            ("*http://a/* _http://b/c_d_", &["http://a/", "http://b/c_d"]),
            ("*see http://a/* http://b/_", &["http://a/", "http://b/_"]),
            ("|http://a/| http://b/c|d", &["http://a/", "http://b/c|d"]),
            (
                "&lt;http://a/&gt; http://b/?c&gt=d",
                &["http://a/", "http://b/?c&gt=d"],
            ),
            (
                "«http://a/» “http://b/” http://c/，",
                &["http://a/", "http://b/", "http://c/"],
            ),
            (
                "http://a/\u{a0}b http://münchen.example/straße",
                &["http://a/", "http://münchen.example/straße"],
            ),
            ("http://a/(b", &["http://a/(b"]),
            ("http://a/(", &["http://a/"]),
            ("http://a/;p?q#f", &["http://a/;p?q#f"]),
        ]);
    }

    #[test]
    fn bare_urls_of_every_scheme() {
        check(&[
            (
                "http://[::1]/ ftp://a.b/ file:///c/d",
                &["http://[::1]/", "ftp://a.b/", "file:///c/d"],
            ),
            (
                "HTTP://A/ svn+ssh://a/ x-my.app://b",
                &["HTTP://A/", "svn+ssh://a/", "x-my.app://b"],
            ),
            ("mailto:a@b.example, mailto: a", &["mailto:a@b.example"]),
            (
                "news:comp.x news:1@b good news:everyone",
                &["news:comp.x", "news:1@b"],
            ),
            (
                "cid:a@b mid:c@d/e@f acid:x cid:x",
                &["cid:a@b", "mid:c@d/e@f"],
            ),
            (
                "tel:+49-30 tel:me urn:isbn:1 magnet:?xt=a",
                &["tel:+49-30", "urn:isbn:1", "magnet:?xt=a"],
            ),
            (
                "see.http://a/ --https://b/ 1http://c/",
                &["http://a/", "https://b/", "http://c/"],
            ),
            ("view-source:http://a/", &["http://a/"]),
            (
                "http://a/http://b/ http://c/,http://d/",
                &["http://a/http://b/", "http://c/,http://d/"],
            ),
            ("éhttp://a/", &["http://a/"]),
        ]);
    }

    #[test]
    fn www_host_without_scheme() {
        let found: Vec<_> = urls(
            "See www.example.com/x(y). <WWW.a.example> http://www.b.example/ \
             www.c.example:8080/?q=http://d/ (www.e.example), www.f.example.",
        )
        .map(|url| (url.value.into_owned(), url.without_scheme))
        .collect();
        let expected = [
            ("www.example.com/x(y)", true),
            ("WWW.a.example", true),
            ("http://www.b.example/", false),
            ("www.c.example:8080/?q=http://d/", true),
            ("www.e.example", true),
            ("www.f.example", true),
        ];
        assert_eq!(found, expected.map(|(value, is)| (value.to_owned(), is)));
    }

    #[test]
    fn text_that_resembles_a_url() {
        check(&[
            ("www. www.a www..b www.a.1 a.b/c", &[]),
            ("x@www.a.example www.a.example@b xwww.a.example", &[]),
            ("http:// http://... ://a", &[]),
            ("C:\\a C://a", &[]),
            ("at 10:30, std::vec, a:b", &[]),
            ("mailto:@a mailto: @ urn::a", &[]),
            ("", &[]),
        ]);
    }

    #[test]
    fn linear_time_on_hostile_text() {
        for piece in [
            "<",
            "<http:",
            "mailto:",
            "> <",
            ">",
            "http://",
            "a://",
            "cid:a",
            "<URL:a\n",
            "(",
            ":",
            "http://a/&gt",
            "tel:x",
            "urn:",
            "news:",
            "news:@",
            "|cid:a@",
            "|cid:",
            "cid:",
            "http://((",
            "<a\n>",
            "www.",
            "www.a.b ",
            "www.,",
            "www.a,",
            "www.a.b@",
            "(www.a.b",
            ":www.a",
        ] {
            let text = piece.repeat(250_000 / piece.len());
            let found: usize = urls(&text).map(|url| url.range.len()).sum();
            assert!(found <= text.len(), "{piece:?}");
        }
    }

    proptest! {
        #[test]
        fn ranges_ordered_and_contain_urls(
            text in "([<>:/@. \n]|http://|URL:|mailto:|www\\.|a|é|> ){0,60}",
        ) {
            let mut end = 0;
            for url in urls(&text) {
                prop_assert!(url.range.start >= end && url.range.end <= text.len());
                prop_assert!(!url.value.is_empty());
                let stored = &text[url.range.clone()];
                let mut stored = stored.chars();
                for character in url.value.chars() {
                    prop_assert!(stored.any(|found| found == character));
                }
                end = url.range.end;
            }
        }
    }
}
