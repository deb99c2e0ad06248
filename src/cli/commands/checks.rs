//! The checking commands, `baseref audit` and `baseref verify-move`: making the request, and
//! handling the findings.

use std::collections::{BTreeMap, HashSet};
use std::io::{self, IsTerminal, Write};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use super::audit_fix::{self, AuditFix};
use super::findings::{self, CheckOutputs};
use super::fixing::{
    FileEdits, FixTarget, FixedFile, Original, Originals, UNREADABLE, commit_written, left_out,
    mended,
};
use super::saved_page;
use crate::cli::args::SavedFromArg;
use crate::cli::args::audit::AuditArgs;
use crate::cli::args::findings::{FindingsArgs, OutFormat};
use crate::cli::args::hosting::HostingArgs;
use crate::cli::args::verify_move::VerifyMoveArgs;
use crate::cli::config;
use crate::cli::error::CommandError;
use crate::cli::message::{Message, Messages};
use crate::cli::missing;
use crate::cli::outcome::Outcome;
use crate::cli::progress::FileProgress;
use crate::cli::stdin;
use baseref_audit as audit;
use baseref_audit::run as audits;
use baseref_audit::run::seeds;
use baseref_audit::{Crawl, MissingCaptures, Scope};
use baseref_evidence::link_reports::ReportFiles;
use baseref_files::folder::{FolderCopy, NewFolder};
use baseref_files::output::OutputFile;
use baseref_files::url_filter::UrlFilter;
use baseref_files::{Files, OutputError, Role};
use baseref_findings::words::plural;
use baseref_findings::{Config, PageName, judging};
use baseref_migration as relocate;
use baseref_migration::addresses::{MissingRules, Row};
use baseref_migration::page::Judgement;
use baseref_migration::verify_move::{self as moves, FixPage, MoveResults};
use baseref_report::findings::{Format, Head};
use baseref_server::Dialect;
use baseref_server::rule_set::read_redirects;
use baseref_site::hosting::Hosting;
use baseref_walk::{self as walk, Walk};

/// # Errors
/// On bad usage, and if an output cannot be written.
pub fn audit(arguments: &AuditArgs, files: &Arc<Files>) -> Result<Outcome, CommandError> {
    let known = judging::with_common_rules(audit::rules::ALL);
    if findings::print_about_rules(&arguments.findings, &known, files)? {
        return Ok(Outcome::Done);
    }
    let is_of_move = |(format, _): &(OutFormat, PathBuf)| {
        matches!(
            format,
            OutFormat::UrlMap | OutFormat::Redirects(_) | OutFormat::Recheck
        )
    };
    if arguments.findings.out.iter().any(is_of_move) {
        let text = "--out urlmap, recheck and redirects.DIALECT belong to `baseref verify-move`";
        return Err(CommandError::Usage(text));
    }
    if arguments.with_links && !arguments.findings.has_output(Format::Jsonl) {
        let text = "--with-links: only jsonl lists links: -f jsonl, or --out jsonl=FILE";
        return Err(CommandError::Usage(text));
    }
    let mut file = judging::config(arguments.findings.config.as_deref(), &known, files)?;
    file.config.override_site(&typed(arguments));
    let config = &file.config;
    let mut request = request(arguments, files)?;
    let missing = leave_out_missing(&mut request);
    let earlier = if missing.is_empty() {
        against(arguments, &request, config, files)?
    } else {
        None
    };
    let paths = request.paths.clone();
    let planned = audits::Plan::new(request, config, files)?;
    let redirects = read_redirects(&arguments.redirects, planned.map(), files)?;
    let planned = planned.with_redirects(redirects);
    let planned = match arguments.against.as_deref().filter(|_| earlier.is_some()) {
        Some(old) if files.is_dir(old) => planned.with_earlier(old),
        _ => planned,
    };
    let fix = AuditFix::new(arguments, &paths, &planned, files)?;
    let head = Head {
        command: "audit",
        subject: subject(&arguments.paths),
        date: arguments.findings.report_date.clone().unwrap_or_default(),
        rules: known,
        lines: planned.head(),
        baseline: earlier.is_some(),
        ..Head::default()
    };
    let mut trees = planned.trees();
    trees.extend(earlier.iter().flat_map(audits::Plan::trees));
    let mut checked = CheckOutputs::new(&arguments.findings, file, &head, &trees, files)?;
    // Errors in the arguments are reported first.
    findings::messages(&arguments.findings).end(&missing);
    if paths.is_empty() {
        return Ok(Outcome::Unread);
    }
    let tables = tables(arguments.findings.out.as_slice(), files)?;
    if let Some(fix) = &fix {
        checked.replace_by(audit_fix::rules(arguments));
        if fix.prints() && arguments.findings.output.is_none() {
            checked.keep_off_stdout();
        }
    }
    let jobs = jobs(arguments.jobs);
    if let Some(earlier) = earlier {
        checked.only_new(|take| Ok(earlier.run(jobs, take)?.summary))?;
    }
    checked.count_unread(missing.len() as u64);
    let progress = progress(&arguments.findings, files, size_of(&planned));
    let audited = planned.run_streaming(jobs, &mut checked);
    drop(progress);
    checked.tell();
    let audited = audited?;
    let hint = checked
        .lacks_base()
        .then(|| saved_page::hint(arguments, files));
    let hint: Vec<Message> = hint.flatten().into_iter().collect();
    findings::messages(&arguments.findings).end(&hint);
    let messages = [
        without_seeds(&tables, &audited.missing),
        without_pages(&tables, &audited.missing),
    ];
    for message in messages.into_iter().flatten() {
        findings::messages(&arguments.findings).end(&[message]);
    }
    let tables = write_seeds(tables, &audited.missing)?;
    let mut fixed = match fix.zip(checked.replacements()) {
        Some((fix, replacements)) => Some(fix.write(&replacements, jobs, files)?),
        None => None,
    };
    let folder = fixed.as_mut().and_then(|fixed| fixed.folder.take());
    let outcome = checked.finish(audited.summary, tables, folder)?;
    Ok(match fixed {
        Some(fixed) => {
            findings::messages(&arguments.findings).end(&fixed.messages);
            if fixed.is_incomplete {
                Outcome::Unread
            } else {
                outcome
            }
        }
        None => outcome,
    })
}

