//! GitHub Actions workflow commands: annotations on the lines of a pull request.

use std::fmt::Write as _; // for `write!`: a String takes every write
use std::io::{self, Write};

use super::words;
use super::writer::{Options, Writer};
use crate::text::shown;
use baseref_findings::{Finding, Groups, Level, Summary};

pub(super) struct Github {
    options: Options,
    groups: Groups,
}

impl Github {
    pub(super) fn new(options: Options) -> Self {
        Self {
            options,
            groups: Groups::new(1),
        }
    }
}

impl Writer for Github {
    fn finding(&mut self, finding: &Finding, out: &mut Vec<u8>) {
        // Known findings get no annotation; the last line counts them.
        if finding.known {
            return;
        }
        if self.options.group {
            self.groups.add(finding);
        } else {
            out.extend_from_slice(command(finding, finding.level, "").as_bytes());
        }
    }

    fn end(&mut self, summary: &Summary, out: &mut dyn Write) -> io::Result<()> {
        let groups = std::mem::replace(&mut self.groups, Groups::new(1));
        for group in groups.into_sorted() {
            let Some(example) = group.examples.first() else {
                continue;
            };
            let more = if group.findings > 1 {
                format!("; {} like it", words::extent(&group))
            } else {
                String::new()
            };
            out.write_all(command(example, group.level, &more).as_bytes())?;
        }
        let totals = words::totals(summary, self.options.level);
        writeln!(out, "{totals}")
    }
}

/// One command and its line end.
fn command(finding: &Finding, level: Level, more: &str) -> String {
    let name = match level {
        Level::Error => "error",
        Level::Warning => "warning",
        Level::Note | Level::Off => "notice",
    };
    let source = finding.source();
    let file = source.map_or(&*finding.page.doc, |source| &*source.file);
    let mut line = format!("::{name} file={}", property(file));
    // A String takes every write.
    match (source, &finding.at) {
        (Some(source), _) => {
            if let Some(number) = source.line {
                let _ = write!(line, ",line={number}");
            }
        }
        (None, Some(at)) => {
            let _ = write!(line, ",line={},col={}", at.line, at.column);
        }
        (None, None) => {}
    }
    let mut message = words::sentence(finding) + more;
    if source.is_some() {
        let _ = write!(message, " (in {})", words::position(finding));
    }
    let _ = writeln!(
        line,
        ",title={}::{}",
        property(finding.rule.id),
        data(&message)
    );
    line
}

/// Text encoded for a message. Line ends are shown as escapes.
fn data(text: &str) -> String {
    shown(text).replace('%', "%25")
}

/// Text encoded for a property.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}
