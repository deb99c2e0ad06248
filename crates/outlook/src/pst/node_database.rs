//! Pages and blocks of a store: the two trees (§2.2.2.7.7) and the data that they lead to.

use std::collections::BTreeMap;
use std::io::{self, Read, Seek, SeekFrom};

use super::error::PstError;
use super::layout::{Header, Layout, u16_at, u32_at};
use crate::crc::crc;
use crate::message::{Problem, ProblemKind};

const PAGE: usize = 512;

/// The levels of a tree of pages; two are enough for a store of 50 MB.
const MAX_LEVELS: u8 = 8;

/// The largest block, with its trailer (§2.2.2.8).
const MAX_BLOCK: usize = 8192;

/// How many pages are kept.
const MAX_PAGES: usize = 256;

/// How many times the size of the file all that is read of its blocks may be: they can be shared.
const READ: u64 = 4;

/// Why something could not be read.
#[derive(Debug)]
pub enum Fault {
    Damaged(&'static str),
    Limit,
    Io(io::Error),
}

impl Fault {
    /// What is missing, and why.
    pub fn problem(&self, missing: &str) -> Problem {
        match self {
            Self::Damaged(what) => Problem::new(ProblemKind::Damaged, format!("{missing}: {what}")),
            Self::Limit => Problem::new(
                ProblemKind::Limit,
                format!("{missing}: the blocks are larger together than the file can be"),
            ),
            Self::Io(error) => Problem::new(ProblemKind::Damaged, format!("{missing}: {error}")),
        }
    }
}

/// A node: an object of the store (§2.2.2.7.7.4), or of another one (§2.2.2.8.3.3.1.1).
#[derive(Clone, Copy, Debug)]
pub struct Node {
    pub id: u32,
    pub data: u64,
    pub subnodes: u64,
}

/// One of the two trees.
#[derive(Clone, Copy)]
enum Tree {
    Blocks,
    Nodes,
}

/// A store, read by pages and blocks.
pub struct NodeDatabase<R> {
    input: R,
    length: u64,
    header: Header,
    pages: BTreeMap<u64, Box<[u8]>>,
    /// How many more bytes of blocks may be read.
    left: u64,
    /// How many pages and blocks do not match their checksums, since that was last asked.
    wrong_checksums: usize,
}

impl<R: Read + Seek> NodeDatabase<R> {
    pub fn open(mut input: R) -> Result<Self, PstError> {
        let header = Header::read(&mut input)?;
        let length = input.seek(SeekFrom::End(0)).map_err(PstError::Io)?;
        Ok(Self {
            input,
            length,
            header,
            pages: BTreeMap::new(),
            left: length.saturating_mul(READ),
            wrong_checksums: 0,
        })
    }

    pub fn take_wrong_checksums(&mut self) -> usize {
        std::mem::take(&mut self.wrong_checksums)
    }

    /// The node with that number.
    pub fn node(&mut self, id: u32) -> Result<Node, Fault> {
        let found = self.first_from(Tree::Nodes, u64::from(id))?.0;
        let node = found.and_then(|entry| self.node_of(&entry));
        let node = node.filter(|node| node.id == id);
        node.ok_or(Fault::Damaged("a node is missing"))
    }

    /// The first node with at least that number; `None` after the last one.
    pub fn first_node(&mut self, from: u32) -> Result<Option<Node>, Fault> {
        let (entry, key) = self.first_from(Tree::Nodes, u64::from(from))?;
        let node = entry.and_then(|entry| self.node_of(&entry));
        // A damaged key may have more bits than a number.
        Ok(node.filter(|node| u64::from(node.id) == key))
    }

    fn node_of(&self, entry: &[u8]) -> Option<Node> {
        let layout = self.header.layout;
        Some(Node {
            id: u32_at(entry, 0)?,
            data: layout.id_at(entry, layout.id())?,
            subnodes: layout.id_at(entry, 2 * layout.id())?,
        })
    }

    /// The first entry of a tree whose key is at least `key`, and the key.
    fn first_from(&mut self, tree: Tree, key: u64) -> Result<(Option<Vec<u8>>, u64), Fault> {
        let mut key = key;
        loop {
            let mut offset = match tree {
                Tree::Blocks => self.header.blocks,
                Tree::Nodes => self.header.nodes,
            };
            let mut level = None;
            // The key with which the next page on the same level begins.
            let mut next = None;
            loop {
                let page = self.page(tree, offset, level)?;
                let at = page.keys.partition_point(|other| *other <= key);
                if page.level == 0 {
                    let at = page.keys.partition_point(|other| *other < key);
                    if let Some(found) = page.keys.get(at) {
                        return Ok((Some(page.entry(at).to_vec()), *found));
                    }
                    break;
                }
                next = page.keys.get(at.max(1)).copied().or(next);
                let entry = page.entry(at.saturating_sub(1));
                let layout = self.header.layout;
                let below = layout.id_at(entry, 2 * layout.id());
                offset = below.ok_or(Fault::Damaged("a page is cut off"))?;
                level = Some(page.level - 1);
            }
            match next {
                Some(next) if next > key => key = next,
                _ => return Ok((None, key)),
            }
        }
    }

