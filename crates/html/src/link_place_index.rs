//! The rows of the table of link places, indexed by element and attribute.

use std::sync::{Arc, OnceLock};

use super::companion_attributes;
use super::names::{self, Name};
use super::tokenizer::{Attribute, attribute_key, is_of_one_name};
use baseref_document::MetadataElement;
use baseref_document::link_places::{
    CONTENT, Class, Classes, Condition, LinkPlace, LinkPlaceSelection, Namespace, RelativeTo,
};

/// The rows of an element.
#[derive(Clone, Debug, Default)]
pub(super) struct Rows {
    /// The rows: each has the bit of its index.
    slots: Vec<&'static LinkPlace>,
    /// The attributes that are read, each with the bits of its rows.
    attributes: Keys,
    /// The bits of the rows about the element's text.
    pub(super) contents: u64,
    /// The bits of the rows that have no condition.
    unconditional: u64,
    /// The attributes that conditions depend on.
    deciding: Vec<DecidingAttribute>,
    /// The words that [`Condition::Property`] asks for, each with the bits of its rows.
    properties: Keys,
}

/// An attribute that conditions depend on.
#[derive(Clone, Debug)]
pub(super) struct DecidingAttribute {
    pub(super) attr: &'static str,
    /// The key of its name.
    pub(super) key: u64,
    /// The bits of the rows whose condition depends on it alone.
    rows: u64,
    /// The bits of the rows among them whose condition an element without it meets.
    without: u64,
    /// Whether it is one of [`Condition::PROPERTY`], and a condition depends on these.
    names_properties: bool,
}

impl Rows {
    /// The rows of an element; the attributes in `needed` are read even if no row has them.
    ///
    /// # Panics
    /// If there are more than 64 rows.
    fn new(
        slots: impl IntoIterator<Item = &'static LinkPlace>,
        needed: impl IntoIterator<Item = &'static str>,
    ) -> Self {
        let slots = Vec::from_iter(slots);
        assert!(slots.len() <= u64::BITS as usize, "a row has no bit");
        let mut rows = Self {
            slots: slots.clone(),
            ..Self::default()
        };
        for name in needed {
            rows.attributes.add(name, 0);
        }
        for (slot, bit) in slots.into_iter().zip(bits()) {
            for name in looked_at(slot) {
                rows.attributes.add(name, 0);
            }
            match slot.attr {
                CONTENT => rows.contents |= bit,
                name => rows.attributes.add(name, bit),
            }
            match slot.condition {
                Condition::Always => rows.unconditional |= bit,
                Condition::Property(words) => {
                    for word in words {
                        rows.properties.add(word, bit);
                    }
                    for attr in Condition::PROPERTY {
                        rows.deciding(attr).names_properties = true;
                    }
                }
                condition => {
                    let without = rows.meeting(bit, None);
                    for attr in condition.attributes() {
                        let deciding = rows.deciding(attr);
                        deciding.rows |= bit;
                        deciding.without |= without;
                    }
                }
            }
        }
        rows
    }

    /// The entry of an attribute that a condition depends on, added if it is new.
    fn deciding(&mut self, attr: &'static str) -> &mut DecidingAttribute {
        let known = self
            .deciding
            .iter()
            .position(|deciding| deciding.attr == attr);
        let number = known.unwrap_or(self.deciding.len());
        if known.is_none() {
            self.deciding.push(DecidingAttribute {
                attr,
                key: attribute_key(attr.as_bytes()),
                rows: 0,
                without: 0,
                names_properties: false,
            });
        }
        &mut self.deciding[number]
    }

