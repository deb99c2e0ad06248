//! References: the URLs in a document, as written.

use std::iter::{Enumerate, FusedIterator};
use std::ops::Range;
use std::slice;

use super::choice::{Choice, Choices};
use super::position::Position;
use crate::link_places::LinkPlace;

/// What a reference is relative to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Context {
    /// The base URL of the document.
    Document,
    /// The base of the layers outside the document: for the `href` of a `base` element.
    Outside,
    /// The `codebase` of its own element (HTML 4.01 §13.3): an index into [`crate::Document::codebases`].
    Codebase(u32),
    /// In a feed, the innermost `xml:base` around it below the root element (RFC 4287 §2): an index into
    /// [`crate::Document::xml_bases`].
    XmlBase(u32),
    /// Nothing: a host in running text that begins with `www.`, to be prefixed with `http://`.
    Http,
    /// The base given by this number of the outermost [`crate::Document::declarations`]: for a header
    /// field, the declarations up to its own header (RFC 1808 §3.1), or those around it.
    Outermost(u32),
}

/// A URL in a document, as written.
#[derive(Clone, Copy, Debug)]
pub struct Reference<'d> {
    /// The kind of place: element, attribute, class.
    pub slot: &'static LinkPlace,
    /// The name of the element, in lower case for HTML, or of the header field as written.
    pub element: &'d str,
    /// The name of the attribute.
    pub attr: &'d str,
    /// The URL as written, character references decoded, not stripped; in header fields and plain
    /// text, ignorable white space is removed.
    pub value: &'d str,
    /// The link text, white space collapsed; `None` where the place has none or it was not asked
    /// for.
    pub text: Option<&'d str>,
    /// What the URL is relative to.
    pub context: Context,
    /// Where it is, if asked for.
    pub at: Option<&'d Position>,
    /// The value exceeded [`crate::Limits::attribute`] and was truncated.
    pub cut: bool,
}

/// The references of one document in document order, in few blocks of memory.
///
/// ```
/// use baseref_document::link_places::{LINK_PLACES, LinkPlace};
/// use baseref_document::{Context, Reference, References};
///
/// let slot: &'static LinkPlace = &LINK_PLACES[0];
/// let mut references = References::default();
/// references.push(Reference {
///     slot,
///     element: slot.element,
///     attr: slot.attr,
///     value: "../x",
///     text: Some("up"),
///     context: Context::Document,
///     at: None,
///     cut: false,
/// });
/// let values: Vec<_> = references.iter().map(|reference| reference.value).collect();
/// assert_eq!(values, ["../x"]);
/// ```
#[derive(Clone, Debug, Default)]
pub struct References {
    text: String,
    entries: Vec<Entry>,
    /// Data that only few references have.
    extras: Vec<Extra>,
    /// Their positions, up to the last one that is known.
    positions: Vec<Option<Position>>,
    /// Their companions, if those were asked for.
    companions: Option<Box<StoredCompanions>>,
    /// Their choices, if those were asked for.
    choices: Option<Box<Choices>>,
}

/// The companions of references.
#[derive(Clone, Debug, Default)]
struct StoredCompanions {
    /// By the first reference of the element.
    attributes: Vec<CompanionAttribute>,
    /// By reference, the texts of links that also have images, without the texts that replace these.
    texts: Vec<(usize, TextRange)>,
}

/// An attribute of the element of some references.
#[derive(Clone, Copy, Debug)]
struct CompanionAttribute {
    name: &'static str,
    value: TextRange,
    /// The index of the element's first reference, and the index after its last.
    references: (usize, usize),
}

/// What the element of a reference says in addition to its URL, if
/// [`crate::ReadOptions::companion_attributes`] asked for it.
#[derive(Clone, Copy, Debug)]
pub struct Companions<'d> {
    references: &'d References,
    index: usize,
}

