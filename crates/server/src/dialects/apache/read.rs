//! Reads the directives of a configuration or an `.htaccess` file.

use std::sync::Arc;

use super::Apache;
use super::access::Requirement;
use super::alias::Target;
use super::assignments::Names;
use super::branches::{Branch, Branches, Condition, Folder};
use super::directives;
use super::expression::{Expression, NoExpression};
use super::lines::Line;
use super::modules;
use super::preprocessed::{self, Roots};
use super::rewrite::{Engine, Maps, OwnUrls, Place};
use super::section::Section;
use super::server_root::{self, ServerRoot};
use super::unsupported::UnsupportedDirectives;
use crate::engine::choices::Choices;
use crate::engine::glob;
use crate::engine::pattern::{PatternError, is_broken};
use crate::line_error::LineError;
use crate::rule::{ProblemKind, RuleParser};

/// Reads directives of a server or virtual host.
pub(crate) fn server(text: &str, parser: &mut RuleParser) -> Apache {
    read(text, None, parser)
}

/// Reads an `.htaccess` file.
pub(crate) fn htaccess(text: &str, parser: &mut RuleParser) -> Apache {
    let mount = mount_path(&parser.mount);
    read(text, Some(mount), parser)
}

fn read(text: &str, mount: Option<String>, parser: &mut RuleParser) -> Apache {
    let is_server = mount.is_none();
    let mut names = Names::new(is_server);
    let mut maps = Maps::new(is_server);
    let mut roots = Roots::default();
    let included = Arc::clone(&parser.included);
    for line in preprocessed::lines(text, &included, is_server) {
        names.add(&line);
        maps.add(&line, &included);
        roots.add(&line);
    }
    let maps = Arc::new(maps);
    let mut reader = Reader {
        mount,
        main: Section {
            engine: Engine::in_section(Place::Folder, Arc::clone(&maps)),
            ..Section::default()
        },
        maps,
        branches: Branches::default(),
        hosts: Vec::new(),
        unread: UnsupportedDirectives::default(),
        open: Vec::new(),
        closed: None,
        is_broken: false,
        names,
        roots,
        server_root: ServerRoot::default(),
        parser,
    };
    for line in preprocessed::lines(text, &included, is_server) {
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

/// How the lines inside a section are treated. In nested sections the greatest value applies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Treatment {
    /// As if the section were not there.
    Same,
    /// A virtual host.
    Host,
    /// An unsupported section.
    NotRead,
    /// A condition that does not hold.
    Off,
}

/// An open section.
struct OpenSection {
    name: String,
    condition: String,
    /// How it and the enclosing sections treat the lines inside.
    inside: Treatment,
    /// The index of the innermost unsupported section among the open ones.
    unread: Option<usize>,
    /// Whether a virtual host is open.
    is_in_host: bool,
    /// The innermost branch among the open sections.
    branch: Option<usize>,
    scope: AccessScope,
    /// The requirements in a `<RequireAll>` and the like.
    required: Vec<Requirement>,
}

impl OpenSection {
    fn in_words(&self) -> String {
        match &*self.condition {
            "" => "a section".to_owned(),
            condition => format!("<{} {condition}>", self.name),
        }
    }
}

/// The requests that access rules are for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum AccessScope {
    /// Those of a branch, or of the folder.
    Section(Option<usize>),
    /// Those for which a condition holds, which is not known.
    Conditional,
    /// No requests that are checked.
    Elsewhere,
}

/// What an `<ElseIf>` or `<Else>` follows.
#[derive(Clone, Copy)]
enum ClosedIf {
    Branch(usize),
    NotRead,
}

/// The sections that group requirements.
const REQUIREMENTS: [&str; 3] = ["requireall", "requireany", "requirenone"];

struct Reader<'r> {
    mount: Option<String>,
    main: Section,
    branches: Branches,
    hosts: Vec<Section>,
    unread: UnsupportedDirectives,
    open: Vec<OpenSection>,
    /// The `<If>` or `<ElseIf>` that the line before closed.
    closed: Option<ClosedIf>,
    is_broken: bool,
    names: Names,
    maps: Arc<Maps>,
    roots: Roots,
    server_root: ServerRoot,
    parser: &'r mut RuleParser,
}

