//! Links as records, and the output formats of `baseref links`.

use std::borrow::Cow;
use std::cell::OnceCell;
use std::ptr;

use super::base_text::BaseCache;
use super::column::{Cell, CellKind, Column, Record, Selection, Shared, Together};
use super::delimited::{Delimited, Table};
use super::jsonl::JsonLines;
pub use super::link_row::LinkRow;
use super::link_values::{self, self as values};
use super::row_cache::RowCache;
use super::url_lines::UrlLines;
use super::url_parts;
use super::value::column;
use baseref_document::MessageFields;
use baseref_document::ReadOptions;
use baseref_files::terminal::show_since;
use baseref_reader::links::archived_url;
use baseref_reader::links::{Browsers, DocumentLinks};
use baseref_unwrap::share::{self, Share};
use baseref_unwrap::{End, Unwrapper};

/// The record type of [`LinkRow`]s.
#[derive(Clone, Copy, Debug)]
pub struct Links;

impl Record for Links {
    type Row<'r> = LinkRow<'r>;

    const TYPE: &'static str = "link";

    const COLUMNS: &'static [Column<Self>] = &COLUMNS;

    const TOGETHER: &'static [Together<Self>] = &TOGETHER;

    fn follows_from(column: &str) -> Option<Shared> {
        match column {
            "doc" | "entity_offset" | "doc_url" | "doc_date" | "doc_title" | "message_id"
            | "from" | "to" | "subject" | "list_id" | "content_type" | "disposition"
            | "filename" => Some(Shared::Document),
            "element" | "attr" | "class" => Some(Shared::LinkPlace),
            // The rule set is the same for the whole document; it follows the base's columns.
            "base" | "base_source" | "base_at" | "resolver" => Some(Shared::Base),
            _ => None,
        }
    }

    fn number_of(row: &LinkRow<'_>, shared: Shared) -> Option<usize> {
        match shared {
            Shared::Document => Some(0),
            Shared::Base => Some(row.base.number()),
            Shared::LinkPlace => {
                let slot = row.link.reference.slot;
                // For a slot of any element, the reference has the element's name as written.
                (slot.element != "*").then(|| ptr::from_ref(slot).addr())
            }
        }
    }
}

/// The columns that are written for every link.
static TOGETHER: [Together<Links>; 3] = [
    Together {
        columns: &["seq"],
        write: link_values::write_seq,
    },
    Together {
        columns: &["text", "raw", "url", "browser_url", "archived_at", "error"],
        write: link_values::write_urls,
    },
    Together {
        columns: &["line", "column", "byte", "part_byte", "part"],
        write: link_values::write_place,
    },
];

