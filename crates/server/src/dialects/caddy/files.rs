//! The files of a site: where `root` says they are, what `file` and `try_files` find, and what
//! `file_server` answers.

use std::fmt::Write;

use super::caddyfile::Directive;
use super::hidden::Hidden;
use super::root::Root;
use super::state::{RequestState, last_name};
use crate::engine::work::Work;
use crate::request::{Files, file_above, tidy};
use crate::rule::Answer;

/// The cost of looking for a file by one of several names.
const TRYING_STEPS: usize = 4;

/// The path on the server's disk that counts as the root of a site: the first `root` without a matcher,
/// or else the first one in its blocks.
pub(super) fn site_of(block: &[Directive]) -> Option<String> {
    let path = |directive: &Directive| match directive.arguments() {
        [path] => Some(path.clone()),
        [matcher, path] if matcher == "*" => Some(path.clone()),
        _ => None,
    };
    let own = |block: &[Directive]| {
        let mut roots = block.iter().filter(|one| one.name() == "root");
        roots.find_map(path)
    };
    let inner = || {
        let blocks = block.iter().filter(|one| !one.name().starts_with('@'));
        let mut blocks = blocks.filter_map(|one| one.block.as_deref());
        blocks.find_map(site_of)
    };
    let site = own(block).or_else(inner)?;
    Some(site.strip_suffix('/').unwrap_or(&site).to_owned())
}

/// The names that a `file` matcher looks for; `None` if it uses another policy.
pub(super) fn names_of(arguments: &[String], block: &[Directive]) -> Option<Vec<String>> {
    let mut names = arguments.to_vec();
    for inner in block {
        match inner.name() {
            "try_files" => names.extend_from_slice(inner.arguments()),
            "try_policy" if inner.arguments() == ["first_exist"] => {}
            _ => return None,
        }
    }
    let has_status = names.iter().any(|name| name.starts_with('='));
    (!has_status).then_some(names)
}

/// The first of these names that exists below the root, as a folder if it ends in a slash and as a file
/// otherwise; without names, the path itself is tried. `None` if a placeholder is not known or a limit
/// is reached; the error is the line of a `root` outside the site.
pub(super) fn first_of(
    names: &[String],
    state: &RequestState<'_>,
    files: &dyn Files,
    work: &Work,
) -> Option<Result<Option<String>, usize>> {
    let own = ["{path}".to_owned()];
    let names = if names.is_empty() { &own[..] } else { names };
    for name in names {
        work.take(TRYING_STEPS).ok()?;
        let filled = state.filled(name, work)?;
        let (path, query) = match filled.split_once('?') {
            Some((path, query)) if name.contains('?') => (path, Some(query)),
            _ => (filled.as_str(), None),
        };
        let cleaned = tidy(path.as_bytes()).unwrap_or_else(|| b"/".to_vec());
        let mut cleaned = String::from_utf8_lossy(&cleaned).into_owned();
        let file = match state.root.path(&cleaned) {
            Ok(file) => file,
            Err(line) => return Some(Err(line)),
        };
        let bare = file.strip_suffix('/').unwrap_or(&file).as_bytes();
        // A slash from a placeholder does not ask for a folder.
        let wants_folder = name
            .split('?')
            .next()
            .is_some_and(|name| name.ends_with('/'));
        let is_found = if wants_folder {
            files.is_directory(bare)
        } else {
            files.is_file(bare)
        };
        if is_found {
            if !wants_folder && cleaned.len() > 1 && cleaned.ends_with('/') {
                cleaned.pop();
            }
            if let Some(query) = query {
                cleaned = format!("{cleaned}?{query}");
            }
            return Some(Ok(Some(cleaned)));
        }
    }
    Some(Ok(None))
}

/// The answer of the file server; the error is the line of a `root` outside the site.
pub(super) fn served(
    state: &RequestState<'_>,
    root: &Root,
    index: &[String],
    hidden: &Hidden,
    files: &dyn Files,
    work: &Work,
) -> Result<Answer, usize> {
    let rule = state.rule;
    let refused = |status| Ok(Answer::Refused { status, rule });
    if state.path.contains('\0') {
        return refused(400);
    }
    let file = root.path(&state.path)?;
    let bare = file.strip_suffix('/').unwrap_or(&file);
    let (path, is_index) = if files.is_file(bare.as_bytes()) {
        if hidden.hides(bare, work)? {
            return refused(404);
        }
        (bare.to_owned(), false)
    } else {
        let names = index.iter().map(|name| format!("{bare}/{name}"));
        let mut shown = None;
        for name in names.filter(|name| files.is_file(name.as_bytes())) {
            if !hidden.hides(&name, work)? {
                shown = Some(name);
                break;
            }
        }
        match shown {
            Some(name) => (name, true),
            None if file_above(bare.as_bytes(), files).is_some() => return refused(400),
            None => return refused(404),
        }
    };
    // Only an unrewritten path is redirected to add or remove its final slash.
    if base(&state.original) == base(&state.path) {
        if is_index && !state.original.ends_with('/') {
            return Ok(redirect(&format!("{}/", state.original), state));
        }
        if let Some(bare) = state.original.strip_suffix('/').filter(|_| !is_index) {
            return Ok(redirect(bare, state));
        }
    }
    Ok(Answer::File {
        path: path.into_bytes(),
        status: 200,
        rule,
    })
}

/// The last segment of a path, ignoring a final slash (`path.Base`).
fn base(path: &str) -> &str {
    last_name(path.trim_end_matches('/'))
}

/// A path as Go escapes it in a redirect.
fn escaped(path: &str) -> String {
    let mut out = String::with_capacity(path.len());
    for byte in path.bytes() {
        if byte.is_ascii_graphic() {
            out.push(char::from(byte));
        } else {
            // Writing to a string does not fail.
            let _ = write!(out, "%{byte:02x}");
        }
    }
    out
}

/// A redirect to another path of the site, which keeps the query. The path is cleaned and starts with a
/// single slash.
fn redirect(to: &str, state: &RequestState<'_>) -> Answer {
    let cleaned = tidy(to.as_bytes()).unwrap_or_else(|| b"/".to_vec());
    let cleaned = String::from_utf8_lossy(&cleaned).into_owned();
    let query = match state.query.as_deref() {
        Some(query) if !query.is_empty() => format!("?{query}"),
        _ => String::new(),
    };
    Answer::Redirect {
        status: 308,
        location: format!("{}{query}", escaped(&cleaned)),
        rule: None,
    }
}
