//! Placeholders such as `{path}`, and their values.

use std::borrow::Cow;

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

use super::state::{RequestState, expanded, folder, last_name};
use super::variables::{Input, Map, Variable};
use crate::engine::work::{COMPARED_PER_STEP, Work};
use crate::request::escaped_beyond_ascii;

/// How many maps may refer to each other in a row.
const MAX_MAPS: usize = 8;

/// What Go's `url.PathEscape` and `url.QueryEscape` keep of other bytes.
const UNRESERVED: AsciiSet = NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'_')
    .remove(b'.')
    .remove(b'~');
const OF_PATH: AsciiSet = UNRESERVED
    .remove(b'/')
    .remove(b'$')
    .remove(b'&')
    .remove(b'+')
    .remove(b'=')
    .remove(b':')
    .remove(b'@');

/// The value of a placeholder.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Value<'s> {
    Text(Cow<'s, str>),
    /// Caddy has no placeholder with this name.
    Undefined,
    /// It depends on the client, on the time or on the machine.
    Hidden,
}

impl From<String> for Value<'_> {
    fn from(text: String) -> Self {
        Self::Text(Cow::Owned(text))
    }
}

impl<'s> From<&'s str> for Value<'s> {
    fn from(text: &'s str) -> Self {
        Self::Text(Cow::Borrowed(text))
    }
}

/// What a text is for, which decides how values are put in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Purpose {
    /// The value of a header field, which keeps undefined placeholders.
    Header,
    /// The path of a rewrite, where `{path}` keeps its escapes.
    Path,
    /// The query of a rewrite, where values are escaped.
    Query,
    Other,
}

/// The abbreviations of placeholders, which are otherwise `http.request.` and more.
const SHORT: [(&str, &str); 23] = [
    ("host", "host"),
    ("hostport", "hostport"),
    ("port", "port"),
    ("orig_method", "orig_method"),
    ("orig_uri", "orig_uri"),
    ("orig_path", "orig_uri.path"),
    ("orig_dir", "orig_uri.path.dir"),
    ("orig_file", "orig_uri.path.file"),
    ("orig_query", "orig_uri.query"),
    ("orig_?query", "orig_uri.prefixed_query"),
    ("method", "method"),
    ("uri", "uri"),
    ("%uri", "uri_escaped"),
    ("path", "uri.path"),
    ("%path", "uri.path_escaped"),
    ("dir", "uri.path.dir"),
    ("file", "uri.path.file"),
    ("query", "uri.query"),
    ("%query", "uri.query_escaped"),
    ("?query", "uri.prefixed_query"),
    ("remote", "remote"),
    ("remote_host", "remote.host"),
    ("scheme", "scheme"),
];

/// The abbreviations before a name of the author.
const SHORT_PREFIXES: [(&str, &str); 12] = [
    ("header.", "http.request.header."),
    ("cookie.", "http.request.cookie."),
    ("labels.", "http.request.host.labels."),
    ("path.", "http.request.uri.path."),
    ("file.", "http.request.uri.path.file."),
    ("query.", "http.request.uri.query."),
    ("re.", "http.regexp."),
    ("vars.", "http.vars."),
    ("rp.", "http.reverse_proxy."),
    ("resp.", "http.intercept."),
    ("err.", "http.error."),
    ("file_match.", "http.matchers.file."),
];

/// The starts of names whose values depend on more than the address.
const HIDDEN: [&str; 20] = [
    "$",
    "env.",
    "file.",
    "system.",
    "time.",
    "tls_",
    "uuid",
    "client_ip",
    "remote_port",
    "upstream_hostport",
    "http.error.",
    "http.vars.client_ip",
    "http.request.header.",
    "http.request.cookie.",
    "http.request.proto",
    "http.request.remote",
    "http.request.local",
    "http.request.tls.",
    "http.request.duration",
    "http.request.uuid",
];

