//! Where a document is among the inputs.

use std::fmt;
use std::num::NonZeroU64;
use std::sync::Arc;

use super::section::Section;

/// Where a document is. Prints as `box.mbox#3/1.2` or `pages.zip!dir/index.html`, in a split of an
/// input as `box.mbox@123456/1.2`, and in nested containers as `a.wacz!archive/data.warc.gz#3`.
///
/// ```
/// use std::num::NonZeroU64;
///
/// use baseref_document::{Origin, Section};
///
/// let mut origin = Origin::new("box.mbox");
/// origin.message = NonZeroU64::new(3);
/// origin.section = Section::default().part(1).part(2);
/// assert_eq!(origin.to_string(), "box.mbox#3/1.2");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Origin {
    /// The input as the user named it: a path, or `-` for standard input.
    pub input: Arc<str>,
    /// In nested containers, the path from the input to the container that the other fields are
    /// about, as printed: `!archive/data.warc.gz`; `None` if that is the input itself.
    pub within: Option<Arc<String>>,
    /// The number of the message in a mailbox or of the record in a web archive, 1-based in file
    /// order, counting all of them; `None` in a split, where those before it are not counted.
    pub message: Option<NonZeroU64>,
    /// The offset in the input at which that message (with its `From ` line) or record (with its
    /// header) begins. In an archive compressed record by record it is the offset of the gzip member, in
    /// any other compressed input the offset in the decompressed data.
    pub offset: Option<u64>,
    /// The name of the zip member, as stored. Boxed: rarely present, and every error has an origin.
    pub member: Option<Arc<String>>,
    /// The MIME section; empty outside mail.
    pub section: Section,
    /// For a document in an attribute of another, the path to it, outermost first; otherwise empty.
    pub embedded: Box<[EmbeddedDocument]>,
}

/// Which of the documents in another document's attributes this one is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum EmbeddedDocument {
    /// The `srcdoc` of an `iframe`, numbered from 1 in document order.
    Srcdoc(u32),
    /// The `data:` URL of a frame, numbered from 1 in document order.
    Data(u32),
    /// HTML in the text of an element of a feed, numbered from 1 in document order.
    Content(u32),
}

impl fmt::Display for EmbeddedDocument {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Srcdoc(number) => write!(f, "!srcdoc{number}"),
            Self::Data(number) => write!(f, "!data{number}"),
            Self::Content(number) => write!(f, "!content{number}"),
        }
    }
}

impl Origin {
    /// The origin of a whole input.
    #[must_use]
    pub fn new(input: impl Into<Arc<str>>) -> Self {
        Self {
            input: input.into(),
            within: None,
            message: None,
            offset: None,
            member: None,
            section: Section::default(),
            embedded: Box::default(),
        }
    }

    #[doc(hidden)]
    #[must_use]
    pub fn with_within(self, within: Option<Arc<String>>) -> Self {
        Self { within, ..self }
    }

    #[doc(hidden)]
    #[must_use]
    pub fn with_message(self, message: Option<NonZeroU64>) -> Self {
        Self { message, ..self }
    }

    #[doc(hidden)]
    #[must_use]
    pub fn with_offset(self, offset: Option<u64>) -> Self {
        Self { offset, ..self }
    }

    #[doc(hidden)]
    #[must_use]
    pub fn with_member(self, member: Option<Arc<String>>) -> Self {
        Self { member, ..self }
    }

    #[doc(hidden)]
    #[must_use]
    pub fn with_section(self, section: Section) -> Self {
        Self { section, ..self }
    }

    /// This origin, of something in a stand-alone file, as the origin of the same thing when that
    /// file is `file` inside a container. The file as a whole keeps the container's origin.
    #[doc(hidden)]
    #[must_use]
    pub fn in_file(self, file: &Self) -> Self {
        if self == Self::new(Arc::clone(&self.input)) {
            return file.clone();
        }
        let inner = self.within.as_deref().map_or("", String::as_str);
        let within = format!("{}{inner}", OriginPath(file));
        Self {
            input: Arc::clone(&file.input),
            within: Some(within.into()),
            ..self
        }
    }

    /// The origin of a message that is attached to another as a file. Its sections are numbered from
    /// the start again.
    #[doc(hidden)]
    #[must_use]
    pub fn into_message(self) -> Self {
        if self.section.is_empty() {
            return self;
        }
        Self {
            within: Some(OriginPath(&self).to_string().into()),
            ..Self::new(self.input)
        }
    }

    /// The origin of a document in an attribute of this one.
    #[doc(hidden)]
    #[must_use]
    pub fn embedded(&self, step: EmbeddedDocument) -> Self {
        let way = self.embedded.iter().copied();
        Self {
            embedded: way.chain([step]).collect(),
            ..self.clone()
        }
    }

    /// The origin of a file of that name inside the text here.
    #[doc(hidden)]
    #[must_use]
    pub fn attached(&self, name: String) -> Self {
        let mut origin = self.clone();
        if let Some(outer) = origin.member.replace(name.into()) {
            let within = origin.within.as_deref().map_or("", String::as_str);
            origin.within = Some(format!("{within}!{outer}").into());
        }
        origin
    }
}

/// Prints the path from the input to something inside it.
struct OriginPath<'o>(&'o Origin);

impl fmt::Display for OriginPath<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let origin = self.0;
        if let Some(within) = &origin.within {
            f.write_str(within)?;
        }
        match (origin.message, origin.offset) {
            (Some(message), _) => write!(f, "#{message}")?,
            (None, Some(offset)) => write!(f, "@{offset}")?,
            (None, None) => {}
        }
        if let Some(member) = &origin.member {
            write!(f, "!{member}")?;
        }
        if !origin.section.is_empty() {
            write!(f, "/{}", origin.section)?;
        }
        origin.embedded.iter().try_for_each(|step| step.fmt(f))
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.input, OriginPath(self))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn containers_in_each_other_are_named_from_the_outermost_inwards() {
        let member = |name: &str| Origin {
            member: Some(Arc::new(name.to_owned())),
            ..Origin::new("a.zip")
        };
        let message = Origin {
            message: NonZeroU64::new(2),
            section: [1, 2].into_iter().collect(),
            ..Origin::new("a.zip")
        };
        let in_mailbox = message.in_file(&member("c.mbox"));
        assert_eq!(in_mailbox.to_string(), "a.zip!c.mbox#2/1.2");
        let in_inner = in_mailbox.in_file(&member("b.zip"));
        assert_eq!(in_inner.to_string(), "a.zip!b.zip!c.mbox#2/1.2");
        let whole = Origin::new("a.zip").in_file(&member("c.html"));
        assert_eq!(whole, member("c.html"));
        let attached = in_inner.attached("d.html".to_owned());
        assert_eq!(attached.to_string(), "a.zip!b.zip!c.mbox#2!d.html/1.2");
        let attached = member("c.eml").attached("d.html".to_owned());
        assert_eq!(attached.to_string(), "a.zip!c.eml!d.html");
    }
}
