//! Lists the entries of a ZIM file once, in the order of their paths.

use std::sync::Arc;

use super::entry::{Entry, EntryContent, EntryError, EntryReader};
use super::header::Header;
use super::media::{EntryType, Reading};
use super::storage::{NUMBER, Numbers, Storage};
use crate::entry_table::{EntryTable, Rewriting};
use crate::input::failure;
use baseref_document::{Origin, ReadError, ReadErrorKind, Skipped};

/// The maximum number of damaged entries that are reported one by one.
const REPORTED: u64 = 100;

/// The namespaces of entries that no page links to: metadata, indexes, what readers look for, and the
/// headers that Zimit stored apart.
const APART: [u8; 4] = *b"MXWH";

/// The namespace of all that a book shows, in the new scheme.
const CONTENT: u8 = b'C';

/// Where Zimit stored the headers of responses for the service worker of its first version.
const HEADERS: &[u8] = b"H/";

/// The service worker itself.
const SERVICE_WORKERS: [&[u8]; 2] = [b"A/sw.js", b"sw.js"];

/// The script that rewrites links in pages of its second version.
const WOMBAT: &[u8] = b"_zim_static/wombat.js";

/// What scripts do to the links of pages, by the scripts that are there.
fn rewriting(table: &EntryTable, has_headers: bool) -> Rewriting {
    let has = |path: &[u8]| table.find(path).is_some();
    if has_headers && SERVICE_WORKERS.into_iter().any(has) {
        Rewriting::All
    } else if has(WOMBAT) {
        Rewriting::Outside
    } else {
        Rewriting::None
    }
}

/// An entry whose links are to be read. Ordered by its place in the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Wanted {
    pub cluster: u32,
    pub blob: u32,
    /// The number of the entry in the list of paths.
    pub number: u32,
}

/// The result of one pass over the entries.
#[derive(Debug)]
pub(super) struct Listing {
    /// The entries to read, in the order of their clusters.
    pub wanted: Vec<Wanted>,
    /// The faults of entries.
    pub errors: Vec<ReadError>,
    /// The entries that hold no links, by media type.
    pub skipped: Skipped,
    /// The entries by their paths, if requested.
    pub table: Option<EntryTable>,
}

/// Lists entries.
pub(super) struct Lister<'l> {
    pub storage: &'l Storage,
    pub header: &'l Header,
    pub types: &'l [EntryType],
    pub input: &'l Arc<str>,
    /// Whether the pages belong to a site: style sheets are read, too, and links are looked up.
    pub is_site: bool,
}

/// The state of a pass over the entries.
#[derive(Default)]
struct Pass {
    wanted: Vec<Wanted>,
    errors: Vec<ReadError>,
    damaged: u64,
    skipped: Skipped,
    table: Option<EntryTable>,
    /// Whether there are headers that Zimit stored apart.
    has_headers: bool,
    /// The namespace and the path of the entry before.
    before: Vec<u8>,
    /// The number of entries out of order, and the first of them.
    disorder: Option<(u64, String)>,
}

