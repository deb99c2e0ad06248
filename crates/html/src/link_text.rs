//! The texts of links; nested links share parts of one text.

use std::ops::Range;

use baseref_simd::Bytes32;

use baseref_document::References;

/// The references that a text belongs to: `href`, and SVG's `xlink:href`.
pub(crate) type TextReferences = [Option<usize>; 2];

/// The texts of the open links.
#[derive(Debug, Default)]
pub(crate) struct LinkTexts {
    /// The open `a` elements, innermost last.
    open: Vec<OpenAnchor>,
    /// The text since the outermost open `a` began, not yet collapsed.
    text: String,
    /// The texts of links that have ended inside one that is still open.
    ended: Vec<EndedAnchor>,
    /// For a link's text with white space collapsed.
    buffer: String,
    /// The parts of [`LinkTexts::text`] that replace images, if requested.
    of_images: Vec<Range<usize>>,
}

#[derive(Clone, Copy, Debug, Default)]
struct OpenAnchor {
    references: TextReferences,
    /// Where its text begins in [`LinkTexts::text`].
    start: usize,
    /// Where the element is in the source.
    offset: usize,
}

/// The text of a link that has ended.
#[derive(Clone, Debug)]
struct EndedAnchor {
    references: TextReferences,
    /// The range of its text in [`LinkTexts::text`].
    text: Range<usize>,
}

/// A text exceeded the limit.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cut {
    /// Its length in bytes.
    pub(crate) length: usize,
}

impl LinkTexts {
    /// Whether the text to come belongs to a link.
    #[inline]
    pub(crate) fn are_open(&self) -> bool {
        !self.open.is_empty()
    }

    /// Adds text to the open links.
    #[inline]
    pub(crate) fn push(&mut self, text: &str) {
        self.text.push_str(text);
    }

    /// Adds the text of an image, kept distinguishable from other text.
    pub(crate) fn push_of_image(&mut self, text: &str) {
        let start = self.text.len();
        self.text.push_str(text);
        self.of_images.push(start..self.text.len());
    }

    /// Whether all text since an offset replaces images.
    fn is_of_images(&self, start: usize) -> bool {
        let first = self.of_images.partition_point(|range| range.start < start);
        let mut at = start;
        let mut gaps = self.of_images[first..].iter().map(|range| {
            let gap = at..range.start;
            at = range.end;
            gap
        });
        let is_blank = |gap: Range<usize>| self.text[gap].bytes().all(|b| b.is_ascii_whitespace());
        first < self.of_images.len()
            && gaps.all(is_blank)
            && is_blank(self.of_images[self.of_images.len() - 1].end..self.text.len())
    }

    /// The text of the outermost link without the texts that replace images.
    fn without_images(&self, text: &str) -> String {
        let mut rest = String::with_capacity(text.len());
        let mut at = 0;
        for range in &self.of_images {
            rest.push_str(text.get(at..range.start).unwrap_or_default());
            at = range.end;
        }
        rest.push_str(text.get(at..).unwrap_or_default());
        rest
    }

    /// Begins an `a` element at an offset.
    pub(crate) fn begin(&mut self, references: TextReferences, offset: usize) {
        self.open.push(OpenAnchor {
            references,
            start: self.text.len(),
            offset,
        });
    }

    /// Ends the innermost `a`, if one is open. Returns its offset, and whether its text was
    /// truncated.
    pub(crate) fn end(
        &mut self,
        limit: usize,
        links: &mut References,
    ) -> Option<(Option<Cut>, usize)> {
        let anchor = self.open.pop()?;
        // Nested links are skipped: each would read the texts of all links inside it.
        let has_images = self.open.is_empty() && !self.of_images.is_empty();
        let is_of_images = has_images && self.is_of_images(anchor.start);
        if is_of_images {
            let own = anchor.references.into_iter().flatten();
            own.for_each(|index| links.mark_text_of_images(index));
        }
        let text = std::mem::take(&mut self.text);
        let own = text.get(anchor.start..).unwrap_or_default();
        let cut = if self.open.is_empty() && self.ended.is_empty() {
            if has_images && !is_of_images {
                let read = self.without_images(kept(own, limit).0);
                let read = collapse(&read, &mut self.buffer);
                let references = anchor.references.into_iter().flatten();
                references.for_each(|index| links.push_text_without_images(index, read));
            }
            self.set(anchor.references, own, limit, links)
        } else {
            let (own, cut) = kept(own, limit);
            self.ended.push(EndedAnchor {
                references: anchor.references,
                text: anchor.start..anchor.start + own.len(),
            });
            if self.open.is_empty() {
                self.set_shared(&text, links);
            }
            cut
        };
        self.text = text;
        if self.open.is_empty() {
            self.text.clear();
            self.of_images.clear();
        }
        Some((cut, anchor.offset))
    }

