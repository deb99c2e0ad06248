//! Compares a tree with its rebuilt successor: what is lost between them, excluding what was broken
//! before.

use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::rc::Rc;
use std::sync::Arc;

use super::facts::{self, Facts};
use super::follow::{End, Journey, World};
use super::links;
use super::page::PageAddress;
use super::prefixes::origin;
use super::rules;
use crate::container::entity::Entity;
use crate::document::{Document, Naming, Position, hash_of};
use crate::extract::extract;
use crate::findings::{Excerpt, Finding, Moved, PageName, Rule};
use crate::options::{Policy, ReadOptions};
use crate::site::normal::{NormalOptions, normal};
use crate::slots::Class;

/// What the comparison needs to know about a page of either tree.
pub struct Page {
    name: Arc<PageName>,
    url: String,
    encoding: &'static str,
    links: Vec<Link>,
    /// The [`hash_of`] each name that fragments can point to, sorted.
    names: Vec<u64>,
    /// The same for their lower-case forms.
    folded: Vec<u64>,
    facts: Facts,
}

struct Link {
    element: Box<str>,
    attr: Box<str>,
    raw: Box<str>,
    text: Box<str>,
    /// Where it leads, in normal form.
    url: Box<str>,
    at: Option<Position>,
    excerpt: Option<Box<Excerpt>>,
}

impl Link {
    fn fragment(&self) -> &str {
        self.url
            .split_once('#')
            .map_or("", |(_, fragment)| fragment)
    }
}

fn bare(url: &str) -> &str {
    url.split('#').next().unwrap_or(url)
}

fn form(url: &str) -> String {
    normal(url, &NormalOptions::default())
}

impl Page {
    /// Reads the page at `address.old`.
    #[must_use]
    pub fn new(entity: &Entity, address: &PageAddress, options: &ReadOptions) -> Self {
        let bytes = &entity.bytes;
        let documents = links::documents(entity.clone(), Some(&address.old), options);
        let mut page = Self {
            name: Arc::clone(&address.name),
            url: address.old.clone(),
            encoding: "UTF-8",
            links: Vec::new(),
            names: Vec::new(),
            folded: Vec::new(),
            facts: Facts::default(),
        };
        if let Some(document) = documents.first() {
            page.encoding = document.encoding;
            page.facts = facts::read(bytes, document.encoding);
            page.read_names(document);
            page.read_links(document, bytes);
        }
        page
    }

    fn read_names(&mut self, document: &Document) {
        for (naming, name) in document.identifiers.iter() {
            if naming != Naming::Map {
                self.names.push(hash_of(name));
                self.folded.push(hash_of(&name.to_lowercase()));
            }
        }
        self.names.sort_unstable();
        self.folded.sort_unstable();
    }

    fn read_links(&mut self, document: &Document, bytes: &[u8]) {
        let encoding = encoding_rs::Encoding::for_label(document.encoding.as_bytes());
        let encoding = encoding.unwrap_or(encoding_rs::UTF_8);
        extract(document, Policy::default(), &mut |extraction| {
            extraction.links(|link| {
                let class = link.reference.slot.class;
                let is_link = matches!(
                    class,
                    Class::Anchor | Class::Resource | Class::Document | Class::Form
                );
                let Ok(url) = link.url else {
                    return;
                };
                if !is_link || link.reference.slot.source == "de facto" || origin(url).is_empty() {
                    return;
                }
                let at = link.reference.at.cloned();
                let excerpt = at
                    .as_ref()
                    .and_then(|at| Excerpt::new(bytes, encoding, &at.byte));
                self.links.push(Link {
                    element: link.reference.element.into(),
                    attr: link.reference.attr.into(),
                    raw: link.reference.value.into(),
                    text: link.reference.text.unwrap_or_default().into(),
                    url: form(url).into(),
                    at,
                    excerpt: excerpt.map(Box::new),
                });
            });
        });
    }

