//! The addresses in a column of a table: exports of crawlers, of search engines and of statistics, and
//! plans of a move.

use std::path::Path;

use csv::StringRecord;

use super::list::{Address, AddressList};

/// The names of the column that holds the old addresses, the surest first.
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

/// The names of the column that says how much an address matters, the surest first.
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

/// How many rows may stand before the one with the names.
const BEFORE_HEAD: usize = 20;

/// The row with the names of the columns.
struct Head {
    separator: u8,
    /// Its number among the rows.
    row: usize,
    column: usize,
    weight: Option<(usize, String)>,
}

/// Reads a table; `None` if the text is none.
pub(super) fn read(text: &str, file: &Path) -> Result<Option<AddressList>, String> {
    let name = file.to_string_lossy().to_ascii_lowercase();
    let name = name.strip_suffix(".gz").unwrap_or(&name);
    let end = name.rsplit('.').next();
    let is_named = matches!(end, Some("csv" | "tsv"));
    let head = match SEPARATORS
        .into_iter()
        .find_map(|separator| head(text, separator))
    {
        Some(head) => head,
        None if is_named => headless(text)?,
        None => return Ok(None),
    };
    let mut list = AddressList {
        weight: head.weight.as_ref().map(|(_, name)| name.clone()),
        ..AddressList::default()
    };
    for row in rows(text, head.separator).skip(head.row) {
        let row = row.map_err(|error| error.to_string())?;
        let cell = |at: usize| row.get(at).unwrap_or_default().trim();
        let url = cell(head.column);
        if !url.is_empty() && !url.starts_with('#') {
            list.addresses.push(Address {
                url: url.to_owned(),
                weight: head
                    .weight
                    .as_ref()
                    .map_or_else(String::new, |(at, _)| cell(*at).to_owned()),
            });
        }
    }
    Ok(Some(list))
}

fn rows(text: &str, separator: u8) -> impl Iterator<Item = csv::Result<StringRecord>> {
    csv::ReaderBuilder::new()
        .delimiter(separator)
        .flexible(true)
        .has_headers(false)
        .from_reader(text.as_bytes())
        .into_records()
}

/// The row with the names, if the cells are separated so.
fn head(text: &str, separator: u8) -> Option<Head> {
    let first = rows(text, separator).take(BEFORE_HEAD).enumerate();
    for (number, row) in first {
        let row = row.ok()?;
        let names: Vec<String> = row.iter().map(plain_name).collect();
        let place = |known: &[&str]| {
            let mut known = known.iter();
            known.find_map(|known| names.iter().position(|name| name == known))
        };
        let Some(column) = place(&COLUMNS) else {
            continue;
        };
        let weight = place(&WEIGHTS).map(|at| (at, names[at].clone()));
        return Some(Head {
            separator,
            row: number + 1,
            column,
            weight,
        });
    }
    None
}

/// A table without names: the first column with an address.
fn headless(text: &str) -> Result<Head, String> {
    let is_url = |cell: &str| cell.contains("://") || cell.starts_with('/');
    let found = SEPARATORS.into_iter().find_map(|separator| {
        let row = rows(text, separator).next()?.ok()?;
        let is_separated = row.len() > 1 || separator == b'\t';
        let column = row.iter().position(|cell| is_url(cell.trim()))?;
        is_separated.then_some((separator, column))
    });
    let (separator, column) = found.ok_or("no column is called url, address, page or loc")?;
    Ok(Head {
        separator,
        row: 0,
        column,
        weight: None,
    })
}

/// The name of a column as it is compared.
fn plain_name(cell: &str) -> String {
    let lower = cell.trim().trim_start_matches('\u{feff}').to_lowercase();
    let words: Vec<&str> = lower
        .split([' ', '_', '-'])
        .filter(|word| !word.is_empty())
        .collect();
    words.join(" ")
}
