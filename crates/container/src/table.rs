//! The table of formats: one row for each. Detection, `--input`, the Python package and the manual
//! follow from it.

use std::fmt::Write;
use std::path::Path;
use std::sync::LazyLock;

use crate::archives::{arc, har, http, page_list, records, response_file, warc};
use crate::detect::{self, Extensions, FormatRow, Holds, Magic};
use crate::documents;
use crate::format::Format;
use crate::mail::{cms, emlx, json, maildir, mbox, mbx, message};
use baseref_text::decode::source::Markup;

/// The first bytes of a compound file ([MS-CFB] §2.2), which may hold an Outlook message.
const COMPOUND_FILE: &[u8] = b"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1";

/// The first bytes of a TNEF stream ([MS-OXTNEF] §2.1.3.1).
const TNEF: &[u8] = b"\x78\x9F\x3E\x22";

/// The first bytes of an Outlook store ([MS-PST] §2.2.2.6).
const PST: &[u8] = b"!BDN";

/// The first bytes of a ZIM file.
const ZIM: &[u8] = b"ZIM\x04";

/// The first bytes of a zip: the signature of a member or, in an empty zip, of the end of its directory.
const ZIP: [&[u8]; 2] = [b"PK\x03\x04", b"PK\x05\x06"];

/// One row for each format, in the order of the manual.
#[rustfmt::skip]
pub(crate) const ROWS: &[FormatRow] = &[
    FormatRow {
    format: Format::Html,
    name: "html",
    what: "an HTML document",
    recognised_when: Some("begins like one"),
    extensions: &["html", "htm", "shtml"],
        magic: Magic::Page,
        holds: Holds::Document(Markup::Html),
        read: built_in::READ_HTML,
    },
    FormatRow {
    format: Format::Xhtml,
    name: "xhtml",
    what: "an XHTML document, read by the rules of XML",
    recognised_when: Some("is a page of an EPUB"),
    extensions: &["xhtml", "xht"],
        magic: Magic::None,
        holds: Holds::Document(Markup::Xml),
        read: documents::read_xml,
    },
    FormatRow {
    format: Format::Svg,
    name: "svg",
    what: "an SVG image, read by the rules of XML",
    recognised_when: None,
    extensions: &["svg", "svgz"],
        magic: Magic::None,
        holds: Holds::Document(Markup::Xml),
        read: documents::read_xml,
    },
    FormatRow {
    format: Format::Css,
    name: "css",
    what: "a style sheet",
    recognised_when: None,
    extensions: &["css"],
        magic: Magic::None,
        holds: Holds::StyleSheet,
        read: documents::read_style_sheet,
    },
    FormatRow {
    format: Format::Feed,
    name: "feed",
    what: "a feed (Atom, RSS), read by the rules of XML",
    recognised_when: Some("begins with the root element of one"),
    extensions: &["atom", "rss"],
        magic: Magic::Root(documents::is_feed),
        holds: Holds::Document(Markup::Feed),
        read: documents::read_feed,
    },
    FormatRow {
    format: Format::Sitemap,
    name: "sitemap",
    what: "a sitemap or an index of sitemaps, read by the rules of XML",
    recognised_when: Some("begins with the root element of one"),
    extensions: &[],
        magic: Magic::Root(documents::is_sitemap),
        holds: Holds::Document(Markup::Feed),
        read: documents::read_feed,
    },
    FormatRow {
    format: Format::Eml,
    name: "eml",
    what: "one message",
    recognised_when: Some("begins with header fields of mail"),
    extensions: &["eml"],
        magic: Magic::MessageHeader(message::is_mail),
        holds: Holds::Message,
        read: message::read,
    },
    FormatRow {
    format: Format::Mbox,
    name: "mbox",
    what: "a mailbox (mboxo, mboxrd, mboxcl, mboxcl2)",
    recognised_when: Some("begins with a `From ` line and a header"),
    extensions: &["mbox", "mbx"],
        magic: Magic::Text(mbox::is_mbox),
        holds: Holds::Collection,
        read: mbox::read,
    },
    FormatRow {
        format: Format::Mbx,
        name: "mbx",
        what: "a mailbox of UW IMAP or Alpine",
        recognised_when: Some("begins with `*mbx*`"),
        extensions: &[],
        magic: Magic::Bytes(&[mbx::MBX]),
        holds: Holds::Collection,
        read: mbx::read,
    },
    FormatRow {
    format: Format::Mhtml,
    name: "mhtml",
    what: "a page saved as one message",
    recognised_when: Some("begins with the header that browsers write"),
    extensions: &["mhtml", "mht"],
        magic: Magic::MessageHeader(message::is_page),
        holds: Holds::Message,
        read: message::read,
    },
    FormatRow {
    format: Format::Emlx,
    name: "emlx",
    what: "an Apple Mail message",
    recognised_when: Some("begins with a length and a header"),
    extensions: &["emlx"],
        magic: Magic::Stored(emlx::is_emlx),
        holds: Holds::Message,
        read: emlx::read,
    },
    FormatRow {
    format: Format::Maildir,
    name: "maildir",
    what: "messages in files of any name",
    recognised_when: Some("is in `cur` or `new` of a maildir"),
    extensions: &[],
        magic: Magic::None,
        holds: Holds::Message,
        read: maildir::read,
    },
    FormatRow {
    format: Format::Msg,
    name: "msg",
    what: "an Outlook message",
    recognised_when: Some("is a compound file with the properties of a message"),
    extensions: &["msg"],
        magic: Magic::Bytes(&[COMPOUND_FILE]),
        holds: Holds::Message,
        read: built_in::READ_MSG,
    },
    FormatRow {
    format: Format::Tnef,
    name: "tnef",
    what: "a message sent by Outlook (`winmail.dat`)",
    recognised_when: Some("begins with the signature of TNEF"),
    extensions: &["tnef"],
        magic: Magic::Bytes(&[TNEF]),
        holds: Holds::Message,
        read: built_in::READ_TNEF,
    },
    FormatRow {
        format: Format::Pst,
        name: "pst",
        what: "an Outlook store (PST; OST before Outlook 2013)",
        recognised_when: Some("begins with the signature of one"),
        extensions: &["pst", "ost"],
        magic: Magic::Bytes(&[PST]),
        holds: Holds::Collection,
        read: built_in::READ_PST,
    },
    FormatRow {
        format: Format::Gmail,
        name: "gmail",
        what: "messages of the Gmail API, in JSON",
        recognised_when: Some("is JSON with the members of such a message"),
        extensions: &[],
        magic: Magic::Json(json::is_gmail),
        holds: Holds::Collection,
        read: json::read_gmail,
    },
    FormatRow {
        format: Format::Graph,
        name: "graph",
        what: "messages of Microsoft Graph, in JSON",
        recognised_when: Some("is JSON with the members of such a message"),
        extensions: &[],
        magic: Magic::Json(json::is_graph),
        holds: Holds::Collection,
        read: json::read_graph,
    },
    FormatRow {
        format: Format::Cms,
        name: "p7m",
        what: "one message, signed by S/MIME",
        recognised_when: Some("begins like signed or encrypted content (CMS)"),
        extensions: &["p7m", "p7z"],
        magic: Magic::Stored(cms::is_cms),
        holds: Holds::Message,
        read: cms::read,
    },
    FormatRow {
    format: Format::Webarchive,
    name: "webarchive",
    what: "a page saved by Safari",
    recognised_when: Some("is a property list with web resources"),
    extensions: &["webarchive"],
        magic: Magic::Stored(is_webarchive),
        holds: Holds::Collection,
        read: built_in::READ_WEBARCHIVE,
    },
    FormatRow {
    format: Format::Zip,
    name: "zip",
    what: "pages, messages and containers in a MAFF, EPUB, WACZ, plain zip or archive of Outlook for Mac",
    recognised_when: Some("is a zip that you name"),
    extensions: &["maff", "epub", "wacz", "zip", "olm"],
        magic: Magic::Stored(is_zip),
        holds: Holds::Collection,
        read: built_in::READ_ZIP,
    },
    FormatRow {
        format: Format::Zim,
        name: "zim",
        what: "a site in one file, as Kiwix reads it (openZIM)",
        recognised_when: Some("begins with the signature of one"),
        extensions: &["zim"],
        magic: Magic::Bytes(&[ZIM]),
        holds: Holds::Collection,
        read: built_in::READ_ZIM,
    },
    FormatRow {
        format: Format::Tar,
        name: "tar",
        what: "pages, messages and containers in a tar",
        recognised_when: Some("begins with the header of a file"),
        extensions: &["tar", "tgz", "tbz2", "txz"],
        magic: built_in::TAR,
        holds: Holds::Collection,
        read: built_in::READ_TAR,
    },
    FormatRow {
    format: Format::Har,
    name: "har",
    what: "what a browser exchanged with servers (HTTP Archive)",
    recognised_when: Some("is JSON that begins with `log`"),
    extensions: &["har"],
        magic: Magic::Text(har::is_har),
        holds: Holds::Collection,
        read: har::read,
    },
    FormatRow {
    format: Format::Http,
    name: "http",
    what: "an HTTP response (`curl -i`, `wget --save-headers`)",
    recognised_when: Some("begins with a status line"),
    extensions: &[],
        magic: Magic::Stored(http::is_response_file),
        holds: Holds::Message,
        read: response_file::read,
    },
    FormatRow {
    format: Format::Warc,
    name: "warc",
    what: "a web archive",
    recognised_when: Some("begins with a version line"),
    extensions: &["warc"],
        magic: Magic::Stored(warc::is_warc),
        holds: Holds::Collection,
        read: records::read::<warc::Warc>,
    },
    FormatRow {
    format: Format::Arc,
    name: "arc",
    what: "ARC, the predecessor of WARC",
    recognised_when: Some("begins with `filedesc://`"),
    extensions: &["arc"],
        magic: Magic::Bytes(&[arc::FILE_DESCRIPTION]),
        holds: Holds::Collection,
        read: records::read::<arc::Arc>,
    },
    FormatRow {
    format: Format::Pages,
    name: "pages",
    what: "the pages of a crawl (`pages.jsonl`, `skippedPages.jsonl`), for audits",
    recognised_when: Some("begins with a line that names `json-pages-1.0`"),
    extensions: &[],
        magic: Magic::Text(page_list::is_page_list),
        holds: Holds::Collection,
        read: page_list::read,
    },
];

