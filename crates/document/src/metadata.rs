//! Descriptive data about a document: where its links come from.

use std::sync::Arc;

/// What a document, its container and the message around it say about it.
///
/// Only what [`crate::ReadOptions::metadata`] asks for is filled in. Texts are decoded (RFC
/// 2047, RFC 2231) with white space collapsed; a field is `None` where the source is silent or
/// unreadable.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Metadata {
    /// When it was retrieved or sent, in RFC 3339 and UTC: `2026-11-22T00:50:52Z`. Taken from its
    /// archive record, or from the `Date` of the innermost message around it.
    pub date: Option<Box<str>>,
    /// The text of its `title` element.
    pub title: Option<Box<str>>,
    /// The innermost message around it.
    pub message: Option<Arc<MessageFields>>,
    /// The media type of its part, in lower case, without parameters.
    pub content_type: Option<Box<str>>,
    /// `attachment`, `inline`: the disposition of its part, in lower case.
    pub disposition: Option<Box<str>>,
    /// The file name of its part.
    pub filename: Option<Box<str>>,
}

/// The fields of a message.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct MessageFields {
    /// `Message-ID`, without angle brackets.
    pub message_id: Option<Box<str>>,
    /// `From`, names and addresses.
    pub from: Option<Box<str>>,
    /// `To`, names and addresses.
    pub to: Option<Box<str>>,
    /// `Cc`, names and addresses.
    pub cc: Option<Box<str>>,
    /// `Reply-To`, names and addresses.
    pub reply_to: Option<Box<str>>,
    /// `Delivered-To`: the address of the mailbox.
    pub delivered_to: Option<Box<str>>,
    /// `List-Unsubscribe-Post` (RFC 8058).
    pub list_unsubscribe_post: Option<Box<str>>,
    /// `Subject`.
    pub subject: Option<Box<str>>,
    /// `List-Id`, as written.
    pub list_id: Option<Box<str>>,
}
