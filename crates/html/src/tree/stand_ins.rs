//! "Special" elements of MathML and SVG. html5ever's tree builder treats none of them as special, does
//! not let `annotation-xml` bound a scope, and does not stop a tag that leaves foreign content at an
//! `annotation-xml` that is an HTML integration point.
//!
//! The builder asks the sink for the names of elements. While it applies "the rules given in the
//! section corresponding to the current insertion mode in HTML content" to a tag, each of these
//! elements is shown to it as an HTML element that is special, bounds the scope and has no rule of
//! its own for that tag. Those rules treat it no other way.

use html5ever::tokenizer::TagKind;
use html5ever::{LocalName, QualName, local_name, ns};

use super::arena::Element;
use crate::names::ElementTraits;

/// Which special elements are shown as HTML elements: those made before this one. They are never
/// moved on the stack of open elements, so those made earlier are lower on it.
pub(super) type Bound = u32;

/// No special element is shown so.
pub(super) const NONE_SHOWN: Bound = 0;
/// All are.
pub(super) const ALL_SHOWN: Bound = Bound::MAX;

/// Whether an element of MathML or SVG is special.
pub(super) fn is_special(name: &QualName) -> bool {
    is_annotation_xml(name) || is_integration_point(name)
}

fn is_annotation_xml(name: &QualName) -> bool {
    name.ns == ns!(mathml) && name.local == local_name!("annotation-xml")
}

/// "MathML text integration point".
fn is_math_text(name: &QualName) -> bool {
    name.ns == ns!(mathml)
        && matches!(
            name.local,
            local_name!("mi")
                | local_name!("mo")
                | local_name!("mn")
                | local_name!("ms")
                | local_name!("mtext")
        )
}

/// An integration point by its name alone.
fn is_integration_point(name: &QualName) -> bool {
    let is_svg = name.ns == ns!(svg)
        && matches!(
            name.local,
            local_name!("foreignObject") | local_name!("desc") | local_name!("title")
        );
    is_svg || is_math_text(name)
}

/// The name of the HTML element shown in place of a special one while a tag is processed: the rules
/// for the tag `marquee` look for that name.
pub(super) fn stand_in(tag: &LocalName) -> QualName {
    let local = match *tag {
        local_name!("marquee") => local_name!("object"),
        _ => local_name!("marquee"),
    };
    QualName::new(None, ns!(html), local)
}

/// A tag, in what the rules for foreign content look at.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tag<'t> {
    pub(super) kind: TagKind,
    pub(super) name: &'t LocalName,
    /// The groups of tags that its name is in.
    pub(super) groups: ElementTraits,
    /// Whether it has an attribute with which `font` leaves foreign content.
    pub(super) styles_font: bool,
}

impl Tag<'_> {
    /// Which special elements are shown as HTML elements while this tag is processed, given the
    /// open elements and their numbers, the highest first. The current node is not an HTML
    /// element; HTML elements before it are skipped.
    pub(super) fn shown<'e>(self, open: impl Iterator<Item = (u32, &'e Element)>) -> Bound {
        let is_html = |element: &Element| element.name.ns == ns!(html);
        let mut foreign = open
            .skip_while(|(_, element)| is_html(element))
            .take_while(|(_, element)| !is_html(element))
            .peekable();
        let Some((_, current)) = foreign.peek() else {
            return NONE_SHOWN;
        };
        let leaves = match self.kind {
            TagKind::StartTag if self.is_html_in(current) => return ALL_SHOWN,
            TagKind::StartTag => self.leaves_foreign(),
            TagKind::EndTag => matches!(*self.name, local_name!("br") | local_name!("p")),
        };
        if leaves {
            // They are popped first, and truly named until then.
            let left = foreign.take_while(|(_, element)| !is_point(element));
            return left.last().map_or(ALL_SHOWN, |(lowest, _)| lowest);
        }
        let is_closed = |(_, element): (u32, &Element)| {
            let name = &element.name.local;
            name.eq_ignore_ascii_case(self.name)
        };
        match self.kind {
            TagKind::EndTag if !foreign.any(is_closed) => ALL_SHOWN,
            _ => NONE_SHOWN,
        }
    }

    /// Whether the rules for HTML content apply to this start tag, by the "tree construction
    /// dispatcher".
    fn is_html_in(self, current: &Element) -> bool {
        match *self.name {
            local_name!("mglyph") | local_name!("malignmark") if is_math_text(&current.name) => {
                false
            }
            local_name!("svg") if is_annotation_xml(&current.name) => true,
            _ => is_point(current),
        }
    }

    fn leaves_foreign(self) -> bool {
        self.groups.leaves_foreign() || *self.name == local_name!("font") && self.styles_font
    }
}

/// "MathML text integration point" or "HTML integration point".
fn is_point(element: &Element) -> bool {
    element.integration_point || is_integration_point(&element.name)
}
