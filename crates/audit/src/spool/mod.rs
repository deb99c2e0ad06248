//! Stores the scans of large archives on disk. Only their element ids are read until all captures
//! are known. Then the scans are judged in order.

mod finding_record;
pub(crate) mod names;
mod scan_record;
#[cfg(test)]
mod tests;

use std::io;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use self::names::ReadNames;
use crate::model::names_on_disk::NamesOnDisk;
use crate::model::scan::Scan;
use crate::model::stored_scan::{ScanKey, ScanOnDisk, ScanStorage, StoredScan};
use baseref_files::Scratch;
use baseref_findings::PageName;

/// The store of scans, in memory and on disk.
#[derive(Debug)]
pub(crate) struct Spool {
    /// The maximum number of bytes in memory, and the current number.
    room: usize,
    used: AtomicUsize,
    disk: Mutex<Disk>,
}

#[derive(Debug, Default)]
enum Disk {
    #[default]
    Unused,
    Used {
        scratch: Scratch,
        names: ReadNames,
        /// Why ids could not be read, until [`Spool::fault`] returns it.
        fault: Option<io::Error>,
    },
    /// The disk is full or cannot be used, so that all scans stay in memory.
    Full,
}

impl Default for Spool {
    fn default() -> Self {
        Self::with_room(ROOM)
    }
}

/// The size in bytes of the scans that are stored in memory. Archives with fewer than about 5,000 pages
/// need no disk.
const ROOM: usize = 8 << 20;

/// The size in bytes of the names of most documents, with which a scan begins.
const NAMES: u32 = 1 << 10;

impl Spool {
    pub(crate) fn with_room(room: usize) -> Self {
        Self {
            room,
            used: AtomicUsize::new(0),
            disk: Mutex::default(),
        }
    }

    /// Stores a scan: on disk if memory is full and only its judge reads it, otherwise in memory.
    pub(crate) fn store(&self, scan: Scan) -> StoredScan {
        let on_disk = if scan_record::can_be_stored(&scan) {
            self.write(&scan)
        } else {
            None
        };
        StoredScan(on_disk.map_or_else(|| ScanStorage::Here(Box::new(scan)), ScanStorage::OnDisk))
    }

    /// Writes a scan to disk if memory is full.
    fn write(&self, scan: &Scan) -> Option<ScanOnDisk> {
        let key = ScanKey::new(scan)?;
        let size = scan.size();
        if self.used.fetch_add(size, Ordering::Relaxed) + size <= self.room {
            return None;
        }
        let mut bytes = scan_record::to_bytes(scan)?;
        let length = u32::try_from(bytes.len()).ok()?;
        let names = u32::try_from(scan.names.hashes().len()).ok()?;
        bytes.extend(names::to_bytes(scan.names.hashes()));
        let start = self.append(&bytes)?;
        self.used.fetch_sub(size, Ordering::Relaxed);
        Some(ScanOnDisk {
            start,
            length,
            names,
            key,
            is_record: scan.record.is_some() || scan.entry.is_some(),
            is_captured_page: scan.is_captured_page(),
        })
    }

    /// Takes a scan out of the store.
    ///
    /// # Errors
    /// If it cannot be read from disk.
    pub(crate) fn take(&self, scan: StoredScan) -> Result<Scan, (ScanOnDisk, io::Error)> {
        match scan.0 {
            ScanStorage::Here(scan) => Ok(*scan),
            ScanStorage::OnDisk(on_disk) => self.read(on_disk).map_err(|error| (on_disk, error)),
        }
    }

    /// The names of the document of a scan; `None` if they cannot be read from disk.
    pub(crate) fn page_of(&self, scan: &StoredScan) -> Option<Arc<PageName>> {
        match &scan.0 {
            ScanStorage::Here(scan) => Some(Arc::clone(&scan.name)),
            ScanStorage::OnDisk(on_disk) => {
                let head = self.read_bytes(*on_disk, NAMES.min(on_disk.length)).ok()?;
                let name = scan_record::name_from_bytes(&head);
                let whole = || {
                    let bytes = self.read_bytes(*on_disk, on_disk.length).ok()?;
                    scan_record::name_from_bytes(&bytes)
                };
                name.or_else(whole).map(Arc::new)
            }
        }
    }

    /// The first bytes of a scan. Its element ids are not among them.
    fn read_bytes(&self, on_disk: ScanOnDisk, length: u32) -> io::Result<Vec<u8>> {
        let Disk::Used { scratch, .. } = &mut *self.disk() else {
            return Err(io::ErrorKind::NotFound.into());
        };
        scratch.read(on_disk.start..on_disk.start + u64::from(length))
    }

    fn read(&self, on_disk: ScanOnDisk) -> io::Result<Scan> {
        let bytes = self.read_bytes(on_disk, on_disk.length)?;
        let mut scan = scan_record::from_bytes(&bytes).ok_or(io::ErrorKind::InvalidData)?;
        match on_disk.key {
            ScanKey::Capture(number) => scan.capture = Some(number),
            ScanKey::Entry { package, entry } => {
                (scan.package, scan.entry) = (Some(package), Some(entry));
            }
        }
        scan.names_on_disk = Some(on_disk.names());
        Ok(scan)
    }

    /// Whether one of these ids has this hash. If they cannot be read, returns true and sets
    /// [`Self::fault`].
    pub(crate) fn has_name(&self, place: NamesOnDisk, hash: u64) -> bool {
        let Disk::Used {
            scratch,
            names,
            fault,
        } = &mut *self.disk()
        else {
            return true;
        };
        names.has(scratch, place, hash).unwrap_or_else(|error| {
            fault.get_or_insert(error);
            true
        })
    }

    /// Why ids could not be read since the last call.
    pub(crate) fn fault(&self) -> Option<io::Error> {
        match &mut *self.disk() {
            Disk::Used { fault, .. } => fault.take(),
            Disk::Unused | Disk::Full => None,
        }
    }

    /// Writes bytes to disk and returns their offset; `None` if the disk is full.
    fn append(&self, bytes: &[u8]) -> Option<u64> {
        let mut disk = self.disk();
        if matches!(*disk, Disk::Unused) {
            *disk = Scratch::new().map_or(Disk::Full, |scratch| Disk::Used {
                scratch,
                names: ReadNames::default(),
                fault: None,
            });
        }
        let Disk::Used { scratch, .. } = &mut *disk else {
            return None;
        };
        Some(scratch.append(bytes).ok()?.start)
    }

    fn disk(&self) -> MutexGuard<'_, Disk> {
        self.disk.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
