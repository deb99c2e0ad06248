//! Collects the ids and names that fragments can point to.

use std::borrow::Cow;

use super::{Collector, NamingAttributes};
use crate::names::Name;
use crate::tokenizer::Span;
use baseref_document::link_places::Namespace;
use baseref_document::{Naming, RepeatedIdentifier};

impl<'s> Collector<'s, '_> {
    /// Whether names of elements are wanted.
    #[inline]
    pub(crate) fn wants_names(&self) -> bool {
        self.options.identifiers
    }

    /// Whether the current element may have a wanted name.
    #[inline]
    pub(crate) fn may_be_named(&self) -> bool {
        self.named.id.is_some() || self.named.name.is_some()
    }

    /// Collects the names of the current element, once: it is in the document.
    #[inline]
    pub(crate) fn identify(&mut self, namespace: Namespace, name: Name) {
        if self.may_be_named() {
            self.push_names(namespace, name);
        }
    }

    pub(super) fn push_names(&mut self, namespace: Namespace, name: Name) {
        let NamingAttributes { id, name: given } = std::mem::take(&mut self.named);
        if self.is_aside {
            return;
        }
        let in_shadow_root = self.in_shadow_root();
        let naming = match (namespace, name) {
            (Namespace::Html, Name::A) => Some(Naming::Anchor),
            (Namespace::Html, Name::Map) => Some(Naming::Map),
            _ => None,
        };
        let names = [id.map(|id| (Naming::Id, id)), naming.zip(given)];
        let mut first: Option<(Cow<'s, str>, Span)> = None;
        for (naming, span) in names.into_iter().flatten() {
            if span.start == span.end {
                continue;
            }
            let name = self.decoded(span.slice(self.source)).text;
            let naming = if in_shadow_root {
                Naming::InShadowRoot
            } else {
                naming
            };
            self.document.identifiers.push(naming, &name);
            // An `a` may have the same `id` and `name`.
            let of_first = first.as_ref().filter(|(known, _)| *known == name);
            self.names.push(of_first.map_or(span, |(_, span)| *span));
            first = Some((name, span));
        }
    }

    /// Finds the names that occur more than once, and where. An `a` may have the same `id` and
    /// `name`, `map` names are a name space of their own, and so is each shadow root.
    pub(super) fn find_repeated(&mut self) {
        let names = &self.document.identifiers;
        let of_elements = names.hashes().zip(0..);
        let mut hashes: Vec<(u64, usize)> = of_elements
            .filter(|((naming, _), _)| naming.is_fragment_target())
            .map(|((_, hash), number)| (hash, number))
            .collect();
        hashes.sort_unstable();
        let mut repeated = Vec::new();
        for alike in hashes
            .chunk_by(|a, b| a.0 == b.0)
            .filter(|alike| alike.len() > 1)
        {
            let mut tag = 0;
            let first = self.names[alike[0].1];
            for (place, (_, number)) in alike.iter().enumerate() {
                let span = self.names[*number];
                let before = std::mem::replace(&mut tag, self.tag_of(span));
                // A clone has the same place in the source as its original.
                if place > 0 && tag != before {
                    repeated.push((span, first));
                }
            }
        }
        repeated.sort_unstable_by_key(|(span, _)| span.start);
        for (span, first) in repeated {
            let name = self.decoded(span.slice(self.source)).text.into_owned();
            let first = self.positions.locate(first.start..first.end);
            let at = self.positions.locate(span.start..span.end);
            let repeated = &mut self.document.identifiers.repeated;
            repeated.push(RepeatedIdentifier { name, at, first });
        }
    }

    /// The offset of the tag that contains a value, or another offset unique to that tag.
    pub(super) fn tag_of(&self, value: Span) -> usize {
        memchr::memrchr(b'<', &self.source.as_bytes()[..value.start]).unwrap_or(0)
    }
}
