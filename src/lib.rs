//! baseref finds the base URL of saved documents (RFC 1808 §3) and resolves their links.
//!
//! # Architecture
//!
//! Bytes become entities, entities become documents, documents extractions, extractions
//! records, records bytes. Each noun is born in one place and nothing is passed back.
//! Imports run downward only:
//!
//! ```text
//! 6 cli/        argv to library values; opens inputs, the only threads, chooses the exit code
//! 5 report/     the closed set of outputs: records in, bytes out
//! 4 extract     a document and a policy to its base and its resolved links
//!   part_names  which part of its message a URL names
//! 3 base/       RFC 1808 §3: a stack of declarations to one base that knows its source
//!   read/       bytes to entities to documents, one file for each format; only read/mail names mailparse
//!   html/       an HTML document's bytes to a document; the only place that names html5ever
//!   css         CSS to the URLs in it; the only place that names cssparser
//! 2 document    the plain data that readers hand over
//! 1 slots       the table of places where a URL may stand
//!   archived_url  the URL that a web archive's URL holds
//!   resolve/    what a reference means against a base; only resolve/whatwg names the url crate
//! ```
//!
//! What never happens:
//! - `resolve` uses nothing else of this crate and does no I/O.
//! - A reader decides nothing: it neither resolves a reference nor chooses a base.
//! - Nothing below `cli` knows clap, threads, the environment, the clock, standard output
//!   or standard error.
//! - No type of a parser stands in a public signature.
//! - No writer of a report uses another one.
//! - No hash map lies on the way to the output, no time and no absolute path stands in it.
//!
//! # Use
//!
//! ```
//! use baseref::base::Policy;
//! use baseref::document::Origin;
//! use baseref::extract::extract;
//! use baseref::read::{Entity, ReadOptions, documents};
//!
//! let page = br#"<base href="http://a/b/c"><a href="../x">Reset</a>"#;
//! let entity = Entity::html(Origin::of_input("page.html"), page.to_vec());
//! let mut urls = Vec::new();
//! documents(entity, &ReadOptions::default(), &mut |found| {
//!     let document = found.expect("a page of plain ASCII can be read");
//!     extract(&document, Policy::default(), &mut |extraction| {
//!         extraction.links(|link| urls.push(link.url.map(str::to_owned)));
//!     });
//! });
//! assert_eq!(urls, [Ok("http://a/x".to_owned())]);
//! ```

pub mod archived_url;
pub mod base;
pub mod cli;
mod comment;
mod css;
pub mod document;
mod encoded_word;
pub mod extract;
pub mod findings;
pub mod html;
mod part_names;
pub mod read;
pub mod report;
pub mod resolve;
pub mod slots;
mod vector;
mod wrapped_url;

/// The examples of the README are run with those of the documentation.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
