//! ZIM files that were split, for file systems with a limit of size: `book.zimaa`, `book.zimab`...

use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use baseref_container::Reader;

/// The beginning of the extension of each part. Two letters follow.
const EXTENSION: &str = "zim";

/// The letters of the first part.
const FIRST: &str = "aa";

/// How many letters there are.
const LETTERS: u16 = 26;

/// The letters of a part, if its name is that of one.
pub(super) fn letters(path: &Path) -> Option<&str> {
    // Each file of a tree is asked for, and taking a path apart is slow.
    let name = path.as_os_str().as_encoded_bytes();
    let ending = name.last_chunk::<{ ".zimaa".len() }>()?;
    if !ending.starts_with(b".zim") {
        return None;
    }
    let letters = path.extension()?.to_str()?.strip_prefix(EXTENSION)?;
    let is_part = letters.len() == 2 && letters.bytes().all(|byte| byte.is_ascii_lowercase());
    is_part.then_some(letters)
}

/// The first part of the file that `path` is a later part of; `None` if it is not named like one.
pub(super) fn first_part(path: &Path) -> Option<PathBuf> {
    letters(path).filter(|letters| *letters != FIRST)?;
    Some(path.with_extension(format!("{EXTENSION}{FIRST}")))
}

/// The paths of the other parts, in order, if `path` is named like the first one. Not all of them
/// exist.
pub(super) fn later_parts(path: &Path) -> impl Iterator<Item = PathBuf> {
    let is_first = letters(path) == Some(FIRST);
    let numbers = (1..LETTERS * LETTERS).take_while(move |_| is_first);
    let letter = |number: u16| char::from(b'a' + u8::try_from(number).unwrap_or_default());
    numbers.map(move |number| {
        let letters = [letter(number / LETTERS), letter(number % LETTERS)];
        let letters: String = letters.iter().collect();
        path.with_extension(format!("{EXTENSION}{letters}"))
    })
}

/// A part, and where it begins in the whole.
struct Part {
    reader: Reader,
    start: u64,
    end: u64,
}

/// The parts of a file as one.
#[derive(Default)]
pub(super) struct Joined {
    parts: Vec<Part>,
    position: u64,
}

impl Joined {
    /// Adds the next part, of `size` bytes.
    pub fn push(&mut self, reader: Reader, size: u64) {
        let start = self.size();
        let end = start.saturating_add(size);
        self.parts.push(Part { reader, start, end });
    }

    /// The size of all parts in bytes.
    pub fn size(&self) -> u64 {
        self.parts.last().map_or(0, |part| part.end)
    }
}

impl Read for Joined {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let number = self.parts.partition_point(|part| part.end <= self.position);
        let Some(part) = self.parts.get_mut(number) else {
            return Ok(0);
        };
        let left = part.end - self.position;
        let length = usize::try_from(left).map_or(buffer.len(), |left| left.min(buffer.len()));
        part.reader
            .seek(SeekFrom::Start(self.position - part.start))?;
        let read = part.reader.read(&mut buffer[..length])?;
        if read == 0 && length > 0 {
            return Err(io::Error::other("a part ended before its size"));
        }
        self.position += read as u64;
        Ok(read)
    }
}

impl Seek for Joined {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let position = match to {
            SeekFrom::Start(position) => Some(position),
            SeekFrom::End(distance) => self.size().checked_add_signed(distance),
            SeekFrom::Current(distance) => self.position.checked_add_signed(distance),
        };
        self.position = position.ok_or(io::ErrorKind::InvalidInput)?;
        Ok(self.position)
    }
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use super::*;

    #[test]
    fn later_parts_follow_the_first_in_the_order_of_their_letters() {
        let parts: Vec<_> = later_parts(Path::new("d/b.zimaa")).collect();
        assert_eq!(parts[0], Path::new("d/b.zimab"));
        assert_eq!(parts[25], Path::new("d/b.zimba"));
        assert_eq!(parts[674], Path::new("d/b.zimzz"));
        assert_eq!(parts.len(), 675);
        for other in ["b.zim", "b.zimab", "b.zimaaa", "b.zimAA"] {
            assert_eq!(later_parts(Path::new(other)).count(), 0, "{other}");
        }
    }

    #[test]
    fn only_later_parts_belong_to_a_first() {
        let first = first_part(Path::new("d/b.zimab"));
        assert_eq!(first.as_deref(), Some(Path::new("d/b.zimaa")));
        for other in ["b.zimaa", "b.zim", "b.zima", "zimab"] {
            assert_eq!(first_part(Path::new(other)), None, "{other}");
        }
    }

    #[test]
    fn parts_are_read_across_their_borders() {
        let mut joined = Joined::default();
        for part in [&b"012"[..], b"", b"34", b"567"] {
            let reader = Reader::Seekable(Box::new(Cursor::new(part)));
            joined.push(reader, part.len() as u64);
        }
        let mut text = String::new();
        joined.read_to_string(&mut text).unwrap();
        assert_eq!(text, "01234567");
        joined.seek(SeekFrom::End(-6)).unwrap();
        let mut four = [0; 4];
        joined.read_exact(&mut four).unwrap();
        assert_eq!(&four, b"2345");
        assert_eq!(joined.seek(SeekFrom::Start(100)).unwrap(), 100);
        assert_eq!(joined.read(&mut four).unwrap(), 0);
    }
}
