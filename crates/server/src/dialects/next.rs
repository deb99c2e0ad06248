//! `routes-manifest.json`, which a build of Next.js leaves in `.next`, as `next start` 16 answers with
//! it. The rules are compiled there; `next.config.js` is a program and is not run.
//!
//! Pages are files of a tree: `about.html` or `about/index.html` is the page `/about`.

use std::collections::BTreeSet;

use percent_encoding::percent_decode_str;

use crate::engine::conditions::{Conditions, Verdict, with_query};
use crate::engine::index::PrefixIndex;
use crate::engine::path_to_regexp as p2r;
use crate::engine::pattern::{Groups, Pattern};
use crate::engine::work::{COMPARED_PER_STEP, NoAnswer, Work};
use crate::request::{Files, Request};
use crate::responder::{Responder, Visit};
use crate::rule::{Answer, ProblemKind, Rule, RuleParser};
use crate::syntax::config::{Config, Item, Members, value};

#[derive(Debug, Default)]
pub(crate) struct Next {
    base_path: String,
    redirects: Routes,
    before_files: Routes,
    after_files: Routes,
    fallback: Routes,
    /// Pages that the server renders, with their lines.
    dynamic: Vec<(Pattern, usize)>,
    dynamic_by_path: PrefixIndex,
    /// The routes of the pages that need no parameters.
    pages: BTreeSet<String>,
}

#[derive(Debug, Default)]
struct Routes {
    routes: Vec<Route>,
    by_path: PrefixIndex,
}

#[derive(Debug)]
struct Route {
    /// `None` for a built-in redirect.
    rule: Option<usize>,
    line: usize,
    pattern: Pattern,
    keys: Vec<Parameter>,
    conditions: Conditions,
    to: Destination,
    status: u16,
}

/// A name in a source; names are in the order of their groups.
#[derive(Debug)]
struct Parameter {
    name: String,
    repeats: bool,
}

/// A destination split into parts, each with its own way of filling in values.
#[derive(Debug, Default)]
struct Destination {
    /// Scheme and host, if any.
    origin: Vec<p2r::Token>,
    path: Vec<p2r::Token>,
    /// The query, with its question mark.
    rest: Vec<p2r::Token>,
    is_external: bool,
}

pub(crate) fn read(text: &str, parser: &mut RuleParser) -> Next {
    let config = Config::new(text);
    let members = config.members(parser);
    let mut out = Next {
        base_path: value(&members, "basePath").unwrap_or_default(),
        ..Next::default()
    };
    if !members.is_empty() && !members.contains_key("redirects") {
        let message = "this is no routes-manifest.json: it has no \"redirects\"";
        parser.problem(1, ProblemKind::Refused, message);
    }
    let is_sensitive: bool = value(&members, "caseSensitive").unwrap_or_default();
    for item in config.items("redirects", members.get("redirects"), parser) {
        out.redirects.add(&item, None, is_sensitive, parser);
    }
    if let Some(rewrites) = members.get("rewrites") {
        let phases: Members<'_> = if rewrites.get().starts_with('[') {
            Members::from([("afterFiles".to_owned(), *rewrites)])
        } else {
            serde_json::from_str(rewrites.get()).unwrap_or_default()
        };
        for (name, routes) in [
            ("beforeFiles", &mut out.before_files),
            ("afterFiles", &mut out.after_files),
            ("fallback", &mut out.fallback),
        ] {
            for item in config.items(name, phases.get(name), parser) {
                routes.add(&item, Some(200), is_sensitive, parser);
            }
        }
    }
    for item in config.items("dynamicRoutes", members.get("dynamicRoutes"), parser) {
        let pattern = item.text("regex").map(|regex| parser.pattern(regex, false));
        if let Some(Ok(pattern)) = pattern {
            out.dynamic_by_path.add_pattern(&pattern, out.dynamic.len());
            out.dynamic.push((pattern, item.line));
        }
    }
    for item in config.items("staticRoutes", members.get("staticRoutes"), parser) {
        out.pages.extend(item.text("page").map(str::to_owned));
    }
    out
}

/// Whether a path as sent has an escape that clients need not write.
fn has_needless_escape(path: &str) -> bool {
    let mut escapes = path.split('%').skip(1);
    escapes.any(|part| {
        let byte = part
            .get(..2)
            .and_then(|hex| u8::from_str_radix(hex, 16).ok());
        byte.is_some_and(|byte| byte.is_ascii_alphanumeric() || b"-_.!~*'()".contains(&byte))
    })
}

