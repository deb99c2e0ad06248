//! The rows of the table of places by element, and of which attributes they are, as the reader
//! of tags asks for them: at once.

use std::borrow::Cow;
use std::sync::OnceLock;

use super::names::{self, Name};
use super::tokenizer::{Attribute, attribute_key};
use crate::slots::{
    CONTENT, Class, Classes, Condition, Namespace, RelativeTo, SLOTS, Slot, Wanted,
};

/// The rows of an element.
#[derive(Clone, Debug, Default)]
pub(super) struct Rows {
    /// Those of its attributes.
    pub(super) attributes: Vec<Row>,
    /// Those of its text.
    pub(super) contents: Vec<&'static Slot>,
}

/// A row of an attribute, and the number of its name.
#[derive(Clone, Copy, Debug)]
pub(super) struct Row {
    /// See [`attribute_key`].
    key: u64,
    /// A bit for each row of the same attribute, this one included.
    alike: u64,
    pub(super) slot: &'static Slot,
}

impl Rows {
    fn of(slots: &[&'static Slot]) -> Self {
        let is_content = |slot: &&&'static Slot| slot.attr == CONTENT;
        let of_attributes = slots.iter().filter(|slot| !is_content(slot));
        let is_alike = |attr| {
            let rows = of_attributes.clone().enumerate();
            let alike = rows.filter(move |(_, slot)| slot.attr == attr);
            alike.fold(0, |bits, (index, _)| bits | 1 << index)
        };
        let row = |slot: &&'static Slot| Row {
            key: attribute_key(slot.attr.as_bytes()),
            alike: is_alike(slot.attr),
            slot,
        };
        Self {
            attributes: of_attributes.clone().map(row).collect(),
            contents: slots.iter().filter(is_content).copied().collect(),
        }
    }

    /// The rows of an attribute; none if `done`, a bit for each row, has them already: of
    /// attributes of one name the first counts.
    #[inline]
    pub(super) fn of_attribute(
        &self,
        attribute: Attribute,
        source: &str,
        done: &mut u64,
    ) -> impl Iterator<Item = &'static Slot> {
        let is_it = |row: &Row| {
            row.key == attribute.key
                // Another name may have the key of a long one.
                && (row.slot.attr.len() < 8
                    || attribute.name.of(source).eq_ignore_ascii_case(row.slot.attr))
        };
        let first = self.attributes.iter().position(is_it);
        let rows = first.map_or(&[][..], |first| &self.attributes[first..]);
        let alike = rows.first().map_or(0, |row| row.alike & !*done);
        *done |= alike;
        let rows = rows.iter().filter(move |row| row.alike == alike);
        rows.map(|row| row.slot)
    }
}

/// The rows for a choice of classes.
#[derive(Debug)]
pub(super) struct Tables {
    wanted: Wanted,
    /// By the number of the HTML element's name.
    listed: [(Rows, Filter); names::COUNT],
}

/// The rows for a choice of classes, made once.
pub(super) fn tables(classes: Classes) -> &'static Tables {
    const CHOICES: usize = 1 << Class::ALL.len();
    static TABLES: [OnceLock<Box<Tables>>; CHOICES] = [const { OnceLock::new() }; CHOICES];
    let chosen = Class::ALL
        .into_iter()
        .filter(|class| classes.contains(*class));
    let choice = chosen.fold(0, |choice, class| choice | 1 << class as usize);
    TABLES[choice].get_or_init(|| Box::new(Tables::new(classes)))
}

impl Tables {
    fn new(classes: Classes) -> Self {
        let wanted = Wanted::new(classes);
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
        Self { wanted, listed }
    }

    /// The rows of an element, its name in any case.
    pub(super) fn of(&self, namespace: Namespace, local_name: &str) -> Cow<'_, Rows> {
        match (namespace, Name::of(local_name.as_bytes())) {
            (_, Name::Other) => Cow::Owned(Rows::of(self.wanted.of(namespace, local_name))),
            (Namespace::Html, name) => Cow::Borrowed(self.of_listed(name)),
            (_, _) => Cow::Owned(Rows::of(self.wanted.of(namespace, local_name))),
        }
    }

    /// The rows of an HTML element of that name, which is none of the others.
    #[inline]
    pub(super) fn of_listed(&self, name: Name) -> &Rows {
        &self.listed[name as usize].0
    }

    /// Which attributes of an HTML element the rows of that name, and the readers, look at.
    #[inline]
    pub(super) fn filter(&self, name: Name) -> &Filter {
        &self.listed[name as usize].1
    }
}

/// The rows of HTML elements whose names are no [`Name`]s, all of them.
fn of_others(wanted: &Wanted) -> impl Iterator<Item = &'static Slot> {
    SLOTS.iter().filter(|slot| {
        let mut rows = wanted.of(Namespace::Html, slot.element).iter();
        Name::of(slot.element.as_bytes()) == Name::Other
            && rows.any(|row| std::ptr::eq(*row, *slot))
    })
}

/// A set of attribute names; of names longer than seven letters it may hold more than were put
/// in.
#[derive(Clone, Debug)]
pub(super) struct Filter {
    /// A bit for each of the keys.
    bits: [u64; 4],
    /// None if it holds everything.
    keys: Vec<u64>,
}

impl Filter {
    /// Every name.
    pub(super) const ALL: &'static Self = &Self {
        bits: [!0; 4],
        keys: Vec::new(),
    };

    /// What rows of an element of that name look at, and what is looked at for the element itself.
    fn of(name: Name, slots: impl Iterator<Item = &'static Slot>) -> Self {
        let mut filter = Self {
            bits: [0; 4],
            keys: Vec::new(),
        };
        for slot in slots {
            if slot.attr != CONTENT {
                filter.add(slot.attr);
            }
            if slot.relative_to == RelativeTo::Codebase {
                filter.add("codebase");
            }
            match slot.condition {
                Condition::Always => {}
                Condition::Attribute(attr, _) => filter.add(attr),
                Condition::Type(_) | Condition::StyleSheet => filter.add("type"),
                Condition::Property(_) => {
                    for attr in Condition::PROPERTY {
                        filter.add(attr);
                    }
                }
            }
        }
        match name {
            Name::Base => filter.add("href"),
            Name::Img | Name::Image | Name::Area => filter.add("alt"),
            Name::Input => filter.add("type"),
            Name::AnnotationXml => filter.add("encoding"),
            _ => {}
        }
        filter
    }

    fn add(&mut self, name: &str) {
        let key = attribute_key(name.as_bytes());
        if !self.has_key(key) {
            let (word, bit) = Self::place(key);
            self.bits[word] |= bit;
            self.keys.push(key);
        }
    }

    /// Whether it holds nothing.
    #[inline]
    pub(super) fn is_empty(&self) -> bool {
        self.keys.is_empty() && self.bits[0] == 0
    }

    /// Whether it holds the attribute's name.
    #[inline]
    pub(super) fn has(&self, attribute: Attribute) -> bool {
        self.has_key(attribute.key)
    }

    #[inline]
    fn has_key(&self, key: u64) -> bool {
        let (word, bit) = Self::place(key);
        self.bits[word] & bit != 0 && (self.keys.is_empty() || self.keys.contains(&key))
    }

    /// The word and the bit in it for a name's number.
    #[inline]
    fn place(key: u64) -> (usize, u64) {
        let hash = key.wrapping_mul(0x9E37_79B9_7F4A_7C15);
        ((hash >> 62) as usize, 1 << (hash >> 56 & 63))
    }
}
