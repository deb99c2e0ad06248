//! RFC 3986, "Uniform Resource Identifier (URI): Generic Syntax": Appendix B (splitting)
//! and §5.2, strict (resolving).

use std::borrow::Cow;

use super::ResolveError;

/// A URI reference split into the components of RFC 3986 §3, borrowed from it and as they
/// stand in it.
///
/// A component that is undefined is none, one that is empty is the empty string: §5.3
/// keeps them apart. A path is always defined.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Parts<'a> {
    /// Without its colon.
    pub scheme: Option<&'a str>,
    /// Without the `//` before it.
    pub authority: Option<&'a str>,
    /// With the slash it may start with.
    pub path: &'a str,
    /// Without its question mark.
    pub query: Option<&'a str>,
    /// Without its number sign.
    pub fragment: Option<&'a str>,
}

impl<'a> Parts<'a> {
    /// The components of `reference`. Every string has them, valid or not.
    ///
    /// Source: RFC 3986 Appendix B, with the scheme as §3.1 has it: what stands before a
    /// colon and does not fit that grammar is the beginning of a path.
    #[must_use]
    pub fn parse(reference: &'a str) -> Self {
        let (rest, fragment) = cut(reference, '#');
        let (rest, query) = cut(rest, '?');
        let (scheme, rest) = match scheme_end(rest) {
            Some(colon) => (Some(&rest[..colon]), &rest[colon + 1..]),
            None => (None, rest),
        };
        let (authority, path) = match rest.strip_prefix("//") {
            Some(after) => {
                let (authority, path) = after.split_at(after.find('/').unwrap_or(after.len()));
                (Some(authority), path)
            }
            None => (None, rest),
        };
        Self {
            scheme,
            authority,
            path,
            query,
            fragment,
        }
    }
}

/// The text before the first `delimiter`, and the text after it if there is one.
fn cut(text: &str, delimiter: char) -> (&str, Option<&str>) {
    match text.split_once(delimiter) {
        Some((before, after)) => (before, Some(after)),
        None => (text, None),
    }
}

/// Where the colon after a scheme stands, in bytes.
///
/// Source: RFC 3986 §3.1.
fn scheme_end(reference: &str) -> Option<usize> {
    let bytes = reference.as_bytes();
    let colon = bytes
        .iter()
        .position(|b| !(b.is_ascii_alphanumeric() || matches!(b, b'+' | b'-' | b'.')))?;
    (bytes[0].is_ascii_alphabetic() && bytes[colon] == b':').then_some(colon)
}

/// A base with a scheme, split once.
#[derive(Clone, Debug)]
pub(super) struct Base<'b> {
    text: Cow<'b, str>,
    /// None when `text` is owned: what is borrowed from itself cannot be kept beside it.
    /// That takes a line break inside the base, so the splitting is then done each time.
    parts: Option<Parts<'b>>,
}

impl<'b> Base<'b> {
    /// # Errors
    ///
    /// [`ResolveError::BadBase`] when `text` has no scheme (§5.1: a base URI "must be of
    /// the form absolute-URI").
    pub(super) fn new(text: Cow<'b, str>) -> Result<Self, ResolveError> {
        scheme_end(&text).ok_or(ResolveError::BadBase)?;
        let parts = match text {
            Cow::Borrowed(text) => Some(Parts::parse(text)),
            Cow::Owned(_) => None,
        };
        Ok(Self { text, parts })
    }

    fn parts(&self) -> Parts<'_> {
        self.parts.unwrap_or_else(|| Parts::parse(&self.text))
    }
}

/// What §5.2.2 says of the target's path.
#[derive(Clone, Copy)]
enum Path<'a> {
    /// Taken as it stands in the base.
    Inherited(&'a str),
    /// `remove_dot_segments` of the two, one after the other. The first is empty or ends
    /// with a slash.
    WithoutDots(&'a str, &'a str),
}

/// Appends the URI that `reference` stands for to `out`, in time linear in both lengths.
///
/// Source: RFC 3986 §5.2.2, strict. A path without authority may come to start with `//`,
/// as that of `.//g` against `g:a` does; §5.3 then gives `g://g`, and so do we. (§3.3
/// forbids such a path, but §5.2 has no step that would mend it.)
///
/// # Errors
///
/// The error that stands for the base, when the reference needs one; `out` is then as it
/// was.
pub(super) fn resolve_into(
    base: Result<&Base<'_>, &ResolveError>,
    reference: &str,
    out: &mut String,
) -> Result<(), ResolveError> {
    let r = Parts::parse(reference);
    if r.scheme.is_some() {
        recompose(r, Path::WithoutDots("", r.path), out);
        return Ok(());
    }
    let base = base.map_err(|e| *e)?.parts();
    let mut t = Parts {
        scheme: base.scheme,
        ..r
    };
    let path = if r.authority.is_some() {
        Path::WithoutDots("", r.path)
    } else {
        t.authority = base.authority;
        if r.path.is_empty() {
            t.query = r.query.or(base.query);
            Path::Inherited(base.path)
        } else if r.path.starts_with('/') {
            Path::WithoutDots("", r.path)
        } else {
            Path::WithoutDots(directory(&base), r.path)
        }
    };
    recompose(t, path, out);
    Ok(())
}

/// The part of the base's path that a relative path is appended to.
///
/// Source: RFC 3986 §5.2.3, Merge Paths.
fn directory<'a>(base: &Parts<'a>) -> &'a str {
    if base.authority.is_some() && base.path.is_empty() {
        "/"
    } else {
        &base.path[..base.path.rfind('/').map_or(0, |slash| slash + 1)]
    }
}

