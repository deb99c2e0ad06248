//! The static part of a Caddyfile, as Caddy 2 answers with it: `redir`, `rewrite`, `uri`, `try_files`,
//! `handle`, `handle_path`, `route`, `error`, `respond` and `file_server`, with matchers by path,
//! expression, query, host, method and file.
//!
//! What other handlers answer (`reverse_proxy`, `php_fastcgi`) and what headers decide is not known.

mod files;
mod order;
mod state;

use std::cmp::Ordering;
use std::collections::HashMap;
use std::ops::Range;

use crate::caddyfile::{self, Directive};
use crate::index::PrefixIndex;
use crate::pattern::Pattern;
use crate::request::{Files, Request, escaped_beyond_ascii};
use crate::rule::{Answer, Read, Rule, Trouble};
use crate::work::{NoAnswer, Work};
use files::{Root, first_of, served};
use state::{State, strip};

#[derive(Debug, Default)]
pub(super) struct Caddy {
    sites: Vec<Site>,
}

#[derive(Debug)]
struct Site {
    /// 1-based.
    line: usize,
    hosts: Vec<Host>,
    handlers: Handlers,
    /// `handle_errors`
    errors: Option<Handlers>,
    /// The numbers of its rules.
    rules: Range<usize>,
}

/// An address of a site.
#[derive(Debug)]
struct Host {
    scheme: Option<String>,
    /// Empty for every host.
    name: String,
}

/// Handlers in the order in which they run.
#[derive(Debug, Default)]
struct Handlers {
    list: Vec<Handler>,
    by_path: PrefixIndex,
    /// The line of the first directive that is not read, in them or in their blocks.
    unread: Option<usize>,
}

#[derive(Debug)]
struct Handler {
    rule: Option<usize>,
    line: usize,
    matcher: Matcher,
    does: Does,
}

#[derive(Debug)]
enum Does {
    Redirect(String, u16),
    /// Where to, and whether the handler before it has the same matcher.
    Rewrite(String, bool),
    StripPrefix(String),
    StripSuffix(String),
    /// The text to replace in the path and the query, what with, and how often.
    Replace(String, String, usize),
    /// The pattern, whether it is anchored, and what it becomes.
    ReplacePattern(Pattern, bool, String),
    /// Where the files are from here on.
    Root(Root),
    TryFiles(Vec<String>),
    /// A block; what it strips from the path first, and whether only one of its kind runs.
    Block(Box<Handlers>, Option<String>, bool),
    /// An error, ...
    Refuse(u16),
    /// ... and an answer with a text of its own, which is none.
    Respond(u16),
    Serve {
        index: Vec<String>,
        root: Option<Root>,
    },
    /// Something that is not read answers.
    Unknown,
}

/// A handler, and where in [`ORDER`] its directive is.
type Placed = (usize, Handler);

/// What must all hold.
#[derive(Debug, Default)]
struct Matcher {
    tests: Vec<Test>,
    /// The pattern of the path, if there is one alone.
    path: Option<String>,
    /// How it is written, to compare it with others.
    written: String,
}

#[derive(Debug)]
enum Test {
    /// Any of these paths.
    Path(Vec<PathPattern>),
    Regexp(String, Pattern),
    Query(Vec<(String, String)>),
    Host(Vec<String>),
    Method(bool),
    /// Any of these files.
    File(Vec<String>),
    Not(Vec<Test>),
    Unknown,
}

#[derive(Debug)]
enum PathPattern {
    Exact(String),
    Prefix(String),
    Suffix(String),
    Part(String),
    Glob(Pattern),
}

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

/// Directives that do not say where an address leads.
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

