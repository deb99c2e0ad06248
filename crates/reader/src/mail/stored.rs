//! Multiparts whose parts are stored apart rather than between delimiters.

use std::borrow::Cow;

use super::part::{Composite, OpenPart};
use super::scan::{Buffer, BufferLocation, Path, Scan, ScanState, ScanStep};
use super::stored_part::{Problem, StoredPart, StoredParts};
use super::walk_state::{Entity, Walk, named};
use baseref_document::PartKind;

#[cfg(not(feature = "archives"))]
impl Walk<'_> {
    /// Without the feature, only MIME parts contain other parts.
    #[expect(clippy::unused_self, reason = "with the feature, it is used")]
    pub fn tnef(
        &mut self,
        _buffer: &Buffer<'_>,
        _path: &Path,
        _entity: &Entity<'_, '_>,
        _body: std::ops::Range<usize>,
    ) -> Option<StoredParts> {
        None
    }
}

impl StoredPart {
    /// A scan of the part, which is one of `open`'s.
    pub fn scan<'m>(self, open: OpenPart, headings: usize) -> Scan<'m> {
        Scan {
            buffer: Buffer {
                bytes: Cow::Owned(self.bytes),
                place: BufferLocation::Made,
            },
            path: Path {
                open: vec![open],
                headings,
                at: 0,
                heading: (0, None),
                state: ScanState::Entity(None),
                stored: self.inner,
            },
        }
    }
}

impl Walk<'_> {
    /// Opens a multipart with these parts.
    pub fn stored<'m>(
        &mut self,
        path: &mut Path,
        entity: &Entity<'_, '_>,
        stored: StoredParts,
    ) -> ScanStep<'m> {
        self.report_stored(entity, stored.problems);
        if self.is_too_deep(path, &entity.section) {
            return self.skip(path, entity);
        }
        let open = self.opened(entity, &entity.section, Composite::Stored(0), &path.open);
        path.open.push(open);
        path.state = ScanState::Stored(stored.parts.into_iter());
        ScanStep::On
    }

    /// Opens a part that turned out to hold these parts.
    pub fn stored_leaf<'m>(
        &mut self,
        path: &Path,
        entity: &Entity<'_, '_>,
        stored: StoredParts,
    ) -> ScanStep<'m> {
        self.report_stored(entity, stored.problems);
        if self.is_too_deep(path, &entity.body_section) {
            self.declarations.truncate(entity.outside);
            return ScanStep::On;
        }
        let section = &entity.body_section;
        // Its pages and files belong to one message, as in a multipart/related.
        let part = self.tree.get_mut(self.current);
        if let Some(part) = part.filter(|part| part.section == *section) {
            part.kind = PartKind::Related;
        }
        let open = self.opened(entity, section, Composite::Stored(0), &path.open);
        let part = StoredPart {
            bytes: Vec::new(),
            inner: None,
        };
        let mut scan = part.scan(open, path.headings + path.open.len());
        scan.path.state = ScanState::Stored(stored.parts.into_iter());
        ScanStep::Into(Box::new(scan))
    }

    /// Continues with the next part of the multipart that was opened last.
    pub fn next_stored<'m>(
        &mut self,
        path: &mut Path,
        mut parts: std::vec::IntoIter<StoredPart>,
    ) -> ScanStep<'m> {
        let headings = path.headings + path.open.len().saturating_sub(1);
        let (Some(part), Some(open)) = (parts.next(), path.open.last_mut()) else {
            path.state = ScanState::At(None);
            return ScanStep::On;
        };
        self.declarations.truncate(open.declarations);
        let number = match &mut open.composite {
            Composite::Stored(number) => {
                *number = number.saturating_add(1);
                *number
            }
            Composite::Message | Composite::Multipart(_) => 0,
        };
        let around = OpenPart {
            section: open.section.clone(),
            line: open.line,
            declarations: open.declarations,
            part: open.part,
            message: open.message.clone(),
            composite: Composite::Stored(number),
        };
        path.state = ScanState::Stored(parts);
        ScanStep::Into(Box::new(part.scan(around, headings)))
    }

    fn report_stored(&mut self, entity: &Entity<'_, '_>, problems: Vec<Problem>) {
        for problem in problems {
            match problem {
                Problem::Unread(kind, what) => {
                    self.unread(kind, &entity.section, entity.line, what);
                }
                Problem::Repaired(code, what) => {
                    let section = named(&entity.section);
                    self.note(code, format!("{section}: {what}"));
                }
            }
        }
    }
}
