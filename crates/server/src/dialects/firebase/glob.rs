//! Globs as minimatch 6 reads them, translated to regular expressions on a path without repeated
//! slashes.

use std::fmt::Write as _; // for `write!`: a String takes every write
use std::ops::Range;

use baseref_document::LimitReached;

use crate::engine::work::ReadingBudget;

/// The maximum number of alternatives that the braces of one glob may make.
const MAX_ALTERNATIVES: usize = 256;
/// The maximum length of these alternatives together.
const MAX_LENGTH: usize = 64 << 10;
/// The maximum depth of nested braces and parentheses.
const MAX_DEPTH: usize = 16;
/// The maximum length of a sequence in braces, `1..3`.
const MAX_SEQUENCE: usize = 64;

/// The bytes charged for each alternative in addition to its expression: what a parsed one takes.
const COST_OF_EACH: usize = 256;

/// A compiled glob.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Glob {
    /// A regular expression for each alternative of its braces.
    pub(super) expressions: Vec<String>,
    /// Whether it starts with `!` and so matches what none of the alternatives does.
    pub(super) is_negated: bool,
}

/// Translates a glob, and charges its expressions to the file it is in.
///
/// # Errors
///
/// If its braces make too many alternatives, alone or with those before it, or its groups too long an
/// expression.
pub(super) fn translate(glob: &str, budget: &ReadingBudget) -> Result<Glob, GlobError> {
    if glob.len() > MAX_LENGTH {
        return Err(GlobError::TooLong);
    }
    if !budget.allows_copies() {
        return Err(GlobError::FileTooLong);
    }
    let bare = glob.trim_start_matches('!');
    let is_negated = (glob.len() - bare.len()) % 2 == 1;
    let alternatives = expand(bare, 0)?;
    let expressions = alternatives.iter().map(|one| expression(one));
    let expressions: Vec<Option<String>> = expressions.collect::<Result<_, _>>()?;
    let expressions: Vec<String> = expressions.into_iter().flatten().collect();
    let lengths = expressions.iter().map(|one| one.len() + COST_OF_EACH);
    budget.take_copies(lengths.sum())?;
    Ok(Glob {
        expressions,
        is_negated,
    })
}

/// Why a glob cannot be used.
#[derive(Debug, thiserror::Error)]
pub(super) enum GlobError {
    /// It has more than [`MAX_LENGTH`] bytes, or groups that are nested too deep.
    #[error("it takes more than {MAX_LENGTH} bytes, or its groups are too deep (rule-braces)")]
    TooLong,
    /// Its braces make more than [`MAX_ALTERNATIVES`].
    #[error("its braces make more than {MAX_ALTERNATIVES} alternatives (rule-braces)")]
    TooManyAlternatives,
    /// The globs of the file take more than its [`ReadingBudget`] allows.
    #[error("the globs of the file are too long together (rule-braces-of-file)")]
    FileTooLong,
}

impl From<LimitReached> for GlobError {
    fn from(_: LimitReached) -> Self {
        Self::FileTooLong
    }
}

/// Expands braces into their alternatives.
fn expand(glob: &str, depth: usize) -> Result<Vec<String>, GlobError> {
    let Some((before, inner, after)) = first_braces(glob) else {
        return Ok(vec![glob.to_owned()]);
    };
    if depth >= MAX_DEPTH {
        return Err(GlobError::TooManyAlternatives);
    }
    let parts = if let Some(parts) = sequence(inner) {
        parts
    } else {
        let mut parts = Vec::new();
        for part in split_top(inner, ',') {
            parts.extend(expand(part, depth + 1)?);
        }
        parts
    };
    let mut out = Vec::new();
    let mut length = 0;
    for rest in expand(after, depth + 1)? {
        for part in &parts {
            length += before.len() + part.len() + rest.len();
            if out.len() >= MAX_ALTERNATIVES || length > MAX_LENGTH {
                return Err(GlobError::TooManyAlternatives);
            }
            out.push(format!("{before}{part}{rest}"));
        }
    }
    Ok(out)
}

/// The first pair of braces that contains a comma or a sequence: the texts before, inside and after it.
fn first_braces(glob: &str) -> Option<(&str, &str, &str)> {
    let mut open: Vec<(usize, bool)> = Vec::new();
    let mut found: Option<(usize, usize)> = None;
    for (at, byte) in glob.bytes().enumerate() {
        match byte {
            b'{' if !glob[..at].ends_with('$') => open.push((at, false)),
            b',' => {
                if let Some((_, has_comma)) = open.last_mut() {
                    *has_comma = true;
                }
            }
            b'}' => {
                let Some((start, has_comma)) = open.pop() else {
                    continue;
                };
                let is_one = has_comma || sequence(&glob[start + 1..at]).is_some();
                if is_one && found.is_none_or(|(first, _)| start < first) {
                    found = Some((start, at));
                }
                if open.is_empty() && found.is_some() {
                    break;
                }
            }
            _ => {}
        }
    }
    let (start, end) = found?;
    Some((&glob[..start], &glob[start + 1..end], &glob[end + 1..]))
}

