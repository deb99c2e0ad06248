//! Looks up a URL and follows captured redirects.

use std::borrow::Cow;
use std::cell::OnceCell;

use baseref_document::hash_of;

use crate::captures::index::Index;
use crate::captures::key::{Need, Tier, exact, twin};
use crate::captures::long_locations::{Hashes, StoredTarget};
use crate::captures::lookup::{KeyKind, is_redirect, resolved};
use crate::captures::row::{Number, Rank};

/// The maximum number of redirects that are followed, as in browsers.
pub const HOPS: usize = 20;

/// A lookup for a link.
#[derive(Clone, Copy, Debug)]
pub struct Question<'q> {
    /// The URL; its fragment is ignored.
    pub url: &'q str,
    /// What the link needs its target for.
    pub need: Need,
    /// When the linking page was captured, in milliseconds since 1970; the nearest capture wins.
    pub date: Option<i64>,
    /// The loosest tier to try.
    pub tier: Tier,
}

/// The answer to a [`Question`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The capture of the URL itself, and the tier in which it was found.
    pub first: Option<(Number, Tier)>,
    /// The captures that it redirects to, in order.
    pub hops: Vec<Number>,
    /// The result at the end of the redirects.
    pub end: End,
}

/// The result at the end of the redirects.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum End {
    /// A capture of a successful response.
    Captured(Number),
    /// A capture of an error response.
    Error(Number),
    /// The URL was not captured.
    Nothing {
        /// The URL in normal form.
        url: Box<str>,
        /// Why there is none.
        why: Absent,
        /// The fragment in the last redirect, if any.
        fragment: Option<Box<str>>,
    },
    /// A redirect without a usable `Location`.
    Broken(Number),
    /// A redirect known only from a CDX that does not give its target.
    Unsaid(Number),
    /// A redirect to a URL that was visited before, or more than [`HOPS`] redirects.
    Loop(Number),
}

/// The reason why a URL has no capture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Absent {
    /// The archive has no record of it.
    NotAsked,
    /// It was requested only with methods other than GET.
    OtherMethod,
    /// The server sent no response, or an unreadable one.
    NoAnswer,
}

impl Index {
    /// Looks up a URL and follows its redirects.
    #[must_use]
    pub fn ask(&self, question: Question<'_>) -> Answer {
        self.ask_exact(exact(question.url), question)
    }

    /// The same, given the URL in its [`exact`] form.
    #[must_use]
    pub fn ask_exact(&self, own: Cow<'_, str>, question: Question<'_>) -> Answer {
        let sought = LookupUrl::new(&own);
        let Some((first, tier)) = self.find(&sought, question, &[]) else {
            return self.nothing(&own);
        };
        let mut answer = Answer {
            first: Some((first, tier)),
            hops: Vec::new(),
            end: self.end_at(first),
        };
        // Most captures are not redirects.
        if is_redirect(self.rows[first as usize].status) {
            self.follow(own.into_owned(), first, question, &mut answer);
        }
        answer
    }

    /// The answer for a URL, in its [`exact`] form, that no tier finds a capture of.
    #[must_use]
    pub fn nothing(&self, own: &str) -> Answer {
        Answer {
            first: None,
            hops: Vec::new(),
            end: self.absent(&LookupUrl::new(own), None),
        }
    }

    /// The result for a capture that is not a redirect.
    fn end_at(&self, number: Number) -> End {
        let status = self.rows[number as usize].status;
        if status >= 400 || status == 304 {
            End::Error(number)
        } else {
            End::Captured(number)
        }
    }

