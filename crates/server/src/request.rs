//! What a client requests, and what the server finds on its disk.

use std::borrow::Cow;

use percent_encoding::percent_decode_str;

use crate::rule::Answer;

/// What exists at a path of a site.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileKind {
    /// A file.
    File,
    /// A directory.
    Directory,
}

/// The files that a server serves.
pub trait Files: Sync {
    /// What exists at `path`, which is decoded, starts with a slash and is compared byte by byte. A
    /// final slash asks for a directory.
    fn kind(&self, path: &[u8]) -> Option<FileKind>;

    /// Whether nothing is known about `path`, because a directory above it could not be listed.
    fn is_unread(&self, _path: &[u8]) -> bool {
        false
    }

    /// The names in the directory at `path`; `None` if they are not known.
    fn names_in(&self, _path: &[u8]) -> Option<Vec<Vec<u8>>> {
        None
    }

    /// Whether there is a file at `path`.
    fn is_file(&self, path: &[u8]) -> bool {
        self.kind(path) == Some(FileKind::File)
    }

    /// Whether there is a directory at `path`.
    fn is_directory(&self, path: &[u8]) -> bool {
        self.kind(path) == Some(FileKind::Directory)
    }
}

/// A server without files.
pub(crate) struct NoFiles;

impl Files for NoFiles {
    fn kind(&self, _path: &[u8]) -> Option<FileKind> {
        None
    }
}

/// A request for a URL, as sent by a client.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Request<'u> {
    /// `http` or `https`.
    pub scheme: &'u str,
    /// With the port, unless it is the default one.
    pub host: &'u str,
    /// Percent-encoded, from the first slash on.
    pub path: &'u str,
    /// Without its question mark. An empty query is `Some("")`.
    pub query: Option<&'u str>,
}

impl<'u> Request<'u> {
    /// The request for a URL in WHATWG form; `None` if it is neither http nor https.
    #[must_use]
    pub fn from_url(url: &'u str) -> Option<Self> {
        let (scheme, rest) = url.split_once("://")?;
        if !matches!(scheme, "http" | "https") {
            return None;
        }
        let rest = rest.split('#').next().unwrap_or(rest);
        let slash = rest.find('/')?;
        let (authority, target) = rest.split_at(slash);
        let host = authority.rsplit('@').next().unwrap_or(authority);
        let (path, query) = match target.split_once('?') {
            Some((path, query)) => (path, Some(query)),
            None => (target, None),
        };
        Some(Self {
            scheme,
            host,
            path,
            query,
        })
    }

    /// The host without its port.
    #[must_use]
    pub fn host_name(&self) -> &'u str {
        match self.host.rsplit_once(':') {
            Some((name, port)) if port.bytes().all(|b| b.is_ascii_digit()) => name,
            _ => self.host,
        }
    }

    /// The port that the request is sent to; the default of the scheme if the host has none.
    #[must_use]
    pub fn port(&self) -> u16 {
        match self.host.strip_prefix(self.host_name()) {
            Some(port) if port.len() > 1 => port[1..].parse().unwrap_or(0),
            _ if self.scheme == "https" => 443,
            _ => 80,
        }
    }

    /// Scheme and host, as `http://h`.
    #[must_use]
    pub fn origin(&self) -> String {
        format!("{}://{}", self.scheme, self.host)
    }

    /// `?` and the query, or nothing.
    #[must_use]
    pub fn search(&self) -> String {
        match self.query {
            Some(query) if !query.is_empty() => format!("?{query}"),
            _ => String::new(),
        }
    }

    /// The redirect to the address with repeated slashes merged, which some servers send before any
    /// rule; `None` if there are none.
    pub(crate) fn redirect_to_merged_slashes(&self, status: u16) -> Option<Answer> {
        let path = Some(self.path).filter(|path| path.contains("//"))?;
        Some(Answer::Redirect {
            status,
            location: format!("{}{}", merge_slashes(path), self.search()),
            rule: None,
        })
    }

    /// The percent-decoded path; a `%` that does not start an escape is kept.
    #[must_use]
    pub fn decoded_path(&self) -> Cow<'u, [u8]> {
        percent_decode_str(self.path).into()
    }

    /// The decoded path without repeated slashes and dot segments; `None` if it climbs above the root.
    #[must_use]
    pub fn tidy_path(&self) -> Option<Vec<u8>> {
        tidy(&self.decoded_path())
    }
}

/// Whether every `%` in `text` starts an escape.
pub(crate) fn has_only_whole_escapes(text: &str) -> bool {
    let mut parts = text.split('%');
    parts.next();
    parts.all(|part| {
        let mut bytes = part.bytes();
        let mut is_hex = || bytes.next().is_some_and(|b| b.is_ascii_hexdigit());
        is_hex() && is_hex()
    })
}

/// Whether `text` has this escape, in either case.
pub(crate) fn has_escape(text: &str, hex: &str) -> bool {
    text.split('%').skip(1).any(|part| {
        part.get(..2)
            .is_some_and(|digits| digits.eq_ignore_ascii_case(hex))
    })
}

