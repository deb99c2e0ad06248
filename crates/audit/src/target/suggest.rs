//! Recognises targets that were not meant as paths: URLs without a scheme, mail addresses, placeholders.

use baseref_hosts::{is_registrable, suffix};
use percent_encoding::percent_decode_str;

/// What the author of a broken path may have intended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Intent {
    /// This URL, which was written without its scheme or with something around it.
    Url(String),
    /// A template placeholder that was not filled in.
    Placeholder,
}

/// The longest text that is examined, in bytes.
const LONGEST: usize = 2048;

/// What the author of a URL path below the root of its site, and of its query, may have intended.
/// The first `known` segments of the path exist.
pub(crate) fn intent(path: &str, known: usize, query: &str) -> Option<Intent> {
    let missing = missing(path, known)?;
    if missing.len() + query.len() > LONGEST {
        return None;
    }
    let names = percent_decode_str(missing).decode_utf8().ok()?;
    let text = format!("{names}{query}");
    if is_placeholder(&text) {
        return Some(Intent::Placeholder);
    }
    url(&names, &text).map(Intent::Url)
}

/// The path from the first segment that does not exist. Empty segments are not counted.
fn missing(path: &str, known: usize) -> Option<&str> {
    let mut names = path.split('/').filter(|name| !name.is_empty());
    let first = names.nth(known)?;
    path.get(first.as_ptr() as usize - path.as_ptr() as usize..)
}

/// Whether a text has the placeholder syntax of a common template language.
fn is_placeholder(text: &str) -> bool {
    const MARKS: [&str; 6] = ["{{", "{%", "<%", "<?", "${", "#{"];
    let has_field = || {
        let (_, rest) = text.split_once('{')?;
        rest.split_once('}').filter(|(name, _)| !name.is_empty())
    };
    MARKS.iter().any(|mark| text.contains(mark)) || has_field().is_some()
}

/// The URL that a text was intended as, given the text up to its query.
fn url(names: &str, text: &str) -> Option<String> {
    let (first, others) = names.split_once('/').unwrap_or((names, ""));
    with_scheme(first, text).or_else(|| {
        if is_host(first, others) {
            Some(format!("https://{text}"))
        } else if is_address(names) {
            Some(format!("mailto:{text}"))
        } else {
            None
        }
    })
}

/// A URL that follows other text, or lacks the colon after its scheme.
fn with_scheme(first: &str, text: &str) -> Option<String> {
    let lower = first.to_ascii_lowercase();
    let (scheme, at) = ["https", "http"].into_iter().find_map(|scheme| {
        let at = if lower == scheme {
            Some(0)
        } else {
            lower.find(&format!("{scheme}:"))
        };
        at.map(|at| (scheme, at))
    })?;
    let rest = text.get(at + scheme.len()..)?;
    let rest = rest.trim_start_matches(':').strip_prefix('/')?;
    let rest = rest.trim_start_matches('/');
    let rest = match text.get(..at)?.chars().next_back().and_then(closing) {
        Some(closing) => rest.trim_end_matches(closing),
        None => rest,
    };
    (!rest.is_empty()).then(|| format!("{scheme}://{rest}"))
}

/// The closing counterpart of a bracket or quotation mark.
fn closing(opening: char) -> Option<char> {
    Some(match opening {
        '(' => ')',
        '[' => ']',
        '<' => '>',
        '"' => '"',
        '\'' => '\'',
        '\u{201C}' | '\u{201E}' => '\u{201D}',
        '\u{2018}' => '\u{2019}',
        _ => return None,
    })
}

/// Whether the first segment is a host. Some file extensions are top-level domains (`.pl`, `.md`, `.zip`),
/// so a single segment must end with a domain that is not an extension.
fn is_host(first: &str, others: &str) -> bool {
    const NO_EXTENSIONS: [&str; 8] = ["com", "org", "net", "edu", "gov", "info", "int", "mil"];
    let is_www = first.len() > 4 && first.as_bytes()[..4].eq_ignore_ascii_case(b"www.");
    let is_unlike_file = || {
        let end = suffix(first).map(|suffix| suffix.text);
        end.is_some_and(|end| NO_EXTENSIONS.contains(&end) || end.contains('.'))
    };
    is_registrable(first) && (is_www || !others.is_empty() || is_unlike_file())
}

/// Whether a text is a mail address.
fn is_address(text: &str) -> bool {
    text.split_once('@').is_some_and(|(local, host)| {
        let is_part =
            |c: char| !c.is_whitespace() && !c.is_control() && !"/:<>()[],;\"".contains(c);
        !local.is_empty() && local.chars().all(is_part) && is_registrable(host)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn url(path: &str) -> Option<String> {
        let (path, query) = path.split_at(path.find('?').unwrap_or(path.len()));
        match intent(path, 0, query) {
            Some(Intent::Url(url)) => Some(url),
            Some(Intent::Placeholder) => Some("placeholder".to_owned()),
            None => None,
        }
    }

    #[test]
    fn url_without_scheme() {
        for (path, intent) in [
            ("www.a.example.com/x", "https://www.a.example.com/x"),
            ("www.example.com", "https://www.example.com"),
            ("WWW.Example.com/", "https://WWW.Example.com/"),
            ("example.com/x?y=1", "https://example.com/x?y=1"),
            ("example.co.uk", "https://example.co.uk"),
            ("example.com", "https://example.com"),
            ("(https://a.example/x)", "https://a.example/x"),
            ("%E2%80%8Bhttps://a.example/(x)", "https://a.example/(x)"),
            ("%22http://a.example/?x%22", "http://a.example/?x%22"),
            ("https//a.example/x", "https://a.example/x"),
            ("URL:https://a.example/x", "https://a.example/x"),
            ("me@example.org", "mailto:me@example.org"),
            (
                "me@example.org?subject=x",
                "mailto:me@example.org?subject=x",
            ),
        ] {
            assert_eq!(url(path).as_deref(), Some(intent), "{path}");
        }
    }

    #[test]
    fn file_names_are_not_hosts() {
        for path in [
            "setup.py",
            "README.md",
            "a/example.com/x",
            "index.pl",
            "archive.zip",
            "v1.2/x.html",
            "node.js/x.html",
            "icon@2x.png",
            "http",
            "https/",
            "x.html",
        ] {
            assert_eq!(url(path), None, "{path}");
        }
    }

    #[test]
    fn existing_folder_is_not_a_host() {
        assert_eq!(intent("example.com/x.html", 1, ""), None);
        let of_missing = intent("docs//www.example.com/x", 1, "");
        let intent = Intent::Url("https://www.example.com/x".to_owned());
        assert_eq!(of_missing, Some(intent));
    }

    #[test]
    fn template_placeholders() {
        for path in [
            "%7B%7B%20page.url%20%7D%7D",
            "{% url 'x' %}",
            "<%= x %>",
            "<?php echo $x ?>",
            "${base}/x.html",
            "users/{id}",
        ] {
            assert_eq!(url(path).as_deref(), Some("placeholder"), "{path}");
        }
        for path in ["a{}b", "a{b", "x%7Dy"] {
            assert_eq!(url(path), None, "{path}");
        }
    }
}