    /// The row of the lowest of some bits; `None` without bits.
    #[inline]
    pub(super) fn first(&self, bits: u64) -> Option<&'static LinkPlace> {
        self.slots.get(bits.trailing_zeros() as usize).copied()
    }

    /// The bits of the rows whose conditions an element meets; `value_of` returns the value of an
    /// attribute of the element.
    #[inline]
    pub(super) fn met<V: AsRef<str>>(
        &self,
        value_of: impl Fn(&DecidingAttribute) -> Option<V>,
    ) -> u64 {
        self.deciding
            .iter()
            .fold(self.unconditional, |met, deciding| {
                met | match value_of(deciding) {
                    Some(value) => self.met_by(deciding, value.as_ref()),
                    None => deciding.without,
                }
            })
    }

    /// The bits of the rows whose condition is met by an attribute with this value.
    fn met_by(&self, deciding: &DecidingAttribute, value: &str) -> u64 {
        let met = self.meeting(deciding.rows, Some(value));
        if !deciding.names_properties {
            return met;
        }
        let words = value.split_ascii_whitespace();
        words.fold(met, |met, word| met | self.with_property(word))
    }

    /// The rows of `bits` whose condition, which depends on one attribute, is met by its value.
    fn meeting(&self, bits: u64, value: Option<&str>) -> u64 {
        self.only(bits, |slot| slot.condition.is_met(|_| value))
    }

    /// The bits of the rows about a property, its name in any letter case.
    fn with_property(&self, word: &str) -> u64 {
        let key = attribute_key(word.as_bytes());
        self.name_bits(&self.properties, key, |slot| match slot.condition {
            Condition::Property(words) => words.iter().any(|one| one.eq_ignore_ascii_case(word)),
            _ => false,
        })
    }

    /// The bits of a name, given its key; `has_name` compares the name with that of a row, since long
    /// names may share a key.
    #[inline]
    fn name_bits(&self, keys: &Keys, key: u64, has_name: impl Fn(&LinkPlace) -> bool) -> u64 {
        let bits = keys.get(key).unwrap_or_default();
        if bits == 0 || is_of_one_name(key) {
            return bits;
        }
        self.only(bits, has_name)
    }

    /// The rows of `bits` for which `holds` is true.
    fn only(&self, mut bits: u64, holds: impl Fn(&LinkPlace) -> bool) -> u64 {
        let mut held = 0;
        while let Some(slot) = self.first(bits) {
            let bit = bits & bits.wrapping_neg();
            bits ^= bit;
            if holds(slot) {
                held |= bit;
            }
        }
        held
    }

    /// Whether no attribute is read.
    #[inline]
    pub(super) fn look_at_none(&self) -> bool {
        self.attributes.is_empty()
    }

    /// Whether the attribute is read. May return true for another one with a name of more than seven
    /// letters.
    #[inline]
    pub(super) fn look_at(&self, attribute: Attribute) -> bool {
        self.attributes.get(attribute.key).is_some()
    }

    /// The bits of the rows of an attribute.
    #[inline]
    pub(super) fn attribute_bits(&self, attribute: Attribute, source: &str) -> u64 {
        self.name_bits(&self.attributes, attribute.key, |slot| {
            attribute.name.slice(source).eq_ignore_ascii_case(slot.attr)
        })
    }
}

/// The bits available to rows.
fn bits() -> impl Iterator<Item = u64> {
    (0..u64::BITS).map(|bit| 1 << bit)
}

/// The rows for a choice of classes. The rows of an element are built on first use: a page uses few
/// elements.
#[derive(Debug)]
pub(super) struct Tables {
    wanted: LinkPlaceSelection,
    choice: Choice,
    /// By the element's number in [`LinkPlaceSelection`].
    numbered: [OnceLock<Arc<Rows>>; LinkPlaceSelection::NUMBERS],
    /// By namespace, for elements without rows of their own.
    any: [OnceLock<Arc<Rows>>; Namespace::ALL.len()],
    /// By the number of the HTML element's [`Name`]. [`Name::Other`] has the attributes that are read of
    /// any element without a number.
    listed: [OnceLock<Arc<Rows>>; names::COUNT],
    /// Whether any row is about the text of an element.
    contents: bool,
}

/// The wanted data of elements, which decides what attributes are read.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Choice {
    pub(super) classes: Classes,
    /// Whether [companion attributes](companion_attributes) are wanted.
    pub(super) companion_attributes: bool,
    /// Whether `link` and `meta` elements are wanted.
    pub(super) metadata_elements: bool,
    /// Whether it is wanted when browsers ask for the targets of links.
    pub(super) choices: bool,
}

