//! Replaces values in the bytes of a document, and changes nothing else.

use std::fmt::Write as _;
use std::ops::Range;

use encoding_rs::{Encoding, UTF_16BE, UTF_16LE};

use baseref_resolve::parts;

/// A replacement of bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    /// The byte range to replace.
    pub byte: Range<usize>,
    /// The replacement.
    pub bytes: Vec<u8>,
}

/// Encodes `value` to replace `old`: ampersands are escaped if they are in `old`, and a quote that
/// could end the attribute becomes a character reference. `None` if `encoding` cannot represent a
/// character.
#[must_use]
pub fn encoded(value: &str, old: &[u8], encoding: &'static Encoding) -> Option<Vec<u8>> {
    let old = encoding.decode_without_bom_handling(old).0;
    let is_bare = old.contains('&') && !has_reference_to_ampersand(&old);
    let mut text = String::with_capacity(value.len());
    for c in value.chars() {
        match c {
            '&' if !is_bare => text.push_str("&amp;"),
            '"' => text.push_str("&quot;"),
            '\'' if !old.contains('\'') => text.push_str("&#39;"),
            '<' => text.push_str("&lt;"),
            '>' if !old.contains('>') => text.push_str("&gt;"),
            ' ' if !old.contains(' ') => text.push_str("%20"),
            c => text.push(c),
        }
    }
    if encoding == UTF_16LE {
        return Some(text.encode_utf16().flat_map(u16::to_le_bytes).collect());
    }
    if encoding == UTF_16BE {
        return Some(text.encode_utf16().flat_map(u16::to_be_bytes).collect());
    }
    let (bytes, _, is_lossy) = encoding.encode(&text);
    (!is_lossy).then(|| bytes.into_owned())
}

fn has_reference_to_ampersand(text: &str) -> bool {
    ["&amp;", "&AMP;", "&#38;", "&#x26;", "&#X26;"]
        .iter()
        .any(|reference| text.contains(reference))
}

/// Applies edits to a document; `None` if they overlap or exceed it. Sorts the edits and removes
/// duplicates, which come from the links of cloned elements.
#[must_use]
pub fn applied(bytes: &[u8], edits: &mut Vec<Edit>) -> Option<Vec<u8>> {
    edits.sort_by_key(|edit| edit.byte.start);
    edits.dedup();
    let mut out = Vec::with_capacity(bytes.len() + 64);
    let mut done = 0;
    for edit in edits.iter() {
        out.extend_from_slice(bytes.get(done..edit.byte.start)?);
        out.extend_from_slice(&edit.bytes);
        done = edit.byte.end;
    }
    out.extend_from_slice(bytes.get(done..)?);
    Some(out)
}

/// The number of unchanged lines shown around a change.
const CONTEXT: usize = 3;

/// A unified diff of one file for `patch -p1`. The edits must be sorted and must not overlap.
#[must_use]
pub fn unified(name: &[u8], bytes: &[u8], edits: &[Edit]) -> Vec<u8> {
    let starts: Vec<usize> = std::iter::once(0)
        .chain(memchr::memchr_iter(b'\n', bytes).map(|at| at + 1))
        .filter(|start| *start < bytes.len())
        .collect();
    let line_of = |at: usize| {
        starts
            .partition_point(|start| *start <= at)
            .saturating_sub(1)
    };
    let end_of = |line: usize| starts.get(line + 1).copied().unwrap_or(bytes.len());
    // Ranges of changed lines, each with its edits.
    let mut changes: Vec<(Range<usize>, Vec<&Edit>)> = Vec::new();
    for edit in edits {
        let first = line_of(edit.byte.start);
        let last = line_of(edit.byte.end.max(edit.byte.start + 1) - 1).max(first);
        match changes.last_mut() {
            Some((lines, own)) if lines.end > first => {
                lines.end = lines.end.max(last + 1);
                own.push(edit);
            }
            _ => changes.push((first..last + 1, vec![edit])),
        }
    }
    let mut out = Vec::new();
    for (mark, side) in [("---", "a"), ("+++", "b")] {
        out.extend_from_slice(format!("{mark} {}\n", quoted(side, name)).as_bytes());
    }
    let mut shift = 0_i64;
    let mut rest = &changes[..];
    while let Some((first, _)) = rest.first() {
        // Changes whose contexts touch share a hunk.
        let mut count = 1;
        while let (Some((here, _)), Some((next, _))) = (rest.get(count - 1), rest.get(count)) {
            if next.start > here.end + 2 * CONTEXT {
                break;
            }
            count += 1;
        }
        let (hunk, after) = rest.split_at(count);
        rest = after;
        let from = first.start.saturating_sub(CONTEXT);
        let last = hunk.last().map_or(first.end, |(lines, _)| lines.end);
        let to = (last + CONTEXT).min(starts.len());
        let mut body = Vec::new();
        let mut added = 0;
        let mut at = from;
        for (lines, own) in hunk {
            push_lines(
                &mut body,
                b' ',
                lines_between(bytes, &starts, at..lines.start),
            );
            push_lines(
                &mut body,
                b'-',
                lines_between(bytes, &starts, lines.clone()),
            );
            let span = starts[lines.start]..end_of(lines.end - 1);
            let new = replaced(bytes, span, own);
            added += push_lines(&mut body, b'+', &new);
            at = lines.end;
        }
        push_lines(&mut body, b' ', lines_between(bytes, &starts, at..to));
        let removed: usize = hunk.iter().map(|(lines, _)| lines.len()).sum();
        let old_count = to - from;
        let new_count = old_count - removed + added;
        let new_from = i64::try_from(from + 1).unwrap_or(i64::MAX) + shift;
        let header = format!("@@ -{},{old_count} +{new_from},{new_count} @@\n", from + 1);
        out.extend_from_slice(header.as_bytes());
        out.extend_from_slice(&body);
        shift += i64::try_from(added).unwrap_or(0) - i64::try_from(removed).unwrap_or(0);
    }
    out
}

