//! `baseref resolve`: references from arguments or lines, no document.

use std::io::{self, BufRead, IsTerminal};

use encoding_rs::UTF_8;

use super::Outcome;
use super::args::ResolveArgs;
use super::output::{Chunk, Output, message};
use crate::report::references::{ComparedRow, ResolveWriter, ResolvedRow, compared};
use crate::report::text::Style;
use crate::resolve::{Resolver, Rules};

/// Resolves the references and prints one result for each, in their order.
pub(super) fn run(arguments: &ResolveArgs) -> Outcome {
    let result = Output::new(None, None).and_then(|mut output| {
        if arguments.compare {
            compare(arguments, &mut output)?;
        } else {
            resolve(arguments, &mut output)?;
        }
        output.finish()
    });
    match result {
        Ok(()) => Outcome::Done,
        Err(error) => {
            let said = message(&error.to_string());
            let _ = io::Write::write_all(&mut io::stderr(), format!("{said}\n").as_bytes());
            Outcome::Usage
        }
    }
}

fn resolve(arguments: &ResolveArgs, output: &mut Output) -> io::Result<()> {
    let rules: Rules = arguments.resolver.into();
    let style = Style {
        nul: false,
        terminal: Output::is_terminal(None),
    };
    let writer = ResolveWriter::new(arguments.format.into(), style);
    let resolver = Resolver::new(rules, base_of(arguments), UTF_8);
    let mut number = 0_u64;
    each_reference(arguments, |reference| {
        number += 1;
        let url = resolver.resolve(reference);
        let url = url.as_deref().map_err(|error| *error);
        let mut chunk = Chunk::default();
        let row = ResolvedRow {
            base: &arguments.base,
            raw: reference,
            rules,
            url,
        };
        writer.record(&row, &mut chunk.out);
        if let Err(error) = url {
            chunk.messages.push(message(&format!(
                "reference {number}: {reference:?}: {error}"
            )));
        }
        output.write(&mut chunk);
        !output.is_closed()
    })
}

fn compare(arguments: &ResolveArgs, output: &mut Output) -> io::Result<()> {
    let resolvers = Rules::ALL.map(|rules| Resolver::new(rules, base_of(arguments), UTF_8));
    let mut resolved: Vec<(String, [Option<String>; 3])> = Vec::new();
    each_reference(arguments, |reference| {
        let urls = std::array::from_fn(|rules| resolvers[rules].resolve(reference).ok());
        resolved.push((reference.to_owned(), urls));
        true
    })?;
    let rows: Vec<ComparedRow<'_>> = resolved
        .iter()
        .map(|(raw, urls)| ComparedRow {
            base: &arguments.base,
            raw,
            urls: urls.each_ref().map(Option::as_deref),
        })
        .collect();
    let mut chunk = Chunk::default();
    compared(arguments.format.into(), &rows, &mut chunk.out);
    output.write(&mut chunk);
    Ok(())
}

fn base_of(arguments: &ResolveArgs) -> Option<&str> {
    Some(arguments.base.as_str()).filter(|base| !base.is_empty())
}

/// Hands each reference over, until `each` says that nobody wants more. A line that is not
/// UTF-8 has U+FFFD where it is not.
fn each_reference(arguments: &ResolveArgs, mut each: impl FnMut(&str) -> bool) -> io::Result<()> {
    if !arguments.references.is_empty() {
        arguments.references.iter().all(|reference| each(reference));
        return Ok(());
    }
    if io::stdin().is_terminal() {
        return Err(io::Error::other(
            "name the references, or write them to standard input, one a line",
        ));
    }
    let mut stdin = io::stdin().lock();
    let mut line = Vec::new();
    while stdin.read_until(b'\n', &mut line)? > 0 {
        let reference = line.strip_suffix(b"\n").unwrap_or(&line);
        let reference = reference.strip_suffix(b"\r").unwrap_or(reference);
        if !each(&String::from_utf8_lossy(reference)) {
            break;
        }
        line.clear();
    }
    Ok(())
}
