//! `ErrorDocument` at a URL, which redirects in place of an error.

use std::collections::BTreeMap;

use super::alias::is_url;
use super::lines::Line;
use crate::line_error::LineError;
use crate::rule::{Answer, Rule, RuleParser};

/// The target of an error.
#[derive(Debug)]
pub(super) struct ErrorUrl {
    url: String,
    rule: usize,
}

impl ErrorUrl {
    pub(super) fn answer(&self) -> Answer {
        Answer::Redirect {
            status: 302,
            location: self.url.clone(),
            rule: Some(self.rule),
        }
    }
}

/// The URLs of errors, by status; `None` where a page or a text is answered with the status of the
/// error.
#[derive(Debug, Default)]
pub(super) struct ErrorUrls(BTreeMap<u16, Option<ErrorUrl>>);

impl ErrorUrls {
    /// Adds the `ErrorDocument` of a line.
    ///
    /// # Errors
    ///
    /// The reason why the server refuses the line.
    pub(super) fn add(&mut self, line: &Line, parser: &mut RuleParser) -> Result<(), LineError> {
        let words = line.words();
        let [status, document, rest @ ..] = &words[..] else {
            return Err(LineError::Form("it needs a status and what is answered"));
        };
        let Some(code) = status.parse().ok().filter(|code| *code >= 400) else {
            return Err(LineError::ErrorStatus(status.clone()));
        };
        let is_to_url = rest.is_empty() && is_url(document) && !document.contains(' ');
        let url = is_to_url.then(|| ErrorUrl {
            url: document.clone(),
            rule: parser.rule(Rule {
                line: line.number,
                from: format!("error {status}"),
                to: Some(document.clone()),
                status: 302,
                status_is_default: true,
                is_exact: false,
                samples: Vec::new(),
            }),
        });
        self.0.insert(code, url);
        Ok(())
    }

    /// The configured target of an error: `Some(None)` for a page or a text, `None` if nothing is
    /// configured.
    pub(super) fn target(&self, status: u16) -> Option<&Option<ErrorUrl>> {
        self.0.get(&status)
    }
}
