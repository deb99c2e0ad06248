//! Applies a policy to a document: its base and its resolved links.

pub mod archived_url;
#[cfg(feature = "whatwg")]
mod browsers;
mod document_links;
mod part_names;
#[cfg(feature = "serde")]
mod record;
mod resolved;
mod room;
#[cfg(feature = "url")]
mod to_url;

#[cfg(feature = "whatwg")]
pub use self::browsers::Browsers;
pub use self::document_links::{DocumentLinks, DocumentResolver, Link, LinkResolver, ResolvedLink};
pub use self::part_names::PartReference;
#[cfg(feature = "serde")]
pub use self::record::LinkRecord;
pub use self::resolved::Resolved;
#[cfg(feature = "url")]
pub use self::to_url::ToUrlError;
