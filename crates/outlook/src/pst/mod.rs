//! Outlook stores: `.pst`, and `.ost` before Outlook 2013 ([MS-PST]).

mod crypt;
mod error;
mod heap;
mod item;
mod layout;
mod node_database;
mod table;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod writer;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::io::{Read, Seek};

pub use self::error::PstError;
use self::node_database::{Fault, Node, NodeDatabase};
use self::table::{Table, properties};
use crate::Limits;
use crate::message::{Message, MessageParts, Problem};
use crate::property::id;

/// The first bytes of a store (§2.2.2.6).
pub const PST: [u8; 4] = *b"!BDN";

/// Nodes with fixed numbers (§2.4.1).
const STORE: u32 = 0x21;
const ROOT: u32 = 0x122;

/// Types of nodes (§2.2.2.1).
const FOLDER: u32 = 0x02;
const MESSAGE: u32 = 0x04;
const HIERARCHY: u32 = 0x0D;
const CONTENTS: u32 = 0x0E;

/// A message of a store.
#[derive(Debug)]
pub struct StoredMessage {
    /// The path of its folder, such as `Inbox/Projects`: names in which `/`, `!`, `#`, `%` and control
    /// characters are percent-encoded, different for each folder; empty for the folder that holds those
    /// which Outlook shows. `None` for a message that no folder lists.
    pub folder: Option<String>,
    /// Its number in the folder, or among the messages that no folder lists, from 1.
    pub number: u64,
    /// The message; or why nothing of it can be read.
    pub message: Result<Message, Problem>,
}

/// A part of a store.
#[derive(Debug)]
pub enum Entry {
    /// A message.
    Message(StoredMessage),
    /// What is missing of a folder.
    Folder {
        /// Its path, as in [`StoredMessage::folder`].
        folder: String,
        /// What is missing.
        problem: Problem,
    },
}

/// A store: an iterator over its messages, folder by folder.
///
/// Memory is bounded by the largest message, plus a few bytes per message. At most a few times the size of the
/// file is read.
pub struct Pst<R> {
    source: NodeDatabase<R>,
    limits: Limits,
    /// Folders to be read, the next one last.
    folders: Vec<Folder>,
    current: Option<Listing>,
    /// The messages read, and the folders met.
    seen: BTreeSet<u32>,
    /// How many folders have had each path.
    paths: BTreeMap<String, u64>,
    /// The node that holds the folders which Outlook shows.
    top: Option<u32>,
    orphans: Orphans,
}

struct Folder {
    id: u32,
    path: String,
}

/// The messages that no folder lists.
struct Orphans {
    are_read: bool,
    count: u64,
    /// The number from which on the next one is looked for; `None` at the end.
    next: Option<u32>,
}

/// The messages of a folder that are still to be read.
struct Listing {
    path: String,
    ids: std::vec::IntoIter<u32>,
    number: u64,
    problems: std::vec::IntoIter<Problem>,
}

impl<R: Read + Seek> Pst<R> {
    /// Opens a store.
    ///
    /// # Errors
    /// If it is not a store of a version that is read, or its header cannot be read.
    pub fn open(input: R, limits: &Limits) -> Result<Self, PstError> {
        let mut store = Self {
            source: NodeDatabase::open(input)?,
            limits: limits.clone(),
            folders: vec![Folder {
                id: ROOT,
                path: String::new(),
            }],
            current: None,
            seen: BTreeSet::from([ROOT]),
            paths: BTreeMap::new(),
            top: None,
            orphans: Orphans {
                are_read: false,
                count: 0,
                next: Some(0),
            },
        };
        store.top = store.top_folder();
        Ok(store)
    }

    /// Also reads the messages that no folder lists, after the others.
    #[must_use]
    pub fn with_orphans(mut self) -> Self {
        self.orphans.are_read = true;
        self
    }

    /// How many messages no folder lists; known at the end.
    #[must_use]
    pub fn orphans(&self) -> u64 {
        self.orphans.count
    }

    /// The folder that holds those which Outlook shows: `PidTagIpmSubTreeEntryId` (§2.4.3).
    fn top_folder(&mut self) -> Option<u32> {
        let node = self.source.node(STORE).ok()?;
        let mut stored = MessageParts::default();
        properties(&mut self.source, &node, &mut stored).ok()?;
        let (_, entry) = stored.properties.stored(id::TOP_FOLDER)?;
        layout::u32_at(entry, 20)
    }

