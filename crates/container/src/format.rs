//! The supported formats: the one list behind detection, `--input`, the Python package and the
//! manual.

use std::fmt::Write;

use baseref_text::decode::source::Markup;

/// The supported formats.
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
    /// A page saved by Safari.
    Webarchive,
    /// Pages in a zip: a Mozilla Archive Format file, a `SingleFile` page, a WACZ, or a plain zip.
    Zip,
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

/// Information about a format.
#[derive(Debug)]
pub struct FormatInfo {
    /// The format.
    pub format: Format,
    /// Its name, as a value of `--input`.
    pub name: &'static str,
    /// What a file of it is.
    pub what: &'static str,
    /// How a file of it is recognised, apart from its extension.
    pub taken_when: Option<&'static str>,
    /// The extensions of its files, in lower case.
    pub extensions: &'static [&'static str],
}

impl Format {
    /// Every format, in the order of the manual.
    pub const ALL: [FormatInfo; 20] = [
        FormatInfo {
            format: Self::Html,
            name: "html",
            what: "an HTML document",
            taken_when: Some("begins like one"),
            extensions: &["html", "htm", "shtml"],
        },
        FormatInfo {
            format: Self::Xhtml,
            name: "xhtml",
            what: "an XHTML document, read by the rules of XML",
            taken_when: Some("is a page of an EPUB"),
            extensions: &["xhtml", "xht"],
        },
        FormatInfo {
            format: Self::Svg,
            name: "svg",
            what: "an SVG image, read by the rules of XML",
            taken_when: None,
            extensions: &["svg", "svgz"],
        },
        FormatInfo {
            format: Self::Css,
            name: "css",
            what: "a style sheet",
            taken_when: None,
            extensions: &["css"],
        },
        FormatInfo {
            format: Self::Feed,
            name: "feed",
            what: "a feed (Atom, RSS), read by the rules of XML",
            taken_when: Some("begins with the root element of one"),
            extensions: &["atom", "rss"],
        },
        FormatInfo {
            format: Self::Sitemap,
            name: "sitemap",
            what: "a sitemap or an index of sitemaps, read by the rules of XML",
            taken_when: Some("begins with the root element of one"),
            extensions: &[],
        },
        FormatInfo {
            format: Self::Eml,
            name: "eml",
            what: "one message",
            taken_when: Some("begins with header fields of mail"),
            extensions: &["eml"],
        },
        FormatInfo {
            format: Self::Mbox,
            name: "mbox",
            what: "a mailbox (mboxo, mboxrd, mboxcl, mboxcl2)",
            taken_when: Some("begins with a `From ` line and a header"),
            extensions: &["mbox", "mbx"],
        },
        FormatInfo {
            format: Self::Mhtml,
            name: "mhtml",
            what: "a page saved as one message",
            taken_when: Some("begins with the header that browsers write"),
            extensions: &["mhtml", "mht"],
        },
        FormatInfo {
            format: Self::Emlx,
            name: "emlx",
            what: "a message of Apple Mail",
            taken_when: Some("begins with a length and a header"),
            extensions: &["emlx"],
        },
        FormatInfo {
            format: Self::Maildir,
            name: "maildir",
            what: "messages in files of any name",
            taken_when: Some("is in `cur` or `new` of a maildir"),
            extensions: &[],
        },
        FormatInfo {
            format: Self::Msg,
            name: "msg",
            what: "a message of Outlook",
            taken_when: Some("is a compound file with the properties of a message"),
            extensions: &["msg"],
        },
        FormatInfo {
            format: Self::Tnef,
            name: "tnef",
            what: "a message sent by Outlook (`winmail.dat`)",
            taken_when: Some("begins with the signature of TNEF"),
            extensions: &["tnef"],
        },
        FormatInfo {
            format: Self::Webarchive,
            name: "webarchive",
            what: "a page saved by Safari",
            taken_when: Some("is a property list with web resources"),
            extensions: &["webarchive"],
        },
        FormatInfo {
            format: Self::Zip,
            name: "zip",
            what: "pages, messages and containers in a MAFF, EPUB, WACZ or plain zip",
            taken_when: Some("is a zip that you name"),
            extensions: &["maff", "epub", "wacz", "zip"],
        },
        FormatInfo {
            format: Self::Har,
            name: "har",
            what: "what a browser exchanged with servers (HTTP Archive)",
            taken_when: Some("is JSON that begins with `log`"),
            extensions: &["har"],
        },
        FormatInfo {
            format: Self::Http,
            name: "http",
            what: "an HTTP response (`curl -i`, `wget --save-headers`)",
            taken_when: Some("begins with a status line"),
            extensions: &[],
        },
        FormatInfo {
            format: Self::Warc,
            name: "warc",
            what: "a web archive",
            taken_when: Some("begins with a version line"),
            extensions: &["warc"],
        },
        FormatInfo {
            format: Self::Arc,
            name: "arc",
            what: "ARC, the predecessor of WARC",
            taken_when: Some("begins with `filedesc://`"),
            extensions: &["arc"],
        },
        FormatInfo {
            format: Self::Pages,
            name: "pages",
            what: "the pages of a crawl (`pages.jsonl`, `skippedPages.jsonl`), for audits",
            taken_when: Some("begins with a line that names `json-pages-1.0`"),
            extensions: &[],
        },
    ];

    /// Whether a file of the format is one document or message rather than a collection: the file
    /// then came from where the document did.
    #[must_use]
    pub fn is_one_document(self) -> bool {
        match self {
            Self::Html
            | Self::Xhtml
            | Self::Svg
            | Self::Css
            | Self::Feed
            | Self::Sitemap
            | Self::Eml
            | Self::Mhtml
            | Self::Emlx
            | Self::Maildir
            | Self::Msg
            | Self::Tnef
            | Self::Http => true,
            Self::Mbox
            | Self::Webarchive
            | Self::Zip
            | Self::Har
            | Self::Warc
            | Self::Arc
            | Self::Pages => false,
        }
    }

    /// The rules to read a document of the format by; `None` if it is not markup.
    #[must_use]
    pub fn markup(self) -> Option<Markup> {
        match self {
            Self::Html => Some(Markup::Html),
            Self::Xhtml | Self::Svg => Some(Markup::Xml),
            Self::Feed | Self::Sitemap => Some(Markup::Feed),
            _ => None,
        }
    }
}

/// The formats as a table in Markdown, for the manual.
#[must_use]
pub fn markdown() -> String {
    let mut table = String::from("| `--input` | what | recognised when |\n|---|---|---|\n");
    for FormatInfo {
        name,
        what,
        taken_when,
        extensions,
        ..
    } in &Format::ALL
    {
        let endings: Vec<String> = extensions
            .iter()
            .map(|ending| format!("`.{ending}`"))
            .collect();
        let by_name = (!endings.is_empty()).then(|| format!("is named {}", endings.join(", ")));
        let when = taken_when.map(str::to_owned).into_iter().chain(by_name);
        let when = when.collect::<Vec<_>>().join(", or ");
        writeln!(table, "| `{name}` | {what} | it {when} |").expect("a String takes every write");
    }
    table
}
