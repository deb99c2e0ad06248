//! `vercel.json`, as `vercel dev` 64 answers with it: it compiles settings and rules into one list of
//! routes, some applied before files are looked up and some after.
//!
//! Departs from that server where the documentation does: the server ignores `has` and `missing`, finds
//! no file under an escaped name, and drops the query in redirects, which is kept here.

use std::fmt::Write as _; // for `write!`: a String takes every write

use percent_encoding::percent_decode_str;

use crate::engine::conditions::{Conditions, Verdict, with_query};
use crate::engine::index::PrefixIndex;
use crate::engine::path_to_regexp as p2r;
use crate::engine::pattern::{Groups, Pattern};
use crate::engine::work::{COMPARED_PER_STEP, NoAnswer, Work};
use crate::request::{Files, Request};
use crate::responder::{Responder, Visit};
use crate::rule::{Answer, ProblemKind, Rule, RuleParser};
use crate::syntax::config::{Config, Item, Members, runs, value};

#[derive(Debug, Default)]
pub(crate) struct Vercel {
    before: Phase,
    after: Phase,
    /// Routes of later phases, which are not supported.
    other: Phase,
    cleans_urls: bool,
    /// The sources from which functions are built, as written.
    programs: Vec<String>,
}

#[derive(Debug, Default)]
struct Phase {
    routes: Vec<Route>,
    by_path: PrefixIndex,
}

#[derive(Debug)]
struct Route {
    /// `None` for a route from a setting.
    rule: Option<usize>,
    line: usize,
    pattern: Pattern,
    conditions: Conditions,
    /// The path or URL that is served in place.
    dest: Option<String>,
    location: Option<String>,
    status: Option<u16>,
    /// Whether the following routes are tried as well.
    goes_on: bool,
    /// Whether they are tried if its target has no file.
    checks: bool,
}

/// The phase of a route.
#[derive(Clone, Copy)]
enum PhaseName {
    Before,
    After,
    Other,
}

pub(crate) fn read(text: &str, parser: &mut RuleParser) -> Vercel {
    let config = Config::new(text);
    let members = config.members(parser);
    let mut out = Vercel {
        cleans_urls: value(&members, "cleanUrls").unwrap_or_default(),
        programs: programs(&config, &members, parser),
        ..Vercel::default()
    };
    let adds_slash: Option<bool> = value(&members, "trailingSlash");
    out.add_clean_urls(adds_slash == Some(true), parser);
    out.add_trailing_slash(adds_slash, parser);
    out.add_routes(&config, &members, parser);
    let redirects = config.list("redirects", members.get("redirects"), parser);
    for run in runs(&redirects) {
        let Some(item) = config.rule("redirects", run, parser) else {
            continue;
        };
        out.add_redirect(&item, parser);
    }
    let rewrites = members.get("rewrites");
    if rewrites.is_some_and(|rewrites| rewrites.get().starts_with('[')) {
        let rewrites = config.list("rewrites", rewrites, parser);
        for run in runs(&rewrites) {
            let Some(item) = config.rule("rewrites", run, parser) else {
                continue;
            };
            out.add_rewrite(&item, parser);
        }
    } else if let Some(rewrites) = rewrites {
        let message = "\"rewrites\" is not a list";
        parser.problem(config.line(rewrites), ProblemKind::Refused, message);
    }
    out
}

impl Vercel {
    /// Adds the route of a setting.
    fn add_own(&mut self, source: &str, location: Option<&str>, parser: &mut RuleParser) {
        if let Ok(pattern) = parser.pattern(source, false) {
            self.before.push(Route {
                rule: None,
                line: 1,
                pattern,
                conditions: Conditions::default(),
                dest: None,
                location: location.map(str::to_owned),
                status: location.map(|_| 308),
                goes_on: false,
                checks: false,
            });
        }
    }

    fn add_clean_urls(&mut self, adds_slash: bool, parser: &mut RuleParser) {
        if self.cleans_urls {
            let to = if adds_slash { "/$1/" } else { "/$1" };
            self.add_own(r"^/(?:(.+)/)?index(?:\.html)?/?$", Some(to), parser);
            self.add_own(r"^/(.*)\.html/?$", Some(to), parser);
        }
    }

    fn add_trailing_slash(&mut self, adds: Option<bool>, parser: &mut RuleParser) {
        match adds {
            Some(true) => {
                self.add_own(r"^/\.well-known(?:/.*)?$", None, parser);
                self.add_own(r"^/((?:[^/]+/)*[^/\.]+)$", Some("/$1/"), parser);
                self.add_own(r"^/((?:[^/]+/)*[^/]+\.\w+)/$", Some("/$1"), parser);
            }
            Some(false) => self.add_own(r"^/(.*)/$", Some("/$1"), parser),
            None => {}
        }
    }

