//! Links whose targets are lost or broken in the new site.

use std::cell::LazyCell;
use std::collections::HashMap;
use std::rc::Rc;
use std::sync::Arc;

use super::comparer::{Addresses, Comparer, PageLinks, TargetPair, moved_address};
use super::fingerprint::{THEME, is_drawing, is_fingerprinted, is_theme_file};
use super::page::{ComparedPage, fragment};
use crate::addresses::AddressVerdict;
use crate::lost_folder::{lost_folder, missing_folder};
use crate::rules;
use baseref_findings::{Finding, MoveEffect, Rule};
use baseref_resolve::parts::{self, without_fragment as bare};
use baseref_server::follow::End;
use baseref_server::follow::stubs::refers_to;
use baseref_site::fragment::name_in;
use baseref_site::meta_refresh::refresh_targets;
use baseref_site::names::user_content_message;

/// A fragment, and the page that should have it.
struct FragmentTarget<'c, 'u> {
    page: &'c ComparedPage,
    fragment: &'u str,
}

impl<'c> Comparer<'c> {
    /// The addresses that the links of a new page name, before any redirect but that to a folder.
    fn linked_now(&self, counterpart: Option<PageLinks<'_>>) -> Rc<Addresses> {
        let Some(PageLinks { page, links }) = counterpart else {
            return Rc::default();
        };
        let mut linked_now = self.linked_now.borrow_mut();
        let targets = linked_now.entry(page.url.clone()).or_insert_with(|| {
            let links = links.iter();
            Rc::new(links.map(|link| self.address(link.url)).collect())
        });
        Rc::clone(targets)
    }

