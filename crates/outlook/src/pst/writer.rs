//! Writes small stores for the tests, by [MS-PST].

use super::crypt::{Encoding, PERMUTE};
use super::layout::Layout;
use crate::crc::crc;
use crate::property::{id, kind};

/// The data of a block (§2.2.2.8.3.1).
const BLOCK: usize = 8176;

/// The longest value that stands in the heap itself.
const VALUE: usize = 3000;

/// A node, before it is written.
#[derive(Clone, Copy, Default)]
pub struct PendingNode {
    pub data: u64,
    pub subnodes: u64,
}

/// A property: its number, its type and its value.
pub type Property<'p> = (u16, u16, &'p [u8]);

pub struct Writer {
    pub layout: Layout,
    encoding: Encoding,
    pub bytes: Vec<u8>,
    /// The key, the offset and the size of each block.
    blocks: Vec<(u64, u64, u16)>,
    nodes: Vec<(u32, PendingNode)>,
    next: u64,
}

impl Writer {
    pub fn new(layout: Layout, encoding: Encoding) -> Self {
        Self {
            layout,
            encoding,
            bytes: vec![0; 1024],
            blocks: Vec::new(),
            nodes: Vec::new(),
            next: 4,
        }
    }

    fn id(&self, number: u64) -> Vec<u8> {
        number.to_le_bytes()[..self.layout.id()].to_vec()
    }

    fn trailer(&self, start: &[u8], checksum: u32, id: u64) -> Vec<u8> {
        let id = self.id(id);
        match self.layout {
            Layout::Ansi => [start, &id, &checksum.to_le_bytes()].concat(),
            Layout::Unicode => [start, &checksum.to_le_bytes(), &id].concat(),
        }
    }

    /// Writes a block, and says its number.
    pub fn block(&mut self, data: &[u8], is_internal: bool) -> u64 {
        let id = self.next | if is_internal { 2 } else { 0 };
        self.next += 4;
        let mut data = data.to_vec();
        match self.encoding {
            _ if is_internal => {}
            Encoding::None => {}
            Encoding::Permute => {
                for byte in &mut data {
                    *byte = PERMUTE[usize::from(*byte)];
                }
            }
            // Its own inverse.
            Encoding::Cyclic => self.encoding.decode(&mut data, id),
        }
        let size = u16::try_from(data.len()).unwrap();
        self.blocks.push((id, self.bytes.len() as u64, size));
        let start = [size.to_le_bytes(), [0; 2]].concat();
        let trailer = self.trailer(&start, crc(&data), id);
        let padded = (data.len() + trailer.len()).next_multiple_of(64);
        data.resize(padded - trailer.len(), 0);
        self.bytes.extend(data);
        self.bytes.extend(trailer);
        id
    }

    /// Writes a list of blocks.
    pub fn list(&mut self, level: u8, ids: &[u64], size: usize) -> u64 {
        let count = u16::try_from(ids.len()).unwrap().to_le_bytes();
        let size = u32::try_from(size).unwrap().to_le_bytes();
        let ids: Vec<u8> = ids.iter().flat_map(|id| self.id(*id)).collect();
        self.block(&[&[1, level], &count[..], &size, &ids].concat(), true)
    }

    /// Writes data of any length.
    pub fn data(&mut self, data: &[u8]) -> u64 {
        if data.len() <= BLOCK {
            return self.block(data, false);
        }
        let pieces = data.chunks(BLOCK);
        let ids: Vec<_> = pieces.map(|piece| self.block(piece, false)).collect();
        self.list(1, &ids, data.len())
    }

    pub fn subnodes(&mut self, nodes: &[(u32, PendingNode)]) -> u64 {
        if nodes.is_empty() {
            return 0;
        }
        let count = u16::try_from(nodes.len()).unwrap().to_le_bytes();
        let mut block = [&[2, 0], &count[..]].concat();
        block.resize(self.layout.subnode_entries(), 0);
        let mut nodes = nodes.to_vec();
        nodes.sort_by_key(|(id, _)| *id);
        for (id, node) in nodes {
            for number in [u64::from(id), node.data, node.subnodes] {
                block.extend(self.id(number));
            }
        }
        self.block(&block, true)
    }

