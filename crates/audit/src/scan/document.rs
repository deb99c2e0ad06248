//! Scans one document.

use std::cell::OnceCell;
use std::sync::Arc;

use crate::cache::Cache;
use crate::checks::{bases, canonical};
use crate::compare::Comparison;
use crate::context::audit_context::AuditContext;
use crate::mail::{Mail, Message};
use crate::model::class::LinkClass;
use crate::model::outcome::LinkOutcome;
use crate::model::provenance::Provenance;
use crate::model::scan::Scan;
use crate::model::sent_url::as_sent;
use crate::rules::doc::duplicate_id;
use crate::rules::doc::unreadable::Unreadable;
use crate::scan::inclusions;
use crate::scan::links::{self, ChosenReference};
use crate::scan::missing_choices::MissingChoices;
use crate::serving::declared_site::DeclaredSite;
use crate::serving::hints::lacking;
use crate::signals;
use crate::target::host;
use crate::view::page::{Latest, Page, bases};
use crate::view::page_date::PageDate;
use baseref_document::link_places::Grammar;
use baseref_document::{
    Capture, CaptureKind, Choice, Context, Place, Reference, RepeatedIdentifier, Retrieval,
};
use baseref_evidence::captures::{Builder, Number};
use baseref_findings::{Finding, SourceLine, SourceLines};
use baseref_reader::base::BaseSource;
use baseref_reader::links::DocumentLinks;
use baseref_resolve::parts::has_scheme;
use baseref_site::meta_refresh::forwards_fragment;
use baseref_site::names::Names;
use baseref_text::decode::encoding;

/// Where a document comes from.
#[derive(Clone, Copy)]
pub(crate) struct DocumentSource<'s> {
    /// The bytes that its positions refer to, if it is a whole file.
    pub(crate) bytes: Option<&'s [u8]>,
    pub(crate) provenance: Provenance,
    /// When it was captured, sent or saved, according to its container.
    pub(crate) date: Option<&'s str>,
    /// Whether the container has only the beginning of it.
    pub(crate) is_partial: bool,
    /// The number of its entry, if the container is a ZIM file.
    pub(crate) entry: Option<u32>,
}

/// Scans a document.
pub(crate) fn scan(
    ctx: &AuditContext,
    document_links: &DocumentLinks<'_>,
    source: DocumentSource<'_>,
    cache: &mut Cache,
    mut message: Option<(&mut Message, &Mail)>,
) -> Scan {
    let document = document_links.document();
    let ids = message
        .as_mut()
        .and_then(|(message, _)| message.ids(document));
    // A style sheet gives no hints.
    let is_page = document.reading.is_some();
    let is_saved = source.provenance == Provenance::Saved;
    let location = document_links.location().filter(|_| is_page || is_saved);
    let retrieval = retrieval_url(document_links);
    let url = location.as_deref().or(retrieval);
    let own = retrieval
        .and_then(|url| ctx.own_file(url))
        .filter(|_| document.origin.embedded.is_empty());
    let name = Arc::new(ctx.page_name(&document.origin, url));
    let base = cache.base(ctx.base_name(document_links.base()));
    let bases = bases(document_links);
    let has_loss = document.notes.iter().any(|note| note.code.is_loss());
    let is_damaged = document.is_damaged || has_loss || source.is_partial;
    let names = Names::new(&document.identifiers).partial(is_damaged);
    // In a ZIM file, links lead to the numbers of entries.
    let record = url
        .filter(|_| own.is_none() && is_page && ctx.book.is_none())
        .map(|url| ctx.record_key(url));
    let mut scan = Scan {
        encoding: encoding::named(document.encoding),
        kind: document.kind,
        is_part: !document.origin.embedded.is_empty(),
        is_damaged,
        is_decoded: !document.origin.section.is_empty(),
        own,
        record,
        entry: source.entry,
        provenance: source.provenance,
        ..Scan::new(Arc::clone(&name), Arc::clone(&base))
    };
    match own {
        // Images interpret their own fragments, but in an EPUB they are pages, too.
        Some(own) if is_page && (ctx.is_epub() || !ctx.is_image(own)) => {
            // If a page is read twice, its ids are the same.
            let _ = ctx.names_cell(own).set(names);
        }
        Some(_) => {}
        None => scan.names = names,
    }
    let mut page = Page {
        ctx,
        document_links,
        encoding: scan.encoding,
        source: source.bytes,
        name,
        base,
        comparison: Comparison::new(bases.each_ref().map(Option::as_deref), scan.encoding),
        own,
        entry: source.entry.filter(|_| document.origin.embedded.is_empty()),
        url,
        date: PageDate::new(source.date),
        provenance: source.provenance,
        lacking: lacking(ctx.serving(), document_links.base()),
        declared: DeclaredSite::from_base(ctx.serving(), own, document_links.base()),
        latest: Latest::default(),
        is_cached: false,
        is_private: url.is_some_and(host::is_private),
        ids,
        maps: OnceCell::new(),
    };
    let notes = document.notes.iter().chain(document_links.notes());
    for note in notes.filter(|note| note.code.is_loss()) {
        let cause = page.name.doc.clone();
        let reason = &*note.detail;
        let message = Unreadable::Document { reason };
        let finding = Finding::from_violation(message, &page.name, cause);
        scan.findings.push(finding);
    }
    bases::check(&page, &mut scan.findings);
    judge_links(ctx, &mut page, cache, &mut scan);
    canonical::check(&page, &mut scan.findings);
    scan.inclusions = inclusions::collect(&page);
    scan.signals = signals::collect(&page);
    if let Some((message, mail)) = message {
        message.check(&page, mail, &mut scan.findings);
    }
    scan.repeated = repeated(ctx, &page);
    page.complete(&mut scan.findings, &ctx.shown);
    scan.shrink();
    scan.store_bases(bases);
    scan
}

