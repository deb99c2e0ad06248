//! The arguments of `baseref rewrite`.

use clap::Args;

use super::args::ReadingArgs;

/// The end of the help of `rewrite`.
pub const REWRITE_EXAMPLES: &str = "\
What is edited: the values of attributes, srcset and refreshes included, byte for byte; quotes,
character references and the encoding stay. What is not: style sheets, scripts, text, comments;
mail and archives (exit code 3); links that the rule sets read differently.

Examples:
  Another host for every link that leads below the old one, however it is written:
    baseref rewrite --url-map site=http://old.example.com/ \\
      --move http://old.example.com/=https://www.example.com/ site > move.diff
    patch -d site -p1 < move.diff
  Make links to the site's own host relative, so that the tree can be moved:
    baseref rewrite --url-map site=https://www.example.com/ --relative --fix relative site
  Make all links absolute, for a newsletter made from a page:
    baseref rewrite -u https://www.example.com/news/1.html --absolute news.html | patch -p1

Exit codes: 0 done, 2 bad usage, 3 something could not be read, or a value not be written.";

/// `baseref rewrite`.
#[derive(Debug, Args)]
pub struct RewriteArgs {
    /// What to read and how.
    #[command(flatten)]
    pub reading: ReadingArgs,

    /// Make links that lead below OLD lead below NEW; of several, the longest OLD wins
    #[arg(long = "move", value_name = "OLD=NEW", help_heading = "Edits")]
    pub moves: Vec<String>,

    /// Make links to the host of their base relative
    #[arg(long, conflicts_with = "absolute", help_heading = "Edits")]
    pub relative: bool,

    /// Make links absolute
    #[arg(long, help_heading = "Edits")]
    pub absolute: bool,

    /// `patch` prints a diff for `patch -p1`, relative to the directory if that is the only input;
    /// anything else is a new folder for the files
    #[arg(
        long,
        value_name = "patch|DIR",
        default_value = "patch",
        help_heading = "Edits"
    )]
    pub fix: String,
}