/// A progress bar for a check that reads `total` bytes, unless standard output shows findings
/// meanwhile.
fn progress(
    arguments: &FindingsArgs,
    files: &Files,
    total: impl Fn() -> u64 + Send + Sync + 'static,
) -> Option<FileProgress> {
    let shows_meanwhile = arguments.format != Format::Text || arguments.no_group;
    let is_shown = arguments.output.is_none() && io::stdout().is_terminal();
    if arguments.quiet || is_shown && shows_meanwhile {
        return None;
    }
    FileProgress::new(files, total)
}

/// The bytes of all files that an audit reads.
fn size_of(planned: &audits::Plan) -> impl Fn() -> u64 + Send + Sync + 'static {
    let mut paths = Vec::new();
    planned.each_path(|path| paths.push(path.to_owned()));
    let size = |path: &PathBuf| path.metadata().map_or(0, |metadata| metadata.len());
    move || paths.iter().map(size).sum()
}

/// The message about missing files that no list of seeds can have, if one was asked for.
fn without_seeds(tables: &[(OutFormat, OutputFile)], lacked: &MissingCaptures) -> Option<Message> {
    let is_of_seeds = |(format, _): &(OutFormat, OutputFile)| *format != OutFormat::PagesCsv;
    if lacked.without_url() == 0 || !tables.iter().any(is_of_seeds) {
        return None;
    }
    let links = plural(lacked.without_url(), "link leads", "links lead");
    let text = format!(
        "{links} to missing files that are not among the seeds: no URL of the site is known; give \
         --url-map FOLDER=URL"
    );
    Some(Message::info("without-seed", text))
}

/// The message about a table of pages that stays empty, if one was asked for.
fn without_pages(tables: &[(OutFormat, OutputFile)], lacked: &MissingCaptures) -> Option<Message> {
    let is_of_pages = |(format, _): &(OutFormat, OutputFile)| *format == OutFormat::PagesCsv;
    let is_empty = lacked.pages().next().is_none() && tables.iter().any(is_of_pages);
    let text = "the table of pages is empty: it lists pages of web archives and saved pages with their \
                URLs, and none were read";
    is_empty.then(|| Message::info("without-pages", text))
}

