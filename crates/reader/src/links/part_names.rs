//! Which part of its message a URL refers to (RFC 2392; RFC 2557 §8.2, §8.3).
//!
//! A part is named by its Content-ID or by its Content-Location (resolved like any other), within
//! the same or an enclosing multipart/related, never a parallel or nested one; the nearest
//! multipart wins, and in it the first part. Without a base, both the link and the Content-Location
//! are resolved against `thismessage:/` (RFC 2557 §5). A location refers to "other body parts", not
//! to the one that the link is in.
//!
//! Departs: a `cid:` is also looked up in the whole message, outside any multipart/related. RFC
//! 2557 §8.2 does "neither encourage nor forbid" it, RFC 2392 §1 has it, and programs write it.
//!
//! Departs: RFC 2557 §8.3 ignores a `cid:` in a Content-Location. Chrome writes it in place of a
//! Content-ID for the style sheets that it makes of `style` elements, and links to them by it.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;

use encoding_rs::{Encoding, UTF_8};
use percent_encoding::percent_decode_str;

use crate::base::Policy;
use crate::base::{Base, establish, field};
use crate::keyed_hash::KeyedHash;
use baseref_document::{BaseField, Declaration, Part, PartKind, Place, Section};
use baseref_resolve::parts::{has_scheme, without_fragment};
use baseref_resolve::{ResolveError, Resolver, Rules, is_hierarchical};

/// RFC 2557 §5 (e).
const THIS_MESSAGE: &str = "thismessage:/";

/// How a URL relates to the parts of its message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PartReference<'p> {
    /// It does not refer to a part.
    Nothing,
    /// It is a `cid:` URL that matches no part.
    Missing,
    /// It refers to the part with this MIME section, which is empty for the message itself.
    Part(&'p Section),
}

/// The names of the parts of a message, under one policy.
#[derive(Debug)]
pub(crate) struct PartNames {
    parts: Arc<[Part]>,
    policy: Policy,
    /// Content-IDs, by the multipart/related or message that the parts are in.
    ids: BTreeMap<usize, BTreeMap<String, usize>>,
    /// Content-Locations that are `cid:` URLs, by the same key.
    ids_in_locations: BTreeMap<usize, BTreeMap<String, usize>>,
    /// Hashes of resolved Content-Locations, by the multipart/related that the parts are in.
    /// Hashes, since each can be as long as a base.
    locations: BTreeMap<usize, BTreeMap<u128, usize>>,
    numbers: KeyedHash,
    /// Content-IDs, by the message that the parts are in.
    ids_of_messages: BTreeMap<usize, BTreeMap<String, usize>>,
    /// The messages by their Message-IDs.
    messages: BTreeMap<String, usize>,
}

impl PartNames {
    /// The names of these parts.
    pub(crate) fn new(parts: &Arc<[Part]>, policy: Policy) -> Self {
        let mut names = Self {
            parts: Arc::clone(parts),
            policy,
            ids: BTreeMap::new(),
            ids_in_locations: BTreeMap::new(),
            locations: BTreeMap::new(),
            numbers: KeyedHash::with_random_key(),
            ids_of_messages: BTreeMap::new(),
            messages: BTreeMap::new(),
        };
        // The parts around the current one, each with its base.
        let mut around: Vec<(usize, Base)> = Vec::new();
        // For each part: the multipart/related or message it is in, and the message it is in.
        let mut sets: Vec<(usize, usize)> = Vec::with_capacity(parts.len());
        for (index, part) in parts.iter().enumerate() {
            let parent = part.parent.filter(|&parent| parent < index);
            while around.last().is_some_and(|(last, _)| Some(*last) != parent) {
                around.pop();
            }
            let outside = match around.last() {
                Some((_, base)) => base.clone(),
                None => Base {
                    url: Some(THIS_MESSAGE.into()),
                    ..Base::default()
                },
            };
            let (set, message) = match parent {
                Some(parent) => match parts[parent].kind {
                    PartKind::Message { .. } => (parent, parent),
                    PartKind::Related => (parent, sets[parent].1),
                    _ => sets[parent],
                },
                None => (index, index),
            };
            names.add(index, set, message, &outside);
            sets.push((set, message));
            let inner = parts.get(index + 1).and_then(|next| next.parent);
            if inner == Some(index) {
                let base = establish(policy, &outside, &part.declarations, UTF_8).base;
                around.push((index, base));
            }
        }
        names
    }

