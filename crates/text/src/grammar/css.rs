//! URLs in CSS; the only module that uses cssparser.
//!
//! A style sheet, a list of declarations and a single value are read alike, as tokens (CSS Syntax 3
//! §4): the enclosing function or at-rule shows what is a URL. Something that a browser would
//! ignore, such as an unknown property, still yields its URL; the tokenizer's bad strings and bad
//! URLs do not.

mod choices;

use std::ops::Range;

use baseref_simd::Bytes32;
use cssparser::{CowRcStr, Parser, Token};
use memchr::{memchr, memchr_iter, memchr2, memchr3, memmem, memrchr2_iter};

pub use self::choices::choices;

/// Calls `each` with every URL in CSS, in order: the URL without quotes and with escapes decoded,
/// and its byte range between the quotes or parentheses, without white space, escapes as written.
///
/// These are the `url()` and `src()` of any value (CSS Values 4 §4.5), the string of an `@import`
/// (CSS Cascade 5 §2), and the strings that are images in `image-set()` and `image()` (CSS Images 4
/// §2). Namespaces and the URLs that a `@document` rule matches are not links and are left out, and so
/// are those of an `@import` after another rule or in a block, which is invalid.
pub fn urls(css: &str, each: impl FnMut(&str, Range<usize>)) {
    if let Some(last) = last_beginning(css) {
        read(css, last, is_simple(css), each);
    }
}

/// Whether CSS may have URLs, or choices among them: each is in parentheses or an at-rule. Few `style`
/// attributes do.
#[must_use]
pub fn may_have_urls(css: &str) -> bool {
    memchr2(b'(', b'@', css.as_bytes()).is_some()
}

/// Calls `each` with every URL; `last` is where the last construct with a URL begins, and `skips` allows
/// skipping irrelevant text.
fn read(css: &str, last: usize, skips: bool, mut each: impl FnMut(&str, Range<usize>)) {
    let mut context = Context::default();
    if !may_import(css) {
        context.top_level = TopLevel::AfterImports;
    }
    let mut offset = 0;
    let mut parser = Parser::new(css);
    // Up to here everything is read.
    let mut hard = if skips { 0 } else { css.len() };
    loop {
        let mut start = offset + parser.position().byte_index();
        if context.is_free() {
            if start >= hard && skips && context.top_level == TopLevel::AfterImports {
                start = skip_easy(css.as_bytes(), start, &mut hard);
                offset = start;
                parser = Parser::new(&css[offset..]);
            }
            if start > last {
                return;
            }
        }
        let Ok(token) = parser.next_including_whitespace_and_comments() else {
            return;
        };
        let url = context.url(token).cloned();
        let opens = context.take(token);
        let end = offset + parser.position().byte_index();
        if let Some(url) = url {
            each(&url, written(css, start..end));
        }
        if opens {
            // A parser skips a block unless it is parsed in a closure, and nested closures are
            // recursion: so a new parser takes over at the block's first token.
            offset = end;
            parser = Parser::new(&css[offset..]);
        }
    }
}

/// Whether what surrounds the URLs of a style sheet does not matter to them, apart from the
/// functions whose strings are URLs and the preludes of `@import` and [`UNLINKED`], which are short and
/// contain their own blocks whole.
fn is_simple(css: &str) -> bool {
    let bytes = css.as_bytes();
    memchr_iter(b'@', bytes).all(|at| {
        let after = &bytes[at + 1..];
        let letters = after.iter().take_while(|byte| is_of_name(**byte));
        let ends_in_escape = after.get(letters.count()) == Some(&b'\\');
        // A name with an escape may be any name.
        let may_be_unlinked = begins_unlinked(after) || begins_with(after, b"import");
        !ends_in_escape && (!may_be_unlinked || ends_prelude(&css[at..]))
    })
}

/// Whether there is an `@import`; a name with an escape may be one.
fn may_import(css: &str) -> bool {
    let bytes = css.as_bytes();
    memchr_iter(b'@', bytes).any(|at| {
        let after = &bytes[at + 1..];
        let letters = after.iter().take_while(|byte| is_of_name(**byte));
        begins_with(after, b"import") || after.get(letters.count()) == Some(&b'\\')
    })
}

fn begins_unlinked(after: &[u8]) -> bool {
    UNLINKED
        .iter()
        .any(|name| begins_with(after, name.as_bytes()))
}