/// Expands a sequence such as `1..3`.
fn sequence(inner: &str) -> Option<Vec<String>> {
    // Nested braces are each scanned.
    if inner.len() > MAX_SEQUENCE {
        return None;
    }
    let (first, last) = inner.split_once("..")?;
    let (first, last): (i32, i32) = (first.parse().ok()?, last.parse().ok()?);
    let count = usize::try_from(first.abs_diff(last)).ok()? + 1;
    if count > MAX_ALTERNATIVES {
        return None;
    }
    let numbers = first.min(last)..=first.max(last);
    let mut numbers: Vec<String> = numbers.map(|number| number.to_string()).collect();
    if first > last {
        numbers.reverse();
    }
    Some(numbers)
}

/// Splits at a character outside all braces.
fn split_top(text: &str, at: char) -> Vec<&str> {
    let mut depth = 0_usize;
    let mut start = 0;
    let mut parts = Vec::new();
    for (index, c) in text.char_indices() {
        match c {
            '{' | '(' => depth += 1,
            '}' | ')' => depth = depth.saturating_sub(1),
            c if c == at && depth == 0 => {
                parts.push(&text[start..index]);
                start = index + c.len_utf8();
            }
            _ => {}
        }
    }
    parts.push(&text[start..]);
    parts
}

/// A name that does not start with a dot.
const NAME: &str = "[^/.][^/]*";

/// The expression of a glob without braces; `None` if it matches nothing.
///
/// # Errors
///
/// If the regular expression gets too long.
fn expression(glob: &str) -> Result<Option<String>, GlobError> {
    let mut segments: Vec<&str> = glob.split('/').collect();
    let count = segments.len();
    let mut index = 0;
    // Runs of slashes count as one.
    segments.retain(|segment| {
        index += 1;
        !segment.is_empty() || index == 1 || index == count
    });
    if segments.first().is_some_and(|first| first.is_empty()) && count > 1 {
        segments.remove(0);
    } else if segments.first() != Some(&"**") {
        // A path starts with a slash, and only `**` can match nothing.
        return Ok(None);
    }
    let mut out = String::from("^");
    let mut rest = segments.into_iter().peekable();
    while let Some(segment) = rest.next() {
        if segment == "**" {
            while rest.next_if_eq(&"**").is_some() {}
            let _ = write!(out, "(?:/{NAME})*");
            if rest.peek().is_none() {
                let _ = write!(out, "/(?:{NAME})?");
            }
            continue;
        }
        out.push('/');
        out.push_str(&segment_expression(segment).ok_or(GlobError::TooLong)?);
    }
    out.push_str("/?$");
    Ok(Some(out))
}

/// The expression of one segment; `None` if it gets too long.
fn segment_expression(segment: &str) -> Option<String> {
    let chars: Vec<char> = segment.chars().collect();
    if let Some(plain) = plain(&chars) {
        return Some(plain);
    }
    Body::new(&chars).read(0, 0)
}

/// The expression of a segment with no wildcards but `*` and `?`.
fn plain(chars: &[char]) -> Option<String> {
    let is_group = |pair: &[char]| matches!(pair, ['?' | '*' | '+' | '@' | '!', '(']);
    if chars.contains(&'[') || chars.contains(&'\\') || chars.windows(2).any(is_group) {
        return None;
    }
    let mut out = String::new();
    let mut rest = chars;
    match rest.first() {
        Some('?') => {
            out.push_str("(?u:[^/.])");
            rest = &rest[1..];
        }
        Some('*') => {
            let stars = rest.iter().take_while(|c| **c == '*').count();
            rest = &rest[stars..];
            match rest.first() {
                Some('?') => {
                    out.push_str("(?u:[^/.])[^/]*");
                    rest = &rest[1..];
                }
                Some('.') | None => out.push_str(NAME),
                Some(_) => {
                    let _ = write!(out, "(?:{NAME})?");
                }
            }
        }
        _ => {}
    }
    let mut before = ' ';
    for c in rest {
        match c {
            '*' if before == '*' => {}
            '*' => out.push_str("[^/]*"),
            '?' => out.push_str("(?u:[^/])"),
            c => out.push_str(&regex::escape(c.encode_utf8(&mut [0; 4]))),
        }
        before = *c;
    }
    Some(out)
}