pub(super) fn read(text: &str, read: &mut Read) -> Caddy {
    let mut top = caddyfile::parse(text, read);
    let mut out = Caddy::default();
    // A block without a name holds the options of the server.
    if top.first().is_some_and(|first| first.words.is_empty()) {
        top.remove(0);
    }
    let has_braces = top.first().is_none_or(|first| first.block.is_some());
    if has_braces {
        for site in top {
            let block = site.block.unwrap_or_default();
            out.add_site(site.line, &site.words, &block, read);
        }
    } else {
        let addresses = top.remove(0);
        out.add_site(addresses.line, &addresses.words, &top, read);
    }
    out
}

impl Caddy {
    fn add_site(
        &mut self,
        line: usize,
        addresses: &[String],
        block: &[Directive],
        read: &mut Read,
    ) {
        let hosts = addresses
            .iter()
            .flat_map(|word| word.split(','))
            .filter(|word| !word.is_empty())
            .map(Host::new);
        let hosts = hosts.collect();
        let around = Around {
            named: Named::new(),
            site: files::site_of(block),
        };
        let errors = block.iter().find(|one| one.name() == "handle_errors");
        // Of several, or of some statuses, one is not known to be taken.
        let errors = errors.filter(|errors| errors.arguments().is_empty());
        let first = read.rules.len();
        let handlers = Handlers::new(block, true, &around, read);
        let errors = errors.map(|errors| {
            let block = errors.block.as_deref().unwrap_or_default();
            Handlers::new(block, true, &around, read)
        });
        self.sites.push(Site {
            line,
            hosts,
            errors,
            handlers,
            rules: first..read.rules.len(),
        });
    }

    fn site(&self, request: &Request<'_>) -> Option<&Site> {
        let ranked = self.sites.iter().filter_map(|site| {
            let ranks = site.hosts.iter().filter_map(|host| host.rank(request));
            Some((ranks.max()?, site))
        });
        ranked.max_by_key(|(rank, _)| *rank).map(|(_, site)| site)
    }

    /// Whether a request reaches the site that a rule is of.
    pub(super) fn is_asked(&self, rule: usize, request: &Request<'_>) -> bool {
        let mut sites = self.sites.iter();
        let Some(owner) = sites.find(|site| site.rules.contains(&rule)) else {
            return true;
        };
        let asked = self.site(request);
        asked.is_some_and(|asked| std::ptr::eq(asked, owner))
    }

    pub(super) fn answer(&self, request: &Request<'_>, files: &dyn Files, work: &Work) -> Answer {
        let refused = |status| Answer::Refused { status, rule: None };
        let Some(site) = self.site(request) else {
            // No site is for the host: another file, or a variable, may say what answers.
            return match self.sites.first() {
                Some(site) => Answer::Unknown { line: site.line },
                None => refused(404),
            };
        };
        let Ok(path) = String::from_utf8(request.decoded_path().into_owned()) else {
            return refused(400);
        };
        let mut state = State::new(request, path);
        let answer = match site.handlers.run(&mut state, files, work) {
            Err(line) => return Answer::Unknown { line },
            // Where no handler answers, Caddy does with nothing.
            Ok(answer) => answer.unwrap_or(Answer::Refused {
                status: 200,
                rule: state.rule,
            }),
        };
        match (site.handlers.unread, &answer) {
            // What is not read may answer where nothing else does.
            (
                Some(line),
                Answer::Refused {
                    status: 200 | 404, ..
                },
            ) => Answer::Unknown { line },
            (_, Answer::Refused { status, .. }) if *status >= 400 && !state.has_text => {
                site.after_error(answer, &state, files, work)
            }
            _ => answer,
        }
    }
}

impl Site {
    /// What is answered in place of an error: `handle_errors` sees the request as it was.
    fn after_error(
        &self,
        error: Answer,
        state: &State<'_>,
        files: &dyn Files,
        work: &Work,
    ) -> Answer {
        let Some(errors) = &self.errors else {
            return error;
        };
        let mut again = State {
            root: state.root.clone(),
            ..State::new(&state.request, state.original.clone())
        };
        match errors.run(&mut again, files, work) {
            Ok(Some(answer @ Answer::Redirect { .. })) => answer,
            Ok(Some(Answer::Refused { status, .. })) if status >= 400 => match error {
                Answer::Refused { rule, .. } => Answer::Refused { status, rule },
                other => other,
            },
            // A page keeps the status of the error.
            Ok(_) => error,
            Err(line) => Answer::Unknown { line },
        }
    }
}