/// Whether the at-rule at the start of `css` soon has a `;` or a block, before anything that ends a
/// block around it.
fn ends_prelude(css: &str) -> bool {
    /// Preludes are looked at here and again when they are read.
    const LONGEST: usize = 512;
    let mut context = Context::default();
    let mut rest = &css[..css.floor_char_boundary(LONGEST)];
    let mut parser = Parser::new(rest);
    while let Ok(token) = parser.next_including_whitespace_and_comments() {
        let depth = context.open.len();
        let opens = context.take(token);
        match token {
            Token::Semicolon | Token::CurlyBracketBlock if depth == 0 => return true,
            Token::CloseParenthesis | Token::CloseSquareBracket | Token::CloseCurlyBracket
                if context.open.len() == depth =>
            {
                return false;
            }
            _ => {}
        }
        if opens {
            rest = &rest[parser.position().byte_index()..];
            parser = Parser::new(rest);
        }
    }
    false
}

/// The offset of the next token to parse at or after `start`. All up to `hard` is then parsed.
fn skip_easy(css: &[u8], start: usize, hard: &mut usize) -> usize {
    let passed = next_hard(css, start);
    // The byte itself, too.
    *hard = passed.end + 1;
    token_before(css, passed)
}

/// In a simple style sheet, the first byte at or after `from` that needs parsing: the beginning of
/// an `@import`, of an `@font-face`, of an at-rule in [`UNLINKED`] or of a function with URLs, a
/// malformed string, or an escape in a name. The range begins at the end of the last string or comment before it.
fn next_hard(css: &[u8], from: usize) -> Range<usize> {
    let mut start = from;
    loop {
        let hard = (start..css.len())
            .step_by(Bytes32::LEN)
            .find_map(|at| find_hard(css, at))
            .unwrap_or(css.len());
        match whole_token(css, hard) {
            Some(end) => start = end,
            None => return start..hard,
        }
    }
}

/// The end of the string or comment at an offset, if there is one and it is closed.
fn whole_token(css: &[u8], at: usize) -> Option<usize> {
    let rest = css.get(at + 1..)?;
    match css[at] {
        quote @ (b'"' | b'\'') => whole_string(css, at + 1, quote),
        // An unclosed comment extends to the end of the style sheet.
        b'/' => {
            let length = memmem::find(rest.get(1..)?, b"*/");
            Some(length.map_or(css.len(), |length| at + length + 4))
        }
        _ => None,
    }
}

/// The end of the string whose first character is at an offset, if it is closed.
fn whole_string(css: &[u8], mut at: usize, quote: u8) -> Option<usize> {
    loop {
        let rest = css.get(at..)?;
        let length = memchr3(quote, b'\\', b'\n', rest)?;
        if memchr2(b'\r', 0x0C, &rest[..length]).is_some() {
            return None;
        }
        at += length + 1;
        match rest[length] {
            b'\\' => at += 1,
            b'\n' => return None,
            _ => return Some(at),
        }
    }
}

/// The last boundary between two tokens in a range that contains no string, comment or URL and
/// begins with a token. It never splits a function's name at the end of the range.
fn token_before(css: &[u8], range: Range<usize>) -> usize {
    // These are tokens of their own, or end one.
    let ends = |byte: &u8| {
        let ends = matches!(
            byte,
            b'{' | b'}' | b'(' | b')' | b'[' | b']' | b';' | b':' | b','
        );
        ends || is_blank(*byte)
    };
    let before = css[range.clone()].iter().rposition(ends);
    before.map_or(range.start, |before| range.start + before + 1)
}

/// The first byte in the window at `at` that begins something relevant, or ends its name.
fn find_hard(css: &[u8], at: usize) -> Option<usize> {
    let window = Bytes32::at(css, at);
    let is = |byte| window.eq(Bytes32::splat(byte));
    let quotes = is(b'"') | is(b'\'');
    let mut found = (quotes | is(b'/') | is(b'(') | is(b'@') | is(b'\\')).bits();
    while found != 0 {
        let index = at + found.trailing_zeros() as usize;
        let is_hard = match css[index] {
            b'(' => ends_url_name(&css[..index]),
            b'@' => {
                let after = &css[index + 1..];
                begins_with(after, b"import")
                    || begins_with(after, b"font-face")
                    || begins_unlinked(after)
            }
            b'/' => css.get(index + 1) == Some(&b'*'),
            _ => true,
        };
        if is_hard {
            return Some(index);
        }
        found &= found - 1;
    }
    None
}

