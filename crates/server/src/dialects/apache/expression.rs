//! Expressions of `<If>` and of `RewriteCond expr`.
//!
//! Source: <https://httpd.apache.org/docs/2.4/expr.html>; answers of Apache 2.4.71.

use std::cmp::Ordering;

use super::assignments::Names;
use super::variables::{VARIABLES, Values};
use crate::engine::glob;
use crate::engine::pattern::{Groups, Pattern};
use crate::engine::work::{NoAnswer, Work};
use crate::request::FileKind;
use crate::rule::RuleParser;

/// How deep expressions may be nested.
const MAX_DEPTH: usize = 32;

/// An expression that the address and the files decide.
#[derive(Debug)]
pub(super) enum Expression {
    Constant(bool),
    Not(Box<Self>),
    All(Vec<Self>),
    Any(Vec<Self>),
    Texts(Word, &'static [Ordering], Word),
    Numbers(Word, &'static [Ordering], Word),
    Matches(Word, Pattern),
    OneOf(Word, Vec<Word>),
    Test(Test, Word),
}

/// A test of one text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Test {
    IsEmpty,
    IsNotEmpty,
    IsTrue,
    Exists,
    IsFile,
    IsDirectory,
}

/// A text that is put together for a request.
type Word = Vec<Piece>;

#[derive(Debug)]
pub(super) enum Piece {
    Text(String),
    Variable(String),
    Group(usize),
    InCase(Case, Word),
}

#[derive(Clone, Copy, Debug)]
pub(super) enum Case {
    Lower,
    Upper,
}

/// Why an expression cannot be evaluated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NoExpression {
    /// The server refuses it.
    Refused,
    /// Something decides it that is not known.
    NotKnown,
}

/// The text that the last pattern was found in, and the groups of the match.
pub(super) type Captured = Option<(Vec<u8>, Groups)>;

/// A text with variables, such as the target of a `Redirect` in a section.
#[derive(Debug)]
pub(super) struct Text(Word);

impl Text {
    pub(super) fn parse(
        text: &str,
        names: &Names,
        parser: &mut RuleParser,
    ) -> Result<Self, NoExpression> {
        let mut reader = ExpressionReader::new(text, names, parser);
        let word = reader.string(None)?;
        if reader.is_known {
            Ok(Self(word))
        } else {
            Err(NoExpression::NotKnown)
        }
    }

    pub(super) fn value(&self, values: &Values<'_>, work: &Work) -> Result<Vec<u8>, NoAnswer> {
        text_of(&self.0, values, &None, work)
    }
}

impl Expression {
    pub(super) fn parse(
        text: &str,
        names: &Names,
        parser: &mut RuleParser,
    ) -> Result<Self, NoExpression> {
        let mut reader = ExpressionReader::new(text, names, parser);
        let expression = reader.any()?;
        reader.skip();
        match (reader.rest, reader.is_known) {
            ("", true) => Ok(expression),
            ("", false) => Err(NoExpression::NotKnown),
            _ => Err(NoExpression::Refused),
        }
    }

    /// Whether it holds. `captured` is replaced by what its last pattern matched.
    pub(super) fn holds(
        &self,
        values: &Values<'_>,
        captured: &mut Captured,
        work: &Work,
    ) -> Result<bool, NoAnswer> {
        work.take(8)?;
        let value = |operand: &Word, captured: &Captured| text_of(operand, values, captured, work);
        Ok(match self {
            Self::Constant(is_true) => *is_true,
            Self::Not(inner) => !inner.holds(values, captured, work)?,
            Self::All(parts) => {
                for part in parts {
                    if !part.holds(values, captured, work)? {
                        return Ok(false);
                    }
                }
                true
            }
            Self::Any(parts) => {
                for part in parts {
                    if part.holds(values, captured, work)? {
                        return Ok(true);
                    }
                }
                false
            }
            Self::Texts(one, orderings, other) => {
                let order = value(one, captured)?.cmp(&value(other, captured)?);
                orderings.contains(&order)
            }
            Self::Numbers(one, orderings, other) => {
                let number = |operand| Ok(number_of(&value(operand, captured)?));
                orderings.contains(&number(one)?.cmp(&number(other)?))
            }
            Self::Matches(operand, pattern) => {
                let text = value(operand, captured)?;
                let found = pattern.find(&text, work)?;
                let is_match = found.is_some();
                if let Some(groups) = found {
                    *captured = Some((text, groups));
                }
                is_match
            }
            Self::OneOf(operand, others) => {
                let one = value(operand, captured)?;
                for other in others {
                    if value(other, captured)? == one {
                        return Ok(true);
                    }
                }
                false
            }
            Self::Test(test, operand) => test.holds(&value(operand, captured)?, values),
        })
    }
}

