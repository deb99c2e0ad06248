//! Hosts that imitate the host of a wrapper.
//!
//! A host imitates another if it contains its name under a different registered domain
//! (`urldefense.com.a.example`, `urldefense-com.a.example`), or contains the name of the service
//! (`protection.a-sophos.example`) and its URL has the whole form of the wrapper, including a target.

use std::collections::{BTreeMap, BTreeSet};

use aho_corasick::AhoCorasick;

use crate::extract::{form, target_of};
use crate::index::{Index, has_host};
use crate::pattern;
use crate::request::UrlParts;
use crate::wrapper::{Family, TargetLocation, Wrapper};

/// Every imitating host contains at least one of these texts. A single search rules out nearly all hosts.
#[derive(Clone, Debug)]
pub struct ImitationFilter(AhoCorasick);

impl ImitationFilter {
    pub fn new(rows: &[&'static Wrapper]) -> Self {
        let with_hosts = || rows.iter().filter(|row| !row.hosts.is_empty());
        let names = with_hosts()
            .filter(|row| row.family == Family::Security)
            .flat_map(|row| &row.hosts)
            .map(|host| pattern::literal_end(host))
            .filter(|name| is_long(name))
            .flat_map(|name| [name.to_owned(), name.replace('.', "-")]);
        let words = with_hosts()
            .filter(|row| row.take != TargetLocation::Nothing)
            .flat_map(|row| words(row))
            .map(str::to_owned);
        let texts: BTreeSet<String> = names.chain(words).collect();
        Self(pattern::any_of(texts))
    }
}

/// The name of the wrapper that a URL imitates.
pub fn find(
    rows: &[&'static Wrapper],
    index: &Index,
    suspicious: &ImitationFilter,
    request: &UrlParts<'_>,
) -> Option<&'static str> {
    if !suspicious.0.is_match(&*request.host) {
        return None;
    }
    let is_with_hosts = |row: &&&Wrapper| !row.hosts.is_empty();
    let mut candidates = index
        .candidates(&request.host, request.path)
        .map(|number| &rows[number])
        .filter(is_with_hosts);
    if candidates.any(|row| has_host(row, &request.host)) {
        return None;
    }
    let mut rows = rows.iter().filter(is_with_hosts);
    let imitated = rows.find(|row| is_imitated(row, request));
    imitated.map(|row| row.name)
}

/// The hosts of wrappers that are also recognised by their form on any host. The form is not trusted on a
/// host that imitates one of these.
#[derive(Clone, Debug)]
pub struct OwnHosts(BTreeMap<&'static str, Vec<&'static Wrapper>>);

impl OwnHosts {
    pub fn new(rows: &[&'static Wrapper]) -> Self {
        let of_any = rows.iter().filter(|row| row.hosts.is_empty());
        let names: BTreeSet<_> = of_any.map(|row| row.name).collect();
        let mut own: BTreeMap<_, Vec<_>> = BTreeMap::new();
        let with_hosts = rows.iter().filter(|row| !row.hosts.is_empty());
        for row in with_hosts.filter(|row| names.contains(row.name)) {
            own.entry(row.name).or_default().push(*row);
        }
        Self(own)
    }

    /// Whether a host imitates a host of a wrapper.
    pub fn are_imitated(&self, wrapper: &str, host: &str) -> bool {
        let Some(own) = self.0.get(wrapper) else {
            return false;
        };
        let mut names = own
            .iter()
            .flat_map(|row| &row.hosts)
            .map(|host| pattern::literal_end(host));
        !own.iter().any(|row| has_host(row, host))
            && names.any(|name| {
                let is_in = |name: &str| host.contains(name);
                name.contains('.') && (is_in(name) || is_in(&name.replace('.', "-")))
            })
    }
}

fn is_imitated(row: &Wrapper, request: &UrlParts<'_>) -> bool {
    let hosts = || row.hosts.iter().map(|host| pattern::literal_end(host));
    let has_name = row.family == Family::Security && hosts().any(|name| contains(request, name));
    has_name
        || row.take != TargetLocation::Nothing && has_word(row, request) && has_form(row, request)
}

/// Whether the host contains the name of another one, but is neither that host nor below it.
fn contains(request: &UrlParts<'_>, name: &str) -> bool {
    let host = &*request.host;
    let is_below = host
        .strip_suffix(name)
        .is_some_and(|rest| rest.is_empty() || rest.ends_with('.'));
    is_long(name) && !is_below && (host.contains(name) || host.contains(&name.replace('.', "-")))
}

fn is_long(name: &str) -> bool {
    name.len() >= SHORTEST_NAME && name.contains('.')
}

/// Shorter names occur in others by chance.
const SHORTEST_NAME: usize = 12;

/// Whether the host has a word by which people recognise the service.
fn has_word(row: &Wrapper, request: &UrlParts<'_>) -> bool {
    words(row).any(|word| request.host.contains(word))
}

/// The words by which people recognise a service.
fn words(row: &Wrapper) -> impl Iterator<Item = &'static str> {
    let hosts: &[&str] = if row.brand.is_some() { &[] } else { &row.hosts };
    row.brand
        .into_iter()
        .chain(hosts.iter().filter_map(|host| word(host)))
}

/// The registered name of a host, without its suffix, if it is long enough to be distinctive.
fn word(host: &'static str) -> Option<&'static str> {
    let domain = match pattern::literal_end(host) {
        "" => pattern::longest_literal(host).trim_matches('.'),
        end => baseref_hosts::site(end)?,
    };
    let word = domain.split('.').next()?;
    (word.len() >= SHORTEST_WORD).then_some(word)
}

/// `bing` is a part of too many names.
const SHORTEST_WORD: usize = 5;

fn has_form(row: &Wrapper, request: &UrlParts<'_>) -> bool {
    let captured = form(row, request);
    captured.is_some_and(|captured| target_of(row, request, captured).is_ok())
}

#[cfg(test)]
mod tests {
    use crate::Unwrapper;

    #[test]
    fn imitating_hosts() {
        let unwrapper = Unwrapper::default();
        let to = "url=https%3A%2F%2Fa.example%2F";
        for (url, name) in [
            (
                "https://eu-west-1.protection.examplesophos.com/?u=aHR0cHM6Ly9hLmV4YW1wbGUv",
                Some("sophos"),
            ),
            (
                "https://mail.eu-west-1.protection.sophos.com/?u=aHR0cHM6Ly9hLmV4YW1wbGUv",
                Some("sophos"),
            ),
            (
                &format!("https://examplesafelinks.protection.outlook.com/?{to}"),
                Some("safelinks"),
            ),
            (
                "https://urldefense.com.evil.example/login",
                Some("proofpoint-v1"),
            ),
            (
                "https://urldefense-com.evil.example/login",
                Some("proofpoint-v1"),
            ),
            (
                "https://urldefenses.example/v3/__https://a.example/__;!!",
                Some("proofpoint-v3"),
            ),
            (
                &format!("https://www.google.com.evil.example/url?{to}"),
                Some("google"),
            ),
            (
                "https://a-com.translate.goog.evil.example/",
                Some("google-translate-proxy"),
            ),
            ("https://en-us.translate.wordpress.com/x", None),
            ("https://www.sophos.com/en-us/products", None),
            ("https://community.sophos.com/?d=x", None),
            ("https://mimecast.com/", None),
            ("https://trendmicro.com/en", None),
            (
                "https://nam02.safelinks.protection.outlook.com/?url=x",
                None,
            ),
            ("https://urldefense.com/v3/x", None),
            ("https://news.example/safelinks?q=urldefense.com", None),
            ("mailto:a@urldefense.com.evil.example", None),
        ] {
            assert_eq!(unwrapper.lookalike(url), name, "{url}");
        }
    }
}
