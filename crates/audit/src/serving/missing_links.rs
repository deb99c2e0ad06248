//! Links that lead to no file, and whether another hosting finds their files.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::serving::Serving;
use crate::serving::other_hosting::OtherHostings;
use baseref_findings::words::{count, number};
use baseref_site::map::Location;

/// The links that lead to no file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct MissingLinks {
    links: u64,
    /// How many of them lead to a file, by the number of the other hosting.
    found: BTreeMap<usize, u64>,
}

/// The numbers of the other hostings by which a URL without a file leads to one; `None` if it is not in a
/// site.
pub(crate) fn by_others(serving: Serving<'_>, url: &str) -> Option<Arc<[usize]>> {
    let Location::Inside { site, path } = serving.map.locate(url) else {
        return None;
    };
    let tree = &serving.map.sites()[site].tree;
    Some(serving.others.finding(tree, &path).collect())
}

impl MissingLinks {
    /// Counts a link that leads to no file, given the other hostings that find it.
    pub(crate) fn add(&mut self, by_others: &[usize]) {
        self.links += 1;
        for number in by_others {
            *self.found.entry(*number).or_default() += 1;
        }
    }

    pub(crate) fn merge(&mut self, others: &Self) {
        self.links += others.links;
        for (number, links) in &others.found {
            *self.found.entry(*number).or_default() += links;
        }
    }

    /// The advice, if another hosting finds most files.
    pub(crate) fn line(&self, others: &OtherHostings) -> Option<String> {
        let (links, best) = others.best(&self.found)?;
        if links * 2 <= self.links {
            return None;
        }
        let verb = if links == 1 { "finds" } else { "find" };
        Some(format!(
            "{} of {} to missing files {verb} their files as {}: {}",
            number(links),
            count(self.links, "link"),
            best.answering,
            best.option
        ))
    }
}
