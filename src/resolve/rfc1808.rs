//! RFC 1808, "Relative Uniform Resource Locators": §2.4 (parsing) and §4 (resolving).

use std::borrow::Cow;

use super::ResolveError;

/// A URL split into the components of RFC 1808 §2.1, borrowed from it and as they stand
/// in it.
///
/// A component that is absent and one that is empty are the same here (§2.4.1, §2.4.4 and
/// §2.4.5 know no difference): both are the empty string.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Parts<'a> {
    /// Without its colon.
    pub scheme: &'a str,
    /// Whether `//` stood before the `net_loc` (§2.2 `net_path`). The `net_loc` after it
    /// may be empty, as in `file:///etc/motd`.
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
    /// The components of `url`, absolute or relative. Every string has them.
    ///
    /// Source: RFC 1808 §2.4.
    #[must_use]
    pub fn parse(url: &'a str) -> Self {
        // §2.4.1 Parsing the Fragment Identifier
        let (rest, fragment) = cut(url, '#');
        // §2.4.2 Parsing the Scheme
        let (scheme, rest) = match scheme_end(rest) {
            Some(colon) => (&rest[..colon], &rest[colon + 1..]),
            None => ("", rest),
        };
        // §2.4.3 Parsing the Network Location/Login
        let (net_path, net_loc, rest) = match rest.strip_prefix("//") {
            Some(after) => {
                let (net_loc, rest) = after.split_at(after.find('/').unwrap_or(after.len()));
                (true, net_loc, rest)
            }
            None => (false, "", rest),
        };
        // §2.4.4 Parsing the Query Information
        let (rest, query) = cut(rest, '?');
        // §2.4.5 Parsing the Parameters
        let (rest, params) = cut(rest, ';');
        // §2.4.6 Parsing the Path
        let (abs_path, path) = match rest.strip_prefix('/') {
            Some(path) => (true, path),
            None => (false, rest),
        };
        Self {
            scheme,
            net_path,
            net_loc,
            abs_path,
            path,
            params,
            query,
            fragment,
        }
    }

    /// Appends all that stands before the path, the slash that precedes it included.
    fn push_before_path(&self, out: &mut String) {
        if !self.scheme.is_empty() {
            out.push_str(self.scheme);
            out.push(':');
        }
        if self.net_path {
            out.push_str("//");
            out.push_str(self.net_loc);
        }
        if self.abs_path {
            out.push('/');
        }
    }

    /// Appends all that stands after the path.
    fn push_after_path(&self, out: &mut String) {
        for (delimiter, component) in [(';', self.params), ('?', self.query), ('#', self.fragment)]
        {
            if !component.is_empty() {
                out.push(delimiter);
                out.push_str(component);
            }
        }
    }
}

/// The text before the first `delimiter` and the text after it, empty if there is none.
fn cut(text: &str, delimiter: char) -> (&str, &str) {
    text.split_once(delimiter).unwrap_or((text, ""))
}

/// Where the colon after a scheme stands, in bytes.
///
/// Source: RFC 1808 §2.4.2; a scheme may start with a digit, and has at least one
/// character.
fn scheme_end(url: &str) -> Option<usize> {
    let colon = url
        .bytes()
        .position(|b| !(b.is_ascii_alphanumeric() || matches!(b, b'+' | b'.' | b'-')))?;
    (colon > 0 && url.as_bytes()[colon] == b':').then_some(colon)
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
    /// [`ResolveError::BadBase`] when `text` has no scheme, so that no absolute URL could
    /// come of it.
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

/// Appends the URL that `reference` stands for to `out`, in time linear in both lengths.
///
/// Source: RFC 1808 §4. A relative URL inherits `//` together with an empty `net_loc`, so
/// that `g` against `file:///a/b` gives `file:///a/g`: §2.2 has `net_loc` empty there, not
/// absent, and §4 says nothing that would remove the slashes.
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
    // Step 1: the base is established. Where it is unknown, the embedded URL is
    // interpreted as an absolute one, which only what starts with a scheme (2b) can be.
    // Step 2
    let embedded = Parts::parse(reference);
    // Step 2a
    if reference.is_empty() {
        out.push_str(&base.map_err(|e| *e)?.text);
        return Ok(());
    }
    // Step 2b
    if !embedded.scheme.is_empty() {
        out.push_str(reference);
        return Ok(());
    }
    // Step 2c
    let base = base.map_err(|e| *e)?.parts();
    let mut url = Parts {
        scheme: base.scheme,
        ..embedded
    };
    let mut directory = None;
    // Step 3
    if embedded.net_loc.is_empty() {
        url.net_path = base.net_path;
        url.net_loc = base.net_loc;
        if embedded.abs_path {
            // Step 4
        } else if embedded.path.is_empty() {
            // Step 5
            url.abs_path = base.abs_path;
            url.path = base.path;
            // Step 5a
            if embedded.params.is_empty() {
                url.params = base.params;
                // Step 5b
                if embedded.query.is_empty() {
                    url.query = base.query;
                }
            }
        } else {
            // Step 6. A path after a net_loc has a slash before it, also when the base
            // has no path: §2.2 knows no other way to join them.
            url.abs_path = base.abs_path || base.net_path;
            directory = Some(&base.path[..base.path.rfind('/').map_or(0, |slash| slash + 1)]);
        }
    }
    // Step 7
    url.push_before_path(out);
    match directory {
        Some(directory) => push_merged_path(directory, url.path, out),
        None => out.push_str(url.path),
    }
    url.push_after_path(out);
    Ok(())
}

/// Appends the path that step 6 makes of the base's path without its last segment and of
/// the embedded path.
///
/// The segments that stay are kept on a stack, as the last paragraph of RFC 1808 §4
/// proposes; the stack is the text after the end that `out` had, each segment with its
/// slash. `directory` is empty or ends with a slash.
fn push_merged_path(directory: &str, embedded: &str, out: &mut String) {
    let start = out.len();
    if directory.as_bytes().contains(&b'.') {
        for segment in directory.split_terminator('/') {
            push_segment(segment, start, out);
        }
    } else {
        out.push_str(directory);
    }
    let (parents, last) = match embedded.rfind('/') {
        Some(slash) => (&embedded[..=slash], &embedded[slash + 1..]),
        None => ("", embedded),
    };
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

/// Appends a segment that a slash follows, and the slash.
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

/// Removes the last segment after `start` with its slash, and says whether there was one
/// that is not `..`. An empty segment is a segment (§2.2 `segment`).
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
    fn parsing_takes_the_components_in_the_order_of_section_2_4() {
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
    fn a_scheme_is_letters_digits_and_marks_before_a_colon_that_is_not_first() {
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
    fn a_base_with_a_line_break_inside_is_split_like_any_other() {
        let owned = Base::new(Cow::Owned("http://a/b".to_owned())).unwrap();
        let borrowed = Base::new(Cow::Borrowed("http://a/b")).unwrap();
        assert_eq!(owned.parts(), borrowed.parts());
    }
}
