//! Baselines: the findings of an earlier run, which need not be fixed now.
//!
//! A JSON Lines file meant for version control: one finding per line, in report order.

pub(crate) mod earlier;

use std::collections::HashMap;

use serde::{Deserialize, Serialize};

use crate::error::{BaselineError, BaselineFault};
use crate::{Finding, Fingerprint};
use baseref_files::terminal::show_since;

/// The first line of a baseline.
const HEAD: &str = r#"{"type":"baseline","v":1}"#;

/// A finding in a baseline.
#[derive(Clone, Debug, Serialize, Deserialize, PartialEq, Eq)]
#[serde(deny_unknown_fields)]
pub struct BaselineEntry {
    /// Its fingerprint, in hexadecimal.
    pub fingerprint: String,
    /// The id of its rule.
    pub rule: String,
    /// The document, by its name in fingerprints.
    pub doc: String,
    /// The value as written.
    pub raw: String,
}

impl BaselineEntry {
    /// The entry for a finding.
    fn new(finding: &Finding) -> Self {
        Self {
            fingerprint: finding.fingerprint().to_string(),
            rule: finding.rule.id.to_owned(),
            doc: finding.page.key.clone(),
            raw: finding.raw.to_string(),
        }
    }
}

/// The findings of an earlier run, and which of them occurred again.
#[derive(Debug, Default)]
pub struct Baseline {
    entries: Vec<(BaselineEntry, bool)>,
    places: HashMap<Fingerprint, usize>,
}

impl Baseline {
    /// Reads a baseline.
    ///
    /// # Errors
    /// At the first line that is not a valid entry.
    pub fn read(text: &str) -> Result<Self, BaselineError> {
        let refused = |index: usize, source: BaselineFault| BaselineError {
            line: index + 1,
            source,
        };
        let mut lines = text.lines().enumerate();
        if lines.next().is_none_or(|(_, head)| head.trim_end() != HEAD) {
            return Err(refused(0, BaselineFault::Head(HEAD)));
        }
        let mut baseline = Self::default();
        for (index, line) in lines {
            let entry: BaselineEntry =
                serde_json::from_str(line).map_err(|error| refused(index, error.into()))?;
            let fingerprint = entry
                .fingerprint
                .parse()
                .map_err(|error| refused(index, BaselineFault::Fingerprint(Box::new(error))))?;
            baseline.places.insert(fingerprint, baseline.entries.len());
            baseline.entries.push((entry, false));
        }
        Ok(baseline)
    }

    /// Whether a finding is in it; if so, it has occurred again.
    pub(crate) fn knows(&mut self, fingerprint: Fingerprint) -> bool {
        let entry = self
            .places
            .get(&fingerprint)
            .and_then(|&place| self.entries.get_mut(place));
        entry.is_some_and(|(_, seen)| {
            *seen = true;
            true
        })
    }

    /// The entries that did not occur again, in file order.
    pub(crate) fn stale(&self) -> impl Iterator<Item = &BaselineEntry> {
        let entries = self.entries.iter();
        entries.filter(|(_, seen)| !seen).map(|(entry, _)| entry)
    }
}

/// A baseline being written.
#[derive(Debug)]
pub(crate) struct NewBaseline(Vec<u8>);

impl NewBaseline {
    pub(crate) fn new() -> Self {
        Self(format!("{HEAD}\n").into_bytes())
    }

    pub(crate) fn add(&mut self, finding: &Finding) {
        self.add_entry(&BaselineEntry::new(finding));
    }

    pub(crate) fn add_entry(&mut self, entry: &BaselineEntry) {
        let start = self.0.len();
        // Strings can always be serialised, and writing to a `Vec` cannot fail.
        if serde_json::to_writer(&mut self.0, entry).is_ok() {
            show_since(start, &mut self.0);
            self.0.push(b'\n');
        }
    }

    pub(crate) fn into_bytes(self) -> Vec<u8> {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn malformed_baseline_is_refused_with_its_line() {
        let entry = r#"{"fingerprint":"00","rule":"a/b","doc":"d","raw":"r"}"#;
        for (text, line, says) in [
            (String::new(), 1, "not a baseline"),
            ("{}".to_owned(), 1, "not a baseline"),
            (format!("{HEAD}\n{entry}\n"), 2, "not a fingerprint"),
            (format!("{HEAD}\n\n"), 2, "EOF"),
            (format!("{HEAD}\n{{\"rule\":1}}\n"), 2, "invalid type"),
        ] {
            let error = Baseline::read(&text).unwrap_err();
            assert_eq!(error.line, line, "{text}");
            assert!(error.to_string().contains(says), "{error}");
        }
        assert!(Baseline::read(&format!("{HEAD}\r\n")).is_ok());
    }
}
