//! What a row has in a column, as the type that it is there: it becomes a [`Cell`] or JSON without a
//! detour over the other.

use std::borrow::Cow;
use std::ops::Range;

use super::column::Cell;
use super::json::{push_number, push_string};

/// A column that writes its own cells as JSON, for columns that are written for every link. Both ways
/// to have a cell follow from one [`Value`].
macro_rules! column {
    ($name:literal, $kind:ident, $presence:ident, $doc:expr, |$row:ident| $value:expr) => {
        $crate::column::Column {
            name: $name,
            kind: $crate::column::CellKind::$kind,
            presence: $crate::column::Presence::$presence,
            doc: $doc,
            get: |$row| $crate::value::Value::into_cell($value),
            write: Some(|$row, is_chosen, out| {
                let value = $value;
                let presence = $crate::column::Presence::$presence;
                if $crate::value::Value::is_absent(&value) && presence.is_left_out(is_chosen) {
                    return;
                }
                out.extend_from_slice(concat!(",\"", $name, "\":").as_bytes());
                $crate::value::Value::push(&value, out);
            }),
        }
    };
}
pub(crate) use column;

/// Appends a value as a member of a JSON object, unless it is absent: `key` is `,"NAME":`.
#[inline]
pub(crate) fn push_member<'r>(key: &'static str, value: &impl Value<'r>, out: &mut Vec<u8>) {
    if !value.is_absent() {
        out.extend_from_slice(key.as_bytes());
        value.push(out);
    }
}

/// What a row has in a column. `None` of an [`Option`] is null.
pub(crate) trait Value<'r> {
    /// Whether the column does not apply to the row.
    #[inline]
    fn is_absent(&self) -> bool {
        false
    }

    fn into_cell(self) -> Cell<'r>;

    /// Appends it as JSON.
    fn push(&self, out: &mut Vec<u8>);
}

impl<'r> Value<'r> for &'r str {
    fn into_cell(self) -> Cell<'r> {
        Cell::text(self)
    }

    #[inline]
    fn push(&self, out: &mut Vec<u8>) {
        push_string(self, out);
    }
}

impl<'r> Value<'r> for Cow<'r, str> {
    fn into_cell(self) -> Cell<'r> {
        Cell::Text(self)
    }

    #[inline]
    fn push(&self, out: &mut Vec<u8>) {
        push_string(self, out);
    }
}

impl Value<'_> for u64 {
    fn into_cell(self) -> Cell<'static> {
        Cell::Number(self)
    }

    #[inline]
    fn push(&self, out: &mut Vec<u8>) {
        push_number(*self, out);
    }
}

impl Value<'_> for Range<u64> {
    fn into_cell(self) -> Cell<'static> {
        Cell::Range(self.start, self.end)
    }

    #[inline]
    fn push(&self, out: &mut Vec<u8>) {
        out.push(b'[');
        push_number(self.start, out);
        out.push(b',');
        push_number(self.end, out);
        out.push(b']');
    }
}

impl<'r, V: Value<'r>> Value<'r> for Option<V> {
    fn into_cell(self) -> Cell<'r> {
        self.map_or(Cell::Null, V::into_cell)
    }

    #[inline]
    fn push(&self, out: &mut Vec<u8>) {
        match self {
            Some(value) => value.push(out),
            None => out.extend_from_slice(b"null"),
        }
    }
}

/// A name of ours, in which nothing needs escaping.
pub(crate) struct Name(pub(crate) &'static str);

impl Value<'_> for Name {
    fn into_cell(self) -> Cell<'static> {
        Cell::text(self.0)
    }

    #[inline]
    fn push(&self, out: &mut Vec<u8>) {
        out.push(b'"');
        out.extend_from_slice(self.0.as_bytes());
        out.push(b'"');
    }
}

/// What only some rows have: `None` is absent, not null.
pub(crate) struct WhereKnown<V>(pub(crate) Option<V>);

impl<'r, V: Value<'r>> Value<'r> for WhereKnown<V> {
    #[inline]
    fn is_absent(&self) -> bool {
        self.0.is_none()
    }

    fn into_cell(self) -> Cell<'r> {
        self.0.map_or(Cell::Absent, V::into_cell)
    }

    #[inline]
    fn push(&self, out: &mut Vec<u8>) {
        self.0.push(out);
    }
}
