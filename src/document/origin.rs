//! Where a document stands among the inputs.

use std::fmt;
use std::num::NonZeroU64;
use std::sync::Arc;

use super::section::Section;

/// Where a document stands; prints as `box.mbox#3/1.2` or `pages.zip!dir/index.html`, in a
/// split of an input as `box.mbox@123456/1.2`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Origin {
    /// The input as the user named it: a path, or `-` for standard input.
    pub input: Arc<str>,
    /// The number of the message in a mailbox or of the record in a web archive, 1-based in
    /// file order, all of them counted; `None` in a split, where nobody has counted those before.
    pub message: Option<NonZeroU64>,
    /// The offset in the input at which that message or record begins: a message with its
    /// `From ` line, a record with its heading. In an archive compressed record by record it is
    /// that of the record's gzip member, in any other compressed input that in the input as it
    /// is without gzip.
    pub offset: Option<u64>,
    /// The name of the member of a zip, as it stands there. Boxed: rarely
    /// present, and every error has an origin.
    pub member: Option<Arc<String>>,
    /// The MIME section; empty outside mail.
    pub section: Section,
    /// The way through `iframe srcdoc` documents, 1-based in document order, outermost
    /// first; empty for a document that is not in another one's `srcdoc`.
    pub srcdoc: Vec<u32>,
}

impl Origin {
    /// The origin of a whole input.
    #[must_use]
    pub fn of_input(input: impl Into<Arc<str>>) -> Self {
        Self {
            input: input.into(),
            message: None,
            offset: None,
            member: None,
            section: Section::default(),
            srcdoc: Vec::new(),
        }
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.input)?;
        match (self.message, self.offset) {
            (Some(message), _) => write!(f, "#{message}")?,
            (None, Some(offset)) => write!(f, "@{offset}")?,
            (None, None) => {}
        }
        if let Some(member) = &self.member {
            write!(f, "!{member}")?;
        }
        if !self.section.is_empty() {
            write!(f, "/{}", self.section)?;
        }
        for number in &self.srcdoc {
            write!(f, "!srcdoc{number}")?;
        }
        Ok(())
    }
}
