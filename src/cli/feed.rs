//! The only threads: inputs in, chunks of output out, in input order.
//!
//! Each worker pulls the next pieces of work, makes a chunk of output of each, and hands the
//! chunks in. A chunk whose turn it is is written by the worker that brought it; another
//! waits, and when too many wait, workers stop pulling. A worker that meets a container
//! puts it where all can pull its entities.

use std::any::Any;
use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

use super::inputs::{InputPath, Inputs};
use super::output::{Chunk, Output};
use super::retrieval::RetrievalUrls;
use crate::container::detect::Format;
use crate::container::entity::Entity;
use crate::container::input::{Entities, Opened, open};
use crate::document::Origin;
use crate::error::{ReadError, ReadErrorKind};
use crate::options::Limits;

/// What is read, and how inputs are opened.
pub struct Feed {
    /// The inputs, in order.
    pub inputs: Inputs,
    /// The format that the user says they have.
    pub format: Option<Format>,
    /// Where they were retrieved from.
    pub retrieval: RetrievalUrls,
    /// How far to go into each.
    pub limits: Limits,
}

/// What is done with an entity: its output goes to the lane.
pub type Work<'w> = &'w (dyn Fn(Entity, &mut Lane<'_>) + Sync);

/// Puts every entity of the feed through `work` on `jobs` threads, and its chunks of output,
/// in input order, into `output`, which is given back at the end.
pub fn run(feed: Feed, jobs: NonZeroUsize, work: Work<'_>, output: Output) -> Output {
    let Feed {
        inputs,
        format,
        retrieval,
        limits,
    } = feed;
    let crew = Crew {
        supply: Mutex::new(Supply {
            inputs,
            containers: BTreeMap::new(),
            opening: 0,
            next: 0,
            size: BATCH,
            waiters: 0,
        }),
        supplied: Condvar::new(),
        order: Mutex::new(Order {
            turn: Turn::default(),
            waiting: BTreeMap::new(),
            output,
            waiters: 0,
        }),
        turned: Condvar::new(),
        most_waiting: jobs.get() * WAITING_PER_JOB,
        format,
        retrieval,
        limits,
        work,
    };
    thread::scope(|scope| {
        for _ in 1..jobs.get() {
            scope.spawn(|| crew.work_on());
        }
        crew.work_on();
    });
    let order = crew.order.into_inner();
    order.unwrap_or_else(PoisonError::into_inner).output
}

/// How many chunks may wait for their turn, for each thread.
const WAITING_PER_JOB: usize = 16;

/// How many bytes of input a worker pulls at once, if they come in small pieces.
const BATCH: usize = 128 * 1024;

/// At most so many pieces.
const PIECES: usize = 32;

/// A chunk larger than this, in bytes, is written before it is whole if it is its turn.
const LARGE_CHUNK: usize = 256 * 1024;

/// The place of a piece of work in the order of output: the number of its input, and its
/// number in that.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
struct Turn {
    input: u64,
    entity: u64,
}

/// All that the workers share.
struct Crew<'w> {
    supply: Mutex<Supply>,
    /// Something came into the supply, or nothing more will.
    supplied: Condvar,
    order: Mutex<Order>,
    /// The turn went on.
    turned: Condvar,
    most_waiting: usize,
    format: Option<Format>,
    retrieval: RetrievalUrls,
    limits: Limits,
    work: Work<'w>,
}

/// Where work comes from.
struct Supply {
    inputs: Inputs,
    /// Open containers by the number of their input, each with the number of its next entity.
    containers: BTreeMap<u64, (Entities, u64)>,
    /// How many inputs are being opened: each can still turn out to be a container.
    opening: usize,
    /// The number of the next input.
    next: u64,
    /// How large an input is thought to be: as those before it were, the latest above all.
    size: usize,
    /// How many workers wait for more. To wake nobody costs a call of the system all the same.
    waiters: usize,
}

/// A piece of work.
enum Piece {
    Input(InputPath),
    /// Something met on the way to the inputs, in the place of one.
    NoInput(ReadError),
    /// Of a container.
    Entity(Entity),
    /// In the place of an entity of a container, which goes on.
    NoEntity(ReadError),
    /// A container has nothing more. So many of its records hold no HTML.
    End(u64),
}

/// Where chunks wait for their turn.
struct Order {
    turn: Turn,
    /// With each chunk, whether it is the last of its input.
    waiting: BTreeMap<Turn, (Chunk, bool)>,
    output: Output,
    /// How many workers wait for the turn to go on.
    waiters: usize,
}

impl Supply {
    /// The turn of the next piece. The earliest container comes first, so that whatever is
    /// pulled lies behind all that was pulled before: the turn can always go on.
    fn next_turn(&self) -> Turn {
        match self.containers.first_key_value() {
            Some((&input, &(_, entity))) => Turn { input, entity },
            None => Turn {
                input: self.next,
                entity: 0,
            },
        }
    }

    /// Takes note of inputs that were opened: none of them will turn out to be a container.
    fn opened(&mut self, done: &mut Done, supplied: &Condvar) {
        let inputs = std::mem::take(&mut done.inputs);
        let bytes = std::mem::take(&mut done.bytes);
        let bytes = usize::try_from(bytes).unwrap_or(BATCH);
        if let Some(size) = bytes.checked_div(inputs) {
            self.size = usize::midpoint(self.size, size);
            self.opening -= inputs;
            self.wake(supplied);
        }
    }

    /// Wakes those who wait for work.
    fn wake(&self, supplied: &Condvar) {
        if self.waiters > 0 {
            supplied.notify_all();
        }
    }

    /// The next pieces, as many as make a batch; none if there are none for now.
    fn take(&mut self) -> Vec<(Turn, Piece)> {
        let mut pieces = Vec::new();
        let mut bytes = 0;
        while bytes < BATCH && pieces.len() < PIECES {
            let Some((turn, piece)) = self.take_one() else {
                break;
            };
            bytes += match &piece {
                Piece::Input(_) => self.size,
                Piece::Entity(entity) => entity.bytes.len(),
                Piece::NoInput(_) | Piece::NoEntity(_) | Piece::End(_) => 0,
            };
            pieces.push((turn, piece));
        }
        pieces
    }

    fn take_one(&mut self) -> Option<(Turn, Piece)> {
        let turn = self.next_turn();
        if let Some(mut container) = self.containers.first_entry() {
            let (entities, number) = container.get_mut();
            *number += 1;
            let piece = match entities.next() {
                Some(Ok(entity)) => Piece::Entity(entity),
                Some(Err(error)) => Piece::NoEntity(error),
                None => {
                    let (entities, _) = container.remove();
                    Piece::End(entities.without_html())
                }
            };
            return Some((turn, piece));
        }
        let piece = match self.inputs.next()? {
            Ok(input) => {
                self.opening += 1;
                Piece::Input(input)
            }
            Err(error) => Piece::NoInput(error),
        };
        self.next += 1;
        Some((turn, piece))
    }
}

/// What a worker has done of the pieces that it pulled.
#[derive(Default)]
struct Done {
    /// The chunks that are still to be handed in, in their order, each with whether it is the
    /// last of its input.
    chunks: Vec<(Turn, Chunk, bool)>,
    /// How many inputs were opened, and how many bytes were read for it.
    inputs: usize,
    bytes: u64,
}

impl Crew<'_> {
    /// One worker, to the end of the work.
    fn work_on(&self) {
        let mut done = Done::default();
        loop {
            let pieces = self.pull(&mut done);
            if pieces.is_empty() {
                return;
            }
            for (turn, piece) in pieces {
                self.work_off(turn, piece, &mut done);
            }
            lock(&self.order).take_in(&mut done.chunks, &self.turned);
        }
    }

    fn work_off(&self, turn: Turn, piece: Piece, done: &mut Done) {
        let is_input = matches!(piece, Piece::Input(_));
        let mut lane = Lane {
            crew: self,
            turn,
            before: &mut done.chunks,
            chunk: Chunk::default(),
        };
        let last = match piece {
            Piece::Input(input) => self.open(&input, &mut lane),
            Piece::Entity(entity) => {
                self.work(entity, &mut lane);
                false
            }
            Piece::NoEntity(error) => {
                lane.chunk.unread(&error);
                false
            }
            Piece::NoInput(error) => {
                lane.chunk.unread(&error);
                true
            }
            Piece::End(without_html) => {
                lane.chunk.counts.without_html += without_html;
                true
            }
        };
        let chunk = lane.chunk;
        done.inputs += usize::from(is_input);
        done.bytes += chunk.bytes_read;
        done.chunks.push((turn, chunk, last));
    }

    /// The next pieces of work, when there is room for what comes of them; none at the end.
    fn pull(&self, done: &mut Done) -> Vec<(Turn, Piece)> {
        lock(&self.supply).opened(done, &self.supplied);
        loop {
            let mut supply = lock(&self.supply);
            let next = supply.next_turn();
            let (has_room, is_closed) = {
                let order = lock(&self.order);
                (self.has_room(&order, next), order.output.is_closed())
            };
            if is_closed {
                return Vec::new();
            }
            if !has_room {
                drop(supply);
                let mut order = lock(&self.order);
                order.waiters += 1;
                let full = |order: &mut Order| !self.has_room(order, next);
                let order = self.turned.wait_while(order, full);
                order.unwrap_or_else(PoisonError::into_inner).waiters -= 1;
                continue;
            }
            let pieces = supply.take();
            if !pieces.is_empty() || supply.opening == 0 {
                return pieces;
            }
            supply.waiters += 1;
            let supply = self.supplied.wait(supply);
            supply.unwrap_or_else(PoisonError::into_inner).waiters -= 1;
        }
    }

    /// Work that is due now is always let through: everything else waits for it.
    fn has_room(&self, order: &Order, next: Turn) -> bool {
        order.waiting.len() < self.most_waiting || order.turn == next || order.output.is_closed()
    }

    /// Opens an input and works on it, or shares it out if it is a container. Gives back
    /// whether the lane's chunk is the last of the input.
    fn open(&self, input: &InputPath, lane: &mut Lane<'_>) -> bool {
        let opened = input
            .open(self.format, &self.retrieval)
            .and_then(|input| open(input, &self.limits));
        match opened {
            Ok(Opened::Many(entities)) => {
                let mut supply = lock(&self.supply);
                // The chunk of the opening itself is entity 0, and empty.
                supply.containers.insert(lane.turn.input, (entities, 1));
                supply.wake(&self.supplied);
                return false;
            }
            Ok(Opened::One(entity)) => self.work(entity, lane),
            Ok(Opened::Nothing) => {}
            Err(error) => lane.chunk.unread(&error),
        }
        true
    }

    /// The last guard: a fault of ours, or of a parser below us, costs one entity and not
    /// the run.
    fn work(&self, entity: Entity, lane: &mut Lane<'_>) {
        let origin = entity.origin.clone();
        lane.chunk.bytes_read += entity.bytes.len() as u64;
        if let Err(panic) = catch_unwind(AssertUnwindSafe(|| (self.work)(entity, lane))) {
            lane.chunk.unread(&fault(origin, panic.as_ref()));
        }
    }
}

