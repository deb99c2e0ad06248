//! Judges the links of a document.

use std::sync::Arc;

use crate::cache::Cache;
use crate::cache::target::CachedTarget;
use crate::cache::url_cache::UrlId;
use crate::checks::{self, leads_to_itself};
use crate::compare::{Cause, Disagreement, Distance};
use crate::epub;
use crate::model::class::LinkClass;
use crate::model::deferred::{DeferredTarget, NewDeferredLink};
use crate::model::need::{may_name_element, need_of};
use crate::model::outcome::{Fragment, LinkOutcome};
use crate::model::provenance::Provenance;
use crate::model::scan::Scan;
use crate::model::sent_url::as_sent;
use crate::model::site_file::SiteFile;
use crate::model::target::{Remark, Resolved};
use crate::rules::resolve::disagrees::Disagrees;
use crate::rules::syntax::usemap::Usemap;
use crate::rules::target::escapes_tree::EscapesTree;
use crate::rules::target::missing_file::{self, MissingFile};
use crate::rules::target::missing_fragment::MissingFragment;
use crate::rules::target::{case_mismatch, redirected};
use crate::scan::saved_parts;
use crate::serving::own_links::{self, OwnLink};
use crate::serving::{hints, url_map};
use crate::target;
use crate::view::link::LinkView;
use crate::view::page::Page;
use baseref_document::link_places::Namespace;
use baseref_document::{Choice, Reference};
use baseref_evidence::captures::{Need, is_archivable};
use baseref_findings::{Finding, Level, Violation};
use baseref_reader::links::{Link, PartReference};
use baseref_resolve::parts::{self, without_fragment};
use baseref_resolve::{ResolveError, Rules, clean};
use baseref_site::fragment::name_in;

/// Judges a link: adds findings about it to those of its page, or defers it until all pages are
/// scanned.
pub(crate) fn judge(
    page: &Page<'_>,
    link: &Link<'_>,
    cache: &mut Cache,
    scan: &mut Scan,
) -> LinkOutcome {
    if let Some(finding) = saved_parts::failed_download(page, link) {
        scan.findings
            .extend(Some(finding).filter(|finding| !page.ctx.shown.drops(finding)));
        return LinkOutcome::new(LinkClass::NotCaptured);
    }
    let in_message = saved_parts::url_in_message(page, link);
    let placed = in_message.as_deref().map(|url| link.with_url(url));
    let link = placed.as_ref().unwrap_or(link);
    let reference = &link.reference;
    if reference.slot.attr == "usemap" {
        return use_map(page, link, &mut scan.findings);
    }
    if link.url == Err(ResolveError::TooLong) {
        // A finding about the document reports this.
        return LinkOutcome::new(LinkClass::NotJudged);
    }
    let value = reference.value;
    let first = scan.findings.len();
    let mut disagreement =
        compare(page, link, cache).filter(|_| !saved_parts::is_at_windows_path(page));
    let climb = disagreement.as_ref().and_then(|found| climb(page, found));
    let resolved = match link.url {
        Ok(url) => among_captures(page, look_up(page, url, cache)),
        Err(_) if leads_to_itself(link) => Resolved::nothing(LinkClass::Ok, false),
        Err(error) => Resolved::nothing(without_url(error), false),
    };
    // How far a book is below the root of its server is unknown, and that is all that differs.
    if page.ctx.book.is_some()
        && matches!(resolved.class, LinkClass::Outside | LinkClass::NotJudged)
    {
        disagreement = None;
    }
    if page.ctx.is_epub() && (climb.is_some() || is_path_absolute(value)) {
        scan.findings.push(epub_root_finding(page, link));
    }
    let resolved = match climb.as_ref().filter(|_| !page.ctx.is_epub()) {
        Some(climb) => {
            scan.serving_hints.climbs(climb.site, climb.levels);
            scan.findings
                .push(climb_finding(page, link, climb, resolved));
            Resolved::nothing(LinkClass::Outside, false)
        }
        None => resolved,
    };
    let disagreement = disagreement.map(|found| disagreement_finding(page, link, &found));
    let view = LinkView {
        page,
        link,
        resolved,
    };
    checks::find(view, &mut scan.findings);
    if scan.findings.len() == first
        && disagreement.is_none()
        && let Some(own) = judge_own_capture(page, link, scan)
    {
        if page.is_cached {
            remember(page, link, resolved, Vec::new(), cache);
        }
        return own;
    }
    let class = among_parts(page, link, resolved, scan);
    let own_links = own_links(page, link, class);
    scan.serving_hints.leads_elsewhere(&own_links);
    let mut fragment = Fragment::None;
    if let Ok(url) = link.url {
        add_hints(page, link, url, class, cache, scan);
        if resolved.notable {
            let leads_elsewhere = disagreement.as_ref().is_some_and(|(_, files)| *files);
            let remarks = remarks(page, url, cache);
            notable(page, link, &remarks, leads_elsewhere, &mut scan.findings);
            explain_by_base(page, link, url, first, scan);
        }
        fragment = points_to(&view, url, class, cache, scan);
    }
    let mut class = class;
    if leads_to_itself(link) {
        fragment = own_fragment(page, link, scan);
        if fragment == Fragment::Missing {
            class = LinkClass::MissingFragment;
        }
    }
    scan.findings
        .extend(disagreement.map(|(finding, _)| finding));
    // A link to another host can be notable without a finding only because the host is private.
    let is_expected = page.is_private && resolved.class == LinkClass::External;
    let is_usual = scan.findings.len() == first && (!resolved.notable || is_expected);
    if page.is_cached && is_usual && link.url.is_ok() {
        remember(page, link, resolved, own_links, cache);
    }
    if page.ctx.is_epub() {
        scan.findings[first..].iter_mut().for_each(epub::set_level);
    }
    let is_dropped = |finding: &mut Finding| page.ctx.shown.drops(finding);
    scan.findings.extract_if(first.., is_dropped).for_each(drop);
    LinkOutcome {
        class,
        file: resolved.file,
        how: resolved.how,
        fragment,
        end: "",
    }
}

