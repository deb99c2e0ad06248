//! Files and streams to entities: one file for each format.

mod arc;
mod archive;
pub mod detect;
mod emlx;
pub mod entity;
pub mod format;
pub(crate) mod gzip;
pub mod http;
pub mod input;
#[cfg(feature = "archives")]
mod maff;
pub mod maildir;
pub mod mbox;
#[cfg(feature = "walk")]
pub mod sidecar;
pub mod split;
mod warc;
#[cfg(feature = "archives")]
mod webarchive;
mod window;
