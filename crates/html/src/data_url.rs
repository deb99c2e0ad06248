//! The document in a `data:` URL (RFC 2397; Fetch "data: URL processor").

use std::sync::Arc;

use percent_encoding::percent_decode_str;

use baseref_document::{Declaration, Origin, Place, Retrieval};
use baseref_resolve::clean;
use baseref_text::decode::source::{Markup, MarkupSource};
use baseref_text::decode::transfer::{self, Encoding};
use baseref_text::header::media_type::MediaType;

/// A document of markup in a URL.
pub(crate) struct DataUrl {
    /// The rules to read it by.
    markup: Markup,
    /// Its charset, as written.
    charset: Option<String>,
    /// The document.
    bytes: Vec<u8>,
    /// The URL up to the document.
    url: Arc<str>,
}

impl DataUrl {
    /// The document in a URL; `None` if the URL has another scheme or holds something else.
    pub fn parse(url: &str) -> Option<Self> {
        const SCHEME: &str = "data:";
        let start = url.trim_start_matches(|c: char| c <= ' ');
        if !start.get(..SCHEME.len())?.eq_ignore_ascii_case(SCHEME) {
            return None;
        }
        let url = clean(url);
        let body_at = url.find(',')? + 1;
        let (head, body) = url.split_at(body_at);
        let described = head[SCHEME.len()..].trim_end_matches(',').trim();
        let (described, is_base64) = match described.rsplit_once(';') {
            Some((described, last)) if last.trim().eq_ignore_ascii_case("base64") => {
                (described, true)
            }
            _ => (described, false),
        };
        let media = MediaType::parse(described.as_bytes())?;
        let markup = match media.essence.as_str() {
            // Images are not among the documents asked for.
            "image/svg+xml" => None,
            essence => Markup::from_media_type(essence),
        }?;
        let body = body.split('#').next().unwrap_or_default();
        let bytes: Vec<u8> = percent_decode_str(body).collect();
        Some(Self {
            markup,
            charset: media.charset(),
            bytes: if is_base64 {
                transfer::decode(Encoding::Base64, &bytes).bytes
            } else {
                bytes
            },
            url: head.into(),
        })
    }

    /// What is known about the document before it is read.
    pub fn source(&self, origin: Origin) -> MarkupSource<'_> {
        MarkupSource {
            markup: self.markup,
            bytes: &self.bytes,
            origin,
            part_byte: None,
            charset: self.charset.as_deref(),
            declarations: vec![Declaration::new(
                Arc::clone(&self.url),
                Place::Retrieval(Retrieval::Data),
            )],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn document_from_data_url() {
        for (url, expected) in [
            ("data:text/html,<p>", Some("<p> - data:text/html,")),
            (
                " DATA:Text/HTML;charset=koi8-r,%3Cp%3E#x",
                Some("<p> koi8-r DATA:Text/HTML;charset=koi8-r,"),
            ),
            (
                "data:text/html;charset=utf-8;base64,PHA%2B",
                Some("<p> utf-8 data:text/html;charset=utf-8;base64,"),
            ),
            (
                "data:text/html ; BASE64,PH\nA+",
                Some("<p> - data:text/html ; BASE64,"),
            ),
            (
                "data:application/xhtml+xml,x",
                Some("x - data:application/xhtml+xml,"),
            ),
            ("data:,<p>", None),
            ("data:text/plain,<p>", None),
            ("data:image/svg+xml,<svg>", None),
            ("data:text/html", None),
            ("dat", None),
            ("http://a/,", None),
        ] {
            let found = DataUrl::parse(url).map(|found| {
                let text = String::from_utf8(found.bytes).unwrap();
                let charset = found.charset.as_deref().unwrap_or("-");
                format!("{text} {charset} {}", found.url)
            });
            assert_eq!(found.as_deref(), expected, "{url}");
        }
    }
}
