//! `_redirects` of Netlify, as interpreted by the production matcher and served by `netlify dev`.
//!
//! A rule matches the decoded path, ignoring a final slash; its own source is not decoded. A file
//! wins over a rule without `!`.
//!
//! Departs from that server (26.2.0, compared on 2026-11-22) in three of its faults: it serves the start
//! page for a path that starts with two slashes; it answers 200 with its error page where a rule
//! with `200!` leads to nothing; and it ends where a target has a `%` that starts no escape.

use std::collections::HashMap;

use percent_encoding::percent_decode_str;

use crate::engine::index::PrefixIndex;
use crate::engine::pattern::{Groups, Pattern};
use crate::engine::work::{NoAnswer, Work};
use crate::form::{Form, NewRule};
use crate::line_error::LineError;
use crate::request::{Files, Request, has_only_whole_escapes, merge_slashes};
use crate::responder::{Responder, Visit};
use crate::rule::{Answer, ProblemKind, Rule, RuleParser};
use baseref_resolve::{Rules, resolve};

/// The paths at which functions and other services of the host answer.
const PROGRAMS: &str = "/.netlify/";

#[derive(Debug, Default)]
pub(crate) struct Netlify {
    rules: Vec<Redirect>,
    /// The rules by the first query parameter that they require, or `None`.
    by_query: HashMap<Option<QueryParameter>, Sources>,
}

/// A query parameter that a rule requires, with the required value if it has one.
type QueryParameter = (String, Option<String>);

/// The indices of rules by source.
#[derive(Debug, Default)]
struct Sources {
    by_path: HashMap<String, Vec<usize>>,
    by_prefix: PrefixIndex,
}

/// One rule; a lower index takes precedence.
#[derive(Debug)]
struct Redirect {
    rule: usize,
    line: usize,
    /// The scheme and host that the request must have, if the source is a URL.
    origin: Option<(String, String)>,
    path: PathMatch,
    query: Vec<(String, ParameterMatch)>,
    to: String,
    status: u16,
    is_forced: bool,
    /// Whether its answer is known: it has no conditions, and its status is valid.
    is_read: bool,
}

#[derive(Debug)]
enum PathMatch {
    Exact,
    Pattern {
        pattern: Pattern,
        names: Vec<String>,
    },
}

/// The required value of a query parameter.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum ParameterMatch {
    Value(String),
    /// Any value, bound to this name.
    Any(String),
}

/// The words of a line, by role.
#[derive(Debug, PartialEq, Eq, Hash, Clone)]
struct Line {
    from: String,
    query: Vec<(String, ParameterMatch)>,
    to: String,
    status: Option<u16>,
    is_forced: bool,
    conditions: Vec<String>,
}

pub(crate) fn read(text: &str, parser: &mut RuleParser) -> Netlify {
    // Of equal rules, the last one is kept, in its place.
    let mut lines: HashMap<Line, usize> = HashMap::new();
    for (number, line) in (1..).zip(text.split('\n')) {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        match parse(line) {
            Ok(line) => {
                if let Some(earlier) = lines.insert(line, number) {
                    let message = "the same rule is repeated further down: dropped";
                    parser.problem(earlier, ProblemKind::Dropped, message);
                }
            }
            Err(message) => {
                parser.problem(number, ProblemKind::Dropped, format!("{message}: dropped"));
            }
        }
    }
    let mut lines: Vec<(usize, Line)> = lines.into_iter().map(|(line, at)| (at, line)).collect();
    lines.sort_unstable_by_key(|(number, _)| *number);
    let mut netlify = Netlify::default();
    for (number, line) in lines {
        netlify.add(number, line, parser);
    }
    netlify
}

fn is_url(word: &str) -> bool {
    word.starts_with("http://") || word.starts_with("https://")
}

/// `Number.parseInt` of JavaScript, which ignores what follows the digits; `None` for NaN. A negative
/// or too large number becomes 0, which is not a valid status either.
fn status_of(word: &str) -> Option<u16> {
    let unsigned = word.strip_prefix(['+', '-']).unwrap_or(word);
    let hexadecimal = unsigned
        .strip_prefix("0x")
        .or_else(|| unsigned.strip_prefix("0X"));
    let (digits, radix) = hexadecimal.map_or((unsigned, 10), |digits| (digits, 16));
    let end = digits.find(|c: char| !c.is_digit(radix));
    let digits = &digits[..end.unwrap_or(digits.len())];
    if digits.is_empty() {
        return None;
    }
    let status = u16::from_str_radix(digits, radix).unwrap_or(0);
    Some(if word.starts_with('-') { 0 } else { status })
}

