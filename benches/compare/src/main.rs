//! Reads a folder of HTML pages with the engine's layers and with other crates, interleaved in one
//! process, and prints the speed of each and how often its list equals the tree's.

mod candidates;

use std::collections::BTreeMap;
use std::fs;
use std::hint::black_box;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use candidates::Link;

/// How often each candidate reads the pages.
const ROUNDS: usize = 7;
/// Candidates take turns after this many bytes of pages.
const TURN: usize = 512 * 1024;

fn main() {
    let folder = std::env::var_os("BASEREF_PAGES").expect("BASEREF_PAGES names a folder of pages");
    let pages = pages(PathBuf::from(folder));
    let bytes: usize = pages.iter().map(String::len).sum();
    assert!(bytes > 0, "no page in UTF-8");
    println!("{} pages, {:.1} MB", pages.len(), megabytes(bytes));

    // A substring of the name selects candidates, for profiling.
    let only = std::env::args().nth(1).unwrap_or_default();
    let mut candidates = candidates::all();
    candidates.retain(|candidate| candidate.name.contains(&only));
    let turns = turns(&pages);
    // The best time of each turn counts: other load on the machine only adds.
    let mut times = vec![vec![Duration::MAX; turns.len()]; candidates.len()];
    for _ in 0..ROUNDS {
        for (turn, pages) in turns.iter().enumerate() {
            for (candidate, times) in candidates.iter().zip(&mut times) {
                let start = Instant::now();
                for page in *pages {
                    black_box((candidate.count)(page));
                }
                times[turn] = times[turn].min(start.elapsed());
            }
        }
    }
    let speed =
        |times: &[Duration]| megabytes(bytes) / times.iter().sum::<Duration>().as_secs_f64();
    let slowest = speed(&times[0]);
    println!(
        "{:<44} {:>7} {:>7} {:>9} {:>9}",
        "", "MB/s", "ratio", "links", "not same"
    );
    for (candidate, times) in candidates.iter().zip(&times) {
        let speed = speed(times);
        let links: usize = pages.iter().map(|page| (candidate.count)(page)).sum();
        let list = candidate.list.filter(|_| only.is_empty());
        let not_same = list.map_or("-".to_owned(), |list| not_same(&pages, list).to_string());
        println!(
            "{:<44} {speed:>7.0} {:>7.1} {links:>9} {not_same:>9}",
            candidate.name,
            speed / slowest,
        );
    }
    if only.is_empty() {
        given_up(&pages);
    }
}

/// On how many pages the list differs from that of html5ever's tree.
fn not_same(pages: &[String], list: fn(&str) -> Vec<Link>) -> usize {
    let differs = |page: &&String| list(page) != candidates::tree_list(page);
    pages.iter().filter(differs).count()
}

/// How often and why the engine fell back to the tree.
fn given_up(pages: &[String]) {
    let mut reasons: BTreeMap<&str, usize> = BTreeMap::new();
    for page in pages {
        if let Err(reason) = candidates::by_tags(page) {
            *reasons.entry(reason).or_default() += 1;
        }
    }
    let given_up: usize = reasons.values().sum();
    let share = 100.0 * given_up as f64 / pages.len() as f64;
    println!("read by the tree: {given_up} pages, {share:.2} %: {reasons:?}");
}

fn turns(pages: &[String]) -> Vec<&[String]> {
    let mut turns = Vec::new();
    let mut start = 0;
    let mut bytes = 0;
    for (index, page) in pages.iter().enumerate() {
        bytes += page.len();
        if bytes >= TURN || index + 1 == pages.len() {
            turns.push(&pages[start..=index]);
            start = index + 1;
            bytes = 0;
        }
    }
    turns
}

/// The UTF-8 pages below a folder, in order of their names, up to `BASEREF_BYTES` bytes.
fn pages(folder: PathBuf) -> Vec<String> {
    let limit = std::env::var("BASEREF_BYTES")
        .ok()
        .and_then(|bytes| bytes.parse().ok());
    let mut left: usize = limit.unwrap_or(100_000_000);
    let mut folders = vec![folder];
    let mut files = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
            let path = entry.path();
            let is_page = path
                .extension()
                .is_some_and(|extension| extension == "html" || extension == "htm");
            // Targets of symbolic links are read at their own paths.
            match entry.file_type() {
                Ok(kind) if kind.is_dir() => folders.push(path),
                Ok(kind) if kind.is_file() && is_page => files.push(path),
                _ => {}
            }
        }
    }
    files.sort();
    let mut pages = Vec::new();
    for file in files {
        let Some(page) = fs::read(file)
            .ok()
            .and_then(|bytes| String::from_utf8(bytes).ok())
        else {
            continue;
        };
        if page.len() > left {
            break;
        }
        left -= page.len();
        pages.push(page);
    }
    pages
}

fn megabytes(bytes: usize) -> f64 {
    bytes as f64 / 1e6
}
