//! A row of the table of wrappers.

/// A form of URL that wraps another URL: one row of the table.
#[derive(Clone, Debug)]
pub struct Wrapper {
    /// Its name in reports; never changes once released.
    pub name: &'static str,
    /// The kind of service.
    pub family: Family,
    /// Patterns of its hosts; empty if it runs on hosts of customers.
    pub hosts: Vec<&'static str>,
    /// Patterns of its paths.
    pub paths: Vec<&'static str>,
    /// Query parameters that must be present.
    pub needs: Vec<&'static str>,
    /// The pattern of the query; empty for any.
    pub query: &'static str,
    /// Where the target is.
    pub take: TargetLocation,
    /// How the target is encoded.
    pub coding: Coding,
    /// The result if the target is missing.
    pub absent: Failure,
    /// The result if the target cannot be decoded.
    pub broken: Failure,
    /// Whether a target without a scheme, such as `a.example/b`, is accepted as `http`.
    pub has_bare_hosts: bool,
    /// The parameter with the host of the target, which proves nothing.
    pub hint: Option<&'static str>,
    /// The word in a host by which people recognise the service; the registered name if `None`.
    pub brand: Option<&'static str>,
    /// The source of the form.
    pub source: &'static str,
    /// When the source was checked: year and month.
    pub checked: &'static str,
    /// A URL of this form.
    pub example: &'static str,
    /// The URL in the example; empty if only the service knows it.
    pub target: &'static str,
}

/// The kind of service that makes a wrapper.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Family {
    /// Mail security: rewrites every link of a message to check it when it is followed.
    Security,
    /// Newsletters: counts clicks.
    Mailing,
    /// A redirector of a site or search engine.
    Redirector,
    /// A link shortener.
    Shortener,
    /// A wrapper that a user configures.
    Custom,
}

impl Family {
    const ALL: [Self; 5] = [
        Self::Security,
        Self::Mailing,
        Self::Redirector,
        Self::Shortener,
        Self::Custom,
    ];

    pub(crate) fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|family| family.as_str() == name)
    }

    /// Its name in documentation: `security`, `mailing`, `redirector`, `shortener`, `custom`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Security => "security",
            Self::Mailing => "mailing",
            Self::Redirector => "redirector",
            Self::Shortener => "shortener",
            Self::Custom => "custom",
        }
    }
}

