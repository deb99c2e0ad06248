//! The documents of an audit, by their paths.

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use baseref_container::Contents;
use baseref_document::{Origin, ReadError};
use baseref_files::Files;
use baseref_run::Input;
use baseref_site::listing::FileId;
use baseref_walk::skipped::{SkipReason, SkippedFiles};
use baseref_walk::{FileInput, Opening, Snapshots, Walk, normal, packages_listed_in};
use foldhash::fast::RandomState;

use super::other_names::OtherNames;
use super::request::AuditRequest;
use super::sites::{MappedFolder, is_directory};
use crate::cache::shared_documents::SharedDocuments;

/// A document to judge.
#[derive(Clone)]
pub(super) struct DocumentPath {
    pub(super) path: PathBuf,
    /// Whether the user named it.
    named: bool,
    /// Whether the user asked for files with such a name.
    asked_for: bool,
    /// The files of an unpacked EPUB, by their paths below it.
    members: Option<Vec<PathBuf>>,
}

impl DocumentPath {
    pub(super) fn input(self, opening: &Arc<Opening>) -> FileInput {
        let input = FileInput::new(self.path, self.named, opening).asked_for(self.asked_for);
        match self.members {
            Some(members) => input.with_members(members),
            None => input,
        }
    }
}

/// A document to be read, from the cache if it was read under another name.
pub(super) struct DocumentInput {
    file: FileInput,
    shared: Arc<SharedDocuments>,
}

impl DocumentInput {
    pub(super) fn new(file: FileInput, shared: &Arc<SharedDocuments>) -> Self {
        let shared = Arc::clone(shared);
        Self { file, shared }
    }
}

impl Input for DocumentInput {
    fn origin(&self) -> Origin {
        self.file.origin()
    }

    fn may_wait(&self) -> bool {
        self.file.may_wait()
    }

    fn open(self) -> Result<Contents, ReadError> {
        match self.shared.entity(&self.file.path().to_string_lossy()) {
            Some(entity) => self.file.reread(entity),
            None => self.file.open(),
        }
    }
}

/// The documents of an audit, and what is not read as one.
#[derive(Default)]
pub(super) struct Documents {
    pub(super) paths: Vec<DocumentPath>,
    pub(super) skipped: SkippedFiles,
    /// The other names of the files among them.
    pub(super) other_names: OtherNames,
    /// The files that are documents under several names.
    pub(super) shared: Arc<SharedDocuments>,
}

/// The documents of each file of a folder, by their indexes.
#[derive(Default)]
struct DocumentsByFile {
    first: HashMap<FileId, usize, RandomState>,
    several: BTreeMap<FileId, Vec<usize>>,
}

impl DocumentsByFile {
    fn add(&mut self, file: FileId, document: usize) {
        let first = *self.first.entry(file).or_insert(document);
        if first != document {
            let documents = self.several.entry(file).or_insert_with(|| vec![first]);
            documents.push(document);
        }
    }

    /// The names of each file that has several with the same extension, which says how a file is read.
    fn shared(&self, documents: &[DocumentPath]) -> Vec<Vec<String>> {
        let mut shared = Vec::new();
        for of_file in self.several.values() {
            let mut by_extension = BTreeMap::<_, Vec<String>>::new();
            for document in of_file {
                let path = &documents[*document].path;
                let names = by_extension.entry(path.extension()).or_default();
                names.push(path.to_string_lossy().into_owned());
            }
            shared.extend(by_extension.into_values().filter(|names| names.len() > 1));
        }
        shared
    }
}

/// The named files, and for a directory the files below it, in byte order of paths, except skipped
/// ones.
pub(super) fn documents(
    request: &AuditRequest,
    sites: &[MappedFolder],
    walk: &Walk,
    files: &Files,
) -> Documents {
    let mut found = Documents::default();
    let documents = &mut found.paths;
    let mut shared = Vec::new();
    for path in &request.paths {
        if !is_directory(path, files) {
            let packages = packages_listed_in(path, files);
            let paths = packages.unwrap_or_else(|| vec![path.clone()]);
            documents.extend(paths.into_iter().map(|path| DocumentPath {
                path,
                named: true,
                asked_for: true,
                members: None,
            }));
            continue;
        }
        let absolute = normal(path);
        let site = sites.iter().find_map(|site| {
            let below = absolute.strip_prefix(&site.absolute).ok()?;
            Some((site, below))
        });
        let Some((site, below)) = site else { continue };
        if site.is_book {
            documents.push(DocumentPath {
                path: path.clone(),
                named: true,
                asked_for: true,
                members: Some(site.tree.paths().collect()),
            });
            continue;
        }
        let is_skipped = |name: &Path, reason: SkipReason| match reason {
            SkipReason::Development => !request.hidden,
            SkipReason::Package | SkipReason::Archive | SkipReason::Cache => !walk.asks_for(name),
        };
        let skip_reason =
            |name: &Path| SkipReason::from_path(name).filter(|reason| is_skipped(name, *reason));
        let mut by_file = DocumentsByFile::default();
        for file in site.tree.named_files() {
            let Ok(name) = file.path.strip_prefix(below) else {
                continue;
            };
            if !walk.takes(name) {
                continue;
            }
            if let Some(reason) = skip_reason(name) {
                found.skipped.add(reason, name);
                if reason == SkipReason::Cache && site.mirror.is_none() {
                    found.skipped.add_unmapped(&path.join(name));
                }
                continue;
            }
            let known_as = file.known_as.as_deref();
            let known_as = known_as.and_then(|known| known.strip_prefix(below).ok());
            // The extension says how a file is read.
            let is_alike = |known: &&Path| known.extension() == name.extension();
            let is_read = |known: &&Path| walk.takes(known) && skip_reason(known).is_none();
            if let Some(known) = known_as.filter(is_alike).filter(is_read) {
                let (known, other) = (path.join(known), path.join(name));
                if files.are_one(&known, &other) {
                    found.other_names.add(&known, &other);
                    continue;
                }
            }
            by_file.add(file.file, documents.len());
            documents.push(DocumentPath {
                path: path.join(name),
                named: false,
                asked_for: walk.asks_for(name),
                members: None,
            });
        }
        // The hosts of a mirror may have different default encodings.
        if site.mirror.is_none() {
            shared.extend(by_file.shared(documents));
        }
    }
    found.shared = Arc::new(SharedDocuments::new(shared));
    leave_out_copies(&mut found.paths, &mut found.skipped, files);
    found
}

/// Removes the documents that are copies of other ones in snapshots by `ArchiveBox`, unless the user asked
/// for them.
fn leave_out_copies(documents: &mut Vec<DocumentPath>, skipped: &mut SkippedFiles, files: &Files) {
    let found = documents.iter().filter(|document| !document.asked_for);
    let snapshots = Snapshots::new(found.map(|document| document.path.as_path()), files);
    documents.retain(|document| {
        let is_left_out = !document.asked_for && snapshots.leave_out(&document.path);
        if is_left_out {
            skipped.add_copy(&document.path);
        }
        !is_left_out
    });
    skipped.set_snapshots(snapshots);
}
