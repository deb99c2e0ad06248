//! `firebase.json` of Firebase Hosting, as superstatic 11 interprets it, which the command-line tools
//! of Firebase serve with.
//!
//! A redirect wins over a file, and a file over a rewrite. If the target contains a name, the source is
//! a path-to-regexp pattern first, and a glob only if that does not match.
//!
//! Departs from that server where it fails (on a path that cannot be decoded): the answer is 400, as
//! from the hosting service.

mod express;
mod glob;
mod uri;

use percent_encoding::percent_decode_str;
use serde_json::json;

use self::uri::encode_uri;
use crate::engine::index::PrefixIndex;
use crate::engine::pattern::{Groups, Pattern};
use crate::engine::work::{COMPARED_PER_STEP, NoAnswer, Work};
use crate::form::{Form, NewRule};
use crate::line_error::LineError;
use crate::request::{Files, Request, has_only_whole_escapes, merge_slashes};
use crate::responder::{Responder, Visit};
use crate::rule::{Answer, ProblemKind, Rule, RuleParser};
use crate::syntax::config::{Config, Item, Members, runs, value, without_comments};

#[derive(Debug, Default)]
pub(crate) struct Firebase {
    redirects: Vec<Redirect>,
    redirects_by_path: PrefixIndex,
    rewrites: Vec<Rewrite>,
    rewrites_by_path: PrefixIndex,
    cleans_urls: bool,
    trailing_slash: Option<bool>,
    i18n: Option<Localized>,
}

/// Where the files for languages and countries are.
#[derive(Debug)]
struct Localized {
    line: usize,
    /// The path of the folder that has a folder for each of them.
    root: String,
}

#[derive(Debug)]
struct Redirect {
    rule: usize,
    line: usize,
    source: SourcePattern,
    /// The pattern that gives values to names, with their names, if the target has any.
    capture: Option<Capture>,
    to: String,
    target: Option<express::DestinationTemplate>,
    status: u16,
}

#[derive(Debug)]
struct Capture {
    pattern: Pattern,
    names: Vec<String>,
    /// Whether values with slashes are lists, as in path-to-regexp.
    splits: bool,
}

/// The source that a path is compared with.
#[derive(Debug)]
enum SourcePattern {
    Glob {
        patterns: Vec<Pattern>,
        is_negated: bool,
    },
    Expression(Pattern),
}

#[derive(Debug)]
struct Rewrite {
    rule: usize,
    line: usize,
    source: SourcePattern,
    /// `None` if a function answers.
    to: Option<String>,
}

pub(crate) fn read(text: &str, parser: &mut RuleParser) -> Firebase {
    let text = without_comments(text);
    let config = Config::new(&text);
    let members = config.members(parser);
    let mut out = Firebase::default();
    let Some(hosting) = members.get("hosting") else {
        if !members.is_empty() {
            let message = "there is no \"hosting\", so no site has rules here";
            parser.problem(1, ProblemKind::NotRead, message);
        }
        return out;
    };
    let site: Members<'_> = if hosting.get().starts_with('[') {
        let sites = config.list("hosting", Some(hosting), parser);
        for site in sites.iter().skip(1) {
            let message = "another site: only the first one of \"hosting\" is read";
            parser.problem(config.line(site), ProblemKind::NotRead, message);
        }
        let first = sites.first().map(|site| site.get());
        first
            .and_then(|site| serde_json::from_str(site).ok())
            .unwrap_or_default()
    } else {
        serde_json::from_str(hosting.get()).unwrap_or_default()
    };
    out.cleans_urls = value(&site, "cleanUrls").unwrap_or_default();
    out.trailing_slash = value(&site, "trailingSlash");
    if let Some(setting) = site.get("i18n") {
        let members: Members<'_> = serde_json::from_str(setting.get()).unwrap_or_default();
        let root = value::<String>(&members, "root").filter(|root| !root.is_empty());
        out.i18n = root.map(|root| Localized {
            line: config.line(setting),
            root: format!("/{}", root.trim_matches('/')),
        });
    }
    let redirects = config.list("redirects", site.get("redirects"), parser);
    for run in runs(&redirects) {
        let Some(item) = config.rule("redirects", run, parser) else {
            continue;
        };
        out.add_redirect(&item, parser);
    }
    let rewrites = config.list("rewrites", site.get("rewrites"), parser);
    for run in runs(&rewrites) {
        let Some(item) = config.rule("rewrites", run, parser) else {
            continue;
        };
        out.add_rewrite(&item, parser);
    }
    out
}