/// Writes the URLs that were not captured to the requested tables.
fn write_seeds(
    tables: Vec<(OutFormat, OutputFile)>,
    lacked: &MissingCaptures,
) -> Result<Vec<OutputFile>, CommandError> {
    let written = tables.into_iter().map(|(format, mut file)| {
        let seeds = match format {
            OutFormat::PagesCsv => seeds::pages_csv(lacked),
            OutFormat::SeedsCsv => seeds::csv(lacked),
            OutFormat::AllSeeds => seeds::list_all(lacked),
            _ => seeds::list(lacked),
        };
        let written = file.write_all(&seeds);
        written.map_err(|error| OutputError::io(&file.name(), error))?;
        Ok(file)
    });
    written.collect()
}

/// Takes the paths that do not exist out of the request, and returns a message for each.
fn leave_out_missing(request: &mut audits::AuditRequest) -> Vec<Message> {
    let mut missing = Vec::new();
    request.paths.retain(|path| {
        let message = missing::message(path);
        let exists = message.is_none();
        missing.extend(message);
        exists
    });
    missing
}

fn request(
    arguments: &AuditArgs,
    files: &Arc<Files>,
) -> Result<audits::AuditRequest, CommandError> {
    Ok(audits::AuditRequest {
        paths: config::named_paths(
            &arguments.paths,
            arguments.files_from.as_deref(),
            &arguments.measured.status,
            files,
        )?,
        glob: arguments.glob.clone(),
        hidden: arguments.hidden,
        links: arguments.links,
        protected: protected(arguments.protect_domains.as_deref(), files)?,
        rules: arguments.resolver.into(),
        format: arguments.input.0,
        encoding: arguments.encoding,
        urls: UrlFilter {
            include: arguments.include.clone(),
            exclude: arguments.exclude.clone(),
        },
        with_links: arguments.with_links,
        unreferenced: arguments.unreferenced,
        url: arguments.url.clone(),
        marks: arguments.saved_from == SavedFromArg::Auto,
        follow: arguments.follow,
        reports: ReportFiles {
            archive: arguments.archive_url.clone(),
            ..arguments.measured.request()?
        },
        crawl: Crawl {
            scope: Scope::from_options(arguments.scope.clone()),
            tier: arguments.url_match.into(),
        },
        cdx: arguments.cdx.clone(),
        lists_missing: arguments.findings.out.iter().any(|out| is_table(out.0)),
    })
}

/// The domains in a list: one a line, without empty lines and those that begin with `#`.
fn protected(list: Option<&Path>, files: &Files) -> Result<Vec<String>, CommandError> {
    let Some(list) = list else {
        return Ok(Vec::new());
    };
    let text = files.read_text(list, Role::Addresses);
    let text = text.map_err(|error| CommandError::unreadable(list, error))?;
    let lines = text.lines().map(str::trim);
    let lines = lines.filter(|line| !line.is_empty() && !line.starts_with('#'));
    Ok(lines.map(str::to_owned).collect())
}

/// The audit of the earlier state of PATH, if `--against` names one.
fn against(
    arguments: &AuditArgs,
    request: &audits::AuditRequest,
    config: &Config,
    files: &Arc<Files>,
) -> Result<Option<audits::Plan>, CommandError> {
    let Some(old) = &arguments.against else {
        return Ok(None);
    };
    let [new] = request.paths.as_slice() else {
        let text = "--against: it takes an earlier state of one PATH";
        return Err(CommandError::Usage(text));
    };
    is_earlier_state(old, new)?;
    let old_request = audits::AuditRequest {
        paths: vec![old.clone()],
        with_links: false,
        unreferenced: false,
        lists_missing: false,
        ..request.clone()
    };
    let is_of_new = |map: &String| {
        let (directory, address) = map.split_once('=')?;
        let is_new = Path::new(directory).components().eq(new.components());
        is_new.then(|| format!("{}={address}", old.display()))
    };
    let url_map = config.url_map.iter();
    let config = Config {
        url_map: url_map
            .map(|map| is_of_new(map).unwrap_or_else(|| map.clone()))
            .collect(),
        ..config.clone()
    };
    let plan = || {
        let planned = audits::Plan::new(old_request, &config, files)?;
        let redirects = read_redirects(&arguments.redirects, planned.map(), files)?;
        Ok(planned.with_redirects(redirects))
    };
    plan()
        .map(Some)
        .map_err(|error: CommandError| CommandError::argument("--against", error))
}

