//! Links that can only be checked once all pages are scanned.
//!
//! An archive has millions of them, and most lead where they should, so they are packed: each takes
//! about 15 bytes and its fragment. The scan stores each URL once for all links to it, and a link
//! stores only what its value does not share with its URL.

use std::num::NonZeroU32;
use std::ops::Range;
use std::sync::Arc;

use crate::model::class::LinkClass;
use crate::model::need::may_name_element;
use crate::model::site_file::SiteFile;
use crate::model::texts::Texts;
use crate::model::url_list::UrlList;
use crate::model::varint;
use baseref_document::link_places::{LINK_PLACES, LinkPlace};
use baseref_document::{Choice, Position};
use baseref_evidence::captures::Need;

/// The target of a deferred link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DeferredTarget {
    /// A file of a site.
    File(SiteFile),
    /// The entry of that number of a ZIM file.
    Entry(u32),
    /// The capture of a URL, given by the number of the URL in its scan.
    Url { number: u32, need: Need },
}

/// A link to be checked once all pages are scanned.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct DeferredLink<'w> {
    pub(crate) target: DeferredTarget,
    /// Its class before its target is looked up.
    pub(crate) class: LinkClass,
    /// Its fragment; `None` if only the page must be looked up.
    pub(crate) fragment: Option<&'w str>,
    pub(crate) raw: Raw<'w>,
    pub(crate) slot: &'static LinkPlace,
    /// When browsers ask for its target, unless they always do.
    pub(crate) choice: Option<Choice>,
    pub(crate) at: Option<Position>,
    /// Its index among the listed links of its scan, if links are listed.
    pub(crate) number: usize,
}

/// A link to add, with the fields of [`DeferredLink`].
#[derive(Clone, Copy)]
pub(crate) struct NewDeferredLink<'l> {
    pub(crate) target: DeferredTarget,
    pub(crate) class: LinkClass,
    pub(crate) fragment: Option<&'l str>,
    pub(crate) raw: &'l str,
    pub(crate) slot: &'static LinkPlace,
    pub(crate) choice: Option<Choice>,
    pub(crate) at: Option<&'l Position>,
    pub(crate) number: usize,
}

impl DeferredLink<'_> {
    /// Whether its fragment may be an element id.
    pub(crate) fn may_be_judged(&self) -> bool {
        may_name_element(self.slot)
    }
}

/// The value of a link: a number of `../`, the end of its URL, and other text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Raw<'w> {
    climbs: usize,
    url_end: &'w str,
    rest: &'w str,
}

impl Raw<'_> {
    pub(crate) fn text(self) -> String {
        let mut text = String::new();
        self.write(&mut text);
        text
    }

    /// Appends it to a text.
    pub(crate) fn write(self, text: &mut String) {
        for _ in 0..self.climbs {
            text.push_str(UP);
        }
        text.push_str(self.url_end);
        text.push_str(self.rest);
    }
}

const UP: &str = "../";

/// The deferred links of a document, in document order.
#[derive(Debug, Default)]
pub(crate) struct DeferredLinks {
    packed: Vec<u8>,
    texts: Texts,
    slots: Vec<&'static LinkPlace>,
    files: Vec<SiteFile>,
    urls: DeferredUrls,
    latest: Latest,
    /// Whether any link is [`LinkClass::Missing`] or [`LinkClass::Outside`].
    has_lost: bool,
    /// The groups of alternatives with one that was found without being deferred.
    found: Vec<u32>,
}

/// URLs without fragments, by number.
#[derive(Debug)]
enum DeferredUrls {
    /// Shared with other documents, while a document is scanned.
    Shared(Vec<Arc<str>>),
    /// Read from disk.
    Read(UrlList),
}

impl Default for DeferredUrls {
    fn default() -> Self {
        Self::Shared(Vec::new())
    }
}

impl DeferredUrls {
    fn len(&self) -> usize {
        match self {
            Self::Shared(urls) => urls.len(),
            Self::Read(urls) => urls.len(),
        }
    }

    fn get(&self, number: usize) -> Option<&str> {
        match self {
            Self::Shared(urls) => urls.get(number).map(|url| &**url),
            Self::Read(urls) => urls.get(number),
        }
    }
}

