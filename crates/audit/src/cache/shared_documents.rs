//! Caches what is read of a file that has several names in different folders of a site.
//!
//! From each folder its relative links lead elsewhere, so they are judged for each name. What the file
//! says is the same, so it is read once.

use std::collections::HashMap;
use std::mem;
use std::sync::{Mutex, MutexGuard, PoisonError};

use baseref_container::Entity;
use baseref_document::{
    Declaration, Document, Origin, ReadError, ReadOptions, ReadResult, Skipped,
};
use baseref_reader::read;
use foldhash::fast::RandomState;

/// The files that have several names, and the documents read of them.
#[derive(Debug, Default)]
pub(crate) struct SharedDocuments {
    /// The number of the file of each name, by its origin.
    files: HashMap<Box<str>, usize, RandomState>,
    cache: Mutex<Cached>,
}

#[derive(Debug, Default)]
struct Cached {
    documents: HashMap<usize, SharedDocument, RandomState>,
    /// How many more names each file has.
    names: Vec<usize>,
    /// The total size of the files of the cached documents in bytes.
    bytes: usize,
}

/// The document of a file, as read under one of its names.
#[derive(Debug)]
struct SharedDocument {
    document: Document,
    /// How many of its declarations do not come from the file itself.
    declared: usize,
    /// The size of the file in bytes.
    size: usize,
}

/// A name that a document is read under.
struct SharedName {
    /// The number of the file.
    file: usize,
    declared: usize,
    size: usize,
}

/// The maximum total size of the files whose documents are cached, in bytes. Others are read again.
const MOST_BYTES: usize = 32 << 20;

impl SharedDocuments {
    /// For files with several names each.
    pub(crate) fn new(files: impl IntoIterator<Item = Vec<String>>) -> Self {
        let mut shared = Self::default();
        let mut names = Vec::new();
        for (file, of_file) in files.into_iter().enumerate() {
            names.push(of_file.len());
            let of_file = of_file.into_iter().map(String::into_boxed_str);
            shared.files.extend(of_file.map(|name| (name, file)));
        }
        shared.cache = Mutex::new(Cached {
            names,
            ..Cached::default()
        });
        shared
    }

    /// Reads the documents of an entity, whose bytes are in `bytes`, and lends each to `found`, with errors
    /// in between.
    pub(crate) fn each_document(
        &self,
        bytes: &[u8],
        entity: Entity,
        options: &ReadOptions,
        mut found: impl FnMut(Result<&Document, ReadError>),
    ) -> Skipped {
        let is_file = entity.is_file();
        let name = || self.name(&entity.origin, &entity.declarations, bytes.len());
        let name = is_file.then(name).flatten();
        let known = name.as_ref();
        let known = known.and_then(|name| self.take(name, &entity.origin, &entity.declarations));
        let mut found = |document: ReadResult| match document {
            Ok(document) => {
                found(Ok(&document));
                if let Some(name) = &name {
                    self.put(name, document);
                }
            }
            Err(error) => found(Err(error)),
        };
        if let Some(document) = known {
            found(Ok(document));
            return Skipped::default();
        }
        read::documents_in(bytes, entity, options, &mut found)
    }

    /// The name of a whole file, if the file has several; given its size in bytes, and how many
    /// declarations this name adds to it.
    fn name(
        &self,
        origin: &Origin,
        declarations: &[Declaration],
        size: usize,
    ) -> Option<SharedName> {
        Some(SharedName {
            file: *self.files.get(&*origin.input)?,
            declared: declarations.len(),
            size,
        })
    }

    /// The document of a file, as if it had been read under this name; `None` if it must be read.
    fn take(
        &self,
        name: &SharedName,
        origin: &Origin,
        declarations: &[Declaration],
    ) -> Option<Document> {
        let mut cache = self.lock();
        let shared = cache.documents.remove(&name.file)?;
        cache.bytes -= shared.size;
        drop(cache);
        // A file that changed between two readings.
        if shared.size != name.size {
            return None;
        }
        let mut document = shared.document;
        document.origin = origin.clone();
        let declarations = declarations.iter().cloned();
        document
            .declarations
            .splice(..shared.declared, declarations)
            .for_each(mem::drop);
        Some(document)
    }

    /// Keeps a document for the other names of its file.
    fn put(&self, name: &SharedName, document: Document) {
        let mut cache = self.lock();
        let Some(left) = cache.names.get_mut(name.file) else {
            return;
        };
        *left = left.saturating_sub(1);
        // The origins of embedded documents have its name, too.
        let is_needed = *left > 0 && document.embedded.is_empty();
        if !is_needed || cache.bytes + name.size > MOST_BYTES {
            return;
        }
        let shared = SharedDocument {
            document,
            declared: name.declared,
            size: name.size,
        };
        let earlier = cache.documents.insert(name.file, shared);
        cache.bytes += name.size;
        cache.bytes -= earlier.map_or(0, |earlier| earlier.size);
    }

    fn lock(&self) -> MutexGuard<'_, Cached> {
        self.cache.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use baseref_document::{Place, Retrieval};

    use super::*;

    fn declared(url: &str) -> Declaration {
        Declaration::new(url, Place::Retrieval(Retrieval::Url))
    }

    #[test]
    fn document_is_cached_for_the_other_names_of_its_file() {
        let names = ["a/x.html", "b/x.html", "c/x.html"].map(str::to_owned);
        let shared = SharedDocuments::new([names.to_vec()]);
        let name = |name: &str, declarations: &[Declaration]| {
            shared.name(&Origin::new(name), declarations, 7)
        };
        assert!(name("other.html", &[]).is_none());
        let first = name("a/x.html", &[declared("http://h/a/")]).expect("it is one of several");
        let second = name("b/x.html", &[]).expect("it is one of several");
        assert!(shared.take(&first, &Origin::new("a/x.html"), &[]).is_none());
        let mut document = Document::empty(Origin::new("a/x.html"), "UTF-8");
        document.declarations = vec![declared("http://h/a/"), declared("own")];
        shared.put(&first, document);
        let document = shared
            .take(&second, &Origin::new("b/x.html"), &[])
            .expect("it was read");
        assert_eq!(document.origin, Origin::new("b/x.html"));
        let values = document.declarations.iter().map(|one| &*one.value);
        assert_eq!(values.collect::<Vec<_>>(), ["own"]);
        shared.put(&second, document);
        let last = name("c/x.html", &[]).expect("it is one of several");
        let origin = Origin::new("c/x.html");
        let document = shared.take(&last, &origin, &[]).expect("it was read");
        shared.put(&last, document);
        assert!(
            shared.take(&last, &origin, &[]).is_none(),
            "no name is left"
        );
    }
}