impl Host {
    fn new(address: &str) -> Self {
        // What a variable of the environment says may be any host.
        if address.contains("{$") {
            return Self {
                scheme: None,
                name: String::new(),
            };
        }
        let (scheme, rest) = match address.split_once("://") {
            Some((scheme, rest)) => (Some(scheme.to_owned()), rest),
            None => (None, address),
        };
        let host = rest.split('/').next().unwrap_or(rest);
        let name = match host.rsplit_once(':') {
            Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => name,
            _ => host,
        };
        Self {
            scheme,
            name: name.to_ascii_lowercase(),
        }
    }

    /// How closely it names the host of a request; `None` if it does not.
    fn rank(&self, request: &Request<'_>) -> Option<usize> {
        if self
            .scheme
            .as_deref()
            .is_some_and(|scheme| scheme != request.scheme)
        {
            return None;
        }
        let host = request.host_name().to_ascii_lowercase();
        match self.name.strip_prefix('*') {
            _ if self.name.is_empty() => Some(0),
            Some(rest) => {
                let label = host.strip_suffix(rest)?;
                (!label.is_empty() && !label.contains('.')).then_some(1 + rest.len())
            }
            None => (self.name == host).then_some(1_000),
        }
    }
}

/// The named matchers of a site.
type Named = HashMap<String, Directive>;

/// What is around a block.
struct Around {
    named: Named,
    /// The path of the site on the server's disk.
    site: Option<String>,
}

