//! The rest of a document of which a limit stopped the tree: its tags in their own order.

use super::character_reference::{Null, decode_text};
use super::collect::Collector;
use super::tokenizer::{Content, TagEnd, TextKind, Token, Tokenizer};
use crate::slots::Namespace;

/// Hands the elements of the rest of a document to the collector as if its tags were well
/// nested: no link is lost, but one that the tree would have moved or doubled is where its
/// tag stands, once.
pub(super) fn read(mut tokenizer: Tokenizer<'_>, collector: &mut Collector<'_, '_>) {
    let mut place = Place::default();
    loop {
        let start = tokenizer.offset();
        match tokenizer.next(|| place.namespace != Namespace::Html) {
            Token::Text(text) => {
                if place.in_content {
                    collector.content(text);
                } else if place.in_anchor && !place.in_script {
                    let references = matches!(text.kind, TextKind::Data | TextKind::Rcdata);
                    let raw = text.span.of(tokenizer.source());
                    collector.text(&decode_text(raw, references, Null::Replace));
                }
            }
            Token::StartTag(tag) => {
                let name = tag.span.of(tokenizer.source());
                let end = tokenizer.attributes(|_| {});
                if end == TagEnd::Eof {
                    continue;
                }
                place.end_content(collector);
                place.start(name, end);
                if place.templates == 0 {
                    if place.is_anchor(name) {
                        place.end_anchor(collector);
                    }
                    collector.read_attributes(std::iter::once(tag.start));
                    let collected = collector.element_named(place.namespace, name);
                    place.in_anchor |= collected.anchor;
                    place.in_content = collected.content;
                }
                tokenizer.set_content(place.content(name));
            }
            Token::EndTag(tag) => {
                let name = tag.span.of(tokenizer.source());
                if tokenizer.attributes(|_| {}) == TagEnd::Eof {
                    continue;
                }
                place.end_content(collector);
                if place.is_anchor(name) {
                    place.end_anchor(collector);
                }
                place.end(name);
            }
            Token::Comment => {
                if place.templates == 0 {
                    collector.comment(start..tokenizer.offset());
                }
            }
            Token::Doctype(_) | Token::MissingEndTagName => {}
            Token::Eof => return place.end_content(collector),
        }
    }
}

/// What matters of where in the document the reader is.
#[derive(Debug)]
struct Place {
    namespace: Namespace,
    templates: usize,
    in_anchor: bool,
    in_script: bool,
    /// In a script or style sheet whose text is wanted.
    in_content: bool,
}

impl Default for Place {
    fn default() -> Self {
        Self {
            namespace: Namespace::Html,
            templates: 0,
            in_anchor: false,
            in_script: false,
            in_content: false,
        }
    }
}

impl Place {
    fn start(&mut self, name: &str, end: TagEnd) {
        let is = |other| name.eq_ignore_ascii_case(other);
        if self.namespace == Namespace::Html && end == TagEnd::Open {
            if is("svg") {
                self.namespace = Namespace::Svg;
            } else if is("math") {
                self.namespace = Namespace::MathMl;
            } else if is("template") {
                self.templates += 1;
            }
        }
        self.in_script = is("script") || is("style");
    }

    fn end(&mut self, name: &str) {
        let is = |other| name.eq_ignore_ascii_case(other);
        if is("svg") || is("math") {
            self.namespace = Namespace::Html;
        } else if is("template") {
            self.templates = self.templates.saturating_sub(1);
        }
        self.in_script = false;
    }

    fn is_anchor(&self, name: &str) -> bool {
        self.templates == 0 && name.eq_ignore_ascii_case("a")
    }

    fn end_anchor(&mut self, collector: &mut Collector<'_, '_>) {
        if self.in_anchor {
            collector.end_anchor();
            self.in_anchor = false;
        }
    }

    fn end_content(&mut self, collector: &mut Collector<'_, '_>) {
        if std::mem::take(&mut self.in_content) {
            collector.end_content();
        }
    }

    /// The state that a start tag switches the tokenizer to.
    fn content(&self, name: &str) -> Content {
        if self.namespace != Namespace::Html {
            return Content::Data;
        }
        match name.to_ascii_lowercase().as_str() {
            "title" | "textarea" => Content::Rcdata,
            "style" | "xmp" | "iframe" | "noembed" | "noframes" => Content::Rawtext,
            "script" => Content::ScriptData,
            "plaintext" => Content::Plaintext,
            _ => Content::Data,
        }
    }
}