    fn add_redirect(&mut self, item: &Item, parser: &mut RuleParser) {
        let line = item.line;
        let Some((source, to)) = source_and_target(item, "redirect", parser) else {
            return;
        };
        let permanent = item.flag("permanent");
        let code = item.number("statusCode");
        if permanent.is_some() && code.is_some() {
            let message = "a redirect has both \"permanent\" and \"statusCode\"";
            parser.problem(line, ProblemKind::Refused, message);
            return;
        }
        let status = match (permanent, code) {
            (Some(false), _) => 307,
            (_, Some(code)) => u16::try_from(code).unwrap_or(0),
            _ => 308,
        };
        let Some((tokens, pattern, conditions, target)) = compiled(item, source, to, parser) else {
            return;
        };
        let rule = Some(add_rule(
            line,
            source,
            Some(to),
            status,
            permanent.is_none() && code.is_none(),
            &tokens,
            &conditions,
            parser,
        ));
        let is_redirect = (300..400).contains(&status);
        self.before.push(Route {
            rule,
            line,
            pattern,
            conditions,
            dest: None,
            location: is_redirect.then_some(target),
            status: Some(status),
            goes_on: false,
            checks: false,
        });
    }

    fn add_rewrite(&mut self, item: &Item, parser: &mut RuleParser) {
        let line = item.line;
        let Some((source, to)) = source_and_target(item, "rewrite", parser) else {
            return;
        };
        let Some((tokens, pattern, conditions, target)) = compiled(item, source, to, parser) else {
            return;
        };
        let rule = Some(add_rule(
            line,
            source,
            Some(to),
            200,
            true,
            &tokens,
            &conditions,
            parser,
        ));
        self.after.push(Route {
            rule,
            line,
            pattern,
            conditions,
            dest: Some(target),
            location: None,
            status: None,
            goes_on: false,
            checks: true,
        });
    }

    /// Reads the older form of rules: regular expressions in phases.
    fn add_routes(&mut self, config: &Config, members: &Members<'_>, parser: &mut RuleParser) {
        let mut when = PhaseName::Before;
        for value in config.list("routes", members.get("routes"), parser) {
            let Some(item) = config.item("routes", value, parser) else {
                continue;
            };
            if let Some(handle) = item.text("handle") {
                when = match handle {
                    "filesystem" => PhaseName::After,
                    _ => PhaseName::Other,
                };
                continue;
            }
            self.add_route(&item, when, parser);
        }
    }

    fn add_route(&mut self, item: &Item, when: PhaseName, parser: &mut RuleParser) {
        let line = item.line;
        let Some(src) = item.text("src").or_else(|| item.text("source")) else {
            let message = "a route without \"src\"";
            return parser.problem(line, ProblemKind::Refused, message);
        };
        let methods = item.members.get("methods").and_then(|m| m.as_array());
        if methods.is_some_and(|methods| !methods.iter().any(|method| method == "GET")) {
            return;
        }
        let start = if src.starts_with('^') { "" } else { "^" };
        let end = if src.ends_with('$') { "" } else { "$" };
        let pattern = match parser.pattern(&format!("{start}{src}{end}"), false) {
            Ok(pattern) => pattern,
            Err(message) => {
                let message = format!("{src:?} is not an expression: {message}");
                return parser.problem(line, ProblemKind::Refused, message);
            }
        };
        let conditions = Conditions::read(&item.members, line, parser);
        let headers = item.members.get("headers").and_then(|h| h.as_object());
        let location = headers.into_iter().flatten().find_map(|(name, value)| {
            let is_location = name.eq_ignore_ascii_case("location");
            value.as_str().filter(|_| is_location).map(str::to_owned)
        });
        let dest = item.text("dest").or_else(|| item.text("destination"));
        let status = item.number("status").or_else(|| item.number("statusCode"));
        let status = status.and_then(|status| u16::try_from(status).ok());
        let is_redirect = status.is_some_and(|status| (300..400).contains(&status));
        let location = location
            .or_else(|| dest.map(str::to_owned))
            .filter(|_| is_redirect);
        let goes_on = item.flag("continue").unwrap_or_default();
        // A route that only sets headers is not a rule.
        let rule = (location.is_some() || dest.is_some() || status.is_some()).then(|| {
            parser.rule(Rule {
                line,
                from: src.to_owned(),
                to: location.clone().or_else(|| dest.map(str::to_owned)),
                status: status.unwrap_or(200),
                status_is_default: status.is_none(),
                is_exact: false,
                samples: Vec::new(),
            })
        });
        let phase = match when {
            PhaseName::Before => &mut self.before,
            PhaseName::After => &mut self.after,
            PhaseName::Other => &mut self.other,
        };
        phase.push(Route {
            rule,
            line,
            pattern,
            conditions,
            dest: dest.filter(|_| location.is_none()).map(str::to_owned),
            location,
            status,
            goes_on,
            checks: item.flag("check").unwrap_or_default(),
        });
    }

