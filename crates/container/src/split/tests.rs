//! Tests of the reader of ranges.

use std::io::Cursor;

use proptest::prelude::*;

use super::*;
use crate::codings::gzip::tests::gzip;
use crate::entity::Entity;
use baseref_document::ReadErrorKind;

/// Bytes that cannot be read at offsets at which files cannot be read.
struct AsFile(Cursor<Vec<u8>>);

impl Read for AsFile {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.0.read(buffer)
    }
}

impl Seek for AsFile {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        match to {
            SeekFrom::Start(place) if i64::try_from(place).is_err() => {
                Err(io::ErrorKind::InvalidInput.into())
            }
            to => self.0.seek(to),
        }
    }
}

fn input(bytes: &[u8]) -> Input {
    Input {
        name: "i".into(),
        reader: Reader::Seekable(Box::new(AsFile(Cursor::new(bytes.to_vec())))),
        size: None,
        format: None,
        format_of_name: None,
        named: true,
        declarations: Vec::new(),
    }
}

/// The offset, the line and the bytes of each entity, and the errors with their offsets.
fn read(opened: Result<Contents, ReadError>) -> Vec<(Option<u64>, String)> {
    let shown = |entity: Entity| {
        let url = entity.declarations.first().map(|url| url.value.to_string());
        let text = String::from_utf8_lossy(&entity.bytes).into_owned();
        let line = entity.line;
        (entity.origin.offset, format!("{line} {url:?} {text}"))
    };
    match opened.unwrap() {
        Contents::Single(entity) => vec![shown(entity)],
        Contents::Empty => Vec::new(),
        Contents::Multiple(entities) => entities
            .map(|item| match item {
                Ok(entity) => shown(entity),
                Err(error) => (error.origin.offset, error.reason.into()),
            })
            .collect(),
    }
}

fn whole(bytes: &[u8]) -> Vec<(Option<u64>, String)> {
    read(crate::open(input(bytes), &Limits::default()))
}

fn part(bytes: &[u8], split: &Split) -> Vec<(Option<u64>, String)> {
    read(open(input(bytes), split, &Limits::default()))
}

/// The splits between these cuts.
fn between(bytes: &[u8], cuts: &[prop::sample::Index]) -> Vec<Split> {
    let size = bytes.len() + 1;
    let mut cuts: Vec<u64> = cuts.iter().map(|cut| cut.index(size) as u64).collect();
    cuts.extend([0, size as u64]);
    cuts.sort_unstable();
    let ranges = cuts.windows(2).map(|pair| pair[0]..pair[1]);
    ranges.map(Split::anywhere).collect()
}

fn all_parts(bytes: &[u8], splits: &[Split]) -> Vec<(Option<u64>, String)> {
    let parts = splits.iter().map(|split| (split, part(bytes, split)));
    let within = |(split, found): (&Split, Vec<(Option<u64>, String)>)| {
        for (offset, shown) in &found {
            let offset = offset.unwrap_or_default();
            assert!(split.range.contains(&offset), "{split:?} {offset} {shown}");
        }
        found
    };
    parts.flat_map(within).collect()
}

/// The entities and the errors about damaged members, without offsets in these: at which offset
/// damage is noticed depends on where reading begins.
fn entities_and_damage(found: Vec<(Option<u64>, String)>) -> Vec<(u64, String)> {
    let is_entity = |text: &str| text.starts_with("1 Some");
    let texts = found.into_iter().filter_map(|(offset, text)| {
        let offset = offset.filter(|_| is_entity(&text)).unwrap_or_default();
        let is_kept = is_entity(&text) || text.contains("the gzip member");
        let which = |text: String| text.split(" is corrupt").next().map(str::to_owned);
        is_kept.then_some((offset, which(text)?))
    });
    let mut texts: Vec<_> = texts.collect();
    // So does the time at which a wrong checksum is noticed.
    texts.sort();
    texts
}