impl Order {
    /// Takes chunks in, and writes all whose turn has come.
    fn take_in(&mut self, chunks: &mut Vec<(Turn, Chunk, bool)>, turned: &Condvar) {
        let chunks = chunks.drain(..);
        self.waiting
            .extend(chunks.map(|(turn, chunk, last)| (turn, (chunk, last))));
        let before = self.turn;
        while let Some((mut chunk, last)) = self.waiting.remove(&self.turn) {
            self.output.write(&mut chunk);
            self.turn = if last {
                Turn {
                    input: self.turn.input + 1,
                    entity: 0,
                }
            } else {
                Turn {
                    entity: self.turn.entity + 1,
                    ..self.turn
                }
            };
        }
        if self.turn != before && self.waiters > 0 {
            turned.notify_all();
        }
    }
}

/// Where the output of one piece of work goes.
pub struct Lane<'c> {
    crew: &'c Crew<'c>,
    turn: Turn,
    /// The chunks of the same worker that come before.
    before: &'c mut Vec<(Turn, Chunk, bool)>,
    /// What has come so far.
    pub chunk: Chunk,
}

impl Lane<'_> {
    /// Writes what has come so far if it is much and its turn is now, so that one large
    /// document does not need memory for all of its output.
    pub fn relieve(&mut self) {
        if self.chunk.out.len() < LARGE_CHUNK {
            return;
        }
        let mut order = lock(&self.crew.order);
        order.take_in(self.before, &self.crew.turned);
        if order.turn == self.turn {
            order.output.write(&mut self.chunk);
        }
    }
}

fn fault(origin: Origin, panic: &(dyn Any + Send)) -> ReadError {
    let said = panic
        .downcast_ref::<String>()
        .map(String::as_str)
        .or_else(|| panic.downcast_ref::<&str>().copied())
        .unwrap_or("no reason given");
    let reason = format!("a fault in baseref, please report it: {said}");
    ReadError::new(ReadErrorKind::Fault, origin, reason)
}

/// A lock whose holder panicked holds what it held: the data is plain.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
