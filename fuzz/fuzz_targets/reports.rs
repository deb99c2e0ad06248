//! Writes the findings about a hostile page in every format: no panic, JSON parses, XML is
//! well-formed, and no control character gets into a text.
#![no_main]

use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};

use baseref_audit::Audit;
use baseref_audit::rules;
use baseref_container::Entity;
use baseref_document::ReadOptions;
use baseref_document::{Origin, Skipped};
use baseref_evidence::captures::Builder;
use baseref_findings::{Excerpts, Finding, Summary};
use baseref_reader::base::Policy;
use baseref_report::findings::{Format, Head, Options, Report};
use baseref_site::hosting::Hosting;
use baseref_site::listing::{Directories, Listed, NodeKind, Tree};
use baseref_site::map::{Address, SiteMap};
use libfuzzer_sys::fuzz_target;

/// A directory whose only file has a name of the fuzzer's.
struct Made(OsString);

impl Directories for Made {
    fn list(&self, _: &Path) -> io::Result<Vec<Listed>> {
        Ok(vec![Listed {
            name: self.0.clone(),
            kind: NodeKind::File,
            inode: None,
        }])
    }

    fn canonical(&self, root: &Path) -> io::Result<PathBuf> {
        Ok(root.to_owned())
    }
}

fuzz_target!(|data: &[u8]| {
    // The first line names the page.
    let at = data.iter().position(|byte| *byte == b'\n');
    let (name, page) = data.split_at(at.unwrap_or(0));
    let name = String::from_utf8_lossy(name).replace(['/', '\0'], "_");
    if name.is_empty() || name == "." || name == ".." {
        return;
    }
    let root = Path::new("/no/such/directory");
    let tree = Tree::read(root, &Made(name.clone().into())).expect("a tree");
    let mut map = SiteMap::new();
    map.add(tree, &Address::Url("http://h/".to_owned()))
        .expect("an address");
    let audit = Audit::new(
        map,
        Hosting::default(),
        Policy::default(),
        ReadOptions::default(),
    );
    let origin = Origin::new(root.join(&name).to_string_lossy());
    let mut captures = Builder::default();
    let entity = Entity::html(origin, page.to_vec());
    let scans = audit
        .scan(entity, &mut captures, &mut Skipped::default())
        .into_iter();
    let mut scans: Vec<_> = scans.flatten().collect();
    let mut judge = audit.judge(Excerpts::All, captures, scans.iter_mut());
    let judged: Vec<_> = scans.into_iter().map(|scan| judge.judge(scan)).collect();
    for format in Format::ALL {
        let head = Head {
            command: "audit",
            rules: rules::ALL.to_vec(),
            ..Head::default()
        };
        let options = Options {
            level: baseref_findings::Level::Note,
            ..Options::default()
        };
        let mut report = Report::new(format, head, options);
        let mut out = Vec::new();
        report.begin(&mut out);
        for page in &judged {
            let mut findings: Vec<Finding> = page.findings.clone();
            Finding::sort(&mut findings);
            report.document(&page.page, page.counts.judged(), &findings, &mut out);
        }
        report
            .end(&Summary::default(), &mut out)
            .expect("a Vec takes every write");
        check(format, &out);
    }
});

fn check(format: Format, out: &[u8]) {
    let text = std::str::from_utf8(out).expect("UTF-8");
    match format {
        Format::Jsonl => {
            for line in text.lines() {
                serde_json::from_str::<serde_json::Value>(line).expect("a line of JSON");
            }
        }
        Format::Sarif => {
            serde_json::from_str::<serde_json::Value>(text).expect("JSON");
        }
        Format::Junit => {
            let mut reader = quick_xml::Reader::from_str(text);
            reader.config_mut().check_end_names = true;
            while !matches!(
                reader.read_event().expect("well-formed XML"),
                quick_xml::events::Event::Eof
            ) {}
        }
        Format::Csv => {
            let mut reader = csv::Reader::from_reader(out);
            assert!(
                reader.records().all(|row| row.is_ok()),
                "rows of one length"
            );
        }
        Format::Text => {
            let is_sent = |c: char| c.is_control() && c != '\n';
            assert!(!text.contains(is_sent), "{text:?}");
        }
        Format::Github | Format::Markdown | Format::Html => {}
    }
}
