//! Reads the directives of a configuration or an `.htaccess` file.

use super::Apache;
use super::access::{self, Scope, Verdict};
use super::branches::{Branches, Condition};
use super::expression::{Expression, NoExpression};
use super::lines::{self, Line};
use super::modules;
use super::rewrite::{Engine, OwnUrls, Place};
use super::section::{Fallback, Section};
use super::unsupported::UnsupportedDirectives;
use crate::engine::choices::Choices;
use crate::engine::pattern::PatternError;
use crate::line_error::LineError;
use crate::rule::{ProblemKind, Rule, RuleParser};

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
    let mut main = Section::default();
    main.access.add(Scope::All);
    let mut reader = Reader {
        mount,
        main,
        branches: Branches::default(),
        hosts: Vec::new(),
        unread: UnsupportedDirectives::default(),
        open: Vec::new(),
        closed: None,
        is_broken: false,
        parser,
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
    required: Vec<Verdict>,
}

/// The requests that access rules are for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum AccessScope {
    /// Those of the section with this number, of a branch or of the folder or server.
    Section(Option<usize>, usize),
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

/// The directives about folders, which are read only outside sections.
const WHOLE: [&str; 5] = [
    "acceptpathinfo",
    "directoryindex",
    "directoryslash",
    "fallbackresource",
    "options",
];

/// The sections that only a server configuration can have.
const SERVER_SECTIONS: [&str; 8] = [
    "location",
    "locationmatch",
    "directory",
    "directorymatch",
    "virtualhost",
    "proxy",
    "proxymatch",
    "macro",
];

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
    parser: &'r mut RuleParser,
}

