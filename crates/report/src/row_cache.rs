//! Cells that rows of one document share, formatted once.

use super::column::{Record, Shared};

/// Text shared by the records of one document, as already formatted: by run, then by the identifier of what
/// determines it.
#[derive(Debug, Default)]
pub struct RowCache {
    runs: Vec<Vec<(usize, Vec<u8>)>>,
}

/// How many identifiers of a run are cached.
const REMEMBERED: usize = 8;

impl RowCache {
    /// Appends the text of the run with that number, if a row was written that shares its cells. Returns
    /// whether it did.
    #[inline]
    pub(super) fn append(&mut self, run: usize, shared: usize, out: &mut Vec<u8>) -> bool {
        let Some(texts) = self.runs.get_mut(run) else {
            return false;
        };
        let Some(found) = texts.iter().position(|(known, _)| *known == shared) else {
            return false;
        };
        // The next row usually shares them, too.
        if found > 0 {
            texts.swap(0, found);
        }
        out.extend_from_slice(&texts[0].1);
        true
    }

    /// Keeps the text of a run, which is in `out` from `start` on, for the rows that share its cells, if there
    /// are any.
    #[inline]
    pub(super) fn keep(&mut self, run: usize, shared: Option<usize>, out: &[u8], start: usize) {
        if let Some(shared) = shared {
            self.add(run, shared, &out[start..]);
        }
    }

    #[cold]
    fn add(&mut self, run: usize, shared: usize, text: &[u8]) {
        if self.runs.len() <= run {
            self.runs.resize_with(run + 1, Vec::new);
        }
        let written = &mut self.runs[run];
        if written.len() == REMEMBERED {
            written.clear();
        }
        written.push((shared, text.to_vec()));
    }
}

/// Consecutive columns, and what determines all of them.
#[derive(Debug)]
pub(super) struct Run<M> {
    shared: Option<Shared>,
    /// What writes them.
    pub(super) members: Vec<M>,
}

impl<M> Run<M> {
    /// Whether rows may share its cells.
    pub(super) fn is_shared(&self) -> bool {
        self.shared.is_some()
    }

    /// What identifies the rows that share its cells with this one.
    #[inline]
    pub(super) fn shared_by<R: Record>(&self, row: &R::Row<'_>) -> Option<usize> {
        R::number_of(row, self.shared?)
    }
}

/// Puts what writes columns into runs.
pub(super) fn runs<M>(members: impl Iterator<Item = (Option<Shared>, M)>) -> Vec<Run<M>> {
    let mut runs: Vec<Run<M>> = Vec::new();
    for (shared, member) in members {
        match runs.last_mut() {
            Some(run) if run.shared == shared => run.members.push(member),
            _ => runs.push(Run {
                shared,
                members: vec![member],
            }),
        }
    }
    runs
}
