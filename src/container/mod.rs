//! Files and streams to entities: one file for each format.

mod arc;
mod archive;
pub mod detect;
mod emlx;
pub mod entity;
mod gzip;
pub mod http;
pub mod input;
mod maff;
pub mod maildir;
pub mod mbox;
pub mod sidecar;
mod warc;
mod webarchive;
mod window;
