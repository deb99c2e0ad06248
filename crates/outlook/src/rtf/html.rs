//! The content of an RTF body: the HTML or plain text that it encapsulates ([MS-OXRTFEX]), or, for native RTF,
//! HTML with its text and hyperlinks.

use super::fonts::Fonts;
use super::token::{Token, Tokens};
use crate::code_page;

/// The maximum depth of groups; deeper ones are not read.
pub const GROUPS: usize = 1024;

/// The number of tokens that are searched for `\fromhtml1` or `\fromtext`; by §2.1.3.1 it is among the first
/// ten.
const HEADER: usize = 32;

/// What an RTF body encapsulates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RtfContent {
    /// HTML (`\fromhtml1`).
    FromHtml,
    /// Plain text (`\fromtext`).
    FromText,
    /// Nothing: it is native RTF.
    AsRtf,
}

/// The content of an RTF body.
#[derive(Debug)]
pub struct Body {
    pub made: RtfContent,
    /// HTML; plain text for [`RtfContent::FromText`].
    pub text: String,
    /// The number of hyperlink fields; encapsulated HTML has its links in tags.
    pub links: usize,
    /// Whether some groups were nested too deep.
    pub is_cut: bool,
}

/// Reads a body; `None` if it is not RTF.
pub fn read(rtf: &[u8]) -> Option<Body> {
    let start = rtf.iter().position(|byte| !byte.is_ascii_whitespace())?;
    let rtf = rtf[start..]
        .starts_with(b"{\\rtf")
        .then_some(&rtf[start..])?;
    let mut reading = HtmlReader::new(made(rtf));
    for token in Tokens::new(rtf) {
        reading.token(token);
    }
    Some(reading.end())
}

/// What a body encapsulates, by its header.
fn made(rtf: &[u8]) -> RtfContent {
    let words = Tokens::new(rtf).take(HEADER).map(|token| match token {
        Token::Word(b"fromhtml", number) if number != Some(0) => Some(RtfContent::FromHtml),
        Token::Word(b"fromtext", _) => Some(RtfContent::FromText),
        _ => None,
    });
    words.flatten().next().unwrap_or(RtfContent::AsRtf)
}

/// The destination of text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Destination {
    /// The body.
    Text,
    /// A fragment of the encapsulated HTML.
    Tag,
    /// The font table.
    Fonts,
    /// The instruction of a field.
    Instruction,
    /// Ignored.
    Nothing,
}

/// The state that a group inherits, and that is restored at its end.
#[derive(Clone, Copy, Debug)]
struct State {
    to: Destination,
    /// Whether it is in RTF that duplicates encapsulated HTML (`\htmlrtf`).
    is_rendering: bool,
    font: Option<i32>,
    /// The number of fallback characters after a `\u` (`\uc`).
    fallback: u32,
    /// Whether it is a field whose link is to be closed.
    is_link: bool,
}

struct HtmlReader {
    made: RtfContent,
    fonts: Fonts,
    /// The code page of the document (`\ansicpg`), and the number of its font (`\deff`).
    page: Option<u32>,
    font: Option<i32>,
    state: State,
    around: Vec<State>,
    /// The number of open groups beyond the limit.
    deeper: usize,
    /// Whether a `\*` precedes, which makes an unknown destination ignorable.
    is_optional: bool,
    /// The number of fallback characters still to be skipped.
    skip: u32,
    /// A pending high surrogate.
    high: Option<u16>,
    /// Bytes to be decoded together, since some code pages are multi-byte, and their code page.
    run: Vec<u8>,
    run_page: Option<u32>,
    instruction: Vec<u8>,
    body: Body,
}

impl HtmlReader {
    fn new(made: RtfContent) -> Self {
        Self {
            made,
            fonts: Fonts::default(),
            page: None,
            font: None,
            state: State {
                to: Destination::Text,
                is_rendering: false,
                font: None,
                fallback: 1,
                is_link: false,
            },
            around: Vec::new(),
            deeper: 0,
            is_optional: false,
            skip: 0,
            high: None,
            run: Vec::new(),
            run_page: None,
            instruction: Vec::new(),
            body: Body {
                made,
                text: String::new(),
                links: 0,
                is_cut: false,
            },
        }
    }

