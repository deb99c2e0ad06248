//! What search engines read in the head of a page: its title, canonical URL, robots directive and
//! alternates in other languages.

use std::collections::BTreeMap;

use baseref_html::tags::{Tag, Tags};
use baseref_text::decode::encoding;

/// How many bytes of a page are examined: no head is longer.
const HEAD: usize = 256 * 1024;

/// The facts of one page.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PageMetadata {
    /// White space collapsed.
    pub title: Option<String>,
    /// As written, character references decoded.
    pub canonical: Option<String>,
    /// Whether a robots directive says `noindex` or `none`.
    pub is_hidden: bool,
    /// The URLs by language, as written, character references decoded.
    pub languages: BTreeMap<String, String>,
}

/// Reads the facts from the bytes of a page.
#[must_use]
pub fn read(bytes: &[u8], encoding: &str) -> PageMetadata {
    let encoding = encoding::named(encoding);
    let head = bytes.get(..HEAD).unwrap_or(bytes);
    let text = encoding.decode(head).0;
    let mut metadata = PageMetadata::default();
    let mut tags = Tags::new(&text, &["title", "meta", "link", "body"]);
    while let Some(tag) = tags.next() {
        if tag.is("body") {
            break;
        }
        if tag.in_noscript {
            continue;
        }
        if tag.is("meta") {
            metadata.is_hidden |= tag.hides_page();
        } else if tag.is("link") {
            metadata.link(&tag);
        } else if metadata.title.is_none() {
            let title = tags.text();
            let words: Vec<&str> = title.split_whitespace().collect();
            metadata.title = Some(words.join(" "));
        }
    }
    metadata
}

impl PageMetadata {
    fn link(&mut self, tag: &Tag<'_>) {
        let href = tag
            .value("href")
            .unwrap_or_default()
            .trim_ascii()
            .to_owned();
        let language = tag.value("hreflang").unwrap_or_default();
        let language = language.trim_ascii().to_ascii_lowercase();
        if tag.has_word("rel", "canonical") {
            self.canonical.get_or_insert(href);
        } else if tag.has_word("rel", "alternate") && !language.is_empty() {
            self.languages.entry(language).or_insert(href);
        }
    }
}

/// What differs, by kind and in words. `was` maps a URL of the old page, as written, to where it leads
/// now, and `is` does one of the new page.
#[must_use]
pub fn changes(
    old: &PageMetadata,
    new: &PageMetadata,
    was: &dyn Fn(&str) -> String,
    is: &dyn Fn(&str) -> String,
) -> Vec<(&'static str, String)> {
    let mut out = Vec::new();
    let shown = |text: &Option<String>| match text {
        Some(text) => format!("{text:?}"),
        None => "none".to_owned(),
    };
    if old.title != new.title {
        out.push((
            "title",
            format!("title was {}, is {}", shown(&old.title), shown(&new.title)),
        ));
    }
    if old.canonical.as_deref().map(was) != new.canonical.as_deref().map(is) {
        let message = format!(
            "canonical was {}, is {}",
            shown(&old.canonical),
            shown(&new.canonical)
        );
        out.push(("canonical", message));
    }
    if old.is_hidden != new.is_hidden {
        let message = if new.is_hidden {
            "robots now says noindex"
        } else {
            "robots no longer says noindex"
        };
        out.push(("robots", message.to_owned()));
    }
    let languages = |metadata: &PageMetadata, map: &dyn Fn(&str) -> String| {
        let all = metadata.languages.iter();
        all.map(|(language, url)| (language.clone(), map(url)))
            .collect::<BTreeMap<String, String>>()
    };
    if languages(old, was) != languages(new, is) {
        let names = |metadata: &PageMetadata| {
            let all: Vec<&str> = metadata.languages.keys().map(String::as_str).collect();
            all.join(" ")
        };
        out.push((
            "hreflang",
            format!(
                "hreflang alternates were [{}], are [{}], or lead elsewhere",
                names(old),
                names(new)
            ),
        ));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn facts_stand_in_the_head_and_not_in_comments_or_scripts() {
        let page = b"<!-- <title>no</title> --><script>'<title>no</title>'</script>\
            <TITLE> A\n b </TITLE><meta name=robots content='noindex, follow'>\
            <link rel=\"canonical\" href=/a><link rel=alternate hreflang=de href=/de/>\
            <body><title>no</title>";
        let metadata = read(page, "UTF-8");
        assert_eq!(metadata.title.as_deref(), Some("A b"));
        assert_eq!(metadata.canonical.as_deref(), Some("/a"));
        assert!(metadata.is_hidden);
        assert_eq!(
            metadata.languages.get("de").map(String::as_str),
            Some("/de/")
        );
        let written_otherwise = b"<title>A&#32;b</title><META CONTENT=\"none,follow\" NAME=Robots>\
            <link href='&#x2f;a' title=\"x > y\" REL=\"x Canonical\">\
            <link hreflang=\"DE\" href=\"/de/\" rel=Alternate>";
        assert_eq!(read(written_otherwise, "UTF-8"), metadata);
        let changed = changes(
            &metadata,
            &PageMetadata::default(),
            &str::to_owned,
            &str::to_owned,
        );
        let what: Vec<&str> = changed.iter().map(|(what, _)| *what).collect();
        assert_eq!(what, ["title", "canonical", "robots", "hreflang"]);
    }
}
