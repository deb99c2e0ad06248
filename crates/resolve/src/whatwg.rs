//! The WHATWG URL Standard's "basic URL parser", writing what the "URL serializer" would.
//!
//! Hosts (IDNA, IPv4, IPv6) are left to the `url` crate, and percent-encoding to
//! `percent_encoding`. The states around them are implemented here, rather than by
//! `url::Url::join`, for three reasons: in paths and file URLs `join` departs from the standard in
//! ways that matter on real pages (`^`, `///host`, slashes and drive letters after `file:`), it
//! does not write the standard's replacement for characters missing from the document's encoding,
//! and it allocates a URL for every reference, whereas here the URL is appended to the caller's
//! string.

use std::borrow::Cow;
use std::fmt::Write;

use encoding_rs::{EncoderResult, Encoding};
use percent_encoding::{
    AsciiSet, CONTROLS, percent_decode_str, percent_encode, utf8_percent_encode,
};
use url::Host;

use super::error::ResolveError;
use super::rfc3986::Parts;
use super::scheme;

/// "C0 control percent-encode set"
const C0_CONTROL: &AsciiSet = CONTROLS;
/// "fragment percent-encode set"
const FRAGMENT: &AsciiSet = &C0_CONTROL.add(b' ').add(b'"').add(b'<').add(b'>').add(b'`');
/// "query percent-encode set"
const QUERY: &AsciiSet = &C0_CONTROL.add(b' ').add(b'"').add(b'#').add(b'<').add(b'>');
/// "special-query percent-encode set"
const SPECIAL_QUERY: &AsciiSet = &QUERY.add(b'\'');
/// "path percent-encode set"
const PATH: &AsciiSet = &QUERY.add(b'?').add(b'^').add(b'`').add(b'{').add(b'}');
/// "userinfo percent-encode set"
const USERINFO: &AsciiSet = &PATH
    .add(b'/')
    .add(b':')
    .add(b';')
    .add(b'=')
    .add(b'@')
    .add(b'[')
    .add(b'\\')
    .add(b']')
    .add(b'|');

/// A scheme, as far as the parser distinguishes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Scheme {
    Http,
    Https,
    Ws,
    Wss,
    Ftp,
    File,
    NotSpecial,
}

impl Scheme {
    /// The scheme with this lower-case name.
    fn from_name(name: &str) -> Self {
        match name {
            "http" => Self::Http,
            "https" => Self::Https,
            "ws" => Self::Ws,
            "wss" => Self::Wss,
            "ftp" => Self::Ftp,
            "file" => Self::File,
            _ => Self::NotSpecial,
        }
    }

    /// "special scheme"
    fn is_special(self) -> bool {
        self != Self::NotSpecial
    }

    /// "default port"
    fn default_port(self) -> Option<u16> {
        match self {
            Self::Http | Self::Ws => Some(80),
            Self::Https | Self::Wss => Some(443),
            Self::Ftp => Some(21),
            Self::File | Self::NotSpecial => None,
        }
    }

    /// Whether `byte` separates path segments.
    fn is_slash(self, byte: u8) -> bool {
        byte == b'/' || (byte == b'\\' && self.is_special())
    }

    /// Whether `text` starts with a separator of path segments.
    fn starts_with_slash(self, text: &str) -> bool {
        text.bytes().next().is_some_and(|b| self.is_slash(b))
    }
}

/// Where the components of a serialized URL end, in bytes from its start.
#[derive(Clone, Copy, Debug, Default)]
struct Ends {
    /// Of the scheme and its colon.
    scheme: usize,
    /// Of the credentials, host and port, with the `//` before them; equal to `scheme` if the host is
    /// null.
    authority: usize,
    /// Where the path starts: after the authority, and after the `/.` that keeps a path
    /// from being read as one.
    path_start: usize,
    /// Of the path.
    path: usize,
    /// Of the query, with its question mark; equal to `path` if the query is null.
    query: usize,
}

/// A URL to resolve against: parsed once, kept serialized.
#[derive(Clone, Debug)]
pub(super) struct Url {
    href: String,
    scheme: Scheme,
    ends: Ends,
}

impl Url {
    /// # Errors
    ///
    /// [`ResolveError::BadBase`] when `text` is not an absolute URL.
    pub(super) fn new(text: &str) -> Result<Self, ResolveError> {
        let mut href = String::with_capacity(text.len());
        let mut parser = Parser::new(encoding_rs::UTF_8, &mut href);
        parser
            .parse(text, Err(ResolveError::BadBase))
            .map_err(|_| ResolveError::BadBase)?;
        let Parser { scheme, ends, .. } = parser;
        Ok(Self { href, scheme, ends })
    }

