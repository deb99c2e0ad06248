//! The arguments of `baseref verify-move`.

use std::path::PathBuf;

use clap::Args;

use super::ADVANCED;
use super::findings::FindingsArgs;
use super::status::StatusArgs;

/// `baseref verify-move`.
#[derive(Debug, Args)]
pub struct VerifyMoveArgs {
    /// The site that moves, in its present state: a folder, a zip, captures (WARC, WACZ, HAR), or an
    /// index of captures (CDX, CDXJ)
    #[arg(value_name = "OLD", required_unless_present_any = ["list_rules", "explain"])]
    pub dir: Option<PathBuf>,

    /// The present URL of the site
    ///
    /// Captures of one host say it themselves; of those of several hosts it chooses one.
    #[arg(long, value_name = "OLDURL")]
    pub from: Option<String>,

    /// The URL of the tree after the move
    #[arg(long, value_name = "NEWURL", required_unless_present_any = ["list_rules", "explain"])]
    pub to: Option<String>,

    /// Another present URL of the tree, such as with https or with www
    #[arg(long, value_name = "URL", help_heading = "Addresses")]
    pub also_old: Vec<String>,

    /// A part of the tree, or a neighbour, that moves elsewhere
    ///
    /// The longest prefix wins.
    #[arg(long = "move", value_name = "OLD=NEW", help_heading = "Addresses")]
    pub moves: Vec<String>,

    /// The tree rebuilt for the new place; without it, the same files are there
    #[arg(long, value_name = "DIR")]
    pub new_tree: Option<PathBuf>,

    /// The redirects of the old place
    ///
    /// The dialects are csv, tsv, json, netlify, cloudflare, apache, htaccess (FILE@/folder/ gives
    /// its folder), nginx, firebase, vercel, next, caddy, swa, s3 and iis; without one it is taken
    /// from the file name if possible.
    /// html-stubs:DIR are pages of the old place that refresh to new ones.
    #[arg(long, value_name = "[DIALECT:]FILE")]
    pub redirects: Vec<String>,

    /// Assume that the server redirects all other old addresses to the same path below NEWURL
    #[arg(long, help_heading = "Addresses")]
    pub prefix_redirect: bool,

    /// More old addresses: a list, CSV with a column of URLs, or a sitemap
    #[arg(long, value_name = "FILE", help_heading = "Addresses")]
    pub urls: Vec<PathBuf>,

    /// Fix the links: print a diff for `patch -p1`, or write the fixed tree to DIR
    #[arg(long, value_name = "patch|DIR")]
    pub fix: Option<String>,

    /// Count only what was not wrong in DIR, an earlier state of the new tree or, without one, of the
    /// tree that moves
    #[arg(long, value_name = "DIR", help_heading = "What is checked")]
    pub against: Option<PathBuf>,

    /// What was measured of the old addresses after the launch, to be compared with what is
    /// predicted of them.
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
