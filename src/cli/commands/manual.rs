//! `baseref man` and `baseref completions`: files that packages install beside the program,
//! generated from its arguments.

use std::io;

use clap::CommandFactory;

use crate::cli::args::{CommandLine, CompletionsArgs, ManArgs};
use crate::cli::message::Messages;
use crate::cli::outcome::{Outcome, Usage};
use crate::cli::output::Output;
use crate::outfile::OutputFile;

/// Prints the manual page, in roff.
///
/// # Errors
/// If there is no such command, or standard output cannot be written.
pub fn page(arguments: &ManArgs) -> Result<Outcome, Usage> {
    let mut program = CommandLine::command();
    program.build();
    let command = match &arguments.command {
        None => program,
        Some(name) => program
            .find_subcommand(name)
            .cloned()
            .ok_or_else(|| Usage(format!("there is no command `{name}`")))?,
    };
    let mut page = Vec::new();
    let rendered = clap_mangen::Man::new(command).render(&mut page);
    print(&page, rendered)
}

/// Prints completions for a shell.
///
/// # Errors
/// If standard output cannot be written.
pub fn completions(arguments: &CompletionsArgs) -> Result<Outcome, Usage> {
    let mut program = CommandLine::command();
    let name = program.get_name().to_owned();
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut program, name, &mut script);
    print(&script, Ok(()))
}

fn print(text: &[u8], rendered: io::Result<()>) -> Result<Outcome, Usage> {
    let mut output = Output::new(OutputFile::stdout(), Messages::default(), None, || false);
    output.write(text);
    let done = rendered.and_then(|()| output.finish(true));
    done.map_err(|error| Usage(error.to_string()))?;
    Ok(Outcome::Done)
}
