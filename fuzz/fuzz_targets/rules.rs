//! Reads a file of redirect rules in a dialect and asks its server for some addresses: no panic, no
//! excessive cost, every answer names a rule and a line that exist, and is the same again.
//!
//! The first byte selects the dialect; the rest is paths, one a line, and after a zero byte the
//! rules.
#![no_main]

use baseref_resolve::{Rules, resolve};
use baseref_server::{Answer, Dialect, FileKind, Files, Request, RuleFile};
use libfuzzer_sys::fuzz_target;

/// A few files and folders.
struct Made;

impl Files for Made {
    fn kind(&self, path: &[u8]) -> Option<FileKind> {
        match path {
            b"/" | b"/d" | b"/d/" | b"/d/e" | b"/d/e/" => Some(FileKind::Directory),
            b"/index.html" | b"/a.html" | b"/d/index.html" | b"/d/b" => Some(FileKind::File),
            _ => None,
        }
    }
}

fuzz_target!(|data: &[u8]| {
    let Some((&choice, rest)) = data.split_first() else {
        return;
    };
    let dialect = Dialect::ALL[usize::from(choice) % Dialect::ALL.len()];
    let mut parts = rest.splitn(2, |byte| *byte == 0);
    let paths = String::from_utf8_lossy(parts.next().unwrap_or_default());
    let bytes = parts.next().unwrap_or_default();
    let mount = if choice & 0x80 == 0 { "/" } else { "/d/" };
    let (file, again) = (
        RuleFile::read(dialect, bytes, mount),
        RuleFile::read(dialect, bytes, mount),
    );
    assert_eq!(file.rules(), again.rules());
    let lines = bytes.iter().filter(|byte| **byte == b'\n').count() + 1;
    for rule in file.rules() {
        assert!((1..=lines).contains(&rule.line), "{rule:?}");
    }
    let samples = file.rules().iter().flat_map(|rule| &rule.samples);
    let paths = paths.lines().chain(samples.map(String::as_str)).take(64);
    for path in paths {
        let Ok(url) = resolve(Rules::Whatwg, Some("http://h/"), path) else {
            continue;
        };
        let Some(request) = Request::from_url(&url) else {
            continue;
        };
        let answer = file.answer(&request, &Made);
        let rule = match &answer {
            Answer::Redirect { rule, .. }
            | Answer::File { rule, .. }
            | Answer::Refused { rule, .. } => *rule,
            Answer::Unknown { line } => {
                assert!((1..=lines).contains(line), "line {line}");
                None
            }
        };
        assert!(rule.is_none_or(|rule| rule < file.rules().len()));
        assert_eq!(answer, again.answer(&request, &Made));
    }
});
