//! RFC 3986, "Uniform Resource Identifier (URI): Generic Syntax": Appendix B (splitting)
//! and §5.2, strict (resolving).

use std::borrow::Cow;
use std::ops::Range;

use super::delimiter::position;
use super::error::ResolveError;
use super::scheme;

/// A URI reference split into the components of RFC 3986 §3, each borrowed from it as written.
///
/// An undefined component is `None`, an empty one the empty string: §5.3 tells them apart. The path
/// is always defined.
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
    /// Splits `reference`. Any string can be split, valid or not.
    ///
    /// Source: RFC 3986 Appendix B, with the scheme of §3.1: text before a colon that does not
    /// match that grammar begins a path.
    #[must_use]
    pub fn parse(reference: &'a str) -> Self {
        let (rest, fragment) = cut(reference, b'#');
        let (rest, query) = cut(rest, b'?');
        let (scheme, rest) = match scheme::end(rest) {
            Some(colon) => (Some(&rest[..colon]), &rest[colon + 1..]),
            None => (None, rest),
        };
        let (authority, path) = match rest.strip_prefix("//") {
            Some(after) => {
                let slash = after.bytes().position(|b| b == b'/');
                let (authority, path) = after.split_at(slash.unwrap_or(after.len()));
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

    /// The byte range of the path in the string that was split.
    fn path_range(&self) -> Range<usize> {
        let scheme = self.scheme.map_or(0, |scheme| scheme.len() + ":".len());
        let authority = self
            .authority
            .map_or(0, |authority| "//".len() + authority.len());
        let start = scheme + authority;
        start..start + self.path.len()
    }
}

/// The text before the first `delimiter`, and the text after it if there is one.
fn cut(text: &str, delimiter: u8) -> (&str, Option<&str>) {
    match position(text, delimiter) {
        Some(at) => (&text[..at], Some(&text[at + 1..])),
        None => (text, None),
    }
}

/// A base with a scheme, split once.
#[derive(Clone, Debug)]
pub(super) struct Base<'b> {
    text: Cow<'b, str>,
    /// `None` when `text` is owned, since a struct cannot borrow from itself: the base is then
    /// split for each reference. That happens only with a line break inside the base.
    split: Option<BaseParts<'b>>,
    /// What is left of the directory, unless it is plain: the base can have as many references as
    /// segments.
    reduced: Option<ReducedPath>,
}

/// A directory after the algorithm of §5.2.4, which then continues with the rest of the path.
#[derive(Clone, Debug)]
struct ReducedPath {
    /// The output buffer.
    path: Box<str>,
    /// As in [`Output`].
    slash: bool,
}

/// The pieces of a base that references inherit, each with its delimiters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct BaseParts<'b> {
    /// The scheme and its colon.
    scheme: &'b str,
    /// The authority and the slashes before it; empty when there is none.
    authority: &'b str,
    path: &'b str,
    /// The query and its question mark; empty when there is none.
    query: &'b str,
    /// What a relative path is appended to, as in [`Directory`].
    directory: &'b str,
}

/// What a relative path is appended to: empty, or ending with a slash.
///
/// Source: §5.2.3, Merge Paths.
#[derive(Clone, Copy, Debug)]
enum Directory<'b> {
    /// No segment is `.` or `..`.
    Plain(&'b str),
    ReducedPath(&'b ReducedPath),
}

impl Directory<'_> {
    /// For a path that replaces the base's.
    const NONE: Self = Self::Plain("");
}

impl<'b> BaseParts<'b> {
    fn new(base: &'b str) -> Self {
        let parts = Parts::parse(base);
        let range = parts.path_range();
        let (before_path, path, after_path) = (
            &base[..range.start],
            &base[range.clone()],
            &base[range.end..],
        );
        let (scheme, authority) =
            before_path.split_at(parts.scheme.map_or(0, |scheme| scheme.len() + ":".len()));
        let directory = match path.rfind('/') {
            Some(slash) => &path[..=slash],
            None if parts.authority.is_some() => "/",
            None => "",
        };
        Self {
            scheme,
            authority,
            path,
            query: cut(after_path, b'#').0,
            directory,
        }
    }
}

impl<'b> Base<'b> {
    /// # Errors
    ///
    /// [`ResolveError::BadBase`] when `text` has no scheme (§5.1: a base URI "must be of
    /// the form absolute-URI").
    pub(super) fn new(text: Cow<'b, str>) -> Result<Self, ResolveError> {
        scheme::end(&text).ok_or(ResolveError::BadBase)?;
        let split = match text {
            Cow::Borrowed(text) => Some(BaseParts::new(text)),
            Cow::Owned(_) => None,
        };
        let mut base = Self {
            text,
            split,
            reduced: None,
        };
        base.reduced = ReducedPath::new(base.split().directory);
        Ok(base)
    }

    fn split(&self) -> Cow<'_, BaseParts<'_>> {
        match &self.split {
            Some(split) => Cow::Borrowed(split),
            None => Cow::Owned(BaseParts::new(&self.text)),
        }
    }
}

