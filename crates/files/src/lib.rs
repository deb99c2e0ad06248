//! Every file that a run reads or writes.
//!
//! ```
//! use baseref_files::{Files, Role};
//!
//! // A run that writes nothing.
//! let files = Files::default();
//! let text = files.read_text("Cargo.toml".as_ref(), Role::Configuration)?;
//! assert!(text.contains("baseref-files"));
//! assert!(files.conflict().is_none());
//! # Ok::<(), std::io::Error>(())
//! ```
//!
//! A run first declares what it will write, when its [`Files`] is made. Every file that it then opens or
//! lists is compared with these outputs, by identity and not by name, and a run that would replace an
//! input ends before it writes anything. Files are opened, listed and created only here:
//! `tests/architecture` rejects the functions of the standard library everywhere else, so that a
//! command added later cannot bypass it.
//!  A program without a file system passes its files in as a [`Store`]: [`Files::from_store`].
//!
//! Internal to baseref, and versioned with it.
//!
//! # What it does not do
//!
//! It knows no formats and reads no content. Which files a run wants is up to the caller.

pub mod commit;
mod declared;
mod failed;
pub mod folder;
pub mod globs;
mod identity;
mod ledger;
mod name;
pub mod output;
mod role;
mod scratch;
mod signals;
mod store;
mod target;
mod temporary;
pub mod terminal;
pub mod url_filter;
mod watched;

pub use self::declared::{DeclaredOutput, OutputGoal};
pub use self::failed::OutputError;
pub use self::identity::FileId;
pub use self::ledger::{Entry, EntryKind, ExaminedFile, FileUse, Files, read_link};
pub use self::name::name_bytes;
pub use self::role::{OutputConflict, Role};
pub use self::scratch::Scratch;
pub use self::store::{OpenFile, ReadSeek, Store};
