//! The arguments of `baseref diff`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::args::{RulesArg, parse_classes};
use crate::report::differences::DiffFormat;
use crate::slots::Classes;

/// The end of the help of `diff`.
pub const DIFF_EXAMPLES: &str = "\
Two links are equal if they lead to the same URL: case of the host, default ports, escapes and dot
segments do not matter, nor does how a link is written.

Examples:
  Which links were lost in the new build?
    baseref diff old public
  The same for trees served below a URL, which absolute links use:
    baseref diff -u https://www.example.com/docs/ old public
  Compare two earlier runs that wrote their links to files:
    baseref links --links all -f jsonl -o old.jsonl old
    baseref links --links all -f jsonl -o new.jsonl new
    baseref diff old.jsonl new.jsonl

Exit codes: 0 no link differs, 1 some do, 2 bad usage, 3 something could not be read.";

/// `baseref diff`.
#[derive(Debug, Args)]
pub struct DiffArgs {
    /// The first tree, page, or output of `links -f jsonl`
    #[arg(value_name = "A")]
    pub old: PathBuf,

    /// The second one
    #[arg(value_name = "B")]
    pub new: PathBuf,

    /// The URL that both trees are served at; without it, URLs in them are paths
    #[arg(short, long, value_name = "URL", value_parser = super::args::parse_url)]
    pub url: Option<String>,

    /// Which links to compare: anchors, all, or classes separated by commas
    #[arg(long, value_name = "CLASSES", default_value = "all", value_parser = parse_classes)]
    pub links: Classes,

    /// The rule set that resolves references
    #[arg(long, value_name = "RULES", default_value = "rfc1808")]
    pub resolver: RulesArg,

    /// The form of the output
    #[arg(short, long, value_name = "FORMAT", default_value = "text")]
    pub format: DiffFormatArg,

    /// Write the output to FILE
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,

    /// The number of threads; the output is the same for any number [default: all cores]
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub jobs: Option<u16>,
}

/// `--format`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum DiffFormatArg {
    /// One link per line, its place first
    Text,
    /// One JSON object per line
    Jsonl,
    /// Comma-separated values with a header line
    Csv,
}

impl From<DiffFormatArg> for DiffFormat {
    fn from(argument: DiffFormatArg) -> Self {
        match argument {
            DiffFormatArg::Text => Self::Text,
            DiffFormatArg::Jsonl => Self::Jsonl,
            DiffFormatArg::Csv => Self::Csv,
        }
    }
}
