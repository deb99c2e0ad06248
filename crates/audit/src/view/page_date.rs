//! When a page was written: of several copies of what it links to, the nearest is what its author saw.

use std::cell::OnceCell;

/// The date of a page, from what holds it or, failing that, from its own metadata, which is looked
/// for when it is first asked for.
pub(crate) struct PageDate<'p> {
    /// When it was captured, sent or saved: RFC 3339.
    of_container: Option<&'p str>,
    of_metadata: OnceCell<Option<Box<str>>>,
}

/// How much of a page is searched for its metadata.
const HEAD: usize = 64 * 1024;

/// The names of metadata that say when a page was written, the most exact first.
const NAMES: [&str; 10] = [
    "article:published_time",
    "datepublished",
    "dcterms.date",
    "dc.date",
    "dcterms.created",
    "dc.date.created",
    "date",
    "article:modified_time",
    "dcterms.modified",
    "last-modified",
];

/// The length of `2024-03-01`.
const DAY: usize = 10;

impl<'p> PageDate<'p> {
    pub(crate) fn new(of_container: Option<&'p str>) -> Self {
        Self {
            of_container,
            of_metadata: OnceCell::new(),
        }
    }

    /// The day, given the page as stored; `None` if nothing says it.
    pub(crate) fn day(&self, source: Option<&[u8]>) -> Option<&str> {
        let of_page = || {
            self.of_metadata
                .get_or_init(|| day_in(source.unwrap_or_default()))
                .as_deref()
        };
        self.of_container.or_else(of_page)
    }
}

/// The day that the metadata of a page says.
fn day_in(page: &[u8]) -> Option<Box<str>> {
    let head = String::from_utf8_lossy(page.get(..HEAD).unwrap_or(page)).to_ascii_lowercase();
    let tags = head.split("<meta").skip(1);
    let tags = tags.map(|tag| tag.split_once('>').map_or(tag, |(tag, _)| tag));
    let dates = tags.filter_map(|tag| {
        let name = ["name", "property", "itemprop"];
        let name = name.iter().find_map(|attribute| value(tag, attribute))?;
        let rank = NAMES.iter().position(|known| *known == name)?;
        let day = value(tag, "content")?.get(..DAY)?;
        is_day(day).then_some((rank, day))
    });
    let (_, day) = dates.min_by_key(|(rank, _)| *rank)?;
    Some(day.into())
}

/// The value of an attribute of a tag.
fn value<'t>(tag: &'t str, attribute: &str) -> Option<&'t str> {
    let mut rest = tag;
    while let Some(at) = rest.find(attribute) {
        let is_whole = rest[..at].ends_with(|c: char| c.is_ascii_whitespace());
        rest = &rest[at + attribute.len()..];
        if let Some(value) = rest.trim_start().strip_prefix('=')
            && is_whole
        {
            let value = value.trim_start();
            let quote = value.chars().next().filter(|c| matches!(c, '"' | '\''));
            return match quote {
                Some(quote) => value[1..].split(quote).next(),
                None => value.split_ascii_whitespace().next(),
            };
        }
    }
    None
}

/// `2024-03-01`.
fn is_day(text: &str) -> bool {
    let shape: String = text
        .chars()
        .map(|c| if c.is_ascii_digit() { '0' } else { c })
        .collect();
    shape == "0000-00-00"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_says_when_it_was_written() {
        for (page, expected) in [
            (
                "<meta name=date content=2019-01-02T03:04:05Z>",
                Some("2019-01-02"),
            ),
            (
                "<META NAME='last-modified' CONTENT='2021-01-02'><meta content=\"2020-05-06\" property=\"article:published_time\">",
                Some("2020-05-06"),
            ),
            ("<meta name=date content='May 1'>", None),
            ("<meta name=update content=2019-01-02>", None),
            ("<meta data-name=date content=2019-01-02>", None),
            ("", None),
        ] {
            assert_eq!(day_in(page.as_bytes()).as_deref(), expected, "{page}");
        }
    }

    #[test]
    fn what_holds_a_page_says_it_better() {
        let page = b"<meta name=date content=2019-01-02>";
        let date = PageDate::new(Some("2024-01-01T00:00:00Z"));
        assert_eq!(date.day(Some(page)), Some("2024-01-01T00:00:00Z"));
        assert_eq!(PageDate::new(None).day(Some(page)), Some("2019-01-02"));
    }
}
