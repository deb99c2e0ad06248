//! Opens inputs: decompresses them, finds their format, and calls its reader.

use std::io;
use std::sync::Arc;

use crate::codings::checksums::checked;
use crate::codings::ends_within_magic;
use crate::codings::layers::{self, Decompressed, is_compressed};
use crate::contents::{Contents, Entities, MemberContents};
use crate::detect::{FormatRow, Formats, HEAD, Holds, OpenContext, corrected};
use crate::format::Format;
use crate::input::buffered::{BufferedInput, SizeBound};
use crate::input::window::{FIRST_READ, Window};
use crate::input::{Input, Reader};
use crate::nesting::Nesting;
#[cfg(feature = "archives")]
use crate::table::EXTENSIONS;
use crate::table::ROWS;
use baseref_document::{
    Declaration, Limits, MarkPlace, Origin, Place, ReadError, ReadErrorKind, Retrieval,
};
use baseref_text::decode::sniff::is_text;

/// How much memory is reserved before the format is known. Most documents are smaller, so that they
/// are not copied while they are read.
const FIRST_RESERVE: usize = 1024 * 1024;

/// The table of formats, with the function that opens files in containers.
pub(crate) static FORMATS: Formats = Formats {
    rows: ROWS,
    #[cfg(feature = "archives")]
    extensions: &EXTENSIONS,
    #[cfg(feature = "archives")]
    open: open_nested,
};

/// Finds the format of an input, decompressing it if necessary, and reads it as one entity or
/// prepares to read its entities one by one.
///
/// # Errors
/// If it cannot be read, or the user named it and it is not text.
pub fn open(input: Input, limits: &Limits) -> Result<Contents, ReadError> {
    let nesting = Nesting::for_input(input.size, limits);
    open_monitored(input, limits, &nesting)
}

/// Like [`open`], with the messages that a mail store has deleted but still holds.
///
/// # Errors
/// As for [`open`].
pub fn open_with_deleted(input: Input, limits: &Limits) -> Result<Contents, ReadError> {
    let nesting = Nesting::for_input(input.size, limits).with_deleted();
    open_monitored(input, limits, &nesting)
}

fn open_monitored(input: Input, limits: &Limits, nesting: &Nesting) -> Result<Contents, ReadError> {
    let name = Arc::clone(&input.name);
    let (input, failure) = input.monitored(nesting.ledger());
    Contents::monitored(open_nested(input, limits, nesting), name, failure)
}

/// Like [`open`], for an input that belongs to a site. A member of a zip knows the
/// [`Package`](crate::Package) that it is a file of, and style sheets and the package documents of
/// EPUBs are read, too.
///
/// Most files of a site are not read. Only for one that is, `declare` is called: what it returns
/// follows the declarations of the input.
///
/// # Errors
/// As for [`open`].
pub fn open_site(
    input: Input,
    limits: &Limits,
    declare: &dyn Fn() -> Vec<Declaration>,
) -> Result<Contents, ReadError> {
    let nesting = Nesting::for_input(input.size, limits).into_site();
    let input = match input.size {
        Some(_) => input,
        None => input.monitored(nesting.ledger()).0,
    };
    open_declared(input, limits, &nesting, declare)
}

/// Whether a file that begins with `head`, up to [`HEAD`] bytes of it, is in a format that is known by its
/// content, or compressed.
#[must_use]
pub fn is_recognised(head: &[u8]) -> bool {
    is_compressed(head)
        || layers::missing_feature(head).is_some()
        || FORMATS.by_content(head).is_some()
}

/// Opens a file attached to a message, `file`, in these containers; `None` if it is in no known
/// format.
#[must_use]
pub fn open_attached(
    input: Input,
    file: Origin,
    limits: &Limits,
    around: &Nesting,
) -> Option<MemberContents> {
    let opened = around
        .check_attachment(&input.name, limits)
        .and_then(|()| open_nested(input, limits, around));
    let entities: Entities = match opened {
        Ok(Contents::Empty) => return None,
        Ok(contents) => contents.into_entities(),
        Err(error) => Box::new(vec![Err(error)].into_iter()),
    };
    Some(MemberContents::new(entities, file))
}

