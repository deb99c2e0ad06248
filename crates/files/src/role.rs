//! The roles in which files are read, and the message about one that an output would replace.

use std::path::PathBuf;
use std::{error, fmt};

/// The role in which a file is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// An input with documents, or a page that is examined again.
    Document,
    /// A file of a tree that is checked, whether its bytes are read or not.
    Listed,
    /// A folder of a tree that is checked.
    ListedFolder,
    /// The paths of `--files-from`.
    Paths,
    /// Old addresses: `--urls`, with the sitemaps that it names.
    Addresses,
    /// Redirect rules.
    Rules,
    /// Links that an earlier run wrote.
    Records,
    /// Reports of link checkers.
    Statuses,
    /// An index of captures.
    Captures,
    /// Known findings.
    Baseline,
    /// The configuration.
    Configuration,
    /// The log of the program that made a mirror.
    Log,
    /// A source URL that the file system records for a file.
    Mark,
    /// References, one per line.
    References,
    /// The source of a generated page.
    Source,
}

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Document => "a document",
            Self::Listed => "a file of the tree",
            Self::ListedFolder => "a folder of the tree",
            Self::Paths => "a list of inputs",
            Self::Addresses => "a list of addresses",
            Self::Rules => "redirect rules",
            Self::Records => "a list of links",
            Self::Statuses => "a list of statuses",
            Self::Captures => "an index of captures",
            Self::Baseline => "the baseline",
            Self::Configuration => "the configuration",
            Self::Log => "the log of a mirror",
            Self::Mark => "a mark of where a page is from",
            Self::References => "a list of references",
            Self::Source => "the source of a page",
        })
    }
}

/// A file that is read and would be replaced.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutputConflict {
    /// The path by which the file was reached.
    pub path: PathBuf,
    /// The role in which it is read.
    pub role: Role,
    /// The output, as the user gave it.
    pub output: String,
}

impl OutputConflict {
    /// The message, without the file.
    #[must_use]
    pub(super) fn in_words(&self) -> String {
        let (role, output) = (self.role, &self.output);
        if role == Role::ListedFolder {
            return format!(
                "is read as {role}, and the output {output}, which is about the tree, would be in it; \
                 nothing was written"
            );
        }
        format!("is read as {role}, and is also the output {output}; nothing was written")
    }
}

impl error::Error for OutputConflict {}

impl fmt::Display for OutputConflict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.path.display(), self.in_words())
    }
}
