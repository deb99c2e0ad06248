//! Looks a URL up, and follows the redirects that were captured.

use std::borrow::Cow;

use baseref_document::hash_of;

use crate::captures::far::{Hashes, Leads};
use crate::captures::index::Index;
use crate::captures::key::{Need, Tier, exact};
use crate::captures::lookup::{By, is_redirect, resolved};
use crate::captures::row::{Number, Rank};

/// The longest chain of redirects that is followed; browsers follow 20.
pub const HOPS: usize = 20;

/// What a link asks of the index.
#[derive(Clone, Copy, Debug)]
pub struct Question<'q> {
    /// Its URL; the fragment does not count.
    pub url: &'q str,
    /// What it needs its target for.
    pub need: Need,
    /// When the page that it is on was captured, in milliseconds since 1970: of several captures
    /// the nearest to it counts.
    pub date: Option<i64>,
    /// The loosest tier asked.
    pub tier: Tier,
}

/// The answer to a question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The capture of the URL itself and how it was found, if there is one.
    pub first: Option<(Number, Tier)>,
    /// The captures that it redirects to, one after another.
    pub hops: Vec<Number>,
    /// What is there in the end.
    pub end: End,
}

/// What a URL leads to in the end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum End {
    /// A capture of what a server sent.
    Captured(Number),
    /// A capture of an error.
    Error(Number),
    /// No capture of that URL.
    Nothing {
        /// The normal form of the URL.
        url: Box<str>,
        /// Why what there is of it is none.
        why: Absent,
        /// The fragment that the last redirect gave it, if it did.
        fragment: Option<Box<str>>,
    },
    /// A redirect without a usable `Location`.
    Broken(Number),
    /// A redirect that is known only from a line of an index, which does not say where to.
    Unsaid(Number),
    /// A redirect to a URL that was already asked for, or more than [`HOPS`].
    Loop(Number),
}

/// Why there is no capture of a URL.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Absent {
    /// There is no record of it.
    NotAsked,
    /// It was asked for with another method than GET.
    OtherMethod,
    /// There was no answer, or none that can be read.
    NoAnswer,
}

impl Index {
    /// What a URL leads to.
    #[must_use]
    pub fn ask(&self, question: Question<'_>) -> Answer {
        let own = exact(question.url);
        let Some((first, tier)) = self.find(Sought::new(&own), question, &[]) else {
            return Answer {
                first: None,
                hops: Vec::new(),
                end: self.absent(Sought::new(&own), None),
            };
        };
        let mut answer = Answer {
            first: Some((first, tier)),
            hops: Vec::new(),
            end: self.end_at(first),
        };
        // Most links lead to no redirect.
        if is_redirect(self.rows[first as usize].status) {
            self.follow(own.into_owned(), first, question, &mut answer);
        }
        answer
    }

    /// What a capture is that is no redirect.
    fn end_at(&self, number: Number) -> End {
        let status = self.rows[number as usize].status;
        if status >= 400 || status == 304 {
            End::Error(number)
        } else {
            End::Captured(number)
        }
    }

    /// Follows redirects from the first capture, of the URL `own`.
    fn follow(&self, own: String, first: Number, question: Question<'_>, answer: &mut Answer) {
        let mut urls = vec![Cow::Owned(own)];
        let mut at = first;
        let mut seen = vec![first];
        loop {
            let row = &self.rows[at as usize];
            if !is_redirect(row.status) {
                answer.end = self.end_at(at);
                return;
            }
            let Some(target) = self.target(at) else {
                // 300 offers a choice in its body.
                answer.end = if row.status == 300 {
                    End::Captured(at)
                } else if row.is_of_line {
                    End::Unsaid(at)
                } else {
                    End::Broken(at)
                };
                return;
            };
            if urls.contains(&target.url) || urls.len() > HOPS {
                answer.end = End::Loop(at);
                return;
            }
            let sought = Sought {
                url: &target.url,
                hashes: target.hashes,
            };
            let Some((number, _)) = self.find(sought, question, &seen) else {
                answer.end = self.absent(sought, target.fragment.as_deref());
                return;
            };
            urls.push(target.url);
            answer.hops.push(number);
            seen.push(number);
            at = number;
        }
    }

