//! The interface of the servers that rules configure.

use std::fmt;

use crate::engine::work::Work;
use crate::request::{Files, Request};
use crate::rule::{Answer, Rule};

/// One request with the inputs of its answer.
#[derive(Clone, Copy)]
pub(crate) struct Visit<'v> {
    pub(crate) request: &'v Request<'v>,
    /// The files of the site.
    pub(crate) files: &'v dyn Files,
    /// The rules of the file, in order.
    pub(crate) rules: &'v [Rule],
    /// The budget of this answer.
    pub(crate) work: &'v Work,
}

/// A server with its rules.
pub(crate) trait Responder: fmt::Debug + Send + Sync {
    fn answer(&self, visit: &Visit<'_>) -> Answer;

    /// Whether the server may have an answer of its own for a path, decoded and normalized.
    fn may_answer(&self, _path: &[u8]) -> bool {
        true
    }

    /// Whether it serves every page at its path without `.html`, too.
    fn serves_without_extension(&self) -> bool {
        false
    }

    /// Whether a request reaches the virtual server that a rule belongs to. A file without virtual
    /// servers is reached by every request.
    fn reaches_rule(&self, _rule: usize, _request: &Request<'_>) -> bool {
        true
    }
}