/// A segment with classes or groups.
struct Body<'c> {
    chars: &'c [char],
    /// The position of the parenthesis that closes the one at this position.
    closed: Vec<Option<usize>>,
}

impl<'c> Body<'c> {
    fn new(chars: &'c [char]) -> Self {
        let mut closed = vec![None; chars.len()];
        let mut open = Vec::new();
        for (at, c) in chars.iter().enumerate() {
            match c {
                '(' => open.push(at),
                ')' => {
                    if let Some(closed) = open.pop().and_then(|open| closed.get_mut(open)) {
                        *closed = Some(at);
                    }
                }
                _ => {}
            }
        }
        Self { chars, closed }
    }

    /// The regular expression of the characters from `start` on; `None` if it gets too long.
    fn read(&self, start: usize, depth: usize) -> Option<String> {
        if depth > MAX_DEPTH {
            return None;
        }
        let end = self.chars.len();
        let mut out = String::new();
        let mut at = start;
        // If one bracket is not closed, no later one is.
        let mut may_be_class = true;
        if start == 0 && matches!(self.chars.first(), Some('*' | '?' | '[' | '!')) {
            let is_group = self.chars.get(1) == Some(&'(');
            let is_negative = self.chars.first() == Some(&'!');
            if is_group == is_negative || !is_group && !is_negative {
                out.push_str(r"(?!\.)");
            }
        }
        if start == 0 {
            out.push_str("(?=[^/])");
        }
        while at < end {
            if out.len() > MAX_LENGTH {
                return None;
            }
            let c = *self.chars.get(at)?;
            let close = match (c, self.chars.get(at + 1)) {
                ('?' | '*' | '+' | '@' | '!', Some('(')) => *self.closed.get(at + 1)?,
                _ => None,
            };
            if let Some(close) = close {
                self.push_group(&mut out, at, close, depth)?;
                at = close + 1;
                continue;
            }
            match c {
                '*' => out.push_str("[^/]*?"),
                '?' => out.push_str("(?u:[^/])"),
                '[' => {
                    let class = may_be_class.then(|| self.class(at)).flatten();
                    if let Some((class, next)) = class {
                        out.push_str(&class);
                        at = next;
                        continue;
                    }
                    may_be_class = false;
                    out.push_str(r"\[");
                }
                '\\' if at + 1 < end => {
                    at += 1;
                    let c = *self.chars.get(at)?;
                    out.push_str(&regex::escape(&c.to_string()));
                }
                c => out.push_str(&regex::escape(&c.to_string())),
            }
            at += 1;
        }
        Some(out)
    }

    /// Adds the regular expression of the extended group that starts at the given character and is
    /// closed at `close`; `None` if it gets too long.
    fn push_group(&self, out: &mut String, at: usize, close: usize, depth: usize) -> Option<()> {
        // Not the start of the segment, even if it is the first character.
        let inner = |range: Range<usize>| {
            if range.is_empty() {
                return Some(String::new());
            }
            let chars = [&[' '], self.chars.get(range)?].concat();
            Body::new(&chars).read(1, depth + 1)
        };
        let alternatives = self.alternatives(at + 2, close).into_iter();
        let alternatives = alternatives.map(|(from, to)| inner(from..to));
        let alternatives: Vec<String> = alternatives.collect::<Option<_>>()?;
        let mark = *self.chars.get(at)?;
        if mark == '!' {
            let end = self.chars.len();
            let rest = if close + 1 == end {
                "(?:$|/)".to_owned()
            } else {
                inner(close + 1..end)?
            };
            let not = alternatives.join("|");
            let _ = write!(out, "(?:(?!(?:{not}){rest})[^/]*?)");
            return Some(());
        }
        let dot = if at == 0 { r"(?!\.)" } else { "" };
        let alternatives = alternatives.iter().map(|one| format!("{dot}{one}"));
        let alternatives = alternatives.collect::<Vec<_>>().join("|");
        let times = Some(mark).filter(|mark| *mark != '@');
        let times = times.map(String::from).unwrap_or_default();
        let _ = write!(out, "(?:{alternatives}){times}");
        Some(())
    }

    /// The ranges of the alternatives of a group.
    fn alternatives(&self, start: usize, end: usize) -> Vec<(usize, usize)> {
        let mut out = Vec::new();
        let (mut from, mut depth) = (start, 0_usize);
        for at in start..end {
            match self.chars.get(at) {
                Some('(') => depth += 1,
                Some(')') => depth = depth.saturating_sub(1),
                Some('|') if depth == 0 => {
                    out.push((from, at));
                    from = at + 1;
                }
                _ => {}
            }
        }
        out.push((from, end));
        out
    }