fn parse(line: &str) -> Result<Line, LineError> {
    let mut words = line
        .split_whitespace()
        .take_while(|word| !word.starts_with('#'));
    let from = words.next().unwrap_or_default().to_owned();
    let words: Vec<&str> = words.collect();
    let first = *words.first().ok_or(LineError::Form("there is no target"))?;
    let (query, to, rest) = if status_of(first).is_some() {
        (&words[..0], None, &words[..])
    } else {
        let at = words
            .iter()
            .position(|word| word.starts_with('/') || is_url(word))
            .ok_or(LineError::Form(
                "the target must start with \"/\", \"http://\" or \"https://\"",
            ))?;
        (&words[..at], Some(words[at].to_owned()), &words[at + 1..])
    };
    let (status, conditions) = match rest.split_first() {
        Some((status, conditions)) => (Some(*status), conditions),
        None => (None, &rest[..0]),
    };
    let code = match status {
        Some(word) => Some(status_of(word).ok_or_else(|| LineError::Status(word.to_owned()))?),
        None => None,
    };
    let to = match (to, code) {
        (Some(to), _) => to,
        (None, Some(200..=299)) if from.ends_with("/*") => {
            format!("{}/:splat", &from[..from.len() - 2])
        }
        (None, _) => return Err(LineError::Form("there is no target")),
    };
    if path_of(&from).starts_with("/.netlify") {
        return Err(LineError::Form("a source must not start with /.netlify"));
    }
    Ok(Line {
        query: query.iter().filter_map(|word| parameter(word)).collect(),
        to,
        status: code,
        is_forced: status.is_some_and(|word| word.ends_with('!')),
        conditions: conditions
            .iter()
            .filter(|word| word.contains('='))
            .map(|word| (*word).to_owned())
            .collect(),
        from,
    })
}

/// `key=value`; a word without `=` requires nothing.
fn parameter(word: &str) -> Option<(String, ParameterMatch)> {
    let mut parts = word.split('=');
    let key = parts.next()?;
    let value = parts.next()?;
    let wanted = match value.strip_prefix(':') {
        Some(name) if !name.is_empty() => ParameterMatch::Any(name.to_owned()),
        _ => ParameterMatch::Value(value.to_owned()),
    };
    Some((key.to_owned(), wanted))
}

/// The path of a source, which may be a URL.
fn path_of(from: &str) -> String {
    if !is_url(from) {
        let slash = if from.starts_with('/') { "" } else { "/" };
        return format!("{slash}{from}");
    }
    let url = resolve(Rules::Whatwg, None, from).unwrap_or_default();
    Request::from_url(&url).map_or("/".to_owned(), |request| request.path.to_owned())
}

/// A source as a regular expression for the decoded path, with the names of its groups; `None` if it is
/// literal.
fn expression(path: &str) -> Option<(String, Vec<String>)> {
    let segments: Vec<&str> = path.split('/').skip(1).collect();
    let mut names = Vec::new();
    let mut out = String::from("^");
    let mut is_open = false;
    for (number, segment) in segments.iter().enumerate() {
        let is_last = number + 1 == segments.len();
        if *segment == "*" {
            out.push_str("(?:/(.*))?");
            names.push("splat".to_owned());
            is_open = is_last;
        } else if let Some(name) = segment.strip_prefix(':').filter(|name| !name.is_empty()) {
            out.push_str("/+([^/]+)");
            names.push(name.to_owned());
        } else if let Some(start) = segment.strip_suffix('*') {
            out.push('/');
            out.push_str(&regex::escape(start));
            out.push_str("/?(.*)");
            names.push("splat".to_owned());
            is_open = is_last;
        } else if !(segment.is_empty() && is_last) {
            out.push('/');
            out.push_str(&regex::escape(segment));
        }
    }
    out.push_str(if is_open { "$" } else { "/?$" });
    (!names.is_empty()).then_some((out, names))
}

/// Whether two splats are adjacent, which the server fills in its own way.
fn has_adjacent_splats(path: &str) -> bool {
    path.contains("*/*") || path.contains("**")
}

fn samples(path: &str) -> Vec<String> {
    let fill = |splat: &str| {
        let segments = path.split('/').map(|segment| match segment {
            "*" => splat.to_owned(),
            name if name.len() > 1 && name.starts_with(':') => "a-name-of-no-rule".to_owned(),
            other => match other.strip_suffix('*') {
                Some(start) => format!("{start}{splat}"),
                None => other.to_owned(),
            },
        });
        segments.collect::<Vec<_>>().join("/")
    };
    if path.contains('*') {
        vec![fill(""), fill("a-folder-of-no-rule/a-name-of-no-rule")]
    } else {
        vec![fill("")]
    }
}