/// The readers of formats that need the feature `archives`.
#[cfg(feature = "archives")]
mod built_in {
    use crate::archives::{tar, webarchive};
    use crate::detect::{Magic, Read};
    use crate::mail::{outlook, store};
    use crate::{zim, zip};

    pub(super) const TAR: Magic = Magic::Stored(tar::is_tar);

    pub(super) const READ_HTML: Read = zip::read_html;
    pub(super) const READ_MSG: Read = outlook::read_msg;
    pub(super) const READ_TNEF: Read = outlook::read_tnef;
    pub(super) const READ_PST: Read = store::read;
    pub(super) const READ_TAR: Read = tar::read;
    pub(super) const READ_WEBARCHIVE: Read = webarchive::read;
    pub(super) const READ_ZIP: Read = zip::read;
    pub(super) const READ_ZIM: Read = zim::read;
}

/// Without the feature the files are refused before they are read.
#[cfg(not(feature = "archives"))]
mod built_in {
    use crate::detect::{Magic, Read};
    use crate::documents;

    pub(super) const TAR: Magic = Magic::None;

    pub(super) const READ_HTML: Read = documents::read_html;
    pub(super) const READ_MSG: Read = documents::read_html;
    pub(super) const READ_TNEF: Read = documents::read_html;
    pub(super) const READ_PST: Read = documents::read_html;
    pub(super) const READ_TAR: Read = documents::read_html;
    pub(super) const READ_WEBARCHIVE: Read = documents::read_html;
    pub(super) const READ_ZIP: Read = documents::read_html;
    pub(super) const READ_ZIM: Read = documents::read_html;
}

