//! Collects what decides the base of a page: `base` elements, policies, `codebase` attributes.

use super::{Collector, Region};
use crate::tokenizer::Span;
use baseref_document::{Codebase, Context, Declaration, InertBase, NoteCode, Place};

impl Collector<'_, '_> {
    /// The body, or a frameset in its place, begins.
    #[inline]
    pub(crate) fn begin_body(&mut self) {
        self.region = Region::Body;
    }

    /// HTML "Content security policy state", for a `meta` element in the head before any base: it
    /// restricts the base.
    pub(super) fn enforce(&mut self) {
        let declarations = &self.document.declarations;
        let is_late = declarations
            .iter()
            .any(|declaration| matches!(declaration.at, Place::Element(_)));
        if self.region == Region::Body || self.is_aside || is_late {
            return;
        }
        let is_policy = self
            .value_of("http-equiv")
            .is_some_and(|name| name.eq_ignore_ascii_case("content-security-policy"));
        if let Some(content) = self.attribute("content").filter(|_| is_policy) {
            let (raw, _) = self.cut(content);
            let policy = self.decoded(raw).text;
            self.document.policies.push(policy.into());
        }
    }

    /// The declaration of a `base` element, if it has an `href`.
    pub(super) fn declare(&mut self) {
        if self.is_inert {
            return;
        }
        let Some(href) = self.attribute("href") else {
            return;
        };
        let limit = self.options.limits.declarations;
        if self.declared == limit {
            self.uncounted += 1;
            if !self.is_aside {
                self.note_base_count(href);
            }
            return;
        }
        self.declared += usize::from(!self.is_aside);
        let is_before_body = !self.is_aside && self.region != Region::Body;
        self.document.bases_before_body += usize::from(is_before_body);
        let (raw, _) = self.cut(href);
        let at = self.positions.locate(href.start..href.end);
        self.document
            .declarations
            .push(Declaration::new(self.decoded(raw).text, Place::Element(at)));
    }

    /// Records a `base` element, the current one, that declares nothing.
    #[cold]
    pub(crate) fn note_inert_base(&mut self, in_template: bool) {
        let limit = self.options.limits.declarations;
        let Some(href) = self.attribute("href") else {
            return;
        };
        if self.is_aside {
            return;
        }
        if self.document.inert_bases.len() >= limit {
            return self.note_base_count(href);
        }
        let (raw, _) = self.cut(href);
        let at = self.positions.locate(href.start..href.end);
        let value = self.decoded(raw).text.into_owned();
        self.document.inert_bases.push(InertBase {
            value,
            at,
            in_template,
        });
    }

    /// Notes that a `base` element is not listed.
    #[cold]
    pub(super) fn note_base_count(&mut self, href: Span) {
        let limit = self.options.limits.declarations;
        let detail = format!("the `base` elements after the first {limit} are not listed");
        self.note_once(NoteCode::BaseCount, detail, href.start);
    }

    pub(super) fn codebase(&mut self, element: &'static str) -> Context {
        let Some(codebase) = self.attribute("codebase") else {
            return Context::Document;
        };
        let (raw, _) = self.cut(codebase);
        let at = self.positions.locate(codebase.start..codebase.end);
        let Ok(index) = u32::try_from(self.document.codebases.len()) else {
            return Context::Document;
        };
        self.document.codebases.push(Codebase {
            value: self.decoded(raw).text.into_owned(),
            element,
            at,
        });
        Context::Codebase(index)
    }
}
