//! The meaning of the arguments: the values that a run works with.

use std::env;
use std::io::{self, IsTerminal, Read};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;

#[cfg(feature = "arrow")]
use super::args::BasesFormatArg;
use super::args::{
    BaseArgs, BaseOfArgs, ChoiceArgs, ColorArg, FormArgs, Grouping, LinksArgs, LinksFormatArg,
    OutputArgs, ReadingArgs, UrlMap,
};
use super::error::CommandError;
use super::filter::{Filter, Side};
use super::message::{Messages, Verbosity};
use super::stdin::{self, is_stdin};
use baseref_audit::run as audits;
use baseref_container::Format;
use baseref_document::ReadOptions;
use baseref_document::link_places::Classes;
use baseref_files::url_filter::UrlFilter;
use baseref_files::{Files, Role};
use baseref_findings::judging;
use baseref_reader::base::Policy;
use baseref_report::bases::BasesFormat;
use baseref_report::column::Selection;
use baseref_report::edges::{self, EdgeFormat};
use baseref_report::groups::GroupBy;
use baseref_report::links::{Links as LinkRecord, LinksFormat};
use baseref_report::observables::ObservablesFormat;
use baseref_report::url_lines::UrlLines;
use baseref_unwrap::Unwrapper;
use baseref_walk::{self as walk, RetrievalUrls, Walk};

/// A run over documents.
#[expect(clippy::struct_excessive_bools, reason = "each is a choice of its own")]
pub struct Run {
    /// What to read, in order.
    pub paths: Vec<PathBuf>,
    /// The files of the run.
    pub files: Arc<Files>,
    /// What to read in directories.
    pub walk: Walk,
    /// The name for standard input.
    pub stdin_name: Option<PathBuf>,
    /// The format of the inputs given by the user.
    pub format: Option<Format>,
    /// Whether messages that a mail store has deleted but still holds are read.
    pub deleted: bool,
    /// Where they were retrieved from.
    pub retrieval: RetrievalUrls,
    /// How to choose bases.
    pub policy: Policy,
    /// What to read from a document.
    pub options: ReadOptions,
    /// Where the output goes, if not to standard output.
    pub output: Option<PathBuf>,
    /// Whether the output is shown on a terminal, or formatted as if it were.
    pub shown: bool,
    /// Whether to use colors.
    pub color: bool,
    /// The messages on standard error.
    pub messages: Messages,
    /// Whether notes count as failure.
    pub fails_on_notes: bool,
    /// The number of threads.
    pub jobs: NonZeroUsize,
}

/// `baseref links`.
pub struct Links {
    /// The inputs, and how they are read.
    pub run: Run,
    /// Which links to print.
    pub filter: Filter,
    /// What to print about them.
    pub print: Print,
    /// The form of the output.
    pub format: LinksFormat,
    /// Which URLs are opened.
    pub opening: Opening,
    /// Whether URLs, hosts and addresses are defanged.
    pub is_defanged: bool,
    /// The maximum length of printed URLs, in characters, if there is one.
    pub longest: Option<usize>,
    /// Whether to report how documents were read.
    pub stats: bool,
}

/// Which URLs of links are opened.
pub struct Opening {
    /// Whether to print URLs of captures as the captured URLs.
    pub unwrap_archive: bool,
    /// Opens wrappers, if requested.
    pub wrappers: Option<Unwrapper>,
    /// Whether links are selected and counted by the final URL.
    pub by_final: bool,
}

/// What to print about links.
pub enum Print {
    /// Each link.
    Rows {
        /// The fields, for the formats that have fields.
        selection: Selection<LinkRecord>,
        /// The lines of the format that has none.
        lines: UrlLines,
        /// Whether to print each URL only once.
        unique: bool,
    },
    /// The number of links in each document.
    Count,
    /// The number of links per key.
    Groups(GroupBy),
    /// The number of links by two fields.
    Edges(EdgeFormat, Selection<LinkRecord>),
    /// The distinct URLs, hosts and addresses that links lead to.
    Observables(ObservablesFormat),
    /// Each link, in batches of columns.
    #[cfg(feature = "arrow")]
    Columns(Selection<LinkRecord>),
}

