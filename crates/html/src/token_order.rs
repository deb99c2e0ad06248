//! Reads fragments in the order of their tags: the rest of a document where a limit stopped the
//! tree builder, and the content of conditional comments.

use std::ops::Range;

use super::character_reference::{Null, decode_text};
use super::collect::Collector;
use super::names::{Content, Name, declares_shadow_root};
use super::tokenizer::{TagEnd, TagName, TextKind, Token, Tokenizer};
use baseref_document::link_places::Namespace;

/// Passes the elements of a fragment to the collector as if its tags were well nested: no link is
/// lost, but one that the tree would have moved or duplicated appears once, where its tag is.
pub(super) fn read(mut tokenizer: Tokenizer<'_>, collector: &mut Collector<'_, '_>) {
    let mut state = ReaderState::default();
    loop {
        let start = tokenizer.offset();
        match tokenizer.next(|| state.namespace != Namespace::Html) {
            Token::Text(text) => {
                if state.in_content {
                    collector.content(text);
                } else if state.in_anchor && !state.in_script {
                    let references = matches!(text.kind, TextKind::Data | TextKind::Rcdata);
                    let raw = text.span.slice(tokenizer.source());
                    collector.text(&decode_text(raw, references, Null::Replace));
                }
            }
            Token::StartTag(tag) => {
                let end = tokenizer.attributes(|_| {});
                if end == TagEnd::Eof {
                    continue;
                }
                state.end_content(collector);
                if state.declares_shadow_root(tag, end, collector) {
                    state.shadow_roots += 1;
                    collector.begin_shadow_root();
                    continue;
                }
                state.start(tag.name, end);
                if state.templates == 0 {
                    match tag.name {
                        Name::A => state.end_anchor(collector),
                        Name::Noscript => {
                            collector.set_in_noscript(true);
                            collector.begin_noscript(tag.start);
                        }
                        _ => {}
                    }
                    collector.read_attributes(std::iter::once(tag.start));
                    let name = tag.span.slice(tokenizer.source());
                    let collected = collector.element_named(state.namespace, name);
                    state.in_anchor |= collected.anchor;
                    state.in_content = collected.content;
                }
                if state.templates > 0 && tag.name == Name::Base {
                    collector.read_attributes(std::iter::once(tag.start));
                    collector.note_inert_base(true);
                }
                if state.templates > 0 && collector.wants_inert() {
                    collector.read_attributes(std::iter::once(tag.start));
                    let name = tag.span.slice(tokenizer.source());
                    let collected =
                        collector.inert(|collector| collector.element_named(state.namespace, name));
                    state.in_content = collected.content;
                }
                tokenizer.set_content(state.content(tag.name));
            }
            Token::EndTag(tag) => {
                if tokenizer.attributes(|_| {}) == TagEnd::Eof {
                    continue;
                }
                state.end_content(collector);
                match tag.name {
                    Name::A if state.templates == 0 => state.end_anchor(collector),
                    Name::Noscript => collector.set_in_noscript(false),
                    Name::Template if state.templates == 0 && state.shadow_roots > 0 => {
                        state.shadow_roots -= 1;
                        collector.end_shadow_root();
                    }
                    _ => {}
                }
                state.end(tag.name);
            }
            Token::Comment => {
                if state.templates == 0 {
                    comment(start..tokenizer.offset(), collector);
                }
            }
            Token::Doctype(_) | Token::MissingEndTagName => {}
            Token::Eof => {
                for _ in 0..state.shadow_roots {
                    collector.end_shadow_root();
                }
                return state.end_content(collector);
            }
        }
    }
}

/// Reads a comment, at its state in the document. A downlevel-hidden conditional comment can hold
/// links: its content is read in the order of its tags, since it is a fragment rather than a
/// document.
pub(super) fn comment(comment: Range<usize>, collector: &mut Collector<'_, '_>) {
    let Some((content, outside)) = collector.begin_comment(comment) else {
        return;
    };
    read(content, collector);
    collector.end_comment(outside);
}

/// The reader's context in the document.
#[derive(Debug)]
struct ReaderState {
    namespace: Namespace,
    /// The number of open templates whose content is not in the document.
    templates: usize,
    /// The number of open shadow roots around them.
    shadow_roots: usize,
    in_anchor: bool,
    in_script: bool,
    /// In a script or style sheet whose text is wanted.
    in_content: bool,
}

impl Default for ReaderState {
    fn default() -> Self {
        Self {
            namespace: Namespace::Html,
            templates: 0,
            shadow_roots: 0,
            in_anchor: false,
            in_script: false,
            in_content: false,
        }
    }
}

impl ReaderState {
    /// Whether a start tag declares a shadow root. Without a tree its host is unknown: any element is
    /// assumed to be one.
    fn declares_shadow_root(
        &self,
        tag: TagName,
        end: TagEnd,
        collector: &mut Collector<'_, '_>,
    ) -> bool {
        let is_template = tag.name == Name::Template
            && self.namespace == Namespace::Html
            && end == TagEnd::Open
            && self.templates == 0;
        if !is_template {
            return false;
        }
        collector.read_attributes(std::iter::once(tag.start));
        let mode = collector.value_of("shadowrootmode");
        mode.is_some_and(|mode| declares_shadow_root(&mode))
    }

    fn start(&mut self, name: Name, end: TagEnd) {
        if self.namespace == Namespace::Html && end == TagEnd::Open {
            match name {
                Name::Svg => self.namespace = Namespace::Svg,
                Name::Math => self.namespace = Namespace::MathMl,
                Name::Template => self.templates += 1,
                _ => {}
            }
        }
        self.in_script = matches!(name, Name::Script | Name::Style);
    }

    fn end(&mut self, name: Name) {
        match name {
            Name::Svg | Name::Math => self.namespace = Namespace::Html,
            Name::Template => self.templates = self.templates.saturating_sub(1),
            _ => {}
        }
        self.in_script = false;
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
    fn content(&self, name: Name) -> Content {
        match self.namespace {
            Namespace::Html => name.content(),
            _ => Content::Data,
        }
    }
}