impl Test {
    fn holds(self, text: &[u8], values: &Values<'_>) -> bool {
        match self {
            Self::IsEmpty => text.is_empty(),
            Self::IsNotEmpty => !text.is_empty(),
            Self::IsTrue => {
                let text = text.to_ascii_lowercase();
                !matches!(&*text, b"" | b"0" | b"off" | b"false" | b"no")
            }
            Self::Exists => values.kind_of(text).is_some(),
            Self::IsFile => values.kind_of(text) == Some(FileKind::File),
            Self::IsDirectory => values.kind_of(text) == Some(FileKind::Directory),
        }
    }
}

fn text_of(
    operand: &Word,
    values: &Values<'_>,
    captured: &Captured,
    work: &Work,
) -> Result<Vec<u8>, NoAnswer> {
    let mut text = Vec::new();
    for piece in operand {
        match piece {
            Piece::Text(piece) => text.extend_from_slice(piece.as_bytes()),
            Piece::Variable(name) => text.extend(values.get(name).ok_or(NoAnswer)?),
            Piece::Group(number) => {
                if let Some((subject, groups)) = captured {
                    text.extend_from_slice(groups.get(*number, subject));
                }
            }
            Piece::InCase(case, inner) => {
                let mut inner = text_of(inner, values, captured, work)?;
                match case {
                    Case::Lower => inner.make_ascii_lowercase(),
                    Case::Upper => inner.make_ascii_uppercase(),
                }
                text.extend(inner);
            }
        }
        work.take_text(text.len())?;
    }
    Ok(text)
}

/// `atoi`
pub(super) fn number_of(text: &[u8]) -> i64 {
    let text = String::from_utf8_lossy(text.trim_ascii_start());
    let (sign, digits) = match text.strip_prefix('-') {
        Some(digits) => (-1, digits),
        None => (1, text.strip_prefix('+').unwrap_or(&text)),
    };
    let end = digits.find(|c: char| !c.is_ascii_digit());
    let digits = &digits[..end.unwrap_or(digits.len())];
    sign * digits.parse().unwrap_or(0)
}

/// The operators between words that compare texts, longer ones first.
const TEXTS: [(&str, &[Ordering]); 7] = [
    ("==", &[Ordering::Equal]),
    ("!=", &[Ordering::Less, Ordering::Greater]),
    ("<=", &[Ordering::Less, Ordering::Equal]),
    (">=", &[Ordering::Greater, Ordering::Equal]),
    ("<", &[Ordering::Less]),
    (">", &[Ordering::Greater]),
    ("=", &[Ordering::Equal]),
];

/// The operators that compare numbers, with the orderings for which they hold; a hyphen before them
/// changes nothing in an expression.
pub(super) const NUMBERS: [(&str, &[Ordering]); 6] = [
    ("eq", &[Ordering::Equal]),
    ("ne", &[Ordering::Less, Ordering::Greater]),
    ("lt", &[Ordering::Less]),
    ("le", &[Ordering::Less, Ordering::Equal]),
    ("gt", &[Ordering::Greater]),
    ("ge", &[Ordering::Greater, Ordering::Equal]),
];

/// Functions of the server that depend on what is not known here.
const FUNCTIONS: [&str; 18] = [
    "req",
    "http",
    "req_novary",
    "resp",
    "osenv",
    "note",
    "escape",
    "unescape",
    "base64",
    "unbase64",
    "md5",
    "sha1",
    "file",
    "filesize",
    "filemod",
    "ldap",
    "replace",
    "envvar",
];