/// The disagreement of the rule sets on a link.
fn compare(page: &Page<'_>, link: &Link<'_>, cache: &mut Cache) -> Option<Arc<Disagreement>> {
    let value = link.reference.value;
    if page.is_cached && page.has_base_of_page(link) {
        return cache.references.compare(page, value);
    }
    let found = page.with_comparison(link, |comparison| comparison.compare(value));
    found.map(Arc::from)
}

/// The class of a link among the parts of its message, or of its target if it leads to none.
fn among_parts(page: &Page<'_>, link: &Link<'_>, resolved: Resolved, scan: &mut Scan) -> LinkClass {
    if let PartReference::Part(_) = link.part {
        return LinkClass::Ok;
    }
    match saved_parts::missing_part(page, link) {
        Some(finding) => {
            scan.findings.push(finding);
            LinkClass::NotCaptured
        }
        None => resolved.class,
    }
}

/// Adds what a link says about where its site is served.
fn add_hints(
    page: &Page<'_>,
    link: &Link<'_>,
    url: &str,
    class: LinkClass,
    cache: &mut Cache,
    scan: &mut Scan,
) {
    // Where a book is served is for its readers to decide.
    if page.ctx.book.is_some() {
        return;
    }
    if is_path_absolute(link.reference.value) && matches!(class, LinkClass::Ok | LinkClass::Missing)
    {
        if class == LinkClass::Ok {
            scan.serving_hints.leads_from_root(page.ctx.serving(), url);
        } else {
            let serving = page.ctx.serving();
            if let Some(missing) = cache.missing_from_root(serving, url) {
                let around = cache.folders_around(serving, page.url);
                scan.serving_hints
                    .lacks_from_root(serving, &missing, around);
            }
        }
    }
    if class == LinkClass::External
        && let Some(declared) = &page.declared
    {
        scan.serving_hints
            .leads_below(page.ctx.serving(), declared, url);
    }
    if class == LinkClass::Missing
        && let Some(by_others) = cache.missing(page.ctx.serving(), url)
    {
        scan.serving_hints.leads_nowhere(&by_others);
    }
}

