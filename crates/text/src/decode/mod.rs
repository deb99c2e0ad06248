//! Bytes to text: which encoding a document is in, and how positions in its text map back to its
//! bytes.

mod detection;
pub mod encoding;
pub mod line;
pub mod position;
mod prescan;
pub mod sniff;
pub mod source;
pub mod transfer;
pub mod utf_7;
pub mod xml_root;
