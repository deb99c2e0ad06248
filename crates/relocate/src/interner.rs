//! Strings that many links share, each kept once.

use std::collections::HashMap;
use std::sync::{Arc, PoisonError, RwLock};

use foldhash::fast::RandomState;

/// The strings kept so far, by all threads.
#[derive(Debug, Default)]
pub struct Interner(RwLock<Kept>);

#[derive(Debug, Default)]
struct Kept {
    ids: HashMap<Arc<str>, StringId, RandomState>,
    all: Vec<Arc<str>>,
}

/// A string of [`Interner`]. Two are equal if and only if their strings are; their order means
/// nothing, since it depends on the threads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct StringId(u32);

impl Interner {
    /// Keeps a string.
    pub fn keep(&self, text: &str) -> StringId {
        let kept = self.0.read().unwrap_or_else(PoisonError::into_inner);
        if let Some(id) = kept.ids.get(text) {
            return *id;
        }
        drop(kept);
        let mut kept = self.0.write().unwrap_or_else(PoisonError::into_inner);
        // Another thread may have been faster.
        if let Some(id) = kept.ids.get(text) {
            return *id;
        }
        let Ok(number) = u32::try_from(kept.all.len()) else {
            // There is no memory for so many.
            return StringId(u32::MAX);
        };
        let id = StringId(number);
        let text: Arc<str> = text.into();
        kept.all.push(Arc::clone(&text));
        kept.ids.insert(text, id);
        id
    }

    /// All strings, for [`StringId::of`].
    #[must_use]
    pub fn into_all(self) -> Vec<Arc<str>> {
        let kept = self.0.into_inner();
        kept.unwrap_or_else(PoisonError::into_inner).all
    }
}

impl StringId {
    /// The string, shared; empty if it is not of that [`Interner`].
    #[must_use]
    pub fn shared(self, all: &[Arc<str>]) -> Arc<str> {
        all.get(self.0 as usize).cloned().unwrap_or_default()
    }

    /// The string, out of all those of the [`Interner`] that it was kept in.
    #[must_use]
    pub fn of(self, all: &[Arc<str>]) -> &str {
        all.get(self.0 as usize).map_or("", |text| text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_strings_are_kept_once() {
        let interner = Interner::default();
        let ids = ["a", "", "a", "b"].map(|text| interner.keep(text));
        assert_eq!((ids[0], ids[0] == ids[3]), (ids[2], false));
        let all = interner.into_all();
        assert_eq!(ids.map(|id| id.of(&all)), ["a", "", "a", "b"]);
        assert_eq!(all.len(), 3);
    }
}