impl Netlify {
    fn add(&mut self, line: usize, parsed: Line, parser: &mut RuleParser) {
        let path = path_of(&parsed.from);
        if path.contains('#') {
            let message = "no client sends a fragment, so the rule never matches";
            parser.problem(line, ProblemKind::FragmentSource, message);
        }
        if has_adjacent_splats(&path) {
            let message = format!("adjacent splats in {path:?} are not supported");
            parser.problem(line, ProblemKind::NotRead, message);
            return;
        }
        let origin = is_url(&parsed.from).then(|| {
            let url = resolve(Rules::Whatwg, None, &parsed.from).unwrap_or_default();
            Request::from_url(&url).map_or_else(Default::default, |request| {
                (request.scheme.to_owned(), request.host_name().to_owned())
            })
        });
        let source = match expression(&path) {
            None => PathMatch::Exact,
            Some((expression, names)) => match parser.pattern(&expression, false) {
                Ok(pattern) => PathMatch::Pattern { pattern, names },
                Err(message) => {
                    parser.problem(line, ProblemKind::NotRead, message);
                    return;
                }
            },
        };
        let status = parsed.status.unwrap_or(301);
        let is_status = (100..=999).contains(&status);
        if !is_status {
            let message = "the status is not one of 100 to 999, and the server fails: not read";
            parser.problem(line, ProblemKind::NotRead, message);
        }
        if !parsed.conditions.is_empty() {
            let message = format!(
                "whether the rule applies depends on the visitor ({}): not read",
                parsed.conditions.join(" ")
            );
            parser.problem(line, ProblemKind::NotRead, message);
        }
        let rank = self.rules.len();
        let is_exact = matches!(source, PathMatch::Exact);
        let required = parsed.query.first().map(|(key, wanted)| match wanted {
            ParameterMatch::Value(value) => (key.clone(), Some(value.clone())),
            ParameterMatch::Any(_) => (key.clone(), None),
        });
        let sources = self.by_query.entry(required).or_default();
        match &source {
            PathMatch::Exact => {
                let key = path.trim_end_matches('/').to_owned();
                sources.by_path.entry(key).or_default().push(rank);
            }
            PathMatch::Pattern { pattern, .. } => sources.by_prefix.add_pattern(pattern, rank),
        }
        let rule = parser.rule(Rule {
            line,
            from: parsed.from,
            to: Some(parsed.to.clone()),
            status,
            status_is_default: parsed.status.is_none(),
            is_exact: is_exact && parsed.query.is_empty(),
            samples: if parsed.query.is_empty() && origin.is_none() && parsed.conditions.is_empty()
            {
                samples(&path)
            } else {
                Vec::new()
            },
        });
        self.rules.push(Redirect {
            rule,
            line,
            origin,
            path: source,
            query: parsed.query,
            to: parsed.to,
            status,
            is_forced: parsed.is_forced,
            is_read: is_status && parsed.conditions.is_empty(),
        });
    }

    /// The first rule that matches, with its target filled in; the error is the line of one that may
    /// match.
    fn find(
        &self,
        request: &Request<'_>,
        path: &str,
        work: &Work,
    ) -> Result<Option<(&Redirect, String)>, usize> {
        let query = query_of(request);
        // If no rule has been tried, the first line stands for the file.
        let ranks = self.ranks(path, &query, work);
        for rank in ranks.map_err(|NoAnswer| 1_usize)? {
            let Some(redirect) = self.rules.get(rank) else {
                continue;
            };
            let values = redirect.values(request, path, &query, work);
            let Some(values) = values.map_err(|NoAnswer| redirect.line)? else {
                continue;
            };
            if !redirect.is_read {
                return Err(redirect.line);
            }
            if values.iter().any(|(_, value)| value.contains('\\')) {
                // The matcher of the dev server passes targets on without escaping backslashes.
                return Err(redirect.line);
            }
            let mut to = redirect.to.clone();
            for (name, value) in values {
                to = filled(&to, &format!(":{name}"), &value, work)
                    .map_err(|NoAnswer| redirect.line)?;
            }
            return Ok(Some((redirect, to)));
        }
        Ok(None)
    }

