//! The start tags of a page in the order of the source, for readers that want a few of them and no
//! tree: names and attributes are those of the tokenizer, so that case, quotes, character references
//! and the order of attributes make no difference.

use std::borrow::Cow;
use std::ops::Range;

use super::character_reference::{Null, Value, decode_text};
use super::names::{Content, Name};
use super::tokenizer::{Span, TagEnd, TextKind, Token, Tokenizer};

/// A start tag.
#[derive(Clone, Debug)]
pub struct Tag<'s> {
    source: &'s str,
    name: Span,
    attributes: Vec<(Span, Span)>,
    /// Whether it is in a `noscript` element.
    pub in_noscript: bool,
}

impl<'s> Tag<'s> {
    /// Whether it has this name, which is given in lower case.
    #[must_use]
    pub fn is(&self, name: &str) -> bool {
        self.name.of(self.source).eq_ignore_ascii_case(name)
    }

    /// The value of an attribute, its name given in lower case: decoded, and of a repeated attribute
    /// the first.
    #[must_use]
    pub fn value(&self, name: &str) -> Option<Cow<'s, str>> {
        let mut attributes = self.attributes.iter();
        let (_, value) =
            attributes.find(|(known, _)| known.of(self.source).eq_ignore_ascii_case(name))?;
        Some(Value::of_attribute(value.of(self.source)).text)
    }

    /// Whether the value of one of its attributes begins at this byte of the source.
    #[must_use]
    pub fn has_value_at(&self, at: usize) -> bool {
        self.attributes.iter().any(|(_, value)| value.start == at)
    }

    /// Whether it is a `meta` element that asks all search engines not to index the page: a robots
    /// directive with `noindex` or `none`.
    #[must_use]
    pub fn hides_page(&self) -> bool {
        let name = self.value("name").unwrap_or_default();
        if !self.is("meta") || !name.trim_ascii().eq_ignore_ascii_case("robots") {
            return false;
        }
        let content = self.value("content").unwrap_or_default();
        let mut words = content.split(|c: char| c == ',' || c.is_ascii_whitespace());
        words.any(|word| word.eq_ignore_ascii_case("noindex") || word.eq_ignore_ascii_case("none"))
    }

    /// Whether the value of an attribute, a white-space-separated list, has this word, which is
    /// given in lower case.
    #[must_use]
    pub fn has_word(&self, name: &str, word: &str) -> bool {
        self.value(name).is_some_and(|value| {
            let mut words = value.split_ascii_whitespace();
            words.any(|one| one.eq_ignore_ascii_case(word))
        })
    }
}

/// The start tags of a page that have certain names; those in templates, SVG and MathML are left out.
pub struct Tags<'s, 'w> {
    walk: Walk<'s>,
    /// In lower case.
    wanted: &'w [&'w str],
}

impl<'s, 'w> Tags<'s, 'w> {
    /// The start tags of `source` with a name that is among `wanted`, given in lower case.
    #[must_use]
    pub fn new(source: &'s str, wanted: &'w [&'w str]) -> Self {
        Self {
            walk: Walk::new(source),
            wanted,
        }
    }

    /// The text that follows the last tag, decoded: all of it after a `title` or `textarea`.
    #[must_use]
    pub fn text(&mut self) -> String {
        let tokenizer = &mut self.walk.tokenizer;
        let mut text = String::new();
        loop {
            let before = tokenizer.clone();
            let Token::Text(found) = tokenizer.next(|| false) else {
                *tokenizer = before;
                return text;
            };
            let references = matches!(found.kind, TextKind::Data | TextKind::Rcdata);
            let raw = found.span.of(tokenizer.source());
            text.push_str(&decode_text(raw, references, Null::Replace));
        }
    }
}

impl<'s> Iterator for Tags<'s, '_> {
    type Item = Tag<'s>;

    fn next(&mut self) -> Option<Tag<'s>> {
        let is_wanted = |name: &str| self.wanted.iter().any(|one| name.eq_ignore_ascii_case(one));
        loop {
            let walked = self.walk.next(is_wanted)?;
            if !walked.is_end && !walked.is_hidden && walked.tag.is_some() {
                return walked.tag;
            }
        }
    }
}

/// The tags of a page, in the order of the source.
pub(super) struct Walk<'s> {
    tokenizer: Tokenizer<'s>,
    is_foreign: bool,
    templates: usize,
    noscripts: usize,
}

/// A tag that [`Walk`] came to.
pub(super) struct Walked<'s> {
    /// As written.
    pub(super) name: &'s str,
    /// `None` if nobody wants it.
    pub(super) tag: Option<Tag<'s>>,
    pub(super) is_end: bool,
    /// Whether it is in a template, in SVG or in MathML.
    is_hidden: bool,
    /// Whether it ends with `/>`.
    pub(super) closes_itself: bool,
    /// The bytes of the source from `<` to `>`.
    pub(super) bytes: Range<usize>,
}

