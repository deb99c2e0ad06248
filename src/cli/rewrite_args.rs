//! What the user typed after `rewrite`.

use clap::Args;

use super::args::ReadingArgs;

/// What `--help` says after the options of `rewrite`.
pub const REWRITE_EXAMPLES: &str = "\
What is edited: the values of attributes, srcset and refreshes included, byte for byte; quotes,
character references and the encoding stay. What is not: style sheets, scripts, text, comments;
mail and archives (exit code 3); links that the rule sets read differently.

Examples:
  Another host for every link that leads below the old one, however it is written:
    baseref rewrite --url-map site=http://old.example.com/ \\
      --move http://old.example.com/=https://www.example.com/ site > move.diff
    patch -d site -p1 < move.diff
  Links to the own host relative, so that the tree can be moved:
    baseref rewrite --url-map site=https://www.example.com/ --relative --fix relative site
  All links whole, for a newsletter made of a page:
    baseref rewrite -u https://www.example.com/news/1.html --absolute news.html | patch -p1

Exit codes: 0 done, 2 bad usage, 3 something could not be read, or a value not be written.";

/// `baseref rewrite`.
#[derive(Debug, Args)]
pub struct RewriteArgs {
    /// What is read and how.
    #[command(flatten)]
    pub reading: ReadingArgs,

    /// Links that lead below OLD are to lead below NEW; of several, the longest OLD counts
    #[arg(long = "move", value_name = "OLD=NEW", help_heading = "Edits")]
    pub moves: Vec<String>,

    /// Write links to the host of their base relative
    #[arg(long, conflicts_with = "absolute", help_heading = "Edits")]
    pub relative: bool,

    /// Write links as whole URLs
    #[arg(long, help_heading = "Edits")]
    pub absolute: bool,

    /// `patch` prints a diff for `patch -p1`, in a directory if that is all that is read; anything
    /// else is a new folder for the files
    #[arg(
        long,
        value_name = "patch|DIR",
        default_value = "patch",
        help_heading = "Edits"
    )]
    pub fix: String,
}
