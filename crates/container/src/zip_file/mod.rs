//! Pages and containers in a zip: pages with a record of where each came from, as in the Mozilla
//! Archive Format (`.maff`) and `SingleFile`; web archives with their companions (WACZ); or a plain
//! zip.
//!
//! Members are decompressed only into memory, one at a time. An uncompressed member is read in
//! place.

mod encryption;
mod overlap;
mod record;
mod root;

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::io::{BufReader, Cursor, Read};
use std::path::Path;
use std::sync::Arc;

use memchr::memmem;
use zip::read::{Config, OwnedZipFileEntry, ZipArchiveMetadata, ZipFile, ZipFileEntry};
use zip::result::{ZipError, ZipResult};
use zip::unstable::read::ZipIterable;
use zip::{CompressionMethod, ZipArchive, ZipReadOptions};

use self::record::Record;
use super::budget::{Budget, Charged};
use super::detect::Format;
use super::input::{Container, Input, Opened, Reader};
use super::nested::{Inside, Opener, place};
use super::nesting::Nesting;
use super::package::{Package, with_slashes};
use super::section::{Section, Shared};
use super::{gzip, single_file};
use crate::entity::{Entity, Kind};
use baseref_document::{
    Declaration, Limits, Note, NoteCode, Origin, Place, ReadError, ReadErrorKind, Retrieval,
    Skipped,
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
const EPUB: &[u8] = b"application/epub+zip";

/// The members of a zip, in the order of its directory.
pub(super) struct Members {
    directory: Directory,
    reader: BufReader<Section>,
    shared: Shared,
    size: u64,
    input: Arc<str>,
    declarations: Vec<Declaration>,
    limits: Limits,
    nesting: Nesting,
    open: Opener,
    /// How many more bytes may be decompressed.
    budget: Budget,
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
    inside: Option<Inside>,
}

/// The directory of a zip.
enum Directory {
    /// All names are distinct.
    Named(Arc<ZipArchiveMetadata>),
    /// Some names are repeated.
    Repeated(Vec<OwnedZipFileEntry>),
}

impl Directory {
    fn read(reader: BufReader<Section>) -> ZipResult<(Self, BufReader<Section>)> {
        let archive = ZipArchive::new(reader)?;
        let named = archive.metadata();
        if !named.has_duplicate_names() {
            return Ok((Self::Named(named), archive.into_inner()));
        }
        let mut members = ZipIterable::try_new(archive.into_inner(), Config::default())?;
        let all = members.files()?.map(|entry| entry.map(Into::into));
        let all = all.collect::<ZipResult<_>>()?;
        // The reader cannot be recovered.
        let reader = members.files()?.reader_mut().get_ref().again();
        Ok((Self::Repeated(all), BufReader::new(reader)))
    }

    fn len(&self) -> usize {
        match self {
            Self::Named(members) => members.len(),
            Self::Repeated(members) => members.len(),
        }
    }

    fn entry(&self, number: usize) -> ZipResult<ZipFileEntry<'_>> {
        match self {
            Self::Named(members) => members.entry(number),
            Self::Repeated(members) => members
                .get(number)
                .map(OwnedZipFileEntry::as_ref)
                .ok_or(ZipError::FileNotFound),
        }
    }

    /// For each member, whether it shares bytes with an earlier one.
    fn sharing(&self) -> Vec<bool> {
        overlap::sharing((0..self.len()).map(|number| {
            let entry = self.entry(number).ok()?;
            Some((entry.header_start(), entry.compressed_size()))
        }))
    }

    fn name(&self, number: usize) -> ZipResult<String> {
        let entry = self.entry(number)?;
        entry.name().map(std::borrow::Cow::into_owned)
    }
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
        limits: &Limits,
        nesting: &Nesting,
        open: Opener,
    ) -> Result<Self, ReadError> {
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
        let (nesting, budget) = nesting.inner(size.saturating_mul(EXPANSION).max(free));
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
            nesting,
            open,
            budget,
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
        if members.nesting.is_of_site() {
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
        let budget = self.budget.clone();
        let bound = budget.left().saturating_add(1).min(limit as u64);
        let mut member = self.open(number)?;
        let mut bytes = Vec::new();
        let fault = member.by_ref().take(bound).read_to_end(&mut bytes).err();
        let is_whole = bytes.len() as u64 == member.size();
        if !budget.take(bytes.len() as u64) {
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
        let of_name = Format::of_name(name.as_ref());
        let record = self.records.get(&name).cloned();
        let is_page = record.is_some() || of_name.is_some_and(|format| format.markup().is_some());
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
                let kind = (Kind::Html, markup);
                self.page(origin, member, kind, record.unwrap_or_default());
            }
            Seen::StyleSheet => {
                let member = self.unpack_whole(number).map_err(told)?;
                let kind = (Kind::StyleSheet, Markup::Html);
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
        let of_name = Format::suggested(Format::of_name(name.as_ref()), head);
        if head.starts_with(gzip::MAGIC) || single_file::is_packed(head) {
            return Seen::File;
        }
        match Format::of_both(Format::of_content(head), of_name) {
            _ if is_recorded => Seen::Page(of_name.and_then(Format::markup).unwrap_or_default()),
            Some(Format::Css) if self.package.is_some() => Seen::StyleSheet,
            None if self.is_of_book(name, head) => Seen::Page(Markup::Xml),
            Some(Format::Css) | None => Seen::Nothing,
            // Many other formats are zip files inside.
            Some(Format::Zip) if of_name != Some(Format::Zip) => Seen::Nothing,
            Some(format) => match format.markup() {
                Some(_) if self.is_epub && of_name.is_some() => Seen::Page(Markup::Xml),
                Some(markup) => Seen::Page(markup),
                None => Seen::File,
            },
        }
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
        (kind, markup): (Kind, Markup),
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
            let charged = Charged::new(section, self.budget.clone());
            return Ok((Reader::Seekable(Box::new(charged)), size));
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
        match (self.open)(input, &self.limits, &self.nesting) {
            Ok(Opened::One(entity)) => self.ready.push_back(place(Ok(entity), &origin)),
            Ok(Opened::Many(entities)) => self.inside = Some(Inside::new(entities, origin)),
            Ok(Opened::Nothing) => {
                self.skipped
                    .count_member(origin.member.as_ref().map_or("", |name| name.as_str()));
            }
            Err(error) => self.ready.push_back(place(Err(error), &origin)),
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

#[cfg(test)]
pub(super) mod tests {
    use std::io::{Cursor, Write};

    use zip::write::SimpleFileOptions;
    use zip::{CompressionMethod, ZipWriter};

    use super::*;
    use crate::gzip::tests::gzip;
    use crate::opening::{self, open_in};

    pub(super) const RDF: &str = r#"<?xml version="1.0"?>
        <RDF:RDF xmlns:MAF="http://maf.mozdev.org/metadata/rdf#"
                 xmlns:RDF="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
          <RDF:Description RDF:about="urn:root">
            <MAF:originalurl RDF:resource="http://example.org/a?b&amp;c"/>
            <MAF:indexfilename RDF:resource="page.htm"/>
            <MAF:charset RDF:resource="KOI8-R"/>
          </RDF:Description>
        </RDF:RDF>"#;

    fn zip(members: &[(&str, &str)]) -> Vec<u8> {
        let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
        for (number, (name, text)) in members.iter().enumerate() {
            let method = [CompressionMethod::Deflated, CompressionMethod::Stored][number % 2];
            let options = SimpleFileOptions::default().compression_method(method);
            writer.start_file(*name, options).unwrap();
            writer.write_all(text.as_bytes()).unwrap();
        }
        writer.finish().unwrap().into_inner()
    }

    fn read(bytes: &[u8], limits: &Limits) -> (Vec<Result<String, String>>, u64) {
        let reader = Reader::Seekable(Box::new(Cursor::new(bytes.to_vec())));
        let (shared, nesting) = (Shared::new(reader), Nesting::default());
        let pages = Members::new(shared, "z".into(), Vec::new(), limits, &nesting, open_in);
        let mut pages = match pages {
            Ok(pages) => pages,
            Err(error) => return (vec![Err(error.to_string())], 0),
        };
        let found = pages.by_ref().map(|item| match item {
            Ok(entity) => {
                let url = entity.declarations.first().map_or("-", |by| &by.value);
                let charset = entity.charset.as_deref().unwrap_or("-");
                let notes = entity.notes.iter().map(|note| note.code.as_str());
                let line = format!("{} {url} {charset}", entity.origin);
                Ok([line.as_str()]
                    .into_iter()
                    .chain(notes)
                    .collect::<Vec<_>>()
                    .join(" "))
            }
            Err(error) => Err(error.to_string()),
        });
        (found.collect(), pages.without_html())
    }

    #[test]
    fn an_index_says_where_its_page_came_from() {
        let bytes = zip(&[
            ("1/page.htm", "x"),
            ("1/frame.html", "x"),
            ("1/index.rdf", RDF),
            ("1/a.png", "x"),
            ("2/index.rdf", &RDF.replace("page.htm", "")),
            ("2/index.html", "x"),
            ("3/index.html", "x"),
            ("3/no-index.rdf", RDF),
            ("4/page?x=1", "<!DOCTYPE html>"),
        ]);
        let expected = [
            "z!1/page.htm http://example.org/a?b&c KOI8-R",
            "z!1/frame.html - -",
            "z!2/index.html http://example.org/a?b&c KOI8-R",
            "z!3/index.html - -",
            "z!4/page?x=1 - -",
        ];
        let expected = expected.iter().map(|&line| Ok(line.to_owned())).collect();
        assert_eq!(read(&bytes, &Limits::default()), (expected, 4));
    }

    #[test]
    fn a_damaged_member_costs_no_other_one() {
        let text = "<p>".repeat(1000);
        let whole = zip(&[("a.html", &text), ("b.html", &text), ("c.html", "x")]);
        let place = |text: &str| {
            let mut windows = whole.windows(text.len());
            windows
                .position(|window| window == text.as_bytes())
                .unwrap()
        };
        // In compressed data.
        let mut bytes = whole.clone();
        bytes[place("a.html") + 10..][..4].fill(0xFF);
        let (found, _) = read(&bytes, &Limits::default());
        let [Err(told), Ok(_), Ok(_), Ok(_)] = &found[..] else {
            panic!("{found:?}");
        };
        assert!(told.starts_with("z!a.html: cannot be unpacked to its end: "));
        // In uncompressed data.
        let mut bytes = whole.clone();
        bytes[place(&text) + 5] = b'x';
        let (found, _) = read(&bytes, &Limits::default());
        let noted = Ok("z!b.html - - checksum".to_owned());
        assert_eq!((found.len(), &found[1]), (3, &noted));
    }

    #[test]
    fn members_of_one_name_are_read_each() {
        let mut bytes = zip(&[("a.html", "<p>1"), ("b.html", "<p>2"), ("c.html", "<p>3")]);
        for at in 0..bytes.len() - 6 {
            if bytes[at..].starts_with(b"b.html") {
                bytes[at] = b'a';
            }
        }
        let reader = Reader::Seekable(Box::new(Cursor::new(bytes)));
        let (shared, nesting) = (Shared::new(reader), Nesting::default());
        let limits = Limits::default();
        let members = Members::new(shared, "z".into(), Vec::new(), &limits, &nesting, open_in);
        let texts = members.unwrap().map(|found| {
            let entity = found.unwrap();
            (
                entity.origin.to_string(),
                String::from_utf8(entity.bytes).unwrap(),
            )
        });
        let texts: Vec<_> = texts.collect();
        let expected = [
            ("z!a.html", "<p>1"),
            ("z!a.html", "<p>2"),
            ("z!c.html", "<p>3"),
        ];
        assert_eq!(
            texts,
            expected.map(|(doc, text)| (doc.to_owned(), text.to_owned()))
        );
    }

    #[test]
    fn what_is_unpacked_is_bounded() {
        let limits = Limits::default().message(10_000);
        let bytes = zip(&[("a.html", &" ".repeat(100_000)), ("b.html", "x")]);
        let told = "z!a.html: is larger than 10000 bytes and is not read".to_owned();
        let expected = (vec![Err(told), Ok("z!b.html - -".to_owned())], 0);
        assert_eq!(read(&bytes, &limits), expected);

        let blank = " ".repeat(1_000_000);
        let names: Vec<String> = (0..20).map(|number| format!("{number}.html")).collect();
        let texts = [blank.as_str(), ""].into_iter().cycle();
        let members: Vec<(&str, &str)> = names.iter().map(String::as_str).zip(texts).collect();
        let limits = Limits::default().inflated(2_000_000);
        let (found, _) = read(&zip(&members), &limits);
        let told = found.iter().filter(|item| item.is_err()).count();
        assert_eq!((told > 5, found.len()), (true, 20), "{found:?}");
        // Nothing is damaged, whichever limit it is.
        let reader = Reader::Seekable(Box::new(Cursor::new(zip(&members))));
        let (shared, nesting) = (Shared::new(reader), Nesting::default());
        let limits = limits.message(1_500_000);
        let pages = Members::new(shared, "z".into(), Vec::new(), &limits, &nesting, open_in);
        let mut errors = pages.unwrap().filter_map(Result::err);
        assert!(errors.all(|error| error.kind == ReadErrorKind::Limit));

        let limits = Limits::default().inflated(1000);
        let bytes = zip(&[("a.html", &blank), ("b.html", "x")]);
        let told = format!(
            "z!a.html: is larger than {} bytes and is not read",
            bytes.len() * 64
        );
        let expected = (vec![Err(told), Ok("z!b.html - -".to_owned())], 0);
        assert_eq!(read(&bytes, &limits), expected);
    }

    #[test]
    fn bytes_that_members_share_are_read_once() {
        let whole = zip(&[("a.html", "x"), ("b.css", "y"), ("c.html", "z")]);
        let end = whole.len() - 22;
        let offset = u32::from_le_bytes(whole[end + 16..end + 20].try_into().unwrap());
        let (before, directory) = whole[..end].split_at(usize::try_from(offset).unwrap());
        let count: u16 = 9;
        let mut bytes = [before, &directory.repeat(3), &whole[end..]].concat();
        let end = bytes.len() - 22;
        bytes[end + 8..end + 10].copy_from_slice(&count.to_le_bytes());
        bytes[end + 10..end + 12].copy_from_slice(&count.to_le_bytes());
        let size = u32::try_from(directory.len() * 3).unwrap();
        bytes[end + 12..end + 16].copy_from_slice(&size.to_le_bytes());
        let told = "z: 4 members share their bytes with others and are not read, a.html first";
        let expected = vec![
            Ok("z!a.html - -".to_owned()),
            Ok("z!c.html - -".to_owned()),
            Err(told.to_owned()),
        ];
        assert_eq!(read(&bytes, &Limits::default()).0, expected);
    }

    #[test]
    fn a_zip_can_be_cut_off_or_wrong_anywhere() {
        let whole = zip(&[("1/page.htm", "x"), ("1/index.rdf", RDF), ("b", "<p>")]);
        for at in 0..whole.len() {
            assert!(!read(&whole[..at], &Limits::default()).0.is_empty());
            let mut bytes = whole.clone();
            bytes[at] ^= 0xFF;
            read(&bytes, &Limits::default());
        }
        assert_eq!(read(&zip(&[]), &Limits::default()), (vec![], 0));
    }

    /// The documents in an input of that name, each with its first declaration, and the errors.
    fn opened(name: &str, bytes: Vec<u8>, limits: &Limits) -> Vec<String> {
        opened_as(true, name, bytes, limits)
    }

    /// Opens one that the user named or that was found in a directory.
    fn opened_as(named: bool, name: &str, bytes: Vec<u8>, limits: &Limits) -> Vec<String> {
        let input = Input {
            name: name.into(),
            reader: Reader::Seekable(Box::new(Cursor::new(bytes))),
            size: None,
            format: None,
            format_of_name: Format::of_name(name.as_ref()),
            named,
            declarations: Vec::new(),
        };
        let entities = match opening::open(input, limits) {
            Ok(Opened::Many(entities)) => entities,
            Ok(Opened::One(entity)) => Box::new(vec![Ok(entity)].into_iter()),
            Ok(Opened::Nothing) => Box::new(Vec::new().into_iter()),
            Err(error) => Box::new(vec![Err(error)].into_iter()),
        };
        let shown = entities.map(|found| match found {
            Err(error) => error.to_string(),
            Ok(entity) => {
                let url = entity.declarations.first();
                let url = url.map_or_else(String::new, |by| format!(" {}", by.value));
                format!("{}{url}", entity.origin)
            }
        });
        shown.collect()
    }

    const PAGE: &str = "<a href=x>y</a>";

    fn warc() -> String {
        let response = format!("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n{PAGE}");
        let length = response.len();
        format!(
            "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://a/\r\n\
             Content-Length: {length}\r\n\r\n{response}\r\n\r\n"
        )
    }

    /// A zip of members that need not be text, alternately compressed and stored.
    fn packed(members: &[(&str, &[u8])]) -> Vec<u8> {
        let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
        for (number, (name, bytes)) in members.iter().enumerate() {
            let method = [CompressionMethod::Deflated, CompressionMethod::Stored][number % 2];
            let options = SimpleFileOptions::default().compression_method(method);
            writer.start_file(*name, options).unwrap();
            writer.write_all(bytes).unwrap();
        }
        writer.finish().unwrap().into_inner()
    }

    #[test]
    fn a_zip_that_is_met_is_read_if_its_name_says_what_is_in_it() {
        let book = packed(&[("mimetype", EPUB), ("c.html", PAGE.as_bytes())]);
        for (name, pages) in [("a.epub", 1), ("a.EPUB", 1), ("a.zip", 1), ("a.docx", 0)] {
            let found = opened_as(false, name, book.clone(), &Limits::default());
            assert_eq!(found.len(), pages, "{name}: {found:?}");
        }
    }

    #[test]
    fn a_member_is_opened_as_what_it_is() {
        let mail = "From: a@b\nTo: c@d\nSubject: e\nContent-Type: text/html\n\n<a href=x>";
        let mailbox = format!("From a@b Fri Jan 27 10:00:00 2017\n{mail}\n\n").repeat(2);
        let warc = gzip(warc().as_bytes());
        let page = gzip(PAGE.as_bytes());
        let har = r#"{"log":{"entries":[{"request":{"url":"http://h/"},
            "response":{"content":{"mimeType":"text/html","text":"<p>"}}}]}}"#;
        let members: [(&str, &[u8]); 9] = [
            ("m.eml", mail.as_bytes()),
            ("m", mail.as_bytes()),
            ("b.mbox", mailbox.as_bytes()),
            ("b", mailbox.as_bytes()),
            ("archive/data.warc.gz", &warc),
            ("w", &warc),
            ("p.html.gz", &page),
            ("h.har", har.as_bytes()),
            ("a.css", b"a { b: url(c) }"),
        ];
        let lines = [
            "z!m.eml",
            "z!m",
            "z!b.mbox#1",
            "z!b.mbox#2",
            "z!b#1",
            "z!b#2",
            "z!archive/data.warc.gz#1 http://a/",
            "z!w#1 http://a/",
            "z!p.html.gz",
            "z!h.har#1 http://h/",
        ];
        assert_eq!(opened("z", packed(&members), &Limits::default()), lines);
    }

    #[test]
    fn containers_in_each_other_are_read_as_deep_as_the_limit_says() {
        let limits = Limits::default();
        let mut bytes = packed(&[("w.warc", warc().as_bytes()), ("p.html", PAGE.as_bytes())]);
        let mut way = String::new();
        for depth in 2..=limits.nesting + 1 {
            let found = opened("z", bytes.clone(), &limits);
            let expected = if depth <= limits.nesting {
                format!("z{way}!w.warc#1 http://a/")
            } else {
                format!("z{way}!w.warc: is nested in 4 containers: what is in it is not read")
            };
            assert_eq!(found, [expected, format!("z{way}!p.html")]);
            // The second of two members is stored uncompressed.
            bytes = packed(&[("x", b""), ("i.zip", &bytes)]);
            way.insert_str(0, "!i.zip");
        }
        let told = "is nested in 4 containers: what is in it is not read";
        assert_eq!(opened("z", bytes, &limits), [format!("z{way}: {told}")]);
    }

    #[test]
    fn all_that_is_unpacked_in_a_zip_has_one_bound() {
        let limits = Limits::default().inflated(1_000_000);
        let blank = [&warc().into_bytes()[..], &b"\n".repeat(600_000)].concat();
        let inner = packed(&[("b.warc.gz", &gzip(&blank)), ("c.warc.gz", &gzip(&blank))]);
        let found = opened(
            "z",
            packed(&[("a.zip", &inner), ("i.zip", &inner)]),
            &limits,
        );
        assert_eq!(found[0], "z!a.zip!b.warc.gz#1 http://a/");
        let reason = "the containers around it expand to too much for their size";
        assert!(found.iter().any(|line| line.contains(reason)), "{found:?}");
    }

    #[test]
    fn a_page_that_is_packed_in_a_page_is_read_in_its_place() {
        let manifest = r#"{"originalUrl":"http://o/","indexFilename":"index.html"}"#;
        let zip = packed(&[
            ("index.html", PAGE.as_bytes()),
            ("manifest.json", manifest.as_bytes()),
        ]);
        let begin = "<!DOCTYPE html> <html data-sfz><a href=loader><!--".as_bytes();
        let page = [begin, &zip, b"--></html>"].concat();
        let limits = Limits::default();
        assert_eq!(
            opened("p", page.clone(), &limits),
            ["p!index.html http://o/"]
        );
        let outer = packed(&[("p.html", &page)]);
        assert_eq!(
            opened("z", outer, &limits),
            ["z!p.html!index.html http://o/"]
        );
        assert_eq!(opened("p", begin.to_vec(), &limits), ["p"]);
        let damaged = [begin, b"PK\x05\x06"].concat();
        let found = opened("p", damaged, &limits);
        assert!(
            found[0].starts_with("p: cannot be read as a zip: "),
            "{found:?}"
        );
        assert_eq!(found[1], "p");
    }
}
