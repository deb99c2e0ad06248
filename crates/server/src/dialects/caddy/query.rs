//! `uri query`: changes to the parameters of a request.

use std::collections::BTreeMap;

use super::caddyfile::Directive;
use super::placeholder::{Purpose, escaped_query};
use super::state::{RequestState, replaced};
use crate::engine::pattern::Pattern;
use crate::engine::work::{COMPARED_PER_STEP, Work};
use crate::rule::{ProblemKind, RuleParser};

/// The changes of one directive. Caddy makes them in the order of their kinds.
#[derive(Debug, Default)]
pub(super) struct QueryChanges {
    renamed: Vec<(String, String)>,
    set: Vec<(String, String)>,
    added: Vec<(String, String)>,
    replaced: Vec<(String, Pattern, String)>,
    deleted: Vec<String>,
}

impl QueryChanges {
    /// The changes on the line of a directive, or in its block; `None` if one is not read.
    pub(super) fn new(
        words: &[String],
        block: &[Directive],
        line: usize,
        parser: &mut RuleParser,
    ) -> Option<Self> {
        let mut out = Self::default();
        if !words.is_empty() {
            out.add(words, line, parser)?;
        }
        for change in block {
            out.add(&change.words, change.line, parser)?;
        }
        Some(out)
    }

    fn add(&mut self, words: &[String], line: usize, parser: &mut RuleParser) -> Option<()> {
        match words {
            [key] if key.starts_with('-') => {
                self.deleted.push(key.trim_start_matches('-').to_owned());
            }
            [key, value] if key.starts_with('+') => {
                let key = key.trim_start_matches('+').to_owned();
                self.added.push((key, value.clone()));
            }
            [key] => {
                let (from, to) = key.split_once('>')?;
                let to = to.split('>').next().unwrap_or(to);
                self.renamed.push((from.to_owned(), to.to_owned()));
            }
            [key, value] => self.set.push((key.clone(), value.clone())),
            [key, from, to] => match parser.pattern(from, false) {
                Ok(pattern) => self.replaced.push((key.clone(), pattern, to.clone())),
                Err(message) => {
                    parser.problem(line, ProblemKind::NotRead, message);
                    return None;
                }
            },
            _ => return None,
        }
        Some(())
    }

    /// Makes the changes; `None` if a value is hidden or a limit is reached.
    pub(super) fn make(&self, state: &mut RequestState<'_>, work: &Work) -> Option<()> {
        let query = state.query.clone().unwrap_or_default();
        let mut parameters: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for (key, value) in url::form_urlencoded::parse(query.as_bytes()) {
            let values = parameters.entry(key.into_owned()).or_default();
            values.push(value.into_owned());
        }
        let filled = |text: &str| state.filled(text, Purpose::Other, work);
        for (from, to) in &self.renamed {
            let (from, to) = (filled(from)?, filled(to)?);
            if from != to
                && !to.is_empty()
                && let Some(values) = parameters.remove(&from)
            {
                parameters.insert(to, values);
            }
        }
        for (key, value) in &self.set {
            parameters.insert(filled(key)?, vec![filled(value)?]);
        }
        for (key, value) in &self.added {
            let values = parameters.entry(filled(key)?).or_default();
            values.push(filled(value)?);
        }
        for (key, pattern, to) in &self.replaced {
            let key = filled(key)?;
            work.take(parameters.len() / COMPARED_PER_STEP).ok()?;
            for (known, values) in &mut parameters {
                if key != "*" && key != *known {
                    continue;
                }
                for value in values {
                    *value = replaced(value, pattern, to, usize::MAX, work)?;
                }
            }
        }
        for key in &self.deleted {
            parameters.remove(&filled(key)?);
        }
        parameters.remove("");
        let pairs = parameters.iter().flat_map(|(key, values)| {
            let pair = |value| format!("{}={}", escaped_query(key), escaped_query(value));
            values.iter().map(move |value| pair(value))
        });
        let query = pairs.collect::<Vec<_>>().join("&");
        work.take_text(query.len()).ok()?;
        let raw = state.raw.clone();
        state.go_to(raw, Some(query));
        Some(())
    }
}
