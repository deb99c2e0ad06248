//! The static part of a Caddyfile, as Caddy 2 answers with it: `redir`, `rewrite`, `uri`, `try_files`,
//! `handle`, `handle_path`, `route`, `error`, `respond` and `file_server`, with matchers by path,
//! expression, query, host, method and file.
//!
//! What other handlers answer (`reverse_proxy`, `php_fastcgi`) and what headers decide is not known.

use std::collections::HashMap;

use super::caddyfile::{self, Directive};
use super::index::PrefixIndex;
use super::pattern::Pattern;
use super::request::{Files, Request, escaped_beyond_ascii, tidy};
use super::rule::{Answer, Read, Rule, Trouble};
use super::work::{NoAnswer, Work};

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
    TryFiles(Vec<String>),
    /// A block; what it strips from the path first, and whether only one of its kind runs.
    Block(Box<Handlers>, Option<String>, bool),
    Refuse(u16),
    Serve,
    /// Something that is not read answers.
    Unknown,
}

/// What must all hold.
#[derive(Debug, Default)]
struct Matcher {
    tests: Vec<Test>,
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
const ORDER: [&str; 13] = [
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
const OTHERS: [&str; 21] = [
    "tls",
    "log",
    "header",
    "encode",
    "root",
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
        if let Some(errors) = block.iter().find(|one| one.name() == "handle_errors") {
            let answers = errors.block.iter().flatten();
            if answers.into_iter().any(|one| one.name() == "redir") {
                let message = "where errors are redirected to is not read";
                read.problem(errors.line, Trouble::NotRead, message);
            }
        }
        self.sites.push(Site {
            line,
            hosts: hosts.collect(),
            handlers: Handlers::new(block, true, &Named::new(), read),
        });
    }

    pub(super) fn answer(&self, request: &Request<'_>, files: &dyn Files, work: &Work) -> Answer {
        let refused = |status| Answer::Refused { status, rule: None };
        let ranked = self.sites.iter().filter_map(|site| {
            let ranks = site.hosts.iter().filter_map(|host| host.rank(request));
            Some((ranks.max()?, site))
        });
        let Some((_, site)) = ranked.max_by_key(|(rank, _)| *rank) else {
            // No site is for the host: another file, or a variable, may say what answers.
            return match self.sites.first() {
                Some(site) => Answer::Unknown { line: site.line },
                None => refused(404),
            };
        };
        let Ok(path) = String::from_utf8(request.decoded_path().into_owned()) else {
            return refused(400);
        };
        let mut state = State {
            request: *request,
            path,
            raw: request.path.to_owned(),
            query: request.query.map(str::to_owned),
            captures: Vec::new(),
            rule: None,
            is_changed: false,
        };
        let answer = match site.handlers.run(&mut state, files, work) {
            Err(line) => return Answer::Unknown { line },
            Ok(answer) => answer.unwrap_or(Answer::Refused {
                status: 404,
                rule: state.rule,
            }),
        };
        match (site.handlers.unread, &answer) {
            // What is not read may answer where nothing else does.
            (Some(line), Answer::Refused { status: 404, .. }) => Answer::Unknown { line },
            _ => answer,
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

/// A request as handlers have changed it.
struct State<'r> {
    request: Request<'r>,
    /// Decoded.
    path: String,
    /// As sent, or as rewritten.
    raw: String,
    query: Option<String>,
    /// What expressions captured, by the names of placeholders.
    captures: Vec<(String, String)>,
    rule: Option<usize>,
    is_changed: bool,
}

impl State<'_> {
    /// The path that matchers compare: merged and without dot segments.
    fn tidy(&self) -> String {
        let tidied = tidy(self.path.as_bytes()).unwrap_or_default();
        String::from_utf8_lossy(&tidied).into_owned()
    }

    /// A text with placeholders filled in; `None` if one is not known.
    fn filled(&self, text: &str) -> Option<String> {
        let mut out = String::new();
        let mut rest = text;
        while let Some(open) = rest.find('{') {
            let Some(length) = rest[open..].find('}') else {
                break;
            };
            out.push_str(&rest[..open]);
            let name = &rest[open + 1..open + length];
            let query = self.query.as_deref().unwrap_or_default();
            match name {
                "uri" | "http.request.uri" => {
                    out.push_str(&self.raw);
                    // A question mark without a query is passed on, even if rewrites change the rest.
                    if !query.is_empty() || self.request.query == Some("") {
                        out.extend(["?", query]);
                    }
                }
                "path" | "http.request.uri.path" => out.push_str(&self.path),
                "query" | "http.request.uri.query" => out.push_str(query),
                "?query" if !query.is_empty() => out.extend(["?", query]),
                "?query" => {}
                "host" | "http.request.host" => out.push_str(self.request.host_name()),
                "hostport" | "http.request.hostport" => out.push_str(self.request.host),
                "scheme" | "http.request.scheme" => out.push_str(self.request.scheme),
                name => {
                    let name = name.strip_prefix("http.regexp.").unwrap_or(name);
                    let name = name.strip_prefix("re.").unwrap_or(name);
                    let found = self.captures.iter().find(|(known, _)| known == name);
                    out.push_str(&found?.1);
                }
            }
            rest = &rest[open + length + 1..];
        }
        out.push_str(rest);
        Some(out)
    }

    /// Goes on with another path, and query if the target has one.
    fn rewrite(&mut self, to: &str, rule: Option<usize>) {
        let (path, query) = match to.split_once('?') {
            Some((path, query)) => (path, Some(query)),
            None => (to, None),
        };
        if !path.is_empty() {
            path.clone_into(&mut self.raw);
            let decoded = percent_encoding::percent_decode_str(path).decode_utf8_lossy();
            self.path = decoded.into_owned();
        }
        if let Some(query) = query {
            self.query = Some(query.to_owned());
        }
        self.rule = rule;
        self.is_changed = true;
    }
}

/// The named matchers of a site.
type Named = HashMap<String, Directive>;

impl Handlers {
    /// The handlers of a block, in the order of their directives or as they are written.
    fn new(block: &[Directive], sorts: bool, outer: &Named, read: &mut Read) -> Self {
        // A block knows the matchers of the blocks around it, and may have its own.
        let mut own = block
            .iter()
            .filter(|one| one.name().starts_with('@'))
            .peekable();
        let extended = own.peek().is_some().then(|| {
            let mut named = outer.clone();
            named.extend(own.map(|one| (one.name().to_owned(), one.clone())));
            named
        });
        let named = extended.as_ref().unwrap_or(outer);
        let mut unread: Option<usize> = None;
        let mut list = Vec::new();
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
            let (matcher, arguments) = matcher_of(directive, named, read);
            let class = match &matcher.tests[..] {
                [] => (2, 0),
                [Test::Path(paths)] if paths.len() == 1 => (0, usize::MAX - matcher.written.len()),
                _ => (1, 0),
            };
            let handler = handler(directive, matcher, arguments, named, read);
            if let Does::Block(inner, ..) = &handler.does {
                unread = unread.or(inner.unread);
            }
            list.push(((position, class), handler));
        }
        if sorts {
            list.sort_by_key(|(key, _)| *key);
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
        let (mut has_rewritten, mut has_handled) = (None, false);
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
                    _ => false,
                };
                if is_over || !handler.matches(state, &tidied, files, work)? {
                    continue;
                }
                match &handler.does {
                    Does::Rewrite(..) => has_rewritten = Some(number),
                    Does::Block(_, _, true) => has_handled = true,
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
        let written = first.clone();
        return (Matcher { tests, written }, rest);
    }
    if first.starts_with('@') && takes {
        let mut tests = Vec::new();
        if let Some(definition) = named.get(first) {
            tests_of(definition, &mut tests, read);
        } else {
            let message = format!("the matcher {first:?} is not defined");
            read.problem(directive.line, Trouble::Refused, message);
            tests.push(Test::Unknown);
        }
        let written = first.clone();
        return (Matcher { tests, written }, rest);
    }
    (Matcher::default(), arguments)
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
        "file" if line.block.is_none() => Test::File(arguments.to_vec()),
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

/// What a directive does.
fn handler(
    directive: &Directive,
    matcher: Matcher,
    arguments: &[String],
    named: &Named,
    read: &mut Read,
) -> Handler {
    let line = directive.line;
    let first = arguments.first().map(String::as_str);
    let mut rule_to = None;
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
        ("uri", [what, text]) if what == "strip_prefix" => Does::StripPrefix(text.clone()),
        ("uri", [what, text]) if what == "strip_suffix" => Does::StripSuffix(text.clone()),
        ("try_files", files) if directive.block.is_none() => Does::TryFiles(files.to_vec()),
        ("handle" | "route", _) => {
            let inner = directive.block.as_deref().unwrap_or_default();
            let is_handle = directive.name() == "handle";
            let inner = Handlers::new(inner, is_handle, named, read);
            Does::Block(Box::new(inner), None, is_handle)
        }
        ("handle_path", _) => {
            let inner = directive.block.as_deref().unwrap_or_default();
            let prefix = matcher.written.trim_end_matches('*').to_owned();
            let inner = Handlers::new(inner, true, named, read);
            Does::Block(Box::new(inner), Some(prefix), true)
        }
        ("error", _) => {
            let code = arguments.iter().find_map(|word| word.parse().ok());
            Does::Refuse(code.unwrap_or(500))
        }
        ("respond", _) => {
            let code = arguments.iter().rev().find_map(|word| word.parse().ok());
            match code {
                Some(code @ 400..=599) => Does::Refuse(code),
                _ => Does::Unknown,
            }
        }
        ("abort", _) => Does::Refuse(400),
        ("file_server", words) if words.iter().all(|word| word != "browse") => Does::Serve,
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
            Does::Refuse(status) => {
                return Ok(Some(Answer::Refused {
                    status: *status,
                    rule: self.rule,
                }));
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
            Does::Serve => return Ok(Some(served(state, files))),
        }
        Ok(None)
    }

    fn try_files(
        &self,
        names: &[String],
        state: &mut State<'_>,
        files: &dyn Files,
    ) -> Result<Option<Answer>, usize> {
        for name in names {
            if let Some(status) = name.strip_prefix('=').and_then(|code| code.parse().ok()) {
                return Ok(Some(Answer::Refused {
                    status,
                    rule: self.rule,
                }));
            }
            let name = state.filled(name).ok_or(self.line)?;
            if exists(&name, files) {
                let to = escaped_beyond_ascii(&name);
                state.rewrite(&to, self.rule.or(state.rule));
                break;
            }
        }
        Ok(None)
    }
}

/// Takes a prefix, whatever its case, off the path.
fn strip(state: &mut State<'_>, prefix: &str) {
    let start = state.raw.get(..prefix.len());
    if start.is_some_and(|start| start.eq_ignore_ascii_case(prefix)) {
        let rest = &state.raw[prefix.len()..];
        let slash = if rest.starts_with('/') { "" } else { "/" };
        let path = format!("{slash}{rest}");
        state.rewrite(&path, state.rule);
    }
}

/// Whether there is a file, or a folder if the name ends in a slash.
fn exists(name: &str, files: &dyn Files) -> bool {
    let path = name.split('?').next().unwrap_or(name);
    match path.strip_suffix('/') {
        Some(_) => files.is_directory(path.as_bytes()),
        None => files.is_file(path.as_bytes()),
    }
}

/// What the file server answers.
fn served(state: &State<'_>, files: &dyn Files) -> Answer {
    let rule = state.rule;
    let path = state.tidy();
    let redirect = |to: String| Answer::Redirect {
        status: 308,
        location: format!("{to}{}", state.request.search()),
        rule: None,
    };
    let found = |path: String| Answer::File {
        path: path.into_bytes(),
        status: 200,
        rule,
    };
    let bare = path.strip_suffix('/').unwrap_or(&path);
    if files.is_file(bare.as_bytes()) {
        if path.ends_with('/') && !state.is_changed {
            return redirect(state.raw.trim_end_matches('/').to_owned());
        }
        return found(bare.to_owned());
    }
    let names = ["index.html", "index.txt"].map(|name| format!("{bare}/{name}"));
    match names
        .into_iter()
        .find(|name| files.is_file(name.as_bytes()))
    {
        Some(_) if !path.ends_with('/') && !state.is_changed => redirect(format!("{}/", state.raw)),
        Some(name) => found(name),
        None => Answer::Refused { status: 404, rule },
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
                pairs.iter().any(|(key, value)| {
                    let mut given = given.iter();
                    given.any(|(name, text)| name == key && (value == "*" || text == value))
                })
            }
            Self::Host(hosts) => {
                let host = hosts.iter().map(|host| Host::new(host));
                host.into_iter()
                    .any(|host| host.rank(&state.request).is_some())
            }
            Self::Method(is_get) => *is_get,
            Self::File(names) => {
                for name in names {
                    if exists(&state.filled(name)?, files) {
                        return Some(true);
                    }
                }
                names.is_empty() && exists(&state.path, files)
            }
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
