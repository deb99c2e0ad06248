//! Converts Windows times to dates of mail.

/// Ticks of 100 ns per second.
const SECOND: u64 = 10_000_000;

/// Days from 0000-03-01 to 1601-01-01, the Windows epoch.
const EPOCH: u64 = 584_694;

/// Formats a time, in 100 ns since 1601, as a date (RFC 5322 §3.3); `None` after 9999.
pub fn rfc_5322(time: u64) -> Option<String> {
    const MONTHS: [&str; 12] = [
        "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec", "Jan", "Feb",
    ];
    const DAYS: [&str; 7] = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];
    let seconds = time / SECOND;
    let (days, second) = (seconds / 86_400, seconds % 86_400);
    // 1601-01-01 was a Monday.
    let weekday = DAYS[(days % 7) as usize];
    // Years begin in March here, so that the leap day comes last.
    let days = days + EPOCH;
    let (era, day) = (days / 146_097, days % 146_097);
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let year = era * 400 + year + u64::from(month >= 10);
    let month = MONTHS[month as usize];
    let (hour, minute, second) = (second / 3600, second / 60 % 60, second % 60);
    (year <= 9999).then(|| {
        format!("{weekday}, {day:02} {month} {year:04} {hour:02}:{minute:02}:{second:02} +0000")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_as_dates() {
        for (seconds, date) in [
            (0, "Mon, 01 Jan 1601 00:00:00 +0000"),
            (11_644_473_600, "Thu, 01 Jan 1970 00:00:00 +0000"),
            (
                11_644_473_600 + 951_868_799,
                "Tue, 29 Feb 2000 23:59:59 +0000",
            ),
            (
                11_644_473_600 + 951_868_800,
                "Wed, 01 Mar 2000 00:00:00 +0000",
            ),
            (
                11_644_473_600 + 1_795_405_384,
                "Mon, 23 Nov 2026 03:43:04 +0000",
            ),
        ] {
            assert_eq!(rfc_5322(seconds * SECOND).as_deref(), Some(date));
        }
        assert_eq!(rfc_5322(u64::MAX), None);
    }
}
