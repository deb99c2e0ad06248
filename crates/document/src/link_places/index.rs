//! Finds the rows of the chosen classes, and the rows for places outside elements.

use std::sync::LazyLock;

use super::table::LINK_PLACES;
use super::types::{CONTENT, Class, Classes, Condition, Grammar, LinkPlace, Namespace};

/// The row of a header field, by its name in any case; `None` if the field holds no URL.
#[must_use]
pub fn header_field_row(name: &[u8]) -> Option<&'static LinkPlace> {
    field_row(Namespace::Message, name)
}

/// The row of an HTTP response header field, as for [`header_field_row`].
#[must_use]
pub fn response_field_row(name: &[u8]) -> Option<&'static LinkPlace> {
    field_row(Namespace::Response, name)
}

/// The row of the `Link` field for a link with these relation types, separated by white space.
#[must_use]
pub fn link_field_row(rel: &str) -> Option<&'static LinkPlace> {
    static ROWS: LazyLock<Vec<&'static LinkPlace>> = LazyLock::new(|| {
        let rows = rows_of(Class::Header).into_iter();
        let is_link = |row: &&LinkPlace| row.namespace == Namespace::Response && row.attr == "Link";
        rows.filter(is_link).collect()
    });
    let is_met = |row: &&&LinkPlace| match row.condition {
        Condition::Word(_, types) => rel
            .split_ascii_whitespace()
            .any(|own| types.iter().any(|known| own.eq_ignore_ascii_case(known))),
        _ => true,
    };
    ROWS.iter().find(is_met).copied()
}

fn field_row(namespace: Namespace, name: &[u8]) -> Option<&'static LinkPlace> {
    static FIELDS: LazyLock<Vec<&'static LinkPlace>> = LazyLock::new(|| rows_of(Class::Header));
    let mut fields = FIELDS.iter().copied();
    fields
        .find(|slot| slot.namespace == namespace && slot.attr.as_bytes().eq_ignore_ascii_case(name))
}

/// The row of HTML's `style` element; a stand-alone style sheet is reported as one.
#[must_use]
pub fn style_sheet_row() -> Option<&'static LinkPlace> {
    static SHEET: LazyLock<Option<&'static LinkPlace>> = LazyLock::new(|| {
        let mut slots = LINK_PLACES.iter();
        slots.find(|slot| slot.element == "style" && slot.attr == CONTENT)
    });
    *SHEET
}

/// The row of a property or parameter of a calendar, its name in lower case; `None` if it holds no
/// URL.
#[must_use]
pub fn calendar_row(name: &str) -> Option<&'static LinkPlace> {
    static ROWS: LazyLock<Vec<&'static LinkPlace>> = LazyLock::new(|| rows_in_mail("calendar"));
    ROWS.iter().copied().find(|slot| slot.attr == name)
}

/// The only row of Internet shortcuts.
#[must_use]
pub fn shortcut_row() -> Option<&'static LinkPlace> {
    static ROWS: LazyLock<Vec<&'static LinkPlace>> = LazyLock::new(|| rows_in_mail("shortcut"));
    ROWS.first().copied()
}

/// The row of plain text, and of the text of an HTML body.
#[must_use]
pub fn plain_text_row() -> Option<&'static LinkPlace> {
    text_row("text")
}

/// The row of the hidden text of an HTML body.
#[must_use]
pub fn hidden_text_row() -> Option<&'static LinkPlace> {
    text_row("hidden-text")
}

fn text_row(element: &str) -> Option<&'static LinkPlace> {
    static TEXTS: LazyLock<Vec<&'static LinkPlace>> = LazyLock::new(|| rows_of(Class::Text));
    TEXTS.iter().find(|slot| slot.element == element).copied()
}

fn rows_in_mail(element: &str) -> Vec<&'static LinkPlace> {
    let is_one =
        |slot: &&LinkPlace| slot.namespace == Namespace::Message && slot.element == element;
    LINK_PLACES.iter().filter(is_one).collect()
}

pub(super) fn rows_of(class: Class) -> Vec<&'static LinkPlace> {
    LINK_PLACES
        .iter()
        .filter(|slot| slot.class == class)
        .collect()
}

