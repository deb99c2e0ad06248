//! Compiles the directives of a configuration into servers, locations and maps.

use std::collections::BTreeMap;

use super::code::{Code, Flag, Op, Test};
use super::content::{Content, Map};
use super::include;
use super::location::{Location, Locations};
use super::root;
use super::server::{Name, Nginx, Server};
use super::settings::{self, SettingsContext};
use super::syntax::{self, Directive, Repetitions, Word};
use super::template::{Piece, Template};
use crate::engine::pattern::literal;
use crate::line_error::LineError;
use crate::rule::{ProblemKind, Rule, RuleParser};

pub(super) fn read(text: &str, parser: &mut RuleParser) -> Nginx {
    let (mut directives, error) = syntax::parse(text);
    include::expand(&mut directives, &parser.included);
    if let Some(error) = error {
        let message = format!("{}: the server does not start", error.message);
        parser.problem(error.line, ProblemKind::Refused, message);
    }
    let mut reader = Reader {
        parser,
        nginx: Nginx::default(),
        site: None,
        outer: Content::default(),
    };
    if is_map_body(&directives) {
        reader.bare_map(&directives);
    } else {
        reader.top(&directives);
    }
    let Reader { parser, nginx, .. } = reader;
    give_status_to_map_entries(&nginx, parser);
    nginx
}

/// Whether the file contains only pairs, like the body of a map.
fn is_map_body(directives: &[Directive]) -> bool {
    let is_pair = |directive: &Directive| {
        let is_key = directive.name().starts_with(['/', '~']) || directive.name().contains("://");
        directive.block.is_none()
            && directive.words.len() == 2
            && (is_key || matches!(directive.name(), "default"))
    };
    !directives.is_empty() && directives.iter().all(is_pair)
}

struct Reader<'r> {
    parser: &'r mut RuleParser,
    nginx: Nginx,
    /// The path of the site on the server's disk.
    site: Option<String>,
    /// The settings outside the servers.
    outer: Content,
}

/// The code, locations and settings of a server or location being read.
#[derive(Default)]
struct BlockContents {
    code: Code,
    locations: Locations,
    named: Vec<(String, Location)>,
    content: Content,
}

/// Unsupported directives that affect what is at an address.
const UNREAD: [&str; 3] = ["limit_except", "mirror", "autoindex_index"];

/// Common directives that do not affect addresses.
const QUIET: [&str; 5] = ["events", "worker_processes", "user", "pid", "types"];

