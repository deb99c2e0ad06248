//! What is known of the choices of a document while it is read.

use std::collections::HashMap;
use std::ops::Range;

use crate::names::Name;
use baseref_document::Choice;
use baseref_text::grammar::srcset::ImageCandidates;

/// The element around another one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Parent {
    /// Its name, if it is an HTML element.
    pub(crate) name: Name,
    /// The offset of its tag, which identifies it.
    pub(crate) tag: usize,
}

/// What is known of the choices of a document.
#[derive(Debug, Default)]
pub(super) struct Choices {
    /// The number of groups so far.
    pub(super) groups: u32,
    /// The contents of `noscript` elements, in order.
    pub(super) noscripts: Vec<Range<usize>>,
    /// The element around the one that is read next.
    pub(super) parent: Option<Parent>,
    /// The elements with sources, by the offsets of their tags.
    pub(super) sources: HashMap<usize, Sources>,
    /// The group of icons.
    pub(super) icons: Option<u32>,
}

/// A `picture`, `video` or `audio` with sources.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sources {
    pub(super) group: u32,
    /// Whether no browser chooses a source that follows.
    pub(super) are_complete: bool,
    /// Whether an image came first, for which these sources do not count.
    pub(super) is_after_image: bool,
}

/// The link types of icons that only some devices ask for.
pub(super) const DEVICE_ICONS: [&str; 3] = [
    "apple-touch-icon",
    "apple-touch-icon-precomposed",
    "mask-icon",
];

/// The choices of the URLs in one value, by where they begin.
pub(super) enum ValueChoices {
    Srcset(ImageCandidates),
    Css(Vec<(usize, Choice)>),
}

impl ValueChoices {
    pub(super) fn get(&self, start: usize) -> Option<Choice> {
        match self {
            Self::Srcset(candidates) => {
                let urls = &candidates.urls;
                let found = urls.binary_search_by_key(&start, |(url, _)| url.start);
                let (_, is_possible) = urls.get(found.ok()?)?;
                Some(if *is_possible {
                    Choice::Image(0)
                } else {
                    Choice::Dropped
                })
            }
            Self::Css(choices) => {
                let found = choices.binary_search_by_key(&start, |(at, _)| *at);
                Some(choices.get(found.ok()?)?.1)
            }
        }
    }
}
