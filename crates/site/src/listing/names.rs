//! The names of files in a tree: one file can have several, as hard links and symbolic links.

use std::io;
use std::path::PathBuf;

use super::{DirectoryId, FileId, Listed, NamedFile, Node, NodeKind, ROOT, Tree, number, os_name};

impl Tree {
    /// The paths, relative to the root, of every file and every link to a file, in byte order by
    /// name.
    pub fn paths(&self) -> impl Iterator<Item = PathBuf> {
        self.places()
            .map(|(directory, place, _)| self.path_below(directory, place))
    }

    /// Every file and every link to a file, in byte order by name.
    pub fn named_files(&self) -> impl Iterator<Item = NamedFile> {
        self.places().map(|(directory, place, file)| NamedFile {
            path: self.path_below(directory, place),
            file,
            known_as: self
                .known_place(directory, place)
                .map(|known| self.path_below(directory, known)),
        })
    }

    /// The directory and index of every file and every link to a file, and the file, in byte order of their
    /// paths.
    fn places(&self) -> impl Iterator<Item = (DirectoryId, usize, FileId)> {
        let mut stack = vec![(ROOT, 0)];
        std::iter::from_fn(move || {
            loop {
                let (directory, place) = stack.pop()?;
                let here = &self.directories[directory.index()];
                let Some(entry) = here.entries.get(place) else {
                    continue;
                };
                stack.push((directory, place + 1));
                match entry.node {
                    Node::File(file) => return Some((directory, place, file)),
                    // A link to a directory is not followed: its files are listed elsewhere.
                    Node::Directory(below)
                        if self.directories[below.index()].is_at(directory, place) =>
                    {
                        stack.push((below, 0));
                    }
                    _ => {}
                }
            }
        })
    }

    fn path_below(&self, directory: DirectoryId, place: usize) -> PathBuf {
        let mut path = self.directory_path(directory);
        path.push(os_name(
            &self.directories[directory.index()].entries[place].name,
        ));
        path
    }

    /// The index by which a file is known in its directory, if it is another one.
    fn known_place(&self, directory: DirectoryId, place: usize) -> Option<usize> {
        let Node::File(file) = self.directories[directory.index()].entries[place].node else {
            return None;
        };
        let (own_directory, own_place) = self.files[file.index()];
        let first = self.hard_links.get(&(own_directory, own_place));
        let known = *first.unwrap_or(&own_place) as usize;
        (own_directory == directory && known != place).then_some(known)
    }

    /// Records which files of a directory, whose entries are in order, are hard links of an earlier one.
    pub(super) fn find_hard_links(
        &mut self,
        directory: DirectoryId,
        listed: &[Listed],
    ) -> io::Result<()> {
        let mut inodes = Vec::with_capacity(listed.len());
        for (place, entry) in listed.iter().enumerate() {
            if let (NodeKind::File, Some(inode)) = (&entry.kind, entry.inode) {
                inodes.push((inode, number(place)?));
            }
        }
        inodes.sort_unstable();
        for links in inodes.chunk_by(|(one, _), (other, _)| one == other) {
            if let [(_, first), others @ ..] = links {
                let others = others
                    .iter()
                    .map(|(_, place)| ((directory, *place), *first));
                self.hard_links.extend(others);
            }
        }
        Ok(())
    }
}