/// A source with a single leading slash, and slashes in place of backslashes.
fn slashed(source: &str) -> String {
    let (mark, rest) = match source.strip_prefix('!') {
        Some(rest) => ("!", rest),
        None => ("", source),
    };
    let mut out = String::from(mark);
    let mut before = ' ';
    let slash = if rest.starts_with(['/', '\\']) {
        ""
    } else {
        "/"
    };
    for c in slash.chars().chain(rest.chars()) {
        let c = if c == '\\' { '/' } else { c };
        if c != '/' || before != '/' {
            out.push(c);
        }
        before = c;
    }
    out
}

/// Whether a target has a name at its start or after a slash.
fn has_name(to: &str) -> bool {
    to.starts_with(':') || to.contains("/:")
}

impl Firebase {
    fn add_redirect(&mut self, item: &Item, parser: &mut RuleParser) {
        let line = item.line;
        let Some(to) = item.text("destination") else {
            let message = "a redirect without \"destination\"";
            parser.problem(line, ProblemKind::Refused, message);
            return;
        };
        let written = item.text("source").or_else(|| item.text("glob"));
        let glob = written.map(slashed);
        let regex = item.text("regex");
        let status = item.number("type").unwrap_or(301);
        let Ok(status @ 100..=599) = u16::try_from(status) else {
            parser.problem(
                line,
                ProblemKind::Refused,
                format!("{status} is not a status"),
            );
            return;
        };
        let source = match source_of(glob.as_deref(), regex, parser) {
            Ok(source) => source,
            Err((trouble, message)) => {
                parser.problem(line, trouble, message);
                return;
            }
        };
        let capture = match has_name(to).then(|| capture_of(glob.as_deref(), regex, parser)) {
            None => None,
            Some(Ok(capture)) => Some(capture),
            Some(Err(error)) => {
                parser.problem(line, ProblemKind::NotRead, error.to_string());
                return;
            }
        };
        let target = match capture
            .as_ref()
            .map(|_| express::DestinationTemplate::new(to, parser))
        {
            Some(Err(error)) => {
                parser.problem(line, ProblemKind::NotRead, error.to_string());
                return;
            }
            Some(Ok(target)) => Some(target),
            None => None,
        };
        let number = self.redirects.len();
        index(&mut self.redirects_by_path, &source, number);
        if let Some(capture) = &capture {
            self.redirects_by_path.add_pattern(&capture.pattern, number);
        }
        let from = written.or(regex).unwrap_or_default();
        let rule = parser.rule(Rule {
            line,
            from: from.to_owned(),
            to: Some(to.to_owned()),
            status,
            status_is_default: !item.members.contains_key("type"),
            is_exact: glob.as_deref().is_some_and(is_literal),
            samples: samples(glob.as_deref()),
        });
        self.redirects.push(Redirect {
            rule,
            line,
            source,
            capture,
            to: to.to_owned(),
            target,
            status,
        });
    }

    fn add_rewrite(&mut self, item: &Item, parser: &mut RuleParser) {
        let line = item.line;
        let glob = item.text("source").or_else(|| item.text("glob"));
        let regex = item.text("regex");
        let source = match source_of(glob, regex, parser) {
            Ok(source) => source,
            Err((trouble, message)) => {
                parser.problem(line, trouble, message);
                return;
            }
        };
        let to = item.text("destination");
        if to.is_none() {
            let message = "a program answers the addresses of this rewrite: not read";
            parser.problem(line, ProblemKind::NotRead, message);
        }
        index(&mut self.rewrites_by_path, &source, self.rewrites.len());
        let rule = parser.rule(Rule {
            line,
            from: glob.or(regex).unwrap_or_default().to_owned(),
            to: to.map(str::to_owned),
            status: 200,
            status_is_default: true,
            is_exact: glob.is_some_and(is_literal),
            samples: samples(glob),
        });
        self.rewrites.push(Rewrite {
            rule,
            line,
            source,
            to: to.map(str::to_owned),
        });
    }

