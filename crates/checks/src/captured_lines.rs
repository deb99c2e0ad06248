//! Reads indexes of captures, whose lines count beside the archives of a run.

use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

use baseref_captures::{Builder, Cdx};
use baseref_files::{Files, Role};
use flate2::bufread::MultiGzDecoder;

use super::Refused;

/// How a gzip file begins.
const GZIP: &[u8] = b"\x1f\x8b";

/// The longest line that is read, in bytes.
const LONGEST: u64 = 1 << 20;

/// The captures that lines of indexes say.
#[derive(Default)]
pub(super) struct Lines {
    pub(super) captures: Builder,
    /// What could not be read, in a line for each index.
    pub(super) unread: Vec<String>,
}

impl Lines {
    /// Reads the indexes, each packed with gzip or not.
    ///
    /// # Errors
    /// If one cannot be read, or its first line is not one of an index.
    pub(super) fn read(paths: &[PathBuf], files: &Files) -> Result<Self, Refused> {
        let mut lines = Self::default();
        for path in paths {
            lines
                .read_one(path, files)
                .map_err(|reason| Refused(format!("--cdx: {}: {reason}", path.display())))?;
        }
        Ok(lines)
    }

    fn read_one(&mut self, path: &Path, files: &Files) -> Result<(), String> {
        let said = |error: std::io::Error| error.to_string();
        let file = files.open(path, Role::Captures).map_err(said)?;
        let mut file = BufReader::new(file);
        let is_packed = file.fill_buf().map_err(said)?.starts_with(GZIP);
        let mut reader: Box<dyn BufRead> = if is_packed {
            Box::new(BufReader::new(MultiGzDecoder::new(file)))
        } else {
            Box::new(file)
        };
        let mut index = Cdx::default();
        let (mut number, mut wrong, mut first) = (0_u64, 0_u64, None);
        let mut line = Vec::new();
        loop {
            line.clear();
            let length = reader.by_ref().take(LONGEST).read_until(b'\n', &mut line);
            if length.map_err(said)? == 0 {
                break;
            }
            number += 1;
            let text = String::from_utf8_lossy(&line);
            match index.line(text.trim_end_matches(['\n', '\r'])) {
                Ok(capture) => {
                    if let Some(capture) = capture {
                        self.captures.add(&capture);
                    }
                }
                Err(reason) if number == 1 => return Err(format!("line 1 {reason}")),
                Err(reason) => {
                    wrong += 1;
                    first.get_or_insert_with(|| format!("line {number} {reason}"));
                }
            }
        }
        if let Some(first) = first {
            let path = path.display();
            self.unread
                .push(format!("{path}: {wrong} lines say no capture; {first}"));
        }
        Ok(())
    }
}