    /// "opaque path"
    fn has_opaque_path(&self) -> bool {
        let path = self.path();
        self.ends.authority == self.ends.scheme && !path.starts_with('/')
    }

    fn path(&self) -> &str {
        &self.href[self.ends.path_start..self.ends.path]
    }
}

/// Whether "path state" removes the segment.
pub(super) fn is_dot_segment(segment: &str) -> bool {
    dots(segment).is_some()
}

/// Whether the serialized URL `browser` differs from `url` only in notation. See
/// [`super::fast_path::is_elsewhere`].
pub(super) fn is_notation_of(url: &str, browser: &str) -> bool {
    let (url, browser) = (Parts::parse(url), Parts::parse(browser));
    let scheme = browser.scheme.unwrap_or_default();
    if !url.scheme.unwrap_or_default().eq_ignore_ascii_case(scheme) {
        return false;
    }
    let scheme = Scheme::from_name(scheme);
    let (path_set, query_set) = match scheme {
        Scheme::NotSpecial => (C0_CONTROL, QUERY),
        _ => (PATH, SPECIAL_QUERY),
    };
    // An empty component counts as a missing one.
    let is = |text: Option<&str>, set, written: Option<&str>| {
        is_encoded(text.unwrap_or_default(), set, written.unwrap_or_default())
    };
    let has_path = is_encoded(url.path, path_set, browser.path)
        || url.path.is_empty() && scheme.is_special() && browser.path == "/";
    has_path
        && is(url.query, query_set, browser.query)
        && is(url.fragment, FRAGMENT, browser.fragment)
        && is_notation_of_authority(scheme, url.authority, browser.authority)
}

fn is_encoded(text: &str, set: &'static AsciiSet, written: &str) -> bool {
    let mut rest = written;
    utf8_percent_encode(text, set).all(|piece| match rest.strip_prefix(piece) {
        Some(after) => {
            rest = after;
            true
        }
        None => false,
    }) && rest.is_empty()
}

fn is_notation_of_authority(scheme: Scheme, url: Option<&str>, browser: Option<&str>) -> bool {
    let (Some(url), Some(browser)) = (url, browser) else {
        return url == browser;
    };
    if url.eq_ignore_ascii_case(browser) && !url.contains('@') {
        return true;
    }
    let mut out = String::new();
    let mut parser = Parser::new(encoding_rs::UTF_8, &mut out);
    parser.scheme = scheme;
    if parser.authority(url).is_err() {
        return false;
    }
    let end = parser.ends.authority;
    out.get("//".len()..end) == Some(browser) && is_name_of(host_of(url), host_of(browser))
}

/// The host of an authority, without credentials and port.
fn host_of(authority: &str) -> &str {
    let host = authority
        .rsplit_once('@')
        .map_or(authority, |(_, host)| host);
    split_port(host).0
}

/// Whether a host is the serialized one in other letters: capitals, or those that Punycode stands
/// for. A number read as an address, an escape, or a full-width letter is not.
fn is_name_of(host: &str, serialized: &str) -> bool {
    if host.is_ascii() {
        return host.eq_ignore_ascii_case(serialized);
    }
    let (in_unicode, result) = idna::domain_to_unicode(serialized);
    result.is_ok() && in_unicode == host.to_lowercase()
}

/// Appends the URL that `reference` resolves to to `out`.
///
/// `encoding` is the document's encoding, in which queries are written.
///
/// # Errors
///
/// [`ResolveError::Invalid`] where the standard returns failure, and the base's error if the
/// reference needs a base; `out` is then unchanged.
pub(super) fn resolve_into(
    base: Result<&Url, &ResolveError>,
    encoding: &'static Encoding,
    reference: &str,
    out: &mut String,
) -> Result<(), ResolveError> {
    let start = out.len();
    Parser::new(encoding, out)
        .parse(reference, base.map_err(|e| *e))
        .inspect_err(|_| out.truncate(start))
}

/// States of the "basic URL parser" that follow each other without a way back are one method here.
/// Each writes its component and calls the next.
struct Parser<'o> {
    encoding: &'static Encoding,
    out: &'o mut String,
    /// Where the URL starts in `out`.
    start: usize,
    scheme: Scheme,
    ends: Ends,
}

