//! Files for programs and people hold no character that changes how the text around it is shown.

use std::fs;
use std::path::Path;

use super::{command, run};

/// Control and bidirectional formatting characters, and letters of several scripts.
const ORDERS: &str =
    "\u{1b}\u{8}\u{7f}\u{85}\u{9b}\u{61c}\u{200e}\u{200f}\u{202a}\u{202e}\u{2066}\u{2069}";
const LETTERS: &str = "\u{e9}\u{416}\u{5d0}\u{627}\u{62c}\u{928}\u{4f60}\u{201c}\u{2026}";

fn is_obeyed(c: char) -> bool {
    let is_bidi = matches!(c, '\u{61c}' | '\u{200e}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    is_bidi || c.is_control() && c != '\n'
}

/// Two sites with a page whose name and links hold `ORDERS` and `LETTERS`.
fn sites(folder: &Path) {
    let _ = fs::remove_dir_all(folder);
    for (site, link) in [("old", "x"), ("new", "y")] {
        let site = folder.join(site);
        fs::create_dir_all(&site).expect("the folder is made");
        let page = format!(
            "<meta charset=utf-8><title>{ORDERS}</title><p id='{LETTERS}{ORDERS}'>\n\
             <a href='{link}{LETTERS}{ORDERS}.html'>{ORDERS}</a> <a href='#n{ORDERS}'>x</a>\n\
             <a href='http://old.example/{LETTERS}{ORDERS}'>x</a> <a href='mailto:{LETTERS}{ORDERS}@a.example'>x</a>\n"
        );
        fs::write(site.join(format!("p{LETTERS}{ORDERS}.html")), page)
            .expect("the page is written");
    }
}

#[cfg(unix)]
#[test]
fn outputs_hold_no_control_or_bidirectional_characters() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("escaped");
    sites(&folder);
    let page = format!("old/p{LETTERS}{ORDERS}.html");
    let moving = "verify-move --level note --from http://old.example/ --to http://new.example/ old";
    for arguments in [
        "links -f jsonl old",
        "links -f jsonl -u http://u.example/ PAGE",
        "links -f misp -u http://u.example/ PAGE",
        "links -f misp --defang -u http://u.example/ PAGE",
        "links -f stix -u http://u.example/ PAGE",
        "base -f jsonl old",
        "resolve -f jsonl http://a.example/ PAGE",
        "diff -f jsonl old new",
        "audit --level note -f jsonl --with-links old",
        "audit --level note -f sarif old",
        "audit --level note -f junit old",
        &format!("{moving} -f jsonl"),
        &format!("{moving} -f sarif"),
        &format!("{moving} -f junit"),
        "audit --level note --write-baseline /dev/stdout -o /dev/null old",
    ] {
        let words = arguments.split(' ');
        let words: Vec<&str> = words
            .map(|word| if word == "PAGE" { &page } else { word })
            .collect();
        let output = command(&words)
            .current_dir(&folder)
            .output()
            .expect("the program runs");
        let text = String::from_utf8(output.stdout).expect("the output is UTF-8");
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(text.len() > 100, "{arguments}: {said}");
        let obeyed: Vec<char> = text.chars().filter(|&c| is_obeyed(c)).collect();
        assert!(obeyed.is_empty(), "{arguments}: {obeyed:?}");
        let is_shown =
            text.contains("\\u202e") || text.contains("\\u{202e}") || text.contains("%E2%80%AE");
        assert!(is_shown, "{arguments}: {text}");
    }
}

#[cfg(unix)]
#[test]
fn json_gives_the_characters_back_and_csv_leaves_them() {
    let page = format!("<meta charset=utf-8><a href='http://a.example/{LETTERS}{ORDERS}'>x</a>");
    let raw = format!("http://a.example/{LETTERS}{ORDERS}");
    let output = run(&["links", "-f", "jsonl", "-"], page.as_bytes());
    assert!(String::from_utf8_lossy(&output.stdout).contains(LETTERS));
    assert_eq!(super::rows(&output)[0]["raw"], raw);
    let output = run(&["links", "-f", "csv", "-"], page.as_bytes());
    assert!(String::from_utf8_lossy(&output.stdout).contains(&raw));
}

#[cfg(unix)]
#[test]
fn escaped_baseline_knows_its_findings() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("escaped-baseline");
    sites(&folder);
    let audit = |more: &str| {
        let words = ["audit", "old"].into_iter().chain(more.split(' '));
        let words: Vec<&str> = words.collect();
        let output = command(&words).current_dir(&folder).output();
        output.expect("the program runs").status.code()
    };
    assert_eq!(audit("--level note"), Some(1));
    audit("--write-baseline known");
    let baseline = fs::read_to_string(folder.join("known")).expect("the baseline is written");
    assert!(
        baseline.contains("\\u202e") && !baseline.contains(is_obeyed),
        "{baseline}"
    );
    assert_eq!(audit("--baseline known --baseline-strict"), Some(0));
}
