//! Results in input order.
//!
//! Each worker pulls the next pieces, works on them, and hands in their results. Results whose turn
//! has come go to the sink at once; others wait, and when too many wait, workers stop pulling. A
//! worker that opens a container puts it where all can pull its entities.

use std::num::NonZeroUsize;
use std::sync::{Condvar, Mutex, PoisonError};
use std::thread;

use super::container_queue::ContainerItem;
use super::guard::{guarded, lock};
use super::piece::{Input, OpenInput, Piece};
use super::reorder_buffer::{Reorder, ResultBuffer, Results, Room, Sink, Turn, Worker};
use super::work_queue::{Openings, Work, WorkItem, WorkQueue};
use baseref_container::{Contents, Entity};
use baseref_document::ReadError;

/// How many stretches of results may wait for their turn, per thread.
const WAITING_PER_JOB: usize = 16;

/// Puts every piece of the inputs through `work` on `jobs` threads, and passes the results, in
/// input order, to `sink`, which is returned at the end. The results are the same for any number of
/// threads; if the system cannot start as many as requested, fewer are used.
///
/// Ends early when the sink is closed.
pub fn ordered<I: Input, S: Sink>(
    inputs: impl Iterator<Item = Result<I, ReadError>> + Send,
    jobs: NonZeroUsize,
    work: impl Fn(Piece, &mut ResultBuffer<'_, S>) + Sync,
    sink: S,
) -> S {
    let mut inputs =
        inputs.map(|input| input.map(|input| Box::new(input) as Box<dyn OpenInput + '_>));
    let reorder = Reorder::new(sink, work);
    let pool = Pool {
        queue: Mutex::new(WorkQueue::new(&mut inputs, jobs)),
        supplied: Condvar::new(),
        results: &reorder,
        most_waiting: jobs.get() * WAITING_PER_JOB,
    };
    pool.run(jobs);
    reorder.into_sink()
}

/// Everything that the workers share. It uses inputs and results through traits, so that the pool
/// is compiled once for all commands.
struct Pool<'p> {
    queue: Mutex<WorkQueue<'p>>,
    /// Something was added to the queue, or nothing more will be.
    supplied: Condvar,
    results: &'p dyn Results,
    most_waiting: usize,
}

impl<'p> Pool<'p> {
    /// Works on all inputs.
    fn run(&self, jobs: NonZeroUsize) {
        thread::scope(|scope| {
            for _ in 1..jobs.get() {
                let thread = thread::Builder::new();
                if thread.spawn_scoped(scope, || self.work_on()).is_err() {
                    break;
                }
            }
            self.work_on();
        });
    }

    /// Runs one worker until all work is done.
    fn work_on(&self) {
        let _others_must_not_wait = BreakOnPanic(self);
        let mut worker = self.results.worker();
        loop {
            let pieces = self.pull();
            if pieces.is_empty() {
                return;
            }
            let mut openings = Openings::among(&pieces, &self.queue, &self.supplied);
            for (turn, piece) in pieces {
                worker.begin(turn);
                let next = self.work_off(turn, piece, &mut *worker, &mut openings.bytes);
                worker.end(next);
            }
            worker.hand_in();
        }
    }

    /// Works on one piece. Returns the turn after it.
    fn work_off(
        &self,
        turn: Turn,
        piece: WorkItem<'p>,
        worker: &mut dyn Worker,
        bytes: &mut usize,
    ) -> Turn {
        match piece {
            WorkItem::Input(input) => self.open(turn, input, worker, bytes),
            WorkItem::Of(ContainerItem::Entity(entity)) => {
                work(entity, worker);
                turn.next_entity()
            }
            WorkItem::Of(ContainerItem::NoEntity(error)) => {
                worker.work(Piece::Unread(error));
                turn.next_entity()
            }
            WorkItem::NoInput(error) => {
                worker.work(Piece::Unread(error));
                turn.next_input()
            }
            WorkItem::Of(ContainerItem::End(skipped)) => {
                if skipped.total() > 0 {
                    worker.work(Piece::Skipped(skipped));
                }
                turn.next_input()
            }
        }
    }

    /// Opens an input and works on it, or shares it out if it is a container. Returns the turn
    /// after the work done here.
    fn open(
        &self,
        turn: Turn,
        input: Box<dyn OpenInput + 'p>,
        worker: &mut dyn Worker,
        bytes: &mut usize,
    ) -> Turn {
        let origin = input.origin();
        match guarded(|| origin.clone(), || input.open()).flatten() {
            Ok(Contents::Multiple(entities)) => {
                let mut queue = lock(&self.queue);
                queue.add(turn.input, entities, origin);
                queue.wake(&self.supplied);
                return turn.next_entity();
            }
            Ok(Contents::Single(entity)) => {
                *bytes += entity.bytes.len();
                work(entity, worker);
            }
            Ok(Contents::Empty) => {}
            Err(error) => worker.work(Piece::Unread(error)),
        }
        turn.next_input()
    }

    /// The next pieces of work, once there is room for their results; none at the end.
    fn pull(&self) -> Vec<(Turn, WorkItem<'p>)> {
        loop {
            let mut queue = lock(&self.queue);
            let next = queue.next_turn();
            match self.results.room(next, self.most_waiting) {
                Room::Closed => return Vec::new(),
                Room::Full => {
                    drop(queue);
                    self.results.wait_for_room(next, self.most_waiting);
                    continue;
                }
                Room::Free => {}
            }
            match queue.take() {
                Work::Pieces(pieces) => return pieces,
                Work::Read(input, mut source) => {
                    drop(queue);
                    let batch = source.read();
                    let mut queue = lock(&self.queue);
                    queue.fill(input, source, batch);
                    queue.wake(&self.supplied);
                }
                Work::Wait => {
                    queue.waiters += 1;
                    let queue = self.supplied.wait(queue);
                    queue.unwrap_or_else(PoisonError::into_inner).waiters -= 1;
                }
                Work::End => return Vec::new(),
            }
        }
    }
}

/// A panic loses the rest of the entity.
fn work(entity: Entity, worker: &mut dyn Worker) {
    let origin = entity.origin.clone();
    if let Err(fault) = guarded(|| origin, || worker.work(Piece::Entity(entity))) {
        worker.work(Piece::Unread(fault));
    }
}

/// Stops all workers when one panics outside every guard, for example in the sink. Otherwise they
/// would wait forever for the results of the pieces that it had pulled.
struct BreakOnPanic<'w, 'p>(&'w Pool<'p>);

impl Drop for BreakOnPanic<'_, '_> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.results.break_off();
            // A worker about to wait for more holds this lock until it waits.
            let _queue = lock(&self.0.queue);
            self.0.supplied.notify_all();
        }
    }
}
