//! Compares the old site with the rebuilt one: which pages, files, fragments and links are lost, except
//! those that were broken before.

use std::cell::{LazyCell, RefCell};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::rc::Rc;
use std::sync::Arc;

use foldhash::fast::RandomState;

use super::fingerprint::is_fingerprinted;
use super::headings::Headings;
use super::interner::{StringId, Strings};
use super::page::{
    ComparedLink, ComparedPage, PageReader, Reopen, TextSource, features_of, form, fragment,
    is_text_by_name,
};
use super::page_metadata;
use super::proposed::ProposedPage;
use super::successors::{self, Predecessor, SiteTitle, Successors};
use crate::rules;
use crate::tree::exists;
use baseref_findings::{AttributeName, Finding, Level, MoveEffect, Rule, Shown};
use baseref_resolve::parts::{self, without_fragment as bare};
use baseref_resolve::{Rules, resolve};
use baseref_server::follow::{End, MoveContext, RedirectChain};
use baseref_site::fragment::name_in;
use baseref_site::meta_refresh::refresh_targets;
use baseref_site::names::user_content_message;

/// The maximum number of old pages that a new one is compared with link by link. If a rule redirected a
/// whole site to one page, each link of that page would be a finding for every old page.
const MAX_PREDECESSORS: usize = 16;

/// The result of the comparison.
#[derive(Debug, Default)]
pub struct SiteComparison {
    /// The findings by document name.
    pub findings: BTreeMap<String, Vec<Finding>>,
    /// Lines for the summary.
    pub lines: Vec<String>,
    /// The number of links that the rebuild broke.
    pub broken: u64,
    /// The proposed successors of lost pages, by the URLs of the lost pages.
    pub proposed: BTreeMap<String, ProposedPage>,
    /// The number of lost files that are not pages and that no page of the new site links to.
    pub lost_files: u64,
    /// The URLs of old pages that a query selected which the new site ignores.
    pub by_query: HashSet<String>,
}

/// Compares the pages of the old site with those of the new one. `listed` are more old addresses,
/// perhaps without a page. Findings that are `shown` with source lines get them from pages that
/// are read again.
#[must_use]
pub fn compare_trees(
    context: &MoveContext<'_>,
    strings: &Strings,
    old: &[ComparedPage],
    new: &[ComparedPage],
    listed: &[&str],
    shown: &Shown,
    reopen: Reopen<'_>,
) -> SiteComparison {
    let source = reopen.source;
    let comparison = Comparer::new(context, strings, old, new);
    let mut compared = SiteComparison::default();
    compared.compare_pages(&comparison, old, new);
    comparison.find_headings(compared.findings.values_mut().flatten(), source);
    compared.proposed = comparison.proposed_by_address(listed, new);
    let mut proposed = comparison.proposed(old, new, reopen);
    compared.proposed.append(&mut proposed);
    compared.count(&comparison.lost_files.borrow());
    for findings in compared.findings.values_mut() {
        Finding::sort(findings);
    }
    for page in old.iter().chain(new) {
        if let Some(findings) = compared.findings.get_mut(&page.name.doc) {
            page.add_lines(findings, shown, source);
        }
    }
    compared
}

/// A page with its links.
#[derive(Clone, Copy)]
struct PageLinks<'p> {
    page: &'p ComparedPage,
    links: &'p [ComparedLink],
}