/// What a link to another site says about the addresses that the site of its page gives itself.
fn own_links(page: &Page<'_>, link: &Link<'_>, class: LinkClass) -> Vec<OwnLink> {
    match (page.own, link.url) {
        (Some(own), Ok(url))
            if class == LinkClass::External
                && page.ctx.book.is_none()
                && !page.ctx.own_addresses.is_empty() =>
        {
            own_links::own_links(page.ctx.serving(), own.site as usize, url)
        }
        _ => Vec::new(),
    }
}

/// Judges a link into its own captured page, if that page has the element: among several captures,
/// the page itself is the nearest. Many pages have mostly such links, and judging them now saves
/// the memory for deferring them.
fn judge_own_capture(page: &Page<'_>, link: &Link<'_>, scan: &Scan) -> Option<LinkOutcome> {
    if page.own.is_some() || !page.has_base_of_page(link) {
        return None;
    }
    let (bare, fragment) = link.url.ok()?.split_once('#')?;
    found_in_own_capture(page, &link.reference, bare, fragment, scan)
}

fn found_in_own_capture(
    page: &Page<'_>,
    reference: &Reference<'_>,
    bare: &str,
    fragment: &str,
    scan: &Scan,
) -> Option<LinkOutcome> {
    let is_own = page.url == Some(bare) && page.own.is_none();
    let is_archived = page.provenance == Provenance::Archive && is_archivable(bare);
    if !is_own || !is_archived || need_of(reference) != Need::Page {
        return None;
    }
    let name = page.ctx.name_in(fragment)?;
    scan.names.leads(name).then(|| LinkOutcome {
        how: "exact",
        fragment: Fragment::Found,
        ..LinkOutcome::new(LinkClass::Ok)
    })
}

/// A reference, and when browsers ask for its target.
#[derive(Clone, Copy)]
pub(crate) struct ChosenReference<'r> {
    pub(crate) reference: &'r Reference<'r>,
    pub(crate) choice: Option<Choice>,
}

/// Judges a link whose target is cached, so that only its fragment can cause a finding.
#[inline]
pub(crate) fn judge_known(
    page: &Page<'_>,
    chosen: ChosenReference<'_>,
    cache: &mut Cache,
    scan: &mut Scan,
) -> Option<LinkOutcome> {
    let ChosenReference { reference, .. } = chosen;
    let (known, fragment) = cache.references.target(page, reference)?;
    let CachedTarget {
        class,
        file,
        entry,
        url,
        own_links,
    } = known;
    if let Some(id) = own_links {
        scan.serving_hints
            .leads_elsewhere(cache.references.own_links(id));
    }
    let own = url.zip(fragment).and_then(|(url, fragment)| {
        let url = cache.urls.url(url);
        found_in_own_capture(page, reference, url, fragment, scan)
    });
    if own.is_some() {
        return own;
    }
    let mut outcome = LinkOutcome {
        file,
        ..LinkOutcome::new(class)
    };
    let target = match url {
        Some(url) => Some(capture_target(url, reference, cache, scan)?),
        None => entry
            .map(DeferredTarget::Entry)
            .or(file.map(DeferredTarget::File)),
    };
    if let Some(target) = target {
        let fragment = fragment.filter(|_| may_be_judged(reference));
        outcome.fragment = leads_to(page, chosen, target, fragment, class, scan);
    }
    Some(outcome)
}

/// The target of a link for a cached URL.
fn capture_target(
    url: UrlId,
    reference: &Reference<'_>,
    cache: &mut Cache,
    scan: &mut Scan,
) -> Option<DeferredTarget> {
    let number = cache.urls.number(url, scan.deferred_mut())?;
    let need = need_of(reference);
    Some(DeferredTarget::Url { number, need })
}

/// Records the file that an unchecked link leads to.
pub(crate) fn refer(page: &Page<'_>, link: &Link<'_>, cache: &mut Cache) {
    let Ok(url) = link.url else {
        return;
    };
    let resolved = look_up(page, url, cache);
    if let Some(file) = resolved.file
        && resolved.class == LinkClass::Ok
        && page.own != Some(file)
    {
        page.ctx.refer_to(file);
    }
}

