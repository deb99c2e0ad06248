//! Text fragments: `#:~:text=prefix-,start,end,-suffix` (URL Fragment Text Directives §3.4 and §3.5).

use percent_encoding::percent_decode_str;

use baseref_resolve::spelling::base_letters;

use crate::shown_text::ShownText;

/// The text that a fragment asks browsers to highlight.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextDirective {
    prefix: String,
    start: String,
    end: String,
    suffix: String,
}

/// The text directives of a fragment, each as written and as read. Malformed ones are left out, as
/// browsers ignore them.
pub fn text_directives(fragment: &str) -> impl Iterator<Item = (&str, TextDirective)> {
    let directives = fragment.split_once(":~:").map_or("", |(_, all)| all);
    let values = directives
        .split('&')
        .filter_map(|one| one.strip_prefix("text="));
    values.filter_map(|value| Some((value, TextDirective::parse(value)?)))
}

impl TextDirective {
    /// Reads the value of a directive ("parse a text directive").
    fn parse(value: &str) -> Option<Self> {
        let mut tokens: Vec<&str> = value.split(',').collect();
        if tokens.len() > 4 {
            return None;
        }
        let prefix = tokens.first()?.strip_suffix('-');
        if prefix.is_some() {
            tokens.remove(0);
        }
        let suffix = tokens.last().and_then(|last| last.strip_prefix('-'));
        if suffix.is_some() {
            tokens.pop();
        }
        let (start, end) = match tokens.as_slice() {
            [start] => (*start, ""),
            [start, end] => (*start, *end),
            _ => return None,
        };
        let [prefix, start, end, suffix] = [
            prefix.unwrap_or_default(),
            start,
            end,
            suffix.unwrap_or_default(),
        ]
        .map(searched);
        (!start.is_empty()).then_some(Self {
            prefix,
            start,
            end,
            suffix,
        })
    }

    /// Whether a page shows the text.
    #[must_use]
    pub fn search(&self, text: &ShownText) -> Search {
        let mut steps = Steps(MAX_STEPS);
        match self.is_in(text, &mut steps) {
            Some(true) => Search::Found,
            Some(false) => Search::NotFound,
            None => Search::Limit,
        }
    }

    /// Whether a page shows the text, if the steps suffice.
    fn is_in(&self, text: &ShownText, steps: &mut Steps) -> Option<bool> {
        let ends_word = !self.end.is_empty() || self.suffix.is_empty();
        let (first, first_ends_word) = match self.prefix.as_str() {
            "" => (&self.start, ends_word),
            _ => (&self.prefix, false),
        };
        let mut earliest = None;
        for at in text.candidates(first, first_ends_word) {
            steps.compare(first)?;
            let Some(mut stop) = text.end_of(at, first, first_ends_word) else {
                continue;
            };
            if !self.prefix.is_empty() {
                stop = steps.skip_space(text, stop)? + self.start.len();
                let follows = text.rest(stop - self.start.len()).starts_with(&self.start);
                if !follows || ends_word && !text.is_boundary(stop) {
                    continue;
                }
            }
            if !self.end.is_empty() {
                // A match that ends after a later start ends after this one, too.
                earliest = Some(earliest.map_or(stop, |other: usize| other.min(stop)));
            } else if self.is_followed(text, stop, steps)? {
                return Some(true);
            }
        }
        match earliest {
            Some(stop) => self.ends_after(text, stop, steps),
            None => Some(false),
        }
    }

    /// Whether the end of the range is somewhere in the rest of a text.
    fn ends_after(&self, text: &ShownText, from: usize, steps: &mut Steps) -> Option<bool> {
        for at in text.candidates(&self.end, self.suffix.is_empty()) {
            steps.compare(&self.end)?;
            let end = text.end_of(at, &self.end, self.suffix.is_empty());
            if let Some(end) = end.filter(|_| at >= from)
                && self.is_followed(text, end, steps)?
            {
                return Some(true);
            }
        }
        Some(false)
    }

    /// Whether the suffix follows, after white space.
    fn is_followed(&self, text: &ShownText, from: usize, steps: &mut Steps) -> Option<bool> {
        if self.suffix.is_empty() {
            return Some(true);
        }
        let from = steps.skip_space(text, from)?;
        let is_next = text.rest(from).starts_with(&self.suffix);
        Some(is_next && text.is_boundary(from + self.suffix.len()))
    }
}

/// The result of a search for a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Search {
    /// The page shows it.
    Found,
    /// The page does not show it.
    NotFound,
    /// The search was abandoned after [`MAX_STEPS`].
    Limit,
}

