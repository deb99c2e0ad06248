//! Applies a policy to a document: its base and its resolved links.

pub mod archived_url;
mod browsers;
mod document_links;
mod part_names;
mod resolved;
mod room;

pub use self::browsers::Browsers;
pub use self::document_links::{DocumentLinks, DocumentResolver, Link, LinkResolver, ResolvedLink};
pub use self::part_names::PartReference;
pub use self::resolved::Resolved;
