//! URLs in the JSON of script elements.
//!
//! `serde_json` decides whether a text is JSON. It does not report where values are, so the strings
//! of valid JSON are found here, each with its path.

use std::borrow::Cow;
use std::ops::Range;

use serde::de::IgnoredAny;

use baseref_resolve::scheme;

/// Which values of a JSON document are URLs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Vocabulary {
    /// HTML "import maps": the addresses in `imports` and `scopes` and the keys of `integrity`.
    /// Specifiers and scope prefixes are not links.
    ImportMap,
    /// HTML "speculation rules": the `urls` of each rule. A pattern, as in `href_matches`, is not a
    /// URL.
    SpeculationRules,
    /// JSON-LD 1.1: `@id` and `@context`, and the properties of schema.org that hold URLs
    /// ([`SCHEMA_PROPERTIES`]), where the value looks like a URL or a path.
    ///
    /// Departs: a compact IRI (`ex:a`) is kept as written, and an `@base` in an `@context` is
    /// ignored: both need the contexts, which are other documents.
    JsonLd,
}

/// Calls `each` with every URL, in order: decoded, and its byte range between the quotes, escapes
/// as written. Blank text has no URLs and is not an error.
///
/// # Errors
/// Why the text is not JSON; nesting deeper than 127 is refused, too.
pub(super) fn urls(
    vocabulary: Vocabulary,
    json: &str,
    mut each: impl FnMut(&str, Range<usize>),
) -> Result<(), serde_json::Error> {
    if json.trim_ascii().is_empty() {
        return Ok(());
    }
    serde_json::from_str::<IgnoredAny>(json)?;
    strings(json, |path, role, range| {
        if vocabulary.may_have(path, role) {
            let url = decoded(&json[range.clone()]);
            if vocabulary.has(&url) {
                each(&url, range);
            }
        }
    });
    Ok(())
}

/// Properties of schema.org whose value is a URL, or an object that a URL can replace.
const SCHEMA_PROPERTIES: &[&str] = &[
    "acquireLicensePage",
    "actionableFeedbackPolicy",
    "additionalType",
    "archivedAt",
    "associatedMedia",
    "audio",
    "codeRepository",
    "contentUrl",
    "correctionsPolicy",
    "discussionUrl",
    "diversityPolicy",
    "downloadUrl",
    "embedUrl",
    "ethicsPolicy",
    "hasMap",
    "hasMenu",
    "image",
    "installUrl",
    "isBasedOn",
    "isPartOf",
    "item",
    "license",
    "logo",
    "mainEntityOfPage",
    "masthead",
    "menu",
    "ownershipFundingInfo",
    "paymentUrl",
    "photo",
    "primaryImageOfPage",
    "publishingPrinciples",
    "relatedLink",
    "replyToUrl",
    "sameAs",
    "screenshot",
    "sdLicense",
    "serviceUrl",
    "significantLink",
    "subjectOf",
    "target",
    "termsOfService",
    "thumbnail",
    "thumbnailUrl",
    "tourBookingPage",
    "trackingUrl",
    "url",
    "usageInfo",
    "verificationFactCheckingPolicy",
    "video",
];

