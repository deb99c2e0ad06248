//! Compares the signals of all documents.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use baseref_container::is_compressed;
use baseref_document::link_places::Class;
use baseref_files::Role;
use baseref_findings::words::{cut_after, plural};
use baseref_findings::{AttributeName, Finding, Level, Violation};
use baseref_resolve::parts;
use baseref_site::robots::Robots;
use encoding_rs::UTF_8;

use super::{Mark, Signals};
use crate::context::audit_context::AuditContext;
use crate::model::class::LinkClass;
use crate::model::scan::Scan;
use crate::model::shown::LONGEST_SHOWN;
use crate::model::site_file::{SiteFile, is_html_name};
use crate::rules::canonical::chain::CanonicalChain;
use crate::rules::canonical::missing::CanonicalMissing;
use crate::rules::canonical::noindex::CanonicalNoindex;
use crate::rules::canonical::redirected::CanonicalRedirected;
use crate::rules::hreflang::no_return::HreflangNoReturn;
use crate::rules::hreflang::redirected::HreflangRedirected;
use crate::rules::sitemap::blocked::SitemapBlocked;
use crate::rules::sitemap::elsewhere::SitemapElsewhere;
use crate::rules::sitemap::noindex::SitemapNoindex;
use crate::rules::sitemap::non_canonical::SitemapNonCanonical;
use crate::rules::sitemap::redirected::SitemapRedirected;
use crate::rules::sitemap::rules_undecided::SitemapUndecided;
use crate::rules::sitemap::unlisted::{self, SitemapUnlisted};
use crate::target;
use baseref_server::rule_set::{RedirectAnswer, RedirectEnd};

/// The maximum number of steps in which an audit compares addresses with the patterns of
/// `robots.txt`.
const MOST_STEPS: u64 = 1 << 30;

/// Adds the findings to the scans of the documents that they are about.
pub(crate) fn judge(ctx: &AuditContext, scans: &mut [&mut Scan]) {
    let is_any = scans.iter().any(|scan| scan.signals.is_some());
    if !is_any {
        return;
    }
    let found = SiteSignals::new(ctx, scans).findings(scans);
    for (scan, mut findings) in scans.iter_mut().zip(found) {
        if findings.is_empty() {
            continue;
        }
        let shown = &ctx.shown;
        findings.retain(|finding| !shown.drops(finding));
        if let Some(own) = scan.own
            && findings.iter().any(|finding| shown.has_line_of(finding))
            && let Some(bytes) = ctx.source_of(own)
            && !is_compressed(&bytes)
        {
            shown.add_lines(&mut findings, &bytes, scan.encoding);
        }
        scan.findings.append(&mut findings);
    }
}

/// The signals of the pages of all sites, by file.
struct SiteSignals<'t> {
    ctx: &'t AuditContext,
    /// The canonical file of each page that names another page, `None` if it is in no site.
    canonical: HashMap<SiteFile, Option<SiteFile>>,
    hidden: HashSet<SiteFile>,
    /// The files that a page names as its translations, sorted.
    alternates: HashMap<SiteFile, Vec<SiteFile>>,
    /// The documents that are sitemaps.
    sitemaps: HashSet<SiteFile>,
    /// The documents that are pages.
    pages: HashSet<SiteFile>,
    listed: HashSet<SiteFile>,
    /// The sites of listed files.
    sites: HashSet<u32>,
}

/// The signals of a document that is a file, and which file it is.
fn signals<'s>(scan: &'s &mut Scan) -> Option<(SiteFile, &'s Signals)> {
    // Packages are sites of their own, and their file numbers overlap.
    let own = scan.own.filter(|_| scan.package.is_none())?;
    Some((own, scan.signals.as_deref()?))
}

impl<'t> SiteSignals<'t> {
    fn new(ctx: &'t AuditContext, scans: &[&mut Scan]) -> Self {
        let mut all = Self {
            ctx,
            canonical: HashMap::new(),
            hidden: HashSet::new(),
            alternates: HashMap::new(),
            sitemaps: HashSet::new(),
            pages: HashSet::new(),
            listed: HashSet::new(),
            sites: HashSet::new(),
        };
        let documents = scans.iter().filter(|scan| scan.package.is_none());
        all.pages = documents.filter_map(|scan| scan.own).collect();
        for (own, signals) in scans.iter().filter_map(signals) {
            if let Some(entries) = &signals.entries {
                all.sitemaps.insert(own);
                let files = entries.iter().filter_map(|entry| entry.file);
                all.listed.extend(files);
            }
            if signals.is_hidden {
                all.hidden.insert(own);
            }
            let canonical = signals.canonical.as_ref();
            if let Some(mark) = canonical.filter(|mark| mark.file != Some(own))
                && (mark.file.is_some() || is_elsewhere(ctx, own, mark))
            {
                all.canonical.insert(own, mark.file);
            }
            if !signals.alternates.is_empty() {
                let files = signals.alternates.iter();
                let files = files.filter_map(|mark| mark.file.or_else(|| arrived(ctx, mark)));
                let mut files: Vec<SiteFile> = files.collect();
                files.sort_unstable();
                files.dedup();
                all.alternates.insert(own, files);
            }
        }
        let sites = all
            .listed
            .iter()
            .filter(|file| !all.sitemaps.contains(file));
        all.sites = sites.map(|file| file.site).collect();
        all
    }

