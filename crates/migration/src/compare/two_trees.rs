//! Compares a tree with its rebuilt successor: what is lost between them, excluding what was broken
//! before.

use std::cell::{LazyCell, RefCell};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::rc::Rc;
use std::sync::Arc;

use foldhash::fast::RandomState;

use super::fingerprint::is_fingerprinted;
use super::headings::Headings;
use super::interner::{StringId, Strings};
use super::page::{
    Link, Page, ReadAgain, Reopen, Source, features_of, form, fragment, is_text_by_name,
};
use super::page_metadata;
use super::proposed::Proposed;
use super::successors::{self, Predecessor, SiteTitle, Successors};
use crate::rules;
use crate::tree::exists;
use baseref_findings::{Finding, Level, Moved, Rule, Shown, Spot};
use baseref_resolve::parts::{self, without_fragment as bare};
use baseref_resolve::{Rules, resolve};
use baseref_server::follow::{End, MoveContext, RedirectChain};
use baseref_site::fragment::name_in;
use baseref_site::meta_refresh::refresh_targets;
use baseref_site::names::user_content_message;

/// How many old pages a new one is compared with link by link. A rule that leads all of a site to one page
/// would make each link of that a finding for every old page.
const MAX_PREDECESSORS: usize = 16;

/// The result of the comparison.
#[derive(Debug, Default)]
pub struct Compared {
    /// By document name.
    pub findings: BTreeMap<String, Vec<Finding>>,
    /// Lines for the summary.
    pub lines: Vec<String>,
    /// How many links of pages of the new tree are broken by it.
    pub broken: u64,
    /// Which new pages may be the successors of lost ones, by the URLs of these.
    pub proposed: BTreeMap<String, Proposed>,
    /// How many files that are no pages are lost, with no link of the new tree's pages left.
    pub lost_files: u64,
    /// The URLs of old pages whose query chose them, and chooses nothing in the new tree.
    pub by_query: HashSet<String>,
}

/// Compares the pages of the old tree with those of the new one; `listed` are old addresses of which
/// nothing else may be known. Findings that are `shown` with their source lines get them from pages
/// read again.
#[must_use]
pub fn compare_trees(
    context: &MoveContext<'_>,
    strings: &Strings,
    old: &[Page],
    new: &[Page],
    listed: &[&str],
    shown: &Shown,
    reopen: Reopen<'_>,
) -> Compared {
    let source = reopen.source;
    let comparison = Comparison::new(context, strings, old, new);
    let mut compared = Compared::default();
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
struct Linked<'p> {
    page: &'p Page,
    links: &'p [Link],
}

