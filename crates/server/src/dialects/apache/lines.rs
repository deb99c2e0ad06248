//! The lines of an Apache configuration, and the words in them.

/// A directive, or the start or end of a section.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Line {
    /// The number of its first line, 1-based.
    pub(super) number: usize,
    pub(super) name: String,
    /// The rest after the name.
    pub(super) rest: String,
}

impl Line {
    /// The words after the name.
    pub(super) fn words(&self) -> Vec<String> {
        let mut words = Vec::new();
        let mut rest = self.rest.trim_start();
        while !rest.is_empty() {
            let (word, after) = word(rest);
            words.push(word);
            rest = after.trim_start();
        }
        words
    }
}

impl Line {
    /// The first three words after the name as split by `mod_rewrite`, and what it ignores after
    /// them: a word in quotes ends at the quote, a backslash before white space keeps the word
    /// together, and backslashes are kept.
    pub(super) fn rewrite_words(&self) -> (Vec<String>, &str) {
        let mut words = Vec::new();
        let mut rest = self.rest.trim_start();
        while !rest.is_empty() && words.len() < 3 {
            let quote = rest.chars().next().filter(|c| matches!(c, '"' | '\''));
            let start = quote.map_or(0, char::len_utf8);
            let mut is_escaped = false;
            let end = rest[start..].find(|c: char| {
                let is_end = match quote {
                    Some(quote) => c == quote,
                    None => c.is_ascii_whitespace() && !is_escaped,
                };
                is_escaped = c == '\\' && !is_escaped;
                is_end
            });
            let end = end.map_or(rest.len(), |end| start + end);
            words.push(rest[start..end].to_owned());
            rest = rest.get(end + 1..).unwrap_or_default().trim_start();
        }
        (words, rest)
    }
}

/// The significant lines, joined where one ends with a backslash. The first has the number `first`.
pub(super) fn lines(text: &str, first: usize) -> impl Iterator<Item = Line> + '_ {
    let mut lines = (first..).zip(text.split('\n'));
    std::iter::from_fn(move || {
        loop {
            let (number, line) = lines.next()?;
            let mut whole = line.strip_suffix('\r').unwrap_or(line).to_owned();
            while whole.ends_with('\\') {
                whole.pop();
                let Some((_, next)) = lines.next() else {
                    break;
                };
                whole.push_str(next.strip_suffix('\r').unwrap_or(next));
            }
            let whole = whole.trim();
            if whole.is_empty() || whole.starts_with('#') {
                continue;
            }
            let (name, rest) = word(whole);
            return Some(Line {
                number,
                name,
                rest: rest.trim().to_owned(),
            });
        }
    })
}

/// The first word of `text` and the rest: `ap_getword_conf`. A quoted word may contain white space;
/// a backslash escapes a backslash, and in a quoted word the quote.
fn word(text: &str) -> (String, &str) {
    let mut out = String::new();
    let quote = text.chars().next().filter(|c| matches!(c, '"' | '\''));
    let start = quote.map_or(0, char::len_utf8);
    let mut chars = text[start..].char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let is_end = match quote {
            Some(quote) => c == quote,
            None => c.is_ascii_whitespace(),
        };
        if is_end {
            let after = start + at + c.len_utf8();
            return (out, &text[after..]);
        }
        let is_escape = c == '\\'
            && chars
                .peek()
                .is_some_and(|(_, next)| *next == '\\' || Some(*next) == quote);
        match chars.peek() {
            Some((_, next)) if is_escape => {
                out.push(*next);
                chars.next();
            }
            _ => out.push(c),
        }
    }
    (out, "")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_joined_and_comments_left_out() {
        let lines: Vec<Line> = lines(
            "# c\n  Redirect \\\n /a  \"/b c\"\r\n\nRewriteRule ^a\\\\.b$ 'x\\'y'\n",
            1,
        )
        .collect();
        assert_eq!(lines.len(), 2);
        assert_eq!(lines[0].number, 2);
        assert_eq!(lines[0].words(), ["/a", "/b c"]);
        assert_eq!(lines[1].words(), [r"^a\.b$", "x'y"]);
    }

    #[test]
    fn rewrite_keeps_backslashes_and_escaped_space() {
        let line = lines(
            r#"RewriteCond %{THE_REQUEST} ^GET\ /(.*)\.html "[NC, OR]" # c"#,
            1,
        )
        .next();
        let line = line.expect("there is a line");
        let (words, rest) = line.rewrite_words();
        assert_eq!(words, ["%{THE_REQUEST}", r"^GET\ /(.*)\.html", "[NC, OR]"]);
        assert_eq!(rest, "# c");
    }
}
