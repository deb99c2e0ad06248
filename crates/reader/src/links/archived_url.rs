//! URLs of captures in Wayback-style web archives (the Internet Archive's, `OpenWayback`, pywb),
//! which contain the captured URL.

use std::borrow::Cow;

/// The information in the URL of a capture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Capture<'u> {
    /// The captured URL as written; if one of its two slashes was lost (`http:/a/b`), as some
    /// programs merge them, it is restored.
    pub original: Cow<'u, str>,
    /// When it was captured, in UTC: 4 to 14 digits as written, a prefix of `YYYYMMDDhhmmss`.
    pub at: &'u str,
}

/// The maximum number of segments before the timestamp: the name of a collection, such as `web` or
/// `wayback/archive`.
const COLLECTION: usize = 2;

/// Parses the URL of a capture: `https://web.archive.org/web/20190717140047im_/http://a/b`. It is
/// recognised by its form, not its host, since archives have many: a timestamp as the first, second
/// or third path segment, perhaps with a modifier after it (pywb, "URL rewriting"), then an http or
/// https URL. The list of all captures of a URL (`/web/2019*/http://a/b`) does not count.
///
/// `None` if it is not such a URL.
#[must_use]
pub fn capture(url: &str) -> Option<Capture<'_>> {
    let (_, rest) = web_url(url)?;
    let (_, mut path) = before_slash(rest)?;
    for _ in 0..=COLLECTION {
        let (segment, rest) = before_slash(path)?;
        if let Some(at) = timestamp(segment)
            && let Some((scheme, rest)) = web_url(rest)
        {
            let has_slashes = scheme.ends_with("//");
            return Some(Capture {
                original: if has_slashes {
                    Cow::Borrowed(&path[segment.len() + 1..])
                } else {
                    Cow::Owned(format!("{scheme}/{rest}"))
                },
                at,
            });
        }
        path = rest;
    }
    None
}

/// The timestamp in `20190717140047` or `20190717140047im_`.
fn timestamp(segment: &str) -> Option<&str> {
    let end = segment
        .find(|character: char| !character.is_ascii_digit())
        .unwrap_or(segment.len());
    let (digits, modifier) = segment.split_at(end);
    let is_modifier = modifier.strip_suffix('_').is_some_and(|letters| {
        !letters.is_empty() && letters.bytes().all(|byte| byte.is_ascii_lowercase())
    });
    ((4..=14).contains(&digits.len()) && (modifier.is_empty() || is_modifier)).then_some(digits)
}

/// An http or https URL split after its scheme and the one or two slashes that follow it.
fn web_url(url: &str) -> Option<(&str, &str)> {
    let is_web = |prefix: &&str| {
        url.get(..prefix.len())
            .is_some_and(|start| start.eq_ignore_ascii_case(prefix))
    };
    let prefix = ["http://", "https://", "http:/", "https:/"]
        .into_iter()
        .find(is_web)?;
    let (scheme, rest) = url.split_at(prefix.len());
    (!rest.is_empty() && !rest.starts_with('/')).then_some((scheme, rest))
}

/// The text before the next slash, if that is in the path, and the text after it.
fn before_slash(path: &str) -> Option<(&str, &str)> {
    path.split_once('/')
        .filter(|(segment, _)| !segment.contains(['?', '#']))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn capture_url_contains_url_and_time() {
        for (url, at, original) in [
            (
                "https://web.archive.org/web/20190717140047/http://a/b?c#d",
                "20190717140047",
                "http://a/b?c#d",
            ),
            (
                "https://web.archive.org/web/20190717140047im_/https://a:80/",
                "20190717140047",
                "https://a:80/",
            ),
            (
                "http://web.archive.org/web/2019/http:/a/b",
                "2019",
                "http://a/b",
            ),
            ("http://h/web/2019js_/HTTPS:/a", "2019", "HTTPS://a"),
            ("http://h/2019/http://a", "2019", "http://a"),
            ("http://h:8080/1068/201907/http://a", "201907", "http://a"),
            (
                "https://www.webarchive.org.uk/wayback/archive/20160109092723mp_/http://a/",
                "20160109092723",
                "http://a/",
            ),
            (
                "http://h/web/2019/http://h/web/2010/http://a/",
                "2019",
                "http://h/web/2010/http://a/",
            ),
        ] {
            let found = capture(url).unwrap();
            assert_eq!((found.at, &*found.original), (at, original), "{url}");
        }
    }

    #[test]
    fn other_urls_are_not_captures() {
        for url in [
            "http://a/b",
            "http://a",
            "http://web.archive.org/web/",
            "http://web.archive.org/web/2019*/http://a/b",
            "http://web.archive.org/web/2019-2020/http://a/b",
            "http://web.archive.org/web/http://a/b",
            "http://web.archive.org/web/201/http://a/b",
            "http://web.archive.org/web/201907171400470/http://a/b",
            "http://web.archive.org/web/2019IM_/http://a/b",
            "http://web.archive.org/web/2019_/http://a/b",
            "http://web.archive.org/web/2019im/http://a/b",
            "http://web.archive.org/web/2019/a/b",
            "http://web.archive.org/web/2019/ftp://a/b",
            "http://web.archive.org/web/2019/http:///b",
            "http://web.archive.org/web/2019/http://",
            "http://h/a/b/c/2019/http://a/b",
            "http://h/?u=/2019/http://a/b",
            "http://h/a#/2019/http://a/b",
            "ftp://h/web/2019/http://a/b",
            "/web/2019/http://a/b",
            "mailto:é",
            "",
        ] {
            assert_eq!(capture(url), None, "{url}");
        }
    }
}
