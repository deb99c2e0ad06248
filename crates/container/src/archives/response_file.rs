//! An HTTP response in a file of its own, as written by `curl -i` or `wget --save-headers`.

use super::http;
use crate::contents::Contents;
use crate::detect::OpenContext;
use crate::entity::{Entity, EntityKind};
use crate::input::buffered::BufferedInput;
use baseref_document::{Capture, Declaration, Origin, Place, ReadError, ReadErrorKind};
use baseref_text::decode::source::Markup;

/// Reads a response. If it is part of a site whose URL is known, it is also a capture.
pub(crate) fn read(input: BufferedInput, ctx: &OpenContext<'_>) -> Result<Contents, ReadError> {
    let bytes = input.window.rest(0);
    let heading = http::Heading::read(bytes, ctx.limits.heading);
    let heading = heading.as_ref();
    let lacking = heading.filter(|heading| !heading.is_whole);
    let lacking = lacking.and_then(|heading| heading.lacking(&[]));
    let error = lacking.map(|reason| input.unread(ReadErrorKind::Damaged, reason));
    let capture = heading.filter(|_| ctx.nesting.is_site());
    let capture = capture.and_then(|heading| capture_of(heading, &input.declarations));
    // The fields of what is not HTML can still hold links.
    let fields = heading.filter(|heading| !heading.is_html(bytes));
    let contents = match fields {
        Some(heading) => {
            let entity = Entity {
                kind: EntityKind::Fields,
                declarations: input.declarations.clone(),
                capture,
                ..Entity::html(
                    Origin::new(input.name.clone()),
                    bytes[..heading.body].to_vec(),
                )
            };
            return Ok(Contents::entity(entity, error));
        }
        None => input.into_entity(EntityKind::Response, Markup::Html, ctx.nesting)?,
    };
    Ok(match contents {
        Contents::Single(entity) => Contents::Single(Entity { capture, ..entity }),
        damaged => damaged,
    })
}

/// The capture that a response is; `None` if its URL is unknown.
fn capture_of(heading: &http::Heading<'_>, declarations: &[Declaration]) -> Option<Box<Capture>> {
    let mut declared = declarations.iter();
    let url = declared.find(|declared| matches!(declared.at, Place::Retrieval(_)))?;
    Some(Box::new(Capture {
        status: heading.status,
        location: heading.location().map(Into::into),
        ..Capture::from_page(&url.value, None)
    }))
}
