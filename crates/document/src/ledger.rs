//! Counts the work of reading one input file with everything nested in it.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Kinds of work that a small file can cause a lot of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Work {
    /// Bytes that come out of a coding or out of compressed members.
    Inflated,
    /// Tokens of a grammar, such as directives of rule files.
    Tokens,
    /// Steps of matching and compiling patterns.
    PatternSteps,
    /// Bytes copied from one part of an input to others.
    Copied,
}

/// The number of variants of [`Work`].
const KINDS: usize = 4;

/// How much of one kind of work is allowed: an amount for any input, and more for each byte of it
/// that has been read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Allowance {
    /// The amount for an input of any size.
    pub base: u64,
    /// The additional amount per byte read from storage.
    pub per_byte: u64,
}

impl Allowance {
    /// No limit.
    pub const UNLIMITED: Self = Self::fixed(u64::MAX);

    /// An amount that does not depend on the size of the input.
    #[must_use]
    pub const fn fixed(base: u64) -> Self {
        Self { base, per_byte: 0 }
    }

    /// The amount after `stored` bytes of the input have been read.
    #[must_use]
    pub const fn after(self, stored: u64) -> u64 {
        self.base
            .saturating_add(stored.saturating_mul(self.per_byte))
    }
}

/// A limit of a [`Ledger`] was reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LimitReached {
    /// The work that is limited.
    pub work: Work,
    /// Whether it was within the limit until now, so that the limit is still to be reported.
    pub is_first: bool,
}

impl fmt::Display for LimitReached {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.work {
            Work::Inflated => "the limit on inflated bytes is reached",
            Work::Tokens => "the limit on tokens is reached",
            Work::PatternSteps => "the limit on steps of patterns is reached",
            Work::Copied => "the limit on copied bytes is reached",
        })
    }
}

impl std::error::Error for LimitReached {}

/// Counts the work caused by one input file; clones share the counts.
///
/// Every reader of something in the file draws from it before it works or as soon as it knows how
/// much it worked: codings, records, members, attachments and rule files. A part of the file with a
/// limit of its own has a ledger made by [`Ledger::part`], and what is drawn from that is drawn from
/// the whole as well. The default ledger has no limits and counts nothing.
///
/// ```
/// use baseref_document::{Allowance, Ledger, Work};
///
/// let file = Ledger::new(Work::Inflated, Allowance { base: 100, per_byte: 2 });
/// file.add_stored(10);
/// let member = file.part(Work::Inflated, Allowance::fixed(50));
/// assert!(member.draw(Work::Inflated, 50).is_ok());
/// assert!(member.draw(Work::Inflated, 1).is_err());
/// assert_eq!(file.left(Work::Inflated), 120 - 51);
/// ```
#[derive(Clone, Debug, Default)]
pub struct Ledger(Option<Arc<Account>>);

#[derive(Debug)]
struct Account {
    /// The ledger that contains this part.
    whole: Ledger,
    /// How many bytes have been read from storage.
    stored: AtomicU64,
    limits: [Allowance; KINDS],
    spent: [AtomicU64; KINDS],
}

impl Ledger {
    /// A ledger for one input file, which limits one kind of work.
    #[must_use]
    pub fn new(work: Work, limit: Allowance) -> Self {
        Self::default().part(work, limit)
    }

    /// A ledger for a part of the file, with a limit of its own on one kind of work.
    #[must_use]
    pub fn part(&self, work: Work, limit: Allowance) -> Self {
        let mut limits = [Allowance::UNLIMITED; KINDS];
        limits[work as usize] = limit;
        Self(Some(Arc::new(Account {
            whole: self.clone(),
            stored: AtomicU64::new(0),
            limits,
            spent: Default::default(),
        })))
    }

    /// Records that this many more bytes were read from storage.
    pub fn add_stored(&self, bytes: u64) {
        for account in self.accounts() {
            add(&account.stored, bytes);
        }
    }

    /// How much of one kind of work is left.
    #[must_use]
    pub fn left(&self, work: Work) -> u64 {
        let left = self.accounts().map(|account| account.left(work));
        left.min().unwrap_or(u64::MAX)
    }

    /// Counts an amount of work.
    ///
    /// # Errors
    /// If less than that was left: then nothing is left.
    pub fn draw(&self, work: Work, amount: u64) -> Result<(), LimitReached> {
        let (mut is_within, mut is_first) = (true, false);
        for account in self.accounts() {
            let limit = account.limit(work);
            let before = add(&account.spent[work as usize], amount);
            #[cfg(fuzzing)]
            crate::ledger_features::observe(work as usize, before.saturating_add(amount));
            let exceeds = before.saturating_add(amount) > limit;
            is_within &= !exceeds;
            is_first |= exceeds && before <= limit;
        }
        if is_within {
            return Ok(());
        }
        Err(LimitReached { work, is_first })
    }

    /// The account of this ledger, then the accounts of the ledgers that contain it.
    fn accounts(&self) -> impl Iterator<Item = &Account> {
        std::iter::successors(self.0.as_deref(), |account| account.whole.0.as_deref())
    }
}

impl Account {
    fn limit(&self, work: Work) -> u64 {
        self.limits[work as usize].after(self.stored.load(Ordering::Relaxed))
    }

    fn left(&self, work: Work) -> u64 {
        let spent = self.spent[work as usize].load(Ordering::Relaxed);
        self.limit(work).saturating_sub(spent)
    }
}

/// Adds to a count without overflow, and returns what it was before.
fn add(count: &AtomicU64, amount: u64) -> u64 {
    let sum = |before: u64| Some(before.saturating_add(amount));
    let before = count.fetch_update(Ordering::Relaxed, Ordering::Relaxed, sum);
    // The closure never refuses.
    before.unwrap_or_else(|before| before)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clones_share_their_counts() {
        let ledger = Ledger::new(Work::Inflated, Allowance::fixed(10));
        let clone = ledger.clone();
        assert_eq!(ledger.draw(Work::Inflated, 6), Ok(()));
        for is_first in [true, false] {
            let work = Work::Inflated;
            let reached = Err(LimitReached { work, is_first });
            assert_eq!(clone.draw(work, 6), reached);
        }
        assert_eq!(ledger.left(Work::Inflated), 0);
        assert_eq!(ledger.draw(Work::Tokens, 6), Ok(()));
    }

    #[test]
    fn limit_grows_with_bytes_read() {
        let limit = Allowance {
            base: 10,
            per_byte: 3,
        };
        let ledger = Ledger::new(Work::Copied, limit);
        let part = ledger.part(Work::Inflated, Allowance::fixed(1));
        part.add_stored(5);
        assert_eq!(ledger.left(Work::Copied), 25);
        assert_eq!(part.left(Work::Copied), 25);
        assert_eq!(part.left(Work::Inflated), 1);
    }

    #[test]
    fn default_ledger_is_unlimited() {
        let ledger = Ledger::default();
        assert_eq!(ledger.draw(Work::PatternSteps, u64::MAX), Ok(()));
        assert_eq!(ledger.left(Work::PatternSteps), u64::MAX);
    }
}
