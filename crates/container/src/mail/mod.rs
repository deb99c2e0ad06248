//! Messages in files of their own.

pub(crate) mod cms;
pub(crate) mod emlx;
pub(crate) mod json;
pub mod maildir;
pub mod mbox;
pub(crate) mod mbx;
pub(crate) mod message;
pub(crate) mod mime;
#[cfg(feature = "archives")]
pub(crate) mod outlook;
#[cfg(feature = "archives")]
pub(crate) mod store;
