//! The JSON report of lychee: maps from inputs to lists of responses, one map per kind of response.
//!
//! The names of the maps have changed between versions (`fail_map` became `error_map`, `timeout_map`
//! and `redirect_map` were added), so any key that ends in `_map` is one.

use std::fmt;

use foldhash::HashMap;
use serde::Deserialize;
use serde::de::{
    self, DeserializeSeed, Deserializer as _, IgnoredAny, MapAccess, SeqAccess, Visitor,
};
use serde_json::Value;

use crate::link_reports::error::Problem;
use crate::link_reports::formats::error_messages::{says_no_host, status_in};
use crate::link_reports::report_reader::ReportReader;
use crate::link_reports::result::{FetchResult, Hop, Sink};

/// A response; its redirects are a field of their own since version 0.24. Since 0.20 also an entry of
/// `redirect_map`, which has no status.
#[derive(Deserialize)]
struct Entry {
    #[serde(default)]
    url: Option<String>,
    #[serde(default)]
    status: Status,
    #[serde(default)]
    origin: Option<String>,
    #[serde(default)]
    redirects: Value,
}

/// `{"text": ..., "code": ...}`; a plain string before version 0.11.
#[derive(Default, Deserialize)]
#[serde(untagged)]
enum Status {
    Response {
        #[serde(default)]
        text: String,
        #[serde(default)]
        code: Option<u16>,
        #[serde(default)]
        details: Option<String>,
        #[serde(default)]
        redirects: Value,
    },
    Text(String),
    #[default]
    Nothing,
}

/// Lists of URLs that were not requested: excluded ones, and suggested copies in a web archive.
const NOT_REQUESTED: [&str; 2] = ["excluded_map", "suggestion_map"];

pub(crate) fn read(
    source: &mut ReportReader<'_>,
    sink: &mut dyn Sink<FetchResult>,
) -> Result<(), Problem> {
    let mut report = Report::default();
    let mut input = serde_json::Deserializer::from_reader(source.bytes());
    input
        .deserialize_map(Maps(&mut report))
        .and_then(|()| input.end())?;
    if report.maps == 0 {
        return Err(Problem::in_file("no key of the report ends in `_map`"));
    }
    for mut result in report.found {
        if let Some(hops) = report.redirected.get(&*result.url)
            && result.hops.is_empty()
        {
            result.status = hops.first().and_then(|hop| hop.status);
            result.hops.clone_from(hops);
        }
        sink.add(result)?;
    }
    Ok(())
}

/// The contents of a report.
#[derive(Default)]
struct Report {
    /// The number of maps.
    maps: usize,
    found: Vec<FetchResult>,
    redirected: HashMap<String, Vec<Hop>>,
}

impl Report {
    fn add(&mut self, entry: Entry, is_success: bool) -> Result<(), &'static str> {
        if let Some(origin) = entry.origin {
            let hops = hops(&entry.redirects, &origin);
            self.redirected.insert(origin, hops);
        } else {
            let url = entry.url.ok_or("an entry has neither url nor origin")?;
            let mut found = fetch_result(url, entry.status, is_success);
            if found.hops.is_empty() {
                found.hops = hops(&entry.redirects, &found.url);
                found.status = found.hops.first().map_or(found.status, |hop| hop.status);
            }
            self.found.push(found);
        }
        Ok(())
    }
}

/// Visits the report, whose maps are among counts.
struct Maps<'r>(&'r mut Report);

impl<'de> Visitor<'de> for Maps<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a lychee report")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<(), A::Error> {
        let Self(report) = self;
        while let Some(name) = fields.next_key::<String>()? {
            let is_map = name.ends_with("_map");
            report.maps += usize::from(is_map);
            if is_map && !NOT_REQUESTED.contains(&name.as_str()) {
                fields.next_value_seed(Inputs {
                    report,
                    is_success: name == "success_map",
                })?;
            } else {
                fields.next_value::<IgnoredAny>()?;
            }
        }
        Ok(())
    }
}

/// A map from inputs to lists of entries, and such a list.
struct Inputs<'r> {
    report: &'r mut Report,
    is_success: bool,
}

impl<'de> DeserializeSeed<'de> for Inputs<'_> {
    type Value = ();

    fn deserialize<D: de::Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Inputs<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a map from inputs to lists of responses")
    }

    fn visit_unit<E>(self) -> Result<(), E> {
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut inputs: A) -> Result<(), A::Error> {
        let Self { report, is_success } = self;
        while inputs.next_key::<IgnoredAny>()?.is_some() {
            inputs.next_value_seed(Inputs {
                report: &mut *report,
                is_success,
            })?;
        }
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut entries: A) -> Result<(), A::Error> {
        while let Some(entry) = entries.next_element()? {
            let added = self.report.add(entry, self.is_success);
            added.map_err(de::Error::custom)?;
        }
        Ok(())
    }
}