/// The values that the next link is encoded relative to.
#[derive(Clone, Copy, Debug, Default)]
struct Latest {
    line: u32,
    byte: u64,
    number: usize,
    /// The end of the texts written so far.
    text: usize,
    files: usize,
}

/// The flags of a packed link.
mod has {
    /// Its target is a URL, not a file or entry.
    pub(crate) const URL: u64 = 1;
    pub(crate) const RESOURCE: u64 = 2;
    pub(crate) const POSITION: u64 = 4;
    /// It has a fragment: the part of its text after the first `#`.
    pub(crate) const FRAGMENT: u64 = 8;
    /// It has a fragment spelt differently in the value. It follows the text.
    pub(crate) const OWN_FRAGMENT: u64 = 16;
    /// It has a choice, which follows the fragment.
    pub(crate) const CHOICE: u64 = 32;
    /// Its target is an entry of a ZIM file.
    pub(crate) const ENTRY: u64 = 64;
    /// The shift of its class in bits.
    pub(crate) const CLASS: u32 = 7;
}

impl DeferredLinks {
    pub(crate) const NONE: Self = Self {
        packed: Vec::new(),
        texts: Texts::NONE,
        slots: Vec::new(),
        files: Vec::new(),
        urls: DeferredUrls::Shared(Vec::new()),
        latest: Latest {
            line: 0,
            byte: 0,
            number: 0,
            text: 0,
            files: 0,
        },
        has_lost: false,
        found: Vec::new(),
    };

    pub(crate) fn is_empty(&self) -> bool {
        self.packed.is_empty()
    }

    /// Whether any link is missing or leads outside its site.
    pub(crate) fn has_lost(&self) -> bool {
        self.has_lost
    }

    /// Adds a group of alternatives with one that was found without being deferred.
    pub(crate) fn find(&mut self, group: u32) {
        if self.found.last() != Some(&group) {
            self.found.push(group);
        }
    }

    /// The groups given to [`Self::find`].
    pub(crate) fn found(&self) -> &[u32] {
        &self.found
    }

    /// Whether any link leads to a file.
    pub(crate) fn has_files(&self) -> bool {
        !self.files.is_empty()
    }

    /// The URL with a number, without its fragment.
    pub(crate) fn url(&self, number: u32) -> &str {
        self.urls.get(number as usize).unwrap_or_default()
    }

    /// The number of different URLs.
    pub(crate) fn urls(&self) -> usize {
        self.urls.len()
    }

    /// Adds a URL and returns its number; `None` if there are too many for a `u32`, or if the links
    /// were read from disk.
    pub(crate) fn add_url(&mut self, url: &Arc<str>) -> Option<u32> {
        let number = u32::try_from(self.urls.len()).ok()?;
        let DeferredUrls::Shared(urls) = &mut self.urls else {
            return None;
        };
        urls.push(Arc::clone(url));
        Some(number)
    }

    /// Adds a link.
    pub(crate) fn push(&mut self, link: NewDeferredLink<'_>) {
        let NewDeferredLink {
            target,
            class,
            fragment,
            raw,
            slot,
            choice,
            at,
            number,
        } = link;
        self.has_lost |= matches!(class, LinkClass::Missing | LinkClass::Outside);
        let (bare, rest) = raw.split_at(raw.find('#').unwrap_or(raw.len()));
        let (climbs, url_end) = match target {
            DeferredTarget::Url { number, .. } => common(bare, self.url(number)),
            DeferredTarget::File(_) | DeferredTarget::Entry(_) => None,
        }
        .unwrap_or_default();
        let rest = if climbs > 0 || url_end > 0 { rest } else { raw };
        let is_of_value = fragment.is_some() && after_hash(rest) == fragment;
        let mut flags = (class as u64) << has::CLASS;
        flags |= if at.is_some() { has::POSITION } else { 0 };
        flags |= if choice.is_some() { has::CHOICE } else { 0 };
        flags |= match fragment {
            None => 0,
            Some(_) if is_of_value => has::FRAGMENT,
            Some(_) => has::OWN_FRAGMENT,
        };
        let target = match target {
            DeferredTarget::File(file) => {
                self.files.push(file);
                None
            }
            DeferredTarget::Entry(number) => {
                flags |= has::ENTRY;
                Some(number)
            }
            DeferredTarget::Url { number, need } => {
                flags |= has::URL;
                flags |= if need == Need::Resource {
                    has::RESOURCE
                } else {
                    0
                };
                Some(number)
            }
        };
        self.write(flags);
        if let Some(number) = target {
            self.write(u64::from(number));
        }
        self.write(climbs as u64);
        self.write(url_end as u64);
        self.write_text(rest);
        if let Some(own) = fragment.filter(|_| !is_of_value) {
            self.write_text(own);
        }
        if let Some(choice) = choice {
            self.write(code_of(choice));
        }
        let known = self
            .slots
            .iter()
            .position(|known| std::ptr::eq(*known, slot));
        let place = known.unwrap_or_else(|| {
            self.slots.push(slot);
            self.slots.len() - 1
        });
        self.write(place as u64);
        if let Some(at) = at {
            self.write_position(at);
        }
        self.write((number - self.latest.number) as u64);
        self.latest.number = number;
    }

