//! Selects links by URL.
//!
//! ```
//! use baseref_files::url_filter::UrlFilter;
//!
//! let filter = UrlFilter::new(&["^https:".to_owned()], &["[?]utm_".to_owned()])?;
//! assert!(filter.takes(Some("https://a.example/")));
//! assert!(!filter.takes(Some("https://a.example/?utm_source=mail")));
//! # Ok::<(), baseref_files::url_filter::FilterError>(())
//! ```

use regex::Regex;

/// Regular expressions for the URL of a link. A link without a URL matches none.
#[derive(Clone, Debug, Default)]
pub struct UrlFilter {
    /// The URL must match one of these, if there are any.
    pub include: Vec<Regex>,
    /// The URL must match none of these.
    pub exclude: Vec<Regex>,
}

/// A regular expression of a [`UrlFilter`] that is malformed.
#[derive(Debug, thiserror::Error)]
#[error("{option}: {source}")]
pub struct FilterError {
    /// `include` or `exclude`.
    option: &'static str,
    source: regex::Error,
}

impl UrlFilter {
    /// A filter of these expressions.
    ///
    /// # Errors
    /// If one of them is malformed.
    pub fn new(include: &[String], exclude: &[String]) -> Result<Self, FilterError> {
        let read = |option, expressions: &[String]| {
            let expressions = expressions.iter().map(|expression| Regex::new(expression));
            let read: Result<_, regex::Error> = expressions.collect();
            read.map_err(|source| FilterError { option, source })
        };
        Ok(Self {
            include: read("include", include)?,
            exclude: read("exclude", exclude)?,
        })
    }

    /// Whether it accepts every link.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.include.is_empty() && self.exclude.is_empty()
    }

    /// Whether it accepts a link with that URL.
    #[must_use]
    pub fn takes(&self, url: Option<&str>) -> bool {
        if self.is_empty() {
            return true;
        }
        let matches = |expressions: &[Regex]| {
            url.is_some_and(|url| {
                let mut expressions = expressions.iter();
                expressions.any(|expression| expression.is_match(url))
            })
        };
        (self.include.is_empty() || matches(&self.include)) && !matches(&self.exclude)
    }
}
