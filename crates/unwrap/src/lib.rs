//! Finds the real target of a wrapped link, offline.
//!
//! Mail-security services rewrite every link of a message, newsletters count clicks, and sites send
//! visitors out through redirectors. Many of these URLs contain their target. This crate unwraps them,
//! layer by layer:
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
//! A wrapper is recognised by exact rules for its host and path ([`table()`]), never by a substring, nor
//! because a query happens to contain a URL. Wrappers that do not contain their target, such as link
//! shorteners, are named, and the chain ends there with a reason ([`End`]). A target is decoded completely
//! or not at all: no partial URL is returned.
//!
//! Outside baseref it is useful wherever links are judged: in mail filters, archives and feed readers.
//!
//! # What it does not do
//!
//! It fetches nothing, so it follows no redirects of servers. It neither judges URLs nor removes tracking
//! parameters nor normalizes anything: the URL is returned as it was wrapped.

mod built_in;
mod chain;
mod coding;
mod custom;
mod end;
mod extract;
mod index;
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
pub use self::wrapper::{Coding, Failure, Family, TargetLocation, Wrapper};

/// The maximum number of wrappers around a URL.
pub const MAX_DEPTH: usize = 8;

/// The longest URL that is unwrapped, in bytes.
pub const MAX_URL: usize = 64 * 1024;

/// The maximum size of a decompressed target, in bytes.
pub const MAX_INFLATED: usize = 64 * 1024;
