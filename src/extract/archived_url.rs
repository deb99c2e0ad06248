//! URLs of captures in web archives of the Wayback kind (the Internet Archive's, `OpenWayback`,
//! pywb), which hold the URL that was captured.

use std::borrow::Cow;

/// What the URL of a capture tells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Capture<'u> {
    /// The URL that was captured, as it stands there; where one of its two slashes got lost
    /// (`http:/a/b`), as programs do that join them, it is there again.
    pub original: Cow<'u, str>,
    /// When it was captured, 4 to 14 digits as they stand there: the beginning of
    /// `YYYYMMDDhhmmss`, in UTC.
    pub at: &'u str,
}

/// At most so many segments stand before the timestamp: the name of a collection, `web` say, or
/// `wayback/archive`.
const COLLECTION: usize = 2;

/// Reads the URL of a capture: `https://web.archive.org/web/20190717140047im_/http://a/b`. It is
/// told by its form, not by its host, for archives have many: a timestamp as second, third or
/// fourth part between slashes, perhaps with a modifier after it (pywb, "URL rewriting"), then an
/// http or https URL. The list of all captures of a URL (`/web/2019*/http://a/b`) is none.
///
/// `None` if it is no such URL.
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

/// An http or https URL behind its scheme and the one or two slashes after that, which go with
/// the scheme.
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

/// What stands before the next slash, if that is in the path, and what stands after it.
fn before_slash(path: &str) -> Option<(&str, &str)> {
    path.split_once('/')
        .filter(|(segment, _)| !segment.contains(['?', '#']))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_capture_holds_the_url_and_the_time() {
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
    fn other_urls_are_no_captures() {
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
