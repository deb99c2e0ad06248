//! Bytes to text, and values to the URLs in them.
//!
//! ```
//! use baseref_document::link_places::Grammar;
//! use baseref_text::grammar;
//!
//! let value = "small.png 1x, large.png 2x";
//! let urls: Vec<_> = grammar::urls(Grammar::Srcset, value).map(|range| &value[range]).collect();
//! assert_eq!(urls, ["small.png", "large.png"]);
//! ```
//!
//! [`decode`] turns bytes into text, and offsets in the text back into bytes, lines and columns.
//! [`grammar`] finds the URLs in a value: `srcset`, `refresh`, CSS, JSON, running text. [`header`]
//! reads the values of header fields: media types, comments, encoded words.
//!
//! On its own it serves programs that want the URLs in an attribute, a header field or a line of text,
//! with their exact ranges.
//!
//! Internal to baseref, and versioned with it.
//!
//! # What it does not do
//!
//! It does not parse documents: `baseref-html` reads the elements of a page, and `baseref-reader` the
//! parts of a message. It resolves nothing.

pub mod decode;
pub mod grammar;
pub mod header;
