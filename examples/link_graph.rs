//! Prints the link graph of a folder of saved pages in the DOT language, with an edge for each link
//! from one page of the folder to another.
//!
//! ```sh
//! cargo run --example link_graph -- fixtures/tree | dot -Tsvg >graph.svg
//! ```

#![expect(clippy::print_stdout, reason = "an example shows what it finds")]

use std::collections::{BTreeMap, BTreeSet};
use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};

use baseref::{Policy, ReadOptions};

fn main() -> Result<(), Box<dyn Error>> {
    let root = std::env::args().nth(1);
    let root = PathBuf::from(root.as_deref().unwrap_or("fixtures/tree"));
    let mut pages = BTreeMap::new();
    collect(&root, "http://site.invalid/", &mut pages)?;
    let mut edges = BTreeSet::new();
    for (url, path) in &pages {
        let bytes = fs::read(path)?;
        let document = baseref::read_html(&bytes, Some(url), &ReadOptions::default());
        for link in Policy::default().resolve(&document).links() {
            let Ok(target) = link.url else { continue };
            let target = target.split('#').next().unwrap_or_default().to_owned();
            if pages.contains_key(&target) && target != *url {
                edges.insert((url.clone(), target));
            }
        }
    }
    println!("digraph links {{");
    for (from, to) in edges {
        println!("  {from:?} -> {to:?};");
    }
    println!("}}");
    Ok(())
}

/// The pages below a folder, by the URL of each.
fn collect(
    folder: &Path,
    url: &str,
    pages: &mut BTreeMap<String, PathBuf>,
) -> Result<(), Box<dyn Error>> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        if entry.file_type()?.is_dir() {
            collect(&entry.path(), &format!("{url}{name}/"), pages)?;
        } else if is_page(&name) {
            pages.insert(format!("{url}{name}"), entry.path());
        }
    }
    Ok(())
}

fn is_page(name: &str) -> bool {
    let extension = Path::new(name).extension().unwrap_or_default();
    ["html", "htm"]
        .iter()
        .any(|html| extension.eq_ignore_ascii_case(html))
}