/// A static, so that the functions in it are compiled here: those of a constant are compiled where it is used,
/// which may be for size.
static COLUMNS: [Column<Links>; 44] = [
    Column::text(
        "doc",
        "the document: the path as given, `!name` the member of a zip, `#N` the message in \
                  a mailbox or the record in an archive, `/1.2` the MIME section, `!srcdoc1` the \
                  first `iframe srcdoc` in it, `!data1` the first frame with a `data:` URL, `!content1` the first HTML in a feed",
        |row| Cell::text(row.doc),
    ),
    column!(
        "seq",
        Number,
        Always,
        "the number of the link in its document, from 1, in document order",
        |row| values::seq(row)
    ),
    Column::text("element", "the element it is in", |row| {
        Cell::text(row.link.reference.element)
    }),
    Column::text("attr", "the attribute it is in", |row| {
        Cell::text(row.link.reference.attr)
    }),
    Column::text(
        "class",
        "`anchor`, `resource`, `document`, `form`, `metadata`, `header` or `text`",
        |row| Cell::text(row.link.reference.slot.class.as_str()),
    ),
    column!(
        "text",
        Text,
        Always,
        "the link text, white space collapsed, images by their `alt`; null for \
                  other links",
        |row| values::text(row)
    ),
    column!(
        "raw",
        Text,
        Always,
        "the value as written, character references decoded",
        |row| values::raw(row)
    ),
    column!(
        "url",
        Text,
        Always,
        "the resolved URL; null exactly when `error` is not",
        |row| values::url(row)
    ),
    column!(
        "browser_url",
        Text,
        AbsentOrNull,
        "only where a browser goes elsewhere than `url` says, as with `https:/host/`: the \
                  URL it goes to, or null if it goes nowhere",
        |row| values::browser_url(row)
    ),
    column!(
        "archived_at",
        Text,
        WhereKnown,
        "only with `--unwrap-archive`, where `url` was extracted from the URL of a web \
                  archive: the time of the capture, 4 to 14 digits of `YYYYMMDDhhmmss`",
        |row| values::archived_at(row)
    ),
    column!(
        "error",
        Text,
        Always,
        "`no-base` (relative, and no base is known), `bad-base` (relative, and the base \
                  cannot serve), `invalid` (no URL under any base), `too-long` (the limit \
                  `url-size`), or null",
        |row| values::error(row)
    ),
    Column::text(
        "base",
        "the base it was resolved against; null when there is none",
        |row| row.url_cell(row.link.base.url.as_deref()),
    ),
    Column::text(
        "base_source",
        "the layer of that base: `element`, `header`, `retrieval` or `none`",
        |row| Cell::text(row.link.base.source.as_str()),
    ),
    Column::text(
        "base_at",
        "where that base is declared; null when there is none",
        |row| Cell::text_or_null(row.base.at()),
    ),
    Column::text(
        "resolver",
        "the rule set: `rfc1808`, `rfc3986` or `whatwg`",
        |row| Cell::text(row.rules.as_str()),
    ),
    column!(
        "line",
        Number,
        Always,
        "the line on which the value begins, from 1, in the decoded document; for a \
                  header field in the file",
        |row| values::line(row)
    ),
    column!(
        "column",
        Number,
        Always,
        "the column at which the value begins, from 1, in Unicode scalar values",
        |row| values::column(row)
    ),
    column!(
        "byte",
        Range,
        Always,
        "`[start, end)` of the value in the document as stored; in mail, in the part with \
                  its transfer encoding, and UTF-7, decoded; of a header field of a message, in the file. \
                  Where `raw` was joined from several lines, the range from the first byte \
                  to the last",
        |row| values::byte(row)
    ),
    column!(
        "part_byte",
        Range,
        WhereKnown,
        "only in mail: `[start, end)` of the part's body in the file; not for header \
                  fields",
        |row| values::part_byte(row)
    ),
    column!(
        "part",
        Text,
        AbsentOrNull,
        "only in mail, and only for links that refer to a part of their message: \
                  the section of the part; null for a `cid:` that matches no part",
        |row| values::part(row)
    ),
    Column::on_request(
        "entity_offset",
        CellKind::Number,
        "the offset in the input of the message (with its `From ` line) or record \
                  that contains the document; in an archive in which every record is a \
                  gzip member of its own, that of the member; in other compressed inputs, \
                  the offset in the decompressed data; 0 if the document is not part of a \
                  larger input",
        |row| Cell::Number(row.document.origin.offset.unwrap_or_default()),
    ),
    Column::on_request(
        "doc_url",
        CellKind::Text,
        "the URL that the document was retrieved from, according to `--url`, \
                  `--url-map`, the record of a container, or `Content-Location`",
        |row| row.url_cell(row.retrieval),
    ),
    Column::on_request(
        "doc_date",
        CellKind::Text,
        "when the document was retrieved or sent, by its record in an archive or the \
                  `Date` of its message: RFC 3339, in UTC",
        |row| Cell::text_or_null(row.document.metadata.date.as_deref()),
    ),
    Column::on_request(
        "doc_title",
        CellKind::Text,
        "the text of its first `title` element, white space collapsed",
        |row| row.text_cell(row.document.metadata.title.as_deref()),
    ),
    Column::on_request(
        "message_id",
        CellKind::Text,
        "only in mail, of the innermost message: `Message-ID`, without angle brackets",
        |row| row.text_cell(message_field(row, |message| &message.message_id)),
    ),
    Column::on_request("from", CellKind::Text, "its `From`, decoded", |row| {
        row.text_cell(message_field(row, |message| &message.from))
    }),
    Column::on_request("to", CellKind::Text, "its `To`, decoded", |row| {
        row.text_cell(message_field(row, |message| &message.to))
    }),
    Column::on_request("subject", CellKind::Text, "its `Subject`, decoded", |row| {
        row.text_cell(message_field(row, |message| &message.subject))
    }),
    Column::on_request("list_id", CellKind::Text, "its `List-Id`", |row| {
        row.text_cell(message_field(row, |message| &message.list_id))
    }),
    Column::on_request(
        "content_type",
        CellKind::Text,
        "the media type of the part, without parameters",
        |row| Cell::text_or_null(row.document.metadata.content_type.as_deref()),
    ),
    Column::on_request(
        "disposition",
        CellKind::Text,
        "the disposition of the part: `attachment` or `inline`",
        |row| Cell::text_or_null(row.document.metadata.disposition.as_deref()),
    ),
    Column::on_request(
        "filename",
        CellKind::Text,
        "the file name of the part, decoded",
        |row| Cell::text_or_null(row.document.metadata.filename.as_deref()),
    ),
    Column::on_request(
        "final_url",
        CellKind::Text,
        "the last URL that is known when the wrappers of mail security, newsletters and \
                  redirectors around `url` are opened; `url` itself where there is none",
        |row| row.url_cell(row.final_url()),
    ),
    Column::on_request(
        "wrappers",
        CellKind::List,
        "the names of these wrappers, outermost first",
        |row| {
            let steps = row
                .chain
                .map(|chain| chain.steps.iter())
                .into_iter()
                .flatten();
            Cell::Texts(
                steps
                    .map(|step| Some(Cow::Borrowed(step.wrapper)))
                    .collect(),
            )
        },
    ),
    Column::on_request(
        "unwrap_error",
        CellKind::Text,
        "why `final_url` is still a wrapper: `opaque` (only its service knows the target), \
                  `undecodable`, `bad-target` (such as `javascript:`), `loop`, `depth` (more than 8) \
                  or `too-long`; else null",
        |row| {
            let end = row.chain.and_then(|chain| chain.end);
            Cell::text_or_null(end.map(End::as_str))
        },
    ),
    Column::on_request(
        "unwrap_hint",
        CellKind::Text,
        "what such a wrapper says of its target, usually the host: no proof",
        |row| row.host_cell(row.chain.and_then(|chain| chain.hint.as_deref())),
    ),
    Column::on_request(
        "cloud",
        CellKind::Text,
        "the service for storing files that `final_url` leads to a file or folder on, such as \
                  `sharepoint`, `google-drive`, `dropbox`; else null",
        |row| Cell::text_or_null(shared(row).map(|share| share.service)),
    ),
    Column::on_request(
        "cloud_owner",
        CellKind::Text,
        "whose file or folder that is, as far as the URL says: a user or a tenant",
        |row| row.host_cell(shared(row).and_then(|share| share.owner)),
    ),
    Column::on_request(
        "scheme",
        CellKind::Text,
        "the scheme of `url`, in lower case",
        |row| optional(row.url().and_then(url_parts::scheme)),
    ),
    Column::on_request(
        "host",
        CellKind::Text,
        "the host of `url`, in lower case, without port; if it has none, that of \
                  `browser_url`; if there is no URL for want of a base, that of `raw` (`//host/x`); \
                  or null",
        |row| row.host_cell(row.first_part(url_parts::host)),
    ),
    Column::on_request(
        "site",
        CellKind::Text,
        "the registrable domain of that host by the Public Suffix List, private suffixes \
                  included",
        |row| row.host_cell(row.first_part(|url| url_parts::site(url).map(Cow::Owned))),
    ),
    Column::on_request("src_host", CellKind::Text, "the host of `doc_url`", |row| {
        row.host_cell(row.retrieval.and_then(url_parts::host))
    }),
    Column::on_request(
        "src_site",
        CellKind::Text,
        "the registrable domain of that host, as `site` has it",
        |row| {
            let site = row.retrieval.and_then(url_parts::site);
            row.host_cell(site.map(Cow::Owned))
        },
    ),
    Column::on_request(
        "path",
        CellKind::Text,
        "the path of `url`, as written",
        |row| optional(row.url().map(url_parts::path)),
    ),
];

