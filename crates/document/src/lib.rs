//! The plain data of a saved document: its links, every declaration of a base, and what was odd about
//! it.
//!
//! ```
//! use baseref_document::link_places::LINK_PLACES;
//!
//! // Where a URL may occur, one row per place.
//! let lists = LINK_PLACES.iter().filter(|slot| slot.attr == "srcset");
//! let lists: Vec<_> = lists.map(|slot| slot.element).collect();
//! assert_eq!(lists, ["img", "source", "amp-img", "amp-anim"]);
//! ```
//!
//! A [`Document`] says what is in a file and where, and is never changed once it is made. [`link_places`] is
//! the table of places where a URL may occur, [`ReadOptions`] says what readers are to look for and
//! within which limits, and a [`ReadError`] stands for what they could not read.
//!
//! Internal to baseref, and versioned with it.
//!
//! # What it does not do
//!
//! It reads nothing and decides nothing: which declaration gives the base, and what a reference
//! resolves to, is up to the crates above.

mod capture;
mod choice;
mod declaration;
mod document;
mod error;
mod feature;
mod identifier;
mod ledger;
#[cfg(fuzzing)]
mod ledger_features;
pub mod link_places;
mod metadata;
mod metadata_element;
mod names;
mod note;
mod options;
mod origin;
mod outline;
mod part;
mod place;
mod position;
mod recorded_sources;
mod reference;
mod retrieval;
mod section;
#[cfg(feature = "serde")]
mod serialized;
mod sink;
mod skipped;

pub use self::capture::{Capture, CaptureIds, CaptureKind, ExclusionReason, Profile};
#[doc(hidden)]
pub use self::choice::Choice;
pub use self::declaration::Declaration;
pub use self::document::{Codebase, Document, DocumentKind, InertBase, XmlBase};
pub use self::error::{Interruption, ReadError, ReadErrorCause, ReadErrorKind, ReadResult};
pub use self::feature::Feature;
pub use self::identifier::{Identifiers, Naming, RepeatedIdentifier, hash_of};
pub use self::ledger::{Allowance, Ledger, LimitReached, Work};
pub use self::metadata::{MessageFields, Metadata};
#[doc(hidden)]
pub use self::metadata_element::MetadataElement;
pub use self::names::UnknownName;
pub use self::note::{Fallback, Note, NoteCode, Reading};
pub use self::options::{Limits, ReadOptions};
pub use self::origin::{EmbeddedDocument, Origin};
#[doc(hidden)]
pub use self::outline::{Heading, Outline};
pub use self::part::{Part, PartKind, PartOf};
pub use self::place::{BaseField, Place};
pub use self::position::Position;
#[doc(hidden)]
pub use self::recorded_sources::{ElementSource, PageSource, RecordedSources};
#[doc(hidden)]
pub use self::reference::Companions;
pub use self::reference::{Context, Reference, References, ReferencesIter};
pub use self::retrieval::{Mark, MarkPlace, Retrieval};
pub use self::section::Section;
pub use self::sink::Sink;
pub use self::skipped::Skipped;