fn lines_between<'b>(bytes: &'b [u8], starts: &[usize], lines: Range<usize>) -> &'b [u8] {
    let at = |line: usize| starts.get(line).copied().unwrap_or(bytes.len());
    bytes
        .get(at(lines.start)..at(lines.end))
        .unwrap_or_default()
}

/// The bytes of a span after its edits.
fn replaced(bytes: &[u8], span: Range<usize>, edits: &[&Edit]) -> Vec<u8> {
    let mut out = Vec::new();
    let mut done = span.start;
    for edit in edits {
        out.extend_from_slice(bytes.get(done..edit.byte.start).unwrap_or_default());
        out.extend_from_slice(&edit.bytes);
        done = edit.byte.end;
    }
    out.extend_from_slice(bytes.get(done..span.end).unwrap_or_default());
    out
}

/// Appends the lines of `text`, each prefixed with `mark`, and returns their number.
fn push_lines(out: &mut Vec<u8>, mark: u8, text: &[u8]) -> usize {
    let mut count = 0;
    for line in text.split_inclusive(|b| *b == b'\n') {
        out.push(mark);
        out.extend_from_slice(line);
        if !line.ends_with(b"\n") {
            out.extend_from_slice(b"\n\\ No newline at end of file\n");
        }
        count += 1;
    }
    count
}

/// A file name for the header of a diff. Names that are not UTF-8, or that contain control characters,
/// quotes or backslashes, are quoted as `patch` reads them.
fn quoted(side: &str, name: &[u8]) -> String {
    let needs_quotes = |c: char| c.is_control() || matches!(c, '"' | '\\');
    if let Ok(name) = str::from_utf8(name)
        && !name.contains(needs_quotes)
    {
        let tab = if name.contains(' ') { "\t" } else { "" };
        return format!("{side}/{name}{tab}");
    }
    let mut out = format!("\"{side}/");
    for &byte in name {
        match byte {
            b'"' | b'\\' => {
                out.push('\\');
                out.push(char::from(byte));
            }
            0x20..=0x7e => out.push(char::from(byte)),
            _ => {
                // Writing to a string does not fail.
                let _ = write!(out, "\\{byte:03o}");
            }
        }
    }
    out.push('"');
    out
}

/// Adds to `value` the empty query or fragment of `written`. RFC 1808 §2.4 drops both, but `#` scrolls to
/// the top of a page where an empty link reloads it, and `p?` may be a different page from `p`.
#[must_use]
pub fn with_empty_parts(written: &str, mut value: String) -> String {
    let (before, fragment) = match written.split_once('#') {
        Some((before, fragment)) => (before, Some(fragment)),
        None => (written, None),
    };
    let has_empty_query = before.ends_with('?') && before.find('?') == Some(before.len() - 1);
    let at = value.find('#').unwrap_or(value.len());
    if has_empty_query && !value[..at].contains('?') {
        value.insert(at, '?');
    }
    if fragment == Some("") && !value.contains('#') {
        value.push('#');
    }
    value
}

