//! The requests in an access log in the common or the combined format of Apache, nginx and others.

use indexmap::IndexMap;
use std::borrow::Cow;

use super::list::{Address, AddressList};

/// The number of lines that are examined to recognise a log.
const EXAMINED: usize = 20;

/// One line of a log.
struct LogEntry<'l> {
    method: &'l str,
    target: &'l str,
    status: u16,
}

/// Whether the text is an access log.
pub(super) fn is_access_log(text: &str) -> bool {
    text.lines()
        .take(EXAMINED)
        .any(|line| parse_line(line).is_some())
}

/// Counts the requests for each address that were answered with 2xx or 3xx.
pub(super) fn read(text: &str) -> AddressList {
    let mut hits: IndexMap<Cow<'_, str>, u64> = IndexMap::new();
    let (mut failed, mut other_methods) = (0_u64, 0_u64);
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        let Some(request) = parse_line(line) else {
            failed += 1;
            continue;
        };
        let is_url = request.target.starts_with('/') || request.target.contains("://");
        if !matches!(request.method, "GET" | "HEAD") {
            other_methods += 1;
        } else if !(200..400).contains(&request.status) || !is_url {
            failed += 1;
        } else {
            *hits.entry(unescaped(request.target)).or_default() += 1;
        }
    }
    let address = |(target, count): (Cow<'_, str>, u64)| Address {
        weight: count.to_string(),
        url: target.into_owned(),
    };
    let left_out = (failed + other_methods > 0).then(|| {
        format!(
            "{failed} requests that were answered with an error, are not for a page or cannot be \
             read, and {other_methods} of another method than GET and HEAD"
        )
    });
    AddressList {
        addresses: hits.into_iter().map(address).collect(),
        weight: Some("hits".to_owned()),
        left_out: left_out.into_iter().collect(),
    }
}

/// `HOST IDENT USER [TIME] "METHOD TARGET HTTP/V" STATUS ...`
fn parse_line(line: &str) -> Option<LogEntry<'_>> {
    let (_, rest) = line.split_once('[')?;
    let (_, rest) = rest.split_once("] \"")?;
    let end = closing_quote(rest)?;
    let (quoted, rest) = rest.split_at(end);
    let mut words = quoted.split(' ');
    let method = words.next()?;
    let (target, version) = quoted.get(method.len() + 1..)?.rsplit_once(' ')?;
    let status = rest.strip_prefix("\" ")?.split(' ').next()?;
    let is_request = version.starts_with("HTTP/") && method.bytes().all(|b| b.is_ascii_uppercase());
    Some(LogEntry {
        method,
        target,
        status: status.parse().ok().filter(|_| is_request)?,
    })
}

/// Undoes the escapes of servers: Apache writes `\"` for a quote, nginx `\x22`.
fn unescaped(target: &str) -> Cow<'_, str> {
    if !target.contains('\\') {
        return Cow::Borrowed(target);
    }
    let mut out = String::with_capacity(target.len());
    let mut rest = target;
    while let Some(at) = rest.find('\\') {
        out.push_str(&rest[..at]);
        let after = &rest[at + 1..];
        let hex = after.strip_prefix('x').and_then(|after| after.get(..2));
        if let Some(hex) = hex.filter(|hex| hex.bytes().all(|b| b.is_ascii_hexdigit())) {
            out.extend(["%", hex]);
            rest = &after[3..];
        } else {
            let escaped = after.chars().next();
            out.extend(escaped);
            rest = &after[escaped.map_or(0, char::len_utf8)..];
        }
    }
    out.push_str(rest);
    Cow::Owned(out)
}

/// The index of the closing quote, skipping escaped ones.
fn closing_quote(text: &str) -> Option<usize> {
    let mut is_escaped = false;
    text.bytes().position(|byte| {
        let ends = byte == b'"' && !is_escaped;
        is_escaped = byte == b'\\' && !is_escaped;
        ends
    })
}
