//! Messages in files of their own.

pub(crate) mod emlx;
pub mod maildir;
pub mod mbox;
pub(crate) mod mbx;
pub(crate) mod message;
#[cfg(feature = "archives")]
pub(crate) mod outlook;
#[cfg(feature = "archives")]
pub(crate) mod store;
