//! Exceptions: findings that the user allows, for a reason and perhaps for a limited time.

use std::collections::{BTreeSet, HashMap};
use std::str::FromStr;
use std::sync::Arc;

use globset::{Glob, GlobBuilder, GlobMatcher, GlobSet, GlobSetBuilder};
use time::Date;

use super::Finding;
use baseref_document::Position;

/// An exception: findings that do not count. In globs, `*` also matches slashes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Allow {
    /// A glob for the rule's id.
    pub rule: String,
    /// A glob for the link's URL as shown in reports, its target, or its value as written; `None`
    /// matches every finding.
    pub url: Option<String>,
    /// A glob for the document: its path below the tree, or its name as shown in reports; `None`
    /// matches every document.
    pub doc: Option<String>,
    /// Why; empty on the command line.
    pub reason: String,
    /// The last day on which it is valid.
    pub expires: Option<Date>,
    /// Where it is in the configuration.
    pub at: Option<Position>,
}

impl FromStr for Allow {
    type Err = String;

    /// Parses `RULE[:URLGLOB][@DOCGLOB]`: the rule ends at the first colon, and the glob for the
    /// document begins after the last `@`.
    ///
    /// # Errors
    /// A message if there is no rule or a glob is malformed.
    fn from_str(argument: &str) -> Result<Self, String> {
        let (rest, doc) = match argument.rsplit_once('@') {
            Some((rest, doc)) => (rest, Some(doc.to_owned())),
            None => (argument, None),
        };
        let (rule, url) = match rest.split_once(':') {
            Some((rule, url)) => (rule, Some(url.to_owned())),
            None => (rest, None),
        };
        if rule.is_empty() {
            return Err(format!(
                "`{argument}` is not of the form RULE[:URLGLOB][@DOCGLOB]"
            ));
        }
        let allow = Self {
            rule: rule.to_owned(),
            url,
            doc,
            ..Self::default()
        };
        allow.check()?;
        Ok(allow)
    }
}

impl Allow {
    /// Its globs.
    fn compile(&self, matchers: &mut Matchers) -> Result<Compiled, String> {
        Ok(Compiled {
            rule: matchers.of(&self.rule)?,
            url: glob(self.url.as_deref().unwrap_or("*"))?,
            doc: match &self.doc {
                Some(doc) => Some(matchers.of(doc)?),
                None => None,
            },
        })
    }

    /// Checks that all its globs are well formed.
    ///
    /// # Errors
    /// A message that names a malformed glob.
    pub fn check(&self) -> Result<(), String> {
        self.compile(&mut Matchers::default()).map(|_| ())
    }
}

fn glob(text: &str) -> Result<Glob, String> {
    GlobBuilder::new(text)
        .backslash_escape(true)
        .build()
        .map_err(|error| format!("`{text}`: {}", error.kind()))
}

/// Globs of rules and documents, of which many exceptions have the same: compiled, one takes 10 kB.
#[derive(Default)]
struct Matchers(HashMap<String, GlobMatcher>);

impl Matchers {
    fn of(&mut self, text: &str) -> Result<GlobMatcher, String> {
        if let Some(known) = self.0.get(text) {
            return Ok(known.clone());
        }
        let matcher = glob(text)?.compile_matcher();
        self.0.insert(text.to_owned(), matcher.clone());
        Ok(matcher)
    }
}

struct Compiled {
    rule: GlobMatcher,
    url: Glob,
    doc: Option<GlobMatcher>,
}

/// All exceptions, compiled.
#[derive(Debug)]
pub(super) struct AllowList {
    entries: Vec<Entry>,
    /// The globs for URLs, one for each entry.
    urls: GlobSet,
}

#[derive(Debug)]
struct Entry {
    allow: Allow,
    rule: GlobMatcher,
    doc: Option<GlobMatcher>,
    reason: Arc<str>,
    expired: bool,
    used: bool,
}

impl AllowList {
    pub(super) fn new(allows: Vec<Allow>, today: Date) -> Result<Self, String> {
        let mut entries = Vec::with_capacity(allows.len());
        let mut urls = GlobSetBuilder::new();
        let mut matchers = Matchers::default();
        for allow in allows {
            let Compiled { rule, url, doc } = allow.compile(&mut matchers)?;
            urls.add(url);
            entries.push(Entry {
                rule,
                doc,
                reason: allow.reason.as_str().into(),
                expired: allow.expires.is_some_and(|last| last < today),
                used: false,
                allow,
            });
        }
        let urls = urls.build().map_err(|error| error.to_string())?;
        Ok(Self { entries, urls })
    }

    /// The reason of the first entry that allows the finding and has not expired.
    pub(super) fn reason(&mut self, finding: &Finding) -> Option<Arc<str>> {
        if self.entries.is_empty() {
            return None;
        }
        let texts = [
            Some(&*finding.raw),
            finding.url.as_deref(),
            finding.target.as_deref(),
        ];
        let places: BTreeSet<usize> = texts
            .into_iter()
            .flatten()
            .flat_map(|text| self.urls.matches(text))
            .collect();
        for place in places {
            let Some(entry) = self.entries.get_mut(place) else {
                continue;
            };
            let page = &finding.page;
            if !entry.expired
                && entry.rule.is_match(finding.rule.id)
                && entry
                    .doc
                    .as_ref()
                    .is_none_or(|doc| doc.is_match(&page.key) || doc.is_match(&page.doc))
            {
                entry.used = true;
                return Some(Arc::clone(&entry.reason));
            }
        }
        None
    }

    /// The expired exceptions.
    pub(super) fn expired(&self) -> impl Iterator<Item = &Allow> {
        self.entries.iter().filter(|e| e.expired).map(|e| &e.allow)
    }

    /// The valid exceptions that allowed nothing.
    pub(super) fn unused(&self) -> impl Iterator<Item = &Allow> {
        let idle = |entry: &&Entry| !entry.expired && !entry.used;
        self.entries.iter().filter(idle).map(|entry| &entry.allow)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_argument_is_rule_url_and_document() {
        let parts = |argument: &str| {
            let Allow { rule, url, doc, .. } = argument.parse().unwrap();
            (rule, url, doc)
        };
        let some = |text: &str| Some(text.to_owned());
        assert_eq!(parts("a/b"), ("a/b".into(), None, None));
        assert_eq!(
            parts("a/b:http://h:8/x@docs/*"),
            ("a/b".into(), some("http://h:8/x"), some("docs/*"))
        );
        assert_eq!(parts("*@x@y"), ("*@x".into(), None, some("y")));
        for argument in ["", ":x", "@x", "a:[x"] {
            assert!(argument.parse::<Allow>().is_err(), "{argument}");
        }
    }
}
