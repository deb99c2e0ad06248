//! The second look: what could not be said of a document until all were known.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::sync::Arc;

use super::Audit;
use super::class::{Counts, LinkClass};
use super::compare::Comparison;
use super::fragment;
use super::rules;
use super::scan::{Goal, Pending, Scan};
use super::target::FileOf;
use crate::document::{Identifiers, hash_of};
use crate::findings::{Excerpt, Excerpts, Finding, PageName};
use crate::resolve::Rules;
use crate::site::suggest::nearest_id;

/// A document that is judged.
#[derive(Debug)]
pub struct Judged {
    /// Its names.
    pub page: Arc<PageName>,
    /// What is the matter with it, in the order of [`Finding::sort`].
    pub findings: Vec<Finding>,
    /// Its links by their classes.
    pub counts: Counts,
}

/// What a compressed file begins with (RFC 1952 §2.3.1).
const GZIP: &[u8] = b"\x1f\x8b";

/// How many findings of a cause are examples.
const EXAMPLES: u32 = 8;

/// Judges documents, one after the other, when all were looked at.
pub struct Judge<'a> {
    audit: &'a Audit,
    excerpts: Excerpts,
    /// The pages of archives by the numbers of their URLs: the names of their elements.
    records: HashMap<u64, Box<[u64]>>,
    /// The fragments that links point to, asked for when a name is repeated.
    referred: HashSet<(FileOf, u64)>,
    /// What is said of a missing fragment, and how often it was said.
    missing: HashMap<(FileOf, String), (Remark, u32)>,
    /// The names in the pages that fragments are missing in.
    names: HashMap<FileOf, Option<Identifiers>>,
    /// The document of the last excerpt.
    source: Option<(Arc<PageName>, Vec<u8>)>,
}

#[derive(Clone)]
struct Remark {
    message: String,
    suggestion: Option<String>,
}