impl Handlers {
    /// The handlers of a block, in the order of their directives or as they are written.
    fn new(block: &[Directive], sorts: bool, outer: &Around, read: &mut Read) -> Self {
        // A block knows the matchers of the blocks around it, and may have its own.
        let mut own = block
            .iter()
            .filter(|one| one.name().starts_with('@'))
            .peekable();
        let extended = own.peek().is_some().then(|| {
            let mut named = outer.named.clone();
            named.extend(own.map(|one| (one.name().to_owned(), one.clone())));
            Around {
                named,
                site: outer.site.clone(),
            }
        });
        let around = extended.as_ref().unwrap_or(outer);
        let mut unread: Option<usize> = None;
        let mut list: Vec<Placed> = Vec::new();
        for directive in block {
            let name = directive.name();
            if name.starts_with('@') || OTHERS.contains(&name) || name.starts_with("basic") {
                continue;
            }
            if name == "import" {
                // That its file is not read was said.
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
                read.problem(directive.line, Trouble::NotRead, message);
                unread.get_or_insert(directive.line);
                continue;
            };
            let (matcher, arguments) = matcher_of(directive, &around.named, read);
            let handler = handler(directive, matcher, arguments, around, read);
            if let Does::Block(inner, ..) = &handler.does {
                unread = unread.or(inner.unread);
            }
            list.push((position, handler));
        }
        if sorts {
            list = order::sorted(list, &|one: &Placed, other: &Placed| {
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
            // Neighbours with one matcher run together.
            let before = out
                .list
                .last()
                .map(|before: &Handler| &before.matcher.written);
            let is_same = before == Some(&handler.matcher.written);
            if let Does::Rewrite(_, joins) = &mut handler.does {
                let follows = matches!(
                    out.list.last().map(|before| &before.does),
                    Some(Does::Rewrite(..))
                );
                *joins = follows && is_same;
            }
            out.by_path
                .add(handler.matcher.prefix().as_bytes(), out.list.len());
            out.list.push(handler);
        }
        out
    }

    /// Runs the handlers; an error is the line of one that may apply.
    fn run(
        &self,
        state: &mut State<'_>,
        files: &dyn Files,
        work: &Work,
    ) -> Result<Option<Answer>, usize> {
        let mut next = 0;
        let (mut has_rewritten, mut has_handled, mut has_root) = (None, false, false);
        'path: loop {
            let tidied = state.tidy();
            let lower = tidied.to_ascii_lowercase();
            let numbers = self.by_path.candidates(lower.as_bytes(), work);
            for number in numbers.map_err(|NoAnswer| 1_usize)? {
                let Some(handler) = self.list.get(number).filter(|_| number >= next) else {
                    continue;
                };
                let is_over = match &handler.does {
                    Does::Rewrite(_, joins) => {
                        has_rewritten.is_some_and(|last| !joins || last + 1 != number)
                    }
                    Does::Block(_, _, true) => has_handled,
                    Does::Root(_) => has_root,
                    _ => false,
                };
                if is_over || !handler.matches(state, &tidied, files, work)? {
                    continue;
                }
                match &handler.does {
                    Does::Rewrite(..) => has_rewritten = Some(number),
                    Does::Block(_, _, true) => has_handled = true,
                    Does::Root(_) => has_root = true,
                    _ => {}
                }
                if let Some(answer) = handler.run(state, files, work)? {
                    return Ok(Some(answer));
                }
                next = number + 1;
                continue 'path;
            }
            return Ok(None);
        }
    }
}

/// The matcher of a directive, and its other arguments.
fn matcher_of<'d>(
    directive: &'d Directive,
    named: &Named,
    read: &mut Read,
) -> (Matcher, &'d [String]) {
    let arguments = directive.arguments();
    let Some(first) = arguments.first() else {
        return (Matcher::default(), arguments);
    };
    let rest = &arguments[1..];
    // `try_files` takes none.
    let takes = directive.name() != "try_files";
    if first == "*" && takes {
        return (Matcher::default(), rest);
    }
    if first.starts_with('/') && takes {
        let tests = vec![Test::Path(vec![PathPattern::new(first, read)])];
        let matcher = Matcher {
            tests,
            path: Some(first.clone()),
            written: first.clone(),
        };
        return (matcher, rest);
    }
    if first.starts_with('@') && takes {
        let mut tests = Vec::new();
        let mut path = None;
        if let Some(definition) = named.get(first) {
            path = only_path(definition);
            tests_of(definition, &mut tests, read);
        } else {
            let message = format!("the matcher {first:?} is not defined");
            read.problem(directive.line, Trouble::Refused, message);
            tests.push(Test::Unknown);
        }
        let matcher = Matcher {
            tests,
            path,
            written: first.clone(),
        };
        return (matcher, rest);
    }
    (Matcher::default(), arguments)
}

/// The path that a named matcher asks for, if it is one alone.
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

/// The tests of a named matcher, or of a `not` in one.
fn tests_of(definition: &Directive, tests: &mut Vec<Test>, read: &mut Read) {
    if !definition.arguments().is_empty() {
        let words = definition.arguments().to_vec();
        let inline = Directive {
            line: definition.line,
            words,
            block: None,
        };
        tests.push(test_of(&inline, definition.name(), read));
    }
    for line in definition.block.iter().flatten() {
        let test = test_of(line, definition.name(), read);
        if let Some(test) = merged(test, tests) {
            tests.push(test);
        }
    }
}

/// Adds what a second line of one kind asks to the first: any of them need match. Other tests are
/// returned.
fn merged(test: Test, tests: &mut [Test]) -> Option<Test> {
    for known in tests {
        match (known, &test) {
            (Test::Path(known), Test::Path(_)) => {
                let Test::Path(more) = test else { return None };
                known.extend(more);
                return None;
            }
            (Test::Host(known), Test::Host(more)) | (Test::File(known), Test::File(more)) => {
                known.extend_from_slice(more);
                return None;
            }
            (Test::Query(known), Test::Query(more)) => {
                known.extend_from_slice(more);
                return None;
            }
            (Test::Method(known), Test::Method(more)) => {
                *known |= *more;
                return None;
            }
            _ => {}
        }
    }
    Some(test)
}

