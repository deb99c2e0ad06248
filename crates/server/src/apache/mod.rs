//! Redirects of the Apache HTTP Server: `mod_alias` and `mod_rewrite`, in the server configuration
//! and in `.htaccess`, and what `mod_dir` does by itself.
//!
//! A request is processed as in Apache: the path is decoded and normalized; `mod_rewrite` processes
//! it, then `mod_alias`; the directories are walked, and for a folder with an `.htaccess` both run
//! again, with the path below that folder. Last comes `mod_dir`, which adds a slash or repeats the
//! process for the index.

mod alias;
mod errors;
mod lines;
mod rewrite;
mod state;
mod unread;

use std::ops::Range;

use super::choices::{Choices, owner};
use super::request::{self, Files, Kind, Request};
use super::rule::{Answer, Read, Rule, Trouble};
use super::work::Work;
use alias::Redirects;
use errors::ErrorUrls;
use lines::Line;
use rewrite::{Engine, Outcome, OwnUrls};
use state::{State, trim_slash};
use unread::Unread;

/// What it costs to ask for a name of `DirectoryIndex`, beside what the rules cost.
const ASKING_STEPS: usize = 8;
/// Internal redirects that Apache follows for one request (`LimitInternalRecursion`).
const MAX_INTERNAL: usize = 10;

#[derive(Debug)]
pub(super) struct Apache {
    /// The path of the folder of an `.htaccess`, with a slash at both ends.
    mount: Option<String>,
    main: Section,
    hosts: Vec<Section>,
    /// The virtual hosts chosen so far, by the ports and hosts of requests.
    chosen: Choices<(u16, String)>,
    unread: Unread,
    /// Whether an `.htaccess` has a line that breaks it.
    is_broken: bool,
    /// The settings outside of the folder of an `.htaccess`: those that no file says.
    outside: Section,
}

/// The directives of the server, or of one virtual host.
#[derive(Debug, Default)]
struct Section {
    names: Vec<String>,
    /// The ports of a virtual host; none if it is for every port.
    ports: Vec<u16>,
    /// The numbers of the rules of a virtual host.
    rules: Range<usize>,
    redirects: Redirects,
    engine: Engine,
    /// The line of the first `DirectoryIndex`, and all names; `None` if nothing is said.
    index: Option<(usize, Vec<String>)>,
    /// `Options Indexes`: folders without an index are listed.
    lists: bool,
    errors: ErrorUrls,
    /// `AcceptPathInfo On`: a file is served whatever follows its name.
    ignores_rest: bool,
    /// `DirectorySlash Off`
    adds_no_slash: bool,
    fallback: Option<Fallback>,
}

/// `FallbackResource`
#[derive(Debug)]
struct Fallback {
    line: usize,
    rule: usize,
    path: String,
}

pub(super) fn read(text: &str, mount: Option<&str>, read: &mut Read) -> Apache {
    let mut reader = Reader {
        mount: mount.map(mount_path),
        main: Section::default(),
        hosts: Vec::new(),
        unread: Unread::default(),
        open: Vec::new(),
        is_broken: false,
        read,
    };
    for line in lines::lines(text) {
        reader.line(&line);
    }
    reader.finish()
}

fn mount_path(mount: &str) -> String {
    match mount.trim_matches('/') {
        "" => "/".to_owned(),
        inner => format!("/{inner}/"),
    }
}

/// How the lines inside a section are treated. Of sections in one another the greatest counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Inside {
    /// As if the section were not there.
    Same,
    /// A virtual host.
    Host,
    /// An unsupported section.
    NotRead,
    /// A condition that does not hold.
    Off,
}

/// A section that is not closed yet.
struct Open {
    name: String,
    condition: String,
    /// What it and those around it make of the lines inside.
    inside: Inside,
    /// Where the innermost unsupported section is in the list of those open.
    unread: Option<usize>,
}

struct Reader<'r> {
    mount: Option<String>,
    main: Section,
    hosts: Vec<Section>,
    unread: Unread,
    open: Vec<Open>,
    is_broken: bool,
    read: &'r mut Read,
}

