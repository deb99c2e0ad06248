//! Which links are wanted, by their URLs.

use regex::Regex;

/// Expressions that the URL of a link is matched with. Where there is no URL, none matches.
#[derive(Clone, Debug, Default)]
pub struct UrlFilter {
    /// It must match one of them, if there are any.
    pub include: Vec<Regex>,
    /// It must match none of them.
    pub exclude: Vec<Regex>,
}

impl UrlFilter {
    /// Whether it takes every link.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.include.is_empty() && self.exclude.is_empty()
    }

    /// Whether it takes a link with that URL.
    #[must_use]
    pub fn takes(&self, url: Option<&str>) -> bool {
        let matches = |expressions: &[Regex]| {
            url.is_some_and(|url| {
                let mut expressions = expressions.iter();
                expressions.any(|expression| expression.is_match(url))
            })
        };
        (self.include.is_empty() || matches(&self.include)) && !matches(&self.exclude)
    }
}