    fn answer_or_line(
        &self,
        request: &Request<'_>,
        files: &dyn Files,
        work: &Work,
    ) -> Result<Answer, usize> {
        let find = |path: &str| self.file(path, files);
        let mut path = request.path.to_owned();
        let mut rule = None;
        for phase in [&self.before, &self.after] {
            let is_program = |path: &str| self.is_program(path, work);
            let found = phase.run(path, request, &find, &is_program, work)?;
            if let Some(location) = found.location {
                return Ok(Answer::Redirect {
                    status: found.status.unwrap_or(308),
                    location,
                    rule: found.rule,
                });
            }
            path = found.path;
            rule = found.rule.or(rule);
            if let Some(path) = find(&path) {
                return Ok(Answer::File {
                    path,
                    status: found.status.unwrap_or(200),
                    rule,
                });
            }
            if let Some(status) = found.status {
                return Ok(Answer::Refused { status, rule });
            }
        }
        if let Some(line) = self.other.may_match(&path, work)? {
            return Err(line);
        }
        Ok(Answer::Refused { status: 404, rule })
    }

    /// Whether a function may answer at a path: one in the folder `api`, or one in `builds`.
    fn is_program(&self, path: &str, work: &Work) -> Result<bool, NoAnswer> {
        work.take(self.programs.len() / COMPARED_PER_STEP)?;
        let path = path.split(['?', '#']).next().unwrap_or_default();
        let path = path.strip_prefix('/').unwrap_or(path);
        let is_below_api = path == "api" || path.starts_with("api/");
        let mut programs = self.programs.iter();
        Ok(is_below_api || programs.any(|program| is_built_from(path, program)))
    }

    /// The file that is served at a path.
    fn file(&self, path: &str, files: &dyn Files) -> Option<Vec<u8>> {
        let end = path.find(['?', '#']).unwrap_or(path.len());
        let path: Vec<u8> = percent_decode_str(&path[..end]).collect();
        let with = |end: &str| [path.as_slice(), end.as_bytes()].concat();
        let candidates = if path.ends_with(b"/") {
            vec![with("index.html")]
        } else if self.cleans_urls {
            vec![path.clone(), with(".html"), with("/index.html")]
        } else {
            vec![path.clone(), with("/index.html")]
        };
        candidates.into_iter().find(|path| files.is_file(path))
    }
}

impl Responder for Vercel {
    fn serves_without_extension(&self) -> bool {
        self.cleans_urls
    }

    fn answer(&self, visit: &Visit<'_>) -> Answer {
        let (request, files, work) = (visit.request, visit.files, visit.work);
        request.redirect_to_merged_slashes(301).unwrap_or_else(|| {
            self.answer_or_line(request, files, work)
                .unwrap_or_else(|line| Answer::Unknown { line })
        })
    }
}

/// The sources in `builds` that become functions rather than files.
fn programs(config: &Config, members: &Members<'_>, parser: &mut RuleParser) -> Vec<String> {
    let builds = config.list("builds", members.get("builds"), parser);
    let builds = builds.into_iter();
    let builds = builds.filter_map(|value| config.item("builds", value, parser));
    let sources = builds.filter_map(|item| {
        let is_static = item.text("use").unwrap_or_default().contains("/static");
        let source = item.text("src").filter(|_| !is_static)?;
        Some(source.trim_start_matches('/').to_owned())
    });
    sources.collect()
}

/// Whether a path belongs to a function, whose source may be a pattern, with or without the extension.
fn is_built_from(path: &str, program: &str) -> bool {
    if let Some((start, _)) = program.split_once('*') {
        return path.starts_with(start);
    }
    let bare = program.rsplit_once('.').map(|(bare, _)| bare);
    path == program || Some(path) == bare
}

