//! The arguments of `baseref links`.

use std::path::PathBuf;

use baseref_files::globs::Glob;
use clap::Args;
use regex::Regex;

use super::help::ADVANCED;
use super::offered::SuggestingParser;
use super::reading::ReadingArgs;
use super::values::{
    Grouping, LinksFormatArg, class_names, grouping_names, parse_classes, parse_fields,
    parse_grouping, parse_host, parse_regex,
};
use baseref_document::link_places::Classes;
use baseref_report::column::{Record, Selection};
use baseref_report::links::Links;

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
#[expect(clippy::struct_excessive_bools, reason = "independent flags")]
pub struct ChoiceArgs {
    /// The links to print: anchors, all, or any of the classes anchor, resource, document, form,
    /// metadata, header, text [default: anchors, and text of a message without HTML]
    ///
    /// Anchors are `a` and `area`, and what invitations and `.url` files in messages lead to;
    /// resources are what a page loads, such as images and scripts; documents are other pages shown
    /// in it, such as frames. Messages also have the classes header (List-Help, Archived-At...) and
    /// text (URLs in plain text).
    #[arg(long, value_name = "CLASS,...", hide_possible_values = true, value_parser = SuggestingParser { parser: parse_classes, names: class_names })]
    pub links: Option<Classes>,

    /// Include links in conditional comments (`<!--[if mso]>`, where Outlook has its own)
    #[arg(long, help_heading = ADVANCED)]
    pub comments: bool,

    /// Print a link to a capture in a Wayback-style web archive as the URL captured
    #[arg(long, help_heading = ADVANCED)]
    pub unwrap_archive: bool,

    /// Select and count links by the URL in their wrappers
    ///
    /// For --scheme, --host, --include, --exclude, --external, --internal, --unique and --group-by:
    /// Safe Links, URL Defense, newsletter trackers and redirectors are opened first, offline.
    #[arg(long = "final", help_heading = "Which links")]
    pub by_final: bool,

    /// Print only links whose URL has one of these schemes
    #[arg(
        long,
        value_name = "SCHEME,...",
        value_delimiter = ',',
        help_heading = "Which links"
    )]
    pub scheme: Vec<String>,

    /// Print only links to hosts that match a pattern, such as `*.example.org`
    #[arg(long, value_name = "GLOB", value_parser = parse_host, help_heading = "Which links")]
    pub host: Vec<Glob>,

    /// Print only links whose URL matches an expression
    #[arg(long, value_name = "REGEX", value_parser = parse_regex, help_heading = "Which links")]
    pub include: Vec<Regex>,

    /// Leave out links whose URL matches an expression
    #[arg(long, value_name = "REGEX", value_parser = parse_regex, help_heading = "Which links")]
    pub exclude: Vec<Regex>,

    /// Print only links to hosts other than the document's own
    ///
    /// If its URL is unknown, these are the absolute links.
    #[arg(long, conflicts_with = "internal", help_heading = "Which links")]
    pub external: bool,

    /// Print only links to the document's own host
    ///
    /// If its URL is unknown, these are the relative links.
    #[arg(long, help_heading = "Which links")]
    pub internal: bool,

    /// Print only links without a URL
    #[arg(long, conflicts_with_all = ["scheme", "host", "include", "exclude"], help_heading = "Which links")]
    pub errors: bool,

    /// Print only the first link with each URL
    ///
    /// All links without a URL are kept.
    #[arg(long, help_heading = "Which links")]
    pub unique: bool,
}

/// How to print links.
#[derive(Debug, Args)]
#[expect(clippy::struct_excessive_bools, reason = "independent flags")]
pub struct FormArgs {
    /// The output format
    #[arg(short, long, value_name = "FORMAT", default_value = "url")]
    pub format: LinksFormatArg,

    // Its help lists the columns: see `fields_help`.
    #[arg(long, value_name = "NAME,...", hide_possible_values = true, value_parser = SuggestingParser { parser: parse_fields, names: field_names }, help_heading = "Output", help = FIELDS_HELP, long_help = fields_help())]
    pub fields: Option<Selection<Links>>,

    /// Print the URL inside Safe Links, URL Defense, newsletter trackers and redirectors, as far as it
    /// can be decoded offline
    ///
    /// The formats with fields get `final_url`, `wrappers`, `unwrap_error` and `unwrap_hint`.
    #[arg(long, conflicts_with_all = ["count", "group_by"], help_heading = "Output")]
    pub unwrap: bool,

    /// The configuration file, whose `[[unwrap]]` adds wrappers [default: baseref.toml, if it exists]
    #[arg(long, value_name = "FILE", help_heading = ADVANCED)]
    pub config: Option<PathBuf>,

    /// Print the number of links in each document instead of the links
    #[arg(long, conflicts_with_all = ["unique", "group_by", "fields"], help_heading = "Output")]
    pub count: bool,

    /// Print the number of links by something they share, most frequent first: host, site, scheme,
    /// class, doc, url, or any two fields, as in `src_site,site`
    #[arg(long, value_name = "WHAT", conflicts_with = "unique", hide_possible_values = true, value_parser = SuggestingParser { parser: parse_grouping, names: grouping_names }, help_heading = "Output")]
    pub group_by: Option<Grouping>,

    /// Terminate each URL with NUL instead of a newline (only with the format `url`)
    #[arg(short = '0', long = "null", help_heading = ADVANCED)]
    pub nul: bool,

    /// Print the position, `DOC:LINE:COLUMN:`, before each URL
    ///
    /// Only with the format `url`; the others have columns for it.
    #[arg(short = 'H', long, help_heading = "Output")]
    pub with_filename: bool,

    /// Write URLs, hosts and addresses so that no program makes links of them: `hxxp://example[.]org/`
    #[arg(long, help_heading = "Output")]
    pub defang: bool,

    /// Cut URLs after N characters and say how many are left out, in all formats [default: `data:`
    /// URLs after 2000 at a terminal, else no limit]
    #[arg(long, value_name = "N", help_heading = ADVANCED)]
    pub max_url: Option<usize>,

    /// Report how the documents were read: in the order of their tags, or by building their tree,
    /// and why
    #[arg(long, help_heading = ADVANCED)]
    pub stats: bool,
}

const FIELDS_HELP: &str = "The fields of each link; `+` before the first adds to the default ones";

fn field_names() -> Vec<&'static str> {
    Links::COLUMNS.iter().map(|column| column.name).collect()
}

/// The long help of `--fields`, with the names of the columns.
fn fields_help() -> String {
    let names = field_names();
    format!(
        "{FIELDS_HELP}\n\nThey are printed in this order, except in the format `url`, which has \
         none. There are {}.",
        names.join(", ")
    )
}
