//! The configuration of an audit, and its knowledge of the files that links lead to.

pub(crate) mod audit_context;
pub(crate) mod earlier_site;
pub(crate) mod package;
pub(crate) mod page_bytes;
pub(crate) mod shown_texts;
