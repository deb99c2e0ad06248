//! The functions of the Common Expression Language on texts, lists and numbers, with the extension for
//! strings.

use super::value::Value;
use crate::engine::work::Work;

/// The value of a function, or of a method whose first argument is its receiver. `None` if it fails, is
/// not read, or a limit is reached.
pub(super) fn value(name: &str, arguments: &[Value], work: &Work) -> Option<Value> {
    let text = |text: String| Some(Value::Text(text));
    let integer = |number: usize| Some(Value::Integer(number.try_into().ok()?));
    let length: usize = arguments.iter().map(Value::length).sum();
    work.take_text(length).ok()?;
    match (name, arguments) {
        ("size", [Value::Text(whole)]) => integer(whole.chars().count()),
        ("size", [Value::List(values)]) => integer(values.len()),
        ("lowerAscii", [Value::Text(whole)]) => text(whole.to_ascii_lowercase()),
        ("upperAscii", [Value::Text(whole)]) => text(whole.to_ascii_uppercase()),
        ("trim", [Value::Text(whole)]) => text(whole.trim().to_owned()),
        ("reverse", [Value::Text(whole)]) => text(whole.chars().rev().collect()),
        ("startsWith", [Value::Text(whole), Value::Text(part)]) => {
            Some(Value::Truth(whole.starts_with(part.as_str())))
        }
        ("endsWith", [Value::Text(whole), Value::Text(part)]) => {
            Some(Value::Truth(whole.ends_with(part.as_str())))
        }
        ("contains", [Value::Text(whole), Value::Text(part)]) => {
            Some(Value::Truth(whole.contains(part.as_str())))
        }
        ("charAt", [Value::Text(whole), Value::Integer(at)]) => {
            let at = usize::try_from(*at).ok()?;
            let c = whole.chars().nth(at);
            (at <= whole.chars().count())
                .then(|| Value::Text(c.map(String::from).unwrap_or_default()))
        }
        ("indexOf", [Value::Text(whole), Value::Text(part)]) => {
            Some(Value::Integer(index(whole, whole.find(part.as_str()))))
        }
        ("lastIndexOf", [Value::Text(whole), Value::Text(part)]) => {
            Some(Value::Integer(index(whole, whole.rfind(part.as_str()))))
        }
        (
            "replace",
            [
                Value::Text(whole),
                Value::Text(from),
                Value::Text(to),
                rest @ ..,
            ],
        ) => {
            let limit = limit(rest)?;
            let found = whole.matches(from.as_str()).take(limit).count();
            work.take_text(whole.len() + found.saturating_mul(to.len()))
                .ok()?;
            text(whole.replacen(from.as_str(), to, limit))
        }
        ("split", [Value::Text(whole), Value::Text(separator), rest @ ..]) => {
            let part = |part: &str| Value::Text(part.to_owned());
            let parts = match (limit(rest)?, separator.as_str()) {
                (0, _) => Vec::new(),
                (limit, "") => {
                    let chars = whole.char_indices();
                    let chars = chars.map(|(at, c)| part(&whole[at..at + c.len_utf8()]));
                    (limit == usize::MAX).then(|| chars.collect())?
                }
                (limit, separator) => whole.splitn(limit, separator).map(part).collect(),
            };
            Some(Value::List(parts))
        }
        ("join", [Value::List(values), rest @ ..]) => {
            let separator = match rest {
                [] => "",
                [Value::Text(separator)] => separator.as_str(),
                _ => return None,
            };
            let texts = values.iter().map(|value| match value {
                Value::Text(text) => Some(text.as_str()),
                _ => None,
            });
            text(texts.collect::<Option<Vec<_>>>()?.join(separator))
        }
        ("substring", [Value::Text(whole), Value::Integer(start), rest @ ..]) => {
            let count = whole.chars().count();
            let start = usize::try_from(*start).ok()?;
            let end = match rest {
                [] => count,
                [Value::Integer(end)] => usize::try_from(*end).ok()?,
                _ => return None,
            };
            let is_inside = start <= end && end <= count;
            let chars = whole.chars().skip(start);
            is_inside.then(|| Value::Text(chars.take(end - start).collect()))
        }
        _ => number_or_truth(name, arguments),
    }
}