/// Like [`open`], for a file in these containers.
pub(crate) fn open_nested(
    input: Input,
    limits: &Limits,
    nesting: &Nesting,
) -> Result<Contents, ReadError> {
    open_declared(input, limits, nesting, &Vec::new)
}

/// Like [`open_nested`], with the declarations of [`open_site`].
fn open_declared(
    mut input: Input,
    limits: &Limits,
    nesting: &Nesting,
    declare: &dyn Fn() -> Vec<Declaration>,
) -> Result<Contents, ReadError> {
    let nothing = Reader::Stream(Box::new(io::empty()));
    let reader = std::mem::replace(&mut input.reader, nothing);
    let mut buffered = BufferedInput {
        window: window(reader, input.size),
        members: None,
        bound: SizeBound::None,
        size: input.size.map_or(0, |size| size.try_into().unwrap_or(0)),
        named: input.named,
        format: input.format,
        format_of_name: input.format_of_name,
        name: Arc::clone(&input.name),
        declarations: std::mem::take(&mut input.declarations),
    };
    let is_expected = input.is_expected();
    let ctx = OpenContext {
        limits,
        nesting,
        formats: &FORMATS,
    };
    if is_expected {
        reserve(&mut buffered)?;
        buffered.window.fill(FIRST_READ);
    }
    if let Some(feature) = layers::missing_feature(buffered.window.peek(HEAD)) {
        return buffered.not_built_in(feature);
    }
    let is_wanted = buffered.named || buffered.format_of_name.is_some();
    let is_short = ends_within_magic(&buffered.name, buffered.window.peek(HEAD));
    if is_wanted && is_short && !buffered.window.has_failed() {
        return Err(buffered.unread(ReadErrorKind::Damaged, "is cut off within its first bytes"));
    }
    if !is_compressed(buffered.window.peek(HEAD)) {
        return open_decompressed(buffered, Vec::new(), is_expected, &ctx, declare);
    }
    let Decompressed {
        window,
        members,
        layers,
        damage,
    } = Decompressed::open(buffered.window, &input.name, limits, nesting)?;
    let outermost = layers.first().cloned();
    let bound = outermost.map(|facts| SizeBound::Inflated(facts, *limits));
    let buffered = BufferedInput {
        window,
        members,
        bound: bound.unwrap_or(SizeBound::None),
        size: 0,
        ..buffered
    };
    let contents = open_decompressed(buffered, damage, is_expected, &ctx, declare)?;
    let checked = |contents, facts| checked(contents, Arc::clone(&input.name), facts, 0..u64::MAX);
    Ok(layers.into_iter().rev().fold(contents, checked))
}

/// The window on an input of that size.
fn window(reader: Reader, size: Option<u64>) -> Window<Reader> {
    // Of a file that it makes up while it is read, the system says that it is empty.
    let size = size.filter(|size| *size > 0 && matches!(reader, Reader::File(_)));
    Window::appending(reader, Reader::append).ending_at(size)
}

/// Opens an input that is decompressed, and reports the damage before its first byte.
fn open_decompressed(
    mut input: BufferedInput,
    mut damage: Vec<io::Error>,
    is_expected: bool,
    ctx: &OpenContext<'_>,
    declare: &dyn Fn() -> Vec<Declaration>,
) -> Result<Contents, ReadError> {
    if input.window.peek(HEAD).is_empty() {
        damage.extend(input.window.take_failure());
    }
    let errors = damage.into_iter().map(|failure| input.failed(failure));
    let errors: Vec<ReadError> = errors.collect();
    if !errors.is_empty() && input.window.rest(0).is_empty() {
        let errors: Vec<_> = errors.into_iter().map(Err).collect();
        return Ok(Contents::from_container(errors.into_iter()));
    }
    let Some(row) = detect(&mut input, ctx)? else {
        return Ok(Contents::Empty);
    };
    if let Some(feature) = row.format.missing_feature() {
        return input.not_built_in(feature);
    }
    input.declarations.extend(declare());
    if !row.is_one_document() {
        ctx.nesting.check_collection(&input.name, ctx.limits)?;
        for_collection(&mut input.declarations);
    }
    if !is_expected {
        reserve(&mut input)?;
    }
    input.window.fill(FIRST_READ);
    let contents = (row.read)(input, ctx)?;
    Ok(contents.preceded_by(errors))
}

