//! All that was measured, by URL.

use std::io::Read;

use crate::link_reports::archived::{Archived, Copy};
use crate::link_reports::error::{Problem, StatusError};
use crate::link_reports::format::Format;
use crate::link_reports::measured::Measured;
use crate::link_reports::source::Source;
use crate::link_reports::store::{Full, Store};
use crate::link_reports::{archived, curl, json_lines, linkchecker, lychee, table};

/// How many redirects are followed from one measurement to the next.
const MAX_HOPS: usize = 20;

/// The measurements of any number of files, and the captures of web archives.
///
/// A measurement takes some 45 bytes beside the text of its URLs, whatever its file looks like.
#[derive(Debug, Default)]
pub struct Statuses {
    store: Store,
    archived: Archived,
}

impl Statuses {
    /// Adds the measurements of a file, whose name is used in errors, reading it line by line where
    /// it has lines. Its format is found by its content unless it is given. Of several
    /// measurements of a URL the last one counts. Returns the format and how many measurements, or
    /// captures, there were.
    ///
    /// # Errors
    /// If the file cannot be read or is of no known format, or if a part of it says nothing; what
    /// comes before that may have been added.
    pub fn read(
        &mut self,
        file: &str,
        input: impl Read,
        format: Option<Format>,
    ) -> Result<(Format, usize), StatusError> {
        let source = Source::new(input).map_err(|problem| of_file(file, problem))?;
        self.read_source(file, source, format)
    }

    fn read_source(
        &mut self,
        file: &str,
        mut source: Source<'_>,
        format: Option<Format>,
    ) -> Result<(Format, usize), StatusError> {
        let whole = |problem: Problem| of_file(file, problem);
        let found = match format {
            Some(format) => format,
            None => Format::of(source.head()).map_err(whole)?,
        };
        let mut count = 0;
        let mut each = |mut measured: Measured| -> Result<(), Problem> {
            count += 1;
            measured.make_absolute();
            Ok(self.store.add(&measured)?)
        };
        let done = match found {
            Format::Lychee => lychee::read(&mut source, &mut each),
            Format::Sphinx => json_lines::read_sphinx(&mut source, &mut each),
            Format::LinkChecker => linkchecker::read(&mut source, &mut each),
            Format::Curl => curl::read(&mut source, &mut each),
            Format::Csv => {
                let separator = table::separator(source.head());
                table::read(&mut source, separator, &mut each)
            }
            Format::Tsv => table::read(&mut source, b'\t', &mut each),
            Format::Json => json_lines::read_objects(&mut source, &mut each),
            Format::Cdx => archived::read(&mut source, &mut |capture| {
                count += 1;
                Ok(self.archived.add(capture)?)
            }),
        };
        done.map_err(|problem| StatusError {
            reason: format!("{} (read as {found})", problem.reason),
            ..whole(problem)
        })?;
        if found == Format::Cdx {
            self.archived.sort();
        } else {
            self.store.sort();
        }
        Ok((found, count))
    }

