//! Looks up element ids on disk. Links name few ids, and mostly on few pages at a time.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::io;

use baseref_files::Scratch;
use foldhash::fast::RandomState;

use crate::model::names_on_disk::NamesOnDisk;

/// The size of a hash in bytes.
const SIZE: usize = size_of::<u64>();

/// The number of hashes in a block, which is read at once.
const BLOCK: usize = 512;

/// The maximum number of cached hashes.
const MOST: usize = (8 << 20) / SIZE;

/// The blocks of ids that were read.
#[derive(Debug, Default)]
pub(super) struct ReadNames {
    blocks: HashMap<u64, Box<[u64]>, RandomState>,
    /// The number of hashes in the blocks.
    count: usize,
}

/// Encodes hashes as they are on disk.
pub(super) fn to_bytes(hashes: &[u64]) -> impl Iterator<Item = u8> {
    hashes.iter().flat_map(|hash| hash.to_le_bytes())
}

impl ReadNames {
    /// Whether one of these ids has this hash.
    ///
    /// # Errors
    /// If the ids cannot be read.
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
        if self.count > MOST {
            *self = Self::default();
        }
        let block = match self.blocks.entry(place) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(free) => {
                let bytes = scratch.read(place..place + (count * SIZE) as u64)?;
                let (hashes, _) = bytes.as_chunks::<SIZE>();
                self.count += hashes.len();
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
