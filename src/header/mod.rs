//! Values of header fields, in mail and HTTP alike.

pub(crate) mod comment;
pub(crate) mod date;
pub(crate) mod encoded_word;
pub(crate) mod media_type;
pub(crate) mod wrapped_url;
