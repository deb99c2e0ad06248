//! Why rule files cannot be used.

use std::path::PathBuf;
use std::{error, fmt, io};

use baseref_findings::Refused;

use crate::table::Dialect;

/// Why the files of `--redirects` cannot be used, in words for the user.
#[derive(Debug)]
pub enum RuleSetError {
    /// The file is a program, which is not run.
    Program(String),
    /// The word before the colon is not the name of a dialect.
    NoDialect {
        /// The argument.
        file: String,
        /// The word before its colon.
        typed: String,
        /// The dialect with the most similar name.
        suggestion: &'static str,
    },
    /// Two dialects have files of this name.
    TwoDialects {
        /// The file.
        file: String,
        /// The dialects.
        dialects: [Dialect; 2],
    },
    /// The name of the file does not show its dialect.
    Undecided(String),
    /// Files of the given dialect do not have this name.
    Contradiction {
        /// The file.
        file: String,
        /// The dialect that was given.
        given: Dialect,
        /// The dialects whose files have this name.
        candidates: Vec<Dialect>,
    },
    /// The file or folder cannot be read.
    Unreadable {
        /// Its path.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The folder has no files.
    EmptyFolder(PathBuf),
    /// No audited site has addresses that the rules could apply to.
    NoSite,
}

impl fmt::Display for RuleSetError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Program(file) => write!(
                f,
                "{file} is a program, which baseref does not run. Build the site, then give \
                 next:.next/routes-manifest.json"
            ),
            Self::NoDialect {
                file,
                typed,
                suggestion,
            } => write!(
                f,
                "no dialect `{typed}` in {file}; did you mean `{suggestion}`?"
            ),
            Self::TwoDialects {
                file,
                dialects: [one, other],
            } => write!(
                f,
                "{file} could be in the dialect {one} or {other}, and they differ. Say which: \
                 --redirects {one}:{file} or {other}:{file}"
            ),
            Self::Undecided(file) => {
                let dialects: Vec<&str> = Dialect::names().collect();
                let dialects = dialects.join(", ");
                write!(
                    f,
                    "{file} could be in any dialect. Say which: --redirects DIALECT:{file}, where DIALECT \
                     is one of {dialects}"
                )
            }
            Self::Contradiction {
                file,
                given,
                candidates,
            } => {
                let others = candidates.iter().map(|other| format!("{other}:{file}"));
                let others: Vec<String> = others.collect();
                let others = others.join(" or ");
                write!(
                    f,
                    "{file} is not a {given} file, by its name: write {others}, or rename the file"
                )
            }
            Self::Unreadable { path, source } => write!(f, "{}: {source}", path.display()),
            Self::EmptyFolder(path) => write!(f, "{}: no files in this folder", path.display()),
            Self::NoSite => {
                f.write_str("--redirects needs a folder, whose addresses the rules apply to")
            }
        }
    }
}

impl error::Error for RuleSetError {
    fn source(&self) -> Option<&(dyn error::Error + 'static)> {
        match self {
            Self::Unreadable { source, .. } => Some(source),
            _ => None,
        }
    }
}

impl From<RuleSetError> for Refused {
    fn from(error: RuleSetError) -> Self {
        Self(error.to_string())
    }
}