impl Reader<'_> {
    fn line(&mut self, line: &Line) {
        let name = line.name.to_ascii_lowercase();
        if let Some(section) = name.strip_prefix("</") {
            self.close(line.number, section.trim_end_matches('>'));
        } else if let Some(section) = name.strip_prefix('<') {
            self.open(line, section);
        } else {
            match self.inside() {
                // Skipped, as by the server.
                Inside::Off => {}
                Inside::NotRead => self.not_read_inside(line, &name),
                Inside::Host | Inside::Same => self.directive(line, &name),
            }
        }
    }

    /// How lines are treated here.
    fn inside(&self) -> Inside {
        self.open.last().map_or(Inside::Same, |open| open.inside)
    }

    fn open(&mut self, line: &Line, section: &str) {
        let condition = line.rest.trim_end().trim_end_matches('>').trim();
        let outer = self.inside();
        let own = match section {
            "ifmodule" if condition.starts_with('!') => Inside::Off,
            "ifmodule" => Inside::Same,
            "virtualhost" => Inside::Host,
            _ => Inside::NotRead,
        };
        if own == Inside::Host && outer < Inside::NotRead {
            let first = self.read.rules.len();
            self.hosts.push(Section {
                ports: ports_of(condition),
                rules: first..first,
                ..Section::default()
            });
        }
        self.open.push(Open {
            name: section.to_owned(),
            condition: condition.to_owned(),
            inside: outer.max(own),
            unread: match own {
                Inside::NotRead => Some(self.open.len()),
                _ => self.open.last().and_then(|open| open.unread),
            },
        });
    }

    fn close(&mut self, number: usize, section: &str) {
        match self.open.pop() {
            Some(open) if open.name == section => {}
            Some(open) => {
                let name = open.name;
                self.refuse(number, &format!("</{section}> closes <{name}>"));
            }
            None => {
                self.refuse(number, &format!("</{section}> closes nothing"));
            }
        }
    }

    fn not_read_inside(&mut self, line: &Line, name: &str) {
        if is_about_addresses(name) {
            let section = self
                .open
                .last()
                .and_then(|open| self.open.get(open.unread?));
            let (section, condition) =
                section.map_or(("", ""), |section| (&*section.name, &*section.condition));
            self.unread.add_inside(line, section, condition);
            let message = format!("{} inside <{section}> is not read", line.name);
            self.read.problem(line.number, Trouble::NotRead, message);
        }
    }

    fn directive(&mut self, line: &Line, name: &str) {
        let inside = self.inside();
        let section = match self.hosts.last_mut() {
            Some(host) if inside == Inside::Host => host,
            _ => &mut self.main,
        };
        let result = match name {
            "redirect" | "redirectpermanent" | "redirecttemp" | "redirectmatch" => {
                section.redirects.add(name, line, self.read)
            }
            "rewriteengine" => section.engine.switch(line),
            "rewritebase" => section.engine.set_base(line),
            "rewritecond" => section.engine.add_condition(line, self.read),
            "rewriterule" => {
                let mount = self.mount.as_deref();
                section.engine.add_rule(line, mount, self.read)
            }
            "directoryindex" => {
                let mut names = line.words();
                let (_, known) = section
                    .index
                    .get_or_insert_with(|| (line.number, Vec::new()));
                if matches!(&names[..], [only] if only.eq_ignore_ascii_case("disabled")) {
                    known.clear();
                    names.clear();
                }
                known.extend(names);
                Ok(())
            }
            "servername" | "serveralias" => {
                if name == "servername" {
                    let port = line.rest.rsplit(':').next();
                    let port = port.and_then(|port| port.parse().ok());
                    section.engine.own = port.map_or(OwnUrls::None, OwnUrls::At);
                }
                let names = line.words().into_iter();
                section.names.extend(names.map(|name| bare_host(&name)));
                Ok(())
            }
            "errordocument" => section.errors.add(line, self.read),
            "acceptpathinfo" => {
                section.ignores_rest = line.rest.eq_ignore_ascii_case("on");
                Ok(())
            }
            "directoryslash" => {
                section.adds_no_slash = line.rest.eq_ignore_ascii_case("off");
                Ok(())
            }
            "fallbackresource" => {
                section.fallback = fallback(line, self.read);
                Ok(())
            }
            "options" if !negotiates(name, line) => {
                section.lists = lists(line).unwrap_or(section.lists);
                Ok(())
            }
            _ if is_about_addresses(name) || negotiates(name, line) => {
                self.unread.add(line, name);
                let message = format!("{} is not read", line.name);
                self.read.problem(line.number, Trouble::NotRead, message);
                Ok(())
            }
            _ if !line.name.starts_with('<') && !is_directive(&line.name) => {
                Err("no directive has such a name".to_owned())
            }
            _ => {
                let message = format!("{} is not known to affect where a URL leads", line.name);
                self.read.problem(line.number, Trouble::Irrelevant, message);
                Ok(())
            }
        };
        if inside == Inside::Host {
            section.rules.end = self.read.rules.len();
        }
        if let Err(message) = result {
            self.refuse(line.number, &format!("{}: {message}", line.name));
        }
    }

    /// Says that a line breaks the file, and what follows.
    fn refuse(&mut self, number: usize, message: &str) {
        let effect = match self.mount {
            Some(_) => "every request below the folder answers with 500",
            None => "the server does not start",
        };
        self.is_broken = self.mount.is_some();
        let message = format!("{message}: {effect}");
        self.read.problem(number, Trouble::Refused, message);
    }

    fn finish(mut self) -> Apache {
        for open in std::mem::take(&mut self.open) {
            let name = open.name;
            self.refuse(1, &format!("<{name}> is never closed"));
        }
        self.main.engine.finish(self.read);
        for host in &mut self.hosts {
            host.engine.finish(self.read);
            if host.engine.own == OwnUrls::All {
                host.engine.own = self.main.engine.own;
            }
        }
        Apache {
            mount: self.mount,
            main: self.main,
            hosts: self.hosts,
            chosen: Choices::default(),
            unread: self.unread,
            is_broken: self.is_broken,
            outside: Section::default(),
        }
    }
}