    /// Follows redirects from the first capture, whose URL is `own`.
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
                } else if row.is_from_cdx {
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
            let sought = LookupUrl {
                hashes: target.hashes,
                ..LookupUrl::new(&target.url)
            };
            let Some((number, _)) = self.find(&sought, question, &seen) else {
                answer.end = self.absent(&sought, target.fragment.as_deref());
                return;
            };
            urls.push(target.url);
            answer.hops.push(number);
            seen.push(number);
            at = number;
        }
    }

    /// The target of a redirect; `None` without a valid `Location`.
    fn target(&self, number: Number) -> Option<ResolvedRedirect<'_>> {
        match self.long_locations.target(number) {
            StoredTarget::Near => {}
            StoredTarget::Nowhere => return None,
            StoredTarget::To(target) => {
                return Some(ResolvedRedirect {
                    url: Cow::Borrowed(&*target.url),
                    fragment: target.fragment.as_deref().map(Cow::Borrowed),
                    hashes: Some(&target.hashes),
                });
            }
        }
        let location = self.texts.get(self.rows[number as usize].location);
        let target = (!location.is_empty()).then(|| resolved(self.url(number), location))??;
        let fragment = target
            .split_once('#')
            .map(|(_, fragment)| fragment.to_owned());
        Some(ResolvedRedirect {
            url: Cow::Owned(exact(&target).into_owned()),
            fragment: fragment.map(Cow::Owned),
            hashes: None,
        })
    }

    /// The fragment in the last redirect of an answer that has one.
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

    fn absent(&self, sought: &LookupUrl<'_>, fragment: Option<&str>) -> End {
        let hash = sought.hash(KeyKind::Exact);
        let never = hash.and_then(|hash| self.having_hash(KeyKind::Exact, hash).last());
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

    /// The best capture of a URL that is not in `seen`, in the first tier that has one.
    fn find(
        &self,
        sought: &LookupUrl<'_>,
        question: Question<'_>,
        seen: &[Number],
    ) -> Option<(Number, Tier)> {
        let Question { need, date, .. } = question;
        for tier in Tier::ALL.into_iter().filter(|tier| *tier <= question.tier) {
            if let Some(found) = self.nearest(KeyKind::new(tier, need), sought, date, seen) {
                return Some((found, tier));
            }
        }
        if need == Need::Page || question.tier < Tier::Loose {
            return None;
        }
        let found = self.nearest(KeyKind::File, sought, date, seen)?;
        Some((found, Tier::Loose))
    }

    /// The capture nearest to a date, the later one if two are equally near; a usable one, if any.
    fn nearest(
        &self,
        by: KeyKind,
        sought: &LookupUrl<'_>,
        date: Option<i64>,
        seen: &[Number],
    ) -> Option<Number> {
        let mut all = self.having_hash(by, sought.hash(by)?);
        for rank in [Rank::Usable, Rank::Last] {
            let end = all.partition_point(|number| self.rows[*number as usize].rank <= rank);
            let (of_rank, rest) = all.split_at(end);
            let found = self.nearest_of(of_rank, date).filter(|number| {
                // Replay skips a redirect to itself unless its exact URL was requested.
                let is_back = self.rows[*number as usize].is_self_redirect;
                !seen.contains(number) && (matches!(by, KeyKind::Exact) || !is_back)
            });
            if found.is_some() {
                return found;
            }
            all = rest;
        }
        None
    }

    /// The capture nearest to a date, among captures sorted by date.
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

    /// Whether a capture is the only one with its URL.
    #[must_use]
    pub fn is_only(&self, number: Number) -> bool {
        self.having(KeyKind::Exact, self.url(number)).len() == 1
    }

    /// The nearest successful capture of the URL of capture `number`.
    #[must_use]
    pub fn better_than(&self, number: Number) -> Option<Number> {
        let row = &self.rows[number as usize];
        let all = self.having(KeyKind::Exact, self.url(number));
        let is_good = |number: &&Number| {
            let row = &self.rows[**number as usize];
            row.rank == Rank::Usable && row.status < 300
        };
        let distance = |number: &&Number| self.rows[**number as usize].date.abs_diff(row.date);
        // Few URLs have many captures, and only error reports need this.
        all.iter()
            .take(MOST_COMPARED)
            .filter(is_good)
            .min_by_key(distance)
            .copied()
    }
}

/// A URL in normal form to look up, and its hashes if they are stored.
struct LookupUrl<'u> {
    url: &'u str,
    hashes: Option<&'u Hashes>,
    /// The key that looser keys are made from, once it is needed.
    twin: OnceCell<String>,
}

impl<'u> LookupUrl<'u> {
    fn new(url: &'u str) -> Self {
        Self {
            url,
            hashes: None,
            twin: OnceCell::new(),
        }
    }

    /// The hash of a key; `None` if the URL has no such key.
    fn hash(&self, by: KeyKind) -> Option<u64> {
        if let Some(hashes) = self.hashes {
            return hashes[by as usize];
        }
        if let KeyKind::Exact = by {
            return Some(hash_of(self.url));
        }
        let twin = self.twin.get_or_init(|| twin(self.url));
        by.key_from_twin(twin).map(|key| hash_of(&key))
    }
}

/// The target of a redirect.
struct ResolvedRedirect<'i> {
    /// The URL in normal form.
    url: Cow<'i, str>,
    fragment: Option<Cow<'i, str>>,
    hashes: Option<&'i Hashes>,
}

/// The maximum number of captures of a URL that are compared.
const MOST_COMPARED: usize = 1000;
