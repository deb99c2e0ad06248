//! The merged results of all reports, found by URL.

use std::io::Read;

use baseref_document::Capture;

use crate::link_reports::archived::{ArchivedCaptures, Copy};
use crate::link_reports::error::{Problem, ReportFault, StatusError};
use crate::link_reports::format::Format;
use crate::link_reports::formats::{cdx, curl, json_lines, linkchecker, lychee, table};
use crate::link_reports::report_reader::ReportReader;
use crate::link_reports::result::{FetchResult, Sink};
use crate::link_reports::store::{Full, Store};

/// The maximum number of redirects that are followed from one result to the next.
const MAX_HOPS: usize = 20;

/// The results of any number of reports, and the captures of web archives.
///
/// A result takes about 45 bytes plus the text of its URLs.
#[derive(Debug, Default)]
pub struct Statuses {
    store: Store,
    archived: ArchivedCaptures,
}

impl Statuses {
    /// Adds a report; `file` names it in errors. Its format is detected by its content unless it is given.
    /// The last result of a URL wins. Returns the format, and the number of results or captures.
    ///
    /// # Errors
    /// If the file cannot be read, has no known format, or has a malformed item; items before it may
    /// already have been added.
    pub fn read(
        &mut self,
        file: &str,
        input: impl Read,
        format: Option<Format>,
    ) -> Result<(Format, usize), StatusError> {
        let source = ReportReader::new(input).map_err(|problem| with_file(file, problem))?;
        self.read_source(file, source, format)
    }

    fn read_source(
        &mut self,
        file: &str,
        mut source: ReportReader<'_>,
        format: Option<Format>,
    ) -> Result<(Format, usize), StatusError> {
        let whole = |problem: Problem| with_file(file, problem);
        let found = match format {
            Some(format) => format,
            None => Format::detect(source.head()).map_err(whole)?,
        };
        let mut results = CountingSink::new(&mut self.store);
        let mut captures = CountingSink::new(&mut self.archived);
        let done = match found {
            Format::Lychee => lychee::read(&mut source, &mut results),
            Format::Sphinx => json_lines::read_sphinx(&mut source, &mut results),
            Format::LinkChecker => linkchecker::read(&mut source, &mut results),
            Format::Curl => curl::read(&mut source, &mut results),
            Format::Csv => {
                let separator = table::separator(source.head());
                table::read(&mut source, separator, &mut results)
            }
            Format::Tsv => table::read(&mut source, b'\t', &mut results),
            Format::Json => json_lines::read_objects(&mut source, &mut results),
            Format::Cdx => cdx::read(&mut source, &mut captures),
        };
        let count = results.count + captures.count;
        done.map_err(|problem| StatusError {
            format: Some(found.as_str()),
            ..whole(problem)
        })?;
        if found == Format::Cdx {
            self.archived.sort();
        } else {
            self.store.sort();
        }
        Ok((found, count))
    }

    /// The result for a URL, ignoring its fragment. If a redirect has no status for its target, the status comes
    /// from the target's own result.
    #[must_use]
    pub fn result(&self, url: &str) -> Option<FetchResult> {
        let mut found = self.store.get(url)?;
        let mut seen = vec![found.url.clone()];
        while found.end_status.is_none()
            && found.error.is_none()
            && let Some(last) = found.hops.last()
            && let Some(next) = self.store.get(&last.to)
        {
            if seen.contains(&next.url) {
                found.error = Some("redirect loop".into());
                break;
            }
            if seen.len() > MAX_HOPS {
                found.error = Some("more redirects than clients follow".into());
                break;
            }
            seen.push(next.url);
            found.hops.extend(next.hops);
            found.end_status = next.end_status;
            found.error = next.error;
            found.no_host = next.no_host;
        }
        Some(found)
    }

    /// The capture of a URL, ignoring its fragment, that is nearest to a day such as `2024-03-01`; without
    /// a day, the last one. `http` and `https` are equal, `www` and user names are ignored.
    #[must_use]
    pub fn archived(&self, url: &str, day: Option<&str>) -> Option<Copy> {
        self.archived.nearest(url, day)
    }

    /// The number of URLs with a result.
    #[must_use]
    pub fn len(&self) -> usize {
        self.store.len()
    }

    /// Whether it is empty.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.store.len() == 0
    }
}

/// Adds the items of a report, and counts them.
struct CountingSink<'s, S> {
    store: &'s mut S,
    count: usize,
}

impl<'s, S> CountingSink<'s, S> {
    fn new(store: &'s mut S) -> Self {
        Self { store, count: 0 }
    }
}

impl Sink<FetchResult> for CountingSink<'_, Store> {
    fn add(&mut self, mut result: FetchResult) -> Result<(), Problem> {
        self.count += 1;
        result.make_absolute();
        Ok(self.store.add(&result)?)
    }
}

