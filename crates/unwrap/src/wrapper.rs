//! What the table says of a wrapper.

/// A kind of URL that contains another: one row of the table.
#[derive(Clone, Debug)]
pub struct Wrapper {
    /// Its name in reports; never changes once released.
    pub name: &'static str,
    /// What sort of service makes it.
    pub family: Family,
    /// Patterns of its hosts; none if it runs on the hosts of its customers.
    pub hosts: Vec<&'static str>,
    /// Patterns of its paths.
    pub paths: Vec<&'static str>,
    /// Parameters without which a URL is none of these.
    pub needs: Vec<&'static str>,
    /// How the query begins, if that is part of the form.
    pub query: &'static str,
    /// Where the target is.
    pub take: Take,
    /// How it is coded.
    pub coding: Coding,
    /// What it means if the target is not there.
    pub absent: Failure,
    /// What it means if it cannot be decoded.
    pub broken: Failure,
    /// Whether the target may lack its scheme: `a.example/b`, which is then `http`.
    pub has_bare_hosts: bool,
    /// The parameter that names the host of the target, which is no proof of it.
    pub hint: Option<&'static str>,
    /// The word in a host by which people recognise the service, if it is not the registered name.
    pub brand: Option<&'static str>,
    /// Where the form was learnt.
    pub source: &'static str,
    /// When that was checked: year and month.
    pub checked: &'static str,
    /// A URL of this form.
    pub example: &'static str,
    /// The URL in the example; empty if only the service knows it.
    pub target: &'static str,
}

/// What sort of service makes a wrapper.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Family {
    /// Mail security: every link of a message is rewritten to be checked when it is followed.
    Security,
    /// Newsletters and their click counters.
    Mailing,
    /// The way out of a site, or of a search.
    Redirector,
    /// A short name for a URL.
    Shortener,
    /// One from a configuration.
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

/// Where in a URL the target is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Take {
    /// Nowhere: only the service knows it.
    Nothing,
    /// The first of these parameters that is there and not empty.
    Parameter(Vec<&'static str>),
    /// As before, in upper or lower case.
    ParameterInAnyCase(Vec<&'static str>),
    /// What `{}` or `{*}` stands for in the path.
    Captured,
    /// As before, with the query and the fragment.
    CapturedAndRest,
    /// What is between these texts in the path.
    Between(&'static str, &'static str),
    /// The whole query.
    Query,
    /// What follows the last of this text in the query, with the fragment.
    QueryAfter(&'static str),
    /// The coding reads the whole URL.
    Url,
}

/// How a target is coded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Coding {
    /// Percent-encoded once.
    Percent,
    /// A URL in a path: as written, or percent-encoded as a whole.
    PercentOrPlain,
    /// Base64 of either alphabet, with or without padding.
    Base64,
    /// Base64 after so many characters that belong to the service.
    Base64After(usize),
    /// Percent-encoded, or base64 with `~` as padding.
    PercentOrBase64,
    /// A string in a JSON object in base64, up to the first dot, by its key.
    Json(&'static str),
    /// A string in the second part of a JSON Web Token (RFC 7519 §3), which is signed, not encrypted,
    /// by its key.
    Jwt(&'static str),
    /// JSON in JSON in base64.
    Mandrill,
    /// zlib in base64.
    Zlib,
    /// A parameter of a form in zlib in base64.
    ZlibForm(&'static str),
    /// Tagged fields in base64.
    Sparkpost,
    /// Percent-encoded, up to `&k=`, then with HTML's character references.
    ProofpointV1,
    /// `-` stands for `%`, `_` for `/`; then the same.
    ProofpointV2,
    /// Stars stand for characters that are listed behind the URL.
    ProofpointV3,
    /// Between `___` and `___.`, `*` stands for `%`.
    CheckpointV2,
    /// Parameters after `&&`, in base64.
    SophosAppliance,
    /// A host and what follows, without the scheme, which is this one; percent-encoded.
    Host(&'static str),
    /// A host and what follows, without the scheme, which is this one; as written.
    RawHost(&'static str),
    /// Percent-encoded, with a signature after the last colon.
    Signed,
    /// The URL itself, whose host has this end more.
    HostSuffix(&'static str),
    /// A host, `/s/` and a path.
    HostAndPath,
    /// A record of protocol buffers in base64, which begins with a URL.
    GoogleNews,
    /// The URL itself, whose host is a label in which hyphens stand for dots.
    TranslateProxy,
    /// `0` and a letter stand for what is frequent in URLs: `0B` for a dot.
    Feedsportal,
}

impl Coding {
    /// The coding with a name in `wrappers.toml`, which some follow with an argument.
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
    /// The wrapper is broken.
    Undecodable,
    /// The service also makes URLs that only it can open.
    Opaque,
    /// It is another URL that has the same form by accident.
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
    /// A wrapper of that family with the defaults of its keys.
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
            take: Take::Nothing,
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
        self.take == Take::Nothing
    }
}
