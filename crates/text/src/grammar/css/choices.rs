//! The URLs of a style sheet that browsers choose among: the sources of a font (CSS Fonts 4 §4.3), the
//! images of an `image-set()` (CSS Images 4 §2.5), and what is in an `@media` for other media than screens.
//!
//! Departs: other conditions are not evaluated. What `@media (min-width: …)` or `@supports` has, counts as
//! asked for.

use std::ops::Range;

use cssparser::{Parser, Token};
use memchr::{memchr, memchr_iter, memchr2, memrchr2_iter};

use super::{begins_with, is_any, skip_easy, written};
use crate::grammar::supported;
use baseref_document::Choice;

/// The offsets of the URLs that browsers choose among, in order, each with its choice; groups are
/// numbered from 0. An offset is the start of a range that [`super::urls`] gives.
#[must_use]
pub fn choices(css: &str) -> Vec<(usize, Choice)> {
    let mut found = alternatives(css);
    let known = found.len();
    for block in blocks_for_other_media(css) {
        super::urls(&css[block.clone()], |_, url| {
            let at = block.start + url.start;
            let is_new = found[..known].binary_search_by_key(&at, |(known, _)| *known);
            if is_new.is_err() {
                found.push((at, Choice::OtherDevice));
            }
        });
    }
    found.sort_unstable_by_key(|(at, _)| *at);
    found
}

/// The contents of the blocks of `@media` rules that match on no screen.
///
/// Departs: such a rule in a comment or string counts, too.
fn blocks_for_other_media(css: &str) -> Vec<Range<usize>> {
    const NAME: &[u8] = b"@media";
    let bytes = css.as_bytes();
    let mut blocks: Vec<Range<usize>> = Vec::new();
    for at in memchr_iter(b'@', bytes) {
        let is_inside = blocks.last().is_some_and(|last| at < last.end);
        if is_inside || !begins_with(&bytes[at..], NAME) {
            continue;
        }
        let after = at + NAME.len();
        let Some(length) = memchr2(b'{', b';', &bytes[after..]) else {
            break;
        };
        let open = after + length;
        if bytes[open] == b'{' && supported::excludes_screens(&css[after..open]) {
            let mut parser = Parser::new(&css[open..]);
            let _ = parser.next();
            // The parser skips the block before the next token.
            let _ = parser.next_including_whitespace_and_comments();
            let end = open + parser.position().byte_index();
            blocks.push(open + 1..end);
        }
    }
    blocks
}

/// The sources of fonts and the images of sets.
fn alternatives(css: &str) -> Vec<(usize, Choice)> {
    let mut finder = Finder::default();
    let Some(last) = last_choice(css.as_bytes()) else {
        return finder.found;
    };
    let mut offset = 0;
    let mut parser = Parser::new(css);
    // Up to here everything is read.
    let mut hard = 0;
    loop {
        let mut start = offset + parser.position().byte_index();
        if finder.is_free() {
            if start >= hard {
                start = skip_easy(css.as_bytes(), start, &mut hard);
                offset = start;
                parser = Parser::new(&css[offset..]);
            }
            if start > last {
                break;
            }
        }
        let Ok(token) = parser.next_including_whitespace_and_comments() else {
            break;
        };
        let opens = finder.take(token, || written(css, start..css.len()).start);
        if opens {
            // As in `read`, a new parser takes over at the block's first token.
            offset += parser.position().byte_index();
            parser = Parser::new(&css[offset..]);
        }
    }
    while finder.close_last() {}
    finder.found.sort_unstable_by_key(|(at, _)| *at);
    finder.found
}

/// Where the last `@font-face` or `image-set()` is; `None` if there is none.
///
/// Departs: a name with an escape is not found if there is no other.
fn last_choice(css: &[u8]) -> Option<usize> {
    let is_choice = |at: &usize| {
        let (before, after) = css.split_at(*at);
        begins_with(after, b"@font-face")
            || before
                .len()
                .checked_sub(b"image-set".len())
                .is_some_and(|start| begins_with(&before[start..], b"image-set"))
    };
    let last = memrchr2_iter(b'@', b'(', css).find(is_choice)?;
    // After it, an escape may be part of such a name.
    let is_last = memchr(b'\\', &css[last..]).is_none();
    Some(if is_last { last } else { css.len() })
}

/// Finds choices token by token.
#[derive(Default)]
struct Finder {
    found: Vec<(usize, Choice)>,
    groups: u32,
    open: Vec<Opened>,
    /// How many of these are an `@font-face` or an `image-set()`.
    choosing: usize,
    /// Whether a block that comes next is that of an `@font-face`.
    awaits_font: bool,
}

