//! When a page was written. Among several archived copies of a target, the author saw the one
//! nearest to that date.

use std::cell::OnceCell;

use baseref_document::MetadataElement;

/// The date of a page, from its container or else from its own metadata, which is read on first use.
pub(crate) struct PageDate<'p> {
    /// When it was captured, sent or saved: RFC 3339.
    of_container: Option<&'p str>,
    of_metadata: OnceCell<Option<Box<str>>>,
}

/// The names of metadata that give the date of a page, the most exact first.
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

    /// The day, given the metadata elements of the page; `None` if it is unknown.
    pub(crate) fn day(&self, elements: &[MetadataElement]) -> Option<&str> {
        let of_page = || self.of_metadata.get_or_init(|| day_in(elements)).as_deref();
        self.of_container.or_else(of_page)
    }
}

/// The day in the metadata of a page.
fn day_in(elements: &[MetadataElement]) -> Option<Box<str>> {
    let dates = elements.iter().filter_map(|element| {
        let name = ["name", "property", "itemprop"];
        let name = name
            .iter()
            .find_map(|attribute| element.attribute(attribute))?;
        let rank = NAMES
            .iter()
            .position(|known| name.eq_ignore_ascii_case(known))?;
        let day = element.attribute("content")?.get(..DAY)?;
        is_day(day).then_some((rank, day))
    });
    let (_, day) = dates.min_by_key(|(rank, _)| *rank)?;
    Some(day.into())
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
    use baseref_document::ReadOptions;

    fn elements(page: &str) -> Vec<MetadataElement> {
        let options = ReadOptions::default().with_metadata_elements(true);
        baseref_reader::read_html(page.as_bytes(), None, &options).metadata_elements
    }

    #[test]
    fn date_from_metadata() {
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
            assert_eq!(day_in(&elements(page)).as_deref(), expected, "{page}");
        }
    }

    #[test]
    fn date_of_the_container_wins() {
        let page = &elements("<meta name=date content=2019-01-02>");
        let date = PageDate::new(Some("2024-01-01T00:00:00Z"));
        assert_eq!(date.day(page), Some("2024-01-01T00:00:00Z"));
        assert_eq!(PageDate::new(None).day(page), Some("2019-01-02"));
    }
}
