//! The media types of the entries, and how entries of each are read.

use std::io;

use super::header::Header;
use super::storage::Storage;
use crate::archives::http;
use baseref_text::decode::source::Markup;
use baseref_text::header::media_type::MediaType;

/// The maximum size of the list in bytes. No list of a real book has more than a few hundred.
const LONGEST_LIST: usize = 256 * 1024;

/// How the entries of a media type are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reading {
    /// As a document in this markup.
    Document(Markup),
    /// As a feed or a sitemap, if they begin like one.
    SomeXml,
    StyleSheet,
    /// Not at all.
    Nothing,
}

/// A media type of the list.
#[derive(Debug)]
pub(super) struct EntryType {
    /// The type as written, without parameters.
    pub essence: Box<str>,
    pub charset: Option<Box<str>>,
    pub reading: Reading,
}

impl EntryType {
    fn new(written: &[u8]) -> Self {
        let Some(media) = MediaType::parse(written) else {
            return Self {
                essence: String::from_utf8_lossy(written).into(),
                charset: None,
                reading: Reading::Nothing,
            };
        };
        let reading = match Markup::from_media_type(&media.essence) {
            Some(markup) => Reading::Document(markup),
            None if http::is_some_xml(&media.essence) => Reading::SomeXml,
            None if media.essence == "text/css" => Reading::StyleSheet,
            None => Reading::Nothing,
        };
        Self {
            charset: media.charset().map(Into::into),
            essence: media.essence.into(),
            reading,
        }
    }
}

/// Reads the list: texts that each end with NUL, up to an empty one.
///
/// # Errors
/// If the storage fails.
pub(super) fn read(storage: &Storage, header: &Header) -> io::Result<Vec<EntryType>> {
    let mut bytes = Vec::new();
    storage.append(header.media_list, LONGEST_LIST, &mut bytes)?;
    // What follows the last NUL is cut off.
    let mut texts: Vec<&[u8]> = bytes.split(|byte| *byte == 0).collect();
    texts.pop();
    let texts = texts.into_iter().take_while(|text| !text.is_empty());
    Ok(texts.map(EntryType::new).collect())
}
