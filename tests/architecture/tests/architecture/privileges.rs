//! Who may start threads, open files, print, read the clock and the environment, and name the
//! crates that parse.

use crate::project;

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
        what: "looking for tags in bytes, which `html` does once, in the encoding of the page",
        // Encodings and formats are recognised by tags.
        places: &["crates/html/", "crates/text/src/decode/"],
        words: &[
            "\"<meta\"",
            "\"<link\"",
            "\"<title\"",
            "\"<base\"",
            "\"<body\"",
        ],
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
        what: "vectors of bytes",
        places: &["crates/simd/"],
        words: &["safe_arch::", "wide::"],
    },
    Privilege {
        what: "the URL Standard's parser",
        // The second gives the library's users a URL of that crate.
        places: &["crates/resolve/", "crates/reader/src/links/to_url.rs"],
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
    // Asks whether it was closed before `main`.
    ("crates/startup/src/lib.rs", "stdio::stdin()"),
    // What clap has printed, help or a version.
    ("src/cli/mod.rs", "io::stdout().flush()"),
    // By way of `files`.
    ("", "files::read_link("),
    // What it finds is opened by `files` one by one.
    ("crates/walk/src/directory.rs", "WalkDir::new("),
];

/// The lines of the program and its crates that are neither comments nor tests, without what the
/// exceptions allow, and the name of the file.
pub fn lines_of_code() -> Vec<(String, String)> {
    let mut lines = Vec::new();
    let mut crates = project::crates();
    // Built on the crates, with systems of their own beneath.
    crates.retain(|name, _| name != "python" && name != "web");
    for (crate_, files) in crates {
        for (file, text) in files {
            let name = project::name(&crate_, &file);
            let code = project::code(&file, &text);
            let code = code
                .lines()
                .filter(|line| !line.trim_start().starts_with("//"));
            lines.extend(code.map(|line| (name.clone(), without_exceptions(&name, line))));
        }
    }
    lines
}

fn without_exceptions(name: &str, line: &str) -> String {
    let mut line = line.to_owned();
    for (_, harmless) in EXCEPTIONS
        .iter()
        .filter(|(place, _)| name.starts_with(place))
    {
        line = line.replace(harmless, "");
    }
    line
}

#[test]
fn privileged_calls_only_where_allowed() {
    let mut wrong = Vec::new();
    let mut used = vec![false; PRIVILEGES.len()];
    for (name, line) in lines_of_code() {
        for (privilege, used) in PRIVILEGES.iter().zip(&mut used) {
            if !privilege.words.iter().any(|word| line.contains(word)) {
                continue;
            }
            *used = true;
            let mut places = privilege.places.iter();
            if !places.any(|place| name.starts_with(place)) {
                wrong.push(format!("{name}: {}: {}", privilege.what, line.trim()));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    for (privilege, used) in PRIVILEGES.iter().zip(used) {
        assert!(used, "nothing is found that does this: {}", privilege.what);
    }
}
