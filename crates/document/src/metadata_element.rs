//! The elements by which a page describes itself: `link` and `meta`.

use std::ops::Range;

use super::position::Position;

/// A `meta` element of an HTML or XHTML page (HTML "metadata content"), or a `link` element with one of
/// the relations [`MetadataElement::RELATIONS`], outside templates and comments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MetadataElement {
    /// Its name: `link` or `meta`.
    pub name: &'static str,
    /// Its attributes among [`MetadataElement::ATTRIBUTES`], by name in lower case: the first of each
    /// name, its character references decoded.
    pub attributes: Box<[(&'static str, Box<str>)]>,
    /// The position of its `content` or `href`, which the other attributes describe; without either,
    /// the position of the first attribute listed.
    pub at: Position,
    /// The indices of its references in [`crate::Document::references`].
    pub references: Range<usize>,
    /// Whether it precedes the body.
    pub in_head: bool,
    /// Whether it is in a `noscript` element of the head.
    pub in_noscript: bool,
}

impl MetadataElement {
    /// The link types (HTML "link types") whose `link` elements are listed.
    pub const RELATIONS: [&'static str; 2] = ["alternate", "canonical"];

    /// The attributes that are kept, by the name of the element.
    pub const ATTRIBUTES: [(&'static str, &'static [&'static str]); 2] = [
        (
            "link",
            &[
                "href", "rel", "hreflang", "type", "media", "title", "sizes", "as",
            ],
        ),
        (
            "meta",
            &[
                "content",
                "name",
                "property",
                "itemprop",
                "http-equiv",
                "charset",
                "media",
            ],
        ),
    ];

    /// The value of an attribute, its name given in lower case.
    #[must_use]
    pub fn attribute(&self, name: &str) -> Option<&str> {
        let found = self.attributes.iter().find(|(own, _)| *own == name)?;
        Some(&found.1)
    }

    /// Whether the value of an attribute, a list separated by white space, has a word, which is given
    /// in lower case; both in any letter case.
    #[must_use]
    pub fn has_word(&self, attribute: &str, word: &str) -> bool {
        let mut words = self
            .attribute(attribute)
            .unwrap_or_default()
            .split_ascii_whitespace();
        words.any(|one| one.eq_ignore_ascii_case(word))
    }

    /// The language of the alternate version that it links to: `hreflang` of a `link rel=alternate`,
    /// in lower case.
    #[must_use]
    pub fn alternate_language(&self) -> Option<String> {
        let language = self.attribute("hreflang")?.trim_ascii();
        let is_alternate = self.name == "link" && self.has_word("rel", "alternate");
        (is_alternate && !language.is_empty()).then(|| language.to_ascii_lowercase())
    }

    /// Whether it links to the canonical URL of the page (RFC 6596).
    #[must_use]
    pub fn is_canonical(&self) -> bool {
        self.name == "link" && self.has_word("rel", "canonical")
    }

    /// Whether it asks all search engines not to index the page: a robots directive of the head,
    /// outside `noscript`, that says `noindex` or `none`.
    #[must_use]
    pub fn forbids_indexing(&self) -> bool {
        let names_robots = self
            .attribute("name")
            .is_some_and(|name| name.trim_ascii().eq_ignore_ascii_case("robots"));
        if self.name != "meta" || !names_robots || !self.in_head || self.in_noscript {
            return false;
        }
        let content = self.attribute("content").unwrap_or_default();
        let mut words = content.split(|c: char| c == ',' || c.is_ascii_whitespace());
        words.any(|word| word.eq_ignore_ascii_case("noindex") || word.eq_ignore_ascii_case("none"))
    }

    /// The delay in seconds after which a refresh of the page (`meta http-equiv=refresh`) takes
    /// effect; `None` for other elements and for a value without a delay.
    ///
    /// Source: HTML "shared declarative refresh steps" 6 and 7: a fraction alone is 0.
    #[must_use]
    pub fn refresh_delay(&self) -> Option<u32> {
        let kind = self.attribute("http-equiv")?;
        if self.name != "meta" || !kind.eq_ignore_ascii_case("refresh") {
            return None;
        }
        let value = self.attribute("content")?.trim_ascii_start();
        let end = value.find(|c: char| !c.is_ascii_digit());
        match &value[..end.unwrap_or(value.len())] {
            "" => value.starts_with('.').then_some(0),
            digits => Some(digits.parse().unwrap_or(u32::MAX)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::num::NonZeroU32;

    fn element(name: &'static str, attributes: &[(&'static str, &str)]) -> MetadataElement {
        let attributes = attributes.iter();
        MetadataElement {
            name,
            attributes: attributes
                .map(|(name, value)| (*name, (*value).into()))
                .collect(),
            at: Position {
                line: NonZeroU32::MIN,
                column: NonZeroU32::MIN,
                byte: 0..0,
            },
            references: 0..0,
            in_head: true,
            in_noscript: false,
        }
    }

    #[test]
    fn refresh_delay_of_browsers() {
        for (content, delay) in [
            ("0; url=x", Some(0)),
            (" 2;url=x", Some(2)),
            (".5,url=x", Some(0)),
            ("99999999999;x", Some(u32::MAX)),
            ("x", None),
            ("", None),
        ] {
            let refresh = element("meta", &[("content", content), ("http-equiv", "REFRESH")]);
            assert_eq!(refresh.refresh_delay(), delay, "{content}");
        }
        let other = element("meta", &[("content", "1"), ("http-equiv", "content-type")]);
        assert_eq!(other.refresh_delay(), None);
    }

    #[test]
    fn robots_directive_of_the_head() {
        for (name, content, forbids) in [
            ("robots", "noindex, follow", true),
            (" Robots ", "none,follow", true),
            ("robots", "index", false),
            ("robots", "xnoindex", false),
            ("googlebot", "noindex", false),
        ] {
            let mut robots = element("meta", &[("content", content), ("name", name)]);
            assert_eq!(robots.forbids_indexing(), forbids, "{name}: {content}");
            robots.in_head = false;
            assert!(!robots.forbids_indexing());
        }
    }

    #[test]
    fn canonical_and_alternate_links() {
        let canonical = element("link", &[("rel", " x CANONICAL\n"), ("href", "/a")]);
        assert!(canonical.is_canonical());
        assert_eq!(canonical.alternate_language(), None);
        let alternate = element("link", &[("rel", "Alternate"), ("hreflang", " DE ")]);
        assert_eq!(alternate.alternate_language().as_deref(), Some("de"));
        assert!(!element("meta", &[("rel", "canonical")]).is_canonical());
    }
}
