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
use self::diff::DiffArgs;
use self::help::{ABOUT, FOR_PACKAGERS, LONG_ABOUT, PROGRAM_USAGE};
pub use self::help::{ADVANCED, Texts, texts};
pub use self::links::{ChoiceArgs, FormArgs, LinksArgs};
pub use self::offered::SuggestingParser;
pub use self::reading::{BaseOfArgs, OutputArgs, ReadingArgs};
use self::rewrite::RewriteArgs;
use self::values::ResolveFormatArg;
pub use self::values::{
    BasesFormatArg, ColorArg, Grouping, InputArg, LinksFormatArg, RulesArg, SavedFromArg, UrlMap,
};
pub(in crate::cli) use self::values::{
    class_names, parse_classes, parse_encoding, parse_glob, parse_regex, parse_url,
};
use self::verify_move::VerifyMoveArgs;

const NAME: &str = "baseref";

const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The whole command line.
#[derive(Debug, Parser)]
#[command(name = NAME, version = VERSION, about = ABOUT, long_about = LONG_ABOUT)]
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
    VerifyMove(Box<VerifyMoveArgs>),
    /// Make links relative or absolute, or move them to another URL
    Rewrite(Box<RewriteArgs>),
    /// Print the links that appear, vanish or change between two sites
    Diff(Box<DiffArgs>),
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
        if let Some(error) = first.and_then(|first| version(first).or_else(|| mistyped(first))) {
            return Err(error);
        }
        // `baseref PATH...` means `baseref links PATH...`, and so does piped input.
        let is_of_links = match first {
            Some(first) => !is_of_the_program(first),
            None => !io::stdin().is_terminal(),
        };
        if is_of_links {
            arguments.insert(1, "links".into());
        }
        if let Some(line) = Self::from_one_command(&arguments) {
            return Ok(line);
        }
        let is_short = arguments.iter().any(|argument| argument == "-h");
        let mut program = program(is_short);
        let matches = program.try_get_matches_from_mut(arguments)?;
        Self::from_arg_matches(&matches).map_err(|error| error.format(&mut program))
    }

    /// Parses arguments knowing only the options of their command: to make those of all commands
    /// costs more than to read a page. `None` for bad usage and requested help, whose texts need the
    /// whole program.
    fn from_one_command(arguments: &[OsString]) -> Option<Self> {
        let program = clap::Command::new(NAME).subcommand(command(arguments.get(1)?)?);
        let matches = program.try_get_matches_from(arguments).ok()?;
        Self::from_arg_matches(&matches).ok()
    }
}

/// The command with this name and its options, without texts.
fn command(name: &OsStr) -> Option<clap::Command> {
    type WithOptions = fn(clap::Command) -> clap::Command;
    const COMMANDS: [(&str, WithOptions); 9] = [
        ("audit", AuditArgs::augment_args),
        ("links", LinksArgs::augment_args),
        ("verify-move", VerifyMoveArgs::augment_args),
        ("rewrite", RewriteArgs::augment_args),
        ("diff", DiffArgs::augment_args),
        ("base", BaseArgs::augment_args),
        ("resolve", ResolveArgs::augment_args),
        ("man", ManArgs::augment_args),
        ("completions", CompletionsArgs::augment_args),
    ];
    let (name, with_options) = COMMANDS.into_iter().find(|(known, _)| name == *known)?;
    Some(with_options(clap::Command::new(name)))
}

/// What a first argument that asks for the version prints, as clap's error.
fn version(first: &OsStr) -> Option<clap::Error> {
    let is_asked_for = first == "--version" || first == "-V";
    let program = is_asked_for.then(|| clap::Command::new(NAME).version(VERSION))?;
    program
        .try_get_matches_from([OsStr::new(NAME), first])
        .err()
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
    // clap adds them when it builds the program.
    const ADDED: [&str; 5] = ["help", "--help", "-h", "--version", "-V"];
    let name = first.to_str().unwrap_or_default();
    Command::has_subcommand(name) || ADDED.contains(&name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn built_program() -> clap::Command {
        let mut program = CommandLine::command();
        program.build();
        program
    }

    #[test]
    fn one_command_has_the_options_of_the_program() {
        let options = |command: &clap::Command| {
            let ids = command.get_arguments().map(|arg| arg.get_id().to_string());
            ids.collect::<Vec<_>>()
        };
        let program = CommandLine::command();
        assert!(program.has_subcommands());
        for of_program in program.get_subcommands() {
            let name = of_program.get_name();
            let alone = command(name.as_ref()).expect(name);
            assert_eq!(alone.get_name(), name);
            assert_eq!(options(&alone), options(of_program), "{name}");
        }
    }

    #[test]
    fn names_and_options_of_the_program() {
        let program = built_program();
        for subcommand in program.get_subcommands() {
            assert!(is_of_the_program(subcommand.get_name().as_ref()));
        }
        for option in program.get_arguments().filter(|arg| !arg.is_positional()) {
            let long = format!(
                "--{}",
                option.get_long().expect("an option has a long name")
            );
            let short = format!(
                "-{}",
                option.get_short().expect("an option has a short name")
            );
            assert!(is_of_the_program(long.as_ref()) && is_of_the_program(short.as_ref()));
        }
        for other in ["page.html", "-x", "--no-such", "", "hel", "-"] {
            assert!(!is_of_the_program(other.as_ref()), "{other}");
        }
    }

    #[test]
    fn version_is_that_of_the_program() {
        for option in ["--version", "-V"] {
            let of_program = CommandLine::command().try_get_matches_from([NAME, option]);
            let of_program = of_program.expect_err("the version ends the parsing");
            let error = version(option.as_ref()).expect("it is asked for");
            assert_eq!(error.kind(), of_program.kind());
            assert_eq!(error.to_string(), of_program.to_string());
        }
        assert!(version("-v".as_ref()).is_none());
    }
}
