//! Path patterns: with stars, and with escapes, which are compared with the path as sent.

use std::borrow::Cow;

use super::state::RequestState;
use crate::engine::glob;
use crate::engine::pattern::Pattern;
use crate::engine::work::{NoAnswer, Work};
use crate::request::{escaped_beyond_ascii, merge_slashes};
use crate::rule::RuleParser;

#[derive(Debug)]
pub(super) enum PathPattern {
    Exact(String),
    Prefix(String),
    Suffix(String),
    Part(String),
    Glob(Pattern),
    /// With `//`, which is compared with the path as its slashes are.
    Slashes(Box<PathPattern>),
    /// With `%`, which is compared with the path as sent.
    Escaped(Box<EscapedPattern>),
}

impl PathPattern {
    /// A pattern in lower case, classified by the positions of its stars.
    pub(super) fn new(pattern: &str, parser: &mut RuleParser) -> Self {
        let lower = pattern.to_ascii_lowercase();
        if lower.contains('%') {
            return Self::Escaped(Box::new(EscapedPattern::new(lower, parser)));
        }
        let has_slashes = lower.contains("//");
        let inner = lower.trim_matches('*');
        let has_others = inner.contains(['*', '?', '[', '\\']);
        let (starts, ends) = (lower.starts_with('*'), lower.ends_with('*'));
        let wild = lower.len() - inner.len();
        let new = match (has_others, starts, ends) {
            _ if lower == "*" => Self::Part(String::new()),
            (false, false, false) => Self::Exact(lower),
            (false, false, true) if wild == 1 => Self::Prefix(inner.to_owned()),
            (false, true, false) if wild == 1 => Self::Suffix(inner.to_owned()),
            (false, true, true) if wild == 2 => Self::Part(inner.to_owned()),
            _ => match glob::pattern(&lower, parser) {
                Some(pattern) => Self::Glob(pattern),
                None => Self::Exact(lower),
            },
        };
        if has_slashes {
            Self::Slashes(Box::new(new))
        } else {
            new
        }
    }

    /// Whether the path of a request matches, of which `lower` is the decoded path in lower case with
    /// slashes merged.
    pub(super) fn matches(
        &self,
        lower: &str,
        state: &RequestState<'_>,
        work: &Work,
    ) -> Result<bool, NoAnswer> {
        Ok(match self {
            Self::Exact(text) => lower == text,
            Self::Prefix(text) => lower.starts_with(text),
            Self::Suffix(text) => lower.ends_with(text),
            Self::Part(text) => lower.contains(text),
            Self::Glob(pattern) => pattern.find(lower.as_bytes(), work)?.is_some(),
            Self::Slashes(pattern) => {
                work.take_text(state.path.len())?;
                let path = with_slashes(&state.path).to_ascii_lowercase();
                pattern.matches(&path, state, work)?
            }
            Self::Escaped(pattern) => {
                work.take_text(state.raw.len())?;
                let path = escaped_beyond_ascii(&state.raw).to_ascii_lowercase();
                let path = if pattern.has_slashes {
                    with_slashes(&path)
                } else {
                    merge_slashes(&path)
                };
                pattern.matches(&path, work)?
            }
        })
    }
}

/// A pattern with `%` in lower case. An escape stands for itself, `%*` for anything as sent, and the
/// rest for the decoded path.
#[derive(Debug)]
pub(super) struct EscapedPattern {
    text: String,
    pub(super) has_slashes: bool,
    /// What the text that it selects of a path must match, if not the pattern itself.
    glob: Option<Pattern>,
}

impl EscapedPattern {
    pub(super) fn new(text: String, parser: &mut RuleParser) -> Self {
        let is_glob = text.contains(['*', '?', '[', '\\']);
        Self {
            has_slashes: text.contains("//"),
            glob: is_glob
                .then(|| glob::pattern(&text.replace("%*", "*"), parser))
                .flatten(),
            text,
        }
    }

