//! Messages stored as compound files ([MS-OXMSG]).

use std::collections::BTreeSet;
use std::io::{Cursor, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use crate::compound::{Child, Lost, MAGIC, Store};
use crate::limits::{Limits, MessageError};
use crate::message::{Attachment, Content, Message, MessageParts, Problem, ProblemKind};
use crate::property::{id, kind};

/// The stream with the short properties of an object (§2.4).
const PROPERTIES: &str = "__properties_version1.0";

/// The prefix of the names of streams with long properties, before the tag.
const PROPERTY: &str = "__substg1.0_";

/// The storage of an attached message or OLE object (§2.2.2.1).
const EMBEDDED: &str = "__substg1.0_3701000D";

const ATTACHMENT: &str = "__attach_version1.0_#";
const RECIPIENT: &str = "__recip_version1.0_#";

/// The size of the header of a property stream (§2.4.1).
const OF_FILE: usize = 32;
const OF_EMBEDDED: usize = 24;
const OF_OTHERS: usize = 8;

/// Whether a file is a compound file with the properties of a message. Only its tables are read.
#[must_use]
pub fn is_msg(mut file: impl Read + Seek) -> bool {
    let mut head = [0; MAGIC.len()];
    let is_compound = file.seek(SeekFrom::Start(0)).is_ok()
        && file.read_exact(&mut head).is_ok()
        && head == MAGIC;
    is_compound
        && Store::open(file, 0).is_ok_and(|store| {
            let children = store.children(Path::new("/"));
            children.iter().any(is_properties)
        })
}

fn is_properties(child: &Child) -> bool {
    child.is_stream && child.name.eq_ignore_ascii_case(PROPERTIES)
}

/// Reads a `.msg`.
///
/// # Errors
/// If the bytes are not a compound file with the properties of a message.
pub fn read_msg(bytes: &[u8], limits: &Limits) -> Result<Message, MessageError> {
    if !bytes.starts_with(&MAGIC) {
        return Err(MessageError::NotOutlook);
    }
    let store = Store::open(Cursor::new(bytes), bytes.len() as u64);
    let store = store.map_err(MessageError::Damaged)?;
    let mut reading = MsgReader { store, limits };
    let root = PathBuf::from("/");
    let children = reading.store.children(&root);
    if !children.iter().any(is_properties) {
        return Err(MessageError::NotAMessage);
    }
    Ok(reading.message(&root, &children, OF_FILE, None, 0))
}

struct MsgReader<'r> {
    store: Store<Cursor<&'r [u8]>>,
    limits: &'r Limits,
}

impl MsgReader<'_> {
    /// Reads the message in a storage, at a depth of `depth`. [`Limits::depth`] bounds the recursion.
    fn message(
        &mut self,
        path: &Path,
        children: &[Child],
        header: usize,
        code_page: Option<u32>,
        depth: usize,
    ) -> Message {
        let mut stored = MessageParts::default();
        stored.properties.code_page = code_page;
        self.properties(path, children, header, &mut stored);
        let code_page = stored.properties.code_page;
        for child in numbered(children, RECIPIENT) {
            let path = path.join(&child.name);
            let children = self.store.children(&path);
            let mut inner = MessageParts::default();
            inner.properties.code_page = code_page;
            self.properties(&path, &children, OF_OTHERS, &mut inner);
            stored.recipients.push(inner.properties);
            stored.problems.append(&mut inner.problems);
        }
        for child in numbered(children, ATTACHMENT) {
            let path = path.join(&child.name);
            let attachment = self.attachment(&path, code_page, depth, &mut stored.problems);
            stored.attachments.push(attachment);
        }
        stored.into_message()
    }

    fn attachment(
        &mut self,
        path: &Path,
        code_page: Option<u32>,
        depth: usize,
        problems: &mut Vec<Problem>,
    ) -> Attachment {
        let children = self.store.children(path);
        let mut stored = MessageParts::default();
        stored.properties.code_page = code_page;
        self.properties(path, &children, OF_OTHERS, &mut stored);
        problems.append(&mut stored.problems);
        let mut properties = stored.properties;
        let is_embedded =
            |child: &Child| !child.is_stream && child.name.eq_ignore_ascii_case(EMBEDDED);
        let embedded = children.iter().any(is_embedded);
        let content = if embedded {
            self.embedded(&path.join(EMBEDDED), code_page, depth, problems)
        } else {
            Content::from_properties(&mut properties)
        };
        Attachment::new(&properties, content)
    }

    /// Reads an attached storage: a message or an OLE object.
    fn embedded(
        &mut self,
        path: &Path,
        code_page: Option<u32>,
        depth: usize,
        problems: &mut Vec<Problem>,
    ) -> Content {
        let children = self.store.children(path);
        if !children.iter().any(is_properties) {
            return Content::Other;
        }
        if depth >= self.limits.depth {
            problems.push(Problem::too_deep(self.limits));
            return Content::Other;
        }
        let message = self.message(path, &children, OF_EMBEDDED, code_page, depth + 1);
        Content::Message(Box::new(message))
    }

    /// Reads the properties of an object. The storage of named properties, whose streams have similar names,
    /// is not among the children.
    fn properties(
        &mut self,
        path: &Path,
        children: &[Child],
        header: usize,
        stored: &mut MessageParts,
    ) {
        let mut declared = Vec::new();
        for child in children.iter().filter(|child| !is_named_storage(child)) {
            let what = format!(
                "{} is the name of no attachment or recipient: the storage is not read",
                child.name.escape_debug()
            );
            let problem = Problem::new(ProblemKind::Damaged, what);
            stored.problems.push(problem);
        }
        for child in children.iter().filter(|child| child.is_stream) {
            let tag = tag(&child.name);
            if tag.is_none() && !is_properties(child) && !is_of_other_program(&child.name) {
                let what = format!(
                    "{} is the name of no property: the stream is not read",
                    child.name.escape_debug()
                );
                let problem = Problem::new(ProblemKind::Damaged, what);
                stored.problems.push(problem);
            }
            let is_read = is_properties(child)
                || tag.is_some_and(|(id, kind)| id::is_read(id) && is_long(kind));
            if !is_read {
                continue;
            }
            let (bytes, lost) = self.store.read(&path.join(&child.name));
            if let Some((id, kind)) = tag {
                stored.properties.put_long(id, kind, bytes);
            } else {
                let entries = bytes.get(header..).unwrap_or_default();
                put_short(entries, stored);
                declared.extend(long_in(entries));
            }
            stored
                .problems
                .extend(lost.map(|lost| problem(&child.name, lost)));
        }
        let named: BTreeSet<_> = children
            .iter()
            .filter_map(|child| tag(&child.name))
            .collect();
        for (id, kind) in declared.into_iter().filter(|tag| !named.contains(tag)) {
            let what = format!("the stream {PROPERTY}{id:04X}{kind:04X} is missing");
            let problem = Problem::new(ProblemKind::Damaged, what);
            stored.problems.push(problem);
        }
        stored.properties.find_code_page();
    }
}

