//! Nested containers: a file in a container is opened like a stand-alone file, and the origins of
//! its content include the path to it.

use std::io::Read;

#[cfg(feature = "archives")]
use super::budget::{Budget, Charged};
use super::detect::Format;
#[cfg(feature = "archives")]
use super::input::{Entities, Input, Opened};
#[cfg(feature = "archives")]
use crate::container::entity::Entity;
use crate::document::Origin;
use crate::error::{ReadError, ReadErrorKind};
use crate::options::Limits;

/// A function that opens a file in a container. Whatever opens a container passes it in, since it
/// knows every format.
#[cfg(feature = "archives")]
pub(super) type Opener = fn(Input, &Limits, &Nesting) -> Result<Opened, ReadError>;

/// The containers around a file.
#[derive(Clone, Debug, Default)]
pub(super) struct Nesting {
    /// How many there are.
    depth: usize,
    /// How much may be decompressed in the outermost of them.
    #[cfg(feature = "archives")]
    budget: Option<Budget>,
}

impl Nesting {
    /// Whether a file of that format can be opened here.
    ///
    /// # Errors
    /// If it is nested too deeply.
    pub fn admit(&self, format: Format, name: &str, limits: &Limits) -> Result<(), ReadError> {
        if format.is_one_document() || self.depth < limits.nesting {
            return Ok(());
        }
        let reason = format!(
            "is nested in {} containers: what is in it is not read",
            limits.nesting
        );
        let origin = Origin::of_input(name);
        Err(ReadError::new(ReadErrorKind::Limit, origin, reason))
    }

    /// The nesting for the files of a container here, and their budget, which is `most` bytes if
    /// the container is the outermost.
    #[cfg(feature = "archives")]
    pub fn inner(&self, most: u64) -> (Self, Budget) {
        let budget = self.budget.clone();
        let budget = budget.unwrap_or_else(|| Budget::new(most));
        let inner = Self {
            depth: self.depth + 1,
            budget: Some(budget.clone()),
        };
        (inner, budget)
    }

    /// A decompressed stream, limited by the budget.
    pub fn unpacked(&self, stream: impl Read + Send + 'static) -> Box<dyn Read + Send> {
        #[cfg(feature = "archives")]
        if let Some(budget) = &self.budget {
            return Box::new(Charged::new(stream, budget.clone()));
        }
        Box::new(stream)
    }
}

/// The entities of a file in a container.
#[cfg(feature = "archives")]
pub(super) struct Inside {
    entities: Entities,
    /// The file.
    file: Origin,
}

#[cfg(feature = "archives")]
impl Inside {
    /// The entities found in the file.
    pub fn new(entities: Entities, file: Origin) -> Self {
        Self { entities, file }
    }

    /// The next entity or error, or at the end the skipped records.
    pub fn next(&mut self) -> Result<Result<Entity, ReadError>, crate::document::Skipped> {
        match self.entities.next() {
            Some(found) => Ok(place(found, &self.file)),
            None => Err(self.entities.skipped()),
        }
    }
}

/// An entity or error found in a file of a container, with its full origin.
#[cfg(feature = "archives")]
pub(super) fn place(found: Result<Entity, ReadError>, file: &Origin) -> Result<Entity, ReadError> {
    match found {
        Ok(entity) => Ok(Entity {
            origin: entity.origin.in_file(file),
            ..entity
        }),
        Err(error) => Err(ReadError {
            origin: error.origin.in_file(file),
            ..error
        }),
    }
}