    /// The answer of the first redirect that matches; the error is the line of one that may match.
    fn redirect(&self, path: &str, query: &str, work: &Work) -> Result<Option<Answer>, usize> {
        let merged = merge_slashes(path);
        let mut numbers = self.redirects_by_path.candidates(path.as_bytes(), work);
        if merged != path
            && let Ok(numbers) = &mut numbers
        {
            let more = self.redirects_by_path.candidates(merged.as_bytes(), work);
            numbers.extend(more.map_err(|NoAnswer| 1_usize)?);
            numbers.sort_unstable();
            numbers.dedup();
        }
        for number in numbers.map_err(|NoAnswer| 1_usize)? {
            let Some(redirect) = self.redirects.get(number) else {
                continue;
            };
            let to = redirect.target_of(path, &merged, work);
            let Some(to) = to.map_err(|NoAnswer| redirect.line)? else {
                continue;
            };
            let query = query.split('?').next().unwrap_or_default();
            let to = match (to.contains('?'), query) {
                (true, query) => format!("{to}&{query}"),
                (false, "") => to,
                (false, query) => format!("{to}?{query}"),
            };
            return Ok(Some(Answer::Redirect {
                status: redirect.status,
                location: encode_uri(&to)
                    .replace("/http:/", "http://")
                    .replace("/https:/", "https://"),
                rule: Some(redirect.rule),
            }));
        }
        Ok(None)
    }

    fn rewrite(&self, path: &str, files: &dyn Files, work: &Work) -> Result<Option<Answer>, usize> {
        let numbers = self.rewrites_by_path.candidates(path.as_bytes(), work);
        for number in numbers.map_err(|NoAnswer| 1_usize)? {
            let Some(rewrite) = self.rewrites.get(number) else {
                continue;
            };
            let matches = rewrite.source.matches(path, path, work);
            if !matches.map_err(|NoAnswer| rewrite.line)? {
                continue;
            }
            let Some(to) = &rewrite.to else {
                return Err(rewrite.line);
            };
            let rule = Some(rewrite.rule);
            let file = decode_uri(to).filter(|path| path.starts_with('/'));
            let file = file.filter(|path| files.is_file(path.as_bytes()));
            return Ok(Some(match file {
                Some(path) => served(path, rule),
                None => not_found(rule),
            }));
        }
        Ok(None)
    }

    /// The path of a file that exists, decoded.
    ///
    /// # Errors
    ///
    /// The line of `i18n` if only some visitors find a file there.
    fn existing(&self, path: &str, files: &dyn Files) -> Result<Option<String>, usize> {
        let Some(path) = decode_uri(path).filter(|path| !path.contains("../")) else {
            return Ok(None);
        };
        if files.is_file(path.as_bytes()) {
            return Ok(Some(path));
        }
        let Some(i18n) = &self.i18n else {
            return Ok(None);
        };
        let root = i18n.root.trim_end_matches('/').as_bytes();
        let folders = files.names_in(root).ok_or(i18n.line)?;
        let is_localized = folders.iter().any(|folder| {
            let path = [root, b"/", folder.as_slice(), path.as_bytes()].concat();
            files.is_file(&path)
        });
        if is_localized {
            Err(i18n.line)
        } else {
            Ok(None)
        }
    }

    /// The file at a path, or the redirect to its canonical path.
    ///
    /// # Errors
    ///
    /// Like [`Self::existing`].
    fn file(&self, request: &Request<'_>, files: &dyn Files) -> Result<Option<Answer>, usize> {
        let path = merge_slashes(request.path);
        let is_file = |path: &str| self.existing(path, files);
        let redirect = |to: &str| {
            let to = if to.is_empty() { "/" } else { to };
            Answer::Redirect {
                status: 301,
                location: format!("{to}{}", request.search()),
                rule: None,
            }
        };
        let has_slash = path.ends_with('/');
        let exact = if has_slash { None } else { is_file(&path)? };
        if let Some(file) = exact {
            return Ok(Some(match path.strip_suffix(".html") {
                Some(bare) if self.cleans_urls => {
                    let bare = bare.strip_suffix("/index").unwrap_or(bare);
                    match self.trailing_slash {
                        Some(true) => redirect(&format!("{bare}/")),
                        _ => redirect(bare),
                    }
                }
                _ => served(file, None),
            }));
        }
        let bare = path.strip_suffix('/').unwrap_or(&path);
        if let Some(file) = is_file(&format!("{bare}/index.html"))? {
            return Ok(Some(match self.trailing_slash {
                None if !has_slash && !self.cleans_urls => redirect(&format!("{path}/")),
                Some(false) if has_slash && path != "/" => redirect(bare),
                Some(true) if !has_slash => redirect(&format!("{path}/")),
                _ => served(file, None),
            }));
        }
        if !self.cleans_urls || (has_slash && self.trailing_slash.is_none()) {
            return Ok(None);
        }
        let page = format!("{bare}.html");
        let Some(file) = is_file(&page)? else {
            return Ok(None);
        };
        Ok(Some(match self.trailing_slash {
            Some(false) if has_slash => redirect(bare),
            Some(true) if !has_slash => {
                redirect(&format!("{}/", bare.strip_suffix("/index").unwrap_or(bare)))
            }
            _ => match page.strip_suffix("/index.html") {
                Some(folder) => redirect(folder),
                None => served(file, None),
            },
        }))
    }
}

