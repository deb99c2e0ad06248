//! Audits a message or mailbox with all rules on mail, and with domains that its links must not look
//! like: no panic, findings are in place, messages are lines of text, and the same is found by two
//! threads that pass each message on as soon as it is read.
//!
//! The first byte selects the format; the message follows.
#![no_main]

use std::fs;
use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::Arc;

use baseref_audit::run::{AuditRequest, Plan};
use baseref_container::Format;
use baseref_document::link_places::Classes;
use baseref_findings::{
    Config, Finding, FindingSink, MessageSummary, PageName, Shown, SinkError, Summary,
};
use libfuzzer_sys::fuzz_target;

const FORMATS: [Option<Format>; 6] = [
    Some(Format::Eml),
    Some(Format::Mbox),
    Some(Format::Emlx),
    Some(Format::Msg),
    Some(Format::Tnef),
    None,
];

#[derive(Default)]
struct Taken {
    links: u64,
    findings: Vec<String>,
    letters: Vec<MessageSummary>,
}

impl FindingSink for Taken {
    fn shown(&self) -> Shown {
        Shown {
            message_summaries: true,
            ..Shown::default()
        }
    }

    fn document(&mut self, _: &PageName, links: u64, found: Vec<Finding>) -> Result<(), SinkError> {
        self.links += links;
        self.findings(found)
    }

    fn message_summary(&mut self, letter: &MessageSummary) {
        for link in &letter.links {
            assert!(!link.text.contains('\n'), "{link:?}");
        }
        self.letters.push(letter.clone());
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

fn planned(path: &Path, format: Option<Format>) -> Plan {
    let request = AuditRequest {
        paths: vec![path.to_owned()],
        format,
        links: Some(Classes::ALL),
        protected: ["paypal.com", "bank.example", "muenchen.de", "a.co"]
            .map(str::to_owned)
            .to_vec(),
        with_links: true,
        ..AuditRequest::default()
    };
    Plan::new(request, &Config::default(), &Arc::default()).expect("a file")
}

/// What a run gives, or why it gives nothing: it refuses to check a file without a document.
type Ran = (Result<Summary, String>, Taken);

fn in_turn(planned: Plan) -> Ran {
    let mut taken = Taken::default();
    let jobs = NonZeroUsize::new(2).expect("not zero");
    let audited = planned.run_streaming(jobs, &mut taken);
    let summary = audited.map(|audited| audited.summary);
    (summary.map_err(|error| error.to_string()), taken)
}

fn at_the_end(planned: Plan) -> Ran {
    let mut taken = Taken::default();
    let audited = planned.run(NonZeroUsize::MIN, &mut taken);
    let summary = audited.map(|audited| audited.summary);
    (summary.map_err(|error| error.to_string()), taken)
}

fuzz_target!(|data: &[u8]| {
    let Some((&choice, bytes)) = data.split_first() else {
        return;
    };
    let format = FORMATS[usize::from(choice) % FORMATS.len()];
    let path = std::env::temp_dir().join(format!("baseref-fuzz-{}.eml", std::process::id()));
    fs::write(&path, bytes).expect("a file for the message");
    let (summary, taken) = at_the_end(planned(&path, format));
    if let Ok(summary) = &summary {
        assert!(taken.links <= summary.links());
    }
    let (again, taken_again) = in_turn(planned(&path, format));
    assert_eq!(summary, again);
    assert_eq!(taken.findings, taken_again.findings);
    assert_eq!(taken.letters, taken_again.letters);
});
