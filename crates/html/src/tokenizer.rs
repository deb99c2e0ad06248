//! HTML "tokenization" over a document in memory, with spans and without copies.
//!
//! A pull parser: [`Tokenizer::next`] returns text, comments and doctypes whole, but only the name
//! of a tag; [`Tokenizer::attributes`] then iterates over its attributes. A reader that wants none
//! of them pays for none.

use memchr::{memchr, memchr_iter, memchr2, memmem};

use super::bytes::{
    CASES, EQUALS, GREATER_THAN, LETTER, MARKUP, SLASH, WHITE_SPACE, find, is_any, letters,
    near_name, skip_until, skip_white_space,
};
use super::names::{Content, Name, ends_name};

/// A range of the source that lies on character boundaries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Span {
    pub(super) start: usize,
    pub(super) end: usize,
}

impl Span {
    /// Its text.
    pub(super) fn slice(self, source: &str) -> &str {
        source.get(self.start..self.end).unwrap_or_default()
    }

    /// Its bytes.
    #[inline]
    pub(super) fn bytes(self, source: &str) -> &[u8] {
        source
            .as_bytes()
            .get(self.start..self.end)
            .unwrap_or_default()
    }
}

/// One token. Parse errors are not reported, except the one that produces no token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Token {
    /// Characters. Adjacent ones may come as several tokens.
    Text(Text),
    /// A start tag up to the end of its name: continue with [`Tokenizer::attributes`].
    StartTag(TagName),
    /// An end tag up to the end of its name: continue with [`Tokenizer::attributes`].
    EndTag(TagName),
    /// A comment or bogus comment.
    Comment,
    /// A doctype, from after `<!` to its end.
    Doctype(Span),
    /// `</>`: the parse error "missing-end-tag-name" and no token.
    MissingEndTagName,
    /// The end of the document.
    Eof,
}

/// Characters as written in the source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Text {
    /// The text before anything is decoded.
    pub(super) span: Span,
    /// The state it was read in, which decides what is decoded in it.
    pub(super) kind: TextKind,
}

/// The state that text was read in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TextKind {
    /// Character references are decoded, U+0000 is left to tree construction.
    Data,
    /// Character references are decoded, U+0000 is replaced.
    Rcdata,
    /// RAWTEXT, script data, PLAINTEXT: U+0000 is replaced.
    Raw,
    /// Nothing is decoded, U+0000 is left to tree construction.
    CdataSection,
}

/// The beginning of a tag.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TagName {
    /// The offset of the tag's `<`.
    pub(super) start: usize,
    /// The name as written: neither lower-cased nor with U+0000 replaced.
    pub(super) span: Span,
    /// Which name it is.
    pub(super) name: Name,
}

/// One attribute as written in the source. A name may be repeated: the first wins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Attribute {
    /// The name as written: neither lower-cased nor with U+0000 replaced.
    pub(super) name: Span,
    /// A case-insensitive hash of the name, unique among names of up to seven letters.
    pub(super) key: u64,
    /// The value as written, without its quotes; empty if there is none.
    pub(super) value: Span,
}

/// Set in no key of a name of up to seven letters.
const LONG_OR_STRANGE: u64 = 1 << 63;

/// The [`Attribute::key`] of an attribute's name.
#[inline]
pub(super) fn attribute_key(name: &[u8]) -> u64 {
    if let (Some(first), Some(last)) = (name.first_chunk::<8>(), name.last_chunk::<8>()) {
        let first = u64::from_le_bytes(*first) | CASES;
        let last = u64::from_le_bytes(*last) | CASES;
        return first ^ last.rotate_left(17) | LONG_OR_STRANGE;
    }
    let letters = name.iter().rev();
    let key = letters.fold(0, |key, letter| key << 8 | u64::from(letter | 0x20));
    // The case bit turns control characters into other characters.
    if name.iter().any(u8::is_ascii_control) {
        key | LONG_OR_STRANGE
    } else {
        key
    }
}