impl Reader<'_> {
    fn line(&mut self, line: &Line) {
        self.server_root.add(line);
        let name = line.name.to_ascii_lowercase();
        let closed = self.closed.take();
        if let Some(section) = name.strip_prefix("</") {
            self.close(line.number, section.trim_end_matches('>'));
        } else if let Some(section) = name.strip_prefix('<') {
            self.open(line, section, closed);
        } else {
            match self.inside() {
                // The server skips it, too.
                Treatment::Off => {}
                _ if name == "require" => {
                    match Requirement::from_line(line, &self.names, self.parser) {
                        Ok(requirement) => self.require(requirement, line.number),
                        Err(error) => self.refuse(line.number, &format!("Require: {error}")),
                    }
                }
                _ if matches!(&*name, "order" | "allow" | "deny") => self.older(line, &name),
                Treatment::NotRead => self.not_read_inside(line, &name),
                Treatment::Host | Treatment::Same => self.directive(line, &name),
            }
        }
    }

    /// How lines at the current position are treated.
    fn inside(&self) -> Treatment {
        self.open.last().map_or(Treatment::Same, |open| open.inside)
    }

    /// The open virtual host.
    fn host(&self) -> Option<usize> {
        let is_in_host = self.open.last().is_some_and(|open| open.is_in_host);
        is_in_host.then(|| self.hosts.len().saturating_sub(1))
    }

    /// Where access rules at the current position apply.
    fn access_scope(&self) -> AccessScope {
        let outside = match self.mount {
            Some(_) => AccessScope::Section(None),
            None => AccessScope::Elsewhere,
        };
        self.open.last().map_or(outside, |open| open.scope)
    }

    /// The directives of a branch, or of the server or the open virtual host.
    fn section_at(&mut self, branch: Option<usize>) -> &mut Section {
        let host = self.host();
        if let Some(section) = branch.and_then(|branch| self.branches.get_mut(branch)) {
            return section;
        }
        match host.and_then(|host| self.hosts.get_mut(host)) {
            Some(host) => host,
            None => &mut self.main,
        }
    }

    /// Adds a requirement at the current position.
    fn require(&mut self, requirement: Requirement, number: usize) {
        if let Some(open) = self.open.last_mut()
            && REQUIREMENTS.contains(&&*open.name)
        {
            return open.required.push(requirement);
        }
        match self.access_scope() {
            AccessScope::Section(branch) => self.section_at(branch).access.require(requirement),
            AccessScope::Conditional if requirement.may_refuse() => self.not_read_access(number),
            _ => {}
        }
    }

    /// Adds an `Order`, `Allow` or `Deny` at the current position.
    fn older(&mut self, line: &Line, name: &str) {
        match self.access_scope() {
            AccessScope::Section(branch) => {
                let names = std::mem::take(&mut self.names);
                self.section_at(branch).access.add_older(line, name, &names);
                self.names = names;
            }
            AccessScope::Conditional if name == "deny" => self.not_read_access(line.number),
            _ => {}
        }
    }

    fn not_read_access(&mut self, number: usize) {
        self.unread.add_for_all(number);
        let message = "who is refused by a condition is not read";
        self.parser.problem(number, ProblemKind::NotRead, message);
    }

    /// Where access rules in a new section apply that is no branch.
    fn place_in(&self, section: &str, condition: &str) -> AccessScope {
        let outer = self.access_scope();
        let has_get = || {
            let mut words = condition.split_ascii_whitespace();
            words.any(|word| word.eq_ignore_ascii_case("get"))
        };
        match section {
            "if" | "elseif" | "else" | "ifversion" | "iffile" | "ifdirective" | "ifsection"
                if outer != AccessScope::Elsewhere || self.mount.is_none() =>
            {
                AccessScope::Conditional
            }
            "files" | "filesmatch" | "location" | "locationmatch" => AccessScope::Conditional,
            "limit" if !has_get() => AccessScope::Elsewhere,
            "limitexcept" if has_get() => AccessScope::Elsewhere,
            "directory" | "directorymatch" | "proxy" | "proxymatch" | "macro" => {
                AccessScope::Elsewhere
            }
            _ => outer,
        }
    }

    /// The branch that a section opens, if it is one whose requests are known.
    fn branch(
        &mut self,
        line: &Line,
        section: &str,
        condition: &str,
        closed: Option<ClosedIf>,
    ) -> Option<usize> {
        if self.inside() > Treatment::Host {
            return None;
        }
        let outer = self.open.last().and_then(|open| open.branch);
        let condition = match section {
            "if" => Condition::If(self.expression(line, section)?),
            "elseif" | "else" => match (section, closed) {
                ("else", Some(ClosedIf::Branch(number))) => Condition::Else(number),
                (_, Some(ClosedIf::Branch(number))) => {
                    Condition::ElseIf(number, self.expression(line, section)?)
                }
                (_, Some(ClosedIf::NotRead)) => return None,
                (_, None) => {
                    self.refuse(line.number, &format!("<{section}> follows no <If>"));
                    return None;
                }
            },
            _ => self.named_condition(line, section, condition)?,
        };
        let place = match &condition {
            Condition::If(_) | Condition::ElseIf(..) | Condition::Else(_) => Place::If,
            Condition::Folder(folder) => {
                let roots = self.roots.all(self.host());
                let is_above = |root: &&str| folder.below(root).is_none() && folder.is_above(root);
                if roots.iter().any(is_above) {
                    // Patterns see a part of the path of the root on the disk.
                    Place::AboveRoot
                } else if roots.iter().any(|root| folder.below(root).is_some()) {
                    Place::Folder
                } else {
                    Place::Files
                }
            }
            _ => Place::Files,
        };
        Some(self.branches.add(Branch {
            condition,
            outer,
            host: self.host(),
            section: Section {
                engine: Engine::in_section(place, Arc::clone(&self.maps)),
                ..Section::default()
            },
        }))
    }

    /// The requests of a section that names files, folders or paths.
    fn named_condition(
        &mut self,
        line: &Line,
        section: &str,
        condition: &str,
    ) -> Option<Condition> {
        let is_folder = section.starts_with("directory");
        let is_path = section.starts_with("location");
        let is_file = section.starts_with("files");
        let is_allowed = is_file || self.mount.is_none() && (is_path || is_folder);
        let is_known = !is_folder || !self.roots.all(self.host()).is_empty();
        if !is_allowed || !is_known || condition.is_empty() {
            return None;
        }
        let (is_regex, text) = match condition.strip_prefix('~') {
            Some(rest) => (true, rest.trim()),
            None => (section.ends_with("match"), condition),
        };
        let text = text.trim_matches('"');
        let is_glob = text.contains(['*', '?', '[']);
        let bare = text.trim_end_matches('/');
        if !is_regex && !is_glob && is_folder {
            return Some(Condition::Folder(Folder::new(bare)));
        }
        if !is_regex && !is_glob && is_path {
            return Some(Condition::Below(text.as_bytes().to_vec()));
        }
        let pattern = if is_regex {
            self.parser.pattern(text, false).ok()
        } else {
            glob::pattern(if is_folder { bare } else { text }, self.parser)
        };
        let Some(pattern) = pattern else {
            if !is_regex || is_broken(text) {
                self.refuse(line.number, &format!("the pattern {text:?} is broken"));
            }
            return None;
        };
        Some(match (is_folder, is_path) {
            (true, _) if is_regex => Condition::Disk(pattern),
            (true, _) => Condition::Folders(pattern, bare.matches('/').count()),
            (_, true) if is_regex => Condition::Path(pattern),
            (_, true) => Condition::Paths(pattern),
            (false, false) => Condition::Name(pattern),
        })
    }

    /// The expression of a section; `None` if it depends on what is not known, or the server refuses it.
    fn expression(&mut self, line: &Line, section: &str) -> Option<Expression> {
        let words = line.words();
        let text = match &words[..] {
            [text] => text.strip_suffix('>').unwrap_or(text),
            [text, end] if end == ">" => text,
            _ => {
                self.refuse(line.number, &format!("<{section}> takes one argument"));
                return None;
            }
        };
        match Expression::parse(text, &self.names, self.parser) {
            Ok(expression) => Some(expression),
            Err(NoExpression::NotKnown) => None,
            Err(NoExpression::Refused) => {
                let message = format!("the expression {text:?} is broken");
                self.refuse(line.number, &message);
                None
            }
        }
    }

    /// Whether the lines of a section apply; `None` if the requests decide it, or it is not known.
    fn holds(&self, section: &str, condition: &str) -> Option<bool> {
        match section {
            "ifmodule" => Some(modules::applies(condition)),
            "ifversion" => modules::is_version(condition),
            "iffile" => {
                let (file, is_negated) = server_root::file_of_condition(condition);
                let exists = self.server_root.has(file, &self.parser.included);
                exists.map(|exists| exists != is_negated)
            }
            "ifsection" | "ifdirective" => directives::holds(section, condition),
            _ => None,
        }
    }

    fn open(&mut self, line: &Line, section: &str, closed: Option<ClosedIf>) {
        let section = section.trim_end_matches('>');
        let condition = line.rest.trim_end().trim_end_matches('>').trim();
        let outer = self.inside();
        let branch = self.branch(line, section, condition, closed);
        let own = match (section, self.holds(section, condition)) {
            (_, Some(false)) => Treatment::Off,
            (_, Some(true)) => Treatment::Same,
            _ if branch.is_some() => Treatment::Same,
            ("requireall" | "requireany" | "requirenone", _) => Treatment::Same,
            ("virtualhost", _) => Treatment::Host,
            _ => Treatment::NotRead,
        };
        if own == Treatment::Host && outer < Treatment::NotRead {
            let first = self.parser.rules.len();
            let root = self.roots.get(Some(self.hosts.len())).map(str::to_owned);
            self.hosts.push(Section {
                ports: ports_of(condition),
                rules: first..first,
                root,
                engine: Engine::in_section(Place::Folder, Arc::clone(&self.maps)),
                ..Section::default()
            });
        }
        let mut scope = AccessScope::Elsewhere;
        if outer != Treatment::Off {
            let takes_none = section == "else" || REQUIREMENTS.contains(&section);
            if condition.is_empty() && !takes_none {
                self.refuse(line.number, &format!("<{section}> needs an argument"));
            }
            if !directives::is_section(section) {
                let message = format!("no section has the name <{section}>");
                self.refuse(line.number, &message);
            }
            if self.mount.is_some() && directives::is_server_section(section) {
                self.refuse(line.number, &format!("<{section}> is not allowed here"));
            }
            scope = match branch {
                Some(_) => AccessScope::Section(branch),
                None => self.place_in(section, condition),
            };
        }
        let is_in_host = self.open.last().is_some_and(|open| open.is_in_host);
        self.open.push(OpenSection {
            name: section.to_owned(),
            condition: condition.to_owned(),
            inside: outer.max(own),
            unread: match own {
                Treatment::NotRead => Some(self.open.len()),
                _ => self.open.last().and_then(|open| open.unread),
            },
            is_in_host: is_in_host || own == Treatment::Host,
            branch: branch.or_else(|| self.open.last().and_then(|open| open.branch)),
            scope,
            required: Vec::new(),
        });
    }

    fn close(&mut self, number: usize, section: &str) {
        match self.open.pop() {
            Some(open) if open.name == section => {
                if matches!(section, "if" | "elseif") {
                    self.closed = Some(match open.branch {
                        Some(branch) if open.inside < Treatment::NotRead => {
                            ClosedIf::Branch(branch)
                        }
                        _ => ClosedIf::NotRead,
                    });
                }
                if REQUIREMENTS.contains(&section) && open.inside != Treatment::Off {
                    self.require(Requirement::together(section, open.required), number);
                }
            }
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
            self.unread
                .add_inside(line, section, condition, self.parser);
            let message = format!("{} inside <{section}> is not read", line.name);
            self.parser
                .problem(line.number, ProblemKind::NotRead, message);
        }
    }

    fn directive(&mut self, line: &Line, name: &str) {
        let branch = self.open.last().and_then(|open| open.branch);
        let host = self.host();
        let root = self.roots.get(host);
        let is_allowed = directives::is_allowed(name, branch.is_some(), self.mount.is_some());
        let section = match branch.and_then(|branch| self.branches.get_mut(branch)) {
            Some(section) => section,
            None => match host.and_then(|host| self.hosts.get_mut(host)) {
                Some(host) => host,
                None => &mut self.main,
            },
        };
        let result = match name {
            _ if !is_allowed => Err(LineError::Form("it is not allowed here")),
            "redirect" if branch.is_some() && Target::takes(line) => {
                let place = self.open.last().map(OpenSection::in_words);
                let place = self.parser.place(&place.unwrap_or_default());
                match Target::from_line(line, &place, &self.names, self.parser) {
                    Ok(target) => {
                        section.target = Some(target);
                        Ok(())
                    }
                    Err(NoExpression::Refused) => {
                        Err(LineError::BrokenExpression(line.rest.clone()))
                    }
                    Err(NoExpression::NotKnown) => {
                        self.unread.add_for_all(line.number);
                        let message = "the target depends on what is not known";
                        self.parser
                            .problem(line.number, ProblemKind::NotRead, message);
                        Ok(())
                    }
                }
            }
            "redirect" | "redirectpermanent" | "redirecttemp" | "redirectmatch" => {
                section.redirects.add(name, line, self.parser)
            }
            "rewriteengine" => section.engine.switch(line),
            "rewritebase" => section.engine.set_base(line),
            "rewritecond" => section.engine.add_condition(line, &self.names, self.parser),
            "rewriterule" => {
                let mount = self.mount.as_deref().filter(|_| branch.is_none());
                section
                    .engine
                    .add_rule(line, mount, &self.names, self.parser)
            }
            "alias" | "aliasmatch" if branch.is_none() && self.mount.is_none() => {
                if name == "alias" && !leads_below(line, root) {
                    let message = format!("{} leads to what is not in the site", line.name);
                    self.parser
                        .problem(line.number, ProblemKind::NotRead, message);
                }
                section.aliases.add(name, line, self.parser)
            }
            "rewriteoptions" if self.mount.is_none() => {
                section.engine.set_options(line);
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
            "errordocument" => section.errors.add(line, self.parser),
            "setenvif" | "setenvifnocase" | "setenvifexpr" | "browsermatch"
            | "browsermatchnocase" => section
                .environment
                .add(name, line, &self.names, self.parser),
            "documentroot" | "serverroot" | "rewritemap" => Ok(()),
            "include" | "includeoptional" if server_root::is_harmless(line) => Ok(()),
            "include" | "includeoptional" | "use" | "virtualdocumentroot"
                if branch.is_some() || host.is_some() =>
            {
                section.unread.get_or_insert(line.number);
                not_read(line, self.parser);
                Ok(())
            }
            "userdir" if line.rest.eq_ignore_ascii_case("disabled") => Ok(()),
            _ => match section.settings.read(name, line, self.parser) {
                Some(result) => result,
                None => self.other(line, name),
            },
        };
        if let Some(host) = host.and_then(|host| self.hosts.get_mut(host)) {
            host.rules.end = self.parser.rules.len();
        }
        match result {
            Ok(()) => {}
            // The limit is ours, not the server's.
            Err(LineError::Pattern(error @ PatternError::FileTooLarge)) => {
                self.unread.add_for_all(line.number);
                let message = format!("{} is not read: {error}", line.name);
                self.parser
                    .problem(line.number, ProblemKind::NotRead, message);
            }
            Err(message) => self.refuse(line.number, &format!("{}: {message}", line.name)),
        }
    }

    /// Reports a directive that is not applied.
    fn other(&mut self, line: &Line, name: &str) -> Result<(), LineError> {
        if directives::is_misspelt(name) {
            return Err(LineError::Form("no directive has such a name"));
        }
        if is_about_addresses(name) {
            self.unread.add(line, name, self.parser);
            not_read(line, self.parser);
        } else {
            let message = format!("{} is not known to affect where a URL leads", line.name);
            self.parser
                .problem(line.number, ProblemKind::Irrelevant, message);
        }
        Ok(())
    }

    /// Reports a line that breaks the file, and its consequences.
    fn refuse(&mut self, number: usize, message: &str) {
        let effect = match self.mount {
            Some(_) => "every request below the folder answers with 500",
            None => "the server does not start",
        };
        self.is_broken = self.mount.is_some();
        let message = format!("{message}: {effect}");
        self.parser.problem(number, ProblemKind::Refused, message);
    }

    fn finish(mut self) -> Apache {
        for open in std::mem::take(&mut self.open) {
            let name = open.name;
            self.refuse(1, &format!("<{name}> is never closed"));
        }
        self.main.engine.finish(self.parser);
        for host in &mut self.hosts {
            host.engine.finish(self.parser);
            if host.engine.own == OwnUrls::All {
                host.engine.own = self.main.engine.own;
            }
        }
        for (host, section) in self.branches.sections_mut() {
            let host = host.and_then(|host| self.hosts.get(host));
            section.engine.own = host.unwrap_or(&self.main).engine.own;
        }
        let other_root = self.roots.differ();
        self.main.root = self.roots.main.take();
        Apache {
            other_root,
            mount: self.mount,
            main: self.main,
            branches: self.branches,
            hosts: self.hosts,
            chosen: Choices::default(),
            unread: self.unread,
            is_broken: self.is_broken,
        }
    }
}

/// Whether the place on the disk of an `Alias` is below the root of the site.
fn leads_below(line: &Line, root: Option<&str>) -> bool {
    let words = line.words();
    let below = words.get(1).zip(root);
    let below = below.and_then(|(place, root)| place.strip_prefix(root));
    below.is_some_and(|below| below.is_empty() || below.starts_with('/'))
}

/// Reports a directive that is not read.
fn not_read(line: &Line, parser: &mut RuleParser) {
    let message = format!("{} is not read", line.name);
    parser.problem(line.number, ProblemKind::NotRead, message);
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
    const NAMES: [&str; 2] = ["use", "sethandler"];
    STARTS.iter().any(|start| name.starts_with(start)) || NAMES.contains(&name)
}

/// The ports in the addresses of a virtual host (`*:80 [::1]:8080`); empty if one of the addresses has
/// no port.
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