impl<'d> Companions<'d> {
    /// The value of an attribute, its name in lower case; of those that readers keep: for links
    /// `title`, `originalsrc` and `data-saferedirecturl`, for images `width`, `height`, `style` and
    /// `hidden`.
    #[must_use]
    pub fn attribute(&self, name: &str) -> Option<&'d str> {
        let all = &self.references.companions.as_ref()?.attributes;
        let end = all.partition_point(|companions| companions.references.0 <= self.index);
        let own = all[..end].iter().rev();
        let mut own = own.take_while(|companions| companions.references.1 > self.index);
        let found = own.find(|companions| companions.name == name)?;
        Some(self.references.kept(found.value))
    }

    /// The text of the link without the texts that replace images; `None` unless it has both.
    #[must_use]
    pub fn text_without_images(&self) -> Option<&'d str> {
        let all = &self.references.companions.as_ref()?.texts;
        let found = all.binary_search_by_key(&self.index, |(index, _)| *index);
        Some(self.references.kept(all.get(found.ok()?)?.1))
    }

    /// Whether the text of the link only replaces images.
    #[must_use]
    pub fn is_text_of_images(&self) -> bool {
        let references = self.references;
        let entry = references.entries.get(self.index);
        let extra = entry.and_then(|entry| references.extras.get(entry.extra as usize));
        extra.is_some_and(|extra| extra.is_text_of_images)
    }
}

/// A reference, kept small: there can be millions.
#[derive(Clone, Debug)]
struct Entry {
    slot: &'static LinkPlace,
    /// Where its value begins in [`References::text`].
    value: usize,
    value_length: u32,
    /// Its index in [`References::extras`]; [`NONE`] if it has nothing there.
    extra: u32,
    context: Context,
}

/// The data of a reference in addition to its value.
#[derive(Clone, Debug, Default)]
struct Extra {
    /// The name of its element in [`References::text`], if its slot has another one.
    name: Option<TextRange>,
    /// Its link text there.
    text: Option<TextRange>,
    /// Whether the text only replaces images.
    is_text_of_images: bool,
    cut: bool,
}

/// The range of a string in [`References::text`], which several references can share.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, Default)]
pub struct TextRange {
    start: usize,
    length: u32,
}

impl TextRange {
    /// A subrange of it.
    pub fn part(self, range: Range<usize>) -> Self {
        let start = range.start.min(self.length as usize);
        let end = range.end.clamp(start, self.length as usize);
        Self {
            start: self.start + start,
            length: u32::try_from(end - start).unwrap_or(self.length),
        }
    }
}

/// The iterator of [`References::iter`].
#[derive(Clone, Debug)]
pub struct ReferencesIter<'d> {
    references: &'d References,
    entries: Enumerate<slice::Iter<'d, Entry>>,
}

impl<'d> Iterator for ReferencesIter<'d> {
    type Item = Reference<'d>;

    #[inline]
    fn next(&mut self) -> Option<Reference<'d>> {
        let (index, entry) = self.entries.next()?;
        Some(self.references.reference(index, entry))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.entries.size_hint()
    }
}

impl ExactSizeIterator for ReferencesIter<'_> {}

impl FusedIterator for ReferencesIter<'_> {}

impl<'d> IntoIterator for &'d References {
    type Item = Reference<'d>;
    type IntoIter = ReferencesIter<'d>;

    fn into_iter(self) -> ReferencesIter<'d> {
        self.iter()
    }
}

/// No index.
const NONE: u32 = u32::MAX;

impl References {
    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Reserves memory for the references of a text of this size in bytes, with or without positions
    /// and texts: half of what a text full of links needs.
    #[doc(hidden)]
    pub fn reserve_for(&mut self, bytes: usize, positions: bool, texts: bool) {
        let number = bytes / 512;
        self.text.reserve(bytes / 16);
        self.entries.reserve(number);
        if positions {
            self.positions.reserve(number);
        }
        if texts {
            self.extras.reserve(number);
        }
    }

    /// Appends a reference. A value or text of 4 GiB or more is truncated.
    #[doc(hidden)]
    #[inline]
    pub fn push(&mut self, reference: Reference<'_>) {
        let value = self.keep(reference.value);
        let cut = reference.cut || value.length as usize != reference.value.len();
        self.entries.push(Entry {
            slot: reference.slot,
            value: value.start,
            value_length: value.length,
            extra: NONE,
            context: reference.context,
        });
        // Usually it is the very same string: then the bytes need not be compared.
        let of_slot = reference.slot.element;
        let is_of_slot = std::ptr::eq(reference.element, of_slot) || reference.element == of_slot;
        if !is_of_slot || cut || reference.text.is_some() {
            self.add_extra(&reference, is_of_slot, cut);
        }
        if let Some(at) = reference.at {
            self.positions.resize(self.entries.len() - 1, None);
            self.positions.push(Some(at.clone()));
        }
    }

