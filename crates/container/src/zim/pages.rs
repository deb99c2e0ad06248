//! The pages of a ZIM file as entities, in the order of their clusters.
//!
//! Entries are sorted by path, but what they hold is not, and a cluster can only be decompressed
//! from its start. So that each is decompressed once, the pages of a cluster come together. The order
//! is that of the file, and the same for every reading.

use std::collections::VecDeque;
use std::ops::Range;
use std::sync::Arc;

use super::cluster::{Cluster, ClusterError};
use super::entry::{EntryContent, EntryReader};
use super::header::Header;
use super::listing::Wanted;
use super::media::{EntryType, Reading};
use super::storage::Storage;
use crate::contents::Container;
use crate::documents;
use crate::entity::{Entity, EntityKind};
use crate::input::failure;
use crate::member_url::declared_below;
use crate::nesting::Nesting;
use crate::package::Package;
use baseref_document::{Declaration, Limits, Origin, ReadError, ReadErrorKind, Skipped, Work};
use baseref_text::decode::source::Markup;

/// The pages.
pub(super) struct Pages {
    pub storage: Storage,
    pub header: Header,
    pub types: Vec<EntryType>,
    pub input: Arc<str>,
    pub declarations: Vec<Declaration>,
    pub limits: Limits,
    /// The containers around the pages: this file, and those that it is in.
    pub nesting: Nesting,
    /// The file as a package, if it is read as a site.
    pub package: Option<Arc<Package>>,
    pub entries: EntryReader,
    /// The entries to read, in the order of their clusters.
    pub wanted: Vec<Wanted>,
    /// How many of them have been read.
    pub next: usize,
    pub open: Option<OpenCluster>,
    pub skipped: Skipped,
    /// Entities and errors found but not yet returned.
    pub ready: VecDeque<Result<Entity, ReadError>>,
}

/// The cluster being read.
pub(super) struct OpenCluster {
    cluster: Cluster,
    /// The index of the first page that is in another cluster.
    end: usize,
    /// The ranges of the pages that have not been read.
    ranges: std::vec::IntoIter<Range<u64>>,
    /// The blob that was read last, with its number, if the next page is the same one.
    repeated: Option<(u32, Vec<u8>)>,
}

/// The name of an entry, and the number of its media type.
struct Named {
    origin: Origin,
    media: usize,
}

/// Why a blob cannot be read.
enum BlobError {
    /// It is larger than the limit.
    Large,
    Cluster(ClusterError),
}

impl Pages {
    /// Begins the cluster of the next page.
    fn open_cluster(&mut self) {
        let number = self.wanted[self.next].cluster;
        let pages = &self.wanted[self.next..];
        let pages = &pages[..pages.partition_point(|wanted| wanted.cluster == number)];
        let end = self.next + pages.len();
        let opened = self.cluster(number).and_then(|mut cluster| {
            // The blobs that the cluster does not have come last.
            let blobs = cluster.blobs();
            let there = pages.partition_point(|wanted| u64::from(wanted.blob) < blobs);
            let numbers: Vec<u32> = pages[..there].iter().map(|wanted| wanted.blob).collect();
            let ranges = cluster.ranges(&numbers)?.into_iter();
            Ok(OpenCluster {
                cluster,
                end,
                ranges,
                repeated: None,
            })
        });
        match opened {
            Ok(opened) => self.open = Some(opened),
            Err(error) => self.lose(end, &error),
        }
    }

    /// Opens the cluster of that number.
    fn cluster(&self, number: u32) -> Result<Cluster, ClusterError> {
        if number >= self.header.clusters {
            return Err(ClusterError::Outside);
        }
        let list = self.header.cluster_list;
        let numbers = self.storage.numbers(list, number.into(), 2)?;
        let start = *numbers.first().ok_or(ClusterError::Outside)?;
        // Clusters need not be in order, so that the next one may lie before this one.
        let has_next = number + 1 < self.header.clusters;
        let next = numbers.get(1).filter(|next| has_next && **next > start);
        let end = next.copied().unwrap_or(u64::MAX);
        Cluster::open(&self.storage, start..end, &self.nesting)
    }

    /// Where a cluster begins in the file; `None` if it is not listed.
    fn place(&self, cluster: u32) -> std::io::Result<Option<u64>> {
        if cluster >= self.header.clusters {
            return Ok(None);
        }
        let list = self.header.cluster_list;
        let numbers = self.storage.numbers(list, cluster.into(), 1)?;
        Ok(numbers.first().copied())
    }

    /// Reports that the next pages, up to the one with the index `end`, cannot be read: all that are
    /// left if the ledger is spent.
    fn lose(&mut self, end: usize, error: &ClusterError) {
        let kind = error.kind();
        let end = match kind {
            ReadErrorKind::Limit => self.wanted.len(),
            _ => end,
        };
        let next = self.wanted.get(self.next).copied();
        let Some(first) = next.filter(|_| self.next < end) else {
            return;
        };
        let named = self.named(first);
        let name = named.ok().and_then(|named| named.origin.member);
        let name = name.unwrap_or_default();
        let pages = match end - self.next {
            1 => format!("{name} is not read"),
            lost => format!("{lost} entries are not read, {name} first"),
        };
        let place = match self.place(first.cluster) {
            Ok(Some(place)) => format!(", at byte {place},"),
            Ok(None) | Err(_) => String::new(),
        };
        let reason = format!("cluster {}{place} {error}: {pages}", first.cluster);
        let origin = Origin::new(Arc::clone(&self.input));
        self.ready
            .push_back(Err(ReadError::new(kind, origin, reason)));
        self.next = end;
    }

