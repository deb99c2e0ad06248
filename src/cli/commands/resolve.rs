//! `baseref resolve`: references from arguments or lines, no document.

use std::io::{self, BufRead, IsTerminal};
use std::sync::Arc;

use encoding_rs::UTF_8;

use crate::cli::args::ResolveArgs;
use crate::cli::error::CommandError;
use crate::cli::message::{Message, Messages};
use crate::cli::outcome::Outcome;
use crate::cli::output::Output;
use crate::cli::stdin;
use baseref_document::Origin;
use baseref_document::ReadError;
use baseref_files::{Files, Role};
use baseref_report::references::{ComparedRow, ResolveWriter, ResolvedRow, compared};
use baseref_report::text::Style;
use baseref_resolve::rfc3986::Parts;
use baseref_resolve::{ResolveError, Resolver, Rules, is_hierarchical};
use baseref_run::Sink;
use baseref_run::guard::guarded;

/// Resolves the references and prints one result for each, in order.
///
/// # Errors
/// On bad usage, and if standard input cannot be read or standard output written.
pub fn run(arguments: &ResolveArgs, files: &Arc<Files>) -> Result<Outcome, CommandError> {
    check_order(arguments)?;
    let mut output = Output::new(files.stdout(), Messages::default(), None, || false);
    let done = if arguments.compare {
        compare(arguments, files, &mut output)
    } else {
        resolve(arguments, files, &mut output)
    };
    let result = done.and_then(|outcome| output.finish(true).map(|_| outcome));
    Ok(result?)
}

/// # Errors
/// If base and reference are swapped.
fn check_order(arguments: &ResolveArgs) -> Result<(), CommandError> {
    let is_absolute = |url: &str| Parts::parse(url.trim()).scheme.is_some();
    match (base_of(arguments), arguments.references.first()) {
        (Some(base), Some(reference))
            if !is_absolute(base) && is_absolute(reference) && is_hierarchical(reference) =>
        {
            Err(CommandError::BaseAfterReference {
                base: base.to_owned(),
                reference: reference.clone(),
            })
        }
        _ => Ok(()),
    }
}

fn resolve(arguments: &ResolveArgs, files: &Files, output: &mut Output) -> io::Result<Outcome> {
    let rules: Rules = arguments.resolver.into();
    let style = Style {
        nul: false,
        terminal: io::stdout().is_terminal(),
    };
    let writer = ResolveWriter::new(arguments.format.into(), style);
    let resolver = Resolver::new(rules, base_of(arguments), UTF_8);
    let mut outcome = Outcome::Done;
    let mut row = Vec::new();
    each_reference(arguments, files, |number, reference| {
        let url = resolve_guarded(number, reference, |reference| resolver.resolve(reference));
        let url = match &url {
            Ok(url) => url.as_deref().map_err(|error| *error),
            Err(fault) => {
                output.say(&[Message::from_error(fault)]);
                outcome = Outcome::Unread;
                Err(ResolveError::Invalid)
            }
        };
        let record = ResolvedRow {
            base: &arguments.base,
            raw: reference,
            rules,
            url,
        };
        writer.record(&record, &mut row);
        if let Err(error) = url {
            let text = format!("reference {number}: {reference:?}: {error}");
            output.say(&[Message::error(error.as_str(), text)]);
        }
        output.write(&row);
        row.clear();
        !output.is_closed()
    })?;
    Ok(outcome)
}

fn compare(arguments: &ResolveArgs, files: &Files, output: &mut Output) -> io::Result<Outcome> {
    let resolvers = Rules::ALL.map(|rules| Resolver::new(rules, base_of(arguments), UTF_8));
    let mut outcome = Outcome::Done;
    let mut resolved: Vec<(String, [Option<String>; 3])> = Vec::new();
    each_reference(arguments, files, |number, reference| {
        let urls = resolvers.each_ref().map(|resolver| {
            resolve_guarded(number, reference, |reference| resolver.resolve(reference))
                .unwrap_or_else(|fault| {
                    output.say(&[Message::from_error(&fault)]);
                    outcome = Outcome::Unread;
                    Err(ResolveError::Invalid)
                })
                .ok()
        });
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
    let mut table = Vec::new();
    compared(arguments.format.into(), &rows, &mut table);
    output.write(&table);
    Ok(outcome)
}

/// A bug in our code costs only one reference.
fn resolve_guarded<T>(
    number: u64,
    reference: &str,
    resolve: impl FnOnce(&str) -> T,
) -> Result<T, ReadError> {
    let origin = || Origin::new(format!("reference {number}: {reference:?}"));
    guarded(origin, || resolve(reference))
}

fn base_of(arguments: &ResolveArgs) -> Option<&str> {
    Some(arguments.base.as_str()).filter(|base| !base.is_empty())
}

/// Calls `each` with every reference and its number, 1-based, until it returns that no more are
/// wanted. Malformed UTF-8 in a line becomes U+FFFD.
fn each_reference(
    arguments: &ResolveArgs,
    files: &Files,
    mut each: impl FnMut(u64, &str) -> bool,
) -> io::Result<()> {
    if !arguments.references.is_empty() {
        let mut references = (1..).zip(&arguments.references);
        references.all(|(number, reference)| each(number, reference));
        return Ok(());
    }
    if io::stdin().is_terminal() {
        return Err(io::Error::other(
            "give references as arguments, or on standard input, one per line",
        ));
    }
    stdin::check_open().map_err(io::Error::other)?;
    let mut stdin = files.stdin(Role::References)?.lock();
    let mut line = Vec::new();
    let mut number = 0;
    while stdin.read_until(b'\n', &mut line)? > 0 {
        let reference = line.strip_suffix(b"\n").unwrap_or(&line);
        let reference = reference.strip_suffix(b"\r").unwrap_or(reference);
        number += 1;
        if !each(number, &String::from_utf8_lossy(reference)) {
            break;
        }
        line.clear();
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn resolver_panic_names_reference() {
        let fault = resolve_guarded(7, "../x", |_| panic!("panic on request"));
        let fault: Result<(), ReadError> = fault;
        let said = fault.unwrap_err().to_string();
        assert!(said.starts_with("reference 7: \"../x\": a fault in baseref"));
        assert!(said.ends_with("panic on request"));
    }
}
