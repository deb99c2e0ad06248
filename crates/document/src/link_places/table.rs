//! The rows of the table.

use super::types::{CONTENT, Class, Condition, Fetched, Grammar, LinkPlace, Namespace, RelativeTo};

/// Link types whose targets a browser applies to the page.
const APPLIED: &[&str] = &["stylesheet", "manifest", "preload", "modulepreload"];

/// Link types whose targets a browser loads ahead of the next page.
const AHEAD: &[&str] = &["prefetch", "prerender"];

/// Link types that browsers also process in header fields (HTML "process the headers").
const APPLIED_IN_HEADER: &[&str] = &["stylesheet", "preload", "modulepreload"];

/// What `rel=preload` loads ahead only to show it; HTML has `as` for no other link types with these
/// values.
const PRELOADED_MEDIA: &[&str] = &["image", "audio", "video"];

/// Link types whose targets are images.
const ICONS: &[&str] = &[
    "icon",
    "apple-touch-icon",
    "apple-touch-icon-precomposed",
    "mask-icon",
];

/// Link types whose targets are other pages, which browsers and their extensions let people visit: the
/// types that create hyperlinks in HTML, and the types of HTML 4.01 and its drafts.
const PAGES: &[&str] = &[
    "author",
    "help",
    "license",
    "next",
    "prev",
    "privacy-policy",
    "search",
    "terms-of-service",
    // Of HTML 4.01 and its drafts.
    "appendix",
    "bookmark",
    "chapter",
    "contents",
    "copyright",
    "first",
    "glossary",
    "home",
    "index",
    "last",
    "previous",
    "section",
    "start",
    "subsection",
    "toc",
    "up",
];

