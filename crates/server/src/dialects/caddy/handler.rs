//! Handlers, and how a request passes through them.

use std::sync::Arc;

use super::condition::all_hold;
use super::file_server::FileServer;
use super::files::{Candidates, Found};
use super::matcher::Matcher;
use super::placeholder::Purpose;
use super::query::QueryChanges;
use super::root::Root;
use super::state::{RequestState, strip_prefix, strip_suffix};
use super::variables::Map;
use crate::engine::index::PrefixIndex;
use crate::engine::pattern::Pattern;
use crate::engine::work::{NoAnswer, Work};
use crate::request::{Files, escaped_beyond_ascii};
use crate::rule::Answer;

/// Handlers in the order in which they run.
#[derive(Debug, Default)]
pub(super) struct Handlers {
    pub(super) list: Vec<Handler>,
    pub(super) by_path: PrefixIndex,
    /// The line of the first unsupported directive in them or their blocks.
    pub(super) unread: Option<usize>,
}

#[derive(Debug)]
pub(super) struct Handler {
    pub(super) matcher: Arc<Matcher>,
    pub(super) group: Option<Group>,
    /// What it does, in order: Caddy merges neighbours with the same matcher and the same group.
    pub(super) steps: Vec<Step>,
}

/// Handlers of which only the first one that matches runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Group {
    Rewrite,
    Handle,
    Root,
}

#[derive(Debug)]
pub(super) struct Step {
    pub(super) rule: Option<usize>,
    pub(super) line: usize,
    pub(super) action: HandlerAction,
}

#[derive(Debug)]
pub(super) enum HandlerAction {
    /// The target, and the status as written.
    Redirect(String, Status),
    Rewrite(String),
    StripPrefix(String),
    StripSuffix(String),
    /// The text to replace in the path and the query, its replacement, and the maximum number of
    /// replacements.
    Replace(String, String, usize),
    /// The pattern, whether it is anchored, and the replacement.
    ReplacePattern(Pattern, bool, String),
    ChangeQuery(Box<QueryChanges>),
    /// The root for the handlers that follow.
    Root(Root),
    /// Names and values.
    Variables(Vec<(String, String)>),
    Map(Arc<Map>),
    /// The files of each run, and its query.
    TryFiles(Vec<(Candidates, String)>),
    /// A block, and the prefix that it strips first.
    Block(Box<Handlers>, Option<String>),
    /// An error, ...
    Refuse(u16),
    /// ... and a response with its own text, which is not an error. Without a status it has that of the
    /// error that is handled, or else 200.
    Respond(Option<Status>),
    Serve(Box<FileServer>),
    /// An unsupported directive answers.
    Unknown,
}

/// A status, as a number or as a placeholder.
#[derive(Clone, Debug)]
pub(super) enum Status {
    Number(u16),
    Text(String),
}

impl Status {
    /// The number; 500 if the text has none, and `None` if it is not known.
    fn number(&self, state: &RequestState<'_>, work: &Work) -> Option<u16> {
        match self {
            Self::Number(number) => Some(*number),
            Self::Text(text) => {
                let text = state.filled(text, Purpose::Other, work)?;
                Some(text.parse().unwrap_or(500))
            }
        }
    }
}

impl Handlers {
    /// Runs the handlers; the error is the line of an unsupported one that may apply.
    pub(super) fn run(
        &self,
        state: &mut RequestState<'_>,
        files: &dyn Files,
        work: &Work,
    ) -> Result<Option<Answer>, usize> {
        let unknown = |NoAnswer| 1_usize;
        let mut groups: Vec<Group> = Vec::new();
        let mut tidied = state.tidy();
        let numbers = self
            .by_path
            .cursor(tidied.to_ascii_lowercase().as_bytes(), work);
        let mut numbers = numbers.map_err(unknown)?;
        while let Some(number) = numbers.next() {
            let Some(handler) = self.list.get(number) else {
                break;
            };
            let is_over = handler.group.is_some_and(|group| groups.contains(&group));
            if is_over || !handler.matches(state, &tidied, files, work)? {
                continue;
            }
            groups.extend(handler.group);
            if let Some(answer) = handler.run(state, files, work)? {
                return Ok(Some(answer));
            }
            let now = state.tidy();
            if now != tidied {
                tidied = now;
                let renewed = numbers.renew(tidied.to_ascii_lowercase().as_bytes(), work);
                renewed.map_err(unknown)?;
            }
        }
        Ok(None)
    }
}

impl Handler {
    /// The line of its first directive.
    fn line(&self) -> usize {
        self.steps.first().map_or(1, |step| step.line)
    }

    fn matches(
        &self,
        state: &mut RequestState<'_>,
        tidied: &str,
        files: &dyn Files,
        work: &Work,
    ) -> Result<bool, usize> {
        work.take(1).map_err(|NoAnswer| self.line())?;
        all_hold(&self.matcher.tests, state, tidied, files, work).ok_or_else(|| self.line())
    }

    fn run(
        &self,
        state: &mut RequestState<'_>,
        files: &dyn Files,
        work: &Work,
    ) -> Result<Option<Answer>, usize> {
        for step in &self.steps {
            if let Some(answer) = step.run(state, files, work)? {
                return Ok(Some(answer));
            }
        }
        Ok(None)
    }
}

