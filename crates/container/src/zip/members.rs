//! The members of a zip as entities.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::io::{self, BufReader, Cursor, Read};
use std::num::NonZeroU64;
use std::sync::Arc;

use memchr::memmem;
use zip::read::ZipFile;
use zip::result::{ZipError, ZipResult};
use zip::{CompressionMethod, ZipReadOptions};

use super::directory::Directory;
use super::record::{self, Record};
use super::{encryption, olm, root, single_file};
use crate::archives::har_bodies::{self, BodyError};
use crate::codings::gzip;
use crate::codings::layers::is_compressed;
use crate::contents::{Container, Contents, MemberContents, in_file};
use crate::detect::{Formats, OpenContext, corrected};
use crate::entity::{Entity, EntityKind};
use crate::format::Format;
use crate::input::section::{Section, Shared};
use crate::input::{Input, Reader};
use crate::mail::mime::{Content, Header, Part};
use crate::member_url::{declared_below, is_of_container};
use crate::nesting::Nesting;
use crate::package::{Package, with_slashes};
use baseref_document::{
    Declaration, Limits, Note, NoteCode, Origin, ReadError, ReadErrorKind, Skipped, Work,
};
use baseref_text::decode::sniff::HEAD;
use baseref_text::decode::source::Markup;

/// The maximum total size of all members, as a multiple of the size of the zip, unless
/// [`Limits::inflated`] is more. Real text is rarely compressed to less than a tenth.
const EXPANSION: u64 = 100;

/// The maximum size of one member, which is read into memory, as a multiple of the size of the zip.
const MEMBER_EXPANSION: u64 = 64;

/// What is wrong with a member whose bytes are all there.
const MISMATCH: &str = "does not match its stored checksum";

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
    /// The maximum size of a member in bytes.
    max_size: usize,
    /// For each member, whether it shares bytes with an earlier one.
    sharing: Vec<bool>,
    /// The number of members skipped because they share bytes, and the name of the first.
    skipped_sharing: Option<(u64, String)>,
    /// Whether it is an EPUB, in which all pages are XHTML.
    is_epub: bool,
    /// The records of pages, by the names of the members with the pages.
    records: BTreeMap<String, Record>,
    /// The zip as a package, if it is read as a site.
    package: Option<Arc<Package>>,
    /// The folder that has the URL which the user gave the zip, with a trailing slash.
    root: Option<Box<str>>,
    /// The members that are bodies of a HAR in the zip.
    bodies: BTreeMap<String, usize>,
    /// The encrypted members of an EPUB, which cannot be read but can be linked to.
    encrypted: BTreeSet<String>,
    /// The paths of the members of an archive of Outlook for Mac, with their numbers.
    olm: Option<BTreeMap<Box<str>, usize>>,
    /// The files attached to messages of that archive, which are read with their message; those that
    /// no message names come last.
    late: VecDeque<usize>,
    /// Those that have been read with a message.
    attached: BTreeSet<usize>,
    next: usize,
    skipped: Skipped,
    /// Entities and errors found but not yet returned.
    ready: VecDeque<Result<Entity, ReadError>>,
    /// The container member being read.
    inside: Option<MemberContents>,
}

/// What the first bytes and the name of a member show.
enum MemberKind {
    /// A page in this markup.
    Page(Markup),
    /// A style sheet.
    StyleSheet,
    /// Another file that may hold pages or messages.
    File,
    /// A file that is not read.
    Nothing,
}

/// A decompressed member.
struct Inflated {
    bytes: Vec<u8>,
    /// The reason why it could not be decompressed to its end.
    fault: Option<String>,
    /// Whether the bytes are complete but do not match their checksum.
    is_changed: bool,
}

impl Inflated {
    /// What is wrong with it, as the rest of a sentence about the member.
    fn damage(&self) -> Option<String> {
        let mismatch = self.is_changed.then(|| MISMATCH.to_owned());
        self.fault.clone().or(mismatch)
    }
}

/// Why a member cannot be read.
enum MemberError {
    /// It is damaged.
    Damaged(ZipError),
    /// It has more bytes than this.
    TooLarge(usize),
    /// The ledger of the input is used up.
    LedgerSpent,
    /// It takes a password to read it.
    Encrypted,
}

