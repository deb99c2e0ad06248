//! Matchers: the requests that a directive applies to.

use std::collections::BTreeMap;

use super::caddyfile::Directive;
use super::files::{self, first_of};
use super::host::Host;
use super::state::State;
use crate::engine::pattern::Pattern;
use crate::engine::work::{COMPARED_PER_STEP, NoAnswer, Work};
use crate::request::Files;
use crate::rule::{ProblemKind, RuleParser};

/// The tests, all of which must hold.
#[derive(Debug, Default)]
pub(super) struct Matcher {
    pub(super) tests: Vec<Test>,
    /// The path pattern, if that is the only test.
    pub(super) path: Option<String>,
    /// Its source text, to compare it with other matchers.
    pub(super) written: String,
}

#[derive(Debug)]
pub(super) enum Test {
    /// Any of these paths.
    Path(Vec<PathPattern>),
    Regexp(String, Pattern),
    /// The accepted values of each parameter; `*` accepts any value. Without parameters, the request
    /// must have no query.
    Query(BTreeMap<String, Vec<String>>),
    Host(Vec<Host>),
    Method(bool),
    /// Any of these files.
    File(Vec<String>),
    Not(Vec<Test>),
    Unknown,
}

#[derive(Debug)]
pub(super) enum PathPattern {
    Exact(String),
    Prefix(String),
    Suffix(String),
    Part(String),
    Glob(Pattern),
}

impl Matcher {
    /// The matcher that a directive has inline.
    pub(super) fn named(definition: &Directive, parser: &mut RuleParser) -> Self {
        let mut tests = Vec::new();
        tests_of(definition, &mut tests, parser);
        Self {
            tests,
            path: only_path(definition),
            written: definition.name().to_owned(),
        }
    }

    /// Whether a directive with this matcher runs before one of the same name with the other matcher.
    /// The longer path goes first; of paths that differ only by a final star, the one without it; and
    /// any matcher goes before none.
    pub(super) fn is_before(&self, other: &Self) -> bool {
        if let (Some(path), Some(others)) = (&self.path, &other.path) {
            let bare = |path: &'_ String| path.strip_suffix('*').unwrap_or(path).len();
            if path[..bare(path)] == others[..bare(others)] {
                return path.len() < others.len();
            }
            return path.len() > others.len();
        }
        !self.tests.is_empty() && other.tests.is_empty()
    }

    /// The literal prefix of every matching path, in lower case.
    pub(super) fn prefix(&self) -> &str {
        match &self.tests[..] {
            [Test::Path(paths)] => match &paths[..] {
                [PathPattern::Exact(text) | PathPattern::Prefix(text)] => text,
                _ => "",
            },
            _ => "",
        }
    }
}

/// The path of a named matcher, if that is its only test.
fn only_path(definition: &Directive) -> Option<String> {
    let inline = match definition.arguments() {
        [name, paths @ ..] if name == "path" => paths,
        _ => &[],
    };
    let lines = definition.block.iter().flatten();
    let lines = lines.filter(|line| line.name() == "path");
    let mut paths = inline.iter().chain(lines.flat_map(Directive::arguments));
    let first = paths.next()?;
    paths.next().is_none().then(|| first.clone())
}

/// The tests of a named matcher, or of a `not` inside one.
fn tests_of(definition: &Directive, tests: &mut Vec<Test>, parser: &mut RuleParser) {
    if !definition.arguments().is_empty() {
        let words = definition.arguments().to_vec();
        let inline = Directive {
            line: definition.line,
            words,
            block: None,
        };
        tests.push(test_of(&inline, definition.name(), parser));
    }
    for line in definition.block.iter().flatten() {
        let test = test_of(line, definition.name(), parser);
        if let Some(test) = merged(test, tests) {
            tests.push(test);
        }
    }
}