/// Whether a child is a stream, or a storage with one of the names that those of a message have
/// (§2.2), or that other programs add.
fn is_named_storage(child: &Child) -> bool {
    let begins = |prefix: &str| {
        let start = child.name.get(..prefix.len());
        start.is_some_and(|start| start.eq_ignore_ascii_case(prefix))
    };
    let known = [ATTACHMENT, RECIPIENT, EMBEDDED, "__nameid_version1.0"];
    child.is_stream || is_of_other_program(&child.name) || known.into_iter().any(begins)
}

/// Whether a stream is one that programs add to any compound file, such as the data that the Explorer
/// shows (\[MS-OLEPS\] §2.1): the name begins with a control character.
fn is_of_other_program(name: &str) -> bool {
    name.starts_with(|first: char| first.is_control())
}

/// The long properties that are read and, according to the entries of a property stream, have a value that
/// is not empty in a stream of its own (§2.4.2.2).
fn long_in(entries: &[u8]) -> impl Iterator<Item = (u16, u16)> {
    // An empty text in UTF-16 has a size of two, for its terminator.
    const EMPTY: u32 = 2;
    entries.chunks_exact(16).filter_map(|entry| {
        let number = |at: usize| u16::from_le_bytes([entry[at], entry[at + 1]]);
        let size = u32::from_le_bytes([entry[8], entry[9], entry[10], entry[11]]);
        let (kind, id) = (number(0), number(2));
        (is_long(kind) && id::is_read(id) && size > EMPTY).then_some((id, kind))
    })
}

/// The storages whose names are a prefix and a number, in numerical order.
fn numbered<'c>(children: &'c [Child], prefix: &str) -> Vec<&'c Child> {
    let number = |child: &Child| {
        let (start, number) = child.name.split_at_checked(prefix.len())?;
        let is_one = !child.is_stream && start.eq_ignore_ascii_case(prefix);
        is_one.then(|| u32::from_str_radix(number, 16).unwrap_or(u32::MAX))
    };
    let mut found: Vec<(u32, &Child)> = children
        .iter()
        .filter_map(|child| Some((number(child)?, child)))
        .collect();
    found.sort_by_key(|(number, _)| *number);
    found.into_iter().map(|(_, child)| child).collect()
}

/// The id and type of the property in a stream with this name.
fn tag(name: &str) -> Option<(u16, u16)> {
    let (start, tag) = name.split_at_checked(PROPERTY.len())?;
    let is_property = start.eq_ignore_ascii_case(PROPERTY) && tag.len() == 8;
    let number = |digits| u16::from_str_radix(tag.get(digits)?, 16).ok();
    is_property.then(|| Some((number(0..4)?, number(4..8)?)))?
}

fn is_long(kind: u16) -> bool {
    matches!(kind, kind::STRING | kind::STRING_8 | kind::BINARY)
}

/// Reads entries of 16 bytes: type, number, flags, and the value or its size (§2.4.2).
fn put_short(entries: &[u8], stored: &mut MessageParts) {
    for entry in entries.chunks_exact(16) {
        let number = |at: usize| u16::from_le_bytes([entry[at], entry[at + 1]]);
        let value = entry[8..].iter().rev();
        let value = value.fold(0, |value, byte| value << 8 | u64::from(*byte));
        if matches!(number(0), kind::INTEGER | kind::BOOLEAN | kind::TIME) {
            stored.properties.put_short(number(2), value);
        }
    }
}

fn problem(name: &str, lost: Lost) -> Problem {
    match lost {
        Lost::Damaged => Problem::new(ProblemKind::Damaged, format!("{name} is cut off")),
        Lost::Limit => Problem::new(
            ProblemKind::Limit,
            format!(
                "{name} and the other streams are larger together than the file: it is not read to its end"
            ),
        ),
    }
}
