//! Messages as stored by Apple Mail (`.emlx`): a line with the length of the message in bytes, the
//! message, and a property list about it, which is not read.

use crate::contents::Contents;
use crate::detect::OpenContext;
use crate::entity::{Entity, EntityKind};
use crate::input::buffered::BufferedInput;
use crate::input::failure::kind_of;
use baseref_document::{Origin, ReadError, ReadErrorKind};
use baseref_text::decode::line;
use baseref_text::decode::sniff::is_heading;

/// The length declared in the first line of `bytes`, and the offset of the message.
fn length(bytes: &[u8]) -> Option<(usize, usize)> {
    const LONGEST: usize = 32;
    let (end, next) = line::end(&bytes[..bytes.len().min(LONGEST)], 0);
    let digits = bytes[..end].trim_ascii();
    let is_number = next > end && digits.iter().all(u8::is_ascii_digit);
    let length = std::str::from_utf8(digits).ok()?.parse().ok()?;
    is_number.then_some((length, next))
}

/// Whether `bytes` begin with the length of a message and a header.
pub(crate) fn is_emlx(bytes: &[u8]) -> bool {
    length(bytes).is_some_and(|(_, start)| is_heading(&bytes[start..]))
}

/// Reads the message. If it is shorter than its declared length, that is reported.
pub(crate) fn read(mut input: BufferedInput, ctx: &OpenContext<'_>) -> Result<Contents, ReadError> {
    let Some((length, start)) = length(input.window.fill(1024)) else {
        let reason = "does not begin with the length of a message";
        return Err(input.unread(ReadErrorKind::Format, reason));
    };
    let limit = ctx.limits.message;
    if length > limit {
        let reason = format!("is larger than {limit} bytes and is not read");
        return Err(input.unread(ReadErrorKind::Limit, reason));
    }
    input.window.advance(start);
    let there = input.window.fill(length);
    let bytes = there[..there.len().min(length)].to_vec();
    let error = (bytes.len() < length).then(|| {
        if let Some(failure) = input.window.take_failure() {
            let error = input.unread(kind_of(&failure), failure.to_string());
            return error.caused_by(failure);
        }
        let read = bytes.len();
        let reason = format!("the message is cut off after {read} of {length} bytes");
        input.unread(ReadErrorKind::Damaged, reason)
    });
    let entity = Entity {
        kind: EntityKind::Message { unquote: false },
        offset: Some(start as u64),
        line: 2,
        declarations: input.declarations,
        nesting: ctx.nesting.clone(),
        ..Entity::html(Origin::new(input.name), bytes)
    };
    Ok(Contents::entity(entity, error))
}
