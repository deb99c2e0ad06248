//! The names below a directory, read once.

mod names;

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::ffi::OsStr;
use std::fmt;
use std::io;
use std::path::{Component, Path, PathBuf};
use std::sync::OnceLock;

pub use super::directories::{Directories, FileSystem, Following, Listed, NodeKind};
use super::near::{NameIndex, NameKind};
use super::spelling::{Spelling, in_charset};
use baseref_resolve::spelling::{fold_case, nfc};
use encoding_rs::Encoding;

/// The longest chain of symbolic links that is followed.
const LINK_HOPS: usize = 40;

/// A file of a [`Tree`], 0-based in byte order of paths.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FileId(u32);

impl FileId {
    /// The index of the file: less than [`Tree::file_count`].
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// A directory of a [`Tree`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DirectoryId(u32);

impl DirectoryId {
    const fn index(self) -> usize {
        self.0 as usize
    }
}

/// An entry of the tree, after following symbolic links.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Node {
    /// A file.
    File(FileId),
    /// A directory.
    Directory(DirectoryId),
    /// A symbolic link out of the tree.
    Outside,
    /// A dangling or circular symbolic link.
    Dangling,
    /// A pipe, a socket or a device.
    Special,
}

/// A name of a file in a tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedFile {
    /// Its path, relative to the root.
    pub path: PathBuf,
    /// The file: symbolic links have the one that they lead to.
    pub file: FileId,
    /// The path of the same file in the same directory by which the file is known, if this is another
    /// one: the target of a symbolic link, or the first of its hard links.
    pub known_as: Option<PathBuf>,
}

/// A directory that could not be listed.
#[derive(Debug)]
pub struct UnlistedDirectory {
    /// Its path, including the path of the tree's root.
    pub path: PathBuf,
    /// Why.
    pub error: io::Error,
}

impl fmt::Display for UnlistedDirectory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.path.display(), self.error)
    }
}

/// The names below a directory.
#[derive(Debug)]
pub struct Tree {
    root: PathBuf,
    directories: Vec<Directory>,
    /// The directory of each file, and its index in that directory.
    files: Vec<(DirectoryId, u32)>,
    unlisted: Vec<UnlistedDirectory>,
    /// The files with a hard link earlier in their directory, and the index of the first one there.
    hard_links: HashMap<(DirectoryId, u32), u32>,
    by_name: OnceLock<HashMap<Box<[u8]>, UniqueFile>>,
}

/// The only file with a name, or a marker that there are several.
#[derive(Clone, Copy, Debug)]
enum UniqueFile {
    One(FileId),
    Several,
}

#[derive(Debug)]
struct Directory {
    parent: DirectoryId,
    /// Its index in its parent.
    place: u32,
    /// In byte order of names; empty if it could not be listed.
    entries: Vec<Entry>,
    is_unlisted: bool,
    /// The entries by other spellings, built when a name is missing for the first time.
    spellings: OnceLock<Spellings>,
    /// The index for suggestions among the files of the directory, built on first use, and their ids.
    near: OnceLock<(NameIndex, Vec<FileId>)>,
}

/// The index of the first entry with each spelling.
#[derive(Debug)]
struct Spellings {
    /// Entries whose names are not normalized, by their normalized names.
    normalized: HashMap<String, u32>,
    /// Entries by case-folded names.
    folded: HashMap<String, u32>,
}

#[derive(Debug)]
struct Entry {
    /// The [`beginning`] of its name. Searches rarely need the name itself, which is elsewhere in
    /// memory.
    beginning: u64,
    name: Box<[u8]>,
    node: Node,
}

const ROOT: DirectoryId = DirectoryId(0);

