//! Sections for some requests: `<Directory>` by the folder on the disk, `<Files>` by the name of the
//! file, `<Location>` by the path of the URL, `<If>` and what follows it by an expression.
//!
//! Source: <https://httpd.apache.org/docs/2.4/sections.html>, "How the sections are merged".

use super::assignments::Variables;
use super::expression::Expression;
use super::section::{Inner, Section};
use super::variables::Values;
use crate::engine::pattern::{Groups, Pattern};
use crate::engine::work::{NoAnswer, Work};
use crate::request::merged_slashes;

/// All of them, in the order of their lines.
#[derive(Debug, Default)]
pub(super) struct Branches(Vec<Branch>);

#[derive(Debug)]
pub(super) struct Branch {
    pub(super) condition: Condition,
    /// The one that it is in.
    pub(super) outer: Option<usize>,
    /// The virtual host that it is in.
    pub(super) host: Option<usize>,
    pub(super) section: Section,
}

/// A folder on the disk, with a final slash.
#[derive(Debug)]
pub(super) struct Folder(String);

impl Folder {
    /// A folder, given without its final slash.
    pub(super) fn new(path: &str) -> Self {
        Self(format!("{path}/"))
    }

    fn path(&self) -> &str {
        &self.0[..self.0.len() - 1]
    }

    /// Its path below a root, with a slash at both ends.
    pub(super) fn below(&self, root: &str) -> Option<&str> {
        let below = self.0.strip_prefix(root)?;
        below.starts_with('/').then_some(below)
    }

    /// Whether a root is in it.
    pub(super) fn is_above(&self, root: &str) -> bool {
        root.starts_with(&self.0)
    }
}

/// The requests that a section is for.
#[derive(Debug)]
pub(super) enum Condition {
    /// A folder on the disk.
    Folder(Folder),
    /// Folders on the disk with names like this, and how many slashes the names have.
    Folders(Pattern, usize),
    /// `<DirectoryMatch>`: files on the disk with paths like this.
    Disk(Pattern),
    /// Files with a name like this.
    Name(Pattern),
    /// A path, and what is below it.
    Below(Vec<u8>),
    /// Paths like this.
    Path(Pattern),
    /// Paths like this, if repeated slashes are merged.
    Paths(Pattern),
    If(Expression),
    /// `<ElseIf>`, after the branch with this number.
    ElseIf(usize, Expression),
    Else(usize),
}

/// The request that sections are chosen for.
pub(super) struct Place<'p> {
    pub(super) values: &'p Values<'p>,
    /// The virtual host.
    pub(super) host: Option<usize>,
    /// `DocumentRoot`
    pub(super) root: Option<&'p str>,
    /// The path of the file below the root of the site; `None` before it is looked up, when only
    /// `<Location>` and `<If>` apply.
    pub(super) file: Option<&'p [u8]>,
}

/// What decides the order of sections: the kind, whether it is in the virtual host, and for
/// `<Directory>` the depth.
type Rank = (u8, bool, usize);

impl Condition {
    fn rank(&self, host: Option<usize>) -> Rank {
        let is_in_host = host.is_some();
        match self {
            Self::Folder(folder) => (0, false, folder.path().matches('/').count()),
            Self::Folders(_, depth) => (0, false, *depth),
            Self::Disk(_) => (1, is_in_host, 0),
            Self::Name(_) => (2, is_in_host, 0),
            Self::Below(_) | Self::Path(_) | Self::Paths(_) => (3, is_in_host, 0),
            Self::If(_) | Self::ElseIf(..) | Self::Else(_) => (4, is_in_host, 0),
        }
    }

    /// Whether it can be decided before the file is looked up.
    fn is_about_url(&self) -> bool {
        self.rank(None).0 >= 3
    }
}

/// Whether a section is for a request, and the groups of its pattern.
#[derive(Default)]
struct Found {
    is_for: bool,
    named: Vec<(String, Vec<u8>)>,
}

impl Found {
    fn new(is_for: bool) -> Self {
        Self {
            is_for,
            named: Vec::new(),
        }
    }

    fn from_groups(groups: Option<Groups>, text: &[u8]) -> Self {
        let Some(groups) = groups else {
            return Self::new(false);
        };
        let named = groups.names().iter().map(|(name, number)| {
            let name = format!("MATCH_{}", name.to_ascii_uppercase());
            (name, groups.get(*number, text).to_vec())
        });
        Self {
            is_for: true,
            named: named.collect(),
        }
    }
}

