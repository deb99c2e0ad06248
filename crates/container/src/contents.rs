//! The contents of an input: its entities, one at a time.

use std::sync::Arc;

use crate::entity::{Entity, EntityKind};
use crate::input::failure::FailureRecord;
use baseref_document::{Origin, ReadError, Skipped};

/// The contents of an input.
#[cfg_attr(
    target_pointer_width = "64",
    expect(
        clippy::large_enum_variant,
        reason = "there is one per input, and it is taken apart at once"
    )
)]
pub enum Contents {
    /// One entity.
    Single(Entity),
    /// Any number of entities.
    Multiple(Entities),
    /// Nothing in a known format.
    Empty,
}

/// The entities of a container, one at a time.
pub type Entities = Box<dyn Container + Send>;

/// A file that holds entities. It yields them in order, with an error in place of each one that
/// cannot be read.
pub trait Container: Iterator<Item = Result<Entity, ReadError>> {
    /// The records skipped so far because they hold no HTML, by media type.
    fn skipped(&self) -> Skipped {
        Skipped::default()
    }

    /// The number of those records.
    fn without_html(&self) -> u64 {
        self.skipped().total()
    }
}

/// Entities and errors collected in advance.
impl Container for std::vec::IntoIter<Result<Entity, ReadError>> {}

impl Contents {
    /// An entity, preceded by an error if only a part of it could be read.
    pub(crate) fn entity(mut entity: Entity, error: Option<ReadError>) -> Self {
        let Some(error) = error else {
            return Self::Single(entity);
        };
        entity.is_damaged |= error.kind.is_loss();
        Self::Multiple(Box::new(vec![Err(error), Ok(entity)].into_iter()))
    }

    /// The entities of a container.
    pub(crate) fn from_container(container: impl Container + Send + 'static) -> Self {
        Self::Multiple(Box::new(container))
    }

    /// All entities.
    #[must_use]
    pub fn into_entities(self) -> Entities {
        match self {
            Self::Single(entity) => Box::new(vec![Ok(entity)].into_iter()),
            Self::Multiple(entities) => entities,
            Self::Empty => Box::new(Vec::new().into_iter()),
        }
    }

    /// Inserts errors before the first entity. Empty contents stay empty.
    pub(crate) fn preceded_by(self, errors: Vec<ReadError>) -> Self {
        match self {
            contents if errors.is_empty() => contents,
            Self::Empty => Self::Empty,
            contents => Self::from_container(PrecededContents {
                errors: errors.into_iter(),
                entities: contents.into_entities(),
            }),
        }
    }

    /// Reports the failure of the storage that the contents are read from: see [`FailureRecord`].
    ///
    /// # Errors
    /// If nothing could be read.
    pub(crate) fn monitored(
        contents: Result<Self, ReadError>,
        input: Arc<str>,
        failure: FailureRecord,
    ) -> Result<Self, ReadError> {
        match contents {
            Err(error) => Err(failure.reclassify(error)),
            Ok(Self::Multiple(entities)) => Ok(Self::from_container(MonitoredContents {
                entities,
                input,
                failure,
                is_reported: false,
            })),
            Ok(Self::Single(entity)) => Ok(Self::entity(entity, failure.error(&input))),
            Ok(Self::Empty) => failure.error(&input).map_or(Ok(Self::Empty), Err),
        }
    }
}

/// The entities of a container, after errors that occurred before the first.
struct PrecededContents {
    errors: std::vec::IntoIter<ReadError>,
    entities: Entities,
}

impl Iterator for PrecededContents {
    type Item = Result<Entity, ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        let error = self.errors.next().map(Err);
        error.or_else(|| self.entities.next())
    }
}

impl Container for PrecededContents {
    fn skipped(&self) -> Skipped {
        self.entities.skipped()
    }
}

/// The entities of a monitored input.
struct MonitoredContents {
    entities: Entities,
    input: Arc<str>,
    failure: FailureRecord,
    /// Whether the failure has been reported.
    is_reported: bool,
}

impl Iterator for MonitoredContents {
    type Item = Result<Entity, ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        match self.entities.next() {
            Some(Ok(entity)) => Some(Ok(entity)),
            Some(Err(error)) => {
                let error = self.failure.reclassify(error);
                self.is_reported |= error.interruption.is_some();
                Some(Err(error))
            }
            None if self.is_reported => None,
            None => {
                self.is_reported = true;
                self.failure.error(&self.input).map(Err)
            }
        }
    }
}

impl Container for MonitoredContents {
    fn skipped(&self) -> Skipped {
        self.entities.skipped()
    }
}

/// The contents of a file in a container. The origins of entities and errors include the path to
/// the file.
pub struct MemberContents {
    entities: Entities,
    file: Origin,
}

impl MemberContents {
    /// The contents of the file at that origin.
    pub(crate) fn new(entities: Entities, file: Origin) -> Self {
        Self { entities, file }
    }
}

impl Iterator for MemberContents {
    type Item = Result<Entity, ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        Some(in_file(self.entities.next()?, &self.file))
    }
}

impl Container for MemberContents {
    fn skipped(&self) -> Skipped {
        self.entities.skipped()
    }
}

/// An entity or error from a file in a container, with its full origin.
pub(crate) fn in_file(
    found: Result<Entity, ReadError>,
    file: &Origin,
) -> Result<Entity, ReadError> {
    match found {
        Ok(entity) => {
            let origin = entity.origin.in_file(file);
            Ok(Entity {
                origin: match entity.kind {
                    EntityKind::Message { .. } | EntityKind::Outlook => origin.into_message(),
                    _ => origin,
                },
                ..entity
            })
        }
        Err(error) => Err(error.in_file(file)),
    }
}
