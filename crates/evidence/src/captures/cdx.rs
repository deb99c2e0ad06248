//! Captures as the lines of an index list them: CDX, whose first line names its columns, unless they
//! are the usual ones, and CDXJ, with a JSON object in each line.
//!
//! The key that begins a line is not used: writers disagree on it. The URL is.

use std::borrow::Cow;
use std::fmt;

use baseref_document::{Capture, CaptureKind, Profile};
use serde::Deserialize;
use serde::de::{Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};

/// Reads an index line by line.
#[derive(Debug, Default)]
pub struct Cdx {
    /// The letters of the columns, and the character between them, once a first line showed them.
    columns: Option<(char, Vec<char>)>,
}

/// What is wrong with a line of anything else.
const NO_INDEX: &str = "is neither CDX nor CDXJ";

/// The beginning of the line that names the columns, after the character between them.
const HEADER: &str = "CDX ";

impl Cdx {
    /// Whether a line has a key, a date and a capture, in columns or as JSON.
    #[must_use]
    pub fn is_row(line: &str) -> bool {
        keyed(line).is_some() || usual_columns(line).is_some()
    }

    /// The capture in the next line, without its line end; `None` if the line has none.
    ///
    /// # Errors
    /// If it is not a line of an index, with what is wrong with it.
    pub fn line(&mut self, line: &str) -> Result<Option<Capture>, &'static str> {
        if line.trim().is_empty() || line.starts_with('!') {
            return Ok(None);
        }
        if let Some((delimiter, letters)) = header(line) {
            self.columns = Some((delimiter, letters));
            return Ok(None);
        }
        if let Some((_, date, json)) = keyed(line) {
            return json_capture(Some(date), json).map(Some);
        }
        // The form in which pywb's server answers with JSON.
        if line.starts_with('{') {
            return json_capture(None, line).map(Some);
        }
        if self.columns.is_none() {
            self.columns = usual_columns(line).map(|letters| (' ', letters.chars().collect()));
        }
        let Some((delimiter, columns)) = &self.columns else {
            return Err(NO_INDEX);
        };
        let values: Vec<&str> = line.split(*delimiter).collect();
        let value = |letter: char| {
            let place = columns.iter().position(|column| *column == letter)?;
            values.get(place).copied().filter(|value| *value != "-")
        };
        let url = value('a').ok_or("has no URL")?;
        let capture = Fields {
            url,
            date: value('b'),
            media: value('m'),
            status: value('s'),
            location: value('r'),
            method: None,
        };
        Ok(Some(capture.capture()))
    }
}

/// The letters of the columns of a line that has them in the usual order: the Wayback Machine's server
/// does not name them.
fn usual_columns(line: &str) -> Option<&'static str> {
    let fields: Vec<&str> = line.split(' ').collect();
    let date = fields.get(1)?;
    let is_date = date.len() == 14 && date.bytes().all(|byte| byte.is_ascii_digit());
    match fields.len() {
        _ if !is_date => None,
        7 => Some("NbamskS"),
        9 => Some("NbamskrVg"),
        10 => Some("NbamskrMVg"),
        11 => Some("NbamskrMSVg"),
        _ => None,
    }
}

/// The character between columns and their letters, if the line names them.
fn header(line: &str) -> Option<(char, Vec<char>)> {
    let line = line.trim_start_matches('\u{feff}');
    let delimiter = line.chars().next()?;
    let letters = line[delimiter.len_utf8()..].strip_prefix(HEADER.trim_end())?;
    let letters = letters.split(delimiter).filter(|letter| !letter.is_empty());
    let letters: Option<Vec<char>> = letters
        .map(|letter| {
            letter
                .chars()
                .next()
                .filter(|_| letter.chars().count() == 1)
        })
        .collect();
    Some((delimiter, letters?))
}

/// The key, the date and the JSON of a line of CDXJ.
fn keyed(line: &str) -> Option<(&str, &str, &str)> {
    let (key, rest) = line.split_once(' ')?;
    let (date, json) = rest.split_once(' ')?;
    (is_date(date) && json.trim_start().starts_with('{')).then_some((key, date, json))
}

