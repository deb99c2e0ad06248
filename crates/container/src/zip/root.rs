//! The folder of a zip that is the root of its site.

use crate::package::Package;

/// The folder that macOS adds to zips, with a trailing slash.
const MACOS: &str = "__MACOSX/";

/// The name of the file that macOS keeps in every folder.
const DS_STORE: &str = ".DS_Store";

/// Makes the only top-level folder the root of the site, if all files are in one.
pub(super) fn find_root(package: &mut Package) {
    let mut files = package
        .files
        .iter()
        .filter(|name| is_inside(name) && !is_from_macos(name));
    let folder_of = |name: &str| name.find('/').map(|slash| slash + 1);
    let Some(first) = files.next() else { return };
    let Some(end) = folder_of(first) else { return };
    let folder = &first[..end];
    if files.all(|name| name.starts_with(folder)) {
        package.root = folder.into();
    }
}

/// Whether a name stays inside the zip. A name that climbs out is a mistake or an attack.
fn is_inside(name: &str) -> bool {
    !name.starts_with('/') && name.split('/').all(|segment| segment != "..")
}

/// Whether macOS added a file to those that the user packed.
fn is_from_macos(name: &str) -> bool {
    name.starts_with(MACOS) || name.rsplit('/').next() == Some(DS_STORE)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn root(files: &[&str]) -> String {
        let mut package = Package {
            files: files.iter().map(|&name| name.into()).collect(),
            ..Package::default()
        };
        find_root(&mut package);
        package.root.into()
    }

    #[test]
    fn only_folder_is_the_root() {
        for (files, expected) in [
            (&["site/a.html", "site/img/b.png"][..], "site/"),
            (&["site/a.html", "__MACOSX/._a", ".DS_Store"], "site/"),
            (&["site/a.html", "b.html"], ""),
            (&["site/a.html", "sites/b.html"], ""),
            (&["a.html"], ""),
            (
                &["site/a.html", "../b.html", "/c.html", "site/../../d"],
                "site/",
            ),
            (&[".DS_Store"], ""),
            (&[], ""),
        ] {
            assert_eq!(root(files), expected, "{files:?}");
        }
    }
}
