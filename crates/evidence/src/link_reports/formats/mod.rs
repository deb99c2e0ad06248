//! The parsers of the formats, one per file.

pub(super) mod cdx;
pub(super) mod curl;
mod error_messages;
pub(super) mod json_lines;
pub(super) mod linkchecker;
pub(super) mod lychee;
pub(super) mod table;
