//! The files that hosting presets find.

use baseref_site::lookup::{Lookup, lookup};
use baseref_site::virtual_site::virtual_site;

use crate::table::hosting;

fn found(preset: &str, path: &str) -> String {
    let tree = virtual_site(&[
        "a.html",
        "Guide.html",
        "dir/index.html",
        "both.html",
        "both/index.html",
        "noindex.html",
        "noindex/x.html",
    ]);
    let hosting = hosting(preset).expect("a preset");
    match lookup(&tree, &hosting, path, encoding_rs::UTF_8) {
        Lookup::File(hit) => format!("{} {:?}", tree.file_path(hit.file).display(), hit.route),
        Lookup::NoIndex { .. } => "no index".to_owned(),
        Lookup::Missing(missing) => format!("missing name {}", missing.name),
        Lookup::Unmappable(why) => format!("{why:?}"),
        Lookup::NotKnown => "not known".to_owned(),
    }
}

#[test]
fn presets_differ_in_folders_extensions_and_case() {
    for (hosting, path, expected) in [
        ("iis", "guide.html", "Guide.html File"),
        ("github-pages", "a", "a.html Extension"),
        ("github-pages", "a/", "missing name 0"),
        ("github-pages", "both", "both.html Extension"),
        ("github-pages", "both/", "both/index.html Index"),
        ("github-pages", "noindex", "noindex.html Extension"),
        ("github-pages", "noindex/", "no index"),
        ("netlify", "a/", "a.html Extension"),
        ("netlify", "noindex/", "noindex.html Extension"),
        ("vercel", "dir", "dir/index.html FolderServe"),
        ("vercel", "a", "missing name 0"),
        ("file", "dir/", "no index"),
    ] {
        assert_eq!(found(hosting, path), expected, "{hosting} {path}");
    }
}
