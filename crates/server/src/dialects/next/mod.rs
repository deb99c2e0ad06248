//! `routes-manifest.json`, which a build of Next.js leaves in `.next`, as `next start` 16 answers with
//! it. The rules are compiled there; `next.config.js` is a program and is not run.
//!
//! Pages are files of a tree: `about.html` or `about/index.html` is the page `/about`.

mod prerendered;

pub(crate) use prerendered::INCLUDES;

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use baseref_resolve::{Rules, parts, resolve};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};

use crate::engine::conditions::{Conditions, Verdict, with_query};
use crate::engine::index::PrefixIndex;
use crate::engine::path_to_regexp as p2r;
use crate::engine::pattern::{Groups, Pattern};
use crate::engine::work::{COMPARED_PER_STEP, NoAnswer, Work};
use crate::request::{Files, Request};
use crate::responder::{Responder, Visit};
use crate::rule::{Answer, ProblemKind, Rule, RuleParser};
use crate::syntax::config::{Config, Item, Members, runs, value};
use prerendered::Prerendered;

#[derive(Debug, Default)]
pub(crate) struct Next {
    base_path: String,
    /// The redirects of final slashes.
    slashes: Routes,
    redirects: Routes,
    before_files: Routes,
    after_files: Routes,
    fallback: Routes,
    /// Pages with parameters.
    dynamic: Vec<DynamicPage>,
    dynamic_by_path: PrefixIndex,
    /// The routes of the pages that need no parameters, if they are listed.
    pages: Option<BTreeSet<String>>,
    /// The languages that start paths, and the one of other paths.
    locales: Vec<String>,
    default_locale: Option<String>,
    prerendered: Prerendered,
}

/// A page with parameters, which the server renders unless the build has.
#[derive(Debug)]
struct DynamicPage {
    name: String,
    pattern: Pattern,
    line: usize,
}

/// Pages of the server's own, which no address has.
const NO_PAGES: [&str; 5] = ["/404", "/500", "/_error", "/_app", "/_document"];

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
        prerendered: Prerendered::read(parser),
        ..Next::default()
    };
    if !members.is_empty() && !members.contains_key("redirects") {
        let message = "this is no routes-manifest.json: it has no \"redirects\"";
        parser.problem(1, ProblemKind::Refused, message);
    }
    let is_sensitive: bool = value(&members, "caseSensitive").unwrap_or_default();
    let redirects = config.list("redirects", members.get("redirects"), parser);
    for run in runs(&redirects) {
        let Some(item) = config.rule("redirects", run, parser) else {
            continue;
        };
        let is_own = item.flag("internal").unwrap_or_default();
        let routes = if is_own {
            &mut out.slashes
        } else {
            &mut out.redirects
        };
        routes.add(&item, None, is_sensitive, parser);
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
            for value in config.list(name, phases.get(name), parser) {
                let Some(item) = config.item(name, value, parser) else {
                    continue;
                };
                routes.add(&item, Some(200), is_sensitive, parser);
            }
        }
    }
    for value in config.list("dynamicRoutes", members.get("dynamicRoutes"), parser) {
        let Some(item) = config.item("dynamicRoutes", value, parser) else {
            continue;
        };
        let pattern = item.text("regex").map(|regex| parser.pattern(regex, false));
        if let Some(Ok(pattern)) = pattern {
            out.dynamic_by_path.add_pattern(&pattern, out.dynamic.len());
            out.dynamic.push(DynamicPage {
                name: item.text("page").unwrap_or_default().to_owned(),
                pattern,
                line: item.line,
            });
        }
    }
    if let Some(routes) = members.get("staticRoutes") {
        let routes = config.list("staticRoutes", Some(routes), parser);
        let routes = routes.into_iter();
        let items = routes.filter_map(|value| config.item("staticRoutes", value, parser));
        out.pages = Some(
            items
                .filter_map(|item| item.text("page").map(str::to_owned))
                .collect(),
        );
    }
    if let Some(i18n) = members.get("i18n") {
        let i18n: Members<'_> = serde_json::from_str(i18n.get()).unwrap_or_default();
        out.locales = value(&i18n, "locales").unwrap_or_default();
        out.default_locale = value(&i18n, "defaultLocale");
        // The paths of the manifest begin with a language then.
        out.prerendered = Prerendered::default();
    }
    out
}