/// The tables for a choice, made once.
pub(super) fn tables(choice: Choice) -> &'static Tables {
    const CHOICES: usize = 1 << Class::ALL.len();
    static TABLES: [[OnceLock<Box<Tables>>; CHOICES]; 8] =
        [const { [const { OnceLock::new() }; CHOICES] }; 8];
    let chosen = Class::ALL
        .into_iter()
        .filter(|class| choice.classes.contains(*class));
    let classes = chosen.fold(0, |choice, class| choice | 1 << class as usize);
    let attributes = usize::from(choice.companion_attributes)
        | usize::from(choice.metadata_elements) << 1
        | usize::from(choice.choices) << 2;
    let tables = &TABLES[attributes][classes];
    tables.get_or_init(|| Box::new(Tables::new(LinkPlaceSelection::new(choice.classes), choice)))
}

impl Choice {
    /// The attributes of an HTML element that are wanted in addition to its URLs.
    fn attributes(self, name: Name) -> &'static [&'static str] {
        match name {
            Name::Link if self.metadata_elements => MetadataElement::ATTRIBUTES[0].1,
            Name::Meta if self.metadata_elements => MetadataElement::ATTRIBUTES[1].1,
            _ if self.companion_attributes => companion_attributes::names(name),
            _ => &[],
        }
    }

    /// Those that decide whether browsers ask for its targets.
    fn deciding_attributes(self, name: Name) -> &'static [&'static str] {
        match name {
            Name::Link if self.choices => &["rel", "as", "type", "media", "disabled"],
            Name::Source if self.choices => &["type", "media"],
            Name::Script if self.choices => &["type", "language", "nomodule", "for", "event"],
            Name::Input if self.choices => &["type"],
            _ => &[],
        }
    }
}

impl Tables {
    pub(super) fn new(wanted: LinkPlaceSelection, choice: Choice) -> Self {
        let contents = ["script", "style"].into_iter().any(|name| {
            let spaces = [Namespace::Html, Namespace::Svg].into_iter();
            let mut rows = spaces.flat_map(|namespace| wanted.rows(namespace, name));
            rows.any(|slot| slot.attr == CONTENT)
        });
        Self {
            wanted,
            choice,
            numbered: [const { OnceLock::new() }; LinkPlaceSelection::NUMBERS],
            any: [const { OnceLock::new() }; Namespace::ALL.len()],
            listed: [const { OnceLock::new() }; names::COUNT],
            contents,
        }
    }

    /// The rows of an element, its name in any case.
    pub(super) fn rows(&self, namespace: Namespace, local_name: &str) -> &Rows {
        match Name::from_bytes(local_name.as_bytes()) {
            name if name != Name::Other && namespace == Namespace::Html => self.listed_rows(name),
            _ => self.shared_rows(namespace, local_name),
        }
    }

    /// The rows of an element that is read only for its URLs.
    fn shared_rows(&self, namespace: Namespace, local_name: &str) -> &Arc<Rows> {
        match self.wanted.number(namespace, local_name) {
            Some(number) => self.numbered[number].get_or_init(|| {
                let slots = self.wanted.rows(namespace, local_name);
                Arc::new(Rows::new(slots, []))
            }),
            None => self.any[namespace as usize].get_or_init(|| {
                let slots = self.wanted.rows_of_any(namespace);
                Arc::new(Rows::new(slots, []))
            }),
        }
    }

    /// The rows of an HTML element of that name; for [`Name::Other`] only what they look at.
    #[inline]
    pub(super) fn listed_rows(&self, name: Name) -> &Rows {
        self.listed[name as usize].get_or_init(|| self.new_listed_rows(name))
    }