/// The columns of descriptive data, which is read only for them.
const ABOUT: &[&str] = &[
    "doc_date",
    "doc_title",
    "message_id",
    "from",
    "to",
    "subject",
    "list_id",
    "content_type",
    "disposition",
    "filename",
];

/// The columns for which URLs are unwrapped.
const UNWRAPPED: &[&str] = &["final_url", "wrappers", "unwrap_error", "unwrap_hint"];

impl Selection<Links> {
    /// The default columns, followed by the columns of unwrapped URLs.
    #[must_use]
    pub fn with_unwrapped() -> Self {
        let mut selection = Self::default();
        let columns = Links::COLUMNS.iter();
        let unwrapped = columns.filter(|column| UNWRAPPED.contains(&column.name));
        selection.columns.extend(unwrapped.copied());
        selection
    }

    /// Whether URLs must be unwrapped for these columns.
    #[must_use]
    pub fn needs_unwrapping(&self) -> bool {
        let mut columns = self.columns.iter();
        columns.any(|column| UNWRAPPED.contains(&column.name) || column.name.starts_with("cloud"))
    }

    /// The options, adjusted to read exactly what these columns need: texts, positions, descriptive
    /// data.
    #[must_use]
    pub fn needed(&self, options: ReadOptions) -> ReadOptions {
        let has = |names: &[&str]| {
            let mut columns = self.columns.iter();
            columns.any(|column| names.contains(&column.name))
        };
        options
            .with_text(has(&["text"]))
            .with_positions(has(&["line", "column", "byte"]))
            .with_metadata(has(ABOUT))
    }
}

