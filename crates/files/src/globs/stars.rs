//! Patterns of text and stars alone, matched piece by piece.

/// A pattern of literal texts with stars between them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Stars {
    /// As written. One allocation per pattern keeps matching many patterns fast.
    pattern: Box<str>,
    /// Where its first star and its last one are, if it has any.
    ends: Option<(usize, usize)>,
    /// Its length in bytes without its stars.
    length: usize,
}

impl Stars {
    /// The pattern of a text; `None` if it has more than single stars.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let special = ['?', '[', ']', '{', '}', '\\'];
        if text.contains(special) || text.contains("**") {
            return None;
        }
        Some(Self {
            pattern: text.into(),
            ends: text.find('*').zip(text.rfind('*')),
            length: text.len() - text.matches('*').count(),
        })
    }

    /// Its text, if it has no star.
    pub(super) fn literal(&self) -> Option<&str> {
        self.ends.is_none().then_some(&*self.pattern)
    }

    /// Whether a text matches. Each piece is searched for once, after the previous one: its first
    /// occurrence leaves the most text to the pieces after it.
    pub(super) fn is_match(&self, text: &str) -> bool {
        if text.len() < self.length {
            return false;
        }
        let Some((first, last)) = self.ends else {
            return *self.pattern == *text;
        };
        let rest = text.strip_prefix(&self.pattern[..first]);
        let rest = rest.and_then(|rest| rest.strip_suffix(&self.pattern[last + 1..]));
        let Some(mut rest) = rest else {
            return false;
        };
        // The pieces between the first star and the last one, which may be the same.
        let between = self.pattern.get(first + 1..last).unwrap_or_default();
        for piece in between.split('*') {
            let Some(at) = rest.find(piece) else {
                return false;
            };
            rest = &rest[at + piece.len()..];
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn same_matches_as_globset() {
        let texts = [
            "", "a", "b", "ab", "ba", "aa", "aba", "abab", "a/b", "/", "\n", "é", "aéb", "a*b",
        ];
        let mut patterns = vec![String::new()];
        for length in 0..4 {
            let longer = patterns
                .iter()
                .filter(|known| known.chars().count() == length);
            let longer =
                longer.flat_map(|known| ["a", "b", "*", "/", "é"].map(|c| format!("{known}{c}")));
            patterns.extend(longer.collect::<Vec<_>>());
        }
        for pattern in patterns {
            let Some(stars) = Stars::parse(&pattern) else {
                assert!(pattern.contains("**"));
                continue;
            };
            let mut builder = globset::GlobBuilder::new(&pattern);
            let matcher = builder
                .backslash_escape(true)
                .build()
                .unwrap()
                .compile_matcher();
            for text in texts {
                assert_eq!(
                    stars.is_match(text),
                    matcher.is_match(text),
                    "{pattern} {text:?}"
                );
            }
        }
    }

    #[test]
    fn other_metacharacters_need_globset() {
        for pattern in ["a?", "[a]", "{a,b}", "\\*", "**/a", "a**"] {
            assert_eq!(Stars::parse(pattern), None, "{pattern}");
        }
    }
}
