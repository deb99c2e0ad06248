//! What is known of a request by the names of `mod_rewrite` and of expressions.

use super::assignments::{Names, Variables};
use super::state::trim_slash;
use crate::request::{self, FileKind, Files, Request};

/// A placeholder for the unknown path of the document root on the server's disk.
pub(super) const DOCUMENT_ROOT: &str = "/\u{1}";
/// The same without its slash.
pub(super) const ROOT_NAME: &str = "\u{1}";

/// A request at the point where rules ask for variables.
pub(super) struct Values<'v> {
    pub(super) request: &'v Request<'v>,
    pub(super) files: &'v dyn Files,
    /// Decoded and normalized.
    pub(super) uri: &'v [u8],
    /// `r->filename`
    pub(super) filename: &'v [u8],
    pub(super) args: Option<&'v str>,
    /// How many internal redirects led here.
    pub(super) internal: usize,
    pub(super) variables: &'v Variables,
}

/// The variables known for a request.
pub(super) const VARIABLES: [&str; 14] = [
    "HTTP_HOST",
    "HTTP:HOST",
    "SERVER_NAME",
    "SERVER_PORT",
    "HTTPS",
    "REQUEST_SCHEME",
    "REQUEST_METHOD",
    "REQUEST_URI",
    "REQUEST_FILENAME",
    "SCRIPT_FILENAME",
    "QUERY_STRING",
    "THE_REQUEST",
    "DOCUMENT_ROOT",
    "ENV:REDIRECT_STATUS",
];

/// Whether the value of a variable is known for a request.
pub(super) fn is_known(name: &str, names: &Names) -> bool {
    VARIABLES.contains(&name.to_ascii_uppercase().as_str())
        || in_environment(name).is_some_and(|name| names.has(name))
}

/// The name of a variable in `ENV:NAME`.
fn in_environment(name: &str) -> Option<&str> {
    let (kind, name) = name.split_once(':')?;
    kind.eq_ignore_ascii_case("env").then_some(name)
}

impl Values<'_> {
    /// The value of a variable; `None` if it is not known.
    pub(super) fn get(&self, name: &str) -> Option<Vec<u8>> {
        let request = self.request;
        if let Some(variable) = in_environment(name).filter(|name| *name != "REDIRECT_STATUS") {
            return self.variables.get(variable).map(<[u8]>::to_vec);
        }
        let text = match name.to_ascii_uppercase().as_str() {
            "HTTP_HOST" | "HTTP:HOST" => request.host.to_owned(),
            "SERVER_NAME" => request.host_name().to_owned(),
            "SERVER_PORT" => request.port().to_string(),
            "HTTPS" => if request.scheme == "https" {
                "on"
            } else {
                "off"
            }
            .to_owned(),
            "REQUEST_SCHEME" => request.scheme.to_owned(),
            "REQUEST_METHOD" => "GET".to_owned(),
            "QUERY_STRING" => self.args.unwrap_or_default().to_owned(),
            "DOCUMENT_ROOT" => DOCUMENT_ROOT.to_owned(),
            "THE_REQUEST" => format!("GET {}{} HTTP/1.1", request.path, request.search()),
            "ENV:REDIRECT_STATUS" => match self.internal {
                0 => String::new(),
                _ => "200".to_owned(),
            },
            "REQUEST_URI" => return Some(self.uri.to_vec()),
            "REQUEST_FILENAME" | "SCRIPT_FILENAME" => return Some(self.filename.to_vec()),
            _ => return None,
        };
        Some(text.into_bytes())
    }

    /// What exists at a path on the server's disk. Nothing is assumed to exist outside the site.
    pub(super) fn kind_of(&self, path: &[u8]) -> Option<FileKind> {
        if path == b"/" {
            return Some(FileKind::Directory);
        }
        let path = path.strip_prefix(DOCUMENT_ROOT.as_bytes())?;
        let path = request::tidy(path)?;
        let kind = self.files.kind(trim_slash(&path));
        // A file name cannot be followed by a slash.
        kind.filter(|kind| *kind == FileKind::Directory || !path.ends_with(b"/"))
    }
}

/// The length of the file name within a path below the folder `mount`: everything that exists on the
/// disk, plus one segment.
pub(super) fn length_of_file(path: &[u8], mount: &str, files: &dyn Files) -> usize {
    let mut end = mount.len().saturating_sub(1).min(path.len());
    loop {
        let next = path[end..].iter().skip(1).position(|b| *b == b'/');
        let Some(next) = next else {
            return path.len();
        };
        end += next + 1;
        if files.kind(&path[..end]) != Some(FileKind::Directory) {
            return end;
        }
    }
}
