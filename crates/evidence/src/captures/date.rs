//! Dates of captures.

use std::time::{Duration, SystemTime};

/// Parses a date in RFC 3339 and UTC to milliseconds since 1970.
#[must_use]
pub fn millis_of(date: &str) -> Option<i64> {
    let time = humantime::parse_rfc3339_weak(date).ok()?;
    let since = time.duration_since(SystemTime::UNIX_EPOCH).ok()?;
    i64::try_from(since.as_millis()).ok()
}

/// Formats the day of a date in milliseconds since 1970: `2024-03-01`.
#[must_use]
pub fn day_of(millis: i64) -> String {
    const DAY: usize = "2024-03-01".len();
    let since = Duration::from_millis(millis.unsigned_abs());
    let time = humantime::format_rfc3339_seconds(SystemTime::UNIX_EPOCH + since);
    let mut text = time.to_string();
    text.truncate(DAY);
    text
}

/// Formats a date in milliseconds since 1970 as in a CDX and in the URLs of archived copies:
/// `20240301100000`.
#[must_use]
pub fn timestamp_of(millis: i64) -> String {
    let since = Duration::from_millis(millis.unsigned_abs());
    let time = humantime::format_rfc3339_seconds(SystemTime::UNIX_EPOCH + since);
    let time = time.to_string();
    time.chars().filter(char::is_ascii_digit).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_parsed_and_formatted() {
        assert_eq!(millis_of("1970-01-02T00:00:01Z"), Some(86_401_000));
        assert_eq!(millis_of("1970-01-01T00:00:00.25Z"), Some(250));
        assert_eq!(millis_of("1969-01-01T00:00:00Z"), None);
        assert_eq!(millis_of("x"), None);
        let noon = millis_of("2024-02-29T12:00:00Z").unwrap();
        assert_eq!(day_of(noon), "2024-02-29");
        assert_eq!(timestamp_of(noon), "20240229120000");
    }
}
