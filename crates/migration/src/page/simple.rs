//! Links whose class is obvious from their value, without resolving them.

use baseref_document::Reference;
use baseref_reader::base::BaseSource;
use baseref_reader::links::LinkResolver;

use super::model::PageMove;
use crate::class::MoveClass;
use baseref_rewrite::links::form;
use baseref_site::moves::{Prefixes, Side};

impl PageMove<'_> {
    /// Whether the rules, if they redirect the old target of a link, redirect it to its moved address.
    pub(super) fn redirects_agree(
        &self,
        old: &mut LinkResolver<'_>,
        reference: &Reference<'_>,
    ) -> bool {
        let Ok(url) = old.url(reference).map(form) else {
            return false;
        };
        let moved = self.mover.prefixes().moved(&url);
        moved.is_some_and(|moved| self.mover.context.leaves_or_sends(&url, &moved))
    }

    /// The class that all [simple](is_simple) links have under every rule set unless rules redirect their
    /// targets, and the maximum number of folders that such a link climbs; `None` if links need to be
    /// resolved.
    pub(super) fn simple_link_class(&self) -> Option<(usize, MoveClass)> {
        let prefixes = self.mover.prefixes();
        let (old, new) = (self.base(), self.new[0].base());
        let is_certain = prefixes.is_single()
            && old.source == BaseSource::Retrieval
            && self.document.codebases.is_empty()
            && !self.is_overlapping();
        let depth = |rest: Option<(&str, &str)>| {
            let path = rest?.1.split(['?', '#']).next()?;
            Some(path.matches('/').count())
        };
        let (old_url, new_url) = (old.url.as_deref()?, new.url.as_deref()?);
        let of_new = depth(prefixes.new_rest(new_url))?;
        let found = match prefixes.side(old_url) {
            Side::Old => (
                depth(prefixes.old_rest(old_url))?.min(of_new),
                MoveClass::Moves,
            ),
            // A page at its new location.
            Side::New if old_url == new_url => (of_new, MoveClass::AlreadyNew),
            _ => return None,
        };
        is_certain.then_some(found)
    }

    pub(super) fn is_overlapping(&self) -> bool {
        let prefixes = self.mover.prefixes();
        prefixes.pairs().any(|(_, new)| prefixes.is_old(new))
    }
}

/// Whether a value obviously leads to a page at most `depth` folders above its own.
pub(super) fn is_simple(value: &str, depth: usize) -> bool {
    let is_plain =
        |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-' | b'/' | b'.' | b'~');
    let mut path = value;
    let mut up = 0;
    while let Some(rest) = path.strip_prefix("../") {
        path = rest;
        up += 1;
    }
    let (path, fragment) = path.split_once('#').unwrap_or((path, ""));
    let is_of_page = value.starts_with('#') && !fragment.is_empty();
    up <= depth
        && (is_of_page || path.starts_with(|c: char| c.is_ascii_alphanumeric()))
        && path.bytes().all(is_plain)
        && fragment.bytes().all(is_plain)
        && !path.contains("/.")
}

/// Whether a value obviously leads to a host outside the move.
pub(super) fn is_obviously_external(value: &str, prefixes: &Prefixes) -> bool {
    let rest = value
        .strip_prefix("https://")
        .or_else(|| value.strip_prefix("http://"));
    let Some(rest) = rest else {
        return false;
    };
    let (host, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
    let is_name = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || matches!(b, b'-' | b'.');
    let is_plain = |b: u8| {
        b.is_ascii_alphanumeric()
            || matches!(
                b,
                b'_' | b'-' | b'/' | b'.' | b'~' | b'?' | b'=' | b'&' | b'#' | b'+'
            )
    };
    let last = host.rsplit('.').next().unwrap_or_default();
    // URL parsers handle possible IP addresses and encoded names.
    host.bytes().all(is_name)
        && last.len() > 1
        && last.bytes().all(|b| b.is_ascii_lowercase())
        && !host.contains("--")
        && path.bytes().all(is_plain)
        && !path.contains("/.")
        && path.matches('#').count() < 2
        && !prefixes.has_host(host)
}
