//! The arguments shared by the commands that read documents.

use std::path::PathBuf;

use clap::{ArgAction, Args};
use encoding_rs::Encoding;

use super::help::ADVANCED;
use super::values::{
    ColorArg, InputArg, MessagesArg, RulesArg, SavedFromArg, UrlMap, parse_encoding, parse_glob,
    parse_jobs, parse_url, parse_url_map,
};
use baseref_reader::base::Policy;

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
pub struct InputArgs {
    /// Files, directories, or `-` for standard input
    ///
    /// Directories are walked in byte order of names, reading what is recognised as a document.
    #[arg(value_name = "PATH|-")]
    pub paths: Vec<PathBuf>,

    /// The format of the inputs
    #[arg(long, value_name = "FORMAT", default_value = "auto", help_heading = ADVANCED)]
    pub input: InputArg,

    /// The character encoding of the documents, overriding what they declare
    ///
    /// A byte order mark still wins.
    #[arg(long, value_name = "LABEL", value_parser = parse_encoding, help_heading = ADVANCED)]
    pub encoding: Option<&'static Encoding>,

    /// Read more paths from FILE, `-` for standard input
    ///
    /// One per line, or each ended by NUL.
    #[arg(long, value_name = "FILE|-", help_heading = ADVANCED)]
    pub files_from: Option<PathBuf>,

    /// The name of standard input in the output; its extension counts as a file's does
    #[arg(long, value_name = "NAME", help_heading = ADVANCED)]
    pub stdin_name: Option<PathBuf>,

    /// In directories, read only files that match; `!PATTERN` excludes
    ///
    /// A pattern is matched against the name and against the path below the directory. The last one
    /// that matches wins.
    #[arg(long, value_name = "PATTERN", value_parser = parse_glob, help_heading = "Input")]
    pub glob: Vec<String>,

    /// Also read the messages that a mail store has deleted but still holds
    ///
    /// Those of an Outlook store (PST, OST) that are in no folder are named
    /// `mail.pst!/deleted#1`; an expunged one of UW IMAP (`*mbx*`) keeps its number. Without the
    /// option they are counted.
    #[arg(long, help_heading = ADVANCED)]
    pub deleted: bool,

    /// Also enter hidden directories
    ///
    /// Those that hold a maildir are always entered.
    #[arg(long, help_heading = ADVANCED)]
    pub hidden: bool,

    /// Enter directories that symbolic links lead to, each once
    #[arg(short = 'L', long, help_heading = ADVANCED)]
    pub follow: bool,

    /// The number of threads [default: all cores]
    ///
    /// The output is the same for any number.
    #[arg(short, long, value_name = "N", value_parser = parse_jobs, help_heading = ADVANCED)]
    pub jobs: Option<u16>,
}

/// How bases are established.
#[derive(Debug, Args)]
pub struct BaseOfArgs {
    /// The URL that the inputs were retrieved from (RFC 1808 §3.3)
    #[arg(short, long, value_name = "URL", value_parser = parse_url)]
    pub url: Option<String>,

    /// Files below DIR were retrieved from URL + their path
    ///
    /// The path is percent-encoded. The longest DIR wins, and --url overrides all.
    ///
    /// wget:DIR is a mirror of any number of hosts with files DIR/HOST/PATH: DIR is the folder that
    /// contains the folders of the hosts. They were retrieved by https (wget+http:DIR: by http). In the last name of a path, a `?`, or a `@` followed by a `=`,
    /// begins the query; `.html` at the end of a query is not part of it; `index.html` stands for
    /// its folder.
    ///
    /// wayback:DIR is what wayback-machine-downloader (`websites`) or waybackpack wrote: the same, by
    /// http, with the time of the capture as a folder around the host, or escaped queries in names.
    ///
    /// httrack:DIR is a mirror made by HTTrack, whose log DIR/hts-cache/new.txt has the URL of
    /// each file.
    #[arg(long, value_name = "DIR=URL", value_parser = parse_url_map)]
    pub url_map: Vec<UrlMap>,

    /// Use the URL that the program which saved a page recorded in it, if no better one is known
    #[arg(
        long,
        value_name = "WHETHER",
        default_value = "off",
        help_heading = "Base"
    )]
    pub saved_from: SavedFromArg,

    /// The standard by which references are resolved
    #[arg(
        long,
        value_name = "RULES",
        default_value = "rfc1808",
        help_heading = "Base"
    )]
    pub resolver: RulesArg,

    /// Accept a base only in the form that RFC 1808 gives it
    ///
    /// That is an absolute URL; in a header, one written as `Base: <URL:...>`.
    #[arg(long, help_heading = ADVANCED)]
    pub strict: bool,
}

/// The output of every command that reads documents.
#[derive(Debug, Args)]
pub struct OutputArgs {
    /// Write the output to FILE
    ///
    /// FILE is replaced only if the run succeeds. `-` is standard output.
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,

    /// Use colors and clickable links
    #[arg(
        long,
        value_name = "WHEN",
        default_value = "auto",
        help_heading = "Output"
    )]
    pub color: ColorArg,

    /// Report only what could not be read
    #[arg(short, long, conflicts_with = "verbose", help_heading = "Output")]
    pub quiet: bool,

    /// Report everything: notes, and every message of each kind
    #[arg(short, long, action = ArgAction::SetTrue, help_heading = "Output")]
    pub verbose: bool,

    /// The format of messages on standard error
    #[arg(long, value_name = "FORM", default_value = "text", help_heading = ADVANCED)]
    pub messages: MessagesArg,

    /// Exit with code 3 for notes too, not only if something was lost
    #[arg(long, help_heading = ADVANCED)]
    pub notes_as_errors: bool,
}

impl BaseOfArgs {
    /// How to choose bases.
    #[must_use]
    pub fn policy(&self) -> Policy {
        Policy::default()
            .with_rules(self.resolver.into())
            .with_strict(self.strict)
            .with_marks(self.saved_from == SavedFromArg::Auto)
    }
}
