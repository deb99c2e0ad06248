//! Words for people.

pub mod nearest;
pub mod words;
