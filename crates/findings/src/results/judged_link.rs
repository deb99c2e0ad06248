//! A checked link, with or without findings.

use std::borrow::Cow;

use baseref_document::Position;

/// A checked link.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JudgedLink {
    /// Its position.
    pub at: Option<Position>,
    /// The element's name.
    pub element: Cow<'static, str>,
    /// The attribute's name.
    pub attr: &'static str,
    /// The value as written, character references decoded.
    pub raw: String,
    /// Its URL by the chosen rule set, as shown in reports; `None` if it has none.
    pub url: Option<String>,
    /// The name of its class.
    pub class: &'static str,
    /// The file that it leads to, or would: its path below the root of the site, as shown in
    /// reports; `None` if it leads to no site.
    pub target: Option<String>,
    /// How the URL led to that file, in one word; empty if it led to none.
    pub how: &'static str,
    /// For a captured redirect, the class of its end, or why it has no end: `loop`, `broken`.
    /// Otherwise empty.
    pub end: &'static str,
    /// Whether it needs its target as a `page` or as a `resource`.
    pub kind: &'static str,
    /// Whether its fragment was found; `None` if it has none that is checked.
    pub fragment_found: Option<bool>,
    /// The rules that its findings break, in the order of the findings.
    pub rules: Vec<&'static str>,
}