/// Variables of the server that depend on what is not known here: whole names, or with a hyphen their
/// beginnings.
const NOT_KNOWN: [&str; 34] = [
    "API_VERSION",
    "AUTH_TYPE",
    "CONN_LOG_ID",
    "CONN_REMOTE_ADDR",
    "CONTENT_TYPE",
    "CONTEXT_DOCUMENT_ROOT",
    "CONTEXT_PREFIX",
    "DOCUMENT_URI",
    "HANDLER",
    "HTTP_ACCEPT",
    "HTTP_COOKIE",
    "HTTP_FORWARDED",
    "HTTP_PROXY_CONNECTION",
    "HTTP_REFERER",
    "HTTP_USER_AGENT",
    "IPV6",
    "IS_SUBREQ",
    "LAST_MODIFIED",
    "PATH_INFO",
    "REMOTE_ADDR",
    "REMOTE_HOST",
    "REMOTE_IDENT",
    "REMOTE_PORT",
    "REMOTE_USER",
    "REQUEST_LOG_ID",
    "REQUEST_STATUS",
    "SCRIPT_GROUP",
    "SCRIPT_USER",
    "SERVER_ADMIN",
    "SERVER_PROTOCOL",
    "SERVER_SOFTWARE",
    "UNIQUE_ID",
    "SSL_-",
    "TIME-",
];

struct ExpressionReader<'e, 'p> {
    rest: &'e str,
    names: &'p Names,
    parser: &'p mut RuleParser,
    depth: usize,
    /// Whether all of it is known for a request.
    is_known: bool,
}

type Parsed<T> = Result<T, NoExpression>;

impl<'e, 'p> ExpressionReader<'e, 'p> {
    fn new(text: &'e str, names: &'p Names, parser: &'p mut RuleParser) -> Self {
        Self {
            rest: text,
            names,
            parser,
            depth: 0,
            is_known: true,
        }
    }

    fn skip(&mut self) {
        self.rest = self.rest.trim_start();
    }

    /// Takes a mark, after white space.
    fn takes(&mut self, mark: &str) -> bool {
        self.skip();
        let after = self.rest.strip_prefix(mark);
        self.rest = after.unwrap_or(self.rest);
        after.is_some()
    }

    /// Takes a word of letters, after white space.
    fn takes_name(&mut self, name: &str) -> bool {
        self.skip();
        let after = self.rest.strip_prefix(name);
        let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let after = after.filter(|after| !after.starts_with(is_part));
        self.rest = after.unwrap_or(self.rest);
        after.is_some()
    }

