//! The arguments shared by the commands that read documents.

use std::path::PathBuf;

use clap::{ArgAction, Args};
use encoding_rs::Encoding;

use super::values::{
    ColorArg, FailOnArg, InputArg, MessagesArg, RulesArg, SavedFromArg, UrlMap, parse_encoding,
    parse_glob, parse_jobs, parse_url, parse_url_map,
};
use crate::base::Policy;

/// What to read, how, and what to report about it.
#[derive(Debug, Args)]
pub struct ReadingArgs {
    /// What to read.
    #[command(flatten)]
    pub inputs: InputArgs,

    /// How to establish their bases.
    #[command(flatten)]
    pub base: BaseOfArgs,

    /// What to output.
    #[command(flatten)]
    pub output: OutputArgs,
}

/// The inputs.
#[derive(Debug, Args)]
#[command(next_help_heading = "Input")]
pub struct InputArgs {
    /// Files, directories (walked in byte order of names, taking what is recognised), or `-`
    /// for standard input
    #[arg(value_name = "PATH|-")]
    pub paths: Vec<PathBuf>,

    /// The format of the inputs
    #[arg(long, value_name = "FORMAT", default_value = "auto")]
    pub input: InputArg,

    /// The character encoding of the documents, overriding what they declare (except by a byte
    /// order mark)
    #[arg(long, value_name = "LABEL", value_parser = parse_encoding)]
    pub encoding: Option<&'static Encoding>,

    /// Read more paths from FILE, one per line or NUL-terminated; `-` for standard input
    #[arg(long, value_name = "FILE|-")]
    pub files_from: Option<PathBuf>,

    /// The name of standard input in the output; its extension is treated like a file's
    #[arg(long, value_name = "NAME")]
    pub stdin_name: Option<PathBuf>,

    /// In directories, read only files whose name or path below the directory matches; with a
    /// leading `!`, exclude those that do. The last matching pattern wins
    #[arg(long, value_name = "PATTERN", value_parser = parse_glob)]
    pub glob: Vec<String>,

    /// Also enter hidden directories (those that hold a maildir are always entered)
    #[arg(long)]
    pub hidden: bool,

    /// Enter directories that symbolic links lead to, each once
    #[arg(short = 'L', long)]
    pub follow: bool,

    /// The number of threads; the output is the same for any number [default: all cores]
    #[arg(short, long, value_name = "N", value_parser = parse_jobs)]
    pub jobs: Option<u16>,
}

/// How bases are established.
#[derive(Debug, Args)]
#[command(next_help_heading = "Base")]
pub struct BaseOfArgs {
    /// The URL that the inputs were retrieved from (RFC 1808 §3.3)
    #[arg(short, long, value_name = "URL", value_parser = parse_url)]
    pub url: Option<String>,

    /// A file below DIR was retrieved from URL + its path, percent-encoded; the longest DIR wins,
    /// and --url overrides all. `wget:DIR` is for a mirror of any number of hosts, with files
    /// DIR/HOST/PATH, retrieved by https (`wget+http:DIR` by http): in the last name of the path a
    /// `?`, or a `@` followed by a `=`, begins the query, `.html` at the end of a query is not part
    /// of it, and `index.html` is the directory. `httrack:DIR` is for a mirror made by HTTrack,
    /// whose log, DIR/hts-cache/new.txt, has the URL of each file
    #[arg(long, value_name = "DIR=URL", value_parser = parse_url_map)]
    pub url_map: Vec<UrlMap>,

    /// Use the source URL recorded by the program that saved the page, when no better one is known
    #[arg(long, value_name = "WHETHER", default_value = "off")]
    pub saved_from: SavedFromArg,

    /// The rule set that resolves references
    #[arg(long, value_name = "RULES", default_value = "rfc1808")]
    pub resolver: RulesArg,

    /// Accept a base only in the form of RFC 1808: absolute, and in headers as `Base: <URL:...>`
    #[arg(long)]
    pub strict: bool,
}

/// The output of every command that reads documents.
#[derive(Debug, Args)]
#[command(next_help_heading = "Output")]
pub struct OutputArgs {
    /// Write the output to FILE, which is replaced only if the run succeeds; `-` for standard
    /// output
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,

    /// Use colors and clickable links [auto: at a terminal, unless `NO_COLOR` is set]
    #[arg(long, value_name = "WHEN", default_value = "auto")]
    pub color: ColorArg,

    /// Print only what could not be read on standard error
    #[arg(short, long, conflicts_with = "verbose")]
    pub quiet: bool,

    /// Print everything on standard error: notes, and every message of each kind
    #[arg(short, long, action = ArgAction::SetTrue)]
    pub verbose: bool,

    /// The format of messages on standard error
    #[arg(long, value_name = "FORM", default_value = "text")]
    pub messages: MessagesArg,

    /// What causes exit code 3
    #[arg(long, value_name = "WHAT", default_value = "loss")]
    pub fail_on: FailOnArg,
}

impl BaseOfArgs {
    /// How to choose bases.
    #[must_use]
    pub fn policy(&self) -> Policy {
        Policy {
            rules: self.resolver.into(),
            strict: self.strict,
            marks: self.saved_from == SavedFromArg::Auto,
        }
    }
}
