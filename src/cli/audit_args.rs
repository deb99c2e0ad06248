//! The arguments of `baseref audit`.

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

    /// The URL that a directory is served at, or a path on an unknown host
    #[arg(long, value_name = "DIR=URL")]
    pub url_map: Vec<String>,

    /// Another URL for what is served at a URL: with www, with http
    #[arg(long, value_name = "URL=URL")]
    pub url_alias: Vec<String>,

    /// How the site is served
    #[arg(long, value_name = "PRESET", value_parser = PRESETS.iter().map(|preset| preset.name).collect::<Vec<_>>())]
    pub hosting: Option<String>,

    /// The names of index files
    #[arg(long, value_name = "NAME,...", value_delimiter = ',')]
    pub index: Option<Vec<String>>,

    /// The extensions that can be omitted: `.html,.htm`
    #[arg(long, value_name = "EXT,...", value_delimiter = ',')]
    pub ext: Option<Vec<String>>,

    /// The answer for a folder without its slash
    #[arg(long, value_name = "ANSWER")]
    pub dir: Option<FolderArg>,

    /// Whether `A` and `a` are different names
    #[arg(long, value_name = "WHETHER")]
    pub case: Option<CaseArg>,

    /// The links to judge [default: anchors, resources, documents and forms defined by standards]
    #[arg(long, value_name = "CLASS,...", value_parser = parse_classes)]
    pub links: Option<Classes>,

    /// The rule set that resolves references, with which the others are compared
    #[arg(long, value_name = "RULES", default_value = "rfc1808")]
    pub resolver: RulesArg,

    /// The format of the inputs
    #[arg(long, value_name = "FORMAT", default_value = "auto")]
    pub input: InputArg,

    /// The character encoding of the documents, overriding what they declare
    #[arg(long, value_name = "LABEL", value_parser = parse_encoding)]
    pub encoding: Option<&'static Encoding>,

    /// In directories, judge only documents whose name or path below the directory matches; with a
    /// leading `!`, exclude those that do. The last matching pattern wins; excluded files can still
    /// be link targets
    #[arg(long, value_name = "PATTERN", value_parser = parse_glob)]
    pub glob: Vec<String>,

    /// Judge only links whose URL, as shown in the report, matches one of these expressions; the
    /// others are counted as `filtered`
    #[arg(long, value_name = "REGEX", value_parser = parse_regex)]
    pub include: Vec<Regex>,

    /// Do not judge links whose URL matches one of these expressions
    #[arg(long, value_name = "REGEX", value_parser = parse_regex)]
    pub exclude: Vec<Regex>,

    /// List every link with its class and the file it leads to, in the format `jsonl`
    #[arg(long)]
    pub with_links: bool,

    /// List the files that no other page links to
    #[arg(long)]
    pub unreferenced: bool,

    /// The number of threads; the output is the same for any number [default: all cores]
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub jobs: Option<u16>,

    /// Read more paths from FILE, one per line or NUL-terminated; `-` for standard input
    #[arg(long, value_name = "FILE|-")]
    pub files_from: Option<PathBuf>,

    /// Which findings count, and where they go.
    #[command(flatten)]
    pub findings: FindingsArgs,
}

/// `--dir`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum FolderArg {
    /// A redirect to the URL with a slash
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
