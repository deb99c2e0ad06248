//! The texts of the help and the manual pages, except those of the options.

use std::fmt::Write as _;

/// The sentence that describes the program.
pub(super) const ABOUT: &str =
    "Finds broken and misleading links in saved sites, archives and mail, offline";

/// The description in `--help`. Lines that begin with a space keep their line breaks, here and in
/// [`Texts::sections`].
pub(super) const LONG_ABOUT: &str = "\
Finds broken and misleading links in saved sites, archives and mail, without \
touching the network. Says what a site move will break, and repairs it. Prints \
every link as an absolute URL.";

/// The usage of the program: a path may replace the command.
pub(super) const PROGRAM_USAGE: &str = "\
baseref COMMAND [OPTIONS] [PATH]...
       baseref PATH...               the same as baseref links PATH...";

/// The commands that people rarely type. The help lists them apart, after the examples.
pub(super) const FOR_PACKAGERS: [&str; 2] = ["man", "completions"];

/// The heading of the options that few people need. `-h` only names them.
pub const ADVANCED: &str = "Advanced";

/// The texts that follow the options of a command.
pub struct Texts {
    /// The long names of the options that `-h` explains; if there are none, it explains all but those
    /// under [`ADVANCED`].
    pub in_short: &'static [&'static [&'static str]],
    /// Sections with their headings.
    pub sections: &'static [(&'static str, &'static str)],
    /// The exit codes that the command has, with their meaning.
    pub exit_codes: &'static [(u8, &'static str)],
    /// What each example is for, and its command lines. `-h` shows the first three.
    pub examples: &'static [(&'static str, &'static str)],
}

/// How many examples `-h` shows.
const FIRST_EXAMPLES: usize = 3;

impl Texts {
    /// Whether `-h` explains an option.
    pub(super) fn explains_in_short(&self, arg: &clap::Arg) -> bool {
        match arg.get_long() {
            Some(name) if !self.in_short.is_empty() => {
                self.in_short.iter().any(|names| names.contains(&name))
            }
            _ => arg.get_help_heading() != Some(ADVANCED),
        }
    }

    /// The end of `-h`; `others` are the options that it does not explain.
    pub(super) fn short(&self, others: &[String]) -> String {
        let mut text = String::new();
        if !others.is_empty() {
            let names = wrapped(others);
            let _ = write!(text, "More options (see --help):\n{names}\n");
        }
        let examples = self.examples.len().min(FIRST_EXAMPLES);
        text += &self.exit_codes_and(&self.examples[..examples]);
        text.trim_end().to_owned()
    }

    /// The end of `--help`.
    pub(super) fn long(&self) -> String {
        let mut text = String::new();
        for (heading, body) in self.sections {
            let _ = write!(text, "{heading}:\n{body}\n\n");
        }
        text += &self.exit_codes_and(self.examples);
        text.trim_end().to_owned()
    }

    fn exit_codes_and(&self, examples: &[(&str, &str)]) -> String {
        let mut text = String::new();
        if !self.exit_codes.is_empty() {
            text += "Exit codes:\n";
            for (code, meaning) in self.exit_codes {
                let _ = writeln!(text, "  {code}  {meaning}");
            }
            text.push('\n');
        }
        if !examples.is_empty() {
            text += "Examples:\n";
        }
        for (what, lines) in examples {
            let _ = writeln!(text, "  {what}");
            for line in lines.lines() {
                let _ = writeln!(text, "    {line}");
            }
        }
        text
    }
}

/// Words in indented lines of at most 80 columns.
fn wrapped(words: &[String]) -> String {
    const WIDTH: usize = 80;
    let mut text = String::new();
    let mut column = WIDTH;
    for word in words {
        if column + 1 + word.len() > WIDTH {
            let end = if text.is_empty() { "" } else { "\n" };
            let _ = write!(text, "{end}  {word}");
            column = 2 + word.len();
        } else {
            let _ = write!(text, " {word}");
            column += 1 + word.len();
        }
    }
    text + "\n"
}

const READING_CODES: &[(u8, &str)] = &[
    (
        0,
        "done; what was read in spite of faults is a note (-v shows them)",
    ),
    (2, "bad usage, or the output could not be written"),
    (
        3,
        "some input could not be read or something was lost; the rest was done",
    ),
];

