//! Reads pages again, for source lines and for the ids of pages with missing fragments. Few pages
//! are read again, which is faster than keeping all of them in memory.

use std::io::Cursor;
use std::path::Path;

use baseref_container::{Input, Reader, is_compressed};
use baseref_document::Limits;
use baseref_files::{Files, Role};

/// The bytes of the page at `path`, decompressed.
pub(crate) fn read(path: &Path, files: &Files) -> Option<Vec<u8>> {
    let bytes = files.read(path, Role::Document).ok()?;
    if is_compressed(&bytes) {
        unpacked(bytes, path)
    } else {
        Some(bytes)
    }
}

fn unpacked(bytes: Vec<u8>, path: &Path) -> Option<Vec<u8>> {
    let input = Input {
        name: path.to_string_lossy().into(),
        size: Some(bytes.len() as u64),
        reader: Reader::Seekable(Box::new(Cursor::new(bytes))),
        format: None,
        format_of_name: None,
        named: true,
        declarations: Vec::new(),
    };
    let opened = baseref_container::open(input, &Limits::default()).ok()?;
    let mut pages = opened.into_entities().flatten();
    pages.next().map(|page| page.bytes)
}
