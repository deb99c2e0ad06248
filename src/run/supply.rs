//! Where work comes from: inputs, and the entities of the containers among them.

use std::collections::BTreeMap;
use std::sync::{Condvar, Mutex};

use super::guard::{guarded, lock};
use super::order::Turn;
use crate::container::entity::Entity;
use crate::container::input::Entities;
use crate::document::{Origin, Skipped};
use crate::error::ReadError;

/// How many bytes of input a worker pulls at once, if the pieces are small.
const BATCH: usize = 128 * 1024;

/// The maximum number of pieces pulled at once.
const PIECES: usize = 32;

/// What a worker pulls.
pub(super) enum Pulled<I> {
    Input(I),
    /// An error in place of an input.
    NoInput(ReadError),
    /// An entity of a container.
    Entity(Entity),
    /// An error in place of an entity of a container, which continues.
    NoEntity(ReadError),
    /// A container has ended, with the records skipped because they hold no HTML.
    End(Skipped),
}

/// A container whose entities are shared out.
struct OpenContainer {
    /// `None` after a panic: it cannot go on.
    entities: Option<Entities>,
    /// The number of the next entity. The opening itself is number 0.
    next: u64,
    /// The origin of the latest entity, or else of the container.
    latest: Origin,
}

/// Where work comes from. `N` yields the inputs.
pub(super) struct Supply<N> {
    /// `None` after a panic: there are no more.
    inputs: Option<N>,
    /// Open containers, by the number of their input.
    containers: BTreeMap<u64, OpenContainer>,
    /// How many inputs are being opened: each can still turn out to be a container.
    opening: usize,
    /// The number of the next input.
    next: u64,
    /// The expected size of an input: an average of those before it, weighted towards the latest.
    size: usize,
    /// How many workers wait for more. Notifying without waiters still costs a system call.
    pub(super) waiters: usize,
}

impl<I, N: Iterator<Item = Result<I, ReadError>>> Supply<N> {
    pub(super) fn new(inputs: N) -> Self {
        Self {
            inputs: Some(inputs),
            containers: BTreeMap::new(),
            opening: 0,
            next: 0,
            size: BATCH,
            waiters: 0,
        }
    }

    /// The turn of the next piece. The earliest container comes first, so whatever is pulled comes
    /// after everything pulled before, and the turn can always advance.
    pub(super) fn next_turn(&self) -> Turn {
        match self.containers.first_key_value() {
            Some((&input, container)) => Turn {
                input,
                entity: container.next,
            },
            None => Turn {
                input: self.next,
                entity: 0,
            },
        }
    }

    /// Whether more may come, though there is nothing now.
    pub(super) fn may_grow(&self) -> bool {
        self.opening > 0
    }

    /// Shares out the entities of an input.
    pub(super) fn add(&mut self, input: u64, entities: Entities, origin: Origin) {
        let container = OpenContainer {
            entities: Some(entities),
            next: 1,
            latest: origin,
        };
        self.containers.insert(input, container);
    }

    /// Wakes workers waiting for work.
    pub(super) fn wake(&self, supplied: &Condvar) {
        if self.waiters > 0 {
            supplied.notify_all();
        }
    }

    /// The next batch of pieces; empty if there are none for now.
    pub(super) fn take(&mut self) -> Vec<(Turn, Pulled<I>)> {
        let mut pieces = Vec::new();
        let mut bytes = 0;
        while bytes < BATCH && pieces.len() < PIECES {
            let turn = self.next_turn();
            let Some(piece) = self.take_one() else {
                break;
            };
            bytes += match &piece {
                Pulled::Input(_) => self.size,
                Pulled::Entity(entity) => entity.bytes.len(),
                Pulled::NoInput(_) | Pulled::NoEntity(_) | Pulled::End(_) => 0,
            };
            pieces.push((turn, piece));
        }
        pieces
    }

    fn take_one(&mut self) -> Option<Pulled<I>> {
        if let Some(mut container) = self.containers.first_entry() {
            let open = container.get_mut();
            open.next += 1;
            let piece = open.next_piece();
            if matches!(piece, Pulled::End(_)) {
                container.remove();
            }
            return Some(piece);
        }
        let piece = match self.next_input()? {
            Ok(input) => {
                self.opening += 1;
                Pulled::Input(input)
            }
            Err(error) => Pulled::NoInput(error),
        };
        self.next += 1;
        Some(piece)
    }

    fn next_input(&mut self) -> Option<Result<I, ReadError>> {
        let inputs = self.inputs.as_mut()?;
        let found = guarded(|| Origin::of_input("the list of inputs"), || inputs.next());
        found.unwrap_or_else(|fault| {
            self.inputs = None;
            Some(Err(fault))
        })
    }
}

impl OpenContainer {
    /// The next entity, or an error in its place, or the end.
    fn next_piece<I>(&mut self) -> Pulled<I> {
        let Some(mut entities) = self.entities.take() else {
            return Pulled::End(Skipped::default());
        };
        let next = guarded(
            || self.latest.clone(),
            || match entities.next() {
                Some(found) => (Some(found), Some(entities), Skipped::default()),
                None => (None, None, entities.skipped()),
            },
        );
        match next {
            Ok((Some(Ok(entity)), entities, _)) => {
                self.entities = entities;
                self.latest = entity.origin.clone();
                Pulled::Entity(entity)
            }
            Ok((Some(Err(error)), entities, _)) => {
                self.entities = entities;
                Pulled::NoEntity(error)
            }
            Ok((None, _, skipped)) => Pulled::End(skipped),
            Err(mut fault) => {
                fault.reason = format!("nothing after this is read: {}", fault.reason).into();
                Pulled::NoEntity(fault)
            }
        }
    }
}

/// Inputs that a worker has pulled and that may turn out to be containers. They are released when
/// this is dropped, so that no panic leaves others waiting for them.
pub(super) struct Openings<'s, N> {
    supply: &'s Mutex<Supply<N>>,
    supplied: &'s Condvar,
    inputs: usize,
    /// How many bytes were read for them.
    pub(super) bytes: usize,
}

impl<'s, N> Openings<'s, N> {
    /// The inputs among the pieces.
    pub(super) fn among<I>(
        pieces: &[(Turn, Pulled<I>)],
        supply: &'s Mutex<Supply<N>>,
        supplied: &'s Condvar,
    ) -> Self {
        let is_input = |(_, piece): &&(Turn, Pulled<I>)| matches!(piece, Pulled::Input(_));
        Self {
            supply,
            supplied,
            inputs: pieces.iter().filter(is_input).count(),
            bytes: 0,
        }
    }
}

impl<N> Drop for Openings<'_, N> {
    fn drop(&mut self) {
        let Some(size) = self.bytes.checked_div(self.inputs) else {
            return;
        };
        let mut supply = lock(self.supply);
        supply.size = usize::midpoint(supply.size, size);
        supply.opening -= self.inputs;
        if supply.waiters > 0 {
            self.supplied.notify_all();
        }
    }
}
