//! The arguments as typed, parsed by clap.

pub mod audit;
pub mod diff;
pub mod findings;
mod help;
pub mod hosting;
mod links;
mod offered;
mod reading;
pub mod rewrite;
pub mod status;
mod values;
pub mod verify_move;

use std::ffi::{OsStr, OsString};
use std::io::{self, IsTerminal};
use std::path::Path;

use clap::builder::StringValueParser;
use clap::error::ErrorKind;
use clap::{Args, CommandFactory, FromArgMatches, Parser, Subcommand};
use clap_complete::Shell;

use self::audit::AuditArgs;
use self::help::{ABOUT, FOR_PACKAGERS, LONG_ABOUT, PROGRAM_USAGE};
pub use self::help::{ADVANCED, Texts, texts};
pub use self::links::{ChoiceArgs, FormArgs, LinksArgs};
pub use self::offered::SuggestingParser;
pub use self::reading::{BaseOfArgs, OutputArgs, ReadingArgs};
use self::values::ResolveFormatArg;
pub use self::values::{
    BasesFormatArg, ColorArg, Grouping, InputArg, LinksFormatArg, RulesArg, SavedFromArg, UrlMap,
};
pub(in crate::cli) use self::values::{
    class_names, parse_classes, parse_encoding, parse_glob, parse_regex, parse_url,
};

/// The whole command line.
#[derive(Debug, Parser)]
#[command(name = "baseref", version, about = ABOUT, long_about = LONG_ABOUT)]
pub struct CommandLine {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Find broken and misleading links in a site, an archive or mail
    Audit(Box<AuditArgs>),
    /// Print every link of the documents as an absolute URL
    Links(LinksArgs),
    /// Find the links that a move would break, and fix them
    VerifyMove(Box<verify_move::VerifyMoveArgs>),
    /// Make links relative or absolute, or move them to another URL
    Rewrite(Box<rewrite::RewriteArgs>),
    /// Print the links that appear, vanish or change between two sites
    Diff(Box<diff::DiffArgs>),
    /// Print the base URL of each document and how it was found
    Base(BaseArgs),
    /// Resolve references against a base, without any document
    Resolve(ResolveArgs),
    /// Print the manual page of the program or of a command, in roff
    Man(ManArgs),
    /// Print completions for a shell
    Completions(CompletionsArgs),
}

/// `baseref man`.
#[derive(Debug, Args)]
pub struct ManArgs {
    /// The command that the page is about; without it, the program
    #[arg(value_name = "COMMAND", hide_possible_values = true, value_parser = SuggestingParser { parser: StringValueParser::new(), names: commands })]
    pub command: Option<String>,
}

/// The commands whose manual pages are requested most.
fn commands() -> Vec<&'static str> {
    vec![
        "audit",
        "links",
        "verify-move",
        "rewrite",
        "diff",
        "base",
        "resolve",
    ]
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

    /// The output format
    #[arg(short, long, value_name = "FORMAT", default_value = "text")]
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

    /// The standard by which references are resolved
    #[arg(long, value_name = "RULES", default_value = "rfc1808")]
    pub resolver: RulesArg,

    /// The output format
    #[arg(short, long, value_name = "FORMAT", default_value = "url")]
    pub format: ResolveFormatArg,

    /// Print the results of all standards side by side, and mark differences with `!`
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
        let is_short = arguments.iter().any(|argument| argument == "-h");
        let mut program = program(is_short);
        let matches = program.try_get_matches_from_mut(arguments)?;
        Self::from_arg_matches(&matches).map_err(|error| error.format(&mut program))
    }
}

/// The program for manual pages and completions, which leave no option out.
#[must_use]
pub fn manual_program() -> clap::Command {
    let hinted = |command: clap::Command| command.mut_args(offered::hinted);
    hinted(CommandLine::command()).mut_subcommands(hinted)
}

/// The width of the help, unless the terminal is narrower.
const WIDTH: usize = 80;

/// The program as it parses arguments and prints its help: with the texts after the options, and
/// for `-h`, if `is_short`, without the options that only `--help` explains.
fn program(is_short: bool) -> clap::Command {
    let with_texts = |command: clap::Command| {
        let texts = texts(command.get_name());
        let others: Vec<String> = command
            .get_arguments()
            .filter(|arg| !texts.explains_in_short(arg))
            .filter_map(|arg| Some(format!("--{}", arg.get_long()?)))
            .collect();
        command
            .mut_args(|arg| {
                let is_hidden = !texts.explains_in_short(&arg);
                let arg = arg.hide_short_help(is_hidden);
                if !is_short || texts.in_short.is_empty() {
                    return arg;
                }
                // One list: headings and values would double its length.
                let takes_value = arg.get_action().takes_values();
                let arg = arg.help_heading(None);
                if takes_value {
                    arg.hide_possible_values(true)
                } else {
                    arg
                }
            })
            .after_help(texts.short(&others))
            .after_long_help(texts.long())
    };
    let mut program = with_texts(CommandLine::command())
        .max_term_width(WIDTH)
        .override_usage(PROGRAM_USAGE)
        .mut_subcommands(with_texts);
    for name in FOR_PACKAGERS {
        program = program.mut_subcommand(name, |command| command.hide(true));
    }
    program
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

/// Whether a first argument is a subcommand, or an option that belongs to none.
fn is_of_the_program(first: &OsStr) -> bool {
    // Building all subcommands with their options costs more than reading a page.
    if first.to_str().is_some_and(Command::has_subcommand) {
        return true;
    }
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
