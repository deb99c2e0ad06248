//! Builds handlers from the directives of a block.

use std::cell::OnceCell;
use std::cmp::Ordering;
use std::collections::HashMap;
use std::sync::Arc;

use super::caddyfile::{self, Directive};
use super::condition::Test;
use super::file_server::FileServer;
use super::files::Candidates;
use super::handler::{Group, Handler, HandlerAction, Handlers, Status, Step};
use super::matcher::Matcher;
use super::order;
use super::path::PathPattern;
use super::query::QueryChanges;
use super::root::Root;
use super::variables::{self, Map};
use crate::rule::{ProblemKind, Rule, RuleParser};

/// A handler, and the index of its directive in [`ORDER`].
type OrderedHandler = (usize, Handler);

/// Directives in the order in which Caddy runs them.
const ORDER: [&str; 21] = [
    "map",
    "vars",
    "root",
    "redir",
    "method",
    "rewrite",
    "uri",
    "try_files",
    "basic_auth",
    "forward_auth",
    "invoke",
    "handle",
    "route",
    "abort",
    "error",
    "respond",
    "metrics",
    "reverse_proxy",
    "php_fastcgi",
    "file_server",
    "acme_server",
];

/// Directives that do not affect where an address leads.
const OTHERS: [&str; 21] = [
    "tls",
    "log",
    "header",
    "encode",
    "request_header",
    "templates",
    "push",
    "bind",
    "tracing",
    "skip_log",
    "log_skip",
    "log_name",
    "request_body",
    "timeouts",
    "intercept",
    "fs",
    "log_append",
    "handle_errors",
    "handle_response",
    "copy_response_headers",
    "copy_response",
];

/// The surroundings of a block.
pub(super) struct BlockContext<'d> {
    /// The matchers that the enclosing block defines.
    named: HashMap<&'d str, NamedMatcher<'d>>,
    /// The surroundings of the enclosing block.
    outer: Option<&'d BlockContext<'d>>,
    /// The path of the site on the server's disk.
    site: Option<&'d str>,
}

/// A matcher by its definition, parsed once however many directives use it.
struct NamedMatcher<'d> {
    definition: &'d Directive,
    matcher: OnceCell<Arc<Matcher>>,
}

impl<'d> BlockContext<'d> {
    /// The surroundings of the block of a site.
    pub(super) fn for_site(site: Option<&'d str>) -> Self {
        Self {
            named: HashMap::new(),
            outer: None,
            site,
        }
    }

    /// The surroundings of the blocks inside `block`: matchers of the enclosing blocks and its own.
    fn inside(&'d self, block: &'d [Directive]) -> Self {
        let definitions = block.iter().filter(|one| one.name().starts_with('@'));
        let named = definitions.map(|definition| {
            let named = NamedMatcher {
                definition,
                matcher: OnceCell::new(),
            };
            (definition.name(), named)
        });
        Self {
            named: named.collect(),
            outer: Some(self),
            site: self.site,
        }
    }

    /// The matcher with this name.
    fn matcher(&self, name: &str, parser: &mut RuleParser) -> Option<Arc<Matcher>> {
        let Some(named) = self.named.get(name) else {
            return self.outer?.matcher(name, parser);
        };
        let new = || Arc::new(Matcher::named(named.definition, self.site, parser));
        Some(named.matcher.get_or_init(new).clone())
    }
}

