//! Joins the two halves: applies a policy to a document to get its base and its resolved links.

pub mod archived_url;
mod browsers;
mod extraction;
mod part_names;
mod resolved;
mod room;

pub use self::browsers::Browsers;
pub use self::extraction::{Extraction, Extractor, Link, ResolvedLink, Resolving, extract};
pub use self::part_names::Named;
pub use self::resolved::Resolved;
