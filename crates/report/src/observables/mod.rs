//! What links lead to, for threat intelligence platforms: each distinct URL, host and address once.

mod csv;
mod ids;
mod misp;
mod stix;

use std::collections::{BTreeMap, BTreeSet};

use baseref_resolve::host_in_browsers;
use baseref_wrappers::End;
use percent_encoding::percent_decode_str;

use super::links::LinkRow;
use super::url_parts;

pub use self::csv::{Row, Rows};

/// The kinds of observables, in the order of the output.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// A URL.
    Url,
    /// The name of a host.
    Host,
    /// An IP address as a host.
    Ip,
    /// A mail address.
    Address,
}

impl Kind {
    /// Its name in reports: `url`, `host`, `ip`, `address`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Url => "url",
            Self::Host => "host",
            Self::Ip => "ip",
            Self::Address => "address",
        }
    }
}

/// What is known of one observable.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Sightings {
    /// The number of links.
    pub(crate) count: u64,
    /// The dates of the first and last documents, as in `doc_date`.
    pub(crate) first: Option<Box<str>>,
    pub(crate) last: Option<Box<str>>,
    /// The first senders in byte order, at most [`MOST`].
    pub(crate) senders: BTreeSet<Box<str>>,
    /// The chains of wrappers around it.
    pub(crate) wrappers: BTreeSet<Box<str>>,
    /// Why the chain ended before the target, if it did.
    pub(crate) end: Option<End>,
}

/// How many senders and chains of wrappers are kept of an observable.
const MOST: usize = 8;

/// Distinct observables. Memory grows with their number: some 200 bytes each, and their texts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Observables {
    seen: BTreeMap<(Kind, Box<str>), Sightings>,
}

/// The output forms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ObservablesFormat {
    /// A table (RFC 4180).
    Csv,
    /// An event of MISP.
    Misp,
    /// A bundle of STIX 2.1.
    Stix,
}

impl Observables {
    /// Counts the final URL of a link, and its host or address.
    pub fn count(&mut self, row: &LinkRow<'_>) {
        let Some(url) = row.final_url() else {
            return;
        };
        if url_parts::scheme(url).as_deref() == Some("mailto") {
            for address in addresses(url) {
                self.see(Kind::Address, &address, row);
            }
            return;
        }
        // One host has one name, however it is written.
        let Some(host) = host_in_browsers(url).or_else(|| url_parts::host(url)) else {
            return;
        };
        self.see(Kind::Url, url, row);
        let bare = host.trim_matches(['[', ']']).trim_end_matches('.');
        let is_ip = bare.parse::<std::net::IpAddr>().is_ok();
        self.see(if is_ip { Kind::Ip } else { Kind::Host }, bare, row);
    }

    fn see(&mut self, kind: Kind, value: &str, row: &LinkRow<'_>) {
        let sightings = self.seen.entry((kind, value.into())).or_default();
        let metadata = &row.document.metadata;
        let from = metadata
            .message
            .as_deref()
            .and_then(|message| message.from.as_deref());
        let steps = row
            .chain
            .map(|chain| chain.steps.iter())
            .into_iter()
            .flatten();
        let wrappers: Vec<&str> = steps.map(|step| step.wrapper).collect();
        let date = metadata.date.as_deref();
        sightings.add(&Sightings {
            count: 1,
            first: date.map(Box::from),
            last: date.map(Box::from),
            senders: from.map(Box::from).into_iter().collect(),
            wrappers: { (!wrappers.is_empty()).then(|| wrappers.join(" > ").into()) }
                .into_iter()
                .collect(),
            end: row.chain.and_then(|chain| chain.end),
        });
    }

    /// Adds what `others` have seen, and leaves them empty.
    pub fn take(&mut self, others: &mut Self) {
        for (key, other) in std::mem::take(&mut others.seen) {
            self.seen.entry(key).or_default().add(&other);
        }
    }

    /// Each with what is known of it, in order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (Kind, &str, &Sightings)> {
        let seen = self.seen.iter();
        seen.map(|((kind, value), sightings)| (*kind, &**value, sightings))
    }

    /// How many were seen in no document with a date: of these a bundle of STIX does not say when and
    /// how often.
    #[must_use]
    pub fn undated(&self) -> u64 {
        let undated = self.seen.values().filter(|seen| seen.first.is_none());
        undated.count() as u64
    }

    /// Writes all of them.
    pub fn write(&self, format: ObservablesFormat, is_defanged: bool, out: &mut Vec<u8>) {
        match format {
            ObservablesFormat::Csv => csv::write(self, is_defanged, out),
            ObservablesFormat::Misp => misp::write(self, is_defanged, out),
            ObservablesFormat::Stix => stix::write(self, is_defanged, out),
        }
    }

    /// How many hosts are no domain names: STIX has no place for them but their URLs.
    #[must_use]
    pub fn nameless(&self) -> u64 {
        let hosts = self.seen.keys().filter(|(kind, _)| *kind == Kind::Host);
        hosts
            .filter(|(_, host)| !stix::is_domain_name(host))
            .count() as u64
    }
}

/// The addresses that a `mailto:` URL writes to (RFC 6068 §2).
fn addresses(url: &str) -> Vec<String> {
    let all = url["mailto:".len()..].split('?').next().unwrap_or_default();
    let each = all.split(',').map(|one| {
        percent_decode_str(one)
            .decode_utf8_lossy()
            .trim()
            .to_lowercase()
    });
    let is_address = |text: &String| {
        let parts = text.rsplit_once('@');
        let has_both = parts.is_some_and(|(local, domain)| !local.is_empty() && !domain.is_empty());
        has_both && !text.contains(|c: char| c.is_whitespace() || c.is_control())
    };
    each.filter(is_address).collect()
}

impl Sightings {
    fn add(&mut self, other: &Self) {
        self.count += other.count;
        let dates = [&self.first, &other.first].into_iter().flatten();
        self.first = dates.min().cloned();
        self.last = self.last.clone().max(other.last.clone());
        for (own, others) in [
            (&mut self.senders, &other.senders),
            (&mut self.wrappers, &other.wrappers),
        ] {
            own.extend(others.iter().cloned());
            while own.len() > MOST {
                own.pop_last();
            }
        }
        self.end = self.end.max(other.end);
    }
}

#[cfg(test)]
mod tests;
