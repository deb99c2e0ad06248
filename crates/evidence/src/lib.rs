//! Recorded facts about URLs: the captures of web archives, and the reports of link checkers and fetchers.
//!
//! [`captures`] indexes which URL was captured when, and where its redirects lead. [`link_reports`]
//! reads the output files of link checkers and fetchers, which record how servers responded.
//!
//! Internal to baseref, and versioned with it.
//!
//! # What it does not do
//!
//! It fetches nothing, opens no archive, and judges nothing: the caller decides what a dead or missing URL
//! means for a page that links to it.

pub mod captures;
pub mod link_reports;
