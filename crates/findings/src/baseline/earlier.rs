//! The findings of an earlier state of the same documents, so that only new ones count.
//!
//! Findings are recognised by fault rather than position: by the rule and the URL of the link, or
//! by the value without a URL. Lines may have moved, and a page may have another name.

use std::hash::{BuildHasher, Hash};

use foldhash::fast::FixedState;
use foldhash::{HashMap, HashMapExt as _};

use crate::Finding;

/// Two hashes with different seeds, which no two different texts share in practice.
type Key = (u64, u64);

/// The findings of an earlier state, by fault and document.
#[derive(Debug, Default)]
pub struct Earlier {
    /// The number of findings for each fault in each document.
    found: HashMap<Occurrence, u64>,
    /// The earlier documents, and whether each still exists.
    documents: HashMap<Key, bool>,
    /// The number of findings for each fault in documents that no longer exist, moved out of
    /// `found` on first use.
    gone: Option<HashMap<Key, u64>>,
}

/// A fault, and the document that has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Occurrence {
    subject: Key,
    document: Key,
}

fn key(of: &impl Hash) -> Key {
    const SEEDS: [u64; 2] = [1808, 3986];
    let [first, second] = SEEDS.map(|seed| FixedState::with_seed(seed).hash_one(of));
    (first, second)
}

/// The fault of a finding, regardless of position.
fn subject(finding: &Finding) -> Key {
    match &finding.url {
        Some(url) => key(&(finding.rule.id, "url", url)),
        None => key(&(finding.rule.id, &finding.cause, &finding.raw)),
    }
}

impl Earlier {
    /// Adds a document, by its name in fingerprints, whether or not it has findings.
    pub fn add_document(&mut self, name: &str) {
        self.documents.insert(key(&name), false);
    }

    /// Adds a finding of a document that was added.
    pub fn add(&mut self, finding: &Finding) {
        *self.found.entry(Occurrence::new(finding)).or_default() += 1;
    }

    /// Marks a document as still existing. Must be called for all of them before the first finding
    /// is looked up.
    pub fn mark_existing(&mut self, name: &str) {
        if let Some(still) = self.documents.get_mut(&key(&name)) {
            *still = true;
        }
    }

    /// Whether a finding of the later state was there before, in the document of the same name or,
    /// if that is new, in one that no longer exists. Each earlier finding accounts for one later
    /// finding.
    pub fn knows(&mut self, finding: &Finding) -> bool {
        let occurrence = Occurrence::new(finding);
        if let Some(left) = self.found.get_mut(&occurrence).filter(|left| **left > 0) {
            *left -= 1;
            return true;
        }
        if self.documents.contains_key(&occurrence.document) {
            return false;
        }
        let left = self.gone().get_mut(&occurrence.subject);
        let Some(left) = left.filter(|left| **left > 0) else {
            return false;
        };
        *left -= 1;
        true
    }

    /// The number of findings for each fault in documents that no longer exist.
    fn gone(&mut self) -> &mut HashMap<Key, u64> {
        let Self {
            found, documents, ..
        } = self;
        self.gone.get_or_insert_with(|| {
            let mut gone = HashMap::new();
            found.retain(|occurrence, count| {
                let is_gone = documents.get(&occurrence.document) == Some(&false);
                if is_gone {
                    *gone.entry(occurrence.subject).or_default() += *count;
                }
                !is_gone
            });
            gone
        })
    }

    /// The number of earlier findings that did not occur again.
    #[must_use]
    pub fn fixed(&self) -> u64 {
        let gone = self.gone.iter().flat_map(HashMap::values);
        self.found.values().chain(gone).sum()
    }
}

impl Occurrence {
    fn new(finding: &Finding) -> Self {
        Self {
            subject: subject(finding),
            document: key(&finding.page.key.as_str()),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::PageName;
    use crate::rule::tests::{BASE_EMPTY, MISSING};

    fn finding(page: &str, url: &str) -> Finding {
        let page = Arc::new(PageName {
            doc: page.to_owned(),
            url: None,
            key: page.to_owned(),
        });
        let mut finding = Finding::new(&MISSING, &page, url, "no such file");
        finding.url = Some(url.into());
        finding
    }

    fn earlier(findings: &[(&str, &str)], later: &[&str]) -> Earlier {
        let mut earlier = Earlier::default();
        for (page, url) in findings {
            earlier.add_document(page);
            earlier.add(&finding(page, url));
        }
        for name in later {
            earlier.mark_existing(name);
        }
        earlier
    }

    #[test]
    fn earlier_finding_accounts_for_one_later_finding() {
        let mut earlier = earlier(&[("a", "/x"), ("a", "/x"), ("b", "/y")], &["a", "b"]);
        assert!(earlier.knows(&finding("a", "/x")));
        assert!(earlier.knows(&finding("a", "/x")));
        assert!(!earlier.knows(&finding("a", "/x")), "a third one is new");
        assert!(!earlier.knows(&finding("a", "/y")), "another page has it");
        assert_eq!(earlier.fixed(), 1);
        let mut other = finding("b", "/y");
        other.rule = &BASE_EMPTY;
        assert!(!earlier.knows(&other), "another rule");
    }

    #[test]
    fn renamed_page_keeps_its_findings() {
        let mut earlier = earlier(&[("a", "/x"), ("old", "/y")], &["a", "new"]);
        assert!(earlier.knows(&finding("new", "/y")), "old is new now");
        assert!(!earlier.knows(&finding("new", "/x")), "a still has it");
        assert!(earlier.knows(&finding("a", "/x")));
        assert_eq!(earlier.fixed(), 0);
    }

    #[test]
    fn finding_outside_documents_is_matched_by_name() {
        let mut earlier = Earlier::default();
        earlier.add(&finding("rules.csv", "/x"));
        assert!(!earlier.knows(&finding("other.csv", "/x")));
        assert!(earlier.knows(&finding("rules.csv", "/x")));
        assert!(!earlier.knows(&finding("rules.csv", "/x")));
    }

    #[test]
    fn findings_of_removed_documents_are_pooled() {
        let before = [("p", "/x"), ("q", "/x"), ("q", "/y"), ("a", "/x")];
        let mut earlier = earlier(&before, &["a", "new", "more"]);
        assert!(earlier.knows(&finding("new", "/x")));
        assert!(earlier.knows(&finding("more", "/x")));
        assert!(!earlier.knows(&finding("more", "/x")), "two pages had it");
        assert_eq!(earlier.fixed(), 2);
        assert!(earlier.knows(&finding("a", "/x")), "a has its own");
        assert_eq!(earlier.fixed(), 1);
    }
}
