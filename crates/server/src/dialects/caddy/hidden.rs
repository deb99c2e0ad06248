//! `hide`: the files that `file_server` does not show.

use super::caddyfile::Directive;
use crate::engine::glob;
use crate::engine::pattern::Pattern;
use crate::engine::work::{COMPARED_PER_STEP, NoAnswer, Work};
use crate::rule::{ProblemKind, RuleParser};

/// The files that a file server hides.
#[derive(Debug, Default)]
pub(super) struct Hidden {
    rules: Vec<Rule>,
    /// The path of the site on the server's disk.
    site: String,
    /// The line of the directive.
    line: usize,
    /// Whether it may hide other files, too.
    is_unread: bool,
}

#[derive(Debug)]
enum Rule {
    /// Files and folders with this name, ...
    Name(String),
    /// ... or with a name like this.
    NameLike(Pattern),
    /// A file on the server's disk, or what is in a folder.
    Path(String),
    /// A file with a path like this.
    PathLike(Pattern),
    /// A file with this end of a path, or what is in a folder, if the server was started in the right
    /// one.
    Below(String),
}

impl Hidden {
    /// What a `file_server` hides. `site` is the path of the site on the server's disk.
    pub(super) fn new(directive: &Directive, site: Option<&str>, parser: &mut RuleParser) -> Self {
        let mut out = Self {
            rules: Vec::new(),
            site: cleaned(site.unwrap_or_default()).to_owned(),
            line: directive.line,
            is_unread: false,
        };
        let lines = directive.block.iter().flatten();
        for line in lines.filter(|line| line.name() == "hide") {
            for word in line.arguments() {
                let rule = out.rule(word, parser);
                if rule.is_none() {
                    let message = format!("which files {word:?} hides is not read");
                    parser.problem(line.line, ProblemKind::NotRead, message);
                    out.is_unread = true;
                }
                out.rules.extend(rule);
            }
        }
        out
    }

    fn rule(&self, word: &str, parser: &mut RuleParser) -> Option<Rule> {
        let is_glob = word.contains(['*', '?', '[', '\\']);
        if word.contains('{') {
            return None;
        }
        if !word.contains('/') {
            return Some(if is_glob {
                Rule::NameLike(glob::pattern(word, parser)?)
            } else {
                Rule::Name(word.to_owned())
            });
        }
        // Where the server was started is not known, unless the site is given from there, too.
        if word.starts_with('/') != self.site.starts_with('/') {
            let is_relative = !is_glob && !word.starts_with('/') && !word.contains("..");
            return is_relative.then(|| Rule::Below(format!("/{}", cleaned(word))));
        }
        let path = cleaned(word);
        let path = if path.starts_with('/') || !self.site.is_empty() {
            path.to_owned()
        } else {
            format!("/{path}")
        };
        Some(if is_glob {
            Rule::PathLike(glob::pattern(&path, parser)?)
        } else {
            Rule::Path(path)
        })
    }

    /// Whether a file of the site is hidden; the error is the line of the directive, if that is not
    /// known.
    pub(super) fn hides(&self, file: &str, work: &Work) -> Result<bool, usize> {
        if self.rules.is_empty() && !self.is_unread {
            return Ok(false);
        }
        let path = format!("{}{file}", self.site);
        let may_be = self.rules.iter().any(|rule| match rule {
            Rule::Below(end) => path.match_indices(end.as_str()).any(|(at, end)| {
                let rest = &path[at + end.len()..];
                rest.is_empty() || rest.starts_with('/')
            }),
            _ => false,
        });
        match self.has(&path, work) {
            Ok(false) if self.is_unread || may_be => Err(self.line),
            Ok(is_hidden) => Ok(is_hidden),
            Err(NoAnswer) => Err(self.line),
        }
    }

    fn has(&self, path: &str, work: &Work) -> Result<bool, NoAnswer> {
        for rule in &self.rules {
            work.take(1 + path.len() / COMPARED_PER_STEP)?;
            let is_hidden = match rule {
                Rule::Name(name) => path.split('/').any(|segment| segment == name),
                Rule::NameLike(pattern) => {
                    let mut is_hidden = false;
                    for segment in path.split('/') {
                        is_hidden |= pattern.find(segment.as_bytes(), work)?.is_some();
                    }
                    is_hidden
                }
                Rule::Path(hidden) => {
                    let rest = path.strip_prefix(hidden.as_str());
                    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
                }
                Rule::PathLike(pattern) => pattern.find(path.as_bytes(), work)?.is_some(),
                Rule::Below(_) => false,
            };
            if is_hidden {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

/// A path without a leading `./` and a final slash.
fn cleaned(path: &str) -> &str {
    let path = path.strip_prefix("./").unwrap_or(path);
    path.strip_suffix('/').unwrap_or(path)
}
