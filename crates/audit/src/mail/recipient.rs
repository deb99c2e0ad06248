//! The address of the recipient in a URL: whoever serves it learns who has opened it.

use std::fmt::Write;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD_NO_PAD;
use baseref_document::slots::Fetched;
use md5::Md5;
use percent_encoding::percent_decode_str;
use sha1::Sha1;
use sha2::{Digest, Sha256};

use super::super::rules;
use super::{Found, Opened, address};

/// The recipients of a message, in each form in which a URL may name them.
#[derive(Default)]
pub(super) struct Recipients {
    forms: Vec<(String, &'static str)>,
}

/// A list of more addresses is not a recipient.
const MOST: usize = 16;

impl Recipients {
    /// From the fields that name them.
    pub(super) fn new<'f>(fields: impl Iterator<Item = &'f str>) -> Self {
        let addresses = fields.flat_map(address::all).take(MOST);
        let mut forms = Vec::new();
        for address in addresses {
            forms.push((hex(&Md5::digest(&address)), "as an MD5 hash"));
            forms.push((hex(&Sha1::digest(&address)), "as a SHA-1 hash"));
            forms.push((hex(&Sha256::digest(&address)), "as a SHA-256 hash"));
            forms.push((address, "as it is"));
        }
        Self { forms }
    }

    /// How a URL names one of them.
    fn in_url(&self, url: &str) -> Option<&'static str> {
        if self.forms.is_empty() {
            return None;
        }
        let decoded = percent_decode_str(url).decode_utf8_lossy().to_lowercase();
        let named = |text: &str| {
            let mut forms = self.forms.iter();
            forms
                .find(|(form, _)| text.contains(&**form))
                .map(|(_, how)| *how)
        };
        named(&decoded).or_else(|| {
            let tokens = url.split(['/', '?', '&', '=', '#', '.', '~', ':', '%']);
            let mut texts = tokens.filter_map(in_base64);
            texts
                .any(|text| named(&text).is_some())
                .then_some("in base64")
        })
    }
}

fn hex(bytes: &[u8]) -> String {
    let mut hex = String::with_capacity(bytes.len() * 2);
    for byte in bytes {
        write!(hex, "{byte:02x}").expect("a String takes every write");
    }
    hex
}

/// The text in a token that may be base64 of an address.
fn in_base64(token: &str) -> Option<String> {
    // `a@b.de` has eight characters; an address is not longer than 254 (RFC 5321 §4.5.3.1.3).
    if !(8..=1_024).contains(&token.len()) {
        return None;
    }
    let standard = token.replace('-', "+").replace('_', "/");
    let bytes = STANDARD_NO_PAD.decode(standard).ok()?;
    let text = String::from_utf8(bytes).ok()?;
    text.contains('@').then(|| text.to_lowercase())
}

pub(super) fn check(found: &mut Found<'_, '_>, opened: &Opened<'_>, recipients: &Recipients) {
    let slot = opened.link.reference.slot;
    let url = opened.link.url.unwrap_or_default();
    if !opened.is_followed() && slot.fetched == Fetched::No || url.starts_with("mailto:") {
        return;
    }
    if let Some(how) = recipients.in_url(url) {
        let message = format!("the address of the recipient is in it, {how}");
        found.add(&rules::RECIPIENT_IN_URL, opened, opened.site(), message);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn recipients_are_found_in_each_form() {
        let recipients = Recipients::new(["Joe <Joe@x.com>"].into_iter());
        for (url, how) in [
            ("http://t/?u=joe@x.com", Some("as it is")),
            ("http://t/?u=JOE%40x.com&v", Some("as it is")),
            ("http://t/o.gif?u=am9lQHguY29t", Some("in base64")),
            ("http://t/bWFpbD1qb2VAeC5jb20/x", Some("in base64")),
            ("http://t/d62c1ed3e9d1f1bb51e9df6d4ba3c7f1", None),
            ("http://t/?u=mary@x.com", None),
        ] {
            assert_eq!(recipients.in_url(url), how, "{url}");
        }
        let hashes = Recipients::new(["a@b.de"].into_iter());
        let md5 = &hashes.forms[0].0;
        assert_eq!(
            hashes.in_url(&format!("http://t/?h={md5}")),
            Some("as an MD5 hash")
        );
        assert_eq!(md5.len(), 32);
        assert!(
            Recipients::default()
                .in_url("http://t/?u=joe@x.com")
                .is_none()
        );
    }
}
