//! The files below a folder of a store, which has no links, and whose names are all that is known.

use std::cmp::Reverse;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::directory::{Descent, Walk, skipped_error, unread};
use baseref_document::ReadError;
use baseref_files::{EntryKind, Files};

/// The files below one folder, with an error in place of each that is not read.
pub(super) struct StoreFiles {
    walk: Walk,
    root: PathBuf,
    files: Arc<Files>,
    /// The remaining files and folders, the next one last, each with whether it is a folder.
    waiting: Vec<(PathBuf, bool)>,
}

impl StoreFiles {
    /// The files below a folder, in byte order of names.
    pub(super) fn below(folder: &Path, walk: &Walk, files: &Arc<Files>) -> Self {
        Self {
            walk: walk.clone(),
            root: folder.to_owned(),
            files: Arc::clone(files),
            waiting: vec![(folder.to_owned(), true)],
        }
    }

    /// Appends the content of a folder, or returns the reason why it is not read.
    fn enter(&mut self, folder: &Path) -> Result<(), Option<ReadError>> {
        if let Ok(below) = folder.strip_prefix(&self.root)
            && !below.as_os_str().is_empty()
        {
            match self
                .walk
                .descent(below, || self.files.is_dir(&folder.join("cur")))
            {
                Descent::Entered => {}
                Descent::Excluded => return Err(None),
                Descent::Skipped(what) => return Err(Some(skipped_error(folder, what))),
            }
        }
        let names = self.files.list(folder);
        let mut names = names.map_err(|error| Some(unread(folder, error)))?;
        names.sort_by(|a, b| Reverse(&a.name).cmp(&Reverse(&b.name)));
        let entries = names.iter();
        self.waiting.extend(entries.map(|entry| {
            let is_folder = entry.kind == EntryKind::Directory;
            (folder.join(&entry.name), is_folder)
        }));
        Ok(())
    }
}

impl Iterator for StoreFiles {
    type Item = Result<PathBuf, ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let (path, is_folder) = self.waiting.pop()?;
            if is_folder {
                if let Err(Some(error)) = self.enter(&path) {
                    return Some(Err(error));
                }
                continue;
            }
            if self
                .walk
                .takes_file(path.strip_prefix(&self.root).unwrap_or(&path))
            {
                return Some(Ok(path));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Inputs, Opening};
    use baseref_files::{ReadSeek, Store};
    use std::ffi::OsString;
    use std::fs;
    use std::io;

    /// A folder of the file system, passed in as a store.
    #[derive(Debug)]
    struct Below(PathBuf);

    impl Store for Below {
        fn open(&self, path: &Path) -> io::Result<(Box<dyn ReadSeek + Send>, u64)> {
            let bytes = fs::read(self.0.join(path))?;
            let size = bytes.len() as u64;
            Ok((Box::new(io::Cursor::new(bytes)), size))
        }

        fn list(&self, folder: &Path) -> io::Result<Vec<(OsString, bool)>> {
            fs::read_dir(self.0.join(folder))?
                .map(|entry| {
                    Ok((
                        entry.as_ref().unwrap().file_name(),
                        entry?.file_type()?.is_dir(),
                    ))
                })
                .collect()
        }

        fn is_folder(&self, path: &Path) -> Option<bool> {
            fs::metadata(self.0.join(path))
                .ok()
                .map(|data| data.is_dir())
        }
    }

    /// The paths below `site`, and the errors in their place.
    fn walked(named: &Path, walk: &Walk, files: Arc<Files>) -> Vec<String> {
        let opening = Arc::new(Opening {
            files,
            ..Opening::default()
        });
        let top = named.parent().unwrap_or(Path::new("")).to_owned();
        let inputs = Inputs::new(vec![named.to_owned()], walk.clone(), opening);
        inputs
            .map(|input| match input {
                Ok(input) => {
                    let path = input
                        .path()
                        .strip_prefix(&top)
                        .expect("the file is below the folder");
                    path.to_string_lossy().into_owned()
                }
                Err(error) => error.reason.into(),
            })
            .collect()
    }

    #[test]
    fn stored_folder_walked() {
        let folder = tempfile::tempdir().unwrap();
        let site = folder.path().join("site");
        for name in [
            "b.html",
            "a/z.html",
            "a/b/c.html",
            "a.html",
            ".hidden/d.html",
            ".Sent/cur/1",
            "hts-cache/new.txt",
            "left/e.html",
            "a/b.txt",
        ] {
            let path = site.join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "<p>").unwrap();
        }
        for (hidden, patterns) in [
            (false, vec![]),
            (true, vec![]),
            (false, vec!["!left".to_owned(), "*.html".to_owned()]),
        ] {
            let walk = Walk::new(hidden, false, &patterns).unwrap();
            let store = Files::from_store(Arc::new(Below(folder.path().to_owned())));
            let of_store = walked(Path::new("site"), &walk, store);
            assert_eq!(
                of_store,
                walked(&site, &walk, Arc::default()),
                "{patterns:?}"
            );
            assert!(of_store.len() > 3, "{of_store:?}");
        }
    }
}
