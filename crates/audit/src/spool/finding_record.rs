//! The encoding of findings on disk.

use std::num::NonZeroU32;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::rules;
use baseref_document::Position;
use baseref_findings::{
    AttributeName, BaseName, Excerpt, Finding, Level, PageName, SourceLine, Urls,
};
use baseref_reader::base::BaseSource;

const LEVELS: [Level; 4] = [Level::Off, Level::Note, Level::Warning, Level::Error];

const SOURCES: [BaseSource; 4] = [
    BaseSource::Element,
    BaseSource::Header,
    BaseSource::Retrieval,
    BaseSource::None,
];

/// A finding from the scan of a document, without the document's names.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct FindingRecord<'b> {
    /// The index in [`rules::ALL`].
    rule: usize,
    /// The index in [`LEVELS`].
    level: usize,
    cause: &'b str,
    raw: &'b str,
    message: &'b str,
    url: Option<&'b str>,
    target: Option<&'b str>,
    at: Option<PositionRecord>,
    /// The element and the attribute.
    spot: Option<(&'b str, &'b str)>,
    #[serde(borrow)]
    urls: UrlsRecord<'b>,
    #[serde(borrow)]
    base: LinkBaseRecord<'b>,
    line: Option<ExcerptRecord>,
    suggestions: Vec<&'b str>,
}

#[derive(Debug, Serialize, Deserialize)]
pub(super) struct PositionRecord {
    line: NonZeroU32,
    column: NonZeroU32,
    start: u64,
    length: u64,
}

#[derive(Debug, Serialize, Deserialize)]
enum UrlsRecord<'b> {
    None,
    Same,
    #[serde(borrow)]
    Each([Option<&'b str>; 3]),
}

/// The base that a link is resolved against.
#[derive(Debug, Serialize, Deserialize)]
enum LinkBaseRecord<'b> {
    None,
    /// The base of its document.
    OfDocument,
    #[serde(borrow)]
    Own(BaseRecord<'b>),
}

#[derive(Debug, Serialize, Deserialize)]
pub(super) struct BaseRecord<'b> {
    /// The index in [`SOURCES`].
    source: usize,
    url: Option<&'b str>,
    at: &'b str,
    place: Option<PositionRecord>,
}

#[derive(Debug, Serialize, Deserialize)]
pub(super) struct ExcerptRecord {
    text: String,
    start: usize,
    end: usize,
    whole: bool,
}

impl<'b> FindingRecord<'b> {
    /// `None` if the finding has a field that is set only once all documents are scanned, or if it
    /// is about a document with other names.
    pub(super) fn new(
        finding: &'b Finding,
        page: &Arc<PageName>,
        base: &Arc<BaseName>,
    ) -> Option<Self> {
        let is_judged = finding.ordinal != 0 || finding.known || finding.allowed().is_some();
        let is_more = finding.moved.is_some() || finding.fix.is_some();
        let is_more = is_more || finding.source().is_some() || !finding.related().is_empty();
        if is_judged || is_more || !Arc::ptr_eq(&finding.page, page) {
            return None;
        }
        let mut rules = rules::ALL.iter();
        Some(Self {
            rule: rules.position(|rule| std::ptr::eq(*rule, finding.rule))?,
            level: LEVELS.iter().position(|level| *level == finding.level)?,
            cause: &finding.cause,
            raw: &finding.raw,
            message: &finding.message,
            url: finding.url.as_deref(),
            target: finding.target.as_deref(),
            at: finding.at.as_ref().map(PositionRecord::new),
            spot: finding
                .spot
                .as_deref()
                .map(|spot| (&*spot.element, &*spot.attr)),
            urls: match &finding.urls {
                Urls::None => UrlsRecord::None,
                Urls::Same => UrlsRecord::Same,
                Urls::Each(urls) => UrlsRecord::Each(urls.each_ref().map(Option::as_deref)),
            },
            base: match &finding.base {
                None => LinkBaseRecord::None,
                Some(own) if Arc::ptr_eq(own, base) => LinkBaseRecord::OfDocument,
                Some(own) => LinkBaseRecord::Own(BaseRecord::new(own)?),
            },
            line: finding.excerpt().as_deref().map(ExcerptRecord::new),
            suggestions: finding.suggestions().iter().map(String::as_str).collect(),
        })
    }

