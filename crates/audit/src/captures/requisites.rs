//! The graph of page requisites: the missing resources of each captured document, and the captured
//! style sheets and frames that it requires.
//!
//! A page is complete if no resource is missing for it or for any document that it requires.

use std::collections::HashMap;
use std::ops::Range;
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
    /// For each document in turn, the incomplete documents that it requires; `part_ends` has the end of each
    /// document's list.
    parts: Vec<usize>,
    part_ends: Vec<usize>,
    /// What is missing for each document, including the documents that it requires.
    lacking: Vec<Lacking>,
    /// The lists of [`Lacking::Little`].
    little: Vec<u32>,
    /// The last walk that visited a document or a URL; walks are numbered from 1.
    documents: Vec<u32>,
    urls: Vec<u32>,
    walk: u32,
    /// The number of documents and missing URLs that may still be visited.
    room: usize,
    /// The number of walks that were longer than [`LONGEST_WALK`] or had no more room.
    pub(crate) cut: u64,
}

/// The maximum length of a list of [`Lacking::Little`].
const LITTLE: usize = 16;

/// How many documents and missing URLs the walks may visit in total: for each document and requisite, and in
/// addition.
const ROOM: [usize; 2] = [64, 1_000_000];

/// The missing resources of a document and of all that it requires.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Lacking {
    /// None.
    Nothing,
    /// These, in ascending order. Walks do not go beyond such a document, so that many pages can share a
    /// long chain of style sheets.
    Little(Range<usize>),
    /// More, or the document requires itself. One of them is given.
    Much(u32),
}

/// A document whose requisites are being visited.
struct Visit {
    document: usize,
    /// The index of the next requisite to visit.
    next: usize,
}

impl<'r> Walks<'r> {
    /// Prepares walks through a graph whose URLs have numbers below `urls`.
    pub(crate) fn new(graph: &'r Requisites, urls: usize) -> Self {
        let number = graph.documents.len();
        let [each, more] = ROOM;
        let mut walks = Self {
            graph,
            parts: Vec::new(),
            part_ends: Vec::with_capacity(number),
            lacking: vec![Lacking::Nothing; number],
            little: Vec::new(),
            documents: vec![0; number],
            urls: vec![0; urls],
            walk: 0,
            room: more + each * (number + graph.parts.len()),
            cut: 0,
        };
        walks.find_parts();
        walks.find_little();
        walks
    }

    /// Finds the documents that are incomplete or require an incomplete one, backwards from the incomplete
    /// ones in one pass over the graph, and then the incomplete requisites of each document.
    fn find_parts(&mut self) {
        let mut by_capture = HashMap::new();
        for (number, document) in self.graph.documents.iter().enumerate() {
            if let Some(capture) = document.capture {
                by_capture.entry(capture).or_insert(number);
            }
        }
        let number = self.graph.documents.len();
        let mut required_by = vec![Vec::new(); number];
        for document in 0..number {
            for part in self.graph.parts(document) {
                if let Some(part) = by_capture.get(part) {
                    required_by[*part].push(document);
                }
            }
        }
        let first = |document: usize| Some((document, *self.graph.missing(document).first()?));
        let mut open: Vec<_> = (0..number).filter_map(first).collect();
        while let Some((document, missing)) = open.pop() {
            if self.lacking[document] == Lacking::Nothing {
                self.lacking[document] = Lacking::Much(missing);
                let above = required_by[document].drain(..);
                open.extend(above.map(|above| (above, missing)));
            }
        }
        for document in 0..number {
            let parts = self.graph.parts(document).iter();
            let parts = parts.filter_map(|part| by_capture.get(part).copied());
            let is_incomplete = |part: &usize| self.lacking[*part] != Lacking::Nothing;
            self.parts.extend(parts.filter(is_incomplete));
            self.part_ends.push(self.parts.len());
        }
    }

    /// Finds the documents for which few resources are missing, bottom-up.
    fn find_little(&mut self) {
        let mut is_visited = vec![false; self.lacking.len()];
        for document in 0..self.lacking.len() {
            if std::mem::replace(&mut is_visited[document], true) {
                continue;
            }
            let mut open = vec![Visit { document, next: 0 }];
            while let Some(visit) = open.last_mut() {
                let part = self.parts(visit.document).get(visit.next).copied();
                let Some(part) = part else {
                    self.sum_up(visit.document);
                    open.pop();
                    continue;
                };
                visit.next += 1;
                if !std::mem::replace(&mut is_visited[part], true) {
                    open.push(Visit {
                        document: part,
                        next: 0,
                    });
                }
            }
        }
    }

