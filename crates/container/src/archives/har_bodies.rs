//! Bodies that a HAR stores in files beside it: Playwright's `recordHar` writes their names to
//! `content._file`, and a zip has them as members.

#[cfg(feature = "archives")]
use std::collections::BTreeSet;
use std::collections::VecDeque;
use std::fmt;

#[cfg(feature = "archives")]
use memchr::memmem;

use crate::contents::{Container, Entities};
use crate::entity::{Entity, EntityKind};
use baseref_document::{ReadError, ReadErrorKind, Skipped};

/// The name of a body, if it is that of a file in the folder of the HAR or below.
pub(crate) fn safe_name(name: &str) -> Option<&str> {
    let is_plain = |part: &str| !part.is_empty() && !matches!(part, "." | "..");
    let is_safe = !name.contains(['\\', ':', '\0']) && name.split('/').all(is_plain);
    is_safe.then_some(name)
}

/// The names of the bodies in a HAR, in whatever entries they are.
#[cfg(feature = "archives")]
pub(crate) fn names(har: &[u8]) -> BTreeSet<String> {
    const KEY: &[u8] = b"\"_file\"";
    let name = |at: usize| {
        let rest = har[at + KEY.len()..].trim_ascii_start();
        let rest = rest.strip_prefix(b":")?.trim_ascii_start();
        let mut values = serde_json::Deserializer::from_slice(rest).into_iter::<String>();
        let name = values.next()?.ok()?;
        safe_name(&name).map(str::to_owned)
    };
    memmem::find_iter(har, KEY).filter_map(name).collect()
}

/// Why a body that a HAR stores in a file is not read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BodyError {
    /// Its name, or a symbolic link of that name, leads out of the folder of the HAR.
    Outside,
    /// The file does not exist, is too large, or was read too often.
    NotRead,
}

impl fmt::Display for BodyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Outside => "is not read, because it is outside the folder of the HAR",
            Self::NotRead => "cannot be read beside the HAR",
        })
    }
}

/// Reads the body of an entity that has it in a file; returns an error if it cannot be read.
pub(crate) fn fill(
    entity: &mut Entity,
    read: impl FnOnce(&str) -> Result<Vec<u8>, BodyError>,
) -> Option<ReadError> {
    let name = entity.stored_body.take()?;
    let body = safe_name(&name).ok_or(BodyError::Outside).and_then(read);
    let error = match body {
        Ok(body) => {
            entity.bytes.extend_from_slice(&body);
            return None;
        }
        Err(error) => error,
    };
    if entity.capture.is_some() {
        entity.kind = EntityKind::Capture;
    }
    let reason = format!("its body is in {name:?}, which {error}");
    let origin = entity.origin.clone();
    Some(ReadError::new(ReadErrorKind::Damaged, origin, reason))
}

/// The entities of a HAR. `read` returns the body in a file beside the HAR, given its name.
pub fn with_bodies(
    entities: Entities,
    read: impl FnMut(&str) -> Result<Vec<u8>, BodyError> + Send + 'static,
) -> Entities {
    Box::new(WithBodies {
        entities,
        read,
        ready: VecDeque::new(),
    })
}

struct WithBodies<R> {
    entities: Entities,
    read: R,
    ready: VecDeque<Entity>,
}

impl<R: FnMut(&str) -> Result<Vec<u8>, BodyError> + Send> Iterator for WithBodies<R> {
    type Item = Result<Entity, ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        if let Some(entity) = self.ready.pop_front() {
            return Some(Ok(entity));
        }
        let mut entity = match self.entities.next()? {
            Ok(entity) => entity,
            error => return Some(error),
        };
        match fill(&mut entity, &mut self.read) {
            Some(error) => {
                self.ready.push_back(entity);
                Some(Err(error))
            }
            None => Some(Ok(entity)),
        }
    }
}

impl<R: FnMut(&str) -> Result<Vec<u8>, BodyError> + Send> Container for WithBodies<R> {
    fn skipped(&self) -> Skipped {
        self.entities.skipped()
    }
}

#[cfg(all(test, feature = "archives"))]
mod tests {
    use super::*;

    #[test]
    fn names_of_bodies_stay_in_their_folder() {
        let har = br#"{"log":{"entries":[{"_file" : "a.html"},{"_file":"b\/c.html"},
            {"_file":"../d"},{"_file":"/e"},{"_file":"f/../g"},{"_file":"C:h"},{"_file":7}]}}"#;
        assert_eq!(Vec::from_iter(names(har)), ["a.html", "b/c.html"]);
    }
}
