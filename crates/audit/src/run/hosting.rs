//! The hosting that a configuration asks for.

use std::path::PathBuf;

use baseref_files::{Files, Role};
use baseref_findings::Config;
use baseref_server::{Dialect, RuleFile, table};
use baseref_site::hosting::{Folder, Hosting};
use baseref_site::listing::{Node, Tree};

use super::error::AuditError;
use crate::serving::other_hosting::{OtherHosting, OtherHostings, Preset};

/// The other hosting presets, with the files in and above these folders that speak for each. None if the
/// user chose one.
pub(super) fn other_hostings(
    config: &Config,
    own: &Hosting,
    trees: &[&Tree],
    files: &Files,
) -> OtherHostings {
    let mut others: Vec<OtherHosting> = Vec::new();
    let is_chosen = config.hosting.is_some()
        || config.index.is_some()
        || config.ext.is_some()
        || config.dir.is_some();
    let names = table::hosting_names().filter(|_| !is_chosen && !trees.is_empty());
    for name in names.filter(|name| *name != own.name && *name != "file") {
        let Some(hosting) = table::hosting(name) else {
            continue;
        };
        let marks = table::marks(name).iter().copied();
        let is_there = |mark: &&str| {
            let is_above = |tree: &Tree| files.is_file(&tree.root().join("..").join(mark));
            trees
                .iter()
                .any(|tree| is_in(tree, mark, files) || is_above(tree))
        };
        let marks: Vec<&str> = marks.filter(is_there).collect();
        if let Some(preset) = without_extensions(name, &marks, trees, files) {
            add(&mut others, &without_html(&hosting), preset);
        }
        let option = format!("--hosting {name}");
        let preset = Preset {
            name,
            marks,
            option,
        };
        add(&mut others, &hosting, preset);
    }
    OtherHostings::new(others)
}

/// Whether there is a file of this name at the root of a tree. Only what a link out of the tree leads to is
/// not known from its listing.
fn is_in(tree: &Tree, name: &str, files: &Files) -> bool {
    match tree.exact(tree.top(), name.as_bytes()) {
        Some(Node::File(_)) => true,
        Some(Node::Outside) => files.is_file(&tree.root().join(name)),
        Some(Node::Directory(_) | Node::Dangling | Node::Special) | None => false,
    }
}

/// Adds a preset to the hosting that answers like it.
fn add(others: &mut Vec<OtherHosting>, hosting: &Hosting, preset: Preset) {
    let mut alike = others.iter_mut();
    match alike.find(|other| answers_alike(&other.hosting, hosting)) {
        Some(other) => other.presets.push(preset),
        None => others.push(OtherHosting {
            hosting: hosting.clone(),
            presets: vec![preset],
        }),
    }
}

/// The hosting that serves `a.html` at `/a`, too.
fn without_html(hosting: &Hosting) -> Hosting {
    Hosting {
        extensions: vec![".html".to_owned()],
        slash_extension: true,
        ..hosting.clone()
    }
}

/// The preset for a rule file that lets the server find files without their extension, if a site has
/// one.
fn without_extensions(
    name: &'static str,
    marks: &[&'static str],
    trees: &[&Tree],
    files: &Files,
) -> Option<Preset> {
    // The page for browsers has no file system, and would be an eighth larger with the readers of all dialects.
    if cfg!(target_family = "wasm") || marks.is_empty() {
        return None;
    }
    let dialect = Dialect::from_name(name)?;
    let rule_files = table::rule_files_of_sites();
    let names = marks.iter().filter(|mark| rule_files.contains(*mark));
    let paths = names.flat_map(|mark| {
        let below = trees.iter().map(move |tree| tree.root().join(mark));
        below.chain(
            trees
                .iter()
                .map(move |tree| tree.root().join("..").join(mark)),
        )
    });
    let serves_without_extension = |path: &PathBuf| {
        let bytes = files.read(path, Role::Rules);
        bytes.is_ok_and(|bytes| RuleFile::read(dialect, &bytes, "/").serves_without_extension())
    };
    let path = paths.into_iter().find(serves_without_extension)?;
    Some(Preset {
        name,
        marks: marks.to_vec(),
        option: format!("--redirects {}", path.display()),
    })
}

/// Whether two hostings find the same files.
fn answers_alike(one: &Hosting, other: &Hosting) -> bool {
    one.index == other.index
        && one.folder == other.folder
        && one.extensions == other.extensions
        && one.slash_extension == other.slash_extension
        && one.backslash_separates == other.backslash_separates
}

/// The hosting preset of a configuration, with what it overrides.
///
/// # Errors
/// If a name or a value of it is unknown.
pub fn hosting(config: &Config) -> Result<Hosting, AuditError> {
    let mut hosting = match &config.hosting {
        Some(name) => table::hosting(name).ok_or_else(|| AuditError::Hosting(name.clone()))?,
        None => Hosting::default(),
    };
    if let Some(index) = &config.index {
        let names = index.iter().filter(|name| !name.is_empty());
        hosting.index = names.cloned().collect();
    }
    if let Some(extensions) = &config.ext {
        let extensions = extensions.iter().filter(|name| !name.is_empty());
        hosting.extensions = extensions
            .map(|name| format!(".{}", name.trim_start_matches('.')))
            .collect();
    }
    if let Some(name) = &config.dir {
        let all = [Folder::Redirect, Folder::Serve, Folder::NotFound];
        let folder = all.into_iter().find(|folder| folder.as_str() == name);
        hosting.folder = folder.ok_or_else(|| AuditError::Dir(name.clone()))?;
    }
    if let Some(name) = &config.case {
        hosting.case_sensitive = match name.as_str() {
            "sensitive" => true,
            "insensitive" => false,
            _ => return Err(AuditError::Case(name.clone())),
        };
    }
    Ok(hosting)
}
