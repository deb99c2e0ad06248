//! The addresses in a column of a table: exports of crawlers, search consoles and analytics, and plans
//! of a move.

use std::path::Path;

use csv::StringRecord;

use super::error::ListError;
use super::list::{AddressList, DistinctAddresses};

/// The names of the column with the old addresses, the most specific first.
const COLUMNS: [&str; 27] = [
    "old url",
    "old address",
    "old",
    "from",
    "from url",
    "redirect from",
    "source url",
    "original url",
    "request url",
    "address",
    "url",
    "urls",
    "full url",
    "page url",
    "page",
    "pages",
    "top pages",
    "landing page",
    "page path",
    "page path and screen class",
    "page location",
    "loc",
    "target url",
    "permalink",
    "uri",
    "path",
    "source",
];

/// The names of the column with the weights, the most specific first.
const WEIGHTS: [&str; 21] = [
    "hits",
    "clicks",
    "pageviews",
    "page views",
    "views",
    "sessions",
    "visits",
    "visitors",
    "unique visitors",
    "total users",
    "active users",
    "users",
    "unique pageviews",
    "entrances",
    "requests",
    "count",
    "traffic",
    "organic traffic",
    "impressions",
    "priority",
    "weight",
];

/// The separators of cells.
const SEPARATORS: [u8; 3] = [b',', b';', b'\t'];

/// The number of rows that are searched for the header.
const MAX_HEADER_ROW: usize = 20;

/// The header row of a table, and the columns to read.
struct Header {
    separator: u8,
    /// The number of rows up to and including the header.
    row: usize,
    column: usize,
    weight: Option<(usize, String)>,
}

/// Reads a table; `None` if the text is not a table.
pub(super) fn read(text: &str, file: &Path) -> Result<Option<AddressList>, ListError> {
    let name = file.to_string_lossy().to_ascii_lowercase();
    let name = name.strip_suffix(".gz").unwrap_or(&name);
    let end = name.rsplit('.').next();
    let is_named = matches!(end, Some("csv" | "tsv"));
    let header = match SEPARATORS
        .into_iter()
        .find_map(|separator| find_header(text, separator))
    {
        Some(header) => header,
        None if is_named => without_header(text)?,
        None => return Ok(None),
    };
    let mut addresses = DistinctAddresses::default();
    for row in rows(text, header.separator).skip(header.row) {
        let row = row.map_err(ListError::Table)?;
        let cell = |at: usize| row.get(at).unwrap_or_default().trim();
        let url = cell(header.column);
        if !url.is_empty() && !url.starts_with('#') {
            let weight = header.weight.as_ref().map(|(at, _)| cell(*at));
            addresses.add(url, weight.unwrap_or_default());
        }
    }
    Ok(Some(AddressList {
        addresses: addresses.into_vec(),
        weight: header.weight.map(|(_, name)| name),
        ..AddressList::default()
    }))
}

fn rows(text: &str, separator: u8) -> impl Iterator<Item = csv::Result<StringRecord>> {
    csv::ReaderBuilder::new()
        .delimiter(separator)
        .flexible(true)
        .has_headers(false)
        .from_reader(text.as_bytes())
        .into_records()
}

/// Finds the header, if this separator divides the cells.
fn find_header(text: &str, separator: u8) -> Option<Header> {
    let first = rows(text, separator).take(MAX_HEADER_ROW).enumerate();
    for (number, row) in first {
        let row = row.ok()?;
        let names: Vec<String> = row.iter().map(plain_name).collect();
        let find = |known: &[&str]| {
            let mut known = known.iter();
            known.find_map(|known| names.iter().position(|name| name == known))
        };
        let Some(column) = find(&COLUMNS) else {
            continue;
        };
        let weight = find(&WEIGHTS).map(|at| (at, names[at].clone()));
        return Some(Header {
            separator,
            row: number + 1,
            column,
            weight,
        });
    }
    None
}

/// Reads a table without a header by the first column with an address.
fn without_header(text: &str) -> Result<Header, ListError> {
    let is_url = |cell: &str| cell.contains("://") || cell.starts_with('/');
    let found = SEPARATORS.into_iter().find_map(|separator| {
        let row = rows(text, separator).next()?.ok()?;
        let is_separated = row.len() > 1 || separator == b'\t';
        let column = row.iter().position(|cell| is_url(cell.trim()))?;
        is_separated.then_some((separator, column))
    });
    let (separator, column) = found.ok_or(ListError::NoColumn)?;
    Ok(Header {
        separator,
        row: 0,
        column,
        weight: None,
    })
}

/// A column name in lower case, with single spaces between words.
fn plain_name(cell: &str) -> String {
    let lower = cell.trim().trim_start_matches('\u{feff}').to_lowercase();
    let words: Vec<&str> = lower
        .split([' ', '_', '-'])
        .filter(|word| !word.is_empty())
        .collect();
    words.join(" ")
}
