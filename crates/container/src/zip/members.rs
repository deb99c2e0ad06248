//! The members of a zip as entities.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::io::{BufReader, Cursor, Read};
use std::path::Path;
use std::sync::Arc;

use memchr::memmem;
use zip::read::ZipFile;
use zip::{CompressionMethod, ZipReadOptions};

use super::directory::Directory;
use super::record::{self, Record};
use super::{encryption, root, single_file};
use crate::codings::gzip;
use crate::contents::{Container, Contents, MemberContents, in_file};
use crate::detect::{Formats, OpenContext, corrected};
use crate::entity::{Entity, EntityKind};
use crate::format::Format;
use crate::input::section::{Section, Shared};
use crate::input::{Input, Reader};
use crate::nesting::Nesting;
use crate::package::{Package, with_slashes};
use baseref_document::{
    Declaration, Limits, Note, NoteCode, Origin, Place, ReadError, ReadErrorKind, Retrieval,
    Skipped, Work,
};
use baseref_resolve::segment::push_segment;
use baseref_text::decode::sniff::HEAD;
use baseref_text::decode::source::Markup;

/// The maximum total size of all members, as a multiple of the archive's size, unless
/// [`Limits::inflated`] is more: real text is seldom compressed to a tenth.
const EXPANSION: u64 = 100;

/// The multiple for one member, which is read into memory.
const EXPANSION_OF_ONE: u64 = 64;

/// The member of an EPUB that names its package documents.
const CONTAINER: &str = "META-INF/container.xml";

/// The media type of an EPUB.
pub(super) const EPUB: &[u8] = b"application/epub+zip";

/// The members of a zip, in the order of its directory.
pub(super) struct Members {
    directory: Directory,
    reader: BufReader<Section>,
    shared: Shared,
    size: u64,
    input: Arc<str>,
    declarations: Vec<Declaration>,
    limits: Limits,
    /// The containers around the members: this zip, and those that it is in.
    nesting: Nesting,
    formats: &'static Formats,
    /// How many bytes a member may have.
    most: usize,
    /// For each member, whether it shares bytes with an earlier one.
    sharing: Vec<bool>,
    /// How many members were not read for that, and the name of the first.
    unread: Option<(u64, String)>,
    /// Whether it is an EPUB, whose pages are XHTML whatever their names.
    is_epub: bool,
    /// The records of pages, by the names of the pages' members.
    records: BTreeMap<String, Record>,
    /// The zip as a tree of files, if it is read as a site.
    package: Option<Arc<Package>>,
    /// If the user gave the zip an address, the folder that has it, with a trailing slash.
    root: Option<Box<str>>,
    /// The members of an EPUB that are encrypted, which can only be linked to.
    encrypted: BTreeSet<String>,
    next: usize,
    skipped: Skipped,
    /// Entities and errors found but not yet returned.
    ready: VecDeque<Result<Entity, ReadError>>,
    /// The container member being read.
    inside: Option<MemberContents>,
}

/// What a member turns out to be.
enum Seen {
    /// A page, to be read by these rules.
    Page(Markup),
    /// A style sheet.
    StyleSheet,
    /// Something else that may hold pages or messages.
    File,
    /// Something that is not read.
    Nothing,
}

/// A decompressed member.
struct Unpacked {
    bytes: Vec<u8>,
    /// Why there are no more bytes.
    fault: Option<String>,
    /// The bytes are complete but do not match their checksum.
    is_changed: bool,
}

/// Why a member could not be read: the kind of error, the details.
type Reason = (ReadErrorKind, String);

/// What could not be read: where, the kind of error, the details.
type Fault = (Origin, ReadErrorKind, String);

