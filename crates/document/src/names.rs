//! Values by their names in reports, both ways.

use std::fmt;
use std::str::FromStr;

use crate::link_places::Class;
use crate::{DocumentKind, Fallback, NoteCode, ReadErrorKind};

/// Nothing of its kind has the name.
///
/// ```
/// use baseref_document::link_places::Class;
///
/// assert_eq!("anchor".parse(), Ok(Class::Anchor));
/// let unknown = "ankle".parse::<Class>().expect_err("there is no such class");
/// assert_eq!(unknown.to_string(), "no class is called \"ankle\"");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct UnknownName {
    /// What kind of thing was named, in words.
    pub kind: &'static str,
    /// The name.
    pub name: Box<str>,
}

impl UnknownName {
    #[doc(hidden)]
    #[must_use]
    pub fn new(kind: &'static str, name: &str) -> Self {
        Self {
            kind,
            name: name.into(),
        }
    }
}

impl fmt::Display for UnknownName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "no {} is called {:?}", self.kind, self.name)
    }
}

impl std::error::Error for UnknownName {}

/// Prints values as their names, and parses those names.
macro_rules! names {
    ($($type:ident, $kind:literal;)+) => {
        $(
            impl fmt::Display for $type {
                fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                    f.pad(self.as_str())
                }
            }

            #[doc = concat!("By the names of [`", stringify!($type), "::as_str`].")]
            impl FromStr for $type {
                type Err = UnknownName;

                fn from_str(name: &str) -> Result<Self, UnknownName> {
                    let mut all = Self::ALL.iter().copied();
                    all.find(|value| value.as_str() == name)
                        .ok_or_else(|| UnknownName::new($kind, name))
                }
            }
        )+
    };
}

names! {
    Class, "class";
    DocumentKind, "kind of document";
    NoteCode, "note";
    Fallback, "reason for building a tree";
    ReadErrorKind, "kind of error";
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Asserts that each value is parsed from what it prints, and that no two print the same.
    fn assert_roundtrip<T>(all: &[T])
    where
        T: Copy + fmt::Debug + fmt::Display + FromStr + PartialEq,
        T::Err: fmt::Debug + PartialEq,
    {
        for value in all {
            assert_eq!(value.to_string().parse(), Ok(*value));
        }
    }

    #[test]
    fn every_name_is_parsed_as_its_value() {
        assert_roundtrip(&Class::ALL);
        assert_roundtrip(DocumentKind::ALL);
        assert_roundtrip(NoteCode::ALL);
        assert_roundtrip(Fallback::ALL);
        assert_roundtrip(ReadErrorKind::ALL);
    }
}
