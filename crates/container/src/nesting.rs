//! The containers around a file: how many there are, and the ledger of the input that they are in.

use std::io::Read;

use crate::codings::metered::Metered;
use baseref_document::{Allowance, Work};
use baseref_document::{Ledger, Limits, Origin, ReadError, ReadErrorKind};

/// The error when everything in an input file inflates to more than [`Limits::inflated`] and
/// [`Limits::inflation`] times its size.
pub const INFLATED_TOO_MUCH: &str =
    "all that is compressed in it expands to too much for its size: the rest is not read";

/// The containers around a file.
#[derive(Clone, Debug, Default)]
pub struct Nesting {
    depth: usize,
    /// Whether files in containers are read as parts of a site: see [`crate::open_site`].
    is_site: bool,
    /// Whether messages that a store has deleted but still holds are read.
    reads_deleted: bool,
    /// The work of the input file so far.
    ledger: Ledger,
    /// Whether the outermost container has limited the ledger.
    is_limited: bool,
}

impl Nesting {
    /// No containers, and a ledger for an input of `size` bytes. Of an input of unknown size, the
    /// bytes read are added to the ledger.
    pub(crate) fn for_input(size: Option<u64>, limits: &Limits) -> Self {
        let ledger = Ledger::new(Work::Inflated, limits.inflation_allowance());
        ledger.add_stored(size.unwrap_or(0));
        Self {
            ledger,
            ..Self::default()
        }
    }

    /// Reads files in containers that are opened from here as parts of a site.
    pub(crate) fn into_site(self) -> Self {
        Self {
            is_site: true,
            ..self
        }
    }

    /// Reads messages that a store has deleted but still holds.
    pub(crate) fn with_deleted(self) -> Self {
        Self {
            reads_deleted: true,
            ..self
        }
    }

    /// Whether messages that a store has deleted but still holds are read.
    pub(crate) fn reads_deleted(&self) -> bool {
        self.reads_deleted
    }

    /// Whether files in containers are read as parts of a site.
    #[must_use]
    pub fn is_site(&self) -> bool {
        self.is_site
    }

    /// The ledger of the input file.
    #[must_use]
    pub fn ledger(&self) -> &Ledger {
        &self.ledger
    }

    /// Checks whether a collection can be opened here.
    ///
    /// # Errors
    /// If it is nested too deeply.
    pub(crate) fn check_collection(&self, name: &str, limits: &Limits) -> Result<(), ReadError> {
        Self::check(self.depth < limits.nesting, name, limits)
    }

    /// Checks whether a file attached to a message can be opened here.
    ///
    /// # Errors
    /// If it is nested too deeply.
    pub(crate) fn check_attachment(&self, name: &str, limits: &Limits) -> Result<(), ReadError> {
        Self::check(self.depth <= limits.nesting, name, limits)
    }

    fn check(is_allowed: bool, name: &str, limits: &Limits) -> Result<(), ReadError> {
        if is_allowed {
            return Ok(());
        }
        let reason = format!(
            "is nested in {} containers: what is in it is not read",
            limits.nesting
        );
        let origin = Origin::new(name);
        Err(ReadError::new(ReadErrorKind::Limit, origin, reason))
    }

    /// The nesting of files in a container that is itself nested here. If it is the outermost
    /// container, all files in it together may inflate to `limit` bytes.
    pub(crate) fn inside(&self, limit: u64) -> Self {
        let ledger = if self.is_limited {
            self.ledger.clone()
        } else {
            self.ledger.part(Work::Inflated, Allowance::fixed(limit))
        };
        Self {
            depth: self.depth + 1,
            is_site: self.is_site,
            reads_deleted: self.reads_deleted,
            ledger,
            is_limited: true,
        }
    }

    /// The nesting of the files attached to a message of `size` bytes that is nested here. All of
    /// them together may inflate to as much as one compressed input, unless a container around the
    /// message has its own limit.
    #[must_use]
    pub fn inside_message(&self, size: usize, limits: &Limits) -> Self {
        self.inside(limits.inflated_in_layers(size as u64))
    }

    /// Charges what is read from a decompressed stream to the ledger.
    pub(crate) fn metered<R: Read>(&self, stream: R) -> Metered<R> {
        let reason = if self.is_limited {
            "the containers around it expand to too much for their size: the rest is not read"
        } else {
            INFLATED_TOO_MUCH
        };
        Metered::new(stream, self.ledger.clone(), reason)
    }
}
