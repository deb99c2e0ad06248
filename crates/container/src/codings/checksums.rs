//! Reports of gzip members and zstd frames whose content does not match their stored checksum.

use std::ops::Range;
use std::sync::Arc;

use super::gzip::{FailedChecksum, StreamFacts};
use crate::contents::{Container, Contents, Entities};
use crate::entity::Entity;
use baseref_document::{Origin, ReadError, Skipped};

/// Adds reports of the members that fail their checksum and begin in `range`: notes on a single
/// entity, errors between the entities of a container.
pub(crate) fn checked(
    contents: Contents,
    input: Arc<str>,
    facts: StreamFacts,
    range: Range<u64>,
) -> Contents {
    match contents {
        Contents::Single(mut entity) => {
            let failed = facts.take_failed_checksums().into_iter();
            entity.notes.extend(failed.map(FailedChecksum::note));
            Contents::Single(entity)
        }
        Contents::Multiple(entities) => Contents::from_container(CheckedContents {
            entities,
            input,
            facts,
            range,
            failed: Vec::new().into_iter(),
        }),
        Contents::Empty => Contents::Empty,
    }
}

/// The entities of a compressed container, with an error for each member that fails its checksum.
struct CheckedContents {
    entities: Entities,
    input: Arc<str>,
    facts: StreamFacts,
    range: Range<u64>,
    /// The members to be reported next.
    failed: std::vec::IntoIter<FailedChecksum>,
}

impl CheckedContents {
    fn next_failed(&mut self) -> Option<ReadError> {
        let range = self.range.clone();
        let failed = self.failed.find(|failed| range.contains(&failed.start))?;
        let origin = Origin::new(Arc::clone(&self.input));
        Some(ReadError::from_note(&failed.note(), origin))
    }
}

impl Iterator for CheckedContents {
    type Item = Result<Entity, ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        if let Some(error) = self.next_failed() {
            return Some(Err(error));
        }
        let found = self.entities.next();
        self.failed = self.facts.take_failed_checksums().into_iter();
        found.or_else(|| self.next_failed().map(Err))
    }
}

impl Container for CheckedContents {
    fn skipped(&self) -> Skipped {
        self.entities.skipped()
    }
}
