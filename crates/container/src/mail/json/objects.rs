//! The objects of JSON that may be messages, found without parsing what is in them, so that one is in
//! memory at a time and a file that is cut off loses only its last one.

use std::ops::Range;

/// The members whose elements are messages.
const LISTS: [&[u8]; 3] = [b"messages", b"value", b"emails"];

/// How deep objects and lists may nest; the JSON parser stops there, too.
const DEPTH: usize = 128;

/// The objects of a file.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Objects {
    /// Where each is.
    pub ranges: Vec<Range<usize>>,
    /// Whether everything that was opened was closed.
    pub is_whole: bool,
}

/// An open object or list.
struct Level {
    start: usize,
    is_list: bool,
    /// Whether its elements are messages (a list), or it may be one (an object).
    counts: bool,
    /// Whether a list of messages was found in it.
    has_list: bool,
}

/// Finds the objects that may be messages: at the top, in a list at the top, and in a list that is the
/// value of `messages` or `value` there.
pub(super) fn objects(bytes: &[u8]) -> Objects {
    let mut ranges = Vec::new();
    let mut open: Vec<Level> = Vec::new();
    // The string before the current byte, which is the name of a member if a colon follows.
    let mut name: Range<usize> = 0..0;
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'"' => {
                let end = string_end(bytes, at + 1);
                name = at + 1..end;
                at = end;
            }
            b'{' | b'[' => {
                if open.len() == DEPTH {
                    let is_whole = false;
                    return Objects { ranges, is_whole };
                }
                let is_list = byte == b'[';
                let counts = match open.last_mut() {
                    None => true,
                    Some(level) if level.is_list => level.counts && !is_list,
                    Some(level) => {
                        let own = bytes.get(name.clone()).unwrap_or_default();
                        let is_of_messages =
                            LISTS.iter().any(|list| own.eq_ignore_ascii_case(list));
                        let counts = level.counts && is_list && is_of_messages;
                        level.has_list |= counts;
                        counts
                    }
                };
                open.push(Level {
                    start: at,
                    is_list,
                    counts,
                    has_list: false,
                });
            }
            b'}' | b']' => {
                let Some(level) = open.pop() else {
                    let is_whole = false;
                    return Objects { ranges, is_whole };
                };
                if level.counts && !level.is_list && !level.has_list {
                    ranges.push(level.start..at + 1);
                }
            }
            _ => {}
        }
        at += 1;
    }
    Objects {
        ranges,
        is_whole: open.is_empty(),
    }
}

/// Where the string that begins at `start` ends: at its quotation mark, or at the end.
fn string_end(bytes: &[u8], start: usize) -> usize {
    let mut at = start;
    while let Some(distance) = memchr::memchr2(b'"', b'\\', bytes.get(at..).unwrap_or_default()) {
        at += distance;
        if bytes[at] == b'"' {
            return at;
        }
        at += 2;
    }
    bytes.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> (Vec<&str>, bool) {
        let Objects { ranges, is_whole } = objects(text.as_bytes());
        let ranges = ranges.into_iter();
        (ranges.map(|range| &text[range]).collect(), is_whole)
    }

    #[test]
    fn objects_at_the_top_and_in_lists() {
        for (text, expected) in [
            (r#"{"a":{"b":[{}]}}"#, vec![r#"{"a":{"b":[{}]}}"#]),
            (r#" [{"a":1}, {"b":[]}]"#, vec![r#"{"a":1}"#, r#"{"b":[]}"#]),
            ("{\"a\":1}\n{\"b\":2}\n", vec![r#"{"a":1}"#, r#"{"b":2}"#]),
            (r#"{"n":1,"value":[{"a":"}"}]}"#, vec![r#"{"a":"}"}"#]),
            (r#"{"messages":[]}"#, vec![]),
            (r#"[{"Value":[{"a":"\"}"}]}]"#, vec![r#"{"a":"\"}"}"#]),
            (
                r#"{"a":[{"value":[{}]}]}"#,
                vec![r#"{"a":[{"value":[{}]}]}"#],
            ),
        ] {
            assert_eq!(found(text), (expected, true), "{text}");
        }
    }

    #[test]
    fn every_cut_gives_whole_objects() {
        let text = r#"{"value":[{"a":"x"},{"b":["\\"]},{"c":{}}]}"#;
        let (all, _) = found(text);
        for end in 0..text.len() {
            let (some, is_whole) = found(&text[..end]);
            assert!(all.starts_with(&some), "{end}");
            assert_eq!(is_whole, end == 0, "{end}");
        }
        assert_eq!(found(&"[".repeat(1000)), (vec![], false));
        assert_eq!(found("}"), (vec![], false));
    }
}
