//! The URL prefixes that move, and what a URL becomes.

use std::collections::HashSet;

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

/// All moves, longest old prefix first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Prefixes {
    pairs: Vec<Pair>,
    /// The new prefixes, longest first.
    news: Vec<String>,
    /// The hosts of all prefixes.
    hosts: HashSet<String>,
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
            if let Some(known) = self.pairs.iter().find(|pair| pair.old == old) {
                if known.new == new {
                    continue;
                }
                return Err(PrefixError::Twice(old));
            }
            self.pairs.push(Pair {
                old,
                new: new.clone(),
            });
        }
        let all = self.pairs.iter().flat_map(|pair| [&pair.old, &pair.new]);
        let hosts = all.filter_map(|url| origin(url).split_once("://"));
        self.hosts = hosts.map(|(_, host)| host.to_owned()).collect();
        if !self.news.contains(&new) {
            self.news.push(new);
        }
        self.pairs
            .sort_by_key(|pair| std::cmp::Reverse(pair.old.len()));
        self.news.sort_by_key(|new| std::cmp::Reverse(new.len()));
        Ok(())
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
        let mut pairs = self.pairs.iter();
        let pair = pairs.find(|pair| below(url, &pair.old).is_some())?;
        Some(self.stays(pair))
    }

    /// Whether the new prefix of a pair is an old prefix that does not move. The tree is there already.
    fn stays(&self, pair: &Pair) -> bool {
        let mut others = self.pairs.iter();
        others.any(|other| other.new == pair.new && other.old == other.new)
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
        let mut pairs = self.pairs.iter();
        pairs.find_map(|pair| Some((pair.old.as_str(), below(url, &pair.old)?)))
    }

    /// The new prefix of a URL in normal form, and what follows it.
    #[must_use]
    pub fn new_rest<'u>(&self, url: &'u str) -> Option<(&str, &'u str)> {
        let mut news = self.news.iter();
        news.find_map(|new| Some((new.as_str(), below(url, new)?)))
    }

    /// Whether a URL in normal form has the scheme and host of an old prefix.
    #[must_use]
    pub fn is_on_old_origin(&self, url: &str) -> bool {
        let own = origin(url);
        !own.is_empty() && self.pairs.iter().any(|pair| origin(&pair.old) == own)
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
        let mut pairs = self.pairs.iter();
        pairs.find_map(|pair| Some(format!("{}{}", pair.new, below(url, &pair.old)?)))
    }

    /// [`Self::moved`] for a URL as written: the rest is kept verbatim if the prefix occurs
    /// literally.
    #[must_use]
    pub fn moved_as_written(&self, url: &str) -> Option<String> {
        let whole = moved_text(&self.pairs, url);
        let by_normal = self.moved(&normal(url, &NormalOptions::default()))?;
        let is_same = |whole: &String| normal(whole, &NormalOptions::default()) == by_normal;
        Some(whole.filter(is_same).unwrap_or(by_normal))
    }

    /// The first old prefix and the first new one, for reports.
    pub fn pairs(&self) -> impl Iterator<Item = (&str, &str)> {
        self.pairs
            .iter()
            .map(|pair| (pair.old.as_str(), pair.new.as_str()))
    }
}

fn moved_text(pairs: &[Pair], url: &str) -> Option<String> {
    pairs.iter().find_map(|pair| {
        let start = url.get(..pair.old.len())?;
        start
            .eq_ignore_ascii_case(&pair.old)
            .then(|| format!("{}{}", pair.new, &url[pair.old.len()..]))
    })
}

/// The rest of `url` after `prefix`; a `url` that equals the prefix may omit the final slash.
fn below<'u>(url: &'u str, prefix: &str) -> Option<&'u str> {
    if let Some(rest) = url.strip_prefix(prefix) {
        return Some(rest);
    }
    let rest = url.strip_prefix(prefix.strip_suffix('/')?)?;
    (rest.is_empty() || rest.starts_with(['?', '#'])).then_some(rest)
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
