//! `_redirects` of Cloudflare Pages, as interpreted by `wrangler pages dev`.
//!
//! A rule matches the path of the URL as sent by the client: nothing is decoded, and the case of
//! escapes matters. A file never wins over a rule.
//!
//! Departs from that server (4.86.0, compared on 2026-11-22) in two of its faults: it answers 502, not
//! 404, to the name of a file with a slash after it, and its own redirect of `/é.html` has a byte in
//! ISO 8859-1 in its `Location` field that is not what it would serve.

use std::collections::{HashMap, HashSet};

use percent_encoding::percent_decode_str;

use crate::engine::work::{MAX_TEXT, NoAnswer, Work};
use crate::form::{Form, NewRule};
use crate::request::{Files, Request, merge_slashes};
use crate::responder::{Responder, Visit};
use crate::rule::{Answer, ProblemKind, Rule, RuleParser};
use baseref_resolve::{Rules, resolve};

const MAX_STATIC: usize = 2_000;
const MAX_DYNAMIC: usize = 100;
/// In UTF-16 units, as JavaScript counts.
const MAX_LINE: usize = 2_000;

#[derive(Debug, Default)]
pub(crate) struct Cloudflare {
    fixed: HashMap<String, StaticRedirect>,
    patterns: Vec<(regex::Regex, StaticRedirect)>,
}

#[derive(Debug)]
struct StaticRedirect {
    rule: usize,
    line: usize,
    to: String,
    status: u16,
}

pub(crate) fn read(text: &str, parser: &mut RuleParser) -> Cloudflare {
    let mut reader = Reader {
        parser,
        out: Cloudflare::default(),
        seen: HashSet::new(),
        fixed: 0,
        dynamic: 0,
        may_be_fixed: true,
    };
    let count = text.split('\n').count();
    for (number, line) in (1..).zip(text.split('\n')) {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        if !reader.line(number, line, count) {
            break;
        }
    }
    reader.out
}

struct Reader<'r> {
    parser: &'r mut RuleParser,
    out: Cloudflare,
    seen: HashSet<String>,
    fixed: usize,
    dynamic: usize,
    may_be_fixed: bool,
}