    /// What was measured of a URL, whatever its fragment. Redirects that the file leaves open are
    /// followed to what was measured of their targets.
    #[must_use]
    pub fn of(&self, url: &str) -> Option<Measured> {
        let mut found = self.store.get(url)?;
        let mut seen = vec![found.url.clone()];
        while found.end_status.is_none()
            && found.error.is_none()
            && let Some(last) = found.hops.last()
            && let Some(next) = self.store.get(&last.to)
        {
            if seen.contains(&next.url) {
                found.error = Some("its redirects lead in a circle".into());
                break;
            }
            if seen.len() > MAX_HOPS {
                found.error = Some("it has more redirects than clients follow".into());
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

    /// The capture of a URL in a web archive, whatever its fragment: the nearest to a day such as
    /// `2024-03-01`, or the last one. The URLs may differ in http or https, in `www`, in a user name.
    #[must_use]
    pub fn archived(&self, url: &str, day: Option<&str>) -> Option<Copy> {
        self.archived.nearest(url, day)
    }

    /// How many URLs were measured.
    #[must_use]
    pub fn len(&self) -> usize {
        self.store.len()
    }

    /// Whether nothing was measured.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.store.len() == 0
    }
}

fn of_file(file: &str, problem: Problem) -> StatusError {
    StatusError {
        file: file.to_owned(),
        line: problem.line,
        reason: problem.reason,
    }
}

impl From<Full> for Problem {
    fn from(Full: Full) -> Self {
        Self::of_file("the files hold more than 4 GiB of URLs")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::link_reports::measured::Outcome;

    fn read(text: &str) -> Statuses {
        let mut statuses = Statuses::default();
        statuses
            .read("file", text.as_bytes(), None)
            .expect("a file");
        statuses
    }

    #[test]
    fn urls_are_equal_as_servers_see_them() {
        let statuses = read("HTTP://A.example:80/a%7Eb#x 404 \n");
        assert!(statuses.of("http://a.example/a~b#y").is_some());
        assert!(statuses.of("https://a.example/a~b").is_none());
    }

    #[test]
    fn a_chain_measured_hop_by_hop_has_its_end() {
        let statuses = read(
            "http://a.example/ 301 https://a.example/\nhttps://a.example/ 301 https://a.example/x\n\
             https://a.example/x 404 \n\
             http://l.example/ 301 http://m.example/\nhttp://m.example/ 301 http://l.example/\n",
        );
        let found = statuses.of("http://a.example/").expect("measured");
        assert_eq!(found.end(), "https://a.example/x");
        assert_eq!(found.outcome(), Outcome::Dead);
        let looped = statuses.of("http://l.example/").expect("measured");
        assert_eq!(looped.outcome(), Outcome::Unknown);
        let lines = (0..100).map(|n| format!("http://h.example/{n} 301 {}\n", n + 1));
        let chain = lines.collect::<Vec<_>>().concat();
        let statuses = read(&chain);
        let long = statuses.of("http://h.example/0").expect("measured");
        assert_eq!(long.outcome(), Outcome::Unknown);
        assert!(long.hops.len() <= MAX_HOPS + 1);
    }

    #[test]
    fn a_redirect_may_be_relative_and_moves_only_to_the_web() {
        let table = "url,status,location\nhttp://a.example/d/x,301,../y?z\n\
                     http://a.example/b,301,javascript:alert(1)\nhttp://a.example/c,308,//b.example/\n";
        let statuses = read(table);
        let of = |url| statuses.of(url).expect("measured");
        let moved = of("http://a.example/d/x");
        assert_eq!(moved.end(), "http://a.example/y?z");
        assert_eq!(moved.outcome(), Outcome::Moved);
        assert_eq!(of("http://a.example/b").outcome(), Outcome::Unknown);
        assert_eq!(of("http://a.example/c").end(), "http://b.example/");
    }

    #[test]
    fn the_end_of_redirects_was_measured_with_them() {
        let statuses = read(
            "url,status,final\nhttp://a.example/,200,https://A.example/x#y\n\
             http://b.example/,301,http://c.example/\n",
        );
        let end = statuses.of("https://a.example/x").expect("measured");
        assert_eq!((end.outcome(), end.hops.len()), (Outcome::Alive, 0));
        assert!(statuses.of("http://c.example/").is_none());
        assert_eq!(statuses.len(), 2);
    }

    #[test]
    fn the_last_measurement_counts() {
        let mut statuses = read("http://a.example/ 503 \nhttp://a.example/ 404 \n");
        statuses
            .read("later", &b"http://a.example/ 200 \n"[..], None)
            .expect("a file");
        let found = statuses.of("http://a.example/").expect("measured");
        assert_eq!(found.outcome(), Outcome::Alive);
        assert_eq!(statuses.len(), 1);
    }

    #[test]
    fn what_spreadsheets_save_is_read() {
        let utf_16: Vec<u8> = "\u{feff}URL;Status\nhttp://a.example/;404\n"
            .encode_utf16()
            .flat_map(u16::to_le_bytes)
            .collect();
        let mut statuses = Statuses::default();
        let read = statuses.read("f", &utf_16[..], None);
        assert_eq!(read, Ok((Format::Csv, 1)));
        let error = statuses
            .read("g", &b"url\n\xff\n"[..], None)
            .expect_err("not UTF-8");
        assert_eq!(
            error.to_string(),
            "g:2: the line is not in UTF-8 (read as csv)"
        );
    }

    #[test]
    fn a_format_that_is_insisted_on_says_what_is_wrong() {
        let mut statuses = Statuses::default();
        let error = statuses
            .read("f", &b"a b\n"[..], Some(Format::Curl))
            .expect_err("no status");
        assert_eq!(error.line, Some(1));
        assert!(error.reason.ends_with("(read as curl)"), "{error}");
    }
}
