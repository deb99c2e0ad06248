//! The graph of page requisites: the missing resources of each captured document, and the captured
//! style sheets and frames that it requires.
//!
//! A page is complete if no resource is missing for it or for any document that it requires.

use std::collections::HashMap;
use std::sync::Arc;

use baseref_evidence::captures::Number;

/// The maximum number of documents and missing URLs that are visited for one page.
pub(crate) const LONGEST_WALK: usize = 10_000;

/// The document whose links are being counted.
#[derive(Debug)]
pub(crate) struct CurrentDocument {
    pub(crate) url: Arc<str>,
    pub(crate) capture: Option<Number>,
    pub(crate) is_page: bool,
    /// Whether bytes of that page are missing or damaged.
    pub(crate) is_damaged: bool,
}

/// A judged document.
#[derive(Debug)]
pub(crate) struct Requirer {
    /// Its URL.
    pub(crate) url: Arc<str>,
    pub(crate) is_page: bool,
    /// Whether bytes of that page are missing or damaged.
    pub(crate) is_damaged: bool,
    capture: Option<Number>,
    /// Where its entries end in the lists of [`Requisites`].
    ends: Ends,
}

/// The lengths of the lists of [`Requisites`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Ends {
    missing: usize,
    linked: usize,
    others: usize,
    parts: usize,
}

/// The requisites of documents, in the order of the documents. URLs are identified by number.
#[derive(Debug, Default)]
pub(crate) struct Requisites {
    documents: Vec<Requirer>,
    /// The resources that were not captured.
    missing: Vec<u32>,
    /// The linked pages that were not captured.
    linked: Vec<u32>,
    /// The missing resources without which the documents are complete.
    others: Vec<u32>,
    /// The captures of style sheets, frames and other resources.
    parts: Vec<Number>,
}

impl Requisites {
    /// Adds a missing resource of the current document.
    pub(crate) fn add_missing(&mut self, url: u32) {
        self.missing.push(url);
    }

    /// Adds a page that the current document links to and that was not captured.
    pub(crate) fn link(&mut self, url: u32) {
        self.linked.push(url);
    }

    /// Adds a missing resource without which the current document is complete.
    pub(crate) fn add_other(&mut self, url: u32) {
        self.others.push(url);
    }

    /// Adds the capture of a document that the current one requires.
    pub(crate) fn require(&mut self, capture: Number) {
        self.parts.push(capture);
    }

    /// Ends the current document, which is kept if it is a page or requires anything.
    pub(crate) fn end(&mut self, document: CurrentDocument) {
        let start = self
            .documents
            .last()
            .map_or_else(Ends::default, |last| last.ends);
        dedup_from(&mut self.missing, start.missing);
        dedup_from(&mut self.linked, start.linked);
        dedup_from(&mut self.others, start.others);
        dedup_from(&mut self.parts, start.parts);
        let ends = Ends {
            missing: self.missing.len(),
            linked: self.linked.len(),
            others: self.others.len(),
            parts: self.parts.len(),
        };
        if document.is_page || ends != start {
            self.documents.push(Requirer {
                url: document.url,
                is_page: document.is_page,
                is_damaged: document.is_damaged,
                capture: document.capture,
                ends,
            });
        }
    }

    pub(crate) fn documents(&self) -> &[Requirer] {
        &self.documents
    }

    fn start(&self, document: usize) -> Ends {
        let before = document
            .checked_sub(1)
            .and_then(|before| self.documents.get(before));
        before.map_or_else(Ends::default, |before| before.ends)
    }

    /// The missing resources of a document itself.
    pub(crate) fn missing(&self, document: usize) -> &[u32] {
        &self.missing[self.start(document).missing..self.documents[document].ends.missing]
    }

    /// The pages that a document links to and that were not captured.
    pub(crate) fn linked(&self, document: usize) -> &[u32] {
        &self.linked[self.start(document).linked..self.documents[document].ends.linked]
    }

    /// The missing resources without which a document is complete.
    pub(crate) fn others(&self, document: usize) -> &[u32] {
        &self.others[self.start(document).others..self.documents[document].ends.others]
    }

    fn parts(&self, document: usize) -> &[Number] {
        &self.parts[self.start(document).parts..self.documents[document].ends.parts]
    }
}

/// Sorts the numbers from `start` on, and removes repeated ones.
fn dedup_from(numbers: &mut Vec<u32>, start: usize) {
    numbers[start..].sort_unstable();
    let mut kept = start;
    for at in start..numbers.len() {
        if at == start || numbers[at] != numbers[kept - 1] {
            numbers[kept] = numbers[at];
            kept += 1;
        }
    }
    numbers.truncate(kept);
}

/// Finds the missing resources of pages, and of the documents that they require.
pub(crate) struct Walks<'r> {
    graph: &'r Requisites,
    by_capture: HashMap<Number, usize>,
    /// Whether a resource is missing for a document, or for one that it requires.
    is_incomplete: Vec<bool>,
    /// The last walk that visited a document or a URL; walks are numbered from 1.
    documents: Vec<u32>,
    urls: Vec<u32>,
    walk: u32,
    /// The number of walks that were longer than [`LONGEST_WALK`].
    pub(crate) cut: u64,
}