    /// Adds an [`Extra`] to the last reference.
    #[inline(never)]
    fn add_extra(&mut self, reference: &Reference<'_>, is_of_slot: bool, cut: bool) {
        let name = (!is_of_slot).then(|| self.keep_name(reference.element));
        let text = reference.text.map(|text| self.keep(text));
        if let Some(extra) = self.extra(self.entries.len() - 1) {
            *extra = Extra {
                name,
                text,
                cut,
                ..Extra::default()
            };
        }
    }

    /// The [`Extra`] of the reference at `index`, to be modified.
    fn extra(&mut self, index: usize) -> Option<&mut Extra> {
        let entry = self.entries.get_mut(index)?;
        if entry.extra == NONE {
            entry.extra = u32::try_from(self.extras.len()).ok()?;
            self.extras.push(Extra::default());
        }
        self.extras.get_mut(entry.extra as usize)
    }

    /// Sets the text of the reference at `index` (0-based), if there is one: a link's text is known
    /// only at its end.
    #[doc(hidden)]
    pub fn set_text(&mut self, index: usize, text: &str) {
        let kept = self.keep(text);
        self.share_text(index, kept);
    }

    /// Sets the text of the reference at `index` to one already stored.
    #[doc(hidden)]
    pub fn share_text(&mut self, index: usize, text: TextRange) {
        if let Some(extra) = self.extra(index) {
            extra.text = Some(text);
        }
    }

    /// Makes those references from `first` on that are relative to `from` relative to `to`.
    #[doc(hidden)]
    pub fn set_context(&mut self, first: usize, from: Context, to: Context) {
        let entries = self.entries.get_mut(first..).unwrap_or_default();
        for entry in entries {
            if entry.context == from {
                entry.context = to;
            }
        }
    }

    /// Records that the text of the reference at `index` only replaces images.
    #[doc(hidden)]
    pub fn mark_text_of_images(&mut self, index: usize) {
        if let Some(extra) = self.extra(index) {
            extra.is_text_of_images = true;
        }
    }

    /// Records the text of the link at `index` without the texts that replace images. Links come in
    /// document order.
    #[doc(hidden)]
    pub fn push_text_without_images(&mut self, index: usize, text: &str) {
        let text = self.keep(text);
        self.companions
            .get_or_insert_default()
            .texts
            .push((index, text));
    }

    /// Records a companion attribute of the references from `first` on, which share an element.
    #[doc(hidden)]
    pub fn push_companion(&mut self, first: usize, name: &'static str, value: &str) {
        let value = self.keep(value);
        let references = (first, self.entries.len());
        let companions = self.companions.get_or_insert_default();
        companions.attributes.push(CompanionAttribute {
            name,
            value,
            references,
        });
    }

