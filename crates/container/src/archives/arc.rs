//! ARC, the predecessor of WARC, whose records begin with one line of fields.

use super::capture::{self, Content, Digests, Heading};
use super::records::{Archive, LONGEST_LINE, RecordFormat};
use baseref_text::decode::line;
use baseref_text::header::date;
use baseref_text::header::media_type::MediaType;

/// The records of an ARC.
pub(crate) type Records<R> = Archive<R, Arc>;

/// The record format of ARC.
pub(crate) struct Arc;

/// The scheme of the first record, which describes the file.
pub(crate) const FILE_DESCRIPTION: &[u8] = b"filedesc://";

/// The first line of a record. In version 1 it is `URL IP-address Archive-date Content-type
/// Archive-length`, in version 2 `URL IP-address Archive-date Content-type Result-code Checksum
/// Location Offset Filename Archive-length`. It is parsed from the end, since a URL may contain
/// spaces.
struct Line<'b> {
    url: &'b [u8],
    media: &'b [u8],
    date: &'b [u8],
    length: u64,
    /// The offset of the next line.
    next: usize,
}

fn first_line(bytes: &[u8]) -> Option<Line<'_>> {
    let (end, next) = line::end(&bytes[..bytes.len().min(LONGEST_LINE)], 0);
    let text = &bytes[..end];
    if next == end || !text.last().is_some_and(u8::is_ascii_digit) {
        return None;
    }
    let is_date =
        |field: &[u8]| (12..=14).contains(&field.len()) && field.iter().all(u8::is_ascii_digit);
    let mut fields: Vec<&[u8]> = text.rsplitn(10, |&byte| byte == b' ').collect();
    if !fields.get(7).is_some_and(|date| is_date(date)) {
        fields = text.rsplitn(5, |&byte| byte == b' ').collect();
    }
    let [length, .., media, date, _address, url] = fields[..] else {
        return None;
    };
    let is_url = memchr::memchr(b':', url)
        .is_some_and(|colon| colon > 0 && url[..colon].iter().all(u8::is_ascii_alphanumeric));
    let length = std::str::from_utf8(length).ok()?.parse().ok()?;
    (is_url && is_date(date)).then_some(Line {
        url,
        media,
        date,
        length,
        next,
    })
}

impl RecordFormat for Arc {
    const URL: &'static str = "ARC URL";
    const END: &'static [u8] = b"\n";
    // The line end is the first byte of the next record.
    const LAST_END: &'static [u8] = b"";

    fn is_record(bytes: &[u8]) -> bool {
        first_line(bytes).is_some()
    }

    fn find(bytes: &[u8]) -> Option<usize> {
        memchr::memchr_iter(b'\n', bytes)
            .map(|end| end + 1)
            .find(|&start| Self::is_record(&bytes[start..]))
    }

    fn heading(bytes: &[u8], captures: bool) -> Result<Heading, &'static str> {
        let line = first_line(bytes).ok_or("has no header")?;
        let is_sent = !line.url.starts_with(FILE_DESCRIPTION);
        Ok(Heading {
            block: line.next,
            length: line.length,
            url: Some(String::from_utf8_lossy(line.url).into_owned()),
            date: Some(String::from_utf8_lossy(line.date).into_owned()),
            content: if is_sent {
                Content::Sent(MediaType::parse(line.media))
            } else {
                Content::About("")
            },
            is_truncated: false,
            is_segment: false,
            digests: Digests::default(),
            exchange: (captures && is_sent).then(|| Box::new(capture::from_response())),
        })
    }

    fn date(written: &str) -> Option<Box<str>> {
        date::from_digits(written)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contents::Container;
    use crate::input::window::Window;
    use crate::input::window::tests::Trickle;
    use baseref_document::Limits;

    const PAGE: &str = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<a href=x>y</a>";

    fn record(before: &str, after: &str, block: &str) -> String {
        let length = block.len();
        format!("{before} 10.0.0.1 20080430204825 text/html {after}{length}\n{block}\n")
    }

    fn read(archive: &str) -> (Vec<String>, u64) {
        let window = Window::new(Trickle(archive.as_bytes(), 0));
        let mut records = Records::new(window, "w".into(), Vec::new(), &Limits::default());
        let found = records.by_ref().map(|item| match item {
            Ok(entity) => {
                let number = entity.origin.message.unwrap();
                format!("{number} {}", entity.declarations[0].value)
            }
            Err(error) => error.to_string(),
        });
        (found.collect(), records.without_html())
    }

    #[test]
    fn url_may_contain_spaces() {
        let first = record("filedesc://x.arc", "", "1 0 Org\nURL IP-address\n");
        for (claim, line, url) in [
            ("version 1", record("http://a/b", "", PAGE), "http://a/b"),
            (
                "version 2",
                record("http://a/b", "200 - - 0 x.arc ", PAGE),
                "http://a/b",
            ),
            (
                "spaces",
                record("http://a/b c d", "", PAGE),
                "http://a/b c d",
            ),
            ("a body alone", record("ftp://a/b", "", "<p>"), "ftp://a/b"),
        ] {
            let expected = (vec![format!("2 {url}")], 1);
            assert_eq!(read(&(first.clone() + &line)), expected, "{claim}");
        }
    }

    #[test]
    fn wrong_length_loses_no_other_record() {
        let archive = record("http://a/", "", PAGE) + &record("http://b/", "", PAGE);
        let length = format!(" {}\n", PAGE.len());
        for wrong in ["1", "90", "9999", "999999999999"] {
            let broken = archive.replacen(&length, &format!(" {wrong}\n"), 1);
            let (found, _) = read(&broken);
            assert_eq!(found.last().unwrap(), "2 http://b/", "{wrong}: {found:?}");
            assert!(found.len() > 1, "{wrong}");
        }
    }

    #[test]
    fn block_without_some_bytes_takes_none_of_the_next_record() {
        let page = PAGE.to_owned() + "\n";
        let sound = record("http://a/", "", &page) + &record("http://b/", "", &page);
        for (claim, archive, is_noted) in [
            ("sound", sound.clone(), false),
            (
                "no last line end",
                sound[..sound.len() - 1].to_owned(),
                false,
            ),
            ("a byte less", sound.replacen("y</a>", "</a>", 1), true),
            ("two bytes less", sound.replacen(">y</a>", "</a>", 1), true),
            ("ten bytes less", sound.replacen("=x>y</a>", "", 1), true),
        ] {
            let window = Window::new(Trickle(archive.as_bytes(), 0));
            let records = Records::new(window, "w".into(), Vec::new(), &Limits::default());
            let notes: Vec<_> = records.map(|entity| entity.unwrap().notes).collect();
            let is_found = !notes[0].is_empty();
            assert_eq!((is_found, notes[1].len()), (is_noted, 0), "{claim}");
        }
    }

    #[test]
    fn archive_truncated_anywhere() {
        let archive = record("http://a/", "", PAGE) + &record("http://b/", "", PAGE);
        for length in 0..archive.len() {
            let (found, _) = read(&archive[..length]);
            assert!(found.len() <= 3, "{length}: {found:?}");
        }
    }
}
