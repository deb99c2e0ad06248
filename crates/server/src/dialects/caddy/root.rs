//! Where the files of a site are.

use crate::request::tidy;

/// Where the files are.
#[derive(Clone, Debug, Default)]
pub(super) enum Root {
    /// At the root of the site.
    #[default]
    Site,
    /// In a folder of the site, given by its path with the leading slash.
    Below(String),
    /// Outside the site, according to this line.
    Elsewhere(usize),
}

impl Root {
    /// The root set by a `root` directive. `site` is the path of the site on the server's disk.
    pub(super) fn from_directive(site: Option<&str>, path: &str, line: usize) -> Self {
        let path = path.strip_suffix('/').unwrap_or(path);
        let Some(rest) = site.and_then(|site| path.strip_prefix(site)) else {
            return Self::Elsewhere(line);
        };
        match rest {
            "" => Self::Site,
            rest if rest.starts_with('/') && !rest.contains('{') => Self::Below(rest.to_owned()),
            _ => Self::Elsewhere(line),
        }
    }

    /// A path below the root, normalized as the file system does.
    pub(super) fn path(&self, path: &str) -> Result<String, usize> {
        let below = tidy(path.as_bytes()).unwrap_or_else(|| b"/".to_vec());
        let below = String::from_utf8_lossy(&below).into_owned();
        match self {
            Self::Site => Ok(below),
            Self::Below(folder) => Ok(format!("{folder}{below}")),
            Self::Elsewhere(line) => Err(*line),
        }
    }
}