impl<'o> Parser<'o> {
    fn new(encoding: &'static Encoding, out: &'o mut String) -> Self {
        Self {
            encoding,
            start: out.len(),
            out,
            scheme: Scheme::NotSpecial,
            ends: Ends::default(),
        }
    }

    /// "scheme start state", "scheme state", "no scheme state"
    fn parse(&mut self, input: &str, base: Result<&Url, ResolveError>) -> Result<(), ResolveError> {
        let Some((scheme, rest)) = split_scheme(input) else {
            let base = base?;
            if base.has_opaque_path() && !input.starts_with('#') {
                return Err(ResolveError::BadBase);
            }
            self.push_scheme(&base.href[..base.ends.scheme - 1]);
            return match self.scheme {
                Scheme::File => self.file(input, Some(base)),
                _ => self.relative(input, base),
            };
        };
        self.push_scheme(scheme);
        let base = base.ok().filter(|base| base.scheme == self.scheme);
        match (self.scheme, base) {
            (Scheme::File, _) => self.file(rest, base),
            (Scheme::NotSpecial, _) => self.path_or_authority(rest),
            // "special relative or authority state"
            (_, Some(base)) if !rest.starts_with("//") => self.relative(rest, base),
            // "special authority slashes state"
            _ => self.authority_ignoring_slashes(rest),
        }
    }

    fn push_scheme(&mut self, scheme: &str) {
        self.out.push_str(scheme);
        self.out[self.start..].make_ascii_lowercase();
        self.scheme = Scheme::from_name(&self.out[self.start..]);
        self.out.push(':');
        self.ends.scheme = self.end();
    }

    /// "scheme state" for schemes that are not special, "path or authority state"
    fn path_or_authority(&mut self, input: &str) -> Result<(), ResolveError> {
        if let Some(rest) = input.strip_prefix("//") {
            return self.authority(rest);
        }
        self.end_authority();
        match input.strip_prefix('/') {
            Some(rest) => self.path(rest),
            None => self.opaque_path(input),
        }
        Ok(())
    }

    /// "relative state", "relative slash state"
    fn relative(&mut self, input: &str, base: &Url) -> Result<(), ResolveError> {
        if !self.scheme.starts_with_slash(input) {
            self.inherit(input, base);
            return Ok(());
        }
        let rest = &input[1..];
        if !self.scheme.starts_with_slash(rest) {
            self.push_authority_of(base);
            self.path(rest);
            Ok(())
        } else if self.scheme.is_special() {
            self.authority_ignoring_slashes(rest)
        } else {
            self.authority(&rest[1..])
        }
    }

    /// "file state", "file slash state"; `base` is a file URL.
    fn file(&mut self, input: &str, base: Option<&Url>) -> Result<(), ResolveError> {
        if !self.scheme.starts_with_slash(input) {
            if let Some(base) = base {
                self.inherit(input, base);
            } else {
                self.push_empty_host();
                self.path(input);
            }
            return Ok(());
        }
        let rest = &input[1..];
        if self.scheme.starts_with_slash(rest) {
            return self.file_host(&rest[1..]);
        }
        match base {
            Some(base) => {
                self.push_authority_of(base);
                let first = base.path().split('/').nth(1).unwrap_or_default();
                if !starts_with_drive_letter(rest) && is_normalized_drive_letter(first) {
                    self.out.push('/');
                    self.out.push_str(first);
                }
            }
            None => self.push_empty_host(),
        }
        self.path(rest);
        Ok(())
    }

    /// "file host state"
    fn file_host(&mut self, input: &str) -> Result<(), ResolveError> {
        let (host, rest) = split_before(input, |b| matches!(b, b'/' | b'\\' | b'?' | b'#'));
        if is_drive_letter(host) {
            self.push_empty_host();
            self.path(input);
            return Ok(());
        }
        self.out.push_str("//");
        if !host.is_empty() {
            let start = self.out.len();
            self.host(host)?;
            if &self.out[start..] == "localhost" {
                self.out.truncate(start);
            }
        }
        self.end_authority();
        self.path_start(rest);
        Ok(())
    }

