//! The closing messages of `baseref links`: what the output does not show, and what to do about it.

use std::path::Path;
use std::sync::Arc;

use crate::cli::counts::{BrowserDifferences, Counts, count, each_count};
use crate::cli::message::Message;
use baseref_files::{Files, Role};
use baseref_report::observables::{Observables, ObservablesFormat};
use baseref_resolve::ResolveError;
use baseref_walk::sidecar;

/// The closing messages. `has_rows` says that links without a URL are in the output.
pub(super) fn messages(
    counts: &Counts,
    files: &Files,
    has_rows: bool,
    longest: Option<usize>,
    stats: bool,
) -> Vec<Message> {
    let mut account = Vec::new();
    account.extend(without_url(counts, files, has_rows));
    account.extend(elsewhere(counts.elsewhere));
    account.extend(longest.and_then(|longest| cut(counts.cut, longest)));
    if stats {
        account.extend(reading_stats(counts));
    }
    account.extend(notes(counts));
    account
}

/// Links without a line in the `url` format are not dropped silently.
fn without_url(counts: &Counts, files: &Files, has_rows: bool) -> Option<Message> {
    let by_reason = || counts.without_url.by_reason();
    let all: u64 = by_reason().map(|(_, number)| number).sum();
    let without_base: u64 = by_reason()
        .filter(|(reason, _)| *reason == ResolveError::NoBase)
        .map(|(_, number)| number)
        .sum();
    if all == 0 || has_rows && without_base == 0 {
        return None;
    }
    let mut text = format!(
        "{} without a URL ({})",
        count(all, "link", "links"),
        by_reason()
            .filter(|(_, number)| *number > 0)
            .map(|(reason, number)| format!("{number} {}", in_words(reason)))
            .collect::<Vec<_>>()
            .join(", ")
    );
    if without_base > 0 {
        text.push_str("; no base is known: ");
        text.push_str(if counts.baseless_pages > 0 {
            "give `--url-map DIR=URL` or `-u URL`"
        } else {
            // `--url-map` is for folders, and does not help with a mailbox.
            "neither the message nor its HTML names one"
        });
        if counts.has_unused_mark || has_mark_beside(&counts.baseless, files) {
            text.push_str(", or `--saved-from auto`: marks record where pages were saved from");
        }
    }
    if !has_rows {
        text.push_str("; `--format jsonl` shows each with its reason");
    }
    Some(Message::info("without-url", text))
}

/// Why links have no URL, after their number.
fn in_words(reason: ResolveError) -> &'static str {
    match reason {
        ResolveError::NoBase => "without a base",
        ResolveError::BadBase => "with a base that is no absolute URL",
        ResolveError::Invalid => "invalid",
        ResolveError::TooLong => "too long",
        _ => reason.as_str(),
    }
}

/// The message about observables that a STIX bundle cannot express.
pub(super) fn left_out(observables: &Observables, form: ObservablesFormat) -> Option<Message> {
    if form != ObservablesFormat::Stix {
        return None;
    }
    let (undated, nameless) = (observables.undated(), observables.nameless());
    let mut parts = Vec::new();
    if undated > 0 {
        parts.push(format!(
            "when and how often {} of no message with a date {} seen (observed-data needs a date)",
            count(undated, "observable", "observables"),
            if undated == 1 { "was" } else { "were" }
        ));
    }
    if nameless > 0 {
        let hosts = count(
            nameless,
            "host that is no domain name",
            "hosts that are no domain names",
        );
        parts.push(format!("{hosts} (their URLs are there)"));
    }
    let text = format!("left out: {}", parts.join(", and "));
    (!parts.is_empty()).then(|| Message::info("left-out", text))
}

/// The URLs that `--max-url` has shortened.
fn cut(number: u64, longest: usize) -> Option<Message> {
    let text = format!(
        "{} with a URL of more than {longest} characters, which is cut (--max-url)",
        count(number, "link", "links")
    );
    (number > 0).then(|| Message::info("cut", text))
}

/// The message about links that browsers resolve differently from the chosen rule set.
fn elsewhere(counts: BrowserDifferences) -> Option<Message> {
    let BrowserDifferences {
        all,
        to_other_hosts,
        nowhere,
    } = counts;
    if all == 0 {
        return None;
    }
    let mut each = Vec::new();
    if to_other_hosts > 0 {
        each.push(format!("{to_other_hosts} to another host"));
    }
    if nowhere > 0 {
        each.push(format!("{nowhere} nowhere"));
    }
    let each = if each.is_empty() {
        String::new()
    } else {
        format!(" ({})", each.join(", "))
    };
    let links = count(all, "link leads", "links lead");
    Some(Message::info(
        "elsewhere-in-browsers",
        format!(
            "{links} elsewhere in browsers{each}: `browser_url` of the formats with fields says \
             where, and `--resolver whatwg` gives what browsers open"
        ),
    ))
}

/// Whether the file system records a source URL for one of these inputs. Only a few are checked, at the
/// end: checking every file would cost as much as reading a page.
fn has_mark_beside(inputs: &[Arc<str>], files: &Files) -> bool {
    let mut paths = inputs.iter().map(|input| Path::new(&**input));
    paths.any(|path| !sidecar::declarations(path, &|mark| files.open(mark, Role::Mark)).is_empty())
}

/// The number of notes, by code.
fn notes(counts: &Counts) -> Option<Message> {
    let all: u64 = counts.notes.values().sum();
    let each = each_count(counts.notes.iter().map(|(code, number)| (code, *number)));
    (all > 0).then(|| {
        let notes = count(all, "note", "notes");
        Message::info("notes", format!("{notes} ({each}); -v shows them"))
    })
}

/// How the HTML documents were read, one line for each way.
fn reading_stats(counts: &Counts) -> Vec<Message> {
    let by_tree: u64 = counts.by_tree.values().sum();
    let all = counts.by_tags + by_tree;
    let mut lines = vec![format!(
        "{}: {} streamed, {by_tree} needed a tree",
        count(all, "HTML document", "HTML documents"),
        counts.by_tags,
    )];
    let reasons = counts.by_tree.iter();
    lines.extend(
        reasons.map(|(reason, number)| format!("needed a tree for {}: {number}", reason.as_str())),
    );
    let lines = lines.into_iter();
    lines.map(|line| Message::info("stats", line)).collect()
}
