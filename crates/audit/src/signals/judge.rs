//! The signals of all documents, compared.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use baseref_container::is_compressed;
use baseref_document::link_places::Class;
use baseref_files::Role;
use baseref_findings::words::{cut_after, plural};
use baseref_findings::{Finding, Level, Rule, Spot};
use baseref_resolve::parts;
use baseref_site::robots::Robots;
use encoding_rs::UTF_8;

use super::{Mark, Signals};
use crate::context::AuditContext;
use crate::model::class::LinkClass;
use crate::model::scan::Scan;
use crate::model::shown::LONGEST_SHOWN;
use crate::model::site_file::{SiteFile, is_html_name};
use crate::redirects::{RedirectAnswer, RedirectEnd};
use crate::rules;
use crate::target;

/// How many comparisons of an address with the patterns of `robots.txt`, byte by byte, an audit makes.
const MOST_STEPS: u64 = 1 << 30;

/// Adds the findings to the scans of the documents that they are about.
pub(crate) fn judge(known: &AuditContext, scans: &mut [&mut Scan]) {
    let is_any = scans.iter().any(|scan| scan.signals.is_some());
    if !is_any {
        return;
    }
    let found = Tree::of(known, scans).findings(scans);
    for (scan, mut findings) in scans.iter_mut().zip(found) {
        if findings.is_empty() {
            continue;
        }
        let shown = &known.shown;
        findings.retain(|finding| !shown.drops(finding));
        if let Some(own) = scan.own
            && findings.iter().any(|finding| shown.has_line_of(finding))
            && let Some(bytes) = known.source_of(own)
            && !is_compressed(&bytes)
        {
            shown.add_lines(&mut findings, &bytes, scan.encoding);
        }
        scan.findings.append(&mut findings);
    }
}

/// What is known of the pages of all trees.
struct Tree<'t> {
    known: &'t AuditContext,
    /// The canonical file of each page that names one, `None` if it is in no tree; not of pages that name
    /// themselves.
    canonical: HashMap<SiteFile, Option<SiteFile>>,
    hidden: HashSet<SiteFile>,
    /// The files that a page names as itself in other languages, sorted.
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
    // Packages are sites of their own, whose files have the same numbers.
    let own = scan.own.filter(|_| scan.package.is_none())?;
    Some((own, scan.signals.as_deref()?))
}

impl<'t> Tree<'t> {
    fn of(known: &'t AuditContext, scans: &[&mut Scan]) -> Self {
        let mut tree = Self {
            known,
            canonical: HashMap::new(),
            hidden: HashSet::new(),
            alternates: HashMap::new(),
            sitemaps: HashSet::new(),
            pages: HashSet::new(),
            listed: HashSet::new(),
            sites: HashSet::new(),
        };
        let documents = scans.iter().filter(|scan| scan.package.is_none());
        tree.pages = documents.filter_map(|scan| scan.own).collect();
        for (own, signals) in scans.iter().filter_map(signals) {
            if let Some(entries) = &signals.entries {
                tree.sitemaps.insert(own);
                let files = entries.iter().filter_map(|entry| entry.file);
                tree.listed.extend(files);
            }
            if signals.is_hidden {
                tree.hidden.insert(own);
            }
            let canonical = signals.canonical.as_ref();
            if let Some(mark) = canonical.filter(|mark| mark.file != Some(own))
                && (mark.file.is_some() || is_elsewhere(known, own, mark))
            {
                tree.canonical.insert(own, mark.file);
            }
            if !signals.alternates.is_empty() {
                let files = signals.alternates.iter();
                let files = files.filter_map(|mark| mark.file.or_else(|| arrived(known, mark)));
                let mut files: Vec<SiteFile> = files.collect();
                files.sort_unstable();
                files.dedup();
                tree.alternates.insert(own, files);
            }
        }
        let sites = tree
            .listed
            .iter()
            .filter(|file| !tree.sitemaps.contains(file));
        tree.sites = sites.map(|file| file.site).collect();
        tree
    }