/// Appends the URI that `reference` resolves to to `out`, in time linear in both lengths.
///
/// Source: RFC 3986 §5.2.2, strict, and §5.3. A reference already has its components in the order
/// and with the delimiters of §5.3, so adjacent ones are recomposed by copying them.
///
/// A path without an authority may end up starting with `//`, as for `.//g` against `g:a`; §5.3
/// then gives `g://g`, and so do we. (§3.3 forbids such a path, but no step of §5.2 prevents it.)
///
/// # Errors
///
/// The base's error, if the reference needs a base; `out` is then unchanged.
pub(super) fn resolve_into(
    base: Result<&Base<'_>, &ResolveError>,
    reference: &str,
    out: &mut String,
) -> Result<(), ResolveError> {
    let r = Parts::parse(reference);
    let range = r.path_range();
    let (before_path, after_path) = (&reference[..range.start], &reference[range.end..]);
    if r.scheme.is_some() {
        // T.scheme = R.scheme; T.authority = R.authority;
        out.push_str(before_path);
        // T.path = remove_dot_segments(R.path);
        push_without_dot_segments(Directory::NONE, r.path, out);
    } else {
        let whole = base.map_err(|e| *e)?;
        let base = whole.split();
        // T.scheme = Base.scheme;
        out.push_str(base.scheme);
        if r.authority.is_some() {
            // T.authority = R.authority;
            out.push_str(before_path);
            // T.path = remove_dot_segments(R.path);
            push_without_dot_segments(Directory::NONE, r.path, out);
        } else {
            // T.authority = Base.authority;
            out.push_str(base.authority);
            if r.path.is_empty() {
                // T.path = Base.path;
                out.push_str(base.path);
                if r.query.is_none() {
                    // T.query = Base.query;
                    out.push_str(base.query);
                }
            } else if r.path.starts_with('/') {
                // T.path = remove_dot_segments(R.path);
                push_without_dot_segments(Directory::NONE, r.path, out);
            } else {
                // T.path = merge(Base.path, R.path);
                // T.path = remove_dot_segments(T.path);
                let directory = match &whole.reduced {
                    Some(reduced) => Directory::ReducedPath(reduced),
                    None => Directory::Plain(base.directory),
                };
                push_without_dot_segments(directory, r.path, out);
            }
        }
    }
    // T.query = R.query; T.fragment = R.fragment;
    out.push_str(after_path);
    Ok(())
}

impl ReducedPath {
    /// `None` for a directory without dot segments.
    fn new(directory: &str) -> Option<Self> {
        if !has_dot_segment(directory) {
            return None;
        }
        let mut path = String::new();
        let mut output = Output {
            start: 0,
            out: &mut path,
            slash: false,
        };
        for segment in directory.split_terminator('/') {
            output.push(segment);
        }
        let slash = output.slash;
        Some(Self {
            path: path.into_boxed_str(),
            slash,
        })
    }
}

/// Appends the concatenation of `directory` and `path`, without dot segments.
///
/// Source: RFC 3986 §5.2.4, Remove Dot Segments. Its input buffer is the unread rest, its output
/// buffer what has been appended to `out`. Each segment is read once and removed at most once.
fn push_without_dot_segments(directory: Directory<'_>, path: &str, out: &mut String) {
    if let Directory::Plain(directory) = directory
        && !has_dot_segment(path)
    {
        out.push_str(directory);
        out.push_str(path);
        return;
    }
    let mut output = Output {
        start: out.len(),
        out,
        slash: false,
    };
    match directory {
        Directory::Plain(directory) => {
            if let Some(segments) = directory.strip_suffix('/') {
                output.push_first(segments);
            }
        }
        Directory::ReducedPath(ReducedPath { path, slash }) => {
            output.out.push_str(path);
            output.slash = *slash;
        }
    }
    let (parents, last) = path.split_at(path.rfind('/').map_or(0, |slash| slash + 1));
    for segment in parents.split_terminator('/') {
        output.push(segment);
    }
    output.push_last(last);
}

/// Whether a segment of `path` may be `.` or `..`: whether any starts with a dot.
fn has_dot_segment(path: &str) -> bool {
    let path = path.as_bytes();
    path.starts_with(b".") || path.windows(2).any(|pair| matches!(pair, b"/."))
}

/// The output buffer of §5.2.4.
struct Output<'o> {
    out: &'o mut String,
    start: usize,
    /// Whether the rest of the input buffer starts with a slash.
    slash: bool,
}

impl Output<'_> {
    /// Moves a segment that is followed by another one.
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

    /// Moves the last segment of the input buffer.
    fn push_last(&mut self, segment: &str) {
        self.push(segment);
        // Step 2B: "/." and step 2C: "/.." leave "/". Step 2D: "." and ".." leave nothing.
        if self.slash && matches!(segment, "." | "..") {
            self.out.push('/');
        }
    }

    /// Step 2E for input without a leading slash.
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
    fn undefined_and_empty_components_differ() {
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
    fn scheme_starts_with_letter() {
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
    fn dot_segments_of_the_examples_in_section_5_2_4() {
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
            ("../a/./", "g", "a/g"),
            ("../", "../g", "g"),
            ("a/../", "../g", "/g"),
            ("/a/../../", "", "/"),
            ("..", "g", "g"),
        ] {
            let mut out = String::from("x/y");
            let reduced = ReducedPath::new(directory);
            let place = match &reduced {
                Some(reduced) => Directory::ReducedPath(reduced),
                None => Directory::Plain(directory),
            };
            push_without_dot_segments(place, path, &mut out);
            assert_eq!(&out[3..], without, "{directory} + {path}");
        }
    }

    #[test]
    fn base_with_line_break_is_split_like_any_other() {
        let owned = Base::new(Cow::Owned("http://a/b".to_owned())).unwrap();
        let borrowed = Base::new(Cow::Borrowed("http://a/b")).unwrap();
        assert_eq!(owned.split(), borrowed.split());
    }
}
