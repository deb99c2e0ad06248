//! The redirect rules of the servers of audited sites.

use std::sync::{Arc, OnceLock};

use baseref_files::Files;
use baseref_findings::Finding;
use baseref_resolve::parts;
use baseref_resolve::segment::push_segment;
use baseref_site::hosting::Hosting;
use baseref_site::map::{Location, Site, SiteMap};
use baseref_site::moves::{Overlap, Prefixes};

use super::answer::{RedirectAnswer, RedirectEnd, Redirects};
use super::error::RuleSetError;
use super::named::{NamedRules, read_rules};
use super::source::{self, RuleSource};
use crate::follow::{End, MoveContext, RedirectChain, RuleId, RuleLine, Stubs, Targets};
use crate::request::Request;
use crate::rule::Answer;
use crate::rule_file::RuleFile;
use crate::tree_files::TreeFiles;

/// The number of addresses per file of the sites that the budget of the rules allows for.
const ADDRESSES_PER_FILE: usize = 8;

/// The redirect rules of the servers of audited sites.
#[derive(Debug)]
struct RuleSet {
    rules: Vec<Arc<RuleFile>>,
    sources: Vec<RuleSource>,
    contexts: OnceLock<Vec<SiteContext>>,
}

/// The context of a site from which nothing moves.
#[derive(Debug, Default)]
struct SiteContext {
    prefixes: Prefixes,
    stubs: Stubs,
    targets: Targets,
    hosting: Hosting,
}

/// Reads the files of `--redirects`, each `[DIALECT:]FILE`, with the rules of the servers of the sites in
/// `map`; `None` if none are named.
///
/// # Errors
/// If a file cannot be read, its dialect is unknown, or `map` has no site.
pub fn read_redirects(
    named: &[String],
    map: &SiteMap,
    files: &Files,
) -> Result<Option<Arc<dyn Redirects>>, RuleSetError> {
    if named.is_empty() {
        return Ok(None);
    }
    Ok(Some(Arc::new(RuleSet::read(named, map, files)?)))
}

impl RuleSet {
    fn read(named: &[String], map: &SiteMap, files: &Files) -> Result<Self, RuleSetError> {
        let Some(site) = map.sites().first() else {
            return Err(RuleSetError::NoSite);
        };
        let NamedRules {
            files: rules,
            sources,
        } = read_rules(named, site.prefix(), files)?;
        let count: usize = map.sites().iter().map(|site| site.tree.file_count()).sum();
        for file in &rules {
            file.allow(count.saturating_mul(ADDRESSES_PER_FILE));
        }
        Ok(Self {
            rules,
            sources,
            contexts: OnceLock::new(),
        })
    }

    /// A file and line, for messages.
    fn line(&self, RuleLine { file, line }: RuleLine) -> Arc<str> {
        let Some(source) = self.sources.get(file) else {
            return "".into();
        };
        match source.place(line) {
            (name, 0) => (*name.doc).into(),
            (name, line) => format!("{}:{line}", name.doc).into(),
        }
    }

    /// The origin of the first redirect.
    fn by(&self, chain: &RedirectChain) -> Arc<str> {
        let Some(RuleId { file, rule }) = chain.hops.iter().find_map(|hop| hop.rule) else {
            return "the server".into();
        };
        let rule = self
            .rules
            .get(file)
            .and_then(|rules| rules.rules().get(rule));
        self.line(RuleLine {
            file,
            line: rule.map_or(0, |rule| rule.line),
        })
    }

    /// The status with which a rule refuses an address.
    fn refusal(&self, url: &str, files: &TreeFiles<'_>) -> Option<u16> {
        let request = Request::from_url(url)?;
        self.rules
            .iter()
            .find_map(|rules| match rules.answer(&request, files) {
                Answer::Refused {
                    status,
                    rule: Some(_),
                }
                | Answer::File {
                    status: status @ 400..,
                    rule: Some(_),
                    ..
                } => Some(status),
                _ => None,
            })
    }

