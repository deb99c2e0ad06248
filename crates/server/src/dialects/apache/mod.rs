//! Redirects of the Apache HTTP Server: `mod_alias` and `mod_rewrite`, in the server configuration
//! and in `.htaccess`, and what `mod_dir` does by itself.
//!
//! A request is processed as in Apache: the path is decoded and normalized; `mod_rewrite` processes
//! it, then `mod_alias`; the directories are walked, and for a folder with an `.htaccess` both run
//! again, with the path below that folder. Last comes `mod_dir`, which adds a slash or repeats the
//! process for the index.

mod access;
mod alias;
mod branches;
mod errors;
mod expression;
mod form;
mod lines;
mod modules;
pub(crate) mod read;
mod rewrite;
mod section;
mod state;
mod unsupported;
mod variables;

pub(crate) use form::{FORM, HTACCESS_FORM};

use crate::engine::choices::{Choices, owner};
use crate::engine::work::{NoAnswer, Work};
use crate::request::{self, FileKind, Files, Request};
use crate::responder::{Responder, Visit};
use crate::rule::Answer;
use branches::Branches;
use rewrite::Outcome;
use section::Section;
use state::{RequestState, trim_slash};
use unsupported::UnsupportedDirectives;
use variables::{DOCUMENT_ROOT, Values, length_of_file};

/// The cost of looking up one name of `DirectoryIndex`, without the cost of the rules.
const ASKING_STEPS: usize = 8;
/// Internal redirects that Apache follows for one request (`LimitInternalRecursion`).
const MAX_INTERNAL: usize = 10;

#[derive(Debug)]
pub(crate) struct Apache {
    /// The path of the folder of an `.htaccess`, with a slash at both ends.
    mount: Option<String>,
    main: Section,
    /// The sections of an `.htaccess` that are for some requests.
    branches: Branches,
    hosts: Vec<Section>,
    /// The virtual hosts chosen so far, by the ports and hosts of requests.
    chosen: Choices<(u16, String)>,
    unread: UnsupportedDirectives,
    /// Whether an `.htaccess` has a line that breaks it.
    is_broken: bool,
    /// The settings outside the folder of an `.htaccess`, where the defaults apply.
    outside: Section,
}

impl Apache {
    fn process(&self, state: &mut RequestState<'_>, files: &dyn Files, work: &Work) -> Answer {
        loop {
            if state.internal > MAX_INTERNAL {
                return Answer::refused(500);
            }
            let Ok(active) = self.active(state, files, work) else {
                return Answer::Unknown { line: 1 };
            };
            if let Some(answer) = self.negotiated(state, files, work) {
                return answer;
            }
            let step = match &self.mount {
                None => self.in_server(state, files, work),
                Some(mount) => match self.refusal(state, &active, work) {
                    Some(refusal) => Progress::Done(refusal),
                    None => self.in_folder(mount, &active, state, files, work),
                },
            };
            match step {
                Progress::Done(answer) => return answer,
                Progress::Serve(path) => {
                    let refusal = self.refusal(state, &active, work);
                    return refusal.unwrap_or_else(|| self.serve(state, &path, files, work));
                }
                Progress::Again => state.internal += 1,
            }
        }
    }

    /// The answer with the one file that has the name of a request and an extension, if
    /// `Options MultiViews` is on. Which of several files the server chooses depends on their sizes and
    /// on the visitor, and what rules do with the chosen file is not known.
    fn negotiated(
        &self,
        state: &RequestState<'_>,
        files: &dyn Files,
        work: &Work,
    ) -> Option<Answer> {
        let line = self.settings(&state.request, &state.uri).negotiates?;
        if state.is_subrequest || files.kind(trim_slash(&state.uri)).is_some() {
            return None;
        }
        let at = state.uri.iter().rposition(|byte| *byte == b'/')?;
        let (folder, name) = (&state.uri[..at], &state.uri[at + 1..]);
        let names = files.names_in(folder)?;
        if name.is_empty() || work.take(names.len()).is_err() {
            return None;
        }
        let is_variant = |other: &&Vec<u8>| {
            let rest = other.strip_prefix(name);
            rest.is_some_and(|rest| rest.first() == Some(&b'.'))
        };
        let mut variants = names.iter().filter(is_variant);
        let variant = variants.next()?;
        let path = [folder, b"/", variant].concat();
        let section = self.section(&state.request);
        let has_rules = section.engine.has_lines() || !self.branches.is_empty();
        let is_redirected = || section.redirects.answer(state, work).is_some();
        if variants.next().is_some() || has_rules || !files.is_file(&path) || is_redirected() {
            return Some(Answer::Unknown { line });
        }
        let mut asked = RequestState {
            uri: path,
            is_subrequest: true,
            ..state.clone()
        };
        Some(match self.process(&mut asked, files, work) {
            answer @ (Answer::File { .. } | Answer::Unknown { .. }) => answer,
            Answer::Redirect { .. } | Answer::Refused { .. } => Answer::refused(404),
        })
    }

