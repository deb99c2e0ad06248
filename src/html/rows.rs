//! The rows of the table of places, indexed by element and attribute for the readers of tags.

use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

use super::names::{self, Name};
use super::tokenizer::{Attribute, attribute_key, is_of_one_name};
use crate::slots::{
    CONTENT, Class, Classes, Condition, Namespace, RelativeTo, SLOTS, Slot, Wanted,
};

/// The rows of an element.
#[derive(Clone, Debug, Default)]
pub(super) struct Rows {
    /// The rows of its attributes, each with the bit of its index.
    attributes: Vec<Row>,
    /// The bits of the rows of attributes with a key.
    of_keys: Keys<u64>,
    /// The rows of its text.
    pub(super) contents: Vec<&'static Slot>,
    /// The words that [`Condition::Property`] asks for, sorted, each with the bits of the rows that
    /// ask for it.
    properties: Vec<(&'static str, u64)>,
}

/// A row of an attribute.
#[derive(Clone, Copy, Debug)]
pub(super) struct Row {
    /// The bit of this row.
    pub(super) bit: u64,
    /// The key of the attribute that the condition asks for, if it is one.
    pub(super) key: u64,
    pub(super) slot: &'static Slot,
}

impl Rows {
    fn of(slots: &[&'static Slot]) -> Self {
        let is_content = |slot: &&&'static Slot| slot.attr == CONTENT;
        let of_attributes = slots.iter().filter(|slot| !is_content(slot));
        let row = |(slot, bit): (&&'static Slot, u64)| Row {
            bit,
            key: match slot.condition {
                Condition::Attribute(attr, _) | Condition::Word(attr, _) => {
                    attribute_key(attr.as_bytes())
                }
                Condition::Type(_) | Condition::StyleSheet => attribute_key(b"type"),
                Condition::Always | Condition::Property(_) => 0,
            },
            slot,
        };
        let rows: Vec<_> = of_attributes.clone().zip(bits()).map(row).collect();
        assert_eq!(rows.len(), of_attributes.count(), "a row has no bit");
        let mut of_keys = BTreeMap::new();
        for row in &rows {
            let key = attribute_key(row.slot.attr.as_bytes());
            *of_keys.entry(key).or_default() |= row.bit;
        }
        Self {
            properties: properties(&rows),
            of_keys: Keys::of(&of_keys),
            attributes: rows,
            contents: slots.iter().filter(is_content).copied().collect(),
        }
    }

    /// The bits of the rows that ask for a property, its name in any case.
    pub(super) fn with_property(&self, word: &str) -> u64 {
        let compare = |other: &str| {
            let lower_case = word.bytes().map(|byte| byte.to_ascii_lowercase());
            other.bytes().cmp(lower_case)
        };
        let found = self
            .properties
            .binary_search_by(|(property, _)| compare(property));
        found.map_or(0, |found| self.properties[found].1)
    }

    /// The rows of an attribute; none if `done`, with a bit for each row, already has them: the
    /// first attribute of a name wins.
    #[inline]
    pub(super) fn of_attribute(
        &self,
        attribute: Attribute,
        source: &str,
        done: &mut u64,
    ) -> impl Iterator<Item = &Row> {
        let bits = self.bits_of(attribute, source) & !*done;
        *done |= bits;
        self.with_bits(bits)
    }

    /// Whether an attribute has any rows.
    #[inline]
    pub(super) fn have(&self, attribute: Attribute, source: &str) -> bool {
        self.bits_of(attribute, source) != 0
    }

    /// The bits of the rows of an attribute.
    #[inline]
    fn bits_of(&self, attribute: Attribute, source: &str) -> u64 {
        let bits = self.of_keys.get(attribute.key).unwrap_or_default();
        if bits == 0 || is_of_one_name(attribute.key) {
            return bits;
        }
        let name = attribute.name.of(source);
        let own = |row: &&Row| name.eq_ignore_ascii_case(row.slot.attr);
        let rows = self.with_bits(bits).filter(own);
        rows.fold(0, |bits, row| bits | row.bit)
    }

    #[inline]
    fn with_bits(&self, mut bits: u64) -> impl Iterator<Item = &Row> {
        std::iter::from_fn(move || {
            let row = self.attributes.get(bits.trailing_zeros() as usize)?;
            bits &= bits - 1;
            Some(row)
        })
    }
}

/// The bits available to rows.
fn bits() -> impl Iterator<Item = u64> + Clone {
    (0..u64::BITS).map(|bit| 1 << bit)
}

fn properties(rows: &[Row]) -> Vec<(&'static str, u64)> {
    let mut properties = BTreeMap::new();
    for row in rows {
        if let Condition::Property(words) = row.slot.condition {
            for word in words {
                *properties.entry(*word).or_default() |= row.bit;
            }
        }
    }
    properties.into_iter().collect()
}

/// The rows for a choice of classes.
#[derive(Debug)]
pub(super) struct Tables {
    wanted: Wanted,
    /// By the element's number in [`Wanted`].
    numbered: Vec<Arc<Rows>>,
    /// For elements without rows of their own, by namespace.
    any: [Arc<Rows>; Namespace::ALL.len()],
    /// By the number of the HTML element's [`Name`].
    listed: [(Arc<Rows>, Filter); names::COUNT],
    /// Whether any row is about the text of an element.
    contents: bool,
}

/// The rows for a choice of classes, made once.
pub(super) fn tables(classes: Classes) -> &'static Tables {
    const CHOICES: usize = 1 << Class::ALL.len();
    static TABLES: [OnceLock<Box<Tables>>; CHOICES] = [const { OnceLock::new() }; CHOICES];
    let chosen = Class::ALL
        .into_iter()
        .filter(|class| classes.contains(*class));
    let choice = chosen.fold(0, |choice, class| choice | 1 << class as usize);
    TABLES[choice].get_or_init(|| Box::new(Tables::new(Wanted::new(classes))))
}

impl Tables {
    pub(super) fn new(wanted: Wanted) -> Self {
        let numbered: Vec<_> = wanted.of_numbers().map(Rows::of).map(Arc::new).collect();
        let any = Namespace::ALL.map(|namespace| Arc::new(Rows::of(wanted.of_any(namespace))));
        // Elements with the same rows share them, and their filter if they need no more.
        let mut filters = vec![None; numbered.len() + 1];
        let listed = Name::all().map(|name| {
            if name == Name::Other {
                return (Arc::default(), Filter::of(name, of_others(&wanted)));
            }
            // The tree builder reads `image` as `img`.
            let text = match name {
                Name::Image => "img",
                name => name.text(),
            };
            let number = wanted.number(Namespace::Html, text);
            let rows = number.map_or(&any[Namespace::Html as usize], |number| &numbered[number]);
            let slots = wanted.of(Namespace::Html, text).iter().copied();
            let filter = if needed(name).is_empty() {
                let shared = &mut filters[number.unwrap_or(numbered.len())];
                shared
                    .get_or_insert_with(|| Filter::of(name, slots))
                    .clone()
            } else {
                Filter::of(name, slots)
            };
            (Arc::clone(rows), filter)
        });
        let contents = ["script", "style"].into_iter().any(|name| {
            let spaces = [Namespace::Html, Namespace::Svg].into_iter();
            let mut rows = spaces.flat_map(|namespace| wanted.of(namespace, name));
            rows.any(|slot| slot.attr == CONTENT)
        });
        Self {
            wanted,
            numbered,
            any,
            listed,
            contents,
        }
    }

