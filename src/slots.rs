//! The table of places where a URL may stand: data, no code that reads documents.
//!
//! [`SLOTS`] is the table, [`Wanted`] finds its rows by element, [`markdown`] prints it for the
//! README. A new place is one row here.
//!
//! A place can also be the text of an element: then [`CONTENT`] is in the place of the attribute.
//!
//! Not in the table are names that links point at (`id`, `a@name`), and what other tools list
//! although it is no URL in practice: `a@urn`, `link@urn`, `datasrc`, `script@for`.

use std::sync::LazyLock;

/// Stands for the text in an element where a row has no attribute: of a style sheet or of data.
pub const CONTENT: &str = "#text";

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
    /// Every class whose links stand in HTML.
    pub const IN_HTML: Self =
        Self(Self::ALL.0 & !(1 << Class::Header as u16) & !(1 << Class::Text as u16));
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
    /// No markup: what stands in for an element is `header` for a header field, which is in the
    /// place of the attribute, and `text` for plain text.
    Message,
    /// An HTTP response: `header` for a header field, as in [`Self::Message`].
    Response,
}

impl Namespace {
    /// Every namespace, in the order of the discriminants.
    pub const ALL: [Self; 5] = [
        Self::Html,
        Self::Svg,
        Self::MathMl,
        Self::Message,
        Self::Response,
    ];
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
    /// URLs in angle brackets between commas (RFC 2369 §2).
    BracketList,
    /// One URL, bare or in `<` and `>`, `<URL:` and `>`, or quotes, white space in it ignored.
    Wrapped,
    /// The `URL` parameter of a message/external-body (RFC 2017 §3).
    Parameter,
    /// URLs in running text (RFC 3986 appendix C).
    PlainText,
    /// CSS: a style sheet, declarations or a value (CSS Values 4 §4.5, CSS Cascade 5 §2).
    Css,
    /// CSS or, if no URL stands in that, one URL, the whole value.
    CssOrUrl,
    /// The parameters of a pinned site whose name ends with `-uri`, between semicolons.
    PinnedSite,
    /// HTML "import map".
    ImportMap,
    /// HTML "speculation rules".
    SpeculationRules,
    /// JSON-LD 1.1 with the vocabulary of schema.org.
    JsonLd,
    /// An HTML document: `srcdoc`. Not a link itself.
    Html,
}

impl Grammar {
    /// The name in the documentation.
    #[must_use]
    pub fn in_words(self) -> &'static str {
        match self {
            Self::Url => "URL",
            Self::SpaceList => "URLs between white space",
            Self::CommaList => "URLs between commas",
            Self::Srcset => "image candidates of a srcset",
            Self::Refresh => "time and URL of a refresh",
            Self::Csp => "`report-uri` of a content security policy",
            Self::LinkHeader => "`Link` header field",
            Self::BracketList => "URLs in angle brackets between commas",
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

/// What else an element must have for the place to hold a URL; values are compared
/// ASCII case-insensitively.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Condition {
    /// Nothing.
    Always,
    /// Another attribute with this value; for a header field, a parameter.
    Attribute(&'static str, &'static str),
    /// The `type` attribute is this media type, parameters and white space around it aside.
    Type(&'static str),
    /// There is no `type` attribute, or it is empty or `text/css` (HTML "update a style block").
    StyleSheet,
    /// The `name`, `property` or `itemprop` attribute has one of these among the words between
    /// its white space. Of the three `RDFa` and microdata have words; what is written for one is
    /// in practice found in another.
    Property(&'static [&'static str]),
}

/// What a URL in the place is relative to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RelativeTo {
    /// The base of the document; for a header field, that of its heading (RFC 1808 §3.1).
    Document,
    /// The base of the layers outside the document or the heading.
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
    /// The specification that has it, or `de facto` where there is none.
    pub source: &'static str,
}