    /// The sections that are for a request, with the last one taking precedence.
    fn active(
        &self,
        state: &RequestState<'_>,
        files: &dyn Files,
        work: &Work,
    ) -> Result<Vec<&Section>, NoAnswer> {
        let mount = self.mount.as_deref().unwrap_or("/");
        if self.branches.is_empty() || !self.may_answer(&state.uri) {
            return Ok(Vec::new());
        }
        let file = &state.uri[..length_of_file(&state.uri, mount, files)];
        let values = Values {
            request: &state.request,
            files,
            uri: &state.uri,
            filename: &[DOCUMENT_ROOT.as_bytes(), file].concat(),
            args: state.args.as_deref(),
            internal: state.internal,
        };
        self.branches.active(&values, work)
    }

    /// The answer to a request that the access rules refuse.
    fn refusal(
        &self,
        state: &RequestState<'_>,
        active: &[&Section],
        work: &Work,
    ) -> Option<Answer> {
        if !self.may_answer(&state.uri) {
            return None;
        }
        let section = self.section(&state.request);
        let outer = Some(&self.main.access).filter(|_| !self.hosts.is_empty());
        let all = outer.into_iter().chain([&section.access]);
        let all = all.chain(active.iter().map(|section| &section.access));
        match access::refuse(all, &state.uri, work) {
            Ok(false) => None,
            Ok(true) => Some(Answer::refused(403)),
            Err(NoAnswer) => Some(Answer::Unknown { line: 1 }),
        }
    }

    /// The settings that apply to a path; an `.htaccess` applies only to its folder.
    fn settings(&self, request: &Request<'_>, path: &[u8]) -> &Section {
        if self.may_answer(path) {
            self.section(request)
        } else {
            &self.outside
        }
    }

    fn section(&self, request: &Request<'_>) -> &Section {
        if self.hosts.is_empty() {
            return &self.main;
        }
        let key = (request.port(), request.host_name().to_owned());
        let number = self
            .chosen
            .get(key, |(port, host)| self.choose(*port, host));
        let section = number.and_then(|number| self.hosts.get(number));
        section.unwrap_or(&self.main)
    }

    /// The first virtual host on the port that has the requested name, or else the first on the port.
    /// If there is none, a proxy in front of this server listens on that port, so every virtual host is
    /// considered.
    fn choose(&self, port: u16, host: &str) -> Option<usize> {
        let is_on = |section: &Section| section.ports.is_empty() || section.ports.contains(&port);
        let any = !self.hosts.iter().any(is_on);
        let on_port = || {
            let hosts = self.hosts.iter().enumerate();
            hosts.filter(|(_, section)| any || is_on(section))
        };
        let is_named = |section: &Section| section.names.iter().any(|name| is_host(name, host));
        let named = on_port().find(|(_, section)| is_named(section));
        let found = named.or_else(|| on_port().next());
        found.map(|(number, _)| number)
    }

