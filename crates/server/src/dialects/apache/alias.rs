//! `mod_alias`: `Redirect`, `RedirectMatch` and `Alias`.

use std::borrow::Cow;

use super::assignments::Names;
use super::expression::{NoExpression, Text};
use super::lines::Line;
use super::state::RequestState;
use super::variables::Values;
use crate::engine::index::PrefixIndex;
use crate::engine::pattern::{Pattern, literal};
use crate::engine::work::{MAX_TEXT, NoAnswer, Work};
use crate::line_error::LineError;
use crate::request::{merge_slashes, merged_slashes};
use crate::rule::{Answer, ProblemKind, Rule, RuleParser};

/// The directives in file order, indexed by the beginnings of their sources.
#[derive(Debug, Default)]
pub(super) struct Redirects {
    list: Vec<Redirect>,
    index: PrefixIndex,
}

#[derive(Debug)]
struct Redirect {
    rule: usize,
    line: usize,
    source: PathMatch,
    /// `None` for a status that is not a redirect.
    to: Option<String>,
    status: u16,
}

#[derive(Debug)]
enum PathMatch {
    /// A path, with runs of slashes collapsed.
    Path(String),
    Pattern(Pattern),
}

/// The target of a directive.
enum AliasTarget {
    To(String),
    /// The directive answers with a status that is not a redirect.
    Nowhere,
}

/// A `Redirect` of everything in a section.
#[derive(Debug)]
pub(super) struct Target {
    rule: usize,
    line: usize,
    /// `None` for a status that is not a redirect.
    to: Option<Text>,
    status: u16,
}

impl Target {
    /// Whether a `Redirect` has no source, so that it is for all requests of its section.
    pub(super) fn takes(line: &Line) -> bool {
        match &line.words()[..] {
            [_] => true,
            [status, _] => status_of(status).is_some_and(|status| (300..400).contains(&status)),
            _ => false,
        }
    }

    /// Reads a `Redirect` without a source, in the section with this name.
    ///
    /// # Errors
    ///
    /// [`NoExpression`] if the target is broken or not known.
    pub(super) fn from_line(
        line: &Line,
        section: &str,
        names: &Names,
        parser: &mut RuleParser,
    ) -> Result<Self, NoExpression> {
        let words = line.words();
        let (status, to) = match &words[..] {
            [word] => match status_of(word).filter(|status| !(300..400).contains(status)) {
                Some(status) => (Some(status), None),
                None => (None, Some(word)),
            },
            [status, to, ..] => (status_of(status), Some(to)),
            [] => return Err(NoExpression::Refused),
        };
        let text = to.map(|to| Text::parse(to, names, parser)).transpose()?;
        let code = status.unwrap_or(302);
        let rule = parser.rule(Rule {
            line: line.number,
            from: section.to_owned(),
            to: to.cloned(),
            status: code,
            status_is_default: status.is_none(),
            is_exact: false,
            samples: Vec::new(),
        });
        Ok(Self {
            rule,
            line: line.number,
            to: text,
            status: code,
        })
    }

    pub(super) fn answer(
        &self,
        values: &Values<'_>,
        state: &RequestState<'_>,
        work: &Work,
    ) -> Answer {
        let (status, rule) = (self.status, Some(self.rule));
        let Some(to) = &self.to else {
            return Answer::Refused { status, rule };
        };
        match to.value(values, work) {
            Ok(location) => redirect(escape_url(&location), state, status, self.rule),
            Err(NoAnswer) => Answer::Unknown { line: self.line },
        }
    }
}

/// The aliases of a server, in file order.
#[derive(Debug, Default)]
pub(super) struct Aliases(Vec<Alias>);

#[derive(Debug)]
struct Alias {
    line: usize,
    source: PathMatch,
    to: String,
}

impl Aliases {
    /// Adds an `Alias` or `AliasMatch`, by its name in lower case.
    ///
    /// # Errors
    ///
    /// The reason why the server refuses the line.
    pub(super) fn add(
        &mut self,
        name: &str,
        line: &Line,
        parser: &mut RuleParser,
    ) -> Result<(), LineError> {
        let words = line.words();
        let [source, to] = &words[..] else {
            return Err(LineError::Form(
                "a path and a place on the disk are required",
            ));
        };
        let source = if name == "aliasmatch" {
            PathMatch::Pattern(parser.pattern(source, false)?)
        } else {
            PathMatch::Path(merge_slashes(source))
        };
        self.0.push(Alias {
            line: line.number,
            source,
            to: to.clone(),
        });
        Ok(())
    }

    /// The path on the disk of the first alias that is for a path; an error has the line of one
    /// that could not be tried.
    pub(super) fn find(&self, uri: &[u8], work: &Work) -> Result<Option<DiskPath>, usize> {
        for alias in &self.0 {
            let path = alias.place(uri, work).map_err(|NoAnswer| alias.line)?;
            if let Some(path) = path {
                return Ok(Some(DiskPath {
                    path,
                    line: alias.line,
                }));
            }
        }
        Ok(None)
    }
}

