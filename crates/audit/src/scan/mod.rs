//! The first pass: scans one document after another.

pub(crate) mod document;
pub(crate) mod inclusions;
pub(crate) mod links;
pub(crate) mod missing_choices;
pub(crate) mod saved_parts;