/// Looks up the fragment of a link to the document that contains it.
fn own_fragment(page: &Page<'_>, link: &Link<'_>, scan: &mut Scan) -> Fragment {
    let value = clean(link.reference.value);
    let name = value.trim_ascii().strip_prefix('#').and_then(name_in);
    let Some(name) = name.filter(|_| may_be_judged(&link.reference)) else {
        return Fragment::None;
    };
    if scan.names.leads(name) {
        return Fragment::Found;
    }
    if scan.names.is_partial() {
        return Fragment::None;
    }
    let is_user_content = scan.names.has_user_content(name);
    let message = if is_user_content {
        MissingFragment::UserContent { fragment: name }
    } else {
        MissingFragment::NoElement { fragment: name }
    };
    let mut finding = page.finding(link, page.name.key.clone(), message);
    finding.target = Some(page.name.key.as_str().into());
    scan.findings.push(finding);
    if is_user_content {
        Fragment::Found
    } else {
        Fragment::Missing
    }
}

/// Caches the target of a link without findings for the other pages of the folder or host.
fn remember(
    page: &Page<'_>,
    link: &Link<'_>,
    resolved: Resolved,
    own_links: Vec<OwnLink>,
    cache: &mut Cache,
) {
    let Resolved {
        class, file, entry, ..
    } = resolved;
    let is_captured = page.own.is_none() && page.ctx.book.is_none();
    // All of these are counted.
    if class == LinkClass::External && page.declared.is_some() {
        return;
    }
    let url = match (link.url, class, file) {
        (Ok(url), LinkClass::External, None) if is_captured => {
            let known = cache
                .urls
                .intern(&as_sent(without_fragment(url), page.encoding));
            Some(known).filter(Option::is_some)
        }
        (_, LinkClass::Ok, _) => Some(None),
        (_, LinkClass::External, _) if !is_captured => Some(None),
        _ => None,
    };
    if let Some(url) = url {
        let remembered = CachedTarget {
            class,
            file,
            entry,
            url,
            own_links: None,
        };
        cache
            .references
            .remember(page, &link.reference, remembered, own_links);
    }
}

/// The target of a URL on an archived page, given its target among the sites: URLs that no site has
/// are looked up in the captures.
fn among_captures(page: &Page<'_>, resolved: Resolved) -> Resolved {
    use LinkClass::{Missing, Outside, Unmappable};
    let is_of_tree = matches!(resolved.class, Missing | Outside | Unmappable);
    if page.provenance == Provenance::Archive && is_of_tree {
        Resolved::nothing(LinkClass::External, false)
    } else {
        resolved
    }
}

/// The target of a URL.
fn look_up(page: &Page<'_>, url: &str, cache: &mut Cache) -> Resolved {
    let audit = page.ctx;
    // Of the many different URLs on other hosts, only the hosts matter.
    let bare = audit.map.foreign_origin(url);
    let bare = bare.unwrap_or_else(|| without_fragment(url));
    let resolve = || target::look_up(audit, bare, page.encoding);
    // In a book, a look-up costs no more than one in the cache.
    if audit.book.is_some() || depends_on_encoding(page, bare) {
        resolve()
    } else {
        cache.get(bare, resolve)
    }
}

/// The remarks on the target of a URL.
fn remarks(page: &Page<'_>, url: &str, cache: &mut Cache) -> Arc<[Remark]> {
    let bare = without_fragment(url);
    let audit = page.ctx;
    let suggests = audit.shows(&missing_file::RULE);
    let look_up = || target::all_remarks(audit, bare, page.encoding, suggests);
    if depends_on_encoding(page, bare) {
        look_up().into()
    } else {
        cache.remarks(bare, look_up)
    }
}

/// Whether the meaning of the escapes in a URL depends on the encoding of the page.
fn depends_on_encoding(page: &Page<'_>, url: &str) -> bool {
    page.encoding != encoding_rs::UTF_8 && url.contains('%')
}