    /// Whether a fragment of this page points to something.
    fn has(&self, fragment: &str) -> bool {
        let decoded = percent_encoding::percent_decode_str(fragment).decode_utf8_lossy();
        let is_top = fragment.is_empty() || decoded.eq_ignore_ascii_case("top");
        let is_other = fragment.starts_with('/') || fragment.starts_with('!');
        let has = |name: &str| self.names.binary_search(&hash_of(name)).is_ok();
        is_top || is_other || has(fragment) || has(&decoded)
    }

    /// Whether a name differs from a fragment only by case.
    fn has_folded(&self, fragment: &str) -> bool {
        let decoded = percent_encoding::percent_decode_str(fragment).decode_utf8_lossy();
        let hash = hash_of(&decoded.to_lowercase());
        self.folded.binary_search(&hash).is_ok()
    }

    fn about(
        &self,
        link: &Link,
        rule: &'static Rule,
        cause: impl Into<String>,
        message: impl Into<String>,
    ) -> Finding {
        let mut finding = Finding::new(rule, &self.name, cause, message);
        finding.at.clone_from(&link.at);
        finding.element = link.element.to_string().into();
        finding.attr = link.attr.to_string().into();
        finding.raw = link.raw.to_string();
        finding.url = Some(link.url.to_string());
        finding.excerpt = link.excerpt.as_deref().cloned();
        finding
    }
}

/// The result of the comparison.
#[derive(Debug, Default)]
pub struct Compared {
    /// By document name.
    pub findings: BTreeMap<String, Vec<Finding>>,
    /// Lines for the summary.
    pub lines: Vec<String>,
}

/// Compares the pages of the old tree with those of the new one.
#[must_use]
pub fn compare(world: &World<'_>, old: &[Page], new: &[Page]) -> Compared {
    let comparison = Comparison {
        world,
        journeys: RefCell::default(),
        old: by_url(old),
        new: by_url(new),
    };
    let mut compared = Compared::default();
    let mut seen: HashSet<&str> = HashSet::new();
    for page in old {
        let counterpart = comparison.counterpart(page);
        let mut findings = comparison.old_links(page, counterpart);
        if let Some(counterpart) = counterpart {
            seen.insert(&counterpart.url);
            findings.extend(comparison.facts(page, counterpart));
            let of_new = comparison.pair(page, counterpart, &mut findings);
            let doc = counterpart.name.doc.clone();
            compared.findings.entry(doc).or_default().extend(of_new);
        }
        let doc = page.name.doc.clone();
        compared.findings.entry(doc).or_default().extend(findings);
    }
    for page in new.iter().filter(|page| !seen.contains(page.url.as_str())) {
        let findings = comparison.new_links(page, &HashSet::new());
        let doc = page.name.doc.clone();
        compared.findings.entry(doc).or_default().extend(findings);
    }
    compared.findings.retain(|_, findings| !findings.is_empty());
    for findings in compared.findings.values_mut() {
        Finding::sort(findings);
    }
    compared.lines.push(format!(
        "{} pages of the old tree, {} of the new one, {} of them the successors of old ones",
        old.len(),
        new.len(),
        seen.len()
    ));
    compared
}

fn by_url(pages: &[Page]) -> HashMap<String, &Page> {
    pages.iter().map(|page| (form(&page.url), page)).collect()
}

struct Comparison<'c> {
    world: &'c World<'c>,
    /// A cache of the addresses already followed.
    journeys: RefCell<HashMap<String, Rc<Journey>>>,
    old: HashMap<String, &'c Page>,
    new: HashMap<String, &'c Page>,
}

impl<'c> Comparison<'c> {
    fn journey(&self, url: &str) -> Rc<Journey> {
        if let Some(journey) = self.journeys.borrow().get(url) {
            return Rc::clone(journey);
        }
        let journey = Rc::new(self.world.follow(url));
        let mut known = self.journeys.borrow_mut();
        known.insert(url.to_owned(), Rc::clone(&journey));
        journey
    }

