//! Temporary disk space for data that does not fit in memory.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::ops::Range;

/// A temporary file that has no name where the system allows that, and is gone when the run ends,
/// however it ends.
///
/// ```
/// use baseref_files::Scratch;
///
/// let mut scratch = Scratch::new()?;
/// let one = scratch.append(b"one")?;
/// scratch.append(b"two")?;
/// assert_eq!(scratch.read(one)?, b"one");
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct Scratch {
    file: File,
    end: u64,
}

impl Scratch {
    /// A new one, in the directory for temporary files (`TMPDIR`).
    ///
    /// # Errors
    /// If none can be made there.
    pub fn new() -> io::Result<Self> {
        Ok(Self {
            file: tempfile::tempfile()?,
            end: 0,
        })
    }

    /// Appends bytes, and returns their range.
    ///
    /// # Errors
    /// If the disk is full; bytes appended before are kept.
    pub fn append(&mut self, bytes: &[u8]) -> io::Result<Range<u64>> {
        self.file.seek(SeekFrom::Start(self.end))?;
        self.file.write_all(bytes)?;
        let start = self.end;
        self.end += bytes.len() as u64;
        Ok(start..self.end)
    }

    /// The bytes in a range that [`Self::append`] gave.
    ///
    /// # Errors
    /// If they cannot be read.
    pub fn read(&mut self, range: Range<u64>) -> io::Result<Vec<u8>> {
        self.file.seek(SeekFrom::Start(range.start))?;
        let length = usize::try_from(range.end.saturating_sub(range.start));
        let mut bytes = vec![0; length.map_err(io::Error::other)?];
        self.file.read_exact(&mut bytes)?;
        Ok(bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_read_back_in_any_order() {
        let mut scratch = Scratch::new().expect("a temporary file is made");
        let all = [&b"a"[..], b"", b"bcd", b"ef"];
        let places: Vec<_> = all
            .iter()
            .map(|bytes| scratch.append(bytes).expect("the bytes are written"))
            .collect();
        for (bytes, place) in all.iter().zip(places).rev() {
            assert_eq!(
                scratch.read(place).expect("the record is read back"),
                *bytes
            );
        }
        assert!(scratch.read(6..7).is_err(), "nothing was added there");
    }
}