    /// Writes a position, with line and byte as differences from the previous link.
    fn write_position(&mut self, at: &Position) {
        let Range { start, end } = at.byte;
        self.write(zigzag(
            i64::from(at.line.get()) - i64::from(self.latest.line),
        ));
        self.write(u64::from(at.column.get()));
        self.write(zigzag(start.wrapping_sub(self.latest.byte).cast_signed()));
        self.write(end.saturating_sub(start));
        self.latest.line = at.line.get();
        self.latest.byte = start;
    }

    fn write_text(&mut self, text: &str) {
        let length = self.texts.push(text);
        self.write(length as u64);
    }

    fn write(&mut self, number: u64) {
        varint::write(&mut self.packed, number);
    }

    pub(crate) fn shrink(&mut self) {
        self.packed.shrink_to_fit();
        self.texts.shrink();
        self.files.shrink_to_fit();
        self.slots.shrink_to_fit();
        if let DeferredUrls::Shared(urls) = &mut self.urls {
            urls.shrink_to_fit();
        }
    }

    /// The size in bytes, without the URLs, which other documents share.
    pub(crate) fn size(&self) -> usize {
        let lists =
            self.slots.len() * size_of::<&LinkPlace>() + self.urls.len() * size_of::<Arc<str>>();
        self.packed.len() + self.texts.len() + lists
    }

    /// Encodes links to URLs for [`Self::from_bytes`]; `None` if any leads to a file. A URL is
    /// written as the length of the prefix that it shares with the previous one, and the rest.
    pub(crate) fn to_bytes(&self) -> Option<Vec<u8>> {
        if self.has_files() {
            return None;
        }
        let mut bytes = Vec::with_capacity(self.size());
        let add = |bytes: &mut Vec<u8>, text: &[u8]| {
            varint::write(bytes, text.len() as u64);
            bytes.extend_from_slice(text);
        };
        varint::write(&mut bytes, self.slots.len() as u64);
        for slot in &self.slots {
            let place = LINK_PLACES
                .iter()
                .position(|known| std::ptr::eq(known, *slot))?;
            varint::write(&mut bytes, place as u64);
        }
        varint::write(&mut bytes, self.found.len() as u64);
        for group in &self.found {
            varint::write(&mut bytes, u64::from(*group));
        }
        varint::write(&mut bytes, self.urls.len() as u64);
        let mut latest = "";
        for url in (0..self.urls.len()).map_while(|number| self.urls.get(number)) {
            let pairs = url.bytes().zip(latest.bytes());
            let shared = pairs.take_while(|(one, other)| one == other).count();
            varint::write(&mut bytes, shared as u64);
            add(&mut bytes, &url.as_bytes()[shared..]);
            latest = url;
        }
        add(
            &mut bytes,
            self.texts.slice(0..self.texts.len())?.as_bytes(),
        );
        bytes.extend_from_slice(&self.packed);
        Some(bytes)
    }