    /// The rest of "relative state" and "file state": an input without a leading slash inherits the
    /// authority of `base`, and its path and query unless it has its own.
    fn inherit(&mut self, input: &str, base: &Url) {
        self.push_authority_of(base);
        match input.bytes().next() {
            None | Some(b'#') => {
                self.out.push_str(base.path());
                self.end_path();
                self.out
                    .push_str(&base.href[base.ends.path..base.ends.query]);
                self.ends.query = self.end();
                self.fragment(input);
            }
            Some(b'?') => {
                self.out.push_str(base.path());
                self.end_path();
                self.query(input);
            }
            Some(_) => {
                if self.scheme != Scheme::File || !starts_with_drive_letter(input) {
                    self.out.push_str(base.path());
                    self.shorten_path();
                }
                self.path(input);
            }
        }
    }

    /// "special authority ignore slashes state"
    fn authority_ignoring_slashes(&mut self, input: &str) -> Result<(), ResolveError> {
        self.authority(input.trim_start_matches(['/', '\\']))
    }

    /// "authority state", "host state"
    fn authority(&mut self, input: &str) -> Result<(), ResolveError> {
        let scheme = self.scheme;
        let (authority, rest) =
            split_before(input, |b| matches!(b, b'?' | b'#') || scheme.is_slash(b));
        self.out.push_str("//");
        let host_and_port = match authority.rsplit_once('@') {
            Some((_, "")) => return Err(ResolveError::Invalid),
            Some((credentials, host_and_port)) => {
                self.credentials(credentials);
                host_and_port
            }
            None => authority,
        };
        let (host, port) = split_port(host_and_port);
        if host.is_empty() && (self.scheme.is_special() || port.is_some()) {
            return Err(ResolveError::Invalid);
        }
        self.host(host)?;
        self.port(port.unwrap_or_default())?;
        self.end_authority();
        self.path_start(rest);
        Ok(())
    }

    /// The credentials of "authority state", as the "URL serializer" writes them.
    fn credentials(&mut self, credentials: &str) {
        let (username, password) = credentials.split_once(':').unwrap_or((credentials, ""));
        self.out.extend(utf8_percent_encode(username, USERINFO));
        if !password.is_empty() {
            self.out.push(':');
            self.out.extend(utf8_percent_encode(password, USERINFO));
        }
        if !(username.is_empty() && password.is_empty()) {
            self.out.push('@');
        }
    }

    /// "host parser", "host serializer"
    fn host(&mut self, input: &str) -> Result<(), ResolveError> {
        let host = if !self.scheme.is_special() {
            Host::parse_opaque(input)
        } else if self.ascii_domain(input)? {
            return Ok(());
        } else {
            Host::parse(input)
        };
        let host = host.map_err(|_| ResolveError::Invalid)?;
        write!(self.out, "{host}").map_err(|_| ResolveError::Invalid)
    }

    /// "Host parser" for an ASCII domain, which "domain to ASCII" only lower-cases, whether or not
    /// its Punycode is valid. Writes nothing and returns `false` if `input` is an IP address or not
    /// ASCII.
    fn ascii_domain(&mut self, input: &str) -> Result<bool, ResolveError> {
        let domain = if input.bytes().any(|b| b == b'%') {
            percent_decode_str(input).decode_utf8_lossy()
        } else {
            Cow::Borrowed(input)
        };
        if input.starts_with('[') || !domain.is_ascii() {
            return Ok(false);
        }
        let start = self.out.len();
        self.out.push_str(&domain);
        self.out[start..].make_ascii_lowercase();
        let domain = &self.out[start..];
        if domain.bytes().any(is_forbidden_in_domain) {
            return Err(ResolveError::Invalid);
        }
        let is_address = ends_in_number(domain);
        if is_address {
            self.out.truncate(start);
        }
        Ok(!is_address)
    }

    /// "port state"
    fn port(&mut self, digits: &str) -> Result<(), ResolveError> {
        if !digits.bytes().all(|b| b.is_ascii_digit()) {
            return Err(ResolveError::Invalid);
        }
        let significant = digits.trim_start_matches('0');
        let port = match (digits, significant) {
            ("", _) => return Ok(()),
            (_, "") => 0,
            _ => significant
                .parse::<u16>()
                .map_err(|_| ResolveError::Invalid)?,
        };
        if Some(port) != self.scheme.default_port() {
            write!(self.out, ":{port}").map_err(|_| ResolveError::Invalid)?;
        }
        Ok(())
    }

    /// "path start state"
    fn path_start(&mut self, input: &str) {
        if self.scheme.starts_with_slash(input) {
            self.path(&input[1..]);
        } else if self.scheme.is_special() {
            self.path(input);
        } else {
            self.end_path();
            self.query(input);
        }
    }