    /// The target of an error. Without a setting of its own, a virtual host inherits the server's.
    fn error<'a>(
        &'a self,
        request: &Request<'_>,
        active: &[&'a Section],
        status: u16,
    ) -> Option<&'a errors::ErrorUrl> {
        let inner = active.iter().rev();
        let mut inner = inner.filter_map(|section| section.errors.target(status));
        let own = inner.next();
        let own = own.or_else(|| self.section(request).errors.target(status));
        own.or_else(|| self.main.errors.target(status))?.as_ref()
    }

    /// The "translate name" phase, with the directives of the server.
    fn in_server(&self, state: &mut RequestState<'_>, files: &dyn Files, work: &Work) -> Progress {
        let section = self.section(&state.request);
        match section.engine.run(state, None, files, work) {
            Outcome::Answer(answer) => return Progress::Done(answer),
            Outcome::PassThrough(path) => state.uri = path,
            // The file system treats repeated slashes as one.
            Outcome::Path(path) => return Progress::Serve(request::tidy(&path).unwrap_or(path)),
            Outcome::Unchanged => {}
        }
        let mut answer = section.redirects.answer(state, work);
        if answer.is_none() && !self.hosts.is_empty() {
            answer = self.main.redirects.answer(state, work);
        }
        match answer {
            Some(answer) => Progress::Done(answer),
            None => Progress::Serve(state.uri.clone()),
        }
    }

    /// The "fixups" phase, with the directives of an `.htaccess` at `mount`.
    fn in_folder(
        &self,
        mount: &str,
        active: &[&Section],
        state: &mut RequestState<'_>,
        files: &dyn Files,
        work: &Work,
    ) -> Progress {
        // Without its slash the folder is not entered, so only `mod_alias` applies.
        let is_folder = mount.strip_suffix('/').map(str::as_bytes) == Some(&state.uri);
        if !is_folder && !is_below(&state.uri, mount) {
            return Progress::Serve(state.uri.clone());
        }
        let rewritten = if is_folder {
            Outcome::Unchanged
        } else {
            // The rules of a section take the place of those outside it.
            let mut inner = active.iter().rev().map(|section| &section.engine);
            let engine = inner.find(|engine| engine.has_lines());
            let engine = engine.unwrap_or(&self.main.engine);
            engine.run(state, Some(mount), files, work)
        };
        if let Outcome::Answer(answer) = rewritten {
            return Progress::Done(answer);
        }
        // `mod_alias` sees the original path even after a rewrite.
        let inner = active.iter().rev().copied();
        let mut redirects = inner.chain([&self.main]).map(|section| &section.redirects);
        if let Some(answer) = redirects.find_map(|redirects| redirects.answer(state, work)) {
            return Progress::Done(answer);
        }
        match rewritten {
            // Subrequests are not redirected internally.
            Outcome::Path(_) | Outcome::PassThrough(_) if state.is_subrequest => {
                Progress::Done(Answer::refused(404))
            }
            Outcome::Path(path) | Outcome::PassThrough(path) => again(state, &path, files),
            Outcome::Unchanged | Outcome::Answer(_) => Progress::Serve(state.uri.clone()),
        }
    }

    /// `mod_dir`, and finally the file.
    fn serve(
        &self,
        state: &RequestState<'_>,
        path: &[u8],
        files: &dyn Files,
        work: &Work,
    ) -> Answer {
        match files.kind(trim_slash(path)) {
            Some(FileKind::File) if !path.ends_with(b"/") => Answer::File {
                path: path.to_vec(),
                status: 200,
                rule: None,
            },
            Some(FileKind::Directory) if state.is_subrequest => Answer::refused(404),
            Some(FileKind::Directory) if !state.uri.ends_with(b"/") => {
                if self.settings(&state.request, path).adds_no_slash {
                    Answer::refused(403)
                } else {
                    add_slash(state)
                }
            }
            Some(FileKind::Directory) => self.index(state, path, files, work),
            _ => self.missing(state, path, files, work),
        }
    }

    /// A path without a file: either it continues below a file, or the fallback applies.
    fn missing(
        &self,
        state: &RequestState<'_>,
        path: &[u8],
        files: &dyn Files,
        work: &Work,
    ) -> Answer {
        let section = self.settings(&state.request, path);
        let refused = Answer::refused(404);
        if let Some(file) = request::file_above(path, files) {
            return if section.ignores_rest {
                Answer::File {
                    path: file.to_vec(),
                    status: 200,
                    rule: None,
                }
            } else {
                refused
            };
        }
        self.fallback(state, section, files, work)
            .unwrap_or(refused)
    }

    /// The path that `FallbackResource` serves instead, if it applies.
    fn fallback(
        &self,
        state: &RequestState<'_>,
        section: &Section,
        files: &dyn Files,
        work: &Work,
    ) -> Option<Answer> {
        let fallback = section.fallback.as_ref();
        let fallback = fallback.filter(|_| !state.is_subrequest)?;
        if !files.is_file(fallback.path.as_bytes()) {
            // This may be a CGI program.
            let line = fallback.line;
            return Some(Answer::Unknown { line });
        }
        let mut asked = RequestState {
            uri: fallback.path.clone().into_bytes(),
            is_subrequest: true,
            ..state.clone()
        };
        match self.process(&mut asked, files, work) {
            Answer::File { path, status, .. } => Some(Answer::File {
                path,
                status,
                rule: Some(fallback.rule),
            }),
            answer @ (Answer::Redirect { .. } | Answer::Unknown { .. }) => Some(answer),
            Answer::Refused { .. } => None,
        }
    }

    fn index(
        &self,
        state: &RequestState<'_>,
        path: &[u8],
        files: &dyn Files,
        work: &Work,
    ) -> Answer {
        let section = self.settings(&state.request, path);
        let default = ["index.html".to_owned()];
        let (line, names) = match &section.index {
            Some((line, names)) => (*line, &names[..]),
            None => (1, &default[..]),
        };
        let mut refusal = None;
        for name in names {
            if work.take(ASKING_STEPS).is_err() {
                return Answer::Unknown { line };
            }
            let mut uri = if name.starts_with('/') {
                Vec::new()
            } else {
                path.to_vec()
            };
            uri.extend_from_slice(name.as_bytes());
            let mut asked = RequestState {
                uri,
                is_subrequest: true,
                ..state.clone()
            };
            match self.process(&mut asked, files, work) {
                Answer::Refused { status: 404, .. } => {}
                Answer::Refused { status, rule } => {
                    refusal = Some(Answer::Refused { status, rule });
                }
                answer => return answer,
            }
        }
        if refusal.is_none()
            && let Some(answer) = self.fallback(state, section, files, work)
        {
            return answer;
        }
        match refusal {
            Some(refusal) => refusal,
            None if section.lists => Answer::File {
                path: path.to_vec(),
                status: 200,
                rule: None,
            },
            None => Answer::refused(403),
        }
    }
}