    fn token(&mut self, token: Token<'_>) {
        let was_optional = std::mem::take(&mut self.is_optional);
        match token {
            Token::Open => self.open(),
            Token::Close => self.close(),
            _ if self.deeper > 0 => {}
            Token::Symbol(b'*') => self.is_optional = true,
            Token::Symbol(symbol) => self.symbol(symbol),
            Token::Hex(byte) => {
                if !self.is_skipped() {
                    self.bytes(&[byte]);
                }
            }
            Token::Text(text) => {
                let skipped = text.len().min(self.skip as usize);
                self.skip -= u32::try_from(skipped).unwrap_or(self.skip);
                if skipped < text.len() {
                    self.bytes(&text[skipped..]);
                }
            }
            Token::Word(word, number) => self.word(word, number, was_optional),
        }
    }

    fn open(&mut self) {
        self.skip = 0;
        if self.deeper > 0 || self.around.len() >= GROUPS {
            self.deeper += 1;
            self.body.is_cut = true;
            return;
        }
        self.around.push(self.state);
        self.state.is_link = false;
    }

    fn close(&mut self) {
        self.skip = 0;
        if self.deeper > 0 {
            self.deeper -= 1;
            return;
        }
        // An unmatched brace.
        let Some(outer) = self.around.pop() else {
            return;
        };
        if self.state.is_link {
            self.flush();
            self.body.text.push_str("</a>");
        }
        let inner = std::mem::replace(&mut self.state, outer);
        if inner.to == Destination::Instruction && outer.to != Destination::Instruction {
            self.link();
        }
    }

    /// Opens the link of a field after its instruction.
    fn link(&mut self) {
        let instruction = std::mem::take(&mut self.instruction);
        if self.made != RtfContent::AsRtf || self.state.is_link || !self.is_shown() {
            return;
        }
        let page = self.page_of_text();
        let Some(url) = hyperlink(&code_page::decode(page, &instruction)) else {
            return;
        };
        self.flush();
        let url = url.replace('&', "&amp;").replace('"', "&quot;");
        let start = ["<a href=\"", &url, "\">"];
        self.body.text.extend(start);
        self.body.links += 1;
        self.state.is_link = true;
    }

    fn symbol(&mut self, symbol: u8) {
        if self.is_skipped() {
            return;
        }
        match symbol {
            b'{' | b'}' | b'\\' => self.bytes(&[symbol]),
            b'~' => self.character('\u{A0}'),
            b'_' if self.made == RtfContent::AsRtf => self.character('\u{2011}'),
            b'-' | b'_' => self.character('\u{AD}'),
            b'\r' | b'\n' => self.line(),
            _ => {}
        }
    }

    fn word(&mut self, word: &[u8], number: Option<i32>, is_optional: bool) {
        if self.state.to == Destination::Fonts {
            self.fonts.word(word, number);
        }
        match word {
            b"u" => self.unicode(number.unwrap_or(0)),
            b"uc" => {
                let count = number.map_or(1, |count| u32::try_from(count).unwrap_or(0));
                self.state.fallback = count;
            }
            b"htmlrtf" => self.state.is_rendering = number != Some(0),
            b"f" if self.state.to != Destination::Fonts => self.state.font = number,
            b"plain" => self.state.font = None,
            b"deff" => self.font = number,
            b"ansicpg" => {
                let page = number.and_then(|page| u32::try_from(page).ok());
                self.page = page.filter(|page| *page != 0).or(self.page);
            }
            b"mac" if self.page.is_none() => self.page = Some(10000),
            _ if self.destination(word, is_optional) => {}
            _ => {
                if let Some(text) = character(word) {
                    if !self.is_skipped() {
                        self.character(text);
                    }
                } else if matches!(word, b"par" | b"line" | b"sect" | b"page" | b"row")
                    && !self.is_skipped()
                {
                    self.line();
                }
            }
        }
    }

