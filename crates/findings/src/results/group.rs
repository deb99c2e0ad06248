//! Groups findings by cause, for the overview that people read first.

use std::cmp::Reverse;
use std::sync::Arc;

use foldhash::{HashMap, HashSet};

use crate::finding::source_line::are_larger;
use crate::{Finding, Level, PageName, Rule, SourceLine};
use baseref_document::hash_of;

/// The findings of one rule with the same cause.
#[derive(Clone, Debug)]
pub struct Group {
    /// The rule.
    pub rule: &'static Rule,
    /// The most severe level among them.
    pub level: Level,
    /// The cause of all of them.
    pub cause: Arc<str>,
    /// The number of findings.
    pub findings: u64,
    /// The number of findings in the baseline.
    pub known: u64,
    /// The number of documents with such a finding.
    pub documents: u64,
    /// Examples: the first finding, then findings with other messages, then repetitions. At least
    /// one, unless [`Groups::showing`] left it out.
    pub examples: Vec<Finding>,
    /// Whether all have the same message.
    pub is_of_one_message: bool,
    /// The files or addresses below the missing folder that is the cause, by their hashes; empty for
    /// other causes.
    lost: HashSet<u64>,
    last: Arc<PageName>,
}

impl Group {
    /// The number of missing files or addresses, if the cause is a missing folder that has more than
    /// one.
    #[must_use]
    pub fn lost_below_folder(&self) -> Option<u64> {
        Some(self.lost.len() as u64).filter(|lost| *lost > 1)
    }

    /// The cause in the words of `example`, a finding of the group: of a missing folder with one
    /// missing file, the file.
    #[must_use]
    pub fn only_lost<'e>(&self, example: &'e Finding) -> Option<&'e str> {
        let is_one = self.lost.len() == 1;
        example.lost_below_folder().filter(|_| is_one)
    }

    /// Whether any of the findings is not in the baseline.
    fn is_new(&self) -> bool {
        self.known < self.findings
    }

    /// The weight of the group among others of its level. Links without a base cannot be judged, so
    /// they come last.
    fn weight(&self) -> (bool, u64, u64) {
        let is_judged = self.rule.id != "base/undefined";
        if self.rule.id.ends_with("-not-captured") {
            return (is_judged, self.documents, self.findings);
        }
        (is_judged, self.findings, self.documents)
    }

    /// Adds a finding as an example if there is room, or in place of an example that repeats a
    /// message. Returns whether it was added.
    fn keep(&mut self, finding: &Finding, room: usize) -> bool {
        let says_the_same = |example: &Finding| example.message == finding.message;
        // The message of an omitted example is unknown.
        let is_said = match self.examples.first() {
            Some(example) => says_the_same(example),
            None => self.findings <= 1,
        };
        self.is_of_one_message &= is_said;
        if self.examples.len() >= room {
            if self.is_of_one_message || self.examples.iter().any(says_the_same) {
                return false;
            }
            let Some(repeated) = self.repeated() else {
                return false;
            };
            self.examples.remove(repeated);
        }
        // Many groups have only one.
        self.examples.reserve_exact(1);
        self.examples.push(finding.clone());
        true
    }

    /// The index of an example that repeats the message of an earlier one.
    fn repeated(&self) -> Option<usize> {
        let repeats = |place: &usize| {
            let (before, from) = self.examples.split_at(*place);
            let is_same =
                |example: &Finding| Some(&example.message) == from.first().map(|f| &f.message);
            before.iter().any(is_same)
        };
        (1..self.examples.len()).rev().find(repeats)
    }
}

/// The count of a level.
fn count_of(counts: &mut [usize; Level::REPORTED.len()], level: Level) -> Option<&mut usize> {
    let place = Level::REPORTED.iter().position(|one| *one == level)?;
    counts.get_mut(place)
}

fn size_of_document(finding: &Finding) -> Option<usize> {
    finding.line.as_ref().and_then(SourceLine::size_of_document)
}

/// Collects findings into groups. Memory grows with the number of groups, not of findings.
#[derive(Debug)]
pub struct Groups {
    examples: usize,
    places: HashMap<&'static str, HashMap<Arc<str>, usize>>,
    found: Vec<Group>,
    /// The groups whose examples still refer to the current document for their source lines.
    undecided: Vec<usize>,
    current: Option<Arc<PageName>>,
    /// The number of groups that are shown, if not all.
    shown: Option<usize>,
    /// The number of groups with new findings, by level.
    new: [usize; Level::REPORTED.len()],
}

/// The number of groups that always get examples.
const ALL_WITH_EXAMPLES: usize = 10_000;

impl Groups {
    /// Groups with up to `examples` examples each, but at least one.
    #[must_use]
    pub fn new(examples: usize) -> Self {
        Self {
            examples: examples.max(1),
            places: HashMap::default(),
            found: Vec::new(),
            undecided: Vec::new(),
            current: None,
            shown: None,
            new: [0; Level::REPORTED.len()],
        }
    }