/// A text with spaces, control characters and non-ASCII characters escaped.
pub(crate) fn escaped_beyond_ascii(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for byte in text.bytes() {
        if byte.is_ascii_graphic() {
            out.push(char::from(byte));
        } else {
            out.push_str(percent_encoding::percent_encode_byte(byte));
        }
    }
    out
}

/// The file that a decoded path continues below: `/a.html` for `/a.html/b`. The search ends at the
/// first segment that is not a directory.
pub(crate) fn file_above<'p>(path: &'p [u8], files: &dyn Files) -> Option<&'p [u8]> {
    let mut above = memchr::memchr_iter(b'/', path)
        .skip(1)
        .map(|slash| &path[..slash]);
    let first = above.find(|above| files.kind(above) != Some(FileKind::Directory))?;
    files.is_file(first).then_some(first)
}

/// A path with repeated slashes merged.
pub(crate) fn merge_slashes(path: &str) -> String {
    let mut out = String::with_capacity(path.len());
    for c in path.chars() {
        if c != '/' || !out.ends_with('/') {
            out.push(c);
        }
    }
    out
}

/// A decoded path with repeated slashes merged, as file systems treat them.
pub(crate) fn merged_slashes(path: &[u8]) -> Cow<'_, [u8]> {
    if memchr::memmem::find(path, b"//").is_none() {
        return Cow::Borrowed(path);
    }
    let mut out = path.to_vec();
    out.dedup_by(|a, b| *a == b'/' && *b == b'/');
    Cow::Owned(out)
}

/// A decoded path without repeated slashes and dot segments, as Apache and nginx see it before any
/// rule; `None` if it climbs above the root.
pub(crate) fn tidy(path: &[u8]) -> Option<Vec<u8>> {
    tidy_segments(path, false)
}

/// The same with repeated slashes kept, except at the beginning.
pub(crate) fn tidy_dots(path: &[u8]) -> Option<Vec<u8>> {
    tidy_segments(path, true)
}

fn tidy_segments(path: &[u8], keeps_slashes: bool) -> Option<Vec<u8>> {
    let mut out: Vec<u8> = vec![b'/'];
    let mut segments = path.split(|b| *b == b'/').peekable();
    while let Some(segment) = segments.next() {
        let is_last = segments.peek().is_none();
        match segment {
            b"" if keeps_slashes && out.len() > 1 && !is_last => out.push(b'/'),
            b"" | b"." => {}
            b".." => {
                if out.len() == 1 {
                    return None;
                }
                out.pop();
                let parent = out.iter().rposition(|b| *b == b'/').unwrap_or(0);
                out.truncate(parent + 1);
            }
            _ => {
                out.extend_from_slice(segment);
                if !is_last {
                    out.push(b'/');
                }
            }
        }
    }
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn request_has_the_parts_of_its_url() {
        let request = Request::from_url("http://u:p@h:8080/a/b?x=?&y#f").unwrap();
        assert_eq!(request.host, "h:8080");
        assert_eq!(request.host_name(), "h");
        assert_eq!(request.path, "/a/b");
        assert_eq!(request.query, Some("x=?&y"));
        assert_eq!(Request::from_url("mailto:a@b"), None);
        for (url, port) in [
            ("http://h/", 80),
            ("https://h/", 443),
            ("https://h:8080/", 8080),
            ("http://[::1]/", 80),
            ("http://[::1]:81/", 81),
        ] {
            assert_eq!(Request::from_url(url).unwrap().port(), port, "{url}");
        }
    }

    #[test]
    fn tidying_merges_slashes_and_removes_dot_segments() {
        for (path, tidied) in [
            ("/", Some("/")),
            ("/a//b///", Some("/a/b/")),
            ("/a/./b/../c", Some("/a/c")),
            ("/a/b/..", Some("/a/")),
            ("/a/.", Some("/a/")),
            ("/../a", None),
        ] {
            let got = tidy(path.as_bytes());
            assert_eq!(got.as_deref(), tidied.map(str::as_bytes), "{path}");
        }
    }

    #[test]
    fn slashes_that_are_kept_are_segments() {
        for (path, tidied) in [
            ("//a//b//", Some("/a//b//")),
            ("/a//../b", Some("/a/b")),
            ("/a/.//b", Some("/a//b")),
            ("//", Some("/")),
        ] {
            let got = tidy_dots(path.as_bytes());
            assert_eq!(got.as_deref(), tidied.map(str::as_bytes), "{path}");
        }
    }

    #[test]
    fn incomplete_escapes() {
        assert!(has_only_whole_escapes("/a%20b%2F"));
        assert!(!has_only_whole_escapes("/a%2"));
        assert!(!has_only_whole_escapes("/a%zz"));
        assert!(has_escape("/a%2fb", "2F"));
        assert!(!has_escape("/a%252f", "2F"));
    }
}
