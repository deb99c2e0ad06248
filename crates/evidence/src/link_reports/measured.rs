//! What was measured of one URL.

use baseref_resolve::{Rules, parts, resolve};

use crate::link_reports::error::Problem;

/// One redirect.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hop {
    /// The status; `None` if the file says only that there was a redirect.
    pub status: Option<u16>,
    /// Where it leads, absolute.
    pub to: Box<str>,
}

/// What was measured of one URL.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Measured {
    /// The URL that was asked for: as the file has it, and in normal form once it was looked up.
    pub url: Box<str>,
    /// The status of the first answer; `None` if there was none, or only its end is known.
    pub status: Option<u16>,
    /// The redirects, in order, as far as the file has them.
    pub hops: Vec<Hop>,
    /// The status at the end of the redirects; that of the first answer if there are none.
    pub end_status: Option<u16>,
    /// Why there was no answer, in the words of the fetcher.
    pub error: Option<Box<str>>,
    /// That the host has no address.
    pub no_host: bool,
    /// When it was measured, RFC 3339 in UTC, or a prefix of that.
    pub date: Option<Box<str>>,
}

/// Takes measurements one by one.
pub(crate) type Each<'e> = &'e mut dyn FnMut(Measured) -> Result<(), Problem>;

/// What the measurement says of a URL.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Outcome {
    /// It answers with what was asked for.
    Alive,
    /// It is permanently redirected to something that answers.
    Moved,
    /// It is gone: 404, 410, or its host has no address, if need be at the end of redirects.
    Dead,
    /// The answer does not say: 401, 403, 429, 5xx, no connection, a time-out.
    Unknown,
}

/// Whether a redirect names a scheme, so that it is absolute.
fn has_scheme(to: &str) -> bool {
    parts::scheme(to).is_some()
}

/// The statuses of permanent redirects (RFC 9110 §15.4.2, §15.4.9).
const PERMANENT: [u16; 2] = [301, 308];

impl Measured {
    /// The last URL, where the redirects end; that of the request if there are none.
    #[must_use]
    pub fn end(&self) -> &str {
        self.hops.last().map_or(&self.url, |hop| &hop.to)
    }

    /// What the measurement says.
    ///
    /// A redirect is permanent if all of its hops are, or if the file does not say how the server
    /// called it and the first answer is 301 or 308. A temporary redirect is as good as its end.
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

    /// Makes relative redirects absolute, as clients do.
    pub(crate) fn make_absolute(&mut self) {
        for place in 0..self.hops.len() {
            if has_scheme(&self.hops[place].to) {
                continue;
            }
            let from = match place.checked_sub(1) {
                Some(before) => &self.hops[before].to,
                None => &self.url,
            };
            if let Ok(to) = resolve(Rules::Whatwg, Some(from), &self.hops[place].to) {
                self.hops[place].to = to.into();
            }
        }
    }

    /// Whether it was measured before a day such as `2026-01-31`, as far as its date says it.
    #[must_use]
    pub fn is_before(&self, day: &str) -> bool {
        let date = self.date.as_deref().and_then(|date| date.get(..day.len()));
        date.is_some_and(|date| date.starts_with(|c: char| c.is_ascii_digit()) && date < day)
    }

    /// Whether there are redirects, and the last one leads to what a server may answer.
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

    fn measured(status: u16, hops: &[(u16, &str)], end: Option<u16>) -> Measured {
        Measured {
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
            ..Measured::default()
        }
    }

    #[test]
    fn only_what_is_gone_is_dead_and_what_is_not_known_stays_so() {
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
                measured(status, &[], Some(status)).outcome(),
                expected,
                "{status}"
            );
        }
    }

    #[test]
    fn a_redirect_is_permanent_only_if_every_hop_is() {
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
                measured(first, hops, end).outcome(),
                expected,
                "{first} {hops:?} {end:?}"
            );
        }
    }
}
