//! The columns of the table: kinds of places, values and conditions.

use memchr::memchr;

/// In place of an attribute: the text of the element, a style sheet or data.
pub const CONTENT: &str = "#text";

/// What a link is for; chosen with `--links`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Class {
    /// A hyperlink that a person follows: `a`, `area`, SVG's `a`, and in messages the links of
    /// calendars and Internet shortcuts; in feeds and sitemaps the addresses of entries.
    Anchor,
    /// What the document is rendered with: images, scripts, media.
    Resource,
    /// Another document, shown inside this one or replacing it: frames, objects, refresh.
    Document,
    /// Where a form is submitted.
    Form,
    /// Metadata about the document or a part of it: `link`, `cite`, `profile`.
    Metadata,
    /// The header fields of a message or of a part of it.
    Header,
    /// The plain text of a message.
    Text,
}

impl Class {
    /// Every class, in the order of the documentation.
    pub const ALL: [Self; 7] = [
        Self::Anchor,
        Self::Resource,
        Self::Document,
        Self::Form,
        Self::Metadata,
        Self::Header,
        Self::Text,
    ];

    /// The name in options and reports.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Anchor => "anchor",
            Self::Resource => "resource",
            Self::Document => "document",
            Self::Form => "form",
            Self::Metadata => "metadata",
            Self::Header => "header",
            Self::Text => "text",
        }
    }
}

/// A set of classes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Classes(u16);

impl Classes {
    /// Every class.
    pub const ALL: Self = Self((1 << Class::ALL.len()) - 1);
    /// Every class of links in HTML.
    pub const IN_HTML: Self =
        Self(Self::ALL.0 & !(1 << Class::Header as u16) & !(1 << Class::Text as u16));
    /// Only [`Class::Anchor`].
    pub const ANCHORS: Self = Self(1 << Class::Anchor as u16);

    /// Whether the class is in the set.
    #[must_use]
    pub const fn contains(self, class: Class) -> bool {
        self.0 & (1 << class as u16) != 0
    }

    /// The set with the class added.
    #[must_use]
    pub const fn with(self, class: Class) -> Self {
        Self(self.0 | 1 << class as u16)
    }
}

/// The namespace of an element's name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Namespace {
    /// HTML.
    Html,
    /// SVG.
    Svg,
    /// MathML.
    MathMl,
    /// No markup: the element is `header` for a header field, whose name takes the place of the
    /// attribute, `calendar` for a property of a calendar, `shortcut` for an Internet shortcut, and
    /// `text` for plain text.
    Message,
    /// An HTTP response: `header` for a header field, as in [`Self::Message`].
    Response,
    /// What lists the files of an EPUB: its package document, the navigation document of EPUB 2, a
    /// media overlay.
    Epub,
    /// A feed: Atom, RSS, and the modules of RSS, whose elements have their usual prefix.
    Feed,
    /// A sitemap or an index of sitemaps; elements of extensions have their usual prefix.
    Sitemap,
}

impl Namespace {
    /// Every namespace, in the order of the discriminants.
    pub const ALL: [Self; 8] = [
        Self::Html,
        Self::Svg,
        Self::MathMl,
        Self::Message,
        Self::Response,
        Self::Epub,
        Self::Feed,
        Self::Sitemap,
    ];
}

/// How URLs are written in a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Grammar {
    /// One URL, the whole value.
    Url,
    /// URLs separated by ASCII white space: `ping`, HTML 4.01's `archive` of `object`, `profile`.
    SpaceList,
    /// URLs separated by commas: `archive` of `applet`.
    CommaList,
    /// HTML "srcset attribute".
    Srcset,
    /// HTML "shared declarative refresh steps".
    Refresh,
    /// The `report-uri` directives of a Content Security Policy.
    Csp,
    /// A `Link` header field value (RFC 8288 §3).
    LinkHeader,
    /// URLs in angle brackets, separated by commas (RFC 2369 §2).
    BracketList,
    /// One URL, bare, or in `<` and `>`, `<URL:` and `>`, or quotes; white space in it is ignored.
    Wrapped,
    /// The `URL` parameter of a message/external-body (RFC 2017 §3).
    Parameter,
    /// URLs in running text (RFC 3986 appendix C).
    PlainText,
    /// CSS: a style sheet, declarations or a value (CSS Values 4 §4.5, CSS Cascade 5 §2).
    Css,
    /// CSS or, if that holds no URL, one URL, the whole value.
    CssOrUrl,
    /// The parameters of a pinned site whose names end with `-uri`, separated by semicolons.
    PinnedSite,
    /// HTML "import map".
    ImportMap,
    /// HTML "speculation rules".
    SpeculationRules,
    /// JSON-LD 1.1 with the vocabulary of schema.org.
    JsonLd,
    /// An HTML document: `srcdoc`, and the content of an entry of a feed. Not a link itself.
    Html,
}

impl Grammar {
    /// The name in the documentation.
    #[must_use]
    pub fn in_words(self) -> &'static str {
        match self {
            Self::Url => "URL",
            Self::SpaceList => "URLs separated by white space",
            Self::CommaList => "URLs separated by commas",
            Self::Srcset => "image candidates of a srcset",
            Self::Refresh => "delay and URL of a refresh",
            Self::Csp => "`report-uri` of a Content Security Policy",
            Self::LinkHeader => "`Link` header field",
            Self::BracketList => "URLs in angle brackets, separated by commas",
            Self::Wrapped => "URL, bare or in angle brackets or quotes",
            Self::Parameter => "`URL` parameter",
            Self::PlainText => "URLs in running text",
            Self::Css => "CSS: `url()`, `src()`, `@import`, `image-set()`, `image()`",
            Self::CssOrUrl => "CSS or one URL",
            Self::PinnedSite => "`...-uri=` between semicolons",
            Self::ImportMap => "JSON: addresses of `imports` and `scopes`, names in `integrity`",
            Self::SpeculationRules => "JSON: `urls` of each rule",
            Self::JsonLd => "JSON: `@id`, `@context`, URLs of schema.org's properties",
            Self::Html => "HTML document",
        }
    }
}

