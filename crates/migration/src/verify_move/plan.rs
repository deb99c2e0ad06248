//! A check that is ready to run, with listed folders and parsed rules.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;

use super::old_site::{OldSite, OldSource};
use super::reported::Reports;
use super::request::{MoveRequest, split_move};
use super::url_list::UrlList;
use crate::error::MoveError;
use crate::old_urls;
use crate::page::PageAddress;
use crate::tree::read_tree;
use baseref_container::Entity;
use baseref_files::{Files, Role};
use baseref_findings::PageName;
use baseref_resolve::normal::{NormalOptions, normal};
use baseref_server::RuleFile;
use baseref_server::rule_set::{NamedRules, RuleSource, read_rules};
use baseref_site::listing::Tree;
use baseref_site::moves::Prefixes;

/// A check of a move that is ready to run: all folders have been listed, and all rules parsed.
pub struct Plan {
    pub(super) request: MoveRequest,
    /// The present URL.
    pub(super) from: String,
    pub(super) prefixes: Prefixes,
    pub(super) old: OldSite,
    pub(super) new_tree: Option<Tree>,
    pub(super) rules: Vec<Arc<RuleFile>>,
    pub(super) sources: Vec<RuleSource>,
    pub(super) lists: Vec<UrlList>,
    pub(super) reports: Option<Reports>,
    /// The paths of files whose names are not UTF-8, by their names in reports.
    pub(super) unwritable: HashMap<String, PathBuf>,
    pub(super) files: Arc<Files>,
}

impl Plan {
    /// Examines the request, lists the folders and parses the rules.
    ///
    /// # Errors
    /// If the request contradicts itself, or a file or folder cannot be read.
    pub fn new(request: MoveRequest, files: &Arc<Files>) -> Result<Self, MoveError> {
        let source = OldSource::open(&request.dir, files)?;
        let (from, others) = source.urls(request.from.as_deref(), &request.dir)?;
        let also_old = [&request.also_old[..], &others].concat();
        let mut prefixes = Prefixes::default();
        prefixes.add(&from, &also_old, &request.to)?;
        for pair in &request.moves {
            let (old, new) = split_move(pair)?;
            prefixes.add(old, &[], new)?;
        }
        let has_more = request.new_tree.is_some() || !request.redirects.is_empty();
        if prefixes.is_identity() && !has_more {
            return Err(MoveError::NothingMoves(request.to));
        }
        let mut old = source.into_site(&request.dir, &prefixes, files)?;
        old.allows(&request)?;
        let new_tree = request.new_tree.as_deref();
        let new_tree = new_tree.map(|dir| read_tree(dir, files)).transpose()?;
        let NamedRules {
            files: rules,
            sources,
        } = read_rules(&request.redirects, &from, files).map_err(MoveError::Rules)?;
        let mut lists: Vec<UrlList> = old.list.take().into_iter().collect();
        for file in &request.urls {
            let path = || file.clone();
            let bytes = files.read(file, Role::Addresses);
            let bytes = bytes.map_err(|source| MoveError::Unreadable {
                path: path(),
                source,
            })?;
            let list = old_urls::read(&bytes, file, &from, files);
            let list = list.map_err(|source| MoveError::List {
                path: path(),
                source,
            })?;
            lists.push(UrlList {
                list,
                name: RuleSource::new(&file.to_string_lossy(), &bytes).name,
            });
        }
        let statuses = request.reports.read(files);
        let statuses = statuses.map_err(MoveError::Reports)?;
        let oldest = request.reports.oldest.clone();
        Ok(Self {
            reports: statuses.map(|statuses| Reports { statuses, oldest }),
            unwritable: unwritable([old.folder(), new_tree.as_ref()].into_iter().flatten()),
            request,
            from,
            prefixes,
            old,
            new_tree,
            rules,
            sources,
            lists,
            files: Arc::clone(files),
        })
    }

    /// The folders to read.
    #[must_use]
    pub fn trees(&self) -> Vec<PathBuf> {
        let old = self.old.folder().map(|_| &self.request.dir);
        let trees = [old, self.request.new_tree.as_ref()];
        trees.into_iter().flatten().cloned().collect()
    }

    /// The paths of all files of the folder that moves.
    pub fn paths(&self) -> impl Iterator<Item = PathBuf> {
        let tree = self.old.folder().into_iter();
        tree.flat_map(|tree| {
            tree.files()
                .map(|file| tree.root().join(tree.file_path(file)))
        })
    }

    /// The names and URLs of an archived page whose URL was `url`.
    pub(super) fn address_in_archive(&self, entity: &Entity, url: &str) -> PageAddress {
        let form = normal(url, &NormalOptions::default());
        let key = self
            .prefixes
            .old_rest(&form)
            .map(|(_, rest)| rest.to_owned());
        PageAddress {
            name: Arc::new(PageName {
                doc: entity.origin.to_string(),
                url: Some(url.to_owned()),
                key: key.unwrap_or_default(),
            }),
            new: self
                .prefixes
                .moved_as_written(url)
                .unwrap_or_else(|| url.to_owned()),
            old: url.to_owned(),
        }
    }

    /// The introductory lines of the report.
    #[must_use]
    pub fn head(&self) -> Vec<String> {
        let mut pairs = self.prefixes.pairs();
        let mut lines: Vec<String> = pairs
            .by_ref()
            .map(|(old, new)| format!("move {old} -> {new}"))
            .collect();
        lines.push(match self.new_tree {
            Some(_) => "the new site was rebuilt; links are resolved by RFC 1808, and checked by RFC 3986 and \
                 in browsers, too"
                .to_owned(),
            None => "the same files at the new location; links are resolved by RFC 1808, and checked by \
                     RFC 3986 and in browsers, too"
                .to_owned(),
        });
        lines
    }
}

/// The paths of files whose names are not UTF-8, by their names in reports. Files that share a name in
/// reports are left out.
fn unwritable<'t>(trees: impl Iterator<Item = &'t Tree>) -> HashMap<String, PathBuf> {
    let mut paths: HashMap<String, Option<PathBuf>> = HashMap::new();
    for tree in trees {
        for file in tree.files() {
            let path = tree.file_path(file);
            if path.to_str().is_none() {
                let path = tree.root().join(path);
                let doc = path.to_string_lossy().into_owned();
                let is_duplicate = paths.contains_key(&doc);
                paths.insert(doc, (!is_duplicate).then_some(path));
            }
        }
    }
    let paths = paths.into_iter();
    paths.filter_map(|(doc, path)| Some((doc, path?))).collect()
}
