//! The other ways to serve a site, if the user did not choose one.

use std::collections::BTreeMap;

use baseref_site::hosting::{Folder, Hosting};
use baseref_site::listing::Tree;
use baseref_site::lookup::is_file_by_exact_names;

/// The other ways to serve a site.
#[derive(Debug, Default)]
pub(crate) struct OtherHostings {
    /// Hostings that answer alike are one.
    all: Vec<OtherHosting>,
    /// A hosting that finds every file which one of them finds: most links to missing files lead
    /// nowhere by any, which one lookup shows.
    union: Option<Hosting>,
}

impl OtherHostings {
    pub(crate) fn new(all: Vec<OtherHosting>) -> Self {
        let hostings = all.iter().map(|other| other.hosting.clone());
        let union = hostings.reduce(|mut union, hosting| {
            let extensions = hosting.extensions.into_iter();
            let is_new = |extension: &String| !union.extensions.contains(extension);
            let more: Vec<String> = extensions.filter(is_new).collect();
            union.extensions.extend(more);
            union.index.extend(hosting.index);
            union.folder = Folder::Serve;
            union.slash_extension |= hosting.slash_extension;
            union.backslash_separates &= hosting.backslash_separates;
            union
        });
        Self { all, union }
    }

    /// The hosting that finds most files, and their number, given the files that each finds.
    pub(crate) fn best(&self, found: &BTreeMap<usize, u64>) -> Option<(u64, BestHosting<'_>)> {
        let found = found.iter().filter_map(|(number, files)| {
            let other = self.all.get(*number)?;
            Some((*files, other.preset()?, other))
        });
        let (files, preset, other) = found
            .rev()
            .max_by_key(|(files, preset, _)| (*files, preset.marks.len()))?;
        let answering = match preset.marks.as_slice() {
            // Nothing speaks for one of those that answer alike.
            [] => other.names(),
            marks => format!("{} answers (seen here: {})", preset.name, marks.join(", ")),
        };
        let option = &preset.option;
        Some((files, BestHosting { answering, option }))
    }

    /// The numbers of the hostings by which a path of the tree leads to a file.
    pub(crate) fn finding(&self, tree: &Tree, path: &str) -> impl Iterator<Item = usize> {
        // A name in another case is a fault wherever the site is served.
        let is_file = |hosting: &Hosting| is_file_by_exact_names(tree, hosting, path);
        let all = match &self.union {
            Some(union) if is_file(union) => self.all.as_slice(),
            _ => &[],
        };
        let all = all.iter().enumerate();
        all.filter(move |(_, other)| is_file(&other.hosting))
            .map(|(number, _)| number)
    }
}

/// The hosting that finds most files.
#[derive(Debug)]
pub(crate) struct BestHosting<'o> {
    /// In words: `github-pages answers (seen here: CNAME)`.
    pub(crate) answering: String,
    /// The option that chooses it.
    pub(crate) option: &'o str,
}

/// A hosting, and others that answer like it.
#[derive(Debug)]
pub(crate) struct OtherHosting {
    pub(crate) hosting: Hosting,
    /// The presets.
    pub(crate) presets: Vec<Preset>,
}

/// A preset, or what a file of rules makes of it.
#[derive(Debug)]
pub(crate) struct Preset {
    pub(crate) name: &'static str,
    /// The files that the sites have because of it.
    pub(crate) marks: Vec<&'static str>,
    /// The option that chooses it.
    pub(crate) option: String,
}

impl OtherHosting {
    /// The preset that most files of the sites speak for, the first of several.
    fn preset(&self) -> Option<&Preset> {
        // The last of several maxima is returned.
        self.presets
            .iter()
            .rev()
            .max_by_key(|preset| preset.marks.len())
    }

    /// The presets in words: `netlify, render or github-pages answers`.
    fn names(&self) -> String {
        let names: Vec<&str> = self.presets.iter().map(|preset| preset.name).collect();
        match &names[..] {
            [first @ .., last] if !first.is_empty() => {
                format!("{} or {last} answers", first.join(", "))
            }
            _ => format!("{} answers", names.join("")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use baseref_server::table;
    use baseref_site::virtual_site::virtual_site;

    #[test]
    fn union_of_hostings_finds_whatever_one_of_them_finds() {
        let tree = virtual_site(&[
            "index.html",
            "a.html",
            "b.htm",
            "dir/index.html",
            "dir/index.htm",
            "both.html",
            "both/index.html",
            "empty/",
            "php/index.php",
        ]);
        let named = |name| table::hosting(name).expect("the preset exists");
        let hostings: Vec<Hosting> = table::hosting_names().map(named).collect();
        let all = hostings.iter().cloned().map(|hosting| OtherHosting {
            hosting,
            presets: Vec::new(),
        });
        let others = OtherHostings::new(all.collect());
        let mut found = 0;
        for path in [
            "", "a", "a/", "a.html", "A.html", "b", "b.htm", "dir", "dir/", "both", "both/",
            "empty", "empty/", "php/", "php", "none", "none/a",
        ] {
            let numbers = 0..hostings.len();
            let expected: Vec<usize> = numbers
                .filter(|number| is_file_by_exact_names(&tree, &hostings[*number], path))
                .collect();
            assert_eq!(
                others.finding(&tree, path).collect::<Vec<_>>(),
                expected,
                "{path}"
            );
            found += expected.len();
        }
        assert!(found > hostings.len());
    }
}
