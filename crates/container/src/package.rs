//! Packages: zips and ZIM files whose members are the files of one site with a root of its own, such
//! as EPUBs.

use crate::entry_table::EntryTable;
use percent_encoding::percent_decode_str;

/// A zip or ZIM file whose members are the files of a site.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Package {
    /// Whether it is an EPUB, whose links cannot leave its root (EPUB 3.3 §4.2.5).
    pub is_epub: bool,
    /// The paths of its files from the root of the zip, in the order of the directory, with slashes
    /// even if the zip has backslashes. Repeated paths are repeated here.
    pub files: Vec<Box<str>>,
    /// The folder of the zip that is the root of the site, with a trailing slash; empty if it is
    /// the root of the zip.
    pub root: Box<str>,
    /// The files whose URL is recorded in the zip, with that URL.
    pub recorded: Vec<(Box<str>, Box<str>)>,
    /// In place of the list of files, the entries of a ZIM file: there may be too many to keep their
    /// paths.
    pub entries: Option<EntryTable>,
}

impl Package {
    /// The path of a file from the root of the site; `None` if it is outside.
    #[must_use]
    pub fn below_root<'n>(&self, name: &'n str) -> Option<&'n str> {
        name.strip_prefix(&*self.root)
    }

    /// The path of a file from the root of the site, as the decoded path of a URL; `None` if it is
    /// outside. In an EPUB, a name is itself parsed as a URL (EPUB 3.3 §4.2.5), so that it may
    /// contain escapes.
    #[must_use]
    pub fn path_of(&self, name: &str) -> Option<String> {
        let below = self.below_root(name)?;
        let escaped = self.is_epub && below.contains('%');
        let decoded = escaped.then(|| percent_decode_str(below).decode_utf8().ok());
        Some(match decoded.flatten() {
            Some(decoded) => decoded.into_owned(),
            None => below.to_owned(),
        })
    }
}

/// Normalises the name of a member to slashes. Some programs write backslashes, against APPNOTE
/// §4.4.17.1.
#[must_use]
pub fn with_slashes(name: &str) -> Box<str> {
    if name.contains('\\') && !name.contains('/') {
        name.replace('\\', "/").into()
    } else {
        name.into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn backslashes_become_slashes_unless_mixed() {
        assert_eq!(&*with_slashes("a\\b.html"), "a/b.html");
        assert_eq!(&*with_slashes("a/b\\c.html"), "a/b\\c.html");
    }
}
