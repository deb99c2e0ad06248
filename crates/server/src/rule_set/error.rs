//! Why rule files cannot be used.

use std::io;
use std::path::PathBuf;

use crate::table::Dialect;

/// Why the files of `--redirects` cannot be used, in words for the user.
#[derive(Debug, thiserror::Error)]
pub enum RuleSetError {
    /// The file is a program, which is not run.
    #[error(
        "{0} is a program, which baseref does not run. Build the site, then give \
         next:.next/routes-manifest.json"
    )]
    Program(String),
    /// The word before the colon is not the name of a dialect.
    #[error("no dialect `{typed}` in {file}; did you mean `{suggestion}`?")]
    NoDialect {
        /// The argument.
        file: String,
        /// The word before its colon.
        typed: String,
        /// The dialect with the most similar name.
        suggestion: &'static str,
    },
    /// Two dialects have files of this name.
    #[error(
        "{file} could be in the dialect {0} or {1}, and they differ. Say which: --redirects \
         {0}:{file} or {1}:{file}",
        .dialects[0],
        .dialects[1]
    )]
    TwoDialects {
        /// The file.
        file: String,
        /// The dialects.
        dialects: [Dialect; 2],
    },
    /// The name of the file does not show its dialect.
    #[error(
        "{0} could be in any dialect. Say which: --redirects DIALECT:{0}, where DIALECT is one of \
         {dialects}",
        dialects = Dialect::names().collect::<Vec<_>>().join(", ")
    )]
    Undecided(String),
    /// Files of the given dialect do not have this name.
    #[error(
        "{file} is not a {given} file, by its name: write {}, or rename the file",
        alternatives(file, candidates)
    )]
    Contradiction {
        /// The file.
        file: String,
        /// The dialect that was given.
        given: Dialect,
        /// The dialects whose files have this name.
        candidates: Vec<Dialect>,
    },
    /// The file or folder cannot be read.
    #[error("{}: {source}", .path.display())]
    Unreadable {
        /// Its path.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The folder has no files.
    #[error("{}: no files in this folder", .0.display())]
    EmptyFolder(PathBuf),
    /// No audited site has addresses that the rules could apply to.
    #[error("--redirects needs a folder, whose addresses the rules apply to")]
    NoSite,
}

fn alternatives(file: &str, dialects: &[Dialect]) -> String {
    let others = dialects.iter().map(|other| format!("{other}:{file}"));
    others.collect::<Vec<_>>().join(" or ")
}
