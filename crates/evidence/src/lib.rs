//! What others have recorded of URLs: the captures of web archives, and the reports of link checkers
//! and fetchers.
//!
//! [`captures`] indexes which URL was captured when, and where its redirects lead. [`link_reports`]
//! reads the files in which link checkers and fetchers say how servers answered.
//!
//! Internal to baseref, and versioned with it.
//!
//! # What it does not do
//!
//! It fetches nothing, opens no archive, and judges nothing: what a dead or missing URL means for the
//! page that links to it is up to the caller.

pub mod captures;
pub mod link_reports;
