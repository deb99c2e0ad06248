//! A request as modified by handlers.

use std::sync::Arc;

use percent_encoding::percent_decode_str;

use super::root::Root;
use super::variables::{Map, Variables};
use crate::engine::pattern::{Groups, Pattern};
use crate::engine::work::{NoAnswer, Work};
use crate::request::{Request, merge_slashes, tidy};

/// A request as modified by handlers.
pub(super) struct RequestState<'r> {
    pub(super) request: Request<'r>,
    /// Decoded.
    pub(super) path: String,
    /// As sent, or as rewritten.
    pub(super) raw: String,
    pub(super) query: Option<String>,
    /// The captures of regular expressions, by placeholder name.
    pub(super) captures: Vec<(String, String)>,
    pub(super) rule: Option<usize>,
    /// The decoded path before any change.
    pub(super) original: String,
    pub(super) root: Root,
    /// Whether an error has its own text.
    pub(super) has_text: bool,
    /// The status of the error that is handled.
    pub(super) error: Option<u16>,
    pub(super) variables: Variables,
    /// The maps that define placeholders, the first of which wins.
    pub(super) maps: Vec<Arc<Map>>,
    /// The file that a matcher has found, relative to the root.
    pub(super) file_match: Option<String>,
}

impl<'r> RequestState<'r> {
    /// A request for a path, decoded, before any handler.
    pub(super) fn new(request: &Request<'r>, path: String) -> Self {
        Self {
            request: *request,
            original: path.clone(),
            path,
            raw: request.path.to_owned(),
            query: request.query.map(str::to_owned),
            captures: Vec::new(),
            rule: None,
            root: Root::Site,
            has_text: false,
            error: None,
            variables: Variables::default(),
            maps: Vec::new(),
            file_match: None,
        }
    }
}

impl RequestState<'_> {
    /// The path that matchers see: without repeated slashes and dot segments.
    pub(super) fn tidy(&self) -> String {
        let tidied = tidy(self.path.as_bytes()).unwrap_or_default();
        String::from_utf8_lossy(&tidied).into_owned()
    }

    /// Rewrites the path, and the query if the target has one.
    pub(super) fn rewrite(&mut self, to: &str, rule: Option<usize>) {
        let (path, query) = match to.split_once('?') {
            Some((path, query)) => (path, Some(query)),
            None => (to, None),
        };
        if !path.is_empty() {
            path.clone_into(&mut self.raw);
            let decoded = percent_decode_str(path).decode_utf8_lossy();
            self.path = decoded.into_owned();
        }
        if let Some(query) = query {
            self.query = Some(query.to_owned());
        }
        self.rule = rule;
    }

    /// `uri replace`, in the path and in the query.
    ///
    /// # Errors
    ///
    /// If a limit is reached.
    pub(super) fn replace(
        &mut self,
        from: &str,
        to: &str,
        limit: usize,
        work: &Work,
    ) -> Result<(), NoAnswer> {
        if from.is_empty() {
            return Ok(());
        }
        for text in [Some(&self.raw), self.query.as_ref()].into_iter().flatten() {
            let found = text.matches(from).take(limit).count();
            let more = to.len().saturating_sub(from.len());
            work.take_text(text.len().saturating_add(found.saturating_mul(more)))?;
        }
        let path = self.raw.replacen(from, to, limit);
        let query = self
            .query
            .as_ref()
            .map(|query| query.replacen(from, to, limit));
        self.go_to(path, query);
        Ok(())
    }

    /// `uri path_regexp`, on the path without repeated slashes: replaces each match of `pattern`, or
    /// the first one if it is anchored, with `to`. `None` beyond a limit.
    pub(super) fn replace_pattern(
        &mut self,
        pattern: &Pattern,
        is_anchored: bool,
        to: &str,
        work: &Work,
    ) -> Option<()> {
        let path = merge_slashes(&self.raw);
        let most = if is_anchored { 1 } else { usize::MAX };
        let out = replaced(&path, pattern, to, most, work)?;
        let query = self.query.clone();
        self.go_to(out, query);
        Some(())
    }

    pub(super) fn go_to(&mut self, raw: String, query: Option<String>) {
        if raw != self.raw {
            let decoded = percent_decode_str(&raw).decode_utf8_lossy();
            self.path = decoded.into_owned();
            self.raw = raw;
        }
        self.query = query;
    }
}

