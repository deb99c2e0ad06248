//! The closed set of outputs: records in, bytes out.

pub mod csv;
pub mod jsonl;
pub mod record;
pub mod text;

use record::{BaseRecord, CompareRecord, LinkRecord, ResolveRecord};

/// The forms of output.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Format {
    /// One resolved URL a line; for bases a table for people.
    #[default]
    Url,
    /// One JSON object a line.
    Jsonl,
    /// Comma-separated values with a header line (RFC 4180).
    Csv,
    /// The same with tabs.
    Tsv,
}

/// How the `url` form ends a line and shows what a terminal would obey.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Style {
    /// NUL ends a line instead of LF.
    pub nul: bool,
    /// The output is a terminal: control characters are shown, not sent.
    pub terminal: bool,
}

/// A form of output with its style. Writes into a buffer, which cannot fail.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// The form.
    pub format: Format,
    /// How the lines of the `url` form look.
    pub style: Style,
}

impl Report {
    /// What stands before the first link, if anything.
    pub fn links_head(self, out: &mut Vec<u8>) {
        self.head(&record::LINK_COLUMNS, out);
    }

    /// One link. The `url` form has no line for a link without a URL.
    pub fn link(self, record: &LinkRecord<'_>, out: &mut Vec<u8>) {
        match self.format {
            Format::Url => {
                if let Some(url) = record.url {
                    text::line(url, self.style, out);
                }
            }
            Format::Jsonl => jsonl::line(record, out),
            Format::Csv => csv::link(record, b',', out),
            Format::Tsv => csv::link(record, b'\t', out),
        }
    }

    /// What stands before the first base, if anything.
    pub fn bases_head(self, out: &mut Vec<u8>) {
        self.head(&record::CANDIDATE_COLUMNS, out);
    }

    /// One document's base. The CSV forms have a line for each candidate.
    pub fn base(self, record: &BaseRecord<'_>, out: &mut Vec<u8>) {
        match self.format {
            Format::Url => text::base_table(record, out),
            Format::Jsonl => jsonl::line(record, out),
            Format::Csv => csv::base(record, b',', out),
            Format::Tsv => csv::base(record, b'\t', out),
        }
    }

    /// One resolved reference of `baseref resolve`. The `url` form has an empty line where
    /// there is no URL.
    pub fn resolved(self, record: &ResolveRecord<'_>, out: &mut Vec<u8>) {
        match self.format {
            Format::Jsonl => jsonl::line(record, out),
            Format::Url | Format::Csv | Format::Tsv => {
                text::line(record.url.unwrap_or_default(), self.style, out);
            }
        }
    }

    /// What each rule set makes of references; a table where the form is not JSON Lines.
    pub fn compared(self, records: &[CompareRecord<'_>], out: &mut Vec<u8>) {
        match self.format {
            Format::Jsonl => records.iter().for_each(|record| jsonl::line(record, out)),
            Format::Url | Format::Csv | Format::Tsv => text::compare_table(records, out),
        }
    }

    fn head(self, columns: &[&str], out: &mut Vec<u8>) {
        match self.format {
            Format::Url | Format::Jsonl => {}
            Format::Csv => csv::row(columns, b',', out),
            Format::Tsv => csv::row(columns, b'\t', out),
        }
    }
}
