//! Redirects of the Apache HTTP Server: `mod_alias` and `mod_rewrite`, in the server configuration
//! and in `.htaccess`, and what `mod_dir` does by itself.
//!
//! A request is processed as in Apache: the path is decoded and normalized; `mod_rewrite` processes
//! it, then `mod_alias`; the directories are walked, and for a folder with an `.htaccess` both run
//! again, with the path below that folder. Last comes `mod_dir`, which adds a slash or repeats the
//! process for the index.

mod alias;
mod lines;
mod rewrite;
mod state;
mod unread;

use super::choices::Choices;
use super::request::{self, Files, Kind, Request};
use super::rule::{Answer, Read, Trouble};
use super::work::Work;
use alias::Redirects;
use lines::Line;
use rewrite::{Engine, Outcome};
use state::{State, trim_slash};
use unread::Unread;

/// Internal redirects that Apache follows for one request (`LimitInternalRecursion`).
const MAX_INTERNAL: usize = 10;

#[derive(Debug)]
pub(super) struct Apache {
    /// The path of the folder of an `.htaccess`, with a slash at both ends.
    mount: Option<String>,
    main: Section,
    hosts: Vec<Section>,
    /// The virtual hosts chosen so far, by the hosts of requests.
    chosen: Choices<String>,
    unread: Unread,
}

/// The directives of the server, or of one virtual host.
#[derive(Debug, Default)]
struct Section {
    names: Vec<String>,
    redirects: Redirects,
    engine: Engine,
    index: Vec<String>,
}

pub(super) fn read(text: &str, mount: Option<&str>, read: &mut Read) -> Apache {
    let mut reader = Reader {
        mount: mount.map(mount_path),
        main: Section::default(),
        hosts: Vec::new(),
        unread: Unread::default(),
        open: Vec::new(),
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

/// How the lines inside a section are treated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Inside {
    /// As if the section were not there.
    Same,
    /// A virtual host.
    Host,
    /// A condition that does not hold.
    Off,
    /// An unsupported section.
    NotRead,
}

struct Reader<'r> {
    mount: Option<String>,
    main: Section,
    hosts: Vec<Section>,
    unread: Unread,
    /// The names of the open sections, and their arguments.
    open: Vec<(String, String, Inside)>,
    read: &'r mut Read,
}

