//! The data of a row about a link.

use std::borrow::Cow;

use super::base_text::BaseText;
use super::column::Cell;
use super::defang;
use super::value::Value;
use baseref_document::Document;
use baseref_findings::words::cut_after;
use baseref_reader::links::Link;
use baseref_reader::links::archived_url::Capture;
use baseref_resolve::{ResolveError, Rules};
use baseref_unwrap::Unwrapped;

/// The data of a row about a link.
#[derive(Clone, Copy, Debug)]
pub struct LinkRow<'a> {
    /// The document's origin, as printed.
    pub doc: &'a str,
    /// The document.
    pub document: &'a Document,
    /// The link.
    pub link: &'a Link<'a>,
    /// Its base, as printed ([`super::base_text::BaseCache`]).
    pub base: &'a BaseText,
    /// The URL that the document was retrieved from.
    pub retrieval: Option<&'a str>,
    /// The rule set that resolved it.
    pub rules: Rules,
    /// The capture that its URL is, if captures are to be unwrapped.
    pub capture: Option<&'a Capture<'a>>,
    /// The URL that a browser goes to, or the reason why it goes nowhere, if that differs from
    /// `link`. See [`baseref_reader::links::Browsers`].
    pub elsewhere: Option<Result<&'a str, ResolveError>>,
    /// The wrappers around its URL, if they are opened.
    pub chain: Option<&'a Unwrapped<'a, 'a>>,
    /// Whether the final URL decides what is selected and counted.
    pub by_final: bool,
    /// Whether cells are written so that nothing takes them for links.
    pub is_defanged: bool,
    /// The maximum number of characters of a URL in the cells, if limited.
    pub longest: Option<usize>,
}

impl<'a> LinkRow<'a> {
    /// The resolved URL, or the captured one; `None` if and only if there is an error.
    #[must_use]
    pub fn url(&self) -> Option<&'a str> {
        match self.capture {
            Some(capture) => Some(&capture.original),
            None => self.link.url.ok(),
        }
    }

    /// The URL that a browser goes to, if it differs.
    #[must_use]
    pub fn browser_url(&self) -> Option<&'a str> {
        self.elsewhere.and_then(Result::ok)
    }

    /// The last URL that is known: the one in its wrappers, or its own; without wrappers if these
    /// were not asked for.
    #[must_use]
    pub fn final_url(&self) -> Option<&'a str> {
        self.chain.map(Unwrapped::final_url).or(self.url())
    }

    /// The URL that links are selected and counted by.
    #[must_use]
    pub fn judged_url(&self) -> Option<&'a str> {
        if self.by_final {
            self.final_url()
        } else {
            self.url()
        }
    }

    /// The places that the link leads to: by its URL, and in browsers if that is elsewhere. What is
    /// in a wrapper is the same for both.
    pub fn urls(&self) -> impl Iterator<Item = &'a str> {
        let is_opened = self.by_final && self.chain.is_some_and(Unwrapped::is_wrapped);
        let in_browsers = self.browser_url().filter(|_| !is_opened);
        self.judged_url().into_iter().chain(in_browsers)
    }

    /// The texts that name the hosts that the link leads to: its URLs, or the reference itself if
    /// it names a host but has no URL ([`Link::network_path`]).
    pub fn with_hosts(&self) -> impl Iterator<Item = &'a str> {
        let has_url = self.urls().next().is_some();
        let reference = self.link.network_path().filter(|_| !has_url);
        self.urls().chain(reference)
    }

    /// Whether its URL is cut in the output, or if that has cells, any of the URLs in these.
    #[must_use]
    pub fn is_cut(&self, has_cells: bool) -> bool {
        let Some(longest) = self.longest else {
            return false;
        };
        let exceeds = |url: &str| url.chars().nth(longest).is_some();
        let raw = self.link.reference.value;
        let has_long_cell = || {
            let others = self
                .browser_url()
                .into_iter()
                .chain(self.link.base.url.as_deref());
            exceeds(raw) || { others }.any(exceeds)
        };
        self.url().is_some_and(exceeds) || has_cells && has_long_cell()
    }

    pub(super) fn url_cell<'r>(&self, url: Option<&'r str>) -> Cell<'r> {
        url.map(|url| self.shown_url(url)).into_cell()
    }

    /// A URL as it is written.
    #[inline]
    pub(super) fn shown_url<'r>(&self, url: &'r str) -> Cow<'r, str> {
        if self.longest.is_none() && !self.is_defanged {
            return Cow::Borrowed(url);
        }
        self.changed_url(url)
    }

    #[cold]
    fn changed_url<'r>(&self, url: &'r str) -> Cow<'r, str> {
        let url = match self.longest {
            Some(longest) => cut_after(longest, url),
            None => Cow::Borrowed(url),
        };
        if self.is_defanged {
            return Cow::Owned(defang::text(&url).into_owned());
        }
        url
    }

    /// The name of a host.
    pub(super) fn host_cell<'r>(&self, host: Option<impl Into<Cow<'r, str>>>) -> Cell<'r> {
        match host.map(Into::into) {
            Some(host) if self.is_defanged => Cell::text(defang::host(&host)),
            Some(host) => Cell::Text(host),
            None => Cell::Null,
        }
    }

    /// A text that may contain hosts and addresses.
    pub(super) fn text_cell<'r>(&self, text: Option<&'r str>) -> Cell<'r> {
        text.map(|text| self.shown_text(text)).into_cell()
    }

    /// A text that may contain hosts and addresses, as it is written.
    #[inline]
    pub(super) fn shown_text<'r>(&self, text: &'r str) -> Cow<'r, str> {
        if self.is_defanged {
            return defang::text(text);
        }
        Cow::Borrowed(text)
    }

    /// A part of the first of [`Self::with_hosts`] that has it.
    pub(super) fn first_part(
        &self,
        part: fn(&'a str) -> Option<Cow<'a, str>>,
    ) -> Option<Cow<'a, str>> {
        self.with_hosts().find_map(part)
    }
}
