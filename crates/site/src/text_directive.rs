//! Text fragments: `#:~:text=prefix-,start,end,-suffix` (URL Fragment Text Directives §3.4 and §3.5).

use percent_encoding::percent_decode_str;

use baseref_resolve::spelling::base_letters;

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

    /// Whether a page shows the text, given its [`ShownText`].
    #[must_use]
    pub fn is_in(&self, text: &ShownText) -> bool {
        let text = &*text.0;
        let ends_word = !self.end.is_empty() || self.suffix.is_empty();
        let mut from = 0;
        loop {
            let start = if self.prefix.is_empty() {
                word_at(text, from, &self.start, true, ends_word)
            } else {
                let prefix = word_at(text, from, &self.prefix, true, false);
                let Some(prefix) = prefix else { return false };
                from = after_first_char(text, prefix);
                let end = skip_space(text, prefix + self.prefix.len());
                let follows = text[end..].starts_with(&self.start);
                let stop = end + self.start.len();
                if !follows || ends_word && !is_boundary(text, stop) {
                    continue;
                }
                Some(end)
            };
            let Some(start) = start else { return false };
            let stop = start + self.start.len();
            if !self.end.is_empty() {
                // A match that ends after a later start ends after this one, too.
                return self.ends_after(text, stop);
            }
            if self.is_followed(text, stop) {
                return true;
            }
            from = from.max(after_first_char(text, start));
        }
    }

    /// Whether the end of the range is somewhere in the rest of a text.
    fn ends_after(&self, text: &str, mut from: usize) -> bool {
        while let Some(end) = word_at(text, from, &self.end, true, self.suffix.is_empty()) {
            if self.is_followed(text, end + self.end.len()) {
                return true;
            }
            from = after_first_char(text, end);
        }
        false
    }

    /// Whether the suffix follows, after white space.
    fn is_followed(&self, text: &str, from: usize) -> bool {
        let from = skip_space(text, from);
        self.suffix.is_empty()
            || text[from..].starts_with(&self.suffix) && is_boundary(text, from + self.suffix.len())
    }
}

/// The text of a page in the form that directives are compared with.
#[derive(Clone, Debug)]
pub struct ShownText(String);

impl ShownText {
    /// From the text that a page shows, with a line feed between blocks.
    #[must_use]
    pub fn new(text: &str) -> Self {
        Self(base_letters(text))
    }

    /// The number of bytes that it takes.
    #[must_use]
    pub fn size(&self) -> usize {
        self.0.len()
    }
}

/// A part of a directive in the form that is searched for.
fn searched(part: &str) -> String {
    let decoded = percent_decode_str(part).decode_utf8_lossy();
    let words: Vec<&str> = decoded.split_whitespace().collect();
    base_letters(&words.join(" "))
}

/// Where a text first contains another from an offset on, between boundaries of words if they are asked
/// for.
fn word_at(text: &str, mut from: usize, word: &str, begins: bool, ends: bool) -> Option<usize> {
    loop {
        let at = from + text.get(from..)?.find(word)?;
        let is_begun = !begins || is_boundary(text, at);
        if is_begun && (!ends || is_boundary(text, at + word.len())) {
            return Some(at);
        }
        from = after_first_char(text, at);
    }
}

fn after_first_char(text: &str, at: usize) -> usize {
    at + text[at..].chars().next().map_or(1, char::len_utf8)
}

/// The offset of the next character that is not white space: a suffix may be in the next block.
fn skip_space(text: &str, at: usize) -> usize {
    let rest = &text[at..];
    at + rest.len() - rest.trim_start().len()
}

/// Whether words may begin or end at an offset. Writing without spaces has boundaries anywhere.
///
/// Departs: the specification takes the boundaries of words from the locale.
fn is_boundary(text: &str, at: usize) -> bool {
    let is_of_word = |c: char| c.is_alphanumeric() && u32::from(c) < 0x0E00;
    let before = text[..at].chars().next_back().is_some_and(is_of_word);
    let after = text[at..].chars().next().is_some_and(is_of_word);
    !(before && after)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn has(text: &str, fragment: &str) -> bool {
        let text = ShownText::new(text);
        let mut directives = text_directives(fragment);
        directives.all(|(_, directive)| directive.is_in(&text))
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
}
