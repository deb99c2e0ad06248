//! The errors of settings and baselines.

use std::path::PathBuf;
use std::{error, fmt, io};

use toml::value::Datetime;

use crate::text::nearest::did_you_mean;
use baseref_document::Position;
use baseref_files::globs::GlobError;
use baseref_unwrap::{CustomCoding, CustomError};

/// Why levels, exceptions, a configuration or a baseline cannot be used.
#[derive(Debug)]
pub enum SettingsError {
    /// A glob is malformed.
    Glob {
        /// The glob.
        text: String,
        /// The cause.
        source: GlobError,
    },
    /// The globs for URLs are malformed, or too large together.
    Globs(GlobError),
    /// No rule has an id that matches a glob.
    NoRule {
        /// The glob.
        glob: String,
        /// A similar glob that matches a rule.
        suggestion: Option<String>,
    },
    /// The argument of an exception names no rule.
    AllowedRule {
        /// The argument.
        argument: String,
        /// The cause.
        source: Box<Self>,
    },
    /// The argument is not an exception.
    AllowArgument(String),
    /// The argument does not set the level of a rule.
    LevelArgument(String),
    /// There is no level of this name.
    Level(String),
    /// An exception has no reason.
    NoReason,
    /// The value is not a day.
    Expires(Datetime),
    /// There is no coding of this name.
    Coding(String),
    /// A wrapper cannot be used.
    Unwrap(CustomError),
    /// A configuration is not valid TOML, or has other keys.
    Toml(String),
    /// The text is not a fingerprint.
    Fingerprint(String),
    /// `SOURCE_DATE_EPOCH` is not a time.
    Epoch(String),
    /// A file cannot be read.
    Unreadable {
        /// Its path.
        path: PathBuf,
        /// The cause.
        source: io::Error,
    },
    /// A configuration is invalid.
    Config {
        /// Its path.
        path: PathBuf,
        /// The cause.
        source: Box<ConfigError>,
    },
    /// A baseline is invalid.
    Baseline {
        /// Its path.
        path: PathBuf,
        /// The cause.
        source: BaselineError,
    },
    /// The argument is not a source map.
    SourceMapArgument(String),
    /// The expression of a source map is invalid.
    SourceMapRegex {
        /// The argument.
        argument: String,
        /// The cause.
        source: regex::Error,
    },
    /// The template of a source map refers to a group that its expression does not have.
    SourceMapGroup {
        /// The argument.
        argument: String,
        /// The group.
        group: usize,
        /// The number of groups.
        groups: usize,
    },
}

impl fmt::Display for SettingsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Glob { text, source } => write!(f, "`{text}`: {source}"),
            Self::Globs(source) => source.fmt(f),
            Self::NoRule { glob, suggestion } => match suggestion {
                Some(similar) => write!(f, "no rule matches `{glob}`; did you mean `{similar}`?"),
                None => write!(f, "no rule matches `{glob}`: --list-rules lists them"),
            },
            Self::AllowedRule { argument, source } => match **source {
                Self::NoRule {
                    suggestion: Some(_),
                    ..
                } => write!(f, "--allow: {source}"),
                _ => write!(
                    f,
                    "--allow takes RULE[:URL][@DOC], such as 'target/*:{argument}': {source}"
                ),
            },
            Self::AllowArgument(argument) => {
                write!(
                    f,
                    "`{argument}` is not of the form RULE[:URLGLOB][@DOCGLOB]"
                )
            }
            Self::LevelArgument(argument) => {
                write!(f, "`{argument}` is not of the form ID=LEVEL")
            }
            Self::Level(name) => {
                let meant = did_you_mean(name, ["error", "warning", "note", "off"]);
                write!(
                    f,
                    "`{name}` is not a level: error, warning, note or off{meant}"
                )
            }
            Self::NoReason => f.write_str("the reason is empty"),
            Self::Expires(value) => {
                write!(f, "`expires = {value}` is not a day such as 2030-12-31")
            }
            Self::Coding(name) => {
                let names = CustomCoding::ALL.into_iter().map(CustomCoding::as_str);
                write!(f, "`{name}` is not a coding{}", did_you_mean(name, names))
            }
            Self::Unwrap(source) => source.fmt(f),
            Self::Toml(message) => f.write_str(message),
            Self::Fingerprint(text) => {
                write!(f, "`{text}` is not a fingerprint of 32 hexadecimal digits")
            }
            Self::Epoch(epoch) => write!(
                f,
                "SOURCE_DATE_EPOCH: {epoch:?} is not a number of seconds since 1970"
            ),
            Self::Unreadable { path, source } => write!(f, "{}: {source}", path.display()),
            Self::Config { path, source } => write!(f, "{}:{source}", path.display()),
            Self::Baseline { path, source } => write!(f, "{}: {source}", path.display()),
            Self::SourceMapArgument(argument) => write!(
                f,
                "--source-map {argument}: write it 'REGEX=TEMPLATE', such as \
                 'public/(.*)\\.html=content/$1.md'"
            ),
            Self::SourceMapRegex { argument, source } => {
                // The last line gives the reason, and those before it the position.
                let text = source.to_string();
                let last = text.lines().last().unwrap_or_default().trim();
                let reason = last.trim_start_matches("error: ");
                write!(f, "--source-map {argument}: {reason}")
            }
            Self::SourceMapGroup {
                argument,
                group,
                groups,
            } => write!(
                f,
                "--source-map {argument}: the template has ${group}, and the expression {groups} \
                 groups"
            ),
        }
    }
}

impl error::Error for SettingsError {
    fn source(&self) -> Option<&(dyn error::Error + 'static)> {
        match self {
            Self::Glob { source, .. } | Self::Globs(source) => Some(source),
            Self::AllowedRule { source, .. } => Some(source),
            Self::Unwrap(source) => Some(source),
            Self::Unreadable { source, .. } => Some(source),
            Self::Config { source, .. } => Some(source),
            Self::Baseline { source, .. } => Some(source),
            Self::SourceMapRegex { source, .. } => Some(source),
            _ => None,
        }
    }
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
#[derive(Debug, PartialEq, Eq)]
pub struct BaselineError {
    /// The line, 1-based.
    pub line: usize,
    /// What is wrong with it.
    pub message: String,
}

impl fmt::Display for BaselineError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.message)
    }
}

impl error::Error for BaselineError {}
