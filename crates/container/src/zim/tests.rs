//! Tests of reading ZIM files, which a small writer makes.

use std::io::{Cursor, Write as _};

use lzma_rust2::{XzOptions, XzWriter};

use crate::entity::EntityKind;
use crate::{Contents, Format, Input, Reader, open, open_site};
use baseref_document::{Limits, ReadErrorKind};

const STORED: u8 = 1;
const XZ: u8 = 4;
const ZSTD: u8 = 5;
const EXTENDED: u8 = 0x10;

/// What an entry of a test leads to.
#[derive(Clone, Copy)]
enum To {
    /// The media type of that number, and a blob of a cluster.
    Blob(u16, u32, u32),
    Redirect(u32),
}

/// A book in the making.
struct Book {
    minor: u8,
    media: Vec<&'static str>,
    entries: Vec<(&'static str, To)>,
    clusters: Vec<(u8, Vec<Vec<u8>>)>,
    /// The number of the entry that readers show first.
    main_page: u32,
}

/// Where the parts of a written book are.
struct Places {
    entries: Vec<usize>,
    clusters: Vec<usize>,
    path_list: usize,
    cluster_list: usize,
}

impl Book {
    /// A book with three pages in two clusters.
    fn new(minor: u8, compression: u8) -> Self {
        let blob = |text: &str| text.as_bytes().to_vec();
        Self {
            minor,
            media: vec!["text/html", "image/png", "text/css", "text/html; charset=x"],
            entries: vec![
                ("C/a", To::Blob(0, 1, 1)),
                ("C/b/c", To::Blob(3, 0, 0)),
                ("C/d", To::Redirect(0)),
                ("C/e", To::Blob(0, 1, 0)),
                ("C/i.png", To::Blob(1, 0, 1)),
                ("C/s.css", To::Blob(2, 0, 2)),
                ("M/Title", To::Blob(0, 0, 1)),
            ],
            clusters: vec![
                (
                    compression,
                    vec![blob("<a href=c>"), blob("png"), blob("a{}")],
                ),
                (compression, vec![blob("<a href=e>"), blob("<a href=a>")]),
            ],
            main_page: u32::MAX,
        }
    }

    fn write(&self) -> (Vec<u8>, Places) {
        let mut bytes = vec![0; super::header::SIZE];
        for media in &self.media {
            bytes.extend(media.bytes().chain([0]));
        }
        bytes.push(0);
        let entries: Vec<usize> = self
            .entries
            .iter()
            .map(|(name, to)| {
                let at = bytes.len();
                let (namespace, path) = name.split_once('/').unwrap();
                let media = match to {
                    To::Blob(media, ..) => *media,
                    To::Redirect(_) => 0xFFFF,
                };
                bytes.extend(media.to_le_bytes());
                bytes.extend([0, namespace.as_bytes()[0], 0, 0, 0, 0]);
                match to {
                    To::Blob(_, cluster, blob) => {
                        bytes.extend(cluster.to_le_bytes());
                        bytes.extend(blob.to_le_bytes());
                    }
                    To::Redirect(number) => bytes.extend(number.to_le_bytes()),
                }
                bytes.extend(path.bytes().chain([0, 0]));
                at
            })
            .collect();
        let clusters: Vec<usize> = self
            .clusters
            .iter()
            .map(|(kind, blobs)| {
                let at = bytes.len();
                bytes.extend(cluster(*kind, blobs));
                at
            })
            .collect();
        let mut list = |places: &[usize]| {
            let at = bytes.len();
            bytes.extend(places.iter().flat_map(|at| (*at as u64).to_le_bytes()));
            at
        };
        let (path_list, cluster_list) = (list(&entries), list(&clusters));
        let end = bytes.len() as u64;
        let mut head = b"ZIM\x04\x06\0".to_vec();
        head.extend([self.minor, 0]);
        head.extend([0; 16]);
        head.extend(word(entries.len()));
        head.extend(word(clusters.len()));
        head.extend((path_list as u64).to_le_bytes());
        head.extend(u64::MAX.to_le_bytes());
        head.extend((cluster_list as u64).to_le_bytes());
        head.extend(80_u64.to_le_bytes());
        head.extend(self.main_page.to_le_bytes());
        head.extend([0xFF; 4]);
        head.extend(end.to_le_bytes());
        bytes[..head.len()].copy_from_slice(&head);
        bytes.extend([0; 16]);
        let places = Places {
            entries,
            clusters,
            path_list,
            cluster_list,
        };
        (bytes, places)
    }

