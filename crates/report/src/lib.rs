//! The outputs: records in, bytes out.
//!
//! ```
//! use baseref_report::column::Selection;
//! use baseref_report::jsonl::JsonLines;
//! use baseref_report::references::{Resolved, ResolvedRow};
//! use baseref_resolve::Rules;
//!
//! let lines = JsonLines::new(&Selection::<Resolved>::default());
//! let row = ResolvedRow { base: "http://a/", raw: "x", rules: Rules::Rfc1808, url: Ok("http://a/x") };
//! let mut out = Vec::new();
//! lines.record(&row, &mut out);
//! assert!(out.starts_with(b"{\"v\":1,") && out.ends_with(b"}\n"));
//! ```
//!
//! A record type is a table of columns ([`column::Record`]) that drives every output format and the
//! documentation. A writer has a beginning, records and an end, and writes into a buffer, which cannot
//! fail.
//!
//! Internal to baseref, and versioned with it.
//!
//! # What it does not do
//!
//! It opens no files, knows no standard output and reads no clock: the same records give the same
//! bytes.

#[cfg(feature = "arrow")]
pub mod arrow;
pub mod base_text;
pub mod bases;
pub mod column;
pub mod defang;
pub mod delimited;
pub mod difference_groups;
pub mod differences;
pub mod edges;
pub mod findings;
pub mod fold;
pub mod groups;
#[cfg(feature = "arrow")]
pub mod ipc;
pub mod json;
pub mod jsonl;
mod link_row;
mod link_values;
pub mod links;
pub mod observables;
pub mod references;
pub mod row_cache;
pub mod text;
pub mod url_lines;
pub mod url_parts;
mod value;
mod windows;
mod xml;