    /// The rows of an element, its name in any case.
    pub(super) fn of(&self, namespace: Namespace, local_name: &str) -> &Rows {
        match Name::of(local_name.as_bytes()) {
            name if name != Name::Other && namespace == Namespace::Html => self.of_listed(name),
            _ => match self.wanted.number(namespace, local_name) {
                Some(number) => &self.numbered[number],
                None => &self.any[namespace as usize],
            },
        }
    }

    /// The rows of an HTML element of that name, which must not be [`Name::Other`].
    #[inline]
    pub(super) fn of_listed(&self, name: Name) -> &Rows {
        &self.listed[name as usize].0
    }

    /// Whether the text of any script or style sheet is of use.
    #[inline]
    pub(super) fn ask_for_contents(&self) -> bool {
        self.contents
    }

    /// The attributes of an HTML element of that name that the rows and the readers look at.
    #[inline]
    pub(super) fn filter(&self, name: Name) -> &Filter {
        &self.listed[name as usize].1
    }
}

/// All rows of HTML elements whose names are not a [`Name`].
fn of_others(wanted: &Wanted) -> impl Iterator<Item = &'static Slot> {
    SLOTS.iter().filter(|slot| {
        let mut rows = wanted.of(Namespace::Html, slot.element).iter();
        Name::of(slot.element.as_bytes()) == Name::Other
            && rows.any(|row| std::ptr::eq(*row, *slot))
    })
}

/// The attributes of an HTML element that its readers look at, whatever its rows.
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

/// A set of attribute names. For names longer than seven letters it may have false positives.
#[derive(Clone, Debug)]
pub(super) enum Filter {
    /// Every name.
    All,
    Keys(Keys<()>),
}

/// What belongs to attribute names, by their [`attribute_key`]: a hash table with linear probing.
#[derive(Clone, Debug, Default)]
pub(super) struct Keys<T> {
    /// The key 0 marks a free place. No place at all if the table is empty.
    places: Arc<[(u64, T)]>,
}