/// Which URLs of links are opened.
#[derive(Clone, Copy, Debug, Default)]
pub struct Opening<'w> {
    /// Whether captures in web archives are replaced by the captured URLs; before anything else.
    pub archives: bool,
    /// Opens wrappers, if requested.
    pub wrappers: Option<&'w Unwrapper>,
    /// Whether the final URL decides what is selected and counted.
    pub by_final: bool,
}

/// Calls `each` with the rows of the links of a document printed as `doc`, in order.
///
/// Not generic: in a caller that was compiled for size every link would be slow.
pub fn each_row(
    document_links: &DocumentLinks<'_>,
    doc: &str,
    opening: Opening<'_>,
    each: &mut dyn FnMut(&LinkRow<'_>),
) {
    let retrieval = document_links.base_report().retrieval_url();
    let mut bases = BaseCache::default();
    let in_browsers = OnceCell::new();
    let mut browsers = Browsers::new(document_links, &in_browsers);
    document_links.for_each_link(|link| {
        let url = link.url.ok().filter(|_| opening.archives);
        let capture = url.and_then(archived_url::capture);
        let elsewhere = browsers.elsewhere(&link);
        let url = elsewhere.and_then(Result::ok).filter(|_| opening.archives);
        let captured = url.and_then(archived_url::capture);
        // The host is enough to recognise a wrapper, and its target has a scheme of its own.
        let network_path = link.network_path().filter(|_| opening.wrappers.is_some());
        let with_scheme = network_path.map(|reference| format!("http:{reference}"));
        let chain = opening.wrappers.and_then(|wrappers| {
            if let Some(url) = &with_scheme {
                let chain = wrappers.unwrap(url);
                let is_opened = chain.steps.iter().any(|step| step.target.is_some());
                return is_opened.then_some(chain);
            }
            let url = match &capture {
                Some(capture) => &*capture.original,
                None => link.url.ok()?,
            };
            Some(wrappers.unwrap(url))
        });
        each(&LinkRow {
            doc,
            document: document_links.document(),
            link: &link,
            base: bases.text_of(link.base),
            retrieval,
            rules: document_links.policy().rules,
            capture: capture.as_ref(),
            elsewhere: match &captured {
                Some(captured) => Some(Ok(&captured.original)),
                None => elsewhere,
            },
            chain: chain.as_ref(),
            by_final: opening.by_final,
            is_defanged: false,
            longest: None,
        });
    });
}

/// The output formats of `baseref links`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LinksFormat {
    /// One resolved URL per line.
    #[default]
    Url,
    /// One JSON object per line.
    Jsonl,
    /// Comma-separated values with a header line.
    Csv,
    /// Tab-separated values with a header line.
    Tsv,
}

