//! The addresses in sitemaps and in the sitemaps that an index names.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use indexmap::IndexSet;
use quick_xml::Reader;
use quick_xml::escape::resolve_xml_entity;
use quick_xml::events::Event;

use super::error::ListError;
use super::gzip::unpacked;
use super::list::{Address, DistinctAddresses};
use baseref_files::{Files, Role};
use baseref_resolve::parts;

/// The maximum number of sitemaps read from a sitemap index.
const MAX_SITEMAPS: usize = 50_000;

/// The maximum length in bytes of a path that is looked for: Linux, macOS and Windows have no longer
/// ones.
const MAX_PATH: usize = 4_096;

/// Reads the addresses of a sitemap. The sitemaps that an index names are read from its folder or, by
/// the paths of their URLs, from below it.
pub(super) fn read(text: &str, file: &Path, files: &Files) -> Result<Vec<Address>, ListError> {
    let mut addresses = DistinctAddresses::default();
    let mut pending = locations(text, &mut addresses)?;
    let folder = file.parent().unwrap_or(Path::new(""));
    let mut seen = HashSet::new();
    let mut read = HashSet::new();
    let mut at = 0;
    while let Some(location) = pending.get(at).cloned() {
        at += 1;
        if at > MAX_SITEMAPS {
            return Err(ListError::TooManySitemaps(MAX_SITEMAPS));
        }
        if !seen.insert(location.clone()) {
            continue;
        }
        let Some(bytes) = read_sitemap(&location, folder, files, &mut read)? else {
            continue;
        };
        let text = unpacked(&bytes)?;
        pending.extend(locations(&String::from_utf8_lossy(&text), &mut addresses)?);
    }
    Ok(addresses.into_vec())
}

/// The bytes of the sitemap at a URL, from a file below a folder, perhaps unpacked; `None` if the file
/// was `read` before, since several URLs can name one file.
fn read_sitemap(
    location: &str,
    folder: &Path,
    files: &Files,
    read: &mut HashSet<PathBuf>,
) -> Result<Option<Vec<u8>>, ListError> {
    let path = parts::without_query(parts::path(location));
    let mut first = None;
    let names = path.split('/').filter(|name| is_name(name));
    let names: Vec<&str> = match path.len() {
        ..=MAX_PATH => names.collect(),
        _ => Vec::new(),
    };
    for start in (0..names.len()).rev() {
        let below: PathBuf = names.get(start..).unwrap_or_default().iter().collect();
        let whole = folder.join(below);
        let plain =
            (whole.extension().is_some_and(|end| end == "gz")).then(|| whole.with_extension(""));
        for path in [Some(whole), plain].into_iter().flatten() {
            if read.contains(&path) {
                return Ok(None);
            }
            match files.read(&path, Role::Addresses) {
                Ok(bytes) => {
                    read.insert(path);
                    return Ok(Some(bytes));
                }
                Err(error) => _ = first.get_or_insert((path, error)),
            }
        }
    }
    Err(match first {
        Some((path, source)) => ListError::MissingSitemap {
            url: location.to_owned(),
            path,
            source,
        },
        None => ListError::SitemapUrl(location.to_owned()),
    })
}

/// Whether a path segment can be a file name that stays below its folder.
fn is_name(name: &str) -> bool {
    !name.is_empty() && name != "." && name != ".." && !name.contains(['\\', ':', '\0'])
}

/// Adds the URLs of pages, and returns the URLs of further sitemaps.
fn locations(text: &str, pages: &mut DistinctAddresses) -> Result<Vec<String>, ListError> {
    let mut reader = Reader::from_str(text);
    let mut sitemaps = IndexSet::new();
    let mut value = String::new();
    // Images and videos have their own `loc`.
    let (mut depth, mut entry, mut in_index, mut in_location) = (0_usize, 0, false, false);
    loop {
        match reader.read_event().map_err(ListError::Sitemap)? {
            Event::Start(start) => {
                depth += 1;
                match start.local_name().as_ref() {
                    name @ ("sitemap" | "url") => {
                        in_index = name == "sitemap";
                        entry = depth;
                    }
                    "loc" if depth == entry + 1 => {
                        in_location = true;
                        value.clear();
                    }
                    _ => {}
                }
            }
            Event::Text(part) if in_location => value.push_str(&part),
            Event::CData(part) if in_location => value.push_str(&part),
            Event::GeneralRef(name) if in_location => value.extend(character(&name)),
            Event::End(_) => {
                depth = depth.saturating_sub(1);
                if std::mem::take(&mut in_location) {
                    match value.trim() {
                        url if in_index => _ = sitemaps.insert(url.to_owned()),
                        url => pages.add(url, ""),
                    }
                }
            }
            Event::Eof => return Ok(sitemaps.into_iter().collect()),
            _ => {}
        }
    }
}

/// The character of a reference, which is one of XML's five names or a number.
fn character(name: &str) -> Option<char> {
    let Some(number) = name.strip_prefix('#') else {
        return resolve_xml_entity(name)?.chars().next();
    };
    let code = match number.strip_prefix(['x', 'X']) {
        Some(digits) => u32::from_str_radix(digits, 16),
        None => number.parse(),
    };
    char::from_u32(code.ok()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn file_named_by_several_urls_is_read_once() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
        let (files, mut read) = (Files::default(), HashSet::new());
        let mut found =
            |path: &str| read_sitemap(&format!("http://h/{path}"), folder, &files, &mut read);
        let mut is_read = |path: &str| found(path).expect("the file exists").is_some();
        assert!(is_read("a/Cargo.toml"));
        assert!(!is_read("b/Cargo.toml?c"));
        assert!(is_read("b/src/lib.rs"));
    }

    #[test]
    fn overlong_path_is_not_looked_for() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
        let (files, mut read) = (Files::default(), HashSet::new());
        let path = "a/".repeat(MAX_PATH / 2) + "Cargo.toml";
        let error = read_sitemap(&format!("http://h/{path}"), folder, &files, &mut read);
        assert!(error.unwrap_err().to_string().ends_with("which is no file"));
    }
}