    /// Decodes links that [`Self::to_bytes`] encoded; `None` if the bytes are damaged.
    pub(crate) fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let mut at = 0;
        let mut number = || usize::try_from(varint::read(bytes, &mut at)?).ok();
        let mut slots = Vec::new();
        for _ in 0..number()? {
            slots.push(LINK_PLACES.get(number()?)?);
        }
        let mut found = Vec::new();
        for _ in 0..number()? {
            found.push(u32::try_from(number()?).ok()?);
        }
        let count = number()?;
        let text = |at: &mut usize| {
            let length = usize::try_from(varint::read(bytes, at)?).ok()?;
            let text = bytes.get(*at..at.checked_add(length)?)?;
            *at += length;
            Some(text)
        };
        let (mut urls, mut ends) = (Vec::new(), Vec::new());
        let mut latest = 0_usize;
        for _ in 0..count {
            let shared = usize::try_from(varint::read(bytes, &mut at)?).ok()?;
            let next = urls.len();
            let shared = latest..latest.checked_add(shared).filter(|end| *end <= next)?;
            urls.extend_from_within(shared);
            urls.extend_from_slice(text(&mut at)?);
            ends.push(urls.len());
            latest = next;
        }
        let urls = DeferredUrls::Read(UrlList::new(String::from_utf8(urls).ok()?, ends));
        let mut texts = Texts::default();
        texts.push(std::str::from_utf8(text(&mut at)?).ok()?);
        Some(Self {
            packed: bytes.get(at..)?.to_vec(),
            texts,
            slots,
            urls,
            found,
            ..Self::default()
        })
    }

    /// The links, in the order of [`Self::push`].
    pub(crate) fn iter(&self) -> impl Iterator<Item = DeferredLink<'_>> {
        Unpacker {
            links: self,
            at: 0,
            latest: Latest::default(),
        }
    }
}

/// Decodes packed links.
struct Unpacker<'w> {
    links: &'w DeferredLinks,
    at: usize,
    latest: Latest,
}

impl<'w> Iterator for Unpacker<'w> {
    type Item = DeferredLink<'w>;

    fn next(&mut self) -> Option<DeferredLink<'w>> {
        let flags = self.number()?;
        let is = |flag| flags & flag != 0;
        let class = *LinkClass::ALL.get(usize::try_from(flags >> has::CLASS).ok()?)?;
        let mut url = "";
        let target = if is(has::URL) {
            let number = u32::try_from(self.number()?).ok()?;
            url = self.links.urls.get(number as usize)?;
            let need = if is(has::RESOURCE) {
                Need::Resource
            } else {
                Need::Page
            };
            DeferredTarget::Url { number, need }
        } else if is(has::ENTRY) {
            DeferredTarget::Entry(u32::try_from(self.number()?).ok()?)
        } else {
            let file = *self.links.files.get(self.latest.files)?;
            self.latest.files += 1;
            DeferredTarget::File(file)
        };
        let climbs = self.size()?;
        let url_end = url.get(url.len().checked_sub(self.size()?)?..)?;
        let rest = self.text()?;
        let fragment = if is(has::FRAGMENT) {
            after_hash(rest)
        } else if is(has::OWN_FRAGMENT) {
            Some(self.text()?)
        } else {
            None
        };
        let choice = if is(has::CHOICE) {
            choice_of(self.number()?)
        } else {
            None
        };
        let slot = *self.links.slots.get(self.size()?)?;
        let at = if is(has::POSITION) {
            Some(self.position()?)
        } else {
            None
        };
        self.latest.number += self.size()?;
        Some(DeferredLink {
            target,
            class,
            fragment,
            raw: Raw {
                climbs,
                url_end,
                rest,
            },
            slot,
            choice,
            at,
            number: self.latest.number,
        })
    }
}

impl<'w> Unpacker<'w> {
    fn number(&mut self) -> Option<u64> {
        varint::read(&self.links.packed, &mut self.at)
    }

    fn size(&mut self) -> Option<usize> {
        usize::try_from(self.number()?).ok()
    }

    fn text(&mut self) -> Option<&'w str> {
        let start = self.latest.text;
        self.latest.text += self.size()?;
        self.links.texts.slice(start..self.latest.text)
    }

    fn position(&mut self) -> Option<Position> {
        let line = i64::from(self.latest.line) + unzigzag(self.number()?);
        let column = u32::try_from(self.number()?).ok()?;
        let start = self
            .latest
            .byte
            .wrapping_add_signed(unzigzag(self.number()?));
        let length = self.number()?;
        self.latest.line = u32::try_from(line).ok()?;
        self.latest.byte = start;
        Some(Position::new(
            NonZeroU32::new(self.latest.line)?,
            NonZeroU32::new(column)?,
            start..start + length,
        ))
    }
}

