//! Properties of an object (§2.3.3), and tables (§2.3.4).

use std::io::{Read, Seek};

use super::heap::{Heap, is_item};
use super::layout::{u16_at, u32_at};
use super::node_database::{Fault, Node, NodeDatabase};
use crate::message::MessageParts;
use crate::property::{id, kind};

/// What an object is attached by: the subnode with it.
const OBJECT: u16 = kind::OBJECT;

/// An object with its properties read.
pub struct Object {
    pub heap: Heap,
    /// The subnode that is its content: an attached message, or an object of OLE.
    pub attached: Option<u32>,
}

/// Reads the properties of a node into `stored`. What cannot be read is among its problems.
pub fn properties<R: Read + Seek>(
    source: &mut NodeDatabase<R>,
    node: &Node,
    stored: &mut MessageParts,
) -> Result<Object, Fault> {
    const PROPERTIES: u8 = 0xBC;
    let mut heap = Heap::open(source, node)?;
    if heap.kind != PROPERTIES {
        return Err(Fault::Damaged("a node has no properties"));
    }
    let root = heap.root;
    let records = heap.records(source, root)?;
    let mut attached = None;
    for record in records.iter().filter(|record| record.len() == 8) {
        let number = |at| u16_at(record, at).unwrap_or_default();
        let value = u32_at(record, 4).unwrap_or_default();
        let cell = Cell {
            id: number(0),
            kind: number(2),
            value,
        };
        if cell.id == id::ATTACH_DATA && cell.kind == OBJECT {
            let bytes = heap.item(source, value).unwrap_or_default();
            attached = u32_at(&bytes, 0);
            continue;
        }
        cell.put(&mut heap, source, stored);
    }
    stored.properties.find_code_page();
    Ok(Object { heap, attached })
}

/// A property: its value, or the identifier of a longer one.
struct Cell {
    id: u16,
    kind: u16,
    value: u32,
}

impl Cell {
    fn put<R: Read + Seek>(
        &self,
        heap: &mut Heap,
        source: &mut NodeDatabase<R>,
        stored: &mut MessageParts,
    ) {
        match self.kind {
            kind::INTEGER => {
                stored.properties.put_short(self.id, u64::from(self.value));
            }
            kind::TIME => {
                let bytes = heap.item(source, self.value).unwrap_or_default();
                if let Ok(bytes) = <[u8; 8]>::try_from(bytes) {
                    stored
                        .properties
                        .put_short(self.id, u64::from_le_bytes(bytes));
                }
            }
            kind::STRING | kind::STRING_8 | kind::BINARY if id::is_read(self.id) => {
                let (bytes, fault) = heap.value(source, self.value);
                if let Some(fault) = fault {
                    let missing = format!("property {:04X} is cut off", self.id);
                    stored.problems.push(fault.problem(&missing));
                }
                stored.properties.put_long(self.id, self.kind, bytes);
            }
            _ => {}
        }
    }
}

/// A table. Only the columns that are read are looked at, or none.
pub struct Table {
    heap: Heap,
    /// The size of a row.
    width: usize,
    /// Where the bits begin that say which cells of a row are there.
    bits: usize,
    columns: Vec<Column>,
    rows: u32,
}

struct Column {
    id: u16,
    kind: u16,
    offset: usize,
    bit: usize,
}

