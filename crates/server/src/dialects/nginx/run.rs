//! Processes a request as nginx does: the directives of the server, then the location and its
//! directives, repeated while the address changes, then `try_files`, the file, and error pages.

use std::borrow::Cow;
use std::collections::HashMap;

use super::code::{Code, Flag, Op, Test};
use super::content::{Access, Content, Origin};
use super::escape;
use super::location::Location;
use super::server::{Nginx, Server};
use super::template::Template;
use crate::engine::work::{NoAnswer, Work};
use crate::request::{FileKind, Files, Request};
use crate::rule::Answer;

/// The maximum number of address changes (`NGX_HTTP_MAX_URI_CHANGES`).
const MAX_CHANGES: usize = 10;
/// The cost of storing a variable, without the cost of its value.
const STORING_STEPS: usize = 3;

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
        named_location: None,
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

pub(super) struct Run<'n, 'u> {
    pub(super) nginx: &'n Nginx,
    pub(super) server: &'n Server,
    pub(super) request: &'n Request<'u>,
    pub(super) files: &'n dyn Files,
    pub(super) work: &'n Work,
    pub(super) uri: Vec<u8>,
    pub(super) args: Vec<u8>,
    pub(super) captures: Vec<Vec<u8>>,
    pub(super) variables: HashMap<String, Vec<u8>>,
    /// The values of maps, each with the entry that was used.
    pub(super) mapped: HashMap<String, (Vec<u8>, Option<usize>)>,
    /// The last map entry used.
    pub(super) map_rule: Option<usize>,
    /// The last rewrite that changed the address.
    pub(super) rule: Option<usize>,
    /// The number of rewrites that changed the address.
    pub(super) rewrites: usize,
    pub(super) changes: usize,
    /// The named location to go to next.
    pub(super) named_location: Option<String>,
    /// The current settings: first the server's, then the location's.
    pub(super) at: &'n Content,
    /// Whether the address is internal: made by the server.
    pub(super) is_internal: bool,
    /// Whether an `if` of the location was entered, ...
    pub(super) is_in_if: bool,
    /// ... and the line in it that hands the request on.
    pub(super) if_hands_on: Option<usize>,
    /// The error whose page is being served.
    pub(super) failed: Option<Failed>,
    /// Whether a returned error has its own text.
    pub(super) has_text: bool,
}

/// An error whose page is being served. A status of 0 stands for that of the page.
pub(super) struct Failed {
    status: u16,
    rule: Option<usize>,
    /// The original error.
    error: Answer,
}

/// The next phase.
pub(super) enum Next {
    Answer(Answer),
    /// The directives of the server run again, for another address.
    Redirected,
    /// The location of the new address is found.
    Location,
}

/// How directives end without an answer.
#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    /// The address is unchanged, or the location stays.
    Here,
    /// A location must be found again.
    Again,
}

/// The effect of the directives of an `if` or location.
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
        if self.named_location.is_none() {
            let mut is_changed = false;
            if let Err(answer) = self.code(&server.code, &mut is_changed) {
                return self.ended(answer);
            }
        }
        self.in_location()
    }

    fn in_location(&mut self) -> Next {
        let server = self.server;
        if self.named_location.is_none() && server.locations.adds_slash(&self.uri) {
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

    /// Applies the error page to the answer of a directive.
    fn ended(&mut self, answer: Answer) -> Next {
        match answer {
            Answer::Refused { status, rule } if !self.has_text => self.refuse(status, rule),
            answer => Next::Answer(answer),
        }
    }

    /// `ngx_http_special_response_handler`: serves the page of an error, unless this is already an
    /// error page.
    pub(super) fn refuse(&mut self, status: u16, rule: Option<usize>) -> Next {
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

    /// Gives an error page the status of its error.
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

    /// Continues at a named location, or at a path with an optional query.
    pub(super) fn go_to(&mut self, to: &[u8]) {
        self.is_internal = true;
        if to.starts_with(b"@") {
            self.named_location = Some(String::from_utf8_lossy(to).into_owned());
            return;
        }
        let at = to.iter().position(|b| *b == b'?');
        let (uri, args) = to.split_at(at.unwrap_or(to.len()));
        self.uri = uri.to_vec();
        self.args = args.get(1..).unwrap_or_default().to_vec();
    }

    fn location(&mut self) -> Result<Option<&'n Location>, Answer> {
        let server = self.server;
        if let Some(name) = self.named_location.take() {
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

    /// Runs directives and returns how they ended. After an `if` that does not stop, the following ones
    /// run.
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
                Op::Unread { line } => return Err(Answer::Unknown { line: *line }),
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

    /// The directives that may have an effect on the current address.
    fn candidates(&self, code: &Code) -> Result<Vec<usize>, NoAnswer> {
        let value = |name: &str| match name {
            "uri" => Cow::Borrowed(&self.uri[..]),
            "args" => Cow::Borrowed(&self.args[..]),
            _ => Cow::Owned(self.request_variable(name).unwrap_or_default().into_bytes()),
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
    pub(super) fn absolute(&self, location: &[u8]) -> String {
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
            Test::File(path, not) => {
                Ok(negate(self.kind(path, line)? == Some(FileKind::File), *not))
            }
            Test::Directory(path, not) => Ok(negate(
                self.kind(path, line)? == Some(FileKind::Directory),
                *not,
            )),
            Test::Exists(path, not) => Ok(negate(self.kind(path, line)?.is_some(), *not)),
        }
    }

    /// Runs `try_files` and looks for the file.
    fn content(&mut self, content: &'n Content) -> Next {
        if let Some(line) = self.if_hands_on {
            return Next::Answer(Answer::Unknown { line });
        }
        // Inside an `if`, `try_files` is ignored.
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
}

fn is_redirect(status: u16) -> bool {
    matches!(status, 301 | 302 | 303 | 307 | 308)
}
