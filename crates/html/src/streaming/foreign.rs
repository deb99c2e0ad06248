//! "Rules for parsing tokens in foreign content".

use super::open_elements::HTML_ANNOTATION;
use super::{DONE, Reader, Step, Tag};
use crate::names::Name;
use baseref_document::link_places::Namespace;

impl Reader<'_, '_, '_> {
    /// Whether those rules apply to a start tag, given that the current node is foreign.
    pub(super) fn is_foreign_start(&self, name: Name) -> bool {
        let Some(current) = self.open.current() else {
            return false;
        };
        if current.is_math_text() {
            return matches!(name, Name::Mglyph | Name::Malignmark);
        }
        if current.is_svg_html() {
            return false;
        }
        if current.name == Name::AnnotationXml && current.namespace == Namespace::MathMl {
            return name != Name::Svg && current.flags & HTML_ANNOTATION == 0;
        }
        true
    }

    /// Whether those rules apply to text.
    pub(super) fn is_foreign_text(&self) -> bool {
        self.open.current().is_some_and(|current| {
            current.namespace != Namespace::Html && !current.is_integration_point()
        })
    }

    pub(super) fn in_foreign_start(&mut self, tag: Tag) -> Step {
        let leaves = tag.name.kind().leaves_foreign()
            || (tag.name == Name::Font
                && ["color", "face", "size"]
                    .iter()
                    .any(|name| self.collector.value_of(name).is_some()));
        if leaves {
            self.leave_foreign();
            return self.start(tag);
        }
        let namespace = self
            .open
            .current()
            .map_or(Namespace::Html, |open| open.namespace);
        self.insert_foreign(tag, namespace)
    }

    /// Pops elements up to "a MathML text integration point, an HTML integration point, or an
    /// element in the HTML namespace".
    fn leave_foreign(&mut self) {
        while let Some(open) = self.open.current() {
            if open.namespace == Namespace::Html || open.is_integration_point() {
                break;
            }
            self.pop();
        }
    }

    pub(super) fn in_foreign_end(&mut self, tag: Tag) -> Step {
        if matches!(tag.name, Name::Br | Name::P) {
            self.leave_foreign();
            return self.end(tag);
        }
        let last = self.open.len().saturating_sub(1);
        for index in (1..=last).rev() {
            let Some(open) = self.open.get(index) else {
                break;
            };
            if index != last && open.namespace == Namespace::Html {
                return self.end(tag);
            }
            if self.is_named(open, tag) {
                self.truncate(index);
                break;
            }
        }
        DONE
    }
}