impl<'a> Judge<'a> {
    /// A judge of documents that were all looked at in `audit`; `scans` are they.
    #[must_use]
    pub fn new<'s>(
        audit: &'a Audit,
        excerpts: Excerpts,
        scans: impl Iterator<Item = &'s mut Scan>,
    ) -> Self {
        let mut scans: Vec<&mut Scan> = scans.collect();
        let mut records = HashMap::new();
        for scan in &mut scans {
            if let Some(record) = scan.record {
                // Of a URL that was saved twice the first counts.
                let names = std::mem::take(&mut scan.names);
                records.entry(record).or_insert(names);
            }
        }
        let repeated: HashSet<FileOf> = scans
            .iter()
            .filter(|scan| !scan.repeated.is_empty())
            .filter_map(|scan| scan.own)
            .collect();
        let mut referred = HashSet::new();
        for scan in &mut scans {
            let of_scan = std::mem::take(&mut scan.referred);
            referred.extend(
                of_scan
                    .into_iter()
                    .filter(|(file, _)| repeated.contains(file)),
            );
        }
        Self {
            audit,
            excerpts,
            records,
            referred,
            missing: HashMap::new(),
            names: HashMap::new(),
            source: None,
        }
    }

    /// Judges the next document.
    pub fn judge(&mut self, mut scan: Scan) -> Judged {
        let mut findings = std::mem::take(&mut scan.findings);
        for pending in &scan.pending {
            if let Goal::Record(record) = pending.goal
                && self.records.contains_key(&record)
            {
                scan.counts.change(LinkClass::External, LinkClass::Ok);
            }
            findings.extend(self.fragment(&scan, pending));
        }
        for (name, at, excerpt) in &scan.repeated {
            let is_target = scan
                .own
                .is_some_and(|own| self.referred.contains(&(own, hash_of(name))));
            let message = if is_target {
                format!("{name:?} is the name of an earlier element, and a link target")
            } else {
                format!("{name:?} is the name of an earlier element")
            };
            let mut finding = Finding::new(&rules::DUPLICATE_ID, &scan.name, name.clone(), message);
            finding.at = Some(at.clone());
            finding.raw.clone_from(name);
            finding.excerpt.clone_from(excerpt);
            findings.push(finding);
        }
        Finding::sort(&mut findings);
        Judged {
            page: scan.name,
            findings,
            counts: scan.counts,
        }
    }

    /// What is the matter with the fragment of a link.
    fn fragment(&mut self, scan: &Scan, pending: &Pending) -> Option<Finding> {
        let fragment = scan.texts.get(pending.fragment.as_ref()?);
        let names = match pending.goal {
            Goal::File(file) => self.audit.names_or_read(file)?,
            Goal::Record(record) => self.records.get(&record)?,
        };
        if fragment::is_among(fragment, names) {
            return None;
        }
        let comparison =
            Comparison::new(scan.bases.each_ref().map(Option::as_deref), scan.encoding);
        let raw = scan.texts.get(&pending.raw);
        let urls = comparison
            .urls(raw)
            .map(|url| url.ok().map(|url| self.audit.shown(&url)));
        let policy = Rules::ALL
            .iter()
            .position(|rules| *rules == self.audit.policy.rules);
        let url = policy.and_then(|place| urls[place].clone());
        let (target, remark, is_example) = match pending.goal {
            Goal::File(file) => {
                let (remark, is_example) = self.remark(file, fragment);
                (self.audit.path_of(file), remark, is_example)
            }
            Goal::Record(_) => {
                let page = url.as_deref().unwrap_or_default();
                let page = page.split('#').next().unwrap_or_default();
                (page.to_owned(), Remark::none(fragment), false)
            }
        };
        let cause = format!("{target}#{fragment}");
        let rule = &rules::MISSING_FRAGMENT;
        let mut finding = Finding::new(rule, &scan.name, cause, remark.message);
        finding.at.clone_from(&pending.at);
        finding.element = pending.slot.element.into();
        finding.attr = pending.slot.attr.into();
        raw.clone_into(&mut finding.raw);
        finding.url = url;
        finding.urls = urls;
        finding.base = Some(Arc::clone(&scan.base));
        finding.target = Some(target);
        finding.suggestions.extend(remark.suggestion);
        finding.excerpt = self.excerpt(scan, pending, is_example);
        Some(finding)
    }

    /// What is said of a fragment that is missing in a page, and whether it is among the first
    /// to say it.
    fn remark(&mut self, file: FileOf, fragment: &str) -> (Remark, bool) {
        let key = (file, fragment.to_owned());
        if let Some((remark, said)) = self.missing.get_mut(&key) {
            *said += 1;
            return (remark.clone(), *said < EXAMPLES);
        }
        let audit = self.audit;
        let names = self
            .names
            .entry(file)
            .or_insert_with(|| audit.read_names(file));
        let ids = names
            .iter()
            .flat_map(Identifiers::iter)
            .map(|(_, name)| name);
        let nearest = nearest_id(fragment, ids);
        let mut remark = Remark::none(fragment);
        if let Some(nearest) = nearest {
            if nearest.eq_ignore_ascii_case(fragment) {
                remark.message =
                    format!("no element has the name {fragment:?}; {nearest:?} is in other case");
            }
            remark.suggestion = Some(format!("#{nearest}"));
        }
        self.missing.insert(key, (remark.clone(), 0));
        (remark, true)
    }

    /// The line of the source around a link, from another read of its document.
    fn excerpt(&mut self, scan: &Scan, pending: &Pending, is_example: bool) -> Option<Excerpt> {
        let is_wanted = match self.excerpts {
            Excerpts::None => false,
            Excerpts::Examples => is_example,
            Excerpts::All => true,
        };
        let at = pending.at.as_ref().filter(|_| is_wanted)?;
        let file = self.audit.file_path(scan.own?);
        let is_known = matches!(&self.source, Some((name, _)) if Arc::ptr_eq(name, &scan.name));
        if !is_known {
            self.source = Some((Arc::clone(&scan.name), fs::read(file).ok()?));
        }
        let (_, source) = self.source.as_ref()?;
        // The places in a compressed file are those of what it is without.
        if source.starts_with(GZIP) {
            return None;
        }
        Excerpt::new(source, scan.encoding, &at.byte)
    }
}

impl Remark {
    fn none(fragment: &str) -> Self {
        Self {
            message: format!("no element has the name {fragment:?}"),
            suggestion: None,
        }
    }
}
