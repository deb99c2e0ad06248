//! The hosting that a configuration asks for.

use baseref_findings::Config;
use baseref_server::table;
use baseref_site::hosting::{Folder, Hosting};

use super::error::AuditError;

/// The hosting preset of a configuration, with what it overrides.
pub(super) fn hosting(config: &Config) -> Result<Hosting, AuditError> {
    let mut hosting = match &config.hosting {
        Some(name) => table::hosting(name).ok_or_else(|| AuditError::Hosting(name.clone()))?,
        None => Hosting::default(),
    };
    if let Some(index) = &config.index {
        let names = index.iter().filter(|name| !name.is_empty());
        hosting.index = names.cloned().collect();
    }
    if let Some(extensions) = &config.ext {
        let extensions = extensions.iter().filter(|name| !name.is_empty());
        hosting.extensions = extensions
            .map(|name| format!(".{}", name.trim_start_matches('.')))
            .collect();
    }
    if let Some(name) = &config.dir {
        let all = [Folder::Redirect, Folder::Serve, Folder::NotFound];
        let folder = all.into_iter().find(|folder| folder.as_str() == name);
        hosting.folder = folder.ok_or_else(|| AuditError::Dir(name.clone()))?;
    }
    if let Some(name) = &config.case {
        hosting.case_sensitive = match name.as_str() {
            "sensitive" => true,
            "insensitive" => false,
            _ => return Err(AuditError::Case(name.clone())),
        };
    }
    Ok(hosting)
}
