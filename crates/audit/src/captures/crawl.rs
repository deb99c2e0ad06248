//! What a crawl was meant to capture.

use std::str::FromStr;

use baseref_evidence::captures::Tier;

/// Which pages a crawl was meant to capture: a link to another one is external.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Scope {
    /// Those on the hosts of captured pages.
    #[default]
    Host,
    /// Those that were captured.
    Pages,
    /// All.
    All,
    /// Those whose URLs begin with one of these.
    Prefixes(Vec<String>),
}

impl FromStr for Scope {
    type Err = String;

    /// `host`, `pages`, `all` or `prefix=URL`.
    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "host" => Ok(Self::Host),
            "pages" => Ok(Self::Pages),
            "all" => Ok(Self::All),
            _ => {
                let prefix = text.strip_prefix("prefix=").filter(|url| !url.is_empty());
                let prefix = prefix.ok_or("this is not one of host, pages, all, prefix=URL")?;
                Ok(Self::Prefixes(vec![prefix.to_owned()]))
            }
        }
    }
}

impl Scope {
    /// The last one of several; if that is a prefix, all prefixes.
    #[must_use]
    pub fn of(scopes: Vec<Self>) -> Self {
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

/// How links of captured pages are judged.
#[derive(Clone, Debug, Default)]
pub struct Crawl {
    /// Which pages were meant to be captured.
    pub scope: Scope,
    /// The loosest way in which the URL of a link may be that of a capture.
    pub tier: Tier,
}
