//! The log that HTTrack keeps of a mirror: the URL that each file came from.
//!
//! HTTrack names files by a pattern that the user chooses, with a hash in place of a query, so the
//! name of a file does not tell its URL; the log does.

use std::collections::HashMap;
use std::io::{self, BufRead, BufReader};
use std::path::{Component, Path, PathBuf};

use baseref_files::{Files, Role};

/// Where the log is, below the mirror.
pub(super) const LOG: &str = "hts-cache/new.txt";

/// The URLs of the files of a mirror, by their paths below it.
///
/// # Errors
/// If the log cannot be read.
pub(super) fn urls(mirror: &Path, files: &Files) -> io::Result<HashMap<PathBuf, String>> {
    let mut urls = HashMap::new();
    let mut root = PathBuf::new();
    let log = files.open(&mirror.join(LOG), Role::Log)?;
    for line in BufReader::new(log).split(b'\n') {
        let line = line?;
        let line = String::from_utf8_lossy(&line);
        let Some((url, file)) = url_and_file(line.trim_end_matches('\r')) else {
            continue;
        };
        if let Some(below) = below(mirror, file, &mut root) {
            // Of several URLs that gave one file, the first one that was answered counts.
            urls.entry(below).or_insert_with(|| with_scheme(url));
        }
    }
    Ok(urls)
}

/// The URL of a line and the file that it was saved in, as the log writes it. Its fields are: time,
/// sizes, flags, status, the same in words, media type, date or entity tag, URL, file, and what
/// linked to it.
fn url_and_file(line: &str) -> Option<(&str, &str)> {
    let mut fields = line.splitn(8, '\t');
    let status: u16 = fields.nth(3)?.parse().ok()?;
    let (url_and_file, _) = fields.nth(3)?.rsplit_once('\t')?;
    let (url, file) = url_and_file.rsplit_once('\t')?;
    let is_answer = matches!(status, 200..=299 | 304);
    (is_answer && !url.is_empty() && !file.is_empty()).then_some((url, file))
}

/// The path of a file below the mirror, which may have been moved since: `root` is where the log
/// says it was, found by the first file that is still there.
fn below(mirror: &Path, file: &str, root: &mut PathBuf) -> Option<PathBuf> {
    let file = Path::new(file);
    if !root.as_os_str().is_empty()
        && let Ok(below) = file.strip_prefix(&*root)
    {
        return Some(below.to_owned());
    }
    // `./host/page.html`, if it was told to write to the folder that it ran in.
    let components: Vec<Component<'_>> = file
        .components()
        .filter(|component| *component != Component::CurDir)
        .collect();
    (0..components.len()).find_map(|start| {
        let (before, after) = components.split_at(start);
        let below: PathBuf = after.iter().collect();
        let is_there = below.is_relative() && mirror.join(&below).is_file();
        is_there.then(|| {
            *root = before.iter().collect();
            below
        })
    })
}

/// Old versions leave the scheme out of the log.
fn with_scheme(url: &str) -> String {
    if url.contains("://") {
        url.to_owned()
    } else {
        format!("http://{url}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn httrack_log_line() {
        let line = |status: u16, url: &str, file: &str| {
            format!(
                "12:00:00\t5/5\t---M--\t{status}\tadded ('OK')\ttext/html\tdate:x\t{url}\t{file}\t\
                 (from a.org/)"
            )
        };
        for (status, url, file, found) in [
            (200, "http://a.org/?x=1", "/m/a.org/index1f.html", true),
            (304, "a.org/", "a.org/index.html", true),
            (404, "http://a.org/b", "a.org/b.html", false),
            (302, "http://a.org/c", "a.org/c.html", false),
            (200, "http://a.org/d", "", false),
        ] {
            let expected = found.then_some((url, file));
            assert_eq!(url_and_file(&line(status, url, file)), expected, "{url}");
        }
        assert_eq!(url_and_file("date\tsize'/'remotesize\tflags"), None);
        assert_eq!(url_and_file(""), None);
    }

    #[test]
    fn httrack_file_below_mirror() {
        let mirror = tempfile::tempdir().expect("a temporary folder is made");
        std::fs::create_dir(mirror.path().join("a.org")).expect("the folder is made");
        std::fs::write(mirror.path().join("a.org/b.html"), "").expect("the file is written");
        for file in [
            "./a.org/b.html",
            "a.org/b.html",
            ".//./a.org/./b.html",
            "/home/u/mirror/a.org/b.html",
            "../mirror/a.org/b.html",
        ] {
            let found = below(mirror.path(), file, &mut PathBuf::new());
            assert_eq!(found.as_deref(), Some(Path::new("a.org/b.html")), "{file}");
        }
        let mut root = PathBuf::new();
        for file in ["./a.org/b.html", "./a.org/b.html"] {
            let found = below(mirror.path(), file, &mut root);
            assert_eq!(found.as_deref(), Some(Path::new("a.org/b.html")));
        }
        assert_eq!(below(mirror.path(), "./a.org/gone.html", &mut root), None);
    }

    #[test]
    fn httrack_url_scheme() {
        assert_eq!(with_scheme("a.org/b"), "http://a.org/b");
        assert_eq!(with_scheme("https://a.org/b"), "https://a.org/b");
    }
}