/// Whether all names with this [`attribute_key`] are the same, letter case aside.
#[inline]
pub(super) fn is_of_one_name(key: u64) -> bool {
    key & LONG_OR_STRANGE == 0
}

/// How a tag ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TagEnd {
    /// With `>`.
    Open,
    /// With `/>`.
    SelfClosing,
    /// With the document: the tag does not count.
    Eof,
}

/// The state of tokenization.
#[derive(Clone, Debug)]
pub(super) struct Tokenizer<'s> {
    source: &'s str,
    at: usize,
    content: Content,
    /// The name of the last start tag, as written: only its end tag ends RCDATA, RAWTEXT
    /// and script data ("appropriate end tag token").
    last_start_tag: Span,
}

impl<'s> Tokenizer<'s> {
    /// A tokenizer at the start of a document.
    pub(super) fn new(source: &'s str) -> Self {
        Self::at(source, 0)
    }

    /// A tokenizer in the data state at an offset, which must be a character boundary.
    pub(super) fn at(source: &'s str, offset: usize) -> Self {
        Self {
            source,
            at: offset,
            content: Content::Data,
            last_start_tag: Span { start: 0, end: 0 },
        }
    }

    /// The document.
    pub(super) fn source(&self) -> &'s str {
        self.source
    }

    /// The offset up to which the source has been read.
    pub(super) fn offset(&self) -> usize {
        self.at
    }

    /// Switches the state for what follows the start tag just read.
    pub(super) fn set_content(&mut self, content: Content) {
        self.content = content;
    }

    /// The next token. `foreign` returns whether there is an adjusted current node that is not in
    /// the HTML namespace; it is called only where a CDATA section may begin.
    #[inline]
    pub(super) fn next(&mut self, foreign: impl FnOnce() -> bool) -> Token {
        if self.content != Content::Data
            && let Some(text) = self.raw_text()
        {
            return Token::Text(text);
        }
        let bytes = self.source.as_bytes();
        match bytes.get(self.at) {
            None => Token::Eof,
            Some(b'<') => match bytes.get(self.at + 1) {
                // "Tag open state".
                Some(letter) if is_any(*letter, LETTER) => {
                    let name = self.tag_name(self.at + 1);
                    self.last_start_tag = name.span;
                    Token::StartTag(name)
                }
                Some(b'/') => match bytes.get(self.at + 2) {
                    // "End tag open state".
                    Some(letter) if is_any(*letter, LETTER) => {
                        Token::EndTag(self.tag_name(self.at + 2))
                    }
                    Some(b'>') => {
                        self.at += 3;
                        Token::MissingEndTagName
                    }
                    None => self.data(self.at + 2),
                    Some(_) => self.bogus_comment(self.at + 2),
                },
                Some(b'?') => self.bogus_comment(self.at + 1),
                Some(b'!') => self.markup_declaration(self.at + 2, foreign),
                _ => self.data(self.at + 1),
            },
            Some(_) => self.data(self.at),
        }
    }

    /// Reads the attributes of the tag just begun, in order, to its end.
    #[inline]
    pub(super) fn attributes(&mut self, mut each: impl FnMut(Attribute)) -> TagEnd {
        let bytes = self.source.as_bytes();
        let mut at = self.at;
        let end = loop {
            // "Before attribute name state", "self-closing start tag state".
            match bytes.get(at) {
                None => break TagEnd::Eof,
                Some(b'>') => break TagEnd::Open,
                Some(b'/') if bytes.get(at + 1) == Some(&b'>') => {
                    at += 1;
                    break TagEnd::SelfClosing;
                }
                Some(b'/' | b'\t' | b'\n' | b'\x0c' | b'\r' | b' ') => {
                    at += 1;
                    continue;
                }
                Some(_) => {}
            }
            // "Attribute name state": a first character `=` belongs to the name.
            let (end, key) = attribute_name(bytes, at);
            let name = Span { start: at, end };
            // "After attribute name state".
            at = name.end;
            if bytes.get(at) != Some(&b'=') {
                at = skip_white_space(bytes, at);
            }
            if bytes.get(at) != Some(&b'=') {
                let value = Span {
                    start: name.end,
                    end: name.end,
                };
                each(Attribute { name, key, value });
                continue;
            }
            // "Before attribute value state".
            at += 1;
            let mut first = bytes.get(at);
            if first.is_some_and(|byte| is_any(*byte, WHITE_SPACE)) {
                at = skip_white_space(bytes, at);
                first = bytes.get(at);
            }
            let value = if let Some(quote @ (b'"' | b'\'')) = first {
                let Some(end) = find(*quote, bytes, at + 1) else {
                    break TagEnd::Eof;
                };
                let start = at + 1;
                at = end + 1;
                Span { start, end }
            } else {
                // "Attribute value (unquoted) state": `/` belongs to the value.
                let start = at;
                at = skip_until(bytes, at, WHITE_SPACE | GREATER_THAN);
                Span { start, end: at }
            };
            each(Attribute { name, key, value });
        };
        self.at = match end {
            TagEnd::Eof => bytes.len(),
            TagEnd::Open | TagEnd::SelfClosing => at + 1,
        };
        end
    }

    /// "Data state": text from the current offset to the next `<` at or after `from` that begins
    /// something other than text.
    #[inline]
    fn data(&mut self, from: usize) -> Token {
        let bytes = self.source.as_bytes();
        let mut from = from;
        let end = loop {
            match find(b'<', bytes, from) {
                None => break bytes.len(),
                Some(found) if begins_markup(bytes.get(found + 1)) => break found,
                Some(found) => from = found + 1,
            }
        };
        let span = Span {
            start: self.at,
            end,
        };
        self.at = end;
        Token::Text(Text {
            span,
            kind: TextKind::Data,
        })
    }

    /// "Tag name state", from the name's first letter.
    #[inline]
    fn tag_name(&mut self, start: usize) -> TagName {
        let bytes = self.source.as_bytes();
        let rest = bytes.get(start..).unwrap_or_default();
        let (end, name) = match near_name(rest, ENDS_TAG_NAME) {
            Some(length @ ..8) => (start + length, Name::from_short(letters(rest, length))),
            Some(length) => (start + length, Name::from_bytes(&rest[..length])),
            None => strange_tag_name(bytes, start),
        };
        let tag = self.at;
        self.at = end;
        TagName {
            start: tag,
            span: Span { start, end },
            name,
        }
    }

    /// "Markup declaration open state", after `<!`.
    #[inline(never)]
    fn markup_declaration(&mut self, start: usize, foreign: impl FnOnce() -> bool) -> Token {
        let rest = &self.source.as_bytes()[start..];
        if rest.starts_with(b"--") {
            self.at = start + 2 + comment_length(&rest[2..]);
            Token::Comment
        } else if rest
            .get(..7)
            .is_some_and(|word| word.eq_ignore_ascii_case(b"doctype"))
        {
            let end = memchr(b'>', rest).unwrap_or(rest.len());
            self.at = (start + end + 1).min(self.source.len());
            // With its `>`, which tells a complete doctype from one cut off by the end.
            Token::Doctype(Span {
                start,
                end: self.at,
            })
        } else if rest.starts_with(b"[CDATA[") && foreign() {
            let start = start + 7;
            let length = memmem::find(&rest[7..], b"]]>");
            let end = length.map_or(self.source.len(), |length| start + length);
            self.at = (end + 3).min(self.source.len());
            Token::Text(Text {
                span: Span { start, end },
                kind: TextKind::CdataSection,
            })
        } else {
            self.bogus_comment(start)
        }
    }

    /// "Bogus comment state".
    fn bogus_comment(&mut self, from: usize) -> Token {
        let rest = &self.source.as_bytes()[from..];
        self.at = memchr(b'>', rest).map_or(self.source.len(), |end| from + end + 1);
        Token::Comment
    }

    /// The text of the current RCDATA, RAWTEXT, script data or PLAINTEXT, if any; the data state
    /// follows.
    #[inline(never)]
    fn raw_text(&mut self) -> Option<Text> {
        let rest = &self.source.as_bytes()[self.at..];
        let (length, kind) = match self.content {
            Content::Data => return None,
            Content::Plaintext => (rest.len(), TextKind::Raw),
            Content::Rcdata => (self.raw_length(rest), TextKind::Rcdata),
            Content::Rawtext => (self.raw_length(rest), TextKind::Raw),
            Content::ScriptData => (self.script_length(rest), TextKind::Raw),
        };
        self.content = Content::Data;
        let start = self.at;
        self.at += length;
        let span = Span {
            start,
            end: self.at,
        };
        (length > 0).then_some(Text { span, kind })
    }

    /// The length of RCDATA or RAWTEXT: to its end tag or the end.
    fn raw_length(&self, rest: &[u8]) -> usize {
        memchr_iter(b'<', rest)
            .find(|at| self.is_end_tag(&rest[*at..]))
            .unwrap_or(rest.len())
    }

    /// Whether `rest`, which begins with `<`, begins with an "appropriate end tag token".
    fn is_end_tag(&self, rest: &[u8]) -> bool {
        let last = self.last_start_tag.bytes(self.source);
        let end = 2 + last.len();
        end > 2
            && rest.get(1) == Some(&b'/')
            && rest
                .get(2..end)
                .is_some_and(|name| name.eq_ignore_ascii_case(last))
            && rest.get(end).is_some_and(|byte| ends_name(*byte))
    }

    /// The length of script data: to its end tag or the end.
    fn script_length(&self, rest: &[u8]) -> usize {
        let mut at = 0;
        let mut state = ScriptState::Data;
        loop {
            let found = match state {
                ScriptState::Data => memchr(b'<', &rest[at..]),
                ScriptState::Escaped | ScriptState::DoubleEscaped => {
                    memchr2(b'<', b'-', &rest[at..])
                }
            };
            let Some(found) = found else {
                return rest.len();
            };
            at += found;
            let here = &rest[at..];
            if here[0] == b'-' {
                // "Script data (double) escaped dash dash state".
                let dashes = here.iter().take_while(|byte| **byte == b'-').count();
                at += dashes;
                if dashes >= 2 && rest.get(at) == Some(&b'>') {
                    state = ScriptState::Data;
                }
                continue;
            }
            match state {
                ScriptState::Data if here.starts_with(b"<!--") => {
                    // The two dashes already are the "dash dash state": `<!-->` ends it.
                    state = ScriptState::Escaped;
                    at += 2;
                    continue;
                }
                ScriptState::Data | ScriptState::Escaped if self.is_end_tag(here) => return at,
                ScriptState::Data => {}
                // "Script data double escape start state".
                ScriptState::Escaped => {
                    if is_script(&here[1..]) {
                        state = ScriptState::DoubleEscaped;
                    }
                }
                // "Script data double escape end state".
                ScriptState::DoubleEscaped => {
                    if here.get(1) == Some(&b'/') && is_script(&here[2..]) {
                        state = ScriptState::Escaped;
                    }
                }
            }
            at += 1;
        }
    }
}

