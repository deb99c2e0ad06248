//! The captures of web archives, found by URL and day.

use crate::captures::{day_of, exact, millis_of, timestamp_of, twin};
use baseref_document::{Capture, CaptureKind};

use crate::link_reports::store::{ByKey, Full, TextRange, Texts};

/// An archived copy of a URL.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Copy {
    /// The captured URL, in normal form.
    pub url: String,
    /// The day: `2024-03-01`.
    pub day: String,
    /// The time as in the URLs of archived copies: `20240301100000`.
    pub timestamp: String,
}

/// A capture.
#[derive(Clone, Copy, Debug)]
struct ArchivedCapture {
    url: TextRange,
    /// Seconds since 1970.
    time: u32,
}

/// The captures of successful responses.
#[derive(Debug, Default)]
pub(crate) struct ArchivedCaptures {
    texts: Texts,
    rows: Vec<ArchivedCapture>,
    by_twin: ByKey,
}

impl ArchivedCaptures {
    /// Adds a capture of a successful response; it is found after the next [`Self::sort`].
    pub(crate) fn add(&mut self, capture: &Capture) -> Result<(), Full> {
        let is_revisit = matches!(capture.kind, CaptureKind::Revisit(_));
        let is_copy = matches!(capture.status, 200..=299) || is_revisit && capture.status == 0;
        let time = capture.date.as_deref().and_then(millis_of);
        let time = time.and_then(|millis| u32::try_from(millis / 1000).ok());
        let Some(time) = time.filter(|_| is_copy && capture.method.is_none()) else {
            return Ok(());
        };
        let url = exact(&capture.url);
        let number = u32::try_from(self.rows.len()).map_err(|_| Full)?;
        let row = ArchivedCapture {
            url: self.texts.store(&url)?,
            time,
        };
        self.by_twin.add(&twin(&url), number);
        self.rows.push(row);
        Ok(())
    }

    pub(crate) fn sort(&mut self) {
        let Self {
            texts,
            rows,
            by_twin,
        } = self;
        by_twin.sort(|number| {
            let row = &rows[number as usize];
            (twin(texts.get(row.url)), row.time, number)
        });
    }

    /// The capture of a URL, or of a twin, nearest to a day; without a day, the last one.
    pub(crate) fn nearest(&self, url: &str, day: Option<&str>) -> Option<Copy> {
        let key = twin(&exact(url));
        let rows = self
            .by_twin
            .rows(&key)
            .map(|number| &self.rows[number as usize]);
        let mut rows = rows.filter(|row| twin(self.texts.get(row.url)) == key);
        // Noon, since only the day is known.
        let noon = day.and_then(|day| millis_of(&format!("{}T12:00:00Z", day.get(..10)?)));
        let row = match noon {
            // The later one if two are equally near.
            Some(noon) => rows.rev().min_by_key(|row| {
                let millis = i64::from(row.time) * 1000;
                millis.abs_diff(noon)
            })?,
            None => rows.next_back()?,
        };
        let time = timestamp_of(i64::from(row.time) * 1000);
        Some(Copy {
            url: self.texts.get(row.url).to_owned(),
            day: day_of(i64::from(row.time) * 1000),
            timestamp: time,
        })
    }
}
