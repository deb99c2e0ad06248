//! Redirects of the Apache HTTP Server: `mod_alias` and `mod_rewrite`, in the server configuration
//! and in `.htaccess`, and what `mod_dir` and `mod_speling` do by themselves.
//!
//! A request is processed as in Apache: the path is decoded and normalized; `mod_rewrite` processes
//! it, then `mod_alias`; the directories are walked, and for the sections that apply to the file, or
//! for a folder with an `.htaccess`, both run again. Last comes `mod_dir`, which adds a slash or
//! repeats the process for the index.

mod access;
mod alias;
mod assignments;
mod branches;
mod directives;
mod environment;
mod errors;
mod expression;
mod form;
mod include;
mod lines;
mod modules;
mod preprocessed;
pub(crate) mod read;
mod rewrite;
mod section;
mod serve;
mod server_root;
mod settings;
mod spelling;
mod state;
mod unsupported;
mod variables;

pub(crate) use form::{FORM, HTACCESS_FORM};
pub(crate) use include::INCLUDES;

use crate::engine::choices::{Choices, owner};
use crate::engine::work::{NoAnswer, Work};
use crate::request::{self, Files, Request};
use crate::responder::{Responder, Visit};
use crate::rule::Answer;
use assignments::Variables;
use branches::{Branches, Place};
use rewrite::{Engine, InFolder, Outcome};
use section::{Applied, EncodedSlashes, Section};
use state::{RequestState, trim_slash};
use unsupported::UnsupportedDirectives;
use variables::{DOCUMENT_ROOT, Values, length_of_file};

/// The cost of looking up one name of `DirectoryIndex`, without the cost of the rules.
const ASKING_STEPS: usize = 8;
/// How deep subrequests may be nested (`LimitInternalRecursion`).
const MAX_DEPTH: usize = 10;
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
    /// The line of a `DocumentRoot`, if virtual hosts have different ones.
    other_root: Option<usize>,
    /// Whether an `.htaccess` has a line that breaks it.
    is_broken: bool,
}

impl Apache {
    fn process(&self, state: &mut RequestState<'_>, files: &dyn Files, work: &Work) -> Answer {
        loop {
            if state.internal > MAX_INTERNAL {
                return Answer::refused(500);
            }
            match self.step(state, files, work) {
                Ok(Progress::Done(answer)) => return answer,
                Ok(Progress::Again) => {
                    state.internal += 1;
                    state.variables = state.variables.redirected();
                }
                Err(NoAnswer) => return Answer::Unknown { line: 1 },
            }
        }
    }

    /// Answers a request, unless it is redirected internally.
    fn step(
        &self,
        state: &mut RequestState<'_>,
        files: &dyn Files,
        work: &Work,
    ) -> Result<Progress, NoAnswer> {
        if state.depth > MAX_DEPTH {
            return Ok(Progress::Done(Answer::refused(500)));
        }
        state.file = None;
        self.set_variables(state, None, files, work)?;
        let path = match self.mount {
            Some(_) => state.uri.clone(),
            None => match self.translate(state, files, work)? {
                Translated::Path(path) => path,
                Translated::Answer(answer) => return Ok(Progress::Done(answer)),
            },
        };
        state.file = Some(path.clone());
        let applied = self.applied(state, Some(&path), files, work)?;
        if let Some(line) = applied.unread() {
            return Ok(Progress::Done(Answer::Unknown { line }));
        }
        self.set_variables(state, Some(&applied), files, work)?;
        if let Some(answer) = self.negotiated(&applied, state, &path, files, work) {
            return Ok(Progress::Done(answer));
        }
        let filename = self.filename(&path, files);
        let values = values(state, &filename, files);
        if access::refuse(applied.all().map(|section| &section.access), &values, work)? {
            return Ok(Progress::Done(Answer::refused(403)));
        }
        if let Some(progress) = self.in_sections(&applied, &path, state, files, work) {
            return Ok(progress);
        }
        Ok(Progress::Done(
            self.serve(&applied, state, &path, files, work),
        ))
    }

