//! `web.config` of IIS: the rules of its URL Rewrite module, `httpRedirect` and the names of default
//! documents, by the configuration reference of Microsoft. No server was measured.
//!
//! A redirect ends processing with or without `stopProcessing`. File names are compared byte by byte,
//! which is stricter than the server.

mod form;
mod model;
mod read;
mod run;

pub(crate) use form::FORM;
pub(crate) use read::read;
