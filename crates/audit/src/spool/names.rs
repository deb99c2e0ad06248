//! The names of the elements of pages, on disk: links ask for few of them, and mostly of few pages at a
//! time.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::io;

use baseref_files::Scratch;
use foldhash::fast::RandomState;

use crate::model::names_on_disk::NamesOnDisk;

/// The bytes of a hash.
const SIZE: usize = size_of::<u64>();

/// How many hashes are read at a time.
const BLOCK: usize = 512;

/// How many of those that were read are kept.
const KEPT: usize = (8 << 20) / SIZE;

/// The names that were read.
#[derive(Debug, Default)]
pub(super) struct ReadNames {
    blocks: HashMap<u64, Box<[u64]>, RandomState>,
    /// How many hashes they are.
    kept: usize,
}

/// Hashes as they are on disk.
pub(super) fn to_bytes(hashes: &[u64]) -> impl Iterator<Item = u8> {
    hashes.iter().flat_map(|hash| hash.to_le_bytes())
}

impl ReadNames {
    /// Whether one of the names at a place has this hash.
    ///
    /// # Errors
    /// If they cannot be read.
    pub(super) fn has(
        &mut self,
        scratch: &mut Scratch,
        names: NamesOnDisk,
        hash: u64,
    ) -> io::Result<bool> {
        let count = names.count as usize;
        let (mut low, mut high) = (0, count.div_ceil(BLOCK));
        while low < high {
            let middle = usize::midpoint(low, high);
            let start = middle * BLOCK;
            let place = names.start + (start * SIZE) as u64;
            let block = self.block(scratch, place, BLOCK.min(count - start))?;
            match (block.first(), block.last()) {
                (Some(first), _) if hash < *first => high = middle,
                (_, Some(last)) if hash > *last => low = middle + 1,
                _ => return Ok(block.binary_search(&hash).is_ok()),
            }
        }
        Ok(false)
    }

    fn block(&mut self, scratch: &mut Scratch, place: u64, count: usize) -> io::Result<&[u64]> {
        if self.kept > KEPT {
            *self = Self::default();
        }
        let block = match self.blocks.entry(place) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(free) => {
                let bytes = scratch.read(place..place + (count * SIZE) as u64)?;
                let (hashes, _) = bytes.as_chunks::<SIZE>();
                self.kept += hashes.len();
                free.insert(
                    hashes
                        .iter()
                        .map(|hash| u64::from_le_bytes(*hash))
                        .collect(),
                )
            }
        };
        Ok(block)
    }
}
