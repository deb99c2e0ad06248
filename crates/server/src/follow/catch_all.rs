//! Servers that answer with one page for every missing address.

use crate::request::{Files, Request};
use crate::rule::Answer;
use crate::rule_file::RuleFile;

/// A name that no page can be expected to have.
const NO_PAGE: &str = "baseref-asks-for-what-is-not-there";

/// Whether `path` is a page that the server returns for any last segment of the address: the fallback of
/// a single-page application, or the start page that Cloudflare serves without a `404.html`.
pub(super) fn is_page_for_all(url: &str, path: &[u8], rules: &RuleFile, files: &dyn Files) -> bool {
    let Some(request) = Request::from_url(url) else {
        return false;
    };
    let asked = request.decoded_path();
    let asked = asked.strip_suffix(b"index.html").unwrap_or(&asked);
    let rest = path.strip_prefix(asked.strip_suffix(b"/").unwrap_or(asked));
    if rest.is_some_and(|rest| matches!(rest, b"" | b".html" | b".htm" | b"/index.html")) {
        return false;
    }
    let whole = request.path.strip_suffix('/').unwrap_or(request.path);
    let (folder, name) = whole.rsplit_once('/').unwrap_or(("", whole));
    let extension = name.rsplit_once('.').map_or("", |(_, extension)| extension);
    let dot = if extension.is_empty() { "" } else { "." };
    let slash = &request.path[whole.len()..];
    let other = format!("{folder}/{NO_PAGE}{dot}{extension}{slash}");
    let other = Request {
        path: &other,
        ..request
    };
    let answer = rules.answer(&other, files);
    matches!(answer, Answer::File { path: same, status, .. } if same == path && status < 400)
}