impl Responder for Firebase {
    fn serves_without_extension(&self) -> bool {
        self.cleans_urls
    }

    fn answer(&self, visit: &Visit<'_>) -> Answer {
        let (request, files, work) = (visit.request, visit.files, visit.work);
        let (Some(path), Some(query)) = (
            decode_uri(request.path),
            decode_uri(request.query.unwrap_or_default()),
        ) else {
            return Answer::refused(400);
        };
        match self.redirect(&path, &query, work) {
            Err(line) => return Answer::Unknown { line },
            Ok(Some(answer)) => return answer,
            Ok(None) => {}
        }
        match self.file(request, files) {
            Err(line) => return Answer::Unknown { line },
            Ok(Some(answer)) => return answer,
            Ok(None) => {}
        }
        match self.rewrite(&merge_slashes(request.path), files, work) {
            Err(line) => Answer::Unknown { line },
            Ok(Some(answer)) => answer,
            Ok(None) => not_found(None),
        }
    }
}

fn index(index: &mut PrefixIndex, source: &SourcePattern, number: usize) {
    match source {
        SourcePattern::Glob {
            patterns,
            is_negated: false,
        } => {
            for pattern in patterns {
                index.add_pattern(pattern, number);
            }
        }
        SourcePattern::Glob { .. } => index.add(b"", number),
        SourcePattern::Expression(pattern) => index.add_pattern(pattern, number),
    }
}

fn served(path: String, rule: Option<usize>) -> Answer {
    if path == "/404.html" {
        return not_found(rule);
    }
    Answer::File {
        path: path.into_bytes(),
        status: 200,
        rule,
    }
}

fn not_found(rule: Option<usize>) -> Answer {
    Answer::Refused { status: 404, rule }
}

/// The source of a rule; a glob takes precedence over a regular expression.
fn source_of(
    glob: Option<&str>,
    regex: Option<&str>,
    parser: &mut RuleParser,
) -> Result<SourcePattern, (ProblemKind, String)> {
    if let Some(glob) = glob {
        let glob = glob::translate(glob, &parser.budget)
            .map_err(|error| (ProblemKind::NotRead, error.to_string()))?;
        let patterns = glob.expressions.iter();
        let patterns: Result<_, _> = patterns.map(|one| parser.pattern(one, false)).collect();
        return Ok(SourcePattern::Glob {
            patterns: patterns.map_err(|error| (ProblemKind::NotRead, error.to_string()))?,
            is_negated: glob.is_negated,
        });
    }
    let Some(regex) = regex else {
        let message = "a rule without \"source\", \"glob\" or \"regex\"".to_owned();
        return Err((ProblemKind::Dropped, message));
    };
    let pattern = expression(regex, parser).map_err(|error| {
        let kind = match error {
            LineError::NotRe2(_) => ProblemKind::Refused,
            _ => ProblemKind::NotRead,
        };
        (kind, error.to_string())
    })?;
    Ok(SourcePattern::Expression(pattern))
}

/// An expression of RE2, which has neither look-around nor back-references.
fn expression(regex: &str, parser: &mut RuleParser) -> Result<Pattern, LineError> {
    let pattern = parser.pattern(regex, false)?;
    if pattern.steps_back() {
        return Err(LineError::NotRe2(regex.to_owned()));
    }
    Ok(pattern)
}

fn capture_of(
    glob: Option<&str>,
    regex: Option<&str>,
    parser: &mut RuleParser,
) -> Result<Capture, LineError> {
    if let Some(regex) = regex {
        return Ok(Capture {
            pattern: expression(regex, parser)?,
            names: Vec::new(),
            splits: false,
        });
    }
    let tokens = express::parse(glob.unwrap_or_default());
    let names = tokens.iter().filter_map(|token| match token {
        express::Token::Key(key) => Some(key.name.clone()),
        express::Token::Text(_) => None,
    });
    Ok(Capture {
        pattern: parser.pattern(&express::expression(&tokens), true)?,
        names: names.collect(),
        splits: true,
    })
}

/// Whether a glob is a literal path.
fn is_literal(glob: &str) -> bool {
    !glob.contains(['*', '?', '[', '{', '(', '!', ':'])
}

