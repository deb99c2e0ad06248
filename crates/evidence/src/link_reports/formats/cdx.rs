//! CDX and CDXJ files, and the responses of CDX servers.

use crate::captures::Cdx;
use baseref_document::Capture;

use crate::link_reports::error::{Problem, ReportFault};
use crate::link_reports::report_reader::ReportReader;
use crate::link_reports::result::Sink;

pub(crate) fn read(
    source: &mut ReportReader<'_>,
    sink: &mut dyn Sink<Capture>,
) -> Result<(), Problem> {
    if source.head().trim_start().starts_with('[') {
        return read_array(source, sink);
    }
    let mut cdx = Cdx::default();
    while let Some((number, line)) = source.line()? {
        let wrong = |reason| Problem::at(number, ReportFault::IndexLine(reason));
        if let Some(capture) = cdx.line(line).map_err(wrong)? {
            sink.add(capture)?;
        }
    }
    Ok(())
}

/// Reads the response of a CDX server to `output=json`: an array of rows, starting with the column names.
fn read_array(source: &mut ReportReader<'_>, sink: &mut dyn Sink<Capture>) -> Result<(), Problem> {
    let rows: Vec<Vec<String>> = serde_json::from_reader(source.bytes())?;
    let mut cdx = Cdx::default();
    let Some((names, rows)) = rows.split_first() else {
        return Ok(());
    };
    let letters = names.iter().map(|name| match name.as_str() {
        "timestamp" => "b",
        "original" | "url" => "a",
        "mimetype" | "mime" => "m",
        "statuscode" | "status" => "s",
        "redirect" => "r",
        _ => "-",
    });
    let header = format!("\tCDX\t{}", letters.collect::<Vec<_>>().join("\t"));
    let lines = rows.iter().map(|row| row.join("\t"));
    for (number, line) in (1..).zip(std::iter::once(header).chain(lines)) {
        let wrong = |fault| Problem::in_file(ReportFault::IndexRow { number, fault });
        if let Some(capture) = cdx.line(&line).map_err(wrong)? {
            sink.add(capture)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use crate::link_reports::{Format, Statuses};

    const LINES: [&str; 5] = [
        " CDX N b a m s k r M S V g\n\
         org,x)/ 20190301100000 http://x.org/ text/html 200 AAAA - - 1 2 a.warc.gz\n\
         org,x)/ 20230301100000 https://www.x.org/ text/html 200 AAAA - - 1 2 a.warc.gz\n\
         org,x)/ 20210301100000 http://x.org/ text/html 404 AAAA - - 1 2 a.warc.gz\n",
        "org,x)/ 20190301100000 http://x.org/ text/html 200 AAAA 12\n\
         org,x)/ 20230301100000 https://www.x.org:443/ text/html 200 AAAA 12\n",
        "org,x)/ 20190301100000 {\"url\":\"http://x.org/\",\"mime\":\"text/html\",\"status\":\"200\"}\n\
         org,x)/ 20230301100000 {\"url\":\"https://www.x.org/\",\"mime\":\"text/html\",\"status\":\"200\"}\n",
        "{\"urlkey\": \"org,x)/\", \"timestamp\": \"20190301100000\", \"url\": \"http://x.org/\", \"status\": \"200\"}\n\
         {\"urlkey\": \"org,x)/\", \"timestamp\": \"20230301100000\", \"url\": \"https://www.x.org/\", \"status\": \"200\"}\n",
        "[[\"urlkey\",\"timestamp\",\"original\",\"mimetype\",\"statuscode\",\"digest\",\"length\"],\n\
          [\"org,x)/\", \"20190301100000\", \"http://x.org/\", \"text/html\", \"200\", \"A\", \"1\"],\n\
          [\"org,x)/\", \"20230301100000\", \"https://www.x.org/\", \"text/html\", \"200\", \"A\", \"1\"]]\n",
    ];

    #[test]
    fn nearest_copy_in_every_format() {
        for lines in LINES {
            let mut statuses = Statuses::default();
            let (format, _) = statuses
                .read("f", lines.as_bytes(), None)
                .unwrap_or_else(|error| panic!("{error}: {lines}"));
            assert_eq!(format, Format::Cdx, "{lines}");
            let found = |day| {
                let copy = statuses.archived("https://x.org/#top", day);
                copy.map(|copy| (copy.url, copy.timestamp))
            };
            let [old, new] = [
                ("http://x.org/", "20190301100000"),
                ("https://www.x.org/", "20230301100000"),
            ]
            .map(|(url, time)| Some((url.to_owned(), time.to_owned())));
            assert_eq!(found(Some("2020-06-01")), old, "{lines}");
            assert_eq!(found(Some("2021-06-01T01:02:03Z")), new, "{lines}");
            assert_eq!(found(None), new, "{lines}");
            assert_eq!(statuses.archived("https://x.org/other", None), None);
            assert!(statuses.is_empty());
        }
    }

    #[test]
    fn malformed_line_is_reported_with_its_number() {
        let mut statuses = Statuses::default();
        let error = statuses
            .read("f", format!("{}org,x\n", LINES[2]).as_bytes(), None)
            .expect_err("an error for the malformed line");
        assert_eq!(
            error.to_string(),
            "f:3: the line is neither CDX nor CDXJ (read as cdx)"
        );
    }
}
