//! Findings as bytes.

use std::sync::Arc;

use super::bytes::{Reader, Writer};
use crate::rules;
use baseref_findings::{BaseName, Excerpt, Finding, Level, PageName, SourceLine, Spot, Urls};
use baseref_reader::base::BaseSource;

const LEVELS: [Level; 4] = [Level::Off, Level::Note, Level::Warning, Level::Error];

const SOURCES: [BaseSource; 4] = [
    BaseSource::Element,
    BaseSource::Header,
    BaseSource::Retrieval,
    BaseSource::None,
];

/// Writes a finding that was made when its document was scanned; `None` if it has what is not written.
pub(super) fn write(
    finding: &Finding,
    (page, base): (&Arc<PageName>, &Arc<BaseName>),
    out: &mut Writer,
) -> Option<()> {
    let is_judged = finding.ordinal != 0 || finding.known || finding.allowed().is_some();
    let is_more = finding.moved.is_some() || finding.fix.is_some() || finding.source().is_some();
    let is_of_others = !Arc::ptr_eq(&finding.page, page) || !finding.related().is_empty();
    if is_judged || is_more || is_of_others {
        return None;
    }
    let mut rules = rules::ALL.iter();
    let rule = rules.position(|rule| std::ptr::eq(*rule, finding.rule))?;
    let level = LEVELS.iter().position(|level| *level == finding.level)?;
    out.number(rule as u64);
    out.number(level as u64);
    for text in [&finding.cause, &finding.raw, &finding.message] {
        out.text(text);
    }
    for text in [&finding.url, &finding.target] {
        out.option(text.as_deref(), Writer::text);
    }
    out.option(finding.at.as_ref(), Writer::position);
    out.option(finding.spot.as_deref(), |out, spot| {
        out.text(&spot.element);
        out.text(&spot.attr);
    });
    match &finding.urls {
        Urls::None => out.number(0),
        Urls::Same => out.number(1),
        Urls::Each(urls) => {
            out.number(2);
            for url in urls.iter() {
                out.option(url.as_deref(), Writer::text);
            }
        }
    }
    match &finding.base {
        None => out.number(0),
        Some(own) if Arc::ptr_eq(own, base) => out.number(1),
        Some(own) => {
            out.number(2);
            write_base(own, out)?;
        }
    }
    out.option(finding.excerpt().as_deref(), write_excerpt);
    out.number(finding.suggestions().len() as u64);
    for suggestion in finding.suggestions() {
        out.text(suggestion);
    }
    Some(())
}

/// What the findings of a document share.
pub(super) struct Shared {
    pub(super) page: Arc<PageName>,
    pub(super) base: Arc<BaseName>,
    spot: Option<Arc<Spot>>,
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

    /// A text, which is that of the finding before if it is the same.
    fn text(&mut self, which: usize, text: &str) -> Arc<str> {
        let latest = &mut self.latest[which];
        if &**latest != text {
            *latest = text.into();
        }
        Arc::clone(latest)
    }
}

/// Reads what [`write`] wrote.
pub(super) fn read(from: &mut Reader<'_>, shared: &mut Shared) -> Option<Finding> {
    let rule = *rules::ALL.get(from.size()?)?;
    let level = *LEVELS.get(from.size()?)?;
    let cause = shared.text(0, from.text()?);
    let raw = shared.text(1, from.text()?);
    let message = shared.text(2, from.text()?);
    let mut finding = Finding::new(rule, &shared.page, cause, message);
    finding.level = level;
    finding.raw = raw;
    finding.url = from.option(Reader::text)?.map(|url| shared.text(3, url));
    let target = from.option(Reader::text)?;
    finding.target = target.map(|target| shared.text(4, target));
    finding.at = from.option(Reader::position)?;
    let spot = from.option(|from| Some((from.text()?, from.text()?)))?;
    finding.spot = spot.map(|(element, attr)| Spot::shared(&mut shared.spot, element, attr));
    finding.urls = match from.number()? {
        0 => Urls::None,
        1 => Urls::Same,
        _ => {
            let mut url = || Some(from.option(Reader::text)?.map(Arc::from));
            Urls::Each(Arc::new([url()?, url()?, url()?]))
        }
    };
    finding.base = match from.number()? {
        0 => None,
        1 => Some(Arc::clone(&shared.base)),
        _ => Some(Arc::new(read_base(from)?)),
    };
    finding.line = from.option(read_excerpt)?.map(SourceLine::of);
    let mut suggestions = Vec::new();
    for _ in 0..from.number()? {
        suggestions.push(from.text()?.to_owned());
    }
    finding.suggest(suggestions.into());
    Some(finding)
}

pub(super) fn write_base(base: &BaseName, out: &mut Writer) -> Option<()> {
    let mut sources = SOURCES.iter();
    let source = sources.position(|source| source.as_str() == base.source)?;
    out.number(source as u64);
    out.option(base.url.as_deref(), Writer::text);
    out.text(&base.at);
    out.option(base.place.as_ref(), Writer::position);
    Some(())
}

pub(super) fn read_base(from: &mut Reader<'_>) -> Option<BaseName> {
    Some(BaseName {
        source: SOURCES.get(from.size()?)?.as_str(),
        url: from.option(Reader::text)?.map(str::to_owned),
        at: from.text()?.to_owned(),
        place: from.option(Reader::position)?,
    })
}

pub(super) fn write_excerpt(out: &mut Writer, line: &Excerpt) {
    out.text(&line.text);
    out.number(line.value.start as u64);
    out.number(line.value.end as u64);
    out.flag(line.whole);
}

pub(super) fn read_excerpt(from: &mut Reader<'_>) -> Option<Excerpt> {
    Some(Excerpt {
        text: from.text()?.to_owned(),
        value: from.size()?..from.size()?,
        whole: from.flag()?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use baseref_findings::{Fix, Related};

    #[test]
    fn what_is_not_written_keeps_a_finding_in_memory() {
        let (page, base) = (Arc::<PageName>::default(), Arc::<BaseName>::default());
        let own = BaseName {
            source: BaseSource::Header.as_str(),
            ..BaseName::default()
        };
        let is_written = |change: &dyn Fn(&mut Finding)| {
            let mut finding =
                Finding::new(&rules::doc::unreadable::RULE, &page, "cause", "message");
            change(&mut finding);
            let mut out = Writer::default();
            let written = write(&finding, (&page, &base), &mut out);
            let mut shared = Shared::new(Arc::clone(&page), Arc::clone(&base));
            let read = read(&mut Reader::new(&out.0), &mut shared);
            let is_same = read.is_some_and(|read| format!("{read:?}") == format!("{finding:?}"));
            assert_eq!(written.is_some(), is_same);
            is_same
        };
        assert!(is_written(&|_| {}));
        assert!(is_written(
            &|finding| finding.suggest(["a".to_owned()].into())
        ));
        assert!(is_written(
            &|finding| finding.base = Some(Arc::new(own.clone()))
        ));
        assert!(!is_written(&|finding| finding.page = Arc::default()));
        assert!(!is_written(&|finding| finding.ordinal = 1));
        assert!(!is_written(&|finding| finding.allow(Some("why".into()))));
        assert!(!is_written(&|finding| finding.fix = Some(Box::new(Fix {
            byte: 0..1,
            text: String::new(),
        }))));
        assert!(!is_written(&|finding| finding.relate(
            [Related {
                doc: Arc::default(),
                at: None,
                what: "",
            }]
            .into()
        )));
    }
}
