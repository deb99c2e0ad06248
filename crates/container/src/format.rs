//! The names of the supported formats.

use std::fmt;
use std::str::FromStr;

use baseref_document::{Feature, UnknownName};

/// A supported format. [`Format::ALL`] says how each one is recognised.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Format {
    /// One HTML document.
    Html,
    /// One XHTML document, read by the rules of XML.
    Xhtml,
    /// One SVG image, read by the rules of XML.
    Svg,
    /// One style sheet.
    Css,
    /// One feed: Atom or RSS.
    Feed,
    /// One sitemap, or an index of sitemaps.
    Sitemap,
    /// One message (RFC 5322).
    Eml,
    /// A mailbox: messages separated by `From ` lines.
    Mbox,
    /// A mailbox of UW IMAP and Alpine.
    Mbx,
    /// A saved page as one message (RFC 2557).
    Mhtml,
    /// One message as stored by Apple Mail.
    Emlx,
    /// One message, in a file of a maildir.
    Maildir,
    /// One message as stored by Outlook.
    Msg,
    /// One message as sent by Outlook, in a file such as `winmail.dat`.
    Tnef,
    /// The messages of an Outlook store.
    Pst,
    /// Messages of the Gmail API, in JSON.
    Gmail,
    /// Messages of Microsoft Graph, in JSON.
    Graph,
    /// One message that is signed or encrypted by S/MIME, in a file of its own.
    Cms,
    /// A page saved by Safari.
    Webarchive,
    /// Pages in a zip: a Mozilla Archive Format file, a `SingleFile` page, a WACZ, or a plain zip.
    Zip,
    /// A site in one file (openZIM), as Kiwix reads it.
    Zim,
    /// The files in a tar.
    Tar,
    /// A browser's traffic log in JSON (HTTP Archive 1.2).
    Har,
    /// An HTTP response as it was received (RFC 9112).
    Http,
    /// A web archive (ISO 28500).
    Warc,
    /// ARC, the predecessor of WARC.
    Arc,
    /// The pages of a crawl, as its crawler lists them (WACZ 1.1.1 §5.3).
    Pages,
}

impl Format {
    /// Its name, as a value of `--input`.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        let mut rows = Self::ALL.iter();
        let row = rows.find(|row| row.format == self);
        row.map_or("", |row| row.name)
    }

    /// The Cargo feature that its reader needs, if that is not built in.
    pub(crate) fn missing_feature(self) -> Option<Feature> {
        match self {
            Self::Html | Self::Xhtml | Self::Svg | Self::Css | Self::Feed | Self::Sitemap => None,
            Self::Eml
            | Self::Mbox
            | Self::Mbx
            | Self::Mhtml
            | Self::Emlx
            | Self::Maildir
            | Self::Gmail
            | Self::Cms
            | Self::Graph => (!cfg!(feature = "mail")).then_some(Feature::Mail),
            Self::Har | Self::Http | Self::Warc | Self::Arc | Self::Pages => {
                (!cfg!(feature = "warc")).then_some(Feature::Warc)
            }
            Self::Msg
            | Self::Tnef
            | Self::Pst
            | Self::Webarchive
            | Self::Tar
            | Self::Zip
            | Self::Zim => (!cfg!(feature = "archives")).then_some(Feature::Archives),
        }
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// By the names of [`Format::as_str`].
impl FromStr for Format {
    type Err = UnknownName;

    fn from_str(name: &str) -> Result<Self, UnknownName> {
        let row = Self::ALL.iter().find(|row| row.name == name);
        row.map(|row| row.format)
            .ok_or_else(|| UnknownName::new("format", name))
    }
}