fn samples(glob: Option<&str>) -> Vec<String> {
    let Some(glob) = glob.filter(|glob| glob.starts_with('/')) else {
        return Vec::new();
    };
    if glob.contains(['?', '[', '{', '(', '!', ':']) {
        return Vec::new();
    }
    let sample = |depth: &str| glob.replace("**", depth).replace('*', "a-name-of-no-rule");
    if glob.contains('*') {
        let deep = "a-folder-of-no-rule/a-name-of-no-rule";
        vec![sample("a-name-of-no-rule"), sample(deep)]
    } else {
        vec![glob.to_owned()]
    }
}

impl SourcePattern {
    fn matches(&self, path: &str, merged: &str, work: &Work) -> Result<bool, NoAnswer> {
        match self {
            Self::Expression(pattern) => Ok(pattern.find(path.as_bytes(), work)?.is_some()),
            Self::Glob {
                patterns,
                is_negated,
            } => {
                for pattern in patterns {
                    if pattern.find(merged.as_bytes(), work)?.is_some() {
                        return Ok(!is_negated);
                    }
                }
                Ok(*is_negated)
            }
        }
    }
}

impl Redirect {
    /// The target before encoding; `None` if the rule does not match.
    fn target_of(&self, path: &str, merged: &str, work: &Work) -> Result<Option<String>, NoAnswer> {
        work.take(1)?;
        if let (Some(capture), Some(target)) = (&self.capture, &self.target)
            && let Some(groups) = capture.pattern.find(path.as_bytes(), work)?
        {
            // The cost is the number of parts times the number of names.
            let names = capture.names.len() + groups.names().len();
            work.take(target.len() * (1 + names) / COMPARED_PER_STEP)?;
            let value = |name: &str| capture.value(&groups, name, path);
            let matches = |pattern: &Pattern, text: &str| {
                matches!(pattern.find(text.as_bytes(), work), Ok(Some(_)))
            };
            let filled = target.fill(value, capture.splits, matches);
            if work.met().is_some() {
                return Err(NoAnswer);
            }
            work.take_text(filled.as_ref().map_or(0, String::len))?;
            return Ok(filled.and_then(|to| decode_component(&to)));
        }
        let matches = self.source.matches(path, merged, work)?;
        Ok(matches.then(|| self.to.clone()))
    }
}

impl Capture {
    fn value(&self, groups: &Groups, name: &str, path: &str) -> Option<String> {
        let number = if self.splits {
            // The last value of a name wins.
            self.names.iter().rposition(|known| known == name)? + 1
        } else {
            match groups.names().iter().find(|(known, _)| known == name) {
                Some((_, number)) => *number,
                None => name.parse().ok()?,
            }
        };
        let value = groups.matched(number, path.as_bytes())?;
        Some(String::from_utf8_lossy(value).into_owned())
    }
}

/// `decodeURI` of JavaScript; `None` where it fails.
fn decode_uri(text: &str) -> Option<String> {
    if !text.contains('%') {
        return Some(text.to_owned());
    }
    if !has_only_whole_escapes(text) {
        return None;
    }
    // Escapes of reserved characters stay.
    let mut kept = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('%') {
        let (before, escape) = rest.split_at(at);
        let (escape, after) = escape.split_at_checked(3)?;
        let byte = u8::from_str_radix(&escape[1..], 16).ok()?;
        kept.push_str(before);
        if b";/?:@&=+$,#".contains(&byte) {
            kept.push_str("%25");
            kept.push_str(&escape[1..]);
        } else {
            kept.push_str(escape);
        }
        rest = after;
    }
    kept.push_str(rest);
    decode_component(&kept)
}

/// `decodeURIComponent` of JavaScript; `None` where it fails.
fn decode_component(text: &str) -> Option<String> {
    if !has_only_whole_escapes(text) {
        return None;
    }
    let decoded = percent_decode_str(text).decode_utf8().ok()?;
    Some(decoded.into_owned())
}

/// Writes rules as globs, or as regular expressions if the path has characters that could be wildcards.
/// The server decodes the path and encodes the target.
pub(crate) static FORM: Form =
    Form::json("{\"hosting\": {\"redirects\": [\n", form_rule, "\n]}}\n");

fn form_rule(new: &NewRule<'_>) -> Option<String> {
    let path = new.path()?;
    let is_plain = |c: char| c.is_alphanumeric() || matches!(c, '/' | '-' | '_' | '.' | '~');
    let (name, source) = if path.chars().all(is_plain) {
        ("source", path)
    } else {
        ("regex", format!("^{}$", regex::escape(&path)))
    };
    let to = percent_encoding::percent_decode_str(new.to).decode_utf8_lossy();
    Some(json!({name: source, "destination": to, "type": 301}).to_string())
}