    /// Sets how many groups are shown. Beyond a large number of groups, a group that would not be
    /// shown gets no example until its second finding.
    #[must_use]
    pub fn showing(mut self, count: Option<usize>) -> Self {
        self.shown = count;
        self
    }

    /// Adds a finding. The findings of one document must be consecutive.
    pub fn add(&mut self, finding: &Finding) {
        let is_current = |page| Arc::ptr_eq(page, &finding.page);
        if !self.current.as_ref().is_some_and(is_current) {
            self.decide_on_lines();
            self.current = Some(Arc::clone(&finding.page));
        }
        let place = self.place(finding);
        let is_left_out = self.comes_too_late(place, finding);
        let Some(group) = self.found.get_mut(place) else {
            return;
        };
        let was_new = group.is_new().then_some(group.level);
        group.level = group.level.max(finding.level);
        group.findings += 1;
        if let Some(lost) = finding.lost_below_folder() {
            group.lost.insert(hash_of(lost));
        }
        group.known += u64::from(finding.known);
        let is_new = group.is_new().then_some(group.level);
        if was_new != is_new {
            if let Some(count) = was_new.and_then(|level| count_of(&mut self.new, level)) {
                *count -= 1;
            }
            if let Some(count) = is_new.and_then(|level| count_of(&mut self.new, level)) {
                *count += 1;
            }
        }
        if !Arc::ptr_eq(&group.last, &finding.page) {
            group.documents += 1;
            group.last = Arc::clone(&finding.page);
        }
        if is_left_out {
            return;
        }
        if group.keep(finding, self.examples) && size_of_document(finding).is_some() {
            self.undecided.push(place);
        }
    }

    /// Whether a finding is the first of a group that is too small to be shown unless it grows.
    fn comes_too_late(&self, place: usize, finding: &Finding) -> bool {
        let group = self.found.get(place);
        let is_first = group.is_some_and(|group| group.findings == 0);
        let Some(shown) = self.shown.filter(|_| is_first && !finding.known) else {
            return false;
        };
        let levels = Level::REPORTED.into_iter().zip(self.new);
        let before = levels.filter(|(level, _)| *level >= finding.level);
        let before: usize = before.map(|(_, count)| count).sum();
        before >= shown.max(ALL_WITH_EXAMPLES)
    }

    /// Whether a finding may become an example, if it is added now or after others.
    #[must_use]
    pub fn may_keep(&self, finding: &Finding) -> bool {
        let causes = self.places.get(finding.rule.id);
        let place = causes.and_then(|causes| causes.get(&finding.cause));
        let group = place.and_then(|place| self.found.get(*place));
        group.is_none_or(|group| {
            let says_the_same = |example: &Finding| example.message == finding.message;
            group.examples.len() < self.examples || !group.examples.iter().any(says_the_same)
        })
    }

    /// Cuts the source lines of examples out of the current document, unless keeping the whole document
    /// takes less memory.
    fn decide_on_lines(&mut self) {
        let undecided = std::mem::take(&mut self.undecided);
        let count = undecided.len();
        for place in undecided {
            let group = self.found.get_mut(place);
            for example in group.into_iter().flat_map(|group| &mut group.examples) {
                if size_of_document(example).is_some_and(|size| !are_larger(count, size)) {
                    example.cut_out_line();
                }
            }
        }
    }

    /// The index of the group of a finding, which is created if necessary.
    fn place(&mut self, finding: &Finding) -> usize {
        let causes = self.places.entry(finding.rule.id).or_default();
        if let Some(&place) = causes.get(&finding.cause) {
            return place;
        }
        let place = self.found.len();
        causes.insert(Arc::clone(&finding.cause), place);
        self.found.push(Group {
            rule: finding.rule,
            level: finding.level,
            cause: Arc::clone(&finding.cause),
            findings: 0,
            known: 0,
            documents: 1,
            examples: Vec::new(),
            is_of_one_message: true,
            lost: HashSet::default(),
            last: Arc::clone(&finding.page),
        });
        place
    }

    /// The number of groups.
    #[must_use]
    pub fn len(&self) -> usize {
        self.found.len()
    }