/// The class of a link without a URL.
fn without_url(error: ResolveError) -> LinkClass {
    match error {
        ResolveError::NoBase | ResolveError::BadBase => LinkClass::UndefinedBase,
        _ => LinkClass::Malformed,
    }
}

/// A link above the root of a site without an address.
struct Climb {
    site: usize,
    levels: usize,
    /// The path by RFC 1808, which keeps excess dot segments.
    path: String,
}

fn climb(page: &Page<'_>, found: &Disagreement) -> Option<Climb> {
    let urls = Rules::ALL.iter().zip(&found.urls);
    let (_, url) = urls
        .into_iter()
        .find(|(rules, _)| **rules == Rules::Rfc1808)?;
    let url = url.as_deref().ok()?;
    let (site, levels) = hints::climb(page.ctx.serving(), url)?;
    let path = page.shown(without_fragment(url));
    Some(Climb {
        site,
        levels,
        path: path.trim_start_matches('/').to_owned(),
    })
}

/// The finding about a link above the root of its site, given the target that it would have if that
/// were the root of the host.
fn climb_finding(page: &Page<'_>, link: &Link<'_>, climb: &Climb, at_root: Resolved) -> Finding {
    let site = &page.ctx.map.sites()[climb.site];
    let map = match page.ctx.package_path() {
        Some(package) => format!("--url-map {package}=URL"),
        None => url_map::url_map(site, &url_map::own_path(site, climb.levels)),
    };
    let map = &*map;
    let message = match at_root.class {
        LinkClass::Ok => EscapesTree::AboveUnplacedRoot { map },
        _ => EscapesTree::AboveRoot { map },
    };
    let mut finding = page.finding(link, climb.path.clone(), message);
    finding.target = Some(Arc::clone(&finding.cause));
    finding
}

/// Whether a value is a path from the root of its host.
fn is_path_absolute(value: &str) -> bool {
    let value = value.trim_ascii_start();
    value.starts_with('/') && !value.starts_with("//")
}

/// The finding about a link that leaves an EPUB and, through the URL of its root, comes back (EPUB
/// 3.3 §4.2.5).
fn epub_root_finding(page: &Page<'_>, link: &Link<'_>) -> Finding {
    let mut finding = page.finding(link, link.reference.value, EscapesTree::Epub);
    finding.target = Some(Arc::clone(&finding.cause));
    finding
}

/// Adds to the findings about missing files, starting with the `first`, that the file exists if the
/// site is served below the path in its base.
fn explain_by_base(page: &Page<'_>, link: &Link<'_>, url: &str, first: usize, scan: &mut Scan) {
    let Some((site, path)) = page.lacking.as_ref() else {
        return;
    };
    let mut missing = scan.findings[first..].iter_mut();
    let missing = missing.find(|finding| finding.rule == &missing_file::RULE);
    if let Some(finding) = missing
        && page.has_base_of_page(link)
        && hints::is_there_below(page.ctx.serving(), url, path)
    {
        let map = &*url_map::url_map(&page.ctx.map.sites()[*site], path);
        finding.say(MissingFile::BelowBase { path, map });
        finding.cause = path.as_str().into();
        finding.suggest(Arc::default());
        scan.serving_hints.is_below(*site, path);
    }
}