/// Whether `css` ends with the name, without escapes, of a function that holds URLs.
fn ends_url_name(css: &[u8]) -> bool {
    // Each name has another last letter.
    let name = match css.last().map(u8::to_ascii_lowercase) {
        Some(b'l') => &b"url"[..],
        Some(b'c') => b"src",
        Some(b't') => b"image-set",
        Some(b'e') => b"image",
        _ => return false,
    };
    let end = css.get(css.len().saturating_sub(name.len())..);
    end.is_some_and(|end| end.eq_ignore_ascii_case(name))
}

/// CSS Syntax 3 §4.2 "ident code point".
fn is_of_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | 0x80..)
}

fn begins_with(css: &[u8], name: &[u8]) -> bool {
    css.get(..name.len())
        .is_some_and(|begin| begin.eq_ignore_ascii_case(name))
}

/// At-rules whose URLs are not links.
const UNLINKED: [&str; 3] = ["namespace", "document", "-moz-document"];

/// At-rules with a block after which an `@import` is invalid. Rules that browsers do not know change
/// nothing.
const BLOCK_RULES: [&str; 16] = [
    "media",
    "supports",
    "font-face",
    "keyframes",
    "-webkit-keyframes",
    "layer",
    "container",
    "page",
    "property",
    "counter-style",
    "font-feature-values",
    "font-palette-values",
    "scope",
    "starting-style",
    "position-try",
    "view-transition",
];

/// The offset of the last `(` or `@` that may begin a construct with URLs, if there is one.
fn last_beginning(css: &str) -> Option<usize> {
    /// No name is longer, even with every letter escaped.
    const LONGEST: usize = "-webkit-image-set".len() * r"\000061..".len();
    let bytes = css.as_bytes();
    // The names may have escapes, but `(` and `@` themselves cannot be escaped.
    let has_escapes = memchr(b'\\', bytes).is_some();
    let is_escaped = |name: &[u8]| has_escapes && memchr(b'\\', name).is_some();
    let begins = |&at: &usize| {
        if bytes[at] == b'(' {
            return ends_url_name(&bytes[..at])
                || is_escaped(&bytes[at.saturating_sub(LONGEST)..at]);
        }
        let after = &bytes[at + 1..bytes.len().min(at + 1 + LONGEST)];
        begins_with(after, b"import") || is_escaped(after)
    };
    memrchr2_iter(b'(', b'@', bytes).find(begins)
}

/// What is open around a token, and what precedes it.
#[derive(Debug, Default)]
struct Context {
    /// The blocks and functions, innermost last.
    open: Vec<Block>,
    /// How many of these are [`Block::Images`].
    images: usize,
    /// A string that comes next, after white space and comments, is a URL.
    awaits_url: bool,
    /// The depth of the at-rule whose prelude this is, if its URLs are not links.
    unlinked: Option<usize>,
    top_level: TopLevel,
    /// Whether there was an `@import`.
    has_import: bool,
}

/// What is read at the top level of a style sheet, which decides whether an `@import` is valid (CSS
/// Cascade 5 §2).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum TopLevel {
    /// Between rules, where an `@import` is valid.
    #[default]
    Between,
    /// In an at-rule that an `@import` may follow.
    InIgnoredRule,
    /// In a rule with an invalid selector.
    InInvalidRule,
    /// In the prelude of an at-rule that is valid if a block follows.
    BeforeBlock,
    /// In the prelude of an at-rule that is valid without a block.
    BeforeSemicolon,
    /// In a selector, which is complete unless a simple selector has to follow.
    InSelector { is_complete: bool },
    /// After a rule that no `@import` may follow.
    AfterImports,
}

