//! One link and what became of it, whether or not something is the matter with it.

use std::borrow::Cow;

use crate::document::Position;

/// A link that was judged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JudgedLink {
    /// Where it is.
    pub at: Option<Position>,
    /// The element's name.
    pub element: Cow<'static, str>,
    /// The attribute's name.
    pub attr: &'static str,
    /// The value as written, character references decoded.
    pub raw: String,
    /// Its URL by the chosen rule set, as reports show it; `None` where it has none.
    pub url: Option<String>,
    /// The name of its class.
    pub class: &'static str,
    /// The file that it leads to, or would: its path below the tree, as reports show it; `None`
    /// where it leads into no tree.
    pub target: Option<String>,
    /// How the address came to that file, in a word; empty where it came to none.
    pub how: &'static str,
    /// Whether its fragment was found; `None` where it has none that is judged.
    pub fragment_found: Option<bool>,
    /// The rules that its findings break, in the order of the findings.
    pub rules: Vec<&'static str>,
}
