//! The messages of an Outlook store, one in memory at a time.

use std::num::NonZeroU64;
use std::sync::Arc;

use crate::contents::{Container, Contents};
use crate::detect::OpenContext;
use crate::entity::{Entity, EntityKind};
use crate::input::Reader;
use crate::input::buffered::BufferedInput;
use crate::nesting::Nesting;
use baseref_document::{Declaration, Origin, ReadError, ReadErrorKind, Skipped};
use baseref_outlook::{Entry, Limits, Problem, ProblemKind, Pst, PstError};

/// The folder of messages that no folder lists. In the names of folders, the slash is encoded.
const NO_FOLDER: &str = "!/deleted";

/// What messages are counted as that no folder lists.
const ORPHAN: &str = "Outlook message in no folder";

/// Reads a store. A stream is read whole, since its trees are at its end.
pub(crate) fn read(input: BufferedInput, ctx: &OpenContext<'_>) -> Result<Contents, ReadError> {
    let (name, declarations) = (Arc::clone(&input.name), input.declarations.clone());
    let reader = input.into_seekable(ctx.limits.message)?;
    let limits = Limits {
        depth: ctx.limits.mime_depth,
    };
    let origin = Origin::new(Arc::clone(&name));
    let mut store = Pst::open(reader, &limits).map_err(|error| unread(error, origin))?;
    if ctx.nesting.reads_deleted() {
        store = store.with_orphans();
    }
    Ok(Contents::from_container(Messages {
        store,
        input: name,
        declarations,
        nesting: ctx.nesting.clone(),
    }))
}

fn unread(error: PstError, origin: Origin) -> ReadError {
    let reason = error.to_string();
    let kind = match &error {
        PstError::NotAStore => ReadErrorKind::Format,
        PstError::Version(_) => ReadErrorKind::Unsupported,
        PstError::Damaged => ReadErrorKind::Damaged,
        PstError::Io(failure) => crate::input::failure::kind_of(failure),
    };
    let unread = ReadError::new(kind, origin, reason);
    match error {
        PstError::Io(failure) => unread.caused_by(failure),
        _ => unread,
    }
}

/// The messages of a store as entities.
struct Messages {
    store: Pst<Reader>,
    input: Arc<str>,
    declarations: Vec<Declaration>,
    nesting: Nesting,
}

impl Messages {
    fn origin(&self, folder: Option<String>, number: u64) -> Origin {
        let within = match folder {
            Some(path) if path.is_empty() => None,
            Some(path) => Some(Arc::new(format!("!{path}"))),
            None => Some(Arc::new(NO_FOLDER.to_owned())),
        };
        Origin::new(Arc::clone(&self.input))
            .with_within(within)
            .with_message(NonZeroU64::new(number))
    }
}

impl Iterator for Messages {
    type Item = Result<Entity, ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        let error = |origin, problem: Problem| {
            let kind = match problem.kind {
                ProblemKind::Limit => ReadErrorKind::Limit,
                ProblemKind::Damaged | ProblemKind::Checksum => ReadErrorKind::Damaged,
            };
            Err(ReadError::new(kind, origin, problem.what))
        };
        Some(match self.store.next()? {
            Entry::Folder { folder, problem } => error(self.origin(Some(folder), 0), problem),
            Entry::Message(stored) => {
                let origin = self.origin(stored.folder, stored.number);
                match stored.message {
                    Err(problem) => error(origin, problem),
                    Ok(message) => Ok(Entity {
                        kind: EntityKind::Outlook,
                        offset: None,
                        declarations: self.declarations.clone(),
                        nesting: self.nesting.clone(),
                        stored_message: Some(Box::new(message)),
                        ..Entity::html(origin, Vec::new())
                    }),
                }
            }
        })
    }
}

impl Container for Messages {
    fn skipped(&self) -> Skipped {
        let mut skipped = Skipped::default();
        if self.nesting.reads_deleted() {
            return skipped;
        }
        for _ in 0..self.store.orphans() {
            skipped.count(ORPHAN);
        }
        skipped
    }
}