impl<'r> Walks<'r> {
    /// Prepares walks through a graph whose URLs have numbers below `urls`.
    pub(crate) fn new(graph: &'r Requisites, urls: usize) -> Self {
        let mut by_capture = HashMap::new();
        for (number, document) in graph.documents.iter().enumerate() {
            if let Some(capture) = document.capture {
                by_capture.entry(capture).or_insert(number);
            }
        }
        let mut walks = Self {
            graph,
            by_capture,
            is_incomplete: Vec::new(),
            documents: vec![0; graph.documents.len()],
            urls: vec![0; urls],
            walk: 0,
            cut: 0,
        };
        walks.is_incomplete = walks.incomplete();
        walks
    }

    /// The documents that are incomplete, or require an incomplete one, found backwards from the incomplete
    /// ones in one pass over the graph.
    fn incomplete(&self) -> Vec<bool> {
        let number = self.graph.documents.len();
        let mut required_by = vec![Vec::new(); number];
        for document in 0..number {
            for part in self.parts(document) {
                required_by[part].push(document);
            }
        }
        let mut is_incomplete = vec![false; number];
        let has_missing = |document: &usize| !self.graph.missing(*document).is_empty();
        let mut open: Vec<usize> = (0..number).filter(has_missing).collect();
        while let Some(document) = open.pop() {
            if !std::mem::replace(&mut is_incomplete[document], true) {
                open.append(&mut required_by[document]);
            }
        }
        is_incomplete
    }

    /// The documents that a document requires.
    fn parts(&self, document: usize) -> impl Iterator<Item = usize> {
        let parts = self.graph.parts(document).iter();
        parts.filter_map(|part| self.by_capture.get(part).copied())
    }

    /// The distinct missing resources of a page and of the documents that it requires, in ascending order.
    /// There is at least one unless the page is complete, but [`LONGEST_WALK`] limits how many are found.
    pub(crate) fn missing(&mut self, page: usize) -> Vec<u32> {
        let mut found = Vec::new();
        if !self.is_incomplete[page] {
            return found;
        }
        self.walk += 1;
        let (mut open, mut steps) = (vec![page], 0);
        self.documents[page] = self.walk;
        while let Some(document) = open.pop() {
            for url in self.graph.missing(document) {
                let seen = &mut self.urls[*url as usize];
                if std::mem::replace(seen, self.walk) != self.walk {
                    found.push(*url);
                }
            }
            // The page's own entries were counted while it was read.
            if document != page {
                steps += 1 + self.graph.missing(document).len();
            }
            if steps > LONGEST_WALK {
                self.cut += 1;
                break;
            }
            let parts: Vec<usize> = self.parts(document).collect();
            for part in parts {
                let is_new = self.is_incomplete[part]
                    && std::mem::replace(&mut self.documents[part], self.walk) != self.walk;
                if is_new {
                    open.push(part);
                }
            }
        }
        found.sort_unstable();
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn document(capture: Number, is_page: bool) -> CurrentDocument {
        CurrentDocument {
            url: "http://x.org/".into(),
            capture: Some(capture),
            is_page,
            is_damaged: false,
        }
    }

    /// A graph of documents, each with its missing resources and the documents that it requires.
    fn graph(documents: &[(&[u32], &[Number])]) -> Requisites {
        let mut graph = Requisites::default();
        for (capture, (missing, parts)) in (0..).zip(documents) {
            missing.iter().for_each(|url| graph.add_missing(*url));
            parts.iter().for_each(|part| graph.require(*part));
            graph.end(document(capture, true));
        }
        graph
    }

    fn counts(graph: &Requisites) -> Vec<usize> {
        let mut walks = Walks::new(graph, 1_000_000);
        (0..graph.documents.len())
            .map(|page| walks.missing(page).len())
            .collect()
    }

    #[test]
    fn resource_of_import_counted_once_for_each_page() {
        let graph = graph(&[
            (&[1], &[2, 3]),
            (&[], &[2, 2]),
            (&[5], &[3]),
            (&[5, 1], &[]),
            (&[], &[]),
        ]);
        assert_eq!(counts(&graph), [2, 2, 2, 2, 0]);
    }

    #[test]
    fn circle_of_frames_ends() {
        let graph = graph(&[(&[], &[1]), (&[7], &[0, 1]), (&[], &[2, 9])]);
        assert_eq!(counts(&graph), [1, 1, 0]);
    }

    #[test]
    fn long_chain_is_cut_and_stays_incomplete() {
        let number = 3 * u32::try_from(LONGEST_WALK).unwrap();
        let mut graph = Requisites::default();
        for capture in 0..number {
            graph.add_missing(capture);
            graph.require(capture + 1);
            graph.end(document(capture, capture == 0));
        }
        let mut walks = Walks::new(&graph, number as usize);
        assert!((1..=LONGEST_WALK).contains(&walks.missing(0).len()));
        assert_eq!(walks.cut, 1);
    }
}