impl Reader<'_> {
    /// Reads one line, and returns whether to read the rest of the file.
    fn line(&mut self, number: usize, line: &str, count: usize) -> bool {
        if line.encode_utf16().count() > MAX_LINE {
            let message = format!("the line has more than {MAX_LINE} characters and is dropped");
            self.parser.problem(number, ProblemKind::OverLimit, message);
            return true;
        }
        let tokens = tokens(line);
        let (source, to, status) = match tokens[..] {
            [source, to] => (source, to, None),
            [source, to, status] => (source, to, Some(status)),
            _ => {
                let found = tokens.len();
                let message =
                    format!("a line must have two or three words and has {found}: dropped");
                self.parser.problem(number, ProblemKind::Dropped, message);
                return true;
            }
        };
        let Some(from) = source_path(source) else {
            let message = format!("the source {source:?} must be a path: dropped");
            self.parser.problem(number, ProblemKind::Dropped, message);
            return true;
        };
        let is_fixed = self.may_be_fixed && !from.contains('*') && !has_placeholder(&from);
        if is_fixed {
            self.fixed += 1;
            if self.fixed > MAX_STATIC {
                let message = format!("more than {MAX_STATIC} static rules: dropped");
                self.parser.problem(number, ProblemKind::OverLimit, message);
                return true;
            }
        } else {
            self.dynamic += 1;
            self.may_be_fixed = false;
            if self.dynamic > MAX_DYNAMIC {
                let message = format!(
                    "more than {MAX_DYNAMIC} rules from the first one with `*` or `:name` on: \
                     this and the {} lines after it are dropped",
                    count - number
                );
                self.parser.problem(number, ProblemKind::OverLimit, message);
                return false;
            }
        }
        self.rule(number, source, from, to, status);
        true
    }

    fn rule(&mut self, number: usize, source: &str, from: String, to: &str, status: Option<&str>) {
        if source.contains('#') {
            let message = format!(
                "no client sends the fragment of the source {source:?}; the rule matches {from}"
            );
            self.parser
                .problem(number, ProblemKind::FragmentSource, message);
        }
        let Some(target) = target_url(to) else {
            let message =
                format!("the target {to:?} must be a path or start with https://: dropped");
            self.parser.problem(number, ProblemKind::Dropped, message);
            return;
        };
        let code = status.map_or(Some(302), permitted_status);
        let Some(code) = code else {
            let message = format!(
                "the status {:?} is not one of 200, 301, 302, 303, 307 and 308: dropped",
                status.unwrap_or_default()
            );
            self.parser.problem(number, ProblemKind::Dropped, message);
            return;
        };
        let has_host = target.starts_with("https://");
        let to_index = target.ends_with("/index") || target.ends_with("/index.html");
        if !has_host && to_index && (from.ends_with("/*") || from.ends_with('/')) {
            let message = "the rule would lead to itself, since /index is redirected: dropped";
            self.parser.problem(number, ProblemKind::Dropped, message);
            return;
        }
        if !self.seen.insert(from.clone()) {
            let message = format!("an earlier line has the source {from}: dropped");
            self.parser.problem(number, ProblemKind::Dropped, message);
            return;
        }
        if code == 200 && has_host {
            let message = "a rule with status 200 can only lead to a path: dropped";
            self.parser.problem(number, ProblemKind::Dropped, message);
            return;
        }
        self.keep(number, from, target, code, status.is_none());
    }

    fn keep(&mut self, line: usize, from: String, to: String, status: u16, is_default: bool) {
        let parts = parts(&from);
        // The server silently drops what JavaScript's RegExp rejects.
        if has_double(&parts) {
            let message = "two `*`, or one `:name` twice: the server silently drops the rule";
            self.parser.problem(line, ProblemKind::Dropped, message);
            return;
        }
        let is_exact = parts
            .iter()
            .all(|part| matches!(part, TemplatePart::Text(_)));
        let rule = self.parser.rule(Rule {
            line,
            from: from.clone(),
            to: Some(to.clone()),
            status,
            status_is_default: is_default,
            is_exact,
            samples: samples(&parts),
        });
        let target = StaticRedirect {
            rule,
            line,
            to,
            status,
        };
        // A static rule after a dynamic one is matched in order, like dynamic ones.
        if is_exact && self.may_be_fixed {
            self.out.fixed.insert(from, target);
        } else {
            let source = expression(&parts);
            match regex::Regex::new(&source) {
                Ok(pattern) => self.out.patterns.push((pattern, target)),
                Err(_) => {
                    self.parser
                        .problem(line, ProblemKind::NotRead, "the pattern is too large");
                }
            }
        }
    }
}

/// The words of a line, up to a comment after white space.
fn tokens(line: &str) -> Vec<&str> {
    let mut words = Vec::new();
    for word in line.split_whitespace() {
        if word.starts_with('#') && !words.is_empty() {
            break;
        }
        words.push(word);
    }
    words
}

/// `new URL("//" + path, "relative://")` without the scheme: path, query, fragment.
fn relative_url(path: &str) -> Option<String> {
    let slash = if path.starts_with('/') { "" } else { "/" };
    let url = resolve(Rules::Whatwg, None, &format!("relative://{slash}{path}")).ok()?;
    Some(url.strip_prefix("relative://")?.to_owned())
}

fn source_path(token: &str) -> Option<String> {
    if split_https(token).is_some() {
        return None;
    }
    let url = relative_url(token)?;
    let end = url.find(['?', '#']).unwrap_or(url.len());
    Some(url[..end].to_owned())
}

