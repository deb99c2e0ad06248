//! Reads rule files, each in the dialect that the user gives or that its name shows.

use std::path::Path;
use std::sync::Arc;

use baseref_files::{EntryKind, Files, Role};
use baseref_findings::nearest::nearest;
use baseref_site::listing::{FileSystem, Tree};

use super::error::RuleSetError;
use super::source::RuleSource;
use crate::follow::stubs;
use crate::include_search::Beside;
use crate::rule_file::RuleFile;
use crate::table::Dialect;

/// Rule files in the order in which they were named.
#[derive(Debug, Default)]
pub struct NamedRules {
    /// The files.
    pub files: Vec<Arc<RuleFile>>,
    /// What findings about each file need.
    pub sources: Vec<RuleSource>,
}

/// Why the name of a file leaves its dialect open.
fn undecided(file: &str) -> RuleSetError {
    let name = file.rsplit(['/', '\\']).next().unwrap_or(file);
    if name.starts_with("next.config.") {
        return RuleSetError::Program(file.to_owned());
    }
    if let Some((typed, _)) = file.split_once(':')
        && let Some(suggestion) = nearest(typed, Dialect::names())
    {
        return RuleSetError::NoDialect {
            file: file.to_owned(),
            typed: typed.to_owned(),
            suggestion,
        };
    }
    match Dialect::candidates(file)[..] {
        [one, other] => RuleSetError::TwoDialects {
            file: file.to_owned(),
            dialects: [one, other],
        },
        _ => RuleSetError::Undecided(file.to_owned()),
    }
}

/// The error for a file whose name shows that it is in another dialect than the one given.
fn contradiction(given: Dialect, file: &str) -> Option<RuleSetError> {
    let path = match given {
        Dialect::Htaccess => file.rsplit_once('@').map_or(file, |(path, _)| path),
        _ => file,
    };
    if file.contains("next.config.") && given == Dialect::Next {
        return Some(undecided(file));
    }
    let candidates = Dialect::candidates(path);
    (!candidates.contains(&given)).then(|| RuleSetError::Contradiction {
        file: file.to_owned(),
        given,
        candidates,
    })
}

/// Reads the files of `--redirects`, each `[DIALECT:]FILE`, or `html-stubs:DIR` for pages that redirect
/// by themselves and are served at `from`.
///
/// # Errors
/// If a file cannot be read, or its dialect is not known.
pub fn read_rules(named: &[String], from: &str, files: &Files) -> Result<NamedRules, RuleSetError> {
    let mut rules = NamedRules::default();
    for name in named {
        if let Some(dir) = name.strip_prefix("html-stubs:") {
            let tree = read_tree(Path::new(dir), files)?;
            let stubs = stubs::rules(html_files(&tree, files), from);
            rules.files.push(Arc::new(stubs));
            rules.sources.push(RuleSource::new(dir, b""));
            continue;
        }
        let given = name.split_once(':');
        let given = given.and_then(|(dialect, file)| Some((Dialect::from_name(dialect)?, file)));
        let (dialect, file) = match given {
            Some((dialect, file)) => (Some(dialect), file),
            None => (Dialect::from_file_name(name), name.as_str()),
        };
        let dialect = dialect.ok_or_else(|| undecided(file))?;
        if let Some(error) = contradiction(dialect, file) {
            return Err(error);
        }
        let (path, mount) = match file.rsplit_once('@') {
            Some((path, mount)) if dialect == Dialect::Htaccess && mount.starts_with('/') => {
                (path, mount)
            }
            _ => (file, "/"),
        };
        let bytes = files.read(Path::new(path), Role::Rules);
        let bytes = bytes.map_err(|source| RuleSetError::Unreadable {
            path: path.into(),
            source,
        })?;
        let folder = Folder {
            path: Path::new(path).parent().unwrap_or(Path::new("")),
            files,
        };
        let rule_file = RuleFile::read_beside(dialect, &bytes, mount, &folder);
        let source = RuleSource::new(path, &bytes).with_included(rule_file.included());
        rules.files.push(Arc::new(rule_file));
        rules.sources.push(source);
    }
    Ok(rules)
}

/// The folder of a configuration on the disk.
struct Folder<'f> {
    path: &'f Path,
    files: &'f Files,
}

impl Beside for Folder<'_> {
    fn list(&self, folder: &str) -> Option<Vec<(String, bool)>> {
        let path = self.path.join(folder);
        let is_nowhere = path.as_os_str().is_empty();
        let path = if is_nowhere { Path::new(".") } else { &path };
        let entries = self.files.list(path).ok()?.into_iter();
        let entries = entries.filter_map(|entry| {
            let is_folder = match entry.kind {
                EntryKind::Directory => true,
                EntryKind::Link => {
                    let target = path.join(&entry.name);
                    let is_folder = self.files.is_dir(&target);
                    // What is neither, such as a pipe, might never end.
                    if !is_folder && !self.files.is_file(&target) {
                        return None;
                    }
                    is_folder
                }
                EntryKind::File => false,
                EntryKind::Special => return None,
            };
            Some((entry.name.into_string().ok()?, is_folder))
        });
        let mut entries: Vec<(String, bool)> = entries.collect();
        entries.sort();
        Some(entries)
    }

    fn text(&self, name: &str) -> Option<String> {
        let bytes = self.files.read(&self.path.join(name), Role::Rules).ok()?;
        Some(String::from_utf8_lossy(&bytes).into_owned())
    }
}

fn read_tree(dir: &Path, files: &Files) -> Result<Tree, RuleSetError> {
    let tree = Tree::read(dir, &FileSystem(files)).map_err(|source| RuleSetError::Unreadable {
        path: dir.to_owned(),
        source,
    })?;
    if tree.file_count() == 0 {
        return Err(RuleSetError::EmptyFolder(dir.to_owned()));
    }
    Ok(tree)
}

/// The HTML files of a tree: their paths below it, and their bytes.
fn html_files(tree: &Tree, files: &Files) -> impl Iterator<Item = (String, Vec<u8>)> {
    tree.files().filter_map(|file| {
        let below = tree.file_path(file);
        let extension = below.extension()?.to_str()?.to_ascii_lowercase();
        if !matches!(&*extension, "html" | "htm" | "xhtml") {
            return None;
        }
        let path = tree.root().join(&below);
        let bytes = files.read(&path, Role::Document).ok()?;
        Some((below.to_string_lossy().replace('\\', "/"), bytes))
    })
}
