//! No output replaces a file that the run reads: every command, with every file that it reads as
//! each of its outputs.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

const PAGE: &str =
    "<title>x</title><a href=http://a.example/b.html>x</a><a id=t href=sub/b.html>y</a>\n";
const PICTURE: &[u8] = b"\x89PNG\r\n\x1A\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01\x08\x06\0\0\0";

/// A run, and the files that it reads.
struct Run {
    arguments: &'static [&'static str],
    reads: &'static [&'static str],
    /// The options that name an output file.
    outputs: &'static [&'static str],
}

const REPORTS: &[&str] = &["-o ", "--out jsonl=", "--write-baseline "];
const TABLES: &[&str] = &[
    "-o ",
    "--out html=",
    "--out urlmap=",
    "--out recheck=",
    "--out redirects.netlify=",
    "--write-baseline ",
];
const FILE: &[&str] = &["-o "];

const RUNS: &[Run] = &[
    Run {
        arguments: &["links", "t", "a.html"],
        reads: &["t/a.html", "t/sub/b.html", "t/p.png", "a.html"],
        outputs: FILE,
    },
    Run {
        arguments: &["links", "--files-from", "list", "--url-map", "httrack:ht"],
        reads: &["list", "t/a.html", "ht/hts-cache/new.txt"],
        outputs: FILE,
    },
    Run {
        arguments: &[
            "base",
            "--saved-from",
            "auto",
            "--files-from",
            "list",
            "--url-map",
            "httrack:ht",
        ],
        reads: &[
            "list",
            "t/a.html",
            "ht/hts-cache/new.txt",
            "t/a.html:Zone.Identifier",
        ],
        outputs: FILE,
    },
    Run {
        arguments: &[
            "rewrite",
            "--absolute",
            "--files-from",
            "list",
            "--url-map",
            "httrack:ht",
            "t",
        ],
        reads: &["list", "t/a.html", "t/p.png", "ht/hts-cache/new.txt"],
        outputs: FILE,
    },
    Run {
        arguments: &["audit", "t", "--baseline", "known", "--url-map", "u=/u/"],
        reads: &[
            "t/a.html",
            "t/sub/b.html",
            "t/p.png",
            "u/a.html",
            "baseref.toml",
            "known",
        ],
        outputs: REPORTS,
    },
    Run {
        arguments: &[
            "audit",
            "--config",
            "other.toml",
            "--files-from",
            "list",
            "--status",
            "measured",
            "--protect-domains",
            "domains",
            "--cdx",
            "index",
        ],
        reads: &[
            "list",
            "t/a.html",
            "other.toml",
            "measured",
            "domains",
            "index",
        ],
        outputs: REPORTS,
    },
    Run {
        arguments: &[
            "audit",
            "--against",
            "u",
            "t",
            "--source-map",
            "sub/b.html=source.md",
            "--redirects",
            "rules.csv",
            "--redirects",
            "html-stubs:stubs",
        ],
        reads: &[
            "t/a.html",
            "u/a.html",
            "source.md",
            "rules.csv",
            "stubs/s.html",
        ],
        outputs: REPORTS,
    },
    Run {
        arguments: &[
            "verify-move",
            "--from",
            "http://o.example/",
            "--to",
            "http://n.example/",
            "--new-tree",
            "u",
            "--redirects",
            "rules.csv",
            "--urls",
            "map.xml",
            "--baseline",
            "known",
            "--redirects",
            "html-stubs:stubs",
            "--status",
            "measured",
            "--against",
            "ht",
            "t",
        ],
        reads: &[
            "t/a.html",
            "t/sub/b.html",
            "t/p.png",
            "u/a.html",
            "rules.csv",
            "map.xml",
            "inner.xml",
            "known",
            "baseref.toml",
            "stubs/s.html",
            "measured",
            "ht/a.html",
        ],
        outputs: TABLES,
    },
    Run {
        arguments: &[
            "verify-move",
            "--from",
            "http://o.example/",
            "--to",
            "http://n.example/",
            "--fix",
            "patch",
            "--config",
            "other.toml",
            "--status",
            "measured",
            "t",
        ],
        reads: &["t/a.html", "t/p.png", "other.toml", "measured"],
        outputs: TABLES,
    },
    Run {
        arguments: &[
            "audit",
            "t",
            "--status",
            "measured",
            "--fix",
            "moved",
            "--fix-into",
            "patch",
        ],
        reads: &["t/a.html", "t/p.png", "measured"],
        outputs: REPORTS,
    },
    Run {
        arguments: &["diff", "t", "u"],
        reads: &["t/a.html", "u/a.html", "t/sub/b.html", "t/p.png"],
        outputs: FILE,
    },
    Run {
        arguments: &["diff", "x.jsonl", "y.jsonl"],
        reads: &["x.jsonl", "y.jsonl"],
        outputs: FILE,
    },
];