/// The row of the format of an input; `None` if the input is to be skipped.
fn detect(
    input: &mut BufferedInput,
    ctx: &OpenContext<'_>,
) -> Result<Option<&'static FormatRow>, ReadError> {
    let head = input.window.peek(HEAD);
    let by_content = ctx.formats.by_content(head);
    let by_name = input
        .format_of_name
        .and_then(|format| ctx.formats.row(format));
    if by_content.is_none() && by_name.is_some_and(|row| row.magic.is_longer_than(head)) {
        return Err(input.unread(ReadErrorKind::Damaged, "is cut off within its first bytes"));
    }
    input.format_of_name = corrected(input.format_of_name, head);
    let chosen = ctx.formats.choose(by_content, input.format_of_name);
    let found = input.format.or(chosen);
    let row = found.and_then(|format| ctx.formats.row(format));
    let may_be_text =
        row.is_none_or(|row| matches!(row.holds, Holds::Document(_) | Holds::StyleSheet));
    // The choice of the user takes precedence over the content.
    if may_be_text && input.format.is_none() && by_content.is_none() && !is_text(head) {
        return if input.named || input.format_of_name.is_some() {
            Err(input.unread(ReadErrorKind::Format, "not text"))
        } else {
            Ok(None)
        };
    }
    Ok(row.or_else(|| ctx.formats.row(Format::Html).filter(|_| input.named)))
}

/// Reserves memory for the beginning of an input, before it is read.
fn reserve(input: &mut BufferedInput) -> Result<(), ReadError> {
    let reserved = input.window.reserve(input.size.min(FIRST_RESERVE));
    reserved.map_err(|_| input.unread(ReadErrorKind::Limit, "there is no memory for it"))
}

