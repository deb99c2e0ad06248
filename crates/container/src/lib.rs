//! Files and streams to entities, with one module per format.
//!
//! An [`entity::Entity`] is a page, a message or a resource as stored, with the bases that its
//! container declares for it. [`opening::open`] detects the format of an input and gives its entities
//! one by one, each in memory, none of them read further.

mod arc;
mod archive;
#[cfg(feature = "archives")]
mod budget;
pub mod detect;
mod emlx;
pub mod entity;
pub mod format;
pub mod gzip;
mod gzip_layers;
mod har;
pub mod http;
pub mod input;
pub mod maildir;
pub mod mbox;
#[cfg(feature = "archives")]
mod nested;
pub mod nesting;
pub mod opening;
#[cfg(feature = "archives")]
mod section;
#[cfg(feature = "archives")]
mod single_file;
pub mod split;
mod warc;
#[cfg(feature = "archives")]
mod webarchive;
mod window;
#[cfg(feature = "archives")]
mod zip_file;