/// A choice as a number: the kind in the two lowest bits, and the group or a variant above them.
fn code_of(choice: Choice) -> u64 {
    match choice {
        Choice::Image(group) => u64::from(group) << 2,
        Choice::Format(group) => u64::from(group) << 2 | 1,
        Choice::WithoutScripts => 2,
        Choice::Never => 3,
        Choice::Dropped => 3 | 1 << 2,
        Choice::OtherDevice => 3 | 2 << 2,
    }
}

fn choice_of(code: u64) -> Option<Choice> {
    let rest = u32::try_from(code >> 2).ok()?;
    Some(match code & 3 {
        0 => Choice::Image(rest),
        1 => Choice::Format(rest),
        2 => Choice::WithoutScripts,
        _ => match rest {
            0 => Choice::Never,
            1 => Choice::Dropped,
            _ => Choice::OtherDevice,
        },
    })
}

/// The number of `../` at the start of a reference, and the length of the rest; `None` if its URL
/// does not end with the rest.
fn common(bare: &str, url: &str) -> Option<(usize, usize)> {
    let mut rest = bare;
    let mut climbs = 0;
    while let Some(after) = rest.strip_prefix(UP) {
        rest = after;
        climbs += 1;
    }
    url.ends_with(rest).then_some((climbs, rest.len()))
}

/// The text after the first `#`.
fn after_hash(text: &str) -> Option<&str> {
    text.split_once('#').map(|(_, fragment)| fragment)
}

/// Moves the sign to the lowest bit, so that small negative numbers stay short as varints.
fn zigzag(number: i64) -> u64 {
    ((number << 1) ^ (number >> 63)).cast_unsigned()
}

