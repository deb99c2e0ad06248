//! Where an address leads: redirect after redirect, at the old site and the new one, to a file or to an
//! end without one.

use std::cell::LazyCell;
use std::collections::HashSet;
use std::sync::Arc;

use baseref_resolve::normal::{NormalOptions, normal};
use baseref_resolve::parts::{origin, path, same_origin, without_fragment, without_query};
use baseref_resolve::{Rules, resolve};
use baseref_site::hosting::Hosting;
use baseref_site::moves::{Overlap, Prefixes, Side};
use baseref_site::url_below;

use super::catch_all::is_page_for_all;
use super::chain::{End, Hop, MAX_HOPS, RedirectChain, RuleId, RuleLine, Step};
use super::served::{Served, served};
use super::stubs::Stubs;
use super::targets::{RefreshTarget, Targets};
use crate::request::{Files, NoFiles, Request};
use crate::rule::Answer;
use crate::rule_file::RuleFile;

/// The number of redirects after which steps are cached; few chains are longer.
const LONG: usize = 2;

/// The old and the new site with their rules and files.
#[derive(Clone, Copy)]
pub struct MoveContext<'w> {
    /// What moves where.
    pub prefixes: &'w Prefixes,
    /// The files of rules, in the order of the command line.
    pub rules: &'w [Arc<RuleFile>],
    /// The files of the old site, by the paths of its URLs.
    pub old: &'w dyn Files,
    /// The files of the new site.
    pub new: &'w dyn Files,
    /// Decides which site an address below both prefixes belongs to.
    pub overlap: &'w dyn Overlap,
    /// Whether every old address without a rule of its own redirects to the same path below the new
    /// prefix.
    pub prefix_redirect: bool,
    /// The pages of the new site that redirect by themselves.
    pub stubs: &'w Stubs,
    /// The cache of redirect targets.
    pub targets: &'w Targets,
    /// How the trees are served where no rules say so.
    pub hosting: &'w Hosting,
}