impl Links {
    /// # Errors
    /// If arguments contradict each other, no input is named, or the list of inputs cannot be read.
    pub fn new(arguments: LinksArgs, files: &Arc<Files>) -> Result<Self, CommandError> {
        let LinksArgs {
            reading,
            choice,
            form,
        } = arguments;
        let edges = edges(&form)?;
        form_fits(&form)?;
        let (classes, comments) = (choice.links, choice.comments);
        let unwrap_archive = choice.unwrap_archive;
        let (by_final, errors, unique) = (choice.by_final, choice.errors, choice.unique);
        let filter = filter(choice);
        let format = LinksFormat::from(form.format);
        let is_counted = form.count || form.group_by.is_some() || edges.is_some();
        let has_fields = format.has_rows() && !is_counted;
        if errors && !has_fields && !is_counted {
            let text = "--errors prints links that have no URL: choose -f jsonl, csv or tsv";
            return Err(CommandError::Usage(text));
        }
        let selection = match form.fields.clone() {
            Some(fields) => fields,
            None if form.unwrap => Selection::with_unwrapped(),
            None => Selection::default(),
        };
        let observables = form.format.observables();
        let shows_final =
            form.unwrap || observables.is_some() || has_fields && selection.needs_unwrapping();
        let opening = Opening {
            unwrap_archive,
            wrappers: wrappers(by_final || shows_final, form.config.as_deref(), files)?,
            by_final: by_final || form.unwrap && !has_fields,
        };
        let mut options = ReadOptions::default()
            .with_classes(classes.unwrap_or(Classes::ANCHORS))
            .with_text_alone(classes.is_none())
            .with_text(false)
            .with_positions(false)
            // If no base is known, a hint says whether a page records its source URL.
            .with_marks(reading.base.url.is_none() || reading.base.policy().marks)
            .with_comments(comments)
            .with_encoding(reading.inputs.encoding);
        if has_fields {
            options = selection.needed(options);
        }
        if let Some(fields) = &edges {
            options = fields.needed(options);
        }
        if observables.is_some() {
            options = options.with_metadata(true);
            (options.text, options.positions) = (false, false);
        }
        options.positions |= form.with_filename;
        // Reading recorded sources costs a file system access per file.
        let marks_beside = reading.base.policy().marks;
        let run = Run::new(reading, options, marks_beside, files)?;
        let lines = UrlLines {
            nul: form.nul,
            shown: run.shown,
            position: form.with_filename,
            color: run.color,
            final_url: form.unwrap,
            defang: form.defang,
            longest: form.max_url.or(run.shown.then_some(LONGEST_AT_TERMINAL)),
            only_data: form.max_url.is_none(),
        };
        #[cfg(feature = "arrow")]
        if form.format == LinksFormatArg::Arrow {
            unless_batches_fit(&run, is_counted || unique)?;
            return Ok(Self {
                run,
                filter,
                print: Print::Columns(selection),
                format,
                opening,
                is_defanged: form.defang,
                longest: form.max_url,
                stats: form.stats,
            });
        }
        let print = match (form.count, form.group_by.and_then(Grouping::one)) {
            _ if edges.is_some() => Print::Edges(form.format.edges(), edges.unwrap_or_default()),
            (false, None) if observables.is_some() => {
                Print::Observables(observables.unwrap_or(ObservablesFormat::Csv))
            }
            (true, _) => Print::Count,
            (_, Some(by)) => Print::Groups(by),
            _ => Print::Rows {
                selection,
                lines,
                unique,
            },
        };
        Ok(Self {
            run,
            filter,
            print,
            format,
            opening,
            is_defanged: form.defang,
            longest: form.max_url,
            stats: form.stats,
        })
    }
}

