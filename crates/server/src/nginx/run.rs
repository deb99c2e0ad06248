//! Processes a request as nginx does: the code of the server, then the location and its code,
//! repeated while the address changes, then `try_files` and the file, and the pages of errors.

use std::collections::HashMap;

use std::borrow::Cow;

use super::code::{Code, Flag, Op, Test};
use super::content::{Access, Content, Map, Origin};
use super::escape;
use super::location::Location;
use super::root::Root;
use super::server::{Name, Nginx, Server};
use super::template::{Piece, Template};
use crate::pattern::Groups;
use crate::request::{Files, Kind, Request};
use crate::rule::Answer;
use crate::work::{Limit, NoAnswer, Work};

/// How often the address may change (`NGX_HTTP_MAX_URI_CHANGES`).
const MAX_CHANGES: usize = 10;
/// How deeply maps may nest in the values of maps.
const MAX_MAP_DEPTH: usize = 16;
/// What it costs to look for an index by one of its names.
const ASKING_STEPS: usize = 4;
/// What it costs to store a variable beside what its value costs.
const STORING_STEPS: usize = 3;

/// A placeholder for the unknown path of the document root on the server's disk.
const DOCUMENT_ROOT: &str = "/\u{1}";
/// A placeholder for a path on the disk outside of the site.
const OUTSIDE: &str = "/\u{2}";

pub(super) fn answer(
    nginx: &Nginx,
    server: &Server,
    request: &Request<'_>,
    uri: Vec<u8>,
    files: &dyn Files,
    work: &Work,
) -> Answer {
    let mut run = Run {
        nginx,
        server,
        request,
        files,
        work,
        uri,
        args: request.query.unwrap_or_default().as_bytes().to_vec(),
        captures: Vec::new(),
        variables: HashMap::new(),
        mapped: HashMap::new(),
        map_rule: None,
        rule: None,
        rewrites: 0,
        changes: 0,
        is_named: None,
        at: &server.content,
        is_internal: false,
        is_in_if: false,
        if_hands_on: None,
        failed: None,
        has_text: false,
    };
    let answer = run.process();
    run.with_error(answer)
}

struct Run<'n, 'u> {
    nginx: &'n Nginx,
    server: &'n Server,
    request: &'n Request<'u>,
    files: &'n dyn Files,
    work: &'n Work,
    uri: Vec<u8>,
    args: Vec<u8>,
    captures: Vec<Vec<u8>>,
    variables: HashMap<String, Vec<u8>>,
    /// The values of maps, each with the entry that was used.
    mapped: HashMap<String, (Vec<u8>, Option<usize>)>,
    /// The last map entry used.
    map_rule: Option<usize>,
    /// The last rewrite that changed the address.
    rule: Option<usize>,
    /// How many rewrites have changed the address.
    rewrites: usize,
    changes: usize,
    /// The named location to go to next.
    is_named: Option<String>,
    /// The settings in force: those of the server, then of the location.
    at: &'n Content,
    /// Whether the address is one that the server made.
    is_internal: bool,
    /// Whether an `if` of the location was taken, ...
    is_in_if: bool,
    /// ... and the line in it that hands the request on.
    if_hands_on: Option<usize>,
    /// The error whose page is being served.
    failed: Option<Failed>,
    /// Whether the error that code returned has a text of its own.
    has_text: bool,
}

/// An error, and the status of what is answered in its place, 0 for its own.
struct Failed {
    status: u16,
    rule: Option<usize>,
    /// What caused it.
    error: Answer,
}

/// What comes next.
enum Next {
    Answer(Answer),
    /// The server runs its code for another address.
    Redirected,
    /// The location of another address is found.
    Location,
}

/// How code ends without an answer.
#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    /// The address is unchanged, or no location needs to be found.
    Here,
    /// A location must be found again.
    Again,
}

/// What the code of one `if` or location did.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Flow {
    On,
    Stop(End),
}

