//! The paths that the user names, directories walked, to inputs in a fixed order.

use std::collections::VecDeque;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use walkdir::WalkDir;

use super::retrieval::RetrievalUrls;
use crate::container::detect::Format;
use crate::container::input::{Input, Reader};
use crate::container::maildir;
use crate::document::Origin;
use crate::error::{ReadError, ReadErrorKind};

/// Where an input comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InputPath {
    path: PathBuf,
    /// The user named it, in contrast to one met in a directory.
    named: bool,
}

/// The inputs in the order in which their documents are printed.
pub struct Inputs {
    named: VecDeque<PathBuf>,
    walk: Option<walkdir::IntoIter>,
}

impl Inputs {
    /// The named paths in their order; the files below a directory stand in its place, in
    /// byte order of names.
    #[must_use]
    pub fn new(named: Vec<PathBuf>) -> Self {
        Self {
            named: named.into(),
            walk: None,
        }
    }

    /// How many bytes the files hold that the paths lead to, so far as that can be known.
    #[must_use]
    pub fn total_size(paths: &[PathBuf]) -> u64 {
        Self::new(paths.to_vec())
            .flatten()
            .filter_map(|input| input.path.metadata().ok())
            .map(|metadata| metadata.len())
            .sum()
    }
}

impl Iterator for Inputs {
    type Item = Result<InputPath, ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(walk) = &mut self.walk {
                for entry in walk {
                    match entry {
                        Ok(entry) if entry.file_type().is_file() => {
                            return Some(Ok(InputPath {
                                path: entry.into_path(),
                                named: false,
                            }));
                        }
                        // Directories come as their files do; a pipe or device met on the
                        // way was never meant.
                        Ok(_) => {}
                        Err(error) => return Some(Err(walk_error(&error))),
                    }
                }
                self.walk = None;
            }
            let path = self.named.pop_front()?;
            if path.as_os_str() != "-" && path.is_dir() {
                let walk = WalkDir::new(path).follow_links(true).sort_by_file_name();
                self.walk = Some(walk.into_iter());
                continue;
            }
            return Some(Ok(InputPath { path, named: true }));
        }
    }
}

impl InputPath {
    /// Opens the input.
    ///
    /// # Errors
    /// When the file cannot be opened.
    pub fn open(
        &self,
        format: Option<Format>,
        retrieval: &RetrievalUrls,
    ) -> Result<Input, ReadError> {
        let is_stdin = self.named && self.path.as_os_str() == "-";
        let (reader, size) = if is_stdin {
            (Reader::Stream(Box::new(io::stdin())), None)
        } else {
            let file = File::open(&self.path).map_err(|error| unread(&self.path, &error))?;
            let size = file.metadata().ok().map(|metadata| metadata.len());
            (Reader::File(file), size)
        };
        Ok(Input {
            name: self.path.to_string_lossy().into(),
            reader,
            size,
            format: format.or_else(|| maildir::is_file(&self.path).then_some(Format::Maildir)),
            format_of_name: Format::of_name(&self.path),
            named: self.named,
            declarations: retrieval.declarations((!is_stdin).then_some(self.path.as_path())),
        })
    }
}

/// The paths in a list: ended by NUL if there is one in it, else one a line.
#[must_use]
pub fn listed_paths(list: &[u8]) -> Vec<PathBuf> {
    let end = if list.contains(&0) { 0 } else { b'\n' };
    list.split(|&byte| byte == end)
        .map(|path| match path {
            [path @ .., b'\r'] if end == b'\n' => path,
            path => path,
        })
        .filter(|path| !path.is_empty())
        .map(path_of_bytes)
        .collect()
}

#[cfg(unix)]
fn path_of_bytes(bytes: &[u8]) -> PathBuf {
    let name: &std::ffi::OsStr = std::os::unix::ffi::OsStrExt::from_bytes(bytes);
    PathBuf::from(name)
}

#[cfg(not(unix))]
fn path_of_bytes(bytes: &[u8]) -> PathBuf {
    PathBuf::from(String::from_utf8_lossy(bytes).into_owned())
}

fn walk_error(error: &walkdir::Error) -> ReadError {
    let path = error.path().unwrap_or(Path::new(""));
    match (error.io_error(), error.loop_ancestor()) {
        (Some(cause), _) => unread(path, cause),
        (None, Some(ancestor)) => unread(
            path,
            &format!(
                "a link back to {}, which is read already",
                ancestor.display()
            ),
        ),
        (None, None) => unread(path, error),
    }
}

fn unread(path: &Path, reason: &dyn ToString) -> ReadError {
    let origin = Origin::of_input(Arc::from(path.to_string_lossy()));
    ReadError::new(ReadErrorKind::Io, origin, reason.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_of_paths_is_split_by_nul_if_it_has_one_else_by_lines() {
        let paths = |list: &str| -> Vec<String> {
            let paths = listed_paths(list.as_bytes());
            paths
                .iter()
                .map(|path| path.display().to_string())
                .collect()
        };
        assert_eq!(paths("a\r\nb c\n\nd"), ["a", "b c", "d"]);
        assert_eq!(paths("a\nb\0c\0"), ["a\nb", "c"]);
        assert_eq!(paths(""), [""; 0]);
    }
}
