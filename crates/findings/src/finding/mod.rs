//! Findings, and the positions that they refer to.

pub(crate) mod excerpt;
pub(crate) mod fingerprint;
pub(crate) mod source_line;

use std::borrow::Cow;
use std::fmt;
use std::num::NonZeroU32;
use std::ops::Range;
use std::sync::Arc;

use crate::{Excerpt, Fingerprint, Level, Rule, SourceLine, Violation};
use baseref_document::Position;
use baseref_resolve::parts::without_query;

/// The rules whose cause is the outermost missing folder above a missing file or address.
const FOLDER_RULES: [&str; 2] = ["target/missing-file", "move/lost-page"];

/// The names of a document; its findings share them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PageName {
    /// Its origin as printed by [`baseref_document::Origin`], with the path as named by the user.
    pub doc: String,
    /// Its own URL as shown in reports; `None` if unknown.
    pub url: Option<String>,
    /// Its name in fingerprints: its path below the input, so that they depend neither on the
    /// working directory nor on the location of the tree.
    pub key: String,
}

/// The base of a document; its findings share it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BaseName {
    /// The URL as shown in reports; `None` if there is none (RFC 1808 §3.4).
    pub url: Option<String>,
    /// The layer that gave it, by `baseref_reader::base::BaseSource::as_str`.
    pub source: &'static str,
    /// Where it was declared, in words; empty if the document has no base.
    pub at: String,
    /// The position of the declaration, if it is an element.
    pub place: Option<Position>,
}

/// Another position that a finding refers to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Related {
    /// The file, in the form of [`PageName::doc`].
    pub doc: Arc<str>,
    /// The position in the file; `None` for the file as a whole.
    pub at: Option<Position>,
    /// What is there, in a sentence.
    pub what: &'static str,
}

/// A position in the source of a generated page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourcePlace {
    /// The file, as the page or the user names it.
    pub file: Arc<str>,
    /// The line, if known.
    pub line: Option<NonZeroU32>,
}

impl fmt::Display for SourcePlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.file)?;
        match self.line {
            Some(line) => write!(f, ":{line}"),
            None => Ok(()),
        }
    }
}

/// The effect of a move on a link.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MoveEffect {
    /// Its URL before the move.
    pub old_url: Option<String>,
    /// Its URL after the move.
    pub new_url: Option<String>,
    /// The URL that it should have after the move.
    pub expected: Option<String>,
    /// What ties the link to its location: `absolute`, `root-path`, `base` and the like; empty if
    /// nothing does.
    pub via: &'static str,
    /// The redirects from the old URL to its final target, in order.
    pub hops: Vec<String>,
}

/// An edit that fixes a link.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fix {
    /// The byte range of the document to replace.
    pub byte: Range<u64>,
    /// The replacement as written, with any necessary escapes and quotes.
    pub text: String,
}

/// The attribute that a finding is about; the findings of a document share it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AttributeName {
    /// The element's name.
    pub element: Box<str>,
    /// The attribute's name.
    pub attr: Box<str>,
}

impl AttributeName {
    /// The spot with these names, shared with `latest` if that has them. Otherwise replaces `latest`.
    #[must_use]
    pub fn shared(latest: &mut Option<Arc<Self>>, element: &str, attr: &str) -> Arc<Self> {
        let known = latest.take();
        let known = known.filter(|spot| &*spot.element == element && &*spot.attr == attr);
        let spot = known.unwrap_or_else(|| {
            Arc::new(Self {
                element: element.into(),
                attr: attr.into(),
            })
        });
        *latest = Some(Arc::clone(&spot));
        spot
    }
}

/// The URLs of a link by each of [`baseref_resolve::Rules::ALL`]. They rarely differ.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Urls {
    /// The finding is not about a link, or the URLs were not asked for.
    #[default]
    None,
    /// Every rule set gives [`Finding::url`].
    Same,
    /// One for each rule set.
    Each(Arc<[Option<Arc<str>>; 3]>),
}

impl From<[Option<Arc<str>>; 3]> for Urls {
    fn from(urls: [Option<Arc<str>>; 3]) -> Self {
        if urls.iter().all(Option::is_none) {
            Self::None
        } else {
            Self::Each(Arc::new(urls))
        }
    }
}

/// Details that few findings have.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Details {
    suggestions: Arc<[String]>,
    related: Arc<[Related]>,
    allowed: Option<Arc<str>>,
    source: Option<SourcePlace>,
}