/// What else must hold of an element for the place to hold a URL; values are compared ASCII
/// case-insensitively.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Condition {
    /// Nothing.
    Always,
    /// Another attribute with this value; for a header field, a parameter.
    Attribute(&'static str, &'static str),
    /// Another attribute does not have this value, or is not there.
    Unless(&'static str, &'static str),
    /// Another attribute, a white-space-separated list with one of these words in it.
    Word(&'static str, &'static [&'static str]),
    /// The `type` attribute is this media type, apart from parameters and surrounding white space.
    Type(&'static str),
    /// The `type` attribute is missing, empty or `text/css` (HTML "update a style block").
    StyleSheet,
    /// The `name`, `property` or `itemprop` attribute is a white-space-separated list with one of
    /// these words in it. Only `RDFa` and microdata define lists, but in practice names meant for
    /// one of the three attributes turn up in another.
    Property(&'static [&'static str]),
}

/// What a URL in the place is relative to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum RelativeTo {
    /// The base of the document, or in a feed the innermost `xml:base`; for a header field, the base of
    /// its header (RFC 1808 §3.1).
    Document,
    /// The base of the layers outside the document or the header.
    Outside,
    /// The `codebase` of the same element, if it has one.
    Codebase,
}

/// Whether browsers fetch the target of a link by themselves, along with the page or ahead of the
/// next one, and what Mixed Content makes of an `http` target on an `https` page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Fetched {
    /// They do not: a person follows the link, or only other programs read it.
    No,
    /// They fetch it to show it: images, audio, video, icons. "Upgradeable".
    Shown,
    /// They fetch it to run it, to apply it or to frame it: scripts, style sheets, documents in
    /// frames, and what is loaded ahead; also images of a `srcset` and text tracks. "Blockable".
    Applied,
    /// They may fetch it ahead of the next page, as far as it is loaded as part of this one. "Blockable".
    Ahead,
}

/// One place where a URL may occur.
#[derive(Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct LinkPlace {
    /// The element's local name in lower case as HTML writes it (SVG's with its capitals),
    /// `*` for any.
    pub element: &'static str,
    /// The element's namespace.
    pub namespace: Namespace,
    /// The attribute's name as reports give it: `href`, `xlink:href`; or [`CONTENT`].
    pub attr: &'static str,
    /// How URLs are written in it.
    pub grammar: Grammar,
    /// What it is for.
    pub class: Class,
    /// What else the element must have.
    pub condition: Condition,
    /// What the URL is relative to.
    pub relative_to: RelativeTo,
    /// Whether browsers fetch its target.
    pub fetched: Fetched,
    /// Whether it holds the address of its own document, as search engines, feed readers and
    /// browsers understand it: `canonical` and `alternate` links, `og:url` and the like, a refresh.
    pub is_own_address: bool,
    /// Whether browsers, or their extensions, let a person follow it to its target.
    pub followed: bool,
    /// Whether a standards body specifies the place, not just a framework or a vendor.
    pub standard: bool,
    /// The specification that defines it, or `de facto` where none does.
    pub source: &'static str,
}

impl Condition {
    /// The attributes that [`Condition::Property`] looks at.
    pub const PROPERTY: [&'static str; 3] = ["name", "property", "itemprop"];

    /// The attributes that it asks for.
    pub fn attributes(self) -> impl Iterator<Item = &'static str> {
        let (one, others): (_, &[_]) = match self {
            Self::Always => (None, &[]),
            Self::Attribute(attr, _) | Self::Unless(attr, _) | Self::Word(attr, _) => {
                (Some(attr), &[])
            }
            Self::Type(_) | Self::StyleSheet => (Some("type"), &[]),
            Self::Property(_) => (None, &Self::PROPERTY),
        };
        one.into_iter().chain(others.iter().copied())
    }

    /// Whether an element meets it; `value_of` gives the value of the attribute of that name.
    #[must_use]
    pub fn is_met<V: AsRef<str>>(self, value_of: impl Fn(&'static str) -> Option<V>) -> bool {
        let is = |value: V, wanted: &str| value.as_ref().eq_ignore_ascii_case(wanted);
        match self {
            Self::Always => true,
            Self::Attribute(attr, wanted) => value_of(attr).is_some_and(|value| is(value, wanted)),
            Self::Unless(attr, other) => !value_of(attr).is_some_and(|value| is(value, other)),
            Self::Word(attr, wanted) => value_of(attr).is_some_and(|value| {
                let mut words = value.as_ref().split_ascii_whitespace();
                words.any(|word| wanted.iter().any(|one| word.eq_ignore_ascii_case(one)))
            }),
            Self::Type(wanted) => value_of("type").is_some_and(|value| {
                let value = value.as_ref().as_bytes();
                let length = memchr(b';', value).unwrap_or(value.len());
                let essence = value[..length].trim_ascii();
                essence.eq_ignore_ascii_case(wanted.as_bytes())
            }),
            Self::StyleSheet => value_of("type")
                .is_none_or(|value| value.as_ref().is_empty() || is(value, "text/css")),
            Self::Property(properties) => {
                let has_one = |value: V| {
                    let mut words = value.as_ref().split_ascii_whitespace();
                    words.any(|word| properties.iter().any(|one| word.eq_ignore_ascii_case(one)))
                };
                Self::PROPERTY
                    .into_iter()
                    .any(|attr| value_of(attr).is_some_and(has_one))
            }
        }
    }
}
