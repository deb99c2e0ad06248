//! A STIX 2.1 bundle: each observable, with an `observed-data` object that says when and how often it was
//! seen. That object requires dates, so it exists only if the documents have some: the clock is not used.
//! There is no `indicator`, which would claim that something is malicious.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::io;

use baseref_resolve::{Resolver, Rules, parts};
use serde_json::{Value, json};

use super::ids;
use super::store::{ObservableKind, Observables, Sightings};
use crate::json::to_vec;

/// The limit of `number_observed` (STIX 2.1 §4.14).
const MOST_OBSERVED: u64 = 999_999_999;

pub(super) fn write(
    observables: &Observables,
    is_defanged: bool,
    out: &mut dyn io::Write,
) -> io::Result<()> {
    let objects = || {
        let all = observables.iter();
        all.filter(|(kind, value, _)| *kind != ObservableKind::Host || is_domain_name(value))
    };
    // The identifier of the bundle precedes the objects that it follows from.
    let mut names = ids::Text::default();
    for (kind, value, _) in objects() {
        names.push(&identified(kind, value).0);
    }
    write!(out, "{{\"id\":\"bundle--{}\"", names.id())?;
    // STIX 2.1 §2.5: lists must not be empty.
    let mut before = ",\"objects\":[";
    for (kind, value, seen) in objects() {
        let (id, shown) = identified(kind, value);
        let observed = observed(&id, seen);
        let object = object(kind, &id, &shown, value, is_defanged);
        for object in [Some(object), observed].into_iter().flatten() {
            out.write_all(before.as_bytes())?;
            out.write_all(&to_vec(&object)?)?;
            before = ",";
        }
    }
    let after = if before == "," { "]" } else { "" };
    writeln!(out, "{after},\"type\":\"bundle\"}}")
}

/// The type of an observable.
fn type_of(kind: ObservableKind, value: &str) -> &'static str {
    match kind {
        ObservableKind::Url => "url",
        ObservableKind::Host => "domain-name",
        ObservableKind::Ip if value.contains(':') => "ipv6-addr",
        ObservableKind::Ip => "ipv4-addr",
        ObservableKind::Address => "email-addr",
    }
}

/// The identifier that every program gives an observable (STIX 2.1 §2.9), and its value in STIX.
fn identified(kind: ObservableKind, value: &str) -> (String, Cow<'_, str>) {
    let shown = match kind {
        ObservableKind::Url => Cow::Owned(uri(value)),
        _ => Cow::Borrowed(value),
    };
    let canonical = json!({ "value": shown }).to_string();
    let id = format!("{}--{}", type_of(kind, value), ids::from_text(&canonical));
    (id, shown)
}

/// The observable itself, with its value in the form of STIX.
fn object(kind: ObservableKind, id: &str, shown: &str, value: &str, is_defanged: bool) -> Value {
    let mut object = json!({
        "type": type_of(kind, value),
        "spec_version": "2.1",
        "id": id,
        "value": shown,
    });
    if is_defanged {
        // STIX 2.1 §3.2: the property says that the value was changed so.
        object["value"] = kind.defanged(shown).into();
        object["defanged"] = true.into();
    }
    object
}

/// A date in RFC 3339 with milliseconds, which STIX 2.1 §3.2 requires for `created` and `modified`.
fn time(date: &str) -> String {
    date.strip_suffix('Z')
        .filter(|seconds| !seconds.contains('.'))
        .map_or_else(|| date.to_owned(), |seconds| format!("{seconds}.000Z"))
}

/// Whether a host is a domain name (RFC 1034 §3.5, RFC 5890 for those in ASCII).
pub(super) fn is_domain_name(host: &str) -> bool {
    let is_label = |label: &str| {
        let is_inner = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte >= 128;
        (1..=63).contains(&label.len())
            && label.bytes().all(is_inner)
            && !label.starts_with('-')
            && !label.ends_with('-')
    };
    host.len() <= 253 && host.split('.').all(is_label)
}

/// A URL as STIX 2.1 §6.18 requires it: by RFC 3986, so other characters are percent-encoded.
fn uri(url: &str) -> String {
    let is_foreign = parts::authority(url).is_some_and(|authority| !authority.is_ascii());
    let resolver = Resolver::new(Rules::Whatwg, None, encoding_rs::UTF_8);
    let read = is_foreign.then(|| resolver.resolve(url).ok()).flatten();
    let url = read.as_deref().unwrap_or(url);
    let host_end = parts::origin(url).len();
    let fragment = url.find('#').unwrap_or(url.len());
    let mut uri = String::with_capacity(url.len() + 16);
    for (at, byte) in url.bytes().enumerate() {
        let is_allowed = match byte {
            b'%' => is_escape(&url.as_bytes()[at..]),
            // Brackets are for IPv6 addresses alone.
            b'[' | b']' => at < host_end,
            b'#' => at == fragment,
            _ => is_of_uri(byte),
        };
        if is_allowed {
            uri.push(char::from(byte));
        } else {
            write!(uri, "%{byte:02X}").expect("a String takes every write");
        }
    }
    uri
}

fn is_escape(bytes: &[u8]) -> bool {
    matches!(bytes, [b'%', a, b, ..] if a.is_ascii_hexdigit() && b.is_ascii_hexdigit())
}

/// RFC 3986 §2: reserved and unreserved characters.
fn is_of_uri(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"-._~:/?@!$&'()*+,;=".contains(&byte)
}

/// When and how often it was seen; `None` without a date.
fn observed(of: &str, seen: &Sightings) -> Option<Value> {
    let first = seen.first.as_deref()?;
    let last = seen.last.as_deref().unwrap_or(first);
    let id = ids::from_text(&format!("{of}|{first}|{last}|{}", seen.count));
    let mut labels: Vec<&str> = seen.wrappers.iter().map(|chain| &**chain).collect();
    labels.extend(seen.end.map(baseref_unwrap::End::as_str));
    let mut observed = json!({
        "type": "observed-data",
        "spec_version": "2.1",
        "id": format!("observed-data--{id}"),
        "created": time(first),
        "modified": time(last),
        "first_observed": time(first),
        "last_observed": time(last),
        "number_observed": seen.count.min(MOST_OBSERVED),
        "object_refs": [of],
    });
    if !labels.is_empty() {
        observed["labels"] = labels.into();
    }
    Some(observed)
}