impl Handlers {
    /// The handlers of a block, in Caddy's order of directives or as written.
    pub(super) fn new(
        block: &[Directive],
        sorts: bool,
        outer: &BlockContext<'_>,
        parser: &mut RuleParser,
    ) -> Self {
        let context = outer.inside(block);
        let groups = Groups::new(block);
        let mut unread: Option<usize> = None;
        let mut list: Vec<OrderedHandler> = Vec::new();
        for directive in block {
            let name = directive.name();
            if name.starts_with('@') || OTHERS.contains(&name) {
                continue;
            }
            if name == "import" {
                // The imported file has been reported as unsupported.
                unread.get_or_insert(directive.line);
                continue;
            }
            let kind = match name {
                "handle_path" => "handle",
                "basicauth" => "basic_auth",
                name => name,
            };
            let Some(position) = ORDER.iter().position(|known| *known == kind) else {
                let message = format!("the directive {name:?} is not read");
                parser.problem(directive.line, ProblemKind::NotRead, message);
                unread.get_or_insert(directive.line);
                continue;
            };
            let (matcher, arguments) = matcher_of(directive, &context, parser);
            let step = step(directive, &matcher, arguments, &context, parser);
            if let HandlerAction::Block(inner, ..) = &step.action {
                unread = unread.or(inner.unread);
            }
            let handler = Handler {
                matcher,
                group: groups.group(kind),
                steps: vec![step],
            };
            list.push((position, handler));
        }
        if sorts {
            list = order::sorted(list, |one: &OrderedHandler, other: &OrderedHandler| {
                let (matcher, others) = (&one.1.matcher, &other.1.matcher);
                match one.0.cmp(&other.0) {
                    // The last of these wins.
                    Ordering::Equal if ORDER.get(one.0) == Some(&"vars") => {
                        !matcher.is_before(others)
                    }
                    Ordering::Equal => matcher.is_before(others),
                    unequal => unequal == Ordering::Less,
                }
            });
        }
        let mut out = Self {
            unread,
            ..Self::default()
        };
        for (_, handler) in list {
            match out.list.last_mut() {
                Some(before)
                    if before.group == handler.group
                        && before.matcher.key() == handler.matcher.key() =>
                {
                    before.steps.extend(handler.steps);
                }
                _ => {
                    let prefix = handler.matcher.prefix().as_bytes();
                    out.by_path.add(prefix, out.list.len());
                    out.list.push(handler);
                }
            }
        }
        out
    }
}

/// Which kinds of directives a block has several times.
struct Groups {
    has_several_handles: bool,
    has_several_roots: bool,
}

impl Groups {
    fn new(block: &[Directive]) -> Self {
        let has_several = |names: &[&str]| {
            let mut found = block.iter().filter(|one| names.contains(&one.name()));
            found.nth(1).is_some()
        };
        Self {
            has_several_handles: has_several(&["handle", "handle_path"]),
            has_several_roots: has_several(&["root"]),
        }
    }

    /// The group of a directive of this kind. Only rewrites have one even if they are alone in a block,
    /// so that none is merged with other directives.
    fn group(&self, kind: &str) -> Option<Group> {
        match kind {
            "rewrite" => Some(Group::Rewrite),
            "handle" if self.has_several_handles => Some(Group::Handle),
            "root" if self.has_several_roots => Some(Group::Root),
            _ => None,
        }
    }
}

/// The matcher of a directive, and its other arguments.
fn matcher_of<'d>(
    directive: &'d Directive,
    context: &BlockContext<'_>,
    parser: &mut RuleParser,
) -> (Arc<Matcher>, &'d [String]) {
    let arguments = directive.arguments();
    let Some(first) = arguments.first() else {
        return (Arc::default(), arguments);
    };
    let rest = &arguments[1..];
    // `try_files` takes no matcher.
    let takes = directive.name() != "try_files";
    if first == "*" && takes {
        return (Arc::default(), rest);
    }
    if first.starts_with('/') && takes {
        let tests = vec![Test::Path(vec![PathPattern::new(first, parser)])];
        let matcher = Matcher {
            tests,
            path: Some(first.clone()),
            written: first.clone(),
        };
        return (Arc::new(matcher), rest);
    }
    if first.starts_with('@') && takes {
        if let Some(matcher) = context.matcher(first, parser) {
            return (matcher, rest);
        }
        let message = format!("the matcher {first:?} is not defined");
        parser.problem(directive.line, ProblemKind::Refused, message);
        let matcher = Matcher {
            tests: vec![Test::Unknown],
            path: None,
            written: first.clone(),
        };
        return (Arc::new(matcher), rest);
    }
    (Arc::default(), arguments)
}