/// The rows of the chosen classes, by element.
///
/// Built once per run; a look-up allocates nothing and compares a few short names at most.
#[derive(Clone, Debug)]
pub struct LinkPlaceSelection {
    /// Sorted by [`bucket`] of the name.
    elements: Vec<SelectedElement>,
    /// For each bucket the range in `elements`.
    buckets: [(usize, usize); BUCKETS],
    /// For each namespace the rows that hold for any element.
    pub(super) any: [Vec<&'static LinkPlace>; Namespace::ALL.len()],
}

#[derive(Clone, Debug)]
struct SelectedElement {
    namespace: Namespace,
    name: &'static str,
    /// Its own rows, then those that hold for any element.
    slots: Vec<&'static LinkPlace>,
}

const BUCKETS: usize = 32;

/// The first letter of a name, in either case.
fn bucket(name: &str) -> usize {
    name.bytes()
        .next()
        .map_or(0, |first| usize::from(first) % BUCKETS)
}

impl LinkPlaceSelection {
    /// The rows of these classes and, in any case, of places that hold whole documents
    /// ([`Grammar::Html`]), which have links of every class.
    #[must_use]
    pub fn new(classes: Classes) -> Self {
        Self::from_fn(|slot| classes.contains(slot.class) || slot.grammar == Grammar::Html)
    }

    /// The rows for which `is_wanted` holds.
    #[must_use]
    pub fn from_fn(is_wanted: impl Fn(&LinkPlace) -> bool) -> Self {
        let wanted = |slot: &&LinkPlace| is_wanted(slot);
        let any = Namespace::ALL.map(|namespace| {
            LINK_PLACES
                .iter()
                .filter(wanted)
                .filter(|slot| slot.element == "*" && slot.namespace == namespace)
                .collect::<Vec<_>>()
        });
        let mut elements: Vec<SelectedElement> = Vec::new();
        for slot in LINK_PLACES
            .iter()
            .filter(wanted)
            .filter(|slot| slot.element != "*")
        {
            let known = elements
                .iter_mut()
                .find(|known| known.namespace == slot.namespace && known.name == slot.element);
            match known {
                Some(element) => element.slots.push(slot),
                None => elements.push(SelectedElement {
                    namespace: slot.namespace,
                    name: slot.element,
                    slots: vec![slot],
                }),
            }
        }
        for element in &mut elements {
            element.slots.extend(&any[element.namespace as usize]);
        }
        elements.sort_by_key(|element| bucket(element.name));
        let first_from = |letter| elements.partition_point(|element| bucket(element.name) < letter);
        let buckets = std::array::from_fn(|letter| (first_from(letter), first_from(letter + 1)));
        Self {
            elements,
            buckets,
            any,
        }
    }

    /// The rows that can match an element, in the order of the table; empty for nearly every
    /// element when few classes are wanted.
    ///
    /// `element` is its local name in any case: HTML's tokenizer gives `textpath` for SVG's
    /// `textPath`.
    #[must_use]
    pub fn rows(&self, namespace: Namespace, element: &str) -> &[&'static LinkPlace] {
        match self.number(namespace, element) {
            Some(number) => &self.elements[number].slots,
            None => self.rows_of_any(namespace),
        }
    }

    /// The 0-based number of an element that has rows of its own; its name in any case.
    #[must_use]
    pub fn number(&self, namespace: Namespace, element: &str) -> Option<usize> {
        let (start, end) = self.buckets[bucket(element)];
        let mut elements = self.elements[start..end].iter();
        let is_it = |known: &SelectedElement| {
            known.namespace == namespace && known.name.eq_ignore_ascii_case(element)
        };
        elements.position(is_it).map(|number| start + number)
    }

    /// For each element that has rows of its own, in the order of their numbers, the rows that can
    /// match it.
    pub fn numbered_rows(&self) -> impl Iterator<Item = &[&'static LinkPlace]> {
        self.elements.iter().map(|element| &*element.slots)
    }

    /// The rows that can match any other element.
    #[must_use]
    pub fn rows_of_any(&self, namespace: Namespace) -> &[&'static LinkPlace] {
        &self.any[namespace as usize]
    }
}