/// Every place, by source; the order means nothing to a reader of documents.
pub static SLOTS: &[Slot] = &[
    // HTML: links
    html("a", "href", Class::Anchor),
    html("area", "href", Class::Anchor),
    html("a", "ping", Class::Metadata).written(Grammar::SpaceList),
    html("area", "ping", Class::Metadata).written(Grammar::SpaceList),
    html("base", "href", Class::Metadata).relative_to(RelativeTo::Outside),
    html("link", "href", Class::Metadata),
    html("link", "imagesrcset", Class::Resource).written(Grammar::Srcset),
    // HTML: embedded content
    html("img", "src", Class::Resource),
    html("source", "src", Class::Resource),
    html("img", "srcset", Class::Resource).written(Grammar::Srcset),
    html("source", "srcset", Class::Resource).written(Grammar::Srcset),
    html("audio", "src", Class::Resource),
    html("video", "src", Class::Resource),
    html("video", "poster", Class::Resource),
    html("track", "src", Class::Resource),
    html("script", "src", Class::Resource),
    html("input", "src", Class::Resource),
    html("iframe", "src", Class::Document),
    html("embed", "src", Class::Document),
    html("iframe", "srcdoc", Class::Document).written(Grammar::Html),
    html("object", "data", Class::Document).relative_to(RelativeTo::Codebase),
    // HTML: forms
    html("form", "action", Class::Form),
    html("button", "formaction", Class::Form),
    html("input", "formaction", Class::Form),
    // HTML: edits, quotations, microdata
    html("blockquote", "cite", Class::Metadata),
    html("q", "cite", Class::Metadata),
    html("ins", "cite", Class::Metadata),
    html("del", "cite", Class::Metadata),
    html("*", "itemid", Class::Metadata),
    html("*", "itemtype", Class::Metadata).written(Grammar::SpaceList),
    // HTML: pragmas
    html("meta", "content", Class::Document)
        .written(Grammar::Refresh)
        .when("http-equiv", "refresh"),
    html("meta", "content", Class::Metadata)
        .written(Grammar::Csp)
        .when("http-equiv", "content-security-policy")
        .of("CSP 3"),
    // HTML, "obsolete features", and HTML 4.01
    html("body", "background", Class::Resource),
    html("table", "background", Class::Resource),
    html("thead", "background", Class::Resource),
    html("tbody", "background", Class::Resource),
    html("tfoot", "background", Class::Resource),
    html("tr", "background", Class::Resource),
    html("td", "background", Class::Resource),
    html("th", "background", Class::Resource),
    html("img", "longdesc", Class::Metadata).of("HTML 4.01"),
    html("frame", "longdesc", Class::Metadata).of("HTML 4.01"),
    html("iframe", "longdesc", Class::Metadata).of("HTML 4.01"),
    html("img", "lowsrc", Class::Resource),
    html("img", "dynsrc", Class::Resource).of("de facto"),
    html("img", "usemap", Class::Metadata).of("HTML 4.01"),
    html("input", "usemap", Class::Metadata).of("HTML 4.01"),
    html("object", "usemap", Class::Metadata).of("HTML 4.01"),
    html("object", "classid", Class::Document)
        .relative_to(RelativeTo::Codebase)
        .of("HTML 4.01"),
    html("object", "codebase", Class::Document).of("HTML 4.01"),
    html("object", "archive", Class::Document)
        .written(Grammar::SpaceList)
        .relative_to(RelativeTo::Codebase)
        .of("HTML 4.01"),
    html("applet", "code", Class::Document)
        .relative_to(RelativeTo::Codebase)
        .of("HTML 4.01"),
    html("applet", "object", Class::Document)
        .relative_to(RelativeTo::Codebase)
        .of("HTML 4.01"),
    html("applet", "archive", Class::Document)
        .written(Grammar::CommaList)
        .relative_to(RelativeTo::Codebase)
        .of("HTML 4.01"),
    html("applet", "codebase", Class::Document).of("HTML 4.01"),
    html("applet", "src", Class::Document).of("de facto"),
    html("param", "value", Class::Resource)
        .when("valuetype", "ref")
        .of("HTML 4.01"),
    html("head", "profile", Class::Metadata)
        .written(Grammar::SpaceList)
        .of("HTML 4.01"),
    html("html", "manifest", Class::Metadata).of("HTML 5.0"),
    html("frame", "src", Class::Document).of("HTML 4.01"),
    html("isindex", "action", Class::Form).of("de facto"),
    html("portal", "src", Class::Document).of("Portals"),
    // HTML as browsers had it, before or beside a specification
    html("bgsound", "src", Class::Resource).of("de facto"),
    html("embed", "pluginspage", Class::Metadata).of("de facto"),
    html("embed", "pluginurl", Class::Metadata).of("de facto"),
    html("layer", "src", Class::Document).of("de facto"),
    html("ilayer", "src", Class::Document).of("de facto"),
    html("layer", "background", Class::Resource).of("de facto"),
    html("ilayer", "background", Class::Resource).of("de facto"),
    html("xmp", "href", Class::Metadata).of("de facto"),
    html("fig", "src", Class::Resource).of("HTML 3.0"),
    html("overlay", "src", Class::Resource).of("HTML 3.0"),
    html("command", "icon", Class::Resource).of("HTML 5.0"),
    html("menuitem", "icon", Class::Resource).of("HTML 5.0"),
    html("html", "xml:base", Class::Metadata).of("XML Base"),
    html("body", "xml:base", Class::Metadata).of("XML Base"),
    // Header fields in a `meta` element: no browser heeds them, old tools do
    html("meta", "content", Class::Metadata)
        .when("http-equiv", "base")
        .of("RFC 1808"),
    html("meta", "content", Class::Metadata)
        .when("http-equiv", "content-base")
        .of("RFC 2110"),
    html("meta", "content", Class::Metadata)
        .when("http-equiv", "content-location")
        .of("RFC 2557"),
    html("meta", "content", Class::Metadata)
        .written(Grammar::LinkHeader)
        .when("http-equiv", "link")
        .of("RFC 8288"),
    // SVG 2 has `href`, SVG 1.1 `xlink:href`
    svg("a", "href", Class::Anchor),
    svg("a", "xlink:href", Class::Anchor).of("SVG 1.1"),
    svg("a", "ping", Class::Metadata).written(Grammar::SpaceList),
    svg("image", "href", Class::Resource),
    svg("image", "xlink:href", Class::Resource).of("SVG 1.1"),
    svg("use", "href", Class::Resource),
    svg("use", "xlink:href", Class::Resource).of("SVG 1.1"),
    svg("feImage", "href", Class::Resource),
    svg("feImage", "xlink:href", Class::Resource).of("SVG 1.1"),
    svg("script", "href", Class::Resource),
    svg("script", "xlink:href", Class::Resource).of("SVG 1.1"),
    svg("textPath", "href", Class::Resource),
    svg("textPath", "xlink:href", Class::Resource).of("SVG 1.1"),
    svg("mpath", "href", Class::Resource),
    svg("mpath", "xlink:href", Class::Resource).of("SVG 1.1"),
    svg("animate", "href", Class::Resource),
    svg("animate", "xlink:href", Class::Resource).of("SVG 1.1"),
    svg("animateMotion", "href", Class::Resource),
    svg("animateMotion", "xlink:href", Class::Resource).of("SVG 1.1"),
    svg("animateTransform", "href", Class::Resource),
    svg("animateTransform", "xlink:href", Class::Resource).of("SVG 1.1"),
    svg("set", "href", Class::Resource),
    svg("set", "xlink:href", Class::Resource).of("SVG 1.1"),
    svg("linearGradient", "href", Class::Resource),
    svg("linearGradient", "xlink:href", Class::Resource).of("SVG 1.1"),
    svg("radialGradient", "href", Class::Resource),
    svg("radialGradient", "xlink:href", Class::Resource).of("SVG 1.1"),
    svg("pattern", "href", Class::Resource),
    svg("pattern", "xlink:href", Class::Resource).of("SVG 1.1"),
    svg("filter", "href", Class::Resource).of("de facto"),
    svg("filter", "xlink:href", Class::Resource).of("SVG 1.1"),
    svg("cursor", "href", Class::Resource).of("de facto"),
    svg("cursor", "xlink:href", Class::Resource).of("SVG 1.1"),
    svg("tref", "href", Class::Resource).of("de facto"),
    svg("tref", "xlink:href", Class::Resource).of("SVG 1.1"),
    svg("animateColor", "href", Class::Resource).of("de facto"),
    svg("animateColor", "xlink:href", Class::Resource).of("SVG 1.1"),
    svg("font-face-uri", "href", Class::Resource).of("de facto"),
    svg("font-face-uri", "xlink:href", Class::Resource).of("SVG 1.1"),
    svg("color-profile", "href", Class::Resource).of("de facto"),
    svg("color-profile", "xlink:href", Class::Resource).of("SVG 1.1"),
    svg("*", "xml:base", Class::Metadata).of("XML Base"),
    // MathML: any element can be a link
    mathml("*", "href", Class::Metadata),
    mathml("*", "xlink:href", Class::Metadata).of("MathML 2"),
    mathml("*", "xml:base", Class::Metadata).of("XML Base"),
    mathml("annotation", "src", Class::Resource).of("MathML 3"),
    mathml("annotation-xml", "src", Class::Resource).of("MathML 3"),
    mathml("mglyph", "src", Class::Resource).of("MathML 3"),
    mathml("math", "altimg", Class::Resource).of("MathML 3"),
    // CSS: all elements, and style sheets
    html("*", "style", Class::Resource).written(Grammar::Css),
    svg("*", "style", Class::Resource).written(Grammar::Css),
    mathml("*", "style", Class::Resource)
        .written(Grammar::Css)
        .of("MathML Core"),
    html("style", CONTENT, Class::Resource)
        .written(Grammar::Css)
        .only(Condition::StyleSheet),
    svg("style", CONTENT, Class::Resource)
        .written(Grammar::Css)
        .only(Condition::StyleSheet),
    // SVG's presentation attributes
    svg("*", "fill", Class::Resource).written(Grammar::Css),
    svg("*", "stroke", Class::Resource).written(Grammar::Css),
    svg("*", "clip-path", Class::Resource).written(Grammar::Css),
    svg("*", "mask", Class::Resource).written(Grammar::Css),
    svg("*", "filter", Class::Resource).written(Grammar::Css),
    svg("*", "marker", Class::Resource)
        .written(Grammar::Css)
        .of("SVG 1.0"),
    svg("*", "marker-start", Class::Resource).written(Grammar::Css),
    svg("*", "marker-mid", Class::Resource).written(Grammar::Css),
    svg("*", "marker-end", Class::Resource).written(Grammar::Css),
    svg("*", "cursor", Class::Resource).written(Grammar::Css),
    // JSON in scripts
    html("script", CONTENT, Class::Metadata)
        .written(Grammar::ImportMap)
        .only(Condition::Type("importmap")),
    html("script", CONTENT, Class::Metadata)
        .written(Grammar::SpeculationRules)
        .only(Condition::Type("speculationrules")),
    html("script", CONTENT, Class::Metadata)
        .written(Grammar::JsonLd)
        .only(Condition::Type("application/ld+json"))
        .of("JSON-LD 1.1"),
    // Vocabularies of metadata
    html("meta", "content", Class::Metadata)
        .only(Condition::Property(OPEN_GRAPH))
        .of("Open Graph"),
    html("meta", "content", Class::Metadata)
        .only(Condition::Property(TWITTER))
        .of("de facto"),
    html("meta", "content", Class::Metadata)
        .only(Condition::Property(HIGHWIRE))
        .of("de facto"),
    html("meta", "content", Class::Metadata)
        .only(Condition::Property(PINNED_SITE))
        .of("de facto"),
    html("meta", "content", Class::Metadata)
        .written(Grammar::PinnedSite)
        .only(Condition::Property(PINNED_SITE_PARAMETERS))
        .of("de facto"),
    html("meta", "content", Class::Metadata)
        .only(Condition::Property(APP_LINKS))
        .of("App Links"),
    html("meta", "content", Class::Metadata)
        .only(Condition::Property(PLAIN_PROPERTIES))
        .of("de facto"),
    html("meta", "content", Class::Metadata)
        .when("scheme", "dcterms.uri")
        .of("DCMI"),
    html("*", "about", Class::Metadata).of("RDFa 1.1"),
    html("*", "resource", Class::Metadata).of("RDFa 1.1"),
    html("a", "attributionsrc", Class::Metadata)
        .written(Grammar::SpaceList)
        .of("Attribution Reporting"),
    html("area", "attributionsrc", Class::Metadata)
        .written(Grammar::SpaceList)
        .of("Attribution Reporting"),
    html("img", "attributionsrc", Class::Metadata)
        .written(Grammar::SpaceList)
        .of("Attribution Reporting"),
    html("script", "attributionsrc", Class::Metadata)
        .written(Grammar::SpaceList)
        .of("Attribution Reporting"),
    // What scripts make URLs of
    html("*", "data-src", Class::Resource).of("de facto"),
    html("*", "data-original", Class::Resource).of("de facto"),
    html("*", "data-lazy", Class::Resource).of("de facto"),
    html("*", "data-lazy-src", Class::Resource).of("de facto"),
    html("*", "data-full-src", Class::Resource).of("de facto"),
    html("*", "data-iframe-src", Class::Resource).of("de facto"),
    html("*", "data-poster", Class::Resource).of("de facto"),
    html("*", "data-srcset", Class::Resource)
        .written(Grammar::Srcset)
        .of("de facto"),
    html("*", "data-original-set", Class::Resource)
        .written(Grammar::Srcset)
        .of("de facto"),
    html("*", "data-lazy-srcset", Class::Resource)
        .written(Grammar::Srcset)
        .of("de facto"),
    html("*", "data-bg", Class::Resource)
        .written(Grammar::CssOrUrl)
        .of("de facto"),
    html("*", "data-background", Class::Resource)
        .written(Grammar::CssOrUrl)
        .of("de facto"),
    html("*", "data-background-image", Class::Resource)
        .written(Grammar::CssOrUrl)
        .of("de facto"),
    html("*", "data-href", Class::Metadata).of("de facto"),
    html("*", "data-url", Class::Metadata).of("de facto"),
    html("*", "data-uri", Class::Metadata).of("de facto"),
    html("*", "ng-href", Class::Metadata).of("AngularJS"),
    html("*", "ng-src", Class::Resource).of("AngularJS"),
    html("*", "ng-srcset", Class::Resource)
        .written(Grammar::Srcset)
        .of("AngularJS"),
    html("*", "hx-get", Class::Metadata).of("htmx"),
    html("*", "hx-post", Class::Metadata).of("htmx"),
    html("*", "hx-put", Class::Metadata).of("htmx"),
    html("*", "hx-patch", Class::Metadata).of("htmx"),
    html("*", "hx-delete", Class::Metadata).of("htmx"),
    html("*", "data-hx-get", Class::Metadata).of("htmx"),
    html("*", "data-hx-post", Class::Metadata).of("htmx"),
    html("*", "data-hx-put", Class::Metadata).of("htmx"),
    html("*", "data-hx-patch", Class::Metadata).of("htmx"),
    html("*", "data-hx-delete", Class::Metadata).of("htmx"),
    html("turbo-frame", "src", Class::Document).of("Turbo"),
    html("model", "src", Class::Resource).of("de facto"),
    // AMP
    html("amp-img", "src", Class::Resource).of("AMP"),
    html("amp-anim", "src", Class::Resource).of("AMP"),
    html("amp-video", "src", Class::Resource).of("AMP"),
    html("amp-audio", "src", Class::Resource).of("AMP"),
    html("amp-list", "src", Class::Resource).of("AMP"),
    html("amp-state", "src", Class::Resource).of("AMP"),
    html("amp-ad", "src", Class::Resource).of("AMP"),
    html("amp-iframe", "src", Class::Document).of("AMP"),
    html("amp-install-serviceworker", "src", Class::Resource).of("AMP"),
    html("amp-img", "srcset", Class::Resource)
        .written(Grammar::Srcset)
        .of("AMP"),
    html("amp-anim", "srcset", Class::Resource)
        .written(Grammar::Srcset)
        .of("AMP"),
    html("amp-video", "poster", Class::Resource).of("AMP"),
    html("form", "action-xhr", Class::Form).of("AMP"),
    html("form", "verify-xhr", Class::Form).of("AMP"),
    html("amp-story", "publisher-logo-src", Class::Resource).of("AMP"),
    html("amp-story", "poster-portrait-src", Class::Resource).of("AMP"),
    html("amp-story", "poster-square-src", Class::Resource).of("AMP"),
    html("amp-story", "poster-landscape-src", Class::Resource).of("AMP"),
    // VML: Outlook draws with it, most of it in conditional comments. Its `href` is no anchor,
    // though Outlook makes a button of it: no other program follows it.
    html("v:roundrect", "href", Class::Metadata).of("VML"),
    html("v:rect", "href", Class::Metadata).of("VML"),
    html("v:shape", "href", Class::Metadata).of("VML"),
    html("v:oval", "href", Class::Metadata).of("VML"),
    html("v:line", "href", Class::Metadata).of("VML"),
    html("v:polyline", "href", Class::Metadata).of("VML"),
    html("v:group", "href", Class::Metadata).of("VML"),
    html("v:image", "href", Class::Metadata).of("VML"),
    html("v:fill", "src", Class::Resource).of("VML"),
    html("v:stroke", "src", Class::Resource).of("VML"),
    html("v:image", "src", Class::Resource).of("VML"),
    html("v:imagedata", "src", Class::Resource).of("VML"),
    html("v:fill", "o:href", Class::Resource).of("VML"),
    html("v:stroke", "o:href", Class::Resource).of("VML"),
    html("v:imagedata", "o:href", Class::Resource).of("VML"),
    // Header fields of messages and their parts
    header("List-Help", Grammar::BracketList, "RFC 2369"),
    header("List-Unsubscribe", Grammar::BracketList, "RFC 2369"),
    header("List-Subscribe", Grammar::BracketList, "RFC 2369"),
    header("List-Post", Grammar::BracketList, "RFC 2369"),
    header("List-Owner", Grammar::BracketList, "RFC 2369"),
    header("List-Archive", Grammar::BracketList, "RFC 2369"),
    header("Archived-At", Grammar::Wrapped, "RFC 5064"),
    header("X-Archived-At", Grammar::Wrapped, "de facto"),
    header("Link", Grammar::LinkHeader, "RFC 8288"),
    header("Base", Grammar::Wrapped, "RFC 1808").relative_to(RelativeTo::Outside),
    header("Content-Base", Grammar::Wrapped, "RFC 2110").relative_to(RelativeTo::Outside),
    header("Content-Location", Grammar::Wrapped, "RFC 2557").relative_to(RelativeTo::Outside),
    header("Snapshot-Content-Location", Grammar::Wrapped, "de facto")
        .relative_to(RelativeTo::Outside),
    header("Content-Type", Grammar::Parameter, "RFC 2017").when("access-type", "url"),
    // Header fields of HTTP responses
    response("Link", Grammar::LinkHeader, "RFC 8288"),
    response("Location", Grammar::Url, "RFC 9110"),
    response("Content-Location", Grammar::Url, "RFC 9110"),
    response("Refresh", Grammar::Refresh, "HTML"),
    Slot::new(Namespace::Message, "text", "", Class::Text, "RFC 3986").written(Grammar::PlainText),
];

