//! Files and streams to entities, with one module per format.
//!
//! ```
//! use baseref_container::detect::Format;
//! use baseref_container::input::{Input, Reader};
//! use baseref_container::opening::open;
//! use baseref_document::Limits;
//!
//! let mailbox = "From a@b Fri Jan 27 10:00:00 2017\nSubject: 1\n\none\n\n\
//!     From a@b Fri Jan 27 10:00:01 2017\nSubject: 2\n\ntwo\n";
//! let input = Input {
//!     name: "box".into(),
//!     reader: Reader::Stream(Box::new(mailbox.as_bytes())),
//!     size: None,
//!     format: None,
//!     format_of_name: None,
//!     named: true,
//!     declarations: Vec::new(),
//! };
//! assert_eq!(Format::of_content(mailbox.as_bytes()), Some(Format::Mbox));
//! let entities = open(input, &Limits::default())?.into_entities();
//! let origins: Result<Vec<_>, _> = entities.map(|found| found.map(|one| one.origin.to_string())).collect();
//! assert_eq!(origins?, ["box#1", "box#2"]);
//! # Ok::<(), baseref_document::ReadError>(())
//! ```
//!
//! An [`entity::Entity`] is a page, a message or a resource as stored, with the bases that its
//! container declares for it. [`opening::open`] detects the format of an input and gives its entities
//! one by one, each in memory, none of them read further. [`split`] divides a large input.
//!
//! Outside baseref it serves whatever has to take mailboxes, web archives, MHTML, HAR or zips apart
//! without knowing beforehand what a file is, under limits on everything a hostile file can inflate.
//!
//! # What it does not do
//!
//! It opens no files by name and reads no entity: links and bases are the crate `baseref-reader`'s.

mod arc;
mod archive;
#[cfg(feature = "archives")]
mod budget;
mod capture;
mod delivery;
pub mod detect;
mod emlx;
pub mod entity;
pub mod format;
pub mod gzip;
mod gzip_layers;
mod har;
pub mod http;
pub mod input;
pub mod maildir;
pub mod mbox;
#[cfg(feature = "archives")]
mod nested;
pub mod nesting;
pub mod opening;
pub mod package;
mod pages;
#[cfg(feature = "archives")]
mod section;
#[cfg(feature = "archives")]
mod single_file;
pub mod split;
mod warc;
#[cfg(feature = "archives")]
mod webarchive;
mod window;
#[cfg(feature = "archives")]
mod zip_file;
#[cfg(feature = "archives")]
mod zstd;