impl<'s> Walk<'s> {
    pub(super) fn new(source: &'s str) -> Self {
        Self {
            tokenizer: Tokenizer::new(source),
            is_foreign: false,
            templates: 0,
            noscripts: 0,
        }
    }

    /// The next tag; `is_wanted` says of a name whether the attributes matter.
    pub(super) fn next(&mut self, is_wanted: impl Fn(&str) -> bool) -> Option<Walked<'s>> {
        let source = self.tokenizer.source();
        loop {
            let is_foreign = self.is_foreign;
            let (found, is_end) = match self.tokenizer.next(|| is_foreign) {
                Token::StartTag(tag) => (tag, false),
                Token::EndTag(tag) => (tag, true),
                Token::Eof => return None,
                Token::Text(_) | Token::Comment | Token::Doctype(_) | Token::MissingEndTagName => {
                    continue;
                }
            };
            let name = found.span.of(source);
            let is_wanted = is_wanted(name);
            let is_hidden = is_foreign || self.templates > 0;
            let mut attributes = Vec::new();
            let end = self.tokenizer.attributes(|attribute| {
                if is_wanted {
                    attributes.push((attribute.name, attribute.value));
                }
            });
            match (end, is_end) {
                (TagEnd::Eof, _) => return None,
                (_, true) => self.close(found.name),
                (_, false) => self.open(found.name, end),
            }
            let tag = is_wanted.then_some(Tag {
                source,
                name: found.span,
                attributes,
                in_noscript: self.noscripts > 0,
            });
            return Some(Walked {
                name,
                tag,
                is_end,
                is_hidden,
                closes_itself: end == TagEnd::SelfClosing,
                bytes: found.start..self.tokenizer.offset(),
            });
        }
    }

    /// Follows a start tag to the elements that hide others.
    fn open(&mut self, name: Name, end: TagEnd) {
        if self.is_foreign {
            return;
        }
        let is_open = end == TagEnd::Open;
        self.is_foreign = is_open && matches!(name, Name::Svg | Name::Math);
        self.templates += usize::from(name == Name::Template);
        self.noscripts += usize::from(name == Name::Noscript);
        let content = if self.is_foreign {
            Content::Data
        } else {
            name.content()
        };
        self.tokenizer.set_content(content);
    }

    fn close(&mut self, name: Name) {
        match name {
            Name::Svg | Name::Math => self.is_foreign = false,
            Name::Template => self.templates = self.templates.saturating_sub(1),
            Name::Noscript => self.noscripts = self.noscripts.saturating_sub(1),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_tag_says_does_not_depend_on_how_it_is_written() {
        for text in [
            "<link rel=canonical href=/a?b&amp;c>",
            "<LINK HREF='/a?b&c' title=\"a > b < c\" REL=\" x CANONICAL \">",
            "<link rel=\"&#99;anonical\" rel=icon href = \"/a?b&#38;c\" />",
            "<link data-rel=icon rel='canonical\n'href=/a?b&c>",
        ] {
            let tags: Vec<Tag<'_>> = Tags::new(text, &["link"]).collect();
            let [tag] = tags.as_slice() else {
                panic!("one tag: {text}");
            };
            assert!(tag.is("link") && tag.has_word("rel", "canonical"), "{text}");
            assert_eq!(tag.value("href").as_deref(), Some("/a?b&c"), "{text}");
        }
    }

    #[test]
    fn tags_in_comments_scripts_templates_and_svg_are_left_out() {
        let text = "<!-- <title>c</title> --><script>'<title>s</title>'</script>\
            <template><title>t</title></template><svg><title>g</title></svg>\
            <noscript><title>n</title></noscript><textarea><title></textarea>\
            <TITLE lang=x>A &amp; <b>\nB</TITLE><title>2</title>";
        let mut tags = Tags::new(text, &["title"]);
        let mut titles = Vec::new();
        while let Some(tag) = tags.next() {
            titles.push((tag.in_noscript, tags.text()));
        }
        let titles: Vec<_> = titles.iter().map(|(n, text)| (*n, text.as_str())).collect();
        assert_eq!(titles, [(true, "n"), (false, "A & <b>\nB"), (false, "2")]);
    }

    #[test]
    fn a_tag_that_does_not_end_is_none() {
        assert_eq!(
            Tags::new("<link rel=canonical href=/a", &["link"]).count(),
            0
        );
        assert_eq!(
            Tags::new("<link rel=\"canonical href=/a>", &["link"]).count(),
            0
        );
    }
}