const CHECKING_CODES: &[(u8, &str)] = &[
    (0, "no finding of the level of --fail-on or above"),
    (1, "there are such findings"),
    (
        2,
        "bad usage, no page in the inputs, or an output could not be written",
    ),
    (3, "some input could not be read (takes precedence over 1)"),
];

/// The texts of a command, or of the program for any other name.
#[must_use]
pub fn texts(command: &str) -> &'static Texts {
    match command {
        "links" => &LINKS,
        "base" => &BASE,
        "audit" => &AUDIT,
        "verify-move" => &VERIFY_MOVE,
        "rewrite" => &REWRITE,
        "diff" => &DIFF,
        "resolve" => &RESOLVE,
        "man" | "completions" | "help" => &NONE,
        _ => &PROGRAM,
    }
}

const NONE: Texts = Texts {
    in_short: &[],
    sections: &[],
    exit_codes: &[],
    examples: &[],
};

const PROGRAM: Texts = Texts {
    in_short: &[],
    sections: &[(
        "For shells and packages",
        "  man          Print the manual page of the program or of a command, in roff
  completions  Print completions for a shell",
    )],
    exit_codes: &[
        (0, "done"),
        (1, "audit, verify-move and diff: something was found"),
        (2, "bad usage, or the output could not be written"),
        (
            3,
            "some input could not be read or something was lost; the rest was done",
        ),
    ],
    examples: &[
        (
            "Which links of a site are broken, and why?",
            "baseref audit public",
        ),
        (
            "The links of a page saved from http://example.org/dir/page.html:",
            "baseref page.html -u http://example.org/dir/page.html",
        ),
        (
            "Every link of a message, with its line and column, for a program:",
            "baseref links --links all --format jsonl mail.eml",
        ),
    ],
};

const LINKS: Texts = Texts {
    in_short: &[],
    sections: &[],
    exit_codes: READING_CODES,
    examples: &[
        (
            "The links of a page saved from http://example.org/dir/page.html:",
            "baseref links -u http://example.org/dir/page.html page.html",
        ),
        (
            "Every link of a mailbox, with images and forms, and its position:",
            "baseref links --links all -f jsonl box.mbox",
        ),
        (
            "A saved site, every file below ./site from http://example.org/:",
            "baseref links --url-map site=http://example.org/ site",
        ),
        (
            "The same, each URL once:",
            "baseref links --url-map site=http://example.org/ --unique site",
        ),
        (
            "The List-* headers of a mailing list, and URLs in the text of its mail:",
            "baseref links --links header,text list.mbox",
        ),
        (
            "Pages saved by browsers and other programs, by the URLs these recorded:",
            "baseref links --saved-from auto saved",
        ),
        (
            "A page from the Wayback Machine, with its original links:",
            "baseref links --unwrap-archive page.html",
        ),
        (
            "Links as a browser resolves them:",
            "baseref links --resolver whatwg page.html",
        ),
        (
            "Only frames and forms, as a table for a spreadsheet:",
            "baseref links --links document,form -f csv -o links.csv page.html",
        ),
        (
            "Files listed by another program, on two threads, URLs ended by NUL:",
            "find . -name '*.eml' | baseref links --files-from - -j 2 -0 |\n  xargs -0 -n1 echo",
        ),
        (
            "How many pages could not be streamed but needed a tree, and why?",
            "baseref links --stats site >links.txt",
        ),
        (
            "The external links of a site, counted by site, most frequent first:",
            "baseref links --url-map site=http://example.org/ --external \\\n  --group-by site site",
        ),
        (
            "Which message has which link, for a spreadsheet:",
            "baseref links -f csv --fields doc,doc_date,from,subject,url box.mbox",
        ),
        (
            "The default fields and the page's own URL:",
            "baseref links -f jsonl --fields +doc_url page.html",
        ),
        (
            "Positions that an editor can open, for links to one host except images:",
            "baseref links -H --links all --host '*.example.org' \\\n  --exclude '[.](png|jpe?g)$' page.html",
        ),
        (
            "The links without a URL, and why:",
            "baseref links --errors -f jsonl page.html",
        ),
        (
            "How many links to matching pages does each page have?",
            "baseref links --internal --include /docs/ --count \\\n  -u http://a/ page.html",
        ),
        (
            "Only links of these schemes:",
            "baseref links --scheme http,https page.html",
        ),
        (
            "For a ticket: nothing clickable, no long data: URLs, no colors:",
            "baseref links --defang --max-url 80 --color never mail.eml",
        ),
        (
            "Pages by name, except one, in hidden folders and symbolic links too:",
            "baseref links --glob '*.html' --glob '!old.html' --hidden -L site",
        ),
        (
            "Every host of a mirror written by wget:",
            "baseref links --url-map wget:mirror mirror",
        ),
        (
            "A compressed archive from another program, with a name:",
            "cat x.warc.gz | baseref links --stdin-name x.warc.gz",
        ),
        (
            "In a script: only errors, as JSON, with exit code 3 for notes too:",
            "baseref links -q --messages jsonl --notes-as-errors mail.eml",
        ),
        (
            "Every message about the inputs:",
            "baseref links -v box.mbox",
        ),
        (
            "A page on standard input, in an encoding it does not declare:",
            "baseref links --input html --encoding windows-1251 - <page.html",
        ),
    ],
};