    /// The answer for an audit by a chain with redirects.
    fn redirected(&self, site: &Site, url: &str, chain: RedirectChain) -> RedirectAnswer {
        if is_slash_of_folder(url, &chain) || is_other_name(site, url, &chain) {
            return RedirectAnswer::Nothing;
        }
        let by = self.by(&chain);
        let end = match chain.end {
            End::Found { .. } => RedirectEnd::File,
            End::Refused(_) => RedirectEnd::Nothing,
            End::Elsewhere | End::NoRule => RedirectEnd::Elsewhere,
            End::Fallback { .. } | End::Unknown(..) | End::Unread => RedirectEnd::NotKnown,
            End::Loop => return RedirectAnswer::Loop(by),
        };
        RedirectAnswer::Redirect {
            to: chain.url,
            status: chain.status,
            by,
            end,
        }
    }
}

impl Redirects for RuleSet {
    fn answer(&self, map: &SiteMap, url: &str) -> RedirectAnswer {
        let (Location::Inside { site, .. } | Location::Outside { site }) = map.locate(url) else {
            return RedirectAnswer::Nothing;
        };
        let contexts = self
            .contexts
            .get_or_init(|| map.sites().iter().map(SiteContext::new).collect());
        let (Some(site), Some(context)) = (map.sites().get(site), contexts.get(site)) else {
            return RedirectAnswer::Nothing;
        };
        let files = TreeFiles::new(&site.tree, std::iter::once(site.prefix()));
        let context = MoveContext {
            prefixes: &context.prefixes,
            rules: &self.rules,
            old: &files,
            new: &files,
            overlap: &Unmoved,
            prefix_redirect: false,
            stubs: &context.stubs,
            targets: &context.targets,
            hosting: &context.hosting,
        };
        let chain = context.follow(url);
        if !chain.hops.is_empty() {
            return self.redirected(site, url, chain);
        }
        match chain.end {
            End::Found { path } => RedirectAnswer::Served(address(url, &path)),
            End::Unknown(line) | End::Fallback { by: Some(line), .. } => {
                RedirectAnswer::NotKnown(self.line(line))
            }
            End::Fallback { by: None, .. } => RedirectAnswer::NotKnown("the server".into()),
            End::Refused(_) => {
                let refusal = self.refusal(url, &files);
                refusal.map_or(RedirectAnswer::Nothing, RedirectAnswer::Refused)
            }
            End::Loop => RedirectAnswer::Loop(self.by(&chain)),
            // The audit reports by itself what could not be listed.
            End::Elsewhere | End::NoRule | End::Unread => RedirectAnswer::Nothing,
        }
    }

    fn findings(&self) -> Vec<Finding> {
        let mut findings = Vec::new();
        for (file, source) in self.rules.iter().zip(&self.sources) {
            findings.extend(source::problems(file.problems(), source));
            findings.extend(source::problems(&file.met(), source));
            if file.is_exhausted() {
                findings.push(source::exhausted(source));
            }
        }
        findings
    }
}

impl SiteContext {
    fn new(site: &Site) -> Self {
        let mut context = Self::default();
        // An invalid prefix has no rules either.
        let _ = context.prefixes.add(site.prefix(), &[], site.prefix());
        context
    }
}

/// The site is both old and new.
struct Unmoved;

impl Overlap for Unmoved {
    fn is_old(&self, _: &str) -> Option<bool> {
        None
    }
}

/// Whether the only redirect adds the slash of a folder, which the hosting covers.
fn is_slash_of_folder(url: &str, chain: &RedirectChain) -> bool {
    let is_own = chain.hops.iter().all(|hop| hop.is_own);
    is_own && chain.url.strip_suffix('/') == Some(url)
}

/// Whether the only redirect is the canonical-host redirect of a site without a known host.
fn is_other_name(site: &Site, url: &str, chain: &RedirectChain) -> bool {
    let path = |url: &str| url[parts::origin(url).len()..].to_owned();
    let is_elsewhere = chain.end == End::Elsewhere && path(&chain.url) == path(url);
    site.has_unknown_host() && is_elsewhere
}

/// The URL of a file at a path of the host of another URL.
fn address(url: &str, path: &[u8]) -> String {
    let mut out = parts::origin(url).to_owned();
    for name in path.split(|byte| *byte == b'/').skip(1) {
        out.push('/');
        push_segment(name, &mut out);
    }
    out
}
