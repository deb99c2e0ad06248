//! Redirects of nginx: `map`, `return`, `rewrite`, `if` and `try_files`, in a whole
//! configuration, in the part that stands inside `server`, or in the body of a map.

mod config;
mod escape;
mod location;
mod run;
mod syntax;
mod template;

use std::collections::HashMap;

use super::request::{self, Files, Request};
use super::{Answer, Read};
use crate::relocate::redirects::index::PrefixIndex;
use crate::relocate::redirects::pattern::Pattern;
use location::Locations;
use template::Template;

/// The servers and maps of a configuration.
#[derive(Debug, Default)]
pub(super) struct Nginx {
    servers: Vec<Server>,
    maps: HashMap<String, Map>,
}

#[derive(Debug, Default)]
struct Server {
    names: Vec<Name>,
    ports: Vec<u16>,
    is_default: bool,
    code: Vec<Op>,
    locations: Locations,
    named: HashMap<String, Location>,
    content: Content,
}

#[derive(Debug)]
enum Name {
    Text(String),
    Pattern(Pattern),
}

/// What a location does once its address stands.
#[derive(Clone, Debug, Default)]
struct Content {
    index: Vec<String>,
    try_files: Vec<Template>,
    /// The line of a directive that hands the request to something else.
    handed_on: Option<usize>,
}

#[derive(Debug, Default)]
struct Location {
    code: Vec<Op>,
    inner: Locations,
    content: Content,
}

#[derive(Debug)]
enum Op {
    Rewrite {
        rule: usize,
        line: usize,
        pattern: Pattern,
        to: Template,
        /// The query that the target has, after its question mark.
        args: Option<Template>,
        adds_args: bool,
        flag: Flag,
    },
    Return {
        rule: usize,
        line: usize,
        status: u16,
        to: Option<Template>,
    },
    Set {
        line: usize,
        name: String,
        value: Template,
    },
    If {
        line: usize,
        test: Test,
        then: Vec<Op>,
    },
    Break,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Flag {
    None,
    Last,
    Break,
    Redirect(u16),
}

#[derive(Debug)]
enum Test {
    Filled(Template),
    Equal(Template, Template, bool),
    Match(Template, Pattern, bool),
    File(Template, bool),
    Directory(Template, bool),
    Exists(Template, bool),
}

#[derive(Debug, Default)]
struct Map {
    line: usize,
    source: Template,
    /// Keys in lower case: nginx compares them so.
    exact: HashMap<Vec<u8>, (usize, Template)>,
    patterns: Vec<(Pattern, usize, Template)>,
    index: PrefixIndex,
    default: Option<Template>,
}

pub(super) fn read(text: &str, read: &mut Read) -> Nginx {
    config::read(text, read)
}

impl Nginx {
    pub(super) fn answer(&self, request: &Request<'_>, files: &dyn Files) -> Answer {
        let refused = |status| Answer::Refused { status, rule: None };
        if !request::has_only_whole_escapes(request.path) || request::has_escape(request.path, "00")
        {
            return refused(400);
        }
        let Some(uri) = request::tidy(&request.decoded_path()) else {
            return refused(400);
        };
        match self.server(request) {
            Some(server) => run::answer(self, server, request, uri, files),
            None => refused(404),
        }
    }

    /// The server for the port and the host of a request.
    fn server(&self, request: &Request<'_>) -> Option<&Server> {
        let port = match request.host.strip_prefix(request.host_name()) {
            Some(port) if port.len() > 1 => port[1..].parse().unwrap_or(0),
            _ if request.scheme == "https" => 443,
            _ => 80,
        };
        let on_port: Vec<&Server> = self
            .servers
            .iter()
            .filter(|server| server.ports.contains(&port))
            .collect();
        let servers = if on_port.is_empty() {
            self.servers.iter().collect()
        } else {
            on_port
        };
        let host = request.host_name().to_ascii_lowercase();
        let best = servers
            .iter()
            .filter_map(|server| Some((server.rank(&host)?, server)))
            .min_by_key(|(rank, _)| *rank)
            .map(|(_, server)| *server);
        let default = servers.iter().find(|server| server.is_default);
        best.or(default.copied()).or(servers.first().copied())
    }
}

impl Server {
    /// How well the names fit a host, the best first: the name itself, a wildcard at its start,
    /// one at its end, a pattern.
    fn rank(&self, host: &str) -> Option<usize> {
        self.names.iter().filter_map(|name| name.rank(host)).min()
    }
}

impl Name {
    fn rank(&self, host: &str) -> Option<usize> {
        match self {
            Self::Pattern(pattern) => {
                let is_match = matches!(pattern.find(host.as_bytes()), Ok(Some(_)));
                is_match.then_some(3)
            }
            Self::Text(name) if name == host => Some(0),
            Self::Text(name) => {
                if let Some(end) = name.strip_prefix('.') {
                    let is_below = host.strip_suffix(end).is_some_and(|h| h.ends_with('.'));
                    return (is_below || host == end).then_some(1);
                }
                if let Some(end) = name.strip_prefix('*') {
                    return (host.len() > end.len() && host.ends_with(end)).then_some(1);
                }
                let start = name.strip_suffix('*')?;
                (host.len() > start.len() && host.starts_with(start)).then_some(2)
            }
        }
    }
}