/// Every place, grouped by source; readers of documents do not depend on the order.
pub static LINK_PLACES: &[LinkPlace] = &[
    // HTML: links
    html("a", "href", Class::Anchor),
    html("area", "href", Class::Anchor),
    html("a", "ping", Class::Metadata).written(Grammar::SpaceList),
    html("area", "ping", Class::Metadata).written(Grammar::SpaceList),
    html("base", "href", Class::Metadata).relative_to(RelativeTo::Outside),
    html("link", "href", Class::Metadata)
        .only(Condition::Word("as", PRELOADED_MEDIA))
        .fetched(Fetched::Shown),
    html("link", "href", Class::Metadata)
        .only(Condition::Word("rel", APPLIED))
        .fetched(Fetched::Applied),
    html("link", "href", Class::Metadata)
        .only(Condition::Word("rel", AHEAD))
        .fetched(Fetched::Ahead),
    html("link", "href", Class::Metadata)
        .only(Condition::Word("rel", ICONS))
        .fetched(Fetched::Shown),
    html("link", "href", Class::Metadata)
        .only(Condition::Word("rel", &["canonical"]))
        .own_address(),
    html("link", "href", Class::Metadata)
        .only(Condition::Word("rel", &["alternate"]))
        .own_address()
        .followed(),
    html("link", "href", Class::Metadata)
        .only(Condition::Word("rel", PAGES))
        .followed(),
    html("link", "href", Class::Metadata),
    html("link", "imagesrcset", Class::Resource).written(Grammar::Srcset),
    // HTML: embedded content
    html("img", "src", Class::Resource),
    html("source", "src", Class::Resource),
    // Mixed Content, "upgradeable content": not with the initiator `imageset`.
    html("img", "srcset", Class::Resource)
        .written(Grammar::Srcset)
        .fetched(Fetched::Applied),
    html("source", "srcset", Class::Resource)
        .written(Grammar::Srcset)
        .fetched(Fetched::Applied),
    html("audio", "src", Class::Resource),
    html("video", "src", Class::Resource),
    html("video", "poster", Class::Resource),
    html("track", "src", Class::Resource).fetched(Fetched::Applied),
    html("script", "src", Class::Resource).fetched(Fetched::Applied),
    html("input", "src", Class::Resource),
    html("iframe", "src", Class::Document).fetched(Fetched::Applied),
    html("embed", "src", Class::Document).fetched(Fetched::Applied),
    html("iframe", "srcdoc", Class::Document).written(Grammar::Html),
    html("object", "data", Class::Document)
        .relative_to(RelativeTo::Codebase)
        .fetched(Fetched::Applied),
    // HTML: forms
    html("form", "action", Class::Form),
    html("button", "formaction", Class::Form),
    html("input", "formaction", Class::Form),
    // HTML: edits, quotations, microdata
    html("blockquote", "cite", Class::Metadata).followed(),
    html("q", "cite", Class::Metadata).followed(),
    html("ins", "cite", Class::Metadata).followed(),
    html("del", "cite", Class::Metadata).followed(),
    html("*", "itemid", Class::Metadata),
    html("*", "itemtype", Class::Metadata).written(Grammar::SpaceList),
    // HTML: pragmas
    html("meta", "content", Class::Document)
        .written(Grammar::Refresh)
        .when("http-equiv", "refresh")
        .own_address(),
    html("meta", "content", Class::Metadata)
        .written(Grammar::Csp)
        .when("http-equiv", "content-security-policy")
        .source("CSP 3"),
    // HTML, "obsolete features", and HTML 4.01
    html("body", "background", Class::Resource),
    html("table", "background", Class::Resource),
    html("thead", "background", Class::Resource),
    html("tbody", "background", Class::Resource),
    html("tfoot", "background", Class::Resource),
    html("tr", "background", Class::Resource),
    html("td", "background", Class::Resource),
    html("th", "background", Class::Resource),
    html("img", "longdesc", Class::Metadata)
        .source("HTML 4.01")
        .followed(),
    html("frame", "longdesc", Class::Metadata)
        .source("HTML 4.01")
        .followed(),
    html("iframe", "longdesc", Class::Metadata)
        .source("HTML 4.01")
        .followed(),
    html("img", "lowsrc", Class::Resource),
    html("img", "dynsrc", Class::Resource).de_facto(),
    html("img", "usemap", Class::Metadata).source("HTML 4.01"),
    html("input", "usemap", Class::Metadata).source("HTML 4.01"),
    html("object", "usemap", Class::Metadata).source("HTML 4.01"),
    html("object", "classid", Class::Document)
        .relative_to(RelativeTo::Codebase)
        .source("HTML 4.01")
        .fetched(Fetched::Applied),
    html("object", "codebase", Class::Document).source("HTML 4.01"),
    html("object", "archive", Class::Document)
        .written(Grammar::SpaceList)
        .relative_to(RelativeTo::Codebase)
        .source("HTML 4.01")
        .fetched(Fetched::Applied),
    html("applet", "code", Class::Document)
        .relative_to(RelativeTo::Codebase)
        .source("HTML 4.01")
        .fetched(Fetched::Applied),
    html("applet", "object", Class::Document)
        .relative_to(RelativeTo::Codebase)
        .source("HTML 4.01")
        .fetched(Fetched::Applied),
    html("applet", "archive", Class::Document)
        .written(Grammar::CommaList)
        .relative_to(RelativeTo::Codebase)
        .source("HTML 4.01")
        .fetched(Fetched::Applied),
    html("applet", "codebase", Class::Document).source("HTML 4.01"),
    html("applet", "src", Class::Document)
        .de_facto()
        .fetched(Fetched::Applied),
    html("param", "value", Class::Resource)
        .when("valuetype", "ref")
        .source("HTML 4.01"),
    html("head", "profile", Class::Metadata)
        .written(Grammar::SpaceList)
        .source("HTML 4.01"),
    html("html", "manifest", Class::Metadata).source("HTML 5.0"),
    html("frame", "src", Class::Document)
        .source("HTML 4.01")
        .fetched(Fetched::Applied),
    html("isindex", "action", Class::Form).de_facto(),
    html("portal", "src", Class::Document).by("Portals"),
    // HTML as browsers implemented it, before or outside a specification
    html("bgsound", "src", Class::Resource).de_facto(),
    html("embed", "pluginspage", Class::Metadata).de_facto(),
    html("embed", "pluginurl", Class::Metadata).de_facto(),
    html("layer", "src", Class::Document).de_facto(),
    html("ilayer", "src", Class::Document).de_facto(),
    html("layer", "background", Class::Resource).de_facto(),
    html("ilayer", "background", Class::Resource).de_facto(),
    html("xmp", "href", Class::Metadata).de_facto(),
    html("fig", "src", Class::Resource).source("HTML 3.0"),
    html("overlay", "src", Class::Resource).source("HTML 3.0"),
    html("command", "icon", Class::Resource).source("HTML 5.0"),
    html("menuitem", "icon", Class::Resource).source("HTML 5.0"),
    html("html", "xml:base", Class::Metadata).source("XML Base"),
    html("body", "xml:base", Class::Metadata).source("XML Base"),
    // Header fields in a `meta` element: browsers ignore them, old tools do not
    html("meta", "content", Class::Metadata)
        .when("http-equiv", "base")
        .source("RFC 1808")
        .own_address(),
    html("meta", "content", Class::Metadata)
        .when("http-equiv", "content-base")
        .source("RFC 2110")
        .own_address(),
    html("meta", "content", Class::Metadata)
        .when("http-equiv", "content-location")
        .source("RFC 2557")
        .own_address(),
    html("meta", "content", Class::Metadata)
        .written(Grammar::LinkHeader)
        .when("http-equiv", "link")
        .source("RFC 8288"),
    // SVG 2 has `href`, SVG 1.1 `xlink:href`
    svg("a", "href", Class::Anchor),
    svg("a", "xlink:href", Class::Anchor).source("SVG 1.1"),
    svg("a", "ping", Class::Metadata).written(Grammar::SpaceList),
    svg("image", "href", Class::Resource),
    svg("image", "xlink:href", Class::Resource).source("SVG 1.1"),
    svg("use", "href", Class::Resource),
    svg("use", "xlink:href", Class::Resource).source("SVG 1.1"),
    svg("feImage", "href", Class::Resource),
    svg("feImage", "xlink:href", Class::Resource).source("SVG 1.1"),
    svg("script", "href", Class::Resource).fetched(Fetched::Applied),
    svg("script", "xlink:href", Class::Resource)
        .source("SVG 1.1")
        .fetched(Fetched::Applied),
    svg("textPath", "href", Class::Resource),
    svg("textPath", "xlink:href", Class::Resource).source("SVG 1.1"),
    svg("mpath", "href", Class::Resource),
    svg("mpath", "xlink:href", Class::Resource).source("SVG 1.1"),
    svg("animate", "href", Class::Resource),
    svg("animate", "xlink:href", Class::Resource).source("SVG 1.1"),
    svg("animateMotion", "href", Class::Resource),
    svg("animateMotion", "xlink:href", Class::Resource).source("SVG 1.1"),
    svg("animateTransform", "href", Class::Resource),
    svg("animateTransform", "xlink:href", Class::Resource).source("SVG 1.1"),
    svg("set", "href", Class::Resource),
    svg("set", "xlink:href", Class::Resource).source("SVG 1.1"),
    svg("linearGradient", "href", Class::Resource),
    svg("linearGradient", "xlink:href", Class::Resource).source("SVG 1.1"),
    svg("radialGradient", "href", Class::Resource),
    svg("radialGradient", "xlink:href", Class::Resource).source("SVG 1.1"),
    svg("pattern", "href", Class::Resource),
    svg("pattern", "xlink:href", Class::Resource).source("SVG 1.1"),
    svg("filter", "href", Class::Resource).de_facto(),
    svg("filter", "xlink:href", Class::Resource).source("SVG 1.1"),
    svg("cursor", "href", Class::Resource).de_facto(),
    svg("cursor", "xlink:href", Class::Resource).source("SVG 1.1"),
    svg("tref", "href", Class::Resource).de_facto(),
    svg("tref", "xlink:href", Class::Resource).source("SVG 1.1"),
    svg("animateColor", "href", Class::Resource).de_facto(),
    svg("animateColor", "xlink:href", Class::Resource).source("SVG 1.1"),
    svg("font-face-uri", "href", Class::Resource).de_facto(),
    svg("font-face-uri", "xlink:href", Class::Resource).source("SVG 1.1"),
    svg("color-profile", "href", Class::Resource).de_facto(),
    svg("color-profile", "xlink:href", Class::Resource).source("SVG 1.1"),
    svg("*", "xml:base", Class::Metadata).source("XML Base"),
    // MathML: any element can be a link
    mathml("*", "href", Class::Metadata),
    mathml("*", "xlink:href", Class::Metadata).source("MathML 2"),
    mathml("*", "xml:base", Class::Metadata).source("XML Base"),
    mathml("annotation", "src", Class::Resource).source("MathML 3"),
    mathml("annotation-xml", "src", Class::Resource).source("MathML 3"),
    mathml("mglyph", "src", Class::Resource).source("MathML 3"),
    mathml("math", "altimg", Class::Resource).source("MathML 3"),
    // Lists of the files of an EPUB, and references to them outside its pages
    epub("rootfile", "full-path", Class::Document),
    epub("CipherReference", "URI", Class::Resource),
    epub("item", "href", Class::Resource),
    epub("link", "href", Class::Document),
    epub("reference", "href", Class::Document).source("OPF 2.0.1"),
    epub("content", "src", Class::Document).source("OPF 2.0.1"),
    epub("text", "src", Class::Document),
    epub("audio", "src", Class::Resource),
    epub("body", "epub:textref", Class::Document),
    epub("seq", "epub:textref", Class::Document),
    epub("search-key-group", "href", Class::Document)
        .source("EPUB Dictionaries and Glossaries 1.0"),
    // Feeds: Atom, RSS 2.0 with its predecessors, RSS 1.0, and modules of RSS
    feed("*", "xml:base", Class::Metadata).relative_to(RelativeTo::Outside),
    feed("xml-stylesheet", "href", Class::Resource).source("xml-stylesheet"),
    feed("link", "href", Class::Metadata).only(Condition::Word(
        "rel",
        &["self", "first", "last", "next", "previous", "hub"],
    )),
    feed("link", "href", Class::Resource).when("rel", "enclosure"),
    feed("link", "href", Class::Anchor),
    feed("content", "src", Class::Anchor),
    feed("uri", CONTENT, Class::Anchor),
    feed("generator", "uri", Class::Metadata),
    feed("icon", CONTENT, Class::Resource),
    feed("logo", CONTENT, Class::Resource),
    feed("title", CONTENT, Class::Document).html("type"),
    feed("subtitle", CONTENT, Class::Document).html("type"),
    feed("rights", CONTENT, Class::Document).html("type"),
    feed("summary", CONTENT, Class::Document).html("type"),
    feed("content", CONTENT, Class::Document).html("type"),
    rss("link", CONTENT, Class::Anchor),
    rss("guid", CONTENT, Class::Anchor).only(Condition::Unless("ispermalink", "false")),
    rss("comments", CONTENT, Class::Anchor),
    rss("docs", CONTENT, Class::Metadata),
    rss("url", CONTENT, Class::Resource),
    rss("enclosure", "url", Class::Resource),
    rss("source", "url", Class::Metadata),
    rss("description", CONTENT, Class::Document).written(Grammar::Html),
    feed("channel", "rdf:about", Class::Metadata).source("RSS 1.0"),
    feed("image", "rdf:about", Class::Metadata).source("RSS 1.0"),
    feed("item", "rdf:about", Class::Metadata).source("RSS 1.0"),
    feed("textinput", "rdf:about", Class::Metadata).source("RSS 1.0"),
    feed("image", "rdf:resource", Class::Metadata).source("RSS 1.0"),
    feed("li", "rdf:resource", Class::Metadata).source("RSS 1.0"),
    feed("textinput", "rdf:resource", Class::Metadata).source("RSS 1.0"),
    feed("content:encoded", CONTENT, Class::Document)
        .written(Grammar::Html)
        .source("RSS 1.0 content"),
    feed("media:content", "url", Class::Resource).source("Media RSS"),
    feed("media:thumbnail", "url", Class::Resource).source("Media RSS"),
    feed("media:player", "url", Class::Anchor).source("Media RSS"),
    feed("itunes:image", "href", Class::Resource).by("Apple Podcasts"),
    feed("itunes:new-feed-url", CONTENT, Class::Metadata).by("Apple Podcasts"),
    feed("podcast:chapters", "url", Class::Resource).by("Podcasting 2.0"),
    feed("podcast:transcript", "url", Class::Resource).by("Podcasting 2.0"),
    feed("wfw:commentrss", CONTENT, Class::Metadata).by("CommentAPI"),
    // Sitemaps and their extensions
    sitemap("xml-stylesheet", "href", Class::Resource).source("xml-stylesheet"),
    sitemap("loc", CONTENT, Class::Anchor).source("sitemaps.org"),
    sitemap("image:loc", CONTENT, Class::Resource).source("Google image sitemap"),
    sitemap("image:license", CONTENT, Class::Anchor).source("Google image sitemap"),
    sitemap("video:thumbnail_loc", CONTENT, Class::Resource).source("Google video sitemap"),
    sitemap("video:content_loc", CONTENT, Class::Resource).source("Google video sitemap"),
    sitemap("video:player_loc", CONTENT, Class::Document).source("Google video sitemap"),
    // CSS: all elements, and style sheets
    html("*", "style", Class::Resource).written(Grammar::Css),
    svg("*", "style", Class::Resource).written(Grammar::Css),
    mathml("*", "style", Class::Resource)
        .written(Grammar::Css)
        .source("MathML Core"),
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
        .source("SVG 1.0"),
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
        .source("JSON-LD 1.1"),
    // Vocabularies of metadata
    html("meta", "content", Class::Metadata)
        .only(Condition::Property(OPEN_GRAPH))
        .by("Open Graph")
        .own_address(),
    html("meta", "content", Class::Metadata)
        .only(Condition::Property(TWITTER))
        .de_facto()
        .own_address(),
    html("meta", "content", Class::Metadata)
        .only(Condition::Property(HIGHWIRE))
        .de_facto()
        .own_address(),
    html("meta", "content", Class::Metadata)
        .only(Condition::Property(PINNED_SITE))
        .de_facto()
        .own_address(),
    html("meta", "content", Class::Metadata)
        .written(Grammar::PinnedSite)
        .only(Condition::Property(PINNED_SITE_PARAMETERS))
        .de_facto(),
    html("meta", "content", Class::Metadata)
        .only(Condition::Property(APP_LINKS))
        .by("App Links")
        .own_address(),
    html("meta", "content", Class::Metadata)
        .only(Condition::Property(PLAIN_PROPERTIES))
        .de_facto()
        .own_address(),
    html("meta", "content", Class::Metadata)
        .when("scheme", "dcterms.uri")
        .by("DCMI")
        .own_address(),
    html("*", "about", Class::Metadata).source("RDFa 1.1"),
    html("*", "resource", Class::Metadata).source("RDFa 1.1"),
    html("a", "attributionsrc", Class::Metadata)
        .written(Grammar::SpaceList)
        .by("Attribution Reporting"),
    html("area", "attributionsrc", Class::Metadata)
        .written(Grammar::SpaceList)
        .by("Attribution Reporting"),
    html("img", "attributionsrc", Class::Metadata)
        .written(Grammar::SpaceList)
        .by("Attribution Reporting"),
    html("script", "attributionsrc", Class::Metadata)
        .written(Grammar::SpaceList)
        .by("Attribution Reporting"),
    // Attributes that scripts read URLs from
    html("*", "data-src", Class::Resource).de_facto(),
    html("*", "data-original", Class::Resource).de_facto(),
    html("*", "data-lazy", Class::Resource).de_facto(),
    html("*", "data-lazy-src", Class::Resource).de_facto(),
    html("*", "data-full-src", Class::Resource).de_facto(),
    html("*", "data-iframe-src", Class::Resource).de_facto(),
    html("*", "data-poster", Class::Resource).de_facto(),
    html("*", "data-srcset", Class::Resource)
        .written(Grammar::Srcset)
        .de_facto(),
    html("*", "data-original-set", Class::Resource)
        .written(Grammar::Srcset)
        .de_facto(),
    html("*", "data-lazy-srcset", Class::Resource)
        .written(Grammar::Srcset)
        .de_facto(),
    html("*", "data-bg", Class::Resource)
        .written(Grammar::CssOrUrl)
        .de_facto(),
    html("*", "data-background", Class::Resource)
        .written(Grammar::CssOrUrl)
        .de_facto(),
    html("*", "data-background-image", Class::Resource)
        .written(Grammar::CssOrUrl)
        .de_facto(),
    html("*", "data-href", Class::Metadata).de_facto(),
    html("*", "data-url", Class::Metadata).de_facto(),
    html("*", "data-uri", Class::Metadata).de_facto(),
    html("*", "ng-href", Class::Metadata).by("AngularJS"),
    html("*", "ng-src", Class::Resource).by("AngularJS"),
    html("*", "ng-srcset", Class::Resource)
        .written(Grammar::Srcset)
        .by("AngularJS"),
    html("*", "hx-get", Class::Metadata).by("htmx"),
    html("*", "hx-post", Class::Metadata).by("htmx"),
    html("*", "hx-put", Class::Metadata).by("htmx"),
    html("*", "hx-patch", Class::Metadata).by("htmx"),
    html("*", "hx-delete", Class::Metadata).by("htmx"),
    html("*", "data-hx-get", Class::Metadata).by("htmx"),
    html("*", "data-hx-post", Class::Metadata).by("htmx"),
    html("*", "data-hx-put", Class::Metadata).by("htmx"),
    html("*", "data-hx-patch", Class::Metadata).by("htmx"),
    html("*", "data-hx-delete", Class::Metadata).by("htmx"),
    html("turbo-frame", "src", Class::Document).by("Turbo"),
    html("model", "src", Class::Resource).de_facto(),
    // AMP
    html("amp-img", "src", Class::Resource).by("AMP"),
    html("amp-anim", "src", Class::Resource).by("AMP"),
    html("amp-video", "src", Class::Resource).by("AMP"),
    html("amp-audio", "src", Class::Resource).by("AMP"),
    html("amp-list", "src", Class::Resource).by("AMP"),
    html("amp-state", "src", Class::Resource).by("AMP"),
    html("amp-ad", "src", Class::Resource).by("AMP"),
    html("amp-iframe", "src", Class::Document).by("AMP"),
    html("amp-install-serviceworker", "src", Class::Resource).by("AMP"),
    html("amp-img", "srcset", Class::Resource)
        .written(Grammar::Srcset)
        .by("AMP"),
    html("amp-anim", "srcset", Class::Resource)
        .written(Grammar::Srcset)
        .by("AMP"),
    html("amp-video", "poster", Class::Resource).by("AMP"),
    html("form", "action-xhr", Class::Form).by("AMP"),
    html("form", "verify-xhr", Class::Form).by("AMP"),
    html("amp-story", "publisher-logo-src", Class::Resource).by("AMP"),
    html("amp-story", "poster-portrait-src", Class::Resource).by("AMP"),
    html("amp-story", "poster-square-src", Class::Resource).by("AMP"),
    html("amp-story", "poster-landscape-src", Class::Resource).by("AMP"),
    // VML: Outlook draws with it, mostly in conditional comments. Its `href` is not classed as an
    // anchor, though Outlook makes a button of it: no other program follows it.
    html("v:roundrect", "href", Class::Metadata).by("VML"),
    html("v:rect", "href", Class::Metadata).by("VML"),
    html("v:shape", "href", Class::Metadata).by("VML"),
    html("v:oval", "href", Class::Metadata).by("VML"),
    html("v:line", "href", Class::Metadata).by("VML"),
    html("v:polyline", "href", Class::Metadata).by("VML"),
    html("v:group", "href", Class::Metadata).by("VML"),
    html("v:image", "href", Class::Metadata).by("VML"),
    html("v:fill", "src", Class::Resource).by("VML"),
    html("v:stroke", "src", Class::Resource).by("VML"),
    html("v:image", "src", Class::Resource).by("VML"),
    html("v:imagedata", "src", Class::Resource).by("VML"),
    html("v:fill", "o:href", Class::Resource).by("VML"),
    html("v:stroke", "o:href", Class::Resource).by("VML"),
    html("v:imagedata", "o:href", Class::Resource).by("VML"),
    // Header fields of messages and their parts
    header("List-Help", Grammar::BracketList, "RFC 2369"),
    header("List-Unsubscribe", Grammar::BracketList, "RFC 2369"),
    header("List-Subscribe", Grammar::BracketList, "RFC 2369"),
    header("List-Post", Grammar::BracketList, "RFC 2369"),
    header("List-Owner", Grammar::BracketList, "RFC 2369"),
    header("List-Archive", Grammar::BracketList, "RFC 2369"),
    header("Archived-At", Grammar::Wrapped, "RFC 5064"),
    header("X-Archived-At", Grammar::Wrapped, "").de_facto(),
    header("Link", Grammar::LinkHeader, "RFC 8288"),
    header("Base", Grammar::Wrapped, "RFC 1808").relative_to(RelativeTo::Outside),
    header("Content-Base", Grammar::Wrapped, "RFC 2110").relative_to(RelativeTo::Outside),
    header("Content-Location", Grammar::Wrapped, "RFC 2557").relative_to(RelativeTo::Outside),
    header("Snapshot-Content-Location", Grammar::Wrapped, "")
        .de_facto()
        .relative_to(RelativeTo::Outside),
    header("Content-Type", Grammar::Parameter, "RFC 2017").when("access-type", "url"),
    header("Reported-URI", Grammar::Wrapped, "RFC 5965"),
    // Header fields of HTTP responses
    response("Link", Grammar::LinkHeader, "RFC 8288")
        .only(Condition::Word("rel", APPLIED_IN_HEADER))
        .fetched(Fetched::Applied),
    response("Link", Grammar::LinkHeader, "RFC 8288"),
    response("Location", Grammar::Url, "RFC 9110"),
    response("Content-Location", Grammar::Url, "RFC 9110"),
    response("Refresh", Grammar::Refresh, "HTML"),
    // Calendars and Internet shortcuts in messages
    calendar("url", "RFC 5545"),
    calendar("attach", "RFC 5545"),
    calendar("altrep", "RFC 5545"),
    calendar("conference", "RFC 7986"),
    LinkPlace::new(Namespace::Message, "shortcut", "url", Class::Anchor, "").de_facto(),
    LinkPlace::new(Namespace::Message, "text", "", Class::Text, "RFC 3986")
        .written(Grammar::PlainText),
    LinkPlace::new(
        Namespace::Message,
        "hidden-text",
        "",
        Class::Text,
        "RFC 3986",
    )
    .written(Grammar::PlainText),
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

/// Those whose values are lists of parameters.
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

/// Names found in no vocabulary, or in more than one.
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

const fn html(element: &'static str, attr: &'static str, class: Class) -> LinkPlace {
    LinkPlace::new(Namespace::Html, element, attr, class, "HTML")
}

const fn svg(element: &'static str, attr: &'static str, class: Class) -> LinkPlace {
    LinkPlace::new(Namespace::Svg, element, attr, class, "SVG 2")
}

const fn mathml(element: &'static str, attr: &'static str, class: Class) -> LinkPlace {
    LinkPlace::new(Namespace::MathMl, element, attr, class, "MathML 3")
}

const fn epub(element: &'static str, attr: &'static str, class: Class) -> LinkPlace {
    LinkPlace::new(Namespace::Epub, element, attr, class, "EPUB 3.3")
}

/// A place in Atom.
const fn feed(element: &'static str, attr: &'static str, class: Class) -> LinkPlace {
    let slot = LinkPlace::new(Namespace::Feed, element, attr, class, "RFC 4287");
    // Feed readers fetch what a page shows only when a person opens the entry.
    slot.fetched(Fetched::No)
}

/// A place in RSS 2.0.
const fn rss(element: &'static str, attr: &'static str, class: Class) -> LinkPlace {
    feed(element, attr, class).source("RSS 2.0")
}

const fn sitemap(element: &'static str, attr: &'static str, class: Class) -> LinkPlace {
    LinkPlace::new(Namespace::Sitemap, element, attr, class, "sitemaps.org").fetched(Fetched::No)
}

const fn header(name: &'static str, grammar: Grammar, source: &'static str) -> LinkPlace {
    LinkPlace::new(Namespace::Message, "header", name, Class::Header, source).written(grammar)
}

/// A property or parameter of a calendar.
const fn calendar(name: &'static str, source: &'static str) -> LinkPlace {
    LinkPlace::new(Namespace::Message, "calendar", name, Class::Anchor, source)
}

const fn response(name: &'static str, grammar: Grammar, source: &'static str) -> LinkPlace {
    LinkPlace::new(Namespace::Response, "header", name, Class::Header, source).written(grammar)
}

/// Builders for the table's rows; what a row leaves unset has its most common value.
impl LinkPlace {
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
            fetched: match class {
                Class::Resource => Fetched::Shown,
                _ => Fetched::No,
            },
            is_own_address: false,
            followed: matches!(class, Class::Anchor),
            standard: true,
            source,
        }
    }

    const fn written(self, grammar: Grammar) -> Self {
        Self { grammar, ..self }
    }

    const fn when(self, attr: &'static str, value: &'static str) -> Self {
        self.only(Condition::Attribute(attr, value))
    }

    /// HTML, if an attribute says so.
    const fn html(self, attr: &'static str) -> Self {
        self.written(Grammar::Html).when(attr, "html")
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

    const fn fetched(self, fetched: Fetched) -> Self {
        Self { fetched, ..self }
    }

    const fn own_address(self) -> Self {
        Self {
            is_own_address: true,
            ..self
        }
    }

    const fn followed(self) -> Self {
        Self {
            followed: true,
            ..self
        }
    }

    /// Specified by a standards body.
    const fn source(self, source: &'static str) -> Self {
        Self { source, ..self }
    }

    /// Specified by somebody else: a framework, a vendor, an incubator.
    const fn by(self, source: &'static str) -> Self {
        Self {
            source,
            standard: false,
            ..self
        }
    }

    /// Not specified anywhere.
    const fn de_facto(self) -> Self {
        self.by("de facto")
    }
}