    /// The companions of the reference at `index`, which is 0-based.
    #[doc(hidden)]
    #[must_use]
    pub fn companions(&self, index: usize) -> Companions<'_> {
        Companions {
            references: self,
            index,
        }
    }

    /// Sets when browsers ask for the target of the reference at `index`, which is 0-based.
    #[doc(hidden)]
    pub fn set_choice(&mut self, index: usize, choice: Choice) {
        self.choices.get_or_insert_default().set(index, choice);
    }

    /// When browsers ask for the target of the reference at `index`, which is 0-based; `None` if they
    /// always do, or if [`crate::ReadOptions::choices`] did not ask.
    #[doc(hidden)]
    #[must_use]
    pub fn choice(&self, index: usize) -> Option<Choice> {
        self.choices.as_ref()?.get(index)
    }

    /// Appends all of `others`.
    #[doc(hidden)]
    pub fn extend(&mut self, others: &Self) {
        let (text, entries) = (self.text.len(), self.entries.len());
        self.text.push_str(&others.text);
        let moved = |kept: TextRange| TextRange {
            start: kept.start + text,
            ..kept
        };
        for entry in &others.entries {
            let extra = others.extras.get(entry.extra as usize);
            self.entries.push(Entry {
                value: entry.value + text,
                extra: NONE,
                ..entry.clone()
            });
            if let Some(other) = extra
                && let Some(extra) = self.extra(self.entries.len() - 1)
            {
                *extra = Extra {
                    name: other.name.map(moved),
                    text: other.text.map(moved),
                    is_text_of_images: other.is_text_of_images,
                    cut: other.cut,
                };
            }
        }
        if !others.positions.is_empty() {
            self.positions.resize(entries, None);
            self.positions.extend_from_slice(&others.positions);
        }
        if let Some(others) = &others.companions {
            let companions = self.companions.get_or_insert_default();
            let attributes = others.attributes.iter().map(|other| CompanionAttribute {
                name: other.name,
                value: moved(other.value),
                references: (other.references.0 + entries, other.references.1 + entries),
            });
            companions.attributes.extend(attributes);
            let texts = others.texts.iter();
            let texts = texts.map(|(index, text)| (index + entries, moved(*text)));
            companions.texts.extend(texts);
        }
        if let Some(others) = &others.choices {
            let choices = self.choices.get_or_insert_default();
            choices.extend(others, entries);
        }
    }

    /// Inserts `others`, each before the reference that had the index in `insertion_points` until then, or at the
    /// end. The indices ascend.
    #[doc(hidden)]
    pub fn insert(&mut self, others: &Self, insertion_points: &[usize]) {
        let count = self.entries.len();
        self.extend(others);
        // For each index before, the one after.
        let mut moved = vec![0; self.entries.len()];
        let mut insertion_points = insertion_points
            .iter()
            .zip(count..self.entries.len())
            .peekable();
        let mut next = 0..;
        for own in 0..=count {
            while let Some((_, other)) = insertion_points.next_if(|(before, _)| **before <= own) {
                moved[other] = next.next().unwrap_or_default();
            }
            if own < count {
                moved[own] = next.next().unwrap_or_default();
            }
        }
        let mut order: Vec<usize> = (0..moved.len()).collect();
        order.sort_unstable_by_key(|index| moved[*index]);
        self.positions.resize(order.len(), None);
        self.entries = order
            .iter()
            .map(|index| self.entries[*index].clone())
            .collect();
        self.positions = order
            .iter()
            .map(|index| self.positions[*index].take())
            .collect();
        if let Some(companions) = &mut self.companions {
            for attribute in &mut companions.attributes {
                let (first, end) = attribute.references;
                let last = end.saturating_sub(1).max(first);
                attribute.references = (moved[first], moved[last] + 1);
            }
            for (index, _) in &mut companions.texts {
                *index = moved[*index];
            }
        }
        if let Some(choices) = &mut self.choices {
            choices.reorder(&moved);
        }
    }

    /// All of them, in document order.
    #[must_use]
    pub fn iter(&self) -> ReferencesIter<'_> {
        ReferencesIter {
            references: self,
            entries: self.entries.iter().enumerate(),
        }
    }

    /// Those whose indices, 0-based, are in a range, in document order.
    #[doc(hidden)]
    pub fn range(&self, indices: Range<usize>) -> impl Iterator<Item = Reference<'_>> {
        let entries = self.entries.get(indices.clone()).unwrap_or_default();
        indices
            .zip(entries)
            .map(|(index, entry)| self.reference(index, entry))
    }

    #[inline]
    fn reference(&self, index: usize, entry: &Entry) -> Reference<'_> {
        let extra = self.extras.get(entry.extra as usize);
        let name = extra.and_then(|extra| extra.name);
        let text = extra.and_then(|extra| extra.text);
        Reference {
            slot: entry.slot,
            element: name.map_or(entry.slot.element, |name| self.kept(name)),
            attr: entry.slot.attr,
            value: self.kept(TextRange {
                start: entry.value,
                length: entry.value_length,
            }),
            text: text.map(|text| self.kept(text)),
            context: entry.context,
            at: self.positions.get(index).and_then(Option::as_ref),
            cut: extra.is_some_and(|extra| extra.cut),
        }
    }

    /// Stores the name of an element, reusing the last one if it is the same.
    fn keep_name(&mut self, name: &str) -> TextRange {
        let last = self.extras.last().and_then(|extra| extra.name);
        match last.filter(|last| self.kept(*last) == name) {
            Some(last) => last,
            None => self.keep(name),
        }
    }

    /// Stores a string.
    #[doc(hidden)]
    #[inline]
    pub fn keep(&mut self, text: &str) -> TextRange {
        let start = self.text.len();
        let Ok(length) = u32::try_from(text.len()) else {
            return self.keep(&text[..text.floor_char_boundary(u32::MAX as usize)]);
        };
        self.text.push_str(text);
        TextRange { start, length }
    }

    #[inline]
    fn kept(&self, TextRange { start, length }: TextRange) -> &str {
        &self.text[start..start + length as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::link_places;

    #[test]
    fn inserted_references_keep_what_belongs_to_the_others() {
        let slot = link_places::LINK_PLACES
            .iter()
            .find(|slot| slot.element == "a");
        let slot = slot.expect("the table has rows for this element");
        let reference = |value, text| Reference {
            slot,
            element: slot.element,
            attr: slot.attr,
            value,
            text,
            context: Context::Document,
            at: None,
            cut: false,
        };
        let [mut all, mut others] = [References::default(), References::default()];
        for value in ["a", "b"] {
            all.push(reference(value, Some(value)));
            all.push_companion(all.len() - 1, "title", value);
        }
        for value in ["1", "2", "3"] {
            others.push(reference(value, None));
        }
        all.insert(&others, &[0, 1, 2]);
        let values: Vec<_> = all.iter().map(|one| one.value.to_owned()).collect();
        assert_eq!(values, ["1", "a", "2", "b", "3"]);
        for (index, one) in all.iter().enumerate() {
            let title = all.companions(index).attribute("title");
            assert_eq!(title, one.text, "{}", one.value);
        }
    }

    #[test]
    fn others_are_added_with_all_that_they_have() {
        let slot = link_places::LINK_PLACES
            .iter()
            .find(|slot| slot.element == "*");
        let slot = slot.expect("the table has rows for this element");
        let at = Position {
            line: std::num::NonZeroU32::MIN,
            column: std::num::NonZeroU32::MIN,
            byte: 1..2,
        };
        let reference = |value, text, at| Reference {
            slot,
            element: "x-y",
            attr: slot.attr,
            value,
            text,
            context: Context::Document,
            at,
            cut: value == "cut",
        };
        let [mut all, mut others] = [References::default(), References::default()];
        for (value, text, at) in [("a", None, None), ("b", Some("t"), Some(&at))] {
            all.push(reference(value, text, at));
            others.push(reference(value, text, at));
        }
        others.push(reference("cut", None, None));
        others.push_companion(1, "title", "of two");
        others.push_text_without_images(0, "read");
        others.mark_text_of_images(1);
        all.extend(&others);
        let titles: Vec<_> = (0..5)
            .map(|index| all.companions(index).attribute("title"))
            .collect();
        assert_eq!(titles, [None, None, None, Some("of two"), Some("of two")]);
        assert_eq!(all.companions(3).attribute("width"), None);
        assert!(all.companions(3).is_text_of_images() && !all.companions(1).is_text_of_images());
        assert_eq!(all.companions(2).text_without_images(), Some("read"));
        assert_eq!(all.companions(3).text_without_images(), None);
        let found: Vec<_> = all
            .iter()
            .map(|found| {
                (
                    found.value,
                    found.element,
                    found.text,
                    found.at.is_some(),
                    found.cut,
                )
            })
            .collect();
        let [first, second] = [
            ("a", "x-y", None, false, false),
            ("b", "x-y", Some("t"), true, false),
        ];
        let third = ("cut", "x-y", None, false, true);
        assert_eq!(found, [first, second, first, second, third]);
    }

    #[test]
    fn a_reference_is_small() {
        assert!(size_of::<Entry>() <= 32);
    }
}