/// The handler of a `uri` directive.
fn changed(
    words: &[String],
    block: &[Directive],
    line: usize,
    parser: &mut RuleParser,
) -> HandlerAction {
    match words {
        [what, words @ ..] if what == "query" => {
            if let Some(changes) = QueryChanges::new(words, block, line, parser) {
                return HandlerAction::ChangeQuery(Box::new(changes));
            }
            let message = "what \"uri query\" does is not read";
            parser.problem(line, ProblemKind::NotRead, message);
            HandlerAction::Unknown
        }
        [what, text] if what == "strip_prefix" => {
            let slash = if text.starts_with('/') { "" } else { "/" };
            HandlerAction::StripPrefix(format!("{slash}{text}"))
        }
        [what, text] if what == "strip_suffix" => HandlerAction::StripSuffix(text.clone()),
        [what, from, to, rest @ ..] if what == "replace" => {
            let limit = rest.first().and_then(|limit| limit.parse().ok());
            // Without a valid number there is no limit.
            let limit = limit.filter(|limit| *limit > 0).unwrap_or(usize::MAX);
            HandlerAction::Replace(from.clone(), to.clone(), limit)
        }
        [what, from, to] if what == "path_regexp" => match parser.pattern(from, false) {
            Ok(pattern) => {
                HandlerAction::ReplacePattern(pattern, from.starts_with('^'), to.clone())
            }
            Err(message) => {
                parser.problem(line, ProblemKind::NotRead, message);
                HandlerAction::Unknown
            }
        },
        _ => {
            parser.problem(line, ProblemKind::NotRead, "what \"uri\" does is not read");
            HandlerAction::Unknown
        }
    }
}

/// The number of arguments a directive takes besides its matcher, if known.
fn most_words(name: &str) -> usize {
    match name {
        "handle" | "handle_path" | "route" => 0,
        "error" | "respond" | "redir" => 2,
        _ => usize::MAX,
    }
}

/// What a directive does, with its rule if it has one.
fn step(
    directive: &Directive,
    matcher: &Matcher,
    arguments: &[String],
    context: &BlockContext<'_>,
    parser: &mut RuleParser,
) -> Step {
    let line = directive.line;
    if arguments.len() > most_words(directive.name()) {
        let message = format!(
            "{} has too many words: the server does not start",
            directive.name()
        );
        parser.problem(line, ProblemKind::Refused, message);
    }
    let action = action(directive, matcher, arguments, context, parser);
    let said = match &action {
        HandlerAction::Redirect(to, Status::Number(status)) => Some((Some(to), *status)),
        HandlerAction::Redirect(to, Status::Text(_)) => Some((Some(to), 302)),
        HandlerAction::Rewrite(to) => Some((Some(to), 200)),
        HandlerAction::Refuse(status) => Some((None, *status)),
        _ => None,
    };
    let rule = said.filter(|(_, status)| *status > 0).map(|(to, status)| {
        let path = match &matcher.tests[..] {
            [Test::Path(paths)] => match &paths[..] {
                [PathPattern::Exact(path)] => Some(path),
                _ => None,
            },
            _ => None,
        };
        // Inside other directives the path may be another, or never be asked for.
        let is_of_site = context.outer.is_some_and(|outer| outer.outer.is_none());
        let sample = path.filter(|path| is_of_site && path.is_ascii());
        parser.rule(Rule {
            line,
            from: match matcher.written.as_str() {
                "" => "*".to_owned(),
                written => written.to_owned(),
            },
            to: to.cloned(),
            status,
            status_is_default: arguments.len() == 1,
            is_exact: path.is_some(),
            samples: sample.cloned().into_iter().collect(),
        })
    });
    Step { rule, line, action }
}

