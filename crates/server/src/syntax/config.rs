//! Configuration in JSON, with the lines of items.

use std::collections::BTreeMap;

use serde_json::value::RawValue;
use serde_json::{Map, Value};

use crate::rule::{ProblemKind, RuleParser};

/// A JSON text and the ends of its lines.
#[derive(Debug)]
pub(crate) struct Config<'t> {
    text: &'t str,
    breaks: Vec<usize>,
}

/// The members of an object, as written.
pub(crate) type Members<'t> = BTreeMap<String, &'t RawValue>;

/// One object of a list, and the line that it starts on.
#[derive(Debug)]
pub(crate) struct Item {
    pub(crate) line: usize,
    pub(crate) members: Map<String, Value>,
}

impl Item {
    /// A member that is a string.
    pub(crate) fn text(&self, name: &str) -> Option<&str> {
        self.members.get(name)?.as_str()
    }

    /// A member that is a whole number or the digits of one.
    pub(crate) fn number(&self, name: &str) -> Option<u64> {
        match self.members.get(name)? {
            Value::Number(number) => number.as_u64(),
            Value::String(text) => text.parse().ok(),
            _ => None,
        }
    }

    /// A member that is a Boolean.
    pub(crate) fn flag(&self, name: &str) -> Option<bool> {
        self.members.get(name)?.as_bool()
    }
}

impl<'t> Config<'t> {
    pub(crate) fn new(text: &'t str) -> Self {
        Self {
            text,
            breaks: memchr::memchr_iter(b'\n', text.as_bytes()).collect(),
        }
    }

    /// The members of the top-level object. If the text is not an object, this is reported and there
    /// are none.
    pub(crate) fn members(&self, parser: &mut RuleParser) -> Members<'t> {
        match serde_json::from_str(self.text) {
            Ok(members) => members,
            Err(error) => {
                parser.problem(error.line().max(1), ProblemKind::Refused, error.to_string());
                Members::new()
            }
        }
    }

    /// The line that a value starts on, 1-based.
    pub(crate) fn line(&self, value: &RawValue) -> usize {
        let start = self.text.as_ptr().addr();
        let offset = value.get().as_ptr().addr().saturating_sub(start);
        self.breaks.partition_point(|end| *end < offset) + 1
    }

    /// The values of a list. If it is not a list, this is reported and there are none.
    pub(crate) fn list(
        &self,
        what: &str,
        value: Option<&&'t RawValue>,
        parser: &mut RuleParser,
    ) -> Vec<&'t RawValue> {
        let Some(value) = value else {
            return Vec::new();
        };
        serde_json::from_str(value.get()).unwrap_or_else(|_| {
            let message = format!("\"{what}\" is not a list");
            parser.problem(self.line(value), ProblemKind::Refused, message);
            Vec::new()
        })
    }

    /// A value of the list `what` as an object. Another value is reported.
    ///
    /// Objects take many times their text, so each is made where it is used.
    pub(crate) fn item(
        &self,
        what: &str,
        value: &RawValue,
        parser: &mut RuleParser,
    ) -> Option<Item> {
        let line = self.line(value);
        let members = serde_json::from_str(value.get()).ok();
        if members.is_none() {
            let message = format!("an item of \"{what}\" is not an object");
            parser.problem(line, ProblemKind::Refused, message);
        }
        Some(Item {
            line,
            members: members?,
        })
    }

    /// The rule that is repeated in a run of equal values. The repetitions are counted.
    pub(crate) fn rule(
        &self,
        what: &str,
        run: &[&RawValue],
        parser: &mut RuleParser,
    ) -> Option<Item> {
        let (first, others) = run.split_first()?;
        if let Some(next) = others.first() {
            parser.repeated(self.line(first), self.line(next), others.len());
        }
        self.item(what, first, parser)
    }
}

/// The runs of equal values in a list of rules in which the first match wins.
pub(crate) fn runs<'l, 't>(list: &'l [&'t RawValue]) -> impl Iterator<Item = &'l [&'t RawValue]> {
    list.chunk_by(|one, next| one.get() == next.get())
}

/// The value of a member, if it has the wanted type.
pub(crate) fn value<'t, V: serde::Deserialize<'t>>(members: &Members<'t>, name: &str) -> Option<V> {
    serde_json::from_str(members.get(name)?.get()).ok()
}

/// Replaces comments and trailing commas, which the tools of some services allow, with spaces, so that
/// lines and lengths stay.
pub(crate) fn without_comments(text: &str) -> String {
    let mut out = text.as_bytes().to_vec();
    let mut blank = |range: std::ops::Range<usize>| {
        for byte in out.get_mut(range).into_iter().flatten() {
            if *byte != b'\n' {
                *byte = b' ';
            }
        }
    };
    let bytes = text.as_bytes();
    let (mut at, mut comma) = (0, None);
    while let Some(byte) = bytes.get(at) {
        let rest = &bytes[at..];
        let end = match byte {
            b'"' => {
                comma = None;
                at + string_length(rest)
            }
            b'/' if rest.starts_with(b"//") => {
                let end = at + memchr::memchr(b'\n', rest).unwrap_or(rest.len());
                blank(at..end);
                end
            }
            b'/' if rest.starts_with(b"/*") => {
                let close = memchr::memmem::find(&rest[2..], b"*/");
                let end = at + close.map_or(rest.len(), |close| close + 4);
                blank(at..end);
                end
            }
            b',' => {
                comma = Some(at);
                at + 1
            }
            b']' | b'}' => {
                if let Some(comma) = comma.take() {
                    blank(comma..comma + 1);
                }
                at + 1
            }
            byte => {
                if !byte.is_ascii_whitespace() {
                    comma = None;
                }
                at + 1
            }
        };
        at = end;
    }
    // Only whole comments and commas were replaced, so the text is still UTF-8.
    String::from_utf8(out).unwrap_or_else(|_| text.to_owned())
}

/// The length of a string with its quotes.
fn string_length(bytes: &[u8]) -> usize {
    let mut at = 1;
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'"' => return at + 1,
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
    bytes.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_and_trailing_commas_become_spaces() {
        let text = "{ // one\n\"a//\\\"b\": [1, /* two\n */ 2, ], \"c\": \"/*\",\n}";
        let got = without_comments(text);
        assert_eq!(got.len(), text.len());
        let value: Value = serde_json::from_str(&got).unwrap();
        assert_eq!(value, serde_json::json!({"a//\"b": [1, 2], "c": "/*"}));
        assert_eq!(got.matches('\n').count(), text.matches('\n').count());
    }

    #[test]
    fn items_have_the_lines_that_they_start_on() {
        let config = Config::new("{\"r\": [\n{\"a\": 1},\n\n  {\"a\": \"2\"}, 3]}");
        let mut parser = RuleParser::default();
        let members = config.members(&mut parser);
        let list = config.list("r", members.get("r"), &mut parser);
        let items = list.into_iter();
        let items = items.filter_map(|value| config.item("r", value, &mut parser));
        let lines: Vec<_> = items.map(|i| (i.line, i.number("a"))).collect();
        assert_eq!(lines, [(2, Some(1)), (4, Some(2))]);
        assert_eq!(parser.problems[0].line, 4);
    }
}
