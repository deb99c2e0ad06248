//! Many patterns, matched at once.

use std::collections::HashMap;

use globset::{GlobSet, GlobSetBuilder};

use super::glob::{Form, GlobError, globset_error, parse};
use super::stars::Stars;

/// Patterns that are matched together.
#[derive(Debug, Default)]
pub struct Globs {
    /// The indices of patterns without a star, by their text.
    literals: HashMap<Box<str>, Vec<usize>>,
    /// Patterns of text and stars, with their indices.
    stars: Vec<(usize, Stars)>,
    others: GlobSet,
    /// The indices of `others`.
    places: Vec<usize>,
}

impl Globs {
    /// Reads patterns.
    ///
    /// # Errors
    /// As for [`super::Glob::new`], for the first that is wrong, or if they are too large together.
    pub fn new<T: AsRef<str>>(
        texts: impl IntoIterator<Item = T>,
        form: Form,
    ) -> Result<Self, GlobError> {
        let mut globs = Self::default();
        let mut others = GlobSetBuilder::new();
        for (index, text) in texts.into_iter().enumerate() {
            let text = text.as_ref();
            let other = parse(text, form)?;
            let Some(stars) = Stars::parse(text).filter(|_| form == Form::Url) else {
                others.add(other);
                globs.places.push(index);
                continue;
            };
            match stars.literal() {
                Some(literal) => globs
                    .literals
                    .entry(literal.into())
                    .or_default()
                    .push(index),
                None => globs.stars.push((index, stars)),
            }
        }
        globs.others = others.build().map_err(|error| globset_error(&error))?;
        Ok(globs)
    }

    /// The indices of the patterns that a text matches, in ascending order.
    #[must_use]
    pub fn matches(&self, text: &str) -> Vec<usize> {
        let matching = self.stars.iter().filter(|(_, stars)| stars.is_match(text));
        let mut places: Vec<usize> = matching.map(|(place, _)| *place).collect();
        places.extend(self.literals.get(text).into_iter().flatten());
        if !self.places.is_empty() {
            let others = self.others.matches(text).into_iter();
            places.extend(others.filter_map(|other| self.places.get(other)));
        }
        places.sort_unstable();
        places
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn set_matches_in_pattern_order() {
        let texts = ["a?", "ab", "*b", "{ab,c}", "ab", "x*", "[a]b"];
        let globs = Globs::new(texts, Form::Url).unwrap();
        assert_eq!(globs.matches("ab"), [0, 1, 2, 3, 4, 6]);
        assert_eq!(globs.matches("c"), [3]);
        assert_eq!(globs.matches("d"), [] as [usize; 0]);
        assert!(Globs::new(["a", "[b"], Form::Url).is_err());
    }
}
