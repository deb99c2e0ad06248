//! JSON objects, one per line or in an array: Sphinx's `output.json`, and objects whose keys are column names.

use std::fmt;

use serde::Deserialize;
use serde::de::{self, Deserializer as _, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::Value;

use crate::link_reports::error::{Problem, ReportFault};
use crate::link_reports::formats::error_messages::{says_no_host, status_in};
use crate::link_reports::formats::table::{Column, Row, column};
use crate::link_reports::report_reader::ReportReader;
use crate::link_reports::result::{FetchResult, Hop, Sink};

/// A line of Sphinx's `output.json`.
#[derive(Deserialize)]
struct SphinxLink {
    uri: String,
    status: String,
    #[serde(default)]
    code: u16,
    #[serde(default)]
    info: String,
}

pub(crate) fn read_sphinx(
    source: &mut ReportReader<'_>,
    sink: &mut dyn Sink<FetchResult>,
) -> Result<(), Problem> {
    while let Some((line, text)) = source.line()? {
        let checked: SphinxLink = serde_json::from_str(text)
            .map_err(|error| Problem::at(line, ReportFault::Json(error)))?;
        if let Some(result) = sphinx_result(checked, line)? {
            sink.add(result)?;
        }
    }
    Ok(())
}

/// The result of a checked link; `None` if it was not requested.
fn sphinx_result(checked: SphinxLink, line: u64) -> Result<Option<FetchResult>, Problem> {
    let mut found = FetchResult {
        url: checked.uri.into(),
        ..FetchResult::default()
    };
    match checked.status.as_str() {
        "working" => found.end_status = Some(200),
        "redirected" => {
            let status = (300..400).contains(&checked.code).then_some(checked.code);
            found.end_status = Some(200);
            found.hops.push(Hop {
                status,
                to: checked.info.into(),
            });
            found.status = status;
            return Ok(Some(found));
        }
        // A busy server is `ignored`, with a reason.
        "ignored" if checked.info.is_empty() => return Ok(None),
        "broken" | "timeout" | "rate-limited" | "ignored" => {
            found.end_status = status_in(&checked.info);
            found.no_host = says_no_host(&checked.info);
            found.error = Some(checked.info.into());
        }
        "unchecked" | "local" => return Ok(None),
        other => {
            let fault = ReportFault::SphinxStatus(other.to_owned());
            return Err(Problem::at(line, fault));
        }
    }
    found.status = found.end_status;
    Ok(Some(found))
}

pub(crate) fn read_objects(
    source: &mut ReportReader<'_>,
    sink: &mut dyn Sink<FetchResult>,
) -> Result<(), Problem> {
    if source.head().trim_start().starts_with('[') {
        let mut input = serde_json::Deserializer::from_reader(source.bytes());
        // A malformed row is still valid JSON, so its problem is not an error of the parser.
        let mut problem = None;
        let done = input
            .deserialize_seq(Rows {
                sink,
                problem: &mut problem,
            })
            .and_then(|()| input.end());
        return match (problem, done) {
            (Some(problem), _) => Err(problem),
            (None, done) => Ok(done?),
        };
    }
    while let Some((line, text)) = source.line()? {
        let row: Row = serde_json::from_str(text)
            .map_err(|error| Problem::at(line, ReportFault::Json(error)))?;
        sink.add(
            row.into_result()
                .map_err(|error| Problem::at(line, error))?,
        )?;
    }
    Ok(())
}

/// Reads the rows of an array, one at a time.
struct Rows<'r> {
    sink: &'r mut dyn Sink<FetchResult>,
    problem: &'r mut Option<Problem>,
}

impl<'de> Visitor<'de> for Rows<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an array of objects")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut rows: A) -> Result<(), A::Error> {
        let mut number = 0_u64;
        while let Some(row) = rows.next_element::<Row>()? {
            number += 1;
            let problem = |source| Problem::in_file(ReportFault::Object { number, source });
            let done = row
                .into_result()
                .map_err(problem)
                .and_then(|result| self.sink.add(result));
            if let Err(problem) = done {
                *self.problem = Some(problem);
                return Err(de::Error::custom("a row"));
            }
        }
        Ok(())
    }
}

impl<'de> Deserialize<'de> for Row {
    fn deserialize<D: de::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(Fields)
    }
}

/// Reads an object whose keys are names of columns.
struct Fields;

