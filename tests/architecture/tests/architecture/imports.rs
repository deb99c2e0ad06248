//! Which file of a crate uses names that another one defines.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use crate::source::Module;

/// For each file, those whose definitions it uses.
pub type Uses = BTreeMap<PathBuf, BTreeSet<PathBuf>>;

/// The uses of the files of a crate. A re-export is not a use by itself: it counts where its name
/// is used, for the file that defines it.
pub fn uses(modules: &[Module]) -> Uses {
    let crate_ = Crate::new(modules);
    let mut uses = Uses::new();
    for (at, module) in modules.iter().enumerate() {
        let imported = module.imports.iter().filter(|import| !import.is_reexport);
        let paths = imported.map(|import| &import.path);
        let used_files = uses.entry(module.file.clone()).or_default();
        let find = |path| crate_.find(at, path, &mut BTreeSet::new());
        let items = paths
            .chain(&module.mentions)
            .filter_map(|path| match find(path)? {
                Target::Item(definer) => Some(definer),
                Target::Module(_) => None,
            });
        let macros = module.calls.iter();
        let macros = macros.filter_map(|name| crate_.macros.get(name.as_str()).copied());
        used_files.extend(items.chain(macros).map(|at| modules[at].file.clone()));
        used_files.remove(&module.file);
    }
    uses
}

/// What a path leads to. Modules are given by their index.
#[derive(Clone, Copy, PartialEq)]
enum Target {
    Module(usize),
    /// An item of a module, or all of them.
    Item(usize),
}

struct Crate<'a> {
    modules: &'a [Module],
    by_path: BTreeMap<&'a [String], usize>,
    macros: BTreeMap<&'a str, usize>,
}

/// The names of modules being looked up, so that imports of each other end.
type Visited = BTreeSet<(usize, String)>;

impl<'a> Crate<'a> {
    fn new(modules: &'a [Module]) -> Self {
        let by_path = modules.iter().enumerate();
        let by_path = by_path.map(|(at, module)| (module.path.as_slice(), at));
        let macros = modules.iter().enumerate();
        let macros = macros
            .flat_map(|(at, module)| module.macros.iter().map(move |name| (name.as_str(), at)));
        Self {
            modules,
            by_path: by_path.collect(),
            macros: macros.collect(),
        }
    }

    /// What `path` means in a module; `None` for names of other crates.
    fn find(&self, module: usize, path: &[String], visited: &mut Visited) -> Option<Target> {
        let (first, rest) = path.split_first()?;
        match first.as_str() {
            "crate" => self.within(0, rest, visited),
            "self" => self.within(module, rest, visited),
            "super" => {
                let (_, parent) = self.modules[module].path.split_last()?;
                let parent = self.by_path[parent];
                match rest.first() {
                    Some(next) if next == "super" => self.find(parent, rest, visited),
                    _ => self.within(parent, rest, visited),
                }
            }
            _ => self.look_up(module, path, visited),
        }
    }

    /// Like [`Self::look_up`], for a path that certainly leads into the module: a name that is not
    /// found there is defined by a macro.
    fn within(&self, module: usize, path: &[String], visited: &mut Visited) -> Option<Target> {
        if path.is_empty() {
            return Some(Target::Module(module));
        }
        let found = self.look_up(module, path, visited);
        found.or(Some(Target::Item(module)))
    }

    fn look_up(&self, module: usize, path: &[String], visited: &mut Visited) -> Option<Target> {
        let (name, rest) = path.split_first()?;
        if !visited.insert((module, name.clone())) {
            return None;
        }
        let here = &self.modules[module];
        let child = [here.path.as_slice(), std::slice::from_ref(name)].concat();
        if let Some(child) = self.by_path.get(child.as_slice()) {
            return self.within(*child, rest, visited);
        }
        if here.definitions.contains(name) {
            return Some(Target::Item(module));
        }
        let named = here.imports.iter().filter(|import| import.name == *name);
        let named = named.map(|import| [&import.path, rest].concat());
        for path in named {
            if let Some(target) = self.find(module, &path, visited) {
                return Some(target);
            }
        }
        let globs = here.imports.iter().filter(|import| import.name == "*");
        for glob in globs {
            let (_, path_of_glob) = glob.path.split_last()?;
            if let Some(Target::Module(source)) = self.find(module, path_of_glob, visited)
                && let Some(target) = self.look_up(source, path, visited)
            {
                return Some(target);
            }
        }
        None
    }
}
