//! `baseref audit`, as it is typed.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use encoding_rs::Encoding;
use regex::Regex;

use super::args::{InputArg, RulesArg, parse_classes, parse_encoding, parse_glob, parse_regex};
use super::findings_args::FindingsArgs;
use crate::site::hosting::{Folder, PRESETS};
use crate::slots::Classes;

/// `baseref audit`.
#[derive(Debug, Args)]
pub struct AuditArgs {
    /// Directories, each the root of a site; or files
    #[arg(value_name = "PATH")]
    pub paths: Vec<PathBuf>,

    /// The address that a directory is served under: a URL, or a path on a host that is not known
    #[arg(long, value_name = "DIR=URL")]
    pub url_map: Vec<String>,

    /// Another address of what is served under a URL: with www, with http
    #[arg(long, value_name = "URL=URL")]
    pub url_alias: Vec<String>,

    /// How the site is served
    #[arg(long, value_name = "PRESET", value_parser = PRESETS.iter().map(|preset| preset.name).collect::<Vec<_>>())]
    pub hosting: Option<String>,

    /// The names of index files
    #[arg(long, value_name = "NAME,...", value_delimiter = ',')]
    pub index: Option<Vec<String>>,

    /// The extensions that can be left out: `.html,.htm`
    #[arg(long, value_name = "EXT,...", value_delimiter = ',')]
    pub ext: Option<Vec<String>>,

    /// What is answered for a folder without its slash
    #[arg(long, value_name = "ANSWER")]
    pub dir: Option<FolderArg>,

    /// Whether A and a are different names
    #[arg(long, value_name = "WHETHER")]
    pub case: Option<CaseArg>,

    /// The places that are judged [default: anchors, resources, documents and forms of the
    /// standards]
    #[arg(long, value_name = "CLASS,...", value_parser = parse_classes)]
    pub links: Option<Classes>,

    /// The rule set that resolves references; the others are compared with it
    #[arg(long, value_name = "RULES", default_value = "rfc1808")]
    pub resolver: RulesArg,

    /// What the inputs are
    #[arg(long, value_name = "FORMAT", default_value = "auto")]
    pub input: InputArg,

    /// The character encoding of the documents, over what they declare themselves
    #[arg(long, value_name = "LABEL", value_parser = parse_encoding)]
    pub encoding: Option<&'static Encoding>,

    /// In directories, judge only documents whose name or path below the directory matches; with
    /// `!` before it, leave out those that do. The last one that matches counts; what is left out
    /// is still there to be linked to
    #[arg(long, value_name = "PATTERN", value_parser = parse_glob)]
    pub glob: Vec<String>,

    /// Judge only links whose URL, as the report shows it, matches one of these expressions; the
    /// others are counted as `filtered`
    #[arg(long, value_name = "REGEX", value_parser = parse_regex)]
    pub include: Vec<Regex>,

    /// Judge no links whose URL matches one of these expressions
    #[arg(long, value_name = "REGEX", value_parser = parse_regex)]
    pub exclude: Vec<Regex>,

    /// List every link with its class and the file it leads to, in the format `jsonl`
    #[arg(long)]
    pub with_links: bool,

    /// List the files that no other page leads to
    #[arg(long)]
    pub unreferenced: bool,

    /// How many threads work; the output is the same for any number [default: all cores]
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub jobs: Option<u16>,

    /// Read more paths from FILE, one a line or each ended by NUL; `-` for standard input
    #[arg(long, value_name = "FILE|-")]
    pub files_from: Option<PathBuf>,

    /// What counts, and where it goes.
    #[command(flatten)]
    pub findings: FindingsArgs,
}

/// `--dir`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum FolderArg {
    /// A redirect to the address with a slash
    Redirect,
    /// The index
    Serve,
    /// Not found
    #[value(name = "404")]
    NotFound,
}

impl From<FolderArg> for Folder {
    fn from(argument: FolderArg) -> Self {
        match argument {
            FolderArg::Redirect => Self::Redirect,
            FolderArg::Serve => Self::Serve,
            FolderArg::NotFound => Self::NotFound,
        }
    }
}

/// `--case`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum CaseArg {
    /// They are
    Sensitive,
    /// They are not
    Insensitive,
}