/// Adapts the declarations of a file to a collection: what lies next to it is not a mark of the
/// documents in it.
pub(crate) fn for_collection(declarations: &mut [Declaration]) {
    for declaration in declarations {
        if let Place::Retrieval(Retrieval::Mark { at, .. }) = &mut declaration.at
            && *at == MarkPlace::Beside
        {
            *at = MarkPlace::BesideCollection;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;
    use crate::codings::gzip::tests::gzip;
    use crate::entity::{Entity, EntityKind};

    /// The contents of an input with that name: the kind and the bytes of each entity, or the
    /// error.
    fn entities(
        name: &str,
        bytes: Vec<u8>,
        limits: &Limits,
    ) -> Vec<Result<(EntityKind, String), String>> {
        let input = Input {
            name: name.into(),
            format_of_name: Format::from_name(name.as_ref()),
            reader: Reader::Stream(Box::new(io::Cursor::new(bytes))),
            size: None,
            format: None,
            named: true,
            declarations: Vec::new(),
        };
        let shown = |entity: Entity| {
            let text = String::from_utf8(entity.bytes).unwrap();
            (entity.kind, text)
        };
        match open(input, limits) {
            Ok(Contents::Single(entity)) => vec![Ok(shown(entity))],
            Ok(Contents::Multiple(entities)) => entities
                .map(|entity| entity.map(shown).map_err(|error| error.to_string()))
                .collect(),
            Ok(Contents::Empty) => Vec::new(),
            Err(error) => vec![Err(error.to_string())],
        }
    }

    /// What is read of a file that was found, without a name that tells its format.
    fn entities_of_found(bytes: Vec<u8>) -> Vec<Result<Entity, ReadError>> {
        let input = Input {
            name: "a".into(),
            format_of_name: None,
            reader: Reader::Stream(Box::new(io::Cursor::new(bytes))),
            size: None,
            format: None,
            named: false,
            declarations: Vec::new(),
        };
        let contents = open(input, &Limits::default()).expect("it can be read");
        contents.into_entities().collect()
    }

    const MESSAGE: EntityKind = EntityKind::Message { unquote: false };

    /// A stream that counts the bytes read.
    struct Counting(io::Cursor<Vec<u8>>, Arc<AtomicUsize>);

    impl io::Read for Counting {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let read = self.0.read(buffer)?;
            self.1.fetch_add(read, Ordering::Relaxed);
            Ok(read)
        }
    }

    #[test]
    fn only_unrecognised_files_are_left_unread() {
        for (begin, is_read) in [
            ("\u{89}PNG\r\n", false),
            ("let a;", false),
            ("", false),
            ("<!DOCTYPE html><p>", true),
        ] {
            let found = entities_of_found(begin.as_bytes().to_vec());
            assert_eq!(!found.is_empty(), is_read, "{begin}");
            assert_eq!(is_recognised(begin.as_bytes()), is_read, "{begin}");
        }
        assert!(is_recognised(&gzip(b"<p>")));
    }

    #[test]
    fn unrecognised_file_is_read_only_up_to_its_head() {
        const LENGTH: usize = 4 * FIRST_READ;
        for (name, begin, read) in [
            ("a.png", "\u{89}PNG\r\n", HEAD),
            ("a.js", "let a;", HEAD),
            ("a", "<!DOCTYPE html>", LENGTH),
            ("a.html", "let a;", LENGTH),
        ] {
            let mut bytes = begin.as_bytes().to_vec();
            bytes.resize(LENGTH, b' ');
            let counted = Arc::new(AtomicUsize::new(0));
            let stream = Counting(io::Cursor::new(bytes), Arc::clone(&counted));
            let input = Input {
                name: name.into(),
                format_of_name: Format::from_name(name.as_ref()),
                reader: Reader::Stream(Box::new(stream)),
                size: None,
                format: None,
                named: false,
                declarations: Vec::new(),
            };
            let opened = open_site(input, &Limits::default(), &Vec::new).unwrap();
            assert_eq!(
                matches!(opened, Contents::Single(_)),
                read == LENGTH,
                "{name}"
            );
            assert_eq!(counted.load(Ordering::Relaxed), read, "{name}");
        }
    }

    #[test]
    fn file_that_is_cut_off_within_its_first_bytes_is_an_error() {
        let limits = Limits::default();
        for (name, bytes) in [
            ("a.msg", &b"\xD0\xCF"[..]),
            ("a.zim", b"ZI"),
            ("a.html.gz", b"\x1F\x8B"),
            ("a.html.xz", b""),
        ] {
            let found = entities(name, bytes.to_vec(), &limits);
            let [Err(error)] = &found[..] else {
                panic!("{name}: {found:?}");
            };
            assert!(
                error.ends_with("is cut off within its first bytes"),
                "{error}"
            );
        }
    }

    #[test]
    fn compressed_file_is_read_like_its_content() {
        let mail = "From: a\nTo: b\nSubject: c\n\nd";
        let mailbox = format!("From a@b Fri Jan 27 10:00:00 2017\n{mail}\n\n");
        let limits = Limits::default();
        for (name, text, kind, inner) in [
            ("a", "<p>x", EntityKind::Html, "<p>x"),
            ("a", mail, MESSAGE, mail),
            (
                "a",
                &mailbox,
                EntityKind::Message { unquote: true },
                &mailbox[34..mailbox.len() - 1],
            ),
            ("a.eml.gz", "x", MESSAGE, "x"),
        ] {
            let bytes = gzip(text.as_bytes());
            assert_eq!(
                entities(name, bytes.clone(), &limits),
                [Ok((kind, inner.to_owned()))]
            );
            let short = bytes[..bytes.len() - 9].to_vec();
            let partial = entities(name, short, &limits);
            let told = |found: &Result<_, String>| {
                found
                    .as_ref()
                    .is_err_and(|error| error.ends_with("is cut off"))
            };
            assert!(partial.iter().any(Result::is_ok) && partial.iter().any(told));
        }
    }

    #[test]
    fn gzip_in_gzip_shares_a_limit() {
        let mailbox = "From a@b Fri Jan 27 10:00:00 2017\nFrom: a\nTo: b\n\nd\n";
        let layers =
            |text: &str, number| (0..number).fold(text.into(), |bytes: Vec<u8>, _| gzip(&bytes));
        let limits = Limits::default();
        for number in 1..=limits.nesting {
            let page = entities("a.gz", layers("<p>x", number), &limits);
            assert_eq!(page, [Ok((EntityKind::Html, "<p>x".to_owned()))]);
            let mail = entities("a", layers(mailbox, number), &limits);
            let kind = EntityKind::Message { unquote: true };
            assert_eq!(
                mail,
                [Ok((kind, mailbox[34..mailbox.len() - 1].to_owned()))]
            );
        }
        let error = "a: is compressed more than 4 times over and is not read".to_owned();
        let more = layers("<p>x", limits.nesting + 1);
        assert_eq!(entities("a", more, &limits), [Err(error)]);

        let limits = limits.with_inflated(1000).with_inflation(10);
        let error = "its layers of gzip expand to too much for its size: the rest is not read";
        let bomb = layers(&mailbox.repeat(1000), 2);
        let found = entities("a", bomb, &limits);
        assert!(
            found
                .iter()
                .any(|found| found.as_ref().is_err_and(|told| told.ends_with(error))),
            "{found:?}"
        );
        assert!(found.len() < 1000);
    }

    #[test]
    fn file_damaged_at_its_start_is_read_after_the_damage() {
        let mut bytes = gzip(b"<p>lost");
        bytes[10] ^= 0x55;
        let bytes = [bytes, gzip(b"<p>x")].concat();
        let found = entities("a", bytes, &Limits::default());
        let [Err(error), Ok((EntityKind::Html, text))] = &found[..] else {
            panic!("{found:?}");
        };
        assert!(
            error.starts_with("a: the gzip member at byte 0 is corrupt"),
            "{error}"
        );
        assert_eq!(text, "<p>x");
    }

    #[test]
    fn inflated_size_is_limited() {
        let limits = Limits::default().with_message(1000);
        let bomb = gzip(&[b"<p>".as_slice(), &b" ".repeat(100_000)].concat());
        assert_eq!(
            entities("a", bomb, &limits),
            [Err(
                "a: is larger than 1000 bytes and is not read".to_owned()
            )]
        );
    }

    #[cfg(feature = "archives")]
    #[test]
    fn compound_file_is_read_if_message_or_named_so() {
        const DOC: &[u8] = include_bytes!("../../../fixtures/outlook/no-message.doc");
        const MSG: &[u8] = include_bytes!("../../../fixtures/outlook/link-in-a-field.msg");
        let damaged = &MSG[..1000];
        // Whether it is read as a message, rejected or skipped.
        let opened = |name: &str, named: bool, bytes: &'static [u8], stream: bool| {
            let cursor = io::Cursor::new(bytes);
            let input = Input {
                name: name.into(),
                format_of_name: Format::from_name(name.as_ref()),
                reader: if stream {
                    Reader::Stream(Box::new(cursor))
                } else {
                    Reader::Seekable(Box::new(cursor))
                },
                size: None,
                format: None,
                named,
                declarations: Vec::new(),
            };
            match open(input, &Limits::default()) {
                Ok(Contents::Single(entity)) => {
                    assert!(entity.kind == EntityKind::Outlook && entity.bytes == bytes);
                    "message"
                }
                Ok(Contents::Multiple(_)) => "entities",
                Ok(Contents::Empty) => "nothing",
                Err(_) => "refused",
            }
        };
        for stream in [false, true] {
            for (name, named, bytes, outcome) in [
                ("a", false, MSG, "message"),
                ("a", true, MSG, "message"),
                ("a.doc", false, DOC, "nothing"),
                ("a.doc", true, DOC, "refused"),
                ("a.html", false, DOC, "refused"),
                ("a", false, damaged, "nothing"),
                // The reader of messages reports the damage.
                ("a.msg", false, damaged, "message"),
            ] {
                assert_eq!(
                    opened(name, named, bytes, stream),
                    outcome,
                    "{name} {named}"
                );
            }
        }
    }

    #[cfg(feature = "archives")]
    #[test]
    fn damaged_containers_of_mail_give_what_is_left() {
        const GRAPH: &[u8] =
            br#"{"value":[{"bodyPreview":"x","body":{"contentType":"html","content":"<p>"}},
            {"body":{"content":"y"},"attachments":[{"name":"a","contentBytes":"PHA+"}]}]}"#;
        const GMAIL: &[u8] = br#"[{"threadId":"1","raw":"RnJvbTogYQoKYg"},{"threadId":"2","payload":
            {"mimeType":"multipart/mixed","parts":[{"mimeType":"text/html","body":{"data":"PHA-"}}]}}]"#;
        const OLM: &[u8] =
            include_bytes!("../../../fixtures/packed/messages-and-their-files-are-read.olm");
        const TAR: &[u8] = include_bytes!("../../../fixtures/packed/mails.tar");
        const TAR_BZ2: &[u8] = include_bytes!("../../../fixtures/packed/mails.tar.bz2");
        const TAR_XZ: &[u8] = include_bytes!("../../../fixtures/packed/mails.tar.xz");
        // A simple generator: the same bytes are damaged in every run.
        let mut seed = 1_u64;
        let mut random = |most: usize| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            usize::try_from(seed >> 33).unwrap() % most
        };
        for (name, bytes) in [
            ("a.json", GRAPH),
            ("a.json", GMAIL),
            ("a.olm", OLM),
            ("a.tar", TAR),
            ("a.tar.bz2", TAR_BZ2),
            ("a.tar.xz", TAR_XZ),
        ] {
            for _ in 0..300 {
                let mut damaged = bytes.to_vec();
                for _ in 0..4 {
                    let at = random(damaged.len());
                    damaged[at] = u8::try_from(random(256)).unwrap();
                }
                damaged.truncate(bytes.len() - random(bytes.len()) / 4);
                let input = Input {
                    name: name.into(),
                    format_of_name: Format::from_name(name.as_ref()),
                    reader: Reader::Seekable(Box::new(io::Cursor::new(damaged))),
                    size: None,
                    format: None,
                    named: true,
                    declarations: Vec::new(),
                };
                if let Ok(contents) = open(input, &Limits::default()) {
                    let found = contents.into_entities().take(1000).count();
                    assert!(found < 100, "{name}");
                }
            }
        }
    }

    #[test]
    fn emlx_message_ends_at_its_length() {
        let limits = Limits::default();
        for (text, found) in [
            ("3\nA: \n<plist>", vec![Ok((MESSAGE, "A: ".to_owned()))]),
            ("0   \r\n", vec![Ok((MESSAGE, String::new()))]),
            (
                "9\nA: ",
                vec![
                    Err("a.emlx: the message is cut off after 3 of 9 bytes".to_owned()),
                    Ok((MESSAGE, "A: ".to_owned())),
                ],
            ),
            (
                "99999999999\nA: ",
                vec![Err(
                    "a.emlx: is larger than 536870912 bytes and is not read".to_owned(),
                )],
            ),
            (
                "A: b",
                vec![Err(
                    "a.emlx: does not begin with the length of a message".to_owned()
                )],
            ),
            (
                "",
                vec![Err(
                    "a.emlx: does not begin with the length of a message".to_owned()
                )],
            ),
        ] {
            assert_eq!(entities("a.emlx", text.into(), &limits), found, "{text}");
        }
    }
}
