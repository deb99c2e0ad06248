//! The URL prefixes that move, and what a URL becomes.

use std::collections::HashSet;

use super::prefix_tree::PrefixTree;
use baseref_resolve::normal::{NormalOptions, normal};
use baseref_resolve::parts::origin;
use baseref_resolve::rfc3986::Parts;

/// A move of everything below one URL.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Pair {
    /// In normal form, with a final slash.
    old: String,
    new: String,
}

/// All moves. Every link is looked up, so a look-up takes no longer for many moves than for one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Prefixes {
    /// In the order in which they were added.
    pairs: Vec<Pair>,
    /// The indices of the pairs, longest old prefix first.
    longest_first: Vec<usize>,
    /// The pairs by their old prefixes.
    olds: PrefixTree,
    /// The different new prefixes, and their places.
    news: Vec<String>,
    new_places: PrefixTree,
    /// The prefixes that move to themselves.
    in_place: HashSet<String>,
    /// The hosts of all prefixes.
    hosts: HashSet<String>,
    /// The origins of the old prefixes.
    old_origins: HashSet<String>,
}

/// The side of a move that a URL is on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// The old site.
    Old,
    /// The new site.
    New,
    /// Below a new prefix that is itself below the old one, so that only the trees can tell.
    Both,
    /// Elsewhere.
    Neither,
}

/// Whether a URL below both an old and a new prefix is old.
pub trait Overlap: Sync {
    /// `Some(true)` for old, `Some(false)` for new, `None` if neither tree has it. `url` is in
    /// normal form.
    fn is_old(&self, url: &str) -> Option<bool>;
}

/// Why a pair of URLs cannot define a move.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PrefixError {
    /// It has no scheme and host.
    #[error("{0:?} is not an absolute URL with a host, such as https://www.example.com/docs/")]
    NotAbsolute(String),
    /// It has a query or a fragment.
    #[error("{0:?} has a query or a fragment, and no other URL can start with it")]
    NotAPrefix(String),
    /// One old prefix would move to two places.
    #[error("{0} cannot move to two places")]
    Twice(String),
}

impl Prefixes {
    /// Adds a move of `old`, and of its `aliases`, to `new`. A missing final slash is added, so
    /// that prefixes match whole path segments.
    ///
    /// # Errors
    /// If a prefix is invalid, or an old one was added before.
    pub fn add(&mut self, old: &str, aliases: &[String], new: &str) -> Result<(), PrefixError> {
        let new = prefix(new)?;
        for old in std::iter::once(old).chain(aliases.iter().map(String::as_str)) {
            let old = prefix(old)?;
            let place = self.pairs.len();
            let known = self.olds.add(&old, place);
            if let Some(known) = self.pairs.get(known) {
                if known.new == new {
                    continue;
                }
                return Err(PrefixError::Twice(old));
            }
            self.add_pair(
                place,
                Pair {
                    old,
                    new: new.clone(),
                },
            );
        }
        if self.new_places.add(&new, self.news.len()) == self.news.len() {
            self.news.push(new);
        }
        Ok(())
    }

    fn add_pair(&mut self, place: usize, pair: Pair) {
        let hosts = [&pair.old, &pair.new].map(|url| origin(url).split_once("://"));
        let hosts = hosts.into_iter().flatten();
        self.hosts.extend(hosts.map(|(_, host)| host.to_owned()));
        self.old_origins.insert(origin(&pair.old).to_owned());
        if pair.old == pair.new {
            self.in_place.insert(pair.old.clone());
        }
        let is_before = |other: &usize| {
            let other = self.pairs.get(*other);
            other.is_some_and(|other| other.old.len() >= pair.old.len())
        };
        let at = self.longest_first.partition_point(is_before);
        self.longest_first.insert(at, place);
        self.pairs.push(pair);
    }

    /// The old and the new prefixes in the order in which they were added.
    pub fn in_order(&self) -> impl Iterator<Item = (&str, &str)> {
        let pairs = self.pairs.iter();
        pairs.map(|pair| (pair.old.as_str(), pair.new.as_str()))
    }