/// What a directive does.
fn action(
    directive: &Directive,
    matcher: &Matcher,
    arguments: &[String],
    context: &BlockContext<'_>,
    parser: &mut RuleParser,
) -> HandlerAction {
    let line = directive.line;
    let block = directive.block.as_deref().unwrap_or_default();
    let mut inner = |sorts| Box::new(Handlers::new(block, sorts, context, parser));
    match (directive.name(), arguments) {
        ("redir", [to]) => HandlerAction::Redirect(to.clone(), Status::Number(302)),
        ("redir", [to, code]) => redirected(to, code, line, parser),
        ("rewrite", [to]) => HandlerAction::Rewrite(to.clone()),
        ("uri", words) => changed(words, block, line, parser),
        ("root", [.., path]) => HandlerAction::Root(Root::from_directive(context.site, path, line)),
        ("vars", words) => HandlerAction::Variables(variables::pairs(words, block)),
        ("map", words) => match Map::new(words, block, parser) {
            Some(map) => HandlerAction::Map(Arc::new(map)),
            None => unread(directive, parser),
        },
        ("try_files", names) => match Candidates::new(names, block, context.site) {
            Some(candidates) => HandlerAction::TryFiles(candidates.runs()),
            None => unread(directive, parser),
        },
        // A client without credentials is refused.
        ("basic_auth" | "basicauth", _) => HandlerAction::Refuse(401),
        ("method", [method]) if method == "GET" => HandlerAction::Variables(Vec::new()),
        ("invoke", _) if directive.block.is_none() => unread(directive, parser),
        ("handle" | "invoke", _) => HandlerAction::Block(inner(true), None),
        ("route", _) => HandlerAction::Block(inner(false), None),
        ("handle_path", _) => {
            let path = matcher.written.as_str();
            let stripped = path.strip_suffix("/*").or_else(|| path.strip_suffix('*'));
            let prefix = stripped.unwrap_or(path).to_owned();
            HandlerAction::Block(inner(true), Some(prefix))
        }
        ("error", words) => {
            let code = words.iter().find_map(|word| word.parse().ok());
            HandlerAction::Refuse(code.unwrap_or(500))
        }
        ("respond", words) => HandlerAction::Respond(response_status(words)),
        // No answer at all.
        ("abort", _) => HandlerAction::Refuse(400),
        ("php_fastcgi", _) if directive.block.is_none() => {
            let block = php_route(line, parser);
            let handlers = Handlers::new(&block, false, context, parser);
            HandlerAction::Block(Box::new(handlers), None)
        }
        ("file_server", words) => {
            let lists = words.first().is_some_and(|word| word == "browse");
            let server = FileServer::new(directive, lists, context.site, parser);
            HandlerAction::Serve(Box::new(server))
        }
        _ => unread(directive, parser),
    }
}

/// What `php_fastcgi` stands for: a program answers for its scripts, and for missing files if there is an
/// `index.php`.
const PHP_ROUTE: &str = "\
route {
@canonical {
file {path}/index.php
not path */
}
redir @canonical {orig_path}/{orig_?query} 308
try_files {path} {path}/index.php index.php
@php path *.php
reverse_proxy @php php
}
";

/// The directives that a `php_fastcgi` on this line stands for.
fn php_route(line: usize, parser: &mut RuleParser) -> Vec<Directive> {
    fn move_to(line: usize, directives: &mut [Directive]) {
        for directive in directives {
            directive.line = line;
            move_to(line, directive.block.as_deref_mut().unwrap_or_default());
        }
    }
    let mut route = caddyfile::parse(PHP_ROUTE, parser);
    move_to(line, &mut route);
    route
        .pop()
        .and_then(|route| route.block)
        .unwrap_or_default()
}

/// A directive whose answer is not read.
fn unread(directive: &Directive, parser: &mut RuleParser) -> HandlerAction {
    let message = format!("what {:?} answers is not read", directive.name());
    parser.problem(directive.line, ProblemKind::NotRead, message);
    HandlerAction::Unknown
}

/// The status of a `respond` directive: its only word if that is a number of three digits, or else its
/// second word.
fn response_status(words: &[String]) -> Option<Status> {
    let status = match words {
        [word] => Some(word).filter(|word| word.len() == 3 && word.parse::<u16>().is_ok()),
        [_, word] => Some(word),
        _ => None,
    };
    // An environment variable may be a status.
    let variable = words.first().filter(|word| word.starts_with("{$"));
    status.or(variable).map(|word| status_of(word))
}

fn status_of(word: &str) -> Status {
    match word.parse() {
        Ok(number) => Status::Number(number),
        Err(_) => Status::Text(word.to_owned()),
    }
}

/// `redir` with a status.
fn redirected(to: &str, code: &str, line: usize, parser: &mut RuleParser) -> HandlerAction {
    let status = match code {
        "permanent" => Status::Number(301),
        "temporary" => Status::Number(302),
        // A page that refreshes.
        "html" => return HandlerAction::Respond(Some(Status::Number(200))),
        code if code.starts_with('{') => Status::Text(code.to_owned()),
        code => {
            let Ok(code @ (300..=399 | 401)) = code.parse() else {
                let message = format!(
                    "a redirect cannot have the status {code:?}: the server does not start"
                );
                parser.problem(line, ProblemKind::Refused, message);
                return HandlerAction::Unknown;
            };
            Status::Number(code)
        }
    };
    HandlerAction::Redirect(to.to_owned(), status)
}
