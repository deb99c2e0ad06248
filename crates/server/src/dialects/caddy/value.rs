//! The values of expressions.

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Value {
    Null,
    Truth(bool),
    Integer(i64),
    Text(String),
    List(Vec<Value>),
}

impl Value {
    /// The number of bytes and elements in it.
    pub(super) fn length(&self) -> usize {
        match self {
            Self::Text(text) => text.len(),
            Self::List(values) => values.iter().map(|value| 1 + value.length()).sum(),
            Self::Null | Self::Truth(_) | Self::Integer(_) => 0,
        }
    }
}
