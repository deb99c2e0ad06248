//! CSV (RFC 4180) and its tab-separated sister; both quote a field where it needs it.

use super::record::{BaseRecord, LinkRecord};

/// Writes one row.
pub(super) fn row<T: AsRef<[u8]>>(fields: &[T], delimiter: u8, out: &mut Vec<u8>) {
    let mut writer = csv::WriterBuilder::new()
        .delimiter(delimiter)
        .from_writer(out);
    writer
        .write_record(fields)
        .and_then(|()| Ok(writer.flush()?))
        .expect("a Vec takes every write, and a new writer has no other row to match");
}

/// Writes one link.
pub(super) fn link(record: &LinkRecord<'_>, delimiter: u8, out: &mut Vec<u8>) {
    row(&record.row(), delimiter, out);
}

/// Writes the candidates of one document, or one row without a candidate.
pub(super) fn base(record: &BaseRecord<'_>, delimiter: u8, out: &mut Vec<u8>) {
    let document = [
        record.doc,
        record.base.unwrap_or_default(),
        record.base_source,
    ];
    for candidate in &record.candidates {
        let candidate = [
            candidate.source,
            candidate.at,
            candidate.value,
            candidate.url.unwrap_or_default(),
            candidate.verdict,
        ];
        row(&[&document[..], &candidate[..]].concat(), delimiter, out);
    }
    if record.candidates.is_empty() {
        row(&[&document[..], &[""; 5]].concat(), delimiter, out);
    }
}