impl SiteComparison {
    /// Compares each old page with its counterpart, and checks the links of new pages without a
    /// predecessor.
    fn compare_pages<'c>(
        &mut self,
        comparison: &Comparer<'c>,
        old: &'c [ComparedPage],
        new: &'c [ComparedPage],
    ) {
        // The number of old pages of each new one.
        let mut predecessors: HashMap<&str, usize> = HashMap::new();
        let mut not_compared = 0_usize;
        for page in old {
            if comparison.is_chosen_by_query(page) {
                self.by_query.insert(page.url.clone());
            }
            let old = PageLinks {
                page,
                links: &page.links.take(),
            };
            let Some(counterpart) = comparison.counterpart(page) else {
                self.add(page, comparison.old_links(old, None));
                continue;
            };
            let count = predecessors.entry(&counterpart.url).or_default();
            *count += 1;
            let is_one_of_many = *count > MAX_PREDECESSORS;
            not_compared += usize::from(is_one_of_many);
            // Several old pages can have this counterpart.
            let links = counterpart.links.take();
            let new = PageLinks {
                page: counterpart,
                links: &links,
            };
            let mut findings = comparison.old_links(old, Some(new));
            findings.extend(comparison.metadata(page, counterpart));
            if !is_one_of_many {
                self.add(counterpart, comparison.pair(old, new, &mut findings));
            }
            self.add(page, findings);
            counterpart.links.set(links);
        }
        let is_new = |page: &&ComparedPage| !predecessors.contains_key(page.url.as_str());
        for page in new.iter().filter(is_new) {
            let new = PageLinks {
                page,
                links: &page.links.take(),
            };
            self.add(page, comparison.new_links(new, &TargetSet::default()));
        }
        self.lines.push(format!(
            "{} pages of the old tree, {} of the new one, {} of them the successors of old ones",
            old.len(),
            new.len(),
            predecessors.len()
        ));
        if not_compared > 0 {
            self.lines.push(format!(
                "{not_compared} old pages are not compared link by link: {MAX_PREDECESSORS} others became \
                 the same page (move-predecessors)"
            ));
        }
    }

    /// Counts the broken links and the lost files.
    fn count(&mut self, lost_files: &HashSet<String>) {
        let is_of_file = |finding: &Finding| {
            finding.rule == &rules::LOST_PAGE && lost_files.contains(&*finding.cause)
        };
        let all = self.findings.values().flatten();
        let errors = all.filter(|finding| finding.level == Level::Error && !is_of_file(finding));
        self.broken = errors.count() as u64;
        self.lost_files = lost_files.len() as u64;
    }

    /// Adds findings about a page.
    fn add(&mut self, page: &ComparedPage, mut findings: Vec<Finding>) {
        if let Some(others) = self.findings.get_mut(&page.name.doc) {
            others.append(&mut findings);
        } else if !findings.is_empty() {
            findings.shrink_to_fit();
            self.findings.insert(page.name.doc.clone(), findings);
        }
    }
}

fn by_url(pages: &[ComparedPage]) -> HashMap<String, &ComparedPage> {
    pages.iter().map(|page| (form(&page.url), page)).collect()
}

/// The old and the present target of a URL of the old site.
struct TargetPair<'c> {
    /// The present target; `None` if it leads nowhere.
    there: Option<String>,
    /// Whether its file exists in the old site.
    was_there: bool,
    /// The old page at the URL, if that has a fragment.
    old_page: Option<&'c ComparedPage>,
    /// The new page at the present target, if the URL has a fragment.
    new_page: Option<&'c ComparedPage>,
    /// The URL that links to it should have now, in normal form.
    expected: String,
}

/// A fragment, and the page that should have it.
struct FragmentTarget<'c, 'u> {
    page: &'c ComparedPage,
    fragment: &'u str,
}

/// The end of a redirect chain. Its hops are not stored, because rules with loops have very many of
/// them.
struct ChainEnd {
    /// The last URL.
    url: Box<str>,
    end: End,
}

/// A set of targets, in normal form and without fragments.
type TargetSet<'k> = HashSet<&'k str, RandomState>;

struct Comparer<'c> {
    context: &'c MoveContext<'c>,
    /// The strings that links refer to.
    strings: &'c Strings,
    /// The targets of old links, by URL: many links share few targets.
    targets: RefCell<HashMap<StringId, Rc<TargetPair<'c>>, RandomState>>,
    /// The final URLs of new links, by URL, in normal form and without fragments.
    arrivals: RefCell<HashMap<StringId, Rc<str>, RandomState>>,
    /// The ends of the redirect chains of all addresses that were followed.
    ends: RefCell<HashMap<Box<str>, Rc<ChainEnd>, RandomState>>,
    /// The link targets of counterparts of old pages with lost links, by the counterparts' URLs.
    linked_now: RefCell<HashMap<String, Rc<TargetSet<'c>>>>,
    /// The lost files that no new page links to.
    lost_files: RefCell<HashSet<String>>,
    /// The spot of the latest finding, which the next one often shares.
    spot: RefCell<Option<Arc<AttributeName>>>,
    old: HashMap<String, &'c ComparedPage>,
    new: HashMap<String, &'c ComparedPage>,
}