fn planned(bytes: &[u8], most: u64) -> Vec<Split> {
    let most = NonZeroU64::new(most).unwrap();
    splits(input(bytes), most, &Limits::default()).unwrap()
}

fn ranges(splits: &[Split]) -> Vec<(u64, u64)> {
    let ends = |split: &Split| (split.range.start, split.range.end);
    splits.iter().map(ends).collect()
}

const FROM: &str = "From a@b Fri Jan 27 10:00:00 2017\n";

fn message() -> impl Strategy<Value = String> {
    let line = prop_oneof![
        Just("text\n".to_owned()),
        Just("\n".to_owned()),
        Just("\r\n".to_owned()),
        Just(FROM.to_owned()),
        Just(">From x\n".to_owned()),
        Just("From nobody knows where\n".to_owned()),
        Just("Subject: x\n".to_owned()),
    ];
    let body = prop::collection::vec(line, 0..8).prop_map(|lines| lines.concat());
    (body, any::<bool>()).prop_map(|(body, says_length)| {
        let length = if says_length {
            format!("Content-Length: {}\n", body.len())
        } else {
            String::new()
        };
        format!("{FROM}From: a\nSubject: b\n{length}\n{body}\n")
    })
}

/// A record whose declared length is too large by some bytes.
fn record(wrong: impl Strategy<Value = usize>) -> impl Strategy<Value = String> {
    let block = prop_oneof![
        Just("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<a href=x>y</a>".to_owned()),
        Just("HTTP/1.1 200 OK\r\nContent-Type: image/png\r\n\r\nx".to_owned()),
        Just("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\nWARC/1.0\r\nWARC-Type: response\r\nContent-Length: 3\r\n\r\nabc\r\n\r\nx".to_owned()),
    ];
    (block, wrong, "[a-z]{1,9}").prop_map(|(block, wrong, url)| {
        let length = block.len() + wrong;
        format!(
            "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://{url}/\r\n\
             Content-Length: {length}\r\n\r\n{block}\r\n\r\n"
        )
    })
}

fn arc_record() -> impl Strategy<Value = String> {
    ("[a-z]{1,9}", "[a-z ]{0,40}").prop_map(|(host, text)| {
        let block = format!("HTTP/1.1 200 OK\nContent-Type: text/html\n\n<p>{text}");
        let length = block.len();
        format!("http://{host}/ 1.2.3.4 20260101000000 text/html {length}\n{block}\n")
    })
}

const ARC: &str = "filedesc://x.arc 0.0.0.0 20260101000000 text/plain 3\n1 0\n";

proptest! {
    #[test]
    fn splits_of_mailbox_yield_each_message_once(
        messages in prop::collection::vec(message(), 1..12),
        cuts in prop::collection::vec(any::<prop::sample::Index>(), 0..6),
        most in 1..2000_u64,
    ) {
        let bytes = messages.concat().into_bytes();
        prop_assert_eq!(all_parts(&bytes, &between(&bytes, &cuts)), whole(&bytes));
        prop_assert_eq!(all_parts(&bytes, &planned(&bytes, most)), whole(&bytes));
    }

    #[test]
    fn splits_of_archive_yield_each_record_once(
        records in prop::collection::vec(record(prop_oneof![4 => Just(0_usize), 1 => 1..400_usize]), 1..12),
        cuts in prop::collection::vec(any::<prop::sample::Index>(), 0..6),
        most in 1..2000_u64,
    ) {
        let bytes = records.concat().into_bytes();
        prop_assert_eq!(all_parts(&bytes, &between(&bytes, &cuts)), whole(&bytes));
        prop_assert_eq!(all_parts(&bytes, &planned(&bytes, most)), whole(&bytes));
    }

    #[test]
    fn splits_of_compressed_archive_yield_each_record_once(
        records in prop::collection::vec(arc_record(), 1..12),
        cuts in prop::collection::vec(any::<prop::sample::Index>(), 0..6),
        most in 1..500_u64,
    ) {
        let records = [vec![ARC.to_owned()], records].concat();
        let bytes: Vec<u8> = records.iter().flat_map(|text| gzip(text.as_bytes())).collect();
        prop_assert_eq!(all_parts(&bytes, &between(&bytes, &cuts)), whole(&bytes));
        prop_assert_eq!(all_parts(&bytes, &planned(&bytes, most)), whole(&bytes));
        let plain = records.concat().into_bytes();
        prop_assert_eq!(all_parts(&plain, &between(&plain, &cuts)), whole(&plain));
        prop_assert_eq!(all_parts(&plain, &planned(&plain, most)), whole(&plain));
    }
}

