//! `vars` and `map`: values with names that the author chose.

use std::collections::BTreeMap;

use super::caddyfile::Directive;
use crate::engine::pattern::Pattern;
use crate::rule::{ProblemKind, RuleParser};

/// The value of a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Variable<'v> {
    Text(&'v str),
    Unset,
    /// It depends on more than the address.
    Hidden,
}

/// The variables of a request.
#[derive(Clone, Debug, Default)]
pub(super) struct Variables(BTreeMap<String, Option<String>>);

impl Variables {
    pub(super) fn get(&self, name: &str) -> Variable<'_> {
        match self.0.get(name) {
            Some(Some(text)) => Variable::Text(text),
            Some(None) => Variable::Hidden,
            None if name == "root" => Variable::Hidden,
            None => Variable::Unset,
        }
    }

    /// Sets a variable; `None` if its value is hidden.
    pub(super) fn set(&mut self, name: String, value: Option<String>) {
        self.0.insert(name, value);
    }
}

/// The pairs of a `vars` directive: on its line, and in its block.
pub(super) fn pairs(arguments: &[String], block: &[Directive]) -> Vec<(String, String)> {
    let lines = block.iter().map(|line| &line.words[..]);
    let lines = std::iter::once(arguments).chain(lines);
    let pairs = lines.filter_map(|line| match line {
        [name, value] => Some((name.clone(), value.clone())),
        _ => None,
    });
    pairs.collect()
}

/// A `map` directive.
#[derive(Debug)]
pub(super) struct Map {
    pub(super) source: String,
    /// The names of the placeholders that it defines.
    pub(super) names: Vec<String>,
    pub(super) rows: Vec<Row>,
    pub(super) defaults: Vec<String>,
}

#[derive(Debug)]
pub(super) struct Row {
    pub(super) input: Input,
    /// The value of each placeholder; `None` if this row has none.
    pub(super) outputs: Vec<Option<String>>,
}

#[derive(Debug)]
pub(super) enum Input {
    Text(String),
    Like(Pattern),
    /// A pattern that is not read.
    Unknown,
}

impl Map {
    pub(super) fn new(
        arguments: &[String],
        block: &[Directive],
        parser: &mut RuleParser,
    ) -> Option<Self> {
        let (source, names) = arguments.split_first()?;
        let bare = |name: &String| name.trim_matches(['{', '}']).to_owned();
        let mut out = Self {
            source: source.clone(),
            names: names.iter().map(bare).collect(),
            rows: Vec::new(),
            defaults: Vec::new(),
        };
        for line in block {
            if line.name() == "default" {
                out.defaults = line.arguments().to_vec();
                out.defaults.resize(out.names.len(), String::new());
                continue;
            }
            let input = match line.name().strip_prefix('~') {
                None => Input::Text(line.name().to_owned()),
                Some(source) => match parser.pattern(source, false) {
                    Ok(pattern) => Input::Like(pattern),
                    Err(message) => {
                        parser.problem(line.line, ProblemKind::NotRead, message);
                        Input::Unknown
                    }
                },
            };
            let outputs = line.arguments().iter();
            let outputs = outputs.map(|value| (value != "-").then(|| value.clone()));
            out.rows.push(Row {
                input,
                outputs: outputs.collect(),
            });
        }
        Some(out)
    }

    /// Whether it defines the placeholder with this name.
    pub(super) fn has(&self, name: &str) -> bool {
        self.names.iter().any(|known| known == name)
    }
}