/// The query of a request as Node writes it: parameters of one name together, each with an equals sign,
/// and as few escapes as `encodeURIComponent` needs.
fn rewritten_query(query: &str) -> String {
    let mut names: Vec<String> = Vec::new();
    let mut values: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (name, value) in url::form_urlencoded::parse(query.as_bytes()) {
        let known = values.entry(name.to_string()).or_default();
        if known.is_empty() {
            names.push(name.into_owned());
        }
        known.push(value.into_owned());
    }
    let escaped = |text: &str| utf8_percent_encode(text, &COMPONENT).to_string();
    let pairs = names.iter().flat_map(|name| {
        let pair = |value: &String| format!("{}={}", escaped(name), escaped(value));
        values.get(name).into_iter().flatten().map(pair)
    });
    pairs.collect::<Vec<_>>().join("&")
}

/// What `encodeURIComponent` escapes.
const COMPONENT: AsciiSet = NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'_')
    .remove(b'.')
    .remove(b'!')
    .remove(b'~')
    .remove(b'*')
    .remove(b'\'')
    .remove(b'(')
    .remove(b')');

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
        let start = request.path.get(..6);
        let is_of_build = start.is_some_and(|start| start.eq_ignore_ascii_case("/_next"));
        let mut path = self.localized(request.path).into_owned();
        let slash = self.slashes.find(request.path, 0, request, work)?;
        let redirect = match slash {
            None if !is_of_build => self.redirects.find(&path, 0, request, work)?,
            found => found,
        };
        if let Some((_, route, values)) = redirect {
            let to = route.target(&values, work);
            let Some(to) = to.map_err(|NoAnswer| route.line)? else {
                return Ok(Answer::Refused {
                    status: 500,
                    rule: route.rule,
                });
            };
            let query = request.query.map(rewritten_query);
            let sent = Request {
                query: query.as_deref(),
                ..*request
            };
            return Ok(Answer::Redirect {
                status: route.status,
                location: with_query(&to, &sent),
                rule: route.rule,
            });
        }
        let mut rule = None;
        // Before the lookup of files, every matching rewrite applies in turn.
        let mut from = 0;
        while let Some((number, to, by)) =
            rewritten(&self.before_files, &path, from, request, work)?
        {
            (path, rule, from) = (to, by, number + 1);
        }
        if let Some(answer) = self.served(&path, false, files, rule, work)? {
            return Ok(answer);
        }
        for (routes, is_last) in [(&self.after_files, false), (&self.fallback, true)] {
            let mut from = 0;
            while let Some((number, to, by)) = rewritten(routes, &path, from, request, work)? {
                (path, rule, from) = (to, by, number + 1);
                if let Some(answer) = self.served(&path, true, files, rule, work)? {
                    return Ok(answer);
                }
            }
            if !is_last {
                if let Some(answer) = self.served(&path, true, files, rule, work)? {
                    return Ok(answer);
                }
                self.no_dynamic(&path, work)?;
            }
        }
        self.no_dynamic(&path, work)?;
        Ok(Answer::Refused { status: 404, rule })
    }

    /// A path with its language, which is the default one if it has none.
    fn localized<'p>(&self, path: &'p str) -> Cow<'p, str> {
        let Some(locale) = &self.default_locale else {
            return Cow::Borrowed(path);
        };
        let Some(below) = self.below_base(path) else {
            return Cow::Borrowed(path);
        };
        if self.without_locale(below).is_some() {
            return Cow::Borrowed(path);
        }
        let below = if below == "/" { "" } else { below };
        Cow::Owned(format!("{}/{locale}{below}", self.base_path))
    }

    /// A path below the base path.
    fn below_base<'p>(&self, path: &'p str) -> Option<&'p str> {
        let below = path.strip_prefix(&*self.base_path)?;
        (below.is_empty() || below.starts_with('/')).then_some(below)
    }

    /// A path below its language, with the language.
    fn without_locale<'p>(&self, path: &'p str) -> Option<(&'p str, &'p str)> {
        let first = path.strip_prefix('/')?;
        let end = first.find('/').unwrap_or(first.len());
        let (locale, rest) = first.split_at(end);
        let is_known = self
            .locales
            .iter()
            .any(|one| one.eq_ignore_ascii_case(locale));
        is_known.then_some((locale, rest))
    }

    /// The page or file at a path; `has_dynamic` if it may be a page with parameters.
    ///
    /// # Errors
    ///
    /// The line of a rule that reaches a limit.
    fn served(
        &self,
        path: &str,
        has_dynamic: bool,
        files: &dyn Files,
        rule: Option<usize>,
        work: &Work,
    ) -> Result<Option<Answer>, usize> {
        let Some(below) = self.below_base(path) else {
            return Ok(None);
        };
        let end = below.find(['?', '#']).unwrap_or(below.len());
        let sent = &below[..end];
        let (locale, route) = match self.without_locale(sent) {
            Some((locale, route)) => (Some(locale), route),
            None => (None, sent),
        };
        let is_default = self.default_locale.as_deref() == locale;
        let file: Vec<u8> = percent_decode_str(route.trim_end_matches('/')).collect();
        if is_default && !self.is_page(&file, work)? && files.is_file(&file) {
            let path = file;
            return Ok(Some(Answer::File {
                path,
                status: 200,
                rule,
            }));
        }
        let route = route.strip_suffix('/').unwrap_or(route);
        let is_static = self.is_static_route(route);
        let is_page = is_static || has_dynamic && self.is_route(route, work)?;
        if NO_PAGES.contains(&route) || route.ends_with("/index") || !is_page {
            return Ok(None);
        }
        let mut bare: Vec<u8> = percent_decode_str(route).collect();
        if let Some(locale) = locale {
            bare.splice(..0, format!("/{locale}").bytes());
        }
        let mut paths = [".html", "/index.html"]
            .into_iter()
            .map(|end| [&bare, end.as_bytes()].concat());
        let found = paths.find(|path| files.is_file(path));
        Ok(found.map(|path| Answer::File {
            path,
            status: 200,
            rule,
        }))
    }

    /// Whether a path as sent is the route of a page without parameters. The names of pages are not
    /// decoded. Without a list of routes, each may be one.
    fn is_static_route(&self, path: &str) -> bool {
        let path = if path.is_empty() { "/" } else { path };
        match &self.pages {
            Some(pages) => pages.contains(path),
            None => !path.contains('%'),
        }
    }

    /// Whether a path as sent is the route of a page. What stands for a parameter is decoded.
    fn is_route(&self, path: &str, work: &Work) -> Result<bool, usize> {
        Ok(self.is_static_route(path) || self.dynamic_line(path, work)?.is_some())
    }

    /// Whether a file is a page, which answers at its route alone.
    fn is_page(&self, path: &[u8], work: &Work) -> Result<bool, usize> {
        let path = String::from_utf8_lossy(path);
        let Some(route) = path.strip_suffix(".html") else {
            return Ok(false);
        };
        let route = route.strip_suffix("/index").unwrap_or(route);
        Ok(NO_PAGES.contains(&route) || self.is_route(route, work)?)
    }

    /// The line of the dynamic page that has this route, or may have it.
    ///
    /// # Errors
    ///
    /// The line of the page at which a limit is reached.
    fn dynamic_line(&self, path: &str, work: &Work) -> Result<Option<usize>, usize> {
        let numbers = self.dynamic_by_path.candidates(path.as_bytes(), work);
        for number in numbers.map_err(|NoAnswer| 1_usize)? {
            if let Some(page) = self.dynamic.get(number) {
                let found = page.pattern.find(path.as_bytes(), work);
                let found = found.map_err(|NoAnswer| page.line)?;
                if found.is_some() && self.prerendered.has(&page.name, path) != Some(false) {
                    return Ok(Some(page.line));
                }
            }
        }
        Ok(None)
    }

    /// # Errors
    ///
    /// The line of a dynamic page that may match this address.
    fn no_dynamic(&self, path: &str, work: &Work) -> Result<(), usize> {
        let Some(below) = self.below_base(path) else {
            return Ok(());
        };
        let route = self.without_locale(below).map_or(below, |(_, route)| route);
        match self.dynamic_line(route, work)? {
            Some(line) => Err(line),
            None => Ok(()),
        }
    }
}

impl Responder for Next {
    fn answer(&self, visit: &Visit<'_>) -> Answer {
        let (request, files, work) = (visit.request, visit.files, visit.work);
        if !request.path.bytes().all(|byte| byte.is_ascii_graphic()) {
            // Node refuses what a client has to escape.
            return Answer::refused(400);
        }
        if let Some(merged) = request.redirect_to_merged_slashes(308) {
            return merged;
        }
        let url = without_dot_segments(request);
        let request = Request {
            path: url.as_deref().map_or(request.path, parts::path),
            ..*request
        };
        self.answer_or_line(&request, files, work)
            .unwrap_or_else(|line| Answer::Unknown { line })
    }
}

/// The address of a request, if it has dot segments to remove.
fn without_dot_segments(request: &Request<'_>) -> Option<String> {
    let lower = request.path.to_ascii_lowercase();
    if !lower.contains("/.") && !lower.contains("/%2e") {
        return None;
    }
    let url = format!("{}{}", request.origin(), request.path);
    resolve(Rules::Whatwg, None, &url).ok()
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