    fn bytes(&self) -> Vec<u8> {
        self.write().0
    }
}

/// A number of 32 bits.
fn word(number: usize) -> [u8; 4] {
    u32::try_from(number).unwrap().to_le_bytes()
}

/// A cluster: the byte that says how it is stored, and its offsets and blobs.
fn cluster(kind: u8, blobs: &[Vec<u8>]) -> Vec<u8> {
    let width = if kind & EXTENDED == 0 { 4 } else { 8 };
    let mut content = Vec::new();
    let mut offset = (blobs.len() + 1) * width;
    for length in blobs.iter().map(Vec::len).chain([0]) {
        content.extend(&(offset as u64).to_le_bytes()[..width]);
        offset += length;
    }
    content.extend(blobs.concat());
    let stored = match kind & 0xF {
        XZ => {
            let mut writer = XzWriter::new(Vec::new(), XzOptions::with_preset(0)).unwrap();
            writer.write_all(&content).unwrap();
            writer.finish().unwrap()
        }
        ZSTD => zstd(&[(content.len(), content)]),
        _ => content,
    };
    [vec![kind], stored].concat()
}

/// A frame of zstd with blocks of that length: those of one byte repeat it.
fn zstd(blocks: &[(usize, Vec<u8>)]) -> Vec<u8> {
    let size: usize = blocks.iter().map(|(length, _)| length).sum();
    let mut frame = b"\x28\xB5\x2F\xFD\xA0".to_vec();
    frame.extend(word(size));
    for (number, (length, bytes)) in blocks.iter().enumerate() {
        let is_last = usize::from(number + 1 == blocks.len());
        let kind = usize::from(bytes.len() != *length);
        frame.extend(&(is_last | kind << 1 | length << 3).to_le_bytes()[..3]);
        frame.extend(bytes);
    }
    frame
}

/// The pages of a book with their text, and the errors, in order.
fn read(bytes: Vec<u8>) -> Vec<String> {
    read_with(bytes, &Limits::default(), false).0
}

fn read_with(bytes: Vec<u8>, limits: &Limits, is_site: bool) -> (Vec<String>, u64) {
    let size = bytes.len() as u64;
    let input = Input {
        name: "b.zim".into(),
        reader: Reader::Seekable(Box::new(Cursor::new(bytes))),
        size: Some(size),
        format: Some(Format::Zim),
        format_of_name: None,
        named: true,
        declarations: Vec::new(),
    };
    let opened = if is_site {
        open_site(input, limits, &Vec::new)
    } else {
        open(input, limits)
    };
    let mut entities = match opened {
        Ok(Contents::Multiple(entities)) => entities,
        Ok(_) => panic!("a book is a collection"),
        Err(error) => return (vec![error.to_string()], 0),
    };
    let found = entities.by_ref().map(|found| match found {
        Ok(entity) => {
            let text = String::from_utf8_lossy(&entity.bytes);
            format!("{} {text}", entity.origin)
        }
        Err(error) => error.to_string(),
    });
    (found.collect(), entities.without_html())
}

const PAGES: [&str; 3] = [
    "b.zim!C/b/c <a href=c>",
    "b.zim!C/e <a href=e>",
    "b.zim!C/a <a href=a>",
];

#[test]
fn pages_come_by_cluster_in_every_compression_and_width() {
    for kind in [0, STORED, XZ, ZSTD, STORED | EXTENDED, ZSTD | EXTENDED] {
        let book = Book::new(1, kind).bytes();
        let (pages, skipped) = read_with(book, &Limits::default(), false);
        assert_eq!(pages, PAGES, "{kind}");
        assert_eq!(skipped, 2, "{kind}");
    }
}

#[test]
fn style_sheets_are_read_for_a_site() {
    let (found, skipped) = read_with(Book::new(1, ZSTD).bytes(), &Limits::default(), true);
    assert!(found.contains(&"b.zim!C/s.css a{}".to_owned()), "{found:?}");
    assert_eq!((found.len(), skipped), (4, 1));
}

#[test]
fn charset_of_the_media_type_is_passed_on() {
    let input = Input {
        name: "b.zim".into(),
        reader: Reader::Seekable(Box::new(Cursor::new(Book::new(1, STORED).bytes()))),
        size: None,
        format: None,
        format_of_name: None,
        named: false,
        declarations: Vec::new(),
    };
    let pages = open(input, &Limits::default()).unwrap().into_entities();
    let pages = pages.map(|page| page.map(|page| (page.kind, page.charset)));
    let pages: Result<Vec<_>, _> = pages.collect();
    let page = |charset: Option<&str>| (EntityKind::Html, charset.map(str::to_owned));
    assert_eq!(pages.unwrap(), [page(Some("x")), page(None), page(None)]);
}

#[test]
fn all_content_namespaces_of_the_old_scheme_are_read() {
    let mut book = Book::new(0, STORED);
    for (entry, name) in book
        .entries
        .iter_mut()
        .zip(["A/a", "A/b", "A/d", "I/e.svg", "I/i.png", "I/s"])
    {
        entry.0 = name;
    }
    let (pages, _) = read_with(book.bytes(), &Limits::default(), false);
    assert_eq!(
        pages[..2],
        ["b.zim!A/b <a href=c>", "b.zim!I/e.svg <a href=e>"]
    );
    assert_eq!(pages.len(), 3);
}

#[test]
fn other_versions_are_refused() {
    let mut bytes = Book::new(1, ZSTD).bytes();
    bytes[4] = 7;
    let reason = "is a ZIM file of version 7, and only the versions 5 and 6 are read: \
                  `zimdump dump` may unpack it";
    assert_eq!(read(bytes), [format!("b.zim: {reason}")]);
}

#[test]
fn damaged_cluster_loses_only_its_own_pages() {
    for kind in [XZ, ZSTD] {
        let (mut bytes, places) = Book::new(1, kind).write();
        let start = places.clusters[1] + 1;
        bytes[start..start + 4].fill(0);
        let found = read(bytes);
        assert_eq!(found[0], PAGES[0]);
        assert_eq!(found.len(), 2, "{found:?}");
        let place = format!(
            "b.zim: cluster 1, at byte {}, is damaged: ",
            places.clusters[1]
        );
        assert!(found[1].starts_with(&place), "{found:?}");
        assert!(
            found[1].ends_with(": 2 entries are not read, C/e first"),
            "{found:?}"
        );
    }
}

#[test]
fn cluster_of_unknown_compression_is_named() {
    let (mut bytes, places) = Book::new(1, STORED).write();
    bytes[places.clusters[0]] = 3;
    let error = format!(
        "b.zim: cluster 0, at byte {}, has the compression 3, which is unknown: C/b/c is not read",
        places.clusters[0]
    );
    assert_eq!(read(bytes), [&*error, PAGES[1], PAGES[2]]);
}

#[test]
fn page_cut_off_within_its_cluster_is_read_in_part() {
    let mut book = Book::new(1, STORED);
    book.clusters.swap(0, 1);
    for (_, to) in &mut book.entries {
        if let To::Blob(_, cluster, _) = to {
            *cluster = 1 - *cluster;
        }
    }
    // The offsets say more than there is.
    let (mut bytes, places) = book.write();
    let end = places.clusters[1] + 1 + 4;
    bytes[end..end + 4].copy_from_slice(&1000_u32.to_le_bytes());
    bytes.truncate(places.clusters[1] + 1 + 16 + 5);
    // The lists are gone with what was cut off.
    let at = bytes.len();
    let (whole, _) = book.write();
    bytes.extend(&whole[places.path_list..]);
    let shift = |bytes: &mut [u8], field: usize, place: usize| {
        let moved = (at + place - places.path_list) as u64;
        bytes[field..field + 8].copy_from_slice(&moved.to_le_bytes());
    };
    shift(&mut bytes, 32, places.path_list);
    shift(&mut bytes, 48, places.cluster_list);
    let found = read(bytes);
    assert!(
        found.contains(&"b.zim!C/b/c: cluster 1 is cut off".to_owned()),
        "{found:?}"
    );
    let part = found.last().unwrap();
    assert!(part.starts_with("b.zim!C/b/c <a hr"), "{found:?}");
}

#[test]
fn blob_that_a_cluster_lacks_is_reported_with_its_entry() {
    let mut book = Book::new(1, ZSTD);
    book.entries[0].1 = To::Blob(0, 1, 9);
    let error = "b.zim!C/a: is blob 9 of cluster 1, which has 2: it is not read";
    assert_eq!(read(book.bytes()), [PAGES[0], PAGES[1], error]);
    book.entries[0].1 = To::Blob(0, 9, 0);
    let error = "b.zim: cluster 9 is not in the file: C/a is not read";
    assert_eq!(read(book.bytes()), [PAGES[0], PAGES[1], error]);
}

#[test]
fn offsets_that_descend_are_reported() {
    let (mut bytes, places) = Book::new(1, STORED).write();
    let second = places.clusters[1] + 1 + 4;
    bytes[second..second + 4].copy_from_slice(&2_u32.to_le_bytes());
    let found = read(bytes);
    assert_eq!(
        found[..2],
        [
            PAGES[0],
            "b.zim!C/e: cluster 1 has offsets that do not ascend"
        ]
    );
    assert_eq!(found.len(), 3);
}

#[test]
fn entries_that_share_a_blob_are_all_read() {
    let mut book = Book::new(1, ZSTD);
    book.entries[0].1 = To::Blob(0, 1, 0);
    assert_eq!(
        read(book.bytes()),
        [PAGES[0], "b.zim!C/a <a href=e>", PAGES[1]]
    );
}

#[test]
fn damaged_entries_are_reported_with_their_place() {
    let (mut bytes, places) = Book::new(1, STORED).write();
    let pointer = places.path_list;
    bytes[pointer..pointer + 8].copy_from_slice(&u64::MAX.to_le_bytes());
    let at = u64::MAX;
    let error = format!(
        "b.zim: the directory entry 0, at byte {at}, goes beyond the end of the file: it is not read"
    );
    assert_eq!(read(bytes), [&*error, PAGES[0], PAGES[1]]);

    let (mut bytes, places) = Book::new(1, STORED).write();
    bytes[places.entries[0]] = 4;
    let error = "b.zim!C/a: has the media type 4, which is not listed: it is not read";
    assert_eq!(read(bytes), [error, PAGES[0], PAGES[1]]);
}

#[test]
fn entries_out_of_order_are_reported_and_read() {
    let mut book = Book::new(1, STORED);
    book.entries.swap(0, 1);
    let error = "b.zim: the paths of its entries are not in ascending order, 1 times: readers may not \
                 find C/a";
    assert_eq!(read(book.bytes()), [&[error][..], &PAGES].concat());
}

#[test]
fn count_of_entries_is_bounded_by_the_file() {
    let mut bytes = Book::new(1, STORED).bytes();
    bytes[24..28].fill(0xFF);
    let found = read(bytes);
    assert!(
        found[0].starts_with("b.zim: lists 4294967295 entries, but has room for "),
        "{found:?}"
    );
}

#[test]
fn entries_that_share_their_bytes_are_read_up_to_the_size_of_the_file() {
    let (mut bytes, places) = Book::new(1, STORED).write();
    let count = 10_000_u32;
    let list = bytes.len() as u64;
    bytes.extend(
        (places.entries[0] as u64)
            .to_le_bytes()
            .repeat(count as usize),
    );
    bytes[32..40].copy_from_slice(&list.to_le_bytes());
    bytes[24..28].copy_from_slice(&count.to_le_bytes());
    let found = read(bytes);
    let is_told = |told: &String| told.contains("entries share their bytes with each other");
    assert!(found.iter().any(is_told), "{:?}", &found[..2]);
    assert!(found.len() < 6000, "{}", found.len());
}

#[test]
fn bomb_is_stopped_by_the_ledger() {
    const BLOCK: usize = 128 * 1024;
    let mut book = Book::new(1, STORED);
    let (mut bytes, places) = {
        book.clusters.truncate(1);
        for (_, to) in &mut book.entries {
            if let To::Blob(_, cluster, _) = to {
                *cluster = 0;
            }
        }
        book.write()
    };
    let size = 500 * BLOCK;
    let mut offsets = Vec::new();
    for offset in [12, 12 + size / 2, 12 + size] {
        offsets.extend(word(offset));
    }
    let spaces = std::iter::repeat_n((BLOCK, b" ".to_vec()), 500);
    let blocks: Vec<_> = std::iter::once((offsets.len(), offsets))
        .chain(spaces)
        .collect();
    let start = bytes.len() as u64;
    bytes.push(ZSTD);
    bytes.extend(zstd(&blocks));
    bytes[places.cluster_list..places.cluster_list + 8].copy_from_slice(&start.to_le_bytes());
    let limits = Limits::default().with_inflated(1 << 20);
    let (found, _) = read_with(bytes, &limits, false);
    let is_told = |told: &String| told.contains("expand to too much for their size");
    assert!(found.iter().any(is_told), "{found:.200?}");
    assert!(found.iter().map(String::len).sum::<usize>() < 4 << 20);
}

#[test]
fn every_truncation_is_reported() {
    let whole = Book::new(1, ZSTD).bytes();
    // Without the checksum, which is not verified, nothing is lost.
    for length in 4..whole.len() - 16 {
        let found = read(whole[..length].to_vec());
        let is_error = |told: &&String| !PAGES.contains(&told.as_str());
        assert!(
            found.iter().any(|told| is_error(&told)),
            "{length}: {found:?}"
        );
    }
}

#[test]
fn changed_bytes_do_no_harm() {
    let whole = Book::new(1, XZ).bytes();
    for at in 4..whole.len() {
        for change in [0x01, 0x80, 0xFF] {
            let mut bytes = whole.clone();
            bytes[at] ^= change;
            read(bytes);
        }
    }
}

#[test]
fn kinds_of_errors() {
    let kinds = |bytes: Vec<u8>| {
        let input = Input {
            name: "b.zim".into(),
            reader: Reader::Stream(Box::new(Cursor::new(bytes))),
            size: None,
            format: None,
            format_of_name: None,
            named: true,
            declarations: Vec::new(),
        };
        match open(input, &Limits::default()) {
            Ok(opened) => opened
                .into_entities()
                .filter_map(Result::err)
                .map(|error| error.kind)
                .collect(),
            Err(error) => vec![error.kind],
        }
    };
    let mut bytes = Book::new(1, ZSTD).bytes();
    assert_eq!(kinds(bytes.clone()), []);
    assert_eq!(kinds(bytes[..40].to_vec()), [ReadErrorKind::Damaged]);
    bytes[4] = 4;
    assert_eq!(kinds(bytes), [ReadErrorKind::Format]);
}

/// A page of a fixture, in the cluster of that number.
fn page(path: &'static str, html: &str, cluster: u32) -> (&'static str, String, u32) {
    (path, html.to_owned(), cluster)
}

/// A book with these pages of HTML, each cluster in another compression, and these redirects.
fn site(
    minor: u8,
    pages: &[(&'static str, String, u32)],
    redirects: &[(&'static str, &str)],
) -> Book {
    let kinds = [ZSTD, XZ, STORED | EXTENDED];
    let mut names: Vec<&'static str> = pages.iter().map(|page| page.0).collect();
    names.extend(redirects.iter().map(|redirect| redirect.0));
    names.sort_unstable();
    let count = pages.iter().map(|page| page.2 + 1).max().unwrap_or(0);
    let mut clusters: Vec<_> = kinds
        .into_iter()
        .cycle()
        .take(count as usize)
        .map(|kind| (kind, Vec::new()))
        .collect();
    let entries = names.iter().map(|name| {
        if let Some((_, to)) = redirects.iter().find(|redirect| redirect.0 == *name) {
            let to = names.iter().position(|name| name == to).unwrap_or(9999);
            return (*name, To::Redirect(u32::try_from(to).unwrap()));
        }
        let (_, html, cluster) = pages.iter().find(|page| page.0 == *name).unwrap();
        let media = match name.rsplit_once('.') {
            Some((_, "css")) => 2,
            Some((_, "png" | "js")) => 1,
            _ => 0,
        };
        let blobs = &mut clusters[*cluster as usize].1;
        blobs.push(html.as_bytes().to_vec());
        (
            *name,
            To::Blob(media, *cluster, u32::try_from(blobs.len() - 1).unwrap()),
        )
    });
    let entries = entries.collect();
    Book {
        minor,
        entries,
        clusters,
        ..Book::new(minor, STORED)
    }
}

/// The fixtures of the audit, by their names.
fn fixtures() -> Vec<(&'static str, Vec<u8>)> {
    let mut book = site(
        1,
        &[
            page(
                "C/birds/crow",
                "<title>Crow</title>\n<link rel=stylesheet href=../_res_/style.css>\n\
                <p id=nest><a href=\"Rook\">Rook</a> <a href=rook#beak>no such anchor</a>\n\
                <a href=\"rook?print#head\">queries choose no entry</a> <a href=what%3Fbird>escaped</a>\n\
                <a href=gull>missing</a> <a href=rook/>with a slash</a> <a href=../A/front>old</a>\n\
                <a href=/birds/rook>from the root</a> <a href=../../other/rook>another book</a>\n\
                <a href=jackdaw>redirect</a> <a href=jackdaw#head>its anchor</a> <a href=owl>circle</a>\n\
                <a href=dodo>gone</a> <a href=Talk:crow>no entry</a> <a href=https://example.org/>web</a>\n\
                <a href=../>main page</a> <!-- <a href=comment> -->",
                0,
            ),
            page(
                "C/birds/rook",
                "<title>Rook</title><h1 id=head>Rook</h1>",
                1,
            ),
            page("C/birds/what?bird", "<title>?</title>", 2),
            page(
                "C/front",
                "<title>Front</title><base href=birds/><a href=crow#nest>Crow</a>\n\
                <img srcset=\"crow.png, gull.png 2x\">",
                2,
            ),
            page("C/birds/crow.png", "png", 2),
            page(
                "C/_res_/style.css",
                "body { background: url(paper.png) }",
                1,
            ),
        ],
        &[
            ("C/birds/jackdaw", "C/birds/rook"),
            ("C/birds/owl", "C/birds/owlet"),
            ("C/birds/owlet", "C/birds/owl"),
            ("C/birds/dodo", "C/birds/none"),
        ],
    );
    let front = book.entries.iter().position(|(name, _)| *name == "C/front");
    book.main_page = u32::try_from(front.unwrap()).unwrap();
    let mut damaged = site(
        1,
        &[
            page("C/a", "<a href=b>b</a> <a href=c>c</a>", 0),
            page("C/b", "<a href=a>a</a>", 1),
            page("C/c", "<a href=a>a</a> <a href=d>d</a>", 2),
        ],
        &[],
    );
    damaged.clusters[1].0 = 3;
    let old = site(
        0,
        &[
            page(
                "A/a",
                "<a href=b>b</a> <a href=../I/i.png>i</a> <a href=../I/j.png>j</a>",
                0,
            ),
            page("A/b", "<link rel=stylesheet href=../-/s.css>", 0),
            page("-/s.css", "", 1),
            page("I/i.png", "png", 1),
        ],
        &[],
    );
    let worker = site(
        1,
        &[
            page("C/A/sw.js", "worker", 0),
            page(
                "C/A/x.example/",
                "<a href=/about>x</a> <a href=gone>x</a> <img src=a.png>",
                0,
            ),
            page("C/H/x.example/", "HTTP/1.1 200 OK", 0),
        ],
        &[],
    );
    let wombat = site(
        1,
        &[
            page("C/_zim_static/wombat.js", "script", 0),
            page(
                "C/x.example/",
                "<a href=/about>x</a> <a href=about>x</a> <a href=gone>x</a>",
                0,
            ),
            page("C/x.example/about", "<p>", 0),
        ],
        &[],
    );
    vec![
        ("book.zim", book.bytes()),
        ("damaged-cluster.zim", damaged.bytes()),
        ("old-namespaces.zim", old.bytes()),
        ("rewritten-by-a-worker.zim", worker.bytes()),
        ("rewritten-by-wombat.zim", wombat.bytes()),
    ]
}

/// The folder of the fixtures.
fn folder() -> std::path::PathBuf {
    std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/zim")
}

#[test]
fn fixtures_are_what_the_writer_makes() {
    for (name, bytes) in fixtures() {
        let stored = std::fs::read(folder().join(name)).unwrap_or_default();
        let renew =
            "cargo test -p baseref-container --features archives -- --ignored write_fixtures";
        assert!(stored == bytes, "{name} differs; `{renew}` writes it anew");
    }
}

#[test]
#[ignore = "writes the fixtures"]
fn write_fixtures() {
    for (name, bytes) in fixtures() {
        std::fs::write(folder().join(name), bytes).unwrap();
    }
}
