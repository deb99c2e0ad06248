//! The date of a run. Only this module reads the clock.

use std::env;

use time::{Date, OffsetDateTime};

use super::error::CommandError;
use baseref_findings::judging;

/// The date `days` days ago, as in RFC 3339.
///
/// # Errors
/// If `SOURCE_DATE_EPOCH` is not a time, or the date is out of range.
pub(super) fn days_ago(days: Option<u16>) -> Result<Option<String>, CommandError> {
    let Some(days) = days else {
        return Ok(None);
    };
    let day = today()?.checked_sub(time::Duration::days(i64::from(days)));
    let day = day.ok_or_else(|| CommandError::NoDay(days))?;
    Ok(Some(day.to_string()))
}

/// The day in UTC, by `SOURCE_DATE_EPOCH` or the clock.
pub(super) fn today() -> Result<Date, CommandError> {
    match env::var("SOURCE_DATE_EPOCH") {
        Ok(epoch) => Ok(judging::day_of_epoch(&epoch)?),
        Err(_) => Ok(OffsetDateTime::now_utc().date()),
    }
}