const BASE: Texts = Texts {
    in_short: &[],
    sections: &[(
        "Where a base comes from",
        "The base of a document is the first of these that is present (RFC 1808 §3):
  1. element    the <base href> in the HTML
  2. header     Base:, Content-Base: or Content-Location: in the headers
                of the message around it, from its own part outwards
  3. retrieval  the URL it was retrieved from: --url, --url-map, or the
                URL that a saved page records
  4. none       absolute links resolve, relative ones have no URL",
    )],
    exit_codes: READING_CODES,
    examples: &[
        (
            "Which base does each part of this mail have, and where is it declared?",
            "baseref base mail.eml",
        ),
        (
            "For programs, every candidate of every layer with its verdict:",
            "baseref base -f jsonl mail.eml",
        ),
        (
            "Where was this page saved from, and would that give its base?",
            "baseref base --saved-from auto page.html",
        ),
        (
            "Only what RFC 1808 itself allows: Base: <URL:...>, absolute <base href>:",
            "baseref base --strict mail.eml",
        ),
    ],
};

const RESOLVE: Texts = Texts {
    in_short: &[],
    sections: &[],
    exit_codes: &[
        (0, "done; a reference without a URL gives an empty line"),
        (2, "bad usage, or the output could not be written"),
        (3, "standard input could not be read to its end"),
    ],
    examples: &[
        (
            "Prints http://a/b/g:",
            "baseref resolve http://a/b/c/d ../g",
        ),
        (
            "No base, so there is no URL, and an empty line:",
            "baseref resolve '' ../g",
        ),
        (
            "RFC 1808, RFC 3986 and browsers side by side:",
            "baseref resolve --compare http://a/b '?' '../../g' '//h:80'",
        ),
        (
            "References from standard input:",
            "printf '%s\\n' g ../g | baseref resolve -f jsonl http://a/b/c/d",
        ),
    ],
};

/// The options of the commands with findings that `-h` explains.
const FINDING_OPTIONS: [&str; 12] = [
    "format",
    "output",
    "out",
    "level",
    "fail-on",
    "rule",
    "allow",
    "baseline",
    "write-baseline",
    "list-rules",
    "explain",
    "help",
];

const AUDIT: Texts = Texts {
    in_short: &[
        &[
            "url-map",
            "hosting",
            "redirects",
            "glob",
            "hidden",
            "status",
            "fix",
        ],
        &FINDING_OPTIONS,
    ],
    sections: &[],
    exit_codes: CHECKING_CODES,
    examples: &[
        (
            "Which links of this built site are broken, and why?",
            "baseref audit public",
        ),
        (
            "What is missing from this crawl? List what to fetch next:",
            "baseref audit crawl.warc.gz --out seeds=missing.txt",
        ),
        (
            "Which links in this mailbox mislead, and where do they really lead?",
            "baseref audit box.mbox",
        ),
        (
            "A site served below https://www.example.com/docs/:",
            "baseref audit public --url-map public=https://www.example.com/docs/",
        ),
        (
            "An HTML report, for a site on GitHub Pages:",
            "baseref audit public --hosting github-pages -f html -o links.html",
        ),
        (
            "Text here, and a report for GitHub's code scanning:",
            "baseref audit public --out sarif=links.sarif",
        ),
        (
            "Accept what is broken today, then report only what is new:",
            "baseref audit public --write-baseline known.jsonl\n\
             baseref audit public --baseline known.jsonl",
        ),
        (
            "What is this rule about?",
            "baseref audit --explain base/retargets-fragment",
        ),
    ],
};

