//! RFC 1808, "Relative Uniform Resource Locators": §2.4 (parsing) and §4 (resolving).

use std::borrow::Cow;

use super::delimiter::position;
use super::error::ResolveError;
use super::scheme;

/// A URL split into the components of RFC 1808 §2.1, each borrowed from it as written.
///
/// An absent component and an empty one are both the empty string (§2.4.1, §2.4.4 and §2.4.5 do not
/// tell them apart).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Parts<'a> {
    /// Without its colon.
    pub scheme: &'a str,
    /// Whether `//` preceded the `net_loc` (§2.2 `net_path`), which may itself be empty, as in
    /// `file:///etc/motd`.
    pub net_path: bool,
    /// The network location and login, without `//`. It ends at the next slash only, so
    /// it may hold `?` and `;` (§2.4.3).
    pub net_loc: &'a str,
    /// Whether a slash preceded the path (§2.2 `abs_path`). The slash is not part of it.
    pub abs_path: bool,
    /// The path, without the slash that precedes it (§2.4.6).
    pub path: &'a str,
    /// Without its semicolon.
    pub params: &'a str,
    /// Without its question mark.
    pub query: &'a str,
    /// Without its crosshatch.
    pub fragment: &'a str,
}

impl<'a> Parts<'a> {
    /// Splits `url`, absolute or relative. Any string can be split.
    ///
    /// Source: RFC 1808 §2.4. The scheme (§2.4.2) is parsed before the fragment, which makes no
    /// difference: no crosshatch can precede its colon.
    #[must_use]
    pub fn parse(url: &'a str) -> Self {
        match scheme::end_of_rfc_1808(url) {
            Some(colon) => Self {
                scheme: &url[..colon],
                ..Self::parse_relative(&url[colon + 1..])
            },
            None => Self::parse_relative(url),
        }
    }

    /// The components of a URL without a scheme, or of the rest after the scheme.
    fn parse_relative(url: &'a str) -> Self {
        // §2.4.1 Parsing the Fragment Identifier
        let (rest, fragment) = cut(url, b'#');
        // §2.4.3 Parsing the Network Location/Login
        let (net_path, net_loc, rest) = match rest.strip_prefix("//") {
            Some(after) => {
                let slash = after.bytes().position(|b| b == b'/');
                let (net_loc, rest) = after.split_at(slash.unwrap_or(after.len()));
                (true, net_loc, rest)
            }
            None => (false, "", rest),
        };
        // §2.4.4 Parsing the Query Information
        let (rest, query) = cut(rest, b'?');
        // §2.4.5 Parsing the Parameters
        let (rest, params) = cut(rest, b';');
        // §2.4.6 Parsing the Path
        let (abs_path, path) = match rest.strip_prefix('/') {
            Some(path) => (true, path),
            None => (false, rest),
        };
        Self {
            scheme: "",
            net_path,
            net_loc,
            abs_path,
            path,
            params,
            query,
            fragment,
        }
    }
}

/// The text before the first `delimiter` and the text after it; the latter is empty without one.
fn cut(text: &str, delimiter: u8) -> (&str, &str) {
    match position(text, delimiter) {
        Some(at) => (&text[..at], &text[at + 1..]),
        None => (text, ""),
    }
}

/// A base with a scheme, split once.
#[derive(Clone, Debug)]
pub(super) struct Base<'b> {
    text: Cow<'b, str>,
    /// `None` when `text` is owned, since a struct cannot borrow from itself: the base is then
    /// split for each reference. That happens only with a line break inside the base.
    split: Option<BaseParts<'b>>,
    /// The directory after steps 6a and 6c; `None` if it is plain, since they change nothing then. It is
    /// kept because reducing it takes time linear in its length for each reference.
    reduced: Option<Box<str>>,
}

/// The pieces of a base that references inherit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct BaseParts<'b> {
    parts: Parts<'b>,
    /// Everything before the path and its slash: the scheme, and the `net_loc` if any.
    location: &'b str,
    /// The path with the slash that precedes it.
    path: &'b str,
    /// The path with the slash that precedes it, without its last segment.
    directory: &'b str,
    /// Whether no segment of `directory` is `.` or `..`.
    is_plain: bool,
}

