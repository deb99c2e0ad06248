//! Proposes what lost pages and headings have become.

use std::cell::LazyCell;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::rc::Rc;

use super::comparer::{ChainEnd, Comparer, moved_address};
use super::headings::Headings;
use super::page::{
    ComparedPage, PageReader, Reopen, TextSource, features_of, form, fragment, is_text_by_name,
};
use super::proposed::{Evidence, ProposedPage};
use super::successors::{self, Predecessor, SiteTitle, Sketch, Successors};
use crate::addresses::AddressVerdict;
use crate::rules;
use baseref_findings::{Finding, Level};
use baseref_resolve::parts::{self, without_fragment as bare};
use baseref_server::follow::End;

impl Comparer<'_> {
    /// Proposes successors for lost pages by their text.
    pub(super) fn proposed(
        &self,
        old: &[ComparedPage],
        new: &[ComparedPage],
        reopen: Reopen<'_>,
    ) -> BTreeMap<String, ProposedPage> {
        let source = reopen.source;
        let leads_nowhere = |page: &ComparedPage| {
            let end = self.new_end(&page.url);
            match end.verdict {
                AddressVerdict::Offsite | AddressVerdict::Retired | AddressVerdict::NotKnown => {
                    false
                }
                _ => !matches!(end.end, End::Found { .. }),
            }
        };
        let is_lost = |page: &&ComparedPage| {
            page.is_text && !page.is_stub && (leads_nowhere(page) || self.is_chosen_by_query(page))
        };
        let stubs = old.iter().filter(|page| leads_nowhere(page));
        let stubs = stubs.filter_map(|page| {
            let url = self.follow(page.stub_target.as_deref()?)?;
            let proposed = ProposedPage::certain(url, Evidence::Refresh);
            Some((page.url.clone(), proposed))
        });
        let mut all_proposed: BTreeMap<String, ProposedPage> = stubs.collect();
        let lost: Vec<&ComparedPage> = old.iter().filter(is_lost).collect();
        if lost.is_empty() {
            return all_proposed;
        }
        let (old_site, new_site) = (site_title(old), site_title(new));
        let pages: Vec<&ComparedPage> = new
            .iter()
            .filter(|page| self.is_destination(page))
            .collect();
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
        let proposals = lost.into_iter().zip(found);
        all_proposed.extend(proposals.filter_map(|(page, found)| {
            Some((page.url.clone(), ProposedPage::new(found?, &pages)))
        }));
        all_proposed
    }

    /// Whether readers can end up at a new page: it is at its address, and not a page for errors, one
    /// that only leads elsewhere, or one that search engines must not find, such as a page for print.
    fn is_destination(&self, page: &ComparedPage) -> bool {
        let is_here = |end: &ChainEnd| {
            let found = self.page_at_end(end);
            matches!(end.end, End::Found { .. }) && found.is_some_and(|found| found.url == page.url)
        };
        page.is_text
            && !page.is_stub
            && !page.url.ends_with("/404.html")
            && !page.metadata.is_hidden
            && is_here(&self.chain_end(&page.url))
    }

    /// Proposes successors for listed addresses that lead nowhere, by the addresses alone.
    pub(super) fn proposed_by_address(
        &self,
        listed: &[&str],
        new: &[ComparedPage],
    ) -> BTreeMap<String, ProposedPage> {
        let lost = listed.iter().filter_map(|url| {
            let whole = form(url);
            let (_, below) = self.context.prefixes.old_rest(&whole)?;
            let is_lost = || self.follow(&whole).is_none();
            let is_page = is_text_by_name(parts::without_query(below));
            let is_of_page = self.old.contains_key(&moved_address(self.context, url));
            (is_page && !is_of_page && is_lost()).then(|| (*url, below.to_owned()))
        });
        let lost: Vec<(&str, String)> = lost.collect();
        let pages: Vec<&ComparedPage> = new
            .iter()
            .filter(|page| self.is_destination(page))
            .collect();
        let found = successors::by_address(
            pages.iter().map(|page| page.name.key.as_str()),
            lost.iter().map(|(_, below)| below.as_str()),
        );
        lost.iter()
            .zip(found)
            .filter_map(|((lost, _), found)| {
                Some(((*lost).to_owned(), ProposedPage::new(found?, &pages)))
            })
            .collect()
    }

    /// Drops the findings about links that lead to a copy of their old target, such as a feed that is
    /// written under two names.
    pub(super) fn drop_copies<'f>(
        &self,
        findings: impl Iterator<Item = &'f mut Vec<Finding>>,
        source: &PageReader<'_>,
    ) {
        let mut known: HashMap<(String, String), bool> = HashMap::new();
        let mut is_copy = |finding: &Finding| {
            let urls = finding
                .moved
                .as_ref()
                .filter(|_| finding.rule == &rules::CHANGED_TARGET);
            let urls =
                urls.and_then(|moved| moved.expected.as_deref().zip(moved.new_url.as_deref()));
            let pages = urls.and_then(|(was, is)| self.new_page(was).zip(self.new_page(is)));
            // Pages are distinguished by their addresses, regardless of their text.
            let Some((was, is)) = pages.filter(|(was, is)| !was.is_text && !is.is_text) else {
                return false;
            };
            let key = (was.url.clone(), is.url.clone());
            *known.entry(key).or_insert_with(|| {
                let bytes = |page: &ComparedPage| source(&page.name.doc);
                bytes(was).zip(bytes(is)).is_some_and(|(was, is)| was == is)
            })
        };
        for findings in findings {
            findings.retain(|finding| !is_copy(finding));
        }
    }

    /// Lowers the level of findings about links that their authors changed: a note, if they lead to a
    /// page with the title, the heading and the text of the old target, which was moved and kept; a
    /// warning, if they lead to a page that no old page became.
    pub(super) fn excuse_edits<'f>(
        &self,
        findings: impl Iterator<Item = &'f mut Finding>,
        old: &[ComparedPage],
        source: &PageReader<'_>,
    ) {
        let continued = LazyCell::new(|| -> HashSet<&str> {
            // Many stubs may lead to one page, which none of them was.
            let pages = old.iter().filter(|page| !page.is_stub);
            let counterparts = pages.filter_map(|page| self.counterpart(page));
            counterparts.map(|page| page.url.as_str()).collect()
        });
        let mut known: HashMap<(String, String), bool> = HashMap::new();
        // Many pairs can have one page, which is read once.
        let mut sketches: HashMap<String, Rc<Sketch>> = HashMap::new();
        let mut sketch = |page: &ComparedPage| {
            let known = sketches.entry(page.name.doc.clone());
            Rc::clone(known.or_insert_with(|| page.read_sketch(source).into()))
        };
        let changed = findings.filter(|finding| finding.rule == &rules::CHANGED_TARGET);
        for finding in changed.filter(|finding| finding.level == Level::Error) {
            let urls = finding.moved.as_ref();
            let urls =
                urls.and_then(|moved| moved.expected.as_deref().zip(moved.new_url.as_deref()));
            let pages = urls.and_then(|(was, is)| self.new_page(was).zip(self.new_page(is)));
            let Some((was, is)) = pages.filter(|(was, is)| was.is_text && is.is_text) else {
                continue;
            };
            let key = (was.url.clone(), is.url.clone());
            let is_same = *known.entry(key).or_insert_with(|| {
                let title = was.metadata.title.as_deref();
                let has_title = title.is_some_and(|title| !title.is_empty());
                has_title
                    && was.metadata.title == is.metadata.title
                    && sketch(was).is_moved_page(&sketch(is))
            });
            if is_same {
                finding.level = Level::Note;
            } else if !continued.contains(is.url.as_str()) {
                finding.level = Level::Warning;
            }
        }
    }

    /// Suggests the headings with the same text for lost fragments.
    pub(super) fn find_headings<'f>(
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
            let pages = self.old_page(was).zip(self.new_page(is));
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

/// The title parts that the pages of a site share.
fn site_title(pages: &[ComparedPage]) -> SiteTitle {
    let pages = pages.iter().filter(|page| page.is_text);
    SiteTitle::from_titles(pages.filter_map(|page| page.metadata.title.as_deref()))
}