impl LinksFormat {
    /// Whether the output has full rows, including links without a URL.
    #[must_use]
    pub fn has_rows(self) -> bool {
        self != Self::Url
    }
}

/// Writes links in one format. It can be shared between threads: the buffer passed in is its only
/// state.
#[derive(Debug)]
pub struct LinkWriter {
    form: Form,
    /// Whether control characters are escaped.
    shown: bool,
}

#[derive(Debug)]
enum Form {
    Url(UrlLines),
    Jsonl(JsonLines<Links>),
    Table(Table<Links>),
}

impl LinkWriter {
    /// A writer of these columns, which the `url` format does not use. Of `lines` the other formats
    /// use only whether control characters are shown.
    #[must_use]
    pub fn new(format: LinksFormat, lines: UrlLines, selection: Selection<Links>) -> Self {
        let form = match format {
            LinksFormat::Url => Form::Url(lines),
            LinksFormat::Jsonl => Form::Jsonl(JsonLines::new(&selection)),
            LinksFormat::Csv => Form::Table(Table::new(Delimited::Csv, selection)),
            LinksFormat::Tsv => Form::Table(Table::new(Delimited::Tsv, selection)),
        };
        let shown = lines.shown;
        Self { form, shown }
    }

    /// Writes what precedes the first link.
    pub fn begin(&self, out: &mut Vec<u8>) {
        if let Form::Table(table) = &self.form {
            table.begin(out);
        }
    }

    /// One link of a document; `cache` keeps text from its earlier links. The `url` format has
    /// no line for a link without a URL.
    pub fn record(&self, row: &LinkRow<'_>, cache: &mut RowCache, out: &mut Vec<u8>) {
        let start = out.len();
        match &self.form {
            Form::Url(lines) => {
                let url = if lines.final_url {
                    row.final_url()
                } else {
                    row.url()
                };
                if let Some(url) = url {
                    lines.line(url, row.doc, row.link.reference.at, out);
                }
                return;
            }
            Form::Jsonl(lines) => lines.record_of_document(row, cache, out),
            Form::Table(table) => table.record_of_document(row, cache, out),
        }
        if self.shown {
            show_since(start, out);
        }
    }

    /// Writes what follows the last link.
    pub fn end(&self, _out: &mut Vec<u8>) {}
}

/// The shared file or folder that the final URL leads to, if it is on a storage service.
fn shared<'r>(row: &'r LinkRow<'_>) -> Option<Share<'r>> {
    share::find(row.final_url()?)
}

/// A field of the innermost message around the document.
fn message_field<'r>(
    row: &'r LinkRow<'_>,
    field: fn(&MessageFields) -> &Option<Box<str>>,
) -> Option<&'r str> {
    let message = row.document.metadata.message.as_deref()?;
    field(message).as_deref()
}

fn optional<'r>(text: Option<impl Into<Cow<'r, str>>>) -> Cell<'r> {
    text.map_or(Cell::Null, Cell::text)
}