impl Lister<'_> {
    /// Lists all entries.
    pub fn list(&self) -> Listing {
        let mut pass = Pass {
            table: self.is_site.then(EntryTable::default),
            ..Pass::default()
        };
        let room = self.storage.size().saturating_sub(self.header.path_list) / NUMBER as u64;
        let count = u64::from(self.header.entries);
        if count > room {
            let reason = format!("lists {count} entries, but has room for {room} only");
            pass.errors.push(self.damaged(reason));
        }
        self.entries(&mut pass);
        if pass.damaged > REPORTED {
            let more = pass.damaged - REPORTED;
            let reason = format!("{more} more directory entries are damaged and are not read");
            pass.errors.push(self.damaged(reason));
        }
        if let Some((number, first)) = pass.disorder {
            let reason = format!(
                "the paths of its entries are not in ascending order, {number} times: readers may not \
                 find {first}"
            );
            pass.errors.push(self.damaged(reason));
        }
        pass.wanted.sort_unstable();
        if let Some(table) = &mut pass.table {
            // Readers redirect from the root to the main page.
            if let Some(number) = self.header.main_page {
                table.add_root(number);
            }
            table.finish();
            table.rewriting = rewriting(table, pass.has_headers);
        }
        Listing {
            wanted: pass.wanted,
            errors: pass.errors,
            skipped: pass.skipped,
            table: pass.table,
        }
    }

    fn entries(&self, pass: &mut Pass) {
        let mut reader = EntryReader::new(self.storage.clone());
        let positions = Numbers::new(self.storage.clone(), self.header.path_list);
        // Entries that share their bytes would be read more than once.
        let mut bytes = 0;
        for (number, position) in (0..self.header.entries).zip(positions) {
            let position = match position {
                Ok(position) => position,
                Err(failure) => {
                    let error = failure::unread(Origin::new(Arc::clone(self.input)), failure);
                    return pass.errors.push(error);
                }
            };
            match reader.entry(position) {
                Ok(entry) => {
                    bytes += entry.length as u64;
                    self.entry(number, &entry, pass);
                }
                Err(EntryError::Io(failure)) => {
                    let error = failure::unread(Origin::new(Arc::clone(self.input)), failure);
                    return pass.errors.push(error);
                }
                Err(error) => {
                    bytes += error.examined() as u64;
                    pass.damaged += 1;
                    if pass.damaged <= REPORTED {
                        let reason = format!(
                            "the directory entry {number}, at byte {position}, {error}: it is not read"
                        );
                        pass.errors.push(self.damaged(reason));
                    }
                }
            }
            if bytes > self.storage.size() {
                let left = self.header.entries - number;
                let reason = format!(
                    "its directory entries share their bytes with each other: {left} are not read"
                );
                let origin = Origin::new(Arc::clone(self.input));
                let error = ReadError::new(ReadErrorKind::Limit, origin, reason);
                return pass.errors.push(error);
            }
        }
    }

    fn entry(&self, number: u32, entry: &Entry<'_>, pass: &mut Pass) {
        let is_after = match pass.before.split_first() {
            Some((namespace, path)) => (*namespace, path) < (entry.namespace, entry.path),
            None => true,
        };
        if !is_after {
            let (count, _) = pass.disorder.get_or_insert_with(|| (0, entry.name()));
            *count += 1;
        }
        pass.before.clear();
        pass.before.push(entry.namespace);
        pass.before.extend_from_slice(entry.path);
        self.index(number, entry, pass);
        if !self.is_shown(entry.namespace) {
            return;
        }
        let EntryContent::Blob {
            media,
            cluster,
            blob,
        } = entry.content
        else {
            return;
        };
        let Some(media) = self.types.get(usize::from(media)) else {
            let reason = format!("has the media type {media}, which is not listed: it is not read");
            let mut error = self.damaged(reason);
            error.origin.member = Some(entry.name().into());
            pass.damaged += 1;
            if pass.damaged <= REPORTED {
                pass.errors.push(error);
            }
            return;
        };
        let is_wanted = match media.reading {
            Reading::Document(_) | Reading::SomeXml => true,
            Reading::StyleSheet => self.is_site,
            Reading::Nothing => false,
        };
        if is_wanted {
            pass.wanted.push(Wanted {
                cluster,
                blob,
                number,
            });
        } else {
            pass.skipped.count(&media.essence);
        }
    }

    /// Adds an entry to the table.
    fn index(&self, number: u32, entry: &Entry<'_>, pass: &mut Pass) {
        let Some(table) = &mut pass.table else {
            return;
        };
        // In the old scheme, links name the namespaces as folders.
        let of_old_scheme: Vec<u8>;
        let path = if self.header.has_new_namespaces {
            entry.path
        } else {
            of_old_scheme = [&[entry.namespace, b'/'], entry.path].concat();
            &of_old_scheme
        };
        let is_shown = self.is_shown(entry.namespace);
        pass.has_headers |= path.starts_with(HEADERS);
        let path = is_shown.then_some(path);
        match entry.content {
            EntryContent::Blob { .. } => table.add(number, path),
            EntryContent::Redirect(to) => table.add_redirect(number, path, to),
            EntryContent::Nothing => {}
        }
    }

    /// Whether the entries of a namespace are part of what a book shows.
    fn is_shown(&self, namespace: u8) -> bool {
        if self.header.has_new_namespaces {
            namespace == CONTENT
        } else {
            !APART.contains(&namespace)
        }
    }

    fn damaged(&self, reason: String) -> ReadError {
        let origin = Origin::new(Arc::clone(self.input));
        ReadError::new(ReadErrorKind::Damaged, origin, reason)
    }
}
