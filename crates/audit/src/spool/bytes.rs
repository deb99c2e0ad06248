//! Values as bytes, one behind the other, and back.

use std::num::NonZeroU32;

use crate::model::varint;
use baseref_document::Position;

/// Where values are written.
#[derive(Debug, Default)]
pub(super) struct Writer(pub(super) Vec<u8>);

impl Writer {
    pub(super) fn number(&mut self, number: u64) {
        varint::write(&mut self.0, number);
    }

    pub(super) fn flag(&mut self, is_set: bool) {
        self.0.push(u8::from(is_set));
    }

    pub(super) fn text(&mut self, text: &str) {
        self.number(text.len() as u64);
        self.0.extend_from_slice(text.as_bytes());
    }

    pub(super) fn option<T>(&mut self, value: Option<T>, write: impl FnOnce(&mut Self, T)) {
        self.flag(value.is_some());
        if let Some(value) = value {
            write(self, value);
        }
    }

    pub(super) fn position(&mut self, at: &Position) {
        self.number(at.line.get().into());
        self.number(at.column.get().into());
        self.number(at.byte.start);
        self.number(at.byte.end.wrapping_sub(at.byte.start));
    }
}

/// Where they are read; each is `None` if it is not there.
#[derive(Debug)]
pub(super) struct Reader<'b> {
    bytes: &'b [u8],
    at: usize,
}

impl<'b> Reader<'b> {
    pub(super) fn new(bytes: &'b [u8]) -> Self {
        Self { bytes, at: 0 }
    }

    pub(super) fn number(&mut self) -> Option<u64> {
        varint::read(self.bytes, &mut self.at)
    }

    pub(super) fn size(&mut self) -> Option<usize> {
        usize::try_from(self.number()?).ok()
    }

    pub(super) fn flag(&mut self) -> Option<bool> {
        let byte = *self.bytes.get(self.at)?;
        self.at += 1;
        Some(byte != 0)
    }

    pub(super) fn text(&mut self) -> Option<&'b str> {
        let length = self.size()?;
        let text = self.bytes.get(self.at..self.at.checked_add(length)?)?;
        self.at += length;
        std::str::from_utf8(text).ok()
    }

    #[expect(clippy::option_option, reason = "it may be no value, or not be there")]
    pub(super) fn option<T>(
        &mut self,
        read: impl FnOnce(&mut Self) -> Option<T>,
    ) -> Option<Option<T>> {
        if self.flag()? {
            read(self).map(Some)
        } else {
            Some(None)
        }
    }

    pub(super) fn position(&mut self) -> Option<Position> {
        let mut line = || NonZeroU32::new(u32::try_from(self.number()?).ok()?);
        let (line, column) = (line()?, line()?);
        let (start, length) = (self.number()?, self.number()?);
        Some(Position {
            line,
            column,
            byte: start..start.wrapping_add(length),
        })
    }

    /// What is behind all that was read.
    pub(super) fn rest(&self) -> &'b [u8] {
        &self.bytes[self.at..]
    }
}
