//! Builds handlers from the directives of a block.

use std::cell::OnceCell;
use std::cmp::Ordering;
use std::collections::HashMap;
use std::sync::Arc;

use super::caddyfile::Directive;
use super::condition::Test;
use super::handler::{Handler, HandlerAction, Handlers};
use super::hidden::Hidden;
use super::matcher::Matcher;
use super::order;
use super::path::PathPattern;
use super::root::Root;
use crate::rule::{ProblemKind, Rule, RuleParser};

/// A handler, and the index of its directive in [`ORDER`].
type OrderedHandler = (usize, Handler);

/// Directives in the order in which Caddy runs them.
const ORDER: [&str; 14] = [
    "root",
    "redir",
    "rewrite",
    "uri",
    "try_files",
    "handle",
    "route",
    "abort",
    "error",
    "respond",
    "acme_server",
    "reverse_proxy",
    "php_fastcgi",
    "file_server",
];

/// Directives that do not affect where an address leads.
const OTHERS: [&str; 20] = [
    "tls",
    "log",
    "header",
    "encode",
    "request_header",
    "templates",
    "push",
    "bind",
    "vars",
    "map",
    "metrics",
    "tracing",
    "skip_log",
    "log_skip",
    "request_body",
    "fs",
    "log_append",
    "handle_errors",
    "handle_response",
    "method",
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
        let new = || Arc::new(Matcher::named(named.definition, parser));
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
        let mut unread: Option<usize> = None;
        let mut list: Vec<OrderedHandler> = Vec::new();
        for directive in block {
            let name = directive.name();
            if name.starts_with('@') || OTHERS.contains(&name) || name.starts_with("basic") {
                continue;
            }
            if name == "import" {
                // The imported file has been reported as unsupported.
                unread.get_or_insert(directive.line);
                continue;
            }
            let kind = if name == "handle_path" {
                "handle"
            } else {
                name
            };
            let Some(position) = ORDER.iter().position(|known| *known == kind) else {
                let message = format!("the directive {name:?} is not read");
                parser.problem(directive.line, ProblemKind::NotRead, message);
                unread.get_or_insert(directive.line);
                continue;
            };
            let (matcher, arguments) = matcher_of(directive, &context, parser);
            let handler = handler(directive, matcher, arguments, &context, parser);
            if let HandlerAction::Block(inner, ..) = &handler.action {
                unread = unread.or(inner.unread);
            }
            list.push((position, handler));
        }
        if sorts {
            list = order::sorted(list, |one: &OrderedHandler, other: &OrderedHandler| {
                let (matcher, others) = (&one.1.matcher, &other.1.matcher);
                match one.0.cmp(&other.0) {
                    Ordering::Equal => matcher.is_before(others),
                    unequal => unequal == Ordering::Less,
                }
            });
        }
        let mut out = Self {
            unread,
            ..Self::default()
        };
        for (_, mut handler) in list {
            // Adjacent handlers with the same matcher run together.
            let before = out
                .list
                .last()
                .map(|before: &Handler| &before.matcher.written);
            let is_same = before == Some(&handler.matcher.written);
            if let HandlerAction::Rewrite(_, joins) = &mut handler.action {
                let follows = matches!(
                    out.list.last().map(|before| &before.action),
                    Some(HandlerAction::Rewrite(..))
                );
                *joins = follows && is_same;
            }
            out.by_path
                .add(handler.matcher.prefix().as_bytes(), out.list.len());
            out.list.push(handler);
        }
        out
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
fn changed(words: &[String], line: usize, parser: &mut RuleParser) -> HandlerAction {
    match words {
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

fn file_server(
    directive: &Directive,
    context: &BlockContext<'_>,
    parser: &mut RuleParser,
) -> HandlerAction {
    let words = |name: &str| {
        let mut lines = directive.block.iter().flatten();
        let line = lines.find(|line| line.name() == name);
        line.map(|line| line.arguments().to_vec())
    };
    let index = ["index.html", "index.txt"].map(str::to_owned).to_vec();
    let root = words("root").and_then(|words| words.first().cloned());
    HandlerAction::Serve {
        index: words("index").unwrap_or(index),
        root: root.map(|path| Root::from_directive(context.site, &path, directive.line)),
        hidden: Hidden::new(directive, context.site, parser),
    }
}

/// The number of arguments a directive takes besides its matcher, if known.
fn most_words(name: &str) -> usize {
    match name {
        "handle" | "handle_path" | "route" => 0,
        "error" | "respond" => 2,
        _ => usize::MAX,
    }
}

/// The handler of a directive, and its rule if it has one.
fn handler(
    directive: &Directive,
    matcher: Arc<Matcher>,
    arguments: &[String],
    context: &BlockContext<'_>,
    parser: &mut RuleParser,
) -> Handler {
    let line = directive.line;
    if arguments.len() > most_words(directive.name()) {
        let message = format!(
            "{} has too many words: the server does not start",
            directive.name()
        );
        parser.problem(line, ProblemKind::Refused, message);
    }
    let action = action(directive, &matcher, arguments, context, parser);
    let said = match &action {
        HandlerAction::Redirect(to, status) => Some((Some(to), *status)),
        HandlerAction::Rewrite(to, _) => Some((Some(to), 200)),
        HandlerAction::Refuse(status) => Some((None, *status)),
        _ => None,
    };
    let rule = said.filter(|(_, status)| *status > 0).map(|(to, status)| {
        parser.rule(Rule {
            line,
            from: match matcher.written.as_str() {
                "" => "*".to_owned(),
                written => written.to_owned(),
            },
            to: to.cloned(),
            status,
            status_is_default: arguments.len() == 1,
            is_exact: matches!(&matcher.tests[..], [Test::Path(paths)]
                if matches!(&paths[..], [PathPattern::Exact(_)])),
            samples: Vec::new(),
        })
    });
    Handler {
        rule,
        line,
        matcher,
        action,
    }
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
    let mut inner = |sorts| {
        let block = directive.block.as_deref().unwrap_or_default();
        Box::new(Handlers::new(block, sorts, context, parser))
    };
    match (directive.name(), arguments) {
        ("redir", [to]) => HandlerAction::Redirect(to.clone(), 302),
        ("redir", [to, code]) => redirected(to, code, line, parser),
        ("rewrite", [to]) => HandlerAction::Rewrite(to.clone(), false),
        ("uri", words) => changed(words, line, parser),
        ("root", [.., path]) => HandlerAction::Root(Root::from_directive(context.site, path, line)),
        ("try_files", files) if directive.block.is_none() => {
            HandlerAction::TryFiles(files.to_vec())
        }
        ("handle", _) => HandlerAction::Block(inner(true), None, true),
        ("route", _) => HandlerAction::Block(inner(false), None, false),
        ("handle_path", _) => {
            let prefix = matcher.written.trim_end_matches('*').to_owned();
            HandlerAction::Block(inner(true), Some(prefix), true)
        }
        ("error", words) => {
            let code = words.iter().find_map(|word| word.parse().ok());
            HandlerAction::Refuse(code.unwrap_or(500))
        }
        ("respond", words) => {
            let code = words.iter().rev().find_map(|word| word.parse().ok());
            HandlerAction::Respond(code)
        }
        ("abort", _) => HandlerAction::Refuse(400),
        ("file_server", words) if words.iter().all(|word| word != "browse") => {
            file_server(directive, context, parser)
        }
        (name, _) => {
            let message = format!("what {name:?} answers is not read");
            parser.problem(line, ProblemKind::NotRead, message);
            HandlerAction::Unknown
        }
    }
}

/// `redir` with a status.
fn redirected(to: &str, code: &str, line: usize, parser: &mut RuleParser) -> HandlerAction {
    let status = match code {
        "permanent" => Some(301),
        "temporary" => Some(302),
        code => code.parse().ok().filter(|code| (300..400).contains(code)),
    };
    let Some(status) = status else {
        let message = format!("what a redirect with {code:?} does is not read");
        parser.problem(line, ProblemKind::NotRead, message);
        return HandlerAction::Unknown;
    };
    HandlerAction::Redirect(to.to_owned(), status)
}