/// Merges a repeated test of the same kind, so that either may match. A test of another kind is
/// returned.
fn merged(test: Test, tests: &mut [Test]) -> Option<Test> {
    for known in tests {
        match (known, &test) {
            (Test::Path(known), Test::Path(_)) => {
                let Test::Path(more) = test else { return None };
                known.extend(more);
                return None;
            }
            (Test::Host(known), Test::Host(more)) => {
                known.extend_from_slice(more);
                return None;
            }
            (Test::File(known), Test::File(more)) => {
                known.extend_from_slice(more);
                return None;
            }
            (Test::Query(known), Test::Query(more)) => {
                for (key, values) in more {
                    known
                        .entry(key.clone())
                        .or_default()
                        .extend_from_slice(values);
                }
                return None;
            }
            (Test::Method(known), Test::Method(more)) => {
                *known |= *more;
                return None;
            }
            _ => {}
        }
    }
    Some(test)
}

fn test_of(line: &Directive, name: &str, parser: &mut RuleParser) -> Test {
    let arguments = line.arguments();
    let name = name.trim_start_matches('@');
    match line.name() {
        "path" => {
            let paths = arguments.iter().map(|path| PathPattern::new(path, parser));
            Test::Path(paths.collect())
        }
        "path_regexp" => {
            let (name, expression) = match arguments {
                [expression] => (name, expression),
                [name, expression] => (name.as_str(), expression),
                _ => return Test::Unknown,
            };
            match parser.pattern(expression, false) {
                Ok(pattern) => Test::Regexp(name.to_owned(), pattern),
                Err(message) => {
                    parser.problem(line.line, ProblemKind::NotRead, message);
                    Test::Unknown
                }
            }
        }
        "query" => query(line, parser),
        "host" => Test::Host(arguments.iter().map(|host| Host::new(host)).collect()),
        "method" => Test::Method(arguments.iter().any(|method| method == "GET")),
        "file" => {
            if let Some(names) = files::names_of(line) {
                return Test::File(names);
            }
            let message = "which files this looks for is not read";
            parser.problem(line.line, ProblemKind::NotRead, message);
            Test::Unknown
        }
        "not" => {
            let mut tests = Vec::new();
            let inner = Directive {
                line: line.line,
                words: [&[format!("@{name}")], arguments].concat(),
                block: line.block.clone(),
            };
            tests_of(&inner, &mut tests, parser);
            Test::Not(tests)
        }
        other => {
            let message = format!("whether {other:?} matches is not read");
            parser.problem(line.line, ProblemKind::NotRead, message);
            Test::Unknown
        }
    }
}

/// `query key=value other=*`
fn query(line: &Directive, parser: &mut RuleParser) -> Test {
    let mut parameters: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for pair in line.arguments().iter().filter(|pair| !pair.is_empty()) {
        let Some((key, value)) = pair.split_once('=') else {
            let message = format!("the query {pair:?} has no \"=\": the server does not start");
            parser.problem(line.line, ProblemKind::Refused, message);
            return Test::Unknown;
        };
        parameters
            .entry(key.to_owned())
            .or_default()
            .push(value.to_owned());
    }
    Test::Query(parameters)
}

impl PathPattern {
    /// A pattern in lower case, classified by the positions of its stars.
    pub(super) fn new(pattern: &str, parser: &mut RuleParser) -> Self {
        let lower = pattern.to_ascii_lowercase();
        let inner = lower.trim_matches('*');
        let has_others = inner.contains(['*', '?', '[', '\\', '%']);
        if lower == "*" {
            return Self::Part(String::new());
        }
        let (starts, ends) = (lower.starts_with('*'), lower.ends_with('*'));
        let wild = lower.len() - inner.len();
        match (has_others, starts, ends) {
            (false, false, false) => Self::Exact(lower),
            (false, false, true) if wild == 1 => Self::Prefix(inner.to_owned()),
            (false, true, false) if wild == 1 => Self::Suffix(inner.to_owned()),
            (false, true, true) if wild == 2 => Self::Part(inner.to_owned()),
            _ => {
                let mut expression = String::from("^");
                let mut is_class = false;
                for c in lower.chars() {
                    match c {
                        '[' | ']' => {
                            is_class = c == '[';
                            expression.push(c);
                        }
                        _ if is_class => expression.push(c),
                        '*' => expression.push_str("[^/]*"),
                        '?' => expression.push_str("(?u:[^/])"),
                        c => expression.push_str(&regex::escape(c.encode_utf8(&mut [0; 4]))),
                    }
                }
                match parser.pattern(&(expression + "$"), false) {
                    Ok(pattern) => Self::Glob(pattern),
                    Err(_) => Self::Exact(lower),
                }
            }
        }
    }

