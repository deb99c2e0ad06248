//! baseref finds the base URL of saved documents (RFC 1808 §3) and resolves their links.
//!
//! # Architecture
//!
//! Bytes become entities, entities become documents, documents extractions, extractions
//! records, records bytes. Each noun is born in one place and nothing is passed back.
//! Imports run downward only:
//!
//! ```text
//! 9 cli/        argv to library values, those to one of the commands; chooses the exit code
//! 8 walk/       paths to inputs in a fixed order, with the URLs they were retrieved from
//!   outfile/    files that a run writes: the old one stands until the new one is whole
//!   run/        the only threads: inputs in, results out in input order
//! 7 report/     the closed set of outputs: records in, bytes out
//! 6 extract/    a document and a policy to its base and its resolved links
//! 5 read        entities to documents: chooses the reader of each kind
//!   base/       RFC 1808 §3: a stack of declarations to one base that knows its source
//! 4 container/  files and streams to entities, one file for each format
//! 3 mail/       a message to its documents; the only place that names mailparse
//! 2 html/       an HTML document's bytes to a document; the only place that names html5ever
//!   text/       plain text and style sheets to documents
//! 1 decode/     bytes to text, and offsets in the text back to bytes, lines and columns
//!   grammar/    the value of a place to the URLs in it: srcset, refresh, CSS, JSON, running text
//!   header/     values of header fields
//! 0 error       what cannot be read
//!   options     what is wanted of an input, how far to go, by which rules
//!   document/   the plain data that readers hand over
//!   slots/      the table of places where a URL may stand
//!   resolve/    what a reference means against a base; only resolve/whatwg names the url crate
//! ```
//!
//! What never happens:
//! - `resolve` uses nothing else of this crate and does no I/O.
//! - A reader decides nothing: it neither resolves a reference nor chooses a base.
//! - Nothing below `cli` knows clap, the environment, the clock, standard output (but for
//!   `outfile`) or standard error; nothing but `run` has threads for the work.
//! - No type of a parser stands in a public signature.
//! - No writer of a report uses another one.
//! - No hash map lies on the way to the output, no time and no absolute path stands in it.
//!
//! # Use
//!
//! ```
//! use baseref::container::entity::Entity;
//! use baseref::document::Origin;
//! use baseref::extract::extract;
//! use baseref::options::{Policy, ReadOptions};
//! use baseref::read::documents;
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

#[cfg(feature = "audit")]
pub mod audit;
pub mod base;
#[cfg(feature = "cli")]
pub mod cli;
pub mod container;
mod decode;
pub mod document;
mod documents;
pub mod error;
pub mod extract;
#[cfg(feature = "audit")]
pub mod findings;
mod grammar;
mod header;
pub mod html;
pub mod mail;
pub mod options;
#[cfg(feature = "cli")]
pub mod outfile;
pub mod read;
#[cfg(feature = "audit")]
pub mod relocate;
#[cfg(feature = "report")]
pub mod report;
pub mod resolve;
pub mod run;
mod simd;
#[cfg(feature = "audit")]
pub mod site;
pub mod slots;
mod text;
#[cfg(feature = "walk")]
pub mod walk;

pub use self::base::{Base, BaseSource};
pub use self::document::{Document, Note, Origin, Position, Reference};
pub use self::documents::{Documents, read_bytes, read_from, read_html, read_path};
pub use self::error::{ReadError, ReadErrorKind};
pub use self::extract::{Resolved, ResolvedLink};
pub use self::options::{Limits, Policy, ReadOptions};
pub use self::resolve::{ResolveError, Rules, resolve};
pub use self::slots::{Class, Classes};

/// The examples of the README are run with those of the documentation.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