impl MoveContext<'_> {
    /// Follows `url` to its end.
    #[must_use]
    pub fn follow(&self, url: &str) -> RedirectChain {
        // Clients send the WHATWG form.
        let mut chain = RedirectChain {
            hops: Vec::new(),
            url: resolve(Rules::Whatwg, None, url).unwrap_or_else(|_| url.to_owned()),
            end: End::Loop,
            status: 0,
            last_rule: None,
            drops_fragment: false,
        };
        let mut seen = HashSet::new();
        while chain.hops.len() <= MAX_HOPS {
            let asked = without_fragment(&chain.url).to_owned();
            if !seen.insert(asked) {
                break;
            }
            let step = || self.step(&chain.url);
            let step = if chain.hops.len() < LONG {
                step()
            } else {
                let known = &self.targets.steps;
                let step = known.get_or_insert(&chain.url, || Arc::new(step()));
                Arc::unwrap_or_clone(step)
            };
            let (end, status, rule) = match step {
                Step::Hop(hop) => {
                    if chain.status == 0 {
                        chain.status = hop.status;
                    }
                    chain.url.clone_from(&hop.to);
                    chain.drops_fragment |= hop.drops_fragment;
                    chain.hops.push(hop);
                    continue;
                }
                Step::End(End::Found { path }, status, rule) => {
                    match self.stub(&chain.url, &path) {
                        Some(hop) => {
                            if chain.status == 0 {
                                chain.status = 301;
                            }
                            chain.url.clone_from(&hop.to);
                            chain.drops_fragment |= hop.drops_fragment;
                            chain.hops.push(hop);
                            continue;
                        }
                        None => (End::Found { path }, status, rule),
                    }
                }
                Step::End(end, status, rule) => (end, status, rule),
                Step::Nothing => (End::Elsewhere, 0, None),
            };
            if chain.status == 0 {
                chain.status = status;
            }
            chain.end = end;
            chain.last_rule = rule;
            return chain;
        }
        chain
    }

    /// The refresh of the page in the file that answers a new address. The fragment of the address is
    /// kept only if the page forwards it (HTML, "shared declarative refresh steps").
    fn stub(&self, url: &str, path: &[u8]) -> Option<Hop> {
        if self.stubs.is_empty() {
            return None;
        }
        let file = self.file_address(url, path);
        let stub = self.stubs.get(&file)?;
        let mut to = stub.to.clone();
        let has_fragment = to.contains('#');
        if !has_fragment
            && stub.forwards_fragment
            && let Some(at) = url.find('#')
        {
            to.push_str(&url[at..]);
        }
        self.prefixes.is_new(&file).then_some(Hop {
            is_refresh: true,
            drops_fragment: !has_fragment && !stub.forwards_fragment,
            ..Hop::permanent(to)
        })
    }

    /// The one address of the file at a path of the host of `url`, whichever name it was asked by: in
    /// normal form, with the folder in place of its index.
    #[must_use]
    pub fn file_address(&self, url: &str, path: &[u8]) -> String {
        let path = path.strip_prefix(b"/").unwrap_or(path);
        let address = url_below(&format!("{}/", origin(url)), path);
        self.index_folded(&address)
    }

    /// A URL in normal form without fragment, with the folder in place of its index, and below the new
    /// prefix if its own is another name of that.
    #[must_use]
    pub fn index_folded(&self, url: &str) -> String {
        let form = normal(without_fragment(url), &NormalOptions::default());
        let is_in_place = self.prefixes.is_in_place(&form) == Some(true);
        let moved = self.prefixes.moved(&form).filter(|_| is_in_place);
        let form = moved.unwrap_or(form);
        let (page, query) = form.split_at(without_query(&form).len());
        let Some((folder, name)) = page.rsplit_once('/') else {
            return form;
        };
        if !self.hosting.index.iter().any(|index| index == name) {
            return form;
        }
        format!("{folder}/{query}")
    }

    /// The redirects from the new address of an old one.
    #[must_use]
    pub fn moved_chain(&self, url: &str) -> Option<RedirectChain> {
        let form = normal(url, &NormalOptions::default());
        let moved = self.prefixes.moved(&form).filter(|moved| *moved != form)?;
        Some(self.follow(&moved))
    }

    /// The path of the file with which the old site answers a URL, decoded.
    #[must_use]
    pub fn old_file(&self, url: &str) -> Option<Vec<u8>> {
        let path: Vec<u8> = percent_encoding::percent_decode_str(path(url)).collect();
        let answer = match served(&path, self.old, self.hosting) {
            Served::Folder => served(&[&path[..], b"/"].concat(), self.old, self.hosting),
            answer => answer,
        };
        match answer {
            Served::File(path) => Some(path),
            Served::Folder | Served::Nothing => None,
        }
    }

    /// Where the rules of the old site redirect an old address, in one or more steps; `None` if no rule
    /// applies.
    #[must_use]
    pub fn target_of(&self, url: &str) -> Option<String> {
        if self.rules.is_empty() {
            return None;
        }
        // The request is for the page without its fragment, which is kept if no redirect has one
        // (RFC 9110 §10.2.2).
        let page = without_fragment(url);
        let mut target = self.target(page).url.clone()?;
        if !target.contains('#') {
            target.push_str(&url[page.len()..]);
        }
        Some(target)
    }

    /// Whether the rules of the old site, if any apply to `url`, redirect it to `wanted`; both are in
    /// normal form.
    #[must_use]
    pub fn leaves_or_sends(&self, url: &str, wanted: &str) -> bool {
        if self.rules.is_empty() {
            return true;
        }
        let page = without_fragment(url);
        let target = self.target(page);
        let Some(form) = &target.form else {
            return true;
        };
        let fragment = if form.contains('#') {
            ""
        } else {
            &url[page.len()..]
        };
        wanted.strip_suffix(fragment) == Some(form)
    }

    /// The redirects from the page of a URL, in order. They are not cached: few are requested, and all
    /// addresses of a long chain would fill the memory.
    #[must_use]
    pub fn hops_of(&self, url: &str) -> Vec<String> {
        let page = without_fragment(url);
        if self.rules.is_empty() || !self.is_ours(page) {
            return Vec::new();
        }
        let hops = self.follow(page).hops.into_iter();
        hops.map(|hop| hop.to).collect()
    }

    /// Whether the rules can apply to a page: it is on the old site, the new site or the old host.
    fn is_ours(&self, page: &str) -> bool {
        self.prefixes.is_old(page)
            || self.prefixes.is_new(page)
            || self.prefixes.is_on_old_origin(page)
    }

    fn target(&self, page: &str) -> Arc<RefreshTarget> {
        if !self.is_ours(page) {
            return Arc::default();
        }
        self.targets.pages.get_or_insert(page, || {
            let chain = self.follow(page);
            let is_by_rule = chain.hops.iter().any(|hop| hop.rule.is_some());
            let url = (is_by_rule && !matches!(chain.end, End::Loop)).then_some(chain.url);
            Arc::new(RefreshTarget {
                form: url
                    .as_ref()
                    .map(|url| normal(url, &NormalOptions::default())),
                url,
            })
        })
    }

    fn step(&self, url: &str) -> Step {
        let form = normal(url, &NormalOptions::default());
        let in_place = self.prefixes.is_in_place(&form);
        let is_identity = in_place.unwrap_or_else(|| self.prefixes.is_identity());
        let is_new = self.prefixes.is_new(&form);
        let is_old = match self.prefixes.side(&form) {
            Side::Old => true,
            Side::New | Side::Neither => false,
            Side::Both => self.overlap.is_old(&form) != Some(false),
        };
        let on_old_origin = self.prefixes.is_on_old_origin(&form);
        let Some(request) = Request::from_url(url) else {
            return self.step_on_disk(&form, is_old, is_new);
        };
        if is_old || (on_old_origin && !is_new) {
            let ask = |rules: &RuleFile| rules.dialect().is_of_old_site() || is_identity;
            let files = if is_identity { self.new } else { self.old };
            if let Some(step) = self.ask(url, &request, &ask, files, is_identity) {
                return step;
            }
            if !is_identity && let Some(step) = self.redirect_of_new_site(url, &request) {
                return step;
            }
            let moved = self
                .prefixes
                .moved(&form)
                .filter(|_| is_old && !is_identity);
            return match moved {
                Some(to)
                    if self.prefix_redirect && normal(&to, &NormalOptions::default()) != form =>
                {
                    Step::Hop(Hop::permanent(to))
                }
                Some(_) => Step::End(End::NoRule, 0, None),
                None if is_identity && is_old => file(&request, self.new, self.hosting),
                None => Step::Nothing,
            };
        }
        let on_new_origin = self
            .prefixes
            .pairs()
            .any(|(_, new)| same_origin(new, &form));
        if is_new || on_new_origin {
            let ask = |rules: &RuleFile| !rules.dialect().is_of_old_site();
            let step = self.ask(url, &request, &ask, self.new, true);
            // A rule that redirects an address to itself is meant for the old host.
            let is_for_old = |step: &Step| matches!(step, Step::Hop(hop) if hop.to == url && !hop.is_own && !on_old_origin);
            if let Some(step) = step.filter(|step| !is_for_old(step)) {
                return step;
            }
            if is_new {
                return file(&request, self.new, self.hosting);
            }
        }
        Step::Nothing
    }

    /// The redirect of an old address by rules that are deployed with a tree. The old host may have
    /// these rules, too: as an alias of the new site, or alone without files.
    fn redirect_of_new_site(&self, url: &str, request: &Request<'_>) -> Option<Step> {
        let is_on_new_origin = self.prefixes.pairs().any(|(_, new)| same_origin(new, url));
        let files: &dyn Files = if is_on_new_origin { self.new } else { &NoFiles };
        let mut rules = self.rules.iter().enumerate();
        rules.find_map(|(number, rules)| {
            if rules.dialect().is_of_old_site() {
                return None;
            }
            let answer = rules.answer(request, files);
            let is_redirect = matches!(answer, Answer::Redirect { rule: Some(_), .. });
            (is_redirect || matches!(answer, Answer::Unknown { .. }))
                .then(|| self.step_of(url, number, answer, rules, files))
        })
    }

    /// The answer of the servers whose rules apply: the first matching rule wins, then the built-in
    /// answer of the first server.
    fn ask(
        &self,
        url: &str,
        request: &Request<'_>,
        applies: &dyn Fn(&RuleFile) -> bool,
        files: &dyn Files,
        serves_files: bool,
    ) -> Option<Step> {
        let mut own = None;
        let path = LazyCell::new(|| request.tidy_path().unwrap_or_default());
        for (number, rules) in self.rules.iter().enumerate() {
            let is_known = own.is_some() || !serves_files;
            if !applies(rules) || (is_known && !rules.may_answer(&path)) {
                continue;
            }
            let answer = rules.answer(request, files);
            let is_by_rule = match &answer {
                Answer::Redirect { rule, .. }
                | Answer::File { rule, .. }
                | Answer::Refused { rule, .. } => rule.is_some(),
                Answer::Unknown { .. } => true,
            };
            let step = self.step_of(url, number, answer, rules, files);
            if is_by_rule {
                return Some(step);
            }
            // No server reads a plan.
            if serves_files && !rules.dialect().is_plan() {
                own.get_or_insert(step);
            }
        }
        own
    }

    fn step_of(
        &self,
        url: &str,
        number: usize,
        answer: Answer,
        rules: &RuleFile,
        files: &dyn Files,
    ) -> Step {
        let in_file = |rule: Option<usize>| rule.map(|rule| RuleId { file: number, rule });
        match answer {
            Answer::Redirect {
                status,
                location,
                rule,
            } => {
                let drops_fragment = rules.drops_fragment(rule) && !location.contains('#');
                let url = if drops_fragment {
                    without_fragment(url)
                } else {
                    url
                };
                Step::Hop(Hop {
                    to: self.located(url, &location, rules),
                    status,
                    rule: in_file(rule),
                    is_own: rule.is_none(),
                    is_refresh: rules.is_of_pages(),
                    drops_fragment,
                })
            }
            Answer::File {
                status: 400..,
                rule: None,
                ..
            }
            | Answer::Refused { rule: None, .. }
                if is_unread(url, files) =>
            {
                Step::End(End::Unread, 0, None)
            }
            // An error page, or the start page with an error status.
            Answer::File { status, rule, .. } if status >= 400 => {
                Step::End(End::Refused(status), status, in_file(rule))
            }
            Answer::File { path, status, rule } => {
                let line = rule.and_then(|rule| Some(rules.rules().get(rule)?.line));
                let format = rules.dialect().format();
                let is_by_rules = rule.is_some() || !format.has_start_page_fallback;
                let end = if is_page_for_all(url, &path, rules, files) {
                    let by = is_by_rules.then_some(RuleLine {
                        file: number,
                        line: line.unwrap_or(0),
                    });
                    End::Fallback { path, by }
                } else {
                    End::Found { path }
                };
                Step::End(end, status, in_file(rule))
            }
            Answer::Refused { status, rule } => {
                Step::End(End::Refused(status), status, in_file(rule))
            }
            Answer::Unknown { line } => {
                Step::End(End::Unknown(RuleLine { file: number, line }), 0, None)
            }
        }
    }

    /// The URL in a `Location` field, with the fragment of `url` if it has none (RFC 9110 §10.2.2).
    fn located(&self, url: &str, location: &str, rules: &RuleFile) -> String {
        // In a plan of redirects, a path is relative to the new site.
        let new = self.prefixes.pairs().next().map(|(_, new)| new);
        let base = match new {
            Some(new) if rules.dialect().is_plan() => new,
            _ => url,
        };
        let Ok(mut to) = resolve(Rules::Whatwg, Some(base), location) else {
            return location.to_owned();
        };
        if !to.contains('#')
            && let Some(at) = url.find('#')
        {
            to.push_str(&url[at..]);
        }
        to
    }

    /// The step for `file` URLs and the like, which no server answers.
    fn step_on_disk(&self, form: &str, is_old: bool, is_new: bool) -> Step {
        if is_old && !is_new {
            return match self.prefixes.moved(form) {
                Some(to) if self.prefix_redirect => Step::Hop(Hop::permanent(to)),
                _ => Step::End(End::NoRule, 0, None),
            };
        }
        Step::Nothing
    }
}

/// Whether nothing is known about the file that a URL asks for, because a folder could not be listed.
fn is_unread(url: &str, files: &dyn Files) -> bool {
    let request = Request::from_url(url);
    let path = request.and_then(|request| request.tidy_path());
    path.is_some_and(|path| files.is_unread(&path))
}

/// The answer for an address that no rule of a server decides.
fn file(request: &Request<'_>, files: &dyn Files, hosting: &Hosting) -> Step {
    let path = request.decoded_path();
    match served(&path, files, hosting) {
        Served::File(path) => Step::End(End::Found { path }, 200, None),
        Served::Folder => Step::Hop(Hop {
            is_own: true,
            ..Hop::permanent(format!(
                "{}{}/{}",
                request.origin(),
                request.path,
                request.search()
            ))
        }),
        Served::Nothing if files.is_unread(&path) => Step::End(End::Unread, 0, None),
        Served::Nothing => Step::End(End::Refused(404), 404, None),
    }
}