impl TopLevel {
    /// Passes a token outside blocks that is not white space or a comment.
    fn next(self, token: &Token<'_>) -> Self {
        match (self, token) {
            (Self::AfterImports, _)
            | (Self::BeforeSemicolon, Token::Semicolon)
            | (
                Self::BeforeBlock | Self::InSelector { is_complete: true },
                Token::CurlyBracketBlock,
            ) => Self::AfterImports,
            (Self::Between, Token::CDO | Token::CDC)
            | (Self::InIgnoredRule | Self::BeforeBlock, Token::Semicolon) => Self::Between,
            (Self::Between, Token::AtKeyword(name)) if is_any(name, &BLOCK_RULES) => {
                Self::BeforeBlock
            }
            (Self::Between, Token::AtKeyword(name)) if is_any(name, &["namespace"]) => {
                Self::BeforeSemicolon
            }
            (Self::Between, Token::AtKeyword(_)) => Self::InIgnoredRule,
            (Self::Between, _) => Self::in_selector(false, token),
            (Self::InSelector { is_complete }, _) => Self::in_selector(is_complete, token),
            _ => self,
        }
    }

    /// Passes a token of a selector, whose names are not checked.
    fn in_selector(is_complete: bool, token: &Token<'_>) -> Self {
        let is_complete = match token {
            Token::Ident(_)
            | Token::IDHash(_)
            | Token::Function(_)
            | Token::SquareBracketBlock
            | Token::Delim('*' | '&' | '|') => true,
            Token::Colon | Token::Delim('.') => false,
            Token::Comma | Token::Delim('>' | '+' | '~') if is_complete => false,
            _ => return Self::InInvalidRule,
        };
        Self::InSelector { is_complete }
    }
}

/// Open blocks, by the token that closes them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Block {
    Parenthesis,
    /// A function whose strings are URLs of images.
    Images,
    SquareBracket,
    CurlyBracket,
}

impl Context {
    /// A token's URL, if it is one.
    fn url<'t, 'i>(&self, token: &'t Token<'i>) -> Option<&'t CowRcStr<'i>> {
        let url = match token {
            Token::UnquotedUrl(url) => Some(url),
            Token::QuotedString(url) if self.awaits_url || self.in_images() => Some(url),
            _ => None,
        };
        url.filter(|_| self.unlinked.is_none())
    }

    fn in_images(&self) -> bool {
        self.open.last() == Some(&Block::Images)
    }

    /// Whether later strings and URLs can be read without knowing what is open.
    fn is_free(&self) -> bool {
        !self.awaits_url && self.images == 0 && self.unlinked.is_none()
    }

    /// Passes a token; returns whether it opens a block.
    fn take(&mut self, token: &Token<'_>) -> bool {
        if matches!(token, Token::WhiteSpace(_) | Token::Comment(_)) {
            return false;
        }
        self.awaits_url = false;
        let may_import = self.open.is_empty() && self.top_level == TopLevel::Between;
        if self.open.is_empty() {
            let is = |known| matches!(token, Token::AtKeyword(name) if is_any(name, &[known]));
            self.top_level = if may_import && self.has_import && is("layer") {
                // Between imports, a layer ends them.
                TopLevel::AfterImports
            } else {
                self.top_level.next(token)
            };
            self.has_import |= may_import && is("import");
        }
        match token {
            Token::AtKeyword(name) => self.at_rule(name, may_import),
            Token::Semicolon => self.end_prelude(),
            Token::Function(name) => {
                self.awaits_url = is_any(name, &["url", "src"]);
                let images = is_any(name, &["image-set", "-webkit-image-set", "image"]);
                return self.opens(if images {
                    Block::Images
                } else {
                    Block::Parenthesis
                });
            }
            Token::ParenthesisBlock => return self.opens(Block::Parenthesis),
            Token::SquareBracketBlock => return self.opens(Block::SquareBracket),
            Token::CurlyBracketBlock => {
                self.end_prelude();
                return self.opens(Block::CurlyBracket);
            }
            Token::CloseParenthesis => self.close(&[Block::Parenthesis, Block::Images]),
            Token::CloseSquareBracket => self.close(&[Block::SquareBracket]),
            Token::CloseCurlyBracket => self.close(&[Block::CurlyBracket]),
            _ => {}
        }
        false
    }

    fn at_rule(&mut self, name: &str, may_import: bool) {
        let is_import = is_any(name, &["import"]);
        self.awaits_url = is_import && may_import;
        if is_any(name, &UNLINKED) || (is_import && !may_import) {
            self.unlinked.get_or_insert(self.open.len());
        }
    }

    /// Handles a token that ends the prelude of an at-rule, if it is at the depth of the rule.
    fn end_prelude(&mut self) {
        if self.unlinked == Some(self.open.len()) {
            self.unlinked = None;
        }
    }

