//! The CSV output of linkchecker: comments, its own header, and semicolons.

use crate::link_reports::error::Problem;
use crate::link_reports::formats::error_messages::{says_no_host, status_in};
use crate::link_reports::formats::table::csv_reader;
use crate::link_reports::report_reader::ReportReader;
use crate::link_reports::result::{FetchResult, Hop, Sink};

/// What precedes a quoted URL, its status and a full stop in the information fields.
const REDIRECTED: &str = "Redirected to `";

pub(crate) fn read(
    source: &mut ReportReader<'_>,
    sink: &mut dyn Sink<FetchResult>,
) -> Result<(), Problem> {
    let mut reader = csv_reader(source, b';');
    let header = reader.headers()?;
    let index = |name| header.iter().position(|column| column == name);
    let (Some(url), Some(result)) = (index("url"), index("result")) else {
        let line = header.position().map_or(1, csv::Position::line);
        return Err(Problem::at(
            line,
            "the header lacks the columns url and result",
        ));
    };
    let (warning, info) = (index("warningstring"), index("infostring"));
    let name = index("urlname");
    let mut record = csv::StringRecord::new();
    while reader.read_record(&mut record)? {
        let line = record.position().map_or(0, csv::Position::line);
        let field = |index: Option<usize>| index.and_then(|index| record.get(index)).unwrap_or("");
        if field(Some(url)).is_empty() {
            return Err(Problem::at(line, "the row has no URL"));
        }
        // Only requests have a status: `200 OK`, `Error: 404 Not Found`; a file is `200 OK`, too.
        let words = field(Some(result));
        if words == "syntax OK" || words == "filtered" {
            continue;
        }
        // `url` is the end of the redirects, `urlname` the link in the page.
        let requested = field(name);
        let requested = if requested.contains("://") {
            requested
        } else {
            field(Some(url))
        };
        let mut found = FetchResult {
            url: requested.into(),
            end_status: status_in(words),
            ..FetchResult::default()
        };
        for text in [field(info), field(warning)] {
            redirects(text, &mut found.hops);
        }
        found.status = found
            .hops
            .first()
            .map_or(found.end_status, |hop| hop.status);
        if found.end_status.is_none() {
            found.no_host = says_no_host(words);
            found.error = Some(words.into());
        }
        sink.add(found)?;
    }
    Ok(())
}

/// Adds the redirects that a text mentions to `hops`.
fn redirects(text: &str, hops: &mut Vec<Hop>) {
    for after in text.split(REDIRECTED).skip(1) {
        let Some((to, after)) = after.split_once('\'') else {
            continue;
        };
        let status = after.split_once("status:").map(|(_, words)| words);
        hops.push(Hop {
            status: status.and_then(status_in),
            to: to.into(),
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::link_reports::result::Outcome;

    #[test]
    fn results_and_redirects() {
        let text = "# created by LinkChecker at 2026-01-02 03:04:05\n\
            urlname;parentname;base;result;warningstring;infostring;valid;url;line;column;name;dltime;size;checktime;cached;level;modified\n\
            a;p;;200 OK;;;True;https://a.example/;1;2;;;;;0;1;\n\
            b;p;;Error: 404 Not Found;;;False;https://b.example/;1;2;;;;;0;1;\n\
            https://c.example/;p;;200 OK;;\"Redirected to `https://d.example/' status: 301 Moved Permanently.\";True;https://d.example/;1;2;;;;;0;1;\n\
            e;p;;Error: ConnectionError: Failed to resolve 'e.example' ([Errno -2] Name or service not known);;;False;https://e.example/;1;2;;;;;0;1;\n\
            f;p;;syntax OK;;;True;mailto:a@b;1;2;;;;;0;1;\n";
        let mut found: Vec<FetchResult> = Vec::new();
        let mut source = ReportReader::new(text.as_bytes()).expect("a report in UTF-8");
        read(&mut source, &mut found).expect("a valid table");
        let expected = [
            ("https://a.example/", Outcome::Alive),
            ("https://b.example/", Outcome::Dead),
            ("https://c.example/", Outcome::Moved),
            ("https://e.example/", Outcome::Dead),
        ];
        let found: Vec<_> = found
            .iter()
            .map(|result| (&*result.url, result.outcome()))
            .collect();
        assert_eq!(found, expected);
    }
}
