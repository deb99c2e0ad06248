//! The state of a request being processed.

use super::assignments::Variables;
use crate::request::Request;

/// A request being processed by the server.
#[derive(Clone, Debug)]
pub(super) struct RequestState<'u> {
    pub(super) request: Request<'u>,
    /// The virtual host that answers.
    pub(super) host: Option<usize>,
    /// Decoded and normalized.
    pub(super) uri: Vec<u8>,
    pub(super) args: Option<String>,
    /// The path of its file below the root, as far as it has been looked up.
    pub(super) file: Option<Vec<u8>>,
    /// Whether it is a subrequest, for the index of a directory or a fallback.
    pub(super) is_subrequest: bool,
    /// How many subrequests led here.
    pub(super) depth: usize,
    /// How many internal redirects led here.
    pub(super) internal: usize,
    /// Whether a rule with `END` has been taken.
    pub(super) has_ended: bool,
    pub(super) variables: Variables,
}

impl RequestState<'_> {
    /// A subrequest for a path.
    pub(super) fn subrequest(&self, uri: Vec<u8>) -> Self {
        Self {
            uri,
            is_subrequest: true,
            depth: self.depth + 1,
            has_ended: false,
            ..self.clone()
        }
    }
}

pub(super) fn trim_slash(path: &[u8]) -> &[u8] {
    match path.strip_suffix(b"/") {
        Some(bare) if !bare.is_empty() => bare,
        _ => path,
    }
}
