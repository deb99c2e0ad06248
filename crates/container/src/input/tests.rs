//! Tests of inputs whose storage fails.

use std::io::{self, Cursor, Read, Seek, SeekFrom, Write as _};
use std::num::NonZeroU64;

use crate::codings::gzip::tests::gzip;
use crate::{Contents, Format, Input, Reader, open, split};
use baseref_document::{Interruption, Limits, ReadError, ReadErrorKind};

const EIO: i32 = 5;

/// Bytes that cannot be read from an offset on.
struct Failing(Cursor<Vec<u8>>, u64);

impl Read for Failing {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let left = self.1.saturating_sub(self.0.position());
        if left == 0 {
            return Err(io::Error::from_raw_os_error(EIO));
        }
        let length = usize::try_from(left).map_or(buffer.len(), |left| left.min(buffer.len()));
        self.0.read(&mut buffer[..length])
    }
}

impl Seek for Failing {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.0.seek(to)
    }
}

fn input(name: &str, reader: Reader, size: Option<u64>) -> Input {
    Input {
        name: name.into(),
        format_of_name: Format::from_name(name.as_ref()),
        reader,
        size,
        format: None,
        named: false,
        declarations: Vec::new(),
    }
}

fn errors(opened: Result<Contents, ReadError>) -> Vec<ReadError> {
    match opened {
        Ok(opened) => opened.into_entities().filter_map(Result::err).collect(),
        Err(error) => vec![error],
    }
}

fn warc() -> Vec<u8> {
    let page = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<a href=b>c</a>";
    let length = page.len();
    format!("WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://a/\r\nContent-Length: {length}\r\n\r\n{page}\r\n\r\n")
        .into_bytes()
}

fn inputs() -> Vec<(&'static str, Vec<u8>)> {
    let mbox = b"From a@b Fri Jan 27 10:00:00 2017\nContent-Type: text/html\n\n<a href=b>\n\n";
    let mut inputs = vec![
        ("page.html", b"<a href=b>c</a>".to_vec()),
        ("page.html.gz", gzip(b"<a href=b>c</a>")),
        ("plain.warc", [warc(), warc()].concat()),
        ("by-record.warc.gz", [gzip(&warc()), gzip(&warc())].concat()),
        ("box.mbox", mbox.repeat(2)),
        ("log.har", b"{\"log\": {\"entries\": []}}".to_vec()),
        ("one.emlx", b"20\nContent-Type: a/b\n\nxyz".to_vec()),
    ];
    if cfg!(feature = "archives") {
        inputs.push(("pages.zip", zip()));
    }
    inputs
}

#[cfg(not(feature = "archives"))]
fn zip() -> Vec<u8> {
    Vec::new()
}

#[cfg(feature = "archives")]
fn zip() -> Vec<u8> {
    let mut writer = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for name in ["a.html", "b.html"] {
        writer
            .start_file(name, zip::write::SimpleFileOptions::default())
            .unwrap();
        writer.write_all(b"<a href=b>c</a>").unwrap();
    }
    writer.finish().unwrap().into_inner()
}

fn assert_io(claim: &str, found: &[ReadError]) {
    assert!(!found.is_empty(), "{claim}: nothing is reported");
    for error in found {
        assert_eq!(error.kind, ReadErrorKind::Io, "{claim}: {error}");
        let errno = error.interruption.and_then(Interruption::errno);
        assert_eq!(errno, Some(EIO), "{claim}: {error}");
    }
}

#[test]
fn failing_reader_is_never_damage() {
    let limits = Limits::default();
    for (name, bytes) in inputs() {
        for at in 0..bytes.len() as u64 {
            let failing = || Box::new(Failing(Cursor::new(bytes.clone()), at));
            for reader in [Reader::Seekable(failing()), Reader::Stream(failing())] {
                let found = errors(open(input(name, reader, None), &limits));
                assert_io(&format!("{name} at {at}"), &found);
            }
        }
    }
}

#[test]
fn failing_split_is_never_damage() {
    let limits = Limits::default();
    for (name, bytes) in inputs() {
        let size = bytes.len() as u64;
        for at in 0..size {
            let failing = || Reader::Seekable(Box::new(Failing(Cursor::new(bytes.clone()), at)));
            let mut found = Vec::new();
            for range in [0..size / 2, size / 2..size] {
                let range = split::Split::anywhere(range);
                found.extend(errors(split::open(
                    input(name, failing(), None),
                    &range,
                    &limits,
                )));
            }
            assert_io(&format!("{name} at {at}"), &found);
            let most = NonZeroU64::new(size / 2).unwrap();
            if let Err(error) = split::splits(input(name, failing(), None), most, &limits) {
                assert_io(&format!("splits of {name} at {at}"), &[error]);
            }
        }
    }
}

#[test]
fn file_shorter_than_its_size_is_a_read_failure() {
    for (name, bytes) in inputs() {
        let size = bytes.len() as u64;
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(&bytes).unwrap();
        file.rewind().unwrap();
        let reader = Reader::File(file);
        let opened = open(input(name, reader, Some(size + 1)), &Limits::default());
        let found = errors(opened);
        let is_told = |error: &ReadError| {
            let told = format!("ended after {size} of {} bytes", size + 1);
            error.kind == ReadErrorKind::Io && error.reason.contains(&told)
        };
        // A zip is read from its end, and seeking there does not fail.
        assert!(
            name == "pages.zip" || found.iter().any(is_told),
            "{name}: {found:?}"
        );
    }
}

#[test]
fn damage_is_no_read_failure() {
    let limits = Limits::default();
    for name in ["by-record.warc.gz", "page.html.gz"] {
        let bytes = inputs()
            .into_iter()
            .find(|input| input.0 == name)
            .unwrap()
            .1;
        let cut = bytes[..bytes.len() - 9].to_vec();
        let reader = Reader::Stream(Box::new(Cursor::new(cut)));
        let found = errors(open(input(name, reader, None), &limits));
        assert!(!found.is_empty(), "{name}");
        assert!(
            found
                .iter()
                .all(|error| error.kind == ReadErrorKind::Damaged),
            "{found:?}"
        );
    }
}
