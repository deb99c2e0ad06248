//! The lines of a configuration after `Define`, `<IfDefine>` and `<Macro>` have had their effect.

use std::collections::BTreeMap;

use super::lines::{self, Line};

/// The most bytes that macros, or definitions, may add to a file.
const MAX_ADDED: usize = 4 << 20;
/// What a line costs besides its text.
const LINE_COST: usize = 64;
/// How deep macros may use others.
const MAX_DEPTH: usize = 16;

/// The lines of a text; `is_server` if it is the configuration of a server, which may have macros.
pub(super) fn lines(text: &str, is_server: bool) -> Box<dyn Iterator<Item = Line> + '_> {
    let has_macros = is_server && lines::lines(text).any(|line| is_macro(&line));
    let mut all: Box<dyn Iterator<Item = Line> + '_> = if has_macros {
        Box::new(without_macros(text).into_iter())
    } else {
        Box::new(lines::lines(text))
    };
    let mut conditions = Conditions {
        is_server,
        defined: Defined {
            values: BTreeMap::new(),
            left: MAX_ADDED,
        },
        open: Vec::new(),
    };
    Box::new(std::iter::from_fn(move || {
        for line in all.by_ref() {
            if let Some(line) = conditions.line(line) {
                return Some(line);
            }
        }
        // The reader reports that it is never closed.
        conditions.open.pop().map(|(line, _)| line)
    }))
}

/// The lines that `<IfDefine>` keeps.
struct Conditions {
    is_server: bool,
    defined: Defined,
    /// Each open `<IfDefine>`, and whether its lines apply.
    open: Vec<(Line, bool)>,
}

impl Conditions {
    /// A line that is to be read.
    fn line(&mut self, line: Line) -> Option<Line> {
        let name = line.name.to_ascii_lowercase();
        let applies = self.open.last().is_none_or(|(_, applies)| *applies);
        let line = self.defined.expand(line);
        match &*name {
            "</ifdefine>" if !self.open.is_empty() => {
                self.open.pop();
                None
            }
            "<ifdefine" if line.rest.trim_end_matches('>').trim() != "" => {
                let condition = line.rest.trim_end().trim_end_matches('>').trim();
                let holds = applies && self.defined.applies(condition);
                self.open.push((line, holds));
                None
            }
            _ if !applies => None,
            "define" | "undefine" if self.is_server => {
                self.defined.take(&name, &line);
                None
            }
            _ => Some(line),
        }
    }
}

/// `Define` and `UnDefine`.
#[derive(Debug)]
struct Defined {
    values: BTreeMap<String, String>,
    /// How many bytes values may still add.
    left: usize,
}

impl Defined {
    /// Whether an `<IfDefine>` holds. What no line defines is taken for undefined: it would be a
    /// parameter of the command that starts the server.
    fn applies(&self, condition: &str) -> bool {
        let condition = condition.trim_matches('"');
        match condition.strip_prefix('!') {
            Some(name) => !self.values.contains_key(name),
            None => self.values.contains_key(condition),
        }
    }

    /// Takes a `Define` or `UnDefine`, by its name in lower case.
    fn take(&mut self, name: &str, line: &Line) {
        let mut words = line.words().into_iter();
        let Some(variable) = words.next() else { return };
        if name == "define" {
            self.values
                .insert(variable, words.next().unwrap_or_default());
        } else {
            self.values.remove(&variable);
        }
    }

    /// The line with the values of `${NAME}`. Other names are left as they are.
    fn expand(&mut self, line: Line) -> Line {
        let has_names = line.rest.contains("${") || line.name.contains("${");
        if self.values.is_empty() || !has_names {
            return line;
        }
        Line {
            number: line.number,
            name: self.text(&line.name),
            rest: self.text(&line.rest),
        }
    }

    fn text(&mut self, text: &str) -> String {
        let mut parts = text.split("${");
        let mut out = parts.next().unwrap_or_default().to_owned();
        for part in parts {
            let known = part.split_once('}');
            let known = known.and_then(|(name, rest)| Some((self.values.get(name)?, rest)));
            if let Some((value, rest)) = known.filter(|(value, _)| value.len() <= self.left) {
                self.left -= value.len();
                out.push_str(value);
                out.push_str(rest);
            } else {
                out.push_str("${");
                out.push_str(part);
            }
        }
        out
    }
}

/// A `<Macro>`, by its name in lower case.
#[derive(Debug, Default)]
struct Macro {
    parameters: Vec<String>,
    lines: Vec<Line>,
}

fn is_macro(line: &Line) -> bool {
    line.name.eq_ignore_ascii_case("<macro")
}