fn test_of(line: &Directive, name: &str, read: &mut Read) -> Test {
    let arguments = line.arguments();
    let name = name.trim_start_matches('@');
    match line.name() {
        "path" => {
            let paths = arguments.iter().map(|path| PathPattern::new(path, read));
            Test::Path(paths.collect())
        }
        "path_regexp" => {
            let (name, expression) = match arguments {
                [expression] => (name, expression),
                [name, expression] => (name.as_str(), expression),
                _ => return Test::Unknown,
            };
            match read.pattern(expression, false) {
                Ok(pattern) => Test::Regexp(name.to_owned(), pattern),
                Err(message) => {
                    read.problem(line.line, Trouble::NotRead, message);
                    Test::Unknown
                }
            }
        }
        "query" => {
            let pairs = arguments.iter().filter_map(|pair| pair.split_once('='));
            let pairs = pairs.map(|(key, value)| (key.to_owned(), value.to_owned()));
            Test::Query(pairs.collect())
        }
        "host" => Test::Host(arguments.to_vec()),
        "method" => Test::Method(arguments.iter().any(|method| method == "GET")),
        "file" => {
            if let Some(names) = files::names_of(line) {
                return Test::File(names);
            }
            let message = "which files this looks for is not read";
            read.problem(line.line, Trouble::NotRead, message);
            Test::Unknown
        }
        "not" => {
            let mut tests = Vec::new();
            let inner = Directive {
                line: line.line,
                words: [&[format!("@{name}")], arguments].concat(),
                block: line.block.clone(),
            };
            tests_of(&inner, &mut tests, read);
            Test::Not(tests)
        }
        other => {
            let message = format!("whether {other:?} matches is not read");
            read.problem(line.line, Trouble::NotRead, message);
            Test::Unknown
        }
    }
}

/// What `uri` does.
fn changed(words: &[String], line: usize, read: &mut Read) -> Does {
    match words {
        [what, text] if what == "strip_prefix" => Does::StripPrefix(text.clone()),
        [what, text] if what == "strip_suffix" => Does::StripSuffix(text.clone()),
        [what, from, to, rest @ ..] if what == "replace" => {
            let limit = rest.first().and_then(|limit| limit.parse().ok());
            Does::Replace(from.clone(), to.clone(), limit.unwrap_or(usize::MAX))
        }
        [what, from, to] if what == "path_regexp" => match read.pattern(from, false) {
            Ok(pattern) => Does::ReplacePattern(pattern, from.starts_with('^'), to.clone()),
            Err(message) => {
                read.problem(line, Trouble::NotRead, message);
                Does::Unknown
            }
        },
        _ => {
            read.problem(line, Trouble::NotRead, "what \"uri\" does is not read");
            Does::Unknown
        }
    }
}

fn file_server(directive: &Directive, around: &Around) -> Does {
    let words = |name: &str| {
        let mut lines = directive.block.iter().flatten();
        let line = lines.find(|line| line.name() == name);
        line.map(|line| line.arguments().to_vec())
    };
    let index = ["index.html", "index.txt"].map(str::to_owned).to_vec();
    let root = words("root").and_then(|words| words.first().cloned());
    Does::Serve {
        index: words("index").unwrap_or(index),
        root: root.map(|path| Root::of(around.site.as_deref(), &path, directive.line)),
    }
}

/// How many words a directive takes beside its matcher, if that is known.
fn most_words(name: &str) -> usize {
    match name {
        "handle" | "handle_path" | "route" => 0,
        "error" | "respond" => 2,
        _ => usize::MAX,
    }
}