impl Reader<'_> {
    /// Reads the top level of the file: the content of `http`, of a server, or both.
    fn top(&mut self, directives: &[Directive]) {
        let mut all: Vec<&Directive> = Vec::new();
        let mut queue: Vec<&Directive> = directives.iter().rev().collect();
        while let Some(directive) = queue.pop() {
            let block = directive.block.as_deref().unwrap_or_default();
            match directive.name() {
                "http" => queue.extend(block.iter().rev()),
                _ => all.push(directive),
            }
        }
        let (blocks, bare): (Vec<&Directive>, Vec<&Directive>) = all
            .into_iter()
            .partition(|directive| matches!(directive.name(), "server" | "map"));
        if blocks.iter().any(|block| block.name() == "server") {
            self.site = root::site_path(&bare, None);
            self.outer = self.settings(bare.iter().copied(), &Content::default(), None);
        }
        for directive in blocks {
            let block = directive.block.as_deref().unwrap_or_default();
            match directive.name() {
                "server" => self.server(block),
                _ => self.map(directive, block),
            }
        }
        let says_something = |directive: &&Directive| {
            matches!(
                directive.name(),
                "location" | "rewrite" | "return" | "if" | "set" | "try_files"
            )
        };
        if self.nginx.servers.is_empty() && bare.iter().any(says_something) {
            let server = self.server_of(bare);
            self.nginx.servers.push(server);
        } else {
            let mut inside = BlockContents::default();
            for directive in bare {
                self.directive(directive, &mut inside);
            }
            self.nginx.unread = inside.code.ops().iter().find_map(|op| match op {
                Op::Unread { line } => Some(*line),
                _ => None,
            });
        }
    }

    /// Reads the bare body of a map as a redirect from each key.
    fn bare_map(&mut self, directives: &[Directive]) {
        let message = "the body of a map: read as `map $uri $new` with `return 301 $new`";
        self.parser.problem(1, ProblemKind::Irrelevant, message);
        let mut map = Map {
            line: 1,
            source: Template::new("$uri"),
            ..Map::default()
        };
        for directive in directives {
            self.map_entry(directive, &mut map);
        }
        self.nginx.maps.insert("new".to_owned(), map);
        let rule = self.parser.rule(Rule {
            line: 1,
            from: "the keys of the map".to_owned(),
            to: Some("$new".to_owned()),
            status: 301,
            status_is_default: true,
            is_exact: false,
            samples: Vec::new(),
        });
        let to = Template::new("$new");
        self.nginx.servers.push(Server {
            code: Code::from_iter([Op::If {
                line: 1,
                test: Test::Filled(to.clone()),
                then: Code::from_iter([Op::Return {
                    rule,
                    line: 1,
                    status: 301,
                    to: Some(to),
                    is_bare: false,
                }]),
                handed_on: None,
            }]),
            ..Server::default()
        });
    }

    fn server(&mut self, block: &[Directive]) {
        let mut server = self.server_of(block.iter().collect());
        if server.ports.is_empty() {
            // Without `listen`.
            server.ports.push(80);
        }
        self.nginx.servers.push(server);
    }

    fn server_of(&mut self, directives: Vec<&Directive>) -> Server {
        let outer = self.site.clone();
        let first = self.parser.rules.len();
        self.site = root::site_path(&directives, outer.as_deref());
        let around = self.outer.clone();
        let content = self.settings(directives.iter().copied(), &around, None);
        let mut server = Server {
            site: self.site.clone(),
            keeps_slashes: directives.iter().any(|directive| keeps_slashes(directive)),
            ..Server::default()
        };
        let mut inside = BlockContents {
            content,
            ..BlockContents::default()
        };
        for directive in directives {
            let arguments = directive.arguments();
            match directive.name() {
                "server_name" => {
                    server
                        .names
                        .extend(arguments.iter().map(|name| self.name(directive, name)));
                }
                "listen" => {
                    let address = arguments.first().copied().unwrap_or_default();
                    let port = address.rsplit(':').next().unwrap_or(address);
                    server.ports.push(port.parse().unwrap_or(80));
                    server.is_default |= arguments.contains(&"default_server");
                }
                _ => self.directive(directive, &mut inside),
            }
        }
        server.code = inside.code;
        server.locations = inside.locations;
        server.named = inside.named.into_iter().collect();
        server.content = inside.content;
        server.rules = first..self.parser.rules.len();
        self.site = outer;
        server
    }

    /// The settings of a nested block; `length` is the length of a location's path.
    fn settings<'d>(
        &mut self,
        directives: impl Iterator<Item = &'d Directive>,
        around: &Content,
        length: Option<usize>,
    ) -> Content {
        let around = SettingsContext {
            content: around,
            site: self.site.as_deref(),
            length,
        };
        settings::read(directives, &around, self.parser)
    }

    fn name(&mut self, directive: &Directive, name: &str) -> Name {
        if let Some(source) = name.strip_prefix('~') {
            match self.parser.pattern(source, true) {
                Ok(pattern) => return Name::Pattern(pattern),
                Err(message) => {
                    let message = format!("the server name {name:?} is not read: {message}");
                    self.parser
                        .problem(directive.line, ProblemKind::NotRead, message);
                }
            }
        }
        Name::Text(name.to_ascii_lowercase())
    }

    /// Reads one directive of a server or a location.
    fn directive(&mut self, directive: &Directive, inside: &mut BlockContents) {
        let context = DirectiveContext {
            words: "server".to_owned(),
            exact: None,
        };
        match directive.name() {
            "location" => self.location(directive, inside),
            "rewrite" | "return" | "set" | "if" | "break" => {
                if let Some(op) = self.op(directive, &context) {
                    inside.code.push(op);
                }
            }
            "include" if include::is_harmless(directive) => {}
            "include" => {
                self.not_read(directive);
                let line = directive.line;
                inside.code.push(Op::Unread { line });
            }
            name if settings::is_setting(name) || QUIET.contains(&name) => {}
            name if UNREAD.contains(&name) || name.contains("_by_lua") => {
                self.not_read(directive);
            }
            name => {
                let message = format!("{name} is not known to affect where a URL leads");
                self.parser
                    .problem(directive.line, ProblemKind::Irrelevant, message);
            }
        }
    }

    fn not_read(&mut self, directive: &Directive) {
        let message = format!("{} is not read", directive.name());
        self.parser
            .problem(directive.line, ProblemKind::NotRead, message);
    }

    fn location(&mut self, directive: &Directive, inside: &mut BlockContents) {
        let arguments = directive.arguments();
        let (modifier, path) = match arguments[..] {
            [modifier, path] => (modifier, path),
            [path] => ["^~", "~*", "=", "~"]
                .into_iter()
                .find_map(|mark| Some((mark, path.strip_prefix(mark)?)))
                .unwrap_or(("", path)),
            _ => {
                self.refuse(directive, "a location needs a path");
                return;
            }
        };
        let context = format!("location {modifier} {path}").replace("  ", " ");
        let is_plain = matches!(modifier, "" | "=" | "^~");
        let block = directive.block.as_deref().unwrap_or_default();
        let length = is_plain.then_some(path.len());
        let mut own = BlockContents {
            content: self.settings(block.iter(), &inside.content, length),
            ..BlockContents::default()
        };
        own.content.adds_slash &= is_plain && path.ends_with('/');
        for inner in block {
            match inner.name() {
                "rewrite" | "return" | "set" | "if" | "break" => {
                    if let Some(op) =
                        self.op(inner, &DirectiveContext::location(&context, modifier, path))
                    {
                        own.code.push(op);
                    }
                }
                _ => self.directive(inner, &mut own),
            }
        }
        inside.named.extend(own.named);
        let location = Location {
            code: own.code.shrunk(),
            inner: (!own.locations.is_empty()).then(|| Box::new(own.locations)),
            content: own.content,
        };
        let added = match modifier {
            "=" => inside.locations.add_exact(path, location),
            "^~" => inside.locations.add_prefix(path, true, location),
            "" if path.starts_with('@') => {
                inside.named.push((path.to_owned(), location));
                Ok(())
            }
            "" => inside.locations.add_prefix(path, false, location),
            "~" | "~*" => match self.parser.pattern(path, modifier == "~*") {
                Ok(pattern) => {
                    inside
                        .locations
                        .add_pattern(directive.line, pattern, location);
                    Ok(())
                }
                Err(message) => {
                    let message = format!("the pattern {path:?} is not read: {message}");
                    self.parser
                        .problem(directive.line, ProblemKind::NotRead, message);
                    Ok(())
                }
            },
            _ => Err(LineError::LocationModifier(modifier.to_owned())),
        };
        if let Err(error) = added {
            self.refuse(directive, &error.to_string());
        }
        match directive.repetitions {
            // The first pattern that matches wins.
            Some(Repetitions { line, count }) if modifier.starts_with('~') => {
                self.parser.repeated(directive.line, line, count);
            }
            Some(Repetitions { line, .. }) => {
                let error = LineError::DuplicateLocation(path.to_owned());
                self.refuse_at(line, &error.to_string());
            }
            None => {}
        }
    }

    fn refuse(&mut self, directive: &Directive, message: &str) {
        self.refuse_at(directive.line, message);
    }

    fn refuse_at(&mut self, line: usize, message: &str) {
        let message = format!("{message}: the server does not start");
        self.parser.problem(line, ProblemKind::Refused, message);
    }

    /// Reads a directive of the rewrite module.
    fn op(&mut self, directive: &Directive, context: &DirectiveContext) -> Option<Op> {
        let arguments = directive.arguments();
        let line = directive.line;
        if let Some(Repetitions { line: next, count }) = directive.repetitions {
            self.parser.repeated(line, next, count);
        }
        match (directive.name(), &arguments[..]) {
            ("break", _) => Some(Op::Break),
            ("set", [name, value]) => Some(Op::Set {
                line,
                name: name.trim_start_matches('$').to_owned(),
                value: Template::new(value),
            }),
            ("return", [target]) if target.parse::<u16>().is_err() => {
                if !starts_url(target) {
                    self.refuse(directive, "return needs a status");
                    return None;
                }
                Some(self.return_op(line, 302, true, Some(target), context))
            }
            ("return", [status]) => {
                let status = status.parse().unwrap_or(302);
                Some(self.return_op(line, status, false, None, context))
            }
            ("return", [status, target]) => {
                let Ok(status) = status.parse() else {
                    self.refuse(directive, "return needs a status");
                    return None;
                };
                Some(self.return_op(line, status, false, Some(target), context))
            }
            ("rewrite", [pattern, to]) => self.rewrite(directive, pattern, to, "", context),
            ("rewrite", [pattern, to, flag]) => self.rewrite(directive, pattern, to, flag, context),
            ("if", _) => self.if_op(directive, context),
            (name, _) => {
                let message = format!("{name} has the wrong number of words");
                self.refuse(directive, &message);
                None
            }
        }
    }

    fn return_op(
        &mut self,
        line: usize,
        status: u16,
        is_default: bool,
        to: Option<&str>,
        context: &DirectiveContext,
    ) -> Op {
        let is_redirect = matches!(status, 301 | 302 | 303 | 307 | 308);
        let from = self.parser.place(&context.words);
        let rule = self.parser.rule(Rule {
            line,
            from,
            to: to.filter(|_| is_redirect).map(str::to_owned),
            status,
            status_is_default: is_default,
            is_exact: context.exact.is_some(),
            samples: context.exact.clone().into_iter().collect(),
        });
        Op::Return {
            rule,
            line,
            status,
            to: to.filter(|_| is_redirect).map(Template::new),
            is_bare: to.is_none(),
        }
    }

    fn rewrite(
        &mut self,
        directive: &Directive,
        source: &str,
        to: &str,
        flag: &str,
        context: &DirectiveContext,
    ) -> Option<Op> {
        let line = directive.line;
        let flag = match flag {
            "" | "last" | "break" if starts_url(to) => Flag::Redirect(302),
            "" => Flag::None,
            "last" => Flag::Last,
            "break" => Flag::Break,
            "redirect" => Flag::Redirect(302),
            "permanent" => Flag::Redirect(301),
            other => {
                self.refuse(directive, &format!("invalid parameter {other:?}"));
                return None;
            }
        };
        let pattern = match self.parser.pattern(source, false) {
            Ok(pattern) => pattern,
            Err(message) => {
                let message = format!("the pattern {source:?} is not read: {message}");
                self.parser.problem(line, ProblemKind::NotRead, message);
                return None;
            }
        };
        let (whole, adds_args) = match to.strip_suffix('?') {
            Some(whole) => (whole, false),
            None => (to, true),
        };
        let (path, args) = match whole.split_once('?') {
            Some((path, args)) => (path, Some(args)),
            None => (whole, None),
        };
        let status = match flag {
            Flag::Redirect(status) => status,
            _ => 200,
        };
        let from = match context.words.as_str() {
            "server" => source.to_owned(),
            words => format!("{}: {source}", self.parser.place(words)),
        };
        let rule = self.parser.rule(Rule {
            line,
            from,
            to: Some(to.to_owned()),
            status,
            status_is_default: false,
            is_exact: false,
            samples: literal(source)
                .map(|path| address_of(&path))
                .filter(|_| context.words == "server")
                .into_iter()
                .collect(),
        });
        Some(Op::Rewrite {
            rule,
            line,
            pattern,
            to: Template::new(path),
            args: args.map(Template::new),
            adds_args,
            flag,
        })
    }

    fn if_op(&mut self, directive: &Directive, context: &DirectiveContext) -> Option<Op> {
        let words: Vec<&Word> = directive.words.iter().skip(1).collect();
        let test = match test_of(&words, self.parser) {
            Ok(test) => test,
            Err(message) => {
                let message = format!("the condition is not read: {message}");
                self.parser
                    .problem(directive.line, ProblemKind::NotRead, message);
                return None;
            }
        };
        let mut then = Code::default();
        let inner_context = DirectiveContext {
            words: format!("if in {}", context.words),
            exact: None,
        };
        let block = directive.block.as_deref().unwrap_or_default();
        let settings = self.settings(block.iter(), &Content::default(), None);
        for inner in block {
            match inner.name() {
                "rewrite" | "return" | "set" | "if" | "break" => {
                    if let Some(op) = self.op(inner, &inner_context) {
                        then.push(op);
                    }
                }
                _ => {
                    let mut own = BlockContents::default();
                    self.directive(inner, &mut own);
                    for op in own.code.ops() {
                        if let Op::Unread { line } = op {
                            then.push(Op::Unread { line: *line });
                        }
                    }
                }
            }
        }
        Some(Op::If {
            line: directive.line,
            test,
            then,
            handed_on: settings.handed_on,
        })
    }

    fn map(&mut self, directive: &Directive, block: &[Directive]) {
        let arguments = directive.arguments();
        let [source, name] = arguments[..] else {
            self.refuse(directive, "a map needs a string and a variable");
            return;
        };
        if !name.starts_with('$') {
            let message = format!("the map's name {name:?} is no variable");
            self.refuse(directive, &message);
        }
        if !source.contains('$') {
            let message = format!("{source:?} has no variable, so the map has a single value");
            let kind = ProblemKind::Dropped;
            self.parser.problem(directive.line, kind, message);
        }
        let mut map = Map {
            line: directive.line,
            source: Template::new(source),
            ..Map::default()
        };
        for entry in block {
            self.map_entry(entry, &mut map);
        }
        let name = name.trim_start_matches('$').to_owned();
        self.nginx.maps.insert(name, map);
    }

    fn map_entry(&mut self, entry: &Directive, map: &mut Map) {
        let line = entry.line;
        let arguments = entry.arguments();
        let (key, value) = match (entry.name(), &arguments[..]) {
            ("volatile", []) => {
                map.is_volatile = true;
                return;
            }
            ("hostnames" | "include", _) => {
                let message = format!("{} in a map is not read", entry.name());
                self.parser.problem(line, ProblemKind::NotRead, message);
                map.unread.get_or_insert(line);
                return;
            }
            ("default", [value]) => {
                map.default = Some(Template::new(value));
                return;
            }
            (key, [value]) => (key, *value),
            _ => {
                self.refuse(entry, "an entry of a map needs a key and a value");
                return;
            }
        };
        let value = Template::new(value);
        let rule = Rule {
            line,
            from: key.to_owned(),
            to: Some(arguments.concat()),
            status: 301,
            status_is_default: false,
            is_exact: !key.starts_with('~'),
            samples: Vec::new(),
        };
        if let Some(source) = key.strip_prefix('~') {
            let (source, ignores_case) = match source.strip_prefix('*') {
                Some(source) => (source, true),
                None => (source, false),
            };
            match self.parser.pattern(source, ignores_case) {
                Ok(pattern) => {
                    let rule = self.parser.rule(rule);
                    map.index.add_pattern(&pattern, map.patterns.len());
                    map.patterns.push((pattern, rule, value));
                }
                Err(message) => {
                    let message = format!("the pattern {source:?} is not read: {message}");
                    self.parser.problem(line, ProblemKind::NotRead, message);
                }
            }
            return;
        }
        let key = key.strip_prefix('\\').unwrap_or(key);
        let mut rule = rule;
        let is_path = matches!(
            &map.source.pieces[..],
            [Piece::Variable(name)] if matches!(name.as_str(), "uri" | "request_uri")
        );
        if is_path && key.starts_with('/') {
            rule.samples.push(key.to_owned());
        }
        let folded = key.to_lowercase().into_bytes();
        if map.exact.contains_key(&folded) {
            let message = format!("conflicting parameter {key:?}: keys differ by more than case");
            self.refuse(entry, &message);
            return;
        }
        let rule = self.parser.rule(rule);
        map.exact.insert(folded, (rule, value));
    }
}