/// Open Graph's properties that are URLs.
const OPEN_GRAPH: &[&str] = &[
    "og:url",
    "og:see_also",
    "og:image",
    "og:image:url",
    "og:image:secure_url",
    "og:video",
    "og:video:url",
    "og:video:secure_url",
    "og:audio",
    "og:audio:url",
    "og:audio:secure_url",
];

/// Twitter's cards.
const TWITTER: &[&str] = &[
    "twitter:url",
    "twitter:image",
    "twitter:image:src",
    "twitter:player",
    "twitter:player:stream",
    "twitter:app:url:iphone",
    "twitter:app:url:ipad",
    "twitter:app:url:googleplay",
];

/// Highwire Press, for scholarly articles.
const HIGHWIRE: &[&str] = &[
    "citation_abstract_html_url",
    "citation_fulltext_html_url",
    "citation_pdf_url",
    "citation_public_url",
];

/// Microsoft's pinned sites.
const PINNED_SITE: &[&str] = &[
    "msapplication-config",
    "msapplication-starturl",
    "msapplication-tileimage",
    "msapplication-square70x70logo",
    "msapplication-square150x150logo",
    "msapplication-square310x310logo",
    "msapplication-wide310x150logo",
];

/// Those that are lists of parameters.
const PINNED_SITE_PARAMETERS: &[&str] = &[
    "msapplication-badge",
    "msapplication-notification",
    "msapplication-task",
];