/// The tokenizer's state within script data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ScriptState {
    Data,
    Escaped,
    DoubleEscaped,
}

/// Whether `input` begins with `script` and a character that ends a tag's name.
fn is_script(input: &[u8]) -> bool {
    input
        .get(..6)
        .is_some_and(|name| name.eq_ignore_ascii_case(b"script"))
        && input.get(6).is_some_and(|byte| ends_name(*byte))
}

/// The length of a comment with its end, from after `<!--`.
fn comment_length(rest: &[u8]) -> usize {
    // "Comment start state", "comment start dash state".
    if rest.starts_with(b">") {
        return 1;
    }
    if rest.starts_with(b"->") {
        return 2;
    }
    let mut at = 0;
    while let Some(found) = memchr(b'-', &rest[at..]) {
        let dashes = &rest[at + found..];
        let count = dashes.iter().take_while(|byte| **byte == b'-').count();
        at += found + count;
        if count >= 2 {
            // "Comment end state", "comment end bang state".
            match &rest[at..] {
                [b'>', ..] => return at + 1,
                [b'!', b'>', ..] => return at + 2,
                _ => {}
            }
        }
    }
    rest.len()
}

/// Whether `<` and this byte begin something other than text.
#[inline]
fn begins_markup(after: Option<&u8>) -> bool {
    after.is_some_and(|byte| is_any(*byte, MARKUP))
}

