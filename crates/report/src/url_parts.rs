//! The parts of a URL that reports have columns for.

pub use baseref_resolve::parts::{host, path, scheme};

/// The registrable domain of the host ([`baseref_hosts::site`]): what a single owner controls.
#[must_use]
pub fn site(url: &str) -> Option<String> {
    baseref_hosts::site(&host(url)?).map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use std::borrow::Cow;

    use super::*;

    #[test]
    fn url_components() {
        for (url, parts) in [
            (
                "HTTP://u:p@WWW.Example.co.UK:8080/a%20b?c#d",
                [
                    Some("http"),
                    Some("www.example.co.uk"),
                    Some("example.co.uk"),
                    Some("/a%20b"),
                ],
            ),
            (
                "https://me.github.io/x",
                [
                    Some("https"),
                    Some("me.github.io"),
                    Some("me.github.io"),
                    Some("/x"),
                ],
            ),
            (
                "http://co.uk/",
                [Some("http"), Some("co.uk"), None, Some("/")],
            ),
            (
                "http://[::1]:80/",
                [Some("http"), Some("[::1]"), None, Some("/")],
            ),
            (
                "http://127.0.0.1/",
                [Some("http"), Some("127.0.0.1"), None, Some("/")],
            ),
            (
                "http://localhost",
                [Some("http"), Some("localhost"), None, Some("")],
            ),
            (
                "mailto:a@b.org",
                [Some("mailto"), None, None, Some("a@b.org")],
            ),
            ("file:///a", [Some("file"), None, None, Some("/a")]),
            (
                "http://www.b\u{fc}cher.de/",
                [
                    Some("http"),
                    Some("www.b\u{fc}cher.de"),
                    Some("b\u{fc}cher.de"),
                    Some("/"),
                ],
            ),
        ] {
            let found = [
                scheme(url),
                host(url),
                site(url).map(Cow::Owned),
                Some(Cow::Borrowed(path(url))),
            ];
            assert_eq!(found.each_ref().map(Option::as_deref), parts, "{url}");
        }
    }
}