/// What a directive does.
fn handler(
    directive: &Directive,
    matcher: Matcher,
    arguments: &[String],
    around: &Around,
    read: &mut Read,
) -> Handler {
    let line = directive.line;
    let first = arguments.first().map(String::as_str);
    let mut rule_to = None;
    if arguments.len() > most_words(directive.name()) {
        let message = format!(
            "{} has too many words: the server does not start",
            directive.name()
        );
        read.problem(line, Trouble::Refused, message);
    }
    let does = match (directive.name(), arguments) {
        ("redir", [to]) => Does::Redirect(to.clone(), 302),
        ("redir", [to, code]) => match &**code {
            "permanent" => Does::Redirect(to.clone(), 301),
            "temporary" => Does::Redirect(to.clone(), 302),
            code => {
                if let Ok(code @ 300..=399) = code.parse() {
                    Does::Redirect(to.clone(), code)
                } else {
                    let message = format!("what a redirect with {code:?} does is not read");
                    read.problem(line, Trouble::NotRead, message);
                    Does::Unknown
                }
            }
        },
        ("rewrite", [to]) => Does::Rewrite(to.clone(), false),
        ("uri", words) => changed(words, line, read),
        ("root", [.., path]) => Does::Root(Root::of(around.site.as_deref(), path, line)),
        ("try_files", files) if directive.block.is_none() => Does::TryFiles(files.to_vec()),
        ("handle" | "route", _) => {
            let inner = directive.block.as_deref().unwrap_or_default();
            let is_handle = directive.name() == "handle";
            let inner = Handlers::new(inner, is_handle, around, read);
            Does::Block(Box::new(inner), None, is_handle)
        }
        ("handle_path", _) => {
            let inner = directive.block.as_deref().unwrap_or_default();
            let prefix = matcher.written.trim_end_matches('*').to_owned();
            let inner = Handlers::new(inner, true, around, read);
            Does::Block(Box::new(inner), Some(prefix), true)
        }
        ("error", _) => {
            let code = arguments.iter().find_map(|word| word.parse().ok());
            Does::Refuse(code.unwrap_or(500))
        }
        ("respond", _) => {
            let code = arguments.iter().rev().find_map(|word| word.parse().ok());
            Does::Respond(code.unwrap_or(200))
        }
        ("abort", _) => Does::Refuse(400),
        ("file_server", words) if words.iter().all(|word| word != "browse") => {
            file_server(directive, around)
        }
        (name, _) => {
            let message = format!("what {name:?} answers is not read");
            read.problem(line, Trouble::NotRead, message);
            Does::Unknown
        }
    };
    let status = match &does {
        Does::Redirect(to, status) => {
            rule_to = Some(to.clone());
            *status
        }
        Does::Rewrite(to, _) => {
            rule_to = Some(to.clone());
            200
        }
        Does::Refuse(status) => *status,
        _ => 0,
    };
    let rule = (status > 0).then(|| {
        read.rule(Rule {
            line,
            from: match matcher.written.as_str() {
                "" => "*".to_owned(),
                written => written.to_owned(),
            },
            to: rule_to,
            status,
            status_is_default: arguments.len() < 2 && first.is_some(),
            is_exact: matches!(&matcher.tests[..], [Test::Path(paths)]
                if matches!(&paths[..], [PathPattern::Exact(_)])),
            samples: Vec::new(),
        })
    });
    Handler {
        rule,
        line,
        matcher,
        does,
    }
}

