//! The servers of a configuration, and the choice of one for a request.

use std::collections::HashMap;

use super::location::{Location, Locations};
use super::program::{Content, Map, Op};
use crate::relocate::redirects::pattern::Pattern;
use crate::relocate::redirects::request::Request;

/// The servers and maps of a configuration.
#[derive(Debug, Default)]
pub(in crate::relocate::redirects) struct Nginx {
    pub(super) servers: Vec<Server>,
    pub(super) maps: HashMap<String, Map>,
}

#[derive(Debug, Default)]
pub(super) struct Server {
    pub(super) names: Vec<Name>,
    pub(super) ports: Vec<u16>,
    pub(super) is_default: bool,
    pub(super) code: Vec<Op>,
    pub(super) locations: Locations,
    pub(super) named: HashMap<String, Location>,
    pub(super) content: Content,
}

#[derive(Debug)]
pub(super) enum Name {
    Text(String),
    Pattern(Pattern),
}

impl Nginx {
    /// The server for the port and the host of a request.
    pub(super) fn server(&self, request: &Request<'_>) -> Option<&Server> {
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
    /// How well the names match a host, the best first: the exact name, a wildcard at its start,
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