impl<'b> BaseParts<'b> {
    fn new(base: &'b str) -> Self {
        let parts = Parts::parse(base);
        let net_path = if parts.net_path { "//".len() } else { 0 };
        let (location, rest) =
            base.split_at(parts.scheme.len() + ":".len() + net_path + parts.net_loc.len());
        let path = &rest[..usize::from(parts.abs_path) + parts.path.len()];
        let directory = match path.rfind('/') {
            Some(slash) => &path[..=slash],
            // A path after a net_loc starts with a slash, even when the base has no path: §2.2 has
            // no other way to join them.
            None if parts.net_path => "/",
            None => "",
        };
        Self {
            parts,
            location,
            path,
            directory,
            is_plain: !has_dot_segment(directory),
        }
    }
}

impl<'b> Base<'b> {
    /// # Errors
    ///
    /// [`ResolveError::BadBase`] when `text` has no scheme, so nothing resolved against it could be
    /// absolute.
    pub(super) fn new(text: Cow<'b, str>) -> Result<Self, ResolveError> {
        scheme::end_of_rfc_1808(&text).ok_or(ResolveError::BadBase)?;
        let split = match text {
            Cow::Borrowed(text) => Some(BaseParts::new(text)),
            Cow::Owned(_) => None,
        };
        let mut base = Self {
            text,
            split,
            reduced: None,
        };
        base.reduced = reduced(&base.split());
        Ok(base)
    }

    fn split(&self) -> Cow<'_, BaseParts<'_>> {
        match &self.split {
            Some(split) => Cow::Borrowed(split),
            None => Cow::Owned(BaseParts::new(&self.text)),
        }
    }
}

/// Appends the URL that `reference` resolves to to `out`, in time linear in both lengths.
///
/// Source: RFC 1808 §4. The steps determine the components in the order in which step 7 writes them,
/// so each is written at once.
///
/// A relative URL inherits `//` together with an empty `net_loc`, so that `g` against `file:///a/b`
/// gives `file:///a/g`: by §2.2 the `net_loc` is empty there, not absent, and nothing in §4 removes
/// the slashes.
///
/// # Errors
///
/// The base's error, if the reference needs a base; `out` is then unchanged.
pub(super) fn resolve_into(
    base: Result<&Base<'_>, &ResolveError>,
    reference: &str,
    out: &mut String,
) -> Result<(), ResolveError> {
    // Step 1: the base is established. Without one, the embedded URL is interpreted as absolute,
    // which it is only if it starts with a scheme (2b). Step 2a
    if reference.is_empty() {
        out.push_str(&base.map_err(|e| *e)?.text);
        return Ok(());
    }
    // Step 2b
    if scheme::end_of_rfc_1808(reference).is_some() {
        out.push_str(reference);
        return Ok(());
    }
    // Step 2
    let whole = base.map_err(|e| *e)?;
    let base = whole.split();
    let embedded = Parts::parse_relative(reference);
    let (mut params, mut query) = (embedded.params, embedded.query);
    if !embedded.net_loc.is_empty() {
        // Step 2c, step 3
        push_all(&[base.parts.scheme, "://", embedded.net_loc], out);
        push_all(&[slash(embedded.abs_path), embedded.path], out);
    } else if embedded.abs_path {
        // Step 2c, step 3, step 4
        push_all(&[base.location, "/", embedded.path], out);
    } else if embedded.path.is_empty() {
        // Step 2c, step 3, step 5
        push_all(&[base.location, base.path], out);
        // Step 5a
        if params.is_empty() {
            params = base.parts.params;
            // Step 5b
            if query.is_empty() {
                query = base.parts.query;
            }
        }
    } else {
        // Step 2c, step 3, step 6
        out.push_str(base.location);
        let start = out.len() + usize::from(base.directory.starts_with('/'));
        out.push_str(whole.reduced.as_deref().unwrap_or(base.directory));
        push_merged_path(start, embedded.path, out);
    }
    // Step 7
    push_component(";", params, out);
    push_component("?", query, out);
    push_component("#", embedded.fragment, out);
    Ok(())
}

fn push_all(texts: &[&str], out: &mut String) {
    for text in texts {
        out.push_str(text);
    }
}

fn slash(abs_path: bool) -> &'static str {
    if abs_path { "/" } else { "" }
}

fn push_component(delimiter: &str, component: &str, out: &mut String) {
    if !component.is_empty() {
        push_all(&[delimiter, component], out);
    }
}

/// Whether a segment of `path` may be `.` or `..`: whether any starts with a dot.
fn has_dot_segment(path: &str) -> bool {
    let path = path.as_bytes();
    path.starts_with(b".") || path.windows(2).any(|pair| matches!(pair, b"/."))
}

