//! One module per subcommand, and what those that read documents share.

mod audit_fix;
pub mod base;
pub mod checks;
pub mod diff;
mod documents;
mod findings;
mod fixing;
pub mod links;
pub mod manual;
pub mod resolve;
pub mod rewrite;
mod saved_page;