impl Members {
    /// The members of the zip in `shared`, with the user's declarations about it.
    ///
    /// # Errors
    /// If it has no readable directory.
    pub fn new(
        shared: Shared,
        input: Arc<str>,
        declarations: Vec<Declaration>,
        ctx: &OpenContext<'_>,
    ) -> Result<Self, ReadError> {
        let limits = ctx.limits;
        let unread = |kind: ReadErrorKind, reason: String| {
            ReadError::new(kind, Origin::of_input(Arc::clone(&input)), reason)
        };
        let size = shared.size();
        let size =
            size.map_err(|error| unread(ReadErrorKind::Io, error.to_string()).caused_by(error))?;
        let reader = BufReader::new(shared.section(0..size));
        let (directory, reader) = Directory::read(reader).map_err(|error| {
            let reason = format!("cannot be read as a zip: {error}");
            unread(ReadErrorKind::Damaged, reason)
        })?;
        let free = limits.inflated as u64;
        let most = size.saturating_mul(EXPANSION_OF_ONE).max(free);
        let most = usize::try_from(most).unwrap_or(usize::MAX);
        let mut members = Self {
            sharing: directory.sharing(),
            directory,
            reader,
            shared,
            size,
            input,
            declarations,
            limits: limits.clone(),
            nesting: ctx.nesting.inside(size.saturating_mul(EXPANSION).max(free)),
            formats: ctx.formats,
            most: most.min(limits.message),
            unread: None,
            is_epub: false,
            records: BTreeMap::new(),
            package: None,
            encrypted: BTreeSet::new(),
            root: None,
            next: 0,
            skipped: Skipped::default(),
            ready: VecDeque::new(),
            inside: None,
        };
        members.is_epub = members.says_epub();
        members.read_records();
        let mut declarations = members.declarations.iter();
        if declarations.any(|declared| is_of_zip(declared, &members.input)) {
            members.root = Some(members.as_package().root);
        }
        if members.nesting.is_site() {
            members.encrypted = members.encrypted();
            members.package = Some(Arc::new(members.as_package()));
        }
        Ok(members)
    }

    /// The zip as a tree of files.
    fn as_package(&self) -> Package {
        let names = (0..self.directory.len()).filter_map(|number| self.directory.name(number).ok());
        let files = names.map(|name| with_slashes(&name));
        let recorded = self.records.iter().filter_map(|(name, record)| {
            let url = record.url.as_ref()?;
            Some((with_slashes(name), (&*url.value).into()))
        });
        let mut package = Package {
            is_epub: self.is_epub,
            files: files.filter(|name| !name.ends_with('/')).collect(),
            recorded: recorded.collect(),
            ..Package::default()
        };
        // The root of an EPUB is that of its container (EPUB 3.3 §4.2.5).
        if !package.is_epub {
            root::find_root(&mut package);
        }
        package
    }

    /// Whether the first member is `mimetype` (EPUB 3.3 §4.2.7.1), or one names package documents:
    /// a book whose `mimetype` is elsewhere, or has a line break too many, is still a book.
    fn says_epub(&mut self) -> bool {
        let is_first = self.directory.name(0).is_ok_and(|name| name == "mimetype");
        let says = is_first
            && self
                .unpack(0, EPUB.len())
                .is_ok_and(|member| member.bytes == EPUB);
        let mut all = 0..self.directory.len();
        says || all.any(|number| {
            let name = self.directory.name(number);
            name.is_ok_and(|name| name == CONTAINER)
        })
    }

    /// The members of an EPUB that are encrypted, as its list of them says.
    fn encrypted(&mut self) -> BTreeSet<String> {
        let is_list = |number: &usize| {
            let name = self.directory.name(*number);
            name.is_ok_and(|name| name == encryption::LIST)
        };
        let list = (0..self.directory.len()).filter(|_| self.is_epub);
        let Some(number) = list.into_iter().find(is_list) else {
            return BTreeSet::new();
        };
        match self.unpack(number, record::LONGEST) {
            Ok(list) => encryption::members(&list.bytes),
            Err(_) => BTreeSet::new(),
        }
    }

