//! `baseref man` and `baseref completions`: files that packages install with the program,
//! generated from its arguments.

use std::io;
use std::sync::Arc;

use clap_mangen::roff::{Roff, bold, roman};

use crate::cli::args::{CompletionsArgs, ManArgs, Texts, manual_program, texts};
use crate::cli::error::CommandError;
use crate::cli::message::Messages;
use crate::cli::outcome::Outcome;
use crate::cli::output::Output;
use baseref_files::Files;

/// Prints the manual page, in roff.
///
/// # Errors
/// If the command does not exist, or standard output cannot be written.
pub fn page(arguments: &ManArgs, files: &Arc<Files>) -> Result<Outcome, CommandError> {
    let mut program = manual_program();
    program.build();
    let command = match &arguments.command {
        None => program,
        Some(name) => program
            .find_subcommand(name)
            .cloned()
            .ok_or_else(|| no_command(name, &program))?,
    };
    let mut page = Vec::new();
    let rendered = render(command, &mut page);
    print(&page, rendered, files)
}

fn no_command(name: &str, program: &clap::Command) -> CommandError {
    let known = program.get_subcommands().map(clap::Command::get_name);
    CommandError::NoCommand {
        name: name.to_owned(),
        known: known.map(str::to_owned).collect(),
    }
}

/// The page of a command, with its texts as sections of their own.
fn render(command: clap::Command, page: &mut Vec<u8>) -> io::Result<()> {
    let texts = texts(command.get_name());
    let about = command.get_long_about().or_else(|| command.get_about());
    let about = about.map(ToString::to_string).unwrap_or_default();
    let has_commands = command.get_subcommands().next().is_some();
    let man = clap_mangen::Man::new(command)
        .source(concat!("baseref ", env!("CARGO_PKG_VERSION")))
        .manual("baseref manual");
    man.render_title(page)?;
    man.render_name_section(page)?;
    man.render_synopsis_section(page)?;
    section("Description", &about, page)?;
    if has_commands {
        man.render_subcommands_section(page)?;
    }
    man.render_options_section(page)?;
    for (heading, body) in texts.sections {
        section(heading, body, page)?;
    }
    exit_status(texts, page)?;
    examples(texts, page)?;
    see_also(has_commands, page)
}

/// A section of paragraphs; lines that begin with a space are kept as they are.
fn section(heading: &str, body: &str, page: &mut Vec<u8>) -> io::Result<()> {
    let mut roff = Roff::default();
    roff.control("SH", [heading.to_uppercase().as_str()]);
    let mut is_kept = false;
    for line in body.lines() {
        if line.starts_with(' ') != is_kept {
            is_kept = !is_kept;
            roff.control(if is_kept { "nf" } else { "fi" }, []);
        }
        if line.is_empty() {
            roff.control("PP", []);
        } else {
            roff.text([roman(line)]);
        }
    }
    if is_kept {
        roff.control("fi", []);
    }
    roff.to_writer(page)
}

fn exit_status(texts: &Texts, page: &mut Vec<u8>) -> io::Result<()> {
    if texts.exit_codes.is_empty() {
        return Ok(());
    }
    let mut roff = Roff::default();
    roff.control("SH", ["EXIT STATUS"]);
    for (code, meaning) in texts.exit_codes {
        roff.control("TP", ["4"]);
        roff.text([bold(code.to_string())]);
        roff.text([roman(*meaning)]);
    }
    roff.to_writer(page)
}

fn examples(texts: &Texts, page: &mut Vec<u8>) -> io::Result<()> {
    if texts.examples.is_empty() {
        return Ok(());
    }
    let mut roff = Roff::default();
    roff.control("SH", ["EXAMPLES"]);
    for (what, lines) in texts.examples {
        roff.control("PP", []);
        roff.text([roman(*what)]);
        roff.control("PP", []);
        roff.control("RS", ["4"]);
        roff.control("nf", []);
        for line in lines.lines() {
            roff.text([bold(line)]);
        }
        roff.control("fi", []);
        roff.control("RE", []);
    }
    roff.to_writer(page)
}

fn see_also(is_program: bool, page: &mut Vec<u8>) -> io::Result<()> {
    if is_program {
        return Ok(());
    }
    let mut roff = Roff::default();
    roff.control("SH", ["SEE ALSO"]);
    roff.text([bold("baseref"), roman("(1)")]);
    roff.to_writer(page)
}

/// Prints completions for a shell.
///
/// # Errors
/// If standard output cannot be written.
pub fn completions(
    arguments: &CompletionsArgs,
    files: &Arc<Files>,
) -> Result<Outcome, CommandError> {
    let mut program = manual_program();
    let name = program.get_name().to_owned();
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut program, name, &mut script);
    print(&script, Ok(()), files)
}

fn print(
    text: &[u8],
    rendered: io::Result<()>,
    files: &Arc<Files>,
) -> Result<Outcome, CommandError> {
    let mut output = Output::new(files.stdout(), Messages::default(), None, || false);
    output.write(text);
    let done = rendered.and_then(|()| output.finish(true));
    done?;
    Ok(Outcome::Done)
}
