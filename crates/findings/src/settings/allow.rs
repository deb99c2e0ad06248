//! Exceptions: findings that the user allows, for a reason and perhaps for a limited time.

use std::collections::{BTreeSet, HashMap};
use std::str::FromStr;
use std::sync::Arc;

use time::Date;

use crate::Finding;
use crate::error::SettingsError;
use baseref_document::Position;
use baseref_files::globs::{Form, Glob, Globs};

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
    /// The reason; empty on the command line.
    pub reason: String,
    /// The last day on which it is valid.
    pub expires: Option<Date>,
    /// Where it is in the configuration.
    pub at: Option<Position>,
}

impl FromStr for Allow {
    type Err = SettingsError;

    /// Parses `RULE[:URLGLOB][@DOCGLOB]`: the rule ends at the first colon, and the glob for the
    /// document begins after the last `@`.
    ///
    /// # Errors
    /// If the rule is missing or a glob is malformed.
    fn from_str(argument: &str) -> Result<Self, SettingsError> {
        let (rest, doc) = match argument.rsplit_once('@') {
            Some((rest, doc)) => (rest, Some(doc.to_owned())),
            None => (argument, None),
        };
        let (rule, url) = match rest.split_once(':') {
            Some((rule, url)) => (rule, Some(url.to_owned())),
            None => (rest, None),
        };
        if rule.is_empty() {
            return Err(SettingsError::AllowArgument(argument.to_owned()));
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
    fn compile(&self, globs: &mut SharedGlobs) -> Result<CompiledAllow, SettingsError> {
        Ok(CompiledAllow {
            rule: globs.get(&self.rule)?,
            doc: match &self.doc {
                Some(doc) => Some(globs.get(doc)?),
                None => None,
            },
        })
    }

    /// The glob for URLs, which defaults to one that matches all.
    fn url(&self) -> &str {
        self.url.as_deref().unwrap_or("*")
    }

    /// Checks that all its globs are well formed.
    ///
    /// # Errors
    /// If a glob is malformed.
    pub fn check(&self) -> Result<(), SettingsError> {
        glob(self.url())?;
        self.compile(&mut SharedGlobs::default()).map(|_| ())
    }
}

pub(super) fn glob(text: &str) -> Result<Glob, SettingsError> {
    Glob::new(text, Form::Url).map_err(|source| SettingsError::Glob {
        text: text.to_owned(),
        source,
    })
}

/// Compiled globs of rules and documents, which many exceptions share.
#[derive(Default)]
struct SharedGlobs(HashMap<String, Arc<Glob>>);

impl SharedGlobs {
    fn get(&mut self, text: &str) -> Result<Arc<Glob>, SettingsError> {
        if let Some(glob) = self.0.get(text) {
            return Ok(Arc::clone(glob));
        }
        let glob = Arc::new(glob(text)?);
        self.0.insert(text.to_owned(), Arc::clone(&glob));
        Ok(glob)
    }
}

struct CompiledAllow {
    rule: Arc<Glob>,
    doc: Option<Arc<Glob>>,
}

/// All exceptions, compiled.
#[derive(Debug)]
pub(crate) struct AllowList {
    entries: Vec<Entry>,
    /// The globs for URLs, one for each entry.
    urls: Globs,
}

#[derive(Debug)]
struct Entry {
    allow: Allow,
    rule: Arc<Glob>,
    doc: Option<Arc<Glob>>,
    reason: Arc<str>,
    expired: bool,
    used: bool,
}

impl AllowList {
    pub(crate) fn new(allows: Vec<Allow>, today: Date) -> Result<Self, SettingsError> {
        let urls = Globs::new(allows.iter().map(Allow::url), Form::Url);
        let urls = urls.map_err(SettingsError::Globs)?;
        let mut entries = Vec::with_capacity(allows.len());
        let mut globs = SharedGlobs::default();
        for allow in allows {
            let CompiledAllow { rule, doc } = allow.compile(&mut globs)?;
            entries.push(Entry {
                rule,
                doc,
                reason: allow.reason.as_str().into(),
                expired: allow.expires.is_some_and(|last| last < today),
                used: false,
                allow,
            });
        }
        Ok(Self { entries, urls })
    }

    /// The reason of the first entry that allows the finding and has not expired.
    pub(crate) fn reason(&mut self, finding: &Finding) -> Option<Arc<str>> {
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
    pub(crate) fn expired(&self) -> impl Iterator<Item = &Allow> {
        self.entries.iter().filter(|e| e.expired).map(|e| &e.allow)
    }

    /// The valid exceptions that allowed nothing.
    pub(crate) fn unused(&self) -> impl Iterator<Item = &Allow> {
        let idle = |entry: &&Entry| !entry.expired && !entry.used;
        self.entries.iter().filter(idle).map(|entry| &entry.allow)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn argument_is_rule_url_and_document() {
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