impl Table {
    pub fn open<R: Read + Seek>(source: &mut NodeDatabase<R>, node: &Node) -> Result<Self, Fault> {
        const TABLE: u8 = 0x7C;
        let mut heap = Heap::open(source, node)?;
        let root = heap.root;
        let info = heap.item(source, root)?;
        let is_table = info.first() == Some(&TABLE) && heap.kind == TABLE;
        let field = |at| u16_at(&info, at).map(usize::from);
        let fields = || Some((field(6)?, field(8)?, u32_at(&info, 14)?));
        let (Some((bits, width, rows)), true) = (fields(), is_table) else {
            return Err(Fault::Damaged("a table is damaged"));
        };
        if width < 4 || bits > width {
            return Err(Fault::Damaged("a table is damaged"));
        }
        let columns = info.get(22..).unwrap_or_default().chunks_exact(8);
        let column = |bytes: &[u8]| Column {
            kind: u16_at(bytes, 0).unwrap_or_default(),
            id: u16_at(bytes, 2).unwrap_or_default(),
            offset: u16_at(bytes, 4).map(usize::from).unwrap_or_default(),
            bit: usize::from(bytes[7]),
        };
        Ok(Self {
            columns: columns.map(column).collect(),
            heap,
            width,
            bits,
            rows,
        })
    }

    /// The blocks with whole rows and padding.
    fn blocks<R: Read + Seek>(&mut self, source: &mut NodeDatabase<R>) -> Result<Rows, Fault> {
        if self.rows == 0 {
            return Ok(Rows::Item(Vec::new()));
        }
        if is_item(self.rows) {
            return self.heap.item(source, self.rows).map(Rows::Item);
        }
        let node = self.heap.subnodes.get(&self.rows);
        let node = node.ok_or(Fault::Damaged("the rows of a table are missing"))?;
        source.data_blocks(node.data).map(Rows::Blocks)
    }

    /// Gives the rows of the table to `take`; what cannot be read ends them.
    fn each_row<R: Read + Seek>(
        &mut self,
        source: &mut NodeDatabase<R>,
        mut take: impl FnMut(&mut Self, &mut NodeDatabase<R>, &[u8]),
    ) -> Option<Fault> {
        let (blocks, mut block) = match self.blocks(source) {
            Ok(Rows::Item(rows)) => (Vec::new(), rows),
            Ok(Rows::Blocks(blocks)) => (blocks, Vec::new()),
            Err(fault) => return Some(fault),
        };
        let mut blocks = blocks.into_iter();
        loop {
            for row in block.chunks_exact(self.width) {
                take(self, source, row);
            }
            block = match blocks.next().map(|id| source.data_block(id)) {
                None => return None,
                Some(Ok(block)) => block,
                Some(Err(fault)) => return Some(fault),
            };
        }
    }

    /// The numbers of the rows, which are node ids, and why some are missing.
    pub fn row_ids<R: Read + Seek>(
        &mut self,
        source: &mut NodeDatabase<R>,
    ) -> (Vec<u32>, Option<Fault>) {
        let mut ids = Vec::new();
        let fault = self.each_row(source, |_, _, row| ids.extend(u32_at(row, 0)));
        (ids, fault)
    }

    /// The properties of each row, and why some are missing.
    pub fn objects<R: Read + Seek>(
        &mut self,
        source: &mut NodeDatabase<R>,
        code_page: Option<u32>,
    ) -> (Vec<MessageParts>, Option<Fault>) {
        let mut objects = Vec::new();
        let fault = self.each_row(source, |table, source, row| {
            let mut stored = MessageParts::default();
            stored.properties.code_page = code_page;
            let columns = std::mem::take(&mut table.columns);
            for column in &columns {
                let is_there = row.get(table.bits + column.bit / 8);
                let is_there = is_there.is_some_and(|byte| byte & (0x80 >> (column.bit % 8)) != 0);
                let Some(value) = u32_at(row, column.offset).filter(|_| is_there) else {
                    continue;
                };
                let cell = Cell {
                    id: column.id,
                    kind: column.kind,
                    value,
                };
                // Values of eight bytes stand in the row itself; no such column is read.
                if cell.kind != kind::TIME {
                    cell.put(&mut table.heap, source, &mut stored);
                }
            }
            table.columns = columns;
            objects.push(stored);
        });
        (objects, fault)
    }
}

enum Rows {
    Item(Vec<u8>),
    Blocks(Vec<u64>),
}