impl PathPattern {
    /// A pattern in lower case, by where its stars are.
    fn new(pattern: &str, read: &mut Read) -> Self {
        let lower = pattern.to_ascii_lowercase();
        let inner = lower.trim_matches('*');
        let has_others = inner.contains(['*', '?', '[', '\\', '%']);
        if lower == "*" {
            return Self::Part(String::new());
        }
        let (starts, ends) = (lower.starts_with('*'), lower.ends_with('*'));
        let wild = lower.len() - inner.len();
        match (has_others, starts, ends) {
            (false, false, false) => Self::Exact(lower),
            (false, false, true) if wild == 1 => Self::Prefix(inner.to_owned()),
            (false, true, false) if wild == 1 => Self::Suffix(inner.to_owned()),
            (false, true, true) if wild == 2 => Self::Part(inner.to_owned()),
            _ => {
                let mut expression = String::from("^");
                let mut is_class = false;
                for c in lower.chars() {
                    match c {
                        '[' | ']' => {
                            is_class = c == '[';
                            expression.push(c);
                        }
                        _ if is_class => expression.push(c),
                        '*' => expression.push_str("[^/]*"),
                        '?' => expression.push_str("(?u:[^/])"),
                        c => expression.push_str(&regex::escape(c.encode_utf8(&mut [0; 4]))),
                    }
                }
                match read.pattern(&(expression + "$"), false) {
                    Ok(pattern) => Self::Glob(pattern),
                    Err(_) => Self::Exact(lower),
                }
            }
        }
    }

    fn matches(&self, path: &str, work: &Work) -> Result<bool, NoAnswer> {
        Ok(match self {
            Self::Exact(text) => path == text,
            Self::Prefix(text) => path.starts_with(text),
            Self::Suffix(text) => path.ends_with(text),
            Self::Part(text) => path.contains(text),
            Self::Glob(pattern) => pattern.find(path.as_bytes(), work)?.is_some(),
        })
    }
}

impl Matcher {
    /// Whether a directive with this matcher runs before one of the same name with another: the longer
    /// of two paths first, but of paths that differ by a final star alone the one without; and any
    /// matcher before none.
    fn is_before(&self, other: &Self) -> bool {
        if let (Some(path), Some(others)) = (&self.path, &other.path) {
            let bare = |path: &str| path.strip_suffix('*').unwrap_or(path).to_owned();
            if bare(path) == bare(others) {
                return path.len() < others.len();
            }
            return path.len() > others.len();
        }
        !self.tests.is_empty() && other.tests.is_empty()
    }

    /// What every path that matches starts with, in lower case.
    fn prefix(&self) -> &str {
        match &self.tests[..] {
            [Test::Path(paths)] => match &paths[..] {
                [PathPattern::Exact(text) | PathPattern::Prefix(text)] => text,
                _ => "",
            },
            _ => "",
        }
    }
}