/// Whether a text is a date of 4 to 17 digits.
fn is_date(text: &str) -> bool {
    (4..=17).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// The fields of a line of CDXJ.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Object<'l> {
    #[serde(borrow)]
    timestamp: Field<'l>,
    #[serde(borrow)]
    url: Field<'l>,
    #[serde(borrow)]
    mime: Field<'l>,
    #[serde(borrow)]
    status: Field<'l>,
    #[serde(borrow)]
    redirect: Field<'l>,
    #[serde(borrow)]
    method: Field<'l>,
}

/// A text or a number; nothing for anything else.
#[derive(Default)]
struct Field<'l>(Cow<'l, str>);

impl Field<'_> {
    fn value(&self) -> Option<&str> {
        Some(&*self.0).filter(|value| !matches!(*value, "" | "-"))
    }
}

impl<'de: 'l, 'l> Deserialize<'de> for Field<'l> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(AnyField).map(Self)
    }
}

struct AnyField;

impl<'de> Visitor<'de> for AnyField {
    type Value = Cow<'de, str>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Self::Value, E> {
        Ok(Cow::Borrowed(text))
    }

    fn visit_str<E>(self, text: &str) -> Result<Self::Value, E> {
        Ok(Cow::Owned(text.to_owned()))
    }

    fn visit_u64<E>(self, number: u64) -> Result<Self::Value, E> {
        Ok(Cow::Owned(number.to_string()))
    }

    fn visit_i64<E>(self, _: i64) -> Result<Self::Value, E> {
        Ok(Cow::default())
    }

    fn visit_f64<E>(self, _: f64) -> Result<Self::Value, E> {
        Ok(Cow::default())
    }

    fn visit_bool<E>(self, _: bool) -> Result<Self::Value, E> {
        Ok(Cow::default())
    }

    fn visit_unit<E>(self) -> Result<Self::Value, E> {
        Ok(Cow::default())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut values: A) -> Result<Self::Value, A::Error> {
        while values.next_element::<IgnoredAny>()?.is_some() {}
        Ok(Cow::default())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<Self::Value, A::Error> {
        while fields.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(Cow::default())
    }
}

/// Parses a capture from a JSON object; its date precedes the object or is one of its fields.
fn json_capture(date: Option<&str>, json: &str) -> Result<Capture, &'static str> {
    let fields: Object<'_> = serde_json::from_str(json).map_err(|_| "has no valid JSON")?;
    let date = date.or_else(|| fields.timestamp.value().filter(|date| is_date(date)));
    let capture = Fields {
        date: Some(date.ok_or(NO_INDEX)?),
        url: fields.url.value().ok_or("has no URL")?,
        media: fields.mime.value(),
        status: fields.status.value(),
        location: fields.redirect.value(),
        method: fields.method.value(),
    };
    Ok(capture.capture())
}

/// The fields of a line.
struct Fields<'l> {
    url: &'l str,
    date: Option<&'l str>,
    media: Option<&'l str>,
    status: Option<&'l str>,
    location: Option<&'l str>,
    method: Option<&'l str>,
}

impl Fields<'_> {
    fn capture(self) -> Capture {
        let is_revisit = self.media == Some("warc/revisit");
        let status = self.status.and_then(|status| status.parse().ok());
        let method = self.method.or_else(|| method_in(self.url));
        // Indexers write no status for revisits and resources.
        let status = match (status, is_revisit) {
            (Some(status), _) => status,
            (None, true) => 0,
            (None, false) => 200,
        };
        // Some write addresses without their scheme.
        let url = if self.url.contains("://") {
            self.url.to_owned()
        } else {
            format!("http://{}", self.url)
        };
        Capture {
            status,
            location: self.location.map(Box::from),
            kind: if is_revisit {
                CaptureKind::Revisit(Profile::IdenticalPayload)
            } else {
                CaptureKind::Response
            },
            method: method.filter(|method| *method != "GET").map(Box::from),
            ..Capture::from_page(&url, self.date.and_then(date_of).as_deref())
        }
    }
}

/// The method that indexers append to the query of what was not asked for with GET.
fn method_in(url: &str) -> Option<&str> {
    let (_, after) = url.split_once("__wb_method=")?;
    after.split('&').next()
}

