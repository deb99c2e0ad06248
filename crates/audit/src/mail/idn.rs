//! Host names in other scripts, and lookalikes (UTS #39).

use std::collections::{BTreeMap, BTreeSet};

use baseref_hosts::label;
use baseref_resolve::{host_in_browsers, host_in_unicode};
use unicode_security::mixed_script::{AugmentedScriptSet, MixedScript};

use super::mail_findings::MailFindings;
use super::site::site;
use super::unwrapped_link::UnwrappedLink;
use crate::model::skeleton::skeleton;
use crate::rules::mail::host_compat_chars::HostCompatChars;
use crate::rules::mail::idn_confusable::IdnConfusable;
use crate::rules::mail::idn_mixed_script::IdnMixedScript;

/// Domains by their skeletons.
#[derive(Clone, Debug, Default)]
pub(super) struct Names {
    /// Registrable domains in ASCII by their skeletons.
    by_skeleton: BTreeMap<String, String>,
}

impl Names {
    pub(super) fn new<'n>(domains: impl Iterator<Item = impl AsRef<str> + 'n>) -> Self {
        let mut names = Self::default();
        for domain in domains {
            let url = format!("http://{}/", domain.as_ref().trim());
            if let Some(host) = host_in_browsers(&url) {
                let site = site(&host);
                names.by_skeleton.insert(skeleton_of(site), site.to_owned());
            }
        }
        names
    }

    /// The domain that another one looks like.
    fn imitated_by(&self, site: &str) -> Option<&str> {
        let other = self.by_skeleton.get(&skeleton_of(site))?;
        (other != site).then_some(other)
    }
}

/// The skeleton of a domain in ASCII.
fn skeleton_of(site: &str) -> String {
    // `rn` looks like `m` in many fonts (UTS #39 has it), and so do digits like letters.
    let unicode = host_in_unicode(site);
    skeleton(&unicode).collect::<String>().to_lowercase()
}

/// Judges the names in the host of a final URL. Returns whether it looks like another. `unlike` has the
/// sites already known not to be lookalikes.
pub(super) fn check(
    findings: &mut MailFindings<'_, '_>,
    opened: &UnwrappedLink<'_>,
    known: [&Names; 2],
    unlike: &mut BTreeSet<Box<str>>,
) -> bool {
    let url = opened.final_url();
    let Some(host) = opened.host() else {
        return false;
    };
    let own = site(host);
    let is_new = !unlike.contains(own);
    let imitated = is_new.then(|| known.iter().find_map(|names| names.imitated_by(own)));
    if let Some(other) = imitated.flatten() {
        let message = IdnConfusable {
            host: &host_in_unicode(own),
            other,
            through: opened.through(),
        };
        findings.add(opened, own, message);
        return true;
    }
    if is_new {
        unlike.insert(own.into());
    }
    if !host.contains("xn--") {
        compat(findings, opened, url, host);
        return false;
    }
    let last = host.rsplit('.').next().unwrap_or_default();
    let ascii = label(host).filter(|label| !is_of_one_script(label, last));
    if let Some(ascii) = ascii.and_then(whole_label) {
        let message = IdnConfusable {
            host: &host_in_unicode(host),
            other: &ascii,
            through: opened.through(),
        };
        findings.add(opened, own, message);
        return true;
    }
    let unicode = host_in_unicode(host);
    if unicode.split('.').any(is_mixed) {
        let message = IdnMixedScript {
            host: &unicode,
            through: opened.through(),
        };
        findings.add(opened, own, message);
    }
    false
}

/// The label in ASCII that a label wholly in another script looks like.
fn whole_label(label: &str) -> Option<String> {
    let unicode = host_in_unicode(label);
    let is_other = unicode.chars().all(|c| !c.is_ascii_alphabetic());
    let looks = skeleton(&unicode).collect::<String>();
    let is_ascii = looks.is_ascii() && looks.bytes().any(|byte| byte.is_ascii_alphabetic());
    (is_other && !unicode.is_ascii() && is_ascii).then_some(looks)
}

/// Whether a label is in the script of its top-level domain, as names under `.рф` are: there
/// they are not mistaken for ASCII (Chromium, "IDN in Google Chrome").
fn is_of_one_script(label: &str, last: &str) -> bool {
    let last = host_in_unicode(last);
    let both = host_in_unicode(label) + &last;
    !last.is_ascii() && both.as_str().is_single_script()
}

/// Whether a label mixes scripts (UTS #39 §5.1): those of Japanese, Chinese and Korean may be mixed with
/// Latin ("highly restrictive", §5.2), and characters of the script Common match every script (UAX #24).
///
/// Departs: §5.2 counts every character outside the identifier profile as "unrestricted", even a sign in
/// a name of one script.
fn is_mixed(label: &str) -> bool {
    if label.is_single_script() {
        return false;
    }
    let latin = AugmentedScriptSet::for_char('a');
    let others: String = label
        .chars()
        .filter(|c| AugmentedScriptSet::for_char(*c) != latin)
        .collect();
    let scripts = AugmentedScriptSet::for_str(&others);
    !(scripts.hanb || scripts.jpan || scripts.kore)
}

/// Names written in characters that browsers map to others: styled letters, full-width forms.
fn compat(findings: &mut MailFindings<'_, '_>, opened: &UnwrappedLink<'_>, url: &str, host: &str) {
    let Some(written) = baseref_resolve::parts::host(url) else {
        return;
    };
    if !written.is_ascii() {
        findings.add(opened, host, HostCompatChars { host });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lookalikes_by_skeleton() {
        let names = Names::new(["apple.com", "www.paypal.com"].into_iter());
        for (site, other) in [
            ("xn--80ak6aa92e.com", Some("apple.com")),
            ("paypa1.com", Some("paypal.com")),
            ("apple.com", None),
            ("pineapple.com", None),
        ] {
            assert_eq!(names.imitated_by(site), other, "{site}");
        }
    }

    #[test]
    fn mixed_scripts() {
        assert_eq!(whole_label("xn--80ak6aa92e").as_deref(), Some("apple"));
        assert_eq!(whole_label("apple"), None);
        for (label, last, is) in [
            ("xn--80ak6aa92e", "xn--p1ai", true),
            ("xn--80ak6aa92e", "com", false),
            ("xn--80ak6aa92e", "xn--fiqs8s", false),
        ] {
            assert_eq!(is_of_one_script(label, last), is, "{label}.{last}");
        }
        for (label, is) in [
            ("p\u{430}ypal", true),
            ("suspens\u{e3}o", false),
            ("\u{65e5}\u{672c}abc", false),
            ("\u{430}\u{440}\u{440}", false),
            ("abc\u{26a1}", false),
            ("\u{430}\u{2665}\u{440}", false),
            ("\u{3b1}\u{b0}-1", false),
            ("\u{2665}\u{430}b", true),
            ("\u{430}\u{3b1}", true),
            ("\u{65e5}\u{d55c}\u{30a2}", true),
            ("\u{ac00}abc", false),
        ] {
            assert_eq!(is_mixed(label), is, "{label}");
        }
    }
}
