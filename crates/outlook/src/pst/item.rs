//! Messages and their attachments (§2.4.5, §2.4.6).

use std::io::{Read, Seek};

use super::node_database::{Fault, Node, NodeDatabase};
use super::table::{Table, properties};
use crate::Limits;
use crate::message::{Attachment, Content, Message, MessageParts, Problem, ProblemKind};
use crate::property::id;

/// The table of recipients, in a message.
const RECIPIENTS: u32 = 0x692;

/// The type of the nodes with attachments, in a message.
const ATTACHMENT: u32 = 0x05;

/// The `PidTagAttachMethod` of objects of OLE ([MS-OXCMSG] §2.2.2.9).
const OLE: u32 = 6;

/// Reads the message of a node, in `depth` others. The recursion is bounded by [`Limits::depth`].
///
/// # Errors
/// If nothing of it can be read.
pub fn message<R: Read + Seek>(
    source: &mut NodeDatabase<R>,
    node: &Node,
    limits: &Limits,
    depth: usize,
) -> Result<Message, Fault> {
    let mut stored = MessageParts::default();
    let object = properties(source, node, &mut stored)?;
    let code_page = stored.properties.code_page;
    if let Some(recipients) = object.heap.subnodes.get(&RECIPIENTS) {
        let (recipients, fault) = match Table::open(source, recipients) {
            Ok(mut table) => table.objects(source, code_page),
            Err(fault) => (Vec::new(), Some(fault)),
        };
        for mut recipient in recipients {
            stored.problems.append(&mut recipient.problems);
            stored.recipients.push(recipient.properties);
        }
        let problem = fault.map(|fault| fault.problem("not all recipients can be read"));
        stored.problems.extend(problem);
    }
    let nodes = object.heap.subnodes.values();
    for node in nodes.filter(|node| node.id & 0x1F == ATTACHMENT) {
        let attachment = attachment(source, node, limits, depth, &mut stored);
        stored.attachments.extend(attachment);
    }
    // Those of the messages in it are counted with its own.
    let wrong = match depth {
        0 => source.take_wrong_checksums(),
        _ => 0,
    };
    if wrong > 0 {
        let what = format!("pages and blocks do not match their checksums: {wrong}");
        stored
            .problems
            .push(Problem::new(ProblemKind::Checksum, what));
    }
    Ok(stored.into_message())
}

/// Reads an attachment of `message`, whose problems its own are added to.
fn attachment<R: Read + Seek>(
    source: &mut NodeDatabase<R>,
    node: &Node,
    limits: &Limits,
    depth: usize,
    message: &mut MessageParts,
) -> Option<Attachment> {
    const MISSING: &str = "an attachment cannot be read";
    let mut stored = MessageParts::default();
    stored.properties.code_page = message.properties.code_page;
    let object = match properties(source, node, &mut stored) {
        Ok(object) => object,
        Err(fault) => {
            message.problems.push(fault.problem(MISSING));
            return None;
        }
    };
    message.problems.append(&mut stored.problems);
    let inner = object.attached.map(|id| object.heap.subnodes.get(&id));
    let content = match inner {
        None => Content::from_properties(&mut stored.properties),
        Some(None) => {
            let fault = Fault::Damaged("a subnode is missing");
            message.problems.push(fault.problem(MISSING));
            Content::Other
        }
        // An object of OLE is bytes, and has no properties.
        Some(Some(_)) if stored.properties.integer(id::ATTACH_METHOD) == Some(OLE) => {
            Content::Other
        }
        Some(Some(_)) if depth >= limits.depth => {
            message.problems.push(Problem::too_deep(limits));
            Content::Other
        }
        Some(Some(node)) => match self::message(source, node, limits, depth + 1) {
            Ok(inner) => Content::Message(Box::new(inner)),
            Err(fault) => {
                message.problems.push(fault.problem(MISSING));
                Content::Other
            }
        },
    };
    Some(Attachment::new(&stored.properties, content))
}
