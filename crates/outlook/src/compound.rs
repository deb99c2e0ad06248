//! Access to the streams of compound files ([MS-CFB]).

use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;

use cfb::CompoundFile as Compound;

/// The first bytes of a compound file.
pub const MAGIC: [u8; 8] = *b"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1";

/// The maximum total size of the streams that are read, as a multiple of the file size: streams can share
/// their bytes.
const READ: u64 = 2;

/// An open compound file.
pub struct Store<R> {
    file: Compound<Padded<R>>,
    /// The number of bytes that may still be read.
    left: u64,
}

/// An object in a storage.
#[derive(Clone, Debug)]
pub struct Child {
    pub name: String,
    pub is_stream: bool,
}

/// Why a stream, or a part of it, could not be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lost {
    /// The file is damaged.
    Damaged,
    /// The streams together are larger than the file can be.
    Limit,
}

impl<R: Read + Seek> Store<R> {
    /// Opens a file of `size` bytes.
    ///
    /// # Errors
    /// If it is not a compound file, or its tables are damaged.
    pub fn open(file: R, size: u64) -> io::Result<Self> {
        Ok(Self {
            file: Compound::open(Padded::new(file)?)?,
            left: size.saturating_mul(READ),
        })
    }

    /// The objects in a storage, in the order of the directory; empty if the storage does not exist.
    pub fn children(&self, path: &Path) -> Vec<Child> {
        let Ok(entries) = self.file.read_storage(path) else {
            return Vec::new();
        };
        let child = |entry: cfb::Entry| Child {
            name: entry.name().to_owned(),
            is_stream: entry.is_stream(),
        };
        entries.map(child).collect()
    }

    /// Reads a stream as far as possible, and returns why a part is missing.
    pub fn read(&mut self, path: &Path) -> (Vec<u8>, Option<Lost>) {
        let mut bytes = Vec::new();
        let Ok(stream) = self.file.open_stream(path) else {
            return (bytes, Some(Lost::Damaged));
        };
        let size = stream.len();
        let most = size.min(self.left);
        let read = stream.take(most).read_to_end(&mut bytes);
        self.left = self.left.saturating_sub(bytes.len() as u64);
        let lost = if read.is_err() || (bytes.len() as u64) < most {
            Some(Lost::Damaged)
        } else {
            (most < size).then_some(Lost::Limit)
        };
        (bytes, lost)
    }
}

/// A compound file that seems to have a sector for each entry of its allocation table.
///
/// The entries beyond the last sector belong to no chain ([MS-CFB] §2.3), and some writers fill them with
/// `ENDOFCHAIN` in place of `FREESECT`, which cfb takes for damage. What is beyond the end of the file is not
/// read: a chain that leads there is damage.
struct Padded<R> {
    file: R,
    /// The size that the file seems to have, in bytes.
    size: u64,
    at: u64,
}

impl<R: Read + Seek> Padded<R> {
    fn new(mut file: R) -> io::Result<Self> {
        let real = file.seek(SeekFrom::End(0))?;
        file.rewind()?;
        let mut header = Vec::new();
        file.by_ref().take(HEADER).read_to_end(&mut header)?;
        file.rewind()?;
        let size = real.max(size_by_table(&header, real));
        Ok(Self { file, size, at: 0 })
    }
}

/// The size of the header that has the fields below, in bytes.
const HEADER: u64 = 0x30;

/// The size of a file of `real` bytes by the length of its allocation table; 0 if its header is damaged.
fn size_by_table(header: &[u8], real: u64) -> u64 {
    let field = |at: usize| {
        header
            .get(at..at + 4)?
            .try_into()
            .ok()
            .map(u32::from_le_bytes)
    };
    // [MS-CFB] §2.2: "Sector Shift", 9 or 12, and "Number of FAT Sectors".
    let (Some(shift), Some(sectors)) = (field(0x1E), field(0x2C)) else {
        return 0;
    };
    let sector = match shift & 0xFFFF {
        shift @ (9 | 12) => 1_u64 << shift,
        _ => return 0,
    };
    let table = u64::from(sectors) * sector;
    if table > real {
        return 0;
    }
    // An entry has four bytes; the header takes the place of one sector.
    (table / 4 + 1) * sector
}

impl<R: Read + Seek> Read for Padded<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.file.read(buffer)?;
        self.at += count as u64;
        Ok(count)
    }
}

impl<R: Read + Seek> Seek for Padded<R> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let at = match to {
            SeekFrom::Start(at) => Some(at),
            SeekFrom::End(distance) => self.size.checked_add_signed(distance),
            SeekFrom::Current(distance) => self.at.checked_add_signed(distance),
        };
        let at = at.ok_or(io::ErrorKind::InvalidInput)?;
        self.at = self.file.seek(SeekFrom::Start(at))?;
        Ok(self.at)
    }
}