    fn matches(&self, path: &str, work: &Work) -> Result<bool, NoAnswer> {
        Ok(match self {
            Self::Exact(text) => path == text,
            Self::Prefix(text) => path.starts_with(text),
            Self::Suffix(text) => path.ends_with(text),
            Self::Part(text) => path.contains(text),
            Self::Glob(pattern) => pattern.find(path.as_bytes(), work)?.is_some(),
        })
    }
}

impl Test {
    /// Whether the test holds; `None` if that cannot be known.
    pub(super) fn holds(
        &self,
        state: &mut State<'_>,
        tidied: &str,
        files: &dyn Files,
        work: &Work,
    ) -> Option<bool> {
        Some(match self {
            Self::Unknown => return None,
            Self::Path(paths) => {
                work.take(paths.len() / COMPARED_PER_STEP).ok()?;
                let lower = tidied.to_ascii_lowercase();
                for path in paths {
                    if path.matches(&lower, work).ok()? {
                        return Some(true);
                    }
                }
                false
            }
            Self::Regexp(name, pattern) => {
                let Some(groups) = pattern.find(tidied.as_bytes(), work).ok()? else {
                    return Some(false);
                };
                let text = |number| {
                    let value = groups.get(number, tidied.as_bytes());
                    String::from_utf8_lossy(value).into_owned()
                };
                let mut captures = Vec::new();
                for number in 0..groups.len() {
                    work.take_text(groups.get(number, tidied.as_bytes()).len())
                        .ok()?;
                    captures.push((format!("{name}.{number}"), text(number)));
                    captures.push((number.to_string(), text(number)));
                }
                for (known, number) in groups.names() {
                    captures.push((format!("{name}.{known}"), text(*number)));
                }
                // The last match of a name wins.
                state.captures.splice(..0, captures);
                true
            }
            Self::Query(parameters) => {
                let query = state.query.as_deref().unwrap_or_default();
                has_query(parameters, query, work).ok()?
            }
            Self::Host(hosts) => {
                work.take(hosts.len() / COMPARED_PER_STEP).ok()?;
                let is_secure = state.request.scheme == "https";
                let own = state.request.host_name().to_ascii_lowercase();
                hosts.iter().any(|host| host.is(is_secure, &own))
            }
            Self::Method(is_get) => *is_get,
            Self::File(names) => first_of(names, state, files, work)?.ok()?.is_some(),
            Self::Not(tests) => {
                for test in tests {
                    if !test.holds(state, tidied, files, work)? {
                        return Some(true);
                    }
                }
                false
            }
        })
    }
}

/// Whether a query has one of the values of each parameter.
fn has_query(
    parameters: &BTreeMap<String, Vec<String>>,
    query: &str,
    work: &Work,
) -> Result<bool, NoAnswer> {
    let given: Vec<_> = url::form_urlencoded::parse(query.as_bytes()).collect();
    if parameters.is_empty() {
        return Ok(given.is_empty());
    }
    for (key, values) in parameters {
        let compared = given.len().saturating_mul(values.len());
        work.take(1 + compared / COMPARED_PER_STEP)?;
        let mut of_key = given.iter().filter(|(name, _)| name == key);
        if !of_key.any(|(_, value)| values.iter().any(|one| one == "*" || one == value)) {
            return Ok(false);
        }
    }
    Ok(true)
}