impl Tree {
    /// Reads the names below `root`. A directory below it that cannot be read is listed in
    /// [`Tree::unlisted`] and treated as empty.
    ///
    /// # Errors
    /// If `root` itself cannot be read, or there are more than four billion files.
    pub fn read(root: &Path, reader: &dyn Directories) -> io::Result<Self> {
        let mut tree = Self {
            root: root.to_owned(),
            directories: vec![Directory::below(ROOT, 0)],
            files: Vec::new(),
            unlisted: Vec::new(),
            hard_links: HashMap::new(),
            by_name: OnceLock::new(),
        };
        let mut links = Vec::new();
        let mut listed = reader.list(root)?;
        let mut waiting = Vec::new();
        let mut directory = ROOT;
        loop {
            tree.fill(directory, listed, &mut links, &mut waiting)?;
            let Some(next) = waiting.pop() else { break };
            directory = next;
            listed = tree.list(directory, reader);
        }
        tree.number_files()?;
        tree.follow_links(&links, reader);
        Ok(tree)
    }

    /// The tree of files with these paths below `root`, in any order, with slashes between names. A
    /// path with an empty or dot segment matches no file; if a name belongs to a file and a directory,
    /// the directory wins. Directories beyond the first million are listed in [`Tree::unlisted`].
    #[must_use]
    pub fn from_paths<'p>(root: &Path, paths: impl IntoIterator<Item = &'p [u8]>) -> Self {
        let mut named = DirectoryNames::default();
        for path in paths {
            named.add(path);
        }
        let mut tree = Self {
            root: root.to_owned(),
            directories: Vec::with_capacity(named.directories.len()),
            files: Vec::new(),
            unlisted: Vec::new(),
            hard_links: HashMap::new(),
            by_name: OnceLock::new(),
        };
        let mut places = vec![(ROOT, 0); named.directories.len()];
        for (id, entries) in (0..).zip(&named.directories) {
            let mut directory = Directory::below(places[id as usize].0, places[id as usize].1);
            for (place, (name, below)) in (0..).zip(entries) {
                let node = match below {
                    None => Node::File(FileId(u32::MAX)),
                    Some(below) => {
                        places[below.index()] = (DirectoryId(id), place);
                        Node::Directory(*below)
                    }
                };
                directory.entries.push(Entry {
                    beginning: beginning(name),
                    name: (*name).into(),
                    node,
                });
            }
            tree.directories.push(directory);
        }
        let left_out = (named.left_out > 0).then(|| {
            let left_out = named.left_out;
            io::Error::other(format!(
                "{left_out} files are in too many folders to be listed"
            ))
        });
        let errors = tree.number_files().err().into_iter().chain(left_out);
        let unlisted = errors.map(|error| UnlistedDirectory {
            path: root.to_owned(),
            error,
        });
        tree.unlisted.extend(unlisted);
        tree
    }

    fn list(&mut self, directory: DirectoryId, reader: &dyn Directories) -> Vec<Listed> {
        let path = self.root.join(self.directory_path(directory));
        reader.list(&path).unwrap_or_else(|error| {
            self.directories[directory.index()].is_unlisted = true;
            self.unlisted.push(UnlistedDirectory { path, error });
            Vec::new()
        })
    }

    fn fill(
        &mut self,
        directory: DirectoryId,
        mut listed: Vec<Listed>,
        links: &mut Vec<(DirectoryId, u32, PathBuf)>,
        waiting: &mut Vec<DirectoryId>,
    ) -> io::Result<()> {
        listed.sort_by(|a, b| a.name.cmp(&b.name));
        let mut entries = Vec::with_capacity(listed.len());
        let first = self.directories.len();
        self.find_hard_links(directory, &listed)?;
        for Listed { name, kind, .. } in listed {
            let place = number(entries.len())?;
            let node = match kind {
                // Files are numbered once all are known.
                NodeKind::File => Node::File(FileId(u32::MAX)),
                NodeKind::Special => Node::Special,
                NodeKind::Link(target) => {
                    links.push((directory, place, target));
                    Node::Dangling
                }
                NodeKind::Directory => {
                    let id = DirectoryId(number(self.directories.len())?);
                    self.directories.push(Directory::below(directory, place));
                    Node::Directory(id)
                }
            };
            let name = name.as_encoded_bytes();
            entries.push(Entry {
                beginning: beginning(name),
                name: name.into(),
                node,
            });
        }
        // The first name must be on top of the stack.
        for id in (first..self.directories.len()).rev() {
            waiting.push(DirectoryId(number(id)?));
        }
        self.directories[directory.index()].entries = entries;
        Ok(())
    }

    /// Numbers the files in byte order of paths, and records their positions.
    fn number_files(&mut self) -> io::Result<()> {
        let mut stack = vec![(ROOT, 0)];
        while let Some((directory, place)) = stack.pop() {
            let entries = &mut self.directories[directory.index()].entries;
            let Some(entry) = entries.get_mut(place) else {
                continue;
            };
            stack.push((directory, place + 1));
            match &mut entry.node {
                Node::File(id) => {
                    *id = FileId(number(self.files.len())?);
                    self.files.push((directory, number(place)?));
                }
                Node::Directory(below) => stack.push((*below, 0)),
                Node::Outside | Node::Dangling | Node::Special => {}
            }
        }
        Ok(())
    }

    /// Replaces each link with its target. All targets are looked up before any link is replaced, so
    /// the order does not matter.
    fn follow_links(&mut self, links: &[(DirectoryId, u32, PathBuf)], reader: &dyn Directories) {
        let targets: HashMap<(DirectoryId, u32), &Path> = links
            .iter()
            .map(|(directory, place, target)| ((*directory, *place), target.as_path()))
            .collect();
        let roots = [
            reader.canonical(&self.root).ok(),
            std::path::absolute(&self.root).ok(),
        ];
        let nodes: Vec<Node> = links
            .iter()
            .map(|(directory, place, target)| {
                let node = self.follow(*directory, target, &targets, &roots);
                let is_dangling = node == Node::Outside
                    && !reader.leads_somewhere(&self.path_of(*directory, *place));
                if is_dangling { Node::Dangling } else { node }
            })
            .collect();
        for ((directory, place, _), node) in links.iter().zip(nodes) {
            self.directories[directory.index()].entries[*place as usize].node = node;
        }
    }

    /// The path of an entry, with the path of the root.
    fn path_of(&self, directory: DirectoryId, place: u32) -> PathBuf {
        let name = &self.directories[directory.index()].entries[place as usize].name;
        let folder = self.root.join(self.directory_path(directory));
        folder.join(os_name(name))
    }

    /// The target of a link in `directory`.
    fn follow(
        &self,
        directory: DirectoryId,
        target: &Path,
        links: &HashMap<(DirectoryId, u32), &Path>,
        roots: &[Option<PathBuf>],
    ) -> Node {
        let mut node = Node::Directory(directory);
        // The number of directories above the root that the path has climbed.
        let mut above = 0_usize;
        let mut steps = VecDeque::new();
        if !push_steps(target, roots, &mut steps) {
            return Node::Outside;
        }
        let mut hops = 0;
        while let Some(step) = steps.pop_front() {
            let Node::Directory(here) = node else {
                return Node::Dangling;
            };
            let name = match step {
                Step::Root => {
                    (node, above) = (Node::Directory(ROOT), 0);
                    continue;
                }
                Step::Parent if here == ROOT => {
                    above += 1;
                    continue;
                }
                Step::Parent => {
                    node = Node::Directory(self.directories[here.index()].parent);
                    continue;
                }
                Step::Name(name) if above > 0 => {
                    if !leads_back(name, above, roots) {
                        return Node::Outside;
                    }
                    above -= 1;
                    continue;
                }
                Step::Name(name) => name,
            };
            let Some(place) = self.place(here, name.as_encoded_bytes()) else {
                return Node::Dangling;
            };
            match links.get(&(here, place)) {
                None => node = self.directories[here.index()].entries[place as usize].node,
                Some(_) if hops == LINK_HOPS => return Node::Dangling,
                Some(target) => {
                    hops += 1;
                    let mut further = VecDeque::new();
                    if !push_steps(target, roots, &mut further) {
                        return Node::Outside;
                    }
                    further.append(&mut steps);
                    steps = further;
                }
            }
        }
        if above > 0 { Node::Outside } else { node }
    }

    /// The root directory.
    #[must_use]
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The directories that could not be read.
    #[must_use]
    pub fn unlisted(&self) -> &[UnlistedDirectory] {
        &self.unlisted
    }

    /// Whether a directory could not be listed, so that what is in it is not known.
    #[must_use]
    pub fn is_unlisted(&self, directory: DirectoryId) -> bool {
        let directory = self.directories.get(directory.index());
        directory.is_some_and(|directory| directory.is_unlisted)
    }

    /// The root, as a directory of the tree.
    #[must_use]
    pub const fn top(&self) -> DirectoryId {
        ROOT
    }

    /// The parent of a directory; for the root, the root itself.
    #[must_use]
    pub fn parent(&self, directory: DirectoryId) -> DirectoryId {
        self.directories[directory.index()].parent
    }

    /// The number of files, not counting links to files.
    #[must_use]
    pub fn file_count(&self) -> usize {
        self.files.len()
    }

    /// All files, in byte order of paths.
    pub fn files(&self) -> impl ExactSizeIterator<Item = FileId> + use<> {
        // Ids exist for all numbered files.
        (0..u32::try_from(self.files.len()).unwrap_or(u32::MAX)).map(FileId)
    }

    /// The name of a file, without its directories.
    #[must_use]
    pub fn file_name(&self, file: FileId) -> &[u8] {
        let (directory, place) = self.files[file.index()];
        &self.directories[directory.index()].entries[place as usize].name
    }

    /// The directory of a file.
    #[must_use]
    pub fn directory_of(&self, file: FileId) -> DirectoryId {
        self.files[file.index()].0
    }

    /// The names on the path from the root to a file, excluding the root's own.
    #[must_use]
    pub fn names_of(&self, file: FileId) -> Vec<&[u8]> {
        let mut names = self.directory_names(self.directory_of(file));
        names.push(self.file_name(file));
        names
    }

    /// The names on the path from the root to a directory, excluding the root's own.
    #[must_use]
    pub fn directory_names(&self, directory: DirectoryId) -> Vec<&[u8]> {
        let mut names = Vec::new();
        let mut at = directory;
        while at != ROOT {
            let Directory { parent, place, .. } = self.directories[at.index()];
            names.push(&*self.directories[parent.index()].entries[place as usize].name);
            at = parent;
        }
        names.reverse();
        names
    }

    /// The path of a file below the root.
    #[must_use]
    pub fn file_path(&self, file: FileId) -> PathBuf {
        self.names_of(file).into_iter().map(os_name).collect()
    }

    fn directory_path(&self, directory: DirectoryId) -> PathBuf {
        let names = self.directory_names(directory);
        names.into_iter().map(os_name).collect()
    }

    /// The file at a path below the root, by an exact comparison of bytes.
    #[must_use]
    pub fn file_at(&self, below: &Path) -> Option<FileId> {
        let mut node = Node::Directory(ROOT);
        for component in below.components() {
            let (Node::Directory(directory), Component::Normal(name)) = (node, component) else {
                return None;
            };
            node = self.exact(directory, name.as_encoded_bytes())?;
        }
        match node {
            Node::File(file) => Some(file),
            _ => None,
        }
    }

    /// The entry `name` of a directory, by an exact comparison of bytes.
    #[must_use]
    pub fn exact(&self, directory: DirectoryId, name: &[u8]) -> Option<Node> {
        let place = self.place(directory, name)?;
        Some(self.directories[directory.index()].entries[place as usize].node)
    }

    fn place(&self, directory: DirectoryId, name: &[u8]) -> Option<u32> {
        let entries = &self.directories[directory.index()].entries;
        let start = beginning(name);
        let place = entries.binary_search_by(|entry| {
            let order = entry.beginning.cmp(&start);
            order.then_with(|| (*entry.name).cmp(name))
        });
        place.ok().and_then(|place| u32::try_from(place).ok())
    }

    /// The entry of a directory whose spelling is closest to `name`.
    ///
    /// `encoding` is the encoding of the document that contains the name.
    #[must_use]
    pub fn closest(
        &self,
        directory: DirectoryId,
        name: &[u8],
        encoding: &'static Encoding,
    ) -> Option<(Node, Spelling)> {
        if let Some(node) = self.exact(directory, name) {
            return Some((node, Spelling::Exact));
        }
        let here = &self.directories[directory.index()];
        let spellings = here.spellings.get_or_init(|| here.spellings());
        let text = std::str::from_utf8(name).ok().map(nfc);
        let in_charset = in_charset(name, encoding);
        let candidates = [
            (text.as_deref(), Spelling::Unicode),
            (in_charset.as_deref(), Spelling::Charset),
        ];
        let mut case = None;
        for (text, spelling) in candidates {
            let Some(text) = text else { continue };
            let denormal = spellings.normalized.get(text).copied();
            let normal = self.place(directory, text.as_bytes());
            let place = [denormal, normal].into_iter().flatten().min();
            let node = |place: u32| here.entries[place as usize].node;
            if let Some(place) = place {
                return Some((node(place), spelling));
            }
            if case.is_none() {
                let place = spellings.folded.get(&fold_case(text));
                case = place.map(|place| (node(*place), Spelling::Case));
            }
        }
        case
    }

    /// The file with exactly this name, if the tree has only one.
    #[must_use]
    pub fn only_file_named(&self, name: &[u8]) -> Option<FileId> {
        let by_name = self.by_name.get_or_init(|| {
            let mut by_name = HashMap::new();
            for file in self.files() {
                by_name
                    .entry(self.file_name(file).into())
                    .and_modify(|only| *only = UniqueFile::Several)
                    .or_insert(UniqueFile::One(file));
            }
            by_name
        });
        match by_name.get(name)? {
            UniqueFile::One(file) => Some(*file),
            UniqueFile::Several => None,
        }
    }

    /// The files of a directory that `name` may be a misspelling of, most likely first.
    pub(super) fn nearly(
        &self,
        directory: DirectoryId,
        name: &str,
    ) -> impl Iterator<Item = FileId> {
        let here = &self.directories[directory.index()];
        let (near, files) = here.near.get_or_init(|| here.near());
        near.find(name).into_iter().map(|hit| files[hit.number])
    }

    /// The entries of a directory, in byte order of names.
    pub fn entries(&self, directory: DirectoryId) -> impl ExactSizeIterator<Item = (&[u8], Node)> {
        let entries = &self.directories[directory.index()].entries;
        entries.iter().map(|entry| (&*entry.name, entry.node))
    }
}

