//! Replaces links by what the findings of an audit suggest.

use std::collections::{BTreeMap, HashMap};
use std::num::NonZeroUsize;
use std::sync::Arc;

use baseref_document::{ReadError, ReadOptions};
use baseref_findings::{Finding, Rule};
use baseref_reader::base::Policy;
use baseref_rewrite::links;
use baseref_rewrite::rewriting::{Rewriting, Rewritten};
use baseref_run::{self as run, Piece};
use baseref_walk::{FileInput, Opening};

use super::documents::DocumentPath;

/// The replacements that findings suggest.
#[derive(Debug)]
pub struct Replacements {
    rules: Vec<&'static Rule>,
    /// The new URLs, by the document as reports name it and the byte where the value of a link
    /// begins.
    by_document: BTreeMap<String, HashMap<u64, String>>,
}

impl Replacements {
    /// An empty collection, which accepts findings of these rules.
    #[must_use]
    pub fn by(rules: Vec<&'static Rule>) -> Self {
        Self {
            rules,
            by_document: BTreeMap::new(),
        }
    }

    /// Adds the replacement that a finding suggests, if the finding counts and is of one of the
    /// rules.
    pub fn add(&mut self, finding: &Finding) {
        let is_wanted = self
            .rules
            .iter()
            .any(|rule| std::ptr::eq(*rule, finding.rule));
        if !is_wanted || !finding.is_new() {
            return;
        }
        if let (Some(at), Some(url)) = (&finding.at, finding.suggestions().first()) {
            let links = match self.by_document.get_mut(&finding.page.doc) {
                Some(links) => links,
                None => self
                    .by_document
                    .entry(finding.page.doc.clone())
                    .or_default(),
            };
            links.insert(at.byte.start, url.clone());
        }
    }
}

/// Reads the documents of an audit again, in the same way.
pub struct Fixer {
    /// The files, by the names of their documents.
    pub(super) files: HashMap<String, DocumentPath>,
    pub(super) opening: Arc<Opening>,
    pub(super) policy: Policy,
    pub(super) read: ReadOptions,
}

/// A document whose links were to be replaced.
#[derive(Debug)]
pub enum FixedDocument {
    /// The edited document, and the name of its file in messages.
    Document(Arc<str>, Box<Rewritten>),
    /// The name of a document within a file, such as part of a message, which is not edited.
    Within(String),
    /// The document could not be read again.
    Unread(ReadError),
}

impl Fixer {
    /// Replaces links, and returns the results in order of document names.
    #[must_use]
    pub fn fix(&self, replacements: &Replacements, jobs: NonZeroUsize) -> Vec<FixedDocument> {
        let by_document = &replacements.by_document;
        let within = by_document
            .keys()
            .filter(|doc| !self.files.contains_key(*doc));
        let mut fixed: Vec<FixedDocument> = within.cloned().map(FixedDocument::Within).collect();
        let files = by_document.keys().filter_map(|doc| self.files.get(doc));
        let inputs = files.map(|file| Ok(file.clone().input(&self.opening)));
        let found = run::fold::<FileInput, Vec<FixedDocument>>(
            inputs,
            jobs,
            |piece, found| found.extend(self.piece(piece, by_document)),
            |all, mut more| all.append(&mut more),
        );
        fixed.extend(found);
        fixed
    }

    fn piece(
        &self,
        piece: Piece,
        by_document: &BTreeMap<String, HashMap<u64, String>>,
    ) -> Option<FixedDocument> {
        match piece {
            Piece::Entity(entity) => {
                let input = Arc::clone(&entity.origin.input);
                let links = by_document.get(&entity.origin.to_string())?;
                let rewriting = Rewriting {
                    prefixes: None,
                    links: links.clone(),
                    written: None,
                    policy: self.policy,
                    read: links::reading(self.read.clone()),
                };
                let rewritten = rewriting.rewrite(entity);
                Some(FixedDocument::Document(input, Box::new(rewritten)))
            }
            Piece::Unread(error) => Some(FixedDocument::Unread(error)),
            Piece::Skipped(_) => None,
        }
    }
}
