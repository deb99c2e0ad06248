//! The heap on a node (§2.3.1), and the tree on a heap (§2.3.2).

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};
use std::io::{Read, Seek};

use super::layout::{u16_at, u32_at};
use super::node_database::{Fault, Node, NodeDatabase};

const SIGNATURE: u8 = 0xEC;

/// The levels of a tree on a heap.
const MAX_LEVELS: u8 = 4;

/// The heap of a node. Its blocks are read when they are needed.
pub struct Heap {
    blocks: Vec<u64>,
    loaded: BTreeMap<usize, Vec<u8>>,
    pub subnodes: BTreeMap<u32, Node>,
    /// What it holds.
    pub kind: u8,
    /// The item with what it holds.
    pub root: u32,
}

impl Heap {
    pub fn open<R: Read + Seek>(source: &mut NodeDatabase<R>, node: &Node) -> Result<Self, Fault> {
        let mut heap = Self {
            blocks: source.data_blocks(node.data)?,
            loaded: BTreeMap::new(),
            subnodes: source.subnodes(node.subnodes)?,
            kind: 0,
            root: 0,
        };
        let block = heap.block(source, 0)?;
        let root = u32_at(block, 4).filter(|_| block[2] == SIGNATURE);
        let kind = block.get(3).copied();
        let (Some(root), Some(kind)) = (root, kind) else {
            return Err(Fault::Damaged("a heap is damaged"));
        };
        Ok(Self { kind, root, ..heap })
    }

    fn block<R: Read + Seek>(
        &mut self,
        source: &mut NodeDatabase<R>,
        at: usize,
    ) -> Result<&[u8], Fault> {
        let id = self.blocks.get(at).copied();
        let id = id.ok_or(Fault::Damaged("a block of a heap is missing"))?;
        Ok(match self.loaded.entry(at) {
            Entry::Occupied(block) => block.into_mut(),
            Entry::Vacant(place) => place.insert(source.data_block(id)?),
        })
    }

    /// The bytes of an item; none for no item.
    pub fn item<R: Read + Seek>(
        &mut self,
        source: &mut NodeDatabase<R>,
        id: u32,
    ) -> Result<Vec<u8>, Fault> {
        if id == 0 {
            return Ok(Vec::new());
        }
        let number = (id >> 5 & 0x7FF) as usize;
        let block = self.block(source, (id >> 16) as usize)?;
        let item = || {
            // The page map: two counts, then where each item begins, and where the last one ends.
            let map = usize::from(u16_at(block, 0)?);
            let at = map + 4 + number.checked_sub(1)? * 2;
            let start = usize::from(u16_at(block, at)?);
            let end = usize::from(u16_at(block, at + 2)?);
            let is_item = number <= usize::from(u16_at(block, map)?);
            block.get(start..end).filter(|_| is_item)
        };
        let item = item().map(<[u8]>::to_vec);
        item.ok_or(Fault::Damaged("an item of a heap is missing"))
    }

    /// The bytes of a value: of an item, or of a subnode, as far as they can be read.
    pub fn value<R: Read + Seek>(
        &mut self,
        source: &mut NodeDatabase<R>,
        id: u32,
    ) -> (Vec<u8>, Option<Fault>) {
        if is_item(id) {
            return match self.item(source, id) {
                Ok(bytes) => (bytes, None),
                Err(fault) => (Vec::new(), Some(fault)),
            };
        }
        match self.subnodes.get(&id) {
            Some(node) => source.data(node.data),
            None => (Vec::new(), Some(Fault::Damaged("a subnode is missing"))),
        }
    }

    /// The records of the tree with that header.
    pub fn records<R: Read + Seek>(
        &mut self,
        source: &mut NodeDatabase<R>,
        header: u32,
    ) -> Result<Records, Fault> {
        const TREE: u8 = 0xB5;
        let bytes = self.item(source, header)?;
        let root = u32_at(&bytes, 4).filter(|_| bytes[0] == TREE && bytes[3] < MAX_LEVELS);
        let root = root.ok_or(Fault::Damaged("a tree on a heap is damaged"))?;
        let key = usize::from(bytes[1]);
        let mut pending = vec![(root, bytes[3])];
        let mut visited = BTreeSet::new();
        let mut records = Records {
            size: key + usize::from(bytes[2]),
            bytes: Vec::new(),
        };
        while let Some((id, level)) = pending.pop() {
            if !visited.insert(id) {
                return Err(Fault::Damaged("a tree on a heap has a circle"));
            }
            let mut bytes = self.item(source, id)?;
            if level == 0 {
                bytes.truncate(bytes.len() - bytes.len() % records.size.max(1));
                records.bytes.append(&mut bytes);
                continue;
            }
            let below = bytes.chunks_exact(key + 4).rev();
            let below = below.filter_map(|entry| Some((u32_at(entry, key)?, level - 1)));
            pending.extend(below);
        }
        Ok(records)
    }
}

/// The records of a tree, each with its key first.
pub struct Records {
    size: usize,
    bytes: Vec<u8>,
}

impl Records {
    pub fn iter(&self) -> impl Iterator<Item = &[u8]> {
        self.bytes.chunks_exact(self.size.max(1))
    }
}

/// Whether an identifier is of an item of the heap, and not of a subnode.
pub const fn is_item(id: u32) -> bool {
    const KIND: u32 = 0x1F;
    id & KIND == 0
}