    /// Reads every record of a page in advance, since it may come after its page. One that cannot
    /// be read is reported in its turn.
    fn read_records(&mut self) {
        for number in 0..self.directory.len() {
            if self.shares(number) {
                continue;
            }
            let Ok(name) = self.directory.name(number) else {
                continue;
            };
            let Some((directory, read)) = record::reader_of(&name) else {
                continue;
            };
            let member = self.unpack(number, record::LONGEST);
            if let Some(record) = member.ok().and_then(|member| read(&member.bytes)) {
                record::insert(&mut self.records, directory, record);
            }
        }
    }

    fn shares(&self, number: usize) -> bool {
        self.sharing.get(number).is_some_and(|shares| *shares)
    }

    /// Counts a member that is not read because it shares bytes with an earlier one.
    fn leave(&mut self, name: &str) {
        let (count, _) = self.unread.get_or_insert_with(|| (0, name.to_owned()));
        *count += 1;
    }

    /// The error about the members that are not read because they share bytes with others.
    fn left(&mut self) -> Option<ReadError> {
        let (count, first) = self.unread.take()?;
        let reason = if count == 1 {
            format!("{first} shares its bytes with another member and is not read")
        } else {
            format!("{count} members share their bytes with others and are not read, {first} first")
        };
        let origin = Origin::of_input(Arc::clone(&self.input));
        Some(ReadError::new(ReadErrorKind::Limit, origin, reason))
    }