/// The subject of a report, as the user typed it.
fn subject(paths: &[PathBuf]) -> String {
    const NAMED: usize = 3;
    let mut named: Vec<String> = paths
        .iter()
        .take(NAMED)
        .map(|path| match path.file_name() {
            Some(_) => path.display().to_string(),
            None => name_of(path),
        })
        .collect();
    if paths.len() > NAMED {
        named.push(format!("and {} more", paths.len() - NAMED));
    }
    named.join(", ")
}

/// The name of the folder that `.` or `..` refers to, without its path: reports contain no absolute
/// paths.
fn name_of(path: &Path) -> String {
    let folder = path.canonicalize().ok();
    let name = folder.as_deref().and_then(Path::file_name).map(Path::new);
    name.unwrap_or(path).display().to_string()
}

/// The options for sites and their hosting, in the form of a configuration.
fn typed(arguments: &AuditArgs) -> Config {
    Config {
        url_map: arguments.url_map.clone(),
        url_alias: arguments.url_alias.clone(),
        ..arguments.hosting.settings()
    }
}

/// # Errors
/// On bad usage, and if an output cannot be written.
pub fn verify_move(
    arguments: &VerifyMoveArgs,
    files: &Arc<Files>,
) -> Result<Outcome, CommandError> {
    let is_of_audit = |(format, _): &(OutFormat, PathBuf)| {
        matches!(
            format,
            OutFormat::Seeds | OutFormat::AllSeeds | OutFormat::SeedsCsv | OutFormat::PagesCsv
        )
    };
    if arguments.findings.out.iter().any(is_of_audit) {
        let text = "--out seeds, seeds.all, seeds.csv and pages.csv belong to `baseref audit`";
        return Err(CommandError::Usage(text));
    }
    let known = judging::with_common_rules(relocate::rules::ALL);
    if findings::print_about_rules(&arguments.findings, &known, files)? {
        return Ok(Outcome::Done);
    }
    let config = judging::config(arguments.findings.config.as_deref(), &known, files)?;
    let missing = CommandError::Missing;
    let reports = stdin::named("--status", &arguments.measured.status);
    stdin::check(stdin::named("OLD", &arguments.dir).chain(reports))?;
    let request = moves::MoveRequest {
        dir: arguments.dir.clone().ok_or_else(|| missing("OLD"))?,
        from: arguments.from.clone(),
        to: arguments.to.clone().ok_or_else(|| missing("--to"))?,
        also_old: arguments.also_old.clone(),
        moves: arguments.moves.clone(),
        new_tree: arguments.new_tree.clone(),
        redirects: arguments.redirects.clone(),
        prefix_redirect: arguments.prefix_redirect,
        urls: arguments.urls.clone(),
        hosting: hosting(&arguments.hosting, &config.config)?,
        written: written(&arguments.findings.out),
        reports: arguments.measured.request()?,
    };
    let rechecks = |(format, _): &(OutFormat, PathBuf)| *format == OutFormat::Recheck;
    if request.reports.files.is_empty() && arguments.findings.out.iter().any(rechecks) {
        let text = "--out recheck: nothing was measured: give --status FILE";
        return Err(CommandError::Usage(text));
    }
    let earlier = move_against(arguments, &request, files)?;
    let named = [Some(&request.dir), request.new_tree.as_ref()];
    if let Some(outcome) = missing::refuse(named.into_iter().flatten().map(PathBuf::as_path)) {
        return Ok(outcome);
    }
    let read: Vec<PathBuf> = named.into_iter().flatten().cloned().collect();
    let planned = moves::Plan::new(request, files)?;
    let mut trees = planned.trees();
    let edits = Fixes::new(arguments, &trees, files)?;
    trees.extend(earlier.iter().flat_map(moves::Plan::trees));
    let head = Head {
        command: "verify-move",
        subject: subject(arguments.dir.as_slice()),
        date: arguments.findings.report_date.clone().unwrap_or_default(),
        rules: known,
        lines: planned.head(),
        moved: true,
        baseline: earlier.is_some(),
    };
    let mut checked = CheckOutputs::new(&arguments.findings, config, &head, &trees, files)?;
    if matches!(edits.fixing, Some(FixTarget::Patch)) && arguments.findings.output.is_none() {
        checked.keep_off_stdout();
    }
    let mut tables = tables(arguments.findings.out.as_slice(), files)?;
    let jobs = jobs(arguments.jobs);
    if let Some(earlier) = earlier {
        checked.only_new(|take| Ok(earlier.run(jobs, take, None)?.summary))?;
    }
    for path in planned.paths() {
        edits.originals.note(&path);
    }
    let walk = Walk::new(true, false, &[]).unwrap_or_default();
    let total = move || walk::total_size(&read, &walk);
    let progress = progress(&arguments.findings, files, total);
    let mend =
        |input: &str, name: &PageName, judged: &mut Judgement| edits.mended(input, name, judged);
    let mend: Option<&FixPage<'_>> = edits.fixing.is_some().then_some(&mend);
    let moved = planned.run(jobs, &mut checked, mend)?;
    drop(progress);
    let mut folder = None;
    let mut refused = false;
    if let Some(verified) = &moved.results {
        for (format, file) in &mut tables {
            let written = file.write_all(&table(*format, verified));
            written.map_err(|error| OutputError::io(&file.name(), error))?;
        }
        let mut unread: Vec<Message> = verified.unread.iter().map(Message::from_error).collect();
        unread.extend(Message::skipped(&unread, false));
        findings::messages(&arguments.findings).end(&unread);
        refused = edits.report(verified);
        folder = edits.write(verified, files)?;
    }
    let tables = tables.into_iter().map(|(_, file)| file).collect();
    let outcome = checked.finish(moved.summary, tables, folder)?;
    Ok(if refused { Outcome::Unread } else { outcome })
}

