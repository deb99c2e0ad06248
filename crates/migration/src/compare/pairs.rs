//! Pairs the links of an old page with those of its successor.

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use foldhash::fast::RandomState;

use super::comparer::{Addresses, Comparer, PageLinks, TargetPair};
use super::interner::StringId;
use super::page::ComparedLink;
use crate::rules;
use baseref_findings::{Finding, Level, MoveEffect};
use baseref_resolve::parts::without_fragment as bare;
use baseref_server::follow::End;

impl Comparer<'_> {
    /// Pairs the links of two pages by target and element, then by text between the same neighbours, each
    /// in order. So a link of the sidebar is not paired with one of the footer. Returns the findings about
    /// added and changed links, and adds those about removed links to `removed`.
    ///
    /// Departs: links of equal text are not paired by the longest common subsequence of all that is left,
    /// which pairs a removed entry of the sidebar with the next link of that text, wherever it is.
    pub(super) fn pair(
        &self,
        old: PageLinks<'_>,
        new: PageLinks<'_>,
        removed: &mut Vec<Finding>,
    ) -> Vec<Finding> {
        let PageLinks { page, links } = old;
        let counterpart = new.page;
        let targets = links.iter().map(|link| self.target(link.url));
        let targets: Vec<Rc<TargetPair<'_>>> = targets.collect();
        let mut findings = Vec::new();
        let mut is_paired = vec![false; links.len()];
        let mut is_new_paired = vec![false; new.links.len()];
        let mut pairs: Vec<Paired> = Vec::new();
        let arrivals = new.links.iter();
        let arrivals: Vec<Rc<str>> = arrivals.map(|link| self.arrival(link.url)).collect();
        // Links with the same text first, so that of several links to a page the changed one is left.
        for is_by_text in [true, false] {
            let text = |link: &ComparedLink| is_by_text.then_some(link.text);
            let mut unpaired: HashMap<(&str, StringId, Option<StringId>), Vec<usize>, RandomState> =
                HashMap::default();
            for (number, link) in links.iter().enumerate().rev() {
                if !is_paired[number] {
                    let key = (&*targets[number].address, link.element, text(link));
                    unpaired.entry(key).or_default().push(number);
                }
            }
            for (number, (link, arrival)) in new.links.iter().zip(&arrivals).enumerate() {
                let key = (&**arrival, link.element, text(link));
                if !is_new_paired[number]
                    && let Some(old) = unpaired.get_mut(&key).and_then(Vec::pop)
                {
                    is_paired[old] = true;
                    is_new_paired[number] = true;
                    pairs.push(Paired { old, new: number });
                }
            }
        }
        for pair in self.exchanged(&pairs, links, new.links) {
            is_paired[pair.old] = false;
            is_new_paired[pair.new] = false;
        }
        pairs.retain(|pair| is_paired[pair.old]);
        pairs.sort_unstable_by_key(|pair| pair.new);
        let left = (0..new.links.len()).filter(|number| !is_new_paired[*number]);
        let landmarks = in_order(&pairs);
        let before_old = |number: usize| landmarks.partition_point(|pair| pair.old < number);
        let before_new = |number: usize| landmarks.partition_point(|pair| pair.new < number);
        let mut unpaired = self.unpaired(links, &is_paired, before_old);
        // Findings about the old page cover its own targets, as lost or as broken before.
        let known: Addresses = targets
            .iter()
            .map(|target| Rc::clone(&target.address))
            .collect();
        for (number, link) in left
            .into_iter()
            .filter_map(|at| Some((at, new.links.get(at)?)))
        {
            let key = (link.element, link.text, before_new(number));
            let url = self.text(link.url);
            let value = (link.element, link.attr, link.raw);
            let of_text = unpaired.by_text.get_mut(&key).and_then(Vec::pop);
            // A link that is broken now has a finding of its own.
            let is_there = || matches!(self.chain_end(bare(url)).end, End::Found { .. });
            let by_value = &mut unpaired.by_value;
            let of_value = || by_value.get_mut(&value).filter(|_| is_there())?.pop();
            if let Some(number) = of_text.or_else(of_value) {
                is_paired[number] = true;
                let was = &links[number];
                let text = Some(self.text(link.text)).filter(|text| !text.is_empty());
                let text = text.unwrap_or_else(|| self.text(link.raw));
                let message = format!("the link {text:?} led to {}", self.text(was.url));
                let mut finding = self.about(
                    counterpart,
                    link,
                    &rules::CHANGED_TARGET,
                    bare(url),
                    message,
                );
                finding.moved = Some(Box::new(MoveEffect {
                    old_url: Some(self.text(was.url).to_owned()),
                    new_url: Some(url.to_owned()),
                    expected: Some(targets[number].expected.clone()),
                    ..MoveEffect::default()
                }));
                if self.is_own_edit(&targets[number], self.text(was.url), url) {
                    finding.level = Level::Note;
                }
                findings.push(finding);
            } else if !self.is_of_theme(link) {
                let message = "the old page had no such link";
                findings.push(self.about(counterpart, link, &rules::ADDED_LINK, url, message));
            }
        }
        for (number, link) in links.iter().enumerate() {
            if !is_paired[number] && !self.is_of_theme(link) {
                let message = "the new page has no such link";
                let url = self.text(link.url);
                removed.push(self.about(page, link, &rules::REMOVED_LINK, url, message));
            }
        }
        findings.extend(self.new_links(new, &known));
        findings
    }

    /// The links that are not paired, by what the new ones are paired by next.
    fn unpaired(
        &self,
        links: &[ComparedLink],
        is_paired: &[bool],
        before: impl Fn(usize) -> usize,
    ) -> Unpaired {
        let mut unpaired = Unpaired::default();
        let numbered = links.iter().zip(is_paired).enumerate().rev();
        for (number, (link, _)) in numbered.filter(|(_, (_, is_paired))| !**is_paired) {
            if self.text(link.text).is_empty() {
                let key = (link.element, link.attr, link.raw);
                unpaired.by_value.entry(key).or_default().push(number);
            } else {
                let key = (link.element, link.text, before(number));
                unpaired.by_text.entry(key).or_default().push(number);
            }
        }
        unpaired
    }

    /// Whether a link is to a style sheet or the like, which another theme has others of.
    fn is_of_theme(&self, link: &ComparedLink) -> bool {
        self.text(link.element) == "link"
    }

    /// The pairs whose texts other links have now: each link led where another one leads.
    fn exchanged(
        &self,
        pairs: &[Paired],
        old: &[ComparedLink],
        new: &[ComparedLink],
    ) -> Vec<Paired> {
        let texts = |pair: &Paired| Some((old.get(pair.old)?.text, new.get(pair.new)?.text));
        let renamed = pairs.iter().filter_map(|pair| Some((*pair, texts(pair)?)));
        let is_renamed = |(_, (was, is)): &(Paired, (StringId, StringId))| {
            let is_empty = [was, is].iter().any(|text| self.text(**text).is_empty());
            was != is && !is_empty
        };
        let renamed: Vec<_> = renamed.filter(is_renamed).collect();
        let before: HashSet<StringId> = renamed.iter().map(|(_, (was, _))| *was).collect();
        let after: HashSet<StringId> = renamed.iter().map(|(_, (_, is))| *is).collect();
        let exchanged = renamed.into_iter();
        let exchanged =
            exchanged.filter(|(_, (was, is))| after.contains(was) && before.contains(is));
        exchanged.map(|(pair, _)| pair).collect()
    }

    /// Whether an author rather than the move changed a link from `was` to `url`: both are on other sites,
    /// or the old target leads nowhere now.
    fn is_own_edit(&self, target: &TargetPair<'_>, was: &str, url: &str) -> bool {
        let prefixes = self.context.prefixes;
        let is_inside = |url: &str| prefixes.is_old(url) || prefixes.is_new(url);
        if !is_inside(was) {
            return !is_inside(url);
        }
        prefixes.is_old(was) && target.there.is_none()
    }
}