/// The context of a directive in words, and the only path that reaches it, if there is just one.
struct DirectiveContext {
    words: String,
    exact: Option<String>,
}

impl DirectiveContext {
    fn location(words: &str, modifier: &str, path: &str) -> Self {
        Self {
            words: words.to_owned(),
            exact: (modifier == "=").then(|| address_of(path)),
        }
    }
}

/// A decoded path from the configuration, escaped as a client would send it.
fn address_of(path: &str) -> String {
    super::escape::text(&super::escape::uri(path.as_bytes()))
}

/// `merge_slashes off`
fn keeps_slashes(directive: &Directive) -> bool {
    directive.name() == "merge_slashes" && matches!(directive.arguments()[..], ["off"])
}

fn starts_url(text: &str) -> bool {
    ["http://", "https://", "$scheme"]
        .iter()
        .any(|start| text.starts_with(start))
}

/// The condition of an `if`, whose parentheses may be separate words or attached to one.
fn test_of(words: &[&Word], parser: &mut RuleParser) -> Result<Test, LineError> {
    let mut texts: Vec<&str> = words.iter().map(|word| word.text.as_str()).collect();
    let missing = || LineError::Form("parentheses are missing");
    let first = texts.first_mut().ok_or_else(missing)?;
    *first = first.strip_prefix('(').ok_or_else(missing)?;
    let last = texts.last_mut().ok_or_else(missing)?;
    *last = last.strip_suffix(')').ok_or_else(missing)?;
    texts.retain(|text| !text.is_empty());
    let not = |mark: &str| mark.starts_with('!');
    match texts[..] {
        [variable] => Ok(Test::Filled(Template::new(variable))),
        [mark @ ("-f" | "!-f"), path] => Ok(Test::File(Template::new(path), not(mark))),
        [mark @ ("-d" | "!-d"), path] => Ok(Test::Directory(Template::new(path), not(mark))),
        [mark @ ("-e" | "!-e"), path] => Ok(Test::Exists(Template::new(path), not(mark))),
        [left, mark @ ("=" | "!="), right] => Ok(Test::Equal(
            Template::new(left),
            Template::new(right),
            not(mark),
        )),
        // An empty quoted string was dropped above.
        [left, mark @ ("=" | "!=")] => Ok(Test::Equal(
            Template::new(left),
            Template::default(),
            not(mark),
        )),
        [left, mark @ ("~" | "~*" | "!~" | "!~*"), source] => {
            let pattern = parser.pattern(source, mark.ends_with('*'))?;
            Ok(Test::Match(Template::new(left), pattern, not(mark)))
        }
        _ => Err(LineError::Condition(texts.join(" "))),
    }
}

