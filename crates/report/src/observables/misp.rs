//! A MISP event, to be imported or filled in from JSON (draft-dulaunoy-misp-core-format).

use std::io;

use serde_json::{Map, Value, json};

use super::ids;
use super::store::{ObservableKind, Observables, Sightings};
use crate::json::to_vec;
use baseref_unwrap::End;

/// The event. Nothing in it is for detection (`to_ids`), since a block list with the redirector of
/// an honest site does harm.
pub(super) fn write(
    observables: &Observables,
    is_defanged: bool,
    out: &mut dyn io::Write,
) -> io::Result<()> {
    out.write_all(b"{\"Event\":{\"Attribute\":[")?;
    for (number, (kind, value, seen)) in observables.iter().enumerate() {
        if number > 0 {
            out.write_all(b",")?;
        }
        out.write_all(&to_vec(&attribute(kind, value, seen, is_defanged))?)?;
    }
    let days = observables
        .iter()
        .filter_map(|(_, _, seen)| seen.first.as_deref());
    let day = days.min().and_then(|date| date.get(..10));
    write!(out, "],\"analysis\":\"0\",")?;
    // Without one, MISP takes the day on which it is added.
    if let Some(day) = day {
        write!(out, "\"date\":{},", json!(day))?;
    }
    writeln!(
        out,
        "\"distribution\":\"0\",\"info\":\"Links of mail, by baseref\",\"threat_level_id\":\"4\"}}}}"
    )
}

fn attribute(kind: ObservableKind, value: &str, seen: &Sightings, is_defanged: bool) -> Value {
    let name = match kind {
        ObservableKind::Url => "url",
        ObservableKind::Host => "hostname",
        ObservableKind::Ip => "ip-dst",
        ObservableKind::Address => "email-dst",
    };
    let mut attribute = Map::new();
    let category = if kind == ObservableKind::Address {
        "Payload delivery"
    } else {
        "Network activity"
    };
    attribute.insert("type".to_owned(), name.into());
    attribute.insert("category".to_owned(), category.into());
    let shown = if is_defanged {
        kind.defanged(value)
    } else {
        value.to_owned()
    };
    attribute.insert("value".to_owned(), shown.into());
    attribute.insert("to_ids".to_owned(), false.into());
    // An event that is imported twice has the same attributes.
    attribute.insert(
        "uuid".to_owned(),
        ids::from_text(&format!("{name}|{value}")).into(),
    );
    attribute.insert("comment".to_owned(), comment(seen).into());
    attribute.into()
}

/// The number of links, the first and last day, the wrappers, and why the chain ended. The days are
/// here since the schema of MISP's format 2.4 knows no `first_seen` of an attribute.
fn comment(seen: &Sightings) -> String {
    let links = if seen.count == 1 { "link" } else { "links" };
    let mut comment = format!("{} {links}", seen.count);
    let days =
        [&seen.first, &seen.last].map(|date| date.as_deref().and_then(|date| date.get(..10)));
    let when = match days {
        [Some(first), Some(last)] if first != last => format!(", {first} to {last}"),
        [Some(day), _] => format!(", {day}"),
        _ => String::new(),
    };
    comment.push_str(&when);
    for chain in &seen.wrappers {
        comment.push_str("; ");
        comment.push_str(chain);
    }
    if let Some(end) = seen.end {
        comment.push_str("; ");
        comment.push_str(End::as_str(end));
    }
    comment
}