/// The conditions on the targets of links.
fn filter(choice: ChoiceArgs) -> Filter {
    let side = match (choice.external, choice.internal) {
        (true, _) => Some(Side::External),
        (_, true) => Some(Side::Internal),
        _ => None,
    };
    let schemes = choice.scheme.iter().map(|scheme| schemes_name(scheme));
    Filter {
        schemes: schemes.collect(),
        hosts: choice.host,
        urls: UrlFilter {
            include: choice.include,
            exclude: choice.exclude,
        },
        side,
        errors: choice.errors,
    }
}

/// The built-in and the configured wrappers, if they are requested. A configuration that the user names
/// is read in any case, so that its errors are reported.
fn wrappers(
    is_asked: bool,
    config: Option<&Path>,
    files: &Files,
) -> Result<Option<Unwrapper>, CommandError> {
    if !is_asked && config.is_none() {
        return Ok(None);
    }
    let rules = baseref_audit::rules::ALL
        .iter()
        .chain(baseref_migration::rules::ALL);
    let rules: Vec<_> = rules.copied().collect();
    let known = judging::with_common_rules(&rules);
    let file = judging::config(config, &known, files)?;
    let unwrapper = audits::unwrapper(&file.config)?;
    Ok(is_asked.then_some(unwrapper))
}

/// Batches hold every row, and are not for people.
#[cfg(feature = "arrow")]
fn unless_batches_fit(run: &Run, is_counted: bool) -> Result<(), CommandError> {
    let text = if is_counted {
        "--count, --group-by and --unique cannot be used with the format `arrow`"
    } else if run.output.is_none() && io::stdout().is_terminal() {
        "the format `arrow` is binary: write it to a file (-o) or into a pipe"
    } else {
        return Ok(());
    };
    Err(CommandError::Usage(text))
}

/// How many characters of a `data:` URL a terminal shows.
const LONGEST_AT_TERMINAL: usize = 2_000;

/// The two fields that links are counted by, if that is requested: by `--group-by`, or, for a format
/// that has only edges, by `--fields` (default: the sites).
fn edges(form: &FormArgs) -> Result<Option<Selection<LinkRecord>>, CommandError> {
    let names = |fields: &Selection<LinkRecord>| -> Vec<&str> {
        fields.columns.iter().map(|column| column.name).collect()
    };
    let chosen = form.fields.as_ref();
    match &form.group_by {
        Some(Grouping::Two(by)) => {
            if chosen.is_some_and(|chosen| names(chosen) != names(by)) {
                let text = "--group-by: two fields are all that is printed, so --fields can only name them";
                return Err(CommandError::Usage(text));
            }
            Ok(Some((**by).clone()))
        }
        Some(Grouping::One(_)) if form.format.is_of_edges() => Err(CommandError::Usage(
            "the formats `edges` and `graphml` have a source and a target: --group-by SOURCE,TARGET",
        )),
        None if form.format.is_of_edges() && !form.count => {
            let list = chosen.map_or("src_site,site".to_owned(), |chosen| names(chosen).join(","));
            let by = edges::by(&list).map_err(|error| CommandError::argument("--fields", error))?;
            Ok(Some(by))
        }
        _ if form.format.is_of_edges() => Err(CommandError::Usage(
            "--count counts links by document: choose -f url, jsonl, csv or tsv",
        )),
        _ => Ok(None),
    }
}

