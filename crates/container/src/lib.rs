//! Turns files and streams into entities: pages, messages and resources.
//!
//! ```
//! use baseref_container::{Format, Input, Reader, open};
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
//! assert_eq!(Format::from_content(mailbox.as_bytes()), Some(Format::Mbox));
//! let entities = open(input, &Limits::default())?.into_entities();
//! let origins: Result<Vec<_>, _> = entities.map(|found| found.map(|one| one.origin.to_string())).collect();
//! assert_eq!(origins?, ["box#1", "box#2"]);
//! # Ok::<(), baseref_document::ReadError>(())
//! ```
//!
//! An [`Entity`] is a page, a message or a resource as stored, with the bases that its container
//! declares for it. [`open`] detects the format of an input and yields its entities one by one,
//! each in memory and not yet parsed. [`split`] divides a large input.
//!
//! Internal to baseref, and versioned with it.
//!
//! # What it does not do
//!
//! It opens no files by name and parses no entities: the crate `baseref-reader` reads their links
//! and bases.

mod archives;
mod codings;
mod contents;
mod detect;
mod documents;
mod entity;
mod entry_table;
mod format;
mod input;
mod mail;
#[cfg(feature = "archives")]
mod member_url;
mod nesting;
mod open;
mod package;
pub mod split;
mod table;
#[cfg(feature = "archives")]
mod zim;
#[cfg(feature = "archives")]
mod zip;

pub use self::archives::digest::Digest;
pub use self::archives::har_bodies::{BodyError, with_bodies};
pub use self::archives::http;
pub use self::archives::wacz_list::listed_packages;
pub use self::codings::layers::is_compressed;
pub use self::contents::{Container, Contents, Entities, MemberContents};
pub use self::detect::{FormatRow, HEAD};
pub use self::entity::{Entity, EntityKind};
pub use self::entry_table::{EntryTable, EntryTarget, Rewriting};
pub use self::format::Format;
pub use self::input::{Input, ReadSeek, Reader};
pub use self::mail::{maildir, mbox};
pub use self::nesting::{INFLATED_TOO_MUCH, Nesting};
pub use self::open::{is_recognised, open, open_attached, open_site, open_with_deleted};
pub use self::package::{Package, with_slashes};
pub use self::table::formats_as_markdown;
#[cfg(feature = "archives")]
pub use self::zip::unpacked::packed;
