//! A link that differs between two versions of a document.

/// What happened to a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// Only the second version has it.
    Appeared,
    /// Only the first version has it.
    Vanished,
    /// Its target changed.
    Changed,
}

impl Change {
    /// The name in reports.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Appeared => "appeared",
            Self::Vanished => "vanished",
            Self::Changed => "changed",
        }
    }
}

/// A link in one of the versions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Side<'a> {
    /// The value as written.
    pub raw: &'a str,
    /// Its URL in normal form; `None` if it has none.
    pub url: Option<&'a str>,
    /// Line and column of the value, 1-based, if known.
    pub at: Option<(u64, u64)>,
}

/// One link that differs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Difference<'a> {
    /// What happened to it.
    pub change: Change,
    /// The document, by its path below the root of the site.
    pub doc: &'a str,
    /// The element.
    pub element: &'a str,
    /// The attribute.
    pub attr: &'a str,
    /// The link text, if there is one.
    pub text: Option<&'a str>,
    /// The link in the first version.
    pub old: Option<Side<'a>>,
    /// The link in the second version.
    pub new: Option<Side<'a>>,
}
