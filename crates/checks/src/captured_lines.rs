//! Reads indexes of captures, whose lines count beside the archives of a run.

use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

use baseref_document::Capture;
use baseref_evidence::captures::{Builder, Cdx};
use baseref_files::{Files, Role};
use baseref_findings::words::plural;
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
        let captures = &mut self.captures;
        let read = read(path, files, &mut |capture| {
            captures.add(&capture);
        })?;
        if let Some(reason) = read.no_index {
            return Err(reason);
        }
        let path = path.display();
        let wrong = read.wrong.map(|wrong| format!("{path}: {wrong}"));
        self.unread.extend(wrong);
        Ok(())
    }
}

/// What came of reading a file as an index.
#[derive(Default)]
pub(super) struct Outcome {
    /// Why it is no index: by the first line that is not empty.
    pub(super) no_index: Option<String>,
    /// The lines that say no capture.
    pub(super) wrong: Option<String>,
}

/// Passes on the captures of an index, packed with gzip or not.
pub(super) fn read(
    path: &Path,
    files: &Files,
    take: &mut dyn FnMut(Capture),
) -> Result<Outcome, String> {
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
    let mut is_index = false;
    let mut line = Vec::new();
    loop {
        line.clear();
        let length = reader.by_ref().take(LONGEST).read_until(b'\n', &mut line);
        if length.map_err(said)? == 0 {
            break;
        }
        number += 1;
        let text = String::from_utf8_lossy(&line);
        let text = text.trim_end_matches(['\n', '\r']);
        match index.line(text) {
            Ok(capture) => {
                is_index |= !text.trim().is_empty() && !text.starts_with('!');
                capture.into_iter().for_each(&mut *take);
            }
            Err(reason) if !is_index => {
                return Ok(Outcome {
                    no_index: Some(format!("line {number} {reason}")),
                    wrong: None,
                });
            }
            Err(reason) => {
                wrong += 1;
                first.get_or_insert_with(|| format!("line {number} {reason}"));
            }
        }
    }
    Ok(Outcome {
        no_index: None,
        wrong: first.map(|first| {
            let lines = plural(wrong, "line says", "lines say");
            format!("{lines} no capture; {first}")
        }),
    })
}
