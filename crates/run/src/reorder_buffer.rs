//! Puts results in input order: they wait for their turn and go to the sink.

use std::collections::BTreeMap;
use std::sync::{Condvar, Mutex, PoisonError};

use super::guard::lock;
use super::piece::Piece;

/// The receiver of results.
pub trait Sink: Send {
    /// The results of a run of consecutive pieces.
    type Results: Default + Send;

    /// Takes the next results, in input order, and leaves them empty.
    fn take(&mut self, results: &mut Self::Results);

    /// Whether the consumer wants no more results, which ends the run early.
    fn is_closed(&self) -> bool {
        false
    }
}

/// The place of a piece in the order of results: the number of its input, and its number within
/// that.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Turn {
    pub(super) input: u64,
    pub(super) entity: u64,
}

impl Turn {
    /// The turn of the next entity of the same input.
    pub(super) fn next_entity(self) -> Self {
        Self {
            entity: self.entity + 1,
            ..self
        }
    }

    /// The turn of the next input.
    pub(super) fn next_input(self) -> Self {
        Self {
            input: self.input + 1,
            entity: 0,
        }
    }
}

/// The results of a run of consecutive pieces.
struct ResultRun<R> {
    first: Turn,
    /// The turn after the last of them.
    end: Turn,
    results: R,
}

/// Whether more work may begin.
pub(super) enum Room {
    Free,
    Full,
    /// No more results are wanted.
    Closed,
}

/// The part of a reorder buffer that does not depend on the type of the results.
pub(super) trait Results: Sync {
    /// A new worker.
    fn worker(&self) -> Box<dyn Worker + '_>;

    /// Whether there is room for the results of the piece of that turn, if at most `most_waiting`
    /// stretches of results may wait.
    fn room(&self, next: Turn, most_waiting: usize) -> Room;

    /// Waits until there is room, or no more results are wanted.
    fn wait_for_room(&self, next: Turn, most_waiting: usize);

    /// A worker panicked: the results of the pieces that it had pulled will never arrive.
    fn break_off(&self);
}

/// A worker on pieces, with their results.
pub(super) trait Worker {
    /// Begins the results of the piece of that turn.
    fn begin(&mut self, turn: Turn);

    fn work(&mut self, piece: Piece);

    /// Ends the piece; `next` is the turn after it.
    fn end(&mut self, next: Turn);

    /// Hands in all that is done.
    fn hand_in(&mut self);
}

/// The work, and its results until they go to the sink.
pub(super) struct Reorder<S: Sink, W> {
    buffer: Mutex<ReorderBuffer<S>>,
    /// The turn has advanced.
    turned: Condvar,
    work: W,
}

impl<S: Sink, W> Reorder<S, W> {
    pub(super) fn new(sink: S, work: W) -> Self {
        Self {
            buffer: Mutex::new(ReorderBuffer::new(sink)),
            turned: Condvar::new(),
            work,
        }
    }

    pub(super) fn into_sink(self) -> S {
        let buffer = self.buffer.into_inner();
        buffer.unwrap_or_else(PoisonError::into_inner).sink
    }
}

impl<S: Sink, W: Fn(Piece, &mut ResultBuffer<'_, S>) + Sync> Results for Reorder<S, W> {
    fn worker(&self) -> Box<dyn Worker + '_> {
        Box::new(BufferedWorker {
            buffer: ResultBuffer::new(&self.buffer, &self.turned),
            work: &self.work,
        })
    }

    fn room(&self, next: Turn, most_waiting: usize) -> Room {
        lock(&self.buffer).room(next, most_waiting)
    }

    fn wait_for_room(&self, next: Turn, most_waiting: usize) {
        let mut buffer = lock(&self.buffer);
        buffer.waiters += 1;
        while matches!(buffer.room(next, most_waiting), Room::Full) {
            let woken = self.turned.wait(buffer);
            buffer = woken.unwrap_or_else(PoisonError::into_inner);
        }
        buffer.waiters -= 1;
    }

    fn break_off(&self) {
        lock(&self.buffer).is_broken = true;
        self.turned.notify_all();
    }
}

/// A worker: the work, and where it collects results.
struct BufferedWorker<'o, S: Sink, W> {
    buffer: ResultBuffer<'o, S>,
    work: &'o W,
}