impl<'de> Visitor<'de> for Fields {
    type Value = Row;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<Row, A::Error> {
        let mut row = Row::default();
        while let Some(Name(column)) = fields.next_key()? {
            match column {
                Some(column) => {
                    let Scalar(value) = fields.next_value()?;
                    row.put(column, &value);
                }
                None => {
                    fields.next_value::<IgnoredAny>()?;
                }
            }
        }
        Ok(row)
    }
}

/// A key, if it is the name of a column.
struct Name(Option<Column>);

impl<'de> Deserialize<'de> for Name {
    fn deserialize<D: de::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct NameVisitor;
        impl Visitor<'_> for NameVisitor {
            type Value = Name;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a key")
            }

            fn visit_str<E>(self, name: &str) -> Result<Name, E> {
                Ok(Name(column(name)))
            }
        }
        deserializer.deserialize_identifier(NameVisitor)
    }
}

/// A string or a number; any other value is empty.
struct Scalar(String);

impl<'de> Deserialize<'de> for Scalar {
    fn deserialize<D: de::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(Self(match Value::deserialize(deserializer)? {
            Value::String(text) => text,
            Value::Number(number) => number.to_string(),
            _ => String::new(),
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::link_reports::result::Outcome;

    fn line(status: &str, code: u16, info: &str) -> String {
        let filename = "a.rst";
        serde_json::json!({"filename": filename, "lineno": 3, "status": status, "code": code,
            "uri": "https://a.example/", "info": info})
        .to_string()
    }

    #[test]
    fn sphinx_outcomes() {
        for (text, expected) in [
            (line("working", 0, ""), Some(Outcome::Alive)),
            (
                line("redirected", 301, "https://b.example/"),
                Some(Outcome::Moved),
            ),
            (
                line("redirected", 302, "https://b.example/"),
                Some(Outcome::Alive),
            ),
            (
                line(
                    "broken",
                    0,
                    "404 Client Error: Not Found for url: https://a.example/",
                ),
                Some(Outcome::Dead),
            ),
            (
                line(
                    "broken",
                    0,
                    "HTTPSConnectionPool: NameResolutionError: Failed to resolve 'a.example'",
                ),
                Some(Outcome::Dead),
            ),
            (
                line("broken", 0, "Anchor 'x' not found"),
                Some(Outcome::Unknown),
            ),
            (
                line("timeout", 0, "Read timed out."),
                Some(Outcome::Unknown),
            ),
            (
                line("rate-limited", 0, "429 Client Error"),
                Some(Outcome::Unknown),
            ),
            (line("ignored", 0, ""), None),
            (
                line("ignored", 0, "service unavailable"),
                Some(Outcome::Unknown),
            ),
        ] {
            let mut found: Vec<FetchResult> = Vec::new();
            let mut source = ReportReader::new(text.as_bytes()).expect("a report in UTF-8");
            read_sphinx(&mut source, &mut found).expect("a valid line");
            let outcome = found.first().map(FetchResult::outcome);
            assert_eq!(outcome, expected, "{text}");
        }
    }

    fn urls(text: &str) -> Result<Vec<String>, Problem> {
        let mut found: Vec<FetchResult> = Vec::new();
        read_objects(&mut ReportReader::new(text.as_bytes())?, &mut found)?;
        let shown = |result: &FetchResult| format!("{} {:?}", result.url, result.status);
        Ok(found.iter().map(shown).collect())
    }

    #[test]
    fn objects_in_lines_and_arrays() {
        let expected = ["http://a/ Some(200)", "http://b/ Some(404)"];
        let lines = "{\"url\": \"http://a/\", \"status\": 200, \"x\": [1, {}]}\n\n\
                     {\"Status Code\": \"404\", \"Address\": \"http://b/\", \"date\": null}";
        assert_eq!(urls(lines).expect("valid lines"), expected);
        let array = format!("[\n{}]", lines.replace("\n\n", ",\n"));
        assert_eq!(urls(&array).expect("a valid array"), expected);
    }

    #[test]
    fn malformed_object_is_reported() {
        let text = "{\"url\": \"http://a/\", \"status\": 200}\n{\"url\": \"http://b/\"";
        assert_eq!(
            urls(text)
                .expect_err("an error for the truncated text")
                .line,
            Some(2)
        );
        let problem = urls("{\"status\": 200}").expect_err("an error for the missing URL");
        assert_eq!(problem.line, Some(1));
        assert_eq!(
            urls("[\n{\"url\": ")
                .expect_err("an error for the truncated text")
                .line,
            Some(2)
        );
        let problem = urls("[{\"url\": \"http://a/\"}, {\"status\": 1}]")
            .expect_err("an error for the missing URL");
        assert_eq!(problem.fault.to_string(), "object 2: the row has no URL");
    }
}
