//! Groups of findings with the same cause, which people want to read first.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::sync::Arc;

use super::{Finding, Level, PageName, Rule};

/// The findings of one rule with the same cause.
#[derive(Clone, Debug)]
pub struct Group {
    /// The rule.
    pub rule: &'static Rule,
    /// The most severe level among them.
    pub level: Level,
    /// What they have in common.
    pub cause: String,
    /// The number of findings.
    pub findings: u64,
    /// How many of them are in the baseline.
    pub known: u64,
    /// The number of documents they are in.
    pub documents: u64,
    /// The first of them, at least one.
    pub examples: Vec<Finding>,
    last: Arc<PageName>,
}

/// Collects findings into groups. Memory grows with the groups, not the findings.
#[derive(Debug)]
pub struct Groups {
    examples: usize,
    places: HashMap<&'static str, HashMap<String, usize>>,
    found: Vec<Group>,
}

impl Groups {
    /// Keeps up to `examples` examples of each group, but at least one.
    #[must_use]
    pub fn new(examples: usize) -> Self {
        Self {
            examples: examples.max(1),
            places: HashMap::new(),
            found: Vec::new(),
        }
    }

    /// Adds a finding. Those of one document must be consecutive.
    pub fn add(&mut self, finding: &Finding) {
        let place = self.place(finding);
        let Some(group) = self.found.get_mut(place) else {
            return;
        };
        group.level = group.level.max(finding.level);
        group.findings += 1;
        group.known += u64::from(finding.known);
        if !Arc::ptr_eq(&group.last, &finding.page) {
            group.documents += 1;
            group.last = Arc::clone(&finding.page);
        }
        if group.examples.len() < self.examples {
            group.examples.push(finding.clone());
        }
    }

    /// The index of the group of a finding, which is created if necessary.
    fn place(&mut self, finding: &Finding) -> usize {
        let causes = self.places.entry(finding.rule.id).or_default();
        if let Some(&place) = causes.get(&finding.cause) {
            return place;
        }
        let place = self.found.len();
        causes.insert(finding.cause.clone(), place);
        self.found.push(Group {
            rule: finding.rule,
            level: finding.level,
            cause: finding.cause.clone(),
            findings: 0,
            known: 0,
            documents: 1,
            examples: Vec::new(),
            last: Arc::clone(&finding.page),
        });
        place
    }

    /// How many groups there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.found.len()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.found.is_empty()
    }

    /// The groups, by descending level, then by descending number of findings, then in order of
    /// first occurrence.
    #[must_use]
    pub fn into_sorted(mut self) -> Vec<Group> {
        self.found
            .sort_by_key(|group| (Reverse(group.level), Reverse(group.findings)));
        self.found
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::findings::rule::tests::{BASE_EMPTY, MISSING};

    fn page(doc: &str) -> Arc<PageName> {
        Arc::new(PageName {
            doc: doc.to_owned(),
            ..PageName::default()
        })
    }

    #[test]
    fn findings_of_one_rule_and_cause_are_one_group_and_the_heaviest_come_first() {
        let (a, b) = (page("a.html"), page("b.html"));
        let mut groups = Groups::new(2);
        for (rule, page, cause) in [
            (&BASE_EMPTY, &a, "x"),
            (&MISSING, &a, "once"),
            (&MISSING, &a, "often"),
            (&MISSING, &a, "often"),
            (&MISSING, &b, "often"),
            (&BASE_EMPTY, &b, "x"),
            (&MISSING, &b, "x"),
        ] {
            groups.add(&Finding::new(rule, page, cause, ""));
        }
        assert_eq!(groups.len(), 4);
        let told: Vec<_> = groups
            .into_sorted()
            .iter()
            .map(|g| {
                let examples = g.examples.len();
                format!(
                    "{} {}: {} in {}, {examples}",
                    g.rule.id, g.cause, g.findings, g.documents
                )
            })
            .collect();
        assert_eq!(
            told,
            [
                "target/missing-file often: 3 in 2, 2",
                "target/missing-file once: 1 in 1, 1",
                "target/missing-file x: 1 in 1, 1",
                "base/empty x: 2 in 2, 2",
            ]
        );
    }
}