    /// The finding; `None` if the record is damaged.
    pub(super) fn into_finding(self, shared: &mut Shared) -> Option<Finding> {
        let rule = *rules::ALL.get(self.rule)?;
        let cause = shared.text(0, self.cause);
        let message = shared.text(2, self.message);
        let mut finding = Finding::new(rule, &shared.page, cause, message);
        finding.level = *LEVELS.get(self.level)?;
        finding.raw = shared.text(1, self.raw);
        finding.url = self.url.map(|url| shared.text(3, url));
        finding.target = self.target.map(|target| shared.text(4, target));
        finding.at = self.at.map(PositionRecord::into_position);
        let spot = self.spot;
        finding.spot =
            spot.map(|(element, attr)| AttributeName::shared(&mut shared.spot, element, attr));
        finding.urls = match self.urls {
            UrlsRecord::None => Urls::None,
            UrlsRecord::Same => Urls::Same,
            UrlsRecord::Each(urls) => Urls::Each(Arc::new(urls.map(|url| url.map(Arc::from)))),
        };
        finding.base = match self.base {
            LinkBaseRecord::None => None,
            LinkBaseRecord::OfDocument => Some(Arc::clone(&shared.base)),
            LinkBaseRecord::Own(own) => Some(Arc::new(own.into_base()?)),
        };
        finding.line = self.line.map(ExcerptRecord::into_line);
        let suggestions: Vec<String> = self.suggestions.into_iter().map(str::to_owned).collect();
        finding.suggest(suggestions.into());
        Some(finding)
    }
}

impl PositionRecord {
    pub(super) fn new(at: &Position) -> Self {
        Self {
            line: at.line,
            column: at.column,
            start: at.byte.start,
            length: at.byte.end.wrapping_sub(at.byte.start),
        }
    }

    pub(super) fn into_position(self) -> Position {
        Position::new(
            self.line,
            self.column,
            self.start..self.start.wrapping_add(self.length),
        )
    }
}

impl<'b> BaseRecord<'b> {
    pub(super) fn new(base: &'b BaseName) -> Option<Self> {
        let mut sources = SOURCES.iter();
        Some(Self {
            source: sources.position(|source| source.as_str() == base.source)?,
            url: base.url.as_deref(),
            at: &base.at,
            place: base.place.as_ref().map(PositionRecord::new),
        })
    }

    pub(super) fn into_base(self) -> Option<BaseName> {
        Some(BaseName {
            source: SOURCES.get(self.source)?.as_str(),
            url: self.url.map(str::to_owned),
            at: self.at.to_owned(),
            place: self.place.map(PositionRecord::into_position),
        })
    }
}

impl ExcerptRecord {
    pub(super) fn new(line: &Excerpt) -> Self {
        Self {
            text: line.text.clone(),
            start: line.value.start,
            end: line.value.end,
            whole: line.whole,
        }
    }

    pub(super) fn into_line(self) -> SourceLine {
        SourceLine::from_excerpt(Excerpt {
            text: self.text,
            value: self.start..self.end,
            whole: self.whole,
        })
    }
}

/// The data that the findings of a document share.
pub(super) struct Shared {
    pub(super) page: Arc<PageName>,
    pub(super) base: Arc<BaseName>,
    spot: Option<Arc<AttributeName>>,
    latest: [Arc<str>; 5],
}

impl Shared {
    pub(super) fn new(page: Arc<PageName>, base: Arc<BaseName>) -> Self {
        Self {
            page,
            base,
            spot: None,
            latest: Default::default(),
        }
    }

    /// A text, shared with the previous finding if that has the same text in this field.
    fn text(&mut self, field: usize, text: &str) -> Arc<str> {
        let latest = &mut self.latest[field];
        if &**latest != text {
            *latest = text.into();
        }
        Arc::clone(latest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use baseref_findings::{Fix, Related};

    #[test]
    fn finding_with_unstored_fields_has_no_record() {
        let (page, base) = (Arc::<PageName>::default(), Arc::<BaseName>::default());
        let own = BaseName {
            source: BaseSource::Header.as_str(),
            ..BaseName::default()
        };
        let is_stored = |change: &dyn Fn(&mut Finding)| {
            let mut finding =
                Finding::new(&rules::doc::unreadable::RULE, &page, "cause", "message");
            change(&mut finding);
            let Some(record) = FindingRecord::new(&finding, &page, &base) else {
                return false;
            };
            let bytes = postcard::to_allocvec(&record).expect("the record can be encoded");
            let mut shared = Shared::new(Arc::clone(&page), Arc::clone(&base));
            let record: FindingRecord<'_> =
                postcard::from_bytes(&bytes).expect("the record is valid");
            let read = record
                .into_finding(&mut shared)
                .expect("the finding is complete");
            assert_eq!(format!("{read:?}"), format!("{finding:?}"));
            true
        };
        assert!(is_stored(&|_| {}));
        assert!(is_stored(
            &|finding| finding.suggest(["a".to_owned()].into())
        ));
        assert!(is_stored(
            &|finding| finding.base = Some(Arc::new(own.clone()))
        ));
        assert!(!is_stored(&|finding| finding.page = Arc::default()));
        assert!(!is_stored(&|finding| finding.ordinal = 1));
        assert!(!is_stored(&|finding| finding.allow(Some("why".into()))));
        assert!(!is_stored(&|finding| finding.fix = Some(Box::new(Fix {
            byte: 0..1,
            text: String::new(),
        }))));
        assert!(!is_stored(&|finding| finding.relate(
            [Related {
                doc: Arc::default(),
                at: None,
                what: "",
            }]
            .into()
        )));
    }
}