    /// Switches to the destination of a control word; `false` if the word is not one.
    fn destination(&mut self, word: &[u8], is_optional: bool) -> bool {
        let to = match word {
            b"htmltag" if is_optional => Destination::Tag,
            b"fonttbl" => Destination::Fonts,
            b"fldinst" => Destination::Instruction,
            b"colortbl" | b"stylesheet" | b"info" | b"pict" | b"object" | b"pntext"
            | b"listtext" | b"filetbl" | b"header" | b"headerl" | b"headerr" | b"headerf"
            | b"footer" | b"footerl" | b"footerr" | b"footerf" | b"mhtmltag" => {
                Destination::Nothing
            }
            _ if is_optional => Destination::Nothing,
            _ => return false,
        };
        if self.state.to != Destination::Nothing {
            self.state.to = to;
        }
        true
    }

    /// Counts a fallback character; `false` at the end of the fallback.
    fn is_skipped(&mut self) -> bool {
        let is_skipped = self.skip > 0;
        self.skip = self.skip.saturating_sub(1);
        is_skipped
    }

    /// Handles a character by its UTF-16 code unit (negative from 0x8000 on) or its code point.
    fn unicode(&mut self, number: i32) {
        let number = if (-0x8000..0).contains(&number) {
            number + 0x1_0000
        } else {
            number
        };
        self.skip = self.state.fallback;
        let number = u32::try_from(number).unwrap_or(0xFFFD);
        match (number, self.high) {
            (0xD800..=0xDBFF, _) => {
                self.without_half();
                self.high = u16::try_from(number).ok();
                return;
            }
            (0xDC00..=0xDFFF, Some(high)) => {
                let low = u16::try_from(number).unwrap_or(0);
                self.high = None;
                for found in char::decode_utf16([high, low]) {
                    self.character(found.unwrap_or(char::REPLACEMENT_CHARACTER));
                }
                return;
            }
            _ => self.without_half(),
        }
        self.character(char::from_u32(number).unwrap_or(char::REPLACEMENT_CHARACTER));
    }

    /// Replaces an unpaired surrogate.
    fn without_half(&mut self) {
        if self.high.take().is_some() {
            self.character(char::REPLACEMENT_CHARACTER);
        }
    }

    fn is_shown(&self) -> bool {
        !self.state.is_rendering && matches!(self.state.to, Destination::Text | Destination::Tag)
    }

    /// The code page of text: in fragments of HTML, the default code page.
    fn page_of_text(&self) -> Option<u32> {
        let font = match self.state.to {
            Destination::Tag => None,
            _ => self.state.font.or(self.font),
        };
        font.and_then(|font| self.fonts.page(font))
            .or(self.page)
            .or(Some(1252))
    }

    fn bytes(&mut self, bytes: &[u8]) {
        if self.state.to == Destination::Instruction {
            self.instruction.extend(bytes);
            return;
        }
        if !self.is_shown() {
            return;
        }
        self.without_half();
        let page = self.page_of_text();
        if page != self.run_page {
            self.flush();
            self.run_page = page;
        }
        self.run.extend(bytes);
    }

    fn character(&mut self, character: char) {
        if self.state.to == Destination::Instruction {
            let mut bytes = [0; 4];
            self.instruction
                .extend(character.encode_utf8(&mut bytes).bytes());
        } else if self.is_shown() {
            self.flush();
            self.body.text.push(character);
        }
    }

    fn line(&mut self) {
        if self.is_shown() {
            self.flush();
            let end = if self.made == RtfContent::AsRtf {
                "<br>\r\n"
            } else {
                "\r\n"
            };
            self.body.text.push_str(end);
        }
    }

    /// Decodes the pending bytes.
    fn flush(&mut self) {
        if self.run.is_empty() {
            return;
        }
        let text = code_page::decode(self.run_page, &self.run);
        self.run.clear();
        if self.made == RtfContent::AsRtf {
            let text = text.replace('&', "&amp;").replace('<', "&lt;");
            self.body.text.push_str(&text);
        } else {
            self.body.text.push_str(&text);
        }
    }

