//! The patterns of path-to-regexp 6, in which Vercel and Next.js write sources and destinations.
//!
//! Version 6.1, which Vercel has, and 6.3, which Next.js has, differ in what a name without a
//! pattern matches after text that is not a slash.

use serde_json::json;

use crate::engine::work::MAX_TEXT;
use crate::form::{Form, NewRule};

/// A part of a parsed pattern.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Token {
    Text(String),
    Key(Key),
}

/// A name or a group.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Key {
    /// The name, or the number of an unnamed group; empty for `{text}`.
    pub(crate) name: String,
    pub(crate) is_named: bool,
    pub(crate) prefix: String,
    suffix: String,
    /// Empty for `{text}`.
    pattern: String,
    /// Whether it has no pattern of its own.
    is_plain: bool,
    modifier: Option<char>,
}

impl Key {
    /// Whether its value may be several segments.
    pub(crate) fn repeats(&self) -> bool {
        matches!(self.modifier, Some('*' | '+'))
    }

    fn is_optional(&self) -> bool {
        matches!(self.modifier, Some('?' | '*'))
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Lexeme {
    Modifier(char),
    Escaped(char),
    Char(char),
    Open,
    Close,
    Name(String),
    Pattern(String),
}

/// The pattern of a name that has none of its own.
const PLAIN: &str = r"[^\/]+?";

/// Why a source or destination is invalid.
#[derive(Debug, thiserror::Error)]
pub(crate) enum SourceError {
    /// It ends with a backslash.
    #[error("it ends with a backslash")]
    FinalBackslash,
    /// A colon is not followed by a name.
    #[error("a colon is not followed by a name")]
    ColonWithoutName,
    /// A group starts with a question mark.
    #[error("a group starts with a question mark")]
    GroupWithQuestionMark,
    /// A group is empty.
    #[error("a group is empty")]
    EmptyGroup,
    /// A group is inside another.
    #[error("a group is inside another")]
    NestedGroup,
    /// A parenthesis is not closed.
    #[error("a parenthesis is not closed")]
    UnclosedGroup,
    /// `}` closes nothing.
    #[error("`}}` closes nothing")]
    UnopenedBrace,
    /// A name is missing.
    #[error("a name is missing")]
    MissingName,
    /// `{` is not closed.
    #[error("`{{` is not closed where it should be")]
    UnclosedBrace,
    /// A modifier follows nothing that it could repeat.
    #[error("`{0}` follows nothing to repeat")]
    NothingToRepeat(char),
}

fn lexemes(source: &str) -> Result<Vec<Lexeme>, SourceError> {
    let mut out = Vec::new();
    let mut chars = source.chars().peekable();
    while let Some(c) = chars.next() {
        out.push(match c {
            '*' | '+' | '?' => Lexeme::Modifier(c),
            '\\' => Lexeme::Escaped(chars.next().ok_or(SourceError::FinalBackslash)?),
            '{' => Lexeme::Open,
            '}' => Lexeme::Close,
            ':' => {
                let mut name = String::new();
                while let Some(c) = chars.next_if(|c| c.is_ascii_alphanumeric() || *c == '_') {
                    name.push(c);
                }
                if name.is_empty() {
                    return Err(SourceError::ColonWithoutName);
                }
                Lexeme::Name(name)
            }
            '(' => {
                if chars.peek() == Some(&'?') {
                    return Err(SourceError::GroupWithQuestionMark);
                }
                Lexeme::Pattern(group(&mut chars)?)
            }
            c => Lexeme::Char(c),
        });
    }
    Ok(out)
}

/// A group up to its closing parenthesis.
fn group(chars: &mut std::iter::Peekable<std::str::Chars<'_>>) -> Result<String, SourceError> {
    let mut pattern = String::new();
    let mut depth = 1_usize;
    while let Some(c) = chars.next() {
        match c {
            '\\' => {
                pattern.push(c);
                pattern.extend(chars.next());
                continue;
            }
            ')' => {
                depth -= 1;
                if depth == 0 {
                    if pattern.is_empty() {
                        return Err(SourceError::EmptyGroup);
                    }
                    return Ok(pattern);
                }
            }
            '(' => {
                depth += 1;
                if chars.peek() != Some(&'?') {
                    return Err(SourceError::NestedGroup);
                }
            }
            _ => {}
        }
        pattern.push(c);
    }
    Err(SourceError::UnclosedGroup)
}

/// Parses a source or a destination.
///
/// # Errors
///
/// If its syntax is invalid.
pub(crate) fn parse(source: &str) -> Result<Vec<Token>, SourceError> {
    let mut parser = Parser {
        lexemes: lexemes(source)?.into_iter().peekable(),
        tokens: Vec::new(),
        text: String::new(),
        unnamed: 0,
    };
    parser.parse()?;
    Ok(parser.tokens)
}

struct Parser {
    lexemes: std::iter::Peekable<std::vec::IntoIter<Lexeme>>,
    tokens: Vec<Token>,
    text: String,
    unnamed: usize,
}

impl Parser {
    fn parse(&mut self) -> Result<(), SourceError> {
        while let Some(lexeme) = self.lexemes.next() {
            match lexeme {
                Lexeme::Char(c @ ('/' | '.')) if self.is_before_key() => {
                    let next = self.lexemes.next();
                    self.key(c.to_string(), next)?;
                }
                Lexeme::Char(c) | Lexeme::Escaped(c) => self.text.push(c),
                key @ (Lexeme::Name(_) | Lexeme::Pattern(_)) => {
                    self.key(String::new(), Some(key))?;
                }
                Lexeme::Open => self.braces()?,
                Lexeme::Modifier(c) => return Err(SourceError::NothingToRepeat(c)),
                Lexeme::Close => return Err(SourceError::UnopenedBrace),
            }
        }
        self.flush();
        Ok(())
    }

    fn is_before_key(&mut self) -> bool {
        matches!(
            self.lexemes.peek(),
            Some(Lexeme::Name(_) | Lexeme::Pattern(_))
        )
    }

    fn flush(&mut self) {
        if !self.text.is_empty() {
            let text = std::mem::take(&mut self.text);
            self.tokens.push(Token::Text(text));
        }
    }

    fn key(&mut self, prefix: String, first: Option<Lexeme>) -> Result<(), SourceError> {
        self.flush();
        let (name, pattern) = match first {
            Some(Lexeme::Name(name)) => (Some(name), self.pattern()),
            Some(Lexeme::Pattern(pattern)) => (None, Some(pattern)),
            _ => return Err(SourceError::MissingName),
        };
        self.push(name, pattern, prefix, String::new());
        Ok(())
    }

    fn pattern(&mut self) -> Option<String> {
        match self
            .lexemes
            .next_if(|lexeme| matches!(lexeme, Lexeme::Pattern(_)))
        {
            Some(Lexeme::Pattern(pattern)) => Some(pattern),
            _ => None,
        }
    }

    fn push(
        &mut self,
        name: Option<String>,
        pattern: Option<String>,
        prefix: String,
        suffix: String,
    ) {
        let is_text = name.is_none() && pattern.is_none();
        let is_named = name.is_some();
        let name = name.unwrap_or_else(|| {
            if is_text {
                return String::new();
            }
            self.unnamed += 1;
            (self.unnamed - 1).to_string()
        });
        let modifier = match self
            .lexemes
            .next_if(|lexeme| matches!(lexeme, Lexeme::Modifier(_)))
        {
            Some(Lexeme::Modifier(c)) => Some(c),
            _ => None,
        };
        self.tokens.push(Token::Key(Key {
            name,
            is_named,
            prefix,
            suffix,
            is_plain: is_named && pattern.is_none(),
            pattern: match pattern {
                Some(pattern) => pattern,
                None if is_text => String::new(),
                None => PLAIN.to_owned(),
            },
            modifier,
        }));
    }

    fn braces(&mut self) -> Result<(), SourceError> {
        self.flush();
        let prefix = self.plain_text();
        let is_name = |lexeme: &Lexeme| matches!(lexeme, Lexeme::Name(_));
        let name = match self.lexemes.next_if(is_name) {
            Some(Lexeme::Name(name)) => Some(name),
            _ => None,
        };
        let pattern = self.pattern();
        let suffix = self.plain_text();
        if self.lexemes.next() != Some(Lexeme::Close) {
            return Err(SourceError::UnclosedBrace);
        }
        self.push(name, pattern, prefix, suffix);
        Ok(())
    }

    fn plain_text(&mut self) -> String {
        let mut text = String::new();
        let is_text = |lexeme: &Lexeme| matches!(lexeme, Lexeme::Char(_) | Lexeme::Escaped(_));
        while let Some(Lexeme::Char(c) | Lexeme::Escaped(c)) = self.lexemes.next_if(is_text) {
            text.push(c);
        }
        text
    }
}

/// The regular expression for a whole path, with a group for each key that has a pattern.
pub(crate) fn expression(tokens: &[Token]) -> String {
    let mut out = String::from("^");
    for token in tokens {
        match token {
            Token::Text(text) => out.push_str(&regex::escape(text)),
            Token::Key(key) => push_key(&mut out, key),
        }
    }
    out.push('$');
    out
}

fn push_key(out: &mut String, key: &Key) {
    let (prefix, suffix) = (regex::escape(&key.prefix), regex::escape(&key.suffix));
    let pattern = &key.pattern;
    let modifier = key.modifier.map(String::from).unwrap_or_default();
    let part = if pattern.is_empty() {
        format!("(?:{prefix}{suffix}){modifier}")
    } else if prefix.is_empty() && suffix.is_empty() {
        format!("({pattern}){modifier}")
    } else if key.repeats() {
        let modifier = if key.is_optional() { "?" } else { "" };
        format!("(?:{prefix}((?:{pattern})(?:{suffix}{prefix}(?:{pattern}))*){suffix}){modifier}")
    } else {
        format!("(?:{prefix}({pattern}){suffix}){modifier}")
    };
    out.push_str(&part);
}

/// The keys that have a group, in order.
pub(crate) fn keys(tokens: &[Token]) -> impl Iterator<Item = &Key> {
    tokens.iter().filter_map(|token| match token {
        Token::Key(key) if !key.pattern.is_empty() => Some(key),
        _ => None,
    })
}

/// The text of these parts with values filled in; `None` if a value is missing. Stops once the text is
/// longer than [`MAX_TEXT`].
pub(crate) fn fill(
    tokens: &[Token],
    mut value: impl FnMut(&Key) -> Option<String>,
) -> Option<String> {
    let mut out = String::new();
    for token in tokens {
        if out.len() > MAX_TEXT {
            break;
        }
        match token {
            Token::Text(text) => out.push_str(text),
            Token::Key(key) => match value(key) {
                Some(value) => out.extend([&*key.prefix, &value, &key.suffix]),
                None if key.is_optional() => {}
                None => return None,
            },
        }
    }
    Some(out)
}

/// The path that a pattern matches, if it matches only one.
pub(crate) fn literal(tokens: &[Token]) -> Option<&str> {
    match tokens {
        [Token::Text(text)] => Some(text),
        _ => None,
    }
}

/// A path that a pattern matches, if its names have no patterns of their own.
pub(crate) fn sample(tokens: &[Token]) -> Vec<String> {
    let is_known = keys(tokens).all(|key| key.is_plain || key.pattern == ".*");
    if !is_known {
        return Vec::new();
    }
    let value = |name: &str| fill(tokens, |_| Some(name.to_owned()));
    let repeats = keys(tokens).any(|key| key.modifier.is_some() || key.pattern == ".*");
    let mut samples: Vec<String> = value("a-name-of-no-rule").into_iter().collect();
    if repeats {
        samples.extend(value("a-folder-of-no-rule/a-name-of-no-rule"));
        samples.extend(fill(tokens, |key| {
            (!key.is_optional()).then(|| "a-name-of-no-rule".to_owned())
        }));
    }
    samples
}

/// Writes rules for Vercel and Next.js, with special characters of patterns escaped.
pub(crate) static FORM: Form =
    Form::json("{\"redirects\": [\n", |new| Some(redirect(new)), "\n]}\n");

fn redirect(new: &NewRule<'_>) -> String {
    let escaped = |text: &str| {
        let mut out = String::with_capacity(text.len());
        for c in text.chars() {
            if matches!(c, ':' | '*' | '+' | '?' | '(' | ')' | '{' | '}') {
                out.push('\\');
            }
            out.push(c);
        }
        out
    };
    json!({"source": escaped(new.request.path), "destination": new.to, "statusCode": 301})
        .to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sources_become_the_expressions_of_version_6_1() {
        for (source, expected) in [
            ("/a", "^/a$"),
            ("/r/:a", r"^/r(?:/([^\/]+?))$"),
            ("/r/:a*", r"^/r(?:/((?:[^\/]+?)(?:/(?:[^\/]+?))*))?$"),
            ("/r/:a-:b", r"^/r(?:/([^\/]+?))\-([^\/]+?)$"),
            ("/r/(.*)", "^/r(?:/(.*))$"),
            (r"/r/:n(\d+)", r"^/r(?:/(\d+))$"),
            ("/r{/:a}?", r"^/r(?:/([^\/]+?))?$"),
        ] {
            assert_eq!(expression(&parse(source).unwrap()), expected, "{source}");
        }
        for source in ["/a+b", "/a?id=1", "/a/*", "/x:", "/(?:a)", "/((a))", "/{a"] {
            assert!(parse(source).is_err(), "{source}");
        }
    }

    #[test]
    fn optional_value_includes_its_slash() {
        let to = parse("/docs/:a*").unwrap();
        assert_eq!(fill(&to, |_| None).as_deref(), Some("/docs"));
        let to = parse("/docs/:a").unwrap();
        assert_eq!(fill(&to, |_| None), None);
    }
}