    /// The pair with the longest old prefix of a URL in normal form, and what follows that prefix.
    fn pair<'u>(&self, url: &'u str) -> Option<(&Pair, &'u str)> {
        let (place, rest) = self.olds.longest(url)?;
        Some((self.pairs.get(place)?, rest))
    }

    /// Whether nothing moves: every prefix stays the same, or is another name of one that does.
    #[must_use]
    pub fn is_identity(&self) -> bool {
        self.pairs.iter().all(|pair| self.stays(pair))
    }

    /// Whether the prefix of an old URL stays, or is another name of one that does; `None` if the URL
    /// is below no old prefix. `url` is in normal form.
    #[must_use]
    pub fn is_in_place(&self, url: &str) -> Option<bool> {
        let (pair, _) = self.pair(url)?;
        Some(self.stays(pair))
    }

    /// Whether the new prefix of a pair is an old prefix that does not move. The tree is there already.
    fn stays(&self, pair: &Pair) -> bool {
        self.in_place.contains(&pair.new)
    }

    /// Whether a prefix is on that host, given without port.
    #[must_use]
    pub fn has_host(&self, host: &str) -> bool {
        self.hosts.contains(host)
    }

    /// Whether there is a single new prefix.
    #[must_use]
    pub fn is_single(&self) -> bool {
        self.news.len() == 1
    }

    /// Whether a URL in normal form is below an old prefix.
    #[must_use]
    pub fn is_old(&self, url: &str) -> bool {
        self.old_rest(url).is_some()
    }

    /// Whether a URL in normal form is below a new prefix.
    #[must_use]
    pub fn is_new(&self, url: &str) -> bool {
        self.new_rest(url).is_some()
    }

    /// The old prefix of a URL in normal form, and what follows it.
    #[must_use]
    pub fn old_rest<'u>(&self, url: &'u str) -> Option<(&str, &'u str)> {
        let (pair, rest) = self.pair(url)?;
        Some((pair.old.as_str(), rest))
    }

    /// The new prefix of a URL in normal form, and what follows it.
    #[must_use]
    pub fn new_rest<'u>(&self, url: &'u str) -> Option<(&str, &'u str)> {
        let (place, rest) = self.new_places.longest(url)?;
        Some((self.news.get(place)?.as_str(), rest))
    }

    /// Whether a URL in normal form has the scheme and host of an old prefix.
    #[must_use]
    pub fn is_on_old_origin(&self, url: &str) -> bool {
        let own = origin(url);
        !own.is_empty() && self.old_origins.contains(own)
    }

    /// The side of the move that a URL in normal form is on. The longer of two matching prefixes
    /// decides, unless it is a new one whose content is all below an old one.
    #[must_use]
    pub fn side(&self, url: &str) -> Side {
        match (self.old_rest(url), self.new_rest(url)) {
            (Some((old, _)), Some((new, _))) if new.len() > old.len() => Side::Both,
            (Some(_), _) => Side::Old,
            (None, Some(_)) => Side::New,
            (None, None) => Side::Neither,
        }
    }

    /// Whether any new prefix has another origin than its old one.
    #[must_use]
    pub fn changes_origin(&self) -> bool {
        let is_same = |pair: &Pair| origin(&pair.old) == origin(&pair.new);
        !self.pairs.iter().any(is_same)
    }

    /// What a URL becomes, in normal form: the old prefix is replaced by the new one, and the rest
    /// is kept. `None` for a URL not below an old prefix.
    #[must_use]
    pub fn moved(&self, url: &str) -> Option<String> {
        let (pair, rest) = self.pair(url)?;
        Some(format!("{}{rest}", pair.new))
    }

    /// [`Self::moved`] for a URL as written: the rest is kept verbatim if the prefix occurs
    /// literally.
    #[must_use]
    pub fn moved_as_written(&self, url: &str) -> Option<String> {
        let form = normal(url, &NormalOptions::default());
        let (pair, rest) = self.pair(&form)?;
        let by_normal = format!("{}{rest}", pair.new);
        let whole = pair.moved_text(url);
        let is_same = |whole: &String| normal(whole, &NormalOptions::default()) == by_normal;
        Some(whole.filter(is_same).unwrap_or(by_normal))
    }

    /// Each old prefix with its new one, the longest old one first.
    pub fn pairs(&self) -> impl Iterator<Item = (&str, &str)> {
        let pairs = self.longest_first.iter();
        let pairs = pairs.filter_map(|place| self.pairs.get(*place));
        pairs.map(|pair| (pair.old.as_str(), pair.new.as_str()))
    }
}

