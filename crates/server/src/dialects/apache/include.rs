//! The files beside a configuration that its directives name.

use super::preprocessed;
use super::rewrite;
use super::server_root::{ServerRoot, file_of_condition, is_include};
use crate::include_search::Includes;
use crate::included::{Included, Wanted};

/// Where the files are that a configuration names: those with the directives of virtual hosts are in
/// folders beside it.
pub(crate) const INCLUDES: Includes = Includes {
    wanted,
    folders: &["", "../"],
    enters_folders: true,
};

/// The files that are still to be read.
fn wanted(text: &str, included: &Included) -> Vec<Wanted> {
    let mut wanted = Vec::new();
    let mut root = ServerRoot::default();
    for line in preprocessed::lines(text, included, true) {
        root.add(&line);
        if is_include(&line) {
            wanted.extend(root.included_by(&line).map(Wanted::Files));
        } else if line.name.eq_ignore_ascii_case("rewritemap") {
            let file = rewrite::file_of_map(&line);
            let file = file.and_then(|file| root.relative(&file));
            wanted.extend(file.map(Wanted::Files));
        } else if line.name.eq_ignore_ascii_case("<iffile") {
            let (file, _) = file_of_condition(line.rest.trim_end_matches('>').trim());
            wanted.extend(root.relative(file).map(Wanted::Presence));
        }
    }
    wanted
}