    /// The name and the media type of an entry.
    ///
    /// # Errors
    /// If it cannot be read any more.
    fn named(&mut self, wanted: Wanted) -> Result<Named, ReadError> {
        let mut origin = Origin::new(Arc::clone(&self.input));
        let list = self.header.path_list;
        let numbers = self.storage.numbers(list, wanted.number.into(), 1);
        let position = numbers.map_err(|failure| failure::unread(origin.clone(), failure))?;
        let position = position.first().copied().unwrap_or(u64::MAX);
        let entry = self.entries.entry(position);
        let entry = entry.map_err(|error| {
            let reason = format!("the directory entry {} {error}", wanted.number);
            ReadError::new(ReadErrorKind::Io, origin.clone(), reason)
        })?;
        origin.member = Some(Arc::new(entry.name()));
        let media = match entry.content {
            EntryContent::Blob { media, .. } => media.into(),
            EntryContent::Redirect(_) | EntryContent::Nothing => usize::MAX,
        };
        Ok(Named { origin, media })
    }

    /// Reads the next page of the open cluster, which is left open if more can be read of it.
    fn page(&mut self, mut open: OpenCluster) {
        let wanted = self.wanted[self.next];
        let named = self.named(wanted);
        let range = open.ranges.next();
        let named = match named {
            Ok(named) => named,
            Err(error) => {
                self.ready.push_back(Err(error));
                self.next += 1;
                self.open = Some(open);
                return;
            }
        };
        let Some(range) = range else {
            let blobs = open.cluster.blobs();
            let Wanted { cluster, blob, .. } = wanted;
            let reason =
                format!("is blob {blob} of cluster {cluster}, which has {blobs}: it is not read");
            let error = ReadError::new(ReadErrorKind::Damaged, named.origin, reason);
            self.ready.push_back(Err(error));
            self.next += 1;
            self.open = Some(open);
            return;
        };
        let mut bytes = Vec::new();
        let read = self.blob(&mut open, wanted.blob, range, &mut bytes);
        match read {
            Ok(()) => self.entity(named, bytes, false),
            Err(BlobError::Large) => {
                let limit = self.limits.message;
                let reason = format!("is larger than {limit} bytes and is not read");
                let error = ReadError::new(ReadErrorKind::Limit, named.origin, reason);
                self.ready.push_back(Err(error));
            }
            Err(BlobError::Cluster(error)) => {
                let reason = format!("cluster {} {error}", wanted.cluster);
                let origin = named.origin.clone();
                self.ready
                    .push_back(Err(ReadError::new(error.kind(), origin, reason)));
                // What is there of it is read.
                if !bytes.is_empty() {
                    self.entity(named, bytes, true);
                }
                self.next += 1;
                return self.lose(open.end, &error);
            }
        }
        self.next += 1;
        self.open = Some(open);
    }

    /// The bytes of a blob. Entries may share one.
    fn blob(
        &self,
        open: &mut OpenCluster,
        number: u32,
        range: Range<u64>,
        bytes: &mut Vec<u8>,
    ) -> Result<(), BlobError> {
        if range.end.saturating_sub(range.start) > self.limits.message as u64 {
            return Err(BlobError::Large);
        }
        if let Some((_, known)) = open.repeated.take_if(|(known, _)| *known == number) {
            let drawn = self
                .nesting
                .ledger()
                .draw(Work::Inflated, known.len() as u64);
            drawn.map_err(|_| BlobError::Cluster(ClusterError::Spent))?;
            *bytes = known;
        } else {
            open.cluster
                .append(range, bytes)
                .map_err(BlobError::Cluster)?;
        }
        let after = self.wanted.get(self.next + 1..open.end).unwrap_or_default();
        if after.first().is_some_and(|after| after.blob == number) {
            open.repeated = Some((number, bytes.clone()));
        }
        Ok(())
    }

    /// Adds an entry to the entities, if it holds links.
    fn entity(&mut self, named: Named, bytes: Vec<u8>, is_damaged: bool) {
        let Some(media) = self.types.get(named.media) else {
            return;
        };
        let (kind, markup) = match media.reading {
            Reading::Document(markup) => (EntityKind::Html, Some(markup)),
            Reading::SomeXml => (EntityKind::Html, documents::markup_of_xml(&bytes)),
            Reading::StyleSheet => (EntityKind::StyleSheet, Some(Markup::Html)),
            Reading::Nothing => (EntityKind::Html, None),
        };
        let Some(markup) = markup else {
            return self.skipped.count(&media.essence);
        };
        self.ready.push_back(Ok(Entity {
            kind,
            markup,
            charset: media.charset.as_deref().map(str::to_owned),
            declarations: self.declared(&named.origin),
            nesting: self.nesting.clone(),
            package: self.package.clone(),
            is_damaged,
            ..Entity::html(named.origin, bytes)
        }));
    }

    /// The user's declarations about an entry. If the file has a URL, the URL of the entry is below
    /// it.
    fn declared(&self, origin: &Origin) -> Vec<Declaration> {
        let name = origin.member.as_ref().map_or("", |name| name.as_str());
        let path = if self.header.has_new_namespaces {
            name.split_once('/').map_or(name, |(_, path)| path)
        } else {
            name
        };
        let around = self.declarations.iter();
        around
            .map(|declared| declared_below(declared, &self.input, path))
            .collect()
    }
}

impl Iterator for Pages {
    type Item = Result<Entity, ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(found) = self.ready.pop_front() {
                return Some(found);
            }
            match self.open.take() {
                Some(open) if self.next < open.end => self.page(open),
                _ if self.next < self.wanted.len() => self.open_cluster(),
                _ => return None,
            }
        }
    }
}

impl Container for Pages {
    fn skipped(&self) -> Skipped {
        self.skipped.clone()
    }
}
