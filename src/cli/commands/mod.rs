//! One file for each subcommand, and what those that read documents share.

pub mod base;
mod documents;
pub mod links;
pub mod resolve;
