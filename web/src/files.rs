//! The files that were chosen, read in pieces.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use baseref_files::{ReadSeek, Store};

use crate::request::File;

/// How many bytes are asked for at once: each piece is a call to the browser.
const PIECE: usize = 1 << 20;

/// Reads files, each known by its number.
pub trait Pieces: Send + Sync {
    /// Reads bytes from `from` on into `piece`, and says how many: all of them, unless the file ends.
    ///
    /// # Errors
    /// If the file can no longer be read.
    fn read(&self, file: u32, from: u64, piece: &mut [u8]) -> io::Result<usize>;
}

/// The chosen files by their paths, and the folders that they are in.
pub struct Chosen {
    files: BTreeMap<PathBuf, (u32, u64)>,
    /// The names in each folder, with whether they are folders.
    folders: BTreeMap<PathBuf, BTreeMap<OsString, bool>>,
    pieces: Arc<dyn Pieces>,
}

impl std::fmt::Debug for Chosen {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Chosen({} files)", self.files.len())
    }
}

impl Chosen {
    /// The files in the order of their numbers.
    #[must_use]
    pub fn new(files: &[File], pieces: Arc<dyn Pieces>) -> Self {
        let mut folders: BTreeMap<PathBuf, BTreeMap<OsString, bool>> = BTreeMap::new();
        for file in files {
            let mut below = file.path.as_path();
            let mut is_folder = false;
            while let (Some(folder), Some(name)) = (below.parent(), below.file_name()) {
                let names = folders.entry(folder.to_owned()).or_default();
                let known = names.insert(name.to_owned(), is_folder);
                // What is above is known already.
                if known == Some(true) {
                    break;
                }
                below = folder;
                is_folder = true;
            }
        }
        let numbered = (0..).zip(files);
        Self {
            files: numbered
                .map(|(number, file)| (file.path.clone(), (number, file.size)))
                .collect(),
            folders,
            pieces,
        }
    }
}

impl Store for Chosen {
    fn open(&self, path: &Path) -> io::Result<(Box<dyn ReadSeek + Send>, u64)> {
        let (file, size) = *self.files.get(path).ok_or(io::ErrorKind::NotFound)?;
        let reader = Reader {
            pieces: Arc::clone(&self.pieces),
            file,
            size,
            at: 0,
            start: 0,
            piece: Vec::new(),
        };
        Ok((Box::new(reader), size))
    }

    fn list(&self, folder: &Path) -> io::Result<Vec<(OsString, bool)>> {
        let names = self.folders.get(folder).ok_or(io::ErrorKind::NotFound)?;
        let names = names.iter();
        Ok(names.map(|(name, is)| (name.clone(), *is)).collect())
    }

    fn is_folder(&self, path: &Path) -> Option<bool> {
        if self.files.contains_key(path) {
            return Some(false);
        }
        self.folders.contains_key(path).then_some(true)
    }
}

/// An open file, with one piece of it in memory.
struct Reader {
    pieces: Arc<dyn Pieces>,
    file: u32,
    size: u64,
    /// Where reading goes on.
    at: u64,
    /// Where the piece begins.
    start: u64,
    piece: Vec<u8>,
}

impl Reader {
    /// The bytes at hand from where reading goes on.
    fn at_hand(&mut self) -> io::Result<&[u8]> {
        let end = self.start + self.piece.len() as u64;
        if !(self.start..end).contains(&self.at) {
            let rest = usize::try_from(self.size.saturating_sub(self.at)).unwrap_or(usize::MAX);
            self.start = self.at;
            self.piece.resize(rest.min(PIECE), 0);
            let read = self.pieces.read(self.file, self.at, &mut self.piece);
            let read = read.inspect_err(|_| self.piece.clear())?;
            self.piece.truncate(read);
        }
        let from = usize::try_from(self.at - self.start).unwrap_or(usize::MAX);
        Ok(self.piece.get(from..).unwrap_or_default())
    }
}

impl Read for Reader {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.at_hand()?.read(buffer)?;
        self.at += read as u64;
        Ok(read)
    }
}

impl Seek for Reader {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let at = match to {
            SeekFrom::Start(at) => Some(at),
            SeekFrom::Current(by) => self.at.checked_add_signed(by),
            SeekFrom::End(by) => self.size.checked_add_signed(by),
        };
        self.at = at.ok_or(io::ErrorKind::InvalidInput)?;
        Ok(self.at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Files that are in memory; one that is empty cannot be read.
    struct InMemory(Vec<Vec<u8>>);

    impl Pieces for InMemory {
        fn read(&self, file: u32, from: u64, piece: &mut [u8]) -> io::Result<usize> {
            let bytes = &self.0[file as usize];
            if bytes.is_empty() {
                return Err(io::Error::other("gone"));
            }
            let from = usize::try_from(from).expect("the file is small");
            bytes.get(from..).unwrap_or_default().read(piece)
        }
    }

    fn chosen(files: &[(&str, &[u8], u64)]) -> Chosen {
        let named = files.iter().map(|(path, _, size)| File {
            path: path.into(),
            size: *size,
        });
        let named: Vec<File> = named.collect();
        let bytes = files.iter().map(|(_, bytes, _)| bytes.to_vec()).collect();
        Chosen::new(&named, Arc::new(InMemory(bytes)))
    }

    #[test]
    fn file_read_across_pieces() {
        let bytes: Vec<u8> = (0..=u8::MAX).cycle().take(PIECE * 2 + 100).collect();
        let files = chosen(&[("a", &bytes, bytes.len() as u64)]);
        let (mut reader, size) = files.open(Path::new("a")).expect("the file is opened");
        let mut read = Vec::new();
        reader
            .read_to_end(&mut read)
            .expect("the file is read to its end");
        assert!(read == bytes && size == bytes.len() as u64);
        reader.seek(SeekFrom::End(-50)).expect("the reader seeks");
        read.clear();
        reader
            .read_to_end(&mut read)
            .expect("the file is read to its end");
        assert_eq!(read, bytes[bytes.len() - 50..]);
        assert_eq!(
            reader
                .seek(SeekFrom::Current(10))
                .expect("the reader seeks"),
            size + 10
        );
        assert_eq!(
            reader
                .read(&mut [0; 9])
                .expect("reading at the end succeeds"),
            0
        );
    }

    #[test]
    fn missing_and_shortened_file() {
        let files = chosen(&[("gone", b"", 5), ("shorter", b"abc", 5)]);
        let (mut reader, _) = files.open(Path::new("gone")).expect("the file is opened");
        assert!(reader.read(&mut [0; 9]).is_err() && reader.read(&mut [0; 9]).is_err());
        let (mut reader, _) = files
            .open(Path::new("shorter"))
            .expect("the file is opened");
        let mut text = String::new();
        reader.read_to_string(&mut text).expect("the file is UTF-8");
        assert_eq!(text, "abc");
        assert!(files.open(Path::new("none")).is_err());
    }

    #[test]
    fn folders_from_file_paths() {
        let files = chosen(&[
            ("s/a/b.html", b"x", 1),
            ("s/a.html", b"x", 1),
            ("c", b"x", 1),
        ]);
        let names = |folder: &str| files.list(Path::new(folder)).expect("the folder is listed");
        assert_eq!(names("s"), [("a".into(), true), ("a.html".into(), false)]);
        assert_eq!(names(""), [("c".into(), false), ("s".into(), true)]);
        assert_eq!(files.is_folder(Path::new("s/a")), Some(true));
        assert_eq!(files.is_folder(Path::new("s/a.html")), Some(false));
        assert_eq!(files.is_folder(Path::new("x")), None);
    }
}