/// The finding about a disagreement of the rule sets, and whether they give different files.
fn disagreement_finding(page: &Page<'_>, link: &Link<'_>, found: &Disagreement) -> (Finding, bool) {
    let target = |url: &str| {
        let resolved = target::without_rules(page.ctx, url, page.encoding);
        ((resolved.file, resolved.entry), resolved.class)
    };
    let has_target =
        |(file, entry): (Option<SiteFile>, Option<u32>)| file.is_some() || entry.is_some();
    let mut targets = found.urls.iter().flatten().map(|url| target(url));
    let first = targets.next();
    let leads_elsewhere = targets.any(|target| {
        let is_other = Some(target) != first;
        is_other && (has_target(target.0) || first.is_some_and(|first| has_target(first.0)))
    });
    let cause = found.cause;
    let [_, _, of_browsers] = &found.urls;
    let is_refused = found.distance == Distance::Fail && of_browsers.is_err();
    let message = Disagrees {
        distance: found.distance,
        cause,
        leads_elsewhere,
        is_refused,
    };
    let mut finding = page.finding(link, cause.as_str(), message);
    // Browsers ignore a URL that they refuse; if the base is the reason, the finding is about the
    // base.
    let is_of_base = matches!(cause, Cause::UnsupportedBase | Cause::BaseSelection);
    if leads_elsewhere || is_refused && !is_of_base {
        finding.level = finding.level.raised();
    }
    (finding, leads_elsewhere)
}

/// Adds the findings about a link's target.
fn notable(
    page: &Page<'_>,
    link: &Link<'_>,
    remarks: &[Remark],
    leads_elsewhere: bool,
    findings: &mut Vec<Finding>,
) {
    for remark in remarks.iter().cloned() {
        // A disagreement in which another rule set finds the file is more informative.
        let Violation { rule, level, .. } = remark.violation;
        if leads_elsewhere && rule == &missing_file::RULE {
            continue;
        }
        if rule == &redirected::RULE && is_said_of_signal(&link.reference) {
            continue;
        }
        let is_missing = rule == &missing_file::RULE || rule == &case_mismatch::RULE;
        let violation = if is_missing && page.ctx.is_epub() {
            let id = epub::id_of_missing(page, &link.reference);
            epub::with_id(remark.violation, id)
        } else {
            remark.violation
        };
        let cause = remark.folder.as_ref().unwrap_or(&remark.target);
        let mut finding = page.finding(link, Arc::clone(cause), violation);
        finding.level = if epub::is_of_metadata(page, &link.reference) {
            Level::Warning
        } else {
            level
        };
        finding.target = Some(remark.target);
        finding.suggest(remark.suggestions);
        finding.relate(remark.related);
        findings.push(finding);
    }
}

/// Whether a rule about search engines reports where the link is redirected: `sitemap/redirected`,
/// `hreflang/redirected`.
fn is_said_of_signal(reference: &Reference<'_>) -> bool {
    let slot = reference.slot;
    slot.namespace == Namespace::Sitemap || slot.element == "link" && slot.is_own_address
}

/// Follows a link to its target page. The fragment is looked up immediately if the ids of that page
/// are known, otherwise later.
fn points_to(
    view: &LinkView<'_, '_>,
    url: &str,
    class: LinkClass,
    cache: &mut Cache,
    scan: &mut Scan,
) -> Fragment {
    let LinkView { page, link, .. } = view;
    let reference = &link.reference;
    let target = match view.resolved.file {
        Some(file) => DeferredTarget::File(file),
        None if page.ctx.book.is_some() => match view.resolved.entry {
            Some(entry) => DeferredTarget::Entry(entry),
            None => return Fragment::None,
        },
        // Pages of archives are identified only by URL.
        None if page.url.is_some()
            && may_be_captured(page, class, link)
            && is_of_record(class, link) =>
        {
            let known = cache
                .urls
                .intern(&as_sent(without_fragment(url), page.encoding));
            let target = known.and_then(|known| capture_target(known, reference, cache, scan));
            let Some(target) = target else {
                return Fragment::None;
            };
            target
        }
        None => return Fragment::None,
    };
    let fragment = parts::fragment(url)
        // Only in RFC 1808 does an empty link inherit the base's fragment.
        .filter(|_| reference.value.contains('#'))
        .filter(|_| page.has_base_of_page(link) && may_be_judged(reference));
    let choice = page.choice(link.seq);
    let chosen = ChosenReference { reference, choice };
    leads_to(page, chosen, target, fragment, class, scan)
}

/// Whether the target of a link may have been captured: its page is not a file, or is a file saved
/// with its resources. Links to resources that were not saved still have their original URLs.
fn may_be_captured(page: &Page<'_>, class: LinkClass, link: &Link<'_>) -> bool {
    let is_elsewhere = class == LinkClass::External && need_of(&link.reference) == Need::Resource;
    page.own.is_none() || is_elsewhere && page.ctx.is_saved()
}

