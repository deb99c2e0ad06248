//! The record of one exchange with a server in an archive, with or without a document.

/// A record of an archive that is about a URL.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Capture {
    /// The URL that was asked for, as written.
    pub url: Box<str>,
    /// When, in RFC 3339 and UTC.
    pub date: Option<Box<str>>,
    /// The status of the answer; 0 if it has none that can be read.
    pub status: u16,
    /// The `Location` of the answer, as written.
    pub location: Option<Box<str>>,
    /// What kind of record it is.
    pub kind: CaptureKind,
    /// The method of the request, if the record itself says it and it is not GET.
    pub method: Option<Box<str>>,
    /// Whether the header of the answer declares a page.
    pub declares_page: bool,
    /// Whether the payload was cut off when it was written.
    pub truncated: bool,
    /// The identifiers by which other records name it.
    pub ids: CaptureIds,
    /// The URL and the date of the record with the payload of a revisit.
    pub original: Option<(Box<str>, Option<Box<str>>)>,
}

/// The kind of a record about a URL.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CaptureKind {
    /// A server's response.
    Response,
    /// A payload without its response, taken as one with the status 200.
    Resource,
    /// An answer whose payload is in another record.
    Revisit(Profile),
    /// A request with a method other than GET; the response is a record of its own.
    Request,
    /// A saved page that records its URL and is in no archive.
    Page,
    /// A page or one of its resources, which a browser saved in one file.
    Saved,
    /// An entry in a crawler's list of captured pages, which is not itself a capture.
    Listed,
    /// A page that a crawler reports as left out, and why.
    LeftOut(ExclusionReason),
}

/// Why a crawler left a page out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExclusionReason {
    /// It was out of scope.
    Scope,
    /// The crawler had reached its limit of pages.
    PageLimit,
    /// A `robots.txt` forbids it.
    Robots,
    /// It redirects out of the scope.
    Redirect,
    /// It duplicates another page.
    Duplicate,
    /// The server asked for fewer requests.
    RateLimit,
    /// It could not be loaded.
    Failure,
    /// The reason is in no list that baseref knows.
    Unknown,
}

/// Why a revisit has no payload (WARC 1.1 §6.7.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Profile {
    /// The payload equals the payload of an earlier capture.
    IdenticalPayload,
    /// The server said so: 304.
    NotModified,
    /// The profile is unknown, so the payload is, too.
    Unknown,
}

/// The ids of a record and of the records that it refers to, as hashes; 0 stands for none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CaptureIds {
    /// The id of its file, in which record ids are unique.
    pub file: u64,
    /// The record's own id.
    pub own: u64,
    /// The first record of the same exchange.
    pub concurrent: u64,
    /// The record with the payload of a revisit.
    pub refers_to: u64,
    /// The digest of the payload.
    pub digest: u64,
}

impl Capture {
    /// A page that was saved from `url`.
    #[must_use]
    pub fn from_page(url: &str, date: Option<&str>) -> Self {
        Self {
            url: url.into(),
            date: date.map(Box::from),
            status: 200,
            location: None,
            kind: CaptureKind::Page,
            method: None,
            declares_page: false,
            truncated: false,
            ids: CaptureIds::default(),
            original: None,
        }
    }

    /// Whether readers of the archive see a document in it: the body of a redirect or an error is only
    /// the server's fallback.
    #[must_use]
    pub fn holds_page(&self) -> bool {
        matches!(self.status, 200..=299) && self.method.is_none()
    }
}