    fn end(mut self) -> Body {
        self.without_half();
        self.flush();
        self.body
    }
}

/// The character of a control word such as `\emdash`.
fn character(word: &[u8]) -> Option<char> {
    Some(match word {
        b"tab" | b"cell" => '\t',
        b"lquote" => '\u{2018}',
        b"rquote" => '\u{2019}',
        b"ldblquote" => '\u{201C}',
        b"rdblquote" => '\u{201D}',
        b"bullet" => '\u{2022}',
        b"endash" => '\u{2013}',
        b"emdash" => '\u{2014}',
        b"enspace" => '\u{2002}',
        b"emspace" => '\u{2003}',
        _ => return None,
    })
}

/// The URL of the field `HYPERLINK "URL"`, with a fragment after `\l`.
fn hyperlink(instruction: &str) -> Option<String> {
    let (name, rest) = instruction.trim_start().split_at_checked(9)?;
    if !name.eq_ignore_ascii_case("HYPERLINK") {
        return None;
    }
    let (mut url, mut fragment) = (String::new(), None);
    let mut rest = rest.trim_start();
    while !rest.is_empty() {
        if let Some(switch) = rest.strip_prefix('\\') {
            let is_fragment = switch.starts_with(['l', 'L']);
            let after = switch.get(1..).unwrap_or_default().trim_start();
            // Of the other switches, only `\o` and `\t` have a value.
            let (value, after) = match (after.starts_with('"'), switch.chars().next()) {
                (true, _) | (false, Some('l' | 'L' | 'o' | 'O' | 't' | 'T')) => word(after),
                (false, _) => ("", after),
            };
            if is_fragment {
                fragment = Some(value);
            }
            rest = after;
        } else {
            let (value, after) = word(rest);
            if url.is_empty() {
                value.clone_into(&mut url);
            }
            rest = after;
        }
    }
    if let Some(fragment) = fragment {
        url = format!("{url}#{fragment}");
    }
    (!url.is_empty()).then_some(url)
}

