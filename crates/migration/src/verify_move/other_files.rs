//! Old addresses in files that are not documents, but that crawlers, feed readers and browsers read:
//! `robots.txt`, manifests, JSON feeds, scripts.

use std::collections::HashSet;
use std::path::Path;
use std::sync::Arc;

use crate::rules;
use crate::textual_mentions::TextualMentions;
use baseref_document::{Origin, ReadError};
use baseref_files::{Files, Role};
use baseref_findings::{Finding, Level, PageName, Shown};
use baseref_site::listing::Tree;
use encoding_rs::UTF_8;

/// The old addresses in files that are not documents.
#[derive(Default)]
pub(super) struct OtherFiles {
    /// One finding per file, in the order of the tree.
    pub findings: Vec<Finding>,
    /// The number of files whose addresses programs follow.
    pub followed: u64,
    /// The files that could not be read.
    pub unread: Vec<ReadError>,
}

/// The level of findings in a file that is not a document, by its name; `None` if it is not searched.
fn level(name: &str) -> Option<Level> {
    let name = name.to_ascii_lowercase();
    if matches!(
        &*name,
        "robots.txt" | "llms.txt" | "manifest.json" | "feed.json" | "security.txt"
    ) {
        return Some(Level::Error);
    }
    match name.rsplit_once('.')?.1 {
        "xml" | "rss" | "atom" | "rdf" | "xsl" | "webmanifest" | "js" | "mjs" => Some(Level::Error),
        // Data and prose can quote the old address on purpose.
        "json" | "jsonld" | "txt" | "md" | "csv" | "ics" | "vcf" => Some(Level::Warning),
        _ => None,
    }
}

/// Searches the files of a tree that were not `read` as documents. `prefix` is the URL of the tree.
pub(super) fn search(
    tree: &Tree,
    files: &Files,
    mentions: &TextualMentions,
    shown: &Shown,
    read: &HashSet<&str>,
    prefix: &str,
) -> OtherFiles {
    let mut out = OtherFiles::default();
    for file in tree.files() {
        let below = tree.file_path(file);
        let name = below.file_name().unwrap_or_default().to_string_lossy();
        let path = tree.root().join(&below);
        let doc = path.to_string_lossy().into_owned();
        let Some(level) = level(&name).filter(|_| !read.contains(&*doc)) else {
            continue;
        };
        match files.read(&path, Role::Document) {
            Ok(bytes) => {
                let url = baseref_site::url_below(prefix, below.as_os_str().as_encoded_bytes());
                let page = page_name(doc, url, &below);
                out.add(&bytes, &page, level, mentions, shown);
            }
            Err(error) => out.unread.push(ReadError::from_io(Origin::new(doc), error)),
        }
    }
    out
}

fn page_name(doc: String, url: String, below: &Path) -> Arc<PageName> {
    Arc::new(PageName {
        doc,
        url: Some(url),
        key: below.to_string_lossy().replace('\\', "/"),
    })
}

impl OtherFiles {
    /// Adds the finding about a file, if it has an old address.
    fn add(
        &mut self,
        bytes: &[u8],
        page: &Arc<PageName>,
        level: Level,
        mentions: &TextualMentions,
        shown: &Shown,
    ) {
        let found = mentions.find(bytes, None, UTF_8, &[]);
        let Some((text, at)) = found.first() else {
            return;
        };
        let times = match found.len() {
            1 => "once".to_owned(),
            number => format!("{number} times"),
        };
        let mut finding = Finding::new(
            &rules::OTHER_FILE,
            page,
            text.to_ascii_lowercase(),
            format!("the old address occurs {times}; the file is not edited"),
        );
        finding.level = level;
        finding.raw = text.as_str().into();
        finding.at = Some(at.clone());
        let mut findings = [finding];
        shown.add_lines(&mut findings, bytes, UTF_8);
        self.findings.extend(findings);
        self.followed += u64::from(level == Level::Error);
    }
}