    /// The findings about each scan.
    fn findings(&self, scans: &[&mut Scan]) -> Vec<Vec<Finding>> {
        let mut robots = RobotsOfSites {
            ctx: self.ctx,
            sites: HashMap::new(),
            steps: MOST_STEPS,
        };
        let finds_unlisted = self.ctx.shown.has_level(&unlisted::RULE, Level::Off);
        let findings = scans.iter().map(|scan| {
            let mut findings = Vec::new();
            if let Some((own, signals)) = signals(scan) {
                self.page(scan, own, signals, &mut findings);
                if let Some(entries) = &signals.entries {
                    self.sitemap(scan, entries, &mut robots, &mut findings);
                }
            }
            if finds_unlisted {
                findings.extend(self.unlisted(scan));
            }
            findings
        });
        findings.collect()
    }

    fn page(&self, scan: &Scan, own: SiteFile, signals: &Signals, findings: &mut Vec<Finding>) {
        let about = |mark: &Mark, violation| self.about(scan, mark, "link", "href", violation);
        let mut undecided = UndecidedAddresses::default();
        if let Some(mark) = &signals.canonical {
            let said = self.canonical(own, mark, &mut undecided);
            findings.extend(said.map(|violation| about(mark, violation)));
        }
        for mark in &signals.alternates {
            let said = self.alternate(own, mark, &mut undecided);
            findings.extend(said.map(|violation| about(mark, violation)));
        }
        findings.extend(undecided.finding(about));
    }

