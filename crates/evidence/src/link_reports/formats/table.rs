//! Tables with a header (CSV, TSV).

use std::io::Read;

use crate::link_reports::error::{Problem, RowError};
use crate::link_reports::formats::error_messages::{says_no_host, status, status_in};
use crate::link_reports::report_reader::ReportReader;
use crate::link_reports::result::{FetchResult, Hop, Sink};

/// A column whose name is recognised.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Column {
    Url,
    Status,
    Location,
    Final,
    Date,
    Error,
}

/// The names of columns, in lower case, without `_`, `-` and spaces.
const NAMES: [(&str, Column); 27] = [
    ("url", Column::Url),
    ("uri", Column::Url),
    ("address", Column::Url),
    ("link", Column::Url),
    ("originalurl", Column::Url),
    ("status", Column::Status),
    ("statuscode", Column::Status),
    ("code", Column::Status),
    ("responsecode", Column::Status),
    ("httpcode", Column::Status),
    ("httpstatus", Column::Status),
    ("location", Column::Location),
    ("redirect", Column::Location),
    ("redirecturl", Column::Location),
    ("redirecturi", Column::Location),
    ("final", Column::Final),
    ("finalurl", Column::Final),
    ("urleffective", Column::Final),
    ("date", Column::Date),
    ("time", Column::Date),
    ("timestamp", Column::Date),
    ("checked", Column::Date),
    ("crawltimestamp", Column::Date),
    ("error", Column::Error),
    ("errormsg", Column::Error),
    ("reason", Column::Error),
    ("message", Column::Error),
];

pub(crate) fn column(name: &str) -> Option<Column> {
    let plain: String = name
        .trim()
        .trim_start_matches('\u{feff}')
        .chars()
        .filter(|c| !matches!(c, '_' | '-' | ' '))
        .map(|c| c.to_ascii_lowercase())
        .collect();
    let found = NAMES.iter().find(|(known, _)| *known == plain)?;
    Some(found.1)
}

/// Whether a column with this name holds the URLs.
pub(crate) fn is_url_column(name: &str) -> bool {
    column(name) == Some(Column::Url)
}

/// The fields of a row.
#[derive(Debug, Default)]
pub(crate) struct Row {
    url: String,
    status: String,
    location: String,
    end: String,
    date: String,
    error: String,
}

impl Row {
    /// Sets a field; the first value wins.
    pub(crate) fn put(&mut self, column: Column, value: &str) {
        let field = match column {
            Column::Url => &mut self.url,
            Column::Status => &mut self.status,
            Column::Location => &mut self.location,
            Column::Final => &mut self.end,
            Column::Date => &mut self.date,
            Column::Error => &mut self.error,
        };
        if field.is_empty() {
            value.trim().clone_into(field);
        }
    }

    /// Whether the status has three digits, as curl writes it; `000` means no response.
    pub(crate) fn has_status_of_three_digits(&self) -> bool {
        self.status.len() == 3 && self.status.bytes().all(|byte| byte.is_ascii_digit())
    }

    /// Converts the row.
    pub(crate) fn into_result(self) -> Result<FetchResult, RowError> {
        let some = |text: String| Some(text).filter(|text| !text.is_empty()).map(Into::into);
        if self.url.is_empty() {
            return Err(RowError::NoUrl);
        }
        if self.url.contains('\n') {
            return Err(RowError::LongUrl);
        }
        let number = status(&self.status);
        let is_none = ["", "0", "000", "-"].contains(&self.status.as_str());
        let (number, words) = match number {
            None if !is_none => (status_in(&self.status), self.status.clone()),
            _ => (number, self.error.clone()),
        };
        if number.is_none() && !is_none && words.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(RowError::Status(self.status));
        }
        let mut found = FetchResult {
            url: self.url.into(),
            status: number,
            no_host: number.is_none() && (says_no_host(&words) || says_no_host(&self.error)),
            date: some(self.date),
            ..FetchResult::default()
        };
        let is_redirect = number.is_some_and(|status| (300..400).contains(&status));
        if !self.location.is_empty() {
            found.hops.push(Hop {
                status: number.filter(|_| is_redirect),
                to: self.location.into(),
            });
        }
        if !self.end.is_empty() && self.end != *found.url && self.end != found.end() {
            found.hops.push(Hop {
                status: None,
                to: self.end.into(),
            });
        }
        // A status other than 3xx belongs to the final URL.
        if !is_redirect {
            found.end_status = number;
            found.status = number.filter(|_| found.hops.is_empty());
        }
        if number.is_none() {
            found.error = some(if self.error.is_empty() {
                words
            } else {
                self.error
            });
        }
        Ok(found)
    }
}