    /// The character class that starts at a bracket, and the position after it.
    fn class(&self, open: usize) -> Option<(String, usize)> {
        let end = self.chars.len();
        let mut at = open + 1;
        let mut out = String::from("(?u:[");
        if matches!(self.chars.get(at), Some('!' | '^')) {
            out.push('^');
            at += 1;
        }
        let first = at;
        while at < end {
            match *self.chars.get(at)? {
                ']' if at > first => return Some((out + "])", at + 1)),
                '-' if at > first && self.chars.get(at + 1).is_some_and(|c| *c != ']') => {
                    out.push('-');
                }
                c => out.push_str(&escape_in_class(c)),
            }
            at += 1;
        }
        None
    }
}

fn escape_in_class(c: char) -> String {
    match c {
        '[' | ']' | '\\' | '^' | '-' | '&' | '~' => format!("\\{c}"),
        c => c.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::pattern::Pattern;
    use crate::engine::work::Work;

    /// As answered by minimatch 6.2.3.
    #[test]
    fn globs_match_as_in_minimatch() {
        for (path, glob, expected) in [
            ("/x/", "/x", true),
            ("/x/b/", "/x/*", true),
            ("/x/", "/x/*", false),
            ("/x/", "/x/**", true),
            ("/x", "/x/**", false),
            ("/x/.a", "/x/*", false),
            ("/x/.a/b", "/x/**", false),
            ("/x/a.b", "/x/*.b", true),
            ("/x/.b", "/x/*.b", false),
            ("/x/ab", "/x/[ab]b", true),
            ("/x/é", "/x/?", true),
            ("/x/b", "/x/!(a)", true),
            ("/x/a", "/x/!(a)", false),
            ("/x/abc", "/x/@(abc|d)", true),
            ("/xyz", "/x**", true),
            ("/x/y", "/x**", false),
            ("/a", "/{a}", false),
            ("/{a}", "/{a}", true),
            ("/a", "/{a,b", false),
            ("/", "/**", true),
            ("/a/b", "**", true),
            ("/a/x.html", "**/*.html", true),
            ("/x.html", "/**/*.html", true),
            ("/2", "/{1..3}", true),
            ("/A", "/a", false),
            ("/a/b", "/a/**/b", true),
            ("/a/b", "!/a/c", true),
            ("/x/aXb", "/x/+(a|X|b)", true),
            ("/x/a]b", "/x/a]b", true),
            ("/x/a[b", "/x/a[b", true),
            ("/x/-", "/x/[a-]", true),
            ("/x/c", "/x/[!a]", true),
            ("/x/a(b)", "/x/a(b)", true),
            ("/x/a", "/x/a*", true),
            ("/x", "/x{,/**}", true),
            ("/x/y/z", "/x{,/**}", true),
        ] {
            let glob_of = translate(glob, &ReadingBudget::default()).unwrap();
            let matches = |expression: &String| {
                let pattern = Pattern::new(expression, false).unwrap();
                pattern
                    .find(path.as_bytes(), &Work::new())
                    .unwrap()
                    .is_some()
            };
            let got = glob_of.expressions.iter().any(matches) != glob_of.is_negated;
            assert_eq!(got, expected, "{path} {glob} {glob_of:?}");
        }
    }

    #[test]
    fn multiplying_braces_are_refused() {
        let translate = |glob: &str| translate(glob, &ReadingBudget::default());
        assert!(translate(&"{a,b}".repeat(20)).is_err());
        assert!(translate(&format!("/x{}", "!(a)".repeat(MAX_DEPTH + 2))).is_err());
        assert!(translate(&format!("/x{}{}", "!(a)".repeat(12), "b".repeat(1_000))).is_err());
        assert!(translate(&"*".repeat(MAX_LENGTH + 1)).is_err());
        assert_eq!(expand("{a,{b,c}}x", 0).unwrap(), ["ax", "bx", "cx"]);
        let greatest = format!("{{{}..{}}}", i32::MAX, i32::MAX - 1);
        assert_eq!(expand(&greatest, 0).unwrap(), ["2147483647", "2147483646"]);
    }

    #[test]
    fn unclosed_syntax_is_text() {
        let text = "/".to_owned() + &"{".repeat(3_000) + &"*(".repeat(3_000) + &"[".repeat(3_000);
        let text = text + &"}".repeat(3_000);
        let glob = translate(&text, &ReadingBudget::default()).unwrap();
        let expected = format!(
            r"^/{}{}{}{}/?$",
            r"\{".repeat(3_000),
            r"[^/]*?\(".repeat(3_000),
            r"\[".repeat(3_000),
            r"\}".repeat(3_000)
        );
        assert!(glob.expressions[0].ends_with(&expected[3..]));
    }
}