/// Whether an unsupported directive can change where a URL leads.
fn is_about_addresses(name: &str) -> bool {
    const STARTS: [&str; 10] = [
        "redirect",
        "rewrite",
        "alias",
        "scriptalias",
        "proxypass",
        "include",
        "userdir",
        "jkmount",
        "virtualdocumentroot",
        "virtualscriptalias",
    ];
    const NAMES: [&str; 7] = [
        "directoryindexredirect",
        "allowencodedslashes",
        "mergeslashes",
        "checkspelling",
        "checkcaseonly",
        "use",
        "sethandler",
    ];
    STARTS.iter().any(|start| name.starts_with(start)) || NAMES.contains(&name)
}

/// What is served for all that is missing, if a line of `FallbackResource` names anything.
fn fallback(line: &Line, read: &mut Read) -> Option<Fallback> {
    let words = line.words();
    let path = words.first()?;
    if path.eq_ignore_ascii_case("disabled") {
        return None;
    }
    let rule = read.rule(Rule {
        line: line.number,
        from: "what is missing".to_owned(),
        to: Some(path.clone()),
        status: 200,
        status_is_default: false,
        is_exact: false,
        samples: Vec::new(),
    });
    Some(Fallback {
        line: line.number,
        rule,
        path: path.clone(),
    })
}

/// Whether a word can be the name of a directive, of whatever module.
fn is_directive(word: &str) -> bool {
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    word.bytes().all(is_part)
}

/// Whether a directive makes the server choose a file for a name that no file has: `/a` for
/// `/a.html`.
fn negotiates(name: &str, line: &Line) -> bool {
    let is_on = |word: &String| {
        let word = word.strip_prefix('+').unwrap_or(word);
        word.eq_ignore_ascii_case("multiviews")
    };
    name == "options" && line.words().iter().any(is_on)
}

/// What `Options` says of folders without an index, if anything.
fn lists(line: &Line) -> Option<bool> {
    let words = line.words();
    let is_whole = words.iter().all(|word| !word.starts_with(['+', '-']));
    let is_indexes = |word: &str| matches!(&*word.to_ascii_lowercase(), "indexes" | "all");
    let said = words.iter().rev().find_map(|word| {
        let bare = word.trim_start_matches(['+', '-']);
        is_indexes(bare).then(|| !word.starts_with('-'))
    });
    said.or(is_whole.then_some(false))
}

/// The ports in the addresses of a virtual host, `*:80 [::1]:8080`; none if one of them is for every port.
fn ports_of(addresses: &str) -> Vec<u16> {
    let port = |address: &str| address.rsplit_once(':')?.1.parse().ok();
    let ports: Option<Vec<u16>> = addresses.split_ascii_whitespace().map(port).collect();
    ports.unwrap_or_default()
}

