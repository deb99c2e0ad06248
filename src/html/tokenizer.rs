//! HTML "tokenization" over a document in memory, with spans and without copies.
//!
//! Pull style: [`Tokenizer::next`] gives text, comments and doctypes whole, and of a tag the
//! name only; [`Tokenizer::attributes`] then goes through its attributes. So a reader that
//! wants no attribute of a tag pays for none.

use memchr::{memchr, memchr_iter, memchr2, memmem};

/// What the tokenizer reads next as, set by tree construction after a start tag.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Content {
    /// "Data state".
    Data,
    /// "RCDATA state": text with character references.
    Rcdata,
    /// "RAWTEXT state".
    Rawtext,
    /// "Script data state".
    ScriptData,
    /// "PLAINTEXT state": text to the end of the document.
    Plaintext,
}

/// One token. Parse errors are not told, except the one that leaves no token behind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Token<'s> {
    /// Characters. Adjacent ones may come as several tokens.
    Text(Text<'s>),
    /// A start tag up to the end of its name: go on with [`Tokenizer::attributes`].
    StartTag(TagName<'s>),
    /// An end tag up to the end of its name: go on with [`Tokenizer::attributes`].
    EndTag(TagName<'s>),
    /// A comment or bogus comment.
    Comment,
    /// A doctype, as the bytes between `<!` and its end.
    Doctype(&'s str),
    /// `</>`: the parse error "missing-end-tag-name" and no token.
    MissingEndTagName,
    /// The end of the document.
    Eof,
}

/// Characters as they stand in the source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Text<'s> {
    /// The text before anything is decoded.
    pub(super) raw: &'s str,
    /// The offset of it in the source.
    pub(super) start: usize,
    /// Where it came from, and so what is decoded in it.
    pub(super) kind: TextKind,
}

/// The state that text was read in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TextKind {
    /// Character references are decoded, U+0000 is tree construction's.
    Data,
    /// Character references are decoded, U+0000 is replaced.
    Rcdata,
    /// RAWTEXT, script data, PLAINTEXT: U+0000 is replaced.
    Raw,
    /// Nothing is decoded, U+0000 is tree construction's.
    CdataSection,
}

/// The beginning of a tag.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TagName<'s> {
    /// The offset of the tag's `<`.
    pub(super) start: usize,
    /// The name as written: neither lower-cased nor with U+0000 replaced.
    pub(super) raw: &'s str,
}

/// One attribute as it stands in the source. A name may occur again: the first counts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Attribute<'s> {
    /// The name as written: neither lower-cased nor with U+0000 replaced.
    pub(super) name: &'s str,
    /// The value as written, without its quotes; empty if there is none.
    pub(super) value: &'s str,
    /// Where the value begins in the source; where it would stand if there is none.
    pub(super) start: usize,
}

/// How a tag ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TagEnd {
    /// With `>`.
    Open,
    /// With `/>`.
    SelfClosing,
    /// With the document: there is no such tag.
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
    last_start_tag: &'s str,
}

impl<'s> Tokenizer<'s> {
    /// A tokenizer at the start of a document.
    pub(super) fn new(source: &'s str) -> Self {
        Self::at(source, 0)
    }

    /// A tokenizer in the data state at an offset, which must be a character boundary.
    pub(super) fn at(source: &'s str, offset: usize) -> Self {
        Self {
            at: offset,
            ..Self::after(source, Content::Data, "")
        }
    }

    /// A tokenizer in any state, as after a start tag of that name.
    pub(super) fn after(source: &'s str, content: Content, last_start_tag: &'s str) -> Self {
        Self {
            source,
            at: 0,
            content,
            last_start_tag,
        }
    }

    /// The offset up to which the source has been read.
    pub(super) fn offset(&self) -> usize {
        self.at
    }

    /// Switches the state for what follows the start tag just read.
    pub(super) fn set_content(&mut self, content: Content) {
        self.content = content;
    }

