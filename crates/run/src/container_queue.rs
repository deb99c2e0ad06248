//! The entities of one container, read ahead of the workers that take them.
//!
//! Reading a container, which may mean decompressing it, has to be done in order. One worker at a
//! time does it, without holding any lock, so that the others take what is already there.

use std::collections::VecDeque;

use super::guard::guarded;
use baseref_container::{Entities, Entity};
use baseref_document::ReadError;
use baseref_document::{Origin, Skipped};

/// How many bytes a worker reads at once, if the entities are small.
pub(super) const BATCH: usize = 128 * 1024;

/// The maximum number of entities read at once.
pub(super) const PIECES: usize = 32;

/// How many bytes may be ready in a container for each worker beyond the first.
const AHEAD: usize = 2 * BATCH;

/// A piece of a container.
pub(super) enum ContainerItem {
    Entity(Entity),
    /// An error in place of an entity of a container, which continues.
    NoEntity(ReadError),
    /// The container has ended, with the records skipped because they hold no HTML.
    End(Skipped),
}

impl ContainerItem {
    pub(super) fn bytes(&self) -> usize {
        match self {
            Self::Entity(entity) => entity.bytes.len(),
            Self::NoEntity(_) | Self::End(_) => 0,
        }
    }
}

/// The reader of a container, used by one worker at a time.
pub(super) struct EntityReader {
    /// `None` after a panic, after which it cannot continue.
    entities: Option<Entities>,
    /// The origin of the latest entity, or else of the container.
    latest: Origin,
}

impl EntityReader {
    pub(super) fn new(entities: Entities, origin: Origin) -> Self {
        Self {
            entities: Some(entities),
            latest: origin,
        }
    }

    /// The next entities, or the last ones and the end.
    pub(super) fn read(&mut self) -> Vec<ContainerItem> {
        let mut batch = Vec::new();
        let mut bytes = 0;
        while bytes < BATCH && batch.len() < PIECES {
            let found = self.next();
            let is_end = matches!(found, ContainerItem::End(_));
            bytes += found.bytes();
            batch.push(found);
            if is_end {
                break;
            }
        }
        batch
    }

    /// The next entity, or an error in its place, or the end.
    fn next(&mut self) -> ContainerItem {
        let Some(mut entities) = self.entities.take() else {
            return ContainerItem::End(Skipped::default());
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
                ContainerItem::Entity(entity)
            }
            Ok((Some(Err(error)), entities, _)) => {
                self.entities = entities;
                ContainerItem::NoEntity(error)
            }
            Ok((None, _, skipped)) => ContainerItem::End(skipped),
            Err(mut fault) => {
                fault.reason = format!("nothing after this is read: {}", fault.reason).into();
                ContainerItem::NoEntity(fault)
            }
        }
    }
}

/// A container whose entities are shared out.
pub(super) struct ContainerQueue {
    /// `None` while a worker reads from it, and after the end.
    source: Option<EntityReader>,
    /// Pieces that have been read and not yet taken.
    ready: VecDeque<ContainerItem>,
    /// Their size in bytes.
    bytes: usize,
    /// The number of the next entity. The opening itself is number 0.
    next: u64,
}

impl ContainerQueue {
    pub(super) fn new(source: EntityReader) -> Self {
        Self {
            source: Some(source),
            ready: VecDeque::new(),
            bytes: 0,
            next: 1,
        }
    }

    /// The number of the next entity.
    pub(super) fn next_number(&self) -> u64 {
        self.next
    }

    /// The reader, if more should be ready for that many workers and no other worker is reading.
    /// [`ContainerQueue::fill`] takes it back.
    pub(super) fn lend(&mut self, jobs: usize) -> Option<EntityReader> {
        let most = AHEAD * (jobs - 1);
        let is_low = self.ready.is_empty() || self.bytes < most && self.ready.len() < jobs * PIECES;
        self.source.take_if(|_| is_low)
    }

    /// Adds pieces that were read, and takes back the reader.
    pub(super) fn fill(&mut self, source: EntityReader, batch: Vec<ContainerItem>) {
        let has_ended = matches!(batch.last(), Some(ContainerItem::End(_)));
        self.source = Some(source).filter(|_| !has_ended);
        self.bytes += batch.iter().map(ContainerItem::bytes).sum::<usize>();
        self.ready.extend(batch);
    }

    /// The next piece, if it is there.
    pub(super) fn take(&mut self) -> Option<ContainerItem> {
        let found = self.ready.pop_front()?;
        self.bytes -= found.bytes();
        self.next += 1;
        Some(found)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use baseref_container::Container;

    /// Pages of that many bytes, without end.
    struct Pages(usize);

    impl Iterator for Pages {
        type Item = Result<Entity, ReadError>;

        fn next(&mut self) -> Option<Self::Item> {
            let origin = Origin::new("pages");
            Some(Ok(Entity::html(origin, vec![b'x'; self.0])))
        }
    }

    impl Container for Pages {}

    /// How much is ready before the first piece is taken.
    fn ahead(size: usize, jobs: usize) -> (usize, usize) {
        let source = EntityReader::new(Box::new(Pages(size)), Origin::new("pages"));
        let mut queue = ContainerQueue::new(source);
        while let Some(mut source) = queue.lend(jobs) {
            let batch = source.read();
            assert!(queue.lend(jobs).is_none(), "one worker at a time reads");
            queue.fill(source, batch);
        }
        (queue.bytes, queue.ready.len())
    }

    #[test]
    fn read_ahead_limit() {
        assert_eq!(ahead(BATCH / 4, 1), (BATCH, 4));
        assert_eq!(ahead(BATCH / 4, 2), (AHEAD, 4 * AHEAD / BATCH));
        assert_eq!(ahead(10 * AHEAD, 8), (10 * AHEAD, 1));
        assert_eq!(ahead(0, 1), (0, PIECES));
        assert_eq!(ahead(0, 8), (0, 8 * PIECES));
    }
}
