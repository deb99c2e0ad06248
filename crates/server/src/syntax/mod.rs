//! Configuration files in JSON and XML, with the lines of their parts.

pub(crate) mod config;
pub(crate) mod xml;