/// The beginning of every redirect's regular expression, which excludes the files of the build.
const NOT_OF_BUILD: &str = "^(?!/_next)";

impl Routes {
    fn add(
        &mut self,
        item: &Item,
        status: Option<u16>,
        is_sensitive: bool,
        parser: &mut RuleParser,
    ) {
        let line = item.line;
        let strings = item.text("source").zip(item.text("destination"));
        let Some((source, to)) = strings else {
            let message = "a rule must have \"source\" and \"destination\"";
            return parser.problem(line, ProblemKind::Refused, message);
        };
        let tokens = match p2r::parse(source) {
            Ok(tokens) => tokens,
            Err(message) => {
                let message = format!("{source:?} is not a source: {message}");
                return parser.problem(line, ProblemKind::Refused, message);
            }
        };
        let regex = match item.text("regex") {
            Some(regex) => regex.replace(r"\/", "/"),
            None => format!("{}(?:/)?$", p2r::expression(&tokens).trim_end_matches('$')),
        };
        // This test is done separately: a regular expression with look-ahead would be tried for every
        // address.
        let regex = match regex.strip_prefix(NOT_OF_BUILD) {
            Some(rest) => format!("^{rest}"),
            None => regex,
        };
        let pattern = match parser.pattern(&regex, !is_sensitive) {
            Ok(pattern) => pattern,
            Err(message) => return parser.problem(line, ProblemKind::NotRead, message),
        };
        let to_parts = match Destination::parse(to) {
            Ok(target) => target,
            Err(message) => {
                let message = format!("{to:?} is not a destination: {message}");
                return parser.problem(line, ProblemKind::Refused, message);
            }
        };
        let code = item
            .number("statusCode")
            .and_then(|code| u16::try_from(code).ok());
        let status = status
            .or(code)
            .unwrap_or_else(|| match item.flag("permanent") {
                Some(false) => 307,
                _ => 308,
            });
        let is_own = item.flag("internal").unwrap_or_default();
        // The server's own rules only exclude requests that its scripts make.
        let conditions = if is_own {
            Conditions::default()
        } else {
            Conditions::read(&item.members, line, parser)
        };
        let rule = (!is_own).then(|| {
            parser.rule(Rule {
                line,
                from: source.to_owned(),
                to: Some(to.to_owned()),
                status,
                status_is_default: false,
                is_exact: p2r::literal(&tokens).is_some() && conditions.is_empty(),
                samples: if conditions.is_empty() {
                    p2r::sample(&tokens)
                } else {
                    Vec::new()
                },
            })
        });
        self.by_path.add_pattern(&pattern, self.routes.len());
        self.routes.push(Route {
            rule,
            line,
            pattern,
            keys: p2r::keys(&tokens)
                .map(|key| Parameter {
                    name: key.name.clone(),
                    repeats: key.repeats(),
                })
                .collect(),
            conditions,
            to: to_parts,
            status,
        });
    }

    /// The first matching route from index `from` on, with the values of its names.
    fn find(
        &self,
        path: &str,
        from: usize,
        request: &Request<'_>,
        work: &Work,
    ) -> Result<Option<(usize, &Route, Values)>, usize> {
        let numbers = self.by_path.candidates(path.as_bytes(), work);
        for number in numbers.map_err(|NoAnswer| 1_usize)? {
            let Some(route) = self.routes.get(number).filter(|_| number >= from) else {
                continue;
            };
            let values = route.values(path, request, work);
            match values.map_err(|NoAnswer| route.line)? {
                Some(Verdict::Applies(values)) => return Ok(Some((number, route, values))),
                Some(Verdict::Unknown) => return Err(route.line),
                Some(Verdict::DoesNot) | None => {}
            }
        }
        Ok(None)
    }
}

/// The values of names.
type Values = Vec<(String, String)>;