/// Whether a link may lead to a page of an archive: one that leads to no file of a site, or to
/// another part of its message by location.
fn is_of_record(class: LinkClass, link: &Link<'_>) -> bool {
    matches!(
        class,
        LinkClass::External | LinkClass::Missing | LinkClass::Outside
    ) || matches!(link.part, PartReference::Part(_)) && link.url.is_ok_and(parts::has_host)
}

/// Whether the fragment of a link may be the name of an element.
fn may_be_judged(reference: &Reference<'_>) -> bool {
    may_name_element(reference.slot)
}

/// Follows a link to its target. Its fragment is looked up immediately if the ids of that page are
/// known, otherwise later.
#[inline]
fn leads_to(
    page: &Page<'_>,
    chosen: ChosenReference<'_>,
    target: DeferredTarget,
    fragment: Option<&str>,
    class: LinkClass,
    scan: &mut Scan,
) -> Fragment {
    if let DeferredTarget::File(file) = target
        && class == LinkClass::Ok
        && page.own != Some(file)
    {
        page.ctx.refer_to(file);
    }
    let name = fragment.and_then(|fragment| page.ctx.name_in(fragment));
    let Some(fragment) = name else {
        if let DeferredTarget::Url { .. } = target {
            defer(target, chosen, None, class, scan);
        }
        return Fragment::None;
    };
    let may_be_there = matches!(class, LinkClass::Ok | LinkClass::External);
    if !may_be_there && !matches!(target, DeferredTarget::Url { .. }) {
        return Fragment::None;
    }
    if let DeferredTarget::Entry(entry) = target
        && page.entry == Some(entry)
        && scan.names.leads(fragment)
    {
        return Fragment::Found;
    }
    if let DeferredTarget::File(file) = target {
        let names = page.ctx.names_of(file);
        if let Some((names, found)) = names.and_then(|names| Some((names, names.find(fragment)?))) {
            if names.is_repeated(found) {
                scan.referred.push((file, found));
            }
            return Fragment::Found;
        }
    }
    defer(target, chosen, Some(fragment), class, scan);
    Fragment::Pending
}

/// Defers a link until all pages are scanned.
fn defer(
    target: DeferredTarget,
    ChosenReference { reference, choice }: ChosenReference<'_>,
    fragment: Option<&str>,
    class: LinkClass,
    scan: &mut Scan,
) {
    let number = scan.links.len();
    scan.deferred_mut().push(NewDeferredLink {
        target,
        class,
        fragment,
        raw: reference.value,
        slot: reference.slot,
        choice,
        at: reference.at,
        number,
    });
}

/// `usemap`: the name after the first `#` is looked up in the maps of the page (HTML "rules for
/// parsing a hash-name reference"). Without one the image has no map, and its areas cannot be clicked.
fn use_map(page: &Page<'_>, link: &Link<'_>, findings: &mut Vec<Finding>) -> LinkOutcome {
    let parts = link.reference.value.split_once('#');
    let name = parts.map(|(_, name)| name).filter(|name| !name.is_empty());
    if name.is_some_and(|name| page.has_map(name)) {
        return LinkOutcome {
            file: page.own,
            how: "exact",
            fragment: Fragment::Found,
            ..LinkOutcome::new(LinkClass::Ok)
        };
    }
    let cause = page.name.key.clone();
    let value = link.reference.value;
    let no_map = match name {
        Some(name) => {
            findings.push(page.finding(link, cause, MissingFragment::NoMap { name }));
            return LinkOutcome {
                fragment: Fragment::Missing,
                ..LinkOutcome::new(LinkClass::MissingFragment)
            };
        }
        None if value.is_empty() => Usemap::Empty,
        None if value.contains('#') => Usemap::NoName,
        None => Usemap::NoHash,
    };
    findings.push(page.finding(link, cause, no_map));
    LinkOutcome::new(LinkClass::Malformed)
}
