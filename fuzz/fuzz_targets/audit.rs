//! Audits a small tree on disk: no panic, links are in classes, findings are in documents that were
//! read, and a second run finds the same.
//!
//! The input is the files of the tree, each ended by a zero byte: `a.html`, `b/index.html`,
//! `b/c.htm`, `d.svg` and `e.css`.
#![no_main]

use std::fs;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::Arc;

use baseref_audit::run::{AuditRequest, Plan};
use baseref_findings::{Config, Excerpts, Finding, FindingSink, PageName, SinkError, Summary};
use libfuzzer_sys::fuzz_target;

const NAMES: [&str; 5] = ["a.html", "b/index.html", "b/c.htm", "d.svg", "e.css"];

#[derive(Default)]
struct Taken {
    links: u64,
    findings: Vec<String>,
}

impl FindingSink for Taken {
    fn excerpts(&self) -> Excerpts {
        Excerpts::All
    }

    fn document(&mut self, _: &PageName, links: u64, found: Vec<Finding>) -> Result<(), SinkError> {
        self.links += links;
        self.findings(found)
    }

    fn findings(&mut self, findings: Vec<Finding>) -> Result<(), SinkError> {
        for finding in &findings {
            if let Some(at) = &finding.at {
                assert!(at.byte.start <= at.byte.end, "{finding:?}");
            }
            assert!(!finding.message.contains('\n'), "{finding:?}");
        }
        self.findings
            .extend(findings.iter().map(|finding| format!("{finding:?}")));
        Ok(())
    }
}

fn audit(root: &PathBuf, jobs: usize) -> (Summary, Taken) {
    let request = AuditRequest {
        paths: vec![root.clone()],
        ..AuditRequest::default()
    };
    let planned = Plan::new(request, &Config::default(), &Arc::default()).expect("a directory");
    let mut taken = Taken::default();
    let jobs = NonZeroUsize::new(jobs).expect("not zero");
    let audited = planned
        .run(jobs, &mut taken)
        .expect("no output is an input");
    (audited.summary, taken)
}

fuzz_target!(|data: &[u8]| {
    let root = std::env::temp_dir().join(format!("baseref-fuzz-{}", std::process::id()));
    fs::create_dir_all(root.join("b")).expect("a directory for the tree");
    let mut parts = data.splitn(NAMES.len(), |byte| *byte == 0);
    for name in NAMES {
        let bytes = parts.next().unwrap_or_default();
        fs::write(root.join(name), bytes).expect("a file of the tree");
    }
    let (summary, taken) = audit(&root, 1);
    assert!(taken.links <= summary.links());
    let (again, taken_again) = audit(&root, 2);
    assert_eq!(summary, again);
    assert_eq!(taken.findings, taken_again.findings);
});