    /// The page of the new tree that an old page's address leads to.
    fn counterpart(&self, page: &Page) -> Option<&'c Page> {
        self.new_page(&self.follow(&page.url)?)
    }

    /// Where an old address leads at the new place; `None` if nowhere.
    fn follow(&self, url: &str) -> Option<String> {
        let journey = self.journey(url);
        match journey.end {
            End::Found { .. } => Some(journey.url.clone()),
            // Without a rule, look for the page where it should be.
            End::NoRule => {
                let moved = self.world.prefixes.moved(&form(url))?;
                let journey = self.journey(&moved);
                matches!(journey.end, End::Found { .. }).then(|| journey.url.clone())
            }
            _ => None,
        }
    }

    fn new_page(&self, url: &str) -> Option<&'c Page> {
        page_at(&self.new, url)
    }

    /// Whether the file of a URL at the old place exists.
    fn is_in_old(&self, url: &str) -> bool {
        exists(self.world.old, url)
    }

    /// The findings about lost targets of the links of an old page.
    fn old_links(&self, page: &Page, counterpart: Option<&Page>) -> Vec<Finding> {
        let mut findings = Vec::new();
        for link in &page.links {
            let is_old = self.world.prefixes.is_old(&link.url);
            if !is_old {
                continue;
            }
            let target = bare(&link.url);
            let there = self.follow(target);
            let was_there = self.is_in_old(target);
            let expected = self.world.prefixes.moved(&link.url);
            let mut say = |rule: &'static Rule, cause: &str, message: String| {
                let mut finding = page.about(link, rule, cause, message);
                finding.moved = Some(Box::new(Moved {
                    old_url: Some(link.url.to_string()),
                    new_url: there.clone(),
                    expected: expected.clone(),
                    ..Moved::default()
                }));
                findings.push(finding);
            };
            if let Some(counterpart) = counterpart
                && counterpart.encoding != page.encoding
                && link
                    .raw
                    .split_once('?')
                    .is_some_and(|(_, query)| !query.is_ascii())
            {
                let message = format!("from {} to {}", page.encoding, counterpart.encoding);
                say(&rules::QUERY_ENCODING, &link.url, message);
            }
            match (was_there, &there) {
                (true, None) => {
                    say(
                        &rules::LOST_PAGE,
                        target,
                        "was there, and is not any more".to_owned(),
                    );
                }
                (false, None) => {
                    say(
                        &rules::ALREADY_BROKEN,
                        target,
                        "was not there before".to_owned(),
                    );
                }
                (_, Some(url)) if !link.fragment().is_empty() => {
                    let old_page = page_at(&self.old, target);
                    let new_page = self.new_page(bare(url));
                    let (Some(old_page), Some(new_page)) = (old_page, new_page) else {
                        continue;
                    };
                    let fragment = link.fragment();
                    if new_page.has(fragment) {
                        continue;
                    }
                    if !old_page.has(fragment) {
                        let message = format!("#{fragment} was not there before");
                        say(&rules::ALREADY_BROKEN, &link.url, message);
                    } else if new_page.has_folded(fragment) {
                        let message =
                            format!("#{fragment} differs by case from a name of the new page");
                        say(&rules::LOST_FRAGMENT, &link.url, message);
                    } else {
                        let message = format!("no element of the new page has the name {fragment}");
                        say(&rules::LOST_FRAGMENT, &link.url, message);
                    }
                }
                _ => {}
            }
        }
        findings
    }

    /// Pairs the links of two pages: by target and element, then by text, each in order. Findings
    /// about new and changed links belong to the new page, those about lost links to the old one.
    fn pair(&self, page: &Page, counterpart: &Page, gone: &mut Vec<Finding>) -> Vec<Finding> {
        let expected: Vec<String> = page.links.iter().map(|link| self.expected(link)).collect();
        let mut findings = Vec::new();
        let mut waiting: HashMap<(&str, &str), Vec<usize>> = HashMap::new();
        for (number, link) in page.links.iter().enumerate().rev() {
            let key = (bare(&expected[number]), &*link.element);
            waiting.entry(key).or_default().push(number);
        }
        let mut is_paired = vec![false; page.links.len()];
        let mut left: Vec<&Link> = Vec::new();
        let targets: Vec<String> = counterpart
            .links
            .iter()
            .map(|link| form(bare(&self.journey(bare(&link.url)).url)))
            .collect();
        for (link, target) in counterpart.links.iter().zip(&targets) {
            let key = (target.as_str(), &*link.element);
            match waiting.get_mut(&key).and_then(Vec::pop) {
                Some(number) => is_paired[number] = true,
                None => left.push(link),
            }
        }
        let mut by_text: HashMap<(&str, &str), Vec<usize>> = HashMap::new();
        for (number, link) in page.links.iter().enumerate().rev() {
            if !is_paired[number] && !link.text.is_empty() {
                let key = (&*link.element, &*link.text);
                by_text.entry(key).or_default().push(number);
            }
        }
        // The old page's targets are reported there, as lost or as broken before.
        let known: HashSet<&str> = expected.iter().map(|url| bare(url)).collect();
        for link in left {
            let key = (&*link.element, &*link.text);
            if let Some(number) = by_text.get_mut(&key).and_then(Vec::pop) {
                is_paired[number] = true;
                let was = &page.links[number];
                let message = format!("the link {:?} led to {}", link.text, was.url);
                let mut finding =
                    counterpart.about(link, &rules::CHANGED_TARGET, &*link.url, message);
                finding.moved = Some(Box::new(Moved {
                    old_url: Some(was.url.to_string()),
                    new_url: Some(link.url.to_string()),
                    expected: Some(expected[number].clone()),
                    ..Moved::default()
                }));
                findings.push(finding);
            } else {
                let message = "the old page had no such link";
                findings.push(counterpart.about(link, &rules::ADDED_LINK, &*link.url, message));
            }
        }
        for (number, link) in page.links.iter().enumerate() {
            if !is_paired[number] {
                let message = "the new page has no such link";
                gone.push(page.about(link, &rules::REMOVED_LINK, &*link.url, message));
            }
        }
        findings.extend(self.new_links(counterpart, &known));
        findings
    }

    /// Where a link of the old tree should lead now, in normal form.
    fn expected(&self, link: &Link) -> String {
        if let Some(url) = self
            .follow(bare(&link.url))
            .filter(|_| self.world.prefixes.is_old(&link.url))
        {
            return form(&url);
        }
        let moved = self.world.prefixes.moved(&link.url);
        moved.unwrap_or_else(|| link.url.to_string())
    }

    /// The findings about broken links of a new page, except those that the old page had.
    fn new_links(&self, page: &Page, known: &HashSet<&str>) -> Vec<Finding> {
        let mut findings = Vec::new();
        for link in &page.links {
            let target = bare(&link.url);
            if !self.world.prefixes.is_new(target) || known.contains(target) {
                continue;
            }
            let journey = self.journey(target);
            if matches!(journey.end, End::Refused(_) | End::Loop) {
                let message = "nothing is there in the new tree";
                findings.push(page.about(link, &rules::NEW_BROKEN, target, message));
            }
        }
        findings
    }

    /// The findings about what search engines read in the two pages.
    fn facts(&self, page: &Page, counterpart: &Page) -> Vec<Finding> {
        let moved = |url: &str| {
            let url = form(url);
            self.world.prefixes.moved(&url).unwrap_or(url)
        };
        facts::changes(&page.facts, &counterpart.facts, &moved)
            .into_iter()
            .map(|(what, message)| {
                let mut finding =
                    Finding::new(&rules::CHANGED_METADATA, &counterpart.name, what, message);
                finding.url = Some(counterpart.url.clone());
                finding
            })
            .collect()
    }
}

/// The page at a URL, which may be an index.
fn page_at<'p>(pages: &HashMap<String, &'p Page>, url: &str) -> Option<&'p Page> {
    let url = form(bare(url));
    let path = url.split('?').next().unwrap_or(&url).to_owned();
    let folder = path.strip_suffix("index.html").unwrap_or(&path);
    pages.get(&path).or_else(|| pages.get(folder)).copied()
}

fn exists(files: &dyn super::redirects::Files, url: &str) -> bool {
    let path = &url[origin(url).len()..];
    let path = path.split(['?', '#']).next().unwrap_or_default();
    let path: Vec<u8> = percent_encoding::percent_decode_str(path).collect();
    if path.ends_with(b"/") {
        return files.is_file(&[&path[..], b"index.html"].concat());
    }
    files.kind(&path).is_some()
}