fn unzigzag(number: u64) -> i64 {
    (number >> 1).cast_signed() ^ -(number & 1).cast_signed()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use std::path::Path;

    use super::*;
    use baseref_document::link_places::LINK_PLACES;
    use baseref_site::listing::{FileId, Tree};

    fn first_file() -> FileId {
        let tree = Tree::from_paths(Path::new("a"), [&b"b"[..]]);
        tree.files().next().expect("the tree has one file")
    }

    fn position() -> impl Strategy<Value = Option<Position>> {
        let numbers = (1..=u32::MAX, 1..=u32::MAX, 0..1_u64 << 40, 0..1000_u64);
        let position = numbers.prop_map(|(line, column, start, length)| {
            Position::new(
                NonZeroU32::new(line).expect("the number is at least 1"),
                NonZeroU32::new(column).expect("the number is at least 1"),
                start..start + length,
            )
        });
        prop::option::of(position)
    }

    fn choice() -> impl Strategy<Value = Choice> {
        prop_oneof![
            any::<u32>().prop_map(Choice::Image),
            any::<u32>().prop_map(Choice::Format),
            Just(Choice::WithoutScripts),
            Just(Choice::OtherDevice),
            Just(Choice::Never),
            Just(Choice::Dropped),
        ]
    }

    proptest! {
        #[test]
        fn links_roundtrip_through_packing(
            links in prop::collection::vec(
                (
                    prop::option::of((0..3_u32, any::<bool>())),
                    "(\\.\\./){0,3}(b|/a/b|http://h/a/b|\u{e9})?(#[ab:#]{0,3})?",
                    prop::option::of("[ab:#]{0,2}"),
                    0..LINK_PLACES.len(),
                    position(),
                    0..300_usize,
                    prop::option::of(choice()),
                ),
                0..6,
            ),
        ) {
            let mut deferred = DeferredLinks::default();
            for url in ["http://h/a/b", "http://h/", "http://h/\u{e9}"] {
                deferred.add_url(&url.into());
            }
            let mut number = 0;
            for (url, raw, fragment, slot, at, more, choice) in &links {
                let target = match url {
                    Some((number, is_resource)) => DeferredTarget::Url {
                        number: *number,
                        need: if *is_resource { Need::Resource } else { Need::Page },
                    },
                    None => DeferredTarget::File(SiteFile { site: 7, file: first_file() }),
                };
                number += more;
                let (slot, class) = (&LINK_PLACES[*slot], LinkClass::ALL[*slot % LinkClass::ALL.len()]);
                deferred.push(NewDeferredLink {
                    target,
                    class,
                    fragment: fragment.as_deref(),
                    raw,
                    slot,
                    choice: *choice,
                    at: at.as_ref(),
                    number,
                });
            }
            prop_assert_eq!(deferred.iter().count(), links.len());
            let mut number = 0;
            for (read, (url, raw, fragment, slot, at, more, choice)) in deferred.iter().zip(&links) {
                number += more;
                prop_assert_eq!(read.raw.text(), &**raw);
                prop_assert_eq!(read.fragment, fragment.as_deref());
                prop_assert_eq!(&read.at, at);
                prop_assert_eq!(&read.choice, choice);
                prop_assert_eq!(read.number, number);
                prop_assert!(std::ptr::eq(read.slot, &raw const LINK_PLACES[*slot]));
                prop_assert_eq!(read.class, LinkClass::ALL[*slot % LinkClass::ALL.len()]);
                match (read.target, url) {
                    (DeferredTarget::Url { number, need }, Some((wanted, is_resource))) => {
                        prop_assert_eq!(number, *wanted);
                        prop_assert_eq!(need == Need::Resource, *is_resource);
                    }
                    (DeferredTarget::File(file), None) => prop_assert_eq!(file.site, 7),
                    _ => prop_assert!(false, "another kind of target"),
                }
            }
        }
    }

    #[test]
    fn links_to_urls_roundtrip_through_bytes() {
        let mut deferred = DeferredLinks::default();
        for url in [
            "http://h/a/b",
            "http://h/a/\u{e9}",
            "http://h/a/\u{ea}",
            "http://g/",
        ] {
            let number = deferred
                .add_url(&url.into())
                .expect("the list has room for a URL");
            let need = Need::Page;
            deferred.push(NewDeferredLink {
                target: DeferredTarget::Url { number, need },
                class: LinkClass::External,
                fragment: Some("c"),
                raw: "b#c",
                slot: &LINK_PLACES[3],
                choice: Some(Choice::Image(number)),
                at: None,
                number: 0,
            });
        }
        deferred.find(7);
        let bytes = deferred.to_bytes().expect("no link leads to a file");
        let read = DeferredLinks::from_bytes(&bytes).expect("the bytes are valid");
        assert!(deferred.iter().eq(read.iter()));
        assert_eq!(read.found(), [7]);
        for number in 0..4 {
            assert_eq!(deferred.url(number), read.url(number));
        }
        let half = &bytes[..bytes.len() / 2];
        assert!(DeferredLinks::from_bytes(half).is_none_or(|half| half.iter().count() < 4));
    }

    #[test]
    fn links_to_entries_roundtrip_through_bytes() {
        let mut deferred = DeferredLinks::default();
        for (number, entry) in [0, 300, u32::MAX].into_iter().enumerate() {
            deferred.push(NewDeferredLink {
                target: DeferredTarget::Entry(entry),
                class: LinkClass::Ok,
                fragment: Some("a"),
                raw: "b#a",
                choice: None,
                slot: &LINK_PLACES[0],
                at: None,
                number,
            });
        }
        let bytes = deferred.to_bytes().expect("no link leads to a file");
        let read = DeferredLinks::from_bytes(&bytes).expect("the bytes are valid");
        assert!(deferred.iter().eq(read.iter()));
        let targets: Vec<_> = read.iter().map(|link| link.target).collect();
        let expected = [0, 300, u32::MAX].map(DeferredTarget::Entry);
        assert_eq!(targets, expected);
    }

    #[test]
    fn value_is_stored_without_the_end_of_its_url() {
        let mut deferred = DeferredLinks::default();
        let url = "http://h/api/java/lang/String.html".into();
        let number = deferred.add_url(&url).expect("the list has room for a URL");
        let target = DeferredTarget::Url {
            number,
            need: Need::Page,
        };
        for _ in 0..100 {
            let raw = "../../java/lang/String.html#length()";
            deferred.push(NewDeferredLink {
                target,
                class: LinkClass::External,
                fragment: Some("length()"),
                raw,
                slot: &LINK_PLACES[0],
                choice: None,
                at: None,
                number: 0,
            });
        }
        assert_eq!(deferred.texts.slice(0..9), Some("#length()"));
        assert_eq!(deferred.texts.slice(0..901), None);
        assert!(
            deferred.packed.len() <= 100 * 8,
            "{}",
            deferred.packed.len()
        );
    }
}
