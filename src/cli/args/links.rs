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
    /// What is read and how.
    #[command(flatten)]
    pub reading: ReadingArgs,

    /// Which links are printed.
    #[command(flatten)]
    pub choice: ChoiceArgs,

    /// How they are printed.
    #[command(flatten)]
    pub form: FormArgs,
}

/// Which links are printed.
#[derive(Debug, Args)]
#[command(next_help_heading = "Links")]
#[expect(
    clippy::struct_excessive_bools,
    reason = "flags that are typed or not, each whatever the others are"
)]
pub struct ChoiceArgs {
    /// The links to print: `anchors` (a, area), `all`, or classes: anchor, resource,
    /// document, form, metadata; of messages also header (List-Help, Archived-At...) and text
    /// (plain text)
    #[arg(long, value_name = "CLASS,...", default_value = "anchors", value_parser = parse_classes)]
    pub links: Classes,

    /// Take the links in conditional comments as well (`<!--[if mso]>`, in which Outlook has its
    /// own)
    #[arg(long)]
    pub comments: bool,

    /// Print links to captures in web archives of the Wayback kind as the URL that was captured
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

    /// Print no links whose URL matches one of these expressions
    #[arg(long, value_name = "REGEX", value_parser = parse_regex)]
    pub exclude: Vec<Regex>,

    /// Print only links to other hosts than the document's own; where its URL is not known, only
    /// absolute links
    #[arg(long, conflicts_with = "internal")]
    pub external: bool,

    /// Print only links to the document's own host; where its URL is not known, only relative
    /// links
    #[arg(long)]
    pub internal: bool,

    /// Print only links without a URL
    #[arg(long, conflicts_with_all = ["scheme", "host", "include", "exclude"])]
    pub errors: bool,

    /// Print only the first link with each URL; links without a URL are all kept
    #[arg(long)]
    pub unique: bool,
}

/// How links are printed.
#[derive(Debug, Args)]
#[command(next_help_heading = "Output")]
#[expect(
    clippy::struct_excessive_bools,
    reason = "flags that are typed or not, each whatever the others are"
)]
pub struct FormArgs {
    /// The form of the output
    #[arg(short, long, value_name = "FORMAT", default_value = "url")]
    pub format: LinksFormatArg,

    // Its help has the names of the column table: see `fields_help`.
    #[expect(missing_docs, reason = "a comment would be the help")]
    #[arg(long, value_name = "NAME,...", value_parser = parse_fields, help = fields_help())]
    pub fields: Option<Selection<Links>>,

    /// Print how many links each document has, not the links
    #[arg(long, conflicts_with_all = ["unique", "group_by", "fields"])]
    pub count: bool,

    /// Print how many links there are by what they share, largest number first
    #[arg(long, value_name = "WHAT", conflicts_with_all = ["unique", "fields"])]
    pub group_by: Option<GroupByArg>,

    /// End each URL with NUL instead of a newline (only with the format `url`)
    #[arg(short = '0', long = "null")]
    pub nul: bool,

    /// Print the place, `DOC:LINE:COLUMN:`, before each URL (only with the format `url`)
    #[arg(short = 'H', long)]
    pub with_filename: bool,

    /// Make URLs that nothing takes for a link: `hxxp://example[.]org/` (only with the format
    /// `url`)
    #[arg(long)]
    pub defang: bool,

    /// Cut `data:` URLs after N characters (only with the format `url`) [default: 2000 at a
    /// terminal, else no limit]
    #[arg(long, value_name = "N")]
    pub max_url: Option<usize>,

    /// Say on standard error how the documents were read: in the order of their tags, or by
    /// their tree and why
    #[arg(long)]
    pub stats: bool,
}

/// The help of `--fields`, with the names of the column table.
fn fields_help() -> String {
    let names: Vec<&str> = Links::COLUMNS.iter().map(|column| column.name).collect();
    format!(
        "The fields of each link and their order (not with the format `url`); with `+` before \
         the first name they are added to the default ones. There are {}",
        names.join(", ")
    )
}
