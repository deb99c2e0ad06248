//! The metadata of a page for search engines: title, canonical URL, robots directive, and alternates in
//! other languages.

use std::collections::BTreeMap;

use baseref_document::Document;

/// The metadata of a page.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PageMetadata {
    /// The title, with white space collapsed.
    pub title: Option<String>,
    /// The canonical URL as written, with character references decoded.
    pub canonical: Option<String>,
    /// Whether a robots directive says `noindex` or `none`.
    pub is_hidden: bool,
    /// The alternate URLs by language, as written, with character references decoded.
    pub languages: BTreeMap<String, String>,
}

impl PageMetadata {
    /// The metadata of a page that was read with [`ReadOptions::metadata_elements`].
    ///
    /// [`ReadOptions::metadata_elements`]: baseref_document::ReadOptions::metadata_elements
    #[must_use]
    pub fn new(document: &Document) -> Self {
        let mut metadata = Self {
            title: document.metadata.title.as_deref().map(str::to_owned),
            ..Self::default()
        };
        let elements = document.metadata_elements.iter();
        for element in elements.filter(|element| element.in_head && !element.in_noscript) {
            metadata.is_hidden |= element.forbids_indexing();
            let href = || element.attribute("href").unwrap_or_default().trim_ascii();
            if element.is_canonical() {
                metadata.canonical.get_or_insert_with(|| href().to_owned());
            } else if let Some(language) = element.alternate_language() {
                let url = metadata.languages.entry(language);
                url.or_insert_with(|| href().to_owned());
            }
        }
        metadata
    }
}

/// The changed kinds of metadata, each with a message. `was` maps a URL of the old page, as written, to
/// its present target; `is` does the same for the new page.
#[must_use]
pub fn changes(
    old: &PageMetadata,
    new: &PageMetadata,
    was: impl Fn(&str) -> String,
    is: impl Fn(&str) -> String,
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
    if old.canonical.as_deref().map(&was) != new.canonical.as_deref().map(&is) {
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
    let was = old.languages.iter().map(|(name, url)| (name, was(url)));
    let is = new.languages.iter().map(|(name, url)| (name, is(url)));
    if !was.eq(is) {
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
    use baseref_document::ReadOptions;

    fn read(page: &[u8]) -> PageMetadata {
        let options = ReadOptions::default().with_metadata_elements(true);
        PageMetadata::new(&baseref_reader::read_html(page, None, &options))
    }

    #[test]
    fn metadata_of_the_head_but_not_of_comments_or_scripts() {
        let page = b"<!-- <title>no</title> --><script>'<title>no</title>'</script>\
            <TITLE> A\n b </TITLE><meta name=robots content='noindex, follow'>\
            <link rel=\"canonical\" href=/a><link rel=alternate hreflang=de href=/de/>\
            <body><title>no</title>";
        let metadata = read(page);
        assert_eq!(metadata.title.as_deref(), Some("A b"));
        assert_eq!(metadata.canonical.as_deref(), Some("/a"));
        assert!(metadata.is_hidden);
        assert_eq!(
            metadata.languages.get("de").map(String::as_str),
            Some("/de/")
        );
        let text = str::from_utf8(page).expect("the page is ASCII");
        let units = std::iter::once(0xfeff).chain(text.encode_utf16());
        let utf_16: Vec<u8> = units.flat_map(u16::to_le_bytes).collect();
        assert_eq!(read(&utf_16), metadata);
        let far = [b"<style>", &b"x".repeat(300_000)[..], b"</style>", page].concat();
        assert_eq!(read(&far), metadata);
        let other_spelling = b"<title>A&#32;b</title><META CONTENT=\"none,follow\" NAME=Robots>\
            <link href='&#x2f;a' title=\"x > y\" REL=\"x Canonical\">\
            <link hreflang=\"DE\" href=\"/de/\" rel=Alternate>";
        assert_eq!(read(other_spelling), metadata);
        let changed = changes(
            &metadata,
            &PageMetadata::default(),
            str::to_owned,
            str::to_owned,
        );
        let what: Vec<&str> = changed.iter().map(|(what, _)| *what).collect();
        assert_eq!(what, ["title", "canonical", "robots", "hreflang"]);
    }
}