    /// The findings about each scan.
    fn findings(&self, scans: &[&mut Scan]) -> Vec<Vec<Finding>> {
        let mut robots = RobotsOfSites {
            known: self.known,
            sites: HashMap::new(),
            steps: MOST_STEPS,
        };
        let finds_unlisted = self
            .known
            .shown
            .has_level(&rules::sitemap::unlisted::RULE, Level::Off);
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
        let about = |mark: &Mark, rule, message: String| {
            self.about(scan, mark, ("link", "href"), (rule, message))
        };
        let mut undecided = Undecided::default();
        if let Some(mark) = &signals.canonical {
            let said = self.canonical(own, mark, &mut undecided);
            findings.extend(said.map(|(rule, message)| about(mark, rule, message)));
        }
        for mark in &signals.alternates {
            let said = self.alternate(own, mark, &mut undecided);
            findings.extend(said.map(|(rule, message)| about(mark, rule, message)));
        }
        findings.extend(undecided.finding(|mark, said| about(mark, said.0, said.1)));
    }

    /// What is wrong with the canonical address of a page.
    fn canonical<'m>(
        &self,
        own: SiteFile,
        mark: &'m Mark,
        undecided: &mut Undecided<'m>,
    ) -> Option<(&'static Rule, String)> {
        // If they are judged as links, too, a missing file has been reported.
        let classes = self.known.places.unwrap_or_default();
        let is_judged = classes.contains(Class::Metadata);
        let missing = |message| (!is_judged).then_some((&rules::canonical::missing::RULE, message));
        match self.known.redirect(&mark.url) {
            RedirectAnswer::Redirect {
                end: RedirectEnd::Nothing,
                by,
                to,
                ..
            } => {
                let said = self.redirected(&by, &to);
                return missing(format!("{said}, where nothing is"));
            }
            RedirectAnswer::Refused(status) => {
                return missing(format!("the rules answer it with {status}"));
            }
            RedirectAnswer::Loop(by) => return missing(format!("{by} redirects it without end")),
            RedirectAnswer::Redirect { by, to, .. } => {
                return Some((
                    &rules::canonical::redirected::RULE,
                    self.redirected(&by, &to),
                ));
            }
            RedirectAnswer::NotKnown(by) => undecided.add(mark, &by),
            // Something is there.
            RedirectAnswer::Served(_) if mark.file.is_none() => return None,
            RedirectAnswer::Served(_) | RedirectAnswer::Nothing => {}
        }
        match mark.file {
            None if mark.class == LinkClass::Missing => missing("no such file".to_owned()),
            Some(_) if mark.class == LinkClass::Missing => {
                missing("the file has another case".to_owned())
            }
            Some(_) if mark.how == "redirect" => {
                let message = "a folder: the server redirects to the address with a slash";
                Some((&rules::canonical::redirected::RULE, message.to_owned()))
            }
            Some(file) if file != own => self.of_canonical(file),
            Some(_) | None => None,
        }
    }

    /// What is wrong with the address of a page in another language.
    fn alternate<'m>(
        &self,
        own: SiteFile,
        mark: &'m Mark,
        undecided: &mut Undecided<'m>,
    ) -> Option<(&'static Rule, String)> {
        match self.known.redirect(&mark.url) {
            RedirectAnswer::Redirect { by, to, .. } => {
                return Some((
                    &rules::hreflang::redirected::RULE,
                    self.redirected(&by, &to),
                ));
            }
            RedirectAnswer::NotKnown(by) => undecided.add(mark, &by),
            RedirectAnswer::Served(_) if mark.file.is_none() => return None,
            RedirectAnswer::Refused(status) => {
                let message = format!("the rules answer it with {status}");
                return Some((&rules::hreflang::no_return::RULE, message));
            }
            RedirectAnswer::Loop(by) => {
                let message = format!("{by} redirects it without end");
                return Some((&rules::hreflang::no_return::RULE, message));
            }
            RedirectAnswer::Served(_) | RedirectAnswer::Nothing => {}
        }
        let names_back = |file: SiteFile| {
            let all = self.alternates.get(&file);
            all.is_some_and(|all| all.binary_search(&own).is_ok())
        };
        let why = match mark.file {
            Some(file) if file == own || names_back(file) => return None,
            // A file that was not read may do so.
            Some(file) if !self.pages.contains(&file) => return None,
            Some(file) if self.alternates.contains_key(&file) => {
                "its alternates do not name this page"
            }
            Some(_) => "it names no alternates",
            None if mark.class == LinkClass::Missing => "no such file",
            None => return None,
        };
        Some((&rules::hreflang::no_return::RULE, why.to_owned()))
    }

    fn redirected(&self, by: &str, to: &str) -> String {
        let to = cut_after(LONGEST_SHOWN, self.known.map.shown(to));
        format!("{by} redirects it to {to}")
    }

    /// What is wrong with a page that is another's canonical one.
    fn of_canonical(&self, file: SiteFile) -> Option<(&'static Rule, String)> {
        if self.hidden.contains(&file) {
            let message = "the page there asks not to be indexed".to_owned();
            return Some((&rules::canonical::noindex::RULE, message));
        }
        let next = self.canonical.get(&file)?;
        Some((&rules::canonical::chain::RULE, self.names(*next)))
    }

    /// That a page names another as canonical.
    fn names(&self, canonical: Option<SiteFile>) -> String {
        match canonical {
            Some(file) => format!("its canonical page is {}", self.known.path_of(file)),
            None => "its canonical address is on another site".to_owned(),
        }
    }

    fn sitemap(
        &self,
        scan: &Scan,
        entries: &[Mark],
        robots: &mut RobotsOfSites<'_>,
        findings: &mut Vec<Finding>,
    ) {
        let mut undecided = Undecided::default();
        for entry in entries {
            match self.known.redirect(&entry.url) {
                // Where nothing is, it is a dead link, and reported as such.
                RedirectAnswer::Redirect { end, by, to, .. } => {
                    if end != RedirectEnd::Nothing {
                        let said = (&rules::sitemap::redirected::RULE, self.redirected(&by, &to));
                        findings.push(self.about(scan, entry, ("loc", "#text"), said));
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
            let mut said: Vec<(&'static Rule, String)> = Vec::new();
            if let Some(pattern) = robots.forbidding(file.site, &entry.url) {
                let pattern = cut_after(LONGEST_SHOWN, pattern);
                let message = format!("robots.txt has `Disallow: {pattern}`");
                said.push((&rules::sitemap::blocked::RULE, message));
            }
            if self.hidden.contains(&file) {
                let message = "the page asks not to be indexed".to_owned();
                said.push((&rules::sitemap::noindex::RULE, message));
            }
            if let Some(canonical) = self.canonical.get(&file) {
                said.push((&rules::sitemap::non_canonical::RULE, self.names(*canonical)));
            }
            for said in said {
                findings.push(self.about(scan, entry, ("loc", "#text"), said));
            }
        }
        let about = |mark: &Mark, said| self.about(scan, mark, ("loc", "#text"), said);
        findings.extend(undecided.finding(about));
        let is_elsewhere =
            |entry: &&Mark| matches!(entry.class, LinkClass::External | LinkClass::Outside);
        let elsewhere = entries.iter().filter(is_elsewhere);
        let count = elsewhere.clone().count() as u64;
        if let Some(first) = elsewhere.clone().next() {
            let addresses = plural(count, "address is", "addresses are");
            let message = format!("{addresses} on no site whose files are here");
            let said = (&rules::sitemap::elsewhere::RULE, message);
            findings.push(self.about(scan, first, ("loc", "#text"), said));
        }
        if robots.steps == 0 {
            let message = "robots.txt has too many patterns: not all addresses were compared";
            let said = (&rules::sitemap::elsewhere::RULE, message.to_owned());
            findings.extend(
                entries
                    .last()
                    .map(|last| self.about(scan, last, ("loc", "#text"), said)),
            );
        }
    }

    /// The finding about a page that is in no sitemap, though the site has one.
    fn unlisted(&self, scan: &Scan) -> Option<Finding> {
        let own = scan.own.filter(|_| scan.package.is_none())?;
        let site = self.known.map.sites().get(own.site as usize)?;
        let is_page = is_html_name(site.tree.file_name(own.file));
        let is_meant = self.sites.contains(&own.site)
            && !self.listed.contains(&own)
            && !self.hidden.contains(&own)
            && !self.canonical.contains_key(&own);
        (is_page && is_meant).then(|| {
            let path = self.known.path_of(own);
            let message = "no sitemap lists it";
            Finding::new(&rules::sitemap::unlisted::RULE, &scan.name, path, message)
        })
    }

    fn about(
        &self,
        scan: &Scan,
        mark: &Mark,
        (element, attr): (&str, &str),
        (rule, message): (&'static Rule, String),
    ) -> Finding {
        let cause: Arc<str> = match mark.file {
            Some(file) => self.known.path_of(file).into(),
            None => self.known.map.shown(&mark.url).into(),
        };
        let mut finding = Finding::new(rule, &scan.name, Arc::clone(&cause), message);
        finding.target = Some(cause);
        finding.raw = (&*mark.raw).into();
        finding.url = Some(self.known.map.shown(&mark.url).into());
        finding.at.clone_from(&mark.at);
        finding.spot = Some(Arc::new(Spot {
            element: element.into(),
            attr: attr.into(),
        }));
        finding.base = Some(Arc::clone(&scan.base));
        finding
    }
}

/// The file to which redirect rules lead an address where there is none.
fn arrived(known: &AuditContext, mark: &Mark) -> Option<SiteFile> {
    let redirected = known.redirect(&mark.url);
    matches!(redirected, RedirectAnswer::Redirect { .. })
        .then(|| target::look_up(known, &mark.url, UTF_8).file)
        .flatten()
}

/// Addresses of a document of which rules decide by what is not known.
#[derive(Default)]
struct Undecided<'m> {
    first: Option<(&'m Mark, Arc<str>)>,
    count: u64,
}

impl<'m> Undecided<'m> {
    fn add(&mut self, mark: &'m Mark, by: &Arc<str>) {
        self.count += 1;
        self.first.get_or_insert_with(|| (mark, Arc::clone(by)));
    }

    fn finding(
        self,
        about: impl FnOnce(&Mark, (&'static Rule, String)) -> Finding,
    ) -> Option<Finding> {
        let (mark, by) = self.first?;
        let addresses = plural(self.count, "address redirects", "addresses redirect");
        let message = format!("{by} decides, by what is not known here, whether {addresses}");
        Some(about(
            mark,
            (&rules::sitemap::rules_undecided::RULE, message),
        ))
    }
}

/// Whether an address is certainly on another site than a file: the host of the file is known, and is
/// another one, with or without `www.`.
fn is_elsewhere(known: &AuditContext, own: SiteFile, mark: &Mark) -> bool {
    let site = known.map.sites().get(own.site as usize);
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
    known: &'k AuditContext,
    sites: HashMap<u32, Robots>,
    steps: u64,
}

impl RobotsOfSites<'_> {
    /// The pattern by which all crawlers are kept from a URL of a site.
    fn forbidding(&mut self, site: u32, url: &str) -> Option<&str> {
        let known = self.known;
        let robots = self.sites.entry(site).or_insert_with(|| read(known, url));
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

/// The `robots.txt` for the host of a URL, if that is in a tree.
fn read(known: &AuditContext, url: &str) -> Robots {
    let address = format!("{}/robots.txt", parts::origin(url));
    let file = known.own_file(&address);
    let bytes = file.and_then(|file| {
        let path = known.file_path(file);
        known.files.read(&path, Role::Document).ok()
    });
    bytes.map_or_else(Robots::default, |bytes| Robots::parse(&bytes))
}
