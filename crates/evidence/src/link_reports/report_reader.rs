//! The reader of a report: first the head, which shows the format, then the lines.

use std::io::{self, BufRead, BufReader, Chain, Cursor, Read};

use encoding_rs::{Encoding, UTF_8};

use crate::link_reports::error::{Problem, ReportFault};

/// The number of bytes examined to detect the format.
const HEAD: usize = 64 * 1024;

/// The longest line, in bytes.
const LONGEST_LINE: u64 = 1024 * 1024;

/// A report in UTF-8, or with a byte order mark in UTF-16, as spreadsheets save it.
///
/// The reader is boxed, so that the code of all formats is compiled once.
pub(crate) struct ReportReader<'r> {
    head: String,
    input: Input<'r>,
    line: Vec<u8>,
    number: u64,
}

type Input<'r> = BufReader<Chain<Cursor<Vec<u8>>, io::Take<Box<dyn Read + 'r>>>>;

impl<'r> ReportReader<'r> {
    pub(crate) fn new(input: impl Read + 'r) -> Result<Self, Problem> {
        Self::from_boxed(Box::new(input))
    }

    fn from_boxed(mut input: Box<dyn Read + 'r>) -> Result<Self, Problem> {
        let mut start = Vec::new();
        let read = input.by_ref().take(HEAD as u64).read_to_end(&mut start);
        read.map_err(Problem::in_file)?;
        let mut rest = u64::MAX;
        match Encoding::for_bom(&start) {
            Some((encoding, mark)) if encoding == UTF_8 => {
                start.drain(..mark);
            }
            Some((encoding, _)) => {
                input.read_to_end(&mut start).map_err(Problem::in_file)?;
                let (text, _, is_lossy) = encoding.decode(&start);
                if is_lossy {
                    let fault = ReportFault::Encoding(encoding.name());
                    return Err(Problem::in_file(fault));
                }
                start = text.into_owned().into_bytes();
                rest = 0;
            }
            None => {}
        }
        let head = start.get(..HEAD).unwrap_or(&start);
        let head = String::from_utf8_lossy(head).into_owned();
        Ok(Self {
            head,
            input: BufReader::new(Cursor::new(start).chain(input.take(rest))),
            line: Vec::new(),
            number: 0,
        })
    }

    /// The first bytes of the file.
    pub(crate) fn head(&self) -> &str {
        &self.head
    }

    /// The whole file.
    pub(crate) fn bytes(&mut self) -> &mut impl BufRead {
        &mut self.input
    }

    /// The next line that is not blank, with its number, 1-based.
    pub(crate) fn line(&mut self) -> Result<Option<(u64, &str)>, Problem> {
        loop {
            self.line.clear();
            self.number += 1;
            let mut input = self.input.by_ref().take(LONGEST_LINE);
            let read = input.read_until(b'\n', &mut self.line);
            let read = read.map_err(|error| Problem::at(self.number, error))?;
            if read == 0 {
                return Ok(None);
            }
            if read as u64 == LONGEST_LINE {
                return Err(Problem::at(self.number, "the line is longer than 1 MiB"));
            }
            if !self.line.trim_ascii().is_empty() {
                break;
            }
        }
        let text = str::from_utf8(&self.line);
        let text = text.map_err(|_| Problem::at(self.number, ReportFault::NotUtf8))?;
        Ok(Some((self.number, text.trim_end_matches(['\n', '\r']))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn source(bytes: &[u8]) -> ReportReader<'_> {
        ReportReader::new(bytes).unwrap_or_else(|problem| panic!("{}", problem.fault))
    }

    #[test]
    fn line_numbers_count_blank_lines() {
        let mut source = source(b"\xef\xbb\xbfa\r\n\n \nb");
        assert_eq!(source.head(), "a\r\n\n \nb");
        assert_eq!(source.line().ok(), Some(Some((1, "a"))));
        assert_eq!(source.line().ok(), Some(Some((4, "b"))));
        assert_eq!(source.line().ok(), Some(None));
    }

    #[test]
    fn long_lines_and_other_encodings_are_refused() {
        let long = vec![b'a'; 3 << 20];
        let problem = source(&long)
            .line()
            .expect_err("an error for the long line");
        assert_eq!(problem.fault.to_string(), "the line is longer than 1 MiB");
        let mut source = source(b"a\n\xff");
        assert!(source.line().is_ok());
        assert_eq!(
            source
                .line()
                .expect_err("an error for the byte that is not UTF-8")
                .line,
            Some(2)
        );
    }
}
