//! Patterns of text and stars alone, matched piece by piece.

/// A pattern of literal texts with stars between them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Stars {
    /// The texts between the stars, at least one.
    pieces: Box<[Box<str>]>,
    /// How many bytes they have.
    length: usize,
}

impl Stars {
    /// The pattern of a text; `None` if it has more than single stars.
    pub(super) fn of(text: &str) -> Option<Self> {
        let special = ['?', '[', ']', '{', '}', '\\'];
        if text.contains(special) || text.contains("**") {
            return None;
        }
        let pieces: Box<[Box<str>]> = text.split('*').map(Box::from).collect();
        let length = pieces.iter().map(|piece| piece.len()).sum();
        Some(Self { pieces, length })
    }

    /// The text that it stands for, if it has no star.
    pub(super) fn literal(&self) -> Option<&str> {
        match &*self.pieces {
            [literal] => Some(literal),
            _ => None,
        }
    }

    /// Whether a text matches: each piece is looked for once, after the one before it, which is
    /// enough, since the first place where it is leaves most of the text to those after it.
    pub(super) fn is_match(&self, text: &str) -> bool {
        if text.len() < self.length {
            return false;
        }
        let [first, between @ .., last] = &*self.pieces else {
            return self.literal() == Some(text);
        };
        let rest = text.strip_prefix(&**first);
        let Some(mut rest) = rest.and_then(|rest| rest.strip_suffix(&**last)) else {
            return false;
        };
        for piece in between {
            let Some(at) = rest.find(&**piece) else {
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
    fn they_match_what_globset_matches() {
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
            let Some(stars) = Stars::of(&pattern) else {
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
    fn what_means_more_is_left_to_globset() {
        for pattern in ["a?", "[a]", "{a,b}", "\\*", "**/a", "a**"] {
            assert_eq!(Stars::of(pattern), None, "{pattern}");
        }
    }
}
