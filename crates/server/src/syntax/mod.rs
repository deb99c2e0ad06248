//! Configuration files in common syntaxes, whose parts know their lines.

pub(crate) mod config;
pub(crate) mod xml;
