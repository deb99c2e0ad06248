//! The checks of saved trees: keyword arguments in, batches of findings out.

use std::env;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::SyncSender;

use baseref_audit::run as audits;
use baseref_audit::{Crawl, Scope};
use baseref_document::{Origin, ReadError};
use baseref_evidence::captures::Tier;
use baseref_files::Files;
use baseref_files::url_filter::UrlFilter;
use baseref_findings::judging::ConfigFile;
use baseref_findings::{
    Config, Finding, FindingSink, JudgedLink, Level, Levels, PageName, Rule, SettingsError, Shown,
    SinkError, Summary, Triage, judging,
};
use baseref_migration::MoveError;
use baseref_migration::verify_move as moves;
use baseref_report::arrow::{Columns, Rows};
use baseref_report::column::{Record, Selection};
use baseref_report::findings::{Findings, Format, Head, JudgedLinks, Options, Report, columns};
use baseref_run::guard;
use baseref_server::rule_set::{RuleSetError, read_redirects};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use time::{Date, OffsetDateTime};

use crate::errors;
use crate::options::{self, OnError};
use crate::records::Records;
use crate::stream::{Message, Numbers, SharedAccount, Stream};

/// The arguments of an audit.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct Audit {
    paths: Vec<PathBuf>,
    url_map: Vec<String>,
    url_alias: Vec<String>,
    hosting: Option<String>,
    index: Option<Vec<String>>,
    ext: Option<Vec<String>>,
    dir: Option<String>,
    case: Option<String>,
    links: Option<String>,
    resolver: String,
    input: String,
    encoding: Option<String>,
    glob: Vec<String>,
    include: Vec<String>,
    exclude: Vec<String>,
    with_links: bool,
    unreferenced: bool,
    scope: Vec<String>,
    url_match: String,
    cdx: Vec<PathBuf>,
    redirects: Vec<String>,
}

/// The arguments of a move.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct Move {
    dir: PathBuf,
    from_: Option<String>,
    to: String,
    also_old: Vec<String>,
    moves: Vec<String>,
    new_tree: Option<PathBuf>,
    redirects: Vec<String>,
    prefix_redirect: bool,
    urls: Vec<PathBuf>,
}

/// Which findings count, and how they are returned.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct FindingOptions {
    level: String,
    rule: Vec<String>,
    allow: Vec<String>,
    config: Option<PathBuf>,
    baseline: Option<PathBuf>,
    baseline_strict: bool,
    jobs: usize,
    on_error: String,
    dictionaries: bool,
    batch_bytes: usize,
}

