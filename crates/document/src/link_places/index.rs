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
/// Made by one look at each row; a look-up allocates nothing and compares a few short names at most.
#[derive(Clone, Debug)]
pub struct LinkPlaceSelection {
    /// Whether each row is wanted.
    rows: [bool; ROWS],
    /// Whether each element has a row of its own that is wanted.
    elements: [bool; ROWS],
}

const ROWS: usize = LINK_PLACES.len();

/// The rows of each element, found while compiling. Rows are numbered by their order in the table,
/// and elements by their first rows; [`NONE`] ends a list.
struct ElementIndex {
    /// The first element of each [`bucket`].
    buckets: [u16; BUCKETS],
    /// For each element the next one of its bucket.
    next_elements: [u16; ROWS],
    /// For each element its first row.
    first_rows: [u16; ROWS],
    /// For each row the next one of the same element.
    next_rows: [u16; ROWS],
    /// For each row its element; [`NONE`] if it holds for any.
    elements: [u16; ROWS],
    /// For each namespace the first row that holds for any element.
    any: [u16; Namespace::ALL.len()],
}

const NONE: u16 = u16::MAX;

const BUCKETS: usize = 32;

static INDEX: ElementIndex = ElementIndex::new();

impl ElementIndex {
    #[expect(clippy::cast_possible_truncation, reason = "the table has fewer rows")]
    const fn new() -> Self {
        assert!(ROWS < NONE as usize, "a row has no number");
        let mut index = Self {
            buckets: [NONE; BUCKETS],
            next_elements: [NONE; ROWS],
            first_rows: [NONE; ROWS],
            next_rows: [NONE; ROWS],
            elements: [NONE; ROWS],
            any: [NONE; Namespace::ALL.len()],
        };
        let mut count = 0;
        // From the last row, so that each one is put before those that follow it.
        let mut row = ROWS;
        while row > 0 {
            row -= 1;
            let LinkPlace {
                namespace, element, ..
            } = LINK_PLACES[row];
            if matches!(element.as_bytes(), b"*") {
                index.next_rows[row] = index.any[namespace as usize];
                index.any[namespace as usize] = row as u16;
                continue;
            }
            let bucket = bucket(element);
            let mut number = index.buckets[bucket];
            while number != NONE && !index.is_element(number, namespace, element) {
                number = index.next_elements[number as usize];
            }
            if number == NONE {
                number = count;
                count += 1;
                index.next_elements[number as usize] = index.buckets[bucket];
                index.buckets[bucket] = number;
            }
            index.elements[row] = number;
            index.next_rows[row] = index.first_rows[number as usize];
            index.first_rows[number as usize] = row as u16;
        }
        index
    }

    /// Whether an element has this namespace and, in any case, this name.
    const fn is_element(&self, number: u16, namespace: Namespace, name: &str) -> bool {
        let row = &LINK_PLACES[self.first_rows[number as usize] as usize];
        row.namespace as usize == namespace as usize && row.element.eq_ignore_ascii_case(name)
    }

    /// The rows from a number on.
    fn rows_from(&self, first: u16) -> impl Iterator<Item = usize> {
        let number = |row: u16| (row != NONE).then_some(usize::from(row));
        std::iter::successors(number(first), move |row| number(self.next_rows[*row]))
    }
}

/// The first letter of a name, in either case.
const fn bucket(name: &str) -> usize {
    match name.as_bytes() {
        [first, ..] => *first as usize % BUCKETS,
        [] => 0,
    }
}

impl LinkPlaceSelection {
    /// One more than the highest [`LinkPlaceSelection::number`].
    pub const NUMBERS: usize = ROWS;

    /// The rows of these classes and, in any case, of places that hold whole documents
    /// ([`Grammar::Html`]), which have links of every class.
    #[must_use]
    pub fn new(classes: Classes) -> Self {
        Self::from_fn(|slot| classes.contains(slot.class) || slot.grammar == Grammar::Html)
    }

    /// The rows for which `is_wanted` holds.
    #[must_use]
    pub fn from_fn(is_wanted: impl Fn(&LinkPlace) -> bool) -> Self {
        let mut selection = Self {
            rows: std::array::from_fn(|row| is_wanted(&LINK_PLACES[row])),
            elements: [false; ROWS],
        };
        for (is_wanted, element) in selection.rows.iter().zip(INDEX.elements) {
            if *is_wanted && element != NONE {
                selection.elements[usize::from(element)] = true;
            }
        }
        selection
    }

    /// The rows that can match an element: its own, then those that hold for any element, each in the
    /// order of the table. There are none for nearly every element when few classes are wanted.
    ///
    /// `element` is its local name in any case: HTML's tokenizer gives `textpath` for SVG's
    /// `textPath`.
    pub fn rows(
        &self,
        namespace: Namespace,
        element: &str,
    ) -> impl Iterator<Item = &'static LinkPlace> {
        let number = self.number(namespace, element);
        let first = number.map_or(NONE, |number| INDEX.first_rows[number]);
        self.wanted_from(first).chain(self.rows_of_any(namespace))
    }

    /// The 0-based number of an element that has rows of its own; its name in any case. It is the same
    /// in every selection.
    #[must_use]
    pub fn number(&self, namespace: Namespace, element: &str) -> Option<usize> {
        let mut number = INDEX.buckets[bucket(element)];
        while number != NONE && !INDEX.is_element(number, namespace, element) {
            number = INDEX.next_elements[usize::from(number)];
        }
        let is_wanted = self.elements.get(usize::from(number))?;
        is_wanted.then_some(usize::from(number))
    }

    /// The rows that can match any other element.
    pub fn rows_of_any(&self, namespace: Namespace) -> impl Iterator<Item = &'static LinkPlace> {
        self.wanted_from(INDEX.any[namespace as usize])
    }

    /// Every row, in the order of the table.
    pub fn all_rows(&self) -> impl Iterator<Item = &'static LinkPlace> {
        let rows = LINK_PLACES.iter().zip(&self.rows);
        rows.filter_map(|(slot, is_wanted)| is_wanted.then_some(slot))
    }

    fn wanted_from(&self, first: u16) -> impl Iterator<Item = &'static LinkPlace> {
        let wanted = INDEX.rows_from(first).filter(|row| self.rows[*row]);
        wanted.map(|row| &LINK_PLACES[row])
    }
}