    /// "path state", after the leading slash of the path, or after a base's path that has already
    /// been written.
    fn path(&mut self, input: &str) {
        let (path, rest) = split_before(input, |b| matches!(b, b'?' | b'#'));
        if self.scheme != Scheme::File && is_plain_path(path) {
            self.out.push('/');
            self.out.push_str(path);
        } else {
            self.segments(path);
        }
        self.end_path();
        self.query(rest);
    }

    /// "path state", segment by segment
    fn segments(&mut self, path: &str) {
        let scheme = self.scheme;
        let mut next = Some(path);
        while let Some(path) = next {
            let (segment, rest) = split_before(path, |b| scheme.is_slash(b));
            next = rest.get(1..);
            match dots(segment) {
                Some(Dots::Double) => self.shorten_path(),
                Some(Dots::Single) => {}
                None => {
                    self.segment(segment);
                    continue;
                }
            }
            if next.is_none() {
                self.out.push('/');
            }
        }
    }

    fn segment(&mut self, segment: &str) {
        let is_first = self.end() == self.ends.path_start;
        self.out.push('/');
        if self.scheme == Scheme::File && is_first && is_drive_letter(segment) {
            self.out.push_str(&segment[..1]);
            self.out.push(':');
        } else {
            self.out.extend(utf8_percent_encode(segment, PATH));
        }
    }

    /// "shorten a URL's path"
    fn shorten_path(&mut self) {
        let path_start = self.start + self.ends.path_start;
        let path = &self.out[path_start..];
        let is_drive = |path: &str| path.starts_with('/') && is_normalized_drive_letter(&path[1..]);
        if self.scheme == Scheme::File && is_drive(path) {
            return;
        }
        let last = path.rfind('/').unwrap_or(0);
        self.out.truncate(path_start + last);
    }

    /// "opaque path state"
    fn opaque_path(&mut self, input: &str) {
        let (path, rest) = split_before(input, |b| matches!(b, b'?' | b'#'));
        match path.strip_suffix(' ') {
            Some(path) if !rest.is_empty() => {
                self.out.extend(utf8_percent_encode(path, C0_CONTROL));
                self.out.push_str("%20");
            }
            _ => self.out.extend(utf8_percent_encode(path, C0_CONTROL)),
        }
        self.end_path();
        self.query(rest);
    }

    /// "query state"; `input` is empty or starts with `?` or `#`.
    fn query(&mut self, input: &str) {
        let (query, rest) = split_before(input, |b| b == b'#');
        if let Some(query) = query.strip_prefix('?') {
            self.out.push('?');
            let encoding = match self.scheme {
                Scheme::NotSpecial | Scheme::Ws | Scheme::Wss => encoding_rs::UTF_8,
                _ => self.encoding.output_encoding(),
            };
            let set = if self.scheme.is_special() {
                SPECIAL_QUERY
            } else {
                QUERY
            };
            push_encoded(query, encoding, set, self.out);
        }
        self.ends.query = self.end();
        self.fragment(rest);
    }

    /// "fragment state"; `input` is empty or starts with `#`.
    fn fragment(&mut self, input: &str) {
        if let Some(fragment) = input.strip_prefix('#') {
            self.out.push('#');
            self.out.extend(utf8_percent_encode(fragment, FRAGMENT));
        }
    }

    fn push_empty_host(&mut self) {
        self.out.push_str("//");
        self.end_authority();
    }

    fn push_authority_of(&mut self, base: &Url) {
        self.out
            .push_str(&base.href[base.ends.scheme..base.ends.authority]);
        self.end_authority();
    }

    /// The length of the URL written so far.
    fn end(&self) -> usize {
        self.out.len() - self.start
    }

    fn end_authority(&mut self) {
        self.ends.authority = self.end();
        self.ends.path_start = self.end();
    }

    /// Ends the path. "URL serializer", step 3: `/.` goes before a path that starts with
    /// an empty segment and would be read as an authority.
    fn end_path(&mut self) {
        let has_authority = self.ends.authority > self.ends.scheme;
        let path_start = self.start + self.ends.path_start;
        if !has_authority && self.out[path_start..].starts_with("//") {
            self.out.insert_str(path_start, "/.");
            self.ends.path_start += 2;
        }
        self.ends.path = self.end();
        self.ends.query = self.end();
    }
}

/// The scheme and the rest after its colon.
fn split_scheme(input: &str) -> Option<(&str, &str)> {
    let colon = scheme::end(input)?;
    Some((&input[..colon], &input[colon + 1..]))
}