/// What is open around a token.
enum Opened {
    /// A block or function by the token that closes it.
    Other(Closing),
    Font(Font),
    Images(Vec<Image>),
    /// `url()` or `src()` around a string.
    Url,
    /// `format()` of a font.
    Format,
    /// `tech()` of a font.
    Technology,
    /// `type()` of an image.
    Type,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Closing {
    Parenthesis,
    Square,
    Curly,
}

/// The block of an `@font-face`.
#[derive(Default)]
struct Font {
    /// Where the URLs of the `src` that counts so far are: the last one with a supported source.
    effective: Vec<usize>,
    state: Descriptor,
}

/// The descriptor being read.
#[derive(Default)]
enum Descriptor {
    /// None yet.
    #[default]
    Start,
    /// Its name is `src`.
    Name,
    /// The value of a `src`: its URLs, and whether a source needs no URL.
    Sources(Vec<Source>, bool),
    Other,
}

struct Source {
    at: usize,
    is_supported: bool,
}

struct Image {
    at: usize,
    is_supported: bool,
    /// In dots per pixel; an image without one has 1.
    resolution: f32,
}

impl Finder {
    /// Whether text without such a name may be skipped.
    fn is_free(&self) -> bool {
        self.choosing == 0 && !self.awaits_font
    }

    /// Takes a token, given where the URL begins if it is one; returns whether it opens a block or
    /// function.
    fn take(&mut self, token: &Token<'_>, url: impl FnOnce() -> usize) -> bool {
        match token {
            Token::AtKeyword(name) => self.awaits_font = is_any(name, &["font-face"]),
            Token::Semicolon => {
                self.awaits_font = false;
                self.end_descriptor();
            }
            Token::CurlyBracketBlock => {
                let is_font = std::mem::take(&mut self.awaits_font);
                return self.opens(if is_font {
                    Opened::Font(Font::default())
                } else {
                    Opened::Other(Closing::Curly)
                });
            }
            Token::SquareBracketBlock => return self.opens(Opened::Other(Closing::Square)),
            Token::ParenthesisBlock => return self.opens(Opened::Other(Closing::Parenthesis)),
            Token::Function(name) => return self.function(name),
            Token::UnquotedUrl(value) => self.source(url(), value),
            Token::QuotedString(value) => self.string(value, url),
            Token::Ident(name) => self.name(name),
            Token::Colon => {
                if let Some(Opened::Font(font)) = self.open.last_mut()
                    && matches!(font.state, Descriptor::Name)
                {
                    font.state = Descriptor::Sources(Vec::new(), false);
                }
            }
            Token::Dimension { value, unit, .. } => self.resolution(*value, unit),
            Token::CloseParenthesis => self.close(Closing::Parenthesis),
            Token::CloseSquareBracket => self.close(Closing::Square),
            Token::CloseCurlyBracket => self.close(Closing::Curly),
            _ => {}
        }
        false
    }

    fn opens(&mut self, opened: Opened) -> bool {
        if matches!(opened, Opened::Font(_) | Opened::Images(_)) {
            self.choosing += 1;
        } else if self.choosing == 0 {
            // What is around a choice does not matter to it.
            self.open.clear();
        }
        self.open.push(opened);
        true
    }

    fn function(&mut self, name: &str) -> bool {
        let is = |names: &[&str]| is_any(name, names);
        let opened = match self.open.last_mut() {
            _ if is(&["image-set", "-webkit-image-set"]) => Opened::Images(Vec::new()),
            Some(Opened::Font(_) | Opened::Images(_)) if is(&["url", "src"]) => Opened::Url,
            Some(Opened::Images(_)) if is(&["type"]) => Opened::Type,
            Some(Opened::Font(_)) if is(&["format"]) => Opened::Format,
            Some(Opened::Font(_)) if is(&["tech"]) => Opened::Technology,
            Some(Opened::Font(font)) if is(&["local"]) => {
                if let Descriptor::Sources(_, is_local) = &mut font.state {
                    *is_local = true;
                }
                Opened::Other(Closing::Parenthesis)
            }
            _ => Opened::Other(Closing::Parenthesis),
        };
        self.opens(opened)
    }

    /// Takes a string.
    fn string(&mut self, value: &str, url: impl FnOnce() -> usize) {
        match self.open.last() {
            Some(Opened::Images(_)) => self.source(url(), value),
            Some(Opened::Url) => {
                let inner = self.open.pop();
                self.source(url(), value);
                self.open.extend(inner);
            }
            _ => self.name(value),
        }
    }

