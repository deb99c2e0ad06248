//! A document and a policy to its base and its resolved links: where what stands in a file
//! meets what a URL means.

pub mod archived_url;
mod extraction;
mod part_names;
mod resolved;

pub use self::extraction::{Extraction, Extractor, Link, ResolvedLink, Resolving, extract};
pub use self::part_names::Named;
pub use self::resolved::Resolved;