fn fetch_result(url: String, status: Status, is_success: bool) -> FetchResult {
    let mut found = FetchResult {
        url: url.into(),
        ..FetchResult::default()
    };
    match status {
        Status::Response {
            text,
            code,
            details,
            redirects,
        } => {
            let words = details.filter(|words| !words.is_empty()).unwrap_or(text);
            found.hops = hops(&redirects, &found.url);
            found.end_status = code.or_else(|| status_in(&words));
            found.status = found
                .hops
                .first()
                .and_then(|hop| hop.status)
                .or(found.end_status);
            set_error(&mut found, words);
        }
        Status::Text(words) => {
            found.status = status_in(&words);
            found.end_status = found.status;
            set_error(&mut found, words);
        }
        Status::Nothing => {}
    }
    if is_success && found.end_status.is_none() {
        // From lychee's cache, which records an accepted response without its status.
        found.end_status = Some(200);
        found.status = found.status.or(Some(200));
        found.error = None;
    }
    found
}

/// Stores a message as the error of a result without a status.
fn set_error(found: &mut FetchResult, words: String) {
    if found.end_status.is_none() {
        found.no_host = says_no_host(&words);
        found.error = Some(words.into());
    }
}

/// The redirects in `[{"url": ..., "code": ...}]`, or in an object with such a list. The first item may be
/// the URL itself.
fn hops(redirects: &Value, url: &str) -> Vec<Hop> {
    let list = match redirects {
        Value::Array(list) => list,
        Value::Object(object) => match object.get("redirects") {
            Some(Value::Array(list)) => list,
            _ => return Vec::new(),
        },
        _ => return Vec::new(),
    };
    let hop = |value: &Value| -> Option<Hop> {
        let to = value.as_str().or_else(|| value.get("url")?.as_str())?;
        let status = value.get("code").and_then(Value::as_u64);
        Some(Hop {
            status: status.and_then(|status| u16::try_from(status).ok()),
            to: to.into(),
        })
    };
    let mut hops: Vec<Hop> = list.iter().filter_map(hop).collect();
    if hops.first().is_some_and(|first| &*first.to == url) {
        hops.remove(0);
    }
    hops
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::link_reports::result::Outcome;

    fn outcomes(text: &str) -> Result<Vec<(String, Outcome)>, Problem> {
        let mut found: Vec<FetchResult> = Vec::new();
        read(&mut ReportReader::new(text.as_bytes())?, &mut found)?;
        let outcome = |result: &FetchResult| (result.url.to_string(), result.outcome());
        let mut found: Vec<_> = found.iter().map(outcome).collect();
        found.sort();
        Ok(found)
    }

    #[test]
    fn maps_of_old_and_new_versions() {
        let new = r#"{"total": 5, "success_map": {"a.html": [
            {"url": "https://ok.example/", "status": {"text": "200 OK", "code": 200}},
            {"url": "https://cached.example/", "status": {"text": "OK (cached)"}}]},
          "error_map": {"a.html": [
            {"url": "https://gone.example/x", "status": {"text": "404 Not Found", "code": 404}},
            {"url": "https://none.example/", "status": {"text": "Network error", "details": "dns error: failed to lookup address information: Name or service not known"}}]},
          "timeout_map": {"b.html": [
            {"url": "https://slow.example/", "status": {"text": "Timeout"}}]},
          "redirect_map": {"b.html": [
            {"url": "http://old.example/", "status": {"text": "Redirect", "code": 200,
              "redirects": [{"url": "https://new.example/", "code": 301}]}}]},
          "excluded_map": {"a.html": [{"url": "https://left.example/", "status": {"text": "Excluded"}}]}}"#;
        assert_eq!(
            outcomes(new).expect("a valid report"),
            [
                ("http://old.example/".to_owned(), Outcome::Moved),
                ("https://cached.example/".to_owned(), Outcome::Alive),
                ("https://gone.example/x".to_owned(), Outcome::Dead),
                ("https://none.example/".to_owned(), Outcome::Dead),
                ("https://ok.example/".to_owned(), Outcome::Alive),
                ("https://slow.example/".to_owned(), Outcome::Unknown),
            ]
        );
        let newest = r#"{"success_map": {"a": [{"url": "http://old.example/", "status": {"text": "200 OK", "code": 200}}]},
          "redirect_map": {"a": [{"origin": "http://old.example/", "redirects": [{"url": "https://new.example/", "code": 308}]}]}}"#;
        assert_eq!(
            outcomes(newest).expect("a valid report"),
            [("http://old.example/".to_owned(), Outcome::Moved)]
        );
        let in_error_map = r#"{"error_map": {"a": [{"url": "http://old.example/", "status": {"text": "Rejected status code: 404 Not Found", "code": 404},
          "redirects": {"origin": "http://old.example/", "redirects": [{"url": "https://new.example/", "code": 301}]}, "span": {"line": 1}}]}}"#;
        assert_eq!(
            outcomes(in_error_map).expect("a valid report"),
            [("http://old.example/".to_owned(), Outcome::Dead)]
        );
        let old = r#"{"total": 1, "fail_map": {"a": [{"url": "https://gone.example/", "status": "Failed: Network error: 410 Gone"}]}}"#;
        assert_eq!(
            outcomes(old).expect("a valid report"),
            [("https://gone.example/".to_owned(), Outcome::Dead)]
        );
    }

    #[test]
    fn truncated_report_is_an_error_with_its_line() {
        let problem =
            outcomes("{\n\"fail_map\": {").expect_err("an error for the truncated report");
        assert_eq!(problem.line, Some(2));
        assert!(outcomes("{\"a\": 1}").is_err());
        assert!(outcomes("{\"fail_map\": {\"a\": [{\"x\": 1}]}}").is_err());
        assert!(outcomes("{\"fail_map\": null}").is_ok());
    }
}