/// The maximum number of places at which the text of one directive is compared with that of a page. Long
/// texts, and white space that is skipped, count as several.
pub const MAX_STEPS: usize = 16_384;

/// The number of steps that a search has left.
#[derive(Debug)]
struct Steps(usize);

impl Steps {
    fn take(&mut self, steps: usize) -> Option<()> {
        self.0 = self.0.checked_sub(steps)?;
        Some(())
    }

    /// Takes the steps to compare a text once.
    fn compare(&mut self, wanted: &str) -> Option<()> {
        self.take(1 + wanted.len() / 64)
    }

    /// The offset of the next character that is not white space: a suffix may be in the next block.
    fn skip_space(&mut self, text: &ShownText, at: usize) -> Option<usize> {
        let rest = text.rest(at);
        let skipped = rest.len() - rest.trim_start().len();
        self.take(skipped / 4)?;
        Some(at + skipped)
    }
}

/// A part of a directive in the form that is searched for.
fn searched(part: &str) -> String {
    let decoded = percent_decode_str(part).decode_utf8_lossy();
    let words: Vec<&str> = decoded.split_whitespace().collect();
    // An accent of its own becomes white space.
    base_letters(&words.join(" ")).trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn has(text: &str, fragment: &str) -> bool {
        let text = ShownText::new(text);
        let mut directives = text_directives(fragment);
        directives.all(|(_, directive)| directive.search(&text) == Search::Found)
    }

    #[test]
    fn text_in_words_without_case_and_accents() {
        let text = "The quick brown fox.\nA Caf\u{e9} in Br\u{fc}ssel.\n\u{6771}\u{4eac}\u{90fd}";
        for found in [
            ":~:text=quick%20brown",
            "id:~:text=QUICK",
            ":~:text=cafe",
            ":~:text=the-,quick",
            ":~:text=the,fox",
            ":~:text=quick,cafe",
            ":~:text=brown,-fox",
            ":~:text=fox.-,a,-cafe",
            ":~:text=the,brown,-fox",
            ":~:text=%E4%BA%AC",
            ":~:text=quick&text=fox",
            ":~:text=a,b,c,d,e",
            ":~:other",
        ] {
            assert!(has(text, found), "{found}");
        }
        for missing in [
            ":~:text=purple",
            ":~:text=qui",
            ":~:text=uick",
            ":~:text=the-,brown",
            ":~:text=fox,the",
            ":~:text=quick,-fox",
            ":~:text=fox.%20A",
            ":~:text=quick&text=purple",
        ] {
            assert!(!has(text, missing), "{missing}");
        }
    }

    /// The steps that `count` directives take in a text of this many words for each.
    fn steps(
        (count, words): (usize, usize),
        word: impl Fn(usize) -> String,
        directive: impl Fn(usize) -> String,
    ) -> usize {
        let text: Vec<String> = (0..words * count).map(word).collect();
        let text = ShownText::new(&text.join(" "));
        let mut taken = 0;
        for number in 0..count {
            let fragment = directive(number);
            for (_, directive) in text_directives(&fragment) {
                let mut steps = Steps(MAX_STEPS);
                let _ = directive.is_in(&text, &mut steps);
                taken += MAX_STEPS - steps.0;
            }
        }
        taken
    }

    #[test]
    fn steps_are_linear_in_words_and_directives() {
        let numbered = |number: usize| format!("word{number:05}");
        for directive in [
            |number: usize| format!(":~:text=word{number:05}"),
            |number| format!(":~:text=word{number:05},-word"),
            |number| format!(":~:text=the,cow{number}"),
            |number| format!(":~:text=word{number:05}-,word,-x"),
        ] {
            let [once, twice, four_times] =
                [1, 2, 4].map(|times| steps((100 * times, 10), numbered, directive));
            let is_linear = twice <= 2 * once * 13 / 10 && four_times <= 4 * once * 13 / 10;
            assert!(is_linear, "{once} {twice} {four_times}");
        }
        let equal = |_| "a".to_owned();
        let missing = |number| format!(":~:text=a,-b{number}");
        let [many, more] = [10, 20].map(|count| steps((count, 2_000), equal, missing));
        assert!(more <= 2 * many, "{many} {more}");
    }

    #[test]
    fn search_for_a_frequent_word_meets_a_limit() {
        let text = ShownText::new(&"a ".repeat(MAX_STEPS + 1));
        let search = |fragment| {
            text_directives(fragment)
                .map(|(_, one)| one.search(&text))
                .next()
        };
        assert_eq!(search(":~:text=a,-b"), Some(Search::Limit));
        assert_eq!(search(":~:text=a,-a"), Some(Search::Found));
        assert_eq!(search(":~:text=a%20b"), Some(Search::NotFound));
    }
}