/// Reads lines of CSV of any length, without comments.
pub(super) fn csv_reader<'s>(
    source: &'s mut ReportReader<'_>,
    separator: u8,
) -> csv::Reader<impl Read + 's> {
    csv::ReaderBuilder::new()
        .delimiter(separator)
        .flexible(true)
        .comment(Some(b'#'))
        .from_reader(source.bytes())
}

pub(crate) fn read(
    source: &mut ReportReader<'_>,
    separator: u8,
    sink: &mut dyn Sink<FetchResult>,
) -> Result<(), Problem> {
    let mut reader = csv_reader(source, separator);
    let header = reader.headers()?;
    let columns: Vec<Option<Column>> = header.iter().map(column).collect();
    if !columns.contains(&Some(Column::Url)) {
        let line = header.position().map_or(1, csv::Position::line);
        let reason = "no column is named url, uri, address or link";
        return Err(Problem::at(line, reason));
    }
    let mut record = csv::StringRecord::new();
    while reader.read_record(&mut record)? {
        let line = record.position().map_or(0, csv::Position::line);
        let mut row = Row::default();
        for (column, value) in columns.iter().zip(&record) {
            if let Some(column) = column {
                row.put(*column, value);
            }
        }
        sink.add(
            row.into_result()
                .map_err(|error| Problem::at(line, error))?,
        )?;
    }
    Ok(())
}

/// The separator of a table: a semicolon if the header has more of them than commas.
pub(crate) fn separator(text: &str) -> u8 {
    let header = text
        .lines()
        .find(|line| !line.trim().is_empty() && !line.starts_with('#'))
        .unwrap_or_default();
    let count = |separator| header.matches(separator).count();
    if count(';') > count(',') { b';' } else { b',' }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::link_reports::error::ReportFault;
    use crate::link_reports::result::Outcome;

    fn results(text: &str, separator: u8) -> Result<Vec<(String, Outcome)>, Problem> {
        let mut found: Vec<FetchResult> = Vec::new();
        let mut source = ReportReader::new(text.as_bytes())?;
        read(&mut source, separator, &mut found)?;
        let outcome = |result: &FetchResult| (result.end().to_owned(), result.outcome());
        Ok(found.iter().map(outcome).collect())
    }

    #[test]
    fn columns_by_name_in_any_order() {
        let text = "\u{feff}Status Code,Address,Redirect URL,Date\n\
                    200,https://a.example/,,2026-01-02\n\
                    301,https://b.example/,https://c.example/,\n\
                    \"404 Not Found\",https://d.example/,,\n\
                    ,https://e.example/,,\n";
        let found = results(text, b',').expect("a valid table");
        let outcomes: Vec<Outcome> = found.into_iter().map(|(_, outcome)| outcome).collect();
        assert_eq!(
            outcomes,
            [
                Outcome::Alive,
                Outcome::Moved,
                Outcome::Dead,
                Outcome::Unknown
            ]
        );
        assert!(results("a,b\n1,2\n", b',').is_err());
        let problem =
            results("url,status\n,200\n", b',').expect_err("an error for the missing URL");
        assert_eq!(problem.line, Some(2));
        let open = "url,status\n\"http://a.example/,200\nhttp://b.example/,404\n";
        let problem = results(open, b',').expect_err("an error for the open quote");
        assert!(matches!(problem.fault, ReportFault::Row(RowError::LongUrl)));
        assert_eq!(problem.line, Some(2));
    }

    #[test]
    fn final_url_is_the_end_of_the_redirects() {
        let text = "url\tstatus\tfinal\nhttp://a.example/\t200\thttps://a.example/\n\
                    http://b.example/\t301\thttps://b.example/\n";
        assert_eq!(
            results(text, b'\t').expect("a valid table"),
            [
                // The report does not say whether the redirect is permanent.
                ("https://a.example/".to_owned(), Outcome::Alive),
                ("https://b.example/".to_owned(), Outcome::Moved),
            ]
        );
    }
}