    fn add(&mut self, index: usize, set: usize, message: usize, outside: &Base) {
        let part = &self.parts[index];
        if let PartKind::Message {
            message_id: Some(id),
        } = &part.kind
        {
            self.messages.entry(id.clone()).or_insert(index);
        }
        if let Some(id) = &part.content_id {
            for (ids, set) in [(&mut self.ids, set), (&mut self.ids_of_messages, message)] {
                let ids = ids.entry(set).or_default();
                ids.entry(id.clone()).or_insert(index);
            }
        }
        if let Some(id) = location_field(&part.declarations)
            .and_then(|declared| after_scheme(&declared.value, "cid"))
        {
            let ids = self.ids_in_locations.entry(set).or_default();
            ids.entry(id.to_owned()).or_insert(index);
        }
        if matches!(self.parts[set].kind, PartKind::Related)
            && let Some(url) = location(self.policy, outside, &part.declarations)
        {
            let locations = self.locations.entry(set).or_default();
            let as_sent = as_sent(&url, UTF_8);
            for url in std::iter::once(file_in_normal_form(&url)).chain(as_sent) {
                let number = self.numbers.hash(&url);
                locations.entry(number).or_insert(index);
            }
        }
    }

    /// The URL by which the header of a part names it; without a base to resolve it against, one below
    /// `thismessage:/` in a multipart/related, and elsewhere only an absolute one.
    pub(crate) fn location_of(&self, own: usize) -> Option<String> {
        let part = self.parts.get(own)?;
        location_field(&part.declarations)?;
        let parent = |index: &usize| self.parts.get(*index)?.parent.filter(|up| up < index);
        let around: Vec<usize> = std::iter::successors(parent(&own), parent).collect();
        let is_related = around
            .first()
            .is_some_and(|around| matches!(self.parts[*around].kind, PartKind::Related));
        let mut outside = Base {
            url: is_related.then(|| THIS_MESSAGE.into()),
            ..Base::default()
        };
        for index in around.into_iter().rev() {
            let declarations = &self.parts[index].declarations;
            outside = establish(self.policy, &outside, declarations, UTF_8).base;
        }
        location(self.policy, &outside, &part.declarations)
    }

    /// The URL of a reference in the part `own` by the place of that part, if that is below
    /// `thismessage:/` or a path of Windows.
    pub(crate) fn url_in_message(&self, own: usize, value: &str) -> Option<String> {
        if let Some(url) = self.beside_file(own, value) {
            return Some(url);
        }
        let location = self.location_of(own)?;
        if !has_scheme(&location, "thismessage") {
            return None;
        }
        let resolver = Resolver::new(self.policy.rules, Some(&location), UTF_8);
        resolver.resolve(value).ok()
    }

    /// The part that a link in the part `own` refers to; `url` is what the link resolves to, and `encoding`
    /// that of the page.
    pub(crate) fn named(
        &self,
        own: usize,
        value: &str,
        url: Result<&str, ResolveError>,
        encoding: &'static Encoding,
    ) -> PartReference<'_> {
        if let Some(id) = after_scheme(value, "cid") {
            return match self.by_id(own, id) {
                Some(part) => PartReference::Part(&self.parts[part].section),
                None => PartReference::Missing,
            };
        }
        let part = match after_scheme(value, "mid") {
            Some(id) => self.by_message_id(id),
            None if self.locations.is_empty() => None,
            None => self.by_location(own, value, url, encoding),
        };
        part.map_or(PartReference::Nothing, |part| {
            PartReference::Part(&self.parts[part].section)
        })
    }

    /// RFC 2392 §2, RFC 2557 §8.3: a Content-ID, wherever it is, comes before a Content-Location.
    fn by_id(&self, own: usize, id: &str) -> Option<usize> {
        let found_in = |all: &BTreeMap<usize, BTreeMap<String, usize>>| {
            self.sets_around(own).find_map(|set| {
                let ids = all.get(&set)?;
                either_way(id, |id| ids.get(id).copied())
            })
        };
        found_in(&self.ids).or_else(|| found_in(&self.ids_in_locations))
    }

    /// RFC 2392 §2: a message, or a part of it.
    fn by_message_id(&self, id: &str) -> Option<usize> {
        let (message, part) = match id.split_once('/') {
            Some((message, part)) => (message, Some(part)),
            None => (id, None),
        };
        let message = either_way(message, |id| self.messages.get(id).copied())?;
        let Some(part) = part else {
            return Some(message);
        };
        let ids = self.ids_of_messages.get(&message)?;
        either_way(part, |id| ids.get(id).copied())
    }

    /// RFC 2557 §8.2 (d). A fragment refers to something inside the part.
    fn by_location(
        &self,
        own: usize,
        value: &str,
        url: Result<&str, ResolveError>,
        encoding: &'static Encoding,
    ) -> Option<usize> {
        let url = match url {
            Ok(url) => Cow::Borrowed(url),
            Err(ResolveError::NoBase) => {
                if let Some(url) = self.url_in_message(own, value)
                    && let Some(part) = self.at_location(own, &url)
                {
                    return Some(part);
                }
                let resolver = Resolver::new(self.policy.rules, Some(THIS_MESSAGE), UTF_8);
                Cow::Owned(resolver.resolve(value).ok()?)
            }
            Err(_) => return None,
        };
        let found = self.at_location(own, &url);
        found
            .or_else(|| self.at_location(own, &as_sent(&url, encoding)?))
            .or_else(|| self.at_location(own, &self.beside_file(own, value)?))
    }

    /// The URL of a reference in a part that was saved at a path of Windows, as browsers resolve it:
    /// to other rule sets the path is no path, or a host.
    fn beside_file(&self, own: usize, value: &str) -> Option<String> {
        let declared = location_field(&self.parts.get(own)?.declarations)?;
        let base = windows_file(&declared.value)?;
        let resolver = Resolver::new(Rules::Whatwg, Some(&base), UTF_8);
        resolver.resolve(value).ok()
    }

    /// The part at a URL, other than the part `own` that refers to it.
    fn at_location(&self, own: usize, url: &str) -> Option<usize> {
        let number = self
            .numbers
            .hash(&file_in_normal_form(without_fragment(url)));
        self.sets_around(own).find_map(|set| {
            let locations = self.locations.get(&set)?;
            let part = *locations.get(&number)?;
            (part != own).then_some(part)
        })
    }

    /// The messages and multipart/related parts around a part, innermost first.
    fn sets_around(&self, own: usize) -> impl Iterator<Item = usize> {
        let parent = |index: usize| self.parts.get(index)?.parent.filter(|&up| up < index);
        std::iter::successors(parent(own), move |&index| parent(index)).filter(|&index| {
            let kind = &self.parts[index].kind;
            matches!(kind, PartKind::Message { .. } | PartKind::Related)
        })
    }
}