/// A date of 4 to 17 digits in RFC 3339: what is left out is the earliest.
fn date_of(digits: &str) -> Option<String> {
    const EARLIEST: &str = "00000101000000000";
    if !is_date(digits) {
        return None;
    }
    let digit = |at: usize| {
        let all = if at < digits.len() { digits } else { EARLIEST };
        char::from(all.as_bytes()[at])
    };
    let mut date = String::with_capacity("2024-03-01T10:00:00.000Z".len());
    for (from, to, end) in [
        (0, 4, '-'),
        (4, 6, '-'),
        (6, 8, 'T'),
        (8, 10, ':'),
        (10, 12, ':'),
        (12, 14, '.'),
        (14, 17, 'Z'),
    ] {
        date.extend((from..to).map(digit));
        date.push(end);
    }
    Some(date)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(lines: &[&str]) -> Vec<String> {
        let mut cdx = Cdx::default();
        let lines = lines.iter().filter_map(|line| match cdx.line(line) {
            Ok(capture) => capture.map(|capture| {
                let date = capture.date.as_deref().unwrap_or("-");
                let method = capture.method.as_deref().unwrap_or("GET");
                format!("{} {date} {} {method}", capture.url, capture.status)
            }),
            Err(reason) => Some(reason.to_owned()),
        });
        lines.collect()
    }

    #[test]
    fn columns_named_by_the_header() {
        assert_eq!(
            read(&[
                " CDX N b a m s k r M S V g",
                "org,x)/ 20240301100000 http://x.org/ text/html 200 AAAA - - 1 2 a.warc.gz",
                "org,x)/r 20240301100000 x.org/r warc/revisit - AAAA - - 1 2 a.warc.gz",
                "org,x)/g 20240301100000 http://x.org/g text/html 404 AAAA - - 1 2 a.warc.gz",
            ]),
            [
                "http://x.org/ 2024-03-01T10:00:00.000Z 200 GET",
                "http://x.org/r 2024-03-01T10:00:00.000Z 0 GET",
                "http://x.org/g 2024-03-01T10:00:00.000Z 404 GET",
            ]
        );
        assert_eq!(
            read(&["org,x)/ 20240301100000 http://x.org/"]),
            ["is neither CDX nor CDXJ"]
        );
    }

    #[test]
    fn columns_in_the_usual_order_without_a_header() {
        for line in [
            "org,x)/ 20240301100000 http://x.org/ text/html 200 AAAA 12",
            "org,x)/ 20240301100000 http://x.org/ text/html 200 AAAA - 2 a.warc.gz",
            "org,x)/ 20240301100000 http://x.org/ text/html 200 AAAA - - 2 a.warc.gz",
            "org,x)/ 20240301100000 http://x.org/ text/html 200 AAAA - - 1 2 a.warc.gz",
        ] {
            assert!(Cdx::is_row(line), "{line}");
            let capture = "http://x.org/ 2024-03-01T10:00:00.000Z 200 GET";
            assert_eq!(read(&[line, line]), [capture, capture], "{line}");
        }
    }

    #[test]
    fn cdxj_line_is_an_object() {
        assert_eq!(
            read(&[
                "!meta 0 {\"format\": \"cdxj-gzip-1.0\"}",
                "org,x)/ 20240301100000123 {\"url\":\"https://x.org/\",\"mime\":\"text/html\",\"status\":\"200\"}",
                "org,x)/p 20240301100000 {\"url\":\"https://x.org/p\",\"status\":200,\"method\":\"POST\"}",
                "org,x)/q 2024 {\"url\":\"https://x.org/q?__wb_method=PUT&a=b\",\"status\":\"200\"}",
                "{\"urlkey\":\"org,x)/\",\"timestamp\":\"2024\",\"url\":\"https://x.org/s\",\"status\":\"200\"}",
                "org,x)/ 20240301100000 {\"mime\":\"text/html\"}",
            ]),
            [
                "https://x.org/ 2024-03-01T10:00:00.123Z 200 GET",
                "https://x.org/p 2024-03-01T10:00:00.000Z 200 POST",
                "https://x.org/q?__wb_method=PUT&a=b 2024-01-01T00:00:00.000Z 200 PUT",
                "https://x.org/s 2024-01-01T00:00:00.000Z 200 GET",
                "has no URL",
            ]
        );
    }
}