    #[cold]
    fn new_listed_rows(&self, name: Name) -> Arc<Rows> {
        // The tree builder reads `image` as `img`.
        let text = match name {
            Name::Other => return Arc::new(other_rows(&self.wanted)),
            Name::Image => "img",
            name => name.text(),
        };
        let lists = [
            needed(name),
            self.choice.attributes(name),
            self.choice.deciding_attributes(name),
        ];
        // Elements with the same rows share them if they need no more.
        if lists.iter().all(|list| list.is_empty()) {
            return Arc::clone(self.shared_rows(Namespace::Html, text));
        }
        let slots = self.wanted.rows(Namespace::Html, text);
        Arc::new(Rows::new(slots, lists.into_iter().flatten().copied()))
    }

    /// Whether the text of any script or style sheet is of use.
    #[inline]
    pub(super) fn ask_for_contents(&self) -> bool {
        self.contents
    }
}

/// The attributes that are read of the HTML elements without a [`Name`] of their own.
fn other_rows(wanted: &LinkPlaceSelection) -> Rows {
    let rows = wanted.all_rows();
    let slots = rows.filter(|slot| {
        let is_html = slot.namespace == Namespace::Html;
        is_html && Name::from_bytes(slot.element.as_bytes()) == Name::Other
    });
    Rows::new([], slots.flat_map(looked_at))
}

/// The attributes that a row reads.
fn looked_at(slot: &'static LinkPlace) -> impl Iterator<Item = &'static str> {
    let own = (slot.attr != CONTENT).then_some(slot.attr);
    let codebase = (slot.relative_to == RelativeTo::Codebase).then_some("codebase");
    let of_row = own.into_iter().chain(codebase);
    of_row.chain(slot.condition.attributes())
}

/// The attributes of an HTML element that are read even if no row has them.
fn needed(name: Name) -> &'static [&'static str] {
    match name {
        Name::Base => &["href"],
        Name::Meta => &["http-equiv", "content"],
        Name::Iframe => &["src", "srcdoc"],
        Name::Frame | Name::Embed => &["src"],
        Name::Object => &["data"],
        Name::Img | Name::Image | Name::Area => &["alt"],
        Name::Input => &["type"],
        Name::AnnotationXml => &["encoding"],
        _ => &[],
    }
}

/// Names with bits, by their [`attribute_key`]: a hash table with linear probing.
#[derive(Clone, Debug)]
struct Keys {
    /// The number of an entry, from 1; 0 marks a free place. Most places are free, so that misses
    /// are found quickly, and bytes, so that the tables of all elements stay in the cache.
    places: [u8; 1 << u8::BITS],
    entries: Vec<(u64, u64)>,
}

impl Default for Keys {
    fn default() -> Self {
        Self {
            places: [0; 1 << u8::BITS],
            entries: Vec::new(),
        }
    }
}

impl Keys {
    /// Adds bits to a name. Names with the same key share their bits.
    ///
    /// # Panics
    /// If there are more names than half of the places.
    fn add(&mut self, name: &str, bits: u64) {
        let key = attribute_key(name.as_bytes());
        let free = match self.find(key) {
            Ok(entry) => {
                self.entries[entry].1 |= bits;
                return;
            }
            Err(free) => free,
        };
        self.entries.push((key, bits));
        let number = u8::try_from(self.entries.len()).unwrap_or(u8::MAX);
        assert!(
            usize::from(number) <= self.places.len() / 2,
            "too many names"
        );
        self.places[usize::from(free)] = number;
    }

    /// The index of a key's entry, or else the free place where it would be noted.
    #[inline]
    fn find(&self, key: u64) -> Result<usize, u8> {
        let mut place = place(key);
        loop {
            let number = usize::from(self.places[usize::from(place)]);
            match self.entries.get(number.wrapping_sub(1)) {
                None => return Err(place),
                Some((found, _)) if *found == key => return Ok(number - 1),
                Some(_) => place = place.wrapping_add(1),
            }
        }
    }

    #[inline]
    fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    #[inline]
    fn get(&self, key: u64) -> Option<u64> {
        let entry = self.find(key).ok()?;
        Some(self.entries[entry].1)
    }
}