/// "Tag name state" for a name that is very long, at the end of the document, or unusual.
#[inline(never)]
fn strange_tag_name(bytes: &[u8], start: usize) -> (usize, Name) {
    let rest = bytes.get(start..).unwrap_or_default();
    let length = rest.iter().position(|byte| ends_name(*byte));
    let name = &rest[..length.unwrap_or(rest.len())];
    (start + name.len(), Name::from_bytes(name))
}

/// "Attribute name state": the end and the key of the name that begins at `start`; a leading `=` is
/// part of it.
#[inline]
fn attribute_name(bytes: &[u8], start: usize) -> (usize, u64) {
    let rest = bytes.get(start..).unwrap_or_default();
    match near_name(rest, ENDS_ATTRIBUTE_NAME) {
        Some(length @ 1..8) => (start + length, letters(rest, length)),
        Some(length @ 8..) => (start + length, attribute_key(&rest[..length])),
        _ => strange_attribute_name(bytes, start),
    }
}

#[inline(never)]
fn strange_attribute_name(bytes: &[u8], start: usize) -> (usize, u64) {
    let end = skip_until(bytes, start + 1, ENDS_ATTRIBUTE_NAME);
    (end, attribute_key(&bytes[start..end]))
}

const ENDS_TAG_NAME: u8 = WHITE_SPACE | SLASH | GREATER_THAN;
const ENDS_ATTRIBUTE_NAME: u8 = ENDS_TAG_NAME | EQUALS;

