//! Helpers for messages.

pub mod nearest;
pub mod words;
