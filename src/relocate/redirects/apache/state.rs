//! What a request has become on its way through the server.

use crate::relocate::redirects::request::Request;

/// A request as it moves through the server.
#[derive(Clone, Debug)]
pub(super) struct State<'u> {
    pub(super) request: Request<'u>,
    /// Decoded and tidied.
    pub(super) uri: Vec<u8>,
    pub(super) args: Option<String>,
    /// Whether the server asks itself, for the index of a directory.
    pub(super) is_subrequest: bool,
    /// How many internal redirects led here.
    pub(super) internal: usize,
    /// Whether a rule with `END` has been taken.
    pub(super) has_ended: bool,
}

pub(super) fn trim_slash(path: &[u8]) -> &[u8] {
    match path.strip_suffix(b"/") {
        Some(bare) if !bare.is_empty() => bare,
        _ => path,
    }
}
