//! Handlers, and how a request passes through them.

use std::sync::Arc;

use super::condition::all_hold;
use super::files::{first_of, served};
use super::hidden::Hidden;
use super::matcher::Matcher;
use super::root::Root;
use super::state::{RequestState, strip_prefix, strip_suffix};
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
    pub(super) rule: Option<usize>,
    pub(super) line: usize,
    pub(super) matcher: Arc<Matcher>,
    pub(super) action: HandlerAction,
}

#[derive(Debug)]
pub(super) enum HandlerAction {
    Redirect(String, u16),
    /// The target, and whether the previous handler has the same matcher.
    Rewrite(String, bool),
    StripPrefix(String),
    StripSuffix(String),
    /// The text to replace in the path and the query, its replacement, and the maximum number of
    /// replacements.
    Replace(String, String, usize),
    /// The pattern, whether it is anchored, and the replacement.
    ReplacePattern(Pattern, bool, String),
    /// The root for the handlers that follow.
    Root(Root),
    TryFiles(Vec<String>),
    /// A block, the prefix that it strips first, and whether only one block of its kind runs.
    Block(Box<Handlers>, Option<String>, bool),
    /// An error, ...
    Refuse(u16),
    /// ... and a response with its own text, which is not an error. Without a status it has that of the
    /// error that is handled, or else 200.
    Respond(Option<u16>),
    Serve {
        index: Vec<String>,
        root: Option<Root>,
        hidden: Hidden,
    },
    /// An unsupported directive answers.
    Unknown,
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
        let (mut has_rewritten, mut has_handled, mut has_root) = (None, false, false);
        let mut tidied = state.tidy();
        let numbers = self
            .by_path
            .cursor(tidied.to_ascii_lowercase().as_bytes(), work);
        let mut numbers = numbers.map_err(unknown)?;
        while let Some(number) = numbers.next() {
            let Some(handler) = self.list.get(number) else {
                break;
            };
            let is_over = match &handler.action {
                HandlerAction::Rewrite(_, joins) => {
                    has_rewritten.is_some_and(|last| !joins || last + 1 != number)
                }
                HandlerAction::Block(_, _, true) => has_handled,
                HandlerAction::Root(_) => has_root,
                _ => false,
            };
            if is_over || !handler.matches(state, &tidied, files, work)? {
                continue;
            }
            match &handler.action {
                HandlerAction::Rewrite(..) => has_rewritten = Some(number),
                HandlerAction::Block(_, _, true) => has_handled = true,
                HandlerAction::Root(_) => has_root = true,
                _ => {}
            }
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
    fn matches(
        &self,
        state: &mut RequestState<'_>,
        tidied: &str,
        files: &dyn Files,
        work: &Work,
    ) -> Result<bool, usize> {
        work.take(1).map_err(|NoAnswer| self.line)?;
        all_hold(&self.matcher.tests, state, tidied, files, work).ok_or(self.line)
    }

    fn run(
        &self,
        state: &mut RequestState<'_>,
        files: &dyn Files,
        work: &Work,
    ) -> Result<Option<Answer>, usize> {
        match &self.action {
            HandlerAction::Unknown => return Err(self.line),
            HandlerAction::Refuse(_) | HandlerAction::Respond(_) => {
                let status = match self.action {
                    HandlerAction::Refuse(status) => status,
                    HandlerAction::Respond(status) => status.or(state.error).unwrap_or(200),
                    _ => return Err(self.line),
                };
                state.has_text = matches!(self.action, HandlerAction::Respond(_));
                let rule = self.rule;
                return Ok(Some(if status < 300 {
                    let path = state.path.clone().into_bytes();
                    Answer::File { path, status, rule }
                } else {
                    Answer::Refused { status, rule }
                }));
            }
            HandlerAction::Root(root) => state.root = root.clone(),
            HandlerAction::Replace(from, to, limit) => {
                let replaced = state.replace(from, to, *limit, work);
                replaced.map_err(|NoAnswer| self.line)?;
            }
            HandlerAction::ReplacePattern(pattern, is_anchored, to) => {
                let replaced = state.replace_pattern(pattern, *is_anchored, to, work);
                replaced.ok_or(self.line)?;
            }
            HandlerAction::Redirect(to, status) => {
                let to = state.filled(to, work).ok_or(self.line)?;
                return Ok(Some(Answer::Redirect {
                    status: *status,
                    location: escaped_beyond_ascii(&to),
                    rule: self.rule,
                }));
            }
            HandlerAction::Rewrite(to, _) => {
                let to = state.filled(to, work).ok_or(self.line)?;
                state.rewrite(&to, self.rule);
            }
            HandlerAction::StripPrefix(prefix) => {
                let prefix = state.filled(prefix, work).ok_or(self.line)?;
                strip_prefix(state, &prefix);
            }
            HandlerAction::StripSuffix(suffix) => {
                let suffix = state.filled(suffix, work).ok_or(self.line)?;
                strip_suffix(state, &suffix);
            }
            HandlerAction::TryFiles(names) => return self.try_files(names, state, files, work),
            HandlerAction::Block(inner, prefix, _) => {
                if let Some(prefix) = prefix {
                    strip_prefix(state, prefix);
                }
                return inner.run(state, files, work);
            }
            HandlerAction::Serve {
                index,
                root,
                hidden,
            } => {
                work.take(index.len()).map_err(|NoAnswer| self.line)?;
                let root = root.as_ref().unwrap_or(&state.root);
                return served(state, root, index, hidden, files, work).map(Some);
            }
        }
        Ok(None)
    }

    fn try_files(
        &self,
        names: &[String],
        state: &mut RequestState<'_>,
        files: &dyn Files,
        work: &Work,
    ) -> Result<Option<Answer>, usize> {
        let (last, others) = match names.split_last() {
            Some((last, others)) if last.starts_with('=') => (last.get(1..), others),
            _ => (None, names),
        };
        match first_of(others, state, files, work).ok_or(self.line)?? {
            Some(path) => {
                let to = escaped_beyond_ascii(&path);
                state.rewrite(&to, self.rule.or(state.rule));
            }
            None => {
                if let Some(status) = last.and_then(|code| code.parse().ok()) {
                    return Ok(Some(Answer::Refused {
                        status,
                        rule: self.rule,
                    }));
                }
            }
        }
        Ok(None)
    }
}