/// One fault at one position.
///
/// A page can have as many findings as links, so findings are small: they share texts with their
/// clones and, where that is cheap, with other findings, and rare details are stored separately.
#[derive(Clone, Debug)]
pub struct Finding {
    /// The rule that it breaks.
    pub rule: &'static Rule,
    /// Its level, which the check or the user may have changed.
    pub level: Level,
    /// The common cause of the findings of a group: the missing target, the base, the cause of a
    /// disagreement.
    pub cause: Arc<str>,
    /// The document.
    pub page: Arc<PageName>,
    /// The position in the document; `None` for the document as a whole.
    pub at: Option<Position>,
    /// The element and the attribute; `None` if the finding is not about an attribute.
    pub spot: Option<Arc<AttributeName>>,
    /// The value as written, character references decoded.
    pub raw: Arc<str>,
    /// The link's URL by the chosen rule set, as shown in reports.
    pub url: Option<Arc<str>>,
    /// The link's URLs by all rule sets.
    pub urls: Urls,
    /// The base that the link was resolved against; `None` if the finding is not about a link.
    pub base: Option<Arc<BaseName>>,
    /// The file that the link leads to, or would: its path below the tree, as shown in reports.
    pub target: Option<Arc<str>>,
    /// The fault, in one line without a full stop. The value, its URL and the suggestions are not
    /// repeated: outputs show them with it.
    pub message: Arc<str>,
    /// The source line around the value; `None` if not asked for.
    pub line: Option<SourceLine>,
    /// The effect of a move on the link; `None` if nothing moves.
    pub moved: Option<Box<MoveEffect>>,
    /// The edit that fixes it.
    pub fix: Option<Box<Fix>>,
    /// Its 0-based index among the findings of its document with the same rule and value; set by
    /// [`crate::Triage`].
    pub ordinal: u64,
    /// Whether it is in the baseline; set by [`crate::Triage`].
    pub known: bool,
    details: Option<Box<Details>>,
}

impl Finding {
    /// A finding about a document as a whole. Set the other fields for a position in it.
    #[must_use]
    pub fn new(
        rule: &'static Rule,
        page: &Arc<PageName>,
        cause: impl Into<Arc<str>>,
        message: impl Into<Arc<str>>,
    ) -> Self {
        Self {
            rule,
            level: rule.level,
            cause: cause.into(),
            page: Arc::clone(page),
            at: None,
            spot: None,
            raw: Arc::default(),
            url: None,
            urls: Urls::default(),
            base: None,
            target: None,
            message: message.into(),
            line: None,
            moved: None,
            fix: None,
            ordinal: 0,
            known: false,
            details: None,
        }
    }

    /// The finding of a violation in a document as a whole; set the other fields for a position in it.
    #[must_use]
    pub fn from_violation(
        violation: impl Into<Violation>,
        page: &Arc<PageName>,
        cause: impl Into<Arc<str>>,
    ) -> Self {
        Self::of_violation(violation.into(), page, cause.into())
    }

    fn of_violation(violation: Violation, page: &Arc<PageName>, cause: Arc<str>) -> Self {
        let Violation {
            rule,
            level,
            message,
        } = violation;
        Self {
            level,
            ..Self::new(rule, page, cause, message)
        }
    }

    /// Replaces its rule, level and message.
    pub fn say(&mut self, violation: impl Into<Violation>) {
        let violation = violation.into();
        self.rule = violation.rule;
        self.level = violation.level;
        self.message = violation.message;
    }

    /// The element's name; empty if it is not about an element.
    #[must_use]
    pub fn element(&self) -> &str {
        self.spot.as_ref().map_or("", |spot| &spot.element)
    }

    /// The attribute's name; empty if it is not about one.
    #[must_use]
    pub fn attr(&self) -> &str {
        self.spot.as_ref().map_or("", |spot| &spot.attr)
    }

    /// The link's URL by each of [`baseref_resolve::Rules::ALL`]; all `None` if the finding is not
    /// about a link.
    #[must_use]
    pub fn each_url(&self) -> [Option<&str>; 3] {
        match &self.urls {
            Urls::None => [None; 3],
            Urls::Same => [self.url.as_deref(); 3],
            Urls::Each(urls) => urls.each_ref().map(Option::as_deref),
        }
    }

    /// Suggested replacements, the most likely first.
    #[must_use]
    pub fn suggestions(&self) -> &[String] {
        self.details.as_ref().map_or(&[], |more| &more.suggestions)
    }

    /// Sets [`Self::suggestions`].
    pub fn suggest(&mut self, suggestions: Arc<[String]>) {
        self.set(!suggestions.is_empty(), |more| {
            more.suggestions = suggestions;
        });
    }