/// The options of all these commands that name files, and the ones of them that are outputs.
const OPTIONS: &[(&str, bool)] = &[
    ("--files-from", false),
    ("--url-map", false),
    ("--config", false),
    ("--baseline", false),
    ("--new-tree", false),
    ("--redirects", false),
    ("--urls", false),
    ("--status", false),
    ("--against", false),
    ("--cdx", false),
    ("--protect-domains", false),
    ("--output", true),
    ("--out", true),
    ("--write-baseline", true),
    ("--fix", true),
    ("--fix-into", true),
];

fn place(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"))
        .join("overlaps")
        .join(name);
    let _ = fs::remove_dir_all(&folder);
    let write = |path: &str, bytes: &[u8]| {
        let path = folder.join(path);
        fs::create_dir_all(path.parent().expect("the path has a parent"))
            .expect("the folder is made");
        fs::write(path, bytes).expect("the file is written");
    };
    for page in [
        "t/a.html",
        "t/sub/b.html",
        "u/a.html",
        "a.html",
        "ht/a.html",
        "stubs/s.html",
    ] {
        write(page, PAGE.as_bytes());
    }
    write("t/p.png", PICTURE);
    write(
        "t/a.html:Zone.Identifier",
        b"[ZoneTransfer]\nHostUrl=http://a.example/\n",
    );
    write("list", b"t/a.html\n");
    write("ht/hts-cache/new.txt", b"date\n");
    write("source.md", b"[y](sub/b.html)\n");
    write("known", b"{\"type\":\"baseline\",\"v\":1}\n");
    write("baseref.toml", b"");
    write("other.toml", b"");
    write("domains", b"a.example\n");
    write(
        "index",
        b" CDX a b s\nhttp://a.example/ 20240301100000 200\n",
    );
    write("measured", b"http://a.example/ 200 \n");
    write("rules.csv", b"from,to\n/x,/y\n");
    write(
        "map.xml",
        b"<sitemapindex><sitemap><loc>http://o.example/inner.xml</loc></sitemap></sitemapindex>",
    );
    write(
        "inner.xml",
        b"<urlset><url><loc>http://o.example/a.html</loc></url></urlset>",
    );
    write("x.jsonl", b"");
    write("y.jsonl", b"");
    folder
}

fn contents(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut all = BTreeMap::new();
    for entry in fs::read_dir(folder).expect("the folder is read") {
        let path = entry.expect("the folder is read").path();
        if path.is_dir() {
            all.extend(contents(&path));
        } else {
            // Nothing may be where a link leads.
            let bytes = fs::read(&path).unwrap_or_default();
            all.insert(path, bytes);
        }
    }
    all
}

fn command(folder: &Path, arguments: &[String]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_baseref"));
    command
        .args(arguments)
        .current_dir(folder)
        .stdin(Stdio::null());
    command
}

/// The arguments with an output option, which holds its file, or is followed by it.
fn with_output(run: &Run, option: &str, file: &str) -> Vec<String> {
    let written = format!("{option}{file}");
    let (option, value) = written
        .split_once(' ')
        .expect("the option is followed by a space");
    // Of two tables in one file it is the second one that is wrong.
    let arguments = run.arguments.iter().copied().chain([option, value]);
    arguments.map(str::to_owned).collect()
}

fn refused(folder: &Path, output: &Output, before: &BTreeMap<PathBuf, Vec<u8>>, what: &str) {
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{what}: {said}");
    assert!(
        said.contains("nothing was written") || said.contains("must not be in"),
        "{what}: {said}"
    );
    assert!(
        contents(folder) == *before,
        "{what}: a file is not as it was"
    );
}

/// With `--baseline` the new baseline may replace it; every other overlap is refused.
fn is_update(option: &str, read: &str) -> bool {
    option == "--write-baseline " && read == "known"
}

#[test]
fn input_as_output_refused() {
    let folder = place("direct");
    let before = contents(&folder);
    for run in RUNS {
        for read in run.reads {
            for option in run.outputs {
                if is_update(option, read) {
                    continue;
                }
                let arguments = with_output(run, option, read);
                let output = command(&folder, &arguments)
                    .output()
                    .expect("the program runs");
                refused(&folder, &output, &before, &arguments.join(" "));
            }
        }
    }
}

#[cfg(unix)]
#[test]
fn linked_input_as_output_refused() {
    for run in RUNS {
        for (number, read) in run.reads.iter().enumerate() {
            let folder = place("linked");
            fs::hard_link(folder.join(read), folder.join("hard")).expect("the hard link is made");
            std::os::unix::fs::symlink(read, folder.join("soft"))
                .expect("the symbolic link is made");
            let before = contents(&folder);
            for option in run.outputs {
                if is_update(option, read) {
                    continue;
                }
                let links: &[&str] = match (number + option.len()) % 2 {
                    0 => &["hard"],
                    _ => &["soft", "hard"],
                };
                for link in links {
                    let arguments = with_output(run, option, link);
                    let output = command(&folder, &arguments)
                        .output()
                        .expect("the program runs");
                    refused(
                        &folder,
                        &output,
                        &before,
                        &format!("{read}: {}", arguments.join(" ")),
                    );
                }
            }
        }
    }
}