/// The first place to look for a key.
#[inline]
fn place(key: u64) -> u8 {
    (key.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 56) as u8
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tokenizer::Span;
    use baseref_document::link_places::LINK_PLACES;

    fn all() -> Choice {
        Choice {
            classes: Classes::ALL,
            ..Choice::default()
        }
    }

    fn attribute(name: &str) -> Attribute {
        let name = Span {
            start: 0,
            end: name.len(),
        }
        .slice(name);
        Attribute {
            name: Span {
                start: 0,
                end: name.len(),
            },
            key: attribute_key(name.as_bytes()),
            value: Span { start: 0, end: 0 },
        }
    }

    #[test]
    fn row_attributes_by_name_length() {
        let tables = tables(all());
        for (name, held, not) in [
            (
                Name::A,
                &["HREF", "ping", "data-src", "style"][..],
                &["class", "id", "name"][..],
            ),
            (
                Name::Meta,
                &["content", "property", "http-equiv", "name"],
                &["charset", "href"],
            ),
            (
                Name::Img,
                &["src", "alt", "srcset", "usemap"],
                &["width", "href", "type"],
            ),
            (Name::Script, &["src", "type"], &["async"]),
            (Name::Object, &["data", "codebase"], &["type"]),
            (Name::Other, &["src", "icon", "data-src"], &["type"]),
        ] {
            let rows = tables.listed_rows(name);
            assert!(
                held.iter().all(|name| rows.look_at(attribute(name))),
                "{name:?}"
            );
            assert!(
                !not.iter().any(|name| rows.look_at(attribute(name))),
                "{name:?}"
            );
            assert!(!rows.look_at_none());
        }
        let none = Rows::new([], []);
        assert!(none.look_at_none() && !none.look_at(attribute("x")));
    }

    #[test]
    fn attribute_rows_ignore_case() {
        let tables = tables(all());
        let rows = tables.listed_rows(Name::Meta);
        let of = |name| rows.attribute_bits(attribute(name), name);
        assert!(of("content").count_ones() > 10);
        assert_eq!(of("content"), of("CONTENT"));
        assert_eq!(of("data-hx-delete").count_ones(), 1);
        for other in ["data-hx-xx-delete", "contents", "nonsense"] {
            assert_eq!(of(other), 0, "{other}");
        }
        assert_eq!(
            attribute_key(b"data-hx-delete"),
            attribute_key(b"data-hx-xx-delete")
        );
    }

    #[test]
    fn property_rows_ignore_case() {
        let tables = tables(all());
        let rows = tables.listed_rows(Name::Meta);
        for (slot, bit) in rows.slots.iter().zip(bits()) {
            if let Condition::Property(words) = slot.condition {
                for word in words {
                    let bits = rows.with_property(&word.to_ascii_uppercase());
                    assert_ne!(bits & bit, 0, "{word}");
                }
            }
        }
        // The second has the key of the first.
        for other in ["og:title", "og:image:xx:og:image:url", ""] {
            assert_eq!(rows.with_property(other), 0, "{other}");
        }
    }

    #[test]
    fn row_conditions() {
        let values = [
            "",
            "text/css",
            "text/css;x",
            "IMPORTMAP",
            "application/ld+json; a",
            "refresh",
            "x og:image",
            "icon",
            "ref",
            "thumbnail Refresh",
        ];
        let names = [
            "type",
            "http-equiv",
            "name",
            "property",
            "itemprop",
            "rel",
            "valuetype",
        ];
        let tables = tables(all());
        let own = LINK_PLACES
            .iter()
            .map(|slot| (slot.namespace, slot.element));
        let any = Namespace::ALL.map(|namespace| (namespace, "*"));
        for (namespace, element) in own.chain(any) {
            let rows = tables.rows(namespace, element);
            for name in names {
                for value in values {
                    let met = rows.met(|deciding| (deciding.attr == name).then_some(value));
                    for (slot, bit) in rows.slots.iter().zip(bits()) {
                        let is_met = slot
                            .condition
                            .is_met(|attr| (attr == name).then_some(value));
                        assert_eq!(met & bit != 0, is_met, "{slot:?}: {name}={value}");
                    }
                }
            }
        }
    }
}