/// The last name of a path.
pub(super) fn last_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// A path up to its last slash.
pub(super) fn folder(path: &str) -> &str {
    path.rfind('/').map_or("", |at| &path[..=at])
}

/// A text with the first `most` matches of a pattern replaced; `None` if a limit is reached.
pub(super) fn replaced(
    text: &str,
    pattern: &Pattern,
    to: &str,
    most: usize,
    work: &Work,
) -> Option<String> {
    let mut out = String::new();
    let mut rest = text;
    for _ in 0..most {
        let Some(groups) = pattern.find(rest.as_bytes(), work).ok()? else {
            break;
        };
        let span = groups.span(0)?;
        out.push_str(rest.get(..span.start)?);
        out.push_str(&expanded(to, &groups, rest.as_bytes()));
        work.take_text(out.len()).ok()?;
        rest = rest.get(span.end..)?;
        if span.is_empty() {
            break;
        }
    }
    Some(out + rest)
}

/// A replacement with the groups of a match, `$1`, `$name` or `${name}`, as Go expands it.
pub(super) fn expanded(to: &str, groups: &Groups, text: &[u8]) -> String {
    let mut out = String::new();
    let mut rest = to;
    while let Some(at) = rest.find('$') {
        out.push_str(&rest[..at]);
        let after = &rest[at + 1..];
        if let Some(left) = after.strip_prefix('$') {
            out.push('$');
            rest = left;
            continue;
        }
        let is_part = |c: char| c.is_alphanumeric() || c == '_';
        let (name, left) = match after.strip_prefix('{') {
            Some(inner) => inner.split_once('}').unwrap_or(("", after)),
            None => after.split_at(after.find(|c| !is_part(c)).unwrap_or(after.len())),
        };
        if name.is_empty() || !name.chars().all(is_part) {
            out.push('$');
            rest = after;
            continue;
        }
        let named = groups.names().iter().find(|(known, _)| known == name);
        let number = named.map(|(_, number)| *number);
        if let Some(number) = name.parse().ok().or(number) {
            out.push_str(&String::from_utf8_lossy(groups.get(number, text)));
        }
        rest = left;
    }
    out.push_str(rest);
    out
}

/// Strips a suffix from the cleaned path, ignoring case. Escapes are not decoded, since Caddy compares
/// backwards and reaches their percent signs last.
pub(super) fn strip_suffix(state: &mut RequestState<'_>, suffix: &str) {
    let raw = if suffix.contains("//") {
        state.raw.clone()
    } else {
        merge_slashes(&state.raw)
    };
    let Some(length) = raw.len().checked_sub(suffix.len()) else {
        return;
    };
    if let Some((path, end)) = raw.split_at_checked(length)
        && end.eq_ignore_ascii_case(suffix)
    {
        state.rewrite(path, state.rule);
    }
}

/// Strips a prefix from the cleaned path, ignoring case and escapes.
pub(super) fn strip_prefix(state: &mut RequestState<'_>, prefix: &str) {
    let raw = if prefix.contains("//") {
        state.raw.clone()
    } else {
        merge_slashes(&state.raw)
    };
    let mut left = raw.as_str();
    for wanted in prefix.chars() {
        let mut buffer = [0; 4];
        let wanted = &*wanted.encode_utf8(&mut buffer);
        let next = match left
            .get(..3)
            .filter(|next| next.starts_with('%') && wanted != "%")
        {
            Some(escape) => percent_decode_str(escape).decode_utf8_lossy().into_owned(),
            None => left.chars().next().map(String::from).unwrap_or_default(),
        };
        if !next.eq_ignore_ascii_case(wanted) {
            return;
        }
        let is_escape = left.starts_with('%') && wanted != "%";
        left = left
            .get(if is_escape { 3 } else { next.len() }..)
            .unwrap_or_default();
    }
    let slash = if left.starts_with('/') { "" } else { "/" };
    let path = format!("{slash}{left}");
    state.rewrite(&path, state.rule);
}
