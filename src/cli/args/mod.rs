//! The arguments as typed, parsed by clap.

mod help;
mod links;
mod reading;
mod values;

use std::ffi::{OsStr, OsString};
use std::io::{self, IsTerminal};
use std::path::Path;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Args, CommandFactory, Parser, Subcommand};
use clap_complete::Shell;

use self::help::{
    ABOUT, AFTER_HELP, AUDIT_EXAMPLES, BASE_EXAMPLES, LINKS_EXAMPLES, LONG_ABOUT, RESOLVE_EXAMPLES,
};
pub use self::links::{ChoiceArgs, FormArgs, LinksArgs};
pub use self::reading::{BaseOfArgs, InputArgs, OutputArgs, ReadingArgs};
use self::values::ResolveFormatArg;
pub use self::values::{
    BasesFormatArg, ColorArg, FailOnArg, InputArg, LinksFormatArg, RulesArg, UrlMap,
};
pub(in crate::cli) use self::values::{parse_classes, parse_encoding, parse_glob, parse_regex};
use super::audit_args::AuditArgs;

/// The whole command line.
#[derive(Debug, Parser)]
#[command(name = "baseref", version, about = ABOUT, long_about = LONG_ABOUT, after_help = AFTER_HELP)]
pub struct CommandLine {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Print every link of the documents, resolved
    #[command(after_help = LINKS_EXAMPLES)]
    Links(LinksArgs),
    /// Print the base URL of each document and how it was found
    #[command(after_help = BASE_EXAMPLES)]
    Base(BaseArgs),
    /// Check whether every link of a saved tree leads where its author thinks
    #[command(after_help = AUDIT_EXAMPLES)]
    Audit(Box<AuditArgs>),
    /// Check whether every link still means the same after a move, and fix those that would not
    #[command(after_help = super::move_args::VERIFY_MOVE_EXAMPLES)]
    VerifyMove(Box<super::move_args::VerifyMoveArgs>),
    /// Rewrite links in their documents as relative, absolute, or below another URL
    #[command(after_help = super::rewrite_args::REWRITE_EXAMPLES)]
    Rewrite(Box<super::rewrite_args::RewriteArgs>),
    /// Print the links that appear, vanish or change between two trees
    #[command(after_help = super::diff_args::DIFF_EXAMPLES)]
    Diff(Box<super::diff_args::DiffArgs>),
    /// Resolve references against a base, without any document
    #[command(after_help = RESOLVE_EXAMPLES)]
    Resolve(ResolveArgs),
    /// Print the manual page of the program or of one of its commands, in roff
    Man(ManArgs),
    /// Print completions for a shell
    Completions(CompletionsArgs),
}

/// `baseref man`.
#[derive(Debug, Args)]
pub struct ManArgs {
    /// The command that the page is about; without it, the program
    #[arg(value_name = "COMMAND")]
    pub command: Option<String>,
}

/// `baseref completions`.
#[derive(Debug, Args)]
pub struct CompletionsArgs {
    /// The shell
    pub shell: Shell,
}

/// `baseref base`.
#[derive(Debug, Args)]
pub struct BaseArgs {
    /// What to read and how.
    #[command(flatten)]
    pub reading: ReadingArgs,

    /// The form of the output
    #[arg(
        short,
        long,
        value_name = "FORMAT",
        default_value = "text",
        help_heading = "Output"
    )]
    pub format: BasesFormatArg,
}

/// `baseref resolve`.
#[derive(Debug, Args)]
pub struct ResolveArgs {
    /// The base URL; empty for none (RFC 1808 §3.4)
    pub base: String,

    /// The references; if none are given, they are read from standard input, one per line
    #[arg(value_name = "REF")]
    pub references: Vec<String>,

    /// The rule set that resolves references
    #[arg(long, value_name = "RULES", default_value = "rfc1808")]
    pub resolver: RulesArg,

    /// The form of the output
    #[arg(short, long, value_name = "FORMAT", default_value = "url")]
    pub format: ResolveFormatArg,

    /// Print the results of every rule set side by side, and mark differences with `!`
    #[arg(long, conflicts_with = "resolver")]
    pub compare: bool,
}

impl CommandLine {
    /// Parses the arguments, the program's name first.
    ///
    /// # Errors
    /// clap's error, with its text and exit code: bad usage, or the requested help.
    pub fn from_arguments(
        arguments: impl IntoIterator<Item = OsString>,
    ) -> Result<Self, clap::Error> {
        let mut arguments: Vec<OsString> = arguments.into_iter().collect();
        let first = arguments.get(1);
        if let Some(name) = first.and_then(|first| mistyped(first)) {
            return Err(name);
        }
        // `baseref PATH...` means `baseref links PATH...`, and so does piped input.
        let is_of_links = match first {
            Some(first) => !is_of_the_program(first),
            None => !io::stdin().is_terminal(),
        };
        if is_of_links {
            arguments.insert(1, "links".into());
        }
        Self::try_parse_from(arguments).map_err(with_near_suggestion)
    }
}

/// Parses the absolute URL of documents given with `-u`.
pub(in crate::cli) fn parse_url(url: &str) -> Result<String, String> {
    values::parse_url(url)
}

/// An error for a first argument that is not a file, but almost the name of a subcommand.
fn mistyped(first: &OsStr) -> Option<clap::Error> {
    let name = first.to_str()?;
    let is_word = name
        .bytes()
        .all(|byte| byte.is_ascii_alphabetic() || byte == b'-');
    if !is_word || name.starts_with('-') || Path::new(name).exists() || is_of_the_program(first) {
        return None;
    }
    let program = CommandLine::command();
    let nearest = program
        .get_subcommands()
        .map(clap::Command::get_name)
        .min_by_key(|known| strsim::damerau_levenshtein(name, known))?;
    let is_near = strsim::damerau_levenshtein(name, nearest) <= 2;
    is_near.then(|| {
        let text = format!(
            "`{name}` is neither a file nor a command; did you mean `{} {nearest}`?\n",
            program.get_name()
        );
        clap::Error::raw(ErrorKind::InvalidSubcommand, text)
    })
}

/// The error without the tip to use another option, unless that is close to the one typed.
fn with_near_suggestion(mut error: clap::Error) -> clap::Error {
    let of = |kind| match error.get(kind) {
        Some(ContextValue::String(text)) => Some(text.clone()),
        _ => None,
    };
    if let (Some(typed), Some(suggested)) =
        (of(ContextKind::InvalidArg), of(ContextKind::SuggestedArg))
        && strsim::damerau_levenshtein(&typed, &suggested) > 2
    {
        error.remove(ContextKind::SuggestedArg);
    }
    error
}

/// Whether a first argument is a subcommand, or an option that belongs to none.
fn is_of_the_program(first: &OsStr) -> bool {
    let mut program = CommandLine::command();
    program.build();
    let is_subcommand = program.find_subcommand(first).is_some();
    let is_option = program.get_arguments().any(|option| {
        let long = option.get_long().map(|long| format!("--{long}"));
        let short = option.get_short().map(|short| format!("-{short}"));
        long.is_some_and(|long| first == long.as_str())
            || short.is_some_and(|short| first == short.as_str())
    });
    is_subcommand || is_option
}