impl Route {
    fn values(
        &self,
        path: &str,
        request: &Request<'_>,
        work: &Work,
    ) -> Result<Option<Verdict>, NoAnswer> {
        work.take(1)?;
        let groups: Option<Groups> = self.pattern.find(path.as_bytes(), work)?;
        let Some(groups) = groups else {
            return Ok(None);
        };
        let more = match self.conditions.check(request, work)? {
            Verdict::Applies(more) => more,
            other => return Ok(Some(other)),
        };
        let mut values = Values::new();
        for (number, key) in (1..).zip(&self.keys) {
            if let Some(value) = groups.matched(number, path.as_bytes()) {
                let value = String::from_utf8_lossy(value).into_owned();
                values.push((key.name.clone(), value));
            }
        }
        // Values from conditions take precedence over those from the path.
        values.splice(..0, more);
        Ok(Some(Verdict::Applies(values)))
    }

    /// The destination; `None` where the server fails.
    fn target(&self, values: &Values, work: &Work) -> Result<Option<String>, NoAnswer> {
        // The cost is the number of parts times the number of names.
        let parts = self.to.origin.len() + self.to.path.len() + self.to.rest.len();
        work.take(parts * (1 + self.keys.len() + values.len()) / COMPARED_PER_STEP)?;
        let to = self.filled(values);
        work.take_text(to.as_ref().map_or(0, String::len))?;
        Ok(to)
    }

    fn filled(&self, values: &Values) -> Option<String> {
        let repeats = |name: &str| self.keys.iter().any(|key| key.name == name && key.repeats);
        let value = |name: &str| {
            let found = values.iter().find(|(known, _)| known == name);
            found.map(|(_, value)| value.clone())
        };
        // A list needs a name that repeats.
        let in_path = |key: &p2r::Key| value(&key.name);
        let is_list = |token: &p2r::Token| match token {
            p2r::Token::Key(key) => {
                repeats(&key.name) && !key.repeats() && value(&key.name).is_some()
            }
            p2r::Token::Text(_) => false,
        };
        if self.to.path.iter().any(is_list) {
            return None;
        }
        let anywhere = |key: &p2r::Key| Some(value(&key.name).unwrap_or_default());
        let origin = p2r::fill(&self.to.origin, anywhere)?;
        let path = p2r::fill(&self.to.path, in_path)?;
        let rest = p2r::fill(&self.to.rest, anywhere)?;
        Some(format!("{origin}{path}{rest}"))
    }
}

impl Destination {
    fn parse(to: &str) -> Result<Self, p2r::SourceError> {
        let start = to.find("://").map_or(0, |at| {
            let host = at + 3;
            to[host..].find('/').map_or(to.len(), |slash| host + slash)
        });
        let end = to[start..]
            .find(['?', '#'])
            .map_or(to.len(), |at| start + at);
        Ok(Self {
            origin: names_only(&to[..start]),
            path: p2r::parse(&to[start..end])?,
            rest: names_only(&to[end..]),
            is_external: start > 0,
        })
    }
}

/// A text in which only names with their modifiers are special.
fn names_only(text: &str) -> Vec<p2r::Token> {
    let mut escaped = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find([':', '*', '?', '+', '(', ')', '{', '}', '\\']) {
        let (before, after) = rest.split_at(at);
        escaped.push_str(before);
        let name = after.strip_prefix(':').unwrap_or_default();
        let end = name.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_'));
        let end = end.unwrap_or(name.len());
        if end > 0 && !name.starts_with(|c: char| c.is_ascii_digit()) {
            escaped.push(':');
            escaped.push_str(&name[..end]);
            rest = &name[end..];
            if let Some(after) = rest.strip_prefix('*') {
                rest = after;
            }
        } else {
            escaped.push('\\');
            escaped.push_str(&after[..1]);
            rest = &after[1..];
        }
    }
    escaped.push_str(rest);
    p2r::parse(&escaped).unwrap_or_else(|_| vec![p2r::Token::Text(text.to_owned())])
}

