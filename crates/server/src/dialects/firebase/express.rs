//! The patterns of path-to-regexp 1.9, in which Firebase reads sources and targets with names.

use super::uri::{encode, encode_uri};
use std::fmt::Write as _; // for `write!`: a String takes every write

use crate::engine::pattern::{Pattern, PatternError};
use crate::engine::work::MAX_TEXT;
use crate::rule::RuleParser;

/// A part of a parsed pattern.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Token {
    Text(String),
    Key(Key),
}

/// A name, a group or a star.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Key {
    /// The name, or its number.
    pub(super) name: String,
    prefix: String,
    modifier: Option<char>,
    /// Whether something other than the prefix follows.
    is_partial: bool,
    is_star: bool,
    pattern: String,
}

/// Parses a source or a target; no text is invalid.
pub(super) fn parse(text: &str) -> Vec<Token> {
    let mut tokens = Vec::new();
    let mut plain = String::new();
    let mut unnamed = 0;
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let after = &rest[c.len_utf8()..];
        if c == '\\'
            && let Some(escaped) = after.chars().next()
        {
            plain.push(escaped);
            rest = &after[escaped.len_utf8()..];
            continue;
        }
        let prefixed = matches!(c, '/' | '.').then(|| key(after)).flatten();
        let (prefix, found) = match prefixed {
            Some(found) => (Some(c), Some(found)),
            None => (None, key(rest)),
        };
        let Some((mut found, following)) = found else {
            plain.push(c);
            rest = after;
            continue;
        };
        if !plain.is_empty() {
            tokens.push(Token::Text(std::mem::take(&mut plain)));
        }
        let next = following.chars().next();
        found.is_partial = prefix.is_some() && next.is_some() && next != prefix;
        if found.name.is_empty() {
            found.name = unnamed.to_string();
            unnamed += 1;
        }
        found.prefix = prefix.map(String::from).unwrap_or_default();
        if found.pattern.is_empty() {
            found.pattern = if found.is_star {
                ".*".to_owned()
            } else {
                own_pattern(prefix, tokens.last())
            };
        }
        tokens.push(Token::Key(found));
        rest = following;
    }
    if !plain.is_empty() {
        tokens.push(Token::Text(plain));
    }
    tokens
}

/// The pattern of a name that has none of its own.
fn own_pattern(prefix: Option<char>, before: Option<&Token>) -> String {
    let delimiter = regex::escape(&prefix.unwrap_or('/').to_string());
    let text = match (prefix, before) {
        (None, Some(Token::Text(text))) if !text.contains('/') => regex::escape(text),
        _ => return format!("[^{delimiter}]+?"),
    };
    format!("{text}|(?:(?!{text})[^{delimiter}])+?")
}

/// The leading `:name`, `:name(pattern)`, `(pattern)` or `*` with its modifier, and the rest.
fn key(text: &str) -> Option<(Key, &str)> {
    let mut key = Key {
        name: String::new(),
        prefix: String::new(),
        modifier: None,
        is_partial: false,
        is_star: false,
        pattern: String::new(),
    };
    let rest = if let Some(rest) = text.strip_prefix('*') {
        key.is_star = true;
        return Some((key, rest));
    } else if let Some(rest) = text.strip_prefix(':') {
        let end = rest.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_'));
        let (name, rest) = rest.split_at(end.unwrap_or(rest.len()));
        if name.is_empty() {
            return None;
        }
        name.clone_into(&mut key.name);
        match group(rest) {
            Some((pattern, rest)) => {
                key.pattern = pattern;
                rest
            }
            None => rest,
        }
    } else {
        let (pattern, rest) = group(text)?;
        key.pattern = pattern;
        rest
    };
    key.modifier = rest.chars().next().filter(|c| matches!(c, '+' | '*' | '?'));
    let length = usize::from(key.modifier.is_some());
    Some((key, &rest[length..]))
}

/// A group without nested groups, and the rest.
fn group(text: &str) -> Option<(String, &str)> {
    let inner = text.strip_prefix('(')?;
    let end = inner.find([')', '(', '\\'])?;
    if end == 0 || !inner[end..].starts_with(')') {
        return None;
    }
    let mut pattern = String::new();
    for c in inner[..end].chars() {
        if matches!(c, '=' | '!' | ':' | '$' | '/' | '(' | ')') {
            pattern.push('\\');
        }
        pattern.push(c);
    }
    Some((pattern, &inner[end + 1..]))
}

