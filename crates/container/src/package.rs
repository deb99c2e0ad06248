//! Packages: zips whose members are the files of one tree, served from its own root, as an EPUB and
//! the zip of a site are.

use percent_encoding::percent_decode_str;

/// A zip as a tree of files.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Package {
    /// Whether it is an EPUB: a link cannot leave its root (EPUB 3.3 §4.2.5).
    pub is_epub: bool,
    /// The names of its files from the root of the zip, in the order of its directory, with slashes
    /// between them whatever the zip has. A repeated name is here as often as it is there.
    pub files: Vec<Box<str>>,
    /// The folder of the zip that is the root of the tree, with a trailing slash; empty if it is
    /// the root of the zip.
    pub root: Box<str>,
    /// The files that a record in the zip says the URL of, and that URL.
    pub recorded: Vec<(Box<str>, Box<str>)>,
}

impl Package {
    /// The path of a file below the root of the tree; `None` if it is outside it.
    #[must_use]
    pub fn below_root<'n>(&self, name: &'n str) -> Option<&'n str> {
        name.strip_prefix(&*self.root)
    }

    /// The path of a file below the root of the tree as URLs have it, once decoded; `None` if it is
    /// outside it. In an EPUB a name is itself parsed as a URL (EPUB 3.3 §4.2.5), so an escape in it
    /// is one.
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

/// The name of a member with slashes: some programs write backslashes, against APPNOTE §4.4.17.1.
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
    fn backslashes_stand_for_slashes_only_where_there_are_no_slashes() {
        assert_eq!(&*with_slashes("a\\b.html"), "a/b.html");
        assert_eq!(&*with_slashes("a/b\\c.html"), "a/b\\c.html");
    }
}
