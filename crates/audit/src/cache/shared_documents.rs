//! Caches what is read of a file that has several names in different folders of a site.
//!
//! From each folder its relative links lead elsewhere, so they are judged for each name. What the file
//! says is the same, so it is read once.

use std::collections::HashMap;
use std::mem;
use std::sync::{Mutex, MutexGuard, PoisonError};

use baseref_container::Entity;
use baseref_document::{Document, ReadError, ReadOptions, ReadResult, Skipped};
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
    /// The file, whose bytes are missing while it is read under another name. The declarations that do not come
    /// from its text are the first of the document.
    entity: Entity,
    /// The size of the file in bytes.
    size: usize,
}

/// A file that has several names, as read under one of them.
pub(crate) struct SharedFile {
    /// Its number.
    file: usize,
    /// The file without its bytes.
    entity: Entity,
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

    /// The file of that name, if it was read under another one.
    pub(crate) fn entity(&self, name: &str) -> Option<Entity> {
        let file = self.files.get(name)?;
        let mut cache = self.lock();
        let entity = &mut cache.documents.get_mut(file)?.entity;
        let bytes = mem::take(&mut entity.bytes);
        // Of two threads, one reads the file.
        (!bytes.is_empty()).then(|| Entity {
            bytes,
            ..entity.clone()
        })
    }

    /// Reads the documents of an entity, whose bytes are in `bytes`, and lends each to `found`, with errors
    /// in between. If the file has several names, it is returned, for [`Self::keep_bytes`].
    pub(crate) fn each_document(
        &self,
        bytes: &[u8],
        entity: Entity,
        options: &ReadOptions,
        mut found: impl FnMut(Result<&Document, ReadError>),
    ) -> (Skipped, Option<SharedFile>) {
        let file = self.file(&entity, bytes.len());
        let known = file.as_ref().and_then(|file| self.take(file));
        let mut found = |document: ReadResult| match document {
            Ok(document) => {
                found(Ok(&document));
                if let Some(file) = &file {
                    self.put(file, document);
                }
            }
            Err(error) => found(Err(error)),
        };
        if let Some(document) = known {
            found(Ok(document));
            return (Skipped::default(), file);
        }
        let skipped = read::documents_in(bytes, entity, options, &mut found);
        (skipped, file)
    }

    /// Keeps the bytes of a file whose document was kept.
    pub(crate) fn keep_bytes(&self, file: &SharedFile, bytes: Vec<u8>) {
        if let Some(shared) = self.lock().documents.get_mut(&file.file) {
            shared.entity.bytes = bytes;
        }
    }

    /// A whole file, if it has several names, given its size in bytes.
    fn file(&self, entity: &Entity, size: usize) -> Option<SharedFile> {
        if !entity.is_file() {
            return None;
        }
        Some(SharedFile {
            file: *self.files.get(&*entity.origin.input)?,
            entity: entity.clone(),
            size,
        })
    }

    /// The document of a file, as if it had been read under this name; `None` if it must be read.
    fn take(&self, file: &SharedFile) -> Option<Document> {
        let mut cache = self.lock();
        let shared = cache.documents.remove(&file.file)?;
        cache.bytes -= shared.size;
        drop(cache);
        // A file that changed between two readings.
        if shared.size != file.size {
            return None;
        }
        let mut document = shared.document;
        document.origin = file.entity.origin.clone();
        let declarations = file.entity.declarations.iter().cloned();
        document
            .declarations
            .splice(..shared.entity.declarations.len(), declarations)
            .for_each(mem::drop);
        Some(document)
    }

    /// Keeps a document for the other names of its file.
    fn put(&self, file: &SharedFile, document: Document) {
        let mut cache = self.lock();
        let Some(left) = cache.names.get_mut(file.file) else {
            return;
        };
        *left = left.saturating_sub(1);
        // The origins of embedded documents have its name, too.
        let is_needed = *left > 0 && document.embedded.is_empty();
        if !is_needed || cache.bytes + file.size > MOST_BYTES {
            return;
        }
        let shared = SharedDocument {
            document,
            entity: file.entity.clone(),
            size: file.size,
        };
        let earlier = cache.documents.insert(file.file, shared);
        cache.bytes += file.size;
        cache.bytes -= earlier.map_or(0, |earlier| earlier.size);
    }

    fn lock(&self) -> MutexGuard<'_, Cached> {
        self.cache.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use baseref_document::{Declaration, Origin, Place, Retrieval};

    use super::*;

    fn declared(url: &str) -> Declaration {
        Declaration::new(url, Place::Retrieval(Retrieval::Url))
    }

    #[test]
    fn file_is_cached_for_its_other_names() {
        let names = ["a/x.html", "b/x.html", "c/x.html"].map(str::to_owned);
        let shared = SharedDocuments::new([names.to_vec()]);
        let file = |name: &str, declarations: &[Declaration]| {
            let entity = Entity {
                declarations: declarations.to_vec(),
                ..Entity::html(Origin::new(name), Vec::new())
            };
            shared.file(&entity, 7)
        };
        assert!(file("other.html", &[]).is_none());
        let first = file("a/x.html", &[declared("http://h/a/")]).expect("it is one of several");
        let second = file("b/x.html", &[]).expect("it is one of several");
        assert!(shared.take(&first).is_none());
        assert!(shared.entity("b/x.html").is_none());
        let mut document = Document::empty(Origin::new("a/x.html"), "UTF-8");
        document.declarations = vec![declared("http://h/a/"), declared("own")];
        shared.put(&first, document);
        shared.keep_bytes(&first, b"<p>text".to_vec());
        let entity = shared.entity("b/x.html").expect("it was read");
        assert_eq!(entity.bytes, b"<p>text");
        assert!(shared.entity("c/x.html").is_none(), "another thread has it");
        let document = shared.take(&second).expect("it was read");
        assert_eq!(document.origin, Origin::new("b/x.html"));
        let values = document.declarations.iter().map(|one| &*one.value);
        assert_eq!(values.collect::<Vec<_>>(), ["own"]);
        shared.put(&second, document);
        let last = file("c/x.html", &[]).expect("it is one of several");
        let document = shared.take(&last).expect("it was read");
        shared.put(&last, document);
        assert!(shared.take(&last).is_none(), "no name is left");
    }
}