/// The directory of a base without the segments that steps 6a and 6c remove; `None` if it has no dot
/// segments.
///
/// The steps work from left to right, so they reduce the directory alike for every reference, except
/// for segments at its end that `..` in the reference removes. The result may begin with a slash where
/// the directory does not: the slash then ends an empty segment, which `..` removes.
fn reduced(base: &BaseParts<'_>) -> Option<Box<str>> {
    if base.is_plain {
        return None;
    }
    // The slash that precedes the path is not part of it (§2.4.6).
    let start = usize::from(base.directory.starts_with('/'));
    let mut out = base.directory[..start].to_owned();
    for segment in base.directory[start..].split_terminator('/') {
        push_segment(segment, start, &mut out);
    }
    Some(out.into_boxed_str())
}

/// Appends the embedded path of step 6 to `out`, which ends with the base's path without its last
/// segment; the first segment of that path begins at `start`.
///
/// The remaining segments are kept on a stack, as the last paragraph of RFC 1808 §4 suggests; the
/// stack is what has been appended to `out`, each segment with its slash.
fn push_merged_path(start: usize, embedded: &str, out: &mut String) {
    if !has_dot_segment(embedded) {
        out.push_str(embedded);
        return;
    }
    let (parents, last) = embedded.split_at(embedded.rfind('/').map_or(0, |slash| slash + 1));
    for segment in parents.split_terminator('/') {
        push_segment(segment, start, out);
    }
    match last {
        // Step 6b
        "." => {}
        // Step 6d
        ".." if remove_last_segment(start, out) => {}
        _ => out.push_str(last),
    }
}

/// Appends a segment and the slash that follows it.
fn push_segment(segment: &str, start: usize, out: &mut String) {
    match segment {
        // Step 6a
        "." => {}
        // Step 6c
        ".." if remove_last_segment(start, out) => {}
        _ => {
            out.push_str(segment);
            out.push('/');
        }
    }
}

/// Removes the last segment after `start` with its slash, unless it is `..`; returns whether it
/// did. An empty segment counts (§2.2 `segment`).
fn remove_last_segment(start: usize, out: &mut String) -> bool {
    let Some(segments) = out[start..].strip_suffix('/') else {
        return false;
    };
    let segment = segments.rfind('/').map_or(0, |slash| slash + 1);
    let removable = &segments[segment..] != "..";
    if removable {
        out.truncate(start + segment);
    }
    removable
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn components_are_parsed_in_the_order_of_section_2_4() {
        let all = Parts {
            scheme: "s",
            net_path: true,
            net_loc: "n;?",
            abs_path: true,
            path: "p/p",
            params: "a;b/c",
            query: "q;/?",
            fragment: "f;/?#",
        };
        assert_eq!(Parts::parse("s://n;?/p/p;a;b/c?q;/?#f;/?#"), all);
        assert_eq!(Parts::parse(""), Parts::default());
        assert_eq!(Parts::parse(";?#"), Parts::default());
    }

    #[test]
    fn scheme_characters_before_colon() {
        for (url, scheme) in [
            ("a:", "a"),
            ("1a:b", "1a"),
            ("+-.:b", "+-."),
            (":a", ""),
            ("a/b:c", ""),
            ("a_b:c", ""),
            ("a b:c", ""),
            ("é:c", ""),
            ("a#:b", ""),
        ] {
            assert_eq!(Parts::parse(url).scheme, scheme, "{url}");
        }
    }

    #[test]
    fn base_reduced_once_resolves_as_if_reduced_each_time() {
        for (base, reference, url) in [
            ("s:/a/../b/./c/x", "g", "s:/b/c/g"),
            ("s:/a/../../b/x", "g", "s:/../b/g"),
            ("s:/../a/x", "../../g", "s:/../../g"),
            ("s:/a/./x", "..", "s:/"),
            ("s:../a/x", "../g", "s:../g"),
            ("s://h/../x", "./g", "s://h/../g"),
            ("s://h/.a/x", "..", "s://h/"),
            ("s:a/..//", "..", "s:"),
            ("s:a/..//", "../..", "s:.."),
            ("s:a/..//x", "g", "s:/g"),
        ] {
            for base in [Cow::Borrowed(base), Cow::Owned(base.to_owned())] {
                let base = Base::new(base).unwrap();
                let mut out = String::from("before");
                resolve_into(Ok(&base), reference, &mut out).unwrap();
                assert_eq!(out, format!("before{url}"), "{reference} at {}", base.text);
            }
        }
    }

    #[test]
    fn base_with_line_break_is_split_like_any_other() {
        let owned = Base::new(Cow::Owned("http://a/b".to_owned())).unwrap();
        let borrowed = Base::new(Cow::Borrowed("http://a/b")).unwrap();
        assert_eq!(owned.split(), borrowed.split());
    }
}