    /// The violation in the canonical address of a page.
    fn canonical<'m>(
        &self,
        own: SiteFile,
        mark: &'m Mark,
        undecided: &mut UndecidedAddresses<'m>,
    ) -> Option<Violation> {
        // If canonical links are checked as links, a missing file has already been reported.
        let classes = self.ctx.places.unwrap_or_default();
        let is_judged = classes.contains(Class::Metadata);
        let missing = |message: CanonicalMissing<'_>| (!is_judged).then(|| message.into());
        match self.ctx.redirect(&mark.url) {
            RedirectAnswer::Redirect {
                end: RedirectEnd::Nothing,
                by,
                to,
                ..
            } => {
                let to = &*self.shown(&to);
                return missing(CanonicalMissing::RedirectedNowhere { by: &by, to });
            }
            RedirectAnswer::Refused(status) => {
                return missing(CanonicalMissing::Refused { status });
            }
            RedirectAnswer::Loop(by) => return missing(CanonicalMissing::Loop { by: &by }),
            RedirectAnswer::Redirect { by, to, .. } => {
                let to = &*self.shown(&to);
                return Some(CanonicalRedirected::Rule { by: &by, to }.into());
            }
            RedirectAnswer::NotKnown(by) => undecided.add(mark, &by),
            // The server answers with something.
            RedirectAnswer::Served(_) if mark.file.is_none() => return None,
            RedirectAnswer::Served(_) | RedirectAnswer::Nothing => {}
        }
        match mark.file {
            None if mark.class == LinkClass::Missing => missing(CanonicalMissing::NoSuchFile),
            Some(_) if mark.class == LinkClass::Missing => missing(CanonicalMissing::OtherCase),
            Some(_) if mark.how == "redirect" => Some(CanonicalRedirected::Folder.into()),
            Some(file) if file != own => self.canonical_chain(file),
            Some(_) | None => None,
        }
    }

    /// The violation in the address of a page in another language.
    fn alternate<'m>(
        &self,
        own: SiteFile,
        mark: &'m Mark,
        undecided: &mut UndecidedAddresses<'m>,
    ) -> Option<Violation> {
        match self.ctx.redirect(&mark.url) {
            RedirectAnswer::Redirect { by, to, .. } => {
                let to = &*self.shown(&to);
                return Some(HreflangRedirected { by: &by, to }.into());
            }
            RedirectAnswer::NotKnown(by) => undecided.add(mark, &by),
            RedirectAnswer::Served(_) if mark.file.is_none() => return None,
            RedirectAnswer::Refused(status) => {
                return Some(HreflangNoReturn::Refused { status }.into());
            }
            RedirectAnswer::Loop(by) => return Some(HreflangNoReturn::Loop { by: &by }.into()),
            RedirectAnswer::Served(_) | RedirectAnswer::Nothing => {}
        }
        let names_back = |file: SiteFile| {
            let all = self.alternates.get(&file);
            all.is_some_and(|all| all.binary_search(&own).is_ok())
        };
        let why = match mark.file {
            Some(file) if file == own || names_back(file) => return None,
            // A file that was not read may link back.
            Some(file) if !self.pages.contains(&file) => return None,
            Some(file) if self.alternates.contains_key(&file) => HreflangNoReturn::OtherAlternates,
            Some(_) => HreflangNoReturn::NoAlternates,
            None if mark.class == LinkClass::Missing => HreflangNoReturn::NoSuchFile,
            None => return None,
        };
        Some(why.into())
    }

    /// The URL at the end of a redirect, as messages show it.
    fn shown<'u>(&'u self, to: &'u str) -> Cow<'u, str> {
        cut_after(LONGEST_SHOWN, self.ctx.map.shown(to))
    }

    /// The violation of a page that another page names as canonical.
    fn canonical_chain(&self, file: SiteFile) -> Option<Violation> {
        if self.hidden.contains(&file) {
            return Some(CanonicalNoindex.into());
        }
        let violation = match *self.canonical.get(&file)? {
            Some(next) => CanonicalChain::Page {
                path: self.ctx.path_of(next),
            },
            None => CanonicalChain::OtherSite,
        };
        Some(violation.into())
    }

    fn sitemap(
        &self,
        scan: &Scan,
        entries: &[Mark],
        robots: &mut RobotsOfSites<'_>,
        findings: &mut Vec<Finding>,
    ) {
        let about = |mark: &Mark, violation| self.about(scan, mark, "loc", "#text", violation);
        let mut undecided = UndecidedAddresses::default();
        for entry in entries {
            match self.ctx.redirect(&entry.url) {
                // A link to a missing target is reported as a dead link.
                RedirectAnswer::Redirect { end, by, to, .. } => {
                    if end != RedirectEnd::Nothing {
                        let to = &*self.shown(&to);
                        let violation = SitemapRedirected { by: &by, to };
                        findings.push(about(entry, violation.into()));
                    }
                    continue;
                }
                RedirectAnswer::Refused(_) | RedirectAnswer::Loop(_) => continue,
                RedirectAnswer::NotKnown(by) if entry.file.is_some() => undecided.add(entry, &by),
                RedirectAnswer::NotKnown(_)
                | RedirectAnswer::Served(_)
                | RedirectAnswer::Nothing => {}
            }
            let Some(file) = entry.file.filter(|file| !self.sitemaps.contains(file)) else {
                continue;
            };
            if let Some(pattern) = robots.forbidding(file.site, &entry.url) {
                let pattern = &*cut_after(LONGEST_SHOWN, pattern);
                findings.push(about(entry, SitemapBlocked { pattern }.into()));
            }
            if self.hidden.contains(&file) {
                findings.push(about(entry, SitemapNoindex.into()));
            }
            if let Some(canonical) = self.canonical.get(&file) {
                let violation = match *canonical {
                    Some(file) => SitemapNonCanonical::Page {
                        path: self.ctx.path_of(file),
                    },
                    None => SitemapNonCanonical::OtherSite,
                };
                findings.push(about(entry, violation.into()));
            }
        }
        findings.extend(undecided.finding(about));
        let is_elsewhere =
            |entry: &&Mark| matches!(entry.class, LinkClass::External | LinkClass::Outside);
        let elsewhere = entries.iter().filter(is_elsewhere);
        let count = elsewhere.clone().count() as u64;
        if let Some(first) = elsewhere.clone().next() {
            let addresses = plural(count, "address is", "addresses are");
            let violation = SitemapElsewhere::NotHere { addresses };
            findings.push(about(first, violation.into()));
        }
        if robots.steps == 0 {
            let last = entries.last();
            findings.extend(last.map(|last| about(last, SitemapElsewhere::TooManyPatterns.into())));
        }
    }

    /// The finding about a page that is in no sitemap, though the site has one.
    fn unlisted(&self, scan: &Scan) -> Option<Finding> {
        let own = scan.own.filter(|_| scan.package.is_none())?;
        let site = self.ctx.map.sites().get(own.site as usize)?;
        let is_page = is_html_name(site.tree.file_name(own.file));
        let is_meant = self.sites.contains(&own.site)
            && !self.listed.contains(&own)
            && !self.hidden.contains(&own)
            && !self.canonical.contains_key(&own);
        (is_page && is_meant).then(|| {
            let path = self.ctx.path_of(own);
            Finding::from_violation(SitemapUnlisted, &scan.name, path)
        })
    }

    fn about(
        &self,
        scan: &Scan,
        mark: &Mark,
        element: &str,
        attr: &str,
        violation: Violation,
    ) -> Finding {
        let cause: Arc<str> = match mark.file {
            Some(file) => self.ctx.path_of(file).into(),
            None => self.ctx.map.shown(&mark.url).into(),
        };
        let mut finding = Finding::from_violation(violation, &scan.name, Arc::clone(&cause));
        finding.target = Some(cause);
        finding.raw = (&*mark.raw).into();
        finding.url = Some(self.ctx.map.shown(&mark.url).into());
        finding.at.clone_from(&mark.at);
        finding.spot = Some(Arc::new(AttributeName {
            element: element.into(),
            attr: attr.into(),
        }));
        finding.base = Some(Arc::clone(&scan.base));
        finding
    }
}

