//! The only threads: inputs in, chunks of output out, in input order.
//!
//! Each worker pulls the next piece of work, makes a chunk of output of it, and hands the
//! chunk in. A chunk whose turn it is is written by the worker that brought it; another
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
use crate::document::Origin;
use crate::read::detect::Format;
use crate::read::input::{Entities, Opened, open};
use crate::read::{Entity, Limits, ReadError};

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
        }),
        supplied: Condvar::new(),
        order: Mutex::new(Order {
            turn: Turn::default(),
            waiting: BTreeMap::new(),
            output,
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

    fn take(&mut self) -> Option<(Turn, Piece)> {
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

impl Crew<'_> {
    /// One worker, to the end of the work.
    fn work_on(&self) {
        while let Some((turn, piece)) = self.pull() {
            let mut lane = Lane {
                crew: self,
                turn,
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
            self.hand_in(turn, chunk, last);
        }
    }

    /// The next piece of work, when there is room for what comes of it.
    fn pull(&self) -> Option<(Turn, Piece)> {
        loop {
            let mut supply = lock(&self.supply);
            let next = supply.next_turn();
            if !self.has_room(&lock(&self.order), next) {
                drop(supply);
                let order = lock(&self.order);
                let full = |order: &mut Order| !self.has_room(order, next);
                drop(self.turned.wait_while(order, full));
                continue;
            }
            if lock(&self.order).output.is_closed() {
                return None;
            }
            match supply.take() {
                Some(piece) => return Some(piece),
                None if supply.opening == 0 => return None,
                None => drop(self.supplied.wait(supply)),
            }
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
        let container = match opened {
            Ok(Opened::Many(entities)) => Ok(entities),
            opened => Err(opened),
        };
        {
            let mut supply = lock(&self.supply);
            supply.opening -= 1;
            match container {
                Ok(entities) => {
                    // The chunk of the opening itself is entity 0, and empty.
                    supply.containers.insert(lane.turn.input, (entities, 1));
                    self.supplied.notify_all();
                    return false;
                }
                Err(opened) => {
                    drop(supply);
                    self.supplied.notify_all();
                    match opened {
                        Ok(Opened::One(entity)) => self.work(entity, lane),
                        Ok(Opened::Many(_) | Opened::Nothing) => {}
                        Err(error) => lane.chunk.unread(&error),
                    }
                }
            }
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

    /// Takes a chunk in, and writes all whose turn has come.
    fn hand_in(&self, turn: Turn, chunk: Chunk, last: bool) {
        let mut order = lock(&self.order);
        order.waiting.insert(turn, (chunk, last));
        loop {
            let now = order.turn;
            let Some((mut chunk, last)) = order.waiting.remove(&now) else {
                break;
            };
            order.output.write(&mut chunk);
            order.turn = if last {
                Turn {
                    input: order.turn.input + 1,
                    entity: 0,
                }
            } else {
                Turn {
                    entity: order.turn.entity + 1,
                    ..order.turn
                }
            };
        }
        drop(order);
        self.turned.notify_all();
    }
}

/// Where the output of one piece of work goes.
pub struct Lane<'c> {
    crew: &'c Crew<'c>,
    turn: Turn,
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
    ReadError {
        origin,
        line: None,
        reason: format!("a fault in baseref, please report it: {said}"),
    }
}

/// A lock whose holder panicked holds what it held: the data is plain.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
