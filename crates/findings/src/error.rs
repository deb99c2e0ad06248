//! The errors of settings, baselines and sinks.

use std::path::PathBuf;
use std::{error, fmt, io};

use toml::value::Datetime;

use crate::text::nearest::did_you_mean;
use baseref_document::Position;
use baseref_files::OutputError;
use baseref_files::globs::GlobError;
use baseref_unwrap::{CustomCoding, CustomError};

/// Why levels, exceptions, a configuration or a baseline cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum SettingsError {
    /// A glob is malformed.
    #[error("`{text}`: {source}")]
    Glob {
        /// The glob.
        text: String,
        /// The cause.
        source: GlobError,
    },
    /// The globs for URLs are malformed, or too large together.
    #[error(transparent)]
    Globs(GlobError),
    /// No rule has an id that matches a glob.
    #[error("no rule matches `{glob}`{}", meant_or_list(suggestion.as_deref()))]
    NoRule {
        /// The glob.
        glob: String,
        /// A similar glob that matches a rule.
        suggestion: Option<String>,
    },
    /// The argument of an exception names no rule.
    #[error("--allow{}: {source}", form_of_allow(argument, source))]
    AllowedRule {
        /// The argument.
        argument: String,
        /// The cause.
        source: Box<Self>,
    },
    /// The argument is not an exception.
    #[error("`{0}` is not of the form RULE[:URLGLOB][@DOCGLOB]")]
    AllowArgument(String),
    /// The argument does not set the level of a rule.
    #[error("`{0}` is not of the form ID=LEVEL")]
    LevelArgument(String),
    /// No level has this name.
    #[error("`{}` is not a level: error, warning, note or off{}", .0, did_you_mean(.0, LEVELS))]
    Level(String),
    /// An exception has no reason.
    #[error("the reason is empty")]
    NoReason,
    /// The value is not a day.
    #[error("`expires = {0}` is not a day such as 2030-12-31")]
    Expires(Datetime),
    /// No coding has this name.
    #[error("`{}` is not a coding{}", .0, did_you_mean(.0, CustomCoding::ALL.map(CustomCoding::as_str)))]
    Coding(String),
    /// A wrapper cannot be used.
    #[error(transparent)]
    Unwrap(CustomError),
    /// A configuration is not valid TOML, or has other keys.
    #[error("{0}")]
    Toml(String),
    /// The text is not a fingerprint.
    #[error("`{0}` is not a fingerprint of 32 hexadecimal digits")]
    Fingerprint(String),
    /// `SOURCE_DATE_EPOCH` is not a time.
    #[error("SOURCE_DATE_EPOCH: {0:?} is not a number of seconds since 1970")]
    Epoch(String),
    /// A file cannot be read.
    #[error("{}: {source}", .path.display())]
    Unreadable {
        /// Its path.
        path: PathBuf,
        /// The cause.
        source: io::Error,
    },
    /// A configuration is invalid.
    #[error("{}:{source}", .path.display())]
    Config {
        /// Its path.
        path: PathBuf,
        /// The cause.
        source: Box<ConfigError>,
    },
    /// A baseline is invalid.
    #[error("{}: {source}", .path.display())]
    Baseline {
        /// Its path.
        path: PathBuf,
        /// The cause.
        source: BaselineError,
    },
    /// The argument is not a source map.
    #[error(
        "--source-map {0}: write it 'REGEX=TEMPLATE', such as \
         'public/(.*)\\.html=content/$1.md'"
    )]
    SourceMapArgument(String),
    /// The expression of a source map is invalid.
    #[error("--source-map {argument}: {}", reason(source))]
    SourceMapRegex {
        /// The argument.
        argument: String,
        /// The cause.
        source: regex::Error,
    },
    /// The template of a source map refers to a group that its expression does not have.
    #[error(
        "--source-map {argument}: the template has ${group}, and the expression {groups} groups"
    )]
    SourceMapGroup {
        /// The argument.
        argument: String,
        /// The group.
        group: usize,
        /// The number of groups.
        groups: usize,
    },
}

/// The names of levels.
const LEVELS: [&str; 4] = ["error", "warning", "note", "off"];

fn meant_or_list(suggestion: Option<&str>) -> String {
    match suggestion {
        Some(similar) => format!("; did you mean `{similar}`?"),
        None => ": --list-rules lists them".to_owned(),
    }
}

/// What an exception looks like, unless the name of its rule is only misspelled.
fn form_of_allow(argument: &str, source: &SettingsError) -> String {
    match source {
        SettingsError::NoRule {
            suggestion: Some(_),
            ..
        } => String::new(),
        _ => format!(" takes RULE[:URL][@DOC], such as 'target/*:{argument}'"),
    }
}

/// The last line of the message, which gives the reason; those before it give the position.
fn reason(error: &regex::Error) -> String {
    let text = error.to_string();
    let last = text.lines().last().unwrap_or_default().trim();
    last.trim_start_matches("error: ").to_owned()
}

/// An error in a configuration, and its position.
#[derive(Debug)]
pub struct ConfigError {
    pub(crate) at: Option<Position>,
    pub(crate) source: SettingsError,
}

/// `LINE:COLUMN: message`, to be put after the file's name and a colon; one line.
impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.at {
            Some(at) => write!(f, "{}:{}: {}", at.line, at.column, self.source),
            None => write!(f, " {}", self.source),
        }
    }
}

impl error::Error for ConfigError {
    fn source(&self) -> Option<&(dyn error::Error + 'static)> {
        Some(&self.source)
    }
}

/// The reason why a baseline is invalid.
#[derive(Debug, thiserror::Error)]
#[error("line {line}: {source}")]
pub struct BaselineError {
    /// The line, 1-based.
    pub line: usize,
    /// What is wrong with it.
    pub source: BaselineFault,
}

/// What is wrong with a line of a baseline.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BaselineFault {
    /// It is the first one, and not that of a baseline.
    #[error("not a baseline: it does not begin with {0}")]
    Head(&'static str),
    /// It is no entry.
    #[error(transparent)]
    Entry(#[from] serde_json::Error),
    /// Its fingerprint is none.
    #[error(transparent)]
    Fingerprint(Box<SettingsError>),
}

/// Why a sink takes no more findings.
#[derive(Debug, thiserror::Error)]
pub enum SinkError {
    /// An output cannot be written.
    #[error(transparent)]
    Output(#[from] OutputError),
    /// A reason of the sink's own.
    #[error(transparent)]
    Other(Box<dyn error::Error + Send + Sync>),
}