/// The URL of a place that is written with backslashes, as browsers read it: a path of Windows, or the
/// `file:` URL that programs make of it.
fn windows_file(place: &str) -> Option<String> {
    let place = place.trim_ascii();
    let file = place.contains('\\').then(|| file_in_normal_form(place))?;
    has_scheme(&file, "file").then(|| file.into_owned())
}

/// A URL of a file, or a path of Windows, as browsers write it (URL Standard, "file state"): programs
/// write `file://C:\dir\name`. Other URLs are returned unchanged.
fn file_in_normal_form(url: &str) -> Cow<'_, str> {
    let is_path =
        matches!(url.as_bytes(), [drive, b':', b'\\' | b'/', ..] if drive.is_ascii_alphabetic());
    let resolved = |url: &str| Resolver::new(Rules::Whatwg, None, UTF_8).resolve(url).ok();
    let file = if is_path {
        resolved(&format!("file:///{url}"))
    } else if has_scheme(url, "file") {
        resolved(url)
    } else {
        None
    };
    file.map_or(Cow::Borrowed(url), Cow::Owned)
}

/// A URL with letters that some rule sets leave as they are, as browsers send it and save it in messages;
/// `None` if it has none.
fn as_sent(url: &str, encoding: &'static Encoding) -> Option<Cow<'static, str>> {
    let resolver = Resolver::new(Rules::Whatwg, None, encoding);
    let sent = (!url.is_ascii()).then(|| resolver.resolve(url).ok());
    sent.flatten().map(Cow::Owned)
}

/// The rest after a scheme and its colon.
fn after_scheme<'v>(value: &'v str, scheme: &str) -> Option<&'v str> {
    let value = value.trim_matches(|c: char| c <= ' ');
    let (found, rest) = value.split_at_checked(scheme.len())?;
    let rest = rest.strip_prefix(':')?;
    found.eq_ignore_ascii_case(scheme).then_some(rest)
}

/// Looks an id up percent-decoded, or else as written: programs leave `%` unencoded, as the example
/// of RFC 2392 does.
fn either_way<T>(id: &str, find: impl Fn(&str) -> Option<T>) -> Option<T> {
    find(&percent_decode_str(id).decode_utf8_lossy()).or_else(|| find(id))
}

fn is_location(declaration: &Declaration) -> bool {
    matches!(
        declaration.at,
        Place::Field {
            field: BaseField::ContentLocation,
            ..
        }
    )
}

/// The first Content-Location of a header.
fn location_field(heading: &[Declaration]) -> Option<&Declaration> {
    heading.iter().find(|declaration| is_location(declaration))
}

/// What a header's Content-Location resolves to, against the other fields of that header (RFC 2110
/// §4.2) and the enclosing ones; `None` for a `cid:`.
fn location(policy: Policy, outside: &Base, heading: &[Declaration]) -> Option<String> {
    let own = location_field(heading)?;
    let others: Vec<Declaration> = heading
        .iter()
        .filter(|declaration| !is_location(declaration))
        .cloned()
        .collect();
    let base = match others.as_slice() {
        [] => outside.clone(),
        others => establish(policy, outside, others, UTF_8).base,
    };
    if let Some(file) = windows_file(&own.value) {
        return Some(file);
    }
    let value = field::parse(BaseField::ContentLocation, &own.value, policy.strict).ok()?;
    let resolver = Resolver::new(policy.rules, base.url.as_deref(), UTF_8);
    let url = resolver.resolve(&value.url).ok()?;
    is_hierarchical(&url).then_some(url)
}