proptest! {
    #[test]
    fn splits_of_damaged_archive_yield_the_same_as_the_whole(
        records in prop::collection::vec(record(Just(0)), 2..8),
        damaged in prop_oneof![4 => Just(0_usize), 1 => 0..8_usize],
        at in 10..60_usize,
        cuts in prop::collection::vec(any::<prop::sample::Index>(), 0..4),
        most in 1..500_u64,
    ) {
        let mut members: Vec<_> = records.iter().map(|text| gzip(text.as_bytes())).collect();
        let damaged = damaged % members.len();
        let at = at % members[damaged].len();
        members[damaged][at] ^= 0x55;
        let bytes = members.concat();
        let input = || Input { format_of_name: Some(Format::Warc), ..input(&bytes) };
        let limits = Limits::default();
        let expected = entities_and_damage(read(crate::open(input(), &limits)));
        for splits in [between(&bytes, &cuts), planned(&bytes, most)] {
            let parts = splits.iter().flat_map(|split| read(open(input(), split, &limits)));
            prop_assert_eq!(&entities_and_damage(parts.collect()), &expected);
        }
    }
}

#[test]
fn records_after_damaged_second_member_have_their_own_offsets() {
    let text = "WARC/1.0\r\nWARC-Type: resource\r\nContent-Length: 3\r\n\r\n<p>\r\n\r\n";
    let good = gzip(text.as_bytes());
    let third = 2 * good.len() as u64;
    for at in 10..good.len() - 8 {
        let mut damaged = good.clone();
        damaged[at] ^= 0x55;
        let found = whole(&[&good[..], &damaged, &good].concat());
        if found.iter().any(|(_, text)| text.contains("is corrupt")) {
            assert_eq!(found.last().unwrap().0, Some(third), "{at}: {found:?}");
        }
    }
}

#[test]
fn archive_with_damaged_first_member_is_read_from_the_second() {
    let text = "WARC/1.0\r\nWARC-Type: resource\r\nContent-Length: 3\r\n\r\n<p>\r\n\r\n";
    let good = gzip(text.as_bytes());
    let mut damaged = good.clone();
    damaged[10] ^= 0x55;
    let bytes = [&damaged[..], &good, &good].concat();
    let second = good.len() as u64;
    let found = whole(&bytes);
    assert!(
        found[0]
            .1
            .starts_with("the gzip member at byte 0 is corrupt"),
        "{found:?}"
    );
    let offsets: Vec<_> = found[1..].iter().map(|(offset, _)| *offset).collect();
    assert_eq!(offsets, [Some(second), Some(2 * second)]);
}

#[test]
fn splits_begin_at_entities() {
    let message = format!("{FROM}From: a\nSubject: b\n\ntext\n\n");
    let length = message.len() as u64;
    let mailbox = message.repeat(5).into_bytes();
    let two = 2 * length;
    assert_eq!(
        ranges(&planned(&mailbox, two)),
        [(0, two), (two, 2 * two), (2 * two, 5 * length)]
    );
    assert_eq!(
        planned(&mailbox, 1)[3],
        Split {
            range: 3 * length..4 * length,
            line: NonZeroU64::new(19),
        }
    );
    let record = "WARC/1.0\r\nWARC-Type: x\r\nContent-Length: 1\r\n\r\nx\r\n\r\n";
    let archive = record.repeat(3).into_bytes();
    let length = record.len() as u64;
    // The line ends after a block are not part of the next record.
    assert_eq!(
        ranges(&planned(&archive, 1)),
        [(0, length), (length, 2 * length), (2 * length, 3 * length)]
    );
}