    fn enter(&mut self) -> Parsed<()> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(NoExpression::NotKnown);
        }
        Ok(())
    }

    fn any(&mut self) -> Parsed<Expression> {
        self.enter()?;
        let mut parts = vec![self.all()?];
        while self.takes("||") || self.takes_name("or") {
            parts.push(self.all()?);
        }
        self.depth -= 1;
        Ok(Expression::Any(parts))
    }

    fn all(&mut self) -> Parsed<Expression> {
        let mut parts = vec![self.one()?];
        while self.takes("&&") || self.takes_name("and") {
            parts.push(self.one()?);
        }
        Ok(Expression::All(parts))
    }

    fn one(&mut self) -> Parsed<Expression> {
        let mut is_negated = false;
        while self.takes("!") || self.takes_name("not") {
            is_negated = !is_negated;
        }
        let found = if self.takes("(") {
            let inner = self.any()?;
            if !self.takes(")") {
                return Err(NoExpression::Refused);
            }
            inner
        } else if self.takes_name("true") {
            Expression::Constant(true)
        } else if self.takes_name("false") {
            Expression::Constant(false)
        } else if let Some(test) = self.test() {
            Expression::Test(test, self.word()?)
        } else {
            self.comparison()?
        };
        Ok(if is_negated {
            Expression::Not(Box::new(found))
        } else {
            found
        })
    }

    /// The operator of a test.
    fn test(&mut self) -> Option<Test> {
        self.skip();
        let mut chars = self.rest.strip_prefix('-')?.chars();
        let letter = chars.next().filter(char::is_ascii_alphabetic)?;
        let rest = chars.as_str();
        if rest.starts_with(|c: char| c.is_ascii_alphanumeric()) {
            return None;
        }
        self.rest = rest;
        Some(match letter {
            'z' => Test::IsEmpty,
            'n' => Test::IsNotEmpty,
            'T' => Test::IsTrue,
            'e' => Test::Exists,
            'f' | 's' => Test::IsFile,
            'd' => Test::IsDirectory,
            _ => {
                self.is_known = false;
                Test::IsEmpty
            }
        })
    }

    fn comparison(&mut self) -> Parsed<Expression> {
        let word = self.word()?;
        self.skip();
        for (mark, is_negated) in [("=~", false), ("!~", true)] {
            if self.takes(mark) {
                let found = Expression::Matches(word, self.pattern()?);
                return Ok(if is_negated {
                    Expression::Not(Box::new(found))
                } else {
                    found
                });
            }
        }
        for (mark, orderings) in TEXTS {
            if self.takes(mark) {
                return Ok(Expression::Texts(word, orderings, self.word()?));
            }
        }
        self.takes("-");
        for (name, orderings) in NUMBERS {
            if self.takes_name(name) {
                return Ok(Expression::Numbers(word, orderings, self.word()?));
            }
        }
        for (name, star, ignores_case) in [
            ("strmatch", ".*", false),
            ("strcmatch", ".*", true),
            ("fnmatch", "[^/]*", false),
        ] {
            if self.takes_name(name) {
                let other = self.word()?;
                return self.glob(word, &other, star, ignores_case);
            }
        }
        if self.takes_name("ipmatch") || self.takes_name("R") {
            self.word()?;
            self.is_known = false;
            return Ok(Expression::Constant(false));
        }
        if self.takes_name("in") {
            return self.list(word);
        }
        Err(NoExpression::Refused)
    }

    fn glob(
        &mut self,
        word: Word,
        glob: &Word,
        star: &str,
        ignores_case: bool,
    ) -> Parsed<Expression> {
        let glob = match &glob[..] {
            [] => "",
            [Piece::Text(text)] => text,
            _ => return Err(NoExpression::NotKnown),
        };
        let pattern = glob::pattern_with(glob, star, ignores_case, self.parser);
        let pattern = pattern.ok_or(NoExpression::NotKnown)?;
        Ok(Expression::Matches(word, pattern))
    }

    fn list(&mut self, word: Word) -> Parsed<Expression> {
        if !self.takes("{") {
            self.word()?;
            self.is_known = false;
            return Ok(Expression::Constant(false));
        }
        let mut words = vec![self.word()?];
        while self.takes(",") {
            words.push(self.word()?);
        }
        if !self.takes("}") {
            return Err(NoExpression::Refused);
        }
        Ok(Expression::OneOf(word, words))
    }

    /// `/REGEX/FLAGS` or `m#REGEX#FLAGS`
    fn pattern(&mut self) -> Parsed<Pattern> {
        self.skip();
        let rest = self.rest.strip_prefix('m').unwrap_or(self.rest);
        let mark = rest.chars().next().ok_or(NoExpression::Refused)?;
        let is_bare = rest.len() == self.rest.len();
        if is_bare && mark != '/' || !is_bare && !"/#$%^|?!'\",;:._-".contains(mark) {
            return Err(NoExpression::Refused);
        }
        let rest = &rest[mark.len_utf8()..];
        let end = rest.find(mark).ok_or(NoExpression::Refused)?;
        let (source, rest) = rest.split_at(end);
        let rest = &rest[mark.len_utf8()..];
        let end = rest.find(|c: char| !c.is_ascii_alphabetic());
        let (flags, rest) = rest.split_at(end.unwrap_or(rest.len()));
        self.rest = rest;
        if flags.contains(|flag| !"ismg".contains(flag)) {
            return Err(NoExpression::Refused);
        }
        let pattern = self.parser.pattern(source, flags.contains('i'));
        pattern.map_err(|_| {
            if crate::engine::pattern::is_broken(source) {
                NoExpression::Refused
            } else {
                NoExpression::NotKnown
            }
        })
    }

    fn word(&mut self) -> Parsed<Word> {
        let mut word = self.part()?;
        while self.takes(".") {
            word.extend(self.part()?);
        }
        Ok(word)
    }

    fn part(&mut self) -> Parsed<Word> {
        self.skip();
        let first = self.rest.chars().next().ok_or(NoExpression::Refused)?;
        match first {
            '\'' | '"' => {
                self.rest = &self.rest[1..];
                self.string(Some(first))
            }
            '%' => Ok(vec![self.variable()?]),
            '$' => {
                let digit = self.rest[1..].chars().next();
                let digit = digit.and_then(|digit| digit.to_digit(10));
                let digit = digit.ok_or(NoExpression::Refused)?;
                self.rest = &self.rest[2..];
                Ok(vec![Piece::Group(digit as usize)])
            }
            '0'..='9' | '-' => {
                let digits = |c: char| !c.is_ascii_digit() && c != '-';
                let end = self.rest.find(digits).unwrap_or(self.rest.len());
                let (digits, rest) = self.rest.split_at(end);
                self.rest = rest;
                Ok(vec![Piece::Text(digits.to_owned())])
            }
            _ => self.call(),
        }
    }

    /// The pieces of a text in quotes, whose first is taken; without one, of all that follows.
    fn string(&mut self, quote: Option<char>) -> Parsed<Word> {
        let mut word = Word::new();
        let mut text = String::new();
        loop {
            let mut chars = self.rest.chars();
            let next = match (chars.next(), quote) {
                (Some(next), _) => next,
                (None, Some(_)) => return Err(NoExpression::Refused),
                (None, None) => {
                    if !text.is_empty() {
                        word.push(Piece::Text(text));
                    }
                    return Ok(word);
                }
            };
            let is_piece = |c: Option<char>| c == Some('{');
            let is_group = |c: Option<char>| c.is_some_and(|c| c.is_ascii_digit());
            match next {
                _ if Some(next) == quote => {
                    self.rest = chars.as_str();
                    if !text.is_empty() {
                        word.push(Piece::Text(text));
                    }
                    return Ok(word);
                }
                '\\' => {
                    let escaped = chars.next().ok_or(NoExpression::Refused)?;
                    text.push(match escaped {
                        'n' => '\n',
                        'r' => '\r',
                        't' => '\t',
                        other => other,
                    });
                    self.rest = chars.as_str();
                }
                '%' if is_piece(chars.clone().next()) => {
                    if !text.is_empty() {
                        word.push(Piece::Text(std::mem::take(&mut text)));
                    }
                    word.push(self.variable()?);
                }
                '$' if is_group(chars.clone().next()) => {
                    if !text.is_empty() {
                        word.push(Piece::Text(std::mem::take(&mut text)));
                    }
                    word.extend(self.part()?);
                }
                _ => {
                    text.push(next);
                    self.rest = chars.as_str();
                }
            }
        }
    }

    /// `%{NAME}` or `%{function:argument}`
    fn variable(&mut self) -> Parsed<Piece> {
        let rest = self.rest.strip_prefix("%{").ok_or(NoExpression::Refused)?;
        let end = rest.find('}').ok_or(NoExpression::Refused)?;
        let (name, rest) = rest.split_at(end);
        self.rest = &rest[1..];
        let upper = name.to_ascii_uppercase();
        if let Some((function, argument)) = name.split_once(':') {
            return self.called(function, vec![Piece::Text(argument.to_owned())]);
        }
        if VARIABLES.contains(&&*upper) {
            return Ok(Piece::Variable(upper));
        }
        let is_of_server = NOT_KNOWN.iter().any(|known| match known.strip_suffix('-') {
            Some(start) => upper.starts_with(start),
            None => *known == upper,
        });
        if !is_of_server {
            return Err(NoExpression::Refused);
        }
        self.is_known = false;
        Ok(Piece::Text(String::new()))
    }

    /// `function(word)`
    fn call(&mut self) -> Parsed<Word> {
        let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let end = self.rest.find(|c| !is_part(c)).unwrap_or(self.rest.len());
        let (name, rest) = self.rest.split_at(end);
        self.rest = rest;
        if name.is_empty() || !self.takes("(") {
            return Err(NoExpression::Refused);
        }
        self.enter()?;
        let mut argument = self.word()?;
        while self.takes(",") {
            argument.extend(self.word()?);
        }
        self.depth -= 1;
        if !self.takes(")") {
            return Err(NoExpression::Refused);
        }
        Ok(vec![self.called(name, argument)?])
    }

    fn called(&mut self, name: &str, argument: Word) -> Parsed<Piece> {
        let name = name.to_ascii_lowercase();
        let is_host =
            || matches!(&argument[..], [Piece::Text(text)] if text.eq_ignore_ascii_case("host"));
        match &*name {
            "tolower" => Ok(Piece::InCase(Case::Lower, argument)),
            "toupper" => Ok(Piece::InCase(Case::Upper, argument)),
            "req" | "http" | "req_novary" if is_host() => {
                Ok(Piece::Variable("HTTP_HOST".to_owned()))
            }
            "env" | "reqenv" => {
                match &argument[..] {
                    [Piece::Text(variable)] if self.names.has(variable) => {
                        return Ok(Piece::Variable(format!("ENV:{variable}")));
                    }
                    _ => self.is_known = false,
                }
                Ok(Piece::Text(String::new()))
            }
            known if FUNCTIONS.contains(&known) => {
                self.is_known = false;
                Ok(Piece::Text(String::new()))
            }
            _ => Err(NoExpression::Refused),
        }
    }
}
