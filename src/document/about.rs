//! What is said of a document, for those who want to know whose links they see.

use std::sync::Arc;

/// What is said of a document: by itself, by its container, by the message that it stands in.
///
/// Only what [`crate::options::ReadOptions::about`] asks for is filled in. Everything is decoded
/// (RFC 2047, RFC 2231), white space in it is collapsed, and `None` where nothing is said or
/// where it cannot be read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct About {
    /// When it was retrieved or sent, in RFC 3339 and UTC: `2026-11-22T00:50:52Z`. The date of
    /// its record in an archive, or the `Date` of the innermost message around it.
    pub date: Option<Box<str>>,
    /// The text of its `title` element.
    pub title: Option<Box<str>>,
    /// The innermost message around it.
    pub message: Option<Arc<MessageFields>>,
    /// The media type of its part, without parameters, in small letters.
    pub content_type: Option<Box<str>>,
    /// `attachment`, `inline`: the disposition of its part, in small letters.
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
    /// `Subject`.
    pub subject: Option<Box<str>>,
    /// `List-Id`, as it stands.
    pub list_id: Option<Box<str>>,
}
