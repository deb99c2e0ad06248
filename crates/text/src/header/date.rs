//! Dates as written in containers and messages, converted to RFC 3339 in UTC.

use std::time::{Duration, SystemTime};

/// A date in an RFC 3339 form, with or without fractional seconds and with any offset; a space or
/// `t` in place of `T` is accepted, too.
#[must_use]
pub fn from_rfc3339(text: &str) -> Option<Box<str>> {
    /// `+hh:mm`.
    const OFFSET: usize = 6;
    let text = text.trim_ascii();
    let local = match text.strip_suffix(['Z', 'z']) {
        Some(utc) => return in_utc(utc, 0),
        None => text.len().checked_sub(OFFSET)?,
    };
    let (local, offset) = text.split_at_checked(local)?;
    let (hours, minutes) = offset.get(1..)?.split_once(':')?;
    let minutes = hours.parse::<u16>().ok()? * 60 + minutes.parse::<u16>().ok()?;
    match offset.chars().next()? {
        '+' => in_utc(local, -i64::from(minutes)),
        '-' => in_utc(local, i64::from(minutes)),
        _ => None,
    }
}

/// The 14 digits of ARC and of Wayback URLs, in UTC: `20140403040000`; of 12, the seconds are 0.
#[must_use]
pub fn from_digits(digits: &str) -> Option<Box<str>> {
    if !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let (date, time) = digits.split_at_checked(8)?;
    let seconds = match time.len() {
        6 => &time[4..],
        4 => "00",
        _ => return None,
    };
    let (year, month, day) = (&date[..4], &date[4..6], &date[6..]);
    let (hour, minute) = (&time[..2], &time[2..4]);
    from_rfc3339(&format!("{year}-{month}-{day}T{hour}:{minute}:{seconds}Z"))
}

/// Seconds since 1970; `None` before that and after the year 9999.
#[must_use]
pub fn from_timestamp(seconds: i64) -> Option<Box<str>> {
    /// 9999-12-31T23:59:59Z.
    const LAST: u64 = 253_402_300_799;
    let seconds = u64::try_from(seconds)
        .ok()
        .filter(|&seconds| seconds <= LAST)?;
    let time = SystemTime::UNIX_EPOCH + Duration::from_secs(seconds);
    Some(humantime::format_rfc3339(time).to_string().into())
}

/// A local date and time, `later` minutes ahead of UTC.
fn in_utc(local: &str, later: i64) -> Option<Box<str>> {
    let read = humantime::parse_rfc3339_weak(&local.replacen(['t', ' '], "T", 1)).ok()?;
    let shift = Duration::from_secs(later.unsigned_abs() * 60);
    let shifted = if later < 0 {
        read.checked_sub(shift)?
    } else {
        read.checked_add(shift)?
    };
    // Dates before 1970 cannot be formatted.
    shifted.duration_since(SystemTime::UNIX_EPOCH).ok()?;
    Some(humantime::format_rfc3339(shifted).to_string().into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_in_utc() {
        for (text, expected) in [
            ("2026-11-22T00:50:52Z", Some("2026-11-22T00:50:52Z")),
            ("2026-11-22t00:50:52z ", Some("2026-11-22T00:50:52Z")),
            ("2026-11-22T01:50:52+02:00", Some("2026-11-21T23:50:52Z")),
            ("2026-11-21 22:20:52-01:30", Some("2026-11-21T23:50:52Z")),
            (
                "2026-11-22T00:50:52.123Z",
                Some("2026-11-22T00:50:52.123000000Z"),
            ),
            ("1969-12-31T23:59:59Z", None),
            ("1970-01-01T00:30:00+01:00", None),
            ("2026-11-22T00:50:52", None),
            ("2026-13-22T00:50:52Z", None),
            ("2026-11-22T00:50:52*02:00", None),
            ("2026-11-22T00:50:52é00:0", None),
            ("é+02:00", None),
            ("+99999:00", None),
            ("", None),
        ] {
            assert_eq!(from_rfc3339(text).as_deref(), expected, "{text}");
        }
    }

    #[test]
    fn numeric_dates() {
        for (digits, expected) in [
            ("20140403040000", Some("2014-04-03T04:00:00Z")),
            ("201404030400", Some("2014-04-03T04:00:00Z")),
            ("20149903040000", None),
            ("2014040304000é", None),
            ("2014", None),
        ] {
            assert_eq!(from_digits(digits).as_deref(), expected, "{digits}");
        }
        assert_eq!(from_timestamp(0).as_deref(), Some("1970-01-01T00:00:00Z"));
        assert_eq!(from_timestamp(-1), None);
        assert_eq!(from_timestamp(i64::MAX), None);
    }
}