    /// The next token. `foreign` tells whether there is an adjusted current node that is not
    /// in the HTML namespace; it is asked only where a CDATA section may begin.
    #[inline]
    pub(super) fn next(&mut self, foreign: impl FnOnce() -> bool) -> Token<'s> {
        if self.content != Content::Data
            && let Some(text) = self.raw_text()
        {
            return Token::Text(text);
        }
        let bytes = self.source.as_bytes();
        match bytes.get(self.at) {
            None => Token::Eof,
            Some(b'<') => self.markup(foreign),
            Some(_) => self.data(self.at),
        }
    }

    /// Goes through the attributes of the tag just begun, in their order, to its end.
    #[inline]
    pub(super) fn attributes(&mut self, mut each: impl FnMut(Attribute<'s>)) -> TagEnd {
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
            let name = at;
            at += 1;
            while bytes
                .get(at)
                .is_some_and(|byte| !ends_attribute_name(*byte))
            {
                at += 1;
            }
            let name = &self.source[name..at];
            // "After attribute name state".
            let after_name = at;
            at = skip_white_space(bytes, at);
            if bytes.get(at) != Some(&b'=') {
                each(Attribute {
                    name,
                    value: "",
                    start: after_name,
                });
                continue;
            }
            // "Before attribute value state".
            at = skip_white_space(bytes, at + 1);
            let value = if let Some(quote @ (b'"' | b'\'')) = bytes.get(at) {
                at += 1;
                let Some(length) = find(*quote, &bytes[at..]) else {
                    break TagEnd::Eof;
                };
                let value = at..at + length;
                at = value.end + 1;
                value
            } else {
                // "Attribute value (unquoted) state": `/` belongs to the value.
                let start = at;
                while bytes
                    .get(at)
                    .is_some_and(|byte| !ends_unquoted_value(*byte))
                {
                    at += 1;
                }
                start..at
            };
            each(Attribute {
                name,
                start: value.start,
                value: &self.source[value],
            });
        };
        self.at = match end {
            TagEnd::Eof => bytes.len(),
            TagEnd::Open | TagEnd::SelfClosing => at + 1,
        };
        end
    }

    /// "Data state": text from the current offset to the next `<` at or after `from` that
    /// begins more than text.
    fn data(&mut self, from: usize) -> Token<'s> {
        let bytes = self.source.as_bytes();
        let mut from = from;
        let end = loop {
            match find(b'<', &bytes[from..]) {
                None => break bytes.len(),
                Some(found) if begins_markup(bytes.get(from + found + 1)) => break from + found,
                Some(found) => from += found + 1,
            }
        };
        let start = std::mem::replace(&mut self.at, end);
        Token::Text(Text {
            raw: &self.source[start..end],
            start,
            kind: TextKind::Data,
        })
    }

    /// "Tag open state": what begins with the `<` at the current offset.
    #[inline]
    fn markup(&mut self, foreign: impl FnOnce() -> bool) -> Token<'s> {
        let bytes = self.source.as_bytes();
        let start = self.at;
        match bytes.get(start + 1) {
            Some(letter) if letter.is_ascii_alphabetic() => {
                let name = self.tag_name(start + 1);
                self.last_start_tag = name;
                Token::StartTag(TagName { start, raw: name })
            }
            // "End tag open state".
            Some(b'/') => match bytes.get(start + 2) {
                Some(letter) if letter.is_ascii_alphabetic() => {
                    let raw = self.tag_name(start + 2);
                    Token::EndTag(TagName { start, raw })
                }
                Some(b'>') => {
                    self.at = start + 3;
                    Token::MissingEndTagName
                }
                None => self.data(start + 2),
                Some(_) => self.bogus_comment(start + 2),
            },
            Some(b'?') => self.bogus_comment(start + 1),
            Some(b'!') => self.markup_declaration(start + 2, foreign),
            _ => self.data(start + 1),
        }
    }

    /// "Tag name state", from the name's first letter.
    #[inline]
    fn tag_name(&mut self, start: usize) -> &'s str {
        let bytes = self.source.as_bytes();
        let mut end = start + 1;
        while bytes.get(end).is_some_and(|byte| !ends_tag_name(*byte)) {
            end += 1;
        }
        self.at = end;
        &self.source[start..end]
    }

    /// "Markup declaration open state", after `<!`.
    fn markup_declaration(&mut self, start: usize, foreign: impl FnOnce() -> bool) -> Token<'s> {
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
            // With its `>`, which tells an ended doctype from one cut off by the end.
            Token::Doctype(&self.source[start..self.at])
        } else if rest.starts_with(b"[CDATA[") && foreign() {
            let start = start + 7;
            let text = &self.source[start..];
            let length = memmem::find(text.as_bytes(), b"]]>");
            self.at = length.map_or(self.source.len(), |length| start + length + 3);
            Token::Text(Text {
                raw: &text[..length.unwrap_or(text.len())],
                start,
                kind: TextKind::CdataSection,
            })
        } else {
            self.bogus_comment(start)
        }
    }

    /// "Bogus comment state".
    fn bogus_comment(&mut self, from: usize) -> Token<'s> {
        let rest = &self.source.as_bytes()[from..];
        self.at = memchr(b'>', rest).map_or(self.source.len(), |end| from + end + 1);
        Token::Comment
    }

    /// The text of the current RCDATA, RAWTEXT, script data or PLAINTEXT, if there is any;
    /// the data state is the next.
    fn raw_text(&mut self) -> Option<Text<'s>> {
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
        let raw = &self.source[start..self.at];
        (length > 0).then_some(Text { raw, start, kind })
    }

    /// The length of RCDATA or RAWTEXT: to its end tag or the end.
    fn raw_length(&self, rest: &[u8]) -> usize {
        memchr_iter(b'<', rest)
            .find(|at| self.is_end_tag(&rest[*at..]))
            .unwrap_or(rest.len())
    }

    /// Whether `rest`, which begins with `<`, begins with an "appropriate end tag token".
    fn is_end_tag(&self, rest: &[u8]) -> bool {
        let end = 2 + self.last_start_tag.len();
        end > 2
            && rest.get(1) == Some(&b'/')
            && rest
                .get(2..end)
                .is_some_and(|name| name.eq_ignore_ascii_case(self.last_start_tag.as_bytes()))
            && rest.get(end).is_some_and(|byte| ends_tag_name(*byte))
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
                    // The two dashes are the "dash dash state" already: `<!-->` ends it.
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

/// Where in script data the tokenizer is.
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
        && input.get(6).is_some_and(|byte| ends_tag_name(*byte))
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

/// Whether `<` and this byte begin more than text.
#[inline]
fn begins_markup(after: Option<&u8>) -> bool {
    after.is_some_and(|byte| byte.is_ascii_alphabetic() || matches!(byte, b'/' | b'!' | b'?'))
}

/// The position of a byte.
#[inline]
fn find(needle: u8, haystack: &[u8]) -> Option<usize> {
    memchr(needle, haystack)
}

#[inline]
fn skip_white_space(bytes: &[u8], mut at: usize) -> usize {
    while bytes.get(at).is_some_and(|byte| is(*byte, WHITE_SPACE)) {
        at += 1;
    }
    at
}

#[inline]
fn ends_tag_name(byte: u8) -> bool {
    is(byte, WHITE_SPACE | SLASH | GREATER_THAN)
}

#[inline]
fn ends_attribute_name(byte: u8) -> bool {
    is(byte, WHITE_SPACE | SLASH | GREATER_THAN | EQUALS)
}

#[inline]
fn ends_unquoted_value(byte: u8) -> bool {
    is(byte, WHITE_SPACE | GREATER_THAN)
}

const WHITE_SPACE: u8 = 1;
const SLASH: u8 = 2;
const GREATER_THAN: u8 = 4;
const EQUALS: u8 = 8;

/// What each byte is in a tag.
static BYTES: [u8; 256] = {
    let mut bytes = [0; 256];
    bytes[b'\t' as usize] = WHITE_SPACE;
    bytes[b'\n' as usize] = WHITE_SPACE;
    bytes[b'\x0c' as usize] = WHITE_SPACE;
    // Newlines are normalized before tokenization: CR is LF.
    bytes[b'\r' as usize] = WHITE_SPACE;
    bytes[b' ' as usize] = WHITE_SPACE;
    bytes[b'/' as usize] = SLASH;
    bytes[b'>' as usize] = GREATER_THAN;
    bytes[b'=' as usize] = EQUALS;
    bytes
};

#[inline]
fn is(byte: u8, kinds: u8) -> bool {
    BYTES[usize::from(byte)] & kinds != 0
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The tokens of a document in short, tags with their attributes.
    fn tokens(source: &str, first: Content, foreign: bool) -> Vec<String> {
        let mut tokenizer = Tokenizer::after(source, first, "script");
        let mut tokens = Vec::new();
        loop {
            let token = tokenizer.next(|| foreign);
            let mut tag = match token {
                Token::Eof => return tokens,
                Token::Text(text) => {
                    tokens.push(format!("{:?}", text.raw));
                    continue;
                }
                Token::StartTag(name) => format!("<{}", name.raw),
                Token::EndTag(name) => format!("</{}", name.raw),
                other => {
                    tokens.push(format!("{other:?}"));
                    continue;
                }
            };
            let end = tokenizer.attributes(|attribute| {
                let at = attribute.start..attribute.start + attribute.value.len();
                assert_eq!(&source[at], attribute.value);
                tag = format!("{tag} {}={}", attribute.name, attribute.value);
            });
            match end {
                TagEnd::Open => tokens.push(format!("{tag}>")),
                TagEnd::SelfClosing => tokens.push(format!("{tag}/>")),
                TagEnd::Eof => {}
            }
        }
    }

    #[test]
    fn tags_end_where_the_states_say() {
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
    fn what_is_no_tag_is_text_or_a_comment() {
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
            ("<!Doctype html>b", &["Doctype(\"Doctype html>\")", "\"b\""]),
            ("<![CDATA[a>b", &["Comment", "\"b\""]),
        ] {
            assert_eq!(tokens(source, Content::Data, false), expected, "{source:?}");
        }
    }

    #[test]
    fn a_cdata_section_is_text_in_foreign_content() {
        for (source, expected) in [
            ("<![CDATA[<a>]]]>b", &["\"<a>]\"", "\"b\""][..]),
            ("<![CDATA[<a>]]", &["\"<a>]]\""]),
            ("<![cdata[a>b", &["Comment", "\"b\""]),
        ] {
            assert_eq!(tokens(source, Content::Data, true), expected, "{source:?}");
        }
    }

    #[test]
    fn raw_text_ends_at_its_own_end_tag() {
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
