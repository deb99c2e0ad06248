//! Captures of web archives, from CDX and CDXJ files and from the responses of CDX servers.

use crate::captures::{Cdx, day_of, exact, millis_of, twin};
use baseref_document::{Capture, CaptureKind};

use crate::link_reports::error::Problem;
use crate::link_reports::result::Sink;
use crate::link_reports::source::Source;
use crate::link_reports::store::{ByKey, Full, Text, Texts};

/// An archived copy of a URL.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Copy {
    /// The captured URL, in normal form.
    pub url: String,
    /// The day: `2024-03-01`.
    pub day: String,
    /// The time as in the URLs of archived copies: `20240301100000`.
    pub timestamp: String,
}

/// A capture.
#[derive(Clone, Copy, Debug)]
struct Row {
    url: Text,
    /// Seconds since 1970.
    time: u32,
}

/// The captures of successful responses.
#[derive(Debug, Default)]
pub(crate) struct Archived {
    texts: Texts,
    rows: Vec<Row>,
    by_twin: ByKey,
}

impl Archived {
    /// Adds a capture of a successful response; it is found after the next [`Self::sort`].
    pub(crate) fn add(&mut self, capture: &Capture) -> Result<(), Full> {
        let is_revisit = matches!(capture.kind, CaptureKind::Revisit(_));
        let is_copy = matches!(capture.status, 200..=299) || is_revisit && capture.status == 0;
        let time = capture.date.as_deref().and_then(millis_of);
        let time = time.and_then(|millis| u32::try_from(millis / 1000).ok());
        let Some(time) = time.filter(|_| is_copy && capture.method.is_none()) else {
            return Ok(());
        };
        let url = exact(&capture.url);
        let number = u32::try_from(self.rows.len()).map_err(|_| Full)?;
        let row = Row {
            url: self.texts.store(&url)?,
            time,
        };
        self.by_twin.add(&twin(&url), number);
        self.rows.push(row);
        Ok(())
    }

    pub(crate) fn sort(&mut self) {
        let Self {
            texts,
            rows,
            by_twin,
        } = self;
        by_twin.sort(|number| {
            let row = &rows[number as usize];
            (twin(texts.get(row.url)), row.time, number)
        });
    }

    /// The capture of a URL, or of a twin, nearest to a day; without a day, the last one.
    pub(crate) fn nearest(&self, url: &str, day: Option<&str>) -> Option<Copy> {
        let key = twin(&exact(url));
        let rows = self
            .by_twin
            .of(&key)
            .map(|number| &self.rows[number as usize]);
        let mut rows = rows.filter(|row| twin(self.texts.get(row.url)) == key);
        // Noon, since only the day is known.
        let noon = day.and_then(|day| millis_of(&format!("{}T12:00:00Z", day.get(..10)?)));
        let row = match noon {
            // The later one if two are equally near.
            Some(noon) => rows.rev().min_by_key(|row| {
                let millis = i64::from(row.time) * 1000;
                millis.abs_diff(noon)
            })?,
            None => rows.next_back()?,
        };
        let time = crate::captures::timestamp_of(i64::from(row.time) * 1000);
        Some(Copy {
            url: self.texts.get(row.url).to_owned(),
            day: day_of(i64::from(row.time) * 1000),
            timestamp: time,
        })
    }
}

pub(crate) fn read(source: &mut Source<'_>, sink: &mut dyn Sink<Capture>) -> Result<(), Problem> {
    if source.head().trim_start().starts_with('[') {
        return read_array(source, sink);
    }
    let mut cdx = Cdx::default();
    while let Some((number, line)) = source.line()? {
        let wrong = |reason| Problem::at(number, format!("the line {reason}"));
        if let Some(capture) = cdx.line(line).map_err(wrong)? {
            sink.add(capture)?;
        }
    }
    Ok(())
}

/// Reads the response of a CDX server to `output=json`: rows, the first of which names the columns.
fn read_array(source: &mut Source<'_>, sink: &mut dyn Sink<Capture>) -> Result<(), Problem> {
    let rows: Vec<Vec<String>> =
        serde_json::from_reader(source.bytes()).map_err(|error| Problem::of_json(&error))?;
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
        let wrong = |reason| Problem::of_file(format!("row {number} {reason}"));
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
            .expect_err("a line");
        assert_eq!(
            error.to_string(),
            "f:3: the line is neither CDX nor CDXJ (read as cdx)"
        );
    }
}
