//! The variables of a request: which lines set them, and their values.

use std::collections::{BTreeMap, BTreeSet};

use super::lines::Line;
use super::server_root::includes_unknown;

/// A variable and its new value, in which groups may stand; `None` unsets it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Assignment {
    pub(super) name: String,
    pub(super) value: Option<String>,
}

/// The variables of a request. A variable that is not listed is not set.
#[derive(Clone, Debug, Default)]
pub(super) struct Variables(BTreeMap<String, Value>);

#[derive(Clone, Debug, PartialEq, Eq)]
enum Value {
    Known(Vec<u8>),
    NotKnown,
}

impl Variables {
    pub(super) fn set(&mut self, name: &str, value: Option<Vec<u8>>) {
        match value {
            Some(value) => self.0.insert(name.to_owned(), Value::Known(value)),
            None => self.0.remove(name),
        };
    }

    /// Makes the value of a variable one that is not known.
    pub(super) fn forget(&mut self, name: &str) {
        self.0.insert(name.to_owned(), Value::NotKnown);
    }

    /// The value, empty if the variable is not set; `None` if it is not known.
    pub(super) fn get(&self, name: &str) -> Option<&[u8]> {
        match self.0.get(name) {
            None => Some(&[]),
            Some(Value::Known(value)) => Some(value),
            Some(Value::NotKnown) => None,
        }
    }

    /// Whether the variable is set; `None` if that is not known.
    pub(super) fn is_set(&self, name: &str) -> Option<bool> {
        match self.0.get(name) {
            Some(Value::NotKnown) => None,
            value => Some(value.is_some()),
        }
    }

    /// Those of the request that an internal redirect makes.
    pub(super) fn redirected(&self) -> Self {
        let all = self.0.iter();
        let renamed = all.map(|(name, value)| (format!("REDIRECT_{name}"), value.clone()));
        Self(renamed.collect())
    }
}

/// The names of variables that a file sets.
#[derive(Debug, Default)]
pub(super) struct Names {
    set: BTreeSet<String>,
    /// Whether no other file sets any.
    is_whole: bool,
}

impl Names {
    /// No names yet; `is_whole` if the lines are the whole configuration.
    pub(super) fn new(is_whole: bool) -> Self {
        Self {
            set: BTreeSet::new(),
            is_whole,
        }
    }

    /// Adds the names that a line sets.
    pub(super) fn add(&mut self, line: &Line) {
        self.is_whole &= !includes_unknown(line);
        let first = match &*line.name.to_ascii_lowercase() {
            "setenvif" | "setenvifnocase" => 2,
            "browsermatch" | "browsermatchnocase" | "setenvifexpr" => 1,
            "setenv" | "passenv" | "unsetenv" => return self.set.extend(line.words()),
            "rewriterule" if line.rest.contains('=') => {
                let (words, _) = line.rewrite_words();
                let flags = words.get(2).map_or("", String::as_str);
                let flags = flags.trim_matches(['[', ']']).split(',');
                let names = flags.filter_map(|flag| Some(Assignment::from_flag(flag)?.name));
                return self.set.extend(names);
            }
            _ => return,
        };
        let assigned = line.words().into_iter().skip(first);
        self.set
            .extend(assigned.map(|word| Assignment::from_word(&word).name));
    }

    /// Whether the value of a variable is known, apart from what sets it.
    pub(super) fn has(&self, name: &str) -> bool {
        /// Variables that modules and the system set.
        const OTHERS: [&str; 12] = [
            "HTTPS",
            "HTTP_",
            "SSL_",
            "REMOTE_",
            "SERVER_",
            "PATH",
            "LANG",
            "LC_",
            "HOME",
            "GEOIP_",
            "UNIQUE_ID",
            "APACHE_",
        ];
        let bare = name.trim_start_matches("REDIRECT_");
        self.set.contains(bare)
            || bare.starts_with("MATCH_")
            || self.is_whole && !OTHERS.iter().any(|start| bare.starts_with(start))
    }
}

impl Assignment {
    /// `NAME`, `NAME=VALUE` or `!NAME`
    pub(super) fn from_word(word: &str) -> Self {
        if let Some(name) = word.strip_prefix('!') {
            return Self {
                name: name.to_owned(),
                value: None,
            };
        }
        let (name, value) = word.split_once('=').unwrap_or((word, "1"));
        Self {
            name: name.to_owned(),
            value: Some(value.to_owned()),
        }
    }

    /// The flag `E` of a rule: `E=NAME:VALUE`, `E=NAME` or `E=!NAME`.
    pub(super) fn from_flag(flag: &str) -> Option<Self> {
        let (name, rest) = flag.trim().split_once('=')?;
        if !matches!(&*name.to_ascii_lowercase(), "e" | "env") {
            return None;
        }
        if let Some(name) = rest.strip_prefix('!') {
            return Some(Self {
                name: name.to_owned(),
                value: None,
            });
        }
        let (name, value) = rest.split_once(':').unwrap_or((rest, ""));
        Some(Self {
            name: name.to_owned(),
            value: Some(value.to_owned()),
        })
    }
}