impl Reader<'_> {
    fn line(&mut self, line: &Line) {
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
                _ if name == "require" => self.require(access::required(line), line.number),
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

    /// Where access rules at the current position apply.
    fn access_scope(&self) -> AccessScope {
        let outside = match self.mount {
            Some(_) => AccessScope::Section(None, 0),
            None => AccessScope::Elsewhere,
        };
        self.open.last().map_or(outside, |open| open.scope)
    }

    /// The directives of a branch, or of the server or the open virtual host.
    fn section_at(&mut self, branch: Option<usize>) -> &mut Section {
        if let Some(section) = branch.and_then(|branch| self.branches.get_mut(branch)) {
            return section;
        }
        let is_in_host = self.open.last().is_some_and(|open| open.is_in_host);
        match self.hosts.last_mut() {
            Some(host) if is_in_host => host,
            _ => &mut self.main,
        }
    }

    /// Adds a requirement at the current position.
    fn require(&mut self, verdict: Verdict, number: usize) {
        if let Some(open) = self.open.last_mut()
            && REQUIREMENTS.contains(&&*open.name)
        {
            return open.required.push(verdict);
        }
        match self.access_scope() {
            AccessScope::Section(branch, section) => {
                self.section_at(branch).access.require(section, verdict);
            }
            AccessScope::Conditional if verdict == Some(false) => self.not_read_access(number),
            _ => {}
        }
    }

    /// Adds an `Order`, `Allow` or `Deny` at the current position.
    fn older(&mut self, line: &Line, name: &str) {
        match self.access_scope() {
            AccessScope::Section(branch, section) => {
                self.section_at(branch)
                    .access
                    .add_older(section, line, name);
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

    /// Where access rules in a new section apply.
    fn place_in(&mut self, section: &str, condition: &str) -> Result<AccessScope, LineError> {
        let outer = self.access_scope();
        let has_get = || {
            let mut words = condition.split_ascii_whitespace();
            words.any(|word| word.eq_ignore_ascii_case("get"))
        };
        Ok(match section {
            "if" | "elseif" | "else" | "ifdefine" | "ifversion" | "iffile" | "ifdirective"
            | "ifsection"
                if outer != AccessScope::Elsewhere || self.mount.is_none() =>
            {
                AccessScope::Conditional
            }
            "limit" if !has_get() => AccessScope::Elsewhere,
            "limitexcept" if has_get() => AccessScope::Elsewhere,
            "directory" | "directorymatch" | "proxy" | "proxymatch" | "macro" => {
                AccessScope::Elsewhere
            }
            _ => match Scope::from_section(section, condition, self.parser)? {
                Some(_) if outer == AccessScope::Conditional => outer,
                Some(scope) => {
                    let branch = match outer {
                        AccessScope::Section(branch, _) => branch,
                        _ => None,
                    };
                    AccessScope::Section(branch, self.section_at(branch).access.add(scope))
                }
                None => outer,
            },
        })
    }

    /// The branch that a section of an `.htaccess` opens, if it is one whose requests are known.
    fn branch(
        &mut self,
        line: &Line,
        section: &str,
        condition: &str,
        closed: Option<ClosedIf>,
    ) -> Option<usize> {
        let outer = self.open.last().and_then(|open| open.branch);
        if self.mount.is_none() || self.inside() != Treatment::Same {
            return None;
        }
        let condition = match section {
            "files" | "filesmatch" => match Scope::from_section(section, condition, self.parser) {
                Ok(Some(Scope::Name(pattern))) => Condition::Name(pattern),
                _ => return None,
            },
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
            _ => return None,
        };
        let place = match condition {
            Condition::Name(_) => Place::Files,
            _ => Place::If,
        };
        let mut own = Section {
            engine: Engine::in_section(place),
            ..Section::default()
        };
        own.access.add(Scope::All);
        Some(self.branches.add(condition, outer, own))
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
        match Expression::parse(text, self.parser) {
            Ok(expression) => Some(expression),
            Err(NoExpression::NotKnown) => None,
            Err(NoExpression::Refused) => {
                let message = format!("the expression {text:?} is broken");
                self.refuse(line.number, &message);
                None
            }
        }
    }

    fn open(&mut self, line: &Line, section: &str, closed: Option<ClosedIf>) {
        let section = section.trim_end_matches('>');
        let condition = line.rest.trim_end().trim_end_matches('>').trim();
        let outer = self.inside();
        let branch = self.branch(line, section, condition, closed);
        let own = match section {
            "ifmodule" if !modules::applies(condition) => Treatment::Off,
            "ifversion" if modules::is_version(condition) == Some(false) => Treatment::Off,
            "ifversion" if modules::is_version(condition).is_some() => Treatment::Same,
            _ if branch.is_some() => Treatment::Same,
            "ifmodule" | "requireall" | "requireany" | "requirenone" => Treatment::Same,
            "virtualhost" => Treatment::Host,
            _ => Treatment::NotRead,
        };
        if own == Treatment::Host && outer < Treatment::NotRead {
            let first = self.parser.rules.len();
            self.hosts.push(Section {
                ports: ports_of(condition),
                rules: first..first,
                ..Section::default()
            });
        }
        let mut scope = AccessScope::Elsewhere;
        if outer != Treatment::Off {
            let takes_none = section == "else" || REQUIREMENTS.contains(&section);
            if condition.is_empty() && !takes_none {
                self.refuse(line.number, &format!("<{section}> needs an argument"));
            }
            if self.mount.is_some() && SERVER_SECTIONS.contains(&section) {
                self.refuse(line.number, &format!("<{section}> is not allowed here"));
            }
            let is_if = !section.starts_with("files");
            match self.place_in(section, condition) {
                Ok(_) if branch.is_some() && is_if => scope = AccessScope::Section(branch, 0),
                Ok(inner) => scope = inner,
                Err(error) => self.refuse(line.number, &error.to_string()),
            }
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
                        Some(branch) if open.inside == Treatment::Same => ClosedIf::Branch(branch),
                        _ => ClosedIf::NotRead,
                    });
                }
                if REQUIREMENTS.contains(&section) && open.inside != Treatment::Off {
                    self.require(access::together(section, &open.required), number);
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
        let inside = self.inside();
        let branch = self.open.last().and_then(|open| open.branch);
        if branch.is_some() && WHOLE.contains(&name) {
            self.unread.add_for_all(line.number);
            let message = format!("{} in a section is not read", line.name);
            return self
                .parser
                .problem(line.number, ProblemKind::NotRead, message);
        }
        let section = match self.hosts.last_mut() {
            Some(host) if inside == Treatment::Host => host,
            _ => match branch.and_then(|branch| self.branches.get_mut(branch)) {
                Some(section) => section,
                None => &mut self.main,
            },
        };
        let result = match name {
            "redirect" | "redirectpermanent" | "redirecttemp" | "redirectmatch" => {
                section.redirects.add(name, line, self.parser)
            }
            "rewriteengine" => section.engine.switch(line),
            "rewritebase" => section.engine.set_base(line),
            "rewritecond" => section.engine.add_condition(line, self.parser),
            "rewriterule" => {
                let mount = self.mount.as_deref().filter(|_| branch.is_none());
                section.engine.add_rule(line, mount, self.parser)
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
            "errordocument" => section.errors.add(line, self.parser),
            "acceptpathinfo" => {
                section.ignores_rest = line.rest.eq_ignore_ascii_case("on");
                Ok(())
            }
            "directoryslash" => {
                section.adds_no_slash = line.rest.eq_ignore_ascii_case("off");
                Ok(())
            }
            "fallbackresource" => {
                section.fallback = fallback(line, self.parser);
                Ok(())
            }
            "options" => {
                section.lists = lists(line).unwrap_or(section.lists);
                if let Some(is_on) = negotiates(line) {
                    section.negotiates = is_on.then_some(line.number);
                }
                Ok(())
            }
            _ if is_about_addresses(name) => {
                self.unread.add(line, name, self.parser);
                let message = format!("{} is not read", line.name);
                self.parser
                    .problem(line.number, ProblemKind::NotRead, message);
                Ok(())
            }
            _ if !line.name.starts_with('<') && !is_directive(&line.name) => {
                Err(LineError::Form("no directive has such a name"))
            }
            _ => {
                let message = format!("{} is not known to affect where a URL leads", line.name);
                self.parser
                    .problem(line.number, ProblemKind::Irrelevant, message);
                Ok(())
            }
        };
        if inside == Treatment::Host {
            section.rules.end = self.parser.rules.len();
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
        for section in self.branches.sections_mut() {
            section.engine.inherit(&self.main.engine);
        }
        self.main.engine.finish(self.parser);
        for host in &mut self.hosts {
            host.engine.finish(self.parser);
            if host.engine.own == OwnUrls::All {
                host.engine.own = self.main.engine.own;
            }
        }
        Apache {
            mount: self.mount,
            main: self.main,
            branches: self.branches,
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

/// The fallback for missing files, unless the `FallbackResource` line disables it.
fn fallback(line: &Line, parser: &mut RuleParser) -> Option<Fallback> {
    let words = line.words();
    let path = words.first()?;
    if path.eq_ignore_ascii_case("disabled") {
        return None;
    }
    let rule = parser.rule(Rule {
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

/// Whether a word can be the name of a directive of some module.
fn is_directive(word: &str) -> bool {
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    word.bytes().all(is_part)
}

/// Whether `Options` makes the server choose a file for a name that no file has, `/a` for `/a.html`;
/// `None` if it does not say.
fn negotiates(line: &Line) -> Option<bool> {
    let words = line.words();
    let is_whole = words.iter().all(|word| !word.starts_with(['+', '-']));
    let said = words.iter().rev().find_map(|word| {
        let bare = word.trim_start_matches(['+', '-']);
        let is_it = bare.eq_ignore_ascii_case("multiviews");
        is_it.then(|| !word.starts_with('-'))
    });
    said.or(is_whole.then_some(false))
}

/// Whether `Options` has folders without an index listed; `None` if it does not say.
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
