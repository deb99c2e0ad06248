//! The files beside a HAR that have the bodies of its entries.

use std::collections::HashSet;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;

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

    /// The body in the file of that name, which is in the folder or below; `None` if it cannot be read, is
    /// too large, or was read too often.
    pub(crate) fn read(&mut self, name: &str) -> Option<Vec<u8>> {
        let most = self.limits.message() as u64;
        let is_new = self.seen.insert(name.to_owned());
        let bound = if is_new { most } else { most.min(self.left) };
        let path = self.folder.join(name);
        let file = self.files.open(&path, Role::Document).ok()?;
        let mut body = Vec::new();
        file.take(bound + 1).read_to_end(&mut body).ok()?;
        let length = body.len() as u64;
        if length > bound {
            return None;
        }
        if !is_new {
            self.left -= length;
        }
        Some(body)
    }
}
