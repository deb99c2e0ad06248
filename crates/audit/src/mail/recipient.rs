//! The address of the recipient in a URL, by which the server learns who opened it.

use std::fmt::Write;

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD_NO_PAD, URL_SAFE_NO_PAD};
use baseref_document::link_places::Fetched;
use md5::Md5;
use memchr::memmem::{self, Finder};
use percent_encoding::percent_decode_str;
use sha1::Sha1;
use sha2::{Digest, Sha256};

use super::address;
use super::mail_findings::MailFindings;
use super::unwrapped_link::UnwrappedLink;
use crate::rules::mail::recipient_in_url::RecipientInUrl;

/// The recipients of a message, in each form in which a URL may name them.
#[derive(Default)]
pub(super) struct Recipients {
    /// In lower case.
    addresses: Vec<Finder<'static>>,
    /// The hashes of addresses, in hexadecimal digits.
    hashes: Vec<(String, &'static str)>,
}

/// A list of more addresses is not a recipient.
const MOST: usize = 16;

impl Recipients {
    /// From the fields that name them.
    pub(super) fn new<'f>(fields: impl Iterator<Item = &'f str>) -> Self {
        let addresses = fields.flat_map(address::all).take(MOST);
        let mut recipients = Self::default();
        for address in addresses {
            recipients.hashes.extend([
                (hex(&Md5::digest(&address)), "as an MD5 hash"),
                (hex(&Sha1::digest(&address)), "as a SHA-1 hash"),
                (hex(&Sha256::digest(&address)), "as a SHA-256 hash"),
            ]);
            recipients
                .addresses
                .push(Finder::new(&address).into_owned());
        }
        recipients
    }

    /// How a URL names one of them.
    fn in_url(&self, url: &str) -> Option<&'static str> {
        if self.addresses.is_empty() {
            return None;
        }
        // Most URLs have no at sign, and a search for one is cheaper than decoding.
        if may_have_address(url) {
            let decoded = percent_decode_str(url).decode_utf8_lossy();
            if self.is_named_in(&decoded) {
                return Some("in plain text");
            }
        }
        self.hash_in(url).or_else(|| {
            let mut tokens = url.as_bytes().split(|byte| is_delimiter(*byte));
            tokens
                .any(|token| in_base64(token, |text| self.is_named_in(text)))
                .then_some("in base64")
                .or_else(|| self.is_named_in_hex(url).then_some("in hexadecimal"))
        })
    }

    /// Whether the hexadecimal digits of a URL name one of them (RFC 4648 §8).
    fn is_named_in_hex(&self, url: &str) -> bool {
        let runs = url.as_bytes().split(|byte| !byte.is_ascii_hexdigit());
        let mut long = runs.filter(|run| run.len() >= SHORTEST_HEX);
        // Digits of another value may precede those of an address.
        long.any(|run| {
            [run, &run[1..]].into_iter().any(|digits| {
                let text: Vec<u8> = digits.chunks_exact(2).filter_map(byte_of).collect();
                let text = text.to_ascii_lowercase();
                let mut addresses = self.addresses.iter();
                addresses.any(|address| address.find(&text).is_some())
            })
        })
    }

    fn is_named_in(&self, text: &str) -> bool {
        let text = text.to_lowercase();
        let mut addresses = self.addresses.iter();
        addresses.any(|address| address.find(text.as_bytes()).is_some())
    }

    /// The hash that is in a URL.
    fn hash_in(&self, url: &str) -> Option<&'static str> {
        let runs = url.as_bytes().split(|byte| !byte.is_ascii_hexdigit());
        let mut runs = runs.filter(|run| run.len() >= SHORTEST_HASH);
        runs.find_map(|run| {
            let run = run.to_ascii_lowercase();
            let has = |hash: &str| memmem::find(&run, hash.as_bytes()).is_some();
            let found = self.hashes.iter().find(|(hash, _)| has(hash));
            found.map(|(_, how)| *how)
        })
    }
}