impl Pair {
    /// What a URL becomes whose text starts with the old prefix.
    fn moved_text(&self, url: &str) -> Option<String> {
        let (start, rest) = url.split_at_checked(self.old.len())?;
        let is_below = start.eq_ignore_ascii_case(&self.old);
        is_below.then(|| format!("{}{rest}", self.new))
    }
}

fn prefix(url: &str) -> Result<String, PrefixError> {
    let parts = Parts::parse(url);
    let has_host = parts.authority.is_some_and(|host| !host.is_empty());
    let is_file = parts.scheme.is_some_and(|s| s.eq_ignore_ascii_case("file"));
    if parts.scheme.is_none() || !(has_host || (is_file && parts.path.starts_with('/'))) {
        return Err(PrefixError::NotAbsolute(url.to_owned()));
    }
    if parts.query.is_some() || parts.fragment.is_some() {
        return Err(PrefixError::NotAPrefix(url.to_owned()));
    }
    let mut prefix = normal(url, &NormalOptions::default());
    if !prefix.ends_with('/') {
        prefix.push('/');
    }
    Ok(prefix)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn prefixes(pairs: &[(&str, &str)]) -> Prefixes {
        let mut prefixes = Prefixes::default();
        for (old, new) in pairs {
            prefixes.add(old, &[], new).unwrap();
        }
        prefixes
    }

    #[test]
    fn longest_prefix_of_whole_segments_moves() {
        let moves = prefixes(&[
            ("http://h/docs", "https://n/d"),
            ("http://h/docs/api", "https://a/"),
        ]);
        for (url, moved) in [
            ("http://h/docs/x?q#f", Some("https://n/d/x?q#f")),
            ("http://h/docs/api/y", Some("https://a/y")),
            ("http://h/docs2", None),
            ("http://h/", None),
            ("http://h.evil/docs/", None),
        ] {
            assert_eq!(moves.moved(url).as_deref(), moved, "{url}");
        }
    }

    #[test]
    fn rest_after_a_moved_prefix_stays_as_written() {
        let moves = prefixes(&[("http://h/", "https://n/d/")]);
        for (url, moved) in [
            (
                "HTTP://H/%7ea?x=1&y#\u{e9}",
                "https://n/d/%7ea?x=1&y#\u{e9}",
            ),
            ("http://h/../b", "https://n/d/b"),
            ("http://h:80/a", "https://n/d/a"),
        ] {
            assert_eq!(moves.moved_as_written(url).as_deref(), Some(moved), "{url}");
        }
    }

    #[test]
    fn prefix_needs_a_host_and_a_single_target() {
        let mut moves = Prefixes::default();
        assert!(moves.add("file:///srv/www", &[], "https://n/").is_ok());
        assert!(matches!(
            moves.add("/a/", &[], "https://n/"),
            Err(PrefixError::NotAbsolute(_))
        ));
        assert!(matches!(
            moves.add("http://h/?q", &[], "https://n/"),
            Err(PrefixError::NotAPrefix(_))
        ));
        assert!(matches!(
            moves.add("file:///srv/www/", &[], "https://m/"),
            Err(PrefixError::Twice(_))
        ));
    }
}
