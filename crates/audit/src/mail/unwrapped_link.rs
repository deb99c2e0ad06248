//! A link of a message, with the URL inside its wrappers.

use std::borrow::Cow;

use super::site::site;
use baseref_document::Companions;
use baseref_document::link_places::{Class, Fetched};
use baseref_reader::links::Link;
use baseref_resolve::{host_in_browsers, parts};
use baseref_unwrap::Unwrapped;

/// A link of a message, opened.
pub(crate) struct UnwrappedLink<'l> {
    pub(crate) link: &'l Link<'l>,
    pub(crate) chain: Unwrapped<'l, 'l>,
    /// The companion attributes of its element.
    pub(crate) companions: Companions<'l>,
    /// The host of the final URL as a browser reads it.
    host: Option<String>,
}

impl<'l> UnwrappedLink<'l> {
    pub(crate) fn new(
        link: &'l Link<'l>,
        chain: Unwrapped<'l, 'l>,
        companions: Companions<'l>,
    ) -> Self {
        let host = host_in_browsers(chain.final_url()).map(Cow::into_owned);
        Self {
            link,
            chain,
            companions,
            host,
        }
    }

    pub(crate) fn final_url(&self) -> &str {
        self.chain.final_url()
    }

    /// The host of the final URL as a browser reads it: in ASCII, numbers as an IP address.
    pub(crate) fn host(&self) -> Option<&str> {
        self.host.as_deref()
    }

    /// The site of the final URL, for the cause of a finding: its scheme if it has no host.
    pub(crate) fn site(&self) -> Cow<'_, str> {
        match self.host() {
            Some(host) => Cow::Borrowed(site(host)),
            None => parts::scheme(self.final_url()).unwrap_or_default(),
        }
    }

    /// The wrappers in words, for the end of a message; empty without any.
    pub(crate) fn through(&self) -> String {
        let names: Vec<_> = self.chain.steps.iter().map(|step| step.wrapper).collect();
        if names.is_empty() {
            String::new()
        } else {
            format!(" ({})", names.join(" > "))
        }
    }

    pub(crate) fn is_followed(&self) -> bool {
        self.link.reference.slot.class == Class::Anchor
    }

    pub(crate) fn is_loaded(&self) -> bool {
        self.link.reference.slot.fetched != Fetched::No
    }
}

/// Whether a URL is one that a browser fetches from a host.
pub(crate) fn is_web(url: &str) -> bool {
    let schemes = ["http", "https", "ftp"];
    schemes
        .into_iter()
        .any(|scheme| parts::has_scheme(url, scheme))
}