/// Appends the components of `t`, with `path` in place of its path.
///
/// Source: RFC 3986 §5.3, Component Recomposition.
fn recompose(t: Parts<'_>, path: Path<'_>, out: &mut String) {
    if let Some(scheme) = t.scheme {
        out.push_str(scheme);
        out.push(':');
    }
    if let Some(authority) = t.authority {
        out.push_str("//");
        out.push_str(authority);
    }
    match path {
        Path::Inherited(path) => out.push_str(path),
        Path::WithoutDots(directory, path) => push_without_dot_segments(directory, path, out),
    }
    if let Some(query) = t.query {
        out.push('?');
        out.push_str(query);
    }
    if let Some(fragment) = t.fragment {
        out.push('#');
        out.push_str(fragment);
    }
}

/// Appends the path that is `directory` and `path`, without its dot segments.
///
/// Source: RFC 3986 §5.2.4, Remove Dot Segments. Its input buffer is what has not been
/// read yet, its output buffer the text after the end that `out` had. Each segment is
/// read once, and removed at most once.
fn push_without_dot_segments(directory: &str, path: &str, out: &mut String) {
    let mut output = Output {
        start: out.len(),
        out,
        slash: false,
    };
    if directory.as_bytes().contains(&b'.') {
        for segment in directory.split_terminator('/') {
            output.push(segment);
        }
    } else if let Some(directory) = directory.strip_suffix('/') {
        output.push_first(directory);
    }
    let (parents, last) = match path.rfind('/') {
        Some(slash) => (&path[..=slash], &path[slash + 1..]),
        None => ("", path),
    };
    for segment in parents.split_terminator('/') {
        output.push(segment);
    }
    output.push_last(last);
}

/// The output buffer of §5.2.4.
struct Output<'o> {
    out: &'o mut String,
    start: usize,
    /// Whether the rest of the input buffer starts with a slash.
    slash: bool,
}

impl Output<'_> {
    /// Takes the next segment, when another one follows it.
    fn push(&mut self, segment: &str) {
        match (self.slash, segment) {
            // Step 2A: "../" or "./". Step 2B: "/./".
            (false, "." | "..") | (true, ".") => {}
            // Step 2C: "/../"
            (true, "..") => self.remove_last_segment(),
            // Step 2E
            (false, _) => self.push_first(segment),
            (true, _) => {
                self.out.push('/');
                self.out.push_str(segment);
            }
        }
    }

    /// Takes the segment that the input buffer ends with.
    fn push_last(&mut self, segment: &str) {
        self.push(segment);
        // Step 2B: "/." and step 2C: "/.." leave "/". Step 2D: "." and ".." leave nothing.
        if self.slash && matches!(segment, "." | "..") {
            self.out.push('/');
        }
    }

    /// Step 2E for what no slash precedes.
    fn push_first(&mut self, segments: &str) {
        self.out.push_str(segments);
        self.slash = true;
    }

    /// "Remove the last segment and its preceding "/" (if any) from the output buffer."
    fn remove_last_segment(&mut self) {
        let slash = self.out[self.start..].rfind('/').unwrap_or(0);
        self.out.truncate(self.start + slash);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parsing_tells_undefined_from_empty() {
        assert_eq!(
            Parts::parse("foo://example.com:8042/over/there?name=ferret#nose"),
            Parts {
                scheme: Some("foo"),
                authority: Some("example.com:8042"),
                path: "/over/there",
                query: Some("name=ferret"),
                fragment: Some("nose"),
            }
        );
        assert_eq!(Parts::parse(""), Parts::default());
        let empty = Some("");
        assert_eq!(
            Parts::parse("//?#"),
            Parts {
                scheme: None,
                authority: empty,
                path: "",
                query: empty,
                fragment: empty,
            }
        );
    }

    #[test]
    fn a_scheme_starts_with_a_letter() {
        for (reference, scheme) in [
            ("a:", Some("a")),
            ("a+-.1:b", Some("a+-.1")),
            ("1a:b", None),
            ("+a:b", None),
            (":a", None),
            ("a/b:c", None),
            ("a?:b", None),
            ("a b:c", None),
        ] {
            assert_eq!(Parts::parse(reference).scheme, scheme, "{reference}");
        }
    }

    #[test]
    fn dot_segments_go_as_in_the_examples_of_section_5_2_4() {
        for (directory, path, without) in [
            ("", "/a/b/c/./../../g", "/a/g"),
            ("", "mid/content=5/../6", "mid/6"),
            ("/b/c/", "../../../g", "/g"),
            ("/b/./../c/", "..", "/"),
            ("/", "g", "/g"),
            ("", "../.././g", "g"),
            ("", "..", ""),
            ("", "a/..", "/"),
            ("", "a/../b", "/b"),
            ("", ".//g", "/g"),
            ("", "/..//g", "//g"),
            ("a/", "../g", "/g"),
        ] {
            let mut out = String::from("x/y");
            push_without_dot_segments(directory, path, &mut out);
            assert_eq!(&out[3..], without, "{directory} + {path}");
        }
    }

    #[test]
    fn a_base_with_a_line_break_inside_is_split_like_any_other() {
        let owned = Base::new(Cow::Owned("http://a/b".to_owned())).unwrap();
        let borrowed = Base::new(Cow::Borrowed("http://a/b")).unwrap();
        assert_eq!(owned.parts(), borrowed.parts());
    }
}