    /// Opens a member for decompression.
    fn open(&mut self, number: usize) -> Result<ZipFile<'_, BufReader<Section>>, Reason> {
        let entry = self.directory.entry(number);
        entry
            .and_then(|entry| entry.with_reader(&mut self.reader, ZipReadOptions::new()))
            .map_err(|error| (ReadErrorKind::Damaged, error.to_string()))
    }

    /// Decompresses the first `limit` bytes of a member.
    fn unpack(&mut self, number: usize, limit: usize) -> Result<Unpacked, Reason> {
        let ledger = self.nesting.ledger().clone();
        let bound = ledger
            .left(Work::Inflated)
            .saturating_add(1)
            .min(limit as u64);
        let mut member = self.open(number)?;
        let mut bytes = Vec::new();
        let fault = member.by_ref().take(bound).read_to_end(&mut bytes).err();
        let is_whole = bytes.len() as u64 == member.size();
        if ledger.draw(Work::Inflated, bytes.len() as u64).is_err() {
            let reason = format!(
                "the members expand to more than {EXPANSION} times the zip: it is not read"
            );
            return Err((ReadErrorKind::Limit, reason));
        }
        Ok(Unpacked {
            bytes,
            is_changed: is_whole && fault.is_some(),
            fault: fault.filter(|_| !is_whole).map(|error| error.to_string()),
        })
    }

    /// Decompresses all of a member, if it is not too large.
    fn unpack_whole(&mut self, number: usize) -> Result<Unpacked, Reason> {
        let limit = self.most;
        let member = self.unpack(number, limit.saturating_add(1))?;
        if member.bytes.len() > limit {
            let reason = format!("is larger than {limit} bytes and is not read");
            return Err((ReadErrorKind::Limit, reason));
        }
        Ok(member)
    }

    /// Reads a member, if it can hold pages or messages.
    fn member(&mut self, number: usize) -> Result<(), Fault> {
        let mut origin = Origin::of_input(Arc::clone(&self.input));
        let name = self.directory.name(number).map_err(|error| {
            let reason = format!("member {}: {error}", number + 1);
            (origin.clone(), ReadErrorKind::Damaged, reason)
        })?;
        if name.ends_with('/') {
            return Ok(());
        }
        origin.member = Some(Arc::new(name.clone()));
        let told = |(kind, reason)| (origin.clone(), kind, reason);
        let of_name = self.formats.by_name(&name);
        let record = self.records.get(&name).cloned();
        let is_page = record.is_some() || self.markup(of_name).is_some();
        // The first bytes of a page need not be decompressed twice.
        let shares = self.shares(number);
        if self.encrypted.contains(&name) {
            self.skipped.count_member(&name);
            return Ok(());
        }
        let mut member = if is_page && !shares {
            self.unpack_whole(number).map_err(told)?
        } else {
            self.unpack(number, HEAD).map_err(told)?
        };
        match self.seen(&member.bytes, &name, record.is_some()) {
            Seen::Nothing => self.skipped.count_member(&name),
            _ if shares => self.leave(&name),
            Seen::Page(markup) => {
                if !is_page {
                    member = self.unpack_whole(number).map_err(told)?;
                }
                let kind = (EntityKind::Html, markup);
                self.page(origin, member, kind, record.unwrap_or_default());
            }
            Seen::StyleSheet => {
                let member = self.unpack_whole(number).map_err(told)?;
                let kind = (EntityKind::StyleSheet, Markup::Html);
                self.page(origin, member, kind, Record::default());
            }
            Seen::File => {
                let reader = self.reader_of(number, &origin).map_err(told)?;
                self.file(origin, reader, of_name);
            }
        }
        Ok(())
    }

    /// What a member is, judging by its first bytes and name.
    fn seen(&self, bytes: &[u8], name: &str, is_recorded: bool) -> Seen {
        let head = &bytes[..bytes.len().min(HEAD)];
        let formats = self.formats;
        let of_name = corrected(formats.by_name(name), head);
        if head.starts_with(gzip::MAGIC) || single_file::is_packed(head) {
            return Seen::File;
        }
        match formats.choose(formats.by_content(head), of_name) {
            _ if is_recorded => Seen::Page(self.markup(of_name).unwrap_or_default()),
            Some(Format::Css) if self.package.is_some() => Seen::StyleSheet,
            None if self.is_of_book(name, head) => Seen::Page(Markup::Xml),
            Some(Format::Css) | None => Seen::Nothing,
            // Many other formats are zip files inside.
            Some(Format::Zip) if of_name != Some(Format::Zip) => Seen::Nothing,
            format => match self.markup(format) {
                Some(_) if self.is_epub && of_name.is_some() => Seen::Page(Markup::Xml),
                Some(markup) => Seen::Page(markup),
                None => Seen::File,
            },
        }
    }

    fn markup(&self, format: Option<Format>) -> Option<Markup> {
        format.and_then(|format| self.formats.markup(format))
    }

    /// The user's declarations about a member: if the zip has an address, that of the member is below
    /// it.
    fn declared(&self, origin: &Origin) -> Vec<Declaration> {
        let name = origin.member.as_ref().map_or("", |name| name.as_str());
        let name = with_slashes(name);
        let below = |declared: &Declaration| {
            let root = self
                .root
                .as_deref()
                .filter(|_| is_of_zip(declared, &self.input))?;
            let mut url = declared.value.trim_end_matches('/').to_owned();
            for name in name.strip_prefix(root)?.split('/') {
                url.push('/');
                push_segment(name.as_bytes(), &mut url);
            }
            Some(Declaration {
                value: url.into(),
                at: declared.at.clone(),
            })
        };
        let around = self.declarations.iter();
        around
            .map(|declared| below(declared).unwrap_or_else(|| declared.clone()))
            .collect()
    }

    /// Whether a member refers to files of an EPUB though it is no page: its package document, a
    /// navigation document of EPUB 2, a media overlay, the index of a dictionary, or what META-INF
    /// says of them.
    fn is_of_book(&self, name: &str, head: &[u8]) -> bool {
        let ends = |end: &str| {
            let at = name.len().wrapping_sub(end.len());
            name.get(at..)
                .is_some_and(|found| found.eq_ignore_ascii_case(end))
        };
        let lists = ends(".opf") || ends(".ncx") || ends(".smil");
        let is_index = || ends(".xml") && memmem::find(head, b"<search-key-map").is_some();
        let is_of_container = matches!(name, encryption::LIST | CONTAINER);
        self.is_epub && self.package.is_some() && (lists || is_of_container || is_index())
    }

    fn page(
        &mut self,
        origin: Origin,
        member: Unpacked,
        (kind, markup): (EntityKind, Markup),
        record: Record,
    ) {
        if let Some(fault) = member.fault {
            let reason = format!("cannot be unpacked to its end: {fault}");
            let error = ReadError::new(ReadErrorKind::Damaged, origin.clone(), reason);
            self.ready.push_back(Err(error));
        }
        let changed = member.is_changed.then(|| Note {
            code: NoteCode::Checksum,
            detail: "does not match its stored checksum".to_owned(),
            line: None,
        });
        let declarations = record.url.into_iter();
        let around = self.declared(&origin);
        self.ready.push_back(Ok(Entity {
            kind,
            markup,
            package: self.package.clone(),
            charset: record.charset,
            declarations: declarations.chain(around).collect(),
            date: record.date,
            notes: record.note.into_iter().chain(changed).collect(),
            ..Entity::html(origin, member.bytes)
        }));
    }

    /// A reader of a member that is a file of its own: in place if uncompressed, else decompressed.
    fn reader_of(&mut self, number: usize, origin: &Origin) -> Result<(Reader, u64), Reason> {
        let member = self.open(number)?;
        let size = member.compressed_size();
        let is_stored = member.compression() == CompressionMethod::Stored && !member.encrypted();
        if let Some(start) = member.data_start().filter(|_| is_stored) {
            drop(member);
            let size = size.min(self.size.saturating_sub(start));
            let section = self.shared.section(start..start.saturating_add(size));
            let metered = self.nesting.metered(section);
            return Ok((Reader::Seekable(Box::new(metered)), size));
        }
        drop(member);
        let member = self.unpack_whole(number)?;
        if let Some(fault) = member.fault {
            let reason = format!("cannot be unpacked to its end: {fault}");
            let error = ReadError::new(ReadErrorKind::Damaged, origin.clone(), reason);
            self.ready.push_back(Err(error));
        }
        let size = member.bytes.len() as u64;
        Ok((Reader::Seekable(Box::new(Cursor::new(member.bytes))), size))
    }

    /// Opens a member as a file of its own.
    fn file(&mut self, origin: Origin, (reader, size): (Reader, u64), of_name: Option<Format>) {
        let input = Input {
            name: Arc::clone(&self.input),
            reader,
            size: Some(size),
            format: None,
            format_of_name: of_name,
            named: false,
            declarations: self.declarations.clone(),
        };
        match (self.formats.open)(input, &self.limits, &self.nesting) {
            Ok(Contents::Single(entity)) => self.ready.push_back(in_file(Ok(entity), &origin)),
            Ok(Contents::Multiple(entities)) => {
                self.inside = Some(MemberContents::new(entities, origin));
            }
            Ok(Contents::Empty) => {
                self.skipped
                    .count_member(origin.member.as_ref().map_or("", |name| name.as_str()));
            }
            Err(error) => self.ready.push_back(in_file(Err(error), &origin)),
        }
    }
}

/// Whether the user gave the zip itself an address, rather than a directory that it is in.
fn is_of_zip(declared: &Declaration, input: &str) -> bool {
    let Place::Retrieval(Retrieval::UrlMap(mapped)) = &declared.at else {
        return false;
    };
    Path::new(&**mapped).file_name() == Path::new(input).file_name()
}

impl Iterator for Members {
    type Item = Result<Entity, ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(found) = self.ready.pop_front() {
                return Some(found);
            }
            if let Some(inside) = &mut self.inside {
                if let Some(found) = inside.next() {
                    return Some(found);
                }
                self.skipped.add(&inside.skipped());
                self.inside = None;
            } else if self.next < self.directory.len() {
                let number = self.next;
                self.next += 1;
                if let Err((origin, kind, reason)) = self.member(number) {
                    return Some(Err(ReadError::new(kind, origin, reason)));
                }
            } else {
                return self.left().map(Err);
            }
        }
    }
}

impl Container for Members {
    fn skipped(&self) -> Skipped {
        self.skipped.clone()
    }
}