    /// Writes the properties of an object, which has these subnodes, too.
    pub fn properties(
        &mut self,
        values: &[Property<'_>],
        nodes: &[(u32, PendingNode)],
    ) -> PendingNode {
        let mut nodes = nodes.to_vec();
        let mut items = vec![tree(2, 6, 0, item(2)), Vec::new()];
        let mut records = Vec::new();
        for (id, kind, value) in values {
            let value = match value.len() {
                4 if *kind == kind::INTEGER => u32::from_le_bytes((*value).try_into().unwrap()),
                0 => 0,
                1..=VALUE => {
                    items.push(value.to_vec());
                    item(items.len())
                }
                _ => {
                    let number = u32::try_from(nodes.len() + 1).unwrap() << 5 | 0x1F;
                    let data = self.data(value);
                    nodes.push((number, PendingNode { data, subnodes: 0 }));
                    number
                }
            };
            records.push(
                [
                    &id.to_le_bytes()[..],
                    &kind.to_le_bytes(),
                    &value.to_le_bytes(),
                ]
                .concat(),
            );
        }
        records.sort_by_key(|record| u16::from_le_bytes([record[0], record[1]]));
        items[1] = records.concat();
        PendingNode {
            data: self.block(&heap(0xBC, &items), false),
            subnodes: self.subnodes(&nodes),
        }
    }

    /// Writes a table whose rows have only their numbers.
    pub fn rows(&mut self, ids: &[u32]) -> PendingNode {
        // One column, `PidTagLtpRowId`, and the byte with the bit that says that it is there.
        let column = [&[0x03, 0x00, 0xF2, 0x67][..], &[0, 0, 4, 0]].concat();
        let rows = ids
            .iter()
            .flat_map(|id| [&id.to_le_bytes()[..], &[0x80]].concat());
        self.table([4, 4, 4, 5], &[column], rows.collect(), Vec::new())
    }

    /// Writes a table of recipients: types, names and addresses.
    pub fn recipients(&mut self, recipients: &[(u32, &str, &str)]) -> PendingNode {
        let column = |id: u16, kind: u16, offset: u16, bit: u8| {
            let tag = [kind.to_le_bytes(), id.to_le_bytes()].concat();
            [&tag[..], &offset.to_le_bytes(), &[4, bit]].concat()
        };
        let columns = [
            column(id::RECIPIENT_TYPE, kind::INTEGER, 4, 0),
            column(id::DISPLAY_NAME, kind::STRING, 8, 1),
            column(id::SMTP_ADDRESS, kind::STRING, 12, 2),
        ];
        let mut items = Vec::new();
        let mut rows = Vec::new();
        for (number, (kind, name, address)) in (0_u32..).zip(recipients) {
            let mut text = |text: &str| {
                items.push(utf_16(text));
                item(items.len() + 3)
            };
            let cells = [number, *kind, text(name), text(address)];
            rows.extend(cells.iter().flat_map(|cell| cell.to_le_bytes()));
            rows.push(0xE0);
        }
        self.table([16, 16, 16, 17], &columns, rows, items)
    }

    /// Writes a table: its information, the tree of its rows, the rows, and other items.
    fn table(
        &mut self,
        ends: [u16; 4],
        columns: &[Vec<u8>],
        rows: Vec<u8>,
        others: Vec<Vec<u8>>,
    ) -> PendingNode {
        let mut nodes = Vec::new();
        let width = usize::from(ends[3]);
        let in_heap = rows.len() <= VALUE;
        let matrix = if in_heap {
            item(3)
        } else {
            // Each block has whole rows.
            let whole = BLOCK / width * width;
            let pieces = rows.chunks(whole).map(|piece| {
                let mut piece = piece.to_vec();
                piece.resize(
                    if piece.len() == whole {
                        BLOCK
                    } else {
                        piece.len()
                    },
                    0,
                );
                self.block(&piece, false)
            });
            let pieces: Vec<_> = pieces.collect();
            let data = self.list(1, &pieces, rows.len());
            nodes.push((0x3F, PendingNode { data, subnodes: 0 }));
            0x3F
        };
        let ends = ends.map(u16::to_le_bytes).concat();
        let count = u8::try_from(columns.len()).unwrap();
        let ids = [item(2), matrix, 0].map(u32::to_le_bytes).concat();
        let info = [&[0x7C, count][..], &ends, &ids, &columns.concat()].concat();
        let mut items = vec![info, tree(4, 4, 0, 0)];
        items.push(if in_heap { rows } else { Vec::new() });
        items.extend(others);
        PendingNode {
            data: self.block(&heap(0x7C, &items), false),
            subnodes: self.subnodes(&nodes),
        }
    }

    pub fn node(&mut self, id: u32, node: PendingNode) {
        self.nodes.push((id, node));
    }

    /// Writes a folder with these folders and messages in it.
    pub fn folder(&mut self, id: u32, name: &str, folders: &[u32], messages: &[u32]) {
        let name = utf_16(name);
        let name = (id::DISPLAY_NAME, kind::STRING, &name[..]);
        let node = self.properties(&[name], &[]);
        self.node(id, node);
        let folders = self.rows(folders);
        self.node(id & !0x1F | super::HIERARCHY, folders);
        let messages = self.rows(messages);
        self.node(id & !0x1F | super::CONTENTS, messages);
    }

    /// Writes the object of the store, which names its top folder.
    pub fn top(&mut self, folder: u32) {
        let entry = [&[0; 20][..], &folder.to_le_bytes()].concat();
        let node = self.properties(&[(id::TOP_FOLDER, kind::BINARY, &entry)], &[]);
        self.node(super::STORE, node);
    }

    /// The store.
    pub fn finish(mut self) -> Vec<u8> {
        let node = |(id, node): &(u32, PendingNode)| {
            let mut entry = self.id(u64::from(*id));
            entry.extend([self.id(node.data), self.id(node.subnodes)].concat());
            entry.resize(if self.layout == Layout::Ansi { 16 } else { 32 }, 0);
            (u64::from(*id), entry)
        };
        let mut nodes: Vec<_> = self.nodes.iter().map(node).collect();
        let block = |(id, offset, size): &(u64, u64, u16)| {
            let mut entry = [self.id(*id), self.id(*offset), size.to_le_bytes().to_vec()].concat();
            entry.resize(if self.layout == Layout::Ansi { 12 } else { 24 }, 0);
            (*id, entry)
        };
        let mut blocks: Vec<_> = self.blocks.iter().map(block).collect();
        nodes.sort();
        blocks.sort();
        let nodes = self.pages(0x81, &nodes, 0);
        let blocks = self.pages(0x80, &blocks, 0);
        self.header(nodes, blocks);
        self.bytes
    }

    fn header(&mut self, nodes: u64, blocks: u64) {
        let (version, nodes_at, blocks_at, encoding_at) = match self.layout {
            Layout::Ansi => (15, 188, 196, 461),
            Layout::Unicode => (23, 224, 240, 513),
        };
        self.bytes[..4].copy_from_slice(b"!BDN");
        self.bytes[8..12].copy_from_slice(&[b'S', b'M', version, 0]);
        self.bytes[encoding_at] = match self.encoding {
            Encoding::None => 0,
            Encoding::Permute => 1,
            Encoding::Cyclic => 2,
        };
        for (at, offset) in [(nodes_at, nodes), (blocks_at, blocks)] {
            let offset = self.id(offset);
            self.bytes[at..at + offset.len()].copy_from_slice(&offset);
        }
    }

    /// Writes the pages of a tree with these entries, and says where the root is.
    fn pages(&mut self, kind: u8, entries: &[(u64, Vec<u8>)], level: u8) -> u64 {
        let size = entries.first().map_or(24, |(_, entry)| entry.len());
        let fields = self.layout.page_entries();
        let mut above = Vec::new();
        for page in entries.chunks(fields / size) {
            let offset = self.bytes.len() as u64;
            let mut bytes: Vec<u8> = page.iter().flat_map(|(_, entry)| entry.clone()).collect();
            bytes.resize(fields, 0);
            let count = u8::try_from(page.len()).unwrap();
            let most = u8::try_from(fields / size).unwrap();
            bytes.extend([count, most, u8::try_from(size).unwrap(), level]);
            bytes.resize(512 - self.layout.trailer(), 0);
            let trailer = self.trailer(&[kind, kind, 0, 0], crc(&bytes), 1);
            self.bytes.extend(bytes);
            self.bytes.extend(trailer);
            let (key, _) = page[0];
            above.push((key, [self.id(key), self.id(1), self.id(offset)].concat()));
        }
        match &above[..] {
            [(_, root)] => {
                let at = root.len() - self.layout.id();
                self.layout.id_at(root, at).unwrap()
            }
            _ => self.pages(kind, &above, level + 1),
        }
    }
}

pub fn utf_16(text: &str) -> Vec<u8> {
    text.encode_utf16().flat_map(u16::to_le_bytes).collect()
}

/// The identifier of an item, which are counted from 1.
pub fn item(number: usize) -> u32 {
    u32::try_from(number).unwrap() << 5
}

/// The header of a tree on a heap.
pub fn tree(key: u8, data: u8, levels: u8, root: u32) -> Vec<u8> {
    [&[0xB5, key, data, levels][..], &root.to_le_bytes()].concat()
}

/// A heap with these items, the first of which is its root.
pub fn heap(kind: u8, items: &[Vec<u8>]) -> Vec<u8> {
    let mut bytes = vec![0, 0, 0xEC, kind];
    bytes.extend(item(1).to_le_bytes());
    bytes.extend([0; 4]);
    let mut offsets = Vec::new();
    for item in items {
        offsets.push(u16::try_from(bytes.len()).unwrap());
        bytes.extend(item);
    }
    offsets.push(u16::try_from(bytes.len()).unwrap());
    let map = u16::try_from(bytes.len()).unwrap().to_le_bytes();
    bytes[..2].copy_from_slice(&map);
    let count = u16::try_from(items.len()).unwrap().to_le_bytes();
    bytes.extend([count, [0; 2]].concat());
    bytes.extend(offsets.iter().flat_map(|offset| offset.to_le_bytes()));
    bytes
}