fn bare_host(name: &str) -> String {
    let name = name.split("://").last().unwrap_or(name);
    let end = name.find(':').unwrap_or(name.len());
    name[..end].to_ascii_lowercase()
}

impl Apache {
    /// Whether it may answer a request for this path, decoded and normalized: an `.htaccess` has no
    /// effect on what is not in its folder.
    pub(super) fn is_for(&self, path: &[u8]) -> bool {
        let Some(mount) = &self.mount else {
            return true;
        };
        let mount = mount.as_bytes();
        path.starts_with(mount) || mount.strip_suffix(b"/") == Some(path)
    }

    /// Whether a request reaches the virtual host that a rule is of.
    pub(super) fn is_asked(&self, rule: usize, request: &Request<'_>) -> bool {
        let host = owner(&self.hosts, |host| &host.rules, rule);
        host.is_none_or(|host| std::ptr::eq(host, self.section(request)))
    }

    pub(super) fn answer(&self, request: &Request<'_>, files: &dyn Files, work: &Work) -> Answer {
        let refused = |status| Answer::Refused { status, rule: None };
        if !request::has_only_whole_escapes(request.path) {
            return refused(400);
        }
        if request::has_escape(request.path, "2F") || request::has_escape(request.path, "00") {
            // So early no folder has a say in it.
            let url = self.error(request, 404);
            let url = url.filter(|_| self.mount.is_none());
            return url.map_or(refused(404), errors::ErrorUrl::answer);
        }
        let Some(uri) = request::tidy(&request.decoded_path()) else {
            return refused(400);
        };
        let is_for = self.is_for(&uri);
        if self.is_broken && is_for {
            return refused(500);
        }
        if let Some(unknown) = self.unread.before(&uri, work).filter(|_| is_for) {
            return unknown;
        }
        let mut state = State {
            request: *request,
            uri,
            args: request.query.map(str::to_owned),
            is_subrequest: false,
            internal: 0,
            has_ended: false,
        };
        let answer = self.process(&mut state, files, work);
        let answer = match answer {
            Answer::Refused { status, .. } if self.is_for(&state.uri) => {
                // The page of an error at a path keeps its status, even if the rules lead on from there.
                let url = self.error(request, status);
                url.map_or(answer, errors::ErrorUrl::answer)
            }
            answer => answer,
        };
        let unknown = self.unread.after(&answer).filter(|_| is_for);
        unknown.unwrap_or(answer)
    }

    fn process(&self, state: &mut State<'_>, files: &dyn Files, work: &Work) -> Answer {
        loop {
            if state.internal > MAX_INTERNAL {
                return Answer::Refused {
                    status: 500,
                    rule: None,
                };
            }
            let step = match &self.mount {
                None => self.in_server(state, files, work),
                Some(mount) => self.in_folder(mount, state, files, work),
            };
            match step {
                Step::Done(answer) => return answer,
                Step::Serve(path) => return self.serve(state, &path, files, work),
                Step::Again => state.internal += 1,
            }
        }
    }