impl<'c> Comparer<'c> {
    fn new(
        context: &'c MoveContext<'c>,
        strings: &'c Strings,
        old: &'c [ComparedPage],
        new: &'c [ComparedPage],
    ) -> Self {
        Self {
            context,
            strings,
            targets: RefCell::default(),
            arrivals: RefCell::default(),
            ends: RefCell::default(),
            linked_now: RefCell::default(),
            lost_files: RefCell::default(),
            spot: RefCell::default(),
            old: by_url(old),
            new: by_url(new),
        }
    }

    fn text(&self, id: StringId) -> &'c str {
        id.text(self.strings)
    }

    /// A copy of the string for a finding.
    fn shared(&self, id: StringId) -> Arc<str> {
        id.shared(self.strings)
    }

    fn about(
        &self,
        page: &ComparedPage,
        link: &ComparedLink,
        rule: &'static Rule,
        cause: impl Into<Arc<str>>,
        message: impl Into<Arc<str>>,
    ) -> Finding {
        let mut finding = Finding::new(rule, &page.name, cause, message);
        finding.at = link
            .at
            .as_ref()
            .map(|at| at.position(page.first_link.unwrap_or_default()));
        let (element, attr) = (self.text(link.element), self.text(link.attr));
        finding.spot = Some(AttributeName::shared(
            &mut self.spot.borrow_mut(),
            element,
            attr,
        ));
        finding.raw = self.shared(link.raw);
        finding.url = Some(self.shared(link.url));
        finding
    }

    /// The target of an old link with this URL.
    fn target(&self, id: StringId) -> Rc<TargetPair<'c>> {
        if let Some(target) = self.targets.borrow().get(&id) {
            return Rc::clone(target);
        }
        let url = self.text(id);
        let is_old = self.context.prefixes.is_old(url);
        let there = is_old.then(|| self.follow(bare(url))).flatten();
        let has_fragment = !fragment(url).is_empty();
        let page_now = there.as_deref().filter(|_| has_fragment);
        let expected = match &there {
            Some(url) => form(url),
            None => self
                .context
                .prefixes
                .moved(url)
                .unwrap_or_else(|| url.to_owned()),
        };
        let target = Rc::new(TargetPair {
            was_there: is_old && self.is_in_old(bare(url)),
            old_page: page_now.and_then(|_| page_at(&self.old, bare(url))),
            new_page: page_now.and_then(|url| self.new_page(bare(url))),
            expected,
            there,
        });
        self.targets.borrow_mut().insert(id, Rc::clone(&target));
        target
    }

    /// The final URL of a new link, in normal form and without fragment.
    fn arrival(&self, id: StringId) -> Rc<str> {
        if let Some(url) = self.arrivals.borrow().get(&id) {
            return Rc::clone(url);
        }
        let chain_end = self.chain_end(bare(self.text(id)));
        let url: Rc<str> = form(bare(&chain_end.url)).into();
        self.arrivals.borrow_mut().insert(id, Rc::clone(&url));
        url
    }

    fn chain_end(&self, url: &str) -> Rc<ChainEnd> {
        if let Some(chain_end) = self.ends.borrow().get(url) {
            return Rc::clone(chain_end);
        }
        let RedirectChain { url: last, end, .. } = self.context.follow(url);
        let chain_end = Rc::new(ChainEnd {
            url: last.into(),
            end,
        });
        let mut ends = self.ends.borrow_mut();
        ends.insert(url.into(), Rc::clone(&chain_end));
        chain_end
    }

    /// The new page that the address of an old one leads to.
    fn counterpart(&self, page: &ComparedPage) -> Option<&'c ComparedPage> {
        if self.is_chosen_by_query(page) {
            return None;
        }
        self.new_page(&self.follow(&page.url)?)
    }

    /// Whether a captured page differs from the one at its address without the query, although both lead
    /// to one file of the new site.
    fn is_chosen_by_query(&self, page: &ComparedPage) -> bool {
        let Some(sketch) = &page.sketch else {
            return false;
        };
        let whole = form(&page.url);
        let plain = parts::without_query(&whole);
        let other = self.old.get(plain).filter(|_| plain != whole);
        let Some(other) = other.and_then(|page| page.sketch.as_ref()) else {
            return false;
        };
        if sketch.is_same_page(other) {
            return false;
        }
        let there = [&*whole, plain].map(|url| self.follow(url));
        let there = there
            .each_ref()
            .map(|url| Some(parts::without_query(url.as_deref()?)));
        there[0].is_some() && there[0] == there[1]
    }

    /// The new target of an old address; `None` if it leads nowhere.
    fn follow(&self, url: &str) -> Option<String> {
        let chain_end = self.chain_end(url);
        match chain_end.end {
            End::Found { .. } => Some(chain_end.url.to_string()),
            // Without a rule, the page should be at the moved address.
            End::NoRule => {
                let moved = self.context.prefixes.moved(&form(url))?;
                let chain_end = self.chain_end(&moved);
                matches!(chain_end.end, End::Found { .. }).then(|| chain_end.url.to_string())
            }
            _ => None,
        }
    }

    fn new_page(&self, url: &str) -> Option<&'c ComparedPage> {
        page_at(&self.new, url)
    }

    /// Whether the old site has the file of a URL.
    fn is_in_old(&self, url: &str) -> bool {
        exists(self.context.old, url)
    }

    /// The targets of the links of a new page, before any redirect.
    fn linked_now(&self, counterpart: Option<PageLinks<'_>>) -> Rc<TargetSet<'c>> {
        let Some(PageLinks { page, links }) = counterpart else {
            return Rc::default();
        };
        let mut linked_now = self.linked_now.borrow_mut();
        let targets = linked_now.entry(page.url.clone()).or_insert_with(|| {
            let links = links.iter();
            Rc::new(links.map(|link| bare(self.text(link.url))).collect())
        });
        Rc::clone(targets)
    }

    /// The findings about links of an old page whose targets are lost.
    fn old_links(&self, old: PageLinks<'_>, counterpart: Option<PageLinks<'_>>) -> Vec<Finding> {
        let PageLinks { page, links } = old;
        let mut findings = Vec::new();
        let linked_now = LazyCell::new(|| self.linked_now(counterpart));
        for link in links {
            let link_url = self.text(link.url);
            if !self.context.prefixes.is_old(link_url) {
                continue;
            }
            let target = bare(link_url);
            let led = self.target(link.url);
            let mut report = |rule: &'static Rule, cause: &str, message: String| {
                let mut finding = self.about(page, link, rule, cause, message);
                finding.moved = Some(Box::new(MoveEffect {
                    old_url: Some(link_url.to_owned()),
                    new_url: led.there.clone(),
                    expected: self.context.prefixes.moved(link_url),
                    ..MoveEffect::default()
                }));
                findings.push(finding);
            };
            if let Some(PageLinks {
                page: counterpart, ..
            }) = counterpart
                && counterpart.encoding != page.encoding
                && self
                    .text(link.raw)
                    .split_once('?')
                    .is_some_and(|(_, query)| !query.is_ascii())
            {
                let message = format!("from {} to {}", page.encoding, counterpart.encoding);
                report(&rules::QUERY_ENCODING, link_url, message);
            }
            match (led.was_there, &led.there) {
                (true, None) if linked_now.contains(bare(&led.expected)) => {
                    let message = "was there, and is not any more";
                    report(&rules::LOST_PAGE, target, message.to_owned());
                }
                (true, None) if is_fingerprinted(target) => {
                    let message = "its name was made by a build, and the new tree has another";
                    report(&rules::REPLACED_ASSET, target, message.to_owned());
                }
                // A lost page has a finding of its own, so the links to it need none.
                (true, None) if page_at(&self.old, target).is_some() => {}
                (true, None) => {
                    let message = "was there, and is not any more; no new page links it";
                    self.lost_files.borrow_mut().insert(target.to_owned());
                    report(&rules::LOST_PAGE, target, message.to_owned());
                }
                (false, None) if counterpart.is_some() => {
                    report(
                        &rules::ALREADY_BROKEN,
                        target,
                        "was not there before".to_owned(),
                    );
                }
                (_, Some(there)) if counterpart.is_some() && !fragment(link_url).is_empty() => {
                    let (Some(old_page), Some(new_page)) = (led.old_page, led.new_page) else {
                        continue;
                    };
                    let was = fragment(link_url);
                    // A redirect with a fragment overrides the fragment of the link (RFC 9110 §10.2.2).
                    let is = Some(fragment(there)).filter(|fragment| !fragment.is_empty());
                    let lost = self.lost_fragment(
                        &FragmentTarget {
                            page: old_page,
                            fragment: was,
                        },
                        &FragmentTarget {
                            page: new_page,
                            fragment: is.unwrap_or(was),
                        },
                    );
                    if let Some((rule, message)) = lost {
                        report(rule, link_url, message);
                    }
                }
                _ => {}
            }
        }
        findings
    }

    /// The rule and the message if a fragment of an old page leads nowhere in the new one.
    fn lost_fragment(
        &self,
        old: &FragmentTarget<'c, '_>,
        new: &FragmentTarget<'c, '_>,
    ) -> Option<(&'static Rule, String)> {
        let (before, name) = name_in(old.fragment).zip(name_in(new.fragment))?;
        let was_user_content = old.page.names.has_user_content(before);
        let names = &new.page.names;
        if leads(&self.new, new.page, name) || was_user_content && names.has_user_content(name) {
            return None;
        }
        if !was_user_content && !leads(&self.old, old.page, before) {
            let message = format!("#{} was not there before", old.fragment);
            return Some((&rules::ALREADY_BROKEN, message));
        }
        let message = if new.page.has_in_other_case(name) {
            format!(
                "#{} differs by case from a name of the new page",
                new.fragment
            )
        } else if names.has_user_content(name) {
            user_content_message(name)
        } else {
            format!("no element of the new page has the name {}", new.fragment)
        };
        Some((&rules::LOST_FRAGMENT, message))
    }

    /// Pairs the links of two pages by target and element, then by text, each in order. Returns the
    /// findings about added and changed links, and adds those about removed links to `removed`.
    fn pair(
        &self,
        old: PageLinks<'_>,
        new: PageLinks<'_>,
        removed: &mut Vec<Finding>,
    ) -> Vec<Finding> {
        let PageLinks { page, links } = old;
        let counterpart = new.page;
        let targets = links.iter().map(|link| self.target(link.url));
        let targets: Vec<Rc<TargetPair<'_>>> = targets.collect();
        let mut findings = Vec::new();
        let mut unpaired: HashMap<(&str, StringId), Vec<usize>, RandomState> = HashMap::default();
        for (number, link) in links.iter().enumerate().rev() {
            let key = (bare(&targets[number].expected), link.element);
            unpaired.entry(key).or_default().push(number);
        }
        let mut is_paired = vec![false; links.len()];
        let mut left: Vec<&ComparedLink> = Vec::new();
        let arrivals = new.links.iter();
        let arrivals: Vec<Rc<str>> = arrivals.map(|link| self.arrival(link.url)).collect();
        for (link, arrival) in new.links.iter().zip(&arrivals) {
            let key = (&**arrival, link.element);
            match unpaired.get_mut(&key).and_then(Vec::pop) {
                Some(number) => is_paired[number] = true,
                None => left.push(link),
            }
        }
        let mut by_text: HashMap<(StringId, StringId), Vec<usize>, RandomState> =
            HashMap::default();
        for (number, link) in links.iter().enumerate().rev() {
            if !is_paired[number] && !self.text(link.text).is_empty() {
                let key = (link.element, link.text);
                by_text.entry(key).or_default().push(number);
            }
        }
        // Findings about the old page cover its own targets, as lost or as broken before.
        let known: TargetSet<'_> = targets
            .iter()
            .map(|target| bare(&target.expected))
            .collect();
        for link in left {
            let key = (link.element, link.text);
            let url = self.text(link.url);
            if let Some(number) = by_text.get_mut(&key).and_then(Vec::pop) {
                is_paired[number] = true;
                let was = &links[number];
                let text = self.text(link.text);
                let message = format!("the link {text:?} led to {}", self.text(was.url));
                let mut finding =
                    self.about(counterpart, link, &rules::CHANGED_TARGET, url, message);
                finding.moved = Some(Box::new(MoveEffect {
                    old_url: Some(self.text(was.url).to_owned()),
                    new_url: Some(url.to_owned()),
                    expected: Some(targets[number].expected.clone()),
                    ..MoveEffect::default()
                }));
                if self.is_own_edit(&targets[number], self.text(was.url), url) {
                    finding.level = Level::Note;
                }
                findings.push(finding);
            } else {
                let message = "the old page had no such link";
                findings.push(self.about(counterpart, link, &rules::ADDED_LINK, url, message));
            }
        }
        for (number, link) in links.iter().enumerate() {
            if !is_paired[number] {
                let message = "the new page has no such link";
                let url = self.text(link.url);
                removed.push(self.about(page, link, &rules::REMOVED_LINK, url, message));
            }
        }
        findings.extend(self.new_links(new, &known));
        findings
    }

    /// Whether an author rather than the move changed a link from `was` to `url`: both are on other sites,
    /// or the old target leads nowhere now.
    fn is_own_edit(&self, target: &TargetPair<'_>, was: &str, url: &str) -> bool {
        let prefixes = self.context.prefixes;
        let is_inside = |url: &str| prefixes.is_old(url) || prefixes.is_new(url);
        if !is_inside(was) {
            return !is_inside(url);
        }
        prefixes.is_old(was) && target.there.is_none()
    }

    /// The findings about broken links of a new page, except those to `known` targets.
    fn new_links(&self, new: PageLinks<'_>, known: &TargetSet<'_>) -> Vec<Finding> {
        let PageLinks { page, links } = new;
        let mut findings = Vec::new();
        for link in links {
            let target = bare(self.text(link.url));
            if !self.context.prefixes.is_new(target) || known.contains(target) {
                continue;
            }
            let chain_end = self.chain_end(target);
            if matches!(
                chain_end.end,
                End::Refused(_) | End::Loop | End::Fallback { by: None, .. }
            ) {
                let message = "nothing is there in the new tree";
                findings.push(self.about(page, link, &rules::NEW_BROKEN, target, message));
            }
        }
        findings
    }

    /// The findings about changed metadata for search engines.
    fn metadata(&self, page: &ComparedPage, counterpart: &ComparedPage) -> Vec<Finding> {
        let moved = |url: String| self.context.prefixes.moved(&url).unwrap_or(url);
        let whole = |page: &ComparedPage, href: &str| {
            resolve(Rules::Whatwg, Some(&page.url), href)
                .map_or_else(|_| form(href), |url| form(&url))
        };
        let was = |href: &str| {
            let url = whole(page, href);
            let is_old = self.context.prefixes.is_old(&url);
            match is_old.then(|| self.follow(bare(&url))).flatten() {
                Some(there) => form(&there),
                None => moved(url),
            }
        };
        let is = |href: &str| moved(whole(counterpart, href));
        page_metadata::changes(&page.metadata, &counterpart.metadata, &was, &is)
            .into_iter()
            .map(|(what, message)| {
                let mut finding =
                    Finding::new(&rules::CHANGED_METADATA, &counterpart.name, what, message);
                finding.url = Some(counterpart.url.as_str().into());
                finding
            })
            .collect()
    }

    /// Proposes successors for lost pages by their text.
    fn proposed(
        &self,
        old: &[ComparedPage],
        new: &[ComparedPage],
        reopen: Reopen<'_>,
    ) -> BTreeMap<String, ProposedPage> {
        let source = reopen.source;
        let is_lost = |page: &&ComparedPage| page.is_text && self.counterpart(page).is_none();
        let lost: Vec<&ComparedPage> = old.iter().filter(is_lost).collect();
        if lost.is_empty() {
            return BTreeMap::new();
        }
        let (old_site, new_site) = (site_title(old), site_title(new));
        let pages: Vec<&ComparedPage> = new.iter().filter(|page| page.is_text).collect();
        let features = |pages: &[&ComparedPage], site: &SiteTitle| {
            let pages: Vec<TextSource<'_>> = pages.iter().map(|page| page.text_source()).collect();
            features_of(&pages, site, reopen)
        };
        let all = features(&pages, &new_site);
        let mut before: HashMap<&str, &ComparedPage> = HashMap::new();
        for page in old.iter().filter(|page| page.is_text) {
            if let Some(counterpart) = self.counterpart(page) {
                before.entry(&counterpart.url).or_insert(page);
            }
        }
        let searched = features(&lost, &old_site);
        let old_site = &old_site;
        let predecessors = pages
            .iter()
            .map(|page| match before.get(page.url.as_str()) {
                Some(&page) => {
                    Predecessor::unread(move || page.text_source().features(old_site, source))
                }
                None => Predecessor::None,
            });
        let mut successors = Successors::new(&all, predecessors.collect());
        let found = successors.find(&searched);
        let url = |page: usize| {
            pages
                .get(page)
                .map_or_else(String::new, |page| page.url.clone())
        };
        let proposals = lost.into_iter().zip(found);
        proposals
            .filter_map(|(page, found)| Some((page.url.clone(), ProposedPage::new(found?, &url))))
            .collect()
    }

    /// Proposes successors for listed addresses that lead nowhere, by the addresses alone.
    fn proposed_by_address(
        &self,
        listed: &[&str],
        new: &[ComparedPage],
    ) -> BTreeMap<String, ProposedPage> {
        let lost = listed.iter().filter_map(|url| {
            let whole = form(url);
            let (_, below) = self.context.prefixes.old_rest(&whole)?;
            let is_lost = || self.follow(&whole).is_none();
            let is_page = is_text_by_name(parts::without_query(below));
            (is_page && !self.old.contains_key(&whole) && is_lost())
                .then(|| (*url, below.to_owned()))
        });
        let lost: Vec<(&str, String)> = lost.collect();
        let pages: Vec<&ComparedPage> = new.iter().filter(|page| page.is_text).collect();
        let found = successors::by_address(
            pages.iter().map(|page| page.name.key.as_str()),
            lost.iter().map(|(_, below)| below.as_str()),
        );
        let url = |page: usize| {
            let page = pages.get(page);
            page.map_or_else(String::new, |page| page.url.clone())
        };
        lost.iter()
            .zip(found)
            .filter_map(|((lost, _), found)| {
                Some(((*lost).to_owned(), ProposedPage::new(found?, &url)))
            })
            .collect()
    }

    /// Suggests the headings with the same text for lost fragments.
    fn find_headings<'f>(
        &self,
        findings: impl Iterator<Item = &'f mut Finding>,
        source: &PageReader<'_>,
    ) {
        let mut known: HashMap<String, Rc<Headings>> = HashMap::new();
        let mut headings = |page: &ComparedPage| {
            let known = known.entry(page.name.doc.clone());
            Rc::clone(known.or_insert_with(|| Headings::new(page.headings(source)).into()))
        };
        for finding in findings.filter(|finding| finding.rule == &rules::LOST_FRAGMENT) {
            let Some(moved) = &finding.moved else {
                continue;
            };
            let (Some(was), Some(is)) = (moved.old_url.as_deref(), moved.new_url.as_deref()) else {
                continue;
            };
            let pages = page_at(&self.old, was).zip(page_at(&self.new, is));
            let Some((old, new)) = pages.map(|(old, new)| (headings(old), headings(new))) else {
                continue;
            };
            let name = percent_encoding::percent_decode_str(fragment(was)).decode_utf8_lossy();
            let text = old.texts.get(&*name);
            if let Some(Some(name)) = text.and_then(|text| new.names.get(text)) {
                finding.suggest([format!("{}#{name}", bare(is))].into());
            }
        }
    }
}

/// Whether a fragment points to an element of the page or of the pages that it refreshes to.
fn leads<'p>(
    pages: &HashMap<String, &'p ComparedPage>,
    page: &'p ComparedPage,
    name: &str,
) -> bool {
    let next = |page: &&'p ComparedPage| page_at(pages, page.refresh_target.as_deref()?);
    page.names.leads(name) || refresh_targets(&page, next).any(|page| page.names.leads(name))
}

/// The title parts that the pages of a site share.
fn site_title(pages: &[ComparedPage]) -> SiteTitle {
    let pages = pages.iter().filter(|page| page.is_text);
    SiteTitle::from_titles(pages.filter_map(|page| page.metadata.title.as_deref()))
}

/// The page at a URL, which can be the index of a folder.
fn page_at<'p>(pages: &HashMap<String, &'p ComparedPage>, url: &str) -> Option<&'p ComparedPage> {
    let url = form(bare(url));
    let path = parts::without_query(&url).to_owned();
    let folder = path.strip_suffix("index.html").unwrap_or(&path);
    pages.get(&path).or_else(|| pages.get(folder)).copied()
}