/// App Links' URLs.
const APP_LINKS: &[&str] = &[
    "al:web:url",
    "al:ios:url",
    "al:android:url",
    "al:windows:url",
];

/// Names that no vocabulary or that more than one has.
const PLAIN_PROPERTIES: &[&str] = &[
    "contenturl",
    "embedurl",
    "identifier-url",
    "image",
    "logo",
    "sameas",
    "thumbnail",
    "thumbnailurl",
    "url",
];

/// The row of a header field, whose name is compared ASCII case-insensitively; `None` if no URL
/// stands in it.
#[must_use]
pub fn of_header_field(name: &[u8]) -> Option<&'static Slot> {
    of_field(Namespace::Message, name)
}

/// The row of a header field of an HTTP response, as [`of_header_field`].
#[must_use]
pub fn of_response_field(name: &[u8]) -> Option<&'static Slot> {
    of_field(Namespace::Response, name)
}

fn of_field(namespace: Namespace, name: &[u8]) -> Option<&'static Slot> {
    static FIELDS: LazyLock<Vec<&'static Slot>> = LazyLock::new(|| rows_of(Class::Header));
    let mut fields = FIELDS.iter().copied();
    fields
        .find(|slot| slot.namespace == namespace && slot.attr.as_bytes().eq_ignore_ascii_case(name))
}

