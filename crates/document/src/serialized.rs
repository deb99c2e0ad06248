//! Plain data for serde, with the field names of JSON Lines.

use std::num::NonZeroU32;

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::link_places::Class;
use crate::{
    DocumentKind, Fallback, Note, NoteCode, Origin, Place, Position, ReadErrorKind, Section,
};

/// Values as their names.
macro_rules! as_names {
    ($($type:ident)+) => {
        $(
            impl Serialize for $type {
                fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                    serializer.serialize_str(self.as_str())
                }
            }

            impl<'de> Deserialize<'de> for $type {
                fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                    let name = String::deserialize(deserializer)?;
                    name.parse().map_err(D::Error::custom)
                }
            }
        )+
    };
}

as_names! { Class DocumentKind Fallback NoteCode ReadErrorKind }

/// Values as they print. They are not parsed: the text of a place or origin says less than they do.
macro_rules! as_texts {
    ($($type:ident)+) => {
        $(
            impl Serialize for $type {
                fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                    serializer.collect_str(self)
                }
            }
        )+
    };
}

as_texts! { Origin Place Section }

#[derive(Serialize, Deserialize)]
struct PositionFields {
    line: NonZeroU32,
    column: NonZeroU32,
    byte: [u64; 2],
}

/// `{"line":1,"column":4,"byte":[3,7]}`.
impl Serialize for Position {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let fields = PositionFields {
            line: self.line,
            column: self.column,
            byte: [self.byte.start, self.byte.end],
        };
        fields.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Position {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let PositionFields { line, column, byte } = Deserialize::deserialize(deserializer)?;
        Ok(Self::new(line, column, byte[0]..byte[1]))
    }
}

#[derive(Serialize, Deserialize)]
struct NoteFields<T> {
    code: NoteCode,
    detail: T,
    line: Option<NonZeroU32>,
}

/// `{"code":"charset","detail":"...","line":null}`.
impl Serialize for Note {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let fields = NoteFields {
            code: self.code,
            detail: self.detail.as_str(),
            line: self.line,
        };
        fields.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Note {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let NoteFields::<String> { code, detail, line } = Deserialize::deserialize(deserializer)?;
        Ok(Self::new(code, detail).at_line(line))
    }
}
