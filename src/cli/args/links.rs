//! The arguments of `baseref links`.

use clap::Args;
use globset::GlobMatcher;
use regex::Regex;

use super::reading::ReadingArgs;
use super::values::{
    GroupByArg, LinksFormatArg, parse_classes, parse_fields, parse_host, parse_regex,
};
use crate::report::column::{Record, Selection};
use crate::report::links::Links;
use crate::slots::Classes;

/// `baseref links`.
#[derive(Debug, Args)]
pub struct LinksArgs {
    /// What to read and how.
    #[command(flatten)]
    pub reading: ReadingArgs,

    /// Which links to print.
    #[command(flatten)]
    pub choice: ChoiceArgs,

    /// How to print them.
    #[command(flatten)]
    pub form: FormArgs,
}

/// Which links to print.
#[derive(Debug, Args)]
#[command(next_help_heading = "Links")]
#[expect(clippy::struct_excessive_bools, reason = "independent flags")]
pub struct ChoiceArgs {
    /// The links to print: `anchors` (a, area), `all`, or classes: anchor, resource,
    /// document, form, metadata; of messages also header (List-Help, Archived-At...) and text
    /// (plain text)
    #[arg(long, value_name = "CLASS,...", default_value = "anchors", value_parser = parse_classes)]
    pub links: Classes,

    /// Include the links in conditional comments (`<!--[if mso]>`, where Outlook has its own)
    #[arg(long)]
    pub comments: bool,

    /// Print links to captures in Wayback-style web archives as the captured URL
    #[arg(long)]
    pub unwrap_archive: bool,

    /// Print only links whose URL has one of these schemes
    #[arg(long, value_name = "SCHEME,...", value_delimiter = ',')]
    pub scheme: Vec<String>,

    /// Print only links to hosts that match a pattern, such as `*.example.org`
    #[arg(long, value_name = "GLOB", value_parser = parse_host)]
    pub host: Vec<GlobMatcher>,

    /// Print only links whose URL matches one of these expressions
    #[arg(long, value_name = "REGEX", value_parser = parse_regex)]
    pub include: Vec<Regex>,

    /// Do not print links whose URL matches one of these expressions
    #[arg(long, value_name = "REGEX", value_parser = parse_regex)]
    pub exclude: Vec<Regex>,

    /// Print only links to hosts other than the document's own; if its URL is unknown, only
    /// absolute links
    #[arg(long, conflicts_with = "internal")]
    pub external: bool,

    /// Print only links to the document's own host; if its URL is unknown, only relative links
    #[arg(long)]
    pub internal: bool,

    /// Print only links without a URL
    #[arg(long, conflicts_with_all = ["scheme", "host", "include", "exclude"])]
    pub errors: bool,

    /// Print only the first link with each URL; all links without a URL are kept
    #[arg(long)]
    pub unique: bool,
}

/// How to print links.
#[derive(Debug, Args)]
#[command(next_help_heading = "Output")]
#[expect(clippy::struct_excessive_bools, reason = "independent flags")]
pub struct FormArgs {
    /// The output format
    #[arg(short, long, value_name = "FORMAT", default_value = "url")]
    pub format: LinksFormatArg,

    // Its help lists the columns: see `fields_help`.
    #[expect(missing_docs, reason = "a doc comment would be used as the help")]
    #[arg(long, value_name = "NAME,...", value_parser = parse_fields, help = fields_help())]
    pub fields: Option<Selection<Links>>,

    /// Print the number of links in each document instead of the links
    #[arg(long, conflicts_with_all = ["unique", "group_by", "fields"])]
    pub count: bool,

    /// Print the number of links by something they share, largest first
    #[arg(long, value_name = "WHAT", conflicts_with_all = ["unique", "fields"])]
    pub group_by: Option<GroupByArg>,

    /// Terminate each URL with NUL instead of a newline (only with the format `url`)
    #[arg(short = '0', long = "null")]
    pub nul: bool,

    /// Print the place, `DOC:LINE:COLUMN:`, before each URL (only with the format `url`)
    #[arg(short = 'H', long)]
    pub with_filename: bool,

    /// Defang URLs so that nothing takes them for links: `hxxp://example[.]org/` (only with the
    /// format `url`)
    #[arg(long)]
    pub defang: bool,

    /// Truncate `data:` URLs after N characters (only with the format `url`) [default: 2000 at a
    /// terminal, else no limit]
    #[arg(long, value_name = "N")]
    pub max_url: Option<usize>,

    /// Report on standard error how the documents were read: in the order of their tags, or by
    /// building their tree, and why
    #[arg(long)]
    pub stats: bool,
}

/// The help of `--fields`, with the names of the columns.
fn fields_help() -> String {
    let names: Vec<&str> = Links::COLUMNS.iter().map(|column| column.name).collect();
    format!(
        "The fields of each link and their order (not with the format `url`); with `+` before \
         the first name they are added to the default ones. There are {}",
        names.join(", ")
    )
}
