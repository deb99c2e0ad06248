//! The names of files in directives: of `Include` and `IncludeOptional`, and relative to `ServerRoot`.

use super::lines::Line;
use crate::included::Included;

/// Files that come with the server or its tools and do not affect addresses, by the ends of their
/// names.
const HARMLESS: [&str; 3] = ["/options-ssl-apache.conf", "ports.conf", ".load"];

/// Whether a line includes files.
pub(super) fn is_include(line: &Line) -> bool {
    let name = line.name.to_ascii_lowercase();
    matches!(&*name, "include" | "includeoptional")
}

/// Whether a line that is still there after all known files are included stands for directives that
/// are not known.
pub(super) fn includes_unknown(line: &Line) -> bool {
    is_include(line) && !is_harmless(line)
}

/// Whether what an `Include` has does not affect addresses.
pub(super) fn is_harmless(line: &Line) -> bool {
    HARMLESS
        .iter()
        .any(|end| line.rest.trim_matches('"').ends_with(end))
}

/// The file of an `<IfFile>`, and whether it must not exist.
pub(super) fn file_of_condition(condition: &str) -> (&str, bool) {
    let condition = condition.trim_matches('"');
    match condition.strip_prefix('!') {
        Some(file) => (file.trim_start(), true),
        None => (condition, false),
    }
}

/// `ServerRoot`, the folder that names of files are relative to. That is the folder of the
/// configuration, or the one above.
#[derive(Debug, Default)]
pub(super) struct ServerRoot(Option<String>);

impl ServerRoot {
    /// Takes a line.
    pub(super) fn add(&mut self, line: &Line) {
        if line.name.eq_ignore_ascii_case("serverroot") {
            let folder = line.words().into_iter().next();
            self.0 = folder.map(|folder| format!("{}/", folder.trim_end_matches('/')));
        }
    }

    /// A name relative to the folder; `None` if it is elsewhere on the disk.
    pub(super) fn relative(&self, name: &str) -> Option<String> {
        let name = if name.starts_with('/') {
            name.strip_prefix(self.0.as_deref()?)?
        } else {
            name
        };
        let is_below = !name.contains("${") && name.split('/').all(|part| part != "..");
        is_below.then(|| name.to_owned())
    }

    /// What a line includes.
    pub(super) fn included_by(&self, line: &Line) -> Option<String> {
        match &line.words()[..] {
            [name] if !is_harmless(line) => self.relative(name),
            _ => None,
        }
    }

    /// Whether an `IncludeOptional` stands for nothing. With a `ServerRoot` the folder must be there:
    /// the configuration may have been taken from another place.
    pub(super) fn adds_nothing(&self, line: &Line, included: &Included) -> bool {
        let name = self.included_by(line);
        line.name.eq_ignore_ascii_case("includeoptional")
            && name.is_some_and(|name| included.has_none(&name, self.0.is_some()))
    }

    /// Whether a file exists; `None` if that is not known.
    pub(super) fn has(&self, name: &str, included: &Included) -> Option<bool> {
        let exists = included.exists(&self.relative(name)?)?;
        (exists || self.0.is_none()).then_some(exists)
    }
}
