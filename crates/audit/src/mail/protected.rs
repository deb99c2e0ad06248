//! Hosts that imitate one of the domains in `--protect-domains`.
//!
//! Only those are compared: between arbitrary names, one letter more or less means nothing.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};

use baseref_hosts::{is_ip, label, site};
use baseref_resolve::host_in_unicode;

use super::mail_findings::MailFindings;
use super::unwrapped_link::UnwrappedLink;
use crate::model::skeleton::skeleton;
use crate::rules::mail::domain_lookalike::DomainLookalike;

/// The domains, by their labels.
#[derive(Clone, Debug, Default)]
pub(super) struct Protected {
    all: BTreeSet<String>,
    /// The first domain of a label: `paypal.com` of `paypal`.
    by_label: BTreeMap<String, String>,
    /// The first label, in their order, that looks like a text.
    by_skeleton: BTreeMap<String, String>,
    /// The labels by what is left of them without one of their letters, and without none.
    by_shorter: BTreeMap<String, Vec<String>>,
}

/// Shorter labels differ from too many names by one letter.
const SHORTEST: usize = 5;

impl Protected {
    pub(super) fn new<'d>(domains: impl Iterator<Item = &'d str>) -> Self {
        let mut protected = Self::default();
        for domain in domains {
            let domain = domain.trim().to_ascii_lowercase();
            let Some(own) = site(&domain) else { continue };
            let Some(label) = label(own) else { continue };
            protected.all.insert(own.to_owned());
            // Many domains can have one label.
            let Entry::Vacant(first) = protected.by_label.entry(label.to_owned()) else {
                continue;
            };
            first.insert(own.to_owned());
            if label.len() >= SHORTEST && label.is_ascii() {
                for shorter in shorter(label) {
                    let labels = protected.by_shorter.entry(shorter).or_default();
                    labels.push(label.to_owned());
                }
            }
        }
        for label in protected.by_label.keys() {
            let looks = skeleton(label).collect();
            let known = protected.by_skeleton.entry(looks);
            known.or_insert_with(|| label.clone());
        }
        protected
    }

    /// The domain that a host imitates, and how.
    fn imitated_by(&self, host: &str) -> Option<(&str, &'static str)> {
        let own = site(host).filter(|_| !self.by_label.is_empty() && !is_ip(host))?;
        if self.all.contains(own) {
            return None;
        }
        let name = own.split('.').next()?;
        let domain_of = |label: &str| self.by_label.get(label).map(String::as_str);
        let plain = name.replace('-', "");
        if let Some(domain) = domain_of(&plain).filter(|_| plain != name) {
            return Some((domain, "with a hyphen"));
        }
        let is_long = |word: &&str| word.len() >= SHORTEST;
        let mut words = name.split('-').filter(|word| *word != name).filter(is_long);
        if let Some(domain) = words.find_map(domain_of) {
            return Some((domain, "as a word of the name"));
        }
        if let Some(before) = host.strip_suffix(own) {
            let labels = before.split('.').filter(is_long);
            let mut words = labels.flat_map(|label| label.split('-')).filter(is_long);
            if let Some(domain) = words.find_map(domain_of) {
                return Some((domain, "before the domain"));
            }
        }
        if let Some(domain) = self.unmarked(name) {
            return Some((domain, "with marks on its letters"));
        }
        let near = self.near(name)?;
        Some((domain_of(near)?, "with one letter changed"))
    }

    /// The domain whose label looks like a name in Unicode without its accents, dots and other marks.
    fn unmarked(&self, name: &str) -> Option<&str> {
        let name = name.strip_prefix("xn--").map(|_| host_in_unicode(name))?;
        let is_mark = |c: &char| ('\u{300}'..='\u{36f}').contains(c);
        let looks: String = skeleton(&name).filter(|c| !is_mark(c)).collect();
        let label = self.by_skeleton.get(&looks)?;
        self.by_label.get(label).map(String::as_str)
    }

    /// The label that differs from a name in one letter that is added, left out or another, or in two
    /// that are exchanged.
    fn near(&self, name: &str) -> Option<&str> {
        if name.len() + 1 < SHORTEST || !name.is_ascii() {
            return None;
        }
        let alike = shorter(name).filter_map(|shorter| self.by_shorter.get(&shorter));
        let mut alike = alike.flatten().map(String::as_str);
        alike.find(|label| is_one_edit(label.as_bytes(), name.as_bytes()))
    }
}

/// A name, and the name without each of its letters.
fn shorter(name: &str) -> impl Iterator<Item = String> {
    let without = (0..name.len()).map(move |at| [&name[..at], &name[at + 1..]].concat());
    std::iter::once(name.to_owned()).chain(without)
}

/// Whether two different names differ in one letter, or in the order of two that follow each other.
fn is_one_edit(one: &[u8], other: &[u8]) -> bool {
    let (short, long) = if one.len() <= other.len() {
        (one, other)
    } else {
        (other, one)
    };
    let same = short.iter().zip(long).take_while(|(a, b)| a == b).count();
    let (short, long) = (&short[same..], &long[same..]);
    match long.len() - short.len() {
        0 => match (short, long) {
            ([], []) => false,
            ([a, b, rest @ ..], [c, d, other @ ..]) if a == d && b == c => rest == other,
            _ => short[1..] == long[1..],
        },
        1 => *short == long[1..],
        _ => false,
    }
}

pub(super) fn check(
    findings: &mut MailFindings<'_, '_>,
    opened: &UnwrappedLink<'_>,
    protected: &Protected,
) {
    let Some(host) = opened.host() else { return };
    if let Some((domain, how)) = protected.imitated_by(host) {
        let message = DomainLookalike {
            host,
            domain,
            how,
            through: opened.through(),
        };
        findings.add(opened, opened.site(), message);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lookalikes_of_protected_domains() {
        let protected = Protected::new(["paypal.com", "www.dhl.de", "my-bank.co.uk"].into_iter());
        for (host, domain) in [
            ("www.paypal.com", None),
            ("pay-pal.com", Some("paypal.com")),
            ("paypal-login.com", Some("paypal.com")),
            ("paypal.com.evil.com", Some("paypal.com")),
            ("secure-paypal.evil.com", Some("paypal.com")),
            ("paypall.com", Some("paypal.com")),
            ("paypl.com", Some("paypal.com")),
            ("papyal.com", Some("paypal.com")),
            ("peypal.com", Some("paypal.com")),
            // `p\u{e1}ypal`, and `m\u{fc}nchen`, which imitates nothing.
            ("xn--pypal-xqa.com", Some("paypal.com")),
            ("xn--mnchen-3ya.de", None),
            ("paypeel.com", None),
            ("ypalpa.com", None),
            ("dhk.de", None),
            ("dhl-paket.com", None),
            ("mybank.co.uk", Some("my-bank.co.uk")),
            ("my-bonk.co.uk", Some("my-bank.co.uk")),
            ("192.168.1.1", None),
            ("unrelated.com", None),
        ] {
            let found = protected.imitated_by(host).map(|(domain, _)| domain);
            assert_eq!(found, domain, "{host}");
        }
        assert_eq!(Protected::default().imitated_by("paypall.com"), None);
    }

    #[test]
    fn protected_domains_with_the_same_label() {
        let protected = Protected::new(["paypal.com", "paypal.de"].into_iter());
        assert_eq!(protected.imitated_by("www.paypal.de"), None);
        let found = protected
            .imitated_by("paypa1.com")
            .map(|(domain, _)| domain);
        assert_eq!(found, Some("paypal.com"));
    }
}
