//! Errors in the arguments, in one line.

use std::error::Error as _;
use std::path::Path;

use clap::error::{ContextKind, ContextValue, ErrorKind};

use baseref_findings::nearest::{did_you_mean, nearest};

/// Whether there were no arguments, for which clap prints the help.
pub fn is_help(error: &clap::Error) -> bool {
    error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand
}

/// The message about arguments that clap refused. clap's own has several lines, and its tips do not
/// always fit.
pub fn in_words(error: &clap::Error) -> String {
    let words = match error.kind() {
        ErrorKind::UnknownArgument => unknown_option(error),
        ErrorKind::InvalidValue => invalid_value(error),
        ErrorKind::ValueValidation => refused_value(error),
        ErrorKind::MissingRequiredArgument => missing(error),
        ErrorKind::ArgumentConflict => conflict(error),
        ErrorKind::InvalidSubcommand => unknown_command(error),
        _ => None,
    };
    words.unwrap_or_else(|| first_line(error))
}

fn text(error: &clap::Error, kind: ContextKind) -> Option<String> {
    match error.get(kind)? {
        ContextValue::String(text) => Some(text.clone()),
        ContextValue::Strings(texts) => Some(texts.join(", ")),
        ContextValue::StyledStr(text) => Some(text.to_string()),
        _ => None,
    }
}

/// An option without the name of its value: `--hosting` for `--hosting <PRESET>`.
fn option(error: &clap::Error) -> Option<String> {
    let arg = text(error, ContextKind::InvalidArg)?;
    let name = arg.split(' ').next().unwrap_or_default();
    Some(name.to_owned())
}

fn unknown_option(error: &clap::Error) -> Option<String> {
    /// At a greater edit distance, two names have little in common.
    const MOST_WRONG: usize = 2;
    let typed = text(error, ContextKind::InvalidArg)?;
    if !typed.starts_with('-') {
        return Some(format!("one argument too many: `{typed}`"));
    }
    let is_near = |known: &String| strsim::damerau_levenshtein(&typed, known) <= MOST_WRONG;
    let meant = text(error, ContextKind::SuggestedArg).filter(is_near);
    let meant = meant.as_deref();
    let meant = meant.or_else(|| nearest(&typed, ["--help", "--version"]));
    let tip = match meant {
        Some(meant) => format!("; did you mean {meant}?"),
        None if Path::new(&typed).exists() => {
            format!("; if the file is meant, write ./{typed}")
        }
        None => ": -h lists them".to_owned(),
    };
    Some(format!("no option {typed}{tip}"))
}

fn invalid_value(error: &clap::Error) -> Option<String> {
    let (option, value) = (option(error)?, text(error, ContextKind::InvalidValue)?);
    let valid = text(error, ContextKind::ValidValue).unwrap_or_default();
    if value.is_empty() {
        let list = if valid.is_empty() { "" } else { ": one of " };
        return Some(format!("{option} takes a value{list}{valid}"));
    }
    let meant = did_you_mean(&value, valid.split(", "));
    Some(format!("{option}: `{value}` is not one of {valid}{meant}"))
}

fn refused_value(error: &clap::Error) -> Option<String> {
    let (option, value) = (option(error)?, text(error, ContextKind::InvalidValue)?);
    let why = error.source()?.to_string();
    // A regular expression is shown above what is wrong with it.
    let why = why.lines().next_back().unwrap_or_default();
    let why = why.trim_start_matches("error: ");
    Some(format!("{option} {value}: {why}"))
}

fn missing(error: &clap::Error) -> Option<String> {
    let missing = text(error, ContextKind::InvalidArg)?;
    let verb = if missing.contains(", ") { "are" } else { "is" };
    let usage = text(error, ContextKind::Usage).unwrap_or_default();
    let usage = usage.trim_start_matches("Usage:").trim();
    Some(format!("{missing} {verb} missing: {usage}"))
}

fn conflict(error: &clap::Error) -> Option<String> {
    let name = |arg: &str| arg.split(' ').next().unwrap_or_default().to_owned();
    let one = option(error)?;
    let other = name(&text(error, ContextKind::PriorArg)?);
    Some(if one == other {
        format!("{one} cannot be given twice")
    } else {
        format!("{one} cannot be used with {other}")
    })
}

fn unknown_command(error: &clap::Error) -> Option<String> {
    let typed = text(error, ContextKind::InvalidSubcommand)?;
    let program = super::args::manual_program();
    let known = program.get_subcommands().map(clap::Command::get_name);
    Some(format!(
        "no command `{typed}`{}",
        did_you_mean(&typed, known)
    ))
}

fn first_line(error: &clap::Error) -> String {
    let text = error.render().to_string();
    let line = text.lines().next().unwrap_or_default();
    line.trim_start_matches("error: ").to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::args::CommandLine;
    use clap::CommandFactory as _;

    #[test]
    fn no_arguments_print_help() {
        let error = CommandLine::command().try_get_matches_from(["baseref"]);
        let error = error.expect_err("a command is required");
        assert!(is_help(&error));
        let help = error.render().to_string();
        assert!(
            help.contains("Usage: ") && help.contains("\n  audit "),
            "{help}"
        );
        let error = CommandLine::command().try_get_matches_from(["baseref", "audit", "--no-such"]);
        assert!(!is_help(&error.expect_err("no such option")));
    }
}