    /// Sets the variables of the server, or of the sections that apply to a request.
    fn set_variables(
        &self,
        state: &mut RequestState<'_>,
        applied: Option<&Applied<'_>>,
        files: &dyn Files,
        work: &Work,
    ) -> Result<(), NoAnswer> {
        if state.is_subrequest {
            return Ok(());
        }
        let sections: Vec<&Section> = match (applied, &self.mount) {
            (Some(applied), Some(_)) => applied.all().collect(),
            (Some(applied), None) => applied.inner.iter().map(|inner| inner.section).collect(),
            (None, Some(_)) => Vec::new(),
            (None, None) => self.outer(&state.request),
        };
        for section in sections {
            if section.environment.is_empty() {
                continue;
            }
            let mut variables = std::mem::take(&mut state.variables);
            let filename = self.filename_of(state.file.as_deref(), state, files);
            let values = values(state, &filename, files);
            let set = section.environment.apply(&values, &mut variables, work);
            state.variables = variables;
            set?;
        }
        Ok(())
    }

    /// The directives outside sections that apply to a request.
    fn outer(&self, request: &Request<'_>) -> Vec<&Section> {
        let own = self.section(request);
        if std::ptr::eq(own, &raw const self.main) {
            vec![&self.main]
        } else {
            vec![&self.main, own]
        }
    }