impl From<ZipError> for MemberError {
    fn from(error: ZipError) -> Self {
        match error {
            ZipError::UnsupportedArchive(ZipError::PASSWORD_REQUIRED) => Self::Encrypted,
            error => Self::Damaged(error),
        }
    }
}

impl MemberError {
    /// The error to report for the member at that origin.
    fn at(self, origin: &Origin) -> ReadError {
        let (kind, reason) = match self {
            Self::Damaged(error) => (ReadErrorKind::Damaged, error.to_string()),
            Self::Encrypted => (
                ReadErrorKind::Encrypted,
                "takes a password and is not read".to_owned(),
            ),
            Self::TooLarge(limit) => (
                ReadErrorKind::Limit,
                format!("is larger than {limit} bytes and is not read"),
            ),
            Self::LedgerSpent => (
                ReadErrorKind::Limit,
                format!(
                    "the members expand to more than {EXPANSION} times the zip: it is not read"
                ),
            ),
        };
        ReadError::new(kind, origin.clone(), reason)
    }
}

/// The reader of a member that is opened as a file, and the size of that file.
struct MemberFile {
    reader: Reader,
    size: u64,
}

impl Members {
    /// The members of the zip in `shared`, with the declarations of the user about it.
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
            ReadError::new(kind, Origin::new(Arc::clone(&input)), reason)
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
        let max_size = size.saturating_mul(MEMBER_EXPANSION).max(free);
        let max_size = usize::try_from(max_size).unwrap_or(usize::MAX);
        let mut members = Self {
            sharing: directory.sharing(),
            directory,
            reader,
            shared,
            size,
            input,
            declarations,
            limits: *limits,
            nesting: ctx.nesting.inside(size.saturating_mul(EXPANSION).max(free)),
            formats: ctx.formats,
            max_size: max_size.min(limits.message),
            skipped_sharing: None,
            is_epub: false,
            records: BTreeMap::new(),
            package: None,
            bodies: BTreeMap::new(),
            encrypted: BTreeSet::new(),
            root: None,
            olm: None,
            late: VecDeque::new(),
            attached: BTreeSet::new(),
            next: 0,
            skipped: Skipped::default(),
            ready: VecDeque::new(),
            inside: None,
        };
        members.is_epub = members.detect_epub();
        members.olm = members.olm_paths();
        members.read_records();
        members.bodies = members.bodies_of_har();
        let mut declarations = members.declarations.iter();
        if declarations.any(|declared| is_of_container(declared, &members.input)) {
            members.root = Some(members.to_package().root);
        }
        if members.nesting.is_site() {
            members.encrypted = members.encrypted();
            members.package = Some(Arc::new(members.to_package()));
        }
        Ok(members)
    }

    /// The zip as a tree of files.
    fn to_package(&self) -> Package {
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
        // In an EPUB, the root of the container is the root (EPUB 3.3 §4.2.5).
        if !package.is_epub {
            root::find_root(&mut package);
        }
        package
    }

    /// Whether it is an EPUB: the first member is `mimetype` (EPUB 3.3 §4.2.7.1), or a member lists
    /// the package documents. Some books have their `mimetype` elsewhere, or with an extra line
    /// break.
    fn detect_epub(&mut self) -> bool {
        let is_first = self.directory.name(0).is_ok_and(|name| name == "mimetype");
        let says = is_first
            && self
                .inflate(0, EPUB.len())
                .is_ok_and(|member| member.bytes == EPUB);
        let mut all = 0..self.directory.len();
        says || all.any(|number| {
            let name = self.directory.name(number);
            name.is_ok_and(|name| name == CONTAINER)
        })
    }

    /// The paths of all members, if it is an archive of Outlook for Mac.
    fn olm_paths(&self) -> Option<BTreeMap<Box<str>, usize>> {
        let numbers = 0..self.directory.len();
        let names = numbers.filter_map(|number| Some((self.directory.name(number).ok()?, number)));
        let paths: BTreeMap<Box<str>, usize> = names
            .map(|(name, number)| (with_slashes(&name), number))
            .collect();
        let is_olm = paths.keys().any(|path| olm::is_of_olm(path));
        is_olm.then_some(paths)
    }

    /// Reads the messages in a member of an archive of Outlook for Mac.
    fn olm_messages(&mut self, number: usize, origin: &Origin) -> Result<(), MemberError> {
        let member = self.inflate_whole(number)?;
        let (emails, fault) = olm::emails(&member.bytes);
        let is_only = emails.len() == 1;
        for (index, email) in emails.into_iter().enumerate() {
            let message = NonZeroU64::new(index as u64 + 1).filter(|_| !is_only);
            let at = origin.clone().with_message(message);
            let mut files = Vec::new();
            for file in &email.files {
                match self.olm_file(file, &at) {
                    Ok(part) => files.push(part),
                    Err(error) => self.ready.push_back(Err(error.at(&at))),
                }
            }
            let entity = match email.into_message(files) {
                olm::Message::Parts(part) => part.into_entity(at),
                olm::Message::Received(bytes) => Entity {
                    offset: None,
                    ..Entity::message(at, bytes)
                },
            };
            self.ready.push_back(Ok(Entity {
                declarations: self.declarations.clone(),
                nesting: self.nesting.clone(),
                ..entity
            }));
        }
        self.damaged_by(fault, origin);
        self.damaged_by(member.damage(), origin);
        Ok(())
    }

    fn damaged_by(&mut self, fault: Option<String>, origin: &Origin) {
        let error =
            fault.map(|fault| ReadError::new(ReadErrorKind::Damaged, origin.clone(), fault));
        self.ready.extend(error.map(Err));
    }

    /// Whether a member is a file attached to a message of that archive.
    fn is_attached(&self, number: usize) -> bool {
        let name = self.directory.name(number).unwrap_or_default();
        self.olm.is_some() && olm::Kind::from_path(&with_slashes(&name)) == olm::Kind::Attachment
    }

    /// A file attached to a message of that archive; one that is in no member is empty.
    fn olm_file(&mut self, file: &olm::File, message: &Origin) -> Result<Part, MemberError> {
        let path = file.path.trim_start_matches('/');
        let number = self.olm.as_ref().and_then(|paths| paths.get(path)).copied();
        let bytes = match number.filter(|number| !self.shares(*number)) {
            Some(number) => {
                self.attached.insert(number);
                let member = self.inflate_whole(number)?;
                let damage = member.damage().map(|damage| format!("{path} {damage}"));
                self.damaged_by(damage, message);
                member.bytes
            }
            None => Vec::new(),
        };
        let mut header = Header::default();
        header.push_file(&file.media_type, &file.name);
        let id = file.content_id.trim_matches(['<', '>']);
        if !id.is_empty() {
            header.push("Content-ID", &format!("<{id}>"));
        }
        Ok(Part {
            header,
            content: Content::Body(bytes),
        })
    }

    /// The members that the list of an EPUB says are encrypted.
    fn encrypted(&mut self) -> BTreeSet<String> {
        let is_list = |number: &usize| {
            let name = self.directory.name(*number);
            name.is_ok_and(|name| name == encryption::LIST)
        };
        let list = (0..self.directory.len()).filter(|_| self.is_epub);
        let Some(number) = list.into_iter().find(is_list) else {
            return BTreeSet::new();
        };
        match self.inflate(number, record::LONGEST) {
            Ok(list) => encryption::members(&list.bytes),
            Err(_) => BTreeSet::new(),
        }
    }

    /// Reads every record of a page in advance, since it may come after its page. One that cannot
    /// be read is reported when its member is reached.
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
            let Ok(member) = self.inflate(number, record::LONGEST) else {
                continue;
            };
            if let Some(record) = read(&member.bytes) {
                record::insert(&mut self.records, directory, record);
            }
            let fault = member.fault.as_deref();
            let fault = fault.or(member.is_changed.then_some(MISMATCH));
            if let Some(fault) = fault {
                // A page without its record has no base, and perhaps another name.
                let mut origin = Origin::new(Arc::clone(&self.input));
                origin.member = Some(Arc::new(name));
                let error = ReadError::new(ReadErrorKind::Damaged, origin, fault);
                self.ready.push_back(Err(error));
            }
        }
    }

    /// The members that a HAR in the root of the zip refers to, by name.
    fn bodies_of_har(&mut self) -> BTreeMap<String, usize> {
        let is_har = |number: &usize| {
            let name = self.directory.name(*number);
            name.is_ok_and(|name| {
                !name.contains('/') && name.to_ascii_lowercase().ends_with(".har")
            })
        };
        let hars: Vec<usize> = (0..self.directory.len()).filter(is_har).collect();
        let mut names = BTreeSet::new();
        for number in hars {
            if let Ok(har) = self.inflate_whole(number) {
                names.extend(har_bodies::names(&har.bytes));
            }
        }
        let all = (0..self.directory.len()).filter(|_| !names.is_empty());
        let members = all.filter_map(|number| {
            let name = self.directory.name(number).ok()?;
            names.contains(&name).then_some((name, number))
        });
        members.collect()
    }

    /// The member that is the body of an entry of a HAR.
    fn body(&mut self, name: &str) -> Result<Vec<u8>, BodyError> {
        let number = *self.bodies.get(name).ok_or(BodyError::NotRead)?;
        let member = self.inflate_whole(number).ok();
        let whole = member.filter(|member| member.fault.is_none());
        whole.map(|member| member.bytes).ok_or(BodyError::NotRead)
    }

    fn shares(&self, number: usize) -> bool {
        self.sharing.get(number).is_some_and(|shares| *shares)
    }

    /// Counts a member that is skipped because it shares bytes with an earlier one.
    fn skip_sharing(&mut self, name: &str) {
        let (count, _) = self
            .skipped_sharing
            .get_or_insert_with(|| (0, name.to_owned()));
        *count += 1;
    }

    /// The error about the members that are skipped because they share bytes with others.
    fn sharing_error(&mut self) -> Option<ReadError> {
        let (count, first) = self.skipped_sharing.take()?;
        let reason = if count == 1 {
            format!("{first} shares its bytes with another member and is not read")
        } else {
            format!("{count} members share their bytes with others and are not read, {first} first")
        };
        let origin = Origin::new(Arc::clone(&self.input));
        Some(ReadError::new(ReadErrorKind::Limit, origin, reason))
    }

    /// Opens a member for decompression.
    fn open(&mut self, number: usize) -> ZipResult<ZipFile<'_, BufReader<Section>>> {
        let entry = self.directory.entry(number);
        entry.and_then(|entry| entry.with_reader(&mut self.reader, ZipReadOptions::new()))
    }

    /// Decompresses the first `limit` bytes of a member.
    fn inflate(&mut self, number: usize, limit: usize) -> Result<Inflated, MemberError> {
        let ledger = self.nesting.ledger().clone();
        let bound = ledger
            .left(Work::Inflated)
            .saturating_add(1)
            .min(limit as u64);
        let mut member = self.open(number).map_err(MemberError::from)?;
        let mut bytes = Vec::new();
        let fault = member.by_ref().take(bound).read_to_end(&mut bytes).err();
        let is_whole = bytes.len() as u64 == member.size();
        if ledger.draw(Work::Inflated, bytes.len() as u64).is_err() {
            return Err(MemberError::LedgerSpent);
        }
        Ok(Inflated {
            bytes,
            is_changed: is_whole && fault.is_some(),
            fault: fault.filter(|_| !is_whole).map(|error| error.to_string()),
        })
    }

    /// Decompresses a whole member, if it is not too large.
    fn inflate_whole(&mut self, number: usize) -> Result<Inflated, MemberError> {
        let limit = self.max_size;
        let member = self.inflate(number, limit.saturating_add(1))?;
        if member.bytes.len() > limit {
            return Err(MemberError::TooLarge(limit));
        }
        Ok(member)
    }

    /// Reads a member, if it can hold pages or messages.
    fn member(&mut self, number: usize) -> Result<(), ReadError> {
        let mut origin = Origin::new(Arc::clone(&self.input));
        let name = self.directory.name(number).map_err(|error| {
            let reason = format!("member {}: {error}", number + 1);
            ReadError::new(ReadErrorKind::Damaged, origin.clone(), reason)
        })?;
        if name.ends_with('/') {
            return Ok(());
        }
        origin.member = Some(Arc::new(name.clone()));
        if self.olm.is_some() && olm::Kind::from_path(&with_slashes(&name)) == olm::Kind::Messages {
            let read = self.olm_messages(number, &origin);
            return read.map_err(|error| error.at(&origin));
        }
        let of_name = self.formats.by_name(&name);
        let record = self.records.get(&name).cloned();
        let is_page = record.is_some() || self.markup(of_name).is_some();
        // A page is decompressed at once, so that its first bytes are not decompressed twice.
        let shares = self.shares(number);
        if self.bodies.contains_key(&name) {
            return Ok(());
        }
        if self.encrypted.contains(&name) {
            self.skipped.count_member(&name);
            return Ok(());
        }
        let mut member = if is_page && !shares {
            self.inflate_whole(number)
                .map_err(|error| error.at(&origin))?
        } else {
            self.inflate(number, HEAD)
                .map_err(|error| error.at(&origin))?
        };
        match self.classify(&member.bytes, &name, record.is_some()) {
            MemberKind::Nothing => self.skipped.count_member(&name),
            _ if shares => self.skip_sharing(&name),
            MemberKind::Page(markup) => {
                if !is_page {
                    member = self
                        .inflate_whole(number)
                        .map_err(|error| error.at(&origin))?;
                }
                self.page(
                    origin,
                    member,
                    EntityKind::Html,
                    markup,
                    record.unwrap_or_default(),
                );
            }
            MemberKind::StyleSheet => {
                let member = self
                    .inflate_whole(number)
                    .map_err(|error| error.at(&origin))?;
                let kind = EntityKind::StyleSheet;
                self.page(origin, member, kind, Markup::Html, Record::default());
            }
            MemberKind::File => {
                let file = self
                    .member_file(number, &origin)
                    .map_err(|error| error.at(&origin))?;
                self.file(origin, file, of_name);
            }
        }
        Ok(())
    }

    /// Classifies a member by its first bytes and its name.
    fn classify(&self, bytes: &[u8], name: &str, is_recorded: bool) -> MemberKind {
        let head = &bytes[..bytes.len().min(HEAD)];
        let formats = self.formats;
        let of_name = corrected(formats.by_name(name), head);
        if head.starts_with(gzip::MAGIC) || single_file::is_packed(head) {
            return MemberKind::File;
        }
        match formats.choose(formats.by_content(head), of_name) {
            _ if is_recorded => MemberKind::Page(self.markup(of_name).unwrap_or_default()),
            Some(Format::Css) if self.package.is_some() => MemberKind::StyleSheet,
            None if self.is_epub_metadata(name, head) => MemberKind::Page(Markup::Xml),
            Some(Format::Css) | None => MemberKind::Nothing,
            // Many other formats are zip files inside.
            Some(Format::Zip) if of_name != Some(Format::Zip) => MemberKind::Nothing,
            format => match self.markup(format) {
                Some(_) if self.is_epub && of_name.is_some() => MemberKind::Page(Markup::Xml),
                Some(markup) => MemberKind::Page(markup),
                None => MemberKind::File,
            },
        }
    }

    fn markup(&self, format: Option<Format>) -> Option<Markup> {
        format.and_then(|format| self.formats.markup(format))
    }

    /// The user's declarations about a member. If the zip has a URL, the URL of the member is below it.
    fn declared(&self, origin: &Origin) -> Vec<Declaration> {
        let name = origin.member.as_ref().map_or("", |name| name.as_str());
        let name = with_slashes(name);
        let below = |declared: &Declaration| {
            let name = name.strip_prefix(self.root.as_deref()?)?;
            Some(declared_below(declared, &self.input, name))
        };
        let around = self.declarations.iter();
        around
            .map(|declared| below(declared).unwrap_or_else(|| declared.clone()))
            .collect()
    }

    /// Whether a member refers to files of an EPUB without being a page: a package document, an EPUB 2
    /// navigation document, a media overlay, a dictionary index, or a list in `META-INF`.
    fn is_epub_metadata(&self, name: &str, head: &[u8]) -> bool {
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
        member: Inflated,
        kind: EntityKind,
        markup: Markup,
        record: Record,
    ) {
        let is_damaged = member.fault.is_some();
        if let Some(fault) = member.fault {
            let reason = format!("cannot be unpacked to its end: {fault}");
            let error = ReadError::new(ReadErrorKind::Damaged, origin.clone(), reason);
            self.ready.push_back(Err(error));
        }
        let changed = member
            .is_changed
            .then(|| Note::new(NoteCode::Checksum, MISMATCH.to_owned()));
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
            is_damaged,
            ..Entity::html(origin, member.bytes)
        }));
    }

    /// A reader of a member that is opened as a file: in place if it is uncompressed, else of its
    /// decompressed bytes.
    fn member_file(&mut self, number: usize, origin: &Origin) -> Result<MemberFile, MemberError> {
        let member = self.open(number).map_err(MemberError::from)?;
        let size = member.compressed_size();
        let is_stored = member.compression() == CompressionMethod::Stored && !member.encrypted();
        if let Some(start) = member.data_start().filter(|_| is_stored) {
            drop(member);
            if !self.has_own_checksums(number)? && self.is_changed(number)? {
                let error = ReadError::new(ReadErrorKind::Damaged, origin.clone(), MISMATCH);
                self.ready.push_back(Err(error));
            }
            let size = size.min(self.size.saturating_sub(start));
            let section = self.shared.section(start..start.saturating_add(size));
            let metered = self.nesting.metered(section);
            let reader = Reader::Seekable(Box::new(metered));
            return Ok(MemberFile { reader, size });
        }
        drop(member);
        let member = self.inflate_whole(number)?;
        let fault = member
            .fault
            .map(|fault| format!("cannot be unpacked to its end: {fault}"));
        let mismatch = member.is_changed.then(|| MISMATCH.to_owned());
        let reasons = fault.into_iter().chain(mismatch);
        let errors =
            reasons.map(|reason| ReadError::new(ReadErrorKind::Damaged, origin.clone(), reason));
        self.ready.extend(errors.map(Err));
        let size = member.bytes.len() as u64;
        let reader = Reader::Seekable(Box::new(Cursor::new(member.bytes)));
        Ok(MemberFile { reader, size })
    }

    /// Whether a member is compressed itself, or a zip, so that its own checksums show damage.
    fn has_own_checksums(&mut self, number: usize) -> Result<bool, MemberError> {
        let head = self.inflate(number, HEAD)?;
        let format = self.formats.by_content(&head.bytes);
        Ok(is_compressed(&head.bytes) || format == Some(Format::Zip))
    }

    /// Whether a member that is not compressed does not match its checksum. It is read for that
    /// alone.
    fn is_changed(&mut self, number: usize) -> Result<bool, MemberError> {
        let mut member = self.open(number).map_err(MemberError::from)?;
        Ok(io::copy(&mut member, &mut io::sink()).is_err())
    }

    /// Opens a member as a file.
    fn file(&mut self, origin: Origin, file: MemberFile, of_name: Option<Format>) {
        let input = Input {
            name: Arc::clone(&self.input),
            reader: file.reader,
            size: Some(file.size),
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

impl Iterator for Members {
    type Item = Result<Entity, ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(found) = self.ready.pop_front() {
                return Some(found);
            }
            if let Some(inside) = &mut self.inside {
                if let Some(mut found) = inside.next() {
                    if let Ok(entity) = &mut found
                        && let Some(error) = har_bodies::fill(entity, |name| self.body(name))
                    {
                        self.ready.push_back(found);
                        return Some(Err(error));
                    }
                    return Some(found);
                }
                self.skipped.add(&inside.skipped());
                self.inside = None;
            } else if self.next < self.directory.len() {
                let number = self.next;
                self.next += 1;
                if self.is_attached(number) {
                    self.late.push_back(number);
                    continue;
                }
                if let Err(error) = self.member(number) {
                    return Some(Err(error));
                }
            } else if let Some(number) = self.late.pop_front() {
                if !self.attached.contains(&number)
                    && let Err(error) = self.member(number)
                {
                    return Some(Err(error));
                }
            } else {
                return self.sharing_error().map(Err);
            }
        }
    }
}

impl Container for Members {
    fn skipped(&self) -> Skipped {
        self.skipped.clone()
    }
}
