//! Matchers: the requests that a directive applies to.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use super::caddyfile::Directive;
use super::cel;
use super::condition::Test;
use super::files::Candidates;
use super::host::Host;
use super::path::PathPattern;
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

impl Matcher {
    /// The matcher that a directive defines.
    pub(super) fn named(
        definition: &Directive,
        site: Option<&str>,
        parser: &mut RuleParser,
    ) -> Self {
        let name = definition.name().trim_start_matches('@');
        let tests = if definition.quote(1).is_some() {
            // Without the name of a matcher, it is an expression.
            let text = definition.arguments().first().map_or("", String::as_str);
            let node = cel::parse(text, name, site, definition.line, parser);
            vec![Test::Expression(Box::new(node))]
        } else {
            tests_of(Line::new(definition).after(1), name, site, parser)
        };
        Self {
            tests,
            path: only_path(definition),
            written: definition.name().to_owned(),
        }
    }

    /// Whether a directive with this matcher runs before one of the same name with the other matcher.
    /// The longer path goes first, without its final star; of equal ones, the one without a star; and
    /// any matcher goes before none.
    pub(super) fn is_before(&self, other: &Self) -> bool {
        let (Some(path), Some(others)) = (&self.path, &other.path) else {
            return !self.tests.is_empty() && other.tests.is_empty();
        };
        let bare = |path: &'_ String| path.strip_suffix('*').unwrap_or(path).len();
        let (own, other) = (&path[..bare(path)], &others[..bare(others)]);
        match own.len().cmp(&other.len()) {
            Ordering::Equal if own == other => path.len() < others.len(),
            Ordering::Equal => own < other,
            unequal => unequal == Ordering::Greater,
        }
    }

    /// A text that is equal for equal matchers.
    pub(super) fn key(&self) -> &str {
        match (&self.path, &self.tests[..]) {
            (Some(path), [_]) => path,
            _ => &self.written,
        }
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

/// A directive from one of its words on.
#[derive(Clone, Copy)]
struct Line<'d> {
    directive: &'d Directive,
    /// The index of the word.
    from: usize,
}

impl<'d> Line<'d> {
    fn new(directive: &'d Directive) -> Self {
        Self { directive, from: 0 }
    }

    /// The line after this many words.
    fn after(self, words: usize) -> Self {
        Self {
            from: self.from + words,
            ..self
        }
    }

    fn words(self) -> &'d [String] {
        self.directive.words.get(self.from..).unwrap_or_default()
    }

    fn arguments(self) -> &'d [String] {
        self.after(1).words()
    }

    fn block(self) -> &'d [Directive] {
        self.directive.block.as_deref().unwrap_or_default()
    }

    /// The words with their quotes.
    fn written(self) -> String {
        let words = self.words().iter().enumerate().map(|(index, word)| {
            let quote = self.directive.quote(self.from + index);
            match quote.filter(|quote| *quote != '<') {
                Some(quote) => format!("{quote}{word}{quote}"),
                None => word.clone(),
            }
        });
        words.collect::<Vec<_>>().join(" ")
    }
}

/// The tests of a named matcher, or of a `not` inside one: the words of a line, or else the lines of its
/// block.
fn tests_of(line: Line<'_>, name: &str, site: Option<&str>, parser: &mut RuleParser) -> Vec<Test> {
    let mut tests = Tests::default();
    if !line.words().is_empty() {
        tests.add(test_of(line, name, site, parser));
        return tests.list;
    }
    for line in line.block() {
        tests.add(test_of(Line::new(line), name, site, parser));
    }
    tests.list
}

/// Tests; those of the same kind are merged.
#[derive(Default)]
struct Tests {
    list: Vec<Test>,
    /// The index of the test of each kind that is merged.
    merged: [Option<usize>; 5],
}