    /// Whether no finding was added.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.found.is_empty()
    }

    /// The groups, by descending level, then by descending number of findings, then in order of
    /// first occurrence. Missing captures are ranked by the number of documents that need them.
    #[must_use]
    pub fn into_sorted(mut self) -> Vec<Group> {
        self.found
            .sort_by_key(|group| (Reverse(group.level), Reverse(group.weight())));
        self.found
    }
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroU32;

    use super::*;
    use crate::rule::tests::{BASE_EMPTY, MISSING};
    use baseref_document::Position;

    fn page(doc: &str) -> Arc<PageName> {
        Arc::new(PageName {
            doc: doc.to_owned(),
            ..PageName::default()
        })
    }

    #[test]
    fn groups_share_rule_and_cause_and_are_sorted_by_weight() {
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

    #[test]
    fn files_of_a_missing_folder_are_counted_once() {
        let page = page("a.html");
        let mut groups = Groups::new(2);
        for (target, cause) in [
            ("gone/a.html", "gone/"),
            ("gone/b/c.html", "gone/"),
            ("gone/a.html", "gone/"),
            ("lone/d.html", "lone/"),
            ("lone/d.html", "lone/"),
            ("e.html", "e.html"),
        ] {
            let mut finding = Finding::new(&MISSING, &page, cause, "");
            finding.target = Some(target.into());
            groups.add(&finding);
        }
        let groups = groups.into_sorted();
        let counts: Vec<_> = groups.iter().map(Group::lost_below_folder).collect();
        assert_eq!(counts, [Some(2), None, None]);
        let only = |group: &Group| group.only_lost(&group.examples[0]).map(str::to_owned);
        let only: Vec<_> = groups.iter().map(only).collect();
        assert_eq!(only, [None, Some("lone/d.html".to_owned()), None]);
    }

    #[test]
    fn groups_beyond_those_shown_have_no_example() {
        let page = page("a.html");
        let mut all = Groups::new(2);
        let mut few = Groups::new(2).showing(Some(3));
        let causes = 0..ALL_WITH_EXAMPLES + 10;
        let found = causes.map(|cause| Finding::new(&BASE_EMPTY, &page, cause.to_string(), ""));
        let mut found: Vec<_> = found.collect();
        found.push(Finding::new(&MISSING, &page, "late, but more severe", ""));
        found.extend((0..3).map(|_| {
            let cause = (ALL_WITH_EXAMPLES + 5).to_string();
            Finding::new(&BASE_EMPTY, &page, cause, "")
        }));
        for finding in &found {
            all.add(finding);
            few.add(finding);
        }
        let (all, few) = (all.into_sorted(), few.into_sorted());
        let told = |groups: &[Group]| -> Vec<String> {
            let told = |g: &Group| format!("{} {} {}", g.cause, g.findings, g.documents);
            groups.iter().map(told).collect()
        };
        assert_eq!(told(&all), told(&few));
        let examples = |groups: &[Group]| -> Vec<usize> {
            groups.iter().map(|group| group.examples.len()).collect()
        };
        assert_eq!(examples(&few[..3]), examples(&all[..3]));
        let without = few.iter().filter(|group| group.examples.is_empty());
        assert_eq!(without.count(), 9);
        assert_eq!(few[0].cause, "late, but more severe".into());
        assert!(all[1].is_of_one_message && !few[1].is_of_one_message);
    }

    #[test]
    fn examples_are_predicted() {
        let page = page("a.html");
        let mut groups = Groups::new(2);
        let mut refused = 0;
        for message in ["a", "a", "a", "b", "b", "c", "a"] {
            let finding = Finding::new(&MISSING, &page, "x", message);
            let may_keep = groups.may_keep(&finding);
            let examples = |groups: &Groups| -> Vec<Arc<str>> {
                let found = groups.found.iter().flat_map(|group| &group.examples);
                found.map(|example| Arc::clone(&example.message)).collect()
            };
            let before = examples(&groups);
            groups.add(&finding);
            assert!(may_keep || examples(&groups) == before, "{message}");
            refused += usize::from(!may_keep);
        }
        assert_eq!(refused, 3);
    }

    #[test]
    fn examples_have_different_messages_if_possible() {
        let page = page("a.html");
        let of_messages = |messages: &[&str]| {
            let mut groups = Groups::new(2);
            for message in messages {
                groups.add(&Finding::new(&MISSING, &page, "x", *message));
            }
            let group = groups.into_sorted().remove(0);
            let examples = group.examples.iter();
            let said: Vec<&str> = examples.map(|example| &*example.message).collect();
            (said.join(" "), group.is_of_one_message)
        };
        assert_eq!(of_messages(&["a", "a", "a"]), ("a a".to_owned(), true));
        assert_eq!(
            of_messages(&["a", "a", "b", "c"]),
            ("a b".to_owned(), false)
        );
        assert_eq!(
            of_messages(&["a", "b", "b", "a"]),
            ("a b".to_owned(), false)
        );
    }

    #[test]
    fn documents_are_kept_for_many_examples_only() {
        let document = Arc::new(vec![b' '; 600]);
        let kept = |causes: &[&str]| {
            let mut groups = Groups::new(1);
            let page = page("a.html");
            for cause in causes {
                let mut finding = Finding::new(&MISSING, &page, *cause, "");
                finding.at = Some(Position::new(NonZeroU32::MIN, NonZeroU32::MIN, 8..9));
                let document = Arc::clone(&document);
                finding.line = Some(SourceLine::in_document(document, encoding_rs::UTF_8));
                groups.add(&finding);
            }
            groups.add(&Finding::new(&MISSING, &self::page("b.html"), "z", ""));
            let groups = groups.into_sorted();
            let examples = groups.iter().flat_map(|group| &group.examples);
            let mut of_page = examples.filter(|one| one.page.doc == "a.html");
            assert!(of_page.all(|one| one.excerpt().is_some()));
            Arc::strong_count(&document) > 1
        };
        assert!(!kept(&["x", "x", "x", "x", "y"]));
        assert!(kept(&["x", "y", "z"]));
    }
}
