//! baseref finds the base URL of saved documents (RFC 1808 §3) and resolves their links.

pub mod base;
mod comment;
pub mod document;
mod encoded_word;
pub mod html;
pub mod read;
pub mod resolve;
pub mod slots;
