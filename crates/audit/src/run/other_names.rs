//! Documents with several names in one folder. They are checked once, under the name of the file itself:
//! every link in them leads to the same place from all of their names.

use std::collections::BTreeMap;
use std::path::Path;

use baseref_findings::words::count;

/// The other names of documents, by the path of the document.
#[derive(Debug, Default)]
pub(super) struct OtherNames(BTreeMap<String, Vec<String>>);

/// The documents with other names that were checked.
#[derive(Debug, Default)]
pub(super) struct CheckedNames {
    /// The number of their other names.
    names: u64,
    /// The first of them.
    shown: Vec<String>,
}

impl OtherNames {
    /// Adds another name of the file at a path.
    pub(super) fn add(&mut self, path: &Path, other: &Path) {
        let names = self.0.entry(path.to_string_lossy().into_owned());
        names
            .or_default()
            .push(other.to_string_lossy().into_owned());
    }

    /// Counts the other names of a document that was checked.
    pub(super) fn check(&self, document: &str, checked: &mut CheckedNames) {
        for name in self.0.get(document).into_iter().flatten() {
            checked.names += 1;
            if checked.shown.len() < CheckedNames::SHOWN {
                checked.shown.push(format!("{name} is {document}"));
            }
        }
    }
}

impl CheckedNames {
    /// How many are shown.
    const SHOWN: usize = 3;

    /// The line about them; `None` if there are none.
    pub(super) fn line(&self) -> Option<String> {
        if self.names == 0 {
            return None;
        }
        let is_more = self.names > self.shown.len() as u64;
        let more = if is_more { ", …" } else { "" };
        let verb = if self.names == 1 {
            "is another name of a document in its folder, which is checked once"
        } else {
            "are other names of documents in their folder, which are checked once"
        };
        Some(format!(
            "{} {verb}: {}{more}",
            count(self.names, "file"),
            self.shown.join(", ")
        ))
    }
}