/// The full name of a placeholder that may be abbreviated.
fn full_name(name: &str) -> Cow<'_, str> {
    if let Some((_, full)) = SHORT.iter().find(|(short, _)| *short == name) {
        return Cow::Owned(format!("http.request.{full}"));
    }
    let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
    let long = SHORT_PREFIXES.iter().find_map(|(short, full)| {
        let rest = name.strip_prefix(short)?;
        let allows_dots = matches!(*short, "re." | "rp." | "resp." | "err.");
        let is_name = rest.chars().all(|c| is_part(c) || allows_dots && c == '.');
        is_name.then(|| format!("{full}{rest}"))
    });
    long.map_or(Cow::Borrowed(name), Cow::Owned)
}

impl RequestState<'_> {
    /// A text with its placeholders filled in; `None` if a value is hidden or a limit is reached.
    pub(super) fn filled(&self, text: &str, purpose: Purpose, work: &Work) -> Option<String> {
        self.filled_at(text, purpose, work, 0)
    }

    /// The same for the text of a map that is this deep in others.
    fn filled_at(&self, text: &str, purpose: Purpose, work: &Work, depth: usize) -> Option<String> {
        let mut out = String::new();
        let mut rest = text;
        while let Some(at) = rest.find(['{', '}']) {
            let (before, from) = rest.split_at(at);
            if let Some(before) = before.strip_suffix('\\') {
                // An escaped brace. Abbreviations have been replaced before.
                out.push_str(before);
                let end = from.find('}').filter(|end| *end > 0);
                let name = end.map(|end| full_name(&from[1..end]));
                if let (Some(end), Some(Cow::Owned(name))) = (end, name) {
                    out.extend(["{", &name, "}"]);
                    rest = &from[end + 1..];
                } else {
                    out.push_str(&from[..1]);
                    rest = &from[1..];
                }
                continue;
            }
            out.push_str(before);
            let Some(end) = from.find('}').filter(|end| *end > 0) else {
                out.push_str(&from[..1]);
                rest = &from[1..];
                continue;
            };
            work.take(1 + self.captures.len() / 16).ok()?;
            let name = full_name(&from[1..end]);
            match self.value(&name, work, depth) {
                Value::Hidden => return None,
                Value::Undefined if purpose == Purpose::Header => {
                    out.extend(["{", &name, "}"]);
                }
                Value::Undefined => {}
                Value::Text(value) => out.push_str(&self.inserted(&name, &value, purpose)),
            }
            work.take_text(out.len()).ok()?;
            rest = &from[end + 1..];
        }
        out.push_str(rest);
        work.take_text(out.len()).ok()?;
        Some(out)
    }

    /// A value as it is put into a text.
    fn inserted<'v>(&'v self, name: &str, value: &'v str, purpose: Purpose) -> Cow<'v, str> {
        match (purpose, name) {
            (Purpose::Path, "http.request.uri.path") => escaped_beyond_ascii(&self.raw).into(),
            (Purpose::Path, "http.matchers.file.relative") => escaped_path(value).into(),
            (Purpose::Query, "http.request.uri.query") => value.into(),
            (Purpose::Query, _) => escaped_query(value).into(),
            _ => value.into(),
        }
    }

    /// The value of a placeholder by its name, which may be abbreviated.
    pub(super) fn placeholder(&self, name: &str, work: &Work) -> Value<'_> {
        self.value(&full_name(name), work, 0)
    }

    fn value(&self, name: &str, work: &Work, depth: usize) -> Value<'_> {
        if let Some(own) = name.strip_prefix("http.request.")
            && let Some(value) = self.request_value(own)
        {
            return value;
        }
        if let Some(capture) = name.strip_prefix("http.regexp.") {
            let found = self.captures.iter().find(|(known, _)| known == capture);
            return found.map_or(Value::Undefined, |(_, text)| text.as_str().into());
        }
        if let Some(variable) = name.strip_prefix("http.vars.")
            && variable != "client_ip"
        {
            return match self.variables.get(variable) {
                Variable::Text(text) => text.into(),
                Variable::Unset => "".into(),
                Variable::Hidden => Value::Hidden,
            };
        }
        match (name, &self.file_match) {
            ("http.matchers.file.relative", Some(file)) => return file.as_str().into(),
            ("http.matchers.file.type", Some(file)) if file.ends_with('/') => {
                return "directory".into();
            }
            ("http.matchers.file.type", Some(_)) => return "file".into(),
            ("http.matchers.file.remainder", Some(_)) => return "".into(),
            ("http.matchers.file.absolute", Some(_)) => return Value::Hidden,
            ("http.error.status_code", _) => {
                return match self.error {
                    Some(status) => status.to_string().into(),
                    None => Value::Undefined,
                };
            }
            _ => {}
        }
        if HIDDEN.iter().any(|start| name.starts_with(start)) {
            return Value::Hidden;
        }
        let Some(map) = self.maps.iter().find(|map| map.has(name)) else {
            return Value::Undefined;
        };
        if depth >= MAX_MAPS || work.take(1).is_err() {
            return Value::Hidden;
        }
        match self.mapped(map, name, work, depth + 1) {
            Some(text) => text.into(),
            None => Value::Hidden,
        }
    }

    /// The value of a placeholder that a map defines; `None` if it is hidden or a limit is reached.
    fn mapped(&self, map: &Map, name: &str, work: &Work, depth: usize) -> Option<String> {
        let filled = |text: &str| self.filled_at(text, Purpose::Other, work, depth);
        let index = map.names.iter().position(|known| known == name)?;
        let input = filled(&map.source)?;
        work.take(map.rows.len() / COMPARED_PER_STEP).ok()?;
        for row in &map.rows {
            let Some(output) = row.outputs.get(index).and_then(Option::as_ref) else {
                continue;
            };
            match &row.input {
                Input::Unknown => return None,
                Input::Text(text) if *text == input => return filled(output),
                Input::Text(_) => {}
                Input::Like(pattern) => {
                    let Some(groups) = pattern.find(input.as_bytes(), work).ok()? else {
                        continue;
                    };
                    let text = expanded(output, &groups, input.as_bytes());
                    work.take_text(text.len()).ok()?;
                    return Some(text);
                }
            }
        }
        match map.defaults.get(index) {
            Some(default) => filled(default),
            None => Some(String::new()),
        }
    }

    /// The value of a placeholder of the request, by its name without `http.request.`.
    fn request_value(&self, name: &str) -> Option<Value<'_>> {
        let query = self.query.as_deref().unwrap_or_default();
        let first_query = self.request.query.unwrap_or_default();
        if let Some(name) = name.strip_prefix("orig_uri") {
            let path = self.original.as_str();
            return Some(match name {
                "" => format!("{}{}", self.request.path, self.request.search()).into(),
                ".path" => path.into(),
                ".path.file" => last_name(path).into(),
                ".path.dir" => folder(path).into(),
                ".query" => first_query.into(),
                ".prefixed_query" => self.request.search().into(),
                name => segment(path, name.strip_prefix(".path.")?)?,
            });
        }
        Some(match name {
            // A question mark without a query is kept, even if rewrites change the rest.
            "uri" => self.uri().into(),
            "uri_escaped" => escaped_query(&self.uri()).into(),
            "uri.path" => self.path.as_str().into(),
            "uri.path_escaped" => escaped_query(&self.path).into(),
            "uri.query" => query.into(),
            "uri.query_escaped" => escaped_query(query).into(),
            "uri.prefixed_query" if !query.is_empty() => format!("?{query}").into(),
            "uri.prefixed_query" => "".into(),
            "host" => self.request.host_name().into(),
            "hostport" => self.request.host.into(),
            "port" => match self.request.host.strip_prefix(self.request.host_name()) {
                Some(port) => port.trim_start_matches(':').into(),
                None => "".into(),
            },
            "scheme" => self.request.scheme.into(),
            "uri.path.file" => last_name(&self.path).into(),
            "uri.path.dir" => folder(&self.path).into(),
            "uri.path.file.base" => {
                let base = last_name(self.path.trim_end_matches('/'));
                base.strip_suffix(extension(&self.path))
                    .unwrap_or(base)
                    .into()
            }
            "uri.path.file.ext" => extension(&self.path).into(),
            "method" | "orig_method" => "GET".into(),
            name => {
                if let Some(key) = name.strip_prefix("uri.query.") {
                    let pairs = url::form_urlencoded::parse(query.as_bytes());
                    let values = pairs.filter(|(known, _)| known == key);
                    let values: Vec<Cow<'_, str>> = values.map(|(_, value)| value).collect();
                    return Some(values.join(",").into());
                }
                if let Some(number) = name.strip_prefix("host.labels.") {
                    let number = number.parse::<usize>().ok()?;
                    let label = self.request.host_name().rsplit('.').nth(number);
                    return Some(label.unwrap_or_default().to_ascii_lowercase().into());
                }
                segment(&self.path, name.strip_prefix("uri.path.")?)?
            }
        })
    }

    /// The path and the query, as they would be sent.
    fn uri(&self) -> String {
        let query = self.query.as_deref().unwrap_or_default();
        if query.is_empty() && self.request.query != Some("") {
            return self.raw.clone();
        }
        format!("{}?{query}", self.raw)
    }
}

