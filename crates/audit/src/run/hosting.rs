//! The hosting that a configuration asks for.

use baseref_findings::nearest::did_you_mean;
use baseref_findings::{Config, Refused};
use baseref_server::table;
use baseref_site::hosting::{Folder, Hosting};

/// The hosting preset of a configuration, with what it overrides.
pub(super) fn hosting(config: &Config) -> Result<Hosting, Refused> {
    let mut hosting = match &config.hosting {
        Some(name) => table::hosting(name).ok_or_else(|| Refused(no_hosting(name)))?,
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
        hosting.folder = folder.ok_or_else(|| {
            let all = all.map(Folder::as_str).join(", ");
            let meant = did_you_mean(name, [Folder::Redirect, Folder::Serve].map(Folder::as_str));
            Refused(format!("dir: `{name}` is not one of {all}{meant}"))
        })?;
    }
    if let Some(name) = &config.case {
        hosting.case_sensitive = match name.as_str() {
            "sensitive" => true,
            "insensitive" => false,
            other => {
                let meant = did_you_mean(other, ["sensitive", "insensitive"]);
                let text = format!("case: `{other}` is not one of sensitive, insensitive{meant}");
                return Err(Refused(text));
            }
        };
    }
    Ok(hosting)
}

fn no_hosting(name: &str) -> String {
    let all: Vec<&str> = table::hosting_names().collect();
    let meant = did_you_mean(name, table::hosting_names());
    format!("no hosting `{name}`{meant}; there are {}", all.join(", "))
}
