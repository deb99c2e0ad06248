//! The counts of a run.

use std::collections::BTreeMap;
use std::sync::Arc;

use baseref_document::{Document, Fallback, Reading, Skipped};
use baseref_resolve::{ResolveError, parts};
use baseref_walk as walk;

/// The maximum number of inputs without a base that are remembered.
const MOST_BASELESS: usize = 16;

/// The counts of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Documents read.
    pub documents: u64,
    /// HTML documents read by building their tree, by reason.
    pub by_tree: BTreeMap<Fallback, u64>,
    /// HTML documents read in the order of their tags.
    pub by_tags: u64,
    /// Links found.
    pub links: u64,
    /// Links removed by a filter.
    pub filtered: u64,
    /// Links without a URL, by reason.
    pub without_url: WithoutUrl,
    /// Links that browsers resolve to another URL.
    pub elsewhere: BrowserDifferences,
    /// Links with a URL that was cut.
    pub cut: u64,
    /// Documents, other than messages, whose links have no base.
    pub baseless_pages: u64,
    /// The first inputs whose links have no base.
    pub baseless: Vec<Arc<str>>,
    /// Whether a document without a base records where it came from.
    pub has_unused_mark: bool,
    /// Notes, by code.
    pub notes: BTreeMap<&'static str, u64>,
    /// Files and folders skipped in directories, by kind.
    pub skipped_files: BTreeMap<Box<str>, u64>,
    /// Records of archives and members of packages without HTML.
    pub without_html: Skipped,
    /// Parts of messages that hold no links.
    pub skipped: Skipped,
    /// Inputs, messages and parts that could not be read, and limits because of which links may be
    /// missing.
    pub unread: u64,
}

/// Links without a URL, by reason.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WithoutUrl([u64; 4]);

impl WithoutUrl {
    const REASONS: [ResolveError; 4] = [
        ResolveError::NoBase,
        ResolveError::BadBase,
        ResolveError::Invalid,
        ResolveError::TooLong,
    ];

    /// Counts a link.
    pub fn count(&mut self, reason: ResolveError) {
        for (known, number) in Self::REASONS.iter().zip(&mut self.0) {
            *number += u64::from(*known == reason);
        }
    }

    /// The number for each reason.
    pub fn by_reason(&self) -> impl Iterator<Item = (ResolveError, u64)> {
        Self::REASONS.into_iter().zip(self.0)
    }
}

/// Links that browsers resolve differently from the chosen rule set.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BrowserDifferences {
    /// All of them.
    pub all: u64,
    /// To another host.
    pub to_other_hosts: u64,
    /// Nowhere.
    pub nowhere: u64,
}

impl BrowserDifferences {
    /// Counts a link with that URL, and with the URL that a browser makes of it.
    pub fn count(&mut self, url: Option<&str>, browser: Result<&str, ResolveError>) {
        let is_other = |browser| !url.is_some_and(|url| parts::have_one_host(url, browser));
        self.all += 1;
        self.to_other_hosts += u64::from(browser.is_ok_and(is_other));
        self.nowhere += u64::from(browser.is_err());
    }

    fn add(&mut self, other: Self) {
        self.all += other.all;
        self.to_other_hosts += other.to_other_hosts;
        self.nowhere += other.nowhere;
    }
}

impl Counts {
    /// The skipped files and folders in words, if there are any, with the options that change this,
    /// if the command has them: `skipped: 2 backups, 1 template (--glob takes them)`.
    pub fn skipped_in_words(&self, has_options: bool) -> Option<String> {
        let mut groups: Vec<(&str, u64, Vec<String>)> = Vec::new();
        for (what, number) in &self.skipped_files {
            let option = match &**what {
                _ if !has_options => "",
                walk::LINKED => "-L follows",
                walk::HIDDEN => "--hidden enters",
                what if walk::is_of_name(what) => "--glob takes",
                _ => "",
            };
            let words = walk::so_many(what, *number);
            match groups.iter_mut().find(|(other, ..)| *other == option) {
                Some((_, total, all)) => {
                    *total += number;
                    all.push(words);
                }
                None => groups.push((option, *number, vec![words])),
            }
        }
        let each = groups.iter().map(|(option, total, all)| {
            let all = all.join(", ");
            let them = if *total == 1 { "it" } else { "them" };
            if option.is_empty() {
                all
            } else {
                format!("{all} ({option} {them})")
            }
        });
        let each: Vec<String> = each.collect();
        (!each.is_empty()).then(|| format!("skipped: {}", each.join(", ")))
    }

    /// Counts a document by how it was read.
    pub fn document(&mut self, document: &Document) {
        self.documents += 1;
        match document.reading {
            Some(Reading::Tags) => self.by_tags += 1,
            Some(Reading::Tree(reason)) => *self.by_tree.entry(reason).or_default() += 1,
            // XML, which is read in one way only.
            _ => {}
        }
    }

    /// Counts a document whose links have no base.
    pub fn document_lacks_base(&mut self, document: &Document) {
        self.baseless_pages += u64::from(document.message.is_none());
        self.lacks_base(&document.origin.input);
    }

    fn lacks_base(&mut self, input: &Arc<str>) {
        if self.baseless.len() < MOST_BASELESS && self.baseless.last() != Some(input) {
            self.baseless.push(Arc::clone(input));
        }
    }

    /// Adds the counts of another.
    pub fn add(&mut self, other: Self) {
        add_each(&mut self.by_tree, other.by_tree);
        add_each(&mut self.notes, other.notes);
        add_each(&mut self.skipped_files, other.skipped_files);
        for (sum, more) in self.without_url.0.iter_mut().zip(other.without_url.0) {
            *sum += more;
        }
        self.elsewhere.add(other.elsewhere);
        self.without_html.add(&other.without_html);
        self.skipped.add(&other.skipped);
        self.has_unused_mark |= other.has_unused_mark;
        for input in &other.baseless {
            self.lacks_base(input);
        }
        for (sum, more) in [
            (&mut self.documents, other.documents),
            (&mut self.by_tags, other.by_tags),
            (&mut self.links, other.links),
            (&mut self.filtered, other.filtered),
            (&mut self.cut, other.cut),
            (&mut self.baseless_pages, other.baseless_pages),
            (&mut self.unread, other.unread),
        ] {
            *sum += more;
        }
    }
}

fn add_each<K: Ord>(sums: &mut BTreeMap<K, u64>, more: BTreeMap<K, u64>) {
    for (key, number) in more {
        *sums.entry(key).or_default() += number;
    }
}

/// A number and its noun.
#[must_use]
pub fn count(number: u64, one: &str, many: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { many })
}

/// The numbers of several kinds: `a 3, b 1`.
#[must_use]
pub fn each_count(numbers: impl IntoIterator<Item = (impl AsRef<str>, u64)>) -> String {
    let numbers = numbers.into_iter().filter(|(_, number)| *number > 0);
    let each: Vec<String> = numbers
        .map(|(kind, number)| format!("{} {number}", kind.as_ref()))
        .collect();
    each.join(", ")
}