/// Whether a file begins as a zip, or as the picture before the zip that `SingleFile` wrote.
fn is_zip(head: &[u8]) -> bool {
    ZIP.iter().any(|magic| head.starts_with(magic)) || documents::is_page_behind_picture(head)
}

/// Whether the property list that `bytes` begin holds a saved page, as far as they show.
fn is_webarchive(bytes: &[u8]) -> bool {
    let is_list = bytes.starts_with(b"bplist0")
        || bytes.starts_with(b"<?xml") && memchr::memmem::find(bytes, b"<plist").is_some();
    is_list && memchr::memmem::find(bytes, b"WebResource").is_some()
}

/// The rows by extension.
pub(crate) static EXTENSIONS: LazyLock<Extensions> = LazyLock::new(|| Extensions::new(ROWS));

impl Format {
    /// Every format, in the order of the manual.
    pub const ALL: &'static [FormatRow] = ROWS;

    /// The format that the first bytes of a file show, up to [`HEAD`](detect::HEAD) of them. They do
    /// not show whether a compound file holds a message.
    #[must_use]
    pub fn from_content(head: &[u8]) -> Option<Self> {
        detect::by_content(ROWS, head).map(|row| row.format)
    }

    /// The format that the extension of a file name shows, in any case; for a compressed file, the
    /// extension before every `.gz`, `.zst`, `.bz2` and `.xz`.
    #[must_use]
    pub fn from_name(name: &Path) -> Option<Self> {
        EXTENSIONS.of_name(name).map(|row| row.format)
    }