/// The length of an MD5 hash in hexadecimal digits.
const SHORTEST_HASH: usize = 32;

/// The length of `a@b.de` in hexadecimal digits.
const SHORTEST_HEX: usize = 12;

/// The byte that two hexadecimal digits stand for.
fn byte_of(digits: &[u8]) -> Option<u8> {
    u8::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()
}

/// Whether a URL has an at sign, literal or percent-encoded.
fn may_have_address(url: &str) -> bool {
    let url = url.as_bytes();
    memchr::memchr(b'@', url).is_some() || memmem::find(url, b"%40").is_some()
}

fn hex(bytes: &[u8]) -> String {
    let mut hex = String::with_capacity(bytes.len() * 2);
    for byte in bytes {
        write!(hex, "{byte:02x}").expect("writing to a String cannot fail");
    }
    hex
}

/// Whether a token is base64 of a text with an at sign that `is_it`.
fn in_base64(token: &[u8], is_it: impl Fn(&str) -> bool) -> bool {
    // `a@b.de` has eight characters; an address is not longer than 254 (RFC 5321 §4.5.3.1.3).
    if !(8..=LONGEST_TOKEN).contains(&token.len()) {
        return false;
    }
    let engine = if memchr::memchr2(b'-', b'_', token).is_some() {
        &URL_SAFE_NO_PAD
    } else {
        &STANDARD_NO_PAD
    };
    let mut room = [0; LONGEST_TOKEN];
    let Ok(length) = engine.decode_slice(token, &mut room) else {
        return false;
    };
    let bytes = &room[..length];
    let text = memchr::memchr(b'@', bytes).and_then(|_| std::str::from_utf8(bytes).ok());
    text.is_some_and(is_it)
}

/// Whether a byte is none of base64, and stands around tokens.
const fn is_delimiter(byte: u8) -> bool {
    matches!(
        byte,
        b'/' | b'?' | b'&' | b'=' | b'#' | b'.' | b'~' | b':' | b'%'
    )
}

/// Longer tokens are not looked into.
const LONGEST_TOKEN: usize = 1_024;

pub(super) fn check(
    findings: &mut MailFindings<'_, '_>,
    opened: &UnwrappedLink<'_>,
    recipients: &Recipients,
) {
    let slot = opened.link.reference.slot;
    let url = opened.link.url.unwrap_or_default();
    if !opened.is_followed() && slot.fetched == Fetched::No || url.starts_with("mailto:") {
        return;
    }
    if let Some(how) = recipients.in_url(url) {
        findings.add(opened, opened.site(), RecipientInUrl { how });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn recipient_in_plain_text_base64_and_hashes() {
        let recipients = Recipients::new(["Joe <Joe@x.com>"].into_iter());
        for (url, how) in [
            ("http://t/?u=joe@x.com", Some("in plain text")),
            ("http://t/?u=JOE%40x.com&v", Some("in plain text")),
            ("http://t/o.gif?u=am9lQHguY29t", Some("in base64")),
            ("http://t/bWFpbD1qb2VAeC5jb20/x", Some("in base64")),
            ("http://t/d62c1ed3e9d1f1bb51e9df6d4ba3c7f1", None),
            ("http://t/6A6F6540782E636F6D/x", Some("in hexadecimal")),
            (
                "http://t/?i=322c4a4f4540782e636f6d2c31",
                Some("in hexadecimal"),
            ),
            ("http://t/?i=56a6f6540782e636f6d", Some("in hexadecimal")),
            ("http://t/?i=6d617279407878782e636f6d", None),
            ("http://t/?u=mary@x.com", None),
            ("http://t/?u=mary@x.com&am9lQHguY29t", Some("in base64")),
        ] {
            assert_eq!(recipients.in_url(url), how, "{url}");
        }
        let hashes = Recipients::new(["a@b.de"].into_iter());
        let md5 = &hashes.hashes[0].0;
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
