//! Rules and addresses, and the answers of the real servers.

use std::collections::{BTreeMap, BTreeSet};

use super::*;
use crate::include_search::Beside;

mod answers;
mod apache;
mod cloudflare;
mod hosting;
mod limits;
mod lists;
mod netlify;
mod nginx;
mod programs;
mod servers;
mod services;

/// A virtual tree; a name that ends in a slash is a directory.
struct VirtualFiles(&'static [&'static str]);

impl Files for VirtualFiles {
    fn kind(&self, path: &[u8]) -> Option<FileKind> {
        let path = std::str::from_utf8(path).ok()?;
        let bare = path.strip_suffix('/').unwrap_or(path);
        if self.0.contains(&path) && !path.ends_with('/') {
            return Some(FileKind::File);
        }
        let is_folder = bare.is_empty()
            || self.0.iter().any(|name| {
                name.strip_prefix(bare)
                    .is_some_and(|rest| rest.starts_with('/'))
            });
        is_folder.then_some(FileKind::Directory)
    }

    fn names_in(&self, path: &[u8]) -> Option<Vec<Vec<u8>>> {
        let path = std::str::from_utf8(path).ok()?;
        let names = self.0.iter().filter_map(|name| {
            let below = name.strip_prefix(path)?.strip_prefix('/')?;
            below.split('/').next()
        });
        let names: BTreeSet<&str> = names.collect();
        let names = names.into_iter().map(|name| name.as_bytes().to_vec());
        Some(names.collect())
    }
}

/// A configuration, at the empty name, and the files beside it.
#[derive(Default)]
struct VirtualFolder(BTreeMap<String, String>);

impl VirtualFolder {
    fn new(files: &[(&str, &str)]) -> Self {
        let mut folder = Self::default();
        for (name, text) in files {
            folder.add(name, text);
        }
        folder
    }

    /// Adds to the text of a file.
    fn add(&mut self, name: &str, text: &str) {
        self.0.entry(name.to_owned()).or_default().push_str(text);
    }

    fn read(&self, dialect: Dialect) -> RuleFile {
        RuleFile::read_beside(dialect, self.0[""].as_bytes(), "/", self)
    }
}

impl Beside for VirtualFolder {
    fn list(&self, folder: &str) -> Option<Vec<(String, bool)>> {
        let below = self.0.keys().filter_map(|name| name.strip_prefix(folder));
        let entries = below.filter(|name| !name.is_empty()).map(|name| {
            let (name, rest) = name
                .split_once('/')
                .map_or((name, None), |(a, b)| (a, Some(b)));
            (name.to_owned(), rest.is_some())
        });
        let entries: BTreeSet<(String, bool)> = entries.collect();
        (folder.is_empty() || !entries.is_empty()).then(|| entries.into_iter().collect())
    }

    fn text(&self, name: &str) -> Option<String> {
        self.0.get(name).cloned()
    }
}

const TREE: VirtualFiles = VirtualFiles(&[
    "/index.html",
    "/about.html",
    "/exists.html",
    "/contact.html",
    "/d/index.html",
    "/docs/index.html",
    "/docs/a.html",
    "/docs/sub/index.html",
    "/blog/post.html",
    "/blog/index.html",
]);

/// The answer in one line: the status, and where it leads or which file it is.
fn ask(dialect: Dialect, rules: &str, mount: &str, path: &str) -> String {
    let file = RuleFile::read(dialect, rules.as_bytes(), mount);
    answer(&file, &TREE, path)
}

fn answer(file: &RuleFile, tree: &VirtualFiles, path: &str) -> String {
    let url = format!("http://h{path}");
    let request = Request::from_url(&url).unwrap();
    match file.answer(&request, tree) {
        Answer::Redirect {
            status, location, ..
        } => format!(
            "{status} {}",
            location.strip_prefix("http://h").unwrap_or(&location)
        ),
        Answer::File { path, status, .. } => {
            format!("{status} ={}", String::from_utf8_lossy(&path))
        }
        Answer::Refused { status, .. } => status.to_string(),
        Answer::Unknown { line } => format!("unknown, line {line}"),
    }
}

fn check(dialect: Dialect, rules: &str, mount: &str, answers: &[(&str, &str)]) {
    check_in(&TREE, dialect, rules, mount, answers);
}

/// Checks answers with the files of another tree.
fn check_in(
    tree: &VirtualFiles,
    dialect: Dialect,
    rules: &str,
    mount: &str,
    answers: &[(&str, &str)],
) {
    let file = RuleFile::read(dialect, rules.as_bytes(), mount);
    for (path, expected) in answers {
        assert_eq!(answer(&file, tree, path), *expected, "{path} by\n{rules}");
    }
}

fn problems_of(dialect: Dialect, rules: &str) -> Vec<(usize, ProblemKind)> {
    let file = RuleFile::read(dialect, rules.as_bytes(), "/");
    let problems = file.problems().iter();
    problems
        .map(|problem| (problem.line, problem.kind))
        .collect()
}