impl Responder for Apache {
    /// An `.htaccess` has no effect outside its folder.
    fn may_answer(&self, path: &[u8]) -> bool {
        let Some(mount) = &self.mount else {
            return true;
        };
        let mount = mount.as_bytes();
        path.starts_with(mount) || mount.strip_suffix(b"/") == Some(path)
    }

    fn reaches_rule(&self, rule: usize, request: &Request<'_>) -> bool {
        let host = owner(&self.hosts, |host| &host.rules, rule);
        host.is_none_or(|host| std::ptr::eq(host, self.section(request)))
    }

    fn answer(&self, visit: &Visit<'_>) -> Answer {
        let (request, files, work) = (visit.request, visit.files, visit.work);
        if !request::has_only_whole_escapes(request.path) {
            return Answer::refused(400);
        }
        if request::has_escape(request.path, "2F") || request::has_escape(request.path, "00") {
            // No `.htaccess` has been read at this point.
            let url = self.error(request, &[], 404);
            let url = url.filter(|_| self.mount.is_none());
            return url.map_or(Answer::refused(404), errors::ErrorUrl::answer);
        }
        let Some(uri) = request::tidy(&request.decoded_path()) else {
            return Answer::refused(400);
        };
        let is_for = self.may_answer(&uri);
        if self.is_broken && is_for {
            return Answer::refused(500);
        }
        if let Some(unknown) = self.unread.before(&uri, work).filter(|_| is_for) {
            return unknown;
        }
        let mut state = RequestState {
            request: *request,
            uri,
            args: request.query.map(str::to_owned),
            is_subrequest: false,
            internal: 0,
            has_ended: false,
        };
        let answer = self.process(&mut state, files, work);
        let answer = match answer {
            Answer::Refused { status, .. } if self.may_answer(&state.uri) => {
                // An error page at a local path keeps the status of the error, even if rules rewrite
                // that path.
                let active = self.active(&state, files, work).unwrap_or_default();
                let url = self.error(request, &active, status);
                url.map_or(answer, errors::ErrorUrl::answer)
            }
            answer => answer,
        };
        let unknown = self.unread.after(&answer).filter(|_| is_for);
        unknown.unwrap_or(answer)
    }
}

/// An internal redirect, which treats the new path as if a client had sent it, except that a folder
/// without its final slash first gets one.
fn again(state: &mut RequestState<'_>, path: &[u8], files: &dyn Files) -> Progress {
    let is_folder = files.is_directory(trim_slash(&state.uri));
    if is_folder && !state.uri.ends_with(b"/") {
        return Progress::Done(add_slash(state));
    }
    let at = path.iter().position(|b| *b == b'?');
    let (path, args) = path.split_at(at.unwrap_or(path.len()));
    if let Some(args) = args.get(1..) {
        state.args = Some(String::from_utf8_lossy(args).into_owned());
    }
    let has_whole_escapes = request::has_only_whole_escapes(&String::from_utf8_lossy(path));
    let decoded: Vec<u8> = percent_encoding::percent_decode(path).collect();
    match request::tidy(&decoded).filter(|_| has_whole_escapes) {
        Some(uri) => {
            state.uri = uri;
            Progress::Again
        }
        None => Progress::Done(Answer::refused(400)),
    }
}

/// `DirectorySlash On`
fn add_slash(state: &RequestState<'_>) -> Answer {
    let args = state.args.as_ref();
    Answer::Redirect {
        status: 301,
        location: format!(
            "{}{}/{}",
            state.request.origin(),
            alias::escape_path(&state.uri),
            args.map_or(String::new(), |args| format!("?{args}"))
        ),
        rule: None,
    }
}

enum Progress {
    Done(Answer),
    Serve(Vec<u8>),
    /// An internal redirect to the current `RequestState::uri`.
    Again,
}

fn is_host(pattern: &str, host: &str) -> bool {
    match pattern.split_once('*') {
        Some((start, end)) => {
            host.len() >= start.len() + end.len() && host.starts_with(start) && host.ends_with(end)
        }
        None => pattern == host,
    }
}

fn is_below(uri: &[u8], mount: &str) -> bool {
    uri.starts_with(mount.as_bytes())
}
