//! The Cargo features by which readers are built in.

use std::fmt;

/// A Cargo feature of the crate `baseref` that builds readers in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Feature {
    /// Messages, mailboxes and MHTML.
    Mail,
    /// WARC, ARC, HTTP responses, HAR.
    Warc,
    /// Zip and what is made of it, Outlook's messages and stores, brotli and Zstandard.
    Archives,
}

impl Feature {
    /// Its name in `Cargo.toml`.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Mail => "mail",
            Self::Warc => "warc",
            Self::Archives => "archives",
        }
    }
}

impl fmt::Display for Feature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
