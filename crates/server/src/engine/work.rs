//! The budgets of the answer to one request, and of all answers of a file together.
//!
//! Costs are counted in steps of up to a hundred nanoseconds, by comparisons rather than by the clock,
//! so that the same rules and addresses always reach the same limits.

use std::cell::Cell;
use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};

use baseref_document::{Allowance, Ledger, LimitReached, Work as Kind};

/// The maximum number of steps for one answer.
const MAX_STEPS: u64 = 1 << 17;
/// The steps of each answer that are not charged to the file; an ordinary answer takes fewer.
const FREE_STEPS: u64 = 512;
/// The maximum number of steps for all answers of a file, ...
const MAX_STEPS_OF_FILE: u64 = 1 << 24;
/// ... plus this many for each file of the site and each requested address.
const STEPS_PER_ADDRESS: u64 = 8_192;
/// Short string comparisons per step.
pub(crate) const COMPARED_PER_STEP: usize = 16;
/// The maximum length in bytes of a text that rules build, such as a variable or an address.
pub(crate) const MAX_TEXT: usize = 64 << 10;

/// The maximum number of steps of the backtracking engine for one text.
pub(crate) const BACKTRACK_LIMIT: usize = 50_000;

/// The maximum number of states of the patterns that a file may have, ...
const MAX_STATES_OF_FILE: Allowance = Allowance {
    base: 1 << 22,
    // ... which ordinary patterns do not reach: they have up to two states for each character.
    per_byte: 16,
};
/// The states charged for any pattern in addition to its own.
const STATES_OF_ANY: usize = 32;
/// The maximum number of bytes that the globs of a file take as expressions, with all alternatives of
/// their braces.
const MAX_COPIES_OF_FILE: Allowance = Allowance {
    base: 1 << 20,
    per_byte: 16,
};

/// The limit that prevented an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Limit {
    /// An answer took more than [`MAX_STEPS`].
    Steps,
    /// A text is longer than [`MAX_TEXT`].
    Text,
    /// A pattern with look-around or back-references took too many steps.
    Backtracking,
    /// Such a pattern needs UTF-8, and the text is not UTF-8.
    NotUtf8,
    /// A pattern is too large to be compiled.
    Size,
    /// Maps of nginx are nested too deeply.
    Depth,
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Steps => write!(f, "it took more than {MAX_STEPS} steps (rule-steps)"),
            Self::Text => write!(
                f,
                "a text got longer than {} KiB (rule-text)",
                MAX_TEXT >> 10
            ),
            Self::Backtracking => write!(
                f,
                "a pattern took more than {BACKTRACK_LIMIT} steps back (rule-backtracking)"
            ),
            Self::NotUtf8 => f.write_str(
                "a pattern with look-around or back-references is only run on text in UTF-8",
            ),
            Self::Depth => f.write_str("maps refer to each other in too long a row (rule-depth)"),
            Self::Size => f.write_str("a pattern is too large to be compiled (rule-pattern)"),
        }
    }
}

/// The error that a limit was reached before there was an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct NoAnswer;

/// The steps that the answers of a file have taken together.
#[derive(Debug)]
pub(crate) struct TotalSteps {
    steps: AtomicU64,
    limit: AtomicU64,
}

impl Default for TotalSteps {
    fn default() -> Self {
        Self {
            steps: AtomicU64::new(0),
            limit: AtomicU64::new(MAX_STEPS_OF_FILE),
        }
    }
}

impl TotalSteps {
    /// Raises the limit for this number of files and addresses.
    pub(crate) fn allow(&self, addresses: u64) {
        let more = addresses.saturating_mul(STEPS_PER_ADDRESS);
        let limit = MAX_STEPS_OF_FILE.saturating_add(more);
        self.limit.store(limit, Ordering::Relaxed);
    }

    /// Whether the limit is exceeded.
    pub(crate) fn is_over(&self) -> bool {
        self.steps.load(Ordering::Relaxed) > self.limit.load(Ordering::Relaxed)
    }

    /// Adds the steps of an answer, plus one step per byte of its text, which the caller resolves and
    /// looks up.
    pub(crate) fn add(&self, work: &Work, text: usize) {
        let steps = work.taken().saturating_add(text as u64);
        let steps = steps.saturating_sub(FREE_STEPS);
        self.steps.fetch_add(steps, Ordering::Relaxed);
    }
}

/// The budget of reading one rule file, its includes among it. Copies are the bytes that the reader
/// makes of globs, and the states are those of all patterns; compiling one takes up to a hundred nanoseconds.
#[derive(Debug, Default)]
pub(crate) struct ReadingBudget(Ledger);

impl ReadingBudget {
    /// The budget of a file of this length in bytes.
    pub(crate) fn new(length: usize) -> Self {
        let states = Ledger::new(Kind::PatternSteps, MAX_STATES_OF_FILE);
        let ledger = states.part(Kind::Copied, MAX_COPIES_OF_FILE);
        ledger.add_stored(length as u64);
        Self(ledger)
    }

    /// # Errors
    ///
    /// If fewer states are left than a pattern has.
    pub(crate) fn take_states(&self, states: usize) -> Result<(), LimitReached> {
        let states = states.saturating_add(STATES_OF_ANY) as u64;
        self.0.draw(Kind::PatternSteps, states)
    }

    /// # Errors
    ///
    /// If fewer bytes of copies are left.
    pub(crate) fn take_copies(&self, bytes: usize) -> Result<(), LimitReached> {
        self.0.draw(Kind::Copied, bytes as u64)
    }

    /// Whether copies may still be made.
    pub(crate) fn allows_copies(&self) -> bool {
        self.0.left(Kind::Copied) > 0
    }
}

/// The remaining budget of one answer.
#[derive(Debug)]
pub(crate) struct Work {
    left: Cell<u64>,
    met: Cell<Option<Limit>>,
}

impl Work {
    pub(crate) fn new() -> Self {
        Self {
            left: Cell::new(MAX_STEPS),
            met: Cell::new(None),
        }
    }

    /// The steps taken so far.
    pub(crate) fn taken(&self) -> u64 {
        MAX_STEPS - self.left.get()
    }

    /// The limit that was reached, if any.
    pub(crate) fn met(&self) -> Option<Limit> {
        self.met.get()
    }

    pub(crate) fn meet(&self, limit: Limit) -> NoAnswer {
        self.met.set(Some(limit));
        NoAnswer
    }

    /// # Errors
    ///
    /// If fewer steps than these are left.
    pub(crate) fn take(&self, steps: usize) -> Result<(), NoAnswer> {
        let left = self.left.get().checked_sub(steps as u64);
        self.left.set(left.unwrap_or(0));
        left.map(|_| ()).ok_or_else(|| self.meet(Limit::Steps))
    }

    /// # Errors
    ///
    /// If the text is longer than [`MAX_TEXT`], or its steps are not left.
    pub(crate) fn take_text(&self, length: usize) -> Result<(), NoAnswer> {
        if length > MAX_TEXT {
            return Err(self.meet(Limit::Text));
        }
        self.take(length / 64)
    }
}
