//! `staticwebapp.config.json` of Azure Static Web Apps, as its command-line tools 2.0 answer with it.
//!
//! Departs from that server where the documentation does: 303, 307 and 308 stay as they are, and
//! `trailingSlash` is obeyed.

use percent_encoding::percent_decode_str;

use crate::engine::index::PrefixIndex;
use crate::engine::work::{COMPARED_PER_STEP, NoAnswer, Work};
use crate::form::{Form, NewRule};
use crate::request::{Files, Request};
use crate::responder::{Responder, Visit};
use crate::rule::{Answer, ProblemKind, Rule, RuleParser};
use crate::syntax::config::{Config, Item, runs, value};
use serde_json::json;

#[derive(Debug, Default)]
pub(crate) struct Swa {
    routes: Vec<Route>,
    by_path: PrefixIndex,
    fallback: Option<Fallback>,
    /// The response in place of 404.
    missing: Option<NotFoundOverride>,
    trailing_slash: Slash,
}

#[derive(Debug)]
struct Route {
    rule: Option<usize>,
    line: usize,
    source: RoutePaths,
    action: RouteAction,
}

#[derive(Debug)]
enum RouteAction {
    Redirect(String, u16),
    Rewrite(String),
    Refuse(u16),
    /// It only sets headers and the like.
    Nothing,
    /// The answer depends on the visitor's roles.
    Unknown,
}

/// The paths that a route matches.
#[derive(Debug, PartialEq, Eq)]
enum RoutePaths {
    Exact(String),
    /// `/x/*`: the prefix with its slash, and the permitted extensions.
    Below(String, Vec<String>),
    /// It matches nothing.
    Nothing,
}

#[derive(Debug)]
struct Fallback {
    line: usize,
    to: String,
    exclude: Vec<RoutePaths>,
    /// The cost of comparing a path with the excluded ones.
    steps: usize,
    rule: usize,
}

#[derive(Debug)]
struct NotFoundOverride {
    rule: usize,
    redirect: Option<String>,
    rewrite: Option<String>,
    status: u16,
}

/// How final slashes are treated.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Slash {
    Always,
    Never,
    #[default]
    Auto,
}

pub(crate) fn read(text: &str, parser: &mut RuleParser) -> Swa {
    let config = Config::new(text);
    let members = config.members(parser);
    let slash: Option<String> = value(&members, "trailingSlash");
    let mut out = Swa {
        trailing_slash: match slash.as_deref() {
            Some("always") => Slash::Always,
            Some("never") => Slash::Never,
            _ => Slash::Auto,
        },
        ..Swa::default()
    };
    let routes = config.list("routes", members.get("routes"), parser);
    for run in runs(&routes) {
        let Some(item) = config.rule("routes", run, parser) else {
            continue;
        };
        out.add(&item, parser);
    }
    if let Some(fallback) = members.get("navigationFallback") {
        out.add_fallback(config.line(fallback), fallback.get(), parser);
    }
    if let Some(overrides) = members.get("responseOverrides") {
        out.add_missing(config.line(overrides), overrides.get(), parser);
    }
    out
}

/// Whether functions answer at a path.
fn is_of_program(path: &str) -> bool {
    path == "/api" || path.starts_with("/api/")
}

impl RoutePaths {
    fn new(route: &str) -> Self {
        match route.find('*') {
            None => Self::Exact(route.to_owned()),
            Some(star) => {
                let (start, rest) = (&route[..star], &route[star + 1..]);
                let extensions = match rest {
                    "" => Vec::new(),
                    rest => match rest.strip_prefix('.') {
                        Some(rest) => extensions(rest),
                        None => return Self::Nothing,
                    },
                };
                if rest.contains(['/', '*']) {
                    return Self::Nothing;
                }
                Self::Below(start.to_owned(), extensions)
            }
        }
    }

    /// The cost of comparing a path with it, in steps.
    fn steps(&self) -> usize {
        match self {
            Self::Below(_, extensions) => 1 + extensions.len() / COMPARED_PER_STEP,
            Self::Exact(_) | Self::Nothing => 1,
        }
    }

