//! What a record of a web archive says of the exchange with a server that it comes from.

use super::http;
use baseref_document::{Capture, CaptureIds, CaptureKind, Profile, hash_of};
use baseref_text::header::media_type::MediaType;

/// The header of a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Heading {
    /// The offset in the record at which the block begins.
    pub block: usize,
    /// How many bytes the block has.
    pub length: u64,
    /// The URL that the block was retrieved from, as written.
    pub url: Option<String>,
    /// When it was retrieved, as written.
    pub date: Option<String>,
    /// What the block holds.
    pub content: Content,
    /// What the record says of the exchange, if captures are asked for.
    pub exchange: Option<Box<Exchange>>,
}

/// What a record says of an exchange with a server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Exchange {
    pub kind: CaptureKind,
    pub truncated: bool,
    pub ids: CaptureIds,
    /// The URL and the date, in RFC 3339 and UTC, of the original of a revisit.
    pub original: Option<(Box<str>, Option<Box<str>>)>,
}

/// What a block holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Content {
    /// What a server sent: an HTTP response or, over other protocols, just a body. With its media
    /// type, if declared.
    Sent(Option<MediaType>),
    /// Data about other records, or derived from them: what kind, as counted; empty for others.
    About(&'static str),
}

/// The capture that a record is, if the record is about a URL and captures are asked for. The block
/// begins with `first`; `date` reads the dates of the format.
pub(crate) fn of_record(
    heading: &Heading,
    first: &[u8],
    limit: usize,
    date: fn(&str) -> Option<Box<str>>,
) -> Option<Capture> {
    let exchange = heading.exchange.as_deref()?;
    let Exchange {
        kind,
        truncated,
        ids,
        original,
    } = exchange;
    let mut capture = Capture {
        url: heading.url.as_deref()?.into(),
        date: heading.date.as_deref().and_then(date),
        status: 0,
        location: None,
        kind: *kind,
        method: None,
        truncated: *truncated,
        ids: *ids,
        original: original.clone(),
    };
    match kind {
        CaptureKind::Request => {
            let method = first.split(u8::is_ascii_whitespace).next()?;
            let method = std::str::from_utf8(method).ok()?;
            if method.is_empty() || method == "GET" {
                return None;
            }
            capture.method = Some(method.into());
        }
        CaptureKind::Resource
        | CaptureKind::Page
        | CaptureKind::Saved
        | CaptureKind::Listed
        | CaptureKind::LeftOut(_) => capture.status = 200,
        CaptureKind::Response | CaptureKind::Revisit(_) => {
            let answer = http::is_response(first).then(|| http::Heading::read(first, limit));
            if let Some(Some(answer)) = answer {
                capture.status = answer.status;
                capture.location = answer.location().map(Into::into);
            } else if is_body(&heading.content, first) {
                // Over other protocols, and in old archives, the body alone is kept.
                capture.status = 200;
            }
        }
    }
    Some(capture)
}

/// Whether a block is a body without the header of a response.
fn is_body(content: &Content, first: &[u8]) -> bool {
    matches!(content, Content::Sent(_)) && !first.is_empty() && !first.starts_with(b"HTTP/")
}

/// The hash by which a record is named; 0 for none.
pub(crate) fn id_of(id: Option<&[u8]>) -> u64 {
    let id = id.map(<[u8]>::trim_ascii).filter(|id| !id.is_empty());
    id.map_or(0, |id| hash_of(&String::from_utf8_lossy(id)))
}

/// The hash of a digest, without the name of its algorithm.
pub(crate) fn digest_of(digest: Option<&[u8]>) -> u64 {
    let after = digest.and_then(|digest| digest.rsplit(|&byte| byte == b':').next());
    id_of(after)
}

/// Why a revisit has no payload, by the URI of its profile (WARC 1.1 §6.7.2, in either version).
pub(crate) fn profile_of(uri: Option<&[u8]>) -> Profile {
    let uri = uri.unwrap_or_default().trim_ascii().trim_ascii_end();
    let ends = |name: &str| uri.ends_with(name.as_bytes());
    if ends("/identical-payload-digest") {
        Profile::IdenticalPayload
    } else if ends("/server-not-modified") {
        Profile::NotModified
    } else {
        Profile::Unknown
    }
}

/// What a record says that is what a server sent, and nothing else.
pub(crate) fn of_response() -> Exchange {
    Exchange {
        kind: CaptureKind::Response,
        truncated: false,
        ids: CaptureIds::default(),
        original: None,
    }
}
