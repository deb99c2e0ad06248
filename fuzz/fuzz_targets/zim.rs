//! Reads a ZIM file as a site: no panic, and no more bytes than the ledger allows, whatever its lists
//! and offsets say.
#![no_main]

use std::io::Cursor;

use baseref_container::{Contents, Format, Input, Reader, open_site};
use baseref_document::Limits;
use libfuzzer_sys::fuzz_target;

/// What all clusters of a small file may inflate to.
const INFLATED: usize = 1 << 20;

fuzz_target!(|data: &[u8]| {
    let bytes = [b"ZIM\x04", data].concat();
    let allowed = INFLATED.max(100 * bytes.len());
    let input = Input {
        name: "input.zim".into(),
        size: Some(bytes.len() as u64),
        reader: Reader::Seekable(Box::new(Cursor::new(bytes))),
        format: Some(Format::Zim),
        format_of_name: None,
        named: true,
        declarations: Vec::new(),
    };
    let limits = Limits::default().with_inflated(INFLATED);
    let Ok(Contents::Multiple(entities)) = open_site(input, &limits, &Vec::new) else {
        return;
    };
    let pages = entities.flatten();
    let read: usize = pages.map(|page| page.bytes.len()).sum();
    assert!(read <= allowed, "{read} bytes were read");
});