#[test]
fn unsplittable_input_is_one_split() {
    let message = format!("{FROM}From: a\nContent-Length: 5\n\ntext\n\n");
    let mailbox = message.repeat(5);
    for bytes in [
        b"<p><a href=x>y</a>".to_vec(),
        mailbox.clone().into_bytes(),
        gzip(mailbox.as_bytes()),
        gzip(format!("{ARC}http://a/ 1.2.3.4 20260101000000 text/html 1\nx\n").as_bytes()),
    ] {
        let size = bytes.len() as u64;
        assert_eq!(ranges(&planned(&bytes, 1)), [(0, size)]);
        let after = Split::anywhere(size / 2..size);
        let first = part(&bytes, &Split::anywhere(0..size / 2));
        assert_eq!([first, part(&bytes, &after)].concat(), whole(&bytes));
    }
}

#[test]
fn entities_of_split_are_identified_by_offset() {
    let message = format!("{FROM}From: a\nSubject: b\n\ntext\n\n");
    let bytes = message.repeat(2).into_bytes();
    let split = Split::anywhere(1..u64::MAX);
    let Ok(Contents::Multiple(entities)) = open(input(&bytes), &split, &Limits::default()) else {
        panic!("a mailbox");
    };
    let names: Vec<String> = entities
        .map(|mail| mail.unwrap().origin.to_string())
        .collect();
    assert_eq!(names, [format!("i@{}", message.len())]);
}

#[test]
fn damaged_member_is_an_error_in_one_split() {
    let texts = (0..6).map(|number| {
        let block = "HTTP/1.1 200 OK\nContent-Type: text/html\n\n<p>x";
        let length = block.len();
        format!("http://{number}/ 1.2.3.4 20260101000000 text/html {length}\n{block}\n")
    });
    let texts = std::iter::once(ARC.to_owned()).chain(texts);
    let members: Vec<Vec<u8>> = texts.map(|text| gzip(text.as_bytes())).collect();
    let damaged: usize = members[..3].iter().map(Vec::len).sum();
    for at in [11, 30, members[3].len() - 6] {
        let mut bytes = members.concat();
        bytes[damaged + at] ^= 0xFF;
        let errors = |found: &[(Option<u64>, String)]| {
            let mut texts = found.iter().map(|(_, text)| text);
            texts
                .by_ref()
                .filter(|text| text.contains("corrupt") || text.contains("checksum"))
                .count()
        };
        assert_eq!(errors(&whole(&bytes)), 1, "{at}");
        for cut in [1, damaged, damaged + 1, bytes.len() - 1] {
            let cut = cut as u64;
            let splits = [0..cut, cut..u64::MAX].map(Split::anywhere);
            let found: Vec<_> = splits
                .iter()
                .flat_map(|split| part(&bytes, split))
                .collect();
            assert_eq!(errors(&found), 1, "{at} {cut}");
        }
    }
}

#[test]
fn stream_cannot_be_split() {
    let input = Input {
        reader: Reader::Stream(Box::new(Cursor::new(b"<p>".to_vec()))),
        ..input(b"")
    };
    let error = splits(input, NonZeroU64::MIN, &Limits::default()).unwrap_err();
    assert_eq!(error.kind, ReadErrorKind::Io);
}

#[test]
fn endless_line_ends_are_not_read() {
    let record = "WARC/1.0\r\nWARC-Type: x\r\nContent-Length: 1\r\n\r\nx";
    let bytes = [record.as_bytes(), &b"\n".repeat(3 * CHUNK)].concat();
    let mut reader = input(&bytes).reader;
    let (_, read) = beginning(&mut reader, record.len() as u64, LONGEST_LINE).unwrap();
    assert!(read.len() <= CHUNK);
}
