//! A page for a browser: a single file that fetches nothing.
//!
//! It contains the findings as JSON, in columns that index a table of strings. An inline script,
//! allowed by its hash in the page's Content Security Policy, shows them. It creates only text
//! nodes, which the policy enforces (`require-trusted-types-for`).

mod data;
mod mails;
mod strings;
mod tables;

use std::io::{self, Write};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use quick_xml::escape::escape;
use sha2::{Digest, Sha256};

use self::data::Data;
use super::words;
use super::writer::{Head, Options, Writer};
use crate::text::shown;
use baseref_findings::{Finding, Level, MessageSummary, PageName, Summary};

const STYLE: &str = concat!(include_str!("page.css"), include_str!("mails.css"));
/// One function, so that nothing in it is seen from outside.
const SCRIPT: &str = concat!(
    "\"use strict\";\n(() => {\n",
    include_str!("mails.js"),
    include_str!("page.js"),
    "})();\n"
);
const BODY: &str = include_str!("body.html");

pub(super) struct Html {
    head: Head,
    options: Options,
    data: Data,
}

impl Html {
    pub(super) fn new(head: Head, options: Options) -> Self {
        Self {
            head,
            options,
            data: Data::default(),
        }
    }
}

impl Writer for Html {
    fn document(&mut self, page: &PageName, links: u64, _: &mut Vec<u8>) {
        self.data.document(page, links);
    }

    fn finding(&mut self, finding: &Finding, _: &mut Vec<u8>) {
        self.data.finding(finding);
    }

    fn message_summary(&mut self, summary: &MessageSummary) {
        self.data.message_summary(summary, self.options.is_defanged);
    }

    fn end(&mut self, summary: &Summary, out: &mut dyn Write) -> io::Result<()> {
        let what = if self.head.moved {
            "Move check"
        } else {
            "Link audit"
        };
        let title = match self.head.subject.as_str() {
            "" => format!("baseref {}", self.head.command),
            subject => format!("{what}: {}", shown(subject)),
        };
        let title = escape(title.as_str());
        let totals = words::totals(summary, self.options.level);
        let verdict = summary.verdict_line();
        let verdict = shown(&verdict);
        write!(
            out,
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta http-equiv=\"Content-Security-Policy\" content=\"{}\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <meta name=\"color-scheme\" content=\"light dark\">\n\
             <title>{title}, {}</title>\n<style>{STYLE}</style>\n</head>\n",
            policy(),
            words::findings(summary, Level::Error),
        )?;
        let body = BODY
            .replace("{totals}", &escape(totals.as_str()))
            .replace("{date}", &escape(shown(&self.head.date)))
            .replace("{verdict}", &rich(&escape(verdict)))
            .replace("{tables}", &tables::markup(&summary.tables))
            .replace("{title}", &title);
        out.write_all(body.as_bytes())?;
        out.write_all(b"<script type=\"application/json\" id=\"data\">")?;
        self.data.write(&self.head, self.options, summary, out)?;
        write!(
            out,
            "</script>\n<script>{SCRIPT}</script>\n</body>\n</html>\n"
        )
    }
}

/// Markup with `code` elements in place of pairs of backticks; one without a partner stays.
fn rich(markup: &str) -> String {
    let mut rich = String::new();
    let mut rest = markup;
    while let Some((before, after)) = rest.split_once('`')
        && let Some((code, after)) = after.split_once('`')
    {
        rich.extend([before, "<code>", code, "</code>"]);
        rest = after;
    }
    rich + rest
}

/// The Content Security Policy: nothing but this style and this script.
fn policy() -> String {
    let hash = |text: &str| STANDARD.encode(Sha256::digest(text));
    format!(
        "default-src 'none'; style-src 'sha256-{}'; script-src 'sha256-{}'; base-uri 'none'; \
         form-action 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
        hash(STYLE),
        hash(SCRIPT)
    )
}

#[cfg(test)]
mod tests {
    use super::rich;

    #[test]
    fn backticks_become_code() {
        assert_eq!(
            rich("`--fix` or `-v`."),
            "<code>--fix</code> or <code>-v</code>."
        );
        assert_eq!(rich("a `b` c ` d"), "a <code>b</code> c ` d");
    }
}
