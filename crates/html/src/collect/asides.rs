//! Collects what is not in the document: the contents of conditional comments, templates and shadow
//! roots.

use std::ops::Range;

use memchr::{memmem, memrchr_iter};

use super::{Collected, Collector, SavedState, TrailingComment};
use crate::names::Name;
use crate::tokenizer::Tokenizer;
use baseref_document::link_places::Namespace;

impl<'s> Collector<'s, '_> {
    /// Begins the content of a comment, at its place in the document, if it is conditional and
    /// wanted: returns a tokenizer that reads it, and what is open outside it, for
    /// [`Collector::end_comment`].
    pub(crate) fn begin_comment(
        &mut self,
        comment: Range<usize>,
    ) -> Option<(Tokenizer<'s>, SavedState)> {
        if !self.options.comments || self.is_aside {
            return None;
        }
        let content = conditional(&self.source[comment.clone()])?;
        let text = &self.source[..comment.start + content.end];
        let outside = self.begin_aside();
        Some((Tokenizer::at(text, comment.start + content.start), outside))
    }

    /// Begins the content of a shadow root that the document declares: it is part of the page, but
    /// neither its names nor its `base` and `meta` elements are the document's.
    pub(crate) fn begin_shadow_root(&mut self) {
        self.shadow_roots += 1;
    }

    /// Ends the content of a shadow root.
    pub(crate) fn end_shadow_root(&mut self) {
        self.shadow_roots -= 1;
    }

    /// Whether what is being read is in a shadow root.
    pub(super) fn in_shadow_root(&self) -> bool {
        self.shadow_roots > 0
    }

    /// Whether the current element is one that acts only "in a document tree": `base` and `meta`.
    #[inline]
    pub(super) fn has_no_effect_in_shadow_root(&self, namespace: Namespace, name: Name) -> bool {
        self.in_shadow_root()
            && !self.is_inert
            && namespace == Namespace::Html
            && matches!(name, Name::Base | Name::Meta)
    }

    /// Collects a `base` or `meta` element in a shadow root, which does nothing there.
    #[cold]
    pub(super) fn collect_inert_in_shadow_root(&mut self, name: Name) -> Collected {
        if name == Name::Base {
            self.note_inert_base(true);
        }
        if !self.wants_inert() {
            return Collected::default();
        }
        self.inert(|collector| collector.element_named(Namespace::Html, name.text()))
    }

    /// Ends the content of a comment.
    pub(crate) fn end_comment(&mut self, outside: SavedState) {
        self.end_aside(outside);
    }

    /// Whether inert references are wanted.
    #[inline]
    pub(crate) fn wants_inert(&self) -> bool {
        self.options.inert
    }

    /// Has `read` collect inert references and documents in attributes, without texts and nothing
    /// else.
    pub(crate) fn inert<T>(&mut self, read: impl FnOnce(&mut Self) -> T) -> T {
        if self.is_inert {
            return read(self);
        }
        self.is_inert = true;
        let is_aside = std::mem::replace(&mut self.is_aside, true);
        self.swap_inert();
        let read = read(self);
        self.swap_inert();
        self.is_aside = is_aside;
        self.is_inert = false;
        read
    }

    pub(super) fn swap_inert(&mut self) {
        let document = &mut self.document;
        std::mem::swap(&mut document.references, &mut document.inert);
    }

    pub(super) fn begin_aside(&mut self) -> SavedState {
        self.is_aside = true;
        SavedState {
            declarations: self.document.declarations.len(),
            texts: std::mem::take(&mut self.texts),
            contents: std::mem::take(&mut self.contents),
        }
    }

    /// Ends what is aside. Its declarations do not apply to the document.
    pub(super) fn end_aside(&mut self, outside: SavedState) {
        self.end_all();
        self.is_aside = false;
        self.texts = outside.texts;
        self.contents = outside.contents;
        self.document.declarations.truncate(outside.declarations);
    }

    /// Adds a comment that comes last in the tree, wherever it is in the source.
    pub(crate) fn trailing_comment(&mut self, comment: Range<usize>, place: TrailingComment) {
        if self.options.comments {
            self.trailing_comments[place as usize].push(comment);
        }
    }
}

/// The content of a comment, if it is a downlevel-hidden conditional one: `<!--[if
/// mso]>content<![endif]-->`. Any condition is assumed to be possible.
fn conditional(comment: &str) -> Option<Range<usize>> {
    const BEGIN: &[u8] = b"<!--[if";
    const END: &[u8] = b"<![endif]";
    let bytes = comment.as_bytes();
    if !bytes.get(..BEGIN.len())?.eq_ignore_ascii_case(BEGIN) {
        return None;
    }
    let start = memmem::find(bytes, b"]>")? + b"]>".len();
    let rest = &bytes[start..];
    let length = memrchr_iter(b'<', rest).find(|at| {
        let end = rest.get(*at..at + END.len());
        end.is_some_and(|end| end.eq_ignore_ascii_case(END))
    })?;
    Some(start..start + length)
}