/// Rejects options of the format `url` in other formats, and options of other formats in `url`.
fn form_fits(form: &FormArgs) -> Result<(), CommandError> {
    let is_url = form.format == LinksFormatArg::Url;
    let of_url = [("-0", form.nul), ("-H", form.with_filename)];
    let is_counted = form.count || form.group_by.is_some() || form.format.is_of_edges();
    for (option, is_given) in of_url {
        if is_given && (!is_url || is_counted) {
            return Err(CommandError::OnlyForUrls(option));
        }
    }
    if is_counted && form.max_url.is_some() {
        let text = "--max-url cannot be used with --count and --group-by, which print no links";
        return Err(CommandError::Usage(text));
    }
    if form.fields.is_some() && matches!(form.group_by, Some(Grouping::One(_))) {
        let text = "--group-by counts links: with --fields it takes two of them";
        return Err(CommandError::Usage(text));
    }
    let has_choice = form.fields.is_some() || is_counted || form.max_url.is_some();
    if form.format.observables().is_some() && has_choice {
        let text = "the formats `observables`, `misp` and `stix` have columns of their own, and count \
                    links themselves";
        return Err(CommandError::Usage(text));
    }
    if is_url && form.fields.is_some() && form.group_by.is_none() {
        let text = "--fields can only be used with the formats `jsonl`, `csv` and `tsv`";
        return Err(CommandError::Usage(text));
    }
    Ok(())
}

fn schemes_name(scheme: &str) -> String {
    scheme
        .trim_end_matches("://")
        .trim_end_matches(':')
        .to_ascii_lowercase()
}

/// `baseref base`.
pub struct Bases {
    /// The inputs, and how they are read.
    pub run: Run,
    /// The form of the output.
    pub format: BasesFormat,
    /// Whether the output is batches of columns instead.
    #[cfg(feature = "arrow")]
    pub is_columns: bool,
}

impl Bases {
    /// # Errors
    /// When no input is named, or the list of inputs cannot be read.
    pub fn new(arguments: BaseArgs, files: &Arc<Files>) -> Result<Self, CommandError> {
        let BaseArgs { reading, format } = arguments;
        let options = ReadOptions::default()
            .with_classes(Classes::default())
            .with_text(false)
            .with_positions(false)
            .with_marks(true)
            .with_encoding(reading.inputs.encoding);
        let run = Run::new(reading, options, true, files)?;
        #[cfg(feature = "arrow")]
        let is_columns = format == BasesFormatArg::Arrow;
        #[cfg(feature = "arrow")]
        if is_columns {
            unless_batches_fit(&run, false)?;
        }
        Ok(Self {
            run,
            format: format.into(),
            #[cfg(feature = "arrow")]
            is_columns,
        })
    }
}

impl Run {
    /// # Errors
    /// When no input is named, or the list of inputs cannot be read.
    pub fn new(
        reading: ReadingArgs,
        options: ReadOptions,
        marks_beside: bool,
        files: &Arc<Files>,
    ) -> Result<Self, CommandError> {
        let ReadingArgs {
            inputs,
            base,
            output,
        } = reading;
        let policy = base.policy();
        let retrieval = retrieval_urls(base, files)?.with_marks(marks_beside);
        let file = output.file().map(Path::to_owned);
        let OutputArgs {
            output: _,
            color,
            quiet,
            verbose,
            messages,
            notes_as_errors,
        } = output;
        let output = file;
        let is_terminal = output.is_none() && io::stdout().is_terminal();
        let color = has_color(color, is_terminal);
        let verbosity = match (quiet, verbose) {
            (true, _) => Verbosity::Quiet,
            (_, true) => Verbosity::Verbose,
            _ => Verbosity::Normal,
        };
        Ok(Self {
            paths: named_paths(&inputs.paths, inputs.files_from.as_deref(), &[], files)?,
            walk: Walk::new(inputs.hidden, inputs.follow, &inputs.glob)
                .map_err(|error| CommandError::argument("--glob", error))?,
            jobs: inputs
                .jobs
                .and_then(|jobs| NonZeroUsize::new(jobs.into()))
                .or_else(|| thread::available_parallelism().ok())
                .unwrap_or(NonZeroUsize::MIN),
            files: Arc::clone(files),
            stdin_name: inputs.stdin_name,
            format: inputs.input.0,
            deleted: inputs.deleted,
            retrieval,
            policy,
            options,
            output,
            shown: is_terminal || color,
            color,
            messages: Messages::new(verbosity, messages.into()),
            fails_on_notes: notes_as_errors,
        })
    }
}