impl Branches {
    /// Adds a section, and returns its number.
    pub(super) fn add(&mut self, branch: Branch) -> usize {
        self.0.push(branch);
        self.0.len() - 1
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn get_mut(&mut self, number: usize) -> Option<&mut Section> {
        self.0.get_mut(number).map(|branch| &mut branch.section)
    }

    pub(super) fn sections_mut(&mut self) -> impl Iterator<Item = (Option<usize>, &mut Section)> {
        let all = self.0.iter_mut();
        all.map(|branch| (branch.host, &mut branch.section))
    }

    /// The sections that are for a request, those that take precedence last, and the variables that
    /// their patterns set.
    pub(super) fn active(
        &self,
        place: &Place<'_>,
        variables: &mut Variables,
        work: &Work,
    ) -> Result<Vec<Inner<'_>>, NoAnswer> {
        let folders = place.folders();
        let mut active: Vec<(Rank, Inner<'_>)> = Vec::new();
        // Whether each is for the request, and whether it or one that it follows is.
        let mut is_active: Vec<bool> = Vec::with_capacity(self.0.len());
        let mut has_held: Vec<bool> = Vec::with_capacity(self.0.len());
        for branch in &self.0 {
            let is_open = branch.host.is_none_or(|host| Some(host) == place.host);
            let is_decided = place.file.is_some() || branch.condition.is_about_url();
            let outer = branch.outer.and_then(|outer| is_active.get(outer));
            let may_be = is_open && is_decided && outer.copied().unwrap_or(true);
            let before = match branch.condition {
                Condition::ElseIf(number, _) | Condition::Else(number) => {
                    has_held.get(number).copied().unwrap_or_default()
                }
                _ => false,
            };
            let found = if may_be && !before {
                place.find(&branch.condition, &folders, work)?
            } else {
                Found::default()
            };
            let is_for = found.is_for;
            for (name, value) in found.named {
                variables.set(&name, Some(value));
            }
            is_active.push(is_for);
            has_held.push(is_for || before);
            if is_for {
                let mount = match &branch.condition {
                    Condition::Folder(folder) => folder.below(place.root.unwrap_or_default()),
                    _ => None,
                };
                let inner = Inner {
                    section: &branch.section,
                    mount: mount.filter(|_| place.root.is_some()),
                };
                active.push((branch.condition.rank(branch.host), inner));
            }
        }
        active.sort_by_key(|(rank, _)| *rank);
        Ok(active.into_iter().map(|(_, inner)| inner).collect())
    }
}

impl Place<'_> {
    /// The folders and the file on the disk that the path names, as far as they exist.
    fn folders(&self) -> Vec<Vec<u8>> {
        let (Some(root), Some(file)) = (self.root, self.file) else {
            return Vec::new();
        };
        let bare = file.strip_suffix(b"/").unwrap_or(file);
        let ends = memchr::memchr_iter(b'/', bare).skip(1);
        let ends = ends.chain([bare.len()]);
        let existing = ends.take_while(|end| self.values.files.kind(&bare[..*end]).is_some());
        let below = existing.filter(|end| *end > 0);
        let below = below.map(|end| [root.as_bytes(), &bare[..end]].concat());
        let root = root.as_bytes();
        let above = memchr::memchr_iter(b'/', root).skip(1);
        let above = above.chain([root.len()]).map(|end| root[..end].to_vec());
        above.chain(below).collect()
    }

    fn find(
        &self,
        condition: &Condition,
        folders: &[Vec<u8>],
        work: &Work,
    ) -> Result<Found, NoAnswer> {
        let values = self.values;
        work.take(1)?;
        Ok(match condition {
            Condition::Folder(folder) if folder.path().is_empty() => Found::new(true),
            // Where the site is on the disk is not known for this virtual host.
            Condition::Folder(_) | Condition::Folders(..) | Condition::Disk(_)
                if self.root.is_none() =>
            {
                return Err(NoAnswer);
            }
            Condition::Folder(folder) => {
                work.take(folders.len())?;
                let path = folder.path().as_bytes();
                Found::new(folders.iter().any(|folder| folder == path))
            }
            Condition::Folders(pattern, _) => {
                for folder in folders {
                    if pattern.find(folder, work)?.is_some() {
                        return Ok(Found::new(true));
                    }
                }
                Found::new(false)
            }
            Condition::Disk(pattern) => {
                let root = self.root.unwrap_or_default().as_bytes();
                let path = [root, self.file.unwrap_or_default()].concat();
                Found::from_groups(pattern.find(&path, work)?, &path)
            }
            Condition::Name(pattern) => {
                let name = values.filename.rsplit(|byte| *byte == b'/').next();
                let name = name.unwrap_or_default();
                Found::from_groups(pattern.find(name, work)?, name)
            }
            Condition::Below(path) => {
                let uri = merged_slashes(values.uri);
                let rest = uri.strip_prefix(path.as_slice());
                Found::new(rest.is_some_and(|rest| {
                    path.ends_with(b"/") || rest.first().is_none_or(|byte| *byte == b'/')
                }))
            }
            Condition::Path(pattern) => {
                Found::from_groups(pattern.find(values.uri, work)?, values.uri)
            }
            Condition::Paths(pattern) => {
                let uri = merged_slashes(values.uri);
                Found::new(pattern.find(&uri, work)?.is_some())
            }
            Condition::If(expression) | Condition::ElseIf(_, expression) => {
                Found::new(expression.holds(values, &mut None, work)?)
            }
            Condition::Else(_) => Found::new(true),
        })
    }
}
