//! What the page asks for, as it writes it: JSON.

use std::path::PathBuf;

use baseref_document::link_places::Classes;
use baseref_report::links::LinksFormat;
use baseref_resolve::Rules;
use serde::Deserialize;

/// A request.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct Request {
    /// What is wanted.
    pub want: RequestKind,
    /// The files that were chosen.
    pub files: Vec<File>,
    /// What is read of them, in order: files, and folders with all that is in them.
    pub paths: Vec<PathBuf>,
    /// How it is written.
    #[serde(default)]
    pub format: Format,
    /// Which links.
    #[serde(default)]
    pub links: Links,
    /// The rule set.
    #[serde(default)]
    pub rules: RuleSet,
    /// Whether rows have the final URL behind wrappers.
    #[serde(default)]
    pub unwrap: bool,
    /// Whether URLs are written so that nothing takes them for links.
    #[serde(default)]
    pub defang: bool,
    /// The URL that the files were retrieved from, if the user gave it.
    #[serde(default)]
    pub url: Option<String>,
    /// The hosting whose rules say what a server would answer.
    #[serde(default)]
    pub hosting: Option<String>,
    /// Whether an audit gives every finding, and not only errors: `--level note`.
    #[serde(default)]
    pub all_levels: bool,
    /// The entities, by their numbers from 1, that are known to end in a panic.
    #[serde(default)]
    pub faults: Vec<Fault>,
    /// The day of the audit, `YYYY-MM-DD`.
    #[serde(default)]
    pub day: Option<String>,
    /// For tests: the entity at which to panic.
    #[serde(default)]
    pub panic_at: Option<u64>,
}

/// A file that was chosen.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct File {
    /// Its name, or, in a chosen folder, the path that begins with the name of that folder.
    pub path: PathBuf,
    /// How many bytes it has.
    pub size: u64,
}

/// An entity that ended in a panic.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Fault {
    /// Its number in the run, from 1.
    pub at: u64,
    /// What the panic said, and where.
    pub said: String,
}

/// What is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum RequestKind {
    /// The rows of `baseref links`.
    Links,
    /// The rows of `baseref base`.
    Bases,
    /// The report of `baseref audit`.
    Audit,
}

/// How results are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Format {
    /// One JSON object per line.
    #[default]
    Jsonl,
    /// Comma-separated values with a header line.
    Csv,
    /// A page for a browser; only of an audit.
    Html,
}

/// Which links are wanted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Links {
    /// What `baseref links` gives without options: what a reader follows.
    #[default]
    Anchors,
    /// Of all places, as with `--links all`.
    All,
}

/// A rule set.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum RuleSet {
    /// RFC 1808.
    #[default]
    Rfc1808,
    /// RFC 3986.
    Rfc3986,
    /// The URL Standard.
    Whatwg,
}

impl Format {
    /// Of rows.
    pub(crate) fn links(self) -> LinksFormat {
        match self {
            Self::Csv => LinksFormat::Csv,
            Self::Jsonl | Self::Html => LinksFormat::Jsonl,
        }
    }
}

impl Links {
    /// The classes; `None` for the default of the command line.
    pub(crate) fn classes(self) -> Option<Classes> {
        match self {
            Self::Anchors => None,
            Self::All => Some(Classes::ALL),
        }
    }
}

impl From<RuleSet> for Rules {
    fn from(rules: RuleSet) -> Self {
        match rules {
            RuleSet::Rfc1808 => Self::Rfc1808,
            RuleSet::Rfc3986 => Self::Rfc3986,
            RuleSet::Whatwg => Self::Whatwg,
        }
    }
}