/// Whether an output has colours, given whether it is a terminal.
pub(super) fn has_color(color: ColorArg, is_terminal: bool) -> bool {
    match color {
        ColorArg::Always => true,
        ColorArg::Never => false,
        ColorArg::Auto => is_terminal && terminal_has_color(),
    }
}

/// Whether the user wants colors, according to the environment (no-color.org), and the terminal
/// supports them.
fn terminal_has_color() -> bool {
    let is_set = |name| env::var_os(name).is_some_and(|value| !value.is_empty());
    !is_set("NO_COLOR") && env::var_os("TERM").is_none_or(|term| term != "dumb")
}

fn retrieval_urls(base: BaseOfArgs, files: &Files) -> Result<RetrievalUrls, CommandError> {
    let mut urls = RetrievalUrls::new(base.url);
    for map in base.url_map {
        let directory = match &map {
            UrlMap::Below(directory, _)
            | UrlMap::Mirror(directory, _)
            | UrlMap::HtTrack(directory) => directory.clone(),
        };
        if !directory.is_dir() {
            return Err(CommandError::NotDirectory(directory));
        }
        if let UrlMap::Mirror(directory, scheme) = &map {
            let prefix = if *scheme == "http" {
                "wget+http:"
            } else {
                "wget:"
            };
            let written = format!("{prefix}{}", directory.display());
            audits::check_mirror(&written, directory, files)?;
        }
        let is_new = match map {
            UrlMap::Below(directory, url) => urls.add_map(&directory, url),
            UrlMap::Mirror(directory, scheme) => urls.add_mirror(&directory, scheme),
            UrlMap::HtTrack(directory) => urls
                .add_httrack(&directory, files)
                .map_err(|error| CommandError::argument("--url-map", error))?,
        };
        if !is_new {
            return Err(CommandError::MappedTwice(directory));
        }
    }
    Ok(urls)
}

/// The paths from the command line and then from `--files-from`; without any, standard input unless it
/// is a terminal. `reports` are the files of `--status`, which may be standard input, too.
pub(super) fn named_paths(
    named: &[PathBuf],
    files_from: Option<&Path>,
    reports: &[PathBuf],
    files: &Files,
) -> Result<Vec<PathBuf>, CommandError> {
    if let Some(url) = named.iter().find(|path| is_url(path)) {
        return Err(CommandError::UrlAsPath(url.clone()));
    }
    let others = || {
        let list = stdin::named("--files-from", files_from);
        list.chain(stdin::named("--status", reports))
    };
    let mut paths = named.to_vec();
    let mut argument = "PATH";
    if let Some(list) = files_from {
        stdin::check(stdin::named("PATH", named).chain(others()))?;
        let bytes =
            list_of_paths(list, files).map_err(|error| CommandError::unreadable(list, error))?;
        paths.extend(walk::listed_paths(&bytes));
    } else if paths.is_empty() {
        if io::stdin().is_terminal() {
            let text = "name a file or directory, or `-` for standard input";
            return Err(CommandError::Usage(text));
        }
        paths.push(PathBuf::from("-"));
        argument = "the PATH left out";
    }
    stdin::check(stdin::named(argument, &paths).chain(others()))?;
    Ok(paths)
}

/// Whether a path is really a URL.
fn is_url(path: &Path) -> bool {
    let text = path.to_string_lossy();
    let is_web = text.split_once("://").is_some_and(|(scheme, _)| {
        matches!(
            &*scheme.to_ascii_lowercase(),
            "http" | "https" | "ftp" | "file"
        )
    });
    is_web && !path.exists()
}

fn list_of_paths(list: &Path, files: &Files) -> io::Result<Vec<u8>> {
    if is_stdin(list) {
        let mut bytes = Vec::new();
        files.stdin(Role::Paths)?.read_to_end(&mut bytes)?;
        Ok(bytes)
    } else {
        files.read(list, Role::Paths)
    }
}
