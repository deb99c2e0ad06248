//! Header fields and their values, in mail and HTTP alike.

pub mod comment;
pub mod date;
pub mod encoded_word;
pub mod field;
pub mod media_type;
pub mod wrapped_url;