/// Directories built from paths: the names in each directory and, for those that are directories, their
/// indices.
#[derive(Debug)]
struct DirectoryNames<'p> {
    directories: Vec<BTreeMap<&'p [u8], Option<DirectoryId>>>,
    /// The number of files beyond the limit.
    left_out: u64,
}

impl Default for DirectoryNames<'_> {
    fn default() -> Self {
        Self {
            directories: vec![BTreeMap::new()],
            left_out: 0,
        }
    }
}

impl<'p> DirectoryNames<'p> {
    /// A path needs only two bytes per directory, which takes a hundred times as much memory.
    const MOST: usize = 1 << 20;

    fn add(&mut self, path: &'p [u8]) {
        let is_name = |name: &[u8]| !matches!(name, b"" | b"." | b"..");
        if !path.split(|&byte| byte == b'/').all(is_name) {
            return;
        }
        let mut names = path.split(|&byte| byte == b'/').peekable();
        let mut here = ROOT;
        while let Some(name) = names.next() {
            let next = DirectoryId(u32::try_from(self.directories.len()).unwrap_or(u32::MAX));
            let entries = &mut self.directories[here.index()];
            if names.peek().is_none() {
                entries.entry(name).or_insert(None);
                return;
            }
            match entries.get(name) {
                Some(Some(below)) => here = *below,
                Some(None) | None if next.index() >= Self::MOST => {
                    self.left_out += 1;
                    return;
                }
                Some(None) | None => {
                    entries.insert(name, Some(next));
                    self.directories.push(BTreeMap::new());
                    here = next;
                }
            }
        }
    }
}