/// The lines with each `Use` of a macro of the file replaced by its lines. A `Use` of another, and
/// one that would add too much, is kept.
fn without_macros(text: &str) -> Vec<Line> {
    let mut expansion = Expansion {
        macros: BTreeMap::new(),
        out: Vec::new(),
        left: MAX_ADDED,
    };
    let mut open: Option<(String, Macro)> = None;
    for line in lines::lines(text) {
        if line.name.eq_ignore_ascii_case("</macro>") {
            expansion.macros.extend(open.take());
        } else if let Some((_, inner)) = &mut open {
            inner.lines.push(line);
        } else if is_macro(&line) {
            let rest = line.rest.trim_end().trim_end_matches('>').trim_end();
            let head = Line {
                rest: rest.to_owned(),
                ..line
            };
            let mut words = head.words().into_iter();
            let name = words.next().unwrap_or_default().to_ascii_lowercase();
            let inner = Macro {
                parameters: words.collect(),
                lines: Vec::new(),
            };
            open = Some((name, inner));
        } else {
            expansion.push(line, 0);
        }
    }
    expansion.out
}

/// `DocumentRoot` of the server and of its virtual hosts, in the order of their lines.
#[derive(Debug, Default)]
pub(super) struct Roots {
    pub(super) main: Option<String>,
    hosts: Vec<Option<String>>,
    is_in_host: bool,
}

impl Roots {
    /// Takes a line.
    pub(super) fn add(&mut self, line: &Line) {
        match &*line.name.to_ascii_lowercase() {
            "<virtualhost" => {
                self.is_in_host = true;
                self.hosts.push(None);
            }
            "</virtualhost>" => self.is_in_host = false,
            "documentroot" => {
                let path = line.words().into_iter().next().unwrap_or_default();
                // A relative one is below the folder of the server, which is not known.
                let path = path.starts_with('/').then_some(path);
                let path = path.map(|path| path.trim_end_matches('/').to_owned());
                match self.hosts.last_mut() {
                    Some(host) if self.is_in_host => *host = path,
                    _ => self.main = path,
                }
            }
            _ => {}
        }
    }

    /// The root of a virtual host, or of the server; outside virtual hosts, the one that all of them
    /// have.
    pub(super) fn get(&self, host: Option<usize>) -> Option<&str> {
        let own = host.and_then(|host| self.hosts.get(host)?.as_deref());
        let common = || {
            let mut roots = self.hosts.iter().filter_map(Option::as_deref);
            let first = roots.next()?;
            roots.all(|root| root == first).then_some(first)
        };
        let outside = || host.is_none().then(common).flatten();
        own.or(self.main.as_deref()).or_else(outside)
    }
}

struct Expansion {
    macros: BTreeMap<String, Macro>,
    out: Vec<Line>,
    /// How many bytes macros may still add.
    left: usize,
}

impl Expansion {
    fn push(&mut self, line: Line, depth: usize) {
        match self.used(&line, depth) {
            Some(lines) => {
                for line in lines {
                    self.push(line, depth + 1);
                }
            }
            None => self.out.push(line),
        }
    }

    /// The lines that a `Use` stands for; `None` for another line, and beyond a limit.
    fn used(&mut self, line: &Line, depth: usize) -> Option<Vec<Line>> {
        if depth >= MAX_DEPTH || !line.name.eq_ignore_ascii_case("use") {
            return None;
        }
        let words = line.words();
        let (name, arguments) = words.split_first()?;
        let known = self.macros.get(&name.to_ascii_lowercase())?;
        if known.parameters.len() != arguments.len() {
            return None;
        }
        known.filled(arguments, line.number, &mut self.left)
    }
}

impl Macro {
    /// The lines with the arguments in place of the parameters, longer names first; `None` if that
    /// is more than is `left`.
    fn filled(&self, arguments: &[String], number: usize, left: &mut usize) -> Option<Vec<Line>> {
        let mut pairs: Vec<(&String, &String)> = self.parameters.iter().zip(arguments).collect();
        pairs.retain(|(name, _)| !name.is_empty());
        pairs.sort_by_key(|(name, _)| std::cmp::Reverse(name.len()));
        let mut lines = Vec::new();
        for line in &self.lines {
            *left = left.checked_sub(LINE_COST)?;
            lines.push(Line {
                number,
                name: fill(&line.name, &pairs, left)?,
                rest: fill(&line.rest, &pairs, left)?,
            });
        }
        Some(lines)
    }
}

fn fill(text: &str, pairs: &[(&String, &String)], left: &mut usize) -> Option<String> {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    *left = left.checked_sub(text.len().saturating_mul(pairs.len().max(1)))?;
    while let Some(c) = rest.chars().next() {
        let found = pairs.iter().find(|(name, _)| rest.starts_with(&***name));
        if let Some((name, value)) = found {
            *left = left.checked_sub(value.len())?;
            out.push_str(value);
            rest = &rest[name.len()..];
        } else {
            out.push(c);
            rest = &rest[c.len_utf8()..];
        }
    }
    Some(out)
}
