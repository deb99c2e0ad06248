//! The servers of a configuration, and the choice of one for a request.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::ops::Range;

use super::code::Code;
use super::content::{Content, Map};
use super::location::{Location, Locations};
use crate::engine::choices::Choices;
use crate::engine::pattern::Pattern;
use crate::engine::work::Work;
use crate::request::Request;

/// The servers and maps of a configuration.
#[derive(Debug, Default)]
pub(crate) struct Nginx {
    pub(super) servers: Vec<Server>,
    pub(super) maps: HashMap<String, Map>,
    /// The line of an unsupported directive that may define other servers.
    pub(super) unread: Option<usize>,
    /// The servers chosen so far, by port and host.
    chosen: Choices<(u16, String)>,
}

#[derive(Debug, Default)]
pub(super) struct Server {
    pub(super) names: Vec<Name>,
    pub(super) ports: Vec<u16>,
    pub(super) is_default: bool,
    pub(super) code: Code,
    pub(super) locations: Locations,
    pub(super) named: HashMap<String, Location>,
    pub(super) content: Content,
    /// `merge_slashes off`
    pub(super) keeps_slashes: bool,
    /// The path of the site on the server's disk.
    pub(super) site: Option<String>,
    /// The indices of its rules.
    pub(super) rules: Range<usize>,
}

#[derive(Debug)]
pub(super) enum Name {
    Text(String),
    Pattern(Pattern),
}

impl Nginx {
    /// The server for the port and the host of a request.
    pub(super) fn server(&self, request: &Request<'_>) -> Option<&Server> {
        let key = (request.port(), request.host_name().to_ascii_lowercase());
        let choose = |(port, host): &(u16, String)| self.choose(*port, host);
        let number = self.chosen.get(key, choose);
        self.servers.get(number?)
    }

    /// The line of a directive that may define another server for a request; `None` if a server here
    /// has the very name of its host.
    pub(super) fn unread_server(&self, request: &Request<'_>) -> Option<usize> {
        let line = self.unread?;
        let host = request.host_name().to_ascii_lowercase();
        let rank = self.server(request).and_then(|server| server.rank(&host));
        (!matches!(rank, Some((0, _)))).then_some(line)
    }

    /// Whether repeated slashes are kept. The default server of the port decides, since the host is not
    /// known yet.
    pub(super) fn keeps_slashes(&self, request: &Request<'_>) -> bool {
        let default = Request {
            host: request
                .host
                .strip_prefix(request.host_name())
                .unwrap_or_default(),
            ..*request
        };
        self.server(&default)
            .is_some_and(|server| server.keeps_slashes)
    }

    fn choose(&self, port: u16, host: &str) -> Option<usize> {
        let all = || self.servers.iter().enumerate();
        let is_on_port = |server: &Server| server.ports.contains(&port);
        let any = all().any(|(_, server)| is_on_port(server));
        let servers = || all().filter(|(_, server)| !any || is_on_port(server));
        // The cost is per host, so it is not charged to an answer.
        let best = servers()
            .filter_map(|(number, server)| Some((server.rank(host)?, number)))
            .min();
        let default = servers().find(|(_, server)| server.is_default);
        let first = default.or_else(|| servers().next());
        best.map(|(_, number)| number)
            .or(first.map(|(number, _)| number))
    }
}

/// How well a name matches a host, best first: the exact name, a leading wildcard, a trailing wildcard,
/// a pattern. The longest wildcard wins.
type Rank = (usize, Reverse<usize>);

impl Server {
    /// How well its best name matches a host.
    fn rank(&self, host: &str) -> Option<Rank> {
        let ranks = self.names.iter().filter_map(|name| name.rank(host));
        ranks.min()
    }
}

impl Name {
    fn rank(&self, host: &str) -> Option<Rank> {
        let name = match self {
            Self::Pattern(pattern) => {
                let is_match = matches!(pattern.find(host.as_bytes(), &Work::new()), Ok(Some(_)));
                return is_match.then_some((3, Reverse(0)));
            }
            Self::Text(name) => name,
        };
        // `.h` stands for `h` and `*.h`.
        if name == host || name.strip_prefix('.') == Some(host) {
            return Some((0, Reverse(0)));
        }
        let end = name
            .strip_prefix('*')
            .or(name.starts_with('.').then_some(name));
        let (class, rest) = match (end, name.strip_suffix('*')) {
            (Some(end), _) => (1, host.strip_suffix(end)),
            (None, start) => (2, host.strip_prefix(start?)),
        };
        let length = name.trim_matches('*').len();
        rest.filter(|rest| !rest.is_empty())
            .map(|_| (class, Reverse(length)))
    }
}
