//! The errors of a command.

use std::error::Error;
use std::io;
use std::path::PathBuf;

use baseref_audit::run::AuditError;
use baseref_files::OutputError;
use baseref_findings::nearest::did_you_mean;
use baseref_findings::{SettingsError, SinkError};
use baseref_migration::MoveError;
use baseref_migration::differences::RecordError;
use baseref_server::rule_set::RuleSetError;

/// Why a command has no result; its exit code is 2.
#[derive(Debug, thiserror::Error)]
pub(super) enum CommandError {
    #[error(transparent)]
    Settings(#[from] SettingsError),
    #[error(transparent)]
    Audit(#[from] AuditError),
    #[error(transparent)]
    Move(#[from] MoveError),
    #[error(transparent)]
    RuleSet(#[from] RuleSetError),
    #[error(transparent)]
    Sink(#[from] SinkError),
    #[error(transparent)]
    Output(#[from] OutputError),
    /// Standard input cannot be read, or standard output not written.
    #[error(transparent)]
    Standard(#[from] io::Error),
    /// A file that the user named cannot be read.
    #[error("{}: {source}", .path.display())]
    Unreadable { path: PathBuf, source: io::Error },
    /// A list of links is malformed.
    #[error("{}:{source}", .path.display())]
    Record { path: PathBuf, source: RecordError },
    /// An argument cannot be used.
    #[error("{argument}: {source}")]
    Argument {
        argument: &'static str,
        source: Box<dyn Error + Send + Sync>,
    },
    /// The arguments contradict each other, or one is missing, in words for the user.
    #[error("{0}")]
    Usage(&'static str),
    #[error("{0} is missing")]
    Missing(&'static str),
    #[error("{0} can only be used with the format `url`")]
    OnlyForUrls(&'static str),
    #[error("standard input comes once, but is named twice: by {first} and by {second}")]
    StdinTwice {
        first: &'static str,
        second: &'static str,
    },
    #[error("{}: baseref never fetches; save the page first, and give its URL with -u", .0.display())]
    UrlAsPath(PathBuf),
    #[error("--max-age: {0} days ago was no day")]
    NoDay(u16),
    #[error("--url-map: {} is not a directory", .0.display())]
    NotDirectory(PathBuf),
    #[error("--url-map: {} is given twice", .0.display())]
    MappedTwice(PathBuf),
    #[error("--against: {}: no such file", .0.display())]
    NoEarlierState(PathBuf),
    #[error("the base comes first, and {base:?} is not one: baseref resolve {reference} {base}")]
    BaseAfterReference { base: String, reference: String },
    /// No rule has this id.
    #[error("no rule `{id}`{}", hint(suggestion.as_deref()))]
    NoRule {
        id: String,
        suggestion: Option<&'static str>,
    },
    #[error("there is no command `{name}`{}", did_you_mean(name, known.iter().map(String::as_str)))]
    NoCommand { name: String, known: Vec<String> },
    /// Two inputs would have the same path in a new folder.
    #[error("{}: two inputs have this name in the new folder", .0.display())]
    SameName(PathBuf),
    /// The path of an input leads out of a new folder.
    #[error("{}: contains `..`, so it has no place in a folder", .0.display())]
    OutsideFolder(PathBuf),
    /// Nothing can be rewritten, for this reason.
    #[error("nothing was rewritten: {0}")]
    NothingRewritten(String),
    #[error("nothing was compared: there is no page in {} or in {}", .0.display(), .1.display())]
    NothingCompared(PathBuf, PathBuf),
}

impl CommandError {
    /// The error of an argument that cannot be used.
    pub(super) fn argument(
        argument: &'static str,
        source: impl Into<Box<dyn Error + Send + Sync>>,
    ) -> Self {
        Self::Argument {
            argument,
            source: source.into(),
        }
    }

    /// The error of a file that the user named and that cannot be read.
    pub(super) fn unreadable(path: impl Into<PathBuf>, source: io::Error) -> Self {
        Self::Unreadable {
            path: path.into(),
            source,
        }
    }
}

fn hint(suggestion: Option<&str>) -> String {
    match suggestion {
        Some(similar) => format!("; did you mean `{similar}`?"),
        None => ": --list-rules lists them".to_owned(),
    }
}