/// The row of the `style` element of HTML, as which a style sheet of its own is reported.
#[must_use]
pub fn of_style_sheet() -> Option<&'static Slot> {
    static SHEET: LazyLock<Option<&'static Slot>> = LazyLock::new(|| {
        let mut slots = SLOTS.iter();
        slots.find(|slot| slot.element == "style" && slot.attr == CONTENT)
    });
    *SHEET
}

/// The row of plain text; there is one.
#[must_use]
pub fn of_plain_text() -> Option<&'static Slot> {
    static TEXT: LazyLock<Vec<&'static Slot>> = LazyLock::new(|| rows_of(Class::Text));
    TEXT.first().copied()
}

fn rows_of(class: Class) -> Vec<&'static Slot> {
    SLOTS.iter().filter(|slot| slot.class == class).collect()
}

const fn html(element: &'static str, attr: &'static str, class: Class) -> Slot {
    Slot::new(Namespace::Html, element, attr, class, "HTML")
}

const fn svg(element: &'static str, attr: &'static str, class: Class) -> Slot {
    Slot::new(Namespace::Svg, element, attr, class, "SVG 2")
}

const fn mathml(element: &'static str, attr: &'static str, class: Class) -> Slot {
    Slot::new(Namespace::MathMl, element, attr, class, "MathML 3")
}

const fn header(name: &'static str, grammar: Grammar, source: &'static str) -> Slot {
    Slot::new(Namespace::Message, "header", name, Class::Header, source).written(grammar)
}

