//! How a server answers for a folder, for a name without its extension and for a name with an extra
//! slash. The presets of known servers are in the crate `baseref-server`.

use std::fmt;

use super::spelling::Spelling;

/// The answer for `/folder`, if there is a folder of that name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Folder {
    /// A redirect to `/folder/`.
    Redirect,
    /// The index file, at the URL without a slash.
    Serve,
    /// Not found.
    NotFound,
}

impl Folder {
    /// The name on the command line: `redirect`, `serve` or `404`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Redirect => "redirect",
            Self::Serve => "serve",
            Self::NotFound => "404",
        }
    }
}

/// Whether Unicode normalizations of a name are told apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Normalization {
    /// They are different names, because their bytes differ.
    Kept,
    /// They are one name.
    Ignored,
}

/// How a server answers without any rules, as a constant.
#[derive(Debug)]
pub struct Preset {
    /// The names of index files; the first one present wins.
    pub index: &'static [&'static str],
    /// The answer for `/folder`.
    pub folder: Folder,
    /// The extensions tried for `/file` if no file has exactly that name.
    pub extensions: &'static [&'static str],
    /// Whether `/file/` is answered with `file` plus one of the extensions.
    pub slash_extension: bool,
    /// Whether `A` and `a` are different names.
    pub case_sensitive: bool,
    /// Whether a backslash separates names as a slash does.
    pub backslash_separates: bool,
    /// The names of files that a site has because it is served like this.
    pub marks: &'static [&'static str],
    /// The source of this information.
    pub source: &'static str,
    /// When the source was last changed, as `YYYY-MM`.
    pub dated: &'static str,
}

impl Preset {
    /// A server that adds nothing but the index of a folder, without source and date.
    pub const STRICT: Self = Self {
        index: &["index.html"],
        folder: Folder::Redirect,
        extensions: &[],
        slash_extension: false,
        case_sensitive: true,
        backslash_separates: false,
        marks: &[],
        source: "",
        dated: "",
    };
}

/// How a tree is served: a [`Preset`] with the user's overrides.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hosting {
    /// The name of the preset.
    pub name: &'static str,
    /// The names of index files; the first one present wins.
    pub index: Vec<String>,
    /// The answer for `/folder`.
    pub folder: Folder,
    /// The extensions, each with its dot, tried for `/file` if no file has exactly that name.
    pub extensions: Vec<String>,
    /// Whether `/file/` is answered with `file` plus one of the extensions.
    pub slash_extension: bool,
    /// Whether `A` and `a` are different names.
    pub case_sensitive: bool,
    /// Whether a backslash separates names as a slash does.
    pub backslash_separates: bool,
    /// Whether the names of files have to be in the normalization of the URL.
    pub normalization: Normalization,
}

impl Hosting {
    /// Whether a request for one spelling of a name is answered with the file of another. Most
    /// servers open the file whose name has the bytes of the request. A file system that ignores case
    /// may ignore the normalization as well, and takes the encoding from its settings.
    #[must_use]
    pub fn opens(&self, spelling: Spelling) -> bool {
        match spelling {
            Spelling::Exact => true,
            Spelling::Unicode if self.normalization == Normalization::Ignored => true,
            _ => !self.case_sensitive,
        }
    }

    /// The hosting of a preset.
    #[must_use]
    pub fn from_preset(name: &'static str, preset: &Preset) -> Self {
        let owned = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
        Self {
            name,
            index: owned(preset.index),
            folder: preset.folder,
            extensions: owned(preset.extensions),
            slash_extension: preset.slash_extension,
            case_sensitive: preset.case_sensitive,
            backslash_separates: preset.backslash_separates,
            normalization: Normalization::Kept,
        }
    }
}

impl Default for Hosting {
    /// `strict`.
    fn default() -> Self {
        Self::from_preset("strict", &Preset::STRICT)
    }
}

/// One line: `strict: index.html; /folder redirects to /folder/; ...`
impl fmt::Display for Hosting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.index.as_slice() {
            [] => f.write_str("folders have no index")?,
            [index] => write!(f, "{index} is the index")?,
            all => write!(f, "{} are indexes", all.join(" or "))?,
        }
        f.write_str(match self.folder {
            Folder::Redirect => ", /folder redirects to /folder/",
            Folder::Serve => ", /folder shows the index",
            Folder::NotFound => ", /folder is not found",
        })?;
        if self.extensions.is_empty() {
            f.write_str(", /file does not find file.html")?;
        } else {
            write!(f, ", /file finds file{}", self.extensions.join(" or file"))?;
            if self.slash_extension {
                f.write_str(", and so does /file/")?;
            }
        }
        f.write_str(if self.case_sensitive {
            ", names are case-sensitive"
        } else {
            ", names are case-insensitive"
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn default_is_strict() {
        assert_eq!(
            Hosting::default().to_string(),
            "index.html is the index, /folder redirects to /folder/, /file does not find file.html, \
             names are case-sensitive"
        );
    }
}
