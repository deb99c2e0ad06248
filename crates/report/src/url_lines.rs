//! One URL per line, formatted for people.

use std::fmt::Write;

use super::defang;
use super::text::shown;
use super::url_parts;
use baseref_document::Position;
use baseref_findings::words::cut_after;

/// How lines with URLs look.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "independent choices")]
pub struct UrlLines {
    /// NUL ends a line instead of LF.
    pub nul: bool,
    /// Control characters are escaped.
    pub shown: bool,
    /// The URL is preceded by `DOC:LINE:COLUMN:`.
    pub position: bool,
    /// Colors and clickable links.
    pub color: bool,
    /// The URLs in wrappers are printed instead of these.
    pub final_url: bool,
    /// URLs are defanged so that nothing takes them for links.
    pub defang: bool,
    /// The maximum number of characters shown of a URL.
    pub longest: Option<usize>,
    /// Only `data:` URLs are cut.
    pub only_data: bool,
}

/// The maximum length in bytes of a URL that terminals open.
const LONGEST_LINK: usize = 2_000;
/// The schemes of clickable links. A click on any other starts the program registered for it.
const CLICKABLE: [&str; 3] = ["http", "https", "mailto"];

impl UrlLines {
    /// Writes the line of a URL in a document, with its place if known.
    pub fn line(&self, url: &str, doc: &str, at: Option<&Position>, out: &mut Vec<u8>) {
        let start = out.len();
        if self.position {
            self.position(doc, at, out);
        }
        if *self
            == (Self {
                nul: self.nul,
                position: self.position,
                final_url: self.final_url,
                ..Self::default()
            })
        {
            out.extend_from_slice(url.as_bytes());
        } else {
            self.url(url, out);
        }
        debug_assert!(out.len() >= start);
        out.push(if self.nul { 0 } else { b'\n' });
    }

    fn position(&self, doc: &str, at: Option<&Position>, out: &mut Vec<u8>) {
        let doc = if self.shown { shown(doc) } else { doc.into() };
        let mut position = String::new();
        let [name, number, mark, end] = if self.color {
            // The colors of grep: magenta, green, cyan.
            ["\u{1b}[35m", "\u{1b}[32m", "\u{1b}[36m", "\u{1b}[0m"]
        } else {
            [""; 4]
        };
        let _ = write!(position, "{name}{doc}{end}{mark}:{end}");
        if let Some(at) = at {
            let (line, column) = (at.line, at.column);
            let _ = write!(
                position,
                "{number}{line}{end}{mark}:{end}{number}{column}{end}{mark}:{end}"
            );
        }
        out.extend_from_slice(position.as_bytes());
    }

    fn url(&self, url: &str, out: &mut Vec<u8>) {
        let mut text = self.cut(url);
        if self.defang {
            text = defang::url(&text);
        }
        if self.shown {
            text = shown(&text).into_owned();
        }
        let is_clickable = |scheme: &str| {
            let mut schemes = CLICKABLE.iter();
            schemes.any(|clickable| clickable.eq_ignore_ascii_case(scheme))
        };
        let is_link = self.color
            && !self.defang
            && url.len() <= LONGEST_LINK
            && url
                .split_once(':')
                .is_some_and(|(scheme, _)| is_clickable(scheme))
            && url.bytes().all(|byte| byte.is_ascii_graphic());
        if is_link {
            // OSC 8, a convention among terminals.
            text = format!("\u{1b}]8;;{url}\u{1b}\\{text}\u{1b}]8;;\u{1b}\\");
        }
        out.extend_from_slice(text.as_bytes());
    }

    fn cut(&self, url: &str) -> String {
        let is_data = || url_parts::scheme(url).is_some_and(|scheme| scheme == "data");
        match self.longest {
            Some(longest) if !self.only_data || is_data() => cut_after(longest, url).into_owned(),
            _ => url.to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn url(style: UrlLines, url: &str) -> String {
        let mut out = Vec::new();
        style.url(url, &mut out);
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn defanged_line_has_no_link() {
        let style = UrlLines {
            defang: true,
            color: true,
            ..UrlLines::default()
        };
        for (from, to) in [
            (
                "http://a.example.org/b.c?d=https://e.f",
                "hxxp://a[.]example[.]org/b.c?d=hxxps://e.f",
            ),
            ("HTTPS://u@a.b", "HxxPS://u[@]a[.]b"),
            ("mailto:a@b.c?subject=d.e", "mailto:a[@]b[.]c?subject=d.e"),
            ("urn:a.b", "urn:a.b"),
        ] {
            assert_eq!(url(style, from), to);
        }
    }

    #[test]
    fn cut_url_is_marked() {
        let style = UrlLines {
            longest: Some(10),
            ..UrlLines::default()
        };
        let cut = "data:,1234...[1 more characters]";
        assert_eq!(url(style, "data:,12345"), cut);
        assert_eq!(url(style, "data:,1234"), "data:,1234");
        assert_eq!(url(style, "http://a/\u{e9}"), "http://a/\u{e9}");
        assert_eq!(
            url(style, "http://a/\u{e9}6"),
            "http://a/\u{e9}...[1 more characters]"
        );
        let style = UrlLines {
            only_data: true,
            ..style
        };
        assert_eq!(url(style, "http://a/123456"), "http://a/123456");
        assert_eq!(url(style, "data:,12345"), cut);
    }

    #[test]
    fn hyperlinks_without_input_controls() {
        let style = UrlLines {
            color: true,
            shown: true,
            ..UrlLines::default()
        };
        assert_eq!(
            url(style, "http://a/"),
            "\u{1b}]8;;http://a/\u{1b}\\http://a/\u{1b}]8;;\u{1b}\\"
        );
        assert_eq!(
            url(style, "http://a/\u{1b}\u{202e}"),
            "http://a/\\u{1b}\\u{202e}"
        );
    }

    #[test]
    fn hyperlinks_only_for_schemes_safe_to_open() {
        let style = UrlLines {
            color: true,
            shown: true,
            ..UrlLines::default()
        };
        for safe in ["http://a/", "HTTPS://a/", "MailTo:a@b.example"] {
            let link = format!("\u{1b}]8;;{safe}\u{1b}\\{safe}\u{1b}]8;;\u{1b}\\");
            assert_eq!(url(style, safe), link);
        }
        for other in [
            "javascript:x",
            "file:///a",
            "ssh://a/",
            "httpx://a/",
            "//a/b",
            "",
        ] {
            assert_eq!(url(style, other), other);
        }
    }
}