fn target_url(token: &str) -> Option<String> {
    if let Some((host, path)) = split_https(token) {
        return Some(format!("https://{host}{}", relative_url(path)?));
    }
    token.starts_with('/').then(|| relative_url(token))?
}

/// `/^https:\/\/+(?<host>[^/]+)\/?(?<path>.*)/`
fn split_https(token: &str) -> Option<(&str, &str)> {
    let rest = token.strip_prefix("https://")?.trim_start_matches('/');
    let end = rest.find('/').unwrap_or(rest.len());
    let (host, path) = rest.split_at(end);
    (!host.is_empty()).then(|| (host, path.strip_prefix('/').unwrap_or(path)))
}

/// `Number(text)` of JavaScript, which also reads whole numbers of other radixes.
fn number(text: &str) -> Option<f64> {
    let radix = match text.get(..2).map(str::to_ascii_lowercase).as_deref() {
        Some("0x") => 16,
        Some("0o") => 8,
        Some("0b") => 2,
        _ => return text.parse().ok(),
    };
    // `from_str_radix` accepts a sign, JavaScript does not.
    let digits = text.get(2..).filter(|digits| !digits.starts_with('+'))?;
    u32::from_str_radix(digits, radix).ok().map(f64::from)
}

/// The status of a word as [`number`] reads it, if it is permitted.
fn permitted_status(text: &str) -> Option<u16> {
    let number = number(text)?;
    [200_u16, 301, 302, 303, 307, 308]
        .into_iter()
        .find(|code| (f64::from(*code) - number).abs() < f64::EPSILON)
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum TemplatePart {
    Text(String),
    Splat,
    Name(String),
}

/// Whether it contains a `:` followed by a letter.
fn has_placeholder(from: &str) -> bool {
    from.split(':').skip(1).any(starts_with_letter)
}

fn starts_with_letter(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic())
}

/// Splits the source into literal and other parts. A name seen before is found again at the start
/// of a longer one, since replacement is textual.
fn parts(from: &str) -> Vec<TemplatePart> {
    let mut names: Vec<&str> = Vec::new();
    for rest in from
        .split(':')
        .skip(1)
        .filter(|rest| starts_with_letter(rest))
    {
        let end = rest.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_'));
        let name = &rest[..end.unwrap_or(rest.len())];
        if !names.contains(&name) {
            names.push(name);
        }
    }
    let mut parts = Vec::new();
    let mut text = String::new();
    let mut rest = from;
    while let Some(c) = rest.chars().next() {
        let after = &rest[c.len_utf8()..];
        let name = names
            .iter()
            .find(|name| c == ':' && after.starts_with(**name));
        let part = match (c, name) {
            ('*', _) => Some((TemplatePart::Splat, after)),
            (_, Some(name)) => Some((TemplatePart::Name((*name).to_owned()), &after[name.len()..])),
            _ => None,
        };
        if let Some((part, after)) = part {
            if !text.is_empty() {
                parts.push(TemplatePart::Text(std::mem::take(&mut text)));
            }
            parts.push(part);
            rest = after;
        } else {
            text.push(c);
            rest = after;
        }
    }
    if !text.is_empty() {
        parts.push(TemplatePart::Text(text));
    }
    parts
}

fn group_name(part: &TemplatePart) -> Option<&str> {
    match part {
        TemplatePart::Text(_) => None,
        TemplatePart::Splat => Some("splat"),
        TemplatePart::Name(name) => Some(name),
    }
}

fn has_double(parts: &[TemplatePart]) -> bool {
    let mut seen = HashSet::new();
    !parts
        .iter()
        .filter_map(group_name)
        .all(|name| seen.insert(name))
}

fn expression(parts: &[TemplatePart]) -> String {
    let mut out = String::from("^");
    for part in parts {
        match part {
            TemplatePart::Text(text) => out.push_str(&regex::escape(text)),
            TemplatePart::Splat => out.push_str("(?<splat>.*)"),
            TemplatePart::Name(name) => out.extend(["(?<", name, ">[^/]+)"]),
        }
    }
    out.push('$');
    out
}

