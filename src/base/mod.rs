//! The base URL of a document (RFC 1808 §3).

pub mod field;