impl Step {
    fn run(
        &self,
        state: &mut RequestState<'_>,
        files: &dyn Files,
        work: &Work,
    ) -> Result<Option<Answer>, usize> {
        let line = self.line;
        let other = |state: &RequestState<'_>, text: &str| {
            state.filled(text, Purpose::Other, work).ok_or(line)
        };
        match &self.action {
            HandlerAction::Unknown => return Err(line),
            HandlerAction::Refuse(status) => {
                state.has_text = false;
                return Ok(Some(self.status(*status, state)));
            }
            HandlerAction::Respond(status) => {
                let status = match status {
                    Some(status) => status.number(state, work).ok_or(line)?,
                    None => state.error.unwrap_or(200),
                };
                state.has_text = true;
                return Ok(Some(self.status(status, state)));
            }
            HandlerAction::Root(root) => state.root = root.clone(),
            HandlerAction::Variables(pairs) => {
                work.take(pairs.len()).map_err(|NoAnswer| line)?;
                for (name, value) in pairs {
                    let name = other(state, name)?;
                    let value = state.filled(value, Purpose::Other, work);
                    state.variables.set(name, value);
                }
            }
            HandlerAction::Map(map) => state.maps.push(Arc::clone(map)),
            HandlerAction::Replace(from, to, limit) => {
                let (from, to) = (other(state, from)?, other(state, to)?);
                let replaced = state.replace(&from, &to, *limit, work);
                replaced.map_err(|NoAnswer| line)?;
            }
            HandlerAction::ReplacePattern(pattern, is_anchored, to) => {
                let to = other(state, to)?;
                let replaced = state.replace_pattern(pattern, *is_anchored, &to, work);
                replaced.ok_or(line)?;
            }
            HandlerAction::ChangeQuery(changes) => changes.make(state, work).ok_or(line)?,
            HandlerAction::Redirect(to, status) => {
                let status = status.number(state, work).ok_or(line)?;
                if !(300..400).contains(&status) {
                    state.has_text = true;
                    return Ok(Some(self.status(status, state)));
                }
                let to = state.filled(to, Purpose::Header, work).ok_or(line)?;
                return Ok(Some(Answer::Redirect {
                    status,
                    location: escaped_beyond_ascii(&to),
                    rule: self.rule,
                }));
            }
            HandlerAction::Rewrite(to) => {
                let to = rewritten(to, state, work).ok_or(line)?;
                state.rewrite(&to, self.rule);
            }
            HandlerAction::StripPrefix(prefix) => {
                let prefix = other(state, prefix)?;
                strip_prefix(state, &prefix);
            }
            HandlerAction::StripSuffix(suffix) => {
                let suffix = other(state, suffix)?;
                strip_suffix(state, &suffix);
            }
            HandlerAction::TryFiles(runs) => return self.try_files(runs, state, files, work),
            HandlerAction::Block(inner, prefix) => {
                if let Some(prefix) = prefix {
                    strip_prefix(state, prefix);
                }
                return inner.run(state, files, work);
            }
            HandlerAction::Serve(server) => {
                state.has_text = server.has_status();
                return server.answer(state, files, work);
            }
        }
        Ok(None)
    }

    /// An answer without a file.
    fn status(&self, status: u16, state: &RequestState<'_>) -> Answer {
        let rule = self.rule;
        if status < 300 {
            let path = state.path.clone().into_bytes();
            return Answer::File { path, status, rule };
        }
        Answer::Refused { status, rule }
    }

    /// Rewrites to the first file that exists. Once a run has found one, the others are still looked
    /// for, with the new path, and may end in an error.
    fn try_files(
        &self,
        runs: &[(Candidates, String)],
        state: &mut RequestState<'_>,
        files: &dyn Files,
        work: &Work,
    ) -> Result<Option<Answer>, usize> {
        let mut is_found = false;
        for (candidates, query) in runs {
            match candidates.first(state, files, work).ok_or(self.line)?? {
                Found::File(path) if !is_found => {
                    is_found = true;
                    state.file_match = Some(path);
                    let to = format!("{{http.matchers.file.relative}}{query}");
                    let to = rewritten(&to, state, work).ok_or(self.line)?;
                    state.rewrite(&to, self.rule.or(state.rule));
                }
                Found::File(_) | Found::Nothing => {}
                Found::Error(status) => {
                    let rule = self.rule;
                    return Ok(Some(Answer::Refused { status, rule }));
                }
            }
        }
        Ok(None)
    }
}

/// The target of a rewrite, escaped; `None` if a value is not known or a limit is reached.
fn rewritten(to: &str, state: &RequestState<'_>, work: &Work) -> Option<String> {
    let to = to.split('#').next().unwrap_or(to);
    let Some((path, query)) = to.split_once('?') else {
        return state.filled(to, Purpose::Path, work);
    };
    let path = state.filled(path, Purpose::Path, work)?;
    // A query that a placeholder brings counts less than the one that is written.
    let path = path.split('?').next().unwrap_or(&path);
    let query = state.filled(query, Purpose::Query, work)?;
    Some(format!("{path}?{query}"))
}
