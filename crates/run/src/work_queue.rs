//! The source of work: inputs, and the entities of the containers among them.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::sync::{Condvar, Mutex};

use super::container_queue::{BATCH, ContainerItem, ContainerQueue, EntityReader, PIECES};
use super::guard::{guarded, lock};
use super::piece::OpenInput;
use super::reorder_buffer::Turn;
use baseref_container::Entities;
use baseref_document::Origin;
use baseref_document::ReadError;

/// An item that a worker pulls.
pub(super) enum WorkItem<'i> {
    Input(Box<dyn OpenInput + 'i>),
    /// An error in place of an input.
    NoInput(ReadError),
    /// A piece of a container.
    Of(ContainerItem),
}

/// The answer to a worker that asks for work.
pub(super) enum Work<'i> {
    /// The next pieces.
    Pieces(Vec<(Turn, WorkItem<'i>)>),
    /// A container to read from first, for this worker and the others, by the number of its input.
    Read(u64, EntityReader),
    /// None for now.
    Wait,
    /// None, and there will be no more.
    End,
}

/// The inputs, or errors in place of those that could not be found.
type Inputs<'i> = dyn Iterator<Item = Result<Box<dyn OpenInput + 'i>, ReadError>> + Send + 'i;

/// The source of work.
pub(super) struct WorkQueue<'i> {
    /// `None` after a panic, which ends the inputs.
    inputs: Option<&'i mut Inputs<'i>>,
    /// Open containers, by the number of their input.
    containers: BTreeMap<u64, ContainerQueue>,
    /// How many inputs are being opened: each can still turn out to be a container.
    opening: usize,
    /// The number of the next input.
    next: u64,
    /// The expected size of an input: an average of those before it, weighted towards the latest.
    size: usize,
    /// How many workers there are.
    jobs: usize,
    /// How many workers wait for more. Notifying without waiters still costs a system call.
    pub(super) waiters: usize,
}

impl<'i> WorkQueue<'i> {
    pub(super) fn new(inputs: &'i mut Inputs<'i>, jobs: NonZeroUsize) -> Self {
        Self {
            inputs: Some(inputs),
            containers: BTreeMap::new(),
            opening: 0,
            next: 0,
            size: BATCH,
            jobs: jobs.get(),
            waiters: 0,
        }
    }

    /// The turn of the next piece. The earliest container comes first, so each pulled piece comes
    /// after everything pulled before, and the turn can always advance.
    pub(super) fn next_turn(&self) -> Turn {
        match self.containers.first_key_value() {
            Some((&input, container)) => Turn {
                input,
                entity: container.next_number(),
            },
            None => Turn {
                input: self.next,
                entity: 0,
            },
        }
    }

    /// Shares out the entities of an input.
    pub(super) fn add(&mut self, input: u64, entities: Entities, origin: Origin) {
        let source = EntityReader::new(entities, origin);
        self.containers.insert(input, ContainerQueue::new(source));
    }

    /// Adds pieces that a worker has read from a container after [`Work::Read`].
    pub(super) fn fill(&mut self, input: u64, source: EntityReader, batch: Vec<ContainerItem>) {
        if let Some(container) = self.containers.get_mut(&input) {
            container.fill(source, batch);
        }
    }

    /// Wakes workers waiting for work.
    pub(super) fn wake(&self, supplied: &Condvar) {
        if self.waiters > 0 {
            supplied.notify_all();
        }
    }

    /// The next work, for a worker that asks.
    pub(super) fn take(&mut self) -> Work<'i> {
        if let Some((&input, container)) = self.containers.iter_mut().next()
            && let Some(source) = container.lend(self.jobs)
        {
            return Work::Read(input, source);
        }
        let pieces = self.pieces();
        if !pieces.is_empty() {
            return Work::Pieces(pieces);
        }
        // Inputs that are being opened can turn out to be containers.
        if self.opening > 0 || !self.containers.is_empty() {
            Work::Wait
        } else {
            Work::End
        }
    }

    /// The next batch of available pieces.
    fn pieces(&mut self) -> Vec<(Turn, WorkItem<'i>)> {
        let mut pieces = Vec::new();
        let mut bytes = 0;
        while bytes < BATCH && pieces.len() < PIECES {
            let turn = self.next_turn();
            let Some(piece) = self.take_one() else {
                break;
            };
            bytes += match &piece {
                WorkItem::Input(_) => self.size,
                WorkItem::Of(found) => found.bytes(),
                WorkItem::NoInput(_) => 0,
            };
            pieces.push((turn, piece));
        }
        pieces
    }

    fn take_one(&mut self) -> Option<WorkItem<'i>> {
        if let Some(mut container) = self.containers.first_entry() {
            let found = container.get_mut().take()?;
            if matches!(found, ContainerItem::End(_)) {
                container.remove();
            }
            return Some(WorkItem::Of(found));
        }
        let piece = match self.next_input()? {
            Ok(input) => {
                self.opening += 1;
                WorkItem::Input(input)
            }
            Err(error) => WorkItem::NoInput(error),
        };
        self.next += 1;
        Some(piece)
    }

    fn next_input(&mut self) -> Option<Result<Box<dyn OpenInput + 'i>, ReadError>> {
        let inputs = self.inputs.as_mut()?;
        let found = guarded(|| Origin::new("the list of inputs"), || inputs.next());
        found.unwrap_or_else(|fault| {
            self.inputs = None;
            Some(Err(fault))
        })
    }
}

/// Inputs that a worker has pulled and that may turn out to be containers. They are released when
/// this is dropped, so that no panic leaves others waiting for them.
pub(super) struct Openings<'s, 'i> {
    queue: &'s Mutex<WorkQueue<'i>>,
    supplied: &'s Condvar,
    inputs: usize,
    /// How many bytes were read for them.
    pub(super) bytes: usize,
}

impl<'s, 'i> Openings<'s, 'i> {
    /// The inputs among the pieces.
    pub(super) fn among(
        pieces: &[(Turn, WorkItem<'i>)],
        queue: &'s Mutex<WorkQueue<'i>>,
        supplied: &'s Condvar,
    ) -> Self {
        let is_input = |(_, piece): &&(Turn, WorkItem<'_>)| matches!(piece, WorkItem::Input(_));
        Self {
            queue,
            supplied,
            inputs: pieces.iter().filter(is_input).count(),
            bytes: 0,
        }
    }
}

impl Drop for Openings<'_, '_> {
    fn drop(&mut self) {
        let Some(size) = self.bytes.checked_div(self.inputs) else {
            return;
        };
        let mut queue = lock(self.queue);
        queue.size = usize::midpoint(queue.size, size);
        queue.opening -= self.inputs;
        if queue.waiters > 0 {
            self.supplied.notify_all();
        }
    }
}