    fn page(&mut self, tree: Tree, offset: u64, level: Option<u8>) -> Result<TreePage, Fault> {
        let layout = self.header.layout;
        if !self.pages.contains_key(&offset) {
            let bytes = self.bytes(offset, PAGE)?;
            let (contents, trailer) = bytes.split_at(PAGE - layout.trailer());
            if u32_at(trailer, layout.checksum()) != Some(crc(contents)) {
                self.wrong_checksums += 1;
            }
            if self.pages.len() >= MAX_PAGES {
                self.pages.clear();
            }
            self.pages.insert(offset, bytes.into());
        }
        let kind = match tree {
            Tree::Blocks => 0x80,
            Tree::Nodes => 0x81,
        };
        let page = TreePage::new(&self.pages[&offset], layout, kind);
        let page = page.ok_or(Fault::Damaged("a page of the index is damaged"))?;
        let is_level = level.map_or(page.level < MAX_LEVELS, |level| page.level == level);
        if is_level && !page.keys.is_empty() || page.level == 0 && level.is_none() {
            Ok(page)
        } else {
            Err(Fault::Damaged("a page of the index is damaged"))
        }
    }

    fn bytes(&mut self, offset: u64, size: usize) -> Result<Vec<u8>, Fault> {
        let end = offset.checked_add(size as u64);
        if end.is_none_or(|end| end > self.length) {
            return Err(Fault::Damaged("the file is cut off"));
        }
        let mut bytes = vec![0; size];
        self.input
            .seek(SeekFrom::Start(offset))
            .map_err(Fault::Io)?;
        self.input.read_exact(&mut bytes).map_err(Fault::Io)?;
        Ok(bytes)
    }

    /// The bytes of a block, decoded if it holds data.
    fn block(&mut self, id: u64) -> Result<Vec<u8>, Fault> {
        let layout = self.header.layout;
        let damaged = Fault::Damaged("a block is missing");
        // The lowest bit is reserved.
        let id = id & !1;
        let (entry, found) = self.first_from(Tree::Blocks, id)?;
        let entry = entry.filter(|_| found & !1 == id).ok_or(damaged)?;
        let place = layout.id_at(&entry, layout.id());
        let size = u16_at(&entry, 2 * layout.id()).map(usize::from);
        let (Some(offset), Some(size)) = (place, size) else {
            return Err(Fault::Damaged("a page is cut off"));
        };
        if size + layout.trailer() > MAX_BLOCK {
            return Err(Fault::Damaged("a block is too large"));
        }
        let padded = (size + layout.trailer()).next_multiple_of(64);
        self.left = self.left.checked_sub(padded as u64).ok_or(Fault::Limit)?;
        let mut bytes = self.bytes(offset, padded)?;
        let trailer = &bytes[padded - layout.trailer()..];
        if u32_at(trailer, layout.checksum()) != Some(crc(&bytes[..size])) {
            self.wrong_checksums += 1;
        }
        bytes.truncate(size);
        if !is_internal(id) {
            self.header.encoding.decode(&mut bytes, id);
        }
        Ok(bytes)
    }

    /// The numbers of the blocks with the data of a node, in order (§2.2.2.8.3.2).
    pub fn data_blocks(&mut self, id: u64) -> Result<Vec<u64>, Fault> {
        if id == 0 {
            return Ok(Vec::new());
        }
        if !is_internal(id) {
            return Ok(vec![id]);
        }
        let damaged = || Fault::Damaged("a list of blocks is damaged");
        let (level, mut blocks) = self.list(id)?;
        match level {
            1 => {}
            2 => {
                let mut below = Vec::new();
                for id in blocks {
                    let (level, mut blocks) = self.list(id)?;
                    if level != 1 {
                        return Err(damaged());
                    }
                    below.append(&mut blocks);
                }
                blocks = below;
            }
            _ => return Err(damaged()),
        }
        if blocks.iter().any(|id| is_internal(*id)) {
            return Err(damaged());
        }
        Ok(blocks)
    }