const fn response(name: &'static str, grammar: Grammar, source: &'static str) -> Slot {
    Slot::new(Namespace::Response, "header", name, Class::Header, source).written(grammar)
}

/// The words of the table's rows; what a row does not say is the common case.
impl Slot {
    const fn new(
        namespace: Namespace,
        element: &'static str,
        attr: &'static str,
        class: Class,
        source: &'static str,
    ) -> Self {
        Self {
            element,
            namespace,
            attr,
            grammar: Grammar::Url,
            class,
            condition: Condition::Always,
            relative_to: RelativeTo::Document,
            source,
        }
    }

    const fn written(self, grammar: Grammar) -> Self {
        Self { grammar, ..self }
    }

    const fn when(self, attr: &'static str, value: &'static str) -> Self {
        self.only(Condition::Attribute(attr, value))
    }

    const fn only(self, condition: Condition) -> Self {
        Self { condition, ..self }
    }

    const fn relative_to(self, relative_to: RelativeTo) -> Self {
        Self {
            relative_to,
            ..self
        }
    }

    const fn of(self, source: &'static str) -> Self {
        Self { source, ..self }
    }
}

impl Condition {
    /// The attributes that [`Condition::Property`] looks at.
    pub const PROPERTY: [&'static str; 3] = ["name", "property", "itemprop"];

    /// Whether an element meets it; `value_of` gives the value of its attribute of that name.
    #[must_use]
    pub fn is_met<V: AsRef<str>>(self, value_of: impl Fn(&'static str) -> Option<V>) -> bool {
        let is = |value: V, wanted: &str| value.as_ref().eq_ignore_ascii_case(wanted);
        match self {
            Self::Always => true,
            Self::Attribute(attr, wanted) => value_of(attr).is_some_and(|value| is(value, wanted)),
            Self::Type(wanted) => value_of("type").is_some_and(|value| {
                let essence = value.as_ref().split(';').next().unwrap_or_default();
                essence.trim_ascii().eq_ignore_ascii_case(wanted)
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

/// The rows that a choice of classes asks for, found by element.
///
/// Made once for a run; a look-up allocates nothing and compares at most a few short names.
#[derive(Clone, Debug)]
pub struct Wanted {
    /// Sorted by [`bucket`] of the name.
    elements: Vec<WantedElement>,
    /// For each bucket the range in `elements`.
    buckets: [(usize, usize); BUCKETS],
    /// For each namespace the rows that hold for any element.
    any: [Vec<&'static Slot>; Namespace::ALL.len()],
}

#[derive(Clone, Debug)]
struct WantedElement {
    namespace: Namespace,
    name: &'static str,
    /// Its own rows, then those that hold for any element.
    slots: Vec<&'static Slot>,
}

const BUCKETS: usize = 32;

/// The first letter of a name, in either case.
fn bucket(name: &str) -> usize {
    name.bytes()
        .next()
        .map_or(0, |first| usize::from(first) % BUCKETS)
}

impl Wanted {
    /// The rows of these classes, and, whatever the classes, the places of whole documents
    /// ([`Grammar::Html`]): links of every class stand in them.
    #[must_use]
    pub fn new(classes: Classes) -> Self {
        Self::of_places(|slot| classes.contains(slot.class) || slot.grammar == Grammar::Html)
    }

    /// The rows that are wanted.
    #[must_use]
    pub fn of_places(is_wanted: impl Fn(&Slot) -> bool) -> Self {
        let wanted = |slot: &&Slot| is_wanted(slot);
        let any = Namespace::ALL.map(|namespace| {
            SLOTS
                .iter()
                .filter(wanted)
                .filter(|slot| slot.element == "*" && slot.namespace == namespace)
                .collect::<Vec<_>>()
        });
        let mut elements: Vec<WantedElement> = Vec::new();
        for slot in SLOTS
            .iter()
            .filter(wanted)
            .filter(|slot| slot.element != "*")
        {
            let known = elements
                .iter_mut()
                .find(|known| known.namespace == slot.namespace && known.name == slot.element);
            match known {
                Some(element) => element.slots.push(slot),
                None => elements.push(WantedElement {
                    namespace: slot.namespace,
                    name: slot.element,
                    slots: vec![slot],
                }),
            }
        }
        for element in &mut elements {
            element.slots.extend(&any[element.namespace as usize]);
        }
        elements.sort_by_key(|element| bucket(element.name));
        let first_from = |letter| elements.partition_point(|element| bucket(element.name) < letter);
        let buckets = std::array::from_fn(|letter| (first_from(letter), first_from(letter + 1)));
        Self {
            elements,
            buckets,
            any,
        }
    }

    /// The rows that can match an element, in the order of the table; empty for nearly every
    /// element when few classes are wanted.
    ///
    /// `element` is its local name in any case: HTML's tokenizer has `textpath` for what
    /// becomes SVG's `textPath`.
    #[must_use]
    pub fn of(&self, namespace: Namespace, element: &str) -> &[&'static Slot] {
        let (start, end) = self.buckets[bucket(element)];
        self.elements[start..end]
            .iter()
            .find(|known| known.namespace == namespace && known.name.eq_ignore_ascii_case(element))
            .map_or(&self.any[namespace as usize], |known| &known.slots)
    }
}

/// The table in Markdown, for the README: elements, attribute, class, how URLs are written in
/// it, and where it is specified. Rows that differ in the element alone are one line.
#[must_use]
pub fn markdown() -> String {
    let mut lines: Vec<(&Slot, String)> = Vec::new();
    for slot in SLOTS {
        let same = lines.iter_mut().find(|(first, _)| {
            let Slot { element, .. } = **first;
            Slot { element, ..*slot } == **first
        });
        match same {
            Some((_, elements)) => {
                elements.push_str(", ");
                elements.push_str(&element_in_words(slot));
            }
            None => lines.push((slot, element_in_words(slot))),
        }
    }
    let mut table = String::from(
        "| element | attribute | class | written as | source |\n|---|---|---|---|---|\n",
    );
    for (slot, elements) in lines {
        let row = [
            elements,
            attr_in_words(slot),
            slot.class.as_str().to_owned(),
            slot.grammar.in_words().to_owned(),
            slot.source.to_owned(),
        ];
        table.push_str("| ");
        table.push_str(&row.join(" | "));
        table.push_str(" |\n");
    }
    table
}

fn element_in_words(slot: &Slot) -> String {
    let vocabulary = match slot.namespace {
        Namespace::Html => "",
        Namespace::Svg => "SVG ",
        Namespace::MathMl => "MathML ",
        Namespace::Message => "mail ",
        Namespace::Response => "HTTP ",
    };
    match slot.element {
        "*" => format!("{vocabulary}any"),
        name => format!("{vocabulary}`{name}`"),
    }
}

fn attr_in_words(slot: &Slot) -> String {
    match slot.condition {
        Condition::Always if slot.attr.is_empty() => String::new(),
        Condition::Always => format!("`{}`", slot.attr),
        Condition::Attribute(attr, value) => {
            format!("`{}` where `{attr}` is `{value}`", slot.attr)
        }
        Condition::Type(value) => format!("`{}` where `type` is `{value}`", slot.attr),
        Condition::StyleSheet => format!("`{}` unless `type` is not `text/css`", slot.attr),
        Condition::Property(properties) => format!(
            "`{}` where `name`, `property` or `itemprop` has `{}`",
            slot.attr,
            properties.join("`, `")
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn attrs(wanted: &Wanted, namespace: Namespace, element: &str) -> Vec<&'static str> {
        let slots = wanted.of(namespace, element);
        slots.iter().map(|slot| slot.attr).collect()
    }

    #[test]
    fn no_place_is_listed_twice() {
        for (index, slot) in SLOTS.iter().enumerate() {
            let place = |slot: &Slot| (slot.namespace, slot.element, slot.attr, slot.condition);
            let again = SLOTS[..index]
                .iter()
                .any(|other| place(other) == place(slot));
            assert!(!again, "{slot:?}");
        }
    }

    #[test]
    fn names_are_written_as_the_tree_has_them() {
        for slot in SLOTS {
            let capitals = slot.namespace == Namespace::Svg;
            let is_name = |name: &str| {
                !name.is_empty()
                    && name.starts_with(|first: char| first.is_ascii_lowercase())
                    && name.chars().all(|c| {
                        c.is_ascii_lowercase() || c == '-' || c == ':' || c.is_ascii_digit()
                    })
            };
            let element = if capitals {
                slot.element.to_ascii_lowercase()
            } else {
                slot.element.to_owned()
            };
            assert!(element == "*" || is_name(&element), "{slot:?}");
            match slot.class {
                Class::Header => assert!(is_name(&slot.attr.to_ascii_lowercase()), "{slot:?}"),
                Class::Text => assert_eq!(slot.attr, ""),
                _ => assert!(slot.attr == CONTENT || is_name(slot.attr), "{slot:?}"),
            }
            assert!(!slot.source.is_empty(), "{slot:?}");
            let is_value = |value: &str| {
                !value.is_empty() && !value.contains(|c: char| c.is_whitespace() || c == ';')
            };
            match slot.condition {
                Condition::Always | Condition::StyleSheet => {}
                Condition::Attribute(attr, value) => {
                    assert!(is_name(attr) && is_value(value), "{slot:?}");
                }
                Condition::Type(value) => assert!(is_value(value), "{slot:?}"),
                Condition::Property(values) => {
                    assert!(values.iter().all(|value| is_value(value)), "{slot:?}");
                }
            }
        }
    }

    #[test]
    fn anchors_are_the_links_a_person_follows() {
        let anchors: Vec<_> = SLOTS
            .iter()
            .filter(|slot| slot.class == Class::Anchor)
            .map(|slot| (slot.namespace, slot.element, slot.attr))
            .collect();
        let expected = [
            (Namespace::Html, "a", "href"),
            (Namespace::Html, "area", "href"),
            (Namespace::Svg, "a", "href"),
            (Namespace::Svg, "a", "xlink:href"),
        ];
        assert_eq!(anchors, expected);
    }

    #[test]
    fn an_element_is_found_in_its_namespace_and_in_any_case() {
        let wanted = Wanted::new(Classes::ALL);
        let cases = [
            (
                Namespace::Html,
                "img",
                "src srcset longdesc lowsrc dynsrc usemap attributionsrc",
            ),
            (
                Namespace::Html,
                "IMG",
                "src srcset longdesc lowsrc dynsrc usemap attributionsrc",
            ),
            (Namespace::Html, "p", ""),
            (Namespace::Html, "", ""),
            (Namespace::Html, "é", ""),
            (Namespace::Svg, "textpath", "href xlink:href"),
            (Namespace::Svg, "textPath", "href xlink:href"),
            (Namespace::Svg, "img", ""),
            (Namespace::MathMl, "mi", ""),
            (Namespace::MathMl, "mglyph", "src"),
        ];
        for (namespace, element, own) in cases {
            let any = wanted.any[namespace as usize].iter();
            let own = own.split_ascii_whitespace();
            let expected: Vec<_> = own.chain(any.map(|slot| slot.attr)).collect();
            let found = attrs(&wanted, namespace, element);
            assert_eq!(found, expected, "{namespace:?} {element:?}");
        }
        let any = |namespace| {
            let slots = &wanted.any[namespace as usize];
            slots.iter().map(|slot| slot.attr).collect::<Vec<_>>()
        };
        assert!(any(Namespace::Html).contains(&"itemid"));
        assert_eq!(
            any(Namespace::MathMl),
            ["href", "xlink:href", "xml:base", "style"]
        );
    }

    /// The collector keeps a bit for each.
    #[test]
    fn no_element_has_more_than_64_rows() {
        let wanted = Wanted::new(Classes::ALL);
        for slot in SLOTS {
            let rows = wanted.of(slot.namespace, slot.element).len();
            assert!(rows <= 64, "{} has {rows}", slot.element);
        }
    }

    #[test]
    fn every_row_is_found_by_its_element() {
        let wanted = Wanted::new(Classes::ALL);
        for slot in SLOTS {
            let found = wanted.of(slot.namespace, slot.element);
            assert!(
                found.iter().any(|found| std::ptr::eq(*found, slot)),
                "{slot:?}"
            );
        }
    }

    #[test]
    fn only_the_wanted_classes_are_found_and_embedded_documents() {
        let wanted = Wanted::new(Classes::ANCHORS);
        let cases = [
            (Namespace::Html, "a", vec!["href"]),
            (Namespace::Html, "iframe", vec!["srcdoc"]),
            (Namespace::Html, "img", vec![]),
            (Namespace::Html, "p", vec![]),
            (Namespace::Svg, "a", vec!["href", "xlink:href"]),
            (Namespace::MathMl, "mi", vec![]),
        ];
        for (namespace, element, expected) in cases {
            assert_eq!(attrs(&wanted, namespace, element), expected, "{element}");
        }
    }

    #[test]
    fn a_header_field_is_found_in_any_case() {
        for (name, attr) in [
            ("list-HELP", Some("List-Help")),
            ("Base", Some("Base")),
            ("Subject", None),
            ("", None),
        ] {
            let slot = of_header_field(name.as_bytes());
            assert_eq!(slot.map(|slot| slot.attr), attr, "{name}");
        }
    }

    #[test]
    fn plain_text_has_one_row() {
        let slot = of_plain_text().unwrap();
        assert_eq!((slot.element, slot.class), ("text", Class::Text));
        assert_eq!(rows_of(Class::Text).len(), 1);
    }

    #[test]
    fn a_condition_compares_values_in_any_case() {
        let refresh = Condition::Attribute("http-equiv", "refresh");
        let cases = [
            (Some("refresh"), true),
            (Some("REFRESH"), true),
            (Some(" refresh"), false),
            (Some(""), false),
            (None, false),
        ];
        for (value, expected) in cases {
            assert_eq!(refresh.is_met(|_| value), expected, "{value:?}");
        }
        assert!(Condition::Always.is_met(|_| None::<&str>));
    }

    #[test]
    fn a_type_is_compared_without_its_parameters() {
        let json_ld = Condition::Type("application/ld+json");
        for (value, expected) in [
            (Some("application/ld+json"), true),
            (Some(" Application/LD+JSON ; charset=utf-8"), true),
            (Some("application/json"), false),
            (Some(""), false),
            (None, false),
        ] {
            assert_eq!(json_ld.is_met(|_| value), expected, "{value:?}");
        }
    }

    #[test]
    fn a_style_sheet_is_css_unless_it_says_otherwise() {
        for (value, expected) in [
            (None, true),
            (Some(""), true),
            (Some("Text/CSS"), true),
            (Some("text/less"), false),
            (Some(" text/css"), false),
        ] {
            assert_eq!(
                Condition::StyleSheet.is_met(|_| value),
                expected,
                "{value:?}"
            );
        }
    }

    #[test]
    fn a_property_is_one_of_the_words_of_its_attributes() {
        let image = Condition::Property(&["og:image", "image"]);
        for (attr, value, expected) in [
            ("property", "og:image", true),
            ("name", "OG:Image", true),
            ("itemprop", "thumbnail image", true),
            ("property", "og:image:width", false),
            ("http-equiv", "image", false),
            ("name", "", false),
        ] {
            let found = image.is_met(|name| (name == attr).then_some(value));
            assert_eq!(found, expected, "{attr}={value}");
        }
    }

    #[test]
    fn the_readme_has_the_table() {
        let readme = include_str!("../README.md");
        let table = markdown();
        assert!(
            readme.contains(&table),
            "the README's table is to be:\n{table}"
        );
    }

    #[test]
    fn the_markdown_table_joins_rows_that_differ_in_the_element_alone() {
        let table = markdown();
        let has = |line: &str| assert!(table.lines().any(|found| found == line), "{table}");
        has("| `a`, `area` | `href` | anchor | URL | HTML |");
        has("| any | `itemtype` | metadata | URLs between white space | HTML |");
        has("| SVG `a` | `xlink:href` | anchor | URL | SVG 1.1 |");
        has(
            "| `meta` | `content` where `http-equiv` is `refresh` | document | time and URL of a \
             refresh | HTML |",
        );
        let elements = table.lines().skip(2).map(|line| {
            line.split('|')
                .nth(1)
                .map_or(0, |cell| cell.split(", ").count())
        });
        assert_eq!(elements.sum::<usize>(), SLOTS.len());
    }
}