    /// Other positions that it refers to, apart from its base.
    #[must_use]
    pub fn related(&self) -> &[Related] {
        self.details.as_ref().map_or(&[], |more| &more.related)
    }

    /// Sets [`Self::related`].
    pub fn relate(&mut self, related: Arc<[Related]>) {
        self.set(!related.is_empty(), |more| more.related = related);
    }

    /// The position in the source of a generated page; `None` if unknown.
    #[must_use]
    pub fn source(&self) -> Option<&SourcePlace> {
        self.details.as_ref()?.source.as_ref()
    }

    /// Sets [`Self::source`].
    pub fn set_source(&mut self, source: SourcePlace) {
        self.set(true, |more| more.source = Some(source));
    }

    /// Why the user allows it; set by [`crate::Triage`].
    #[must_use]
    pub fn allowed(&self) -> Option<&str> {
        self.details.as_ref()?.allowed.as_deref()
    }

    /// Sets [`Self::allowed`].
    pub fn allow(&mut self, reason: Option<Arc<str>>) {
        self.set(reason.is_some(), |more| more.allowed = reason);
    }

    /// Sets a detail. Allocates only if it `is_needed`, or if there are details already.
    fn set(&mut self, is_needed: bool, set: impl FnOnce(&mut Details)) {
        if is_needed || self.details.is_some() {
            set(self.details.get_or_insert_default());
        }
    }

    /// The source line around the value; `None` if not asked for.
    #[must_use]
    pub fn excerpt(&self) -> Option<Cow<'_, Excerpt>> {
        self.line.as_ref()?.around(&self.at.as_ref()?.byte)
    }

    /// Cuts its source line out of the document, which can then be freed.
    pub(crate) fn cut_out_line(&mut self) {
        let line = self.excerpt().map(Cow::into_owned);
        self.line = line.map(SourceLine::from_excerpt);
    }

    /// What is missing below a missing folder, if the folder is the cause: a file or an address.
    pub(crate) fn lost_below_folder(&self) -> Option<&str> {
        if !FOLDER_RULES.contains(&self.rule.id) || !self.cause.ends_with('/') {
            return None;
        }
        let lost = match self.target.as_deref() {
            Some(target) => target,
            None => without_query(self.url.as_deref()?),
        };
        lost.starts_with(&*self.cause).then_some(lost)
    }

    /// The name of its group in reports: the rule, a space, and the cause.
    #[must_use]
    pub fn group(&self) -> String {
        format!("{} {}", self.rule.id, self.cause)
    }

    /// The fingerprint that identifies it in later runs. Its ordinal must be set.
    #[must_use]
    pub fn fingerprint(&self) -> Fingerprint {
        Fingerprint::new(self.rule, &self.page.key, &self.raw, self.ordinal)
    }

    /// Whether it counts: it is neither in the baseline nor allowed.
    #[must_use]
    pub fn is_new(&self) -> bool {
        !self.known && self.allowed().is_none()
    }

    /// Sorts the findings of one document by position, those about the document as a whole first, and then
    /// by rule.
    pub fn sort(findings: &mut [Self]) {
        findings.sort_by(|a, b| {
            let place = |finding: &Self| finding.at.as_ref().map(|at| at.byte.start);
            place(a)
                .cmp(&place(b))
                .then_with(|| a.rule.id.cmp(b.rule.id))
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rule::tests::MISSING;

    /// A page with 20 bytes per link has about 50,000 findings per megabyte.
    #[test]
    fn size_of_a_finding() {
        assert!(size_of::<Finding>() <= 200, "{}", size_of::<Finding>());
        let mut finding = Finding::new(&MISSING, &Arc::default(), "", "");
        finding.allow(None);
        finding.suggest(Arc::default());
        finding.relate(Arc::default());
        assert!(finding.details.is_none());
        finding.suggest(["x".to_owned()].into());
        finding.allow(Some("known".into()));
        assert_eq!(finding.suggestions(), ["x"]);
        assert_eq!(finding.allowed(), Some("known"));
        finding.allow(None);
        assert_eq!(finding.allowed(), None);
    }

    #[test]
    fn findings_about_one_attribute_share_its_names() {
        let mut latest = None;
        let [a, b, c] =
            ["href", "href", "src"].map(|attr| AttributeName::shared(&mut latest, "a", attr));
        assert!(Arc::ptr_eq(&a, &b) && !Arc::ptr_eq(&b, &c));
        assert_eq!((&*c.element, &*c.attr), ("a", "src"));
    }
}
