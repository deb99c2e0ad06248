//! What the arguments mean: the values that a run works with.

use std::fs;
use std::io::{self, IsTerminal, Read};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::thread;

use super::Usage;
use super::args::{BaseArgs, LinksArgs, ReadingArgs};
use super::output::Output;
use crate::container::detect::Format;
use crate::options::{Limits, Policy, ReadOptions};
use crate::report::bases::BasesFormat;
use crate::report::links::LinksFormat;
use crate::report::text::Style;
use crate::slots::Classes;
use crate::walk::{self, RetrievalUrls};

/// A run over documents.
pub struct Run {
    /// What is read, in order.
    pub paths: Vec<PathBuf>,
    /// Files that are read besides the inputs.
    pub lists: Vec<PathBuf>,
    /// What the user says the inputs are.
    pub format: Option<Format>,
    /// Where they were retrieved from.
    pub retrieval: RetrievalUrls,
    /// How bases are chosen.
    pub policy: Policy,
    /// What is wanted of a document.
    pub options: ReadOptions,
    /// How output for people looks.
    pub style: Style,
    /// Where it goes, if not to standard output.
    pub output: Option<PathBuf>,
    /// How many threads work.
    pub jobs: NonZeroUsize,
}

/// `baseref links`.
pub struct Links {
    /// What is read and how.
    pub run: Run,
    /// The form of the output.
    pub format: LinksFormat,
    /// Each URL is printed once.
    pub unique: bool,
    /// URLs of captures are printed as what was captured.
    pub unwrap_archive: bool,
    /// How documents were read is reported.
    pub stats: bool,
}

impl Links {
    /// # Errors
    /// When no input is named, or the list of inputs cannot be read.
    pub fn new(arguments: LinksArgs) -> Result<Self, Usage> {
        let LinksArgs {
            reading,
            format,
            links,
            unique,
            unwrap_archive,
            comments,
            stats,
            nul,
        } = arguments;
        let format = LinksFormat::from(format);
        let carries_all = format.has_rows();
        let options = ReadOptions {
            classes: links,
            text: carries_all,
            positions: carries_all,
            marks: reading.policy().marks,
            comments,
            identifiers: false,
            encoding: reading.encoding,
            limits: Limits::default(),
        };
        Ok(Self {
            run: Run::new(reading, options, nul)?,
            format,
            unique,
            unwrap_archive,
            stats,
        })
    }
}

/// `baseref base`.
pub struct Bases {
    /// What is read and how.
    pub run: Run,
    /// The form of the output.
    pub format: BasesFormat,
}

impl Bases {
    /// # Errors
    /// When no input is named, or the list of inputs cannot be read.
    pub fn new(arguments: BaseArgs) -> Result<Self, Usage> {
        let BaseArgs { reading, format } = arguments;
        let options = ReadOptions {
            classes: Classes::default(),
            text: false,
            positions: false,
            marks: true,
            comments: false,
            identifiers: false,
            encoding: reading.encoding,
            limits: Limits::default(),
        };
        Ok(Self {
            run: Run::new(reading, options, false)?,
            format: format.into(),
        })
    }
}

impl Run {
    fn new(reading: ReadingArgs, options: ReadOptions, nul: bool) -> Result<Self, Usage> {
        Ok(Self {
            paths: named_paths(&reading.paths, reading.files_from.as_deref())?,
            policy: reading.policy(),
            style: Style {
                nul,
                terminal: Output::is_terminal(reading.output.as_deref()),
            },
            jobs: reading
                .jobs
                .and_then(|jobs| NonZeroUsize::new(jobs.into()))
                .or_else(|| thread::available_parallelism().ok())
                .unwrap_or(NonZeroUsize::MIN),
            lists: reading.files_from.into_iter().collect(),
            format: reading.input.into(),
            retrieval: RetrievalUrls::new(reading.url, reading.url_map).with_marks(options.marks),
            options,
            output: reading.output,
        })
    }
}

/// The paths of the command line, then those of `--files-from`; standard input if there are
/// none and something is there to be read.
pub(super) fn named_paths(
    named: &[PathBuf],
    files_from: Option<&Path>,
) -> Result<Vec<PathBuf>, Usage> {
    let mut paths = named.to_vec();
    if let Some(list) = files_from {
        let bytes =
            list_of_paths(list).map_err(|error| Usage(format!("{}: {error}", list.display())))?;
        paths.extend(walk::listed_paths(&bytes));
    } else if paths.is_empty() {
        if io::stdin().is_terminal() {
            let text = "name a file or directory, or `-` for standard input";
            return Err(Usage(text.to_owned()));
        }
        paths.push(PathBuf::from("-"));
    }
    Ok(paths)
}

fn list_of_paths(list: &Path) -> io::Result<Vec<u8>> {
    if list.as_os_str() == "-" {
        let mut bytes = Vec::new();
        io::stdin().read_to_end(&mut bytes)?;
        Ok(bytes)
    } else {
        fs::read(list)
    }
}