impl Directory {
    /// Whether this directory is the entry of `parent` itself rather than the target of a link.
    fn is_at(&self, parent: DirectoryId, place: usize) -> bool {
        self.parent == parent && self.place as usize == place
    }

    fn below(parent: DirectoryId, place: u32) -> Self {
        Self {
            parent,
            place,
            entries: Vec::new(),
            is_unlisted: false,
            spellings: OnceLock::new(),
            near: OnceLock::new(),
        }
    }

    fn spellings(&self) -> Spellings {
        let mut spellings = Spellings {
            normalized: HashMap::new(),
            folded: HashMap::with_capacity(self.entries.len()),
        };
        for (place, entry) in (0_u32..).zip(&self.entries) {
            let Some(name) = entry.text() else { continue };
            spellings.folded.entry(fold_case(name)).or_insert(place);
            let normalized = nfc(name);
            if normalized != name {
                let normalized = normalized.into_owned();
                spellings.normalized.entry(normalized).or_insert(place);
            }
        }
        spellings
    }

    fn near(&self) -> (NameIndex, Vec<FileId>) {
        let files = || {
            self.entries.iter().filter_map(|entry| match entry.node {
                Node::File(file) => Some((entry.text()?, file)),
                _ => None,
            })
        };
        let near = NameIndex::new(NameKind::Files, files().map(|(name, _)| name));
        (near, files().map(|(_, file)| file).collect())
    }
}