/// The dialects in which missing rules are written.
fn written(out: &[(OutFormat, PathBuf)]) -> Vec<Dialect> {
    let formats = out.iter().map(|(format, _)| *format);
    let dialects = formats.filter_map(|format| match format {
        OutFormat::Redirects(dialect) => Some(dialect),
        _ => None,
    });
    dialects.collect()
}

/// The hosting of the sites, by the command line, or else by the configuration.
fn hosting(typed: &HostingArgs, config: &Config) -> Result<Hosting, CommandError> {
    let mut config = config.clone();
    config.override_site(&typed.settings());
    Ok(audits::hosting(&config)?)
}

/// The check of an earlier state, given by `--against`, of the site that will be served.
fn move_against(
    arguments: &VerifyMoveArgs,
    request: &moves::MoveRequest,
    files: &Arc<Files>,
) -> Result<Option<moves::Plan>, CommandError> {
    let Some(old) = &arguments.against else {
        return Ok(None);
    };
    let new = request.new_tree.as_ref().unwrap_or(&request.dir);
    is_earlier_state(old, new)?;
    let mut earlier = request.clone();
    // Reports of link checkers are about the present state.
    earlier.reports = ReportFiles::default();
    match &mut earlier.new_tree {
        Some(tree) => tree.clone_from(old),
        None => earlier.dir.clone_from(old),
    }
    moves::Plan::new(earlier, files)
        .map(Some)
        .map_err(|error| CommandError::argument("--against", error))
}

/// # Errors
/// If `old` does not exist, or is the present state.
fn is_earlier_state(old: &Path, new: &Path) -> Result<(), CommandError> {
    if !old.exists() {
        return Err(CommandError::NoEarlierState(old.to_owned()));
    }
    if let (Ok(old), Ok(same)) = (old.canonicalize(), new.canonicalize())
        && old == same
    {
        let text = "--against: it is what is checked, which has nothing that it had not";
        return Err(CommandError::Usage(text));
    }
    Ok(())
}

pub(super) fn jobs(named: Option<u16>) -> NonZeroUsize {
    named
        .and_then(|jobs| NonZeroUsize::new(jobs.into()))
        .or_else(|| thread::available_parallelism().ok())
        .unwrap_or(NonZeroUsize::MIN)
}

/// Whether an output is not a report.
fn is_table(format: OutFormat) -> bool {
    !matches!(format, OutFormat::Report(_))
}

/// The outputs that are not reports, created.
fn tables(
    out: &[(OutFormat, PathBuf)],
    files: &Arc<Files>,
) -> Result<Vec<(OutFormat, OutputFile)>, CommandError> {
    let tables = out.iter();
    tables
        .filter(|out| is_table(out.0))
        .map(|(format, path)| Ok((*format, files.create(Some(path))?)))
        .collect()
}

