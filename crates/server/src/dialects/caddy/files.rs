//! The files of a site: where `root` says they are, and what `file` and `try_files` find.

use std::fmt::Write;

use super::caddyfile::Directive;
use super::placeholder::Purpose;
use super::root::Root;
use super::state::{RequestState, last_name};
use crate::engine::work::Work;
use crate::request::{Files, tidy};
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
    let served = || {
        let mut servers = block.iter().filter(|one| one.name() == "file_server");
        servers.find_map(|one| own(one.block.as_deref()?))
    };
    let inner = || {
        let blocks = block.iter().filter(|one| !one.name().starts_with('@'));
        let mut blocks = blocks.filter_map(|one| one.block.as_deref());
        blocks.find_map(site_of)
    };
    let site = own(block).or_else(served).or_else(inner)?;
    Some(site.strip_suffix('/').unwrap_or(&site).to_owned())
}

/// The files that a `file` matcher or `try_files` looks for.
#[derive(Debug)]
pub(super) struct Candidates {
    names: Vec<String>,
    /// Whether the last name counts without being looked for.
    takes_last: bool,
    root: Option<Root>,
}

/// What a search for files has found.
pub(super) enum Found {
    /// The path of a file or folder, relative to the root.
    File(String),
    Nothing,
    /// An error with this status instead of a file.
    Error(u16),
}

impl Candidates {
    /// The names of a matcher's line and block; `None` if it has options that are not read.
    pub(super) fn new(
        arguments: &[String],
        block: &[Directive],
        site: Option<&str>,
    ) -> Option<Self> {
        let mut out = Self {
            names: arguments.to_vec(),
            takes_last: false,
            root: None,
        };
        for line in block {
            match (line.name(), line.arguments()) {
                ("try_files", names) => out.names.extend_from_slice(names),
                ("try_policy" | "policy", [policy]) => match policy.as_str() {
                    "first_exist" => {}
                    "first_exist_fallback" => out.takes_last = true,
                    _ => return None,
                },
                ("root", [path]) => {
                    out.root = Some(Root::from_directive(site, path, line.line));
                }
                _ => return None,
            }
        }
        let is_glob = |name: &String| {
            let path = name.split('?').next().unwrap_or(name);
            path.contains(['*', '['])
        };
        (!out.names.iter().any(is_glob)).then_some(out)
    }

    /// The names of `try_files`, in runs that are looked for one after the other: a name with a query
    /// is a run of its own, with its query.
    pub(super) fn runs(self) -> Vec<(Self, String)> {
        let mut runs: Vec<(Self, String)> = Vec::new();
        let mut is_open = false;
        for name in self.names {
            let new = |name: &str| Self {
                names: vec![name.to_owned()],
                takes_last: self.takes_last,
                root: self.root.clone(),
            };
            match (name.find('?'), runs.last_mut()) {
                (Some(at), _) => {
                    runs.push((new(&name[..at]), name[at..].to_owned()));
                    is_open = false;
                }
                (None, Some((run, _))) if is_open => run.names.push(name),
                (None, _) => {
                    runs.push((new(&name), String::new()));
                    is_open = true;
                }
            }
        }
        runs
    }

    /// The first of the names that exists below the root, as a folder if it ends in a slash and as a
    /// file otherwise; without names, the path itself is looked for. `None` if a placeholder is not
    /// known or a limit is reached; the error is the line of a `root` outside the site.
    pub(super) fn first(
        &self,
        state: &RequestState<'_>,
        files: &dyn Files,
        work: &Work,
    ) -> Option<Result<Found, usize>> {
        let own = ["{path}".to_owned()];
        let names = if self.names.is_empty() {
            &own[..]
        } else {
            &self.names
        };
        for (number, name) in names.iter().enumerate() {
            work.take(TRYING_STEPS).ok()?;
            if let Some(status) = name.strip_prefix('=').and_then(|code| code.parse().ok()) {
                return Some(Ok(Found::Error(status)));
            }
            let path = state.filled(name, Purpose::Other, work)?;
            let cleaned = tidy(path.as_bytes()).unwrap_or_else(|| b"/".to_vec());
            let mut cleaned = String::from_utf8_lossy(&cleaned).into_owned();
            let file = match self.root.as_ref().unwrap_or(&state.root).path(&cleaned) {
                Ok(file) => file,
                Err(line) => return Some(Err(line)),
            };
            let bare = file.strip_suffix('/').unwrap_or(&file).as_bytes();
            // A slash from a placeholder does not ask for a folder.
            let wants_folder = name.ends_with('/');
            let is_found = self.takes_last && number + 1 == names.len()
                || if wants_folder {
                    files.is_directory(bare)
                } else {
                    files.is_file(bare)
                };
            if is_found {
                if !wants_folder && cleaned.len() > 1 && cleaned.ends_with('/') {
                    cleaned.pop();
                }
                return Some(Ok(Found::File(cleaned)));
            }
        }
        Some(Ok(Found::Nothing))
    }
}

/// Whether the last segments of the original path and of the current one are equal.
pub(super) fn is_base_of_both(state: &RequestState<'_>) -> bool {
    base(&state.original) == base(&state.path)
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
pub(super) fn canonical_redirect(to: &str, state: &RequestState<'_>) -> Answer {
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
