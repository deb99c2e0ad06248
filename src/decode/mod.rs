//! Bytes to text: which encoding a document is in, and how positions in its text map back to its
//! bytes.

pub(crate) mod encoding;
pub(crate) mod line;
pub(crate) mod position;
mod prescan;
pub(crate) mod sniff;
pub(crate) mod source;
pub(crate) mod transfer;
