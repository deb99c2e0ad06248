//! Which rules of RFC 1808 §3 choose the base, and how strictly.

use baseref_resolve::Rules;

/// How the rules of RFC 1808 §3 are read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Policy {
    /// The rule set that resolves relative declarations and decides what can serve as a base.
    pub rules: Rules,
    /// RFC 1808 to the letter: only `Base: <URL:absoluteURL>` in headers (§3.1), only an absolute
    /// `href` in a `base` element (§10).
    pub strict: bool,
    /// Whether marks that record where a document was saved from ([`baseref_document::Mark`]) can
    /// give the base. They are the weakest retrieval URLs: any other one overrides them.
    pub marks: bool,
}

impl Policy {
    /// The same with another [`Policy::rules`].
    #[must_use]
    pub fn rules(self, rules: Rules) -> Self {
        Self { rules, ..self }
    }

    /// The same with another [`Policy::strict`].
    #[must_use]
    pub fn strict(self, strict: bool) -> Self {
        Self { strict, ..self }
    }

    /// The same with another [`Policy::marks`].
    #[must_use]
    pub fn marks(self, marks: bool) -> Self {
        Self { marks, ..self }
    }
}