    /// Where a redirect leads, if it says so.
    fn target(&self, number: Number) -> Option<Target<'_>> {
        match self.far.of(number) {
            Leads::Near => {}
            Leads::Nowhere => return None,
            Leads::To(far) => {
                return Some(Target {
                    url: Cow::Borrowed(&*far.url),
                    fragment: far.fragment.as_deref().map(Cow::Borrowed),
                    hashes: Some(&far.hashes),
                });
            }
        }
        let location = self.texts.get(self.rows[number as usize].location);
        let target = (!location.is_empty()).then(|| resolved(self.url(number), location))??;
        let fragment = target
            .split_once('#')
            .map(|(_, fragment)| fragment.to_owned());
        Some(Target {
            url: Cow::Owned(exact(&target).into_owned()),
            fragment: fragment.map(Cow::Owned),
            hashes: None,
        })
    }

    /// The URL that the last redirect of an answer leads to, with its fragment if it has one.
    #[must_use]
    pub fn fragment_of_last(&self, answer: &Answer) -> Option<String> {
        let (first, _) = answer.first?;
        let chain = std::iter::once(first).chain(answer.hops.iter().copied());
        let mut fragment = None;
        for number in chain {
            let location = self.texts.get(self.rows[number as usize].location);
            if let Some((_, own)) = location.split_once('#') {
                fragment = Some(own.to_owned());
            }
        }
        fragment
    }

    fn absent(&self, sought: Sought<'_>, fragment: Option<&str>) -> End {
        let hash = sought.hash(By::Exact);
        let never = hash.and_then(|hash| self.having_hash(By::Exact, hash).last());
        let row = never.map(|number| &self.rows[*number as usize]);
        let why = match row.filter(|row| row.rank == Rank::Never) {
            Some(row) if row.other_method => Absent::OtherMethod,
            Some(_) => Absent::NoAnswer,
            None => Absent::NotAsked,
        };
        End::Nothing {
            url: sought.url.into(),
            why,
            fragment: fragment.map(Box::from),
        }
    }

    /// The capture of a normal form that counts, not one of those `seen`, in the first tier that has
    /// one.
    fn find(
        &self,
        sought: Sought<'_>,
        question: Question<'_>,
        seen: &[Number],
    ) -> Option<(Number, Tier)> {
        let Question { need, date, .. } = question;
        for tier in Tier::ALL.into_iter().filter(|tier| *tier <= question.tier) {
            if let Some(found) = self.nearest(By::of(tier, need), sought, date, seen) {
                return Some((found, tier));
            }
        }
        if need == Need::Page || question.tier < Tier::Loose {
            return None;
        }
        let found = self.nearest(By::File, sought, date, seen)?;
        Some((found, Tier::Loose))
    }

    /// Of the captures found by a URL, that nearest to a date, later ones first; one that counts last
    /// only if there is no other.
    fn nearest(
        &self,
        by: By,
        sought: Sought<'_>,
        date: Option<i64>,
        seen: &[Number],
    ) -> Option<Number> {
        let mut all = self.having_hash(by, sought.hash(by)?);
        for rank in [Rank::Usual, Rank::Last] {
            let end = all.partition_point(|number| self.rows[*number as usize].rank <= rank);
            let (of_rank, rest) = all.split_at(end);
            let found = self.nearest_of(of_rank, date).filter(|number| {
                // Replay skips what leads back to itself, unless it is what was asked for.
                let is_back = self.rows[*number as usize].is_self_redirect;
                !seen.contains(number) && (matches!(by, By::Exact) || !is_back)
            });
            if found.is_some() {
                return found;
            }
            all = rest;
        }
        None
    }

    /// Of captures sorted by date, that nearest to one.
    fn nearest_of(&self, sorted: &[Number], date: Option<i64>) -> Option<Number> {
        let of = |number: &Number| self.rows[*number as usize].date;
        let Some(date) = date else {
            return sorted.first().copied();
        };
        let after = sorted.partition_point(|number| of(number) < date);
        let later = sorted.get(after);
        let earlier = after.checked_sub(1).and_then(|before| sorted.get(before));
        match (earlier, later) {
            (Some(earlier), Some(later)) => {
                let is_later = of(later).abs_diff(date) <= of(earlier).abs_diff(date);
                Some(if is_later { *later } else { *earlier })
            }
            (one, other) => one.or(other).copied(),
        }
    }

    /// A capture of the URL of `number` that is no error, nearest to it.
    #[must_use]
    pub fn better_than(&self, number: Number) -> Option<Number> {
        let row = &self.rows[number as usize];
        let all = self.having(By::Exact, self.url(number));
        let is_good = |number: &&Number| {
            let row = &self.rows[**number as usize];
            row.rank == Rank::Usual && row.status < 300
        };
        let distance = |number: &&Number| self.rows[**number as usize].date.abs_diff(row.date);
        // Few URLs have many captures, and this is asked of errors alone.
        all.iter()
            .take(MOST_COMPARED)
            .filter(is_good)
            .min_by_key(distance)
            .copied()
    }
}

/// A normal form that captures are looked up by, and what it is found by, if that is known.
#[derive(Clone, Copy)]
struct Sought<'u> {
    url: &'u str,
    hashes: Option<&'u Hashes>,
}

impl<'u> Sought<'u> {
    fn new(url: &'u str) -> Self {
        Self { url, hashes: None }
    }

    /// `None` if it is never found so.
    fn hash(self, by: By) -> Option<u64> {
        match self.hashes {
            Some(hashes) => hashes[by as usize],
            None => by.key(self.url).map(|key| hash_of(&key)),
        }
    }
}

/// What a redirect leads to.
struct Target<'i> {
    /// The normal form of the URL.
    url: Cow<'i, str>,
    fragment: Option<Cow<'i, str>>,
    hashes: Option<&'i Hashes>,
}

/// How many captures of a URL are compared for a better one.
const MOST_COMPARED: usize = 1000;