    /// Takes a source of a font or an image.
    fn source(&mut self, at: usize, value: &str) {
        match self.open.last_mut() {
            Some(Opened::Font(font)) => {
                if let Descriptor::Sources(sources, _) = &mut font.state {
                    // Browsers do not load Embedded OpenType, which Internet Explorer loaded first.
                    let tail = value.len().checked_sub(".eot".len());
                    let tail = tail.and_then(|start| value.get(start..));
                    let is_eot = tail.is_some_and(|tail| tail.eq_ignore_ascii_case(".eot"));
                    let is_supported = !is_eot;
                    sources.push(Source { at, is_supported });
                }
            }
            Some(Opened::Images(images)) => images.push(Image {
                at,
                is_supported: true,
                resolution: 1.0,
            }),
            _ => {}
        }
    }

    /// Takes a name or the string of a function: the name of a descriptor, a format, a type.
    fn name(&mut self, name: &str) {
        let mut open = self.open.iter_mut().rev();
        match (open.next(), open.next()) {
            (Some(Opened::Font(font)), _) => {
                if matches!(font.state, Descriptor::Start) {
                    font.state = if is_any(name, &["src"]) {
                        Descriptor::Name
                    } else {
                        Descriptor::Other
                    };
                }
            }
            (Some(function), Some(Opened::Font(font))) => {
                let Descriptor::Sources(sources, _) = &mut font.state else {
                    return;
                };
                if let Some(last) = sources.last_mut() {
                    match function {
                        Opened::Format => last.is_supported = supported::is_font(name),
                        Opened::Technology => {
                            last.is_supported &= supported::is_font_technology(name);
                        }
                        _ => {}
                    }
                }
            }
            (Some(Opened::Type), Some(Opened::Images(images))) => {
                if let Some(last) = images.last_mut() {
                    last.is_supported = supported::is_image(name);
                }
            }
            _ => {}
        }
    }

    fn resolution(&mut self, value: f32, unit: &str) {
        let per_pixel = match unit.to_ascii_lowercase().as_str() {
            "x" | "dppx" => value,
            "dpi" => value / 96.0,
            "dpcm" => value * 2.54 / 96.0,
            _ => return,
        };
        if let Some(Opened::Images(images)) = self.open.last_mut()
            && let Some(last) = images.last_mut()
        {
            last.resolution = per_pixel;
        }
    }

    fn close(&mut self, closing: Closing) {
        let closes = |open: &mut Opened| match open {
            Opened::Other(own) => *own == closing,
            Opened::Font(_) => closing == Closing::Curly,
            _ => closing == Closing::Parenthesis,
        };
        if self.open.last_mut().is_some_and(closes) {
            self.close_last();
        }
    }

    /// Ends what was opened last; returns whether there was anything.
    fn close_last(&mut self) -> bool {
        self.end_descriptor();
        match self.open.pop() {
            None => return false,
            Some(Opened::Font(font)) => {
                self.choosing -= 1;
                let group = Choice::Format(self.groups);
                self.groups = self.groups.saturating_add(1);
                let sources = font.effective.into_iter();
                self.found.extend(sources.map(|at| (at, group)));
            }
            Some(Opened::Images(images)) => {
                self.choosing -= 1;
                self.image_set(&images);
            }
            Some(_) => {}
        }
        true
    }

    /// Ends the descriptor of an `@font-face`. One without a supported source is invalid, and the one
    /// before it counts.
    fn end_descriptor(&mut self) {
        let Some(Opened::Font(font)) = self.open.last_mut() else {
            return;
        };
        let Descriptor::Sources(sources, is_local) = std::mem::take(&mut font.state) else {
            return;
        };
        let is_valid = is_local || sources.iter().any(|source| source.is_supported);
        if is_valid {
            let earlier = font.effective.drain(..);
            self.found.extend(earlier.map(|at| (at, Choice::Never)));
        }
        for Source { at, is_supported } in sources {
            if is_supported {
                font.effective.push(at);
            } else {
                self.found.push((at, Choice::Never));
            }
        }
    }