    fn matches(&self, path: &str) -> bool {
        match self {
            Self::Exact(route) => route == path,
            Self::Nothing => false,
            Self::Below(start, extensions) if extensions.is_empty() => {
                match start.strip_suffix('/') {
                    Some(bare) => path.starts_with(start) || path == bare,
                    // `/x*` matches only `/x`.
                    None => path == start,
                }
            }
            Self::Below(start, extensions) => {
                let has = |extension: &String| {
                    let name = path.strip_suffix(&**extension);
                    name.is_some_and(|name| name.ends_with('.'))
                };
                path.starts_with(start) && extensions.iter().any(has)
            }
        }
    }

    /// The literal prefix of every match.
    fn prefix(&self) -> &str {
        match self {
            Self::Exact(route) => route,
            Self::Below(start, _) => start.strip_suffix('/').unwrap_or(start),
            Self::Nothing => "",
        }
    }
}

/// `html` or `{htm,html}`.
fn extensions(text: &str) -> Vec<String> {
    let inner = text
        .strip_prefix('{')
        .and_then(|text| text.strip_suffix('}'));
    match inner {
        Some(inner) => inner.split(',').map(|one| one.trim().to_owned()).collect(),
        None => vec![text.to_owned()],
    }
}

impl Swa {
    fn add(&mut self, item: &Item, parser: &mut RuleParser) {
        let line = item.line;
        let Some(route) = item.text("route") else {
            return parser.problem(line, ProblemKind::Refused, "a route without \"route\"");
        };
        if let Some(methods) = item.members.get("methods").and_then(|m| m.as_array())
            && !methods.iter().any(|method| method == "GET")
        {
            return;
        }
        let code = item
            .number("statusCode")
            .and_then(|code| u16::try_from(code).ok());
        let roles = item
            .members
            .get("allowedRoles")
            .and_then(|roles| roles.as_array());
        let is_open = roles.is_none_or(|roles| roles.iter().any(|role| role == "anonymous"));
        let action = match (item.text("redirect"), item.text("rewrite"), code) {
            _ if !is_open => {
                let message = "whether the route answers depends on the visitor's roles: not read";
                parser.problem(line, ProblemKind::NotRead, message);
                RouteAction::Unknown
            }
            (Some(_), Some(_), _) => {
                let message = "a route has both \"redirect\" and \"rewrite\"";
                return parser.problem(line, ProblemKind::Refused, message);
            }
            (Some(to), ..) => RouteAction::Redirect(to.to_owned(), code.unwrap_or(302)),
            (_, Some(to), _) if is_of_program(to) => {
                let message = "a function answers: not read";
                parser.problem(line, ProblemKind::NotRead, message);
                RouteAction::Unknown
            }
            (_, Some(to), _) => RouteAction::Rewrite(to.to_owned()),
            _ if item.text("serve").is_some() => {
                let message = "\"serve\" is of routes.json, an older file, and what it does here is not \
                               known: write \"redirect\" or \"rewrite\"";
                parser.problem(line, ProblemKind::NotRead, message);
                RouteAction::Unknown
            }
            (_, _, Some(status @ 400..)) => RouteAction::Refuse(status),
            _ => RouteAction::Nothing,
        };
        let source = RoutePaths::new(route);
        if source == RoutePaths::Nothing {
            let message = format!(
                "a star must end the route, but for an extension: {route:?} matches nothing"
            );
            parser.problem(line, ProblemKind::Dropped, message);
            return;
        }
        let (to, status) = match &action {
            RouteAction::Redirect(to, status) => (Some(to.clone()), *status),
            RouteAction::Rewrite(to) => (Some(to.clone()), 200),
            RouteAction::Refuse(status) => (None, *status),
            RouteAction::Nothing | RouteAction::Unknown => (None, 200),
        };
        let rule = (!matches!(action, RouteAction::Nothing)).then(|| {
            parser.rule(Rule {
                line,
                from: route.to_owned(),
                to,
                status,
                status_is_default: code.is_none(),
                is_exact: matches!(source, RoutePaths::Exact(_)),
                samples: samples(&source),
            })
        });
        self.by_path
            .add(source.prefix().as_bytes(), self.routes.len());
        self.routes.push(Route {
            rule,
            line,
            source,
            action,
        });
    }

