//! Values of header fields, in mail and HTTP alike.

pub mod comment;
pub mod date;
pub mod encoded_word;
pub mod media_type;
pub mod wrapped_url;
