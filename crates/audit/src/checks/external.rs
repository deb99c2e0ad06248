//! Links to other sites, judged by the results of link checkers.

use baseref_evidence::link_reports::{FetchResult, Outcome};
use baseref_findings::words::cut_after;
use baseref_findings::{Finding, Violation};
use baseref_reader::links::Link;
use baseref_resolve::parts::has_scheme;

use crate::model::external::External;
use crate::model::shown::{LONGEST_SHOWN, LONGEST_SUGGESTED};
use crate::rules::external::archived::ExternalArchived;
use crate::rules::external::dead::ExternalDead;
use crate::rules::external::insecure_works::ExternalInsecureWorks;
use crate::rules::external::moved::ExternalMoved;
use crate::rules::external::unchecked::ExternalUnchecked;
use crate::rules::external::unknown::ExternalUnknown;
use crate::view::page::Page;

impl External {
    /// The findings about a link to another site.
    pub(crate) fn judge(&self, page: &Page<'_>, link: &Link<'_>, url: &str) -> Vec<Finding> {
        if !has_scheme(url, "http") && !has_scheme(url, "https") {
            return Vec::new();
        }
        let measured = self.statuses.result(url);
        let outcome = measured.as_ref().map(FetchResult::outcome);
        let copy = match outcome {
            None | Some(Outcome::Dead) => self.copy_of(page, url),
            _ => None,
        };
        if measured.is_none() && self.is_copy(url) {
            return Vec::new();
        }
        let mut findings = Vec::new();
        // A link to an archived copy needs no result.
        let verdict = self.verdict(url, measured.as_ref());
        if let Some(violation) = verdict.filter(|_| outcome.is_some() || copy.is_none()) {
            let mut finding = page.finding(link, url, violation);
            match (outcome, &measured, &copy) {
                (Some(Outcome::Moved), Some(measured), _) => {
                    suggest(&mut finding, with_fragment(measured.end(), url));
                }
                (_, _, Some((address, _))) => suggest(&mut finding, address.clone()),
                _ => {}
            }
            findings.push(finding);
        }
        if let Some((address, day)) = copy {
            // Replacing a link that may work is suggested only if no link checker was asked.
            let is_suggested = outcome.is_some() || self.statuses.is_empty();
            let address_shown = &*cut_after(LONGEST_SHOWN, &address);
            let day = &*day;
            let message = match outcome {
                Some(_) => ExternalArchived::Dead { day },
                None if is_suggested => ExternalArchived::NothingReported { day },
                None => ExternalArchived::NotReported {
                    day,
                    address: address_shown,
                },
            };
            let mut finding = page.finding(link, url, message);
            if is_suggested {
                suggest(&mut finding, address);
            }
            findings.push(finding);
        }
        findings
    }

    /// The URL and day of the archived copy of a URL that is nearest to the date of a page.
    fn copy_of(&self, page: &Page<'_>, url: &str) -> Option<(String, String)> {
        let copy = self
            .statuses
            .archived(url, page.date.day(&page.document().metadata_elements))?;
        let Self { archive, .. } = self;
        let address = format!("{archive}{}/{}", copy.timestamp, copy.url);
        Some((with_fragment(&address, url), copy.day))
    }

    /// Whether a URL leads to an archived copy whose capture is recorded.
    fn is_copy(&self, url: &str) -> bool {
        let rest = url.strip_prefix(&*self.archive);
        let parts = rest.and_then(|rest| rest.split_once('/'));
        parts.is_some_and(|(time, original)| {
            time.starts_with(|c: char| c.is_ascii_digit())
                && self.statuses.archived(original, None).is_some()
        })
    }

    fn verdict(&self, url: &str, measured: Option<&FetchResult>) -> Option<Violation> {
        let Some(measured) = measured else {
            return Some(ExternalUnchecked::NotListed.into());
        };
        let is_old = self.is_old(measured);
        let date = match measured.date.as_deref() {
            Some(date) if is_old => format!("; checked on {date}, longer ago than --max-age"),
            Some(date) => format!("; checked on {date}"),
            None => String::new(),
        };
        let answer = in_words(measured);
        Some(match measured.outcome() {
            Outcome::Dead => ExternalDead { answer, date }.into(),
            Outcome::Moved => ExternalMoved { answer, date }.into(),
            Outcome::Unknown => ExternalUnknown { answer, date }.into(),
            _ if is_old => ExternalUnchecked::Old { answer, date }.into(),
            _ => {
                let twin = format!("https://{}", url.strip_prefix("http://")?);
                let twin = self.statuses.result(&twin)?;
                let is_alive = twin.outcome() == Outcome::Alive;
                return is_alive.then(|| ExternalInsecureWorks { date }.into());
            }
        })
    }

    /// Whether it was measured before the oldest day that counts as recent.
    fn is_old(&self, measured: &FetchResult) -> bool {
        let oldest = self.oldest.as_deref();
        oldest.is_some_and(|oldest| measured.is_before(oldest))
    }
}

/// Suggests another URL for the link, unless it is too long to store with each finding.
fn suggest(finding: &mut Finding, url: String) {
    if url.len() <= LONGEST_SUGGESTED {
        finding.suggest([url].into());
    }
}

/// The answer of the server at the end of its redirects, in words.
fn in_words(measured: &FetchResult) -> String {
    let answer = if measured.no_host {
        "the host does not resolve".to_owned()
    } else if let Some(status) = measured.end_status {
        format!("status {status}")
    } else if let Some(error) = &measured.error {
        format!("no answer: {}", cut_after(LONGEST_SHOWN, error))
    } else {
        "no answer".to_owned()
    };
    if measured.hops.is_empty() {
        return answer;
    }
    let end = cut_after(LONGEST_SHOWN, measured.end());
    match measured.end_status {
        Some(200..=299) | None if measured.error.is_none() && !measured.no_host => {
            format!("redirected to {end}")
        }
        _ => format!("redirected to {end}: {answer}"),
    }
}

/// The URL with the fragment of another, unless it already has one (RFC 9110 §10.2.2).
fn with_fragment(end: &str, url: &str) -> String {
    match url.split_once('#') {
        Some((_, fragment)) if !end.contains('#') => format!("{end}#{fragment}"),
        _ => end.to_owned(),
    }
}
