//! The command line: joins the modules below and chooses the exit code.
//!
//! The arguments as typed ([`args`]) become a configuration (`config`), which goes to one of the
//! `commands`.

pub mod args;
mod clock;
#[cfg(feature = "arrow")]
mod columns;
mod commands;
mod config;
mod counts;
mod error;
mod filter;
mod message;
mod missing;
mod outcome;
mod output;
mod outputs;
mod progress;
mod stdin;
mod terminal;
mod usage;

use std::ffi::OsString;
use std::io::{self, Write};
use std::sync::Arc;

use args::{Command, CommandLine};
use commands::{base, checks, diff, links, manual, resolve, rewrite};
use error::CommandError;
use message::Message;
use outcome::Outcome;

use baseref_startup::stdout_was_closed;

use baseref_files::{Files, OutputGoal};
use baseref_run::guard;

/// Runs the command line, the program's name first, and returns the exit code: 0 done,
/// 1 a check found something, 2 bad usage or no way to write the output, 3 some input could not be read.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> u8 {
    let command = match CommandLine::from_arguments(arguments) {
        Ok(line) => line.command,
        Err(error) if usage::is_help(&error) => {
            // If standard error is closed, the exit code remains.
            let _ = error.print();
            return Outcome::Usage.into();
        }
        Err(error) if error.use_stderr() => return refused(usage::in_words(&error)).into(),
        // Help is a result.
        Err(help) => {
            let printed = help.print().and_then(|()| io::stdout().flush());
            return if printed.is_err() || stdout_was_closed() {
                Outcome::Usage.into()
            } else {
                Outcome::Done.into()
            };
        }
    };
    guard::report_only_unguarded_panics();
    let outcome = files(&command).and_then(|files| dispatch(command, &files));
    outcome
        .unwrap_or_else(|error| refused(error.to_string()))
        .into()
}

/// Prints the reason why nothing was done.
fn refused(text: String) -> Outcome {
    message::Messages::default().end(&[Message::error("usage", text)]);
    Outcome::Usage
}

/// The files of a run, for its outputs.
fn files(command: &Command) -> Result<Arc<Files>, CommandError> {
    let outputs = outputs::declared(command);
    if stdout_was_closed()
        && outputs
            .iter()
            .any(|output| output.goal == OutputGoal::Stdout)
    {
        let text = "standard output is closed: there is nowhere to write the results";
        return Err(CommandError::Usage(text));
    }
    Ok(Files::writing(outputs)?)
}

fn dispatch(command: Command, files: &Arc<Files>) -> Result<Outcome, CommandError> {
    match command {
        Command::Links(arguments) => links::run(arguments, files),
        Command::Base(arguments) => base::run(arguments, files),
        Command::Audit(arguments) => checks::audit(&arguments, files),
        Command::Resolve(arguments) => resolve::run(&arguments, files),
        Command::Man(arguments) => manual::page(&arguments, files),
        Command::Completions(arguments) => manual::completions(&arguments, files),
        Command::VerifyMove(arguments) => checks::verify_move(&arguments, files),
        Command::Rewrite(arguments) => rewrite::run(*arguments, files),
        Command::Diff(arguments) => diff::run(&arguments, files),
    }
}
