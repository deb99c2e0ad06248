//! The arguments of `baseref diff`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::{ADVANCED, RulesArg, SuggestingParser, class_names, parse_classes};
use baseref_document::link_places::Classes;
use baseref_report::differences::DiffFormat;

/// `baseref diff`.
#[derive(Debug, Args)]
pub struct DiffArgs {
    /// The first site, page, or output of `links -f jsonl`
    #[arg(value_name = "A")]
    pub old: PathBuf,

    /// The second one
    #[arg(value_name = "B")]
    pub new: PathBuf,

    /// The URL that both sites are served at; without it, URLs in them are paths
    #[arg(short, long, value_name = "URL", value_parser = super::parse_url)]
    pub url: Option<String>,

    /// Which links to compare: anchors, all, or classes separated by commas
    #[arg(long, value_name = "CLASSES", default_value = "all", hide_possible_values = true, value_parser = SuggestingParser { parser: parse_classes, names: class_names })]
    pub links: Classes,

    /// The standard by which references are resolved
    #[arg(long, value_name = "RULES", default_value = "rfc1808")]
    pub resolver: RulesArg,

    /// The output format
    #[arg(short, long, value_name = "FORMAT", default_value = "text")]
    pub format: DiffFormatArg,

    /// Show every changed link by itself, not once for all documents with the same change
    #[arg(long)]
    pub no_group: bool,

    /// Write the output to FILE
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,

    /// The number of threads [default: all cores]
    ///
    /// The output is the same for any number.
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..), help_heading = ADVANCED)]
    pub jobs: Option<u16>,
}

/// `--format`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum DiffFormatArg {
    /// One link per line, its position first; the same change in many documents is shown once
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
