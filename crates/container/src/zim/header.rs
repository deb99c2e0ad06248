//! The header of a ZIM file.

use std::fmt;

/// The size of the header in bytes. The oldest files have no checksum position, and a smaller one.
pub(super) const SIZE: usize = 80;

/// The size of the header without the position of the checksum.
const SIZE_WITHOUT_CHECKSUM: usize = 72;

/// The major versions that are read: 6 has offsets of 64 bits in its clusters.
const MAJOR: [u16; 2] = [5, 6];

/// The first minor version in which all that a book shows is in the namespace `C`.
const NEW_NAMESPACES: u16 = 1;

/// The number that stands for no page.
const NO_PAGE: u32 = u32::MAX;

/// The fields of the header that lead to pages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Header {
    /// Whether the pages are in the namespace `C`, as links see them; before, links named `A`, `I`
    /// and `-` as folders.
    pub has_new_namespaces: bool,
    pub entries: u32,
    pub clusters: u32,
    /// The position of the offsets of the entries, in the order of their paths.
    pub path_list: u64,
    /// The position of the offsets of the clusters.
    pub cluster_list: u64,
    /// The position of the media types.
    pub media_list: u64,
    /// The number of the entry that readers show first.
    pub main_page: Option<u32>,
    /// The position of the checksum, with which the file ends.
    pub checksum: Option<u64>,
}

/// Why a header cannot be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum HeaderError {
    CutOff,
    Version(u16),
    /// The media types are said to be at this position, which is in the header itself.
    MediaList(u64),
}

impl fmt::Display for HeaderError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::CutOff => f.write_str("its header is cut off"),
            Self::Version(major) => write!(
                f,
                "is a ZIM file of version {major}, and only the versions 5 and 6 are read: `zimdump dump` \
                 may unpack it"
            ),
            Self::MediaList(at) => write!(
                f,
                "is a damaged ZIM file: its list of media types would be at byte {at}, inside the header; \
                 `zimcheck` says what else is wrong, `zimdump dump` unpacks what can be read"
            ),
        }
    }
}

impl Header {
    /// Reads the header at the start of `bytes`, which begin with the signature.
    ///
    /// # Errors
    /// If it is cut off, of another version, or contradicts itself.
    pub fn read(bytes: &[u8]) -> Result<Self, HeaderError> {
        let half = |at: usize| array(bytes, at).map(u16::from_le_bytes);
        let word = |at: usize| array(bytes, at).map(u32::from_le_bytes);
        let long = |at: usize| array(bytes, at).map(u64::from_le_bytes);
        let major = half(4).ok_or(HeaderError::CutOff)?;
        if !MAJOR.contains(&major) {
            return Err(HeaderError::Version(major));
        }
        let header = || {
            let media_list = long(56)?;
            let has_checksum = media_list != SIZE_WITHOUT_CHECKSUM as u64;
            Some(Self {
                has_new_namespaces: half(6)? >= NEW_NAMESPACES,
                entries: word(24)?,
                clusters: word(28)?,
                path_list: long(32)?,
                cluster_list: long(48)?,
                media_list,
                main_page: Some(word(64)?).filter(|number| *number != NO_PAGE),
                checksum: if has_checksum { Some(long(72)?) } else { None },
            })
        };
        let header = header().ok_or(HeaderError::CutOff)?;
        if header.media_list < SIZE_WITHOUT_CHECKSUM as u64 {
            return Err(HeaderError::MediaList(header.media_list));
        }
        Ok(header)
    }
}

/// The `N` bytes at `at`.
fn array<const N: usize>(bytes: &[u8], at: usize) -> Option<[u8; N]> {
    bytes.get(at..at + N)?.try_into().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_versions_5_and_6_are_read() {
        let mut bytes = *b"ZIM\x04\x06\0\x01\0";
        assert_eq!(Header::read(&bytes), Err(HeaderError::CutOff));
        bytes[4] = 7;
        assert_eq!(Header::read(&bytes), Err(HeaderError::Version(7)));
        assert_eq!(Header::read(&bytes[..4]), Err(HeaderError::CutOff));
    }

    #[test]
    fn media_types_are_not_in_the_header() {
        let mut bytes = [0; SIZE];
        bytes[4] = 6;
        let error = Header::read(&bytes).unwrap_err();
        assert_eq!(error, HeaderError::MediaList(0));
        assert!(error.to_string().contains("zimdump"));
    }

    #[test]
    fn minor_version_decides_the_namespaces_and_old_headers_lack_the_checksum() {
        let header = |minor: u8, media: u8| {
            let mut bytes = [0; SIZE];
            bytes[4] = 5;
            bytes[6] = minor;
            bytes[56] = media;
            bytes[72] = 200;
            let header = Header::read(&bytes).unwrap();
            (header.has_new_namespaces, header.checksum)
        };
        assert_eq!(header(0, 72), (false, None));
        assert_eq!(header(1, 80), (true, Some(200)));
    }
}