/// The value of a function whose result is a number or a truth value, or is made of one.
fn number_or_truth(name: &str, arguments: &[Value]) -> Option<Value> {
    let text = |text: String| Some(Value::Text(text));
    match (name, arguments) {
        ("math.greatest", [Value::Integer(one), Value::Integer(other)]) => {
            Some(Value::Integer(*one.max(other)))
        }
        ("math.least", [Value::Integer(one), Value::Integer(other)]) => {
            Some(Value::Integer(*one.min(other)))
        }
        ("int", [Value::Text(whole)]) => Some(Value::Integer(whole.parse().ok()?)),
        ("int", [Value::Integer(number)]) => Some(Value::Integer(*number)),
        ("string", [Value::Text(whole)]) => text(whole.clone()),
        ("string", [Value::Integer(number)]) => text(number.to_string()),
        ("string", [Value::Truth(is_true)]) => text(is_true.to_string()),
        ("bool", [Value::Text(whole)]) => match whole.as_str() {
            "true" | "True" | "TRUE" | "t" | "1" => Some(Value::Truth(true)),
            "false" | "False" | "FALSE" | "f" | "0" => Some(Value::Truth(false)),
            _ => None,
        },
        _ => None,
    }
}

/// Whether a function with this name is read.
pub(super) fn is_known(name: &str) -> bool {
    const NAMES: [&str; 20] = [
        "size",
        "lowerAscii",
        "upperAscii",
        "trim",
        "reverse",
        "startsWith",
        "endsWith",
        "contains",
        "charAt",
        "indexOf",
        "lastIndexOf",
        "replace",
        "split",
        "join",
        "substring",
        "int",
        "string",
        "bool",
        "math.greatest",
        "math.least",
    ];
    NAMES.contains(&name)
}

/// A position in characters; -1 for none.
fn index(text: &str, at: Option<usize>) -> i64 {
    let chars = at.map(|at| text[..at].chars().count());
    chars
        .and_then(|count| i64::try_from(count).ok())
        .unwrap_or(-1)
}

/// An optional last argument that limits a count; negative for no limit.
fn limit(arguments: &[Value]) -> Option<usize> {
    match arguments {
        [] => Some(usize::MAX),
        [Value::Integer(limit)] => Some(usize::try_from(*limit).unwrap_or(usize::MAX)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_of_texts() {
        let text = |text: &str| Value::Text(text.to_owned());
        let list = |texts: &[&str]| Value::List(texts.iter().map(|one| text(one)).collect());
        let number = Value::Integer;
        for (name, arguments, expected) in [
            (
                "split",
                vec![text("/a/b"), text("/")],
                Some(list(&["", "a", "b"])),
            ),
            (
                "split",
                vec![text("a,b,c"), text(","), number(2)],
                Some(list(&["a", "b,c"])),
            ),
            ("split", vec![text("éa"), text("")], Some(list(&["é", "a"]))),
            (
                "join",
                vec![list(&["a", "b"]), text("-")],
                Some(text("a-b")),
            ),
            (
                "substring",
                vec![text("naïve"), number(2), number(4)],
                Some(text("ïv")),
            ),
            ("substring", vec![text("ab"), number(3)], None),
            ("indexOf", vec![text("naïve"), text("v")], Some(number(3))),
            ("indexOf", vec![text("a"), text("b")], Some(number(-1))),
            (
                "lastIndexOf",
                vec![text("abab"), text("b")],
                Some(number(3)),
            ),
            ("charAt", vec![text("ab"), number(2)], Some(text(""))),
            ("charAt", vec![text("ab"), number(3)], None),
            (
                "replace",
                vec![text("aaa"), text("a"), text("b"), number(2)],
                Some(text("bba")),
            ),
            ("int", vec![text("12")], Some(number(12))),
            ("int", vec![text("x")], None),
            ("size", vec![text("né")], Some(number(2))),
        ] {
            let found = value(name, &arguments, &Work::new());
            assert_eq!(found, expected, "{name} {arguments:?}");
        }
    }
}
