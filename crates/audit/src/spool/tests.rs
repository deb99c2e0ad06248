//! Pages of an archive, judged from memory and from disk.

use std::io::Cursor;

use super::*;
use crate::{Audit, Judge, JudgedDocument, rules};
use baseref_container::{Entity, Input, Reader, open_site};
use baseref_document::{
    Capture, CaptureKind, Declaration, Limits, Origin, Place, ReadOptions, Retrieval, Skipped,
};
use baseref_evidence::captures::Builder;
use baseref_findings::{Excerpts, Finding, Urls};
use baseref_reader::base::Policy;
use baseref_site::hosting::Hosting;
use baseref_site::map::SiteMap;

const PAGES: [(&str, &str); 6] = [
    (
        "https://x.example/a",
        "<p id=s><p id=dup><a href=b#s>b</a><a href=b#gone>b</a><p id=dup>",
    ),
    (
        "https://x.example/b",
        "<meta charset=windows-1252><base href=\"/c/;p?q#f\"><p id=s><p id=user-content-u>\
         <a href=\"?x\">x</a><img src=\"http:b.png\"><a href=\"ht tp://[\">no URL</a>",
    ),
    (
        "https://x.example/c/",
        "<script src=//cdn.example/a.js></script><a href=../b#u>u</a><a href=http://127.0.0.1/>own</a>\
         <iframe srcdoc=\"<p id=in><a href=#in>in</a><a href=../a#dup>dup</a><a href=#out>out</a>\">\
         </iframe><a href=../a#s>s</a>",
    ),
    (
        "https://x.example/d",
        "<base href=http://y.example/e><a href=e>e</a><a href=#f>f</a>",
    ),
    (
        "https://y.example/e",
        "<link rel=stylesheet href=gone.css><a href=https://x.example/gone>g</a>",
    ),
    (
        "https://y.example/f",
        "<ol><li id=L1><li id=L9></ol><a href=#L1-L9>1</a><a href=f#L1-L8>2</a>",
    ),
];

fn entity((url, html): (&str, &str)) -> Entity {
    let date = Some("2024-03-01T10:00:00Z");
    let mut entity = Entity::html(Origin::new("a.warc"), html.as_bytes().to_vec());
    entity.declarations = vec![Declaration::new(url, Place::Retrieval(Retrieval::Url))];
    entity.capture = Some(Box::new(Capture {
        kind: CaptureKind::Response,
        ..Capture::from_page(url, date)
    }));
    entity
}

/// Scans pages, with at most `room` bytes in memory, changes the stored scans, and judges them.
fn judged(room: usize, change: impl Fn(usize, &mut StoredScan)) -> Vec<JudgedDocument> {
    let read = ReadOptions::default();
    let mut audit = Audit::new(SiteMap::new(), Hosting::default(), Policy::default(), read);
    audit.spool = Spool::with_room(room);
    let (mut stored, mut captures) = (Vec::new(), Builder::default());
    for page in PAGES {
        let found = audit
            .scan(entity(page), &mut captures, &mut Skipped::default())
            .into_iter();
        stored.extend(found.map(|scan| scan.expect("the page can be read")));
    }
    for (number, stored) in stored.iter_mut().enumerate() {
        change(number, stored);
    }
    let mut judge: Judge<'_> = audit.judge(Excerpts::None, captures, stored.iter_mut());
    stored
        .into_iter()
        .map(|stored| judge.judge(stored))
        .collect()
}

type Condition = fn(&Finding) -> bool;

fn is_on_disk(stored: &StoredScan) -> bool {
    matches!(stored.0, ScanStorage::OnDisk(_))
}

/// The fields of a document that outputs show.
fn output(judged: &JudgedDocument) -> String {
    let lines = judged.findings.iter().map(|finding| {
        let mut shown = finding.clone();
        shown.line = None;
        format!("{shown:#?} {:?}", finding.excerpt())
    });
    let lines: Vec<String> = lines.collect();
    format!(
        "{:?} {:?}\n{}",
        judged.page,
        judged.counts,
        lines.join("\n")
    )
}

#[test]
fn judging_from_disk_and_from_memory() {
    let all = |is_wanted: bool| {
        move |_, stored: &mut StoredScan| assert_eq!(is_on_disk(stored), is_wanted)
    };
    let here = judged(usize::MAX, all(false));
    let on_disk = judged(0, all(true));
    let findings = here.iter().flat_map(|judged| &judged.findings);
    let findings: Vec<&Finding> = findings.collect();
    // Every stored field occurs.
    let known: [(&str, Condition); 6] = [
        ("repeated", |finding| {
            finding.rule == &rules::doc::duplicate_id::RULE
        }),
        ("lost", |finding| {
            finding.rule == &rules::target::missing_fragment::RULE
        }),
        ("urls", |finding| matches!(finding.urls, Urls::Each(_))),
        ("level", |finding| finding.level != finding.rule.level),
        ("line", |finding| finding.excerpt().is_some()),
        ("no URL", |finding| finding.url.is_none()),
    ];
    for (name, is_there) in known {
        assert!(findings.iter().any(|finding| is_there(finding)), "{name}");
    }
    assert_eq!(here.len(), on_disk.len());
    for (here, on_disk) in here.iter().zip(&on_disk) {
        assert_eq!(output(here), output(on_disk));
    }
}