impl Vocabulary {
    /// Whether a string at this path may be a URL.
    fn may_have(self, path: &[Step<'_>], role: Role) -> bool {
        match (self, path, role) {
            (Self::ImportMap, [Step::Member(map), Step::Member(_)], Role::Value) => {
                map == "imports"
            }
            (Self::ImportMap, [Step::Member(map), ..], Role::Value) => {
                map == "scopes" && matches!(path, [_, Step::Member(_), Step::Member(_)])
            }
            (Self::ImportMap, [Step::Member(map), Step::Member(_)], Role::Name) => {
                map == "integrity"
            }
            (
                Self::SpeculationRules,
                [Step::Member(_), Step::Item, Step::Member(urls), Step::Item],
                Role::Value,
            ) => urls == "urls",
            (Self::JsonLd, path, Role::Value) => is_in_linked_data(path),
            _ => false,
        }
    }

    /// Whether a string that may be a URL is one.
    fn has(self, string: &str) -> bool {
        match self {
            Self::ImportMap => is_url_like_specifier(string),
            Self::SpeculationRules => true,
            Self::JsonLd => looks_like_url(string),
        }
    }
}

/// Whether a value belongs to a property that holds URLs, directly or in its list of values. Term
/// definitions in an `@context` are not data.
fn is_in_linked_data(path: &[Step<'_>]) -> bool {
    let members = path.iter().rev().enumerate();
    let mut members = members.filter_map(|(index, step)| match step {
        Step::Member(name) => Some((index, name)),
        Step::Item => None,
    });
    let Some((_, nearest)) = members.next() else {
        return false;
    };
    if members.any(|(_, outer)| outer == "@context") {
        return false;
    }
    matches!(nearest.as_ref(), "@id" | "@context")
        || SCHEMA_PROPERTIES.binary_search(&nearest.as_ref()).is_ok()
}

/// HTML "resolve a URL-like module specifier": a specifier resolved against the base begins like a
/// path, and any other must be an absolute URL.
fn is_url_like_specifier(string: &str) -> bool {
    ["/", "./", "../"]
        .iter()
        .any(|start| string.starts_with(start))
        || scheme::end(string).is_some()
}

/// Whether a value that could also be a name or text is a URL: it has a scheme, or characters of
/// paths that are not in words, and none that cannot occur in URLs. A blank node label (`_:b0`) is
/// not one.
fn looks_like_url(string: &str) -> bool {
    let is_foreign_ascii =
        |byte: u8| byte <= b' ' || matches!(byte, b'<' | b'>' | b'"' | b'{' | b'}' | 0x7F);
    let is_foreign = |c: char| c.is_whitespace() || c.is_control();
    if string.bytes().any(is_foreign_ascii)
        || !string.is_ascii() && string.contains(is_foreign)
        || string.starts_with("_:")
    {
        return false;
    }
    scheme::end(string).is_some()
        || string.starts_with(['#', '?'])
        || string.contains('/')
        || string.trim_matches('.').contains('.')
}

/// A step on the path to a value.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Step<'j> {
    /// Into an object's member of that name.
    Member(Cow<'j, str>),
    /// Into an item of an array.
    Item,
}

/// The role of a string.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Role {
    /// The name of a member, with the path of the member.
    Name,
    /// A value.
    Value,
}

/// Calls `each` with every string of valid JSON, in order: its path, its role and its byte range
/// between the quotes.
fn strings<'j>(json: &'j str, mut each: impl FnMut(&[Step<'j>], Role, Range<usize>)) {
    let bytes = json.as_bytes();
    let mut path = Vec::new();
    let mut name_comes = false;
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        at += 1;
        match byte {
            b'{' => {
                path.push(Step::Member(Cow::Borrowed("")));
                name_comes = true;
            }
            b'[' => {
                path.push(Step::Item);
                name_comes = false;
            }
            b'}' | b']' => {
                path.pop();
                name_comes = false;
            }
            b',' => name_comes = matches!(path.last(), Some(Step::Member(_))),
            b'"' => {
                let range = at..at + string_length(&bytes[at..]);
                at = range.end + 1;
                if name_comes {
                    path.pop();
                    path.push(Step::Member(decoded(&json[range.clone()])));
                    each(&path, Role::Name, range);
                    name_comes = false;
                } else {
                    each(&path, Role::Value, range);
                }
            }
            _ => {}
        }
    }
}

/// The number of bytes before the quote that ends a string.
fn string_length(rest: &[u8]) -> usize {
    let mut at = 0;
    while let Some(found) = memchr::memchr2(b'"', b'\\', &rest[at..]) {
        at += found;
        if rest[at] == b'"' {
            return at;
        }
        at = (at + 2).min(rest.len());
    }
    rest.len()
}

/// Decodes the escapes of a string; returns it as written if one is a lone surrogate.
fn decoded(string: &str) -> Cow<'_, str> {
    if !string.contains('\\') {
        return Cow::Borrowed(string);
    }
    let quoted = format!("\"{string}\"");
    serde_json::from_str(&quoted).map_or(Cow::Borrowed(string), Cow::Owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(vocabulary: Vocabulary, cases: &[(&str, &[&str])]) {
        for (json, expected) in cases {
            let mut found = Vec::new();
            let result = urls(vocabulary, json, |url, _| found.push(url.to_owned()));
            assert!(result.is_ok(), "{json}");
            assert_eq!(found, *expected, "{json}");
        }
    }

    #[test]
    fn import_map_urls() {
        check(
            Vocabulary::ImportMap,
            &[
                ("{}", &[]),
                (
                    r#"{"imports": {"a": "/a.js", "./b/": "https://b.example/", "c": "bare", "d": null}}"#,
                    &["/a.js", "https://b.example/"],
                ),
                (
                    r#"{"scopes": {"/s/": {"a": "../a.js"}, "/t/": "/no"}, "imports": []}"#,
                    &["../a.js"],
                ),
                (
                    r#"{"integrity": {"./a.js": "sha384-x", "b": "/c"}, "other": {"d": "/d"}}"#,
                    &["./a.js"],
                ),
                (r#"{"imports": {"a": {"b": "/no"}, "c": ["/no"]}}"#, &[]),
            ],
        );
    }

    #[test]
    fn speculation_rules_urls() {
        check(
            Vocabulary::SpeculationRules,
            &[
                (
                    r#"{"prefetch": [{"urls": ["a", "/b?c"]}, {"urls": ["d"], "tag": "t"}],
                        "prerender": [{"where": {"href_matches": "/p/*"}, "urls": ["e"]}]}"#,
                    &["a", "/b?c", "d", "e"],
                ),
                (r#"{"prefetch": {"urls": ["a"]}, "urls": ["b"]}"#, &[]),
            ],
        );
    }

    #[test]
    fn linked_data_urls() {
        check(
            Vocabulary::JsonLd,
            &[
                (
                    r##"{"@context": "https://schema.org", "@id": "#org", "@type": "Organization",
                        "name": "https://no.example/", "url": "/about", "logo": "img/logo.png",
                        "sameAs": ["https://a.example/", "https://b.example/"]}"##,
                    &[
                        "https://schema.org",
                        "#org",
                        "/about",
                        "img/logo.png",
                        "https://a.example/",
                        "https://b.example/",
                    ],
                ),
                (
                    r#"[{"@graph": [{"image": {"@type": "ImageObject", "url": "a.png"}}]}]"#,
                    &["a.png"],
                ),
                (
                    r#"{"image": "A picture", "url": "word", "@id": "_:b0", "mainEntityOfPage": true,
                        "target": "/search?q={term}", "video": "", "logo": "/a\u007f", "photo": "/ä\u00a0",
                        "audio": "/ä\u0085", "menu": "/a\tb", "hasMap": "/<b>"}"#,
                    &[],
                ),
                (
                    r#"{"@context": ["https://w3.org/ns", {"image": {"@id": "schema:image"}}],
                        "url": "?x"}"#,
                    &["https://w3.org/ns", "?x"],
                ),
            ],
        );
    }

    #[test]
    fn escapes_decoded_with_source_range() {
        let json = r#"{"ur\u006c": "http:\/\/a\/\u00e9", "image": "/\ud800", "logo": "/\"é"}"#;
        let mut found = Vec::new();
        let result = urls(Vocabulary::JsonLd, json, |url, range| {
            found.push((url.to_owned(), &json[range]));
        });
        assert!(result.is_ok());
        let expected = [
            ("http://a/é", r"http:\/\/a\/\u00e9"),
            (r"/\ud800", r"/\ud800"),
        ];
        assert_eq!(
            found,
            expected.map(|(url, written)| (url.to_owned(), written))
        );
    }

    #[test]
    fn malformed_json_reason() {
        for json in [
            "{",
            "{\"url\": \"/a\"",
            "x",
            "{} {}",
            "<!-- {} -->",
            &"[".repeat(200_000),
        ] {
            let mut found = 0;
            let result = urls(Vocabulary::JsonLd, json, |_, _| found += 1);
            assert!(result.is_err(), "{json}");
            assert_eq!(found, 0, "{json}");
        }
        for blank in ["", " \n"] {
            assert!(urls(Vocabulary::ImportMap, blank, |_, _| {}).is_ok());
        }
    }

    #[test]
    fn properties_sorted() {
        assert!(SCHEMA_PROPERTIES.is_sorted());
    }
}
