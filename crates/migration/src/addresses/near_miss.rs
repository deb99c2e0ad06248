//! Addresses that differ from the source of a rule only by a final slash or by case.

use std::collections::{BTreeSet, HashMap};

use super::row::Row;
use super::verdict::AddressVerdict;
use crate::rules;
use baseref_findings::Rule;
use baseref_resolve::parts::origin;
use baseref_server::follow::MoveContext;

/// The sources of all rules, indexed in lower case.
pub struct Sources {
    /// The start of each source, up to its first wildcard, by its lower-case form.
    starts: HashMap<String, String>,
    /// The lengths of the lower-case forms, in bytes.
    lengths: BTreeSet<usize>,
}

/// The characters that can be wildcards in the source of a rule.
const WILD: [char; 15] = [
    '*', ':', '(', ')', '[', ']', '{', '}', '?', '+', '|', '\\', '^', '$', '~',
];

impl Sources {
    /// Indexes the sources of all rules.
    #[must_use]
    pub fn new(context: &MoveContext<'_>) -> Self {
        let mut sources = Self {
            starts: HashMap::new(),
            lengths: BTreeSet::new(),
        };
        for file in context.rules {
            for rule in file.rules() {
                let end = rule.from.find(WILD).unwrap_or(rule.from.len());
                let start = match rule.samples.first() {
                    Some(sample) if rule.is_exact => sample,
                    _ => &rule.from[..end],
                };
                if start.starts_with('/') && start.len() > 1 {
                    sources.add(start);
                }
            }
        }
        sources
    }

    fn add(&mut self, path: &str) {
        let lower = path.to_lowercase();
        self.lengths.insert(lower.len());
        // The first of several counts.
        self.starts.entry(lower).or_insert_with(|| path.to_owned());
    }

    /// The address in the case of each matching source, the longest source first.
    fn in_other_case(&self, url: &str) -> impl Iterator<Item = String> {
        let (origin, path) = url.split_at(origin(url).len());
        let lower = path.to_lowercase();
        self.lengths.iter().rev().filter_map(move |length| {
            let written = self.starts.get(lower.get(..*length)?)?;
            // Lower case can have a different length.
            let rest = path.get(*length..).filter(|_| lower.len() == path.len())?;
            let other = format!("{origin}{written}{rest}");
            (other != url).then_some(other)
        })
    }

    /// The finding rule and the message for an address that would match with another final slash or case.
    #[must_use]
    pub fn near_miss(
        &self,
        row: &Row,
        context: &MoveContext<'_>,
    ) -> Option<(&'static Rule, String)> {
        let may_miss = matches!(row.verdict, AddressVerdict::Lost | AddressVerdict::NoRule);
        if !may_miss || context.rules.is_empty() {
            return None;
        }
        let is_by_rule = |url: &str| {
            let chain = context.follow(url);
            chain.hops.first().is_some_and(|hop| hop.rule.is_some())
        };
        let (path, rest) = match row.old_url.find(['?', '#']) {
            Some(at) => row.old_url.split_at(at),
            None => (&*row.old_url, ""),
        };
        let other = match path.strip_suffix('/') {
            Some(bare) => format!("{bare}{rest}"),
            None => format!("{path}/{rest}"),
        };
        if is_by_rule(&other) {
            return Some((&rules::R_SLASH, format!("a rule matches {other}")));
        }
        let lower = Some(row.old_url.to_lowercase()).filter(|lower| **lower != *row.old_url);
        let mut others = lower.into_iter().chain(self.in_other_case(&row.old_url));
        let near = others.find(|url| is_by_rule(url))?;
        Some((&rules::R_CASE, format!("a rule matches {near}")))
    }
}