/// Where the target is in a URL.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TargetLocation {
    /// Nowhere; only the service knows it.
    Nothing,
    /// In the first of these parameters that is present and not empty.
    Parameter(Vec<&'static str>),
    /// The same, in any case.
    ParameterInAnyCase(Vec<&'static str>),
    /// The part of the path that `{}` or `{*}` captures.
    Captured,
    /// The same, with the query and the fragment.
    CapturedAndRest,
    /// Between these texts in the path.
    Between(&'static str, &'static str),
    /// The whole query.
    Query,
    /// In the query after the last occurrence of this text, including the fragment.
    QueryAfter(&'static str),
    /// The whole URL, read by its [`Coding`].
    Url,
}

/// How a target is encoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Coding {
    /// Percent-encoded once.
    Percent,
    /// A URL in a path: as written, or percent-encoded as a whole.
    PercentOrPlain,
    /// Base64 of either alphabet, with or without padding.
    Base64,
    /// Base64 after this number of characters.
    Base64After(usize),
    /// Percent-encoded, or base64 with `~` as padding.
    PercentOrBase64,
    /// A string in a JSON object in base64 (up to the first dot), by its key.
    Json(&'static str),
    /// A string in the payload of a JSON Web Token (RFC 7519 §3), by the first of these keys that is
    /// present, separated by spaces.
    Jwt(&'static str),
    /// JSON in JSON in base64.
    Mandrill,
    /// zlib in base64.
    Zlib,
    /// The segment that begins with this letter, in base64.
    Base64Segment(&'static str),
    /// The field with this number of a Protocol Buffers message in zlib in base64, after a dot.
    ZlibProtobuf(u64),
    /// A parameter of a form in zlib in base64.
    ZlibForm(&'static str),
    /// Tagged fields in base64.
    Sparkpost,
    /// Percent-encoded, up to `&k=`, then with HTML character references.
    ProofpointV1,
    /// The same, with `-` for `%` and `_` for `/`.
    ProofpointV2,
    /// `*` stands for characters that are listed after the URL.
    ProofpointV3,
    /// Between `___` and `___.`, `*` stands for `%`.
    CheckpointV2,
    /// Parameters after `&&`, in base64.
    SophosAppliance,
    /// A URL without this scheme, percent-encoded.
    Host(&'static str),
    /// A URL without this scheme, as written.
    RawHost(&'static str),
    /// Percent-encoded, with a signature after the last colon.
    Signed,
    /// The URL itself, with this suffix appended to its host.
    HostSuffix(&'static str),
    /// A host, `/s/` and a path.
    HostAndPath,
    /// A Protocol Buffers message in base64.
    GoogleNews,
    /// The URL itself, with the host encoded in one label: hyphens stand for dots.
    TranslateProxy,
    /// `0` and a letter stand for frequent parts of URLs: `0B` is a dot.
    Feedsportal,
}

impl Coding {
    /// The encoding with a name in `wrappers.toml`, which may be followed by an argument.
    pub(crate) fn parse(name: &'static str) -> Option<Self> {
        let (name, argument) = name.split_once(' ').unwrap_or((name, ""));
        Some(match name {
            "percent" => Self::Percent,
            "percent-or-plain" => Self::PercentOrPlain,
            "base64" => Self::Base64,
            "base64-after" => Self::Base64After(argument.parse().ok()?),
            "percent-or-base64" => Self::PercentOrBase64,
            "json" => Self::Json(argument),
            "jwt" => Self::Jwt(argument),
            "base64-segment" => Self::Base64Segment(argument),
            "zlib-protobuf" => Self::ZlibProtobuf(argument.parse().ok()?),
            "mandrill" => Self::Mandrill,
            "zlib" => Self::Zlib,
            "zlib-form" => Self::ZlibForm(argument),
            "sparkpost" => Self::Sparkpost,
            "proofpoint-v1" => Self::ProofpointV1,
            "proofpoint-v2" => Self::ProofpointV2,
            "proofpoint-v3" => Self::ProofpointV3,
            "checkpoint-v2" => Self::CheckpointV2,
            "sophos-appliance" => Self::SophosAppliance,
            "host" => Self::Host(argument),
            "raw-host" => Self::RawHost(argument),
            "signed" => Self::Signed,
            "host-suffix" => Self::HostSuffix(argument),
            "host-and-path" => Self::HostAndPath,
            "google-news" => Self::GoogleNews,
            "translate-proxy" => Self::TranslateProxy,
            "feedsportal" => Self::Feedsportal,
            _ => return None,
        })
    }
}

/// What a missing or undecodable target means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Failure {
    /// The wrapper is damaged.
    Undecodable,
    /// The service also makes URLs that only it can resolve.
    Opaque,
    /// The URL is not a wrapper.
    Other,
}

impl Failure {
    pub(crate) fn parse(name: &str) -> Option<Self> {
        Some(match name {
            "undecodable" => Self::Undecodable,
            "opaque" => Self::Opaque,
            "other" => Self::Other,
            _ => return None,
        })
    }
}

impl Wrapper {
    /// A wrapper with the defaults of its family.
    ///
    /// Mail security rewrites every link, so one without a target is broken. Many newer links of
    /// newsletters are encrypted. A site that redirects has other pages, too.
    pub(crate) fn new(family: Family) -> Self {
        let (absent, broken) = match family {
            Family::Security => (Failure::Undecodable, Failure::Undecodable),
            Family::Redirector => (Failure::Other, Failure::Undecodable),
            Family::Mailing | Family::Shortener | Family::Custom => {
                (Failure::Opaque, Failure::Opaque)
            }
        };
        Self {
            name: "",
            family,
            hosts: Vec::new(),
            paths: Vec::new(),
            needs: Vec::new(),
            query: "",
            take: TargetLocation::Nothing,
            coding: Coding::Percent,
            absent,
            broken,
            has_bare_hosts: true,
            hint: None,
            brand: None,
            source: "",
            checked: "",
            example: "",
            target: "",
        }
    }

    /// Whether only the service knows the targets.
    #[must_use]
    pub fn is_opaque(&self) -> bool {
        self.take == TargetLocation::Nothing
    }
}