#[cfg(test)]
mod tests {
    use super::*;

    /// The tokens of a document in short form, tags with their attributes.
    fn tokens(source: &str, first: Content, foreign: bool) -> Vec<String> {
        // The tag determines which end tag ends RCDATA, RAWTEXT or script data.
        let source = &format!("<script>{source}");
        let mut tokenizer = Tokenizer::new(source);
        tokenizer.next(|| foreign);
        tokenizer.attributes(|_| {});
        tokenizer.set_content(first);
        let mut tokens = Vec::new();
        loop {
            let token = tokenizer.next(|| foreign);
            let mut tag = match token {
                Token::Eof => return tokens,
                Token::Text(text) => {
                    tokens.push(format!("{:?}", text.span.slice(source)));
                    continue;
                }
                Token::StartTag(name) => format!("<{}", name.span.slice(source)),
                Token::EndTag(name) => format!("</{}", name.span.slice(source)),
                Token::Doctype(span) => {
                    tokens.push(format!("<!{}", span.slice(source)));
                    continue;
                }
                other => {
                    tokens.push(format!("{other:?}"));
                    continue;
                }
            };
            let end = tokenizer.attributes(|attribute| {
                let (name, value) = (attribute.name.slice(source), attribute.value.slice(source));
                tag = format!("{tag} {name}={value}");
            });
            match end {
                TagEnd::Open => tokens.push(format!("{tag}>")),
                TagEnd::SelfClosing => tokens.push(format!("{tag}/>")),
                TagEnd::Eof => {}
            }
        }
    }

