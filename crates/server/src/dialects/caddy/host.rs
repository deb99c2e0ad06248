//! The addresses of sites, and the hosts that matchers name.

/// An address of a site.
#[derive(Clone, Debug)]
pub(super) struct Host {
    scheme: Option<String>,
    /// Empty if it matches every host.
    name: String,
    port: Option<u16>,
}

/// How specifically an address matches a request: by its host name, then by its scheme and port.
pub(super) type Rank = (usize, bool);

impl Host {
    /// `http://h:8080/`, `*.h`, `:80` and the like.
    pub(super) fn new(address: &str) -> Self {
        // An environment variable may stand for any host.
        if address.contains("{$") {
            return Self {
                scheme: None,
                name: String::new(),
                port: None,
            };
        }
        let (scheme, rest) = match address.split_once("://") {
            Some((scheme, rest)) => (Some(scheme.to_owned()), rest),
            None => (None, address),
        };
        let host = rest.split('/').next().unwrap_or(rest);
        let (name, port) = match host.rsplit_once(':') {
            Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => {
                (name, port.parse().ok())
            }
            _ => (host, None),
        };
        Self {
            scheme,
            name: name.to_ascii_lowercase(),
            port,
        }
    }

    /// How specifically it matches a host in lower case; `None` if it does not, or has another scheme
    /// or another port than the one given.
    pub(super) fn rank(&self, is_secure: bool, port: Option<u16>, host: &str) -> Option<Rank> {
        let scheme = if is_secure { "https" } else { "http" };
        if self.scheme.as_deref().is_some_and(|own| own != scheme) {
            return None;
        }
        if port.is_some_and(|port| self.port.is_some_and(|own| own != port)) {
            return None;
        }
        let closeness = match self.name.strip_prefix('*') {
            _ if self.name.is_empty() => 0,
            Some(rest) => {
                let label = host.strip_suffix(rest)?;
                let is_one = !label.is_empty() && !label.contains('.');
                is_one.then_some(1 + rest.len())?
            }
            None => (self.name == host).then_some(usize::MAX)?,
        };
        Some((closeness, self.scheme.is_some() || self.port.is_some()))
    }

    /// Whether it matches a host in lower case.
    pub(super) fn is(&self, is_secure: bool, host: &str) -> bool {
        self.rank(is_secure, None, host).is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn host_specificity() {
        for (address, secure, plain) in [
            ("", Some((0, false)), Some((0, false))),
            (":443", Some((0, true)), None),
            ("http://", None, Some((0, true))),
            ("*.Example.com", Some((13, false)), Some((13, false))),
            ("*.com", None, None),
            (
                "a.example.com",
                Some((usize::MAX, false)),
                Some((usize::MAX, false)),
            ),
            (
                "https://a.example.com:443/x",
                Some((usize::MAX, true)),
                None,
            ),
            ("a.example.com:80", None, Some((usize::MAX, true))),
            ("{$HOST}:80", Some((0, false)), Some((0, false))),
        ] {
            let host = Host::new(address);
            let ranks = [(true, 443), (false, 80)]
                .map(|(is_secure, port)| host.rank(is_secure, Some(port), "a.example.com"));
            assert_eq!(ranks, [secure, plain], "{address}");
        }
    }
}
