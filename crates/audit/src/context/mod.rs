//! What an audit checks, and what it has learned about the files that links lead to.

pub(crate) mod audit_context;
pub(crate) mod package;
pub(crate) mod page_bytes;
