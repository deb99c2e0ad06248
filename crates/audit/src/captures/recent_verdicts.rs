//! The latest verdicts that hold for a link of any captured page, by URL.
//!
//! The pages of a site have many links in common, and looking each up again costs more than the rest of its
//! judgement.

use baseref_document::hash_of;
use baseref_evidence::captures::Need;

/// The number of verdicts that are kept, a power of two.
const KEPT: usize = 8192;

/// A verdict on the links to a URL.
#[derive(Debug)]
struct RecentVerdict<V> {
    url: Box<str>,
    need: Need,
    verdict: V,
}

/// Verdicts by the hash of the URL. A new verdict replaces an older one with the same hash.
#[derive(Debug)]
pub(crate) struct RecentVerdicts<V> {
    /// Empty before the first one is added.
    places: Vec<Option<RecentVerdict<V>>>,
}

impl<V> Default for RecentVerdicts<V> {
    fn default() -> Self {
        Self { places: Vec::new() }
    }
}

impl<V: Clone> RecentVerdicts<V> {
    pub(crate) fn find(&self, url: &str, need: Need) -> Option<V> {
        let recent = self.places.get(place(url, need))?.as_ref()?;
        let is_same = recent.need == need && *recent.url == *url;
        is_same.then(|| recent.verdict.clone())
    }

    pub(crate) fn add(&mut self, url: &str, need: Need, verdict: V) {
        if self.places.is_empty() {
            self.places.resize_with(KEPT, || None);
        }
        if let Some(recent) = self.places.get_mut(place(url, need)) {
            *recent = Some(RecentVerdict {
                url: url.into(),
                need,
                verdict,
            });
        }
    }
}

/// The index of the only place that a verdict may be in.
fn place(url: &str, need: Need) -> usize {
    let hash = hash_of(url) ^ u64::from(need == Need::Resource);
    usize::try_from(hash % KEPT as u64).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verdict_found_by_url_and_need() {
        let mut recent = RecentVerdicts::default();
        assert_eq!(recent.find("http://a/", Need::Page), None);
        for number in 0..2 * KEPT {
            let url = format!("http://a/{number}");
            recent.add(&url, Need::Page, number);
            assert_eq!(recent.find(&url, Need::Page), Some(number));
            assert_eq!(recent.find(&url, Need::Resource), None);
        }
    }
}
