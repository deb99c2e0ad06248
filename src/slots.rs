//! The table of places where a URL may stand: data, no code that reads documents.

/// What a link is for; chosen with `--links`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Class {
    /// A hyperlink that a person follows: `a`, `area`, SVG's `a`.
    Anchor,
    /// What the document is shown with: images, scripts, media.
    Resource,
    /// Another document shown or put in the place of this one: frames, objects, refresh.
    Document,
    /// Where a form is sent.
    Form,
    /// What is said about the document or a part of it: `link`, `cite`, `profile`.
    Metadata,
}

impl Class {
    /// Every class, in the order of the documentation.
    pub const ALL: [Self; 5] = [
        Self::Anchor,
        Self::Resource,
        Self::Document,
        Self::Form,
        Self::Metadata,
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
        }
    }
}

/// A set of classes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Classes(u16);

impl Classes {
    /// Every class.
    pub const ALL: Self = Self((1 << Class::ALL.len()) - 1);
    /// [`Class::Anchor`] alone.
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

/// Where an element's name belongs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Namespace {
    /// HTML.
    Html,
    /// SVG.
    Svg,
    /// MathML.
    MathMl,
}

/// How URLs are written in a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Grammar {
    /// One URL, the whole value.
    Url,
    /// URLs between ASCII white space: `ping`, HTML 4.01's `archive` of `object`, `profile`.
    SpaceList,
    /// URLs between commas: `archive` of `applet`.
    CommaList,
    /// HTML "srcset attribute".
    Srcset,
    /// HTML "shared declarative refresh steps".
    Refresh,
    /// The `report-uri` directives of a Content Security Policy.
    Csp,
    /// A `Link` header field value (RFC 8288 §3).
    LinkHeader,
    /// An HTML document: `srcdoc`. Not a link itself.
    Html,
}

/// What else an element must have for the place to hold a URL; values are compared
/// ASCII case-insensitively.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Condition {
    /// Nothing.
    Always,
    /// Another attribute with this value.
    Attribute(&'static str, &'static str),
}

/// What a URL in the place is relative to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RelativeTo {
    /// The base of the document.
    Document,
    /// The base of the layers outside the document.
    Outside,
    /// The `codebase` of the same element, where it has one.
    Codebase,
}

/// One place where a URL may stand.
#[derive(Debug, PartialEq, Eq)]
pub struct Slot {
    /// The element's local name in lower case as HTML writes it (SVG's with its capitals),
    /// `*` for any.
    pub element: &'static str,
    /// The element's namespace.
    pub namespace: Namespace,
    /// The attribute's name as reports give it: `href`, `xlink:href`.
    pub attr: &'static str,
    /// How URLs are written in it.
    pub grammar: Grammar,
    /// What it is for.
    pub class: Class,
    /// What else the element must have.
    pub condition: Condition,
    /// What the URL is relative to.
    pub relative_to: RelativeTo,
}