    fn opens(&mut self, block: Block) -> bool {
        self.open.push(block);
        self.images += usize::from(block == Block::Images);
        true
    }

    /// CSS Syntax 3 §5.4.8 "consume a simple block": a token that would close a block other than
    /// the innermost is part of its content.
    fn close(&mut self, blocks: &[Block]) {
        if let Some(block) = self.open.pop_if(|last| blocks.contains(last)) {
            self.images -= usize::from(block == Block::Images);
            let ends_rule = block == Block::CurlyBracket && self.open.is_empty();
            if ends_rule && self.top_level != TopLevel::AfterImports {
                self.top_level = TopLevel::Between;
            }
        }
        if self.unlinked.is_some_and(|depth| depth > self.open.len()) {
            self.unlinked = None;
        }
    }
}

fn is_any(name: &str, names: &[&str]) -> bool {
    names.iter().any(|other| name.eq_ignore_ascii_case(other))
}

/// The bytes of the URL in a string token or `url()` token.
fn written(css: &str, token: Range<usize>) -> Range<usize> {
    let bytes = &css.as_bytes()[..token.end];
    if let Some(quote @ (b'"' | b'\'')) = bytes.get(token.start).copied() {
        let start = token.start + 1;
        return start..end_of(bytes, start, |rest| memchr2(quote, b'\\', rest));
    }
    let name = memchr(b'(', &bytes[token.start..]).map_or(token.len(), |at| at + 1);
    let start = token.start + name;
    let blank = bytes[start..].iter().take_while(|byte| is_blank(**byte));
    let start = start + blank.count();
    let mut end = end_of(bytes, start, |rest| memchr2(b')', b'\\', rest));
    if !bytes[start..end].contains(&b'\\') {
        end -= bytes[start..end]
            .iter()
            .rev()
            .take_while(|byte| is_blank(**byte))
            .count();
        return start..end;
    }
    // White space may be part of an escape.
    let ends = |rest: &[u8]| {
        rest.iter()
            .position(|byte| matches!(byte, b')' | b'\\') || is_blank(*byte))
    };
    start..end_of(bytes, start, ends)
}

/// The end of a URL that begins at `start`: the next match of `find` that is not escaped.
fn end_of(bytes: &[u8], start: usize, find: impl Fn(&[u8]) -> Option<usize>) -> usize {
    let mut at = start;
    while let Some(found) = bytes.get(at..).and_then(&find) {
        at += found;
        if bytes[at] != b'\\' {
            return at;
        }
        at += escape_length(&bytes[at..]);
    }
    bytes.len()
}

/// The length of an escape, backslash included; for an escaped multi-byte character, at least its
/// first byte.
fn escape_length(bytes: &[u8]) -> usize {
    let digits = bytes.iter().skip(1).take(6);
    let digits = digits.take_while(|byte| byte.is_ascii_hexdigit()).count();
    match (digits, bytes.get(1 + digits..).unwrap_or_default()) {
        (0, _) => 2,
        (_, [b'\r', b'\n', ..]) => digits + 3,
        (_, [byte, ..]) if is_blank(*byte) => digits + 2,
        _ => digits + 1,
    }
}

