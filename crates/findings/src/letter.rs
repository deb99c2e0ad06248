//! Messages in short, for reports that show them as cards.

/// A message: who wrote it, and where its links lead.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Letter {
    /// Its name: that of its documents ([`crate::PageName::doc`]) without their MIME sections.
    pub name: String,
    /// `From`, decoded.
    pub from: String,
    /// When it was sent, in RFC 3339 and UTC.
    pub date: String,
    /// `Subject`, decoded.
    pub subject: String,
    /// Its links that people follow, each once, in document order.
    pub links: Vec<LetterLink>,
    /// How many more it has.
    pub left: u64,
}

/// A link of a message.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LetterLink {
    /// Its text, shortened; empty if it has none.
    pub text: String,
    /// Its URL, as findings have it.
    pub url: String,
    /// Where it leads, as far as that is known: the URL inside all wrappers.
    pub target: String,
    /// The wrappers, outermost first: `safelinks > proofpoint-v3`.
    pub through: String,
    /// Why nothing is known of the rest; empty if all is.
    pub end: &'static str,
}
