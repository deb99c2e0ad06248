//! Where the files of a site are.

use crate::request::tidy;

/// Where the files are.
#[derive(Clone, Debug, Default)]
pub(super) enum Root {
    /// At the root of the site.
    #[default]
    Site,
    /// In a folder of the site: its path, from the first slash on.
    Below(String),
    /// Outside of the site, as this line says.
    Elsewhere(usize),
}

impl Root {
    /// Where a `root` directive puts the files; `site` is the path of the site on the server's disk.
    pub(super) fn of(site: Option<&str>, path: &str, line: usize) -> Self {
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

    /// A path below it, cleaned as the file system reads it.
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