impl Sink<Capture> for CountingSink<'_, ArchivedCaptures> {
    fn add(&mut self, capture: Capture) -> Result<(), Problem> {
        self.count += 1;
        Ok(self.store.add(&capture)?)
    }
}

fn with_file(file: &str, problem: Problem) -> StatusError {
    StatusError {
        file: file.to_owned(),
        line: problem.line,
        format: None,
        source: problem.fault,
    }
}

impl From<Full> for Problem {
    fn from(Full: Full) -> Self {
        Self::in_file(ReportFault::Full)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::link_reports::result::Outcome;

    fn read(text: &str) -> Statuses {
        let mut statuses = Statuses::default();
        statuses
            .read("file", text.as_bytes(), None)
            .expect("a readable report");
        statuses
    }

    #[test]
    fn url_lookup_in_normal_form() {
        let statuses = read("HTTP://A.example:80/a%7Eb#x 404 \n");
        assert!(statuses.result("http://a.example/a~b#y").is_some());
        assert!(statuses.result("https://a.example/a~b").is_none());
    }

    #[test]
    fn redirects_joined_from_separate_results() {
        let statuses = read(
            "http://a.example/ 301 https://a.example/\nhttps://a.example/ 301 https://a.example/x\n\
             https://a.example/x 404 \n\
             http://l.example/ 301 http://m.example/\nhttp://m.example/ 301 http://l.example/\n",
        );
        let found = statuses
            .result("http://a.example/")
            .expect("a result for a.example");
        assert_eq!(found.end(), "https://a.example/x");
        assert_eq!(found.outcome(), Outcome::Dead);
        let looped = statuses
            .result("http://l.example/")
            .expect("a result for the loop");
        assert_eq!(looped.outcome(), Outcome::Unknown);
        let lines = (0..100).map(|n| format!("http://h.example/{n} 301 {}\n", n + 1));
        let chain = lines.collect::<Vec<_>>().concat();
        let statuses = read(&chain);
        let long = statuses
            .result("http://h.example/0")
            .expect("a result for the long chain");
        assert_eq!(long.outcome(), Outcome::Unknown);
        assert!(long.hops.len() <= MAX_HOPS + 1);
    }

    #[test]
    fn relative_redirect_and_other_scheme() {
        let table = "url,status,location\nhttp://a.example/d/x,301,../y?z\n\
                     http://a.example/b,301,javascript:alert(1)\nhttp://a.example/c,308,//b.example/\n";
        let statuses = read(table);
        let of = |url| {
            statuses
                .result(url)
                .expect("a result for every URL of the table")
        };
        let moved = of("http://a.example/d/x");
        assert_eq!(moved.end(), "http://a.example/y?z");
        assert_eq!(moved.outcome(), Outcome::Moved);
        assert_eq!(of("http://a.example/b").outcome(), Outcome::Unknown);
        assert_eq!(of("http://a.example/c").end(), "http://b.example/");
    }

    #[test]
    fn redirect_target_has_a_result() {
        let statuses = read(
            "url,status,final\nhttp://a.example/,200,https://A.example/x#y\n\
             http://b.example/,301,http://c.example/\n",
        );
        let end = statuses
            .result("https://a.example/x")
            .expect("a result for the final URL");
        assert_eq!((end.outcome(), end.hops.len()), (Outcome::Alive, 0));
        assert!(statuses.result("http://c.example/").is_none());
        assert_eq!(statuses.len(), 2);
    }

    #[test]
    fn last_result_wins() {
        let mut statuses = read("http://a.example/ 503 \nhttp://a.example/ 404 \n");
        statuses
            .read("later", &b"http://a.example/ 200 \n"[..], None)
            .expect("a readable report");
        let found = statuses
            .result("http://a.example/")
            .expect("a result for a.example");
        assert_eq!(found.outcome(), Outcome::Alive);
        assert_eq!(statuses.len(), 1);
    }

    #[test]
    fn spreadsheet_encodings() {
        let utf_16: Vec<u8> = "\u{feff}URL;Status\nhttp://a.example/;404\n"
            .encode_utf16()
            .flat_map(u16::to_le_bytes)
            .collect();
        let mut statuses = Statuses::default();
        let read = statuses.read("f", &utf_16[..], None);
        assert_eq!(read.ok(), Some((Format::Csv, 1)));
        let error = statuses
            .read("g", &b"url\n\xff\n"[..], None)
            .expect_err("an error for the byte that is not UTF-8");
        assert_eq!(
            error.to_string(),
            "g:2: the line is not in UTF-8 (read as csv)"
        );
    }

    #[test]
    fn error_names_the_given_format() {
        let mut statuses = Statuses::default();
        let error = statuses
            .read("f", &b"a b\n"[..], Some(Format::Curl))
            .expect_err("an error for the line without a status");
        assert_eq!(error.line, Some(1));
        assert!(error.to_string().ends_with("(read as curl)"), "{error}");
    }
}