    #[test]
    fn tag_ends() {
        for (source, expected) in [
            ("<a>", &["<a>"][..]),
            ("<a/>", &["<a/>"]),
            ("<A/b=c/d/ e>", &["<A b=c/d/ e=>"]),
            ("<a b = 'c>' d=\"'\"e=f/>", &["<a b=c> d=' e=f/>"]),
            ("<a b='c'/>", &["<a b=c/>"]),
            ("<a =b ==c \"d'=e>", &["<a =b==c \"d'=e>"]),
            ("<a b=>c", &["<a b=>", "\"c\""]),
            ("<a b= >c", &["<a b=>", "\"c\""]),
            ("<a b", &[]),
            ("<a b='c>d", &[]),
            ("x<a", &["\"x\""]),
            ("</a b=c/>", &["</a b=c/>"]),
            ("<a b/ =c>", &["<a b= =c=>"]),
            ("<\u{e9}>", &["\"<\u{e9}>\""]),
            ("<a\u{e9}b\u{e9}=\u{e9}>", &["<a\u{e9}b\u{e9}=\u{e9}>"]),
        ] {
            assert_eq!(tokens(source, Content::Data, false), expected, "{source:?}");
        }
    }

    #[test]
    fn malformed_tags() {
        for (source, expected) in [
            ("a < b <3 <<b>", &["\"a < b <3 <\"", "<b>"][..]),
            ("<", &["\"<\""]),
            ("</", &["\"</\""]),
            ("a</>b", &["\"a\"", "MissingEndTagName", "\"b\""]),
            ("</ a>b", &["Comment", "\"b\""]),
            ("<?a>b", &["Comment", "\"b\""]),
            ("<!a>b", &["Comment", "\"b\""]),
            ("<!>b", &["Comment", "\"b\""]),
            ("<!-->b", &["Comment", "\"b\""]),
            ("<!--->b", &["Comment", "\"b\""]),
            ("<!---->b", &["Comment", "\"b\""]),
            ("<!--a--!>b", &["Comment", "\"b\""]),
            ("<!--a--!-->b", &["Comment", "\"b\""]),
            ("<!--a->b-- >c--->d", &["Comment", "\"d\""]),
            ("<!-- <!--> -->", &["Comment", "\" -->\""]),
            ("<!--a", &["Comment"]),
            ("<!Doctype html>b", &["<!Doctype html>", "\"b\""]),
            ("<![CDATA[a>b", &["Comment", "\"b\""]),
        ] {
            assert_eq!(tokens(source, Content::Data, false), expected, "{source:?}");
        }
    }

    #[test]
    fn cdata_in_foreign_content() {
        for (source, expected) in [
            ("<![CDATA[<a>]]]>b", &["\"<a>]\"", "\"b\""][..]),
            ("<![CDATA[<a>]]", &["\"<a>]]\""]),
            ("<![cdata[a>b", &["Comment", "\"b\""]),
        ] {
            assert_eq!(tokens(source, Content::Data, true), expected, "{source:?}");
        }
    }

    #[test]
    fn raw_text_end_tag() {
        for (source, content, expected) in [
            (
                "<a></a></SCRIPT >b",
                Content::Rawtext,
                &["\"<a></a>\"", "</SCRIPT>", "\"b\""][..],
            ),
            (
                "</scripts></script",
                Content::Rcdata,
                &["\"</scripts></script\""],
            ),
            ("</script/x>", Content::Rcdata, &["</script x=>"]),
            ("</script>", Content::Plaintext, &["\"</script>\""]),
            (
                "<!--</script>",
                Content::ScriptData,
                &["\"<!--\"", "</script>"],
            ),
            (
                "<!--<script></script>--></script>",
                Content::ScriptData,
                &["\"<!--<script></script>-->\"", "</script>"],
            ),
            (
                "<!--<script></script></script>",
                Content::ScriptData,
                &["\"<!--<script></script>\"", "</script>"],
            ),
            (
                "<!--<script>--></script>",
                Content::ScriptData,
                &["\"<!--<script>-->\"", "</script>"],
            ),
            (
                "<!--><script></script>",
                Content::ScriptData,
                &["\"<!--><script>\"", "</script>"],
            ),
            (
                "<!--<scripts></script>",
                Content::ScriptData,
                &["\"<!--<scripts>\"", "</script>"],
            ),
            (
                "<!--<script></scripts></script>",
                Content::ScriptData,
                &["\"<!--<script></scripts></script>\""],
            ),
        ] {
            assert_eq!(tokens(source, content, false), expected, "{source:?}");
        }
    }
}
