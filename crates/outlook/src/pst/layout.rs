//! The header of a store ([MS-PST] §2.2.2.6), and where the fields of its two layouts are.

use std::io::{Read, Seek, SeekFrom};

use super::crypt::Encoding;
use super::error::PstError;

const MAGIC: &[u8; 4] = b"!BDN";

/// The part of the header that is read: up to the encoding of the Unicode layout.
const HEADER: usize = 514;

/// The layout of a store: ANSI, with numbers of 32 bits, or Unicode, with numbers of 64.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    Ansi,
    Unicode,
}

/// Where the root pages of the two trees are.
#[derive(Clone, Copy, Debug)]
pub struct Header {
    pub layout: Layout,
    pub encoding: Encoding,
    pub nodes: u64,
    pub blocks: u64,
}

impl Layout {
    /// The size of an identifier or an offset.
    pub const fn id(self) -> usize {
        match self {
            Self::Ansi => 4,
            Self::Unicode => 8,
        }
    }

    /// The size of the trailer of a page or a block (§2.2.2.7.1, §2.2.2.8.1).
    pub const fn trailer(self) -> usize {
        match self {
            Self::Ansi => 12,
            Self::Unicode => 16,
        }
    }

    /// Where a trailer has its checksum.
    pub const fn checksum(self) -> usize {
        match self {
            Self::Ansi => 8,
            Self::Unicode => 4,
        }
    }

    /// Where the entries of a page end, and their count and level follow (§2.2.2.7.7.1).
    pub const fn page_entries(self) -> usize {
        match self {
            Self::Ansi => 496,
            Self::Unicode => 488,
        }
    }

    /// Where the entries of a block of subnodes begin (§2.2.2.8.3.3).
    pub const fn subnode_entries(self) -> usize {
        match self {
            Self::Ansi => 4,
            Self::Unicode => 8,
        }
    }

    /// The identifier or offset at `at`.
    pub fn id_at(self, bytes: &[u8], at: usize) -> Option<u64> {
        match self {
            Self::Ansi => u32_at(bytes, at).map(u64::from),
            Self::Unicode => {
                let low = u32_at(bytes, at)?;
                let high = u32_at(bytes, at + 4)?;
                Some(u64::from(high) << 32 | u64::from(low))
            }
        }
    }
}

impl Header {
    /// Reads the header of a store.
    ///
    /// # Errors
    /// If it is not a store, or one of a version that is not read.
    pub fn read(input: &mut (impl Read + Seek)) -> Result<Self, PstError> {
        let mut bytes = Vec::with_capacity(HEADER);
        input.seek(SeekFrom::Start(0)).map_err(PstError::Io)?;
        let mut head = input.by_ref().take(HEADER as u64);
        head.read_to_end(&mut bytes).map_err(PstError::Io)?;
        if !bytes.starts_with(MAGIC) || !matches!(bytes.get(8..10), Some(b"SM" | b"SO")) {
            return Err(PstError::NotAStore);
        }
        let version = u16_at(&bytes, 10).ok_or(PstError::Damaged)?;
        let layout = match version {
            14 | 15 => Layout::Ansi,
            23 => Layout::Unicode,
            _ => return Err(PstError::Version(version)),
        };
        let (nodes, blocks, encoding) = match layout {
            Layout::Ansi => (188, 196, 461),
            Layout::Unicode => (224, 240, 513),
        };
        let offset = |at| layout.id_at(&bytes, at).ok_or(PstError::Damaged);
        let encoding = bytes.get(encoding).copied();
        Ok(Self {
            layout,
            encoding: encoding.and_then(Encoding::new).ok_or(PstError::Damaged)?,
            nodes: offset(nodes)?,
            blocks: offset(blocks)?,
        })
    }
}

pub fn u16_at(bytes: &[u8], at: usize) -> Option<u16> {
    let bytes = bytes.get(at..at.checked_add(2)?)?;
    Some(u16::from_le_bytes(bytes.try_into().ok()?))
}

pub fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    let bytes = bytes.get(at..at.checked_add(4)?)?;
    Some(u32::from_le_bytes(bytes.try_into().ok()?))
}