fn samples(parts: &[TemplatePart]) -> Vec<String> {
    let fill = |splat: &str| {
        parts
            .iter()
            .map(|part| match part {
                TemplatePart::Text(text) => text,
                TemplatePart::Splat => splat,
                TemplatePart::Name(_) => "a-name-of-no-rule",
            })
            .collect::<String>()
    };
    if parts.contains(&TemplatePart::Splat) {
        vec![fill(""), fill("a-folder-of-no-rule/a-name-of-no-rule")]
    } else {
        vec![fill("")]
    }
}

impl Cloudflare {
    /// The rule for a path with its filled-in target and its status; the error is the line of a rule
    /// whose target gets too long.
    fn find(&self, path: &str, work: &Work) -> Result<Option<(usize, String, u16)>, usize> {
        if let Some(target) = self.fixed.get(path) {
            return Ok(Some((target.rule, target.to.clone(), target.status)));
        }
        for (pattern, target) in &self.patterns {
            let unknown = |NoAnswer| target.line;
            work.take(1 + path.len() / 16).map_err(unknown)?;
            let Some(captures) = pattern.captures(path) else {
                continue;
            };
            let mut to = target.to.clone();
            for name in pattern.capture_names().flatten() {
                let value = captures.name(name).map_or("", |m| m.as_str());
                to = replace_all(&to, &format!(":{name}"), value);
                work.take_text(to.len()).map_err(unknown)?;
            }
            return Ok(Some((target.rule, to, target.status)));
        }
        Ok(None)
    }
}

impl Responder for Cloudflare {
    fn answer(&self, visit: &Visit<'_>) -> Answer {
        let (request, files, work) = (visit.request, visit.files, visit.work);
        let (rule, to, status) = match self.find(request.path, work) {
            Ok(Some(found)) => found,
            Ok(None) => return serve(request, request.path, files, None),
            Err(line) => return Answer::Unknown { line },
        };
        let base = format!("{}{}{}", request.origin(), request.path, request.search());
        let Ok(url) = resolve(Rules::Whatwg, Some(&base), &to) else {
            return Answer::Refused {
                status: 500,
                rule: Some(rule),
            };
        };
        if status == 200 {
            let path = Request::from_url(&url).map_or("/", |target| target.path);
            return serve(request, path, files, Some(rule));
        }
        Answer::Redirect {
            status,
            location: location(request, &url),
            rule: Some(rule),
        }
    }
}

/// `text.replaceAll(name, value)` of JavaScript, where `$` has a meaning in the value. It stops once
/// the result is longer than [`MAX_TEXT`].
fn replace_all(text: &str, name: &str, value: &str) -> String {
    let mut out = String::with_capacity(text.len() + value.len());
    let mut done = 0;
    for (at, _) in text.match_indices(name) {
        out.push_str(&text[done..at]);
        done = at + name.len();
        let mut rest = value;
        while let Some(dollar) = rest.find('$') {
            if out.len() > MAX_TEXT {
                return out;
            }
            out.push_str(&rest[..dollar]);
            let (expanded, length) = match rest[dollar + 1..].bytes().next() {
                Some(b'$') => ("$", 2),
                Some(b'&') => (name, 2),
                Some(b'`') => (&text[..at], 2),
                Some(b'\'') => (&text[done..], 2),
                _ => ("$", 1),
            };
            out.push_str(expanded);
            rest = &rest[dollar + length..];
        }
        out.push_str(rest);
        if out.len() > MAX_TEXT {
            return out;
        }
    }
    out.push_str(&text[done..]);
    out
}

