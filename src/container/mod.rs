//! Files and streams to entities, with one module per format.

mod arc;
mod archive;
#[cfg(feature = "archives")]
mod budget;
pub mod detect;
mod emlx;
pub mod entity;
pub mod format;
pub(crate) mod gzip;
mod har;
pub mod http;
pub mod input;
#[cfg(feature = "archives")]
mod inside;
pub mod maildir;
pub mod mbox;
pub(crate) mod nesting;
pub mod opening;
mod packed;
#[cfg(feature = "archives")]
mod section;
#[cfg(feature = "walk")]
pub mod sidecar;
#[cfg(feature = "archives")]
mod single_file;
pub mod split;
mod warc;
#[cfg(feature = "archives")]
mod webarchive;
mod window;
#[cfg(feature = "archives")]
mod zip_file;