/// The duplicate ids of a page, with their source lines if these are shown.
fn repeated(ctx: &AuditContext, page: &Page<'_>) -> Vec<(RepeatedIdentifier, Option<SourceLine>)> {
    let repeated = &page.document().identifiers.repeated;
    let source = page.source.filter(|_| ctx.shows_lines(&duplicate_id::RULE));
    let mut lines = source.map(|source| SourceLines::new(source, page.encoding, repeated.len()));
    let with_line = |repeated: &RepeatedIdentifier| {
        let line = lines
            .as_mut()
            .and_then(|lines| lines.around(&repeated.at.byte));
        (repeated.clone(), line)
    };
    repeated.iter().map(with_line).collect()
}

/// Judges the links of a page, in document order.
fn judge_links(ctx: &AuditContext, page: &mut Page<'_>, cache: &mut Cache, scan: &mut Scan) {
    let document_links = page.document_links;
    let mut resolver = document_links.link_resolver();
    let is_shown = ctx.lists_links || ctx.wanted.is_some();
    cache.begin_page();
    page.is_cached = !is_shown && cache.references.enter(page);
    let is_archived = page.provenance == Provenance::Archive;
    let mut missing = MissingChoices::new(page);
    for (seq, reference) in (1..).zip(document_links.document().references.iter()) {
        let choice = page.choice(seq);
        // What HTML drops is no link.
        let is_judged =
            ctx.is_judged(reference.slot, is_archived) && choice != Some(Choice::Dropped);
        if !is_judged && !is_shown {
            if ctx.follows_all && reference.context != Context::Outside {
                links::refer(page, &resolver.link(seq, reference), cache);
            }
            scan.counts.add(LinkClass::NotJudged);
            continue;
        }
        if page.is_cached
            && let Some(outcome) = links::judge_known(
                page,
                ChosenReference {
                    reference: &reference,
                    choice,
                },
                cache,
                scan,
            )
        {
            scan.counts.add(outcome.class);
            find_alternative(&reference, choice, outcome, scan);
            forward(page, &reference, outcome, scan);
            continue;
        }
        let is_base = reference.context == Context::Outside;
        let link = resolver.link(seq, reference);
        let unjudged = if !is_judged {
            Some(LinkClass::NotJudged)
        } else if !ctx.is_wanted(&link) {
            Some(LinkClass::Filtered)
        } else {
            None
        };
        let first = scan.findings.len();
        let outcome = match unjudged {
            Some(class) => {
                if ctx.follows_all && !is_base {
                    links::refer(page, &link, cache);
                }
                LinkOutcome::new(class)
            }
            None => links::judge(page, &link, cache, scan),
        };
        find_alternative(&reference, choice, outcome, scan);
        missing.add(&reference, choice, outcome, first, scan);
        forward(page, &reference, outcome, scan);
        match link.url {
            Ok(url) if is_archived && ctx.lists_links => {
                let sent = as_sent(url, page.encoding);
                scan.add(&link.with_url(&sent), outcome, true);
            }
            _ => scan.add(&link, outcome, ctx.lists_links),
        }
    }
    missing.settle(page, scan);
}