/// The file that redirect rules give for an address without a file of its own.
fn arrived(ctx: &AuditContext, mark: &Mark) -> Option<SiteFile> {
    let redirected = ctx.redirect(&mark.url);
    matches!(redirected, RedirectAnswer::Redirect { .. })
        .then(|| target::look_up(ctx, &mark.url, UTF_8).file)
        .flatten()
}

/// Addresses in a document on which redirect rules cannot decide without unknown facts.
#[derive(Default)]
struct UndecidedAddresses<'m> {
    first: Option<(&'m Mark, Arc<str>)>,
    count: u64,
}

impl<'m> UndecidedAddresses<'m> {
    fn add(&mut self, mark: &'m Mark, by: &Arc<str>) {
        self.count += 1;
        self.first.get_or_insert_with(|| (mark, Arc::clone(by)));
    }

    fn finding(self, about: impl FnOnce(&Mark, Violation) -> Finding) -> Option<Finding> {
        let (mark, by) = self.first?;
        let addresses = plural(self.count, "address redirects", "addresses redirect");
        Some(about(mark, SitemapUndecided { by: &by, addresses }.into()))
    }
}

/// Whether an address is certainly on another site than a file: the file's host is known and
/// differs, apart from `www.`.
fn is_elsewhere(ctx: &AuditContext, own: SiteFile, mark: &Mark) -> bool {
    let site = ctx.map.sites().get(own.site as usize);
    let Some(site) = site.filter(|site| !site.is_unplaced() && !site.has_unknown_host()) else {
        return false;
    };
    let host = |url: &str| {
        let origin = parts::origin(url).to_ascii_lowercase();
        let host = origin.split_once("://").unwrap_or_default().1;
        parts::without_www(host).to_owned()
    };
    mark.class == LinkClass::External && host(&mark.url) != host(site.prefix())
}

/// The `robots.txt` of each site that is served at the root of a host.
struct RobotsOfSites<'k> {
    ctx: &'k AuditContext,
    sites: HashMap<u32, Robots>,
    steps: u64,
}

impl RobotsOfSites<'_> {
    /// The pattern that forbids all crawlers a URL of a site.
    fn forbidding(&mut self, site: u32, url: &str) -> Option<&str> {
        let ctx = self.ctx;
        let robots = self.sites.entry(site).or_insert_with(|| read(ctx, url));
        if robots.is_empty() || self.steps == 0 {
            return None;
        }
        let path = &url[parts::origin(url).len()..];
        let path = path.split('#').next().unwrap_or_default();
        let rule = robots.forbidding_within(path, &mut self.steps);
        rule.filter(|_| self.steps > 0)
            .map(|rule| rule.written.as_str())
    }
}

/// The `robots.txt` for the host of a URL, if a site has that file.
fn read(ctx: &AuditContext, url: &str) -> Robots {
    let address = format!("{}/robots.txt", parts::origin(url));
    let file = ctx.own_file(&address);
    let bytes = file.and_then(|file| {
        let path = ctx.file_path(file);
        ctx.files.read(&path, Role::Document).ok()
    });
    bytes.map_or_else(Robots::default, |bytes| Robots::parse(&bytes))
}