/// The source and the target of a rule.
fn source_and_target<'i>(
    item: &'i Item,
    what: &str,
    parser: &mut RuleParser,
) -> Option<(&'i str, &'i str)> {
    let both = item.text("source").zip(item.text("destination"));
    if both.is_none() {
        let is_service = item
            .members
            .get("destination")
            .is_some_and(serde_json::Value::is_object);
        let (trouble, message) = if is_service {
            (
                ProblemKind::NotRead,
                format!("a {what} to a service: not read"),
            )
        } else {
            let message = format!("a {what} must have \"source\" and \"destination\"");
            (ProblemKind::Refused, message)
        };
        parser.problem(item.line, trouble, message);
    }
    both
}

/// A compiled rule: the source as parts and as a regular expression, the conditions, and the target
/// with its names replaced by `$1` and so on.
fn compiled(
    item: &Item,
    source: &str,
    to: &str,
    parser: &mut RuleParser,
) -> Option<(Vec<p2r::Token>, Pattern, Conditions, String)> {
    let line = item.line;
    let mut refuse = |message: String| {
        parser.problem(line, ProblemKind::Refused, message);
        None
    };
    let tokens = match p2r::parse(source) {
        Ok(tokens) => tokens,
        Err(message) => {
            return refuse(format!("{source:?} is not a source: {message}"));
        }
    };
    if source.contains("://") {
        return refuse(format!("the source {source:?} must be a path"));
    }
    let conditions = Conditions::read(&item.members, line, parser);
    let names: Vec<&str> = p2r::keys(&tokens)
        .map(|key| if key.is_named { &*key.name } else { "" })
        .collect();
    let known: Vec<&str> = conditions.names().collect();
    let target = match numbered(to, &names, &known) {
        Ok(target) => target,
        // A condition may define a name by a group.
        Err(_) if !conditions.is_empty() => to.to_owned(),
        Err(UnknownName(name)) => {
            let message = format!("the target {to:?} names :{name}, which the source does not");
            parser.problem(line, ProblemKind::Refused, message);
            return None;
        }
    };
    match parser.pattern(&p2r::expression(&tokens), false) {
        Ok(pattern) => Some((tokens, pattern, conditions, target)),
        Err(message) => {
            parser.problem(line, ProblemKind::NotRead, message);
            None
        }
    }
}

/// A name in a target that the source does not have.
struct UnknownName(String);

/// A target with names of the source replaced by `$1`, `$2` and so on, and names of conditions by
/// `$name`.
///
/// # Errors
///
/// An unknown name.
fn numbered(to: &str, names: &[&str], conditions: &[&str]) -> Result<String, UnknownName> {
    let mut out = String::with_capacity(to.len());
    let mut rest = to;
    while let Some(at) = rest.find(':') {
        let (before, after) = (&rest[..at], &rest[at + 1..]);
        out.push_str(before);
        let end = after.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_'));
        let (name, after) = after.split_at(end.unwrap_or(after.len()));
        let is_port = name.starts_with(|c: char| c.is_ascii_digit());
        if let Some(number) = names
            .iter()
            .position(|known| *known == name && !name.is_empty())
        {
            let _ = write!(out, "${}", number + 1);
        } else if conditions.contains(&name) {
            let _ = write!(out, "${name}");
        } else if name.is_empty() || is_port {
            out.push(':');
            out.push_str(name);
            rest = after;
            continue;
        } else {
            return Err(UnknownName(name.to_owned()));
        }
        // A modifier belongs to the name; a question mark starts the query.
        rest = after.strip_prefix(['*', '+']).unwrap_or(after);
    }
    out.push_str(rest);
    Ok(out)
}

#[expect(
    clippy::too_many_arguments,
    reason = "the parts of a rule, each as read"
)]
fn add_rule(
    line: usize,
    source: &str,
    to: Option<&str>,
    status: u16,
    status_is_default: bool,
    tokens: &[p2r::Token],
    conditions: &Conditions,
    parser: &mut RuleParser,
) -> usize {
    parser.rule(Rule {
        line,
        from: source.to_owned(),
        to: to.map(str::to_owned),
        status,
        status_is_default,
        is_exact: p2r::literal(tokens).is_some() && conditions.is_empty(),
        samples: if conditions.is_empty() {
            p2r::sample(tokens)
        } else {
            Vec::new()
        },
    })
}

/// The result of a phase.
#[derive(Debug, Default)]
struct PhaseResult {
    path: String,
    rule: Option<usize>,
    status: Option<u16>,
    location: Option<String>,
}

impl Phase {
    fn push(&mut self, route: Route) {
        self.by_path.add_pattern(&route.pattern, self.routes.len());
        self.routes.push(route);
    }

