//! Inputs without a document: a run over them must not look like a success.

use std::path::PathBuf;

/// Says that the inputs have no document, or none that `--glob` selects.
#[must_use]
pub fn no_page_in(paths: &[PathBuf], by_glob: bool) -> String {
    let name = |path: &PathBuf| match path.to_str() {
        Some("-") => "standard input".to_owned(),
        _ => path.display().to_string(),
    };
    let names: Vec<String> = paths.iter().map(name).collect();
    let glob = if by_glob { " that --glob takes" } else { "" };
    format!("there is no page{glob} in {}", names.join(", "))
}
