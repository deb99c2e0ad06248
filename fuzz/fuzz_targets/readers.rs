//! Reads input in its detected format and in every other one: no panic, and every byte range is
//! within bounds.
#![no_main]

use std::io::Cursor;

use baseref_container::{Contents, Entity, Format, Input, Reader, open};
use baseref_document::link_places::Classes;
use baseref_document::{Limits, ReadOptions};
use baseref_reader::base::Policy;
use baseref_reader::read::documents;
use libfuzzer_sys::fuzz_target;

const FORMATS: &[Option<Format>] = &[
    None,
    Some(Format::Html),
    Some(Format::Css),
    Some(Format::Feed),
    Some(Format::Eml),
    Some(Format::Mbox),
    Some(Format::Warc),
    Some(Format::Arc),
    Some(Format::Http),
    Some(Format::Emlx),
    Some(Format::Webarchive),
    Some(Format::Zip),
    Some(Format::Zim),
    Some(Format::Msg),
    Some(Format::Tnef),
    Some(Format::Pst),
];

fuzz_target!(|data: &[u8]| {
    // The first byte selects the format.
    let Some((&choice, bytes)) = data.split_first() else {
        return;
    };
    let input = Input {
        name: "input".into(),
        reader: Reader::Stream(Box::new(Cursor::new(bytes.to_vec()))),
        size: None,
        format: FORMATS[usize::from(choice) % FORMATS.len()],
        format_of_name: None,
        named: true,
        declarations: Vec::new(),
    };
    let limits = Limits::default().with_message(1 << 20);
    match open(input, &limits) {
        Ok(Contents::Single(entity)) => read(entity),
        Ok(Contents::Multiple(entities)) => entities.flatten().for_each(read),
        Ok(Contents::Empty) | Err(_) => {}
    }
});

fn read(entity: Entity) {
    let options = ReadOptions::default()
        .with_classes(Classes::ALL)
        .with_marks(true);
    documents(
        entity,
        &options,
        &mut |found: baseref_document::ReadResult| {
            let Ok(document) = found else { return };
            Policy::default()
                .resolve(&document)
                .for_each_link(|_, link| {
                    if let Some(at) = link.reference.at {
                        assert!(at.byte.start <= at.byte.end);
                    }
                });
        },
    );
}