impl Next {
    fn answer_or_line(
        &self,
        request: &Request<'_>,
        files: &dyn Files,
        work: &Work,
    ) -> Result<Answer, usize> {
        let of_build = request.path.get(..6);
        if !of_build.is_some_and(|start| start.eq_ignore_ascii_case("/_next"))
            && let Some((_, route, values)) = self.redirects.find(request.path, 0, request, work)?
        {
            let to = route.target(&values, work);
            let Some(to) = to.map_err(|NoAnswer| route.line)? else {
                return Ok(Answer::Refused {
                    status: 500,
                    rule: route.rule,
                });
            };
            return Ok(Answer::Redirect {
                status: route.status,
                location: with_query(&to, request),
                rule: route.rule,
            });
        }
        let mut path = request.path.to_owned();
        let mut rule = None;
        // Before the lookup of files, every matching rewrite applies in turn.
        let mut from = 0;
        while let Some((number, to, by)) =
            rewritten(&self.before_files, &path, from, request, work)?
        {
            (path, rule, from) = (to, by, number + 1);
        }
        if let Some(answer) = self.served(&path, files, rule) {
            return Ok(answer);
        }
        for (routes, is_last) in [(&self.after_files, false), (&self.fallback, true)] {
            let mut from = 0;
            while let Some((number, to, by)) = rewritten(routes, &path, from, request, work)? {
                (path, rule, from) = (to, by, number + 1);
                if let Some(answer) = self.served(&path, files, rule) {
                    return Ok(answer);
                }
            }
            if !is_last {
                self.no_dynamic(&path, work)?;
            }
        }
        self.no_dynamic(&path, work)?;
        Ok(Answer::Refused { status: 404, rule })
    }

    /// The page or file at a path.
    fn served(&self, path: &str, files: &dyn Files, rule: Option<usize>) -> Option<Answer> {
        let below = path.strip_prefix(&*self.base_path)?;
        let end = below.find(['?', '#']).unwrap_or(below.len());
        let sent = &below[..end];
        let below: Vec<u8> = percent_decode_str(sent).collect();
        let bare = below.strip_suffix(b"/").unwrap_or(&below);
        let with = |end: &str| [bare, end.as_bytes()].concat();
        let is_index = bare.ends_with(b"/index");
        let file = Some(bare.to_vec()).filter(|_| !self.is_page(bare));
        let page = Some(with(".html")).filter(|_| !is_index);
        let folder = Some(with("/index.html"));
        // A page has one spelling.
        let pages = [page, folder].map(|path| path.filter(|_| !has_needless_escape(sent)));
        let mut paths = file.into_iter().chain(pages.into_iter().flatten());
        let path = paths.find(|path| files.is_file(path))?;
        Some(Answer::File {
            path,
            status: 200,
            rule,
        })
    }

    /// Whether a file is a page, which answers at its route alone. Without a list of pages, every HTML
    /// file is one.
    fn is_page(&self, path: &[u8]) -> bool {
        let Some(route) = path.strip_suffix(b".html") else {
            return false;
        };
        let route = route.strip_suffix(b"/index").unwrap_or(route);
        let route = if route.is_empty() { b"/" } else { route };
        let is_listed = || {
            let route = String::from_utf8_lossy(route);
            self.pages.contains(&*route)
        };
        self.pages.is_empty() || !self.dynamic.is_empty() || is_listed()
    }

    /// # Errors
    ///
    /// The line of a dynamic page that may match this address.
    fn no_dynamic(&self, path: &str, work: &Work) -> Result<(), usize> {
        let numbers = self.dynamic_by_path.candidates(path.as_bytes(), work);
        for number in numbers.map_err(|NoAnswer| 1_usize)? {
            if let Some((pattern, line)) = self.dynamic.get(number) {
                match pattern.find(path.as_bytes(), work) {
                    Ok(None) => {}
                    Ok(Some(_)) | Err(NoAnswer) => return Err(*line),
                }
            }
        }
        Ok(())
    }
}

impl Responder for Next {
    fn answer(&self, visit: &Visit<'_>) -> Answer {
        let (request, files, work) = (visit.request, visit.files, visit.work);
        request.redirect_to_merged_slashes(308).unwrap_or_else(|| {
            self.answer_or_line(request, files, work)
                .unwrap_or_else(|line| Answer::Unknown { line })
        })
    }
}

/// The first matching rewrite from index `from` on, with its target and its rule.
fn rewritten(
    routes: &Routes,
    path: &str,
    from: usize,
    request: &Request<'_>,
    work: &Work,
) -> Result<Option<(usize, String, Option<usize>)>, usize> {
    let Some((number, route, values)) = routes.find(path, from, request, work)? else {
        return Ok(None);
    };
    if route.to.is_external {
        // Another server answers by proxy.
        return Err(route.line);
    }
    let to = route.target(&values, work);
    let to = to.map_err(|NoAnswer| route.line)?.unwrap_or_default();
    let end = to.find(['?', '#']).unwrap_or(to.len());
    Ok(Some((number, to[..end].to_owned(), route.rule)))
}
