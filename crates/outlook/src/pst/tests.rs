use std::io::Cursor;

use super::crypt::Encoding;
use super::layout::Layout;
use super::writer::{PendingNode, Property, Writer, heap, item, tree, utf_16};
use super::*;
use crate::message::{Content, ProblemKind};
use crate::property::{id, kind};

const TOP: u32 = 0x8022;
const INBOX: u32 = 0x8042;
const PROJECTS: u32 = 0x8062;

fn all_forms() -> impl Iterator<Item = (Layout, Encoding)> {
    let layouts = [Layout::Ansi, Layout::Unicode];
    let encodings = [Encoding::None, Encoding::Permute, Encoding::Cyclic];
    layouts
        .into_iter()
        .flat_map(move |layout| encodings.map(|encoding| (layout, encoding)))
}

fn writer() -> Writer {
    Writer::new(Layout::Unicode, Encoding::Permute)
}

fn open(bytes: &[u8]) -> Pst<Cursor<&[u8]>> {
    Pst::open(Cursor::new(bytes), &Limits::default()).unwrap()
}

/// Writes a message with that subject and these properties and subnodes.
fn message(
    store: &mut Writer,
    subject: &str,
    values: &[Property<'_>],
    nodes: &[(u32, PendingNode)],
) -> PendingNode {
    let subject = utf_16(subject);
    let subject = (id::SUBJECT, kind::STRING, &subject[..]);
    store.properties(&[&[subject], values].concat(), nodes)
}

/// A store with a folder for each name below the top folder, and these numbers of messages.
fn with_folders(mut store: Writer, folders: &[(&str, u32)]) -> Vec<u8> {
    let ids: Vec<u32> = (1..)
        .map(|number| TOP + number * 0x20)
        .take(folders.len())
        .collect();
    let mut number = 0x1_0004;
    for ((name, messages), folder) in folders.iter().zip(&ids) {
        let mut listed = Vec::new();
        for _ in 0..*messages {
            number += 0x20;
            let node = message(&mut store, &format!("message {number:X}"), &[], &[]);
            store.node(number, node);
            listed.push(number);
        }
        store.folder(*folder, name, &[], &listed);
    }
    store.top(TOP);
    store.folder(ROOT, "", &[TOP], &[]);
    store.folder(TOP, "Top of Outlook data file", &ids, &[]);
    store.finish()
}

/// The name and the subject of each message, and the problems.
fn listing(store: Pst<Cursor<&[u8]>>) -> (Vec<String>, Vec<String>) {
    let (mut messages, mut problems) = (Vec::new(), Vec::new());
    for entry in store {
        match entry {
            Entry::Message(StoredMessage {
                folder,
                number,
                message: Ok(message),
            }) => {
                let folder = folder.as_deref().unwrap_or("(none)");
                let subject = message
                    .header
                    .lines()
                    .find_map(|line| line.strip_prefix("Subject: "));
                messages.push(format!("{folder}#{number} {}", subject.unwrap_or_default()));
                problems.extend(message.problems.into_iter().map(|problem| problem.what));
            }
            Entry::Message(StoredMessage {
                message: Err(problem),
                ..
            })
            | Entry::Folder { problem, .. } => problems.push(problem.what),
        }
    }
    (messages, problems)
}

#[test]
fn every_layout_and_encoding() {
    for (layout, encoding) in all_forms() {
        let mut store = Writer::new(layout, encoding);
        let html = "<a href='https://a.test/'>".repeat(1000);
        let inner = message(
            &mut store,
            "inner",
            &[(id::BODY, kind::STRING_8, b"x")],
            &[],
        );
        let reference = [0x25_u32.to_le_bytes(), [0; 4]].concat();
        let attached = store.properties(
            &[
                (id::ATTACH_METHOD, kind::INTEGER, &5_u32.to_le_bytes()),
                (id::ATTACH_DATA, kind::OBJECT, &reference),
            ],
            &[(0x25, inner)],
        );
        let file = vec![7; 50_000];
        let location = utf_16("https://a.test/f");
        let file = store.properties(
            &[
                (id::ATTACH_DATA, kind::BINARY, &file),
                (id::ATTACH_LOCATION, kind::STRING, &location),
            ],
            &[],
        );
        let recipients = store.recipients(&[(1, "Ann", "ann@a.test"), (2, "Bob", "bob@b.test")]);
        let time = 133_485_408_000_000_000_u64.to_le_bytes();
        let node = message(
            &mut store,
            "outer",
            &[
                (id::HTML, kind::BINARY, html.as_bytes()),
                (id::SUBMIT_TIME, kind::TIME, &time),
            ],
            &[(0x8025, attached), (0x8045, file), (0x692, recipients)],
        );
        store.node(0x1_0024, node);
        store.top(TOP);
        store.folder(ROOT, "", &[TOP], &[]);
        store.folder(TOP, "Top", &[INBOX], &[]);
        store.folder(INBOX, "Inbox", &[PROJECTS], &[]);
        store.folder(PROJECTS, "Projects", &[], &[0x1_0024]);
        let bytes = store.finish();

        let entries: Vec<_> = open(&bytes).collect();
        let [Entry::Message(found)] = &entries[..] else {
            panic!("{layout:?} {encoding:?} {entries:?}");
        };
        assert_eq!(found.folder.as_deref(), Some("Inbox/Projects"));
        let found = found.message.as_ref().unwrap();
        assert_eq!(found.problems, []);
        assert_eq!(found.bodies[0].bytes, html.as_bytes());
        for line in [
            "To: Ann <ann@a.test>",
            "Cc: Bob <bob@b.test>",
            "Subject: outer",
        ] {
            assert!(found.header.contains(line), "{}", found.header);
        }
        assert!(found.header.contains("\r\nDate: "), "{}", found.header);
        let [attached, file] = &found.attachments[..] else {
            panic!("{:?}", found.attachments);
        };
        assert!(
            matches!(&attached.content, Content::Message(message) if message.bodies[0].bytes == b"x")
        );
        assert_eq!(file.location.as_deref(), Some("https://a.test/f"));
        assert!(matches!(&file.content, Content::Bytes(bytes) if *bytes == vec![7; 50_000]));
    }
}

#[test]
fn folders_of_many_messages() {
    for (layout, encoding) in all_forms() {
        let store = Writer::new(layout, encoding);
        let (messages, problems) = listing(open(&with_folders(store, &[("Inbox", 2500)])));
        assert_eq!(problems, [""; 0]);
        assert_eq!(messages.len(), 2500);
        assert_eq!(messages[0], "Inbox#1 message 10024");
        assert_eq!(messages[2499], "Inbox#2500 message 23884");
    }
}

#[test]
fn folder_names_are_encoded_and_numbered() {
    let names = [
        ("a/b!#%\u{1}é", 1),
        ("x", 1),
        ("x", 1),
        ("x (2)", 1),
        ("", 1),
    ];
    let (messages, _) = listing(open(&with_folders(writer(), &names)));
    let folders = messages
        .iter()
        .map(|message| message.split(" message").next().unwrap());
    let folders: Vec<_> = folders.collect();
    assert_eq!(
        folders,
        [
            "a%2Fb%21%23%25%01é#1",
            "x#1",
            "x (2)#1",
            "x (2) (2)#1",
            "#1"
        ]
    );
}

#[test]
fn messages_without_a_folder_are_counted_and_read_on_request() {
    let mut store = writer();
    let node = message(&mut store, "lost", &[], &[]);
    store.node(0x2_0004, node);
    let bytes = with_folders(store, &[("Inbox", 1)]);
    let mut found = open(&bytes);
    assert_eq!(found.by_ref().count(), 1);
    assert_eq!(found.orphans(), 1);
    let (messages, _) = listing(open(&bytes).with_orphans());
    assert_eq!(messages, ["Inbox#1 message 10024", "(none)#1 lost"]);
}

#[test]
fn other_files_and_versions_are_refused_by_name() {
    let refused = |bytes: &[u8]| {
        let store = Pst::open(Cursor::new(bytes), &Limits::default());
        store
            .err()
            .map(|error| error.to_string())
            .unwrap_or_default()
    };
    assert_eq!(refused(b""), "is not an Outlook store");
    let mut bytes = with_folders(writer(), &[]);
    bytes[9] = b'O';
    assert_eq!(refused(&bytes), "");
    assert_eq!(
        refused(&bytes[..300]),
        "is an Outlook store whose header is damaged"
    );
    bytes[10] = 36;
    assert!(refused(&bytes).contains("version 36"));
    bytes[10] = 99;
    assert!(refused(&bytes).contains("version 99"));
}

/// The listing of a store with one message, in this node.
fn listing_of(mut store: Writer, node: PendingNode) -> (Vec<String>, Vec<String>) {
    store.node(0x1_0024, node);
    store.top(TOP);
    store.folder(ROOT, "", &[TOP], &[]);
    store.folder(TOP, "Top", &[], &[0x1_0024]);
    listing(open(&store.finish()))
}

#[test]
fn list_of_blocks_that_names_itself() {
    for level in [1, 2] {
        let mut store = writer();
        let itself = store.list(0, &[], 0) + 4;
        let data = store.list(level, &[itself], 100);
        assert_eq!(data, itself);
        let (_, problems) = listing_of(store, PendingNode { data, subnodes: 0 });
        assert_eq!(
            problems,
            ["a message cannot be read: a list of blocks is damaged"]
        );
    }
}

#[test]
fn many_equal_blocks_end_at_a_limit() {
    let mut store = writer();
    let block = store.block(&[0; 8000], false);
    let blocks = store.list(1, &[block; 1000], 8_000_000);
    let data = store.list(2, &[blocks; 1000], 0);
    let node = message(
        &mut store,
        "x",
        &[(id::BODY, kind::BINARY, &[1; 5000])],
        &[],
    );
    let lists = store.subnodes(&[(0x3F, PendingNode { data, subnodes: 0 })]);
    let node = PendingNode {
        subnodes: lists,
        ..node
    };
    let (_, problems) = listing_of(store, node);
    assert!(
        problems[0].contains("larger together than the file"),
        "{problems:?}"
    );
}

#[test]
fn page_that_names_itself() {
    let bytes = with_folders(writer(), &[("Inbox", 100)]);
    let root = u64::from_le_bytes(bytes[224..232].try_into().unwrap());
    let at = usize::try_from(root).unwrap();
    let mut bytes = bytes;
    assert_eq!(bytes[at + 491], 1, "the level of the root");
    bytes[at + 16..at + 24].copy_from_slice(&root.to_le_bytes());
    let (_, problems) = listing(open(&bytes));
    assert!(!problems.is_empty());
}

#[test]
fn tree_on_a_heap_with_a_circle_or_too_many_levels() {
    for (levels, problem) in [
        (2, "a tree on a heap has a circle"),
        (255, "a tree on a heap is damaged"),
    ] {
        let mut store = writer();
        let entry = |id: u32| [&[0; 2][..], &id.to_le_bytes()].concat();
        let items = [tree(2, 6, levels, item(2)), entry(item(2))];
        let data = store.block(&heap(0xBC, &items), false);
        let (_, problems) = listing_of(store, PendingNode { data, subnodes: 0 });
        assert_eq!(problems, [format!("a message cannot be read: {problem}")]);
    }
}

#[test]
fn folder_that_lists_itself_is_read_once() {
    let mut store = writer();
    let node = message(&mut store, "x", &[], &[]);
    store.node(0x1_0024, node);
    store.folder(ROOT, "", &[INBOX, ROOT], &[]);
    store.folder(INBOX, "Inbox", &[INBOX, ROOT], &[0x1_0024, 0x1_0024]);
    let (messages, problems) = listing(open(&store.finish()));
    assert_eq!((messages, problems), (vec!["Inbox#1 x".to_owned()], vec![]));
}

#[test]
fn deep_messages_end_at_the_limit() {
    let mut store = writer();
    let mut node = message(&mut store, "x", &[], &[]);
    let reference = [0x25_u32.to_le_bytes(), [0; 4]].concat();
    for _ in 0..60 {
        let attached = store.properties(
            &[(id::ATTACH_DATA, kind::OBJECT, &reference)],
            &[(0x25, node)],
        );
        node = message(&mut store, "x", &[], &[(0x8025, attached)]);
    }
    store.node(0x1_0024, node);
    store.folder(ROOT, "", &[], &[0x1_0024]);
    let bytes = store.finish();
    let Some(Entry::Message(found)) = open(&bytes).next() else {
        panic!("a message");
    };
    let mut message = &found.message.unwrap();
    let mut depth = 0;
    while let Some(Content::Message(inner)) = message.attachments.first().map(|file| &file.content)
    {
        (message, depth) = (inner, depth + 1);
    }
    assert_eq!((depth, message.problems[0].kind), (50, ProblemKind::Limit));
}

#[test]
fn wrong_checksum_is_a_problem_of_the_message() {
    let mut store = writer();
    let node = message(
        &mut store,
        "x",
        &[(id::BODY, kind::STRING_8, &[b'y'; 2000])],
        &[],
    );
    store.bytes[1024 + 300] ^= 1;
    let (messages, problems) = listing_of(store, node);
    assert_eq!(messages, ["#1 x"]);
    assert_eq!(
        problems,
        ["pages and blocks do not match their checksums: 1"]
    );
}

#[test]
fn damaged_store_gives_what_is_left() {
    let bytes = with_folders(writer(), &[("Inbox", 40), ("Sent", 3)]);
    let whole = listing(open(&bytes)).0;
    for end in (512..bytes.len()).step_by(997) {
        if let Ok(store) = Pst::open(Cursor::new(&bytes[..end]), &Limits::default()) {
            let (messages, problems) = listing(store);
            assert!(messages.iter().all(|message| whole.contains(message)));
            assert!(!problems.is_empty(), "{end}");
        }
    }
    // A simple generator: the same bytes are damaged in every run.
    let mut seed = 1_u64;
    for _ in 0..300 {
        let mut damaged = bytes.clone();
        for _ in 0..8 {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let at = usize::try_from(seed >> 33).unwrap() % damaged.len();
            damaged[at] = seed.to_le_bytes()[3];
        }
        if let Ok(store) = Pst::open(Cursor::new(&damaged[..]), &Limits::default()) {
            assert!(listing(store.with_orphans()).0.len() < 100);
        }
    }
}

/// A store with a message in a folder, which has a base, a page attached, and a message attached.
fn fixture() -> Vec<u8> {
    let mut store = Writer::new(Layout::Unicode, Encoding::Permute);
    let headers = utf_16("Message-ID: <1@a.test>\r\nContent-Base: https://base.test/dir/\r\n");
    let page = b"<a href='next'>next</a>";
    let location = utf_16("https://attached.test/page");
    let name = utf_16("page.html");
    let media_type = utf_16("text/html");
    let attached = store.properties(
        &[
            (id::ATTACH_DATA, kind::BINARY, page),
            (id::ATTACH_LOCATION, kind::STRING, &location),
            (id::ATTACH_LONG_NAME, kind::STRING, &name),
            (id::ATTACH_MEDIA_TYPE, kind::STRING, &media_type),
        ],
        &[],
    );
    let html = (
        id::HTML,
        kind::BINARY,
        &b"<a href='https://inner.test/'>inner</a>"[..],
    );
    let inner = message(&mut store, "inner", &[html], &[]);
    let reference = [0x25_u32.to_le_bytes(), [0; 4]].concat();
    let forwarded = store.properties(
        &[(id::ATTACH_DATA, kind::OBJECT, &reference)],
        &[(0x25, inner)],
    );
    let node = message(
        &mut store,
        "links",
        &[
            (id::HTML, kind::BINARY, b"<a href='relative'>x</a>"),
            (id::TRANSPORT_HEADERS, kind::STRING, &headers),
        ],
        &[(0x8025, attached), (0x8045, forwarded)],
    );
    store.node(0x1_0024, node);
    let other = message(&mut store, "in no folder", &[html], &[]);
    store.node(0x1_0044, other);
    store.top(TOP);
    store.folder(ROOT, "", &[TOP], &[]);
    store.folder(TOP, "Top of Outlook data file", &[INBOX], &[]);
    store.folder(INBOX, "Inbox", &[PROJECTS], &[]);
    store.folder(PROJECTS, "Projects", &[], &[0x1_0024]);
    store.finish()
}

/// `BASEREF_RENEW=1` writes the fixture of the other tests.
#[test]
fn fixture_is_current() {
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../fixtures/outlook/store.pst"
    );
    let store = fixture();
    if std::env::var_os("BASEREF_RENEW").is_some() {
        std::fs::write(path, &store).unwrap();
    }
    assert!(
        std::fs::read(path).unwrap() == store,
        "{path} is not what the test writes"
    );
}
