//! How a run ends.

/// How a run ends; the numbers are the exit codes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    Done = 0,
    Findings = 1,
    Usage = 2,
    Unread = 3,
}

impl From<Outcome> for u8 {
    fn from(outcome: Outcome) -> Self {
        outcome as Self
    }
}