#[test]
fn judging_from_any_split() {
    let here = judged(usize::MAX, |_, _| {});
    for room in (0..12_000).step_by(1_500) {
        let some = judged(room, |_, _| {});
        let here = here.iter().map(output);
        assert!(here.eq(some.iter().map(output)), "{room} bytes");
    }
}

/// Judges the entries of a ZIM file, with at most `room` bytes of scans in memory.
fn judged_book(room: usize) -> (Vec<JudgedDocument>, bool) {
    let bytes = include_bytes!("../../../../fixtures/zim/book.zim");
    let input = Input {
        name: "book.zim".into(),
        reader: Reader::Seekable(Box::new(Cursor::new(bytes))),
        size: None,
        format: None,
        format_of_name: None,
        named: true,
        declarations: Vec::new(),
    };
    let read = ReadOptions::default();
    let mut audit = Audit::new(SiteMap::new(), Hosting::default(), Policy::default(), read);
    audit.spool = Spool::with_room(room);
    let (mut stored, mut captures) = (Vec::new(), Builder::default());
    let book = open_site(input, &Limits::default(), &Vec::new).expect("the file is a book");
    for entity in book.into_entities() {
        let entity = entity.expect("the entry can be read");
        let found = audit.scan(entity, &mut captures, &mut Skipped::default());
        let found = found.into_iter();
        stored.extend(found.map(|scan| scan.expect("the page can be read")));
    }
    let is_on_disk = stored.iter().all(is_on_disk);
    let mut judge: Judge<'_> = audit.judge(Excerpts::None, captures, stored.iter_mut());
    let judged = stored.into_iter().map(|stored| judge.judge(stored));
    (judged.collect(), is_on_disk)
}

#[test]
fn entries_of_a_book_from_disk_and_from_memory() {
    let (here, is_on_disk) = judged_book(usize::MAX);
    assert!(!is_on_disk);
    let (there, is_on_disk) = judged_book(0);
    assert!(is_on_disk);
    assert!(here.iter().map(output).eq(there.iter().map(output)));
    let findings = here.iter().flat_map(|judged| &judged.findings);
    let lost = findings.filter(|finding| finding.rule == &rules::target::missing_fragment::RULE);
    let lost: Vec<_> = lost.map(|finding| &*finding.raw).collect();
    assert_eq!(lost, ["rook#beak"]);
}

/// The rules of unreadable documents, by the URL of the page.
fn unreadable(judged: &[JudgedDocument]) -> Vec<(&str, &str)> {
    let findings = judged.iter().flat_map(|judged| &judged.findings);
    let lost = findings.filter(|finding| finding.rule == &rules::doc::unreadable::RULE);
    let told = lost.map(|finding| (finding.page.url.as_deref().unwrap_or(""), &*finding.message));
    told.collect()
}

#[test]
fn unreadable_scan_is_a_finding() {
    let judged = judged(0, |number, stored| {
        if let (1, ScanStorage::OnDisk(on_disk)) = (number, &mut stored.0) {
            on_disk.start += 1 << 40;
            on_disk.names = 0;
        }
    });
    let [(url, message)] = unreadable(&judged)[..] else {
        panic!("{:?}", unreadable(&judged));
    };
    assert_eq!(url, "https://x.example/b");
    assert!(
        message.starts_with("its links could not be read back"),
        "{message}"
    );
    assert_eq!(judged.len(), PAGES.len() + 1);
}

#[test]
fn unreadable_ids_are_a_finding_of_the_linking_page() {
    let judged = judged(0, |number, stored| {
        if let (1, ScanStorage::OnDisk(on_disk)) = (number, &mut stored.0) {
            // The ids would lie beyond the end of the file.
            on_disk.names = u32::MAX;
        }
    });
    let urls = unreadable(&judged).into_iter().map(|(url, _)| url);
    let urls: Vec<_> = urls.collect();
    assert_eq!(urls, ["https://x.example/a", "https://x.example/c/"]);
}

#[test]
fn long_document_names_on_disk() {
    let read = ReadOptions::default();
    let mut audit = Audit::new(SiteMap::new(), Hosting::default(), Policy::default(), read);
    audit.spool = Spool::with_room(0);
    let long = format!("https://x.example/{}", "long".repeat(NAMES as usize));
    for url in ["https://x.example/a", &long] {
        let mut stored = Vec::new();
        let found = audit.scan(
            entity((url, "")),
            &mut Builder::default(),
            &mut Skipped::default(),
        );
        stored.extend(
            found
                .into_iter()
                .map(|scan| scan.expect("the page can be read")),
        );
        assert!(is_on_disk(&stored[0]));
        let page = audit.page_of(&stored[0]).expect("the scan is on disk");
        assert_eq!(page.url.as_deref(), Some(url));
        let scan = audit
            .spool
            .take(stored.remove(0))
            .expect("the scan is on disk");
        assert_eq!(scan.name, page);
    }
}
