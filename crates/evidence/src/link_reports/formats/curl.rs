//! Lines written by `curl -w`.

use crate::link_reports::error::Problem;
use crate::link_reports::formats::table::{Column, Row};
use crate::link_reports::report_reader::ReportReader;
use crate::link_reports::result::{FetchResult, Sink};

/// Reads lines of `%{url} %{response_code} %{redirect_url}`, or with tabs and `%{errormsg}`.
pub(crate) fn read(
    source: &mut ReportReader<'_>,
    sink: &mut dyn Sink<FetchResult>,
) -> Result<(), Problem> {
    const COLUMNS: [Column; 4] = [Column::Url, Column::Status, Column::Location, Column::Error];
    while let Some((number, line)) = source.line()? {
        let mut row = Row::default();
        let mut put = |(column, field): (&Column, &str)| row.put(*column, field);
        if line.contains('\t') {
            COLUMNS.iter().zip(line.split('\t')).for_each(&mut put);
        } else {
            COLUMNS.iter().zip(fields(line)).for_each(&mut put);
        }
        if !row.has_status_of_three_digits() {
            let reason = "the line has no three-digit status after its URL";
            return Err(Problem::at(number, reason));
        }
        sink.add(
            row.into_result()
                .map_err(|error| Problem::at(number, error))?,
        )?;
    }
    Ok(())
}

/// Whether a line has the form `URL STATUS ...`.
pub(crate) fn is_line(line: &str) -> bool {
    let [url, status] = if line.contains('\t') {
        let mut fields = line.split('\t');
        [(); 2].map(|()| fields.next().unwrap_or_default())
    } else {
        let [url, status, _] = fields(line);
        [url, status]
    };
    url.contains("://") && !url.starts_with('"') && is_status(status)
}

fn is_status(word: &str) -> bool {
    word.len() == 3 && word.bytes().all(|byte| byte.is_ascii_digit())
}

/// The URL, status and redirect of a line separated by spaces; the URL may contain spaces.
fn fields(line: &str) -> [&str; 3] {
    let line = line.trim_end();
    let split = |text: &'_ str| text.rfind(' ').map(|at| (at, at + 1));
    let Some((end, start)) = split(line) else {
        return [line, "", ""];
    };
    let (before, last) = (&line[..end], &line[start..]);
    if is_status(last) {
        return [before, last, ""];
    }
    match split(before) {
        Some((end, start)) => [&before[..end], &before[start..], last],
        None => [before, last, ""],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::link_reports::result::Outcome;

    fn outcomes(text: &str) -> Result<Vec<Outcome>, Problem> {
        let mut found: Vec<FetchResult> = Vec::new();
        read(&mut ReportReader::new(text.as_bytes())?, &mut found)?;
        Ok(found.iter().map(FetchResult::outcome).collect())
    }

    #[test]
    fn fields_separated_by_tabs() {
        let text = "https://a.example/ 200 \nhttps://b.example/ 308 https://c.example/\n\
                    https://d.example/\t000\t\tCould not resolve host: d.example\n\
                    https://e.example/ 000 \n";
        assert_eq!(
            outcomes(text).expect("valid lines"),
            [
                Outcome::Alive,
                Outcome::Moved,
                Outcome::Dead,
                Outcome::Unknown
            ]
        );
        let spaced = "https://a.example/a b 404 \nhttps://a.example/a b 301 https://b.example/\n";
        let found = outcomes(spaced).expect("valid lines");
        assert_eq!(found, [Outcome::Dead, Outcome::Moved]);
        let problem = outcomes("https://a.example/ ok\n")
            .expect_err("an error for the line without a status");
        assert_eq!(problem.line, Some(1));
    }
}
