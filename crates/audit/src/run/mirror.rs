//! Which directory `--url-map wget:` means: the one that has the folders of hosts.

use std::path::{Path, PathBuf};

use baseref_files::{EntryKind, Files};
use baseref_findings::nearest::nearest;
use baseref_walk::{is_capture_time, normal};

use super::error::AuditError;
use super::own_addresses::is_host;

/// The names before the colon of a `--url-map` for a mirror.
const MIRRORS: [&str; 4] = ["wget", "wget+http", "wayback", "httrack"];

/// A suggestion for a `--url-map` in none of its forms, if it looks like `wget:DIR` with a misspelt
/// name; otherwise empty.
#[must_use]
pub fn did_you_mean_mirror(map: &str) -> String {
    let meant = map.split_once(':').and_then(|(name, directory)| {
        let name = nearest(name, MIRRORS)?;
        Some(format!("; did you mean `{name}:{directory}`?"))
    });
    meant.unwrap_or_default()
}

/// Checks that a directory of this `--url-map` has folders of hosts.
///
/// Names without a dot may be hosts of a private network, so a directory with such folders is accepted
/// unless another is certain. So is one that cannot be listed, which the walk reports.
///
/// # Errors
///
/// [`AuditError::NoHosts`], with the map of a directory near it that has such folders, if one is found.
pub fn check_mirror(map: &str, directory: &Path, files: &Files) -> Result<(), AuditError> {
    let Ok(folders) = folders(directory, files) else {
        return Ok(());
    };
    let Some(WrongLevel { right }) = wrong_level(directory, &folders, files) else {
        return Ok(());
    };
    let prefix = &map[..=map.find(':').unwrap_or_default()];
    Err(AuditError::NoHosts {
        map: map.to_owned(),
        instead: right.map(|directory| format!("{prefix}{}", directory.display())),
    })
}

/// A mirror without folders of hosts.
struct WrongLevel {
    /// The directory near it that has some.
    right: Option<PathBuf>,
}

/// Whether no folder of a mirror can be that of a host.
fn wrong_level(directory: &Path, folders: &[String], files: &Files) -> Option<WrongLevel> {
    // An archive saved by wget may have folders named by the times of captures.
    let is_expected = |name: &String| is_host(name) || is_capture_time(name);
    if folders.iter().any(is_expected) {
        return None;
    }
    let absolute = normal(directory);
    let names = absolute.components().rev();
    let mut names = names.map(|name| name.as_os_str().to_str().is_some_and(is_host));
    if let Some(levels) = names.position(|is_host| is_host) {
        let right = Some(above(directory, levels + 1));
        return Some(WrongLevel { right });
    }
    let has_hosts = |folder: &PathBuf| {
        let below = self::folders(folder, files).unwrap_or_default();
        below.iter().any(|name| is_host(name))
    };
    let mut below = folders.iter().map(|name| directory.join(name));
    let right = below.find(has_hosts);
    (right.is_some() || folders.is_empty()).then_some(WrongLevel { right })
}

/// The names of the directories in a directory, in order.
fn folders(directory: &Path, files: &Files) -> std::io::Result<Vec<String>> {
    let entries = files.list(directory)?.into_iter();
    let folders = entries.filter(|entry| entry.kind == EntryKind::Directory);
    let mut names: Vec<String> = folders
        .filter_map(|one| one.name.into_string().ok())
        .collect();
    names.sort_unstable();
    Ok(names)
}

/// The directory some levels above another, in the form that the user chose.
fn above(directory: &Path, levels: usize) -> PathBuf {
    let mut path = directory.to_owned();
    if path.as_os_str() == "." {
        path.pop();
    }
    for _ in 0..levels {
        if path.file_name().is_some() {
            path.pop();
        } else {
            path.push("..");
        }
    }
    if path.as_os_str().is_empty() {
        return ".".into();
    }
    path
}
