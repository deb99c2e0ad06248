//! Waiting links for which memory has no room, on disk: there are tens of millions of them in a
//! large archive, and nothing is asked of them until all captures are known, and then in order.

use std::io;
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::scan::Scan;
use super::waiting::Waiting;
use baseref_files::Scratch;

/// Where waiting links are kept.
#[derive(Debug)]
pub(super) struct Spool {
    /// How many bytes may be kept in memory, and how many are.
    room: usize,
    kept: AtomicUsize,
    disk: Mutex<Disk>,
}

#[derive(Debug, Default)]
enum Disk {
    #[default]
    Unused,
    Used(Scratch),
    /// There is no room on it, or it may not be used: memory has to do.
    Full,
}

impl Default for Spool {
    fn default() -> Self {
        Self::with_room(ROOM)
    }
}

/// How many bytes of waiting links are kept in memory. An archive with fewer than some 300,000 links
/// needs no disk.
const ROOM: usize = 8 << 20;

impl Spool {
    pub(super) fn with_room(room: usize) -> Self {
        Self {
            room,
            kept: AtomicUsize::new(0),
            disk: Mutex::default(),
        }
    }

    /// Moves the waiting links of a scan to disk, if memory has no more room for them, and if
    /// nothing but the judge of the scan asks for them.
    pub(super) fn stow(&self, scan: &mut Scan) {
        let waiting = scan.waiting();
        if waiting.is_empty() || waiting.has_files() || waiting.has_lost() {
            return;
        }
        let size = waiting.size();
        if self.kept.fetch_add(size, Ordering::Relaxed) + size <= self.room {
            return;
        }
        let Some(bytes) = waiting.to_bytes() else {
            return;
        };
        if let Some(place) = self.append(&bytes) {
            self.kept.fetch_sub(size, Ordering::Relaxed);
            scan.take_waiting();
            scan.stowed = Some(place);
        }
    }

    /// Takes the waiting links out of a scan, wherever they are.
    ///
    /// # Errors
    /// If they cannot be read from disk.
    pub(super) fn take(&self, scan: &mut Scan) -> io::Result<Waiting> {
        let Some(place) = scan.stowed.take() else {
            return Ok(scan.take_waiting());
        };
        let Disk::Used(scratch) = &mut *self.disk() else {
            return Err(io::ErrorKind::NotFound.into());
        };
        let bytes = scratch.read(place)?;
        Waiting::of_bytes(&bytes).ok_or_else(|| io::ErrorKind::InvalidData.into())
    }

    fn append(&self, bytes: &[u8]) -> Option<Range<u64>> {
        let mut disk = self.disk();
        if matches!(*disk, Disk::Unused) {
            *disk = Scratch::new().map_or(Disk::Full, Disk::Used);
        }
        let Disk::Used(scratch) = &mut *disk else {
            return None;
        };
        scratch.append(bytes).ok()
    }

    fn disk(&self) -> MutexGuard<'_, Disk> {
        self.disk.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
