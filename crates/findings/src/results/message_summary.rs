//! Message summaries, for reports that show each message as a card.

/// The summary of a message: its sender, and the targets of its links.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MessageSummary {
    /// The name of its documents ([`crate::PageName::doc`]), without MIME sections.
    pub name: String,
    /// `From`, decoded.
    pub from: String,
    /// When it was sent, in RFC 3339 and UTC.
    pub date: String,
    /// `Subject`, decoded.
    pub subject: String,
    /// The links that a reader can follow, each once, in document order.
    pub links: Vec<MessageLink>,
    /// The number of links that were omitted.
    pub left: u64,
}

/// A link of a message.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MessageLink {
    /// Its text, shortened; empty if it has none.
    pub text: String,
    /// Its URL, as in findings.
    pub url: String,
    /// The URL inside all wrappers that could be opened.
    pub target: String,
    /// The wrappers, outermost first: `safelinks > proofpoint-v3`.
    pub through: String,
    /// Why the last wrapper could not be opened; empty if all could.
    pub end: &'static str,
}