impl<S: Sink, W: Fn(Piece, &mut ResultBuffer<'_, S>)> Worker for BufferedWorker<'_, S, W> {
    fn begin(&mut self, turn: Turn) {
        self.buffer.begin(turn);
    }

    fn work(&mut self, piece: Piece) {
        (self.work)(piece, &mut self.buffer);
    }

    fn end(&mut self, next: Turn) {
        self.buffer.end(next);
    }

    fn hand_in(&mut self) {
        self.buffer.hand_in();
    }
}

/// The results that wait.
struct ReorderBuffer<S: Sink> {
    /// The turn of the next piece.
    turn: Turn,
    waiting: BTreeMap<Turn, ResultRun<S::Results>>,
    sink: S,
    is_broken: bool,
    /// How many workers wait for the turn to advance. Notifying without waiters still costs a
    /// system call.
    waiters: usize,
}

impl<S: Sink> ReorderBuffer<S> {
    fn new(sink: S) -> Self {
        Self {
            turn: Turn::default(),
            waiting: BTreeMap::new(),
            sink,
            is_broken: false,
            waiters: 0,
        }
    }

    /// Work whose turn is now is always admitted: everything else waits for it.
    fn room(&self, next: Turn, most_waiting: usize) -> Room {
        if self.is_broken || self.sink.is_closed() {
            Room::Closed
        } else if self.waiting.len() < most_waiting || self.turn == next {
            Room::Free
        } else {
            Room::Full
        }
    }

    /// Takes in stretches, and passes on all whose turn has come.
    fn take_in(&mut self, done: &mut Vec<ResultRun<S::Results>>, turned: &Condvar) {
        let done = done.drain(..);
        self.waiting
            .extend(done.map(|stretch| (stretch.first, stretch)));
        let before = self.turn;
        while let Some(mut stretch) = self.waiting.remove(&self.turn) {
            self.sink.take(&mut stretch.results);
            self.turn = stretch.end;
        }
        self.turned(before, turned);
    }

    /// Wakes those waiting for the turn to advance, if it has.
    fn turned(&self, before: Turn, turned: &Condvar) {
        if self.turn != before && self.waiters > 0 {
            turned.notify_all();
        }
    }
}

/// The results that one worker collects until they are passed on.
pub struct ResultBuffer<'o, S: Sink> {
    reorder: &'o Mutex<ReorderBuffer<S>>,
    /// The turn has advanced.
    turned: &'o Condvar,
    done: Vec<ResultRun<S::Results>>,
    /// The first and the current turn of [`Self::results`].
    first: Turn,
    now: Turn,
    /// The results of this piece, appended to the waiting results of the pieces directly before it if the
    /// same worker processed them.
    pub results: S::Results,
}

impl<'o, S: Sink> ResultBuffer<'o, S> {
    fn new(reorder: &'o Mutex<ReorderBuffer<S>>, turned: &'o Condvar) -> Self {
        Self {
            reorder,
            turned,
            done: Vec::new(),
            first: Turn::default(),
            now: Turn::default(),
            results: S::Results::default(),
        }
    }

    /// Begins the results of the piece of that turn.
    fn begin(&mut self, turn: Turn) {
        if self.now != turn {
            self.close();
            self.first = turn;
            self.now = turn;
        }
    }

    /// Ends the piece; `next` is the turn after it.
    fn end(&mut self, next: Turn) {
        self.now = next;
    }

    /// Ends the stretch.
    fn close(&mut self) {
        if self.first != self.now {
            self.done.push(ResultRun {
                first: self.first,
                end: self.now,
                results: std::mem::take(&mut self.results),
            });
            self.first = self.now;
        }
    }

    /// Hands in all that is done.
    fn hand_in(&mut self) {
        if !self.pass_on() {
            self.close();
            lock(self.reorder).take_in(&mut self.done, self.turned);
        }
    }

    /// Passes on the results so far if it is their turn, so that one large document does not need
    /// memory for all of its results; otherwise does nothing.
    pub fn flush(&mut self) {
        self.pass_on();
    }

    /// Passes on the results if it is their turn, and keeps their memory for the next ones.
    fn pass_on(&mut self) -> bool {
        let mut reorder = lock(self.reorder);
        reorder.take_in(&mut self.done, self.turned);
        let is_turn = reorder.turn == self.first;
        if is_turn {
            reorder.sink.take(&mut self.results);
            self.first = self.now;
            let before = std::mem::replace(&mut reorder.turn, self.now);
            reorder.turned(before, self.turned);
            // Others may have been waiting for the turn after these.
            reorder.take_in(&mut self.done, self.turned);
        }
        is_turn
    }
}
