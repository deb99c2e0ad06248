//! `JUnit` XML: a suite per document, a failure for each finding that makes the command fail, and a
//! passed case for each document without one.

use std::fmt::Write as _; // for `write!`: a String takes every write
use std::io::{self, Write};

use super::words;
use super::writer::{Head, Options, Writer};
use crate::xml::{attribute, text};
use baseref_findings::{Finding, PageName, Summary};

pub(super) struct Junit {
    command: &'static str,
    options: Options,
    /// The suites written so far, and the cases of the current one.
    suites: String,
    suite: Option<Suite>,
    total: Numbers,
}

/// The suite of the current document.
struct Suite {
    name: String,
    /// Where its cases begin.
    start: usize,
    numbers: Numbers,
}

#[derive(Clone, Copy, Default)]
struct Numbers {
    tests: u64,
    failures: u64,
    skipped: u64,
}

impl Junit {
    pub(super) fn new(head: &Head, options: Options) -> Self {
        Self {
            command: head.command,
            options,
            suites: String::new(),
            suite: None,
            total: Numbers::default(),
        }
    }

    /// Begins the suite of a document, unless it has begun.
    fn enter(&mut self, doc: &str) -> &mut Suite {
        if self.suite.as_ref().is_some_and(|suite| suite.name != doc) {
            self.leave();
        }
        self.suite.get_or_insert_with(|| Suite {
            name: doc.to_owned(),
            start: self.suites.len(),
            numbers: Numbers::default(),
        })
    }

    /// Ends the current suite.
    fn leave(&mut self) {
        let Some(mut suite) = self.suite.take() else {
            return;
        };
        let name = attribute(&suite.name);
        if suite.numbers.tests == 0 {
            suite.numbers.tests = 1;
            let _ = writeln!(
                self.suites,
                "    <testcase classname=\"{name}\" name=\"links\"/>"
            );
        }
        let Numbers {
            tests,
            failures,
            skipped,
        } = suite.numbers;
        self.total.tests += tests;
        self.total.failures += failures;
        self.total.skipped += skipped;
        // The numbers come before what is counted.
        let head = format!(
            "  <testsuite name=\"{name}\" tests=\"{tests}\" failures=\"{failures}\" errors=\"0\" \
             skipped=\"{skipped}\">\n"
        );
        self.suites.insert_str(suite.start, &head);
        self.suites += "  </testsuite>\n";
    }
}

impl Writer for Junit {
    fn document(&mut self, page: &PageName, _: u64, _: &mut Vec<u8>) {
        self.enter(&page.doc);
    }

    fn finding(&mut self, finding: &Finding, _: &mut Vec<u8>) {
        let fails = self
            .options
            .fail_on
            .is_some_and(|level| finding.level >= level && finding.is_new());
        let suite = self.enter(&finding.page.doc);
        suite.numbers.tests += 1;
        let sentence = words::sentence(finding);
        let outcome = if finding.known {
            suite.numbers.skipped += 1;
            format!("<skipped message=\"known: {}\"/>", attribute(&sentence))
        } else if fails {
            suite.numbers.failures += 1;
            let kind = attribute(finding.rule.id);
            let message = attribute(&sentence);
            let body = text(&words::position(finding));
            format!("<failure type=\"{kind}\" message=\"{message}\">{body}</failure>")
        } else {
            let said = format!("{} {}: {sentence}", finding.level, finding.rule.id);
            format!("<system-out>{}</system-out>", text(&said))
        };
        let class = attribute(&finding.page.doc);
        let name = attribute(&case_name(finding));
        let _ = writeln!(
            self.suites,
            "    <testcase classname=\"{class}\" name=\"{name}\">{outcome}</testcase>"
        );
    }

    fn end(&mut self, _: &Summary, out: &mut dyn Write) -> io::Result<()> {
        self.leave();
        let Numbers {
            tests,
            failures,
            skipped,
        } = self.total;
        let command = self.command;
        write!(
            out,
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
             <testsuites name=\"baseref {command}\" tests=\"{tests}\" \
             failures=\"{failures}\" errors=\"0\" skipped=\"{skipped}\">\n"
        )?;
        out.write_all(std::mem::take(&mut self.suites).as_bytes())?;
        out.write_all(b"</testsuites>\n")
    }
}

/// `L12:9 a[href] ../b.html`, or the rule if the finding is not about a link.
fn case_name(finding: &Finding) -> String {
    let mut name = String::new();
    if let Some(at) = &finding.at {
        let _ = write!(name, "L{}:{} ", at.line, at.column);
    }
    if finding.element().is_empty() {
        name += finding.rule.id;
        return name;
    }
    name += finding.element();
    if !finding.attr().is_empty() {
        let _ = write!(name, "[{}]", finding.attr());
    }
    name + " " + &finding.raw
}