fn table(format: OutFormat, verified: &MoveResults<'_>) -> Vec<u8> {
    match format {
        OutFormat::Redirects(dialect) => missing_rules(dialect, &verified.missing),
        OutFormat::Recheck => {
            let lines = verified.recheck.iter().flat_map(|url| [url, "\n"]);
            lines.collect::<String>().into_bytes()
        }
        OutFormat::UrlMap
        | OutFormat::Report(_)
        | OutFormat::Seeds
        | OutFormat::AllSeeds
        | OutFormat::SeedsCsv
        | OutFormat::PagesCsv => url_map(&verified.rows),
    }
}

/// The fixed files of a move.
struct Fixes<'f> {
    fixing: Option<FixTarget>,
    originals: Originals<'f>,
    /// The edits for a new folder, by the paths of the files in the old tree.
    fixed: Mutex<BTreeMap<PathBuf, FileEdits>>,
    /// The number of values edited.
    edits: AtomicU64,
}

impl<'f> Fixes<'f> {
    fn new(
        arguments: &VerifyMoveArgs,
        trees: &[PathBuf],
        files: &'f Files,
    ) -> Result<Self, CommandError> {
        let is_archive = arguments.dir.as_ref().is_some_and(|dir| !dir.is_dir());
        if arguments.fix.is_some() && is_archive {
            let text =
                "--fix edits the files of a folder: the members of an archive are left as they are";
            return Err(CommandError::Usage(text));
        }
        if arguments.fix.is_some() && arguments.new_tree.is_some() {
            let text = "--fix edits OLD; fix a rebuilt site in its generator, or by `baseref rewrite --move`";
            return Err(CommandError::Usage(text));
        }
        let fix = arguments.fix.as_deref();
        let read: Vec<&Path> = trees.iter().map(PathBuf::as_path).collect();
        Ok(Self {
            fixing: fix.map(|fix| FixTarget::new(fix, &read)).transpose()?,
            originals: Originals::new(files, &[], false),
            fixed: Mutex::default(),
            edits: AtomicU64::new(0),
        })
    }

    /// The patch of a page; empty if it is not edited. For a new folder its edits are kept.
    fn mended(&self, input: &str, name: &PageName, judged: &mut Judgement) -> Vec<u8> {
        let bytes = std::mem::take(&mut judged.bytes);
        let mut edits = std::mem::take(&mut judged.edits);
        let Some(fixing) = self.fixing.as_ref().filter(|_| !edits.is_empty()) else {
            return Vec::new();
        };
        let paths = match self.originals.original(input, &bytes) {
            Original::Stored(paths) => paths,
            Original::Packed => {
                judged.refused = true;
                return Vec::new();
            }
            Original::Linked => return Vec::new(),
        };
        self.edits.fetch_add(edits.len() as u64, Ordering::Relaxed);
        let (doc, key) = (&name.doc, &name.key);
        let mut patch = Vec::new();
        for path in paths {
            let dir = doc.strip_suffix(key.as_str()).unwrap_or_default();
            let own = path.strip_prefix(dir).unwrap_or(&path);
            let own = own.as_os_str().as_encoded_bytes();
            match mended(fixing, own, &bytes, &mut edits) {
                FixedFile::Patch(one) => patch.extend(one),
                FixedFile::Edits(edits) => {
                    let mut fixed = self.fixed.lock().unwrap_or_else(PoisonError::into_inner);
                    fixed.insert(path, edits);
                }
            }
        }
        patch
    }

    /// Reports what is not fixed, and returns whether any file was refused.
    fn report(&self, verified: &MoveResults<'_>) -> bool {
        if self.fixing.is_none() {
            return false;
        }
        let refused = verified.pages.iter().filter(|page| page.judgement.refused);
        let mut is_refused = false;
        for page in refused {
            is_refused = true;
            let text = format!(
                "{}: mail, archives and compressed files are not edited: signatures and digests would break",
                page.name.doc
            );
            Messages::default().end(&[Message::error("not-edited", text)]);
        }
        let not_edited: usize = verified
            .pages
            .iter()
            .map(|page| page.judgement.not_edited)
            .sum();
        if not_edited > 0 {
            let links = plural(not_edited as u64, "link", "links");
            let text = format!("{links} not edited: `--level warning` shows which, and why");
            Messages::default().end(&[Message::info("not-edited", text)]);
        }
        let edits = self.edits.load(Ordering::Relaxed);
        let text = format!("{} edited", plural(edits, "value", "values"));
        Messages::default().end(&[Message::info("summary", text)]);
        let links = self.originals.account();
        Messages::default().end(&links.into_iter().collect::<Vec<_>>());
        is_refused
    }

