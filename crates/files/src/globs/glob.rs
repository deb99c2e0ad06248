//! One pattern.

use std::path::Path;

use globset::{GlobBuilder, GlobSet};

use super::stars::Stars;

/// The maximum length of a pattern, in bytes.
pub const MAX_LENGTH: usize = 4_096;

/// The kind of text that a pattern matches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// Paths of files: neither `*` nor `?` matches a slash, and `**` matches folders.
    Path,
    /// URLs and other names: `*` matches everything, and a backslash makes the character after it
    /// literal.
    Url,
    /// Hosts: as for URLs, but upper and lower case are the same.
    Host,
}

/// A pattern that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct GlobError(String);

/// A pattern.
#[derive(Clone, Debug)]
pub struct Glob(Matcher);

#[derive(Clone, Debug)]
enum Matcher {
    Stars(Stars),
    /// A set of one pattern. Unlike a matcher, a set reports patterns that are too large.
    Other(GlobSet),
}

impl Glob {
    /// Reads a pattern.
    ///
    /// # Errors
    /// If it is malformed, has more than [`MAX_LENGTH`] bytes, or is too deep.
    pub fn new(text: &str, form: Form) -> Result<Self, GlobError> {
        let glob = parse(text, form)?;
        if form == Form::Url
            && let Some(stars) = Stars::parse(text)
        {
            return Ok(Self(Matcher::Stars(stars)));
        }
        let set = GlobSet::new([glob]).map_err(|error| globset_error(&error))?;
        Ok(Self(Matcher::Other(set)))
    }

    /// Whether a text matches it.
    #[must_use]
    pub fn is_match(&self, text: &str) -> bool {
        match &self.0 {
            Matcher::Stars(stars) => stars.is_match(text),
            Matcher::Other(set) => set.is_match(text),
        }
    }

    /// Whether a path matches it.
    #[must_use]
    pub fn is_path_match(&self, path: &Path) -> bool {
        match &self.0 {
            Matcher::Stars(stars) => stars.is_match(&path.to_string_lossy()),
            Matcher::Other(set) => set.is_match(path),
        }
    }
}

/// The pattern of globset.
pub(super) fn parse(text: &str, form: Form) -> Result<globset::Glob, GlobError> {
    if text.len() > MAX_LENGTH {
        let message = format!("a pattern has {MAX_LENGTH} bytes at most (glob-size)");
        return Err(GlobError(message));
    }
    let mut builder = GlobBuilder::new(text);
    match form {
        Form::Path => builder.literal_separator(true),
        Form::Url => builder.backslash_escape(true),
        Form::Host => builder.case_insensitive(true),
    };
    builder.build().map_err(|error| globset_error(&error))
}

pub(super) fn globset_error(error: &globset::Error) -> GlobError {
    GlobError(match error.kind() {
        // Its message repeats the whole pattern as an expression.
        globset::ErrorKind::Regex(_) | globset::ErrorKind::TooManyNestedAlternates => {
            "it is too deep or too large".to_owned()
        }
        kind => kind.to_string(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pattern_too_long_or_too_deep() {
        let deep = |n: usize| format!("{}b{}", "{a,".repeat(n), "}".repeat(n));
        for form in [Form::Path, Form::Url, Form::Host] {
            assert!(Glob::new(&deep(20), form).is_ok());
            let error = Glob::new(&deep(1_000), form).unwrap_err();
            assert_eq!(error.to_string(), "it is too deep or too large");
            let error = Glob::new(&deep(500_000), form).unwrap_err();
            assert!(error.to_string().contains("glob-size"), "{error}");
            assert!(super::super::Globs::new([deep(1_000)], form).is_err());
            let malformed = Glob::new("a[", form).unwrap_err();
            assert!(malformed.to_string().contains("unclosed"), "{malformed}");
        }
    }

    #[test]
    fn star_and_slashes() {
        let is_match = |form| Glob::new("a*c", form).unwrap().is_match("a/b/c");
        assert!(!is_match(Form::Path) && is_match(Form::Url) && is_match(Form::Host));
        assert!(Glob::new("A*", Form::Host).unwrap().is_match("ab"));
        let path = Glob::new("d/*.html", Form::Path).unwrap();
        assert!(path.is_path_match(Path::new("d/a.html")));
    }
}