impl Handler {
    fn matches(
        &self,
        state: &mut State<'_>,
        tidied: &str,
        files: &dyn Files,
        work: &Work,
    ) -> Result<bool, usize> {
        work.take(1).map_err(|NoAnswer| self.line)?;
        for test in &self.matcher.tests {
            if !test.holds(state, tidied, files, work).ok_or(self.line)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn run(
        &self,
        state: &mut State<'_>,
        files: &dyn Files,
        work: &Work,
    ) -> Result<Option<Answer>, usize> {
        match &self.does {
            Does::Unknown => return Err(self.line),
            Does::Refuse(status) | Does::Respond(status) => {
                state.has_text = matches!(self.does, Does::Respond(_));
                return Ok(Some(if *status < 300 {
                    Answer::File {
                        path: state.path.clone().into_bytes(),
                        status: *status,
                        rule: self.rule,
                    }
                } else {
                    Answer::Refused {
                        status: *status,
                        rule: self.rule,
                    }
                }));
            }
            Does::Root(root) => state.root = root.clone(),
            Does::Replace(from, to, limit) => {
                let replaced = state.replace(from, to, *limit, work);
                replaced.map_err(|NoAnswer| self.line)?;
            }
            Does::ReplacePattern(pattern, is_anchored, to) => {
                let replaced = state.replace_pattern(pattern, *is_anchored, to, work);
                replaced.ok_or(self.line)?;
            }
            Does::Redirect(to, status) => {
                let to = state.filled(to).ok_or(self.line)?;
                work.take_text(to.len()).map_err(|NoAnswer| self.line)?;
                return Ok(Some(Answer::Redirect {
                    status: *status,
                    location: escaped_beyond_ascii(&to),
                    rule: self.rule,
                }));
            }
            Does::Rewrite(to, _) => {
                let to = state.filled(to).ok_or(self.line)?;
                work.take_text(to.len()).map_err(|NoAnswer| self.line)?;
                state.rewrite(&to, self.rule);
            }
            Does::StripPrefix(prefix) => strip(state, prefix),
            Does::StripSuffix(suffix) => {
                if let Some(path) = state.raw.strip_suffix(&**suffix) {
                    let path = path.to_owned();
                    state.rewrite(&path, state.rule);
                }
            }
            Does::TryFiles(names) => return self.try_files(names, state, files),
            Does::Block(inner, prefix, _) => {
                if let Some(prefix) = prefix {
                    strip(state, prefix);
                }
                return inner.run(state, files, work);
            }
            Does::Serve { index, root } => {
                let root = root.as_ref().unwrap_or(&state.root);
                return served(state, root, index, files).map(Some);
            }
        }
        Ok(None)
    }

    fn try_files(
        &self,
        names: &[String],
        state: &mut State<'_>,
        files: &dyn Files,
    ) -> Result<Option<Answer>, usize> {
        let (last, others) = match names.split_last() {
            Some((last, others)) if last.starts_with('=') => (last.get(1..), others),
            _ => (None, names),
        };
        match first_of(others, state, files).ok_or(self.line)?? {
            Some(path) => {
                let to = escaped_beyond_ascii(&path);
                state.rewrite(&to, self.rule.or(state.rule));
            }
            None => {
                if let Some(status) = last.and_then(|code| code.parse().ok()) {
                    return Ok(Some(Answer::Refused {
                        status,
                        rule: self.rule,
                    }));
                }
            }
        }
        Ok(None)
    }
}

impl Test {
    /// Whether it holds; `None` if that is not known.
    fn holds(
        &self,
        state: &mut State<'_>,
        tidied: &str,
        files: &dyn Files,
        work: &Work,
    ) -> Option<bool> {
        Some(match self {
            Self::Unknown => return None,
            Self::Path(paths) => {
                let lower = tidied.to_ascii_lowercase();
                for path in paths {
                    if path.matches(&lower, work).ok()? {
                        return Some(true);
                    }
                }
                false
            }
            Self::Regexp(name, pattern) => {
                let Some(groups) = pattern.find(tidied.as_bytes(), work).ok()? else {
                    return Some(false);
                };
                let text = |number| {
                    let value = groups.get(number, tidied.as_bytes());
                    String::from_utf8_lossy(value).into_owned()
                };
                let mut captures = Vec::new();
                for number in 0..groups.len() {
                    captures.push((format!("{name}.{number}"), text(number)));
                    captures.push((number.to_string(), text(number)));
                }
                for (known, number) in groups.names() {
                    captures.push((format!("{name}.{known}"), text(*number)));
                }
                // The last match of a name counts.
                state.captures.splice(..0, captures);
                true
            }
            Self::Query(pairs) => {
                let query = state.query.as_deref().unwrap_or_default();
                let given: Vec<_> = url::form_urlencoded::parse(query.as_bytes()).collect();
                // Each key with any of its values.
                let has = |(key, value): &(String, String)| {
                    let mut given = given.iter();
                    given.any(|(name, text)| name == key && (value == "*" || text == value))
                };
                pairs.iter().all(|(key, _)| {
                    let mut own = pairs.iter().filter(|(other, _)| other == key);
                    own.any(has)
                })
            }
            Self::Host(hosts) => {
                let host = hosts.iter().map(|host| Host::new(host));
                host.into_iter()
                    .any(|host| host.rank(&state.request).is_some())
            }
            Self::Method(is_get) => *is_get,
            Self::File(names) => first_of(names, state, files)?.ok()?.is_some(),
            Self::Not(tests) => {
                for test in tests {
                    if !test.holds(state, tidied, files, work)? {
                        return Some(true);
                    }
                }
                false
            }
        })
    }
}