/// Where a file is on the server's disk, and the line that says so.
pub(super) struct DiskPath {
    pub(super) path: Vec<u8>,
    pub(super) line: usize,
}

impl Alias {
    fn place(&self, uri: &[u8], work: &Work) -> Result<Option<Vec<u8>>, NoAnswer> {
        work.take(1)?;
        Ok(match &self.source {
            PathMatch::Path(path) => {
                below(uri, path).map(|rest| [self.to.as_bytes(), rest].concat())
            }
            PathMatch::Pattern(pattern) => pattern
                .find(uri, work)?
                .map(|groups| substitute(&self.to, |number| groups.get(number, uri))),
        })
    }
}

/// What follows a source in a path, if the path is there or below. Repeated slashes count as one.
fn below<'p>(uri: &'p [u8], source: &str) -> Option<&'p [u8]> {
    let mut rest = uri;
    for byte in source.bytes() {
        rest = rest.strip_prefix(&[byte])?;
        while byte == b'/' && rest.first() == Some(&b'/') {
            rest = &rest[1..];
        }
    }
    let is_whole = source.ends_with('/') || matches!(rest.first(), None | Some(b'/'));
    is_whole.then_some(rest)
}

/// The redirect to a target. The query of the request is kept unless the target has one, after
/// everything else.
fn redirect(mut location: String, state: &RequestState<'_>, status: u16, rule: usize) -> Answer {
    if location.starts_with('/') {
        location = format!("{}{location}", state.request.origin());
    }
    if let Some(args) = &state.args
        && !location.contains('?')
    {
        location = format!("{location}?{args}");
    }
    Answer::Redirect {
        status,
        location,
        rule: Some(rule),
    }
}

impl Redirects {
    /// Adds the directive `name` (lower case) of a line.
    ///
    /// # Errors
    ///
    /// The reason why the server refuses the line.
    pub(super) fn add(
        &mut self,
        name: &str,
        line: &Line,
        parser: &mut RuleParser,
    ) -> Result<(), LineError> {
        let words = line.words();
        let given = match name {
            "redirectpermanent" => Some(301),
            "redirecttemp" => Some(302),
            _ => None,
        };
        let (status, rest) = match words.split_first() {
            Some((first, rest)) if given.is_none() => match status_of(first) {
                Some(status) => (Some(status), rest),
                None => (None, &words[..]),
            },
            _ => (given, &words[..]),
        };
        let code = status.unwrap_or(302);
        let (from, to) = match (rest, (300..400).contains(&code)) {
            ([from, to], true) => (from, Some(to.clone())),
            ([from], false) => (from, None),
            ([_], true) => return Err(LineError::Form("the target is missing")),
            ([], _) => return Err(LineError::Form("a path and a target are required")),
            (_, true) => return Err(LineError::Form("there are too many words")),
            (_, false) => return Err(LineError::NeedlessTarget(code)),
        };
        let is_pattern = name == "redirectmatch";
        if !is_pattern {
            if let Some(to) = to
                .as_deref()
                .filter(|to| !to.starts_with('/') && !is_url(to))
            {
                return Err(LineError::Target(to.to_owned()));
            }
            if !from.starts_with('/') {
                let message =
                    format!("the source {from:?} does not start with a slash: it matches nothing");
                parser.problem(line.number, ProblemKind::Dropped, message);
                return Ok(());
            }
        }
        let path = merge_slashes(from);
        let rule = Rule {
            line: line.number,
            from: from.clone(),
            to: to.clone(),
            status: code,
            status_is_default: status.is_none(),
            is_exact: false,
            samples: if is_pattern {
                literal(from)
                    .map(|path| escape_path(path.as_bytes()))
                    .into_iter()
                    .collect()
            } else if path.ends_with('/') {
                vec![escape_path(format!("{path}a-name-of-no-rule").as_bytes())]
            } else {
                vec![
                    escape_path(path.as_bytes()),
                    escape_path(format!("{path}/a-name-of-no-rule").as_bytes()),
                ]
            },
        };
        let is_listed = |number: usize| {
            let at = self.list.binary_search_by_key(&number, |one| one.rule);
            at.is_ok_and(|at| matches!(self.list[at].source, PathMatch::Pattern(_)) == is_pattern)
        };
        if parser.repeats(&rule, is_listed) {
            return Ok(());
        }
        let source = if is_pattern {
            PathMatch::Pattern(parser.pattern(from, false)?)
        } else {
            PathMatch::Path(path)
        };
        let rule = parser.rule_of_list(rule);
        let number = self.list.len();
        match &source {
            PathMatch::Path(path) => self.index.add(path.as_bytes(), number),
            PathMatch::Pattern(pattern) => self.index.add_pattern(pattern, number),
        }
        self.list.push(Redirect {
            rule,
            line: line.number,
            source,
            to,
            status: code,
        });
        Ok(())
    }

