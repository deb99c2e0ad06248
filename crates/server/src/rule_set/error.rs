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
    /// What precedes the colon is not the name of a dialect.
    NoDialect {
        /// The argument.
        file: String,
        /// What precedes its colon.
        typed: String,
        /// The dialect of the most similar name.
        suggestion: &'static str,
    },
    /// The name of the file leaves two dialects.
    TwoDialects {
        /// The file.
        file: String,
        /// The dialects.
        dialects: [Dialect; 2],
    },
    /// The name of the file says nothing about its dialect.
    Undecided(String),
    /// The name of the file belongs to other dialects than the one that was given.
    Contradiction {
        /// The file.
        file: String,
        /// The dialect that was given.
        given: Dialect,
        /// The dialects that the file can be in.
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
                "{file}: is a program and is not run: build the site, and give \
                 next:.next/routes-manifest.json"
            ),
            Self::NoDialect {
                file,
                typed,
                suggestion,
            } => write!(
                f,
                "{file}: no dialect `{typed}`; did you mean `{suggestion}`?"
            ),
            Self::TwoDialects {
                file,
                dialects: [one, other],
            } => write!(
                f,
                "{file}: can be of {one} or {other}, which read it differently: write {one}:{file} or \
                 {other}:{file}"
            ),
            Self::Undecided(file) => {
                let dialects: Vec<&str> = Dialect::names().collect();
                let dialects = dialects.join(", ");
                write!(
                    f,
                    "{file}: its name does not show what it is: write one of {dialects} and a colon \
                     before it"
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
                    "{file}: its name shows that it is not in {given}: write {others}, or give the \
                     file another name"
                )
            }
            Self::Unreadable { path, source } => write!(f, "{}: {source}", path.display()),
            Self::EmptyFolder(path) => write!(f, "{}: contains no files", path.display()),
            Self::NoSite => f.write_str(
                "--redirects: the rules are for the addresses of a folder, and none is given",
            ),
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