/// The first eight bytes of a name as a number, which sorts as the names do.
fn beginning(name: &[u8]) -> u64 {
    let mut bytes = [0; 8];
    let length = name.len().min(bytes.len());
    bytes[..length].copy_from_slice(&name[..length]);
    u64::from_be_bytes(bytes)
}

impl Entry {
    fn text(&self) -> Option<&str> {
        std::str::from_utf8(&self.name).ok()
    }
}

/// A step of the path of a symbolic link.
enum Step<'p> {
    Root,
    Parent,
    Name(&'p OsStr),
}

/// Appends the steps of a link's path; returns `false` if the path is absolute and does not lead
/// through the root of the tree.
fn push_steps<'p>(
    target: &'p Path,
    roots: &[Option<PathBuf>],
    steps: &mut VecDeque<Step<'p>>,
) -> bool {
    let mut below = target;
    if target.is_absolute() {
        let found = roots
            .iter()
            .flatten()
            .find_map(|root| target.strip_prefix(root).ok());
        let Some(found) = found else { return false };
        below = found;
        steps.push_back(Step::Root);
    }
    for component in below.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir => steps.push_back(Step::Parent),
            Component::Normal(name) => steps.push_back(Step::Name(name)),
            Component::RootDir | Component::Prefix(_) => return false,
        }
    }
    true
}

/// Whether `name`, in the directory `above` levels above the root, leads back towards the root.
fn leads_back(name: &OsStr, above: usize, roots: &[Option<PathBuf>]) -> bool {
    let mut roots = roots.iter().flatten();
    roots.any(|root| root.components().nth_back(above - 1) == Some(Component::Normal(name)))
}

fn number(length: usize) -> io::Result<u32> {
    u32::try_from(length).map_err(|_| io::Error::other("more than four billion files"))
}

#[cfg(unix)]
fn os_name(name: &[u8]) -> &OsStr {
    std::os::unix::ffi::OsStrExt::from_bytes(name)
}

#[cfg(not(unix))]
fn os_name(name: &[u8]) -> std::ffi::OsString {
    String::from_utf8_lossy(name).into_owned().into()
}

#[cfg(test)]
mod tests;
