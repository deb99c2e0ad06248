//! Looks for the files beside a configuration that its directives name.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use crate::engine::glob;
use crate::engine::pattern::Pattern;
use crate::engine::work::Work;
use crate::included::{
    Found, Included, IncludedFile, MAX_DEPTH, MAX_INCLUDED, Wanted, has_wildcard,
};
use crate::rule::RuleParser;

/// The maximum number of files that a configuration includes.
const MAX_FILES: usize = 256;
/// The maximum number of folders that are listed: names may have wildcards, and links may lead back.
const MAX_FOLDERS: usize = 4_096;

/// The folder of a configuration.
pub(crate) trait Beside {
    /// The names in a folder below it, sorted, each with whether it is a folder; `None` if there is no
    /// such folder, or it cannot be listed. The path is empty, or ends in a slash.
    fn list(&self, folder: &str) -> Option<Vec<(String, bool)>>;

    /// The text of a file below it; `None` if it cannot be read.
    fn text(&self, name: &str) -> Option<String>;
}

/// What files of a configuration are named by, and what for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Includes {
    /// What directives name that has not been looked for yet.
    pub(crate) wanted: fn(&str, &Included) -> Vec<Wanted>,
    /// The folders that names are relative to, in the order in which they are tried.
    pub(crate) folders: &'static [&'static str],
    /// Whether the name of a folder stands for all files in it.
    pub(crate) enters_folders: bool,
}

/// Reads the files that a configuration names, and those that these name.
pub(crate) fn gather(text: &str, includes: &Includes, beside: &dyn Beside) -> Included {
    let mut search = Search {
        included: Included::default(),
        next_line: count_lines(text) + 1,
        length: 0,
        folders_left: MAX_FOLDERS,
        listings: BTreeMap::new(),
        indices: BTreeMap::new(),
        includes: *includes,
        beside,
    };
    let mut asked = BTreeSet::new();
    for _ in 0..MAX_DEPTH {
        let wanted = (includes.wanted)(text, &search.included).into_iter();
        let new: Vec<Wanted> = wanted.filter(|one| asked.insert(one.clone())).collect();
        if new.is_empty() {
            break;
        }
        for wanted in new {
            search.look_for(wanted);
        }
    }
    search.included
}

/// The number of lines of a text.
fn count_lines(text: &str) -> usize {
    memchr::memchr_iter(b'\n', text.as_bytes()).count() + 1
}

/// The names in a folder, sorted, each with whether it is a folder.
type Listing = Rc<[(String, bool)]>;

struct Search<'b> {
    included: Included,
    next_line: usize,
    length: usize,
    folders_left: usize,
    /// The folders that have been listed, since many directives may name files of one.
    listings: BTreeMap<String, Option<Listing>>,
    /// The indices of the files read, by their names.
    indices: BTreeMap<String, usize>,
    includes: Includes,
    beside: &'b dyn Beside,
}

impl Search<'_> {
    fn look_for(&mut self, wanted: Wanted) {
        match wanted {
            Wanted::Files(name) => {
                let found = self.files(&name);
                self.included.found.insert(name, found);
            }
            Wanted::Presence(name) => {
                let folders = self.includes.folders;
                let is_there = |base: &&str| {
                    let path = format!("{base}{}", name.trim_end_matches('/'));
                    let (folder, last) = path.rsplit_once('/').unwrap_or(("", &path));
                    let folder = if folder.is_empty() {
                        String::new()
                    } else {
                        format!("{folder}/")
                    };
                    self.list(&folder).is_some_and(|names| {
                        let found = names.binary_search_by(|(name, _)| name.as_str().cmp(last));
                        found.is_ok()
                    })
                };
                let exists = folders.iter().any(is_there);
                self.included.present.insert(name, exists);
            }
        }
    }

    fn list(&mut self, folder: &str) -> Option<Listing> {
        if let Some(listing) = self.listings.get(folder) {
            return listing.clone();
        }
        let listing = self.beside.list(folder).map(Rc::from);
        self.listings.insert(folder.to_owned(), listing.clone());
        listing
    }

    fn files(&mut self, name: &str) -> Found {
        let mut found = Found::default();
        let parts = name.split('/').filter(|part| !matches!(*part, "" | "."));
        let parts: Vec<&str> = parts.collect();
        for base in self.includes.folders {
            let mut names = Vec::new();
            found.has_folder |= self.matching(base, &parts, 0, &mut names);
            found.is_unread |= self.folders_left == 0;
            if names.is_empty() {
                continue;
            }
            for name in names {
                match self.index_of(name) {
                    Some(index) => found.files.push(index),
                    None => found.is_unread = true,
                }
            }
            break;
        }
        found
    }

    /// Adds the names of the files below a folder that match the parts of a path, and returns whether
    /// the folder in which they would be exists.
    fn matching(
        &mut self,
        folder: &str,
        parts: &[&str],
        depth: usize,
        out: &mut Vec<String>,
    ) -> bool {
        let Some(left) = self
            .folders_left
            .checked_sub(1)
            .filter(|_| depth < MAX_DEPTH)
        else {
            return false;
        };
        self.folders_left = left;
        let Some(entries) = self.list(folder) else {
            return false;
        };
        let (part, rest) = match parts {
            [part, rest @ ..] => (Some(*part), rest),
            [] => (None, parts),
        };
        let pattern = part.map(Name::new);
        let is_match = |name: &str| pattern.as_ref().is_none_or(|pattern| pattern.is_of(name));
        let mut has_folder = rest.is_empty();
        for (name, is_folder) in entries.iter().filter(|(name, _)| is_match(name)) {
            let path = format!("{folder}{name}");
            if out.len() > MAX_FILES {
                break;
            }
            match (rest.is_empty(), is_folder) {
                (true, false) => out.push(path),
                (true, true) if self.includes.enters_folders => {
                    self.matching(&format!("{path}/"), &[], depth + 1, out);
                }
                (false, true) => {
                    has_folder |= self.matching(&format!("{path}/"), rest, depth + 1, out);
                }
                _ => {}
            }
        }
        has_folder
    }

    /// The index of a file, which is read unless it has been; `None` if it cannot be read, or that
    /// would be too much.
    fn index_of(&mut self, name: String) -> Option<usize> {
        if let Some(index) = self.indices.get(&name) {
            return Some(*index);
        }
        let index = self.included.files.len();
        let text = self.beside.text(&name).filter(|_| index < MAX_FILES)?;
        self.length = self.length.saturating_add(text.len());
        if self.length > MAX_INCLUDED {
            return None;
        }
        let first_line = self.next_line;
        self.next_line += count_lines(&text);
        self.indices.insert(name.clone(), index);
        self.included.files.push(IncludedFile {
            name,
            text,
            first_line,
        });
        Some(index)
    }
}

/// A part of a path in which wildcards may be.
struct Name<'p> {
    part: &'p str,
    pattern: Option<Pattern>,
}

impl<'p> Name<'p> {
    fn new(part: &'p str) -> Self {
        let mut parser = RuleParser::new(part.len(), "");
        let pattern = has_wildcard(part).then(|| glob::pattern(part, &mut parser));
        Self {
            part,
            pattern: pattern.flatten(),
        }
    }

    /// Whether a name matches. A wildcard stands for no dot at the beginning.
    fn is_of(&self, name: &str) -> bool {
        let Some(pattern) = &self.pattern else {
            return name == self.part;
        };
        let is_hidden = name.starts_with('.') && !self.part.starts_with('.');
        !is_hidden && matches!(pattern.find(name.as_bytes(), &Work::new()), Ok(Some(_)))
    }
}