    /// The level of a list of blocks, and the blocks in it.
    fn list(&mut self, id: u64) -> Result<(u8, Vec<u64>), Fault> {
        let layout = self.header.layout;
        let bytes = self.block(id)?;
        let count = u16_at(&bytes, 2).filter(|_| bytes[0] == 1);
        let ids = (0..count.unwrap_or(0))
            .map(|number| layout.id_at(&bytes, 8 + usize::from(number) * layout.id()));
        let ids: Option<Vec<_>> = ids.collect();
        let (Some(_), Some(ids)) = (count, ids) else {
            return Err(Fault::Damaged("a list of blocks is damaged"));
        };
        Ok((bytes[1], ids))
    }

    /// The bytes of one block of data.
    pub fn data_block(&mut self, id: u64) -> Result<Vec<u8>, Fault> {
        self.block(id)
    }

    /// The data of a node as far as it can be read, and why not all can.
    pub fn data(&mut self, id: u64) -> (Vec<u8>, Option<Fault>) {
        let mut bytes = Vec::new();
        let blocks = match self.data_blocks(id) {
            Ok(blocks) => blocks,
            Err(fault) => return (bytes, Some(fault)),
        };
        for id in blocks {
            match self.block(id) {
                Ok(mut block) => bytes.append(&mut block),
                Err(fault) => return (bytes, Some(fault)),
            }
        }
        (bytes, None)
    }

    /// The nodes in a node, by their numbers (§2.2.2.8.3.3).
    pub fn subnodes(&mut self, id: u64) -> Result<BTreeMap<u32, Node>, Fault> {
        let mut nodes = BTreeMap::new();
        if id == 0 {
            return Ok(nodes);
        }
        match self.subnode_list(id)? {
            (0, entries) => nodes.extend(entries),
            (1, lists) => {
                for (_, list) in lists {
                    let (level, entries) = self.subnode_list(list.data)?;
                    if level != 0 {
                        return Err(Fault::Damaged("a list of subnodes is damaged"));
                    }
                    nodes.extend(entries);
                }
            }
            _ => return Err(Fault::Damaged("a list of subnodes is damaged")),
        }
        Ok(nodes)
    }

    /// The level of a list of subnodes, and its entries; at level 1 their data is another list.
    fn subnode_list(&mut self, id: u64) -> Result<(u8, Vec<(u32, Node)>), Fault> {
        let layout = self.header.layout;
        let bytes = self.block(id)?;
        let level = bytes.get(1).copied();
        let size = layout.id() * if level == Some(0) { 3 } else { 2 };
        let entry = |number: u16| {
            let at = layout.subnode_entries() + usize::from(number) * size;
            let id = u32_at(&bytes, at)?;
            let node = Node {
                id,
                data: layout.id_at(&bytes, at + layout.id())?,
                subnodes: match level {
                    Some(0) => layout.id_at(&bytes, at + 2 * layout.id())?,
                    _ => 0,
                },
            };
            Some((id, node))
        };
        let count = u16_at(&bytes, 2).filter(|_| bytes[0] == 2);
        let entries: Option<Vec<_>> = (0..count.unwrap_or(0)).map(entry).collect();
        match (level, count, entries) {
            (Some(level), Some(_), Some(entries)) => Ok((level, entries)),
            _ => Err(Fault::Damaged("a list of subnodes is damaged")),
        }
    }
}

/// Whether a block holds numbers of other blocks (§2.2.2.2).
fn is_internal(id: u64) -> bool {
    id & 2 != 0
}

/// A page of a tree.
struct TreePage {
    bytes: Box<[u8]>,
    entry_size: usize,
    level: u8,
    keys: Vec<u64>,
}

impl TreePage {
    fn new(bytes: &[u8], layout: Layout, kind: u8) -> Option<Self> {
        let fields = layout.page_entries();
        let trailer = bytes.get(PAGE - layout.trailer()..)?;
        let count = usize::from(bytes[fields]);
        let entry_size = usize::from(bytes[fields + 2]);
        let is_page = trailer[..2] == [kind, kind] && count * entry_size <= fields;
        if !is_page || entry_size < 3 * layout.id() {
            return None;
        }
        let keys = (0..count).map(|number| layout.id_at(bytes, number * entry_size));
        Some(Self {
            keys: keys.collect::<Option<_>>()?,
            level: bytes[fields + 3],
            bytes: bytes.into(),
            entry_size,
        })
    }

    fn entry(&self, number: usize) -> &[u8] {
        let start = number * self.entry_size;
        self.bytes
            .get(start..start + self.entry_size)
            .unwrap_or_default()
    }
}