/// Why a check has no result.
#[derive(Debug, thiserror::Error)]
enum CheckError {
    #[error(transparent)]
    Settings(#[from] SettingsError),
    #[error(transparent)]
    Audit(#[from] audits::AuditError),
    #[error(transparent)]
    Move(#[from] MoveError),
    #[error(transparent)]
    RuleSet(#[from] RuleSetError),
    #[error(transparent)]
    Sink(#[from] SinkError),
}

/// A check ready to begin: passes on findings, and returns the totals and the errors.
type Check = Box<
    dyn FnOnce(NonZeroUsize, &mut dyn FindingSink) -> Result<(Summary, Vec<ReadError>), CheckError>
        + Send,
>;

/// Makes a check from the configuration, each time its records are requested.
type Plan = Box<dyn Fn(&mut Config) -> Result<Check, CheckError> + Send + Sync>;

/// How links of captured pages are judged.
fn crawl(scopes: &[String], url_match: &str) -> PyResult<Crawl> {
    let named = |name: &str, error: &str| PyValueError::new_err(format!("{name}: {error}"));
    let scopes = scopes.iter().map(|scope| {
        let read = scope.parse::<Scope>();
        read.map_err(|error| named("scope", &format!("{scope:?}: {error}")))
    });
    let scopes = scopes.collect::<PyResult<Vec<_>>>()?;
    let mut tiers = Tier::ALL.into_iter();
    let tier = tiers.find(|tier| tier.as_str() == url_match);
    let tier = tier.ok_or_else(|| {
        let error = format!("{url_match:?} is not one of exact, twin, loose");
        named("url_match", &error)
    })?;
    Ok(Crawl {
        scope: Scope::from_options(scopes),
        tier,
    })
}

pub(crate) fn audit(asked: Audit, judging: FindingOptions) -> PyResult<Records> {
    let links = asked.links.as_deref().map(options::classes).transpose()?;
    let with_links = asked.with_links;
    let urls = UrlFilter::new(&asked.include, &asked.exclude);
    let urls = urls.map_err(|error| PyValueError::new_err(error.to_string()))?;
    let request = audits::AuditRequest {
        paths: asked.paths,
        glob: asked.glob,
        links,
        rules: options::rules(&asked.resolver)?,
        format: options::format(&asked.input)?,
        encoding: options::encoding(asked.encoding.as_deref())?,
        urls,
        with_links: asked.with_links,
        unreferenced: asked.unreferenced,
        crawl: crawl(&asked.scope, &asked.url_match)?,
        cdx: asked.cdx,
        ..audits::AuditRequest::default()
    };
    let given = Config {
        url_map: asked.url_map,
        url_alias: asked.url_alias,
        hosting: asked.hosting,
        index: asked.index,
        ext: asked.ext,
        dir: asked.dir,
        case: asked.case,
        ..Config::default()
    };
    let plan = move |config: &mut Config| {
        // Arguments override the configuration.
        config.override_site(&given);
        let files = Arc::default();
        let planned = audits::Plan::new(request.clone(), config, &files)?;
        let redirects = read_redirects(&asked.redirects, planned.map(), &files)?;
        let planned = planned.with_redirects(redirects);
        let check = move |jobs, take: &mut dyn FindingSink| {
            Ok((planned.run(jobs, take)?.summary, Vec::new()))
        };
        Ok(Box::new(check) as Check)
    };
    let head = Head {
        command: "audit",
        rules: judging::with_common_rules(baseref_audit::rules::ALL),
        ..Head::default()
    };
    CheckRequest::records(Box::new(plan), head, judging, with_links)
}

pub(crate) fn verify_move(asked: Move, judging: FindingOptions) -> PyResult<Records> {
    let request = moves::MoveRequest {
        dir: asked.dir,
        from: asked.from_,
        to: asked.to,
        also_old: asked.also_old,
        moves: asked.moves,
        new_tree: asked.new_tree,
        redirects: asked.redirects,
        prefix_redirect: asked.prefix_redirect,
        urls: asked.urls,
        ..moves::MoveRequest::default()
    };
    let plan = move |config: &mut Config| {
        let request = moves::MoveRequest {
            hosting: audits::hosting(config)?,
            ..request.clone()
        };
        let planned = moves::Plan::new(request, &Arc::default())?;
        let check = move |jobs, take: &mut dyn FindingSink| {
            let moved = planned.run(jobs, take, None)?;
            let unread = moved.results.map(|results| results.unread);
            Ok((moved.summary, unread.unwrap_or_default()))
        };
        Ok(Box::new(check) as Check)
    };
    let head = Head {
        command: "verify-move",
        rules: judging::with_common_rules(baseref_migration::rules::ALL),
        moved: true,
        ..Head::default()
    };
    CheckRequest::records(Box::new(plan), head, judging, false)
}

/// A request.
struct CheckRequest {
    plan: Plan,
    head: Head,
    judging: FindingOptions,
    level: Level,
}

impl CheckRequest {
    /// The findings.
    fn records(
        plan: Plan,
        head: Head,
        judging: FindingOptions,
        with_links: bool,
    ) -> PyResult<Records> {
        let asked = Arc::new(Self {
            level: level(&judging.level)?,
            plan,
            head,
            judging,
        });
        let on_error = OnError::named(&asked.judging.on_error)?;
        // Impossible requests are refused immediately.
        Python::attach(|py| guarded(py, || asked.planned().map(drop)))?;
        let mut found = asked.records_of(on_error, &columns(asked.head.moved), take_findings);
        if with_links {
            // These come from a second reading, which has the same findings as the first.
            let links = asked.records_of(OnError::Collect, &Selection::default(), take_links);
            found.links = Some(Python::attach(|py| Py::new(py, links))?);
        }
        Ok(found)
    }

    fn records_of<R: Record>(
        self: &Arc<Self>,
        on_error: OnError,
        selection: &Selection<R>,
        take: fn(&Self, Check, Triage, Batches<R>) -> Result<(), CheckError>,
    ) -> Records {
        let asked = Arc::clone(self);
        let texts = options::texts(asked.judging.dictionaries);
        let columns = Arc::new(Columns::new(selection, texts));
        let schema = Arc::clone(columns.schema());
        let account = SharedAccount::default();
        let of_stream = Arc::clone(&schema);
        let start = move |py: Python<'_>, account: SharedAccount| {
            let (check, triage) = guarded(py, || asked.planned())?;
            let asked = Arc::clone(&asked);
            let columns = Arc::clone(&columns);
            let work = move |sender: SyncSender<Message>| {
                let batches = Batches {
                    columns,
                    rows: Rows::default(),
                    most: asked.judging.batch_bytes.max(1),
                    sender: sender.clone(),
                };
                if let Err(error) = take(&asked, check, triage, batches) {
                    // An error can no longer be reported.
                    let _ = sender.send(Message::Refused(error.to_string()));
                }
            };
            Ok(Stream::new(Arc::clone(&of_stream), on_error, account, work))
        };
        Records::from_start(start, schema, account)
    }

    fn planned(&self) -> Result<(Check, Triage), CheckError> {
        let known = &self.head.rules;
        let mut file = judging::config(self.judging.config.as_deref(), known, &Files::default())?;
        let check = (self.plan)(&mut file.config)?;
        Ok((check, self.judging.triage(file, known)?))
    }

    fn jobs(&self) -> NonZeroUsize {
        options::jobs(self.judging.jobs)
    }
}

/// Makes the call without the GIL; a refusal is a `ValueError`, a panic a `ReadError`.
fn guarded<T: Send>(
    py: Python<'_>,
    call: impl Fn() -> Result<T, CheckError> + Send + Sync,
) -> PyResult<T> {
    let origin = || Origin::new("the check");
    match py.detach(|| guard::guarded(origin, call)) {
        Ok(Ok(made)) => Ok(made),
        Ok(Err(error)) => Err(PyValueError::new_err(error.to_string())),
        Err(fault) => Err(errors::exception(py, &fault)),
    }
}

/// The level of that name.
fn level(name: &str) -> PyResult<Level> {
    let found = Level::REPORTED
        .into_iter()
        .find(|level| level.as_str() == name);
    found.ok_or_else(|| options::unknown("level", name, &Level::REPORTED.map(Level::as_str)))
}

impl FindingOptions {
    fn triage(&self, config: ConfigFile, known: &[&'static Rule]) -> Result<Triage, CheckError> {
        let request = judging::FindingOptions {
            rule: &self.rule,
            allow: &self.allow,
            baseline: self.baseline.as_deref(),
            baseline_strict: self.baseline_strict,
        };
        let files = Files::default();
        Ok(judging::triage(&request, config, known, today()?, &files)?)
    }
}

/// The day in UTC, by `SOURCE_DATE_EPOCH` or the clock.
fn today() -> Result<Date, CheckError> {
    match env::var("SOURCE_DATE_EPOCH") {
        Ok(epoch) => Ok(judging::day_of_epoch(&epoch)?),
        Err(_) => Ok(OffsetDateTime::now_utc().date()),
    }
}

/// Passes records to the stream, in batches of about `most` bytes.
struct Batches<R: Record> {
    columns: Arc<Columns<R>>,
    rows: Rows,
    most: usize,
    sender: SyncSender<Message>,
}

impl<R: Record> Batches<R> {
    fn append(&mut self, row: &R::Row<'_>) -> Result<(), SinkError> {
        let appended = self.columns.append(row, &mut self.rows);
        appended.map_err(|error| SinkError::Other(error.into()))?;
        if self.rows.bytes() >= self.most {
            self.flush()?;
        }
        Ok(())
    }

    fn flush(&mut self) -> Result<(), SinkError> {
        let finished = self.rows.finish();
        match finished.map_err(|error| SinkError::Other(error.into()))? {
            Some(done) => self.send(Message::Batch(done.batch)),
            None => Ok(()),
        }
    }

    fn send(&self, message: Message) -> Result<(), SinkError> {
        let gone = |_| SinkError::Other("the reader has gone".into());
        self.sender.send(message).map_err(gone)
    }
}

/// Takes the findings as in JSON Lines, and their totals.
fn take_findings(
    asked: &CheckRequest,
    check: Check,
    triage: Triage,
    batches: Batches<Findings>,
) -> Result<(), CheckError> {
    let mut taker = OfFindings {
        triage,
        level: asked.level,
        batches,
    };
    let (mut summary, unread) = check(asked.jobs(), &mut taker)?;
    let about_config = taker
        .triage
        .finish(unread.is_empty() && summary.unreadable == 0);
    taker.append(&about_config)?;
    taker.batches.flush()?;
    summary.totals = taker.triage.totals();
    for error in unread {
        taker.batches.send(Message::Unread(error))?;
    }
    let mut json = Vec::new();
    Report::new(Format::Jsonl, asked.head.clone(), Options::default())
        .end(&summary, &mut json)
        .map_err(|error| SinkError::Other(error.into()))?;
    taker.batches.send(Message::Summary(Numbers {
        json: String::from_utf8_lossy(&json).into_owned(),
        lines: summary.lines,
    }))?;
    Ok(())
}

struct OfFindings {
    triage: Triage,
    level: Level,
    batches: Batches<Findings>,
}

impl OfFindings {
    fn append(&mut self, findings: &[Finding]) -> Result<(), SinkError> {
        let level = self.level;
        let is_shown = |finding: &&Finding| finding.level >= level && finding.allowed().is_none();
        let mut shown = findings.iter().filter(is_shown);
        shown.try_for_each(|finding| self.batches.append(&finding))
    }
}

impl FindingSink for OfFindings {
    fn document(&mut self, _: &PageName, _: u64, findings: Vec<Finding>) -> Result<(), SinkError> {
        self.findings(findings)
    }

    fn findings(&mut self, mut findings: Vec<Finding>) -> Result<(), SinkError> {
        self.triage.document(&mut findings);
        self.append(&findings)
    }
}

/// Takes every link, but not the findings.
#[expect(
    clippy::needless_pass_by_value,
    reason = "what takes findings keeps it"
)]
fn take_links(
    asked: &CheckRequest,
    check: Check,
    triage: Triage,
    batches: Batches<JudgedLinks>,
) -> Result<(), CheckError> {
    let levels = triage.levels().clone();
    let mut taker = OfLinks { batches, levels };
    check(asked.jobs(), &mut taker)?;
    Ok(taker.batches.flush()?)
}

struct OfLinks {
    batches: Batches<JudgedLinks>,
    /// A link does not name the rules that are off.
    levels: Levels,
}

impl FindingSink for OfLinks {
    fn shown(&self) -> Shown {
        Shown {
            level: Level::Note,
            levels: self.levels.clone(),
            ..Shown::default()
        }
    }

    fn links(&mut self, page: &PageName, links: &[JudgedLink]) -> Result<(), SinkError> {
        let mut links = links.iter();
        links.try_for_each(|link| self.batches.append(&(page, link)))
    }

    fn document(&mut self, _: &PageName, _: u64, _: Vec<Finding>) -> Result<(), SinkError> {
        Ok(())
    }

    fn findings(&mut self, _: Vec<Finding>) -> Result<(), SinkError> {
        Ok(())
    }
}