    /// Begins to read a folder: its own folders come after its messages.
    fn open_folder(&mut self, folder: Folder) {
        let mut problems = Vec::new();
        let below = self.rows(folder.id, HIERARCHY, "its folders", &mut problems);
        let first = self.folders.len();
        for id in below {
            if id & 0x1F == FOLDER && self.seen.insert(id) {
                match self.path_of(id, &folder.path) {
                    Ok(path) => self.folders.push(Folder { id, path }),
                    Err(fault) => problems.push(fault.problem("a folder cannot be read")),
                }
            }
        }
        self.folders[first..].reverse();
        let ids = self.rows(folder.id, CONTENTS, "its messages", &mut problems);
        self.current = Some(Listing {
            path: folder.path,
            ids: ids.into_iter(),
            number: 0,
            problems: problems.into_iter(),
        });
    }

    /// The rows of a table of a folder, which has its number and another type.
    fn rows(&mut self, id: u32, kind: u32, missing: &str, problems: &mut Vec<Problem>) -> Vec<u32> {
        let node = self.source.node(id & !0x1F | kind);
        let table = node.and_then(|node| Table::open(&mut self.source, &node));
        let (rows, fault) = match table {
            Ok(mut table) => table.row_ids(&mut self.source),
            Err(fault) => (Vec::new(), Some(fault)),
        };
        let missing = format!("{missing} cannot be read");
        problems.extend(fault.map(|fault| fault.problem(&missing)));
        rows
    }

    /// The path of a folder in another one.
    fn path_of(&mut self, id: u32, parent: &str) -> Result<String, Fault> {
        let node = self.source.node(id)?;
        if self.top == Some(id) {
            return Ok(String::new());
        }
        let mut stored = MessageParts::default();
        properties(&mut self.source, &node, &mut stored)?;
        let name = stored.properties.text(id::DISPLAY_NAME);
        let name = encoded(&name.unwrap_or_default());
        let path = match parent {
            "" => name,
            parent => format!("{parent}/{name}"),
        };
        if !self.paths.contains_key(&path) {
            self.paths.insert(path.clone(), 1);
            return Ok(path);
        }
        loop {
            let count = self.paths.entry(path.clone()).or_default();
            *count += 1;
            let numbered = format!("{path} ({count})");
            if !self.paths.contains_key(&numbered) {
                self.paths.insert(numbered.clone(), 1);
                return Ok(numbered);
            }
        }
    }

    fn read(&mut self, node: &Node) -> Result<Message, Problem> {
        let message = item::message(&mut self.source, node, &self.limits, 0);
        message.map_err(|fault| fault.problem("a message cannot be read"))
    }

    /// Looks for the next message that no folder lists, and reads it if they are read.
    fn next_orphan(&mut self) -> Option<Entry> {
        while let Some(from) = self.orphans.next.take() {
            let node = match self.source.first_node(from) {
                Ok(node) => node?,
                Err(fault) => {
                    return Some(Entry::Folder {
                        folder: String::new(),
                        problem: fault.problem("messages that no folder lists cannot be found"),
                    });
                }
            };
            self.orphans.next = node.id.checked_add(1);
            if node.id & 0x1F == MESSAGE && self.seen.insert(node.id) {
                self.orphans.count += 1;
                if self.orphans.are_read {
                    return Some(Entry::Message(StoredMessage {
                        folder: None,
                        number: self.orphans.count,
                        message: self.read(&node),
                    }));
                }
            }
        }
        None
    }
}

impl<R: Read + Seek> Iterator for Pst<R> {
    type Item = Entry;

    fn next(&mut self) -> Option<Entry> {
        loop {
            let Some(listing) = &mut self.current else {
                match self.folders.pop() {
                    Some(folder) => self.open_folder(folder),
                    None => return self.next_orphan(),
                }
                continue;
            };
            if let Some(problem) = listing.problems.next() {
                let folder = listing.path.clone();
                return Some(Entry::Folder { folder, problem });
            }
            let Some(id) = listing.ids.next() else {
                self.current = None;
                continue;
            };
            if id & 0x1F != MESSAGE || !self.seen.insert(id) {
                continue;
            }
            listing.number += 1;
            let (folder, number) = (listing.path.clone(), listing.number);
            let message = match self.source.node(id) {
                Ok(node) => self.read(&node),
                Err(fault) => Err(fault.problem("a message cannot be read")),
            };
            return Some(Entry::Message(StoredMessage {
                folder: Some(folder),
                number,
                message,
            }));
        }
    }
}

/// The name of a folder as a part of a path.
fn encoded(name: &str) -> String {
    let mut encoded = String::with_capacity(name.len());
    for character in name.chars() {
        if matches!(character, '/' | '!' | '#' | '%') || character.is_control() {
            let mut buffer = [0; 4];
            for byte in character.encode_utf8(&mut buffer).bytes() {
                // A String takes every write.
                let _ = write!(encoded, "%{byte:02X}");
            }
        } else {
            encoded.push(character);
        }
    }
    encoded
}