    /// The indices of the rules that may match, in order.
    fn ranks(
        &self,
        path: &str,
        query: &HashMap<String, String>,
        work: &Work,
    ) -> Result<Vec<usize>, NoAnswer> {
        let bare = path.strip_suffix('/').unwrap_or(path);
        let given = query.iter().flat_map(|(key, value)| {
            let with = |value: Option<&String>| Some((key.clone(), value.cloned()));
            [with(None), with(Some(value))]
        });
        let mut ranks = Vec::new();
        for required in std::iter::once(None).chain(given) {
            let Some(sources) = self.by_query.get(&required) else {
                continue;
            };
            ranks.extend(sources.by_prefix.candidates(path.as_bytes(), work)?);
            if !path.contains("//") {
                let exact = sources.by_path.get(bare).map_or(&[][..], Vec::as_slice);
                work.take(exact.len() / 16)?;
                ranks.extend(exact);
            }
        }
        ranks.sort_unstable();
        Ok(ranks)
    }
}

impl Responder for Netlify {
    fn answer(&self, visit: &Visit<'_>) -> Answer {
        let (request, files, work) = (visit.request, visit.files, visit.work);
        let path = percent_decode_str(request.path).decode_utf8().ok();
        let Some(path) = path.filter(|_| has_only_whole_escapes(request.path)) else {
            // The dev server cannot decode it and fails.
            return Answer::refused(500);
        };
        // Repeated slashes matter to rules but not to files.
        let merged = merge_slashes(&path);
        let file = static_file(&merged, files);
        match self.find(request, &path, work) {
            Err(line) => Answer::Unknown { line },
            Ok(Some((redirect, to))) if file.is_none() || redirect.is_forced => {
                redirect.answer(request, &to, file, files)
            }
            Ok(Some(_)) => as_file(file, 200, None),
            Ok(None) => as_file(served_file(&merged, files), 200, None),
        }
    }
}

/// A target with every occurrence of a name filled in.
fn filled(to: &str, name: &str, value: &str, work: &Work) -> Result<String, NoAnswer> {
    let count = to.matches(name).count();
    work.take_text(to.len().saturating_add(count.saturating_mul(value.len())))?;
    Ok(to.replace(name, value))
}

/// The decoded query parameters, with the last value of each name.
fn query_of(request: &Request<'_>) -> HashMap<String, String> {
    let query = request.query.unwrap_or_default();
    query
        .split('&')
        .filter(|pair| pair.contains('='))
        .flat_map(|pair| url::form_urlencoded::parse(pair.as_bytes()).into_owned())
        .collect()
}

impl Redirect {
    /// The values of the rule's names for a request; `None` if the rule does not match.
    fn values(
        &self,
        request: &Request<'_>,
        path: &str,
        query: &HashMap<String, String>,
        work: &Work,
    ) -> Result<Option<Vec<(String, String)>>, NoAnswer> {
        work.take(1 + self.query.len() / 4)?;
        if let Some((scheme, host)) = &self.origin
            && (scheme != request.scheme || host != request.host_name())
        {
            return Ok(None);
        }
        let has = |(key, wanted): &(String, ParameterMatch)| match (query.get(key), wanted) {
            (Some(value), ParameterMatch::Value(wanted)) => value == wanted,
            (found, ParameterMatch::Any(_)) => found.is_some(),
            (None, ParameterMatch::Value(_)) => false,
        };
        if !self.query.iter().all(has) {
            return Ok(None);
        }
        let mut values: Vec<(String, String)> = Vec::new();
        if let PathMatch::Pattern { pattern, names } = &self.path {
            let groups: Option<Groups> = pattern.find(path.as_bytes(), work)?;
            let Some(groups) = groups else {
                return Ok(None);
            };
            for (number, name) in (1..).zip(names) {
                if values.iter().any(|(known, _)| known == name) {
                    continue;
                }
                let value = groups.get(number, path.as_bytes());
                values.push((name.clone(), String::from_utf8_lossy(value).into_owned()));
            }
        }
        for (key, wanted) in &self.query {
            if let (Some(value), ParameterMatch::Any(name)) = (query.get(key), wanted) {
                values.push((name.clone(), encode(value)));
            }
        }
        Ok(Some(values))
    }

    fn answer(
        &self,
        request: &Request<'_>,
        to: &str,
        file: Option<String>,
        files: &dyn Files,
    ) -> Answer {
        let rule = Some(self.rule);
        let Ok(url) = resolve(Rules::Whatwg, Some(&request.origin()), to) else {
            return Answer::Refused { status: 500, rule };
        };
        let url = with_query_of(request, &url);
        let is_external = is_url(to);
        if (300..=400).contains(&self.status) {
            let location = if is_external {
                url
            } else {
                path_and_rest(&url)
            };
            return Answer::Redirect {
                status: self.status,
                location,
                rule,
            };
        }
        if is_external || to.starts_with(PROGRAMS) {
            // Another server or a function answers.
            return Answer::Unknown { line: self.line };
        }
        let target = Request::from_url(&url).and_then(|target| {
            let path = percent_decode_str(target.path).decode_utf8().ok()?;
            static_file(&path, files)
        });
        match target {
            Some(path) => as_file(Some(path), self.status, rule),
            None if self.is_forced => Answer::Refused { status: 404, rule },
            None => as_file(file, 200, None),
        }
    }
}