impl<'n> Run<'n, '_> {
    fn process(&mut self) -> Answer {
        let mut next = Next::Redirected;
        loop {
            if self.changes > MAX_CHANGES {
                return Answer::Refused {
                    status: 500,
                    rule: self.rule,
                };
            }
            next = match next {
                Next::Answer(answer) => return answer,
                Next::Redirected => self.in_server(),
                Next::Location => self.in_location(),
            };
            self.changes += usize::from(!matches!(next, Next::Answer(_)));
        }
    }

    fn in_server(&mut self) -> Next {
        let server = self.server;
        self.at = &server.content;
        if self.is_named.is_none() {
            let mut is_changed = false;
            if let Err(answer) = self.code(&server.code, &mut is_changed) {
                return self.ended(answer);
            }
        }
        self.in_location()
    }

    fn in_location(&mut self) -> Next {
        let server = self.server;
        if self.is_named.is_none() && server.locations.adds_slash(&self.uri) {
            return Next::Answer(self.with_slash());
        }
        let location = match self.location() {
            Ok(location) => location,
            Err(answer) => return Next::Answer(answer),
        };
        let content = location.map_or(&server.content, |location| &location.content);
        self.at = content;
        if content.is_internal && !self.is_internal {
            return self.refuse(404, None);
        }
        let mut is_changed = false;
        (self.is_in_if, self.if_hands_on) = (false, None);
        let flow = location.map_or(Ok(Flow::On), |location| {
            self.code(&location.code, &mut is_changed)
        });
        let end = match flow {
            Err(answer) => return self.ended(answer),
            Ok(Flow::Stop(end)) => end,
            Ok(Flow::On) if is_changed => End::Again,
            Ok(Flow::On) => End::Here,
        };
        if end == End::Again {
            return Next::Location;
        }
        match content.access {
            Access::All => {}
            Access::None => return self.refuse(403, None),
            Access::Some(line) => return Next::Answer(Answer::Unknown { line }),
        }
        self.content(content)
    }

    /// An answer of code: one that is an error may have a page.
    fn ended(&mut self, answer: Answer) -> Next {
        match answer {
            Answer::Refused { status, rule } if !self.has_text => self.refuse(status, rule),
            answer => Next::Answer(answer),
        }
    }

    /// `ngx_http_special_response_handler`: the page of an error, if it has one and is not that of
    /// another.
    fn refuse(&mut self, status: u16, rule: Option<usize>) -> Next {
        let error = Answer::Refused { status, rule };
        let is_first = self.failed.is_none();
        let page = self.at.errors.get(&status);
        let Some(page) = page.filter(|_| is_first) else {
            self.failed = None;
            return Next::Answer(error);
        };
        let to = match self.fill(&page.to, page.line, 0) {
            Ok(to) => to,
            Err(answer) => return Next::Answer(answer),
        };
        if !to.starts_with(b"/") && !to.starts_with(b"@") {
            return Next::Answer(Answer::Redirect {
                status: page
                    .answers
                    .filter(|status| is_redirect(*status))
                    .unwrap_or(302),
                location: escape::text(&to),
                rule: page.rule,
            });
        }
        self.failed = Some(Failed {
            status: page.answers.unwrap_or(status),
            rule: page.rule,
            error,
        });
        self.go_to(&to);
        Next::Redirected
    }

    /// The answer with the status of the error whose page it is.
    fn with_error(&mut self, answer: Answer) -> Answer {
        match (self.failed.take(), answer) {
            (Some(failed), Answer::File { .. }) if failed.status >= 400 => failed.error,
            (Some(failed), Answer::File { path, status, rule }) => Answer::File {
                path,
                status: if failed.status == 0 {
                    status
                } else {
                    failed.status
                },
                rule: failed.rule.or(rule),
            },
            (_, answer) => answer,
        }
    }

    /// Goes on at a named location, or at a path, which may have a query.
    fn go_to(&mut self, to: &[u8]) {
        self.is_internal = true;
        if to.starts_with(b"@") {
            self.is_named = Some(String::from_utf8_lossy(to).into_owned());
            return;
        }
        let at = to.iter().position(|b| *b == b'?');
        let (uri, args) = to.split_at(at.unwrap_or(to.len()));
        self.uri = uri.to_vec();
        self.args = args.get(1..).unwrap_or_default().to_vec();
    }

    fn location(&mut self) -> Result<Option<&'n Location>, Answer> {
        let server = self.server;
        if let Some(name) = self.is_named.take() {
            return match server.named.get(&name) {
                Some(location) => Ok(Some(location)),
                None => Err(Answer::Refused {
                    status: 500,
                    rule: self.rule,
                }),
            };
        }
        let found = server
            .locations
            .find(&self.uri, self.work)
            .map_err(|line| Answer::Unknown { line })?;
        let Some((location, groups)) = found else {
            return Ok(None);
        };
        if let Some(groups) = groups {
            let uri = self.uri.clone();
            self.capture(&groups, &uri);
        }
        Ok(Some(location))
    }

    fn capture(&mut self, groups: &Groups, text: &[u8]) {
        self.captures = (0..groups.len())
            .map(|number| groups.get(number, text).to_vec())
            .collect();
        for (name, number) in groups.names() {
            let value = groups.get(*number, text).to_vec();
            self.variables.insert(name.clone(), value);
        }
    }

    /// Runs code, and returns how it ended. After an `if` that does not stop, the following code
    /// runs.
    fn code(&mut self, code: &'n Code, is_changed: &mut bool) -> Result<Flow, Answer> {
        let unknown = |NoAnswer| Answer::Unknown { line: code.line() };
        let mut candidates = self.candidates(code).map_err(unknown)?;
        let mut rewrites = self.rewrites;
        let mut next = 0;
        while let Some((at, op)) = code.next(&candidates, next) {
            if code.has_pattern(next..at) {
                self.captures.clear();
            }
            next = at + 1;
            let line = op.line().unwrap_or(1);
            self.work
                .take(1)
                .map_err(|NoAnswer| Answer::Unknown { line })?;
            match op {
                Op::Break => return Ok(Flow::Stop(End::Here)),
                Op::Set { line, name, value } => {
                    let stored = self.work.take(STORING_STEPS);
                    stored.map_err(|NoAnswer| Answer::Unknown { line: *line })?;
                    let value = self.fill(value, *line, 0)?;
                    self.variables.insert(name.clone(), value);
                }
                Op::If {
                    line,
                    test,
                    then,
                    handed_on,
                } => {
                    if self.holds(test, *line)? {
                        (self.is_in_if, self.if_hands_on) = (true, *handed_on);
                        let flow = self.code(then, is_changed)?;
                        if flow != Flow::On {
                            return Ok(flow);
                        }
                    }
                }
                Op::Return {
                    rule,
                    line,
                    status,
                    to,
                    is_bare,
                } => {
                    self.has_text = !is_bare;
                    return Err(self.returned(*rule, *line, *status, to.as_ref())?);
                }
                Op::Rewrite { .. } => match self.rewrite(op, is_changed)? {
                    Flow::On => {}
                    stop @ Flow::Stop(_) => return Ok(stop),
                },
            }
            if self.rewrites != rewrites {
                rewrites = self.rewrites;
                candidates = self.candidates(code).map_err(unknown)?;
            }
        }
        if code.has_pattern(next..code.ops().len()) {
            self.captures.clear();
        }
        Ok(Flow::On)
    }

    /// The directives that may do something, given the address as it is.
    fn candidates(&self, code: &Code) -> Result<Vec<usize>, NoAnswer> {
        let value = |name: &str| match name {
            "uri" => Cow::Borrowed(&self.uri[..]),
            "args" => Cow::Borrowed(&self.args[..]),
            _ => Cow::Owned(self.of_request(name).unwrap_or_default().into_bytes()),
        };
        code.candidates(value, self.work)
    }

    fn returned(
        &mut self,
        rule: usize,
        line: usize,
        status: u16,
        to: Option<&Template>,
    ) -> Result<Answer, Answer> {
        let Some(to) = to else {
            return Ok(match status {
                200..=299 => Answer::File {
                    path: self.uri.clone(),
                    status,
                    rule: Some(rule),
                },
                _ => Answer::Refused {
                    status,
                    rule: Some(rule),
                },
            });
        };
        self.map_rule = None;
        let location = self.fill(to, line, 0)?;
        Ok(Answer::Redirect {
            status,
            location: self.absolute(&location),
            rule: Some(self.map_rule.unwrap_or(rule)),
        })
    }

    /// `absolute_redirect on`
    fn absolute(&self, location: &[u8]) -> String {
        let text = escape::text(location);
        if !text.starts_with('/') {
            return text;
        }
        let request = self.request;
        match self.at.origin {
            Origin::Full => format!("{}{text}", request.origin()),
            Origin::WithoutPort => format!("{}://{}{text}", request.scheme, request.host_name()),
            Origin::Relative => text,
        }
    }

    fn rewrite(&mut self, op: &'n Op, is_changed: &mut bool) -> Result<Flow, Answer> {
        let Op::Rewrite {
            rule,
            line,
            pattern,
            to,
            args,
            adds_args,
            flag,
        } = op
        else {
            return Ok(Flow::On);
        };
        let uri = self.uri.clone();
        let unknown = Answer::Unknown { line: *line };
        let groups = pattern.find(&uri, self.work).map_err(|_| unknown)?;
        let Some(groups) = groups else {
            self.captures.clear();
            return Ok(Flow::On);
        };
        self.capture(&groups, &uri);
        self.map_rule = None;
        let is_redirect = matches!(flag, Flag::Redirect(_));
        let mut path = self.fill_escaped(to, *line, is_redirect)?;
        let args = match args {
            Some(args) => Some(self.fill_escaped(args, *line, true)?),
            None => None,
        };
        if let Flag::Redirect(status) = flag {
            if let Some(args) = &args {
                path.push(b'?');
                path.extend_from_slice(args);
            }
            let mut location = escape::unescape_redirect(&path);
            if *adds_args && !self.args.is_empty() {
                location.push(if args.is_some() { b'&' } else { b'?' });
                location.extend_from_slice(&self.args);
            }
            return Err(Answer::Redirect {
                status: *status,
                location: self.absolute(&location),
                rule: Some(self.map_rule.unwrap_or(*rule)),
            });
        }
        self.rule = Some(*rule);
        match args {
            Some(mut args) => {
                if *adds_args && !self.args.is_empty() {
                    args.push(b'&');
                    args.extend_from_slice(&self.args);
                }
                self.args = args;
            }
            None if !adds_args => self.args.clear(),
            None => {}
        }
        if path.is_empty() {
            return Err(Answer::Refused {
                status: 500,
                rule: Some(*rule),
            });
        }
        self.uri = path;
        self.is_internal = true;
        self.rewrites += 1;
        match flag {
            Flag::Last => Ok(Flow::Stop(End::Again)),
            Flag::Break => Ok(Flow::Stop(End::Here)),
            Flag::None | Flag::Redirect(_) => {
                *is_changed = true;
                Ok(Flow::On)
            }
        }
    }

    fn holds(&mut self, test: &'n Test, line: usize) -> Result<bool, Answer> {
        let negate = |found: bool, not: bool| found != not;
        match test {
            Test::Filled(value) => {
                let value = self.fill(value, line, 0)?;
                Ok(!value.is_empty() && value != b"0")
            }
            Test::Equal(left, right, not) => {
                let left = self.fill(left, line, 0)?;
                let right = self.fill(right, line, 0)?;
                Ok(negate(left == right, *not))
            }
            Test::Match(value, pattern, not) => {
                let value = self.fill(value, line, 0)?;
                let groups = pattern.find(&value, self.work);
                let groups = groups.map_err(|NoAnswer| Answer::Unknown { line })?;
                match &groups {
                    Some(groups) => self.capture(groups, &value),
                    None => self.captures.clear(),
                }
                Ok(negate(groups.is_some(), *not))
            }
            Test::File(path, not) => Ok(negate(self.kind(path, line)? == Some(Kind::File), *not)),
            Test::Directory(path, not) => Ok(negate(
                self.kind(path, line)? == Some(Kind::Directory),
                *not,
            )),
            Test::Exists(path, not) => Ok(negate(self.kind(path, line)?.is_some(), *not)),
        }
    }

    /// What exists at a path on the server's disk; outside the site nothing is assumed to.
    fn kind(&mut self, path: &'n Template, line: usize) -> Result<Option<Kind>, Answer> {
        let path = self.fill(path, line, 0)?;
        if path.starts_with(OUTSIDE.as_bytes()) {
            return Err(Answer::Unknown { line });
        }
        let below = path.strip_prefix(DOCUMENT_ROOT.as_bytes());
        let below = below.or_else(|| path.strip_prefix(self.server.site.as_deref()?.as_bytes()));
        let found = below.and_then(|path| Some((path, self.files.kind(bare(path))?)));
        // The name of a file cannot be followed by a slash.
        let found = found.filter(|(path, kind)| *kind != Kind::File || !path.ends_with(b"/"));
        Ok(found.map(|(_, kind)| kind))
    }

    /// The path below the root of the site that has the file of an address, by the settings in force.
    fn file_of(&mut self, uri: &[u8]) -> Result<Vec<u8>, Answer> {
        let at = self.at;
        let path = match &at.root {
            Root::Site => uri.to_vec(),
            Root::Below(folder) => [folder.as_bytes(), uri].concat(),
            Root::Alias(alias) => {
                let mut path = self.fill(&alias.to, alias.line, 0)?;
                match alias.length {
                    Some(length) => path.extend_from_slice(uri.get(length..).unwrap_or_default()),
                    // What it looks for in a folder then is not known.
                    None if uri.ends_with(b"/") => {
                        return Err(Answer::Unknown { line: alias.line });
                    }
                    None => {}
                }
                path
            }
            Root::Elsewhere(line) => return Err(Answer::Unknown { line: *line }),
        };
        Ok(merge_slashes(&path))
    }

    fn fill(&mut self, template: &Template, line: usize, depth: usize) -> Result<Vec<u8>, Answer> {
        let mut out = Vec::new();
        for piece in &template.pieces {
            self.take_text(&out, line)?;
            self.push(piece, &mut out, line, depth)?;
        }
        self.take_text(&out, line)?;
        Ok(out)
    }

    /// Adds the value of a piece to a text.
    fn push(
        &mut self,
        piece: &Piece,
        out: &mut Vec<u8>,
        line: usize,
        depth: usize,
    ) -> Result<(), Answer> {
        match piece {
            Piece::Text(text) => out.extend_from_slice(text.as_bytes()),
            Piece::Capture(number) => out.extend_from_slice(self.captured(*number)),
            Piece::Variable(name) => out.extend(self.variable(name, line, depth)?),
        }
        Ok(())
    }

    /// The text of a group of the last pattern, empty if there is none.
    fn captured(&self, number: usize) -> &[u8] {
        self.captures.get(number).map_or(&[], Vec::as_slice)
    }

    /// Counts a piece of a text, and how long the text has become.
    fn take_text(&self, text: &[u8], line: usize) -> Result<(), Answer> {
        let taken = self.work.take(1);
        let taken = taken.and_then(|()| self.work.take_text(text.len()));
        taken.map_err(|NoAnswer| Answer::Unknown { line })
    }

    /// In a rewrite, captures from an address that had escapes are escaped again.
    fn fill_escaped(
        &mut self,
        template: &Template,
        line: usize,
        escapes: bool,
    ) -> Result<Vec<u8>, Answer> {
        let has_marks = self.request.path.contains(['%', '+']);
        let mut out = Vec::new();
        for piece in &template.pieces {
            self.take_text(&out, line)?;
            match piece {
                Piece::Capture(number) if escapes && has_marks => {
                    out.extend(escape::args(self.captured(*number)));
                }
                piece => self.push(piece, &mut out, line, 0)?,
            }
        }
        self.take_text(&out, line)?;
        Ok(out)
    }

    fn variable(&mut self, name: &str, line: usize, depth: usize) -> Result<Vec<u8>, Answer> {
        Ok(match name {
            "uri" | "document_uri" => self.uri.clone(),
            "args" | "query_string" => self.args.clone(),
            "is_args" => if self.args.is_empty() { "" } else { "?" }.into(),
            "request_filename" => match self.file_of(&self.uri.clone()) {
                Ok(path) => [DOCUMENT_ROOT.as_bytes(), &path].concat(),
                Err(_) => OUTSIDE.into(),
            },
            "document_root" | "realpath_root" => {
                let at = self.at;
                match &at.root {
                    Root::Site => DOCUMENT_ROOT.into(),
                    Root::Below(folder) => [DOCUMENT_ROOT, folder].concat().into(),
                    Root::Alias(alias) => {
                        let path = self.fill(&alias.to, line, depth)?;
                        [DOCUMENT_ROOT.as_bytes(), &path].concat()
                    }
                    Root::Elsewhere(_) => OUTSIDE.into(),
                }
            }
            _ => {
                if let Some(value) = self.of_request(name) {
                    return Ok(value.into_bytes());
                }
                if let Some(value) = self.variables.get(name) {
                    return Ok(value.clone());
                }
                if let Some(map) = self.nginx.maps.get(name) {
                    return self.of_map(name, map, depth);
                }
                if let Some(key) = name.strip_prefix("arg_") {
                    self.take_text(&self.args, line)?;
                    return Ok(self.argument(key));
                }
                return Err(Answer::Unknown { line });
            }
        })
    }

    /// A variable that stays the same for a request.
    fn of_request(&self, name: &str) -> Option<String> {
        let request = self.request;
        Some(match name {
            "request_uri" => match request.query {
                Some(query) => format!("{}?{query}", request.path),
                None => request.path.to_owned(),
            },
            "host" | "hostname" => request.host_name().to_ascii_lowercase(),
            "http_host" => request.host.to_owned(),
            "scheme" => request.scheme.to_owned(),
            "https" => if request.scheme == "https" { "on" } else { "" }.to_owned(),
            "request_method" => "GET".to_owned(),
            "server_name" => match self.server.names.first() {
                Some(Name::Text(name)) => name.clone(),
                _ => String::new(),
            },
            "server_port" => request.port().to_string(),
            "empty" => String::new(),
            _ => return None,
        })
    }

    fn argument(&self, key: &str) -> Vec<u8> {
        let pairs = self.args.split(|b| *b == b'&');
        let mut values = pairs.filter_map(|pair| {
            let at = pair.iter().position(|b| *b == b'=')?;
            let (name, value) = pair.split_at(at);
            name.eq_ignore_ascii_case(key.as_bytes())
                .then(|| value[1..].to_vec())
        });
        values.next().unwrap_or_default()
    }

    /// The value of a map, which is found once for a request.
    fn of_map(&mut self, name: &str, map: &'n Map, depth: usize) -> Result<Vec<u8>, Answer> {
        if let Some((value, rule)) = self.mapped.get(name).filter(|_| !map.is_volatile) {
            self.map_rule = rule.or(self.map_rule);
            return Ok(value.clone());
        }
        let before = self.map_rule.take();
        let value = self.look_up(map, depth)?;
        self.mapped
            .insert(name.to_owned(), (value.clone(), self.map_rule));
        self.map_rule = self.map_rule.or(before);
        Ok(value)
    }

    fn look_up(&mut self, map: &'n Map, depth: usize) -> Result<Vec<u8>, Answer> {
        if depth > MAX_MAP_DEPTH {
            self.work.meet(Limit::Depth);
            return Err(Answer::Unknown { line: map.line });
        }
        let key = self.fill(&map.source, map.line, depth + 1)?;
        let folded = match std::str::from_utf8(&key) {
            Ok(text) => text.to_lowercase().into_bytes(),
            Err(_) => key.to_ascii_lowercase(),
        };
        if let Some((rule, value)) = map.exact.get(&folded) {
            let value = self.fill(value, map.line, depth + 1)?;
            self.map_rule = Some(*rule);
            return Ok(value);
        }
        let unknown = |NoAnswer| Answer::Unknown { line: map.line };
        let candidates = map.index.candidates(&key, self.work).map_err(unknown)?;
        for at in candidates {
            let Some((pattern, rule, value)) = map.patterns.get(at) else {
                continue;
            };
            if let Some(groups) = pattern.find(&key, self.work).map_err(unknown)? {
                self.capture(&groups, &key);
                let value = self.fill(value, map.line, depth + 1)?;
                self.map_rule = Some(*rule);
                return Ok(value);
            }
        }
        match &map.default {
            Some(value) => self.fill(value, map.line, depth + 1),
            None => Ok(Vec::new()),
        }
    }

    /// `try_files` and the file, or another address.
    fn content(&mut self, content: &'n Content) -> Next {
        if let Some(line) = self.if_hands_on {
            return Next::Answer(Answer::Unknown { line });
        }
        // An `if` that was taken has no `try_files`.
        let found = match content.try_files.split_last() {
            Some((last, names)) if !self.is_in_if => self.try_files(content, names, last),
            _ => Ok(None),
        };
        match found {
            Err(answer) => Next::Answer(answer),
            Ok(Some(next)) => next,
            Ok(None) => self.file(content).unwrap_or_else(Next::Answer),
        }
    }

    /// What comes next if no name has a file; otherwise the address is that of the first that has.
    fn try_files(
        &mut self,
        content: &'n Content,
        names: &'n [Template],
        last: &'n Template,
    ) -> Result<Option<Next>, Answer> {
        for name in names {
            let mut path = self.tried(content, name)?;
            // A trailing slash in the parameter asks for a directory and is then removed.
            let wanted = if name.ends_in_slash() {
                path.pop();
                Kind::Directory
            } else {
                Kind::File
            };
            let file = match &content.root {
                Root::Alias(alias) => {
                    let to = self.fill(&alias.to, content.line, 0)?;
                    merge_slashes(&[&to[..], &path].concat())
                }
                _ => self.file_of(&path)?,
            };
            let found = self.files.kind(bare(&file));
            let is_file_path = wanted == Kind::Directory || !path.ends_with(b"/");
            if found == Some(wanted) && is_file_path {
                let Root::Alias(alias) = &content.root else {
                    self.uri = path;
                    return Ok(None);
                };
                let Some(start) = alias.length.and_then(|length| self.uri.get(..length)) else {
                    // In a location with a pattern the path is put after the alias once more.
                    return Err(Answer::Unknown { line: content.line });
                };
                self.uri = [start, &path].concat();
                return Ok(None);
            }
        }
        let path = self.tried(content, last)?;
        if let Some(status) = path.strip_prefix(b"=") {
            let status = String::from_utf8_lossy(status).parse().unwrap_or(404);
            return Ok(Some(self.refuse(status, self.rule)));
        }
        self.go_to(&path);
        Ok(Some(Next::Redirected))
    }

    /// A name of `try_files`. In a location with an alias, the path of the location is taken off one
    /// that has a variable in it.
    fn tried(&mut self, content: &Content, name: &Template) -> Result<Vec<u8>, Answer> {
        let path = self.fill(name, content.line, 0)?;
        if let Root::Alias(alias) = &content.root
            && name.text().is_none()
            && let Some(start) = alias.length.and_then(|length| self.uri.get(..length))
            && let Some(rest) = path.strip_prefix(start)
        {
            return Ok(rest.to_vec());
        }
        Ok(path)
    }

    /// # Errors
    ///
    /// If nothing is known of the place of its files.
    fn file(&mut self, content: &'n Content) -> Result<Next, Answer> {
        if let Some(line) = content.handed_on {
            return Err(Answer::Unknown { line });
        }
        let uri = self.uri.clone();
        let file = self.file_of(&uri)?;
        let kind = self.files.kind(bare(&file));
        if uri.ends_with(b"/") {
            if kind != Some(Kind::Directory) {
                return Ok(self.refuse(404, self.rule));
            }
            let default = ["index.html".to_owned()];
            let names = if content.index.is_empty() {
                &default[..]
            } else {
                &content.index[..]
            };
            for name in names {
                let taken = self.work.take(ASKING_STEPS);
                // The first line stands for the file.
                taken.map_err(|NoAnswer| Answer::Unknown { line: 1 })?;
                let index = [&uri, name.as_bytes()].concat();
                let file = self.file_of(&index)?;
                if self.files.is_file(&file) {
                    self.uri = index;
                    self.is_internal = true;
                    // The index is requested like any other address.
                    return Ok(Next::Redirected);
                }
            }
            if content.lists {
                return Ok(Next::Answer(self.found(file)));
            }
            return Ok(self.refuse(403, self.rule));
        }
        Ok(match kind {
            Some(Kind::File) => Next::Answer(self.found(file)),
            Some(Kind::Directory) => Next::Answer(self.with_slash()),
            None => self.refuse(404, self.rule),
        })
    }

    fn found(&self, path: Vec<u8>) -> Answer {
        Answer::File {
            path,
            status: 200,
            rule: self.rule,
        }
    }

    /// The redirect that adds a final slash.
    fn with_slash(&self) -> Answer {
        let mut location = escape::uri(&self.uri);
        location.push(b'/');
        if !self.args.is_empty() {
            location.push(b'?');
            location.extend_from_slice(&self.args);
        }
        Answer::Redirect {
            status: 301,
            location: self.absolute(&location),
            rule: None,
        }
    }
}

fn is_redirect(status: u16) -> bool {
    matches!(status, 301 | 302 | 303 | 307 | 308)
}

/// A path as the file system reads it.
fn merge_slashes(path: &[u8]) -> Vec<u8> {
    let mut out = path.to_vec();
    out.dedup_by(|a, b| *a == b'/' && *b == b'/');
    out
}

fn bare(path: &[u8]) -> &[u8] {
    match path.strip_suffix(b"/") {
        Some(bare) if !bare.is_empty() => bare,
        _ => path,
    }
}
