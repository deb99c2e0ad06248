//! The distinct observables of a run, with the links that each was seen in.

use std::collections::BTreeMap;
use std::sync::Arc;

use baseref_resolve::host_in_browsers;
use baseref_unwrap::End;
use percent_encoding::percent_decode_str;

use crate::defang;
use crate::links::LinkRow;
use crate::url_parts;

/// The kinds of observables, in the order of the output.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ObservableKind {
    /// A URL.
    Url,
    /// The name of a host.
    Host,
    /// An IP address as a host.
    Ip,
    /// A mail address.
    Address,
}

impl ObservableKind {
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

    /// `value`, written so that no program takes it for a link.
    pub(super) fn defanged(self, value: &str) -> String {
        match self {
            Self::Url => defang::url(value),
            Self::Host | Self::Ip => defang::host(value),
            Self::Address => defang::host(value).replace('@', "[@]"),
        }
    }
}

/// How often, when and in whose messages an observable was seen.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Sightings {
    /// The number of links.
    pub(crate) count: u64,
    /// The dates of the first and last documents, as in `doc_date`.
    pub(crate) first: Option<Arc<str>>,
    pub(crate) last: Option<Arc<str>>,
    /// The first senders in byte order, at most [`MOST`].
    pub(crate) senders: Vec<Arc<str>>,
    /// The chains of wrappers around it, likewise.
    pub(crate) wrappers: Vec<Arc<str>>,
    /// Why the chain ended before the target, if it did.
    pub(crate) end: Option<End>,
}

/// How many senders and chains of wrappers are kept of an observable.
pub(super) const MOST: usize = 8;

/// Distinct observables. Memory grows with their number: some 200 bytes each, and their texts.
#[derive(Clone, Debug, Default)]
pub struct Observables {
    pub(super) seen: BTreeMap<(ObservableKind, Box<str>), Sightings>,
    /// The date, the sender and the chain of wrappers of the last link, which the next one often shares.
    last: [Option<Arc<str>>; 3],
}

/// By kind and value.
impl PartialEq for Observables {
    fn eq(&self, other: &Self) -> bool {
        self.seen == other.seen
    }
}

impl Eq for Observables {}

impl Observables {
    /// Counts the final URL of a link, and its host or address; of a reference `//host/x` without a
    /// URL, only the host.
    pub fn count(&mut self, row: &LinkRow<'_>) {
        let Some(url) = row.final_url() else {
            self.host_of_reference(row);
            return;
        };
        if url_parts::scheme(url).as_deref() == Some("mailto") {
            for address in addresses(url) {
                self.see(ObservableKind::Address, &address, row);
            }
            return;
        }
        // One host has one name, however it is written.
        let Some(host) = host_in_browsers(url).or_else(|| url_parts::host(url)) else {
            return;
        };
        self.see(ObservableKind::Url, url, row);
        self.see_host(&host, row);
    }

    /// Counts the host of a reference that has no URL.
    fn host_of_reference(&mut self, row: &LinkRow<'_>) {
        if let Some(reference) = row.link.network_path()
            && let Some(host) = host_in_browsers(&format!("http:{reference}"))
        {
            self.see_host(&host, row);
        }
    }

    fn see_host(&mut self, host: &str, row: &LinkRow<'_>) {
        let bare = host.trim_matches(['[', ']']).trim_end_matches('.');
        let is_ip = bare.parse::<std::net::IpAddr>().is_ok();
        self.see(
            if is_ip {
                ObservableKind::Ip
            } else {
                ObservableKind::Host
            },
            bare,
            row,
        );
    }

    fn see(&mut self, kind: ObservableKind, value: &str, row: &LinkRow<'_>) {
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
        let wrappers = (!wrappers.is_empty()).then(|| wrappers.join(" > "));
        let [date_before, from_before, wrappers_before] = &mut self.last;
        let date = metadata
            .date
            .as_deref()
            .map(|date| shared(date_before, date));
        let from = from.map(|from| shared(from_before, from));
        let wrappers = wrappers.map(|chain| shared(wrappers_before, &chain));
        let sightings = self.seen.entry((kind, value.into())).or_default();
        sightings.add(Sightings {
            count: 1,
            first: date.clone(),
            last: date,
            senders: from.map(|from| vec![from]).unwrap_or_default(),
            wrappers: wrappers.map(|chain| vec![chain]).unwrap_or_default(),
            end: row.chain.and_then(|chain| chain.end),
        });
    }

    /// Adds the sightings of `others`, and leaves them empty.
    pub fn take(&mut self, others: &mut Self) {
        if self.seen.is_empty() {
            std::mem::swap(&mut self.seen, &mut others.seen);
            return;
        }
        for (key, other) in std::mem::take(&mut others.seen) {
            self.seen.entry(key).or_default().add(other);
        }
    }

    /// Each observable with its sightings, in order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (ObservableKind, &str, &Sightings)> {
        let seen = self.seen.iter();
        seen.map(|((kind, value), sightings)| (*kind, &**value, sightings))
    }

    /// The number of observables seen only in documents without a date. For these a STIX bundle
    /// does not say when and how often they were seen.
    #[must_use]
    pub fn undated(&self) -> u64 {
        let undated = self.seen.values().filter(|seen| seen.first.is_none());
        undated.count() as u64
    }
}

/// `text`, sharing the memory of the previous text if they are equal.
fn shared(before: &mut Option<Arc<str>>, text: &str) -> Arc<str> {
    match before {
        Some(before) if **before == *text => Arc::clone(before),
        _ => Arc::clone(before.insert(text.into())),
    }
}

/// The addresses that a `mailto:` URL writes to (RFC 6068 §2).
pub(super) fn addresses(url: &str) -> Vec<String> {
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
    pub(super) fn add(&mut self, other: Self) {
        self.count += other.count;
        let dates = [self.first.take(), other.first].into_iter().flatten();
        self.first = dates.min();
        self.last = self.last.take().max(other.last);
        merge(&mut self.senders, other.senders);
        merge(&mut self.wrappers, other.wrappers);
        self.end = self.end.max(other.end);
    }
}

/// Adds `others` to texts in order, and keeps the first [`MOST`].
fn merge(own: &mut Vec<Arc<str>>, others: Vec<Arc<str>>) {
    if own.is_empty() {
        *own = others;
        return;
    }
    for other in others {
        if let Err(at) = own.binary_search(&other)
            && at < MOST
        {
            own.truncate(MOST - 1);
            own.insert(at, other);
        }
    }
}
