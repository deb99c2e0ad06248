//! Where a wrapped link really leads, worked out offline.
//!
//! Mail security services rewrite the links of every message, newsletters count clicks, and sites
//! send their visitors out through redirectors. Many of these URLs contain the one they stand for.
//! This crate opens them, one layer after the other:
//!
//! ```
//! use baseref_unwrap::Unwrapper;
//!
//! let unwrapper = Unwrapper::default();
//! let link = "https://nam02.safelinks.protection.outlook.com/?url=https%3A%2F%2Furldefense.com\
//!             %2Fv3%2F__https%3A%2F%2Fa.example%2F*top__%3BIw!!k!s%24&data=05";
//! let unwrapped = unwrapper.unwrap(link);
//! let names: Vec<_> = unwrapped.steps.iter().map(|step| step.wrapper).collect();
//! assert_eq!(names, ["safelinks", "proofpoint-v3"]);
//! assert_eq!(unwrapped.final_url(), "https://a.example/#top");
//! ```
//!
//! A wrapper is known by exact rules for its host and path ([`table()`]), never by a substring, and
//! never because a query happens to contain a URL. Those that do not contain their target, such as
//! link shorteners, are named, and the chain ends there with a reason ([`End`]). What cannot be
//! decoded completely is not decoded at all: there is no partial URL.
//!
//! Outside baseref it serves whatever judges links: mail filters, archives, feed readers.
//!
//! # What it does not do
//!
//! It never fetches anything, so it follows no redirect that only a server knows. It does not judge
//! URLs, remove tracking parameters or normalize anything: the URL comes back as it was wrapped.

mod chain;
mod coding;
mod custom;
mod end;
mod extract;
mod index;
mod known;
mod lookalike;
mod pattern;
mod request;
mod rows;
pub mod share;
mod table;
mod target;
mod wrapper;

pub use self::chain::{Step, Unwrapped, Unwrapper};
pub use self::custom::{Custom, CustomCoding, CustomError};
pub use self::end::End;
pub use self::table::table;
pub use self::wrapper::{Coding, Failure, Family, Take, Wrapper};

/// How many wrappers a URL is unwrapped from.
pub const MAX_DEPTH: usize = 8;

/// The longest URL that is unwrapped, in bytes.
pub const MAX_URL: usize = 64 * 1024;

/// To how many bytes the compressed part of a URL may inflate.
pub const MAX_INFLATED: usize = 64 * 1024;