    fn add_fallback(&mut self, line: usize, text: &str, parser: &mut RuleParser) {
        let fallback: serde_json::Value = serde_json::from_str(text).unwrap_or_default();
        let Some(to) = fallback.get("rewrite").and_then(|to| to.as_str()) else {
            return;
        };
        let exclude = fallback.get("exclude").and_then(|list| list.as_array());
        let exclude = exclude.into_iter().flatten().filter_map(|one| one.as_str());
        let exclude: Vec<RoutePaths> = exclude.map(RoutePaths::new).collect();
        let rule = parser.rule(Rule {
            line,
            from: "navigationFallback".to_owned(),
            to: Some(to.to_owned()),
            status: 200,
            status_is_default: true,
            is_exact: false,
            samples: Vec::new(),
        });
        self.fallback = Some(Fallback {
            line,
            to: to.to_owned(),
            steps: exclude.iter().map(RoutePaths::steps).sum(),
            exclude,
            rule,
        });
    }

    fn add_missing(&mut self, line: usize, text: &str, parser: &mut RuleParser) {
        let overrides: serde_json::Value = serde_json::from_str(text).unwrap_or_default();
        let Some(missing) = overrides.get("404") else {
            return;
        };
        let text = |name: &str| {
            missing
                .get(name)
                .and_then(|v| v.as_str())
                .map(str::to_owned)
        };
        let code = missing
            .get("statusCode")
            .and_then(serde_json::Value::as_u64);
        let code = code.and_then(|code| u16::try_from(code).ok());
        let (redirect, rewrite) = (text("redirect"), text("rewrite"));
        let status = code.unwrap_or(if redirect.is_some() { 302 } else { 404 });
        let rule = parser.rule(Rule {
            line,
            from: "responseOverrides 404".to_owned(),
            to: redirect.clone().or_else(|| rewrite.clone()),
            status,
            status_is_default: code.is_none(),
            is_exact: false,
            samples: Vec::new(),
        });
        self.missing = Some(NotFoundOverride {
            rule,
            redirect,
            rewrite,
            status,
        });
    }

    /// The first route that matches a path.
    #[expect(clippy::stable_sort_primitive, reason = "it merges runs in order")]
    fn find(&self, path: &str, work: &Work) -> Result<Option<&Route>, NoAnswer> {
        // A path without an extension is also tried with its index file.
        let index = if path.contains('.') {
            path.to_owned()
        } else {
            format!("{}/index.html", path.strip_suffix('/').unwrap_or(path))
        };
        let mut numbers = self.by_path.candidates(path.as_bytes(), work)?;
        numbers.extend(self.by_path.candidates(index.as_bytes(), work)?);
        // Each route is compared with two texts.
        work.take(numbers.len() / 4)?;
        numbers.sort();
        numbers.dedup();
        for number in numbers {
            let Some(route) = self.routes.get(number) else {
                continue;
            };
            work.take(route.source.steps())?;
            if route.source.matches(path) || route.source.matches(&index) {
                return Ok(Some(route));
            }
        }
        Ok(None)
    }

