//! Which rules of RFC 1808 §3 choose the base, and how strictly.

use baseref_resolve::Rules;

/// How the rules of RFC 1808 §3 are read.
///
/// ```
/// use baseref_document::ReadOptions;
/// use baseref_reader::{Policy, read_html};
/// use baseref_resolve::Rules;
///
/// let page = read_html(b"<a href=../../x>", Some("http://a/b"), &ReadOptions::default());
/// let resolved = Policy::default().with_rules(Rules::Whatwg).resolve(&page);
/// let urls: Vec<_> = resolved.links().filter_map(|link| link.url.ok()).collect();
/// assert_eq!(urls, ["http://a/x"]);
/// ```
///
/// It is set by its methods. Its fields are for the other crates of baseref and may change in any
/// version.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Policy {
    /// The rule set that resolves relative declarations and decides what can serve as a base.
    #[doc(hidden)]
    pub rules: Rules,
    /// RFC 1808 to the letter: only `Base: <URL:absoluteURL>` in headers (§3.1), only an absolute
    /// `href` in a `base` element (§10).
    #[doc(hidden)]
    pub strict: bool,
    /// Whether marks that record where a document was saved from ([`baseref_document::Mark`]) can
    /// give the base. They are the weakest retrieval URLs: any other one overrides them.
    #[doc(hidden)]
    pub marks: bool,
}

impl Policy {
    /// Sets the rule set that resolves links and relative declarations, and decides what can serve
    /// as a base: [`Rules::Rfc1808`] unless set.
    #[must_use]
    pub fn with_rules(self, rules: Rules) -> Self {
        Self { rules, ..self }
    }

    /// What [`Self::with_rules`] sets.
    #[must_use]
    pub fn rules(&self) -> Rules {
        self.rules
    }

    /// Sets whether RFC 1808 is taken to the letter, no unless set: only `Base: <URL:absoluteURL>` in
    /// headers (§3.1), only an absolute `href` in a `base` element (§10).
    #[must_use]
    pub fn with_strict(self, strict: bool) -> Self {
        Self { strict, ..self }
    }

    /// What [`Self::with_strict`] sets.
    #[must_use]
    pub fn strict(&self) -> bool {
        self.strict
    }

    /// Sets whether marks that record where a document was saved from ([`baseref_document::Mark`])
    /// can give the base, no unless set. They are the weakest retrieval URLs: any other one
    /// overrides them. They are read only if [`baseref_document::ReadOptions::marks`] is set.
    #[must_use]
    pub fn with_marks(self, marks: bool) -> Self {
        Self { marks, ..self }
    }

    /// What [`Self::with_marks`] sets.
    #[must_use]
    pub fn marks(&self) -> bool {
        self.marks
    }
}
