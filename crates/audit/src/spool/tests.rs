//! Pages of an archive, judged from memory and from disk.

use super::*;
use crate::{Audit, Judge, Judged, rules};
use baseref_container::Entity;
use baseref_document::{Capture, CaptureKind, Declaration, Origin, Place, ReadOptions, Retrieval};
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
    let mut entity = Entity::html(Origin::of_input("a.warc"), html.as_bytes().to_vec());
    entity.declarations = vec![Declaration {
        value: url.into(),
        at: Place::Retrieval(Retrieval::Url),
    }];
    entity.capture = Some(Box::new(Capture {
        kind: CaptureKind::Response,
        ..Capture::of_page(url, date)
    }));
    entity
}

/// Scans pages, of which those beyond so many bytes are on disk, changes what is kept of them, and
/// judges them.
fn judged(room: usize, change: impl Fn(usize, &mut StoredScan)) -> Vec<Judged> {
    let read = ReadOptions::default();
    let mut audit = Audit::new(SiteMap::new(), Hosting::default(), Policy::default(), read);
    audit.spool = Spool::with_room(room);
    let (mut kept, mut captures) = (Vec::new(), Builder::default());
    for page in PAGES {
        audit.scan(entity(page), &mut captures, &mut |scan| {
            kept.push(scan.expect("it can be read"));
        });
    }
    for (number, kept) in kept.iter_mut().enumerate() {
        change(number, kept);
    }
    let mut judge: Judge<'_> = audit.judge(Excerpts::None, captures, kept.iter_mut());
    kept.into_iter().map(|kept| judge.judge(kept)).collect()
}

type Condition = fn(&Finding) -> bool;

fn is_on_disk(kept: &StoredScan) -> bool {
    matches!(kept.0, Stored::OnDisk(_))
}

/// All that outputs show of a document.
fn told(judged: &Judged) -> String {
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
fn pages_on_disk_are_judged_like_those_in_memory() {
    let all =
        |is_wanted: bool| move |_, kept: &mut StoredScan| assert_eq!(is_on_disk(kept), is_wanted);
    let here = judged(usize::MAX, all(false));
    let on_disk = judged(0, all(true));
    let findings = here.iter().flat_map(|judged| &judged.findings);
    let findings: Vec<&Finding> = findings.collect();
    // There is something of all that is written.
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
        assert_eq!(told(here), told(on_disk));
    }
}

#[test]
fn it_makes_no_difference_which_pages_are_on_disk() {
    let here = judged(usize::MAX, |_, _| {});
    for room in (0..12_000).step_by(1_500) {
        let some = judged(room, |_, _| {});
        let here = here.iter().map(told);
        assert!(here.eq(some.iter().map(told)), "{room} bytes");
    }
}

/// The rules of unreadable documents, by the URL of the page.
fn unreadable(judged: &[Judged]) -> Vec<(&str, &str)> {
    let findings = judged.iter().flat_map(|judged| &judged.findings);
    let lost = findings.filter(|finding| finding.rule == &rules::doc::unreadable::RULE);
    let told = lost.map(|finding| (finding.page.url.as_deref().unwrap_or(""), &*finding.message));
    told.collect()
}

#[test]
fn a_page_that_cannot_be_read_back_is_a_finding_and_the_others_are_judged() {
    let judged = judged(0, |number, kept| {
        if let (1, Stored::OnDisk(stowed)) = (number, &mut kept.0) {
            stowed.start += 1 << 40;
            stowed.names = 0;
        }
    });
    let [(url, message)] = unreadable(&judged)[..] else {
        panic!("{:?}", unreadable(&judged));
    };
    assert_eq!(url, "https://x.example/b");
    assert!(
        message.starts_with("its links cannot be read back"),
        "{message}"
    );
    assert_eq!(judged.len(), PAGES.len() + 1);
}

#[test]
fn names_that_cannot_be_read_back_are_a_finding_of_the_page_that_asks() {
    let judged = judged(0, |number, kept| {
        if let (1, Stored::OnDisk(stowed)) = (number, &mut kept.0) {
            // They would be behind all that there is.
            stowed.names = u32::MAX;
        }
    });
    let urls = unreadable(&judged).into_iter().map(|(url, _)| url);
    let urls: Vec<_> = urls.collect();
    assert_eq!(urls, ["https://x.example/a", "https://x.example/c/"]);
}

#[test]
fn the_names_of_a_document_on_disk_are_read_whatever_their_length() {
    let read = ReadOptions::default();
    let mut audit = Audit::new(SiteMap::new(), Hosting::default(), Policy::default(), read);
    audit.spool = Spool::with_room(0);
    let long = format!("https://x.example/{}", "long".repeat(NAMES as usize));
    for url in ["https://x.example/a", &long] {
        let mut kept = Vec::new();
        audit.scan(entity((url, "")), &mut Builder::default(), &mut |scan| {
            kept.push(scan.expect("it can be read"));
        });
        assert!(is_on_disk(&kept[0]));
        let page = audit.page_of(&kept[0]).expect("it is on disk");
        assert_eq!(page.url.as_deref(), Some(url));
        let scan = audit.spool.take(kept.remove(0)).expect("it is on disk");
        assert_eq!(scan.name, page);
    }
}
