//! Recognises references on which the three rule sets cannot differ, in one pass over their bytes.

use baseref_resolve::authority::{is_ipv4, without_plain_port};
use baseref_resolve::is_hierarchical;
use baseref_resolve::parts::{letters_digits_and, without_query};

/// How many levels `..` can climb from a base, if it is plain.
pub(crate) fn plain_depth(base: &str) -> Option<usize> {
    let rest = ["http://", "https://", "file://"]
        .iter()
        .find_map(|start| base.strip_prefix(start))?;
    let path = without_query(rest);
    let slash = path.find('/')?;
    let (host, path) = path.split_at(slash);
    let is_file = base.starts_with("file:");
    let is_plain = plain_path(path.as_bytes(), false) == Some(path.len())
        && (is_plain_authority(host) || is_file && host.is_empty())
        // Browsers refuse a port there.
        && !(is_file && host.contains(':'))
        && !base.contains('#')
        && is_hierarchical(base);
    is_plain.then(|| path.matches('/').count() - 1)
}

/// Whether no rule set rewrites a plain base.
pub(crate) fn is_literal_base(base: &str) -> bool {
    let Some((_, after)) = base.split_once("://") else {
        return false;
    };
    let (authority, path) = after.split_at(after.find('/').unwrap_or(after.len()));
    let host = without_plain_port(authority).unwrap_or_default();
    // Browsers validate internationalized names.
    let is_of_letters = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b".-".contains(&b);
    !host.is_empty()
        && host.bytes().all(is_of_letters)
        && !host.contains("xn--")
        && is_literal(path)
}

/// The characters that are literal in every rule set.
static LITERAL: [bool; 256] = letters_digits_and(b"-._~%/?#&=+,!$()*:@");

/// Whether no rule set rewrites a plain reference: it is relative, and consists of characters that
/// are literal everywhere.
pub(crate) fn is_literal(reference: &str) -> bool {
    // RFC 1808 does not distinguish an empty fragment from none.
    reference.bytes().all(|byte| LITERAL[usize::from(byte)])
        && !reference.ends_with('#')
        && !reference.starts_with("http:")
        && !reference.starts_with("https:")
}

/// Whether a plain reference is an absolute URL that no rule set rewrites with any base. Most links in
/// mail are.
pub(crate) fn is_literal_url(reference: &str) -> bool {
    let Some(after) = after_scheme(reference) else {
        return false;
    };
    let path = after.find('/').map(|slash| &after[slash..]);
    is_literal_base(reference) && path.is_some_and(is_literal)
}

/// Whether `reference` is an absolute URL on which the rule sets cannot differ with any base.
pub(crate) fn is_plain_url(reference: &str) -> bool {
    after_scheme(reference).is_some() && is_plain(reference, 0)
}

/// The rest of an `http` or `https` URL after the scheme.
fn after_scheme(reference: &str) -> Option<&str> {
    let mut starts = ["http://", "https://"].iter();
    starts.find_map(|start| reference.strip_prefix(start))
}

/// Whether the rule sets cannot differ on `reference` against a base of this depth. It runs for
/// every link, so it makes a single pass.
pub(crate) fn is_plain(reference: &str, depth: usize) -> bool {
    // Most references have no surrounding white space.
    let (Some(first), Some(last)) = (reference.bytes().next(), reference.bytes().next_back())
    else {
        return true;
    };
    if first <= b' ' || last <= b' ' {
        return false;
    }
    let (rest, is_absolute) = if let Some(rest) = after_scheme(reference) {
        let end = rest.bytes().position(|b| matches!(b, b'/' | b'?' | b'#'));
        let (host, rest) = rest.split_at(end.unwrap_or(rest.len()));
        if !is_plain_authority(host) || rest.starts_with('?') {
            return false;
        }
        (rest, true)
    } else {
        let (mut relative, mut climbed) = (reference, 0);
        while let Some(rest) = relative.strip_prefix("../") {
            relative = rest;
            climbed += 1;
        }
        if climbed > depth || relative.starts_with("//") {
            return false;
        }
        (relative, false)
    };
    let rest = rest.as_bytes();
    let Some(path) = plain_path(rest, is_absolute) else {
        return false;
    };
    match rest.get(path) {
        Some(b'?') => {
            let query = rest[path + 1..].iter().take_while(|byte| **byte != b'#');
            let (length, is_ascii) = query.fold((0, true), |(length, all), byte| {
                (length + 1, all && byte.is_ascii())
            });
            length > 0 && is_ascii
        }
        _ => true,
    }
}

/// Where a path ends: at a query, a fragment, or the end. `None` if it contains dot segments, even
/// encoded ones, a control character, a backslash or consecutive slashes; or, if no host precedes
/// it, a possible scheme, parameters or drive.
fn plain_path(path: &[u8], is_absolute: bool) -> Option<usize> {
    let mut at = 0;
    while let Some(length) = path[at..].iter().position(|b| MARKS[usize::from(*b)]) {
        at += length;
        let byte = path[at];
        let follows_slash = at == 0 || path[at - 1] == b'/';
        match byte {
            b'?' | b'#' => return Some(at),
            b'.' if follows_slash => return None,
            b'/' if follows_slash && at > 0 => return None,
            b'\\' | 0..=b' ' => return None,
            b';' | b':' | b'|' if !is_absolute => return None,
            b'%' if matches!(path.get(at + 1..at + 3), Some([b'2', b'e' | b'E'])) => return None,
            _ => at += 1,
        }
    }
    Some(path.len())
}

/// The bytes that may mean something in [`plain_path`]: few bytes of a path.
static MARKS: [bool; 256] = {
    let mut marks = [false; 256];
    let mut byte = 0;
    while byte <= b' ' {
        marks[byte as usize] = true;
        byte += 1;
    }
    let others = b"?#./\\;:|%";
    let mut number = 0;
    while number < others.len() {
        marks[others[number] as usize] = true;
        number += 1;
    }
    marks
};

/// Whether a host is a plain name: letters, digits, dots and hyphens, not ending with a number; or four
/// numbers. Its port, if it has one, must be written as all rule sets do.
fn is_plain_authority(authority: &str) -> bool {
    let Some(host) = without_plain_port(authority) else {
        return false;
    };
    let last = host.rsplit('.').next().unwrap_or_default();
    let is_name = last.starts_with(|c: char| c.is_ascii_alphabetic())
        && host
            .bytes()
            .all(|b| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'-'));
    is_name || is_ipv4(host)
}
