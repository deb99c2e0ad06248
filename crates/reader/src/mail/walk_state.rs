//! The state of the walk over the parts of a message, and what its steps share.

use std::num::NonZeroU64;

use super::heading::{Field, Heading};
use super::piece::{Piece, PieceSink};
use baseref_document::{
    BaseField, Declaration, Note, NoteCode, Origin, Part, Place as Declared, ReadError,
    ReadErrorKind, ReadOptions, Retrieval, Section, Skipped,
};
use baseref_text::header::media_type::{MediaType, TransferEncoding};

/// The longest value of a base field that is read.
const DECLARATION_SIZE: usize = 64 * 1024;

/// The state over the whole message.
pub(super) struct Walk<'w> {
    pub options: &'w ReadOptions,
    pub origin: Origin,
    /// The declarations of a base around the current place, outermost first.
    pub declarations: Vec<Declaration>,
    /// Notes for the next document.
    pub notes: Vec<Note>,
    /// The parts skipped because they hold no links.
    pub skipped: Skipped,
    /// The parts so far; only the message if no links are wanted.
    pub tree: Vec<Part>,
    /// The part whose header was read last.
    pub current: usize,
    pub parts: usize,
    pub depth_noted: bool,
    /// Whether a browser saved a page as this message (MHTML).
    pub is_saved_page: bool,
    /// How many declarations may still be emitted with documents.
    pub inheritance: usize,
    pub expansion: usize,
    pub sink: &'w mut PieceSink<'w>,
}

/// A part whose header has been read.
pub(super) struct Entity<'h, 'b> {
    pub heading: &'h Heading<'b>,
    pub media: MediaType,
    pub encoding: TransferEncoding,
    /// Whether it holds a message that is read.
    pub holds_message: bool,
    /// The section of its header and, for a composite part, the prefix of its parts' sections.
    pub section: Section,
    /// The section of its body, unless that is a multipart.
    pub body_section: Section,
    /// The line of its header in the file.
    pub line: Option<u64>,
    /// How many declarations there are around it.
    pub outside: usize,
}

impl Walk<'_> {
    /// Adds the declarations of a header nested in `level` others: the fields that only declare a base
    /// first, since a `Content-Location` is relative to them (RFC 1808 §3.1).
    pub fn declare(&mut self, entity: &Entity<'_, '_>, level: usize) -> Layers {
        if level == 0
            && let Some(field) = entity.heading.first("Snapshot-Content-Location")
        {
            let value: String = field.unfolded().split_whitespace().collect();
            self.declarations.push(Declaration::new(
                value,
                Declared::Retrieval(Retrieval::Record("Snapshot-Content-Location")),
            ));
        }
        let around = self.declarations.len();
        let fields = || {
            entity
                .heading
                .fields
                .iter()
                .filter_map(|field| Some((base_field(field)?, field)))
        };
        let is_location = |name: BaseField| name == BaseField::ContentLocation;
        self.declare_fields(
            entity,
            level,
            fields().filter(|(name, _)| !is_location(*name)),
        );
        let with_bases = self.declarations.len();
        self.declare_fields(
            entity,
            level,
            fields().filter(|(name, _)| is_location(*name)),
        );
        Layers {
            around,
            with_bases,
            own: self.declarations.len(),
        }
    }

    fn declare_fields<'f, 'b: 'f>(
        &mut self,
        entity: &Entity<'_, '_>,
        level: usize,
        fields: impl Iterator<Item = (BaseField, &'f Field<'b>)>,
    ) {
        for (name, field) in fields {
            if is_declaration_left_out(field) {
                let section = named(&entity.section);
                let detail = format!(
                    "{section}: a {} of more than {DECLARATION_SIZE} bytes is not read",
                    name.name()
                );
                self.note(NoteCode::HeadingSize, detail);
                continue;
            }
            let line = entity.line.map(|line| line + field.line);
            self.declarations.push(Declaration::new(
                field.unfolded(),
                Declared::Field {
                    field: name,
                    level: u32::try_from(level).unwrap_or(u32::MAX),
                    section: entity.section.clone(),
                    line: line.and_then(NonZeroU64::new),
                },
            ));
        }
    }

    pub fn note(&mut self, code: NoteCode, detail: String) {
        self.notes.push(Note::new(code, detail));
    }

    /// Adds a note about a part, on a line of the file (1-based).
    pub fn note_at(&mut self, code: NoteCode, section: &Section, line: Option<u64>, detail: &str) {
        let section = named(section);
        let detail = match line {
            Some(line) => format!("{section}, line {line} of the file: {detail}"),
            None => format!("{section}: {detail}"),
        };
        self.note(code, detail);
    }

    pub fn unread(
        &mut self,
        kind: ReadErrorKind,
        section: &Section,
        line: Option<u64>,
        reason: impl Into<Box<str>>,
    ) {
        let origin = self.origin_of(section);
        self.sink.add(Piece::Unread(
            ReadError::new(kind, origin, reason).at_line(line),
        ));
    }

    pub fn origin_of(&self, section: &Section) -> Origin {
        self.origin.clone().with_section(section.clone())
    }
}

/// How many declarations the fields of a header may be relative to.
#[derive(Clone, Copy, Debug)]
pub(super) struct Layers {
    /// Those around the header.
    pub around: usize,
    /// And those of its `Base` and `Content-Base` fields.
    pub with_bases: usize,
    /// And those of its `Content-Location` fields.
    pub own: usize,
}

pub(super) fn base_field(field: &Field<'_>) -> Option<BaseField> {
    [
        BaseField::Base,
        BaseField::ContentBase,
        BaseField::ContentLocation,
    ]
    .into_iter()
    .find(|name| field.is(name.name()))
}

/// Whether a field declares a base but is too long to be one.
pub(super) fn is_declaration_left_out(field: &Field<'_>) -> bool {
    field.value().len() > DECLARATION_SIZE && base_field(field).is_some()
}

/// A section as notes name it.
pub(super) fn named(section: &Section) -> String {
    if section.is_empty() {
        return "the message".to_owned();
    }
    format!("part {section}")
}
