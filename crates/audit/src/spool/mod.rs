//! Scans of archives for which memory has no room, on disk: nothing is asked of them until all captures
//! are known, but for the names of their elements, and then they are judged in order.

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
use crate::model::stored_scan::{ScanOnDisk, Stored, StoredScan};
use baseref_files::Scratch;
use baseref_findings::PageName;

/// Where scans are kept.
#[derive(Debug)]
pub(crate) struct Spool {
    /// How many bytes may be kept in memory, and how many are.
    room: usize,
    kept: AtomicUsize,
    disk: Mutex<Disk>,
}

#[derive(Debug, Default)]
enum Disk {
    #[default]
    Unused,
    Used {
        scratch: Scratch,
        names: ReadNames,
        /// Why names could not be read, if nobody asked for that since.
        fault: Option<io::Error>,
    },
    /// There is no room on it, or it may not be used: memory has to do.
    Full,
}

impl Default for Spool {
    fn default() -> Self {
        Self::with_room(ROOM)
    }
}

/// How many bytes of scans are kept in memory. An archive with fewer than some 5,000 pages needs no
/// disk.
const ROOM: usize = 8 << 20;

/// How many bytes the names of most documents take, with which a scan begins.
const NAMES: u32 = 1 << 10;

impl Spool {
    pub(crate) fn with_room(room: usize) -> Self {
        Self {
            room,
            kept: AtomicUsize::new(0),
            disk: Mutex::default(),
        }
    }

    /// Keeps a scan: on disk, if memory has no more room for it, and if nothing but its judge asks for
    /// it.
    pub(crate) fn keep(&self, scan: Scan) -> StoredScan {
        let kept = if scan_record::can_be_stored(&scan) {
            self.stow(&scan)
        } else {
            None
        };
        StoredScan(kept.map_or_else(|| Stored::Here(Box::new(scan)), Stored::OnDisk))
    }

    /// Writes a scan to disk, if memory has no more room for it.
    fn stow(&self, scan: &Scan) -> Option<ScanOnDisk> {
        let capture = scan.capture?;
        let size = scan.size();
        if self.kept.fetch_add(size, Ordering::Relaxed) + size <= self.room {
            return None;
        }
        let mut bytes = scan_record::to_bytes(scan)?;
        let length = u32::try_from(bytes.len()).ok()?;
        let names = u32::try_from(scan.names.hashes().len()).ok()?;
        bytes.extend(names::to_bytes(scan.names.hashes()));
        let start = self.append(&bytes)?;
        self.kept.fetch_sub(size, Ordering::Relaxed);
        Some(ScanOnDisk {
            start,
            length,
            names,
            capture,
            is_record: scan.record.is_some(),
            is_captured_page: scan.is_captured_page(),
        })
    }

    /// The scan, wherever it is.
    ///
    /// # Errors
    /// If it cannot be read from disk.
    pub(crate) fn take(&self, kept: StoredScan) -> Result<Scan, (ScanOnDisk, io::Error)> {
        match kept.0 {
            Stored::Here(scan) => Ok(*scan),
            Stored::OnDisk(stowed) => self.read(stowed).map_err(|error| (stowed, error)),
        }
    }

    /// The names of the document of a scan; `None` if they cannot be read from disk.
    pub(crate) fn page_of(&self, kept: &StoredScan) -> Option<Arc<PageName>> {
        match &kept.0 {
            Stored::Here(scan) => Some(Arc::clone(&scan.name)),
            Stored::OnDisk(stowed) => {
                let head = self.read_bytes(*stowed, NAMES.min(stowed.length)).ok()?;
                let name = scan_record::name_from_bytes(&head);
                let whole = || {
                    let bytes = self.read_bytes(*stowed, stowed.length).ok()?;
                    scan_record::name_from_bytes(&bytes)
                };
                name.or_else(whole).map(Arc::new)
            }
        }
    }

    /// The first bytes of a scan, without the names of its elements.
    fn read_bytes(&self, stowed: ScanOnDisk, length: u32) -> io::Result<Vec<u8>> {
        let Disk::Used { scratch, .. } = &mut *self.disk() else {
            return Err(io::ErrorKind::NotFound.into());
        };
        scratch.read(stowed.start..stowed.start + u64::from(length))
    }

    fn read(&self, stowed: ScanOnDisk) -> io::Result<Scan> {
        let bytes = self.read_bytes(stowed, stowed.length)?;
        let mut scan = scan_record::from_bytes(&bytes).ok_or(io::ErrorKind::InvalidData)?;
        scan.capture = Some(stowed.capture);
        scan.names_on_disk = Some(stowed.names());
        Ok(scan)
    }

    /// Whether one of the names at a place has this hash; if they cannot be read, none is missing, and
    /// [`Self::fault`] says so.
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

    /// Why names could not be read since this was asked.
    pub(crate) fn fault(&self) -> Option<io::Error> {
        match &mut *self.disk() {
            Disk::Used { fault, .. } => fault.take(),
            Disk::Unused | Disk::Full => None,
        }
    }

    /// Says where the bytes begin.
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
