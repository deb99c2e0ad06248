//! The arguments of `baseref audit`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use encoding_rs::Encoding;
use regex::Regex;

use super::findings::{FindingsArgs, redirects_help};
use super::hosting::HostingArgs;
use super::status::StatusArgs;
use super::{
    ADVANCED, InputArg, RulesArg, SavedFromArg, SuggestingParser, class_names, parse_classes,
    parse_encoding, parse_glob, parse_regex, parse_url,
};
use baseref_audit::Scope;
use baseref_document::link_places::Classes;
use baseref_evidence::captures::Tier;

/// `baseref audit`.
#[derive(Debug, Args)]
#[expect(clippy::struct_excessive_bools, reason = "independent flags")]
pub struct AuditArgs {
    /// Sites (folders), archives, mailboxes, or single pages and messages
    ///
    /// Archives are WARC, WACZ, HAR, zip, EPUB, MHTML and MAFF.
    #[arg(value_name = "PATH")]
    pub paths: Vec<PathBuf>,

    /// The URL that a single file, or standard input, was retrieved from
    #[arg(short, long, value_name = "URL", value_parser = parse_url, help_heading = ADVANCED)]
    pub url: Option<String>,

    /// The URL that a folder is served at, or only its path: `DIR=/docs/`
    ///
    /// `wget:DIR` is for a mirror of any number of hosts, with files DIR/HOST/PATH: DIR is the folder
    /// that contains the folders of the hosts. They count as retrieved by https, with
    /// `wget+http:DIR` by http. `wayback:DIR` is for what wayback-machine-downloader (`websites`) or
    /// waybackpack wrote, `httrack:DIR` for a mirror made by HTTrack, with its log.
    #[arg(long, value_name = "DIR=URL")]
    pub url_map: Vec<String>,

    /// Domains that links in mail must not imitate, one a line, besides the sender's
    #[arg(long, value_name = "FILE", help_heading = "What is checked")]
    pub protect_domains: Option<PathBuf>,

    /// Use the URL that the program which saved a page recorded in it, if no better one is known
    #[arg(long, value_name = "WHETHER", default_value = "off", help_heading = ADVANCED)]
    pub saved_from: SavedFromArg,

    /// Follow symbolic links out of a directory, to each directory once
    #[arg(short = 'L', long, help_heading = ADVANCED)]
    pub follow: bool,

    /// Another URL of the same site, such as with `www` or with `http`
    #[arg(long, value_name = "URL=URL", help_heading = ADVANCED)]
    pub url_alias: Vec<String>,

    /// How the server of the sites answers.
    #[command(flatten)]
    pub hosting: HostingArgs,