/// Makes `target` relative to `base`; `None` unless both are absolute URLs with the same origin.
#[must_use]
pub fn relative(base: &str, target: &str) -> Option<String> {
    let origin = parts::origin(base);
    if origin.is_empty() || parts::origin(target) != origin {
        return None;
    }
    let base_path = parts::path(base);
    let rest = &target[origin.len()..];
    let cut = rest.find(['?', '#']).unwrap_or(rest.len());
    let (path, tail) = rest.split_at(cut);
    if !path.starts_with('/') || !base_path.starts_with('/') {
        return None;
    }
    let folder: Vec<&str> = base_path[1..].split('/').collect();
    let folder = folder.split_last().map_or(&[][..], |(_, folder)| folder);
    let names: Vec<&str> = path[1..].split('/').collect();
    let common = folder
        .iter()
        .zip(&names[..names.len().saturating_sub(1)])
        .take_while(|(a, b)| a == b)
        .count();
    let mut out = "../".repeat(folder.len() - common);
    out.push_str(&names[common..].join("/"));
    let first = out.split('/').next().unwrap_or_default();
    if out.is_empty() || first.contains(':') || out.starts_with('/') || first.is_empty() {
        out.insert_str(0, "./");
    }
    out.push_str(tail);
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn empty_query_and_fragment_survive() {
        for (written, value, kept) in [
            ("#", "http://h/p", "http://h/p#"),
            ("b?", "b", "b?"),
            ("b?#", "b", "b?#"),
            ("b?#x", "b#x", "b?#x"),
            ("b??", "b??", "b??"),
            ("b#x?", "b#x?", "b#x?"),
            ("b", "b", "b"),
            ("?", "http://h/p?x", "http://h/p?x"),
        ] {
            assert_eq!(
                with_empty_parts(written, value.to_owned()),
                kept,
                "{written}"
            );
        }
    }

    #[test]
    fn ampersands_and_quotes_are_escaped_like_the_old_value() {
        let utf8 = encoding_rs::UTF_8;
        let one = |value, old: &str| {
            String::from_utf8(encoded(value, old.as_bytes(), utf8).unwrap()).unwrap()
        };
        assert_eq!(one("/a?x&y", "/b?x&amp;y"), "/a?x&amp;y");
        assert_eq!(one("/a?x&y", "/b?x&y"), "/a?x&y");
        assert_eq!(one("/a?x&y'", "/b"), "/a?x&amp;y&#39;");
        assert_eq!(encoded("/\u{416}", b"/", encoding_rs::WINDOWS_1252), None);
        assert_eq!(
            encoded("/a", b"/\0", UTF_16LE).as_deref(),
            Some(&b"/\0a\0"[..])
        );
    }

    #[test]
    fn diff_with_three_lines_of_context() {
        let old: String = (1..=20)
            .map(|n| n.to_string() + "\n")
            .collect::<Vec<_>>()
            .concat();
        let at = old.find("10").unwrap();
        let edits = [Edit {
            byte: at..at + 2,
            bytes: b"ten".to_vec(),
        }];
        let diff = String::from_utf8(unified(b"x y", old.as_bytes(), &edits)).unwrap();
        assert_eq!(
            diff,
            "--- a/x y\t\n+++ b/x y\t\n@@ -7,7 +7,7 @@\n 7\n 8\n 9\n-10\n+ten\n 11\n 12\n 13\n"
        );
    }

    #[test]
    fn diff_marks_a_last_line_without_newline() {
        let edits = [Edit {
            byte: 0..1,
            bytes: b"b".to_vec(),
        }];
        let diff = String::from_utf8(unified(b"x", b"a", &edits)).unwrap();
        let end = "\\ No newline at end of file\n";
        assert_eq!(
            diff,
            format!("--- a/x\n+++ b/x\n@@ -1,1 +1,1 @@\n-a\n{end}+b\n{end}")
        );
    }

    #[test]
    fn relative_reference_between_two_pages() {
        for (base, target, wanted) in [
            ("http://h/a/b", "http://h/a/c", Some("c")),
            ("http://h/a/b", "http://h/c?q#f", Some("../c?q#f")),
            ("http://h/a/b", "http://h/a/", Some("./")),
            ("http://h/a", "http://h/x:y", Some("./x:y")),
            ("http://h/a/b/c", "http://h/a/d/e", Some("../d/e")),
            ("http://h/a", "http://g/a", None),
        ] {
            assert_eq!(relative(base, target).as_deref(), wanted, "{base} {target}");
        }
    }
}