    /// Whether a path as sent, in lower case, matches.
    pub(super) fn matches(&self, path: &str, work: &Work) -> Result<bool, NoAnswer> {
        let Some(selected) = selected(self.text.as_bytes(), path.as_bytes()) else {
            return Ok(false);
        };
        match &self.glob {
            Some(glob) => Ok(glob.find(&selected, work)?.is_some()),
            None => Ok(selected == self.text.as_bytes()),
        }
    }
}

/// The text of a path that a pattern is compared with, decoded except where the pattern has an escape.
/// `None` if what follows a star is not in the path.
fn selected(pattern: &[u8], path: &[u8]) -> Option<Vec<u8>> {
    let (mut pattern, mut path) = (pattern, path);
    let mut out = Vec::new();
    while let (Some((&wanted, after)), Some(_)) = (pattern.split_first(), path.first()) {
        let (next, left) = unit(path);
        match (wanted, after.first()) {
            (b'%', Some(b)) if *b != b'*' && after.len() >= 2 => {
                // Anything but an escape is not like one.
                out.extend_from_slice(if next.len() == 3 { next } else { b"" });
                pattern = &after[2..];
                path = left;
            }
            (b'%' | b'*', _) => {
                let is_decoded = wanted == b'*';
                // All of an escape but its last digit has been passed.
                let rest = &path[next.len() - 1..];
                let after = if is_decoded {
                    after
                } else {
                    after.get(1..).unwrap_or_default()
                };
                let end = match after.first() {
                    Some(end) => memchr::memchr(*end, rest)?,
                    None => rest.len(),
                };
                let span = &rest[..end];
                let span = if is_decoded {
                    decoded(span)
                } else {
                    Cow::Borrowed(span)
                };
                out.extend_from_slice(&span);
                pattern = after;
                path = &rest[end..];
            }
            _ => {
                out.extend_from_slice(&decoded(next));
                pattern = after;
                path = left;
            }
        }
    }
    // Whatever is left of the path counts, too.
    out.extend_from_slice(&decoded(path));
    Some(out)
}

/// The first character or escape of a path, and the rest.
fn unit(path: &[u8]) -> (&[u8], &[u8]) {
    let is_escape = path.first() == Some(&b'%') && path.len() >= 3;
    path.split_at(if is_escape { 3 } else { 1 })
}

fn decoded(text: &[u8]) -> Cow<'_, [u8]> {
    percent_encoding::percent_decode(text).into()
}

/// A path without dot segments, and with its slashes as they are.
pub(super) fn with_slashes(path: &str) -> String {
    let rest = path.strip_prefix('/').unwrap_or(path);
    let (rest, end) = match rest.strip_suffix('/') {
        Some(rest) => (rest, "/"),
        None => (rest, ""),
    };
    let mut segments: Vec<&str> = Vec::new();
    for segment in rest.split('/') {
        match segment {
            "." => {}
            ".." => drop(segments.pop()),
            segment => segments.push(segment),
        }
    }
    let cleaned = format!("/{}", segments.join("/"));
    let end = if segments.is_empty() { "" } else { end };
    cleaned + end
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_stand_for_themselves() {
        for (pattern, path, expected) in [
            ("/a%20b", "/a%20b", Some("/a%20b")),
            ("/a%20b", "/a%20bc", Some("/a%20bc")),
            ("/a%2fb", "/a/b", Some("/ab")),
            ("/%62%20", "/b%20", Some("/%20")),
            ("/a%20*", "/a%20b%62", Some("/a%20bb")),
            ("/a%20/%*/c", "/a%20/%62/c", Some("/a%20/2/c")),
            ("/a%20*x", "/a%20b", None),
        ] {
            let got = selected(pattern.as_bytes(), path.as_bytes());
            let expected = expected.map(|text| text.as_bytes().to_vec());
            assert_eq!(got, expected, "{pattern} {path}");
        }
    }

    #[test]
    fn repeated_slashes_are_segments() {
        for (path, cleaned) in [
            ("/a//b", "/a//b"),
            ("/a//../b//", "/a/b//"),
            ("//", "//"),
            ("/", "/"),
            ("/a/.//b/", "/a//b/"),
        ] {
            assert_eq!(with_slashes(path), cleaned, "{path}");
        }
    }
}