const VERIFY_MOVE: Texts = Texts {
    in_short: &[
        &[
            "from",
            "to",
            "also-old",
            "new-tree",
            "hosting",
            "redirects",
            "urls",
            "status",
            "fix",
        ],
        &FINDING_OPTIONS,
    ],
    sections: &[(
        "Verdicts",
        "  moves-with-tree  leads to the same page at its new address: nothing to do
  pinned-to-old    keeps leading to the old address
  climbs-out       leads above or beside the new location
  escapes-prefix   leads beside the old location now, beside the new one later
  changed-meaning  leads to another page than before
  outside-prefix, external, already-new, opaque
                   lead where they led before

The rule of a finding is move/ and its verdict.",
    )],
    exit_codes: CHECKING_CODES,
    examples: &[
        (
            "Can this site move as it is, if http and https are one site?",
            "baseref verify-move --from http://old.example.com/ \\\n  \
               --also-old https://old.example.com/ \\\n  \
               --to https://www.example.com/docs/ site",
        ),
        (
            "Repair the links, look at the patch, apply it:",
            "baseref verify-move --from URL --to URL --fix patch site >move.diff\n\
             patch -d site -p1 <move.diff",
        ),
        (
            "Write the repaired site, and an HTML report:",
            "baseref verify-move --from URL --to URL --fix fixed \\\n  --out html=move.html site",
        ),
        (
            "A rebuilt site, with its redirects and the URLs of a sitemap:",
            "baseref verify-move --from https://d.example/ \\\n  \
               --to https://d.example/ --new-tree public \\\n  \
               --redirects cloudflare:public/_redirects \\\n  \
               --urls sitemap.xml --out urlmap=urls.csv old",
        ),
        (
            "A site that only a crawl is left of:",
            "baseref verify-move --to https://d.example/ \\\n  \
               --new-tree public --out urlmap=urls.csv crawl.warc.gz",
        ),
        (
            "From a disk to the web:",
            "baseref verify-move --from file:///srv/www/ \\\n  \
               --to https://www.example.com/ /srv/www",
        ),
    ],
};

const REWRITE: Texts = Texts {
    in_short: &[],
    sections: &[(
        "What is edited",
        "URLs in attributes are edited, those of srcset and of refreshes included, and in
feeds and sitemaps those that are the text of elements. All other bytes stay as
they are, and so do quotes, character references and the encoding. Style sheets,
scripts, other text and comments are not edited, nor are mail and archives
(exit code 3), nor links that RFC 1808, RFC 3986 and browsers read differently.",
    )],
    exit_codes: &[
        (0, "done"),
        (
            2,
            "bad usage, no page in the inputs, or an output could not be written",
        ),
        (3, "some input could not be read, or some value not written"),
    ],
    examples: &[
        (
            "Move all links to another host, however they are written:",
            "baseref rewrite --url-map site=http://old.example.com/ \\\n  \
               --move http://old.example.com/=https://www.example.com/ \\\n  \
               site >move.diff\n\
             patch -d site -p1 <move.diff",
        ),
        (
            "Make links to the site's own host relative, so that it can move:",
            "baseref rewrite --url-map site=https://www.example.com/ \\\n  \
               --relative --fix relative site",
        ),
        (
            "Make all links absolute, for a newsletter made from a page:",
            "baseref rewrite -u https://www.example.com/news/1.html \\\n  \
               --absolute news.html | patch -p1",
        ),
    ],
};

const DIFF: Texts = Texts {
    in_short: &[],
    sections: &[(
        "What is equal",
        "Two links are equal if they lead to the same URL: the case of the host, default
ports, escapes and dot segments do not matter, nor does how a link is written.",
    )],
    exit_codes: &[
        (0, "no link differs"),
        (1, "some links differ"),
        (
            2,
            "bad usage, no page in the inputs, or an output could not be written",
        ),
        (3, "some input could not be read (takes precedence over 1)"),
    ],
    examples: &[
        (
            "Which links were lost in the new build?",
            "baseref diff old public",
        ),
        (
            "Sites served below a URL that absolute links use:",
            "baseref diff -u https://www.example.com/docs/ old public",
        ),
        (
            "Compare two earlier runs that wrote their links to files:",
            "baseref links --links all -f jsonl -o old.jsonl old\n\
             baseref links --links all -f jsonl -o new.jsonl new\n\
             baseref diff old.jsonl new.jsonl",
        ),
    ],
};
