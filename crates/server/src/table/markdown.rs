//! The table of servers in Markdown, for the documentation.

use super::row::{RulesLocation, Server};
use super::rows::{Dialect, SERVERS};

/// The hosting presets.
#[must_use]
pub fn hosting() -> String {
    let row = |server: &Server| {
        let preset = server.hosting.as_ref()?;
        let names = |names: &[&str]| match names {
            [] => "none".to_owned(),
            names => format!("`{}`", names.join("`, `")),
        };
        let slash = if preset.slash_extension { "yes" } else { "no" };
        let case = if preset.case_sensitive { "yes" } else { "no" };
        Some(format!(
            "| `{}` | {} | {} | {} | {slash} | {case} | {}, {} |\n",
            server.name,
            names(preset.index),
            preset.folder.as_str(),
            names(preset.extensions),
            preset.source,
            preset.dated
        ))
    };
    let rows: String = SERVERS.iter().filter_map(row).collect();
    format!(
        "| `--hosting` | index | `/folder` | extensions added | also to `/file/` | case counts | \
         source |\n|---|---|---|---|---|---|---|\n{rows}"
    )
}

/// The dialects of redirect rules; those that read the same share a row.
#[must_use]
pub fn dialects() -> String {
    let rows = Dialect::ALL.chunk_by(|one, next| one.format().reads == next.format().reads);
    let row = |dialects: &[Dialect]| {
        let names: Vec<String> = dialects.iter().map(|d| format!("`{d}`")).collect();
        let format = dialects.first()?.format();
        let location = match format.location {
            RulesLocation::InPlan => "a plan",
            RulesLocation::OnServer => "the server",
            RulesLocation::InTree => "the tree",
        };
        Some(format!(
            "| {} | {} | {location} | {} |\n",
            names.join(", "),
            format.reads,
            format.compared_with
        ))
    };
    let rows: String = rows.filter_map(row).collect();
    format!(
        "| dialect | what is read | part of | answers compared with |\n|---|---|---|---|\n{rows}"
    )
}

/// The names of the dialects as a clause: `csv, tsv, ..., s3 and iis`.
#[must_use]
pub fn dialect_names() -> String {
    let names: Vec<&str> = Dialect::names().collect();
    match names.split_last() {
        Some((last, others)) => format!("{} and {last}", others.join(", ")),
        None => String::new(),
    }
}