/// The regular expression for a whole path, with an optional final slash.
pub(super) fn expression(tokens: &[Token]) -> String {
    let mut out = String::from("^");
    for token in tokens {
        match token {
            Token::Text(text) => out.push_str(&regex::escape(text)),
            Token::Key(key) => push_key(&mut out, key),
        }
    }
    if out.ends_with('/') {
        out.pop();
    }
    out + "/?$"
}

fn push_key(out: &mut String, key: &Key) {
    let prefix = regex::escape(&key.prefix);
    let mut capture = format!("(?:{})", key.pattern);
    if key.repeats() {
        capture = format!("{capture}(?:{prefix}{capture})*");
    }
    let _ = match (key.is_optional(), key.is_partial) {
        (true, false) => write!(out, "(?:{prefix}({capture}))?"),
        (true, true) => write!(out, "{prefix}({capture})?"),
        (false, _) => write!(out, "{prefix}({capture})"),
    };
}

/// A target and the patterns that its values must match.
#[derive(Debug)]
pub(super) struct DestinationTemplate {
    tokens: Vec<(Token, Option<Pattern>)>,
}

impl DestinationTemplate {
    /// The number of parts.
    pub(super) fn len(&self) -> usize {
        self.tokens.len()
    }

    /// # Errors
    ///
    /// If one of its patterns cannot be used.
    pub(super) fn new(text: &str, parser: &mut RuleParser) -> Result<Self, PatternError> {
        let mut tokens = Vec::new();
        for token in parse(text) {
            let pattern = match &token {
                Token::Key(key) if !key.is_plain() => {
                    Some(parser.pattern(&format!("^(?:{})$", key.pattern), true)?)
                }
                _ => None,
            };
            tokens.push((token, pattern));
        }
        Ok(Self { tokens })
    }

    /// The text with its values filled in; `None` if a value is missing or does not match its pattern.
    /// Stops once the text is longer than [`MAX_TEXT`].
    pub(super) fn fill(
        &self,
        value: impl Fn(&str) -> Option<String>,
        splits: bool,
        matches: impl Fn(&Pattern, &str) -> bool,
    ) -> Option<String> {
        let mut out = String::new();
        for (token, pattern) in &self.tokens {
            if out.len() > MAX_TEXT {
                break;
            }
            let key = match token {
                Token::Text(text) => {
                    out.push_str(text);
                    continue;
                }
                Token::Key(key) => key,
            };
            let Some(value) = value(&key.name) else {
                if !key.is_optional() {
                    return None;
                }
                if key.is_partial {
                    out.push_str(&key.prefix);
                }
                continue;
            };
            let is_list = splits && value.contains('/');
            if is_list && !key.repeats() {
                return None;
            }
            let parts: Vec<&str> = if is_list {
                value.split('/').collect()
            } else {
                vec![&value]
            };
            for (number, part) in parts.into_iter().enumerate() {
                let encoded = if key.is_star {
                    let encoded = encode_uri(part);
                    encoded.replace('?', "%3F").replace('#', "%23")
                } else {
                    encode_component(part)
                };
                let fits = match pattern {
                    Some(pattern) => matches(pattern, &encoded),
                    None => !encoded.is_empty(),
                };
                if !fits {
                    return None;
                }
                let is_first = number == 0;
                match key.prefix.as_str() {
                    "" if !is_first => out.push('/'),
                    prefix => out.push_str(prefix),
                }
                out.push_str(&encoded);
            }
        }
        Some(out)
    }
}

impl Key {
    fn is_optional(&self) -> bool {
        matches!(self.modifier, Some('?' | '*'))
    }

    fn repeats(&self) -> bool {
        matches!(self.modifier, Some('+' | '*'))
    }

    /// Whether it matches every encoded value that is not empty.
    fn is_plain(&self) -> bool {
        self.pattern == "[^/]+?"
    }
}

/// `encodeURIComponent` of JavaScript.
fn encode_component(text: &str) -> String {
    encode(text, b"-_.!~*'()")
}
