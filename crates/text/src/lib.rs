//! Bytes to text, and values to the URLs in them.
//!
//! [`decode`] turns bytes into text, and offsets in the text back into bytes, lines and columns.
//! [`grammar`] finds the URLs in a value: `srcset`, `refresh`, CSS, JSON, running text. [`header`]
//! reads the values of header fields: media types, comments, encoded words.

pub mod decode;
pub mod grammar;
pub mod header;
pub mod simd;