/// Entries of a map answer with the status of the first `return` in the file that uses the map.
fn give_status_to_map_entries(nginx: &Nginx, parser: &mut RuleParser) {
    // The index of that rule, and its status. The locations are unordered.
    let mut statuses: BTreeMap<&str, (usize, u16)> = BTreeMap::new();
    for server in &nginx.servers {
        let mut codes: Vec<&Code> = vec![&server.code];
        codes.extend(server.locations.codes());
        while let Some(code) = codes.pop() {
            for op in code.ops() {
                match op {
                    Op::If { then, .. } => codes.push(then),
                    Op::Return {
                        rule,
                        status,
                        to: Some(to),
                        ..
                    } => {
                        for name in to.variables() {
                            let first = statuses.entry(name).or_insert((*rule, *status));
                            *first = (*first).min((*rule, *status));
                        }
                    }
                    _ => {}
                }
            }
        }
    }
    for (name, (_, status)) in statuses {
        let Some(map) = nginx.maps.get(name) else {
            continue;
        };
        let exact = map.exact.values().map(|(rule, _)| *rule);
        let patterns = map.patterns.iter().map(|(_, rule, _)| *rule);
        for rule in exact.chain(patterns) {
            if let Some(rule) = parser.rules.get_mut(rule) {
                rule.status = status;
            }
        }
    }
}
