//! The result of one URL in a report.

use baseref_resolve::{Rules, parts, resolve};

use crate::link_reports::error::Problem;

/// A redirect.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hop {
    /// The status; `None` if the report does not give it.
    pub status: Option<u16>,
    /// The target, as an absolute URL.
    pub to: Box<str>,
}

/// The result of one URL in a report.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FetchResult {
    /// The requested URL: as in the report, or in normal form when it was looked up.
    pub url: Box<str>,
    /// The status of the first response; `None` if there was none, or only the last one is known.
    pub status: Option<u16>,
    /// The redirects, in order, as far as they are reported.
    pub hops: Vec<Hop>,
    /// The status after the redirects; equal to `status` if there are none.
    pub end_status: Option<u16>,
    /// The error in place of a response, in the words of the fetcher.
    pub error: Option<Box<str>>,
    /// Whether the host has no address.
    pub no_host: bool,
    /// When it was requested: RFC 3339 in UTC, or a prefix of that.
    pub date: Option<Box<str>>,
}

/// Receives the items of a report, one at a time.
pub(crate) trait Sink<T> {
    fn add(&mut self, item: T) -> Result<(), Problem>;
}

#[cfg(test)]
impl<T> Sink<T> for Vec<T> {
    fn add(&mut self, item: T) -> Result<(), Problem> {
        self.push(item);
        Ok(())
    }
}

/// Whether a URL works, according to a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Outcome {
    /// It works.
    Alive,
    /// It is permanently redirected to a URL that works.
    Moved,
    /// It is gone: 404 or 410, possibly after redirects, or its host has no address.
    Dead,
    /// The response is inconclusive: 401, 403, 429, 5xx, a failed connection, a time-out.
    Unknown,
}

/// Whether the target of a redirect is absolute.
fn has_scheme(to: &str) -> bool {
    parts::scheme(to).is_some()
}

/// The statuses of permanent redirects (RFC 9110 §15.4.2, §15.4.9).
const PERMANENT: [u16; 2] = [301, 308];

impl FetchResult {
    /// The URL at the end of the redirects; the requested one if there are none.
    #[must_use]
    pub fn end(&self) -> &str {
        self.hops.last().map_or(&self.url, |hop| &hop.to)
    }

    /// Whether the URL works.
    ///
    /// A redirect is permanent if all of its hops are; or, if the report gives no status for the hops, if
    /// the first response is 301 or 308. A temporary redirect works if its end does.
    #[must_use]
    pub fn outcome(&self) -> Outcome {
        let end = self.end_status.or(if self.hops.is_empty() {
            self.status
        } else {
            None
        });
        match end {
            _ if self.no_host => Outcome::Dead,
            Some(404 | 410) => Outcome::Dead,
            Some(200..=299 | 304) | None if self.is_moved() && self.error.is_none() => {
                Outcome::Moved
            }
            Some(200..=299 | 304) => Outcome::Alive,
            None if self.ends_on_web() && self.error.is_none() => Outcome::Alive,
            _ => Outcome::Unknown,
        }
    }

    /// Resolves relative redirects, as clients do.
    pub(crate) fn make_absolute(&mut self) {
        for number in 0..self.hops.len() {
            if has_scheme(&self.hops[number].to) {
                continue;
            }
            let from = match number.checked_sub(1) {
                Some(before) => &self.hops[before].to,
                None => &self.url,
            };
            if let Ok(to) = resolve(Rules::Whatwg, Some(from), &self.hops[number].to) {
                self.hops[number].to = to.into();
            }
        }
    }

    /// Whether it was requested before a day such as `2026-01-31`; `false` if it has no date.
    #[must_use]
    pub fn is_before(&self, day: &str) -> bool {
        let date = self.date.as_deref().and_then(|date| date.get(..day.len()));
        date.is_some_and(|date| date.starts_with(|c: char| c.is_ascii_digit()) && date < day)
    }

    /// Whether the last redirect, if any, leads to an HTTP URL.
    fn ends_on_web(&self) -> bool {
        self.hops.last().is_some_and(|hop| {
            parts::has_scheme(&hop.to, "http") || parts::has_scheme(&hop.to, "https")
        })
    }

    fn is_moved(&self) -> bool {
        let is_permanent = |hop: &Hop| hop.status.is_some_and(|status| PERMANENT.contains(&status));
        let first = self
            .status
            .is_some_and(|status| PERMANENT.contains(&status));
        self.ends_on_web()
            && (self.hops.iter().all(is_permanent)
                || first && self.hops.iter().all(|hop| hop.status.is_none()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn result(status: u16, hops: &[(u16, &str)], end: Option<u16>) -> FetchResult {
        FetchResult {
            url: "http://a.example/".into(),
            status: Some(status),
            hops: hops
                .iter()
                .map(|&(status, to)| Hop {
                    status: Some(status),
                    to: to.into(),
                })
                .collect(),
            end_status: end,
            ..FetchResult::default()
        }
    }

    #[test]
    fn outcome_by_status_and_error() {
        for (status, expected) in [
            (200, Outcome::Alive),
            (204, Outcome::Alive),
            (404, Outcome::Dead),
            (410, Outcome::Dead),
            (401, Outcome::Unknown),
            (403, Outcome::Unknown),
            (429, Outcome::Unknown),
            (500, Outcome::Unknown),
            (503, Outcome::Unknown),
            (999, Outcome::Unknown),
        ] {
            assert_eq!(
                result(status, &[], Some(status)).outcome(),
                expected,
                "{status}"
            );
        }
    }

    #[test]
    fn permanent_redirect_needs_permanent_hops() {
        let b = "http://b.example/";
        for (first, hops, end, expected) in [
            (301, &[(301, b)][..], Some(200), Outcome::Moved),
            (
                308,
                &[(308, "http://c.example/"), (301, b)],
                Some(200),
                Outcome::Moved,
            ),
            (301, &[(301, b), (302, b)], Some(200), Outcome::Alive),
            (302, &[(302, b)], Some(200), Outcome::Alive),
            (301, &[(301, b)], Some(404), Outcome::Dead),
            (301, &[(301, b)], Some(503), Outcome::Unknown),
            (301, &[(301, b)], None, Outcome::Moved),
        ] {
            assert_eq!(
                result(first, hops, end).outcome(),
                expected,
                "{first} {hops:?} {end:?}"
            );
        }
    }
}