impl Tests {
    /// Adds a test, or merges it with one of its kind, so that either may match.
    fn add(&mut self, test: Test) {
        let kind = match &test {
            Test::Path(_) => 0,
            Test::Host(_) => 1,
            Test::Query(_) => 2,
            Test::Method(_) => 3,
            Test::Expression(_) => 4,
            _ => return self.list.push(test),
        };
        let known = self.merged[kind].and_then(|index| self.list.get_mut(index));
        match (known, test) {
            (Some(Test::Path(known)), Test::Path(more)) => known.extend(more),
            (Some(Test::Host(known)), Test::Host(more)) => known.extend(more),
            (Some(Test::Query(known)), Test::Query(more)) => {
                for (key, values) in more {
                    known.entry(key).or_default().extend(values);
                }
            }
            (Some(Test::Method(known)), Test::Method(more)) => *known |= more,
            // Only the first expression counts.
            (Some(_), _) => {}
            (None, test) => {
                self.merged[kind] = Some(self.list.len());
                self.list.push(test);
            }
        }
    }
}

fn test_of(line: Line<'_>, name: &str, site: Option<&str>, parser: &mut RuleParser) -> Test {
    let number = line.directive.line;
    let arguments = line.arguments();
    let kind = line.words().first().map_or("", String::as_str);
    match kind {
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
                    parser.problem(number, ProblemKind::NotRead, message);
                    Test::Unknown
                }
            }
        }
        "expression" => {
            let node = match arguments {
                [text] => cel::parse(text, name, site, number, parser),
                _ => cel::parse(&line.after(1).written(), "", site, number, parser),
            };
            Test::Expression(Box::new(node))
        }
        "query" => query(number, arguments, parser),
        "host" => Test::Host(arguments.iter().map(|host| Host::new(host)).collect()),
        "method" => Test::Method(arguments.iter().any(|method| method == "GET")),
        "protocol" if matches!(arguments, [one] if one == "http" || one == "https") => {
            Test::Scheme(arguments.concat())
        }
        "vars" => match arguments {
            [name, values @ ..] if !values.is_empty() => {
                Test::Variable(name.clone(), values.to_vec())
            }
            _ => Test::Unknown,
        },
        "vars_regexp" => {
            let (name, key, source) = match arguments {
                [key, source] => (name, key, source),
                [name, key, source] => (name.as_str(), key, source),
                _ => return Test::Unknown,
            };
            match parser.pattern(source, false) {
                Ok(pattern) => Test::VariableLike(name.to_owned(), key.clone(), pattern),
                Err(message) => {
                    parser.problem(number, ProblemKind::NotRead, message);
                    Test::Unknown
                }
            }
        }
        "file" => {
            if let Some(candidates) = Candidates::new(arguments, line.block(), site) {
                return Test::File(Box::new(candidates));
            }
            let message = "which files this looks for is not read";
            parser.problem(number, ProblemKind::NotRead, message);
            Test::Unknown
        }
        "not" => {
            let words = line.words().iter();
            let count = words.take_while(|word| *word == "not").count();
            let not = Test::Not(tests_of(line.after(count), name, site, parser));
            if count % 2 == 0 {
                Test::Not(vec![not])
            } else {
                not
            }
        }
        other => {
            let message = format!("whether {other:?} matches is not read");
            parser.problem(number, ProblemKind::NotRead, message);
            Test::Unknown
        }
    }
}

/// `query key=value other=*`
fn query(number: usize, arguments: &[String], parser: &mut RuleParser) -> Test {
    let mut parameters: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for pair in arguments.iter().filter(|pair| !pair.is_empty()) {
        let Some((key, value)) = pair.split_once('=') else {
            let message = format!("the query {pair:?} has no \"=\": the server does not start");
            parser.problem(number, ProblemKind::Refused, message);
            return Test::Unknown;
        };
        parameters
            .entry(key.to_owned())
            .or_default()
            .push(value.to_owned());
    }
    Test::Query(parameters)
}