    /// Sets the text of links. Returns whether it was truncated.
    pub(crate) fn set(
        &mut self,
        references: TextReferences,
        text: &str,
        limit: usize,
        links: &mut References,
    ) -> Option<Cut> {
        let (text, cut) = kept(text, limit);
        let collapsed = collapse(text, &mut self.buffer);
        for index in references.into_iter().flatten() {
            links.set_text(index, collapsed);
        }
        cut
    }

    /// Sets the texts of nested links: they are parts of one text, which is stored once. In a
    /// document of nothing but nested links, each has the text of all those inside it.
    fn set_shared(&mut self, text: &str, links: &mut References) {
        let ended = std::mem::take(&mut self.ended);
        let mut places: Vec<usize> = ended
            .iter()
            .flat_map(|anchor| [anchor.text.start, anchor.text.end])
            .collect();
        places.sort_unstable();
        places.dedup();
        let (collapsed, collapsed_places) = collapse_with_places(text, &places);
        let kept = links.keep(&collapsed);
        let place_of = |place: usize| {
            let index = places.binary_search(&place).unwrap_or_default();
            collapsed_places.get(index).copied().unwrap_or_default()
        };
        for EndedAnchor { references, text } in ended {
            let own = place_of(text.start)..place_of(text.end);
            let own = trimmed(&collapsed, own);
            for index in references.into_iter().flatten() {
                links.share_text(index, kept.part(own.clone()));
            }
        }
    }
}

/// The title of a document: the text truncated to the limit, white space collapsed.
pub(crate) fn title(text: &str, limit: usize) -> Box<str> {
    let mut collapsed = String::new();
    collapse(kept(text, limit).0, &mut collapsed).into()
}

/// A text truncated to the limit, in bytes.
fn kept(text: &str, limit: usize) -> (&str, Option<Cut>) {
    let kept = &text[..text.floor_char_boundary(limit)];
    let length = text.len();
    (kept, (kept.len() < length).then_some(Cut { length }))
}

/// Whether the only white space is single spaces between words. With a U+000B it may wrongly say
/// no.
fn is_collapsed(text: &[u8]) -> bool {
    let mut after_space = 1;
    for at in (0..text.len()).step_by(Bytes32::LEN) {
        let window = Bytes32::at(text, at);
        let since_tab = window - Bytes32::splat(b'\t');
        let others = since_tab.min(Bytes32::splat(b'\r' - b'\t')).eq(since_tab);
        let spaces = window.eq(Bytes32::splat(b' ')).bits();
        if others.bits() != 0 || spaces & (spaces << 1 | after_space) != 0 {
            return false;
        }
        after_space = spaces >> (Bytes32::LEN - 1);
    }
    text.last().is_some_and(|last| *last != b' ')
}

/// The text with each run of ASCII white space as one space, and the offsets there of `places`,
/// which are offsets in the text, in order.
fn collapse_with_places(text: &str, places: &[usize]) -> (String, Vec<usize>) {
    let mut collapsed = String::with_capacity(text.len());
    let mut found = Vec::with_capacity(places.len());
    let mut start = 0;
    for &place in places.iter().chain([&text.len()]) {
        let piece = text.get(start..place).unwrap_or_default();
        start = place;
        if piece.starts_with(|first: char| first.is_ascii_whitespace()) {
            push_space(&mut collapsed);
        }
        for (number, word) in piece.split_ascii_whitespace().enumerate() {
            if number > 0 {
                push_space(&mut collapsed);
            }
            collapsed.push_str(word);
        }
        if piece.ends_with(|last: char| last.is_ascii_whitespace()) {
            push_space(&mut collapsed);
        }
        found.push(collapsed.len());
    }
    (collapsed, found)
}

/// Appends a space, unless there is one at the end.
fn push_space(text: &mut String) {
    if !text.ends_with(' ') {
        text.push(' ');
    }
}

/// A range of a text without leading and trailing spaces.
fn trimmed(text: &str, range: Range<usize>) -> Range<usize> {
    let Some(own) = text.get(range.clone()) else {
        return 0..0;
    };
    let start = range.start + (own.len() - own.trim_start_matches(' ').len());
    start..start + own.trim_matches(' ').len()
}

/// The text with each run of ASCII white space as one space, and none at either end; `buffer` holds
/// it if it is not a part of the text.
fn collapse<'t>(text: &'t str, buffer: &'t mut String) -> &'t str {
    let text = text.trim_ascii();
    if is_collapsed(text.as_bytes()) {
        return text;
    }
    buffer.clear();
    for word in text.split_ascii_whitespace() {
        if !buffer.is_empty() {
            buffer.push(' ');
        }
        buffer.push_str(word);
    }
    buffer
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn white_space_collapsed(
            words in proptest::collection::vec("[a-zé]{0,40}[ \t\n\u{b}]{0,2}", 0..8)
        ) {
            let text = words.concat();
            let mut buffer = String::from("of the text before");
            let collapsed = collapse(&text, &mut buffer);
            let words: Vec<&str> = text.split_ascii_whitespace().collect();
            prop_assert_eq!(collapsed, words.join(" "));
        }
    }
}