    pub(super) fn answer(&self, state: &RequestState<'_>, work: &Work) -> Option<Answer> {
        let first = self.list.first()?;
        let Ok(mut candidates) = self.index.candidates(&state.uri, work) else {
            return Some(Answer::Unknown { line: first.line });
        };
        let merged = merged_slashes(&state.uri);
        if let Cow::Owned(merged) = merged {
            let Ok(others) = self.index.candidates(&merged, work) else {
                return Some(Answer::Unknown { line: first.line });
            };
            candidates.extend(others);
            candidates.sort_unstable();
            candidates.dedup();
        }
        let mut redirects = candidates.into_iter().filter_map(|at| self.list.get(at));
        redirects.find_map(|redirect| redirect.answer(state, work))
    }
}

/// A status as a number (read as `atoi` does) or as a keyword.
fn status_of(word: &str) -> Option<u16> {
    match word.to_ascii_lowercase().as_str() {
        "permanent" => Some(301),
        "temp" => Some(302),
        "seeother" => Some(303),
        "gone" => Some(410),
        _ => {
            let end = word.find(|c: char| !c.is_ascii_digit());
            word[..end.unwrap_or(word.len())].parse().ok()
        }
    }
}

/// `ap_is_url`: a scheme and a colon.
pub(super) fn is_url(text: &str) -> bool {
    let is_scheme = |c: char| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.');
    text.split_once(':')
        .is_some_and(|(scheme, _)| !scheme.is_empty() && scheme.chars().all(is_scheme))
}

impl Redirect {
    fn answer(&self, state: &RequestState<'_>, work: &Work) -> Option<Answer> {
        let found = match self.target(state, work) {
            Ok(found) => found?,
            Err(NoAnswer) => return Some(Answer::Unknown { line: self.line }),
        };
        let AliasTarget::To(location) = found else {
            return Some(Answer::Refused {
                status: self.status,
                rule: Some(self.rule),
            });
        };
        Some(redirect(location, state, self.status, self.rule))
    }

    /// The answer to a request that the directive matches.
    fn target(
        &self,
        state: &RequestState<'_>,
        work: &Work,
    ) -> Result<Option<AliasTarget>, NoAnswer> {
        work.take(1)?;
        match &self.source {
            PathMatch::Path(path) => {
                let Some(rest) = below(&state.uri, path) else {
                    return Ok(None);
                };
                Ok(Some(match &self.to {
                    Some(to) => AliasTarget::To(format!("{to}{}", escape_path(rest))),
                    None => AliasTarget::Nowhere,
                }))
            }
            PathMatch::Pattern(pattern) => {
                let Some(groups) = pattern.find(&state.uri, work)? else {
                    return Ok(None);
                };
                let Some(to) = &self.to else {
                    return Ok(Some(AliasTarget::Nowhere));
                };
                let location = substitute(to, |number| groups.get(number, &state.uri));
                work.take_text(location.len())?;
                Ok(Some(AliasTarget::To(escape_url(&location))))
            }
        }
    }
}

/// `ap_pregsub`: `$0` to `$9`; a backslash escapes the character after it. It stops once the result is
/// longer than [`MAX_TEXT`].
fn substitute<'g>(to: &str, group: impl Fn(usize) -> &'g [u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(to.len());
    let mut bytes = to.bytes().peekable();
    while let Some(byte) = bytes.next().filter(|_| out.len() <= MAX_TEXT) {
        match (byte, bytes.peek()) {
            (b'$', Some(digit @ b'0'..=b'9')) => {
                out.extend_from_slice(group(usize::from(digit - b'0')));
                bytes.next();
            }
            (b'\\', Some(next)) => {
                out.push(*next);
                bytes.next();
            }
            _ => out.push(byte),
        }
    }
    out
}

/// A URL with its path escaped, and its query and fragment unchanged.
fn escape_url(url: &[u8]) -> String {
    let end = url.iter().position(|b| matches!(b, b'?' | b'#'));
    let (path, rest) = url.split_at(end.unwrap_or(url.len()));
    format!("{}{}", escape_path(path), String::from_utf8_lossy(rest))
}

/// `ap_os_escape_path`
pub(super) fn escape_path(path: &[u8]) -> String {
    use std::fmt::Write;

    let mut out = String::with_capacity(path.len());
    for byte in path {
        if byte.is_ascii_alphanumeric() || b"$-_.+!*'(),:;@&=/~".contains(byte) {
            out.push(char::from(*byte));
        } else {
            // Writing to a string does not fail.
            let _ = write!(out, "%{byte:02x}");
        }
    }
    out
}
