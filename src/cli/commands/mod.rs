//! One file for each subcommand, and what those that read documents share.

pub mod audit;
pub mod base;
pub mod diff;
mod documents;
mod findings;
mod fixing;
pub mod links;
pub mod manual;
pub mod resolve;
pub mod rewrite;
pub mod verify_move;
