//! The arguments of `baseref verify-move`.

use std::path::PathBuf;

use clap::Args;

use super::findings_args::FindingsArgs;

/// The end of the help of `verify-move`.
pub const VERIFY_MOVE_EXAMPLES: &str = "\
What it says of a link (the rule is move/ and this):
  moves-with-tree   leads to the same page at its new place: nothing to do
  pinned-to-old     keeps leading to the old place
  climbs-out        leads beside or above the new place
  escapes-prefix    a neighbour of the old place, looked for at the new one
  changed-meaning   leads to another page than before
  outside-prefix, external, already-new, opaque: lead where they led

Examples:
  Can this tree move as it is? http and https are the same site:
    baseref verify-move --from http://old.example.com/ --also-old https://old.example.com/ \\
      --to https://www.example.com/docs/ site
  Fix what holds it back, look at the patch, apply it:
    baseref verify-move --from URL --to URL --fix patch site > move.diff
    patch -d site -p1 < move.diff
  Or write the fixed tree, with the report beside it as a page:
    baseref verify-move --from URL --to URL --fix mended --out html=move.html site
  A site that was rebuilt, with its redirects and the addresses of a sitemap:
    baseref verify-move --from https://d.example/ --to https://d.example/ --new-tree public \\
      --redirects cloudflare:public/_redirects --urls sitemap.xml \\
      --out urlmap=urls.csv old
  From a disk to the web:
    baseref verify-move --from file:///srv/www/ --to https://www.example.com/ /srv/www

Exit codes: 0 movable, 1 findings, 2 bad usage, 3 something could not be read or was refused.";

/// `baseref verify-move`.
#[derive(Debug, Args)]
pub struct VerifyMoveArgs {
    /// The tree that moves, in its present state
    #[arg(value_name = "DIR", required_unless_present_any = ["list_rules", "explain"])]
    pub dir: Option<PathBuf>,

    /// The present URL of the tree
    #[arg(long, value_name = "OLDURL", required_unless_present_any = ["list_rules", "explain"])]
    pub from: Option<String>,

    /// The URL of the tree after the move
    #[arg(long, value_name = "NEWURL", required_unless_present_any = ["list_rules", "explain"])]
    pub to: Option<String>,

    /// Another present URL of the tree: with https, with www
    #[arg(long, value_name = "URL")]
    pub also_old: Vec<String>,

    /// A part of the tree, or a neighbour, that moves elsewhere; the longest prefix wins
    #[arg(long = "move", value_name = "OLD=NEW")]
    pub moves: Vec<String>,

    /// The tree rebuilt for the new place; without it, the same files are there
    #[arg(long, value_name = "DIR")]
    pub new_tree: Option<PathBuf>,

    /// Redirect rules: csv, tsv, json, netlify, cloudflare, apache, htaccess (FILE@/folder/ gives
    /// its folder) or nginx; the dialect is taken from the file name if possible. `html-stubs:DIR`
    /// for pages of the old place that refresh to new ones
    #[arg(long, value_name = "[DIALECT:]FILE")]
    pub redirects: Vec<String>,

    /// Every old address without a rule of its own redirects to the same path below NEWURL
    #[arg(long)]
    pub prefix_redirect: bool,

    /// More old addresses: one per line, CSV with a column of URLs, or a sitemap
    #[arg(long, value_name = "FILE")]
    pub urls: Vec<PathBuf>,

    /// Fix the links: `patch` prints a diff for `patch -p1`, anything else is a new folder for the
    /// fixed tree
    #[arg(long, value_name = "patch|DIR")]
    pub fix: Option<String>,

    /// How to report the findings.
    #[command(flatten)]
    pub findings: FindingsArgs,

    /// The number of threads; the output is the same for any number [default: all cores]
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub jobs: Option<u16>,
}