impl<T: Copy + Default> Keys<T> {
    fn of(values: &BTreeMap<u64, T>) -> Self {
        if values.is_empty() {
            return Self::default();
        }
        // Large enough for most places to be free, so that misses are found quickly.
        let count = (4 * values.len()).next_power_of_two();
        let mut places = vec![(0, T::default()); count];
        for (&key, &value) in values {
            let mut place = place(key, count);
            while places[place].0 != 0 {
                place = (place + 1) % count;
            }
            places[place] = (key, value);
        }
        Self {
            places: places.into(),
        }
    }

    #[inline]
    fn get(&self, key: u64) -> Option<T> {
        let mut place = place(key, self.places.len());
        loop {
            match self.places.get(place) {
                None | Some((0, _)) => return None,
                Some((found, value)) if *found == key => return Some(*value),
                Some(_) => place = (place + 1) & (self.places.len() - 1),
            }
        }
    }
}

impl Filter {
    /// The attributes that rows of an element of that name look at, and those that the element
    /// itself needs.
    fn of(name: Name, slots: impl Iterator<Item = &'static Slot>) -> Self {
        let mut names = Vec::new();
        for slot in slots {
            if slot.attr != CONTENT {
                names.push(slot.attr);
            }
            if slot.relative_to == RelativeTo::Codebase {
                names.push("codebase");
            }
            match slot.condition {
                Condition::Always => {}
                Condition::Attribute(attr, _) | Condition::Word(attr, _) => names.push(attr),
                Condition::Type(_) | Condition::StyleSheet => names.push("type"),
                Condition::Property(_) => names.extend(Condition::PROPERTY),
            }
        }
        names.extend(needed(name));
        Self::of_names(&names)
    }

    fn of_names(names: &[&str]) -> Self {
        let keys = names
            .iter()
            .map(|name| (attribute_key(name.as_bytes()), ()));
        Self::Keys(Keys::of(&keys.collect()))
    }

    /// Whether it is empty.
    #[inline]
    pub(super) fn is_empty(&self) -> bool {
        matches!(self, Self::Keys(keys) if keys.places.is_empty())
    }

    /// Whether it contains the attribute's name.
    #[inline]
    pub(super) fn has(&self, attribute: Attribute) -> bool {
        match self {
            Self::All => true,
            Self::Keys(keys) => keys.get(attribute.key).is_some(),
        }
    }
}

/// The place of a key in a table whose size is a power of two.
#[inline]
fn place(key: u64, places: usize) -> usize {
    (key.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 48) as usize & places.wrapping_sub(1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::html::tokenizer::Span;

    fn attribute(name: &str) -> Attribute {
        let name = Span {
            start: 0,
            end: name.len(),
        }
        .of(name);
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
    fn a_filter_holds_the_attributes_of_the_rows_and_no_other_of_seven_letters() {
        let tables = tables(Classes::ALL);
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
        ] {
            let filter = tables.filter(name);
            assert!(
                held.iter().all(|name| filter.has(attribute(name))),
                "{name:?}"
            );
            assert!(
                !not.iter().any(|name| filter.has(attribute(name))),
                "{name:?}"
            );
        }
        assert!(Filter::All.has(attribute("x")) && !Filter::All.is_empty());
        let filter = Filter::of_names(&[]);
        assert!(filter.is_empty() && !filter.has(attribute("x")));
    }

    #[test]
    fn an_attribute_has_the_rows_of_its_name_once() {
        let tables = tables(Classes::ALL);
        let rows = tables.of_listed(Name::Meta);
        let mut done = 0;
        let of = |name, done: &mut u64| rows.of_attribute(attribute(name), name, done).count();
        assert!(of("CONTENT", &mut done) > 10);
        assert_eq!(of("content", &mut done), 0);
        assert_eq!(of("data-hx-delete", &mut done), 1);
        for other in ["data-hx-xx-delete", "contents", "nonsense"] {
            assert_eq!(of(other, &mut 0), 0, "{other}");
            assert!(!rows.have(attribute(other), other), "{other}");
        }
        assert_eq!(
            attribute_key(b"data-hx-delete"),
            attribute_key(b"data-hx-xx-delete")
        );
    }

    #[test]
    fn a_property_is_that_of_its_rows_in_any_case() {
        let tables = tables(Classes::ALL);
        let rows = tables.of_listed(Name::Meta);
        for row in &rows.attributes {
            if let Condition::Property(words) = row.slot.condition {
                for word in words {
                    let bits = rows.with_property(&word.to_ascii_uppercase());
                    assert_ne!(bits & row.bit, 0, "{word}");
                }
            }
        }
        assert_eq!(rows.with_property("og:title"), 0);
    }
}