    /// The images of an `image-set()`: of those with one resolution the first that is supported.
    fn image_set(&mut self, images: &[Image]) {
        /// No style sheet has as many resolutions of an image; of more, the last ones count as different.
        const MOST: usize = 256;
        let group = Choice::Image(self.groups);
        self.groups = self.groups.saturating_add(1);
        let mut known = Vec::new();
        for image in images {
            let resolution = image.resolution.to_bits();
            let is_possible = image.is_supported && !known.contains(&resolution);
            if is_possible && known.len() < MOST {
                known.push(resolution);
            }
            let choice = if is_possible { group } else { Choice::Never };
            self.found.push((image.at, choice));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The URLs that browsers choose among, each with the letter of its group, or `-` if none asks
    /// for it. Recorded with Chromium.
    fn found(css: &str) -> String {
        let mut shown = Vec::new();
        let choices = choices(css);
        super::super::urls(css, |url, range: Range<usize>| {
            let choice = choices.iter().find(|(at, _)| *at == range.start);
            let letter = match choice.map(|(_, choice)| choice) {
                None => String::new(),
                Some(Choice::Format(group)) => format!(":f{group}"),
                Some(Choice::Image(group)) => format!(":i{group}"),
                Some(Choice::OtherDevice) => ":o".to_owned(),
                Some(_) => ":-".to_owned(),
            };
            shown.push(format!("{url}{letter}"));
        });
        shown.join(" ")
    }

    fn check(cases: &[(&str, &str)]) {
        for (css, expected) in cases {
            assert_eq!(found(css), *expected, "{css}");
        }
    }

    #[test]
    fn images_for_other_media() {
        check(&[
            (
                "@media print{a{b:url(c);d:image-set('e' 1x)}}f{g:url(h)}@MEDIA not all{i{j:url('k')}}",
                "c:o e:i0 h k:o",
            ),
            ("a{@media print{b:url(c)} d:url(e)}", "c:o e"),
            (
                "@media print,screen{a{b:url(c)}}@media print;d{e:url(f)}",
                "c f",
            ),
            ("@media print{a{b:url(c)}", "c:o"),
        ]);
    }

    #[test]
    fn sources_of_a_font() {
        check(&[
            (
                "@font-face{src:url(a) format('woff2'),url('b') format(\"woff\"),url(c)}",
                "a:f0 b:f0 c:f0",
            ),
            (
                "@FONT-FACE{font-family:x;src:url(a.eot);src:url('b.eot?#iefix') \
                 format('embedded-opentype'),url(c) format(woff),url(d#x) format('svg')}",
                "a.eot:- b.eot?#iefix:- c:f0 d#x:-",
            ),
            (
                "@font-face{src:url(a);src:url(b) format('bogus')}",
                "a:f0 b:-",
            ),
            ("@font-face{src:url(a);src:local('x')}", "a:-"),
            (
                "@font-face{src:url(a) tech(color-colrv1),url(b) tech(incremental)}",
                "a:f0 b:-",
            ),
            (
                "@font-face{src:url(a)}@media x{@font-face{src:url(b)}} p{src:url(c)}",
                "a:f0 b:f1 c",
            ),
        ]);
    }

    #[test]
    fn images_of_a_set() {
        check(&[
            ("a{b:image-set('a' 1x,url(b) 2x);c:url(d)}", "a:i0 b:i0 d"),
            (
                "a{b:-webkit-image-set(url(a) type('image/jxl'), url('b') type('image/webp'), \
                 url(c) type('image/png') 96dpi, 'd' 2x)}",
                "a:- b:i0 c:- d:i0",
            ),
            ("a{b:image-set('a' 1x", "a:i0"),
        ]);
    }

    #[test]
    fn choices_after_skipped_text() {
        check(&[
            (
                "a{b:url(x);c:'@font-face{'}d::before{content:'\\f101'} /* image-set( */ \
                 @media (min-width:1px){@font-face{src:url(a),url(b.eot)}} e{f:url(y)} \
                 g{h:image-set('c' 1x,'d' 2x)}",
                "x a:f0 b.eot:- y c:i1 d:i1",
            ),
            (
                "a{b:url(@font-face)}@font-face{src:url(c)}@\\66ont-face{src:url(d)}",
                "@font-face c:f0 d:f1",
            ),
            ("a{b:'x\n;@font-face{src:url(c)}", "c:f0"),
            (
                "}) @font-face{src:url(a)} ) } a{b:c} @font-face{src:url(d)}",
                "a:f0 d:f1",
            ),
        ]);
    }

    #[test]
    fn choices_inside_other_text() {
        check(&[
            ("/* @font-face{src:url(a)} */ b:url(c)", "c"),
            ("content:'@font-face{'; a{b:url(c)}", "c"),
            ("@font-face; a{src:url(b)}", "b"),
            ("@font-face{src:url(a", "a:f0"),
        ]);
    }
}