    /// Runs the routes on a path; the error is the line of one that may apply.
    fn run(
        &self,
        path: String,
        request: &Request<'_>,
        find: &dyn Fn(&str) -> Option<Vec<u8>>,
        is_program: &dyn Fn(&str) -> Result<bool, NoAnswer>,
        work: &Work,
    ) -> Result<PhaseResult, usize> {
        let mut found = PhaseResult {
            path,
            ..PhaseResult::default()
        };
        let unknown = |NoAnswer| 1_usize;
        let numbers = self.by_path.cursor(found.path.as_bytes(), work);
        let mut numbers = numbers.map_err(unknown)?;
        while let Some(number) = numbers.next() {
            let Some(route) = self.routes.get(number) else {
                break;
            };
            let matched = route.matched(&found.path, request, work)?;
            let Some((groups, values)) = matched else {
                continue;
            };
            let fill = |text: &str| {
                let filled = filled(text, &groups, &found.path, &values, work);
                filled.map_err(|NoAnswer| route.line)
            };
            if let Some(location) = &route.location {
                found.location = Some(with_query(&fill(location)?, request));
                found.status = route.status;
                found.rule = route.rule;
                break;
            }
            let dest = route.dest.as_deref().map(fill).transpose()?;
            if dest.as_ref().is_some_and(|dest| dest.contains("://")) {
                // Another server answers by proxy.
                return Err(route.line);
            }
            let has_file = dest.as_deref().is_none_or(|dest| find(dest).is_some());
            if !has_file
                && let Some(dest) = &dest
                && is_program(dest).unwrap_or(true)
            {
                return Err(route.line);
            }
            if let Some(dest) = dest {
                let slash = if dest.starts_with('/') { "" } else { "/" };
                found.path = format!("{slash}{dest}");
                found.rule = route.rule;
                let renewed = numbers.renew(found.path.as_bytes(), work);
                renewed.map_err(unknown)?;
            }
            if route.status.is_some() {
                found.status = route.status;
                found.rule = route.rule;
            }
            if !route.goes_on && (!route.checks || has_file) {
                break;
            }
        }
        Ok(found)
    }

    /// The line of the first route whose source matches.
    fn may_match(&self, path: &str, work: &Work) -> Result<Option<usize>, usize> {
        let numbers = self.by_path.candidates(path.as_bytes(), work);
        for number in numbers.map_err(|NoAnswer| 1_usize)? {
            if let Some(route) = self.routes.get(number) {
                let matched = route.pattern.find(path.as_bytes(), work);
                if matched.map_err(|NoAnswer| route.line)?.is_some() {
                    return Ok(Some(route.line));
                }
            }
        }
        Ok(None)
    }
}

/// The captures of a match, and the values of names from conditions.
type RouteMatch = (Groups, Vec<(String, String)>);

impl Route {
    fn matched(
        &self,
        path: &str,
        request: &Request<'_>,
        work: &Work,
    ) -> Result<Option<RouteMatch>, usize> {
        let unknown = |NoAnswer| self.line;
        work.take(1).map_err(unknown)?;
        let groups = self.pattern.find(path.as_bytes(), work).map_err(unknown)?;
        let Some(groups) = groups else {
            return Ok(None);
        };
        match self.conditions.check(request, work).map_err(unknown)? {
            Verdict::Applies(values) => Ok(Some((groups, values))),
            Verdict::DoesNot => Ok(None),
            Verdict::Unknown => Err(self.line),
        }
    }
}

/// A text with `$1` and `$name` filled in; unknown names become empty.
fn filled(
    text: &str,
    groups: &Groups,
    path: &str,
    values: &[(String, String)],
    work: &Work,
) -> Result<String, NoAnswer> {
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find('$') {
        let (before, after) = (&rest[..at], &rest[at + 1..]);
        out.push_str(before);
        work.take(1 + (values.len() + groups.names().len()) / COMPARED_PER_STEP)?;
        let is_number = after.starts_with(|c: char| ('1'..='9').contains(&c));
        let end = after.find(|c: char| {
            if is_number {
                !('1'..='9').contains(&c)
            } else {
                !(c.is_ascii_alphanumeric() || c == '_')
            }
        });
        let (name, after) = after.split_at(end.unwrap_or(after.len()));
        if name.is_empty() {
            out.push('$');
        } else if let Some((_, value)) = values.iter().find(|(known, _)| known == name) {
            out.push_str(value);
        } else {
            let named = groups.names().iter().find(|(known, _)| known == name);
            let number = named
                .map(|(_, number)| *number)
                .or_else(|| name.parse().ok());
            let value = number.map_or(&b""[..], |number| groups.get(number, path.as_bytes()));
            out.push_str(&String::from_utf8_lossy(value));
        }
        work.take_text(out.len())?;
        rest = after;
    }
    out.push_str(rest);
    Ok(out)
}