/// CSS Syntax 3 §4.2 "whitespace", and the characters that input preprocessing turns into it.
fn is_blank(byte: u8) -> bool {
    byte.is_ascii_whitespace()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Each URL, decoded and as written.
    fn found(css: &str) -> Vec<(String, &str)> {
        let mut found = Vec::new();
        urls(css, |url, range| found.push((url.to_owned(), &css[range])));
        found
    }

    fn check(cases: &[(&str, &[&str])]) {
        for (css, expected) in cases {
            let urls: Vec<_> = found(css).into_iter().map(|(url, _)| url).collect();
            assert_eq!(urls, *expected, "{css}");
        }
    }

    #[test]
    fn url_and_src_functions() {
        check(&[
            ("", &[]),
            ("color: red", &[]),
            ("background: url(a.png)", &["a.png"]),
            ("background: URL( a.png\n)", &["a.png"]),
            ("background: \\75rl(a)", &["a"]),
            ("background: url(\"a b\"), url( 'c' )", &["a b", "c"]),
            ("a { b: url('x' cross-origin(anonymous)) }", &["x"]),
            ("a { src: src(\"x\") } b { c: src(d) }", &["x"]),
            ("a: url(#b); c: url()", &["#b", ""]),
            ("a { b { c: url(1) } } d { e: url(2) }", &["1", "2"]),
            ("a[b=\"c\"] { content: \"d\" }", &[]),
            ("@media x { a { b: calc((1 + (2))) url(c) } }", &["c"]),
            ("/* url(a) */ b: url(c /**/)", &[]),
            (
                "url(data:image/png;base64,AA==)",
                &["data:image/png;base64,AA=="],
            ),
            ("<!-- a { b: url(c) } -->", &["c"]),
            ("b: url(a); c: d(e) f('g') @h 'i'", &["a"]),
            ("c: d(e); b: Src('a') f(g)", &["a"]),
            ("rl(a) url (b) @mport 'c' u\\72l(d)", &["d"]),
            ("a: url(b", &["b"]),
            ("a: url('b", &["b"]),
            ("a { --b: url(c) }", &["c"]),
        ]);
    }

    #[test]
    fn bad_url_token() {
        check(&[
            ("a: url(b c)", &[]),
            ("a: url(b\"c)", &[]),
            ("a: url('b\nc'); d: url(e)", &[]),
            ("a: url(b c); d: url(e)", &["e"]),
        ]);
    }

    #[test]
    fn import_string_or_url() {
        check(&[
            ("@import 'a.css';", &["a.css"]),
            ("@IMPORT/**/\"a.css\" layer(x) screen", &["a.css"]),
            ("@import url(a) supports(display: grid);", &["a"]),
            ("@import url('a');", &["a"]),
            ("@import x 'a';", &[]),
            ("@charset 'utf-8'; @import 'a';", &["a"]),
            ("@important 'a';", &[]),
        ]);
    }

    #[test]
    fn import_after_rules_it_may_follow() {
        check(&[
            ("@import 'a'; @import url(b);", &["a", "b"]),
            (
                "@layer a, b; @layer c; @import 'd'; @import 'e'",
                &["d", "e"],
            ),
            ("<!-- @import 'a'; --> /* b {} */ @import 'c';", &["a", "c"]),
            ("@unknown { a { b: c } } @import 'd';", &["d"]),
            ("@unknown 'a' (;); @import 'b';", &["b"]),
            ("@media x; @import 'b';", &["b"]),
            ("{} @import 'a';", &["a"]),
            ("1% { b: url(c) } @import 'd';", &["c", "d"]),
            ("a, { b: c } a. { b: c } > a {} @import 'd'", &["d"]),
        ]);
    }

    #[test]
    fn import_after_rules_it_must_precede() {
        check(&[
            ("p { color: red } @import 'a'; b { c: url(d) }", &["d"]),
            ("a > .b, #c::d[e='f'] + g:not(h) {} @import 'i'", &[]),
            ("@IMPORT 'a'; p {} @\\69mport 'b'; @import url(c)", &["a"]),
            ("@font-face { src: url(a) } @import 'b'", &["a"]),
            ("@layer a { b { c: d } } @import 'e'", &[]),
            (
                "@media x {} @import url('a') layer(b); c { d: url(e) }",
                &["e"],
            ),
            ("@namespace a url(b); @import 'c'", &[]),
            ("@layer a; @import 'b'; @layer c; @import 'd'", &["b"]),
        ]);
    }

    #[test]
    fn import_inside_rules() {
        check(&[
            ("@media all { @import 'a'; } b { c: url(d) }", &["d"]),
            ("@supports (a: b) { @import url(a) }", &[]),
            (
                "@unknown { @import 'a'; b: url(c) } @import 'd';",
                &["c", "d"],
            ),
            ("@unknown @import 'a'; @import 'b';", &["b"]),
            // A semicolon outside blocks begins a rule.
            ("@import 'a';; @import 'b'; c {} @import 'd'", &["a", "d"]),
        ]);
    }

    #[test]
    fn strings_in_image_set() {
        check(&[
            (
                "a: image-set('1.png' 1x, url(2.png) type('image/png') 2x, '3' 3x)",
                &["1.png", "2.png", "3"],
            ),
            ("a: -webkit-image-set(\"1\" 1x)", &["1"]),
            ("a: image('1', red), format('2')", &["1"]),
            ("a: image-set('1' 1x); content: '2'", &["1"]),
            ("@font-face { src: local('a'), url(b) format('c') }", &["b"]),
        ]);
    }

    #[test]
    fn namespace_and_document_rules() {
        check(&[
            ("@namespace 'a'; @namespace b url(c); d: url(e)", &["e"]),
            ("@namespace url('a'); @import 'b';", &[]),
            (
                "@-moz-document url(a), domain('b') { c { d: url(e) } }",
                &["e"],
            ),
            ("@media x { @namespace y } a { b: url(c) }", &["c"]),
        ]);
    }

    #[test]
    fn at_rule_without_links() {
        for (css, simple) in [
            ("@namespace a url(b);", true),
            ("@-moz-document url-prefix() { a { b: url(c) } }", true),
            ("a { @namespace 'b'; c: url(d) }", true),
            ("a { @namespace b } c: url(d)", false),
            ("a: image-set(@namespace 'b') c: url(d);", false),
            ("@namespace 'a'", false),
            ("@n\\61 mespace 'a';", false),
        ] {
            assert_eq!(is_simple(css), simple, "{css}");
        }
        let long = format!("@namespace '{}';", "a".repeat(600));
        assert!(!is_simple(&long));
    }

    #[test]
    fn unmatched_closing_brackets() {
        check(&[
            ("a: f(}) url(b); } ) ] c: url(d)", &["b", "d"]),
            ("a: image-set(['1'] }'2' 2x)", &["2"]),
        ]);
    }

    #[test]
    fn escapes_decoded_with_source_range() {
        for (css, url, written) in [
            ("url( a\\ b )", "a b", "a\\ b"),
            ("url(a\\29)", "a)", "a\\29"),
            ("url(a\\)b)", "a)b", "a\\)b"),
            ("url(a\\000041 b )", "aAb", "a\\000041 b"),
            ("url(a\\41\r\nb)", "aAb", "a\\41\r\nb"),
            ("url(a\\41 )", "aA", "a\\41 "),
            ("url(\\é)", "é", "\\é"),
            ("url(\"a\\\"b\")", "a\"b", "a\\\"b"),
            ("url('a\\\nb')", "ab", "a\\\nb"),
            ("@import 'é\\27'", "é'", "é\\27"),
            ("url('a\\", "a", "a\\"),
            ("url(a\\", "a\u{fffd}", "a\\"),
            ("url(a\0b)", "a\u{fffd}b", "a\0b"),
        ] {
            assert_eq!(found(css), [(url.to_owned(), written)], "{css:?}");
        }
    }

    #[test]
    fn nested_blocks_use_no_stack() {
        for (open, close) in [("(", ")"), ("f(", ")"), ("{", "}"), ("[", "]")] {
            let depth = 300_000;
            let css = open.repeat(depth) + "url(a)" + &close.repeat(depth) + "url(b)";
            let urls: Vec<_> = found(&css).into_iter().map(|(url, _)| url).collect();
            assert_eq!(urls, ["a", "b"], "{open}");
        }
    }

    proptest! {
        #[test]
        fn urls_in_skipped_css(
            css in "([a-z {}();:,\"'/*@#0-9.-]|url\\(|url\\(x\\)|URL\\('x'\\)|@import 'x';|@import url\\(x\\)|@media |@unknown |@layer |image-set\\(|/\\*|\\*/|rgba\\(|[\n\r\x0C\\[\\]é]|[\\\\]|u\\\\72l\\(|\\\\f101|\\\\22 |@n\\\\61 mespace |\\\\\n){0,40}",
        ) {
            if !is_simple(&css) {
                return Ok(());
            }
            let all = |skips| {
                let mut found = Vec::new();
                read(&css, css.len(), skips, |url, range| found.push((url.to_owned(), range)));
                found
            };
            let without_skips = all(false);
            assert_eq!(all(true), without_skips);
            let mut found = Vec::new();
            urls(&css, |url, range| found.push((url.to_owned(), range)));
            assert_eq!(found, without_skips);
        }

        #[test]
        fn ranges_ordered_on_character_boundaries(
            css in "([ \\t\\r\\n;,(){}\\[\\]\"'\\\\/*@a-f0-9é日\0-]|url\\(|@import |image-set\\(){0,30}|\\PC*",
        ) {
            let mut last = 0;
            urls(&css, |_, range| {
                assert!(range.start >= last && range.end >= range.start, "{range:?}");
                assert!(css.get(range.clone()).is_some(), "{range:?}");
                last = range.end;
            });
        }
    }
}