/// The segment of a path with this number, 0-based.
fn segment<'s>(path: &str, number: &str) -> Option<Value<'s>> {
    let number: usize = number.parse().ok()?;
    let mut segments = path.strip_prefix('/').unwrap_or(path).split('/');
    Some(segments.nth(number).unwrap_or_default().to_owned().into())
}

/// The last dot of the last segment and what follows it, as Go's `path.Ext`.
fn extension(path: &str) -> &str {
    let name = last_name(path);
    name.rfind('.').map_or("", |dot| &name[dot..])
}

/// A path as Go escapes it.
fn escaped_path(path: &str) -> String {
    utf8_percent_encode(path, &OF_PATH).to_string()
}

/// A text as Go escapes it in a query.
pub(super) fn escaped_query(text: &str) -> String {
    utf8_percent_encode(text, &UNRESERVED)
        .to_string()
        .replace("%20", "+")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::request::Request;

    #[test]
    fn braces_that_are_no_placeholder_stay() {
        let request = Request::from_url("http://h.example:81/a/b.tar.gz?x=1&x=2").unwrap();
        let mut state = RequestState::new(&request, request.path.to_owned());
        state.captures.push(("n.1".to_owned(), "one".to_owned()));
        for (text, header, other) in [
            ("{path}", "/a/b.tar.gz", "/a/b.tar.gz"),
            ("{}-{-}", "{}-{-}", "-"),
            (
                r"\{path}",
                "{http.request.uri.path}",
                "{http.request.uri.path}",
            ),
            (r"\{other\}", "{other}", "{other}"),
            ("{none}x", "{none}x", "x"),
            ("{re.n.1}{re.n.2}", "one{http.regexp.n.2}", "one"),
            ("{file.base}|{file.ext}", "b.tar|.gz", "b.tar|.gz"),
            ("{labels.0}.{labels.9}", "example.", "example."),
            ("{query.x}", "1,2", "1,2"),
            ("{orig_uri}", "/a/b.tar.gz?x=1&x=2", "/a/b.tar.gz?x=1&x=2"),
            ("{port}{path.1}", "81b.tar.gz", "81b.tar.gz"),
            ("{open", "{open", "{open"),
        ] {
            let work = Work::new();
            let filled = |purpose| state.filled(text, purpose, &work);
            assert_eq!(filled(Purpose::Header).as_deref(), Some(header), "{text}");
            assert_eq!(filled(Purpose::Other).as_deref(), Some(other), "{text}");
        }
        for text in ["{header.Accept}", "{time.now}", "{env.HOME}", "{$HOME}"] {
            let work = Work::new();
            assert_eq!(state.filled(text, Purpose::Header, &work), None, "{text}");
        }
    }
}