    /// The findings about links of an old page whose targets are lost.
    pub(super) fn old_links(
        &self,
        old: PageLinks<'_>,
        counterpart: Option<PageLinks<'_>>,
    ) -> Vec<Finding> {
        let PageLinks { page, links } = old;
        let mut findings = Vec::new();
        let linked_now = LazyCell::new(|| self.linked_now(counterpart));
        // Many findings have it.
        let was_missing: Arc<str> = "its target was missing before, too".into();
        for link in links {
            let link_url = self.text(link.url);
            if !self.context.prefixes.is_old(link_url) {
                continue;
            }
            let target = bare(link_url);
            let led = self.target(link.url);
            let mut report = |rule: &'static Rule, cause: &str, message: Arc<str>| {
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
                report(&rules::QUERY_ENCODING, link_url, message.into());
            }
            match (led.was_there, &led.there) {
                (true, None) => {
                    // What only a style sheet of the old theme loads is part of that theme.
                    let is_of_theme = counterpart.is_none() && is_theme_file(&page.url);
                    let lost = self.lost_file(target, &led, &linked_now, is_of_theme);
                    if let Some((rule, cause, message)) = lost {
                        report(rule, &cause, message.into());
                    }
                }
                (false, None) if counterpart.is_some() => {
                    report(&rules::ALREADY_BROKEN, target, Arc::clone(&was_missing));
                }
                (_, Some(there)) if counterpart.is_some() && !fragment(link_url).is_empty() => {
                    let (Some(old_page), Some(new_page)) = (led.old_page, led.new_page) else {
                        continue;
                    };
                    let was = fragment(link_url);
                    // A redirect with a fragment overrides the fragment of the link (RFC 9110 §10.2.2).
                    let is = Some(fragment(there)).filter(|fragment| !fragment.is_empty());
                    let old = FragmentTarget {
                        page: old_page,
                        fragment: was,
                    };
                    let new = FragmentTarget {
                        page: new_page,
                        fragment: is.unwrap_or(was),
                    };
                    if led.drops_fragment && is.is_none() {
                        if let Some((rule, message)) = self.dropped_fragment(&old) {
                            report(rule, "the refresh of a page", message.into());
                        }
                    } else if let Some((rule, message)) = self.lost_fragment(&old, &new) {
                        report(rule, link_url, message.into());
                    }
                }
                _ => {}
            }
        }
        findings
    }

    /// The rule, the cause and the message about a link of an old page whose target has no file now.
    fn lost_file(
        &self,
        target: &str,
        led: &TargetPair<'c>,
        linked_now: &Addresses,
        is_of_theme: bool,
    ) -> Option<(&'static Rule, String, &'static str)> {
        let is_used = linked_now.contains(&led.address);
        let page = self.old_page(target);
        if is_used && let Some(page) = page {
            self.used_assets.borrow_mut().insert(page.url.clone());
        }
        let own = || target.to_owned();
        match led.verdict {
            AddressVerdict::Offsite | AddressVerdict::NotKnown => None,
            AddressVerdict::Retired if !is_used => None,
            _ if is_used => {
                if page.is_none() {
                    self.lost_addresses.borrow_mut().insert(own());
                }
                let message = "gone from the new site";
                Some((&rules::LOST_PAGE, own(), message))
            }
            // A lost style sheet has a finding of its own, too.
            _ if page.is_some_and(|page| !page.is_text && !is_drawing(&page.url)) => None,
            _ if is_fingerprinted(target) => {
                let message = "its name was made by a build, and the new tree has another";
                Some((&rules::REPLACED_ASSET, own(), message))
            }
            _ if is_of_theme || is_theme_file(target) => {
                Some((&rules::REPLACED_ASSET, THEME.to_owned(), THEME))
            }
            // A lost page has a finding of its own, so the links to it need none. A drawing has one only
            // if a page shows it.
            _ if page.is_some() => {
                let page = page.filter(|page| is_drawing(&page.url));
                let url = page.map(|page| page.url.clone());
                self.used_assets.borrow_mut().extend(url);
                None
            }
            _ => {
                let message = "gone from the new site; no new page links to it";
                self.lost_files.borrow_mut().insert(own());
                self.lost_addresses.borrow_mut().insert(own());
                let cause = lost_folder(self.context, target).unwrap_or_else(own);
                Some((&rules::LOST_PAGE, cause, message))
            }
        }
    }

    /// The rule and the message if a refresh drops a fragment of an old page.
    fn dropped_fragment(&self, old: &FragmentTarget<'c, '_>) -> Option<(&'static Rule, String)> {
        let name = name_in(old.fragment)?;
        if !self.leads(&self.old, old.page, name) {
            let message = format!("#{} was missing before, too", old.fragment);
            return Some((&rules::ALREADY_BROKEN, message));
        }
        let message = format!(
            "a page that refreshes drops #{} on the way; an HTTP redirect keeps it",
            old.fragment
        );
        Some((&rules::LOST_FRAGMENT, message))
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
        if self.leads(&self.new, new.page, name) || was_user_content && names.has_user_content(name)
        {
            return None;
        }
        if !was_user_content && !self.leads(&self.old, old.page, before) {
            let message = format!("#{} was missing before, too", old.fragment);
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
            format!("the new page has no id or name {:?}", new.fragment)
        };
        Some((&rules::LOST_FRAGMENT, message))
    }

    /// Whether a fragment points to an element of the page or of the pages that it refreshes to.
    fn leads(
        &self,
        pages: &HashMap<String, &'c ComparedPage>,
        page: &'c ComparedPage,
        name: &str,
    ) -> bool {
        let next = |page: &&'c ComparedPage| {
            let target = page.refresh_target.as_deref()?;
            let address = moved_address(self.context, parts::without_query(target));
            pages.get(&address).copied()
        };
        page.names.leads(name) || refresh_targets(&page, next).any(|page| page.names.leads(name))
    }

    /// The findings about broken links of a new page, except those to `known` targets.
    pub(super) fn new_links(&self, new: PageLinks<'_>, known: &Addresses) -> Vec<Finding> {
        let PageLinks { page, links } = new;
        let mut findings = Vec::new();
        for link in links {
            let target = bare(self.text(link.url));
            if !self.context.prefixes.is_new(target) || known.contains(&self.address(link.url)) {
                continue;
            }
            let chain_end = self.chain_end(target);
            if chain_end.end == End::Loop && refers_to(&page.url, target) {
                // A page that refreshes to itself has a finding of its own.
                continue;
            }
            if matches!(
                chain_end.end,
                End::Refused(_) | End::Loop | End::Fallback { by: None, .. }
            ) {
                let message = match chain_end.end {
                    End::Loop => "its redirects do not end",
                    _ => "the new site has no such file",
                };
                let folder = missing_folder(self.context, target);
                let cause = folder.as_deref().unwrap_or(target);
                findings.push(self.about(page, link, &rules::NEW_BROKEN, cause, message));
            }
        }
        findings
    }
}
