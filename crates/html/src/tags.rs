//! The tags of a page in the order of the source, for readers that need no tree. Letter case, quotes,
//! character references and the order of attributes make no difference.

use std::borrow::Cow;
use std::ops::Range;

use super::character_reference::Value;
use super::names::{Content, Name};
use super::tokenizer::{Attribute, Span, TagEnd, Token, Tokenizer};

/// A tag.
#[derive(Clone, Debug)]
pub(super) struct Tag<'s> {
    source: &'s str,
    /// Its name as written.
    pub(super) name: &'s str,
    /// The names and values of its attributes.
    attributes: Vec<(Span, Span)>,
    pub(super) is_end: bool,
    /// Whether it ends with `/>`.
    pub(super) closes_itself: bool,
    /// The bytes of the source from `<` to `>`.
    pub(super) bytes: Range<usize>,
}

impl<'s> Tag<'s> {
    /// Whether it has this name, which is given in lower case.
    pub(super) fn is(&self, name: &str) -> bool {
        self.name.eq_ignore_ascii_case(name)
    }

    /// The value of an attribute, its name given in lower case: decoded, and of a repeated attribute
    /// the first.
    pub(super) fn value(&self, name: &str) -> Option<Cow<'s, str>> {
        let mut attributes = self.attributes.iter();
        let (_, value) =
            attributes.find(|(own, _)| own.slice(self.source).eq_ignore_ascii_case(name))?;
        Some(Value::from_attribute(value.slice(self.source)).text)
    }
}

/// Iterates over the tags of a page.
pub(super) struct Tags<'s> {
    tokenizer: Tokenizer<'s>,
    /// In SVG or MathML.
    is_foreign: bool,
}

impl<'s> Tags<'s> {
    pub(super) fn new(source: &'s str) -> Self {
        Self {
            tokenizer: Tokenizer::new(source),
            is_foreign: false,
        }
    }

    /// Switches the tokenizer to the content of an element that a start tag begins.
    fn open(&mut self, name: Name, end: TagEnd) {
        if self.is_foreign {
            return;
        }
        self.is_foreign = end == TagEnd::Open && matches!(name, Name::Svg | Name::Math);
        let content = if self.is_foreign {
            Content::Data
        } else {
            name.content()
        };
        self.tokenizer.set_content(content);
    }
}

impl<'s> Iterator for Tags<'s> {
    type Item = Tag<'s>;

    fn next(&mut self) -> Option<Tag<'s>> {
        let mut attributes = Vec::new();
        let tag = self.next_with(|attribute| {
            attributes.push((attribute.name, attribute.value));
        })?;
        Some(Tag { attributes, ..tag })
    }
}

impl<'s> Tags<'s> {
    /// The next tag that ends after an offset. Those before it are passed quickly.
    pub(super) fn ending_after(&mut self, offset: usize) -> Option<Tag<'s>> {
        loop {
            let tag = self.next_with(|_| ())?;
            if tag.bytes.end > offset {
                let mut attributes = Vec::new();
                let mut tokenizer = Tokenizer::at(tag.source, tag.bytes.start);
                tokenizer.next(|| false);
                tokenizer.attributes(|attribute| {
                    attributes.push((attribute.name, attribute.value));
                });
                return Some(Tag { attributes, ..tag });
            }
        }
    }

    /// The next tag, without its attributes, which are passed to `each`.
    #[inline]
    fn next_with(&mut self, mut each: impl FnMut(Attribute)) -> Option<Tag<'s>> {
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
            let end = self.tokenizer.attributes(&mut each);
            match (end, is_end) {
                (TagEnd::Eof, _) => return None,
                (_, true) => self.is_foreign &= !matches!(found.name, Name::Svg | Name::Math),
                (_, false) => self.open(found.name, end),
            }
            return Some(Tag {
                source,
                name: found.span.slice(source),
                attributes: Vec::new(),
                is_end,
                closes_itself: end == TagEnd::SelfClosing,
                bytes: found.start..self.tokenizer.offset(),
            });
        }
    }
}