impl Compared {
    /// Compares each old page with the new one that it became, and judges the links of the other new pages.
    fn compare_pages<'c>(&mut self, comparison: &Comparison<'c>, old: &'c [Page], new: &'c [Page]) {
        // The old pages that became each new one.
        let mut predecessors: HashMap<&str, usize> = HashMap::new();
        let mut not_compared = 0_usize;
        for page in old {
            if comparison.is_chosen_by_query(page) {
                self.by_query.insert(page.url.clone());
            }
            let old = Linked {
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
            // Several old pages may have become this one.
            let links = counterpart.links.take();
            let new = Linked {
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
        let is_new = |page: &&Page| !predecessors.contains_key(page.url.as_str());
        for page in new.iter().filter(is_new) {
            let new = Linked {
                page,
                links: &page.links.take(),
            };
            self.add(page, comparison.new_links(new, &Known::default()));
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

    /// Counts the links that are broken, and the files that are lost.
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
    fn add(&mut self, page: &Page, mut findings: Vec<Finding>) {
        if let Some(known) = self.findings.get_mut(&page.name.doc) {
            known.append(&mut findings);
        } else if !findings.is_empty() {
            findings.shrink_to_fit();
            self.findings.insert(page.name.doc.clone(), findings);
        }
    }
}

fn by_url(pages: &[Page]) -> HashMap<String, &Page> {
    pages.iter().map(|page| (form(&page.url), page)).collect()
}

/// What a URL of the old tree led to, and leads to now.
struct Target<'c> {
    /// Where it leads now; `None` if nowhere.
    there: Option<String>,
    /// Whether its file exists in the old tree.
    was_there: bool,
    /// The page there before, if the URL has a fragment.
    old_page: Option<&'c Page>,
    /// The page there now.
    new_page: Option<&'c Page>,
    /// Where links to it should lead now, in normal form.
    expected: String,
}

/// How a chain ends. Its steps are not kept: where rules lead in circles, each of very many
/// addresses has as many as are followed.
struct Arrived {
    /// The final URL.
    url: Box<str>,
    end: End,
}

/// The targets of the links of an old page, where they should be now.
type Known<'k> = HashSet<&'k str, RandomState>;

struct Comparison<'c> {
    context: &'c MoveContext<'c>,
    /// The strings of the links.
    strings: &'c Strings,
    /// Where links of the old tree lead, by the index of their URL: many lead to few.
    targets: RefCell<HashMap<StringId, Rc<Target<'c>>, RandomState>>,
    /// Where links of the new tree arrive, in normal form, without fragment.
    arrivals: RefCell<HashMap<StringId, Rc<str>, RandomState>>,
    /// Where the addresses already followed end.
    ends: RefCell<HashMap<Box<str>, Rc<Arrived>, RandomState>>,
    /// Where the links of the new pages lead that became of old ones with lost links, by their URLs.
    still_linked: RefCell<HashMap<String, Rc<Known<'c>>>>,
    /// The files that are lost, with no link of the new pages left.
    lost_files: RefCell<HashSet<String>>,
    /// That of the latest finding.
    spot: RefCell<Option<Arc<Spot>>>,
    old: HashMap<String, &'c Page>,
    new: HashMap<String, &'c Page>,
}

impl<'c> Comparison<'c> {
    fn new(
        context: &'c MoveContext<'c>,
        strings: &'c Strings,
        old: &'c [Page],
        new: &'c [Page],
    ) -> Self {
        Self {
            context,
            strings,
            targets: RefCell::default(),
            arrivals: RefCell::default(),
            ends: RefCell::default(),
            still_linked: RefCell::default(),
            lost_files: RefCell::default(),
            spot: RefCell::default(),
            old: by_url(old),
            new: by_url(new),
        }
    }

    fn text(&self, id: StringId) -> &'c str {
        id.of(self.strings)
    }

    /// The string, shared, for a finding to keep.
    fn shared(&self, id: StringId) -> Arc<str> {
        id.shared(self.strings)
    }

    fn about(
        &self,
        page: &Page,
        link: &Link,
        rule: &'static Rule,
        cause: impl Into<Arc<str>>,
        message: impl Into<Arc<str>>,
    ) -> Finding {
        let mut finding = Finding::new(rule, &page.name, cause, message);
        finding.at = link
            .at
            .as_ref()
            .map(|at| at.position(page.first.unwrap_or_default()));
        let (element, attr) = (self.text(link.element), self.text(link.attr));
        finding.spot = Some(Spot::shared(&mut self.spot.borrow_mut(), element, attr));
        finding.raw = self.shared(link.raw);
        finding.url = Some(self.shared(link.url));
        finding
    }

    /// What the URL of a link of the old tree leads to.
    fn target(&self, id: StringId) -> Rc<Target<'c>> {
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
        let target = Rc::new(Target {
            was_there: is_old && self.is_in_old(bare(url)),
            old_page: page_now.and_then(|_| page_at(&self.old, bare(url))),
            new_page: page_now.and_then(|url| self.new_page(bare(url))),
            expected,
            there,
        });
        self.targets.borrow_mut().insert(id, Rc::clone(&target));
        target
    }

    /// Where a link of the new tree arrives, in normal form, without fragment.
    fn arrival(&self, id: StringId) -> Rc<str> {
        if let Some(url) = self.arrivals.borrow().get(&id) {
            return Rc::clone(url);
        }
        let arrived = self.arrived(bare(self.text(id)));
        let url: Rc<str> = form(bare(&arrived.url)).into();
        self.arrivals.borrow_mut().insert(id, Rc::clone(&url));
        url
    }

    fn arrived(&self, url: &str) -> Rc<Arrived> {
        if let Some(arrived) = self.ends.borrow().get(url) {
            return Rc::clone(arrived);
        }
        let RedirectChain { url: last, end, .. } = self.context.follow(url);
        let arrived = Rc::new(Arrived {
            url: last.into(),
            end,
        });
        let mut known = self.ends.borrow_mut();
        known.insert(url.into(), Rc::clone(&arrived));
        arrived
    }

    /// The page of the new tree that an old page's address leads to.
    fn counterpart(&self, page: &Page) -> Option<&'c Page> {
        if self.is_chosen_by_query(page) {
            return None;
        }
        self.new_page(&self.follow(&page.url)?)
    }

    /// Whether a captured page is another than that at its address without the query, while both lead to
    /// one file of the new tree.
    fn is_chosen_by_query(&self, page: &Page) -> bool {
        let Some(kept) = &page.kept else {
            return false;
        };
        let whole = form(&page.url);
        let plain = parts::without_query(&whole);
        let other = self.old.get(plain).filter(|_| plain != whole);
        let Some(other) = other.and_then(|page| page.kept.as_ref()) else {
            return false;
        };
        if kept.is_of_page_of(other) {
            return false;
        }
        let there = [&*whole, plain].map(|url| self.follow(url));
        let there = there
            .each_ref()
            .map(|url| Some(parts::without_query(url.as_deref()?)));
        there[0].is_some() && there[0] == there[1]
    }

    /// Where an old address leads at the new place; `None` if nowhere.
    fn follow(&self, url: &str) -> Option<String> {
        let arrived = self.arrived(url);
        match arrived.end {
            End::Found { .. } => Some(arrived.url.to_string()),
            // Without a rule, look for the page where it should be.
            End::NoRule => {
                let moved = self.context.prefixes.moved(&form(url))?;
                let arrived = self.arrived(&moved);
                matches!(arrived.end, End::Found { .. }).then(|| arrived.url.to_string())
            }
            _ => None,
        }
    }

    fn new_page(&self, url: &str) -> Option<&'c Page> {
        page_at(&self.new, url)
    }

    /// Whether the file of a URL at the old place exists.
    fn is_in_old(&self, url: &str) -> bool {
        exists(self.context.old, url)
    }

    /// Where the links of a new page lead by themselves, before any redirect.
    fn still_linked(&self, counterpart: Option<Linked<'_>>) -> Rc<Known<'c>> {
        let Some(Linked { page, links }) = counterpart else {
            return Rc::default();
        };
        let mut known = self.still_linked.borrow_mut();
        let targets = known.entry(page.url.clone()).or_insert_with(|| {
            let links = links.iter();
            Rc::new(links.map(|link| bare(self.text(link.url))).collect())
        });
        Rc::clone(targets)
    }

    /// The findings about lost targets of the links of an old page.
    fn old_links(&self, old: Linked<'_>, counterpart: Option<Linked<'_>>) -> Vec<Finding> {
        let Linked { page, links } = old;
        let mut findings = Vec::new();
        let still_linked = LazyCell::new(|| self.still_linked(counterpart));
        for link in links {
            let link_url = self.text(link.url);
            if !self.context.prefixes.is_old(link_url) {
                continue;
            }
            let target = bare(link_url);
            let led = self.target(link.url);
            let mut say = |rule: &'static Rule, cause: &str, message: String| {
                let mut finding = self.about(page, link, rule, cause, message);
                finding.moved = Some(Box::new(Moved {
                    old_url: Some(link_url.to_owned()),
                    new_url: led.there.clone(),
                    expected: self.context.prefixes.moved(link_url),
                    ..Moved::default()
                }));
                findings.push(finding);
            };
            if let Some(Linked {
                page: counterpart, ..
            }) = counterpart
                && counterpart.encoding != page.encoding
                && self
                    .text(link.raw)
                    .split_once('?')
                    .is_some_and(|(_, query)| !query.is_ascii())
            {
                let message = format!("from {} to {}", page.encoding, counterpart.encoding);
                say(&rules::QUERY_ENCODING, link_url, message);
            }
            match (led.was_there, &led.there) {
                (true, None) if still_linked.contains(bare(&led.expected)) => {
                    let message = "was there, and is not any more";
                    say(&rules::LOST_PAGE, target, message.to_owned());
                }
                (true, None) if is_fingerprinted(target) => {
                    let message = "its name was made by a build, and the new tree has another";
                    say(&rules::REPLACED_ASSET, target, message.to_owned());
                }
                // A page that is lost is reported by itself, and nobody reads its old links.
                (true, None) if page_at(&self.old, target).is_some() => {}
                (true, None) => {
                    let message = "was there, and is not any more; no new page links it";
                    self.lost_files.borrow_mut().insert(target.to_owned());
                    say(&rules::LOST_PAGE, target, message.to_owned());
                }
                (false, None) if counterpart.is_some() => {
                    say(
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
                    // A redirect to a fragment of its own replaces that of the link (RFC 9110 §10.2.2).
                    let is = Some(fragment(there)).filter(|fragment| !fragment.is_empty());
                    let lost = self.lost_fragment((old_page, was), (new_page, is.unwrap_or(was)));
                    if let Some((rule, message)) = lost {
                        say(rule, link_url, message);
                    }
                }
                _ => {}
            }
        }
        findings
    }

    /// What became of the target of a fragment, if readers do not find it: `was` of the old page, and
    /// `is` of the new one.
    fn lost_fragment(
        &self,
        (old, was): (&'c Page, &str),
        (new, is): (&'c Page, &str),
    ) -> Option<(&'static Rule, String)> {
        let (before, name) = name_in(was).zip(name_in(is))?;
        let was_user_content = old.names.has_user_content(before);
        if leads(&self.new, new, name) || was_user_content && new.names.has_user_content(name) {
            return None;
        }
        if !was_user_content && !leads(&self.old, old, before) {
            let message = format!("#{was} was not there before");
            return Some((&rules::ALREADY_BROKEN, message));
        }
        let message = if new.has_folded(name) {
            format!("#{is} differs by case from a name of the new page")
        } else if new.names.has_user_content(name) {
            user_content_message(name)
        } else {
            format!("no element of the new page has the name {is}")
        };
        Some((&rules::LOST_FRAGMENT, message))
    }

    /// Pairs the links of two pages: by target and element, then by text, each in order. Findings
    /// about new and changed links belong to the new page, those about lost links to the old one.
    fn pair(&self, old: Linked<'_>, new: Linked<'_>, gone: &mut Vec<Finding>) -> Vec<Finding> {
        let Linked { page, links } = old;
        let counterpart = new.page;
        let targets = links.iter().map(|link| self.target(link.url));
        let targets: Vec<Rc<Target<'_>>> = targets.collect();
        let mut findings = Vec::new();
        let mut waiting: HashMap<(&str, StringId), Vec<usize>, RandomState> = HashMap::default();
        for (number, link) in links.iter().enumerate().rev() {
            let key = (bare(&targets[number].expected), link.element);
            waiting.entry(key).or_default().push(number);
        }
        let mut is_paired = vec![false; links.len()];
        let mut left: Vec<&Link> = Vec::new();
        let arrivals = new.links.iter();
        let arrivals: Vec<Rc<str>> = arrivals.map(|link| self.arrival(link.url)).collect();
        for (link, arrival) in new.links.iter().zip(&arrivals) {
            let key = (&**arrival, link.element);
            match waiting.get_mut(&key).and_then(Vec::pop) {
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
        // The old page's targets are reported there, as lost or as broken before.
        let known: Known<'_> = targets
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
                finding.moved = Some(Box::new(Moved {
                    old_url: Some(self.text(was.url).to_owned()),
                    new_url: Some(url.to_owned()),
                    expected: Some(targets[number].expected.clone()),
                    ..Moved::default()
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
                gone.push(self.about(page, link, &rules::REMOVED_LINK, url, message));
            }
        }
        findings.extend(self.new_links(new, &known));
        findings
    }

    /// Whether a link that led to `was` and now leads to `url` was changed by its author rather than
    /// by the move: it leads to other sites, or its old target leads nowhere any more.
    fn is_own_edit(&self, target: &Target<'_>, was: &str, url: &str) -> bool {
        let prefixes = self.context.prefixes;
        let is_inside = |url: &str| prefixes.is_old(url) || prefixes.is_new(url);
        if !is_inside(was) {
            return !is_inside(url);
        }
        prefixes.is_old(was) && target.there.is_none()
    }

    /// The findings about broken links of a new page, except those that the old page had.
    fn new_links(&self, new: Linked<'_>, known: &Known<'_>) -> Vec<Finding> {
        let Linked { page, links } = new;
        let mut findings = Vec::new();
        for link in links {
            let target = bare(self.text(link.url));
            if !self.context.prefixes.is_new(target) || known.contains(target) {
                continue;
            }
            let arrived = self.arrived(target);
            if matches!(
                arrived.end,
                End::Refused(_) | End::Loop | End::Fallback { by: None, .. }
            ) {
                let message = "nothing is there in the new tree";
                findings.push(self.about(page, link, &rules::NEW_BROKEN, target, message));
            }
        }
        findings
    }

    /// The findings about what search engines read in the two pages.
    fn metadata(&self, page: &Page, counterpart: &Page) -> Vec<Finding> {
        let moved = |url: String| self.context.prefixes.moved(&url).unwrap_or(url);
        let whole = |page: &Page, href: &str| {
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

    /// The new pages that old ones without a successor may have become.
    fn proposed(
        &self,
        old: &[Page],
        new: &[Page],
        reopen: Reopen<'_>,
    ) -> BTreeMap<String, Proposed> {
        let source = reopen.source;
        let is_lost = |page: &&Page| page.is_text && self.counterpart(page).is_none();
        let lost: Vec<&Page> = old.iter().filter(is_lost).collect();
        if lost.is_empty() {
            return BTreeMap::new();
        }
        let (old_site, new_site) = (site_title(old), site_title(new));
        let pages: Vec<&Page> = new.iter().filter(|page| page.is_text).collect();
        let features = |pages: &[&Page], site: &SiteTitle| {
            let pages: Vec<ReadAgain<'_>> = pages.iter().map(|page| page.read_again()).collect();
            features_of(&pages, site, reopen)
        };
        let all = features(&pages, &new_site);
        let mut before: HashMap<&str, &Page> = HashMap::new();
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
                    Predecessor::unread(move || page.read_again().features(old_site, source))
                }
                None => Predecessor::None,
            });
        let mut successors = Successors::new(&all, predecessors.collect());
        let found = successors.of_all(&searched);
        let url = |page: usize| {
            pages
                .get(page)
                .map_or_else(String::new, |page| page.url.clone())
        };
        let proposals = lost.into_iter().zip(found);
        proposals
            .filter_map(|(page, found)| Some((page.url.clone(), Proposed::new(found?, &url))))
            .collect()
    }

    /// What listed addresses may be now that lead nowhere, as far as addresses alone tell.
    fn proposed_by_address(&self, listed: &[&str], new: &[Page]) -> BTreeMap<String, Proposed> {
        let lost = listed.iter().filter_map(|url| {
            let whole = form(url);
            let (_, below) = self.context.prefixes.old_rest(&whole)?;
            let is_lost = || self.follow(&whole).is_none();
            let is_page = is_text_by_name(parts::without_query(below));
            (is_page && !self.old.contains_key(&whole) && is_lost())
                .then(|| (*url, below.to_owned()))
        });
        let lost: Vec<(&str, String)> = lost.collect();
        let pages: Vec<&Page> = new.iter().filter(|page| page.is_text).collect();
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
                Some(((*lost).to_owned(), Proposed::new(found?, &url)))
            })
            .collect()
    }

    /// Suggests for lost fragments the headings of the same text.
    fn find_headings<'f>(
        &self,
        findings: impl Iterator<Item = &'f mut Finding>,
        source: &Source<'_>,
    ) {
        let mut known: HashMap<String, Rc<Headings>> = HashMap::new();
        let mut headings = |page: &Page| {
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

/// Whether a fragment of a page points to something, there or where the page leads on to.
fn leads<'p>(pages: &HashMap<String, &'p Page>, page: &'p Page, name: &str) -> bool {
    let next = |page: &&'p Page| page_at(pages, page.leads_on.as_deref()?);
    page.names.leads(name) || refresh_targets(&page, next).any(|page| page.names.leads(name))
}

/// The title that all pages of a site share.
fn site_title(pages: &[Page]) -> SiteTitle {
    let pages = pages.iter().filter(|page| page.is_text);
    SiteTitle::of(pages.filter_map(|page| page.metadata.title.as_deref()))
}

/// The page at a URL, which may be an index.
fn page_at<'p>(pages: &HashMap<String, &'p Page>, url: &str) -> Option<&'p Page> {
    let url = form(bare(url));
    let path = parts::without_query(&url).to_owned();
    let folder = path.strip_suffix("index.html").unwrap_or(&path);
    pages.get(&path).or_else(|| pages.get(folder)).copied()
}
