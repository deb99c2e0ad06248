//! The files beside a HAR that have the bodies of its entries.

use std::collections::HashSet;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use baseref_container::BodyError;
use baseref_document::Limits;
use baseref_files::{Files, Role};

/// Reads bodies in the folder of a HAR.
pub(crate) struct HarBodies {
    folder: PathBuf,
    files: Arc<Files>,
    limits: Limits,
    seen: HashSet<String>,
    /// How many bytes of files that were read before may still be read again.
    left: u64,
}

impl HarBodies {
    /// The bodies beside the HAR at a path, whose size is known or not.
    pub(crate) fn new(har: &Path, size: Option<u64>, files: &Arc<Files>, limits: Limits) -> Self {
        Self {
            folder: har.parent().unwrap_or(Path::new("")).to_owned(),
            files: Arc::clone(files),
            limits,
            seen: HashSet::new(),
            left: limits.inflated_in_layers(size.unwrap_or_default()),
        }
    }

    /// The body in the file of that name, which is in the folder or below.
    ///
    /// # Errors
    /// If it cannot be read, is too large, was read too often, or is outside the folder by a symbolic link:
    /// the author of a HAR must not choose among the files of its reader.
    pub(crate) fn read(&mut self, name: &str) -> Result<Vec<u8>, BodyError> {
        let most = self.limits.message() as u64;
        let is_new = self.seen.insert(name.to_owned());
        let bound = if is_new { most } else { most.min(self.left) };
        let path = self.folder.join(name);
        if self.files.is_file(&path) && !self.files.is_within(&path, &self.folder) {
            return Err(BodyError::Outside);
        }
        let unread = |_| BodyError::NotRead;
        let file = self.files.open(&path, Role::Document).map_err(unread)?;
        let mut body = Vec::new();
        let mut file = file.take(bound + 1);
        file.read_to_end(&mut body).map_err(unread)?;
        let length = body.len() as u64;
        if length > bound {
            return Err(BodyError::NotRead);
        }
        if !is_new {
            self.left -= length;
        }
        Ok(body)
    }
}
