//! The arguments of `baseref verify-move`.

use std::path::PathBuf;

use clap::Args;

use super::ADVANCED;
use super::findings::{FindingsArgs, redirects_help};
use super::hosting::HostingArgs;
use super::status::StatusArgs;

/// `baseref verify-move`.
#[derive(Debug, Args)]
pub struct VerifyMoveArgs {
    /// The current site: a folder, a zip, captures (WARC, WACZ, HAR), or their index (CDX, CDXJ)
    #[arg(value_name = "OLD", required_unless_present_any = ["list_rules", "explain"])]
    pub dir: Option<PathBuf>,

    /// The current URL of the site
    ///
    /// Captures of one host tell it; for captures of several hosts it chooses one.
    #[arg(long, value_name = "OLDURL")]
    pub from: Option<String>,

    /// The URL of the site after the move
    #[arg(long, value_name = "NEWURL", required_unless_present_any = ["list_rules", "explain"])]
    pub to: Option<String>,

    /// Another current URL of the site, such as with https or www
    #[arg(long, value_name = "URL", help_heading = "Addresses")]
    pub also_old: Vec<String>,

    /// A part of the site, or a neighbour, that moves elsewhere
    ///
    /// The longest prefix wins.
    #[arg(long = "move", value_name = "OLD=NEW", help_heading = "Addresses")]
    pub moves: Vec<String>,

    /// The rebuilt site [default: the same files as before]
    #[arg(long, value_name = "DIR")]
    pub new_tree: Option<PathBuf>,

    /// The redirect rules of the old server
    #[arg(long, value_name = "FILE", long_help = redirects_help(
        "The redirect rules of the old server",
        " html-stubs:DIR are old pages that refresh to new ones."
    ))]
    pub redirects: Vec<String>,

    /// How the server of the site answers where no rules say so.
    #[command(flatten)]
    pub hosting: HostingArgs,

    /// Assume that all other old URLs redirect to the same path below NEWURL
    #[arg(long, help_heading = "Addresses")]
    pub prefix_redirect: bool,

    /// More old URLs: a list, CSV with a column of URLs, or a sitemap
    #[arg(long, value_name = "FILE", help_heading = "Addresses")]
    pub urls: Vec<PathBuf>,

    /// Repair links: print a diff for `patch -p1`, or write a copy to DIR
    #[arg(long, value_name = "patch|DIR")]
    pub fix: Option<String>,

    /// Count only findings that are not in DIR, an earlier state of the new site (or, without
    /// --new-tree, of OLD)
    #[arg(long, value_name = "DIR", help_heading = "What is checked")]
    pub against: Option<PathBuf>,

    /// Results of a fetcher for the old URLs after the launch, to compare with the predictions.
    #[command(flatten)]
    pub measured: StatusArgs,

    /// How to report the findings.
    #[command(flatten)]
    pub findings: FindingsArgs,

    /// The number of threads [default: all cores]
    ///
    /// The output is the same for any number.
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..), help_heading = ADVANCED)]
    pub jobs: Option<u16>,
}