#[cfg(unix)]
#[test]
fn appended_input_as_output_refused() {
    let folder = place("appended");
    for run in RUNS {
        let before = contents(&folder);
        for read in run.reads {
            if before.get(&folder.join(read)).is_none_or(Vec::is_empty) {
                continue;
            }
            let plain = run.arguments.iter().map(|one| (*one).to_owned()).collect();
            let by_name = run.outputs.contains(&"-o ");
            let by_name = by_name.then(|| with_output(run, "-o ", "/dev/stdout"));
            for arguments in std::iter::once(plain).chain(by_name) {
                let file = File::options()
                    .append(true)
                    .open(folder.join(read))
                    .expect("the file is opened");
                let output = command(&folder, &arguments)
                    .stdout(file)
                    .output()
                    .expect("the program runs");
                refused(
                    &folder,
                    &output,
                    &before,
                    &format!("{} >> {read}", arguments.join(" ")),
                );
            }
        }
    }
}

#[test]
fn two_outputs_to_one_file_refused() {
    let folder = place("twice");
    #[cfg(unix)]
    {
        fs::write(folder.join("r0"), "old").expect("the file is written");
        fs::hard_link(folder.join("r0"), folder.join("r1")).expect("the hard link is made");
        std::os::unix::fs::symlink("r2", folder.join("r3")).expect("the symbolic link is made");
        let before = contents(&folder);
        for (one, other) in [("r0", "r1"), ("r2", "r3")] {
            for option in REPORTS {
                let run = Run {
                    arguments: &["audit", "t"],
                    reads: &[],
                    outputs: REPORTS,
                };
                let mut arguments = with_output(&run, "--out html=", one);
                arguments.extend(with_output(&run, option, other).split_off(2));
                let output = command(&folder, &arguments)
                    .output()
                    .expect("the program runs");
                refused(&folder, &output, &before, &arguments.join(" "));
            }
        }
        fs::remove_file(folder.join("r3")).expect("the file is removed");
    }
    let before = contents(&folder);
    for arguments in [
        "audit t -o new --out html=new",
        "audit t -o new --write-baseline ./new",
        "verify-move --from http://o/ --to http://n/ t --fix new --out html=new",
    ] {
        let arguments: Vec<String> = arguments.split(' ').map(str::to_owned).collect();
        let output = command(&folder, &arguments)
            .output()
            .expect("the program runs");
        refused(&folder, &output, &before, &arguments.join(" "));
    }
}

#[test]
fn baseline_read_and_renewed() {
    let folder = place("renewed");
    let arguments = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
    for file in ["outside", "t/inside"] {
        let first = arguments(&format!("audit t --fail-on never --write-baseline {file}"));
        let again = arguments(&format!(
            "audit t --baseline {file} --write-baseline {file}"
        ));
        for arguments in [first, again] {
            let output = command(&folder, &arguments)
                .output()
                .expect("the program runs");
            let said = String::from_utf8_lossy(&output.stderr).into_owned();
            assert_eq!(output.status.code(), Some(0), "{arguments:?}: {said}");
        }
    }
}

/// An option that names a file must be an input of one of the runs, or one of the outputs: this is
/// what fails when an option is added and forgotten here.
#[test]
fn file_options_all_listed() {
    let folder = place("options");
    let mut found = BTreeSet::new();
    for name in [
        "links",
        "base",
        "rewrite",
        "audit",
        "verify-move",
        "diff",
        "resolve",
        "man",
        "completions",
    ] {
        let arguments = [name, "--help"].map(str::to_owned);
        let help = command(&folder, &arguments)
            .output()
            .expect("the program runs")
            .stdout;
        let help = String::from_utf8_lossy(&help).into_owned();
        for line in help
            .lines()
            .map(str::trim_start)
            .filter(|line| line.starts_with('-'))
        {
            let Some((names, value)) = line.split_once(" <") else {
                continue;
            };
            let value = value.split('>').next().unwrap_or_default();
            if ["FILE", "DIR", "PATH", "FOLDER"]
                .iter()
                .any(|word| value.contains(word))
            {
                let long = names.split([' ', ',']).find(|name| name.starts_with("--"));
                found.insert(long.expect("the option has a long name").to_owned());
            }
        }
    }
    let known: BTreeSet<String> = OPTIONS.iter().map(|(name, _)| (*name).to_owned()).collect();
    assert_eq!(found, known);
    for (name, is_output) in OPTIONS {
        let short = if *name == "--output" { "-o" } else { name };
        let mut given = RUNS.iter().flat_map(|run| run.arguments.iter());
        let mut outputs = RUNS.iter().flat_map(|run| run.outputs.iter());
        let is_tried = given.any(|one| one == name)
            || *is_output && outputs.any(|one| one.split(' ').next() == Some(short));
        assert!(is_tried, "{name}");
    }
}