/// `pathname + search + hash` of JavaScript, which drops an empty query or fragment.
fn path_and_rest(url: &str) -> String {
    let origin = Request::from_url(url).map_or_else(String::new, |request| request.origin());
    let rest = url.strip_prefix(&origin).unwrap_or(url);
    let (rest, fragment) = match rest.find('#') {
        Some(at) => rest.split_at(at),
        None => (rest, ""),
    };
    let rest = rest
        .strip_suffix('?')
        .filter(|path| !path.contains('?'))
        .unwrap_or(rest);
    format!("{rest}{}", if fragment == "#" { "" } else { fragment })
}

/// Adds the query of the request if the target has no parameters of its own.
fn with_query_of(request: &Request<'_>, url: &str) -> String {
    let (rest, fragment) = match url.find('#') {
        Some(at) => url.split_at(at),
        None => (url, ""),
    };
    let (path, own) = rest.split_once('?').unwrap_or((rest, ""));
    let passed = request.query.unwrap_or_default();
    let has_own = url::form_urlencoded::parse(own.as_bytes()).next().is_some();
    let mut pairs = url::form_urlencoded::parse(passed.as_bytes()).peekable();
    if has_own || pairs.peek().is_none() {
        return url.to_owned();
    }
    let query = url::form_urlencoded::Serializer::new(String::new())
        .extend_pairs(pairs)
        .finish();
    format!("{path}?{query}{fragment}")
}

/// A query value as the matcher writes it into a target.
fn encode(value: &str) -> String {
    let mut out = String::with_capacity(value.len());
    for byte in value.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'~' | b'-' | b'_' | b'.' => {
                out.push(char::from(byte));
            }
            b' ' => out.push('+'),
            _ => out.push_str(percent_encoding::percent_encode_byte(byte)),
        }
    }
    out
}

fn as_file(path: Option<String>, status: u16, rule: Option<usize>) -> Answer {
    match path {
        Some(path) => Answer::File {
            path: path.into_bytes(),
            status,
            rule,
        },
        None => Answer::Refused { status: 404, rule },
    }
}

/// The file that a rule finds at a decoded path: the path itself, with or without a slash after it,
/// or one of its [`alternatives`].
fn static_file(path: &str, files: &dyn Files) -> Option<String> {
    let bare = path.strip_suffix('/').unwrap_or(path).to_owned();
    let mut names = std::iter::once(bare).chain(alternatives(path));
    names.find(|name| files.is_file(name.as_bytes()))
}

/// The file that is served at a decoded path where no rule matches.
fn served_file(path: &str, files: &dyn Files) -> Option<String> {
    let own = (!path.ends_with('/')).then(|| path.to_owned());
    let mut names = own.into_iter().chain(alternatives(path));
    names.find(|name| files.is_file(name.as_bytes()))
}

/// Other files that a path may mean: the path with `.html`, or the index of a folder.
fn alternatives(path: &str) -> Vec<String> {
    const ASSETS: [&str; 11] = [
        ".html", ".htm", ".png", ".jpg", ".js", ".css", ".svg", ".gif", ".ico", ".woff", ".woff2",
    ];
    const INDEXES: [&str; 2] = ["index.html", "index.htm"];
    let with = |start: &str, ends: &[&str]| -> Vec<String> {
        ends.iter().map(|end| format!("{start}{end}")).collect()
    };
    match path.strip_suffix('/') {
        Some("") => with(path, &INDEXES),
        Some(bare) => [with(bare, &[".html", ".htm"]), with(path, &INDEXES)].concat(),
        None if ASSETS.iter().any(|asset| path.ends_with(asset)) => Vec::new(),
        None => with(path, &[".html", ".htm", "/index.html", "/index.htm"]),
    }
}

/// Writes one rule per line.
pub(crate) static FORM: Form = Form::lines("", form_rule, "");

fn form_rule(new: &NewRule<'_>) -> Option<String> {
    let path = new.path()?;
    let is_plain = !path.contains([' ', '#', '?', '*', ':']);
    is_plain.then(|| format!("{path} {} 301\n", new.to))
}
