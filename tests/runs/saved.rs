//! Every page in `fixtures/saved` has the marks that its first comment claims.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;

use baseref_container::Entity;
use baseref_document::ReadOptions;
use baseref_document::link_places::Classes;
use baseref_document::{Origin, Place};
use baseref_reader::base::Policy;
use baseref_reader::base::Verdict;
use baseref_reader::links::DocumentLinks;
use baseref_reader::read::documents;

/// The claim of a page: `name: value` lines of its first comment, except the source.
fn claim(page: &str) -> Vec<String> {
    let (comment, _) = page
        .strip_prefix("<!-- ")
        .and_then(|rest| rest.split_once(" -->"))
        .expect("a fixture begins with its claim");
    let lines = comment.lines().map(str::to_owned);
    lines.filter(|line| !line.starts_with("Source: ")).collect()
}

/// The same lines for what is found.
fn found(extraction: &DocumentLinks<'_>) -> Vec<String> {
    let established = extraction.base_report();
    let mut lines = vec![format!(
        "base: {}",
        extraction.base().url.as_deref().unwrap_or("-")
    )];
    if let Some(at) = &extraction.base().at {
        lines.push(format!("at: {at}"));
    }
    for candidate in &established.candidates {
        let verdict = candidate.verdict.as_str();
        lines.push(format!("candidate: {}: {verdict}", candidate.at));
    }
    for note in &established.notes {
        lines.push(format!("note: {}", note.code().as_str()));
    }
    extraction.for_each_link(|link| {
        let url = link.url.unwrap_or_else(|error| error.as_str());
        let slot = link.reference.slot;
        if slot.element != "base" && slot.attr != "content" {
            lines.push(format!("link: {}: {url}", link.reference.value));
        }
    });
    lines
}

/// Passes the results for a page to `visit`.
fn read(page: &str, marks: bool, visit: &mut dyn FnMut(&DocumentLinks<'_>)) {
    let entity = Entity::html(Origin::new("page"), page.as_bytes().to_vec());
    let options = ReadOptions::default()
        .with_classes(Classes::ALL)
        .with_marks(true);
    let policy = Policy::default().with_marks(marks);
    documents(
        entity,
        &options,
        &mut |document: baseref_document::ReadResult| {
            let document = document.expect("a fixture can be read");
            policy.resolve(&document).documents().for_each(&mut *visit);
        },
    );
}

/// The pages, by name.
fn pages() -> Vec<(String, String)> {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/saved");
    let mut pages = Vec::new();
    for entry in fs::read_dir(directory).expect("the folder is read") {
        let path = entry.expect("the folder is read").path();
        if path
            .extension()
            .is_some_and(|extension| extension == "html")
        {
            let name = path
                .file_stem()
                .unwrap_or_default()
                .to_string_lossy()
                .into_owned();
            pages.push((name, fs::read_to_string(&path).expect("the file is read")));
        }
    }
    assert_eq!(pages.len(), 16, "a page was added or lost: count it here");
    pages
}

#[test]
fn origin_of_each_page() {
    for (name, page) in pages() {
        let mut lines = Vec::new();
        read(&page, true, &mut |extraction| lines = found(extraction));
        assert_eq!(lines, claim(&page), "{name}");
    }
}

#[test]
fn disabled_mark_gives_no_base() {
    let mut verdicts = BTreeSet::new();
    for (name, page) in pages() {
        read(&page, false, &mut |extraction| {
            let base = extraction.base();
            assert!(
                base.at.is_none() || matches!(base.at, Some(Place::Element(_))),
                "{name}"
            );
            for candidate in &extraction.base_report().candidates {
                if candidate.source.as_str() == "retrieval" {
                    assert_eq!(candidate.verdict, Verdict::OriginOff, "{name}");
                    verdicts.insert(
                        candidate
                            .at
                            .to_string()
                            .split(" line")
                            .next()
                            .unwrap()
                            .to_owned(),
                    );
                }
            }
        });
    }
    let listed: Vec<&str> = verdicts.iter().map(String::as_str).collect();
    let all = [
        "HTTrack",
        "SingleFile",
        "data-scrapbook-source",
        "monolith",
        "saved from url",
    ];
    assert_eq!(listed, all);
}

/// A page in a directory of its own, with a mark beside it.
fn page_beside(name: &str) -> std::path::PathBuf {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::create_dir_all(&directory).expect("the folder is made");
    let page = directory.join("page.html");
    fs::write(&page, "<a href=y>y</a>").expect("the file is written");
    page
}

/// The output of `baseref` for a file.
fn printed(arguments: &[&str], file: &Path) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_baseref"))
        .args(arguments)
        .arg(file)
        .output()
        .expect("the program starts");
    String::from_utf8(output.stdout).expect("output is UTF-8")
}

#[test]
fn zone_identifier_file() {
    let page = page_beside("zone-identifier");
    let stream = page.with_file_name("page.html:Zone.Identifier");
    let zone = "[ZoneTransfer]\r\nZoneId=3\r\nHostUrl=http://a.example/d/page\r\n";
    fs::write(stream, zone).unwrap();
    let links = |arguments: &[&str]| printed(&[&["links"], arguments].concat(), &page);
    assert_eq!(links(&["--saved-from", "auto"]), "http://a.example/d/y\n");
    assert_eq!(links(&[]), "");
    let url = ["--saved-from", "auto", "-u", "http://b.example/"];
    assert_eq!(links(&url), "http://b.example/y\n");
    let base = printed(&["base", "-f", "jsonl"], &page);
    let candidate = r#""at":"Zone.Identifier","value":"http://a.example/d/page","url":"http://a.example/d/page","verdict":"origin-off""#;
    assert!(base.contains(candidate), "{base}");
}

#[cfg(unix)]
#[test]
fn extended_attribute_of_one_document() {
    let page = page_beside("origin-url");
    let mailbox = page.with_file_name("box.mbox");
    let mail = "From a@b Fri Jan 27 10:00:00 2017\nContent-Type: text/html\n\n<a href=y>y</a>\n";
    fs::write(&mailbox, mail).unwrap();
    for file in [&page, &mailbox] {
        xattr::set(file, "user.xdg.origin.url", b"http://a.example/d/page")
            .expect("the file system under the target directory keeps extended attributes");
    }
    let links = |file| printed(&["links", "--saved-from", "auto"], file);
    assert_eq!(links(&page), "http://a.example/d/y\n");
    assert_eq!(links(&mailbox), "");
    assert!(printed(&["base"], &page).contains("user.xdg.origin.url"));
}