    /// Prints the patch, or builds the new folder.
    fn write(
        &self,
        verified: &MoveResults<'_>,
        files: &Arc<Files>,
    ) -> Result<Option<NewFolder>, CommandError> {
        match &self.fixing {
            None => Ok(None),
            Some(FixTarget::Patch) => {
                let mut out = files.stdout();
                // Files with the same name in messages and the same content are patched together.
                let mut seen = HashSet::new();
                let mut patches = verified
                    .pages
                    .iter()
                    .filter(|page| !page.name.key.contains(UNREADABLE) || seen.insert(&page.fixed));
                let written = patches.try_for_each(|page| out.write_all(&page.fixed));
                commit_written(out, written)?;
                Ok(None)
            }
            Some(FixTarget::Folder(path)) => {
                let tree = verified.old_tree.root();
                let fixed = self.fixed.lock().unwrap_or_else(PoisonError::into_inner);
                let edited = |path: &Path| Some(fixed.get(path)?.applied(path, files));
                let mut folder = files.build(path)?;
                let how = FolderCopy::new(Some(tree), false, &edited);
                folder.copy(tree, Path::new(""), how)?;
                Messages::default().end(&left_out(&folder));
                Ok(Some(folder))
            }
        }
    }
}

/// The map of addresses; with their weights, if a list gives any.
fn url_map(rows: &[Row]) -> Vec<u8> {
    let mut out = csv::Writer::from_writer(Vec::new());
    let is_weighted = rows.iter().any(|row| !row.weight.is_empty());
    let has_proposed = rows.iter().any(Row::needs_proposed_rule);
    let mut columns = vec![
        "old_url", "new_url", "status", "hops", "verdict", "own_hops",
    ];
    columns.extend(is_weighted.then_some("weight"));
    columns.extend(
        has_proposed
            .then_some(["proposed_url", "confidence"])
            .iter()
            .flatten(),
    );
    // Writing to memory does not fail.
    let _ = out.write_record(&columns);
    for row in rows {
        let status = match row.status {
            0 => String::new(),
            status => status.to_string(),
        };
        let (hops, own_hops) = (row.hops.to_string(), row.own_hops.to_string());
        let mut cells = vec![
            &*row.old_url,
            &row.new_url,
            &status,
            &hops,
            row.verdict.as_str(),
            &own_hops,
        ];
        cells.extend(is_weighted.then_some(&*row.weight));
        let proposed = row
            .proposed
            .as_deref()
            .filter(|_| row.needs_proposed_rule());
        let confidence = proposed.map_or_else(String::new, |one| format!("{:.2}", one.confidence));
        if has_proposed {
            cells.extend([proposed.map_or("", |one| &one.url), &confidence]);
        }
        let _ = out.write_record(&cells);
    }
    out.into_inner().unwrap_or_default()
}

/// The missing rules, from old addresses without one to their new ones. Standard error reports
/// those that are left out.
fn missing_rules(dialect: Dialect, all: &[MissingRules]) -> Vec<u8> {
    let Some(missing) = all.iter().find(|one| one.dialect == dialect) else {
        return Vec::new();
    };
    let say = |kind: &'static str, text: String| {
        Messages::default().end(&[Message::info(kind, text)]);
    };
    if missing.unknown > 0 {
        let lost = plural(missing.unknown, "lost page or file", "lost pages and files");
        let text =
            format!("{lost} without a rule in redirects.{dialect}: where each is now is not known");
        say("left-out", text);
    }
    if missing.proposed > 0 {
        let proposals = plural(missing.proposed, "proposal", "proposals");
        let text = format!(
            "redirects.{dialect} has {proposals} found by bytes, address, title or text: look at each before use"
        );
        say("proposed", text);
    }
    for placement in &missing.placement {
        say("placement", format!("redirects.{dialect}: {placement}"));
    }
    if missing.unusable > 0 {
        let redirects = plural(missing.unusable, "redirect", "redirects");
        let text = format!(
            "{redirects} left out of redirects.{dialect}: with them the old addresses would not reach \
             their pages"
        );
        say("left-out", text);
    }
    if missing.inexpressible > 0 {
        let redirects = plural(missing.inexpressible, "redirect", "redirects");
        let text = format!("{redirects} cannot be said in the language of {dialect}");
        say("left-out", text);
    }
    missing.text.clone().into_bytes()
}
