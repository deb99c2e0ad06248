//! Documents without markup: plain text and style sheets.

mod flowed;
pub mod plain;
pub mod style_sheet;
