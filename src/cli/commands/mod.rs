//! One module per subcommand, and the code shared by those that read documents.

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