/// Splits off the first word, in quotes or up to white space.
fn word(text: &str) -> (&str, &str) {
    let (word, rest) = match text.strip_prefix('"') {
        Some(quoted) => quoted.split_once('"').unwrap_or((quoted, "")),
        None => text.split_once([' ', '\t']).unwrap_or((text, "")),
    };
    (word, rest.trim_start())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn html(rtf: &str) -> String {
        let rtf = format!("{{\\rtf1\\ansi\\ansicpg1252\\fromhtml1 \\deff0{rtf}}}");
        let body = read(rtf.as_bytes()).unwrap();
        assert_eq!(body.made, RtfContent::FromHtml);
        body.text
    }

    #[test]
    fn encapsulated_html() {
        // After [MS-OXRTFEX] §3.1.
        let rtf = r#"{\fonttbl{\f0\fswiss Arial;}{\f1\fmodern Courier New;}}
{\colortbl\red0\green0\blue0;\red0\green0\blue255;}
{\*\htmltag64}\htmlrtf {\htmlrtf0 {\*\htmltag84 <a href="http://a.test/?x=1&amp;y=2">}\htmlrtf {\field{\*\fldinst{HYPERLINK "http://b.test/"}}{\fldrslt\htmlrtf0 Click
 here\htmlrtf }\htmlrtf0 \htmlrtf }\htmlrtf0 {\*\htmltag92 </a>}\htmlrtf }\htmlrtf0 
{\*\mhtmltag84 <a href="http://rewritten.test/">}{\*\htmltag0 \par }{\*\unknown hidden}{\pntext 1.}."#;
        assert_eq!(
            html(rtf),
            "<a href=\"http://a.test/?x=1&amp;y=2\">Click here</a>\r\n."
        );
    }

    #[test]
    fn code_pages_of_text_and_tags() {
        let fonts = r"{\fonttbl{\f0\fcharset0 A;}{\f1\fcharset204 B;}{\f2\fcharset128 C;}}";
        for (rtf, text) in [
            (r"\'e9{\f1 \'e9{\*\htmltag84 \'e9}\'e9}\'e9", "éйéйé"),
            // The second byte of a character may be a letter.
            (r"{\f2 \'83A\'83\'42}", "アィ"),
            (r"\f1\'e9\plain\'e9", "йé"),
        ] {
            assert_eq!(html(&format!("{fonts}{rtf}")), text, "{rtf}");
        }
        let rtf = br"{\rtf1\ansi\ansicpg1251\fromhtml1{\*\htmltag84 <a href=http://a.test/\'e9>}}";
        assert_eq!(read(rtf).unwrap().text, "<a href=http://a.test/й>");
        let rtf = br"{\rtf1\ansi\ansicpg65001\fromhtml1 \'c3\'a9}";
        assert_eq!(read(rtf).unwrap().text, "é");
    }

    #[test]
    fn unicode_characters_with_fallbacks() {
        for (rtf, text) in [
            (r"\u233 ?x", "éx"),
            (r"\u233\'e9x", "éx"),
            (r"\uc2\u233 ??x", "éx"),
            (r"{\uc0\u233 x}\u233 ?y", "éxéy"),
            (r"\u-10179 ?\u-8704 ?", "😀"),
            (r"\uc0\u-10179 x\u-8704 ", "\u{FFFD}x\u{FFFD}"),
            (r"\u233{}x", "éx"),
            (r"\uc9999\u233 abc", "é"),
            (r"\u99999999 ?", "\u{FFFD}"),
            (r"\lquote\emdash\~\{\}\\", "‘—\u{A0}{}\\"),
        ] {
            assert_eq!(html(rtf), text, "{rtf}");
        }
    }

    #[test]
    fn encapsulated_text() {
        let body = read(br"{\rtf1\ansi\fromtext{\fonttbl{\f0 A;}}a <b> & c\par d}").unwrap();
        assert_eq!(
            (body.made, &*body.text),
            (RtfContent::FromText, "a <b> & c\r\nd")
        );
    }

    #[test]
    fn native_rtf() {
        for (rtf, text, links) in [
            (
                r#"a<b {\field{\*\fldinst{HYPERLINK "http://a.test/?x&y"}}{\fldrslt{\ul my bank}}}!"#,
                "a&lt;b <a href=\"http://a.test/?x&amp;y\">my bank</a>!",
                1,
            ),
            (
                r#"{\field{\*\fldinst HYPERLINK \\l "top" \\o "tip"}{\fldrslt x}}"#,
                "<a href=\"#top\">x</a>",
                1,
            ),
            (
                r"{\field{\*\fldinst hyperlink http://a.test/ \\l top}{\fldrslt x}}",
                "<a href=\"http://a.test/#top\">x</a>",
                1,
            ),
            (r"{\field{\*\fldinst PAGE}{\fldrslt 1}}\par", "1<br>\r\n", 0),
        ] {
            let body = read(format!(r"{{\rtf1\ansi {rtf}}}").as_bytes()).unwrap();
            assert_eq!((&*body.text, body.links), (text, links));
            assert_eq!(body.made, RtfContent::AsRtf);
        }
    }

    #[test]
    fn deep_groups_are_not_read() {
        let deep = "{".repeat(1_000_000);
        let body = read(format!(r"{{\rtf1\ansi a{deep}b").as_bytes()).unwrap();
        assert!(body.is_cut && body.text == "a");
        let (open, close) = ("{".repeat(GROUPS - 1), "}".repeat(GROUPS - 1));
        let body = read(format!(r"{{\rtf1 a{open}b{close}c}}}}}}d").as_bytes()).unwrap();
        assert_eq!((body.is_cut, &*body.text), (false, "abcd"));
    }

    #[test]
    fn other_text_is_refused() {
        for text in ["", "  ", "{", "{\\htm", "<html>"] {
            assert!(read(text.as_bytes()).is_none());
        }
    }
}
