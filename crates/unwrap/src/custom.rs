//! Wrappers that a user configures.

use crate::coding::{self, percent};
use crate::end::End;
use crate::request::UrlParts;
use crate::target::{self, Target};
use crate::wrapper::Coding;

/// A wrapper that a user adds: an exact host, a path, and the parameter with the target.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Custom {
    /// Its name in reports.
    pub name: String,
    /// The host: `go.example.com`, or `*.example.com` for every host below.
    pub host: String,
    /// The path: `/out`, or `/out/*` for every path below.
    pub path: String,
    /// The parameter with the target; `None` for a wrapper that is only named.
    pub param: Option<String>,
    /// How the target is encoded.
    pub coding: CustomCoding,
}

/// How the target of a [`Custom`] wrapper is encoded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CustomCoding {
    /// `percent`: percent-encoded once.
    #[default]
    Percent,
    /// `base64`: base64 of either alphabet.
    Base64,
    /// `zlib`: compressed, then in base64.
    Zlib,
}

impl CustomCoding {
    /// Every encoding.
    pub const ALL: [Self; 3] = [Self::Percent, Self::Base64, Self::Zlib];

    /// Its name in configurations: `percent`, `base64`, `zlib`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Percent => "percent",
            Self::Base64 => "base64",
            Self::Zlib => "zlib",
        }
    }
}

/// An invalid field of a [`Custom`] wrapper.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CustomError {
    /// The host is not a host name, or one after `*.`.
    #[error("`{0}` is not a host such as go.example.com or *.example.com")]
    Host(String),
    /// The path does not begin with `/`, or has a wildcard elsewhere than at the end.
    #[error("`{0}` is not a path such as /out or /out/*")]
    Path(String),
    /// The name is empty or has spaces.
    #[error("`{0}` is not a name without spaces")]
    Name(String),
}

impl Custom {
    /// Checks that it is valid.
    ///
    /// # Errors
    /// If a field is not.
    pub fn check(&self) -> Result<(), CustomError> {
        let host = self.host.strip_prefix("*.").unwrap_or(&self.host);
        let is_name =
            |byte: u8| byte.is_ascii_alphanumeric() || b"-._".contains(&byte) || byte >= 128;
        if host.is_empty() || !host.bytes().all(is_name) || host.split('.').any(str::is_empty) {
            return Err(CustomError::Host(self.host.clone()));
        }
        let path = self.path.strip_suffix("/*").unwrap_or(&self.path);
        let is_path = path.starts_with('/') || self.path == "/*";
        if !is_path || path.contains(['*', '?', '#']) {
            return Err(CustomError::Path(self.path.clone()));
        }
        if self.name.is_empty() || self.name.contains(char::is_whitespace) {
            return Err(CustomError::Name(self.name.clone()));
        }
        Ok(())
    }

    /// Whether a URL matches.
    pub(crate) fn matches(&self, request: &UrlParts<'_>) -> bool {
        let host = self.host.to_ascii_lowercase();
        let has_host = match host.strip_prefix("*.") {
            Some(parent) => {
                let rest = request.host.strip_suffix(parent);
                rest.is_some_and(|labels| labels.len() > 1 && labels.ends_with('.'))
            }
            None => *request.host == host,
        };
        let has_path = match self.path.strip_suffix('*') {
            Some(folder) => request.path.starts_with(folder),
            None => request.path == self.path,
        };
        has_host && has_path
    }

    pub(crate) fn target(&self, request: &UrlParts<'_>) -> Result<String, End> {
        let name = self.param.as_deref().ok_or(End::Opaque)?;
        let value = request.parameter(&[name], false).ok_or(End::Undecodable)?;
        let coding = match self.coding {
            CustomCoding::Percent => Coding::Percent,
            CustomCoding::Base64 => Coding::Base64,
            CustomCoding::Zlib => Coding::Zlib,
        };
        let text = coding::decode(coding, value, request).filter(|_| !percent::is_cut(value));
        match target::read(&text.ok_or(End::Undecodable)?, true) {
            Target::Url(url) => Ok(url),
            Target::Bad => Err(End::BadTarget),
            Target::None => Err(End::Undecodable),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Unwrapper;

    fn custom(host: &str, path: &str, coding: CustomCoding) -> Custom {
        Custom {
            name: "ours".to_owned(),
            host: host.to_owned(),
            path: path.to_owned(),
            param: Some("to".to_owned()),
            coding,
        }
    }

    #[test]
    fn custom_wrappers_unwrap() {
        let rows = vec![
            custom("go.example.com", "/out", CustomCoding::Percent),
            custom("*.example.org", "/*", CustomCoding::Base64),
        ];
        let unwrapper = Unwrapper::with_custom(rows).unwrap();
        for (url, target) in [
            (
                "https://GO.example.com/out?to=https%3A%2F%2Fa.example",
                "https://a.example",
            ),
            (
                "https://x.y.example.org/z?to=aHR0cHM6Ly9hLmV4YW1wbGU",
                "https://a.example",
            ),
            (
                "https://go.example.com/out/x?to=https%3A%2F%2Fa.example",
                "",
            ),
            ("https://example.org/z?to=aHR0cHM6Ly9hLmV4YW1wbGU", ""),
            ("https://xexample.org/z?to=aHR0cHM6Ly9hLmV4YW1wbGU", ""),
        ] {
            let found = unwrapper.unwrap(url);
            let expected = if target.is_empty() { url } else { target };
            assert_eq!(found.final_url(), expected, "{url}");
            assert_eq!(found.is_wrapped(), !target.is_empty(), "{url}");
        }
        let broken = unwrapper.unwrap("https://go.example.com/out?to=x");
        assert_eq!(broken.end, Some(End::Undecodable));
    }

    #[test]
    fn invalid_hosts_and_paths_are_refused() {
        for (host, path) in [
            ("", "/x"),
            ("*", "/x"),
            ("a.*.example", "/x"),
            ("a..example", "/x"),
            ("http://a.example", "/x"),
            ("a.example", ""),
            ("a.example", "x"),
            ("a.example", "/x*"),
            ("a.example", "/x?y"),
        ] {
            assert!(
                custom(host, path, CustomCoding::Percent).check().is_err(),
                "{host} {path}"
            );
        }
        for (host, path) in [("a.example", "/"), ("*.a.example", "/*"), ("a", "/x/*")] {
            assert!(
                custom(host, path, CustomCoding::Percent).check().is_ok(),
                "{host} {path}"
            );
        }
    }
}
