//! What a crawl was meant to capture.

use std::str::FromStr;

use baseref_evidence::captures::Tier;

/// Which pages a crawl was meant to capture. Links to others are external.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Scope {
    /// Pages on the hosts of captured pages.
    #[default]
    Host,
    /// Only the captured pages.
    Pages,
    /// All pages.
    All,
    /// Pages whose URL starts with one of these.
    Prefixes(Vec<String>),
}

/// A text that is not a scope.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("this is not one of host, pages, all, prefix=URL")]
pub struct ScopeError;

impl FromStr for Scope {
    type Err = ScopeError;

    /// `host`, `pages`, `all` or `prefix=URL`.
    fn from_str(text: &str) -> Result<Self, ScopeError> {
        match text {
            "host" => Ok(Self::Host),
            "pages" => Ok(Self::Pages),
            "all" => Ok(Self::All),
            _ => {
                let prefix = text.strip_prefix("prefix=").filter(|url| !url.is_empty());
                let prefix = prefix.ok_or(ScopeError)?;
                Ok(Self::Prefixes(vec![prefix.to_owned()]))
            }
        }
    }
}

impl Scope {
    /// The last of several scopes; if it is a prefix, all prefixes.
    #[must_use]
    pub fn from_options(scopes: Vec<Self>) -> Self {
        let prefixes = |scopes: Vec<Self>| {
            let lists = scopes.into_iter().filter_map(|scope| match scope {
                Self::Prefixes(prefixes) => Some(prefixes),
                Self::Host | Self::Pages | Self::All => None,
            });
            Self::Prefixes(lists.flatten().collect())
        };
        match scopes.last() {
            Some(Self::Prefixes(_)) => prefixes(scopes),
            Some(last) => last.clone(),
            None => Self::default(),
        }
    }
}

/// How links of captured pages are checked.
#[derive(Clone, Debug, Default)]
pub struct Crawl {
    /// Which pages were meant to be captured.
    pub scope: Scope,
    /// How loosely the URL of a link may match the URL of a capture.
    pub tier: Tier,
}