    /// The directives that apply to a request, given the path of its file if that is known already. An
    /// `.htaccess` applies only to its folder.
    fn applied(
        &self,
        state: &mut RequestState<'_>,
        file: Option<&[u8]>,
        files: &dyn Files,
        work: &Work,
    ) -> Result<Applied<'_>, NoAnswer> {
        if !self.may_answer(&state.uri) {
            return Ok(Applied::default());
        }
        let outer = self.outer(&state.request);
        if self.branches.is_empty() {
            let inner = Vec::new();
            return Ok(Applied { outer, inner });
        }
        let host = state.host;
        let root = outer.iter().rev().find_map(|one| one.root.as_deref());
        let mut variables = state.variables.clone();
        let filename = self.filename_of(file, state, files);
        let place = Place {
            values: &values(state, &filename, files),
            host,
            root,
            file,
        };
        let inner = self.branches.active(&place, &mut variables, work)?;
        state.variables = variables;
        Ok(Applied { outer, inner })
    }

    /// `r->filename`, or in a server what stands for it before the file is looked up.
    fn filename_of(
        &self,
        file: Option<&[u8]>,
        state: &RequestState<'_>,
        files: &dyn Files,
    ) -> Vec<u8> {
        match (file, &self.mount) {
            (None, None) => state.uri.clone(),
            _ => self.filename(file.unwrap_or(&state.uri), files),
        }
    }

    /// `r->filename`
    fn filename(&self, path: &[u8], files: &dyn Files) -> Vec<u8> {
        let mount = self.mount.as_deref().unwrap_or("/");
        let path = request::merged_slashes(path);
        let file = &path[..length_of_file(&path, mount, files)];
        [DOCUMENT_ROOT.as_bytes(), file].concat()
    }

    /// The answer with the one file that has the name of a request and an extension, if
    /// `Options MultiViews` is on. Which of several files the server chooses depends on their sizes and
    /// on the visitor, and what rules do with the chosen file is not known.
    fn negotiated(
        &self,
        applied: &Applied<'_>,
        state: &RequestState<'_>,
        path: &[u8],
        files: &dyn Files,
        work: &Work,
    ) -> Option<Answer> {
        let negotiates = applied.setting(|settings| settings.negotiates.as_ref())?;
        let line = *negotiates.value()?;
        if state.is_subrequest || files.kind(trim_slash(path)).is_some() {
            return None;
        }
        let at = path.iter().rposition(|byte| *byte == b'/')?;
        let (folder, name) = (&path[..at], &path[at + 1..]);
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
        let has_rules = applied.all().any(|section| section.engine.has_lines());
        let has_rules = has_rules || !self.branches.is_empty();
        let mut redirects = applied.all().map(|section| &section.redirects);
        let is_redirected = redirects.any(|redirects| redirects.answer(state, work).is_some());
        if variants.next().is_some() || has_rules || !files.is_file(&path) || is_redirected {
            return Some(Answer::Unknown { line });
        }
        let mut asked = state.subrequest(path);
        Some(match self.process(&mut asked, files, work) {
            answer @ (Answer::File { .. } | Answer::Unknown { .. }) => answer,
            Answer::Redirect { .. } | Answer::Refused { .. } => Answer::refused(404),
        })
    }

    fn section(&self, request: &Request<'_>) -> &Section {
        let host = self.host(request).and_then(|host| self.hosts.get(host));
        host.unwrap_or(&self.main)
    }

    /// The virtual host of a request.
    fn host(&self, request: &Request<'_>) -> Option<usize> {
        if self.hosts.is_empty() {
            return None;
        }
        let key = (request.port(), request.host_name().to_owned());
        self.chosen
            .get(key, |(port, host)| self.choose(*port, host))
    }

    /// The line of a virtual host that includes what is not known, if it may be for a request: it is the
    /// one that answers, or may have the name of the request when no other has.
    fn unread_host(&self, request: &Request<'_>) -> Option<usize> {
        let own = self.host(request).and_then(|host| self.hosts.get(host))?;
        if own.unread.is_some() || self.is_named(request) {
            return own.unread;
        }
        self.hosts.iter().find_map(|host| host.unread)
    }

    /// Whether the virtual host that answers has the name in the request.
    fn is_named(&self, request: &Request<'_>) -> bool {
        let names = &self.section(request).names;
        names.iter().any(|name| is_host(name, request.host_name()))
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

    /// The "translate name" phase, with the directives of the server.
    fn translate(
        &self,
        state: &mut RequestState<'_>,
        files: &dyn Files,
        work: &Work,
    ) -> Result<Translated, NoAnswer> {
        let section = self.section(&state.request);
        // The sections for paths are chosen before a rule changes the path.
        let applied = self.applied(state, None, files, work)?;
        let outcome = if section.engine.switched() == Some(true) {
            let outside = (!self.hosts.is_empty()).then_some(&self.main.engine);
            section.engine.run_with(outside, state, None, files, work)
        } else {
            Outcome::Unchanged
        };
        match outcome {
            Outcome::Answer(answer) => return Ok(Translated::Answer(answer)),
            Outcome::PassThrough(path) => {
                state.uri = path;
                if let Some(unknown) = self.unread.before(&state.uri, work) {
                    return Ok(Translated::Answer(unknown));
                }
            }
            // The file system treats repeated slashes as one.
            Outcome::Path(path) => {
                return Ok(Translated::Path(request::tidy(&path).unwrap_or(path)));
            }
            Outcome::Unchanged => {}
        }
        if let Some(line) = applied.unread() {
            return Ok(Translated::Answer(Answer::Unknown { line }));
        }
        let outer = self.outer(&state.request);
        if let Some(answer) = self.target(&applied, state, files, work) {
            return Ok(Translated::Answer(answer));
        }
        let mut redirects = outer.iter().rev().map(|section| &section.redirects);
        if let Some(answer) = redirects.find_map(|redirects| redirects.answer(state, work)) {
            return Ok(Translated::Answer(answer));
        }
        let root = outer.iter().rev().find_map(|one| one.root.as_deref());
        for section in outer.iter().rev() {
            let alias = match section.aliases.find(&state.uri, work) {
                Ok(None) => continue,
                Ok(Some(alias)) => alias,
                Err(line) => return Ok(Translated::Answer(Answer::Unknown { line })),
            };
            let below = alias.path.strip_prefix(root.unwrap_or_default().as_bytes());
            let below = below.filter(|below| root.is_some() && below.first() == Some(&b'/'));
            return Ok(match below.and_then(request::tidy) {
                Some(path) => Translated::Path(path),
                None => Translated::Answer(Answer::Unknown { line: alias.line }),
            });
        }
        let path = request::merged_slashes(&state.uri).into_owned();
        Ok(Translated::Path(path))
    }

    /// The "fixups" phase, with the directives of an `.htaccess` and of sections.
    fn in_sections(
        &self,
        applied: &Applied<'_>,
        path: &[u8],
        state: &mut RequestState<'_>,
        files: &dyn Files,
        work: &Work,
    ) -> Option<Progress> {
        let mount = self.mount.as_deref();
        // Without its slash the folder is not entered, so only `mod_alias` applies.
        let is_folder = mount
            .and_then(|mount| mount.strip_suffix('/'))
            .map(str::as_bytes);
        let is_folder = is_folder == Some(&*state.uri);
        if mount.is_some_and(|mount| !is_folder && !is_below(&state.uri, mount)) {
            return None;
        }
        let rewritten = if is_folder {
            Outcome::Unchanged
        } else {
            self.rewrite(applied, path, state, files, work)
        };
        if let Outcome::Answer(answer) = rewritten {
            return Some(Progress::Done(answer));
        }
        // `mod_alias` sees the original path even after a rewrite.
        if let Some(answer) = self.target(applied, state, files, work) {
            return Some(Progress::Done(answer));
        }
        let own = mount.is_some().then_some(&self.main);
        let inner = applied.inner.iter().rev().map(|inner| inner.section);
        let mut redirects = inner.chain(own).map(|section| &section.redirects);
        if let Some(answer) = redirects.find_map(|redirects| redirects.answer(state, work)) {
            return Some(Progress::Done(answer));
        }
        match rewritten {
            // A subrequest only takes the place of the request if its file exists.
            Outcome::Path(_) | Outcome::PassThrough(_)
                if state.is_subrequest && !files.is_file(path) =>
            {
                Some(Progress::Done(Answer::refused(404)))
            }
            Outcome::Path(path) | Outcome::PassThrough(path) => Some(again(state, &path, files)),
            Outcome::Unchanged | Outcome::Answer(_) => None,
        }
    }

    /// The answer of the innermost `Redirect` with a target alone.
    fn target(
        &self,
        applied: &Applied<'_>,
        state: &RequestState<'_>,
        files: &dyn Files,
        work: &Work,
    ) -> Option<Answer> {
        let mut inner = applied.inner.iter().rev();
        let target = inner.find_map(|inner| inner.section.target.as_ref())?;
        let filename = self.filename(&state.uri, files);
        Some(target.answer(&values(state, &filename, files), state, work))
    }

    /// Applies the rules of the innermost section that has any.
    fn rewrite(
        &self,
        applied: &Applied<'_>,
        path: &[u8],
        state: &mut RequestState<'_>,
        files: &dyn Files,
        work: &Work,
    ) -> Outcome {
        let mount = self.mount.as_deref().unwrap_or("/");
        let own = self.mount.is_some().then_some((&self.main.engine, mount));
        let inner = applied.inner.iter().rev();
        let inner = inner.map(|inner| (&inner.section.engine, inner.mount.unwrap_or(mount)));
        // The rules of a section take the place of those outside it.
        let engines = inner.chain(own);
        let mut engines = engines.filter(|(engine, _)| engine.has_lines());
        let Some((engine, mount)) = engines.next() else {
            return Outcome::Unchanged;
        };
        let outside = engines.next().map(|(engine, _)| engine);
        let all = || applied.all().rev().map(|section| &section.engine);
        let is_folder = mount.strip_suffix('/').map(str::as_bytes) == Some(path);
        if all().find_map(Engine::switched) != Some(true) || is_folder {
            return Outcome::Unchanged;
        }
        if applied.setting(|settings| settings.follows_links) == Some(false) {
            return Outcome::Answer(Answer::refused(403));
        }
        let base = all().find_map(Engine::base);
        let folder = InFolder { mount, base, path };
        engine.run_with(outside, state, Some(folder), files, work)
    }

    /// The decoded path of a request.
    fn decoded(&self, request: &Request<'_>) -> Result<Vec<u8>, Answer> {
        let outer = match self.mount {
            // No `.htaccess` has been read at this point.
            Some(_) => Vec::new(),
            None => self.outer(request),
        };
        let encoded = outer.iter().rev();
        let encoded = encoded.filter_map(|section| section.settings.encoded_slashes);
        let encoded = encoded.chain([EncodedSlashes::Refused]).next();
        let has_slash = request::has_escape(request.path, "2F");
        let is_refused = has_slash && encoded == Some(EncodedSlashes::Refused);
        if is_refused || request::has_escape(request.path, "00") {
            let mut urls = outer.iter().rev().map(|section| section.errors.target(404));
            let url = urls.find_map(|url| url);
            let url = url.and_then(Option::as_ref);
            return Err(url.map_or(Answer::refused(404), errors::ErrorUrl::answer));
        }
        let decoded = if has_slash && encoded == Some(EncodedSlashes::Kept) {
            let kept = request.path.replace("%2F", "%252F").replace("%2f", "%252f");
            percent_encoding::percent_decode_str(&kept).collect()
        } else {
            request.decoded_path().into_owned()
        };
        let mut keeps = outer.iter().rev();
        let tidied = match keeps.find_map(|section| section.settings.keeps_slashes) {
            Some(true) => request::tidy_dots(&decoded),
            _ => request::tidy(&decoded),
        };
        tidied.ok_or(Answer::refused(400))
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
        let uri = match self.decoded(request) {
            Ok(uri) => uri,
            Err(answer) => return answer,
        };
        let is_for = self.may_answer(&uri);
        if self.is_broken && is_for {
            return Answer::refused(500);
        }
        if let Some(unknown) = self.unread.before(&uri, work).filter(|_| is_for) {
            return unknown;
        }
        if let Some(line) = self.unread_host(request) {
            return Answer::Unknown { line };
        }
        let mut state = RequestState {
            request: *request,
            host: self.host(request),
            uri,
            args: request.query.map(str::to_owned),
            file: None,
            is_subrequest: false,
            depth: 0,
            internal: 0,
            has_ended: false,
            variables: Variables::default(),
        };
        let answer = self.process(&mut state, files, work);
        let Answer::Refused { status, rule } = answer else {
            return answer;
        };
        if let Some(line) = self.other_root
            && (status, rule) == (404, None)
            && !self.is_named(request)
        {
            // Which of the virtual hosts the files are of is not known.
            return Answer::Unknown { line };
        }
        // An error page at a local path keeps the status of the error, even if rules rewrite that
        // path.
        let file = state.file.clone();
        let applied = self.applied(&mut state, file.as_deref(), files, work);
        let applied = applied.unwrap_or_default();
        let mut sections = applied.all().rev();
        let url = sections.find_map(|section| section.errors.target(status));
        let url = url.and_then(Option::as_ref);
        url.map_or(answer, errors::ErrorUrl::answer)
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
            state.is_subrequest = false;
            Progress::Again
        }
        None => Progress::Done(Answer::refused(400)),
    }
}

/// `DirectorySlash On`
fn add_slash(state: &RequestState<'_>) -> Answer {
    redirect_to(&[&*state.uri, b"/"].concat(), state, 301)
}

/// The redirect to a path, with the query of the request.
fn redirect_to(path: &[u8], state: &RequestState<'_>, status: u16) -> Answer {
    let args = state.args.as_ref();
    Answer::Redirect {
        status,
        location: format!(
            "{}{}{}",
            state.request.origin(),
            alias::escape_path(path),
            args.map_or(String::new(), |args| format!("?{args}"))
        ),
        rule: None,
    }
}

/// What is known of a request for a file on the disk.
fn values<'v>(state: &'v RequestState<'_>, filename: &'v [u8], files: &'v dyn Files) -> Values<'v> {
    Values {
        request: &state.request,
        files,
        uri: &state.uri,
        filename,
        args: state.args.as_deref(),
        internal: state.internal,
        variables: &state.variables,
    }
}

/// The result of the "translate name" phase.
enum Translated {
    Answer(Answer),
    /// The path of the file below the root of the site.
    Path(Vec<u8>),
}

enum Progress {
    Done(Answer),
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
