//! What the compiler does not see of the house in ARCHITECTURE.md: who may start threads, open
//! files, print, read the clock and the environment, and name the crates that parse.
//!
//! That no layer uses a higher one needs no test: each is a crate.

use std::fs;
use std::path::{Path, PathBuf};

/// Something that only some places may do, and how it looks in the code.
struct Privilege {
    what: &'static str,
    /// Beginnings of paths from the top of the project.
    places: &'static [&'static str],
    words: &'static [&'static str],
}

const PRIVILEGES: &[Privilege] = &[
    Privilege {
        what: "opening, listing, creating or changing files, which `files` compares with the outputs",
        // A library that reads one path writes nothing.
        places: &["crates/files/", "crates/reader/src/documents.rs"],
        words: &[
            "File::open(",
            "File::create",
            "File::options(",
            "OpenOptions",
            "fs::read(",
            "fs::read_to_string(",
            "fs::read_dir(",
            "fs::read_link(",
            "fs::write(",
            "fs::copy(",
            "fs::rename(",
            "fs::remove_",
            "fs::create_dir",
            "fs::hard_link(",
            "symlink(",
            "NamedTempFile",
            "tempfile::",
            "from_file(",
            "io::stdin()",
            "WalkDir::new(",
        ],
    },
    Privilege {
        what: "starting threads",
        places: &["crates/run/", "crates/files/src/signals.rs"],
        words: &["thread::Builder", "thread::spawn", "thread::scope", "rayon"],
    },
    Privilege {
        what: "standard output",
        places: &["crates/files/", "crates/startup/"],
        words: &["io::stdout()", "println!", "print!("],
    },
    Privilege {
        what: "standard error, the environment and the arguments",
        places: &["src/", "crates/files/src/folder.rs"],
        words: &[
            "stderr()",
            "eprint",
            "env::var",
            "env::args",
            "env::current_dir",
        ],
    },
    Privilege {
        what: "the clock",
        places: &["src/"],
        words: &[
            "Instant::now",
            "SystemTime::now",
            "now_utc",
            "now_local",
            ".elapsed(",
        ],
    },
    Privilege {
        what: "clap",
        places: &["src/"],
        words: &["clap::", "clap_complete", "clap_mangen"],
    },
    Privilege {
        what: "the parsers of HTML",
        places: &["crates/html/"],
        words: &["html5ever::", "markup5ever"],
    },
    Privilege {
        what: "the matcher of patterns",
        places: &["crates/files/src/globs/"],
        words: &["globset::"],
    },
    Privilege {
        what: "the parser of mail",
        places: &["crates/reader/src/mail/"],
        words: &["mailparse::"],
    },
    Privilege {
        what: "the parser of style sheets",
        places: &["crates/text/"],
        words: &["cssparser::"],
    },
    Privilege {
        what: "the Public Suffix List, which is compiled once",
        places: &["crates/suffixes/"],
        words: &["psl::"],
    },
    Privilege {
        what: "vectors of bytes",
        places: &["crates/simd/"],
        words: &["safe_arch::", "wide::"],
    },
    Privilege {
        what: "the URL Standard's parser",
        places: &["crates/resolve/"],
        words: &["url::Url", "url::Host", "idna::"],
    },
];

/// A line that looks like a privilege and is none.
const EXCEPTIONS: &[(&str, &str)] = &[
    // Asks what kind of file it is.
    ("", "is_symlink()"),
    ("", "stdin().is_terminal()"),
    ("", "io::stdout().is_terminal()"),
    // Asks how wide the terminal is.
    ("", "terminal_columns(io::stdout())"),
    // What clap has printed, help or a version.
    ("src/cli/mod.rs", "io::stdout().flush()"),
    // By way of `files`.
    ("", "files::read_link("),
    // What it finds is opened by `files` one by one.
    ("crates/walk/src/directory.rs", "WalkDir::new("),
];

fn sources() -> Vec<PathBuf> {
    let top = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files = Vec::new();
    below(&top.join("src"), &mut files);
    for entry in fs::read_dir(top.join("crates")).expect("the crates") {
        below(&entry.expect("a crate").path().join("src"), &mut files);
    }
    assert!(files.len() > 250, "{} files", files.len());
    let relative = |file: PathBuf| file.strip_prefix(top).map(Path::to_path_buf);
    let files: Result<_, _> = files.into_iter().map(relative).collect();
    files.expect("files of the project")
}

fn below(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            below(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
}

/// The lines of a file that are neither comments nor tests.
fn code(file: &Path) -> String {
    let name = file.file_name().expect("a name").to_string_lossy();
    if name == "tests.rs" {
        return String::new();
    }
    let text = fs::read_to_string(file).expect("source text");
    let code = text.split("#[cfg(test)]").next().expect("a part");
    let is_code = |line: &&str| !line.trim_start().starts_with("//");
    code.lines().filter(is_code).collect::<Vec<_>>().join("\n")
}

#[test]
fn only_the_places_that_may_do_something_do_it() {
    let mut wrong = Vec::new();
    let mut used = vec![false; PRIVILEGES.len()];
    for file in sources() {
        let named = file.to_string_lossy().replace('\\', "/");
        for line in code(&file).lines() {
            let mut line = line.to_owned();
            for (place, harmless) in EXCEPTIONS {
                if named.starts_with(place) {
                    line = line.replace(harmless, "");
                }
            }
            for (privilege, used) in PRIVILEGES.iter().zip(&mut used) {
                if !privilege.words.iter().any(|word| line.contains(word)) {
                    continue;
                }
                *used = true;
                if !privilege
                    .places
                    .iter()
                    .any(|place| named.starts_with(place))
                {
                    wrong.push(format!("{named}: {}: {}", privilege.what, line.trim()));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    for (privilege, used) in PRIVILEGES.iter().zip(used) {
        assert!(used, "nothing is found that does this: {}", privilege.what);
    }
}

/// A room is a crate, or a folder or file of the program.
#[test]
fn every_room_is_named_in_the_map() {
    let map = include_str!("../ARCHITECTURE.md");
    let top = Path::new(env!("CARGO_MANIFEST_DIR"));
    for entry in fs::read_dir(top.join("crates")).expect("the crates") {
        let name = entry.expect("a crate").file_name();
        let row = format!("| `crates/{}` |", name.to_string_lossy());
        assert!(map.contains(&row), "{row} is not in ARCHITECTURE.md");
    }
}

/// The crates of ours that a `Cargo.toml` names as dependencies.
fn named_by(manifest: &str) -> Vec<&str> {
    let dependencies = manifest.split("\n[dependencies]\n").nth(1).unwrap_or("");
    let dependencies = dependencies.split("\n[").next().unwrap_or("");
    let names = dependencies
        .lines()
        .filter_map(|line| line.strip_prefix("baseref-"));
    let mut names: Vec<_> = names
        .filter_map(|line| line.split(['.', ' ']).next())
        .collect();
    names.sort_unstable();
    names
}

#[test]
fn the_map_names_the_crates_that_each_crate_names() {
    let map = include_str!("../ARCHITECTURE.md");
    let top = Path::new(env!("CARGO_MANIFEST_DIR"));
    for row in map.lines().filter(|line| line.starts_with("| `crates/")) {
        let name = row.split('`').nth(1).expect("a name");
        let names = row.trim_end_matches(" |").rsplit(" | ").next();
        let mut drawn: Vec<_> = names.expect("a column").split(", ").collect();
        drawn.retain(|name| *name != "none");
        let manifest = fs::read_to_string(top.join(name).join("Cargo.toml"));
        assert_eq!(drawn, named_by(&manifest.expect("a manifest")), "{name}");
    }
}