/// Records that one of a group of alternatives was found: in a file, in its message, or in its own URL.
fn find_alternative(
    reference: &Reference<'_>,
    choice: Option<Choice>,
    outcome: LinkOutcome,
    scan: &mut Scan,
) {
    let Some(group) = choice.and_then(Choice::group) else {
        return;
    };
    let is_data = || has_scheme(reference.value.trim_ascii_start(), "data");
    if outcome.class == LinkClass::Ok || outcome.class == LinkClass::Opaque && is_data() {
        scan.deferred_mut().find(group);
    }
}

/// Records an instant meta refresh whose page has a script that forwards the fragment. Generators
/// write such pages in place of pages that moved. A refresh alone drops the fragment.
fn forward(page: &Page<'_>, reference: &Reference<'_>, outcome: LinkOutcome, scan: &mut Scan) {
    if reference.slot.grammar != Grammar::Refresh || scan.forwards.is_some() {
        return;
    }
    if outcome.class == LinkClass::Ok && page.source.is_some_and(forwards_fragment) {
        scan.forwards = outcome.file.filter(|file| Some(*file) != page.own);
    }
}

/// The provenance of a document, given whether its package holds saved pages, and the kind of its
/// capture if its container is an archive.
pub(crate) fn provenance(
    is_saved: bool,
    kind: Option<CaptureKind>,
    document_links: &DocumentLinks<'_>,
) -> Provenance {
    let is_snapshot = || {
        let mut candidates = document_links.base_report().candidates.iter();
        candidates.any(|candidate| {
            let record = Place::Retrieval(Retrieval::Record(SNAPSHOT));
            candidate.at == record
        })
    };
    if is_saved || kind == Some(CaptureKind::Saved) {
        Provenance::Saved
    } else if kind.is_some_and(|kind| kind != CaptureKind::Page) {
        Provenance::Archive
    } else if document_links.document().message.is_some()
        && (is_snapshot() || document_links.location().is_some())
    {
        Provenance::Saved
    } else {
        Provenance::Alone
    }
}

/// The header field in which browsers record the URL of a page saved as MHTML.
const SNAPSHOT: &str = "Snapshot-Content-Location";

/// Adds a page with a URL to the captures, unless its container already did.
pub(crate) fn add_capture(
    scan: &mut Scan,
    document_links: &DocumentLinks<'_>,
    number: Option<Number>,
    date: Option<&str>,
    captures: &mut Builder,
) {
    let is_embedded = !document_links.document().origin.embedded.is_empty();
    scan.capture = number;
    // A saved page needs what its style sheets do, so they are captures, too.
    let is_part = scan.provenance == Provenance::Saved && scan.own.is_none();
    let is_sheet = || is_part && document_links.location().is_some();
    if number.is_some() || is_embedded || scan.record.is_none() && !is_sheet() {
        return;
    }
    if let Some(url) = &scan.name.url {
        scan.capture = captures.add(&Capture::from_page(url, date));
    }
}

/// The URL that a document was retrieved from, if known.
fn retrieval_url<'e>(document_links: &'e DocumentLinks<'_>) -> Option<&'e str> {
    let mut candidates = document_links.base_report().candidates.iter();
    let retrieval = candidates
        .find(|candidate| candidate.source == BaseSource::Retrieval && candidate.url.is_some())?;
    retrieval.url.as_deref()
}