    /// The server's redirect rules; links are judged by where they end up
    #[arg(long, value_name = "FILE", help_heading = "What is checked", long_help = redirects_help(
        "The server's redirect rules; links are judged by where they end up",
        ""
    ))]
    pub redirects: Vec<String>,

    /// The classes of links to check [default: what browsers fetch and people follow]
    ///
    /// By default anchors, resources, documents and forms are checked, as defined by standards, and of
    /// metadata what browsers fetch, the pages that `link` elements lead to, and sources of quotations.
    /// The values are anchors, all, and the classes anchor, resource, document, form, metadata,
    /// header, text.
    #[arg(long, value_name = "CLASS,...", hide_possible_values = true, value_parser = SuggestingParser { parser: parse_classes, names: class_names }, help_heading = "What is checked")]
    pub links: Option<Classes>,

    /// The standard by which references are resolved; the others are compared with it
    #[arg(long, value_name = "RULES", default_value = "rfc1808", help_heading = ADVANCED)]
    pub resolver: RulesArg,

    /// The format of the inputs
    #[arg(long, value_name = "FORMAT", default_value = "auto", help_heading = ADVANCED)]
    pub input: InputArg,

    /// The character encoding of the documents, overriding what they declare
    #[arg(long, value_name = "LABEL", value_parser = parse_encoding, help_heading = ADVANCED)]
    pub encoding: Option<&'static Encoding>,

    /// Check only matching files; `!PATTERN` excludes
    ///
    /// In folders, a pattern is matched against the name and against the path below the directory. The last one
    /// that matches wins. Excluded files can still be link targets.
    ///
    /// The folders of version control (`.git`, `.hg`, `.svn`) and `node_modules` are skipped in any
    /// case, unless --hidden or a PATH takes them. `.gitignore` is ignored, because it usually lists
    /// the built site.
    #[arg(long, value_name = "PATTERN", value_parser = parse_glob, help_heading = "What is checked")]
    pub glob: Vec<String>,

    /// Also check the folders of version control (`.git`, `.hg`, `.svn`) and `node_modules`
    ///
    /// Without it their files can still be link targets, and are counted as skipped. Other hidden
    /// folders, such as `.well-known`, are always checked.
    #[arg(long, help_heading = "What is checked")]
    pub hidden: bool,

    /// Check only links whose URL matches an expression
    ///
    /// The URL is the one shown in the report. Other links are counted as `filtered`.
    #[arg(long, value_name = "REGEX", value_parser = parse_regex, help_heading = "What is checked")]
    pub include: Vec<Regex>,

    /// Do not check links whose URL matches an expression
    #[arg(long, value_name = "REGEX", value_parser = parse_regex, help_heading = "What is checked")]
    pub exclude: Vec<Regex>,

    /// List every link with its class and its target, in the format `jsonl`
    #[arg(long, help_heading = ADVANCED)]
    pub with_links: bool,

    /// List the files that no other page links to
    #[arg(long, help_heading = "What is checked")]
    pub unreferenced: bool,

    /// Which pages should have been captured; links to others are not reported as missing
    ///
    /// `host` stands for the hosts of captured pages, `pages` for the captured pages alone, `all` for
    /// every page, `prefix=URL` for those whose URL begins so; it can be repeated.
    #[arg(long, value_name = "SCOPE", help_heading = "Archives")]
    pub scope: Vec<Scope>,

    /// How closely the URL of a link must match the URL of a capture
    #[arg(
        long,
        value_name = "HOW",
        default_value = "loose",
        help_heading = "Archives"
    )]
    pub url_match: UrlMatchArg,

    /// An index (CDX, CDXJ) of more captures, which count as if they were among the inputs
    ///
    /// Its lines say what was captured, but not what it contains: the targets of redirects and the
    /// anchors of pages are not checked.
    #[arg(long, value_name = "FILE", help_heading = "Archives")]
    pub cdx: Vec<PathBuf>,

    /// The number of threads [default: all cores]
    ///
    /// The output is the same for any number.
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..), help_heading = ADVANCED)]
    pub jobs: Option<u16>,

    /// Read more paths from FILE, `-` for standard input
    ///
    /// One per line, or each ended by NUL.
    #[arg(long, value_name = "FILE|-", help_heading = ADVANCED)]
    pub files_from: Option<PathBuf>,

    /// Count only findings that are not in DIR, an earlier state of PATH
    ///
    /// A finding is recognised by its rule and the URL of its link, so that it stays known when its
    /// line moves or its page is renamed. DIR counts as served where PATH is.
    #[arg(long, value_name = "DIR", help_heading = "What is checked")]
    pub against: Option<PathBuf>,

    /// Results of a fetcher, by which links to other sites are judged.
    #[command(flatten)]
    pub measured: StatusArgs,

    /// The part of an archived copy's URL before the time [default: the Wayback Machine's]
    #[arg(long, value_name = "URL", requires = "status", value_parser = parse_url, help_heading = ADVANCED)]
    pub archive_url: Option<String>,

    /// Repair links by --status: `moved` writes the new URL, `archived` the copy in a web archive
    ///
    /// `moved` rewrites moved links, `archived` replaces dead ones. If --status has nothing but
    /// captures, `archived` replaces every link that has a copy.
    #[arg(
        long,
        value_name = "WHAT",
        value_delimiter = ',',
        requires = "status",
        help_heading = "Fixing"
    )]
    pub fix: Vec<FixArg>,

    /// Print a diff for `patch -p1`, or write a repaired copy to the new folder DIR
    ///
    /// With a diff on standard output, reports need `-o` or `--out`.
    #[arg(
        long,
        value_name = "patch|DIR",
        default_value = "patch",
        requires = "fix",
        help_heading = "Fixing"
    )]
    pub fix_into: String,

    /// Which findings count, and where they go.
    #[command(flatten)]
    pub findings: FindingsArgs,
}

/// `--fix`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum FixArg {
    /// The new URL of `external/moved`
    Moved,
    /// The copy of `external/archived`
    Archived,
}

/// `--url-match`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum UrlMatchArg {
    /// They have one normal form
    Exact,
    /// They may differ in http or https, in www, in a user name
    Twin,
    /// They may also differ in case, the last slash, sessions and the order of the query
    Loose,
}

impl From<UrlMatchArg> for Tier {
    fn from(argument: UrlMatchArg) -> Self {
        match argument {
            UrlMatchArg::Exact => Self::Exact,
            UrlMatchArg::Twin => Self::Twin,
            UrlMatchArg::Loose => Self::Loose,
        }
    }
}