/// Links of an old page, by their numbers, the last one first.
#[derive(Default)]
struct Unpaired {
    /// By element, text and the number of paired links before them.
    by_text: HashMap<(StringId, StringId, usize), Vec<usize>, RandomState>,
    /// Links without text, such as those to style sheets, by element, attribute and value.
    by_value: HashMap<(StringId, StringId, StringId), Vec<usize>, RandomState>,
}

/// A link of the old page, and the link of the new page with its target, by their numbers.
#[derive(Clone, Copy)]
struct Paired {
    old: usize,
    new: usize,
}

/// The longest run of pairs that is in order on both pages. `pairs` are in the order of the new page.
fn in_order(pairs: &[Paired]) -> Vec<Paired> {
    // The index of the last pair of the best run of each length, and the pair before each.
    let mut ends: Vec<usize> = Vec::new();
    let mut before: Vec<Option<usize>> = Vec::with_capacity(pairs.len());
    for (number, pair) in pairs.iter().enumerate() {
        let length = ends.partition_point(|end| pairs[*end].old < pair.old);
        before.push(length.checked_sub(1).map(|shorter| ends[shorter]));
        if length == ends.len() {
            ends.push(number);
        } else {
            ends[length] = number;
        }
    }
    let mut run = Vec::with_capacity(ends.len());
    let mut next = ends.last().copied();
    while let Some(number) = next {
        run.push(pairs[number]);
        next = before[number];
    }
    run.reverse();
    run
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn longest_run_in_order_on_both_pages() {
        let pairs = [(5, 0), (0, 1), (1, 2), (4, 3), (2, 4), (3, 5)];
        let pairs = pairs.map(|(old, new)| Paired { old, new });
        let run = in_order(&pairs);
        let run: Vec<usize> = run.into_iter().map(|pair| pair.old).collect();
        assert_eq!(run, [0, 1, 2, 3]);
        assert!(in_order(&[]).is_empty());
    }
}
