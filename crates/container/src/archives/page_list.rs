//! Reads the lists of pages that crawlers write next to their archives: one JSON object per line,
//! after a first line that names the format (WACZ 1.1.1 §5.3). Browsertrix also lists the pages
//! that it skipped, with the reasons (`skippedPages.jsonl`).

use std::num::NonZeroU64;
use std::sync::Arc;

use serde_json::Value;

use crate::contents::{Container, Contents};
use crate::detect::OpenContext;
use crate::entity::{Entity, EntityKind};
use crate::input::buffered::BufferedInput;
use baseref_document::{
    Capture, CaptureKind, ExclusionReason, Origin, ReadError, ReadErrorKind, Skipped,
};
use baseref_text::header::date;

/// The name of the format, which is in the first line.
const FORMAT: &[u8] = b"\"json-pages-1.0\"";

/// Whether text begins with the line that names the format.
pub(crate) fn is_page_list(text: &[u8]) -> bool {
    let end = memchr::memchr(b'\n', text).unwrap_or(text.len());
    text.starts_with(b"{") && memchr::memmem::find(&text[..end], FORMAT).is_some()
}

/// Reads a list of pages. It is only evidence for an audit of a site.
pub(crate) fn read(mut input: BufferedInput, ctx: &OpenContext<'_>) -> Result<Contents, ReadError> {
    if !ctx.nesting.is_site() {
        return Ok(Contents::Empty);
    }
    let (bytes, failure) = input.take_bytes()?;
    let failure = failure.map(|failure| input.failed(failure));
    let pages = Contents::from_container(Pages::new(bytes, input.name));
    Ok(pages.preceded_by(failure.into_iter().collect()))
}

/// The pages of a list, each as an entity without a document.
pub(crate) struct Pages {
    bytes: Vec<u8>,
    /// The offset of the next line.
    at: usize,
    /// The number of the last line.
    line: u64,
    input: Arc<str>,
}

impl Pages {
    pub(crate) fn new(bytes: Vec<u8>, input: Arc<str>) -> Self {
        Self {
            bytes,
            at: 0,
            line: 0,
            input,
        }
    }

    /// The next line that is not empty.
    fn next_line(&mut self) -> Option<&[u8]> {
        while self.at < self.bytes.len() {
            let start = self.at;
            let rest = &self.bytes[start..];
            let end = start + memchr::memchr(b'\n', rest).unwrap_or(rest.len());
            self.at = end + 1;
            self.line += 1;
            if !self.bytes[start..end].trim_ascii().is_empty() {
                return Some(&self.bytes[start..end]);
            }
        }
        None
    }
}

impl Iterator for Pages {
    type Item = Result<Entity, ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let row = serde_json::from_slice::<Value>(self.next_line()?);
            let origin =
                Origin::new(Arc::clone(&self.input)).with_message(NonZeroU64::new(self.line));
            let Ok(row) = row else {
                let reason = "is not a line of JSON";
                return Some(Err(ReadError::new(ReadErrorKind::Damaged, origin, reason)));
            };
            // The first line is about the list.
            if let Some(capture) = capture(&row) {
                return Some(Ok(Entity {
                    kind: EntityKind::Capture,
                    date: capture.date.clone(),
                    capture: Some(Box::new(capture)),
                    ..Entity::html(origin, Vec::new())
                }));
            }
        }
    }
}

impl Container for Pages {
    fn skipped(&self) -> Skipped {
        Skipped::default()
    }
}

/// The capture that a line describes; `None` if it is about no page.
fn capture(row: &Value) -> Option<Capture> {
    let reason = row["reason"].as_str();
    let kind = reason.map_or(CaptureKind::Listed, |reason| {
        CaptureKind::LeftOut(left_out(reason))
    });
    Some(Capture {
        date: row["ts"].as_str().and_then(date::from_rfc3339),
        kind,
        ..Capture::from_page(row["url"].as_str()?, None)
    })
}

/// The reason why Browsertrix skipped a page.
fn left_out(reason: &str) -> ExclusionReason {
    match reason {
        "pageLimit" => ExclusionReason::PageLimit,
        "robotsTxt" => ExclusionReason::Robots,
        "redirectToExcluded" => ExclusionReason::Redirect,
        "duplicate" => ExclusionReason::Duplicate,
        "rateLimited" => ExclusionReason::RateLimit,
        "failed" => ExclusionReason::Failure,
        _ if reason.starts_with("outOfScope") => ExclusionReason::Scope,
        _ => ExclusionReason::Unknown,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_line_is_a_page_or_an_error() {
        let text = "{\"format\": \"json-pages-1.0\", \"id\": \"pages\"}\n\n\
                    {\"url\":\"https://x.org/\",\"ts\":\"2024-03-01T10:00:00Z\"}\r\n\
                    {\"url\":\"https://x.org/s\",\"reason\":\"outOfScopeUserExclusion\"}\nx\n\
                    {\"url\":\"https://x.org/l\",\"reason\":\"pageLimit\"}";
        assert!(is_page_list(text.as_bytes()));
        let pages = Pages::new(text.into(), "p".into());
        let found: Vec<_> = pages
            .map(|found| match found {
                Ok(entity) => {
                    let capture = entity.capture.expect("a capture");
                    format!("{} {} {:?}", entity.origin, capture.url, capture.kind)
                }
                Err(error) => format!("{} {}", error.origin, error.reason),
            })
            .collect();
        let expected = [
            "p#3 https://x.org/ Listed",
            "p#4 https://x.org/s LeftOut(Scope)",
            "p#5 is not a line of JSON",
            "p#6 https://x.org/l LeftOut(PageLimit)",
        ];
        assert_eq!(found, expected);
    }

    #[test]
    fn other_json_is_not_recognised() {
        for text in [
            "{\"format\": 1}\n\"json-pages-1.0\"",
            "[\"json-pages-1.0\"]",
            "",
        ] {
            assert!(!is_page_list(text.as_bytes()), "{text}");
        }
    }
}
