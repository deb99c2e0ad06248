//! URLs as browsers send them. Captures have such URLs.

use std::borrow::Cow;

use baseref_resolve::parts;
use baseref_resolve::{Resolver, Rules};
use encoding_rs::{Encoding, UTF_8};

/// Whether the query of a URL or reference has letters that a browser writes in the encoding of the page
/// (URL Standard, "query state"). Pages in UTF-16 ask in UTF-8.
pub(crate) fn has_encoded_query(url: &str, encoding: &'static Encoding) -> bool {
    encoding.output_encoding() != UTF_8 && parts::query(url).is_some_and(|query| !query.is_ascii())
}

/// A URL as browsers send it: letters of a query that other rule sets leave as they are in the encoding
/// of the page.
pub(crate) fn as_sent<'u>(url: &'u str, encoding: &'static Encoding) -> Cow<'u, str> {
    if !has_encoded_query(url, encoding) {
        return Cow::Borrowed(url);
    }
    let resolver = Resolver::new(Rules::Whatwg, None, encoding);
    resolver.resolve(url).map_or(Cow::Borrowed(url), Cow::Owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_of_a_query_in_the_encoding_of_the_page() {
        let cyrillic = encoding_rs::WINDOWS_1251;
        for (url, encoding, sent) in [
            (
                "http://a.example/?q=да",
                cyrillic,
                "http://a.example/?q=%E4%E0",
            ),
            ("http://a.example/?q=да", UTF_8, "http://a.example/?q=да"),
            (
                "http://a.example/?q=да",
                encoding_rs::UTF_16LE,
                "http://a.example/?q=да",
            ),
            ("http://a.example/да?q", cyrillic, "http://a.example/да?q"),
            ("http://a.example/#a?да", cyrillic, "http://a.example/#a?да"),
        ] {
            assert_eq!(as_sent(url, encoding), sent);
        }
    }
}
