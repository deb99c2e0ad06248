//! Results in input order.
//!
//! Each worker pulls the next pieces, works on them, and hands in their results. Results whose turn
//! has come go to the sink at once; others wait, and when too many wait, workers stop pulling. A
//! worker that opens a container puts it where all can pull its entities.

use std::iter::Peekable;
use std::num::NonZeroUsize;
use std::sync::{Condvar, Mutex, PoisonError};
use std::thread;

use super::container_queue::ContainerItem;
use super::guard::{guarded, lock};
use super::piece::{Input, OpenInput, Piece};
use super::reorder_buffer::{Reorder, ResultBuffer, Results, Room, Sink, Turn, Worker};
use super::work_queue::{Openings, Work, WorkItem, WorkQueue};
use baseref_container::{Contents, Entity};
use baseref_document::{Origin, ReadError};

/// How many stretches of results may wait for their turn, per thread.
const WAITING_PER_JOB: usize = 16;

/// How many bytes of opened files a worker collects before it works on them. The code that opens a file and
/// the code that reads it displace each other in the caches of a processor; more bytes would displace the bytes.
const OPENED: usize = 48 * 1024;

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
            let mut pieces = pieces.into_iter().peekable();
            let mut ready = Vec::new();
            while pieces.peek().is_some() {
                openings.bytes += open_some(&mut pieces, &mut ready);
                for (turn, piece) in ready.drain(..) {
                    worker.begin(turn);
                    let next = self.work_off(turn, piece, &mut *worker);
                    worker.end(next);
                }
            }
            worker.hand_in();
        }
    }

    /// Works on one piece, or shares it out if it is a container. Returns the turn after the work done here.
    fn work_off(&self, turn: Turn, piece: ReadyPiece, worker: &mut dyn Worker) -> Turn {
        match piece {
            ReadyPiece::Opened(_, Ok(Contents::Single(entity))) => work(entity, worker),
            ReadyPiece::Opened(origin, Ok(Contents::Multiple(entities))) => {
                let mut queue = lock(&self.queue);
                queue.add(turn.input, entities, origin);
                queue.wake(&self.supplied);
                return turn.next_entity();
            }
            ReadyPiece::Opened(_, Ok(Contents::Empty)) => {}
            ReadyPiece::Opened(_, Err(error)) | ReadyPiece::NoInput(error) => {
                worker.work(Piece::Unread(error));
            }
            ReadyPiece::Of(ContainerItem::Entity(entity)) => {
                work(entity, worker);
                return turn.next_entity();
            }
            ReadyPiece::Of(ContainerItem::NoEntity(error)) => {
                worker.work(Piece::Unread(error));
                return turn.next_entity();
            }
            ReadyPiece::Of(ContainerItem::End(skipped)) => {
                if skipped.total() > 0 {
                    worker.work(Piece::Skipped(skipped));
                }
            }
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

/// A piece whose input is open.
enum ReadyPiece {
    /// An input, which is a container unless it is one entity.
    Opened(Origin, Result<Contents, ReadError>),
    /// An error in place of an input.
    NoInput(ReadError),
    Of(ContainerItem),
}

/// Opens the next inputs, up to [`OPENED`] bytes of them and not past one that may wait. Returns how many
/// bytes were read for them.
fn open_some<'p>(
    pieces: &mut Peekable<impl Iterator<Item = (Turn, WorkItem<'p>)>>,
    ready: &mut Vec<(Turn, ReadyPiece)>,
) -> usize {
    let mut bytes = 0;
    while bytes < OPENED
        && let Some((turn, piece)) =
            pieces.next_if(|(_, piece)| ready.is_empty() || is_quick(piece))
    {
        let piece = match piece {
            WorkItem::Input(input) => {
                let origin = input.origin();
                let contents = guarded(|| origin.clone(), || input.open()).flatten();
                if let Ok(Contents::Single(entity)) = &contents {
                    bytes += entity.bytes.len();
                }
                ReadyPiece::Opened(origin, contents)
            }
            WorkItem::NoInput(error) => ReadyPiece::NoInput(error),
            WorkItem::Of(item) => ReadyPiece::Of(item),
        };
        ready.push((turn, piece));
    }
    bytes
}

/// Whether a piece is ready or soon will be.
fn is_quick(piece: &WorkItem<'_>) -> bool {
    !matches!(piece, WorkItem::Input(input) if input.may_wait())
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

#[cfg(test)]
mod tests {
    use super::*;

    struct SizedInput {
        size: usize,
        may_wait: bool,
    }

    impl Input for SizedInput {
        fn origin(&self) -> Origin {
            Origin::new("a")
        }

        fn may_wait(&self) -> bool {
            self.may_wait
        }

        fn open(self) -> Result<Contents, ReadError> {
            let entity = Entity::html(Origin::new("a"), vec![b' '; self.size]);
            Ok(Contents::Single(entity))
        }
    }

    /// How many of the inputs are opened before the first is worked on, how many before the next, and so on.
    fn opened_together(inputs: &[(usize, bool)]) -> Vec<usize> {
        let pieces = inputs.iter().map(|&(size, may_wait)| {
            let input: Box<dyn OpenInput> = Box::new(SizedInput { size, may_wait });
            (Turn::default(), WorkItem::Input(input))
        });
        let mut pieces = pieces.peekable();
        let mut together = Vec::new();
        while pieces.peek().is_some() {
            let mut ready = Vec::new();
            open_some(&mut pieces, &mut ready);
            together.push(ready.len());
        }
        together
    }

    #[test]
    fn small_inputs_are_opened_together() {
        let small = (OPENED / 3, false);
        assert_eq!(opened_together(&[small; 8]), [3, 3, 2]);
        let large = (2 * OPENED, false);
        assert_eq!(opened_together(&[small, large, small, small]), [2, 2]);
        assert_eq!(opened_together(&[large; 3]), [1, 1, 1]);
    }

    #[test]
    fn input_that_may_wait_is_opened_after_those_before_it_are_worked_on() {
        let (quick, slow) = ((1, false), (1, true));
        let inputs = [quick, quick, slow, quick, slow, slow];
        assert_eq!(opened_together(&inputs), [2, 2, 1, 1]);
    }
}
