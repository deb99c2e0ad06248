//! One finding and the places it speaks of.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

use super::{Excerpt, Fingerprint, Level, Rule};
use crate::document::Position;

/// The names of a document; its findings share them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PageName {
    /// Its origin as [`crate::document::Origin`] prints it: the path as the user named it.
    pub doc: String,
    /// Its own URL as reports show it; `None` where it is unknown.
    pub url: Option<String>,
    /// What names it in fingerprints: its path below the input, so that neither the working
    /// directory nor the place of the tree changes one.
    pub key: String,
}

/// The base of a document; its findings share it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BaseName {
    /// The URL as reports show it; `None` where there is none (RFC 1808 §3.4).
    pub url: Option<String>,
    /// The layer that gave it, by [`crate::base::BaseSource::as_str`].
    pub source: &'static str,
    /// The place that gave it, in words; empty where there is none.
    pub at: String,
    /// Where that stands in the document, if it is an element of it.
    pub place: Option<Position>,
}

/// Another place that a finding speaks of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Related {
    /// The file, as [`PageName::doc`] names documents.
    pub doc: String,
    /// Where in it; `None` for the file as a whole.
    pub at: Option<Position>,
    /// What is there, in a few words.
    pub what: &'static str,
}

/// What a move does to a link.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Moved {
    /// What it leads to before the move.
    pub old_url: Option<String>,
    /// What it leads to after the move.
    pub new_url: Option<String>,
    /// What it should lead to after the move.
    pub expected: Option<String>,
    /// By what the link is tied to its place: `absolute`, `root-path`, `base` and the like;
    /// empty where it is not.
    pub via: &'static str,
    /// The redirects that lead from the old URL to where it ends, in order.
    pub hops: Vec<String>,
}

/// An edit that mends a link.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fix {
    /// The bytes of the document that are replaced.
    pub byte: Range<u64>,
    /// What stands there instead, as it is to be written: escaped and quoted as need be.
    pub text: String,
}

/// One thing that is the matter with one place.
#[derive(Clone, Debug)]
pub struct Finding {
    /// The rule that it breaks.
    pub rule: &'static Rule,
    /// Its level: the rule's, unless the check or the user says otherwise.
    pub level: Level,
    /// What findings of one group have in common: the target that is missing, the base, the
    /// cause of a disagreement.
    pub cause: String,
    /// The document.
    pub page: Arc<PageName>,
    /// Where in the document it is; `None` for the document as a whole.
    pub at: Option<Position>,
    /// The element's name; empty where no element is meant.
    pub element: Cow<'static, str>,
    /// The attribute's name; empty where none is meant.
    pub attr: Cow<'static, str>,
    /// The value as written, character references decoded.
    pub raw: String,
    /// The link's URL by the chosen rule set, as reports show it.
    pub url: Option<String>,
    /// The link's URL by each of [`crate::resolve::Rules::ALL`]; all `None` where the finding
    /// is not about a link.
    pub urls: [Option<String>; 3],
    /// The base that the link was resolved against; `None` where the finding is not about a
    /// link.
    pub base: Option<Arc<BaseName>>,
    /// The file that the link leads to, or would: its path below the tree, as reports show it.
    pub target: Option<String>,
    /// What is the matter, one line without a full stop. It does not repeat the value, its URL
    /// or the suggestions: outputs put them beside it.
    pub message: String,
    /// What could have been meant, the likeliest first.
    pub suggestions: Vec<String>,
    /// The line of the source around the value; `None` where it was not asked for.
    pub excerpt: Option<Excerpt>,
    /// What a move does to it; `None` where nothing is moved.
    pub moved: Option<Box<Moved>>,
    /// Other places that it speaks of, its base aside.
    pub related: Vec<Related>,
    /// The edit that mends it.
    pub fix: Option<Fix>,
    /// Its fingerprint; [`super::Triage`] fills it in.
    pub fingerprint: Fingerprint,
    /// Whether it is in the baseline; [`super::Triage`] says so.
    pub known: bool,
    /// Why the user allows it; [`super::Triage`] says so.
    pub allowed: Option<Arc<str>>,
}

impl Finding {
    /// A finding about a document as a whole; the fields for a place in it are to be set.
    #[must_use]
    pub fn new(
        rule: &'static Rule,
        page: &Arc<PageName>,
        cause: impl Into<String>,
        message: impl Into<String>,
    ) -> Self {
        Self {
            rule,
            level: rule.level,
            cause: cause.into(),
            page: Arc::clone(page),
            at: None,
            element: Cow::Borrowed(""),
            attr: Cow::Borrowed(""),
            raw: String::new(),
            url: None,
            urls: [const { None }; 3],
            base: None,
            target: None,
            message: message.into(),
            suggestions: Vec::new(),
            excerpt: None,
            moved: None,
            related: Vec::new(),
            fix: None,
            fingerprint: Fingerprint::default(),
            known: false,
            allowed: None,
        }
    }

    /// The name of its group in reports: the rule, a space, and the cause.
    #[must_use]
    pub fn group(&self) -> String {
        format!("{} {}", self.rule.id, self.cause)
    }

    /// Whether it counts: it is neither known nor allowed.
    #[must_use]
    pub fn is_new(&self) -> bool {
        !self.known && self.allowed.is_none()
    }
    /// Sorts the findings of one document: by place, a finding about the document as a whole
    /// first; in one place by rule.
    pub fn sort(findings: &mut [Self]) {
        findings.sort_by(|a, b| {
            let place = |finding: &Self| finding.at.as_ref().map(|at| at.byte.start);
            place(a)
                .cmp(&place(b))
                .then_with(|| a.rule.id.cmp(b.rule.id))
        });
    }
}