/// Splits before the first byte for which `is_end` holds, which must be ASCII.
fn split_before(text: &str, is_end: impl Fn(u8) -> bool) -> (&str, &str) {
    text.split_at(text.bytes().position(is_end).unwrap_or(text.len()))
}

/// The host, and the port after a colon outside brackets, if any.
fn split_port(host_and_port: &str) -> (&str, Option<&str>) {
    let mut in_brackets = false;
    for (i, b) in host_and_port.bytes().enumerate() {
        match b {
            b'[' => in_brackets = true,
            b']' => in_brackets = false,
            b':' if !in_brackets => {
                return (&host_and_port[..i], Some(&host_and_port[i + 1..]));
            }
            _ => {}
        }
    }
    (host_and_port, None)
}

/// "forbidden domain code point"
fn is_forbidden_in_domain(byte: u8) -> bool {
    !byte.is_ascii_graphic()
        || matches!(
            byte,
            b'#' | b'%'
                | b'/'
                | b':'
                | b'<'
                | b'>'
                | b'?'
                | b'@'
                | b'['
                | b'\\'
                | b']'
                | b'^'
                | b'|'
        )
}

/// "ends in a number checker", for a lower-case domain
fn ends_in_number(domain: &str) -> bool {
    let domain = domain.strip_suffix('.').unwrap_or(domain);
    let last = domain.rsplit('.').next().unwrap_or_default();
    match last.strip_prefix("0x") {
        Some(digits) => digits.bytes().all(|b| b.is_ascii_hexdigit()),
        None => !last.is_empty() && last.bytes().all(|b| b.is_ascii_digit()),
    }
}

/// Whether "path state" would merely append a path: no byte changes, and no segment starts like a
/// dot segment.
fn is_plain_path(path: &str) -> bool {
    let mut before = b'/';
    path.bytes().all(|b| {
        let starts_with_dot = b == b'.' && before == b'/';
        before = b;
        is_plain_in_path(b) && !starts_with_dot
    })
}

/// Whether a byte is neither encoded by [`PATH`] nor special to "path state".
fn is_plain_in_path(byte: u8) -> bool {
    byte.is_ascii_graphic()
        && !matches!(
            byte,
            b'"' | b'#' | b'%' | b'<' | b'>' | b'?' | b'\\' | b'^' | b'`' | b'{' | b'}'
        )
}

enum Dots {
    Single,
    Double,
}

/// "single-dot URL path segment", "double-dot URL path segment"
fn dots(segment: &str) -> Option<Dots> {
    let rest = strip_dot(segment)?;
    if rest.is_empty() {
        return Some(Dots::Single);
    }
    strip_dot(rest)?.is_empty().then_some(Dots::Double)
}

fn strip_dot(segment: &str) -> Option<&str> {
    [".", "%2e", "%2E"]
        .iter()
        .find_map(|dot| segment.strip_prefix(dot))
}

/// "Windows drive letter"
fn is_drive_letter(segment: &str) -> bool {
    matches!(segment.as_bytes(), [letter, b':' | b'|'] if letter.is_ascii_alphabetic())
}

/// "normalized Windows drive letter"
fn is_normalized_drive_letter(segment: &str) -> bool {
    is_drive_letter(segment) && segment.ends_with(':')
}

/// "starts with a Windows drive letter"
fn starts_with_drive_letter(text: &str) -> bool {
    is_drive_letter(split_before(text, |b| matches!(b, b'/' | b'\\' | b'?' | b'#')).0)
}

/// Appends `text` as "percent-encode after encoding" gives it.
fn push_encoded(text: &str, encoding: &'static Encoding, set: &'static AsciiSet, out: &mut String) {
    if encoding == encoding_rs::UTF_8 || (encoding.is_ascii_compatible() && text.is_ascii()) {
        out.extend(utf8_percent_encode(text, set));
        return;
    }
    let mut encoder = encoding.new_encoder();
    let mut rest = text;
    let mut buffer = [0; 1024];
    loop {
        let (result, read, written) =
            encoder.encode_from_utf8_without_replacement(rest, &mut buffer, true);
        out.extend(percent_encode(&buffer[..written], set));
        rest = &rest[read..];
        match result {
            EncoderResult::InputEmpty => return,
            EncoderResult::OutputFull => {}
            EncoderResult::Unmappable(c) => {
                out.push_str("%26%23");
                out.push_str(&u32::from(c).to_string());
                out.push_str("%3B");
            }
        }
    }
}

#[cfg(test)]
mod tests;
