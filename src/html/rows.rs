//! The rows of the table of places, indexed by element and attribute for the readers of tags.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use super::names::{self, Name};
use super::tokenizer::{Attribute, attribute_key};
use crate::slots::{
    CONTENT, Class, Classes, Condition, Namespace, RelativeTo, SLOTS, Slot, Wanted,
};

/// The rows of an element.
#[derive(Clone, Debug, Default)]
pub(super) struct Rows {
    /// The rows of its attributes.
    pub(super) attributes: Vec<Row>,
    /// The rows of its text.
    pub(super) contents: Vec<&'static Slot>,
    /// The words that [`Condition::Property`] asks for, sorted, each with the bits of the rows that
    /// ask for it.
    properties: Vec<(&'static str, u64)>,
}

/// A row of an attribute, with the key of its name.
#[derive(Clone, Copy, Debug)]
pub(super) struct Row {
    /// See [`attribute_key`].
    key: u64,
    /// The bit of this row.
    pub(super) bit: u64,
    /// The bits of the rows of the same attribute, this one included.
    alike: u64,
    pub(super) slot: &'static Slot,
}

impl Rows {
    fn of(slots: &[&'static Slot]) -> Self {
        let is_content = |slot: &&&'static Slot| slot.attr == CONTENT;
        let of_attributes = slots.iter().filter(|slot| !is_content(slot));
        let attributes = of_attributes.clone().zip(bits());
        let is_alike = |attr| {
            let alike = attributes.clone().filter(|(slot, _)| slot.attr == attr);
            alike.fold(0, |bits, (_, bit)| bits | bit)
        };
        let row = |(slot, bit): (&&'static Slot, u64)| Row {
            key: attribute_key(slot.attr.as_bytes()),
            bit,
            alike: is_alike(slot.attr),
            slot,
        };
        let rows: Vec<_> = attributes.clone().map(row).collect();
        assert_eq!(rows.len(), of_attributes.count(), "a row has no bit");
        Self {
            properties: properties(&rows),
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
        let is_it = |row: &Row| {
            row.key == attribute.key
                // Long names can share a key.
                && (row.slot.attr.len() < 8
                    || attribute.name.of(source).eq_ignore_ascii_case(row.slot.attr))
        };
        let first = self.attributes.iter().position(is_it);
        let rows = first.map_or(&[][..], |first| &self.attributes[first..]);
        let alike = rows.first().map_or(0, |row| row.alike & !*done);
        *done |= alike;
        rows.iter().filter(move |row| row.alike == alike)
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
    numbered: Vec<Rows>,
    /// For elements without rows of their own, by namespace.
    any: [Rows; Namespace::ALL.len()],
    /// By the number of the HTML element's [`Name`].
    listed: [(Rows, Filter); names::COUNT],
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
        let listed = Name::all().map(|name| {
            if name == Name::Other {
                return (Rows::default(), Filter::of(name, of_others(&wanted)));
            }
            // The tree builder reads `image` as `img`.
            let text = match name {
                Name::Image => "img",
                name => name.text(),
            };
            let slots = wanted.of(Namespace::Html, text);
            (Rows::of(slots), Filter::of(name, slots.iter().copied()))
        });
        let contents = ["script", "style"].into_iter().any(|name| {
            let spaces = [Namespace::Html, Namespace::Svg].into_iter();
            let mut rows = spaces.flat_map(|namespace| wanted.of(namespace, name));
            rows.any(|slot| slot.attr == CONTENT)
        });
        Self {
            numbered: wanted.of_numbers().map(Rows::of).collect(),
            any: Namespace::ALL.map(|namespace| Rows::of(wanted.of_any(namespace))),
            wanted,
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

/// A set of attribute names. For names longer than seven letters it may have false positives.
#[derive(Clone, Debug)]
pub(super) enum Filter {
    /// Every name.
    All,
    /// The names with these keys, as a hash table with linear probing; 0 marks a free place. Empty
    /// if the set is empty.
    Keys(Vec<u64>),
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
        match name {
            Name::Base => names.push("href"),
            Name::Meta => names.extend(["http-equiv", "content"]),
            Name::Iframe => names.extend(["src", "srcdoc"]),
            Name::Frame | Name::Embed => names.push("src"),
            Name::Object => names.push("data"),
            Name::Img | Name::Image | Name::Area => names.push("alt"),
            Name::Input => names.push("type"),
            Name::AnnotationXml => names.push("encoding"),
            _ => {}
        }
        Self::of_names(&names)
    }

    fn of_names(names: &[&str]) -> Self {
        if names.is_empty() {
            return Self::Keys(Vec::new());
        }
        // Large enough for most places to be free, so that misses are found quickly.
        let mut keys = vec![0; (4 * names.len()).next_power_of_two()];
        for name in names {
            let key = attribute_key(name.as_bytes());
            let mut place = place(key, keys.len());
            while keys[place] != 0 && keys[place] != key {
                place = (place + 1) % keys.len();
            }
            keys[place] = key;
        }
        Self::Keys(keys)
    }

    /// Whether it is empty.
    #[inline]
    pub(super) fn is_empty(&self) -> bool {
        matches!(self, Self::Keys(keys) if keys.is_empty())
    }

    /// Whether it contains the attribute's name.
    #[inline]
    pub(super) fn has(&self, attribute: Attribute) -> bool {
        let Self::Keys(keys) = self else {
            return true;
        };
        let mut place = place(attribute.key, keys.len());
        loop {
            match keys.get(place) {
                None | Some(0) => return false,
                Some(key) if *key == attribute.key => return true,
                Some(_) => place = (place + 1) & (keys.len() - 1),
            }
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
