//! The entities of files in containers, whose origins include the path to their file.

use super::input::{Entities, Input, Opened};
use super::nesting::Nesting;
use crate::entity::{Entity, Kind};
use baseref_document::{Limits, Origin, ReadError, Skipped};

/// A function that opens a file in a container. Whatever opens a container passes it in, since it
/// knows every format.
pub(super) type Opener = fn(Input, &Limits, &Nesting) -> Result<Opened, ReadError>;

/// The entities of a file in a container.
pub struct Inside {
    entities: Entities,
    /// The file.
    file: Origin,
}

impl Inside {
    /// The entities found in the file.
    pub fn new(entities: Entities, file: Origin) -> Self {
        Self { entities, file }
    }

    /// The records that held no document, so far: all of them after the last entity.
    pub fn skipped(&self) -> Skipped {
        self.entities.skipped()
    }
}

impl Iterator for Inside {
    type Item = Result<Entity, ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        Some(place(self.entities.next()?, &self.file))
    }
}

/// An entity or error found in a file of a container, with its full origin.
pub(super) fn place(found: Result<Entity, ReadError>, file: &Origin) -> Result<Entity, ReadError> {
    match found {
        Ok(entity) => {
            let origin = entity.origin.in_file(file);
            Ok(Entity {
                origin: match entity.kind {
                    Kind::Message { .. } | Kind::Outlook => origin.of_message(),
                    _ => origin,
                },
                ..entity
            })
        }
        Err(error) => Err(error.in_file(file)),
    }
}