impl Reader<'_> {
    fn line(&mut self, line: &Line) {
        let name = line.name.to_ascii_lowercase();
        if let Some(section) = name.strip_prefix("</") {
            self.close(line.number, section.trim_end_matches('>'));
        } else if let Some(section) = name.strip_prefix('<') {
            self.open(line, section);
        } else if self.open.iter().any(|(.., inside)| *inside == Inside::Off) {
            // Skipped, as by the server.
        } else if self
            .open
            .iter()
            .any(|(.., inside)| *inside == Inside::NotRead)
        {
            self.not_read_inside(line, &name);
        } else {
            self.directive(line, &name);
        }
    }

    fn open(&mut self, line: &Line, section: &str) {
        let condition = line.rest.trim_end().trim_end_matches('>').trim();
        let inside = match section {
            "ifmodule" if condition.starts_with('!') => Inside::Off,
            "ifmodule" => Inside::Same,
            "virtualhost" => {
                self.hosts.push(Section::default());
                Inside::Host
            }
            _ => Inside::NotRead,
        };
        self.open
            .push((section.to_owned(), condition.to_owned(), inside));
    }

    fn close(&mut self, number: usize, section: &str) {
        match self.open.pop() {
            Some((open, ..)) if open == section => {}
            Some((open, ..)) => {
                let message = format!("</{section}> closes <{open}>: the server does not start");
                self.read.problem(number, Trouble::Refused, message);
            }
            None => {
                let message = format!("</{section}> closes nothing: the server does not start");
                self.read.problem(number, Trouble::Refused, message);
            }
        }
    }

    fn not_read_inside(&mut self, line: &Line, name: &str) {
        if is_about_addresses(name) {
            let mut sections = self.open.iter().rev();
            let section = sections.find(|(.., inside)| *inside == Inside::NotRead);
            let (section, condition) = section.map_or(("", ""), |(section, condition, _)| {
                (section.as_str(), condition.as_str())
            });
            self.unread.add_inside(line, section, condition);
            let message = format!("{} inside <{section}> is not read", line.name);
            self.read.problem(line.number, Trouble::NotRead, message);
        }
    }

    fn directive(&mut self, line: &Line, name: &str) {
        let in_host = self.open.iter().any(|(.., inside)| *inside == Inside::Host);
        let section = match self.hosts.last_mut() {
            Some(host) if in_host => host,
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
                section.index = line.words();
                Ok(())
            }
            "servername" | "serveralias" => {
                let names = line.words().into_iter();
                section.names.extend(names.map(|name| bare_host(&name)));
                Ok(())
            }
            "errordocument" => {
                let words = line.words();
                if words.get(1).is_some_and(|word| word.contains("://")) {
                    let message = "an ErrorDocument at a URL is a redirect that is not read";
                    self.read.problem(line.number, Trouble::NotRead, message);
                }
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
        if let Err(message) = result {
            let effect = match self.mount {
                Some(_) => "every request below the folder answers with 500",
                None => "the server does not start",
            };
            let message = format!("{}: {message}: {effect}", line.name);
            self.read.problem(line.number, Trouble::Refused, message);
        }
    }

    fn finish(mut self) -> Apache {
        for (section, ..) in std::mem::take(&mut self.open) {
            let message = format!("<{section}> is never closed: the server does not start");
            self.read.problem(1, Trouble::Refused, message);
        }
        self.main.engine.finish(self.read);
        for host in &mut self.hosts {
            host.engine.finish(self.read);
        }
        Apache {
            mount: self.mount,
            main: self.main,
            hosts: self.hosts,
            chosen: Choices::default(),
            unread: self.unread,
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
    const NAMES: [&str; 10] = [
        "fallbackresource",
        "directoryslash",
        "directoryindexredirect",
        "acceptpathinfo",
        "allowencodedslashes",
        "mergeslashes",
        "checkspelling",
        "checkcaseonly",
        "use",
        "sethandler",
    ];
    STARTS.iter().any(|start| name.starts_with(start)) || NAMES.contains(&name)
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

    pub(super) fn answer(&self, request: &Request<'_>, files: &dyn Files, work: &Work) -> Answer {
        let refused = |status| Answer::Refused { status, rule: None };
        if !request::has_only_whole_escapes(request.path) {
            return refused(400);
        }
        if request::has_escape(request.path, "2F") || request::has_escape(request.path, "00") {
            return refused(404);
        }
        let Some(uri) = request::tidy(&request.decoded_path()) else {
            return refused(400);
        };
        let is_for = self.is_for(&uri);
        if let Some(unknown) = self.unread.before(&uri, work).filter(|_| is_for) {
            return unknown;
        }
        let state = State {
            request: *request,
            uri,
            args: request.query.map(str::to_owned),
            is_subrequest: false,
            internal: 0,
            has_ended: false,
        };
        let answer = self.process(state, files, work);
        let unknown = self.unread.after(&answer).filter(|_| is_for);
        unknown.unwrap_or(answer)
    }

    fn process(&self, mut state: State<'_>, files: &dyn Files, work: &Work) -> Answer {
        loop {
            if state.internal > MAX_INTERNAL {
                return Answer::Refused {
                    status: 500,
                    rule: None,
                };
            }
            let step = match &self.mount {
                None => self.in_server(&mut state, files, work),
                Some(mount) => self.in_folder(mount, &mut state, files, work),
            };
            match step {
                Step::Done(answer) => return answer,
                Step::Serve(path) => return self.serve(&state, &path, files, work),
                Step::Again => state.internal += 1,
            }
        }
    }

    fn section(&self, request: &Request<'_>) -> &Section {
        if self.hosts.is_empty() {
            return &self.main;
        }
        let host = request.host_name().to_owned();
        let number = self.chosen.get(host, |host| {
            let named = |section: &Section| section.names.iter().any(|name| is_host(name, host));
            self.hosts.iter().position(named)
        });
        let section = self.hosts.get(number.unwrap_or(0));
        section.unwrap_or(&self.main)
    }

    /// The "translate name" phase, with the directives of the server.
    fn in_server(&self, state: &mut State<'_>, files: &dyn Files, work: &Work) -> Step {
        let section = self.section(&state.request);
        match section.engine.run(state, None, files, work) {
            Outcome::Answer(answer) => return Step::Done(answer),
            Outcome::PassThrough(path) => state.uri = path,
            Outcome::Path(path) => return Step::Serve(path),
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
            Some(Kind::Directory) if !state.uri.ends_with(b"/") => add_slash(state),
            Some(Kind::Directory) => self.index(state, path, files, work),
            _ => refused(404),
        }
    }

    fn index(&self, state: &State<'_>, path: &[u8], files: &dyn Files, work: &Work) -> Answer {
        let section = self.section(&state.request);
        let default = ["index.html".to_owned()];
        let names = if section.index.is_empty() {
            &default[..]
        } else {
            &section.index[..]
        };
        let mut refusal = None;
        for name in names {
            let mut uri = if name.starts_with('/') {
                Vec::new()
            } else {
                path.to_vec()
            };
            uri.extend_from_slice(name.as_bytes());
            let asked = State {
                uri,
                is_subrequest: true,
                ..state.clone()
            };
            match self.process(asked, files, work) {
                Answer::Refused { status: 404, .. } => {}
                Answer::Refused { status, rule } => {
                    refusal = Some(Answer::Refused { status, rule });
                }
                answer => return answer,
            }
        }
        refusal.unwrap_or(Answer::Refused {
            status: 404,
            rule: None,
        })
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
