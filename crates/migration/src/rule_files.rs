//! The files of redirect rules, each in the dialect that its name shows or the user says.

use std::path::Path;

use crate::addresses::Source;
use crate::stubs;
use baseref_files::{Files, Role};
use baseref_findings::nearest::nearest;
use baseref_server::{Dialect, RuleFile};
use baseref_site::listing::Tree;

use super::tree::read_tree;
use baseref_findings::Refused;

/// What to say of a rule file whose name does not decide in which dialect it is.
fn undecided(file: &str) -> String {
    let name = file.rsplit(['/', '\\']).next().unwrap_or(file);
    if name.starts_with("next.config.") {
        return format!(
            "{file}: is a program and is not run: build the site, and give \
             next:.next/routes-manifest.json"
        );
    }
    if let Some((typed, _)) = file.split_once(':')
        && let Some(meant) = nearest(typed, Dialect::names())
    {
        return format!("{file}: no dialect `{typed}`; did you mean `{meant}`?");
    }
    if let [one, other] = Dialect::candidates(file)[..] {
        return format!(
            "{file}: can be of {one} or {other}, which read it differently: write {one}:{file} or \
             {other}:{file}"
        );
    }
    let known: Vec<&str> = Dialect::names().collect();
    let known = known.join(", ");
    format!("{file}: its name does not show what it is: write one of {known} and a colon before it")
}

/// What to say of a rule file whose name shows that it is in another dialect than the one given.
fn contradiction(dialect: Dialect, file: &str) -> Option<String> {
    let path = match dialect {
        Dialect::Htaccess => file.rsplit_once('@').map_or(file, |(path, _)| path),
        _ => file,
    };
    if file.contains("next.config.") && dialect == Dialect::Next {
        return Some(undecided(file));
    }
    let possible = Dialect::candidates(path);
    if possible.contains(&dialect) {
        return None;
    }
    let others: Vec<String> = possible
        .iter()
        .map(|other| format!("{other}:{file}"))
        .collect();
    Some(format!(
        "{file}: its name shows that it is not in {dialect}: write {}, or give the file another name",
        others.join(" or ")
    ))
}

/// Reads the files of `--redirects`, each `[DIALECT:]FILE`.
///
/// # Errors
/// If a file cannot be read, or its dialect is not known.
pub fn read_rules(
    named: &[String],
    from: &str,
    files: &Files,
) -> Result<(Vec<RuleFile>, Vec<Source>), Refused> {
    let mut rules = Vec::new();
    let mut sources = Vec::new();
    for name in named {
        if let Some(dir) = name.strip_prefix("html-stubs:") {
            let tree = read_tree(Path::new(dir), files)?;
            let table = stubs::table(html_files(&tree, files), from);
            rules.push(RuleFile::read(Dialect::Csv, &table, "/"));
            sources.push(Source::new(dir, b""));
            continue;
        }
        let (dialect, file) = match name.split_once(':') {
            Some((dialect, file)) if Dialect::from_name(dialect).is_some() => {
                (Dialect::from_name(dialect), file)
            }
            _ => (Dialect::from_file_name(name), name.as_str()),
        };
        if let Some(dialect) = dialect
            && let Some(hint) = contradiction(dialect, file)
        {
            return Err(Refused(hint));
        }
        let Some(dialect) = dialect else {
            return Err(Refused(undecided(file)));
        };
        let (path, mount) = match file.rsplit_once('@') {
            Some((path, mount)) if dialect == Dialect::Htaccess && mount.starts_with('/') => {
                (path, mount)
            }
            _ => (file, "/"),
        };
        let bytes = files.read(Path::new(path), Role::Rules);
        let bytes = bytes.map_err(|error| Refused(format!("{path}: {error}")))?;
        rules.push(RuleFile::read(dialect, &bytes, mount));
        sources.push(Source::new(path, &bytes));
    }
    Ok((rules, sources))
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
