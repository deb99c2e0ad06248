//! Documents without markup: plain text and style sheets.

mod flowed;
pub(crate) mod plain;
pub(crate) mod style_sheet;