    /// Lists what is missing for a document, if the lists of all documents that it requires are known and
    /// the result is short.
    fn sum_up(&mut self, document: usize) {
        let own = self.graph.missing(document);
        if self.lacking[document] == Lacking::Nothing || own.len() > LITTLE {
            return;
        }
        let parts = self.parts(document);
        if own.is_empty()
            && let [part] = parts
            && let shared @ Lacking::Little(_) = &self.lacking[*part]
        {
            self.lacking[document] = shared.clone();
            return;
        }
        let mut all = own.to_vec();
        for part in parts {
            let Lacking::Little(range) = &self.lacking[*part] else {
                return;
            };
            for url in &self.little[range.clone()] {
                if let Err(at) = all.binary_search(url) {
                    all.insert(at, *url);
                }
            }
            if all.len() > LITTLE {
                return;
            }
        }
        let start = self.little.len();
        self.little.append(&mut all);
        self.lacking[document] = Lacking::Little(start..self.little.len());
    }

    /// The incomplete documents that a document requires.
    fn parts(&self, document: usize) -> &[usize] {
        &self.parts[self.places_of_parts(document)]
    }

    fn places_of_parts(&self, document: usize) -> Range<usize> {
        let before = document.checked_sub(1);
        let start = before.map_or(0, |before| self.part_ends[before]);
        start..self.part_ends[document]
    }

    /// The distinct missing resources of a page and of the documents that it requires, in ascending order.
    /// There is at least one unless the page is complete, but [`LONGEST_WALK`] and [`ROOM`] limit how many
    /// are found.
    pub(crate) fn missing(&mut self, page: usize) -> Vec<u32> {
        let first = match &self.lacking[page] {
            Lacking::Nothing => return Vec::new(),
            Lacking::Little(range) => return self.little[range.clone()].to_vec(),
            Lacking::Much(first) => *first,
        };
        self.walk += 1;
        let (mut found, mut open, mut steps) = (Vec::new(), vec![page], 0);
        self.documents[page] = self.walk;
        let most = LONGEST_WALK.min(self.room);
        while let Some(document) = open.pop() {
            let own = match &self.lacking[document] {
                Lacking::Little(range) => &self.little[range.clone()],
                _ => self.graph.missing(document),
            };
            for url in own {
                let seen = &mut self.urls[*url as usize];
                if std::mem::replace(seen, self.walk) != self.walk {
                    found.push(*url);
                }
            }
            // The page's own entries were counted while it was read.
            if document != page {
                steps += 1 + own.len();
            }
            if steps > most {
                self.cut += 1;
                break;
            }
            if matches!(self.lacking[document], Lacking::Little(_)) {
                continue;
            }
            for place in self.places_of_parts(document) {
                let part = self.parts[place];
                if std::mem::replace(&mut self.documents[part], self.walk) != self.walk {
                    open.push(part);
                }
            }
        }
        self.room -= steps.min(self.room);
        if found.is_empty() {
            found.push(first);
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
    fn chain_shared_by_pages_is_walked_once() {
        let number = 2 * u32::try_from(LONGEST_WALK).unwrap();
        let mut graph = Requisites::default();
        for capture in 0..number {
            graph.require(capture + 1);
            graph.end(document(capture, true));
        }
        for url in 0..16 {
            graph.add_missing(url);
        }
        graph.end(document(number, true));
        assert!(counts(&graph).into_iter().all(|count| count == 16));
    }

    #[test]
    fn little_that_is_missing_is_a_set() {
        let graph = graph(&[(&[], &[1, 2]), (&[3, 4], &[2]), (&[4, 9], &[]), (&[], &[])]);
        let mut walks = Walks::new(&graph, 10);
        assert_eq!(walks.missing(0), [3, 4, 9]);
        assert!(walks.missing(3).is_empty());
    }

    #[test]
    fn walks_have_room_in_total() {
        let mut graph = Requisites::default();
        let own: Vec<u32> = (0..20).collect();
        for capture in 0..400 {
            for url in &own {
                graph.add_missing(20 * capture + url);
            }
            graph.require((capture + 1) % 400);
            graph.end(document(capture, true));
        }
        let mut walks = Walks::new(&graph, 8000);
        let found: Vec<_> = (0..400).map(|page| walks.missing(page).len()).collect();
        assert_eq!((found[0], found[399]), (8000, 40));
        assert!(walks.cut > 0 && walks.room == 0, "{}", walks.cut);
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