    fn file(
        &self,
        request: &Request<'_>,
        path: &str,
        rule: Option<usize>,
        files: &dyn Files,
        work: &Work,
    ) -> Answer {
        let end = path.find(['?', '#']).unwrap_or(path.len());
        let decoded: Vec<u8> = percent_decode_str(&path[..end]).collect();
        let with = |end: &str| [decoded.as_slice(), end.as_bytes()].concat();
        let redirect = |to: String| Answer::Redirect {
            status: 301,
            location: format!("{to}{}", request.search()),
            rule: None,
        };
        let has_slash = path.ends_with('/');
        let bare = path.strip_suffix('/').unwrap_or(path);
        let is_own = rule.is_none();
        if is_own && self.trailing_slash == Slash::Never && has_slash && path != "/" {
            return redirect(bare.to_owned());
        }
        let found = |path: Vec<u8>| Answer::File {
            path,
            status: 200,
            rule,
        };
        if !has_slash && files.is_file(&decoded) {
            return found(decoded);
        }
        if has_slash && files.is_file(&with("index.html")) {
            return found(with("index.html"));
        }
        if !has_slash && files.is_file(&with("/index.html")) {
            return match self.trailing_slash {
                Slash::Always if is_own => redirect(format!("{path}/")),
                // As measured, the query is dropped.
                Slash::Auto if is_own => Answer::Redirect {
                    status: 301,
                    location: format!("{path}/"),
                    rule: None,
                },
                _ => found(with("/index.html")),
            };
        }
        if !has_slash && files.is_file(&with(".html")) {
            if is_own && self.trailing_slash == Slash::Always {
                return redirect(format!("{path}/"));
            }
            return found(with(".html"));
        }
        if has_slash {
            let page: Vec<u8> = percent_decode_str(&format!("{bare}.html")).collect();
            if files.is_file(&page) {
                return match self.trailing_slash {
                    Slash::Auto if is_own => redirect(bare.to_owned()),
                    _ => found(page),
                };
            }
        }
        match &self.fallback {
            Some(fallback) if work.take(fallback.steps).is_err() => Answer::Unknown {
                line: fallback.line,
            },
            Some(fallback) if !fallback.exclude.iter().any(|one| one.matches(path)) => {
                if is_of_program(&fallback.to) {
                    return Answer::Unknown {
                        line: fallback.line,
                    };
                }
                let to: Vec<u8> = percent_decode_str(&fallback.to).collect();
                if files.is_file(&to) {
                    return Answer::File {
                        path: to,
                        status: 200,
                        rule: Some(fallback.rule),
                    };
                }
                self.not_found(rule, files)
            }
            _ => self.not_found(rule, files),
        }
    }

    fn not_found(&self, rule: Option<usize>, files: &dyn Files) -> Answer {
        let Some(missing) = &self.missing else {
            return Answer::Refused { status: 404, rule };
        };
        let rule = Some(missing.rule);
        if let Some(to) = &missing.redirect {
            return Answer::Redirect {
                status: missing.status,
                location: to.clone(),
                rule,
            };
        }
        let page = missing.rewrite.as_deref().unwrap_or_default();
        let page: Vec<u8> = percent_decode_str(page).collect();
        match missing.status {
            200..=299 if files.is_file(&page) => Answer::File {
                path: page,
                status: missing.status,
                rule,
            },
            status => Answer::Refused { status, rule },
        }
    }
}

impl Responder for Swa {
    fn answer(&self, visit: &Visit<'_>) -> Answer {
        let (request, files, work) = (visit.request, visit.files, visit.work);
        let route = match self.find(request.path, work) {
            Ok(route) => route,
            Err(NoAnswer) => return Answer::Unknown { line: 1 },
        };
        let Some(route) = route else {
            return self.file(request, request.path, None, files, work);
        };
        let rule = route.rule;
        match &route.action {
            RouteAction::Unknown => Answer::Unknown { line: route.line },
            RouteAction::Redirect(to, status) => Answer::Redirect {
                status: *status,
                location: to.clone(),
                rule,
            },
            RouteAction::Rewrite(to) => self.file(request, to, rule, files, work),
            RouteAction::Refuse(404) => self.not_found(rule, files),
            RouteAction::Refuse(status) => Answer::Refused {
                status: *status,
                rule,
            },
            RouteAction::Nothing => self.file(request, request.path, None, files, work),
        }
    }
}

fn samples(source: &RoutePaths) -> Vec<String> {
    match source {
        RoutePaths::Exact(route) => vec![route.clone()],
        RoutePaths::Below(start, extensions) => {
            let end = extensions.first().map(|end| format!(".{end}"));
            let name = format!("{start}a-name-of-no-rule{}", end.unwrap_or_default());
            if start.ends_with('/') || !extensions.is_empty() {
                vec![name]
            } else {
                vec![start.clone()]
            }
        }
        RoutePaths::Nothing => Vec::new(),
    }
}

/// Writes rules as routes.
pub(crate) static FORM: Form = Form::json("{\"routes\": [\n", form_rule, "\n]}\n");

fn form_rule(new: &NewRule<'_>) -> Option<String> {
    let path = new.request.path;
    let route = json!({"route": path, "redirect": new.to, "statusCode": 301});
    (!path.contains('*')).then(|| route.to_string())
}
