//! The records of a web archive, and the exchanges with servers that they capture.

use super::digest::Digest;
use super::http;
use baseref_document::{Capture, CaptureIds, CaptureKind, Profile, hash_of};
use baseref_text::header::media_type::MediaType;

/// The header of a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Heading {
    /// The offset of the block in the record.
    pub block: usize,
    /// The length of the block in bytes.
    pub length: u64,
    /// The URL that the block was retrieved from, as written.
    pub url: Option<String>,
    /// When it was retrieved, as written.
    pub date: Option<String>,
    /// What the block holds.
    pub content: Content,
    /// Whether the block was cut off when it was written.
    pub is_truncated: bool,
    /// Whether the payload goes on in other records (WARC 1.1 §7).
    pub is_segment: bool,
    /// The digests of the block and of what it transports.
    pub digests: Digests,
    /// The exchange that the record captures, if captures are requested.
    pub exchange: Option<Box<Exchange>>,
}

/// The digests in the header of a record.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Digests {
    pub block: Option<Digest>,
    pub payload: Option<Digest>,
}

/// An exchange with a server, as a record describes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Exchange {
    pub kind: CaptureKind,
    pub ids: CaptureIds,
    /// The URL and the date, in RFC 3339 and UTC, of the original of a revisit.
    pub original: Option<(Box<str>, Option<Box<str>>)>,
}

/// The content of a block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Content {
    /// What a server sent: an HTTP response or, over other protocols, only a body. With its media
    /// type, if declared.
    Sent(Option<MediaType>),
    /// Data about other records or derived from them, with the name under which it is counted;
    /// empty if it has none.
    About(&'static str),
    /// Of no type that the standard defines, which would be damage if it held a page.
    Unknown,
}

/// The capture that a record describes, if it has a URL and captures are requested. The block
/// begins with `first`; `date` parses the dates of the format.
pub(crate) fn from_record(
    heading: &Heading,
    first: &[u8],
    limit: usize,
    date: fn(&str) -> Option<Box<str>>,
) -> Option<Capture> {
    let exchange = heading.exchange.as_deref()?;
    let Exchange {
        kind,
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
        declares_page: false,
        truncated: heading.is_truncated || heading.is_segment,
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
                capture.declares_page = answer.is_html(first);
                capture.location = answer.location().map(Into::into);
            } else if is_body(&heading.content, first) {
                // Old archives, and captures over other protocols, contain only the body.
                capture.status = 200;
            }
        }
    }
    Some(capture)
}

/// Whether a block is a body without a response header.
fn is_body(content: &Content, first: &[u8]) -> bool {
    matches!(content, Content::Sent(_)) && !first.is_empty() && !http::is_named(first)
}

/// The hash of a record identifier; 0 if there is none.
pub(crate) fn id_of(id: Option<&[u8]>) -> u64 {
    let id = id.map(<[u8]>::trim_ascii).filter(|id| !id.is_empty());
    id.map_or(0, |id| hash_of(&String::from_utf8_lossy(id)))
}

/// The hash of a digest, without the name of its algorithm.
pub(crate) fn digest_of(digest: Option<&[u8]>) -> u64 {
    let after = digest.and_then(|digest| digest.rsplit(|&byte| byte == b':').next());
    id_of(after)
}

/// The reason why a revisit has no payload, by the URI of its profile in either version (WARC 1.1
/// §6.7.2).
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

/// The exchange of a record that is a response and has no other fields.
pub(crate) fn from_response() -> Exchange {
    Exchange {
        kind: CaptureKind::Response,
        ids: CaptureIds::default(),
        original: None,
    }
}