/// Adds the query of the request if the target has none, before its fragment.
fn location(request: &Request<'_>, url: &str) -> String {
    let (rest, fragment) = match url.find('#') {
        Some(at) => url.split_at(at),
        None => (url, ""),
    };
    let (rest, query) = match rest.find('?') {
        Some(at) => rest.split_at(at),
        None => (rest, ""),
    };
    let own = request.search();
    let query = if query.len() > 1 { query } else { own.as_str() };
    let fragment = if fragment.len() > 1 { fragment } else { "" };
    let rest = match rest.strip_prefix(request.origin().as_str()) {
        Some(path) if path.starts_with('/') => path,
        _ => rest,
    };
    format!("{rest}{query}{fragment}")
}

/// The file at a path, with the redirects that Pages makes by itself: `/d` to `/d/`, `/a.html` to
/// `/a`, `/index.html` to `/`.
fn serve(request: &Request<'_>, path: &str, files: &dyn Files, rule: Option<usize>) -> Answer {
    let path = match percent_decode_str(path).decode_utf8() {
        Ok(decoded) => decoded.into_owned(),
        Err(_) => path.to_owned(),
    };
    // Repeated slashes matter to rules but not to files.
    let is_file = |path: &str| files.is_file(merge_slashes(path).as_bytes());
    let file = |path: String| Answer::File {
        path: merge_slashes(&path).into_bytes(),
        status: 200,
        rule,
    };
    let redirect = |path: &str| Answer::Redirect {
        status: 308,
        location: format!("/{}{}", path.trim_start_matches('/'), request.search()),
        rule: None,
    };
    if let Some(folder) = path.strip_suffix('/') {
        if is_file(&format!("{path}index.html")) {
            return file(format!("{path}index.html"));
        }
        if let Some(parent) = path.strip_suffix("index/").filter(|p| p.ends_with('/')) {
            return redirect(parent);
        }
        if !folder.is_empty() && is_file(&format!("{folder}.html")) {
            return redirect(folder);
        }
        return not_found(&path, files, rule);
    }
    if is_file(&path) {
        let Some(bare) = path.strip_suffix(".html") else {
            return file(path);
        };
        if let Some(folder) = bare.strip_suffix("index").filter(|f| f.ends_with('/')) {
            return redirect(folder);
        }
        if is_file(bare) || bare == "/" {
            return file(path);
        }
        return redirect(bare);
    }
    if let Some(folder) = path.strip_suffix("index").filter(|f| f.ends_with('/')) {
        return redirect(folder);
    }
    if is_file(&format!("{path}.html")) {
        return file(format!("{path}.html"));
    }
    if is_file(&format!("{path}/index.html")) {
        return redirect(&format!("{path}/"));
    }
    not_found(&path, files, rule)
}

/// The nearest `404.html`; if there is none, the start page with status 200.
fn not_found(path: &str, files: &dyn Files, rule: Option<usize>) -> Answer {
    let mut folder = path;
    while let Some(slash) = folder.rfind('/') {
        folder = &folder[..slash];
        if files.is_file(merge_slashes(&format!("{folder}/404.html")).as_bytes()) {
            return Answer::Refused { status: 404, rule };
        }
    }
    if files.is_file(b"/index.html") {
        return Answer::File {
            path: b"/index.html".to_vec(),
            status: 200,
            rule,
        };
    }
    Answer::Refused { status: 404, rule }
}

/// Writes one rule per line.
pub(crate) static FORM: Form = Form::lines("", form_rule, "");

fn form_rule(new: &NewRule<'_>) -> Option<String> {
    // A star and a colon before a name are wildcards.
    let is_plain = !new.request.path.contains(['*', ':']);
    // Targets by http are dropped, but those on the same host need no scheme.
    let to = new.to.strip_prefix(&new.request.origin());
    let to = to.filter(|to| to.starts_with('/') && new.to.starts_with("http://"));
    let to = to.unwrap_or(new.to);
    is_plain.then(|| format!("{} {to} 301\n", new.request.path))
}