    /// The markup of a document in the format; `None` if the format has none.
    #[must_use]
    pub fn markup(self) -> Option<Markup> {
        let mut rows = ROWS.iter();
        rows.find(|row| row.format == self)?.markup()
    }
}

/// The formats as a table in Markdown, for the manual.
#[must_use]
pub fn formats_as_markdown() -> String {
    let mut table = String::from("| `--input` | what | recognised when |\n|---|---|---|\n");
    for FormatRow {
        name,
        what,
        recognised_when,
        extensions,
        ..
    } in Format::ALL
    {
        let endings: Vec<String> = extensions
            .iter()
            .map(|ending| format!("`.{ending}`"))
            .collect();
        let by_name = (!endings.is_empty()).then(|| format!("is named {}", endings.join(", ")));
        let when = recognised_when
            .map(str::to_owned)
            .into_iter()
            .chain(by_name);
        let when = when.collect::<Vec<_>>().join(", or ");
        writeln!(table, "| `{name}` | {what} | it {when} |").expect("a String takes every write");
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;
    use baseref_text::decode::sniff::is_text;

    #[test]
    fn each_extension_shows_its_format() {
        for row in ROWS {
            for extension in row.extensions {
                let name = format!("a.{}", extension.to_ascii_uppercase());
                assert_eq!(Format::from_name(name.as_ref()), Some(row.format), "{name}");
            }
        }
    }

    #[test]
    fn content_decides_the_format() {
        for (content, format) in [
            (&b"<!DOCTYPE html><p>x"[..], Some(Format::Html)),
            (b"\xEF\xBB\xBF \n<HTML>", Some(Format::Html)),
            (b"<!-- saved --><a href=x>y</a>", Some(Format::Html)),
            (
                b"<?xml version='1.0'?>\n<html xmlns='x'>",
                Some(Format::Html),
            ),
            (b"<?xml version='1.0'?>\n<rss>", Some(Format::Feed)),
            (
                b"<feed xmlns='http://www.w3.org/2005/Atom'><html>",
                Some(Format::Feed),
            ),
            (b"<feed xmlns='http://example.com/cattle'>", None),
            (
                b"<rdf:RDF xmlns:rdf='x' xmlns='http://purl.org/rss/1.0/'>",
                Some(Format::Feed),
            ),
            (b"<rdf:RDF xmlns:rdf='x' xmlns='urn:owl'>", None),
            (b"<!-- x --><urlset>", Some(Format::Sitemap)),
            (b"\xFF\xFE<\0r\0s\0s\0>\0", Some(Format::Feed)),
            (b"<s:sitemapindex xmlns:s='y'>", Some(Format::Sitemap)),
            (b"\xFF\xFE<\0p\0>\0", Some(Format::Html)),
            (b"<\0h\0t\0m\0l\0>\0", Some(Format::Html)),
            (b"<abbrev>", None),
            (b"\xFF\xFET\0o\0:\0a\0\n\0", Some(Format::Eml)),
            (b"\0S\0u\0b\0j\0e\0c\0t\0:\0x\0\n\0\n", Some(Format::Eml)),
            (b"<plaintext>\0\0", Some(Format::Html)),
            (b"Subject: x\n\nbody", Some(Format::Eml)),
            (b"Base : <URL:http://a/>\nX: y\n\n", Some(Format::Eml)),
            (
                b"From a@b Mon Jan  1 00:00:00 2001\nFrom: a\n\n",
                Some(Format::Mbox),
            ),
            (b"From : a\nTo : b\n\n", Some(Format::Eml)),
            (b"From here to there\nit is far", None),
            (
                b"From: <Saved by Blink>\nSnapshot-Content-Location: http://a/\n\n",
                Some(Format::Mhtml),
            ),
            (
                b"31\nFrom: a\nTo: b\nSubject: c\n\nd<?xml",
                Some(Format::Emlx),
            ),
            (b"31\nbottles", None),
            (b"bplist00\xD1\x01\x02_\x10\x0FWebMainResource", None),
            (
                b"bplist00\xD1\x01\x02_\x10\x0FWebResourceData",
                Some(Format::Webarchive),
            ),
            (b"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1\0\0", Some(Format::Msg)),
            (b"\x78\x9F\x3E\x22\x01\0", Some(Format::Tnef)),
            (b"WARC/1.0\r\nWARC-Type: x\r\n", Some(Format::Warc)),
            (b"WARC/one\r\n", None),
            (
                b"filedesc://x 0.0.0.0 20260101000000 text/plain 9\n",
                Some(Format::Arc),
            ),
            (
                b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>",
                Some(Format::Http),
            ),
            (b"HTTP/2 is a protocol", None),
            (b"key: value\nother: value\n", None),
            (b"Dear all,\nSubject: x\n", None),
            (b"", None),
        ] {
            let shown = String::from_utf8_lossy(content);
            assert_eq!(Format::from_content(content), format, "{shown}");
        }
    }

    #[test]
    fn extension_decides_in_any_case() {
        for name in [
            "html",
            ".html",
            "a/.html",
            "a.html/b",
            "a.gz",
            "a.html.gz.x",
            "..",
            "",
        ] {
            assert_eq!(Format::from_name(Path::new(name)), None, "{name}");
        }
        for name in ["a.html/", "a/b.html.GZ.xz", "a.b.html"] {
            assert_eq!(
                Format::from_name(Path::new(name)),
                Some(Format::Html),
                "{name}"
            );
        }
        assert_eq!(Format::from_name(Path::new("A.HTM")), Some(Format::Html));
        assert_eq!(Format::from_name(Path::new("a.css")), Some(Format::Css));
        assert_eq!(Format::from_name(Path::new("a.mht")), Some(Format::Mhtml));
        assert_eq!(Format::from_name(Path::new("html")), None);
        assert_eq!(Format::from_name(Path::new("a.XHT")), Some(Format::Xhtml));
        assert_eq!(Format::from_name(Path::new("a.svg.gz")), Some(Format::Svg));
        assert_eq!(
            Format::from_name(Path::new("a.mbox.GZ")),
            Some(Format::Mbox)
        );
        assert_eq!(Format::from_name(Path::new("a.gz")), None);
    }

    #[test]
    fn name_decides_between_html_xhtml_and_svg() {
        let (html, mail) = (Some(Format::Html), Some(Format::Eml));
        for (content, name, expected) in [
            (html, Some(Format::Xhtml), Some(Format::Xhtml)),
            (html, Some(Format::Svg), Some(Format::Svg)),
            (None, Some(Format::Svg), Some(Format::Svg)),
            (html, mail, html),
            (mail, Some(Format::Xhtml), mail),
            (None, mail, mail),
            (html, None, html),
        ] {
            assert_eq!(crate::open::FORMATS.choose(content, name), expected);
        }
    }

    #[test]
    fn msg_in_text_is_eml() {
        let msg = Some(Format::Msg);
        for (head, found) in [
            (
                &b"Content-Type: multipart/mixed; boundary=\"a"[..],
                Some(Format::Eml),
            ),
            (b"no header\n", Some(Format::Eml)),
            (COMPOUND_FILE, msg),
            (b"\0\x01\x02\x03\x04\x05", msg),
            (b"", msg),
        ] {
            assert_eq!(detect::corrected(msg, head), found);
        }
    }

    #[test]
    fn text_has_few_binary_data_bytes() {
        assert!(is_text(b""));
        assert!(is_text(b"caf\xE9\r\n\t\x1b$B\x0c"));
        assert!(is_text(b"\xFF\xFE<\0"));
        assert!(is_text(b"one \0 stray byte"));
        // Exactly one in twenty.
        assert!(is_text(&[&[0; 50], &[b'x'; 950][..]].concat()));
        assert!(!is_text(&[&[0; 51], &[b'x'; 949][..]].concat()));
        assert!(!is_text(&[0; 512]));
        assert!(!is_text(b"\x89PNG\r\n\x1a\n\0"));
        assert!(!is_text(b"%PDF-1.4\n1 0 obj\n<< /Type /Catalog >>"));
        assert!(is_text(b"% PDF in words, GIF89a"));
    }
}