    /// The settings for a path: those of an `.htaccess` are for its folder.
    fn settings(&self, request: &Request<'_>, path: &[u8]) -> &Section {
        if self.is_for(path) {
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

    /// The first virtual host on a port that has the name of a host, or else the first on the port. Where
    /// none is on the port, another server in front of this one is what listens there, and any may be asked.
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

    /// Where an error leads. What a virtual host does not say of it is what the server says.
    fn error(&self, request: &Request<'_>, status: u16) -> Option<&errors::ErrorUrl> {
        let own = self.section(request).errors.of(status);
        own.or_else(|| self.main.errors.of(status))?.as_ref()
    }

    /// The "translate name" phase, with the directives of the server.
    fn in_server(&self, state: &mut State<'_>, files: &dyn Files, work: &Work) -> Step {
        let section = self.section(&state.request);
        match section.engine.run(state, None, files, work) {
            Outcome::Answer(answer) => return Step::Done(answer),
            Outcome::PassThrough(path) => state.uri = path,
            // The file system reads several slashes as one.
            Outcome::Path(path) => return Step::Serve(request::tidy(&path).unwrap_or(path)),
            Outcome::Unchanged => {}
        }
        let mut answer = section.redirects.answer(state, work);
        if answer.is_none() && !self.hosts.is_empty() {
            answer = self.main.redirects.answer(state, work);
        }
        match answer {
            Some(answer) => Step::Done(answer),
            None => Step::Serve(state.uri.clone()),
        }
    }

    /// The "fixups" phase, with the directives of an `.htaccess` at `mount`.
    fn in_folder(
        &self,
        mount: &str,
        state: &mut State<'_>,
        files: &dyn Files,
        work: &Work,
    ) -> Step {
        // Without its slash the folder is not entered, so only `mod_alias` applies.
        let is_folder = mount.strip_suffix('/').map(str::as_bytes) == Some(&state.uri);
        if !is_folder && !is_below(&state.uri, mount) {
            return Step::Serve(state.uri.clone());
        }
        let rewritten = if is_folder {
            Outcome::Unchanged
        } else {
            self.main.engine.run(state, Some(mount), files, work)
        };
        if let Outcome::Answer(answer) = rewritten {
            return Step::Done(answer);
        }
        // `mod_alias` looks at the original path, whatever it was rewritten to.
        if let Some(answer) = self.main.redirects.answer(state, work) {
            return Step::Done(answer);
        }
        match rewritten {
            // Subrequests are not redirected internally.
            Outcome::Path(_) | Outcome::PassThrough(_) if state.is_subrequest => {
                Step::Done(Answer::Refused {
                    status: 404,
                    rule: None,
                })
            }
            Outcome::Path(path) | Outcome::PassThrough(path) => again(state, &path, files),
            Outcome::Unchanged | Outcome::Answer(_) => Step::Serve(state.uri.clone()),
        }
    }

    /// `mod_dir`, and finally the file.
    fn serve(&self, state: &State<'_>, path: &[u8], files: &dyn Files, work: &Work) -> Answer {
        let refused = |status| Answer::Refused { status, rule: None };
        match files.kind(trim_slash(path)) {
            Some(Kind::File) if !path.ends_with(b"/") => Answer::File {
                path: path.to_vec(),
                status: 200,
                rule: None,
            },
            Some(Kind::Directory) if state.is_subrequest => refused(404),
            Some(Kind::Directory) if !state.uri.ends_with(b"/") => {
                if self.settings(&state.request, path).adds_no_slash {
                    refused(403)
                } else {
                    add_slash(state)
                }
            }
            Some(Kind::Directory) => self.index(state, path, files, work),
            _ => self.missing(state, path, files, work),
        }
    }

    /// A path that is no file: one below a file, or what is served for all that is missing.
    fn missing(&self, state: &State<'_>, path: &[u8], files: &dyn Files, work: &Work) -> Answer {
        let section = self.settings(&state.request, path);
        let refused = Answer::Refused {
            status: 404,
            rule: None,
        };
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

    /// What `FallbackResource` serves for a path, if it does.
    fn fallback(
        &self,
        state: &State<'_>,
        section: &Section,
        files: &dyn Files,
        work: &Work,
    ) -> Option<Answer> {
        let fallback = section.fallback.as_ref();
        let fallback = fallback.filter(|_| !state.is_subrequest)?;
        if !files.is_file(fallback.path.as_bytes()) {
            // A program of the server, perhaps.
            let line = fallback.line;
            return Some(Answer::Unknown { line });
        }
        let mut asked = State {
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

    fn index(&self, state: &State<'_>, path: &[u8], files: &dyn Files, work: &Work) -> Answer {
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
            let mut asked = State {
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
            None => Answer::Refused {
                status: 403,
                rule: None,
            },
        }
    }
}

/// An internal redirect, which treats the new path as if a client had sent it; but a folder without
/// its slash first gets one.
fn again(state: &mut State<'_>, path: &[u8], files: &dyn Files) -> Step {
    let is_folder = files.is_directory(trim_slash(&state.uri));
    if is_folder && !state.uri.ends_with(b"/") {
        return Step::Done(add_slash(state));
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
            Step::Again
        }
        None => Step::Done(Answer::Refused {
            status: 400,
            rule: None,
        }),
    }
}

/// `DirectorySlash On`
fn add_slash(state: &State<'_>) -> Answer {
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

enum Step {
    Done(Answer),
    Serve(Vec<u8>),
    /// An internal redirect to the current `State::uri`.
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
