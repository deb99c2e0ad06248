//! The lines of a configuration after `Define`, `<IfDefine>`, `<Macro>` and `Include` have had their
//! effect.

use std::collections::{BTreeMap, BTreeSet};

use super::lines::{self, Line};
use super::server_root::{ServerRoot, is_include};
use crate::included::{Included, MAX_DEPTH, MAX_INCLUDED};

/// The most bytes that macros, or definitions, may add to a file.
const MAX_ADDED: usize = 4 << 20;
/// What a line costs besides its text.
const LINE_COST: usize = 64;

/// The lines of a text; `is_server` if it is the configuration of a server, which may have macros and
/// include files.
pub(super) fn lines<'t>(
    text: &'t str,
    included: &'t Included,
    is_server: bool,
) -> impl Iterator<Item = Line> + 't {
    Preprocessed {
        included,
        is_server,
        sources: vec![Box::new(lines::lines(text, 1))],
        macros: Macros {
            known: BTreeMap::new(),
            open: None,
            left: MAX_ADDED,
        },
        conditions: Conditions {
            is_server,
            defined: Defined {
                values: BTreeMap::new(),
                left: MAX_ADDED,
            },
            open: Vec::new(),
        },
        server_root: ServerRoot::default(),
        left: MAX_INCLUDED,
    }
}

struct Preprocessed<'t> {
    included: &'t Included,
    is_server: bool,
    /// The remaining lines of the file, and of the files and macros in it, innermost last.
    sources: Vec<Box<dyn Iterator<Item = Line> + 't>>,
    macros: Macros,
    conditions: Conditions,
    server_root: ServerRoot,
    /// How many bytes included files may still add.
    left: usize,
}

impl Iterator for Preprocessed<'_> {
    type Item = Line;

    fn next(&mut self) -> Option<Line> {
        loop {
            let Some(source) = self.sources.last_mut() else {
                // The reader reports that it is never closed.
                let open = self.macros.open.take().map(|open| open.head);
                return open.or_else(|| self.conditions.open.pop().map(|(line, _)| line));
            };
            match source.next() {
                Some(line) => {
                    if let Some(line) = self.line(line) {
                        return Some(line);
                    }
                }
                None => drop(self.sources.pop()),
            }
        }
    }
}

impl Preprocessed<'_> {
    /// A line that is to be read.
    fn line(&mut self, line: Line) -> Option<Line> {
        if !self.is_server {
            return self.conditions.line(line);
        }
        let line = self.macros.line(line)?;
        let line = self.conditions.line(line)?;
        self.server_root.add(&line);
        if self.sources.len() > MAX_DEPTH {
            return Some(line);
        }
        if is_include(&line) {
            return self.include(line);
        }
        match self.macros.used(&line) {
            Some(lines) => {
                self.sources.push(Box::new(lines.into_iter()));
                None
            }
            None => Some(line),
        }
    }

    /// Goes on with the files that a line includes; otherwise returns the line.
    fn include(&mut self, line: Line) -> Option<Line> {
        if self.server_root.adds_nothing(&line, self.included) {
            return None;
        }
        let name = self.server_root.included_by(&line);
        let files = name.and_then(|name| self.included.named(&name));
        let Some(files) = files else {
            return Some(line);
        };
        let length = files.iter().map(|file| LINE_COST + file.text.len());
        let Some(left) = self.left.checked_sub(length.sum()) else {
            return Some(line);
        };
        self.left = left;
        let all = files.into_iter();
        let lines = all.flat_map(|file| lines::lines(&file.text, file.first_line));
        self.sources.push(Box::new(lines));
        None
    }
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

/// A `<Macro>` that is not closed yet.
struct OpenMacro {
    head: Line,
    name: String,
    inner: Macro,
}

/// `DocumentRoot` of the server and of its virtual hosts, in the order of their lines.
#[derive(Debug, Default)]
pub(super) struct Roots {
    pub(super) main: Option<String>,
    hosts: Vec<Option<String>>,
    is_in_host: bool,
    /// The line of the last one.
    line: usize,
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
                self.line = line.number;
                match self.hosts.last_mut() {
                    Some(host) if self.is_in_host => *host = path,
                    _ => self.main = path,
                }
            }
            _ => {}
        }
    }

    /// The root of a virtual host, or of the server. Outside virtual hosts, the roots of all of them.
    pub(super) fn all(&self, host: Option<usize>) -> BTreeSet<&str> {
        let main = self.main.as_deref();
        if let Some(host) = host {
            let own = self.hosts.get(host).and_then(Option::as_deref);
            return own.or(main).into_iter().collect();
        }
        let hosts = self.hosts.iter().filter_map(Option::as_deref);
        hosts.chain(main).collect()
    }

    /// The line of one, if virtual hosts have different ones.
    pub(super) fn differ(&self) -> Option<usize> {
        let mut hosts = self.hosts.iter();
        let first = hosts.next()?;
        hosts.any(|other| other != first).then_some(self.line)
    }

    /// The only one of these.
    pub(super) fn get(&self, host: Option<usize>) -> Option<&str> {
        let all = self.all(host);
        all.first().copied().filter(|_| all.len() == 1)
    }
}

struct Macros {
    known: BTreeMap<String, Macro>,
    open: Option<OpenMacro>,
    /// How many bytes macros may still add.
    left: usize,
}

impl Macros {
    /// A line that is not part of a `<Macro>`.
    fn line(&mut self, line: Line) -> Option<Line> {
        if let Some(open) = self
            .open
            .take_if(|_| line.name.eq_ignore_ascii_case("</macro>"))
        {
            self.known.insert(open.name, open.inner);
            return None;
        }
        if let Some(open) = &mut self.open {
            open.inner.lines.push(line);
            return None;
        }
        if !line.name.eq_ignore_ascii_case("<macro") {
            return Some(line);
        }
        let head = Line {
            rest: line.rest.trim_end().trim_end_matches('>').to_owned(),
            ..line
        };
        let mut words = head.words().into_iter();
        self.open = Some(OpenMacro {
            name: words.next().unwrap_or_default().to_ascii_lowercase(),
            inner: Macro {
                parameters: words.collect(),
                lines: Vec::new(),
            },
            head,
        });
        None
    }

    /// The lines that a `Use` of a macro of the file stands for; `None` for another line, and if that
    /// would add too much.
    fn used(&mut self, line: &Line) -> Option<Vec<Line>> {
        if !line.name.eq_ignore_ascii_case("use") {
            return None;
        }
        let words = line.words();
        let (name, arguments) = words.split_first()?;
        let known = self.known.get(&name.to_ascii_lowercase())?;
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
