//! Finds references in sources of any language: words that may be references, with their lines.

use std::hash::BuildHasher;
use std::num::NonZeroU32;

use foldhash::fast::FixedState;
use percent_encoding::percent_decode_str;

/// The words of a source as hashes with their lines, sorted.
#[derive(Debug, Default)]
pub(super) struct References(Vec<(u64, u32)>);

/// The Sphinx role that refers to a document without its extension.
const ROLE: &str = ":doc:`";

/// Whether a character ends a word in the languages that pages are written in.
fn ends_word(c: char) -> bool {
    c.is_whitespace()
        || matches!(
            c,
            '(' | ')' | '[' | ']' | '<' | '>' | '"' | '\'' | '`' | '{' | '}' | '|'
        )
}

impl References {
    pub(super) fn parse(source: &str) -> Self {
        let mut words = Vec::new();
        for (line, text) in (1..).zip(source.lines()) {
            for word in text.split(ends_word).filter(|word| !word.is_empty()) {
                words.push((hash(word), line));
                // A full stop after the reference, or an attribute name before it, is not part of
                // it.
                let bare = word.trim_end_matches(['.', ',', ';', ':']);
                let bare = match bare.split_once('=') {
                    Some((name, value)) if name.bytes().all(|byte| byte.is_ascii_alphabetic()) => {
                        value
                    }
                    _ => bare,
                };
                if bare.len() < word.len() && !bare.is_empty() {
                    words.push((hash(bare), line));
                }
            }
            for role in text.split(ROLE).skip(1) {
                let target = role.split('`').next().unwrap_or_default();
                let target = target.rsplit('<').next().unwrap_or_default();
                let target = target.trim_end_matches('>');
                words.push((hash(&[ROLE, target].concat()), line));
            }
        }
        words.sort_unstable();
        Self(words)
    }

    /// The line of a reference, if exactly one of the lines from the first to the last has it,
    /// spelt as in the page or, failing that, as in the source of such a page.
    pub(super) fn line_of(&self, value: &str, lines: Option<(u32, u32)>) -> Option<NonZeroU32> {
        let (first, last) = lines.unwrap_or((1, u32::MAX));
        for spelling in spellings(value) {
            let wanted = hash(&spelling);
            let start = self.0.partition_point(|word| *word < (wanted, first));
            let rest = &self.0[start..];
            let count = rest.partition_point(|word| *word <= (wanted, last));
            match rest[..count] {
                [] => {}
                [(_, line)] => return NonZeroU32::new(line),
                _ => return None,
            }
        }
        None
    }
}

fn hash(word: &str) -> u64 {
    FixedState::with_seed(1808).hash_one(word)
}

/// The spellings in sources of a value in a page: unescaped, with the extension of the source, or
/// without any.
fn spellings(value: &str) -> Vec<String> {
    const EXTENSIONS: [&str; 4] = [".md", ".rst", ".mdx", ".adoc"];
    let mut all = vec![value.to_owned()];
    let decoded = percent_decode_str(value).decode_utf8_lossy();
    let cut = decoded.find(['#', '?']).unwrap_or(decoded.len());
    let (path, rest) = decoded.split_at(cut);
    all.push(decoded.clone().into_owned());
    let stem = path
        .strip_suffix(".html")
        .or_else(|| path.strip_suffix(".htm"))
        .or_else(|| path.strip_suffix('/'));
    if let Some(stem) = stem.filter(|stem| !stem.is_empty()) {
        for tail in [rest, ""] {
            all.extend(EXTENSIONS.iter().map(|end| format!("{stem}{end}{tail}")));
        }
        all.push(format!("{stem}/index.md{rest}"));
        all.push([ROLE, stem].concat());
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reference_is_found_in_the_spelling_of_sources() {
        let source = "See [one](gone.md#part \"x\") and <https://a.example/x?a=b>.\n\
                      `two <https://b.example/(y)>`_, :doc:`../three`.\n\
                      <a href=four.html>4</a> <img src='five%20b.png'>\n\
                      [six]: six.html\nagain four.html\n[q](q.html) [q](q.html)\n";
        let found = References::parse(source);
        let line = |value: &str| found.line_of(value, None).map(NonZeroU32::get);
        for (value, expected) in [
            ("gone.html#part", Some(1)),
            ("https://a.example/x?a=b", Some(1)),
            ("../three.html", Some(2)),
            ("five%20b.png", Some(3)),
            ("six.html", Some(4)),
            // These occur twice.
            ("four.html", None),
            ("q.html", None),
            ("none.html", None),
            ("one.html", None),
        ] {
            assert_eq!(line(value), expected, "{value}");
        }
        assert_eq!(found.line_of("four.html", Some((2, 4))), NonZeroU32::new(3));
        assert_eq!(found.line_of("q.html", Some((1, 5))), None);
    }
}
